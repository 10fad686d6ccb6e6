"""The three documented operations and the two reads, to the letter of the contract."""

from __future__ import annotations

import json
from typing import Any

import pytest
from multidict import CIMultiDict

from support.emulator_calls import (
    CATALOG,
    DATA_KEY,
    KEY,
    SEGMENT,
    UPLOAD,
    WORKSPACE,
    Caller,
    basic,
    content,
    refusal,
    right_headers,
)

FILES = "/v1/coupon-list/list-1/files"
REQUESTS = {
    "upload_coupon_file": ("POST", FILES, UPLOAD, KEY, DATA_KEY),
    "list_coupon_files": ("GET", FILES, b"", KEY, DATA_KEY),
    "get_coupon_file": ("GET", f"{FILES}/1", b"", KEY, DATA_KEY),
    "create_catalog": ("POST", "/v1/catalog", CATALOG, KEY, DATA_KEY),
    "update_segment": ("PATCH", "/v3/custom-segments/7", SEGMENT, DATA_KEY, KEY),
}
ATTRIBUTE = {"name": "id", "type": "string"}
MALFORMED: list[tuple[str, Any]] = [
    ("upload_coupon_file", b'{"file_url": "https://a.example/x"'),
    ("upload_coupon_file", b"\xff\xfe"),
    ("upload_coupon_file", b"[" * 100_000),
    ("upload_coupon_file", ["https://a.example/x"]),
    ("upload_coupon_file", {}),
    ("upload_coupon_file", {"file_url": ""}),
    ("upload_coupon_file", {"file_url": 7}),
    ("upload_coupon_file", {"file_url": ["https://a.example/x", "https://a.example/y"]}),
    ("upload_coupon_file", {"file_url": "https://a.example/x,https://a.example/y"}),
    ("upload_coupon_file", {"file_url": "https://a.example/x https://a.example/y"}),
    ("upload_coupon_file", {"file_url": "/relative.csv"}),
    ("upload_coupon_file", {"file_url": "https://[::1/x"}),
    ("upload_coupon_file", {**UPLOAD, "name": None}),
    ("upload_coupon_file", {**UPLOAD, "callback_url": ""}),
    ("create_catalog", {**CATALOG, "name": " "}),
    ("create_catalog", {**CATALOG, "price_currency": "eur"}),
    ("create_catalog", {**CATALOG, "price_currency": ["EUR"]}),
    ("create_catalog", {**CATALOG, "attributes": None}),
    ("create_catalog", {**CATALOG, "attributes": [{"name": "id"}]}),
    ("create_catalog", {**CATALOG, "attributes": [{"name": "", "type": "string"}]}),
    ("create_catalog", {**CATALOG, "attributes": [ATTRIBUTE, ATTRIBUTE]}),
    ("update_segment", {}),
    ("update_segment", {"name": ""}),
    ("update_segment", {"updated_by": None}),
    ("update_segment", {"included_filters": {"filter_operator": "and"}}),
    ("update_segment", {"included_filters": {"filter_operator": "and", "filters": ["x"]}}),
]


def send(caller: Caller, operation: str, body: Any = None, headers: CIMultiDict[str] | None = None) -> Any:
    """One request of an operation, with its own key."""
    method, path, usual, key, _ = REQUESTS[operation]
    given = right_headers(key) if headers is None else headers
    return caller.send(method, path, usual if body is None else body, headers=given)


# -- what all operations have in common ------------------------------------------------------------------


@pytest.mark.parametrize(("operation", "body"), MALFORMED, ids=lambda value: str(value)[:60])
def test_malformed_body_is_an_invalid_request_without_effect(operation: str, body: Any) -> None:
    caller = Caller()
    assert refusal(send(caller, operation, body)) == (400, "invalid-request")
    assert list(caller.service.world.holdings()) == []


