"""
The fixture ``wes_emulator``, which pytest finds by itself once the provider is installed.

Every pytest run loads this module, so it imports nothing until a test asks for the fixture.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from wes_provider.emulator import Emulator


@pytest.fixture(scope="session")
def _running_wes_emulator() -> Iterator[Emulator]:
    from wes_provider.emulator import Emulator

    with Emulator() as emulator:
        yield emulator


@pytest.fixture
def wes_emulator(_running_wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Emulator:
    """
    The service on this machine, empty; the connection ``wes_default`` leads to it.

    One emulator serves all tests of a session, and is reset for each.
    """
    _running_wes_emulator.reset()
    for name, value in _running_wes_emulator.connection_env().items():
        monkeypatch.setenv(name, value)
    return _running_wes_emulator
