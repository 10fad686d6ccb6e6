"""What a careful person would let pass: one row for each situation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest
from airflow.providers.common.compat.sdk import DAG

from support.pages import PAGES, section
from wes_provider.exceptions import WesConfigurationError
from wes_provider.guards import Plan, SegmentGuard, can_approve
from wes_provider.guards.history import Baseline, Doubt, Entry
from wes_provider.guards.segment_guard import TAKES
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import WesUpdateSegmentOperator
from wes_provider.texts import PAGES as ADDRESS

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

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


def without_values() -> dict[str, Any]:
    """A filter whose values are missing."""
    return {key: value for key, value in cities().items() if key != "value"}


def capital_operators(*filters: dict[str, Any]) -> dict[str, Any]:
    return {"filter_operator": "AND", "filters": list(filters)}


EXISTS = {**user_attribute("vip", []), "operator": "exists"}
del EXISTS["value"]
AGE_OF_NOBODY = user_attribute("age", [])
NAMED_FILTERS = user_attribute("filters", ["a", "b"])
FEWER_NAMED_FILTERS = user_attribute("filters", ["a"])
BASE = of()
NO_FILTER = {**BASE, "filters": [*BASE["filters"], "what the contract does not show"]}
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
CAPITAL_OPERATORS = capital_operators(cities(operator="IN"), STAFF)
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
    "one of two on the same attribute stays as it "
        "is": (all_of(cities([*"ab"]), cities([*"abcd"])), all_of(cities([*"ab"]), cities([*"cx"])), {"max_removed": 2}, "fail"),
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
    "one more on the same attribute": (BASE, of(HUNDRED, cities(WEST)), {}, "send"),
    "one more with a share of what there was, which is nothing": (BASE, of(HUNDRED, AGE), {"max_added": 1.0}, "fail"),
    "one filter more with a limit": (BASE, of(HUNDRED, AGE), {"max_added": {"filters": 0}}, "fail"),
    # only the form differs
    "unchanged, and sent nevertheless": (BASE, BASE, {"skip_unchanged": False}, "send"),
    "order of values changed": (BASE, of(HUNDRED[::-1]), {}, "unchanged"),
    "order of filters changed": (BASE, all_of(STAFF, cities()), {}, "unchanged"),
    "order of keys "
        "changed": (BASE, all_of(dict(reversed(cities().items())), STAFF), {}, "unchanged"),
    "duplicates": (BASE, of(HUNDRED * 2, STAFF), {}, "unchanged"),
    "order of values that must not be": (
        all_of(cities(operator="not_in")), all_of(cities(HUNDRED[::-1], operator="not_in")), {}, "send"),
    "order of values and filters of operators in "
        "capitals": (CAPITAL_OPERATORS, capital_operators(STAFF, cities(HUNDRED[::-1], operator="IN")), {}, "unchanged"),
    "values in a tuple": (BASE, of(tuple(HUNDRED[::-1])), {}, "unchanged"),
    "a key that is a number": (
        all_of({**cities(), "1": "x", "a": 2}), all_of({**cities(), 1: "x", "a": 2}), {}, "unchanged"),
    "an empty object became filters": ({}, all_of(cities()), {}, "fail"),
    "order that may matter": (ORDERED, all_of(cities([20, 10], operator="between")), {}, "send"),
    "order of filters that may matter": (THEN, NEHT, {}, "send"),
    # case and types
    "capitals if they do not matter": (BASE, of(CAPITALS), {}, "send"),
    "capitals if they matter": (CASE, all_of(cities(CAPITALS, case_sensitive=True)), {}, "fail"),
    "capitals if nothing says "
        "that they do not matter": (UNSAID, all_of({**without_case(), "value": CAPITALS}), {}, "fail"),
    "capitals if 0 stands for false": (
        all_of({**cities(), "case_sensitive": 0}), all_of({**cities(CAPITALS), "case_sensitive": 0}), {}, "fail"),
    "capitals of other alphabets if they do not "
        "matter": (all_of(cities(["straße"])), all_of(cities(["STRASSE"])), {}, "send"),
    "values that differ in capitals alone, if they "
        "matter": (CASE, all_of(cities(["a", "A"], case_sensitive=True)), {"max_removed": None, "min_values": 2}, "send"),
    "a text that stands in no list": (all_of(single("abcdefghij")), all_of(single("abcdefghijk")), {}, "fail"),
    "values are no longer there, not even "
        "none": (BASE, all_of(without_values(), STAFF), {"max_removed": {"filters": 0, "*": None}}, "fail"),
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
    "order in an unknown kind, the other way round": (*IDS[::-1], {}, "send"),
    "what is no filter unchanged": (NO_FILTER, NO_FILTER, {}, "unchanged"),
    "what is no filter changed": (NO_FILTER, {**BASE, "filters": [*BASE["filters"], "other"]}, {}, "fail"),
    "what is no filter has no values to keep": (BASE, NO_FILTER, {"min_values": 1}, "send"),
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
    "any filters may go, and few values": (BASE, all_of(cities()), {"max_removed": {"filters": None, "*": 0.2}}, "send"),
    "one may go, but not this "
        "one": (BASE, all_of(cities()), {"max_removed": {"filters": 1, "staff": 0}}, "fail"),
    "none may go, though all of its values "
        "may": (BASE, all_of(cities()), {"max_removed": {"staff": None, "*": 0}}, "fail"),
    "one small one may "
        "come": (BASE, of(HUNDRED, plan_of(HUNDRED)), {"max_added": {"filters": 1, "plan": 3}}, "fail"),
    "no limit": (BASE, all_of(cities(["x"])), {"max_removed": None}, "send"),
    "blank values do not count": (BASE, of([*HUNDRED[:98], "", " "]), {"min_values": {"city": 100}}, "fail"),
    "blank values of a new filter do not count": (None, all_of(cities(["a", " "])), {"min_values": 2}, "fail"),
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
    "a filter without values that stays has none to keep": (of(HUNDRED, EXISTS), of(HUNDRED[1:], EXISTS), {"min_values": 1}, "send"),
    "a filter without values has none to keep": (BASE, of(HUNDRED, EXISTS), {"min_values": 1}, "send"),
    "a filter without values goes, and has none to keep": (
        of(HUNDRED, EXISTS), of(HUNDRED), {"max_removed": None, "min_values": 1}, "send"),
    "a filter of no values has values to keep": (BASE, of(HUNDRED, AGE_OF_NOBODY), {"min_values": 1}, "fail"),
    # fewest filters
    "no filters if none must be": (BASE, all_of(), {"max_removed": None, "min_values": {"city": 0, "staff": 0}}, "send"),
    "no filters if there is no least number": (BASE, all_of(), {"max_removed": None, "min_values": {"filters": None}}, "send"),
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


class Violation(NamedTuple):
    """Filters before and after, the guard's options, and all that the plan says is exceeded."""

    name: str
    before: Any
    after: Any
    options: dict[str, Any]
    violations: list[str]


