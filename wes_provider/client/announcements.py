"""
What beside the files of a list announces that there are more of them. Pure.

The contract does not show how a list is divided, so these are the names that services use. A name
counts as a whole, without case, hyphens and underscores: ``hasMore``, ``has_more`` and ``HAS-MORE``
are one, and ``error_count`` is not ``error``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

# Where the next page is, or where to go on, or that there is more. After the last page the values
# are empty, false or 0.
NEXT_PAGE: Final = frozenset(
    """
    next nextpage nextpagenumber nextpageurl nexturl nexturi nexthref nextlink nextpagelink
    nextoffset odata.nextlink cursor nextcursor endcursor cursors.after nexttoken nextpagetoken
    nextmarker continuation continuationtoken scrollid hasnext hasnextpage more hasmore hasmoreitems
    hasmoreresults moreavailable lastevaluatedkey
    """.split()
)
# The same of pages before this one: a service may show the newest files first, and lead backwards.
PREVIOUS_PAGE: Final = frozenset(
    """
    previous previouspage previouspagenumber previouspageurl previousurl previousuri previoushref
    previouslink previouspagelink previousoffset odata.previouslink previouscursor previoustoken
    previouspagetoken prev prevpage prevurl prevlink prevcursor prevtoken prevpagetoken hasprevious
    hasprev hasprevpage haspreviouspage older hasolder
    """.split()
)
# A service that could not read all of its parts, or stopped early, says so beside the rest; so does
# one that replies with what it has in place of the list.
MISSING_PART: Final = frozenset(
    """
    error errors errorcode errormessage partial partialerror partialerrors partialresults incomplete
    incompleteresults truncated istruncated timedout hidden hiddencount hiddenfiles omitted
    omittedcount omittedfiles excluded excludedcount excludedfiles fallback isfallback
    fallbackresponse degraded isdegraded stale isstale
    """.split()
)
# Objects about the machines that a service consists of, such as Elasticsearch's _shards. Their
# numbers count machines, and a machine that failed may have had files. Nodes and partitions are
# left out, since they may be the files, or the pages, of a list.
OF_MACHINES: Final = frozenset("shards workers replicas".split())
FAILED_MACHINES: Final = frozenset("failed failures unavailable unreachable missing down".split())
# False if a next page follows, or one came before.
LAST_PAGE: Final = frozenset("last islast islastpage complete iscomplete".split())
FIRST_PAGE: Final = frozenset("first isfirst isfirstpage".split())
# A name is that of a number of the whole list if it consists of these words alone, and they count
# files: totalItemCount, nbHits, recordsTotal, count. Numbers of coupons have other names.
COUNTS: Final = "total|count|found|matched"
COUNTS_FILES: Final = "number|num|nb|filtered"
FILES: Final = "item|record|result|element|entrie|entry|file|hit|row|matche|match|object"
BESIDES: Final = (
    "x|of|in|all|overall|size|collection|couponfile|(?:in|of|for)(?:the|this)?list(?!s)"
)
HOW_MANY_FILES: Final = re.compile(
    rf"(?=.*(?:{COUNTS})|(?=.*(?:{COUNTS_FILES})).*(?:{FILES}))"
    rf"(?:(?:{COUNTS}|{COUNTS_FILES}|{FILES}|{BESIDES})s?)+"
)
# The same of its pages, of which one was read.
HOW_MANY_PAGES: Final = re.compile(
    rf"pages|(?:x|last|max)+pages?|"
    rf"(?=.*(?:{COUNTS}|{COUNTS_FILES}))(?:x|of|all|{COUNTS}|{COUNTS_FILES})*pages?(?:{COUNTS})*"
)
# What a number of files has as its name alone, such as hits; but for that of a limit.
FILES_ALONE: Final = frozenset("items records results elements entries hits rows matches".split())
# It is the size of a page, too, if a total is beside it.
ROWS: Final = "rows"
OF_ALL: Final = re.compile("total|found|matched")
ALLOWED: Final = re.compile(r"limit|quota|max|allow|usage|rate|plan|coupon(?!.?file)")
# In a Link header: rel="prev next", or rel=next. Names and relations have no case.
RELATIONS: Final = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,]+))", re.IGNORECASE)
OTHER_PAGES: Final = frozenset({"next", "prev", "previous"})
# In Content-Range: the first, the last, and how many there are.
RANGE: Final = re.compile(r"(\d{1,15})-(\d{1,15})/(\d{1,15})")
# What the names of headers have that describe a page in JSON: X-Pagination, Paging-Headers.
OF_PAGES: Final = "pag"
# Of a header, X-Total-Size counts bytes.
OF_BYTES: Final = "size"
# Sentences about a page, such as "Showing 1 to 20 of 131 entries", "20 of 131 files" and "Page 1 of
# 7". They count only if their numbers are those of the files that came.
IN_WORDS: Final = r"(\d{1,3}(?:[,.]\d{3})+|\d{1,9})"
OF: Final = r"\s*(?:out of|of|/|von)\s*(?:about |ca\. )?"
SPAN_IN_WORDS: Final = re.compile(
    rf"(?<![\d.,]){IN_WORDS}\s*(?:to|through|bis|-|–)\s*{IN_WORDS}{OF}{IN_WORDS}\b", re.IGNORECASE
)
PART_IN_WORDS: Final = re.compile(
    rf"(?:showing|shown|displaying|returned|returning|listing)\D{{0,20}}?{IN_WORDS}{OF}{IN_WORDS}\b"
    rf"|(?<![\d.,]){IN_WORDS}{OF}{IN_WORDS} (?:total )?"
    r"(?:files|items|records|results|elements|entries|rows)\b",
    re.IGNORECASE,
)
PAGE_IN_WORDS: Final = re.compile(rf"\b(?:page|seite)\s*{IN_WORDS}{OF}{IN_WORDS}\b", re.IGNORECASE)
# How services say that there is nothing.
EMPTY: Final = frozenset({"", "0", "false", "null", "none"})


def find_announcement(beside: Mapping[str, Any], length: int) -> str:
    """
    Find what announces that a list has more files than a response.

    :param beside: what the response has beside the files, and headers.
    :param length: how many files the response has.
    :return: the name, as the service spells it; empty if nothing announces more.
    """
    members = list(_walk(beside, ""))
    sizes = sizes_of_pages({path: value for path, _, value in members})
    for path, name, value in members:
        if path not in sizes and _announces_more(path, value, length):
            return name
    return ""


def sizes_of_pages(members: Mapping[str, Any]) -> set[str]:
    """
    Return which numbers are the size of a page, though their name alone may be that of a total:
    ``rows`` in the same object as a total, as in ``{"numFound": 143, "rows": 20}``.

    :param members: values by their dotted, plain paths.
    """
    with_total = {
        path.rpartition(".")[0] for path, value in members.items() if _says_total(path, value)
    }
    return {
        path
        for path in members
        if path.rpartition(".")[2] == ROWS and path.rpartition(".")[0] in with_total
    }


def _says_total(path: str, value: Any) -> bool:
    """Tell whether a number is that of all files, and says so by its name."""
    name = path.rpartition(".")[2]
    is_named_so = OF_ALL.search(name) is not None and HOW_MANY_FILES.fullmatch(name) is not None
    return is_named_so and str(value).isdecimal()


def headers_about_pages(headers: Mapping[str, str]) -> dict[str, Any]:
    """
    Return what headers have of a list as a whole, by the header's name: those that are called as an
    announcement is, such as ``X-Total-Count: 340`` and ``Has-More: true``, and the JSON objects of
    those about pages, such as ``X-Pagination: {"TotalCount": 340}``.
    """
    about = {}
    for name, value in headers.items():
        content = _json_in(value)
        is_object_of_page = OF_PAGES in name.lower() and isinstance(content, dict)
        if is_object_of_page or _is_header_of_list(name):
            about[name] = content
    return about


def _json_in(text: str) -> Any:
    """Return what a header's value is in JSON, such as a number or an object; or else its text."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


