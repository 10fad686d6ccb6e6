"""
If no read of an uploaded file, or of its list, got an answer since the upload, its path is what
reads before the upload show. If they show none, it is *not proved*, and the finding quotes what
came, which is about no path; but a web page may be about one, so the usual words are said of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_findings import PAGE, Said, ids
from support.doctor_paths import (
    GIVEN,
    GIVEN_FILE,
    LIST_WITH_F1,
    NOT_PROVED,
    SURE,
    given_file,
)
from support.doctor_replies import error_body, evidence_of, reply, request_for
from support.doctor_service import record
from wes_provider.doctor.conclusions.list_conclusions import list_path
from wes_provider.doctor.conclusions.path_conclusions import file_path
from wes_provider.doctor.reads.evidence import Evidence, Places
from wes_provider.doctor.replies.probes import Probe, Question

AWAY = error_body("unavailable", "Deployment in progress.")
LIST = request_for(Question.LIST)
FILE = request_for(Question.FILE_PATH, file_id="up")
KNOWN = evidence_of(*LIST_WITH_F1, given_file(200, record("f1")))
UNKNOWN = evidence_of()


def followed(request_is_of_list: bool, status: int, content: object) -> Probe:
    """A read since the upload."""
    request = LIST if request_is_of_list else FILE
    return reply(status, content, question=Question.FOLLOW, request=request)


class Since(NamedTuple):
    """What came to a read since the upload, what is known from before, and what is said."""

    name: str
    before: Evidence
    status: int
    content: object
    said: Said


LISTS = [
    Since("503, and the list was read before", KNOWN, 503, AWAY, Said(SURE, "It has 2 files.")),
    Since(
        "503, and no list was read before",
        UNKNOWN,
        503,
        AWAY,
        Said(
            NOT_PROVED,
            "Not shown: reads of the list since the upload got 503 unavailable: 'Deployment in "
            "progress', which is about no path. Run this again without --upload, once the service "
            "answers.",
        ),
    ),
    Since(
        "a web page, and no list was read before",
        UNKNOWN,
        404,
        PAGE,
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file. Ask the service's support where and when "
            "a list has a new file.",
        ),
    ),
]


@pytest.mark.parametrize("row", LISTS, ids=ids(LISTS))
def test_the_path_of_an_unanswered_list_is_that_of_before(row: Since):
    lists: Mapping[str, Probe] = {GIVEN: followed(True, row.status, row.content)}
    assert Said.of(list_path(row.before, Places(lists, {}, "up", "up"))) == row.said


FILES = [
    Since(
        "503, and a file was read before",
        KNOWN,
        503,
        AWAY,
        Said(SURE, "It has a file and its status."),
    ),
    Since(
        "503, and no file was read before",
        UNKNOWN,
        503,
        AWAY,
        Said(
            NOT_PROVED,
            "Not shown: reads of the uploaded file got 503 unavailable: 'Deployment in progress', "
            "which is about no path. Run this again without --upload, once the service answers.",
        ),
    ),
    Since(
        "a web page, and no file was read before",
        UNKNOWN,
        404,
        PAGE,
        Said(
            NOT_PROVED,
            "What replied sent 404, which is not the service's, to GET "
            "/v1/coupon-list/spring/files/up: 'Hello'. This path does not show the uploaded file: "
            "ask the service's support for the path of one file.",
        ),
    ),
]


@pytest.mark.parametrize("row", FILES, ids=ids(FILES))
def test_the_path_of_an_unanswered_file_is_that_of_before(row: Since):
    files: Mapping[str, Probe] = {GIVEN_FILE: followed(False, row.status, row.content)}
    assert Said.of(file_path(row.before, Places({}, files, "up", "up"))) == row.said
