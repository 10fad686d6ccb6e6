"""Whether an empty list may come from a fallback, while the service behind is away. Pure."""

from __future__ import annotations

import re
from typing import Any, Final

from wes_provider.doctor.reads.evidence import Evidence, Places
from wes_provider.doctor.replies.members import as_text
from wes_provider.doctor.replies.probes import Keys, Probe, Question
from wes_provider.texts import shown

__all__ = ["says_fallback", "what_speaks_for_fallback"]

# Names of headers and properties that say it, in any spelling: X-Fallback-Response, is_degraded.
NAMES: Final = re.compile(r"fall-?_?back|degraded", re.IGNORECASE)
# Values of such a name that say that all is well.
ALL_IS_WELL: Final = re.compile(
    r"|0|no|none|null|off|false|disabled|inactive|healthy|ok", re.IGNORECASE
)
# Such names that are about something else, as X-Fallback-Locale is.
OTHERWISE: Final = re.compile(
    r"locale|lang|ur[li]|host|currency|font|image|enabled|allowed|supported", re.IGNORECASE
)
CIRCUIT: Final = re.compile(r"circuit", re.IGNORECASE)
OPEN: Final = re.compile(r"\bopen\b|\bhalf\b|half_open|\btripped\b|^(?:true|1)$", re.IGNORECASE)
# Words that say it whatever the name is, and that do not deny it.
WORDS: Final = re.compile(
    r"(?<!\bno )(?<!\bnot )(?<!\bnot a )(?<!\bwithout )"
    r"(?:\bfall-?back\b|\bdegraded\b|\bdefault (?:response|reply|value)\b)"
    r"|\bcircuit(?:[ -]?breaker)?\b(?: is)? open\b|\bopen circuit\b",
    re.IGNORECASE,
)
# Statuses of what stands before a service that is away; a 500 may be about an odd identifier.
AWAY: Final = (502, 503, 504)
# Reads of coupon files; those of a list stand for themselves.
SIBLINGS: Final = (
    Question.LIST_PATH,
    Question.WHOLE_LIST,
    Question.MADE_UP_LIST,
    Question.FILE_PATH,
)
LONGEST_SAYING: Final = 60  # characters


def what_speaks_for_fallback(evidence: Evidence, tried: Places) -> str:
    """
    Tell what speaks for a fallback in place of a list's files, as a clause: its own reply, or reads
    beside it that fail; empty if nothing does, or the list has files.
    """
    listed = tried.listed or tried.empty
    if listed is None:
        return _said_in_place_of_list(tried)
    if listed.records.number:
        return ""
    said = says_fallback(listed.probe)
    if said:
        return f"its reply says {said}"
    failed = _failing_sibling(evidence)
    if failed is not None:
        return f"{failed.sent} gets {failed.status} at the same time"
    return ""


def _said_in_place_of_list(tried: Places) -> str:
    """Tell what a success without a list says of being a fallback; empty if none says so."""
    for probe in tried.lists.values():
        if probe.success and says_fallback(probe):
            return f"its reply says {says_fallback(probe)}"
    return ""


def says_fallback(probe: Probe) -> str:
    """
    Return what a reply says of being a fallback, such as ``X-Circuit-State: OPEN``; empty if it
    says nothing of the kind.
    """
    for name, value in probe.named_values:
        if _is_fallback(name, value):
            return shown(probe.clean(f"{name}: {as_text(value)}"), LONGEST_SAYING, quoted=False)
    return ""


def _is_fallback(name: str, value: Any) -> bool:
    """Tell whether a header or a property says that its reply is a fallback."""
    text = as_text(value).strip()
    if CIRCUIT.search(name) and OPEN.search(text):
        return True
    if NAMES.search(name) and not OTHERWISE.search(name):
        return not ALL_IS_WELL.fullmatch(text)
    return WORDS.search(text) is not None


def _failing_sibling(evidence: Evidence) -> Probe | None:
    """
    Return a read of other coupon files with the own key that failed each time it was sent; ``None``
    if there is none.
    """
    for probe in evidence.sent_for(*SIBLINGS):
        if probe.keys is Keys.OWN and probe.status in AWAY and not _is_answered(evidence, probe):
            return probe
    return None


def _is_answered(evidence: Evidence, probe: Probe) -> bool:
    """Tell whether the same request got an answer at another time, so that it fails at times."""
    return bool(evidence.answers_to(probe.request))
