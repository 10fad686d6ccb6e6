"""
Which error a status is. A 4xx other than 408 and 499 refuses any request, which had no effect;
only a 429 may be repeated. Of any other status, a read and an update of a segment have the error
of the status, and an upload has WesUnknownOutcomeError, which is permanent, because it may have
arrived. An error has status, code, message and the number of the request, and its first line the
file and list. That of a 429 says when the window resets, by this machine's clock: the header Date
tells how far the service's clock is off.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.exchanges import READ, REQUESTS, SEGMENT, UPLOAD, response
from wes_provider import exceptions
from wes_provider.client import responses
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.exceptions import WesError, WesResponseError

if TYPE_CHECKING:
    from pytest_mock import MockerFixture


class Refusal(NamedTuple):
    """
    A status that refuses a request, whichever it is.

    :ivar permanent: whether no repetition helps.
    """

    status: int
    error: type[WesError]
    permanent: bool = True


class Unclear(NamedTuple):
    """
    A status after which an upload's outcome is unknown.

    :ivar error: of a read and of a segment's update.
    :ivar permanent: whether no repetition of those helps.
    """

    status: int
    error: type[WesError]
    permanent: bool = False


REFUSALS = [
    Refusal(400, exceptions.WesBadRequestError),
    Refusal(401, exceptions.WesAuthenticationError),
    Refusal(403, exceptions.WesForbiddenError),
    Refusal(404, exceptions.WesNotFoundError),
    Refusal(409, exceptions.WesConflictError),
    Refusal(413, exceptions.WesPayloadTooLargeError),
    Refusal(418, exceptions.WesResponseError),
    Refusal(429, exceptions.WesRateLimitError, permanent=False),
]
UNCLEAR = [
    Unclear(199, exceptions.WesResponseError),
    Unclear(300, exceptions.WesResponseError, permanent=True),
    Unclear(408, exceptions.WesResponseError),
    Unclear(499, exceptions.WesResponseError),
    Unclear(500, exceptions.WesServerError),
    Unclear(502, exceptions.WesServerError),
    Unclear(504, exceptions.WesServerError),
]


def status_of(row: Refusal | Unclear) -> str:
    return str(row.status)


of_each_request = pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
of_repeatable_requests = pytest.mark.parametrize(
    "request_", [READ, SEGMENT], ids=["read", "update"]
)


@of_each_request
@pytest.mark.parametrize("row", REFUSALS, ids=status_of)
def test_a_refusal_is_the_same_error_whatever_was_requested(row: Refusal, request_: Request):
    error = responses.error_of(request_, response(row.status))
    assert type(error) is row.error
    assert error.permanent is row.permanent


@of_each_request
@pytest.mark.parametrize("row", REFUSALS, ids=status_of)
def test_a_request_that_is_refused_has_no_effect(row: Refusal, request_: Request):
    assert not responses.error_of(request_, response(row.status)).may_have_effect


@of_repeatable_requests
@pytest.mark.parametrize("row", UNCLEAR, ids=status_of)
def test_a_request_that_may_be_repeated_has_the_error_of_its_status(
    row: Unclear, request_: Request
):
    error = responses.error_of(request_, response(row.status))
    assert type(error) is row.error
    assert error.permanent is row.permanent


@of_repeatable_requests
@pytest.mark.parametrize("row", UNCLEAR, ids=status_of)
def test_a_request_whose_outcome_is_unknown_may_have_an_effect(row: Unclear, request_: Request):
    assert responses.error_of(request_, response(row.status)).may_have_effect


@pytest.mark.parametrize("row", UNCLEAR, ids=status_of)
def test_an_upload_has_an_error_of_its_own_if_its_outcome_is_unknown(row: Unclear):
    error = responses.error_of(UPLOAD, response(row.status))
    assert type(error) is exceptions.WesUnknownOutcomeError
    assert error.permanent
    assert error.may_have_effect
    assert error.status_code == row.status


ERROR_BODY = {"error": {"code": "some-code", "message": "Some message"}}


@of_each_request
@pytest.mark.parametrize("row", [*REFUSALS, *UNCLEAR], ids=status_of)
def test_an_error_shows_the_services_code_and_message_and_the_requests_number(
    row: Refusal | Unclear, request_: Request
):
    error = responses.error_of(request_, response(row.status, ERROR_BODY, x_request_id="r-1"))
    assert error.reason == f"{row.status} some-code: Some message"
    assert str(error).startswith(request_.about(error.reason))
    assert "Request r-1" in str(error)


@pytest.mark.parametrize("row", [*REFUSALS, *UNCLEAR], ids=status_of)
def test_an_error_of_a_response_has_its_parts_as_attributes(row: Refusal | Unclear):
    error = responses.error_of(READ, response(row.status, ERROR_BODY, x_request_id="r-1"))
    assert isinstance(error, WesResponseError)
    assert (error.status_code, error.code) == (row.status, "some-code")
    assert (error.message, error.request_id) == ("Some message", "r-1")


def test_the_reason_of_an_error_without_a_body_is_its_status():
    assert responses.error_of(READ, response(404)).reason == "404"


def test_the_reason_of_an_error_with_a_code_alone_is_its_status_and_code():
    assert responses.error_of(READ, response(404, {"code": "gone"})).reason == "404 gone"


def test_the_first_line_of_an_uploads_error_names_the_file_and_the_list():
    first = str(responses.error_of(UPLOAD, response(400, ERROR_BODY))).splitlines()[0]
    assert first == "400 some-code: Some message (a/coupons.csv of list summer)"


@given(
    st.binary()
    | st.recursive(st.none() | st.booleans() | st.text(), st.lists).map(
        lambda value: json.dumps(value)
    )
)
def test_any_body_of_any_error_has_an_error_in_one_line(body: Any):
    content = body if isinstance(body, bytes) else body.encode()
    for status in (400, 404, 429, 500):
        reason = responses.error_of(READ, Response(status, {}, content)).reason
        assert reason.startswith(str(status))
        assert reason.isprintable()


NOW = 1_772_366_400  # 2026-03-01 12:00:00 UTC


def refusal_by_the_limit(
    mocker: MockerFixture, resets_at: int, **headers: str
) -> exceptions.WesRateLimitError:
    mocker.patch("wes_provider.client.responses.time", SimpleNamespace(time=lambda: NOW))
    limits = {
        "x_ratelimit_limit": "5",
        "x_ratelimit_remaining": "0",
        "x_ratelimit_reset": str(resets_at),
    }
    error = responses.error_of(UPLOAD, response(429, {"code": "rate-limited"}, **limits, **headers))
    assert isinstance(error, exceptions.WesRateLimitError)
    return error


class Reset(NamedTuple):
    """A reset in fifty seconds, by the service's clock, and the header Date, if there is one."""

    resets_at: int
    headers: dict[str, str]


