"""The trigger on an event loop, against the emulator; Airflow's part is in ``airflow/test_waiting.py``."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook, Connection

from wes_provider.client import concurrent_reads
from wes_provider.client.shared_client import SharedClient
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConfigurationError,
    WesCouponFileFailedError,
    WesTimeoutError,
)
from wes_provider.hooks import WesHook
from wes_provider.polling import Done, Outcome, Statuses, load_outcomes
from wes_provider.triggers import HAS_ON_KILL, WesCouponFileTrigger

LOOK_UPS = {"get_connection", "aget_connection"} & set(dir(BaseHook))


def trigger(*file_ids: str, timeout: float = 60.0, **arguments: Any) -> WesCouponFileTrigger:
    now = time.time()
    given = {
        "wes_conn_id": "wes_default",
        "coupon_list_id": "l",
        "coupon_files": dict.fromkeys(file_ids, now),
        "deadline": now + timeout,
        "poll_interval": 0.2,
        "statuses": Statuses().to_dict(),
        "was_read": False,
    }
    return WesCouponFileTrigger(**{**given, **arguments})


async def event_of(waiting: WesCouponFileTrigger) -> dict[str, Outcome]:
    (event,) = [event async for event in waiting.run()]
    return load_outcomes(json.loads(json.dumps(event.payload)))


def outcome(waiting: WesCouponFileTrigger) -> Outcome:
    (only,) = asyncio.run(event_of(waiting)).values()
    return only


@pytest.fixture(autouse=True)
def _no_client_is_left() -> Iterator[None]:
    yield
    assert SharedClient._all == {}


@pytest.fixture
def upload(wes_emulator: Emulator):
    """Uploads a file of a list to come to the end that it is scripted to; its identifier."""
    url = wes_emulator.host("coupons.csv", b"CODE-1\n")
    wes_emulator.configure(limits=None)

    def upload(list_id: str = "l", **script: Any) -> str:
        name = f"coupons-{len(wes_emulator.files(list_id))}"
        wes_emulator.script(list_id=list_id, name=name, **(script or {"processing_time": 0.0}))
        return WesHook().upload_coupon_file(list_id, url, name=name)["_id"]

    return upload


def test_a_processed_file_arrives_with_all_that_the_task_needs(upload):
    file_id = upload(processing_time=0.5)
    done = outcome(trigger(file_id))
    assert isinstance(done, Done)
    assert done.file.summary().items() >= {"id": file_id, "coupon_list_id": "l", "status": "SUCCESS"}.items()


def test_several_files_of_a_list_end_each_by_itself(upload):
    files = {
        upload(): Done,
        upload(outcome="failure"): WesCouponFileFailedError,
        upload(outcome="never"): WesTimeoutError,
    }
    outcomes = asyncio.run(event_of(trigger(*files, timeout=3)))
    assert list(outcomes) == list(files)
    ended_as = [type(end) if isinstance(end, Done) else type(end.error) for end in outcomes.values()]
    assert ended_as == list(files.values())


def test_the_deadline_is_a_moment_and_not_a_duration(upload):
    file_id = upload(outcome="never")
    late = outcome(trigger(file_id, deadline=time.time() - 3600))
    assert not isinstance(late, Done)
    assert isinstance(late.error, WesTimeoutError)
    assert "last status: P" in str(late.error)


def test_a_slow_answer_does_not_hold_the_wait_up_beyond_its_deadline(upload, wes_emulator, monkeypatch):
    monkeypatch.setattr("wes_provider.triggers.LAST_POLL", 0.2)
    file_id = upload()
    wes_emulator.fail("get_coupon_file", faults.slow(30), times=None)
    late = outcome(trigger(file_id, timeout=0.5))
    assert not isinstance(late, Done)
    assert isinstance(late.error, WesTimeoutError)
    assert "no response within" in str(late.error)


VERSION_1 = {
    "version": 1,
    "wes_conn_id": "wes_default",
    "coupon_list_id": "l",
    "coupon_files": {"f": 1700000000.5},
    "deadline": 1700007200.5,
    "poll_interval": 60,
    "statuses": {"pending": ["PENDING"], "success": ["DONE"], "failure": ["FAILED"]},
    "silent_fail": False,
    "was_read": True,
}


def test_arguments_of_version_1_stay_as_they_are():
    assert WesCouponFileTrigger(**VERSION_1).serialize()[1] == VERSION_1
    newer = {**VERSION_1, "version": 2, "unknown": 1, "statuses": {**VERSION_1["statuses"], "unknown": ["X"]}}
    assert WesCouponFileTrigger(**newer).serialize()[1] == VERSION_1
    older = {key: value for key, value in VERSION_1.items() if key not in ("version", "was_read", "silent_fail")}
    assert WesCouponFileTrigger(**older).serialize()[1] == VERSION_1


def test_what_is_stored_of_it_is_enough_to_go_on_and_holds_no_secret(upload, wes_emulator):
    waiting = trigger(upload())
    path, arguments = waiting.serialize()
    assert path == "wes_provider.triggers.WesCouponFileTrigger"
    stored = json.dumps(arguments)
    assert WesCouponFileTrigger(**json.loads(stored)).serialize() == (path, arguments)
    for secret in (wes_emulator.api_key, wes_emulator.data_api_key, "127.0.0.1"):
        assert secret not in stored


def test_a_thousand_waits_look_the_connection_up_once_and_share_a_few_connections(upload, wes_emulator, monkeypatch):
    file_id = upload(processing_time=2.0)
    looked_up = []
    for name in LOOK_UPS:
        original = getattr(BaseHook, name)
        monkeypatch.setattr(BaseHook, name, lambda conn_id, original=original: looked_up.append(1) or original(conn_id))
    monkeypatch.setattr(concurrent_reads, "GROW_AFTER", 600)  # however long a busy machine lets polls queue
    before = wes_emulator.counts["connections"]

    async def main() -> list[dict[str, Outcome]]:
        return await asyncio.gather(*(event_of(trigger(file_id, poll_interval=2)) for _ in range(1000)))

    assert all(isinstance(outcomes[file_id], Done) for outcomes in asyncio.run(main()))
    assert len(looked_up) == 1
    assert wes_emulator.counts["connections"] - before <= concurrent_reads.FEWEST


def test_a_wait_that_is_cancelled_leaves_the_others_alone(upload):
    file_id = upload(processing_time=0.5)

    async def main() -> list[Any]:
        waits = [asyncio.create_task(event_of(trigger(file_id))) for _ in range(3)]
        await asyncio.sleep(0.05)
        waits[0].cancel()
        return await asyncio.gather(*waits, return_exceptions=True)

    first, *others = asyncio.run(main())
    assert isinstance(first, asyncio.CancelledError)
    assert all(isinstance(outcomes[file_id], Done) for outcomes in others)


def test_an_error_that_ends_the_wait_keeps_its_type_and_attributes(upload, wes_emulator):
    file_id = upload()
    wes_emulator.fail("get_coupon_file", faults.error(401, "request-unauthenticated", "wrong key"), times=None)
    refused = outcome(trigger(file_id))
    assert not isinstance(refused, Done)
    assert isinstance(refused.error, WesAuthenticationError)
    assert (refused.error.status_code, refused.error.code) == (401, "request-unauthenticated")


def test_a_connection_that_is_gone_ends_the_wait_after_minutes(upload, monkeypatch):
    monkeypatch.setattr("wes_provider.polling.CONNECTION_GRACE", 1.5)
    gone = outcome(trigger(upload(), wes_conn_id="wes_gone"))
    assert not isinstance(gone, Done)
    assert isinstance(gone.error, WesConfigurationError)
    assert "'wes_gone' is not defined" in str(gone.error)
    assert not gone.error.permanent  # a secrets backend may have failed to find it


def test_a_connection_that_cannot_be_read_for_a_while_is_no_end(upload, monkeypatch, caplog):
    file_id = upload()
    failures = iter([ConnectionError("secret-of-the-backend"), TimeoutError()])
    for name in LOOK_UPS:
        original = getattr(BaseHook, name)

        def flaky(conn_id: str, original: Any = original) -> Any:
            for failure in failures:
                raise failure
            return original(conn_id)

        monkeypatch.setattr(BaseHook, name, flaky)
    with caplog.at_level(logging.INFO):
        assert isinstance(outcome(trigger(file_id)), Done)
    assert "connection 'wes_default' cannot be read: ConnectionError" in caplog.text
    assert "secret-of-the-backend" not in caplog.text


def test_waits_of_a_limited_service_provoke_hardly_a_refusal(upload, wes_emulator):
    wes_emulator.configure(limits={"get_coupon_file": [[5, 2.0]]}, rate_limit_headers="all")
    file_id = upload()

    async def main() -> list[dict[str, Outcome]]:
        return await asyncio.gather(*(event_of(trigger(file_id, poll_interval=0.1)) for _ in range(12)))

    assert all(isinstance(outcomes[file_id], Done) for outcomes in asyncio.run(main()))
    statuses = [request.status for request in wes_emulator.requests_for("get_coupon_file")]
    assert statuses.count(200) == 12
    assert statuses.count(429) <= 7  # those on their way when the first response stated the limit


def test_a_long_wait_writes_no_line_a_poll(upload, caplog):
    file_id = upload(statuses=[["PENDING", 1.0], ["CHEWING", 1.0]])
    with caplog.at_level(logging.INFO, logger="wes_provider"):
        assert isinstance(outcome(trigger(file_id, poll_interval=0.05)), Done)
    lines = [record.getMessage() for record in caplog.records if record.name == "wes_provider.triggers"]
    assert len(lines) == 2
    assert lines[0].startswith("PENDING (hosted/coupons.csv, ")
    assert "Status 'CHEWING' is not known" in lines[1]


def test_the_log_says_that_the_file_is_left_alone_when_the_task_is_marked_or_cleared(upload, caplog):
    waiting = trigger(upload(outcome="never"))

    async def main() -> None:
        task = asyncio.create_task(event_of(waiting))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        if HAS_ON_KILL:
            assert "left as it is" not in caplog.text  # a triggerer that stops cancels, too
            await waiting.on_kill()

    with caplog.at_level(logging.INFO):
        asyncio.run(main())
    assert caplog.text.count("the file is left as it is") == 1


# -- what operations do to a wait


class Secrets:
    """Connections as a secrets backend has them: rotated, away, or gone for a while."""

    def __init__(self, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
        self.connection = Connection(conn_id="wes_default", conn_type="wes", **fields(emulator.connection()))
        self.error: Exception | None = None
        self.hangs = False
        self.reads = 0
        monkeypatch.setattr("wes_provider.client.shared_client.READ_AGAIN_SOONEST", 0.1)
        monkeypatch.setattr("wes_provider.polling.GRACE_POLL_INTERVAL", 0.3)
        for name in LOOK_UPS:
            look_up = self.aget if name == "aget_connection" else self.get
            monkeypatch.setattr(BaseHook, name, look_up)

    def get(self, conn_id: str) -> Connection:
        self.reads += 1
        if self.error is not None:
            raise self.error
        return self.connection

    async def aget(self, conn_id: str) -> Connection:
        if self.hangs:
            await asyncio.sleep(3600)
        return self.get(conn_id)


def fields(connection: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in connection.items() if key != "conn_type"}


@pytest.fixture
def secrets(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Secrets:
    return Secrets(wes_emulator, monkeypatch)


def waiting_through(upload: Any, wes_emulator: Emulator, during: Callable[[], Awaitable[None]]) -> list[Outcome]:
    """Outcomes of waits for a file that is processed after something has happened meanwhile."""
    file_id = upload(outcome="never")

    async def main() -> list[Outcome]:
        waits = [asyncio.create_task(event_of(trigger(file_id, was_read=True))) for _ in range(20)]
        while wes_emulator.counts.get("get_coupon_file", 0) < 20:  # noqa: ASYNC110 - the emulator has no event
            await asyncio.sleep(0.05)
        await during()
        wes_emulator.script(list_id="l", processing_time=0.0)
        return [outcomes[file_id] for outcomes in await asyncio.gather(*waits)]

    return asyncio.run(main())


def test_waits_go_on_with_a_key_that_was_rotated(upload, wes_emulator, secrets):
    async def rotate() -> None:
        wes_emulator.configure(api_key="the new key")
        secrets.connection = Connection(
            conn_id="wes_default", conn_type="wes", **{**fields(wes_emulator.connection()), "password": "the new key"}
        )

    outcomes = waiting_through(upload, wes_emulator, rotate)
    assert {type(outcome) for outcome in outcomes} == {Done}
    refused = [r for r in wes_emulator.requests_for("get_coupon_file") if r.status == 401]
    assert len(refused) <= 20  # each wait's next poll; the one after it has the new key
    assert secrets.reads <= 4


@pytest.mark.parametrize("error", [AirflowNotFoundException("not defined"), ConnectionError()], ids=["gone", "away"])
def test_waits_outlive_a_connection_that_cannot_be_read_while_the_key_is_refused(upload, wes_emulator, secrets, error):
    right = wes_emulator.api_key

    async def lose_both() -> None:
        wes_emulator.configure(api_key="another key")
        secrets.error = error
        await asyncio.sleep(1)
        wes_emulator.configure(api_key=right)
        secrets.error = None

    outcomes = waiting_through(upload, wes_emulator, lose_both)
    assert {type(outcome) for outcome in outcomes} == {Done}


@pytest.mark.parametrize("error", [AirflowNotFoundException("not defined"), ConnectionError()], ids=["gone", "away"])
def test_a_triggerer_that_starts_without_a_secrets_backend_goes_on_once_it_is_back(
    upload, wes_emulator, secrets, error
):
    file_id = upload()
    secrets.error = error

    async def main() -> dict[str, Outcome]:
        wait = asyncio.create_task(event_of(trigger(file_id)))
        await asyncio.sleep(0.8)
        assert not wait.done()
        secrets.error = None
        return await wait

    assert isinstance(asyncio.run(main())[file_id], Done)


@pytest.mark.parametrize("hangs", ["at first", "after a refusal"])
def test_a_secrets_backend_that_hangs_does_not_hold_a_wait_up_beyond_its_deadline(
    upload, wes_emulator, secrets, monkeypatch, hangs
):
    monkeypatch.setattr("wes_provider.triggers.LAST_POLL", 0.2)
    file_id = upload(outcome="never")

    async def main() -> Outcome:
        secrets.hangs = hangs == "at first"
        wait = asyncio.create_task(event_of(trigger(file_id, timeout=1.5)))
        await asyncio.sleep(0.7)
        secrets.hangs = True
        wes_emulator.configure(api_key="another key")
        return (await asyncio.wait_for(wait, 10))[file_id]

    start = time.monotonic()
    late = asyncio.run(main())
    assert not isinstance(late, Done)
    assert isinstance(late.error, WesTimeoutError)
    assert time.monotonic() - start < 5


def test_a_service_that_hangs_holds_no_wait_of_many_up_beyond_its_deadline(upload, wes_emulator, secrets, monkeypatch):
    monkeypatch.setattr("wes_provider.triggers.LAST_POLL", 0.2)
    monkeypatch.setattr(concurrent_reads, "MOST", 4)
    connection = fields(wes_emulator.connection(extra={"read_timeout": 1}))
    secrets.connection = Connection(conn_id="wes_default", conn_type="wes", **connection)
    file_ids = [upload(outcome="never") for _ in range(40)]
    wes_emulator.fail("get_coupon_file", faults.slow(30), times=None)
    start = time.monotonic()
    outcomes = asyncio.run(event_of(trigger(*file_ids, timeout=2)))
    assert {type(outcome.error) for outcome in outcomes.values()} == {WesTimeoutError}
    assert time.monotonic() - start < 5  # if each of them waited for its turn: 10


@pytest.mark.parametrize("step", [600, -600])
def test_a_step_of_the_clock_neither_ends_a_wait_nor_moves_its_deadline(upload, monkeypatch, step):
    real = time.time
    early, late = upload(processing_time=1.0), upload(outcome="never")

    async def main() -> dict[str, Outcome]:
        waits = asyncio.create_task(event_of(trigger(early, late, timeout=2)))
        await asyncio.sleep(0.5)
        monkeypatch.setattr(time, "time", lambda: real() + step)
        return await waits

    start = time.monotonic()
    outcomes = asyncio.run(main())
    assert isinstance(outcomes[early], Done)
    assert isinstance(outcomes[late].error, WesTimeoutError)
    assert 2 <= time.monotonic() - start < 20


def test_the_event_carries_how_long_the_wait_took(upload):
    (done,) = asyncio.run(event_of(trigger(upload(processing_time=1.0)))).values()
    assert done.polls >= 2
    assert 0.9 <= done.waited < 60
    assert done.file.status == "SUCCESS"
