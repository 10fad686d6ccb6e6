"""Which requests the limits allow, and what the headers show."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from typing import Final

from wes_provider.emulator import limits
from wes_provider.emulator.limits import DEFAULT_LIMITS, Quota
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.replies import Refusal
from wes_provider.emulator.world import Catalog, Holding, World

__all__ = ["Quotas"]

_KEPT_TIMES: Final = 20_000  # of accepted requests, for each limited operation and list


class Quotas:
    """
    Which requests the limits allow, and what the headers show.

    A key names what is counted together: operation, workspace and, for uploads, the list.
    """

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
        if not windows:
            return
        full = limits.refusing(windows, *self._standing(operation, *key))
        if full is not None:
            shown = self._described(operation, *key) if self._world.settings.rate_limit_window != "tightest" else full
            raise Refusal(
                429, headers=self._headers(shown) if self._world.settings.rate_limit_headers != "none" else {}
            )

    def count(self, operation: str, *key: str, at: float | None = None) -> None:
        """
        Count an accepted request.

        :param at: when it was accepted; default: now.
        """
        if operation not in self._limits and operation not in DEFAULT_LIMITS:
            return
        times = self._accepted.setdefault((operation, *key), [])
        insort(times, self._world.clock.now() if at is None else at)
        if len(times) > 2 * _KEPT_TIMES:
            del times[:-_KEPT_TIMES]

    def count_again(self, one: Holding) -> None:
        """Count what is stored."""
        if isinstance(one, CouponFile) and not one.seeded:
            self.count("upload_coupon_file", one.workspace, one.list_id, at=one.accepted_at)
        elif isinstance(one, Catalog) and one.accepted_at is not None:
            self.count("create_catalog", one.workspace, at=one.accepted_at)

    def headers(self, operation: str, *key: str) -> dict[str, str]:
        """What a response other than a 429 shows; empty unless the settings say ``all``."""
        if self._world.settings.rate_limit_headers != "all" or not self._limits.get(operation):
            return {}
        return self._headers(self._described(operation, *key))

    def windows(self, operation: str, *key: str) -> Iterator[tuple[float, Quota]]:
        """The state of each window of an operation, with its length in seconds."""
        for limit in self._limits.get(operation, ()):
            yield limit.seconds, limits.quota(limit, *self._standing(operation, *key))

    def unsure_until(self, seconds: float, limit: int, operation: str, *key: str) -> float | None:
        """
        Until when a client must take a window for full if it does not know when windows begin.

        :return: ``None`` if it need not, or learns it from the headers of each response.
        """
        times, now, policy, _ = self._standing(operation, *key)
        shown = self._world.settings.rate_limit_headers == "all"
        if policy == "rolling" or shown or len(times) < limit or not limit:
            return None
        until = times[-limit] + seconds
        return until if until > now else None

    def _standing(self, *key: str) -> tuple[list[float], float, limits.WindowPolicy, float]:
        settings = self._world.settings
        return self._accepted.get(key, []), self._world.clock.now(), settings.window_policy, settings.window_offset

    def _described(self, operation: str, *key: str) -> Quota | None:
        windows = limits.described(self._limits[operation], self._world.settings.rate_limit_window)
        return limits.tightest(windows, *self._standing(operation, *key))

    def _headers(self, quota: Quota | None) -> dict[str, str]:
        return {} if quota is None else quota.headers(self._world.settings.reset_rounding)
