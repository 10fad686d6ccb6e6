"""Both drivers behind one face, so that every test of requests runs through both."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from wes_provider.client.asynchronous import AsyncWesClient
from wes_provider.client.blocking import WesClient
from wes_provider.client.calls import Call, Calls
from wes_provider.client.settings import WesSettings
from wes_provider.emulator import Emulator


def read(connection: dict[str, Any], **changes: Any) -> WesSettings:
    """Settings of an emulator's connection, some of them changed."""
    fields = {"schema": None, "port": None, "conn_id": "wes_default", **connection}
    return replace(
        WesSettings.from_connection(SimpleNamespace(**{**fields, "extra": json.dumps(fields["extra"])})), **changes
    )


@dataclass
class Driver:
    """Runs calls, and remembers how long it would have slept instead of sleeping."""

    name: str
    settings: WesSettings
    slept: list[float] = field(default_factory=list)

    @property
    def calls(self) -> Calls:
        return Calls(self.settings)

    def __call__(self, make: Callable[[Calls], Call[Any]], *, times: int = 1) -> Any:
        """The result of the last of ``times`` calls over one client."""
        call = make(self.calls)
        if self.name == "requests":
            client = WesClient(self.settings, sleep=self.slept.append)
            try:
                return [client.call(call) for _ in range(times)][-1]
            finally:
                client.close()
        return asyncio.run(self._call(call, times))

    async def _call(self, call: Call[Any], times: int) -> Any:
        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)

        async with AsyncWesClient(self.settings, sleep=sleep) as client:
            return [await client.call(call) for _ in range(times)][-1]


@pytest.fixture(params=["requests", "aiohttp"])
def driver_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def driver(driver_name: str, wes_emulator: Emulator) -> Driver:
    """A driver whose connection leads to the emulator."""
    return Driver(driver_name, read(wes_emulator.connection()))
