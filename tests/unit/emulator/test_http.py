"""
The service over real sockets: what HTTP adds to the rules, the fetching of coupon files, callbacks,
hosting.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import requests

from support.servers import Reply, replying
from support.wire import Session, raw_get
from unit.emulator.conftest import CATALOG, FILES
from wes_provider.emulator import Emulator


@pytest.fixture
def host() -> Iterator[Any]:
    """A host of coupon files that is not the emulator's, and a receiver of callbacks."""
    host: Any = SimpleNamespace(fetched=[], called=[], bodies=[], released=threading.Event())

    def reply(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        if method == "POST":
            host.called.append((path, json.loads(host.bodies.pop())))
            return Reply(204)
        host.fetched.append(path)
        if path.startswith("/stalled"):
            host.released.wait(60)
        return (
            Reply(302, b"", {"Location": "/file.csv"})
            if path.startswith("/moved")
            else Reply(200, b"A\nB\n")
        )

    with replying(reply, host.bodies.append) as host.url:
        yield host
        host.released.set()


def done(emulator: Emulator, session: Session, file: dict[str, Any]) -> Any:
    """The file, after its time."""
    emulator.clock.advance(10)
    return session.fetch(file)


def eventually(condition: Any) -> Any:
    """What it gives once that is true; the test's own timeout ends a hopeless one."""
    while not (value := condition()):
        time.sleep(0.01)
    return value


# -- HTTP ------------------------------------------------------------------------------------------


def test_answers_carry_the_services_date(wes_emulator: Emulator, session: Session) -> None:
    wes_emulator.clock.speed = 0
    wes_emulator.clock.advance(86400 * 365)
    for path in (FILES, "/nope"):
        (date,) = session.get(path).raw.headers.getlist("Date")
        assert parsedate_to_datetime(date).timestamp() == int(wes_emulator.clock.now())


def test_path_and_body_are_seen_as_they_are_on_the_wire_up_to_5_mb(
    wes_emulator: Emulator, session: Session
) -> None:
    raw_get(wes_emulator.url, "/v1/coupon-list/a%2Fb%00/../files?x=%2e")
    assert wes_emulator.requests[0].raw_path == "/v1/coupon-list/a%2Fb%00/../files?x=%2e"
    body, headers = (
        json.dumps(CATALOG).encode().ljust(5 * 1024 * 1024),
        {"Content-Type": "application/json"},
    )
    assert session.post("/v1/catalog", data=body + b" ", headers=headers).status_code == 413
    assert session.post("/v1/catalog", data=body, headers=headers).status_code == 201
    assert wes_emulator.requests[-1].body == body


def test_it_starts_again_on_its_port_and_refuses_one_that_is_taken(wes_emulator: Emulator) -> None:
    with Emulator() as emulator:
        port = int(emulator.url.rpartition(":")[2])
    again = Emulator(port=port)
    for _ in range(2):
        with again, Session(again) as session:
            assert (again.url.rpartition(":")[2], again.files("list-1")) == (str(port), [])
            session.upload()
    taken = Emulator(port=int(wes_emulator.url.rpartition(":")[2]))
    with pytest.raises(
        OSError,
        match=r"port \d+ of 127\.0\.0\.1 cannot be used: .*in use\nGive another one with --p",
    ):
        taken.start()
    with pytest.raises(RuntimeError, match="not running"):
        _ = taken.url


def test_defect_of_its_own_is_the_contracts_500(
    session: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("wes_provider.emulator.limits.window_at", None)
    response = session.post(FILES, json={"file_url": "http://a.example/x"})
    assert (response.status_code, response.json()["error"]["code"]) == (500, "unexpected-error")
    assert "defect" in caplog.text


# -- fetching --------------------------------------------------------------------------------------


def test_file_is_fetched_with_its_credentials_by_the_time_it_is_due(
    wes_emulator: Emulator, session: Session
) -> None:
    """The clock alone decides what a read shows, however slow the machine."""
    wes_emulator.clock.speed = 0
    coupons = b"coupon\n" + b"\n".join(b"%d" % i for i in range(50_000)) + b"\n7\n"
    url = wes_emulator.host("nightly café.csv", coupons, username="rédacteur", password="s:ecret")
    right = {"file_url_auth_username": "rédacteur", "file_url_auth_password": "s:ecret"}
    file = session.upload(f"{url}?signature=1", **right)
    assert (file["name"], session.fetch(file)["status"]) == ("nightly café.csv", "PENDING")
    wes_emulator.clock.advance(2)
    record = session.fetch(file)
    assert (record["status"], record["coupons_added"], record["coupons_duplicate"]) == (
        "SUCCESS",
        50_000,
        1,
    )


@pytest.mark.wes(limits=None, upload_url_bytes=1000)  # 100 MB by the contract
def test_file_that_cannot_be_had_fails_without_telling_its_url(
    wes_emulator: Emulator, session: Session
) -> None:
    url = wes_emulator.host("protected.csv", b"A\n", username="reader", password="right")
    wrong = {"file_url_auth_username": "reader", "file_url_auth_password": "other"}
    for file_url, credentials, error in (
        (url, wrong, "The file cannot be fetched: host responded 401."),
        (url, {}, "The file cannot be fetched: host responded 401."),
        (
            "http://127.0.0.1:9/c.csv?signature=s3cret",
            {},
            "The file cannot be fetched: ClientConnectorError.",
        ),
        (
            "ftp://user:s3cret@127.0.0.1/c.csv",
            {},
            "The file cannot be fetched: NonHttpUrlClientError.",
        ),
        (wes_emulator.host("most.csv", b"A" * 1000), {}, None),
        (wes_emulator.host("more.csv", b"A" * 1001), {}, "The file has more than 1000 bytes."),
    ):
        record = done(wes_emulator, session, session.upload(file_url, **credentials))
        assert (record["status"], record.get("error")) == ("FAILED" if error else "SUCCESS", error)


def test_files_of_a_list_are_fetched_and_counted_in_their_order_until_a_reset(
    wes_emulator: Emulator, session: Session, host: Any
) -> None:
    record = done(
        wes_emulator, session, session.upload(f"{host.url}/moved.csv?signature=a%2Bb%20c")
    )
    assert (record["status"], record["coupons_added"]) == ("SUCCESS", 2)
    session.upload(f"{host.url}/stalled.csv")
    eventually(lambda: "/stalled.csv" in host.fetched)
    assert host.fetched == ["/moved.csv?signature=a%2Bb%20c", "/file.csv", "/stalled.csv"]
    wes_emulator.reset()
    first, second = (
        session.upload(f"{host.url}/stalled.csv"),
        session.upload(f"{host.url}/file.csv"),
    )
    elsewhere = session.upload(f"{host.url}/file.csv", "list-2")
    # Another list does not wait.
    assert done(wes_emulator, session, elsewhere)["coupons_added"] == 2
    host.released.set()
    assert done(wes_emulator, session, second)["coupons_duplicate"] == 2
    assert done(wes_emulator, session, first)["coupons_added"] == 2


# -- callbacks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("delay", "settings", "outcomes"),
    [
        (0, {}, [204]),
        (60, {"callback_repeats": 2}, [204, 204, 204]),
        (0, {"callback_loss": 1}, ["lost"]),
    ],
    ids=["at once", "late and again", "lost"],
)
def test_callback_gets_the_record_once_processing_ends(
    wes_emulator: Emulator,
    session: Session,
    host: Any,
    delay: int,
    settings: dict[str, Any],
    outcomes: list[Any],
) -> None:
    wes_emulator.configure(callback_delay=delay, **settings)
    wes_emulator.clock.speed = 0
    file = session.upload(f"{host.url}/file.csv", callback_url=f"{host.url}/done?token=t")
    wes_emulator.clock.advance(1 + delay)
    assert session.fetch(file)["status"] == ("SUCCESS" if delay else "PROCESSING")
    assert host.called == []
    wes_emulator.clock.advance(1)
    eventually(lambda: len(wes_emulator.callbacks) == len(outcomes))
    assert host.called == [("/done?token=t", session.fetch(file))] * outcomes.count(204)
    made = {"coupon_file_id": file["_id"], "host": "127.0.0.1"}
    assert wes_emulator.callbacks == [{**made, "outcome": outcome} for outcome in outcomes]


# -- hosting ---------------------------------------------------------------------------------------


def test_folder_is_hosted_and_nothing_above_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a b.csv").write_bytes(b"A\n")
    (tmp_path / "secret.csv").write_bytes(b"S\n")
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    others = (
        "none.csv",
        "deep",
        "link.csv",
        "../secret.csv",
        "%2e%2e/secret.csv",
        f"/{tmp_path}/secret.csv",
        "%00",
    )
    with Emulator(host_folder=folder) as emulator:
        assert requests.get(emulator.host("added.csv", b"A\n"), timeout=30).content == b"A\n"
        assert (
            requests.get(f"{emulator.files_url}/deep/a%20b.csv?signature=1", timeout=30).content
            == b"A\n"
        )
        for name in others:
            assert raw_get(emulator.url, f"/_emulator/hosted/{name}") == 404, name
