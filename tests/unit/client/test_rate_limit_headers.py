"""Rate limits at the client: what headers are worth, and how long both drivers wait after a 429."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.wes_driver import Driver, read
from unit.client.test_operations import OPERATIONS
from wes_provider.client.operations import Operations
from wes_provider.client.rate_limit_headers import header_count, reset_after, reset_time
from wes_provider.client.retry import LONGEST_BACKOFF, RESET_JITTER
from wes_provider.client.sync_client import WesClient
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesRateLimitError

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=timezone.utc)
EPOCH = int(NOW.timestamp())
RESET, DATE = "x-ratelimit-reset", "date"


def at(seconds: float) -> str:
    """A Date header, so many seconds from now."""
    return format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)


RESETS = {
    "a minute ahead": ({RESET: f"{EPOCH + 60}"}, 60),
    "by the service's clock, which is ahead": ({RESET: f"{EPOCH + 360}", DATE: at(300)}, 60),
    "by the service's clock, which is behind": ({RESET: f"{EPOCH - 240}", DATE: at(-300)}, 60),
    "a second ahead": ({RESET: f"{EPOCH + 1}"}, 1),
    "a fraction, rounded up": ({RESET: f"{EPOCH + 59}.25"}, 60),
    "spaces around": ({RESET: f" {EPOCH + 60} "}, 60),
    "doubled: the later one": ({RESET: f"{EPOCH + 60}, {EPOCH + 90}"}, 90),
    "a day ahead": ({RESET: f"{EPOCH + 86400}"}, 86400),
    "without a readable Date": ({RESET: f"{EPOCH + 60}", DATE: "tomorrow"}, 60),
    "with a Date of no zone": ({RESET: f"{EPOCH + 60}", DATE: at(0).replace("GMT", "-0000")}, 60),
    "an hour after a day": ({RESET: f"{EPOCH + 90000}"}, 90000),
    "missing": ({}, None),
    "a second later": ({RESET: f"{EPOCH + 90001}"}, None),
    "empty": ({RESET: ""}, None),
    "now": ({RESET: f"{EPOCH}"}, None),
    "past": ({RESET: f"{EPOCH - 1}"}, None),
    "zero": ({RESET: "0"}, None),
    "negative": ({RESET: "-1"}, None),
    "seconds instead of a time": ({RESET: "60"}, None),
    "milliseconds": ({RESET: f"{EPOCH + 60}000"}, None),
    "nan": ({RESET: "nan"}, None),
    "inf": ({RESET: "inf"}, None),
    "the year 100000": ({RESET: "3093527980800"}, None),
    "more digits than any clock has": ({RESET: "9" * 5000}, None),
    "two days ahead": ({RESET: f"{EPOCH + 2 * 86400}"}, None),
    "a date": ({RESET: at(60)}, None),
    "a word": ({RESET: "soon"}, None),
    "doubled, one of them garbage": ({RESET: f"{EPOCH + 60}, soon"}, None),
    "a Date of another year": ({RESET: f"{EPOCH + 60}", DATE: at(-400 * 86400)}, None),
}


@pytest.mark.parametrize(("headers", "seconds"), RESETS.values(), ids=RESETS)
def test_reset_after(headers: dict[str, str], seconds: int | None):
    assert reset_after(headers, NOW) == (None if seconds is None else timedelta(seconds=seconds))


@given(st.dictionaries(st.sampled_from([RESET, DATE]), st.text() | st.integers().map(str) | st.floats().map(str)))
def test_no_header_makes_a_reset_past_or_absurd(headers: dict[str, str]):
    left = reset_after(headers, NOW)
    assert left is None or timedelta(0) < left <= timedelta(hours=25)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("5", 5),
        ("0", 0),
        (" 5 ", 5),
        ("5, 3", 3),
        ("-1", None),
        ("5.0", None),
        ("", None),
        ("many", None),
        ("5,", None),
    ],
)
def test_header_count(text: str, count: int | None):
    assert header_count({"x-ratelimit-limit": text}, "x-ratelimit-limit") == count
    assert header_count({}, "x-ratelimit-limit") is None


def test_reset_time_is_what_the_service_says():
    assert reset_time({RESET: "1772366400.5"}) == 1772366401
    assert reset_time({}) is None


# -- through both drivers -----------------------------------------------------------------------------------

TABLE: dict[str, Callable[[int], list[tuple[str, str]]]] = {
    "missing": lambda now: [],
    "past": lambda now: [(RESET, f"{now - 60}")],
    "negative": lambda now: [(RESET, "-60")],
    "fractional": lambda now: [(RESET, f"{now + 1}.5")],
    "nan": lambda now: [(RESET, "nan")],
    "inf": lambda now: [(RESET, "inf")],
    "the year 100000": lambda now: [(RESET, "3093527980800")],
    "doubled": lambda now: [(RESET, f"{now + 1}"), (RESET, f"{now + 2}")],
    "doubled, one past": lambda now: [(RESET, f"{now - 9}"), (RESET, f"{now + 2}")],
    "doubled, one garbage": lambda now: [(RESET, f"{now + 2}"), (RESET, "soon")],
    "absurd counts": lambda now: [("x-ratelimit-limit", "9" * 4000), ("x-ratelimit-remaining", "-1")],
    "a Date of long ago": lambda now: [(RESET, f"{now + 2}"), ("Date", "Thu, 01 Jan 1970 00:00:00 GMT")],
    "a Date that is none": lambda now: [(RESET, f"{now + 2}"), ("Date", "soon")],
    "no ASCII": lambda now: [(RESET, "½")],
}


@pytest.mark.parametrize("headers", TABLE.values(), ids=TABLE)
@pytest.mark.parametrize("operation", ["upload_coupon_file", "create_catalog", "update_segment"])
def test_no_refusal_sleeps_too_long_hammers_or_crashes(
    driver: Driver, wes_emulator: Emulator, operation: str, headers: Callable[[int], list[tuple[str, str]]]
):
    driver.settings = replace(driver.settings, max_attempts=4)
    pairs = headers(int(wes_emulator.clock.now()))
    wes_emulator.fail(operation, faults.Fault(status=429, body=b"", headers=pairs), times=None)
    with pytest.raises(WesRateLimitError):
        driver(OPERATIONS[operation])
    assert [request.status for request in wes_emulator.requests_for(operation)] == [429] * 4
    assert len(driver.slept) == 3
    assert sum(driver.slept) > 0.5  # at least, where the reset makes no sense or is there
    assert max(driver.slept) <= LONGEST_BACKOFF


def test_nothing_is_sent_again_before_the_reset(driver: Driver, wes_emulator: Emulator):
    for skew in (-5.0, 0.0, 5.0):
        wes_emulator.reset()
        wes_emulator.configure(date_skew=skew)
        wes_emulator.fail("create_catalog", faults.rate_limited(reset_in=30 + skew))
        driver.slept.clear()
        driver(OPERATIONS["create_catalog"])
        (slept,) = driver.slept
        assert 30 - 0.5 <= slept <= 31 + RESET_JITTER + 0.5  # half a second for the test itself


def test_clients_do_not_come_back_in_one_instant(driver: Driver, wes_emulator: Emulator):
    wes_emulator.fail("update_segment", faults.rate_limited(reset_in=30), times=4)
    driver.settings = replace(driver.settings, max_attempts=5)
    driver(OPERATIONS["update_segment"])
    assert len(set(driver.slept)) == 4


def test_a_reset_that_is_too_far_away_is_reported(driver: Driver, wes_emulator: Emulator):
    wes_emulator.fail("upload_coupon_file", faults.rate_limited(reset_in=130))
    before = datetime.now(timezone.utc)
    with pytest.raises(WesRateLimitError, match=r"The window resets in 13[01] s") as raised:
        driver(OPERATIONS["upload_coupon_file"])
    assert driver.slept == []
    error = raised.value
    assert (error.status_code, error.limit, error.remaining) == (429, 5, 0)
    assert error.reset_at is not None
    assert timedelta(seconds=129) < error.reset_at - before < timedelta(seconds=132)
    assert not error.permanent


def test_a_quota_that_no_waiting_cures_is_reported_with_what_the_service_said(driver: Driver, wes_emulator: Emulator):
    body = b'{"error": {"code": "quota-exceeded", "message": "Your plan has 10 catalogs."}}'
    wes_emulator.fail("create_catalog", faults.rate_limited("missing", body=body), times=None)
    with pytest.raises(WesRateLimitError, match="429 quota-exceeded: Your plan has 10 catalogs") as raised:
        driver(OPERATIONS["create_catalog"])
    assert len(wes_emulator.requests) == 5
    assert raised.value.code == "quota-exceeded"
    assert raised.value.reset_at is None


def test_catalogs_wait_for_the_minute_and_report_the_hour(wes_emulator: Emulator):
    """Contract section 8: a hundred a minute, and a thousand an hour, which is too long for a worker."""
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        wes_emulator.clock.advance(seconds)

    wes_emulator.clock.speed = 0
    wes_emulator.clock.advance(3600 - wes_emulator.clock.now() % 3600 + 1)
    settings = read(wes_emulator.connection())
    with contextlib.closing(WesClient(settings, sleep=sleep)) as client:
        for number in range(1000):
            client.run(Operations(settings).create_catalog(f"catalog {number}", "EUR", []))
        with pytest.raises(WesRateLimitError) as raised:
            client.run(Operations(settings).create_catalog("one more", "EUR", []))
    statuses = [request.status for request in wes_emulator.requests]
    assert statuses == ([201] * 100 + [429]) * 10
    assert len(slept) == 9
    assert max(slept) <= 60 + RESET_JITTER
    assert raised.value.limit == 1000
    assert raised.value.reset_at is not None
    assert 3600 - 9 * 62 < raised.value.reset_at.timestamp() - datetime.now(timezone.utc).timestamp() < 3600 - 8 * 60
