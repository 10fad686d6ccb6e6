"""What to do about an upload that is refused for its file's URL, as a table. Pure."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wes_provider.doctor.replies.remedies import asks_for_something

__all__ = ["about_file_url"]


class Trouble(NamedTuple):
    """
    A trouble with the URL of a file.

    :ivar words: by which a refusal names it.
    :ivar what_to_do: as the rest of a sentence.
    """

    words: re.Pattern[str]
    what_to_do: str


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


OTHER_HOST: Final = "or put the file on another one, and run this again."
TROUBLES: Final = (
    Trouble(
        _words(r"\bcert\b|certificate|self[- ]signed|x\.?509|zertifikat"),
        f"have whoever runs its host give that a certificate that is valid, {OTHER_HOST}",
    ),
    Trouble(
        _words(r"\b(?:tls|ssl)\b|handshake|\bcipher"),
        f"have whoever runs its host set up TLS there as the service takes it, {OTHER_HOST}",
    ),
    Trouble(
        _words(
            r"\bresolv|\bdns\b|(?:unknown|no such) host|host (?:is |was )?(?:not found|unknown)|"
            r"nxdomain|name or service not known"
        ),
        "check the host that it names. The service looks that up where it is, and may not know "
        "hosts of your network; then put the file on one that everybody can find.",
    ),
    Trouble(
        _words(
            r"\b401\b|unauthenticated|unauthori[sz]ed|authentication|\blog ?in\b|password|"
            r"credential"
        ),
        "its host wants a login. Give file_url_auth_username and file_url_auth_password in your "
        "tasks (the doctor sends neither), or run this again with a URL that can be read without "
        "a login.",
    ),
    Trouble(
        _words(r"\b(?:private|internal|loopback|reserved)\b|\blocalhost\b"),
        "put the file on a host that the service can reach from where it is, and run this again.",
    ),
    Trouble(
        _words(
            r"(?:allow|white|block|black|deny)[ -]?list|"
            r"\b(?:host|domain|source|origin)s?\b[^.;]{0,60}\b(?:not (?:an? )?(?:\w+ )?"
            r"(?:allowed|permitted|trusted|approved|authori[sz]ed|supported)|blocked|denied)|"
            r"\b(?:untrusted|disallowed|forbidden|unapproved) (?:\w+ )?(?:host|domain|source)"
        ),
        "have the service's support, or the workspace's administrator, allow its host as a source "
        "of files, or put the file on a host that is allowed, and run this again.",
    ),
    Trouble(
        _words(
            r"\b(?:must|has to|only)\b[^.;]{0,60}\b(?:host|domain|source|region)s?\b|"
            r"\b(?:host|domain|source|region)s?\b[^.;]{0,60}\b(?:must|has to|only)\b"
        ),
        "put the file on a host of which that holds, and run this again.",
    ),
    Trouble(
        _words(r"connect|time(?:d ?| )?out|unreachable|no route"),
        "see whether its host lets the service in from where that is: a firewall may keep it out. "
        f"Have it let in, {OTHER_HOST}",
    ),
)
"""The first one counts whose words are there."""

# What a host has replied to the service, which is no word about the host.
REPLY_OF_HOST: Final = _words(r"\b(?:40[02-9]|4[1-9]\d|5\d\d)\b")
TO_BE_READ: Final = (
    "see whether it can be read without a login from where the service asks, and run this again "
    "with one that can."
)
SIGNED_FOR_GET: Final = " A URL that is signed for GET is refused for HEAD."


def about_file_url(words: str) -> str:
    """Tell what to do about a file's URL that the service refused, or could not read."""
    return f"It is about the file's URL, and no setting: {_what_to_do(words)}"


def _what_to_do(words: str) -> str:
    if "HEAD" in words:
        return f"{TO_BE_READ}{SIGNED_FOR_GET}"
    if REPLY_OF_HOST.search(words):
        return TO_BE_READ
    for trouble in TROUBLES:
        if trouble.words.search(words):
            return trouble.what_to_do
    if asks_for_something(words):
        return "do what it says, and run this again with such a URL."
    return TO_BE_READ