def test_body_of_another_type_is_an_invalid_request() -> None:
    headers = right_headers()
    headers["Content-Type"] = "text/plain"
    assert refusal(send(Caller(), "upload_coupon_file", headers=headers)) == (400, "invalid-request")


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("POST", "/v1/coupon-list//files", (404, "not-found")),
        ("POST", "/v1/coupon-list/a/b/files", (404, "not-found")),
        ("POST", "/v1/coupon-list/../files", (404, "not-found")),
        ("POST", "/v1/coupon-list/%2E%2e/files", (404, "not-found")),
        ("POST", "/v1/coupon-list/a/files/", (404, "not-found")),
        ("POST", "/v1/coupon-list/%FF/files", (400, "invalid-request")),
        ("PUT", "/v1/coupon-list/a/files", (405, "method-not-allowed")),
        ("POST", "/v3/custom-segments/1", (401, "request-unauthenticated")),  # the credentials are checked first
    ],
)
def test_other_paths_and_methods_are_refused(method: str, path: str, expected: tuple[int, str]) -> None:
    assert refusal(Caller().send(method, path, UPLOAD)) == expected


@pytest.mark.parametrize(
    ("segment", "identifier"), [("a%2Fb", "a/b"), ("caf%C3%A9", "café"), ("%2e%2e%2fx", "../x"), ("%25", "%")]
)
def test_quoted_identifier_is_one_segment(segment: str, identifier: str) -> None:
    caller = Caller()
    assert content(caller.upload(segment))["coupons_list_id"] == identifier
    assert len(caller.service.files(identifier)) == 1


@pytest.mark.parametrize("operation", REQUESTS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"Authorization": None},
        {"Authorization": "Basic %%%"},
        {"Authorization": "Basic /////w=="},
        {"Authorization": basic(WORKSPACE, "wrong")},
        {"Authorization": basic("wrong", KEY)},
        {"Authorization": basic(WORKSPACE, KEY).replace("Basic", "Bearer")},
        {"SVC-APPKEY": None},
        {"SVC-APPKEY": "another"},
    ],
    ids=str,
)
def test_missing_or_wrong_credentials_are_unauthenticated(operation: str, wrong: dict[str, str | None]) -> None:
    headers = right_headers(REQUESTS[operation][3])
    for name, value in wrong.items():
        headers.popall(name)
        if value is not None:
            headers[name] = value
    assert refusal(send(Caller(), operation, headers=headers)) == (401, "request-unauthenticated")


@pytest.mark.parametrize("operation", REQUESTS)
def test_each_operation_takes_its_own_key_and_those_of_coupons_need_access(operation: str) -> None:
    assert send(Caller(), operation).status != 401
    assert send(Caller(), operation, headers=right_headers(REQUESTS[operation][4])).status == 401
    without = send(Caller(coupon_management=False), operation)
    assert without.status in (200, 201) or refusal(without) == (403, "request-forbidden")
    assert (without.status == 403) is ("coupon" in operation)


def test_checks_come_in_order() -> None:
    """Credentials before access, access before the body, the body before the limit."""
    caller = Caller(coupon_management=False, limits={"upload_coupon_file": [[0, 60]]})
    statuses = [send(caller, "upload_coupon_file", b"{", CIMultiDict()).status]
    statuses.append(send(caller, "upload_coupon_file", b"{").status)
    caller.service.configure(coupon_management=True)
    statuses.append(send(caller, "upload_coupon_file", b"{").status)
    statuses.append(send(caller, "upload_coupon_file").status)
    assert statuses == [401, 403, 400, 429]


# -- coupon files: contract section 4.1; the reads are not shown by it, design section 5 -----------------


def test_upload_answers_201_with_exactly_six_strings_and_a_read_with_what_is_counted() -> None:
    caller, credentials = Caller(), {"file_url_auth_username": "reader", "file_url_auth_password": "secret"}
    reply = caller.upload(name="n", created_by="ana", callback_url="https://example.com/done", **credentials)
    assert reply.status == 201
    file = content(reply)
    shown = {"name": "n", "file_url": "https://files.example.com/nightly/coupons.csv", "created_by": "ana"}
    assert file == {"_id": file["_id"], **shown, "status": "PENDING", "coupons_list_id": "list-1"}
    assert content(caller.get(file["_id"])) == {**file, "coupons_added": 0, "coupons_duplicate": 0}
    assert refusal(caller.get("nope")) == refusal(caller.get(file["_id"], "another-list")) == (404, "not-found")


