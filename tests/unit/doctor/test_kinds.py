"""
Kinds of accounts that have more than one form: services that moved, headers that only replies name,
errors with the status of a success, keys that are known and may not be used, files in words that
nobody knows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from functools import cache, partial
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    CAMPAIGN_KEY,
    FILES_PATH,
    LIST,
    UNAUTHENTICATED,
    WORKSPACE,
    Account,
    Call,
    about,
    check_bounds,
    examined,
    examined_account,
    json_reply,
    not_found,
    record,
)
from support.servers import Reply, replying
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.report import Report

WRONG, SURE, NOT_PROVED = Certainty.WRONG, Certainty.SURE, Certainty.NOT_PROVED
LIST_TEMPLATE = "/v1/coupon-list/{coupon_list_id}/files"
NEW_FILE = "https://files.example.com/new.csv"


def check_says(text: str, parts: tuple[str, ...]) -> None:
    """The parts are in a text, in this order."""
    rest = text
    for part in parts:
        assert part in rest, text
        rest = rest[rest.index(part) + len(part) :]


# -- services that moved ---------------------------------------------------------------------------


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
PARTLY_MOVED = [
    Move(
        "of which segments stay where they are",
        moved("", "/coupons", only="/v1/"),
        ("Not ready: Path of the list's files. The service names /coupons/v1/coupon-list/",),
    ),
    EACH_ELSEWHERE,
]


@cache
def report_of_move(name: str) -> Report:
    """What the doctor reports of the row of this name."""
    (row,) = [row for row in [*MOVES, *PARTLY_MOVED] if row.name == name]
    with replying(Account(row.nasty)) as url:
        return examined(f"{url}{row.base}", coupon_list_id=LIST, extra=row.extra)


@pytest.mark.parametrize("row", MOVES, ids=ids(MOVES))
def test_a_service_that_moved_as_a_whole_is_at_another_address(row: Move):
    report = report_of_move(row.name)
    check_bounds(report)
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
    check_bounds(report)
    check_says(report.verdict, row.says)
    assert "put that into the Address" not in report.to_json()


def test_redirects_that_differ_by_path_are_named():
    finding = about(report_of_move(EACH_ELSEWHERE.name), Topic.ADDRESS)
    assert finding.certainty is NOT_PROVED
    check_says(finding.text, ("Redirects differ by path: ", f"/a{FILES_PATH}", "/b/v3/", "support"))


def test_an_upload_that_is_redirected_below_another_path_is_led_to_the_address():
    def nasty(call: Call) -> Reply | None:
        return redirect(f"/up{call.path}") if call.method == "POST" else None

    report = examined_account(Account(nasty), file_url=NEW_FILE)
    check_says(report.verdict, ("Not ready: Upload.", "/up into the Address"))


# -- one page in place of everything ---------------------------------------------------------------


def all_to(target: str, page: Reply | None = None, only: str = "/v") -> Account:
    """An account whose gateway redirects all paths, or some, to one page."""

    def nasty(call: Call) -> Reply | None:
        if not call.path.startswith("/v"):
            return page
        return Reply(302, b"", {"Location": target}) if call.path.startswith(only) else None

    return Account(nasty)


def titled(title: str, status: int = 200, body: str = "") -> Reply:
    page = f"<!DOCTYPE html><title>{title}</title>{body}".encode()
    return Reply(status, page, {"Content-Type": "text/html; charset=utf-8"})


class Page(NamedTuple):
    """A page that redirects lead to, what is said, and how many reads that takes."""

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    reads: int = 4


LOGIN = ("Not ready: Address. The Address is behind a browser login: a redirect to ",)
AWAY = ("Not proved: Account. Each read is redirected to ",)
PAGES = [
    Page(
        "maintenance, with an end",
        lambda: all_to("/oops?from=1", titled("Planned maintenance until 06:00 UTC")),
        (*AWAY, "/oops, whatever its path: 'Planned maintenance until 06:00 UTC'", "until then"),
    ),
    Page(
        "maintenance, in German, with status 503",
        lambda: all_to("/hinweis", titled("Wartungsarbeiten", 503)),
        (*AWAY, "/hinweis, whatever its path: 'Wartungsarbeiten'", "wait until it is over"),
    ),
    Page(
        "unavailable, in JSON",
        lambda: all_to("/info", json_reply(200, {"note": "Temporarily unavailable"})),
        (*AWAY, "Temporarily unavailable", "wait until it is over"),
    ),
    Page(
        "maintenance by its name, on another host",
        lambda: all_to("https://status.example.com/maintenance"),
        (*AWAY, "https://status.example.com/maintenance, whatever its path. The service"),
        reads=3,
    ),
    Page(
        "a login",
        lambda: all_to("/start", titled("Hello", body="<input type=password>")),
        (*LOGIN, "/start came, whatever the path: 'Hello'", "keys were not judged", "do not put"),
    ),
    *(
        Page(f"a login by {target}", partial(all_to, target), LOGIN, reads=3)
        for target in (
            "https://idp.example.com/start",
            "https://eu-sso.example.com/",
            "https://example.com/oauth2/v2.0/authorize",
            "https://example.com/cdn-cgi/access/login/api",
            "https://example.com/start?client_id=5&state=1",
            "https://example.com/start?SAMLRequest=fZJ",
        )
    ),
    Page("a login at the same address", lambda: all_to("/signin?state=1"), LOGIN, reads=4),
    Page(
        "a form for a login",
        lambda: Account(lambda _: titled("Working", body='<form action="/saml2/post">')),
        ("Not ready: Address. The Address is behind a browser login: a login page", "'Working'"),
        reads=3,
    ),
    Page(
        "a notice",
        lambda: all_to("/terms", titled("Accept our new terms")),
        ("Not proved: Address. Each read", "'Accept our new terms'. Do what the page says"),
    ),
]


def check_page(row: Page) -> None:
    """The verdict says this after so many reads, and nothing is written or proposed."""
    report = examined_account(row.account(), file_url=NEW_FILE)
    check_bounds(report)
    check_says(report.verdict, row.says)
    assert (report.reads, report.writes, report.extra) == (row.reads, 0, {})


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_one_page_that_each_read_gets_or_is_led_to_is_said_after_3_or_4_reads(row: Page):
    check_page(row)


def test_a_page_that_one_path_alone_is_led_to_leaves_the_address_right():
    check_page(
        Page(
            "one path only",
            lambda: all_to("/maintenance", titled("Down until 06:00"), only="/v1/coupon-list/"),
            (
                "Not proved: Path of the list's files. GET ",
                "/maintenance (a maintenance, by its name), which is not followed; other paths",
                "so the Address is right. No setting helps: wait until it is over",
            ),
            reads=8,
        )
    )


# -- headers ---------------------------------------------------------------------------------------


def wants(name: str, status: int, says: str, **hint: str) -> Callable[[], Account]:
    """A service that takes the workspace from a header which only other headers name."""
    named = {key.replace("_", "-"): text for key, text in hint.items()}

    def nasty(call: Call) -> Reply:
        reply = Account(header=name).reply(call)
        if not call.headers.get(name):
            error = {"error": {"code": "request-unauthenticated", "message": says}}
            reply = json_reply(status, error)
        return Reply(reply.status, reply.body, {**reply.headers, **named})

    return lambda: Account(nasty)


def wants_besides(name: str, says: str) -> Callable[[], Account]:
    """A gateway that demands a header besides, which only the headers of CORS name."""

    def nasty(call: Call) -> Reply:
        reply = Account().reply(call)
        if not call.headers.get(name):
            reply = json_reply(400, {"error": {"code": "bad-request", "message": says}})
        allowed = {"Access-Control-Allow-Headers": f"authorization, {name}"}
        return Reply(reply.status, reply.body, {**reply.headers, **allowed})

    return lambda: Account(nasty)


class Header(NamedTuple):
    """An account that misses a header, what is said, and the header that is proposed."""

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    proposed: str = ""


MISSES = "Not proved: Workspace header. The service misses a header (40"


def check_header(row: Header) -> None:
    """The verdict says this, and the extra has the header that is proposed, if one is."""
    report = examined_account(row.account())
    check_bounds(report)
    check_says(report.verdict, row.says)
    assert report.extra == ({"workspace_header": row.proposed} if row.proposed else {})


NAMED = [
    Header(
        "named for other origins",
        wants(
            "X-Acme-Client",
            401,
            "Unknown client: client header missing.",
            Access_Control_Allow_Headers="Authorization, Content-Type, X-Acme-Client",
        ),
        (
            "Not ready: Workspace header. Access-Control-Allow-Headers of replies names X-Acme-Client",
        ),
        "X-Acme-Client",
    ),
    Header(
        "named by Vary",
        wants("Acme-Org", 400, "Organization required", Vary="Accept-Encoding, Origin, Acme-Org"),
        ("Not ready: Workspace header. Vary of replies names Acme-Org",),
        "Acme-Org",
    ),
    Header(
        "named by a challenge",
        wants("X-Site", 401, "Who are you?", WWW_Authenticate='Basic realm="s", header="X-Site"'),
        ("Not ready: Workspace header. WWW-Authenticate of replies names X-Site",),
        "X-Site",
    ),
]


@pytest.mark.parametrize("row", NAMED, ids=ids(NAMED))
def test_a_header_that_headers_of_replies_name_is_proposed_if_it_is_accepted(row: Header):
    check_header(row)


NOT_NAMED = [
    Header(
        "named nowhere",
        wants("Acme-Org", 401, "Missing tenant header."),
        (MISSES, "nor is any usual one. Ask its support for the name"),
    ),
    Header(
        "named nowhere, by an error that is not about keys",
        wants("Acme-Org", 400, "Unknown client."),
        (MISSES, "nor is any usual one. Ask its support for the name"),
    ),
    Header(
        "not the one that replies name",
        wants("Acme-Org", 401, "client header missing", Vary="X-Trace-Me"),
        (MISSES, "nor is X-Trace-Me, which replies name. Ask its support"),
    ),
]


@pytest.mark.parametrize("row", NOT_NAMED, ids=ids(NOT_NAMED))
def test_a_header_that_is_missed_is_to_be_asked_for_if_none_that_is_tried_is_accepted(row: Header):
    check_header(row)


def test_a_header_that_is_demanded_besides_the_connections_is_named_and_not_proposed():
    check_header(
        Header(
            "of the version, besides",
            wants_besides("X-Api-Version", "The API version is missing."),
            ("Not ready: Workspace header. The service demands X-Api-Version besides SVC-APPKEY",),
        )
    )


def test_no_header_is_missed_if_an_error_misses_the_credentials():
    check_header(
        Header(
            "of a key, in usual words",
            lambda: Account(lambda _: json_reply(401, {"message": "Missing Authorization header"})),
            ("Not proved: Campaign API key. Refused",),
        )
    )


# -- errors with the status of a success -----------------------------------------------------------

Wrap = Callable[[int, str, str], Reply]


def in_json(make: Callable[[int, str], Any]) -> Wrap:
    return lambda status, code, message: json_reply(200, make(status, message))


def in_xml(status: int, code: str, message: str) -> Reply:
    body = f'<?xml version="1.0"?><fault><code>{status}7</code><reason>{message}</reason></fault>'
    return Reply(200, body.encode(), {"Content-Type": "application/xml"})


# Words that no list has: only comparing shows what the error means.
FOREIGN = {401: "Tuntematon avain", 404: "Ei ole"}
ERRORS: dict[str, Wrap] = {
    "a code and a message with names of their own": in_json(
        lambda status, says: {"errorCode": status + 10_000, "errorMessage": says, "data": None}
    ),
    "a number and a message": in_json(lambda status, says: {"code": status * 100, "msg": says}),
    "a word as status": in_json(lambda status, says: {"status": "error", "message": says}),
    "an object beside ok": in_json(
        lambda status, says: {"ok": False, "error": {"code": f"E{status}", "message": says}}
    ),
    "words in another language": in_json(
        lambda status, says: {"success": False, "errorCode": status, "errorMsg": FOREIGN[status]}
    ),
    "XML": in_xml,
}


def with_200(wrap: Wrap) -> Callable[[Call], Reply]:
    def nasty(call: Call) -> Reply:
        reply = Account().reply(call)
        if call.method == "PATCH" and call.key == "data":
            return json_reply(200, {"name": "s"})
        if reply.status < 400:
            return reply
        error = json.loads(reply.body)["error"]
        return wrap(reply.status, error["code"], error["message"])

    return nasty


@pytest.mark.parametrize("name", ERRORS)
def test_errors_with_status_200_are_read_as_those_with_a_status(name: str):
    account = Account(with_200(ERRORS[name]))
    report = examined_account(account)
    check_bounds(report)
    assert about(report, Topic.DATA_KEY).certainty is SURE
    assert about(report, Topic.CAMPAIGN_KEY).certainty is SURE
    assert report.verdict.startswith("Not proved: Segment. Errors come with status 200 here")


@pytest.mark.parametrize("name", ["words in another language", "XML"])
def test_a_key_that_is_refused_with_status_200_is_wrong_for_reads_and_updates(name: str):
    nasty = with_200(ERRORS[name])
    account = Account(
        lambda call: nasty(call._replace(key="unknown" if call.key == "data" else call.key))
    )
    report = examined_account(account, segment_id="s")
    assert about(report, Topic.DATA_KEY).certainty is WRONG
    segment = about(report, Topic.SEGMENT)
    assert segment.certainty is WRONG
    assert segment.text.startswith("Refused (200 ")
    assert "--segment" not in report.to_json()


def test_a_ready_account_keeps_the_warning_that_errors_come_with_200():
    account = Account(with_200(ERRORS["an object beside ok"]))
    report = examined_account(account, segment_id="s")
    assert report.works
    lines = [line.plain for line in report.lines()]
    assert any("They come with 200, which an update takes for a success." in line for line in lines)


# -- advice ----------------------------------------------------------------------------------------


def changes_refused(call: Call) -> Reply | None:
    """Each of the three changes is refused, and no read shows what it would."""
    if call.method != "GET":
        return json_reply(403, {"error": {"code": "no-scope", "message": "Missing scope."}})
    return not_found("path") if call.path.startswith("/v3/") else None


def test_no_option_is_advised_that_was_given():
    account = Account(changes_refused)
    options = {"file_url": NEW_FILE, "catalog": "shoes", "segment_id": "s"}
    report = examined_account(account, **options)
    texts = " ".join(finding.text for finding in report.findings)
    assert "--" not in texts
    assert "a key with what it lacks" in about(report, Topic.UPLOAD).text


@pytest.mark.parametrize("option", ["--upload", "--catalog", "--segment"])
def test_an_option_is_advised_that_was_not_given(option: str):
    report = examined_account(Account(changes_refused))
    assert option in " ".join(finding.text for finding in report.findings)


# -- pages whose size the reply names ---------------------------------------------------------------


class Echo(NamedTuple):
    """What a list says of its page's size, the parameter that is proposed, and what is said."""

    echo: str
    parameter: str
    most: int
    size: str
    says: str


