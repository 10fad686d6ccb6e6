"""
The verdict of a ready account says that it is no production if a reply says so: a header such as
X-Environment: sandbox, a member livemode: false, or mode: test within meta. A header X-Env:
production with livemode: true, and a name that is "test" with sandbox: false, do not.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    Account,
    examined_account,
)


class Mark(NamedTuple):
    """How a service says that it is a test environment, or not."""

    headers: dict[str, str]
    members: dict[str, object]
    is_test: bool


MARKS = [
    Mark({"X-Environment": "sandbox"}, {}, is_test=True),
    Mark({}, {"livemode": False}, is_test=True),
    Mark({}, {"meta": {"mode": "test"}}, is_test=True),
    Mark({"X-Env": "production"}, {"livemode": True}, is_test=False),
    Mark({}, {"name": "test", "sandbox": False}, is_test=False),
]


@pytest.mark.parametrize("mark", MARKS, ids=[f"{row.headers} {row.members}" for row in MARKS])
def test_the_verdict_says_that_a_ready_account_is_a_test_environment_if_its_replies_do(mark: Mark):
    account = Account(
        list_body=lambda records: {"data": records, **mark.members}, list_headers=mark.headers
    )

    report = examined_account(account)

    assert report.works
    assert ("Replies say that this is no production" in report.verdict) is mark.is_test
