"""The contract's figures, as literal values: client and emulator both read them from the same module."""

from __future__ import annotations

from wes_provider import contract


def test_paths_and_headers():
    assert contract.UPLOAD_PATH == "/v1/coupon-list/{coupon_list_id}/files"
    assert contract.CATALOG_PATH == "/v1/catalog"
    assert contract.SEGMENT_PATH == "/v3/custom-segments/{segment_id}"
    assert contract.WORKSPACE_HEADER == "SVC-APPKEY"
    assert contract.CONTENT_TYPE == "application/json"
    assert contract.DEFAULT_DATA_CENTER == "01"


def test_upload():
    assert contract.UPLOAD_STATUS_CODE == 201
    assert contract.STATUS_AFTER_UPLOAD == "PENDING"
    assert contract.UPLOAD_FIELDS == (
        "file_url",
        "name",
        "file_url_auth_username",
        "file_url_auth_password",
        "created_by",
        "callback_url",
    )
    assert contract.UPLOAD_RESPONSE_FIELDS == (
        "name",
        "file_url",
        "created_by",
        "status",
        "coupons_list_id",
        "_id",
    )


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
    assert len(contract.CURRENCIES) == 119


def test_limits():
    assert (contract.UPLOADS_PER_MINUTE, contract.UPLOADS_PER_DAY) == (5, 50)
    assert (contract.CATALOGS_PER_MINUTE, contract.CATALOGS_PER_HOUR) == (100, 1000)
    assert contract.UPLOAD_URL_BYTES == 104_857_600
    assert contract.UPLOAD_MANUAL_BYTES == 67_108_864
    assert contract.CATALOG_BYTES == 5_242_880
    assert contract.LIST_COUPONS == 100_000_000
    assert (contract.MINUTE, contract.HOUR, contract.DAY) == (60, 3600, 86400)


def test_errors_and_rate_limit_headers():
    assert contract.INVALID_REQUEST == "invalid-request"
    assert contract.REQUEST_UNAUTHENTICATED == "request-unauthenticated"
    assert contract.REQUEST_FORBIDDEN == "request-forbidden"
    assert contract.UNEXPECTED_ERROR == "unexpected-error"
    assert contract.RATE_LIMIT_LIMIT == "x-ratelimit-limit"
    assert contract.RATE_LIMIT_REMAINING == "x-ratelimit-remaining"
    assert contract.RATE_LIMIT_RESET == "x-ratelimit-reset"


def test_catalogs_and_segments():
    assert contract.ATTRIBUTE_TYPES == {"string", "double", "bool"}
    assert contract.DESCRIBED_ATTRIBUTES == ("id", "title", "link", "image_link")
    assert contract.ATTRIBUTES_NOTED == 50
    assert contract.CATALOG_FIELDS == ("name", "price_currency", "attributes")
    assert contract.SEGMENT_FIELDS == ("name", "included_filters", "updated_by")
    assert (contract.FILTER_OPERATOR, contract.FILTER_TYPE) == ("and", "user_attributes")


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
