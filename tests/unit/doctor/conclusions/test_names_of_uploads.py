"""
How many characters of an uploaded file's name the list shows. From its first 24 characters on (of
30), in any case of letters, they suffice to find an upload whose response is lost. If it shows
fewer, another name or none, such an upload needs a person; from then on, if it had the name at
first. That is *sure* each time; if the list
did not show the file, it is *not shown*. Files of one request are those that the list did not have
before, under the name of the upload.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.doctor_files import (
    LIST,
    LIST_PATH,
    NAME,
    NOT_SHOWN,
    SETTINGS,
    SURE,
    THREE_ADDED,
    SaidOfFiles,
    UploadCase,
    followed,
    probe,
    rec,
)
from support.doctor_findings import ids
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads.evidence import list_at

NAMES = [
    UploadCase(
        "its whole name",
        followed(rec("up", "SUCCESS", **THREE_ADDED)),
        SaidOfFiles(SURE, "The list shows 30 of 30 characters, which suffices."),
    ),
    UploadCase(
        "nothing of the file",
        followed(rec("up", "SUCCESS", **THREE_ADDED), listed=False),
        SaidOfFiles(NOT_SHOWN, "The list did not show the file while it was followed."),
    ),
    UploadCase(
        "another name of as many characters",
        followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": f"x{NAME[1:]}"}),
        SaidOfFiles(
            SURE,
            "The list shows another name: an upload whose response is lost needs a person.",
            needs_action=True,
        ),
    ),
    UploadCase(
        "its first 24 characters",
        followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": NAME[:24]}),
        SaidOfFiles(SURE, "The list shows 24 of 30 characters, which suffices."),
    ),
    UploadCase(
        "its first 24 characters as small letters",
        followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": NAME[:24].lower()}),
        SaidOfFiles(SURE, "The list shows 24 of 30 characters, which suffices."),
    ),
    UploadCase(
        "its first 23 characters",
        followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": NAME[:23]}),
        SaidOfFiles(
            SURE,
            "The list shows 23 of 30 characters, too few to tell it from others: an upload "
            "whose response is lost needs a person.",
            needs_action=True,
        ),
    ),
    UploadCase(
        "another name than at first",
        replace(
            followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": "7f3a.csv"}),
            lists=(
                probe(list_at(SETTINGS, LIST_PATH, LIST), [{**rec("up", "NEW"), "name": NAME}]),
            ),
        ),
        SaidOfFiles(
            SURE,
            "The list shows another name than at first: from then on, an upload whose response is "
            "lost needs a person.",
            needs_action=True,
        ),
    ),
    UploadCase(
        "no name",
        followed({**rec("up", "SUCCESS", **THREE_ADDED), "name": ""}),
        SaidOfFiles(
            SURE,
            "The list shows another name: an upload whose response is lost needs a person.",
            needs_action=True,
        ),
    ),
]


@pytest.mark.parametrize("row", NAMES, ids=ids(NAMES))
def test_a_name_in_the_list_suffices_from_its_first_24_characters_on(row: UploadCase):
    row.check(Topic.NAMES)


def test_files_of_one_request_are_the_new_ones_with_the_name_of_the_upload():
    earlier = {**rec("f1", "SUCCESS"), "name": NAME}
    other = {**rec("f2", "SUCCESS"), "name": "other.csv"}
    second = {**rec("f3", "SUCCESS"), "name": NAME}
    seen = followed(rec("up", "SUCCESS"), others=[earlier, other, second], before=[earlier])
    assert {file.id for file in seen.made_by_one_request(NAME)} == {"f3", "up"}
