"""
A keyword of the service's words is read by whose it is. An upload that is refused for the host of
its file is *not proved*, whatever the status and the words, such as an allow-list, a version of TLS
or a login; and the campaign key stays *sure*. A country that is refused is no place of the account.
A list that is on hold, or named otherwise, is this list. Another scheme for one key only is about no
key, and "header Basic" names no header.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    UNAUTHENTICATED,
    Account,
    Call,
    about,
    error_reply,
    examined_account,
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic


class OfFile(NamedTuple):
    """A refusal of an upload that is about its file's host, and a part of the advice."""

    status: int
    code: str
    message: str
    advice: str


OF_FILES = [
    OfFile(
        403,
        "request-forbidden",
        "The host files.example.com is not on this workspace's allow-list of file sources",
        "allow its host as a source of files",
    ),
    OfFile(
        400,
        "invalid-request",
        "file_url: the server's TLS version is no longer supported (1.1); use 1.2 or newer",
        "set up TLS there",
    ),
    OfFile(
        400,
        "file-fetch-unauthorized",
        "HTTP 401 from files.example.com: authentication required to fetch the file",
        "Give file_url_auth_username and file_url_auth_password in your tasks",
    ),
    OfFile(
        400,
        "invalid-request",
        "The address files.example.com cannot be resolved",
        "check the host that it names",
    ),
    OfFile(
        400,
        "file-fetch-failed",
        "The certificate of files.example.com expired on 2026-11-01",
        "a certificate that is valid",
    ),
    OfFile(
        422,
        "bad-source",
        "The download was stopped by a firewall",
        "It is about the file's URL",
    ),
]


@pytest.mark.parametrize("row", OF_FILES, ids=[row.message for row in OF_FILES])
def test_a_refused_upload_that_names_its_files_host_blames_no_key_and_no_setting(row: OfFile):
    reply = json_reply(row.status, {"error": {"code": row.code, "message": row.message}})
    account = Account(lambda call: reply if call.method == "POST" else None)

    report = examined_account(account, file_url="https://files.example.com/new.csv")

    assert report.verdict.startswith("Not proved: Upload. ")
    assert "It is about the file's URL, and no setting: " in report.verdict
    assert row.advice in report.verdict
    assert about(report, Topic.CAMPAIGN_KEY).certainty is Certainty.SURE


def everywhere(reply: Reply) -> Callable[[Call], Reply]:
    return lambda call: reply


def at_list(reply: Reply) -> Callable[[Call], Reply | None]:
    """The reply to the key that is right, for the list alone."""
    return lambda call: reply if call.path == FILES_PATH and call.key == "campaign" else None


def at_segments(reply: Reply) -> Callable[[Call], Reply | None]:
    return lambda call: reply if call.path.startswith("/v3/") else None


def at_coupons(reply: Reply) -> Callable[[Call], Reply | None]:
    return lambda call: reply if call.path.startswith("/v1/") else None


class Said(NamedTuple):
    """
    An account whose words say something, and what the verdict says, and does not say.

    :ivar absent: what would be about somebody else.
    """

    name: str
    replies: Callable[[Call], Reply | None]
    begins: str
    advice: str
    absent: str


OTHER_SCHEME = 'Bearer realm="segments"'
SAID = [
    Said(
        "a country that is refused",
        everywhere(
            error_reply(
                451,
                "region-not-permitted",
                "This workspace stores its data in the EU; requests from your country are not "
                "permitted by its administrator.",
            )
        ),
        "Not ready: Account.",
        "nothing is shown of the keys and the Address: change none, but ask the workspace's "
        "administrator",
        "Set the Address",
    ),
    Said(
        "a network that is refused",
        everywhere(
            error_reply(
                403,
                "access-restricted",
                "Access from your network location (country: SG) is restricted by the workspace "
                "owner.",
            )
        ),
        "Not ready: Account.",
        "ask the workspace's owner to let in this machine",
        "Ask the service's support",
    ),
    Said(
        "a link to who blocks it",
        everywhere(
            error_reply(
                451,
                "unavailable",
                "Not available here.",
                Link='<https://legal.example.com/order/77?sig=1>; rel="blocked-by"',
            )
        ),
        "Not ready: Account.",
        "blocked by https://legal.example.com/order/77'. Whoever that link is of has it blocked",
        "Address to",
    ),
    Said(
        "a list on hold",
        at_list(
            error_reply(451, "legal-hold", "This list is under a legal hold and cannot be read.")
        ),
        "Not proved: Path of the list's files.",
        "It is about this list, and no setting: name another one in --coupon-list",
        "Ask the service's support",
    ),
    Said(
        "a list that is meant",
        at_list(
            error_reply(404, "no-list", "No list 'x' in this workspace. Did you mean 'Spring-26'?")
        ),
        "Not proved: Path of the list's files.",
        "The list may be called Spring-26: name that in --coupon-list, and in your tasks",
        "the login and the keys of",
    ),
    Said(
        "a list that was renamed",
        at_list(
            error_reply(404, "renamed", "The list 'spring' was renamed to 'spring-2026' in May.")
        ),
        "Not proved: Path of the list's files.",
        "The list may be called spring-2026: name that in --coupon-list",
        "name a list with files",
    ),
    Said(
        "a name of a scheme, which is no header",
        everywhere(error_reply(401, "bad-key", "Unknown API key x (header Basic y)")),
        "Not proved: Campaign API key.",
        "401 bad-key: 'Unknown API key x (header Basic y)'",
        "The service names Basic",
    ),
    Said(
        "a challenge for segments only",
        at_segments(json_reply(401, UNAUTHENTICATED, WWW_Authenticate=OTHER_SCHEME)),
        "Not proved: Data API key.",
        "as a made-up key is. What replied demands Bearer (its WWW-Authenticate says so)",
        "paste it again",
    ),
    Said(
        "a challenge for coupons only",
        at_coupons(json_reply(401, UNAUTHENTICATED, WWW_Authenticate=OTHER_SCHEME)),
        "Not proved: Campaign API key.",
        "Until then, tasks with coupons cannot run; those with segments can.",
        "paste it again",
    ),
    Said(
        "words that no key helps with",
        at_segments(
            error_reply(
                401,
                "request-unauthenticated",
                "Segments accept OAuth 2.0 access tokens only; API keys were retired for v3.",
            )
        ),
        "Not proved: Data API key.",
        "no key helps, so change none, but ask the service's support to take keys there. Until "
        "then, tasks that update segments cannot run",
        "make a new key",
    ),
]


@pytest.mark.parametrize("row", SAID, ids=[row.name for row in SAID])
def test_a_keyword_is_about_whom_the_words_speak_of(row: Said):
    report = examined_account(Account(row.replies))

    assert report.verdict.startswith(row.begins)
    assert row.advice in report.verdict
    assert row.absent not in report.verdict


def test_a_challenge_that_accepted_keys_get_by_says_nothing():
    """What refuses made-up keys so lets the right one in: the challenge is only its habit."""
    refusal = json_reply(401, UNAUTHENTICATED, WWW_Authenticate=OTHER_SCHEME)

    def replies(call: Call) -> Reply | None:
        is_right = call.path.startswith("/v1/") and call.key == "campaign"
        return None if is_right else refusal

    report = examined_account(Account(replies))

    assert report.verdict.startswith("Not ready: Data API key. Refused twice")
    assert "paste it again" in report.verdict
