"""
If the read of the list is redirected to the same path with another identifier, the list seems to
have another name, and its path is *Not proved*; no setting is proposed. If a read of that name has
files, it is to be named in ``--coupon-list`` and in tasks (also in another case of letters, or with
a space). If it gets 404, or if any list is redirected to that name, the service's support is to be
asked.

A redirect to the same identifier that is encoded otherwise names no other list, and neither does
one to another host, another form or version of the path, or to a word of a page (error.html,
not-found, login). If the path of one file is redirected, what differs in it, the identifier of the
file or of the list, is named, and no path is proposed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

import pytest

from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report


def redirect(target: str, status: int = 301) -> Reply:
    return Reply(status, b"", {"Location": target})


def files_of(name: str) -> str:
    return FILES_PATH.replace(LIST, quote(name, safe=""))


def renamed_list(
    new: str, *, has_files: bool = True, of_any: bool = False, nowhere: Reply | None = None
) -> Callable[[], Account]:
    """
    A service that redirects the list to another name of it.

    :param has_files: whether there is a list of that name, which has one file.
    :param of_any: redirect each list.
    :param nowhere: what a path that does not exist gets; by default, what a healthy service sends.
    """

    def replies(call: Call) -> Reply | None:
        if call.key != "campaign":
            return None
        if call.path == files_of(new):
            return json_reply(200, [record("f1", coupons_list_id=new)]) if has_files else None
        is_list = call.path.startswith("/v1/coupon-list/") and call.path.endswith("/files")
        if call.path == FILES_PATH or (of_any and is_list):
            return redirect(files_of(new))
        if "no-such-path" in call.path:
            return nowhere
        return None

    return lambda: Account(replies)


class Renamed(NamedTuple):
    """A list that is redirected, and parts of the row of its path."""

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]


SEEMS = f"The list seems to be called spring-24-eu now: the service redirects {FILES_PATH} to the "
RENAMED = [
    Renamed(
        "another name",
        renamed_list("spring-24-eu"),
        (
            f"{SEEMS}same path with spring-24-eu (301), and a read of that has 1 file.",
            "Name spring-24-eu in --coupon-list, and in your tasks, and run this again.",
        ),
    ),
    Renamed(
        "another name, and a page where no path is",
        renamed_list("spring-24-eu", nowhere=page_reply(404)),
        (SEEMS, "Name spring-24-eu in --coupon-list"),
    ),
    Renamed(
        "another case",
        renamed_list("Spring"),
        ("The list seems to be called Spring now", "Name Spring in --coupon-list"),
    ),
    Renamed(
        "a name with a space",
        renamed_list("spring eu"),
        ("The list seems to be called spring eu now", "Name spring eu in --coupon-list"),
    ),
]
NOT_ADVISED = [
    Renamed(
        "a name under which nothing is",
        renamed_list("spring-24-eu", has_files=False),
        (SEEMS, "but a read of that gets 404", "Ask the service's support what the list is called"),
    ),
    Renamed(
        "one name for any list",
        renamed_list("fallback", of_any=True),
        (
            "and a list that does not exist likewise, so that is no other name of spring",
            "ask the service's support",
        ),
    ),
]


def check_renamed(row: Renamed) -> Report:
    """The path of the list is not proved, and its row has the parts."""
    report = examined_account(row.account())

    finding = about(report, Topic.LIST_PATH)
    for words in row.says:
        assert words in finding.text
    assert finding.certainty is Certainty.NOT_PROVED
    assert report.verdict.startswith("Not proved: Path of the list's files.")
    check_what_holds_of_each_report(report)
    return report


@pytest.mark.parametrize("row", RENAMED, ids=[row.name for row in RENAMED])
def test_a_list_is_to_be_named_as_its_redirect_does_if_that_list_has_files(row: Renamed):
    check_renamed(row)


@pytest.mark.parametrize("row", NOT_ADVISED, ids=[row.name for row in NOT_ADVISED])
def test_a_redirect_to_a_list_without_files_or_of_each_list_is_left_to_the_support(row: Renamed):
    assert "in --coupon-list" not in check_renamed(row).verdict


@pytest.mark.parametrize(
    "row", [*RENAMED, *NOT_ADVISED], ids=[row.name for row in [*RENAMED, *NOT_ADVISED]]
)
def test_no_setting_is_proposed_for_a_list_that_is_redirected_to_another_name(row: Renamed):
    assert examined_account(row.account()).extra == {}


def test_an_identifier_that_is_encoded_otherwise_is_no_other_name():
    sent, named = files_of("a:b"), FILES_PATH.replace(LIST, "a:b")
    account = Account(
        lambda call: redirect(named) if call.path == sent and call.key == "campaign" else None
    )

    report = examined_account(account, coupon_list_id="a:b")

    text = about(report, Topic.LIST_PATH).text
    assert "which has the same identifier, encoded otherwise" in text
    assert "ask the service's support to accept it" in text
    check_what_holds_of_each_report(report)


class NoName(NamedTuple):
    """Where the list is redirected to: no path of a list of another name."""

    name: str
    target: str


NO_NAMES = [
    NoName("another host", f"https://other.example.com{files_of('spring-24-eu')}"),
    NoName("the file of a page in place of the list", files_of("error.html")),
    NoName("the word of an error in place of the list", files_of("not-found")),
    NoName("the word of a login in place of the list", files_of("login")),
    NoName("a path of another form", "/v1/coupon-list/files/spring-24-eu/all"),
    NoName("a path with another version, too", "/v2/coupon-list/spring-24-eu/files"),
]


@pytest.mark.parametrize("row", NO_NAMES, ids=[row.name for row in NO_NAMES])
def test_a_redirect_to_another_host_form_version_or_page_names_no_list(row: NoName):
    is_list = {FILES_PATH: redirect(row.target)}
    account = Account(lambda call: is_list.get(call.path) if call.key == "campaign" else None)

    report = examined_account(account)

    assert "seems to be called" not in report.to_json()
    assert "--coupon-list" not in report.verdict
    check_what_holds_of_each_report(report)


class RenamedFile(NamedTuple):
    """Where one file is redirected to, and parts of the row of its path."""

    target: str
    says: tuple[str, ...]


RENAMED_FILES = {
    "a file of another identifier": RenamedFile(
        f"{FILES_PATH}/F-1",
        ("the file f1 seems to be called F-1 there", "No setting changes that: ask the service's"),
    ),
    "a file of another list": RenamedFile(
        f"{files_of('spring-24-eu')}/f1",
        ("the list spring seems to be called spring-24-eu", "Name spring-24-eu in --coupon-list"),
    ),
}


@pytest.mark.parametrize("row", RENAMED_FILES.values(), ids=RENAMED_FILES)
def test_what_differs_in_the_path_that_a_file_is_redirected_to_is_named(row: RenamedFile):
    is_file = {f"{FILES_PATH}/f1": redirect(row.target)}
    account = Account(
        lambda call: is_file.get(call.path) if call.key == "campaign" else None,
        file_path="/nowhere/{id}",
    )

    report = examined_account(account)

    for words in row.says:
        assert words in about(report, Topic.FILE_PATH).text
    assert "paths" not in report.extra
    check_what_holds_of_each_report(report)
