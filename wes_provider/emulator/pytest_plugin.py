"""
The fixture ``wes_emulator`` and its marker ``wes``, which pytest finds as soon as the provider is
installed.

Every pytest run loads this module, so it imports nothing until a test asks for the fixture.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from wes_provider.emulator import Emulator


@pytest.fixture(scope="session")
def _running_wes_emulators() -> Iterator[Callable[[bool], Emulator]]:
    """One emulator with TLS and one without, each started when it is first used."""
    from wes_provider.emulator import Emulator

    with ExitStack() as running:
        yield cache(lambda tls: running.enter_context(Emulator(tls=tls)))


@pytest.fixture(scope="session")
def _running_wes_emulator(_running_wes_emulators: Callable[[bool], Emulator]) -> Emulator:
    return _running_wes_emulators(os.environ.get("WES_EMULATOR_TLS") == "1")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    text = "wes(seed=None, profile=None, tls=None, **settings): how the fixture wes_emulator starts"
    config.addinivalue_line(
        "markers", f"{text}: a seed, a profile (files, or what they hold), TLS, any setting"
    )


@pytest.fixture
def wes_emulator(
    _running_wes_emulators: Callable[[bool], Emulator],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Emulator:
    """
    Return the service on this machine, empty unless the marker ``wes`` has a seed; ``wes_default``
    leads to it.

    One emulator serves all tests of a session, and is reset for each; with the marker's ``tls``,
    there may be two.
    """
    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers("wes"))):  # the nearest one wins
        options.update(marker.kwargs)
    tls = options.pop("tls", os.environ.get("WES_EMULATOR_TLS") == "1")
    emulator = _running_wes_emulators(tls)
    emulator.forget_snapshots()
    emulator.reset(options.pop("seed", None))
    if options:
        emulator.configure(**options)
    for name, value in emulator.connection_env().items():
        monkeypatch.setenv(name, value)
    return emulator
