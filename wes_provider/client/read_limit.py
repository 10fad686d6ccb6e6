"""When reads of a list may go on, as the service's responses say."""

from __future__ import annotations

import time
from collections import Counter
from datetime import datetime, timedelta, timezone
from typing import Final, TypeVar

from wes_provider import contract
from wes_provider.client.operations import Operation, Request, Response
from wes_provider.client.rate_limit_headers import header_count, reset_after
from wes_provider.exceptions import WesRateLimitError
from wes_provider.polling import LONGEST_LIMIT

__all__ = ["ReadLimit"]

T = TypeVar("T")

LONGEST_HINT: Final = 60.0  # seconds for which a response that is no refusal keeps reads back at most


class ReadLimit:
    """
    Holds back reads of a list that the service would refuse, so that one refusal is enough for all waits for its files.

    The contract shows no limit of reads (section 8); this applies if a response's headers state one. It applies to the
    list of that response only: other lists have limits of their own.
    """

    __slots__ = ("_limits", "_running")

    def __init__(self) -> None:
        self._limits: dict[str, tuple[float, int]] = {}  # by list: until when, monotonic, and how many reads are left
        self._running: Counter[str] = Counter()

    def check(self, request: Request) -> None:
        """
        To be called before a read.

        :raises WesRateLimitError: instead of a request that the service would refuse.
        """
        limit = self._limits.get(request.coupon_list_id)
        if limit is None:
            return
        until, left = limit
        now = time.monotonic()
        if now >= until:
            del self._limits[request.coupon_list_id]
        elif left > 0:
            self._limits[request.coupon_list_id] = (until, left - 1)
        else:
            reset_at = datetime.now(timezone.utc) + timedelta(seconds=until - now)
            raise WesRateLimitError(
                request.message(f"No more reads of the list before {reset_at:%H:%M:%S} UTC"),
                remaining=0,
                reset_at=reset_at,
            )

    def begin(self, request: Request) -> None:
        """Count a read that begins: the service may not have counted it yet when it responds to another one."""
        self._running[request.coupon_list_id] += 1

    def end(self, request: Request) -> None:
        """Count a read that has ended."""
        self._running[request.coupon_list_id] -= 1
        if not self._running[request.coupon_list_id]:
            del self._running[request.coupon_list_id]

    def record(self, request: Request, response: Response) -> None:
        """Note the response to a read."""
        refused = response.status_code == 429
        if not refused and contract.RATE_LIMIT_REMAINING not in response.headers:
            return
        remaining = 0 if refused else header_count(response.headers, contract.RATE_LIMIT_REMAINING)
        until_reset = reset_after(response.headers, datetime.now(timezone.utc))
        if remaining is None or until_reset is None:
            self._limits.pop(request.coupon_list_id, None)
            return
        seconds = min(until_reset.total_seconds(), LONGEST_LIMIT if refused else LONGEST_HINT)
        others = max(0, self._running[request.coupon_list_id] - 1)
        self._limits[request.coupon_list_id] = (time.monotonic() + seconds, remaining - others)

    def recording(self, operation: Operation[T]) -> Operation[T]:
        """An operation whose response is noted, too."""

        def read(response: Response) -> T:
            self.record(operation.request, response)
            return operation.read(response)

        return Operation(operation.request, read)
