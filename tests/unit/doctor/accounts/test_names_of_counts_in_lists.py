"""
What is said of a list whose files count coupons added under another name than the connection's and
the usual ones.

A number sounds like coupons added if its name has *add*, *import*, *insert*, *loaded*, *created*,
*new*, *accepted* or *success*. If one number does, it is proposed as ``coupon_file_counts.added``,
also beside a usual name that holds no number. That is a guess until an upload proves it: Counts is
*not proved*, and the account is not ready.

If no number sounds so, or several do and agree, Counts is *not shown*: it names them with their
values and asks which one counts coupons added. The account is ready. If several do and disagree,
Counts is *not proved*, and the account is not ready.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    LIST,
    Account,
    about,
    examined_account,
)
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report


def report_on(counts: Mapping[str, Any]) -> Report:
    """The report on a list with one file, which has these members besides."""
    account = Account(records=[{"_id": "f1", "status": "DONE", **counts}])
    return examined_account(account, coupon_list_id=LIST)


class Asked(NamedTuple):
    """Numbers of a file, and which ones are asked about."""

    name: str
    counts: Mapping[str, int]
    which: str


ASKED = [
    Asked("two that sound like added", {"created": 3, "new": 3}, "created (3), new (3)"),
    Asked("one in an unknown word", {"zork": 5}, "zork (5)"),
    Asked("two in unknown words", {"zork": 5, "blub": 5}, "zork (5), blub (5)"),
    Asked("two in unknown words that differ", {"zork": 5, "blub": 6}, "zork (5), blub (6)"),
]


@pytest.mark.parametrize("row", ASKED, ids=ids(ASKED))
def test_numbers_of_which_none_or_several_equal_ones_sound_like_added_are_asked_about(row: Asked):
    finding = about(report_on(row.counts), Topic.COUNTS)
    assert finding.text.startswith(f"Which of {row.which} counts coupons added, in file f1?")
    assert finding.certainty is Certainty.NOT_SHOWN


@pytest.mark.parametrize("row", ASKED, ids=ids(ASKED))
def test_a_question_which_number_counts_leaves_an_account_ready(row: Asked):
    assert report_on(row.counts).works


def test_numbers_that_sound_like_added_and_disagree_leave_counts_open():
    finding = about(report_on({"created": 3, "new": 7}), Topic.COUNTS)
    assert finding.text.startswith(
        "Which number counts coupons added is open. created/new: DONE 3/7."
    )
    assert finding.certainty is Certainty.NOT_PROVED


def test_an_account_is_not_ready_if_numbers_that_sound_like_added_disagree():
    assert not report_on({"created": 3, "new": 7}).works


class Proposed(NamedTuple):
    """Members of a file, and the one that is proposed as the count of coupons added."""

    name: str
    counts: Mapping[str, Any]
    added: str


PROPOSED = [
    *(
        Proposed(f"as {word}", {word: 5}, word)
        for word in (
            "added_now",
            "imported_rows",
            "insertions",
            "loaded",
            "created",
            "new",
            "accepted",
            "successes",
        )
    ),
    Proposed("beside an unknown word", {"zork": 6, "imported_rows": 5}, "imported_rows"),
    Proposed(
        "beside the usual name of a string",
        {"coupons_added": "5", "imported_rows": 5},
        "imported_rows",
    ),
]


@pytest.mark.parametrize("row", PROPOSED, ids=ids(PROPOSED))
def test_the_only_number_that_sounds_like_added_is_proposed_as_a_guess(row: Proposed):
    value = report_on(row.counts).values["coupon_file_counts.added"]
    assert (value.value, value.is_proved) == (row.added, False)


@pytest.mark.parametrize("row", PROPOSED, ids=ids(PROPOSED))
def test_a_name_of_a_count_that_is_a_guess_is_not_proved_and_leaves_the_account_not_ready(
    row: Proposed,
):
    report = report_on(row.counts)
    assert about(report, Topic.COUNTS).certainty is Certainty.NOT_PROVED
    assert not report.works
