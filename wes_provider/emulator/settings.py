"""Everything about an emulator that can be set, with the defaults of design section 5."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, get_args, get_type_hints

from wes_provider import contract
from wes_provider.emulator.limits import DEFAULT_LIMITS, Limit, Rounding, WindowPolicy

__all__ = ["OPERATIONS", "Settings"]

OPERATIONS: Final = (
    "upload_coupon_file",
    "get_coupon_file",
    "list_coupon_files",
    "create_catalog",
    "update_segment",
)

_Limits = Mapping[str, Sequence[tuple[int, float]]]


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
    workspace_header: str = contract.WORKSPACE_HEADER
    coupon_management: bool = True  # False: 403 for every coupon operation

    # -- processing
    processing_time: float = 2.0  # service seconds from the upload to the end
    success_status: str = "SUCCESS"
    failure_status: str = "FAILED"
    fetch_timeout: float = 30.0  # this machine's seconds for fetching one coupon file

    # -- limits, contract section 8
    limits: _Limits | None = field(default_factory=dict)  # by operation: [[requests, seconds], ...]; None: no limits
    window_policy: WindowPolicy = "fixed"
    window_offset: float = 0.0  # seconds by which fixed windows are shifted against the clock
    reset_rounding: Rounding = "ceil"
    rate_limit_headers: Literal["429", "all", "none"] = "429"  # on which answers of limited operations
    upload_url_bytes: int = contract.UPLOAD_URL_BYTES
    list_coupons: int = contract.LIST_COUPONS
    catalog_bytes: int = contract.CATALOG_BYTES

    # -- time
    speed: float = 1.0  # the service's seconds for each of this machine's, at the start
    clock_offset: float = 0.0  # by which the service's clock differs from this machine's, at the start
    date_skew: float = 0.0  # by which the Date header differs from the service's clock

    # -- what the contract does not show
    coupon_file_path: str | None = contract.COUPON_FILE_PATH  # None: there is no such operation
    coupon_files_path: str | None = contract.COUPON_FILES_PATH
    list_shape: Literal["array", "data"] = "array"  # or an object with the array under "data"
    list_lag: float = 0.0  # service seconds until a new file shows up in its list
    fetch_lag: float = 0.0  # service seconds until a new file can be fetched by itself
    unknown_list: Literal["empty", "404"] = "empty"  # the listing of a list that has no files
    list_id_property: str = "coupons_list_id"  # of a coupon file
    catalog_id_property: str | None = "catalog_id"  # dotted where nested; None: the body is the identifier, a string
    catalog_status: int = 201
    segment_status: int = 200
    segment_response: Literal["object", "data", "empty"] = "object"  # the segment, the same under "data", or no body
    unknown_segment: Literal["create", "404"] = "create"

    # -- faults at random, for load tests
    fault_rate: float = 0.0  # share of requests
    seed: int | None = None

    request_log: int = 10_000  # how many requests are remembered

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for item in fields(self):
            value = getattr(self, item.name)
            if get_args(hints[item.name]) and isinstance(get_args(hints[item.name])[0], str):
                _require(value in get_args(hints[item.name]), item.name, value, f"one of {get_args(hints[item.name])}")
            elif hints[item.name] is float:
                _require(_is_number(value), item.name, value, "a finite number")
            elif hints[item.name] is int:
                _require(_is_number(value) and value == int(value) and value >= 0, item.name, value, "a whole number")
            elif hints[item.name] is bool:
                _require(isinstance(value, bool), item.name, value, "true or false")
        for name in ("processing_time", "fetch_timeout", "speed", "list_lag", "fetch_lag"):
            _require(getattr(self, name) >= 0, name, getattr(self, name), "at least 0")
        _require(0 <= self.fault_rate <= 1, "fault_rate", self.fault_rate, "a share from 0 to 1")
        for name, part in (("coupon_file_path", "{coupon_file_id}"), ("coupon_files_path", "{coupon_list_id}")):
            path = getattr(self, name)
            _require(path is None or (path.startswith("/") and part in path), name, path, f"a path with {part}")
        self.all_limits()  # raises where they are malformed

    def all_limits(self) -> dict[str, tuple[Limit, ...]]:
        """The limits of each operation that has any: the contract's, replaced operation by operation."""
        if self.limits is None:
            return {}
        unknown = set(self.limits) - set(OPERATIONS)
        _require(not unknown, "limits", sorted(unknown), f"by operation: {', '.join(OPERATIONS)}")
        try:
            given = {name: tuple(Limit(int(n), float(s)) for n, s in pairs) for name, pairs in self.limits.items()}
        except (TypeError, ValueError):
            raise ValueError(f"limits must be lists of [requests, seconds] by operation, not {self.limits!r}") from None
        malformed = [limit for pairs in given.values() for limit in pairs if limit.requests < 0 or limit.seconds <= 0]
        _require(not malformed, "limits", malformed, "windows of more than 0 seconds with at least 0 requests")
        return {**DEFAULT_LIMITS, **given}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _require(good: bool, name: str, value: Any, wanted: str) -> None:
    if not good:
        raise ValueError(f"emulator setting {name} must be {wanted}, not {value!r}")
