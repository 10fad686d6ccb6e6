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

# -- upload: contract section 4.1 ---------------------------------------------------------------------


def test_upload_answers_201_with_exactly_six_strings() -> None:
    reply = Caller().upload(
        name="nightly",
        created_by="ana",
        file_url_auth_username="reader",
        file_url_auth_password="secret",
        callback_url="https://example.com/done",
    )
    assert reply.status == 201
    file = content(reply)
    assert file.pop("_id")
    assert file == {
        "name": "nightly",
        "file_url": "https://files.example.com/nightly/coupons.csv",
        "created_by": "ana",
        "status": "PENDING",
        "coupons_list_id": "list-1",
    }


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="no body"),
        pytest.param(b'{"file_url": "https://a.example/x"', id="cut off"),
        pytest.param(b"\xff\xfe", id="not UTF-8"),
        pytest.param(b"[" * 100_000, id="nested too deep"),
        pytest.param(b'{"file_url": NaN}', id="NaN"),
        pytest.param(b'["https://a.example/x"]', id="not an object"),
        pytest.param({}, id="no file_url"),
        pytest.param({"file_url": None}, id="null"),
        pytest.param({"file_url": ""}, id="empty"),
        pytest.param({"file_url": " "}, id="blank"),
        pytest.param({"file_url": ["https://a.example/x"]}, id="a list of one"),
        pytest.param({"file_url": ["https://a.example/x", "https://a.example/y"]}, id="a list of two"),
        pytest.param({"file_url": "https://a.example/x,https://a.example/y"}, id="two by comma"),
        pytest.param({"file_url": "https://a.example/x https://a.example/y"}, id="two by blank"),
        pytest.param({"file_url": "https://a.example/x\nhttps://a.example/y"}, id="two by line feed"),
        pytest.param({"file_url": "/relative.csv"}, id="relative"),
        pytest.param({"file_url": "https://[::1/x"}, id="no URL at all"),
        pytest.param({"file_url": 7}, id="a number"),
        pytest.param({**UPLOAD, "name": None}, id="null name"),
        pytest.param({**UPLOAD, "created_by": 1}, id="number for a string"),
        pytest.param({**UPLOAD, "callback_url": ""}, id="empty callback"),
    ],
)
def test_malformed_upload_is_an_invalid_request(body: Any) -> None:
    caller = Caller()
    assert refusal(caller.send("POST", "/v1/coupon-list/list-1/files", body)) == (400, "invalid-request")
    assert caller.service.files("list-1") == []


@pytest.mark.parametrize(
    ("segment", "identifier"),
    [("a%2Fb", "a/b"), ("caf%C3%A9", "café"), ("a%20b+c", "a b+c"), ("%2e%2e%2fx", "../x"), ("%25", "%")],
)
def test_quoted_identifier_is_one_segment(segment: str, identifier: str) -> None:
    caller = Caller()
    assert content(caller.upload(segment))["coupons_list_id"] == identifier
    assert len(caller.service.files(identifier)) == 1


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("POST", "/v1/coupon-list//files", (404, "not-found")),
        ("POST", "/v1/coupon-list/a/b/files", (404, "not-found")),
        ("POST", "/v1/coupon-list/../files", (404, "not-found")),
        ("POST", "/v1/coupon-list/%2E%2e/files", (404, "not-found")),
        ("POST", "/v2/coupon-list/a/files", (404, "not-found")),
        ("POST", "/v1/coupon-list/a/files/", (404, "not-found")),
        ("GET", "/", (404, "not-found")),
        ("POST", "/v1/coupon-list/%FF/files", (400, "invalid-request")),
        ("PUT", "/v1/coupon-list/a/files", (405, "method-not-allowed")),
        ("GET", "/v1/catalog", (405, "method-not-allowed")),
        ("POST", "/v3/custom-segments/1", (401, "request-unauthenticated")),  # the credentials are checked first
    ],
)
def test_other_paths_and_methods_are_refused(method: str, path: str, expected: tuple[int, str]) -> None:
    assert refusal(Caller().send(method, path, UPLOAD)) == expected


# -- credentials: contract section 5 -------------------------------------------------------------------

REQUESTS = {
    "upload_coupon_file": ("POST", "/v1/coupon-list/list-1/files", UPLOAD, KEY, DATA_KEY),
    "list_coupon_files": ("GET", "/v1/coupon-list/list-1/files", b"", KEY, DATA_KEY),
    "get_coupon_file": ("GET", "/v1/coupon-list/list-1/files/1", b"", KEY, DATA_KEY),
    "create_catalog": ("POST", "/v1/catalog", CATALOG, KEY, DATA_KEY),
    "update_segment": ("PATCH", "/v3/custom-segments/7", SEGMENT, DATA_KEY, KEY),
}


