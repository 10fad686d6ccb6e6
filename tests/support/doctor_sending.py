"""Reads with prepared replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from support.doctor_replies import SETTINGS, reply, request_for
from support.skipping_clock import CLOCK
from wes_provider.doctor.reads.sending import Ask, Sender
from wes_provider.doctor.replies.probes import Probe, Question

ASK = Ask(request_for(Question.LIST))


class Prepared(Sender):
    """Sends nothing, and has prepared replies."""

    def __init__(self, replies: Sequence[Probe]) -> None:
        super().__init__(SETTINGS)
        self.replies = [*replies]

    def send(self, question: Question, ask: Ask, until: float | None = None) -> Probe:
        """Return the next reply."""
        probe = replace(self.replies.pop(0), sent_at=CLOCK.time())
        self.probes.append(probe)
        return probe


def limited(seconds: int) -> Probe:
    return reply(429, b"", {"retry-after": str(seconds)})


OK = reply(200, [])


__all__ = ["ASK", "OK", "Prepared", "limited"]
