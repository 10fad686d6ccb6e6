"""
The three documented operations and the two reads: what the contract says, what the emulator
guesses if the contract is silent, and settings that change the guesses. Each operation takes its
own key; checks come in the order of the reference page, and a request that fails one has no
effect. An upload answers 201 with six strings; a catalog's name is taken once, a segment's by one
segment; an update keeps what it does not name. Each reply is as the OpenAPI description says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import jsonschema
import pytest

from unit.emulator.conftest import (
    CATALOG,
    DATA_KEY,
    FILES,
    FILTERS,
    KEY,
    SEGMENT,
    UPLOAD,
    WORKSPACE,
    Caller,
    basic,
    content,
    described_replies,
    refusal,
    right_headers,
)
from wes_provider.contract import OPERATIONS
from wes_provider.emulator import openapi
from wes_provider.emulator.replies import Reply

INVALID = (400, "invalid-request")
UNAUTHENTICATED = (401, "request-unauthenticated")
NOT_FOUND = (404, "not-found")
CONFLICT = (409, "conflict")
ATTRIBUTE = {"name": "id", "type": "string"}
SEGMENTS = "/v3/custom-segments"
NOTHING: Mapping[str, Any] = MappingProxyType({})

HELD = {
    "version": 1,
    "lists": {"list-1": {"files": [{"_id": "1", "name": "held.csv", "coupons_added": 300}]}},
    "catalogs": [{"name": "winter"}],
    "segments": [{"id": "7", "name": "Porto"}, {"id": "8", "name": "Faro"}],
}
"""What the service holds before the requests below."""


class Right(NamedTuple):
    """
    A request that the service carries out, if it holds ``HELD``.

    :ivar status: of the response.
    :ivar headers: beyond the usual ones.
    """

    method: str
    path: str
    key: str
    status: int
    body: Any = b""
    headers: Mapping[str, str] = NOTHING

    def send(self, caller: Caller) -> Reply:
        headers = right_headers(self.key)
        headers.update(self.headers)
        return caller.send(self.method, self.path, self.body, headers=headers)


RIGHT = {
    "upload_coupon_file": Right("POST", FILES, KEY, 201, UPLOAD),
    "get_coupon_file": Right("GET", f"{FILES}/1", KEY, 200),
    "list_coupon_files": Right("GET", FILES, KEY, 200),
    "create_catalog": Right("POST", "/v1/catalog", KEY, 201, CATALOG),
    "update_segment": Right("PATCH", f"{SEGMENTS}/7", DATA_KEY, 200, SEGMENT),
}


# -- what all operations have in common ------------------------------------------------------------


def test_every_operation_has_a_right_request() -> None:
    assert RIGHT.keys() == OPERATIONS.keys()


@pytest.mark.parametrize("right", RIGHT.values(), ids=RIGHT)
def test_each_operation_takes_its_own_key(right: Right) -> None:
    assert right.send(Caller(held=HELD)).status == right.status


OTHER_KEY = {
    "upload_coupon_file": DATA_KEY,
    "get_coupon_file": DATA_KEY,
    "list_coupon_files": DATA_KEY,
    "create_catalog": DATA_KEY,
    "update_segment": KEY,
}


@pytest.mark.parametrize(("operation", "key"), OTHER_KEY.items(), ids=OTHER_KEY)
def test_each_operation_refuses_the_other_key(operation: str, key: str) -> None:
    reply = RIGHT[operation]._replace(key=key).send(Caller(held=HELD))
    assert refusal(reply) == UNAUTHENTICATED


WITHOUT_ACCESS = {
    "upload_coupon_file": 403,
    "get_coupon_file": 403,
    "list_coupon_files": 403,
    "create_catalog": 201,
    "update_segment": 200,
}


@pytest.mark.parametrize(("operation", "status"), WITHOUT_ACCESS.items(), ids=WITHOUT_ACCESS)
def test_only_coupon_files_need_access_to_coupon_management(operation: str, status: int) -> None:
    reply = RIGHT[operation].send(Caller(held=HELD, coupon_management=False))
    assert reply.status == status


class Malformed(NamedTuple):
    """A body that an operation does not take."""

    operation: str
    body: Any


def upload(**wrong: Any) -> Malformed:
    return Malformed("upload_coupon_file", {**UPLOAD, **wrong})


def catalog(**wrong: Any) -> Malformed:
    return Malformed("create_catalog", {**CATALOG, **wrong})


def segment(**fields: Any) -> Malformed:
    return Malformed("update_segment", fields)


NO_URLS = {
    "nothing": "",
    "a space": " ",
    "a path": "/relative.csv",
    "a name": "a.csv",
    "a host": "a.example",
    "a host without a scheme": "//a.example/x",
    "a scheme": "https:",
    "a scheme, and slashes": "https://",
    "a path behind a scheme": "https:///x",
    "a port without a host": "https://:443/x",
    "a user without a host": "https://user:pass@/x",
    "a query without a host": "https://?x",
    "half an address": "https://[::1/x",
    "a port that is no number": "https://a.example:x/y",
    "a port that there is not": "https://a.example:65536/y",
    "a negative port": "https://a.example:-1/y",
}
URLS = {
    "a host alone": "https://a.example",
    "a host with a dot at its end": "https://a.example./x",
    "an address": "http://[::1]:8099/x",
    "a user": "https://user:pass@a.example/x",
    "another scheme": "s3://bucket/x",
    "a scheme in capitals": "HTTPS://a.example/x",
    "letters that are not escaped": "https://a.example/caf\u00e9.csv",
    "a comma": "https://a.example/x,y;z|w",
    "a URL in its query": "https://a.example/x?next=https://b.example/y",
    "a fragment": "https://a.example/x#y",
    "a port of no number": "https://a.example:/x",
    "the last port": "https://a.example:65535/x",
}
URL_FIELDS = ["file_url", "callback_url"]


@pytest.mark.parametrize("field", URL_FIELDS)
@pytest.mark.parametrize("url", NO_URLS.values(), ids=NO_URLS)
def test_what_is_no_url_is_refused_in_each_field_that_has_one(field: str, url: str) -> None:
    caller = Caller()
    assert refusal(caller.upload(**{field: url})) == INVALID
    assert list(caller.service.state.world.holdings()) == []


@pytest.mark.parametrize("field", URL_FIELDS)
@pytest.mark.parametrize("url", URLS.values(), ids=URLS)
def test_a_url_is_taken_in_each_field_that_has_one(field: str, url: str) -> None:
    assert Caller().upload(**{field: url}).status == 201


def test_the_openapi_description_says_which_fields_of_an_upload_are_urls() -> None:
    properties = openapi.describe()["components"]["schemas"]["Upload"]["properties"]
    urls = [name for name, schema in properties.items() if schema.get("format") == "uri"]
    assert sorted(urls) == sorted(URL_FIELDS)


MALFORMED = {
    "half of an object": Malformed("upload_coupon_file", b'{"file_url": "https://a.example/x"'),
    "no UTF-8": Malformed("upload_coupon_file", b"\xff\xfe"),
    "too many brackets": Malformed("upload_coupon_file", b"[" * 100_000),
    "no object": Malformed("upload_coupon_file", ["https://a.example/x"]),
    "an upload without a URL": Malformed("upload_coupon_file", {}),
    "an empty URL": upload(file_url=""),
    "a number as URL": upload(file_url=7),
    "a list of URLs": upload(file_url=["https://a.example/x"]),
    "a relative URL": upload(file_url="/relative.csv"),
    "a URL with half an address": upload(file_url="https://[::1/x"),
    "two URLs after a comma": upload(file_url="https://a.example/x,https://a.example/y"),
    "two URLs after a space": upload(file_url="https://a.example/x https://a.example/y"),
    "a file's name that is null": upload(name=None),
    "an empty callback": upload(callback_url=""),
    "a catalog's name of spaces": catalog(name=" "),
    "a currency in small letters": catalog(price_currency="eur"),
    "attributes that are null": catalog(attributes=None),
    "an attribute without a type": catalog(attributes=[{"name": "id"}]),
    "an attribute twice": catalog(attributes=[ATTRIBUTE, ATTRIBUTE]),
    "an empty update": segment(),
    "a segment's name that is empty": segment(name=""),
    "a segment's author that is null": segment(updated_by=None),
    "filters without a list": segment(included_filters={"filter_operator": "and"}),
    "a filter that is a string": segment(
        included_filters={"filter_operator": "and", "filters": ["x"]}
    ),
}


@pytest.mark.parametrize("row", MALFORMED.values(), ids=MALFORMED)
def test_malformed_body_is_an_invalid_request_without_effect(row: Malformed) -> None:
    caller = Caller()
    assert refusal(RIGHT[row.operation]._replace(body=row.body).send(caller)) == INVALID
    assert list(caller.service.state.world.holdings()) == []


class Refused(NamedTuple):
    """
    A request that is refused.

    :ivar changes: of the right headers; ``None`` for one that is missing.
    :ivar error: status and code.
    """

    error: tuple[int, str]
    changes: Mapping[str, str | None] = NOTHING
    method: str = "POST"
    path: str = FILES


BEARER = basic(WORKSPACE, KEY).replace("Basic", "Bearer")
REFUSED = {
    "no list": Refused(NOT_FOUND, path="/v1/coupon-list//files"),
    "a list of two segments": Refused(NOT_FOUND, path="/v1/coupon-list/a/b/files"),
    "a list that leads up": Refused(NOT_FOUND, path="/v1/coupon-list/%2E%2e/files"),
    "a list that is no UTF-8": Refused(INVALID, path="/v1/coupon-list/%FF/files"),
    "another method": Refused((405, "method-not-allowed"), method="PUT"),
    "no credentials": Refused(UNAUTHENTICATED, {"Authorization": None}),
    "credentials that are no base64": Refused(UNAUTHENTICATED, {"Authorization": "Basic %%%"}),
    "credentials that are no UTF-8": Refused(UNAUTHENTICATED, {"Authorization": "Basic /////w=="}),
    "a wrong key": Refused(UNAUTHENTICATED, {"Authorization": basic(WORKSPACE, "wrong")}),
    "a wrong username": Refused(UNAUTHENTICATED, {"Authorization": basic("wrong", KEY)}),
    "another scheme": Refused(UNAUTHENTICATED, {"Authorization": BEARER}),
    "no workspace": Refused(UNAUTHENTICATED, {"SVC-APPKEY": None}),
    "another workspace": Refused(UNAUTHENTICATED, {"SVC-APPKEY": "another"}),
    "another content type": Refused(INVALID, {"Content-Type": "text/plain"}),
}


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_another_path_method_or_header_is_refused(row: Refused) -> None:
    headers = right_headers()
    for name, value in row.changes.items():
        del headers[name]
        if value is not None:
            headers[name] = value
    reply = Caller().send(row.method, row.path, UPLOAD, headers=headers)
    assert refusal(reply) == row.error


class Quoted(NamedTuple):
    """An identifier in a path, and as it is meant."""

    quoted: str
    identifier: str


QUOTED = {
    "a slash": Quoted("a%2Fb", "a/b"),
    "UTF-8": Quoted("caf%C3%A9", "café"),
    "dots and a slash": Quoted("%2e%2e%2fx", "../x"),
}


@pytest.mark.parametrize("row", QUOTED.values(), ids=QUOTED)
def test_quoted_identifier_is_one_segment_of_the_path(row: Quoted) -> None:
    caller = Caller()
    assert content(caller.upload(row.quoted))["coupons_list_id"] == row.identifier
    assert len(caller.service.files(row.identifier)) == 1


# -- the order of checks, as docs/emulator-reference.md has it -------------------------------------


class Wrong(NamedTuple):
    """
    A request with several faults.

    :ivar status: that of the first fault in the order of the page.
    """

    status: int
    method: str = "POST"
    path: str = FILES
    key: str = KEY
    body: Any = UPLOAD
    settings: Mapping[str, Any] = NOTHING
    headers: Mapping[str, str] = NOTHING

    def send(self) -> Reply:
        caller = Caller(held=HELD, **self.settings)
        headers = right_headers(self.key)
        headers.update(self.headers)
        return caller.send(self.method, self.path, self.body, headers=headers)


NO_ACCESS: dict[str, Any] = {"coupon_management": False}
NO_MORE: dict[str, Any] = {"limits": {name: [[0, 60]] for name in RIGHT}}
TOO_LARGE: dict[str, Any] = {
    "path": "/v1/catalog",
    "body": CATALOG,
    "settings": NO_MORE | {"catalog_bytes": 10},
    "headers": {"Content-Length": "99"},
}
IN_ORDER = {
    "no such path before credentials": Wrong(404, path="/v1/coupon-list/a/b", key="wrong"),
    "credentials before the method": Wrong(401, "PUT", key="wrong"),
    "credentials before access": Wrong(401, key="wrong", settings=NO_ACCESS),
    "credentials before the body": Wrong(401, key="wrong", body=b"{"),
    "credentials before the limit": Wrong(401, key="wrong", settings=NO_MORE),
    "the method before access": Wrong(405, "PUT", settings=NO_ACCESS),
    "the method before the limit": Wrong(405, "PUT", settings=NO_MORE),
    "access before the body": Wrong(403, body=b"{", settings=NO_ACCESS),
    "access before the limit": Wrong(403, settings=NO_ACCESS | NO_MORE),
    "the body before the limit": Wrong(400, body=b"{", settings=NO_MORE),
    "the body's size before the limit": Wrong(413, **TOO_LARGE),
    "the limit before what there is": Wrong(429, "GET", f"{FILES}/none", settings=NO_MORE),
    "the limit before a free name": Wrong(
        429,
        path="/v1/catalog",
        body={**CATALOG, "name": "winter"},
        settings=NO_MORE,
    ),
    "what there is before a free name": Wrong(
        404,
        "PATCH",
        f"{SEGMENTS}/9",
        DATA_KEY,
        body={"name": "Porto"},
        settings={"unknown_segment": "404"},
    ),
}


@pytest.mark.parametrize("wrong", IN_ORDER.values(), ids=IN_ORDER)
def test_checks_come_in_the_order_of_the_page(wrong: Wrong) -> None:
    assert wrong.send().status == wrong.status


NO_UTF8 = "/v1/coupon-list/%ff/files"
BEFORE_AN_IDENTIFIER = {
    "credentials": Wrong(401, path=NO_UTF8, key="wrong"),
    "credentials, of a read": Wrong(401, "GET", f"{FILES}/%ff", key="wrong"),
    "the method": Wrong(405, "PUT", path=NO_UTF8),
    "access": Wrong(403, path=NO_UTF8, settings=NO_ACCESS),
}


@pytest.mark.parametrize("wrong", BEFORE_AN_IDENTIFIER.values(), ids=BEFORE_AN_IDENTIFIER)
def test_checks_that_come_before_an_identifier_that_is_no_utf8(wrong: Wrong) -> None:
    assert wrong.send().status == wrong.status


AFTER_AN_IDENTIFIER = {
    "the body": Wrong(400, path=NO_UTF8, body=b"{"),
    "the limit": Wrong(400, path=NO_UTF8, settings=NO_MORE),
    "what there is": Wrong(400, "GET", path=f"{FILES}/%ff"),
}


@pytest.mark.parametrize("wrong", AFTER_AN_IDENTIFIER.values(), ids=AFTER_AN_IDENTIFIER)
def test_checks_that_come_after_an_identifier_that_is_no_utf8(wrong: Wrong) -> None:
    error = content(wrong.send())["error"]
    assert error["message"] == "An identifier in the path is not UTF-8."


# -- replies and the OpenAPI description -----------------------------------------------------------


class Described(NamedTuple):
    """
    A status that the description has for an operation, and how to get it.

    :ivar changes: of the right request.
    """

    operation: str
    status: int
    changes: Mapping[str, Any] = NOTHING
    settings: Mapping[str, Any] = NOTHING


BODY = {"body": b"{"}
WRONG_KEY = {"key": "wrong"}
ANOTHER_METHOD = {"method": "PUT"}
NO_SUCH_LIST = {"path": "/v1/coupon-list/%2e%2e/files"}
DESCRIBED = (
    Described("upload_coupon_file", 201),
    Described("upload_coupon_file", 400, BODY),
    Described("upload_coupon_file", 401, WRONG_KEY),
    Described("upload_coupon_file", 403, settings=NO_ACCESS),
    Described("upload_coupon_file", 404, NO_SUCH_LIST),
    Described("upload_coupon_file", 405, ANOTHER_METHOD),
    Described("upload_coupon_file", 429, settings=NO_MORE),
    Described("get_coupon_file", 200),
    Described("get_coupon_file", 400, {"path": f"{FILES}/%ff"}),
    Described("get_coupon_file", 401, WRONG_KEY),
    Described("get_coupon_file", 403, settings=NO_ACCESS),
    Described("get_coupon_file", 404, {"path": f"{FILES}/none"}),
    Described("get_coupon_file", 405, ANOTHER_METHOD),
    Described("get_coupon_file", 429, settings=NO_MORE),
    Described("list_coupon_files", 200),
    Described("list_coupon_files", 400, {"path": NO_UTF8}),
    Described("list_coupon_files", 401, WRONG_KEY),
    Described("list_coupon_files", 403, settings=NO_ACCESS),
    Described(
        "list_coupon_files",
        404,
        {"path": "/v1/coupon-list/none/files"},
        {"unknown_list": "404"},
    ),
    Described("list_coupon_files", 405, ANOTHER_METHOD),
    Described("list_coupon_files", 429, settings=NO_MORE),
    Described("create_catalog", 201),
    Described("create_catalog", 400, BODY),
    Described("create_catalog", 401, WRONG_KEY),
    Described("create_catalog", 405, ANOTHER_METHOD),
    Described("create_catalog", 409, {"body": {**CATALOG, "name": "winter"}}),
    Described(
        "create_catalog",
        413,
        {"headers": {"Content-Length": "99"}},
        {"catalog_bytes": 10},
    ),
    Described("create_catalog", 429, settings=NO_MORE),
    Described("update_segment", 200),
    Described("update_segment", 400, BODY),
    Described("update_segment", 401, WRONG_KEY),
    Described("update_segment", 404, {"path": f"{SEGMENTS}/9"}, {"unknown_segment": "404"}),
    Described("update_segment", 405, ANOTHER_METHOD),
    Described("update_segment", 409, {"body": {"name": "Faro"}}),
    Described("update_segment", 429, settings=NO_MORE),
)


# A refusal by the limit has headers alone.
WITHOUT_BODY = [row for row in DESCRIBED if row.status == 429]
WITH_BODY = [row for row in DESCRIBED if row.status != 429]


def reply_and_description(row: Described) -> tuple[Reply, Any]:
    """The reply of a row, which has its status, and what the description says of it."""
    reply = RIGHT[row.operation]._replace(**row.changes).send(Caller(held=HELD, **row.settings))
    assert reply.status == row.status
    return reply, described_replies()[row.operation, row.status]


def ids_of(rows: Sequence[Described]) -> list[str]:
    return [f"{row.operation} {row.status}" for row in rows]


@pytest.mark.parametrize("row", DESCRIBED, ids=ids_of(DESCRIBED))
def test_each_header_that_the_openapi_description_has_is_a_whole_number(row: Described) -> None:
    reply, described = reply_and_description(row)
    for name, header in described.get("headers", {}).items():
        assert header["schema"] == {"type": "integer"}
        assert reply.headers[name].isdecimal()


@pytest.mark.parametrize("row", WITH_BODY, ids=ids_of(WITH_BODY))
def test_the_body_of_a_reply_is_as_the_openapi_description_says(row: Described) -> None:
    reply, described = reply_and_description(row)
    schema = described["content"][reply.headers["Content-Type"]]["schema"]
    components = openapi.describe()["components"]
    jsonschema.validate(json.loads(reply.body), {**schema, "components": components})


@pytest.mark.parametrize("row", WITHOUT_BODY, ids=ids_of(WITHOUT_BODY))
def test_a_429_has_no_body_as_the_openapi_description_says(row: Described) -> None:
    reply, described = reply_and_description(row)
    assert reply.body == b""
    assert "content" not in described


def test_every_described_reply_is_compared_but_for_requests_too_large_for_the_server() -> None:
    missing = described_replies().keys() - {(row.operation, row.status) for row in DESCRIBED}
    assert missing == {
        ("upload_coupon_file", 413),
        ("get_coupon_file", 413),
        ("list_coupon_files", 413),
        ("update_segment", 413),
    }


# -- coupon files: contract section 4.1, which does not show the reads -----------------------------


def test_upload_answers_201_with_exactly_six_strings() -> None:
    reply = Caller().upload(
        name="n",
        created_by="ana",
        callback_url="https://example.com/done",
        file_url_auth_username="reader",
        file_url_auth_password="secret",
    )
    file = content(reply)
    assert reply.status == 201
    assert file == {
        "_id": file["_id"],
        "file_url": "https://files.example.com/nightly/coupons.csv",
        "name": "n",
        "created_by": "ana",
        "status": "PENDING",
        "coupons_list_id": "list-1",
    }
    assert type(file["_id"]) is str


def test_read_shows_the_response_of_the_upload_and_what_is_counted() -> None:
    caller = Caller(processing_time=4)
    file = content(caller.upload(name="n", created_by="ana"))
    counts = {"coupons_added": 0, "coupons_duplicate": 0}
    assert content(caller.get(file["_id"])) == {**file, **counts}
    caller.process(file["_id"], "A1", "A2", "A1")
    caller.service.clock.advance(4)
    counts = {"coupons_added": 2, "coupons_duplicate": 1}
    assert content(caller.get(file["_id"])) == {**file, **counts, "status": "SUCCESS"}


def test_read_of_an_unknown_file_is_not_found() -> None:
    assert refusal(Caller(held=HELD).get("nope")) == NOT_FOUND


def test_read_of_a_file_by_another_list_is_not_found() -> None:
    assert refusal(Caller(held=HELD).get("1", "another-list")) == NOT_FOUND


def test_listing_and_fetch_can_lag_each_by_its_own_time() -> None:
    caller = Caller(list_lag=5, fetch_lag=2)
    file_id, seen = caller.uploaded(), []
    for seconds in (2, 3, 0):
        seen.append((caller.get(file_id).status, len(content(caller.list()))))
        caller.service.clock.advance(seconds)
    assert seen == [(404, 0), (200, 0), (200, 1)]


def test_path_of_a_file_can_be_another_one() -> None:
    caller = Caller(held=HELD, coupon_file_path="/v2/files/{coupon_file_id}")
    assert content(caller.send("GET", "/v2/files/1"))["_id"] == "1"
    assert refusal(caller.get("1")) == NOT_FOUND


def test_path_of_a_listing_can_be_another_one() -> None:
    caller = Caller(held=HELD, coupon_files_path="/v2/lists/{coupon_list_id}")
    assert [file["_id"] for file in content(caller.send("GET", "/v2/lists/list-1"))] == ["1"]
    assert refusal(caller.list()) == (405, "method-not-allowed")


def test_service_can_be_without_a_listing() -> None:
    caller = Caller(held=HELD, coupon_files_path=None)
    assert refusal(caller.list()) == (405, "method-not-allowed")


# -- catalogs: contract section 4.2 ----------------------------------------------------------------


class CatalogId(NamedTuple):
    """Where the settings have a catalog's identifier, and a response with ``?`` in its place."""

    settings: dict[str, Any]
    shape: Any


