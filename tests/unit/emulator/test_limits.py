"""
How many requests the emulator allows (contract, section 8). A list takes five files in a minute
of the clock and fifty in a day, and a workspace makes 100 catalogs in a minute and 1,000 in an
hour; with ``window_policy="rolling"``, a minute begins with its first request instead. A request
beyond them gets 429 without a body, with the headers of the contract (section 7): of the limit
that resets last, if both refuse. Requests that are refused, for whatever reason, use up nothing.
A success has headers of the limit only if they are set for all responses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, NamedTuple

import pytest
from multidict import CIMultiDict

from unit.emulator.conftest import CATALOG, FILES, MIDNIGHT, SEGMENT, UPLOAD, Caller
from wes_provider.emulator.replies import Reply

A_MINUTE_LATER = "1699920060"
A_DAY_LATER = "1700006400"
"""After ``MIDNIGHT``, at which the clock of a caller stands."""


def quota(reply: Reply) -> tuple[str | None, ...]:
    """The headers of the limit: how many requests, how many are left, and when it resets."""
    return tuple(
        reply.headers.get(f"x-ratelimit-{name}") for name in ("limit", "remaining", "reset")
    )


def upload_many(caller: Caller, number: int) -> list[int]:
    return [caller.upload().status for _ in range(number)]


def test_a_list_takes_five_files_a_minute() -> None:
    caller = Caller()
    assert upload_many(caller, 6) == [201] * 5 + [429]


def test_files_that_a_limit_refuses_are_not_in_the_list() -> None:
    caller = Caller()
    upload_many(caller, 6)
    assert len(caller.service.files("list-1")) == 5


def test_a_refusal_has_the_headers_of_the_contract() -> None:
    caller = Caller()
    upload_many(caller, 5)
    assert quota(caller.upload()) == ("5", "0", A_MINUTE_LATER)


def test_a_refusal_has_no_body() -> None:
    caller = Caller()
    upload_many(caller, 5)
    assert caller.upload().body == b""


def test_a_limit_opens_with_the_full_minute_of_the_clock() -> None:
    caller = Caller(MIDNIGHT + 59.5)
    upload_many(caller, 5)
    caller.service.clock.advance(0.25)
    assert caller.upload().status == 429
    caller.service.clock.advance(0.25)
    assert upload_many(caller, 6) == [201] * 5 + [429]


def test_a_rolling_window_opens_a_minute_after_the_request_that_leaves_it() -> None:
    caller = Caller(window_policy="rolling")
    caller.upload()
    caller.service.clock.advance(30)
    upload_many(caller, 4)
    caller.service.clock.advance(29.75)
    assert caller.upload().status == 429
    caller.service.clock.advance(0.25)
    assert upload_many(caller, 2) == [201, 429]


def test_the_reset_of_a_rolling_window_is_rounded_up() -> None:
    caller = Caller(MIDNIGHT + 30.5, window_policy="rolling")
    upload_many(caller, 5)
    assert quota(caller.upload()) == ("5", "0", "1699920091")


class Longer(NamedTuple):
    """
    An operation with two limits: one of a minute, and a longer one of ten times as many requests.

    :ivar send: sends the request with this number.
    :ivar a_minute: how many requests a minute allows.
    :ivar seconds: of the longer limit.
    """

    name: str
    send: Callable[[Caller, int], Reply]
    a_minute: int
    seconds: int


LONGER = [
    Longer("fifty files a day", lambda caller, _: caller.upload(), a_minute=5, seconds=86400),
    Longer(
        "a thousand catalogs an hour",
        lambda caller, number: caller.create_catalog(name=f"catalog {number}"),
        a_minute=100,
        seconds=3600,
    ),
]
of_longer_limits = pytest.mark.parametrize("row", LONGER, ids=[row.name for row in LONGER])


def use_up_longer(row: Longer) -> Caller:
    """A caller whose longer limit is used up ten minutes after it began, as a new minute begins."""
    caller = Caller()
    numbers = count()
    for _ in range(10):
        statuses = {row.send(caller, next(numbers)).status for _ in range(row.a_minute)}
        assert statuses == {201}
        caller.service.clock.advance(60)
    return caller


@of_longer_limits
def test_the_longer_limit_refuses_when_the_minutes_one_is_open(row: Longer) -> None:
    refused = row.send(use_up_longer(row), 1000)
    assert refused.status == 429
    assert quota(refused) == (str(10 * row.a_minute), "0", str(int(MIDNIGHT) + row.seconds))


@of_longer_limits
def test_the_longer_limit_opens_when_its_hour_or_day_ends(row: Longer) -> None:
    caller = use_up_longer(row)
    caller.service.clock.advance(row.seconds - 600 - 1)
    assert row.send(caller, 1000).status == 429
    caller.service.clock.advance(1)
    assert row.send(caller, 1000).status == 201


def test_if_both_limits_refuse_the_headers_are_of_the_one_that_resets_last() -> None:
    caller = Caller()
    for _ in range(9):
        upload_many(caller, 5)
        caller.service.clock.advance(60)
    upload_many(caller, 5)
    assert quota(caller.upload()) == ("50", "0", A_DAY_LATER)
    beyond = caller.service.state.log[-1].beyond
    assert beyond is not None
    assert (beyond.requests, beyond.seconds, str(int(beyond.reset))) == (50, 86_400, A_DAY_LATER)


def test_requests_that_the_limit_refuses_do_not_count() -> None:
    """The limit of a day is fifty: ten minutes have five each, and ten that are refused."""
    caller = Caller()
    for _ in range(10):
        assert upload_many(caller, 15) == [201] * 5 + [429] * 10
        caller.service.clock.advance(60)


@pytest.mark.parametrize(
    "limits", [None, {"upload_coupon_file": []}], ids=["all", "of one operation"]
)
def test_limits_can_be_taken_away(limits: dict[str, list[Any]] | None) -> None:
    assert upload_many(Caller(limits=limits), 60) == [201] * 60


def test_a_success_has_no_headers_of_limits() -> None:
    assert quota(Caller().upload()) == (None, None, None)


def test_with_headers_on_all_responses_each_upload_leaves_one_less() -> None:
    caller = Caller(rate_limit_headers="all")
    remaining = [quota(caller.upload())[1] for _ in range(6)]
    assert remaining == ["4", "3", "2", "1", "0", "0"]


def test_headers_on_all_responses_are_on_errors_as_well() -> None:
    caller = Caller(rate_limit_headers="all")
    assert quota(caller.send("POST", FILES, {})) == ("5", "5", A_MINUTE_LATER)


def test_headers_on_all_responses_are_of_the_window_with_the_least_left() -> None:
    caller = Caller(rate_limit_headers="all")
    for _ in range(9):
        upload_many(caller, 5)
        caller.service.clock.advance(60)
    upload_many(caller, 3)
    assert quota(caller.upload()) == ("50", "1", A_DAY_LATER)


def test_an_operation_without_limits_has_no_headers_of_them() -> None:
    assert quota(Caller(rate_limit_headers="all").list()) == (None, None, None)


# -- what counts ----------------------------------------------------------------------------------


NO_CREDENTIALS: CIMultiDict[str] = CIMultiDict()
NOT_THERE = {"unknown_list": "404", "unknown_segment": "404"}
"""Settings with which lists and segments are not made by the first request for them."""


class Uncounted(NamedTuple):
    """
    A request that is refused, and one of the same operation that the service accepts.

    :ivar status: of the refusal; ``accepted_status``: of the success.
    :ivar before: makes what the two requests find.
    :ivar settings: of the emulator.
    """

    operation: str
    refused: Callable[[Caller], Reply]
    status: int
    accepted: Callable[[Caller], Reply]
    accepted_status: int
    before: Callable[[Caller], Any] = lambda caller: None
    settings: Mapping[str, Any] = {}


def get_first(caller: Caller) -> Reply:
    """The fetch of the only file."""
    (file,) = caller.service.files("list-1")
    return caller.get(file["_id"])


UNCOUNTED = {
    "a fetch of no file": Uncounted(
        "get_coupon_file",
        lambda caller: caller.get("none"),
        status=404,
        accepted=get_first,
        accepted_status=200,
        before=Caller.upload,
    ),
    "a fetch of another list's file": Uncounted(
        "get_coupon_file",
        lambda caller: caller.get(caller.service.files("list-1")[0]["_id"], "list-2"),
        status=404,
        accepted=get_first,
        accepted_status=200,
        before=Caller.upload,
    ),
    "a list that is not known": Uncounted(
        "list_coupon_files",
        lambda caller: caller.list("none"),
        status=404,
        accepted=Caller.list,
        accepted_status=200,
        before=Caller.upload,
        settings=NOT_THERE,
    ),
    "a malformed upload": Uncounted(
        "upload_coupon_file",
        lambda caller: caller.upload(name=7),
        status=400,
        accepted=Caller.upload,
        accepted_status=201,
    ),
    "an upload without credentials": Uncounted(
        "upload_coupon_file",
        lambda caller: caller.send("POST", FILES, UPLOAD, headers=NO_CREDENTIALS),
        status=401,
        accepted=Caller.upload,
        accepted_status=201,
    ),
    "a catalog whose name is taken": Uncounted(
        "create_catalog",
        Caller.create_catalog,
        status=409,
        accepted=lambda caller: caller.create_catalog(name="another"),
        accepted_status=201,
        before=lambda caller: caller.service.reset(
            {"version": 1, "catalogs": [{"name": CATALOG["name"]}]}
        ),
    ),
    "a segment whose name is taken": Uncounted(
        "update_segment",
        Caller.update_segment,
        status=409,
        accepted=lambda caller: caller.update_segment(body={"name": "another"}),
        accepted_status=200,
        before=lambda caller: caller.service.reset(
            {
                "version": 1,
                "segments": [{"id": "7"}, {"id": "8", "name": SEGMENT["name"]}],
            }
        ),
    ),
    "a segment that is not known": Uncounted(
        "update_segment",
        Caller.update_segment,
        status=404,
        accepted=lambda caller: caller.update_segment("8"),
        accepted_status=200,
        before=lambda caller: caller.service.reset({"version": 1, "segments": [{"id": "8"}]}),
        settings=NOT_THERE,
    ),
}


@pytest.mark.parametrize("row", UNCOUNTED.values(), ids=UNCOUNTED)
def test_what_is_refused_uses_no_limit_up(row: Uncounted) -> None:
    """After three refusals, a limit of one request still allows one, and no second one."""
    caller = Caller(limits={row.operation: [[1, 3600]]}, **row.settings)
    row.before(caller)
    for _ in range(3):
        assert row.refused(caller).status == row.status
    assert row.accepted(caller).status == row.accepted_status
    assert row.accepted(caller).status == 429
