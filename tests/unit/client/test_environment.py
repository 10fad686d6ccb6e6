"""The environment's proxies and CA bundles mean the same to both clients."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from support.proxy import Proxy, make_certificate, tls_in_front_of
from support.wes_driver import Driver
from unit.client.test_operations import OPERATIONS
from wes_provider.client.environment import proxy_for
from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConfigurationError, WesConnectionError

pytestmark = pytest.mark.wes(tls=False)  # the proxy reads what it forwards, and TLS stands in front of the emulator

VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
READ = OPERATIONS["list_coupon_files"]


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


PROXIES = {
    "none": ({}, None),
    "of the scheme": ({"https_proxy": "http://p:1"}, "http://p:1"),
    "of another scheme": ({"http_proxy": "http://p:1"}, None),
    "of all": ({"all_proxy": "http://p:1"}, "http://p:1"),
    "in capitals": ({"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
    "without a scheme": ({"https_proxy": "p:1"}, "http://p:1"),
    "with a password": ({"https_proxy": "http://u:p%40ss@p:1"}, "http://u:p%40ss@p:1"),
    "with a username alone": ({"https_proxy": "http://u@p:1"}, "http://u:@p:1"),
    "with a path": ({"https_proxy": "http://p:1/"}, "http://p:1"),
    "over TLS": ({"https_proxy": "https://p:1"}, "https://p:1"),
    "empty": ({"https_proxy": ""}, None),
}


@pytest.mark.parametrize(("environment", "proxy"), PROXIES.values(), ids=PROXIES)
def test_the_proxy_of_the_environment(environment: dict[str, str], proxy: str | None, monkeypatch: pytest.MonkeyPatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_for("https://api-01.example.com:8443/base") == proxy


NO_PROXY = [
    ("*", "https://api.example.com", True),
    ("api.example.com", "https://api.example.com", True),
    ("example.com", "https://api.example.com", True),
    (".example.com", "https://api.example.com", True),
    ("*.example.com", "https://api.example.com", True),
    ("API.Example.com", "https://api.example.com", True),
    ("ample.com", "https://api.example.com", False),
    ("other, api.example.com:443", "https://api.example.com", True),
    ("api.example.com:8443", "https://api.example.com", False),
    ("api.example.com:8443", "https://api.example.com:8443", True),
    ("10.0.0.0/8", "https://10.1.2.3", True),
    ("10.0.0.1/8", "https://10.1.2.3", True),
    ("10.0.0.0/8", "https://11.1.2.3", False),
    ("10.0.0.0/8", "https://api.example.com", False),
    ("10.1.2.3", "https://10.1.2.3:8443", True),
    ("fd00::/8", "https://[fd00::1]", True),
    ("[::1]", "https://[::1]:8443", True),
    ("::1", "https://[::1]", True),
    ("api.example.com:²", "https://api.example.com", False),
    ("10.0.0.0/99", "https://10.1.2.3", False),
    ("", "https://api.example.com", False),
]


@pytest.mark.parametrize(("no_proxy", "url", "excluded"), NO_PROXY)
def test_hosts_that_need_no_proxy(no_proxy: str, url: str, excluded: bool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("https_proxy", "http://p:1")
    monkeypatch.setenv("no_proxy", no_proxy)
    assert proxy_for(url) == (None if excluded else "http://p:1")


UNUSABLE = {
    "password with a slash": ("http://user:top/secret@proxy:3128", "not the address of a proxy"),
    "password with a question mark": ("http://user:12?secret@proxy:3128", "not the address of a proxy"),
    "password with a number sign": ("http://user:12#secret@proxy:3128", "not the address of a proxy"),
    "password with a slash after digits": ("http://user:12/secret@proxy:3128", "not the address of a proxy"),
    "password that is not Latin-1": ("http://user:secret%E2%82%AC@proxy", "not the address of a proxy"),
    "password without a username": ("http://:secret@proxy", "not the address of a proxy"),
    "username with a colon": ("http://user%3Atop:secret@proxy", "not the address of a proxy"),
    "two dots": ("http://user:secret@proxy..example.com", "not the address of a proxy"),
    "port": ("http://proxy:topsecret", "not the address of a proxy"),
    "host": ("http://:3128", "not the address of a proxy"),
    "bracket": ("http://user:topsecret@[proxy", "not the address of a proxy"),
    "white space": ("http://user:top secret@proxy", "not the address of a proxy"),
    "SOCKS": ("socks5h://user:topsecret@proxy:1080", "is a 'socks5h' proxy; http and https are supported"),
    "another scheme": ("ftp://proxy", "is a 'ftp' proxy; http and https are supported"),
}


@pytest.mark.parametrize(("proxy", "message"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_proxy_that_cannot_be_used_is_one_clear_error(
    driver: Driver, wes_emulator: Emulator, proxy: str, message: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(WesConfigurationError, match=message) as raised:
        driver(READ)
    assert "http_proxy" in str(raised.value)
    assert "secret" not in str(raised.value)
    assert wes_emulator.requests == []


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    with Proxy().serving() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("//", "//user:p%40ss@"))
        yield proxy


@pytest.mark.parametrize(("no_proxy", "requests"), [("", 1), ("10.0.0.0/8", 1), ("127.0.0.0/8", 0), ("127.0.0.1", 0)])
def test_a_request_takes_the_proxy(
    driver: Driver, wes_emulator: Emulator, proxy: Proxy, no_proxy: str, requests: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("no_proxy", no_proxy)
    assert driver(READ) == []
    assert len(proxy.requests) == requests
    assert len(wes_emulator.requests) == 1


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture
def tls(driver: Driver, wes_emulator: Emulator, certificate: Path) -> Iterator[None]:
    with tls_in_front_of(wes_emulator.url, certificate) as url:
        driver.settings = replace(driver.settings, base_url=url, max_attempts=1)
        yield


@pytest.mark.usefixtures("tls")
@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", None])
def test_a_bundle_is_trusted(driver: Driver, certificate: Path, variable: str | None, monkeypatch: pytest.MonkeyPatch):
    if variable:
        monkeypatch.setenv(variable, str(certificate))
    else:
        driver.settings = replace(driver.settings, verify=str(certificate))
    assert driver(READ) == []


@pytest.mark.usefixtures("tls")
def test_only_its_own_credentials_go_to_the_proxy(
    driver: Driver, proxy: Proxy, certificate: Path, monkeypatch: pytest.MonkeyPatch
):
    driver.settings = replace(driver.settings, verify=str(certificate))
    for credentials in ("", "user:p%40ss@"):
        monkeypatch.setenv("https_proxy", proxy.url.replace("//", f"//{credentials}"))
        assert driver(READ) == []
    without, with_credentials = proxy.headers
    assert "Authorization" not in without
    assert "Proxy-Authorization: Basic dXNlcjpwQHNz" in with_credentials
    for headers in proxy.headers:
        assert driver.settings.workspace_header not in headers


def test_a_proxy_has_the_time_to_connect_for_its_tunnel(driver: Driver, monkeypatch: pytest.MonkeyPatch):
    driver.settings = replace(
        driver.settings, base_url="https://localhost:1", connect_timeout=0.3, read_timeout=20, max_attempts=1
    )
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{silent.getsockname()[1]}")
        start = time.monotonic()
        with pytest.raises(WesConnectionError):
            driver(READ)
        assert time.monotonic() - start < 10


def test_the_certificate_of_a_proxy_is_checked_for_plain_http_too(
    driver: Driver, proxy: Proxy, certificate: Path, monkeypatch: pytest.MonkeyPatch
):
    driver.settings = replace(driver.settings, max_attempts=1)
    with tls_in_front_of(proxy.url, certificate) as url:
        monkeypatch.setenv("http_proxy", url)
        with pytest.raises(WesConnectionError, match="certificate"):
            driver(READ)
    assert proxy.requests == []


@pytest.mark.usefixtures("tls")
def test_no_certificate_is_checked_if_the_connection_wants_that(driver: Driver):
    driver.settings = replace(driver.settings, verify=False)
    with pytest.warns() if driver.name == "requests" else _nothing():
        assert driver(READ) == []


def _nothing() -> Path:
    return Path(os.devnull).open()  # type: ignore[return-value]  # a context manager


@pytest.mark.usefixtures("tls")
def test_an_unknown_certificate_is_refused(driver: Driver, wes_emulator: Emulator):
    with pytest.raises(WesConnectionError, match="certificate"):
        driver(READ)
    assert wes_emulator.requests == []


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", None])
@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_bundle_that_cannot_be_read_is_one_clear_error(
    driver: Driver, tmp_path: Path, variable: str | None, content: str | None, monkeypatch: pytest.MonkeyPatch
):
    bundle = tmp_path / "bundle.pem"
    if content:
        bundle.write_text(content)
    if variable:
        monkeypatch.setenv(variable, str(bundle))
    else:
        driver.settings = replace(driver.settings, verify=str(bundle))
    with pytest.raises(WesConfigurationError, match=r"CA bundle .* cannot be used"):
        driver(READ)
