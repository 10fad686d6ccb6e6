"""
A file waits for a person if its status says so (AWAITING_APPROVAL), or a property does: who has to
act, a word such as "pending" under one like approval, a name such as approval_required with a text,
or a note. What says so is quoted. It waits for none if its status is an end or a failure, if
somebody has acted (approved_by has a value), if the property has "none" or an empty array, if what
is required is only true or a number, or if the property or the note is about something else. What a
person has to do follows from the status: it has to be approved, reviewed or released, and else
handled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.doctor.records.meanings import (
    person_says,
    what_to_have_done,
)
from wes_provider.doctor.replies.files import file_of
from wes_provider.models import CouponFile


def recorded(status: str, **members: Any) -> CouponFile:
    """A file as its record has it, with what the provider does not read."""
    found = file_of({"_id": "f1", "status": status, **members})
    assert found is not None
    return found


class Person(NamedTuple):
    """The status and other members of a record, and what says that a person has to act."""

    name: str
    status: str
    members: Mapping[str, Any]
    says: str


WAITS = [
    Person("by its status", "AWAITING_APPROVAL", {}, "the name AWAITING_APPROVAL says so"),
    Person(
        "by its status and who has to act",
        "AWAITING_APPROVAL",
        {"waiting_for": "anna"},
        "the name AWAITING_APPROVAL says so and waiting_for is 'anna'",
    ),
    Person("by who has to act", "HELD", {"waiting_for": "anna"}, "waiting_for is 'anna'"),
    Person("by a word", "HELD", {"approval": "pending"}, "approval is 'pending'"),
    Person(
        "by a name and a word",
        "HELD",
        {"approval_required": "by anna"},
        "approval_required is 'by anna'",
    ),
    Person("by a note", "HELD", {"note": "Waits for approval"}, "note is 'Waits for approval'"),
    Person(
        "by a property, while nobody has approved it",
        "HELD",
        {"approval": "pending", "approved_by": None},
        "approval is 'pending'",
    ),
]
WAITS_NOT = [
    Person("an end", "DONE", {"waiting_for": "anna"}, ""),
    Person("a failure", "APPROVAL_FAILED", {"waiting_for": "anna"}, ""),
    Person("it was approved", "HELD", {"approval": "pending", "approved_by": "anna"}, ""),
    Person("nobody", "HELD", {"waiting_for": "none"}, ""),
    Person("no list of persons", "HELD", {"waiting_for": []}, ""),
    Person("what is required is true", "HELD", {"approval_required": True}, ""),
    Person("what is required is a number", "HELD", {"approval_required": 1}, ""),
    Person("a property that is another's", "HELD", {"name": "pending review.csv"}, ""),
    Person("a note about something else", "HELD", {"note": "Waits for rain"}, ""),
]


@pytest.mark.parametrize("row", [*WAITS, *WAITS_NOT], ids=ids([*WAITS, *WAITS_NOT]))
def test_a_file_waits_for_a_person_by_its_status_or_a_property_unless_somebody_has_acted(
    row: Person,
):
    assert person_says(recorded(row.status, **row.members)) == row.says


class Done(NamedTuple):
    """A status, and what a person has to have done."""

    status: str
    done: str


DONE = [
    Done("AWAITING_APPROVAL", "approved"),
    Done("NEEDS_REVIEW", "reviewed"),
    Done("FREIGABE_PENDING", "released"),
    Done("WAITS", "handled"),
]


@pytest.mark.parametrize("row", DONE, ids=[row.status for row in DONE])
def test_what_a_person_has_to_do_follows_from_the_status(row: Done):
    assert what_to_have_done(recorded(row.status)) == row.done
