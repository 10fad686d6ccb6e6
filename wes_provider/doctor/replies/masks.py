"""What something on the way has put in place of a value, such as ``[REDACTED]``. Pure."""

from __future__ import annotations

import re
from typing import Final

from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import shown

__all__ = ["headers_about_masking", "is_mask"]

HIDDEN: Final = (
    "redacted|masked|hidden|removed|filtered|sanitized|sanitised|censored|scrubbed|anonymized|"
    "anonymised|confidential|suppressed|obfuscated"
)
BRACKETED: Final = re.compile(
    rf"[\[<({{*#_-]+[^\[\]<>]*\b(?:{HIDDEN})\b[^\[\]<>]*[\])>}}*#_-]+", re.IGNORECASE
)
# Signs that stand for characters, which a mask often leaves the last ones of.
SIGNS: Final = re.compile(r"[*\u2022\u25cf\u2588]{3,}|X{4,}|#{4,}")
ABOUT_MASKING: Final = re.compile(
    rf"\bdlp\b|mask|redact|sanitiz|sanitis|anonymi|tokeni[sz]ed|{HIDDEN}", re.IGNORECASE
)


def is_mask(value: str) -> bool:
    """Tell whether a value only says that something hides it, in whole or in part."""
    text = value.strip()
    if re.fullmatch(HIDDEN.upper(), text) or BRACKETED.fullmatch(text):
        return True
    return SIGNS.search(text) is not None


def headers_about_masking(probe: Probe) -> list[str]:
    """Return the headers in which a reply speaks of masking, such as ``X-DLP-Action: masked``."""
    said = []
    for name, value in probe.response.headers.items():
        is_said_elsewhere = name.lower() in ("via", "warning")
        if not is_said_elsewhere and ABOUT_MASKING.search(f"{name}: {value}"):
            said.append(f"{name}: {shown(probe.clean(value), quoted=False)}")
    return said
