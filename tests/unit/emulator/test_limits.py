"""The limits of contract section 8, their windows, and the headers of section 7."""

from __future__ import annotations

from typing import Any

import pytest
from multidict import CIMultiDict

from support.emulator_calls import MIDNIGHT, Caller, right_headers
from wes_provider.emulator.checks import Reply

LIMIT, REMAINING, RESET = "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"


def quota(reply: Reply) -> tuple[str | None, str | None, str | None]:
    """The three headers."""
    return reply.headers.get(LIMIT), reply.headers.get(REMAINING), reply.headers.get(RESET)


def upload_many(caller: Caller, number: int, list_id: str = "list-1") -> list[int]:
    return [caller.upload(list_id).status for _ in range(number)]


def test_a_list_takes_five_files_a_minute_from_one_full_minute_to_the_next() -> None:
    caller = Caller(MIDNIGHT + 59.5)
    assert upload_many(caller, 5) == [201] * 5
    refused = caller.upload()
    assert (refused.status, quota(refused), refused.body) == (429, ("5", "0", "1699920060"), b"")
    assert len(caller.service.files("list-1")) == 5
    caller.service.clock.advance(0.25)
    assert caller.upload().status == 429
    caller.service.clock.advance(0.25)
    assert upload_many(caller, 6) == [201] * 5 + [429]


def test_rolling_window_opens_a_minute_after_the_request_that_leaves_it() -> None:
    caller = Caller(MIDNIGHT, window_policy="rolling")
    caller.upload()
    caller.service.clock.advance(30.5)
    upload_many(caller, 4)
    assert quota(caller.upload()) == ("5", "0", "1699920060")
    caller.service.clock.advance(29.25)
    assert caller.upload().status == 429
    caller.service.clock.advance(0.25)
    assert upload_many(caller, 2) == [201, 429]
    assert quota(caller.upload()) == ("5", "0", "1699920091")  # 30.5 + 60, rounded up


def test_a_list_takes_fifty_files_a_day() -> None:
    caller = Caller()
    for _ in range(10):
        assert upload_many(caller, 5) == [201] * 5
        caller.service.clock.advance(60)
    refused = caller.upload()
    assert refused.status == 429
    assert quota(refused) == ("50", "0", "1700006400")
    caller.service.clock.advance(86400 - 600)
    assert caller.upload().status == 201


def test_a_hundred_catalogs_a_minute_and_a_thousand_an_hour() -> None:
    caller = Caller()
    names = iter(range(10_000))

    def create(number: int) -> list[Reply]:
        return [caller.create_catalog(name=f"catalog {next(names)}") for _ in range(number)]

    assert {reply.status for reply in create(100)} == {201}
    (refused,) = create(1)
    assert (refused.status, quota(refused)) == (429, ("100", "0", "1699920060"))
    for _ in range(9):
        caller.service.clock.advance(60)
        assert {reply.status for reply in create(100)} == {201}
    caller.service.clock.advance(60)
    (refused,) = create(1)
    assert (refused.status, quota(refused)) == (429, ("1000", "0", "1699923600"))


@pytest.mark.parametrize("headers", [right_headers(), CIMultiDict()], ids=["400", "401"])
def test_refused_requests_do_not_count(headers: CIMultiDict[str]) -> None:
    caller = Caller()
    for _ in range(9):
        caller.send("POST", "/v1/coupon-list/list-1/files", {"file_url": ""}, headers=headers)
    assert upload_many(caller, 6) == [201] * 5 + [429]
    upload_many(caller, 9)  # nor do those that the limit refuses
    caller.service.clock.advance(60)
    assert upload_many(caller, 6) == [201] * 5 + [429]


def test_limits_can_be_taken_away() -> None:
    assert set(upload_many(Caller(limits=None), 200)) == {201}
    assert set(upload_many(Caller(limits={"upload_coupon_file": []}), 200)) == {201}


@pytest.mark.parametrize(
    "windows", [{"window_policy": "fixed", "window_offset": 0.5}, {"window_policy": "rolling"}], ids=str
)
def test_reset_between_two_seconds_is_rounded_up(windows: dict[str, Any]) -> None:
    """So that a client that waits for it is never early."""
    caller = Caller(MIDNIGHT + 0.5, **windows)
    upload_many(caller, 5)
    assert quota(caller.upload()) == ("5", "0", "1699920061")
    caller.service.clock.advance(1699920061 - caller.service.clock.now())
    assert caller.upload().status == 201


def test_headers_can_stand_on_all_answers_with_the_tightest_window() -> None:
    caller = Caller(rate_limit_headers="all")
    left = ["4", "3", "2", "1", "0", "0"]
    assert [quota(caller.upload()) for _ in range(6)] == [("5", one, "1699920060") for one in left]
    caller.service.clock.advance(60)
    assert quota(caller.send("POST", "/v1/coupon-list/list-1/files", {})) == ("5", "5", "1699920120")  # the 400's
    for _ in range(8):
        upload_many(caller, 5)
        caller.service.clock.advance(60)
    upload_many(caller, 3)
    assert quota(caller.upload()) == ("50", "1", "1700006400")
    assert quota(caller.create_catalog()) == ("100", "99", "1699920600")
    assert quota(caller.list()) == (None, None, None)