CATALOG_IDS = {
    "as it is by default": CatalogId({}, {"catalog_id": "?"}),
    "below other properties": CatalogId(
        {"catalog_id_property": "data.catalog._id"},
        {"data": {"catalog": {"_id": "?"}}},
    ),
    "alone": CatalogId({"catalog_id_property": None}, "?"),
}


@pytest.mark.parametrize("row", CATALOG_IDS.values(), ids=CATALOG_IDS)
def test_created_catalog_answers_its_identifier_where_the_settings_say(row: CatalogId) -> None:
    caller = Caller(**row.settings)
    reply = caller.create_catalog()
    (catalog_id,) = caller.service.state.world.account_or_empty("").catalogs
    assert reply.status == 201
    assert content(reply) == json.loads(json.dumps(row.shape).replace("?", catalog_id))


def test_created_catalog_is_kept() -> None:
    caller = Caller()
    catalog_id = content(caller.create_catalog())["catalog_id"]
    kept = caller.service.state.world.account_or_empty("").catalogs[catalog_id]
    assert kept.fields == {"id": catalog_id, **CATALOG}


def test_catalog_of_the_same_name_is_a_conflict_whatever_else_it_has() -> None:
    caller = Caller()
    caller.create_catalog()
    assert refusal(caller.create_catalog(price_currency="USD")) == CONFLICT


