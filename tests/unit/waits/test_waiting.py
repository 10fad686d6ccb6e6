"""
Waits for coupon files. Each file of a trigger ends by itself: done, failed, or timed out at the
deadline, which is a moment that does not move; a first poll counts even after it. A service that
hangs holds no wait up beyond its deadline. A 403 ends a wait unless the file was read before. One
that is cancelled leaves the others alone. Each is recorded as a metric.

Waits of a connection share one session, at most 50 polls at a time, and each reading of the
connection; many waits poll less often. A refused key has the connection read again, for all of
them: they outlive a rotated key, also while the backend is away, of whose error the kind alone is
logged. A poll fails if the backend hangs.

What Airflow stores of a trigger and of its event has a version and no secret; the worker makes the
message about a failed file; keys of newer versions are ignored, and an event that cannot be read is
WesError. A wait on a worker reads the connection again, too, and ends when its task is killed. The
trigger of a limit fires at its moment.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

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
    WesForbiddenError,
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

pytestmark = pytest.mark.long

POLL_INTERVAL = 0.1
"""Seconds between polls of a wait at least; a second in production."""

READ_AGAIN_AFTER = 0.1
"""Seconds between readings of the connection at least; five in production."""


def trigger(*file_ids: str, timeout: float = 60.0, **arguments: Any) -> WesCouponFileTrigger:
    """
    A trigger that waits for files of the list ``l``, uploaded now.

    :param timeout: seconds until its deadline.
    :param arguments: those of the trigger that differ.
    """
    now = time.time()
    given = {
        "wes_conn_id": "wes_default",
        "coupon_list_id": "l",
        "coupon_files": dict.fromkeys(file_ids, now),
        "deadline": now + timeout,
        "poll_interval": POLL_INTERVAL,
        "statuses": msgspec.to_builtins(Statuses()),
    }
    return WesCouponFileTrigger(**{**given, **arguments})


async def outcomes_of(waiting: WesCouponFileTrigger) -> dict[str, Outcome]:
    """Run a trigger to its only event, and read it as a worker does."""
    (event,) = [event async for event in waiting.run()]
    return load_outcomes(json.loads(json.dumps(event.payload)))


def only_outcome(waiting: WesCouponFileTrigger) -> Outcome:
    """Run a trigger of one file."""
    (only,) = asyncio.run(outcomes_of(waiting)).values()
    return only


def check_failure(outcome: Outcome, expected: type[WesError]) -> None:
    assert isinstance(outcome, Failed)
    assert type(outcome.error) is expected


@pytest.fixture(autouse=True)
def _polls_come_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait polls again after a tenth of a second, which is a second in production."""
    monkeypatch.setattr("wes_provider.waits.decision.SHORTEST_PAUSE", POLL_INTERVAL)


@pytest.fixture(autouse=True)
def _no_session_is_left(sessions_of_polls: list[aiohttp.ClientSession]) -> Iterator[None]:
    yield
    assert [session.closed for session in sessions_of_polls] == [True] * len(sessions_of_polls)


@pytest.fixture
def upload(wes_emulator: Emulator) -> Upload:
    """
    Uploads a file of a list, and returns its identifier. It is processed at once, or ends as the
    emulator's script says that the caller gives.
    """
    url = wes_emulator.host("coupons.csv", b"CODE-1\n")
    wes_emulator.configure(limits=None)

    def upload(list_id: str = "l", **script: Any) -> str:
        name = f"coupons-{len(wes_emulator.files(list_id))}"
        wes_emulator.script(list_id=list_id, name=name, **(script or {"processing_time": 0.0}))
        return str(WesHook().upload_coupon_file(list_id, url, name=name)["_id"])

    return upload


# -- how waits end


def test_each_file_of_a_trigger_has_its_own_outcome(upload: Upload, wes_emulator: Emulator):
    """One is processed, one fails, and one is still pending at the deadline."""
    ids = [
        upload(),
        upload(outcome="failure", processing_time=0.0),
        upload(outcome="never"),
    ]
    done, failed, late = asyncio.run(outcomes_of(trigger(*ids, timeout=0.5))).values()
    assert isinstance(done, Done)
    assert (done.file.id, done.file.status, done.file.coupon_list_id) == (ids[0], "SUCCESS", "l")
    assert done.file.counts == {"coupons_added": 1, "coupons_duplicate": 0}
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, WesCouponFileFailedError)
    assert failed.error.coupon_file["id"] == ids[1]
    check_failure(late, WesTimeoutError)


