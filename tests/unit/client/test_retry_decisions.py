"""Whether a request is sent again, when, and what an error says if none of that helps: the policy of both drivers."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
import tenacity

from wes_provider.client import retry
from wes_provider.client.operations import NOT_KNOWN, Request
from wes_provider.client.retry import Attempts, response_lost, transport_error, worth_repeating
from wes_provider.client.settings import WesSettings
from wes_provider.exceptions import (
    WesConfigurationError,
    WesConnectionError,
    WesError,
    WesNotFoundError,
    WesRateLimitError,
    WesResponseError,
    WesServerError,
    WesUnknownOutcomeError,
)

if TYPE_CHECKING:
    from pytest_mock import MockerFixture

READ = Request("get_coupon_file", "GET", "https://h.example:444/v1/a?b=c", {})
UPLOAD = Request("upload_coupon_file", "POST", "https://h.example/v1/a", {}, repeatable=False)
CATALOG = Request("create_catalog", "POST", "https://h.example/v1/a", {}, after_success="Look there.")

SETTINGS = WesSettings("wes", "https://h.example", "w", "key", "key", max_attempts=4, max_rate_limit_wait=60)


def limited(seconds: float | None) -> WesRateLimitError:
    reset_at = None if seconds is None else datetime.now(timezone.utc) + timedelta(seconds=seconds)
    return WesRateLimitError("429", reset_at=reset_at)


@pytest.mark.parametrize(
    ("error", "longest", "repeated"),
    [
        *((WesResponseError("", status_code=status), 60, True) for status in (408, 499, 500, 502, 503, 504)),
        *((WesResponseError("", status_code=status), 60, False) for status in (300, 400, 404, 409, 501, 505)),
        (limited(None), 60, True),
        (limited(None), None, False),
        (limited(3600), 7200, True),  # hours, since these times are of when tests are collected
        (limited(14400), 7200, False),
        (limited(-3600), 0, True),
        (limited(3600), None, False),
        (WesUnknownOutcomeError(""), 60, False),
        (WesUnknownOutcomeError("", permanent=False), 60, True),
        (WesConnectionError(""), 60, True),
        (WesConfigurationError(""), 60, False),
        (WesError(""), 60, False),
        (OSError(), 60, False),
    ],
)
def test_what_is_worth_repeating(error: BaseException, longest: float | None, repeated: bool):
    assert worth_repeating(error, longest) is repeated


def state_after(error: BaseException, attempt: int = 1) -> tenacity.RetryCallState:
    state = tenacity.RetryCallState(tenacity.Retrying(), None, (), {})
    state.attempt_number = attempt
    state.set_exception((type(error), error, None))
    return state


@pytest.mark.parametrize(("attempt", "least"), [(1, 0.5), (2, 1), (3, 2), (6, 16), (7, 30), (99, 30)])
@pytest.mark.parametrize("error", [limited(None), WesServerError("", status_code=503)], ids=["429", "503"])
def test_pauses_double_up_to_half_a_minute(error: WesError, attempt: int, least: float):
    assert least <= retry.seconds_before_next(state_after(error, attempt)) <= least + 0.5


def test_a_pause_lasts_until_the_reset_and_at_most_a_second_more(mocker: MockerFixture):
    for chance in (0.0, 0.5, 1.0):
        mocker.patch("random.random", return_value=chance)
        assert retry.seconds_before_next(state_after(limited(40), 9)) == pytest.approx(40 + chance, abs=0.2)
        assert retry.seconds_before_next(state_after(limited(-40), 9)) == chance


@pytest.mark.parametrize(
    ("error", "level"), [(limited(9), logging.INFO), (WesServerError("503", status_code=503), logging.WARNING)], ids=str
)
def test_a_pause_is_logged_with_its_cause(error: WesError, level: int, caplog: pytest.LogCaptureFixture):
    state = state_after(error, 2)
    state.next_action = tenacity.RetryAction(7.0)
    with caplog.at_level(logging.INFO):
        retry.retrying_arguments(SETTINGS)["before_sleep"](state)
    ((_, logged, text),) = caplog.record_tuples
    assert logged == level
    assert text == f"{error}\nTrying again in 7.0 s (attempt 3)"


def test_attempts_and_waits_are_those_of_the_connection():
    arguments = retry.retrying_arguments(SETTINGS)
    retrying = tenacity.Retrying(**{**arguments, "sleep": lambda seconds: None, "wait": tenacity.wait_none()})
    tries = Counter[str]()

    def fail(error: WesError) -> None:
        tries[str(error)] += 1
        raise error

    for error in (WesConnectionError("refused"), limited(70), limited(None)):
        with pytest.raises(type(error)) as caught:
            retrying(fail, error)
        assert caught.value is error
        assert tries.pop(str(error)) == (1 if getattr(error, "reset_at", None) else 4)


# -- errors of requests without a usable response


def test_a_request_that_was_not_sent_names_the_address_and_nothing_below_it():
    error = transport_error(READ, "ConnectionRefusedError", sent=False)
    assert type(error) is WesConnectionError
    assert str(error).startswith("the service was not reached at https://h.example:444\nConnectionRefusedError\n")


@pytest.mark.parametrize(("request_", "permanent"), [(READ, False), (UPLOAD, True)], ids=["read", "upload"])
def test_a_request_that_was_sent_has_an_unknown_outcome(request_: Request, permanent: bool):
    error = transport_error(request_, "a timeout", sent=True)
    assert isinstance(error, WesUnknownOutcomeError)
    assert error.permanent is permanent
    assert error.status_code is None
    assert str(error).startswith("no response: a timeout")
    assert (NOT_KNOWN in str(error)) is (request_ is UPLOAD)


@pytest.mark.parametrize("status", [None, 199, 200, 299, 300])
def test_a_success_that_broke_off_is_not_repeated_if_it_is_known_what_to_do(status: int | None):
    error = response_lost(CATALOG, "the body broke off", status)
    known = status in (200, 299)
    assert error.status_code == status
    assert error.permanent is known
    assert ("Look there." in str(error)) is known
    assert (NOT_KNOWN in str(error)) is not known
    assert str(error).startswith(f"{status}, but the body broke off" if known else "the body broke off")
    assert not response_lost(replace(CATALOG, after_success=""), "", status).permanent


def test_an_error_learns_of_an_unknown_outcome_before_it(mocker: MockerFixture):
    reported = mocker.patch("wes_provider.client.retry.report")
    attempts = Attempts(CATALOG)
    first, last = WesUnknownOutcomeError("lost"), WesNotFoundError("404", status_code=404)
    for error in (first, WesServerError("503", status_code=503), last):
        with pytest.raises(type(error)), attempts:
            raise error
    assert first.after_unknown == ""
    assert last.after_unknown == "503"
    assert Counter(call.args for call in reported.call_args_list) == {
        ("retries", "create_catalog"): 2,
        ("unknown_outcomes", "create_catalog"): 2,
    }


def test_a_read_has_no_outcome_that_matters(mocker: MockerFixture):
    reported = mocker.patch("wes_provider.client.retry.report")
    with pytest.raises(WesServerError), Attempts(READ):
        raise WesServerError("503", status_code=503)
    reported.assert_not_called()
