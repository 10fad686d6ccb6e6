"""Several workspaces, several keys, and callbacks that come twice, late, never, or from somebody else."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from support.emulator_calls import Caller, basic, right_headers
from support.wire import Session
from wes_provider.emulator import Emulator

OTHER = {"other": {"api_key": "k2", "data_api_key": "d2"}}


def headers(workspace: str, key: str) -> Any:
    made = right_headers()
    made["SVC-APPKEY"] = workspace
    made["Authorization"] = basic(workspace, key)
    return made


@pytest.mark.parametrize(
    ("workspace", "key", "status"),
    [
        ("emulated-workspace", "emulated-campaign-key", 200),
        ("emulated-workspace", "k2", 401),
        ("other", "k2", 200),
        ("other", "d2", 401),
        ("nobody", "k2", 401),
    ],
)
def test_keys_belong_to_their_workspace(workspace: str, key: str, status: int) -> None:
    caller = Caller(workspaces=OTHER)
    assert caller.send("GET", "/v1/coupon-list/l/files", headers=headers(workspace, key)).status == status


def test_workspaces_share_nothing() -> None:
    caller = Caller(workspaces=OTHER)
    theirs = headers("other", "k2")
    path, body = "/v1/coupon-list/list-1/files", {"file_url": "https://x.example/c"}
    for _ in range(5):
        caller.upload()
        assert caller.send("POST", path, body, headers=theirs).status == 201
    assert caller.send("POST", path, body, headers=theirs).status == 429
    file = json.loads(caller.list().body)[0]
    assert caller.send("GET", f"{path}/{file['_id']}", headers=theirs).status == 404
    assert caller.create_catalog().status == 201
    catalog = {"name": "summer", "price_currency": "EUR", "attributes": []}
    assert caller.send("POST", "/v1/catalog", catalog, headers=theirs).status == 201
    assert caller.update_segment("7").status == 200
    segment = {"name": "Lisbon"}
    assert caller.send("PATCH", "/v3/custom-segments/8", segment, headers=headers("other", "d2")).status == 200
    assert len(caller.service.files("list-1")) == len(caller.service.files("list-1", "other")) == 5


def test_connection_of_another_workspace(wes_emulator: Emulator) -> None:
    wes_emulator.configure(workspaces=OTHER)
    connection = wes_emulator.connection(workspace="other")
    assert (connection["login"], connection["password"], connection["extra"]["data_api_key"]) == ("other", "k2", "d2")
    with pytest.raises(ValueError, match="there is no workspace 'third'"):
        wes_emulator.connection(workspace="third")


# -- callbacks ---------------------------------------------------------------------------------------


class Receiver(ThreadingHTTPServer):
    """Receives callbacks."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.bodies: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/called"

    def wait_for(self, number: int) -> list[dict[str, Any]]:
        for _ in range(500):
            if len(self.bodies) >= number:
                break
            time.sleep(0.02)
        time.sleep(0.1)  # one too many would come now
        return self.bodies


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(json.loads(body))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_callbacks_can_repeat(wes_emulator: Emulator, session: Session, receiver: Receiver) -> None:
    wes_emulator.configure(callback_repeats=2, processing_time=0)
    session.upload(wes_emulator.host("c.csv", b"A\n"), callback_url=receiver.url)
    assert [body["status"] for body in receiver.wait_for(3)] == ["SUCCESS"] * 3


def test_callbacks_can_be_late(wes_emulator: Emulator, session: Session, receiver: Receiver) -> None:
    wes_emulator.configure(callback_delay=600, processing_time=0)
    file = session.upload(wes_emulator.host("c.csv", b"A\n"), callback_url=receiver.url)
    assert session.fetch(file)["status"] == "SUCCESS"
    wes_emulator.clock.advance(590)
    assert receiver.wait_for(0) == []
    wes_emulator.clock.advance(20)
    assert len(receiver.wait_for(1)) == 1


def test_callbacks_can_get_lost(wes_emulator: Emulator, session: Session, receiver: Receiver) -> None:
    wes_emulator.configure(callback_loss=1, processing_time=0)
    file = session.upload(wes_emulator.host("c.csv", b"A\n"), callback_url=receiver.url)
    assert session.fetch(file)["status"] == "SUCCESS"
    assert receiver.wait_for(0) == []
    assert wes_emulator.callbacks == [{"coupon_file_id": file["_id"], "host": "127.0.0.1", "outcome": "lost"}]


def test_callbacks_can_be_forged(wes_emulator: Emulator, session: Session, receiver: Receiver) -> None:
    wes_emulator.script(outcome="never")
    file = session.upload(callback_url=receiver.url)
    wes_emulator.forge_callback(file["_id"], status="SUCCESS", coupons_added=1000)
    (body,) = receiver.wait_for(1)
    assert (body["_id"], body["status"], body["coupons_added"]) == (file["_id"], "SUCCESS", 1000)
    assert session.fetch(file)["status"] == "PENDING"
    assert wes_emulator.callbacks[0]["forged"] is True
    with pytest.raises(ValueError, match="there is no coupon file 'x' that has a callback_url"):
        wes_emulator.forge_callback("x")
