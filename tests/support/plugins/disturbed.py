"""
Has a triggerer live through failures of name resolution, as a control file says.

For tests: a DAG file calls :func:`disturb` before its tasks. ``WES_TEST_DISTURBANCE`` is the path
of the control file, JSON with ``no_dns``. The host :data:`HOST` is this machine.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from wes_provider import triggers

HOST = "wes.example"

_getaddrinfo = socket.getaddrinfo


def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
    if host != HOST:
        return _getaddrinfo(host, *args, **kwargs)
    if json.loads(Path(os.environ["WES_TEST_DISTURBANCE"]).read_text()).get("no_dns"):
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    return _getaddrinfo("127.0.0.1", *args, **kwargs)


class DisturbedTrigger(triggers.WesCouponFileTrigger):
    """The trigger, in a process whose names may not resolve."""

    async def run(self) -> AsyncIterator[Any]:
        socket.getaddrinfo = getaddrinfo
        async for event in super().run():
            yield event


def disturb() -> None:
    """Have tasks of this process defer to the disturbed trigger, and find :data:`HOST`."""
    socket.getaddrinfo = getaddrinfo
    triggers.WesCouponFileTrigger = DisturbedTrigger  # type: ignore[misc]
