"""
The list lacks an uploaded file that it had if a later read has a whole list with neither the file
nor one of its name; a part of a list and an error show nothing. A file of its name with another
identifier is its successor; from then on, the list does not lack it. If the file's own path gets a
404 later, the first such reply is noted. If it gets a 410, the file is gone, and its last record
stays. So it is after a 404 for longer than a task bears one, if the list lacks it in the end, too,
and no read has it again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_followers import (
    PENDING,
    SUCCESSOR,
    followed_file,
    uploaded_record,
)
from support.doctor_service import json_reply, not_found, record

OTHER = record("g1")


class Later(NamedTuple):
    """What the list has after it had the file, and whether it then lacks the file."""

    name: str
    body: Any
    is_lacking: bool


LATER = [
    Later("another file", [OTHER], is_lacking=True),
    Later("no file", [], is_lacking=True),
    Later(
        "another file, and more on a next page",
        {"data": [OTHER], "has_more": True},
        is_lacking=False,
    ),
    Later("an error", json_reply(500, {}), is_lacking=False),
    Later("a file of the same name", [SUCCESSOR], is_lacking=False),
]


@pytest.mark.parametrize("row", LATER, ids=ids(LATER))
def test_a_file_is_lacking_if_a_whole_list_that_had_it_has_neither_it_nor_its_name_later(
    row: Later,
):
    def listed(seconds: float) -> Any:
        return [uploaded_record()] if seconds < 5 else row.body

    followed = followed_file(listed, lambda seconds: PENDING if seconds < 10 else uploaded_record())
    assert (followed.lacking is not None) is row.is_lacking


def test_a_list_that_has_a_successor_of_the_file_does_not_lack_it_later():
    # The last three reads of the list are half a second apart.
    bodies = iter([[uploaded_record()], [SUCCESSOR], [OTHER], [OTHER], [OTHER]])
    followed = followed_file(lambda _: next(bodies), lambda _: uploaded_record())
    assert followed.successor is not None
    assert followed.successor.id == "f9"
    assert followed.lacking is None


def test_the_first_reply_that_lacked_the_file_is_noted():
    # The read of the search, that which proves the success, then the last three.
    replies = iter(
        [uploaded_record()] * 3 + [not_found("one"), not_found("two"), not_found("three")]
    )
    followed = followed_file(lambda _: [uploaded_record()], lambda _: next(replies))
    assert followed.lacking_alone is not None
    assert followed.lacking_alone.lacked.message == "no such one"


def test_a_file_that_is_gone_is_noted_with_its_last_record():
    replies = iter([uploaded_record()] * 3 + [json_reply(410, {})] * 3)
    followed = followed_file(lambda _: [uploaded_record()], lambda _: next(replies))
    assert followed.gone is not None
    assert followed.lacking_alone is None
    assert followed.file.status == "SUCCESS"


class Removed(NamedTuple):
    """What list and path have of a file from the sixth second on, and whether it is gone."""

    name: str
    listed: list[Any]
    back_after: float
    is_gone: bool


NEVER = 10_000.0  # seconds
REMOVED = [
    Removed("neither has it", [OTHER], NEVER, is_gone=True),
    Removed("the list has it", [uploaded_record()], NEVER, is_gone=False),
    Removed("the path has it again after 30 s", [OTHER], 30.0, is_gone=False),
]


@pytest.mark.parametrize("row", REMOVED, ids=ids(REMOVED))
def test_a_file_is_gone_if_neither_the_list_nor_its_path_has_it_any_more(row: Removed):
    processing = {**PENDING, "status": "PROCESSING"}

    def listed(seconds: float) -> Any:
        return [processing] if seconds < 6 else row.listed

    def alone(seconds: float) -> Any:
        return processing if seconds < 6 or seconds > row.back_after else not_found("file")

    followed = followed_file(listed, alone)
    assert (followed.gone is not None) is row.is_gone
    if row.is_gone:
        assert (followed.lacking, followed.lacking_alone) == (None, None)
        assert followed.statuses[-1] == "PROCESSING"
