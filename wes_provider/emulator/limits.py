"""Which requests the limits allow, and what the headers show (contract sections 7 and 8)."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from typing import Final, NamedTuple

from wes_provider import contract
from wes_provider.contract import CREATE_CATALOG, UPLOAD_COUPON_FILE, Limit
from wes_provider.emulator.checks import Refusal
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.settings import WindowPolicy
from wes_provider.emulator.world import Catalog, Holding, World

__all__ = ["DEFAULT_LIMITS", "Quota", "Quotas", "quota", "refusing"]

_KEPT_TIMES: Final = 20_000  # of accepted requests, for each limited operation and list


DEFAULT_LIMITS: Final = {
    name: operation.limits for name, operation in contract.OPERATIONS.items() if operation.limits
}


class Quota(NamedTuple):
    """One window as it stands: ``reset`` is in seconds since 1970, not yet rounded."""

    limit: int
    remaining: int
    reset: float


def quota(
    limit: Limit, accepted: Sequence[float], now: float, policy: WindowPolicy, offset: float = 0.0
) -> Quota:
    """
    One window as it stands: fixed ones begin at multiples of their length (shifted), rolling ones
    end now.
    """
    if policy == "fixed":
        start = math.floor((now - offset) / limit.seconds) * limit.seconds + offset
        used = len(accepted) - bisect_left(accepted, start)
        return Quota(limit.requests, max(0, limit.requests - used), start + limit.seconds)
    # The same sum decides here and goes into the header, so that a request at the reset is never
    # refused by rounding.
    used = len(accepted) - bisect_right(accepted, now, key=lambda time: time + limit.seconds)
    blocking = min(used, limit.requests)  # how far back the request stands whose leaving makes room
    oldest = accepted[-blocking] if blocking else now
    return Quota(limit.requests, max(0, limit.requests - used), oldest + limit.seconds)


def refusing(
    limits: Sequence[Limit],
    accepted: Sequence[float],
    now: float,
    policy: WindowPolicy,
    offset: float = 0.0,
) -> Quota | None:
    """
    The window that refuses one more request now, if any does; of several the one that resets last.
    """
    full = [
        one
        for limit in limits
        if (one := quota(limit, accepted, now, policy, offset)).remaining == 0
    ]
    return max(full, key=lambda one: one.reset, default=None)


class Quotas:
    """What is counted together has a key: operation, workspace and, for uploads, the list."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._accepted: dict[tuple[str, ...], list[float]] = {}
        self.settings_changed()

    def settings_changed(self) -> None:
        """Has to be called after the settings were replaced."""
        given = self._world.settings.limits
        replaced: dict[str, tuple[Limit, ...]] = {
            name: tuple(Limit(*pair) for pair in pairs) for name, pairs in (given or {}).items()
        }
        self._limits: dict[str, tuple[Limit, ...]] = (
            {} if given is None else {**DEFAULT_LIMITS, **replaced}
        )

    def check(self, operation: str, *key: str) -> None:
        """Refuse a request beyond a limit: 429 without a body, as contract section 7 shows."""
        if refusing(self._limits.get(operation, ()), *self._standing(operation, *key)) is not None:
            raise Refusal(429, headers=self.headers(operation, *key, refused=True))

    def count(self, operation: str, *key: str, at: float | None = None) -> None:
        """Count an accepted request; ``at`` is when, by default now."""
        if operation not in self._limits and operation not in DEFAULT_LIMITS:
            return
        times = self._accepted.setdefault((operation, *key), [])
        insort(times, self._world.clock.now() if at is None else at)
        if len(times) > 2 * _KEPT_TIMES:
            del times[:-_KEPT_TIMES]

    def count_again(self, one: Holding) -> None:
        """Count what is held."""
        if isinstance(one, CouponFile) and not one.seeded:
            self.count(UPLOAD_COUPON_FILE.name, one.workspace, one.list_id, at=one.accepted_at)
        elif isinstance(one, Catalog) and one.accepted_at is not None:
            self.count(CREATE_CATALOG.name, one.workspace, at=one.accepted_at)

    def headers(self, operation: str, *key: str, refused: bool = False) -> dict[str, str]:
        """What a response shows, which is a 429 if it is ``refused``."""
        shown_on = self._world.settings.rate_limit_headers
        hidden = shown_on == "none" or (shown_on == "429" and not refused)
        if hidden or not self._limits.get(operation):
            return {}
        # Contract section 7 has one of each: of the window with the fewest requests left that
        # resets last.
        shown = min(
            (one for _, one in self.windows(operation, *key)),
            key=lambda one: (one.remaining, -one.reset),
        )
        return {
            contract.RATE_LIMIT_LIMIT: str(shown.limit),
            contract.RATE_LIMIT_REMAINING: str(shown.remaining),
            contract.RATE_LIMIT_RESET: str(math.ceil(shown.reset)),
        }

    def windows(self, operation: str, *key: str) -> list[tuple[Limit, Quota]]:
        """The limits of an operation, each with its window as it stands."""
        standing = self._standing(operation, *key)
        return [(limit, quota(limit, *standing)) for limit in self._limits.get(operation, ())]

    def _standing(self, *key: str) -> tuple[list[float], float, WindowPolicy, float]:
        settings = self._world.settings
        return (
            self._accepted.get(key, []),
            self._world.clock.now(),
            settings.window_policy,
            settings.window_offset,
        )