ECHOES = [
    Echo("per_page", "per_page", 100, "per_page=100", "enough up to 100 files; there are 6."),
    Echo("limit", "limit", 50, "limit=50", "enough up to 50 files; there are 6."),
    Echo("pageSize", "pageSize", 200, "pageSize=200", "enough up to 200 files; there are 6."),
    Echo("size", "size", 1000, "size=1000", "enough up to 1000 files; there are 6."),
    Echo("size", "size", 6, "size=1000", "no reply says up to how many files, and there are 6."),
    Echo("", "limit", 100, "limit=1000", "no reply says up to how many files, and there are 6."),
]


@pytest.mark.parametrize(
    "row", ECHOES, ids=[f"{row.echo or 'nothing'}, {row.most} at most" for row in ECHOES]
)
def test_a_larger_page_is_proposed_with_the_size_that_a_reply_confirms_or_else_1000(row: Echo):
    files = [record(f"f{number}") for number in range(6)]

    def nasty(call: Call) -> Reply | None:
        if call.path != FILES_PATH or call.key != "campaign":
            return None
        asked = parse_qs(call.query).get(row.parameter, ["4"])[0]
        size = min(int(asked), row.most)
        echo = {row.echo: size} if row.echo else {}
        return json_reply(200, {"data": files[:size], "meta": {"total": 6, **echo}})

    report = examined_account(Account(nasty, records=files))
    check_bounds(report)
    check_says(report.verdict, (f"with {row.size}, it has all of it", row.says))
    assert report.extra == {"paths": {"coupon_files": f"{LIST_TEMPLATE}?{row.size}"}}


