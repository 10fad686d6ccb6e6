"""The service's time: it can be moved, sped up and stopped."""

from __future__ import annotations

import math
import time
from typing import Final

__all__ = ["LATEST", "Clock"]

LATEST: Final = 253_402_214_400.0  # the last day of the year 9999, after which dates cannot be written


class Clock:
    """Seconds since 1970, UTC, as the service sees them. It never goes back, and stops in the year 9999."""

    def __init__(self, start: float, speed: float = 1.0) -> None:
        self._shown = min(max(0.0, start), LATEST)
        self._read_at = time.monotonic()
        self._speed = speed
        self.moved = 0.0

    def now(self) -> float:
        """The service's time."""
        return min(self._shown + (time.monotonic() - self._read_at) * self._speed, LATEST)

    def advance(self, seconds: float) -> None:
        """Move it forward by some of its own seconds."""
        if not math.isfinite(seconds) or seconds < 0 or self.now() + seconds > LATEST:
            raise ValueError(f"advance must be at least 0 and not lead beyond the year 9999, as {seconds!r} seconds do")
        self._shown += seconds
        self.moved += seconds

    @property
    def speed(self) -> float:
        """Its seconds for each of this machine's."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._shown, self._read_at, self._speed = self.now(), time.monotonic(), speed

    def machine_seconds(self, service_seconds: float) -> float | None:
        """How long this machine waits for some of the service's seconds; ``None`` while the clock is stopped."""
        return max(0.0, service_seconds / self._speed) if self._speed else None
