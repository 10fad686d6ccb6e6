"""What a careful person would let pass: one row for each situation."""

from __future__ import annotations

from typing import Any

import pytest

from wes_provider.exceptions import WesConfigurationError
from wes_provider.guards import Plan, SegmentGuard
from wes_provider.guards.history import Baseline
from wes_provider.guards.segment_guard import can_approve
from wes_provider.models import all_of, user_attribute

HUNDRED = [f"city-{number:03}" for number in range(100)]
STAFF = user_attribute("staff", ["yes"], negate=True)


def cities(values: Any, **options: Any) -> dict[str, Any]:
    return user_attribute("city", values, **options)


def before_and_after(before: Any, after: Any, **guard: Any) -> tuple[Any, Any, dict[str, Any]]:
    return before, after, guard


def any_of(*filters: dict[str, Any]) -> dict[str, Any]:
    return {"filter_operator": "or", "filters": list(filters)}


def kind(name: str, **fields: Any) -> dict[str, Any]:
    return {"filter_type": name, **fields}


BASE = all_of(cities(HUNDRED), STAFF)
NESTED = all_of(any_of(cities(HUNDRED), user_attribute("plan", ["gold"])), STAFF)
EVENTS = all_of(kind("events", event="order", within={"days": 30}), cities(HUNDRED))
MANY_EVENTS = all_of(*(kind("events", event=f"event {number}") for number in range(10)))
ORDERED = all_of(cities([10, 20], operator="between"))
THEN = {"filter_operator": "then", "filters": [kind("events", event="visit"), kind("events", event="order")]}