# -- files in words that nobody knows --------------------------------------------------------------


def german(name: str, status: str, added: int, **more: Any) -> dict[str, Any]:
    counts = {"hinzugefügt": added, "doppelt": 2}
    return {"_id": name, "status": status, "coupons_list_id": LIST, **counts, **more}


class Files(NamedTuple):
    """A list's files, and what is said of their counts and statuses."""

    name: str
    records: tuple[Mapping[str, Any], ...]
    counts: tuple[str, ...]
    statuses: tuple[str, ...] = ()
    added: str = ""


FAILED = record("f9", "FAILED", coupons_added=0)
FILES = [
    Files(
        "names of another language",
        (german("a", "VERARBEITET", 500), german("b", "WEG", 0, grund="Spalte fehlt")),
        (
            "500 coupons added, 2 duplicates, under hinzugefügt and doppelt, in file a.",
            "confirm it",
        ),
        ("VERARBEITET seems to mean success (file a: hinzugefügt is 500, but VERARBEITET may",),
        "hinzugefügt",
    ),
    Files(
        "a reason under a name of another language",
        (german("b", "WEG", 0, grund="Spalte fehlt"), german("a", "VERARBEITET", 500)),
        ("500 coupons added",),
        ("WEG seems to mean failure (file b: the service names 'grund: Spalte fehlt', and hinzu",),
        "hinzugefügt",
    ),
    Files(
        "a failure by its name that added coupons",
        (record("f1"), record("f2", "ACTIVE_WITH_ERRORS", coupons_added=61, rejected=41)),
        ("5 coupons added",),
        (
            "ACTIVE_WITH_ERRORS is partial (file f2: 61 coupons added, but rejected is 41): "
            "decide whether your tasks should accept it. Name it in coupon_file_statuses as you",
        ),
    ),
    Files(
        "part of a file, with a reason",
        (record("f1"), record("f2", "HALF", reason="2 lines are empty")),
        ("5 coupons added",),
        ("HALF is partial (file f2: 5 coupons added, but the service names '2 lines are empty')",),
    ),
    Files(
        "part of one file, and nothing of another",
        (
            record("f1"),
            record("f2", "DONE_WITH_ERRORS", coupons_added=0, rejected=9),
            record("f3", "DONE_WITH_ERRORS", rejected=9),
        ),
        ("5 coupons added",),
        ("DONE_WITH_ERRORS is partial (file f3: 5 coupons added, but rejected is 9)",),
    ),
    Files(
        "no count that is one of duplicates",
        ({"_id": "a", "status": "DONE", "added": 3, "known": 1, "coupons_list_id": LIST},),
        (
            "3 coupons added, in file a; no count of duplicates is known. If a number counts duplicates",
        ),
    ),
    Files(
        "two files that succeeded, with different counts",
        (record("f1", coupons_added=9), record("f2", coupons_added=4)),
        ("4 coupons added, 0 duplicates, in file f2.",),
    ),
    Files(
        "a name in English that is not usual",
        ({"_id": "a", "status": "DONE", "loaded": 3, "coupons_list_id": LIST},),
        ("3 coupons added, under loaded, in file a",),
        (),
        "loaded",
    ),
    Files(
        "the failed file last",
        (record("f1"), FAILED),
        ("5 coupons added, 0 duplicates, in file f1.",),
    ),
    Files(
        "the failed file first",
        (FAILED, record("f1")),
        ("5 coupons added, 0 duplicates, in file f1.",),
    ),
    Files("only a failed file", (FAILED,), ("0 coupons added, 0 duplicates, in file f9.",)),
    Files(
        "counts that nothing explains",
        ({"_id": "a", "status": "DONE", "x": 3, "y": 4, "coupons_list_id": LIST},),
        (
            "Which of x (3), y (4) counts coupons added, in file a?",
            '{"added": "...", "duplicates": "..."}',
        ),
    ),
    Files(
        "records without identifiers",
        ({"fileId": "a", "state": "DONE", "importedRows": 3},),
        ("Records have numbers (importedRows), but cannot be read",),
    ),
]
WITH_STATUSES = [row for row in FILES if row.statuses]