def test_a_pending_file_times_out_if_the_deadline_passed_before_the_trigger_started(
    upload: Upload, wes_emulator: Emulator
):
    """As after 100 s without a triggerer: the deadline is a moment, and does not start again."""
    check_failure(only_outcome(trigger(upload(outcome="never"), timeout=-100.0)), WesTimeoutError)


def test_a_processed_file_is_done_though_the_deadline_passed_before_the_trigger_started(
    upload: Upload, wes_emulator: Emulator
):
    """The first poll counts, and comes at once, though polls are 10 minutes apart by then."""
    done = upload()
    two_hours_ago = time.time() - 7200
    waiting = trigger(done, timeout=-100.0, coupon_files={done: two_hours_ago}, poll_interval=600.0)
    assert isinstance(only_outcome(waiting), Done)


@pytest.fixture
def hanging_service(
    upload: Upload, wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> WesCouponFileTrigger:
    """
    A trigger of more files than are polled at a time, of a service that replies after 30 s. Its
    deadline is in 0.3 s, and a poll may take 0.2 s longer for each of two rounds of polls.
    """
    monkeypatch.setattr("wes_provider.waits.loop.LAST_POLL", 0.2)
    ids = [upload() for _ in range(CONCURRENT_POLLS + 5)]
    wes_emulator.fail("get_coupon_file", faults.slow(30.0), times=None)
    return trigger(*ids, timeout=0.3)


def test_a_service_that_hangs_holds_no_wait_up_beyond_its_deadline(
    hanging_service: WesCouponFileTrigger,
):
    """All of 55 waits time out, long before the service's replies after 30 s."""
    begin = time.monotonic()
    outcomes = asyncio.run(outcomes_of(hanging_service))
    assert time.monotonic() - begin < 15
    assert len(outcomes) == CONCURRENT_POLLS + 5
    for outcome in outcomes.values():
        check_failure(outcome, WesTimeoutError)


def test_each_wait_for_a_service_that_hangs_is_recorded_as_a_metric(
    hanging_service: WesCouponFileTrigger, mocker: Any
):
    recorded = mocker.patch("wes_provider.waits.loop.record_wait")
    asyncio.run(outcomes_of(hanging_service))
    assert recorded.call_count == CONCURRENT_POLLS + 5


def test_a_trigger_whose_task_has_read_the_file_outlives_two_replies_of_403(
    upload: Upload, wes_emulator: Emulator
):
    wes_emulator.fail("get_coupon_file", faults.error(403), times=2)
    assert isinstance(only_outcome(trigger(upload(), was_read=True)), Done)


def test_a_trigger_whose_task_has_not_read_the_file_is_ended_by_one_reply_of_403(
    upload: Upload, wes_emulator: Emulator
):
    wes_emulator.fail("get_coupon_file", faults.error(403), times=1)
    check_failure(only_outcome(trigger(upload(), was_read=False)), WesForbiddenError)


def test_a_wait_that_is_cancelled_leaves_the_others_alone(upload: Upload, wes_emulator: Emulator):
    """Of two waits over one session, one is cancelled, and the other ends as done."""

    async def main() -> Outcome:
        never, done = upload(outcome="never"), upload(processing_time=0.6)
        cancelled = asyncio.create_task(outcomes_of(trigger(never)))
        other = asyncio.create_task(outcomes_of(trigger(done)))
        await asyncio.sleep(0.2)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        assert not other.done()
        return (await other)[done]

    assert isinstance(asyncio.run(main()), Done)


# -- one session for a connection


class Secrets:
    """
    A secrets backend in place of Airflow's: it has ``wes_default``, whose fields can be changed.

    Waits may read the connection again after 0.1 s, which are 5 s in production.

    :ivar error: raised by each reading; ``None`` to have the connection.
    :ivar reads: how many readings there were.
    """

    def __init__(self, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error: Exception | None = None
        self.reads = 0
        self.rotate(**emulator.connection())
        monkeypatch.setattr("wes_provider.client.polls.READ_AGAIN_AFTER", READ_AGAIN_AFTER)
        for name in {"get_connection", "aget_connection"} & set(dir(BaseHook)):
            monkeypatch.setattr(
                BaseHook, name, self.aget if name == "aget_connection" else self.get
            )

    def rotate(self, **fields: Any) -> None:
        """Change fields of the connection."""
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
    """A secrets backend whose connection leads to the emulator."""
    return Secrets(wes_emulator, monkeypatch)


def begin_many_waits_at_once(upload: Upload) -> None:
    """Run 150 triggers for three files, three times as many as poll at a time."""
    ids = [upload(processing_time=0.5) for _ in range(3)]

    async def main() -> None:
        triggers = [trigger(ids[i % len(ids)]) for i in range(3 * CONCURRENT_POLLS)]
        await asyncio.gather(*map(outcomes_of, triggers))

    asyncio.run(main())


def test_waits_of_a_connection_read_it_once(upload: Upload, secrets: Secrets):
    begin_many_waits_at_once(upload)
    assert secrets.reads == 3 + 1, "each of 3 uploads, and all waits together"


def test_waits_of_a_connection_share_a_session(
    upload: Upload, wes_emulator: Emulator, sessions_of_polls: list[aiohttp.ClientSession]
):
    begin_many_waits_at_once(upload)
    assert len(sessions_of_polls) == 1


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what has no event, such as a request to the emulator: 30 s at most."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


class Refused(NamedTuple):
    """
    How waits of a connection went whose key was refused for a while.

    :ivar refused: how many polls got 401.
    :ivar reads: of the connection, altogether.
    """

    outcomes: list[Outcome]
    refused: int
    reads: int


WAITS = 20
REFUSED_OFTEN = 5 * WAITS


def rotate_key(
    upload: Upload, emulator: Emulator, secrets: Secrets, log: pytest.LogCaptureFixture
) -> Refused:
    """
    Have 20 waits read a file, rotate the service's key, and after 100 refused polls the
    connection's; then the file is processed.

    :param secrets: its ``error`` counts while the keys differ.
    """
    problem, secrets.error = secrets.error, None
    file_id = upload(outcome="never")
    log.set_level(logging.INFO, "wes_provider.waits.loop")

    def refused() -> int:
        polls = emulator.requests_for("get_coupon_file")
        return sum(poll.status == 401 for poll in polls)

    async def main() -> list[Outcome]:
        waits = [asyncio.create_task(outcomes_of(trigger(file_id))) for _ in range(WAITS)]
        # Each logs the first status that it has read.
        await until(lambda: sum("PENDING" in line for line in log.messages) == WAITS)
        secrets.error = problem
        reads = secrets.reads
        emulator.configure(api_key="rotated-key")
        await until(lambda: refused() >= REFUSED_OFTEN and secrets.reads > reads)
        secrets.rotate(password="rotated-key")
        secrets.error = None
        emulator.script(list_id="l", processing_time=0.0)
        return [outcomes[file_id] for outcomes in await asyncio.gather(*waits)]

    outcomes = asyncio.run(main())
    return Refused(outcomes, refused(), secrets.reads)


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(None, id="the old key can be read"),
        pytest.param(AirflowNotFoundException("gone"), id="the connection is not found"),
        pytest.param(ConnectionError("away"), id="the backend cannot be reached"),
    ],
)
def test_waits_outlive_a_rotated_key_whatever_the_backend_has_meanwhile(
    upload: Upload,
    wes_emulator: Emulator,
    secrets: Secrets,
    problem: Exception | None,
    caplog: pytest.LogCaptureFixture,
):
    secrets.error = problem
    refusal = rotate_key(upload, wes_emulator, secrets, caplog)
    assert [type(outcome) for outcome in refusal.outcomes] == [Done] * WAITS


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(None, id="the old key can be read"),
        pytest.param(ConnectionError("away"), id="the backend cannot be reached"),
    ],
)
def test_refused_waits_read_the_connection_for_all_of_them(
    upload: Upload,
    wes_emulator: Emulator,
    secrets: Secrets,
    problem: Exception | None,
    caplog: pytest.LogCaptureFixture,
):
    """20 waits with 100 refused polls read it less than 40 times."""
    secrets.error = problem
    refusal = rotate_key(upload, wes_emulator, secrets, caplog)
    assert refusal.refused >= REFUSED_OFTEN
    assert refusal.reads < 2 * WAITS


