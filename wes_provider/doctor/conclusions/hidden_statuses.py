"""What follows from a file whose own record comes without its status. Pure."""

from __future__ import annotations

from wes_provider.doctor.conclusions.path_words import named
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import key_facts
from wes_provider.doctor.reads.evidence import Evidence, Places
from wes_provider.doctor.reads.hidden_statuses import HiddenStatus, hidden_status
from wes_provider.texts import shown

__all__ = ["conclude_on_hidden_status", "why_not_followed"]


def conclude_on_hidden_status(evidence: Evidence, tried: Places) -> list[Finding]:
    """Conclude on a file whose own record has no status; on nothing without one of the service."""
    hidden = hidden_status(tried)
    if hidden is None or not key_facts.is_service(evidence):
        return []
    probes = [hidden.probe]
    if tried.listed is not None:
        probes.append(tried.listed.probe)
    certainty = Certainty.WRONG
    if hidden.is_of_one_file:
        certainty = Certainty.NOT_PROVED
    return [
        Finding(
            topic=Topic.RECORDS,
            certainty=certainty,
            text=f"{_what_is_missing(hidden, tried)}. {_why_and_what_to_do(hidden)}",
            probes=tuple(probes),
        )
    ]


def _what_is_missing(hidden: HiddenStatus, tried: Places) -> str:
    """Tell whose status is missing, as a sentence without its end."""
    file = shown(tried.file_id, quoted=False)
    has = f"{named(hidden.probe.tried)} has the record of file {file} without a status"
    if hidden.listed:
        return f"{has}, though the list has it with {shown(hidden.listed, quoted=False)}"
    if hidden.is_of_one_file:
        return f"{has}, as the list has it, which has a status of others"
    if tried.seen_files:
        return f"{has}, and the list has none of any file, so no task can wait for one"
    return f"{has}, so no task can wait for it"


def _why_and_what_to_do(hidden: HiddenStatus) -> str:
    """Tell why the status may be missing, and what to do, as sentences."""
    if hidden.says:
        return (
            f"The key's role may hide status (the record says {hidden.says}): ask for a role that "
            "may see it, and upload nothing before that."
        )
    if hidden.is_of_one_file:
        return "Nothing in it says why: ask the service's support about this file."
    return (
        "Nothing in it says why it is missing, such as the role of the key: ask the service's "
        "support for the status in one file's record, and upload nothing before that."
    )


def why_not_followed(tried: Places) -> str:
    """
    Tell why a new file could not be followed if older ones come without a status; empty if they
    have one, or one alone has none.
    """
    hidden = hidden_status(tried)
    if hidden is None or hidden.is_of_one_file:
        return ""
    why = "which the key's role may hide" if hidden.says else "and nothing says why"
    return (
        f"the own record of a file has no status, {why}, so the provider could not follow the new "
        "one"
    )
