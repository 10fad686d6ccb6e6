"""
If a list, a file or a place of uploads is on another host, a second connection is advised for
coupons, with the campaign API key as its password; for a segment, one with the data API key. If an
upload is refused by words or a code of a standby, a replica, read-only or writes, the host may take
changes in place of this one, so none is advised; the same words to a read advise one. Without
another host, there is nothing to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_reads import FILE_READ, LIST_READ, SEGMENT_READ, SETTINGS, error_body, probe
from wes_provider.client.requests import Request, upload
from wes_provider.doctor.replies.hosts import second_connection


class Advice(NamedTuple):
    """What was read, and what to do if it is on another host."""

    name: str
    read: Request
    text: str


OF_COUPONS = (
    "Coupon lists and files are at https://coupons.test, by the service's words: leave this "
    "connection for segments, and make a second one with that Address and the Campaign API key as "
    "its password. Name it in the tasks with coupons, and run wes-doctor --conn-id ID on it."
)
ADVICE = [
    Advice("a list", LIST_READ, OF_COUPONS),
    Advice("a file", FILE_READ, OF_COUPONS),
    Advice(
        "a segment",
        SEGMENT_READ,
        "Segments (/v3) are at https://coupons.test, by the service's words: leave this "
        "connection for coupons, and make a second one with that Address and the Data API key as "
        "its password. Name it in the tasks that update segments, and run wes-doctor --conn-id ID "
        "on it.",
    ),
]
UPLOAD = upload(SETTINGS, "spring", {"file_url": "https://files.example.com/a.csv"})


class Refused(NamedTuple):
    """The words of a refusal that name a host, and what is refused: an upload, if nothing is said."""

    name: str
    message: str
    request: Request = UPLOAD
    code: str = "misdirected"


STANDBY = "This site is a standby. The primary is at api-fra.wes.example.net."
CHANGES = [
    Refused("a standby, to an upload", STANDBY),
    Refused("a replica that is read-only", "A read-only replica: use api.example.net."),
    Refused("no writes", "No writes here: send them to api.example.net."),
    Refused("a replica, by the code alone", "Use api.example.net.", code="read-only-replica"),
]


@pytest.mark.parametrize("row", CHANGES, ids=[row.name for row in CHANGES])
def test_a_host_that_takes_changes_in_place_of_this_one_needs_no_second_connection(row: Refused):
    said = second_connection(probe(421, error_body(row.code, row.message), request=row.request))
    assert said.startswith("It names https://api")
    assert "make a second one" not in said


OTHER_USES = [
    Refused("a standby, to a read", STANDBY, request=LIST_READ),
    Refused("a place of uploads", "Uploads moved: use ingest.example.net."),
]


@pytest.mark.parametrize("row", OTHER_USES, ids=[row.name for row in OTHER_USES])
def test_a_host_of_reads_or_of_uploads_alone_needs_a_second_connection(row: Refused):
    said = second_connection(probe(421, error_body(row.code, row.message), request=row.request))
    assert "make a second one" in said


def redirected(read: Request, to: str) -> Mapping[str, str]:
    """The header of a redirect of the same path."""
    return {"location": f"{to}{read.url.removeprefix('https://api.example.com')}"}


@pytest.mark.parametrize("row", ADVICE, ids=[row.name for row in ADVICE])
def test_what_is_on_another_host_gets_a_connection_of_its_own(row: Advice):
    headers = redirected(row.read, "https://coupons.test")
    assert second_connection(probe(307, request=row.read, headers=headers)) == row.text


def test_without_another_host_there_is_nothing_to_do():
    assert second_connection(probe(404, error_body("not-found", "no such list"))) == ""
