"""
Troubles stand in this order: a cause in the service's own words, two answers to one request, what
is wrong, what is not proved and no setting helps against (Rate limits, and an upload whose last
read was redirected), what else is not proved, then Counts that are wrong, and Counts that are not
proved, since tasks work without them. Of two troubles of the same importance, that of the first
finding comes first.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_reports import (
    ADDRESS,
    NOT_PROVED,
    REDIRECTED,
    WRONG,
    report_of,
)
from wes_provider.doctor.findings.finding import Finding, Topic

ORDER = (
    Finding(Topic.ACCOUNT, NOT_PROVED, "A cause.", is_cause=True),
    Finding(Topic.NAMES, NOT_PROVED, "Two answers.", has_two_answers=True),
    Finding(Topic.ADDRESS, WRONG, "Wrong."),
    Finding(Topic.UPLOAD, NOT_PROVED, "An upload is redirected.", REDIRECTED),
    Finding(Topic.LAG, NOT_PROVED, "Open."),
    Finding(Topic.COUNTS, WRONG, "Wrong counts."),
    Finding(Topic.COUNTS, NOT_PROVED, "Open counts."),
)
"""Troubles, each more important than the next one."""


class Pair(NamedTuple):
    """Two troubles, of which the first one comes first."""

    name: str
    first: Finding
    second: Finding


NEIGHBOURS = [
    Pair(f"{first.text} {second.text}", first, second) for first, second in pairwise(ORDER)
]


@pytest.mark.parametrize("row", NEIGHBOURS, ids=ids(NEIGHBOURS))
def test_the_more_important_of_two_troubles_comes_first(row: Pair):
    assert report_of(row.second, row.first).troubles == [row.first, row.second]


QUOTA = Finding(Topic.LIMITS, NOT_PROVED, "Quota.")
OPEN_LAG = Finding(Topic.LAG, NOT_PROVED, "Open.")
MOVED = Finding(Topic.UPLOAD, NOT_PROVED, "Moved.", REDIRECTED)
ALIKE = [
    Pair("two that are wrong", Finding(Topic.NAMES, WRONG, "Names."), ADDRESS),
    Pair("limits and a redirected upload", QUOTA, MOVED),
    Pair("a redirected upload and limits", MOVED, QUOTA),
    Pair("two that are open", Finding(Topic.SEGMENT, NOT_PROVED, "Open."), OPEN_LAG),
    Pair(
        "an open lag, and an upload that is open but not redirected",
        OPEN_LAG,
        Finding(Topic.UPLOAD, NOT_PROVED, "Open.", REDIRECTED[:1]),
    ),
    Pair(
        "an open lag, and redirected names",
        OPEN_LAG,
        Finding(Topic.NAMES, NOT_PROVED, "Moved.", REDIRECTED),
    ),
]


@pytest.mark.parametrize("row", ALIKE, ids=ids(ALIKE))
def test_of_two_troubles_of_the_same_importance_that_of_the_first_finding_comes_first(row: Pair):
    assert report_of(row.first, row.second).troubles == [row.first, row.second]
