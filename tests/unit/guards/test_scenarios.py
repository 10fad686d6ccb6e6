"""
The verdict of a guard on an update, compared with what was sent before; what a plan says of it;
and which options a guard takes. By default, a fifth of the values of each filter may be removed,
which a loss of a filter exceeds in any case, while any number may be added. Another order of
values and filters, and duplicates, are no change for ``and``, ``or`` and ``in``. A limit is a
share or a number, of each attribute, of ``filters`` or of all others (``*``). A first update has
nothing to compare with: it is sent with ``warn`` by default, and the stricter of two options
counts.

A plan names what is exceeded with its numbers, fifty conditions at most, the largest changes
first, and no values unless ``show_values`` is set (five of each then). Options that make no sense
are refused when the DAG is parsed.
"""

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


class Scenario(NamedTuple):
    """
    Filters before and after, the guard's options, the verdict, and the first limit that is
    exceeded.
    """

    before: Any
    after: Any
    options: dict[str, Any]
    verdict: str
    exceeded: str = ""


LOST = {
    "upstream empty": Scenario(
        BASE, of([]), {}, "fail", "city in: 100 of 100 values removed, allowed 20%"
    ),
    "all filters gone": Scenario(
        BASE, all_of(), {}, "fail", "city in: 100 of 100 values removed, allowed 20%"
    ),
    "upstream null": Scenario(
        BASE, of(None), {}, "fail", "city in: 100 of 100 values removed, allowed 20%"
    ),
    "a fifth lost": Scenario(BASE, of(HUNDRED[20:]), {}, "send"),
    "a little more than a fifth lost": Scenario(
        BASE, of(HUNDRED[21:]), {}, "fail", "city in: 21 of 100 values removed, allowed 20%"
    ),
    "all values replaced": Scenario(
        BASE,
        of([f"x{city}" for city in HUNDRED]),
        {},
        "fail",
        "city in: 100 of 100 values removed, allowed 20%",
    ),
    "a tenth replaced": Scenario(BASE, of([*HUNDRED[10:], *"abcdefghij"]), {}, "send"),
    "one filter gone": Scenario(
        BASE, all_of(cities()), {}, "fail", "staff not in: 1 of 1 values removed, allowed 20%"
    ),
    "values of one filter gone to another": Scenario(
        BASE, SWAPPED, {}, "fail", "city in: 100 of 100 values removed, allowed 20%"
    ),
    "one of two on the same attribute": Scenario(
        of(HUNDRED, cities(DOUBLED)),
        of([], cities(DOUBLED)),
        {},
        "fail",
        "city in: 100 of 100 values removed, allowed 20%",
    ),
    "a little of each of two on the same attribute": Scenario(
        all_of(cities(EAST), cities(WEST)),
        all_of(cities(FEWER_EAST), cities(FEWER_WEST)),
        {},
        "send",
    ),
    "one of two on the same attribute stays as it is": Scenario(
        all_of(cities([*"ab"]), cities([*"abcd"])),
        all_of(cities([*"ab"]), cities([*"cx"])),
        {"max_removed": 2},
        "fail",
        "city in: 3 of 4 values removed, allowed 2",
    ),
    "a little of each of two groups": Scenario(
        all_of(any_of(cities(EAST), GOLD), any_of(cities(WEST), STAFF)),
        all_of(any_of(cities(FEWER_EAST), GOLD), any_of(cities(FEWER_WEST), STAFF)),
        {},
        "send",
    ),
}
GAINED = {
    "doubled with a limit": Scenario(
        BASE,
        of(DOUBLED),
        {"max_added": 0.5},
        "fail",
        "city in: 100 of 100 values added, allowed 50%",
    ),
    "a new filter with many values": Scenario(
        BASE,
        of(HUNDRED, plan_of(HUNDRED)),
        {"max_added": 3},
        "fail",
        "plan in: 100 of 0 values added, allowed 3",
    ),
    "a new filter with few values": Scenario(
        BASE, of(HUNDRED, plan_of(["a"])), {"max_added": 3}, "send"
    ),
    "grown and negated": Scenario(
        BASE,
        of([*HUNDRED, *"abcd"], negate=True),
        {"max_removed": None, "max_added": 3},
        "fail",
        "city not in: 104 of 0 values added, allowed 3",
    ),
    "one filter more": Scenario(BASE, of(HUNDRED, AGE), {}, "send"),
    "one more on the same attribute": Scenario(BASE, of(HUNDRED, cities(WEST)), {}, "send"),
    "one more with a share of what there was, which is nothing": Scenario(
        BASE,
        of(HUNDRED, AGE),
        {"max_added": 1.0},
        "fail",
        "age in: 1 of 0 values added, allowed 100%",
    ),
    "one filter more with a limit": Scenario(
        BASE,
        of(HUNDRED, AGE),
        {"max_added": {"filters": 0}},
        "fail",
        "filters: 1 of 2 added, allowed 0",
    ),
}
FORM = {
    "unchanged, and sent nevertheless": Scenario(BASE, BASE, {"skip_unchanged": False}, "send"),
    "order of values changed": Scenario(BASE, of(HUNDRED[::-1]), {}, "unchanged"),
    "order of filters changed": Scenario(BASE, all_of(STAFF, cities()), {}, "unchanged"),
    "order of keys changed": Scenario(
        BASE, all_of(dict(reversed(cities().items())), STAFF), {}, "unchanged"
    ),
    "duplicates": Scenario(BASE, of(HUNDRED * 2, STAFF), {}, "unchanged"),
    "order of values that must not be": Scenario(
        all_of(cities(operator="not_in")),
        all_of(cities(HUNDRED[::-1], operator="not_in")),
        {},
        "send",
    ),
    "order of values and filters of operators in capitals": Scenario(
        CAPITAL_OPERATORS,
        capital_operators(STAFF, cities(HUNDRED[::-1], operator="IN")),
        {},
        "unchanged",
    ),
    "values in a tuple": Scenario(BASE, of(tuple(HUNDRED[::-1])), {}, "unchanged"),
    "a key that is a number": Scenario(
        all_of({**cities(), "1": "x", "a": 2}),
        all_of({**cities(), 1: "x", "a": 2}),
        {},
        "unchanged",
    ),
    "an empty object became filters": Scenario(
        {}, all_of(cities()), {}, "fail", "unknown filter: 1 of 1 values removed, allowed 20%"
    ),
    "order that may matter": Scenario(
        ORDERED, all_of(cities([20, 10], operator="between")), {}, "send"
    ),
    "order of filters that may matter": Scenario(THEN, NEHT, {}, "send"),
}
CASE_AND_TYPES = {
    "capitals if they do not matter": Scenario(BASE, of(CAPITALS), {}, "send"),
    "capitals if they matter": Scenario(
        CASE,
        all_of(cities(CAPITALS, case_sensitive=True)),
        {},
        "fail",
        "city in: 100 of 100 values removed, allowed 20%",
    ),
    "capitals if nothing says that they do not matter": Scenario(
        UNSAID,
        all_of({**without_case(), "value": CAPITALS}),
        {},
        "fail",
        "city in: 100 of 100 values removed, allowed 20%",
    ),
    "capitals if 0 stands for false": Scenario(
        all_of({**cities(), "case_sensitive": 0}),
        all_of({**cities(CAPITALS), "case_sensitive": 0}),
        {},
        "fail",
        "city in: 100 of 100 values removed, allowed 20%",
    ),
    "capitals of other alphabets if they do not matter": Scenario(
        all_of(cities(["straße"])), all_of(cities(["STRASSE"])), {}, "send"
    ),
    "values that differ in capitals alone, if they matter": Scenario(
        CASE,
        all_of(cities(["a", "A"], case_sensitive=True)),
        {"max_removed": None, "min_values": 2},
        "send",
    ),
    "a text that stands in no list": Scenario(
        all_of(single("abcdefghij")),
        all_of(single("abcdefghijk")),
        {},
        "fail",
        "subscribed in: 1 of 1 values removed, allowed 20%",
    ),
    "values are no longer there, not even none": Scenario(
        BASE,
        all_of(without_values(), STAFF),
        {"max_removed": {"filters": 0, "*": None}},
        "fail",
        "filters: 1 of 2 removed, allowed 0",
    ),
    "false became true": Scenario(
        all_of(single(False)),
        all_of(single(True)),
        {},
        "fail",
        "subscribed in: 1 of 1 values removed, allowed 20%",
    ),
    "false is a value to keep": Scenario(
        of(HUNDRED, single(False)), of(HUNDRED[1:], single(False)), {"min_values": 1}, "send"
    ),
    "null is no value to keep": Scenario(
        of(HUNDRED, single(None)),
        of(HUNDRED[1:], single(None)),
        {"min_values": 1},
        "fail",
        "subscribed in: 0 values, at least 1 required",
    ),
    "numbers became texts": Scenario(
        all_of(cities([1, 2])),
        all_of(cities(["1", "2"])),
        {},
        "fail",
        "city in: 2 of 2 values removed, allowed 20%",
    ),
    "whole numbers became decimals": Scenario(
        all_of(cities([1, 2])),
        all_of(cities([1.0, 2.0])),
        {},
        "fail",
        "city in: 2 of 2 values removed, allowed 20%",
    ),
    "a number became a boolean": Scenario(
        all_of(cities([1])),
        all_of(cities([True])),
        {},
        "fail",
        "city in: 1 of 1 values removed, allowed 20%",
    ),
    "a list became its only text": Scenario(
        all_of(cities(["a"])),
        all_of({**cities([]), "value": "a"}),
        {},
        "fail",
        "city in: 1 of 1 values removed, allowed 20%",
    ),
}
MEANING = {
    "negated": Scenario(
        BASE, of(negate=True), {}, "fail", "city in: 100 of 100 values removed, allowed 20%"
    ),
    "no longer negated": Scenario(
        BASE,
        all_of(cities(), {**STAFF, "negate": False}),
        {},
        "fail",
        "staff not in: 1 of 1 values removed, allowed 20%",
    ),
    "operator changed": Scenario(
        BASE, of(operator="not_in"), {}, "fail", "city in: 100 of 100 values removed, allowed 20%"
    ),
    "and became or": Scenario(
        BASE,
        {**BASE, "filter_operator": "or"},
        {},
        "fail",
        "city in: 100 of 100 values removed, allowed 20%",
    ),
    "moved from one attribute to another": Scenario(
        BASE,
        all_of(user_attribute("home", HUNDRED), STAFF),
        {},
        "fail",
        "city in: 100 of 100 values removed, allowed 20%",
    ),
}
GROUPS_AND_KINDS = {
    "nested unchanged": Scenario(
        NESTED, all_of(STAFF, any_of(GOLD, cities(HUNDRED[::-1]))), {}, "unchanged"
    ),
    "nested, most lost": Scenario(
        NESTED,
        all_of(STAFF, any_of(GOLD, cities(HUNDRED[:5]))),
        {},
        "fail",
        "city in: 95 of 100 values removed, allowed 20%",
    ),
    "nested or became and": Scenario(
        NESTED,
        all_of(STAFF, all_of(GOLD, cities())),
        {},
        "fail",
        "city in: 100 of 100 values removed, allowed 20%",
    ),
    "a group within a group gone": Scenario(
        all_of(cities(), any_of(GOLD, all_of(AGE, STAFF))),
        all_of(cities()),
        {"max_removed": {"filters": 2, "*": None}},
        "fail",
        "filters: 3 of 4 removed, allowed 2",
    ),
    "moved to another group": Scenario(
        *MOVED, {}, "fail", "plan in: 1 of 1 values removed, allowed 20%"
    ),
    "unknown kind unchanged": Scenario(EVENTS, all_of(*EVENTS["filters"][::-1]), {}, "unchanged"),
    "unknown kind changed": Scenario(
        EVENTS,
        all_of(kind("events", event="order", within={"days": 1}), cities()),
        {},
        "fail",
        "events: 1 of 1 values removed, allowed 20%",
    ),
    "unknown kind gone": Scenario(
        MANY_EVENTS,
        all_of(*MANY_EVENTS["filters"][1:]),
        {},
        "fail",
        "events: 1 of 1 values removed, allowed 20%",
    ),
    "order in an unknown kind": Scenario(*IDS, {}, "send"),
    "order in an unknown kind, the other way round": Scenario(*IDS[::-1], {}, "send"),
    "what is no filter unchanged": Scenario(NO_FILTER, NO_FILTER, {}, "unchanged"),
    "what is no filter changed": Scenario(
        NO_FILTER,
        {**BASE, "filters": [*BASE["filters"], "other"]},
        {},
        "fail",
        "unknown filter: 1 of 1 values removed, allowed 20%",
    ),
    "what is no filter has no values to keep": Scenario(BASE, NO_FILTER, {"min_values": 1}, "send"),
    "order in an object": Scenario(
        all_of(cities({"a": [1, 2]}, operator="within")),
        all_of(cities({"a": [2, 1]}, operator="within")),
        {"max_added": 0},
        "send",
    ),
    "order that may matter of one of two": Scenario(
        all_of(THEN, THEN), all_of(THEN, NEHT), {"max_added": 0}, "send"
    ),
}
LIMITS = {
    "count allowed": Scenario(BASE, of(HUNDRED[3:]), {"max_removed": 3}, "send"),
    "count exceeded": Scenario(
        BASE,
        of(HUNDRED[4:]),
        {"max_removed": 3},
        "fail",
        "city in: 4 of 100 values removed, allowed 3",
    ),
    "limit of one attribute": Scenario(
        BASE, of(HUNDRED[50:]), {"max_removed": {"city": 0.5, "*": 0}}, "send"
    ),
    "limit of the other attributes": Scenario(
        BASE,
        of(HUNDRED[1:]),
        {"max_removed": {"staff": 0.5, "*": 0}},
        "fail",
        "city in: 1 of 100 values removed, allowed 0",
    ),
    "limits without the attribute": Scenario(
        BASE,
        of(HUNDRED[:10]),
        {"max_removed": {"town": 0.1}},
        "fail",
        "city in: 90 of 100 values removed, allowed 20%",
    ),
    "no limit of one attribute": Scenario(
        BASE, of(HUNDRED[:10]), {"max_removed": {"city": None, "*": 0.2}}, "send"
    ),
    "no limit of one attribute, whose filter goes": Scenario(
        BASE, all_of(STAFF), {"max_removed": {"city": None, "filters": 1, "*": 0}}, "send"
    ),
    "no limit for other attributes": Scenario(
        BASE, of(HUNDRED[:10]), {"max_removed": {"staff": 0, "*": None}}, "send"
    ),
    "a limit of one attribute's new values is none of others": Scenario(
        BASE, of(DOUBLED), {"max_added": {"staff": 0}}, "send"
    ),
    "one filter may go": Scenario(BASE, all_of(cities()), {"max_removed": {"filters": 1}}, "send"),
    "any filters may go, and few values": Scenario(
        BASE, all_of(cities()), {"max_removed": {"filters": None, "*": 0.2}}, "send"
    ),
    "one may go, but not this one": Scenario(
        BASE,
        all_of(cities()),
        {"max_removed": {"filters": 1, "staff": 0}},
        "fail",
        "staff not in: 1 of 1 values removed, allowed 0",
    ),
    "none may go, though all of its values may": Scenario(
        BASE,
        all_of(cities()),
        {"max_removed": {"staff": None, "*": 0}},
        "fail",
        "filters: 1 of 2 removed, allowed 0",
    ),
    "one small one may come": Scenario(
        BASE,
        of(HUNDRED, plan_of(HUNDRED)),
        {"max_added": {"filters": 1, "plan": 3}},
        "fail",
        "plan in: 100 of 0 values added, allowed 3",
    ),
    "no limit": Scenario(BASE, all_of(cities(["x"])), {"max_removed": None}, "send"),
    "blank values do not count": Scenario(
        BASE,
        of([*HUNDRED[:98], "", " "]),
        {"min_values": {"city": 100}},
        "fail",
        "city in: 98 values, at least 100 required",
    ),
    "blank values of a new filter do not count": Scenario(
        None,
        all_of(cities(["a", " "])),
        {"min_values": 2},
        "fail",
        "city in: 1 values, at least 2 required",
    ),
    "too few values": Scenario(
        BASE,
        of(HUNDRED[:85]),
        {"min_values": {"city": 90}},
        "fail",
        "city in: 85 values, at least 90 required",
    ),
    "fewer values of an attribute that may have none": Scenario(
        BASE, of(HUNDRED[:85]), {"min_values": {"city": 0, "staff": 1, "*": 90}}, "send"
    ),
    "fewer values of an attribute without a least number": Scenario(
        BASE, of(HUNDRED[:85]), {"min_values": {"city": None, "staff": 1, "*": 90}}, "send"
    ),
    "values of a filter that is gone": Scenario(
        BASE,
        all_of(STAFF),
        {"max_removed": None, "min_values": {"city": 90}},
        "fail",
        "city, on which no filter is: 0 values, at least 90 required",
    ),
    "values of any filter that is gone": Scenario(
        BASE,
        all_of(STAFF),
        {"max_removed": None, "min_values": 1},
        "fail",
        "city, on which no filter is: 0 values, at least 1 required",
    ),
    "unchanged, and too few values": Scenario(BASE, BASE, {"min_values": 1000}, "unchanged"),
}
WITHOUT_VALUES = {
    "a filter without values comes, none may": Scenario(
        BASE,
        of(HUNDRED, EXISTS),
        {"max_added": 0},
        "fail",
        "vip exists: 1 of 0 values added, allowed 0",
    ),
    "a filter without values comes, none of it may": Scenario(
        BASE,
        of(HUNDRED, EXISTS),
        {"max_added": {"vip": 0}},
        "fail",
        "vip exists: 1 of 0 values added, allowed 0",
    ),
    "a filter without values comes, with a share": Scenario(
        BASE,
        of(HUNDRED, EXISTS),
        {"max_added": 0.5},
        "fail",
        "vip exists: 1 of 0 values added, allowed 50%",
    ),
    "a filter without values comes, with a share of none": Scenario(
        BASE,
        of(HUNDRED, EXISTS),
        {"max_added": 0.0},
        "fail",
        "vip exists: 1 of 0 values added, allowed 0%",
    ),
    "a filter without values comes, one may": Scenario(
        BASE, of(HUNDRED, EXISTS), {"max_added": 1}, "send"
    ),
    "a filter without values comes, one filter may": Scenario(
        BASE, of(HUNDRED, EXISTS), {"max_added": {"filters": 1, "*": 0}}, "send"
    ),
    "a filter without values goes": Scenario(
        of(HUNDRED, EXISTS), BASE, {}, "fail", "vip exists: 1 of 1 values removed, allowed 20%"
    ),
    "a filter without values stays": Scenario(
        of(HUNDRED, EXISTS), of(HUNDRED[1:], EXISTS), {"max_added": 0}, "send"
    ),
    "a filter without values that stays has none to keep": Scenario(
        of(HUNDRED, EXISTS), of(HUNDRED[1:], EXISTS), {"min_values": 1}, "send"
    ),
    "a filter without values has none to keep": Scenario(
        BASE, of(HUNDRED, EXISTS), {"min_values": 1}, "send"
    ),
    "a filter without values goes, and has none to keep": Scenario(
        of(HUNDRED, EXISTS), of(HUNDRED), {"max_removed": None, "min_values": 1}, "send"
    ),
    "a filter of no values has values to keep": Scenario(
        BASE,
        of(HUNDRED, AGE_OF_NOBODY),
        {"min_values": 1},
        "fail",
        "age in: 0 values, at least 1 required",
    ),
}
FEWEST = {
    "no filters if none must be": Scenario(
        BASE, all_of(), {"max_removed": None, "min_values": {"city": 0, "staff": 0}}, "send"
    ),
    "no filters if there is no least number": Scenario(
        BASE, all_of(), {"max_removed": None, "min_values": {"filters": None}}, "send"
    ),
    "as many filters as there must be": Scenario(
        BASE, of(HUNDRED[1:]), {"min_values": {"filters": 2}}, "send"
    ),
    "an attribute that is called filters": Scenario(
        of(HUNDRED, NAMED_FILTERS),
        of(HUNDRED, FEWER_NAMED_FILTERS),
        {"max_removed": {"filters": 5, "*": 0}},
        "fail",
        "filters in: 1 of 2 values removed, allowed 0",
    ),
    "values of an attribute that is called filters": Scenario(
        of(HUNDRED, NAMED_FILTERS),
        of(HUNDRED[1:], NAMED_FILTERS),
        {"min_values": {"filters": 2, "staff": 0, "*": 3}},
        "fail",
        "filters in: 2 values, at least 3 required",
    ),
    "fewer filters than there must be": Scenario(
        BASE,
        all_of(cities()),
        {"max_removed": None, "min_values": {"filters": 2}},
        "fail",
        "filters: 1, at least 2 required",
    ),
    "values and filters that must be": Scenario(
        BASE,
        of(HUNDRED[1:]),
        {"min_values": {"filters": 2, "city": 100}},
        "fail",
        "city in: 99 values, at least 100 required",
    ),
    "an unnamed filter that stays": Scenario(
        all_of(cities(), kind("segments", operator="in", value=["a"])),
        all_of(cities(HUNDRED[1:]), kind("segments", operator="in", value=["a"])),
        {"min_values": 1},
        "send",
    ),
    "an unnamed filter that is gone": Scenario(
        all_of(cities(), kind("segments", operator="in", value=["a"])),
        all_of(cities()),
        {"max_removed": None, "min_values": 1},
        "fail",
        "segments in, which is gone: 0 values, at least 1 required",
    ),
}
FIRST = {
    "first run": Scenario(None, BASE, {}, "send"),
    "first run with too few values": Scenario(
        None,
        all_of(cities(["a"])),
        {"min_values": 10},
        "fail",
        "city in: 1 values, at least 10 required",
    ),
    "lost baseline, careful": Scenario(None, BASE, {"on_missing_baseline": "fail"}, "fail"),
}
AFTER_VIOLATION = {
    "skip": Scenario(
        BASE,
        of(HUNDRED[:1]),
        {"on_violation": "skip"},
        "skip",
        "city in: 99 of 100 values removed, allowed 20%",
    ),
    "warn": Scenario(
        BASE,
        of(HUNDRED[:1]),
        {"on_violation": "warn"},
        "warn",
        "city in: 99 of 100 values removed, allowed 20%",
    ),
}


