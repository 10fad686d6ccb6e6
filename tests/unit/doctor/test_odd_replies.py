"""
Replies that are odd alone: bodies that cannot be read, one path that is redirected, files that any
key gets, and what the provider cannot be told to send.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    LIST,
    WORKSPACE,
    Account,
    Call,
    about,
    check_bounds,
    check_says,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.servers import Reply
from wes_provider.client.requests import list_coupon_files
from wes_provider.client.responses import Response
from wes_provider.doctor.binaries import binary_in
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.probes import Probe, Question
from wes_provider.doctor.report import Report
from wes_provider.doctor.subjects import not_sent_in
from wes_provider.settings import WesSettings

WRONG, SURE, NOT_PROVED = Certainty.WRONG, Certainty.SURE, Certainty.NOT_PROVED
NOT_ASKED = Certainty.NOT_ASKED
FILES = json.dumps([record("f1")]).encode()
JSON = "application/json"
Replies = Callable[[Call], Reply | None]


def check_verdict(report: Report, says: tuple[str, ...]) -> None:
    """The parts are in the verdict, in this order, and the report keeps to its bounds."""
    check_bounds(report)
    check_says(report.verdict, says)


# -- bodies that cannot be read --------------------------------------------------------------------


class Body(NamedTuple):
    """A body, and what it is called; empty if it is text."""

    name: str
    body: bytes
    called: str = ""
    media: str = JSON


BINARIES = [
    Body("gzip", gzip.compress(FILES), "gzip (it begins with 1f 8b)"),
    Body("zstd", b"\x28\xb5\x2f\xfd\x04\x00", "zstd (it begins with 28 b5 2f fd)"),
    Body("zlib", zlib.compress(FILES), "zlib (it begins with 78 9c)"),
    Body("ZIP", b"PK\x03\x04\x14\x00\x00\x00", "a ZIP archive (it begins with 50 4b 03 04)"),
    Body("a picture", b"\x89PNG\r\n\x1a\n", "a picture (it begins with 89 50 4e 47)"),
    Body("MessagePack", b"\x91\x83\xa3_id\xa2f1\x00", "no text (it begins with 91 83 a3 5f)"),
    Body("random bytes", bytes(range(128, 256)), "no text (it begins with 80 81 82 83)"),
    Body(
        "UTF-16 without a mark",
        FILES.decode().encode("utf-16-le"),
        "UTF-16 without its mark (it begins with 5b 00)",
    ),
]


@pytest.mark.parametrize("row", BINARIES, ids=[row.name for row in BINARIES])
def test_a_body_that_is_no_text_is_named_by_its_first_bytes(row: Body):
    assert str(binary_in(row.body, row.media)) == row.called


TEXTS = [
    Body("UTF-16 with a mark", FILES.decode().encode("utf-16")),
    Body("JSON", FILES),
    Body("nothing", b""),
    Body("a word in Latin-1", "Für Gäste".encode("latin-1"), media="text/plain"),
    Body("a text of two letters", b"PK", media="text/plain"),
    Body("a text that begins as zlib does", b"x^2 is a square", media="text/plain"),
    Body("Cyrillic in its charset", "Нет".encode("cp1251"), media="text/plain; charset=cp1251"),
]


@pytest.mark.parametrize("row", TEXTS, ids=[row.name for row in TEXTS])
def test_a_body_that_is_text_in_its_charset_or_empty_is_no_binary(row: Body):
    assert binary_in(row.body, row.media) is None


def test_a_binary_body_is_never_printed():
    request = list_coupon_files(WesSettings("https://localhost", "w", "k", "k"), LIST)
    response = Response(500, {"content-type": JSON}, gzip.compress(b"secret"))
    probe = Probe(Question.LIST, request, response=response)
    assert str(probe) == f"GET {FILES_PATH} → 500, binary"


def test_a_binary_body_has_no_text_code_or_message():
    request = list_coupon_files(WesSettings("https://localhost", "w", "k", "k"), LIST)
    response = Response(500, {"content-type": JSON}, gzip.compress(b"secret"))
    probe = Probe(Question.LIST, request, response=response)
    assert (probe.text, probe.code, probe.message) == ("", "", "")


def squeezed(reply: Reply) -> Reply:
    """A reply whose header Content-Encoding a proxy has dropped."""
    return Reply(reply.status, gzip.compress(reply.body), {"Content-Type": JSON})


def only_the_list(reply: Reply) -> Replies:
    """A service that is healthy but for what the own key gets as the list."""
    return lambda call: reply if call.path == FILES_PATH and call.key == "campaign" else None


class Unreadable(NamedTuple):
    """Replies that cannot be read, and what is said."""

    name: str
    replies: Replies
    says: tuple[str, ...]
    absent: tuple[str, ...] = ("Check the address", "login page", "Not ready")


OF_LIST = "Not proved: Path of the list's files. 200 with application/json came, but its body is "
OF_ADDRESS = "Not proved: Address. 200 with application/json came, but its body is "
GZIP = "gzip (it begins with 1f 8b) without Content-Encoding: a proxy may have dropped that header."
ASK = "No setting helps: ask whoever runs what is between, or the service's support"
IS_RIGHT = "Other paths reply here, so the Address is right."
UNREADABLES = [
    Unreadable(
        "each reply is compressed",
        lambda call: squeezed(Account().reply(call)),
        (f"{OF_LIST}{GZIP} {ASK}. {IS_RIGHT}",),
    ),
    Unreadable(
        "the list alone is compressed",
        only_the_list(Reply(200, gzip.compress(FILES), {"Content-Type": JSON})),
        (f"{OF_LIST}{GZIP} {ASK}. {IS_RIGHT}",),
    ),
    Unreadable(
        "one compressed list for all paths and keys",
        lambda _: squeezed(json_reply(200, [record("f1")])),
        (f"{OF_ADDRESS}{GZIP} {ASK}; the Address may be right, and no key was judged.",),
    ),
    Unreadable(
        "a compressed list for all keys",
        lambda call: squeezed(
            json_reply(200, []) if call.path == FILES_PATH else Reply(404, b"no route")
        ),
        (f"{OF_ADDRESS}{GZIP} {ASK}; the Address may be right, but no other reply shows that",),
    ),
    Unreadable(
        "compressed under another type",
        lambda _: Reply(200, gzip.compress(FILES), {"Content-Type": "application/octet-stream"}),
        ("Not proved: Address. 200 with application/octet-stream came, but its body is gzip",),
    ),
    Unreadable(
        "zstd",
        lambda _: Reply(200, b"\x28\xb5\x2f\xfd\x04\x00", {"Content-Type": JSON}),
        (f"{OF_ADDRESS}zstd (it begins with 28 b5 2f fd) without Content-Encoding",),
    ),
    Unreadable(
        "MessagePack",
        lambda _: Reply(200, b"\x91\x83\xa3_id\xa2f1\x00", {"Content-Type": JSON}),
        (f"{OF_ADDRESS}no text (it begins with 91 83 a3 5f): something between may have changed",),
    ),
    Unreadable(
        "compressed twice",
        lambda _: Reply(
            200,
            gzip.compress(gzip.compress(FILES)),
            {"Content-Type": JSON, "Content-Encoding": "gzip"},
        ),
        (f"{OF_ADDRESS}gzip", "though its Content-Encoding (gzip) was undone: it may be compr"),
    ),
    Unreadable(
        "text that says it is JSON",
        only_the_list(Reply(200, b"see the archive", {"Content-Type": JSON})),
        (f"{OF_LIST}text that is no JSON: 'see the archive'. {ASK}. {IS_RIGHT}",),
    ),
]


def check_unreadable(row: Unreadable) -> None:
    """The verdict says this, and neither the output nor the JSON has what is absent."""
    report = examined_account(Account(row.replies))
    check_verdict(report, row.says)
    printed = "\n".join(line.plain for line in report.lines())
    assert not any(part in f"{printed}{report.to_json()}" for part in row.absent)
    assert "�" not in printed


@pytest.mark.parametrize("row", UNREADABLES, ids=[row.name for row in UNREADABLES])
def test_a_body_that_cannot_be_read_is_named_and_says_nothing_against_the_address(row: Unreadable):
    check_unreadable(row)


def test_a_picture_in_place_of_each_reply_is_not_the_services():
    check_unreadable(
        Unreadable(
            "a picture",
            lambda _: Reply(200, b"\x89PNG\r\n\x1a\n", {"Content-Type": "image/png"}),
            ("Not ready: Address. Binary came with status 200, which the service does not send.",),
            absent=("PNG",),
        )
    )


def test_keys_are_judged_though_bodies_cannot_be_read():
    report = examined_account(Account(lambda call: squeezed(Account().reply(call))))
    assert about(report, Topic.CAMPAIGN_KEY).text.startswith("Known: a made-up key is refused.")
    assert about(report, Topic.DATA_KEY).certainty is SURE
    assert about(report, Topic.ADDRESS).certainty is SURE


# -- one path that is redirected -------------------------------------------------------------------

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
    check_bounds(report)
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
    assert finding.certainty is NOT_ASKED
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
    check_bounds(report)
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


# -- files that any key gets -----------------------------------------------------------------------


def demo(body: Callable[[list[Any]], Any], list_id: str = "demo-list") -> Replies:
    """A service that has the same two files for each list and key, made by a function."""
    files = [record("d1", coupons_list_id=list_id), record("d2", coupons_list_id=list_id)]

    def nasty(call: Call) -> Reply | None:
        is_list = call.path.startswith("/v1/coupon-list/") and call.path.endswith("/files")
        if is_list or call.path.startswith("/v3/"):
            return json_reply(200, body(files))
        return None

    return nasty


def in_data(**beside: Any) -> Callable[[list[Any]], Any]:
    return lambda files: {**beside, "data": files}


def in_records(**beside: Any) -> Callable[[list[Any]], Any]:
    return lambda files: [{**file, **beside} for file in files]


class Demo(NamedTuple):
    """Files that any key gets, and whose they are called."""

    name: str
    replies: Replies
    says: str


DEMO = "All replies with files, also to a made-up key, are of "
DEMOS = [
    Demo("a workspace", demo(in_data(workspace="demo")), f"{DEMO}workspace demo, and not of "),
    Demo(
        "an object",
        demo(in_data(tenant={"id": "t-0", "plan": "free"})),
        f"{DEMO}tenant t-0, and not of ",
    ),
    Demo(
        "in the records",
        demo(in_records(organization_id="acme-demo"), LIST),
        f"{DEMO}organization acme-demo, and not of ",
    ),
    Demo(
        "an environment",
        demo(in_data(environment="sandbox"), LIST),
        f"{DEMO}environment sandbox, and not of ",
    ),
    Demo(
        "two of them",
        demo(in_data(meta={"account": 1, "project": "demo"})),
        f"{DEMO}account 1 and project demo, and not of ",
    ),
    Demo(
        "by the list alone",
        demo(in_data()),
        f"A made-up key gets the same 2 files, none of them of the list {LIST}, but of demo-list: ",
    ),
]


@pytest.mark.parametrize("row", DEMOS, ids=[row.name for row in DEMOS])
def test_files_that_any_key_gets_are_of_another_account_if_they_or_their_list_say_so(row: Demo):
    report = examined_account(Account(row.replies))
    check_verdict(
        report, (f"Not proved: Account. {row.says}", "check the keys", "upload nothing before that")
    )


@pytest.mark.parametrize("row", DEMOS, ids=[row.name for row in DEMOS])
def test_nothing_is_concluded_from_files_that_any_key_gets(row: Demo):
    report = examined_account(Account(row.replies))
    texts = " ".join(finding.text for finding in report.findings)
    absent = ("calls the list", "Name demo-list", "no list with files", "--upload", "--segment")
    assert not any(part in texts for part in absent), texts
    assert report.extra == {}
    of_files = (Topic.LIST_PATH, Topic.FILE_PATH, Topic.STATUSES, Topic.COUNTS)
    assert SURE not in [about(report, topic).certainty for topic in of_files]


@pytest.mark.parametrize("row", DEMOS, ids=[row.name for row in DEMOS])
def test_nothing_is_written_to_an_account_that_may_be_another_one(row: Demo):
    asked = {"file_url": "https://f.example.com/a.csv", "catalog": "c", "segment_id": "s"}
    report = examined_account(Account(row.replies), **asked)
    assert report.writes == 0


OWN = [
    Demo("the login", demo(in_data(workspace=WORKSPACE), LIST), ""),
    Demo("the login beside an account", demo(in_data(account=1, tenant=WORKSPACE), LIST), ""),
    Demo("a production", demo(in_data(environment="production"), LIST), ""),
    Demo("nobody", demo(in_data(), LIST), ""),
]


@pytest.mark.parametrize("row", OWN, ids=[row.name for row in OWN])
def test_files_that_any_key_gets_leave_the_key_open_if_they_name_nobody_else(row: Demo):
    report = examined_account(Account(row.replies))
    assert report.verdict.startswith("Not proved: Campaign API key.")
    assert Topic.ACCOUNT not in [finding.topic for finding in report.findings]
    assert about(report, Topic.STATUSES).certainty is NOT_ASKED
    assert "A made-up key gets the list as well" in about(report, Topic.STATUSES).text


def test_a_key_that_gets_other_files_than_a_made_up_one_is_accepted():
    def nasty(call: Call) -> Reply | None:
        if call.path == FILES_PATH and call.key == "unknown":
            return json_reply(200, [record("d1")])
        return None

    assert about(examined_account(Account(nasty)), Topic.CAMPAIGN_KEY).certainty is SURE


def test_a_service_that_has_the_same_files_for_each_list_has_no_other_name_for_one():
    def nasty(call: Call) -> Reply | None:
        is_list = call.path.startswith("/v1/coupon-list/") and call.path.endswith("/files")
        if is_list and call.key == "campaign":
            return json_reply(200, [record("d1", coupons_list_id="other")])
        return None

    text = about(examined_account(Account(nasty)), Topic.LIST_PATH).text
    assert "calls the list" not in text
    assert "and the same for a list that does not exist. Ask the service's support" in text


# -- what the user cannot do -----------------------------------------------------------------------


class Created(NamedTuple):
    """A reply to the creation of a catalog that has nothing to name, and what is said."""

    name: str
    reply: Reply
    says: tuple[str, ...]


NO_SETTING = "and no setting changes that: "
CREATIONS = [
    Created(
        "a Location",
        Reply(201, b"", {"Location": "/v1/catalog/cat_5f3c"}),
        (
            "Created; the reply has no body, and its Location names /v1/catalog/cat_5f3c, which "
            f"the provider does not read, {NO_SETTING}keep that identifier, and ask the service's "
            "support for it in the body.",
        ),
    ),
    Created(
        "a Location beside an empty object",
        json_reply(201, {}, Location="/v1/catalog/cat_5f3c?token=abcdef"),
        ("Created; the body of the reply ({}) has no identifier", "names /v1/catalog/cat_5f3c, w"),
    ),
    Created(
        "no content",
        Reply(204, b""),
        (f"Accepted with 204; the reply has no body, {NO_SETTING}look for 'c' in the service's",),
    ),
    Created("an empty object", json_reply(200, {}), ("Accepted with 200; the body of the reply",)),
    Created("an empty array", json_reply(201, []), ("Created; the body of the reply ([]) has no",)),
    Created("a page", page_reply(200), ("A web page came with status 200, perhaps from a gat",)),
    Created(
        "what is binary",
        Reply(201, gzip.compress(b"{}"), {"Content-Type": JSON}),
        ("Created; the body of the reply (binary) has no identifier",),
    ),
]


def replying_to(method: str, reply: Reply) -> Account:
    return Account(lambda call: reply if call.method == method else None)


@pytest.mark.parametrize("row", CREATIONS, ids=[row.name for row in CREATIONS])
def test_a_catalog_without_an_identifier_asks_for_no_setting(row: Created):
    report = examined_account(replying_to("POST", row.reply), catalog="c")
    text = about(report, Topic.CATALOG).text
    assert all(part in text for part in row.says), text
    assert "paths.catalog_id" not in text
    assert "abcdef" not in report.to_json()


def test_the_location_of_a_creation_is_shown_beside_its_status_and_not_as_a_redirect():
    reply = Reply(201, b"", {"Location": "/v1/catalog/cat_5f3c"})
    finding = about(examined_account(replying_to("POST", reply), catalog="c"), Topic.CATALOG)
    assert "→ 201, Location http://" in str(finding.probes[0])


class Demanded(NamedTuple):
    """What an update is refused for, and what is said to be not sent."""

    status: int
    message: str
    advice: str


def not_sent(what: str) -> str:
    return f"The provider does not send {what}, and no setting adds it: ask the service's support"


DEMANDS = [
    Demanded(428, "Versioned. Send If-Match with the current ETag.", not_sent("If-Match")),
    Demanded(428, "An ETag is needed.", not_sent("If-Match")),
    Demanded(412, "Send If-Unmodified-Since.", not_sent("If-Unmodified-Since")),
    Demanded(400, "Please send an Idempotency-Key.", not_sent("Idempotency-Key")),
    Demanded(403, "A client certificate is required.", not_sent("a client certificate")),
    Demanded(403, "Use mutual TLS.", not_sent("a client certificate")),
    Demanded(400, "Request signature missing.", not_sent("a signature of requests")),
    Demanded(400, "Please sign your requests.", not_sent("a signature of requests")),
    Demanded(400, "The header X-Request-Id is required.", not_sent("X-Request-Id")),
    Demanded(400, "X-Api-Version must be set.", not_sent("X-Api-Version")),
    Demanded(400, "Content-Digest is missing.", not_sent("Content-Digest")),
    Demanded(403, "Missing CSRF token.", not_sent("a CSRF token")),
    Demanded(400, "The field 'revision' is required.", not_sent("revision")),
    Demanded(400, "Missing required field: etag_version", not_sent("etag_version")),
    Demanded(405, "Method not allowed.", "The provider sends PATCH to this path, and no setting"),
    Demanded(400, "Please use PUT.", "The provider sends PATCH to this path, and no setting"),
    Demanded(400, "Please upgrade your SDK.", "The provider is a client of its own, and no sett"),
    Demanded(400, "included_filters is required.", "The doctor does not send included_filters"),
]


def check_demanded(row: Demanded) -> None:
    """What is said of an update with this error has the advice."""
    error = {"error": {"code": "refused", "message": row.message}}
    account = replying_to("PATCH", json_reply(row.status, error))
    text = about(examined_account(account, segment_id="s", updated_by="a@example.com"), SEGMENT)
    assert row.advice in text.text, text.text


@pytest.mark.parametrize("row", DEMANDS, ids=[row.message for row in DEMANDS])
def test_what_an_error_demands_is_left_to_the_support_if_the_provider_cannot_send_it(row: Demanded):
    check_demanded(row)


def test_what_an_error_demands_of_people_is_to_be_done():
    check_demanded(
        Demanded(400, "Please accept the terms of use.", "Do what it says, or ask the service's")
    )


SEGMENT = Topic.SEGMENT
ASKED_FOR: Mapping[str, str] = {
    "Correlation-ID header is missing": "Correlation-ID",
    "x-request-id is missing": "a number of the request",
}
NOT_ASKED_FOR = [
    "Not found. Please send this request id to support: 7f3a",
    "Name is missing. Request ID: 5512",
    "Precondition failed: the segment is archived",
    "The signature of your contract has ended",
]


@pytest.mark.parametrize("words", ASKED_FOR)
def test_what_is_not_sent_is_found_in_words_that_miss_it(words: str):
    assert not_sent_in(words) == ASKED_FOR[words]


@pytest.mark.parametrize("words", NOT_ASKED_FOR)
def test_nothing_that_is_not_sent_is_found_in_words_that_only_name_it(words: str):
    assert not_sent_in(words) == ""


def test_a_page_with_404_for_list_and_file_is_said_to_be_of_what_replied_and_not_of_the_service():
    def nasty(call: Call) -> Reply | None:
        is_file = call.path.startswith(f"{FILES_PATH}/")
        return page_reply(404) if is_file or call.path == FILES_PATH else None

    report = examined_account(Account(nasty))
    text = about(report, Topic.LIST_PATH).text
    assert text.startswith(
        f"What replied sent 404, which is not the service's, to GET {FILES_PATH}"
    )
    assert "The service replies 404 that" not in report.to_json()


# -- files of the list that are gone ---------------------------------------------------------------


class GoneFiles(NamedTuple):
    """Which of the list's files f1, f2 and f3 are gone, by which reply, and what follows."""

    name: str
    gone: tuple[str, ...]
    reply: Reply
    certainty: Certainty
    says: str


