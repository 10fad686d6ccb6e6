"""What a listing's JSON looks like: where its files are, whether there are more, what a file's properties are. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from wes_provider import contract, models
from wes_provider.client.error_body import plain
from wes_provider.client.success_body import record_of
from wes_provider.exceptions import WesConfigurationError

__all__ = ["Listing", "file_id_of", "find_file", "find_listing", "lack_of", "leaves", "mentions"]

LONGEST_STATUS: Final = 100  # characters
DEEPEST: Final = 4  # objects within objects that are searched
MOST_RECORDS: Final = 1000  # records of an array that are searched for a file that the provider cannot read
USUAL_NAMES: Final = ("data", "files", "coupon_files", "items", "results", "records", "content", "list", "rows")
NO_FILES: Final = ("errors", "error", "messages", "warnings", "links")
MORE: Final = ("next", "next_page", "next_cursor", "next_token", "nextpagetoken", "next_url", "cursor")
HAS_MORE: Final = ("has_more", "hasmore", "has_next", "more", "truncated", "is_truncated")
TOTALS: Final = ("total", "total_count", "count", "total_files", "total_items", "totalcount")


@dataclass(frozen=True)
class Listing:
    """
    A list's files as the service shows them.

    :ivar where: the dotted property that holds the array; empty if the body is the array.
    :ivar more: how the page announces that there is more; empty if it does not.
    :ivar total: how many files the list has, if the page states it.
    :ivar announces: which of ``total``, ``next``, ``has_more``, ``next_cursor`` and ``link`` the page has.
    """

    where: str
    records: tuple[Mapping[str, Any], ...] = field(repr=False)
    more: str = ""
    total: int | None = None
    announces: tuple[str, ...] = ()

    @property
    def shape(self) -> str:
        """The shape in a few words."""
        return f"an array under {self.where}" if self.where else "an array"


def find_listing(content: Any, headers: Mapping[str, str] | None = None) -> Listing | None:
    """
    Find the files in the JSON of a listing.

    :param headers: the headers of the response, names in lower case.
    :return: ``None`` if the JSON holds no array of objects.
    """
    found = [
        (where, value)
        for where, value in _arrays(content, ())
        if not (where and plain(where[-1]) in NO_FILES)
        if all(isinstance(item, dict) for item in value) and (value or not where or where[-1].lower() in USUAL_NAMES)
    ]
    if not found:
        return None
    # An array that holds files comes first, then the one nearest to the top.
    where, value = min(found, key=lambda item: (not any(file_id_of(record) for record in item[1]), len(item[0])))
    link = (headers or {}).get("link", "")
    more = 'header Link, rel="next"' if 'rel="next"' in link or "rel=next" in link else ""
    announces = ["link"] if more else []
    total = None
    for name, leaf in leaves(content) if isinstance(content, dict) else ():
        if name.startswith(f"{'.'.join(where)}."):
            continue
        last = name.rpartition(".")[2].lower()
        announces += [last] if last in ("total", "next", "has_more", "next_cursor") else []
        if (last in MORE and isinstance(leaf, str) and leaf) or (last in HAS_MORE and leaf is True):
            more = more or name
        if last in TOTALS and type(leaf) is int:
            total = leaf
            if leaf > len(value):
                more = more or f"{name} {leaf}"
    return Listing(".".join(where), tuple(value), more, total, tuple(announces))


def _arrays(content: Any, where: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    if isinstance(content, list):
        yield where, content
    elif isinstance(content, dict) and len(where) < DEEPEST:
        for name, value in content.items():
            yield from _arrays(value, (*where, str(name)))


def leaves(content: Any, where: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every value of nested objects that is no object, by its dotted property."""
    if isinstance(content, dict) and depth < DEEPEST:
        for name, value in content.items():
            yield from leaves(value, f"{where}.{name}" if where else str(name), depth + 1)
    else:
        yield where, content


def file_id_of(record: Mapping[str, Any]) -> str:
    """The identifier of a record; empty if it has none that can be part of a path."""
    value = record.get("_id")
    try:
        return models.identifier("_id", value) if isinstance(value, str) else ""
    except WesConfigurationError:
        return ""


def find_file(content: Any, file_id: str) -> Mapping[str, Any] | None:
    """The record of a file in the response to its read; ``None`` if that is another file."""
    record = record_of(content)
    return record if record is not None and file_id_of(record) == file_id else None


def lack_of(content: Any, file_id: str) -> str:
    """What keeps the provider from reading a file in a body; empty if nothing does, or the body has no such file."""
    found = _object_with(content, file_id)
    if found is None:
        return ""
    where, name, record = found
    lacks = [f"its identifier is called {name}, not _id"] if name != "_id" else []
    if name == "_id" and record_of(content) is not record:
        lacks.append(f"it is under {where}, which the provider does not read")
    if not isinstance(record.get("status"), str) or not record["status"].strip():
        lacks.append(_no_status(record))
    return " and ".join(lacks)


def _no_status(record: Mapping[str, Any]) -> str:
    if record.get("status") is not None:
        return f"its status is {models.shown(record['status'])}, not a text"
    alike = [str(name) for name in record if any(word in str(name).lower() for word in ("stat", "phase", "progress"))]
    return "it has no status" + (f"; it has {', '.join(alike[:3])}" if alike else "")


def _object_with(content: Any, file_id: str, where: str = "") -> tuple[str, str, Mapping[str, Any]] | None:
    """The object that holds an identifier, and the properties that lead to the object and to the identifier."""
    if where.count(".") >= DEEPEST or not isinstance(content, dict | list):
        return None
    items = list(content.items() if isinstance(content, dict) else enumerate(content[:MOST_RECORDS]))
    if isinstance(content, dict) and (name := next((str(name) for name, value in items if value == file_id), "")):
        return where, name, content
    for name, value in items:
        if found := _object_with(value, file_id, f"{where}.{name}" if where else str(name)):
            return found
    return None


def mentions(content: Any, text: str) -> bool:
    """Whether a body has a text as a whole value, or as the name of a property."""
    rest = [content]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            if text in value:
                return True
            rest.extend(value.values())
        elif isinstance(value, list):
            rest.extend(value)
        elif value == text:
            return True
    return False


def counts_of(record: Mapping[str, Any]) -> dict[str, int]:
    """The whole numbers of a record by their dotted property."""
    return {name: value for name, value in leaves(record) if type(value) is int}


def complaint_of(record: Mapping[str, Any]) -> str:
    """The text in which a record explains what went wrong; empty if it has none."""
    for name, value in leaves(record):
        if any(word in name.lower() for word in ("error", "reason", "failure")) and isinstance(value, str) and value:
            return value
    return ""


def status_of(record: Mapping[str, Any]) -> str:
    """The status of a record; empty if it has none, or a text that is too long for one."""
    status = record.get("status")
    return status.strip() if isinstance(status, str) and len(status) <= LONGEST_STATUS else ""


def list_id_name(record: Mapping[str, Any]) -> str:
    """Which of the properties that hold the list's identifier a record has; empty if it has none."""
    return next((name for name in contract.LIST_ID_FIELDS if isinstance(record.get(name), str)), "")
