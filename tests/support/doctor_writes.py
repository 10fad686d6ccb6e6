"""Replies to changes, and what follows from them."""

from __future__ import annotations

from typing import NamedTuple

from support.doctor_service import (
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED
LIMITED = json_reply(429, {"error": {"code": "rate-limited", "message": "Slow down."}})
UNAUTHENTICATED = json_reply(401, {"error": {"code": "request-unauthenticated", "message": "No"}})
INVALID = json_reply(400, {"error": {"code": "invalid-request", "message": "currency: unknown"}})


class Answered(NamedTuple):
    """
    A reply to a change, and what follows.

    :ivar catalog_id: the path of a catalog's identifier that is proposed; ``None`` for none.
    """

    name: str
    reply: Reply
    certainty: Certainty
    says: str
    catalog_id: str | None = None


__all__ = ["INVALID", "LIMITED", "NOT_PROVED", "SURE", "UNAUTHENTICATED", "WRONG", "Answered"]