def test_what_a_backend_raises_is_not_logged_by_waits(
    upload: Upload, wes_emulator: Emulator, secrets: Secrets, caplog: pytest.LogCaptureFixture
):
    """The kind of the error is, and its text is not, which may quote a secret."""
    secrets.error = ConnectionError("s3cret of a backend")
    rotate_key(upload, wes_emulator, secrets, caplog)
    assert "The connection cannot be read: ConnectionError" in caplog.text
    assert "s3cret" not in caplog.text


@asynccontextmanager
async def joined(secrets: Secrets) -> AsyncIterator[PollClient]:
    """A client that one wait uses, as long as the context lasts."""

    async def read_settings() -> WesSettings:
        return WesSettings.from_connection(secrets.get("wes_default"))

    client = PollClient.join("wes_default", read_settings)
    try:
        yield client
    finally:
        await client.leave()


def test_a_poll_fails_if_the_secrets_backend_hangs(
    wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    """After 0.2 s, which are 60 s in production, and long before the backend replies."""

    async def hang() -> WesSettings:
        await asyncio.sleep(60)
        raise AssertionError

    async def main() -> None:
        client = PollClient.join("wes_default", hang)
        begin = time.monotonic()
        with pytest.raises(WesUnreadableConnectionError, match="cannot be read: TimeoutError"):
            await client.poll("l", "f")
        assert time.monotonic() - begin < 30
        await client.leave()

    monkeypatch.setattr("wes_provider.client.polls.LONGEST_READING", 0.2)
    asyncio.run(main())


def test_a_connection_is_found_that_only_the_process_itself_knows(
    upload: Upload, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
):
    """In ``dags test`` of Airflow 3, ``aget_connection`` fails and ``get_connection`` succeeds."""

    async def away(conn_id: str) -> Connection:
        raise AirflowNotFoundException(conn_id)

    monkeypatch.setattr(BaseHook, "aget_connection", away, raising=False)
    assert isinstance(only_outcome(trigger(upload())), Done)


def test_a_wait_that_begins_while_the_last_one_leaves_opens_a_session_of_its_own(
    upload: Upload, secrets: Secrets, sessions_of_polls: list[aiohttp.ClientSession]
):
    """It polls well, though the first session is closed meanwhile."""

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
    assert len(sessions_of_polls) == 2


def test_a_corrected_connection_counts_for_a_wait_that_begins_and_for_the_one_under_way(
    upload: Upload, secrets: Secrets
):
    """The first wait polls a port where nothing listens, until the second reads the connection."""

    async def main() -> list[Outcome]:
        secrets.rotate(host="http://127.0.0.1:9")
        first = asyncio.create_task(outcomes_of(trigger(file_id, timeout=60.0)))
        await until(lambda: secrets.reads > reads)
        await asyncio.sleep(2 * READ_AGAIN_AFTER)
        secrets.rotate(host=host)
        second = await outcomes_of(trigger(file_id, timeout=60.0))
        return [(await first)[file_id], second[file_id]]

    file_id, host, reads = upload(), secrets.fields["host"], secrets.reads
    assert [type(outcome) for outcome in asyncio.run(main())] == [Done, Done]


def test_waits_poll_less_often_if_there_are_many(
    upload: Upload, wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch
):
    """
    20 waits that may send 10 polls a second together poll every 2 s each, so in the 0.6 s until
    their deadline only at first and at its end; a wait that was alone would poll six times or more.
    """
    timeout = 0.6

    async def main() -> None:
        file_id = upload(outcome="never")
        triggers = [trigger(file_id, timeout=timeout, poll_interval=60.0) for _ in range(WAITS)]
        await asyncio.gather(*map(outcomes_of, triggers))

    monkeypatch.setattr("wes_provider.waits.decision.POLLS_PER_SECOND", 10)
    asyncio.run(main())
    assert wes_emulator.counts["get_coupon_file"] < 3 * WAITS


def test_fifty_polls_of_a_connection_are_under_way_at_most(
    upload: Upload, wes_emulator: Emulator, secrets: Secrets
):
    """Of 100 polls whose replies take 0.6 s each, 50 at most are received within 0.5 s."""

    async def main() -> None:
        async with joined(secrets) as client:
            await asyncio.gather(*(client.poll("l", file_id) for _ in range(100)))

    file_id = upload()
    wes_emulator.fail("get_coupon_file", faults.slow(0.6), times=None)
    asyncio.run(main())
    times = [request.time for request in wes_emulator.requests_for("get_coupon_file")]
    assert len(times) == 100
    assert sum(moment < min(times) + 0.5 for moment in times) <= 50


def test_a_poll_under_way_ends_well_if_the_connection_changes(
    upload: Upload,
    wes_emulator: Emulator,
    secrets: Secrets,
    sessions_of_polls: list[aiohttp.ClientSession],
):
    """A second session is opened, and the reply to the poll still arrives over the first one."""

    async def main() -> CouponFile:
        async with joined(secrets) as client:
            await client.refresh()
            poll = asyncio.create_task(client.poll("l", file_id))
            await asyncio.sleep(2 * READ_AGAIN_AFTER)
            secrets.rotate(extra=json.dumps({"read_timeout": 30}))
            await client.refresh()
            assert len(sessions_of_polls) == 2
            assert not poll.done()
            return await poll

    file_id = upload()
    wes_emulator.fail("get_coupon_file", faults.slow(0.6))
    assert asyncio.run(main()).id == file_id


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_poll_is_repeated_once_the_connection_has_changed(
    upload: Upload, wes_emulator: Emulator, secrets: Secrets, status: int
):
    """A poll is refused, reads the connection, which has changed, and is sent with that."""

    async def main() -> CouponFile:
        async with joined(secrets) as client:
            await client.refresh()
            secrets.rotate(extra=json.dumps({"read_timeout": 30}))
            await asyncio.sleep(2 * READ_AGAIN_AFTER)
            return await client.poll("l", file_id)

    file_id = upload()
    wes_emulator.fail("get_coupon_file", faults.error(status), times=1)
    assert asyncio.run(main()).id == file_id


async def poll_when_read_again(client: PollClient, file_id: str) -> type[WesError] | None:
    """Poll when the connection may be read again; ``None`` if that went well."""
    await asyncio.sleep(2 * READ_AGAIN_AFTER)
    try:
        await client.poll("l", file_id)
    except WesError as error:
        return type(error)
    return None


def test_a_connection_that_was_away_is_read_again_by_the_next_poll(
    upload: Upload, secrets: Secrets
):
    """The first poll fails as the connection cannot be read; the second, when it can, succeeds."""

    async def main() -> list[type[WesError] | None]:
        async with joined(secrets) as client:
            secrets.error = ConnectionError("away")
            first = await poll_when_read_again(client, file_id)
            secrets.error = None
            return [first, await poll_when_read_again(client, file_id)]

    file_id = upload()
    assert asyncio.run(main()) == [WesUnreadableConnectionError, None]


def test_a_refused_key_counts_once_the_connection_can_be_read(
    upload: Upload, wes_emulator: Emulator, secrets: Secrets
):
    """
    A refused poll fails as the connection cannot be read, since that may have another key; the
    next one, when it has the same key, as the key is refused.
    """

    async def main() -> list[type[WesError] | None]:
        async with joined(secrets) as client:
            await client.poll("l", file_id)
            wes_emulator.configure(api_key="another-key")
            secrets.error = ConnectionError("away")
            first = await poll_when_read_again(client, file_id)
            secrets.error = None
            return [first, await poll_when_read_again(client, file_id)]

    file_id = upload()
    assert asyncio.run(main()) == [WesUnreadableConnectionError, WesAuthenticationError]


# -- what crosses from one process to another


STORED = {
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
"""What Airflow stores of a trigger: no secret, and a change needs another version."""


def test_airflow_stores_the_arguments_of_a_trigger_and_their_version(wes_emulator: Emulator):
    waiting = trigger(
        "f1", coupon_files={"f1": 12.5}, deadline=99.0, poll_interval=1.0, was_read=True
    )
    assert waiting.serialize() == ("wes_provider.triggers.WesCouponFileTrigger", STORED)


def test_a_stored_argument_of_a_newer_version_is_ignored(wes_emulator: Emulator):
    stored = json.loads(json.dumps({**STORED, "of_a_newer_version": 1}))
    _, arguments = WesCouponFileTrigger(**stored).serialize()
    assert arguments == STORED


def test_a_trigger_waits_as_its_task_said(mocker: Any):
    """Each argument of the trigger arrives in the wait for the file."""
    waiting = mocker.patch("wes_provider.triggers.wait_for_files", return_value={})
    given = {"coupon_files": {"f": 1.0}, "deadline": 2.0, "poll_interval": 3.0, "was_read": True}
    asyncio.run(outcomes_of(trigger(statuses={"success": ["A"]}, **given)))
    assert waiting.call_args.args[1] == [
        CouponFileWait(
            "l",
            "f",
            started=1.0,
            deadline=2.0,
            poll_interval=3.0,
            statuses=Statuses(success=frozenset("A")),
            outlives_refused_key=True,
        )
    ]


def test_a_trigger_spreads_its_first_polls(mocker: Any):
    """Since thousands of triggers may begin at the same moment."""
    waiting = mocker.patch("wes_provider.triggers.wait_for_files", return_value={})
    asyncio.run(outcomes_of(trigger("f")))
    assert waiting.call_args.kwargs == {"spread": True}


PROCESSED = Done(CouponFile("f1", "l", status="SUCCESS", counts={"added": 3}))
TIMED_OUT = Failed(WesTimeoutError("Not processed (f)\nadvice", reason="Not processed"))
NOT_FOUND = Failed(
    WesNotFoundError("404 (f)", reason="404", status_code=404, code="none", request_id="r")
)
FAILURES = [
    pytest.param(TIMED_OUT, id="timed out, an error without a status"),
    pytest.param(NOT_FOUND, id="not found, an error with status, code and request"),
]
EVENTS = pytest.mark.parametrize(
    "newer", [False, True], ids=["as it was sent", "with keys of a newer version"]
)


def event_of(outcome: Outcome, *, newer: bool) -> Any:
    """The event of the file ``f1``, as Airflow keeps it; perhaps with keys that nobody knows."""
    event = json.loads(json.dumps(dump_outcomes({"f1": outcome})))
    assert event["version"] == 1
    if newer:
        event["of_a_newer_version"] = event["files"]["f1"]["of_a_newer_version"] = 1
    return event


@EVENTS
def test_a_processed_file_arrives_with_all_its_fields(newer: bool):
    assert load_outcomes(event_of(PROCESSED, newer=newer)) == {"f1": PROCESSED}


@EVENTS
@pytest.mark.parametrize("sent", FAILURES)
def test_a_failure_arrives_with_the_class_message_and_attributes_of_its_error(
    sent: Failed, newer: bool
):
    (arrived,) = load_outcomes(event_of(sent, newer=newer)).values()
    assert isinstance(arrived, Failed)
    assert type(arrived.error) is type(sent.error)
    assert (str(arrived.error), vars(arrived.error)) == (str(sent.error), vars(sent.error))


FAILED_FILE = CouponFile("f1", "l", status="FAILED", counts={"rows": 2}, reason="row 3")


def event_of_failed_file() -> dict[str, Any]:
    """The event of a file that failed, with a message of 5000 characters."""
    error = WesCouponFileFailedError("x" * 5000, FAILED_FILE.summary())
    return dump_outcomes({"f1": Failed(error)})


def test_the_event_of_a_failed_file_does_not_hold_its_message():
    """It is below 300 characters, since Airflow logs it in one line."""
    assert len(json.dumps(event_of_failed_file())) < 300


def test_the_message_about_a_failed_file_is_made_by_the_worker():
    """Of status, reason and identifiers in the event, and the advice of the worker's task."""
    (arrived,) = load_outcomes(event_of_failed_file(), "Do this.").values()
    assert isinstance(arrived, Failed)
    assert str(arrived.error) == "FAILED: row 3 (f1 of list l)\nDo this.\nCoupon file: f1"


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(None, id="none"),
        pytest.param({}, id="no files"),
        pytest.param([], id="a list"),
        pytest.param("x", id="a string"),
        pytest.param({"files": 1}, id="files are a number"),
        pytest.param({"files": {"f": 1}}, id="a file is a number"),
    ],
)
def test_an_event_that_cannot_be_read_is_an_error(event: Any):
    with pytest.raises(WesError, match="event cannot be read"):
        load_outcomes(event)