def planned(guard: SegmentGuard, after: Any, before: Any = None, **baseline: Any) -> Plan:
    fields = {} if before is None else {"included_filters": before}
    return guard.plan("s", {"included_filters": after}, Baseline(fields, **baseline))


def check_verdict(row: Scenario) -> None:
    """The verdict is that of the row, and so is the first limit that the plan says is exceeded."""
    plan = planned(SegmentGuard(**row.options), row.after, row.before)
    assert plan.verdict == row.verdict, plan.table()
    first, *_ = [*plan.violations, ""]
    assert first == row.exceeded


@pytest.mark.parametrize("row", LOST.values(), ids=LOST)
def test_a_loss_of_filters_or_of_more_than_a_fifth_of_the_values_of_one_fails(row: Scenario):
    check_verdict(row)


@pytest.mark.parametrize("row", GAINED.values(), ids=GAINED)
def test_a_gain_fails_only_if_it_exceeds_max_added(row: Scenario):
    check_verdict(row)


@pytest.mark.parametrize("row", FORM.values(), ids=FORM)
def test_an_update_in_another_form_is_unchanged_unless_order_may_matter(row: Scenario):
    check_verdict(row)


@pytest.mark.parametrize("row", CASE_AND_TYPES.values(), ids=CASE_AND_TYPES)
def test_capitals_that_may_matter_and_types_make_other_values(row: Scenario):
    check_verdict(row)