@cache
def report_of_files(name: str) -> Report:
    """What the doctor reports of the row of this name."""
    (row,) = [row for row in FILES if row.name == name]
    return examined_account(Account(records=row.records))


of_files = pytest.mark.parametrize("row", FILES, ids=ids(FILES))


@of_files
def test_counts_are_said_of_the_last_file_that_succeeded_and_added_coupons(row: Files):
    report = report_of_files(row.name)
    check_bounds(report)
    check_says(about(report, Topic.COUNTS).text, row.counts)


@of_files
def test_a_name_is_proposed_for_coupons_added_if_no_usual_one_is_there(row: Files):
    report = report_of_files(row.name)
    assert report.values["coupon_file_counts.added"].value == row.added


@pytest.mark.parametrize("row", WITH_STATUSES, ids=ids(WITH_STATUSES))
def test_what_an_unknown_status_seems_to_mean_is_said_of_the_file_that_shows_it(row: Files):
    report = report_of_files(row.name)
    check_says(about(report, Topic.STATUSES).text, row.statuses)


@pytest.mark.parametrize("row", WITH_STATUSES, ids=ids(WITH_STATUSES))
def test_each_guess_at_a_status_rests_on_a_read(row: Files):
    statuses = about(report_of_files(row.name), Topic.STATUSES)
    assert statuses.guesses
    assert statuses.probes


