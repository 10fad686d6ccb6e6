"""
If no whole response came, it is said how far the request came, and the cause if it shows: what
demands a client certificate, ends the TLS handshake, does not speak TLS or HTTP, breaks a response
off, sends nothing in time, closes the connection, or cannot be decoded; else that scheme, host,
port, network and timeouts are to be checked.

It is sure only that a client certificate is demanded (TLSV13_ALERT_CERTIFICATE_REQUIRED), that this
machine does not trust the certificate, that a proxy refuses the tunnel or was not reached, and, if
nothing was sent for another problem, that the service was not reached. One such proof among several
requests is enough for *Not ready*, whatever the others end with. The only trouble is the Address.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import pytest

from support.doctor_service import examined
from support.servers import listening
from support.settings import settings
from wes_provider.doctor.conclusions.read_conclusions import conclude_from_reads
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads.evidence import Evidence, list_at
from wes_provider.doctor.reads.facts import places
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.doctor.replies.unreached import cause_of

SETTINGS = settings()


class Problem(NamedTuple):
    """
    Why no whole response came, and what is said of it.

    :ivar is_sure: whether that is certain.
    :ivar unsent: whether nothing was sent.
    """

    problem: str
    text: str
    is_sure: bool = False
    unsent: bool = False

    @property
    def name(self) -> str:
        problem = self.problem or "no word"
        if self.unsent:
            return f"{problem}, and nothing was sent"
        return problem


DEMANDS = (
    "The service is reached, and demands a client certificate (mutual TLS), which the provider "
    "cannot send: ask its operator for an address without one."
)
ENDS = (
    "Something is reached, and ends the TLS handshake: it may demand a client certificate (mutual "
    "TLS), which the provider cannot send. Ask its operator."
)
NO_TLS = "The port is reached, but does not speak TLS: check scheme and port."
TLS_ENDS = (
    "The port is reached, but TLS fails, and nothing says why: what is there may demand a client "
    "certificate (mutual TLS), which the provider cannot send. Check host and port, and ask its "
    "operator."
)
TLS_FAILS = "The port is reached, but TLS fails: check host and port, and what is between."
NO_HTTP = "The port is reached, but what comes is not HTTP: check scheme and port."
NOT_DECODED = (
    "The service is reached, and its response cannot be decoded: a proxy may have damaged it. "
    "Check what is between, or ask the service's support."
)
BROKEN_OFF = (
    "The service is reached, and its response begins, but does not end: the service is slow, or a "
    "proxy cuts responses off. Raise read_timeout, or ask the service's support."
)
SLOW = (
    "The service is reached, but sends nothing in time: it is slow, or something between swallows "
    "requests. Raise read_timeout, or check the network."
)
CLOSED = (
    "The port is reached, but the connection is closed without a response: check scheme and port, "
    "and what is between."
)
CUT_OFF = (
    "The service is reached, and the connection is closed before its response has ended, so "
    "something between cuts responses off, or the service fails while it replies: no timeout "
    "helps. Ask whoever runs what is between, or the service's support."
)
ANYTHING = "Check scheme, host and port, network and timeouts."
NO_TRUST_IN_IT = (
    "This machine does not trust the certificate. Set Verify TLS to the bundle of your "
    "company's proxy, or check the address and this machine's clock."
)
NO_TUNNEL = (
    "The proxy refuses a tunnel to the service: ask whoever runs it to let this machine through."
)
NO_PROXY = "The proxy was not reached, or cannot be used: check its address and the network."
NOT_REACHED = "The service was not reached: check scheme, host and port, and the network."
PROBLEMS = [
    Problem(
        "SSLError: [SSL: TLSV13_ALERT_CERTIFICATE_REQUIRED] tlsv13 alert", DEMANDS, is_sure=True
    ),
    Problem("SSLError: [SSL: SSLV3_ALERT_HANDSHAKE_FAILURE]", ENDS),
    Problem("SSLError: [SSL: SSLV3_ALERT_BAD_CERTIFICATE]", ENDS),
    Problem("SSLError: [SSL: TLSV1_ALERT_UNKNOWN_CA]", ENDS),
    Problem("SSLError: [SSL: TLSV1_ALERT_ACCESS_DENIED]", ENDS),
    Problem("SSLError: [SSL: WRONG_VERSION_NUMBER]", NO_TLS),
    Problem("SSLError: [SSL: RECORD_LAYER_FAILURE]", NO_TLS),
    Problem("SSLError: [SSL: UNKNOWN_PROTOCOL]", NO_TLS),
    Problem("SSLError: [SSL: HTTP_REQUEST]", NO_TLS),
    Problem("SSLError: EOF occurred in violation of protocol", TLS_ENDS),
    Problem("SSLEOFError", TLS_ENDS),
    Problem("SSLError: [SSL: UNEXPECTED_MESSAGE]", TLS_FAILS),
    Problem("BadStatusLine", NO_HTTP),
    Problem("LineTooLong", NO_HTTP),
    Problem("ProtocolError", NO_HTTP),
    Problem("incomplete response 200: DecodeError", NOT_DECODED),
    Problem("incomplete response 200: InvalidChunkLength", NOT_DECODED),
    Problem(
        "incomplete response 200: the body is not encoded as its Content-Encoding says",
        NOT_DECODED,
    ),
    Problem("incomplete response 200: ReadTimeout", BROKEN_OFF),
    Problem("incomplete response 200: IncompleteRead", CUT_OFF),
    Problem("incomplete response 200: ConnectionResetError: reset by peer", CUT_OFF),
    Problem("ReadTimeout", SLOW),
    Problem("timed out", SLOW),
    Problem("ConnectionResetError", CLOSED),
    Problem("RemoteDisconnected", CLOSED),
    Problem("ConnectionAbortedError", CLOSED),
    Problem("BrokenPipeError", CLOSED),
    Problem("SomethingElse", ANYTHING),
    Problem("", ANYTHING),
    Problem("SSLCertVerificationError: self-signed", NO_TRUST_IN_IT, is_sure=True),
    Problem("SSLCertVerificationError: self-signed", NO_TRUST_IN_IT, is_sure=True, unsent=True),
    Problem("the proxy refused the tunnel: 403", NO_TUNNEL, is_sure=True),
    Problem("the proxy refused the tunnel: Timeout", NO_TUNNEL, is_sure=True, unsent=True),
    Problem("the proxy of the environment was not reached", NO_PROXY, is_sure=True),
    Problem(
        "the proxy of the environment was not reached: SSLError",
        NO_PROXY,
        is_sure=True,
        unsent=True,
    ),
    Problem("SSLError: timed out", NOT_REACHED, is_sure=True, unsent=True),
]


def probe_of(problem: str) -> Probe:
    request = list_at(SETTINGS, SETTINGS.coupon_files_path, "spring")
    return Probe(Question.LIST, request, problem=problem)


@pytest.mark.parametrize("row", PROBLEMS, ids=[row.name for row in PROBLEMS])
def test_a_problem_says_how_far_a_request_came_and_whether_that_is_sure(row: Problem):
    cause = cause_of(replace(probe_of(row.problem), unsent=row.unsent))
    assert (cause.text, cause.is_sure) == (row.text, row.is_sure)


CERTIFICATE_REQUIRED = "no response: SSLError: [SSL: TLSV13_ALERT_CERTIFICATE_REQUIRED]"
EOF = "no response: SSLEOFError: EOF occurred in violation of protocol"


@pytest.mark.parametrize(
    "problems",
    [(CERTIFICATE_REQUIRED, EOF), (EOF, CERTIFICATE_REQUIRED)],
    ids=["the first", "the last"],
)
def test_one_proof_is_enough_whatever_another_request_ends_with(problems: tuple[str, ...]):
    evidence = Evidence(SETTINGS, "spring", tuple(map(probe_of, problems)))
    (finding,) = conclude_from_reads(evidence, places(evidence))
    assert finding.certainty is Certainty.WRONG
    assert "demands a client certificate" in finding.text


def broken_off(connection: socket.socket) -> None:
    """Send the beginning of a list, whatever is asked for."""
    connection.recv(65536)
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n[{"_id": "f0"')


def closed(connection: socket.socket) -> None:
    """Send nothing."""
    connection.recv(65536)


def other_protocol(connection: socket.socket) -> None:
    """Greet as a mail server does."""
    connection.recv(65536)
    connection.sendall(b"220 mail.example.com ESMTP\r\n")


class Ending(NamedTuple):
    """What comes of each request, and what the verdict has."""

    name: str
    handle: Callable[[socket.socket], None]
    says: str


ENDINGS = [
    Ending(
        "a beginning",
        broken_off,
        "(incomplete response 200: IncompleteRead: 13 of 9000 bytes came). The",
    ),
    Ending("nothing", closed, "(no response: RemoteDisconnected). The port is reached"),
    Ending("another protocol", other_protocol, "what comes is not HTTP"),
]


@pytest.mark.parametrize("row", ENDINGS, ids=[row.name for row in ENDINGS])
def test_a_connection_without_a_whole_response_is_described(row: Ending):
    with listening(row.handle) as url:
        report = examined(url, coupon_list_id="spring")
    assert row.says in report.verdict
    assert [finding.topic for finding in report.troubles] == [Topic.ADDRESS]
