"""
A body that came as whole JSON, and whose end is missing, since nothing or something wrong says
where it ends: both drivers wait for the rest for ``read_timeout``, and then say what is missing,
and no timeout. A body that is cut is none of these, nor is a connection that is closed.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from support.servers import Bytes, HostileServer
from support.settings import settings
from unit.client.conftest import Read
from wes_provider.exceptions import WesUnknownOutcomeError

FILE = json.dumps({"_id": "f1", "status": "SUCCESS"}).encode()
ENDLESS = "incomplete response 200: whole JSON came, and not the end of its body: "
NO_LENGTH = f"{ENDLESS}it has neither Content-Length nor chunks, and the connection stays open"
TIMEOUT = "incomplete response 200: TimeoutError"


def reply(*headers: str, body: bytes = FILE) -> bytes:
    """A response with these headers alone."""
    return "".join(f"{line}\r\n" for line in ("HTTP/1.1 200 x", *headers)).encode() + b"\r\n" + body


def chunk(body: bytes) -> bytes:
    """A chunk that is not the last one."""
    return b"%x\r\n%s\r\n" % (len(body), body)


class BodyRow(NamedTuple):
    """What is sent before the server stalls, and the reason of the error."""

    name: str
    sent: bytes
    reason: str


pytestmark = pytest.mark.long
CHUNKED = "Transfer-Encoding: chunked"
BODIES = [
    BodyRow("no length", reply(), NO_LENGTH),
    BodyRow("spaces behind it", reply(body=FILE + b"\r\n "), NO_LENGTH),
    BodyRow(
        "a length that is too large",
        reply("Content-Length: 900"),
        f"{ENDLESS}its Content-Length is too large",
    ),
    BodyRow(
        "no last chunk", reply(CHUNKED, body=chunk(FILE)), f"{ENDLESS}its last chunk is missing"
    ),
    BodyRow("half of the JSON", reply(body=FILE[:20]), TIMEOUT),
    BodyRow("half of the JSON in a chunk", reply(CHUNKED, body=chunk(FILE[:20])), TIMEOUT),
    BodyRow("no body", reply("Content-Length: 40", body=b""), TIMEOUT),
    BodyRow("a number", reply(body=b"12"), TIMEOUT),
]


@pytest.mark.parametrize("row", BODIES, ids=[row.name for row in BODIES])
def test_both_drivers_say_that_the_end_of_whole_json_is_missing(
    read: Read, server: HostileServer, row: BodyRow
):
    server.response = Bytes([row.sent], "stall")
    with pytest.raises(WesUnknownOutcomeError) as caught:
        read(settings(base_url=server.url, max_attempts=1, read_timeout=0.5))
    assert caught.value.reason == row.reason


def test_a_body_ends_when_the_connection_is_closed(read: Read, server: HostileServer):
    server.response = Bytes([reply()], "close")
    assert read(settings(base_url=server.url, max_attempts=1, read_timeout=5.0)).id == "f1"
