"""
What beside the files of a list announces that there are more of them. Pure.

The contract does not show how a list is divided, so these are the names that services use. A name
counts as a whole, without case, hyphens and underscores: ``hasMore``, ``has_more`` and ``HAS-MORE``
are one, and ``error_count`` is not ``error``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final


class Announces(Enum):
    """What the value of a name says."""

    A_NEXT_PAGE = "where the next page is, or that there is one"
    A_PART = "that files are missing"
    HOW_MANY_FILES = "how many files there are"
    HOW_MANY_PAGES = "how many pages there are"


NAMES: Final[Mapping[str, Announces]] = {
    # The next page, as an address, a number, or an object that has one of them.
    "next": Announces.A_NEXT_PAGE,
    "nextpage": Announces.A_NEXT_PAGE,
    "nextpagenumber": Announces.A_NEXT_PAGE,
    "nextpageurl": Announces.A_NEXT_PAGE,
    "nexturl": Announces.A_NEXT_PAGE,
    "nexturi": Announces.A_NEXT_PAGE,
    "nexthref": Announces.A_NEXT_PAGE,
    "nextlink": Announces.A_NEXT_PAGE,
    "nextoffset": Announces.A_NEXT_PAGE,
    "odata.nextlink": Announces.A_NEXT_PAGE,
    # Where to go on, for services that have no numbers of pages; after the last page it is empty.
    "cursor": Announces.A_NEXT_PAGE,
    "nextcursor": Announces.A_NEXT_PAGE,
    "endcursor": Announces.A_NEXT_PAGE,
    "cursors.after": Announces.A_NEXT_PAGE,
    "nexttoken": Announces.A_NEXT_PAGE,
    "nextpagetoken": Announces.A_NEXT_PAGE,
    "nextmarker": Announces.A_NEXT_PAGE,
    "continuation": Announces.A_NEXT_PAGE,
    "continuationtoken": Announces.A_NEXT_PAGE,
    "scrollid": Announces.A_NEXT_PAGE,
    # Whether there is a next page.
    "hasnext": Announces.A_NEXT_PAGE,
    "hasnextpage": Announces.A_NEXT_PAGE,
    "more": Announces.A_NEXT_PAGE,
    "hasmore": Announces.A_NEXT_PAGE,
    "hasmoreitems": Announces.A_NEXT_PAGE,
    "hasmoreresults": Announces.A_NEXT_PAGE,
    "moreavailable": Announces.A_NEXT_PAGE,
    # A service that could not read all of its parts, or stopped early.
    "error": Announces.A_PART,
    "errors": Announces.A_PART,
    "partial": Announces.A_PART,
    "partialerror": Announces.A_PART,
    "partialerrors": Announces.A_PART,
    "partialresults": Announces.A_PART,
    "incomplete": Announces.A_PART,
    "incompleteresults": Announces.A_PART,
    "truncated": Announces.A_PART,
    "istruncated": Announces.A_PART,
    # The number of files of the whole list. Numbers of coupons have other names.
    "total": Announces.HOW_MANY_FILES,
    "total.value": Announces.HOW_MANY_FILES,
    "totalcount": Announces.HOW_MANY_FILES,
    "totalelements": Announces.HOW_MANY_FILES,
    "totalentries": Announces.HOW_MANY_FILES,
    "totalfiles": Announces.HOW_MANY_FILES,
    "totalhits": Announces.HOW_MANY_FILES,
    "totalitems": Announces.HOW_MANY_FILES,
    "totalrecords": Announces.HOW_MANY_FILES,
    "totalresults": Announces.HOW_MANY_FILES,
    "totalsize": Announces.HOW_MANY_FILES,
    "recordstotal": Announces.HOW_MANY_FILES,
    "filestotal": Announces.HOW_MANY_FILES,
    "count": Announces.HOW_MANY_FILES,
    "filecount": Announces.HOW_MANY_FILES,
    "filescount": Announces.HOW_MANY_FILES,
    "numfound": Announces.HOW_MANY_FILES,
    "xtotalcount": Announces.HOW_MANY_FILES,
    # The number of pages. Only one was read.
    "pages": Announces.HOW_MANY_PAGES,
    "pages.total": Announces.HOW_MANY_PAGES,
    "pagecount": Announces.HOW_MANY_PAGES,
    "pagescount": Announces.HOW_MANY_PAGES,
    "numpages": Announces.HOW_MANY_PAGES,
    "pagetotal": Announces.HOW_MANY_PAGES,
    "totalpages": Announces.HOW_MANY_PAGES,
    "lastpage": Announces.HOW_MANY_PAGES,
}
"""
By name, or by the end of a dotted path. The groups are the reasons.

A file has no such property; objects beside the files are searched, whatever they are called.
"""

EMPTY: Final = frozenset({"", "0", "false", "null", "none"})


def find_announcement(beside: Mapping[str, Any], length: int) -> str:
    """
    Find what announces that a list has more files than a response.

    :param beside: what the response has beside the files, and headers.
    :param length: how many files the response has.
    :return: the name, as the service spells it; empty if nothing announces more.
    """
    for path, name, value in _walk(beside, ""):
        if _announces_more(path, value, length):
            return name
    return ""


def _walk(content: Mapping[str, Any], above: str) -> Iterator[tuple[str, str, Any]]:
    """
    Yield what an object and the objects in it have: dotted path, name as it is spelt, value.

    An object in a list counts only as a link whose ``rel`` is ``next``.
    """
    for name, value in content.items():
        path = f"{above}.{plain_name(name)}"
        yield path, name, value
        if isinstance(value, Mapping):
            yield from _walk(value, path)
        elif isinstance(value, list) and any(_is_link_to_next(item) for item in value):
            yield f"{path}.next", name, True


def plain_name(name: object) -> str:
    """Return a name as the table has it: without case, hyphens, underscores and ``@``."""
    return str(name).lower().replace("-", "").replace("_", "").lstrip("@")


def _is_link_to_next(item: Any) -> bool:
    return isinstance(item, Mapping) and str(item.get("rel", "")).lower() == "next"


def _announces_more(path: str, value: Any, length: int) -> bool:
    last_two = ".".join(path.split(".")[-2:])
    kind = NAMES.get(last_two) or NAMES.get(path.rpartition(".")[2])
    if kind is Announces.HOW_MANY_FILES:
        return _number(value) > length
    if kind is Announces.HOW_MANY_PAGES:
        return _number(value) > 1
    return kind is not None and _says_something(value)


def _number(value: Any) -> float:
    """Return a number, which may come as a string; zero for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return 0.0
    try:
        return float(value)
    except (ValueError, OverflowError):
        return 0.0


def _says_something(value: Any) -> bool:
    """Return whether a value is more than a way to say that there is nothing."""
    if isinstance(value, Mapping):
        return any(_says_something(inner) for inner in value.values())
    if isinstance(value, list):
        return bool(value)
    return str(value).strip().lower() not in EMPTY