SOON = 0.2  # seconds until a limit is over


def fire(waiting: WesResetTrigger) -> dict[str, Any]:
    """Run a trigger, as Airflow stores it, to its only event."""
    path, arguments = waiting.serialize()
    assert path == "wes_provider.triggers.WesResetTrigger"

    async def main() -> list[Any]:
        stored = json.loads(json.dumps(arguments))
        return [event.payload async for event in WesResetTrigger(**stored).run()]

    (event,) = asyncio.run(main())
    return dict(event)


def test_the_trigger_of_a_limit_passes_on_what_was_done():
    event = fire(WesResetTrigger(moment=time.time() - 1.0, state={"done": [1]}))
    assert event["state"] == {"done": [1]}


def test_the_trigger_of_a_limit_fires_at_its_moment_and_tells_how_long_it_waited():
    moment = time.time() + SOON
    event = fire(WesResetTrigger(moment=moment, state={}))
    assert time.time() >= moment
    assert SOON / 2 < event["waited"] < 30


# -- on a worker


@pytest.fixture
def operator(upload: Upload) -> WesUploadCouponFileOperator:
    """An operator on a worker, which has read its connection."""
    operator = WesUploadCouponFileOperator(
        task_id="t", coupon_list_id="l", file_url="https://h.example.com/c.csv"
    )
    assert operator.hook.settings.api_key
    return operator


