"""Whatever a server sends: errors of ours come out, in bounded time and memory, and no secret with them."""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import logging
import traceback
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from email.utils import formatdate
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from support.hostile_server import Bytes, HostileServer
from support.wes_driver import Driver, read
from wes_provider.client.operations import MAX_BODY, Operation, Operations
from wes_provider.client.retry import LONGEST_BACKOFF, RESET_JITTER
from wes_provider.client.settings import WesSettings
from wes_provider.exceptions import (
    WesBadRequestError,
    WesError,
    WesRateLimitError,
    WesUnknownOutcomeError,
    dump_error,
    load_error,
)

THOROUGHLY = pytest.mark.timeout(7200)  # seconds; --hypothesis-profile=thorough takes its time

CAMPAIGN_KEY = 'campaign"key\\of/ö+ours'
DATA_KEY = "data-key-0123456789"
SIGNED_URL = "https://alice:wonderland@files.example.com/coupons.csv?sig=SiGnAtUrE%2B0123456789&n=1"
CALLBACK_URL = "https://me.example.com/done?token=callback-token-0123456789"
FILE_PASSWORD = "file'password 0123456789"


def spelled(*planted: str, credentials: tuple[str, ...]) -> list[str]:
    return [
        *planted,
        *(json.dumps(secret)[1:-1] for secret in planted),
        *(quote(secret, safe="") for secret in planted),
        *(base64.b64encode(text.encode()).decode() for text in credentials),
    ]


KEYS = spelled(
    CAMPAIGN_KEY, DATA_KEY, credentials=(f"emulated-workspace:{CAMPAIGN_KEY}", f"emulated-workspace:{DATA_KEY}")
)
OF_AN_UPLOAD = spelled(
    FILE_PASSWORD,
    "SiGnAtUrE%2B0123456789",
    "SiGnAtUrE+0123456789",
    "callback-token-0123456789",
    "wonderland",
    credentials=(f"bob:{FILE_PASSWORD}",),
)
SECRETS = [*KEYS, *OF_AN_UPLOAD]

MAX_ATTEMPTS = 2
BUFFERS = 16 * 1024 * 1024  # bytes that the sockets' buffers may hold, above what is read

OPERATIONS: dict[str, Callable[[Operations], Operation[Any]]] = {
    "upload_coupon_file": lambda operations: operations.upload_coupon_file(
        "list-1",
        SIGNED_URL,
        name="nightly",
        file_url_auth_username="bob",
        file_url_auth_password=FILE_PASSWORD,
        callback_url=CALLBACK_URL,
    ),
    "get_coupon_file": lambda operations: operations.get_coupon_file("list-1", "file-1"),
    "list_coupon_files": lambda operations: operations.list_coupon_files("list-1"),
    "create_catalog": lambda operations: operations.create_catalog("c", "EUR", [{"name": "id", "type": "string"}]),
    "update_segment": lambda operations: operations.update_segment("s-1", name="n"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with HostileServer().serving() as server:
        yield server


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[HostileServer]:
    """A host that no request may ever reach."""
    with HostileServer().serving() as server:
        yield server
        assert server.requests == []


@pytest.fixture(scope="module")
def settings(server: HostileServer) -> WesSettings:
    connection = {
        "host": server.url,
        "login": "emulated-workspace",
        "password": CAMPAIGN_KEY,
        "extra": {
            "data_api_key": DATA_KEY,
            "max_attempts": MAX_ATTEMPTS,
            "max_rate_limit_wait": 60,
            "connect_timeout": 5,
            "read_timeout": 5,
        },
    }
    return read(connection)


# -- what a server may send ----------------------------------------------------------------------------

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=40)
    | st.sampled_from([*SECRETS, SIGNED_URL, "PENDING", "SUCCESS", "file-1", "x" * 5000, "line\r\nline\x1b[31m\x00"]),
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "_id id status name data error errors code message detail catalog_id coupons_list_id".split()
            )
            | st.text(max_size=10),
            children,
            max_size=5,
        )
    ),
    max_leaves=10,
)

