"""A listing is read in pieces of any size, and is complete only if nothing announces more."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.hostile_server import Bytes, HostileServer
from support.wes_driver import Driver, read
from wes_provider.client.listing import NotAListingError, TooLongError, read_listing
from wes_provider.client.operations import MAX_BODY
from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesResponseError, WesUnknownOutcomeError

FILES = [{"_id": f"file-{number}", "name": f"n{number} – é", "counts": [number, 1.5, None]} for number in range(3)]


def pieces(body: Any, size: int = 7) -> list[bytes]:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return [content[at : at + size] for at in range(0, len(content), size)]


def everything(_: Any) -> bool:
    return True


WHOLE: dict[str, Any] = {
    "array": FILES,
    "data": {"data": FILES},
    "items": {"items": FILES},
    "results": {"results": FILES},
    "files": {"files": FILES},
    "coupon_files": {"coupon_files": FILES},
    "couponFiles": {"couponFiles": FILES},
    "one level below": {"data": {"items": FILES}},
    "in a response": {"response": {"files": FILES}, "status": "ok"},
    "total equals": {"data": FILES, "total": 3},
    "count equals": {"count": 3, "data": FILES},
    "total as text": {"meta": {"total": "3"}, "data": FILES},
    "no next": {"data": FILES, "next": None},
    "empty cursor": {"data": FILES, "meta": {"next_cursor": ""}},
    "has_more is false": {"data": FILES, "has_more": False},
    "end cursor, and no next page": {"data": FILES, "pageInfo": {"hasNextPage": False, "endCursor": "x"}},
    "one page": {"data": FILES, "pagination": {"page": 1, "total_pages": 1, "per_page": 3, "total": 3}},
    "links without next": {"data": FILES, "links": {"self": "/a", "next": None, "last": "/a"}},
    "other counts": {"data": FILES, "coupons_count": 100_000, "list": {"count": 7}},
    "limit not reached": {"data": FILES, "limit": 100},
    "nothing remains": {"data": FILES, "remaining": 0, "warnings": [], "errors": None, "IsTruncated": "false"},
    "total in an object": {"hits": 3, "total": {"value": 3, "relation": "eq"}, "data": FILES},
}


@pytest.mark.parametrize("body", WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize("size", [1, 7, 65536])
def test_a_whole_listing(body: Any, size: int):
    listing = read_listing(pieces(body, size), everything)
    assert (listing.files, listing.count) == (FILES, 3)
    assert (listing.complete, listing.incomplete_because) == (True, "")


MORE: dict[str, tuple[Any, str]] = {
    "total": ({"data": FILES, "total": 4}, "total is 4, and it holds 3"),
    "total as text": ({"data": FILES, "total": "4"}, "total is 4, and it holds 3"),
    "count": ({"count": 300, "data": FILES}, "count is 300, and it holds 3"),
    "totalCount": ({"meta": {"totalCount": 4}, "data": FILES}, "totalCount is 4, and it holds 3"),
    "total_files": ({"data": {"total_files": 4, "files": FILES}}, "total_files is 4, and it holds 3"),
    "total_pages": ({"data": FILES, "pagination": {"page": 1, "total_pages": 2}}, "total_pages is 2"),
    "next": ({"data": FILES, "next": "/v1/x?page=2"}, "it has next"),
    "next page number": ({"data": FILES, "paging": {"next_page": 2}}, "it has next_page"),
    "links": ({"links": {"next": {"href": "/x"}}, "data": FILES}, "it has next"),
    "_links": ({"_links": {"next": "/x"}, "data": FILES}, "it has next"),
    "list of links": ({"links": [{"rel": "self", "href": "/"}, {"rel": "next", "href": "/x"}], "data": FILES}, "next"),
    "OData": ({"value": 1, "@odata.nextLink": "https://h/x", "data": FILES}, "it has @odata.nextLink"),
    "nextPageToken": ({"items": FILES, "nextPageToken": "abc"}, "it has nextPageToken"),
    "has_more": ({"data": FILES, "has_more": True}, "has_more is true"),
    "hasNextPage": ({"data": FILES, "pageInfo": {"hasNextPage": True}}, "hasNextPage is true"),
    "truncated": ({"truncated": True, "data": FILES}, "truncated is true"),
    "not the last": ({"content": FILES, "last": False}, "last is false"),
    "cursor": ({"data": FILES, "cursor": "abc"}, "it has cursor"),
    "cursors": ({"data": FILES, "paging": {"cursors": {"before": "a", "after": "b"}}}, "it has after"),
    "a full page": ({"data": FILES, "limit": 3}, "it holds 3 files, which is the limit of one page"),
    "two arrays": ({"data": FILES, "items": []}, "more than one array"),
    "total in an object": ({"data": FILES, "total": {"value": 11}}, "total is 11"),
    "the last page is another": ({"data": FILES, "links": {"self": "/1", "last": "/3"}}, "its last page is another"),
    "a page as long as it may be": ({"content": FILES, "pageable": {"pageSize": 3, "pageNumber": 0}}, "limit of one"),
    "some remain": ({"data": FILES, "remaining": 1}, "remaining is 1"),
    "truncated, as text": ({"data": FILES, "IsTruncated": "true"}, "IsTruncated is true"),
    "not the end": ({"data": FILES, "end": False}, "end is false"),
    "a warning": ({"data": FILES, "warnings": ["result incomplete"]}, "it has warnings"),
}


@pytest.mark.parametrize(("body", "why"), MORE.values(), ids=MORE)
def test_a_listing_that_announces_more(body: Any, why: str):
    listing = read_listing(pieces(body), lambda record: record["_id"] == "file-1")
    assert listing.files == [FILES[1]]
    assert not listing.complete
    assert why in listing.incomplete_because


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({"link": '<https://h/x?page=2>; rel="next", <https://h/x>; rel="first"'}, "it has next"),
        ({"link": "</x>; rel=next"}, "it has next"),
        ({"link": '</x>; title="a"; rel="last next"'}, "it has next"),
        ({"link": '</next>; rel="self"'}, ""),
        ({"x-total-count": "4"}, "x-total-count is 4, and it holds 3"),
        ({"x-total-count": "3"}, ""),
        ({"x-next-page": "2"}, "it has x-next-page"),
        ({"x-next-page": ""}, ""),
        ({"x-total-pages": "2", "x-page": "1"}, "x-total-pages is 2"),
        ({"x-has-more": "true"}, "x-has-more is true"),
        ({"x-has-more": "false"}, ""),
        ({"age": "600"}, "it has warning"),
        ({"age": "0"}, ""),
        ({"content-range": "items 0-2/300"}, "total is 300, and it holds 3"),
    ],
)
def test_headers_announce_more(headers: dict[str, str], why: str):
    assert read_listing(pieces(FILES), everything, headers=headers).incomplete_because == why


@pytest.mark.parametrize("status_code", [202, 203, 206])
def test_a_status_that_is_not_200_is_no_whole_listing(status_code: int):
    listing = read_listing(pieces(FILES), everything, status_code=status_code)
    assert listing.incomplete_because == f"its status is {status_code}"


def test_a_page_as_long_as_the_request_asks_for_may_not_be_the_last():
    assert not read_listing(pieces(FILES), everything, url="https://h/files?limit=3").complete
    assert read_listing(pieces(FILES), everything, url="https://h/files?limit=4").complete
    assert read_listing(pieces({"data": FILES, "total": 3}), everything, url="https://h/files?limit=3").complete


NO_LISTINGS = [{}, {"data": None}, {"data": {}}, {"files": "x"}, "x", 7, None, [7], ["x"], [[]], [{}], [{"_id": 7.5}]]


@pytest.mark.parametrize("body", [*NO_LISTINGS, {"data": [{"name": "n"}]}, {"data": [*FILES, {}]}], ids=str)
def test_what_is_no_listing(body: Any):
    with pytest.raises(NotAListingError):
        read_listing(pieces(body), everything)


BROKEN = [b"", b"[", b'[{"_id": "x"}', b'[{"_id": "x"},]', b'{"data": []', b'{"data": [],}', b'{"data" []}', b"[] []"]
BROKEN += [
    b'[{"_id": "x", "n": NaN}]',
    b'[{"_id": "\\ud800"}]',
    b'[{"_id": "x", "n": 1e999}]',
    b"{data: []}",
    b"\xff[]",
]


@pytest.mark.parametrize("body", BROKEN, ids=str)
def test_what_is_no_json(body: bytes):
    with pytest.raises(ValueError, match=r".") as raised:
        read_listing(pieces(body), everything)
    assert not isinstance(raised.value, NotAListingError)


def test_a_listing_above_the_bound_is_too_long():
    def chunks() -> Any:
        yield json.dumps(FILES)[:-1].encode()
        raise TooLongError

    listing = read_listing(chunks(), everything)
    assert (listing.files, listing.complete, listing.incomplete_because) == (FILES, False, "too long")


@pytest.mark.parametrize("body", [b"[" + b" " * 70_000_000, b'["' + b"x" * 5_000_000], ids=["space", "text"])
def test_memory_does_not_grow_with_nonsense(body: bytes):
    with pytest.raises(ValueError, match=r"."):
        read_listing(pieces(body, 65536), everything)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3),
    max_leaves=8,
)
records = st.fixed_dictionaries({"_id": st.text(min_size=1)}, optional={"value": json_values})


@given(st.lists(records, max_size=5), st.dictionaries(st.text(max_size=3), json_values, max_size=3), st.integers(1, 50))
@example([{"_id": "0"}], {"": -0.5}, 1)
@example([{"_id": "0"}], {"": 1e300}, 1)
def test_pieces_mean_the_same_as_the_whole(files: list[Any], around: dict[str, Any], size: int):
    body = json.dumps({**around, "files": files}, ensure_ascii=size % 2 == 0)
    listing = read_listing(pieces(body.encode(errors="ignore"), size), everything)
    assert listing.files == json.loads(body.encode(errors="ignore"))["files"]


# -- through the clients ---------------------------------------------------------------------------------


def test_a_search_through_both_clients(driver: Driver, wes_emulator: Emulator):
    for number in range(3):
        driver(lambda operations, name=f"n{number}": operations.upload_coupon_file("l", "https://h/x.csv", name=name))
    listing = driver(lambda operations: operations.search_coupon_files("l", lambda record: record["name"] == "n1"))
    assert [record["name"] for record in listing.files] == ["n1"]
    assert (listing.count, listing.complete) == (3, True)


def test_the_query_of_the_path_is_sent(driver: Driver, wes_emulator: Emulator):
    driver.settings = replace(driver.settings, coupon_files_path="/v1/coupon-list/{coupon_list_id}/files?limit=1000")
    assert driver(lambda operations: operations.list_coupon_files("a/b")) == []
    assert wes_emulator.requests[-1].raw_path == "/v1/coupon-list/a%2Fb/files?limit=1000"


HEAD = b"HTTP/1.1 200 OK\r\n"
LONG = json.dumps([{"_id": f"file-{number}", "padding": "x" * 1000} for number in range(11_000)]).encode()


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_listing_has_a_bound_of_its_own(driver_name: str, packed: bool):
    """The asynchronous client, which many waits share, keeps to the bound of other responses."""
    assert len(LONG) > MAX_BODY
    with HostileServer().serving() as server:
        driver = Driver(driver_name, read({"host": server.url, "login": "w", "password": "p", "extra": {}}))
        body = gzip.compress(LONG) if packed else LONG
        head = HEAD + (b"Content-Encoding: gzip\r\n" if packed else b"")
        server.response = Bytes([head, b"Content-Length: %d\r\n\r\n" % len(body), body])
        listing = driver(lambda operations: operations.search_coupon_files("l", lambda record: False))
    if driver_name == "requests" or packed:
        assert (listing.count, listing.complete) == (11_000, True)
    else:
        assert (listing.complete, listing.incomplete_because) == (False, "too long")


def test_a_listing_that_breaks_off_is_read_again(driver_name: str):
    with HostileServer().serving() as server:
        settings = read({"host": server.url, "login": "w", "password": "p", "extra": {"max_attempts": 3}})
        server.response = Bytes([HEAD, b"Content-Length: 100000\r\n\r\n", json.dumps(FILES).encode()[:-1]])
        with pytest.raises(WesUnknownOutcomeError, match="broke off"):
            Driver(driver_name, settings)(lambda operations: operations.search_coupon_files("l", everything))
        assert len(server.requests) == 3


def test_a_listing_without_identifiers_is_an_error(driver_name: str):
    with HostileServer().serving() as server:
        settings = read({"host": server.url, "login": "w", "password": "secret-key", "extra": {"max_attempts": 1}})
        server.response = Bytes([HEAD, b'\r\n[{"name": "n", "echo": "secret-key"}]'])
        with pytest.raises(
            WesResponseError, match=r"200 with a coupon file without an _id: \{\"name\": \"n\""
        ) as raised:
            Driver(driver_name, settings)(lambda operations: operations.search_coupon_files("l", everything))
        assert "secret-key" not in str(raised.value)
