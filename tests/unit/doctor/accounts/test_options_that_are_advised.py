"""
If changes are refused, and no read shows what they would, the report advises ``--upload``,
``--catalog`` and ``--segment`` if the command was without them. If all of them were given, it
advises none, and the Upload says what the key lacks.
"""

from __future__ import annotations

import pytest

from support.doctor_service import (
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    not_found,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic

NEW_FILE = "https://files.example.com/new.csv"


def changes_refused(call: Call) -> Reply | None:
    """Each of the three changes is refused, and no read shows what it would."""
    if call.method != "GET":
        return json_reply(403, {"error": {"code": "no-scope", "message": "Missing scope."}})
    return not_found("path") if call.path.startswith("/v3/") else None


def test_no_option_is_advised_that_was_given():
    account = Account(changes_refused)
    options = {"file_url": NEW_FILE, "catalog": "shoes", "segment_id": "s"}
    report = examined_account(account, **options)
    texts = " ".join(finding.text for finding in report.findings)
    assert "--" not in texts
    assert "a key with what it lacks" in about(report, Topic.UPLOAD).text


@pytest.mark.parametrize("option", ["--upload", "--catalog", "--segment"])
def test_an_option_is_advised_that_was_not_given(option: str):
    report = examined_account(Account(changes_refused))
    assert option in " ".join(finding.text for finding in report.findings)
