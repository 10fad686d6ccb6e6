"""What follows from identifiers and names of a list that something has masked. Pure."""

from __future__ import annotations

from typing import Final

from wes_provider.doctor.conclusions.path_words import named
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.in_front.layers import came_by
from wes_provider.doctor.reads.evidence import Listed
from wes_provider.doctor.reads.masked_lists import (
    MaskedIdentifiers,
    are_names_masked,
    masked_identifiers,
)
from wes_provider.texts import counted, shown

__all__ = ["masked_names", "masked_records"]

ASK_FOR: Final = (
    "No setting helps: ask whoever runs it, or the service's support, to pass {what} on as it is."
)


def masked_records(listed: Listed) -> Finding | None:
    """Conclude on identifiers that are none of their files; ``None`` if all may be theirs."""
    masked = masked_identifiers(listed)
    if masked is None:
        return None
    return Finding(
        topic=Topic.RECORDS,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"{named(listed.path)} has {_identifiers(masked)}. Something on the way may mask it"
            f"{came_by(listed.probe)}, or the service itself does. A task could not wait for its "
            f"file, nor tell it from others. {ASK_FOR.format(what='_id')} Upload nothing before "
            "that."
        ),
        probes=(listed.probe,),
        is_cause=True,
    )


def _identifiers(masked: MaskedIdentifiers) -> str:
    value = shown(masked.value, quoted=False)
    number = len(masked.files)
    if masked.is_shared:
        return (
            f"{number} files of several names and URLs under one _id, {value}, which is no "
            "identifier of a file"
        )
    return f"{counted(number, 'file')} with an _id such as {value}, which seems to be masked"


def masked_names(listed: Listed | None) -> list[Finding]:
    """Conclude on names of files that seem to be masked; on nothing if one is readable."""
    if listed is None or not are_names_masked(listed):
        return []
    first = next(file.name for file in listed.files if file.name)
    return [
        Finding(
            topic=Topic.NAMES,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"The list has its files under names such as {shown(first, quoted=False)}, which "
                f"seem to be masked on the way{came_by(listed.probe)}, or by the service. A task "
                "finds an upload whose response is lost by its name, and would have to ask a "
                f"person. {ASK_FOR.format(what='the name')}"
            ),
            probes=(listed.probe,),
        )
    ]
