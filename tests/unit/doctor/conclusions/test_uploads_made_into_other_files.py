"""
What follows if an uploaded file ends in other files of its list.

If the list has new files made of it, its last status is *Not proved*: they are named with status
and coupons, and the support is to say which status means that all of them are in. A new file is
made of it if its name begins with the uploaded one's name and goes on, or if one of the two records
has the other's identifier.

If the list does not show the uploaded file, and its record, at any depth, names a file that the
list had before, the service may have taken it for that one. Then Statuses are *Not proved*, as the
cause, and path of the list, lag and names are not shown by this upload.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_files import (
    NAME,
    NOT_PROVED,
    NOT_SHOWN,
    SETTINGS,
    THREE_ADDED,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.conclusions.whereabouts import has_parts, taken_for
from wes_provider.doctor.findings.finding import Topic

SPLIT = [
    UploadCase(
        "SPLIT, and the list has two files made of it",
        followed(
            rec("up", "SPLIT", parts=["up_1"]),
            others=[
                rec("f1", "SUCCESS", **THREE_ADDED),
                rec("up_1", "SUCCESS", **THREE_ADDED),
                rec("up_2", "SUCCESS", of="up"),
            ],
            before=[rec("f1", "SUCCESS", **THREE_ADDED)],
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SPLIT, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Its record also has parts "
            "up_1. The list has 2 new files made of it: up_1 (SUCCESS, 3 coupons added), "
            "up_2 (SUCCESS). No task waits for these. Ask the service's support which status "
            "says that all of them are in, and name it as success only then.",
        ),
    ),
]


@pytest.mark.parametrize("row", SPLIT, ids=ids(SPLIT))
def test_a_status_is_not_proved_if_the_list_has_files_made_of_the_uploaded_one(row: UploadCase):
    row.check(Topic.STATUSES)


class Taken(NamedTuple):
    """An upload, and whether the service may have taken it for a file that the list had before."""

    name: str
    record: Mapping[str, Any]
    is_taken: bool
    listed: bool = False
    others: Sequence[Mapping[str, Any]] = (rec("f1", "SUCCESS"),)


TAKEN = [
    Taken("its record names the other file", {"merged_into": "f1"}, is_taken=True),
    Taken("its record names it within an object", {"duplicate": {"of": "f1"}}, is_taken=True),
    Taken("its record names several", {"duplicates": ["f7", "f1"]}, is_taken=True),
    Taken("its record names another one", {"merged_into": "f7"}, is_taken=False),
    Taken("its record names none", {}, is_taken=False),
    Taken("the list shows the uploaded file", {"merged_into": "f1"}, is_taken=False, listed=True),
    Taken("the list has no other file", {"merged_into": "f1"}, is_taken=False, others=()),
]


@pytest.mark.parametrize("row", TAKEN, ids=ids(TAKEN))
def test_an_upload_is_taken_for_another_file_if_its_record_names_that(row: Taken):
    seen = followed(rec("up", "MERGED", **row.record), listed=row.listed, others=row.others)
    assert (taken_for(seen) is not None) is row.is_taken


def test_an_upload_that_is_taken_for_another_file_shows_nothing_of_the_list():
    seen = followed(
        rec("up", "MERGED", merged_into="f1", coupons_added=0),
        listed=False,
        others=[rec("f1", "SUCCESS")],
    )
    findings = conclude_from_upload(SETTINGS, seen, NAME)
    said = {finding.topic: finding for finding in findings}
    assert said[Topic.STATUSES].is_cause
    assert said[Topic.STATUSES].certainty is NOT_PROVED
    assert said[Topic.STATUSES].text == (
        "PENDING → MERGED: the record of the uploaded file names coupon file f1, which the list "
        "had before, and the list does not show the uploaded one, so the service may have taken it "
        "for that one. Its record also has merged_into f1. Upload a file with other codes, to see "
        "what success is called. Decide whether your tasks should accept MERGED."
    )
    for topic in (Topic.LIST_PATH, Topic.LAG, Topic.NAMES):
        assert said[topic].certainty is NOT_SHOWN
        assert said[topic].text == "Not shown by this upload: see Statuses."


class Made(NamedTuple):
    """A new file of a list, and whether it is made of the uploaded file."""

    name: str
    uploaded: Mapping[str, Any]
    other: Mapping[str, Any]
    is_made_of_it: bool


MADE = [
    Made("its name goes on", {}, {"name": f"{NAME}.part-1"}, is_made_of_it=True),
    Made("another name", {}, {"name": "other"}, is_made_of_it=False),
    Made("no file has a name", {"name": ""}, {"name": ""}, is_made_of_it=False),
    Made("the uploaded one has no name", {"name": ""}, {"name": "other"}, is_made_of_it=False),
    Made("it names the uploaded one", {}, {"name": "other", "of": "up"}, is_made_of_it=True),
    Made("the uploaded one names it", {"parts": ["f9"]}, {"name": "other"}, is_made_of_it=True),
]


@pytest.mark.parametrize("row", MADE, ids=ids(MADE))
def test_a_file_is_made_of_another_one_by_its_name_or_an_identifier(row: Made):
    other = {**rec("f9", "SUCCESS"), **row.other}
    seen = followed({**rec("up", "SPLIT"), **row.uploaded}, others=[other], before=[])
    assert has_parts(seen) is row.is_made_of_it
