"""
An accepted file whose record names another list than the upload was sent to is *Not proved*, and
comes first: it says which list, and what to look for. That holds for the record of the response as
well as for the one that was seen last. A record that names no list, or the same one, is no other
one. If one request made two files, that is said in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_changes import ACCEPTED_FOR_UPLOAD, OPTIONS, SETTINGS, WRITES, probe_of, reply
from support.doctor_findings import ids
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.writes.write import conclude_from_write
from wes_provider.models import CouponFile

ACCEPTED = "Accepted as coupon file f1."
ELSEWHERE = (
    "Accepted as coupon file f1, but its record names the list archive, and it was sent to LIST: "
    "its coupons may be in that list. Look in the service's dashboard which of the two has them, "
    "and whether archive is another name of LIST; ask the service's support why. Upload nothing "
    "before that."
)
SENT_TO = probe_of(Topic.UPLOAD, reply(201)).request.coupon_list_id


class Record(NamedTuple):
    """The lists that the response and the record that was seen last name, and what is said."""

    name: str
    in_response: str
    seen: str | None
    certainty: Certainty
    text: str


RECORDS = [
    Record("none", "", None, Certainty.SURE, ACCEPTED),
    Record("none, and none later", "", "", Certainty.SURE, ACCEPTED),
    Record("the same", SENT_TO, SENT_TO, Certainty.SURE, ACCEPTED),
    Record("another one", "archive", None, Certainty.NOT_PROVED, ELSEWHERE),
    Record("another one later", SENT_TO, "archive", Certainty.NOT_PROVED, ELSEWHERE),
    Record("another one, and the same later", "archive", SENT_TO, Certainty.NOT_PROVED, ELSEWHERE),
]


def said_of(row: Record, made: Sequence[CouponFile] = ()) -> list[Finding]:
    """What is said of an upload."""
    record = {"_id": "f1", "status": "PENDING", "coupons_list_id": row.in_response}
    seen = None
    if row.seen is not None:
        seen = CouponFile("f1", coupon_list_id=row.seen)
    return conclude_from_write(
        WRITES[Topic.UPLOAD],
        probe_of(Topic.UPLOAD, reply(201, record)),
        SETTINGS,
        OPTIONS,
        made=made,
        seen=seen,
    )


@pytest.mark.parametrize("row", RECORDS, ids=ids(RECORDS))
def test_an_upload_is_not_proved_if_its_record_names_another_list(row: Record):
    finding, *besides = said_of(row)
    text = row.text.replace("LIST", SENT_TO)
    assert (finding.topic, finding.certainty, finding.text) == (Topic.UPLOAD, row.certainty, text)
    assert finding.is_cause is (row.certainty is Certainty.NOT_PROVED)
    said = [(beside.topic, beside.certainty, beside.text) for beside in besides]
    assert said == ACCEPTED_FOR_UPLOAD


def test_two_files_of_one_request_are_said_before_another_list():
    elsewhere = RECORDS[3]
    finding, *_ = said_of(elsewhere, made=[CouponFile("f1"), CouponFile("f2")])
    assert finding.text.startswith("One request made 2 files of its name")
