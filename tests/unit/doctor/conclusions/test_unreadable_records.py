"""
Records of the list at the connection's path that have no ``_id`` make Records wrong: it names their
properties and a media type of HAL, says that no setting maps properties and that the path is not at
fault, and rests on that read. Nothing is said if nothing was read, if there are files, no file or a
404, or if such objects are at another path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import FILES, NOT_FOUND, Said, ids, nowhere
from support.doctor_paths import WITHOUT_ID, WRONG, given_list, list_elsewhere
from support.doctor_replies import evidence_of
from wes_provider.doctor.conclusions.list_conclusions import records
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe


class Unreadable(NamedTuple):
    """Reads, and what is said of the records."""

    name: str
    probes: Sequence[Probe]
    text: str


UNREADABLE = [
    Unreadable(
        "without an identifier",
        [given_list(200, WITHOUT_ID)],
        "/v1/coupon-list/{coupon_list_id}/files has 1 object without _id, which "
        "the provider cannot read. They have id, name; no setting maps properties, "
        "and the path is not at fault: ask the service's support for an array of "
        "files, or an object with it under data, each file with a string under _id "
        "and one under status, and its counts of coupons as numbers; the path "
        "of one file has to reply with such a file, too.",
    ),
    Unreadable(
        "without an identifier, with a media type of HAL",
        [given_list(200, WITHOUT_ID, headers={"content-type": "application/hal+json"})],
        "/v1/coupon-list/{coupon_list_id}/files has 1 object without _id, which "
        "the provider cannot read. They come as HAL (application/hal+json). They "
        "have id, name; no setting maps properties, and the path is not at fault: "
        "ask the service's support for an array of files, or an object with it "
        "under data, each file with a string under _id and one under status, and "
        "its counts of coupons as numbers; the path of "
        "one file has to reply with such a file, too.",
    ),
    Unreadable(
        "without properties",
        [given_list(200, [{}])],
        "/v1/coupon-list/{coupon_list_id}/files has 1 object without _id, which "
        "the provider cannot read. They have no properties; no setting maps "
        "properties, and the path is not at fault: ask the service's support for "
        "an array of files, or an object with it under data, each file with a "
        "string under _id and one under status, and its counts of coupons as "
        "numbers; the path of "
        "one file has to reply with such a file, too.",
    ),
]


@pytest.mark.parametrize("row", UNREADABLE, ids=ids(UNREADABLE))
def test_records_without_an_identifier_are_wrong(row: Unreadable):
    (finding,) = records(facts.places(evidence_of(*row.probes)))
    assert finding.topic is Topic.RECORDS
    assert Said.of(finding) == Said(WRONG, row.text)


def test_the_finding_about_records_rests_on_the_read_that_has_the_list():
    with_list = given_list(200, WITHOUT_ID)
    reads = [with_list, list_elsewhere(404, NOT_FOUND), nowhere()]
    (finding,) = records(facts.places(evidence_of(*reads)))
    assert finding.probes == (with_list,)


class Readable(NamedTuple):
    """Reads of which nothing is said."""

    name: str
    probes: Sequence[Probe]


READABLE = [
    Readable("nothing was read", []),
    Readable("files", [given_list(200, FILES)]),
    Readable("no file", [given_list(200, [])]),
    Readable("404", [given_list(404, NOT_FOUND)]),
    Readable(
        "objects without an identifier at another path than the connection's",
        [given_list(404, NOT_FOUND), list_elsewhere(200, WITHOUT_ID)],
    ),
]


@pytest.mark.parametrize("row", READABLE, ids=ids(READABLE))
def test_nothing_is_said_of_records_if_the_connections_path_has_none_that_cannot_be_read(
    row: Readable,
):
    assert records(facts.places(evidence_of(*row.probes))) == []