def _is_header_of_list(header: str) -> bool:
    """Return whether a header is called as something is that announces more files."""
    name = _without_x(plain_name(header))
    if OF_BYTES in name:
        return False
    if HOW_MANY_FILES.fullmatch(name) or HOW_MANY_PAGES.fullmatch(name):
        return True
    return name in MISSING_PART | NEXT_PAGE | PREVIOUS_PAGE | LAST_PAGE | FIRST_PAGE


def _without_x(name: str) -> str:
    """Return a plain name without the ``X-`` that headers of services often begin with."""
    return name.removeprefix("x")


def _walk(content: Mapping[str, Any], above: str) -> Iterator[tuple[str, str, Any]]:
    """
    Yield what an object and the objects in it have: dotted path, name as it is spelt, value.

    An object in a list counts only as a link whose ``rel`` is that of another page.
    """
    for name, value in content.items():
        path = f"{above}.{plain_name(name)}"
        yield path, name, value
        if isinstance(value, Mapping):
            yield from _walk(value, path)
        elif isinstance(value, list) and any(map(_is_link_to_other_page, value)):
            yield f"{path}.next", name, True


def plain_name(name: object) -> str:
    """Return a name as the table has it: without case, hyphens, underscores and ``@``."""
    return str(name).lower().replace("-", "").replace("_", "").lstrip("@")


