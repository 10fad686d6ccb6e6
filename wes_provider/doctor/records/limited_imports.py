"""Records that say that a part of a file only was imported, whatever its status is. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from wes_provider.doctor.replies.files import properties_of
from wes_provider.doctor.replies.members import last_name
from wes_provider.models import CouponFile
from wes_provider.texts import redact, shown

__all__ = ["limit_of_import", "limits_of_import"]

# Plain names of properties that say by yes that something was left out.
LEFT_OUT: Final = re.compile(
    r"(?:is|was)?(?:(?:file|import|rows?|result)(?:is|was)?)?"
    r"(?:truncated|partial(?:ly(?:imported|processed|loaded))?|incomplete|cutoff|capped|"
    r"(?:row)?limit(?:was)?(?:reached|exceeded|hit))"
)
YES: Final = ("true", "yes")
# Ends of the plain names of properties that hold notes for people.
NOTES: Final = tuple(
    "note notes comment comments remark remarks info detail details text hint hints message "
    "messages warning warnings".split()
)
# What is imported, and what becomes of the rest.
ROWS: Final = r"(?:rows?|lines?|records?|entries|coupons?|codes?|vouchers?|items?)"
IS_LEFT_OUT: Final = (
    r"(?:ignored|skipped|dropped|discarded|omitted|left out|not (?:been )?"
    r"(?:imported|processed|loaded|added))"
)
LIMITS: Final = re.compile(
    rf"\bonly (?:the )?first [\d.,' ]*{ROWS}|"
    rf"\bonly (?:up to |at most |the first )?\d[\d.,' ]*(?:of (?:the )?[\d.,' ]+)?{ROWS}\b|"
    r"\btruncated\b|\bcut off\b|\bcapped at\b|"
    rf"\b(?:rest|remaining|remainder|further|excess)\b[^.;]{{0,40}}\b{IS_LEFT_OUT}|"
    r"\blimit\b(?:(?! not )[^.;]){0,30}\b(?:reached|exceeded|hit)\b|"
    r"\bexceed(?:s|ed)?\b[^.;]{0,30}\blimit\b",
    re.IGNORECASE,
)
NOT_SO: Final = re.compile(r"\b(?:no|not|never|nothing|without|none|0)\b[^.;,]{0,20}$", re.I)
LONGEST_NOTE: Final = 100  # characters
MOST_LIMITS: Final = 2  # that are quoted


def limit_of_import(file: CouponFile) -> str:
    """
    Quote what says that a part of a file only was imported, such as ``truncated is true, and the
    service notes 'note: Only the first 1000 rows are imported'``; empty if nothing says so.
    """
    return ", and ".join([*limits_of_import(file).values()][:MOST_LIMITS])


def limits_of_import(file: CouponFile) -> Mapping[str, str]:
    """Return the properties that say so, each with its quotation; yes and no come before notes."""
    properties = properties_of(file)
    flags = {
        where: f"{shown(where, quoted=False)} is {str(value).lower()}"
        for where, value in properties.items()
        if _says_by_yes(where, value)
    }
    notes = {}
    for where, value in properties.items():
        note = _note_of_limit(where, value)
        if note:
            said = shown(redact(f"{where}: {note.rstrip('.')}"), LONGEST_NOTE)
            notes[where] = f"the service notes {said}"
    return {**flags, **notes}


def _says_by_yes(where: str, value: Any) -> bool:
    is_yes = value is True or str(value).strip().lower() in YES
    return is_yes and LEFT_OUT.fullmatch(last_name(where)) is not None


def _note_of_limit(where: str, value: Any) -> str:
    """Return a note for people, or the first of several, about a limit; empty if it is none."""
    if not last_name(where).endswith(NOTES):
        return ""
    texts = value if isinstance(value, list) else [value]
    return next((text for text in texts if isinstance(text, str) and _is_of_limit(text)), "")


def _is_of_limit(note: str) -> bool:
    """Tell whether a note speaks of a limit that left something out, and not that none did."""
    return any(not NOT_SO.search(note[: found.start()]) for found in LIMITS.finditer(note))
