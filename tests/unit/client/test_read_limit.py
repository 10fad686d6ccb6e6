"""Reads that the service would refuse are kept back, list by list, until its headers let them go on."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from wes_provider.client.operations import Operation, Request, Response
from wes_provider.client.read_limit import ReadLimit
from wes_provider.exceptions import WesRateLimitError

if TYPE_CHECKING:
    from pytest_mock import MockerFixture


class Clock:
    """Time that tests move."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(mocker: MockerFixture) -> Clock:
    return mocker.patch("wes_provider.client.read_limit.time", Clock())


def read(coupon_list_id: str = "list") -> Request:
    return Request("get_coupon_file", "GET", "https://h.example/f", {}, coupon_list_id=coupon_list_id)


def response(status: int = 200, *, seconds: float | None = 30, **counts: Any) -> Response:
    """One whose headers say that the limit resets in so many seconds."""
    headers = {f"x-ratelimit-{name}": str(count) for name, count in counts.items()}
    if seconds is not None:
        headers["x-ratelimit-reset"] = f"{datetime.now(timezone.utc).timestamp() + seconds:.0f}"
    return Response(status, headers, b"")


def allowed(limit: ReadLimit, coupon_list_id: str = "list", most: int = 9) -> int:
    """How many reads pass before one is kept back."""
    for number in range(most):
        try:
            limit.check(read(coupon_list_id))
        except WesRateLimitError:
            return number
    return most


def test_as_many_reads_pass_as_the_headers_leave_and_more_after_the_reset(clock: Clock):
    limit = ReadLimit()
    limit.record(read(), response(remaining=2))
    assert allowed(limit) == 2
    clock.now += 28
    assert allowed(limit) == 0
    clock.now += 4
    assert allowed(limit) == 9


def test_a_refusal_keeps_all_reads_of_its_list_back_until_the_reset_and_says_when_that_is(clock: Clock):
    limit = ReadLimit()
    limit.record(read(), response(429, seconds=3000, remaining=5))
    with pytest.raises(WesRateLimitError, match=r"^No more reads of the list before \d\d:\d\d:\d\d UTC") as caught:
        limit.check(read())
    assert caught.value.remaining == 0
    assert caught.value.reset_at is not None
    left = caught.value.reset_at - datetime.now(timezone.utc)
    assert timedelta(seconds=2990) < left <= timedelta(seconds=3002)
    assert allowed(limit, "other list") == 9
    clock.now += 2990
    assert allowed(limit) == 0


def test_a_refusal_keeps_reads_back_for_an_hour_at_most(clock: Clock):
    limit = ReadLimit()
    limit.record(read(), response(429, seconds=80_000))
    clock.now += 3599
    assert allowed(limit) == 0
    clock.now += 1
    assert allowed(limit) == 9


def test_a_response_that_is_no_refusal_keeps_reads_back_for_a_minute_at_most(clock: Clock):
    limit = ReadLimit()
    limit.record(read(), response(seconds=3600, remaining=0))
    clock.now += 59.9
    assert allowed(limit) == 0
    clock.now += 0.1
    assert allowed(limit) == 9


def test_reads_that_are_running_may_not_be_counted_yet(clock: Clock):
    limit = ReadLimit()
    reads = [read(), read(), read("other list")]
    for request in reads:
        limit.begin(request)
    limit.record(read(), response(remaining=3))
    assert allowed(limit) == 2
    for request in reads:
        limit.end(request)
    limit.record(read(), response(remaining=3))
    assert allowed(limit) == 3


@pytest.mark.parametrize(
    "later",
    [response(remaining="many"), response(seconds=None, remaining=0), response(429, seconds=None)],
    ids=["no count", "no reset", "a refusal without a reset"],
)
def test_a_limit_that_headers_no_longer_explain_is_over(clock: Clock, later: Response):
    limit = ReadLimit()
    limit.record(read(), later)
    limit.record(read(), response(remaining=0))
    limit.record(read(), later)
    assert allowed(limit) == 9


def test_a_response_without_counts_changes_nothing(clock: Clock):
    limit = ReadLimit()
    limit.record(read(), response(remaining=0))
    limit.record(read(), response())
    assert allowed(limit) == 0


def test_an_operation_that_records_gives_what_it_reads(clock: Clock):
    limit = ReadLimit()
    operation = limit.recording(Operation(read(), lambda response: response.status_code))
    assert operation.request == read()
    assert operation.read(response(remaining=1)) == 200
    assert allowed(limit) == 1
