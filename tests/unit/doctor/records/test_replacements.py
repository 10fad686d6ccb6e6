"""
An upload seems to replace earlier files of its list if one of them has the new file's identifier or
name since then, a status that says so, or is current no more; if the coupons of several fell to 0,
or more than a few of one; or if several have a status of what was taken back. It does not if files
went on their way, or a node has them so; with another word for one state; with a position or the
last few coupons of one file; nor if a single one expired, or has several records. A number of
coupons beside the files says so if it falls to what one upload added.

The verdict begins with that, and proposes no status.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_files import LIST_PATH, followed, probe, rec
from support.doctor_replies import SETTINGS
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads.evidence import list_at
from wes_provider.doctor.records.replacements import fallen_totals, replaced_files
from wes_provider.doctor.replies.files import file_of
from wes_provider.models import CouponFile

Record = Mapping[str, Any]
NEW = rec("new", "COMPLETED", name="new.csv", coupons_added=3)


class Case(NamedTuple):
    """The earlier files before an upload and since, and what is said of them; empty for nothing."""

    name: str
    before: Sequence[Record]
    after: Sequence[Record]
    says: str = ""


def done(file_id: str = "f1", status: str = "COMPLETED", **more: Any) -> Record:
    return rec(file_id, status, coupons_added=7, **more)


BOTH = [done("f1", remaining=640), done("f2", remaining=2)]
CASES = [
    Case(
        "superseded by it",
        [done("f1"), done("f2")],
        [done("f1", "SUPERSEDED", superseded_by="new"), done("f2", "SUPERSEDED")],
        "Since the upload, 2 other files have changed: SUPERSEDED, superseded_by has the new "
        "file's identifier",
    ),
    Case(
        "a list of successors, by name",
        [done()],
        [done(history=["new.csv"])],
        "another file has changed: history has the new file's name",
    ),
    Case("replaced, by its status", [done()], [done(status="REPLACED")], "changed: REPLACED"),
    Case("current no more", [done(is_current=True)], [done(is_current=False)], "is_current false"),
    Case(
        "no coupons of two left",
        BOTH,
        [done("f1", remaining=0), done("f2", remaining=0)],
        "2 other files have changed: remaining 0",
    ),
    Case(
        "many coupons of one gone",
        [done(remaining=640)],
        [done(remaining=0)],
        "another file has changed: remaining 0",
    ),
    Case(
        "two archived",
        [done("f1"), done("f2")],
        [done("f1", "ARCHIVED"), done("f2", "ARCHIVED")],
        "2 other files have changed: ARCHIVED",
    ),
    Case("the same", BOTH, BOTH),
    Case("gone on", [rec("f1", "PENDING", rows_left=900)], [done(rows_left=0)]),
    Case("a node behind", [done()], [rec("f1", "PROCESSING", coupons_added=0)]),
    Case("another word", [done()], [done(status="FERTIG")]),
    Case("the last coupons of one", [done(remaining=2)], [done(remaining=0)]),
    Case("one that expired", [done()], [done(status="EXPIRED")]),
    Case("a position", [done(queue_position=40)], [done(queue_position=0)]),
    Case("what is verbose no more", [done(verbose=True)], [done(verbose=False)]),
    Case("a history", [done(), done(remaining=640)], [done(remaining=0), done(remaining=0)]),
    Case("a file that left", [done(remaining=640)], []),
    Case("a new one beside it", [], [done(status="REPLACED")]),
]


def files_of(records: Sequence[Record]) -> list[CouponFile]:
    return [file for file in map(file_of, records) if file is not None]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_an_upload_seems_to_replace_files_that_changed_since_and_were_not_on_their_way(case: Case):
    (new,) = files_of([NEW])
    after = [new, *files_of(case.after)]
    found = replaced_files(files_of(case.before), after, new, Statuses())
    assert bool(found) == bool(case.says)
    assert case.says in str(found)


class Total(NamedTuple):
    """A number beside a list's files before an upload of 3 coupons and since; whether it fell."""

    name: str
    where: str
    before: Any
    after: Any
    has_fallen: bool = False


TOTALS = [
    Total("to what was added", "list.coupons_available", 2417, 3, has_fallen=True),
    Total("to 0", "list.coupons_available", 2417, 0, has_fallen=True),
    Total("by some", "list.coupons_available", 2417, 2410),
    Total("a small one", "list.coupons_available", 9, 3),
    Total("of something else", "list.requests", 2417, 3),
    Total("no number before", "list.coupons_available", None, 3),
]


@pytest.mark.parametrize("row", TOTALS, ids=[row.name for row in TOTALS])
def test_a_total_of_coupons_that_falls_to_what_one_upload_added_is_named(row: Total):
    fallen = fallen_totals({row.where: row.before}, {row.where: row.after}, 3)
    assert bool(fallen) == row.has_fallen
    assert fallen_totals({row.where: row.before}, {row.where: row.after}, None) == []


def test_the_verdict_begins_with_replaced_files_and_proposes_none_of_their_statuses():
    upload = followed(
        NEW,
        others=[done("f1", "SUPERSEDED", superseded_by="new")],
        before=[done("f1")],
    )
    replies = [probe(list_at(SETTINGS, LIST_PATH, "spring"), [done("f1")])]
    findings = conclude_from_upload(SETTINGS, upload, "new.csv", replies)
    (finding,) = [finding for finding in findings if finding.topic is Topic.STATUSES]
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.is_cause
    assert "Upload nothing more before the service's support has said" in finding.text
    assert finding.settings == finding.guesses == {}