@pytest.mark.parametrize("operation", REQUESTS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"Authorization": None},
        {"Authorization": ""},
        {"Authorization": "Basic"},
        {"Authorization": "Basic %%%"},
        {"Authorization": "Basic /////w=="},
        {"Authorization": "Basic \xe9"},
        {"Authorization": basic(WORKSPACE, "wrong")},
        {"Authorization": basic("wrong", KEY)},
        {"Authorization": basic(WORKSPACE, "")},
        {"Authorization": basic(WORKSPACE, KEY).replace("Basic", "Bearer")},
        {"SVC-APPKEY": None},
        {"SVC-APPKEY": "another"},
    ],
    ids=str,
)
def test_missing_or_wrong_credentials_are_unauthenticated(operation: str, wrong: dict[str, str | None]) -> None:
    method, path, body, key, _ = REQUESTS[operation]
    headers = right_headers(key)
    for name, value in wrong.items():
        headers.popall(name)
        if value is not None:
            headers[name] = value
    assert refusal(Caller().send(method, path, body, headers=headers)) == (401, "request-unauthenticated")


@pytest.mark.parametrize("operation", REQUESTS)
def test_each_operation_takes_its_own_key_only(operation: str) -> None:
    method, path, body, key, other_key = REQUESTS[operation]
    assert Caller().send(method, path, body, headers=right_headers(key)).status != 401
    assert Caller().send(method, path, body, headers=right_headers(other_key)).status == 401


@pytest.mark.parametrize("operation", ["upload_coupon_file", "list_coupon_files", "get_coupon_file"])
def test_account_without_coupon_management_is_forbidden(operation: str) -> None:
    method, path, body, _, _ = REQUESTS[operation]
    caller = Caller(coupon_management=False)
    assert refusal(caller.send(method, path, body)) == (403, "request-forbidden")
    assert caller.create_catalog().status == 201


def test_checks_come_in_order() -> None:
    """Credentials before access, access before the body, the body before the limit."""
    caller = Caller(coupon_management=False, limits={"upload_coupon_file": [[0, 60]]})
    nothing: CIMultiDict[str] = CIMultiDict()
    statuses = [caller.send("POST", "/v1/coupon-list/a/files", b"{", headers=nothing).status]
    statuses.append(caller.send("POST", "/v1/coupon-list/a/files", b"{").status)
    caller.service.configure(coupon_management=True)
    statuses.append(caller.send("POST", "/v1/coupon-list/a/files", b"{").status)
    statuses.append(caller.upload("a").status)
    assert statuses == [401, 403, 400, 429]


# -- reads: not shown by the contract, design section 5 ------------------------------------------------


def test_fetch_gives_the_six_fields_and_what_is_counted() -> None:
    caller = Caller()
    uploaded = content(caller.upload(name="n"))
    assert content(caller.get(uploaded["_id"])) == {**uploaded, "coupons_added": 0, "coupons_duplicate": 0}


def test_unknown_file_is_not_found() -> None:
    caller = Caller()
    file_id = caller.uploaded()
    assert refusal(caller.get("nope")) == (404, "not-found")
    assert refusal(caller.get(file_id, "another-list")) == (404, "not-found")


def test_listing_and_fetch_can_lag_each_by_its_own_time() -> None:
    caller = Caller(list_lag=5, fetch_lag=2)
    file_id = caller.uploaded()

    def seen() -> tuple[int, int]:
        return caller.get(file_id).status, len(content(caller.list()))

    assert seen() == (404, 0)
    caller.service.clock.advance(2)
    assert seen() == (200, 0)
    caller.service.clock.advance(3)
    assert seen() == (200, 1)
    assert len(caller.service.files("list-1")) == 1


def test_paths_of_the_reads_can_be_others() -> None:
    caller = Caller(coupon_file_path="/v2/files/{coupon_file_id}", coupon_files_path=None)
    file_id = caller.uploaded()
    assert content(caller.send("GET", f"/v2/files/{file_id}"))["_id"] == file_id
    assert refusal(caller.get(file_id)) == (404, "not-found")
    assert refusal(caller.list()) == (405, "method-not-allowed")


# -- catalogs: contract section 4.2 --------------------------------------------------------------------


def test_catalog_answers_its_identifier() -> None:
    caller = Caller()
    reply = caller.create_catalog()
    assert reply.status == 201
    catalog_id = content(reply)["catalog_id"]
    assert content(reply) == {"catalog_id": catalog_id}
    assert caller.service.account().catalogs[catalog_id].fields == {"id": catalog_id, **CATALOG}


@pytest.mark.parametrize(
    ("path", "shape"),
    [("id", {"id": "?"}), ("data.catalog._id", {"data": {"catalog": {"_id": "?"}}}), (None, "?")],
)
def test_identifier_can_be_anywhere(path: str | None, shape: Any) -> None:
    caller = Caller(catalog_id_property=path, catalog_status=200)
    reply = caller.create_catalog()
    (catalog_id,) = caller.service.account().catalogs
    assert reply.status == 200
    assert content(reply) == json.loads(json.dumps(shape).replace("?", catalog_id))


