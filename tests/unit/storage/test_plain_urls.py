"""
A file at a plain URL is fetched as the service will fetch it. Credentials of the upload are sent in
UTF-8, or else those of the URL; never those that the machine has (netrc). They go along with a
redirect on the same host, and not to another one. A host has ten seconds to be reached, and a
minute for each piece. It is asked not to pack the file, and packed bytes are kept as they come.

A file that its host calls larger than 104,857,600 bytes is TooLargeError and not read; a download
without an end ends within a megabyte beyond that. Another status than 200, a file that is cut off,
and a host that does not respond, also behind a redirect, are WesStorageError, with the URL without
credentials and query, and what to check.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from wes_provider.storage.errors import TooLargeError, WesStorageError
from wes_provider.storage.plain_urls import Session, download_url

CODES = b"code\nA1\n"
LIMIT = 104_857_600
MOVED = {
    "/moved.csv": "/codes.csv",
    "/moved-away.csv": "http://localhost:{port}/codes.csv",
    "/moved-to-nowhere.csv": "http://127.0.0.1:9/codes.csv?sig=hunter2",
    "/moved-to-a-file.csv": "file:///etc/codes.csv",
}
NETRC = "machine 127.0.0.1 login robot password of-the-machine\n"


class Host(ThreadingHTTPServer):
    """
    A web server on loopback.

    :ivar headers: of each request, by their names in small letters.
    :ivar sent: bytes of the file without an end.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.headers: list[dict[str, str]] = []
        self.sent = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    """Files whose names say what is special about them."""

    server: Host

    def do_GET(self) -> None:
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        path = urlsplit(self.path).path
        if path in MOVED:
            location = MOVED[path].format(port=self.server.server_port)
            self._reply(302, b"", location=location)
        elif path == "/packed.csv":
            self._reply(200, gzip.compress(CODES, mtime=0), content_encoding="gzip")
        elif path == "/endless.csv":
            self._send_without_end()
        elif path == "/large.csv":
            self._reply(200, CODES, content_length=str(LIMIT + 1))
        elif path == "/as-large-as-allowed.csv":
            self._reply(200, CODES, content_length=str(LIMIT))
        elif path == "/cut.csv":
            self._reply(200, CODES, content_length="1000")
        elif path.startswith("/status-"):
            self._reply(int(path.removeprefix("/status-")), CODES)
        elif path == "/codes.csv":
            self._reply(200, CODES)
        else:
            self._reply(404, b"")

    def _reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content_length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def _send_without_end(self) -> None:
        self.send_response(200)
        self.end_headers()
        piece = b"0" * 1024 * 1024
        try:
            while True:
                self.wfile.write(piece)
                self.server.sent += len(piece)
        except OSError:
            pass

    def log_message(self, *args: object) -> None:
        """Silent."""


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host, on a machine that has credentials for it in ``~/.netrc``."""
    netrc = tmp_path / "netrc"
    netrc.write_text(NETRC + NETRC.replace("127.0.0.1", "localhost"))
    monkeypatch.setenv("NETRC", str(netrc))
    with Host() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def basic(username: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()


def authorizations(host: Host) -> list[str | None]:
    """The header ``Authorization`` of each request."""
    return [headers.get("authorization") for headers in host.headers]


class OfUploadAlone(NamedTuple):
    """Credentials of an upload whose URL has none."""

    name: str
    username: str
    password: str


OF_UPLOADS_ALONE = [
    OfUploadAlone("ASCII", "me", "pw"),
    OfUploadAlone("umlauts", "müller", "straße"),
    OfUploadAlone("other letters", "山田", "пароль"),
    OfUploadAlone("euro", "me", "5€"),
    OfUploadAlone("a username alone", "me", ""),
    OfUploadAlone("a password alone", "", "pw"),
]


@pytest.mark.parametrize("row", OF_UPLOADS_ALONE, ids=[row.name for row in OF_UPLOADS_ALONE])
def test_credentials_of_the_upload_are_sent_in_utf_8(
    row: OfUploadAlone, host: Host, tmp_path: Path
) -> None:
    download_url(f"{host.url}/codes.csv", row.username, row.password, tmp_path / "codes")
    assert authorizations(host) == [basic(row.username, row.password)]


class Unsent(NamedTuple):
    """A file that is fetched without credentials, and the number of requests for it."""

    path: str
    requests: int


UNSENT = {
    "no redirect": Unsent("/codes.csv", 1),
    "a redirect": Unsent("/moved.csv", 2),
    "a redirect to another host": Unsent("/moved-away.csv", 2),
}


@pytest.mark.parametrize("row", UNSENT.values(), ids=UNSENT)
def test_credentials_of_the_machine_are_never_sent(row: Unsent, host: Host, tmp_path: Path) -> None:
    download_url(host.url + row.path, "", "", tmp_path / "codes")
    assert authorizations(host) == [None] * row.requests


def test_credentials_go_along_with_a_redirect_on_the_same_host(host: Host, tmp_path: Path) -> None:
    download_url(f"{host.url}/moved.csv", "me", "ü", tmp_path / "codes")
    assert authorizations(host) == [basic("me", "ü")] * 2


def test_credentials_do_not_go_along_with_a_redirect_to_another_host(
    host: Host, tmp_path: Path
) -> None:
    """Nor do those that the machine has for it."""
    download_url(f"{host.url}/moved-away.csv", "me", "ü", tmp_path / "codes")
    assert authorizations(host) == [basic("me", "ü"), None]


@pytest.mark.parametrize("path", ["/codes.csv", "/moved.csv", "/moved-away.csv"])
def test_the_file_has_the_bytes_that_its_host_or_the_last_one_of_redirects_sends(
    path: str, host: Host, tmp_path: Path
) -> None:
    target = tmp_path / "codes"
    download_url(host.url + path, "", "", target)
    assert target.read_bytes() == CODES


def test_credentials_of_the_url_are_sent_in_utf_8(host: Host, tmp_path: Path) -> None:
    url = host.url.replace("//", "//m%C3%BCller:p%40w@")
    download_url(f"{url}/codes.csv", "", "", tmp_path / "codes")
    assert host.headers[0]["authorization"] == basic("müller", "p@w")


class OfUrl(NamedTuple):
    """Credentials as they stand in a URL, and as they are sent."""

    name: str
    of_url: str
    sent: str


OF_URLS = [
    OfUrl("a username alone", "me@", basic("me", "")),
    OfUrl("a password alone", ":p%3Aw@", basic("", "p:w")),
    OfUrl("both", "me:pw@", basic("me", "pw")),
]


@pytest.mark.parametrize("row", OF_URLS, ids=[row.name for row in OF_URLS])
def test_credentials_of_the_url_are_sent_if_the_upload_has_none(
    row: OfUrl, host: Host, tmp_path: Path
) -> None:
    url = host.url.replace("//", f"//{row.of_url}")
    download_url(f"{url}/codes.csv", "", "", tmp_path / "codes")
    assert host.headers[0]["authorization"] == row.sent


class OfUpload(NamedTuple):
    """Credentials of an upload whose URL has others."""

    name: str
    username: str
    password: str


OF_UPLOADS = [
    OfUpload("both", "you", "secret"),
    OfUpload("a username alone", "you", ""),
    OfUpload("a password alone", "", "secret"),
]


@pytest.mark.parametrize("row", OF_UPLOADS, ids=[row.name for row in OF_UPLOADS])
def test_credentials_of_the_upload_are_sent_instead_of_those_of_the_url(
    row: OfUpload, host: Host, tmp_path: Path
) -> None:
    url = host.url.replace("//", "//me:pw@")
    download_url(f"{url}/codes.csv", row.username, row.password, tmp_path / "codes")
    assert host.headers[0]["authorization"] == basic(row.username, row.password)


def test_a_host_has_ten_seconds_to_be_reached_and_a_minute_for_each_piece(
    host: Host, tmp_path: Path, mocker: Any
) -> None:
    sent = mocker.spy(Session, "send")
    download_url(f"{host.url}/codes.csv", "", "", tmp_path / "codes")
    assert [call.kwargs["timeout"] for call in sent.call_args_list] == [(10, 60)]


def test_an_error_shows_neither_credentials_nor_the_query_of_a_url(
    host: Host, tmp_path: Path
) -> None:
    url = host.url.replace("//", "//me:hunter2@")
    with pytest.raises(WesStorageError) as error:
        download_url(f"{url}/cut.csv?sig=hunter2", "", "", tmp_path / "codes")
    assert str(error.value) == (
        f"{host.url}/cut.csv cannot be fetched (ProtocolError)\n"
        "Check the URL, and whether this machine reaches its host"
    )
    assert (error.value.__cause__, error.value.__suppress_context__) == (None, True)


def test_packed_bytes_are_kept_as_they_come(host: Host, tmp_path: Path) -> None:
    target = tmp_path / "codes"
    download_url(f"{host.url}/packed.csv", "", "", target)
    assert target.read_bytes() == gzip.compress(CODES, mtime=0)


def test_a_host_is_asked_not_to_pack_a_file(host: Host, tmp_path: Path) -> None:
    download_url(f"{host.url}/codes.csv", "", "", tmp_path / "codes")
    assert host.headers[0]["accept-encoding"] == "identity"


def test_a_download_without_an_end_ends_soon_after_the_limit(host: Host, tmp_path: Path) -> None:
    target = tmp_path / "codes"
    download_url(f"{host.url}/endless.csv", "", "", target)
    assert LIMIT < target.stat().st_size <= LIMIT + 1024 * 1024
    # The host would never end; what it has sent beyond the limit is in the buffers of sockets.
    assert host.sent < 2 * LIMIT


def test_a_file_that_is_gone_is_an_error_with_advice_and_without_secrets(
    host: Host, tmp_path: Path
) -> None:
    with pytest.raises(WesStorageError) as error:
        download_url(f"{host.url}/gone.csv?sig=hunter2", "me", "hunter2", tmp_path / "codes")
    assert str(error.value) == (
        f"{host.url}/gone.csv cannot be fetched: its host responded with 404\n"
        "Check the URL, and the credentials for fetching the file"
    )


@pytest.mark.parametrize("status", [203, 206, 226, 304])
def test_a_status_other_than_200_is_an_error(host: Host, tmp_path: Path, status: int) -> None:
    with pytest.raises(WesStorageError, match=f"its host responded with {status}"):
        download_url(f"{host.url}/status-{status}", "", "", tmp_path / "codes.csv")


def test_a_file_that_is_cut_off_is_an_error(host: Host, tmp_path: Path) -> None:
    with pytest.raises(WesStorageError, match=r"/cut\.csv cannot be fetched \(ProtocolError\)"):
        download_url(f"{host.url}/cut.csv", "", "", tmp_path / "codes")


def test_a_file_that_its_host_calls_too_large_is_not_read(host: Host, tmp_path: Path) -> None:
    with pytest.raises(TooLargeError) as error:
        download_url(f"{host.url}/large.csv", "", "", tmp_path / "codes")
    assert error.value.size == LIMIT + 1
    assert str(error.value) == f"{host.url}/large.csv is too large: {LIMIT + 1} bytes"
    assert not (tmp_path / "codes").exists()


def test_a_file_that_its_host_calls_as_large_as_allowed_is_read(host: Host, tmp_path: Path) -> None:
    """It was read, since the error is about its end, before which it breaks off."""
    with pytest.raises(WesStorageError, match=r"cannot be fetched \(ProtocolError\)"):
        download_url(f"{host.url}/as-large-as-allowed.csv", "", "", tmp_path / "codes")


def test_an_error_names_the_host_that_a_redirect_leads_to_and_that_does_not_respond(
    host: Host, tmp_path: Path
) -> None:
    with pytest.raises(WesStorageError) as error:
        download_url(f"{host.url}/moved-to-nowhere.csv", "", "", tmp_path / "codes")
    assert str(error.value) == (
        f"{host.url}/moved-to-nowhere.csv cannot be fetched, since it leads to "
        "http://127.0.0.1:9/codes.csv (ConnectionError)\n"
        "Check the URL, and whether this machine reaches its host"
    )


def test_a_host_that_does_not_respond_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WesStorageError, match=r"a\.csv cannot be fetched \(ConnectionError\)"):
        download_url("http://127.0.0.1:9/a.csv?sig=x", "", "", tmp_path / "codes")


NO_URLS_OF_THE_WEB = ("{host}/moved-to-a-file.csv", "file:///etc/codes.csv")


@pytest.mark.parametrize("url", NO_URLS_OF_THE_WEB)
def test_what_is_no_url_of_the_web_or_leads_to_none_is_not_fetched_again(
    url: str, host: Host, tmp_path: Path
) -> None:
    with pytest.raises(WesStorageError, match="cannot be fetched") as error:
        download_url(url.format(host=host.url), "", "", tmp_path / "codes")
    assert error.value.permanent


def test_what_a_host_refuses_or_breaks_off_is_fetched_again(host: Host, tmp_path: Path) -> None:
    for name in ("gone", "cut", "moved-to-nowhere"):
        with pytest.raises(WesStorageError) as error:
            download_url(f"{host.url}/{name}.csv", "", "", tmp_path / "codes")
        assert not error.value.permanent