def test_an_extra_is_printed_whole_with_a_setting_in_a_line():
    extra = {"coupon_file_statuses": {"failure": [f"STATUS_{number}" for number in range(12)]}}
    records = (german("a", "VERARBEITET", 500), german("b", "WEG", 0))
    report = examined_account(Account(records=records), extra=extra)
    lines = [line.plain for line in report.lines()]
    printed = lines[lines.index("{") : lines.index("}") + 1]
    assert json.loads("\n".join(printed)) == report.extra
    assert not any("…" in line for line in printed)
    assert sum(line.lstrip().startswith('"') for line in printed) >= 4
    assert any(line.endswith('coupon_file_statuses.success: with "VERARBEITET"') for line in lines)


def test_records_without_an_identifier_elsewhere_in_the_body_are_asked_for_in_one_sentence():
    records = ({"fileId": "a", "processingState": "DONE"},)
    account = Account(records=records, list_body=lambda files: {"result": {"items": files}})
    text = about(examined_account(account), Topic.RECORDS).text
    check_says(text, ("1 object under result.items without _id", "array", "data", "_id", "status"))


class Unreadable(NamedTuple):
    """Records that the provider cannot read, and what is said of them and of an upload."""

    record: Mapping[str, Any]
    says: tuple[str, ...]
    upload: str = "Not sent: the provider cannot read the list's records"


