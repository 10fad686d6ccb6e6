"""Replies with the same files to the own key and to a made-up one."""

from __future__ import annotations

from typing import Any

from support.doctor_replies import reply
from support.doctor_service import record
from wes_provider.doctor.replies.probes import Probe, Question


def owned(*properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The body of a list whose files have further properties."""
    return {
        **more,
        "data": [record(f"f{at}", **owner) for at, owner in enumerate(properties or ({},))],
    }


def listed(content: Any, status: int = 200) -> Probe:
    return reply(status, content)


def made_up(content: Any, status: int = 200) -> Probe:
    return reply(status, content, question=Question.MADE_UP_KEY)


def both(content: Any) -> list[Probe]:
    return [listed(content), made_up(content)]


FOUR = owned(*({"coupons_list_id": name} for name in "dcba"))


__all__ = ["FOUR", "both", "listed", "made_up", "owned"]