@pytest.mark.parametrize("row", MEANING.values(), ids=MEANING)
def test_the_same_values_with_another_meaning_are_a_loss(row: Scenario):
    check_verdict(row)


@pytest.mark.parametrize("row", GROUPS_AND_KINDS.values(), ids=GROUPS_AND_KINDS)
def test_groups_are_compared_filter_by_filter_and_unknown_kinds_as_a_whole(row: Scenario):
    check_verdict(row)


@pytest.mark.parametrize("row", LIMITS.values(), ids=LIMITS)
def test_limits_hold_for_each_filter_each_attribute_or_the_number_of_filters(row: Scenario):
    check_verdict(row)


@pytest.mark.parametrize("row", WITHOUT_VALUES.values(), ids=WITHOUT_VALUES)
def test_a_filter_without_values_counts_as_one_value_but_has_none_to_keep(row: Scenario):
    check_verdict(row)


@pytest.mark.parametrize("row", FEWEST.values(), ids=FEWEST)
def test_min_values_may_say_how_many_filters_there_must_be(row: Scenario):
    check_verdict(row)


@pytest.mark.parametrize("row", FIRST.values(), ids=FIRST)
def test_a_first_update_is_sent_unless_what_it_leaves_or_on_missing_baseline_stops_it(
    row: Scenario,
):
    check_verdict(row)


