"""Whether a list goes on where its reply points, such as behind a cursor. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit, urlunsplit

from wes_provider.client.announcements import (
    NEXT_PAGE,
    PREVIOUS_PAGE,
    find_announcement,
    has_further_range,
    plain_name,
    says_something,
)
from wes_provider.doctor.reads import pages
from wes_provider.doctor.reads.evidence import Evidence, Listed, listed_in
from wes_provider.doctor.replies.members import plain_names
from wes_provider.doctor.replies.probes import Probe, Question

__all__ = [
    "Behind",
    "NextPage",
    "further_files",
    "is_only_pointed_at",
    "next_page",
    "reads_behind",
    "what_is_behind",
]

OK: Final = 200
URL: Final = re.compile(r"https?://|[/?]")
NEXT: Final = re.compile(r"^@?next[_-]?(?=.)", re.IGNORECASE)
# Plain names of cursors that are sent under another name than they come with.
SENT_AS: Final[Mapping[str, str]] = {"endcursor": "after"}
# Plain names of what names no parameter, whatever its value is.
NO_PARAMETERS: Final = frozenset("next url uri href link pageurl pagelink odata.nextlink".split())
PARAMETER: Final = re.compile(r"[\w.\[\]-]{1,40}")
YES_OR_NO: Final = ("true", "false")


class Behind(Enum):
    """What a list has where its reply points."""

    UNKNOWN = "not read, or the reply left it open"
    NOTHING = "no file"
    FILES = "further files"


class NextPage(NamedTuple):
    """
    The read of what a reply points at.

    :ivar parameter: the first one that it adds; empty for none. Its value may be secret.
    """

    url: str
    parameter: str


def is_only_pointed_at(listed: Listed) -> bool:
    """
    Tell whether nothing but where to go on announces more files, such as a cursor or a link: some
    services send these with the last page, too. A total, ``has_more`` and a 206 say that there are
    more.
    """
    if not listed.incomplete or listed.probe.status != OK:
        return False
    if pages.larger_total(listed) is not None:
        return False
    if has_further_range(listed.probe.response.headers.get("content-range", "")):
        return False
    outright = {
        where: value for where, value in listed.members.items() if not _points(where, value)
    }
    return not find_announcement(outright, len(listed.files))


def _points(where: str, value: Any) -> bool:
    """Tell whether a property says where another page is, and not only that there is one."""
    if isinstance(value, list):
        return True  # of links, or of the files themselves
    if isinstance(value, bool) or str(value).strip().lower() in YES_OR_NO:
        return False
    return _is_named_as(where, NEXT_PAGE | PREVIOUS_PAGE)


def _is_named_as(where: str, names: frozenset[str]) -> bool:
    """Tell whether the last name of a dotted property, or the last two, are among some."""
    *_, above, name = ["", *plain_names(where)]
    return not names.isdisjoint({name, name.removeprefix("x"), f"{above}.{name}"})


def next_page(listed: Listed) -> NextPage | None:
    """
    Return the read of what a reply points at: by a link at the same address, or else by a cursor
    under its own name; ``None`` if it points at nothing that can be read.
    """
    pointers = {
        where: value
        for where, value in listed.members.items()
        if _points(where, value) and _is_named_as(where, NEXT_PAGE) and says_something(value)
    }
    named = [*pages.next_pages(listed.probe), *pointers.values()]
    for value in named:
        if isinstance(value, str) and URL.match(value):
            found = _at_same_address(listed, value)
            if found is not None:
                return found
    for where, value in pointers.items():
        parameter = _parameter_of(where)
        is_value = isinstance(value, str) or type(value) is int
        if PARAMETER.fullmatch(parameter) and is_value and not URL.match(str(value)):
            return _with_parameter(listed, parameter, str(value))
    return None


def _at_same_address(listed: Listed, url: str) -> NextPage | None:
    """Return the read of a URL if it is of the same list at the same address; else ``None``."""
    sent = listed.probe.request
    found = urljoin(sent.url, url)
    here, there = urlsplit(sent.url), urlsplit(found)
    is_of_list = there.path == here.path or f"/{quote(sent.coupon_list_id, safe='')}" in there.path
    if here[:2] != there[:2] or not is_of_list or found == sent.url:
        return None
    before = parse_qsl(here.query, keep_blank_values=True)
    added = [
        name
        for name, value in parse_qsl(there.query, keep_blank_values=True)
        if (name, value) not in before
    ]
    return NextPage(found, next(filter(PARAMETER.fullmatch, added), ""))


def _parameter_of(where: str) -> str:
    """
    Return the parameter that a cursor is sent with, as the reply spells it: ``cursor`` of
    ``next_cursor``, ``pageToken`` of ``nextPageToken``; empty for none.
    """
    name = where.rpartition(".")[2]
    if name.lower().startswith("x-"):
        name = name[2:].lower()
    name = NEXT.sub("", name).lstrip("@")
    if plain_name(name) in NO_PARAMETERS:
        return ""
    return SENT_AS.get(plain_name(name), f"{name[:1].lower()}{name[1:]}")


def _with_parameter(listed: Listed, parameter: str, value: str) -> NextPage:
    """Return the read of the same URL with a parameter, in place of the same one."""
    sent = urlsplit(listed.probe.request.url)
    before = parse_qsl(sent.query, keep_blank_values=True)
    others = [(name, each) for name, each in before if name != parameter]
    query = urlencode([*others, (parameter, value)], quote_via=quote)
    return NextPage(urlunsplit(sent._replace(query=query)), parameter)


def what_is_behind(evidence: Evidence, listed: Listed) -> Behind:
    """
    Tell what a list has where its reply points. The same files again, as of a service that does not
    have this parameter, leave it open; so do an error, and an empty page that points elsewhere.
    """
    if not is_only_pointed_at(listed):
        return Behind.UNKNOWN
    if further_files(evidence, listed):
        return Behind.FILES
    if any(_is_end(listed, page) for page in _read_behind(evidence, listed)):
        return Behind.NOTHING
    return Behind.UNKNOWN


def further_files(evidence: Evidence, listed: Listed) -> int:
    """Tell how many files a page has, where a list points, that the list has not."""
    known = set(listed.file_ids)
    numbers = [len(set(page.file_ids) - known) for page in _read_behind(evidence, listed)]
    return max(numbers, default=0)


def _is_end(listed: Listed, page: Listed) -> bool:
    """Tell whether a page has no record, and is the end of the list."""
    if page.records.number or page.unreadable:
        return False
    has_all_by_total = pages.total_of(listed) == len(listed.files)
    following = next_page(page)
    is_same_again = following is not None and following.url == page.probe.request.url
    return has_all_by_total or following is None or is_same_again


def _read_behind(evidence: Evidence, listed: Listed) -> list[Listed]:
    """Return the pages that were read where a list points."""
    reads = [listed_in(listed.path, probe) for probe in reads_behind(evidence)]
    return [page for page in reads if page is not None]


def reads_behind(evidence: Evidence) -> list[Probe]:
    """Return the answers to reads of what a list points at."""
    return evidence.of(Question.NEXT_PAGE)
