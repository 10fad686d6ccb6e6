"""How tasks that upload to the same list share its limit: when to send after a refusal, and when to give up."""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping
from typing import Any, Final

from wes_provider.exceptions import WesError, WesRateLimitError
from wes_provider.models import shorten
from wes_provider.uploads.attempt import Attempt
from wes_provider.uploads.identity import HASH, GivenName, parse
from wes_provider.uploads.list_reader import ListReader
from wes_provider.uploads.rate_limiter import spread_over_windows
from wes_provider.uploads.request import UploadRequest

__all__ = ["Contention"]

log = logging.getLogger(__name__)

JITTER: Final = 1.0  # seconds above a reset, never below, so that tasks do not come back at the same instant


class Contention:
    """
    One task among others that upload to its list.

    :param attempt: the running one.
    :param reader: the reader of the list.
    """

    def __init__(self, attempt: Attempt, reader: ListReader) -> None:
        self._attempt = attempt
        self._list = reader

    def send_time(self, request: UploadRequest, refusal: WesRateLimitError | None) -> float:
        """
        When to send an upload.

        :param request: the upload.
        :param refusal: the refusal of the last request. If other tasks' uploads explain it, the tasks spread out.
        """
        limiter, now = self._attempt.limiter, self._attempt.clock.time()
        moment = limiter.next(now)
        if refusal is None or not limiter.contended:
            return moment
        limiter.block_until(self._spread(request, refusal, moment))
        return limiter.next(now)

    def hopeless(self, request: UploadRequest) -> bool:
        """
        Whether the service goes on refusing although its limits are respected, and no other task explains it.

        :param request: the upload.
        """
        limiter = self._attempt.limiter
        most = max(2, int(self._attempt.hook.settings.max_attempts))
        counts = limiter.refusals in (1, most) or self._attempt.listed is None
        if limiter.contended and counts and self._grows(request):
            limiter.refusals = 0
        return limiter.refusals >= most

    def _spread(self, request: UploadRequest, refusal: WesRateLimitError, moment: float) -> float:
        """Instances of a mapped task go in the order of their indexes, so that each of them is refused once."""
        index = self._attempt.identity.map_index
        window = self._attempt.limiter.window_of(refusal.limit)
        if index < 0 or window is None or refusal.reset_at is None:
            return moment + random.random() * JITTER  # noqa: S311 - spreads load
        place = self._place(request, index)
        if place is None:
            place = random.randrange(index + 1)  # noqa: S311
        return spread_over_windows(moment, window, place)

    def _grows(self, request: UploadRequest) -> bool:
        """Whether files have come to the list since the last call: other tasks upload, and explain refusals."""
        try:
            self._list.read(request, lambda record: False)  # noqa: ARG005
        except WesError as error:
            log.info("List %s cannot be read to explain repeated 429s\n%s", shorten(request.coupon_list_id, 40), error)
            return False
        before, self._attempt.listed = self._attempt.listed, self._list.count
        return before is not None and self._list.count > before

    def _place(self, request: UploadRequest, index: int) -> int | None:
        """How many mapped instances before this one have not uploaded yet; ``None`` if the list does not tell."""
        if request.name:
            return None
        attempt = self._attempt
        hashes = {attempt.identity.hash(request.part, sibling) for sibling in range(index)}
        uploaded: set[str] = set()

        def note(record: Mapping[str, Any]) -> bool:
            for text in HASH.findall(str(record.get("name") or "").lower()):
                given = parse(text, str(record["name"])) if text in hashes else None
                if given is not None and given.same_upload(GivenName(attempt.max_tries, attempt.identity.mark)):
                    uploaded.add(text)
            return False

        try:
            self._list.read(request, note)
        except WesError as error:
            log.info(
                "List %s: the order of the mapped tasks is not known\n%s", shorten(request.coupon_list_id, 40), error
            )
            return None
        return index - len(uploaded)
