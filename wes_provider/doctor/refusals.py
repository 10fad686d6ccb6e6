"""
Reads that the service refuses for a reason of its own, which settles nothing of what was asked: a
quota, a maintenance, the address of this machine. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from wes_provider.doctor import facts
from wes_provider.doctor.evidence import Evidence
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.probes import Kind, Probe
from wes_provider.texts import counted

__all__ = ["conclude_on_refusals"]


def conclude_on_refusals(evidence: Evidence) -> list[Finding]:
    """Conclude on each such reason: one finding for each topic that has one."""
    refused = [probe for probe in evidence.probes if probe.is_lost_by_words]
    if facts.quota(evidence):
        # The row of the limits says it, with since when.
        refused = [probe for probe in refused if not probe.is_limit]
    limits = [probe for probe in refused if probe.is_limit]
    others = [probe for probe in refused if not probe.is_limit]
    findings = []
    if others:
        findings.append(_conclude(evidence, Topic.ACCOUNT, others))
    if limits:
        findings.append(_conclude(evidence, Topic.LIMITS, limits))
    return findings


def _conclude(evidence: Evidence, topic: Topic, refused: Sequence[Probe]) -> Finding:
    """Say how many reads were refused, with the service's words and what they ask for."""
    is_certain = all(probe.is_documented_error and probe.kind is Kind.KEPT_OUT for probe in refused)
    reasons: dict[str, list[Probe]] = {}
    for probe in refused:
        reasons.setdefault(str(probe.answer), []).append(probe)
    return Finding(
        topic,
        Certainty.WRONG if is_certain else Certainty.NOT_PROVED,
        " ".join(_says(evidence, probes) for probes in reasons.values()),
        tuple(refused),
        is_cause=True,
    )


def _says(evidence: Evidence, refused: Sequence[Probe]) -> str:
    first = refused[0]
    who = "The service" if first.is_documented_error else "The service or a gateway"
    number = f"{len(refused)} of {counted(len(evidence.probes), 'read')}"
    if len(refused) == len(evidence.probes):
        number = f"each of {counted(len(refused), 'read')}"
    return (
        f"{who} refused {number} with {first.answer}{facts.words_of(first)}. "
        f"{facts.advice_of(first)}{_other_times(evidence, refused)}"
    )


def _other_times(evidence: Evidence, refused: Sequence[Probe]) -> str:
    """Tell what it may mean that this machine is kept out at times only, as a sentence."""
    if refused[0].kind is not Kind.KEPT_OUT:
        return ""
    if not any(evidence.answers_to(probe.request, probe.keys) for probe in refused):
        return ""
    return (
        " The same requests were answered at other times: it may be that this machine is seen "
        "with several addresses, of which one is not let in."
    )
