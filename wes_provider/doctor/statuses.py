"""
What a status that the provider does not know may mean, and how sure that is. Pure.

A status that lasts may be a stage on the way, and a number may count anything. So a status means success for sure only
if its name states an end, the service counts coupons that were added, and nothing in the record speaks against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from wes_provider.doctor.listing import complaint_of, counts_of
from wes_provider.models import CouponFile
from wes_provider.polling import CountNames, CouponCounts, words_of

__all__ = ["Meaning", "counts_named", "doubt_about", "meaning_of"]

_SUCCESS: Final = frozenset(
    "ADDED COMPLETE COMPLETED DONE FINALIZED FINISHED IMPORTED INGESTED INSERTED LOADED OK PROCESSED SUCCEEDED SUCCESS "
    "SUCCESSFUL SUCCESSFULLY".split()
)
_FAILURE: Final = frozenset(
    "ABORTED BROKEN CANCELED CANCELLED ERROR EXPIRED FAILED FAILURE INVALID REJECTED UNSUCCESSFUL".split()
)
_NOUNS: Final = frozenset("ALL COUPON COUPONS FILE FILES FULLY IMPORT JOB LOAD PROCESS PROCESSING UPLOAD".split())
_FAILS: Final = re.compile(
    r"ABORT|BROKE|CANCEL|DENIED|ERROR|EXPIRE|FAIL|INCOMPLETE|INVALID|\bNOT|NOT_|PART|REJECT|STOP|TIME.?OUT|UNSUCC"
)
_ON_THE_WAY: Final = re.compile(r"ING\b|ING_|PEND|QUEUE|RECEIVED|SCHEDULE|STAGED|START|SUBMITTED|VALIDATED|WAIT")
_BAD_COUNTS: Final = frozenset("bad error errors fail failed failure failures invalid rejected rejects".split())


@dataclass(frozen=True)
class Meaning:
    """
    What a status means.

    :ivar kind: the set of statuses that it belongs to, as far as the record shows.
    :ivar sure: whether nothing else can have caused what was seen.
    :ivar why: what speaks for it, or why it is not sure.
    """

    kind: Literal["success", "failure", "pending"]
    sure: bool
    why: str


def counts_named(record: Mapping[str, Any], names: CountNames) -> CouponCounts:
    """How many coupons a record counts as added and as duplicates, as the provider finds the counts."""
    return names.read([CouponFile("", counts=tuple(counts_of(record).items()))])


def doubt_about(record: Mapping[str, Any], names: CountNames) -> str:
    """What in a record speaks against success, in a few words; empty if nothing does."""
    for name, count in counts_of(record).items():
        if count > 0 and _BAD_COUNTS & words_of(name):
            return f"{name} is {count}"
    if complaint := complaint_of(record):
        return f"the record says {complaint[:100]!r}"
    counts = counts_named(record, names)
    # A file may be fine, and all its coupons may be in the list already.
    return "no coupon was added" if counts.added == 0 and not counts.duplicates else ""


def meaning_of(
    status: str, record: Mapping[str, Any], names: CountNames, others: Iterable[Mapping[str, Any]] = ()
) -> Meaning:
    """
    What a status means that a file has kept for a while.

    :param status: in capitals.
    :param record: the record of the file.
    :param names: the names of the counts.
    :param others: further records of files with this status.
    """
    words = set(re.findall(r"[^\W_]+", status))
    names_an_end = words <= _SUCCESS | _NOUNS and bool(words & _SUCCESS)
    doubt = doubt_about(record, names)
    added = max((counts_named(item, names).added or 0 for item in (record, *others)), default=0)
    names_a_failure = words <= _FAILURE | _NOUNS and bool(words & _FAILURE)
    if names_a_failure and (complaint := complaint_of(record)) and not counts_named(record, names).added:
        return Meaning("failure", True, complaint[:100])
    if _FAILS.search(status):
        return Meaning("failure", False, "its name speaks of a failure" + (f", and {doubt}" if doubt else ""))
    if _ON_THE_WAY.search(status) and not names_an_end:
        return Meaning("pending", False, "its name speaks of a file that is on its way")
    if doubt:
        return Meaning("failure", False, doubt)
    if added <= 0:
        return Meaning("success", False, "no count shows that coupons were added")
    if not names_an_end:
        return Meaning("success", False, "coupons were added, but its name may be that of a stage on the way")
    return Meaning("success", True, f"{added} coupons were added" if added > 1 else "1 coupon was added")
