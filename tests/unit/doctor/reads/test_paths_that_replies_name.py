"""
A reply to the read of the list names another path of it by a redirect on this origin, a link to its
successor, or the words of an error (also with status 200): if it has the list's identifier, or one
place in braces that is no account. If it only adds a slash to the path, it may lead to any host,
port or scheme. Words of a success, another list's identifier, none, or a session in it name no
path. The path of one file is named for that file alone. If an error says that paths begin with the
account in braces, the address with the login in its place is named, unless the connection's address
ends with it.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import (
    LIST_AT,
    ids,
    listed,
)
from support.doctor_redirects import (
    HOST,
    to,
)
from support.doctor_replies import changed, error_body, evidence_of
from wes_provider.doctor.reads import redirects
from wes_provider.doctor.replies.probes import Probe, Question


class Paths(NamedTuple):
    """A reply to the read of the list, and the paths that it names."""

    name: str
    probe: Probe
    paths: list[str]


OTHER_LIST_PATH = "/v2/lists/{coupon_list_id}/files"
SAID = "Use /v2/lists/spring/files."
PATHS = [
    Paths("a redirect", to("/v2/lists/spring/files"), [OTHER_LIST_PATH]),
    Paths(
        "a redirect that adds a slash and another host",
        to(f"https://internal.test{LIST_AT}/"),
        ["/v1/coupon-list/{coupon_list_id}/files/"],
    ),
    Paths(
        "a redirect that adds a slash and another port",
        to(f"{HOST}:8443{LIST_AT}/"),
        ["/v1/coupon-list/{coupon_list_id}/files/"],
    ),
    Paths(
        "a redirect that adds a slash and http",
        to(f"http://api.example.com{LIST_AT}/"),
        ["/v1/coupon-list/{coupon_list_id}/files/"],
    ),
    Paths(
        "a link to a successor",
        listed(410, headers={"link": '</v2/lists/spring/files>; rel="successor-version"'}),
        [OTHER_LIST_PATH],
    ),
    Paths("words", listed(404, error_body("moved", SAID)), [OTHER_LIST_PATH]),
    Paths("words of an error with 200", listed(200, error_body("moved", SAID)), [OTHER_LIST_PATH]),
    Paths(
        "a place in braces",
        listed(404, error_body("", "Use /v2/lists/{id}/files.")),
        [OTHER_LIST_PATH],
    ),
]
NO_PATHS = [
    Paths("a redirect with a session", to("/v2/lists/spring/files;jsessionid=1"), []),
    Paths("a redirect to the path itself", to(f"{LIST_AT}?a=1"), []),
    Paths("a redirect to another list", to("/v1/coupon-list/winter/files"), []),
    Paths("a redirect without the list", to("/v2/lists/files"), []),
    Paths("a redirect to another origin", to(f"{HOST}:8443/v2/lists/spring/files"), []),
    Paths("words of a success", listed(200, [{"_id": "f1", "message": SAID}]), []),
    Paths("an account in braces", listed(404, error_body("", "Use /v2/lists/{tenant}/files.")), []),
    Paths("two places in braces", listed(404, error_body("", "Use /v2/{a}/lists/{b}/files.")), []),
]


@pytest.mark.parametrize("row", [*PATHS, *NO_PATHS], ids=ids([*PATHS, *NO_PATHS]))
def test_a_path_of_the_list_that_a_redirect_a_link_or_words_name_is_found(row: Paths):
    assert redirects.named_paths(evidence_of(row.probe), row.probe) == row.paths


def test_the_path_of_one_file_is_named_for_that_file_alone():
    read = to("/v2/files/f1", Question.FILE_PATH)
    evidence = evidence_of(read)
    assert redirects.named_paths(evidence, read, "f1") == ["/v2/files/{coupon_file_id}"]
    assert redirects.named_paths(evidence, read, "f2") == []


class Account(NamedTuple):
    """The connection's address, an error's message, and the address with the account."""

    name: str
    base_url: str
    message: str
    address: str


ACCOUNTS = [
    Account("a prefix with the account", HOST, "Use /t/{tenant}/v1/", f"{HOST}/t/workspace"),
    Account("the account alone", HOST, "Use /{workspace}/v1/", f"{HOST}/workspace"),
    Account("something else in braces", HOST, "Use /t/{thing}/v1/", ""),
    Account("no braces", HOST, "Use /t/v1/", ""),
    Account("the address ends so", f"{HOST}/t/workspace", "Use /t/{tenant}/v1/", ""),
    Account(
        "the address begins so",
        f"{HOST}/t/workspace/x",
        "Use /t/{tenant}/v1/",
        f"{HOST}/t/workspace/x/t/workspace",
    ),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_what_paths_begin_with_is_put_into_the_address_with_the_login(row: Account):
    """Unless the address ends with it."""
    settings = changed(base_url=row.base_url)
    probe = listed(404, error_body("", row.message))
    assert redirects.address_with_account(settings, probe) == row.address
