"""
A header is missed if an error of the list says, in its message or its code, that a header or an
account is missing. It has to have a word for missing (missing, required, absent, needs, not sent,
not given and so on, also in German, French and Spanish) with at most 40 characters between its
beginning (miss) and "header", tenant, workspace, account, client, app, organization, project or API
version; or "no", "unknown" or "without" directly before one of these. Then the usual headers are
tried. Words about authorization, an API key or credentials, and one of the two words alone, miss no
header and start no search.
"""

from __future__ import annotations

import pytest

from support.doctor_header_reads import (
    USUAL,
    Search,
    check,
    list_reply,
)
from support.doctor_replies import error_body, reply

MISSED = [
    Search(
        "a message that says that a tenant is missing",
        [list_reply(400, "Tenant is missing")],
        refused=0,
        to_try=USUAL,
        missed=True,
    ),
    Search(
        "a code that says that a tenant is missing",
        [reply(400, error_body("tenant-missing", "No."))],
        refused=0,
        to_try=USUAL,
        missed=True,
    ),
    *(
        Search(words, [list_reply(400, words)], refused=0, to_try=USUAL, missed=True)
        for words in (
            "missing header",
            "requires a tenant",
            "absent workspace",
            "needs account",
            "need an app",
            "fehlender header",
            "manque header",
            "falta header",
            "not sent: client",
            "not given: organization",
            "not provided: organisation",
            "not present: project",
            "not set: application",
            "missing api version",
            "header missing",
            "tenant required",
            "workspace absent",
            "client fehlt",
            "app manque",
            "header falta",
            "account not sent",
            "project not given",
            "application not provided",
            "header not present",
            "tenant not set",
            "no tenant",
            "unknown workspace",
            "unbekannter account",
            "without client",
        )
    ),
    Search(
        "40 characters between missing, by its beginning miss, and header",
        [list_reply(400, f"missing{' a' * 18} header")],
        refused=0,
        to_try=USUAL,
        missed=True,
    ),
]


@pytest.mark.parametrize("row", MISSED, ids=[row.name for row in MISSED])
def test_a_header_is_missed_if_words_or_a_code_say_that_one_or_an_account_is_missing(row: Search):
    check(row)


NOT_MISSED = [
    *(
        Search(words, [list_reply(400, words)])
        for words in (
            "missing Authorization header",
            "the header has no API key: missing",
            "missing credential header",
            "tenant",
            "a header",
            "missing",
            "not tenant",
        )
    ),
    Search(
        "41 characters between missing, by its beginning miss, and header",
        [list_reply(400, f"missing{' a' * 17} aa header")],
    ),
]


@pytest.mark.parametrize("row", NOT_MISSED, ids=[row.name for row in NOT_MISSED])
def test_no_header_is_missed_by_words_about_credentials_or_without_a_word_for_missing(row: Search):
    check(row)
