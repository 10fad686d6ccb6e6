"""A gateway's cookie or bot check in place of the service. Pure."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from wes_provider.client.requests import Request
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import sayings
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.redirects import leads_to_itself
from wes_provider.doctor.replies.probes import Form, Kind, Probe, Question
from wes_provider.doctor.replies.proxies import proxy_sentence

__all__ = ["Cookies", "conclude_on_check", "cookies_to_try"]

COOKIE: Final = re.compile(r"(?:^|,\s*)([\w!#$%&'*+.^`|~-]+)=([^;,\s]+)")
# What a page has that lets browsers pass only.
CHALLENGE: Final = re.compile(
    r"enable (?:javascript|cookies)|javascript (?:is )?(?:required|disabled|and cookies)|"
    r"checking (?:your|the|if) |just a moment|verif(?:y|ying) (?:that )?you(?:r| are)|captcha|"
    r"not a (?:ro)?bot|are you human|cf-chl|challenge-(?:platform|form)|document\.cookie|"
    r"browser check|_incapsula_|bot ?(?:detection|protection)",
    re.IGNORECASE,
)
LONGEST_PAGE: Final = 10_000  # characters that are searched
EXEMPT: Final = (
    "The provider is no browser, and keeps no cookies: ask whoever runs it to exempt API clients, "
    "or the addresses of your workers and triggerers. Change no address, path or key."
)


class Cookies(NamedTuple):
    """
    The cookies that a reply sets, as a request sends them, which are secrets.

    :ivar names: of them.
    """

    names: str
    header: str

    def on(self, request: Request) -> Request:
        """Return a request with the cookies."""
        return request._replace(headers={**request.headers, "Cookie": self.header})


def cookies_to_try(evidence: Evidence) -> Cookies | None:
    """Return the cookies of a check, with which the list was not read yet; ``None`` without any."""
    check = _check(evidence)
    if check is None or evidence.sent_for(Question.COOKIE):
        return None
    pairs = COOKIE.findall(check.response.headers.get("set-cookie", ""))
    pairs = [(name, value) for name, value in pairs if name.lower() not in ("expires", "path")]
    if not pairs:
        return None
    names = " ".join(name for name, _ in pairs)
    return Cookies(names, "; ".join(f"{name}={value}" for name, value in pairs))


def _check(evidence: Evidence) -> Probe | None:
    """Return the reply to the list that is a check; ``None`` if there is none."""
    answers = evidence.list_answers
    if answers and _is_check(answers[-1]):
        return answers[-1]
    return None


def _is_check(probe: Probe) -> bool:
    has_cookie = "set-cookie" in probe.response.headers
    if probe.kind is Kind.ELSEWHERE:
        return leads_to_itself(probe) and has_cookie
    page = probe.text[:LONGEST_PAGE]
    return probe.form is Form.PAGE and CHALLENGE.search(page) is not None


def conclude_on_check(evidence: Evidence) -> Finding | None:
    """Conclude on a check in place of the service; ``None`` if there is none."""
    check = _check(evidence)
    if check is None:
        return None
    came = f"a page for browsers came with status {check.status}{sayings.words_of(check)}"
    if check.kind is Kind.ELSEWHERE:
        came = f"a read is redirected to itself ({check.status}) with a cookie"
    tests = evidence.of(Question.COOKIE)
    passed = bool(tests) and tests[-1].kind in (Kind.ANSWER, Kind.REFUSED)
    with_it = ""
    if passed:
        with_it = f" With the cookie, a read gets {tests[-1].answer}, so the service is behind it."
    certainty = Certainty.WRONG if passed else Certainty.NOT_PROVED
    text = (
        f"A cookie or bot check of a gateway keeps the provider out: {came}.{with_it} {EXEMPT}"
        f"{proxy_sentence(evidence.settings)}"
    )
    probes = (*evidence.list_answers, *tests)
    return Finding(
        topic=Topic.ACCOUNT,
        certainty=certainty,
        text=text,
        probes=probes,
    )
