"""
What becomes of a coupon file after its upload. By the clock: PENDING for a quarter of its time,
then PROCESSING, then SUCCESS or FAILED. By its content: codes are those of the first column, an
archive is unpacked, and a file fails that cannot be read, has no coupon, or would exceed what its
list holds. As scripted: the newest script that matches a file by list, URL or name gives its
statuses, its outcome and the fields of its record, as long as the file has not ended; a file that
fails by its content does so even if the outcome is a success. Settings change the names of statuses
and counts.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from unit.emulator.conftest import Caller, content
from wes_provider.emulator.counting import CouponCounter
from wes_provider.emulator.page_state import read_state
from wes_provider.emulator.processing import Phase


def shown(caller: Caller, file_id: str, list_id: str = "list-1") -> str:
    return str(content(caller.get(file_id, list_id))["status"])


def over_time(caller: Caller, file_id: str, seconds: float, steps: int) -> list[str]:
    """The status now and after each step."""
    statuses = [shown(caller, file_id)]
    for _ in range(steps):
        caller.service.clock.advance(seconds)
        statuses.append(shown(caller, file_id))
    return statuses


def test_file_is_pending_for_a_quarter_of_its_time_then_processed_then_done() -> None:
    caller = Caller(processing_time=2)
    file_id = caller.uploaded()
    caller.process(file_id, "A", "B")
    assert over_time(caller, file_id, 0.5, 4) == [
        "PENDING",
        "PROCESSING",
        "PROCESSING",
        "PROCESSING",
        "SUCCESS",
    ]


def test_statuses_on_the_way_can_be_others() -> None:
    caller = Caller(
        statuses=["PENDING", "VALIDATING", "IMPORTING"],
        success_status="IMPORTED",
        processing_time=8,
    )
    file_id = caller.uploaded()
    caller.process(file_id, "A", "B", "A")
    assert over_time(caller, file_id, 2, 4) == [
        "PENDING",
        "VALIDATING",
        "VALIDATING",
        "IMPORTING",
        "IMPORTED",
    ]


def processed_counts(**settings: Any) -> dict[str, Any]:
    """The counts of a processed file with two coupons and a duplicate, by the settings' names."""
    caller = Caller(processing_time=0, **settings)
    file_id = caller.uploaded()
    caller.process(file_id, "A", "B", "A")
    record = content(caller.get(file_id))
    usual = {"_id", "name", "file_url", "created_by", "status", "coupons_list_id"}
    return {name: value for name, value in record.items() if name not in usual}


def test_counts_can_have_other_names() -> None:
    settings = {"added_property": "stats.imported", "duplicate_property": "stats.skipped"}
    assert processed_counts(**settings) == {"stats": {"imported": 2, "skipped": 1}}


def test_the_count_of_coupons_added_can_be_left_out() -> None:
    assert processed_counts(added_property=None) == {"coupons_duplicate": 1}


def test_the_count_of_duplicates_can_be_left_out() -> None:
    assert processed_counts(duplicate_property=None) == {"coupons_added": 2}


def test_list_takes_no_more_than_it_holds() -> None:
    """100 million by the contract; a file that would exceed it adds nothing."""
    caller = Caller(processing_time=0, list_coupons=3)
    first, second, third = (caller.uploaded() for _ in range(3))
    caller.process(first, "A", "B")
    caller.process(second, "C", "D")
    caller.process(third, "A", "C")
    assert [shown(caller, file_id) for file_id in (first, second, third)] == [
        "SUCCESS",
        "FAILED",
        "SUCCESS",
    ]
    assert content(caller.get(second))["error"] == "The list would hold more than 3 coupons."


def test_a_file_without_a_coupon_fails() -> None:
    caller = Caller(processing_time=0)
    file_id = caller.uploaded()
    caller.process(file_id, "code", " ")
    record = content(caller.get(file_id))
    assert (record["status"], record["error"]) == ("FAILED", "The file holds no coupons.")


# -- scripts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error", [{}, {"error": "Column code is missing."}], ids=["success", "failure"]
)
def test_scripted_fields_are_shown_at_the_end_in_place_of_what_was_counted(
    error: dict[str, str],
) -> None:
    fields = {"coupons_added": 3, "stats": {"rejected": 4}}
    caller = Caller(processing_time=2)
    caller.service.script(outcome="failure" if error else "success", fields=fields, **error)
    file_id = caller.uploaded()
    if not error:
        caller.process(file_id, "A")
    assert not {"error", "stats"} & content(caller.get(file_id)).keys()
    caller.service.clock.advance(2)
    assert content(caller.get(file_id)).items() >= {**fields, **error}.items()
    assert caller.service.state.world.account_or_empty("").lists["list-1"].coupons == (not error)


