"""
What an error says besides its message is said in this order. The description of its challenge,
unless it ends with the message; a scope that the challenge names. The permissions that a request
needs, if the key has none of them, also by a pattern such as a.*; without what the key has, only of
a 403. Headers that name a login or a consent, without the queries of URLs. From when on the key is
valid, if the message says that it is not yet: members such as validFrom or nbf with a number or a
digit. The first two reasons for fields that the message does not have, from arrays called errors,
details, invalid-params and the like. Where the account is: the first three members such as region,
dc or shardId with a digit, unless the status is 401. An error with a message alone says nothing
besides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from wes_provider.doctor.beside import said_beside


class Error(NamedTuple):
    """
    An error's headers, its body and its message, and what it says besides; by default a 403 that
    says no more than no.
    """

    name: str
    headers: Mapping[str, str] = {}
    content: Any = None
    says: Sequence[str] = ()
    status: int = 403
    message: str = "No."


def challenge(text: str) -> dict[str, str]:
    return {"www-authenticate": text}


EXPIRED = 'Bearer error_description="The key has expired."'
NOT_YET = "The key is not yet valid."


def beside(row: Error) -> list[str]:
    """What an error says besides its message."""
    return [*said_beside(row.status, row.headers, row.content, row.message)]


CHALLENGES = [
    Error("a description", challenge(EXPIRED), says=["The key has expired."]),
    Error("a description with the message", challenge(EXPIRED), message="The key has expired"),
    Error("a description that ends so", challenge(EXPIRED), message="has Expired."),
    Error(
        "a description that begins so",
        challenge(EXPIRED),
        message="The key.",
        says=["The key has expired."],
    ),
    Error(
        "a description with a code before", challenge('x error_description="E7: no"'), message="No"
    ),
    Error("an error alone", challenge('Bearer error="invalid_token"')),
    Error(
        "a scope",
        challenge('Bearer error="insufficient_scope", scope="a b"'),
        says=["insufficient_scope, scope a b"],
    ),
]


@pytest.mark.parametrize("row", CHALLENGES, ids=[row.name for row in CHALLENGES])
def test_the_description_in_a_challenge_is_said_unless_the_message_says_it(row: Error):
    assert beside(row) == [*row.says]


PERMISSIONS = [
    Error(
        "what is needed, of a 403",
        {"x-accepted-oauth-scopes": "a"},
        says=["X-Accepted-OAuth-Scopes: a"],
    ),
    Error("what is needed, of a 401", {"x-accepted-oauth-scopes": "a"}, status=401),
    Error("what is needed, of a 404", {"x-accepted-oauth-scopes": "a"}, status=404),
    *(
        Error(
            f"what is needed and another one, of a {status}",
            {"x-accepted-oauth-scopes": " a ", "x-oauth-scopes": " b "},
            says=["X-Accepted-OAuth-Scopes: a", "X-OAuth-Scopes: b"],
            status=status,
        )
        for status in (200, 401, 403, 404)
    ),
    *(
        Error(
            f"what is needed and none, of a {status}",
            {"x-oauth-scopes": text, "x-accepted-oauth-scopes": "a"},
            says=["X-Accepted-OAuth-Scopes: a", "X-OAuth-Scopes: none"],
            status=status,
        )
        for status in (401, 403, 404)
        for text in ("", " ")
    ),
    Error("nothing is needed", {"x-accepted-oauth-scopes": " ", "x-oauth-scopes": "b"}),
    Error("what the key has alone", {"x-oauth-scopes": "b"}),
    Error("what is met", {"x-accepted-oauth-scopes": "a", "x-oauth-scopes": "b a"}),
    Error("one of two is met", {"x-accepted-oauth-scopes": "c, a", "x-oauth-scopes": "a"}),
    Error("what a pattern meets", {"x-required-scope": "a.read", "x-scope": "a.*"}),
    Error(
        "what a pattern needs",
        {"x-required-scope": "a.*", "x-scope": "a.read"},
        says=["X-Required-Scope: a.*", "X-Scope: a.read"],
    ),
    Error(
        "another case",
        {"x-required-scope": "A", "x-scope": "a"},
        says=["X-Required-Scope: A", "X-Scope: a"],
    ),
    Error("separated otherwise", {"x-required-scope": "b;a", "x-scope": '"c","a"'}),
    Error(
        "a part of a word",
        {"x-required-scope": "ab", "x-scope": "a"},
        says=["X-Required-Scope: ab", "X-Scope: a"],
    ),
    Error(
        "two headers of each",
        {"x-scope": "c", "x-role-privilege": "d", "x-required-scope": "a", "x-missing-scope": "b"},
        says=["X-Required-Scope: a", "X-Missing-Scope: b", "X-Scope: c", "X-Role-Privilege: d"],
    ),
    *(
        Error(name, {name: "a"}, says=[f"{name.title()}: a"])
        for name in (
            "x-accepted-scope",
            "x-required-scope",
            "x-needed-scope",
            "x-expected-scope",
            "x-missing-scope",
            "x-required-permissions",
            "x-required-privilege",
            "x-required-entitlements",
        )
    ),
    Error("the policy of a page", {"permissions-policy": "x", "required-permissions-policy": "a"}),
    Error("another header that is required", {"x-required-version": "2"}),
]


@pytest.mark.parametrize("row", PERMISSIONS, ids=[row.name for row in PERMISSIONS])
def test_permissions_are_said_if_the_key_lacks_what_is_needed(row: Error):
    """Without what the key has, only a 403 says so."""
    assert beside(row) == [*row.says]


LOGINS = [
    Error(
        "a login",
        {"x-github-sso": "required; url=https://x.com/sso?a=secret b"},
        says=["X-Github-Sso: required; url=https://x.com/sso b"],
    ),
    Error("a login alone", {"sso": "yes"}, says=["Sso: yes"]),
    Error("a consent", {"consent": "a?b=c", "x-consent": ""}, says=["Consent: a", "X-Consent: "]),
    Error(
        "other headers that sound so",
        {"x-ssot": "1", "xsso": "1", "sso-x": "1", "consent-x": "1", "xconsent": "1"},
    ),
]


@pytest.mark.parametrize("row", LOGINS, ids=[row.name for row in LOGINS])
def test_a_header_that_names_a_login_is_said_without_the_queries_of_urls(row: Error):
    assert beside(row) == [*row.says]


FIELDS = [
    Error(
        "parameters of a problem",
        content={"invalid-params": [{"name": "name", "reason": "must be at most 64 characters"}]},
        says=["name: must be at most 64 characters"],
        status=422,
    ),
    Error(
        "an array for each field",
        content={"errors": {"file_url": ["must be HTTPS", "x"], "name": ["is long"]}},
        says=["file_url: must be HTTPS", "file_url: x"],
    ),
    Error(
        "the place of a field, in an array under detail, which is none for fields",
        content={"detail": [{"loc": ["body", "name"], "msg": "field required"}], "details": []},
    ),
    Error(
        "the place of a field as an array, under details",
        content={"error": {"details": [{"loc": ["body", "name"], "msg": "field required"}]}},
        says=["body.name: field required"],
    ),
    Error(
        "two of three fields",
        content={"violations": [{"field": name, "message": "is odd"} for name in ("a", "b", "c")]},
        says=["a: is odd", "b: is odd"],
    ),
    Error(
        "a field that the message names",
        content={"errors": [{"field": "a", "message": "is odd"}]},
        message="The field a is odd.",
    ),
    Error(
        "no field, no reason, no object, no array",
        content={"errors": [{"message": "m"}, {"field": "f"}, "text"], "fields": {"a": "b"}},
    ),
    Error(
        "two arrays",
        content={
            "errors": [{"field": "a", "message": "is odd"}],
            "details": [{"field": "b", "message": "is even"}],
        },
        says=["a: is odd", "b: is even"],
    ),
    Error(
        "two of three fields, of which the first says no reason",
        content={
            "errors": [
                {"field": "a"},
                {"field": "b", "message": "is odd"},
                {"field": "c", "message": "is even"},
            ]
        },
        says=["b: is odd", "c: is even"],
    ),
    Error("another name of an array", content={"items": [{"name": "a", "reason": "b"}]}),
]


@pytest.mark.parametrize("row", FIELDS, ids=[row.name for row in FIELDS])
def test_the_first_two_reasons_for_fields_are_said_unless_the_message_says_them(row: Error):
    assert beside(row) == [*row.says]


BEGINNINGS = [
    *(
        Error(name, content={name: "2027-01-01"}, message=NOT_YET, says=[f"{name}: 2027-01-01"])
        for name in (
            "validFrom",
            "valid_after",
            "active_since",
            "enabledAt",
            "effectiveOn",
            "usableDate",
            "availableTime",
            "activation_date",
            "starts_at",
            "startTime",
            "key_valid_from",
            "tokenStartsOn",
            "notBefore",
            "nbf",
            "activates_at",
            "activatesOn",
            "becomesActiveAt",
            "becomes_valid_on",
        )
    ),
    Error("a number", content={"nbf": 1800000000}, message=NOT_YET, says=["nbf: 1800000000"]),
    Error("no time", content={"nbf": "soon", "validFrom": True, "startsAt": 1.5}, message=NOT_YET),
    Error(
        "another name",
        content={"validFromX": "1", "xnbf": "1", "valid": "1", "from": 1},
        message=NOT_YET,
    ),
    Error("another message", content={"nbf": 1}, message="No."),
    Error(
        "two, further down",
        content={"error": {"nbf": 1, "key": {"validFrom": "2"}}},
        message=NOT_YET,
        says=["nbf: 1", "validFrom: 2"],
    ),
]


@pytest.mark.parametrize("row", BEGINNINGS, ids=[row.name for row in BEGINNINGS])
def test_from_when_on_a_key_is_valid_is_said_if_the_message_says_that_it_is_not_yet(row: Error):
    assert beside(row) == [*row.says]


PLACES = [
    *(
        Error(name, content={name: "eu-03"}, says=[f"{name}: eu-03"])
        for name in (
            "dataCenter",
            "data_centre",
            "region",
            "home_region",
            "cluster",
            "cell",
            "shardId",
            "podCode",
            "stack_name",
            "siloNumber",
            "stamp",
            "accountShard",
            "dc",
            "dc_id",
            "home_dc",
            "correctDc",
            "rightDc",
            "targetDc",
            "expected_dc",
            "actual_dc",
            "workspaceDc",
            "account_dc",
            "tenantDc",
            "yourDc",
            "dcCode",
            "dcName",
            "dcNumber",
        )
    ),
    Error("a number of a place", content={"dc": 3}, says=["dc: 3"]),
    Error("a place without a number", content={"region": "west", "dc": True, "shard": 1.5}),
    Error("names that go on", content={"regional": "1", "dcs": "1"}),
    Error("a place, of a 401", content={"dc": 3}, status=401),
    Error("a place, of a 404", content={"dc": 3}, status=404, says=["dc: 3"]),
    Error(
        "four places",
        content={"dc": 1, "a": {"region": "2", "cell": 3}, "pod": 4},
        says=["dc: 1", "region: 2", "cell: 3"],
    ),
]


@pytest.mark.parametrize("row", PLACES, ids=[row.name for row in PLACES])
def test_the_first_three_places_of_an_account_are_said_unless_a_key_is_refused(row: Error):
    assert beside(row) == [*row.says]


def test_an_error_with_no_more_than_a_message_says_nothing_besides():
    assert beside(Error("nothing")) == []


def test_the_challenge_comes_first_then_permissions_logins_times_fields_and_places():
    headers = {**challenge(EXPIRED), "x-sso": "a", "x-required-scope": "s"}
    content = {"dc": 2, "errors": [{"field": "a", "message": "is odd"}], "nbf": 1}
    assert [*said_beside(403, headers, content, NOT_YET)] == [
        "The key has expired.",
        "X-Required-Scope: s",
        "X-Sso: a",
        "nbf: 1",
        "a: is odd",
        "dc: 2",
    ]
