"""
Against a success speaks the first of these that a file has: bad rows, if they are as many as the
coupons added or more, or beside a reason or a word of failure; a reason; a note that undoes it
("Revoked.", not "Not revoked."), in a property that is one for notes; no coupon added, unless there
are duplicates. Without any count, nothing speaks against it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.records.meanings import (
    doubt_about,
)
from wes_provider.doctor.replies.files import file_of
from wes_provider.models import CouponFile

NO_NAMES = CountNames()


def file(status: str, number: int = 1, /, reason: str = "", **counts: int) -> CouponFile:
    return CouponFile(f"f{number}", status=status, counts=dict(counts), reason=reason)


def recorded(status: str, **members: Any) -> CouponFile:
    """A file as its record has it, with what the provider does not read."""
    found = file_of({"_id": "f1", "status": status, **members})
    assert found is not None
    return found


class Doubt(NamedTuple):
    """A file, and what speaks against its success."""

    name: str
    file: CouponFile
    doubt: str


DOUBTS = [
    Doubt("coupons added", file("DONE", coupons_added=5), ""),
    Doubt("no coupon added", file("DONE", coupons_added=0), "no coupon was added"),
    Doubt("no count", file("DONE"), ""),
    Doubt("all coupons are duplicates", file("DONE", coupons_added=0, duplicates=3), ""),
    Doubt("fewer bad rows than coupons", file("DONE", coupons_added=5, rejected=4), ""),
    Doubt(
        "as many bad rows as coupons", file("DONE", coupons_added=5, rejected=5), "rejected is 5"
    ),
    Doubt(
        "fewer bad rows than coupons, and a word of failure",
        file("PARTLY_FAILED", coupons_added=5, rejected=4),
        "rejected is 4",
    ),
    Doubt(
        "fewer bad rows than coupons, and a reason",
        file("DONE", reason="bad", coupons_added=5, rejected=4),
        "rejected is 4",
    ),
    Doubt(
        "no bad row, and a reason",
        file("DONE", reason="bad", rejected=0),
        "the service names 'bad'",
    ),
    Doubt(
        "a note that undoes it",
        recorded("DONE", note="Revoked."),
        "the service notes 'note: Revoked.'",
    ),
    Doubt("a note that it was not undone", recorded("DONE", note="Not revoked."), ""),
    Doubt(
        "a note that it was undone, and nothing else",
        recorded("DONE", note="Revoked. Nothing else was revoked."),
        "the service notes 'note: Revoked. Nothing else was revoked.'",
    ),
    Doubt("a word that undoes it in another property", recorded("DONE", owner="Revoked."), ""),
]


@pytest.mark.parametrize("row", DOUBTS, ids=ids(DOUBTS))
def test_bad_rows_a_reason_a_note_or_no_coupon_speak_against_a_success(row: Doubt):
    """A few bad rows speak against it only beside a reason or a word of failure."""
    assert doubt_about(row.file, NO_NAMES) == row.doubt
