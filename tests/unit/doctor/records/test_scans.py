"""
A file in quarantine is there after a scan if its record has a member about that (scan, virus,
threat), or one that names what was found, or if a status such as SCANNING came before it. What was
found is quoted before other members. Another status, a clean result, and moments say nothing.

Beside 0 coupons added, it then seems to have failed, which is a guess, and the next step is another
file, or its release; with coupons added, or without a scan, it may mean either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_files import NONE_ADDED, NOT_PROVED, SaidOfFiles, UploadCase, followed, rec
from support.doctor_findings import ids
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.records.meanings import Means, meaning_of
from wes_provider.doctor.records.scans import scan_says
from wes_provider.doctor.replies.files import file_of


class Scanned(NamedTuple):
    """What a record has, the statuses before, and what is said of a scan; empty for nothing."""

    name: str
    members: Mapping[str, Any]
    says: str = ""
    before: Sequence[str] = ()
    status: str = "QUARANTINED"


SIGNATURE = {"scan": {"engine": "ClamAV", "signature": "Eicar", "finished_at": "2026-11-28"}}
SCANNED = [
    Scanned("a signature", SIGNATURE, "scan.signature is 'Eicar'"),
    Scanned("an engine alone", {"scan": {"engine": "ClamAV"}}, "scan.engine is 'ClamAV'"),
    Scanned("a virus", {"virus_name": "X97M"}, "virus_name is 'X97M'"),
    Scanned("what it found", {"detail": "Trojan found"}, "detail is 'Trojan found'"),
    Scanned("a status before", {}, "SCANNING was before it", before=["PENDING", "SCANNING"]),
    Scanned("another status before", {}, before=["PENDING", "CHECKING"]),
    Scanned("another status", SIGNATURE, status="ARCHIVED"),
    Scanned("a clean result", {"scan": {"engine": "ClamAV", "result": "clean"}}),
    Scanned("a moment", {"scan_finished_at": "2026-11-28"}),
    Scanned("the name of the file", {"name": "virus.csv"}),
    Scanned("nothing", {}),
]


@pytest.mark.parametrize("row", SCANNED, ids=[row.name for row in SCANNED])
def test_a_quarantine_comes_after_a_scan_by_its_record_or_the_statuses_before(row: Scanned):
    file = file_of(rec("up", row.status, **row.members))
    assert file is not None
    assert scan_says(file, row.before) == row.says


class Counted(NamedTuple):
    """What a file in quarantine has, and whether it seems to have failed, or may be either."""

    name: str
    members: Mapping[str, Any]
    has_failed: bool


COUNTED = [
    Counted("none added, after a scan", {**SIGNATURE, **NONE_ADDED}, has_failed=True),
    Counted("added, after a scan", {**SIGNATURE, "coupons_added": 1}, has_failed=False),
    Counted("no count, after a scan", SIGNATURE, has_failed=False),
    Counted("none added, without a scan", NONE_ADDED, has_failed=False),
]


@pytest.mark.parametrize("row", COUNTED, ids=[row.name for row in COUNTED])
def test_a_quarantine_after_a_scan_without_coupons_seems_to_be_a_failure(row: Counted):
    file = file_of(rec("up", "QUARANTINED", **row.members))
    assert file is not None
    meaning = meaning_of(file, CountNames())
    assert meaning.means is Means.FAILURE
    assert not meaning.sure
    assert meaning.is_either is not row.has_failed


SAID = [
    UploadCase(
        "SCANNING, then QUARANTINED",
        followed(rec("up", "QUARANTINED", **NONE_ADDED), ("PENDING", "SCANNING")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SCANNING → QUARANTINED, which lasted and may mean failure: QUARANTINED "
            "after a scan: SCANNING was before it, and no coupon was added. Run this again with "
            "another file, or have whoever runs the scanner release this one. SCANNING came before "
            "it. Confirm this in the service's dashboard, then put the extra below into the "
            "connection.",
            {"pending": ["SCANNING"], "failure": ["QUARANTINED"]},
        ),
    ),
]


@pytest.mark.parametrize("row", SAID, ids=ids(SAID))
def test_another_file_or_the_release_of_this_one_is_the_next_step(row: UploadCase):
    row.check(Topic.STATUSES)