STAFF_ALONE = {"max_removed": None, "min_values": 1}
VIOLATIONS = (
    Violation(
        "a filter of an attribute is gone",
        of(),
        all_of(STAFF),
        STAFF_ALONE,
        ["city, on which no filter is: 0 values, at least 1 required"],
    ),
    Violation(
        "a filter of no attribute is gone",
        all_of(kind("segments", operator="in", value=["a"]), STAFF),
        all_of(STAFF),
        STAFF_ALONE,
        ["segments in, which is gone: 0 values, at least 1 required"],
    ),
    Violation(
        "values and a filter are removed, with numbers as limits",
        of(),
        all_of(cities(HUNDRED[4:])),
        {"max_removed": {"city": 3, "*": 0}},
        [
            "city in: 4 of 100 values removed, allowed 3",
            "staff not in: 1 of 1 values removed, allowed 0",
            "filters: 1 of 2 removed, allowed 0",
        ],
    ),
    Violation(
        "a filter whose list of values is empty is gone",
        all_of(cities([]), STAFF, AGE),
        all_of(STAFF, AGE),
        {"max_removed": {"city": 0, "filters": 1, "*": 0.2}},
        ["city in: 1 of 1 values removed, allowed 0"],
    ),
    Violation(
        "values and a filter are added, with shares as limits",
        of(),
        of([*HUNDRED, *"abc"], AGE),
        {"max_added": 0.025},
        [
            "city in: 3 of 100 values added, allowed 2%",
            "age in: 1 of 0 values added, allowed 2%",
            "filters: 1 of 2 added, allowed 2%",
        ],
    ),
    Violation(
        "too few are left of values and of filters",
        of(),
        of([*HUNDRED[:85], " "]),
        {"min_values": {"city": 90, "filters": 3}},
        ["city in: 85 values, at least 90 required", "filters: 2, at least 3 required"],
    ),
    Violation(
        "what is removed comes before what is added",
        of(),
        of([*HUNDRED[4:], "a"]),
        {"max_removed": 3, "max_added": 0},
        [
            "city in: 4 of 100 values removed, allowed 3",
            "city in: 1 of 100 values added, allowed 0",
        ],
    ),
    Violation(
        "attributes that no filter has been on are named in order",
        of(),
        of(HUNDRED[1:]),
        {"min_values": {"zip": 3, "plan": 1, "age": 2, "city": 1, "street": 0}},
        [
            "age, on which no filter is: 0 values, at least 2 required",
            "plan, on which no filter is: 0 values, at least 1 required",
            "zip, on which no filter is: 0 values, at least 3 required",
        ],
    ),
    Violation(
        "nothing to compare with",
        None,
        of(HUNDRED[:5]),
        {"max_added": 0, "min_values": {"city": 6}},
        ["city in: 5 values, at least 6 required"],
    ),
)


