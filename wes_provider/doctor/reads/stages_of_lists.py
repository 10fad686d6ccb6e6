"""Whether a list leaves out an uploaded file at some of the file's stages. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from wes_provider.doctor.reads.evidence import file_read
from wes_provider.doctor.reads.left_lists import file_in
from wes_provider.doctor.replies.files import status_of
from wes_provider.doctor.replies.probes import Probe

__all__ = ["LeftOut", "left_out"]

FEWEST: Final = 2  # reads that lack a file, so that it is no matter of one node


class LeftOut(NamedTuple):
    """
    Replies to reads of a list that had a file, and lacked it at other stages of the file.

    :ivar had: the last one that had it before.
    :ivar lacking: those that lacked it.
    :ivar again: the first one that had it again; ``None`` if none did.
    :ivar had_at: the statuses at which the list had it; ``lacked_at``: those at which it did not.
    """

    had: Probe
    lacking: Sequence[Probe]
    again: Probe | None
    had_at: Sequence[str]
    lacked_at: Sequence[str]


def left_out(lists: Sequence[Probe], alone: Sequence[Probe], file_id: str) -> LeftOut | None:
    """
    Return how a list left out a file by its stages. ``None`` if it did not once it had shown it, if
    fewer than two reads lack it, or if it had and lacked it at the same stage: then nodes may.

    :param lists: all replies that have the list as a whole, in order.
    :param alone: all replies of the file's own path that have it, in order.
    """
    having = [reply for reply in lists if file_in(reply, file_id) is not None]
    if not having:
        return None
    since_shown = lists[lists.index(having[0]) :]
    lacking = [reply for reply in since_shown if not any(reply is each for each in having)]
    if len(lacking) < FEWEST:
        return None
    had_at = _stages(having, alone)
    lacked_at = _stages(lacking, alone)
    if not had_at or not lacked_at or set(had_at) & set(lacked_at):
        return None
    before = [reply for reply in having if reply.sent_at <= lacking[0].sent_at]
    after = [reply for reply in having if reply.sent_at > lacking[-1].sent_at]
    return LeftOut(before[-1], lacking, next(iter(after), None), had_at, lacked_at)


def _stages(lists: Sequence[Probe], alone: Sequence[Probe]) -> list[str]:
    """Return the statuses that the file surely had when the list was read, in order, each once."""
    stages = [_stage_at(reply, alone) for reply in lists]
    return list(dict.fromkeys(filter(None, stages)))


def _stage_at(listing: Probe, alone: Sequence[Probe]) -> str:
    """
    Return the status of the file when the list was read: that which its own path had before and
    after; empty if these differ. After the last read of that path, its status has not changed.
    """
    before = [reply for reply in alone if reply.sent_at <= listing.sent_at]
    after = [reply for reply in alone if reply.sent_at > listing.sent_at]
    statuses = set()
    for reply in (*before[-1:], *after[:1]):
        file = file_read(reply)
        if file is not None:
            statuses.add(status_of(file))
    if len(statuses) == 1:
        return statuses.pop()
    return ""
