"""
What an upload sends and tells its caller: a file's own credentials come before those of the task's
connection, and a password that the service repeats, in a reply or in the reason of a failure, is
shown nowhere. Storage and ledgers are told before each request and what became of it; a URL that
cannot be signed leaves no record. A list that shows no names does not settle a signed file,
whatever URLs it shows, since its own is not known.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred

from support.attempts import TaskInstance
from unit.uploads.conftest import HOST, UPLOAD, raises, replenish, send, upload
from wes_provider.client.responses import Listing
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesCouponFileFailedError, WesError, WesUnknownOutcomeError
from wes_provider.hooks import WesHook
from wes_provider.models import CouponFile

if TYPE_CHECKING:
    from pytest_mock import MockerFixture


def test_the_caller_is_told_before_each_request_and_what_became_of_it(
    wes_emulator: Emulator, ti: TaskInstance
):
    """The first request gets a 429, and the second one makes a file."""
    told: list[str] = []
    wes_emulator.fail(UPLOAD, faults.rate_limited(), times=1)
    send(
        ti,
        f"{HOST}/a.csv",
        before_send=lambda: told.append("before"),
        on_no_effect=lambda: told.append("no effect"),
        on_accepted=told.append,
    )
    (file,) = wes_emulator.files("summer")
    assert told == ["before", "no effect", "before", file["_id"]]


def test_a_request_whose_url_cannot_be_signed_leaves_no_record(ti: TaskInstance):
    with pytest.raises(ValueError, match="Expecting value"):
        send(ti, f"{HOST}/b.csv", sign=lambda: json.loads("no key"))
    assert ti.store is not None
    assert ti.store.values == {}


WITHOUT_NAME = {
    "of the URL that was sent": {"file_url": f"{HOST}/signed.csv"},
    "of another URL": {"file_url": f"{HOST}/other.csv"},
    "without a URL": {},
}


@pytest.mark.parametrize("shown", WITHOUT_NAME.values(), ids=WITHOUT_NAME)
def test_any_file_of_a_list_without_names_may_be_a_signed_file(
    wes_emulator: Emulator, ti: TaskInstance, mocker: MockerFixture, shown: dict[str, str]
):
    """It is neither adopted nor sent again."""
    mocker.patch.object(WesHook, "read_list", return_value=Listing([{"_id": "f", **shown}]))
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    with raises(WesUnknownOutcomeError, match="nothing shows that the service keeps names"):
        send(ti, f"{HOST}/a.csv", sign=lambda: f"{HOST}/signed.csv?signature=x", normalised_url="")
    assert len(wes_emulator.requests_for(UPLOAD)) == 1


def test_a_files_own_credentials_come_before_those_of_the_tasks_connection(
    wes_emulator: Emulator, ti: TaskInstance, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(
        "AIRFLOW_CONN_FILES", json.dumps({"conn_type": "http", "login": "shared", "password": "p"})
    )
    own = {
        "file_url": f"{HOST}/own.csv",
        "file_url_auth_username": "own",
        "file_url_auth_password": "q",
    }
    without_password = {"file_url": f"{HOST}/b.csv", "file_url_auth_username": "own"}
    ti.run(replenish([f"{HOST}/a.csv", own, without_password], file_url_auth_conn_id="files"))
    ti.run(upload(f"{HOST}/c.csv", file_url_auth_conn_id="files"))
    bodies = [json.loads(request.body) for request in wes_emulator.requests_for(UPLOAD)]
    sent = [(body["file_url_auth_username"], body.get("file_url_auth_password")) for body in bodies]
    assert sent == [("shared", "p"), ("own", "q"), ("own", None), ("shared", "p")]


REPEATS_PASSWORD = b'{"code": "bad", "message": "401 for joe:topsecret"}'
REPEATING: dict[str, dict[str, faults.Fault]] = {
    "the file's error": {},
    "the refusal of a poll": {"get_coupon_file": faults.error(400, body=REPEATS_PASSWORD)},
    "the refusal of the list": {
        UPLOAD: faults.reply_lost(),
        "list_coupon_files": faults.error(403, body=REPEATS_PASSWORD),
    },
}


@pytest.mark.parametrize("how", ["argument", "connection"])
@pytest.mark.parametrize("repeating", REPEATING.values(), ids=REPEATING)
def test_a_password_that_the_service_repeats_later_is_not_shown(
    wes_emulator: Emulator,
    ti: TaskInstance,
    monkeypatch: pytest.MonkeyPatch,
    repeating: dict[str, faults.Fault],
    how: str,
):
    """What errors and log lines hold is searched after each test."""
    wes_emulator.script(outcome="failure", processing_time=0.0, error="401 for joe:topsecret")
    for operation, fault in repeating.items():
        wes_emulator.fail(operation, fault, times=1)
    login = {"login": "joe", "password": "topsecret"}
    monkeypatch.setenv("AIRFLOW_CONN_FILES", json.dumps({"conn_type": "http", **login}))
    credentials: dict[str, Any] = {"file_url_auth_conn_id": "files"}
    if how == "argument":
        credentials = {"file_url_auth_username": "joe", "file_url_auth_password": "topsecret"}
    with raises(WesError) as raised:
        ti.run(upload(wait_for_completion=True, deferrable=False, **credentials))
    assert "joe:***" in str(raised.value)
    assert "topsecret" not in json.dumps(ti.xcoms)


@pytest.mark.parametrize("status", [400, 500], ids=["refused", "unknown"])
def test_the_error_of_one_file_does_not_show_the_password_of_another(
    wes_emulator: Emulator, ti: TaskInstance, status: int
):
    """A gateway may repeat what it got before."""
    other = {"file_url": f"{HOST}/b.csv", "file_url_auth_username": "joe"}
    files = [f"{HOST}/a.csv", {**other, "file_url_auth_password": "topsecret"}]
    wes_emulator.fail(UPLOAD, faults.error(status, body=REPEATS_PASSWORD), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(403, body=REPEATS_PASSWORD), times=None)
    with raises(WesError) as raised:
        ti.run(replenish(files))
    assert "joe:***" in str(raised.value)
    assert "topsecret" not in str(raised.value)


def test_a_password_that_the_service_repeats_to_a_triggerer_ends_there(
    wes_emulator: Emulator, ti: TaskInstance
):
    arguments = {"file_url_auth_username": "joe", "file_url_auth_password": "topsecret"}
    make = upload(wait_for_completion=True, deferrable=True, **arguments)
    with pytest.raises(TaskDeferred):
        make().execute(ti.context())
    file = CouponFile(wes_emulator.files("summer")[0]["_id"], "summer", status="FAILED")
    told = {"id": file.id, "coupon_list_id": "summer", "status": "FAILED"}
    ended = {"file": {**told, "reason": "401 for joe:topsecret"}, "failed": True}
    with raises(WesCouponFileFailedError, match=r"401 for joe:\*\*\*"):
        make().execute_complete(ti.context(), {"files": {file.id: ended}})
    assert "topsecret" not in json.dumps(ti.xcoms)
