"""What the parts of one emulated service share: its settings, its clock, its accounts, its state file."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from wes_provider import contract
from wes_provider.emulator import limits
from wes_provider.emulator.clock import Clock
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.replies import Refusal
from wes_provider.emulator.settings import Settings
from wes_provider.emulator.store import Store

__all__ = ["Account", "Context", "CouponList", "Quotas"]

_KEPT_TIMES: Final = 20_000  # of accepted requests, for each limited operation and list


@dataclass
class CouponList:
    """
    One list of one workspace.

    :ivar coupons: how many it has got so far, those of files that are being processed included.
    :ivar issued: how many of them were handed out by ``counted_at``.
    :ivar rate: how many are handed out in each of the service's seconds.
    :ivar known: hashes of its coupons, as many as are remembered.
    """

    files: dict[str, CouponFile] = field(default_factory=dict)
    coupons: int = 0
    issued: float = 0.0
    rate: float = 0.0
    counted_at: float = 0.0
    unended: set[str] = field(default_factory=set)  # ids of files whose coupons may not be in stock yet
    known: set[int] = field(default_factory=set)


@dataclass
class Account:
    """What one workspace has."""

    lists: dict[str, CouponList] = field(default_factory=dict)
    catalogs: dict[str, dict[str, Any]] = field(default_factory=dict)
    segments: dict[str, dict[str, Any]] = field(default_factory=dict)
    catalog_names: set[str] = field(default_factory=set)

    def add_catalog(self, catalog: dict[str, Any]) -> None:
        """Add a catalog, whose name is taken from now on."""
        self.catalogs[catalog["id"]] = catalog
        self.catalog_names.add(catalog["name"])


class Context:
    """
    What the parts of one service share.

    :param settings: as they are now; they may be replaced.
    :param clock: the service's time; it may be replaced.
    :param store: the state file, if there is one.
    """

    def __init__(self, settings: Settings, clock: Clock, store: Store | None = None) -> None:
        self.settings = settings
        self.clock = clock
        self.store = store
        self.accounts: dict[str, Account] = {}

    def account(self, workspace: str) -> Account:
        """A workspace's account, which is created when it is first used."""
        return self.accounts.get(workspace) or self.accounts.setdefault(workspace, Account())

    def all_files(self) -> Iterator[CouponFile]:
        """The files of all lists of all workspaces."""
        for account in self.accounts.values():
            for coupon_list in account.lists.values():
                yield from coupon_list.files.values()

    def save(self, kind: str, identifier: str, document: Any) -> None:
        """Keep a JSON document in the state file, if there is one."""
        if self.store is not None:
            self.store.save(kind, identifier, document)


class Quotas:
    """
    Which requests the limits allow, and what the headers show.

    A key names what is counted together: operation, workspace and, for uploads, the list.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._accepted: dict[tuple[str, ...], list[float]] = {}
        self.settings_changed()

    def settings_changed(self) -> None:
        """Has to be called after the settings were replaced."""
        self._limits = self._context.settings.all_limits()

    def check(self, operation: str, *key: str) -> None:
        """
        Refuse a request beyond a limit.

        :raises Refusal: 429 without a body, as contract section 7 shows.
        """
        windows = self._limits.get(operation)
        if windows:
            standing = self._standing((operation, *key))
            full = limits.refusing(windows, *standing)
            if full is not None:
                described = limits.described(windows, self._window, *standing) or full
                raise Refusal(429, headers=self._headers(described) if self._shown != "none" else None)

    def count(self, operation: str, *key: str, at: float | None = None) -> None:
        """
        Count an accepted request.

        :param at: when it was accepted; default: now.
        """
        if operation not in self._limits and operation not in limits.DEFAULT_LIMITS:
            return
        times = self._accepted.setdefault((operation, *key), [])
        insort(times, self._context.clock.now() if at is None else at)
        if len(times) > 2 * _KEPT_TIMES:
            del times[:-_KEPT_TIMES]

    def headers(self, operation: str, *key: str) -> dict[str, str]:
        """What a response other than a 429 shows; empty unless the settings say ``all``."""
        windows = self._limits.get(operation)
        if self._shown != "all" or not windows:
            return {}
        standing = self._standing((operation, *key))
        described = limits.described(windows, self._window, *standing) or limits.tightest(windows, *standing)
        return self._headers(described) if described is not None else {}

    def windows(self, operation: str, *key: str) -> Iterator[tuple[float, limits.Quota]]:
        """The state of each window of an operation, with its length in seconds."""
        for limit in self._limits.get(operation, ()):
            quota = limits.tightest([limit], *self._standing((operation, *key)))
            if quota is not None:
                yield limit.seconds, quota

    def unsure_until(self, seconds: float, limit: int, operation: str, *key: str) -> float | None:
        """
        Until when a client must take a window for full if it does not know when windows begin.

        :return: ``None`` if it need not, or learns it from the headers of each response.
        """
        times, now, policy, _ = self._standing((operation, *key))
        if policy == "rolling" or self._shown == "all" or len(times) < limit or not limit:
            return None
        until = times[-limit] + seconds
        return until if until > now else None

    def dump(self) -> list[dict[str, Any]]:
        """When requests were accepted, as JSON."""
        return [{"key": list(key), "times": list(times)} for key, times in self._accepted.items()]

    def load(self, dumped: list[dict[str, Any]], later: float) -> None:
        """
        Count what was dumped, and nothing else.

        :param later: seconds that all of it is moved by.
        """
        self._accepted = {tuple(one["key"]): [time + later for time in one["times"]] for one in dumped}

    @property
    def _shown(self) -> str:
        return self._context.settings.rate_limit_headers

    @property
    def _window(self) -> limits.HeaderWindow:
        return self._context.settings.rate_limit_window

    def _standing(self, key: tuple[str, ...]) -> tuple[list[float], float, limits.WindowPolicy, float]:
        settings = self._context.settings
        return self._accepted.get(key, []), self._context.clock.now(), settings.window_policy, settings.window_offset

    def _headers(self, quota: limits.Quota) -> dict[str, str]:
        return quota.headers(self._context.settings.reset_rounding)


def rate_limit_reset(now: float, reset_in: float) -> dict[str, str]:
    """The header with the reset of a fault's window."""
    return {contract.RATE_LIMIT_RESET: str(math.ceil(now + reset_in))}
