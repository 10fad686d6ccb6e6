"""
Replies to the same request show each file in their order, by when they were sent: lists, and single
files, of which one without a status has "none". A file is left out if a reply has several records
of it; so is a reply with another key, an error, a reply to another operation, and a list of other
lists' files.

A file has a further status if a later reply to the same request has one that none before it has; no
status is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_reads import FILE_READ, NOWHERE_READ, SEGMENT_READ, error_body
from support.doctor_two_answers import at, listing
from wes_provider.doctor.reads.sights import files_with_further_statuses, sights_by_file
from wes_provider.doctor.replies.files import status_of
from wes_provider.doctor.replies.probes import Keys, Probe


class Seen(NamedTuple):
    """Replies, and the statuses of each file in replies to the same request."""

    name: str
    replies: Sequence[Probe]
    statuses: Sequence[str]


def rec(file_id: str, status: str, **more: str) -> dict[str, str]:
    return {"_id": file_id, "status": status, **more}


SEEN = [
    Seen("nothing", [], []),
    Seen("a list", [listing(1, rec("f1", "A"), rec("f2", "B"))], ["f1 A", "f2 B"]),
    Seen("two lists", [listing(1, rec("f1", "a")), listing(2, rec("f1", "B"))], ["f1 A B"]),
    Seen(
        "two lists, the later one first",
        [listing(2, rec("f1", "B")), listing(1, rec("f1", "A"))],
        ["f1 A B"],
    ),
    Seen(
        "a list and a file",
        [listing(1, rec("f1", "A")), at(2, 200, rec("f1", "B"), FILE_READ)],
        ["f1 A", "f1 B"],
    ),
    Seen(
        "two lists at two paths",
        [listing(1, rec("f1", "A")), at(2, 200, [rec("f1", "B")], NOWHERE_READ)],
        ["f1 A", "f1 B"],
    ),
    Seen(
        "a file without a status",
        [listing(1, {"_id": "f1"}), listing(2, {"_id": "f1", "status": None})],
        ["f1 none none"],
    ),
    Seen(
        "two records of a file",
        [listing(1, rec("f1", "A"), rec("f1", "B"), rec("f2", "B"))],
        ["f2 B"],
    ),
    Seen("a made-up key", [listing(1, rec("f1", "A"), keys=Keys.MADE_UP)], []),
    Seen("an error", [at(1, 404, error_body("a", "b"), FILE_READ)], []),
    Seen("a segment", [at(1, 200, [rec("f1", "A")], SEGMENT_READ)], []),
    Seen("no list", [at(1, 200, {"a": 1})], []),
    Seen("no file", [at(1, 200, {"a": 1}, FILE_READ)], []),
    Seen("another list", [listing(1, rec("f1", "A", coupons_list_id="other"))], []),
]


@pytest.mark.parametrize("row", SEEN, ids=[row.name for row in SEEN])
def test_files_are_seen_in_the_order_of_replies_to_the_same_request(row: Seen):
    seen = [
        " ".join([sights[0].file.id, *(sight.status for sight in sights)])
        for sights in sights_by_file(row.replies)
    ]
    assert seen == row.statuses


FURTHER = [
    Seen("the same", [listing(1, rec("f1", "A")), listing(2, rec("f1", "a"))], []),
    Seen("another", [listing(1, rec("f1", "A")), listing(2, rec("f1", "B"))], ["f1 B"]),
    Seen(
        "another, twice",
        [
            listing(1, rec("f1", "A")),
            listing(2, rec("f1", "B")),
            listing(3, rec("f1", "A")),
            listing(4, rec("f1", "B")),
        ],
        ["f1 B"],
    ),
    Seen("none", [listing(1, rec("f1", "A")), listing(2, {"_id": "f1"})], []),
    Seen("one after none", [listing(1, {"_id": "f1"}), listing(2, rec("f1", "A"))], ["f1 A"]),
    Seen(
        "another at another path",
        [listing(1, rec("f1", "A")), at(2, 200, rec("f1", "B"), FILE_READ)],
        [],
    ),
]


@pytest.mark.parametrize("row", FURTHER, ids=[row.name for row in FURTHER])
def test_a_further_status_is_one_that_a_later_reply_to_the_same_request_has(row: Seen):
    further = files_with_further_statuses(row.replies)
    assert [f"{file.id} {status_of(file)}" for file in further] == row.statuses
