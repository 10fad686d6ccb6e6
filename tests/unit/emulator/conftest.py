"""Callers of the emulator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.wire import Session
from wes_provider.emulator import Emulator


@pytest.fixture
def session(wes_emulator: Emulator) -> Iterator[Session]:
    """A caller with the key of coupons and catalogs."""
    with Session(wes_emulator) as session:
        yield session
