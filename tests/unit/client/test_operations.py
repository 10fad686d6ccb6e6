"""Each request on the wire is what the contract says, and each answer becomes a value or an error of ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from support.wes_driver import Driver
from wes_provider import exceptions, models
from wes_provider.client.operations import Operation, Operations, Response, name_exists
from wes_provider.client.success_body import find_catalog_id
from wes_provider.emulator import Emulator, faults
from wes_provider.models import all_of, user_attribute

URL = "https://files.example.com/coupons.csv?sig=topsecret"
CAMPAIGN = "Basic ZW11bGF0ZWQtd29ya3NwYWNlOmVtdWxhdGVkLWNhbXBhaWduLWtleQ=="
DATA = "Basic ZW11bGF0ZWQtd29ya3NwYWNlOmVtdWxhdGVkLWRhdGEta2V5"

ALL_FIELDS = {
    "name": "Août 🎁.csv",
    "file_url_auth_username": "u",
    "file_url_auth_password": "hunter2",
    "created_by": "me",
    "callback_url": "https://example.com/done",
}
FILTERS = all_of(user_attribute("city", ["Oslo"]))

OPERATIONS: dict[str, Callable[[Operations], Operation[Any]]] = {
    "upload_coupon_file": lambda operations: operations.upload_coupon_file("list-1", URL),
    "get_coupon_file": lambda operations: operations.get_coupon_file("list-1", "file-1"),
    "list_coupon_files": lambda operations: operations.list_coupon_files("list-1"),
    "create_catalog": lambda operations: operations.create_catalog("c", "EUR", [{"name": "id", "type": "string"}]),
    "update_segment": lambda operations: operations.update_segment("s-1", name="n"),
}

WIRE = {
    "upload": (
        OPERATIONS["upload_coupon_file"],
        "POST",
        "/v1/coupon-list/list-1/files",
        CAMPAIGN,
        b'{"file_url":"https://files.example.com/coupons.csv?sig=topsecret"}',
    ),
    "upload with every field": (
        lambda operations: operations.upload_coupon_file("list-1", URL, **ALL_FIELDS),
        "POST",
        "/v1/coupon-list/list-1/files",
        CAMPAIGN,
        '{"file_url":"https://files.example.com/coupons.csv?sig=topsecret","name":"Août 🎁.csv",'
        '"file_url_auth_username":"u","file_url_auth_password":"hunter2","created_by":"me",'
        '"callback_url":"https://example.com/done"}'.encode(),
    ),
    "upload to a hostile list": (
        lambda operations: operations.upload_coupon_file("../a b/%2e?x=1#é;", URL),
        "POST",
        "/v1/coupon-list/..%2Fa%20b%2F%252e%3Fx%3D1%23%C3%A9%3B/files",
        CAMPAIGN,
        b'{"file_url":"https://files.example.com/coupons.csv?sig=topsecret"}',
    ),
    "get": (OPERATIONS["get_coupon_file"], "GET", "/v1/coupon-list/list-1/files/file-1", CAMPAIGN, b""),
    "get of hostile ids": (
        lambda operations: operations.get_coupon_file("a/b", "..."),
        "GET",
        "/v1/coupon-list/a%2Fb/files/...",
        CAMPAIGN,
        b"",
    ),
    "list": (OPERATIONS["list_coupon_files"], "GET", "/v1/coupon-list/list-1/files", CAMPAIGN, b""),
    "catalog": (
        OPERATIONS["create_catalog"],
        "POST",
        "/v1/catalog",
        CAMPAIGN,
        b'{"name":"c","price_currency":"EUR","attributes":[{"name":"id","type":"string"}]}',
    ),
    "segment": (
        lambda operations: operations.update_segment("s/1", included_filters=FILTERS, updated_by="a@b.example"),
        "PATCH",
        "/v3/custom-segments/s%2F1",
        DATA,
        b'{"included_filters":{"filter_operator":"and","filters":[{"filter_type":"user_attributes","name":"city",'
        b'"data_type":"string","operator":"in","value":["Oslo"],"negate":false,"case_sensitive":false}]},'
        b'"updated_by":"a@b.example"}',
    ),
}


@pytest.mark.parametrize(("make", "method", "path", "authorization", "body"), WIRE.values(), ids=WIRE)
def test_the_request_on_the_wire(
    driver: Driver,
    wes_emulator: Emulator,
    make: Callable[[Operations], Operation[Any]],
    method: str,
    path: str,
    authorization: str,
    body: bytes,
):
    try:
        driver(make)
    except exceptions.WesNotFoundError:
        assert method == "GET"
    (request,) = wes_emulator.requests
    assert (request.method, request.raw_path, request.body) == (method, path, body)
    headers = request.headers
    assert headers["SVC-APPKEY"] == "emulated-workspace"
    assert headers["Authorization"] == authorization
    assert headers["Accept"] == "application/json"
    assert headers["Accept-Encoding"] == "identity"
    assert headers["User-Agent"].startswith("airflow-provider-wes/")
    assert headers.get("Content-Type") == ("application/json" if body else None)
    assert headers.get("Content-Length") == (str(len(body)) if body else None)
    assert headers["Cache-Control"] == "no-cache"
    expected = {"Host", "Connection", "SVC-APPKEY", "Authorization", "Accept", "Accept-Encoding", "Cache-Control"}
    expected |= {"User-Agent", *(("Content-Type", "Content-Length") if body else ())}
    assert {name.title() for name in headers} <= {name.title() for name in expected}


def test_a_poll_has_the_headers_of_the_session(driver: Driver):
    operations = Operations(driver.settings)
    assert operations.poll_coupon_file("l", "f").request.headers is operations.campaign_headers  # not merged each time


def test_another_workspace_header_and_paths(driver: Driver, wes_emulator: Emulator):
    driver.settings = replace(
        driver.settings,
        workspace_header="X-App",
        coupon_file_path="/v2/files/{coupon_file_id}",
        coupon_files_path="/v2/lists/{coupon_list_id}",
    )
    for make in (OPERATIONS["get_coupon_file"], OPERATIONS["list_coupon_files"]):
        with pytest.raises(exceptions.WesResponseError):
            driver(make)
    assert [request.raw_path for request in wes_emulator.requests] == ["/v2/files/file-1", "/v2/lists/list-1"]
    assert [request.headers["X-App"] for request in wes_emulator.requests] == ["emulated-workspace"] * 2
    assert all("SVC-APPKEY" not in request.headers for request in wes_emulator.requests)


def test_the_whole_path_of_a_coupon_file(driver: Driver, wes_emulator: Emulator):
    uploaded = driver(lambda operations: operations.upload_coupon_file("list-1", URL, name="n"))
    assert uploaded == {
        "name": "n",
        "file_url": URL,
        "created_by": "",
        "status": "PENDING",
        "coupons_list_id": "list-1",
        "_id": uploaded["_id"],
    }
    assert driver(lambda operations: operations.get_coupon_file("list-1", uploaded["_id"]))["name"] == "n"
    (listed,) = driver(OPERATIONS["list_coupon_files"])
    assert listed["_id"] == uploaded["_id"]
    wes_emulator.configure(list_shape="data")
    assert [record["_id"] for record in driver(OPERATIONS["list_coupon_files"])] == [uploaded["_id"]]


def test_an_identifier_that_is_a_number_is_read_as_its_text(driver: Driver, wes_emulator: Emulator):
    record = {"_id": 7, "status": "PENDING", "name": "n"}
    for operation, body in {"upload_coupon_file": record, "list_coupon_files": [record]}.items():
        wes_emulator.fail(operation, faults.garbage(json.dumps(body).encode(), status=200))
    expected = {**record, "_id": "7"}
    assert driver(OPERATIONS["upload_coupon_file"]) == expected
    assert driver(OPERATIONS["list_coupon_files"]) == [expected]
    wes_emulator.fail("get_coupon_file", faults.garbage(json.dumps(record).encode(), status=200))
    assert driver(lambda operations: operations.get_coupon_file("list-1", "7")) == expected


@pytest.mark.parametrize("value", ["true", "7.5", '["7"]'])
def test_an_identifier_that_is_no_text_is_named(driver: Driver, wes_emulator: Emulator, value: str):
    wes_emulator.fail("upload_coupon_file", faults.garbage(f'{{"_id": {value}}}'.encode(), status=201))
    with pytest.raises(exceptions.WesUnknownOutcomeError, match="201 with an _id that is no text: "):
        driver(OPERATIONS["upload_coupon_file"])


def test_a_catalog_gives_its_identifier_and_the_answer(driver: Driver, wes_emulator: Emulator):
    catalog_id, response = driver(OPERATIONS["create_catalog"])
    assert list(wes_emulator.catalogs) == [catalog_id]
    assert response["catalog_id"] == catalog_id


@pytest.mark.parametrize("response", ["object", "data", "empty"])
def test_a_segment_update_takes_any_2xx(driver: Driver, wes_emulator: Emulator, response: str):
    wes_emulator.configure(segment_response=response, segment_status=204 if response == "empty" else 202)
    assert isinstance(driver(OPERATIONS["update_segment"]), dict)
    assert wes_emulator.segments["s-1"]["name"] == "n"


# -- errors ------------------------------------------------------------------------------------------

DOCUMENTED = {
    "400 malformed": (400, "invalid-request", exceptions.WesBadRequestError),
    "401": (401, "request-unauthenticated", exceptions.WesAuthenticationError),
    "403": (403, "request-forbidden", exceptions.WesForbiddenError),
    "404": (404, "", exceptions.WesNotFoundError),
    "409": (409, "conflict", exceptions.WesConflictError),
    "413": (413, "", exceptions.WesPayloadTooLargeError),
    "418": (418, "teapot", exceptions.WesResponseError),
}


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(("status", "code", "error_class"), DOCUMENTED.values(), ids=DOCUMENTED)
def test_a_4xx_is_an_error_at_once(
    driver: Driver, wes_emulator: Emulator, operation: str, status: int, code: str, error_class: type
):
    fault = faults.error(status, code, "no, because", headers={"x-request-id": "r-7"})
    wes_emulator.fail(operation, fault, times=None)
    with pytest.raises(exceptions.WesResponseError) as raised:
        driver(OPERATIONS[operation])
    error = raised.value
    assert type(error) is error_class
    assert (error.status_code, error.code, error.message, error.request_id) == (status, code, "no, because", "r-7")
    first, *more = str(error).splitlines()
    assert first.startswith(f"{status} {code}".strip() + ": no, because")
    assert more[-2:] == ["Request r-7", f"Operation: {operation}"]
    assert len(more) > 2  # there is advice
    if status == 401:
        assert more[0].endswith("; press Test there.")
        assert more[1] == "wes-doctor names what is wrong, too."
    assert error.permanent
    assert len(wes_emulator.requests) == 1


BODIES = {
    "contract": ({"error": {"code": "c", "message": "m"}}, "c", "m"),
    "flat": ({"code": "c", "message": "m"}, "c", "m"),
    "capitals": ({"Error": {"Code": "c", "Message": "m"}}, "c", "m"),
    "camelCase with prefix": ({"errorCode": "c", "errorMessage": "m"}, "c", "m"),
    "snake_case with prefix": ({"error_code": "c", "error_message": "m"}, "c", "m"),
    "hyphens": ({"error-code": "c", "error-message": "m"}, "c", "m"),
    "error text": ({"error": "m"}, "", "m"),
    "error text and message": ({"error": "c", "message": "m"}, "c", "m"),
    "OAuth": ({"error": "c", "error_description": "m"}, "c", "m"),
    "problem": ({"type": "about:blank", "title": "c", "status": 422, "detail": "m"}, "c", "m"),
    "title only": ({"title": "no such thing"}, "", "no such thing"),
    "reason": ({"reason": "c", "message": "m"}, "c", "m"),
    "reason as a sentence": ({"reason": "it is so"}, "", "it is so"),
    "status repeated": ({"error": {"code": 422, "status": "c", "message": "m"}}, "c", "m"),
    "only the status": ({"code": 422, "message": "m"}, "422", "m"),
    "type error": ({"type": "error", "error": {"type": "c", "message": "m"}}, "c", "m"),
    "fault": ({"fault": {"faultstring": "m", "detail": {"errorcode": "c"}}}, "c", "m"),
    "errors": ({"errors": [{"code": "c", "detail": "m"}]}, "c", "m"),
    "errors and message": ({"message": "n", "errors": [{"code": "c", "message": "m"}]}, "c", "n: m"),
    "errors as texts": ({"errors": ["m", "n"]}, "", '["m","n"]'),
    "one error as text": ({"errors": ["m"]}, "", "m"),
    "errors by field": ({"errors": {"name": ["m", "n"]}}, "", '{"name":["m","n"]}'),
    "message object": ({"error": {"code": "c", "message": {"field": "m"}}}, "c", '{"field":"m"}'),
    "message list": ({"code": "c", "message": ["m", 1]}, "c", '["m",1]'),
    "detail": ({"detail": "m"}, "", "m"),
    "detail object": ({"detail": {"code": "c", "message": "m"}}, "c", "m"),
    "nested in something else": ({"meta": {"ok": False}, "response": {"code": "c", "message": "m"}}, "c", "m"),
    "array": ([{"code": 7, "message": "m"}], "7", "m"),
    "JSON text": ("m", "", "m"),
    "text": (b"m", "", "m"),
    "html": (b"<h1>m</h1>\n<p>n</p>", "", "<h1>m</h1> <p>n</p>"),
    "nothing that fits": ({"foo": ["bar"]}, "", '{"foo": ["bar"]}'),
    "nothing": (b"", "", ""),
    "null": (b"null", "", ""),
    "empty": (b"{}", "", ""),
    "deep": (b"[" * 100_000, "", None),
    "broken utf-8": (b"\xff\xfd", "", "\ufffd\ufffd"),
}


@pytest.mark.parametrize(("body", "code", "message"), BODIES.values(), ids=BODIES)
def test_code_and_message_are_found_where_they_usually_are(
    driver: Driver, wes_emulator: Emulator, body: Any, code: str, message: str | None
):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    wes_emulator.fail("create_catalog", faults.error(422, body=content))
    with pytest.raises(exceptions.WesResponseError) as raised:
        driver(OPERATIONS["create_catalog"])
    assert raised.value.code == code
    assert message is None or raised.value.message == message
    assert len(str(raised.value)) < 500


def test_no_error_repeats_a_secret(driver: Driver, wes_emulator: Emulator):
    echo = f"bad {URL} emulated-campaign-key {CAMPAIGN} hunter2"
    wes_emulator.fail("upload_coupon_file", faults.error(400, "x", echo))
    with pytest.raises(exceptions.WesBadRequestError) as raised:
        driver(lambda operations: operations.upload_coupon_file("list-1", URL, **ALL_FIELDS))
    text = str(raised.value) + repr(vars(raised.value))
    assert "https://files.example.com/coupons.csv" in text
    for secret in ("topsecret", "emulated-campaign-key", "hunter2", CAMPAIGN.partition(" ")[2]):
        assert secret not in text


OF_ANOTHER_UPLOAD = {
    "file_url": "https://files.example.com/old.csv?n=other-upload",
    "file_url_auth_password": "other-upload",
    "apiKey": "other-upload",
    "fetch": {"credentials": {"user": "other-upload"}, "Authorization": "Basic other-upload"},
}
ECHOES = {
    "a list": ("list_coupon_files", 200, [{"id": "a", **OF_ANOTHER_UPLOAD}]),
    "a file": ("get_coupon_file", 200, {"status": "DONE", "upload": {"of": OF_ANOTHER_UPLOAD}}),
    "an upload": ("upload_coupon_file", 201, {"status": "DONE", "same_as": OF_ANOTHER_UPLOAD}),
    "a catalog": ("create_catalog", 201, {"key": "x", "token": "other-upload"}),
    "a message": ("upload_coupon_file", 400, {"error": {"code": "x", "message": OF_ANOTHER_UPLOAD}}),
    "details": ("upload_coupon_file", 400, {"message": "No.", "details": json.dumps(OF_ANOTHER_UPLOAD)}),
    "escaped slashes": ("list_coupon_files", 200, b'{"a": "https:\\/\\/h\\/a.csv?n=other-upload'),
    "a form": ("upload_coupon_file", 400, b"user=a&file_url_auth_password=other-upload"),
}


@pytest.mark.parametrize(("operation", "status", "body"), ECHOES.values(), ids=ECHOES)
def test_no_error_shows_what_is_secret_by_its_name(
    driver: Driver, wes_emulator: Emulator, operation: str, status: int, body: Any
):
    """The secrets of another upload are not known, so they cannot be found by their values."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    wes_emulator.fail(operation, faults.garbage(content, status=status), times=None)
    with pytest.raises(exceptions.WesError) as raised:
        driver(OPERATIONS[operation])
    assert "other-upload" not in str(raised.value)


