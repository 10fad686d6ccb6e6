"""Whether a file's own record comes without its status, and what says why. Pure."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wes_provider.doctor.reads.evidence import Places
from wes_provider.doctor.replies.members import as_text
from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import shown

__all__ = ["HiddenStatus", "hidden_status", "says_hidden"]

# How a reply says that it leaves something out: _redacted, hidden_fields, X-Masked-Fields.
LEAVES_OUT: Final = re.compile(
    r"redact|hidden|\bhid(?:e|es|ing)\b|mask|omit|omission|restrict|withh[eo]ld|suppress|conceal|"
    r"strip|exclu|not[ _-]?(?:visible|shown|permitted|allowed|authori[sz]ed)|denied|forbidden|"
    r"ausgeblendet|verborgen|geschwärzt",
    re.IGNORECASE,
)
STATUS: Final = re.compile(r"(?<![^\W_])status(?![^\W_])", re.IGNORECASE)
LONGEST_SAYING: Final = 80  # characters


class HiddenStatus(NamedTuple):
    """
    A file whose own record has no status.

    :ivar probe: the reply with the record.
    :ivar says: what in it says that the status is left out; empty if nothing does.
    :ivar listed: the status that the list has of the file; empty for none.
    :ivar is_of_one_file: whether the list has a status of other files, and none of this one.
    """

    probe: Probe
    says: str
    listed: str
    is_of_one_file: bool


def hidden_status(tried: Places) -> HiddenStatus | None:
    """Return the file whose own record came without a status; ``None`` if there is none."""
    probe = tried.statusless
    if probe is None:
        return None
    files = tried.seen_files
    listed = next((file.status for file in files if file.id == tried.file_id), "").strip()
    have_others = any(file.status.strip() for file in files)
    return HiddenStatus(
        probe=probe,
        says=says_hidden(probe),
        listed=listed,
        is_of_one_file=have_others and not listed,
    )


def says_hidden(probe: Probe) -> str:
    """
    Return what a reply says of leaving out the status, such as ``_redacted: status, file_url``;
    empty if it says nothing of the kind.
    """
    for name, value in probe.named_values:
        text = as_text(value)
        if STATUS.search(text) and LEAVES_OUT.search(f"{name}: {text}"):
            return shown(probe.clean(f"{name}: {text}"), LONGEST_SAYING, quoted=False)
    return ""
