"""
The coupon file in a response. An upload is accepted if a 2xx has its identifier at the top or
below ``data``: a string of 1 to 1,024 visible characters that is no path upwards and no template;
otherwise, or for a page, its outcome is unknown. A read has to get the file that was asked for,
with a status.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from support.exchanges import CATALOG, FILE, LIST, READ, SEGMENT, UPLOAD, by_page, response
from wes_provider import exceptions
from wes_provider.client import responses
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.contract import Result
from wes_provider.exceptions import WesError


class Accepted(NamedTuple):
    """A response that names the file of an upload, and the record that is read of it."""

    body: Any
    record: dict[str, Any] = FILE
    status: int = 201


ACCEPTED = {
    "201": Accepted(FILE),
    "202": Accepted(FILE, status=202),
    "200, below data": Accepted({"data": FILE}, status=200),
    "an odd identifier": Accepted({"_id": "year/2026:ü"}, {"_id": "year/2026:ü"}),
}
NO_FILE: dict[str, Any] = {
    "an empty object": {},
    "nothing": b"",
    "a string that is not JSON": b"OK",
    "a list": [FILE],
    "an empty identifier": {"_id": ""},
    "an identifier that is a number": {"_id": 7},
    "a blank": {"_id": " "},
    "other blanks": {"_id": "\u00a0\n"},
    "a blank below data": {"data": {"_id": "\t"}},
    "blanks around": {"_id": " f1 "},
    "a line's end": {"_id": "f1\n"},
    "a path upwards": {"_id": "../../f1"},
    "a template": {"_id": "{{ f1 }}"},
    "a character that is not seen": {"_id": "f\u200b1"},
    "too many characters": {"_id": "f" * 1025},
}


@pytest.mark.parametrize("row", ACCEPTED.values(), ids=ACCEPTED)
def test_an_upload_is_accepted_if_the_response_names_its_file(row: Accepted):
    assert responses.record(UPLOAD, response(row.status, row.body)) == row.record


@pytest.mark.parametrize("body", NO_FILE.values(), ids=NO_FILE)
def test_an_uploads_outcome_is_unknown_if_the_response_does_not_name_its_file(body: Any):
    with pytest.raises(
        exceptions.WesUnknownOutcomeError, match="201 without a coupon file's _id"
    ) as raised:
        responses.record(UPLOAD, response(201, body))
    assert raised.value.status_code == 201


class PageFor(NamedTuple):
    """A request that gets a page with 200, how its response is read, and the error."""

    name: str
    request: Request
    read: Callable[[Request, Response], Any]
    error: type[WesError]


PAGES_FOR = [
    PageFor("an upload", UPLOAD, responses.record, exceptions.WesUnknownOutcomeError),
    PageFor("a catalog", CATALOG, responses.created_catalog, exceptions.WesUnknownOutcomeError),
    PageFor("a read", READ, responses.record, exceptions.WesResponseError),
]


@by_page
@pytest.mark.parametrize("row", PAGES_FOR, ids=[row.name for row in PAGES_FOR])
def test_a_page_with_200_is_not_from_the_service(row: PageFor, page: bytes):
    """An upload or a catalog may have arrived; the advice is about the address, not about paths."""
    with pytest.raises(row.error, match="a page that is not from the service") as raised:
        row.read(row.request, response(200, page))
    assert "check the connection's Address, and the proxies" in str(raised.value)
    assert "paths" not in str(raised.value)


def test_a_read_file_has_the_status_of_the_response():
    assert responses.coupon_file(READ, response(200, FILE)).status == "PENDING"


class NotTheFile(NamedTuple):
    """A record that a read of the file ``f1`` gets, and how the error begins."""

    name: str
    body: dict[str, Any]
    says: str


NOT_THE_FILE = [
    NotTheFile(
        "another identifier", {**FILE, "_id": "f2"}, "200 with coupon file 'f2', status 'PENDING'"
    ),
    NotTheFile("an empty status", {**FILE, "status": ""}, "200 with coupon file 'f1', status ''"),
    NotTheFile("no status", {"_id": "f1"}, "200 with coupon file 'f1', status ''"),
]


@pytest.mark.parametrize("row", NOT_THE_FILE, ids=[row.name for row in NOT_THE_FILE])
def test_a_read_that_gets_another_file_or_one_without_a_status_is_an_error(row: NotTheFile):
    """It has what came, and advises on the path."""
    with pytest.raises(exceptions.WesResponseError) as raised:
        responses.coupon_file(READ, response(200, row.body))
    assert str(raised.value) == (
        f"{row.says} (f1 of list summer)\nThe path of a coupon file may be wrong: run wes-doctor."
    )


def test_a_poll_that_gets_the_file_of_another_list_is_an_error():
    """Two lists may have files of one identifier; whoever reads the record sees which it is of."""
    answered = response(200, {**FILE, "coupons_list_id": "winter"})
    with pytest.raises(exceptions.WesResponseError, match="of the list 'winter'"):
        responses.file_of_list(READ, answered)
    assert responses.coupon_file(READ, answered).coupon_list_id == "winter"
    assert responses.file_of_list(READ, response(200, FILE)).status == "PENDING"


class Read(NamedTuple):
    """A request, a success of it, and what is read of it by the table of operations."""

    request: Request
    success: Response
    result: Any


RESULTS = {
    "nothing": Read(SEGMENT, response(204), None),
    "a file": Read(READ, response(200, FILE), FILE),
    "a list": Read(LIST, response(200, [FILE]), responses.Listing([FILE])),
    "a catalog": Read(
        CATALOG, response(201, {"id": "c1"}), responses.CreatedCatalog("c1", {"id": "c1"})
    ),
}


@pytest.mark.parametrize("row", RESULTS.values(), ids=RESULTS)
def test_a_success_is_read_as_the_result_of_its_operation(row: Read):
    assert responses.read_result(row.request, row.success) == row.result


def test_each_kind_of_result_can_be_read():
    assert set(responses.READERS) == set(Result)
