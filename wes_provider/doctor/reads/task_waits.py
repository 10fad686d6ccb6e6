"""What a task's wait makes of the replies to reads of an uploaded file. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from wes_provider.client import responses
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.replies.probes import Probe
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesCouponFileFailedError,
    WesError,
    WesForbiddenError,
    WesNotFoundError,
)
from wes_provider.models import CouponFile
from wes_provider.waits.decision import CouponFileWait, Failed, PollAgain

__all__ = ["Ending", "ending_reply"]

# What ends a wait, and is no reply to a file on its way: its own failure, and what other findings
# are about, which is a file that is not there, and a refused key.
NOT_ON_THE_WAY: Final = (
    WesCouponFileFailedError,
    WesNotFoundError,
    WesAuthenticationError,
    WesForbiddenError,
)


class Ending(NamedTuple):
    """
    A reply that ends a task's wait, though the file has not ended.

    :ivar error: that the task fails with.
    """

    reply: Probe
    error: WesError


def ending_reply(
    replies: Iterable[Probe], file: CouponFile, statuses: Statuses, started: float
) -> Ending | None:
    """
    Return the first reply that would have ended a task's wait for a file on its way, if each had
    come to one of its polls; ``None`` if the wait would have gone on to the end of the file, or if
    it ends since the file is not there, or the key is refused.

    :param replies: to reads of the file, in order.
    :param started: when it was uploaded, epoch seconds.
    """
    wait = CouponFileWait(
        file.coupon_list_id,
        file.id,
        started=started,
        deadline=math.inf,
        statuses=statuses,
        # A task that has uploaded has used its key.
        outlives_refused_key=True,
    )
    for reply in replies:
        if not reply.status or not reply.response.is_whole:
            # A wait bears a response that is lost.
            continue
        step = wait.decide(_polled(reply), reply.sent_at)
        if isinstance(step, PollAgain):
            continue
        if isinstance(step, Failed) and _is_on_the_way(reply, step.error):
            return Ending(reply, step.error)
        return None
    return None


def _polled(reply: Probe) -> CouponFile | WesError:
    """Return what a poll makes of a reply."""
    try:
        return responses.file_of_list(reply.request, reply.response)
    except WesError as error:
        return error


def _is_on_the_way(reply: Probe, error: WesError) -> bool:
    return not reply.is_gone and not isinstance(error, NOT_ON_THE_WAY)
