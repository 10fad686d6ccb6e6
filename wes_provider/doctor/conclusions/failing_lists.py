"""What follows if reads of the list fail, while other reads get answers. Pure."""

from __future__ import annotations

from wes_provider.client.failures import INCOMPLETE
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import facts, sayings
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.sending import until
from wes_provider.doctor.replies import remedies
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.doctor.replies.unreached import CUT_OFF, is_cut_off

__all__ = ["conclude_on_failing_list", "failing_key_says", "failing_list_says"]


def conclude_on_failing_list(evidence: Evidence) -> Finding | None:
    """
    Conclude on the path of a list that fails, while one that does not exist gets an answer; nothing
    if the list has an answer, or no other list has one.
    """
    other = facts.answer_of_other_list(evidence)
    if other is None:
        return None
    return Finding(
        topic=Topic.LIST_PATH,
        certainty=Certainty.NOT_PROVED,
        text=f"{failing_list_says(evidence)} The path may be right.",
        probes=(*evidence.sent_for(Question.LIST), other),
    )


def failing_key_says(evidence: Evidence, key: str) -> str:
    """
    Tell that all reads with the campaign key failed in the same way, so that it is about no list,
    and until when to wait, as sentences; empty if they did not.

    :param key: what people call the key.
    """
    reads = facts.reads_failing_alike(evidence)
    if not reads:
        return ""
    last = reads[-1]
    waits = remedies.wait_for_moment(last.message, until(last))
    return (
        f"Not settled, because the service replied {last.status} to each read with the {key}, "
        f"whatever its path{sayings.words_of(last)}. So all that lies behind it is away, and not "
        f"lists alone: {waits}, and run this again."
    )


def failing_list_says(evidence: Evidence) -> str:
    """Tell what failed, that other reads did not, and what to do, as sentences."""
    last = evidence.sent_for(Question.LIST)[-1]
    made_up = evidence.of(Question.MADE_UP_LIST)
    why = evidence.why_not_asked(Question.LIST)
    if last.ran_out:
        why = f"{_what_lacks(last)} in {last.took:.0f} s, and the doctor has no more time for it"
    which = "reads of lists"
    also = ""
    if made_up:
        which = "this list"
        also = f", also one of a list that does not exist ({made_up[0].answer})"
    came = f"Not settled, because {why}{sayings.words_of(last)}."
    others = f"Other reads get answers{also}"
    if remedies.is_too_big(f"{last.code} {last.message}"):
        return (
            f"{came} {others}, so the reply with this list has more bytes than what is before the "
            "service lets through, and waiting does not help: ask whoever runs it for a higher "
            "limit, or the service's support for shorter replies; or let tasks use a list with "
            "fewer files."
        )
    if is_cut_off(last):
        came = f"{came} {CUT_OFF.text}"
    return (
        f"{came} {others}, so it may be {which} alone, and waiting may not help: name a list with "
        "fewer files, or ask the service's support."
    )


def _what_lacks(last: Probe) -> str:
    """Tell what did not come of a response: all of it, or its end."""
    if last.problem.startswith(INCOMPLETE):
        return "a response began and did not end"
    return "no response came"
