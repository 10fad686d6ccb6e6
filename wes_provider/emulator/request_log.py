"""The requests that an emulator remembers."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from wes_provider import contract

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = ["LoggedRequest", "RequestLog"]

_LOGGED_BYTES: Final = 64 * contract.MIB  # of request bodies


@dataclass(frozen=True)
class LoggedRequest:
    """
    One request as it came.

    :ivar operation: empty if path and method belong to none.
    :ivar raw_path: as it was on the wire, with the query.
    :ivar status: the status of the response; ``None`` if the response was lost.
    :ivar time: the service's.
    :ivar accepted: it was carried out, whatever the response was.
    :ivar fault: what went wrong on purpose, in words; empty if nothing did.
    """

    operation: str
    method: str
    raw_path: str
    headers: MultiMapping[str] = field(repr=False)
    body: bytes = field(repr=False)
    status: int | None
    time: float
    accepted: bool
    fault: str = ""


class RequestLog(deque[LoggedRequest]):
    """The last requests, oldest first; ``counts`` are by operation, and of TCP connections under ``connections``."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self.total = self._bytes = 0

    def add(self, request: LoggedRequest, most: int) -> None:
        """Remember one more, and ``most`` in all."""
        self.total += 1
        self.counts[request.operation] += 1
        self.append(request)
        self._bytes += len(request.body)
        while self and (len(self) > most or self._bytes > _LOGGED_BYTES):
            self._bytes -= len(self.popleft().body)
