"""What a list that is a page only says of its other pages, and which larger page to try. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import msgspec

from wes_provider.client.announcements import (
    counts_files,
    plain_name,
    says_part_is_missing,
    sizes_of_pages,
    total_in_words,
)
from wes_provider.doctor.reads.evidence import PAGE_SIZES, Evidence, Listed, listed_in
from wes_provider.doctor.reads.facts import is_objection
from wes_provider.doctor.replies.members import last_name
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.texts import redact, shown

__all__ = [
    "PageSize",
    "confirmed_page",
    "is_confirmed",
    "is_end_shown",
    "is_largest_by_reply",
    "is_only_page",
    "larger_pages",
    "larger_total",
    "largest_page",
    "list_with_more",
    "may_be_page",
    "missing_part",
    "most_allowed",
    "next_pages",
    "page_behind",
    "pages_behind",
    "parameters_of",
    "range_unit",
    "total_of",
]

LARGE_PAGE: Final = 1000
LONGEST_PART: Final = 100  # characters that are quoted
FOR_ONE: Final = 1
# Sizes that pages usually have.
USUAL_SIZES: Final = frozenset({10, 20, 25, 30, 50, 100, 200, 250, 500})
# Of parts that are no bytes: items 0-1/7.
RANGE: Final = re.compile(r"(?!bytes)[\w-]+ (?:\d+-\d+|\*)/(\d+|\*)", re.IGNORECASE)
# What a refusal says of a parameter that the service does not have.
UNKNOWN: Final = re.compile(
    r"unknown|unrecogni[sz]ed|unsupported|unexpected|not (?:supported|allowed|known|recogni[sz]ed)|"
    r"no such|invalid (?:query )?parameter|unbekannt|inconnu|desconocid",
    re.IGNORECASE,
)
NEXT: Final = re.compile(r"<([^>]*)>[^,]*rel=\"?next")


class PageSize(NamedTuple):
    """
    The size of a page in a query, such as ``limit=500``.

    :ivar parameter: its name.
    :ivar most: files of a page.
    """

    parameter: str
    most: int

    def __str__(self) -> str:
        return f"{self.parameter}={self.most}"


def confirmed_page(listed: Listed) -> str:
    """
    Return the path with the page's size that the reply confirms, if it is smaller than the size
    asked for; empty if it is not, or the reply says none.
    """
    if listed.probe.question is not Question.WHOLE_LIST or not listed.is_page_smaller:
        return ""
    return f"{listed.path.rpartition('=')[0]}={listed.page_size}"


def is_confirmed(evidence: Evidence, listed: Listed) -> bool:
    """Tell whether a reply says that a page has as many places as the path asks for."""
    asked = listed.path.rpartition("=")[2]
    allowed = [str(most_allowed(probe)) for probe in evidence.of(Question.WHOLE_LIST)]
    return asked in (str(listed.page_size), *allowed)


def may_be_page(listed: Listed) -> bool:
    """Tell whether a list has as many files as pages usually have, and does not say how many."""
    if len(listed.files) not in USUAL_SIZES or total_of(listed) is not None:
        return False
    if is_only_page(listed):
        return False
    return not _sizes_among(parameters_of(listed.path))


# Names of how many pages there are, and of which one this is.
NUMBERS_OF_PAGES: Final = ("totalpages", "pages", "pagecount", "lastpage", "totalpage")
NUMBERS_OF_PAGE: Final = ("page", "currentpage", "pagenumber")


def is_only_page(listed: Listed) -> bool:
    """Tell whether a reply says that it is the first page of one."""
    numbers = {
        last_name(where): value for where, value in listed.members.items() if type(value) is int
    }
    is_one = any(numbers.get(name) == 1 for name in NUMBERS_OF_PAGES)
    is_first = all(numbers.get(name, 1) == 1 for name in NUMBERS_OF_PAGE)
    return is_one and is_first


def list_with_more(evidence: Evidence, listed: Listed) -> Listed | None:
    """Return the list that a larger page shows, with more than the files of the first one."""
    ids = set(listed.file_ids)
    for probe in evidence.of(Question.WHOLE_LIST):
        larger = listed_in(probe.tried, probe)
        if larger is not None and ids < set(larger.file_ids):
            return larger
    return None


def pages_behind(listed: Listed) -> list[str]:
    """
    Return the paths of what comes behind the files of a list, by the usual parameters: one file
    from an offset on, and the second page of the list's size.
    """
    separator = "&" if "?" in listed.path else "?"
    number = len(listed.files)
    start = f"{listed.path}{separator}{PAGE_SIZES[0]}="
    return [f"{start}{FOR_ONE}&offset={number}", f"{start}{number}&page=2"]


def is_end_shown(evidence: Evidence, listed: Listed) -> bool:
    """
    Tell whether a page behind the files of a list has none: so the service heeds where a page
    begins, and the list ends there. That it heeds the size of a page shows less: it may have a
    largest size, and cut what is asked for beyond that.
    """
    return any(page.records.number == 0 for page in _read_behind(evidence, listed))


def page_behind(evidence: Evidence, listed: Listed) -> Listed | None:
    """Return a page with a file behind those of a list; ``None`` if no read shows one."""
    ids = set(listed.file_ids)
    for page in _read_behind(evidence, listed):
        if any(file.id not in ids for file in page.files):
            return page
    return None


def _read_behind(evidence: Evidence, listed: Listed) -> list[Listed]:
    """Return the pages behind the files of a list that were read."""
    behind = pages_behind(listed)
    reads = [probe for probe in evidence.of(Question.WHOLE_LIST) if probe.tried in behind]
    pages = [listed_in(probe.tried, probe) for probe in reads]
    return [page for page in pages if page is not None]


def larger_pages(evidence: Evidence, listed: Listed) -> list[str]:
    """
    Return the paths of an incomplete list with a larger page, the likeliest first: as large as a
    refusal of such a page allows, then by the parameter that the service names, then by the usual
    one.

    :return: none if the path already has a page's size.
    """
    if _sizes_among(parameters_of(listed.path)):
        return []
    separator = "?"
    if "?" in listed.path:
        separator = "&"
    path = f"{listed.path}{separator}"
    names = [*_named_sizes(listed)[:1], PAGE_SIZES[0]]
    sizes = [PageSize(name, LARGE_PAGE) for name in names]
    least = total_of(listed) or 1
    for probe in evidence.of(Question.WHOLE_LIST):
        if probe.tried.startswith(path):
            named = _size_in_words(probe)
            if named is not None and named.most >= least:
                sizes.insert(0, named)
    return list(dict.fromkeys(f"{path}{size}" for size in sizes))


def _size_in_words(refused: Probe) -> PageSize | None:
    """Return the size to try after a refusal of another one, by its words; ``None`` without any."""
    most = most_allowed(refused)
    parameter = _parameter_in_words(refused)
    if parameter:
        return PageSize(parameter, most or LARGE_PAGE)
    if most:
        return PageSize(_sent_parameter(refused), most)
    return None


def _sent_parameter(probe: Probe) -> str:
    """Return the name of the last parameter that a read was sent with."""
    return re.split("[?&]", probe.tried)[-1].partition("=")[0]


def _parameter_in_words(refused: Probe) -> str:
    """
    Return the parameter of a page's size that a refusal names, if it does not know the one that was
    sent; empty if it does, or names none.
    """
    if not is_objection(refused) or UNKNOWN.search(refused.message) is None:
        return ""
    names = _sizes_among(re.findall(r"[\w-]+", refused.message))
    others = [name for name in names if name != _sent_parameter(refused)]
    return next(iter(others), "")


def _named_sizes(listed: Listed) -> list[str]:
    """
    Return the parameters of a page's size that a response names: of its next page, or in its body.
    """
    names = [name for url in next_pages(listed.probe) for name in parameters_of(url)]
    names += [where.rpartition(".")[2] for where in listed.members]
    return _sizes_among(names)


def _sizes_among(names: Iterable[str]) -> list[str]:
    """Return the names that are usual for a page's size."""
    return [name for name in names if name.lower() in PAGE_SIZES]