# -- where the identifier of a catalog is --------------------------------------------------------------

CATALOG_IDS = {
    "catalog_id": ({"catalog_id": "x", "id": "y"}, None, "x"),
    "id": ({"id": "x"}, None, "x"),
    "_id": ({"_id": "x"}, None, "x"),
    "catalogId": ({"catalogId": "x"}, None, "x"),
    "catalog-ID": ({"catalog-ID": "x"}, None, "x"),
    "number": ({"id": 12}, None, "12"),
    "under data": ({"data": {"_id": "x"}}, None, "x"),
    "under catalog": ({"catalog": {"id": "x"}}, None, "x"),
    "a string": ("x", None, "x"),
    "a number by itself": (7, None, "7"),
    "a word that is none": ("Created", None, None),
    "a sentence": ("it is created", None, None),
    "markup": ("<p>x</p>", None, None),
    "dotted": ({"result": {"catalog": {"key": "x"}}}, "result.catalog.key", "x"),
    "dotted missing": ({"id": "y"}, "result.id", None),
    "nothing": ({}, None, None),
    "empty": ({"id": ""}, None, None),
    "boolean": ({"id": True}, None, None),
    "only a boolean": (True, None, None),
    "array": ([{"id": "x"}], None, None),
    "beside the request's, under catalog": ({"id": "r", "catalog": {"id": "x"}}, None, "x"),
    "beside the request's, under data": ({"data": {"catalog_id": "x"}, "id": "r"}, None, "x"),
    "beside the request's, of data": ({"id": "r", "data": {"id": "d", "catalog": {"_id": "x"}}}, None, "x"),
    "beside the status 201": ({"status": 201, "code": 0, "id": "x"}, None, "x"),
    "beside a success": ({"success": 1, "id": "x", "errors": [{"id": "e"}]}, None, "x"),
    "of a draft": ({"status": "created", "result": "ok", "id": "x"}, None, "x"),
    "beside the status 400": ({"status": 400, "id": "r", "message": "Bad"}, None, None),
    "beside the status 400 as a text": ({"statusCode": "422", "id": "r"}, None, None),
    "beside a status object": ({"status": {"code": 400, "message": "Bad"}, "id": "r"}, None, None),
    "beside the result error": ({"result": "error", "id": "r"}, None, None),
    "beside the success false, as a text": ({"success": "false", "id": "r"}, None, None),
    "beside the success 0": ({"success": 0, "id": "r"}, None, None),
    "beside isSuccess": ({"isSuccess": False, "catalog_id": "r"}, None, None),
    "dotted, beside a failure": ({"success": False, "id": "r"}, "id", None),
    "dotted, beside a warning": ({"errors": ["Slow."], "result": {"key": "x"}}, "result.key", "x"),
    "null": (None, None, None),
}


