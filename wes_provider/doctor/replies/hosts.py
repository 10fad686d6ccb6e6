"""Another host that replies name: for some paths only, or for a browser login. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from wes_provider import contract
from wes_provider.connection_form import LABELS
from wes_provider.doctor.replies.members import inside
from wes_provider.doctor.replies.probes import Kind, Probe
from wes_provider.doctor.replies.words import blocked_by
from wes_provider.texts import redact_url

__all__ = ["connection_besides", "leads_to_login", "other_host", "second_connection"]

# -- logins ----------------------------------------------------------------------------------------

LOGIN_HOST: Final = re.compile(
    r"(?:[\w-]+-)?(?:login|logon|signin|sso|auth|idp|identity|accounts|adfs)\."
)
LOGIN_PATH: Final = re.compile(
    r"/(?:oauth2?|openid-connect|authorize|saml2?|sso|signin|sign-in|log-?in|adfs)(?:[/.]|$)",
    re.IGNORECASE,
)
# Parameters that only a login has; state alone may be anything.
PARAMETERS: Final = frozenset({"client_id", "redirect_uri", "samlrequest", "relaystate"})


def leads_to_login(url: str) -> bool:
    """Tell whether a URL says by itself that it is a browser login's."""
    parts = urlsplit(url)
    names = {name.lower() for name in parse_qs(parts.query, keep_blank_values=True)}
    host = LOGIN_HOST.match(f"{parts.hostname or ''}.")
    return bool(host or LOGIN_PATH.search(parts.path) or names & PARAMETERS)


# -- another host for some paths -------------------------------------------------------------------

URL: Final = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w./{}-]*)?", re.IGNORECASE)
# A name without a scheme, after a word for where something is.
NAME: Final = re.compile(
    r"\b(?:use|at|to|on|via|from|is|host|call|under|auf)\b[ :=]+['\"`]?"
    r"((?:[a-z0-9-]+\.){2,}[a-z]{2,}(?::\d+)?)\b",
    re.IGNORECASE,
)
MEMBER: Final = re.compile(r"host|endpoint|base.?ur[il]|api.?ur[il]|address|server", re.IGNORECASE)
# Words of a message that says where something is.
PLACED: Final = re.compile(
    r"\b(?:use|using|hosted|served|serves?|moved|located|available|call|send|go(?:es)? to|lives?|"
    r"resides?|reached|migrated|redirected|erreichbar|verwenden|instead)\b",
    re.IGNORECASE,
)
FOR_PEOPLE: Final = re.compile(
    r"(?:docs?|help|support|developers?|console|dashboard|status|www|errors?|admin|my|app|portal)\."
)
MISDIRECTED: Final = 421
# What a refused change says of the part that a host has among several, of which one takes changes.
ROLE: Final = re.compile(
    r"\b(?:primary|leader|master|stand-?by|replicas?|secondary|followers?|passive|read.?only|"
    r"writ(?:es?|able|ing))\b",
    re.IGNORECASE,
)
# What is done with a key, for whom the connection is left, and which tasks need the other one.
SEGMENTS: Final = ("Segments (/v3) are", "coupons", "that update segments")
COUPONS: Final = ("Coupon lists and files are", "segments", "with coupons")
USES: Final = {
    contract.Key.DATA: (*SEGMENTS, LABELS["data_api_key"]),
    contract.Key.CAMPAIGN: (*COUPONS, LABELS["password"]),
}


def other_host(probe: Probe) -> str:
    """
    Return the address on another host that a redirect or an error names for what was asked; empty
    if it names none, or several.
    """
    own = urlsplit(probe.request.url).hostname
    addresses = dict.fromkeys(
        _address(url, probe)
        for url in _named_in(probe)
        if urlsplit(url).hostname not in (own, None) and not _is_for_people(url)
    )
    named = [address for address in addresses if address]
    if len(named) == 1:
        return named[0]
    return ""


def _named_in(probe: Probe) -> Iterator[str]:
    """Yield the URLs that a reply has of where something is."""
    if probe.kind is Kind.ELSEWHERE:
        if urlsplit(probe.location).path.endswith(urlsplit(probe.request.url).path):
            yield probe.location
        return
    if not probe.message or blocked_by(probe.response.headers):
        return
    if probe.status == MISDIRECTED or PLACED.search(probe.message):
        yield from URL.findall(probe.message)
        yield from map(_with_scheme, NAME.findall(probe.message))
        yield from _members_of(probe.content)


def _members_of(content: Any) -> Iterator[str]:
    """Yield the URLs and hosts that an error has in members of their own."""
    for where, value in inside(content):
        is_named = isinstance(value, str) and MEMBER.search(where.rpartition(".")[2])
        if is_named and re.fullmatch(rf"{URL.pattern}|(?:[\w-]+\.){{2,}}[a-z]{{2,}}", value):
            yield _with_scheme(value)


def _with_scheme(host: str) -> str:
    if "://" in host:
        return host
    return f"https://{host}"


def _is_for_people(url: str) -> bool:
    return bool(FOR_PEOPLE.match(urlsplit(url).hostname or "")) or leads_to_login(url)


def _address(url: str, probe: Probe) -> str:
    """Return the address of a URL, without the path of the request and what a version begins."""
    parts = urlsplit(redact_url(url).rstrip("./"))
    path = parts.path.removesuffix(urlsplit(probe.request.url).path)
    before = re.split(r"/v\d+(?:/|$)", path)[0].rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{before}"


def second_connection(probe: Probe) -> str:
    """
    Tell what to do about what is on another host, while the rest is here, as sentences; empty if a
    reply names no other host.
    """
    address = other_host(probe)
    if not address:
        return ""
    if probe.request.method != "GET" and ROLE.search(f"{probe.code} {probe.message}"):
        return (
            f"It names {address}, which may take changes in place of this one: ask the service's "
            "support whether that has everything, and if so, put it into the Address of this "
            "connection, and run this again."
        )
    return connection_besides(address, probe.request.operation.key, "by the service's words")


def connection_besides(address: str, key: contract.Key, by: str) -> str:
    """
    Tell to make a second connection, as sentences.

    :param key: of what is at the address.
    :param by: what shows that it is there.
    """
    what, rest, tasks, label = USES[key]
    return (
        f"{what} at {address}, {by}: leave this connection for {rest}, and make a second one with "
        f"that Address and the {label} as its password. Name it in the tasks {tasks}, and run "
        "wes-doctor --conn-id ID on it."
    )