secret_texts = st.builds(
    lambda before, secret, after: f"{before}{secret}{after}".encode(errors="replace"),
    st.text(max_size=20) | st.sampled_from(["x" * 1980, f"https://h/?{'q' * 1960} ", '{"error": "']),
    st.sampled_from(SECRETS),
    st.text(max_size=20),
)

JUNK = (
    b"",
    b"[" * 100_000,
    b'{"a":' * 990 + b"1" + b"}" * 990,
    b"[" * 985 + b"]" * 985,
    b"9" * 5000,
    b"NaN",
    b'{"_id": NaN, "status": 1e999}',
    b'"\\ud800"',
    b'{"_id": "\\ud800", "status": "\\udfff"}',
    b"\xff\xfe[\x00]\x00",
    b"\xef\xbb\xbf{}",
    b"<html>" + b"\x00\x1b]0;title\x07" * 50,
)

bodies = (
    st.builds(lambda value: json.dumps(value).encode(), json_values)
    | st.builds(lambda value: json.dumps(value, ensure_ascii=False).encode(errors="replace"), json_values)
    | st.builds(lambda value: json.dumps(value).encode("utf-16"), json_values)
    | secret_texts
    | st.binary(max_size=200)
    | st.sampled_from(JUNK)
)


def packed(body: bytes, encodings: list[str]) -> bytes:
    for encoding in encodings:
        body = gzip.compress(body, 1, mtime=0) if encoding == "gzip" else zlib.compress(body, 1)
    return body


BOMB = gzip.compress(b"{" + b" " * (64 * 1024 * 1024), 9)
NESTED_BOMB = gzip.compress(BOMB, 1)


@st.composite
def encoded_bodies(draw: st.DrawFn) -> tuple[bytes, str | None]:
    """A body, and its ``Content-Encoding``, which may be a lie."""
    kind = draw(st.sampled_from(["plain"] * 6 + ["packed"] * 3 + ["cut", "lie", "bomb", "nested bomb"]))
    if kind in ("bomb", "nested bomb"):
        return (BOMB, "gzip") if kind == "bomb" else (NESTED_BOMB, draw(st.sampled_from(["gzip", "gzip, gzip"])))
    body = draw(bodies)
    if kind == "plain":
        return body, draw(st.sampled_from([None, None, "identity", ""]))
    if kind == "lie":
        return body, draw(st.sampled_from(["gzip", "deflate", "br", "zstd", "compress", "GZIP ,x", "\xff"]))
    encodings = draw(st.lists(st.sampled_from(["gzip", "deflate"]), min_size=1, max_size=3))
    body = packed(body, encodings)
    if kind == "cut":
        body = body[: draw(st.integers(0, len(body)))]
    return body, ", ".join(encodings)


def chunked(body: bytes, size: int) -> bytes:
    pieces = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


CHUNKED_NONSENSE = (
    b"zz\r\nabc\r\n0\r\n\r\n",
    b"-5\r\nabcdefghijkl\r\n0\r\n\r\n",
    b"ffffffffffffffffffff\r\nabc",
    b"f" * 70_000 + b"\r\nabc",
    b"3;ext=" + b"x" * 70_000 + b"\r\nabc\r\n0\r\n\r\n",
    b"3\r\nabcdef\r\n0\r\n\r\n",
    b"2\r\n{}\r\n0\r\n" + b"X-Trailer: y\r\n" * 1000 + b"\r\n",
    b"2\r\n{}\r\n",
    b"\r\n\r\n\r\n",
)


