"""A clock whose pauses take no time: whoever sleeps moves it, for itself and for the service."""

from __future__ import annotations

import asyncio
import time
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

from support.variants import Emulator

if TYPE_CHECKING:
    import pytest


class SkippingClock:
    """
    This machine's clock, ahead by all pauses so far.

    :ivar emulators: whose clocks move with it.
    """

    def __init__(self) -> None:
        self._skipped = 0.0
        self.emulators: list[Emulator] = []
        self._time = SimpleNamespace(time=self.time, sleep=self.sleep)
        self._asyncio = SimpleNamespace(**{**vars(asyncio), "sleep": self.sleep_in_loop})

    def time(self) -> float:
        """Seconds since 1970, UTC."""
        return time.time() + self._skipped

    def sleep(self, seconds: float) -> None:
        """Move the clock, instead of sleeping."""
        self._skipped += seconds
        for emulator in self.emulators:
            emulator.clock.advance(seconds)

    async def sleep_in_loop(self, seconds: float) -> None:
        """Move the clock, instead of sleeping in an event loop, whose other tasks get their turn."""
        self.sleep(seconds)
        await asyncio.sleep(0)

    def replace_time(self, monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> None:
        """Have modules, which import ``time``, use this clock in its place."""
        for module in modules:
            monkeypatch.setattr(module, "time", self._time)

    def replace_asyncio(self, monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> None:
        """Have modules, which import ``asyncio``, sleep by this clock."""
        for module in modules:
            monkeypatch.setattr(module, "asyncio", self._asyncio)


CLOCK = SkippingClock()
"""The clock of all services that the doctor's tests make; it never goes back."""
