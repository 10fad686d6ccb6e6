"""What the reads of a service show of the header that it takes the workspace from. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

import msgspec

from wes_provider import contract
from wes_provider.client import requests
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence
from wes_provider.doctor.replies.probes import Kind, Probe, Question, named_headers, names_header
from wes_provider.settings import WesSettings

__all__ = [
    "HEADERS",
    "Value",
    "current_settings",
    "demanded_header",
    "header_candidate",
    "headers_to_add",
    "headers_to_try",
    "hinted_headers",
    "is_chosen",
    "is_standard",
    "missed_header",
    "misses_header",
    "proved_header",
    "refused_read",
    "usual_ones_were_sent",
    "value_in",
    "where_hinted",
]

HEADERS: Final = (
    *"X-SVC-APPKEY SVC-APP-KEY SVC-WORKSPACE-ID X-Workspace-Id X-Workspace Workspace-Id".split(),
    *"X-App-Id X-App-Key X-AppKey APPKEY X-Application-Id X-Account-Id X-Tenant-Id".split(),
    *"X-Project-Id X-Client-Id".split(),
    contract.WORKSPACE_HEADER,
)
"""What services of this kind usually call the header of the workspace."""


def refused_read(evidence: Evidence) -> Probe | None:
    """Return the read that another workspace header may help; ``None`` if there is none."""
    answers = evidence.list_answers
    if not answers:
        return None
    if answers[0].subject is not None and not named_headers(answers[0]):
        return None  # its words are about something else
    if _is_refused_twice(answers) or named_headers(answers[0]) or misses_header(answers[0]):
        return answers[0]
    if evidence.settings.data_api_key == evidence.settings.api_key or answers[0].success:
        return None
    data = evidence.answers_to(requests.read_segment(evidence.settings, MADE_UP))
    if _is_refused_twice(data):
        return data[0]
    return None


def _is_refused_twice(answers: Sequence[Probe]) -> bool:
    return len(answers) > 1 and all(probe.kind is Kind.REFUSED for probe in answers)


class HeaderSearch(NamedTuple):
    """
    How far the search for the workspace header is.

    :ivar accepted: the headers of the last read that was accepted; ``None`` if none was.
    :ivar remaining: those of them that no later read excludes.
    :ivar is_interrupted: whether a reply was neither accepted nor refused.
    """

    accepted: tuple[str, ...] | None = None
    remaining: tuple[str, ...] = ()
    is_interrupted: bool = False


def _header_search(evidence: Evidence, refused: Probe) -> HeaderSearch:
    search = HeaderSearch()
    for probe in evidence.of(Question.HEADER):
        tried = tuple(probe.tried.split())
        if _still_objects(probe, refused):
            remaining = tuple(name for name in search.remaining if name not in tried)
            search = search._replace(remaining=remaining)
        elif probe.kind is Kind.ANSWER:
            search = HeaderSearch(tried, tried)
        else:
            return search._replace(is_interrupted=True)
    return search


def _still_objects(probe: Probe, refused: Probe) -> bool:
    """Tell whether a read with other headers is refused, or gets a complaint about headers."""
    if probe.kind is Kind.REFUSED or probe.answer == refused.answer:
        return True
    return probe.status == 400 or bool(named_headers(probe))


def headers_to_try(evidence: Evidence) -> tuple[str, ...]:
    """
    Return the headers to send next in place of the connection's: those that the service names, then
    all usual ones at once; if they help, half of them, and so on, down to one.
    """
    refused = refused_read(evidence)
    if refused is None:
        return ()
    search = _header_search(evidence, refused)
    if search.is_interrupted:
        return ()
    if search.accepted is None:
        return _untried_pool(evidence, refused)
    if len(search.accepted) == 1:
        return ()
    return search.remaining[: (len(search.remaining) + 1) // 2]


# Names of headers that have nothing to do with a workspace, besides those that begin so.
STANDARD: Final = frozenset(
    """
    accept age authorization cache-control connection content-disposition content-encoding
    content-language content-length content-range content-type cookie date dnt etag expect expires
    forwarded from host if-match if-modified-since if-none-match if-range if-unmodified-since
    keep-alive last-modified location origin pragma prefer priority proxy-authorization range
    referer retry-after save-data trailer transfer-encoding upgrade user-agent vary via warning
    basic bearer digest realm charset idempotency-key x-requested-with x-request-id
    x-correlation-id x-http-method-override x-csrf-token x-xsrf-token traceparent tracestate baggage
    x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset
    """.split()
)
STANDARD_BEGINNINGS: Final = ("accept-", "access-control-", "sec-", "x-forwarded-", "x-amz-")
HINTS: Final = ("access-control-allow-headers", "vary", "www-authenticate")
HEADER_NAME: Final = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+\b")
MOST_HINTS: Final = 8
# What a service calls whom a header is for, and what it says if that is not there.
WHOM: Final = (
    r"(?:client|tenant|workspace|account|app|application|organi[sz]ation|project|api.?version)"
)
MISSED: Final = re.compile(
    rf"(?:miss|require|absent|needs?\b|fehl|manqu|falta|not (?:sent|given|provided|present|set))"
    rf".{{0,40}}(?:\b|-)(?:header|{WHOM})\b|"
    rf"\b(?:header|{WHOM})\b.{{0,40}}(?:miss|require|absent|fehl|manqu|falta|"
    rf"not (?:sent|given|provided|present|set))|"
    rf"\b(?:no|unknown|unbekannte\w*|without) {WHOM}\b",
    re.IGNORECASE,
)


def hinted_headers(evidence: Evidence) -> tuple[str, ...]:
    """
    Return the headers that replies to the list say may be sent, and that are no usual ones of HTTP.
    """
    own = evidence.settings.workspace_header.lower()
    names: dict[str, str] = {}
    for _, value in _hints(evidence):
        for name in HEADER_NAME.findall(value):
            names.setdefault(name.lower(), name)
    unusual = [name for plain, name in names.items() if plain != own and not is_standard(plain)]
    return tuple(unusual[:MOST_HINTS])


def where_hinted(evidence: Evidence, name: str) -> str:
    """Return the header of replies that names another header."""
    hints = (hint for hint, value in _hints(evidence) if name.lower() in value.lower())
    return next(hints, "").title().replace("Www", "WWW")


def _hints(evidence: Evidence) -> list[tuple[str, str]]:
    """Return the headers of replies to the list that may name others, with what they have."""
    replies = [probe.response.headers for probe in evidence.of(Question.LIST)]
    return [(hint, headers.get(hint, "")) for headers in replies for hint in HINTS]


def is_standard(plain: str) -> bool:
    """Tell whether a header, in lower case, is a usual one of HTTP."""
    return plain in STANDARD or plain.startswith(STANDARD_BEGINNINGS)


IN_QUOTES: Final = re.compile(r"['\"`\u2018\u201c]([^'\"`\u2019\u201d]+)['\"`\u2019\u201d]")


def missed_header(evidence: Evidence) -> Probe | None:
    """
    Return the refusal of a key that names a header, or whose words say that a header is missing, or
    that nobody is named; ``None`` if there is none, or the header was found.
    """
    refused = refused_read(evidence)
    if refused is None or proved_header(evidence):
        return None
    is_named = bool(named_headers(refused)) and refused.kind is Kind.REFUSED
    if is_named or misses_header(refused):
        return refused
    return None


def misses_header(probe: Probe) -> bool:
    """Tell whether the words of an error say that a header is missing, or that nobody is named."""
    words = f"{probe.code} {probe.message}"
    is_about_key = re.search(r"authori[sz]ation|api.?key|credential", words, re.IGNORECASE)
    is_about_other = is_about_key or probe.subject is not None or _quotes_header_sent(probe)
    return not probe.success and bool(MISSED.search(words)) and not is_about_other


def _quotes_header_sent(probe: Probe) -> bool:
    """Tell whether an error has the value of a header in quotes: then the header was read."""
    quoted = {text.lower() for text in IN_QUOTES.findall(probe.message)}
    return not quoted.isdisjoint(value.lower() for value in probe.request.headers.values())


def usual_ones_were_sent(evidence: Evidence) -> bool:
    """Tell whether a read had all usual headers in place of the connection's."""
    usual = set(_usual_headers(evidence))
    return any(usual <= set(probe.tried.split()) for probe in evidence.of(Question.HEADER))


