"""The one decision that every wait is on: each row is a line of the table in docs/waiting.md."""

from __future__ import annotations

import logging
from datetime import datetime, timezone
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.coupon_files import failure
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConnectionError,
    WesCouponFileFailedError,
    WesError,
    WesForbiddenError,
    WesNotFoundError,
    WesRateLimitError,
    WesResponseError,
    WesServerError,
    WesTimeoutError,
    WesUnknownOutcomeError,
)
from wes_provider.models import CouponFile
from wes_provider.waits.decision import CouponFileWait, Done, Failed, PollAgain, pause

START = 1_700_000_000.0
TIMEOUT = 3600.0


def file(status: str = "PENDING", **counts: int) -> CouponFile:
    return CouponFile(
        "f", "l", status=status, file_url="https://h.example.com/coupons", counts=counts
    )


def wait(**fields: Any) -> CouponFileWait:
    return CouponFileWait(
        "l", "f", **{"started": START, "deadline": START + TIMEOUT, "title": "coupons", **fields}
    )


REFUSED = WesAuthenticationError("401", status_code=401)
FORBIDDEN = WesForbiddenError("403", status_code=403)
GONE = WesNotFoundError("404", status_code=404)
TROUBLE = [
    WesServerError("500", status_code=500),
    WesConnectionError("refused"),
    WesUnknownOutcomeError("no response", permanent=False),
    WesRateLimitError("429"),
    WesResponseError("408", status_code=408),
]

ENDS = [  # what a poll brings, when, whether the file was read before, and what ends the wait
    (file("PENDING"), 0, False, None),
    (file("PENDING"), TIMEOUT, False, WesTimeoutError),
    (file(" success "), 0, False, Done),
    (file("SUCCESS"), TIMEOUT + 1, False, Done),
    (file(" failed "), 0, False, WesCouponFileFailedError),
    (file("FAILED"), TIMEOUT + 1, False, WesCouponFileFailedError),
    (file("ODD"), 0, False, None),
    *[(error, TIMEOUT - 1, False, None) for error in TROUBLE],
    *[(error, TIMEOUT, False, WesTimeoutError) for error in TROUBLE],
    (REFUSED, 0, False, WesAuthenticationError),
    (REFUSED, 0, True, None),
    (FORBIDDEN, 0, False, WesForbiddenError),
    (FORBIDDEN, 0, True, None),
    (GONE, 59, False, None),
    (GONE, 60, False, WesNotFoundError),
    (GONE, 60, True, WesNotFoundError),
    (WesResponseError("400", status_code=400), 0, True, WesResponseError),
]


@pytest.mark.parametrize(("polled", "after", "key_was_accepted", "end"), ENDS)
def test_what_ends_a_wait(polled: Any, after: float, key_was_accepted: bool, end: Any):
    decision = wait(key_was_accepted=key_was_accepted).decide(polled, START + after)
    if end is None:
        assert isinstance(decision, PollAgain)
    elif end is Done:
        assert decision == Done(polled, after)
    else:
        assert isinstance(decision, Failed)
        assert type(decision.error) is end
        assert decision.waited == after


@pytest.mark.parametrize("error", [REFUSED, FORBIDDEN])
def test_a_wait_that_has_read_its_file_outlives_five_minutes_of_a_refused_key(error: WesError):
    waiting = wait()
    assert isinstance(waiting.decide(file(), START), PollAgain)
    for after in (10, 309):
        assert isinstance(waiting.decide(error, START + after), PollAgain)
    waiting.decide(file(), START + 309)  # accepted again: the five minutes begin anew
    assert isinstance(waiting.decide(error, START + 310), PollAgain)
    assert isinstance(waiting.decide(error, START + 609), PollAgain)
    for after in (610, 611):  # another error: they begin anew after it
        assert isinstance(waiting.decide(TROUBLE[0], START + after), PollAgain)
    assert isinstance(waiting.decide(error, START + 612), PollAgain)
    assert waiting.decide(error, START + 912) == Failed(error, 912)