def parameters_of(url: str) -> list[str]:
    """Return the names of a URL's parameters."""
    return [name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)]


def most_allowed(probe: Probe) -> int:
    """Return the size of a page that an error allows at most; 0 if it names none."""
    if not is_objection(probe):
        return 0
    numbers = [int(digits) for digits in re.findall(r"\b\d{1,4}\b", probe.message)]
    return max((number for number in numbers if number < LARGE_PAGE), default=0)


def largest_page(listed: Listed, larger: Probe) -> PageSize | None:
    """
    Return how many files a page has at most, by the read of a larger one: as an error allows, or
    as the service replied with fewer than it was asked for, and named more; ``None`` if it shows
    none.

    :param listed: the page without a size.
    """
    parameter = _sent_parameter(larger)
    replied = listed_in(larger.tried, larger)
    if replied is None:
        most = most_allowed(larger)
        if not most:
            return None
        return PageSize(_parameter_in_words(larger) or parameter, most)
    asked = larger.tried.rpartition("=")[2]
    number = len(replied.files)
    is_cut = bool(replied.incomplete) and number > len(listed.files)
    if is_cut and asked.isdecimal() and number < int(asked):
        return PageSize(parameter, number)
    return None


def is_largest_by_reply(listed: Listed, larger: Probe) -> bool:
    """
    Tell whether the read of a larger page got the largest one, and its reply repeats that size
    under the name of the parameter: so another parameter shows no more.

    :param listed: the page without a size.
    """
    largest = largest_page(listed, larger)
    replied = listed_in(larger.tried, larger)
    if largest is None or replied is None:
        return False
    repeated = {
        value
        for where, value in replied.members.items()
        if last_name(where) == plain_name(largest.parameter)
    }
    return repeated == {largest.most}


