"""The figures of the contract, and what is shipped where it shows nothing, as literal values."""

from __future__ import annotations

from typing import Any

import pytest

from wes_provider import contract

FIGURES: dict[str, Any] = {
    "UPLOAD_PATH": "/v1/coupon-list/{coupon_list_id}/files",
    "CATALOG_PATH": "/v1/catalog",
    "SEGMENT_PATH": "/v3/custom-segments/{segment_id}",
    "WORKSPACE_HEADER": "SVC-APPKEY",
    "CONTENT_TYPE": "application/json",
    "DEFAULT_DATA_CENTER": "01",
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
    "ATTRIBUTES_NOTED": 50,
    "FILTER_OPERATOR": "and",
    "FILTER_TYPE": "user_attributes",
    # Shipped where the contract shows nothing:
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