@pytest.mark.parametrize(("content", "prop", "found"), CATALOG_IDS.values(), ids=CATALOG_IDS)
def test_the_identifier_of_a_catalog_is_found(content: Any, prop: str | None, found: str | None):
    assert find_catalog_id(content, prop) == found


def test_a_catalog_without_an_identifier_keeps_the_answer(driver: Driver, wes_emulator: Emulator):
    wes_emulator.configure(catalog_id_property="result.key")
    with pytest.raises(exceptions.WesUnknownOutcomeError, match=r"paths\.catalog_id") as raised:
        driver(OPERATIONS["create_catalog"])
    assert raised.value.response == {"result": {"key": next(iter(wes_emulator.catalogs))}}
    assert len(wes_emulator.requests) == 1
    driver.settings = replace(driver.settings, catalog_id_property="result.key")
    assert driver(lambda operations: operations.create_catalog("d", "EUR", []))[0] in wes_emulator.catalogs


def test_a_catalog_created_with_an_answer_that_is_no_json_is_not_created_again(driver: Driver, wes_emulator: Emulator):
    wes_emulator.fail("create_catalog", faults.garbage(b"created it"))
    with pytest.raises(exceptions.WesUnknownOutcomeError, match="no identifier") as raised:
        driver(OPERATIONS["create_catalog"])
    assert len(wes_emulator.requests) == 1
    assert raised.value.response is not None


