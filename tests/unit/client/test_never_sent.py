"""A request was never sent if no byte of it went to an established connection; what else happens proves nothing."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from support.proxy import Proxy, make_certificate, response, tls_in_front_of
from support.wes_driver import Driver
from unit.client.test_operations import OPERATIONS
from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConnectionError, WesError, WesResponseError, WesUnknownOutcomeError

pytestmark = pytest.mark.wes(tls=False)  # the proxy reads what it forwards, and TLS stands in front of the emulator

ATTEMPTS = 2
UPLOAD = OPERATIONS["upload_coupon_file"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture
def https(wes_emulator: Emulator, certificate: Path) -> Iterator[str]:
    with tls_in_front_of(wes_emulator.url, certificate) as url:
        yield url


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Proxy().serving() as proxy:
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, proxy.url)
        yield proxy


@pytest.fixture(autouse=True)
def _quick(driver: Driver) -> None:
    driver.settings = replace(driver.settings, max_attempts=ATTEMPTS, read_timeout=5, connect_timeout=5)


def accepted(emulator: Emulator) -> int:
    return len(emulator.files("list-1"))


def result(driver: Driver) -> type[WesError] | None:
    try:
        driver(UPLOAD)
    except WesError as raised:
        error = raised
    else:
        return None
    for secret in driver.settings.secrets:
        assert secret not in str(error)
    return type(error)


def nothing(proxy: Proxy, emulator: Emulator) -> None:
    """The proxy forwards."""


def responds(*responses: bytes | None) -> Callable[[Proxy, Emulator], None]:
    def arrange(proxy: Proxy, emulator: Emulator) -> None:
        proxy.responses = [*responses] * ATTEMPTS

    return arrange


def loses_the_reply(proxy: Proxy, emulator: Emulator) -> None:
    proxy.on_reply = lambda piece: None if accepted(emulator) else piece


def injects_text(proxy: Proxy, emulator: Emulator) -> None:
    proxy.on_reply = lambda piece: b"HTTP/1.1 502 Bad Gateway\r\n\r\n" if accepted(emulator) else piece


def in_tunnel(content: bytes) -> Callable[[Proxy, Emulator], None]:
    def arrange(proxy: Proxy, emulator: Emulator) -> None:
        proxy.in_tunnel = content

    return arrange


NEVER_SENT, UNKNOWN = WesConnectionError, WesUnknownOutcomeError
HTTP_PROXY: dict[str, tuple[Callable[[Proxy, Emulator], None], type[WesError] | None, int]] = {
    "forwards": (nothing, None, 1),
    "closes after the request": (responds(b""), UNKNOWN, 0),
    "loses the reply": (loses_the_reply, UNKNOWN, 1),
    "502": (responds(response(502)), UNKNOWN, 0),
    "408": (responds(response(408)), UNKNOWN, 0),
    "499": (responds(response(499)), UNKNOWN, 0),
    "302": (responds(response(302, "Location: http://127.0.0.1:9/login")), UNKNOWN, 0),
    "407": (responds(response(407)), WesResponseError, 0),
}


@pytest.mark.parametrize(("arrange", "error_class", "uploads"), HTTP_PROXY.values(), ids=HTTP_PROXY)
def test_an_upload_through_an_http_proxy(
    driver: Driver,
    wes_emulator: Emulator,
    proxy: Proxy,
    arrange: Callable[[Proxy, Emulator], None],
    error_class: type[WesError] | None,
    uploads: int,
):
    arrange(proxy, wes_emulator)
    assert result(driver) is error_class
    assert accepted(wes_emulator) == uploads
    assert len(proxy.requests) == 1
    assert proxy.requests[0].startswith(f"POST {wes_emulator.url}/v1/")


CONNECT_PROXY: dict[str, tuple[Callable[[Proxy, Emulator], None], type[WesError] | None, int, int]] = {
    "forwards": (nothing, None, 1, 1),
    "closes at CONNECT": (responds(b""), NEVER_SENT, 0, ATTEMPTS),
    "407": (responds(response(407)), NEVER_SENT, 0, ATTEMPTS),
    "502": (responds(response(502)), NEVER_SENT, 0, ATTEMPTS),
    "closes after CONNECT": (in_tunnel(b""), NEVER_SENT, 0, ATTEMPTS),
    "text in place of the handshake": (in_tunnel(b"HTTP/1.1 400 Bad Request\r\n\r\n"), NEVER_SENT, 0, ATTEMPTS),
    "loses the reply": (loses_the_reply, UNKNOWN, 1, 1),
    "text in place of the reply": (injects_text, UNKNOWN, 1, 1),
}


@pytest.mark.parametrize(("arrange", "error_class", "uploads", "tunnels"), CONNECT_PROXY.values(), ids=CONNECT_PROXY)
def test_an_upload_through_a_tunnel(
    driver: Driver,
    wes_emulator: Emulator,
    proxy: Proxy,
    https: str,
    certificate: Path,
    arrange: Callable[[Proxy, Emulator], None],
    error_class: type[WesError] | None,
    uploads: int,
    tunnels: int,
):
    driver.settings = replace(driver.settings, base_url=https, verify=str(certificate))
    arrange(proxy, wes_emulator)
    assert result(driver) is error_class
    assert accepted(wes_emulator) == uploads
    assert proxy.requests == [f"CONNECT {https.removeprefix('https://')}"] * tunnels


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_is_down(driver: Driver, wes_emulator: Emulator, scheme: str, monkeypatch: pytest.MonkeyPatch):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv(f"{scheme}_proxy", f"http://127.0.0.1:{closed.getsockname()[1]}")
        driver.settings = replace(driver.settings, base_url=wes_emulator.url.replace("http", scheme))
        assert result(driver) is WesConnectionError
    assert wes_emulator.requests == []


def test_a_certificate_that_is_not_trusted(driver: Driver, wes_emulator: Emulator, proxy: Proxy, https: str):
    driver.settings = replace(driver.settings, base_url=https)
    assert result(driver) is WesConnectionError
    assert wes_emulator.requests == []


def test_a_kept_connection_that_was_closed_counts_as_sent(driver: Driver, wes_emulator: Emulator, proxy: Proxy):
    """The proxy may have read the request before it closed the connection."""
    proxy.responses = [None, b""]
    with pytest.raises(WesUnknownOutcomeError, match="no response: "):
        driver(UPLOAD, times=2)
    assert accepted(wes_emulator) == 1
    assert len(proxy.requests) == 2


def test_a_repeatable_request_is_sent_again_through_a_proxy(driver: Driver, wes_emulator: Emulator, proxy: Proxy):
    proxy.responses = [b""]
    driver(OPERATIONS["update_segment"])
    assert len(proxy.requests) == 2
    assert len(wes_emulator.requests) == 1


@pytest.mark.parametrize("status", [408, 499])
def test_a_read_that_a_gateway_gave_up_is_sent_again(driver: Driver, proxy: Proxy, status: int):
    proxy.responses = [response(status)]
    assert driver(OPERATIONS["list_coupon_files"]) == []
    assert len(proxy.requests) == 2