def _usual_headers(evidence: Evidence) -> tuple[str, ...]:
    """Return the usual names of the header, but for the connection's."""
    own = evidence.settings.workspace_header
    return tuple(name for name in HEADERS if name.lower() != own.lower())


def _untried_pool(evidence: Evidence, refused: Probe) -> tuple[str, ...]:
    own = evidence.settings.workspace_header
    usual = _usual_headers(evidence)
    pools = [tuple(named_headers(refused)), hinted_headers(evidence), usual]
    says_which = refused.kind is not Kind.REFUSED and not misses_header(refused)
    if says_which or names_header(refused, own):
        pools.remove(usual)  # the service says which one it takes
    tried = [probe.tried for probe in evidence.of(Question.HEADER)]
    for pool in pools:
        if pool and " ".join(pool) not in tried:
            return pool
    return ()


def header_candidate(evidence: Evidence) -> str:
    """
    Return the header that was accepted alone, in place of the connection's; empty if there is none.
    """
    refused = refused_read(evidence)
    if refused is None:
        return ""
    search = _header_search(evidence, refused)
    if search.accepted is None or len(search.accepted) > 1 or not search.remaining:
        return ""
    return search.accepted[0]


class Value(Enum):
    """Whether it matters what a header has."""

    MATTERS = auto()
    DOES_NOT_MATTER = auto()
    NOT_SHOWN = auto()


