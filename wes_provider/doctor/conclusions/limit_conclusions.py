"""What follows from the reads about rate limits, and about errors that come as successes. Pure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from wes_provider import contract
from wes_provider.client import responses
from wes_provider.client.rate_limits import LONGEST_RESET, ROUNDING, RateLimit, rate_limit
from wes_provider.doctor.findings import advice
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.reads import facts, key_facts, sayings
from wes_provider.doctor.reads.evidence import Evidence, unreadable
from wes_provider.doctor.reads.sending import (
    LEAST_MILLISECONDS,
    date_or_clock,
    duration,
    later_reset,
    limit_lasts,
    limits_in,
    named_in_retry_after,
    no_answer,
    resets_by_words,
    resets_in,
    until,
)
from wes_provider.doctor.replies.amounts import left_of, too_few
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.texts import counted, shown

__all__ = ["conclude_on_errors", "conclude_on_limits"]

AFTER_UPLOAD: Final = (
    "An upload takes one for an accepted file without an identifier, and is not sent again."
)
OTHER_ROWS: Final = "The other rows rest on the reads before, or are open."


def conclude_on_limits(reads: Evidence, later: Sequence[Probe] = ()) -> Finding:
    """
    Conclude on the rate limits that replies state, or that were met.

    :param later: changes, and reads of what was changed, in order.
    """
    evidence = reads.plus(later)
    stated = _stating(evidence)
    of = f"{len(stated)} of {counted(len(evidence.probes), 'response')}"
    refused = _refused(evidence)
    waited = ""
    if refused:
        waited = f" {refused} got 429."
    as_failure = [probe for probe in evidence.probes if probe.is_limit and probe.status >= 500]
    over = facts.quota(reads)
    few = next(filter(None, map(too_few, evidence.probes)), "")
    return conclude(
        Topic.LIMITS,
        [*over, *as_failure[:1]],
        Row(
            applies=bool(over),
            certainty=Certainty.NOT_PROVED,
            text=_quota_says(over),
        ),
        Row(
            applies=bool(few),
            certainty=Certainty.NOT_PROVED,
            text=f"{few} Responses state that limit.",
        ),
        Row(
            applies=bool(_few_left_says(evidence)),
            certainty=Certainty.NOT_PROVED,
            text=_few_left_says(evidence),
        ),
        Row(
            applies=bool(_used_up_for_long(evidence)),
            certainty=Certainty.NOT_PROVED,
            text=_used_up_for_long(evidence),
        ),
        Row(
            applies=bool(as_failure),
            certainty=Certainty.NOT_PROVED,
            text=_limit_as_failure(evidence, as_failure),
        ),
        Row(
            applies=bool(_later_reset(evidence)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{_later_reset(evidence)}. One of the two may be of another limit, such as one of "
                f"a day, or of another clock. Tasks wait for {contract.RATE_LIMIT_RESET}: ask the "
                "service's support which one holds."
            ),
        ),
        Row(
            applies=bool(stated),
            certainty=Certainty.SURE,
            text=f"Stated by {of}; the provider keeps to them.{waited}{_used_up_today(evidence)}",
        ),
        Row(
            applies=bool(_odd_reset(evidence)) and bool(refused),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Responses have {_limits_without_reset(evidence)}, but no "
                f"{contract.RATE_LIMIT_RESET} that is a time ({_odd_reset(evidence)}): tasks keep "
                f"to the documented limits, and may get 429, as {refused} did. "
                "Ask whoever sends them for times in epoch seconds."
            ),
        ),
        Row(
            applies=bool(_odd_reset(evidence)),
            certainty=Certainty.NOT_SHOWN,
            text=(
                f"Responses have {_limits_without_reset(evidence)}, but no "
                f"{contract.RATE_LIMIT_RESET} in seconds since 1970 ({_odd_reset(evidence)}): the "
                "provider keeps to the documented ones."
            ),
        ),
        Row(
            applies=bool(_limits_without_reset(evidence)),
            certainty=Certainty.NOT_SHOWN,
            text=(
                f"Responses have {_limits_without_reset(evidence)}, but no "
                f"{contract.RATE_LIMIT_RESET} that can be read: the provider keeps to the "
                "documented ones."
            ),
        ),
        Row(
            applies=bool(refused),
            certainty=Certainty.NOT_SHOWN,
            text=(
                f"{refused} got 429, and no response has the documented headers: "
                "tasks keep to the documented limits, and may get 429, too."
            ),
        ),
        Row(
            applies=any(map(limits_in, evidence.probes)),
            certainty=Certainty.NOT_SHOWN,
            text=(
                f"In another form than the contract's ({_other_limits(evidence)}): the provider "
                "keeps to the documented ones."
            ),
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_SHOWN,
            text="No headers: the provider keeps to the documented ones.",
        ),
    )


def _refused(evidence: Evidence) -> str:
    """Tell how many requests got 429, such as ``2 reads``; empty for none."""
    refused = [probe for probe in evidence.probes if probe.status == 429 and probe.is_limit]
    if not refused:
        return ""
    if any(probe.request.method != "GET" for probe in refused):
        return counted(len(refused), "request")
    return counted(len(refused), "read")


def _few_left_says(evidence: Evidence) -> str:
    """
    Tell what to do if the last reply that says how many requests are left leaves too few for a
    wait; empty if it leaves enough.
    """
    stating = [probe for probe in evidence.probes if left_of(probe) is not None]
    if not stating:
        return ""
    left = left_of(stating[-1])
    if left is None or not left.is_too_few:
        return ""
    verb = "are"
    if left.number == 1:
        verb = "is"
    return (
        f"{counted(left.number, 'request')} {verb} left for about {duration(left.seconds)} "
        f"({', '.join(limits_in(stating[-1]))}), too few for a wait, which reads each file dozens "
        "of times an hour. Run tasks after that, or ask the service's support for more."
    )


def _using_up(evidence: Evidence) -> list[Probe]:
    """Return the changes that were made, and whose replies leave no request by their headers."""
    return [
        probe
        for probe in evidence.sent_for(Question.WRITE)
        if probe.success and rate_limit(probe.response.headers, probe.sent_at).remaining == 0
    ]


def _used_up_for_long(evidence: Evidence) -> str:
    """
    Tell of a change that left no further one until a reset that tasks take for none, since it is
    further away than any documented window; empty without one.
    """
    for probe in _using_up(evidence):
        left = resets_in(probe)
        if left is None or left <= LONGEST_RESET:
            continue
        when = resets_by_words(probe)
        if when:
            return (
                f"{_what_was_made(probe)} left no further one{when}. Tasks do not wait for a reset "
                "that is more than a day away: they send the next one by the documented limits, "
                "and it may be refused until then. Ask the service's support for more, or of "
                "which limit that is."
            )
    return ""


def _used_up_today(evidence: Evidence) -> str:
    """
    Tell of a change that left no further one for longer than a minute, as the documented limit of a
    day does, as a sentence with a space before it; empty without one.
    """
    for probe in _using_up(evidence):
        reset = rate_limit(probe.response.headers, probe.sent_at).reset
        if reset is not None and reset - probe.sent_at > contract.MINUTE + ROUNDING:
            moment = date_or_clock(reset, probe.sent_at)
            return f" {_what_was_made(probe)} left no further one until {moment}: tasks wait."
    return ""


def _what_was_made(probe: Probe) -> str:
    """Name a change, as the beginning of a sentence."""
    names = {
        contract.UPLOAD_COUPON_FILE: "The upload",
        contract.CREATE_CATALOG: "The catalog",
    }
    return names.get(probe.request.operation, "The update")


def _stating(evidence: Evidence) -> list[RateLimit]:
    """Return what replies state of a limit by the documented headers, those that state it all."""
    limits = [rate_limit(probe.response.headers, time.time()) for probe in evidence.probes]
    return [limit for limit in limits if limit.remaining is not None and limit.reset is not None]


def _limit_as_failure(evidence: Evidence, refused: Sequence[Probe]) -> str:
    """Tell what tasks make of a limit that refuses requests with the status of a failure."""
    if not refused:
        return ""
    first = refused[0]
    number = f"{len(refused)} of {counted(len(evidence.probes), 'read')}"
    return (
        f"{number} got {first.status}{sayings.words_of(first)}, which is a limit by its words. "
        "Tasks take that status for a failure, and do not keep to the limit: they repeat reads, "
        "and look for an upload in the list before they send it again. Ask whoever runs the "
        "gateway to reply 429 with Retry-After, and for enough requests."
    )


def _later_reset(evidence: Evidence) -> str:
    """
    Tell of a reset that a reply names, and that is later than its ``Retry-After``, as the beginning
    of a sentence; empty without one.
    """
    for probe in evidence.probes:
        later = later_reset(probe)
        if later:
            named = named_in_retry_after(probe.response.headers, probe.sent_at) or 0.0
            return (
                f"A reply with {probe.status} permits requests in {named:.0f} s by Retry-After, "
                f"and {later:.0f} s later by {contract.RATE_LIMIT_RESET}"
            )
    return ""


def _odd_reset(evidence: Evidence) -> str:
    """Return the first reset that is no time in seconds, with its unit; empty without one."""
    if not _limits_without_reset(evidence):
        return ""
    for probe in evidence.probes:
        reset = probe.response.headers.get(contract.RATE_LIMIT_RESET, "")
        unit = _unit_of(reset)
        if unit:
            return f"it is {shown(probe.clean(reset), quoted=False)}, perhaps {unit}"
    return ""


def _unit_of(reset: str) -> str:
    """Tell in which unit a reset may be that is no time in seconds; empty if nothing shows it."""
    if not reset.isdecimal():
        return ""
    if int(reset) > LEAST_MILLISECONDS:
        return "milliseconds"
    if int(reset) < contract.DAY:
        return "seconds from then"
    return ""


def _other_limits(evidence: Evidence) -> str:
    """Return the headers about limits of the last response that has any."""
    limits = map(limits_in, reversed(evidence.probes))
    return ", ".join(next(filter(None, limits), []))


def _quota_says(over: Sequence[Probe]) -> str:
    """Tell what a rate limit means that lasts longer than the doctor waits."""
    if not over:
        return ""
    last = over[-1]
    headers = ", ".join(limits_in(last))
    stated = ""
    if headers:
        stated = f" It sends {headers}."
    few = too_few(last)
    if few:
        return (
            f"{few} Since {over[0].time} UTC, {no_answer(over)}{sayings.words_of(last)}.{stated} "
            f"{OTHER_ROWS}"
        )
    return (
        f"Since {over[0].time} UTC, {no_answer(over)}{sayings.words_of(last)}.{stated} Tasks may "
        f"be refused as well. {_after_quota(last)} {OTHER_ROWS}"
    )


def _after_quota(last: Probe) -> str:
    """Tell what to do after a quota that is used up, by its words, or else by its headers."""
    if last.is_lost_by_words:
        return sayings.advice_of(last)
    when = until(last)
    if limit_lasts(last):
        when = " until then"
    return f"Wait{when}, or ask the service's support for more, and run this again."


def _limits_without_reset(evidence: Evidence) -> str:
    """Return the documented headers of limits that replies have without a reset; else empty."""
    documented = (contract.RATE_LIMIT_LIMIT, contract.RATE_LIMIT_REMAINING)
    has = [
        name
        for name in documented
        if any(name.lower() in probe.response.headers for probe in evidence.probes)
    ]
    return " and ".join(has)


def conclude_on_errors(evidence: Evidence) -> list[Finding]:
    """Tell what tasks make of errors that come with the status of a success, if reads get such."""
    errors = [probe for probe in evidence.probes if probe.is_error_as_success]
    silent = key_facts.silent_refusal(evidence)
    if errors:
        came = f"Errors come with status {errors[0].status} here ({_error_says(errors[0])})"
    elif silent is not None:
        errors = [silent]
        came = f"A made-up key gets {silent.status} and no file here, as if the list were empty"
    else:
        return []
    always = (
        f"They come with {errors[0].status}, which an update takes for a success. {AFTER_UPLOAD}"
    )
    text = (
        f"{came}, which an update takes for a success"
        f"{advice.UPDATE_TRIES_ONE} {AFTER_UPLOAD}{_what_reads_make_of(errors)} Ask the service's "
        "support for statuses that fit."
    )
    has_data_key = evidence.settings.data_api_key != evidence.settings.api_key
    certainty = Certainty.NOT_SHOWN
    if has_data_key:
        certainty = Certainty.NOT_PROVED
    return [
        Finding(
            topic=Topic.ERRORS,
            certainty=Certainty.SURE,
            text=always,
            probes=tuple(errors[:1]),
            needs_action=True,
        ),
        Finding(
            topic=Topic.SEGMENT,
            certainty=certainty,
            text=text,
            probes=tuple(errors[:1]),
        ),
    ]


def _what_reads_make_of(errors: Sequence[Probe]) -> str:
    """
    Tell whether reads of lists take such a reply for a list, after a sentence; empty if none came
    to a list.
    """
    of_lists = [probe for probe in errors if probe.request.operation is contract.LIST_COUPON_FILES]
    if not of_lists:
        return ""
    if all(unreadable(responses.listing, probe) for probe in of_lists):
        return " Reads of lists notice them."
    return (
        " The read of a list takes one for an empty list, so an upload whose outcome is not known "
        "may be taken for one that never arrived."
    )


def _error_says(probe: Probe) -> str:
    """Tell what an error in the body of a success has, such as ``returnCode 4011: 'No key'``."""
    name = probe.error_name
    if probe.code and probe.code not in name:
        name = f"{name.removeprefix('an error')} {probe.code}".strip()
    return f"{name}{sayings.words_of(probe)}"
