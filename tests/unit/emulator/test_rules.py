"""
The three documented operations and the two reads, to the letter of the contract, and settings that
change them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import jsonschema
import pytest
from multidict import CIMultiDict

from unit.emulator.conftest import (
    CATALOG,
    DATA_KEY,
    FILES,
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
from wes_provider.contract import OPERATIONS, Key
from wes_provider.emulator import openapi

BODIES: dict[str, Any] = {
    "upload_coupon_file": UPLOAD,
    "create_catalog": CATALOG,
    "update_segment": SEGMENT,
}
IDENTIFIERS = {"coupon_list_id": "list-1", "coupon_file_id": "1", "segment_id": "7"}
KEYS = {Key.CAMPAIGN: KEY, Key.DATA: DATA_KEY}
INVALID, UNAUTHENTICATED, NOT_FOUND = (
    (400, "invalid-request"),
    (401, "request-unauthenticated"),
    (404, "not-found"),
)
CONFLICT = (409, "conflict")
ATTRIBUTE = {"name": "id", "type": "string"}
MALFORMED: dict[str, list[Any]] = {
    "upload_coupon_file": [
        *(
            b'{"file_url": "https://a.example/x"',
            b"\xff\xfe",
            b"[" * 100_000,
            ["https://a.example/x"],
            {},
        ),
        *(
            {"file_url": url}
            for url in ("", 7, ["https://a.example/x"], "/relative.csv", "https://[::1/x")
        ),
        *({"file_url": f"https://a.example/x{between}https://a.example/y"} for between in ", "),
        *({**UPLOAD, **wrong} for wrong in ({"name": None}, {"callback_url": ""})),
    ],
    "create_catalog": [
        *(
            {**CATALOG, **wrong}
            for wrong in ({"name": " "}, {"price_currency": "eur"}, {"attributes": None})
        ),
        *({**CATALOG, "attributes": wrong} for wrong in ([{"name": "id"}], [ATTRIBUTE, ATTRIBUTE])),
    ],
    "update_segment": [
        *({}, {"name": ""}, {"updated_by": None}, {"included_filters": {"filter_operator": "and"}}),
        {"included_filters": {"filter_operator": "and", "filters": ["x"]}},
    ],
}


def send(
    caller: Caller, operation: str, body: Any = None, headers: CIMultiDict[str] | None = None
) -> Any:
    """One request of an operation, with its own key."""
    row = OPERATIONS[operation]
    if headers is None:
        headers = right_headers(KEYS[row.key])
    if body is None:
        body = BODIES.get(operation, b"")
    return caller.send(row.method, row.path.format(**IDENTIFIERS), body, headers=headers)


# -- what all operations have in common ------------------------------------------------------------


@pytest.mark.parametrize("operation", MALFORMED)
def test_malformed_body_is_an_invalid_request_without_effect(operation: str) -> None:
    for body in MALFORMED[operation]:
        caller = Caller()
        assert refusal(send(caller, operation, body)) == INVALID, str(body)[:80]
        assert list(caller.service.state.world.holdings()) == []


class Refused(NamedTuple):
    """
    A request that is refused.

    :ivar changes: of the right headers; ``None`` for one that is missing.
    :ivar error: status and code.
    """

    error: tuple[int, str]
    changes: Mapping[str, str | None] = MappingProxyType({})
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


def test_quoted_identifier_is_one_segment() -> None:
    for segment, identifier in (("a%2Fb", "a/b"), ("caf%C3%A9", "café"), ("%2e%2e%2fx", "../x")):
        caller = Caller()
        assert content(caller.upload(segment))["coupons_list_id"] == identifier
        assert len(caller.service.files(identifier)) == 1


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_operation_takes_its_own_key_and_those_of_coupons_need_access(operation: str) -> None:
    other_key = KEY if operation == "update_segment" else DATA_KEY
    assert send(Caller(), operation).status != 401
    assert refusal(send(Caller(), operation, headers=right_headers(other_key))) == UNAUTHENTICATED
    assert (send(Caller(coupon_management=False), operation).status == 403) is (
        "coupon" in operation
    )


class Wrong(NamedTuple):
    """
    A request with several faults, and the first one in the order of the page.

    :ivar path: what stands after the prefix of a list.
    """

    status: int
    method: str = "POST"
    path: str = "list-1/files"
    key: str = KEY
    body: Any = UPLOAD
    settings: Mapping[str, Any] = MappingProxyType({})


NO_ACCESS: dict[str, Any] = {"coupon_management": False}
NO_MORE: dict[str, Any] = {
    "limits": {name: [[0, 60]] for name in ("upload_coupon_file", "get_coupon_file")}
}
IN_ORDER = {
    "no such path before credentials": Wrong(404, path="a/b", key="wrong"),
    "credentials before the method": Wrong(401, "PUT", key="wrong"),
    "credentials before an identifier that is no UTF-8": Wrong(401, path="%ff/files", key="wrong"),
    "credentials before an identifier, of a read": Wrong(
        401, "GET", path="list-1/files/%ff", key="wrong"
    ),
    "credentials before access": Wrong(401, key="wrong", settings=NO_ACCESS),
    "credentials before the body": Wrong(401, key="wrong", body=b"{"),
    "credentials before the limit": Wrong(401, key="wrong", settings=NO_MORE),
    "the method before an identifier": Wrong(405, "PUT", path="%ff/files"),
    "the method before access": Wrong(405, "PUT", settings=NO_ACCESS),
    "access before an identifier": Wrong(403, path="%ff/files", settings=NO_ACCESS),
    "access before the body": Wrong(403, body=b"{", settings=NO_ACCESS),
    "access before the limit": Wrong(403, settings=NO_ACCESS | NO_MORE),
    "an identifier before the limit": Wrong(400, path="%ff/files", settings=NO_MORE),
    "the body before the limit": Wrong(400, body=b"{", settings=NO_MORE),
    "the limit before what there is": Wrong(429, "GET", path="list-1/files/none", settings=NO_MORE),
}


@pytest.mark.parametrize("wrong", IN_ORDER.values(), ids=IN_ORDER)
def test_checks_come_in_the_order_of_the_page(wrong: Wrong) -> None:
    caller = Caller(**wrong.settings)
    reply = caller.send(
        wrong.method,
        f"/v1/coupon-list/{wrong.path}",
        wrong.body,
        headers=right_headers(wrong.key),
    )
    assert reply.status == wrong.status


@pytest.mark.parametrize("operation", OPERATIONS)
def test_replies_are_as_the_openapi_description_says(operation: str) -> None:
    description, caller = (
        openapi.describe(),
        Caller(unknown_segment="404", unknown_list="404"),
    )
    operations = [
        one for path in description["paths"].values() for one in path.values() if "responses" in one
    ]
    (described,) = (one["responses"] for one in operations if one["operationId"] == operation)
    replies = [send(caller, operation, b"{"), send(caller, operation, None, CIMultiDict())]
    replies += [caller.get(caller.uploaded())] if operation == "get_coupon_file" else []
    for reply in (*replies, *(send(caller, operation) for _ in range(6))):
        named = str(described[str(reply.status)].get("$ref")).rpartition("/")[2]
        shape = description["components"]["responses"].get(named, described[str(reply.status)])
        for one in shape.get("content", {}).values() if reply.body else ():
            jsonschema.validate(
                json.loads(reply.body), {**one["schema"], "components": description["components"]}
            )


# -- coupon files: contract section 4.1, which does not show the reads -----------------------------


def test_upload_answers_201_with_exactly_six_strings_and_a_read_with_what_is_counted() -> None:
    caller, credentials = (
        Caller(),
        {"file_url_auth_username": "reader", "file_url_auth_password": "secret"},
    )
    reply = caller.upload(
        name="n", created_by="ana", callback_url="https://example.com/done", **credentials
    )
    file = content(reply)
    shown = {"name": "n", "created_by": "ana", "status": "PENDING", "coupons_list_id": "list-1"}
    assert (reply.status, file) == (201, {"_id": file["_id"], **UPLOAD, **shown})
    assert content(caller.get(file["_id"])) == {**file, "coupons_added": 0, "coupons_duplicate": 0}
    assert (
        refusal(caller.get("nope")) == refusal(caller.get(file["_id"], "another-list")) == NOT_FOUND
    )


def test_listing_and_fetch_can_lag_each_by_its_own_time_and_have_other_paths() -> None:
    caller = Caller(list_lag=5, fetch_lag=2)
    file_id, seen = caller.uploaded(), []
    for seconds in (2, 3, 0):
        seen.append((caller.get(file_id).status, len(content(caller.list()))))
        caller.service.clock.advance(seconds)
    assert seen == [(404, 0), (200, 0), (200, 1)]
    caller.service.configure(coupon_file_path="/v2/files/{coupon_file_id}", coupon_files_path=None)
    assert content(caller.send("GET", f"/v2/files/{file_id}"))["_id"] == file_id
    assert (caller.get(file_id).status, caller.list().status) == (404, 405)


# -- catalogs: contract section 4.2 ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "shape"),
    [
        ({}, {"catalog_id": "?"}),
        ({"catalog_id_property": "data.catalog._id"}, {"data": {"catalog": {"_id": "?"}}}),
        ({"catalog_id_property": None}, "?"),
    ],
    ids=str,
)
def test_catalog_is_created_once_and_answers_its_identifier_anywhere(
    settings: dict[str, Any], shape: Any
) -> None:
    caller = Caller(**settings)
    reply = caller.create_catalog()
    ((catalog_id, catalog),) = caller.service.state.world.find_account("").catalogs.items()
    assert (reply.status, content(reply)) == (
        201,
        json.loads(json.dumps(shape).replace("?", catalog_id)),
    )
    assert catalog.fields == {"id": catalog_id, **CATALOG}
    assert refusal(caller.create_catalog(price_currency="USD")) == CONFLICT


# -- segments: contract section 4.3 ----------------------------------------------------------------


def test_segment_update_answers_the_updated_segment_and_keeps_what_it_does_not_name() -> None:
    caller = Caller()
    reply, updated = caller.update_segment("7"), {"updated_at": "2023-11-14T00:00:00.000+00:00"}
    assert (reply.status, content(reply)) == (200, {"id": "7", **SEGMENT, **updated})
    caller.service.clock.advance(1.5)
    segment = content(caller.update_segment("7", {"name": "Porto"}))
    assert segment == {
        "id": "7",
        **SEGMENT,
        "name": "Porto",
        "updated_at": "2023-11-14T00:00:01.500+00:00",
    }
    assert caller.service.state.world.find_account("").segments["7"].fields == segment
    assert refusal(caller.update_segment("8", {"name": "Porto"})) == CONFLICT
    assert caller.update_segment("7", {"name": "Porto"}).status == 200
    caller.service.configure(segment_response="data")
    assert list(content(caller.update_segment())) == ["data"]
    caller.service.configure(segment_response="empty", segment_status=204)
    reply = caller.update_segment()
    assert (reply.status, reply.body) == (204, b"")


# -- the log ---------------------------------------------------------------------------------------


def test_log_is_bounded_and_counts_go_on() -> None:
    caller = Caller(request_log=3)
    for _ in range(5):
        caller.list()
    assert (
        len(caller.service.state.log),
        caller.service.state.log.counts["list_coupon_files"],
    ) == (3, 5)
