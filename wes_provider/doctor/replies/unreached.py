"""What it means that a request got no whole response: how far it came, and what to do. Pure."""

from __future__ import annotations

from typing import Final, NamedTuple

from wes_provider.client.failures import ENDLESS, INCOMPLETE
from wes_provider.connection_form import LABELS
from wes_provider.doctor.replies.probes import Probe, is_certificate

__all__ = ["CUT_OFF", "Cause", "cause_of", "is_cut_off", "is_without_end"]

TRUST: Final = (
    f"Set {LABELS['verify']} to the bundle of your company's proxy, or check the address and "
    "this machine's clock."
)


class Cause(NamedTuple):
    """
    What kept a response from coming.

    :ivar words: parts of the problem; one of them is enough.
    :ivar is_sure: whether nothing else can be the cause.
    :ivar text: the cause, and what to do.
    """

    words: tuple[str, ...]
    is_sure: bool
    text: str


CAUSES: Final = (
    Cause(
        words=("CERTIFICATE_REQUIRED",),
        is_sure=True,
        text=(
            "The service is reached, and demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one."
        ),
    ),
    Cause(
        words=("HANDSHAKE_FAILURE", "BAD_CERTIFICATE", "UNKNOWN_CA", "ACCESS_DENIED"),
        is_sure=False,
        text=(
            "Something is reached, and ends the TLS handshake: it may demand a client certificate "
            "(mutual TLS), which the provider cannot send. Ask its operator."
        ),
    ),
    Cause(
        words=("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL", "HTTP_REQUEST"),
        is_sure=False,
        text="The port is reached, but does not speak TLS: check scheme and port.",
    ),
    Cause(
        words=("EOF occurred", "SSLEOFError"),
        is_sure=False,
        text=(
            "The port is reached, but TLS fails, and nothing says why: what is there may demand a "
            "client certificate (mutual TLS), which the provider cannot send. Check host and port, "
            "and ask its operator."
        ),
    ),
    Cause(
        words=("SSL",),
        is_sure=False,
        text="The port is reached, but TLS fails: check host and port, and what is between.",
    ),
    Cause(
        words=("BadStatusLine", "LineTooLong", "ProtocolError"),
        is_sure=False,
        text="The port is reached, but what comes is not HTTP: check scheme and port.",
    ),
    Cause(
        words=("Content-Encoding", "DecodeError", "InvalidChunkLength"),
        is_sure=False,
        text=(
            "The service is reached, and its response cannot be decoded: a proxy may have damaged "
            "it. Check what is between, or ask the service's support."
        ),
    ),
    Cause(
        words=(INCOMPLETE,),
        is_sure=False,
        text=(
            "The service is reached, and its response begins, but does not end: the service is "
            "slow, or a proxy cuts responses off. Raise read_timeout, or ask the service's support."
        ),
    ),
    Cause(
        words=("Timeout", "timed out"),
        is_sure=False,
        text=(
            "The service is reached, but sends nothing in time: it is slow, or something between "
            "swallows requests. Raise read_timeout, or check the network."
        ),
    ),
    Cause(
        words=("Reset", "RemoteDisconnected", "Aborted", "BrokenPipe"),
        is_sure=False,
        text=(
            "The port is reached, but the connection is closed without a response: check scheme "
            "and port, and what is between."
        ),
    ),
    Cause(
        words=("",),
        is_sure=False,
        text="Check scheme, host and port, network and timeouts.",
    ),
)
# How a connection ends that the other side closes.
CLOSED: Final = ("IncompleteRead", "Reset", "RemoteDisconnected", "Aborted", "BrokenPipe")
CUT_OFF: Final = Cause(
    words=(),
    is_sure=False,
    text=(
        "The service is reached, and the connection is closed before its response has ended, so "
        "something between cuts responses off, or the service fails while it replies: no timeout "
        "helps. Ask whoever runs what is between, or the service's support."
    ),
)
WITHOUT_END: Final = Cause(
    words=(ENDLESS,),
    is_sure=False,
    text=(
        "So the service is reached, but nothing says where its reply ends: a proxy may have "
        "taken Content-Length away, or a header that breaks HTTP hides what follows it. No "
        "timeout and no shorter list helps: have it changed by whoever runs what is before the "
        "service, or by the service's support."
    ),
)
NOT_TRUSTED: Final = Cause(
    words=(),
    is_sure=True,
    text=f"This machine does not trust the certificate. {TRUST}",
)
PROXIES: Final = (
    Cause(
        words=tuple(f"tunnel to the service: {status}" for status in (502, 503, 504)),
        is_sure=True,
        text=(
            "The proxy does not reach the service: it cannot resolve the host, or cannot connect. "
            "Check host and port of the Address. If they are right, ask whoever runs the proxy; "
            "if this machine reaches the host without it, name the host in no_proxy."
        ),
    ),
    Cause(
        words=("refused the tunnel",),
        is_sure=True,
        text=(
            "The proxy refuses a tunnel to the service: ask whoever runs it to let this machine "
            "through."
        ),
    ),
    Cause(
        words=("proxy of the environment was not reached",),
        is_sure=True,
        text="The proxy was not reached, or cannot be used: check its address and the network.",
    ),
)
"""What keeps a request from a proxy, or from getting past one."""
NOT_REACHED: Final = Cause(
    words=(),
    is_sure=True,
    text="The service was not reached: check scheme, host and port, and the network.",
)


def is_cut_off(probe: Probe) -> bool:
    """Tell whether a response began, and the other side closed the connection before its end."""
    is_closed = any(word in probe.problem for word in CLOSED)
    return probe.problem.startswith(INCOMPLETE) and is_closed


def is_without_end(probe: Probe) -> bool:
    """Tell whether a response came as a whole, but for what says where it ends."""
    return probe.problem.startswith(INCOMPLETE) and ENDLESS in probe.problem


def cause_of(probe: Probe) -> Cause:
    """
    Find out why a request got no whole response.

    :param probe: with status 0.
    """
    if is_certificate(probe):
        return NOT_TRUSTED
    for cause in PROXIES:
        if any(word in probe.problem for word in cause.words):
            return cause
    if probe.unsent:
        return NOT_REACHED
    if is_without_end(probe):
        return WITHOUT_END
    if is_cut_off(probe):
        return CUT_OFF
    return next(cause for cause in CAUSES if any(word in probe.problem for word in cause.words))
