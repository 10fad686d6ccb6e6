"""
The service as facts, each with the section of the service contract that it rests on.

Nothing here does anything: no I/O, no Airflow, no decisions. What the contract does not show stands
in the last part, as the defaults that this provider ships and that a connection can override.
"""

from __future__ import annotations

from typing import Final

# -- addresses and headers ------------------------------------------------------------------------

DEFAULT_DATA_CENTER: Final = "01"  # introduction: "for example 01, 02, 03; default 01"
WORKSPACE_HEADER: Final = "SVC-APPKEY"  # introduction, section 5 (4)
CONTENT_TYPE: Final = "application/json"  # section 4

UPLOAD_PATH: Final = "/v1/coupon-list/{coupon_list_id}/files"  # section 4.1, POST
CATALOG_PATH: Final = "/v1/catalog"  # section 4.2, POST
SEGMENT_PATH: Final = "/v3/custom-segments/{segment_id}"  # section 4.3, PATCH

# -- coupon files ---------------------------------------------------------------------------------

UPLOAD_STATUS_CODE: Final = 201  # section 4.1
STATUS_AFTER_UPLOAD: Final = "PENDING"  # section 3
UPLOAD_FIELDS: Final = (  # section 4.1, request body; only the first is required
    "file_url",
    "name",
    "file_url_auth_username",
    "file_url_auth_password",
    "created_by",
    "callback_url",
)

# -- catalogs -------------------------------------------------------------------------------------

CATALOG_FIELDS: Final = ("name", "price_currency", "attributes")  # section 4.2
CURRENCIES: Final = frozenset(  # section 4.2, ISO 4217 codes that the service takes
    """
    USD CAD EUR AED AFN ALL AMD AOA ARS AUD AZN BAM BDT BGN BHD BIF BND BOB BRL BWP BYR BZD
    CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EEK EGP ERN ETB GBP GEL GHS GNF GTQ HKD
    HNL HRK HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KHR KMF KRW KWD KZT LBP LKR LTL LVL
    LYD MAD MDL MGA MKD MMK MOP MUR MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PHP PKR
    PLN PYG QAR RON RSD RUB RWF SAR SDG SEK SGD SOS SYP THB TND TOP TRY TTD TWD TZS UAH UGX
    UYU UZS VEF VND XAF XOF YER ZAR ZMK
    """.split()
)
ATTRIBUTE_TYPES: Final = frozenset({"string", "double", "bool"})  # section 2: the types that occur
ATTRIBUTES_NOTED: Final = 50  # section 8: the figure beside the attributes array, meaning not shown

# -- segments -------------------------------------------------------------------------------------

SEGMENT_FIELDS: Final = ("name", "included_filters", "updated_by")  # section 4.3
FILTER_OPERATOR: Final = "and"  # section 2: the value that occurs
FILTER_TYPE: Final = "user_attributes"  # section 2: the value that occurs

# -- limits, section 8 ----------------------------------------------------------------------------

MIB: Final = 1024 * 1024
UPLOADS_PER_MINUTE: Final = 5  # for each coupon list
UPLOADS_PER_DAY: Final = 50  # for each coupon list
UPLOAD_URL_BYTES: Final = 100 * MIB  # a coupon file fetched from its URL
LIST_COUPONS: Final = 100_000_000
CATALOGS_PER_MINUTE: Final = 100
CATALOGS_PER_HOUR: Final = 1000
CATALOG_BYTES: Final = 5 * MIB  # applied only when a Content-Length header is sent

MINUTE: Final = 60  # seconds
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

# -- errors, section 7 ----------------------------------------------------------------------------

INVALID_REQUEST: Final = "invalid-request"  # 400
REQUEST_UNAUTHENTICATED: Final = "request-unauthenticated"  # 401
REQUEST_FORBIDDEN: Final = "request-forbidden"  # 403
UNEXPECTED_ERROR: Final = "unexpected-error"  # 500

RATE_LIMIT_LIMIT: Final = "x-ratelimit-limit"  # integer, requests permitted in the window
RATE_LIMIT_REMAINING: Final = "x-ratelimit-remaining"  # integer, requests left in the window
RATE_LIMIT_RESET: Final = "x-ratelimit-reset"  # integer, UTC epoch seconds when the window resets

# -- not shown by the contract: what this provider ships; docs/promises.md says how to change it
# ----

# Extra paths.coupon_file.
COUPON_FILE_PATH: Final = "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
COUPON_FILES_PATH: Final = "/v1/coupon-list/{coupon_list_id}/files"  # extra paths.coupon_files
LIST_ID_FIELDS: Final = ("coupons_list_id", "coupon_list_id")  # both are read
CATALOG_ID_FIELDS: Final = ("catalog_id", "id", "_id")  # extra paths.catalog_id

# Compared without case. A status in none of the three is waited for, with a warning.
PENDING_STATUSES: Final = frozenset({"PENDING", "PROCESSING", "IN_PROGRESS", "QUEUED", "RUNNING"})
SUCCESS_STATUSES: Final = frozenset(
    {"SUCCESS", "SUCCESSFUL", "SUCCEEDED", "COMPLETED", "COMPLETE", "PROCESSED", "DONE"}
)
FAILURE_STATUSES: Final = frozenset(
    {"FAILED", "FAILURE", "ERROR", "REJECTED", "CANCELLED", "EXPIRED"}
)