RESETS = {
    "no date": Reset(NOW + 50, {}),
    "a clock that is right": Reset(NOW + 50, {"date": "Sun, 01 Mar 2026 12:00:00 GMT"}),
    "a clock that is fast": Reset(NOW + 350, {"date": "Sun, 01 Mar 2026 12:05:00 GMT"}),
}


@pytest.mark.parametrize("row", RESETS.values(), ids=RESETS)
def test_a_refusal_by_the_rate_limit_has_the_limit_the_rest_and_the_reset_of_its_headers(
    mocker: MockerFixture, row: Reset
):
    """A second is added to the reset, since headers have no fractions."""
    error = refusal_by_the_limit(mocker, row.resets_at, **row.headers)
    assert (error.limit, error.remaining) == (5, 0)
    assert error.reset_at is not None
    assert error.reset_at.timestamp() == NOW + 51


def test_a_refusal_by_the_rate_limit_says_when_the_window_resets(mocker: MockerFixture):
    error = refusal_by_the_limit(mocker, NOW + 50)
    assert "The window resets at 12:00:51 UTC" in str(error)


def test_a_refusal_by_the_rate_limit_says_nothing_of_a_reset_that_is_past(mocker: MockerFixture):
    error = refusal_by_the_limit(mocker, NOW)
    assert error.reset_at is None
    assert "resets" not in str(error)
