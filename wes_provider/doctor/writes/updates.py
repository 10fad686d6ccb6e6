"""
What a reply with the status of a success shows of a segment's update. Pure.

A task takes each such status for a success. The reply may say otherwise: with an error in it, with
fields that are gone, with another value than was sent, or with words that something is awaited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from wes_provider.client.announcements import plain_name
from wes_provider.doctor.findings.finding import Certainty, Row
from wes_provider.doctor.options import Options
from wes_provider.doctor.replies.members import inside, last_name, objects_in, plain_names
from wes_provider.doctor.replies.moments import A_MINUTE, moment_in
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.replies.remedies import is_awaited
from wes_provider.doctor.replies.subjects import in_words
from wes_provider.doctor.writes.in_effect import (
    GIVEN_BY_PEOPLE,
    sentence_besides,
    why_not_in_effect,
)
from wes_provider.texts import redact, shown

__all__ = ["rows_of_update", "shows_segment"]

# Fields of a segment that an update of updated_by alone has to keep.
KEPT_BY_UPDATE: Final = ("name", "included_filters")
NO_VALUE: Final[Sequence[Any]] = (None, "", [], {})
# Plain names of properties that say whether, or how much, was updated.
DONE: Final = frozenset(
    "updated modified applied affected matched modifiedcount updatedcount matchedcount "
    "affectedrows rowsaffected".split()
)
# Plain names of properties that say when something was updated.
UPDATED: Final = re.compile("update|modif|chang")
# Objects of a reply that have a segment as it was before the update.
EARLIER: Final = ("before", "old", "previous", "original")
MOST_ERRORS: Final = 2  # that are quoted
LONGEST_ERROR: Final = 120  # characters


def shows_segment(probe: Probe, options: Options) -> bool:
    """
    Tell whether a reply has the segment as it is after an update, though not as it should be: so
    the service took the key and the header.
    """
    if not probe.success or _errors_within(probe):
        return False
    return bool(_lost_fields(probe)) or bool(_other_author(probe, options))


def rows_of_update(probe: Probe, options: Options) -> list[Row]:
    """
    Tell what holds of a segment after an update that sent ``updated_by`` alone.

    :return: rows of which none applies without the status of a success.
    """
    errors_within = _errors_within(probe)
    rows = [
        Row(
            applies=probe.has_2xx and bool(errors_within),
            certainty=Certainty.WRONG,
            text=(
                f"Not done as it seems: the reply is {probe.status}, which a task takes for a "
                f"success, and has {errors_within} in it. See what that says about the "
                "segment before tasks update it, or ask the service's support."
            ),
        )
    ]
    if probe.success:
        rows += _rows_of_success(probe, options)
    return rows


def _rows_of_success(probe: Probe, options: Options) -> list[Row]:
    """Tell what holds after an update that a task takes for a success; the last row always."""
    lost_fields = _lost_fields(probe)
    other_author = _other_author(probe, options)
    updated_now = _updated_now(probe)
    awaited = _awaited(probe)
    nothing_done = _nothing_done(probe)
    not_in_effect = why_not_in_effect(probe)
    sentence = sentence_besides(probe)
    segment = shown(options.segment_id or "", quoted=False)
    look = f"Look at segment {segment} in the service's console"
    a_success = f"The reply is {probe.status}, which a task takes for a success, but"
    return [
        Row(
            applies=bool(lost_fields),
            certainty=Certainty.WRONG,
            text=(
                f"Accepted, but the reply has {' and '.join(lost_fields)}, and the update sent "
                f"updated_by alone: it may have replaced the segment. {look} now, and put back "
                "what is gone. Ask the service's support whether an update keeps the fields that "
                "it does not send; until then, let tasks send all of them."
            ),
            # It is said first: a person has to act at once.
            is_cause=True,
        ),
        Row(
            applies=bool(other_author) and bool(updated_now) and not awaited,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{a_success} its updated_by is {other_author}, and not the one that was sent. It "
                f"was updated just now ({updated_now}), so the service may put a name of its own "
                f"there. {look}, and see whether the update is in effect."
            ),
        ),
        Row(
            applies=bool(other_author),
            certainty=Certainty.WRONG,
            text=(
                f"{a_success} its updated_by is {other_author}, and not the one that was sent"
                f"{_and_says(awaited)}: the update is not in effect as the reply says. Have it "
                "approved if it waits for that, or ask the service's support when updates take "
                "effect."
            ),
        ),
        Row(
            applies=bool(awaited),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{a_success} it says that something is awaited ({awaited}): the update may not be "
                f"in effect. {look}; have the update approved if it waits for that, or ask the "
                "service's support for a key whose updates need no approval."
            ),
        ),
        Row(
            applies=bool(nothing_done),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{a_success} it has {nothing_done}: perhaps nothing was updated, or the segment "
                f"had that updated_by before. {look}, and see whether its updated_by is "
                f"{options.updated_by}."
            ),
        ),
        Row(
            applies=bool(not_in_effect),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{a_success} it says that the update is not in effect, or not yet "
                f"({not_in_effect}). {look}, and see whether its updated_by is "
                f"{options.updated_by}; ask the service's support how tasks make updates that "
                "take effect."
            ),
        ),
        Row(
            applies=probe.is_for_later,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Accepted with {probe.status}, which says that the update may be done later, or "
                f"not at all, and a task takes it for a success. {look}, and see whether its "
                f"updated_by is {options.updated_by}."
            ),
        ),
        Row(
            applies=bool(sentence),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Accepted, and the reply has a sentence that may be about the update ({sentence}) "
                f"and that a task does not read. {look}, and see whether its updated_by is "
                f"{options.updated_by}."
            ),
        ),
        Row(
            applies=True,
            certainty=Certainty.SURE,
            text="Updated: the service takes updated_by alone.",
        ),
    ]


def _and_says(awaited: str) -> str:
    """Tell what is awaited as the middle of a sentence; empty for nothing."""
    if not awaited:
        return ""
    return f", and says that something is awaited ({awaited})"


def _errors_within(probe: Probe) -> str:
    """
    Quote the errors of the entries that a reply has in an array, as one with 207 has, such as
    ``status 403 locked: 'In use'``; empty if it has none.
    """
    found = []
    for _, entries in inside(probe.content):
        if isinstance(entries, list):
            found += [_error_of_entry(entry) for entry in entries if isinstance(entry, dict)]
    return " and ".join([said for said in found if said][:MOST_ERRORS])


def _error_of_entry(entry: Mapping[str, Any]) -> str:
    """Quote the error of one entry: its status, with its code and message; empty without one."""
    status = entry.get("status")
    is_error_status = type(status) is int and status >= 400
    error = entry.get("error") or entry.get("errors")
    if not is_error_status and not error:
        return ""
    said = []
    if is_error_status:
        said.append(f"status {status}")
    if error:
        said.append(_quote_error(error))
    return " ".join(said)


def _quote_error(error: Any) -> str:
    """Quote an error as ``locked: 'In use'``; as it came, if it has no message."""
    is_usual = isinstance(error, Mapping) and isinstance(error.get("message"), str)
    if not is_usual:
        came = redact(msgspec.json.encode(error).decode())
        return shown(came, LONGEST_ERROR, quoted=False)
    message = shown(error["message"], LONGEST_ERROR)
    code = error.get("code")
    if isinstance(code, str) and code:
        return f"{shown(code, quoted=False)}: {message}"
    return message


def _states_after(probe: Probe) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a reply at any depth, but for the segment before the update."""
    for where, record in objects_in(probe.content):
        names = plain_names(where)
        if not any(name.startswith(EARLIER) for name in names):
            yield record


