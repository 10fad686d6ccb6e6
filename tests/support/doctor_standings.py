"""Replies, and how the service takes a key that got them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from support.doctor_replies import (
    error_body,
    evidence_of,
    reply,
)
from wes_provider.doctor.reads import key_facts
from wes_provider.doctor.reads.key_facts import Standing
from wes_provider.doctor.replies.probes import Probe

BAD = error_body("bad", "Never.")
ODD = reply(200, "no JSON", {"content-type": "application/json"})


class Key(NamedTuple):
    """Replies, and how the service takes one key."""

    name: str
    probes: Sequence[Probe]
    standing: Standing


def check_standing(row: Key) -> None:
    """The campaign key is taken as the row says."""
    assert key_facts.campaign_key(evidence_of(*row.probes)).standing is row.standing


SCOPE = error_body("", "The key lacks the scope coupons:read")
