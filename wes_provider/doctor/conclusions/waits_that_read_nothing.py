"""What follows if waits cannot read what uploads and other reads do. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from wes_provider import contract
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic, changed
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.unread_polls import UnreadPolls, break_of_http, unread_polls
from wes_provider.doctor.replies.probes import Probe

__all__ = ["path_that_waits_cannot_read", "why_no_wait_follows", "with_polls_that_read_nothing"]

UNTIL_THEN: Final = (
    "Until then, no task should wait itself, whatever its deferrable says: upload with "
    "wait_for_completion=False, and wait with a WesCouponFileSensor without deferrable, which "
    "reads as uploads do."
)
OF_WATCHES: Final = (
    "Watches of a list read so, too; waits read a file's path, which was not read: name a list "
    "with files, and run this again."
)


def why_no_wait_follows(evidence: Evidence) -> str:
    """Tell why no upload is sent, since it could not be followed; empty without a reason."""
    unread = unread_polls(evidence)
    if unread is None or not unread.is_proved:
        return ""
    return f"waits could not read {unread.answered.path}, so it could not be followed"


def with_polls_that_read_nothing(
    findings: Sequence[Finding], evidence: Evidence
) -> Sequence[Finding]:
    """Return findings of which that on a path says that waits cannot read it, if that is so."""
    unread = unread_polls(evidence)
    if unread is None:
        return findings

    def with_polls(finding: Finding) -> Finding:
        if finding.certainty is Certainty.WRONG:
            return finding
        if finding.is_trouble and not unread.is_proved:
            return finding
        better = path_that_waits_cannot_read(unread)
        return replace(better, settings=finding.settings, guesses=finding.guesses)

    return changed(findings, _topic_of(unread), with_polls)


def _topic_of(unread: UnreadPolls) -> Topic:
    if unread.answered.request.operation is contract.GET_COUPON_FILE:
        return Topic.FILE_PATH
    return Topic.LIST_PATH


def path_that_waits_cannot_read(unread: UnreadPolls) -> Finding:
    """Tell what to do about a path whose replies waits cannot read."""
    certainty, how_often = Certainty.NOT_PROVED, ""
    if unread.is_proved:
        certainty = Certainty.WRONG
        how_often = f" ({len(unread.polls)} times)"
        if unread.is_between_answers:
            how_often = f" ({len(unread.polls)} times, between two replies to the other)"
    why = _why_unread(unread.answered)
    if unread.polls[-1].unsent:
        why = ""
    topic = _topic_of(unread)
    until_then = UNTIL_THEN
    if topic is Topic.LIST_PATH:
        until_then = OF_WATCHES
    return Finding(
        topic=topic,
        certainty=certainty,
        text=(
            f"Of the provider's two HTTP clients, that of uploads reads {unread.answered.path}, "
            f"and that of waits (aiohttp) does not: {unread.polls[-1].problem}{how_often}. A task "
            f"that waits would fail after its timeout.{why} {until_then}"
        ),
        probes=(*unread.polls, unread.answered),
    )


def _why_unread(answered: Probe) -> str:
    """Tell what a reply has that waits do not read, and who can change it, as sentences."""
    broken = break_of_http(answered.response.headers)
    what = "The reply may break HTTP in a way that the first one bears"
    if broken:
        what = f"{broken[0].upper()}{broken[1:]}, which breaks HTTP, and the first one bears it"
    return (
        f" {what}: have it changed by whoever runs what is before the service, such as a proxy or "
        "gateway, or by the service's support. No setting helps."
    )
