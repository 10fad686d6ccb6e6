"""Values that come from anywhere, checked against types; a message names the place, and never shows the value."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar, get_type_hints

import msgspec
from msgspec import Meta

__all__ = ["MOST", "Count", "HeaderName", "Number", "Seconds", "Share", "Text", "arguments_of", "checked"]

MOST: Final = 10**12  # of any number: seconds in which a clock shows years that nobody can write, and above any count

Number = Annotated[float, Meta(ge=-MOST, le=MOST)]
Seconds = Annotated[float, Meta(ge=0, le=MOST)]
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=MOST)]
Text = Annotated[str, Meta(min_length=1)]
HeaderName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+\Z")]  # RFC 9110, section 5.6.2

_T = TypeVar("_T")


def checked(value: Any, kind: type[_T], place: str = "", *, strict: bool = True) -> _T:
    """
    Parsed JSON as a type that msgspec knows; ``strict=False`` if numbers may come as texts, as in a query.

    :param place: what the value is, for messages, such as ``lists.spring``.
    :raises ValueError: naming the place and what it takes.
    """
    try:
        return msgspec.convert(value, kind, strict=strict)
    except SystemError:  # msgspec 0.20: an integer that no float can hold
        raise ValueError(f"{place}: Number out of range") from None
    except (msgspec.ValidationError, RecursionError) as error:
        what, _, where = str(error).partition(" - at ")
        where = where.rpartition("`$")[2].strip("`").replace("...", "*").replace("[", ".").replace("]", "")
        place = f"{place}{where}" if place else where.lstrip(".")
        raise ValueError(f"{place}: {what}" if place else what) from None


def arguments_of(method: Callable[..., Any]) -> type[Any]:
    """The arguments of a method as a type: those with a default are optional, others are unknown."""
    hints = get_type_hints(method, include_extras=True)
    parameters = inspect.signature(method).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return dict[str, Any]
    fields: list[Any] = [
        (one.name, hints.get(one.name, Any), *([] if one.default is one.empty else [one.default])) for one in parameters
    ]
    fields.sort(key=len)
    return msgspec.defstruct("Arguments", fields, forbid_unknown_fields=True)
