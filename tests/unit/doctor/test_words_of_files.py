"""
What a status means follows from words of its name and its record before coupons added.

A word of a reversal (withdrawn, reverted, recalled) means failure, and is open if coupons were
added. A word of a stop (archived, on hold, quarantined) is open; THRESHOLD has none in it. A word
of a wait for a person (awaiting approval, in review, unconfirmed) means pending, whatever was
added, and so does a member or a note that speaks of an approval to come; not if an approver is
named (approved_by), or if an approval is only required. A note of a reversal makes a status of no
meaning (LIVE) an open failure, and an ``activated`` of 0 an open success; a note "no rows rejected"
changes nothing. A note is quoted with 100 characters at most, with its name, and four numbers are
named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from wes_provider.coupon_files import CountNames
from wes_provider.doctor.files import file_of
from wes_provider.doctor.meanings import Means, meaning_of


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
