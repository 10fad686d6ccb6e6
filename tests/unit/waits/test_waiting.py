"""Waits on an event loop, against the emulator: the trigger's and a worker's alike."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook, Connection

from wes_provider.client.polls import CONCURRENT_POLLS, PollClient
from wes_provider.coupon_files import Statuses
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesCouponFileFailedError,
    WesError,
    WesNotFoundError,
    WesTimeoutError,
    WesUnreadableConnectionError,
)
from wes_provider.hooks import WesHook
from wes_provider.models import CouponFile
from wes_provider.operators import WesUploadCouponFileOperator
from wes_provider.settings import WesSettings
from wes_provider.triggers import WesCouponFileTrigger, WesResetTrigger
from wes_provider.waits.decision import CouponFileWait, Done, Failed, Outcome
from wes_provider.waits.outcomes import dump_outcomes, load_outcomes

if TYPE_CHECKING:
    import aiohttp

Upload = Callable[..., str]


def trigger(*file_ids: str, timeout: float = 60.0, **arguments: Any) -> WesCouponFileTrigger:
    now = time.time()
    given = {
        "wes_conn_id": "wes_default",
        "coupon_list_id": "l",
        "coupon_files": dict.fromkeys(file_ids, now),
        "deadline": now + timeout,
        "poll_interval": 1.0,
        "statuses": msgspec.to_builtins(Statuses()),
    }
    return WesCouponFileTrigger(**{**given, **arguments})


async def event_of(waiting: WesCouponFileTrigger) -> dict[str, Outcome]:
    (event,) = [event async for event in waiting.run()]
    return load_outcomes(json.loads(json.dumps(event.payload)))


def outcome(waiting: WesCouponFileTrigger) -> Outcome:
    (only,) = asyncio.run(event_of(waiting)).values()
    return only


@pytest.fixture(autouse=True)
def _no_session_is_left(sessions_of_polls: list[aiohttp.ClientSession]) -> Iterator[None]:
    yield
    assert [session.closed for session in sessions_of_polls] == [True] * len(sessions_of_polls)


@pytest.fixture
def upload(wes_emulator: Emulator) -> Upload:
    """Uploads a file of a list to come to the end that it is scripted to; its identifier."""
    url = wes_emulator.host("coupons.csv", b"CODE-1\n")
    wes_emulator.configure(limits=None)

    def upload(list_id: str = "l", **script: Any) -> str:
        name = f"coupons-{len(wes_emulator.files(list_id))}"
        wes_emulator.script(list_id=list_id, name=name, **(script or {"processing_time": 0.0}))
        return str(WesHook().upload_coupon_file(list_id, url, name=name)["_id"])

    return upload


# -- how waits end


def test_files_of_a_list_end_each_by_itself(upload: Upload, wes_emulator: Emulator):
    ids = [upload(), upload(outcome="failure"), upload(outcome="never")]
    done, failed, late = asyncio.run(event_of(trigger(*ids, timeout=2.0))).values()
    assert isinstance(done, Done)
    assert (done.file.id, done.file.status, done.file.coupon_list_id) == (ids[0], "SUCCESS", "l")
    assert sum(done.file.counts.values()) >= 1
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, WesCouponFileFailedError)
    assert failed.error.coupon_file["id"] == ids[1]
    assert isinstance(late, Failed)
    assert isinstance(late.error, WesTimeoutError)


def test_the_deadline_is_a_moment(upload: Upload, wes_emulator: Emulator):
    """However long the triggerer was away; a status that is there counts even then."""
    late = outcome(trigger(upload(outcome="never"), timeout=-100.0))
    assert isinstance(late, Failed)
    assert isinstance(late.error, WesTimeoutError)
    done = upload()
    begun = {done: time.time() - 7200}
    assert isinstance(
        outcome(trigger(done, timeout=-100.0, coupon_files=begun, poll_interval=600.0)), Done
    )


def test_a_service_that_hangs_holds_no_wait_up_beyond_its_deadline(
    upload: Upload, wes_emulator: Emulator, mocker: Any
):
    mocker.patch("wes_provider.waits.loop.LAST_POLL", 0.5)
    recorded = mocker.patch("wes_provider.waits.loop.record_wait")
    ids = [upload() for _ in range(CONCURRENT_POLLS + 5)]
    wes_emulator.fail("get_coupon_file", faults.slow(30.0), times=None)
    begin = time.monotonic()
    outcomes = asyncio.run(event_of(trigger(*ids, timeout=1.0)))
    assert time.monotonic() - begin < 15
    failed = [each for each in outcomes.values() if isinstance(each, Failed)]
    assert [type(each.error) for each in failed] == [WesTimeoutError] * len(ids)
    assert recorded.call_count == len(ids)


def test_a_trigger_knows_that_its_task_has_read_the_file(upload: Upload, wes_emulator: Emulator):
    wes_emulator.fail("get_coupon_file", faults.error(403), times=2)
    assert isinstance(outcome(trigger(upload(), was_read=True)), Done)


def test_a_wait_that_is_cancelled_leaves_the_others_alone(upload: Upload, wes_emulator: Emulator):
    async def main() -> Outcome:
        never, done = upload(outcome="never"), upload(processing_time=1.5)
        cancelled = asyncio.create_task(event_of(trigger(never)))
        other = asyncio.create_task(event_of(trigger(done)))
        await asyncio.sleep(0.5)
        cancelled.cancel()
        return (await other)[done]

    assert isinstance(asyncio.run(main()), Done)


# -- one session for a connection


def test_waits_of_a_connection_read_it_once_and_share_a_session(
    upload: Upload,
    wes_emulator: Emulator,
    monkeypatch: pytest.MonkeyPatch,
    sessions_of_polls: list[aiohttp.ClientSession],
):
    secrets = Secrets(wes_emulator, monkeypatch)
    ids = [upload(processing_time=1.0) for _ in range(3)]

    async def main() -> None:
        await asyncio.gather(*(event_of(trigger(ids[i % 3])) for i in range(300)))

    asyncio.run(main())
    assert secrets.reads == 3 + 1, "each upload, and all waits"
    assert len(sessions_of_polls) == 1


class Secrets:
    """Connections as a secrets backend has them: rotated, away, or gone for a while."""

    def __init__(self, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error: Exception | None = None
        self.reads = 0
        self.rotate(**emulator.connection())
        monkeypatch.setattr("wes_provider.client.polls.READ_AGAIN_AFTER", 0.1)
        for name in {"get_connection", "aget_connection"} & set(dir(BaseHook)):
            monkeypatch.setattr(
                BaseHook, name, self.aget if name == "aget_connection" else self.get
            )

    def rotate(self, **fields: Any) -> None:
        self.fields = {**getattr(self, "fields", {}), **fields, "conn_type": "wes"}
        self.connection = Connection(conn_id="wes_default", **self.fields)

    def get(self, conn_id: str) -> Connection:
        self.reads += 1
        if self.error is not None:
            raise self.error
        return self.connection

    async def aget(self, conn_id: str) -> Connection:
        return self.get(conn_id)


@pytest.fixture
def secrets(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Secrets:
    return Secrets(wes_emulator, monkeypatch)


def waiting_through(
    upload: Upload, emulator: Emulator, during: Callable[[], Awaitable[None]]
) -> list[Outcome]:
    """Outcomes of waits for a file that is processed after something has happened meanwhile."""
    file_id = upload(outcome="never")

    async def main() -> list[Outcome]:
        waits = [asyncio.create_task(event_of(trigger(file_id))) for _ in range(20)]
        # The emulator has no event
        while emulator.counts.get("get_coupon_file", 0) < 20:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await asyncio.sleep(1.0)  # until each wait has its response
        await during()
        emulator.script(list_id="l", processing_time=0.0)
        return [outcomes[file_id] for outcomes in await asyncio.gather(*waits)]

    return asyncio.run(main())


@pytest.mark.parametrize(
    "problem", [None, AirflowNotFoundException("gone"), ConnectionError("s3cret of a backend")]
)
def test_waits_outlive_a_key_that_is_rotated_and_a_connection_that_cannot_be_read(
    upload: Upload,
    wes_emulator: Emulator,
    secrets: Secrets,
    problem: Exception | None,
    caplog: pytest.LogCaptureFixture,
):
    async def rotate() -> None:
        secrets.error = problem
        wes_emulator.configure(api_key="rotated-key")
        await asyncio.sleep(1.5)  # refused, meanwhile
        secrets.rotate(password="rotated-key")
        secrets.error = None

    outcomes = waiting_through(upload, wes_emulator, rotate)
    assert {type(each) for each in outcomes} == {Done}
    assert secrets.reads < 40, "not by each wait at each poll"
    assert "s3cret" not in caplog.text


@asynccontextmanager
async def joined(secrets: Secrets) -> AsyncIterator[PollClient]:
    async def read_settings() -> WesSettings:
        return WesSettings.from_connection(secrets.get("wes_default"))

    client = PollClient.join("wes_default", read_settings)
    yield client
    await client.leave()


def test_a_secrets_backend_that_hangs_holds_nobody_up(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    async def hang() -> WesSettings:
        await asyncio.sleep(60)
        raise AssertionError

    async def main() -> None:
        client = PollClient.join("wes_default", hang)
        await asyncio.wait_for(client.refresh(), 30)
        await client.leave()

    monkeypatch.setattr("wes_provider.client.polls.LONGEST_READING", 0.2)
    asyncio.run(main())


def test_a_connection_is_found_that_only_the_process_itself_knows(
    upload: Upload, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
):
    """As in ``dags test`` of Airflow 3."""

    async def away(conn_id: str) -> Connection:
        raise AirflowNotFoundException(conn_id)

    monkeypatch.setattr(BaseHook, "aget_connection", away, raising=False)
    assert isinstance(outcome(trigger(upload())), Done)


def test_a_wait_that_begins_while_the_last_one_leaves_opens_a_session_of_its_own(
    upload: Upload, secrets: Secrets
):
    async def main() -> CouponFile:
        last = joined(secrets)
        await (await last.__aenter__()).poll("l", file_id)
        leaving = asyncio.ensure_future(last.__aexit__(None, None, None))
        await asyncio.sleep(0)
        async with joined(secrets) as other:
            await leaving
            return await other.poll("l", file_id)

    file_id = upload()
    assert asyncio.run(main()).id == file_id


def test_a_corrected_connection_counts_for_a_wait_that_begins(upload: Upload, secrets: Secrets):
    async def main() -> Outcome:
        secrets.rotate(host="http://127.0.0.1:9")
        before = asyncio.create_task(event_of(trigger(file_id, timeout=15.0)))
        while secrets.reads == reads:  # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.2)
        secrets.rotate(host=host)
        outcomes = await event_of(trigger(file_id, timeout=15.0))
        await before
        return outcomes[file_id]

    file_id, host, reads = upload(), secrets.fields["host"], secrets.reads
    assert isinstance(asyncio.run(main()), Done)


def test_many_waits_poll_less_often(
    upload: Upload, wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    async def main() -> None:
        await asyncio.gather(
            *(event_of(trigger(file_id, timeout=1.5, poll_interval=60.0)) for _ in range(20))
        )

    monkeypatch.setattr("wes_provider.waits.decision.POLLS_PER_SECOND", 10)
    file_id = upload(outcome="never")
    asyncio.run(main())
    assert wes_emulator.counts["get_coupon_file"] < 3 * 20, "at first, and at the deadline"


def test_fifty_polls_of_a_connection_are_under_way_at_most(
    upload: Upload, wes_emulator: Emulator, secrets: Secrets
):
    async def main() -> None:
        async with joined(secrets) as client:
            await asyncio.gather(*(client.poll("l", file_id) for _ in range(150)))

    file_id = upload()
    wes_emulator.fail("get_coupon_file", faults.slow(0.5), times=None)
    asyncio.run(main())
    first, *others = (request.time for request in wes_emulator.requests_for("get_coupon_file"))
    assert sum(moment < first + 0.4 for moment in others) < 50


def test_a_poll_under_way_ends_well_if_the_connection_changes(
    upload: Upload, wes_emulator: Emulator, secrets: Secrets
):
    async def main() -> CouponFile:
        async with joined(secrets) as client:
            await client.refresh()
            poll = asyncio.create_task(client.poll("l", file_id))
            await asyncio.sleep(0.3)
            secrets.rotate(extra=json.dumps({"read_timeout": 30}))
            await client.refresh()
            assert not poll.done()
            return await poll

    file_id = upload()
    wes_emulator.fail("get_coupon_file", faults.slow(1.0))
    assert asyncio.run(main()).id == file_id


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_poll_is_repeated_with_what_the_connection_has_become(
    upload: Upload, wes_emulator: Emulator, secrets: Secrets, status: int
):
    async def main() -> CouponFile:
        async with joined(secrets) as client:
            await client.refresh()
            secrets.rotate(extra=json.dumps({"read_timeout": 30}))
            await asyncio.sleep(0.2)
            return await client.poll("l", file_id)

    file_id = upload()
    wes_emulator.fail("get_coupon_file", faults.error(status), times=1)
    assert asyncio.run(main()).id == file_id


def test_a_connection_that_is_away_is_read_again_before_the_first_poll_and_once_its_key_is_refused(
    upload: Upload, wes_emulator: Emulator, secrets: Secrets
):
    async def main() -> list[type[WesError] | None]:
        seen: list[type[WesError] | None] = []
        async with joined(secrets) as client:
            for problem in (ConnectionError("away"), None) * 2:
                secrets.error = problem
                await asyncio.sleep(0.2)
                try:
                    await client.poll("l", file_id)
                    seen.append(None)
                    wes_emulator.configure(api_key="another-key")
                except WesError as error:
                    seen.append(type(error))
        return seen

    file_id = upload()
    assert asyncio.run(main()) == [
        WesUnreadableConnectionError,
        None,
        WesUnreadableConnectionError,
        WesAuthenticationError,
    ]


# -- what crosses from one process to another


def test_a_trigger_is_stored_in_one_version_without_secrets(wes_emulator: Emulator):
    stored = trigger("f1", coupon_files={"f1": 12.5}, deadline=99.0, was_read=True).serialize()
    path, arguments = stored
    assert path == "wes_provider.triggers.WesCouponFileTrigger"
    assert arguments == {
        "wes_conn_id": "wes_default",
        "coupon_list_id": "l",
        "coupon_files": {"f1": 12.5},
        "deadline": 99.0,
        "poll_interval": 1.0,
        "statuses": msgspec.to_builtins(Statuses(), order="deterministic"),
        "was_read": True,
        "count_names": None,
        "version": 1,
    }
    assert (
        WesCouponFileTrigger(
            **{**json.loads(json.dumps(arguments)), "of_a_newer_version": 1}
        ).serialize()
        == stored
    )


def test_a_trigger_waits_as_its_task_said(mocker: Any):
    waiting = mocker.patch("wes_provider.triggers.wait_for_files", return_value={})
    given = {"coupon_files": {"f": 1.0}, "deadline": 2.0, "poll_interval": 3.0, "was_read": True}
    asyncio.run(event_of(trigger(statuses={"success": ["A"]}, **given)))
    assert waiting.call_args.kwargs == {"spread": True}, (
        "since thousands may begin at the same moment"
    )
    assert waiting.call_args.args[1] == [
        CouponFileWait("l", "f", 1.0, 2.0, 3.0, Statuses(success=frozenset("A")), True)
    ]


OUTCOMES: list[Outcome] = [
    Done(CouponFile("f1", "l", status="SUCCESS", counts={"added": 3})),
    Failed(WesTimeoutError("Not processed (f)\nadvice", reason="Not processed")),
    Failed(WesNotFoundError("404 (f)", reason="404", status_code=404, code="none", request_id="r")),
]


@pytest.mark.parametrize("ended", OUTCOMES)
def test_outcomes_arrive_as_they_left(ended: Outcome):
    event = json.loads(json.dumps({**dump_outcomes({"f1": ended}), "of_a_newer_version": 1}))
    assert event["version"] == 1
    event["files"]["f1"]["of_a_newer_version"] = 1
    (arrived,) = load_outcomes(event).values()
    if isinstance(ended, Done):
        assert arrived == ended
        return
    assert isinstance(arrived, Failed)
    assert type(arrived.error) is type(ended.error)
    assert (str(arrived.error), vars(arrived.error)) == (str(ended.error), vars(ended.error))


def test_a_failed_file_crosses_as_counts_and_a_reason_and_is_worded_by_the_worker():
    failed = CouponFile("f1", "l", status="FAILED", counts={"rows": 2}, reason="row 3")
    event = dump_outcomes({"f1": Failed(WesCouponFileFailedError("x" * 5000, failed.summary()))})
    assert len(json.dumps(event)) < 300, "Airflow logs it in one line"
    (arrived,) = load_outcomes(event, "Do this.").values()
    assert isinstance(arrived, Failed)
    assert str(arrived.error) == "FAILED: row 3 (f1 of list l)\nDo this.\nCoupon file: f1"


@pytest.mark.parametrize("event", [None, {}, [], "x", {"files": 1}, {"files": {"f": 1}}])
def test_an_event_that_cannot_be_read_is_no_success(event: Any):
    with pytest.raises(WesError, match="event cannot be read"):
        load_outcomes(event)


def test_a_reset_passes_on_what_was_done():
    waiting = WesResetTrigger(moment=time.time() + 0.2, state={"done": [1]})
    path, arguments = waiting.serialize()
    assert path == "wes_provider.triggers.WesResetTrigger"

    async def main() -> list[Any]:
        return [
            event.payload
            async for event in WesResetTrigger(**json.loads(json.dumps(arguments))).run()
        ]

    (event,) = asyncio.run(main())
    assert event["state"] == {"done": [1]}
    assert event["waited"] > 0.1
    assert time.time() >= arguments["moment"]


# -- on a worker


def test_a_worker_waits_with_the_same_coroutine_and_stops_when_it_is_killed(
    upload: Upload, wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    operator = WesUploadCouponFileOperator(
        task_id="t", coupon_list_id="l", file_url="https://h.example.com/c.csv"
    )

    def wait(file_id: str) -> CouponFileWait:
        return CouponFileWait("l", file_id, time.time(), time.time() + 60)

    done = upload(processing_time=0.5)
    assert operator.hook.settings.api_key
    wes_emulator.configure(api_key="rotated-key")
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(wes_emulator.connection()))
    assert isinstance(operator.wait_here([wait(done)])[done], Done)
    operator.on_kill()  # whatever ends the task after a wait
    kill = threading.Timer(1.0, operator.on_kill)
    kill.start()
    begin = time.monotonic()
    with pytest.raises(WesError, match="Stopped waiting"):
        operator.wait_here(
            [CouponFileWait("l", upload(outcome="never"), time.time() - 900, time.time() + 900)]
        )
    assert time.monotonic() - begin < 20
    kill.join()
