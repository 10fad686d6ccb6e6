"""
What one driver reads, the other one reads, too: uploads and reads are sent with the one, waits poll
with the other. Lines of the head are up to 64 KiB long, and there are up to 100 of them.

They differ for replies that break HTTP in ways that only Python's own parser bears. No setting of
``aiohttp`` makes it bear them, so a list names them, and the doctor reads with both.
"""

from __future__ import annotations

import gzip
import json
import zlib
from typing import NamedTuple

import pytest

from support.servers import Bytes, HostileServer
from support.settings import settings
from unit.client.conftest import Read, read_polling, read_sync
from wes_provider.exceptions import WesUnknownOutcomeError

FILE = json.dumps({"_id": "f1", "status": "SUCCESS"}).encode()
OK = "HTTP/1.1 200 OK"
LENGTH = f"Content-Length: {len(FILE)}"


def reply(*headers: str, start: str = OK, body: bytes = FILE) -> bytes:
    """A whole response; the header about the body's length is to be given."""
    head = "".join(f"{line}\r\n" for line in (start, *headers))
    return head.encode("latin-1") + b"\r\n" + body


def chunked(*trailers: bytes, after_size: bytes = b"") -> bytes:
    """The file in one chunk."""
    return b"%x%s\r\n%s\r\n0\r\n%s\r\n" % (len(FILE), after_size, FILE, b"".join(trailers))


def encoded(encoding: str, body: bytes) -> bytes:
    """A response whose body is encoded."""
    return reply(f"Content-Length: {len(body)}", f"Content-Encoding: {encoding}", body=body)


def deflate_without_header(content: bytes) -> bytes:
    """As some servers send it, against the standard."""
    compress = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return compress.compress(content) + compress.flush()


class ReplyRow(NamedTuple):
    """What a server sends."""

    name: str
    sent: bytes


CHUNKED = "Transfer-Encoding: chunked"
READ_BY_BOTH = [
    ReplyRow("a cookie of 9 KB", reply(LENGTH, f"Set-Cookie: a={'x' * 9_000}")),
    ReplyRow("a policy of 9 KB before the length", reply(f"X-Policy: {'x' * 9_000}", LENGTH)),
    ReplyRow("a header of 60 KB", reply(LENGTH, f"X-Long: {'x' * 60_000}")),
    ReplyRow("five headers of 20 KB", reply(LENGTH, *[f"X-{n}: {'x' * 20_000}" for n in range(5)])),
    ReplyRow("a reason of 9 KB", reply(LENGTH, start=f"{OK}{'x' * 9_000}")),
    ReplyRow("a trailer of 9 KB", reply(CHUNKED, body=chunked(b"X-Sum: %s\r\n" % (b"1" * 9_000)))),
    ReplyRow("99 headers", reply(LENGTH, *[f"X-{n}: a" for n in range(98)])),
    ReplyRow("the same header often", reply(LENGTH, *50 * ["Set-Cookie: a=b"])),
    ReplyRow("two equal types", reply(LENGTH, *2 * ["Content-Type: application/json"])),
    ReplyRow("names in odd cases", reply(LENGTH.lower(), "CONTENT-TYPE: application/json")),
    ReplyRow("a name of odd characters", reply(LENGTH, "X_a.b!~: c")),
    ReplyRow("a value that is no ASCII", reply(LENGTH, "X-Odd: \xe9")),
    ReplyRow("no value", reply(LENGTH, "X-Odd:")),
    ReplyRow("a header in two lines", reply(LENGTH, "X-Odd: a\r\n b")),
    ReplyRow("lines that end without CR", reply(LENGTH).replace(b"\r\n", b"\n")),
    ReplyRow("no reason", reply(LENGTH, start="HTTP/1.1 200")),
    ReplyRow("an empty reason", reply(LENGTH, start="HTTP/1.1 200 ")),
    ReplyRow("a reason that is no ASCII", reply(LENGTH, start="HTTP/1.1 200 d\xe9j\xe0")),
    ReplyRow("HTTP/1.0", reply(LENGTH, start="HTTP/1.0 200 OK")),
    ReplyRow("no length, to the end", reply()),
    ReplyRow("an offer of HTTP/2", reply(LENGTH, "Upgrade: h2c", "Connection: Upgrade")),
    ReplyRow("100 before it", b"HTTP/1.1 100 Continue\r\n\r\n" + reply(LENGTH)),
    ReplyRow("chunks", reply(CHUNKED, body=chunked())),
    ReplyRow("chunks in capitals", reply(CHUNKED.upper(), body=chunked())),
    ReplyRow("chunks with an extension", reply(CHUNKED, body=chunked(after_size=b";a=b"))),
    ReplyRow("chunks with trailers", reply(CHUNKED, body=chunked(b"X-Sum: 1\r\n"))),
    ReplyRow("gzip", encoded("gzip", gzip.compress(FILE))),
    ReplyRow("gzip in capitals", encoded("GZIP", gzip.compress(FILE))),
    ReplyRow("deflate", encoded("deflate", zlib.compress(FILE))),
    ReplyRow("deflate without its header", encoded("deflate", deflate_without_header(FILE))),
    ReplyRow("the encoding identity", encoded("identity", FILE)),
]