SCENARIOS: dict[str, tuple[tuple[Any, Any, dict[str, Any]], str]] = {
    # upstream lost something
    "upstream empty": (before_and_after(BASE, all_of(cities([]), STAFF)), "fail"),
    "all filters gone": (before_and_after(BASE, all_of()), "fail"),
    "upstream null": (before_and_after(BASE, all_of(cities(None), STAFF)), "fail"),
    "one value left": (before_and_after(BASE, all_of(cities(HUNDRED[:1]), STAFF)), "fail"),
    "nine tenths lost": (before_and_after(BASE, all_of(cities(HUNDRED[:10]), STAFF)), "fail"),
    "a fifth lost": (before_and_after(BASE, all_of(cities(HUNDRED[20:]), STAFF)), "send"),
    "a little more than a fifth lost": (before_and_after(BASE, all_of(cities(HUNDRED[21:]), STAFF)), "fail"),
    "all values replaced": (before_and_after(BASE, all_of(cities([f"x{c}" for c in HUNDRED]), STAFF)), "fail"),
    "a tenth replaced": (before_and_after(BASE, all_of(cities([*HUNDRED[10:], *"abcdefghij"]), STAFF)), "send"),
    "one filter gone": (before_and_after(BASE, all_of(cities(HUNDRED))), "fail"),
    "values of one filter gone to another": (
        before_and_after(all_of(cities(HUNDRED), STAFF), all_of(cities(["yes"]), user_attribute("staff", HUNDRED))),
        "fail",
    ),
    # upstream gained something
    "one value more": (before_and_after(BASE, all_of(cities([*HUNDRED, "new"]), STAFF)), "send"),
    "doubled": (before_and_after(BASE, all_of(cities([*HUNDRED, *(c + "x" for c in HUNDRED)]), STAFF)), "send"),
    "a new filter with many values": (
        before_and_after(BASE, all_of(cities(HUNDRED), STAFF, user_attribute("plan", HUNDRED)), max_added=3),
        "fail",
    ),
    "a new filter with few values": (
        before_and_after(BASE, all_of(cities(HUNDRED), STAFF, user_attribute("plan", ["a"])), max_added=3),
        "send",
    ),
    "a filter that grew while its operator changed": (
        before_and_after(BASE, all_of(cities([*HUNDRED, *"abcd"], negate=True), STAFF), max_removed=None, max_added=3),
        "fail",
    ),
    "doubled with a limit": (
        before_and_after(BASE, all_of(cities([*HUNDRED, *(c + "x" for c in HUNDRED)]), STAFF), max_added=0.5),
        "fail",
    ),
    "one filter more": (before_and_after(BASE, all_of(cities(HUNDRED), STAFF, user_attribute("age", ["1"]))), "send"),
    "one filter more with a limit": (
        before_and_after(BASE, all_of(cities(HUNDRED), STAFF, user_attribute("age", ["1"])), max_added={"filters": 0}),
        "fail",
    ),
    # only the form differs
    "unchanged": (before_and_after(BASE, BASE), "unchanged"),
    "unchanged, and sent nevertheless": (before_and_after(BASE, BASE, skip_unchanged=False), "send"),
    "order of values changed": (before_and_after(BASE, all_of(cities(HUNDRED[::-1]), STAFF)), "unchanged"),
    "order of filters changed": (before_and_after(BASE, all_of(STAFF, cities(HUNDRED))), "unchanged"),
    "order of keys changed": (
        before_and_after(BASE, all_of(dict(reversed(cities(HUNDRED).items())), STAFF)),
        "unchanged",
    ),
    "duplicates": (before_and_after(BASE, all_of(cities(HUNDRED * 2), STAFF, STAFF)), "unchanged"),
    "order that may matter": (before_and_after(ORDERED, all_of(cities([20, 10], operator="between"))), "send"),
    "order of filters that may matter": (
        before_and_after(THEN, {**THEN, "filters": THEN["filters"][::-1]}),
        "send",
    ),
    # case and types
    "capitals if they do not matter": (
        before_and_after(BASE, all_of(cities([c.upper() for c in HUNDRED]), STAFF)),
        "send",
    ),
    "capitals if they matter": (
        before_and_after(
            all_of(cities(HUNDRED, case_sensitive=True)),
            all_of(cities([c.upper() for c in HUNDRED], case_sensitive=True)),
        ),
        "fail",
    ),
    "numbers became texts": (before_and_after(all_of(cities([1, 2])), all_of(cities(["1", "2"]))), "fail"),
    "whole numbers became decimals": (before_and_after(all_of(cities([1, 2])), all_of(cities([1.0, 2.0]))), "fail"),
    "a list became its only text": (
        before_and_after(all_of(cities(["a"])), all_of({**cities([]), "value": "a"})),
        "fail",
    ),
    # the meaning differs, the values do not
    "negated": (before_and_after(BASE, all_of(cities(HUNDRED, negate=True), STAFF)), "fail"),
    "no longer negated": (before_and_after(BASE, all_of(cities(HUNDRED), {**STAFF, "negate": False})), "fail"),
    "operator changed": (before_and_after(BASE, all_of(cities(HUNDRED, operator="not_in"), STAFF)), "fail"),
    "and became or": (before_and_after(BASE, {**BASE, "filter_operator": "or"}), "fail"),
    "moved from one attribute to another": (
        before_and_after(BASE, all_of(user_attribute("home", HUNDRED), STAFF)),
        "fail",
    ),
    # nested filters and unknown kinds
    "nested unchanged": (
        before_and_after(NESTED, all_of(STAFF, any_of(user_attribute("plan", ["gold"]), cities(HUNDRED[::-1])))),
        "unchanged",
    ),
    "nested, a few lost": (
        before_and_after(NESTED, all_of(STAFF, any_of(user_attribute("plan", ["gold"]), cities(HUNDRED[5:])))),
        "send",
    ),
    "nested, most lost": (
        before_and_after(NESTED, all_of(STAFF, any_of(user_attribute("plan", ["gold"]), cities(HUNDRED[:5])))),
        "fail",
    ),
    "nested or became and": (
        before_and_after(NESTED, all_of(STAFF, all_of(user_attribute("plan", ["gold"]), cities(HUNDRED)))),
        "fail",
    ),
    "unknown kind unchanged": (before_and_after(EVENTS, all_of(*EVENTS["filters"][::-1])), "unchanged"),
    "unknown kind changed": (
        before_and_after(EVENTS, all_of(kind("events", event="order", within={"days": 1}), cities(HUNDRED))),
        "fail",
    ),
    "unknown kind gone": (before_and_after(MANY_EVENTS, all_of(*MANY_EVENTS["filters"][1:])), "fail"),
    "order in an unknown kind": (
        before_and_after(
            all_of(kind("segments", ids=[["1", "2"], ["3"]])), all_of(kind("segments", ids=[["3"], ["2", "1"]]))
        ),
        "send",
    ),
    "order in a value that is an object": (
        before_and_after(all_of(cities({"any": [1, 2]})), all_of(cities({"any": [2, 1]})), max_added=0),
        "send",
    ),
    "order that may matter of one of two": (
        before_and_after(all_of(THEN, THEN), all_of(THEN, {**THEN, "filters": THEN["filters"][::-1]}), max_added=0),
        "send",
    ),
    # limits
    "count allowed": (before_and_after(BASE, all_of(cities(HUNDRED[3:]), STAFF), max_removed=3), "send"),
    "count exceeded": (before_and_after(BASE, all_of(cities(HUNDRED[4:]), STAFF), max_removed=3), "fail"),
    "limit of one attribute": (
        before_and_after(BASE, all_of(cities(HUNDRED[50:]), STAFF), max_removed={"city": 0.5, "*": 0}),
        "send",
    ),
    "limit of the other attributes": (
        before_and_after(BASE, all_of(cities(HUNDRED[1:]), STAFF), max_removed={"staff": 0.5, "*": 0}),
        "fail",
    ),
    "limits without the attribute": (
        before_and_after(BASE, all_of(cities(HUNDRED[:10]), STAFF), max_removed={"town": 0.1}),
        "fail",
    ),
    "no limit for other attributes": (
        before_and_after(BASE, all_of(cities(HUNDRED[:10]), STAFF), max_removed={"staff": 0, "*": None}),
        "send",
    ),
    "one filter may go": (before_and_after(BASE, all_of(cities(HUNDRED)), max_removed={"filters": 1}), "send"),
    "one filter may go, but not this one": (
        before_and_after(BASE, all_of(cities(HUNDRED)), max_removed={"filters": 1, "staff": 0}),
        "fail",
    ),
    "one filter may come, with few values": (
        before_and_after(
            BASE,
            all_of(cities(HUNDRED), STAFF, user_attribute("plan", HUNDRED)),
            max_added={"filters": 1, "plan": 3},
        ),
        "fail",
    ),
    "no limit": (before_and_after(BASE, all_of(cities(["x"])), max_removed=None), "send"),
    "too few values": (before_and_after(BASE, all_of(cities(HUNDRED[:85]), STAFF), min_values={"city": 90}), "fail"),
    "values of a filter that is gone": (
        before_and_after(BASE, all_of(STAFF), max_removed=None, min_values={"city": 90}),
        "fail",
    ),
    "values of any filter that is gone": (
        before_and_after(BASE, all_of(STAFF), max_removed=None, min_values=1),
        "fail",
    ),
    "enough values": (before_and_after(BASE, all_of(cities(HUNDRED[:90]), STAFF), min_values={"city": 90}), "send"),
    # nothing to compare with
    "first run": (before_and_after(None, BASE), "send"),
    "first run with too few values": (before_and_after(None, all_of(cities(["a"])), min_values=10), "fail"),
    "lost baseline, careful": (before_and_after(None, BASE, on_missing_baseline="fail"), "fail"),
    # what follows
    "skip": (before_and_after(BASE, all_of(cities(HUNDRED[:1]), STAFF), on_violation="skip"), "skip"),
    "warn": (before_and_after(BASE, all_of(cities(HUNDRED[:1]), STAFF), on_violation="warn"), "warn"),
}


