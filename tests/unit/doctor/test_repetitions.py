"""
When a read without an answer is sent again. A 429 is repeated twice, after 1 s and 2 s, another
failure or no response once, after 1 s; one whose certificate is not trusted never.

A 429 is repeated when Retry-After says, in seconds or as a date (compared with the reply's Date,
never before now), or a second after a reset; a 503 when Retry-After says, but not before 1 s. A
negative Retry-After, and a reset that is too far away or in more than 60 seconds, count as none.
Why a request got no answer is said with the number of requests and their statuses. A problem is one
of the certificate if it is about verifying one, and not if it is another one of TLS.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from email.utils import formatdate
from typing import NamedTuple

import pytest

from support.doctor_replies import reply
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.doctor.probes import (
    Probe,
    Question,
    is_certificate,
)
from wes_provider.doctor.sending import no_answer, pause_before_next

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
    Pause("a reset in 60 seconds", {"x-ratelimit-reset": "60"}, 60.0),
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


def test_a_problem_that_is_about_verifying_a_certificate_is_one_of_the_certificate():
    assert is_certificate(reply(0, problem="SSLCertVerificationError: x"))


def test_another_problem_of_tls_is_none_of_the_certificate():
    assert not is_certificate(reply(0, problem="SSLError: x"))
