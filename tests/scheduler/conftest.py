"""Fixtures for tests that start an Airflow of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from wes_provider.emulator import Emulator


@pytest.fixture(scope="module")
def service() -> Iterator[Emulator]:
    """The service of a module's tests, without limits."""
    with Emulator(limits=None) as emulator:
        yield emulator
