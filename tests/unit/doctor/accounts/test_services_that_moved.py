"""
A service whose replies are redirects to a path below another one. If all of it has moved to one
place, the verdict is about the Address, and no path is proposed: *Not ready* with the new address if
a read there gets a 200, *Not proved* if it gets a 404. If each read of coupons is redirected below
one address, even that of a path that does not exist, while segments are read in place, the verdict
is *Not ready*, about the Address: a second connection is for coupons, no path is proposed, and
nothing is uploaded. If two parts have moved to two places, the Address is not to be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    CAMPAIGN_KEY,
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    check_says,
    check_what_holds_of_each_report,
    examined,
    examined_account,
    not_found,
)
from support.servers import Reply, replying
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

SURE, NOT_PROVED = Certainty.SURE, Certainty.NOT_PROVED
LIST_TEMPLATE = "/v1/coupon-list/{coupon_list_id}/files"
NEW_FILE = "https://files.example.com/new.csv"


def redirect(target: str) -> Reply:
    return Reply(308, b"", {"Location": target})


def moved(old: str, new: str, *, only: str = "/") -> Callable[[Call], Reply]:
    """
    A service below one path, which redirects what is below another.

    :param only: the beginning of the paths below it that moved.
    """

    def nasty(call: Call) -> Reply:
        is_new = call.path.startswith(f"{new}/v") if new else not call.path.startswith(f"{old}/")
        below = call.path.removeprefix(new if is_new else old)
        if not is_new and below.startswith(only):
            return redirect(f"{new}{below}")
        return Account().reply(call._replace(path=below))

    return nasty


def each_elsewhere(call: Call) -> Reply | None:
    """Two services that moved to different places."""
    if call.path.startswith("/a/"):
        return Account().reply(call._replace(path=call.path.removeprefix("/a")))
    return redirect(f"/a{call.path}" if call.path.startswith("/v1/") else f"/b{call.path}")


class Move(NamedTuple):
    """
    A service that moved, and what is said of it.

    :ivar base: the path of the connection's address.
    """

    name: str
    nasty: Callable[[Call], Reply | None]
    says: tuple[str, ...]
    base: str = ""
    extra: Mapping[str, Any] = {}


HAS_MOVED = ("Not ready: Address. The service is below http://127.0.0.1:",)
MOVES = [
    Move(
        "below a prefix",
        moved("", "/gateway"),
        (*HAS_MOVED, "/gateway: ", f"/gateway{FILES_PATH})", "gets 200", "Put it into the Address"),
    ),
    Move(
        "below a prefix, with one key",
        moved("", "/gateway"),
        (*HAS_MOVED, "/gateway: ", "and a read there gets 200. Put it into the Address"),
        extra={"data_api_key": CAMPAIGN_KEY},
    ),
    Move(
        "no longer below a prefix",
        moved("/api", ""),
        (*HAS_MOVED, f": all redirects lead there, such as that of /api{FILES_PATH} (308, Loc"),
        base="/api",
    ),
    Move("below another prefix", moved("/old", "/new"), (*HAS_MOVED, "/new: "), base="/old"),
    Move(
        "below a prefix that was put into paths",
        moved("", "/gateway"),
        (*HAS_MOVED, "Put it into the Address, without /gateway in paths"),
        extra={"paths": {"coupon_files": f"/gateway{LIST_TEMPLATE}"}},
    ),
    Move(
        "to where nothing is",
        lambda call: (
            not_found("path") if call.path.startswith("/x/") else redirect(f"/x{call.path}")
        ),
        ("Not proved: Address. The service is below", "but a read there gets 404", "Check the add"),
    ),
]
EACH_ELSEWHERE = Move(
    "each to another place",
    each_elsewhere,
    ("Not ready: Path of the list's files.",),
)
COUPONS_MOVED = Move(
    "of which segments stay where they are",
    moved("", "/coupons", only="/v1/"),
    (
        "Not ready: Address. Each read of coupons is redirected below http://127.0.0.1:",
        "/coupons, even of a path that does not exist",
        f"{FILES_PATH} (308); reads of segments are not",
        "leave this connection for segments, and make a second one with that Address and the "
        "Campaign API key as its password",
    ),
)
PARTLY_MOVED = [COUPONS_MOVED, EACH_ELSEWHERE]


@cache
def report_of_move(name: str) -> Report:
    """What the doctor reports of the row of this name."""
    (row,) = [row for row in [*MOVES, *PARTLY_MOVED] if row.name == name]
    with replying(Account(row.nasty)) as url:
        return examined(f"{url}{row.base}", coupon_list_id=LIST, extra=row.extra)


@pytest.mark.parametrize("row", MOVES, ids=ids(MOVES))
def test_a_service_that_moved_as_a_whole_is_at_another_address(row: Move):
    report = report_of_move(row.name)
    check_what_holds_of_each_report(report)
    check_says(report.verdict, row.says)
    assert about(report, Topic.ADDRESS).certainty is not SURE


@pytest.mark.parametrize("row", MOVES, ids=ids(MOVES))
def test_no_path_is_proposed_of_a_service_that_moved_as_a_whole(row: Move):
    report = report_of_move(row.name)
    assert not any(name.startswith("paths.") for name in report.changed)
    assert "no setting changes" not in report.to_json()


@pytest.mark.parametrize("row", PARTLY_MOVED, ids=ids(PARTLY_MOVED))
def test_a_service_that_moved_in_part_or_to_two_places_has_no_other_address(row: Move):
    report = report_of_move(row.name)
    check_what_holds_of_each_report(report)
    check_says(report.verdict, row.says)
    assert "put that into the Address" not in report.to_json()


def test_no_path_is_proposed_if_all_coupons_moved():
    report = report_of_move(COUPONS_MOVED.name)
    assert report.changed == {}
    topics = (Topic.LIST_PATH, Topic.FILE_PATH, Topic.UPLOAD)
    assert {about(report, topic).text for topic in topics} == {"Not settled here: see Address."}


def test_no_second_connection_is_advised_if_nothing_is_where_coupons_are_redirected_to():
    def nasty(call: Call) -> Reply | None:
        if call.path.startswith("/x/"):
            return not_found("path")
        return redirect(f"/x{call.path}") if call.path.startswith("/v1/") else None

    report = examined_account(Account(nasty))
    check_what_holds_of_each_report(report)
    assert "make a second one" not in report.to_json()
    assert about(report, Topic.ADDRESS).certainty is not Certainty.WRONG


def test_nothing_is_uploaded_if_all_coupons_moved():
    account = Account(COUPONS_MOVED.nasty)
    report = examined_account(account, file_url=NEW_FILE)
    assert {call.method for call in account.calls} == {"GET"}
    assert "Not sent: reads are redirected to http://127.0.0.1:" in about(report, Topic.UPLOAD).text


def test_redirects_that_differ_by_path_are_named():
    finding = about(report_of_move(EACH_ELSEWHERE.name), Topic.ADDRESS)
    assert finding.certainty is NOT_PROVED
    check_says(finding.text, ("Redirects differ by path: ", f"/a{FILES_PATH}", "/b/v3/", "support"))


def test_an_upload_that_is_redirected_below_another_path_is_led_to_the_address():
    def nasty(call: Call) -> Reply | None:
        return redirect(f"/up{call.path}") if call.method == "POST" else None

    report = examined_account(Account(nasty), file_url=NEW_FILE)
    check_says(report.verdict, ("Not ready: Upload.", "/up into the Address"))