@pytest.mark.parametrize("row", VIOLATIONS, ids=[row.name for row in VIOLATIONS])
def test_what_is_exceeded_is_called_by_its_name_with_the_numbers(row: Violation):
    plan = planned(SegmentGuard(**row.options), row.after, row.before)
    assert plan.violations == row.violations


class Called(NamedTuple):
    """A filter, and what people read of it."""

    name: str
    filter: Any
    label: str


CALLED = (
    Called("an attribute", cities(), "city in"),
    Called("negated", cities(negate=True), "city not in"),
    Called("negated by a number", {**cities(), "negate": 1}, "city in"),
    Called("negated by a text", {**cities(), "negate": "false"}, "city in"),
    Called("another type of values", cities([1], data_type="number"), "city in (number)"),
    Called("no type of values", {"filter_type": "events", "name": "visit"}, "visit"),
    Called("no operator", {**cities(), "operator": None}, "city"),
    Called("an empty operator", {**cities(), "operator": ""}, "city"),
    Called("an empty name", {**cities(), "name": ""}, "user_attributes in"),
    Called("a name that is a number", {**cities(), "name": 5}, "user_attributes in"),
    Called("neither name nor kind", {"operator": "in", "value": ["a"]}, "unknown filter in"),
    Called("no object", "text", "unknown filter"),
)


@pytest.mark.parametrize("row", CALLED, ids=[row.name for row in CALLED])
def test_a_filter_is_called_by_its_attribute_and_its_operator(row: Called):
    filters = {"filter_operator": "and", "filters": [row.filter]}
    (condition,) = planned(SegmentGuard(), filters).conditions
    assert condition["condition"] == row.label


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


def test_the_cause_does_not_name_the_update_that_may_be_in_effect():
    doubts = [Doubt(OTHER, {"included_filters": all_of(cities())})]
    few = all_of(cities(HUNDRED[:10]))
    plan = planned(SegmentGuard(), few, few, doubts=doubts)
    assert plan.cause == "city in: 90 of 100 values removed, allowed 20%"


@pytest.mark.parametrize("values", [False, True])
def test_values_are_shown_only_if_the_guard_says_so(values: bool):
    plan = planned(SegmentGuard(show_values=values), of(HUNDRED[10:]), BASE)
    for text in (plan.table(), str(plan)):
        assert ("city-004" in text) is values
        assert "city-009" not in text, "five examples at most"


@pytest.mark.parametrize(
    ("removed", "are_more"),
    [(4, False), (5, False), (6, True)],
    ids=["4 removed", "5 removed", "6 removed"],
)
def test_a_plan_shows_five_removed_values_and_an_ellipsis_for_more(removed: int, are_more: bool):
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


def test_a_field_that_was_not_sent_before_is_shown_even_if_it_is_none():
    plan = SegmentGuard().plan("s", {"name": None}, Baseline())
    assert (plan.verdict, plan.fields) == ("send", ["name"])


LEAST_OF_FILTERS = {
    "filters": {"filters": 1},
    "values of each filter": 200,
    "values of an attribute": {"city": 200},
    "values of an attribute without a filter": {"staff": 1},
}


@pytest.mark.parametrize("least", LEAST_OF_FILTERS.values(), ids=LEAST_OF_FILTERS)
def test_an_update_without_filters_keeps_them_so_no_limit_applies(least: Any):
    guard = SegmentGuard(max_removed=0, max_added=0, min_values=least)
    plan = guard.plan("s", {"name": "n"}, Baseline({"name": "old", "included_filters": BASE}))
    assert (plan.verdict, plan.violations) == ("send", [])


