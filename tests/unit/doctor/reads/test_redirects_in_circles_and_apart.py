"""
Two redirects of the own keys are a circle if each leads to the path of the other, whatever their
queries. Redirects of the own keys differ if they change other parts of their paths and lead to
other places; the first one of each kind is named. The same page for all paths does not differ;
made-up keys, tests of another address, and a second reply to one request do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    LIST_AT,
    ids,
    listed,
    made_up,
    nowhere,
    redirected,
    segment,
)
from support.doctor_redirects import (
    FROM_SLASH,
    SLASHED,
    TO_SLASH,
    below,
    to,
)
from support.doctor_replies import evidence_of
from wes_provider.doctor.reads import redirects
from wes_provider.doctor.replies.probes import Keys, Probe, Question


class Circle(NamedTuple):
    """Reads, and the places of those that lead to each other."""

    name: str
    probes: Sequence[Probe]
    circle: list[int]


CIRCLES = [
    Circle("a slash more, and one less", [TO_SLASH, FROM_SLASH], [0, 1]),
    Circle(
        "these, with queries",
        [to(f"{LIST_AT}/?a=1"), to(f"{LIST_AT}?a=2", request=SLASHED)],
        [0, 1],
    ),
    Circle(
        "these, behind another redirect", [below("/gw", segment()), TO_SLASH, FROM_SLASH], [1, 2]
    ),
    Circle("a redirect to itself", [to(LIST_AT)], []),
    Circle("a redirect that is not followed by one", [TO_SLASH], []),
    Circle(
        "a redirect to one that leads on", [TO_SLASH, to(f"{LIST_AT}.json", request=SLASHED)], []
    ),
    Circle(
        "one with a made-up key", [TO_SLASH, to(LIST_AT, request=SLASHED, keys=Keys.MADE_UP)], []
    ),
]


@pytest.mark.parametrize("row", CIRCLES, ids=ids(CIRCLES))
def test_two_redirects_of_the_own_keys_are_a_circle_if_they_lead_to_each_other(row: Circle):
    found = redirects.circle(evidence_of(*row.probes))
    assert [row.probes.index(probe) for probe in found] == row.circle


class Differing(NamedTuple):
    """Reads, and the places of those whose redirects differ."""

    name: str
    probes: Sequence[Probe]
    differing: list[int]


DIFFERING = [
    Differing("a slash, and a prefix", [TO_SLASH, below("/gw", segment())], [0, 1]),
    Differing("a prefix twice", [below("/gw", listed()), below("/gw", segment())], []),
    Differing(
        "a prefix twice, and another one",
        [below("/gw", listed()), below("/gw", nowhere()), below("/x", segment())],
        [0, 2],
    ),
    Differing("one page for all", [to("/sorry?a=1"), to("/sorry?a=2", Question.NO_SUCH_PATH)], []),
    Differing("a test of another address", [TO_SLASH, to("/x", Question.OTHER_ADDRESS)], []),
    Differing("a made-up key", [TO_SLASH, below("/gw", made_up())], []),
    Differing("the same request twice", [TO_SLASH, to(f"{LIST_AT}.json", Question.AGAIN)], []),
    Differing("one redirect", [TO_SLASH], []),
]


@pytest.mark.parametrize("row", DIFFERING, ids=ids(DIFFERING))
def test_redirects_of_the_own_keys_differ_that_change_other_parts_and_lead_to_other_places(
    row: Differing,
):
    found = redirects.differing_redirects(evidence_of(*row.probes))
    assert [row.probes.index(probe) for probe in found] == row.differing


def test_the_first_redirect_of_a_request_counts():
    later = redirected("/sorry", question=Question.AGAIN)
    probes = [TO_SLASH, later, below("/gw", segment())]
    found = redirects.differing_redirects(evidence_of(*probes))
    assert [probes.index(probe) for probe in found] == [0, 2]
