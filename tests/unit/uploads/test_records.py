"""
The record of an upload, in the state store of the task: it is kept for ten years, and its fields
of a newer version are ignored. If the store fails before a request, it is not sent, and the
store's error ends the attempt. If it fails after one, the upload has succeeded all the same and a
refusal is told all the same, the log says what cannot be remembered, and the retry finds out by
the list. A refusal leaves the record of an earlier request that may have arrived.

The list has ``coupon_files_lag`` for the file, from ``read_timeout`` after the request on, or from
the beginning of the retry if that is later. A file that it does not show by then is uploaded again.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from support.attempts import TaskInstance
from unit.uploads.conftest import UPLOAD, raises, upload
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesBadRequestError, WesUnknownOutcomeError
from wes_provider.uploads.identity import UploadName
from wes_provider.uploads.record import RecordStore, UploadRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_mock import MockerFixture


def refuse_to_store(ti: TaskInstance, is_refused: Callable[[Any], bool]) -> None:
    """Have the task's store raise an error for some of the values that it is to keep."""
    store = ti.store
    assert store is not None
    keep = store.set

    def set_some(key: str, value: Any, **options: Any) -> None:
        if is_refused(value):
            raise RuntimeError("the store is away")
        keep(key, value, **options)

    store.set = set_some  # type: ignore[method-assign]


@pytest.mark.parametrize("operation", ["get", "set"])
def test_what_a_store_that_fails_before_the_request_cannot_note_is_not_sent(
    wes_emulator: Emulator, ti: TaskInstance, mocker: MockerFixture, operation: str
):
    mocker.patch.object(ti.store, operation, side_effect=RuntimeError("the store is away"))
    with pytest.raises(RuntimeError, match="the store is away"):
        ti.run(upload())
    assert wes_emulator.requests_for(UPLOAD) == []


def test_a_store_that_fails_after_the_upload_does_not_fail_it(
    ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    refuse_to_store(ti, lambda value: "file" in value)
    file_id = ti.run(upload())
    assert ti.xcoms["coupon_file"]["id"] == file_id
    assert f"Coupon file {file_id} cannot be remembered: RuntimeError" in caplog.text


def test_a_file_that_could_not_be_remembered_is_adopted_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance
):
    refuse_to_store(ti, lambda value: "file" in value)
    file_id = ti.run(upload())
    assert ti.retry(upload()) == file_id
    assert len(wes_emulator.files("summer")) == 1


def retry_by_the_list(
    wes_emulator: Emulator, ti: TaskInstance, list_lag: float = 25, pause: float = 0
) -> str:
    """
    Have a retry find out by the list what became of a request whose reply was lost.

    :param list_lag: seconds until the list shows the file; by default it does so in time.
    :param pause: seconds before the retry.
    """
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=None)
    with raises(WesUnknownOutcomeError):
        ti.run(upload())
    wes_emulator.clear_faults()
    wes_emulator.configure(list_lag=list_lag)
    ti.sleep(pause)
    return str(ti.retry(upload()))


class Late(NamedTuple):
    """A file that the list shows late, and how many requests its upload takes."""

    list_lag: float
    pause: float
    requests: int


LATE_FILES = {
    "within 90 seconds of the request": Late(85, 0, requests=1),
    "later than that": Late(95, 0, requests=2),
    "within 30 seconds of the beginning of a late retry": Late(625, 600, requests=1),
    "later than that, too": Late(655, 600, requests=2),
}
"""With 60 seconds of ``read_timeout``, 30 of ``coupon_files_lag``, and ten or so of an attempt."""


@pytest.mark.parametrize("row", LATE_FILES.values(), ids=LATE_FILES)
def test_a_record_without_its_file_is_settled_by_the_list(
    wes_emulator: Emulator, ti: TaskInstance, row: Late
):
    file_id = retry_by_the_list(wes_emulator, ti, row.list_lag, row.pause)
    assert file_id == wes_emulator.files("summer")[-1]["_id"]
    assert len(wes_emulator.requests_for(UPLOAD)) == row.requests


def test_a_file_that_the_list_has_shown_is_remembered(wes_emulator: Emulator, ti: TaskInstance):
    """The next attempt adopts it though the list cannot be read."""
    file_id = retry_by_the_list(wes_emulator, ti)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=None)
    assert ti.retry(upload()) == file_id


def refuse_without_memory(wes_emulator: Emulator, ti: TaskInstance) -> None:
    """An attempt that gets 400, while the store fails to note that the request had no effect."""
    refuse_to_store(ti, lambda value: not value.get("sent_at"))
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.run(upload())


def test_a_store_that_fails_after_a_refusal_does_not_hide_it(
    wes_emulator: Emulator, ti: TaskInstance, caplog: pytest.LogCaptureFixture
):
    refuse_without_memory(wes_emulator, ti)
    assert "That it had no effect cannot be remembered: RuntimeError" in caplog.text


def test_after_a_refusal_that_could_not_be_remembered_the_retry_uploads_the_file(
    wes_emulator: Emulator, ti: TaskInstance
):
    refuse_without_memory(wes_emulator, ti)
    ti.retry(upload())
    assert len(wes_emulator.files("summer")) == 1


def test_a_refusal_leaves_the_record_of_the_request_before_it(
    wes_emulator: Emulator, ti: TaskInstance
):
    assert ti.store is not None
    wes_emulator.fail(UPLOAD, faults.reply_lost(effect=False), times=1)
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.run(upload())
    (key,) = ti.store.values
    assert json.loads(ti.store.values[key])["sent_at"] > 0, "the first one may have had an effect"


def test_a_record_is_kept_for_ten_years_or_more(mocker: MockerFixture):
    """As long as its run, which Airflow deletes with its records."""
    store = mocker.Mock()
    name = UploadName("aaaaaaaa", 1, "bbbb", "cccccc")
    RecordStore(store).save(name, UploadRecord(1))
    assert store.set.call_args.kwargs["retention"] >= timedelta(days=3650)


def test_a_field_of_a_newer_version_is_ignored_in_a_record(mocker: MockerFixture):
    store = mocker.Mock()
    name = UploadName("aaaaaaaa", 1, "bbbb", "cccccc")
    store.get.return_value = {"generation": 1, "of_a_newer_version": 1}
    assert RecordStore(store).load(name) == UploadRecord(1)
