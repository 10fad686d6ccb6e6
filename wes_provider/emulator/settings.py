"""Everything about an emulator that can be set, with the defaults of design section 5."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from wes_provider import contract
from wes_provider.emulator.arguments import MOST, is_number, is_text
from wes_provider.emulator.limits import DEFAULT_LIMITS, HeaderWindow, Limit, Rounding, WindowPolicy
from wes_provider.emulator.processing import DEFAULT_STATUSES

__all__ = ["AT_START", "OPERATIONS", "Announcement", "Settings", "UrlRewrite"]

OPERATIONS: Final = (
    "upload_coupon_file",
    "get_coupon_file",
    "list_coupon_files",
    "create_catalog",
    "update_segment",
)

# How a page of a listing says that there is more.
Announcement = Literal["total", "next", "has_more", "next_cursor", "link"]
UrlRewrite = Literal[
    "lower_host", "upper_host", "add_port", "drop_port", "encode", "decode", "lower_encoding", "drop_query"
]

AT_START: Final = frozenset({"clock_offset"})  # counts at the start only: the clock never goes back

SHORTEST_WINDOW: Final = 0.001  # seconds

_TOKEN: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")  # RFC 9110, section 5.6.2
_Limits = Mapping[str, Sequence[tuple[int, float]]]
_Workspaces = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True)
class Settings:
    """
    One emulator's settings; every one is plain JSON.

    :raises ValueError: naming the setting and what it takes.
    """

    # -- the account, contract section 5
    workspace_id: str = "emulated-workspace"
    api_key: str = "emulated-campaign-key"  # for coupons and catalogs
    data_api_key: str | None = "emulated-data-key"  # for segments; None: the other key serves
    more_api_keys: Sequence[str] = ()  # that are valid, too, for every operation of this workspace
    workspaces: _Workspaces = field(default_factory=dict)  # further ones: {id: {"api_key": ..., "data_api_key": ...}}
    workspace_header: str = contract.WORKSPACE_HEADER
    coupon_management: bool = True  # False: 403 for every coupon operation

    # -- processing
    processing_time: float = 2.0  # service seconds from the upload to the end
    statuses: Sequence[str] = DEFAULT_STATUSES  # until the end; the first for a quarter
    success_status: str = "SUCCESS"
    failure_status: str = "FAILED"
    fetch_timeout: float = 30.0  # this machine's seconds for fetching one coupon file

    # -- callbacks, contract section 6
    callback_delay: float = 0.0  # service seconds from the end of processing
    callback_repeats: int = 0  # how often each is made again
    callback_loss: float = 0.0  # share of callbacks that are never made

    # -- limits, contract section 8
    limits: _Limits | None = field(default_factory=dict)  # by operation: [[requests, seconds], ...]; None: no limits
    window_policy: WindowPolicy = "fixed"
    window_offset: float = 0.0  # seconds by which fixed windows are shifted against the clock
    reset_rounding: Rounding = "ceil"
    rate_limit_headers: Literal["429", "all", "none"] = "429"  # on which responses of limited operations
    rate_limit_window: HeaderWindow = "tightest"  # that the headers count
    upload_url_bytes: int = contract.UPLOAD_URL_BYTES
    list_coupons: int = contract.LIST_COUPONS
    catalog_bytes: int = contract.CATALOG_BYTES

    # -- time
    speed: float = 1.0  # the service's seconds for each of this machine's, at the start
    clock_offset: float = 0.0  # by which the service's clock differs from this machine's, at the start
    date_skew: float = 0.0  # by which the Date header differs from the service's clock
    date_header: bool = True  # False: it is empty

    # -- names and URLs as the service stores and shows them
    name_length: int | None = None  # names are cut to this many characters
    name_case: Literal["keep", "lower", "upper"] = "keep"
    name_extension: Literal["keep", "drop"] = "keep"
    url_rewrites: Sequence[UrlRewrite] = ()  # in this order
    upload_shows: Literal["stored", "sent"] = "stored"  # name and URL in the response to an upload
    list_hides: Sequence[str] = ()  # properties of a file that its listing leaves out

    # -- paths that the contract does not show
    coupon_file_path: str | None = contract.COUPON_FILE_PATH  # None: there is no such operation
    coupon_files_path: str | None = contract.COUPON_FILES_PATH
    wrong_method: Literal[405, 404] = 405  # for a path that takes another method

    # -- listings
    list_shape: str = "array"  # or the property that holds the array, dotted if nested
    list_order: Literal["oldest", "newest"] = "oldest"  # first
    list_lag: float = 0.0  # service seconds until a new file shows up in its list
    page_size: int | None = None  # files in a page, unless the query's "limit" says how many; None: all of them
    page_size_most: int = 1000  # which "limit" can ask for
    list_announces: Sequence[Announcement] = ()  # how a page says that there is more
    unknown_list: Literal["empty", "404"] = "empty"  # the listing of a list that has no files

    # -- other things that the contract does not show
    fetch_lag: float = 0.0  # service seconds until a new file can be fetched by itself
    list_id_property: str = "coupons_list_id"  # of a coupon file
    added_property: str | None = "coupons_added"  # of a coupon file that was read; dotted if nested; None: not shown
    duplicate_property: str | None = "coupons_duplicate"
    catalog_id_property: str | None = "catalog_id"  # dotted if nested; None: the body is the identifier
    catalog_response: Literal["json", "text"] = "json"  # "text": the identifier as plain text
    catalog_status: int = 201
    segment_status: int = 200
    segment_response: Literal["object", "data", "empty", "text"] = "object"  # "data": the segment below that property
    unknown_segment: Literal["create", "404"] = "create"
    name_taken_status: int = 409
    name_taken_code: str = "conflict"

    # -- the body of errors, contract section 7
    error_format: Literal["json", "text"] = "json"  # "text": the message only
    error_code_property: str = "error.code"  # dotted if nested; a number is a place in a list
    error_message_property: str = "error.message"
    error_message_format: Literal["text", "object"] = "text"  # "object": the text below "text", with a "details" list

    # -- faults at random, for load tests
    fault_rate: float = 0.0  # share of requests
    seed: int | None = None

    request_log: int = 10_000  # how many requests are remembered

    def __post_init__(self) -> None:
        hints = _hints()
        for item in fields(self):
            self._check(item.name, hints[item.name], getattr(self, item.name))
        for name in ("processing_time", "fetch_timeout", "speed", "list_lag", "fetch_lag", "callback_delay"):
            _require(getattr(self, name) >= 0, name, getattr(self, name), "at least 0")
        for name in ("name_length", "page_size", "page_size_most"):
            _require(getattr(self, name) != 0, name, 0, "at least 1")
        for name in ("fault_rate", "callback_loss"):
            _require(0 <= getattr(self, name) <= 1, name, getattr(self, name), "a share from 0 to 1")
        _require(len(self.statuses) > 0, "statuses", self.statuses, "at least one status")
        for name, most in (("name_taken_status", 499), ("catalog_status", 299), ("segment_status", 299)):
            _require(200 <= getattr(self, name) <= most, name, getattr(self, name), f"a status from 200 to {most}")
        _require(_TOKEN.fullmatch(self.workspace_header), "workspace_header", self.workspace_header, "a header's name")
        for name, part in (("coupon_file_path", "{coupon_file_id}"), ("coupon_files_path", "{coupon_list_id}")):
            path = getattr(self, name)
            good = path is None or (path.startswith("/") and part in path and _names_once(path))
            _require(good, name, path, f"a path with {part}")
        shown = set(self.list_announces) - {"link"}
        _require(
            not (shown and self.list_shape == "array"),
            "list_shape",
            self.list_shape,
            f"the name of a property: an array has no room for {', '.join(sorted(shown))}",
        )
        good = isinstance(self.workspaces, Mapping) and all(_is_account(one) for one in self.workspaces.values())
        _require(good, "workspaces", "what was given", "objects with an api_key and perhaps a data_api_key, by id")
        self.all_limits()  # raises if they are malformed

    def keys(self, workspace: str | None = None) -> dict[str, tuple[str, ...]]:
        """
        The keys of a workspace: those of ``coupons`` (and catalogs), and those of ``segments``.

        :param workspace: its identifier; ``None`` for the first.
        """
        if workspace is None:
            key, data_key, more = self.api_key, self.data_api_key, tuple(self.more_api_keys)
        else:
            account = self.workspaces[workspace]
            key, data_key, more = account["api_key"], account.get("data_api_key"), ()
        return {"coupons": (key, *more), "segments": (data_key or key, *more)}

    def _check(self, name: str, hint: Any, value: Any) -> None:
        choices = get_args(hint)
        if get_origin(hint) is Literal:
            _require(value in choices, name, value, f"one of {', '.join(map(str, choices))}")
        elif hint is float:
            _require(is_number(value), name, value, f"a finite number, at most {MOST:g}")
        elif hint is int or (hint == int | None and value is not None):
            _require(is_number(value) and value == int(value) and value >= 0, name, value, "a whole number")
        elif hint is bool:
            _require(isinstance(value, bool), name, value, "true or false")
        elif hint is str or (hint == str | None and value is not None):
            _require(_is_text(value), name, value, "a string that is not empty")
        elif get_origin(hint) is Sequence:
            known = get_args(choices[0])
            good = isinstance(value, list | tuple) and all(item in known if known else _is_text(item) for item in value)
            shown = "what was given" if "key" in name else value
            _require(good, name, shown, f"a list of {', '.join(known) if known else 'strings'}")
            object.__setattr__(self, name, tuple(value))

    def all_limits(self) -> dict[str, tuple[Limit, ...]]:
        """The limits of each operation that has any: the contract's, replaced operation by operation."""
        if self.limits is None:
            return {}
        unknown = set(self.limits) - set(OPERATIONS) if isinstance(self.limits, Mapping) else ()
        _require(not unknown, "limits", sorted(unknown), f"by operation: {', '.join(OPERATIONS)}")
        try:
            given = {name: tuple(Limit(int(n), float(s)) for n, s in pairs) for name, pairs in self.limits.items()}
        except (AttributeError, TypeError, ValueError, OverflowError):
            raise ValueError(f"limits must be lists of [requests, seconds] by operation, not {self.limits!r}") from None
        malformed = [
            limit
            for pairs in given.values()
            for limit in pairs
            if not (0 <= limit.requests <= MOST and SHORTEST_WINDOW <= limit.seconds <= MOST)
        ]
        wanted = f"windows of at least {SHORTEST_WINDOW} seconds with at least 0 requests"
        _require(not malformed, "limits", malformed, wanted)
        return {**DEFAULT_LIMITS, **given}


@lru_cache(maxsize=1)
def _hints() -> dict[str, Any]:
    return get_type_hints(Settings)


def _names_once(path: str) -> bool:
    names = re.findall(r"\{(.*?)\}", path)
    return len(names) == len(set(names)) and all(name in ("coupon_list_id", "coupon_file_id") for name in names)


def _is_account(value: Any) -> bool:
    keys = {"api_key", "data_api_key"}
    return (
        isinstance(value, Mapping) and "api_key" in value and set(value) <= keys and all(map(_is_text, value.values()))
    )


def _is_text(value: Any) -> bool:
    return value != "" and is_text(value)


def _require(good: Any, name: str, value: Any, wanted: str) -> None:
    if not good:
        raise ValueError(f"emulator setting {name} must be {wanted}, not {value!r}")
