"""
Lists that cannot say whether a lost upload is there. If the list cannot be read now (5xx, 401, a
200 that says it failed), the retry reads it again. If it announces that it is a part, has an
error beside its files, or has files of another list, a person is asked, for good, and nothing is
sent again.
"""

from __future__ import annotations

import json

import pytest

from support.attempts import TaskInstance
from unit.uploads.conftest import UPLOAD, is_for_good, raises, upload
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesUnknownOutcomeError

OTHER_LIST = {"_id": "f9", "coupons_list_id": "winter", "status": "SUCCESS", "name": "a.csv"}


def test_a_list_that_shows_another_lists_files_is_left_to_a_person(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wrong = faults.Fault(body=json.dumps([OTHER_LIST]).encode())
    wes_emulator.fail("list_coupon_files", wrong, times=None)
    with raises(WesUnknownOutcomeError, match="the service shows files of another list: f9"):
        ti.run(upload())
    wes_emulator.clear_faults()
    assert [ti.clear(upload())] == [file["_id"] for file in wes_emulator.files("summer")]


def test_an_upload_whose_list_cannot_be_read_is_left_to_the_retry(
    wes_emulator: Emulator, ti: TaskInstance
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(503), times=None)
    with raises(WesUnknownOutcomeError, match="the list cannot be read now") as raised:
        ti.run(upload())
    assert not is_for_good(raised.value)


def test_a_list_that_refuses_the_key_is_left_to_the_retry(wes_emulator: Emulator, ti: TaskInstance):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.error(401, code="wrong-key"), times=None)
    with pytest.raises(WesUnknownOutcomeError, match="the list cannot be read now: 401"):
        ti.run(upload())
    wes_emulator.clear_faults()
    assert [ti.retry(upload())] == [file["_id"] for file in wes_emulator.files("summer")]


PARTS: dict[str, faults.Fault] = {
    "a link among others": faults.Fault(body=b"[]", headers=(("Link", '</y>; rel="prev next"'),)),
    "a link in capitals": faults.Fault(body=b"[]", headers=(("Link", '</y>; REL="Next"'),)),
    "a second link": faults.Fault(
        body=b"[]", headers=(("Link", "</x>; rel=first, </y>; rel=next"),)
    ),
    "a link with a title": faults.Fault(
        body=b"[]", headers=(("Link", '</y>; title="a; b"; rel = "next"'),)
    ),
    "a range": faults.Fault(body=b"[]", headers=(("Content-Range", "items 0-0/5"),)),
    "a number of the next page": faults.Fault(body=b"[]", headers=(("X-Next-Page", "2"),)),
    "a total": faults.Fault(body=b"[]", headers=(("X-Total", "7"),)),
    "not the last page": faults.Fault(body=b'{"data": [], "last": false}'),
    "not the last page, in another spelling": faults.Fault(body=b'{"data": [], "isLast": false}'),
    "a key to go on with": faults.Fault(body=b'{"data": [], "LastEvaluatedKey": {"id": "7"}}'),
}


@pytest.mark.parametrize("listing", PARTS.values(), ids=PARTS)
def test_an_upload_whose_list_says_that_it_is_a_part_is_left_to_a_person(
    wes_emulator: Emulator, ti: TaskInstance, listing: faults.Fault
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", listing, times=None)
    with raises(WesUnknownOutcomeError, match="Perhaps uploaded: ") as raised:
        ti.run(upload())
    assert is_for_good(raised.value)
    assert len(wes_emulator.files("summer")) == 1


WITH_ERRORS = {
    "an error": b'{"data": [], "error": "timeout"}',
    "the code of an error": b'{"data": [], "errorCode": 10003}',
}


@pytest.mark.parametrize("body", WITH_ERRORS.values(), ids=WITH_ERRORS)
def test_an_upload_whose_list_has_an_error_beside_it_is_left_to_a_person(
    wes_emulator: Emulator, ti: TaskInstance, body: bytes
):
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.Fault(body=body), times=None)
    with raises(WesUnknownOutcomeError, match="Perhaps uploaded: ") as raised:
        ti.run(upload())
    assert is_for_good(raised.value)
    assert len(wes_emulator.files("summer")) == 1


FAILED_READINGS = {
    "success is false": b'{"data": [], "success": false, "message": "database is down"}',
    "ok is false": b'{"data": [], "ok": false}',
    "status is error": b'{"data": [], "status": "error"}',
    "status is fail": b'{"data": [], "status": "fail"}',
    "code is 500": b'{"data": [], "code": 500}',
    "statusCode is a string": b'{"data": [], "statusCode": "503"}',
}


@pytest.mark.parametrize("body", FAILED_READINGS.values(), ids=FAILED_READINGS)
def test_a_list_with_200_that_says_it_failed_is_read_again_by_the_retry(
    wes_emulator: Emulator, ti: TaskInstance, body: bytes
):
    """A lost upload cannot be looked for now; the retry finds and adopts it."""
    wes_emulator.fail(UPLOAD, faults.reply_lost(), times=1)
    wes_emulator.fail("list_coupon_files", faults.Fault(body=body), times=1)
    with raises(WesUnknownOutcomeError, match="the list cannot be read now: 200 that says"):
        ti.run(upload())
    assert ti.retry(upload()) == wes_emulator.files("summer")[0]["_id"]
    assert len(wes_emulator.files("summer")) == 1
