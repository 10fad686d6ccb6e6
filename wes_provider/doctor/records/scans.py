"""Records of files that a scanner for viruses has kept back. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from wes_provider.doctor.replies.files import properties_of, status_of
from wes_provider.models import CouponFile
from wes_provider.texts import redact, shown

__all__ = ["scan_says"]

QUARANTINE: Final = re.compile(r"QUARANT", re.IGNORECASE)
# Parts of the names of properties, and of statuses, that speak of a scan.
OF_SCAN: Final = re.compile(r"(?:^|[._])(?:scan|virus|malware|anti_?virus|threat|infect)", re.I)
# Parts of values that name what was found, or what looked for it.
FINDS: Final = re.compile(r"virus|malware|trojan|eicar|phishing|heuristic|clamav", re.IGNORECASE)
# The names that say most come first.
SAYS_MOST: Final = re.compile(r"signature|threat|virus|malware|infect|finding|result", re.I)
CLEAN: Final = re.compile(r"(?:no )?(?:clean|ok|passed|none|threats?|virus(?:es)?)", re.IGNORECASE)
LONGEST: Final = 60  # characters


def scan_says(file: CouponFile, before: Iterable[str] = ()) -> str:
    """
    Quote what says that a file is in quarantine after a scan, such as ``scan.signature is
    'Eicar-Test'``; empty if it is not in quarantine, or nothing says so.

    :param before: the statuses that came before the last one; one may be that of a scan.
    """
    if not QUARANTINE.search(file.status):
        return ""
    found = {
        where: value for where, value in properties_of(file).items() if _is_of_scan(where, value)
    }
    if any(SAYS_MOST.search(where) and CLEAN.fullmatch(found[where]) for where in found):
        return ""
    for where in sorted(found, key=lambda where: SAYS_MOST.search(where) is None):
        return f"{shown(where, quoted=False)} is {shown(redact(found[where]), LONGEST)}"
    for status in before:
        if OF_SCAN.search(status) and status != status_of(file):
            return f"{shown(status, quoted=False)} was before it"
    return ""


def _is_of_scan(where: str, value: Any) -> bool:
    """Tell whether a property speaks of a scan, by its name or what it names; moments do not."""
    if not isinstance(value, str) or not value or where.lower().endswith(("_at", "_on")):
        return False
    is_given = where in ("name", "file_url", "status", "created_by")
    return not is_given and bool(OF_SCAN.search(where) or FINDS.search(value))
