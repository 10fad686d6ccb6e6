"""The limits of contract section 8, their windows, and the headers of section 7."""

from __future__ import annotations

from collections.abc import Callable
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
    caller = Caller(window_policy="rolling")
    caller.upload()
    caller.service.clock.advance(30.5)
    upload_many(caller, 4)
    assert quota(caller.upload()) == ("5", "0", "1699920060")
    caller.service.clock.advance(29.25)
    assert caller.upload().status == 429
    caller.service.clock.advance(0.25)
    assert upload_many(caller, 2) == [201, 429]
    assert quota(caller.upload()) == ("5", "0", "1699920091")  # 30.5 + 60, rounded up


@pytest.mark.parametrize(
    ("catalogs", "a_minute", "windows", "seconds"),
    [(False, 5, 10, 86400), (True, 100, 10, 3600)],
    ids=["fifty files a day", "a thousand catalogs an hour"],
)
def test_the_longer_window_counts_too(
    catalogs: bool, a_minute: int, windows: int, seconds: int
) -> None:
    caller, names = Caller(), iter(range(10_000))

    def send() -> Reply:
        return caller.create_catalog(name=f"catalog {next(names)}") if catalogs else caller.upload()

    longer = (str(windows * a_minute), "0", str(int(MIDNIGHT) + seconds))
    for minute in range(1, windows + 1):
        assert {send().status for _ in range(a_minute)} == {201}
        shorter = (str(a_minute), "0", str(int(MIDNIGHT) + 60 * minute))
        assert quota(send()) == (shorter if minute < windows else longer)  # that which resets last
        caller.service.clock.advance(60)
    refused = send()
    assert (refused.status, quota(refused)) == (429, longer)
    caller.service.clock.advance(seconds - 60 * windows)
    assert send().status == 201


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


def test_headers_can_stand_on_all_answers_with_the_tightest_window() -> None:
    caller = Caller(rate_limit_headers="all")
    left = ["4", "3", "2", "1", "0", "0"]
    assert [quota(caller.upload()) for _ in range(6)] == [("5", one, "1699920060") for one in left]
    caller.service.clock.advance(60)
    assert quota(caller.send("POST", FILES, {})) == ("5", "5", "1699920120")  # the 400's
    for _ in range(8):
        upload_many(caller, 5)
        caller.service.clock.advance(60)
    upload_many(caller, 3)
    assert quota(caller.upload()) == ("50", "1", "1700006400")
    assert quota(caller.create_catalog()) == ("100", "99", "1699920600")
    assert quota(caller.list()) == (None, None, None)


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
    caller = Caller(
        limits={row.operation: [[1, 3600]]},
        unknown_list="404",
        unknown_segment="404" if row.status == 404 else "create",
    )
    row.before(caller)
    for _ in range(3):
        assert row.refused(caller).status == row.status
    assert row.accepted(caller).status == row.accepted_status
    assert row.accepted(caller).status == 429
