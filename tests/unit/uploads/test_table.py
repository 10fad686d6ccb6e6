"""
Every disaster of an upload in every environment: one accepted upload, or an error of an unknown
outcome.

A cell runs the operator in attempts, as Airflow does, over real connections to the emulator. Only
Airflow's context and the death of the process are faked.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException

from support.attempts import Clock, Store, TaskInstance
from support.servers import Proxy, response
from wes_provider.client.responses import Listing
from wes_provider.emulator import Emulator
from wes_provider.hooks import WesHook
from wes_provider.operators import WesUploadCouponFileOperator
from wes_provider.uploads import loop
from wes_provider.uploads.record import RecordStore

URL = "https://files.example.com/spring.csv"


class Killed(BaseException):
    """Stands for SIGKILL: nothing of ours may catch it."""


class Cell(NamedTuple):
    disaster: str
    names: str
    record: str
    name: str
    on_duplicate: str


KILLS = ("before the intent", "after the intent", "after the request", "after the record")
FAULTS: dict[str, bytes | None] = {  # what a proxy passes on instead of the reply
    "reply lost": None,
    "5xx after the effect": response(502),
    "useless 2xx": response(200),
}
NAMES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "kept": lambda record: record,
    "cut": lambda record: {**record, "name": record["name"][:12]},
    "not shown": lambda record: {key: value for key, value in record.items() if key != "name"},
}
AXES = {
    "record": ("kept", "wiped"),
    "name": ("own name", "user's name", "user's name with run_id"),
}


class World:
    """One cell: the service as it shows names, one task instance, and its attempts."""

    def __init__(
        self, cell: Cell, number: int, emulator: Emulator, proxy: Proxy, patch: pytest.MonkeyPatch
    ) -> None:
        self.cell, self.emulator, self.proxy, self.patch = cell, emulator, proxy, patch
        self.list_id = f"list-{number}"
        self.ti = TaskInstance(task_id="t", run_id="run-1")
        read_list = WesHook.read_list

        def shown(hook: WesHook, list_id: str) -> Listing:
            records = [
                NAMES[cell.names](dict(record)) for record in read_list(hook, list_id).records
            ]
            return Listing(records)

        patch.setattr(WesHook, "read_list", shown)

    def operator(self) -> WesUploadCouponFileOperator:
        name = {
            "own name": None,
            "user's name": "Coupons.csv",
            "user's name with run_id": "Coupons-run-1.csv",
        }
        return WesUploadCouponFileOperator(
            task_id="t",
            coupon_list_id=self.list_id,
            file_url=URL,
            name=name[self.cell.name],
            on_duplicate=self.cell.on_duplicate,
        )

    def attempt(self, how: Callable[[Callable[[], Any]], Any]) -> str:
        """``file`` with its identifier as the result, or the name of the exception."""
        if self.cell.record == "wiped":
            self.ti.store = Store()
        try:
            file_id = how(self.operator)
        except Killed:
            return "killed"
        except AirflowFailException as error:  # before Airflow 3.3, what is not to be retried
            return str(error).partition(":")[0]
        except Exception as error:
            return type(error).__name__
        assert file_id in [file["_id"] for file in self.emulator.files(self.list_id)]
        assert self.ti.xcoms["coupon_file"]["id"] == file_id
        return "file"

    def first_attempt(self) -> str:
        if self.cell.disaster in FAULTS:
            self.proxy.on_reply = self.broken
            return self.attempt(self.ti.run)
        with self.patch.context() as patch:
            self.kill(patch)
            return self.attempt(self.ti.run)

    def broken(self, piece: bytes) -> bytes | None:
        """
        What the proxy passes on once instead of the reply of a service that has accepted the
        upload.
        """
        self.proxy.on_reply = lambda piece: piece
        return FAULTS[self.cell.disaster]

    def kill(self, patch: pytest.MonkeyPatch) -> None:
        save, send, saved = RecordStore.save, WesHook.send_upload, itertools.count()

        def dying_save(*args: Any) -> None:
            number = next(saved)
            if self.cell.disaster == "before the intent":
                raise Killed
            save(*args)
            if self.cell.disaster == ("after the intent", "after the record")[min(number, 1)]:
                raise Killed

        def dying_send(*args: Any) -> Any:
            result = send(*args)
            if self.cell.disaster == "after the request":
                raise Killed
            return result

        patch.setattr(RecordStore, "save", dying_save)
        patch.setattr(WesHook, "send_upload", dying_send)

    @property
    def accepted(self) -> int:
        return len(self.emulator.files(self.list_id))


def check(world: World) -> None:
    cell = world.cell
    first = world.first_attempt()
    named = cell.name == "own name" and cell.names == "kept"
    if cell.disaster in KILLS:
        assert first == "killed"
        assert world.accepted == (cell.disaster in ("after the request", "after the record"))
    elif named:
        assert first == "file"
    assert first in ("killed", "file", "WesUnknownOutcomeError")
    retried = world.attempt(world.ti.retry)
    recorded = cell.record == "kept" and (cell.disaster == "after the record" or first == "file")
    if named or recorded or cell.disaster in KILLS[:2]:
        assert retried == "file", "nothing is in doubt"
    assert retried in ("file", "WesUnknownOutcomeError")
    assert world.accepted == 1, "never two, and never none after a retry"
    certain = retried == "file" and (named or cell.record == "kept")
    cleared = world.attempt(world.ti.clear)
    if cell.on_duplicate == "upload":
        assert cleared == "file" or not certain
        assert world.accepted == (2 if cleared == "file" else 1)
    elif certain:
        assert cleared == ("file" if cell.on_duplicate == "adopt" else "WesDuplicateError")
        assert world.accepted == 1
    else:
        assert cleared in ("file", "WesUnknownOutcomeError", "WesDuplicateError")
        assert world.accepted == 1


@pytest.fixture(scope="module")
def service() -> Iterator[Emulator]:
    with Emulator() as emulator:
        emulator.configure(limits=None)
        emulator.script(outcome="never")  # nobody fetches the files
        yield emulator


NUMBERS = itertools.count()


@pytest.mark.parametrize("disaster", [*KILLS, *FAULTS])
@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize(
    "on_duplicate",
    [
        "adopt",
        "upload",
        pytest.param("fail", marks=pytest.mark.weekly("a clear decides as with adopt, and fails")),
    ],
)
def test_one_accepted_upload_or_an_unknown_outcome(
    service: Emulator,
    disaster: str,
    names: str,
    on_duplicate: str,
    monkeypatch: pytest.MonkeyPatch,
):
    connection = service.connection(extra={"coupon_files_lag": 0, "max_attempts": 2})
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps({"conn_type": "wes", **connection}))
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setattr(loop, "time", Clock(service))
    with Proxy().serving() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        for record, name in itertools.product(*AXES.values()):
            cell = Cell(disaster, names, record, name, on_duplicate)
            with monkeypatch.context() as patch:
                try:
                    check(World(cell, next(NUMBERS), service, proxy, patch))
                except AssertionError as error:
                    error.add_note(str(cell)) if hasattr(error, "add_note") else print(cell)
                    raise
