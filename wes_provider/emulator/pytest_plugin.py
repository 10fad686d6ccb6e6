"""
The fixture ``wes_emulator`` and its marker ``wes``, which pytest finds as soon as the provider is installed.

Every pytest run loads this module, so it imports nothing until a test asks for the fixture.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from wes_provider.emulator import Emulator


@pytest.fixture(scope="session")
def _running_wes_emulator() -> Iterator[Emulator]:
    from wes_provider.emulator import Emulator

    with Emulator(tls=os.environ.get("WES_EMULATOR_TLS") == "1") as emulator:
        yield emulator


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers",
        "wes(seed=None, profile=None, **settings): how the fixture wes_emulator starts: a seed and a profile (files, or"
        " what they hold), and settings such as limits",
    )


@pytest.fixture
def wes_emulator(
    _running_wes_emulator: Emulator, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Emulator:
    """
    The service on this machine, empty unless the marker ``wes`` has a seed; ``wes_default`` leads to it.

    One emulator serves all tests of a session, and is reset for each.
    """
    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("wes"))):  # the nearest one wins
        options.update(marker.kwargs)
    _running_wes_emulator.forget_snapshots()
    _running_wes_emulator.reset(options.pop("seed", None))
    if options:
        _running_wes_emulator.configure(**options)
    for name, value in _running_wes_emulator.connection_env().items():
        monkeypatch.setenv(name, value)
    return _running_wes_emulator
