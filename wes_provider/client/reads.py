"""When reads may go on, as the service's answers say: one limit for all reads of a connection in a process."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TypeVar

from wes_provider import contract
from wes_provider.client.calls import Answer, Call
from wes_provider.client.limits import header_count, reset_after
from wes_provider.exceptions import WesRateLimitError

__all__ = ["ReadLimit"]

T = TypeVar("T")


class ReadLimit:
    """
    Keeps reads back that the service would refuse, so that one refusal serves all who wait.

    The contract shows no limit of reads (section 8); this holds where an answer's headers state one.
    """

    __slots__ = ("_reset_at",)

    def __init__(self) -> None:
        self._reset_at: datetime | None = None

    def check(self, operation: str) -> None:
        """
        To be called before a read.

        :raises WesRateLimitError: instead of a request that the service would refuse.
        """
        if self._reset_at is None:
            return
        if datetime.now(timezone.utc) < self._reset_at:
            raise WesRateLimitError(
                f"{operation}: the service takes no more reads before {self._reset_at:%H:%M:%S} UTC",
                remaining=0,
                reset_at=self._reset_at,
            )
        self._reset_at = None

    def hear(self, answer: Answer) -> None:
        """Note the answer to a read: a refusal, or the last answer before one."""
        if answer.status_code == 429 or (
            contract.RATE_LIMIT_REMAINING in answer.headers
            and header_count(answer.headers, contract.RATE_LIMIT_REMAINING) == 0
        ):
            now = datetime.now(timezone.utc)
            left = reset_after(answer.headers, now)
            self._reset_at = now + left if left else None

    def heard(self, call: Call[T]) -> Call[T]:
        """A call whose answer is noted, too."""

        def read(answer: Answer) -> T:
            self.hear(answer)
            return call.read(answer)

        return Call(call.request, read)
