"""What tests of replies to changes share: the changes, rows, and a check of whole sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from wes_provider.client.responses import Response
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.options import Options
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.doctor.writes.upload import LookedUp
from wes_provider.doctor.writes.write import conclude_from_write, writes_of
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

SETTINGS = WesSettings("https://api.example.com", "acme", "campaign-key", "data-key")
NAME = "Wes-Doctor-1.csv"
OPTIONS = Options(
    coupon_list_id="spring",
    file_url="https://files.example.com/a.csv?sig=hunter2",
    catalog="shop",
    segment_id="vip",
)
object.__setattr__(OPTIONS, "file_name", NAME)
WRITES = {write.topic: write for write in writes_of(OPTIONS)}
SENT_AT = 1_800_000_000.0  # 08:00:00 UTC
IN_LIST = CouponFile.from_record({"_id": "up", "status": "PENDING", "name": NAME})
IN_LIST_OTHERWISE = CouponFile.from_record({"_id": "f7", "status": "PENDING", "name": "other.csv"})


class Came(NamedTuple):
    """What came of a change; ``None`` if there was no response."""

    response: Response | None
    unsent: bool = False


def reply(status: int, body: Any = b"", **headers: str) -> Came:
    """A reply, of JSON if nothing else is said."""
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    if body:
        named.setdefault("content-type", "application/json")
    return Came(Response(status, named, body))


FIREWALL_PAGE = (
    b"<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. "
    b"Please consult with your administrator. Your support ID is: 8231764490125533120</body></html>"
)
LOST = Came(None)
UNSENT = Came(None, unsent=True)
ACCEPTED_FOR_UPLOAD = [
    (Topic.CAMPAIGN_KEY, Certainty.SURE, "Accepted, for an upload."),
    (Topic.WORKSPACE_HEADER, Certainty.SURE, "SVC-APPKEY is accepted, for an upload."),
]
ACCEPTED_FOR_UPDATE = [
    (Topic.DATA_KEY, Certainty.SURE, "Accepted, for an update."),
    (Topic.WORKSPACE_HEADER, Certainty.SURE, "SVC-APPKEY is accepted, for an update."),
]


class Case(NamedTuple):
    """
    A change, the reply to it, and what is said of it.

    :ivar besides: what is said of the key and the workspace header.
    :ivar looked_up: what the list showed of an upload.
    :ivar known: the files that the list had before.
    :ivar made: the new files of the list with the name of the upload.
    :ivar connection: what its settings have besides those of all rows.
    """

    name: str
    topic: Topic
    reply: Came
    certainty: Certainty
    text: str
    settings: Mapping[str, Any] = {}
    besides: Sequence[tuple[Topic, Certainty, str]] = ()
    looked_up: LookedUp | None = None
    known: Sequence[str] = ()
    made: Sequence[CouponFile] = ()
    guesses: Mapping[str, Any] = {}
    connection: Mapping[str, Any] = {}


def probe_of(topic: Topic, came: Came, settings: WesSettings = SETTINGS) -> Probe:
    request = WRITES[topic].request(settings)
    probe = Probe(Question.WRITE, request, sent_at=SENT_AT)
    if came.response is None:
        return replace(probe, problem="no response", unsent=came.unsent)
    return replace(probe, response=came.response)


def check_reply(row: Case) -> None:
    """
    The finding about a change says what the row says, word for word, and the findings besides are
    the row's; all of them rest on the reply.
    """
    settings = msgspec.structs.replace(SETTINGS, **row.connection)
    probe = probe_of(row.topic, row.reply, settings)
    finding, *besides = conclude_from_write(
        WRITES[row.topic], probe, settings, OPTIONS, row.looked_up, row.known, row.made
    )

    assert finding.topic is row.topic
    assert (finding.certainty, finding.text) == (row.certainty, row.text)
    assert finding.settings == row.settings
    assert finding.guesses == row.guesses
    assert finding.probes == (probe,)
    said = [(beside.topic, beside.certainty, beside.text) for beside in besides]
    assert said == list(row.besides)
    assert all(beside.probes == (probe,) for beside in besides)
