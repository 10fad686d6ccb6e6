"""Identifiers and paths that a reply names in another form than the request had. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from wes_provider.texts import shown

__all__ = ["Sent", "about_changed_paths", "about_echo"]

QUOTED: Final = re.compile(r"'([^']+)'|\"([^\"]+)\"|`([^`]+)`")
BARE: Final = re.compile(r"[\w%+.:-]+")
SHORTEST: Final = 4  # letters and digits; fewer may be alike by chance
PATH: Final = re.compile(r"/?[\w.~%{}-]+(?:/[\w.~%{}-]+)+")
FEWEST_PARTS: Final = 2  # at the end of a path, by which it is known again
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
    quoted = [*map("".join, QUOTED.findall(words))]
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


class Sent(NamedTuple):
    """A path that was sent, and the words of the reply to it."""

    path: str
    words: str


class _Change(NamedTuple):
    """
    How a reply changes the beginning of a path.

    :ivar sent: what the path began with, such as ``/v1``.
    :ivar named: what the reply has in its place; empty for nothing.
    """

    sent: str
    named: str


def about_changed_paths(replies: Sequence[Sent]) -> str:
    """
    Tell what to ask if each reply names its path with the same other beginning, as it does behind a
    gateway that changes paths; empty if not, or if there is only one reply.
    """
    changes = [_change_of(reply) for reply in replies]
    first = next(iter(changes), None)
    if first is None or len(changes) < 2 or any(change != first for change in changes):
        return ""
    in_its_place = f"{first.named} in place of {first.sent}"
    if not first.named:
        in_its_place = f"paths without {first.sent}"
    return (
        f"The words name {in_its_place}, so a gateway may change paths: ask whoever runs it which "
        "paths it passes on, since uploads, catalogs and segments go the same way."
    )


def _change_of(reply: Sent) -> _Change | None:
    """Return the change of a path's beginning; ``None`` if the reply names it as it was sent."""
    sent = reply.path.strip("/").split("/")
    for found in PATH.findall(reply.words):
        named = found.strip("/").rstrip(".").split("/")
        alike = _parts_alike_at_end(sent, named)
        if FEWEST_PARTS <= alike < len(sent):
            return _Change(_path_of(sent[:-alike]), _path_of(named[:-alike]))
    return None


def _parts_alike_at_end(sent: Sequence[str], named: Sequence[str]) -> int:
    """Return how many parts two paths share at their ends."""
    alike = 0
    for one, other in zip(reversed(sent), reversed(named), strict=False):
        if one != other:
            break
        alike += 1
    return alike


def _path_of(parts: Sequence[str]) -> str:
    return "".join(f"/{part}" for part in parts)
