"""
If the list comes as whole JSON, and nothing says where it ends, the Address is *not proved*: neither
slowness nor the number of files is blamed, what is missing is named, and it is read once. A header
line that breaks HTTP may be the cause. No library's log of such a head is printed, which may hold
secrets, and loggers log again afterwards.
"""

from __future__ import annotations

import json
import logging
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import LIST, about, check_what_holds_of_each_report, examined, record
from support.servers import Bytes, HostileServer
from wes_provider.doctor.findings.finding import Certainty, Topic

FILES = json.dumps([record("f1")]).encode()
SECRET = "s3cret-of-a-session"


class EndlessRow(NamedTuple):
    """A head after which whole JSON comes, and what is said to be missing."""

    name: str
    head: bytes
    says: str
    body: bytes = FILES


NO_LENGTH = "it has neither Content-Length nor chunks, and the connection stays open"
LENGTH = b"Content-Length: %d\r\n" % len(FILES)
ENDLESS = [
    EndlessRow("no length", b"", NO_LENGTH),
    EndlessRow(
        "a line that breaks HTTP before the length",
        b"X-Trace Id: " + SECRET.encode() + b"\r\n" + LENGTH,
        NO_LENGTH,
    ),
    EndlessRow(
        "a length that is too large",
        b"Content-Length: 90000\r\n",
        "its Content-Length is too large",
    ),
    EndlessRow(
        "no last chunk",
        b"Transfer-Encoding: chunked\r\n",
        "its last chunk is missing",
        b"%x\r\n%s\r\n" % (len(FILES), FILES),
    ),
]


@pytest.mark.parametrize("row", ENDLESS, ids=ids(ENDLESS))
def test_a_reply_without_an_end_is_not_called_slow(
    row: EndlessRow, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
):
    server = HostileServer()
    sent = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + row.head + b"\r\n" + row.body
    server.response = Bytes([sent], "stall")
    with server.serving():
        report = examined(server.url, coupon_list_id=LIST, extra={"read_timeout": 0.3})
    check_what_holds_of_each_report(report)
    address = about(report, Topic.ADDRESS)
    assert address.certainty is Certainty.NOT_PROVED
    assert f"whole JSON came, and not the end of its body: {row.says})" in address.text
    assert "No timeout and no shorter list helps" in address.text
    assert report.reads == 1
    printed = capsys.readouterr()
    for text in (caplog.text, printed.out, printed.err, report.to_json()):
        assert SECRET not in text
    assert logging.getLogger("urllib3.connection").isEnabledFor(logging.WARNING)
