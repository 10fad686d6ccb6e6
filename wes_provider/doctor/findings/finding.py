"""What a finding is: a topic, how certain it is, a sentence, and the requests that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, NamedTuple

from wes_provider.connection_form import LABELS
from wes_provider.doctor.reads.changes import Scope, TwoAnswers
from wes_provider.doctor.replies.probes import Probe, same_request

__all__ = [
    "ON_TWO_ANSWERS",
    "Certainty",
    "Finding",
    "Row",
    "Topic",
    "changed",
    "conclude",
    "without_two_answers",
]


class Certainty(Enum):
    """How certain a finding is; the values are what people and machines read."""

    WRONG = "wrong"
    NOT_PROVED = "not proved"
    NOT_SHOWN = "not shown"
    SURE = "sure"


class Topic(Enum):
    """
    What findings are about, as people read it; fields of the connection as its form calls them.

    The JSON report has the names of the members, in small letters and with hyphens.
    """

    ADDRESS = LABELS["host"]
    ACCOUNT = "Account"
    CAMPAIGN_KEY = LABELS["password"]
    DATA_KEY = LABELS["data_api_key"]
    WORKSPACE_HEADER = LABELS["workspace_header"]
    LIST_PATH = "Path of the list's files"
    RECORDS = "Records"
    FILE_PATH = "Path of one file"
    UPLOAD = "Upload"
    STATUSES = "Statuses"
    COUNTS = "Counts"
    LAG = "Lag of the list"
    NAMES = "Names in the list"
    CATALOG = "Identifier of a catalog"
    SEGMENT = "Segment"
    LIMITS = "Rate limits"
    ERRORS = "Errors"
    NOTICES = "Announcements"

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
    :ivar is_cause: the service's own words say why reads settle nothing, or it explains others, or
        a change has done harm: so it comes first.
    :ivar needs_action: whether people have something to do about it, though it is no trouble, so
        that reports keep its sentence.
    """

    topic: Topic
    certainty: Certainty
    text: str
    probes: tuple[Probe, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    guesses: Mapping[str, Any] = field(default_factory=dict)
    has_two_answers: bool = False
    is_cause: bool = False
    needs_action: bool = False

    @property
    def is_trouble(self) -> bool:
        """Whether tasks may fail because of it."""
        return self.certainty in (Certainty.WRONG, Certainty.NOT_PROVED)


class Row(NamedTuple):
    """
    A row of a table: it holds if it applies, and no row above it does.

    Its other fields are those of :class:`Finding`.
    """

    applies: bool
    certainty: Certainty
    text: str
    settings: Mapping[str, Any] = {}
    guesses: Mapping[str, Any] = {}
    is_cause: bool = False
    needs_action: bool = False


def changed(
    findings: Iterable[Finding], topic: Topic, change: Callable[[Finding], Finding]
) -> list[Finding]:
    """Return findings of which those on one topic are changed."""
    others = []
    for finding in findings:
        if finding.topic is topic:
            finding = change(finding)
        others.append(finding)
    return others


def conclude(
    topic: Topic,
    probes: Iterable[Probe | None],
    *rows: Row,
) -> Finding:
    """
    Return the finding of the first row that applies; the last one has to. Settings of a row that is
    not certain are guesses.

    :param probes: that the table was read from.
    """
    row = next(row for row in rows if row.applies)
    rests_on = tuple(probe for probe in probes if probe is not None)
    settings, guesses = row.settings, row.guesses
    if row.certainty not in (Certainty.SURE, Certainty.WRONG):
        settings, guesses = {}, {**guesses, **settings}
    return Finding(
        topic=topic,
        certainty=row.certainty,
        text=row.text,
        probes=rests_on,
        settings=settings,
        guesses=guesses,
        is_cause=row.is_cause,
        needs_action=row.needs_action,
    )


FILES: Final = frozenset({Topic.LIST_PATH, Topic.STATUSES, Topic.COUNTS})
UNSETTLED: Final = {
    Scope.SHAPES: frozenset(Topic),
    Scope.FILES: FILES,
    Scope.PATHS: frozenset(Topic) - {Topic.ADDRESS},
    Scope.KEYS: frozenset(Topic) - {Topic.ADDRESS},
    Scope.ALL: frozenset(Topic),
}
"""What is not settled by a request that was answered in two ways."""

ON_TWO_ANSWERS: Final = "Not settled, since it rests on the same request."


def without_two_answers(
    findings: Sequence[Finding], two_answers: Sequence[TwoAnswers], said: Iterable[str] = ()
) -> list[Finding]:
    """
    Make no finding certain that rests on a request with two answers, and propose nothing by it.

    :param two_answers: such requests; the first finding that rests on one has its sentence.
    :param said: sentences that another finding has already.
    """
    already = set(said)
    settled = []
    for finding in findings:
        two = next((two for two in two_answers if _rests_on(finding, two)), None)
        if two is None:
            settled.append(finding)
            continue
        text = ON_TWO_ANSWERS
        if two.text not in already:
            text = two.text
            already.add(text)
        settled.append(
            replace(
                finding,
                certainty=Certainty.NOT_PROVED,
                text=text,
                probes=_with_all(finding.probes, two.answers),
                settings={},
                guesses={},
                has_two_answers=True,
            )
        )
    return settled


def _rests_on(finding: Finding, two: TwoAnswers) -> bool:
    if finding.topic not in UNSETTLED[two.scope]:
        return False
    return any(same_request(two.answers[0], probe) for probe in finding.probes)


def _with_all(
    probes: Sequence[Probe],
    answers: Sequence[Probe],
) -> tuple[Probe, ...]:
    """Return the requests of a finding, those with two answers first and with all of them."""
    others = [probe for probe in probes if not any(probe is answer for answer in answers)]
    return (*answers, *others)
