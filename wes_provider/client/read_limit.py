"""When reads may go on, as the service's answers say: one limit for all reads of a connection in a process."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TypeVar

from wes_provider import contract
from wes_provider.client.operations import Operation, Response
from wes_provider.client.rate_limit_headers import header_count, reset_after
from wes_provider.exceptions import WesRateLimitError

__all__ = ["ReadLimit"]

T = TypeVar("T")


class ReadLimit:
    """
    Keeps reads back that the service would refuse, so that one refusal serves all who wait.

    The contract shows no limit of reads (section 8); this holds where an answer's headers state one.
    """

    __slots__ = ("_left", "_reset_at")

    def __init__(self) -> None:
        self._reset_at: datetime | None = None
        self._left = 0  # reads that the service takes until then

    def check(self, operation: str) -> None:
        """
        To be called before a read.

        :raises WesRateLimitError: instead of a request that the service would refuse.
        """
        if self._reset_at is None:
            return
        if datetime.now(timezone.utc) >= self._reset_at:
            self._reset_at = None
        elif self._left > 0:
            self._left -= 1
        else:
            raise WesRateLimitError(
                f"{operation}: the service takes no more reads before {self._reset_at:%H:%M:%S} UTC",
                remaining=0,
                reset_at=self._reset_at,
            )

    def record(self, response: Response, *, asking: int = 0) -> None:
        """
        Note the answer to a read.

        :param asking: how many other reads are on their way, which the service may not have counted yet.
        """
        refused = response.status_code == 429
        if not refused and contract.RATE_LIMIT_REMAINING not in response.headers:
            return
        remaining = 0 if refused else header_count(response.headers, contract.RATE_LIMIT_REMAINING)
        now = datetime.now(timezone.utc)
        until_reset = reset_after(response.headers, now)
        if remaining is None or until_reset is None:
            self._reset_at = None
        else:
            self._reset_at, self._left = now + until_reset, remaining - asking

    def recording(self, operation: Operation[T]) -> Operation[T]:
        """A call whose answer is noted, too."""

        def read(response: Response) -> T:
            self.record(response)
            return operation.read(response)

        return Operation(operation.request, read)
