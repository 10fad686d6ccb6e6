"""
The figures of ``docs/contract.md``, its operations, and what is shipped where it shows nothing, as
literal values: client and emulator share ``wes_provider.contract``, and would agree on a mistake.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, NamedTuple

import pytest

from wes_provider import contract
from wes_provider.contract import OPERATIONS, READ_SEGMENT, Effect, FieldKind, Key, Result
from wes_provider.hooks import WesHook

FIGURES: dict[str, Any] = {
    "UPLOAD_PATH": "/v1/coupon-list/{coupon_list_id}/files",
    "CATALOG_PATH": "/v1/catalog",
    "SEGMENT_PATH": "/v3/custom-segments/{segment_id}",
    "WORKSPACE_HEADER": "SVC-APPKEY",
    "CONTENT_TYPE": "application/json",
    "UPLOAD_STATUS_CODE": 201,
    "STATUS_AFTER_UPLOAD": "PENDING",
    "UPLOADS_PER_MINUTE": 5,
    "UPLOADS_PER_DAY": 50,
    "CATALOGS_PER_MINUTE": 100,
    "CATALOGS_PER_HOUR": 1000,
    "UPLOAD_URL_BYTES": 104_857_600,
    "CATALOG_BYTES": 5_242_880,
    "LIST_COUPONS": 100_000_000,
    "MINUTE": 60,
    "HOUR": 3600,
    "DAY": 86400,
    "INVALID_REQUEST": "invalid-request",
    "REQUEST_UNAUTHENTICATED": "request-unauthenticated",
    "REQUEST_FORBIDDEN": "request-forbidden",
    "UNEXPECTED_ERROR": "unexpected-error",
    "RATE_LIMIT_LIMIT": "x-ratelimit-limit",
    "RATE_LIMIT_REMAINING": "x-ratelimit-remaining",
    "RATE_LIMIT_RESET": "x-ratelimit-reset",
    "ATTRIBUTE_TYPES": {"string", "double", "bool"},
    "STRING_ATTRIBUTES": ("id", "title", "link", "image_link"),
    "ATTRIBUTES_NOTED": 50,
    "UPLOAD_FIELDS": {
        "file_url": FieldKind.URL,
        "name": FieldKind.STRING,
        "file_url_auth_username": FieldKind.STRING,
        "file_url_auth_password": FieldKind.SECRET,
        "created_by": FieldKind.STRING,
        "callback_url": FieldKind.URL,
    },
    "CATALOG_FIELDS": ("name", "price_currency", "attributes"),
    "SEGMENT_FIELDS": ("name", "included_filters", "updated_by"),
    "FILTER_OPERATOR": "and",
    "FILTER_TYPE": "user_attributes",
}
SHIPPED: dict[str, Any] = {
    "DEFAULT_DATA_CENTER": "01",
    "COUPON_FILE_PATH": "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    "COUPON_FILES_PATH": "/v1/coupon-list/{coupon_list_id}/files",
    "LIST_ID_FIELDS": ("coupons_list_id", "coupon_list_id"),
    "CATALOG_ID_FIELDS": ("catalog_id", "id", "_id"),
    "PENDING_STATUSES": {"PENDING", "PROCESSING", "IN_PROGRESS", "QUEUED", "RUNNING"},
    "SUCCESS_STATUSES": {*"SUCCESS SUCCESSFUL SUCCEEDED COMPLETED COMPLETE PROCESSED DONE".split()},
    "FAILURE_STATUSES": {"FAILED", "FAILURE", "ERROR", "REJECTED", "CANCELLED", "EXPIRED"},
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_the_contracts(name: str):
    assert getattr(contract, name) == FIGURES[name]


def test_the_currencies_are_the_contracts():
    """By their number and a checksum of all, in alphabetical order."""
    content = " ".join(sorted(contract.CURRENCIES))
    assert (len(contract.CURRENCIES), hashlib.sha256(content.encode()).hexdigest()[:16]) == (
        119,
        "c4e6d11ee8438e0f",
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_where_the_contract_shows_nothing_a_default_is_shipped(name: str):
    assert getattr(contract, name) == SHIPPED[name]


class Facts(NamedTuple):
    """
    What a row of the table of operations says, as literal values.

    :ivar limits: numbers of requests, each with its seconds.
    :ivar limited_by: what they are counted for.
    :ivar access: what the account needs.
    :ivar success: the status code that the emulator sends; the client takes any 2xx.
    :ivar largest_response: in bytes.
    """

    request: str
    key: Key
    effect: Effect
    result: Result
    limits: tuple[tuple[int, int], ...] = ()
    limited_by: Literal["list", "workspace"] = "workspace"
    access: Literal["coupon management", "any"] = "coupon management"
    success: int = 200
    largest_response: int = 10_485_760


LIST = "/v1/coupon-list/{coupon_list_id}/files"
TABLE: dict[str, Facts] = {
    "upload_coupon_file": Facts(
        f"POST {LIST}",
        Key.CAMPAIGN,
        Effect.AGAIN_WHEN_REPEATED,
        Result.COUPON_FILE,
        limits=((5, 60), (50, 86400)),
        limited_by="list",
        success=201,
    ),
    "get_coupon_file": Facts(
        f"GET {LIST}/{{coupon_file_id}}", Key.CAMPAIGN, Effect.NONE, Result.COUPON_FILE
    ),
    "list_coupon_files": Facts(
        f"GET {LIST}",
        Key.CAMPAIGN,
        Effect.NONE,
        Result.COUPON_FILES,
        largest_response=33_554_432,
    ),
    "create_catalog": Facts(
        "POST /v1/catalog",
        Key.CAMPAIGN,
        Effect.SAME_WHEN_REPEATED,
        Result.CATALOG_ID,
        limits=((100, 60), (1000, 3600)),
        access="any",
    ),
    "update_segment": Facts(
        "PATCH /v3/custom-segments/{segment_id}",
        Key.DATA,
        Effect.SAME_WHEN_REPEATED,
        Result.NOTHING,
        access="any",
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_an_operation_has_these_facts(name: str):
    """
    The contract does not show the two reads, the status codes of a catalog and a segment, and
    whether they may be repeated.
    """
    operation = OPERATIONS[name]
    assert TABLE[name] == Facts(
        f"{operation.method} {operation.path}",
        operation.key,
        operation.effect,
        operation.result,
        limits=operation.limits,
        limited_by="list" if operation.limited_by_list else "workspace",
        access="coupon management" if operation.needs_coupon_management else "any",
        success=operation.success,
        largest_response=operation.largest_response,
    )


def test_these_are_all_operations_of_the_table_under_their_names():
    assert {name: operation.name for name, operation in OPERATIONS.items()} == {
        name: name for name in TABLE
    }


def test_every_operation_but_an_upload_may_be_repeated():
    repeatable = {name for name, operation in OPERATIONS.items() if operation.repeatable}
    assert set(OPERATIONS) - repeatable == {"upload_coupon_file"}


def test_two_operations_of_the_table_only_read():
    reading = {name for name, operation in OPERATIONS.items() if operation.reads}
    assert reading == {"get_coupon_file", "list_coupon_files"}


def test_each_operation_of_the_table_is_a_method_of_the_hook():
    assert [name for name in TABLE if not callable(getattr(WesHook, name, None))] == []


def test_the_connection_can_replace_the_paths_that_the_contract_does_not_show():
    extras = {name: operation.path_extra for name, operation in OPERATIONS.items()}
    assert {name: extra for name, extra in extras.items() if extra} == {
        "get_coupon_file": "coupon_file",
        "list_coupon_files": "coupon_files",
    }


def test_one_read_is_not_in_the_table():
    """It is no method of the hook: the connection's test and ``wes-doctor`` send it."""
    assert READ_SEGMENT.name not in OPERATIONS
    assert (READ_SEGMENT.method, READ_SEGMENT.path, READ_SEGMENT.key, READ_SEGMENT.effect) == (
        "GET",
        "/v3/custom-segments/{segment_id}",
        Key.DATA,
        Effect.NONE,
    )