class Shown(NamedTuple):
    """A script, and the status at once, after two seconds and after four."""

    script: dict[str, Any]
    statuses: list[str]


SHOWN = {
    "never ends": Shown({"outcome": "never"}, ["PENDING", "PROCESSING", "PROCESSING"]),
    "ends with a status of its own": Shown(
        {"outcome": "SOMETHING_NEW"}, ["PENDING", "SOMETHING_NEW", "SOMETHING_NEW"]
    ),
    "statuses of its own": Shown(
        {"statuses": [["QUEUED", 1], ["WHATEVER", 2]]}, ["QUEUED", "WHATEVER", "SUCCESS"]
    ),
    "statuses of its own, for ever": Shown(
        {"statuses": [["QUEUED", 1], ["STUCK", None]]}, ["QUEUED", "STUCK", "STUCK"]
    ),
}


@pytest.mark.parametrize("row", SHOWN.values(), ids=SHOWN)
def test_statuses_come_as_scripted(row: Shown) -> None:
    caller = Caller(processing_time=2)
    caller.service.script(**row.script)
    file_id = caller.uploaded()
    if file_id in caller.service.state.coupons.unfetched:
        caller.process(file_id, "A")
    assert over_time(caller, file_id, 2, 2) == row.statuses


class Scripted(NamedTuple):
    """An outcome as a script has it, and what becomes of a file."""

    outcome: str
    phase: Phase
    status: str


OUTCOMES = {
    "success": Scripted("success", Phase.DONE, "IMPORTED"),
    "a status that is a success": Scripted("Completed", Phase.DONE, "Completed"),
    "the word of a success, as a status": Scripted("SUCCESS", Phase.DONE, "SUCCESS"),
    "an unknown status": Scripted("archived", Phase.DONE, "archived"),
    "failure": Scripted("failure", Phase.FAILED, "BROKEN"),
    "the word of a failure, as a status": Scripted("Failure", Phase.FAILED, "Failure"),
    "a status that is a failure": Scripted("REJECTED", Phase.FAILED, "REJECTED"),
    "a failure in lower case": Scripted("expired", Phase.FAILED, "expired"),
    "never": Scripted("never", Phase.WAITING, "PROCESSING"),
    "never, with a capital": Scripted("Never", Phase.WAITING, "PROCESSING"),
    "never, in capitals": Scripted("NEVER", Phase.WAITING, "PROCESSING"),
    "a pending status": Scripted("QUEUED", Phase.WAITING, "QUEUED"),
    "a pending status in lower case": Scripted("pending", Phase.WAITING, "pending"),
    "a pending status, mixed": Scripted("In_Progress", Phase.WAITING, "In_Progress"),
}


@pytest.mark.parametrize("row", OUTCOMES.values(), ids=OUTCOMES)
def test_an_outcome_ends_or_never_ends_a_file_whatever_its_case(row: Scripted) -> None:
    caller = Caller(processing_time=2, success_status="IMPORTED", failure_status="BROKEN")
    caller.service.script(outcome=row.outcome)
    file_id = caller.uploaded()
    if file_id in caller.service.state.coupons.unfetched:
        caller.process(file_id, "A")
    caller.service.clock.advance(100)
    (state,) = read_state(caller.service)["lists"]
    assert (state["files"][0]["phase"], shown(caller, file_id)) == (row.phase.value, row.status)
    assert state["coupons"] == (row.phase is Phase.DONE)


@pytest.mark.parametrize("outcome", ["success", "Completed", "archived"])
def test_a_file_that_fails_by_its_content_shows_no_scripted_success(outcome: str) -> None:
    caller = Caller(processing_time=0, failure_status="BROKEN")
    caller.service.script(outcome=outcome)
    file_id = caller.uploaded()
    caller.process(file_id)
    assert shown(caller, file_id) == "BROKEN"


def test_file_that_never_ends_by_a_status_has_those_before_it() -> None:
    caller = Caller(processing_time=4)
    caller.service.script(outcome="QUEUED")
    statuses = over_time(caller, caller.uploaded(), 1, 5)
    assert statuses == ["PENDING", "PROCESSING", "PROCESSING", "PROCESSING", "QUEUED", "QUEUED"]


class Matched(NamedTuple):
    """A file that is uploaded, and the status that the newest script for it gives."""

    status: str
    list_id: str = "list-1"
    fields: Mapping[str, str] = MappingProxyType({})


