"""Fixtures of the unit tier."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import aiohttp
    from pytest_mock import MockerFixture


@pytest.fixture
def logged(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Callable[[], str]:
    """What tasks have logged since the last call: Airflow 3 writes it to the standard output."""

    def logged() -> str:
        text = capsys.readouterr().out + caplog.text
        caplog.clear()
        return text

    return logged


@pytest.fixture
def sessions_of_polls(mocker: MockerFixture) -> list[aiohttp.ClientSession]:
    """The sessions that waits and watches open from now on."""
    import aiohttp

    opened: list[aiohttp.ClientSession] = []
    open_session = aiohttp.ClientSession

    def note(**arguments: Any) -> aiohttp.ClientSession:
        session = open_session(**arguments)
        # Those of the emulator are of a thread of its own.
        if threading.current_thread() is threading.main_thread():
            opened.append(session)
        return session

    mocker.patch("aiohttp.ClientSession", note)
    return opened
