"""How replies say that they are old: of a cache, or of a node that is behind. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import shown

__all__ = [
    "BEHIND",
    "about_304",
    "ask_about_new_file",
    "cached_paths",
    "cached_reply",
    "kept_by_cache",
    "says_behind",
    "says_cached",
]

# A miss names hosts, which may have these letters, too.
HIT: Final = re.compile(r"\b(?:hit|stale|updating|revalidated)\b", re.IGNORECASE)
HITS: Final = ("x-cache", "cf-cache-status", "x-cache-status", "x-proxy-cache")
# A cache's warning that its reply is stale.
STALE: Final = re.compile(r"\b11[01]\b")
BEHIND: Final = re.compile(r"(?:^|-)(?:lag|stale|staleness|as-of)(?:-|$)")
NOT_MODIFIED: Final = 304
KEPT_FOR: Final = re.compile(r"\b(?:s-maxage|max-age)=\d+")


def cached_reply(evidence: Evidence) -> str:
    """Return the headers by which a cache says that it has replied to a read; empty if none."""
    return next(filter(None, map(says_cached, evidence.probes)), "")


def cached_paths(evidence: Evidence) -> list[str]:
    """Return the paths whose replies came from a cache."""
    return list(dict.fromkeys(probe.path for probe in evidence.probes if says_cached(probe)))


def says_behind(probe: Probe) -> str:
    """
    Return the header by which a node says how far it is behind, such as ``X-Replica-Lag: 340``;
    empty if none does.
    """
    for name, value in probe.response.headers.items():
        if BEHIND.search(name) and value.strip() not in ("", "0"):
            return f"{name.title()}: {shown(probe.clean(value.strip()), quoted=False)}"
    return ""


def about_304(probe: Probe) -> str:
    """Tell what to do about a 304, which answers a condition that no read has; empty for others."""
    if probe.status != NOT_MODIFIED:
        return ""
    by = says_cached(probe)
    if by:
        by = f" ({by})"
    return (
        "304 says that nothing has changed since an earlier reply, but no read asked for that, so "
        f"a cache on the way may have replied{by}. Change neither address nor keys: ask whoever "
        "runs it to leave the service out of the cache."
    )


def says_cached(probe: Probe) -> str:
    """
    Return the headers by which a cache says that it sent a reply, and for how long it keeps it,
    such as ``x-cache: HIT, max-age=40``; empty if none does.
    """
    if not probe.status:
        return ""
    headers = probe.response.headers
    says = _age_of(headers) or _hit_in(headers) or _stale_by(headers)
    kept_for = KEPT_FOR.search(headers.get("cache-control", ""))
    if says and kept_for is not None:
        return f"{says}, {kept_for[0]}"
    return says


def _age_of(headers: Mapping[str, str]) -> str:
    """Quote how old a reply is by its headers; empty if it is not."""
    age = headers.get("age", "").strip()
    if age.isdecimal() and int(age) > 0:
        return f"Age: {age}"
    return ""


def _hit_in(headers: Mapping[str, str]) -> str:
    """Quote the header by which a cache had the reply; empty without one."""
    for name in HITS:
        if HIT.search(headers.get(name, "")):
            return f"{name}: {shown(headers[name].strip(), quoted=False)}"
    return ""


def _stale_by(headers: Mapping[str, str]) -> str:
    """Quote the warning that a reply is stale; empty without one."""
    warning = headers.get("warning", "").strip()
    if STALE.match(warning):
        return f"Warning: {shown(warning, quoted=False)}"
    return ""


def kept_by_cache(missed: Probe) -> str:
    """Return how a cache says that it has kept a 404, in parentheses; empty if none does."""
    says = says_cached(missed)
    if not says:
        return ""
    return f" (kept by a cache: {says})"


def ask_about_new_file(missed: Probe) -> str:
    """Tell whom to ask if the path of one file does not have a new file at once."""
    if says_cached(missed):
        return "ask whoever runs the cache to keep no 404"
    return "ask the service's support how soon it has a new file"
