"""
What the words of a file's record say.

The meaning of a status follows from its name before coupons added: a word of a reversal (withdrawn,
recalled) is a failure, and open if coupons were added, one of a stop (archived, on hold,
quarantined) is open, and one of a wait for a person (awaiting approval, in review) is pending. A
note of a reversal, and an ``activated`` of 0, leave a success open; a member or a note that speaks
of an approval to come means pending, unless it has an approver (approved_by), or only says that one
is required. A note is quoted with 100 characters at most, and four numbers are named.

The reason of a failure is the first text for people in a member named after errors, in at most four
arrays or objects of it, a message before a code; not a number, an address, a policy, or the text
"None". A record says which step it is on by a progress below 100, or below 1 as a share, by a step
such as 1/3, or by a number of a stage and how many there are; not by the last step, or by a number
alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    record,
)
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import file_of, step_of
from wes_provider.doctor.findings import Certainty
from wes_provider.doctor.meanings import Means, meaning_of

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED


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


ADDED = {"coupons_added": 5}
BADLY, PERSON = "speaks of a failure", "it waits for a person: "
WORDED = [
    Worded(
        "ROLLED_BACK", {**ADDED, "note": "rolled back by jo"}, Means.FAILURE, "by jo'", is_open=True
    ),
    Worded("Withdrawn", ADDED, Means.FAILURE, BADLY, is_open=True),
    Worded("REVERTED", {}, Means.FAILURE, BADLY),
    Worded("RECALLED", ADDED, Means.FAILURE, BADLY, is_open=True),
    Worded("UNDONE", {}, Means.FAILURE, BADLY),
    Worded("STORNIERT", {}, Means.FAILURE, BADLY),
    Worded("ARCHIVED", ADDED, Means.FAILURE, "name of a stop or of an end", is_open=True),
    Worded("ON_HOLD", ADDED, Means.FAILURE, "name of a stop or of an end", is_open=True),
    Worded("Quarantined", ADDED, Means.FAILURE, "name of a stop or of an end", is_open=True),
    Worded("THRESHOLD_MET", ADDED, Means.SUCCESS, "5 coupons added"),
    Worded(
        "LIVE", {**ADDED, "comment": "Revoked on Monday"}, Means.FAILURE, "Revoked", is_open=True
    ),
    Worded("LIVE", {**ADDED, "comment": "no rows rejected"}, Means.SUCCESS, "5 coupons added"),
    Worded(
        "LIVE",
        {"imported": 5, "active.activated": 0},
        Means.SUCCESS,
        "activated is 0",
        is_open=True,
    ),
    Worded("AWAITING_APPROVAL", ADDED, Means.PENDING, f"{PERSON}the name AWAITING_APPROVAL"),
    Worded("IN_REVIEW", {}, Means.PENDING, PERSON),
    Worded("UNCONFIRMED", ADDED, Means.PENDING, PERSON),
    Worded("STAGE_2", {"approval": {"needed_from": "Jo"}}, Means.PENDING, "needed_from is 'Jo'"),
    Worded("STAGE_2", {"release": {"state": "pending"}}, Means.PENDING, "release.state is"),
    Worded("STAGE_2", {"note": "waits for sign-off by Jo"}, Means.PENDING, "sign-off by Jo"),
    Worded("APPROVED", ADDED, Means.SUCCESS, "5 coupons added"),
    Worded("LIVE", {**ADDED, "requires_approval": True}, Means.SUCCESS, "5 coupons added"),
    Worded(
        "LIVE",
        {**ADDED, "approval": {"needed_from": "Jo"}, "approved_by": "Jo"},
        Means.SUCCESS,
        "5 coupons added",
    ),
    Worded("REVIEW_DECLINED", {}, Means.FAILURE, BADLY),
]


@pytest.mark.parametrize("row", WORDED, ids=[f"{row.status} {row.more}" for row in WORDED])
def test_a_statuss_meaning_follows_from_words_of_its_name_or_record_before_coupons_added(
    row: Worded,
):
    file = file_of({"_id": "a", "status": row.status, **row.more})
    assert file is not None
    meaning = meaning_of(file, CountNames())
    assert (meaning.means, meaning.is_open) == (row.means, row.is_open), meaning
    assert row.says in meaning.why


class Quoted(NamedTuple):
    """What a record has besides its identifier, and why its status means something."""

    name: str
    record: Mapping[str, Any]
    why: str


QUOTED = [
    Quoted(
        "a note of 100 characters with its name",
        {"status": "LIVE", **ADDED, "comment": f"Revoked {'x' * 83}"},
        f"5 coupons added, but the service notes 'comment: Revoked {'x' * 83}'",
    ),
    Quoted(
        "a note of 101 characters with its name",
        {"status": "LIVE", **ADDED, "comment": f"Revoked {'x' * 84}"},
        f"5 coupons added, but the service notes 'comment: Revoked {'x' * 82}…'",
    ),
    Quoted(
        "five numbers, of which four are named",
        {"status": "SUSPENDED", "a": 1, "b": 2, "c": 3, "d": 4, "e": 5},
        "SUSPENDED may be the name of a stop or of an end, whatever its numbers are (a is 1, b is "
        "2, c is 3, d is 4)",
    ),
]


@pytest.mark.parametrize("row", QUOTED, ids=[row.name for row in QUOTED])
def test_a_note_is_quoted_with_100_characters_and_four_numbers_are_named_at_most(row: Quoted):
    file = file_of({"_id": "a", **row.record})
    assert file is not None
    assert meaning_of(file, CountNames()).why == row.why


class Explained(NamedTuple):
    """What a record has that may tell why its file failed, and what is read of it."""

    name: str
    record: Mapping[str, Any]
    reason: str


EXPLAINED = [
    Explained("nothing", {"rows": 3}, ""),
    Explained("a string", {"fehler": "Kein Kopf"}, "fehler: Kein Kopf"),
    Explained("a number of errors", {"errors": 3}, ""),
    Explained("an empty array", {"errors": []}, ""),
    Explained("an array of strings", {"failures": ["No header", "x"]}, "failures: No header"),
    Explained(
        "an array of objects, a message after a code",
        {"error_details": [{"row": 0, "code": "E7", "message": "HTTP 403"}]},
        "error_details: HTTP 403",
    ),
    Explained(
        "the second object has the message",
        {"errors": [{"row": 1}, {"detail": "No column code"}]},
        "errors: No column code",
    ),
    Explained(
        "below another property",
        {"result": {"failures": [{"code": "E7"}]}},
        "result.failures: E7",
    ),
    Explained(
        "a message before a code beside it",
        {"failure": {"code": "E7", "message": "No header"}},
        "failure.message: No header",
    ),
    Explained("an address of errors", {"error_report": "https://files.example.com/e"}, ""),
    Explained("where errors are", {"links": {"errors": "see page 4"}}, ""),
    Explained("what is done about errors", {"error_policy": "skip"}, ""),
    Explained("None as a text", {"error_text": "None."}, ""),
    Explained("in four arrays", {"errors": [[[["No header"]]]]}, "errors: No header"),
    Explained("in five arrays", {"errors": [[[[["No header"]]]]]}, ""),
]


@pytest.mark.parametrize("row", EXPLAINED, ids=[row.name for row in EXPLAINED])
def test_the_reason_of_a_failure_is_the_first_text_for_people_in_a_member_named_after_errors(
    row: Explained,
):
    file = file_of({"_id": "a", "status": "FAILED", **row.record})
    assert file is not None
    assert file.reason == row.reason


class Progress(NamedTuple):
    """Members of a record, and what they say of a step; empty for nothing."""

    name: str
    members: Mapping[str, Any]
    says: str


PROGRESS = [
    Progress("percent", {"progress": 40}, "progress is 40"),
    Progress("nothing yet", {"percent_complete": 0}, "percent_complete is 0"),
    Progress("a share", {"progress": 0.5}, "progress is 0.5"),
    Progress("all, as a share", {"progress": 1.0}, ""),
    Progress("all, as a whole share", {"progress": 1}, ""),
    Progress("all", {"progress": 100}, ""),
    Progress("below another member", {"job": {"percentage": 99}}, "job.percentage is 99"),
    Progress("one of three", {"step": "1/3"}, "step is 1/3"),
    Progress("three of three", {"step": "3 of 3"}, ""),
    Progress("no step", {"voucher": "1/3"}, ""),
    Progress("numbers", {"stage_no": 1, "stages": 3}, "stage_no is 1, and stages is 3"),
    Progress("the last one", {"stage_no": 3, "stages": 3}, ""),
    Progress("a total", {"phase": 1, "total_phases": 2}, "phase is 1, and total_phases is 2"),
    Progress("a number alone", {"stage_no": 1}, ""),
    Progress("yes or no", {"progress": False}, ""),
]


@pytest.mark.parametrize("row", PROGRESS, ids=[row.name for row in PROGRESS])
def test_members_of_a_record_say_which_step_it_is_on_unless_it_is_the_last(row: Progress):
    file = file_of(record("up", "PROCESSED", **row.members))
    assert file is not None
    assert step_of(file) == row.says
