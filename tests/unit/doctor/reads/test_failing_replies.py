"""
Three replies or more with a status from 500 on are said to have failed, "3 of 4 replies were 502,
503", if the same request (method and path) got something else at least once, with whatever key. Two
are not enough. Lost reads are not counted, a limit by its words and a 499 are no failures, and
another method is another request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
)
from support.doctor_replies import (
    SETTINGS,
    error_body,
    evidence_of,
    reply,
)
from support.doctor_service import LIST
from wes_provider.client import requests
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe, Question


def changing(message: str, status: int = 400) -> Probe:
    """A refused upload."""
    request = requests.upload(SETTINGS, LIST, {"file_url": "https://files.example.com/a.csv"})
    return reply(status, error_body("", message), request=request, question=Question.WRITE)


class Failing(NamedTuple):
    """Replies, and how many of them are said to have failed; empty if that is not said."""

    name: str
    probes: Sequence[Probe]
    says: str


FAILURES = [
    Failing("none", [listed(200, FILES)], ""),
    Failing("two", [listed(502), listed(503), listed(200, FILES)], ""),
    Failing(
        "three",
        [listed(503), listed(502), listed(502), listed(200, FILES), lost()],
        "3 of 4 replies were 502, 503",
    ),
    Failing("three at a path that got nothing else", [*3 * [listed(502)], nowhere()], ""),
    Failing(
        "three at two paths, of which one got something else",
        [listed(502), *2 * [nowhere(500)], nowhere()],
        "3 of 4 replies were 500, 502",
    ),
    Failing(
        "three, and a made-up key got something else at their path",
        [*3 * [listed(500)], made_up()],
        "3 of 4 replies were 500",
    ),
    Failing(
        "three, the highest number first",
        [listed(520), listed(502), listed(502), listed(200, FILES)],
        "3 of 4 replies were 502, 520",
    ),
    Failing(
        "three of another method at the same path",
        [*3 * [changing("", 500)], listed(200, FILES)],
        "",
    ),
    Failing(
        "three by a limit, as their words say",
        [*3 * [listed(500, {"message": "Spike arrest violation"})], listed(200, FILES)],
        "",
    ),
    Failing("three with 499", [*3 * [listed(499)], listed(200, FILES)], ""),
]


@pytest.mark.parametrize("row", FAILURES, ids=ids(FAILURES))
def test_three_failures_are_counted_if_the_same_request_got_something_else(row: Failing):
    assert facts.failing_replies(evidence_of(*row.probes)) == row.says