def test_filters_after_updates_of_the_name_alone_have_nothing_to_compare_with():
    guard = SegmentGuard(on_missing_baseline="skip")
    plan = guard.plan("s", {"included_filters": BASE}, Baseline({"name": "n"}))
    assert plan.verdict == "skip"
    assert plan.notes == [
        "the filters cannot be compared: this is the first update, or Airflow's records are gone"
    ]


class OfOtherFields(NamedTuple):
    """What is sent, and what a killed update has sent, without a field in common."""

    name: str
    sent: dict[str, Any]
    doubted: dict[str, Any]


OF_OTHER_FIELDS = (
    OfOtherFields("the name alone is sent", {"name": "n"}, {"included_filters": BASE}),
    OfOtherFields("the name alone is doubted", {"included_filters": BASE}, {"name": "n"}),
)


@pytest.mark.parametrize("row", OF_OTHER_FIELDS, ids=[row.name for row in OF_OTHER_FIELDS])
def test_filters_are_compared_with_those_of_a_killed_update_if_both_have_some(row: OfOtherFields):
    baseline = Baseline({"included_filters": BASE}, doubts=[Doubt(OTHER, row.doubted)])
    plan = SegmentGuard().plan("s", row.sent, baseline)
    assert (plan.verdict, plan.violations) == ("send", [])


ODD_NAME = "a|b\nc"


def odd(*values: Any) -> dict[str, Any]:
    """A filter whose name has what ends a cell and a row of the table."""
    return {**user_attribute("x", values, data_type="number"), "name": ODD_NAME}


KILLED = {"dag_id": "d", "task_id": "t", "run_id": "killed", "map_index": 3}


def test_a_plan_begins_with_what_changes_most_whether_it_is_removed_or_added():
    before = all_of(cities(["a", "b", "c"]), plan_of(["gold"]))
    after = all_of(cities(["a"]), plan_of(["gold", "silver", "bronze", "tin"]))
    plan = SegmentGuard(max_removed=None).plan(
        "s", {"included_filters": after}, Baseline({"included_filters": before}, description="it")
    )
    rows = [line for line in plan.table().splitlines() if line.startswith("| ")][2:]
    assert [row.split("|")[1].strip() for row in rows] == ["plan in", "city in"]


def test_the_table_of_a_plan_can_be_read():
    before = all_of(GOLD, odd("x", "y"), cities(["a", 1, "b"]), STAFF, EXISTS)
    after = all_of(
        plan_of(["gold", "silver"]),
        odd("x"),
        cities(["b", 2, "c", None]),
        STAFF,
        kind("segments"),
    )
    after["filters"] += [{"negate": True}, "odd"]
    killed = Doubt(
        Entry("2026-01-01T00:00:00", KILLED, "", ["included_filters"]),
        {"included_filters": all_of(cities(list("vwxyz")))},
    )
    baseline = Baseline(
        {"name": "old", "updated_by": "me@example.com", "included_filters": before},
        description="the update of yesterday",
        doubts=[killed],
    )
    guard = SegmentGuard(
        show_values=True, max_removed=0.5, min_values={"filters": 9, "city": 4}, on_violation="warn"
    )
    plan = guard.plan("s", {"name": "new", "included_filters": after}, baseline)
    assert plan.table().splitlines() == [
        "Compared with the update of yesterday.",
        "",
        "| condition          | values before | after | removed       | added        |",
        "| ------------------ | ------------- | ----- | ------------- | ------------ |",
        "| city in            | 3             | 4     | 2 (67%) 1 'a' | 3 2 None 'c' |",
        "| a¦b c in (number)  | 2             | 1     | 1 (50%) 'y'   | 0            |",
        "| plan in            | 1             | 2     | 0             | 1 'silver'   |",
        "| vip exists         | 0             | -     | 0             | 0            |",
        "| unknown filter     | -             | 0     | 0             | 0            |",
        "| segments           | -             | 0     | 0             | 0            |",
        "| unknown filter not | -             | 0     | 0             | 0            |",
        "",
        "- Changed: name",
        "- Note: the update of 2026-01-01T00:00:00Z by d.t[3], run killed was not recorded as "
        "finished; it may be in effect",
        "- Exceeded: city in: 2 of 3 values removed, allowed 50%",
        "- Exceeded: vip exists: 1 of 1 values removed, allowed 50%",
        "- Exceeded: city in: 3 values, at least 4 required",
        "- Exceeded: filters: 7, at least 9 required",
        "- Exceeded: city in: 5 of 5 values removed, allowed 50%, compared with the update of "
        "2026-01-01T00:00:00Z by d.t[3], run killed",
        "- Verdict: warn",
    ]


