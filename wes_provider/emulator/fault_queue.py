"""The faults that wait for their requests."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

from multidict import CIMultiDict

from wes_provider import contract
from wes_provider.emulator.faults import NETWORK_FAULTS, Fault
from wes_provider.emulator.replies import Reply
from wes_provider.emulator.settings import OPERATIONS

__all__ = ["FaultQueue", "altered"]


@dataclass
class _Queued:
    operation: str
    fault: Fault
    times: int | None
    list_id: str | None

    def matches(self, operation: str, identifiers: dict[str, str]) -> bool:
        right = self.operation in (operation, "*")
        return right and self.list_id in (None, identifiers.get("coupon_list_id"))


class FaultQueue:
    """Faults in the order in which they were queued; ``seed`` is that of the random ones."""

    def __init__(self, seed: int | None) -> None:
        self._queued: list[_Queued] = []
        self.seed(seed)

    def seed(self, seed: int | None) -> None:
        """Start the random faults again."""
        self._random = random.Random(seed)  # noqa: S311 - draws faults, not keys

    def add(self, operation: str, fault: Fault, times: int | None, list_id: str | None) -> None:
        """Queue a fault for the next ``times`` matching requests, ``None`` for all until the queue is cleared."""
        if operation not in (*OPERATIONS, "*"):
            raise ValueError(f"operation must be * or one of {', '.join(OPERATIONS)}, not {operation!r}")
        if times is not None and times < 1:
            raise ValueError(f"times must be at least 1, or None for ever; not {times!r}")
        self._queued.append(_Queued(operation, fault, times, list_id))

    def clear(self) -> None:
        """Forget all of them."""
        self._queued.clear()

    def next(self, operation: str, identifiers: dict[str, str], rate: float) -> Fault | None:
        """The fault of a request, if it has one; a share (``rate``) of requests fails at random."""
        for queued in self._queued:
            if queued.matches(operation, identifiers):
                if queued.times is not None:
                    queued.times -= 1
                    if queued.times == 0:
                        self._queued.remove(queued)
                return queued.fault
        return self._random.choice(NETWORK_FAULTS) if self.happens(rate) else None

    def happens(self, rate: float) -> bool:
        """Whether something that goes wrong at this rate goes wrong now."""
        return rate > 0 and self._random.random() < rate

    def shown(self) -> list[dict[str, Any]]:
        """What is queued, as JSON."""
        return [{**vars(one), "fault": str(one.fault)} for one in self._queued]


def altered(reply: Reply, fault: Fault, now: float) -> Reply:
    """A response with a fault's status, headers and body; ``now`` is the service's time."""
    headers = CIMultiDict(reply.headers)
    if fault.reset_in is not None:
        headers[contract.RATE_LIMIT_RESET] = str(math.ceil(now + fault.reset_in))
    for name, _ in fault.headers:
        headers.popall(name, None)
    headers.extend(fault.headers)
    return Reply(fault.status or reply.status, reply.body if fault.body is None else fault.body, headers)
