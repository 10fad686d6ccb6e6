"""How many requests a window takes (contract section 8). Pure: from the times of accepted requests and the time now."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from wes_provider import contract

__all__ = ["DEFAULT_LIMITS", "Limit", "Quota", "quota", "refusing"]

WindowPolicy = Literal["fixed", "rolling"]


class Limit(NamedTuple):
    """A number of accepted requests in a window of some seconds."""

    requests: int
    seconds: float


DEFAULT_LIMITS: Final[dict[str, tuple[Limit, ...]]] = {  # contract section 8
    "upload_coupon_file": (
        Limit(contract.UPLOADS_PER_MINUTE, contract.MINUTE),
        Limit(contract.UPLOADS_PER_DAY, contract.DAY),
    ),
    "create_catalog": (
        Limit(contract.CATALOGS_PER_MINUTE, contract.MINUTE),
        Limit(contract.CATALOGS_PER_HOUR, contract.HOUR),
    ),
}


class Quota(NamedTuple):
    """One window as it stands: ``reset`` is in seconds since 1970, not yet rounded."""

    limit: int
    remaining: int
    reset: float


def quota(limit: Limit, accepted: Sequence[float], now: float, policy: WindowPolicy, offset: float = 0.0) -> Quota:
    """
    One window as it stands.

    :param accepted: times of the accepted requests, in order.
    :param policy: ``fixed`` windows begin at multiples of their length, ``rolling`` ones end now.
    :param offset: seconds by which fixed windows are shifted.
    """
    if policy == "fixed":
        start = math.floor((now - offset) / limit.seconds) * limit.seconds + offset
        used = len(accepted) - bisect_left(accepted, start)
        return Quota(limit.requests, max(0, limit.requests - used), start + limit.seconds)
    # The same sum decides here and goes into the header, so that a request at the reset is never refused by rounding.
    used = len(accepted) - bisect_right(accepted, now, key=lambda time: time + limit.seconds)
    blocking = min(used, limit.requests)  # how far back the request stands whose leaving makes room
    oldest = accepted[-blocking] if blocking else now
    return Quota(limit.requests, max(0, limit.requests - used), oldest + limit.seconds)


def refusing(
    limits: Sequence[Limit], accepted: Sequence[float], now: float, policy: WindowPolicy, offset: float = 0.0
) -> Quota | None:
    """The window that refuses one more request now, if any does; of several the one that resets last."""
    full = [one for limit in limits if (one := quota(limit, accepted, now, policy, offset)).remaining == 0]
    return max(full, key=lambda one: one.reset, default=None)
