"""
A file that was read alone counts as its own path has it if that has another status than the list,
since tasks read that; the list's status is then said beside it, or that it shows none. If the status is the same, the
counts of the one that has some are taken. Another file that was read does not count. A status of
the list that was no text is said first, and no counts are taken then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_files import (
    FILE_PATH,
    LIST,
    LIST_PATH,
    SETTINGS,
    THREE_ADDED,
    probe,
    rec,
)
from support.doctor_findings import ids
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_list
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads.evidence import Places, file_at, list_at


class Alone(NamedTuple):
    """
    A file as the list has it and as its own path has it, and what is said of the list's files.
    """

    name: str
    in_list: Mapping[str, Any]
    alone: Mapping[str, Any]
    statuses: str
    counts: str


READ_ALONE = [
    Alone(
        "the list has no status",
        rec("f1", ""),
        rec("f1", "SUCCESS", **THREE_ADDED),
        "SUCCESS in the list or a file's own record, which the provider knows. The list shows no "
        "status of some files; tasks read a file's own path.",
        "3 coupons added, 1 duplicate, in file f1.",
    ),
    Alone(
        "the list has the status of before",
        rec("f1", "PENDING"),
        rec("f1", "SUCCESS", **THREE_ADDED),
        "SUCCESS in the list or a file's own record, which the provider knows. The list has file "
        "f1 as PENDING, and its own path, which tasks read, as SUCCESS.",
        "3 coupons added, 1 duplicate, in file f1.",
    ),
    Alone(
        "the list has a status of before, and the other one is not known",
        rec("f1", "PENDING"),
        rec("f1", "LOADED", **THREE_ADDED),
        "LOADED seems to mean success (file f1: coupons were added). Confirm this in the service's "
        "dashboard, then put the extra below into the connection. The list has file f1 as PENDING, "
        "and its own path, which tasks read, as LOADED.",
        "3 coupons added, 1 duplicate, in file f1.",
    ),
    Alone(
        "the list has no counts",
        rec("f1", "SUCCESS"),
        rec("f1", "SUCCESS", **THREE_ADDED),
        "SUCCESS in the list, which the provider knows.",
        "3 coupons added, 1 duplicate, in file f1.",
    ),
    Alone(
        "its own path has no counts",
        rec("f1", "SUCCESS", **THREE_ADDED),
        rec("f1", "SUCCESS"),
        "SUCCESS in the list, which the provider knows.",
        "3 coupons added, 1 duplicate, in file f1.",
    ),
    Alone(
        "another file was read",
        rec("f1", "PENDING"),
        rec("f2", "SUCCESS", **THREE_ADDED),
        "Only PENDING in the list, so what success is called is not shown. --upload URL shows it.",
        "No file with counts was seen, so added coupons cannot be seen.",
    ),
    Alone(
        "the list has characters that were no text",
        rec("f1", "FERTIG\ufffd"),
        rec("f1", "SUCCESS", **THREE_ADDED),
        "FERTIG\ufffd cannot be read: its bytes are not text in the charset that the response "
        "names. Ask the service's support for UTF-8. The list has file f1 as FERTIG\ufffd, and its "
        "own path, which tasks read, as SUCCESS.",
        "No file with counts was seen, so added coupons cannot be seen.",
    ),
]


@pytest.mark.parametrize("row", READ_ALONE, ids=ids(READ_ALONE))
def test_a_file_counts_as_its_own_path_has_it_if_that_has_another_status_or_the_only_counts(
    row: Alone,
):
    lists = {LIST_PATH: probe(list_at(SETTINGS, LIST_PATH, LIST), [row.in_list])}
    request = file_at(SETTINGS, FILE_PATH, LIST, row.alone["_id"])
    tried = Places(lists, {FILE_PATH: probe(request, row.alone)}, row.alone["_id"])
    said = {finding.topic: finding.text for finding in conclude_from_list(SETTINGS, tried)}
    assert said[Topic.STATUSES] == row.statuses
    assert said[Topic.COUNTS] == row.counts