@pytest.mark.parametrize("body", [b"cat-7f3a", b'"cat-7f3a"', b"cat-7f3a\n"], ids=["bare", "quoted", "line"])
def test_a_catalog_identifier_may_come_as_text(driver: Driver, wes_emulator: Emulator, body: bytes):
    wes_emulator.fail("create_catalog", faults.garbage(body))
    assert driver(OPERATIONS["create_catalog"]) == ("cat-7f3a", "cat-7f3a")


@pytest.mark.parametrize("body", [b"Segment updated", b"<p>ok</p>", b"NaN", b"{", b"", b"[1]", b'"done"'], ids=str)
def test_any_body_of_a_successful_segment_update_is_kept(driver: Driver, wes_emulator: Emulator, body: bytes):
    wes_emulator.fail("update_segment", faults.garbage(body))
    result = driver(OPERATIONS["update_segment"])
    assert list(result) == ["response"]
    assert result["response"] == {b"": None, b"[1]": [1], b'"done"': "done"}.get(body, body.decode())
    assert len(wes_emulator.requests) == 1


NAMES_TAKEN = {
    "409": (409, {}, True),
    "409, conflict": (409, {"error": {"code": "conflict", "message": "Conflict"}}, True),
    "409, emulator": (409, {"message": "There is already a catalog of this name."}, True),
    "409, has this name": (409, {"code": "conflict", "message": "A catalog has this name."}, True),
    "not available": (400, {"message": "Catalog name 'cat1' is not available"}, True),
    "another": (400, {"message": "There is another catalog with that name"}, True),
    "different": (422, {"message": "Please choose a different name"}, True),
    "in this workspace": (400, {"message": "Catalog 'attributes' already exists in this workspace"}, True),
    "Rails": (422, {"name": ["has already been taken"]}, True),
    "only that": (400, {"message": "Already exists."}, True),
    "code, 403": (403, {"code": "already_exists", "message": "m"}, True),
    "code, 412": (412, {"code": "ALREADY-EXISTS"}, True),
    "code, 500": (500, {"code": "AlreadyExists", "message": "m"}, True),
    "duplicate_name": (400, {"code": "duplicate_name", "message": "m"}, True),
    "Braze": (400, {"errors": [{"id": "name-already-exists", "message": "In use"}]}, True),
    "409, locked": (409, {"message": "Workspace is locked by another operation"}, False),
    "409, too many": (409, {"code": "conflict", "message": "Too many catalogs"}, False),
    "409, other words": (409, {"message": "Try again in a minute"}, False),
    "workspace": (400, {"message": "The workspace does not exist or already expired"}, False),
    "feature": (400, {"message": "Feature already in use on another plan"}, False),
    "request": (400, {"message": "Request with id 7 was already processed"}, False),
    "attributes unique": (400, {"message": "attributes must be unique"}, False),
    "attribute duplicate": (400, {"message": "Attribute 'id' is a duplicate"}, False),
    "attribute name": (400, {"message": "attribute name already exists in schema"}, False),
    "attributes taken": (422, {"errors": {"attributes": ["has already been taken"]}}, False),
    "attribute code": (409, {"code": "already_exists", "message": "Attribute id exists"}, False),
    "type": (400, {"message": "Type of attribute 'unique' unknown"}, False),
    "currency unique": (400, {"message": "Price currency is not unique"}, False),
    "409, busy": (409, {"message": "Catalog is in use by another operation"}, False),
    "name of letters": (400, {"message": "Name may only be used with letters"}, False),
    "name missing": (400, {"message": "Catalog name is required"}, False),
    "already exists": (400, {"message": "catalog already exists"}, True),
    "code": (422, {"errorCode": "NAME_EXISTS", "message": "m"}, True),
    "camelCase": (400, {"code": "nameTaken", "message": "m"}, True),
    "in use": (422, {"error": "that name is in use"}, True),
    "unique": (422, {"errors": [{"field": "name", "message": "must be unique"}]}, True),
    "conflict": (400, {"code": "conflict"}, True),
    "not exists": (400, {"message": "attribute type does not exist"}, False),
    "not_exists": (400, {"code": "currency_not_exists"}, False),
    "other": (422, {"message": "price_currency is wrong"}, False),
    "server": (500, {"message": "already exists"}, False),
}


