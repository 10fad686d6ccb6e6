"""How many requests run at a time, so that thousands of waits share few connections."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

__all__ = ["GrowingSemaphore"]

GROW_AFTER: Final = 1.0  # seconds that requests queue before there are more connections


class GrowingSemaphore:
    """
    Limits how many requests run at a time: few at first, and more when fewer end within ``GROW_AFTER`` than queue.

    Sparse polls so share few connections, which stay open between them, and a slow service does not delay polls.
    An asynchronous context manager.

    :param first: how many at first.
    :param most: how many in the end.
    """

    __slots__ = ("_ended", "_free", "_most", "_queue", "_size", "_timer")

    def __init__(self, first: int, most: int) -> None:
        self._size = self._free = first
        self._most = most
        self._ended = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def taken(self) -> int:
        """How many requests run now."""
        return self._size - self._free

    async def __aenter__(self) -> None:
        if self._free:
            self._free -= 1
            return
        loop = asyncio.get_running_loop()
        if self._timer is None and self._size < self._most:
            self._ended = 0
            self._timer = loop.call_later(GROW_AFTER, self._grow)
        released = loop.create_future()
        self._queue.append(released)
        try:
            await released
        except asyncio.CancelledError:
            if released.done() and not released.cancelled():  # at the same moment
                self._pass_on()
            raise

    async def __aexit__(self, *exc_info: object) -> None:
        self._ended += 1
        self._pass_on()

    def _pass_on(self) -> None:
        while self._queue:
            released = self._queue.popleft()
            if not released.done():
                released.set_result(None)
                return
        self._free += 1

    def _grow(self) -> None:
        self._timer = None
        # If many end, a busy machine let the queue pile up, and more connections do not help.
        if self._ended < sum(not released.done() for released in self._queue):
            more = min(self._size // 2, self._most - self._size)
            self._size += more
            for _ in range(more):
                self._pass_on()
        self._ended = 0
        if self._queue and self._size < self._most:
            self._timer = asyncio.get_running_loop().call_later(GROW_AFTER, self._grow)