@pytest.mark.parametrize("row", AFTER_VIOLATION.values(), ids=AFTER_VIOLATION)
def test_on_violation_is_the_verdict_if_a_limit_is_exceeded(row: Scenario):
    check_verdict(row)


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


class Compared(NamedTuple):
    """The cities that were sent last, and those of the update and of a killed one before it."""

    name: str
    last: list[str]
    after: list[str]


def compared(row: Compared) -> Plan:
    """
    The plan after two tasks were killed between the request and the record: the first had sent all
    hundred cities, the second the same as this one.
    """
    later = {"included_filters": all_of(cities(row.after))}
    doubts = [Doubt(LATER, later), Doubt(OTHER, {"included_filters": all_of(cities())})]
    return planned(
        SegmentGuard(), all_of(cities(row.after)), all_of(cities(row.last)), doubts=doubts
    )


LOSSES = [
    Compared("a loss compared with the killed one alone", HUNDRED[:10], HUNDRED[:10]),
    Compared("a loss compared with both", HUNDRED, HUNDRED[:10]),
]
SMALL = [
    Compared("small compared with both", HUNDRED[:99], HUNDRED[:98]),
    Compared("equal to the last", HUNDRED[:90], HUNDRED[:90]),
    Compared("equal to the killed one", HUNDRED[:90], HUNDRED),
]