def test_listing_and_fetch_can_lag_each_by_its_own_time() -> None:
    caller = Caller(list_lag=5, fetch_lag=2)
    file_id, seen = caller.uploaded(), []
    for seconds in (2, 3, 0):
        seen.append((caller.get(file_id).status, len(content(caller.list()))))
        caller.service.clock.advance(seconds)
    assert seen == [(404, 0), (200, 0), (200, 1)]
    assert len(caller.service.files("list-1")) == 1


def test_paths_of_the_reads_can_be_others() -> None:
    caller = Caller(coupon_file_path="/v2/files/{coupon_file_id}", coupon_files_path=None)
    file_id = caller.uploaded()
    assert content(caller.send("GET", f"/v2/files/{file_id}"))["_id"] == file_id
    assert refusal(caller.get(file_id)) == (404, "not-found")
    assert refusal(caller.list()) == (405, "method-not-allowed")


# -- catalogs: contract section 4.2 --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("catalog_id", {"catalog_id": "?"}),
        ("data.catalog._id", {"data": {"catalog": {"_id": "?"}}}),
        (None, "?"),
    ],
)
def test_catalog_is_created_once_and_answers_its_identifier_anywhere(path: str | None, shape: Any) -> None:
    caller = Caller(catalog_id_property=path)
    reply = caller.create_catalog()
    ((catalog_id, catalog),) = caller.service.account().catalogs.items()
    assert (reply.status, content(reply)) == (201, json.loads(json.dumps(shape).replace("?", catalog_id)))
    assert catalog.fields == {"id": catalog_id, **CATALOG}
    assert refusal(caller.create_catalog(price_currency="USD")) == (409, "conflict")
    assert len(caller.service.account().catalogs) == 1


def test_catalog_over_5_mb_is_refused_only_where_its_length_is_announced() -> None:
    body = json.dumps(CATALOG).encode().ljust(5 * 1024 * 1024)
    for data, announced, status in ((body, True, 201), (body + b" ", True, 413), (body + b" ", False, 201)):
        headers = right_headers()
        if announced:
            headers["Content-Length"] = str(len(data))
        assert send(Caller(), "create_catalog", data, headers).status == status


# -- segments: contract section 4.3 --------------------------------------------------------------------


def test_segment_update_answers_the_updated_segment_and_keeps_what_it_does_not_name() -> None:
    caller = Caller()
    reply = caller.update_segment("7")
    assert reply.status == 200
    assert content(reply) == {"id": "7", **SEGMENT, "updated_at": "2023-11-14T00:00:00.000+00:00"}
    caller.service.clock.advance(1.5)
    segment = content(caller.update_segment("7", {"name": "Porto"}))
    assert segment == {"id": "7", **SEGMENT, "name": "Porto", "updated_at": "2023-11-14T00:00:01.500+00:00"}
    assert caller.service.account().segments["7"].fields == segment
    assert refusal(caller.update_segment("8", {"name": "Porto"})) == (409, "conflict")
    assert caller.update_segment("7", {"name": "Porto"}).status == 200


@pytest.mark.parametrize(("shape", "status"), [("data", 200), ("empty", 204)])
def test_segment_response_can_have_other_shapes(shape: str, status: int) -> None:
    reply = Caller(segment_response=shape, segment_status=status).update_segment()
    assert reply.status == status
    assert reply.body == b"" if shape == "empty" else list(content(reply)) == ["data"]


def test_log_is_bounded_and_counts_go_on() -> None:
    caller = Caller(request_log=3)
    for _ in range(5):
        caller.list()
    assert len(caller.service.log) == 3
    assert caller.service.log.counts["list_coupon_files"] == 5
