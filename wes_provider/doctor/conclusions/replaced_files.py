"""What follows if an upload seems to have replaced the earlier files of its list. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wes_provider import contract
from wes_provider.doctor.findings.finding import Certainty, Row
from wes_provider.doctor.reads.evidence import Listed, listed_in
from wes_provider.doctor.records.replacements import fallen_totals, replaced_files
from wes_provider.doctor.replies.files import coupons_in
from wes_provider.doctor.replies.probes import Keys, Probe, Question
from wes_provider.doctor.writes.upload import Followed
from wes_provider.settings import WesSettings

__all__ = ["row_of_replaced_files"]

SEEMS_TO_REPLACE: Final = (
    "an upload seems to replace the earlier files of a list. Upload nothing more before the "
    "service's support has said whether that is so"
)


def row_of_replaced_files(
    settings: WesSettings, followed: Followed, replies: Sequence[Probe], came: str
) -> Row:
    """
    Tell what holds if the earlier files of a list have changed since an upload.

    :param replies: to all reads, before the upload and since.
    :param came: the statuses of the uploaded file, in their order.
    """
    says = _what_has_changed(settings, followed, replies)
    return Row(
        applies=bool(says),
        certainty=Certainty.NOT_PROVED,
        text=(f"{says}: {SEEMS_TO_REPLACE}. The uploaded file itself: {came}."),
        is_cause=True,
    )


def _what_has_changed(settings: WesSettings, followed: Followed, replies: Sequence[Probe]) -> str:
    """Tell what became of the earlier files, or of the list's own numbers; empty for nothing."""
    replaced = replaced_files(
        followed.before, followed.places.listed_files, followed.file, settings.statuses
    )
    if replaced is not None:
        return str(replaced)
    before, after = _lists_around(followed, replies)
    if before is None or after is None:
        return ""
    added = coupons_in(followed.file, settings.count_names).added
    fallen = fallen_totals(before.members, after.members, added)
    if not fallen:
        return ""
    return f"Since the upload, the reply of the list has {' and '.join(fallen)}"


def _lists_around(
    followed: Followed, replies: Sequence[Probe]
) -> tuple[Listed | None, Listed | None]:
    """Return the list as it was read last before the upload, and last since; at the same path."""
    if not followed.lists:
        return None, None
    last = followed.lists[-1]
    own_lists = [
        probe
        for probe in replies
        if probe.request.operation is contract.LIST_COUPON_FILES and probe.keys is Keys.OWN
    ]
    before = [
        probe
        for probe in own_lists
        if probe.request.url == last.request.url and probe.question is not Question.FOLLOW
    ]
    if not before:
        return None, None
    return listed_in("", before[-1]), listed_in("", last)
