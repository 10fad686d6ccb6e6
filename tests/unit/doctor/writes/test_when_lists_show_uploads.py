"""
If a list lacks the uploaded file, that is noted for the moment when its read was sent, however long
the reply took; that the list shows it, for when the reply came. A list shows files only when they
are processed if the first list that has the file has it with an end, and the file was on its way
when a list lacked it; not if it is still on its way, or had ended before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_followers import (
    Records,
    followed_file,
    uploaded_record,
)
from support.skipping_clock import CLOCK


def test_a_list_that_took_long_lacked_the_file_when_its_read_was_sent():
    def listed(seconds: float) -> Records:
        if seconds < 1:
            CLOCK.sleep(7)
            return []
        return [uploaded_record()]

    followed = followed_file(listed, lambda _: uploaded_record())
    assert followed.unlisted_after < 1
    assert followed.listed_after is not None
    assert followed.listed_after > 7


class ListedWith(NamedTuple):
    """
    The status of the file in the first list that shows it, and whether that is one that has files
    only once they are processed.
    """

    name: str
    first_in_list: str
    status_before: str
    is_listed_when_processed: bool


LISTED_WITH = [
    ListedWith(
        "it has ended, and was on its way before",
        "SUCCESS",
        "PENDING",
        is_listed_when_processed=True,
    ),
    ListedWith("it is on its way, as before", "PENDING", "PENDING", is_listed_when_processed=False),
    ListedWith("it has ended, as before", "SUCCESS", "SUCCESS", is_listed_when_processed=False),
]


@pytest.mark.parametrize("row", LISTED_WITH, ids=ids(LISTED_WITH))
def test_a_list_shows_a_file_when_processed_if_it_has_it_with_an_end_that_just_came(
    row: ListedWith,
):
    def listed(seconds: float) -> Records:
        return [] if seconds < 5 else [uploaded_record(row.first_in_list)]

    def alone(seconds: float) -> dict[str, Any]:
        return uploaded_record(row.status_before if seconds < 5 else row.first_in_list)

    followed = followed_file(listed, alone, accepted=alone(0), timeout=10.0)
    assert followed.is_listed_when_processed is row.is_listed_when_processed


def test_a_list_that_lacks_a_file_right_after_its_end_does_not_wait_for_that():
    """The end comes after 4 s, and the list has the file half a second later."""

    def listed(seconds: float) -> Records:
        return [] if seconds < 4.6 else [uploaded_record("SUCCESS")]

    def alone(seconds: float) -> dict[str, Any]:
        return uploaded_record("PENDING" if seconds < 4 else "SUCCESS")

    followed = followed_file(listed, alone, accepted=alone(0), timeout=10.0)
    assert followed.listed_after is not None
    assert not followed.is_listed_when_processed
