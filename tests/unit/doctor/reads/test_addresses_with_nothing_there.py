"""
Nothing is at an address if the list, a path that does not exist and a made-up key get the same 404,
with the same text; lost reads with the own key do not count. That is not known if one of the three
was not read or got no response, and not so if the text, the status or the key's treatment differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    ids,
    listed,
    lost,
    made_up,
    nowhere,
)
from support.doctor_replies import (
    evidence_of,
)
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe, Question


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool


GONE = b"nothing here"
NOTHING_THERE = [
    Shown(
        "the same with each key",
        [listed(404, GONE), nowhere(404, GONE), made_up(404, GONE)],
        holds=True,
    ),
    Shown("no read with a made-up key", [listed(404, GONE), nowhere(404, GONE)], holds=False),
    Shown(
        "no read of a path that does not exist",
        [listed(404, GONE), made_up(404, GONE)],
        holds=False,
    ),
    Shown(
        "another text", [listed(404, b"else"), nowhere(404, GONE), made_up(404, GONE)], holds=False
    ),
    Shown(
        "another status", [listed(405, GONE), nowhere(405, GONE), made_up(405, GONE)], holds=False
    ),
    Shown(
        "the read with a made-up key is lost",
        [listed(404, GONE), nowhere(404, GONE), lost(question=Question.MADE_UP_KEY)],
        holds=False,
    ),
    Shown(
        "a read with the own key is lost",
        [lost(), listed(404, GONE), nowhere(404, GONE), made_up(404, GONE)],
        holds=True,
    ),
    Shown("a refusal", [listed(404, GONE), nowhere(404, GONE), made_up(401, GONE)], holds=False),
]


@pytest.mark.parametrize("row", NOTHING_THERE, ids=ids(NOTHING_THERE))
def test_nothing_is_there_if_each_path_gets_the_same_404(row: Shown):
    assert facts.is_nothing_there(evidence_of(*row.probes)) is row.holds
