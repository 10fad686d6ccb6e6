"""The faults that wait for their requests."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any, Final

from multidict import CIMultiDict

from wes_provider import contract
from wes_provider.emulator.checking import Count
from wes_provider.emulator.faults import NETWORK_FAULTS, Fault
from wes_provider.emulator.replies import Reply
from wes_provider.emulator.settings import OPERATIONS

__all__ = ["FaultQueue", "altered"]

ANY_OPERATION: Final = "*"


@dataclass
class _QueuedFault:
    operation: str
    fault: Fault
    times: int | None
    list_id: str | None

    def matches(self, operation: str, parameters: dict[str, str]) -> bool:
        if self.operation not in (operation, ANY_OPERATION):
            return False
        return self.list_id is None or self.list_id == parameters.get("coupon_list_id")


class FaultQueue:
    """
    Faults in the order in which they were queued.

    :param seed: the seed of the random faults.
    """

    def __init__(self, seed: int | None) -> None:
        self._queued: list[_QueuedFault] = []
        self.seed(seed)

    def seed(self, seed: int | None) -> None:
        """Start the random faults again."""
        self._random = random.Random(seed)  # noqa: S311 - draws faults, not keys

    def add(self, operation: str, fault: Fault, times: Count | None, list_id: str | None) -> None:
        """
        Queue a fault for the next ``times`` matching requests, ``None`` for all until the queue is cleared.

        :raises ValueError: if there is no such operation, or for fewer times than one.
        """
        if operation not in (*OPERATIONS, ANY_OPERATION):
            raise ValueError(f"operation must be {ANY_OPERATION} or one of {', '.join(OPERATIONS)}, not {operation!r}")
        if times is not None and times < 1:
            raise ValueError(f"times must be at least 1, or None for ever; not {times!r}")
        self._queued.append(_QueuedFault(operation, fault, times, list_id))

    def clear(self) -> None:
        """Forget all of them."""
        self._queued.clear()

    def next(self, operation: str, parameters: dict[str, str], rate: float) -> Fault | None:
        """
        The fault of a request, if it has one.

        :param rate: the share of requests that fail at random.
        """
        queued = next((queued for queued in self._queued if queued.matches(operation, parameters)), None)
        if queued is not None:
            if queued.times is not None:
                queued.times -= 1
                if queued.times == 0:
                    self._queued.remove(queued)
            return queued.fault
        if self.happens(rate):
            return self._random.choice(NETWORK_FAULTS)
        return None

    def happens(self, rate: float) -> bool:
        """Whether something that goes wrong at this rate goes wrong now."""
        return rate > 0 and self._random.random() < rate

    def shown(self) -> list[dict[str, Any]]:
        """What is queued, as JSON."""
        return [
            {"operation": one.operation, "fault": str(one.fault), "times": one.times, "list_id": one.list_id}
            for one in self._queued
        ]


def altered(reply: Reply, fault: Fault, now: float) -> Reply:
    """
    A response with a fault's status, headers and body.

    :param now: the service's time.
    """
    headers = CIMultiDict(reply.headers)
    if fault.reset_in is not None:
        headers[contract.RATE_LIMIT_RESET] = str(math.ceil(now + fault.reset_in))
    for name, _ in fault.headers:
        headers.popall(name, None)
    headers.extend(fault.headers)
    body = reply.body if reply.stream is None else b"".join(reply.stream)
    return Reply(fault.status or reply.status, body if fault.body is None else fault.body, headers)