@st.composite
def framed(draw: st.DrawFn, body: bytes) -> tuple[list[tuple[str, str]], bytes]:
    """Headers that say where a body ends, which may be a lie, and the body."""
    kind = draw(st.sampled_from(["right"] * 6 + ["none", "chunked", "chunked", "wrong", "nonsense", "both", "twice"]))
    if kind == "right":
        return [("Content-Length", str(len(body)))], body
    if kind == "chunked":
        return [("Transfer-Encoding", "chunked")], chunked(body, draw(st.sampled_from([1, 7, 4096])))
    if kind == "wrong":
        lengths = st.integers(0, 2 * len(body) + 2).map(str) | st.sampled_from(
            ["-1", "+2", "0x10", "1e3", "", "9" * 20, "9" * 5000, "2, 2", "²", "12 34", "٣"]
        )
        return [("Content-Length", draw(lengths))], body
    if kind == "nonsense":
        nonsense = draw(st.sampled_from(CHUNKED_NONSENSE) | st.binary(max_size=100))
        return [("Transfer-Encoding", draw(st.sampled_from(["chunked", "gzip, chunked", "Chunked"])))], nonsense
    if kind == "both":
        return [("Content-Length", str(len(body))), ("Transfer-Encoding", "chunked")], chunked(body, 100)
    if kind == "twice":
        return [("Content-Length", str(len(body))), ("Content-Length", str(len(body) + draw(st.integers(0, 3))))], body
    return [], body


header_values = st.sampled_from(
    [
        *SECRETS,
        "0",
        "1",
        "-1",
        "nan",
        "inf",
        "1e400",
        "9" * 400,
        "253402300800000",
        formatdate(0, usegmt=True),
        formatdate(usegmt=True),
        "Mon, 99 Foo 99999 99:99:99 +9999",
        "application/json",
        "text/html; charset=utf-7",
        "application/json; charset=" + "x" * 100,
        "close",
        "keep-alive",
        "x" * 7000,
        "a=b; Domain=.example.com; Path=/; Expires=never, c=\x7f",
        "Basic realm=x",
        "é\x80",
    ]
) | st.text(st.characters(min_codepoint=1, max_codepoint=255, exclude_characters="\r\n"), max_size=60)

header_names = st.sampled_from(
    [
        "Content-Type",
        "Date",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "x-request-id",
        "Retry-After",
        "Set-Cookie",
        "WWW-Authenticate",
        "Proxy-Authenticate",
        "Connection",
        "Upgrade",
        "Trailer",
        "Content-Range",
        "Link",
    ]
) | st.text(st.characters(min_codepoint=1, max_codepoint=255, exclude_characters="\r\n"), max_size=20)

USUAL_STATUSES = """
200 200 200 201 201 202 204 206 301 302 303 307 308 400 401 403 404 407 408 409 413 425 429 429 429 500 502 503 504
"""
statuses = st.sampled_from([int(status) for status in USUAL_STATUSES.split()]) | st.integers(100, 999)

first_lines = st.builds("HTTP/1.1 {} {}".format, statuses, st.sampled_from(["OK", "", "x" * 3000, *SECRETS])) | (
    st.sampled_from(
        [
            "HTTP/1.0 200 OK",
            "HTTP/0.9 200",
            "HTTP/2 200",
            "HTTP/1.1 2000 Many",
            "HTTP/1.1 OK",
            "HTTP/1.1 -200 x",
            "HTTP/1.1 099 x",
            "HTTP/9.9 200 OK",
            "http/1.1 200 ok",
            "ICY 200 OK",
            "HTTP/1.1  200  OK",
            "SSH-2.0-x",
            "",
            "HTTP/1.1 200 OK" + "x" * 70_000,
        ]
    )
)


CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
ELSEWHERE = "http://elsewhere:1"  # stands for the address of a host that no request may reach


