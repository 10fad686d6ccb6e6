"""
If the status of the uploaded file is a number or an object, or stands under another name such as
state, Statuses is *wrong* and says what it is; the file is not followed for that: fewer than 15
reads are sent. If the file has no status at first, and a known success later, the upload works.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_followed import (
    NOTHING,
    FollowedAccount,
)
from support.doctor_service import about
from wes_provider.doctor.findings.finding import Certainty, Topic

MOST_READS_WITHOUT_A_WAIT = 15


class NoString(NamedTuple):
    """A status that is no string, and what is said of it."""

    name: str
    status: Any
    says: str
    more: Mapping[str, Any] = NOTHING


NO_STRINGS = [
    NoString("a number", 7, "The file has status 7, but the provider reads a string under status"),
    NoString("an object", {"code": "OK"}, 'The file has status {"code":"OK"}, but'),
    NoString("another name", None, 'The file has state "DONE", but', {"state": "DONE"}),
]


@pytest.mark.parametrize("row", NO_STRINGS, ids=[row.name for row in NO_STRINGS])
def test_a_status_that_is_no_string_is_told_as_what_it_is(row: NoString):
    account = FollowedAccount([(0, row.status, row.more)])
    report = account.examine(timeout=60.0)
    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is Certainty.WRONG
    assert statuses.text.startswith(row.says)
    assert len(account.reads) < MOST_READS_WITHOUT_A_WAIT


def test_an_upload_works_whose_file_has_no_status_at_first():
    stages = [(0, None, NOTHING), (3.0, "SUCCESS", {"coupons_added": 5, "coupons_duplicate": 0})]
    assert FollowedAccount(stages).examine(timeout=60.0).works