def test_second_catalog_of_a_name_is_a_conflict() -> None:
    caller = Caller()
    caller.create_catalog()
    assert refusal(caller.create_catalog(price_currency="USD")) == (409, "conflict")
    assert len(caller.service.account().catalogs) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": None},
        {"name": 7},
        {"price_currency": "XXX"},
        {"price_currency": "eur"},
        {"price_currency": None},
        {"price_currency": ["EUR"]},
        {"attributes": None},
        {"attributes": {}},
        {"attributes": ["id"]},
        {"attributes": [{"name": "id"}]},
        {"attributes": [{"type": "string"}]},
        {"attributes": [{"name": "", "type": "string"}]},
        {"attributes": [{"name": "id", "type": 1}]},
        {"attributes": [{"name": "id", "type": "string"}, {"name": "id", "type": "bool"}]},
    ],
    ids=str,
)
def test_malformed_catalog_is_an_invalid_request(fields: dict[str, Any]) -> None:
    assert refusal(Caller().create_catalog(**fields)) == (400, "invalid-request")


def test_catalog_over_5_mb_is_refused_only_where_its_length_is_announced() -> None:
    body = json.dumps(CATALOG).encode().ljust(5 * 1024 * 1024)
    for data, announced, status in ((body, True, 201), (body + b" ", True, 413), (body + b" ", False, 201)):
        headers = right_headers()
        if announced:
            headers["Content-Length"] = str(len(data))
        assert Caller().send("POST", "/v1/catalog", data, headers=headers).status == status


# -- segments: contract section 4.3 --------------------------------------------------------------------


def test_segment_update_answers_the_updated_segment() -> None:
    caller = Caller()
    reply = caller.update_segment("7")
    assert reply.status == 200
    assert content(reply) == {"id": "7", **SEGMENT, "updated_at": "2023-11-14T00:00:00.000+00:00"}
    assert caller.service.account().segments["7"].fields == content(reply)


def test_segment_keeps_what_an_update_does_not_name() -> None:
    caller = Caller()
    caller.update_segment("7")
    caller.service.clock.advance(1.5)
    segment = content(caller.update_segment("7", {"name": "Porto"}))
    assert segment == {"id": "7", **SEGMENT, "name": "Porto", "updated_at": "2023-11-14T00:00:01.500+00:00"}


def test_name_of_another_segment_is_a_conflict() -> None:
    caller = Caller()
    caller.update_segment("7")
    assert refusal(caller.update_segment("8")) == (409, "conflict")
    assert caller.update_segment("7").status == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"unknown": 1},
        {"name": ""},
        {"name": 1},
        {"updated_by": None},
        {"included_filters": []},
        {"included_filters": {"filter_operator": "and"}},
        {"included_filters": {"filters": []}},
        {"included_filters": {"filter_operator": "and", "filters": {}}},
        {"included_filters": {"filter_operator": "and", "filters": ["x"]}},
    ],
    ids=str,
)
def test_malformed_segment_is_an_invalid_request(body: dict[str, Any]) -> None:
    assert refusal(Caller().update_segment("7", body)) == (400, "invalid-request")


@pytest.mark.parametrize(("shape", "status"), [("data", 200), ("empty", 204)])
def test_segment_response_can_have_other_shapes(shape: str, status: int) -> None:
    reply = Caller(segment_response=shape, segment_status=status).update_segment()
    assert reply.status == status
    assert reply.body == b"" if shape == "empty" else list(content(reply)) == ["data"]


# -- the log -----------------------------------------------------------------------------------------------


def test_log_is_bounded_and_counts_go_on() -> None:
    caller = Caller(request_log=3)
    for _ in range(5):
        caller.list()
    assert len(caller.service.log) == 3
    assert caller.service.log.counts["list_coupon_files"] == 5


# -- settings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"window_policy": "sliding"},
        {"list_lag": "5"},
        {"list_lag": -1},
        {"list_lag": float("nan")},
        {"coupon_management": "yes"},
        {"fault_rate": 1.1},
        {"limits": {"upload": [[5, 60]]}},
        {"limits": {"create_catalog": [5, 60]}},
        {"limits": {"create_catalog": [[5, 0]]}},
        {"coupon_file_path": "/v1/files"},
        {"request_log": 1.5},
    ],
    ids=str,
)
def test_setting_that_makes_no_sense_is_refused_by_name(settings: dict[str, Any]) -> None:
    (name,) = settings
    with pytest.raises(ValueError, match=f"emulator setting {name}|{name} must be"):
        Caller(**settings)
