"""
The advice follows the words of a refusal. A key that was replaced is to be copied, and not pasted
again; a version that has ended needs a newer provider; an identifier that is no valid UUID is to be
put in in that form; a workspace that is not on this shard, as each read with either key says, is
probably on another one. An upload that gets a 503, since imports are paused until an hour, was not
done in all likelihood, and is to be repeated then; without an hour, when the pause is over.

A key, a version and a pause are told by the words of the message or of the code; a form and a
place by the message alone.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.doctor_effects import (
    Case,
    below,
    check,
)
from support.doctor_service import (
    WORKSPACE,
    Account,
    error_reply,
)
from support.servers import Reply

NEW_FILE = "https://files.example.com/new.csv"
UPLOAD = {"file_url": NEW_FILE}
SUPERSEDED = error_reply(401, "key_superseded", "This key was replaced on 2026-11-19.")
PAUSED = error_reply(503, "paused", "Imports are paused until 06:30 UTC.")
OLD_VERSION = error_reply(410, "sunset", "Version 1 of this API was shut down. See version 2.")
COPY_KEY = ("Not ready: Campaign API key.", "copy the current key")
NOTHING_DONE = (
    "Not proved: Upload.",
    "so nothing was done in all likelihood. Wait until it is over",
)


def campaign_key_gets(reply: Reply) -> Callable[[], Account]:
    return lambda: Account(lambda call: reply if call.key == "campaign" else None)


def upload_gets(reply: Reply) -> Callable[[], Account]:
    return lambda: Account(lambda call: reply if call.method == "POST" else None)


WORDS = [
    Case(
        "a key that was replaced",
        campaign_key_gets(SUPERSEDED),
        ("Not ready: Campaign API key.", "replaced on", "copy the current key"),
        absent=("paste it again",),
    ),
    Case(
        "a key that was replaced, by the code alone",
        campaign_key_gets(error_reply(401, "key_superseded", "Denied.")),
        COPY_KEY,
        absent=("paste it again",),
    ),
    Case(
        "a key that was replaced, by the message alone",
        campaign_key_gets(error_reply(401, "denied", "This key was replaced on 2026-11-19.")),
        COPY_KEY,
        absent=("paste it again",),
    ),
    Case(
        "a version that has ended",
        below("/v1/", OLD_VERSION),
        ("'Version 1 of this API was shut down", "no setting changes: ask", "newer provider"),
    ),
    Case(
        "a version that has ended, by the code alone",
        below("/v1/", error_reply(410, "version_sunset", "See our news.")),
        ("no setting changes: ask", "newer provider"),
    ),
    Case(
        "an identifier in another form",
        below("/", error_reply(400, "invalid", f"SVC-APPKEY: '{WORKSPACE}' is not a valid UUID")),
        ("is not a valid UUID", "Workspace identifier (login) in another form only (UUID)"),
    ),
    Case(
        "another form, by the code alone, which does not tell",
        below("/", error_reply(400, "not_a_valid_uuid", f"SVC-APPKEY: '{WORKSPACE}'")),
        ("SVC-APPKEY holds the Workspace identifier: check it",),
        absent=("in another form",),
    ),
    Case(
        "another shard",
        below(
            "/",
            error_reply(
                404, "no_workspace", f"Workspace {WORKSPACE} is not provisioned on shard 01."
            ),
        ),
        ("probably of another shard: find out which", "If it is this shard, check the Workspace"),
    ),
    Case(
        "another shard, by the code alone",
        below("/", error_reply(400, "workspace_not_on_this_shard", "Sorry.")),
        ("probably of another shard: find out which", "If it is this shard, check the Workspace"),
    ),
    Case(
        "no changes at the moment",
        upload_gets(PAUSED),
        ("Not proved: Upload.", "so nothing was done in all likelihood. Wait until then, and"),
        absent=("may have done it or not",),
        options=UPLOAD,
    ),
    Case(
        "no changes at the moment, by the code alone",
        upload_gets(error_reply(503, "imports_paused", "Sorry.")),
        NOTHING_DONE,
        absent=("may have done it or not",),
        options=UPLOAD,
    ),
    Case(
        "no changes at the moment, by the message alone",
        upload_gets(error_reply(503, "sorry", "Imports are paused.")),
        NOTHING_DONE,
        absent=("may have done it or not",),
        options=UPLOAD,
    ),
    Case(
        "an hour, but no pause of changes",
        upload_gets(error_reply(503, "sorry", "Back at 06:30 UTC.")),
        ("Not ready: Upload.", "the service may have done it or not"),
        absent=("in all likelihood",),
        options=UPLOAD,
    ),
]


@pytest.mark.parametrize("case", WORDS, ids=[case.name for case in WORDS])
def test_the_advice_about_a_key_a_version_an_identifier_a_place_or_a_pause_follows_the_words(
    case: Case,
):
    check(case)