READ_BY_NONE = [
    ReplyRow("a header of 66 KB", reply(LENGTH, f"X-Long: {'x' * 66_000}")),
    ReplyRow("two lengths that differ", reply(LENGTH, "Content-Length: 9000")),
    ReplyRow("a status line in small letters", reply(LENGTH, start="http/1.1 200 ok")),
    ReplyRow("another protocol", reply(LENGTH, start="ICY 200 OK")),
    ReplyRow("HTTP/2 in a status line", reply(LENGTH, start="HTTP/2 200 OK")),
    ReplyRow("a chunk without the last one", reply(CHUNKED, body=b"%x\r\n%s\r\n" % (1, b"{"))),
    ReplyRow("gzip that is none", encoded("gzip", FILE)),
]

# All of them break HTTP.
READ_BY_UPLOADS_ONLY = [
    ReplyRow("two equal lengths", reply(LENGTH, LENGTH)),
    ReplyRow("two equal lengths in a line", reply(f"{LENGTH}, {len(FILE)}")),
    ReplyRow("a length with a sign", reply(f"Content-Length: +{len(FILE)}")),
    ReplyRow("a length that is empty", reply("Content-Length:")),
    ReplyRow("a length that is no number", reply("Content-Length: none")),
    ReplyRow("a length and chunks", reply(LENGTH, CHUNKED, body=chunked())),
    ReplyRow("a space in a name", reply(LENGTH, "X-Trace Id: a")),
    ReplyRow("a space after a name", reply(LENGTH, "X-Trace : a")),
    ReplyRow("brackets in a name", reply(LENGTH, "X-(a): b")),
    ReplyRow("a name that is no ASCII", reply(LENGTH, "X-\xe9: a")),
    ReplyRow("a line without a colon", reply(LENGTH, "X-Trace")),
    ReplyRow("two spaces before the status", reply(LENGTH, start="HTTP/1.1  200 OK")),
]


def by_reply(rows: list[ReplyRow]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", rows, ids=[row.name for row in rows])


def is_read(read: Read, server: HostileServer, row: ReplyRow) -> bool:
    """Whether a driver reads the file."""
    server.response = Bytes([row.sent])
    try:
        file = read(settings(base_url=server.url, max_attempts=1, read_timeout=5.0))
    except WesUnknownOutcomeError:
        return False
    return file.id == "f1"


@by_reply(READ_BY_BOTH)
def test_both_drivers_read_it(read: Read, server: HostileServer, row: ReplyRow):
    assert is_read(read, server, row)


@by_reply(READ_BY_NONE)
def test_no_driver_reads_it(read: Read, server: HostileServer, row: ReplyRow):
    assert not is_read(read, server, row)


@by_reply(READ_BY_UPLOADS_ONLY)
def test_the_driver_of_uploads_reads_it_alone(server: HostileServer, row: ReplyRow):
    assert (is_read(read_sync, server, row), is_read(read_polling, server, row)) == (True, False)
