"""What nested objects in JSON have, by dotted properties such as ``meta.total``. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from wes_provider.client.announcements import plain_name

__all__ = ["DEEPEST", "as_text", "inside", "last_name", "objects_in", "plain_names"]

DEEPEST: Final = 4  # objects within objects that are searched
WORDS: Final = {True: "true", False: "false", None: "null"}


def inside(content: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """
    Yield what nested objects hold, by its dotted property, which is empty for a body that is no
    object.
    """
    if not isinstance(content, dict):
        yield where, content
    elif where.count(".") < DEEPEST:
        for name, value in content.items():
            yield from inside(value, _below(where, name))


def objects_in(content: Any, where: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield an object, and those within it, by their dotted property."""
    if not isinstance(content, dict):
        return
    yield where, content
    if where.count(".") < DEEPEST:
        for name, value in content.items():
            yield from objects_in(value, _below(where, name))


def _below(where: str, name: object) -> str:
    """Return the dotted property of a member of an object."""
    return f"{where}.{name}".lstrip(".")


def plain_names(where: str) -> list[str]:
    """Return the plain names of a dotted property's parts."""
    return [plain_name(name) for name in where.split(".")]


def last_name(where: str) -> str:
    """Return the plain last name of a dotted property: ``totalcount`` of ``meta.Total_Count``."""
    return plain_name(where.rpartition(".")[2])


def as_text(value: Any) -> str:
    """Return a value as a message has it: ``true``, ``null``, the strings of an array."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if value is None or isinstance(value, bool):
        return WORDS[value]
    return str(value)