@pytest.mark.parametrize(("status", "body", "taken"), NAMES_TAKEN.values(), ids=NAMES_TAKEN)
def test_a_name_that_is_taken_is_recognised(driver: Driver, status: int, body: Any, taken: bool):
    make = OPERATIONS["create_catalog"](driver.operations)
    with pytest.raises(exceptions.WesResponseError) as raised:
        make.read(Response(status, {}, json.dumps(body).encode()))
    assert name_exists(raised.value) is taken


@pytest.mark.parametrize("operation", [name for name in OPERATIONS if name != "update_segment"])
def test_a_useless_2xx_is_quoted_and_not_sent_again(driver: Driver, wes_emulator: Emulator, operation: str):
    body = b"hello, your key is emulated-campaign-key"
    wes_emulator.fail(operation, faults.garbage(body, status=200), times=None)
    with pytest.raises(exceptions.WesError, match=r"hello, your key is \*\*\*"):
        driver(OPERATIONS[operation])
    assert len(wes_emulator.requests) == 1


def test_a_file_that_is_another_one_is_an_error(driver: Driver, wes_emulator: Emulator):
    record = {"_id": "file-2", "status": "SUCCESS"}
    wes_emulator.fail("get_coupon_file", faults.garbage(json.dumps(record).encode(), status=200), times=None)
    with pytest.raises(exceptions.WesResponseError, match="'file-2', which was not requested"):
        driver(OPERATIONS["get_coupon_file"])