OF_FILE = json_reply(404, {"error": {"code": "file-expired", "message": "Deleted after 30 days"}})
HAS_GONE = json_reply(410, {"error": {"code": "gone", "message": "Deleted after 30 days"}})
GONE_FILES = (
    GoneFiles("the first, with 410", ("f1",), HAS_GONE, SURE, "It has a file and its status."),
    GoneFiles("all but the last", ("f1", "f2"), HAS_GONE, SURE, "It has a file and its status."),
    GoneFiles(
        "the first and the last",
        ("f1", "f3"),
        HAS_GONE,
        NOT_PROVED,
        "The service replies 410 gone to GET /v1/coupon-list/spring/files/f3: 'Deleted after 30 "
        "days'. So it has this path, and file 'f3' is gone: name a list with newer files, or let --upload URL show it.",
    ),
    GoneFiles(
        "the first, with a 404 of its own", ("f1",), OF_FILE, SURE, "It has a file and its status."
    ),
)


@pytest.mark.parametrize("row", GONE_FILES, ids=[row.name for row in GONE_FILES])
def test_another_file_is_read_if_the_first_one_is_gone(row: GoneFiles):
    def nasty(call: Call) -> Reply | None:
        is_gone = call.key == "campaign" and call.path.endswith(row.gone)
        return row.reply if is_gone else None

    records = [record("f1"), record("f2"), record("f3")]
    report = examined_account(Account(nasty, records=records))
    check_bounds(report)
    finding = about(report, Topic.FILE_PATH)
    assert (finding.certainty, finding.text) == (row.certainty, row.says)


# -- rows that are cut -----------------------------------------------------------------------------


def test_a_row_that_is_cut_ends_at_a_whole_word():
    settings = WesSettings("https://localhost", "w", "k", "k")
    troubles = [Finding(topic, NOT_PROVED, f"{topic.value} " * 40) for topic in list(Topic)[:5]]
    others = [Finding(topic, SURE, "It works.") for topic in list(Topic)[5:]]
    report = Report(settings, {}, [*troubles, *others], (), 0, 0, stopped=False, clean=lambda x: x)
    names = {word.strip(",") for topic in Topic for word in topic.value.split()}
    for width in range(60, 110):
        *_, last = [line.plain for line in report.lines(width)]
        assert last.startswith("sure")
        assert len(last) <= width
        shown = last.removeprefix("sure").removesuffix("…").split()
        assert {word.strip(",") for word in shown} <= names