UNREADABLE = [
    Unreadable(
        {"fileId": "a", "state": "LIVE", "rows": {"loaded": 3}},
        ("Not ready: Records.", 'They have fileId, state ("LIVE"), rows.loaded; no setting'),
    ),
    Unreadable({"id": "a", "phase": 7}, ("Not ready: Records.", "They have id, phase (7); no")),
    Unreadable(
        {"_id": 7}, ("Not ready: Records.", "without a usable _id", "They have _id (7); no")
    ),
    Unreadable({"uuid": "a"}, ("Not ready: Records.", "the path is not at fault: ask")),
    Unreadable(
        {"_id": "a", "status": 7, "coupons_list_id": LIST},
        ("Not ready: Path of one file.", "status 7"),
        "Not sent: files have status 7 in place of a status that the provider reads",
    ),
]


@pytest.mark.parametrize("row", UNREADABLE, ids=[str(row.record) for row in UNREADABLE])
def test_nothing_is_uploaded_if_identifiers_or_statuses_of_files_cannot_be_read(row: Unreadable):
    report = examined_account(Account(records=(row.record,)), file_url=NEW_FILE)
    check_bounds(report)
    check_says(report.verdict, row.says)
    assert about(report, Topic.UPLOAD).text.startswith(row.upload)
    assert report.writes == 0
    assert about(report, Topic.LIST_PATH).certainty is SURE


