"""
Bodies that are no text, or no JSON though they say so. Such a body is called by its first bytes, is
never printed, and has no code and no message. If the list comes so, its path is *not proved*, and no
setting helps; the Address is right if other paths reply, and open if none does. Keys are judged by
what a made-up key gets. A picture called a picture is not the service's: *not ready*.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from typing import NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    LIST,
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
from wes_provider.client.requests import list_coupon_files
from wes_provider.client.responses import Response
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.binaries import binary_in
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.doctor.report import Report
from wes_provider.settings import WesSettings

SURE = Certainty.SURE
FILES = json.dumps([record("f1")]).encode()
JSON = "application/json"
Replies = Callable[[Call], Reply | None]


def check_verdict(report: Report, says: tuple[str, ...]) -> None:
    """The parts are in the verdict, in this order, and the report keeps to its bounds."""
    check_what_holds_of_each_report(report)
    check_says(report.verdict, says)


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
