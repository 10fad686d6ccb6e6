"""
A list's reply speaks against uploads if the rights that it names, in a header or in its body, are of
reads only: those of coupons, if some are. Rights of writing or of all, words that say neither, what
a request needs, what is of other things, and rights of no list say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import listed
from support.doctor_service import (
    FILES_PATH,
    Account,
    about,
    check_what_holds_of_each_report,
    examined_account,
)
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.rights import speaks_against_uploads


class Case(NamedTuple):
    """What a list's reply has beside its files, in headers and body, and what it says."""

    name: str
    headers: Mapping[str, str]
    beside: Mapping[str, Any]
    says: str = ""


CASES = [
    Case("a scope", {"x-key-scopes": "coupons:read"}, {}, "X-Key-Scopes: coupons:read"),
    Case("of OAuth", {"x-oauth-scopes": "coupons.read"}, {}, "X-OAuth-Scopes: coupons.read"),
    Case(
        "a scope to write something else",
        {"x-key-scopes": "segments:write, coupons:read"},
        {},
        "X-Key-Scopes: segments:write, coupons:read",
    ),
    Case("a permission", {"x-permissions": "read"}, {}, "X-Permissions: read"),
    Case(
        "an upload that is denied",
        {},
        {"permissions": {"read": True, "upload": False}},
        "permissions.upload: false",
    ),
    Case("can_upload", {}, {"meta": {"can_upload": False}}, "meta.can_upload: false"),
    Case("an array", {}, {"permissions": ["read", "list"]}, 'permissions: ["read", "list"]'),
    Case("a word", {}, {"access": "read_only"}, 'access: "read_only"'),
    Case("nothing", {}, {}),
    Case("a scope to write", {"x-key-scopes": "coupons:read coupons:write"}, {}),
    Case("to manage", {"x-key-scopes": "coupons:read coupons:manage"}, {}),
    Case("all", {"x-key-scopes": "read *"}, {}),
    Case("without a verb", {"x-key-scopes": "coupons segments:read"}, {}),
    Case("an unknown word", {"x-key-scopes": "basic openid"}, {}),
    Case("none", {"x-key-scopes": ""}, {}),
    Case("what the request needs", {"x-accepted-oauth-scopes": "coupons:read"}, {}),
    Case("an upload that is granted", {}, {"permissions": {"upload": True}}),
    Case("another right", {}, {"permissions": {"delete": False}}),
    Case("no right", {}, {"upload": False, "last_import": False}),
    Case("an array with more", {}, {"permissions": ["read", "write"]}),
    Case("a policy of browsers", {"permissions-policy": "read=()"}, {}),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_reply_speaks_against_uploads_if_its_rights_are_of_reads_only(case: Case):
    reply = listed(content={**case.beside, "data": []}, headers=dict(case.headers))
    assert speaks_against_uploads(reply) == case.says


def test_an_upload_is_not_proved_if_the_lists_reply_speaks_against_it():
    report = examined_account(Account(list_headers={"X-Key-Scopes": "coupons:read"}))
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.UPLOAD)
    assert finding.certainty is Certainty.NOT_PROVED
    assert finding.text == (
        "The list's reply says what the Campaign API key may do (X-Key-Scopes: coupons:read), and "
        "uploads are not among it. Ask an administrator of the account for a key that may upload, "
        "or let --upload URL prove that yours may."
    )
    assert [probe.path for probe in finding.probes] == [FILES_PATH]
