"""How findings name paths, redirects of paths, and what to ask the service's support for. Pure."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from wes_provider.doctor.findings import advice
from wes_provider.doctor.reads import redirects
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.hosts import leads_to_login
from wes_provider.doctor.replies.probes import Kind, Probe, Question, with_query
from wes_provider.doctor.replies.remedies import is_maintenance
from wes_provider.texts import redact_url

__all__ = [
    "ARRAY",
    "FOR_ACCESS",
    "FOR_PATH",
    "SUPPORT",
    "WANTED",
    "came_redirected",
    "encoded_otherwise",
    "leads_away",
    "leads_to_maintenance",
    "named",
    "none_shows",
    "not_read_twice",
]

SUPPORT: Final = advice.UPLOAD_TRIES_MORE
FOR_ACCESS: Final = "ask the service's support for access."
WANTED: Final = (
    "an array of files, or an object with it under data, each file with a string under _id and one "
    "under status, and its counts of coupons as numbers; the path of one file has to reply with "
    "such a file, too"
)
ARRAY: Final = (
    "but the provider reads an array of objects, or one under data: ask the service's support for "
    f"{WANTED}."
)
# What only the URL of a download has in its query that is signed beforehand.
SIGNED: Final = re.compile(
    r"(?:^|[&;])(?:x-amz-|x-goog-|x-oss-)?(?:signature|sig|hmac|token|credential)=", re.IGNORECASE
)
FOR_PATH: Final = "Ask the service's support for the path of one list's files."


def named(path: str) -> str:
    """Return a path of the extra ``paths``, with its query in words."""
    before, _, query = path.partition("?")
    return with_query(before, query)


def none_shows(number: int) -> str:
    """Begin a sentence about something that a number of paths, all that were tried, do not show."""
    if number == 1:
        return "This path does not show"
    return "None of these paths shows"


def not_read_twice(evidence: Evidence, path: str) -> str:
    """Tell why a path that has what was sought was not read once more."""
    why = evidence.why_not_asked(Question.AGAIN)
    return (
        f"It may be {named(path)}, which was not read twice, because {why}. Put it in, and run "
        "this again."
    )


def encoded_otherwise(redirect: Probe) -> str:
    """Tell what to do about a redirect to the same identifier, which is encoded otherwise."""
    return (
        f"{redirect.sent} is redirected to {redact_url(redirect.location)}, which has the same "
        "identifier, encoded otherwise. The provider encodes identifiers in one way only, and no "
        "setting changes that: ask the service's support to accept it, or use an identifier of "
        "letters, digits and hyphens."
    )


def came_redirected(probe: Probe) -> str:
    """Tell where a path is redirected to, and why that is not followed."""
    return (
        f"{probe.sent} is redirected to {redact_url(probe.location)}{_kind_of_target(probe)}, "
        f"which is not followed{_why_not_followed(probe)}"
    )


def leads_away(probe: Probe) -> bool:
    """Tell whether a path is redirected to another host."""
    return probe.kind is Kind.ELSEWHERE and not redirects.leads_to_same_origin(probe)


def leads_to_maintenance(probe: Probe) -> bool:
    """Tell whether the path of a redirect is called as a page of a maintenance is."""
    return is_maintenance(urlsplit(probe.location).path)


def _kind_of_target(redirect: Probe) -> str:
    """Tell what a redirect leads to by its URL, in parentheses; empty if that does not say so."""
    if leads_to_login(redirect.location):
        return " (a browser login)"
    if leads_to_maintenance(redirect):
        return " (a maintenance, by its name)"
    if SIGNED.search(urlsplit(redirect.location).query):
        return " (a signed download)"
    return ""


def _why_not_followed(redirect: Probe) -> str:
    if redirects.leads_to_same_origin(redirect):
        return ""
    return ", since keys may not go there"
