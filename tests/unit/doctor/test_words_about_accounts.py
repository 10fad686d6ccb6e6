"""
An account is what words call workspace, tenant, account, organization, project, app id, application
key or client id. A refusal is about an account if it says that this mismatches, is unknown, is not
found, or is another, different or wrong one. The account that it names is read if it is the only
one besides the login, in any case; of two others, none is read.

The place that an account is not in is read as a word, such as "shard", "region" or "data center",
if one sentence says "not", "no", "unknown" or "wrong" before it, and the words name an account.
Numbers of data centers are read once each: two or three digits after data center, region, cluster,
zone, dc or api-; one to three digits after a word for a place, such as "shard 3"; two or three in a
name after "hosted in", "located at" and the like, such as west-03; or a zero and a digit in a name
such as eu-03. "eu-west-1" and "us33" have none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor import remedies

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


OTHER_PLACE = [
    Tells(
        "shard",
        [
            "account is not in this shard",
            "no tenant on shard 3",
            "Account nicht in shard 3",
            "this isn't the Shard of the account",
            "account doesn't live in shard 1",
            "unknown workspace in shard",
            "account is in another shard",
            "other shard: account",
            "account of a different shard",
            "wrong shard for account",
            "incorrect shard, account",
        ],
    ),
    *(
        Tells(place, [f"account is not in this {place.upper()}"])
        for place in (
            "data center",
            "datacentre",
            "data-center",
            "region",
            "cluster",
            "cell",
            "pod",
            "stack",
            "silo",
            "stamp",
            "dc",
        )
    ),
    Tells(
        "",
        [
            "",
            "not in this shard",
            "account in this shard",
            "account is not here. Shard 3",
            "account is unknown",
            "another account",
            "account not in this sharded",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(OTHER_PLACE))
def test_the_place_that_an_account_is_not_in_is_named(text: str, expected: Any):
    assert remedies.other_place(text) == expected


DATA_CENTERS_IN = [
    Tells(
        ["03"],
        [
            "data center 03",
            "datacentre: 03",
            "region 03",
            "cluster is 03",
            "zone 03",
            "dc 03",
            "api-03.example.com",
            "homed in eu03",
            "home at eu03",
            "hosted in west-03",
            "located at eu03",
            "lives in eu-03",
            "moved to the eu-03",
            "served from us03",
            "belongs to us-03",
            "eu-03",
            "emea03",
            "us03",
            "na-03",
            "amer03",
            "ap03",
            "apac03",
            "asia-03",
            "sa03",
            "latam03",
            "me03",
            "af03",
            "uk03",
            "de03",
            "pod-03",
            "cell03",
            "shard03",
            "region 03 and region 03",
        ],
    ),
    Tells(
        ["3"],
        [
            "data center 3",
            "region: 3",
            "cluster #3",
            "cell=3",
            "shard '3'",
            "pod no. 3",
            "stack number 3",
            "silo id 3",
            "stamp eu-3",
            "dc (3)",
            "home_region: eu-3",
            "my_dc_x: 3",
        ],
    ),
    Tells(["03", "4"], ["data center 03 or shard 4"]),
    Tells(
        [],
        [
            "",
            "no",
            "eu-west-1",
            "data center 1234",
            "region eu-west-1",
            "03",
            "pod 3-4",
            "us33",
            "us 0",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(DATA_CENTERS_IN))
def test_the_numbers_of_data_centers_are_read_once_each(text: str, expected: Any):
    assert remedies.data_centers_in(text) == expected


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
