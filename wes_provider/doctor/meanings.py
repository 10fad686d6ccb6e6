"""What a status that the provider does not know means, by what its file has. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import (
    BAD_COUNTS,
    DUPLICATES,
    count_names,
    has_any,
    status_of,
    unknown_counts,
)
from wes_provider.models import CouponFile
from wes_provider.texts import counted, shown

__all__ = [
    "Meaning",
    "Means",
    "doubt_about",
    "meaning_of",
    "most_added_of_each",
    "telling_names",
]

# Words of statuses.
SUCCESS: Final = set(
    "ADDED COMPLETE COMPLETED DONE FINALIZED FINISHED IMPORTED INGESTED INSERTED LOADED OK "
    "PROCESSED SUCCEEDED SUCCESS SUCCESSFUL SUCCESSFULLY".split()
)
NOUNS: Final = set(
    "ALL COUPON COUPONS FILE FILES FULLY IMPORT JOB LOAD PROCESS PROCESSING UPLOAD".split()
)
# Parts of statuses.
FAILS: Final = (
    "ABORT BROKE CANCEL DENIED UNSUCC ERROR EXPIRE FAIL INCOMPLETE INVALID NOT_ PART REJECT STOP "
    "TIMEOUT TIMED_OUT"
).split()
ON_THE_WAY: Final = "ING_ PEND QUEUE RECEIVED SCHEDULE STAGED START SUBMIT VALIDATED WAIT".split()


NONE_ADDED: Final = "no coupon was added"


class Means(Enum):
    """What a status can mean; the values are the lists of the extra ``coupon_file_statuses``."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"


class Meaning(NamedTuple):
    """
    What a status means.

    :ivar sure: whether nothing else can have caused what was seen.
    :ivar is_supported: whether anything but the lack of a doubt speaks for it.
    :ivar is_partial: whether coupons were added although something speaks of a failure, so that
        only people know what tasks should do with it.
    :ivar is_unclear: whether a number speaks for coupons added if it counts them, which is open.
    """

    means: Means
    sure: bool
    why: str
    is_supported: bool = True
    is_partial: bool = False
    is_unclear: bool = False

    @property
    def is_open(self) -> bool:
        """Whether no setting follows from it, though something was seen."""
        return self.is_partial or self.is_unclear


def doubt_about(file: CouponFile, names: CountNames) -> str:
    """Say in a few words what speaks against a file's success; empty if nothing does."""
    for name, count in file.counts.items():
        if count > 0 and has_any(BAD_COUNTS, name.lower()):
            return f"{name} is {count}"
    if file.reason:
        return _reason_says(file)
    added, duplicates = count_names(file, names).read([file])
    # A file may be fine, and all its coupons may be in the list already.
    if added == 0 and not duplicates:
        return NONE_ADDED
    return ""


def telling_names(files: Iterable[CouponFile], names: CountNames) -> CountNames:
    """
    Find a count that tells statuses apart, if those that are set do not fit: one that is above 0
    for some statuses, and 0 for the others, may count coupons added, whatever it is called.

    :return: the names as they are, if there is no such count, or if two of them contradict, or
        another number is above 0 where it is 0.
    """
    files = list(files)
    if any(count_names(file, names).read([file])[0] is not None for file in files):
        return names
    splits = _statuses_apart(files)
    if len(set(splits.values())) != 1:
        return names
    name = next(iter(splits))
    if any(_has_only_others(file, name) for file in files):
        return names
    return CountNames(name, names.duplicates)


def _has_only_others(file: CouponFile, name: str) -> bool:
    """Tell whether a count of a file is 0 while another number speaks for coupons added."""
    others = [number for other, number in unknown_counts(file).items() if other != name]
    return file.counts.get(name) == 0 and max(others, default=0) > 0


def _statuses_apart(files: Sequence[CouponFile]) -> dict[str, frozenset[str]]:
    """Find the counts that some statuses have above 0 and others have at 0, and which have them."""
    splits: dict[str, frozenset[str]] = {}
    for name in dict.fromkeys(name for file in files for name in file.counts):
        if has_any((*BAD_COUNTS, *DUPLICATES), name.lower()):
            continue
        with_it = [file for file in files if name in file.counts]
        having = frozenset(status_of(file) for file in with_it if file.counts[name] > 0)
        if having and having < {status_of(file) for file in with_it}:
            splits[name] = having
    return splits


