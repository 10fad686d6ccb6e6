"""Long lists."""

from __future__ import annotations

import time
from pathlib import Path

from support.wire import Session
from wes_provider.emulator import Emulator

# -- pages ------------------------------------------------------------------------------------------


# -- long lists ---------------------------------------------------------------------------------------


def test_a_list_of_fifty_thousand_files_is_listed(wes_emulator: Emulator, session: Session) -> None:
    """Seeding and listing take seconds."""
    start = time.monotonic()
    wes_emulator.seed_files("long", 50_000)
    files = session.get("/v1/coupon-list/long/files").json()
    assert time.monotonic() - start < 30
    assert len({file["_id"] for file in files}) == 50_000
    assert [file["name"] for file in files[:1] + files[-1:]] == ["seeded-000001.csv", "seeded-050000.csv"]
    assert {file["status"] for file in files} == {"SUCCESS"}


def test_seeded_files_are_in_the_state_file(tmp_path: Path) -> None:
    with Emulator(state=tmp_path / "state.db") as emulator:
        emulator.seed_files("list-1", 2000)
        before = emulator.files("list-1")
    with Emulator(state=tmp_path / "state.db") as emulator:
        assert emulator.files("list-1") == before
