"""
Of the replies to the list at the connection's path, the first counts that settles something, such
as a 404 after a web page or a refusal; else the first. At another path, the first reply counts. Of
the reads of one file at a path, the first success counts, else the last failure; the file that was
read last is the one that is known. A 429, a 5xx or no response never counts, of a list or of a file.
If another header is proved for the workspace, the first read with it is what
came at the list's path, and the read of the path of uploads has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    PAGE,
    at_path,
    ids,
    listed,
    with_headers,
    with_made_up_value,
)
from support.doctor_replies import (
    changed,
    evidence_of,
    request_for,
)
from wes_provider import contract
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.replies.probes import Probe, Question

GIVEN = contract.COUPON_FILES_PATH


def file_at(path: str, status: int, content: Any = b"", file_id: str = "f1") -> Probe:
    """The read of one file at another path."""
    request = request_for(Question.FILE_PATH, path=path, file_id=file_id)
    return at_path(path, status, content, Question.FILE_PATH, request=request)


class Tried(NamedTuple):
    """
    Replies, and what came at each path.

    :ivar lists: which reply counts for a list at a path, from 0; ``files``: of one file.
    :ivar file_id: the file that was read last.
    """

    name: str
    probes: Sequence[Probe]
    lists: Mapping[str, int] = {}
    files: Mapping[str, int] = {}
    file_id: str = MADE_UP


ONE = "/one/{coupon_file_id}"
TRIED = [
    # Reads of lists.
    Tried("nothing", []),
    Tried("the list", [listed(404)], {GIVEN: 0}),
    Tried(
        "the list: a 404 counts after a web page, and before files",
        [listed(200, PAGE), listed(404), listed(200, [])],
        {GIVEN: 1},
    ),
    Tried("the list: files count before a 404", [listed(200, FILES), listed(404)], {GIVEN: 0}),
    Tried("the list: files count after a refusal", [listed(401), listed(200, [])], {GIVEN: 1}),
    Tried(
        "the list: the web page counts if none settles anything",
        [listed(200, PAGE), listed(401)],
        {GIVEN: 0},
    ),
    Tried("the list: a 503 does not count before a 404", [listed(503), listed(404)], {GIVEN: 1}),
    Tried("the list: a 503 alone does not count", [listed(503)]),
    Tried("other paths: a 503 does not count", [at_path("/a", 503), at_path("/a", 404)], {"/a": 1}),
    Tried(
        "other paths: the first reply at each counts",
        [
            listed(404),
            at_path("/a", 404),
            at_path("/b", 200, [], Question.WHOLE_LIST),
            at_path("/a", 200, []),
        ],
        {GIVEN: 0, "/a": 1, "/b": 2},
    ),
    Tried("another path alone", [at_path("/a", 200, [])], {"/a": 0}),
    # Reads of one file.
    Tried(
        "one file: the success counts, whatever comes before and after",
        [
            file_at(ONE, 404),
            file_at(ONE, 200, FILES[0]),
            file_at(ONE, 500, b"", "f3"),
            file_at(ONE, 404, b"", "f2"),
        ],
        files={ONE: 1},
        file_id="f2",
    ),
    Tried(
        "one file: the first of two successes counts",
        [file_at(ONE, 200, FILES[0]), file_at(ONE, 200, FILES[1], "f2")],
        files={ONE: 0},
        file_id="f2",
    ),
    Tried(
        "one file: a 500 is no last read",
        [file_at(ONE, 404), file_at(ONE, 500, b"", "f2")],
        files={ONE: 0},
        file_id="f1",
    ),
    Tried(
        "one file: the last of two failures counts",
        [file_at(ONE, 404), file_at(ONE, 401)],
        files={ONE: 1},
        file_id="f1",
    ),
]


@pytest.mark.parametrize("row", TRIED, ids=ids(TRIED))
def test_of_the_replies_at_a_path_the_one_counts_that_settles_something_or_has_the_file(
    row: Tried,
):
    """The table has reads of lists, then reads of one file."""
    places = facts.places(evidence_of(*row.probes))
    assert {path: id(probe) for path, probe in places.lists.items()} == {
        path: id(row.probes[number]) for path, number in row.lists.items()
    }
    assert [*places.lists] == [*row.lists]
    assert {path: id(probe) for path, probe in places.files.items()} == {
        path: id(row.probes[number]) for path, number in row.files.items()
    }
    assert places.file_id == row.file_id


FOUND_IN_X_APP_ID = [
    listed(401),
    listed(401),
    with_headers("X-App-Id"),
    with_headers("X-App-Id"),
    with_made_up_value("X-App-Id"),
]


def test_a_read_with_a_header_that_is_proved_is_what_came_at_the_path_of_the_list():
    lists = facts.places(evidence_of(*FOUND_IN_X_APP_ID)).lists
    assert {path: id(probe) for path, probe in lists.items()} == {GIVEN: id(FOUND_IN_X_APP_ID[2])}


def test_the_read_of_the_path_of_uploads_has_the_header_that_is_proved():
    read = facts.read_of_upload_path(evidence_of(*FOUND_IN_X_APP_ID))
    assert read == request_for(Question.LIST, changed(workspace_header="X-App-Id"))
