"""
Both clients against servers, certificates and proxies, which error it is, and whether anything was
sent. A reply that is missing, cut, no HTTP or wrongly encoded is WesUnknownOutcomeError; so are,
for an upload alone, no JSON, a redirect and a 502. An error with half a body counts, but not for a
poll. A body may take ``read_timeout``, a connection ``connect_timeout``; of a body without end, 10
MiB of a file and 32 MiB of a list are read.

Of the client with retries, an upload is sent again only after a 429 or if nothing was sent; a read
and an update also after 408, 499, 500, 502, 503 and 504, and not after 400 and 501; a poll is sent
once. Each repetition is logged and counted. A reset of up to ``max_rate_limit_wait`` is waited for;
without one, pauses are 0.5, 1, 2 and 4 s, and up to half a second more.

Nobody at the address, no tunnel, a certificate or CA bundle that is refused, and a proxy that
cannot be used (named by its variable) say that nothing was sent. The environment's proxy and its
exceptions count, its netrc does not. No key, in whatever escape a service quotes it, and no proxy's
password is shown.
"""

from __future__ import annotations

import base64
import html
import io
import itertools
import json
import logging
import re
import socket
import time
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus

import pytest

from support.servers import Bytes, HostileServer, Proxy, response
from support.settings import settings
from unit.client.conftest import Read, forget_environment, read_polling, read_sync
from wes_provider.client import responses
from wes_provider.client.requests import list_coupon_files, update_segment, upload
from wes_provider.client.sync import WesClient
from wes_provider.emulator import Emulator
from wes_provider.emulator.tls import Certificates
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConfigurationError,
    WesConnectionError,
    WesError,
    WesNotFoundError,
    WesRateLimitError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.settings import WesSettings

pytestmark = pytest.mark.long

FILE = json.dumps({"_id": "f1", "status": "SUCCESS"}).encode()


def http(status: int, body: bytes = b"", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body


def of(server: HostileServer, **changes: Any) -> WesSettings:
    """Settings of a connection to a server; by default, a request is sent twice at most."""
    return settings(**{"base_url": server.url, "max_attempts": 2, "read_timeout": 5.0, **changes})


def send_upload(settings: WesSettings) -> Any:
    client = WesClient(settings)
    try:
        return client.run(
            upload(settings, "summer", {"file_url": "https://h.example.com/c.csv"}),
            responses.record,
        )
    finally:
        client.close()


ANY = {"Content-Type: text/html", "Set-Cookie: a=b", "X-Odd: \xe9"}

LOST = "WesUnknownOutcomeError"
CHUNKED = b"HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (
    len(FILE),
    FILE,
)


class Reply(NamedTuple):
    """
    What a server sends, and what a read and what an upload makes of it.

    :ivar uploads: how often the upload is sent.
    """

    reply: Bytes
    read: str
    upload: str
    uploads: int = 1


REPLIES = {
    "a record": Reply(Bytes([http(200, FILE, *ANY)]), "value", "value"),
    "a body until the end": Reply(Bytes([b"HTTP/1.1 200 x\r\n\r\n" + FILE]), "value", "value"),
    "chunks": Reply(Bytes([CHUNKED]), "value", "value"),
    "nothing": Reply(Bytes([]), LOST, LOST),
    "a reset": Reply(Bytes([], "reset"), LOST, LOST),
    "no HTTP": Reply(Bytes([b"SSH-2.0-OpenSSH_9.2\r\n"]), LOST, LOST),
    "half a body": Reply(
        Bytes([b"HTTP/1.1 200 x\r\nContent-Length: 900\r\n\r\n" + FILE]), LOST, LOST
    ),
    "no JSON": Reply(Bytes([http(200, b"<html>")]), "WesResponseError", LOST),
    "compressed": Reply(Bytes([http(200, b"garbage", "Content-Encoding: gzip")]), LOST, LOST),
    "a redirect": Reply(
        Bytes([http(307, b"", "Location: https://h.example.com/elsewhere")]),
        "WesResponseError",
        LOST,
    ),
    "a gateway's 502": Reply(Bytes([http(502, b"<html>")]), "WesServerError", LOST),
    "a 400": Reply(Bytes([http(400, b"{}")]), "WesBadRequestError", "WesBadRequestError"),
    "a 429": Reply(Bytes([http(429, b"{}")]), "WesRateLimitError", "WesRateLimitError", uploads=2),
}


def outcome(call: Any, settings: WesSettings) -> str:
    """The name of the error that a call raises; ``value`` if it returns."""
    try:
        call(settings)
    except WesError as error:
        return type(error).__name__
    return "value"


