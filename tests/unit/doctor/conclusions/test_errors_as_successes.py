"""
If an error comes with a 2xx, to a list, a segment or a made-up key, or if a made-up key gets a
success without files where the own key has some, two findings say so, and rest on the first such
reply. Errors is *sure* and needs action: they come with that status, which an update takes for a
success, and an upload for an accepted file. Segment is *not proved*, and *not shown* without a data
key: it quotes the code and the words.

If such a reply came to a list, Segment adds whether reads of lists notice it: they do not if one is
an empty list with a code of an error, or a 200 without files; they notice any other, also a 204. It
adds nothing if none came to a list, not even if a made-up key gets no file besides an error of a
segment. An error with 400, files with 200, a 404 elsewhere, and files for a made-up key, are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
from support.doctor_replies import SETTINGS, changed, error_body, evidence_of
from support.doctor_service import CAMPAIGN_KEY
from wes_provider.doctor.conclusions.limit_conclusions import conclude_on_errors
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.codes import CodeMember
from wes_provider.doctor.replies.probes import Probe
from wes_provider.settings import WesSettings

NOT_SHOWN, NOT_PROVED, SURE = Certainty.NOT_SHOWN, Certainty.NOT_PROVED, Certainty.SURE

STRANGE = error_body("teapot", "Moon phase is unfavourable.")
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


class Errors(NamedTuple):
    """
    Replies, and what is said of them as errors, and of segments.

    :ivar came: how they came.
    :ivar of_lists: what reads of lists make of them; empty if none came to a list.
    :ivar status: with which they came first.
    :ivar rests_on: the place of the read that both findings rest on.
    """

    name: str
    probes: Sequence[Probe]
    came: str
    of_lists: str = ""
    status: int = 200
    rests_on: int = 0


ERRORS = [
    Errors(
        "200 for a list",
        [listed(200, STRANGE)],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
        NOTICED,
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
        "a made-up key gets an error",
        [listed(200, FILES), made_up(200, STRANGE)],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
        NOTICED,
        rests_on=1,
    ),
    Errors(
        "an error for a segment, and a made-up key gets no file",
        [segment(200, STRANGE), listed(200, FILES), made_up(200, [])],
        "Errors come with status 200 here (teapot: 'Moon phase is unfavourable')",
    ),
]


SILENT = [
    Errors(
        "a made-up key gets no file",
        [listed(200, FILES), made_up(200, [])],
        "A made-up key gets 200 and no file here, as if the list were empty",
        NOT_NOTICED,
        rests_on=1,
    ),
    Errors(
        "a made-up key gets no file, with 204",
        [listed(200, FILES), made_up(204, b"")],
        "A made-up key gets 204 and no file here, as if the list were empty",
        NOTICED,
        status=204,
        rests_on=1,
    ),
]


def check_what_misleads(row: Errors) -> None:
    """The finding about errors says with which status they come, and rests on the row's read."""
    of_errors, _ = conclude_on_errors(evidence_of(*row.probes))
    assert of_errors.topic is Topic.ERRORS
    assert Said.of(of_errors) == Said(
        SURE,
        f"They come with {row.status}, which an update takes for a success. {AFTER_UPLOAD}",
    )
    assert of_errors.needs_action
    assert numbers_of(of_errors, row.probes) == [row.rests_on]


@pytest.mark.parametrize("row", ERRORS, ids=ids(ERRORS))
def test_errors_that_come_as_successes_are_sure_to_mislead_uploads_and_updates(row: Errors):
    check_what_misleads(row)


@pytest.mark.parametrize("row", SILENT, ids=ids(SILENT))
def test_a_success_without_files_for_a_made_up_key_is_sure_to_mislead_uploads_and_updates(
    row: Errors,
):
    check_what_misleads(row)


def check_what_is_said_of_segments(row: Errors) -> None:
    """The finding about segments says how the errors came, and rests on the row's read."""
    _, of_segments = conclude_on_errors(evidence_of(*row.probes))
    assert of_segments.topic is Topic.SEGMENT
    assert of_segments.text == (
        f"{row.came}, which an update takes for a success; --segment ID tries one. "
        f"{AFTER_UPLOAD}{row.of_lists} Ask the service's support for statuses that fit."
    )
    assert not of_segments.needs_action
    assert numbers_of(of_segments, row.probes) == [row.rests_on]


@pytest.mark.parametrize("row", ERRORS, ids=ids(ERRORS))
def test_of_segments_is_said_with_which_status_errors_come_and_what_reads_of_lists_make_of_them(
    row: Errors,
):
    check_what_is_said_of_segments(row)


@pytest.mark.parametrize("row", SILENT, ids=ids(SILENT))
def test_of_segments_is_said_with_which_status_a_made_up_key_gets_no_file(row: Errors):
    check_what_is_said_of_segments(row)


class Updates(NamedTuple):
    """Whether there is a data key, and how certain the finding about segments is."""

    name: str
    settings: WesSettings
    certainty: Certainty


UPDATES = [
    Updates("with a data key", SETTINGS, NOT_PROVED),
    Updates("without a data key", NO_DATA_KEY, NOT_SHOWN),
]


@pytest.mark.parametrize("row", UPDATES, ids=ids(UPDATES))
def test_errors_that_come_as_successes_leave_segments_open(row: Updates):
    evidence = evidence_of(listed(200, STRANGE), settings=row.settings)
    _, of_segments = conclude_on_errors(evidence)
    assert of_segments.certainty is row.certainty


class NoErrors(NamedTuple):
    """Replies, of which none is such an error."""

    name: str
    probes: Sequence[Probe]


NO_ERRORS = [
    NoErrors("files, and 404 elsewhere", [listed(200, FILES), nowhere()]),
    NoErrors("an error with 400", [listed(400, STRANGE)]),
    NoErrors("a made-up key gets files", [listed(200, FILES), made_up(200, FILES)]),
]


@pytest.mark.parametrize("row", NO_ERRORS, ids=ids(NO_ERRORS))
def test_nothing_is_said_unless_an_error_or_no_file_for_a_made_up_key_comes_as_a_success(
    row: NoErrors,
):
    assert conclude_on_errors(evidence_of(*row.probes)) == []
