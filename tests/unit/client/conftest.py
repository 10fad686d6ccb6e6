"""Servers, proxies and certificates for the tests of both clients."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from support.servers import HostileServer, Proxy
from wes_provider.client.polls import PollClient
from wes_provider.client.requests import get_coupon_file
from wes_provider.client.responses import coupon_file
from wes_provider.client.sync import WesClient
from wes_provider.emulator.tls import Certificates
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

Read = Callable[[WesSettings], CouponFile]


def forget_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have neither a proxy nor a CA bundle in the environment."""
    for name in (
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "no_proxy",
        "requests_ca_bundle",
        "curl_ca_bundle",
    ):
        for spelled in (name, name.upper()):
            if spelled in os.environ:
                monkeypatch.delenv(spelled)


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_environment(monkeypatch)


@pytest.fixture
def slept(mocker: MockerFixture) -> list[float]:
    """How long requests have waited for their next attempts, which they do not do."""
    pauses: list[float] = []
    mocker.patch("tenacity.nap.time.sleep", pauses.append)
    return pauses


def read_sync(settings: WesSettings) -> CouponFile:
    client = WesClient(settings)
    try:
        return client.run(get_coupon_file(settings, "summer", "f1"), coupon_file)
    finally:
        client.close()


def read_polling(settings: WesSettings) -> CouponFile:
    async def poll() -> CouponFile:
        async def read_settings() -> WesSettings:
            return settings

        client = PollClient.join("wes_default", read_settings)
        try:
            return await client.poll("summer", "f1")
        finally:
            await client.leave()

    return asyncio.run(poll())


@pytest.fixture(params=[read_sync, read_polling], ids=["requests", "aiohttp"])
def read(request: pytest.FixtureRequest, slept: list[float]) -> Any:
    """Reads the coupon file ``f1`` of the list ``summer``, by either client."""
    return request.param


@pytest.fixture
def server() -> Iterator[HostileServer]:
    with HostileServer().serving() as server:
        yield server


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    """The one of the environment."""
    with Proxy().serving() as proxy:
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, proxy.url.replace("//", "//user:s3cret%40@"))
        yield proxy


@pytest.fixture(scope="session")
def certificate() -> Iterator[Certificates]:
    certificates = Certificates()
    yield certificates
    certificates.close()
