"""What a finding is: a topic, how certain it is, a sentence, and the requests that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, NamedTuple

from wes_provider.connection_form import LABELS
from wes_provider.doctor.facts import TwoAnswers
from wes_provider.doctor.probes import Probe, same_request

__all__ = ["Certainty", "Finding", "Row", "Topic", "conclude", "without_two_answers"]


class Certainty(Enum):
    """How certain a finding is; the values are what people and machines read."""

    WRONG = "wrong"
    NOT_PROVED = "not proved"
    NOT_ASKED = "not asked"
    SURE = "sure"


class Topic(Enum):
    """
    What findings are about, as people read it; fields of the connection as its form calls them.

    The JSON report has the names of the members, in small letters and with hyphens.
    """

    ADDRESS = LABELS["host"]
    CAMPAIGN_KEY = LABELS["password"]
    DATA_KEY = LABELS["data_api_key"]
    WORKSPACE_HEADER = LABELS["workspace_header"]
    LIST_PATH = "Path of the list's files"
    FILE_PATH = "Path of one file"
    UPLOAD = "Upload"
    STATUSES = "Statuses"
    COUNTS = "Counts"
    LAG = "Lag of the list"
    NAMES = "Names in the list"
    CATALOG = "Identifier of a catalog"
    SEGMENT = "Segment"
    LIMITS = "Rate limits"

    @property
    def stable_name(self) -> str:
        """The name in the JSON report."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Finding:
    """
    One conclusion.

    :ivar probes: the requests that it rests on.
    :ivar settings: values that replies have proved; ``guesses``: values that they only speak for.
    :ivar has_two_answers: it rests on a request that was answered in two ways.
    """

    topic: Topic
    certainty: Certainty
    text: str
    probes: tuple[Probe, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    guesses: Mapping[str, Any] = field(default_factory=dict)
    has_two_answers: bool = False

    @property
    def is_trouble(self) -> bool:
        """Whether tasks may fail because of it."""
        return self.certainty in (Certainty.WRONG, Certainty.NOT_PROVED)


class Row(NamedTuple):
    """A row of a table: it holds if it applies, and no row above it does."""

    applies: bool
    certainty: Certainty
    text: str
    settings: Mapping[str, Any] = {}
    guesses: Mapping[str, Any] = {}


def conclude(topic: Topic, probes: Iterable[Probe | None], *rows: Row) -> Finding:
    """
    Return the finding of the first row that applies; the last one has to.

    :param probes: that the table was read from.
    """
    row = next(row for row in rows if row.applies)
    rests_on = tuple(probe for probe in probes if probe is not None)
    return Finding(topic, row.certainty, row.text, rests_on, row.settings, row.guesses)


OF_FILES: Final = (Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS)
"""What rests on the files that a list has, and not only on whether it can be read."""

ON_TWO_ANSWERS: Final = "Not settled, since it rests on the same request."


def without_two_answers(
    findings: Sequence[Finding], two_answers: Sequence[TwoAnswers]
) -> list[Finding]:
    """
    Make no finding certain that rests on a request with two answers, and propose nothing by it.

    :param two_answers: such requests; the first finding that rests on one has its sentence.
    """
    said: set[str] = set()
    settled = []
    for finding in findings:
        texts = [two.text for two in two_answers if _rests_on(finding, two)]
        if not texts:
            settled.append(finding)
            continue
        text = ON_TWO_ANSWERS
        if texts[0] not in said:
            text = texts[0]
            said.add(text)
        settled.append(
            replace(
                finding,
                certainty=Certainty.NOT_PROVED,
                text=text,
                settings={},
                guesses={},
                has_two_answers=True,
            )
        )
    return settled


def _rests_on(finding: Finding, two: TwoAnswers) -> bool:
    if two.is_of_files and finding.topic not in OF_FILES:
        return False
    return any(same_request(two.probe, probe) for probe in finding.probes)