@pytest.mark.parametrize("row", REPLIES.values(), ids=REPLIES)
def test_a_read_ends_with_a_value_or_the_error_of_its_reply(
    server: HostileServer, read: Read, row: Reply
):
    server.response = row.reply
    assert outcome(read, of(server)) == row.read


@pytest.mark.parametrize("row", REPLIES.values(), ids=REPLIES)
def test_an_upload_ends_with_a_value_or_the_error_of_its_reply(
    server: HostileServer, slept: list[float], row: Reply
):
    """Only a refusal by the limit lets it be sent again."""
    server.response = row.reply
    assert outcome(send_upload, of(server)) == row.upload
    assert len(server.requests) == row.uploads


HALF_AN_ERROR = Bytes([b"HTTP/1.1 401 x\r\nContent-Length: 900\r\n\r\n{"])


@pytest.mark.parametrize("call", [read_sync, send_upload], ids=["read", "upload"])
def test_an_error_with_half_a_body_counts(server: HostileServer, slept: list[float], call: Any):
    server.response = HALF_AN_ERROR
    assert outcome(call, of(server)) == "WesAuthenticationError"


def test_a_poll_takes_an_error_with_half_a_body_for_no_response(server: HostileServer):
    server.response = HALF_AN_ERROR
    assert outcome(read_polling, of(server)) == LOST


def test_a_body_without_end_is_read_up_to_the_bound(server: HostileServer, read: Read):
    server.response = Bytes(
        itertools.chain([b"HTTP/1.1 200 x\r\n\r\n["], itertools.repeat(b" " * 2**16, 16 * 64))
    )
    with pytest.raises(WesResponseError, match="without a coupon file"):
        read(of(server, max_attempts=1))
    assert server.sent < 30 * 2**20


@pytest.mark.parametrize("call", [read_sync, send_upload], ids=["read", "upload"])
def test_an_error_says_how_much_of_a_cut_body_came(server: HostileServer, call: Any):
    server.response = Bytes([b"HTTP/1.1 200 x\r\nContent-Length: 900\r\n\r\n{"])
    with pytest.raises(WesUnknownOutcomeError, match="IncompleteRead: 1 of 900 bytes came"):
        call(of(server, max_attempts=1))


class Stalled(NamedTuple):
    """What a server sends before it stalls, and how the error begins."""

    name: str
    pieces: list[bytes]
    reason: str


STALLED = [
    Stalled("before its response", [], "no response: "),
    Stalled("within a body", [b"HTTP/1.1 200 x\r\n\r\n{"], "incomplete response 200: "),
]


@pytest.mark.parametrize("row", STALLED, ids=[row.name for row in STALLED])
def test_a_server_that_stalls_is_left_after_the_read_timeout(
    server: HostileServer, read: Read, row: Stalled
):
    """It is 0.3 s here; the server stalls for much longer than 20 s."""
    server.response = Bytes(row.pieces, "stall")
    begin = time.monotonic()
    with pytest.raises(WesUnknownOutcomeError, match=row.reason):
        read(of(server, max_attempts=1, read_timeout=0.3))
    assert time.monotonic() - begin < 20


CALLS = {"a read": read_sync, "a poll": read_polling, "an upload": send_upload}
of_each_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


@of_each_call
def test_a_reply_may_take_longer_than_a_connection(server: HostileServer, call: Any):
    """It takes 0.6 s, and a connection may take 0.4 s."""
    reply = http(200, FILE)
    server.response = Bytes([reply[:1], reply[1:]], pause=0.6)
    assert outcome(call, of(server, connect_timeout=0.4)) == "value"


@of_each_call
def test_a_connection_that_nobody_takes_is_given_up_before_anything_is_sent(call: Any):
    """After 0.3 s, and long before the read timeout of 120 s."""
    with (
        socket.create_server(("127.0.0.1", 0), backlog=0) as full,
        socket.create_connection(full.getsockname()),
    ):
        address = f"http://127.0.0.1:{full.getsockname()[1]}"
        impatient = settings(
            base_url=address, max_attempts=1, connect_timeout=0.3, read_timeout=120.0
        )
        begin = time.monotonic()
        with pytest.raises(WesConnectionError, match="Nothing was sent"):
            call(impatient)
        assert time.monotonic() - begin < 60


@of_each_call
def test_a_tls_handshake_that_nobody_answers_is_given_up_before_anything_is_sent(call: Any):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"https://127.0.0.1:{silent.getsockname()[1]}"
        impatient = settings(
            base_url=address, max_attempts=1, connect_timeout=0.3, read_timeout=120.0
        )
        with pytest.raises(WesConnectionError, match="was not reached") as raised:
            call(impatient)
        assert "not established in time" in str(raised.value)
        assert "Nothing was sent" in str(raised.value)


