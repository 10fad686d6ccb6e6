"""What a limit of reads means for polls, by the worker's client and by the triggerer's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from typing import TypeAlias

import pytest

from support.wes_driver import Driver
from wes_provider.client.async_client import AsyncWesClient
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesRateLimitError
from wes_provider.hooks import WesHook
from wes_provider.models import CouponFile
from wes_provider.polling import Polled
from wes_provider.sensors import WesCouponFileSensor
from wes_provider.triggers import _poll

FETCH = "get_coupon_file"
Poll: TypeAlias = Callable[..., Polled]


@pytest.fixture
def poll(driver: Driver) -> Iterator[Poll]:
    """Polls a file of a list over one client; ``left`` is seconds until the deadline."""
    if driver.name == "requests":
        task = WesCouponFileSensor(task_id="wait", coupon_list_id="l", coupon_file_id="f")
        yield lambda list_id, file_id, left=60.0: task._poll(list_id, [file_id], left)[0]  # noqa: SLF001 - no task run
        return
    loop = asyncio.new_event_loop()
    client = loop.run_until_complete(AsyncWesClient(driver.settings).__aenter__())
    polling = driver.operations.poll_coupon_file
    yield lambda list_id, file_id, left=60.0: loop.run_until_complete(_poll(client, polling(list_id, file_id), left))
    loop.run_until_complete(client.__aexit__())
    loop.close()


def uploaded(list_id: str) -> str:
    return str(WesHook().upload_coupon_file(list_id, "https://files.example.com/c.csv")["_id"])


def test_a_refused_read_keeps_all_reads_of_its_list_back_until_the_reset(wes_emulator: Emulator, poll: Poll):
    one, two, other = uploaded("l"), uploaded("l"), uploaded("other")
    wes_emulator.fail(FETCH, faults.rate_limited(reset_in=600), times=1)
    for file_id in (one, two, one, two):
        refused = poll("l", file_id)
        assert isinstance(refused, WesRateLimitError)
        assert refused.reset_at is not None
    assert wes_emulator.counts[FETCH] == 1
    assert isinstance(poll("other", other), CouponFile)  # a list has a limit of its own
    assert isinstance(poll("l", one, left=0.0), CouponFile)  # the last poll before a deadline is sent anyway
    assert wes_emulator.counts[FETCH] == 3


def test_a_read_that_was_the_last_of_its_window_keeps_the_next_one_back_for_a_minute(
    wes_emulator: Emulator, poll: Poll
):
    file_id = uploaded("l")
    wes_emulator.configure(limits={FETCH: [[2, 3600]]}, rate_limit_headers="all")
    assert isinstance(poll("l", file_id), CouponFile)
    assert isinstance(poll("l", file_id), CouponFile)
    kept_back = poll("l", file_id)
    assert isinstance(kept_back, WesRateLimitError)
    assert str(kept_back).startswith("No more reads of the list before")
    assert kept_back.reset_at is not None
    assert (kept_back.reset_at - datetime.now(timezone.utc)).total_seconds() <= 60
    assert [request.status for request in wes_emulator.requests_for(FETCH)] == [200, 200]
