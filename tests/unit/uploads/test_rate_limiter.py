"""How close an uploader that keeps to ``RateLimiter`` comes to what the service allows, on a clock of its own."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from email.utils import formatdate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wes_provider.emulator import limits
from wes_provider.emulator.limits import DEFAULT_LIMITS, Limit
from wes_provider.uploads.rate_limiter import RateLimiter, Window, seconds_for, spread_over_windows

MIDNIGHT = 1_699_920_000.0
MINUTE = (Limit(5, 60),)
BOTH = DEFAULT_LIMITS["upload_coupon_file"]


@dataclass
class Service:
    """
    The service's limits, and an uploader in front of them.

    :ivar latency: seconds each way.
    :ivar skew: by which the uploader's clock is ahead.
    :ivar headers: which responses carry them: ``all``, ``429`` or ``none``.
    :ivar described: index of the window that headers always describe; ``None`` for the tightest one.
    :ivar date: whether responses have a ``Date`` header.
    :ivar reset_off: seconds by which the reset header is wrong.
    :ivar gateway: a limit that is never reached, and that headers count instead if they do not count the service's.
    :ivar gateway_refusals: whether they count it on a 429, too.
    """

    policy: str = "fixed"
    rounding: str = "ceil"
    headers: str = "all"
    described: int | None = None
    date: bool = True
    skew: float = 0.0
    start: float = MIDNIGHT + 17.3
    offset: float = 0.0
    latency: float = 0.02
    reset_off: float = 0.0
    gateway: Limit | None = None
    gateway_refusals: bool = False
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
        sent = self.now
        arrived = sent + self.latency
        state = (self.windows, self.accepted, arrived, self.policy, self.offset)
        refusing = limits.refusing(*state)
        (self.refused if refusing else self.accepted).append(arrived)
        quota = refusing or limits.tightest(*state)
        if self.described is not None:
            window = self.windows[self.described]
            quota = limits.tightest((window,), *state[1:])
        headers = {"date": formatdate(math.floor(arrived), usegmt=True)} if self.date else {}
        if quota and (self.headers == "all" or (refusing and self.headers == "429")):
            headers |= quota.headers(self.rounding)
            headers["x-ratelimit-reset"] = str(int(headers["x-ratelimit-reset"]) + round(self.reset_off))
        if self.gateway is not None and (not refusing or self.gateway_refusals):
            state = ((self.gateway,), self.accepted, arrived, "fixed", self.offset)
            headers |= limits.tightest(*state).headers(self.rounding)
        self.now = arrived + self.latency
        rate_limiter.record(headers, sent=sent + self.skew, at=self.now + self.skew, refused=refusing is not None)

    @property
    def ratio(self) -> float:
        """What it took, of the least that the limit allows for it."""
        window, start = self.windows[0], self.accepted[0]
        rounds = math.ceil(len(self.accepted) / window.requests) - 1
        least = rounds * window.seconds
        if self.policy == "fixed":
            begin = math.floor((start - self.offset) / window.seconds) * window.seconds + self.offset
            least = begin + rounds * window.seconds - start
        return (self.accepted[-1] - start) / least


STARTS = [MIDNIGHT + start for start in (0.0, 0.7, 17.3, 30.0, 42.999, 58.6, 59.99)]
by_start = pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start - MIDNIGHT:g}s into the minute")
by_skew = pytest.mark.parametrize("skew", [-5.0, -0.4, 0.0, 0.6, 5.0])


@by_start
@by_skew
@pytest.mark.parametrize(("policy", "most"), [("fixed", 1.005), ("rolling", 1.005)])
def test_fifty_files_fill_every_window_without_a_refusal(policy: str, most: float, skew: float, start: float):
    service = Service(policy, skew=skew, start=start)
    service.run(50)
    assert service.refused == []
    assert service.ratio <= most


@by_start
@by_skew
@pytest.mark.parametrize("policy", ["fixed", "rolling"])
@pytest.mark.parametrize("offset", [0.0, 0.5])
def test_a_reset_that_is_rounded_down_costs_no_refusal(policy: str, skew: float, start: float, offset: float):
    service = Service(policy, "floor", skew=skew, start=start, offset=offset)
    service.run(50)
    assert service.refused == []
    assert service.ratio <= 1.005


@by_start
@by_skew
@pytest.mark.parametrize("policy", ["fixed", "rolling"])
@pytest.mark.parametrize("headers", ["429", "none"])
def test_without_headers_documented_windows_are_taken_to_roll(policy: str, headers: str, skew: float, start: float):
    service = Service(policy, headers=headers, skew=skew, start=start, windows=BOTH)
    rate_limiter = service.run(50)
    assert service.accepted[-1] - service.accepted[0] <= 9 * 60 + 1
    service.start = service.now
    service.run(51, RateLimiter.from_dict(json.loads(json.dumps(rate_limiter.to_dict()))))
    assert service.accepted[-1] - service.accepted[0] == pytest.approx(86400, abs=1)
    assert service.refused == []


@by_start
@pytest.mark.parametrize("policy", ["fixed", "rolling"])
@pytest.mark.parametrize("described", [0, 1], ids=["of the minute", "of the day"])
@pytest.mark.parametrize("headers", ["all", "429"])
def test_headers_rule_only_the_window_that_they_describe(policy: str, described: int, headers: str, start: float):
    service = Service(policy, headers=headers, described=described, start=start, windows=BOTH)
    service.run(50)
    assert service.refused == []
    assert service.accepted[-1] - service.accepted[0] <= 9 * 60 + 2


def test_headers_of_the_day_do_not_turn_a_refusal_of_the_minute_into_tomorrow():
    service = Service(described=1, windows=BOTH)
    service.accepted = [service.start - second for second in (5, 4, 3, 2, 1)]  # of other tasks
    rate_limiter = service.run(6)
    assert service.accepted[-1] - service.start < 120
    assert rate_limiter.next(service.now) < service.now + 120


@by_start
@pytest.mark.parametrize("policy", ["fixed", "rolling"])
@pytest.mark.parametrize("skew", [-7200.0, 7200.0])
def test_a_clock_two_hours_off_and_no_date_cost_no_refusal(policy: str, skew: float, start: float):
    service = Service(policy, skew=skew, start=start, date=False)
    service.run(50)
    assert service.refused == []
    assert service.accepted[-1] - service.accepted[0] <= 9 * 60 + 1


def test_a_limit_that_a_refusal_names_is_learned():
    service = Service(headers="429", windows=(Limit(3, 60),))
    service.run(30)
    assert len(service.refused) == 1
    assert service.accepted[-1] - service.accepted[0] <= 10 * 60 + 2


@pytest.mark.parametrize("off", [40.0, 7200.0])
def test_a_limit_of_the_minute_is_not_learned_as_that_of_the_day_if_its_reset_is_wrong(off: float):
    service = Service(headers="429", windows=(Limit(3, 60),), reset_off=off)
    service.run(30)
    assert len(service.refused) == 1
    assert service.accepted[-1] - service.accepted[0] <= off + 10 * 60 + 2


@by_start
@pytest.mark.parametrize("policy", ["fixed", "rolling"])
@pytest.mark.parametrize("seconds", [1, 60, 3600, 86400])
@pytest.mark.parametrize("headers", ["on all responses", "not on the 429", "own ones on the 429"])
def test_a_limit_of_a_gateway_that_a_refusal_disproves_is_ignored(
    policy: str, seconds: int, headers: str, start: float
):
    service = Service(policy, headers="429", start=start, windows=BOTH, gateway=Limit(1000, seconds))
    if headers == "not on the 429":
        service.headers = "none"
    service.gateway_refusals = headers == "on all responses"
    service.run(60)
    assert len(service.refused) <= 1
    assert service.accepted[49] - service.accepted[0] <= 10 * 60 + 2


@by_start
@pytest.mark.parametrize("policy", ["fixed", "rolling"])
@pytest.mark.parametrize("headers", ["429", "none"])
@pytest.mark.parametrize("limit", [1000, 10**9])
def test_a_limit_that_was_learned_of_a_gateway_is_unlearned(policy: str, headers: str, limit: int, start: float):
    service = Service(policy, headers=headers, start=start, windows=BOTH)
    rate_limiter, reset = RateLimiter(), str(int(start) + 30)
    full = {"x-ratelimit-limit": str(limit), "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset}
    rate_limiter.record(full, sent=start, at=start, refused=True)
    service.run(50, rate_limiter)
    assert len(service.refused) <= 1
    assert service.accepted[-1] - service.accepted[0] <= 10 * 60 + 2


@pytest.mark.parametrize("step", [-3600.0, -30.0])
@pytest.mark.parametrize("headers", ["all", "none"])
def test_a_clock_that_is_set_back_delays_no_upload_by_more_than_a_window(headers: str, step: float):
    service = Service(headers=headers)
    rate_limiter = service.run(8)
    service.start = service.now
    service.skew += step
    service.run(20, rate_limiter)
    assert service.refused == []
    assert service.accepted[-1] - service.accepted[0] <= 4 * 60 + 2


def test_what_blocks_uploads_is_set_back_with_the_clock():
    hour_ago = MIDNIGHT - 3600
    stated = RateLimiter()
    full = {"x-ratelimit-limit": "5", "x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{MIDNIGHT + 40:.0f}"}
    stated.record(full, sent=MIDNIGHT, at=MIDNIGHT, refused=False)
    assert (stated.next(MIDNIGHT), stated.next(hour_ago)) == (MIDNIGHT + 41, hour_ago + 41)
    blocked = RateLimiter(accepted=[MIDNIGHT])
    blocked.block_until(MIDNIGHT + 20)
    assert (blocked.next(MIDNIGHT), blocked.next(hour_ago)) == (MIDNIGHT + 20, hour_ago + 20)
    counted = RateLimiter(accepted=[MIDNIGHT - 3 + number for number in range(4)] + [MIDNIGHT])
    assert counted.next(MIDNIGHT - 1) == MIDNIGHT + 57  # a second may be rounding
    assert counted.next(hour_ago) == hour_ago + 57


@settings(max_examples=300, deadline=None)
@given(
    policy=st.sampled_from(["fixed", "rolling"]),
    rounding=st.sampled_from(["ceil", "floor"]),
    headers=st.just("all"),
    start=st.floats(0, 60),
    offset=st.floats(0, 60),
    skew=st.floats(-5, 5),
    latency=st.floats(0.001, 0.1),
    files=st.integers(6, 50),
)
def test_every_window_is_filled_whatever_its_kind(
    policy: str, rounding: str, headers: str, start: float, offset: float, skew: float, latency: float, files: int
):
    service = Service(policy, rounding, headers, skew=skew, start=MIDNIGHT + start, offset=offset, latency=latency)
    service.run(files)
    windows = math.ceil(files / 5)
    # A second each for a rounded reset, a Date, and chance; and the way of six messages a window.
    assert service.accepted[-1] - service.start <= (windows - 1) * 60 + 3 + windows * 12 * latency
    assert len(service.refused) <= 3


def test_the_day_is_respected_too():
    service = Service(windows=BOTH, start=MIDNIGHT + 3600.5)
    service.run(53)
    assert service.refused == []
    assert 0 <= service.accepted[50] - (MIDNIGHT + 86400) < 2


def test_a_limit_that_headers_state_replaces_the_documented_one():
    for limit in (Limit(12, 30), Limit(3, 20)):
        service = Service(windows=(limit,))
        service.run(40)
        assert service.refused == []
        assert service.ratio <= 1.025  # a second, once


@pytest.mark.parametrize("policy", ["fixed", "rolling"])
@pytest.mark.parametrize("headers", ["all", "429"])
def test_what_others_upload_meanwhile_costs_a_refusal_a_window_at_most(policy: str, headers: str):
    service = Service(policy, headers=headers)
    service.accepted = [service.start - 2.0, service.start - 1.0]
    service.run(52)
    assert len(service.refused) <= 12
    assert service.accepted[-1] - service.start <= 11 * 60


def test_another_process_continues():
    service = Service(headers="429")
    rate_limiter = service.run(25)
    service.start = service.now
    service.run(50, RateLimiter.from_dict(json.loads(json.dumps(rate_limiter.to_dict()))))
    assert service.refused == []
    assert service.accepted[-1] == pytest.approx(service.accepted[0] + 9 * 60, abs=2)


def test_stored_state_of_version_1_is_read():
    stored = {
        "version": 1,
        "refusals": 2,
        "contended": True,
        "accepted": [MIDNIGHT, MIDNIGHT + 1],
        "blocked_until": MIDNIGHT + 30,
        "ahead": 1.5,
        "states": [
            {"window": {"requests": 3, "seconds": 60}, "closed_until": MIDNIGHT + 40, "stated": True},
            {"window": {"requests": 50, "seconds": 86400}, "closed_until": 0.0, "stated": False},
        ],
    }
    rate_limiter = RateLimiter.from_dict({**stored, "of a later version": {}})
    assert rate_limiter.to_dict() == {**stored, "trusted": 0, "disproved": 0}
    assert rate_limiter.next(MIDNIGHT) == MIDNIGHT + 40


def test_time_left_counts_the_windows():
    rate_limiter = RateLimiter()
    assert seconds_for(0, rate_limiter, MIDNIGHT) == 0
    assert seconds_for(5, rate_limiter, MIDNIGHT) == 0
    assert seconds_for(50, rate_limiter, MIDNIGHT) == 9 * 60
    assert seconds_for(51, rate_limiter, MIDNIGHT) == 86400
    assert seconds_for(120, rate_limiter, MIDNIGHT) == 2 * 86400 + 3 * 60


def test_time_left_counts_from_the_end_of_a_refusal():
    refused = RateLimiter()
    refused.record({"x-ratelimit-reset": f"{MIDNIGHT + 40:.0f}"}, sent=MIDNIGHT, at=MIDNIGHT, refused=True)
    assert [seconds_for(uploads, refused, MIDNIGHT) for uploads in (0, 1, 5, 6, 11)] == [0, 41, 41, 101, 161]
    blocked = RateLimiter()
    blocked.record({}, sent=MIDNIGHT, at=MIDNIGHT, refused=True)
    assert [seconds_for(uploads, blocked, MIDNIGHT) for uploads in (0, 1, 5, 6)] == [0, 4, 4, 64]
    assert blocked.next(MIDNIGHT) == MIDNIGHT + 4  # the estimate has left it alone


def test_own_uploads_that_fill_the_limit_of_the_headers_are_more_exact_than_their_reset():
    rate_limiter = RateLimiter(accepted=[MIDNIGHT - 20, MIDNIGHT - 19, MIDNIGHT - 18])
    headers = {"x-ratelimit-limit": "3", "x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{MIDNIGHT + 40:.0f}"}
    rate_limiter.record(headers, sent=MIDNIGHT, at=MIDNIGHT, refused=True)
    assert rate_limiter.next(MIDNIGHT) == MIDNIGHT + 40


def test_a_refusal_whose_headers_were_disproved_is_backed_off_from():
    rate_limiter = RateLimiter(disproved=1000)
    headers = {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "7", "x-ratelimit-reset": f"{MIDNIGHT + 40:.0f}"}
    rate_limiter.record(headers, sent=MIDNIGHT, at=MIDNIGHT, refused=True)
    assert rate_limiter.next(MIDNIGHT) == MIDNIGHT + 4


def test_time_left_counts_own_uploads_after_the_one_that_headers_let_through():
    rate_limiter = RateLimiter(accepted=[MIDNIGHT] * 4)
    headers = {"x-ratelimit-limit": "5", "x-ratelimit-remaining": "3", "x-ratelimit-reset": f"{MIDNIGHT + 40:.0f}"}
    rate_limiter.record(headers, sent=MIDNIGHT, at=MIDNIGHT, refused=False)
    assert rate_limiter.next(MIDNIGHT) == MIDNIGHT
    assert [seconds_for(uploads, rate_limiter, MIDNIGHT) for uploads in (1, 2, 5, 6)] == [0, 60, 60, 60]


@pytest.mark.parametrize(("left", "closed"), [(62, 63), (62.5, 4), (64, 4), (86402, 4)])
def test_a_reset_further_away_than_its_window_makes_no_sense(left: float, closed: float):
    rate_limiter = RateLimiter()
    headers = {"x-ratelimit-limit": "5", "x-ratelimit-reset": f"{MIDNIGHT + left}"}
    rate_limiter.record(headers, sent=MIDNIGHT, at=MIDNIGHT, refused=True)
    assert rate_limiter.next(MIDNIGHT) - MIDNIGHT == closed


@pytest.mark.parametrize("headers", ["all", "429"])
@pytest.mark.parametrize("policy", ["fixed", "rolling"])
@pytest.mark.parametrize("uploaded", [3, 5, 25, 50, 53])
def test_time_left_is_about_what_it_takes(policy: str, headers: str, uploaded: int):
    service = Service(policy, headers=headers, windows=BOTH)
    rate_limiter = service.run(uploaded)
    now = service.start = service.now
    expected = seconds_for(70 - uploaded, rate_limiter, now)
    service.run(70, rate_limiter)
    assert expected == pytest.approx(
        service.accepted[-1] - now, abs=60
    )  # fixed windows may open earlier than they roll


def test_refusals_that_do_not_say_until_when_are_backed_off_from():
    rate_limiter = RateLimiter()
    waits = []
    now = MIDNIGHT
    for _ in range(8):
        rate_limiter.record({}, sent=now, at=now, refused=True)
        waits.append(rate_limiter.next(now) - now)
        now = rate_limiter.next(now)
    assert waits == [4, 8, 16, 32, 60, 60, 60, 60]
    assert rate_limiter.refusals == 8
    rate_limiter.record({}, sent=now, at=now, refused=False)
    assert rate_limiter.refusals == 0
    assert rate_limiter.next(now) == now


def test_only_a_refusal_that_own_uploads_do_not_explain_is_contention():
    rate_limiter = RateLimiter()
    rate_limiter.record({}, sent=MIDNIGHT, at=MIDNIGHT, refused=True)
    assert rate_limiter.contended
    for _ in range(5):
        rate_limiter.record({}, sent=MIDNIGHT, at=MIDNIGHT, refused=False)
    rate_limiter.record({}, sent=MIDNIGHT, at=MIDNIGHT, refused=True)
    assert not rate_limiter.contended


GARBAGE = {
    "missing": {},
    "past": {"x-ratelimit-reset": "1000"},
    "negative": {"x-ratelimit-reset": "-5"},
    "nan": {"x-ratelimit-reset": "nan"},
    "infinite": {"x-ratelimit-reset": "inf"},
    "year 100000": {"x-ratelimit-reset": "3093527980800"},
    "beyond floats": {"x-ratelimit-reset": "9" * 5000},
    "a word": {"x-ratelimit-reset": "soon"},
    "an ISO time": {"x-ratelimit-reset": "2023-11-15T00:00:00Z"},
    "empty": {"x-ratelimit-reset": ""},
    "doubled, one of them garbage": {"x-ratelimit-reset": f"{MIDNIGHT + 60:.0f}, soon"},
    "milliseconds": {"x-ratelimit-reset": f"{(MIDNIGHT + 60) * 1000:.0f}"},
}


@pytest.mark.parametrize("headers", GARBAGE.values(), ids=GARBAGE)
@pytest.mark.parametrize("refused", [True, False])
def test_headers_that_make_no_sense_are_none(headers: dict[str, str], refused: bool):
    rate_limiter = RateLimiter()
    rate_limiter.record({"x-ratelimit-remaining": "0", **headers}, sent=MIDNIGHT, at=MIDNIGHT, refused=refused)
    assert rate_limiter.next(MIDNIGHT) == MIDNIGHT + 4 * refused


@given(
    st.dictionaries(
        st.sampled_from(["date", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]),
        st.text() | st.floats().map(str) | st.integers().map(str) | st.datetimes().map(lambda moment: f"{moment:%c}"),
    ),
    st.booleans(),
)
def test_no_header_crashes_it_stops_it_for_longer_than_a_day_or_lets_it_hammer(headers: dict[str, str], refused: bool):
    rate_limiter = RateLimiter()
    rate_limiter.record(headers, sent=MIDNIGHT, at=MIDNIGHT + 0.1, refused=refused)
    waits = rate_limiter.next(MIDNIGHT + 0.1) - (MIDNIGHT + 0.1)
    assert 0 <= waits <= 25 * 3600
    assert waits > 0 or not refused


def test_a_clock_that_is_set_is_noticed():
    rate_limiter = RateLimiter()
    for date, reset in ((MIDNIGHT, MIDNIGHT + 60), (MIDNIGHT - 3600, MIDNIGHT - 3540)):
        headers = {"date": formatdate(date, usegmt=True), "x-ratelimit-reset": f"{reset:.0f}"}
        rate_limiter.record(headers, sent=MIDNIGHT, at=MIDNIGHT, refused=True)
        assert rate_limiter.next(MIDNIGHT) == MIDNIGHT + 61


def test_tasks_that_share_a_limit_fill_one_window_after_another():
    minute, day = Window(5, 60), Window(50, 86400)
    moments = [spread_over_windows(MIDNIGHT, minute, place) - MIDNIGHT for place in (0, 4, 5, 9, 44)]
    assert moments == [0, 4, 61.25, 65.25, 8 * 61.25 + 4]
    assert spread_over_windows(MIDNIGHT, day, 50) - MIDNIGHT == 86401.25