def _is_link_to_other_page(item: Any) -> bool:
    return isinstance(item, Mapping) and _is_of_other_page(str(item.get("rel", "")))


def _is_of_other_page(relations: str) -> bool:
    """
    Return whether the relations of a link, divided by spaces, have that to a next or previous page.
    """
    return not OTHER_PAGES.isdisjoint(relations.lower().split())


def has_link_to_other_page(header: str) -> bool:
    """Return whether a ``Link`` header has a link to a next or previous page (RFC 8288)."""
    return any(_is_of_other_page(quoted or plain) for quoted, plain in RELATIONS.findall(header))


def has_further_range(header: str) -> bool:
    """Return whether ``Content-Range`` says that there is more than what came: items 0-0/5."""
    described = RANGE.search(header)
    if described is None:
        return False
    first, last, total = (int(number) for number in described.groups())
    return first > 0 or last + 1 < total


def total_in_words(text: str, length: int) -> int | None:
    """
    Return how many files a whole list has, by a sentence about the page that came; ``None`` if it
    says nothing of the kind, or is about another number of files than came.

    :param length: how many files came.
    """
    for numbers in SPAN_IN_WORDS.findall(text):
        first, last, total = map(_plain_number, numbers)
        if last - first + 1 == length:
            return max(total, last)
    for numbers in PART_IN_WORDS.findall(text):
        part, total = (_plain_number(number) for number in numbers if number)
        if part == length:
            return total
    return None


def _plain_number(number: str) -> int:
    """Return a number that may have separators of thousands."""
    return int(number.replace(",", "").replace(".", ""))


def _says_more_in_words(text: str, length: int) -> bool:
    """Return whether a sentence beside the files says that there are more of them."""
    total = total_in_words(text, length)
    if total is not None:
        return total > length
    pages = [map(_plain_number, numbers) for numbers in PAGE_IN_WORDS.findall(text)]
    return any(number_of_pages > 1 for _, number_of_pages in pages)


def _announces_more(path: str, value: Any, length: int) -> bool:
    """
    Return whether a value beside the files of a list says that there are more.

    :param path: dotted and plain; the last name counts, or the last two.
    """
    if says_part_is_missing(path, value):
        return True
    if isinstance(value, str) and _says_more_in_words(value, length):
        return True
    if counts_files(path):
        return _number(value) > length
    if counts_pages(path):
        return _number(value) > 1
    above, _, name = path.rpartition(".")
    names = {_without_x(name), f"{above.rpartition('.')[2]}.{name}"}
    if names & (LAST_PAGE | FIRST_PAGE):
        return str(value).strip().lower() == "false"
    if names & (NEXT_PAGE | PREVIOUS_PAGE):
        return says_something(value)
    return False


def says_part_is_missing(path: str, value: Any) -> bool:
    """
    Return whether a value beside files says that the service could not read some, or left them out.

    :param path: dotted and plain; the last name counts, and whether an object is about machines.
    """
    name = _without_x(path.rpartition(".")[2])
    missing = MISSING_PART
    if _is_about_machines(path):
        missing = MISSING_PART | FAILED_MACHINES
    return name in missing and says_something(value)


def _is_about_machines(path: str) -> bool:
    """Return whether a value belongs to an object about machines, such as ``_shards.total``."""
    return not OF_MACHINES.isdisjoint(path.split(".")[:-1])


def counts_files(path: str) -> bool:
    """
    Return whether a number is how many files a whole list has, by its name.

    :param path: dotted and plain; the last name counts, or the last two.
    """
    if _is_about_machines(path):
        return False
    above, _, name = path.rpartition(".")
    if HOW_MANY_FILES.fullmatch(name):
        return True
    if name == "value":
        return HOW_MANY_FILES.fullmatch(above.rpartition(".")[2]) is not None
    return name in FILES_ALONE and ALLOWED.search(above) is None


def counts_pages(path: str) -> bool:
    """Return whether a number is how many pages a list has, by its name."""
    if _is_about_machines(path):
        return False
    above, _, name = path.rpartition(".")
    if above.rpartition(".")[2] == "pages":
        return name == "total"
    return HOW_MANY_PAGES.fullmatch(name) is not None


def _number(value: Any) -> float:
    """Return a number, which may come as a string; zero for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return 0.0
    try:
        return float(value)
    except (ValueError, OverflowError):
        return 0.0


def says_something(value: Any) -> bool:
    """Return whether a value is more than a way to say that there is nothing."""
    if isinstance(value, Mapping):
        return any(says_something(inner) for inner in value.values())
    if isinstance(value, list):
        return bool(value)
    return str(value).strip().lower() not in EMPTY
