"""Which path has a list as JSON, if the reply with another form of it names one. Pure."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin, urlsplit

from wes_provider.doctor.reads import facts, redirects
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Probe

__all__ = ["path_of_json"]

LINK: Final = re.compile(r"<([^>]*)>([^<]*)")
ALTERNATE: Final = re.compile(r"\brel=\"?[^\";]*\balternate\b", re.IGNORECASE)
JSON: Final = re.compile(r"\btype=\"?[\w/.+-]*\bjson\b", re.IGNORECASE)


def path_of_json(evidence: Evidence) -> str:
    """
    Return the path at which a link of the list's reply has the list as JSON, as the extra ``paths``
    takes it; empty if the list is no other form that alone replies so, or no link names one here.
    """
    if not facts.is_list_odd_alone(evidence):
        return ""
    first = evidence.list_answers[0]
    for url, parameters in LINK.findall(first.response.headers.get("link", "")):
        if ALTERNATE.search(parameters) and JSON.search(parameters):
            return _path_of(evidence, first, url)
    return ""


def _path_of(evidence: Evidence, first: Probe, url: str) -> str:
    """Return a path with its query, which is often all that a link changes."""
    sent = urlsplit(first.request.url)
    named = urlsplit(urljoin(first.request.url, url))
    given = evidence.settings.coupon_files_path
    if sent[:2] != named[:2] or "{" in named.query:
        return ""
    path = given.partition("?")[0]
    if named.path != sent.path:
        path = redirects.path_of(first, url, evidence.settings.base_url, evidence.list_id)
    if path and named.query:
        path = f"{path}?{named.query}"
    if path == given:
        return ""
    return path