@pytest.mark.skipif(not can_approve(), reason="approval needs Airflow 3.1")
def test_the_table_of_a_first_update_can_be_read():
    plan = planned(SegmentGuard(on_missing_baseline="approve"), all_of(cities(), STAFF))
    assert plan.table().splitlines() == [
        "No earlier update is known.",
        "",
        "| condition    | values before | after | removed | added |",
        "| ------------ | ------------- | ----- | ------- | ----- |",
        "| city in      | -             | 100   | 0       | 100   |",
        "| staff not in | -             | 1     | 0       | 1     |",
        "",
        "- Note: the filters cannot be compared: this is the first update, or Airflow's records "
        "are gone",
        "- No limit is exceeded.",
        "- Verdict: needs approval",
    ]


@pytest.mark.parametrize("number", [50, 51])
def test_a_plan_names_fifty_conditions_and_counts_the_others(number: int):
    before, after = (all_of(*(user_attribute(f"a{n}", [v]) for n in range(number))) for v in "xy")
    plan = planned(SegmentGuard(), after, before)
    assert (len(plan.conditions), plan.conditions_changed) == (50, number)
    assert ("(1 more)" in plan.table()) is (number == 51)


def test_a_plan_of_a_large_change_stays_small():
    before, after = (
        all_of(*(user_attribute(f"a{n}", [v * 500]) for n in range(1000))) for v in "xy"
    )
    plan = planned(SegmentGuard(show_values=True), after, before)
    assert (len(plan.conditions), plan.conditions_changed) == (50, 1000)
    lines = plan.table().splitlines()
    assert len(lines) < 1100
    cells = [cell.strip() for cell in lines[4 + 50].split("|")]
    assert cells == ["", "(950 more)", "", "", "", "", ""]


# Of five values, either removes two.
THREE, OTHER_THREE = HUNDRED[:3], HUNDRED[2:5]


class Asked(NamedTuple):
    """What a person is asked to approve, though 2 of 5 values are removed."""

    name: str
    segment_id: str = "s"
    values: list[str] = THREE
    sent_before: list[str] = HUNDRED[:5]
    max_removed: float = 0.2
    doubts: tuple[str, ...] = ()


ASKED = (
    Asked("one"),
    Asked("another segment", segment_id="t"),
    Asked("other values", values=OTHER_THREE),
    Asked("values in another order", values=THREE[::-1]),
    Asked("other values sent before", sent_before=[*THREE, "x", "y"]),
    Asked("another limit", max_removed=0.1),
    Asked("an update that may be in effect", doubts=("2026-01-01T01:00:00",)),
    Asked("another update that may be in effect", doubts=("2026-01-01T02:00:00",)),
)


def token_of(row: Asked) -> str:
    entries = [Entry(at, KILLED, "", ["included_filters"]) for at in row.doubts]
    baseline = Baseline(
        {"included_filters": all_of(cities(row.sent_before))},
        doubts=[Doubt(entry, {}) for entry in entries],
    )
    body = {"included_filters": all_of(cities(row.values))}
    plan = SegmentGuard(max_removed=row.max_removed).plan(row.segment_id, body, baseline, task={})
    (violation,) = plan.violations
    assert violation.startswith("city in: 2 of 5 values removed"), row.name
    return plan.token


def test_whatever_else_a_person_is_asked_to_approve_has_another_number():
    tokens = [token_of(row) for row in ASKED]
    assert len(set(tokens)) == len(ASKED)
    assert token_of(ASKED[0]) == tokens[0]


OTHER_TASKS: dict[str, dict[str, Any]] = {
    "another mapped one": {**KILLED, "map_index": 4},
    "another task": {**KILLED, "task_id": "u"},
    "another iteration": {**KILLED, "loop_index": 1},
    "none": {},
}


@pytest.mark.parametrize("other", OTHER_TASKS.values(), ids=OTHER_TASKS)
def test_only_the_task_instance_itself_makes_no_other_plan_of_what_it_may_have_sent(
    other: dict[str, Any],
):
    entry = Entry("2026-01-01T00:00:00", KILLED, "", ["included_filters"])
    body = {"included_filters": BASE}
    baseline = Baseline(body, doubts=[Doubt(entry, {})])
    alone, own, of_others = (
        SegmentGuard().plan("s", body, known, task=task).token
        for known, task in ((Baseline(body), KILLED), (baseline, KILLED), (baseline, other))
    )
    assert own == alone
    assert of_others != alone


