"""
What a clear changes. A file from before it is adopted, or replaced if it has failed or
``on_duplicate`` is ``upload``; its status is read first, and one that cannot be read now is left
to the retry. What has replaced it is adopted by later attempts, also after a deferral for the
limit, a 429 or a lost reply; a replacement that had no effect leaves the older file. A file that
was not processed is uploaded again if the service itself says that it does not have it any more.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from support.attempts import Clock, TaskInstance
from unit.uploads.conftest import (
    AWAY_NOW,
    FAILED_FILE,
    LATE,
    UPLOAD,
    raises,
    replenish,
    upload,
    urls,
)
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import (
    WesBadRequestError,
    WesError,
    WesServerError,
    WesUnknownOutcomeError,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class ReplacedByDeferral(NamedTuple):
    """A replenishing task, and the identifiers of its failed file and of the replacement."""

    make: Callable[[], Any]
    failed: list[str]
    replacement: list[str]


@pytest.fixture(params=["adopt", "fail"], ids=lambda mode: f"on_duplicate is {mode}")
def replaced(
    wes_emulator: Emulator,
    ti: TaskInstance,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> ReplacedByDeferral:
    """
    A file has failed, the task is cleared, and the limit makes it defer. That FAILED is a failure
    is in the task's statuses, and not in the connection's.
    """
    others, own = (
        {"coupon_file_statuses": {"failure": [status]}} for status in ("BROKEN", "FAILED")
    )
    monkeypatch.setenv(
        "AIRFLOW_CONN_WES_DEFAULT", json.dumps(wes_emulator.connection(extra=others))
    )
    make = replenish(urls(1), on_duplicate=request.param, **own)
    wes_emulator.script(outcome="failure", processing_time=0.0)
    failed = ti.run(make)
    wes_emulator.script(outcome="success", processing_time=0.0)
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=50), times=1)
    return ReplacedByDeferral(make, failed, ti.clear(make))


def test_a_failed_file_is_uploaded_again_after_a_clear_though_the_limit_makes_it_defer(
    wes_emulator: Emulator, ti: TaskInstance, replaced: ReplacedByDeferral
):
    assert len(ti.deferrals) == 1
    files = [file["_id"] for file in wes_emulator.files("summer")]
    assert files == [*replaced.failed, *replaced.replacement]
    assert len(files) == 2


def test_what_has_replaced_a_failed_file_is_adopted_by_the_retry(
    ti: TaskInstance, replaced: ReplacedByDeferral
):
    assert ti.retry(replaced.make) == replaced.replacement


def test_a_file_of_before_a_clear_that_may_have_failed_is_not_adopted_before_its_status_is_read(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.script(**FAILED_FILE)
    first = ti.run(upload())
    wes_emulator.script(statuses=[("SUCCESS", None)])
    wes_emulator.fail("get_coupon_file", faults.error(503), times=None)
    with pytest.raises(WesServerError):
        ti.clear(upload())
    wes_emulator.clear_faults()
    assert ti.retry(upload()) != first


@pytest.mark.parametrize("name", ["", "sale of {run}"], ids=["a name of ours", "a name given"])
def test_no_file_of_before_the_clear_is_taken_for_the_one_that_never_arrived(
    wes_emulator: Emulator, ti: TaskInstance, name: str
):
    """One was processed, its replacement failed, and the request for another one is lost."""
    arguments = {"name": name.format(run=ti.run_id)} if name else {}
    wes_emulator.script(statuses=[("SUCCESS", None)])
    ti.run(upload(**arguments))
    wes_emulator.script(**FAILED_FILE)
    ti.clear(upload(on_duplicate="upload", **arguments))
    wes_emulator.script(statuses=[("SUCCESS", None)])
    wes_emulator.fail(UPLOAD, faults.error(503), times=1)
    third = ti.clear(upload(**arguments))
    assert [file["_id"] for file in wes_emulator.files("summer")][2] == third


@pytest.mark.parametrize("name", [None, "sale-nightly.csv"], ids=["a name of ours", "given"])
def test_a_file_that_a_request_without_effect_was_to_replace_is_adopted(
    wes_emulator: Emulator, ti: TaskInstance, name: str | None
):
    arguments = {} if name is None else {"name": name}
    first = ti.run(upload(**arguments))
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.clear(upload(on_duplicate="upload", **arguments))
    assert ti.clear(upload(**arguments)) == first


def test_after_a_wait_for_the_limit_the_file_counts_that_the_list_shows_then(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock
):
    """The list shows one that failed, and after the wait the one that has replaced it."""
    assert ti.store is not None
    wes_emulator.script(outcome="failure", processing_time=0.0)
    ti.run(upload())
    clock.sleep(60)
    wes_emulator.script(statuses=[("SUCCESS", None)])
    replacement = ti.clear(upload())
    ti.store.values.clear()
    wes_emulator.configure(**LATE)
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=100), times=1)
    assert ti.clear(upload()) == replacement


@pytest.mark.parametrize("decides", ["on_duplicate", "Variable"])
def test_a_429_does_not_undo_that_a_clear_is_to_send_again(
    wes_emulator: Emulator, ti: TaskInstance, decides: str
):
    """
    The reply to the first request is lost, and the list is refused; after the clear, the second
    one gets a 429, and the third one, after a deferral, is carried out. There is no record then.
    """
    assert ti.store is not None
    wes_emulator.fail("list_coupon_files", faults.error(403, code="no"), times=None)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with raises(WesUnknownOutcomeError) as raised:
        ti.run(upload())
    arguments = {"on_duplicate": "upload"}
    if decides == "Variable":
        (variable,) = re.findall(r"Airflow Variable (\S+)\n", str(raised.value))
        ti.variables[variable] = "absent"
        arguments = {}
    ti.store.values.clear()
    wes_emulator.fail(UPLOAD, faults.rate_limited(reset_in=50), times=1)
    file_id = ti.clear(upload(deferrable=True, **arguments))
    assert len(ti.deferrals) == 1
    assert len(wes_emulator.requests_for(UPLOAD)) == 3
    assert [file["_id"] for file in wes_emulator.files("summer")][1:] == [file_id]


class Replaced(NamedTuple):
    """A file that is uploaded before a clear, and why another one is uploaded after it."""

    name: str
    script: dict[str, Any]
    on_duplicate: str


REPLACED = [
    Replaced("on_duplicate is upload", {"statuses": [("SUCCESS", None)]}, "upload"),
    Replaced("it has failed", FAILED_FILE, "adopt"),
]


@pytest.mark.parametrize("row", REPLACED, ids=[row.name for row in REPLACED])
def test_a_lost_reply_after_a_clear_is_resolved_by_the_new_file_though_the_list_shows_it_late(
    wes_emulator: Emulator, ti: TaskInstance, clock: Clock, row: Replaced
):
    wes_emulator.script(**row.script)
    first = ti.run(upload())
    wes_emulator.script(statuses=[("SUCCESS", None)])
    clock.sleep(10)
    wes_emulator.configure(list_lag=5)
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    second = ti.clear(upload(on_duplicate=row.on_duplicate))
    wes_emulator.configure(list_lag=0)
    assert [file["_id"] for file in wes_emulator.files("summer")] == [first, second]


@pytest.mark.parametrize("fault", AWAY_NOW.values(), ids=AWAY_NOW)
def test_a_status_that_cannot_be_read_now_is_read_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance, fault: faults.Fault
):
    file_id = ti.run(upload())
    wes_emulator.fail("get_coupon_file", fault, times=None)
    with pytest.raises(WesError) as raised:
        ti.clear(upload())
    assert not raised.value.permanent
    wes_emulator.clear_faults()
    assert ti.retry(upload()) == file_id


def test_a_cleared_task_that_uploads_again_needs_no_list(wes_emulator: Emulator, ti: TaskInstance):
    ti.store = None
    first = ti.run(upload())
    wes_emulator.fail("list_coupon_files", faults.error(403), times=None)
    with raises(WesUnknownOutcomeError, match="the service refuses to show the list: 403"):
        ti.clear(upload())
    assert ti.clear(upload(on_duplicate="upload")) != first
    assert len(wes_emulator.files("summer")) == 2


def test_the_status_of_another_file_is_not_that_of_a_file_from_before_the_clear(
    wes_emulator: Emulator, ti: TaskInstance
):
    file_id = ti.run(upload())
    other = json.dumps({"_id": "other", "status": "SUCCESS", "name": "x"}).encode()
    wes_emulator.fail("get_coupon_file", faults.Fault(body=other), times=1)
    with pytest.raises(WesError, match="the service replied with coupon file other"):
        ti.clear(upload())
    assert ti.retry(upload()) == file_id


def forget_all_files(wes_emulator: Emulator, reply: faults.Fault) -> None:
    """Have the service show no file any more: none by itself, and none in the list."""
    wes_emulator.fail("get_coupon_file", reply, times=None)
    wes_emulator.fail("list_coupon_files", faults.Fault(body=b"[]"), times=None)


NO_SUCH_FILE = faults.error(404, "not-found")
OF_GATEWAY = faults.Fault(status=404, body=b"<html>404 Not Found</html>")


def test_a_file_that_was_lost_on_its_way_is_uploaded_again(
    wes_emulator: Emulator, ti: TaskInstance
):
    file_id = ti.run(upload())
    forget_all_files(wes_emulator, NO_SUCH_FILE)
    assert ti.clear(upload()) != file_id


def test_a_file_whose_identifier_is_that_of_another_upload_by_now_is_gone(
    wes_emulator: Emulator, ti: TaskInstance
):
    file_id = ti.run(upload())
    other = {"_id": file_id, "status": "SUCCESS", "name": "hhhhhhhh-g3-bbbb-iiiiii.csv"}
    forget_all_files(wes_emulator, faults.Fault(body=json.dumps(other).encode()))
    assert ti.clear(upload()) != file_id


def test_a_404_of_a_gateway_does_not_say_that_a_file_is_lost(
    wes_emulator: Emulator, ti: TaskInstance
):
    file_id = ti.run(upload())
    forget_all_files(wes_emulator, OF_GATEWAY)
    with pytest.raises(WesError) as raised:
        ti.clear(upload())
    assert not raised.value.permanent
    wes_emulator.clear_faults()
    assert ti.retry(upload()) == file_id
