"""How many reads run at a time, so that thousands of waits share few connections."""

from __future__ import annotations

import asyncio
from typing import Final

__all__ = ["ConcurrentReads"]

FEWEST: Final = 4  # at first
MOST: Final = 50
GROW_AFTER: Final = 0.1  # seconds that reads queue before more of them may run


class ConcurrentReads(asyncio.Semaphore):
    """
    Limits how many reads run at a time: few at first, twice as many if fewer end within ``GROW_AFTER`` than queue.

    Sparse polls so share few connections, which stay open between them, while a slow service, or the start of a
    thousand waits, gets more. If many end and many queue, or the check comes late, it is this process that is busy, and
    more would not help.

    :ivar size: how many reads may run now.
    """

    def __init__(self) -> None:
        super().__init__(FEWEST)
        self.size = FEWEST
        self._ended = 0
        self._queued = 0
        self._timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> None:
        if not self.locked():
            await self.acquire()
            return
        self._queued += 1
        self._check_later()
        try:
            await self.acquire()
        finally:
            self._queued -= 1

    async def __aexit__(self, *exc_info: object) -> None:
        self._ended += 1
        self.release()

    def _check_later(self) -> None:
        if self._timer is None and self.size < MOST:
            self._ended = 0
            self._timer = asyncio.get_running_loop().call_later(GROW_AFTER, self._grow)

    def _grow(self) -> None:
        late = asyncio.get_running_loop().time() - self._timer.when() if self._timer else 0.0
        self._timer = None
        if self._ended < self._queued and late < GROW_AFTER:
            more = min(self.size, MOST - self.size)
            self.size += more
            for _ in range(more):
                self.release()
        if self._queued:
            self._check_later()