def larger_total(listed: Listed) -> int | None:
    """Return the number of files that a response gives if it has fewer; ``None`` otherwise."""
    total = total_of(listed)
    if total is not None and total > len(listed.files):
        return total
    return None


def total_of(listed: Listed) -> int | None:
    """Return the number of files that a response gives for the whole list; ``None`` without one."""
    members = {_plain_path(where): value for where, value in listed.members.items()}
    sizes = sizes_of_pages(members)
    numbers = [
        value for path, value in members.items() if path not in sizes and _counts_files(path, value)
    ]
    in_words = [
        total_in_words(value, len(listed.files))
        for value in members.values()
        if isinstance(value, str)
    ]
    numbers.extend(total for total in in_words if total is not None)
    in_header = RANGE.match(listed.probe.response.headers.get("content-range", ""))
    if in_header and in_header[1].isdecimal():
        numbers.append(int(in_header[1]))
    return max(numbers, default=None)


def range_unit(listed: Listed) -> str:
    """
    Return the unit of the header Range by which a list sends its parts, such as ``items``; empty if
    it does not.
    """
    headers = listed.probe.response.headers
    named = RANGE.match(headers.get("content-range", ""))
    unit = named[0].split()[0] if named else headers.get("accept-ranges", "").strip().lower()
    if unit in ("none", "bytes"):
        return ""
    return unit


def _plain_path(where: str) -> str:
    """Return a dotted property with plain names, and with a dot before it."""
    return "." + ".".join(map(plain_name, where.split(".")))


def missing_part(listed: Listed) -> str:
    """
    Quote the property by which a reply says that the service could not read a part of the list, or
    left it out, such as ``_shards.failed 1``; empty if none does.
    """
    for where, value in listed.members.items():
        if says_part_is_missing(_plain_path(where), value):
            said = redact(listed.probe.clean(msgspec.json.encode(value).decode()))
            return f"{shown(where, quoted=False)} {shown(said, LONGEST_PART, quoted=False)}"
    return ""


def _counts_files(path: str, value: Any) -> bool:
    return type(value) is int and counts_files(path)


def next_pages(probe: Probe) -> list[str]:
    """Tell what a response names as its next page: a link of its header, and texts of its body."""
    linked = NEXT.findall(probe.response.headers.get("link", ""))
    content = {}
    if isinstance(probe.content, dict):
        content = probe.content
    named = [value for name, value in content.items() if "next" in str(name).lower()]
    return [*linked, *(value for value in named if isinstance(value, str))]
