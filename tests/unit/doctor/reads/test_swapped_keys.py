"""
A key is swapped if it is accepted in the other's place, and keys are kept out there: the other key
gets a 401 or 403 there at any time, or it is accepted while a made-up key is not. A 403 or a page
in the other's place is no acceptance, and a key that gets 404 in its own place shows nothing. Both
are swapped if each is. A key may be another one if each answer to it is a 403, with JSON, and the
first is not the documented one (request-forbidden), or its words are about a key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    PAGE,
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    made_up,
    made_up_segment,
    segment,
)
from support.doctor_replies import (
    error_body,
    evidence_of,
)
from support.doctor_standings import BAD
from wes_provider.doctor.reads import key_facts
from wes_provider.doctor.reads.key_facts import KeyFact, Standing, Swapped
from wes_provider.doctor.replies.probes import Probe


class Shown(NamedTuple):
    """Replies, and whether they show what the test asks."""

    name: str
    probes: Sequence[Probe]
    holds: bool


class Swap(NamedTuple):
    """Replies, and which key is accepted in the other's place."""

    name: str
    probes: Sequence[Probe]
    swapped: Swapped


REFUSED_BOTH = [listed(401), segment(401)]
SWAPS = [
    # Each key is refused in its own place.
    Swap("no read in the other's place", REFUSED_BOTH, Swapped(campaign=False, data=False)),
    Swap(
        "both are accepted",
        [*REFUSED_BOTH, data_key_on_list(), campaign_key_on_segment()],
        Swapped(campaign=True, data=True),
    ),
    Swap(
        "the data key is accepted for coupons",
        [*REFUSED_BOTH, data_key_on_list(), campaign_key_on_segment(401)],
        Swapped(campaign=False, data=True),
    ),
    Swap(
        "the campaign key is accepted for segments",
        [*REFUSED_BOTH, campaign_key_on_segment()],
        Swapped(campaign=True, data=False),
    ),
    Swap(
        "a 403 in the other's place",
        [*REFUSED_BOTH, data_key_on_list(403), campaign_key_on_segment(403)],
        Swapped(campaign=False, data=False),
    ),
    Swap(
        "a page in the other's place",
        [*REFUSED_BOTH, data_key_on_list(200, PAGE)],
        Swapped(campaign=False, data=False),
    ),
    # What shows that a place keeps keys out.
    Swap(
        "each key gets 404 in its own place",
        [listed(404), segment(404), data_key_on_list(), campaign_key_on_segment()],
        Swapped(campaign=False, data=False),
    ),
    Swap(
        "each key gets 403 in its own place",
        [listed(403), segment(403), data_key_on_list(), campaign_key_on_segment()],
        Swapped(campaign=True, data=True),
    ),
    Swap(
        "the campaign key is accepted once, and a made-up one is not",
        [listed(200, FILES), made_up(), data_key_on_list()],
        Swapped(campaign=False, data=True),
    ),
    Swap(
        "the data key is accepted twice, and a made-up one is not",
        [*2 * [segment()], made_up_segment(), campaign_key_on_segment()],
        Swapped(campaign=True, data=False),
    ),
    Swap(
        "the campaign key gets 404, then it is refused",
        [listed(404), listed(401), data_key_on_list()],
        Swapped(campaign=False, data=True),
    ),
]


@pytest.mark.parametrize("row", SWAPS, ids=ids(SWAPS))
def test_a_key_is_swapped_that_is_accepted_in_the_others_place_where_another_key_is_kept_out(
    row: Swap,
):
    """The table has what comes in the other's place, then what shows that keys are kept out."""
    assert key_facts.swapped_keys(evidence_of(*row.probes)) == row.swapped


@pytest.mark.parametrize("campaign", [False, True])
@pytest.mark.parametrize("data", [False, True])
def test_both_keys_are_swapped_if_each_is(campaign: bool, data: bool):
    assert Swapped(campaign, data).are_both is (campaign and data)


ANOTHER = [
    Shown("nothing", [], holds=False),
    Shown("a 403 of another code", [segment(403, BAD)], holds=True),
    Shown(
        "the documented 403", [segment(403, error_body("request-forbidden", "No."))], holds=False
    ),
    Shown(
        "the documented 403, with words about the key",
        [
            segment(
                403, error_body("request-forbidden", "This key is not valid for this operation.")
            )
        ],
        holds=True,
    ),
    Shown(
        "the documented 403, with words about the key in German",
        [segment(403, error_body("request-forbidden", "Dieser Schlüssel gilt hier nicht."))],
        holds=True,
    ),
    Shown(
        "the documented 403, with a word that has these letters",
        [segment(403, error_body("request-forbidden", "Keyset pages are not for this account."))],
        holds=False,
    ),
    Shown(
        "a 403 of another code, then the documented one",
        [segment(403, BAD), segment(403, error_body("request-forbidden", "No."))],
        holds=True,
    ),
    Shown("a 403, then a 404", [segment(403, BAD), segment()], holds=False),
    Shown("a page", [segment(403, PAGE)], holds=False),
    Shown("a 404", [segment()], holds=False),
]


@pytest.mark.parametrize("row", ANOTHER, ids=ids(ANOTHER))
def test_a_key_may_be_another_one_if_each_read_gets_403_that_is_not_of_the_account(
    row: Shown,
):
    assert key_facts.may_be_another_key(KeyFact(Standing.NOT_SHOWN, row.probes)) is row.holds
