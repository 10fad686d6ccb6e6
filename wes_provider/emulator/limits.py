"""Which requests the limits allow, and what the headers show (contract sections 7 and 8)."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from wes_provider import contract
from wes_provider.contract import CREATE_CATALOG, UPLOAD_COUPON_FILE, Limit, Operation
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.replies import Refusal
from wes_provider.emulator.request_log import UsedUpLimit
from wes_provider.emulator.settings import WindowPolicy
from wes_provider.emulator.world import Catalog, Counted, Holding, World

__all__ = ["LimitReached", "Placing", "QuotaKey", "Quotas", "Window", "full_window", "limits_of"]
__all__ += ["window_at"]

# Of accepted requests, for each key.
_KEPT_TIMES: Final = 20_000
# What these make has the time of its request.
_LEAVE_HOLDINGS: Final = (UPLOAD_COUPON_FILE.name, CREATE_CATALOG.name)


class QuotaKey(NamedTuple):
    """
    What is counted together: an operation of a workspace and, if each list has limits of its own,
    a list.
    """

    operation: str
    workspace: str
    list_id: str = ""

    @classmethod
    def of(cls, operation: Operation, workspace: str, list_id: str) -> QuotaKey:
        """Return what a request counts as."""
        if operation.limited_by_list:
            return cls(operation.name, workspace, list_id)
        return cls(operation.name, workspace)


class Placing(NamedTuple):
    """Where windows lie in time; ``offset`` shifts fixed ones, in seconds."""

    policy: WindowPolicy
    offset: float


class Window(NamedTuple):
    """
    One limit as it stands at some time.

    :ivar remaining: how many more requests it allows.
    :ivar reset: when it allows another one again, in seconds since 1970, not rounded.
    """

    limit: Limit
    remaining: int
    reset: float

    def to_json(self) -> dict[str, float]:
        """Return what the page shows."""
        return {
            "seconds": self.limit.seconds,
            "limit": self.limit.requests,
            "remaining": self.remaining,
            "reset": self.reset,
        }


def limits_of(
    operation: str,
    given: Mapping[str, Any],
) -> tuple[Limit, ...]:
    """
    Return the limits of an operation.

    :param given: limits that replace those of the contract, by operation.
    """
    if operation in given:
        return tuple(Limit(requests, seconds) for requests, seconds in given[operation])
    if operation in contract.OPERATIONS:
        return contract.OPERATIONS[operation].limits
    return ()


def window_at(
    limit: Limit,
    accepted: Sequence[float],
    now: float,
    placing: Placing,
) -> Window:
    """
    Return a window as it stands.

    Fixed windows begin at multiples of their length, shifted; rolling ones end now.

    :param accepted: times of accepted requests, the earliest first.
    """
    if placing.policy == "fixed":
        start = math.floor((now - placing.offset) / limit.seconds) * limit.seconds + placing.offset
        used = len(accepted) - bisect_left(accepted, start)
        return Window(limit, max(0, limit.requests - used), start + limit.seconds)
    # The same sum decides here and goes into the header, so that a request at the reset is never
    # refused by rounding.
    used = len(accepted) - bisect_right(accepted, now, key=lambda time: time + limit.seconds)
    # How far back the request stands whose leaving makes room.
    blocking = min(used, limit.requests)
    oldest = now
    if blocking:
        oldest = accepted[-blocking]
    return Window(limit, max(0, limit.requests - used), oldest + limit.seconds)


def full_window(
    limits: Sequence[Limit], accepted: Sequence[float], now: float, placing: Placing
) -> Window | None:
    """
    Return the window that refuses one more request now; of several the one that resets last.
    """
    windows = [window_at(limit, accepted, now, placing) for limit in limits]
    full = [window for window in windows if window.remaining == 0]
    return max(full, key=lambda window: window.reset, default=None)


class LimitReached(Refusal):
    """
    The service refuses a request beyond a limit, with the 429 of contract section 7.

    :ivar limit: the limit that is used up.
    """

    def __init__(self, limit: UsedUpLimit, headers: Mapping[str, str]) -> None:
        super().__init__(429, headers=headers)
        self.limit = limit


class Quotas:
    """How many requests were accepted, and when; for the keys whose operations have limits."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._accepted: dict[QuotaKey, list[float]] = {}

    def check(self, key: QuotaKey) -> UsedUpLimit | None:
        """
        Refuse a request beyond a limit, without a body, as contract section 7 shows.

        :return: without any limits, the contract's limit that the request is beyond, if there is
            one.
        :raises LimitReached: 429.
        """
        settings = self._world.settings
        limits = limits_of(key.operation, settings.limits or {})
        accepted = self._accepted.get(key, [])
        full = full_window(limits, accepted, self._world.clock.now(), self._placing)
        if full is None:
            return None
        beyond = UsedUpLimit(full.limit.requests, full.limit.seconds, full.reset)
        if settings.limits is None:
            return beyond
        raise LimitReached(beyond, self.headers(key, refused=True))

    def count(self, key: QuotaKey, at: float) -> None:
        """Count an accepted request; ``at`` is when."""
        if not self._limits(key) and not contract.OPERATIONS[key.operation].limits:
            return
        times = self._accepted.setdefault(key, [])
        insort(times, at)
        if len(times) > 2 * _KEPT_TIMES:
            del times[:-_KEPT_TIMES]

    def count_held(self, holding: Holding) -> None:
        """Count the request that made what a state file or a snapshot holds."""
        if isinstance(holding, CouponFile) and not holding.seeded:
            key = QuotaKey.of(UPLOAD_COUPON_FILE, holding.workspace, holding.list_id)
            self.count(key, holding.accepted_at)
        elif isinstance(holding, Catalog) and holding.accepted_at is not None:
            self.count(QuotaKey.of(CREATE_CATALOG, holding.workspace, ""), holding.accepted_at)

    def counted_alone(self) -> list[Counted]:
        """Return the requests that count and that no holding stands for."""
        return [
            Counted(*key, times=list(times))
            for key, times in self._accepted.items()
            if key.operation not in _LEAVE_HOLDINGS
        ]

    def count_again(self, counted: Counted, later: float) -> None:
        """Count what ``counted_alone`` returned, moved by ``later`` seconds."""
        key = QuotaKey(counted.operation, counted.workspace, counted.list_id)
        for time in counted.times:
            self.count(key, time + later)

    def headers(
        self,
        key: QuotaKey,
        *,
        refused: bool = False,
    ) -> dict[str, str]:
        """Return the headers of a response, which is a 429 if it is ``refused``."""
        shown_on = self._world.settings.rate_limit_headers
        if shown_on == "none" or (shown_on == "429" and not refused):
            return {}
        windows = self.windows(key)
        if not windows:
            return {}
        # Contract section 7 has one of each: of the window with the fewest requests left that
        # resets last.
        tightest = min(windows, key=lambda window: (window.remaining, -window.reset))
        return {
            contract.RATE_LIMIT_LIMIT: str(tightest.limit.requests),
            contract.RATE_LIMIT_REMAINING: str(tightest.remaining),
            contract.RATE_LIMIT_RESET: str(math.ceil(tightest.reset)),
        }

    def windows(self, key: QuotaKey) -> list[Window]:
        """Return the windows of a key as they stand."""
        accepted = self._accepted.get(key, [])
        now = self._world.clock.now()
        return [window_at(limit, accepted, now, self._placing) for limit in self._limits(key)]

    @property
    def _placing(self) -> Placing:
        settings = self._world.settings
        return Placing(settings.window_policy, settings.window_offset)

    def _limits(self, key: QuotaKey) -> tuple[Limit, ...]:
        given = self._world.settings.limits
        if given is None:
            return ()
        return limits_of(key.operation, given)