def planned(guard: SegmentGuard, after: Any, before: Any = None, **baseline: Any) -> Plan:
    fields = {} if before is None else {"included_filters": before}
    return guard.plan("s", {"included_filters": after}, Baseline(fields, **baseline))


@pytest.mark.parametrize(("case", "verdict"), SCENARIOS.values(), ids=SCENARIOS)
def test_the_verdict_is_that_of_a_careful_person(case: tuple[Any, Any, dict[str, Any]], verdict: str):
    before, after, guard = case
    plan = planned(SegmentGuard(**guard), after, before)
    assert plan.verdict == verdict, plan.table()
    assert bool(plan.violations) == (verdict in ("fail", "skip", "warn") and "on_missing_baseline" not in guard)


def test_there_are_forty_scenarios_at_least():
    assert len(SCENARIOS) >= 40


def test_an_equal_update_is_sent_again_if_another_one_may_be_in_effect():
    """A task was killed between the request and the record, or another DAG updates the segment at the same time."""
    plan = planned(SegmentGuard(), BASE, BASE, uncertain=True, notes=["another may be in effect"])
    assert plan.verdict == "send"
    assert "Note: another may be in effect" in plan.table()


OTHERS: dict[str, tuple[Any, Any, str]] = {
    "a loss only compared with the other": (cities(HUNDRED[:10]), cities(HUNDRED[:10]), "fail"),
    "a loss only compared with the last": (cities(HUNDRED), cities(HUNDRED[:10]), "fail"),
    "small compared with both": (cities(HUNDRED[:99]), cities(HUNDRED[:98]), "send"),
    "equal to the other": (cities(HUNDRED[:90]), cities(HUNDRED), "send"),
}


@pytest.mark.parametrize(("last", "after", "verdict"), OTHERS.values(), ids=OTHERS)
def test_an_update_is_compared_with_all_that_may_be_in_effect(last: Any, after: Any, verdict: str):
    """A task was killed between the request and the record, or two ran at the same time."""
    plan = planned(
        SegmentGuard(),
        all_of(after),
        all_of(last),
        others={"the other update": all_of(cities(HUNDRED))},
        uncertain=True,
    )
    assert plan.verdict == verdict, plan.table()
    if verdict == "fail":
        of_other = "city in: 90 of 100 values removed, allowed 20%, compared with the other update"
        assert of_other in plan.violations


