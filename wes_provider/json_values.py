"""JSON that loses nothing: values that it has no form for, text that is read as written. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import date, time, timedelta
from decimal import Decimal, InvalidOperation
from numbers import Number
from typing import Any, Final

from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import shown

# Types that JSON has no form for, and what to write instead; the first that fits counts.
INSTEAD: Final[tuple[tuple[tuple[type, ...], str], ...]] = (
    ((Number,), "Write float(...) or int(...) of it for a number, or str(...) for a string."),
    ((date, time, timedelta), "Write str(...) of it, or its isoformat()."),
    ((bytes, bytearray), "Write decode() of it, which is a string."),
    ((AbstractSet,), "Write sorted(...) of it, which is a list."),
    ((Mapping,), "Write dict(...) of it."),
    ((Iterable,), "Write list(...) of it."),
    ((object,), "Write str(...) of it, or what else the service is to get."),
)
NO_NUMBER: Final = "Leave it out where it comes from, such as a row without a value."
HALF_CHARACTER: Final = "Check with which encoding it was read."
HOLDS_ITSELF: Final = "Nothing that holds itself has an end."
WRITE_STRING: Final = (
    "Write it as a string, or with fewer digits (17 at most): the number that would be sent is "
    "another."
)


# -- values that are sent --------------------------------------------------------------------------


def check_sendable(place: str, value: Any, parents: tuple[Any, ...] = ()) -> None:
    """
    Check that JSON has a form for a value and everything in it. Messages show no values, which may
    be personal data.

    :param place: what messages call the value.
    :param parents: the lists and objects that hold it.
    :raises WesConfigurationError: with the place of what has none, its type, and what to write
        instead.
    """
    if any(value is parent for parent in parents):
        raise _unsendable(place, "it holds itself", HOLDS_ITSELF)
    if isinstance(value, str):
        _check_characters(place, "it", value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise _unsendable(place, f"it is {value}, which is no number", NO_NUMBER)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            check_sendable(f"{place}[{index}]", item, (*parents, value))
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_key(place, key)
            check_sendable(place_of(place, key), item, (*parents, value))
    elif value is not None and not isinstance(value, (int, float)):
        raise _unsendable(place, f"it is of type {type(value).__name__}", _what_instead(value))


def place_of(place: str, key: Any) -> str:
    """Return what messages call a value of an object: ``guard.limits``, ``body['a b']``."""
    if isinstance(key, str) and key.isidentifier():
        return f"{place}.{key}"
    return f"{place}[{shown(key)}]"


def _check_characters(place: str, what: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"U+{ord(text[error.start]):04X}, half of a character"
        raise _unsendable(place, f"{what} holds {half}", HALF_CHARACTER) from None


def _check_key(place: str, key: Any) -> None:
    if isinstance(key, str):
        _check_characters(place, "a name in it", key)
    elif not (key is None or isinstance(key, (int, float))):
        reason = f"a name in it is of type {type(key).__name__}"
        raise _unsendable(place, reason, "Names are strings: write str(...) of it.")


def _what_instead(value: Any) -> str:
    for types, instead in INSTEAD:
        if isinstance(value, types):
            return instead
    raise AssertionError("everything is an object")


def _unsendable(place: str, reason: str, instead: str) -> WesConfigurationError:
    return WesConfigurationError(f"{place} cannot be sent as JSON: {reason}\n{instead}")


# -- text that is read -----------------------------------------------------------------------------


class _Object(list[tuple[str, Any]]):
    """The names and values of an object, in the order in which they are written."""


class _Number(str):
    """A number as it is written."""

    __slots__ = ()


def read_json(place: str, text: str) -> Any:
    """
    Read JSON, and refuse what would become something else.

    :param place: what messages call the value.
    :raises WesConfigurationError: with the place of a name that occurs twice in an object, of which
        one would be lost, or of a number that a float does not keep.
    :raises ValueError: if it is no JSON.
    """
    # Some programs write a byte order mark into a file.
    written = json.loads(
        text.removeprefix("\ufeff"),
        object_pairs_hook=_Object,
        parse_float=_Number,
        parse_constant=_Number,
    )
    return _read(place, written)


def _read(place: str, written: Any) -> Any:
    if isinstance(written, _Number):
        return _read_number(place, written)
    if isinstance(written, _Object):
        value: dict[str, Any] = {}
        for name, item in written:
            if name in value:
                raise WesConfigurationError(
                    f"{place} has {shown(name)} twice\nOne of them would be lost: leave one."
                )
            value[name] = _read(place_of(place, name), item)
        return value
    if isinstance(written, list):
        return [_read(f"{place}[{index}]", item) for index, item in enumerate(written)]
    return written


def _read_number(place: str, written: str) -> float:
    number = float(written)
    try:
        is_kept = math.isfinite(number) and Decimal(written) == Decimal(repr(number))
    except InvalidOperation:  # an exponent of twenty digits
        is_kept = False
    if not is_kept:
        raise WesConfigurationError(
            f"{place} is a number that cannot be sent as it is written\n{WRITE_STRING}"
        )
    return number
