"""The service's time: it can be moved, sped up and stopped."""

from __future__ import annotations

import math
import time
from typing import Final

__all__ = ["LATEST", "Clock"]

LATEST: Final = 253_402_214_400.0  # the last day of the year 9999, after which dates cannot be written


class Clock:
    """
    Seconds since 1970, UTC, as the service sees them. It never goes back, and stops in the year 9999.

    :param start: what it shows first; default this machine's time.
    :param speed: its seconds for each of this machine's; 0 stops it.
    """

    def __init__(self, start: float | None = None, speed: float = 1.0) -> None:
        self._shown = min(max(0.0, time.time() if start is None else start), LATEST)
        self._read_at = time.monotonic()
        self._speed = _checked("speed", speed)
        self.moved = 0.0  # seconds, by all that it was advanced

    def now(self) -> float:
        """The service's time."""
        return min(self._shown + (time.monotonic() - self._read_at) * self._speed, LATEST)

    def advance(self, seconds: float) -> None:
        """
        Move it forward by some of its own seconds.

        :raises ValueError: for a negative or an infinite number, or a time after the year 9999.
        """
        if self.now() + _checked("advance", seconds) > LATEST:
            raise ValueError(f"advance must not lead beyond the year 9999, as {seconds!r} seconds do")
        self._shown += seconds
        self.moved += seconds

    @property
    def speed(self) -> float:
        """Its seconds for each of this machine's."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._shown, self._read_at, self._speed = self.now(), time.monotonic(), _checked("speed", speed)

    def machine_seconds(self, service_seconds: float) -> float | None:
        """How long this machine waits for some of the service's seconds; ``None`` while the clock is stopped."""
        return max(0.0, service_seconds / self._speed) if self._speed else None


def _checked(name: str, value: float) -> float:
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"{name} must be a finite number of at least 0, not {value!r}")
    return float(value)
