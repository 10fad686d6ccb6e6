"""What a status that the provider does not know means, by what its file has. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import Final, NamedTuple

from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import BAD_COUNTS, count_names, has_any, status_of
from wes_provider.models import CouponFile

__all__ = ["Meaning", "Means", "doubt_about", "meaning_of"]

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


class Means(Enum):
    """What a status can mean; the values are the lists of the extra ``coupon_file_statuses``."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"


class Meaning(NamedTuple):
    """What a status means; whether nothing else can have caused what was seen; and why."""

    means: Means
    sure: bool
    why: str


def doubt_about(file: CouponFile, names: CountNames) -> str:
    """Say in a few words what speaks against a file's success; empty if nothing does."""
    for name, count in file.counts.items():
        if count > 0 and has_any(BAD_COUNTS, name.lower()):
            return f"{name} is {count}"
    if file.reason:
        return f"the file's record says: {file.reason[:100]}"
    added, duplicates = count_names(file, names).read([file])
    # A file may be fine, and all its coupons may be in the list already.
    if added == 0 and not duplicates:
        return "no coupon was added"
    return ""


def meaning_of(file: CouponFile, names: CountNames, others: Iterable[CouponFile] = ()) -> Meaning:
    """
    Judge the status of a file that the provider does not know.

    A status that lasts may be a stage on the way, and a number may count anything. So a status
    definitely means success only if its name states an end, coupons were added, and nothing that
    the file has speaks against it.

    :param others: further files of the list; those with the same status may have added coupons.
    """
    parts = re.findall(r"[^\W_]+", status_of(file))
    name = "_".join((*parts, ""))
    doubt = doubt_about(file, names)
    added = _most_added(file, names, others)
    states_an_end = _states_an_end(set(parts))
    fails = has_any(FAILS, name)
    also = f", and {doubt}" if doubt else ""
    rows = (
        Judged(
            fails and bool(file.reason) and not added,
            Meaning(Means.FAILURE, sure=True, why=file.reason[:100]),
        ),
        Judged(
            fails,
            Meaning(Means.FAILURE, sure=False, why=f"its name speaks of a failure{also}"),
        ),
        Judged(
            has_any(ON_THE_WAY, name) and not states_an_end,
            Meaning(Means.PENDING, sure=False, why="its name speaks of a file on its way"),
        ),
        Judged(bool(doubt), Meaning(Means.FAILURE, sure=False, why=doubt)),
        Judged(
            not added,
            Meaning(
                Means.SUCCESS,
                sure=False,
                why="no count that the provider knows shows that coupons were added",
            ),
        ),
        Judged(
            not states_an_end,
            Meaning(
                Means.SUCCESS,
                sure=False,
                why="coupons were added, but its name may be that of a stage on the way",
            ),
        ),
        Judged(True, Meaning(Means.SUCCESS, sure=True, why="coupons were added")),
    )
    return next(row.meaning for row in rows if row.applies)


class Judged(NamedTuple):
    """A row of the table of meanings: it holds if it applies, and no row above it does."""

    applies: bool
    meaning: Meaning


def _most_added(file: CouponFile, names: CountNames, others: Iterable[CouponFile]) -> int:
    """How many coupons a file added, or another one with the same status."""
    alike = [file, *(other for other in others if status_of(other) == status_of(file))]
    return max(count_names(other, names).read([other])[0] or 0 for other in alike)


def _states_an_end(words: set[str]) -> bool:
    return words <= SUCCESS | NOUNS and bool(words & SUCCESS)
