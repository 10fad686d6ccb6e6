"""
A finding about the campaign key names its reads in this order: of the list, lost ones of the list,
one with a made-up key, those with swapped keys, and those of one file that are refused. A finding
about the data key names those of a segment, lost ones of a segment, one with a made-up key, and
those with swapped keys. A file that is read is not named, nor is one key's read in the other's
finding, but for swapped keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    lost,
    made_up,
    made_up_segment,
    numbers_of,
    one_file,
    segment,
    segment_again,
)
from support.doctor_keys import (
    LIST_ACCEPTED_TWICE,
    list_refused_twice,
    segment_refused_twice,
)
from support.doctor_replies import (
    evidence_of,
)
from support.doctor_service import record
from wes_provider.doctor.conclusions.key_conclusions import (
    conclude_on_campaign_key,
    conclude_on_data_key,
)
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe


class RestsOn(NamedTuple):
    """
    Reads, and which of them findings rest on.

    :ivar campaign_key: numbers of reads, from 0, in the order in which the finding about the
        campaign key names them; ``data_key`` likewise.
    """

    name: str
    probes: Sequence[Probe]
    campaign_key: list[int]
    data_key: list[int]


RESTS_ON = [
    RestsOn("nothing", [], [], []),
    RestsOn(
        "reads of both keys",
        [*LIST_ACCEPTED_TWICE, segment(), made_up(), made_up_segment()],
        [0, 1, 3],
        [2, 4],
    ),
    RestsOn(
        "lost reads",
        [lost(), *LIST_ACCEPTED_TWICE, segment(500)],
        [1, 2, 0],
        [3],
    ),
    RestsOn(
        "reads with the other key",
        [
            *list_refused_twice(),
            *segment_refused_twice(),
            data_key_on_list(),
            campaign_key_on_segment(),
        ],
        [0, 1, 4, 5],
        [2, 3, 4, 5],
    ),
    RestsOn(
        "lost reads and made-up keys",
        [
            lost(),
            made_up(),
            *LIST_ACCEPTED_TWICE,
            made_up_segment(),
            segment(500),
            segment_again(),
        ],
        [2, 3, 0, 1],
        [6, 5, 4],
    ),
    RestsOn(
        "made-up keys and reads with the other key",
        [
            data_key_on_list(),
            campaign_key_on_segment(),
            made_up(),
            made_up_segment(),
            *list_refused_twice(),
            *segment_refused_twice(),
        ],
        [4, 5, 2, 0, 1],
        [6, 7, 3, 0, 1],
    ),
    RestsOn(
        "a file that is refused",
        [*LIST_ACCEPTED_TWICE, made_up(), one_file(401)],
        [0, 1, 2, 3],
        [],
    ),
    RestsOn(
        "a file that is refused, and a read with the other key",
        [one_file(401), data_key_on_list(), *list_refused_twice()],
        [2, 3, 1, 0],
        [1],
    ),
    RestsOn(
        "a file that is read",
        [*LIST_ACCEPTED_TWICE, made_up(), one_file(200, record("f1"))],
        [0, 1, 2],
        [],
    ),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_campaign_key_names_its_reads_in_this_order(row: RestsOn):
    """
    Reads of the list, the lost ones, one with a made-up key, those with swapped
    keys, and those of a file that are refused.
    """
    evidence = evidence_of(*row.probes)
    finding = conclude_on_campaign_key(evidence, facts.places(evidence))
    assert numbers_of(finding, row.probes) == row.campaign_key


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_data_key_names_its_reads_in_this_order(row: RestsOn):
    """
    Reads of a segment, the lost ones, one with a made-up key, and those with swapped
    keys.
    """
    finding = conclude_on_data_key(evidence_of(*row.probes))
    assert numbers_of(finding, row.probes) == row.data_key
