"""What refuses each request before the service sees it, such as a web server's password. Pure."""

from __future__ import annotations

import re
from typing import Final

from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.masks import headers_about_masking
from wes_provider.doctor.replies.probes import Form, Keys, Kind, Probe, Question, same_reply
from wes_provider.doctor.replies.proxies import proxy_sentence
from wes_provider.doctor.replies.words import other_scheme, quoted
from wes_provider.texts import shown

__all__ = ["came_by", "conclude_on_layer", "is_layer", "may_be_layer", "telling_realm"]

REALM: Final = re.compile(r"\bbasic\b[^,]*?\brealm\s*=\s*(?:\"([^\"]*)\"|([^\s,]+))", re.IGNORECASE)
# Words of realms that tell nothing, since any service may have them.
OF_ANY: Final = set(
    """
    a access admin api apis application area authentication authorization basic content http login
    only please protected realm required resource restricted rest secure secured server service
    site spring the users wes your
    """.split()
)
# Words of realms that only a layer before a service has.
OF_LAYERS: Final = re.compile(
    r"htpasswd|htaccess|preview|staging|stage\b|\bteam\b|internal|intranet|\bdev\b|development|"
    r"\bqa\b|\buat\b|traefik|nginx|apache|caddy|haproxy|proxy|gateway|maintenance|beta|"
    r"members only|employees|vpn",
    re.IGNORECASE,
)
# Web servers and proxies, as the header Server names them.
WEB_SERVER: Final = re.compile(
    r"nginx|apache(?!-coyote)|openresty|caddy|lighttpd|iis|haproxy|traefik|envoy|litespeed|squid",
    re.IGNORECASE,
)
LONGEST_REALM: Final = 80  # characters


def may_be_layer(evidence: Evidence) -> bool:
    """Tell whether each reply so far is the same refusal, and none that the service sends."""
    replies = [probe for probe in evidence.probes if not probe.is_lost]
    if len(evidence.list_answers) < 2 or not _is_of_layer(replies[0]):
        return False
    return all(same_reply(probe, replies[0]) for probe in replies)


def is_layer(evidence: Evidence) -> bool:
    """Tell whether another path and a made-up key get that refusal, too."""
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    made_up = [probe for probe in evidence.probes if probe.keys is Keys.MADE_UP]
    is_compared = bool(nowhere) and any(not probe.is_lost for probe in made_up)
    return is_compared and may_be_layer(evidence)


def _is_of_layer(probe: Probe) -> bool:
    """Tell whether a refusal is a web page, or has a realm that a service does not have."""
    if probe.kind is not Kind.REFUSED:
        return False
    if probe.form in (Form.TEXT, Form.NONE):
        return OF_LAYERS.search(_realm(probe)) is not None
    return probe.form is Form.PAGE


def _realm(probe: Probe) -> str:
    """Return the realm of Basic credentials that a refusal wants; empty without one."""
    named = REALM.search(probe.response.headers.get("www-authenticate", ""))
    if named is None:
        return ""
    realm = probe.clean(named[1] or named[2] or "")
    return shown(realm, LONGEST_REALM, quoted=False)


def telling_realm(probe: Probe) -> str:
    """
    Return the realm of Basic credentials that a refusal wants, if it says more than that it is one;
    empty without one.
    """
    realm = _realm(probe)
    if set(re.findall(r"[a-z]+", realm.lower())) <= OF_ANY:
        return ""
    return realm


def conclude_on_layer(evidence: Evidence) -> Finding | None:
    """Conclude on a layer that refuses each request; ``None`` if none is shown."""
    if not is_layer(evidence):
        return None
    first = evidence.list_answers[0]
    text = (
        f"{_asks(first)} ({_came(first)}); no reply has the service's JSON, so no key was judged: "
        "ask for the address of the service itself, or whoever runs it for an exemption; change "
        "no key."
    )
    return Finding(
        topic=Topic.ADDRESS,
        certainty=Certainty.NOT_PROVED,
        text=f"{text}{proxy_sentence(evidence.settings)}",
        probes=evidence.probes,
    )


def _asks(first: Probe) -> str:
    """Tell what a layer wants, as the beginning of a sentence."""
    scheme = other_scheme(first.response.headers)
    if scheme:
        return f"What replied wants a login of its own by {shown(scheme, quoted=False)}"
    if first.response.headers.get("www-authenticate"):
        return "What replied asks for a password of its own"
    return "What replied refuses each read"


def _came(first: Probe) -> str:
    """Tell what came, with what says whose it is."""
    came = f"{first.form.value} with {first.status} to whatever key"
    realm = _realm(first)
    if realm:
        return f"{came}, and the realm {realm!r}"
    if first.message:
        came = f"{came}: {quoted(first.message, LONGEST_REALM)}"
    server = first.response.headers.get("server", "")
    if WEB_SERVER.search(server):
        came = f"{came}, and the Server {shown(server, LONGEST_REALM, quoted=False)}"
    return came


def came_by(probe: Probe) -> str:
    """Return what a reply says of its way here, in parentheses; empty if it says nothing."""
    headers = probe.response.headers
    said = []
    for name in ("via", "warning"):
        value = probe.clean(headers.get(name, "").strip())
        if value:
            said.append(f"{name.title()}: {shown(value, quoted=False)}")
    said += headers_about_masking(probe)
    if not said:
        return ""
    return f" (replies have {' and '.join(said)})"
