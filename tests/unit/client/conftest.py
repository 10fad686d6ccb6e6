"""Every test of requests runs through both clients."""

from __future__ import annotations

import pytest

from support.wes_driver import Driver, read
from wes_provider.emulator import Emulator


@pytest.fixture(params=["requests", "aiohttp"])
def driver_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def driver(driver_name: str, wes_emulator: Emulator) -> Driver:
    """A driver whose connection leads to the emulator."""
    return Driver(driver_name, read(wes_emulator.connection()))
