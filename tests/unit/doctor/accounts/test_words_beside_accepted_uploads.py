"""
What the reply to an accepted upload warns of is quoted: a member that is named like a warning, a
sentence of what ends, a header that announces an end. What it says of each upload is not. A freeze of
changes with a date is waited for; without one, or for a key that may only read, it is not. A file
that is not in effect yet says when it is, and is not to be uploaded again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_files import followed
from support.doctor_findings import listed
from support.doctor_notices import FILES
from support.doctor_replies import SETTINGS, evidence_of, reply
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.conclusions.notices import conclude_on_notices
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.replies.probes import Question
from wes_provider.doctor.replies.remedies import says_when_writes_return


class Case(NamedTuple):
    """What the reply to an upload has besides, and what is quoted of it; empty for nothing."""

    name: str
    beside: Mapping[str, Any]
    says: str = ""
    headers: Mapping[str, str] = {}


CASES = [
    Case(
        "a warning",
        {"warnings": ["created_by is missing. It will be required from 2027-01-01."]},
        "warnings: created_by is missing. It will be required from 2027-01-01. See whether",
    ),
    Case("a caution", {"meta": {"caution": "Use the new host."}}, "meta.caution: Use the new"),
    Case(
        "an end in a message",
        {"message": "This endpoint is deprecated. Use v2."},
        "message: This endpoint is deprecated. Use v2.",
    ),
    Case(
        "a header",
        {},
        "Sunset: Fri, 01 Jan 2027 00:00:00 GMT",
        {"sunset": "Fri, 01 Jan 2027 00:00:00 GMT"},
    ),
    Case("what was done", {"message": "The file will be processed soon."}),
    Case("an empty array", {"warnings": []}),
    Case("no sentence", {"warnings": ["none"]}),
    Case("nothing", {}),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_what_the_reply_to_an_upload_warns_of_is_quoted(case: Case):
    content = {"_id": "new", "status": "PENDING", **case.beside}
    uploaded = reply(201, content, dict(case.headers), question=Question.WRITE)
    findings = conclude_on_notices(evidence_of(listed(content=FILES)), [uploaded])
    text = " ".join(finding.text for finding in findings)
    assert bool(text) == bool(case.says)
    assert case.says in text
    assert all(finding.needs_action for finding in findings)


class Freeze(NamedTuple):
    """Words of a refusal, and whether they say from when on changes are taken."""

    words: str
    says_when: bool


FREEZES = [
    Freeze("Coupon imports are frozen. They reopen on 2026-12-01T06:00:00Z.", says_when=True),
    Freeze("Uploads are suspended until 2026-12-01.", says_when=True),
    Freeze("Changes are blocked for the season; this resumes at 06:00 UTC.", says_when=True),
    Freeze("Coupon imports are frozen.", says_when=False),
    Freeze("This key is read-only.", says_when=False),
    Freeze("Uploads are disabled since 2026-11-01.", says_when=False),
    Freeze("The list reopens on 2026-12-01.", says_when=False),
]


@pytest.mark.parametrize("row", FREEZES, ids=[row.words for row in FREEZES])
def test_a_freeze_is_waited_for_if_it_says_until_when(row: Freeze):
    assert says_when_writes_return(row.words) == row.says_when


def test_a_file_that_is_to_take_effect_later_is_not_uploaded_again():
    record = {
        "_id": "new",
        "status": "COMPLETED",
        "coupons_added": 3,
        "live": False,
        "effective_at": "2999-01-01T00:00:00Z",
    }
    findings = conclude_from_upload(SETTINGS, followed(record), "new.csv")
    (finding,) = [finding for finding in findings if finding.topic is Topic.STATUSES]
    assert "By effective_at 2999-01-01T00:00:00Z, that changes later" in finding.text
    assert "do not upload the file again" in finding.text
    assert "only check files" not in finding.text