@of_each_call
@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_an_error_says_that_a_body_is_not_encoded_as_the_response_says(
    server: HostileServer, call: Any, encoding: str
):
    server.response = Bytes([http(200, b"garbage", f"Content-Encoding: {encoding}")])
    with pytest.raises(WesUnknownOutcomeError) as raised:
        call(of(server, max_attempts=1))
    first = str(raised.value).splitlines()[0]
    assert "200: the body is not encoded as its Content-Encoding says" in first


def test_a_server_that_trickles_is_left_after_the_read_timeout(server: HostileServer):
    server.response = Bytes(
        itertools.chain([b"HTTP/1.1 200 x\r\n\r\n"], itertools.repeat(b" ")), pause=0.05
    )
    with pytest.raises(WesUnknownOutcomeError):
        send_upload(of(server, read_timeout=0.3))


def test_no_key_that_a_service_quotes_is_shown(server: HostileServer, read: Read):
    used = of(server, data_api_key="s3cret-data")
    keys = [used.api_key, used.data_api_key]
    quoted = [
        *keys,
        *(base64.b64encode(f"{used.workspace_id}:{key}".encode()).decode() for key in keys),
    ]
    server.response = Bytes([http(400, json.dumps({"message": f"not {quoted}"}).encode())])
    for call in (read, send_upload):
        with pytest.raises(
            WesResponseError, match=r"400: not \['\*\*\*', '\*\*\*', '\*\*\*', '\*\*\*'\]"
        ):
            call(used)


ODD_KEY = 'k/1+2&3"4 é😀<5'
# How what a service writes with may escape the characters of a key.
ESCAPED_KEYS = {
    "not": ODD_KEY.replace('"', '\\"'),
    "as PHP": ODD_KEY.replace("/", "\\/").replace('"', '\\"'),
    "as Python": json.dumps(ODD_KEY)[1:-1],
    "as .NET": r"k\u002F1\u002B2\u00263\u00224 \u00E9\uD83D\uDE00\u003C5",
    "as JSON in a string": json.dumps(json.dumps(ODD_KEY))[3:-3],
    "as in a URL": quote(ODD_KEY, safe=""),
    "as in a form": quote_plus(ODD_KEY),
    "as in a URL of a URL": quote(quote(ODD_KEY, safe=""), safe=""),
    "as in a page": html.escape(ODD_KEY),
    "as in a page, by numbers": "".join(c if c.isalnum() else f"&#{ord(c)};" for c in ODD_KEY),
}


@pytest.mark.parametrize("escaped", ESCAPED_KEYS.values(), ids=ESCAPED_KEYS)
def test_a_key_that_a_service_escapes_is_not_shown(server: HostileServer, read: Read, escaped: str):
    body = f'{{"message": "not a{escaped}z"}}'.encode()
    server.response = Bytes([http(400, body, f"X-Request-Id: r {quote(ODD_KEY)}")])
    for call in (read, send_upload):
        with pytest.raises(WesResponseError) as raised:
            call(of(server, api_key=ODD_KEY))
        assert str(raised.value).startswith("400: not a***z ")
        assert "Request r ***" in str(raised.value)


def test_headers_are_read_whatever_their_case(server: HostileServer, read: Read):
    server.response = Bytes(
        [http(429, b"", f"X-RateLimit-Reset: {int(time.time()) + 300}", "X-Request-Id: r-1")]
    )
    with pytest.raises(WesRateLimitError, match="Request r-1") as raised:
        read(of(server, max_attempts=1))
    assert raised.value.reset_at is not None


# -- retries -------------------------------------------------------------------------------------


def refusal_by_the_limit(*headers: str) -> Bytes:
    return Bytes([http(429, b"", *headers)])


def test_a_reset_is_waited_for(server: HostileServer, slept: list[float]):
    server.response = refusal_by_the_limit(f"x-ratelimit-reset: {int(time.time()) + 100}")
    with pytest.raises(WesRateLimitError) as raised:
        send_upload(of(server, max_attempts=5))
    assert len(server.requests) == 5
    assert raised.value.reset_at is not None
    left = raised.value.reset_at.timestamp() - time.time()
    assert len(slept) == 4
    assert all(max(left, 99) <= pause <= 103 for pause in slept), "never below it"


def requests_for_a_reset_in(server: HostileServer, seconds: int) -> int:
    """How often an upload is sent that may wait for 120 s, and be sent twice."""
    server.response = refusal_by_the_limit(f"x-ratelimit-reset: {int(time.time()) + seconds}")
    with pytest.raises(WesRateLimitError) as raised:
        send_upload(of(server, max_attempts=2, max_rate_limit_wait=120.0))
    assert raised.value.reset_at is not None
    return len(server.requests)


