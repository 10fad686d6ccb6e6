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
    "start", [MIDNIGHT + start for start in (0.0, 0.7, 30.0, 58.6, 59.99)]
)
by_policy = pytest.mark.parametrize("policy", ["fixed", "rolling"])


@by_start
@by_policy
@pytest.mark.parametrize("skew", [-5.0, -0.4, 0.0, 0.6, 5.0])
def test_with_headers_every_window_is_filled_without_a_refusal(
    policy: str, skew: float, start: float
):
    service = Service(policy, skew=skew, start=start)
    service.run(50)
    assert service.refused == []
    assert service.ratio <= 1.01


@by_start
@by_policy
@pytest.mark.parametrize("headers", ["429", "none"])
def test_without_headers_documented_windows_are_taken_to_roll(
    policy: str, headers: str, start: float
):
    service = Service(policy, headers, start=start, windows=BOTH)
    rate_limiter = service.run(50)
    assert service.accepted[-1] - service.accepted[0] <= 9 * 60 + 1
    service.start = service.now
    # In another process.
    service.run(51, msgspec.convert(msgspec.to_builtins(rate_limiter), RateLimiter))
    assert service.accepted[-1] - service.accepted[0] == pytest.approx(86400, abs=2)
    assert service.refused == []


@by_start
@by_policy
def test_headers_that_count_the_day_leave_the_minute_to_roll(policy: str, start: float):
    service = Service(policy, "day", start=start, windows=BOTH)
    service.run(40)
    assert service.refused == []
    assert service.accepted[-1] - service.accepted[0] <= 7 * 60 + 1


def test_headers_without_a_reset_leave_the_documented_windows():
    rate_limiter = RateLimiter()
    for second in range(5):
        rate_limiter.note(RateLimit(limit=5, remaining=0), MIDNIGHT + second)
    assert rate_limiter.next(MIDNIGHT + 4) == MIDNIGHT + 60


@pytest.mark.parametrize("limit", [Limit(12, 30), Limit(3, 20)])
def test_a_limit_that_headers_state_replaces_the_documented_one(limit: Limit):
    service = Service(windows=(limit,))
    service.run(40)
    assert service.refused == []
    assert service.ratio <= 1.05


@by_policy
@pytest.mark.parametrize("headers", ["all", "429", "none"])
def test_what_others_upload_meanwhile_costs_few_refusals(policy: str, headers: str):
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
def test_every_window_is_filled_whatever_its_kind(
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
    limiter = RateLimiter()
    for second in (0, 1, 2, 3, 90):
        limiter.note(RateLimit(), MIDNIGHT + second)
    limiter.note(RateLimit(5, 0, MIDNIGHT + 140), MIDNIGHT + 91)
    assert limiter.next(MIDNIGHT + 91) == MIDNIGHT + 140


class Refusal(NamedTuple):
    """What a 429 says, and the bounds of the wait for it in seconds."""

    name: str
    limit: RateLimit
    least: float
    most: float


REFUSALS = [
    Refusal("a window that is used up", RateLimit(5, 0, MIDNIGHT + 40), 40, 41),
    Refusal("a reset alone counts", RateLimit(5, None, MIDNIGHT + 40), 40, 41),
    Refusal("nothing", RateLimit(), 2, 5),
    Refusal("another window, which is not used up", RateLimit(1000, 900, MIDNIGHT + 40), 2, 5),
    Refusal("no reset", RateLimit(5, 0, None), 2, 5),
]


@pytest.mark.parametrize("row", REFUSALS, ids=[row.name for row in REFUSALS])
def test_after_a_refusal_the_next_upload_waits(row: Refusal):
    for _ in range(50):
        limiter = RateLimiter()
        limiter.refuse(row.limit, MIDNIGHT)
        assert row.least <= limiter.next(MIDNIGHT) - MIDNIGHT <= row.most


def test_refusals_without_a_reset_back_off_and_spread_tasks():
    limiter = RateLimiter()
    for _ in range(12):
        limiter.refuse(RateLimit(), MIDNIGHT)
    assert (limiter.refused_since, limiter.refusals) == (MIDNIGHT, 12)
    assert MIDNIGHT + 30 <= limiter.next(MIDNIGHT) <= MIDNIGHT + 90
    limiter.note(RateLimit(), MIDNIGHT + 90)
    assert limiter.refusals == 0
    assert limiter.next(MIDNIGHT + 90) == MIDNIGHT + 90
    limiter.refuse(RateLimit(), MIDNIGHT + 200)
    assert limiter.refused_since == MIDNIGHT + 200, "not since those before the upload"


def test_time_left_counts_the_windows():
    limiter = RateLimiter()
    counts = [limiter.seconds_for(uploads, MIDNIGHT) for uploads in (0, 5, 50, 51, 120)]
    assert counts == [0, 0, 9 * 60, 86400, 2 * 86400 + 3 * 60]
    assert limiter == RateLimiter(), "the estimate has left it alone"
    limiter.note(RateLimit(), MIDNIGHT)
    assert limiter.seconds_for(5, MIDNIGHT) == 60, "one is uploaded already"


def test_all_times_move_to_another_machines_clock():
    limiter = RateLimiter()
    limiter.note(RateLimit(), 1000.0)
    limiter.refuse(RateLimit(5, 0, 1060.0), 1001.0)
    opened = limiter.opens
    limiter.shift(10.0)
    assert limiter.counted == [1010.0]
    assert limiter.opens == opened + 10.0
    assert limiter.refused_since == 1011.0
