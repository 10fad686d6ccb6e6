"""
A state beside the status, of one word, tells files of one status apart if it means a failure or a
stage on the way in one, and something else in another, and is named as a state, a status or a stage
(at any depth). Then that status is to be named in no list, with the values, of five the first four.

If the connection knows the status as a success, only a failure without any coupon added, in each
file with that value, tells them apart; then ``min_coupons_added=1`` is advised. A stage under a
known pending status, and a failure under a known one, tell nothing; neither do states that mean the
same, unknown words alone, sentences, numbers, and files of different statuses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.records.other_states import OtherState, other_state
from wes_provider.doctor.replies.files import file_of
from wes_provider.models import CouponFile

ACTIVE_IS_SUCCESS = Statuses(success=frozenset({"ACTIVE"}))


def files_of(records: Sequence[Mapping[str, Any]]) -> list[CouponFile]:
    """Files of the list, numbered, all of status ACTIVE unless a record has another one."""
    made = [
        file_of({"_id": f"f{number}", "status": "ACTIVE", **record})
        for number, record in enumerate(records)
    ]
    return [file for file in made if file is not None]


def imported(state: Any, **more: Any) -> dict[str, Any]:
    return {"import": {"state": state}, **more}


class Alike(NamedTuple):
    """Records of a list, all of status ACTIVE unless they have another one."""

    name: str
    records: Sequence[Mapping[str, Any]]
    statuses: Statuses = Statuses()


NOT_APART = [
    Alike("no files", []),
    Alike("no state beside the status", [{}, {}]),
    Alike("the same state", [imported("DONE"), imported("DONE")]),
    Alike("states that mean the same", [imported("DONE"), imported("SUCCESS")]),
    Alike("states whose words are not known", [imported("BLUE"), imported("RED")]),
    Alike(
        "a failure, of another status",
        [imported("DONE"), imported("FAILED", status="REJECTED")],
    ),
    Alike("a failure in a sentence", [imported("DONE"), imported("It has failed: no header.")]),
    Alike("a number", [imported(0), imported(1)]),
    Alike("a property that is no state", [{"origin": "DONE"}, {"origin": "FAILED"}]),
    Alike(
        "a stage on the way, of a status that is known as one",
        [{"status": "PENDING", "scan": {"status": state}} for state in ("DONE", "PENDING")],
    ),
    Alike(
        "a failure without coupons, of a status that is known as one",
        [{"status": "FAILED", "fetch": {"state": state}} for state in ("DONE", "FAILED")],
    ),
    Alike(
        "a stage on the way, and the connection knows the status",
        [imported("RUNNING"), imported("DONE")],
        ACTIVE_IS_SUCCESS,
    ),
    Alike(
        "a failure with coupons added, and the connection knows the status",
        [imported("DONE"), imported("FAILED", coupons_added=3)],
        ACTIVE_IS_SUCCESS,
    ),
    Alike(
        "two failures, one of them with coupons added, and the connection knows the status",
        [imported("DONE"), imported("FAILED"), imported("FAILED", coupons_added=3)],
        ACTIVE_IS_SUCCESS,
    ),
]


@pytest.mark.parametrize("row", NOT_APART, ids=[row.name for row in NOT_APART])
def test_states_that_mean_the_same_or_that_the_status_explains_tell_no_files_apart(
    row: Alike,
) -> None:
    assert other_state(files_of(row.records), row.statuses, CountNames()) is None


class Apart(NamedTuple):
    """The same, with the property that tells the files apart, and its values."""

    name: str
    records: Sequence[Mapping[str, Any]]
    where: str
    values: list[str]
    statuses: Statuses = Statuses()


APART = [
    Apart(
        "a failure, and a word that is not known",
        [imported("Finished"), imported("Failed")],
        "import.state",
        ["FINISHED", "FAILED"],
    ),
    Apart(
        "a stage on the way, and a success",
        [{"stage": "RUNNING"}, {"stage": "DONE"}],
        "stage",
        ["RUNNING", "DONE"],
    ),
    Apart(
        "a name in several words",
        [{"processingStatus": "PENDING"}, {"processingStatus": "DONE"}],
        "processingStatus",
        ["PENDING", "DONE"],
    ),
    Apart(
        "a failure without coupons, and the connection knows the status",
        [imported("DONE", coupons_added=3), imported("FAILED", coupons_added=0)],
        "import.state",
        ["DONE", "FAILED"],
        ACTIVE_IS_SUCCESS,
    ),
]


@pytest.mark.parametrize("row", APART, ids=[row.name for row in APART])
def test_a_state_tells_files_of_one_status_apart_if_one_means_a_failure_or_a_stage(
    row: Apart,
) -> None:
    found = other_state(files_of(row.records), row.statuses, CountNames())
    assert found is not None
    assert (found.status, found.where, found.values) == ("ACTIVE", row.where, row.values)


def test_no_list_of_statuses_is_to_name_such_a_status() -> None:
    found = other_state(files_of([imported("DONE"), imported("FAILED")]), Statuses(), CountNames())
    assert str(found) == (
        "ACTIVE is the status of files whose import.state differs (DONE, FAILED), so it may not "
        "say how far a file is, and no setting has import.state read. Name ACTIVE in no list of "
        "coupon_file_statuses, and ask the service's support for the end of the processing under "
        "status"
    )


def test_failures_under_a_success_are_found_by_their_coupons() -> None:
    files = files_of([imported("DONE", coupons_added=3), imported("FAILED", coupons_added=0)])
    assert str(other_state(files, ACTIVE_IS_SUCCESS, CountNames())) == (
        "Files with ACTIVE have import.state DONE, FAILED, and tasks take ACTIVE for a success, so "
        "a file that failed may be green. No setting has import.state read: give tasks "
        "min_coupons_added=1, so that a file without coupons fails, and ask the service's support "
        "for another status of failures"
    )


def test_of_five_values_of_a_state_four_are_named():
    said = str(OtherState("ACTIVE", "import.state", ["A", "B", "C", "D", "E"]))
    assert "whose import.state differs (A, B, C, D), so" in said
