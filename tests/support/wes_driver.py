"""Both drivers behind one face, so that every test of requests runs through both."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from wes_provider.client.async_client import AsyncWesClient
from wes_provider.client.operations import Operation, Operations
from wes_provider.client.settings import WesSettings
from wes_provider.client.sync_client import WesClient


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
    def operations(self) -> Operations:
        return Operations(self.settings)

    def __call__(self, make: Callable[[Operations], Operation[Any]], *, times: int = 1) -> Any:
        """The result of the last of ``times`` calls over one client."""
        operation = make(self.operations)
        if self.name == "requests":
            client = WesClient(self.settings, sleep=self.slept.append)
            try:
                return [client.run(operation) for _ in range(times)][-1]
            finally:
                client.close()
        return asyncio.run(self._call(operation, times))

    async def _call(self, operation: Operation[Any], times: int) -> Any:
        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)

        async with AsyncWesClient(self.settings, sleep=sleep) as client:
            return [await client.run(operation) for _ in range(times)][-1]
