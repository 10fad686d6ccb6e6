"""
A file that was uploaded is adopted (with ``on_duplicate="adopt"``, the default) if its content is
the same, or not known in one of both attempts. If both are known and differ, the task fails for
good, and nothing is uploaded: in a retry and after a clear, whether the record or only the list has
the file. Not so with a file that failed processing before a clear: it is uploaded again, whatever
its content is. The content that a record has is that of the file which was uploaded last, also
after requests for another one that had no effect or were killed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from support.attempts import TaskInstance
from unit.uploads.conftest import HOST, UPLOAD, raises, send, upload
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesBadRequestError,
    WesDuplicateError,
    WesRateLimitError,
    WesUnknownOutcomeError,
)
from wes_provider.hooks import WesHook

if TYPE_CHECKING:
    from pytest_mock import MockerFixture


class Content(NamedTuple):
    """The content of a file in its upload and in the next attempt; empty if it is not checked."""

    name: str
    before: str
    after: str


NOT_ANOTHER = [
    Content("the same", "a", "a"),
    Content("not checked before", "", "b"),
    Content("not checked now", "a", ""),
]
CLEARS = pytest.mark.parametrize("clears", [False, True], ids=["in a retry", "after a clear"])


def begin_next_attempt(ti: TaskInstance, *, clears: bool) -> None:
    if clears:
        ti.clear()
    else:
        ti.try_number += 1


@CLEARS
@pytest.mark.parametrize("row", NOT_ANOTHER, ids=[row.name for row in NOT_ANOTHER])
def test_a_file_whose_content_is_the_same_or_not_known_is_adopted(
    wes_emulator: Emulator, ti: TaskInstance, row: Content, clears: bool
):
    (first,) = send(ti, f"{HOST}/a.csv", content_hash=row.before)
    begin_next_attempt(ti, clears=clears)
    (second,) = send(ti, f"{HOST}/a.csv", content_hash=row.after)
    assert second.file.id == first.file.id
    assert len(wes_emulator.files("summer")) == 1


@CLEARS
def test_a_file_with_another_content_than_its_upload_is_an_error_and_not_uploaded(
    wes_emulator: Emulator, ti: TaskInstance, clears: bool
):
    send(ti, f"{HOST}/a.csv", content_hash="a")
    begin_next_attempt(ti, clears=clears)
    with pytest.raises(WesDuplicateError, match="Uploaded before with another content") as raised:
        send(ti, f"{HOST}/a.csv", content_hash="b")
    assert raised.value.permanent, "the task fails for good"
    assert len(wes_emulator.files("summer")) == 1


def test_a_file_that_failed_before_a_clear_is_uploaded_again_whatever_its_content(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.script(outcome="failure", processing_time=0)
    send(ti, f"{HOST}/a.csv", content_hash="a")
    ti.clear()
    send(ti, f"{HOST}/a.csv", content_hash="b")
    assert len(wes_emulator.files("summer")) == 2


@CLEARS
def test_another_content_is_an_error_though_only_the_list_has_the_file(
    wes_emulator: Emulator, ti: TaskInstance, clears: bool
):
    """
    The reply is lost, and the list gets 503 until that attempt fails: its record has the content,
    and no file.
    """
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=5)
    with pytest.raises(WesUnknownOutcomeError):
        send(ti, f"{HOST}/a.csv", content_hash="a")
    wes_emulator.clear_faults()
    begin_next_attempt(ti, clears=clears)
    with pytest.raises(WesDuplicateError, match="Uploaded before with another content"):
        send(ti, f"{HOST}/a.csv", content_hash="b")
    assert len(wes_emulator.files("summer")) == 1


class Interrupted(NamedTuple):
    """What the requests for a replacement get, and the error that ends the attempt."""

    name: str
    requests: list[BaseException]
    error: type[BaseException]


LIMITED = WesRateLimitError("429")
INVALID = WesBadRequestError("400", status_code=400, code="bad")
INTERRUPTED = [
    Interrupted("refused", [INVALID], WesBadRequestError),
    Interrupted("refused after a 429", [LIMITED, INVALID], WesBadRequestError),
    Interrupted("killed", [KeyboardInterrupt()], KeyboardInterrupt),
    Interrupted("killed after a 429", [LIMITED, KeyboardInterrupt()], KeyboardInterrupt),
]


@pytest.mark.parametrize("row", INTERRUPTED, ids=lambda row: row.name)
def test_the_content_of_an_older_file_outlives_a_request_for_a_replacement(
    wes_emulator: Emulator, ti: TaskInstance, mocker: MockerFixture, row: Interrupted
):
    """``a.csv`` had the content a; its replacement, which does not get through, has b."""
    send(ti, f"{HOST}/a.csv", content_hash="a")
    ti.clear()
    mocker.patch.object(WesHook, "send_upload", side_effect=row.requests)
    with pytest.raises(row.error):
        send(ti, f"{HOST}/a.csv", "upload", content_hash="b")
    mocker.stopall()
    ti.clear()
    with pytest.raises(WesDuplicateError, match="Uploaded before with another content"):
        send(ti, f"{HOST}/a.csv", content_hash="b")


def test_a_file_that_was_adopted_whatever_it_holds_is_adopted_by_the_retry_as_well(
    wes_emulator: Emulator, ti: TaskInstance
):
    """Another task's file may hold what this task never sent."""
    other = TaskInstance(task_id="other", sleep=ti.sleep, now=ti.now)
    send(other, f"{HOST}/a.csv", content_hash="b")
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=5)
    with pytest.raises(WesUnknownOutcomeError):
        send(ti, f"{HOST}/a.csv", content_hash="a")
    wes_emulator.clear_faults()
    ti.clear()
    for _ in range(2):
        (file,) = send(ti, f"{HOST}/a.csv", content_hash="b")
        assert file.from_before_clear, "nobody counts its coupons twice"
        ti.try_number += 1
    assert len(wes_emulator.files("summer")) == 1


def test_a_checked_file_that_has_changed_is_not_taken_for_the_one_before(
    wes_emulator: Emulator, ti: TaskInstance
):
    pytest.importorskip("duckdb", reason="duckdb is not installed: dependency group test")
    storage = pytest.importorskip("wes_provider.storage")
    url = wes_emulator.host("a.csv", b"A1\nA2\n")
    first = ti.run(upload(url, preflight=storage.Preflight()))
    assert ti.clear(upload(url, preflight=storage.Preflight())) == first
    wes_emulator.host("a.csv", b"B1\nB2\nB3\n")
    with raises(WesDuplicateError, match="Uploaded before with another content"):
        ti.clear(upload(url, preflight=storage.Preflight()))
    assert len(wes_emulator.files("summer")) == 1
