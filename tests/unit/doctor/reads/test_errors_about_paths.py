"""
A 404 is not about the path if the first path that does not exist got another reply; it is if that
got the same, if it is a page, or if there is nothing to compare it with. A 403 is about the path if
the first path that does not exist got the same code and words; then it is a gateway's if its words
are those of a gateway, such as "Missing Authentication Token". A 404 hides what there is if its
words are about a permission; a 403 does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FORBIDDEN,
    NOT_FOUND,
    PAGE,
    ids,
    listed,
    nowhere,
)
from support.doctor_replies import (
    error_body,
    evidence_of,
)
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe

SCOPE = error_body("", "The key lacks the scope coupons:read")
BAD = error_body("bad", "Never.")


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool


class Nowhere(NamedTuple):
    """
    A reply, those to paths that do not exist, and what follows if they are compared.

    :ivar knows: whether a 404 is not about the path; ``is_like``: whether a 403 is;
        ``is_of_gateway``: whether a gateway says so.
    """

    name: str
    probe: Probe
    others: Sequence[Probe]
    knows: bool = False
    is_like: bool = False
    is_of_gateway: bool = False


OF_AWS = error_body("", "Missing Authentication Token")
NOWHERES = [
    # A 404, which may be about something else than the path.
    Nowhere("another 404", listed(404, BAD), [nowhere()], knows=True),
    Nowhere("the same 404", listed(404, NOT_FOUND), [nowhere()]),
    Nowhere(
        "another 404, and then the same",
        listed(404, NOT_FOUND),
        [nowhere(404, BAD), nowhere()],
        knows=True,
    ),
    Nowhere("a 404 with a page", listed(404, PAGE), [nowhere()]),
    Nowhere("a 404 with nothing to compare with", listed(404, BAD), []),
    Nowhere("a 405", listed(405, BAD), [nowhere()]),
    Nowhere("the same 404, in a gateway's words", listed(404, OF_AWS), [nowhere(404, OF_AWS)]),
    # A 403, which may be about the path.
    Nowhere("a 403 with nothing to compare with", listed(403, BAD), []),
    Nowhere("the same 403", listed(403, BAD), [nowhere(403, BAD)], is_like=True),
    Nowhere(
        "the same 403, and then a 404",
        listed(403, BAD),
        [nowhere(403, BAD), nowhere()],
        is_like=True,
    ),
    Nowhere("a 404, and then the same 403", listed(403, BAD), [nowhere(), nowhere(403, BAD)]),
    Nowhere(
        "a 403 with other words", listed(403, BAD), [nowhere(403, error_body("bad", "Other."))]
    ),
    Nowhere("a 403 with another code", listed(403, BAD), [nowhere(403, FORBIDDEN)]),
    Nowhere(
        "the same 403, in a gateway's words",
        listed(403, OF_AWS),
        [nowhere(403, OF_AWS)],
        is_like=True,
        is_of_gateway=True,
    ),
    Nowhere(
        "a 403 in a gateway's words, and another 403", listed(403, OF_AWS), [nowhere(403, BAD)]
    ),
]


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_404_is_not_about_the_path_if_another_one_comes_where_no_path_is(row: Nowhere):
    assert facts.knows_path(evidence_of(*row.others), row.probe) is row.knows


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_403_is_about_the_path_if_the_same_comes_where_no_path_is(row: Nowhere):
    assert facts.is_like_nowhere(evidence_of(*row.others), row.probe) is row.is_like


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_403_is_a_gateways_if_it_is_about_the_path_in_the_words_of_a_gateway(row: Nowhere):
    found = facts.is_no_path_of_gateway(evidence_of(*row.others), row.probe)
    assert found is row.is_of_gateway


HIDING = [
    Shown("a 404 about a scope", [listed(404, SCOPE)], holds=True),
    Shown("a 403 about a scope", [listed(403, SCOPE)], holds=False),
    Shown("a 404 about nothing", [listed(404, NOT_FOUND)], holds=False),
]


@pytest.mark.parametrize("row", HIDING, ids=ids(HIDING))
def test_a_404_hides_what_there_is_if_its_words_are_about_a_permission(row: Shown):
    assert facts.hides(row.probes[0]) is row.holds
