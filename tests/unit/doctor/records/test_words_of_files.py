"""
What a status means follows from words of its name and its record before coupons added. A word
counts also as a part of another one, such as IMPORTFAILED, but not of one that means something
else, such as PARTNER, FAILOVER and UNBLOCKED; HOLD and HELD count as whole words: THRESHOLD has
none in it.

A word of a reversal (withdrawn, reverted, recalled) means failure, and is open if coupons were
added, unless a reason says that they were taken back or the file was not fetched. A word of a stop
(archived, on hold, quarantined) is open, whatever was added.

A word of a wait for a person (awaiting approval, in review, unconfirmed) means pending, whatever
was added, also beside a word of a stop. So does a member or a note that speaks of an approval to
come, unless the status states an end or a failure, or an approver is named (approved_by);
``requires_approval: true`` alone says nothing. The name AWAITING_APPROVAL counts even if an
approver is named.

A note of a reversal makes a status of no meaning (LIVE) an open failure, and an ``activated`` of 0
an open success; a note "no rows rejected" changes nothing. A note is quoted with 100 characters at
most, with its name. Beside a stop, four numbers are named at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from wes_provider.coupon_files import CountNames
from wes_provider.doctor.records.meanings import Meaning, Means, meaning_of
from wes_provider.doctor.replies.files import file_of


class Worded(NamedTuple):
    """
    A status, what its file has besides, what it means, and what is quoted of it.

    :ivar is_open: whether the support has to confirm it.
    """

    status: str
    more: Mapping[str, Any]
    means: Means
    says: str
    is_open: bool = False


def meaning_with(status: str, more: Mapping[str, Any]) -> Meaning:
    """What a status means, with what its file has besides."""
    file = file_of({"_id": "a", "status": status, **more})
    assert file is not None
    return meaning_of(file, CountNames())


ADDED = {"coupons_added": 5}
BADLY, PERSON = "speaks of a failure", "it waits for a person: "
STOP = "name of a stop or of an end"
TO_APPROVE = {"approval": {"needed_from": "Jo"}}
NEEDED = "approval.needed_from is 'Jo'"
FROM_COUPONS = "5 coupons added"
WORDED = [
    # Reversals.
    Worded("ROLLED_BACK", ADDED, Means.FAILURE, BADLY, is_open=True),
    Worded(
        "ROLLED_BACK", {**ADDED, "note": "rolled back by jo"}, Means.FAILURE, "by jo'", is_open=True
    ),
    Worded("Withdrawn", ADDED, Means.FAILURE, BADLY, is_open=True),
    Worded("Withdrawn", {"coupons_added": 1}, Means.FAILURE, BADLY, is_open=True),
    Worded("RECALLED", ADDED, Means.FAILURE, BADLY, is_open=True),
    Worded("REVERTED", {}, Means.FAILURE, BADLY),
    Worded("REVERSED", {}, Means.FAILURE, BADLY),
    Worded("REVOKED", {}, Means.FAILURE, BADLY),
    Worded("RESCINDED", {}, Means.FAILURE, BADLY),
    Worded("CANCELLED", {}, Means.FAILURE, BADLY),
    Worded("UNDONE", {}, Means.FAILURE, BADLY),
    Worded("STORNIERT", {}, Means.FAILURE, BADLY),
    Worded("REVERTED", {**ADDED, "reason": "rolled back"}, Means.FAILURE, "names 'rolled back'"),
    Worded("REVERTED", {**ADDED, "reason": "download failed"}, Means.FAILURE, "names 'download"),
    # Stops.
    Worded("ARCHIVED", ADDED, Means.FAILURE, STOP, is_open=True),
    Worded("ON_HOLD", ADDED, Means.FAILURE, STOP, is_open=True),
    Worded("ON_HOLD", {}, Means.FAILURE, STOP, is_open=True),
    Worded("Quarantined", ADDED, Means.FAILURE, STOP, is_open=True),
    Worded("THRESHOLD_MET", ADDED, Means.SUCCESS, FROM_COUPONS),
    # Notes and numbers.
    Worded(
        "LIVE", {**ADDED, "comment": "Revoked on Monday"}, Means.FAILURE, "Revoked", is_open=True
    ),
    Worded("LIVE", {**ADDED, "remark": "now revoked"}, Means.FAILURE, "revoked", is_open=True),
    Worded("LIVE", {**ADDED, "note": "put on hold"}, Means.FAILURE, "on hold", is_open=True),
    Worded("LIVE", {**ADDED, "note": "voided by Jo"}, Means.FAILURE, "voided", is_open=True),
    Worded("LIVE", {**ADDED, "comment": "no rows rejected"}, Means.SUCCESS, FROM_COUPONS),
    Worded("LIVE", {**ADDED, "comment": "was not revoked"}, Means.SUCCESS, FROM_COUPONS),
    Worded(
        "LIVE",
        {**ADDED, "note": "not revoked at first, and on Monday revoked"},
        Means.FAILURE,
        "on Monday revoked",
        is_open=True,
    ),
    Worded("LIVE", {**ADDED, "seen": 7}, Means.SUCCESS, FROM_COUPONS),
    Worded("LIVE", {**ADDED, "activated": 0}, Means.SUCCESS, "activated is 0", is_open=True),
    Worded("LIVE", {**ADDED, "note": "sent to coupon holders"}, Means.SUCCESS, FROM_COUPONS),
    Worded("LIVE", {**ADDED, "note": "duplicates avoided"}, Means.SUCCESS, FROM_COUPONS),
    Worded("LIVE", {**ADDED, "note": "unarchived by Jo"}, Means.SUCCESS, FROM_COUPONS),
    Worded(
        "LIVE",
        {"imported": 5, "active": {"activated": 0}},
        Means.SUCCESS,
        "active.activated is 0",
        is_open=True,
    ),
    # Waits for a person.
    Worded("AWAITING_APPROVAL", ADDED, Means.PENDING, f"{PERSON}the name AWAITING_APPROVAL"),
    Worded("AWAITING_APPROVAL", {**ADDED, "approved_by": "Jo"}, Means.PENDING, PERSON),
    Worded("IN_REVIEW", {}, Means.PENDING, PERSON),
    Worded("IN_REVIEW", ADDED, Means.PENDING, PERSON),
    Worded("UNCONFIRMED", ADDED, Means.PENDING, PERSON),
    Worded("STAGE_2", TO_APPROVE, Means.PENDING, NEEDED),
    Worded("STAGE_2", {**ADDED, **TO_APPROVE}, Means.PENDING, NEEDED),
    Worded("STAGE_2", {"release": {"state": "pending"}}, Means.PENDING, "release.state is"),
    Worded("STAGE_2", {"note": "waits for sign-off by Jo"}, Means.PENDING, "sign-off by Jo"),
    Worded(
        "STAGE_2", {**ADDED, "note": "waits for sign-off by Jo"}, Means.PENDING, "sign-off by Jo"
    ),
    Worded("LIVE", {**ADDED, "requires_approval": "yes"}, Means.PENDING, "is 'yes'"),
    Worded("LIVE", {**ADDED, **TO_APPROVE, "approved_by": ""}, Means.PENDING, NEEDED),
    Worded("ARCHIVED", {**ADDED, **TO_APPROVE}, Means.PENDING, NEEDED),
    Worded("APPROVED", ADDED, Means.SUCCESS, FROM_COUPONS),
    Worded("LIVE", {**ADDED, "requires_approval": True}, Means.SUCCESS, FROM_COUPONS),
    Worded("LIVE", {**ADDED, **TO_APPROVE, "approved_by": "Jo"}, Means.SUCCESS, FROM_COUPONS),
    Worded("IMPORTED", {**ADDED, **TO_APPROVE}, Means.SUCCESS, "coupons were added"),
    Worded("REVERTED", TO_APPROVE, Means.FAILURE, BADLY),
    Worded("REVIEW_DECLINED", {}, Means.FAILURE, BADLY),
]


@pytest.mark.parametrize("row", WORDED, ids=[f"{row.status} {row.more}" for row in WORDED])
def test_a_statuss_meaning_follows_from_words_of_its_name_or_record_before_coupons_added(
    row: Worded,
):
    meaning = meaning_with(row.status, row.more)
    assert (meaning.means, meaning.is_open) == (row.means, row.is_open), meaning
    assert row.says in meaning.why


# Words that have a word of a failure, a stop or a wait in them, and mean something else.
OTHER_WORDS = (
    "AIRDROPPED APPENDED BEFEHL_OK BROKERED CANCELLABLE CLOCKED_IN COMPOUNDOK CONSENT_BACKED_UP "
    "COUNTERPART_OK COUPONHOLDER DEPARTED DEPARTMENT_LOADED DEPENDENT_OK DETERMINATION_MADE "
    "EMPFEHLUNG_OK ERRORLESS EXPENDED FAILOVER_OK FAILSAFE FEHLERFREI FLOCKED IMPARTIAL "
    "INDEPENDENT_OK INDETERMINATE IRREVERSIBLE NONSTOP NON_STOP PARTITIONED PARTNER_OK "
    "PAYROLL_BACKED_UP REMOVABLE SKILLED SPARTAN STORNIERBAR ST_CHRISTOPHER THIRD_PARTY "
    "UNARCHIVED UNBLOCKED UNDOCUMENTED UNFROZEN UNLOCKED UNPAUSED UNREJECTED UNSKILLED "
    "UNSUSPENDED UPSKILLED WITHDRAWABLE"
).split()


@pytest.mark.parametrize("status", OTHER_WORDS)
def test_a_word_of_a_failure_a_stop_or_a_wait_says_nothing_within_a_word_of_another_meaning(
    status: str,
):
    meaning = meaning_with(status, ADDED)
    assert (meaning.means, meaning.is_open) == (Means.SUCCESS, False), meaning
    assert FROM_COUPONS in meaning.why


FAILURES = (
    "AUTOCANCELLED AUTOUNDO BROKEN EINGABEFEHLER FAILOVER_FAILED IMPORTERROR IMPORTFAILED "
    "IMPORTSTOP IMPORTUNDONE IN_PART JOBPARTIAL NODETERMINATED NOT_ABLE PARTIALLY_FAILED PARTIELL "
    "PARTIMPORTED PARTLY_LOADED PARTNER_REJECTED PART_IMPORTED PROCESSKILLED RUNFAILED RUN_VOIDED "
    "SENT_BACK STOPPED TEMPFEHLER TIMED_OUT TURNED_DOWN UNDO"
).split()


@pytest.mark.parametrize("status", FAILURES)
def test_a_word_of_a_failure_counts_beside_and_within_other_words(status: str):
    meaning = meaning_with(status, {})
    assert meaning.means is Means.FAILURE
    assert BADLY in meaning.why


STOPS = "FILEBLOCKED FILEONHOLD JOBLOCKED LOCKED ONHOLD PDFLOCKED RUNPAUSED RUN_HELD".split()


@pytest.mark.parametrize("status", STOPS)
def test_a_word_of_a_stop_counts_beside_and_within_other_words(status: str):
    meaning = meaning_with(status, ADDED)
    assert meaning.is_open
    assert STOP in meaning.why


class Quoted(NamedTuple):
    """What a file has besides its status, and why that means something."""

    name: str
    more: Mapping[str, Any]
    why: str


QUOTED = [
    Quoted(
        "a note of 100 characters with its name",
        {**ADDED, "comment": f"Revoked {'x' * 83}"},
        f"5 coupons added, but the service notes 'comment: Revoked {'x' * 83}'",
    ),
    Quoted(
        "a note of 101 characters with its name",
        {**ADDED, "comment": f"Revoked {'x' * 84}"},
        f"5 coupons added, but the service notes 'comment: Revoked {'x' * 82}…'",
    ),
]


@pytest.mark.parametrize("row", QUOTED, ids=[row.name for row in QUOTED])
def test_a_note_is_quoted_with_100_characters_at_most(row: Quoted):
    assert meaning_with("LIVE", row.more).why == row.why


def test_beside_a_stop_four_numbers_are_named_at_most():
    meaning = meaning_with("SUSPENDED", {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5})
    assert meaning.why == (
        "SUSPENDED may be the name of a stop or of an end, whatever its numbers are (a is 1, b is "
        "2, c is 3, d is 4)"
    )
