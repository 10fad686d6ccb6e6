"""
The decision that every wait is on. A processed file ends it, and a failed one fails it with
WesCouponFileFailedError, both also after the deadline. A pending file, an unknown status, 5xx, no
connection, no response, 408, 429 and 499 do not end it before the deadline, and fail it there with
WesTimeoutError, which has the last status and error. 404 fails it after a minute; 302 and 400 at
once; 401 and 403 at once if the key was never accepted, and else after five minutes, which begin
again after a poll that was not refused.

A changed status or error is logged, an unknown status as a warning once. The first pause is 1 s;
pauses grow with the time waited (0.13 s after a second, 13 s after 100) and with the number of
waits, up to ``poll_interval`` and the deadline; up to a tenth is left off by chance. After trouble
it is 1 s or longer; after a 429 until the reset, and a second at most beyond it, or until the
deadline.
"""

from __future__ import annotations

import logging
from datetime import datetime, timezone
from typing import Any, NamedTuple

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
    WesResponseError("499", status_code=499),
]
FOR_GOOD = [WesResponseError(str(status), status_code=status) for status in (302, 400)]


class GoesOn(NamedTuple):
    """
    A poll that does not end the wait.

    :ivar after: seconds since the wait began.
    :ivar outlives_refused_key: whether the key was used before, or the wait began elsewhere.
    """

    name: str
    polled: CouponFile | WesError
    after: float = 0
    outlives_refused_key: bool = False


class Ends(NamedTuple):
    """A poll that ends the wait, with a class of error; see :class:`GoesOn`."""

    name: str
    polled: CouponFile | WesError
    error: type[WesError]
    after: float = 0
    outlives_refused_key: bool = False


GOES_ON = [
    GoesOn("pending", file("PENDING")),
    GoesOn("unknown status", file("ODD")),
    *[GoesOn(f"{error} before the deadline", error, TIMEOUT - 1) for error in TROUBLE],
    GoesOn("the first 401 of a key that was used before", REFUSED, outlives_refused_key=True),
    GoesOn("the first 403 of a key that was used before", FORBIDDEN, outlives_refused_key=True),
    GoesOn("404 within a minute", GONE, 59),
]
ENDS = [
    Ends("pending at the deadline", file("PENDING"), WesTimeoutError, TIMEOUT),
    Ends("failed, in small letters with spaces", file(" failed "), WesCouponFileFailedError),
    Ends("failed after the deadline", file("FAILED"), WesCouponFileFailedError, TIMEOUT + 1),
    *[Ends(f"{error} at the deadline", error, WesTimeoutError, TIMEOUT) for error in TROUBLE],
    Ends("401 of a key that was never used", REFUSED, WesAuthenticationError),
    Ends("403 of a key that was never used", FORBIDDEN, WesForbiddenError),
    Ends("404 after a minute", GONE, WesNotFoundError, 60),
    Ends(
        "404 after a minute, of a key that was used before",
        GONE,
        WesNotFoundError,
        60,
        outlives_refused_key=True,
    ),
    *[
        Ends(
            f"{error} of a key that was {used}",
            error,
            WesResponseError,
            outlives_refused_key=outlives,
        )
        for error in FOR_GOOD
        for used, outlives in (("never used", False), ("used before", True))
    ],
]


@pytest.mark.parametrize("row", GOES_ON, ids=lambda row: row.name)
def test_a_wait_goes_on_after_these_polls(row: GoesOn):
    waiting = wait(outlives_refused_key=row.outlives_refused_key)
    assert isinstance(waiting.decide(row.polled, START + row.after), PollAgain)


@pytest.mark.parametrize("row", ENDS, ids=lambda row: row.name)
def test_a_wait_fails_at_these_polls_with_their_error(row: Ends):
    waiting = wait(outlives_refused_key=row.outlives_refused_key)
    decision = waiting.decide(row.polled, START + row.after)
    assert isinstance(decision, Failed)
    assert type(decision.error) is row.error
    assert decision.waited == row.after


@pytest.mark.parametrize("after", [0, TIMEOUT + 1], ids=["at once", "after the deadline"])
def test_a_processed_file_ends_a_wait(after: float):
    processed = file(" success ")
    assert wait().decide(processed, START + after) == Done(processed, after)


GRACE = 300  # seconds for which a wait outlives a refused key that was accepted before

refusals = pytest.mark.parametrize("error", [REFUSED, FORBIDDEN], ids=["401", "403"])


def wait_that_has_read_its_file() -> CouponFileWait:
    """A wait whose first poll, at ``START``, brought a pending file."""
    waiting = wait()
    assert isinstance(waiting.decide(file(), START), PollAgain)
    return waiting


@refusals
def test_a_wait_that_has_read_its_file_ends_after_five_minutes_of_a_refused_key(error: WesError):
    """Refused from 10 s on, it goes on at 309 s and fails at 310 s."""
    waiting = wait_that_has_read_its_file()
    for after in (10, 10 + GRACE - 1):
        assert isinstance(waiting.decide(error, START + after), PollAgain)
    assert waiting.decide(error, START + 10 + GRACE) == Failed(error, 10 + GRACE)


@refusals
def test_a_wait_whose_key_was_used_before_ends_after_five_minutes_though_it_never_read_its_file(
    error: WesError,
):
    """Refused from its first poll on, it goes on at 299 s and fails at 300 s."""
    waiting = wait(outlives_refused_key=True)
    for after in (0, GRACE - 1):
        assert isinstance(waiting.decide(error, START + after), PollAgain)
    assert waiting.decide(error, START + GRACE) == Failed(error, GRACE)


