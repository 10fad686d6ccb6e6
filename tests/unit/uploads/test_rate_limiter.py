"""
How close an uploader that keeps to ``RateLimiter`` comes to what the service allows, on a clock of
its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.client.rate_limits import RateLimit, rate_limit
from wes_provider.contract import UPLOAD_COUPON_FILE, Limit
from wes_provider.emulator.limits import Placing, full_window, window_at
from wes_provider.uploads.rate_limiter import RateLimiter

MIDNIGHT = 1_699_920_000.0
MINUTE = (Limit(5, 60),)
BOTH = UPLOAD_COUPON_FILE.limits


@dataclass
class Service:
    """
    The service's limits, and an uploader in front of them.

    :ivar skew: by which the uploader's clock is ahead, seconds.
    :ivar headers: which responses carry them: ``all``, ``429`` or ``none``; ``day``: all, of the
        day's window.
    """

    policy: str = "fixed"
    headers: str = "all"
    skew: float = 0.0
    start: float = MIDNIGHT + 17.3
    latency: float = 0.02
    windows: tuple[Limit, ...] = MINUTE
    accepted: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)

    def run(self, files: int, rate_limiter: RateLimiter | None = None) -> RateLimiter:
        """Upload so many files."""
        rate_limiter, self.now = rate_limiter or RateLimiter(), self.start
        while len(self.accepted) < files:
            self.now = max(self.now, rate_limiter.next(self.now + self.skew) - self.skew)
            self._upload(rate_limiter)
            assert len(self.refused) <= 10 * files
        return rate_limiter

    def _upload(self, rate_limiter: RateLimiter) -> None:
        arrived = self.now + self.latency
        placing = Placing(self.policy, 0.0)
        refusing = full_window(self.windows, self.accepted, arrived, placing)
        (self.refused if refusing else self.accepted).append(arrived)
        standing = [window_at(limit, self.accepted, arrived, placing) for limit in self.windows]
        quota = refusing or min(standing, key=lambda one: (one.remaining, -one.reset))
        quota = standing[-1] if self.headers == "day" else quota
        headers = {"date": formatdate(math.floor(arrived), usegmt=True)}
        if self.headers in ("all", "day") or (refusing and self.headers == "429"):
            headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"] = (
                str(quota.limit.requests),
                str(quota.remaining),
            )
            headers["x-ratelimit-reset"] = str(math.ceil(quota.reset))
        self.now = arrived + self.latency
        local = self.now + self.skew
        (rate_limiter.refuse if refusing else rate_limiter.note)(rate_limit(headers, local), local)

    @property
    def ratio(self) -> float:
        """What it took, of the least that the limit allows for it."""
        window, start = self.windows[0], self.accepted[0]
        rounds = math.ceil(len(self.accepted) / window.requests) - 1
        least = rounds * window.seconds
        if self.policy == "fixed":
            least += math.floor(start / window.seconds) * window.seconds - start
        return (self.accepted[-1] - start) / least


by_start = pytest.mark.parametrize(
    "start",
    [MIDNIGHT + start for start in (0.0, 0.7, 30.0, 58.6, 59.99)],
    ids=lambda start: f"{start - MIDNIGHT:.2f} s after midnight",
)
by_policy = pytest.mark.parametrize("policy", ["fixed", "rolling"])


@by_start
@by_policy
@pytest.mark.parametrize("skew", [-5.0, -0.4, 0.0, 0.6, 5.0], ids="{} s ahead".format)
def test_with_headers_every_window_is_filled_without_a_refusal(
    policy: str, skew: float, start: float
):
    """50 uploads take 1 % longer than the least that 5 a minute allow, though clocks differ."""
    service = Service(policy, skew=skew, start=start)
    service.run(50)
    assert service.refused == []
    assert service.ratio <= 1.01


without_headers_of_successes = pytest.mark.parametrize(
    "headers", ["429", "none"], ids=["headers of a 429 alone", "no headers"]
)


@by_start
@by_policy
@without_headers_of_successes
def test_without_headers_fifty_uploads_take_nine_minutes_as_five_a_minute_allow(
    policy: str, headers: str, start: float
):
    """Windows are taken to roll, so that none is refused, whichever kind they are."""
    service = Service(policy, headers, start=start, windows=BOTH)
    service.run(50)
    assert service.accepted[-1] - service.accepted[0] <= 9 * 60 + 1
    assert service.refused == []


@by_start
@by_policy
@without_headers_of_successes
def test_without_headers_the_51st_upload_of_a_day_waits_for_the_end_of_the_day(
    policy: str, headers: str, start: float
):
    """24 h after the first upload, also in another process, to which the limiter is passed on."""
    service = Service(policy, headers, start=start, windows=BOTH)
    rate_limiter = service.run(50)
    service.start = service.now
    service.run(51, msgspec.convert(msgspec.to_builtins(rate_limiter), RateLimiter))
    assert service.accepted[-1] - service.accepted[0] == pytest.approx(86400, abs=2)
    assert service.refused == []


@by_start
@by_policy
def test_headers_that_count_the_day_leave_five_a_minute_to_roll(policy: str, start: float):
    """40 uploads take seven minutes, and none is refused."""
    service = Service(policy, "day", start=start, windows=BOTH)
    service.run(40)
    assert service.refused == []
    assert service.accepted[-1] - service.accepted[0] <= 7 * 60 + 1


def test_headers_without_a_reset_leave_the_documented_five_a_minute():
    """After five uploads in as many seconds, the next one is a minute after the first."""
    rate_limiter = RateLimiter()
    for second in range(5):
        rate_limiter.note(RateLimit(limit=5, remaining=0), MIDNIGHT + second)
    assert rate_limiter.next(MIDNIGHT + 4) == MIDNIGHT + 60


@pytest.mark.parametrize("limit", [Limit(12, 30), Limit(3, 20)], ids=["12 in 30 s", "3 in 20 s"])
def test_a_limit_that_headers_state_replaces_the_documented_one(limit: Limit):
    """40 uploads take 5 % longer than the least that the stated limit allows."""
    service = Service(windows=(limit,))
    service.run(40)
    assert service.refused == []
    assert service.ratio <= 1.05


@by_policy
@pytest.mark.parametrize("headers", ["all", "429", "none"])
def test_two_uploads_of_others_cost_twelve_refusals_at_most(policy: str, headers: str):
    """Of 52 uploads within 14 minutes, when others have uploaded just before them."""
    service = Service(policy, headers)
    service.accepted = [service.start - 2.0, service.start - 1.0]
    service.run(52)
    assert len(service.refused) <= 12
    assert service.accepted[-1] - service.start <= 14 * 60


@given(
    policy=st.sampled_from(["fixed", "rolling"]),
    start=st.floats(0, 60),
    skew=st.floats(-5, 5),
    latency=st.floats(0.001, 0.1),
    files=st.integers(6, 50),
)
def test_whatever_clocks_and_latency_uploads_need_little_longer_than_their_windows(
    policy: str, start: float, skew: float, latency: float, files: int
):
    service = Service(policy, skew=skew, start=MIDNIGHT + start, latency=latency)
    service.run(files)
    windows = math.ceil(files / 5)
    # A second or two each for a rounded reset, a Date, and chance; and the way of six messages a
    # window.
    assert service.accepted[-1] - service.start <= (windows - 1) * 60 + 5 + windows * (
        12 * latency + 2
    )
    assert len(service.refused) <= 3


def test_a_window_that_others_have_filled_ends_with_its_reset():
    """Of ours, one is in this minute; headers say that nothing remains until 140 s."""
    limiter = RateLimiter()
    for second in (0, 1, 2, 3, 90):
        limiter.note(RateLimit(), MIDNIGHT + second)
    limiter.note(RateLimit(5, 0, MIDNIGHT + 140), MIDNIGHT + 91)
    assert limiter.next(MIDNIGHT + 91) == MIDNIGHT + 140


WITH_RESET = {
    "a window that is used up": RateLimit(5, 0, MIDNIGHT + 40),
    "a reset alone": RateLimit(5, None, MIDNIGHT + 40),
}
WITHOUT_RESET = {
    "nothing": RateLimit(),
    "another window, which is not used up": RateLimit(1000, 900, MIDNIGHT + 40),
    "a limit without a reset": RateLimit(5, 0, None),
}


def pauses_after(limit: RateLimit) -> list[float]:
    """Seconds until the next upload after a 429 that says this of its limit, with fifty chances."""
    pauses = []
    for _ in range(50):
        limiter = RateLimiter()
        limiter.refuse(limit, MIDNIGHT)
        pauses.append(limiter.next(MIDNIGHT) - MIDNIGHT)
    return pauses


@pytest.mark.parametrize("limit", WITH_RESET.values(), ids=WITH_RESET)
def test_after_a_429_the_next_upload_waits_for_its_reset_and_a_second_at_most(limit: RateLimit):
    assert all(40 <= pause <= 41 for pause in pauses_after(limit))


@pytest.mark.parametrize("limit", WITHOUT_RESET.values(), ids=WITHOUT_RESET)
def test_after_a_429_that_does_not_say_when_the_next_upload_waits_two_to_five_seconds(
    limit: RateLimit,
):
    assert all(2 <= pause <= 5 for pause in pauses_after(limit))


def refused_twelve_times() -> RateLimiter:
    """A limiter after twelve refusals at midnight, none of which had a reset."""
    limiter = RateLimiter()
    for _ in range(12):
        limiter.refuse(RateLimit(), MIDNIGHT)
    assert (limiter.refused_since, limiter.refusals) == (MIDNIGHT, 12)
    return limiter


def test_after_twelve_refusals_without_a_reset_the_next_upload_waits_30_to_90_s():
    assert MIDNIGHT + 30 <= refused_twelve_times().next(MIDNIGHT) <= MIDNIGHT + 90


def test_an_accepted_upload_ends_the_count_of_refusals():
    """The next upload may be sent at once, and the next refusal is the first again."""
    limiter = refused_twelve_times()
    limiter.note(RateLimit(), MIDNIGHT + 90)
    assert limiter.refusals == 0
    assert limiter.next(MIDNIGHT + 90) == MIDNIGHT + 90
    limiter.refuse(RateLimit(), MIDNIGHT + 200)
    assert limiter.refused_since == MIDNIGHT + 200


class Estimate(NamedTuple):
    """Uploads to come, and the seconds until the last of them may be sent."""

    uploads: int
    seconds: float


ESTIMATES = [
    Estimate(0, 0),
    Estimate(5, 0),
    Estimate(6, 60),
    Estimate(50, 9 * 60),
    Estimate(51, 86400),
    Estimate(120, 2 * 86400 + 3 * 60),
]


@pytest.mark.parametrize("row", ESTIMATES, ids=[f"{row.uploads} uploads" for row in ESTIMATES])
def test_the_time_for_uploads_follows_from_five_a_minute_and_fifty_a_day(row: Estimate):
    assert RateLimiter().seconds_for(row.uploads, MIDNIGHT) == row.seconds


def test_an_estimate_leaves_the_limiter_as_it_was():
    limiter = RateLimiter()
    limiter.seconds_for(120, MIDNIGHT)
    assert limiter == RateLimiter()


def test_the_time_for_uploads_counts_what_was_uploaded_in_this_minute():
    """After one upload, five more take until the next minute."""
    limiter = RateLimiter()
    limiter.note(RateLimit(), MIDNIGHT)
    assert limiter.seconds_for(5, MIDNIGHT) == 60


def test_all_times_of_a_limiter_move_by_ten_seconds_to_a_clock_that_is_ten_seconds_ahead():
    limiter = RateLimiter()
    limiter.note(RateLimit(), 1000.0)
    limiter.refuse(RateLimit(5, 0, 1060.0), 1001.0)
    opened = limiter.opens
    limiter.shift(10.0)
    assert limiter.counted == [1010.0]
    assert limiter.opens == opened + 10.0
    assert limiter.refused_since == 1011.0
