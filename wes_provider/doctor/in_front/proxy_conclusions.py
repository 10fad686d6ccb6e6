"""What follows if the proxy of the environment replies itself, in place of the service. Pure."""

from __future__ import annotations

from typing import Final

from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.replies.proxies import proxy_sentence
from wes_provider.doctor.replies.proxy_errors import Failure, ProxyError, proxy_error
from wes_provider.texts import counted

__all__ = ["conclude_on_proxy_error", "errors_of_proxy", "proxy_says", "proxy_says_at_times"]

WHAT_TO_DO: Final = {
    Failure.RESOLVE: "Check the Address. If it is right, ask whoever runs the proxy; if this "
    "machine reaches the host without it, name the host in no_proxy.",
    Failure.ALLOW: "Check the Address. If it is right, ask whoever runs the proxy to let this "
    "machine through to it.",
    Failure.TLS: "Check scheme and port of the Address. If they are right, ask whoever runs the "
    "proxy.",
    Failure.CONNECT: "Check host and port of the Address. If they are right, ask whoever runs the "
    "proxy whether it may connect there, or the service's support whether it is down.",
    Failure.REPLY: "The service may be slow or down: run this again later. If it stays so, ask "
    "whoever runs the proxy, or the service's support.",
    Failure.OTHER: "Check the Address. If it is right, ask whoever runs the proxy, with these "
    "words.",
}
AT_TIMES: Final = "The other reads got through: change no setting, and ask whoever runs the proxy."


def errors_of_proxy(evidence: Evidence) -> list[Probe]:
    """Return the replies that a proxy sent itself; none if requests go through no proxy."""
    if not proxy_sentence(evidence.settings):
        return []
    return [probe for probe in evidence.probes if proxy_error(probe) is not None]


def conclude_on_proxy_error(evidence: Evidence) -> Finding | None:
    """Conclude on a proxy that sent each reply itself; ``None`` if others replied, or none did."""
    errors = errors_of_proxy(evidence)
    replies = evidence.replies
    if not errors or len(errors) < len(replies):
        return None
    way = proxy_sentence(evidence.settings)
    text = f"{proxy_says(errors[-1])} No reply is the service's, so no key was judged.{way}"
    return Finding(
        topic=Topic.ADDRESS,
        certainty=Certainty.NOT_PROVED,
        text=text,
        probes=tuple(errors),
    )


def proxy_says(probe: Probe) -> str:
    """
    Tell what a proxy could not do, and what to do about it; empty if the reply is not a proxy's.
    """
    error = proxy_error(probe)
    if error is None:
        return ""
    return f"{_who(probe, error)} itself ({_came(probe, error)}): {error.what}. {_to_do(error)}"


def proxy_says_at_times(evidence: Evidence) -> str:
    """
    Tell what a proxy could not do for some of the reads; empty if it passed all on, or none.
    """
    errors = errors_of_proxy(evidence)
    replies = evidence.replies
    error = None
    if errors:
        error = proxy_error(errors[-1])
    if error is None or len(errors) == len(replies):
        return ""
    number = f"{len(errors)} of {counted(len(replies), 'read')}"
    return (
        f"{_who(errors[-1], error)} to {number} itself ({_came(errors[-1], error)}): {error.what}. "
        f"{AT_TIMES}"
    )


def _who(probe: Probe, error: ProxyError) -> str:
    # Of an address with https, only a proxy that intercepts TLS can send a page of its own.
    if probe.request.url.startswith("http://") or error.is_of_forward_proxy:
        return "The proxy replied"
    return "A proxy on the way replied"


def _came(probe: Probe, error: ProxyError) -> str:
    return f"{probe.status}, {error.said}"


def _to_do(error: ProxyError) -> str:
    return WHAT_TO_DO[error.failure]
