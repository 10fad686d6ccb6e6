"""Names and URLs that the service rewrites, listings in pages, and very long listings."""

from __future__ import annotations

import json
import time
from pathlib import Path

from support.wire import Session
from wes_provider.emulator import Emulator

# -- pages ------------------------------------------------------------------------------------------


# -- long lists ---------------------------------------------------------------------------------------


def test_a_list_of_a_hundred_thousand_files_is_a_stream(wes_emulator: Emulator, session: Session) -> None:
    """Seeding and listing take seconds at most, and other requests are served while the listing is sent."""
    start = time.monotonic()
    wes_emulator.seed_files("long", 100_000, name="night-{:06d}.csv")
    seeded = time.monotonic()
    with session.get("/v1/coupon-list/long/files", stream=True) as response:
        assert "Content-Length" not in response.headers
        pieces = response.iter_content(65536)
        first = next(pieces)
        assert session.get("/v1/coupon-list/other/files").json() == []
        files = json.loads(b"".join((first, *pieces)))
    print(f"seeded in {seeded - start:.1f} s, listed in {time.monotonic() - seeded:.1f} s")
    assert time.monotonic() - start < 60
    assert len(files) == 100_000
    assert len({file["_id"] for file in files}) == 100_000
    assert [file["name"] for file in files[:1] + files[-1:]] == ["night-000001.csv", "night-100000.csv"]
    assert {file["status"] for file in files} == {"SUCCESS"}
    assert files[0]["file_url"] == "https://files.example.com/night-000001.csv"


def test_seeded_files_are_in_the_state_file(tmp_path: Path) -> None:
    with Emulator(state=tmp_path / "state.db") as emulator:
        emulator.seed_files("list-1", 2000)
        before = emulator.files("list-1")
    with Emulator(state=tmp_path / "state.db") as emulator:
        assert emulator.files("list-1") == before