class Response:
    """Bytes that a failing test shows in part."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def __repr__(self) -> str:
        return f"Answer({self.content[:1000]!r}, {len(self.content)} bytes)"


@st.composite
def responses(draw: st.DrawFn) -> Response:
    """One answer as bytes, anything from a good one to no HTTP at all."""
    interim = draw(st.sampled_from([b""] * 12 + [CONTINUE * 3, b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"]))
    first = draw(first_lines)
    body, encoding = draw(encoded_bodies())
    headers, body = draw(framed(body))
    if encoding is not None:
        headers.append(("Content-Encoding", encoding))
    if " 30" in first[:14]:
        headers.append(("Location", draw(st.sampled_from([ELSEWHERE, ELSEWHERE[5:], f"{ELSEWHERE}/?", "//x@y/\x01"]))))
    headers += draw(st.lists(st.tuples(header_names, header_values), max_size=6))
    if draw(st.integers(0, 30)) == 0:
        headers += [(f"X-{number}", "y" * 1000) for number in range(draw(st.sampled_from([50, 99, 130, 3000])))]
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    end = draw(st.sampled_from([b"\r\n"] * 12 + [b"\n", b"", b"\r\n\r\n"]))
    return Response(interim + f"{first}\r\n{head}".encode("latin-1", "replace") + end + body)


# -- what comes out ------------------------------------------------------------------------------------


class Logged(logging.Handler):
    """All that is logged, as one text."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text += self.format(record) + "\n"

    def __enter__(self) -> Logged:
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *exc_info: object) -> None:
        logging.getLogger().removeHandler(self)


def assert_no_secret(operation: str, text: str) -> None:
    """Of an upload's secrets, other operations know nothing."""
    for secret in SECRETS if operation == "upload_coupon_file" else KEYS:
        assert secret not in text


def assert_presentable(operation: str, error: WesError) -> None:
    """An error's message is short, and any terminal takes it; it crosses to another process and back."""
    text = str(error)
    assert text.replace("\n", "").isprintable()
    assert len(text) < 2500
    assert_no_secret(operation, text + repr(vars(error)) + "".join(traceback.format_exception(error)))
    loaded = load_error(json.loads(json.dumps(dump_error(error), allow_nan=False)))
    assert (type(loaded).__name__, str(loaded)) == (type(error).__name__, text)


def outcome(driver: Driver, operation: str) -> Any:
    """The result of a call, or the error that it ended with, both fit to be used."""
    with Logged() as logged:
        try:
            result = driver(OPERATIONS[operation])
        except WesError as error:
            assert_presentable(operation, error)
            result = error
    assert_no_secret(operation, logged.text)
    if isinstance(result, WesError):
        return result
    json.dumps(result, allow_nan=False, ensure_ascii=False).encode()  # goes into XCom
    if operation == "create_catalog":
        assert result[0]
    elif operation == "list_coupon_files":
        assert isinstance(result, list)
    else:
        assert isinstance(result, dict)
    return result