def _lost_fields(probe: Probe) -> list[str]:
    """
    Return the fields of a segment that the reply to an update has without a value, although the
    update did not send them, such as ``included_filters null``.
    """
    for record in _states_after(probe):
        lost = [name for name in KEPT_BY_UPDATE if name in record and record[name] in NO_VALUE]
        if "included_filters" in lost:
            return [f"{name} {msgspec.json.encode(record[name]).decode()}" for name in lost]
    return []


def _other_author(probe: Probe, options: Options) -> str:
    """
    Return the ``updated_by`` of a reply if it is another one than was sent; empty if an object of
    the reply has the same one, or none has any.
    """
    authors = [record.get("updated_by") for record in _states_after(probe)]
    given = [author for author in authors if isinstance(author, str) and author]
    if not given or options.updated_by in given:
        return ""
    return shown(given[0])


def _updated_now(probe: Probe) -> str:
    """
    Quote the property by which a segment was updated about when the update was sent, such as
    ``updated_at 2026-11-27T17:00:02Z``; empty if none says so.
    """
    for record in _states_after(probe):
        for name, value in record.items():
            moment = moment_in(value)
            is_of_update = UPDATED.search(plain_name(name)) is not None
            if is_of_update and moment is not None and abs(moment - probe.sent_at) < A_MINUTE:
                return f"{shown(name, quoted=False)} {shown(value, quoted=False)}"
    return ""


def _awaited(probe: Probe) -> str:
    """
    Quote the property by which a reply says that somebody has to approve or confirm the update,
    such as ``state: AWAITING_APPROVAL``; empty if none does.
    """
    for where, value in inside(probe.content):
        is_given_by_people = last_name(where) in GIVEN_BY_PEOPLE
        if isinstance(value, str) and not is_given_by_people and is_awaited(in_words(value, "")):
            return shown(redact(f"{where}: {value}"), quoted=False)
    return ""


def _nothing_done(probe: Probe) -> str:
    """Return the property that says that nothing was updated, such as ``modified 0``."""
    for where, value in inside(probe.content):
        is_done = last_name(where) in DONE
        is_nothing = type(value) in (bool, int) and not value
        if is_done and is_nothing:
            return f"{shown(where, quoted=False)} {msgspec.json.encode(value).decode()}"
    return ""
