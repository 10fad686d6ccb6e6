"""The limits of contract section 8, their windows, and the headers of section 7."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

import pytest
from multidict import CIMultiDict

from unit.emulator.conftest import CATALOG, FILES, MIDNIGHT, SEGMENT, Caller
from wes_provider.emulator.replies import Reply


def quota(reply: Reply) -> tuple[str | None, ...]:
    """The three headers."""
    return tuple(
        reply.headers.get(f"x-ratelimit-{name}") for name in ("limit", "remaining", "reset")
    )


def upload_many(caller: Caller, number: int) -> list[int]:
    return [caller.upload().status for _ in range(number)]


def test_a_list_takes_five_files_a_minute() -> None:
    caller = Caller()
    assert upload_many(caller, 6) == [201] * 5 + [429]
    assert len(caller.service.files("list-1")) == 5


def test_a_refusal_has_the_headers_of_the_contract_and_no_body() -> None:
    caller = Caller()
    upload_many(caller, 5)
    refused = caller.upload()
    assert quota(refused) == ("5", "0", "1699920060")
    assert refused.body == b""


def test_the_minute_ends_with_the_full_minute() -> None:
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
    An operation with two limits: one of a minute, and a longer one that is ten times as large.

    :ivar send: sends the request with this number.
    """

    name: str
    send: Callable[[Caller, int], Reply]
    a_minute: int
    seconds: int


LONGER = [
    Longer("fifty files a day", lambda caller, _: caller.upload(), 5, 86400),
    Longer(
        "a thousand catalogs an hour",
        lambda caller, number: caller.create_catalog(name=f"catalog {number}"),
        100,
        3600,
    ),
]


@pytest.mark.parametrize("row", LONGER, ids=[row.name for row in LONGER])
def test_the_longer_limit_holds_when_the_minutes_one_is_open(row: Longer) -> None:
    caller = Caller()
    numbers = count()
    for _ in range(10):
        statuses = {row.send(caller, next(numbers)).status for _ in range(row.a_minute)}
        assert statuses == {201}
        caller.service.clock.advance(60)
    refused = row.send(caller, next(numbers))
    assert refused.status == 429
    assert quota(refused) == (str(10 * row.a_minute), "0", str(int(MIDNIGHT) + row.seconds))
    caller.service.clock.advance(row.seconds - 600)
    assert row.send(caller, next(numbers)).status == 201


def test_if_both_limits_refuse_the_headers_are_of_the_one_that_resets_last() -> None:
    caller = Caller()
    for _ in range(9):
        upload_many(caller, 5)
        caller.service.clock.advance(60)
    upload_many(caller, 5)
    assert quota(caller.upload()) == ("50", "0", str(int(MIDNIGHT) + 86400))


def test_requests_that_are_malformed_or_have_no_credentials_do_not_count() -> None:
    caller = Caller()
    malformed = [caller.send("POST", FILES, {"file_url": ""}).status for _ in range(5)]
    unknown = [caller.send("POST", FILES, headers=CIMultiDict()).status for _ in range(5)]
    assert malformed == [400] * 5
    assert unknown == [401] * 5
    assert upload_many(caller, 6) == [201] * 5 + [429]


def test_requests_that_the_limit_refuses_do_not_count() -> None:
    """The limit of a day is fifty; each minute has five, and ten that are refused."""
    caller = Caller()
    for _ in range(10):
        assert upload_many(caller, 15) == [201] * 5 + [429] * 10
        caller.service.clock.advance(60)
    assert caller.upload().status == 429


@pytest.mark.parametrize(
    "limits", [None, {"upload_coupon_file": []}], ids=["all", "of one operation"]
)
def test_limits_can_be_taken_away(limits: dict[str, list[Any]] | None) -> None:
    assert upload_many(Caller(limits=limits), 60) == [201] * 60


def test_a_success_has_no_headers_of_limits() -> None:
    assert quota(Caller().upload()) == (None, None, None)


def test_headers_can_stand_on_all_responses() -> None:
    caller = Caller(rate_limit_headers="all")
    remaining = [quota(caller.upload())[1] for _ in range(6)]
    assert remaining == ["4", "3", "2", "1", "0", "0"]


def test_headers_on_all_responses_are_on_errors_as_well() -> None:
    caller = Caller(rate_limit_headers="all")
    assert quota(caller.send("POST", FILES, {})) == ("5", "5", "1699920060")


def test_headers_on_all_responses_are_of_the_window_with_the_least_left() -> None:
    caller = Caller(rate_limit_headers="all")
    for _ in range(9):
        upload_many(caller, 5)
        caller.service.clock.advance(60)
    upload_many(caller, 3)
    assert quota(caller.upload()) == ("50", "1", "1700006400")


def test_an_operation_without_limits_has_no_headers_of_them() -> None:
    assert quota(Caller(rate_limit_headers="all").list()) == (None, None, None)


# -- what counts ----------------------------------------------------------------------------------


class Uncounted(NamedTuple):
    """
    A request that is refused, and one that a limit of one request still allows after it.

    :ivar before: makes the service refuse it.
    """

    operation: str
    refused: Callable[[Caller], Reply]
    status: int
    accepted: Callable[[Caller], Reply]
    accepted_status: int
    before: Callable[[Caller], Any] = lambda caller: None


def get_first(caller: Caller) -> Reply:
    """The fetch of the only file."""
    (file,) = caller.service.files("list-1")
    return caller.get(file["_id"])


UNCOUNTED = {
    "a fetch of no file": Uncounted(
        "get_coupon_file",
        lambda caller: caller.get("none"),
        404,
        get_first,
        200,
        before=Caller.upload,
    ),
    "a fetch of another list's file": Uncounted(
        "get_coupon_file",
        lambda caller: caller.get(caller.service.files("list-1")[0]["_id"], "list-2"),
        404,
        get_first,
        200,
        before=Caller.upload,
    ),
    "a list that is not known": Uncounted(
        "list_coupon_files",
        lambda caller: caller.list("none"),
        404,
        Caller.list,
        200,
        before=Caller.upload,
    ),
    "a malformed upload": Uncounted(
        "upload_coupon_file", lambda caller: caller.upload(name=7), 400, Caller.upload, 201
    ),
    "a catalog whose name is taken": Uncounted(
        "create_catalog",
        Caller.create_catalog,
        409,
        lambda caller: caller.create_catalog(name="another"),
        201,
        before=lambda caller: caller.service.reset(
            {"version": 1, "catalogs": [{"name": CATALOG["name"]}]}
        ),
    ),
    "a segment whose name is taken": Uncounted(
        "update_segment",
        Caller.update_segment,
        409,
        lambda caller: caller.update_segment(body={"name": "another"}),
        200,
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
        404,
        lambda caller: caller.update_segment("8"),
        200,
        before=lambda caller: caller.service.reset({"version": 1, "segments": [{"id": "8"}]}),
    ),
}


@pytest.mark.parametrize("row", UNCOUNTED.values(), ids=UNCOUNTED)
def test_what_is_refused_uses_no_limit_up(row: Uncounted) -> None:
    unknown_segment = "create"
    if row.status == 404:
        unknown_segment = "404"
    caller = Caller(
        limits={row.operation: [[1, 3600]]},
        unknown_list="404",
        unknown_segment=unknown_segment,
    )
    row.before(caller)
    for _ in range(3):
        assert row.refused(caller).status == row.status
    assert row.accepted(caller).status == row.accepted_status
    assert row.accepted(caller).status == 429