@pytest.mark.parametrize("row", LOSSES, ids=[row.name for row in LOSSES])
def test_a_loss_compared_with_an_update_that_may_be_in_effect_fails_and_names_it(row: Compared):
    plan = compared(row)
    assert plan.verdict == "fail", plan.table()
    of_other = f"city in: 90 of 100 values removed, allowed 20%, compared with {OTHER}"
    assert of_other in plan.violations


@pytest.mark.parametrize("row", SMALL, ids=[row.name for row in SMALL])
def test_an_update_that_is_small_compared_with_all_that_may_be_in_effect_is_sent(row: Compared):
    """Even if it is equal to one of them."""
    plan = compared(row)
    assert (plan.verdict, plan.violations) == ("send", []), plan.table()
    assert "run killed was not recorded as finished; it may be in effect" in plan.table()


def test_the_cause_does_not_name_the_update_that_may_be_in_effect():
    doubts = [Doubt(OTHER, {"included_filters": all_of(cities())})]
    few = all_of(cities(HUNDRED[:10]))
    plan = planned(SegmentGuard(), few, few, doubts=doubts)
    assert plan.cause == "city in: 90 of 100 values removed, allowed 20%"


def test_values_are_not_shown_by_default():
    plan = planned(SegmentGuard(), of(HUNDRED[10:]), BASE)
    assert "city-0" not in plan.table()
    assert "city-0" not in str(plan)


