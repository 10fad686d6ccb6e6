"""Replies that announce something, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from support.doctor_replies import reply
from support.doctor_service import record
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.replies.probes import Probe, Question

FILES = [record("f1")]


class Announced(NamedTuple):
    """
    Replies, and what is said of them; empty for nothing.

    :ivar numbers: of the replies that it rests on.
    """

    name: str
    probes: Sequence[Probe]
    text: str = ""
    numbers: Sequence[int] = ()

    @property
    def findings(self) -> list[Finding]:
        """What is concluded."""
        if not self.text:
            return []
        probes = tuple(self.probes[number] for number in self.numbers)
        return [Finding(Topic.NOTICES, Certainty.SURE, self.text, probes, needs_action=True)]


def list_reply(content: Any = FILES, status: int = 200, **headers: str) -> Probe:
    """The read of the list; names of headers of the reply have _ for -."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return reply(status, content, named)


def segment_reply(status: int = 404, content: Any = b"", **headers: str) -> Probe:
    """The read of a segment with the data key, and headers of the reply."""
    return reply(status, content, headers, question=Question.DATA_KEY)
