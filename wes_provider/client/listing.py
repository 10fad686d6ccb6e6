"""
A coupon list's files, read from a response of any length in constant memory.

The contract does not show this response. An array of records is found at the top, or under a usual name in an object,
or in an object one level below. A search that finds nothing proves something only if the listing is whole, so
everything that announces more records makes it incomplete.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from wes_provider import contract
from wes_provider.client.error_body import plain, with_id_as_text

__all__ = ["MAX_LISTING", "CouponFileListing", "NotAListingError", "TooLongError", "read_listing"]

MAX_LISTING: Final = 512 * contract.MIB  # of a body, as sent and as decoded
MAX_VALUE: Final = contract.MIB  # characters of one record, or of one value beside the records
MAX_MEMBERS: Final = 10_000  # of the object around the records


class NotAListingError(ValueError):
    """
    The body is JSON, but holds no array of records that each have an ``_id``.

    :ivar problem: what is missing.
    :ivar content: what came instead.
    """

    def __init__(self, problem: str, content: Any) -> None:
        super().__init__(problem)
        self.problem, self.content = problem, content


class TooLongError(Exception):
    """The body exceeds :data:`MAX_LISTING`."""


@dataclass(frozen=True)
class CouponFileListing:
    """
    What one reading of a list's files found.

    :ivar files: the records that were asked for, as the service sent them.
    :ivar count: how many records the response held, including those that were not asked for.
    :ivar complete: whether these are all files of the list, as far as the response shows.
    :ivar incomplete_because: what shows that there are more, such as ``"too long"`` or ``"total is 300"``; empty if
        the listing is complete.
    """

    files: list[dict[str, Any]]
    count: int
    complete: bool
    incomplete_because: str = ""


def read_listing(
    chunks: Iterable[bytes],
    keep: Callable[[Mapping[str, Any]], bool],
    *,
    status_code: int = 200,
    headers: Mapping[str, str] | None = None,
    url: str = "",
) -> CouponFileListing:
    """
    Read a listing from the chunks of its body.

    :param chunks: the body without its content encoding. May raise :class:`TooLongError`.
    :param keep: whether a record is part of the result.
    :param status_code: the status code of the response; any but 200, such as 206 (Partial Content), means that it is
        not whole.
    :param headers: the headers of the response; names in lower case.
    :param url: the URL of the request. Its query may limit the number of records.
    :raises NotAListingError: if the body holds no array of records.
    :raises ValueError: if the body is no JSON.
    """
    records = _Records(keep)
    around: Any = {}
    try:
        text = _JsonText(chunks)
        around = _read_top(text, records)
        text.end()
    except TooLongError:
        why = "too long"
    else:
        if not records.arrays:
            raise NotAListingError("no array of coupon files", around)
        why = more_announced(around, records, headers or {}, url)
        why = why if status_code == 200 else f"its status is {status_code}"
    return CouponFileListing(records.kept, records.count, not why, why)


# -- JSON, piece by piece --------------------------------------------------------------------------------


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_decode = json.JSONDecoder(parse_constant=_no_constant).raw_decode
_WHITE_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER_GOES_ON = re.compile(r"[-+.eE0-9]*\Z")  # after a number that is decoded from a text that is not yet whole


class _JsonText:
    """JSON text that arrives in chunks; what has been read is dropped."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._pieces = _decoded(chunks)
        self._text = ""
        self._at = 0

    def next(self) -> str:
        """The next character that is not white space, which stays unread; empty at the end."""
        while True:
            self._at = _WHITE_SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]  # matches anything
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, *expected: str) -> str:
        """Read the next character, one of ``expected``."""
        found = self.next()
        if found not in expected:
            raise json.JSONDecodeError(f"Expecting {' or '.join(expected)}", self._text, self._at)
        self._at += 1
        return found

    def value(self) -> Any:
        """Read a whole value."""
        self.next()
        while True:
            try:
                value, end = _decode(self._text, self._at)
            except json.JSONDecodeError:
                if not self._more():
                    raise
            else:
                # A number at the end of the text may go on: what looks like its end may be "-0." of "-0.5".
                if self._text[end - 1] in '"]}' or not _NUMBER_GOES_ON.match(self._text, end) or not self._more():
                    self._at = end
                    return value

    def end(self) -> None:
        if self.next():
            raise json.JSONDecodeError("Extra data", self._text, self._at)

    def _more(self) -> bool:
        """Double the unread text, at least; decoding a long value then takes linear time."""
        pieces = [self._text[self._at :]]
        self._at, length = 0, len(pieces[0])
        if length > MAX_VALUE:
            raise ValueError(f"a value of more than {MAX_VALUE} characters")
        wanted = 2 * length
        for piece in self._pieces:
            pieces.append(piece)
            length += len(piece)
            if length > wanted:
                break
        self._text = "".join(pieces)
        return len(pieces) > 1