def wait_for(file_id: str, started: float = 0.0) -> CouponFileWait:
    """
    A wait for a file of the list ``l``, for a minute from now.

    :param started: seconds from now; the longer ago, the longer the pauses between polls.
    """
    now = time.time()
    return CouponFileWait("l", file_id, started=now + started, deadline=now + 60)


def test_a_worker_waits_with_a_key_that_was_rotated_after_its_upload(
    upload: Upload,
    wes_emulator: Emulator,
    operator: WesUploadCouponFileOperator,
    monkeypatch: pytest.MonkeyPatch,
):
    """It reads the connection again, as a trigger does, until the file is processed."""
    file_id = upload(processing_time=0.3)
    wes_emulator.configure(api_key="rotated-key")
    monkeypatch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(wes_emulator.connection()))
    assert isinstance(operator.wait_here([wait_for(file_id)])[file_id], Done)


def test_a_task_that_is_killed_stops_waiting_on_its_worker(
    upload: Upload, operator: WesUploadCouponFileOperator
):
    """Killed after 0.3 s, it ends at once, though its deadline and its next poll are far away."""
    file_id = upload(outcome="never")
    kill = threading.Timer(0.3, operator.on_kill)
    kill.start()
    begin = time.monotonic()
    with pytest.raises(WesError, match="Stopped waiting"):
        operator.wait_here([wait_for(file_id, started=-900.0)])
    assert time.monotonic() - begin < 20
    kill.join()


def test_a_task_that_is_killed_after_its_wait_ends_without_an_error(
    upload: Upload, operator: WesUploadCouponFileOperator
):
    file_id = upload()
    assert isinstance(operator.wait_here([wait_for(file_id)])[file_id], Done)
    operator.on_kill()
