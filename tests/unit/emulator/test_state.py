"""The state file: what an emulator knows outlives its process, however that ends."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from support.serving import serving
from support.wire import Session
from wes_provider.emulator import Emulator

CATALOG = {"name": "c", "price_currency": "EUR", "attributes": []}


def everything(emulator: Any) -> Any:
    """All that is kept."""
    return [emulator.files("list-1"), emulator.files("list-2"), emulator.catalogs, emulator.segments]


def test_state_survives_kill_9(tmp_path: Path) -> None:
    """It loses no accepted request, and continues from there."""
    (tmp_path / "first.csv").write_text("A\nB\n")
    (tmp_path / "second.csv").write_text("B\nC\n")
    options = ["--state", str(tmp_path / "state.db"), "--host-folder", str(tmp_path)]
    with serving(*options) as (process, emulator), Session(emulator) as session:
        done = session.upload(f"{emulator.files_url}/first.csv")
        emulator.clock.advance(100)
        assert session.fetch(done)["coupons_added"] == 2
        emulator.script(list_id="list-2", outcome="never")
        session.upload(list_id="list-2", name="stuck")
        session.post("/v1/catalog", json=CATALOG)
        with Session(emulator, emulator.data_api_key) as data_session:
            data_session.patch("/v3/custom-segments/7", json={"name": "s"})
        emulator.clock.advance(100)  # beyond the time that changes what is shown
        before, now = everything(emulator), emulator.clock.now()
        process.kill()
        assert process.wait() == -signal.SIGKILL
    with serving(*options) as (_, emulator), Session(emulator) as session:
        assert everything(emulator) == before
        assert emulator.clock.now() >= now
        assert session.post("/v1/catalog", json=CATALOG).status_code == 409
        again = session.upload(f"{emulator.files_url}/second.csv")
        emulator.clock.advance(100)
        record = session.fetch(again)
        assert (record["coupons_added"], record["coupons_duplicate"]) == (1, 1)
        assert [file["_id"] for file in emulator.files("list-1")] == [done["_id"], again["_id"]]


def test_file_on_its_way_is_fetched_after_the_restart(tmp_path: Path) -> None:
    state = tmp_path / "state.db"
    (tmp_path / "c.csv").write_text("A\n")
    with Emulator(host_folder=tmp_path) as host:
        with serving("--state", str(state)) as (process, emulator):
            emulator.script(outcome="never")
            with Session(emulator) as session:
                file = session.upload(f"{host.files_url}/c.csv")
                credentials = {"file_url_auth_username": "u", "file_url_auth_password": "s3cret"}
                with_credentials = session.upload(host.host("d.csv", b"D\n", "u", "s3cret"), **credentials)
            process.kill()
        with Emulator(state=state) as emulator_again, Session(emulator_again) as session:
            emulator_again.script(processing_time=0)
            assert session.fetch(file)["coupons_added"] == 1
            assert session.fetch(with_credentials)["coupons_added"] == 1
    assert b"s3cret" not in state.read_bytes()  # forgotten once it was used


def test_limits_hold_across_a_restart(tmp_path: Path) -> None:
    state = tmp_path / "state.db"
    with Emulator(state=state, speed=0) as emulator, Session(emulator) as session:
        for _ in range(4):
            session.upload()
    with Emulator(state=state, speed=0) as emulator, Session(emulator) as session:
        session.upload()
        assert session.post("/v1/coupon-list/list-1/files", json={"file_url": "http://a.example/"}).status_code == 429


def test_file_of_another_kind_is_refused_and_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"a": "b" * 1000}))
    with pytest.raises(ValueError, match=r"other\.json cannot be used"):
        Emulator(state=other).start()
    assert json.loads(other.read_text()) == {"a": "b" * 1000}
