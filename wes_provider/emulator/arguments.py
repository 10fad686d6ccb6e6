"""The arguments of a control, checked against the types of the method that takes them: they come from anywhere."""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

__all__ = ["MOST", "checked", "is_number", "is_text"]

MOST: Final = 1e12  # of any number: seconds in which a clock shows years that nobody can write, and more than any count


def checked(action: str, method: Callable[..., Any], arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    Arguments that a method takes; those of ``**`` are for the method to check.

    :param action: for messages.
    :raises ValueError: naming what is wrong.
    """
    parameters = inspect.signature(method).parameters
    hints = get_type_hints(method)
    if not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        unknown = sorted(set(arguments) - set(parameters))
        if unknown:
            takes = f"takes {', '.join(parameters)}" if parameters else "takes no arguments"
            raise ValueError(f"{action} {takes}, not {', '.join(unknown)}")
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        if name not in arguments:
            if parameter.default is parameter.empty:
                raise ValueError(f"{action} needs {name}")
            continue
        kinds = _kinds(hints.get(name, Any))
        if not any(_is(kind, arguments[name]) for kind in kinds):
            wanted = " or ".join(_IN_WORDS.get(kind, "of another type") for kind in kinds)
            raise ValueError(f"{action}: {name} must be {wanted}, not {_shown(arguments[name])}")
    return arguments


def is_number(value: Any) -> bool:
    """Whether it is a number that can be counted with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -MOST <= value <= MOST


def is_text(value: Any) -> bool:
    """Whether it is a string that can be sent, which one with half a surrogate pair cannot."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


_IN_WORDS: Final[Mapping[Any, str]] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    Mapping: "an object",
    Iterable: "an array",
    type(None): "null",
}


def _kinds(hint: Any) -> list[Any]:
    """The types of a union, without their parameters."""
    options = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return [get_origin(option) or option for option in options]


def _is(kind: Any, value: Any) -> bool:
    if kind is Any:
        return True
    if kind is str:
        return is_text(value)
    if kind is int:
        return is_number(value) and value == math.floor(value) and isinstance(value, int)
    if kind is float:
        return is_number(value)
    if kind is Iterable:
        return isinstance(value, list | tuple)
    return isinstance(value, kind)


def _shown(value: Any) -> str:
    shown = ascii(value)
    return shown if len(shown) <= 80 else f"{shown[:80]}..."
