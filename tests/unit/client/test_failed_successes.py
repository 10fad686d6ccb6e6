"""
A 2xx whose body says that the request has failed, by ``success``, ``ok``, ``status``, a code or
an error beside what was asked for: an error that may be repeated, for an update of a segment and
for a read. The status and the error of the segment or of the file itself are no failure of the
request.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.exchanges import FILE, READ, SEGMENT, response
from wes_provider.client import responses
from wes_provider.exceptions import WesResponseError

SAID_TO_FAIL: dict[str, dict[str, Any]] = {
    "no success": {"success": False},
    "no success, as a string": {"isSuccess": "false"},
    "not ok": {"ok": False},
    "a word": {"status": "failed"},
    "a status code": {"statusCode": 503},
    "an error": {"error": {"message": "gone"}},
    "a segment, and no success": {"name": "n", "success": False},
}
NOT_SAID_TO_FAIL: dict[str, dict[str, Any]] = {
    "success": {"success": True},
    "another word": {"status": "active"},
    "the status code of a success": {"code": 200},
    "no error": {"error": None, "errors": [], "errorCode": 0},
    "a segment that is itself in error": {"name": "n", "status": "error"},
}


@pytest.mark.parametrize("body", SAID_TO_FAIL.values(), ids=SAID_TO_FAIL)
def test_an_update_of_a_segment_that_is_said_to_have_failed_is_an_error(body: dict[str, Any]):
    with pytest.raises(WesResponseError, match="200 that says the request has failed") as raised:
        responses.read_result(SEGMENT, response(200, body))
    assert not raised.value.permanent


@pytest.mark.parametrize("body", NOT_SAID_TO_FAIL.values(), ids=NOT_SAID_TO_FAIL)
def test_an_update_of_a_segment_that_is_not_said_to_have_failed_is_a_success(body: dict[str, Any]):
    assert responses.read_result(SEGMENT, response(200, body)) == body


@pytest.mark.parametrize(
    "wrapper", [{"success": False}, {"status": "error"}, {"code": 500}], ids=str
)
def test_a_file_in_a_response_that_is_said_to_have_failed_is_not_read(wrapper: dict[str, Any]):
    with pytest.raises(WesResponseError, match="200 that says the request has failed"):
        responses.coupon_file(READ, response(200, {**wrapper, "data": FILE}))


def test_the_error_of_a_file_is_not_one_of_its_reading():
    failed = {**FILE, "status": "error", "error": "no such column"}
    assert responses.coupon_file(READ, response(200, failed)).status == "error"