def value_in(evidence: Evidence, header: str, accepted: Probe) -> Value:
    """
    Tell whether the value of a header matters: a made-up one gets another reply.

    A gateway may demand a header besides that of the workspace, whatever it has.

    :param accepted: a read with the workspace in that header.
    """
    made_up = [probe for probe in evidence.of(Question.HEADER_VALUE) if probe.tried == header]
    if not made_up:
        return Value.NOT_SHOWN
    if made_up[0].answer == accepted.answer:
        return Value.DOES_NOT_MATTER
    return Value.MATTERS


def _accepted_with(evidence: Evidence, header: str) -> list[Probe]:
    """Return the reads of the search with a header alone; the first one was accepted."""
    return [probe for probe in evidence.of(Question.HEADER) if probe.tried == header]


def is_chosen(evidence: Evidence) -> bool:
    """Tell whether the connection names another header than the contract does."""
    own = evidence.settings.workspace_header
    return own.lower() != contract.WORKSPACE_HEADER.lower()


def proved_header(evidence: Evidence) -> str:
    """
    Return the header that was accepted alone, twice, in place of the connection's, while a made-up
    value in it gets another reply; empty if there is none.
    """
    header = header_candidate(evidence)
    accepted = _accepted_with(evidence, header)
    if len(accepted) < 2 or value_in(evidence, header, accepted[0]) is not Value.MATTERS:
        return ""
    return header


def headers_to_add(evidence: Evidence) -> tuple[str, ...]:
    """
    Return the headers that the service names, to be sent besides the connection's, since they do
    not help in its place; none if they do, or were sent so already.
    """
    refused = refused_read(evidence)
    if refused is None or evidence.of(Question.HEADER_BESIDES):
        return ()
    search = _header_search(evidence, refused)
    if search.accepted is not None or search.is_interrupted:
        return ()
    own = evidence.settings.workspace_header.lower()
    names = named_headers(refused)
    if not names and missed_header(evidence) is not None:
        names = list(hinted_headers(evidence))
    return tuple(name for name in names if name.lower() != own)


def demanded_header(evidence: Evidence) -> str:
    """
    Return the header that the service demands besides that of the workspace; empty if there is
    none.

    Reads with it are accepted whatever it has, or if it is sent besides the connection's.
    """
    refused = refused_read(evidence)
    for probe in evidence.of(Question.HEADER_BESIDES):
        if refused is None or _still_objects(probe, refused):
            continue
        if probe.kind is Kind.ANSWER and probe.error_status != 403:
            return probe.tried.replace(" ", ", ")
    header = header_candidate(evidence)
    accepted = _accepted_with(evidence, header)
    if accepted and value_in(evidence, header, accepted[0]) is Value.DOES_NOT_MATTER:
        return header
    return ""


def current_settings(evidence: Evidence) -> WesSettings:
    """Return the connection's settings, with the header that the service takes."""
    header = proved_header(evidence)
    if not header:
        return evidence.settings
    return msgspec.structs.replace(evidence.settings, workspace_header=header)
