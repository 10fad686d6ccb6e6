"""
What is said of a list whose files count coupons added under a usual name, and have a number whose
name only sounds like one of duplicates.

If one number has *dup*, *double*, *exist*, *repeat*, *already* or a word of German in its name, the
verdict is *Not proved: Counts*: it says both counts and their names, and to put the extra below
into the connection. If it has *skip* or *ignor*, it may as well count what was left out, and the
verdict asks to confirm that one first. If several sound so, or the number is of an unknown name,
the account is ready: a number may be named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    LIST,
    Account,
    about,
    examined_account,
)
from support.doctor_verdicts import Case, check
from wes_provider.doctor.findings.finding import Topic


def account_with(**counts: int) -> Account:
    """A service whose only file has added 9 coupons, and has these numbers besides."""
    named = {"_id": "a", "name": "a", "status": "DONE", "coupons_list_id": LIST}
    return Account(records=[{**named, "added": 9, **counts}])


LIKE_DUPLICATES = (
    "dups",
    "doubles",
    "existing",
    "repeated",
    "already_there",
    "doppelte",
    "vorhanden",
)


@pytest.mark.parametrize("name", LIKE_DUPLICATES)
def test_a_count_that_sounds_like_one_of_duplicates_is_not_proved(name: str):
    check(
        Case(
            name,
            lambda: account_with(**{name: 2}),
            (
                f"Not proved: Counts. 9 coupons added, 2 duplicates, under added and {name}",
                "put the extra below into the connection",
            ),
        )
    )


@pytest.mark.parametrize("name", ["skipped", "ignored"])
def test_a_count_of_what_may_be_left_out_for_another_reason_is_to_be_confirmed(name: str):
    check(
        Case(
            name,
            lambda: account_with(**{name: 2}),
            (
                f"Not proved: Counts. 9 coupons added, under added, in file a; {name} (2) may "
                f"count duplicates. Confirm in the service's dashboard what {name} counts.",
            ),
        )
    )


class Open(NamedTuple):
    """Numbers of a file of which none is proposed for duplicates."""

    name: str
    counts: Mapping[str, int]
    which: str


OPEN = [
    Open("an unknown name", {"zork": 2}, "zork"),
    Open("two that sound alike", {"already_there": 2, "skipped": 3}, "already_there, skipped"),
]


@pytest.mark.parametrize("row", OPEN, ids=ids(OPEN))
def test_numbers_of_which_none_is_proposed_for_duplicates_leave_the_account_ready(row: Open):
    report = examined_account(account_with(**row.counts))
    assert about(report, Topic.COUNTS).text == (
        "9 coupons added, in file a; no count of duplicates is known. If a number counts "
        f"duplicates ({row.which}), name it in coupon_file_counts."
    )
    assert report.works