@pytest.mark.parametrize("values", [False, True])
def test_values_are_shown_only_if_the_guard_says_so(values: bool):
    plan = planned(SegmentGuard(show_values=values), all_of(cities(HUNDRED[10:]), STAFF), BASE)
    for text in (plan.table(), plan.markdown(), str(plan.to_dict())):
        assert ("city-004" in text) is values
        assert "city-009" not in text, "five examples at most"


def test_a_name_that_changes_is_shown_and_sent():
    baseline = Baseline({"name": "old", "included_filters": BASE})
    plan = SegmentGuard().plan("s", {"name": "new", "included_filters": BASE}, baseline)
    assert (plan.verdict, plan.fields) == ("send", ["name"])


def test_an_update_without_filters_has_no_limits():
    assert SegmentGuard(on_missing_baseline="fail").plan("s", {"name": "n"}, Baseline()).verdict == "send"


def test_the_table_of_a_plan_can_be_read():
    plan = planned(SegmentGuard(), all_of(cities(HUNDRED[:10]), STAFF), BASE, description="the update of yesterday")
    assert plan.table() == "\n".join(
        [
            "Compared with the update of yesterday.",
            "condition      values before  after  removed   added",
            "city in        100            10     90 (90%)  0",
            "(1 unchanged)",
            "Exceeded: city in: 90 of 100 values removed, allowed 20%",
            "Verdict: fail",
        ]
    )


def test_a_plan_of_a_large_change_stays_small():
    before = all_of(*(user_attribute(f"a{n}", ["x" * 500]) for n in range(1000)))
    after = all_of(*(user_attribute(f"a{n}", ["y" * 500]) for n in range(1000)))
    plan = planned(SegmentGuard(show_values=True), after, before)
    assert len(plan.to_dict()["conditions"]) == 50
    assert plan.to_dict()["conditions_changed"] == 1000
    assert len(plan.markdown().splitlines()) < 1100


OPTIONS = {
    "share above one": ({"max_removed": 1.5}, "guard.max_removed takes a share, a whole number, or an object"),
    "negative": ({"max_added": -1}, "guard.max_added takes a share"),
    "boolean": ({"max_removed": True}, "guard.max_removed takes a share"),
    "by attribute": ({"max_removed": {"city": "many"}}, "guard.max_removed takes a share"),
    "share of values to keep": ({"min_values": 0.5}, "guard.min_values takes a whole number"),
    "action": ({"on_violation": "ask"}, "guard.on_violation takes fail, skip, approve or warn\nIt is 'ask'"),
    "no approval": ({"if_not_approved": "send"}, "guard.if_not_approved takes fail or skip"),
    "timeout": ({"approval_timeout": 0}, "guard.approval_timeout takes seconds above 0"),
    "history": ({"keep": 1}, "guard.keep takes a whole number from 2"),
    "not a boolean": ({"skip_unchanged": "perhaps"}, "guard.skip_unchanged takes true or false"),
}


@pytest.mark.parametrize(("options", "message"), OPTIONS.values(), ids=OPTIONS)
def test_an_option_that_makes_no_sense_is_an_error_when_the_dag_is_parsed(options: dict[str, Any], message: str):
    with pytest.raises(WesConfigurationError) as raised:
        SegmentGuard(**options)
    assert message in str(raised.value)


def test_options_that_templates_rendered_are_read():
    guard = SegmentGuard(max_removed="{{ 0.5 }}", keep="{{ 5 }}", skip_unchanged="{{ false }}", min_values="{{ x }}")
    guard.max_removed, guard.keep, guard.skip_unchanged = "0.5", "5", "False"
    guard.min_values = '{"city": 3, "*": null}'
    checked = guard.checked()
    assert checked.min_values == {"city": 3, "*": None}
    assert (checked.max_removed, checked.keep, checked.skip_unchanged) == (0.5, 5, False)


@pytest.mark.parametrize("value", [None, "None"])
def test_a_limit_that_renders_to_none_is_no_limit_that_is_off(value: Any):
    guard = SegmentGuard(max_removed="{{ params.limit }}")
    guard.max_removed = value
    with pytest.raises(WesConfigurationError, match="max_removed"):
        guard.checked()


@pytest.mark.skipif(can_approve(), reason="Airflow 3.1 and later have approval")
def test_approval_is_an_error_when_the_dag_is_parsed_by_an_older_airflow():
    with pytest.raises(WesConfigurationError, match="'approve', which needs Airflow 3"):
        SegmentGuard(on_violation="approve")
