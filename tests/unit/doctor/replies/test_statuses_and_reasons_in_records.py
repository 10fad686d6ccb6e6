"""
A progress shows that only a part of a file is done if it is 0, a fraction below 1.0, a number above
1 and below 100, or "1/3"; 1, 100, "3/3", negative numbers and true do not. In place of a status
that is read, a non-empty string under status, a record has the first property named like one that
is neither null nor empty, quoted with 60 characters at most; status itself comes first. The reason
of a failure is a text for people, a message before a code, from a property named like an error or a
failure, at any depth; not a word for none, a number, a link, or how failures are handled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.doctor.replies.files import file_of, odd_status, step_of
from wes_provider.models import CouponFile


def file_with(**members: Any) -> CouponFile:
    """A file with these members beside its identifier and its status."""
    file = file_of({"_id": "f1", "status": "LIVE", **members})
    assert file is not None
    return file


class Share(NamedTuple):
    """A share of a file that is done, and whether it is a part."""

    done: Any
    is_part: bool


SHARES = [
    Share(0, is_part=True),
    Share(0.0, is_part=True),
    Share(0.99, is_part=True),
    Share(1.0, is_part=False),
    Share(1, is_part=False),
    Share(1.5, is_part=True),
    Share(2, is_part=True),
    Share(99, is_part=True),
    Share(100, is_part=False),
    Share(-1, is_part=False),
    Share("99", is_part=False),
    Share("1/3", is_part=True),
    Share("3/3", is_part=False),
    Share(done=True, is_part=False),
]


@pytest.mark.parametrize("row", SHARES, ids=[repr(row.done) for row in SHARES])
def test_a_share_or_percents_of_a_file_are_a_part_unless_they_are_all(row: Share):
    assert bool(step_of(file_with(progress=row.done))) is row.is_part


class OddStatus(NamedTuple):
    """A record, and what it has in place of a status that is read; empty if it has one."""

    name: str
    record: Any
    says: str


ODD_STATUSES = [
    OddStatus("a number", {"status": 7}, "status 7"),
    OddStatus("a blank, and a state", {"status": " ", "state": "DONE"}, 'status " "'),
    OddStatus("null, and a state", {"status": None, "state": "DONE"}, 'state "DONE"'),
    OddStatus("an empty string, and a phase", {"status": "", "phase": 2}, "phase 2"),
    OddStatus("a status within an object", {"job": {"status": "DONE"}}, 'job.status "DONE"'),
    OddStatus("60 characters", {"status": ["x" * 49]}, f'status ["{"x" * 49}"]'),
    OddStatus("61 characters", {"status": ["x" * 50]}, f'status ["{"x" * 50}…'),
]


@pytest.mark.parametrize("row", ODD_STATUSES, ids=[row.name for row in ODD_STATUSES])
def test_what_a_record_has_in_place_of_a_status_is_the_first_property_named_so_with_a_value(
    row: OddStatus,
):
    """It is said with 60 characters at most."""
    assert odd_status(row.record) == row.says


NO_ODD_STATUSES = [
    OddStatus("a string", {"status": "NEW"}, ""),
    OddStatus("nothing like one", {"name": "a"}, ""),
    OddStatus("no record", None, ""),
]


@pytest.mark.parametrize("row", NO_ODD_STATUSES, ids=[row.name for row in NO_ODD_STATUSES])
def test_a_record_with_a_status_or_with_nothing_like_one_has_nothing_in_its_place(row: OddStatus):
    assert odd_status(row.record) == row.says


class Reason(NamedTuple):
    """Members of a record, and the reason of its failure that they give."""

    name: str
    members: Mapping[str, Any]
    reason: str


REASONS = [
    Reason("the usual name", {"error": "late"}, "late"),
    Reason("another name", {"failure": "late"}, "failure: late"),
    Reason(
        "a message behind a code",
        {"failure_code": "E_LATE", "failure_message": "late"},
        "failure_message: late",
    ),
    Reason("the first of two codes", {"failure_a": "E", "failure_b": "F"}, "failure_a: E"),
    Reason("a word for none", {"failure": "None."}, ""),
    Reason("a number", {"failure": "404"}, ""),
    Reason("a link", {"failure": "https://files.example.com/log"}, ""),
    Reason("how failures are handled", {"failure_policy": "skip"}, ""),
    Reason(
        "in an object of an array", {"failures": [{"row": 1, "message": "late"}]}, "failures: late"
    ),
]


@pytest.mark.parametrize("row", REASONS, ids=ids(REASONS))
def test_the_reason_of_a_failure_is_a_text_for_people_before_a_code(row: Reason):
    assert file_with(**row.members).reason == row.reason
