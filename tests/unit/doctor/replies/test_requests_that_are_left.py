"""
How many requests are left, and for how long, is read from the drafts of the header RateLimit: r and
t, remaining and reset, or a header for each. Of several limits, one that leaves too few for a wait
counts, and else the one that leaves fewest. Half of it states nothing, and neither do other headers.

Fewer than 40 requests for an hour or longer are too few for a wait. 40, or 39 for less than an
hour, are enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_reads import probe
from wes_provider.doctor.replies.amounts import Left, left_of


class Headers(NamedTuple):
    """Headers of a reply, and what they say is left."""

    headers: Mapping[str, str]
    left: Left | None


HEADERS = [
    Headers({}, None),
    Headers({"ratelimit": '"day";r=8;t=30000'}, Left(8, 30000)),
    Headers({"ratelimit": '"day"; t=30000; r=8'}, Left(8, 30000)),
    Headers({"ratelimit": "limit=100, remaining=8, reset=30000"}, Left(8, 30000)),
    Headers({"ratelimit-remaining": "8", "ratelimit-reset": " 30000 "}, Left(8, 30000)),
    Headers({"ratelimit": '"burst";r=3;t=1, "day";r=8;t=30000'}, Left(8, 30000)),
    Headers({"ratelimit": '"day";r=80;t=30000, "burst";r=3;t=1'}, Left(3, 1)),
    Headers({"ratelimit": '"day";r=8'}, None),
    Headers({"ratelimit": '"day";t=30000'}, None),
    Headers({"ratelimit": '"day";r=8, "hour";t=30000'}, None),
    Headers({"ratelimit-remaining": "8"}, None),
    Headers({"ratelimit-reset": "30000"}, None),
    Headers({"ratelimit-remaining": "some", "ratelimit-reset": "30000"}, None),
    Headers({"x-ratelimit": '"day";r=8;t=30000'}, None),
]


@pytest.mark.parametrize("row", HEADERS, ids=[str(row.headers) for row in HEADERS])
def test_what_is_left_is_read_from_the_drafts_of_the_header(row: Headers):
    assert left_of(probe(200, [], headers=row.headers)) == row.left


class Few(NamedTuple):
    """What is left, and whether that is too few."""

    name: str
    left: Left
    is_too_few: bool


FEW = [
    Few("39 for an hour", Left(39, 3600), True),
    Few("none for a day", Left(0, 90000), True),
    Few("40 for an hour", Left(40, 3600), False),
    Few("39 for less than an hour", Left(39, 3599), False),
]


@pytest.mark.parametrize("row", FEW, ids=[row.name for row in FEW])
def test_fewer_than_40_requests_for_an_hour_or_longer_are_too_few_for_a_wait(row: Few):
    assert row.left.is_too_few is row.is_too_few
