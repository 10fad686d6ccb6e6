"""The one clock that uploads and waits read, so that tests can move it."""

from __future__ import annotations

import time
from typing import Protocol

__all__ = ["SYSTEM", "Clock"]


class Clock(Protocol):
    """What is needed of time."""

    def time(self) -> float:
        """Epoch seconds: what leaves the process is in these."""

    def sleep(self, seconds: float) -> None:
        """Block the thread."""


SYSTEM: Clock = time