SCRIPTED_URL = "https://a.example/b?c"
MATCHED = {
    "any file": Matched("FAILURE"),
    "its list": Matched("QUEUED", "list-2"),
    "its name": Matched("REJECTED", fields={"name": "n"}),
    "its URL": Matched("EXPIRED", fields={"file_url": SCRIPTED_URL}),
    "its list and name": Matched("ERROR", "list-2", {"name": "m"}),
    "its name in another list": Matched("FAILURE", fields={"name": "m"}),
    "a newer one for any file of its list, and an older one for its name": Matched(
        "ERROR", "list-3", {"name": "o"}
    ),
}


@pytest.mark.parametrize("row", MATCHED.values(), ids=MATCHED)
def test_newest_script_that_matches_a_file_holds(row: Matched) -> None:
    caller = Caller(processing_time=0)
    caller.service.script(outcome="FAILURE")
    caller.service.script(outcome="QUEUED", list_id="list-2")
    caller.service.script(outcome="REJECTED", name="n")
    caller.service.script(outcome="EXPIRED", url=SCRIPTED_URL)
    caller.service.script(outcome="ERROR", list_id="list-2", name="m")
    caller.service.script(outcome="EXPIRED", list_id="list-3", name="o")
    caller.service.script(outcome="ERROR", list_id="list-3")
    file_id = caller.uploaded(row.list_id, **row.fields)
    assert shown(caller, file_id, row.list_id) == row.status


def test_script_holds_for_files_that_have_not_ended() -> None:
    caller = Caller(processing_time=2)
    ended = caller.uploaded()
    caller.process(ended, "A")
    caller.service.clock.advance(2)
    waiting = caller.uploaded()
    caller.process(waiting, "B")
    caller.service.script(outcome="never")
    caller.service.clock.advance(100)
    assert [shown(caller, file_id) for file_id in (ended, waiting)] == ["SUCCESS", "PROCESSING"]
    caller.service.script(outcome="failure")
    assert [shown(caller, file_id) for file_id in (ended, waiting)] == ["SUCCESS", "FAILED"]


def coupons_of_list(caller: Caller) -> int:
    return int(caller.service.state.world.stock("", "list-1")["coupons"])


def test_a_file_that_was_counted_and_then_fails_by_a_script_leaves_nothing_in_its_list() -> None:
    caller = Caller(processing_time=2)
    first = caller.uploaded()
    caller.process(first, "A", "B")
    caller.service.script(outcome="failure")
    caller.service.clock.advance(2)
    assert (shown(caller, first), coupons_of_list(caller)) == ("FAILED", 0)
    caller.service.script()
    second = caller.uploaded()
    caller.process(second, "A", "B")
    caller.service.clock.advance(2)
    record = content(caller.get(second))
    assert (record["coupons_added"], record["coupons_duplicate"]) == (2, 0)
    assert coupons_of_list(caller) == 2


def test_a_file_that_no_longer_fails_by_a_script_before_its_end_is_counted() -> None:
    caller = Caller(processing_time=2)
    file_id = caller.uploaded()
    caller.process(file_id, "A", "B")
    caller.service.script(outcome="failure")
    caller.service.script()
    caller.service.clock.advance(2)
    assert (shown(caller, file_id), coupons_of_list(caller)) == ("SUCCESS", 2)


# -- counting --------------------------------------------------------------------------------------


NAMED = {
    "https://a.example/b/c.csv": "c.csv",
    "https://a.example/b/c.csv?sig=d/e.csv": "c.csv",
    "https://a.example/b/c.csv#d/e.csv": "c.csv",
    "https://a.example/b/": "b",
    "https://a.example/b//": "b",
    "https://a.example/b%20c.csv": "b c.csv",
    "https://a.example/": "a.example",
    "https://a.example": "a.example",
    "https://user:s3cret@A.example:8443?b": "a.example",
}


@pytest.mark.parametrize("url", NAMED)
def test_file_without_a_name_is_named_like_the_end_of_its_path_or_its_host(url: str) -> None:
    caller = Caller()
    assert content(caller.upload(file_url=url))["name"] == NAMED[url]


class Counted(NamedTuple):
    """
    A coupon file, and what is counted in it.

    :ivar room: how many coupons are remembered; those beyond count as new.
    """

    data: bytes
    total: int
    distinct: int
    unremembered: int = 0
    room: int = 9


