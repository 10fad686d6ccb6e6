"""How each file looks in replies to the same request, in their order. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from wes_provider import contract
from wes_provider.doctor.reads.evidence import file_read, listed_in
from wes_provider.doctor.replies.files import status_of
from wes_provider.doctor.replies.probes import Keys, Probe
from wes_provider.models import CouponFile

__all__ = [
    "NO_STATUS",
    "Sight",
    "files_read_alone",
    "files_with_further_statuses",
    "sights_by_file",
]

NO_STATUS: Final = "none"  # in small letters, which no status has


class Sight(NamedTuple):
    """A file as one reply has it."""

    probe: Probe
    file: CouponFile

    @property
    def status(self) -> str:
        """The status in capitals; ``NO_STATUS`` without one."""
        return status_of(self.file) or NO_STATUS


def sights_by_file(replies: Iterable[Probe]) -> list[list[Sight]]:
    """
    Return what replies with the own keys have of files: for each request, and each file in it, the
    sights in order. A file that one reply has several times is left out.
    """
    by_file: dict[tuple[str, str], list[Sight]] = {}
    for probe in sorted(replies, key=lambda probe: probe.sent_at):
        for file in _files_in(probe):
            sights = by_file.setdefault((probe.request.url, file.id), [])
            sights.append(Sight(probe, file))
    return [*by_file.values()]


def files_with_further_statuses(replies: Iterable[Probe]) -> list[CouponFile]:
    """Return files with each status that a later reply to a request has, and the first has not."""
    further = []
    for sights in sights_by_file(replies):
        statuses = {sights[0].status, NO_STATUS}
        for sight in sights:
            if sight.status not in statuses:
                statuses.add(sight.status)
                further.append(sight.file)
    return further


def files_read_alone(replies: Iterable[Probe]) -> list[CouponFile]:
    """Return the files of replies to reads of one file with the own keys."""
    alone = [probe for probe in replies if probe.request.operation is contract.GET_COUPON_FILE]
    return [file for probe in alone for file in _files_in(probe)]


def _files_in(probe: Probe) -> Sequence[CouponFile]:
    """Return the files that a reply has once."""
    if probe.keys is not Keys.OWN:
        return []
    if probe.request.operation is contract.GET_COUPON_FILE:
        file = file_read(probe)
        if file is None:
            return []
        return [file]
    if probe.request.operation is not contract.LIST_COUPON_FILES:
        return []
    listed = listed_in("", probe)
    if listed is None or listed.is_of_other_lists:
        return []
    times = Counter(listed.file_ids)
    return [file for file in listed.files if times[file.id] == 1]
