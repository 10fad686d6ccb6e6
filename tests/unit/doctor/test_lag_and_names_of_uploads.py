"""
How soon the list has to show an uploaded file, and how many characters of its name, by what it
showed of one.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.doctor_files import (
    NAME,
    NOT_ASKED,
    NOT_PROVED,
    SURE,
    THREE_ADDED,
    WRONG,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from support.doctor_replies import error, reply
from wes_provider.doctor.findings import Topic

UNLISTED = [
    UploadCase(
        "not listed",
        followed(rec("up", "SUCCESS", **THREE_ADDED), listed=False),
        SaidOfFiles(
            NOT_PROVED,
            "The list did not show the file in 20 s: ask the service's support how soon it does.",
        ),
    ),
    UploadCase(
        "not listed, and a cache sent the list",
        replace(
            followed(rec("up", "SUCCESS", **THREE_ADDED), listed=False), unlisted_by_cache="Age: 12"
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The list did not show the file in 20 s: a cache sent the list (Age: 12), so how soon "
            "the service itself has a new file is not shown. Ask whoever runs the cache to leave "
            "out these paths. Until then, coupon_files_lag has to be above the time for which it "
            "keeps a list (tasks give it 30 s), or a task sends a file again that is there.",
        ),
    ),
    UploadCase(
        "not listed in a part of the list",
        followed(
            rec("up", "SUCCESS", **THREE_ADDED),
            listed=False,
            others=[rec("f1", "SUCCESS")],
            partial=True,
        ),
        SaidOfFiles(
            NOT_ASKED,
            "The list shows a part of its files, so how soon it has a new one is not shown.",
        ),
    ),
    UploadCase(
        "gone meanwhile",
        replace(
            followed(rec("up", "PROCESSING"), problem="410 superseded: f901, f902."),
            gone=reply(410, error("superseded", "f901, f902.")),
        ),
        SaidOfFiles(NOT_ASKED, "Not shown, since the file went meanwhile (410 superseded)."),
    ),
]


@pytest.mark.parametrize("row", UNLISTED, ids=ids(UNLISTED))
def test_a_list_that_did_not_show_the_file_shows_no_lag(row: UploadCase):
    row.check(Topic.LAG)


LISTED = [
    UploadCase(
        "listed after 10 s",
        followed(rec("up", "SUCCESS", **THREE_ADDED), after=10.0),
        SaidOfFiles(SURE, "In the list after 10 s; the 30 s that tasks give it leave room."),
    ),
    UploadCase(
        "listed after 12 s",
        followed(rec("up", "SUCCESS", **THREE_ADDED), after=12.0),
        SaidOfFiles(
            NOT_PROVED,
            "In the list after 12 s. Tasks give it 30 s (coupon_files_lag); another file may "
            "take longer, and 40 s leave room for that.",
            {"coupon_files_lag": 40.0},
        ),
    ),
    UploadCase(
        "listed after 12 s, by a reply that took half of them",
        followed(rec("up", "SUCCESS", **THREE_ADDED), after=12.0, took=6.0),
        SaidOfFiles(
            NOT_PROVED,
            "In the list within 12 s, as long as the reply took. Tasks give it 30 s "
            "(coupon_files_lag); another file may take longer, and 40 s leave room for that.",
            {"coupon_files_lag": 40.0},
        ),
    ),
    UploadCase(
        "listed after 31 s, and not after 21 s",
        followed(rec("up", "SUCCESS", **THREE_ADDED), after=31.0, unlisted=21.0),
        SaidOfFiles(
            NOT_PROVED,
            "In the list after 31 s, and not yet after 21 s. Tasks give it 30 s "
            "(coupon_files_lag): if that is too few, they send a file again that is there. 100 s "
            "leave room for a slower one.",
            {"coupon_files_lag": 100.0},
        ),
    ),
    UploadCase(
        "listed after 41 s, and not after 30 s",
        followed(rec("up", "SUCCESS", **THREE_ADDED), after=41.0, unlisted=30.0),
        SaidOfFiles(
            NOT_PROVED,
            "In the list after 41 s, and not yet after 30 s. Tasks give it 30 s "
            "(coupon_files_lag): if that is too few, they send a file again that is there. 130 s "
            "leave room for a slower one.",
            {"coupon_files_lag": 130.0},
        ),
    ),
    UploadCase(
        "listed after 41 s, and not after 31 s",
        followed(rec("up", "SUCCESS", **THREE_ADDED), after=41.0, unlisted=31.0),
        SaidOfFiles(
            WRONG,
            "In the list after 41 s, and tasks give it 30 s (coupon_files_lag): they would send a "
            "file again that is there. 130 s leave room for a slower one.",
            {"coupon_files_lag": 130.0},
        ),
    ),
    UploadCase(
        "listed after 41 s, when it was processed",
        replace(
            followed(rec("up", "SUCCESS", **THREE_ADDED), after=41.0, unlisted=31.0),
            is_listed_when_processed=True,
        ),
        SaidOfFiles(
            NOT_PROVED,
            "In the list after 41 s, as soon as it was processed, and not before: the list may "
            "leave out files that are on their way. Then coupon_files_lag has to be above the "
            "longest time that processing takes (tasks give it 30 s), or a task sends a file again "
            "that is there. Ask the service's support.",
            {"coupon_files_lag": 130.0},
        ),
    ),
    UploadCase(
        "listed after 41 s, when it was processed, and a cache sent the list before",
        replace(
            followed(rec("up", "SUCCESS", **THREE_ADDED), after=41.0, unlisted=31.0),
            is_listed_when_processed=True,
            unlisted_by_cache="x-cache: HIT, max-age=40",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "In the list after 41 s; before that, a cache sent the list (x-cache: HIT, "
            "max-age=40), so how soon the service itself has a new file is not shown. Ask whoever "
            "runs the cache to leave out these paths. Until then, coupon_files_lag has to be above "
            "the time for which it keeps a list (tasks give it 30 s), or a task sends a file again "
            "that is there.",
            {"coupon_files_lag": 130.0},
        ),
    ),
    UploadCase(
        "listed after 30 s, which is what tasks give it",
        followed(rec("up", "SUCCESS", **THREE_ADDED), after=30.0),
        SaidOfFiles(
            NOT_PROVED,
            "In the list after 30 s. Tasks give it 30 s (coupon_files_lag); another file may take "
            "longer, and 90 s leave room for that.",
            {"coupon_files_lag": 90.0},
        ),
    ),
    UploadCase(
        "listed after 4 s in a part of the list",
        followed(rec("up", "SUCCESS", **THREE_ADDED), others=[rec("f1", "SUCCESS")], partial=True),
        SaidOfFiles(SURE, "In the list after 4 s; the 30 s that tasks give it leave room."),
    ),
    UploadCase(
        "listed after 10 s, by a reply that took 5 s",
        followed(rec("up", "SUCCESS", **THREE_ADDED), after=10.0, took=5.0),
        SaidOfFiles(SURE, "In the list after 10 s; the 30 s that tasks give it leave room."),
    ),
    UploadCase(
        "listed after 4 s, when it was processed",
        replace(followed(rec("up", "SUCCESS", **THREE_ADDED)), is_listed_when_processed=True),
        SaidOfFiles(
            NOT_PROVED,
            "In the list after 4 s, as soon as it was processed, and not before: the list may "
            "leave out files that are on their way. Then coupon_files_lag has to be above the "
            "longest time that processing takes (tasks give it 30 s), or a task sends a file again "
            "that is there. Ask the service's support.",
        ),
    ),
]


@pytest.mark.parametrize("row", LISTED, ids=ids(LISTED))
def test_a_lag_is_sure_if_tasks_give_the_list_three_times_as_long(row: UploadCase):
    row.check(Topic.LAG)


NAMES = [
    UploadCase(
        "another name",
        followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": "other.csv"}),
        SaidOfFiles(
            SURE, "The list shows another name: an upload whose response is lost needs a person."
        ),
    ),
    UploadCase(
        "24 characters",
        followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": NAME[:24]}),
        SaidOfFiles(SURE, "The list shows 24 of 30 characters, which suffices."),
    ),
    UploadCase(
        "23 characters",
        followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": NAME[:23]}),
        SaidOfFiles(
            SURE,
            "The list shows 23 of 30 characters, too few to tell it from others: an upload "
            "whose response is lost needs a person.",
        ),
    ),
    UploadCase(
        "no name",
        followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": ""}),
        SaidOfFiles(
            SURE, "The list shows another name: an upload whose response is lost needs a person."
        ),
    ),
]


@pytest.mark.parametrize("row", NAMES, ids=ids(NAMES))
def test_a_name_of_24_characters_in_the_list_suffices(row: UploadCase):
    row.check(Topic.NAMES)
