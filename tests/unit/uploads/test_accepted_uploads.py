"""
An upload that the service has accepted without an identifier (a 2xx without a usable body) is
never sent again unless the list shows that it failed, a person calls it absent, or
``on_duplicate`` is ``upload`` after a clear: whatever became of later requests, whatever older
files the list shows, and however often the task is cleared. If the list does not show it, a
person is asked, for good; so too if that it was accepted cannot be remembered.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from support.attempts import Store, TaskInstance
from unit.uploads.conftest import ACCEPTED, FAILED_FILE, UPLOAD, is_for_good, raises, upload
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesBadRequestError, WesUnknownOutcomeError


def test_that_an_upload_was_accepted_outlives_the_attempt(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=5)
    for attempt, match in ((ti.run, "cannot be read now"), (ti.retry, "the service accepted it")):
        with raises(WesUnknownOutcomeError, match=match):
            attempt(upload())


def test_that_an_upload_was_accepted_outlives_a_clear(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    for attempt in (ti.run, ti.clear, ti.clear):
        with raises(WesUnknownOutcomeError, match="the service accepted it"):
            attempt(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 1
    ti.clear(upload(on_duplicate="upload"))
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


def test_a_second_operator_in_the_code_of_a_task_does_not_repeat_what_was_accepted(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.run(upload())
    ti.clear()
    context = ti.context()
    for _ in range(2):
        with raises(WesUnknownOutcomeError, match="the service accepted it"):
            upload()().execute(context)
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


class Forgetful(Store):
    """A store that fails to note that an upload was accepted."""

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        if value.get("accepted_in"):
            raise RuntimeError("the store is away")
        super().set(key, value, retention=retention)


@pytest.mark.parametrize("store", [None, Forgetful()], ids=["none", "away"])
def test_an_accepted_upload_that_cannot_be_remembered_is_a_persons(
    wes_emulator: Emulator, ti: TaskInstance, store: Store | None
):
    ti.store = store
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=5)
    with raises(WesUnknownOutcomeError, match="accepted it, and the list cannot be read") as raised:
        ti.run(upload())
    assert is_for_good(raised.value)
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


def test_an_accepted_upload_is_not_repeated_though_the_list_shows_a_file_of_before_the_clear(
    wes_emulator: Emulator, ti: TaskInstance
):
    ti.run(upload())
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(
        WesUnknownOutcomeError,
        match="the list shows only coupon file .+, which is from before the clear",
    ):
        ti.clear(upload(on_duplicate="upload"))
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


@pytest.mark.parametrize("name", ["", "sale of {run}"], ids=["a name of ours", "a name given"])
def test_an_accepted_upload_is_not_repeated_though_a_file_of_before_it_has_failed(
    wes_emulator: Emulator, ti: TaskInstance, name: str
):
    """The list shows nothing of the accepted one, so nobody knows what became of it."""
    arguments = {"name": name.format(run=ti.run_id)} if name else {}
    wes_emulator.script(**FAILED_FILE)
    ti.run(upload(**arguments))
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    for attempt in (ti.clear, ti.clear, ti.retry):
        with raises(
            WesUnknownOutcomeError, match="Perhaps uploaded: the service accepted"
        ) as raised:
            attempt(upload(**arguments))
        assert is_for_good(raised.value)
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


def find_failed_what_was_accepted(wes_emulator: Emulator, ti: TaskInstance) -> None:
    """
    An upload is accepted, and nobody knows its file; after a clear, the list shows it as failed,
    and the request for a replacement gets 400.
    """
    wes_emulator.script(**FAILED_FILE)
    wes_emulator.configure(list_lag=3600)
    wes_emulator.fail(UPLOAD, faults.empty(effect=True), times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.run(upload())
    wes_emulator.configure(list_lag=0)
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.clear(upload())


def test_an_accepted_upload_that_failed_processing_is_repeated_as_soon_as_the_list_shows_it(
    wes_emulator: Emulator, ti: TaskInstance
):
    find_failed_what_was_accepted(wes_emulator, ti)
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


def test_that_an_accepted_upload_has_failed_is_remembered_though_its_replacement_is_refused(
    wes_emulator: Emulator, ti: TaskInstance
):
    """After one more clear, the list hides the file again, and nobody is asked."""
    find_failed_what_was_accepted(wes_emulator, ti)
    wes_emulator.configure(list_lag=3600)
    ti.clear(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 3


@pytest.mark.parametrize(
    "refusal",
    [faults.error(400, code="invalid-request"), faults.error(400, body=b"<html>")],
    ids=["400 with a code of the service", "400 with a page"],
)
def test_that_an_upload_was_accepted_outlives_a_later_request_that_is_refused(
    wes_emulator: Emulator, ti: TaskInstance, refusal: faults.Fault
):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.run(upload())
    wes_emulator.fail(UPLOAD, refusal, times=1)
    with raises(WesBadRequestError):
        ti.clear(upload(on_duplicate="upload"))
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.clear(upload())
    assert len(wes_emulator.requests_for(UPLOAD)) == 2


@pytest.mark.parametrize("between", [None, faults.error(503)], ids=["nothing", "a 503"])
def test_an_older_file_does_not_show_what_became_of_an_accepted_upload(
    wes_emulator: Emulator, ti: TaskInstance, between: faults.Fault | None
):
    wes_emulator.script(outcome="failure", processing_time=0.0)
    ti.run(upload())
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it"):
        ti.clear(upload())
    if between is not None:
        wes_emulator.fail(UPLOAD, between, times=1)
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.clear(upload(on_duplicate="upload"))
    requests = len(wes_emulator.requests_for(UPLOAD))
    with raises(WesUnknownOutcomeError, match="the service accepted a later upload than") as raised:
        ti.clear(upload())
    assert is_for_good(raised.value)
    assert len(wes_emulator.requests_for(UPLOAD)) == requests


def test_an_accepted_upload_that_a_person_calls_absent_is_settled(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, ACCEPTED, times=1)
    with raises(WesUnknownOutcomeError, match="the service accepted it") as raised:
        ti.run(upload())
    (variable,) = re.findall(r"Airflow Variable (\S+)\n", str(raised.value))
    ti.variables[variable] = "absent"
    wes_emulator.fail(UPLOAD, faults.error(400, code="invalid-request"), times=1)
    with raises(WesBadRequestError):
        ti.clear(upload())
    ti.clear(upload())
    assert len(wes_emulator.files("summer")) == 1