def test_size_of_a_catalog_counts_only_with_a_content_length() -> None:
    assert Caller(catalog_bytes=1).create_catalog().status == 201


# -- segments: contract section 4.3 ----------------------------------------------------------------

UPDATED = {"id": "7", **SEGMENT, "updated_at": "2023-11-14T00:00:00.000+00:00"}


def test_update_of_an_unknown_segment_answers_the_segment() -> None:
    reply = Caller().update_segment("7")
    assert reply.status == 200
    assert content(reply) == UPDATED


def test_update_is_kept() -> None:
    caller = Caller()
    caller.update_segment("7")
    assert caller.service.state.world.account_or_empty("").segments["7"].fields == UPDATED


class AmongSegments(NamedTuple):
    """
    An update of segment 7, which has no name.

    :ivar other: the segment beside it.
    :ivar update: the fields that are sent.
    :ivar status: of the response.
    """

    other: Mapping[str, Any]
    update: Mapping[str, Any]
    status: int


WITHOUT_A_NAME = {"updated_by": "ana@example.com"}
AMONG_SEGMENTS = {
    "beside one without a name, without a name": AmongSegments({}, WITHOUT_A_NAME, 200),
    "beside one without a name, with a name": AmongSegments({}, {"name": "Faro"}, 200),
    "beside one with a name, without a name": AmongSegments({"name": "Faro"}, WITHOUT_A_NAME, 200),
    "beside one with a name, with another one": AmongSegments(
        {"name": "Faro"}, {"name": "Porto"}, 200
    ),
    "beside one with a name, with the same one": AmongSegments(
        {"name": "Faro"}, {"name": "Faro"}, 409
    ),
}


