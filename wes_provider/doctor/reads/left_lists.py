"""Whether an uploaded file left its list, or its own path, when it ended. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from wes_provider.doctor.reads.evidence import file_read, listed_in
from wes_provider.doctor.replies.probes import Probe
from wes_provider.models import CouponFile

__all__ = ["LeftList", "LeftPath", "file_in", "left_list", "left_path"]

FEWEST: Final = 2  # reads that lack a file, so that it is no matter of one node


class LeftList(NamedTuple):
    """
    Replies to reads of a list that had a file on its way, and lack it since it ended.

    :ivar had: the last one that had it.
    :ivar lacking: all later ones.
    """

    had: Probe
    lacking: Sequence[Probe]


def left_list(lists: Sequence[Probe], alone: Sequence[Probe], end: CouponFile) -> LeftList | None:
    """
    Return how a file left its list when it ended; ``None`` if it did not, or if fewer than two
    reads lack it, or if one lacked it before.

    :param lists: all replies that have the list as a whole, in order.
    :param alone: all replies of the file's own path that have it, in order.
    :param end: the file as it was seen last.
    """
    having = [reply for reply in lists if file_in(reply, end.id) is not None]
    if not having:
        return None
    had = having[-1]
    lacking = lists[lists.index(had) + 1 :]
    between = lists[lists.index(having[0]) : lists.index(had)]
    comes_and_goes = any(reply not in having for reply in between)
    if comes_and_goes or len(lacking) < FEWEST:
        return None
    listed = file_in(had, end.id)
    was_on_its_way = listed is not None and listed.status != end.status
    if not was_on_its_way or _lacked_on_its_way(lacking, alone, end):
        return None
    return LeftList(had, lacking)


class LeftPath(NamedTuple):
    """
    Replies of a file's own path that had it on its way, and lack it since it ended.

    :ivar had: the last one that had it.
    :ivar lacking: all later ones.
    :ivar end: the file as the list has it.
    """

    had: Probe
    lacking: Sequence[Probe]
    end: CouponFile


def left_path(alone: Sequence[Probe], ended: Sequence[CouponFile]) -> LeftPath | None:
    """
    Return how a file left its own path when it ended; ``None`` if it did not, or if fewer than two
    reads lack it, or if one lacked it before.

    :param alone: all replies of the path, in order.
    :param ended: the file as the list had it last; none if it had no end there.
    """
    having = [number for number, reply in enumerate(alone) if file_read(reply) is not None]
    if not having or not ended:
        return None
    had = alone[having[-1]]
    before, lacking = alone[having[0] : having[-1]], alone[having[-1] + 1 :]
    comes_and_goes = any(reply.is_not_found for reply in before)
    is_lacking = all(reply.is_not_found for reply in lacking)
    if comes_and_goes or not is_lacking or len(lacking) < FEWEST:
        return None
    file, end = file_read(had), ended[0]
    if file is None or file.status == end.status:
        return None
    return LeftPath(had, lacking, end)


def file_in(reply: Probe, file_id: str) -> CouponFile | None:
    """Return a file as a reply lists it; ``None`` if it does not."""
    listed = listed_in(reply.tried, reply)
    if listed is None:
        return None
    return next((file for file in listed.files if file.id == file_id), None)


def _lacked_on_its_way(lacking: Sequence[Probe], alone: Sequence[Probe], end: CouponFile) -> bool:
    """Tell whether the file was read alone, still on its way, after a list that lacks it."""
    later = [reply for reply in alone if reply.sent_at > lacking[0].sent_at]
    files = [*map(file_read, later)]
    return any(file is not None and file.status != end.status for file in files)
