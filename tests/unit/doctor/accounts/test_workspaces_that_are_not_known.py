"""
A refusal that quotes the workspace that was sent misses no header: the login is to be checked. If it
asks *did you mean* and a name, that name is to be put there. Words that nobody is named, without
the workspace, still say that a header is missing.
"""

from __future__ import annotations

import pytest

from support.doctor_service import (
    WORKSPACE,
    Account,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from wes_provider.doctor.report import Report

MEANT = (
    f"No workspace '{WORKSPACE}'. Workspace identifiers are lower-case: did you mean 'acme-eu'?",
    f"Unknown workspace '{WORKSPACE}'; did you mean 'acme-eu'?",
)


def refused(words: str) -> Report:
    """What is reported of an account that refuses each read with these words."""
    error = {"error": {"code": "workspace-unknown", "message": words}}
    report = examined_account(Account(lambda _: json_reply(401, error)))
    check_what_holds_of_each_report(report)
    return report


@pytest.mark.parametrize("words", MEANT)
def test_a_workspace_that_the_service_means_is_to_be_put_in_place_of_the_login(words: str):
    check_says(
        refused(words).verdict,
        ("Not proved: Campaign API key. Refused", "put acme-eu there, or paste the keys"),
    )


def test_a_workspace_that_is_quoted_was_read_so_no_header_is_missing():
    assert "misses a header" not in refused(f"No workspace '{WORKSPACE}' here").verdict


def test_a_workspace_that_nobody_names_may_be_in_another_header():
    check_says(refused("Missing tenant header").verdict, ("The service misses a header",))
