"""The contract's figures, as literal values: client and emulator both read them from the same module."""

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
    "UPLOAD_FIELDS": tuple(
        "file_url name file_url_auth_username file_url_auth_password created_by callback_url".split()
    ),
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
    "CATALOG_FIELDS": ("name", "price_currency", "attributes"),
    "SEGMENT_FIELDS": ("name", "included_filters", "updated_by"),
    "FILTER_OPERATOR": "and",
    "FILTER_TYPE": "user_attributes",
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_the_contracts(name: str):
    assert getattr(contract, name) == FIGURES[name]


def test_every_currency():
    assert contract.CURRENCIES == {
        *("USD", "CAD", "EUR", "AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AZN", "BAM", "BDT", "BGN", "BHD"),
        *("BIF", "BND", "BOB", "BRL", "BWP", "BYR", "BZD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CVE", "CZK"),
        *("DJF", "DKK", "DOP", "DZD", "EEK", "EGP", "ERN", "ETB", "GBP", "GEL", "GHS", "GNF", "GTQ", "HKD", "HNL"),
        *("HRK", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KHR", "KMF", "KRW"),
        *("KWD", "KZT", "LBP", "LKR", "LTL", "LVL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MOP", "MUR", "MXN"),
        *("MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PHP", "PKR", "PLN", "PYG"),
        *("QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SDG", "SEK", "SGD", "SOS", "SYP", "THB", "TND", "TOP", "TRY"),
        *("TTD", "TWD", "TZS", "UAH", "UGX", "UYU", "UZS", "VEF", "VND", "XAF", "XOF", "YER", "ZAR", "ZMK"),
    }


def test_what_is_shipped_where_the_contract_shows_nothing():
    assert contract.COUPON_FILE_PATH == "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
    assert contract.COUPON_FILES_PATH == "/v1/coupon-list/{coupon_list_id}/files"
    assert contract.LIST_ID_FIELDS == ("coupons_list_id", "coupon_list_id")
    assert contract.CATALOG_ID_FIELDS == ("catalog_id", "id", "_id")
    assert contract.PENDING_STATUSES == {"PENDING", "PROCESSING", "IN_PROGRESS", "QUEUED", "RUNNING"}
    assert contract.SUCCESS_STATUSES == {
        *("SUCCESS", "SUCCESSFUL", "SUCCEEDED", "COMPLETED", "COMPLETE", "PROCESSED", "DONE"),
    }
    assert contract.FAILURE_STATUSES == {"FAILED", "FAILURE", "ERROR", "REJECTED", "CANCELLED", "EXPIRED"}
