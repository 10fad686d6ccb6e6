"""
The advice follows the words of a refusal. A key that was replaced is to be copied, and not pasted
again; a version that has ended needs a newer provider; an identifier that is no valid UUID is to be
put in in that form; a workspace that is not on this shard is probably on another one. An upload
that gets a 503, since imports are paused until an hour, was not done in all likelihood, and is to
be repeated then.
"""

from __future__ import annotations

import pytest

from support.doctor_effects import Case, below, check, error
from support.doctor_service import (
    WORKSPACE,
    Account,
)

NEW_FILE = "https://files.example.com/new.csv"
UPLOAD = {"file_url": NEW_FILE}
SUPERSEDED = error(401, "key_superseded", "This key was replaced on 2026-11-19.")
PAUSED = error(503, "paused", "Imports are paused until 06:30 UTC.")
OLD_VERSION = error(410, "sunset", "Version 1 of this API was shut down. See version 2.")
WORDS = [
    Case(
        "a key that was replaced",
        lambda: Account(lambda call: SUPERSEDED if call.key == "campaign" else None),
        ("Not ready: Campaign API key.", "replaced on", "copy the current key"),
        absent=("paste it again",),
    ),
    Case(
        "a version that has ended",
        below("/v1/", OLD_VERSION),
        ("'Version 1 of this API was shut down", "no setting changes: ask", "newer provider"),
    ),
    Case(
        "an identifier in another form",
        below("/", error(400, "invalid", f"SVC-APPKEY: '{WORKSPACE}' is not a valid UUID")),
        ("is not a valid UUID", "Workspace identifier (login) in another form only (UUID)"),
    ),
    Case(
        "another shard",
        below(
            "/",
            error(404, "no_workspace", f"Workspace {WORKSPACE} is not provisioned on shard 01."),
        ),
        ("probably of another shard: find out which", "If it is this shard, check the Workspace"),
    ),
    Case(
        "no changes at the moment",
        lambda: Account(lambda call: PAUSED if call.method == "POST" else None),
        ("Not proved: Upload.", "so nothing was done in all likelihood. Wait until then, and"),
        absent=("may have done it or not",),
        options=UPLOAD,
    ),
]


@pytest.mark.parametrize("case", WORDS, ids=[case.name for case in WORDS])
def test_the_advice_about_a_key_a_version_an_identifier_a_place_or_a_pause_follows_the_words(
    case: Case,
):
    check(case)