def test_a_reset_within_the_longest_wait_is_waited_for(server: HostileServer, slept: list[float]):
    assert requests_for_a_reset_in(server, 115) == 2
    assert len(slept) == 1


def test_a_reset_beyond_the_longest_wait_is_not_waited_for(
    server: HostileServer, slept: list[float]
):
    assert requests_for_a_reset_in(server, 125) == 1
    assert slept == []


NO_RESETS = {
    "in the past": ["x-ratelimit-reset: 1"],
    "a word": ["x-ratelimit-reset: soon"],
    "no header": [],
}


@pytest.mark.parametrize("headers", NO_RESETS.values(), ids=NO_RESETS)
def test_pauses_after_a_429_without_a_reset_double(
    server: HostileServer, slept: list[float], headers: list[str]
):
    server.response = refusal_by_the_limit(*headers)
    with pytest.raises(WesRateLimitError) as raised:
        send_upload(of(server, max_attempts=5))
    assert raised.value.reset_at is None
    assert len(server.requests) == 5
    for pause, least in zip(slept, (0.5, 1, 2, 4), strict=True):
        assert least <= pause <= least + 0.5


class Status(NamedTuple):
    """
    A status that each attempt gets.

    :ivar attempts: how often the request is sent, of three at most.
    :ivar unknown_outcomes: how many of them count as an unknown outcome of an update.
    """

    status: int
    attempts: int
    unknown_outcomes: int


REPEATED = [
    Status(status, attempts=3, unknown_outcomes=3) for status in (408, 499, 500, 502, 503, 504)
]
SENT_ONCE = [
    Status(501, attempts=1, unknown_outcomes=1),
    Status(400, attempts=1, unknown_outcomes=0),
]


def by_status(rows: list[Status]) -> Any:
    return pytest.mark.parametrize("row", rows, ids=lambda row: str(row.status))


of_repeatable = pytest.mark.parametrize("operation", ["list_coupon_files", "update_segment"])


def fail_repeatedly(server: HostileServer, row: Status, operation: str) -> Counter[str]:
    """Send a request that gets the row's status each time; return how often each event counted."""
    server.response = Bytes([http(row.status)])
    counted: Counter[str] = Counter()

    def count(event: str, counted_operation: str) -> None:
        assert counted_operation == operation
        counted[event] += 1

    client = WesClient(of(server, max_attempts=3), count)
    request = {
        "list_coupon_files": list_coupon_files(client.settings, "summer"),
        "update_segment": update_segment(client.settings, "s", {"name": "n"}),
    }
    with pytest.raises(WesResponseError):
        client.run(request[operation], responses.success)
    client.close()
    return counted


@by_status(REPEATED)
@of_repeatable
def test_a_read_and_an_update_are_repeated_after_408_and_499_and_the_5xx_that_may_pass(
    server: HostileServer, slept: list[float], row: Status, operation: str
):
    """Three attempts are allowed."""
    fail_repeatedly(server, row, operation)
    assert len(server.requests) == 3


@by_status(SENT_ONCE)
@of_repeatable
def test_a_read_and_an_update_are_sent_once_if_they_get_400_or_501(
    server: HostileServer, slept: list[float], row: Status, operation: str
):
    fail_repeatedly(server, row, operation)
    assert len(server.requests) == 1


@by_status([*REPEATED, *SENT_ONCE])
@of_repeatable
def test_attempts_and_repetitions_are_counted(
    server: HostileServer, slept: list[float], row: Status, operation: str
):
    counted = fail_repeatedly(server, row, operation)
    assert counted["requests"] == row.attempts
    assert counted["retries"] == row.attempts - 1


@by_status([*REPEATED, *SENT_ONCE])
def test_unknown_outcomes_of_an_update_are_counted_for_each_attempt(
    server: HostileServer, slept: list[float], row: Status
):
    """The outcome of a 400 is known."""
    counted = fail_repeatedly(server, row, "update_segment")
    assert counted["unknown_outcomes"] == row.unknown_outcomes


@by_status([*REPEATED, *SENT_ONCE])
def test_a_read_has_no_unknown_outcomes(server: HostileServer, slept: list[float], row: Status):
    """It changes nothing."""
    assert fail_repeatedly(server, row, "list_coupon_files")["unknown_outcomes"] == 0


@by_status(REPEATED)
@of_repeatable
def test_each_repetition_is_logged_with_its_status_pause_and_number(
    server: HostileServer,
    slept: list[float],
    row: Status,
    operation: str,
    caplog: pytest.LogCaptureFixture,
):
    fail_repeatedly(server, row, operation)
    logged = rf"{row.status}.*\nTrying again in \d+\.\d s, attempt (\d)"
    assert re.findall(logged, caplog.text) == ["2", "3"]