def test_five_values_of_a_condition_are_shown_with_show_values():
    plan = planned(SegmentGuard(show_values=True), of(HUNDRED[10:]), BASE)
    for text in (plan.table(), str(plan)):
        assert "city-004" in text
        assert "city-005" not in text


def removed_examples(number: int) -> list[str]:
    """What a plan shows of so many removed values."""
    (row,) = planned(SegmentGuard(show_values=True), of(HUNDRED[number:]), BASE).conditions
    return list(row["removed_examples"])


@pytest.mark.parametrize("number", [4, 5])
def test_a_plan_shows_up_to_five_removed_values(number: int):
    assert len(removed_examples(number)) == number
    assert "…" not in removed_examples(number)


def test_a_plan_shows_five_of_six_removed_values_and_an_ellipsis():
    *five, mark = removed_examples(6)
    assert (len(five), mark) == (5, "…")


def test_another_name_with_the_same_filters_is_sent_and_shown():
    baseline = Baseline({"name": "old", "included_filters": BASE})
    plan = SegmentGuard().plan("s", {"name": "new", "included_filters": BASE}, baseline)
    assert (plan.verdict, plan.fields) == ("send", ["name"])


def test_a_first_update_of_the_name_alone_is_sent_whatever_on_missing_baseline_says():
    guard = SegmentGuard(on_missing_baseline="fail")
    assert guard.plan("s", {"name": "n"}, Baseline()).verdict == "send"


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


def plan_of_conditions(number: int) -> Plan:
    """The plan of an update that replaces the only value of each of so many attributes."""
    before, after = (all_of(*(user_attribute(f"a{n}", [v]) for n in range(number))) for v in "xy")
    return planned(SegmentGuard(), after, before)


def test_a_plan_names_fifty_conditions():
    plan = plan_of_conditions(50)
    assert (len(plan.conditions), plan.conditions_changed) == (50, 50)
    assert " more)" not in plan.table()


def test_a_plan_names_fifty_of_fifty_one_conditions_and_counts_the_other():
    plan = plan_of_conditions(51)
    assert (len(plan.conditions), plan.conditions_changed) == (50, 51)
    assert "(1 more)" in plan.table()


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
    Refused("a share above one", "max_removed", 1.5, "1.5", LIMIT),
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
