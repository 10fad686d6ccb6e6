"""Numbers of files that may both count coupons added, and disagree. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.records.meanings import Means, meaning_of
from wes_provider.doctor.replies.files import (
    is_total,
    left_out,
    name_of_added,
    rivals_in,
    status_of,
)
from wes_provider.models import CouponFile
from wes_provider.texts import shown

__all__ = ["Dispute", "dispute_of"]

MOST_NAMES: Final = 3
MOST_STATUSES: Final = 8  # that are named


class Dispute(NamedTuple):
    """
    Numbers that may all count coupons added, and do not agree.

    :ivar names: of the numbers, the one that was taken for the count first, if one was.
    :ivar files: one of each status, with all the numbers.
    """

    names: Sequence[str]
    files: Sequence[CouponFile]

    @property
    def says(self) -> str:
        """The numbers by status, and with which statuses only some are 0, as sentences."""
        names = "/".join(shown(name, quoted=False) for name in self.names)
        by_status = ", ".join(map(self._numbers_of, self.files[:MOST_STATUSES]))
        zeros = "".join(map(self._zero_says, self.names))
        return (
            f"Which number counts coupons added is open. {names}: {by_status}{zeros}. Confirm with "
            "the service's support which one does, and name it in coupon_file_counts."
        )

    def _numbers_of(self, file: CouponFile) -> str:
        numbers = "/".join(str(file.counts[name]) for name in self.names)
        return f"{_title_of(file)} {numbers}"

    def _zero_says(self, name: str) -> str:
        """Tell with which statuses a number is 0 and another one is not, as part of a sentence."""
        statuses = [_title_of(file) for file in self.files if self._has_zero(file, name)]
        if not statuses:
            return ""
        return f"; {shown(name, quoted=False)} is 0 with {', '.join(statuses[:MOST_STATUSES])}"

    def _has_zero(self, file: CouponFile, name: str) -> bool:
        others = [file.counts[other] for other in self.names if other != name]
        return file.counts[name] == 0 and max(others) > 0


def dispute_of(
    files: Sequence[CouponFile], names: CountNames, statuses: Statuses
) -> Dispute | None:
    """
    Find numbers of files that may count coupons added, and disagree; ``None`` if there are none, or
    if the connection names the one that counts.

    :param statuses: of the connection: a file that failed may have any total.
    """
    if names.added:
        return None
    for file in files:
        rivals = _disagreeing(file, files, names, statuses)
        if len(rivals) > 1:
            return Dispute(rivals, _one_of_each_status(files, rivals))
    return None


def _disagreeing(
    file: CouponFile, files: Sequence[CouponFile], names: CountNames, statuses: Statuses
) -> list[str]:
    """Return the numbers of a file that may count the same and differ in any file."""
    rivals = rivals_in(file)
    added = name_of_added(file, names) or next(iter(rivals), "")
    others = [
        name for name in rivals if name != added and _differ_in_any(added, name, files, statuses)
    ]
    return [added, *others][:MOST_NAMES]


def _differ_in_any(added: str, other: str, files: Iterable[CouponFile], statuses: Statuses) -> bool:
    having = [file for file in files if {added, other} <= file.counts.keys()]
    return any(_differ(added, other, file, statuses) for file in having)


def _differ(added: str, other: str, file: CouponFile, statuses: Statuses) -> bool:
    """
    Tell whether two numbers of a file differ, and nothing else in it explains that: coupons that
    were left out, or that its end leaves a total as it is.
    """
    difference = file.counts[other] - file.counts[added]
    if difference == 0:
        return False
    if is_total(other) and _leaves_total(file, added, statuses):
        return False
    return difference != left_out(file)


def _leaves_total(file: CouponFile, added: str, statuses: Statuses) -> bool:
    """Tell whether a file failed without any coupon, or is on its way, as its status has it."""
    has_failed = statuses.failed(file.status) or bool(file.reason)
    if has_failed and file.counts[added] == 0:
        return True
    if statuses.succeeded(file.status):
        return False
    is_on_its_way = meaning_of(file, CountNames(added)).means is Means.PENDING
    return statuses.is_pending(file.status) or is_on_its_way


def _one_of_each_status(files: Iterable[CouponFile], names: Sequence[str]) -> list[CouponFile]:
    """Return a file of each status, of each the first; if those agree, the first that does not."""
    having = [file for file in files if set(names) <= file.counts.keys()]
    first: dict[str, CouponFile] = {}
    for file in having:
        first.setdefault(status_of(file), file)
    if any(_is_split(file, names) for file in first.values()):
        return list(first.values())
    split = {status_of(file): file for file in reversed(having) if _is_split(file, names)}
    return list({**first, **split}.values())


def _is_split(file: CouponFile, names: Sequence[str]) -> bool:
    return len({file.counts[name] for name in names}) > 1


def _title_of(file: CouponFile) -> str:
    return shown(status_of(file) or file.id, quoted=False)