def _decoded(chunks: Iterable[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    for chunk in chunks:
        if text := decoder.decode(chunk):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text


# -- records ---------------------------------------------------------------------------------------------

RECORD_NAMES: Final = frozenset("data items results files couponfiles records entries content".split())


class _Records:
    """The records of all arrays that were read so far."""

    def __init__(self, keep: Callable[[Mapping[str, Any]], bool]) -> None:
        self._keep = keep
        self.kept: list[dict[str, Any]] = []
        self.count = 0
        self.arrays = 0

    def read(self, text: _JsonText) -> None:
        self.arrays += 1
        text.take("[")
        if text.next() == "]":
            text.take("]")
            return
        while True:
            record = text.value()
            record = with_id_as_text(record) if isinstance(record, dict) else record
            if not isinstance(record, dict) or not isinstance(record.get("_id"), str) or not record["_id"]:
                raise NotAListingError("a coupon file without an _id", record)
            self.count += 1
            if self._keep(record):
                json.dumps(record, ensure_ascii=False, allow_nan=False).encode()  # XCom takes no infinity, no surrogate
                self.kept.append(record)
            if text.take(",", "]") == "]":
                return


def _read_top(text: _JsonText, records: _Records) -> Any:
    """Read a whole body and return what it holds besides the records."""
    first = text.next()
    if first == "[":
        records.read(text)
        return {}
    return _read_object(text, records, depth=0) if first == "{" else text.value()


def _read_object(text: _JsonText, records: _Records, depth: int) -> dict[str, Any]:
    members: dict[str, Any] = {}
    text.take("{")
    if text.next() == "}":
        text.take("}")
        return members
    while True:
        if text.next() != '"':
            text.take('"')
        name = text.value()
        text.take(":")
        first = text.next()
        if first == "[" and plain(name) in RECORD_NAMES:
            records.read(text)
        elif first == "{" and depth == 0:
            members[name] = _read_object(text, records, depth + 1)
        else:
            members[name] = text.value()
        if len(members) > MAX_MEMBERS:
            raise ValueError(f"an object of more than {MAX_MEMBERS} members")
        if text.take(",", "}") == "}":
            return members


# -- whether there are more ------------------------------------------------------------------------------

_CONTAINERS: Final = RECORD_NAMES | frozenset(
    """
    meta metadata pagination paging page pages paginator pageinfo pagingmetadata links cursor cursors response
    responsemetadata result embedded pageable pager
    """.split()
)
_NOUN: Final = r"(couponfile|file|item|record|result|entry|entrie|element|hit|object|row|document)s?"
_TOTAL: Final = re.compile(rf"x?(total|count|totalcount|total{_NOUN}(count)?|{_NOUN}(total|count)|num(berof)?{_NOUN})")
_PAGES: Final = frozenset("totalpages pagestotal pagecount pagescount pages numpages numberofpages lastpage".split())
_LIMIT: Final = frozenset("limit perpage pagesize pagelimit maxresults maxitems".split())
_NEXT: Final = re.compile(
    r"x?(odata)?next(page|url|uri|link|href|cursor|token|pagetoken|pageurl|pagelink|pagecursor|offset|marker|key|id)?"
)
_CURSOR: Final = frozenset(
    """
    cursor after endcursor continuation continuationtoken scrollid bookmark marker pagetoken lastkey lastevaluatedkey
    """.split()
)
_MORE: Final = frozenset(
    "more hasmore moreavailable hasnext hasnextpage truncated istruncated partial incomplete".split()
)
_LAST: Final = frozenset("last islast lastpage islastpage complete iscomplete done end atend isend eof".split())
_LEFT: Final = frozenset("remaining remainingcount remainingitems remainingfiles".split())
_TROUBLE: Final = frozenset("warning warnings error errors".split())


def more_announced(around: Mapping[str, Any], records: _Records, headers: Mapping[str, str], url: str) -> str:
    """
    What announces more records than the response holds.

    :param around: the response's object without its records.
    :param headers: the headers of the response; names in lower case.
    :param url: the URL of the request.
    :return: for a message; empty if nothing does.
    """
    if records.arrays > 1:
        return "it holds more than one array of files"
    facts = [*_facts(around), *_header_facts(headers)]
    whole = False  # something says that there are no more
    limits, cursors, links = _url_limits(url), [], {}
    for name, value in facts:
        short = plain(name.lower().removeprefix("x-"))
        name = name if name.isprintable() and len(name) < 50 else short[:50]
        number = _number(value)
        value = {"true": True, "false": False}.get(value.lower(), value) if isinstance(value, str) else value
        if _TOTAL.fullmatch(short) and number is not None:
            if number > records.count:
                return f"{name} is {number}, and it holds {records.count}"
            whole = whole or (number == records.count and "total" in short)
        elif short in _PAGES and number is not None:
            if number > 1:
                return f"{name} is {number}"
        elif short in _LEFT and number is not None:
            if number > 0:
                return f"{name} is {number}"
        elif short in _TROUBLE:
            if _given(value):
                return f"it has {name}"
        elif short in ("self", "last") and isinstance(value, str):
            links[short] = value
        elif short in _LIMIT and number is not None:
            limits.append(number)
        elif _NEXT.fullmatch(short):
            if _given(value):
                return f"it has {name}"
            whole = True
        elif short in _MORE and isinstance(value, bool):
            if value:
                return f"{name} is true"
            whole = True
        elif short in _LAST and isinstance(value, bool):
            if not value:
                return f"{name} is false"
            whole = True
        elif short in _CURSOR and _given(value):
            cursors.append(name)
    if whole:
        return ""
    if len(set(links.values())) > 1:
        return "its last page is another one"
    if cursors:
        return f"it has {cursors[0]}"
    if records.count and any(limit == records.count for limit in limits):
        return f"it holds {records.count} files, which is the limit of one page"
    return ""


def _facts(around: Any) -> Iterator[tuple[str, Any]]:
    """Names and values at the top, and in the containers where services describe their pages."""
    if not isinstance(around, Mapping):
        return
    for name, value in around.items():
        yield name, value
        if isinstance(value, Mapping) and _TOTAL.fullmatch(plain(name)):
            yield name, value.get("value")
        if plain(name) not in _CONTAINERS:
            continue
        yield from _facts(value)
        for item in value if isinstance(value, list) else ():
            if isinstance(item, Mapping) and isinstance(item.get("rel"), str):
                yield item["rel"], item.get("href", True)


def _header_facts(headers: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for name in ("x-total-count", "x-total", "x-total-pages", "x-next-page", "x-next-cursor", "x-has-more"):
        if (value := headers.get(name, "").strip()) != "":
            yield name, value
    if (_number(headers.get("age", "").strip()) or 0) > 0:
        yield "warning", "it comes from a cache"
    for link in headers.get("link", "").split(","):
        if re.search(r';\s*rel\s*=\s*"?([^";]*\s)?next\b', link, re.IGNORECASE):
            yield "next", link
    if found := re.search(r"/\s*(\d+)", headers.get("content-range", "")):
        yield "total", found[1]


def _url_limits(url: str) -> list[int]:
    query = parse_qsl(urlsplit(url).query)
    return [number for name, value in query if plain(name) in _LIMIT and (number := _number(value)) is not None]


def _number(value: Any) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"\d{1,15}", value):
        return int(value)
    return value if type(value) is int else None


def _given(value: Any) -> bool:
    """Whether a cursor or a link leads anywhere."""
    if isinstance(value, Mapping):
        return any(_given(item) for item in value.values())
    return value not in (None, False, "", 0, "0", "null", "none", [])
