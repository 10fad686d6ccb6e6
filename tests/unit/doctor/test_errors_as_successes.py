"""
What is said if errors come with the status of a success, or if a made-up key gets an empty success.

Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    Said,
    again,
    ids,
    listed,
    made_up,
    nowhere,
    numbers_of,
    segment,
)
from support.doctor_replies import SETTINGS, changed, error, evidence_of
from support.doctor_service import CAMPAIGN_KEY
from wes_provider.doctor.codes import CodeMember
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.limit_conclusions import conclude_on_errors
from wes_provider.doctor.probes import Probe
from wes_provider.settings import WesSettings

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_ASKED, SURE = Certainty.NOT_ASKED, Certainty.SURE

STRANGE = error("teapot", "Moon phase is unfavourable.")
CODES = CodeMember("returnCode", frozenset({"0"}))
EMPTY = {"returnCode": 4011, "message": "No key", "data": []}
NO_DATA_KEY = changed(data_api_key=CAMPAIGN_KEY)
AFTER_UPLOAD = (
    "An upload takes one for an accepted file without an identifier, and is not sent again."
)
# What reads of lists make of such errors, after a sentence.
NOTICED = " Reads of lists notice them."
NOT_NOTICED = (
    " The read of a list takes one for an empty list, so an upload whose outcome is not known may "
    "be taken for one that never arrived."
)


def list_read_twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of the list, twice with the same reply."""
    return [listed(status, content, **more), again(status, content, **more)]


class Errors(NamedTuple):
    """
    Replies, and what is said of errors and of segments.

    :ivar came: how they came.
    :ivar of_lists: what reads of lists make of them; empty if none came to a list.
    :ivar status: with which they came first.
    :ivar of_segments: how certain the finding about segments is.
    :ivar rests_on: the place of the read that both findings rest on.
    """

    name: str
    probes: Sequence[Probe]
    came: str
    of_lists: str = ""
    status: int = 200
    of_segments: Certainty = NOT_PROVED
    rests_on: int = 0
    settings: WesSettings = SETTINGS


ERRORS = [
    Errors(
        "200 for a list",
        [listed(200, STRANGE)],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
        NOTICED,
    ),
    Errors(
        "200 for a list, without a data key",
        [listed(200, STRANGE)],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
        NOTICED,
        of_segments=NOT_ASKED,
        settings=NO_DATA_KEY,
    ),
    Errors(
        "202 for a list",
        [listed(202, STRANGE)],
        "Errors come with status 202 here (teapot: 'Moon phase is unfavourable')",
        NOTICED,
        status=202,
    ),
    Errors(
        "201, then 202 for a list",
        [listed(201, STRANGE), again(202, FORBIDDEN)],
        "Errors come with status 201 here (teapot: 'Moon phase is unfavourable')",
        NOTICED,
        status=201,
    ),
    Errors(
        "files, and 200 for a segment",
        [listed(200, FILES), segment(200, STRANGE)],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
        rests_on=1,
    ),
    Errors(
        "200 for a segment",
        [segment(200, STRANGE)],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
    ),
    Errors(
        "a code of a status",
        [listed(200, {"statusCode": 401, "message": "No key"})],
        "Errors come with status 200 here (statusCode 401: 'No key')",
        NOTICED,
    ),
    Errors(
        "success false and a code",
        [listed(200, {"success": False, "code": "no-key"})],
        "Errors come with status 200 here (no-key)",
        NOTICED,
    ),
    Errors(
        "success false alone",
        [listed(200, {"success": False})],
        "Errors come with status 200 here (an error: '{\"success\": false}')",
        NOTICED,
    ),
    Errors(
        "an empty list with a code of an error",
        [listed(200, EMPTY, codes=CODES)],
        "Errors come with status 200 here (returnCode 4011: 'No key')",
        NOT_NOTICED,
    ),
    Errors(
        "an error, then an empty list with a code of an error",
        [listed(200, STRANGE), again(200, EMPTY, codes=CODES)],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
        NOT_NOTICED,
    ),
    Errors(
        "an error for a segment, and an empty list with a code of an error",
        [segment(200, STRANGE), listed(200, EMPTY, codes=CODES)],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
        NOT_NOTICED,
    ),
    Errors(
        "a made-up key gets no file",
        [*list_read_twice(200, FILES), made_up(200, [])],
        "A made-up key gets 200 and no file here, as if the list were empty",
        NOT_NOTICED,
        rests_on=2,
    ),
    Errors(
        "a made-up key gets no file, with 204",
        [*list_read_twice(200, FILES), made_up(204, b"")],
        "A made-up key gets 204 and no file here, as if the list were empty",
        NOTICED,
        status=204,
        rests_on=2,
    ),
    Errors(
        "a made-up key gets an error",
        [*list_read_twice(200, FILES), made_up(200, STRANGE)],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
        NOTICED,
        rests_on=2,
    ),
]


@pytest.mark.parametrize("row", ERRORS, ids=ids(ERRORS))
def test_errors_that_come_as_successes_are_sure_to_mislead_uploads_and_updates(row: Errors):
    of_errors, _ = conclude_on_errors(evidence_of(*row.probes, settings=row.settings))
    assert of_errors.topic is Topic.ERRORS
    assert Said.of(of_errors) == Said(
        SURE,
        f"They come with {row.status}, which an update takes for a success. {AFTER_UPLOAD}",
    )
    assert of_errors.needs_action
    assert numbers_of(of_errors, row.probes) == [row.rests_on]


@pytest.mark.parametrize("row", ERRORS, ids=ids(ERRORS))
def test_errors_that_come_as_successes_leave_segments_open(row: Errors):
    _, of_segments = conclude_on_errors(evidence_of(*row.probes, settings=row.settings))
    assert of_segments.topic is Topic.SEGMENT
    assert Said.of(of_segments) == Said(
        row.of_segments,
        f"{row.came}, which an update takes for a success; --segment ID tries one. "
        f"{AFTER_UPLOAD}{row.of_lists} Ask the service's support for statuses that fit.",
    )
    assert not of_segments.needs_action
    assert numbers_of(of_segments, row.probes) == [row.rests_on]


class NoErrors(NamedTuple):
    """Replies, of which none is such an error."""

    name: str
    probes: Sequence[Probe]


NO_ERRORS = [
    NoErrors("files", [listed(200, FILES), nowhere()]),
    NoErrors("an error with 400", [listed(400, STRANGE)]),
    NoErrors("a made-up key gets files", [*list_read_twice(200, FILES), made_up(200, FILES)]),
]


@pytest.mark.parametrize("row", NO_ERRORS, ids=ids(NO_ERRORS))
def test_nothing_is_said_of_errors_if_none_comes_as_a_success(row: NoErrors):
    assert conclude_on_errors(evidence_of(*row.probes)) == []
