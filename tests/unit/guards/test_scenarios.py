"""What a careful person would let pass: one row for each situation."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import DAG

from support.pages import PAGES, section
from wes_provider.exceptions import WesConfigurationError
from wes_provider.guards import Plan, SegmentGuard, can_approve
from wes_provider.guards.history import Baseline, Doubt, Entry
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesUpdateSegmentOperator

HUNDRED = [f"city-{number:03}" for number in range(100)]
DOUBLED = [*HUNDRED, *(city + "x" for city in HUNDRED)]
CAPITALS = [city.upper() for city in HUNDRED]
STAFF = user_attribute("staff", ["yes"], negate=True)
AGE, GOLD = user_attribute("age", ["1"]), user_attribute("plan", ["gold"])


def cities(values: Any = HUNDRED, **options: Any) -> dict[str, Any]:
    return user_attribute("city", values, **options)


def of(values: Any = HUNDRED, *more: Any, **options: Any) -> dict[str, Any]:
    """A segment of cities without staff, and further filters."""
    return all_of(cities(values, **options), STAFF, *more)


def plan_of(values: Any) -> dict[str, Any]:
    return user_attribute("plan", values)


def any_of(*filters: dict[str, Any]) -> dict[str, Any]:
    return {"filter_operator": "or", "filters": list(filters)}


def kind(name: str, **fields: Any) -> dict[str, Any]:
    return {"filter_type": name, **fields}


def single(value: Any) -> dict[str, Any]:
    """A filter with one value that stands in no list."""
    return {**user_attribute("subscribed", []), "value": value}


def without_case() -> dict[str, Any]:
    """A filter that does not say whether capitals count."""
    return {key: value for key, value in cities().items() if key != "case_sensitive"}


EXISTS = {**user_attribute("vip", []), "operator": "exists"}
del EXISTS["value"]
AGE_OF_NOBODY = user_attribute("age", [])
NAMED_FILTERS = user_attribute("filters", ["a", "b"])
FEWER_NAMED_FILTERS = user_attribute("filters", ["a"])
BASE = of()
NESTED = all_of(any_of(cities(), GOLD), STAFF)
EVENTS = all_of(kind("events", event="order", within={"days": 30}), cities())
MANY_EVENTS = all_of(*(kind("events", event=f"event {number}") for number in range(10)))
ORDERED = all_of(cities([10, 20], operator="between"))
THEN = {
    "filter_operator": "then",
    "filters": [kind("events", event="visit"), kind("events", event="order")],
}
NEHT = {**THEN, "filters": THEN["filters"][::-1]}
SWAPPED = all_of(cities(["yes"]), user_attribute("staff", HUNDRED))
CASE = all_of(cities(case_sensitive=True))
UNSAID = all_of(without_case())
# Two filters of one kind that change places when their values are sorted.
EAST, WEST = ["a", *(f"e{n}" for n in range(99))], ["b", *(f"d{n}" for n in range(99))]
FEWER_EAST, FEWER_WEST = EAST[1:], WEST[:-1]
MOVED = (
    all_of(any_of(AGE, GOLD), any_of(cities(), STAFF)),
    all_of(any_of(AGE, STAFF), any_of(cities(), GOLD)),
)
IDS = (
    all_of(kind("segments", ids=[["1", "2"], ["3"]])),
    all_of(kind("segments", ids=[["3"], ["2", "1"]])),
)

# fmt: off
# Before, after, the guard's options, the verdict.
SCENARIOS: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    # upstream lost something
    "upstream empty": (BASE, of([]), {}, "fail"),
    "all filters gone": (BASE, all_of(), {}, "fail"),
    "upstream null": (BASE, of(None), {}, "fail"),
    "a fifth lost": (BASE, of(HUNDRED[20:]), {}, "send"),
    "a little more than a fifth lost": (BASE, of(HUNDRED[21:]), {}, "fail"),
    "all values replaced": (BASE, of([f"x{city}" for city in HUNDRED]), {}, "fail"),
    "a tenth replaced": (BASE, of([*HUNDRED[10:], *"abcdefghij"]), {}, "send"),
    "one filter gone": (BASE, all_of(cities()), {}, "fail"),
    "values of one filter gone to another": (BASE, SWAPPED, {}, "fail"),
    "one of two on the same "
        "attribute": (of(HUNDRED, cities(DOUBLED)), of([], cities(DOUBLED)), {}, "fail"),
    "a little of each of two on the same "
        "attribute": (all_of(cities(EAST), cities(WEST)), all_of(cities(FEWER_EAST), cities(FEWER_WEST)), {}, "send"),
    "a little of each of two "
        "groups": (all_of(any_of(cities(EAST), GOLD), any_of(cities(WEST), STAFF)),
                   all_of(any_of(cities(FEWER_EAST), GOLD), any_of(cities(FEWER_WEST), STAFF)), {}, "send"),
    # upstream gained something
    "doubled with a limit": (BASE, of(DOUBLED), {"max_added": 0.5}, "fail"),
    "a new filter with many "
        "values": (BASE, of(HUNDRED, plan_of(HUNDRED)), {"max_added": 3}, "fail"),
    "a new filter with few values": (BASE, of(HUNDRED, plan_of(["a"])), {"max_added": 3}, "send"),
    "grown and "
        "negated": (BASE, of([*HUNDRED, *"abcd"], negate=True), {"max_removed": None, "max_added": 3}, "fail"),
    "one filter more": (BASE, of(HUNDRED, AGE), {}, "send"),
    "one filter more with a limit": (BASE, of(HUNDRED, AGE), {"max_added": {"filters": 0}}, "fail"),
    # only the form differs
    "unchanged, and sent nevertheless": (BASE, BASE, {"skip_unchanged": False}, "send"),
    "order of values changed": (BASE, of(HUNDRED[::-1]), {}, "unchanged"),
    "order of filters changed": (BASE, all_of(STAFF, cities()), {}, "unchanged"),
    "order of keys "
        "changed": (BASE, all_of(dict(reversed(cities().items())), STAFF), {}, "unchanged"),
    "duplicates": (BASE, of(HUNDRED * 2, STAFF), {}, "unchanged"),
    "order that may matter": (ORDERED, all_of(cities([20, 10], operator="between")), {}, "send"),
    "order of filters that may matter": (THEN, NEHT, {}, "send"),
    # case and types
    "capitals if they do not matter": (BASE, of(CAPITALS), {}, "send"),
    "capitals if they matter": (CASE, all_of(cities(CAPITALS, case_sensitive=True)), {}, "fail"),
    "capitals if nothing says "
        "that they do not matter": (UNSAID, all_of({**without_case(), "value": CAPITALS}), {}, "fail"),
    "false became true": (all_of(single(False)), all_of(single(True)), {}, "fail"),
    "false is a value to keep": (of(HUNDRED, single(False)), of(HUNDRED[1:], single(False)), {"min_values": 1}, "send"),
    "null is no value to keep": (of(HUNDRED, single(None)), of(HUNDRED[1:], single(None)), {"min_values": 1}, "fail"),
    "numbers became texts": (all_of(cities([1, 2])), all_of(cities(["1", "2"])), {}, "fail"),
    "whole numbers became "
        "decimals": (all_of(cities([1, 2])), all_of(cities([1.0, 2.0])), {}, "fail"),
    "a number became a boolean": (all_of(cities([1])), all_of(cities([True])), {}, "fail"),
    "a list became its only "
        "text": (all_of(cities(["a"])), all_of({**cities([]), "value": "a"}), {}, "fail"),
    # the meaning differs, the values do not
    "negated": (BASE, of(negate=True), {}, "fail"),
    "no longer negated": (BASE, all_of(cities(), {**STAFF, "negate": False}), {}, "fail"),
    "operator changed": (BASE, of(operator="not_in"), {}, "fail"),
    "and became or": (BASE, {**BASE, "filter_operator": "or"}, {}, "fail"),
    "moved from one attribute to "
        "another": (BASE, all_of(user_attribute("home", HUNDRED), STAFF), {}, "fail"),
    # nested filters and unknown kinds
    "nested unchanged": (NESTED, all_of(STAFF, any_of(GOLD, cities(HUNDRED[::-1]))), {}, "unchanged"),
    "nested, most lost": (NESTED, all_of(STAFF, any_of(GOLD, cities(HUNDRED[:5]))), {}, "fail"),
    "nested or became and": (NESTED, all_of(STAFF, all_of(GOLD, cities())), {}, "fail"),
    "a group within a group gone": (
        all_of(cities(), any_of(GOLD, all_of(AGE, STAFF))), all_of(cities()),
        {"max_removed": {"filters": 2, "*": None}}, "fail"),
    "moved to another group": (*MOVED, {}, "fail"),
    "unknown kind unchanged": (EVENTS, all_of(*EVENTS["filters"][::-1]), {}, "unchanged"),
    "unknown kind "
        "changed": (EVENTS, all_of(kind("events", event="order", within={"days": 1}), cities()), {}, "fail"),
    "unknown kind gone": (MANY_EVENTS, all_of(*MANY_EVENTS["filters"][1:]), {}, "fail"),
    "order in an unknown kind": (*IDS, {}, "send"),
    "order in an "
        "object": (*(all_of(cities({"a": pair}, operator="within")) for pair in ([1, 2], [2, 1])), {"max_added": 0}, "send"),
    "order that may matter of one of "
        "two": (all_of(THEN, THEN), all_of(THEN, NEHT), {"max_added": 0}, "send"),
    # limits
    "count allowed": (BASE, of(HUNDRED[3:]), {"max_removed": 3}, "send"),
    "count exceeded": (BASE, of(HUNDRED[4:]), {"max_removed": 3}, "fail"),
    "limit of one "
        "attribute": (BASE, of(HUNDRED[50:]), {"max_removed": {"city": 0.5, "*": 0}}, "send"),
    "limit of the other "
        "attributes": (BASE, of(HUNDRED[1:]), {"max_removed": {"staff": 0.5, "*": 0}}, "fail"),
    "limits without the "
        "attribute": (BASE, of(HUNDRED[:10]), {"max_removed": {"town": 0.1}}, "fail"),
    "no limit for other "
        "attributes": (BASE, of(HUNDRED[:10]), {"max_removed": {"staff": 0, "*": None}}, "send"),
    "a limit of one attribute's new values is "
        "none of others": (BASE, of(DOUBLED), {"max_added": {"staff": 0}}, "send"),
    "one filter may go": (BASE, all_of(cities()), {"max_removed": {"filters": 1}}, "send"),
    "one may go, but not this "
        "one": (BASE, all_of(cities()), {"max_removed": {"filters": 1, "staff": 0}}, "fail"),
    "one small one may "
        "come": (BASE, of(HUNDRED, plan_of(HUNDRED)), {"max_added": {"filters": 1, "plan": 3}}, "fail"),
    "no limit": (BASE, all_of(cities(["x"])), {"max_removed": None}, "send"),
    "blank values do not count": (BASE, of([*HUNDRED[:98], "", " "]), {"min_values": 100}, "fail"),
    "too few values": (BASE, of(HUNDRED[:85]), {"min_values": {"city": 90}}, "fail"),
    "fewer values of an attribute that may "
        "have none": (BASE, of(HUNDRED[:85]), {"min_values": {"city": 0, "staff": 1, "*": 90}}, "send"),
    "fewer values of an attribute without "
        "a least number": (BASE, of(HUNDRED[:85]), {"min_values": {"city": None, "staff": 1, "*": 90}}, "send"),
    "values of a filter that is "
        "gone": (BASE, all_of(STAFF), {"max_removed": None, "min_values": {"city": 90}}, "fail"),
    "values of any filter that is "
        "gone": (BASE, all_of(STAFF), {"max_removed": None, "min_values": 1}, "fail"),
    # filters without values
    "a filter without values comes, none may": (BASE, of(HUNDRED, EXISTS), {"max_added": 0}, "fail"),
    "a filter without values comes, none of it may": (BASE, of(HUNDRED, EXISTS), {"max_added": {"vip": 0}}, "fail"),
    "a filter without values comes, with a share": (BASE, of(HUNDRED, EXISTS), {"max_added": 0.5}, "fail"),
    "a filter without values comes, with a share of none": (BASE, of(HUNDRED, EXISTS), {"max_added": 0.0}, "fail"),
    "a filter without values comes, one may": (BASE, of(HUNDRED, EXISTS), {"max_added": 1}, "send"),
    "a filter without values comes, one filter may": (BASE, of(HUNDRED, EXISTS), {"max_added": {"filters": 1, "*": 0}}, "send"),
    "a filter without values goes": (of(HUNDRED, EXISTS), BASE, {}, "fail"),
    "a filter without values stays": (of(HUNDRED, EXISTS), of(HUNDRED[1:], EXISTS), {"max_added": 0}, "send"),
    "a filter without values has none to keep": (BASE, of(HUNDRED, EXISTS), {"min_values": 1}, "send"),
    "a filter without values goes, and has none to keep": (
        of(HUNDRED, EXISTS), of(HUNDRED), {"max_removed": None, "min_values": 1}, "send"),
    "a filter of no values has values to keep": (BASE, of(HUNDRED, AGE_OF_NOBODY), {"min_values": 1}, "fail"),
    # fewest filters
    "as many filters as there must be": (BASE, of(HUNDRED[1:]), {"min_values": {"filters": 2}}, "send"),
    "an attribute that is called filters": (of(HUNDRED, NAMED_FILTERS), of(HUNDRED, FEWER_NAMED_FILTERS), {"max_removed": {"filters": 5, "*": 0}}, "fail"),
    "values of an attribute that is called filters": (of(HUNDRED, NAMED_FILTERS), of(HUNDRED[1:], NAMED_FILTERS), {"min_values": {"filters": 2, "*": 3}}, "fail"),
    "fewer filters than there must be": (BASE, all_of(cities()), {"max_removed": None, "min_values": {"filters": 2}}, "fail"),
    "values and filters that must be": (BASE, of(HUNDRED[1:]), {"min_values": {"filters": 2, "city": 100}}, "fail"),
    "an unnamed filter that is gone": (
        all_of(cities(), kind("segments", operator="in", value=["a"])), all_of(cities()), {"max_removed": None, "min_values": 1}, "fail"),
    # nothing changes
    "unchanged, and too few values": (BASE, BASE, {"min_values": 1000}, "unchanged"),
    # nothing to compare with
    "first run": (None, BASE, {}, "send"),
    "first run with too few values": (None, all_of(cities(["a"])), {"min_values": 10}, "fail"),
    "lost baseline, careful": (None, BASE, {"on_missing_baseline": "fail"}, "fail"),
    # what follows
    "skip": (BASE, of(HUNDRED[:1]), {"on_violation": "skip"}, "skip"),
    "warn": (BASE, of(HUNDRED[:1]), {"on_violation": "warn"}, "warn"),
}
# fmt: on


def planned(guard: SegmentGuard, after: Any, before: Any = None, **baseline: Any) -> Plan:
    fields = {} if before is None else {"included_filters": before}
    return guard.plan("s", {"included_filters": after}, Baseline(fields, **baseline))


@pytest.mark.parametrize(("before", "after", "guard", "verdict"), SCENARIOS.values(), ids=SCENARIOS)
def test_the_verdict_is_that_of_a_careful_person(
    before: Any, after: Any, guard: dict[str, Any], verdict: str
):
    plan = planned(SegmentGuard(**guard), after, before)
    assert plan.verdict == verdict, plan.table()
    assert bool(plan.violations) == (
        verdict in ("fail", "skip", "warn") and "on_missing_baseline" not in guard
    )


class TwoOptions(NamedTuple):
    """What two options say of a first update with too few values."""

    on_violation: str
    on_missing_baseline: str
    verdict: str


TWO_OPTIONS = [
    TwoOptions("fail", "skip", "fail"),
    TwoOptions("skip", "fail", "fail"),
    TwoOptions("warn", "fail", "fail"),
    TwoOptions("warn", "skip", "skip"),
    TwoOptions("warn", "approve", "approve"),
    TwoOptions("approve", "skip", "skip"),
    TwoOptions("skip", "approve", "skip"),
    TwoOptions("warn", "warn", "warn"),
]


@pytest.mark.parametrize("row", TWO_OPTIONS, ids=["-".join(row) for row in TWO_OPTIONS])
@pytest.mark.skipif(not can_approve(), reason="approval needs Airflow 3.1")
def test_the_stricter_option_counts_for_a_first_update_that_exceeds_a_limit(row: TwoOptions):
    guard = SegmentGuard(
        min_values=10,
        on_violation=row.on_violation,  # type: ignore[arg-type]
        on_missing_baseline=row.on_missing_baseline,  # type: ignore[arg-type]
    )
    assert planned(guard, all_of(cities(["a"]))).verdict == row.verdict


NO_FILTER = {
    "of an attribute": (all_of(cities(), STAFF), "city, on which no filter is: 0 values"),
    "of no attribute": (
        all_of(kind("segments", operator="in", value=["a"]), STAFF),
        "segments in, which is gone: 0 values",
    ),
}


@pytest.mark.parametrize(("before", "message"), NO_FILTER.values(), ids=NO_FILTER)
def test_a_filter_that_is_gone_is_called_by_its_name(before: Any, message: str):
    plan = planned(SegmentGuard(max_removed=None, min_values=1), all_of(STAFF), before)
    assert plan.violations == [f"{message}, at least 1 required"]


OTHER = Entry("2026-01-01T00:00:00", {"run_id": "killed"}, "", ["included_filters"])
LATER = Entry("2026-01-02T00:00:00", {"run_id": "killed, too"}, "", ["included_filters"])
OTHERS: dict[str, tuple[Any, Any, str]] = {
    "a loss only compared with the other": (HUNDRED[:10], HUNDRED[:10], "fail"),
    "a loss only compared with the last": (HUNDRED, HUNDRED[:10], "fail"),
    "small compared with both": (HUNDRED[:99], HUNDRED[:98], "send"),
    "equal to the last": (HUNDRED[:90], HUNDRED[:90], "send"),
    "equal to the other": (HUNDRED[:90], HUNDRED, "send"),
}


@pytest.mark.parametrize(("last", "after", "verdict"), OTHERS.values(), ids=OTHERS)
def test_an_update_is_compared_with_all_that_may_be_in_effect(last: Any, after: Any, verdict: str):
    """Two tasks were killed between the request and the record; the later one sent the same."""
    later = {"included_filters": all_of(cities(after))}
    doubts = [Doubt(LATER, later), Doubt(OTHER, {"included_filters": all_of(cities())})]
    plan = planned(SegmentGuard(), all_of(cities(after)), all_of(cities(last)), doubts=doubts)
    assert plan.verdict == verdict, plan.table()
    assert "run killed was not recorded as finished; it may be in effect" in plan.table()
    of_other = f"city in: 90 of 100 values removed, allowed 20%, compared with {OTHER}"
    assert (of_other in plan.violations) is (verdict == "fail")


@pytest.mark.parametrize("values", [False, True])
def test_values_are_shown_only_if_the_guard_says_so(values: bool):
    plan = planned(SegmentGuard(show_values=values), of(HUNDRED[10:]), BASE)
    for text in (plan.table(), str(plan)):
        assert ("city-004" in text) is values
        assert "city-009" not in text, "five examples at most"


@pytest.mark.parametrize(("removed", "are_more"), [(4, False), (5, False), (6, True)])
def test_a_plan_says_whether_it_shows_all_values(removed: int, are_more: bool):
    (row,) = planned(SegmentGuard(show_values=True), of(HUNDRED[removed:]), BASE).conditions
    assert len(row["removed_examples"]) == min(removed, 6)
    assert ("…" in row["removed_examples"]) is are_more


def test_a_name_alone_is_shown_and_sent_and_has_no_limits():
    baseline = Baseline({"name": "old", "included_filters": BASE})
    plan = SegmentGuard().plan("s", {"name": "new", "included_filters": BASE}, baseline)
    assert (plan.verdict, plan.fields) == ("send", ["name"])
    assert (
        SegmentGuard(on_missing_baseline="fail").plan("s", {"name": "n"}, Baseline()).verdict
        == "send"
    )


def test_the_table_of_a_plan_can_be_read():
    plan = planned(SegmentGuard(), of(HUNDRED[:10]), BASE, description="the update of yesterday")
    assert plan.table().splitlines() == [
        "Compared with the update of yesterday.",
        "",
        "| condition | values before | after | removed  | added |",
        "| --------- | ------------- | ----- | -------- | ----- |",
        "| city in   | 100           | 10    | 90 (90%) | 0     |",
        "",
        "- Exceeded: city in: 90 of 100 values removed, allowed 20%",
        "- Verdict: fail",
    ]


def test_a_plan_of_a_large_change_stays_small():
    before, after = (
        all_of(*(user_attribute(f"a{n}", [v * 500]) for n in range(1000))) for v in "xy"
    )
    plan = planned(SegmentGuard(show_values=True), after, before)
    assert (len(plan.conditions), plan.conditions_changed) == (50, 1000)
    assert len(plan.table().splitlines()) < 1100


OPTIONS = {
    "share above one": (
        {"max_removed": 1.5},
        "guard.max_removed is 1.5\nIt takes a share from 0.0 to 1.0, a whole number",
    ),
    "negative": (
        {"max_added": -1},
        "guard.max_added is -1\nIt takes a share from 0.0 to 1.0, a whole number",
    ),
    "boolean": (
        {"max_removed": True},
        "guard.max_removed is True\nIt takes a share from 0.0 to 1.0, a whole number",
    ),
    "share of values to keep": (
        {"min_values": 0.5},
        "guard.min_values is 0.5\nIt takes a whole number from 0 up, None",
    ),
    "action": (
        {"on_violation": "ask"},
        "guard.on_violation is 'ask'\nIt takes 'fail', 'skip', 'approve' or 'warn'",
    ),
    "timeout": ({"approval_timeout": 0}, "guard.approval_timeout is 0\nIt takes seconds above 0"),
    "not a boolean": (
        {"skip_unchanged": "perhaps"},
        "guard.skip_unchanged is 'perhaps'\nIt takes True or False",
    ),
}
if not can_approve():
    OPTIONS["Airflow 2.11"] = ({"on_violation": "approve"}, "'approve' needs Airflow 3.1")


@pytest.mark.parametrize(("options", "message"), OPTIONS.values(), ids=OPTIONS)
def test_an_option_that_makes_no_sense_is_an_error_when_the_dag_is_parsed(
    options: dict[str, Any], message: str
):
    with pytest.raises(WesConfigurationError) as raised:
        SegmentGuard(**options)
    assert message in str(raised.value)


def rendered(**options: Any) -> WesUpdateSegmentOperator:
    """A task with a guard, rendered."""
    values = {
        "half": 0.5,
        "none": None,
        "text": "None",
        "limits": '{"city": 3, "*": null}',
        "no": False,
    }
    with DAG("d", schedule=None):
        task = WesUpdateSegmentOperator(
            task_id="t", segment_id="s", name="n", guard=SegmentGuard(**options)
        )
    task.render_template_fields(values)
    return task


def test_options_that_templates_rendered_are_read():
    task = rendered(max_removed="{{ half }}", skip_unchanged="{{ no }}", min_values="{{ limits }}")
    task.check_rendered()
    assert task.guard is not None
    guard = task.guard.checked()
    assert guard.min_values == {"city": 3, "*": None}
    assert (guard.max_removed, guard.skip_unchanged) == (0.5, False)


AS_STRINGS: dict[str, tuple[str, Any]] = {
    "skip_unchanged": ("False", False),
    "max_removed": ("0.5", 0.5),
    "max_added": (' {"filters": 1, "*": null}', {"filters": 1, "*": None}),
    "min_values": ("3", 3),
    "on_violation": ("skip", "skip"),
    "on_missing_baseline": ("fail", "fail"),
    "approval_timeout": ("60", 60),
    "if_not_approved": ("skip", "skip"),
    "show_values": ("true", True),
    "assigned_users": ('[{"id": "1", "name": "Ada"}]', [{"id": "1", "name": "Ada"}]),
}


def test_every_option_may_be_a_string_as_templates_render():
    assert {*AS_STRINGS, "notifiers"} == set(SegmentGuard.__struct_fields__)
    guard = SegmentGuard(**{name: string for name, (string, _) in AS_STRINGS.items()}).checked()  # type: ignore[arg-type]
    for name, (_, value) in AS_STRINGS.items():
        assert getattr(guard, name) == value, name


@pytest.mark.parametrize("name", ["none", "text"])
def test_a_limit_that_renders_to_none_is_no_limit_that_is_off(name: str):
    with pytest.raises(WesConfigurationError, match="rendered to None"):
        rendered(max_removed=f"{{{{ {name} }}}}").check_rendered()


def test_every_option_of_a_guard_is_explained_and_templated():
    assert ".. autoclass:: wes_provider.guards.SegmentGuard\n" in section(
        PAGES["guards.md"], "Options"
    )
    explained = re.findall(r"^ *:param (\w+):", SegmentGuard.__doc__ or "", re.MULTILINE)
    assert explained == list(SegmentGuard.__struct_fields__) == list(SegmentGuard.template_fields)