# -- keys that are known and may not be used -------------------------------------------------------


class Known(NamedTuple):
    """What a service replies to the right campaign key with a 403, and what the verdict has."""

    says: str
    verdict: tuple[str, ...]


KNOWN = [
    Known(
        "Source address 203.0.113.77 is not in the allowlist",
        (
            "Not proved: Account. Segments (/v3) can be read; coupon lists and coupon files cannot",
            "the service or a gateway refused 4 of",
            "This machine's address 203.0.113",
            "Tasks that do without coupon lists and coupon files can run",
        ),
    ),
    Known(
        "Your subscription plan has no coupons.",
        ("Not ready: Campaign API key. The service replies 403", "Ask the service's support for"),
    ),
    Known("The key expired in May.", ("Not ready: Campaign API key. Refused", "make a new key")),
]


@pytest.mark.parametrize("row", KNOWN, ids=[row.says for row in KNOWN])
def test_a_403_with_the_campaign_key_alone_says_by_its_words_if_machine_plan_or_key_is_wrong(
    row: Known,
):
    def nasty(call: Call) -> Reply | None:
        return json_reply(403, {"message": row.says}) if call.key == "campaign" else None

    report = examined_account(Account(nasty))
    check_bounds(report)
    check_says(report.verdict, row.verdict)


def test_a_wrong_data_key_is_shown_beside_what_keeps_the_campaign_key():
    def nasty(call: Call) -> Reply:
        if call.path.startswith("/v3/") or call.key != "campaign":
            return json_reply(401, UNAUTHENTICATED)
        return json_reply(421, {"message": f"{WORKSPACE} is in data center 04"})

    report = examined_account(Account(nasty))
    check_says(
        report.verdict, ("Not proved: Address.", "data center 04", "Data API key is refused")
    )


def test_a_quota_says_until_when_it_lasts():
    late = Reply(
        429,
        b"Over daily quota",
        {"x-ratelimit-reset": "39600", "X-Quota-Limit": "1000/day", "Content-Type": "text/plain"},
    )
    report = examined_account(Account(lambda call: late if call.number > 4 else None))
    check_says(
        report.verdict,
        (
            "Not proved: Rate limits.",
            "x-quota-limit: 1000/day",
            "Wait for about 11 hours, if x-ratelimit-reset: 39600 means seconds",
        ),
    )


LONG_QUOTAS = [
    {"Retry-After": "435600"},
    {"Retry-After": "432000", "X-Quota-Reset": "2030-12-01T00:00:00Z"},
    {"X-RateLimit-Reset": "{epoch}", "X-RateLimit-Remaining": "0"},
    {"X-Quota-Reset": "{iso}"},
    {"Retry-After": "{http}"},
]


@pytest.mark.parametrize("headers", LONG_QUOTAS, ids=map(str, LONG_QUOTAS))
def test_a_quota_of_days_says_its_date_and_its_words(headers: dict[str, str]):
    end = datetime.now(timezone.utc) + timedelta(days=5, minutes=30)
    forms = {
        "epoch": f"{end.timestamp():.0f}",
        "iso": f"{end:%Y-%m-%dT%H:%M:%SZ}",
        "http": format_datetime(end, usegmt=True),
    }
    sent = {name: value.format(**forms) for name, value in headers.items()}

    def nasty(call: Call) -> Reply | None:
        if not call.path.startswith("/v3/"):
            return None
        return json_reply(429, {"error": {"code": "quota", "message": "1000 calls used."}}, **sent)

    report = examined_account(Account(nasty))
    check_bounds(report)
    check_says(report.verdict, (f"{end:%Y-%m}", "in 5 days", "'1000 calls used'", "until then"))
