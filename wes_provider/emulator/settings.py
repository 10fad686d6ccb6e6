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
    The settings of one emulator, each of them plain JSON.

    :raises ValueError: if a value makes no sense; the message names the setting and what it takes.
    """

    # -- the account, contract section 5

    workspace_id: str = "emulated-workspace"  #: The workspace identifier, a connection's login.
    api_key: str = "emulated-campaign-key"  #: The key of coupon and catalog operations.
    data_api_key: str | None = "emulated-data-key"  #: The key of segment operations. ``None``: ``api_key`` is for all.
    #: Further keys of the workspace, valid for all of its operations, as during a rotation of keys.
    more_api_keys: Sequence[str] = ()
    #: Further workspaces, each with lists, catalogs, segments and limits of its own:
    #: ``{"other": {"api_key": "k", "data_api_key": "d"}}``.
    workspaces: _Workspaces = field(default_factory=dict)
    workspace_header: str = contract.WORKSPACE_HEADER  #: The name of the header that holds the workspace identifier.
    coupon_management: bool = True  #: ``False``: every coupon operation gets a 403.

    # -- processing

    processing_time: float = 2.0  #: Service seconds from the upload of a file to the end of its processing.
    #: The statuses that reads show until the end. The first is shown for a quarter of the time.
    statuses: Sequence[str] = DEFAULT_STATUSES
    success_status: str = "SUCCESS"  #: The last status of a file that was processed.
    failure_status: str = "FAILED"  #: The last status of a file that failed.
    fetch_timeout: float = 30.0  #: This machine's seconds for fetching one coupon file.

    # -- callbacks, contract section 6

    callback_delay: float = 0.0  #: Service seconds from the end of processing to the callback.
    callback_repeats: int = 0  #: How often each callback is made again.
    callback_loss: float = 0.0  #: The share of callbacks that are never made.

    # -- limits, contract section 8

    #: Limits by operation: ``{"upload_coupon_file": [[5, 60], [50, 86400]]}`` are 5 requests in 60 seconds and 50 in
    #: a day. Operations that are not named keep the contract's limits. ``None``: no limits at all.
    limits: _Limits | None = field(default_factory=dict)
    #: ``fixed``: windows begin at full minutes, hours and days. ``rolling``: a window is the seconds before a request.
    window_policy: WindowPolicy = "fixed"
    window_offset: float = 0.0  #: Seconds by which fixed windows are shifted.
    #: How ``x-ratelimit-reset`` is rounded to whole seconds. ``floor`` is up to a second early.
    reset_rounding: Rounding = "ceil"
    #: Which responses of limited operations have rate-limit headers.
    rate_limit_headers: Literal["429", "all", "none"] = "429"
    #: The window that these headers count: the one with the fewest requests left, the shortest, or the longest.
    rate_limit_window: HeaderWindow = "tightest"
    upload_url_bytes: int = contract.UPLOAD_URL_BYTES  #: How many bytes a coupon file can have.
    list_coupons: int = contract.LIST_COUPONS  #: How many coupons a list can have.
    catalog_bytes: int = contract.CATALOG_BYTES  #: How many bytes the body of a new catalog can have.

    # -- time

    speed: float = 1.0  #: The service's seconds for each of this machine's, at the start.
    clock_offset: float = 0.0  #: Seconds by which the service's clock is ahead of this machine's, at the start.
    date_skew: float = 0.0  #: Seconds by which the ``Date`` header is ahead of the service's clock.
    date_header: bool = True  #: ``False``: the ``Date`` header is empty.

    # -- names and URLs as the service stores and shows them

    name_length: int | None = None  #: Names are cut to this many characters.
    name_case: Literal["keep", "lower", "upper"] = "keep"  #: The case in which names are stored.
    name_extension: Literal["keep", "drop"] = "keep"  #: ``drop``: names are stored without their extension.
    #: How URLs are rewritten before they are stored, in this order. ``drop_port`` drops a default port; ``decode``
    #: decodes what need not be percent-encoded in a path; ``lower_encoding`` writes ``%2f`` for ``%2F``.
    url_rewrites: Sequence[UrlRewrite] = ()
    #: Name and URL in the response to an upload: as they are stored, or as they were sent.
    upload_shows: Literal["stored", "sent"] = "stored"
    list_hides: Sequence[str] = ()  #: Properties of a file that its listing leaves out, such as ``name``.

    # -- paths that the contract does not show

    coupon_file_path: str | None = contract.COUPON_FILE_PATH  #: ``None``: one coupon file cannot be read by itself.
    coupon_files_path: str | None = contract.COUPON_FILES_PATH  #: ``None``: the files of a list cannot be listed.
    wrong_method: Literal[405, 404] = 405  #: The status for a known path with another method.

    # -- listings

    list_shape: str = "array"  #: Or the property that holds the array, such as ``data`` or ``result.files``.
    list_order: Literal["oldest", "newest"] = "oldest"  #: Which files come first.
    list_lag: float = 0.0  #: Service seconds until a new file is in the listing.
    page_size: int | None = None  #: Files in a page, unless the query has a ``limit``. ``None``: one page has them all.
    page_size_most: int = 1000  #: The highest ``limit`` that a query can have, as in ``?limit=500&page=2``.
    #: How a page shows that there are more: ``next`` is a path, ``next_cursor`` is for ``?cursor=``, ``link`` a header.
    #: All but ``link`` need a ``list_shape`` other than ``array``.
    list_announces: Sequence[Announcement] = ()
    unknown_list: Literal["empty", "404"] = "empty"  #: The listing of a list that has no files.

    # -- other things that the contract does not show

    fetch_lag: float = 0.0  #: Service seconds until a new file can be read by itself.
    list_id_property: str = "coupons_list_id"  #: The property of a coupon file that holds its list.
    #: The count of added coupons in a coupon file, dotted if nested. ``None``: not shown.
    added_property: str | None = "coupons_added"
    duplicate_property: str | None = "coupons_duplicate"  #: The count of duplicates, likewise.
    #: The identifier in the response to the creation of a catalog, dotted if nested. ``None``: it is the whole body.
    catalog_id_property: str | None = "catalog_id"
    catalog_response: Literal["json", "text"] = "json"  #: ``text``: the identifier as plain text.
    catalog_status: int = 201  #: The status of that response.
    segment_status: int = 200  #: The status of the response to the update of a segment.
    #: Its body: the segment, the segment under ``data``, none, or a sentence.
    segment_response: Literal["object", "data", "empty", "text"] = "object"
    unknown_segment: Literal["create", "404"] = "create"  #: What the update of a segment that does not exist does.
    name_taken_status: int = 409  #: The status if the name of a catalog or segment is taken.
    name_taken_code: str = "conflict"  #: The error code of that response.

    # -- the body of errors, contract section 7

    error_format: Literal["json", "text"] = "json"  #: ``text``: the message as plain text.
    error_code_property: str = "error.code"  #: Dotted if nested; a number is a place in a list: ``errors.0.code``.
    error_message_property: str = "error.message"  #: Likewise.
    #: ``object``: the text is below ``text``, beside a list of ``details``.
    error_message_format: Literal["text", "object"] = "text"

    # -- faults at random, for load tests

    fault_rate: float = 0.0  #: The share of requests that fail at random: a 503, a lost reply, a reset.
    seed: int | None = None  #: With the same number, the same requests fail.

    request_log: int = 10_000  #: How many requests are remembered.

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
