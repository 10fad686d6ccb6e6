"""
The service as facts, each with the section of the service contract that it rests on.

Nothing here does anything: no I/O, no Airflow, no decisions. What the contract does not show stands
in a part of its own, as the defaults that this provider ships and that a connection can override.

The last part is the table of operations, :data:`OPERATIONS`. The client, the emulator, its OpenAPI
description and the page ``docs/promises.md`` agree with it; nothing else says what an operation is.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple

# -- addresses and headers ------------------------------------------------------------------------

DEFAULT_DATA_CENTER: Final = "01"  # introduction: "for example 01, 02, 03; default 01"
WORKSPACE_HEADER: Final = "SVC-APPKEY"  # section 5
CONTENT_TYPE: Final = "application/json"  # section 4

UPLOAD_PATH: Final = "/v1/coupon-list/{coupon_list_id}/files"  # section 4.1, POST
CATALOG_PATH: Final = "/v1/catalog"  # section 4.2, POST
SEGMENT_PATH: Final = "/v3/custom-segments/{segment_id}"  # section 4.3, PATCH

# -- coupon files ---------------------------------------------------------------------------------

UPLOAD_STATUS_CODE: Final = 201  # section 4.1
STATUS_AFTER_UPLOAD: Final = "PENDING"  # section 3


class FieldKind(Enum):
    """What a field of an upload holds."""

    URL = auto()
    STRING = auto()
    SECRET = auto()  # a string that no message shows


UPLOAD_FIELDS: Final = {  # section 4.1, request body; only the first is required
    "file_url": FieldKind.URL,
    "name": FieldKind.STRING,
    "file_url_auth_username": FieldKind.STRING,
    "file_url_auth_password": FieldKind.SECRET,
    "created_by": FieldKind.STRING,
    "callback_url": FieldKind.URL,
}
STRING_KINDS: Final = (FieldKind.URL, FieldKind.STRING, FieldKind.SECRET)
UPLOAD_FIELDS_OF_STRINGS: Final = frozenset(
    name for name, kind in UPLOAD_FIELDS.items() if kind in STRING_KINDS
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
# section 2: attributes with a described meaning, each of the type string
STRING_ATTRIBUTES: Final = ("id", "title", "link", "image_link")
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

# -- not shown by the contract: what this provider ships; docs/promises.md says how to change it ---

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


# -- operations -----------------------------------------------------------------------------------


class Key(Enum):
    """Which API key is the password of a request (section 5)."""

    CAMPAIGN = "campaign"
    DATA = "data"


class Effect(Enum):
    """What a request changes, and so whether it may be sent again if its outcome is not known."""

    NONE = "none"
    SAME_WHEN_REPEATED = "the same when repeated"
    AGAIN_WHEN_REPEATED = "again when repeated"


class Result(Enum):
    """What a 2xx response has to hold, so that the operation is a success."""

    NOTHING = "nothing"
    COUPON_FILE = "a coupon file with its `_id`"
    COUPON_FILES = "a list of coupon files"
    CATALOG_ID = "an identifier"


class Limit(NamedTuple):
    """A number of accepted requests in a window of so many seconds."""

    requests: int
    seconds: float


class Operation(NamedTuple):
    """
    One operation of the service.

    :ivar name: the hook's method, and what metrics and the emulator call it.
    :ivar path: with its parameters in braces.
    :ivar path_extra: the name in the connection's extra ``paths`` that replaces the path; empty for
        a path that the contract shows.
    :ivar success: the status code of a success; any other 2xx is taken, too.
    :ivar limits: the windows of its rate limit (section 8).
    :ivar limited_by_list: each coupon list has limits of its own, instead of each workspace.
    :ivar needs_coupon_management: the service refuses it with 403 if the account has no access to
        coupon management (section 7).
    :ivar largest_response: bytes of a response that are read at most.
    """

    name: str
    method: str
    path: str
    key: Key
    effect: Effect
    result: Result
    path_extra: str = ""
    success: int = 200
    limits: tuple[Limit, ...] = ()
    limited_by_list: bool = False
    needs_coupon_management: bool = False
    largest_response: int = 10 * MIB

    @property
    def repeatable(self) -> bool:
        """Whether a request may be sent again although the one before may have taken effect."""
        return self.effect is not Effect.AGAIN_WHEN_REPEATED

    @property
    def reads(self) -> bool:
        """Whether a request changes nothing."""
        return self.effect is Effect.NONE


UPLOAD_COUPON_FILE: Final = Operation(  # section 4.1
    "upload_coupon_file",
    "POST",
    UPLOAD_PATH,
    Key.CAMPAIGN,
    Effect.AGAIN_WHEN_REPEATED,
    Result.COUPON_FILE,
    success=UPLOAD_STATUS_CODE,
    limits=(Limit(UPLOADS_PER_MINUTE, MINUTE), Limit(UPLOADS_PER_DAY, DAY)),
    limited_by_list=True,
    needs_coupon_management=True,
)
GET_COUPON_FILE: Final = Operation(  # not shown
    "get_coupon_file",
    "GET",
    COUPON_FILE_PATH,
    Key.CAMPAIGN,
    Effect.NONE,
    Result.COUPON_FILE,
    path_extra="coupon_file",
    needs_coupon_management=True,
)
LIST_COUPON_FILES: Final = Operation(  # not shown
    "list_coupon_files",
    "GET",
    COUPON_FILES_PATH,
    Key.CAMPAIGN,
    Effect.NONE,
    Result.COUPON_FILES,
    path_extra="coupon_files",
    needs_coupon_management=True,
    largest_response=32 * MIB,
)
# Section 4.2. Names are unique, so the service takes one of two creations.
CREATE_CATALOG: Final = Operation(
    "create_catalog",
    "POST",
    CATALOG_PATH,
    Key.CAMPAIGN,
    Effect.SAME_WHEN_REPEATED,
    Result.CATALOG_ID,
    limits=(Limit(CATALOGS_PER_MINUTE, MINUTE), Limit(CATALOGS_PER_HOUR, HOUR)),
)
UPDATE_SEGMENT: Final = Operation(  # section 4.3
    "update_segment",
    "PATCH",
    SEGMENT_PATH,
    Key.DATA,
    Effect.SAME_WHEN_REPEATED,
    Result.NOTHING,
)
OPERATIONS: Final = {
    operation.name: operation
    for operation in (
        UPLOAD_COUPON_FILE,
        GET_COUPON_FILE,
        LIST_COUPON_FILES,
        CREATE_CATALOG,
        UPDATE_SEGMENT,
    )
}
"""The operations that this provider knows, by name."""

# A read with the data API key, which changes nothing. The contract shows no such operation: the
# connection's test and wes-doctor see by its response whether the service refuses the key.
READ_SEGMENT: Final = Operation(
    "read_segment", "GET", SEGMENT_PATH, Key.DATA, Effect.NONE, Result.NOTHING
)
