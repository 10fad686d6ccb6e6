"""
What replies if a browser login is before the service: where redirects lead, what a page has. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import facts, sayings
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.hosts import leads_to_login
from wes_provider.doctor.replies.probes import Form, Kind, Probe
from wes_provider.doctor.replies.proxies import proxy_sentence
from wes_provider.doctor.replies.words import is_login, quoted
from wes_provider.texts import redact_url

__all__ = ["conclude_on_login"]

ACTION: Final = re.compile(r"<form\b[^>]*\baction=[\"']?([^\"'\s>]+)", re.IGNORECASE)
SAML_FIELD: Final = re.compile(r"name=[\"']?SAMLRequest\b", re.IGNORECASE)
LONGEST_PAGE: Final = 10_000  # characters that are searched
WHAT_TO_DO: Final = (
    "The provider cannot log in there, and the keys were not judged. Ask whoever runs it for the "
    "address of the API, or to let requests with keys through; do not put the address of the login "
    "into the Address."
)


def conclude_on_login(evidence: Evidence) -> Finding | None:
    """Conclude on a login in place of the service; ``None`` if none is shown."""
    replies = evidence.list_answers
    if not replies or not _is_login(evidence, replies[-1]):
        return None
    way = proxy_sentence(evidence.settings)
    text = f"The Address is behind a browser login: {_came(evidence, replies[-1])}. {WHAT_TO_DO}"
    probes = (*replies, *_elsewhere(evidence))
    return Finding(
        topic=Topic.ADDRESS,
        certainty=Certainty.WRONG,
        text=f"{text}{way}",
        probes=probes,
    )


def _is_login(evidence: Evidence, reply: Probe) -> bool:
    """Tell whether a reply is a login's page, or leads to one."""
    if reply.kind is Kind.ELSEWHERE:
        one_page = facts.one_page(evidence)
        is_page = one_page is not None and one_page.is_login
        return is_page or leads_to_login(reply.location)
    return reply.form is Form.PAGE and _has_login(reply)


def _has_login(reply: Probe) -> bool:
    """Tell whether a page asks for a login, or sends a browser to one."""
    page = reply.text[:LONGEST_PAGE]
    is_sent_on = SAML_FIELD.search(page) or any(map(leads_to_login, ACTION.findall(page)))
    return is_login(page) or bool(is_sent_on)


def _came(evidence: Evidence, reply: Probe) -> str:
    """Tell what came in place of the service, as part of a sentence."""
    if reply.kind is not Kind.ELSEWHERE:
        return f"a login page came with status {reply.status}{sayings.words_of(reply)}"
    came = f"a redirect to {redact_url(reply.location)} came"
    one_page = facts.one_page(evidence)
    if one_page is None:
        return came
    said = ""
    if one_page.words:
        said = f": {quoted(one_page.words, sayings.SAYS)}"
    return f"{came}, whatever the path{said}"


def _elsewhere(evidence: Evidence) -> Iterator[Probe]:
    """Yield what else shows the login: the redirect of another path, and the page."""
    one_page = facts.one_page(evidence)
    if one_page is None:
        return
    yield from one_page.redirects[1:]
    if one_page.page is not None:
        yield one_page.page
