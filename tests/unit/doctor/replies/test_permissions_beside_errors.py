"""
What a request needs (a header with scope, permission, privilege or entitlement, and with accepted,
required, needed, expected or missing in its name) is said with what the key has, if the key has
none of it. One of several that are needed is enough; a pattern of the key, such as a.*, is, too,
but not one of what is needed; case matters, and parts of words do not count. If the reply does not
say what the key has, it is said only of a 403; if it says that the key has none, of any status.
What the key has alone, an empty need, and a Permissions-Policy say nothing.
"""

from __future__ import annotations

import pytest

from support.doctor_errors import Error, beside

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