def meaning_of(
    file: CouponFile,
    names: CountNames,
    others: Iterable[CouponFile] = (),
) -> Meaning:
    """
    Judge the status of a file that the provider does not know.

    A status that lasts may be a stage on the way, and a number may count anything. So a status
    definitely means success only if its name states an end, coupons were added, and nothing that
    the file has speaks against it. That no coupon was added speaks for a failure only if another
    file added some.

    :param names: of the counts, such as :func:`telling_names` finds them.
    :param others: further files of the list; those with the same status may have added coupons.
    """
    others = list(others)
    parts = re.findall(r"[^\W_]+", status_of(file))
    name = "_".join((*parts, ""))
    status = shown(status_of(file), quoted=False)
    doubt = doubt_about(file, names)
    added = _most_added([file, *_alike(file, others)], names)
    states_an_end = _states_an_end(set(parts))
    fails = has_any(FAILS, name)
    failure = _speaks_of_failure(status, doubt, fails)
    is_bad = doubt not in ("", NONE_ADDED) or bool(file.reason)
    is_partial = _most_added([file], names) > 0 and bool(failure)
    added_elsewhere = _most_added(_unlike(file, others), names) > 0
    numbers = _unknown_numbers(file, names)
    rows = (
        Judged(
            bool(failure) and numbers.are_above_0,
            Meaning(
                Means.FAILURE,
                sure=False,
                why=f"{failure}, but {numbers.says}",
                is_supported=False,
                is_unclear=True,
            ),
        ),
        Judged(
            fails and bool(file.reason) and not added,
            Meaning(Means.FAILURE, sure=True, why=_reason_says(file)),
        ),
        Judged(
            is_partial,
            Meaning(
                Means.FAILURE,
                sure=False,
                why=f"{_added_says(file, others, names)}, but {failure}",
                is_supported=False,
                is_partial=True,
            ),
        ),
        Judged(
            fails,
            Meaning(
                Means.FAILURE,
                sure=False,
                why=f"the name {status} speaks of a failure{_also(doubt)}",
                is_supported=bool(doubt),
            ),
        ),
        Judged(
            has_any(ON_THE_WAY, name) and not states_an_end,
            Meaning(
                Means.PENDING, sure=False, why=f"the name {status} speaks of a file on its way"
            ),
        ),
        Judged(
            bool(doubt),
            Meaning(
                Means.FAILURE,
                sure=False,
                why=f"{_zero_says(names, doubt)}{_count_beside(file, names, doubt)}",
                is_supported=is_bad or added_elsewhere,
            ),
        ),
        Judged(
            bool(numbers.says),
            Meaning(
                Means.SUCCESS, sure=False, why=numbers.says, is_supported=False, is_unclear=True
            ),
        ),
        Judged(
            not added,
            Meaning(
                Means.SUCCESS,
                sure=False,
                why="no count that the provider knows shows that coupons were added",
                is_supported=False,
            ),
        ),
        Judged(
            not states_an_end,
            Meaning(
                Means.SUCCESS,
                sure=False,
                why=f"{_added_says(file, others, names)}, but {status} may be the name of a stage "
                "on the way",
            ),
        ),
        Judged(True, Meaning(Means.SUCCESS, sure=True, why="coupons were added")),
    )
    return next(row.meaning for row in rows if row.applies)


def _speaks_of_failure(status: str, doubt: str, fails: bool) -> str:
    """Tell what speaks of a failure: what the file has, or else its status; empty if nothing."""
    if doubt:
        return doubt
    if fails:
        return f"the name {status} speaks of a failure"
    return ""


def _also(doubt: str) -> str:
    if doubt:
        return f", and {doubt}"
    return ""


class Judged(NamedTuple):
    """A row of the table of meanings: it holds if it applies, and no row above it does."""

    applies: bool
    meaning: Meaning


def most_added_of_each(files: Iterable[CouponFile], names: CountNames) -> list[CouponFile]:
    """Of each status the file that added the most coupons: all that others are compared with."""
    best: dict[str, tuple[int, CouponFile]] = {}
    for file in files:
        added = _most_added([file], names)
        if status_of(file) not in best or added > best[status_of(file)][0]:
            best[status_of(file)] = (added, file)
    return [file for _, file in best.values()]


def _alike(file: CouponFile, others: Iterable[CouponFile]) -> list[CouponFile]:
    """Return the files with the same status."""
    return [other for other in others if status_of(other) == status_of(file)]


def _unlike(file: CouponFile, others: Iterable[CouponFile]) -> list[CouponFile]:
    """Return the files with another status."""
    return [other for other in others if status_of(other) != status_of(file)]


def _most_added(files: Iterable[CouponFile], names: CountNames) -> int:
    """Tell how many coupons a file added at most."""
    added = (count_names(file, names).read([file])[0] or 0 for file in files)
    return max(added, default=0)


class Numbers(NamedTuple):
    """
    The numbers of a file that may count coupons added, while none is known to.

    :ivar says: them, as part of a sentence; empty without any.
    :ivar are_above_0: whether one of them is.
    """

    says: str = ""
    are_above_0: bool = False


def _unknown_numbers(file: CouponFile, names: CountNames) -> Numbers:
    if count_names(file, names).read([file])[0] is not None:
        return Numbers()
    unknown = unknown_counts(file)
    says = ", ".join(f"{shown(name, quoted=False)} is {number}" for name, number in unknown.items())
    return Numbers(says, any(number > 0 for number in unknown.values()))


def _reason_says(file: CouponFile) -> str:
    return f"the service names {shown(file.reason, 100)}"


def _zero_says(names: CountNames, doubt: str) -> str:
    if doubt == NONE_ADDED and names.added:
        return f"{names.added} is 0, and more with another status"
    return doubt


def _count_beside(file: CouponFile, names: CountNames, doubt: str) -> str:
    """Return the count of coupons beside a reason, as the end of a sentence; empty without one."""
    added = count_names(file, names).read([file])[0]
    if not file.reason or doubt != _reason_says(file) or added is None:
        return ""
    return f", and {names.added or 'the count of coupons added'} is {added}"


def _added_says(file: CouponFile, others: Iterable[CouponFile], names: CountNames) -> str:
    """Tell which coupons were added, by the file itself or by one with the same status."""
    of_file = _most_added([file], names)
    alike = [other for other in _alike(file, others) if _most_added([other], names)]
    where = ""
    if not of_file and alike:
        of_file = _most_added(alike[:1], names)
        where = f" in file {shown(alike[0].id, quoted=False)}"
    if names.added:
        return f"{names.added} is {of_file}{where}"
    return f"{counted(of_file, 'coupon')} added{where}"


def _states_an_end(words: set[str]) -> bool:
    return words <= SUCCESS | NOUNS and bool(words & SUCCESS)
