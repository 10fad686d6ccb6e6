"""The trigger on an event loop, against the emulator; Airflow's part is in ``airflow/test_waiting.py``."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import BaseHook

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
    outcomes = asyncio.run(event_of(trigger(*files, timeout=2)))
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
    assert "no answer within" in str(late.error)


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
    before = wes_emulator.counts["connections"]

    async def main() -> list[dict[str, Outcome]]:
        return await asyncio.gather(*(event_of(trigger(file_id, poll_interval=2)) for _ in range(1000)))

    assert all(isinstance(outcomes[file_id], Done) for outcomes in asyncio.run(main()))
    assert len(looked_up) == 1
    assert wes_emulator.counts["connections"] - before <= 20


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


def test_a_connection_that_is_gone_ends_the_wait(upload):
    gone = outcome(trigger(upload(), wes_conn_id="wes_gone"))
    assert not isinstance(gone, Done)
    assert isinstance(gone.error, WesConfigurationError)
    assert "'wes_gone' is not defined" in str(gone.error)


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


def test_waits_of_a_limited_service_provoke_no_refusal(upload, wes_emulator):
    wes_emulator.configure(limits={"get_coupon_file": [[5, 2.0]]}, rate_limit_headers="all")
    file_id = upload()

    async def main() -> list[dict[str, Outcome]]:
        return await asyncio.gather(*(event_of(trigger(file_id, poll_interval=0.1)) for _ in range(12)))

    assert all(isinstance(outcomes[file_id], Done) for outcomes in asyncio.run(main()))
    assert {request.status for request in wes_emulator.requests_for("get_coupon_file")} == {200}


def test_a_long_wait_writes_no_line_a_poll(upload, caplog):
    file_id = upload(statuses=[["PENDING", 2.0], ["CHEWING", 2.0]])
    with caplog.at_level(logging.INFO, logger="wes_provider"):
        assert isinstance(outcome(trigger(file_id, poll_interval=0.05)), Done)
    lines = [record.getMessage() for record in caplog.records if record.name == "wes_provider.triggers"]
    assert len(lines) == 2
    assert lines[0].startswith("PENDING (coupons.csv, ")
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