COUNTED = {
    "empty lines": Counted(b"\n\r\n  \n", 0, 0),
    "no line feed": Counted(b"A", 1, 1),
    "nothing": Counted(b"", 0, 0),
    "a header alone": Counted(b"coupon\n", 0, 0),
    "a header alone, without a line feed": Counted(b"coupon", 0, 0),
    "a header alone, of two columns": Counted(b"coupon;value\n", 0, 0),
    "a header alone, in an archive": Counted(gzip.compress(b"coupon\n"), 0, 0),
    "Windows's lines": Counted(b"A\r\nB\r\n\r\nA\r\n", 3, 2),
    "a header and columns": Counted(b"Coupon_Code,valid until\nA,2030\nB,2031\n", 2, 2),
    "quotes": Counted(b'"code"\n"A"\nA\n', 2, 1),
    "white space in quotes": Counted(b'code\n" A "\nA\n', 2, 1),
    "white space around quotes": Counted(b'code\n "A" \nA\n', 2, 1),
    "white space in quotes of a column": Counted(b'code,x\n" A ",1\nA,2\n', 2, 1),
    "a byte order mark": Counted(b"\xef\xbb\xbfcode\nA\n", 1, 1),
    "a header's word further below": Counted(b"A\nB\ncode\n", 3, 3),
    "an empty first column": Counted(b",second\n", 0, 0),
    "semicolons": Counted(b"code;value\nA;5,00\nB;6,00\n", 2, 2),
    "tabs": Counted(b"code\tvalue\nA\t1\nB\t2\n", 2, 2),
    "pipes in quotes": Counted(b'"code"|"value"\n"A|1"|"1"\n"A|2"|"2"\n', 2, 2),
    "a line break in quotes": Counted(b'code,text\r\nA,"x\r\n\r\ny"\r\nB,z\r\n', 2, 2),
    "a header with a line break": Counted(b'"coupon\ncode";"id"\n"A";"1"\n', 1, 1),
    "a quote within a coupon": Counted(b'A"1\nA"2\n', 2, 2),
    "a quote within a cell beside a cell in quotes": Counted(
        b'code,size,note\nA,5" TV,"big, flat"\nB,y,x\nC,y,x\n', 3, 3
    ),
    "a separator of columns that the header lacks": Counted(b"code;note\nA,1;x\nA,2;x\n", 2, 2),
    "a separator in some codes": Counted(b"code\nA,1\nB\nC\n", 3, 3),
    "two separators, of which either may divide": Counted(b"code,a;b\nA,1;2\nB,3;4\n", 2, 2),
    "a quote that is not closed": Counted(b'code,x\nA,1\nB,2\nC,"3\n4\n', 3, 3),
    "doubled quotes at the end of a line": Counted(b'code,x\n"A","1""\n2"\nB,3\n', 2, 2),
    "bytes that are no UTF-8": Counted(b'code,x\n"A\xff",1\n"A\xfe",2\n', 2, 2),
    "a line break in quotes far below": Counted(
        b"code,x\n" + b"A,12345678\n" * 7000 + b'B,"1\n\n2"\n', 7001, 2
    ),
    "a quoted quote": Counted(b'"A""1"\n"A""1"\n', 2, 1),
    "white space of Unicode": Counted("A\n\u00a0\n\u2028\nB\n".encode(), 2, 2),
    "an archive": Counted(gzip.compress(b"code\nA\nB\n"), 2, 2),
    "an archive of three parts": Counted(
        b"".join(map(gzip.compress, [b"code\nA\n", b"", b"B\nA\n"])), 3, 2
    ),
    "a line in two parts": Counted(gzip.compress(b"A\nB") + gzip.compress(b"C\nD\n"), 3, 3),
    "an archive with zeros between its parts": Counted(
        gzip.compress(b"A\n") + bytes(9) + gzip.compress(b"B\n") + bytes(9), 2, 2
    ),
    "the beginning of an archive's mark": Counted(b"\x1fA\n", 1, 1),
    "more than are remembered": Counted(b"A\nB\nC\nC\nA\n", 5, 2, unremembered=2, room=2),
}


@pytest.mark.parametrize("row", COUNTED.values(), ids=COUNTED)
def test_coupons_are_in_the_first_column(row: Counted) -> None:
    counter = CouponCounter(row.room)
    for i in range(len(row.data)):  # byte by byte, which is the hardest way
        counter.feed(row.data[i : i + 1])
    counter.finish()
    assert counter.total == row.total
    assert len(counter.distinct) == row.distinct
    assert counter.unremembered == row.unremembered


@pytest.mark.parametrize("missing", [1, 8, 20], ids=lambda missing: f"{missing} bytes")
def test_an_archive_that_is_incomplete_cannot_be_counted(missing: int) -> None:
    archive = gzip.compress(b"A\nB\n") + gzip.compress(b"C\nD\nE\n")[:-missing]
    counter = CouponCounter(9)
    counter.feed(archive)
    with pytest.raises(EOFError):
        counter.finish()
