"""
If the Date of a refusal differs from this machine's time by five minutes or more, the service's
clock is said to be so far ahead or behind. A second less, no Date, one that cannot be read, and a
reply that a cache has kept (Age) say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate
from typing import NamedTuple

import pytest

from support.doctor_findings import MOMENT, ids
from support.doctor_replies import reply
from wes_provider.doctor.reads.clocks import clock_of_service


def dated(seconds: float) -> dict[str, str]:
    """The header ``Date`` so many seconds after the request."""
    return {"date": formatdate(MOMENT + seconds, usegmt=True)}


class Clock(NamedTuple):
    """The headers of a reply, and how far the service's clock is from this machine's by them."""

    name: str
    headers: Mapping[str, str]
    differs: str = ""


DIFFERENT = [
    Clock("three hours behind", dated(-3 * 3600), "3 hours behind this machine's"),
    Clock("ten minutes ahead", dated(600), "10 minutes ahead of this machine's"),
    Clock("five minutes ahead", dated(300), "5 minutes ahead of this machine's"),
    Clock("five minutes behind", dated(-300), "5 minutes behind this machine's"),
]


@pytest.mark.parametrize("row", DIFFERENT, ids=ids(DIFFERENT))
def test_a_clock_that_differs_by_five_minutes_or_more_is_named(row: Clock):
    said = clock_of_service(reply(401, b"", row.headers, sent_at=MOMENT))
    assert said.startswith(f" By its Date, the service's clock is {row.differs}: if it is the")


ALIKE = [
    Clock("no date", {}),
    Clock("no time", {"date": "soon"}),
    Clock("the same time", dated(0)),
    Clock("a second less than five minutes behind", dated(-299)),
    Clock("a second less than five minutes ahead", dated(299)),
    Clock("three hours behind, from a cache", {**dated(-3 * 3600), "age": "10800"}),
]


@pytest.mark.parametrize("row", ALIKE, ids=ids(ALIKE))
def test_nothing_is_said_of_a_clock_that_differs_less_or_is_of_a_cache(row: Clock):
    assert clock_of_service(reply(401, b"", row.headers, sent_at=MOMENT)) == ""
