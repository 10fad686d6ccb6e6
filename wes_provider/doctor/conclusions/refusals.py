"""
Reads that the service refuses for a reason of its own, which settles nothing of what was asked: a
quota, a maintenance, the address of this machine. Pure.

A reason is about the reads that got it. What people do with the others works, and is named, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from wes_provider import contract
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import facts, sayings
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Kind, Probe, Question
from wes_provider.doctor.replies.subjects import Subject
from wes_provider.texts import counted

__all__ = ["AT_OTHER_TIMES", "Parts", "conclude_on_refusals", "parts_of", "why_not_judged"]

# What people do, by the read that shows whether they may.
LISTS = "coupon lists"
FILES = "coupon files"
USES: Final = {
    contract.LIST_COUPON_FILES: LISTS,
    contract.GET_COUPON_FILE: FILES,
    contract.READ_SEGMENT: "segments (/v3)",
}
KEYS: Final = {
    contract.Key.CAMPAIGN: Topic.CAMPAIGN_KEY.value,
    contract.Key.DATA: Topic.DATA_KEY.value,
}
# Reads of what is made up are about no use.
NO_USE: Final = (Question.NO_SUCH_PATH, Question.MADE_UP_LIST)
AT_OTHER_TIMES: Final = (
    " The same requests were answered at other times: it may be that this machine is seen with "
    "several addresses, of which one is not let in."
)


class Parts(NamedTuple):
    """
    What of the service is refused, and what works, as people call it; some may do neither.

    :ivar refused: such as ``segments (/v3)``; ``works``: such as ``coupon lists and coupon files``.
    :ivar keys: that no reply accepts or refuses.
    """

    refused: str
    works: str
    keys: Sequence[str]


def parts_of(evidence: Evidence, refused: Sequence[Probe]) -> Parts | None:
    """
    Tell which uses of the service some refusals are about; ``None`` if nothing else works, or a
    use is refused at times only.
    """
    own = _own_reads(evidence)
    answered = [probe for probe in own if probe.kind is Kind.ANSWER]
    of_answered = set(map(_use_of, answered))
    of_refused = {_use_of(probe) for probe in own if probe in refused}
    if not of_refused or not of_answered or of_refused & of_answered:
        return None
    if LISTS in of_refused:
        of_refused.add(FILES)  # without a list, no file was read
    return Parts(
        refused=_in_order(of_refused),
        works=_in_order(of_answered),
        keys=_keys_not_judged(own),
    )


def _own_reads(evidence: Evidence) -> list[Probe]:
    """Return the reads with the own keys that show whether people may do something."""
    own = evidence.own
    return [probe for probe in own if probe.question not in NO_USE]


def _keys_not_judged(own: Sequence[Probe]) -> list[str]:
    """Return the keys that no reply accepts or refuses."""
    judging = [probe for probe in own if probe.kind in (Kind.ANSWER, Kind.REFUSED)]
    judged = {probe.request.operation.key for probe in judging}
    return [name for key, name in KEYS.items() if key not in judged]


def _use_of(probe: Probe) -> str:
    return USES[probe.request.operation]


def _in_order(uses: set[str]) -> str:
    return " and ".join(use for use in USES.values() if use in uses)


def conclude_on_refusals(evidence: Evidence) -> list[Finding]:
    """Conclude on each such reason: one finding for each topic that has one."""
    refused = [probe for probe in evidence.probes if probe.is_lost_by_words]
    limits = [probe for probe in refused if probe.is_limit]
    others = [probe for probe in refused if not probe.is_limit]
    if facts.quota(evidence):
        limits = []  # the row of the limits says it, with since when
    by_topic = {Topic.ACCOUNT: others, Topic.LIMITS: limits}
    return [_conclude(evidence, topic, probes) for topic, probes in by_topic.items() if probes]


def _conclude(evidence: Evidence, topic: Topic, refused: Sequence[Probe]) -> Finding:
    """Say how many reads were refused, with the service's words and what they ask for."""
    is_certain = all(probe.is_documented_error and probe.kind is Kind.KEPT_OUT for probe in refused)
    reasons: dict[str, list[Probe]] = {}
    for probe in refused:
        reasons.setdefault(str(probe.answer), []).append(probe)
    return Finding(
        topic=topic,
        certainty=Certainty.WRONG if is_certain else Certainty.NOT_PROVED,
        text=" ".join(_says(evidence, probes) for probes in reasons.values()),
        probes=tuple(refused),
        is_cause=True,
    )


def _says(evidence: Evidence, refused: Sequence[Probe]) -> str:
    first = refused[0]
    who = "The service or a gateway"
    if first.is_documented_error:
        who = "The service"
    came = f"{first.answer}{sayings.words_of(first)}"
    parts = parts_of(evidence, refused)
    if parts is not None:
        not_judged = ""
        if parts.keys:
            not_judged = f" So the {parts.keys[0]} is not judged."
        return (
            f"{parts.works.capitalize()} can be read; {parts.refused} cannot: "
            f"{who.lower()} refused {_how_many(evidence, refused)} with {came}.{not_judged} "
            f"{sayings.advice_of(first)} Tasks that do without {parts.refused} can run."
        )
    return (
        f"{who} refused {_how_many(evidence, refused)} with {came}. "
        f"{sayings.advice_of(first)}{_other_times(evidence, refused)}"
    )


def _how_many(evidence: Evidence, refused: Sequence[Probe]) -> str:
    if len(refused) == len(evidence.probes):
        return f"each of {counted(len(refused), 'read')}"
    return f"{len(refused)} of {counted(len(evidence.probes), 'read')}"


def _other_times(evidence: Evidence, refused: Sequence[Probe]) -> str:
    """Tell what it may mean that this machine is kept out at times only, as a sentence."""
    if not refused[0].is_about(Subject.MACHINE, Subject.PLACE):
        return ""
    is_answered = any(evidence.answers_to(probe.request, probe.keys) for probe in refused)
    if is_answered:
        return AT_OTHER_TIMES
    return ""


def why_not_judged(lost: Sequence[Probe]) -> str:
    """
    Tell why reads of something show nothing of it, if their refusals are about something else, as
    a sentence that leads to where that is said; empty if none is of that kind.
    """
    if not lost or not lost[-1].is_lost_by_words:
        return ""
    topic = Topic.LIMITS if lost[-1].is_limit else Topic.ACCOUNT
    number = sum(probe.answer == lost[-1].answer for probe in lost)
    reads = counted(len(lost), "read")
    if number < len(lost):
        reads = f"{number} of {reads}"
    return (
        f"Not judged, since {reads} with it got {lost[-1].answer}, which is about no key: see "
        f"{topic.value}."
    )
