"""
What is sent or read as JSON. A value that JSON has no form for (such as a Decimal, a date, a set,
bytes, NaN, half of a character, or a list that holds itself) is refused with its place, its type
and what to write instead, wherever it is in filters or attributes; a number is not shown. Whole
numbers of any length, tuples and subclasses of dict can be sent.

JSON of a text is refused with the place if reading it would change it: a name twice in an object, a
number with more digits than a float keeps, one that is too large or too small for it, NaN and
infinity. Decimals of up to 17 digits and whole numbers of any length are read as they are.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from wes_provider import arguments, models
from wes_provider.exceptions import WesConfigurationError
from wes_provider.filters import segment_body
from wes_provider.json_values import check_sendable
from wes_provider.models import all_of, user_attribute


class Unsendable(NamedTuple):
    """A value that JSON has no form for."""

    value: Any
    reason: str
    instead: str


UNSENDABLE = {
    "Decimal": Unsendable(Decimal("1.10"), "it is of type Decimal", "str(...)"),
    "Fraction": Unsendable(Fraction(1, 3), "it is of type Fraction", "float(...)"),
    "complex": Unsendable(1j, "it is of type complex", "str(...)"),
    "date": Unsendable(date(2026, 11, 26), "it is of type date", "isoformat()"),
    "datetime": Unsendable(
        datetime(2026, 11, 26, tzinfo=timezone.utc), "it is of type datetime", "str(...)"
    ),
    "timedelta": Unsendable(timedelta(days=1), "it is of type timedelta", "str(...)"),
    "UUID": Unsendable(UUID(int=7), "it is of type UUID", "str(...)"),
    "set": Unsendable({"Oslo"}, "it is of type set", "sorted(...)"),
    "frozenset": Unsendable(frozenset({"Oslo"}), "it is of type frozenset", "sorted(...)"),
    "bytes": Unsendable(b"Oslo", "it is of type bytes", "decode()"),
    "generator": Unsendable((x for x in ()), "it is of type generator", "list(...)"),
    "view": Unsendable({"a": 1}.values(), "it is of type dict_values", "list(...)"),
    "mapping": Unsendable(MappingProxyType({"a": 1}), "it is of type mappingproxy", "dict(...)"),
    "object": Unsendable(object(), "it is of type object", "str(...)"),
    "NaN": Unsendable(float("nan"), "it is nan, which is no number", "Leave it out"),
    "infinity": Unsendable(float("-inf"), "it is -inf, which is no number", "Leave it out"),
    "half of a character": Unsendable("Os\ud83dlo", "it holds U+D83D, half", "encoding"),
    "name of another type": Unsendable({(1, 2): "x"}, "a name in it is of type tuple", "str(...)"),
    "name with half of a character": Unsendable({"\udce9": 1}, "a name in it holds", "encoding"),
}


class Argument(NamedTuple):
    """An argument that is sent as JSON, and where a value in it is."""

    build: Callable[[Any], Any]
    place: str


ARGUMENTS = {
    "a value among many": Argument(
        lambda value: segment_body(
            included_filters=all_of(user_attribute("a", [*map(str, range(17)), value]))
        ),
        "included_filters.filters[0].value[17]",
    ),
    "a value in a group of a group": Argument(
        lambda value: segment_body(
            included_filters=all_of({"value": "x"}, all_of({"value": "x", "limit": value}))
        ),
        "included_filters.filters[1].filters[0].limit",
    ),
    "a property of an attribute": Argument(
        lambda value: models.catalog_body(
            "c", "EUR", [{"name": "a", "type": "string"}, {"name": "b", "least value": value}]
        ),
        "attributes[1]['least value']",
    ),
}


@pytest.mark.parametrize("argument", ARGUMENTS.values(), ids=ARGUMENTS)
@pytest.mark.parametrize("row", UNSENDABLE.values(), ids=UNSENDABLE)
def test_what_json_has_no_form_for_is_refused_with_its_place_and_what_to_write_instead(
    argument: Argument, row: Unsendable
):
    with pytest.raises(WesConfigurationError) as raised:
        argument.build(row.value)
    reason, instead = str(raised.value).splitlines()
    assert reason.startswith(f"{argument.place} cannot be sent as JSON: {row.reason}")
    assert row.instead in instead


def test_a_number_that_cannot_be_sent_is_not_shown():
    with pytest.raises(WesConfigurationError) as raised:
        segment_body(included_filters=all_of(user_attribute("salary", [Decimal("123456.78")])))
    assert "123456" not in str(raised.value)


SENDABLE = {
    "integer beyond a float": 2**53 + 1,
    "tuple": ("a", "b"),
    "subclass of an object": OrderedDict(a=1),
    "the same list twice": [["a"]] * 2,
}


@pytest.mark.parametrize("value", SENDABLE.values(), ids=SENDABLE)
def test_what_json_has_a_form_for_can_be_sent(value: Any):
    check_sendable("x", value)


def test_a_list_that_holds_itself_cannot_be_sent():
    value: list[Any] = ["a"]
    value.append(value)
    with pytest.raises(WesConfigurationError, match=re.escape("x[1] cannot be sent as JSON")):
        check_sendable("x", value)


class Lost(NamedTuple):
    """JSON that would become something else."""

    text: str
    message: str


ANOTHER = "is a number that cannot be sent as it is written"
LOST = {
    "name twice": Lost('{"name": "a", "value": 1, "value": 2}', "x has 'value' twice"),
    "same value twice": Lost('{"value": 1, "value": 1}', "x has 'value' twice"),
    "name twice, written differently": Lost('{"a": 1, "\\u0061": 2}', "x has 'a' twice"),
    "in a list": Lost('{"filters": [{}, {"v": 1, "v": 2}]}', "x.filters[1] has 'v' twice"),
    "in a nested object, below a name with a space": Lost(
        '{"a": {"b b": {"c": 1, "c": 2}}}', "x.a['b b'] has 'c' twice"
    ),
    "digits": Lost('{"value": [1, 0.12345678901234567890]}', f"x.value[1] {ANOTHER}"),
    "digits before the point": Lost("[12345678901234567890.5]", f"x[0] {ANOTHER}"),
    "large integer with an exponent": Lost("[9007199254740993e0]", f"x[0] {ANOTHER}"),
    "too large": Lost("[1e400]", f"x[0] {ANOTHER}"),
    "too small": Lost("[1e-400]", f"x[0] {ANOTHER}"),
    "exponent without end": Lost("[1e-99999999999999999999]", f"x[0] {ANOTHER}"),
    "no number": Lost('{"a": NaN}', f"x.a {ANOTHER}"),
    "infinity": Lost('{"a": -Infinity}', f"x.a {ANOTHER}"),
}


@pytest.mark.parametrize("row", LOST.values(), ids=LOST)
def test_json_that_would_become_something_else_is_refused_with_its_place(row: Lost):
    with pytest.raises(WesConfigurationError) as raised:
        arguments.from_json("x", row.text)
    assert str(raised.value).startswith(row.message)


class Kept(NamedTuple):
    """JSON, and what it is read as."""

    text: str
    value: Any


KEPT = {
    "decimal": Kept("[1.10, 0.1, -0.0, 1E2, 2.5e-3]", [1.1, 0.1, -0.0, 100.0, 0.0025]),
    "17 digits": Kept("[0.12345678901234568]", [0.12345678901234568]),
    "whole numbers of any length": Kept(f"[{2**53 + 1}, {10**30}]", [2**53 + 1, 10**30]),
    "a name twice in two objects": Kept('[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
    "numbers in strings": Kept('["0.12345678901234567890"]', ["0.12345678901234567890"]),
}


@pytest.mark.parametrize("row", KEPT.values(), ids=KEPT)
def test_json_that_loses_nothing_is_read(row: Kept):
    # With signs and types, which numbers that are equal may differ by.
    assert repr(arguments.from_json("x", row.text)) == repr(row.value)
