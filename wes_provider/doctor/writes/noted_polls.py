"""Polls of a wait whose responses are noted, with the headers that a wait does not keep."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from wes_provider.client.polls import PollClient
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.settings import WesSettings
from wes_provider.waits.decision import CouponFileWait, Outcome
from wes_provider.waits.loop import wait_for_files

__all__ = ["OnResponse", "wait_and_note"]

CONN_ID: Final = "wes-doctor"
OnResponse = Callable[[Request, Response], object]
Result = TypeVar("Result")


class _NotedPolls(PollClient):
    """Polls as each wait sends them."""

    on_response: OnResponse | None = None

    async def _read(
        self,
        request_of: Callable[[WesSettings], Request],
        read: Callable[[Request, Response], Result],
    ) -> Result:
        def note_and_read(request: Request, response: Response) -> Result:
            if self.on_response is not None:
                self.on_response(request, response)
            return read(request, response)

        return await super()._read(request_of, note_and_read)


def wait_and_note(wait: CouponFileWait, settings: WesSettings, on_response: OnResponse) -> Outcome:
    """
    Wait for a file as a task does.

    :param on_response: called with each poll that got a response.
    """
    outcomes = asyncio.run(_wait(wait, settings, on_response))
    (outcome,) = outcomes.values()
    return outcome


async def _wait(
    wait: CouponFileWait, settings: WesSettings, on_response: OnResponse
) -> dict[str, Outcome]:
    async def read_settings() -> WesSettings:
        return settings

    # The wait takes the client that its connection has already, and is its only user.
    client = _NotedPolls.join(CONN_ID, read_settings, users=0)
    if isinstance(client, _NotedPolls):
        client.on_response = on_response
    return await wait_for_files(CONN_ID, [wait], read_settings)