# -- never sent ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def expired() -> Iterator[Certificates]:
    certificates = Certificates(expired=True)
    yield certificates
    certificates.close()


class NotReached(NamedTuple):
    """An address that nobody is at, and what the error says of it."""

    address: str
    cause: str


NOT_REACHED_HOSTS = {
    "nobody listens": NotReached("http://127.0.0.1:9", "ConnectionRefusedError: C"),
    "no such host": NotReached("http://unknown.invalid", "the host name does not resolve"),
}


def check_that_it_was_not_reached(call: Any, row: NotReached) -> None:
    with pytest.raises(WesConnectionError, match="the service was not reached at") as raised:
        call(settings(base_url=row.address, max_attempts=2))
    assert f"at {row.address}: " in str(raised.value)
    assert row.cause in str(raised.value)
    assert "Nothing was sent" in str(raised.value)


@pytest.mark.parametrize("row", NOT_REACHED_HOSTS.values(), ids=NOT_REACHED_HOSTS)
def test_a_read_of_what_was_not_reached_was_not_sent(read: Read, row: NotReached):
    check_that_it_was_not_reached(read, row)


@pytest.mark.parametrize("row", NOT_REACHED_HOSTS.values(), ids=NOT_REACHED_HOSTS)
def test_an_upload_to_what_was_not_reached_was_not_sent_and_is_sent_again(
    slept: list[float], row: NotReached
):
    check_that_it_was_not_reached(send_upload, row)
    assert len(slept) == 1


def check_that_tls_works(
    server: HostileServer, shown: Certificates, read: Read, *, verify: Any
) -> None:
    server.response = Bytes([http(200, FILE)])
    with server.over_tls(shown.server_context()) as url:
        for call in (read, send_upload):
            call(of(server, base_url=url, verify=verify, max_attempts=1))
    assert len(server.requests) == 2


def check_that_tls_is_refused(
    server: HostileServer, shown: Certificates, read: Read, *, verify: Any, advice: str
) -> None:
    """Nothing was sent, and the error says what to do."""
    server.response = Bytes([http(200, FILE)])
    with server.over_tls(shown.server_context()) as url:
        for call in (read, send_upload):
            with pytest.raises(WesConnectionError, match=r"certificate|self.signed") as raised:
                call(of(server, base_url=url, verify=verify, max_attempts=1))
            assert advice in str(raised.value)
    assert server.requests == []


def test_a_certificate_of_an_authority_in_verify_is_trusted(
    server: HostileServer, certificate: Certificates, read: Read
):
    check_that_tls_works(server, certificate, read, verify=certificate.ca_file)