@pytest.mark.parametrize("row", AMONG_SEGMENTS.values(), ids=AMONG_SEGMENTS)
def test_only_a_name_that_another_segment_has_is_taken(row: AmongSegments) -> None:
    caller = Caller(held={"version": 1, "segments": [{"id": "7"}, {"id": "8", **row.other}]})
    assert caller.update_segment("7", row.update).status == row.status


def test_segments_that_nobody_seeded_may_both_have_no_name() -> None:
    caller = Caller()
    assert caller.update_segment("7", WITHOUT_A_NAME).status == 200
    assert caller.update_segment("8", WITHOUT_A_NAME).status == 200


def test_update_keeps_what_it_does_not_name_and_sets_its_time() -> None:
    caller = Caller()
    caller.update_segment("7")
    caller.service.clock.advance(1.5)
    assert content(caller.update_segment("7", {"name": "Porto"})) == {
        "id": "7",
        "name": "Porto",
        "included_filters": FILTERS,
        "updated_by": "ana@example.com",
        "updated_at": "2023-11-14T00:00:01.500+00:00",
    }


def test_segment_cannot_take_the_name_of_another_one() -> None:
    assert refusal(Caller(held=HELD).update_segment("7", {"name": "Faro"})) == CONFLICT


def test_segment_can_be_given_its_own_name_again() -> None:
    assert Caller(held=HELD).update_segment("7", {"name": "Porto"}).status == 200


def test_updated_segment_can_stand_below_data() -> None:
    assert content(Caller(segment_response="data").update_segment("7")) == {"data": UPDATED}


def test_response_to_an_update_can_be_empty() -> None:
    reply = Caller(segment_response="empty", segment_status=204).update_segment()
    assert (reply.status, reply.body) == (204, b"")


# -- the log ---------------------------------------------------------------------------------------


def test_log_keeps_the_last_requests() -> None:
    caller = Caller(request_log=3)
    for name in "abcde":
        caller.list(name)
    assert [request.raw_path for request in caller.service.state.log] == [
        "/v1/coupon-list/c/files",
        "/v1/coupon-list/d/files",
        "/v1/coupon-list/e/files",
    ]


def test_counts_go_on_when_the_log_is_full() -> None:
    caller = Caller(request_log=3)
    for name in "abcde":
        caller.list(name)
    assert caller.service.state.log.counts == {"list_coupon_files": 5}
