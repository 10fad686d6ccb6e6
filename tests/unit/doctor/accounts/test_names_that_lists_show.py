"""
A name in a list is that of an upload, in any case, if it is the whole name or its beginning with at
least 24 characters; its end, a longer name or another one of its length is not. The finding about
Names says how many characters the list shows: 24 or more suffice; with 23, an upload whose response
is lost needs a person, and the verdict of a ready account says so.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_followed import (
    FollowedAccount,
)
from support.doctor_service import about
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.options import Options
from wes_provider.doctor.writes.upload import is_name_of


class Shown(NamedTuple):
    """How many characters of a name the list shows, and what is said."""

    name: str
    length: int
    says: str


WHOLE = len(Options().file_name)
SHOWN = [
    Shown("whole", WHOLE, f"The list shows {WHOLE} of {WHOLE} characters, which suffices."),
    Shown("24 characters", 24, f"The list shows 24 of {WHOLE} characters, which suffices."),
    Shown(
        "23 characters",
        23,
        f"The list shows 23 of {WHOLE} characters, too few to tell it from others: an upload "
        "whose response is lost needs a person.",
    ),
]


@pytest.mark.parametrize("row", SHOWN, ids=[row.name for row in SHOWN])
def test_names_are_recognized_if_the_list_shows_24_characters_of_them(row: Shown):
    account = FollowedAccount(
        list_body=lambda records: [
            {**record, "name": record["name"][: row.length]} for record in records
        ]
    )
    report = account.examine()
    assert about(report, Topic.NAMES).text == row.says
    assert ("a person has to decide then" in report.verdict) is ("needs a person" in row.says)
    assert report.works


class Named(NamedTuple):
    """A name as a list shows it, and whether it is that of an upload."""

    name: str
    shown: str
    is_it: bool


SENT_NAME = "Wes-Doctor-1234567890-abcd.csv"
NAMED = [
    Named("whole", SENT_NAME, is_it=True),
    Named("in other letters", SENT_NAME.upper(), is_it=True),
    Named("its first 24 characters", SENT_NAME[:24], is_it=True),
    Named("its first 23 characters", SENT_NAME[:23], is_it=False),
    Named("nothing", "", is_it=False),
    Named("another one of the same length", "Wes-Doctor-0987654321-abcd.csv", is_it=False),
    Named("longer", f"{SENT_NAME}.gz", is_it=False),
    Named("its end", SENT_NAME[3:], is_it=False),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.name for row in NAMED])
def test_a_name_is_that_of_an_upload_if_it_begins_it_and_has_24_characters(row: Named):
    assert is_name_of(row.shown, SENT_NAME) is row.is_it
