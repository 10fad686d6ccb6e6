"""When a request without an answer is sent again, and what is said of its limit."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from email.utils import formatdate
from typing import NamedTuple

import pytest

from support.doctor_replies import reply
from support.doctor_service import Account, Call, about, examined_account, json_reply
from support.servers import Reply
from support.skipping_clock import CLOCK
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.doctor import sending
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.probes import (
    Probe,
    Question,
    is_certificate,
)
from wes_provider.doctor.sending import no_answer, pause_before_next, resets_by_words

REQUEST = Request("list_coupon_files", "GET", "https://api.example.com/v1/l/files", {"A": "w"})
DATE = 1_800_000_000.0


def probe_of(status: int, body: bytes = b"", **headers: str) -> Probe:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    response = Response(status, named, body)
    return Probe(Question.LIST, REQUEST, response=response, sent_at=DATE)


class Repeated(NamedTuple):
    """Statuses of one request without such headers, and seconds until it is sent again."""

    name: str
    statuses: tuple[int, ...]
    seconds: float | None


REPEATED = [
    Repeated("first 429", (429,), 1.0),
    Repeated("second 429", (429, 429), 2.0),
    Repeated("third 429", (429, 429, 429), None),
    Repeated("first 502", (502,), 1.0),
    Repeated("second 502", (502, 502), None),
    Repeated("first without a response", (0,), 1.0),
    Repeated("second without a response", (0, 0), None),
]


@pytest.mark.parametrize("row", REPEATED, ids=[row.name for row in REPEATED])
def test_a_429_is_repeated_twice_and_another_request_without_an_answer_once(row: Repeated):
    probes = [probe_of(status) for status in row.statuses]
    assert pause_before_next(probes, DATE) == row.seconds


class Pause(NamedTuple):
    """Headers of a first reply, and seconds until its request is sent again."""

    name: str
    headers: Mapping[str, str]
    seconds: float


PAUSES = [
    Pause("Retry-After with seconds", {"retry-after": "7"}, 7.0),
    Pause("Retry-After with a date", {"retry-after": formatdate(DATE + 9, usegmt=True)}, 9.0),
    Pause("Retry-After in the past", {"retry-after": formatdate(DATE - 9, usegmt=True)}, 0.0),
    Pause(
        "Retry-After by a clock that is ten minutes ahead, as Date says",
        {
            "retry-after": formatdate(DATE + 609, usegmt=True),
            "date": formatdate(DATE + 600, usegmt=True),
        },
        9.0,
    ),
    Pause("a reset as a time, after which a second more", {"x-ratelimit-reset": "1800000004"}, 5.0),
    Pause("a reset in seconds", {"x-ratelimit-reset": "5"}, 5.0),
]


@pytest.mark.parametrize("row", PAUSES, ids=[row.name for row in PAUSES])
def test_a_429_is_repeated_when_its_headers_say(row: Pause):
    assert pause_before_next([probe_of(429, **row.headers)], DATE) == row.seconds


SENSELESS = [
    Pause("Retry-After below zero", {"retry-after": "-7"}, 1.0),
    Pause("a reset as a time that is too far away", {"x-ratelimit-reset": "99999999999"}, 1.0),
    Pause("a reset in more than 60 seconds", {"x-ratelimit-reset": "61"}, 1.0),
]


@pytest.mark.parametrize("row", SENSELESS, ids=[row.name for row in SENSELESS])
def test_a_429_whose_headers_make_no_sense_is_repeated_as_one_without(row: Pause):
    assert pause_before_next([probe_of(429, **row.headers)], DATE) == row.seconds


def test_a_503_is_repeated_when_its_retry_after_says():
    assert pause_before_next([probe_of(503, retry_after="5")], DATE) == 5.0


def test_a_503_is_repeated_after_a_second_if_its_retry_after_is_shorter():
    assert pause_before_next([probe_of(503, retry_after="0")], DATE) == 1.0


def test_a_request_to_what_has_a_certificate_that_is_not_trusted_is_not_repeated():
    probe = Probe(Question.LIST, REQUEST, problem="SSLCertVerificationError: self-signed")
    assert pause_before_next([probe], DATE) is None


class Reset(NamedTuple):
    """A header of a 429, and what is said of when its limit resets."""

    header: Mapping[str, str]
    says: str


IN_SECONDS = [
    Reset(
        {"x-ratelimit-reset": "39600"},
        " for about 11 hours, if x-ratelimit-reset: 39600 means seconds",
    ),
    Reset({"ratelimit-reset": "90"}, " for about 90 seconds, if ratelimit-reset: 90 means seconds"),
    Reset(
        {"x-ratelimit-reset": "34560000"},
        " for about 400 days, if x-ratelimit-reset: 34560000 means seconds",
    ),
    Reset({"x-ratelimit-reset": "34560001"}, ""),
    Reset({"x-ratelimit-reset": "0"}, ""),
    Reset({"x-ratelimit-reset": "-5"}, ""),
    Reset({"x-ratelimit-reset": "nan"}, ""),
]


@pytest.mark.parametrize("row", IN_SECONDS, ids=[str(row.header) for row in IN_SECONDS])
def test_a_number_below_a_billion_may_be_seconds_up_to_400_days(row: Reset):
    assert resets_by_words(probe_of(429, **row.header)) == row.says


IN_A_DAY = " until 2027-01-16 08:00 UTC, in 1 day, as"
AS_A_TIME = [
    Reset(
        {"x-quota-reset": "2027-01-15T09:00:00Z"},
        " until 2027-01-15 09:00 UTC, as x-quota-reset: 2027-01-15T09:00:00Z says",
    ),
    Reset(
        {"x-quota-reset": "2027-01-16T08:00:00Z"},
        f"{IN_A_DAY} x-quota-reset: 2027-01-16T08:00:00Z says",
    ),
    Reset(
        {"x-quota-reset": "2027-01-16T09:00+01:00"},
        f"{IN_A_DAY} x-quota-reset: 2027-01-16T09:00+01:00 says",
    ),
    Reset(
        {"x-rate-limit-reset": "Sat, 16 Jan 2027 08:00:00 GMT"},
        f"{IN_A_DAY} x-rate-limit-reset: Sat, 16 Jan 2027 08:00:00 GMT says",
    ),
    Reset({"x-rate-limit-reset": "1800086400"}, f"{IN_A_DAY} x-rate-limit-reset: 1800086400 says"),
    Reset(
        {"x-rate-limit-reset": "1800086400000"},
        f"{IN_A_DAY} x-rate-limit-reset: 1800086400000 says",
    ),
    Reset(
        {"x-quota-reset": "2028-02-19T08:00:00Z"},
        " until 2028-02-19 08:00 UTC, in 400 days, as x-quota-reset: 2028-02-19T08:00:00Z says",
    ),
    Reset({"x-quota-reset": "2028-02-19T08:00:01Z"}, ""),
    Reset({"x-quota-reset": "2027-01-15T07:59:59Z"}, ""),
]


@pytest.mark.parametrize("row", AS_A_TIME, ids=[str(row.header) for row in AS_A_TIME])
def test_a_date_or_a_time_since_1970_is_said_up_to_400_days_ahead(row: Reset):
    """The reply is of 2027-01-15 08:00:00 UTC."""
    assert resets_by_words(probe_of(429, **row.header)) == row.says


def test_seconds_in_the_header_ratelimit_are_said_without_an_if():
    probe = probe_of(429, ratelimit='"day";r=0;t=172800')
    assert resets_by_words(probe) == " for about 2 days, as ratelimit: t=172800 says"


def test_a_reset_that_is_no_number_and_no_date_is_not_said():
    assert resets_by_words(probe_of(429, x_ratelimit_reset="soon")) == ""


def test_nothing_is_said_of_a_reset_without_such_a_header():
    assert resets_by_words(probe_of(429, content_type="text/plain")) == ""


class NoAnswer(NamedTuple):
    """Statuses of one request, and why it got no answer."""

    statuses: tuple[int, ...]
    text: str


NO_ANSWERS = [
    NoAnswer((429, 429, 429), "the service replied 429 to each of 3 requests"),
    NoAnswer((503,), "the service replied 503 to the request"),
    NoAnswer((0, 0), "none of 2 requests got a whole response (a reset)"),
    NoAnswer((0,), "the request got no whole response (a reset)"),
    NoAnswer((502, 0), "502, then nothing whole came to 2 requests"),
]


@pytest.mark.parametrize("row", NO_ANSWERS, ids=[str(row.statuses) for row in NO_ANSWERS])
def test_requests_without_an_answer_are_said_with_how_many_and_their_statuses(row: NoAnswer):
    probes = [replace(probe_of(status), problem="a reset") for status in row.statuses]
    assert no_answer(probes) == row.text


def test_no_read_is_begun_in_the_last_two_seconds_and_its_row_says_that_the_time_ran_out(
    monkeypatch: pytest.MonkeyPatch,
):
    """Of three seconds here, replies take 0.3 s each, so that the fifth read is not begun."""
    monkeypatch.setattr(sending, "LONGEST", 3.0)

    def replies(_: Call) -> Reply | None:
        CLOCK.sleep(0.3)
        return None

    account = Account(replies)
    report = examined_account(account)
    assert len(account.calls) == report.reads < 6
    assert "because the doctor's 3 s ran out" in about(report, Topic.FILE_PATH).text
    assert about(report, Topic.FILE_PATH).certainty is Certainty.NOT_PROVED
    assert not report.works


def test_a_response_that_takes_more_than_a_third_of_the_time_left_is_none(
    monkeypatch: pytest.MonkeyPatch,
):
    """A third of 2.4 s is less than ``read_timeout``."""
    monkeypatch.setattr(sending, "LONGEST", 2.4)

    def replies(_: Call) -> Reply:
        time.sleep(1)
        return json_reply(200, [])

    report = examined_account(Account(replies))
    assert report.verdict.startswith(
        "Not proved: Address. No response came in 1 s, less than read_timeout."
    )


def test_a_problem_that_is_about_verifying_a_certificate_is_one_of_the_certificate():
    assert is_certificate(reply(0, problem="SSLCertVerificationError: x"))


def test_another_problem_of_tls_is_none_of_the_certificate():
    assert not is_certificate(reply(0, problem="SSLError: x"))
