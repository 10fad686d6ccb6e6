"""Which requests the limits allow, and what the headers show (contract sections 7 and 8)."""

from __future__ import annotations

import math
from bisect import insort
from typing import Final

from wes_provider import contract
from wes_provider.emulator import limits
from wes_provider.emulator.limits import DEFAULT_LIMITS, Limit, Quota
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.replies import Refusal
from wes_provider.emulator.world import Catalog, Holding, World

__all__ = ["Quotas"]

_KEPT_TIMES: Final = 20_000  # of accepted requests, for each limited operation and list


class Quotas:
    """What is counted together has a key: operation, workspace and, for uploads, the list."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._accepted: dict[tuple[str, ...], list[float]] = {}
        self.settings_changed()

    def settings_changed(self) -> None:
        """Has to be called after the settings were replaced."""
        self._limits = self._world.settings.all_limits()

    def check(self, operation: str, *key: str) -> None:
        """
        Refuse a request beyond a limit.

        :raises Refusal: 429 without a body, as contract section 7 shows.
        """
        windows = self._limits.get(operation)
        full = limits.refusing(windows, *self._standing(operation, *key)) if windows else None
        if full is not None:
            shown = self._world.settings.rate_limit_headers != "none"
            raise Refusal(
                429, headers=self.headers_of([full for _, full in self.windows(operation, *key)]) if shown else {}
            )

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
            self.count("upload_coupon_file", one.workspace, one.list_id, at=one.accepted_at)
        elif isinstance(one, Catalog) and one.accepted_at is not None:
            self.count("create_catalog", one.workspace, at=one.accepted_at)

    def headers(self, operation: str, *key: str) -> dict[str, str]:
        """What a response other than a 429 shows; empty unless the settings say ``all``."""
        if self._world.settings.rate_limit_headers != "all" or not self._limits.get(operation):
            return {}
        return self.headers_of([quota for _, quota in self.windows(operation, *key)])

    def headers_of(self, windows: list[Quota]) -> dict[str, str]:
        """The three headers of contract section 7: of the window with the fewest requests left that resets last."""
        shown = min(windows, key=lambda one: (one.remaining, -one.reset))
        return {
            contract.RATE_LIMIT_LIMIT: str(shown.limit),
            contract.RATE_LIMIT_REMAINING: str(shown.remaining),
            contract.RATE_LIMIT_RESET: str(math.ceil(shown.reset)),
        }

    def windows(self, operation: str, *key: str) -> list[tuple[Limit, Quota]]:
        """The limits of an operation, each with its window as it stands."""
        standing = self._standing(operation, *key)
        return [(limit, limits.quota(limit, *standing)) for limit in self._limits.get(operation, ())]

    def unsure_until(self, limit: Limit, operation: str, *key: str) -> float | None:
        """Until when a client takes a window for full if it does not know when windows begin; ``None`` if it need not."""
        times, now, policy, _ = self._standing(operation, *key)
        shown = self._world.settings.rate_limit_headers == "all"
        if policy == "rolling" or shown or len(times) < limit.requests or not limit.requests:
            return None
        until = times[-limit.requests] + limit.seconds
        return until if until > now else None

    def _standing(self, *key: str) -> tuple[list[float], float, limits.WindowPolicy, float]:
        settings = self._world.settings
        return self._accepted.get(key, []), self._world.clock.now(), settings.window_policy, settings.window_offset
