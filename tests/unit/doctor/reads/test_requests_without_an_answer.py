"""
If a request got no answer, the sentence has its status once and the number of requests, or all
statuses in their order if they differ. Without a response, it has the last problem. The code of an
error is added if its words say that it is about a quota. A 429 or a quota adds when its limit
resets, by Retry-After, or else how long it lasts by another header; a 503 does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_replies import error_body, reply
from wes_provider.doctor.reads.sending import (
    no_answer,
)
from wes_provider.doctor.replies.probes import Probe

QUOTA = error_body("quota", "Quota exceeded.")


class NoAnswer(NamedTuple):
    """Replies that settle nothing, and what is said of them."""

    name: str
    probes: Sequence[Probe]
    says: str


NO_ANSWERS = [
    NoAnswer(
        "one without a response",
        [reply(0, problem="a reset")],
        "the request got no whole response (a reset)",
    ),
    NoAnswer(
        "two without",
        [reply(0, problem="x"), reply(0, problem="a reset")],
        "none of 2 requests got a whole response (a reset)",
    ),
    NoAnswer("one failure", [reply(503)], "the service replied 503 to the request"),
    NoAnswer(
        "two failures", [reply(503), reply(503)], "the service replied 503 to each of 2 requests"
    ),
    NoAnswer(
        "two statuses", [reply(503), reply(503), reply(502)], "503, then 502 came to 3 requests"
    ),
    NoAnswer(
        "a status, then nothing",
        [reply(503), reply(0)],
        "503, then nothing whole came to 2 requests",
    ),
    NoAnswer("words", [reply(403, QUOTA)], "the service replied 403 quota to the request"),
    NoAnswer(
        "a limit",
        [reply(429, b"", {"retry-after": "5"})],
        "the service replied 429 to the request (its limit resets at 08:00:05 UTC)",
    ),
    NoAnswer(
        "a limit by other headers",
        [reply(429, b"", {"x-reset": "300"})],
        "the service replied 429 to the request (its limit lasts for about 5 minutes, if x-reset: 300 means seconds)",
    ),
    NoAnswer(
        "a limit that does not say so", [reply(429)], "the service replied 429 to the request"
    ),
    NoAnswer(
        "a quota by words",
        [reply(403, QUOTA, {"retry-after": "5"})],
        "the service replied 403 quota to the request (its limit resets at 08:00:05 UTC)",
    ),
    NoAnswer(
        "a failure that says when",
        [reply(503, b"", {"retry-after": "5"})],
        "the service replied 503 to the request",
    ),
]


@pytest.mark.parametrize("row", NO_ANSWERS, ids=[row.name for row in NO_ANSWERS])
def test_a_request_without_an_answer_is_said_with_its_statuses_words_and_headers_of_limits(
    row: NoAnswer,
):
    assert no_answer(row.probes) == row.says
