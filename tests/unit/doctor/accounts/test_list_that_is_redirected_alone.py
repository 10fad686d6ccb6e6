"""
A list, or one file, that is redirected while other paths reply as the service does. The path of the
list is *wrong*, or *not proved* for a page of a maintenance, by its name; the Address and the data key
stay *sure*, and the campaign key is known if a made-up one is refused and the redirect leads to no
login. A file that is redirected or compressed leaves its path *not proved*. Nothing is uploaded to a
path that is redirected on the same host. If nothing else is the service's, it is about the Address.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

WRONG, SURE, NOT_PROVED = Certainty.WRONG, Certainty.SURE, Certainty.NOT_PROVED
NOT_SHOWN = Certainty.NOT_SHOWN
JSON = "application/json"
Replies = Callable[[Call], Reply | None]


def check_verdict(report: Report, says: tuple[str, ...]) -> None:
    """The parts are in the verdict, in this order, and the report keeps to its bounds."""
    check_what_holds_of_each_report(report)
    check_says(report.verdict, says)


def squeezed(reply: Reply) -> Reply:
    """A reply whose header Content-Encoding a proxy has dropped."""
    return Reply(reply.status, gzip.compress(reply.body), {"Content-Type": JSON})


class Unreadable(NamedTuple):
    """Replies that cannot be read, and what is said."""

    name: str
    replies: Replies
    says: tuple[str, ...]
    absent: tuple[str, ...] = ("Check the address", "login page", "Not ready")


GZIP = "gzip (it begins with 1f 8b) without Content-Encoding: a proxy may have dropped that header."
ASK = "No setting helps: ask whoever runs what is between, or the service's support"
SIGNED_URL = "https://bucket.example.com/lists/spring.json?X-Amz-Date=1&X-Amz-Signature=abcdef"


def redirected(target: str) -> Reply:
    return Reply(307, b"", {"Location": target})


def redirects_paths(target: str, key: str = "") -> Replies:
    """
    A service that redirects the list to another place.

    :param key: that has to be accepted for that; empty for any.
    """

    def nasty(call: Call) -> Reply | None:
        is_meant = call.path == FILES_PATH and key in ("", call.key)
        return redirected(target) if is_meant else None

    return nasty


class Redirect(NamedTuple):
    """
    A list that is redirected while other paths are not, and what is said of it.

    :ivar key: how what is said of the campaign key begins.
    """

    name: str
    replies: Replies
    certainty: Certainty
    says: tuple[str, ...]
    key: str = "Known: a made-up key is refused."


HERE = "other paths reply here, so the Address is right. No setting helps: "
JSON_ITSELF = f"{HERE}ask the service's support for a list that replies with JSON itself."
NO_KEYS_THERE = "which is not followed, since keys may not go there; "
REDIRECTS = [
    Redirect(
        "to a signed download",
        redirects_paths(SIGNED_URL, key="campaign"),
        WRONG,
        (
            f"GET {FILES_PATH} is redirected to https://bucket.example.com/lists/spring.json "
            f"(a signed download), {NO_KEYS_THERE}{JSON_ITSELF}",
        ),
    ),
    Redirect(
        "to a signed download, with any key",
        redirects_paths(SIGNED_URL),
        WRONG,
        (f"(a signed download), {NO_KEYS_THERE}{JSON_ITSELF}",),
        key="Not judged, since the list cannot be read: see Path of the list's",
    ),
    Redirect(
        "to a download of Azure",
        redirects_paths("https://blobs.example.net/a.json?sv=1&sig=abcdef", key="campaign"),
        WRONG,
        (f"https://blobs.example.net/a.json (a signed download), {NO_KEYS_THERE}",),
    ),
    Redirect(
        "to another path of another host",
        redirects_paths("https://files.example.org/latest", key="campaign"),
        WRONG,
        (f"https://files.example.org/latest, {NO_KEYS_THERE}{JSON_ITSELF}",),
    ),
    Redirect(
        "to another path here",
        redirects_paths("/exports/latest.json", key="campaign"),
        WRONG,
        ("/exports/latest.json, which is not followed; ", JSON_ITSELF),
    ),
    Redirect(
        "to a login",
        redirects_paths("https://login.example.com/?next=1", key="campaign"),
        WRONG,
        (f"(a browser login), {NO_KEYS_THERE}{HERE}ask whoever runs it to let requests",),
        key="Not judged, since the list cannot be read",
    ),
    Redirect(
        "to a maintenance",
        redirects_paths("/maintenance.html", key="campaign"),
        NOT_PROVED,
        (f"(a maintenance, by its name), which is not followed; {HERE}wait until it is over",),
    ),
]


@pytest.mark.parametrize("row", REDIRECTS, ids=[row.name for row in REDIRECTS])
def test_a_redirect_of_the_list_alone_is_wrong_and_no_fault_of_the_address_unless_it_may_pass(
    row: Redirect,
):
    report = examined_account(Account(row.replies))
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.LIST_PATH)
    assert finding.certainty is row.certainty
    assert all(part in finding.text for part in row.says), finding.text
    assert about(report, Topic.ADDRESS).certainty is SURE
    assert "abcdef" not in report.to_json()


@pytest.mark.parametrize("row", REDIRECTS, ids=[row.name for row in REDIRECTS])
def test_a_campaign_key_is_known_if_a_made_up_one_is_refused_and_the_list_leads_to_no_login(
    row: Redirect,
):
    finding = about(examined_account(Account(row.replies)), Topic.CAMPAIGN_KEY)
    assert finding.certainty is NOT_SHOWN
    assert finding.text.startswith(row.key)


def test_the_data_key_is_sure_though_the_list_is_redirected():
    account = Account(redirects_paths(SIGNED_URL, key="campaign"))
    assert about(examined_account(account), Topic.DATA_KEY).certainty is SURE


FILE_REPLIES = [
    Unreadable(
        "a file that is redirected to a download",
        lambda call: redirected(SIGNED_URL) if call.path.startswith(f"{FILES_PATH}/") else None,
        (
            f"(a signed download), {NO_KEYS_THERE[:-2]}. No setting helps: ask the service's support",
        ),
    ),
    Unreadable(
        "a file that is compressed",
        lambda call: (
            squeezed(json_reply(200, record("f1")))
            if call.path.startswith(f"{FILES_PATH}/")
            else None
        ),
        (f"200 with application/json came, but its body is {GZIP} {ASK}. The list can be read",),
    ),
]


@pytest.mark.parametrize("row", FILE_REPLIES, ids=[row.name for row in FILE_REPLIES])
def test_the_path_of_one_file_is_not_proved_if_it_is_redirected_or_compressed_and_the_list_not(
    row: Unreadable,
):
    report = examined_account(Account(row.replies))
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is NOT_PROVED
    assert all(part in finding.text for part in row.says), finding.text
    assert about(report, Topic.LIST_PATH).certainty is SURE


def test_nothing_is_uploaded_to_a_path_that_is_redirected_here():
    replies = redirects_paths("/maintenance.html")
    report = examined_account(Account(replies), file_url="https://f.example.com/a.csv")
    assert report.writes == 0
    assert about(report, Topic.UPLOAD).text.startswith("Not sent: the list's path, which uploads")


def test_a_redirect_before_what_is_not_the_service_is_about_the_address():
    def nasty(call: Call) -> Reply:
        if call.path == FILES_PATH:
            return redirected("https://files.example.org/latest")
        return json_reply(404, {"message": "no route"})

    report = examined_account(Account(nasty))
    check_verdict(
        report,
        (
            "Not proved: Address. A redirect of the list to https://files.example.org/latest came",
            "no other reply shows that it is the service. Check the address",
        ),
    )
