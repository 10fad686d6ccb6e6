"""
What follows if no read since an accepted upload got an answer: it is not the file that is missing.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from wes_provider.doctor.conclusions.refusals import AT_OTHER_TIMES
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.evidence import file_read
from wes_provider.doctor.reads.sayings import advice_by_words
from wes_provider.doctor.reads.sending import until
from wes_provider.doctor.reads.since_upload import are_unanswered, what_came
from wes_provider.doctor.replies.probes import Kind, Probe
from wes_provider.doctor.replies.subjects import Subject
from wes_provider.texts import counted, shown

__all__ = ["conclude_on_silence"]

CHECK_KEY = (
    "It may have been revoked or replaced, or locked: check it in the service's dashboard, and "
    "run this again without --upload."
)


def conclude_on_silence(uploaded: Probe, since: Sequence[Probe]) -> list[Finding]:
    """
    Conclude on the replies since an upload that was accepted; on nothing if one is an answer.

    :param since: all replies to reads of the file and of its list, in order.
    """
    file = file_read(uploaded)
    if file is None or not are_unanswered(since):
        return []
    accepted = f"Coupon file {shown(file.id, quoted=False)} was accepted: do not send it again."
    refused = [probe for probe in since if probe.kind is Kind.REFUSED]
    if refused:
        return [_refused_key(refused, since, accepted)]
    last = since[-1]
    return [
        Finding(
            topic=_topic_of(last),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"No read since the upload got an answer: {_how_many(since, [last])} "
                f"{what_came(last)}. {accepted} {_what_to_do(last)}"
            ),
            probes=tuple(since),
            is_cause=True,
        )
    ]


def _refused_key(refused: Sequence[Probe], since: Sequence[Probe], accepted: str) -> Finding:
    """Tell what holds of a key that was accepted until the upload, and is refused since then."""
    first = refused[0]
    what_to_do = advice_by_words(first) or CHECK_KEY
    return Finding(
        topic=Topic.CAMPAIGN_KEY,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"Accepted until the upload, and refused since then: {_how_many(since, refused)} "
            f"{what_came(first)}. {accepted} {what_to_do}"
        ),
        probes=tuple(since),
        is_cause=True,
    )


def _topic_of(last: Probe) -> Topic:
    """Tell what a reply that is no answer, and refuses no key, is about."""
    if last.is_limit:
        return Topic.LIMITS
    if last.is_lost_by_words:
        return Topic.ACCOUNT
    return Topic.ADDRESS


def _how_many(since: Sequence[Probe], alike: Sequence[Probe]) -> str:
    """Tell how many of all reads got what some of them got, as the beginning of a sentence."""
    answer = alike[0].answer
    number = sum(probe.answer == answer for probe in since)
    if number == len(since):
        return f"each of {counted(number, 'read')} got"
    return f"{number} of {counted(len(since), 'read')} got"


def _what_to_do(last: Probe) -> str:
    """Tell what to do about a service that does not answer since an upload."""
    by_words = advice_by_words(last)
    if by_words and last.is_about(Subject.MACHINE, Subject.PLACE):
        return f"{by_words}{AT_OTHER_TIMES}"
    if by_words:
        return by_words
    return f"Wait{until(last)}, and run this again without --upload."