@THOROUGHLY
@pytest.mark.parametrize("driver_name", ["requests", "aiohttp"])
@hypothesis_settings(max_examples=hypothesis_settings().max_examples // 2)  # bodies alone: test_any_response.py
@given(st.sampled_from([*OPERATIONS]), responses(), st.sampled_from(["close"] * 5 + ["reset"]))
def test_whatever_a_server_sends(
    driver_name: str,
    server: HostileServer,
    elsewhere: HostileServer,
    settings: WesSettings,
    operation: str,
    response: Response,
    ending: str,
):
    server.response = Bytes([response.content.replace(ELSEWHERE.encode(), elsewhere.url.encode())], ending)
    server.requests.clear()
    driver = Driver(driver_name, settings)
    result = outcome(driver, operation)
    assert 1 <= len(server.requests) <= len(driver.slept) + 1 <= MAX_ATTEMPTS
    longest = settings.max_rate_limit_wait + RESET_JITTER if b" 429 " in response.content[:100] else LONGEST_BACKOFF
    assert all(0 <= seconds <= longest for seconds in driver.slept)
    if operation == "upload_coupon_file" and len(server.requests) > 1:
        assert isinstance(result, WesRateLimitError)  # the only answer after which an upload is sent again


# -- without an end --------------------------------------------------------------------------------------

OK = b"HTTP/1.1 200 OK\r\n"
PIECE = 64 * 1024
ENDLESS: dict[str, tuple[bytes, bytes]] = {
    "body": (OK + b"\r\n{", b" " * PIECE),
    "body of an error": (b"HTTP/1.1 400 Bad Request\r\n\r\n{", b" " * PIECE),
    "chunked body": (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b" " * PIECE + b"\r\n"),
    "one chunk": (OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n", b" " * PIECE),
    "promised body": (OK + b"Content-Length: 99999999999\r\n\r\n", b" " * PIECE),
    "gzipped body": (OK + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b" " * PIECE)),
    "status line": (b"HTTP/1.1 200 ", b"x" * PIECE),
    "header": (OK + b"X: ", b"x" * PIECE),
    "headers": (OK, b"X-Header: y\r\n" * 5000),
    "continued header": (OK + b"X: y\r\n", b" y\r\n" * 10_000),
    "no HTTP": (b"", b"\x00" * PIECE),
}


@pytest.mark.parametrize("driver_name", ["requests", "aiohttp"])
@pytest.mark.parametrize(("head", "piece"), ENDLESS.values(), ids=ENDLESS)
def test_a_response_without_an_end_is_read_up_to_a_bound(
    driver_name: str, server: HostileServer, settings: WesSettings, head: bytes, piece: bytes
):
    if driver_name == "aiohttp" and b"X-Header" in piece and version("aiohttp").split(".")[:2] <= ["3", "12"]:
        pytest.skip("bounded in time only, see docs/dependencies.md")
    server.response = Bytes(itertools.chain([head], itertools.repeat(piece)))
    server.sent = 0
    driver = Driver(driver_name, replace(settings, max_attempts=1, read_timeout=60))
    assert isinstance(outcome(driver, "get_coupon_file"), WesError)
    assert server.sent < MAX_BODY + BUFFERS


def gzipped(body: bytes) -> bytes:
    return OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body


GREEDY: dict[str, tuple[bytes, bytes]] = {
    "endless body": ENDLESS["body"],
    "endless body of an error": ENDLESS["body of an error"],
    "endless gzip": ENDLESS["gzipped body"],
    "bomb": (gzipped(BOMB), b""),
    "bomb in a bomb": (gzipped(NESTED_BOMB), b""),
}


@pytest.mark.parametrize("driver_name", ["requests", "aiohttp"])
@pytest.mark.parametrize(("head", "piece"), GREEDY.values(), ids=GREEDY)
def test_a_response_takes_a_few_times_the_bound_of_memory(
    driver_name: str, server: HostileServer, settings: WesSettings, head: bytes, piece: bytes
):
    """As it came in pieces, as a whole, unpacked, and as text."""
    server.response = Bytes(itertools.chain([head], itertools.repeat(piece) if piece else ()))
    tracemalloc.start()
    try:
        error = outcome(Driver(driver_name, replace(settings, max_attempts=1)), "get_coupon_file")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(error, WesError)
    assert peak < 5 * MAX_BODY


def slowly(text: bytes) -> Iterator[bytes]:
    """Byte by byte, for longer than a test may take."""
    return (bytes([byte]) for byte in itertools.cycle(text))


CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
UNHURRIED: dict[str, tuple[bytes, Callable[[], Iterator[bytes]]]] = {
    "status line": (b"HTTP/1.1 200 ", lambda: slowly(b"x")),
    "headers": (OK, lambda: slowly(b"X: yyyyyyyyyyyyyyyy\r\n")),
    "continued header": (OK + b"X: y\r\n", lambda: slowly(b" y\r\n")),
    "interim answers": (b"", lambda: slowly(b"HTTP/1.1 100 Continue\r\n\r\n")),
    "body": (OK + b"Content-Length: 60000\r\n\r\n", lambda: slowly(b" ")),
    "body of an error": (b"HTTP/1.1 400 Bad Request\r\n\r\n", lambda: slowly(b" ")),
    "chunked body": (CHUNKED, lambda: slowly(b"1\r\nx\r\n")),
    "chunk extension": (CHUNKED + b"1;", lambda: slowly(b"x")),
    "trailers": (CHUNKED + b"2\r\n{}\r\n0\r\n", lambda: slowly(b"X: y\r\n")),
    "nothing": (b"", lambda: iter(())),
}


@pytest.mark.parametrize("driver_name", ["requests", "aiohttp"])
@pytest.mark.parametrize(("head", "rest"), UNHURRIED.values(), ids=UNHURRIED)
def test_a_response_that_takes_for_ever_is_given_up(
    driver_name: str, server: HostileServer, settings: WesSettings, head: bytes, rest: Callable[[], Iterator[bytes]]
):
    server.response = Bytes(itertools.chain([head], rest()), "stall", pause=0.02)
    driver = Driver(driver_name, replace(settings, max_attempts=1, connect_timeout=0.5, read_timeout=0.2))
    error = outcome(driver, "get_coupon_file")
    assert isinstance(error, WesBadRequestError if b" 400 " in head else WesUnknownOutcomeError)


def test_early_hints_do_not_count_as_a_response(server: HostileServer, settings: WesSettings):
    """An upload whose answer ends after them may have happened; ``http.client`` takes them for the answer."""
    server.response = Bytes([b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", OK + b"\r\n"])
    for driver_name in ("requests", "aiohttp"):
        assert isinstance(outcome(Driver(driver_name, settings), "upload_coupon_file"), WesUnknownOutcomeError)


CREATED = b"HTTP/1.1 201 Created\r\n"
CUT_OFF_AFTER_SUCCESS = {
    "body": ([CREATED + b'Content-Length: 500\r\n\r\n{"id":'], "close"),
    "body, reset": ([CREATED + b'Content-Length: 500\r\n\r\n{"id":'], "reset"),
    "no body": ([CREATED + b"Content-Length: 500\r\n\r\n"], "close"),
    "chunk": ([CREATED + b'Transfer-Encoding: chunked\r\n\r\n20\r\n{"id":'], "close"),
    "body that stalls": ([CREATED + b'Content-Length: 500\r\n\r\n{"id":'], "stall"),
    "JSON": ([CREATED + b'Content-Length: 6\r\n\r\n{"id":'], "close"),
}


@pytest.mark.parametrize("driver_name", ["requests", "aiohttp"])
@pytest.mark.parametrize(("pieces", "ending"), CUT_OFF_AFTER_SUCCESS.values(), ids=CUT_OFF_AFTER_SUCCESS)
def test_a_catalog_is_not_created_again_once_a_success_has_come(
    driver_name: str, server: HostileServer, settings: WesSettings, pieces: list[bytes], ending: Any
):
    server.response = Bytes(pieces, ending)
    server.requests.clear()
    error = outcome(Driver(driver_name, replace(settings, read_timeout=0.5)), "create_catalog")
    assert len(server.requests) == 1
    assert isinstance(error, WesUnknownOutcomeError)
    assert error.permanent
    assert error.status_code == 201
    assert "created" in str(error)
    assert "\nLook for the catalog in the service's console" in str(error) or "identifier" in str(error)


@pytest.mark.parametrize(
    ("rest", "ending", "why"),
    [
        (b"Content-Type: application/json\r\nX-", "reset", "the headers broke off"),
        (b"Content-Type: application/json\r\nX-", "stall", "the headers broke off"),
        (b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}", "close", "the response broke off"),
    ],
)
def test_a_success_that_makes_no_sense_behind_its_status_is_one(
    server: HostileServer, settings: WesSettings, rest: bytes, ending: Any, why: str
):
    """Catalogs are created with ``requests``; ``aiohttp`` shows no part of such a response."""
    server.response = Bytes([CREATED + rest], ending)
    server.requests.clear()
    error = outcome(Driver("requests", replace(settings, read_timeout=0.5)), "create_catalog")
    assert isinstance(error, WesUnknownOutcomeError)
    assert len(server.requests) == 1
    assert f"201, but {why}" in str(error)


@pytest.mark.parametrize("driver_name", ["requests", "aiohttp"])
def test_an_error_that_is_cut_off_is_sent_again(driver_name: str, server: HostileServer, settings: WesSettings):
    server.response = Bytes([b'HTTP/1.1 503 No\r\nContent-Length: 500\r\n\r\n{"id":'])
    server.requests.clear()
    outcome(Driver(driver_name, settings), "create_catalog")
    assert len(server.requests) == MAX_ATTEMPTS
