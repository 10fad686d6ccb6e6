"""What is sent again and what is not, against a listening server."""

from __future__ import annotations

import contextlib
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from support.wes_driver import Driver
from unit.client.test_operations import OPERATIONS
from wes_provider import exceptions
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesConnectionError, WesResponseError, WesUnknownOutcomeError

ATTEMPTS = 3


@pytest.fixture(autouse=True)
def _quick(driver: Driver) -> None:
    driver.settings = replace(driver.settings, max_attempts=ATTEMPTS, read_timeout=0.5, connect_timeout=2)


def test_a_catalog_is_created_again_since_names_are_unique(driver: Driver, wes_emulator: Emulator):
    wes_emulator.fail("create_catalog", faults.reply_lost(effect=False))
    driver(OPERATIONS["create_catalog"])
    assert len(wes_emulator.requests) == 2
    assert len(wes_emulator.catalogs) == 1


@pytest.mark.parametrize("operation", OPERATIONS)
def test_another_5xx_is_not_repeated(driver: Driver, wes_emulator: Emulator, operation: str):
    wes_emulator.fail(operation, faults.error(501), times=None)
    with pytest.raises(exceptions.WesError):
        driver(OPERATIONS[operation])
    assert len(wes_emulator.requests) == 1


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(driver: Driver, wes_emulator: Emulator, operation: str, status: int):
    with Emulator() as elsewhere:
        wes_emulator.fail(operation, faults.redirect(f"{elsewhere.url}/x?token=topsecret", status=status), times=None)
        with pytest.raises((WesResponseError, WesUnknownOutcomeError)) as raised:
            driver(OPERATIONS[operation])
        assert elsewhere.requests == []
    assert raised.value.status_code == status  # type: ignore[attr-defined]
    # A gateway may have passed the upload on before it redirected.
    assert isinstance(raised.value, WesUnknownOutcomeError) == (operation == "upload_coupon_file")
    assert raised.value.permanent
    assert "topsecret" not in str(raised.value)
    assert len(wes_emulator.requests) == 1


def test_every_method_is_sent_again_after_a_429(driver: Driver, wes_emulator: Emulator):
    for number, operation in enumerate(("upload_coupon_file", "create_catalog", "update_segment"), 1):
        wes_emulator.fail(operation, faults.rate_limited())
        driver(OPERATIONS[operation])
        assert len(wes_emulator.requests) == 2 * number
    assert len(wes_emulator.files("list-1")) == 1


def test_429_then_500_then_success_is_three_requests(driver: Driver, wes_emulator: Emulator):
    wes_emulator.fail("update_segment", faults.rate_limited())
    wes_emulator.fail("update_segment", faults.error(500))
    driver(OPERATIONS["update_segment"])
    assert [request.status for request in wes_emulator.requests] == [429, 500, 200]


def test_one_connection_serves_many_calls(driver: Driver, wes_emulator: Emulator):
    before = wes_emulator.counts.get("connections", 0)
    driver(OPERATIONS["list_coupon_files"], times=20)
    assert len(wes_emulator.requests) == 20
    assert wes_emulator.counts.get("connections", 0) - before == 1


# -- never reached: nothing of the request was sent, so it is sent again whatever it is -------------------


@contextlib.contextmanager
def full_backlog() -> Iterator[int]:
    """A port that does not answer: its queue of connections is full."""
    with socket.socket() as listener, contextlib.ExitStack() as stack:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(8):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@contextlib.contextmanager
def closed_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield listener.getsockname()[1]


@contextlib.contextmanager
def untrusted_certificate(folder: Path) -> Iterator[int]:
    """A TLS server whose certificate nobody has signed."""
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem"
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as tls:
                        tls.recv(1)

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def assert_never_reached(driver: Driver, base_url: str) -> str:
    driver.settings = replace(driver.settings, base_url=base_url, connect_timeout=0.3, read_timeout=30)
    with pytest.raises(WesConnectionError, match=r"^the service was not reached at ") as raised:
        driver(OPERATIONS["upload_coupon_file"])
    assert len(driver.slept) == ATTEMPTS - 1
    assert not raised.value.permanent
    for secret in (*driver.settings.secrets, "topsecret"):
        assert secret not in str(raised.value)
    return str(raised.value)


def test_a_refused_connection(driver: Driver):
    with closed_port() as port:
        assert "[Errno 111]" in assert_never_reached(driver, f"http://127.0.0.1:{port}")


def test_a_host_that_is_not_known(driver: Driver):
    assert_never_reached(driver, "http://wes.invalid")


def test_a_connect_timeout(driver: Driver):
    with full_backlog() as port:
        assert_never_reached(driver, f"http://127.0.0.1:{port}")


def test_tls_to_a_server_without_it(driver: Driver):
    with Emulator() as emulator:  # also if the fixture's emulator speaks TLS
        assert_never_reached(driver, emulator.url.replace("http:", "https:"))
        assert emulator.requests == []


def test_an_untrusted_certificate(driver: Driver, tmp_path: Path):
    with untrusted_certificate(tmp_path) as port:
        assert "certificate" in assert_never_reached(driver, f"https://localhost:{port}")