def test_the_deadlines_error_says_what_was_seen_last():
    waiting = wait()
    waiting.decide(file("Importing"), START + 1)
    (error, _) = waiting.decide(TROUBLE[1], START + TIMEOUT)
    assert str(error) == (
        "Not processed within 3600 s, last status Importing (coupons of list l)\n"
        "It may still be processed: raise timeout, and execution_timeout if the task has one, or "
        "wait for it with a "
        "sensor.\nThe last poll failed: refused"
    )
    assert error.reason == "Not processed within 3600 s, last status Importing"
    assert "last status none seen" in str(wait().timed_out(None, START + 5))
    in_a_trigger = wait(title="")  # which learns from the service what people call the file
    assert "(f of list l)" in str(in_a_trigger.timed_out(None, START + 5))
    in_a_trigger.decide(file(), START)
    assert "(coupons of list l)" in str(in_a_trigger.timed_out(None, START + 5))


def test_a_failure_says_why_which_file_and_what_to_do():
    failed = msgspec.structs.replace(file("FAILED", added=2), reason="row 3 is empty")
    error = failure(failed, "Do this.")
    assert str(error) == "FAILED: row 3 is empty (coupons of list l)\nDo this.\nCoupon file: f"
    assert error.reason == "FAILED: row 3 is empty"
    assert error.coupon_file == failed.summary()
    assert str(failure(file("FAILED"))).startswith(
        "Processing failed with status FAILED (coupons of list l)"
    )


# -- log lines -----------------------------------------------------------------------------------


def test_each_thing_is_logged_once():
    waiting, lines = wait(), []
    for polled in (
        "PENDING",
        "PENDING",
        "ODD",
        "ODD",
        TROUBLE[0],
        TROUBLE[0],
        TROUBLE[1],
        "ODD",
        "Running",
    ):
        decision = waiting.decide(file(polled) if isinstance(polled, str) else polled, START)
        assert isinstance(decision, PollAgain)
        if decision.note is not None:
            lines.append((decision.note[0], decision.note[1].partition("\n")[0]))
    assert lines == [
        (logging.INFO, "PENDING (coupons of list l)"),
        (logging.WARNING, "Status 'ODD' is not known, still waiting (coupons of list l)"),
        (logging.WARNING, "Poll failed, trying again (coupons of list l)"),
        (logging.WARNING, "Poll failed, trying again (coupons of list l)"),
        (logging.INFO, "ODD (coupons of list l)"),
        (logging.INFO, "Running (coupons of list l)"),
    ]


# -- pauses --------------------------------------------------------------------------------------

PAUSES = [  # after so many seconds, with this interval and so many waits
    (0, 60, 1, 1),
    (1, 60, 1, 0.13),
    (100, 60, 1, 13),
    (10_000, 60, 1, 60),
    (0, 60, 10_000, 25),
    (0, 5, 10_000, 5),
    (0, 1, 1, 1),
]


@pytest.mark.parametrize(("waited", "poll_interval", "waits", "longest"), PAUSES)
def test_pauses_grow_with_the_wait_and_with_the_waits(
    waited: float, poll_interval: float, waits: int, longest: float
):
    pauses = [pause(waited, poll_interval, waits) for _ in range(200)]
    assert 0.9 * longest <= min(pauses) < max(pauses) <= longest


@given(st.lists(st.sampled_from(["PENDING", "ODD", *TROUBLE]), min_size=1), st.floats(2, 600))
def test_whatever_polls_bring_pauses_are_at_most_the_interval_and_end_at_the_deadline(
    polls: Any, interval: float
):
    waiting, now = wait(poll_interval=interval), START
    for each in polls:
        decision = waiting.decide(file(each) if isinstance(each, str) else each, now)
        if now >= START + TIMEOUT:
            assert isinstance(decision, Failed)
            break
        assert isinstance(decision, PollAgain)
        assert 0 < decision.seconds <= min(interval, START + TIMEOUT - now)
        assert isinstance(each, str) or decision.seconds >= 1, (
            "a service in trouble is left alone for a second"
        )
        now += decision.seconds


def test_a_refusal_by_the_rate_limit_pauses_until_its_reset():
    error = WesRateLimitError("429", reset_at=datetime.fromtimestamp(START + 300, timezone.utc))
    decision = wait(poll_interval=5).decide(error, START)
    assert isinstance(decision, PollAgain)
    assert 300 <= decision.seconds <= 301
    error.reset_at = datetime.fromtimestamp(START + 2 * TIMEOUT, timezone.utc)
    last = wait(poll_interval=5).decide(error, START + TIMEOUT - 10)
    assert isinstance(last, PollAgain)
    assert last.seconds == 10, "the last poll is at the deadline"