@refusals
@pytest.mark.parametrize(
    "between", [file(), TROUBLE[0]], ids=["the file is read", "the service fails with 500"]
)
def test_the_five_minutes_of_a_refused_key_begin_again_after_a_poll_that_is_not_refused(
    between: CouponFile | WesError, error: WesError
):
    """Refused from 10 s on, not refused at 309 s, and refused again from 312 s on."""
    waiting = wait_that_has_read_its_file()
    assert isinstance(waiting.decide(error, START + 10), PollAgain)
    assert isinstance(waiting.decide(between, START + 309), PollAgain)
    for after in (312, 312 + GRACE - 1):
        assert isinstance(waiting.decide(error, START + after), PollAgain)
    assert waiting.decide(error, START + 312 + GRACE) == Failed(error, 312 + GRACE)


def test_the_deadlines_error_quotes_the_last_status_and_the_error_of_the_last_poll():
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


def test_the_deadlines_error_says_if_no_status_was_seen():
    assert "last status none seen" in str(wait().timed_out(None, START + 5))


def test_errors_of_a_trigger_call_the_file_by_its_identifier_until_a_poll_has_brought_its_url():
    """A trigger has no title of the file: it is the end of the URL, ``coupons``."""
    in_a_trigger = wait(title="")
    assert "(f of list l)" in str(in_a_trigger.timed_out(None, START + 5))
    in_a_trigger.decide(file(), START)
    assert "(coupons of list l)" in str(in_a_trigger.timed_out(None, START + 5))


def test_a_failure_says_why_which_file_and_what_to_do():
    failed = msgspec.structs.replace(file("FAILED", added=2), reason="row 3 is empty")
    error = failure(failed, "Do this.")
    assert str(error) == "FAILED: row 3 is empty (coupons of list l)\nDo this.\nCoupon file: f"
    assert error.reason == "FAILED: row 3 is empty"
    assert error.coupon_file == failed.summary()


def test_a_failure_without_a_reason_quotes_the_status():
    assert str(failure(file("FAILED"))).startswith(
        "Processing failed with status FAILED (coupons of list l)"
    )


# -- log lines -----------------------------------------------------------------------------------


def test_a_status_or_an_error_is_logged_if_the_poll_before_had_another_one():
    """
    A status that is not known is a warning once; an error is one whenever the poll before brought
    something else.
    """
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
        "ODD",
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
        (logging.INFO, "ODD (coupons of list l)"),
    ]


# -- pauses --------------------------------------------------------------------------------------


class Pause(NamedTuple):
    """
    A pause between two polls, in seconds; chance takes up to a tenth off.

    :ivar waited: seconds since the upload.
    :ivar waits: how many there are in the process.
    """

    longest: float
    waited: float = 0
    poll_interval: float = 60
    waits: int = 1


PAUSES = {
    "until the first poll": Pause(1),
    "a second later": Pause(0.13, waited=1),
    "a share of the time waited": Pause(13, waited=100),
    "the interval at most": Pause(60, waited=10_000),
    "longer with many waits": Pause(25, waits=10_000),
    "the interval at most, with many waits": Pause(5, poll_interval=5, waits=10_000),
    "the shortest interval": Pause(1, poll_interval=1),
}


@pytest.mark.parametrize("row", PAUSES.values(), ids=PAUSES)
def test_pauses_grow_with_the_time_waited_and_the_number_of_waits_up_to_the_interval(row: Pause):
    pauses = [pause(row.waited, row.poll_interval, row.waits) for _ in range(200)]
    assert 0.9 * row.longest <= min(pauses) < max(pauses) <= row.longest


@given(
    st.lists(st.sampled_from(["PENDING", "ODD", *TROUBLE]), min_size=1),
    st.floats(2, 600),
    st.floats(0, TIMEOUT - 1),
)
def test_whatever_polls_bring_pauses_are_at_most_the_interval_and_the_time_until_the_deadline(
    polls: list[str | WesError], interval: float, begins_after: float
):
    """Polls begin at a drawn time of the wait."""
    waiting, now = wait(poll_interval=interval), START + begins_after
    for each in polls:
        if now >= START + TIMEOUT:
            break
        decision = waiting.decide(file(each) if isinstance(each, str) else each, now)
        assert isinstance(decision, PollAgain)
        assert 0 < decision.seconds <= min(interval, START + TIMEOUT - now)
        now += decision.seconds


@pytest.mark.parametrize("error", TROUBLE, ids=str)
def test_a_service_in_trouble_is_left_alone_for_a_second_or_longer(error: WesError):
    """A second after the upload, when a pending file is polled again after 0.13 s."""
    decision = wait().decide(error, START + 1)
    assert isinstance(decision, PollAgain)
    assert decision.seconds >= 1


def test_a_429_pauses_until_its_reset_and_a_second_at_most_beyond_it():
    """With a reset 300 s ahead, the next poll is after 300 to 301 s, though the interval is 5 s."""
    error = WesRateLimitError("429", reset_at=datetime.fromtimestamp(START + 300, timezone.utc))
    decision = wait(poll_interval=5).decide(error, START)
    assert isinstance(decision, PollAgain)
    assert 300 <= decision.seconds <= 301


def test_a_429_whose_reset_is_after_the_deadline_pauses_until_the_deadline():
    """With a deadline 10 s ahead, the last poll is after 10 s."""
    reset_at = datetime.fromtimestamp(START + 2 * TIMEOUT, timezone.utc)
    error = WesRateLimitError("429", reset_at=reset_at)
    last = wait(poll_interval=5).decide(error, START + TIMEOUT - 10)
    assert isinstance(last, PollAgain)
    assert last.seconds == 10
