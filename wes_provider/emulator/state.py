"""Everything about a service that changes while it serves."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.credentials import KnownKey
from wes_provider.emulator.faults import FaultQueue
from wes_provider.emulator.limits import Quotas
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.replies import JsonObject
from wes_provider.emulator.request_log import RequestLog
from wes_provider.emulator.world import Holding, World

__all__ = ["State"]


@dataclass(frozen=True)
class State:
    """
    The state of a service. A start, a reset and a restored snapshot each make a new one, whole.

    :ivar world: what the workspaces hold, the clock and the settings.
    :ivar coupons: coupon files on their way, and the scripts.
    :ivar callbacks: the results of the callbacks made.
    :ivar former_keys: those that were valid before the settings were changed.
    """

    world: World
    quotas: Quotas
    coupons: Coupons
    faults: FaultQueue
    log: RequestLog
    callbacks: deque[JsonObject]
    former_keys: set[KnownKey]

    def add(self, holding: Holding) -> None:
        """Add what a state file or a snapshot holds."""
        self.world.add(holding)
        self.quotas.count_held(holding)
        if isinstance(holding, CouponFile):
            self.coupons.track(holding)
