"""What it means that no whole response came: how far it came is said, and the cause if it shows."""

from __future__ import annotations

import socket
from typing import NamedTuple

import pytest

from support.doctor_service import examined
from support.servers import listening
from support.settings import settings
from wes_provider.doctor.conclusions import conclude_from_reads
from wes_provider.doctor.evidence import Evidence, list_at
from wes_provider.doctor.facts import places
from wes_provider.doctor.findings import Certainty
from wes_provider.doctor.probes import Probe, Question
from wes_provider.doctor.unreached import cause_of

SETTINGS = settings()


class Problem(NamedTuple):
    """Why no whole response came, and what is said of it."""

    problem: str
    says: str
    is_sure: bool = False


PROBLEMS = [
    Problem(
        "no response: SSLError: [SSL: TLSV13_ALERT_CERTIFICATE_REQUIRED] tlsv13 alert",
        "demands a client certificate",
        True,
    ),
    Problem(
        "no response: SSLError: [SSL: SSLV3_ALERT_HANDSHAKE_FAILURE]", "it may demand a client"
    ),
    Problem("no response: SSLError: [SSL: SSLV3_ALERT_BAD_CERTIFICATE]", "it may demand a client"),
    Problem("no response: SSLError: [SSL: WRONG_VERSION_NUMBER]", "does not speak TLS"),
    Problem(
        "no response: SSLEOFError: EOF occurred in violation of protocol",
        "but TLS fails, and nothing says why: what is there may demand a client certificate",
    ),
    Problem("no response: SSLError: [SSL: UNEXPECTED_MESSAGE]", "but TLS fails: check host"),
    Problem("no response: BadStatusLine", "is not HTTP"),
    Problem("no response: ReadTimeout", "sends nothing in time"),
    Problem("no response: TimeoutError: timed out", "sends nothing in time"),
    Problem("no response: RemoteDisconnected", "closed without a response"),
    Problem("no response: ConnectionResetError: Connection reset by peer", "closed without"),
    Problem("incomplete response 200: ReadTimeout", "begins, but does not end"),
    Problem("incomplete response 200: IncompleteRead", "begins, but does not end"),
    Problem("incomplete response 200: DecodeError", "cannot be decoded"),
    Problem(
        "incomplete response 200: the body is not encoded as its Content-Encoding says",
        "cannot be decoded",
    ),
    Problem("no response: SomethingElse", "Check scheme, host and port"),
    Problem("SSLCertVerificationError: self-signed", "does not trust the certificate", True),
]


def probe_of(problem: str) -> Probe:
    request = list_at(SETTINGS, SETTINGS.coupon_files_path, "spring")
    return Probe(Question.LIST, request, problem=problem)


@pytest.mark.parametrize("row", PROBLEMS, ids=[row.problem for row in PROBLEMS])
def test_how_far_a_request_came_is_said(row: Problem):
    cause = cause_of(probe_of(row.problem))
    assert row.says in cause.text
    assert cause.is_sure is row.is_sure


NO_TRUST = "no response: SSLError: [SSL: TLSV13_ALERT_CERTIFICATE_REQUIRED]"
EOF = "no response: SSLEOFError: EOF occurred in violation of protocol"


@pytest.mark.parametrize("problems", [(NO_TRUST, EOF), (EOF, NO_TRUST)], ids=["first", "last"])
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
    handle: object
    says: str


@pytest.mark.parametrize(
    ("handle", "says"),
    [
        (broken_off, "(incomplete response 200: IncompleteRead). The service is reached"),
        (closed, "(no response: RemoteDisconnected). The port is reached"),
        (other_protocol, "what comes is not HTTP"),
    ],
)
def test_a_connection_without_a_whole_response_is_described(handle: object, says: str):
    with listening(handle) as url:  # type: ignore[arg-type]
        report = examined(url, coupon_list_id="spring")
    assert says in report.verdict
    assert not report.works
    assert Certainty.SURE not in {finding.certainty for finding in report.findings[1:2]}