@pytest.mark.parametrize("body", [b"[]", b'"x"', b"null", b"7", b'{"_id": "file-1"}', b'{"status": "DONE"}', b"", b"{"])
@pytest.mark.parametrize("operation", ["get_coupon_file", "upload_coupon_file"])
def test_a_2xx_that_lacks_what_is_needed_is_an_error(
    driver: Driver, wes_emulator: Emulator, operation: str, body: bytes
):
    wes_emulator.fail(operation, faults.garbage(body, status=200), times=None)
    if operation == "upload_coupon_file" and b"file-1" in body:
        assert driver(OPERATIONS[operation]) == {"_id": "file-1"}
        return
    error_class = (
        exceptions.WesUnknownOutcomeError if operation == "upload_coupon_file" else exceptions.WesResponseError
    )
    with pytest.raises(error_class, match=r"^200 with"):
        driver(OPERATIONS[operation])
    if operation == "upload_coupon_file":
        assert len(wes_emulator.requests) == 1


def test_models_are_checked_before_anything_is_sent(driver: Driver, wes_emulator: Emulator):
    for make in (
        lambda operations: operations.upload_coupon_file("", URL),
        lambda operations: operations.upload_coupon_file("l", "x"),
        lambda operations: operations.get_coupon_file("l", ".."),
        lambda operations: operations.list_coupon_files(None),
        lambda operations: operations.create_catalog("c", "XXX", []),
        lambda operations: operations.update_segment("s"),
        lambda operations: operations.update_segment("a\r\nb", name="n"),
    ):
        with pytest.raises(exceptions.WesConfigurationError):
            driver(make)
    assert wes_emulator.requests == []
    assert models.identifier("id", "..x") == "..x"