LIMIT = (
    "a share from 0.0 to 1.0, a whole number from 0 up, None, or an object of these by attribute"
)
ACTION = "'fail', 'skip', 'approve' or 'warn'"


class Refused(NamedTuple):
    """An option of a guard, its value as the message shows it, and what it takes."""

    name: str
    option: str
    value: Any
    shown: str
    takes: str


REFUSED = (
    Refused("share above one", "max_removed", 1.5, "1.5", LIMIT),
    Refused("negative", "max_added", -1, "-1", LIMIT),
    Refused("boolean", "max_removed", True, "True", LIMIT),
    Refused(
        "share of values to keep",
        "min_values",
        0.5,
        "0.5",
        "a whole number from 0 up, None, or an object of these by attribute",
    ),
    Refused("action", "on_violation", "ask", "'ask'", ACTION),
    Refused("action without a baseline", "on_missing_baseline", "send", "'send'", ACTION),
    Refused("timeout", "approval_timeout", 0, "0", "seconds above 0"),
    Refused("no timeout", "approval_timeout", 10**9 + 1, "1000000001", "seconds above 0"),
    Refused("what follows a timeout", "if_not_approved", "warn", "'warn'", "'fail' or 'skip'"),
    Refused("not a boolean", "skip_unchanged", "perhaps", "'perhaps'", "True or False"),
    Refused("a name", "assigned_users", "Ada", "'Ada'", "a list of objects with id and name"),
)


@pytest.mark.parametrize("row", REFUSED, ids=[row.name for row in REFUSED])
def test_an_option_that_makes_no_sense_is_an_error_when_the_dag_is_parsed(row: Refused):
    options: dict[str, Any] = {row.option: row.value}
    with pytest.raises(WesConfigurationError) as raised:
        SegmentGuard(**options)
    assert str(raised.value) == (
        f"guard.{row.option} is {row.shown}\nIt takes {row.takes}: {ADDRESS}guards.html#options"
    )


def test_options_that_are_not_given_are_these():
    assert msgspec.structs.asdict(SegmentGuard()) == {
        "skip_unchanged": True,
        "max_removed": 0.2,
        "max_added": None,
        "min_values": None,
        "on_violation": "fail",
        "on_missing_baseline": "warn",
        "approval_timeout": 86_400,
        "if_not_approved": "fail",
        "show_values": False,
        "assigned_users": None,
        "notifiers": (),
    }


def test_every_option_says_what_it_takes():
    assert list(TAKES) == list(SegmentGuard.__struct_fields__)


class AtTheLimit(NamedTuple):
    """An option, and a value that it just takes."""

    option: str
    value: Any


AT_THE_LIMIT = (
    AtTheLimit("max_removed", 0.0),
    AtTheLimit("max_removed", 1.0),
    AtTheLimit("max_added", 0),
    AtTheLimit("max_added", {"city": 0, "filters": 0.0, "*": None}),
    AtTheLimit("min_values", 0),
    AtTheLimit("approval_timeout", 0.5),
    AtTheLimit("approval_timeout", 10**9),
)


@pytest.mark.parametrize("row", AT_THE_LIMIT, ids=lambda row: f"{row.option}={row.value}")
def test_an_option_takes_the_least_and_the_most_that_makes_sense(row: AtTheLimit):
    options: dict[str, Any] = {row.option: row.value}
    assert getattr(SegmentGuard(**options).checked(), row.option) == row.value


def test_json_of_an_option_that_cannot_be_read_is_an_error_that_names_the_option():
    with pytest.raises(WesConfigurationError, match=r"^guard\.max_removed "):
        SegmentGuard(max_removed='{"city": 0.5')  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["on_violation", "on_missing_baseline"])
def test_approval_is_refused_by_an_airflow_that_has_no_forms(option: str, mocker: MockerFixture):
    mocker.patch("wes_provider.guards.segment_guard.has_forms", autospec=True, return_value=False)
    options: dict[str, Any] = {option: "approve"}
    with pytest.raises(WesConfigurationError) as raised:
        SegmentGuard(**options)
    assert str(raised.value) == (
        "A guard's 'approve' needs Airflow 3.1 or later\nUse 'fail', 'skip' or 'warn'."
    )
    assert SegmentGuard().checked() == SegmentGuard()


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
