"""
Every disaster of an upload, whatever the service shows of names and whatever is remembered: what
the attempt, its retry and a clear after it end with, and how many uploads the service has then.

A cell runs the operator in these three attempts over real connections to the emulator. Only
Airflow's context, its death, and what lists show of names are faked.
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

pytestmark = pytest.mark.long

URL = "https://files.example.com/spring.csv"


class Killed(BaseException):
    """Stands for SIGKILL: nothing of ours may catch it."""


class Cell(NamedTuple):
    """
    A disaster of the first attempt, and what is around it.

    :ivar disaster: one of ``KILLS`` or of ``FAULTS``.
    :ivar names: what the list shows of names, of ``NAMES``.
    :ivar record: whether what an attempt remembers is ``kept`` for the next one.
    :ivar name: who names the file.
    """

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


class Ended(NamedTuple):
    """``file``, ``killed`` or the name of the exception; and the service's number of uploads."""

    how: str
    accepted: int


class Played(NamedTuple):
    """How the three attempts of a cell have ended."""

    cell: Cell
    first: Ended
    retried: Ended
    cleared: Ended

    @property
    def is_named(self) -> bool:
        """Whether the list shows that the file is this upload's."""
        return self.cell.name == "own name" and self.cell.names == "kept"

    @property
    def is_known_to_a_retry(self) -> bool:
        """Whether the retry knows by itself what became of the request."""
        is_recorded = self.cell.disaster == "after the record" or self.first.how == "file"
        was_not_sent = self.cell.disaster in KILLS[:2]
        return self.is_named or was_not_sent or (self.cell.record == "kept" and is_recorded)

    @property
    def is_known_to_a_clear(self) -> bool:
        """Whether the attempt after the clear knows of the file that the retry had."""
        return self.retried.how == "file" and (self.is_named or self.cell.record == "kept")


def play(world: World) -> Played:
    ended = []
    for attempt in (
        world.first_attempt,
        lambda: world.attempt(world.ti.retry),
        lambda: world.attempt(world.ti.clear),
    ):
        how = attempt()
        ended.append(Ended(how, world.accepted))
    return Played(world.cell, *ended)


@pytest.fixture(scope="module")
def service() -> Iterator[Emulator]:
    with Emulator() as emulator:
        emulator.configure(limits=None)
        emulator.script(outcome="never")  # nobody fetches the files
        yield emulator


NUMBERS = itertools.count()
DUPLICATES = (
    "adopt",
    "upload",
    pytest.param("fail", marks=pytest.mark.weekly("a clear decides as with adopt, and fails")),
)


@pytest.fixture(scope="module", params=[*KILLS, *FAULTS])
def disaster(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=NAMES)
def names(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=DUPLICATES)
def on_duplicate(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def played(service: Emulator, disaster: str, names: str, on_duplicate: str) -> list[Played]:
    """A cell for each record and each name, all with one disaster."""
    connection = service.connection(extra={"coupon_files_lag": 0, "max_attempts": 2})
    cells = []
    with pytest.MonkeyPatch.context() as patch, Proxy().serving() as proxy:
        patch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps({"conn_type": "wes", **connection}))
        patch.setenv("no_proxy", "")
        patch.setenv("http_proxy", proxy.url)
        patch.setattr(loop, "time", Clock(service))
        for record, name in itertools.product(*AXES.values()):
            cell = Cell(disaster, names, record, name, on_duplicate)
            with pytest.MonkeyPatch.context() as patch_of_cell:
                cells.append(play(World(cell, next(NUMBERS), service, proxy, patch_of_cell)))
    return cells


def test_the_first_attempt_has_uploaded_the_file_unless_it_is_killed_before_the_request(
    played: list[Played], disaster: str
):
    accepted = int(disaster not in KILLS[:2])
    for each in played:
        assert each.first.accepted == accepted, each


def test_the_first_attempt_ends_with_its_file_if_it_is_not_killed_and_the_list_shows_the_name(
    played: list[Played], disaster: str
):
    """If the list does not show the name, it may end with an unknown outcome, too."""
    for each in played:
        ends = {"killed"}
        if disaster in FAULTS:
            ends = {"file"} if each.is_named else {"file", "WesUnknownOutcomeError"}
        assert each.first.how in ends, each


def test_after_a_retry_the_service_has_one_upload(played: list[Played]):
    """Never two, and never none."""
    for each in played:
        assert each.retried.accepted == 1, each


def test_a_retry_ends_with_the_file_if_it_is_known_what_became_of_the_request(
    played: list[Played],
):
    """Otherwise, it may end with an unknown outcome, too."""
    for each in played:
        ends = {"file"} if each.is_known_to_a_retry else {"file", "WesUnknownOutcomeError"}
        assert each.retried.how in ends, each


def test_after_a_clear_the_service_has_a_second_upload_only_if_the_task_says_upload(
    played: list[Played], on_duplicate: str
):
    for each in played:
        is_uploaded = on_duplicate == "upload" and each.cleared.how == "file"
        assert each.cleared.accepted == (2 if is_uploaded else 1), each


AFTER_CLEAR = {"adopt": "file", "upload": "file", "fail": "WesDuplicateError"}


def test_a_clear_ends_as_on_duplicate_says_if_the_file_is_known(
    played: list[Played], on_duplicate: str
):
    """Otherwise, it may end with an unknown outcome, too."""
    for each in played:
        ends = {AFTER_CLEAR[on_duplicate]}
        if not each.is_known_to_a_clear:
            ends.add("WesUnknownOutcomeError")
        assert each.cleared.how in ends, each
