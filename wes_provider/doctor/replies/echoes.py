"""Identifiers that a reply names in another spelling than the request had. Pure."""

from __future__ import annotations

import re
from typing import Final

from wes_provider.texts import shown

__all__ = ["about_echo"]

QUOTED: Final = re.compile(r"'([^']+)'|\"([^\"]+)\"|`([^`]+)`")
BARE: Final = re.compile(r"[\w%+.:-]+")
SHORTEST: Final = 4  # letters and digits; fewer may be alike by chance
SHORTEST_CUT: Final = 8  # characters at the beginning of an identifier that was cut


def about_echo(words: str, sent: str) -> str:
    """
    Tell what to do if the words of a reply name an identifier in another spelling than it was sent;
    empty if they do not.
    """
    named = _changed_echo(words, sent)
    if not named:
        return ""
    return (
        f"It names {named}, but {shown(sent, quoted=False)} was sent: what is between, or the "
        "service itself, may change capitals or other characters. Compare both with the service's "
        "dashboard. If that has it as it was sent, show this to whoever runs what is between, or "
        "to the service's support."
    )


def _changed_echo(words: str, sent: str) -> str:
    """
    Return what the words of a reply name in place of an identifier: the same letters and digits in
    other capitals, or between other characters, or, in quotes, its beginning. Empty if they name
    the identifier as it was sent, or nothing like it.
    """
    if sent in words:
        return ""
    quoted = ["".join(groups) for groups in QUOTED.findall(words)]
    for named in (*quoted, *BARE.findall(words)):
        if _plain(named) == _plain(sent) and len(_plain(sent)) >= SHORTEST:
            return shown(named.strip("."), quoted=False)
    for named in quoted:
        if len(named) >= SHORTEST_CUT and sent.startswith(named):
            return shown(named, quoted=False)
    return ""


def _plain(name: str) -> str:
    """Return the letters and digits of an identifier in small letters, without escapes."""
    without_escapes = re.sub(r"%[0-9A-Fa-f]{2}", "", name)
    return re.sub(r"[\W_]+", "", without_escapes).lower()
