"""Which scheme of HTTP authentication words are about, where they could be about a key. Pure."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["WANTS_OTHER_SCHEME", "is_scheme"]

# What stands before credentials in the header Authorization, and is no header.
SCHEMES: Final = frozenset(
    "basic bearer digest dpop gnap hoba mutual negotiate ntlm oauth vapid".split()
)
OTHER: Final = r"\b(?:oauth(?: ?\d(?:\.\d)?)?|bearer|jwts?|openid|saml)\b"
# Within a sentence; a dot in a number ends none.
WITHIN: Final = r"(?:[^.;]|(?<=\d)\.(?=\d))"
GONE: Final = (
    r"(?:retired|no longer|not (?:accepted|supported|allowed|enough)|deprecated|discontinued|"
    r"unsupported|turned off|disabled)"
)
WANTS_OTHER_SCHEME: Final = re.compile(
    r"(?<!longer )\b(?:uses?|using|requires?|needs?|accepts?|expects?|wants?|takes?|send|only|"
    rf"must be)\b{WITHIN}{{0,30}}?{OTHER}(?!{WITHIN}*\bscope)|"
    rf"{OTHER}{WITHIN}{{0,40}}\b(?:only|required|expected|mandatory)\b(?!{WITHIN}*\bscope)|"
    rf"(?<!your )(?<!these )(?<!both )\b(?:api[ -]?)?keys (?:are|were|have been) (?:\w+ )?{GONE}|"
    rf"\bbasic (?:auth\w*|credentials) (?:\w+ ){{1,3}}?{GONE}",
    re.IGNORECASE,
)
"""That other credentials than keys are wanted, or that keys are taken no more: anybody's."""


def is_scheme(name: str) -> bool:
    """Tell whether a word, such as ``Basic``, is a scheme of credentials, and no header."""
    return name.lower() in SCHEMES