def test_a_certificate_of_an_authority_in_the_environments_bundle_is_trusted(
    server: HostileServer,
    certificate: Certificates,
    read: Read,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", certificate.ca_file)
    check_that_tls_works(server, certificate, read, verify=True)


@pytest.mark.filterwarnings("ignore:Unverified HTTPS")
def test_any_certificate_is_taken_if_verify_is_false(
    server: HostileServer, certificate: Certificates, read: Read
):
    check_that_tls_works(server, certificate, read, verify=False)


ADVICE = "connection's extra verify, or REQUESTS_CA_BUNDLE"


def test_a_certificate_of_an_unknown_authority_is_refused(
    server: HostileServer, certificate: Certificates, read: Read
):
    check_that_tls_is_refused(server, certificate, read, verify=True, advice=ADVICE)


def test_a_certificate_of_an_authority_that_the_folder_in_verify_lacks_is_refused(
    server: HostileServer, certificate: Certificates, read: Read, tmp_path: Path
):
    check_that_tls_is_refused(server, certificate, read, verify=str(tmp_path), advice=ADVICE)


def test_a_certificate_that_has_expired_is_refused(
    server: HostileServer, expired: Certificates, read: Read
):
    advice = "check the connection's Address, and this machine's clock"
    check_that_tls_is_refused(server, expired, read, verify=expired.ca_file, advice=advice)


# -- proxies -------------------------------------------------------------------------------------


@pytest.fixture
def https(server: HostileServer, certificate: Certificates) -> Iterator[str]:
    server.response = Bytes([http(200, FILE)])
    with server.over_tls(certificate.server_context()) as url:
        yield url


@pytest.mark.parametrize("no_proxy", ["", "10.0.0.0/8"], ids=["empty", "other addresses"])
def test_requests_take_the_environments_proxy_and_give_its_credentials(
    server: HostileServer,
    proxy: Proxy,
    read: Read,
    no_proxy: str,
    monkeypatch: pytest.MonkeyPatch,
):
    server.response = Bytes([http(200, FILE)])
    monkeypatch.setenv("no_proxy", no_proxy)
    monkeypatch.delenv("https_proxy")
    for call in (read, send_upload):
        call(of(server))
    assert len(server.requests) == len(proxy.requests) == 2
    assert all("proxy-authorization: basic" in headers.lower() for headers in proxy.headers)


def test_requests_take_no_proxy_to_an_address_that_no_proxy_has(
    server: HostileServer, proxy: Proxy, read: Read, monkeypatch: pytest.MonkeyPatch
):
    server.response = Bytes([http(200, FILE)])
    monkeypatch.setenv("no_proxy", "127.0.0.0/8")
    monkeypatch.delenv("https_proxy")
    for call in (read, send_upload):
        call(of(server))
    assert (len(server.requests), proxy.requests) == (2, [])


def test_tls_takes_a_tunnel_through_a_proxy_that_does_not_see_the_keys(
    https: str, server: HostileServer, proxy: Proxy, certificate: Certificates, read: Read
):
    settings_ = of(server, base_url=https, verify=certificate.ca_file, max_attempts=1)
    for call in (read, send_upload):
        call(settings_)
    assert len(server.requests) == 2
    assert [line.partition(" ")[0] for line in proxy.requests] == ["CONNECT"] * 2
    assert not [headers for headers in proxy.headers if "\nauthorization:" in headers.lower()]


# What a proxy, or what signs in its place, does of a tunnel before TLS is established.
NO_TUNNEL: dict[str, dict[str, Any]] = {
    "closed": {"responses": [b""] * 3},
    "a page instead of a tunnel": {"responses": [b"HTTP/1.1 200 OK\r\n\r\n<html>"] * 3},
    "no HTTP": {"responses": [b"SSH-2.0-OpenSSH_9.2\r\n\r\n"] * 3},
    "broken when TLS begins": {"in_tunnel": b""},
    "no TLS in it": {"in_tunnel": b"HTTP/1.1 200 OK\r\n\r\n"},
    "an alert of TLS": {"in_tunnel": b"\x15\x03\x03\x00\x02\x02\x28"},
    "broken while TLS is established": {"on_reply": lambda piece: None},
}


@pytest.mark.parametrize("behaviour", NO_TUNNEL.values(), ids=NO_TUNNEL)
def test_nothing_is_sent_through_a_tunnel_that_is_not_established(
    https: str,
    server: HostileServer,
    proxy: Proxy,
    certificate: Certificates,
    behaviour: dict[str, Any],
):
    vars(proxy).update(deepcopy(behaviour))
    with pytest.raises(WesConnectionError, match="Nothing was sent"):
        send_upload(of(server, base_url=https, verify=certificate.ca_file, max_attempts=1))
    assert server.requests == []


def test_a_tunnel_that_breaks_after_the_request_settles_nothing(
    https: str, server: HostileServer, proxy: Proxy, certificate: Certificates
):
    proxy.on_reply = lambda piece: None if server.requests else piece
    assert outcome(send_upload, of(server, base_url=https, verify=certificate.ca_file)) == LOST
    assert len(server.requests) == 1, "what may have reached the service is not repeated"


@pytest.mark.parametrize("status", [400, 403, 407, 502, 503])
def test_a_tunnel_that_a_proxy_refuses_was_nothing_sent(
    https: str,
    server: HostileServer,
    proxy: Proxy,
    certificate: Certificates,
    read: Read,
    status: int,
):
    for call in (read, send_upload):
        proxy.responses = [response(status)] * 4
        with pytest.raises(WesConnectionError) as raised:
            call(of(server, base_url=https, verify=certificate.ca_file, max_attempts=2))
        first = str(raised.value).splitlines()[0]
        assert first.startswith(f"the proxy refused the tunnel to the service: {status}")
        assert "Nothing was sent" in str(raised.value)
    assert server.requests == []


class Bundle(NamedTuple):
    """What is at the path of a CA bundle, ``None`` for nothing, and what the message says of it."""

    content: bytes | None
    problem: str
    variable: str = ""


NO_CERTIFICATES = "has no certificates in PEM"
BUNDLES = {
    "nothing": Bundle(None, "does not exist"),
    "nothing, by requests' variable": Bundle(None, "does not exist", "REQUESTS_CA_BUNDLE"),
    "nothing, by curl's variable": Bundle(None, "does not exist", "CURL_CA_BUNDLE"),
    "an empty file": Bundle(b"", NO_CERTIFICATES),
    "an empty file, by requests' variable": Bundle(b"", NO_CERTIFICATES, "REQUESTS_CA_BUNDLE"),
    "a certificate in DER": Bundle(b"\x30\x82\x03\x01", NO_CERTIFICATES),
    "a damaged certificate": Bundle(
        b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", NO_CERTIFICATES
    ),
    "another text": Bundle(b"localhost\n", NO_CERTIFICATES),
}


@pytest.mark.parametrize("bundle", BUNDLES.values(), ids=BUNDLES)
def test_a_ca_bundle_that_cannot_be_used_is_named_and_nothing_is_sent(
    https: str,
    server: HostileServer,
    read: Read,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bundle: Bundle,
):
    path = tmp_path / "bundle.pem"
    if bundle.content is not None:
        path.write_bytes(bundle.content)
    verify: bool | str = str(path)
    if bundle.variable:
        monkeypatch.setenv(bundle.variable, str(path))
        verify = True
    for call in (read, send_upload):
        with pytest.raises(WesError) as raised:
            call(of(server, base_url=https, verify=verify))
        assert f"the CA bundle {path} {bundle.problem}" in str(raised.value).splitlines()[0]
        assert not raised.value.may_have_effect
    assert server.requests == []


class ProxyForm(NamedTuple):
    """
    How a proxy is given, and its exceptions; ``{}`` is its address without a scheme, and ``{port}``
    the port of the server.
    """

    variable: str
    value: str
    no_proxy: str = ""


TAKEN = {
    "with a scheme": ProxyForm("http_proxy", "http://{}"),
    "without a scheme": ProxyForm("http_proxy", "{}"),
    "in capitals": ProxyForm("HTTP_PROXY", "http://{}"),
    "for all": ProxyForm("all_proxy", "http://{}"),
    "for all without a scheme": ProxyForm("ALL_PROXY", "{}"),
    "with credentials": ProxyForm("http_proxy", "http://user:s3cret%40@{}"),
    "with a path": ProxyForm("http_proxy", "http://{}/"),
    # requests excepts names with a port, but no addresses with one.
    "the address excepted with its port": ProxyForm("http_proxy", "{}", "127.0.0.1:{port}"),
    "others excepted": ProxyForm("http_proxy", "{}", "10.0.0.0/8,example.com"),
}
NOT_TAKEN = {
    "an empty one": ProxyForm("http_proxy", ""),
    "one for https alone": ProxyForm("https_proxy", "http://{}"),
    "the address excepted": ProxyForm("http_proxy", "{}", "127.0.0.1"),
    "the network excepted": ProxyForm("http_proxy", "{}", "127.0.0.0/8"),
    "all excepted": ProxyForm("http_proxy", "{}", "*"),
}


def requests_through(
    form: ProxyForm, server: HostileServer, read: Read, monkeypatch: pytest.MonkeyPatch
) -> int:
    """How many requests of a read and an upload, both of which arrive, go through a proxy."""
    server.response = Bytes([http(200, FILE)])
    with Proxy().serving() as proxy:
        port = server.url.rpartition(":")[2]
        monkeypatch.setenv("no_proxy", form.no_proxy.format(port=port))
        monkeypatch.setenv(form.variable, form.value.format(proxy.url.partition("//")[2]))
        for call in (read, send_upload):
            call(of(server, max_attempts=1))
        assert len(server.requests) == 2
        return len(proxy.requests)


@pytest.mark.parametrize("form", TAKEN.values(), ids=TAKEN)
def test_both_drivers_take_a_proxy_in_each_form(
    server: HostileServer, read: Read, monkeypatch: pytest.MonkeyPatch, form: ProxyForm
):
    assert requests_through(form, server, read, monkeypatch) == 2


@pytest.mark.parametrize("form", NOT_TAKEN.values(), ids=NOT_TAKEN)
def test_both_drivers_take_no_proxy_that_is_for_something_else_or_has_an_exception(
    server: HostileServer, read: Read, monkeypatch: pytest.MonkeyPatch, form: ProxyForm
):
    assert requests_through(form, server, read, monkeypatch) == 0


class BadProxy(NamedTuple):
    """
    A proxy whose address cannot be used, or which is not there.

    :ivar problem: what the first line of the error says after the variable's name.
    """

    address: str
    problem: str
    variable: str = "http_proxy"


ENCODE = "cannot be used: its username or password has a /, ? or # that is not percent-encoded"
NO_HOST = "cannot be used: its host or port is none"
PROXY_NOT_REACHED = "was not reached: "
BAD_PROXIES = {
    "a slash in the password": BadProxy("http://user:s3cret/x@127.0.0.1:1", ENCODE),
    "a number sign in the password": BadProxy(
        "http://user:s3cret#x@127.0.0.1:1", ENCODE, "HTTP_PROXY"
    ),
    "a number sign after digits, as of a port": BadProxy(
        "http://user:1234#s3cret@127.0.0.1:1", ENCODE
    ),
    "a question mark in the password": BadProxy(
        "http://user:s3cret?x@127.0.0.1:1", ENCODE, "all_proxy"
    ),
    "a bracket that is not closed": BadProxy("http://user:s3cret@[127.0.0.1:1", NO_HOST),
    "a letter as port": BadProxy("http://user:s3cret@127.0.0.1:x", NO_HOST),
    "a port that is too large": BadProxy(
        "http://user:s3cret@127.0.0.1:70000", NO_HOST, "ALL_PROXY"
    ),
    "no host": BadProxy("http://", NO_HOST),
    "a space in the password": BadProxy(
        "http://user:s3 cret@127.0.0.1:1", "cannot be used: it has a space"
    ),
    "socks": BadProxy("socks5h://user:s3cret@127.0.0.1:1", "cannot be used: "),
    "another scheme": BadProxy(
        "ftp://user:s3cret@127.0.0.1:1", "cannot be used: its scheme is none that a proxy has"
    ),
    "a euro sign in the password": BadProxy(
        "http://user:s3cret%E2%82%AC@127.0.0.1:1",
        "cannot be used: its username or password has a character that is not of Latin-1",
    ),
    "nobody there": BadProxy("http://user:s3cret@127.0.0.1:1", PROXY_NOT_REACHED, "HTTP_PROXY"),
    "nobody there, with a password of Latin-1": BadProxy(
        "http://user:s3cret%C3%A9@127.0.0.1:1", PROXY_NOT_REACHED
    ),
    "nobody there, without a scheme": BadProxy(
        "user:s3cret@127.0.0.1:1", PROXY_NOT_REACHED, "all_proxy"
    ),
    "nobody there, with spaces around": BadProxy(
        " http://user:s3cret@127.0.0.1:1 ", PROXY_NOT_REACHED
    ),
}


class Tried(NamedTuple):
    """
    A read and an upload through a bad proxy; what may be sent again is, once, and is logged.

    :ivar errors: of both.
    :ivar log: what both have logged.
    :ivar requests: those that the service got.
    """

    proxy: BadProxy
    errors: list[WesError]
    log: str
    requests: list[str]


@pytest.fixture(scope="module", params=[read_sync, read_polling], ids=["requests", "aiohttp"])
def driver(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="module", params=list(BAD_PROXIES.values()), ids=list(BAD_PROXIES))
def tried(request: pytest.FixtureRequest, driver: Read) -> Tried:
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    errors = []
    with pytest.MonkeyPatch.context() as patch, HostileServer().serving() as server:
        forget_environment(patch)
        patch.setenv(request.param.variable, request.param.address)
        patch.setattr("tenacity.nap.time.sleep", lambda seconds: None)
        server.response = Bytes([http(200, FILE)])
        for call in (driver, send_upload):
            with pytest.raises(WesError) as raised:
                call(of(server))
            errors.append(raised.value)
    logging.getLogger().removeHandler(handler)
    return Tried(request.param, errors, log.getvalue(), server.requests)


def test_a_proxy_that_cannot_be_used_or_is_not_there_is_named_by_its_variable_with_the_reason(
    tried: Tried,
):
    for error in tried.errors:
        first = str(error).splitlines()[0]
        assert f"proxy in {tried.proxy.variable} {tried.proxy.problem}" in first


def test_nothing_is_sent_past_a_proxy_that_cannot_be_used_or_is_not_there(tried: Tried):
    assert tried.requests == []


def test_an_error_about_a_proxy_says_that_nothing_was_sent(tried: Tried):
    for error in tried.errors:
        assert str(error).splitlines()[1].startswith("Nothing was sent.")
        assert not error.may_have_effect


def test_no_error_about_a_proxy_shows_its_password(tried: Tried):
    """Nor does a cause, which Airflow would log with the error."""
    for error in tried.errors:
        assert error.__cause__ is None
        assert "s3cret" not in str(error).replace(" ", "")


def test_no_log_line_about_a_proxy_shows_its_password(tried: Tried):
    assert "s3cret" not in tried.log


@pytest.mark.parametrize("address", ["http://127.0.0.1:x", "socks5://127.0.0.1:1"])
def test_a_proxy_that_cannot_be_used_is_an_error_that_no_retry_helps(
    server: HostileServer, address: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("http_proxy", address)
    with pytest.raises(WesConfigurationError) as raised:
        send_upload(of(server))
    assert raised.value.permanent


# -- the emulator --------------------------------------------------------------------------------


def test_credentials_are_given_whatever_netrc_says(
    wes_emulator: Emulator, read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """An upload is accepted, and a read gets 404; with a wrong key, it gets 401."""
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login other password other\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    assert send_upload(settings(wes_emulator.connection()))["_id"]
    with pytest.raises(WesNotFoundError):
        read(settings(wes_emulator.connection()))
    with pytest.raises(WesAuthenticationError):
        read(settings(wes_emulator.connection(), api_key="wrong"))
