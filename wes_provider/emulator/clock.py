"""The service's time: it can be moved, sped up and stopped."""

from __future__ import annotations

import math
import time

__all__ = ["Clock"]


class Clock:
    """
    Seconds since 1970, UTC, as the service sees them. It never goes back.

    :param start: what it shows first; default this machine's time.
    :param speed: its seconds for each of this machine's; 0 stops it.
    """

    def __init__(self, start: float | None = None, speed: float = 1.0) -> None:
        self._shown = time.time() if start is None else start
        self._read_at = time.monotonic()
        self._speed = _checked("speed", speed)
        self.moved = 0.0  # seconds, by all that it was advanced

    def now(self) -> float:
        """The service's time."""
        return self._shown + (time.monotonic() - self._read_at) * self._speed

    def advance(self, seconds: float) -> None:
        """
        Move it forward by some of its own seconds.

        :raises ValueError: for a negative or an infinite number.
        """
        self._shown += _checked("advance", seconds)
        self.moved += seconds

    @property
    def speed(self) -> float:
        """Its seconds for each of this machine's."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        speed = _checked("speed", speed)
        self._shown, self._read_at = self.now(), time.monotonic()
        self._speed = speed

    def machine_seconds(self, service_seconds: float) -> float | None:
        """How long this machine waits for some of the service's seconds; ``None`` while the clock is stopped."""
        return max(0.0, service_seconds / self._speed) if self._speed else None


def _checked(name: str, value: float) -> float:
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"{name} must be a finite number of at least 0, not {value!r}")
    return float(value)
