"""
An account is what words call workspace, tenant, account, organization, project, app id, application
key or client id, also with id, name or key behind it. A refusal is about an account if it says
after such a word that it mismatches, does not match, is not found, not known, not served or
unknown, or before it "another", "other", "different", "wrong", "issued for", "belongs to", "no
such" or "unknown". The account that it names is read if it is the only one besides the login, in
any case; of two others, none is, and words such as "is" and "not" are no names.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

NAMES_ACCOUNT = [
    Tells(
        True,
        [
            "workspace mismatch",
            "tenant does not match",
            "account not found",
            "project unknown",
            "organization not served",
            "organisation not known",
            "app id does not exist",
            "application key unknown",
            "client id unknown",
            "account notexist",
            "another workspace",
            "other tenant",
            "different account",
            "wrong project",
            "key issued for a tenant",
            "belongs to an account",
            "belong to app id",
            "mismatched account",
            "no such account",
            "unknown workspace",
            "unknown_app_id",
        ],
    ),
    Tells(
        False,
        ["", "workspace", "unknown key", "wrong key"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(NAMES_ACCOUNT))
def test_words_about_an_account_that_keys_are_not_of_are_known(text: str, expected: Any):
    assert remedies.names_account(text) == expected


IS_ACCOUNT = [
    Tells(
        True,
        [
            "workspace",
            "Tenant",
            "account_id",
            "organizationId",
            "organisation-name",
            "projectKey",
            "app_id",
            "applicationkey",
            "clientId",
            "client id",
        ],
    ),
    Tells(False, ["", "app", "workspaces", "list", "my_workspace", "account__id"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_ACCOUNT))
def test_what_an_account_is_called_is_known(text: str, expected: Any):
    assert remedies.is_account(text) == expected


class Named(NamedTuple):
    """Words, and the account besides ``mine`` that they name."""

    words: str
    account: str


NAMED = [
    Named("workspace demo", "demo"),
    Named("Workspace id: 'demo'", "demo"),
    Named('tenant "a.b-c".', "a.b-c"),
    Named("account = demo", "demo"),
    Named("organization demo", "demo"),
    Named("project `demo`", "demo"),
    Named("app id demo", "demo"),
    Named("client-id demo", "demo"),
    Named("workspace MINE is not workspace demo", "demo"),
    Named("workspace a is not workspace b1 or tenant c1", ""),
    Named("workspace demo and tenant demo", "demo"),
    Named("workspace mine", ""),
    Named("No workspace 'Mine'. Workspace identifiers are short: did you mean 'mine'?", "mine"),
    Named("Unknown workspace Mine, did you mean demo-1", "demo-1"),
    Named("Unknown workspace Mine, did you mean Mine", ""),
    *(
        Named(f"the workspace {word}", "")
        for word in (
            "a an and but does has id in is mismatch named not of or than that the this to was "
            "Which with"
        ).split()
    ),
    Named("", ""),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.words for row in NAMED])
def test_the_only_other_account_that_words_name_is_read(row: Named):
    assert remedies.other_account(row.words, "Mine") == row.account
