"""A service with a list that has files, and the command line run against it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.doctor_service import service
from wes_provider.emulator import Emulator


@pytest.fixture
def emulator(monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulator]:
    """
    The service with the contract's defaults; ``wes_default`` leads to it, and files are processed
    at once.
    """
    with service(processing_time=0) as emulator:
        for name, value in emulator.connection_env().items():
            monkeypatch.setenv(name, value)
        yield emulator
