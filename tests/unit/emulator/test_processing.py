"""What becomes of a coupon file after its upload: by the clock, by what is in it, and as scripted."""

from __future__ import annotations

from typing import Any

import pytest

from support.emulator_calls import Caller, content
from wes_provider.emulator.processing import CouponCounter


def shown(caller: Caller, file_id: str, list_id: str = "list-1") -> str:
    return str(content(caller.get(file_id, list_id))["status"])


def over_time(caller: Caller, file_id: str, seconds: float, steps: int) -> list[str]:
    """The status now and after each step."""
    statuses = [shown(caller, file_id)]
    for _ in range(steps):
        caller.service.clock.advance(seconds)
        statuses.append(shown(caller, file_id))
    return statuses


def test_file_is_pending_then_processed_then_done_under_any_names() -> None:
    caller = Caller(processing_time=2)
    file_id = caller.uploaded()
    caller.process(file_id, "A", "B")
    assert over_time(caller, file_id, 0.5, 4) == ["PENDING", "PROCESSING", "PROCESSING", "PROCESSING", "SUCCESS"]
    names = {"added_property": "stats.imported", "duplicate_property": "stats.skipped", "success_status": "IMPORTED"}
    caller = Caller(statuses=["PENDING", "VALIDATING", "IMPORTING"], processing_time=8, **names)
    file_id = caller.uploaded()
    caller.process(file_id, "A", "B", "A")
    assert over_time(caller, file_id, 2, 4) == ["PENDING", "VALIDATING", "VALIDATING", "IMPORTING", "IMPORTED"]
    assert content(caller.get(file_id))["stats"] == {"imported": 2, "skipped": 1}
    caller.service.configure(added_property=None)
    assert content(caller.get(file_id))["stats"] == {"skipped": 1}


def test_list_takes_no_more_than_it_holds() -> None:
    """100 million by the contract; a file that would exceed it adds nothing."""
    caller = Caller(processing_time=0, list_coupons=3)
    first, second, third = (caller.uploaded() for _ in range(3))
    caller.process(first, "A", "B")
    caller.process(second, "C", "D")
    caller.process(third, "A", "C")
    assert [shown(caller, file_id) for file_id in (first, second, third)] == ["SUCCESS", "FAILED", "SUCCESS"]
    assert content(caller.get(second))["error"] == "The list would hold more than 3 coupons."


# -- scripts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", ["failure", "success"])
def test_scripted_fields_and_error_are_shown_at_the_end_in_place_of_what_was_counted(outcome: str) -> None:
    error = {"error": "Column code is missing."} if outcome == "failure" else {}
    fields = {"coupons_added": 3, "stats": {"rejected": 4}}
    caller = Caller(processing_time=2)
    caller.service.script(outcome=outcome, fields=fields, **error)
    file_id = caller.uploaded()
    if outcome == "success":
        caller.process(file_id, "A")
    assert not {"error", "stats"} & content(caller.get(file_id)).keys()
    caller.service.clock.advance(2)
    record = content(caller.get(file_id))
    assert {name: record[name] for name in (*fields, *error)} == {**fields, **error}
    assert caller.service.account().lists["list-1"].coupons == (outcome == "success")


@pytest.mark.parametrize(
    ("script", "seen"),
    [
        ({"outcome": "never"}, ["PENDING", "PROCESSING", "PROCESSING"]),
        ({"outcome": "SOMETHING_NEW"}, ["PENDING", "SOMETHING_NEW", "SOMETHING_NEW"]),
        ({"statuses": [["QUEUED", 1], ["WHATEVER", 2]]}, ["QUEUED", "WHATEVER", "SUCCESS"]),
        ({"statuses": [["QUEUED", 1], ["STUCK", None]]}, ["QUEUED", "STUCK", "STUCK"]),
    ],
    ids=str,
)
def test_statuses_come_as_scripted(script: dict[str, Any], seen: list[str]) -> None:
    caller = Caller(processing_time=2)
    caller.service.script(**script)
    file_id = caller.uploaded()
    if file_id in caller.service.coupons.unfetched:
        caller.process(file_id, "A")
    assert over_time(caller, file_id, 2, 2) == seen


def test_script_is_for_matching_files_and_the_newest_holds() -> None:
    caller = Caller(processing_time=0)
    caller.service.script(outcome="FAILURE")
    caller.service.script(list_id="list-2", outcome="QUEUED")
    caller.service.script(name="n", outcome="REJECTED")
    caller.service.script(url="https://a.example/b?c", outcome="EXPIRED")
    caller.service.script(list_id="list-2", name="m", outcome="ERROR")
    rows: list[tuple[str, dict[str, Any], str]] = [
        ("list-1", {}, "FAILURE"),
        ("list-2", {}, "QUEUED"),
        ("list-1", {"name": "n"}, "REJECTED"),
        ("list-1", {"file_url": "https://a.example/b?c"}, "EXPIRED"),
        ("list-1", {"name": "m"}, "FAILURE"),
        ("list-2", {"name": "m"}, "ERROR"),
    ]
    for list_id, fields, status in rows:
        assert shown(caller, caller.uploaded(list_id, **fields), list_id) == status


def test_script_holds_for_files_that_have_not_ended() -> None:
    caller = Caller(processing_time=2)
    ended = caller.uploaded()
    caller.process(ended, "A")
    caller.service.clock.advance(2)
    waiting = caller.uploaded()
    caller.service.script(outcome="never")
    caller.service.clock.advance(100)
    assert [shown(caller, file_id) for file_id in (ended, waiting)] == ["SUCCESS", "PROCESSING"]
    caller.service.script(outcome="failure")
    assert [shown(caller, file_id) for file_id in (ended, waiting)] == ["SUCCESS", "FAILED"]


# -- counting ------------------------------------------------------------------------------------------------


def count(data: bytes, room: int = 1000) -> CouponCounter:
    """Byte by byte, which is the hardest way."""
    counter = CouponCounter(room)
    for i in range(len(data)):
        counter.feed(data[i : i + 1])
    counter.finish()
    return counter


@pytest.mark.parametrize(
    ("data", "total", "distinct"),
    [
        (b"\n\r\n  \n", 0, 0),
        (b"A", 1, 1),
        (b"A\r\nB\r\n\r\nA\r\n", 3, 2),
        (b"Coupon_Code,valid until\nA,2030\nB,2031\n", 2, 2),
        (b'"code"\n"A"\nA\n', 2, 1),
        (b"\xef\xbb\xbfcode\nA\n", 1, 1),
        (b"A\ncode\na\n", 3, 3),
        (b",second\n", 0, 0),
    ],
    ids=str,
)
def test_one_coupon_a_line_from_the_first_column(data: bytes, total: int, distinct: int) -> None:
    counter = count(data)
    assert (counter.total, len(counter.distinct)) == (total, distinct)


def test_beyond_what_is_remembered_every_coupon_counts_as_new() -> None:
    counter = count(b"A\nB\nC\nC\nA\n", room=2)
    assert (counter.total, len(counter.distinct), counter.unremembered) == (5, 2, 2)
