"""
A service that replies 503 or 429 to reads for some seconds after an upload is ready: no other path
is tried, the lag is at most as long, and no setting is proposed. If its own key is refused at each
read since the upload, the verdict is about that key, which is not *sure*; if this machine is
blocked, it is about the account. Both say that the file was accepted, and is not to be sent again,
and the paths are those that reads before the upload have shown.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import UNAUTHENTICATED, ids
from support.doctor_service import FILES_PATH, Call, about, json_reply
from support.doctor_uploads import Uploads
from support.servers import Reply
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.probes import Question
from wes_provider.doctor.report import Report

SURE, NOT_PROVED, NOT_SHOWN = Certainty.SURE, Certainty.NOT_PROVED, Certainty.NOT_SHOWN
ALWAYS = 1e9
AWAY = json_reply(503, {"error": {"code": "unavailable", "message": "Deployment in progress."}})
REFUSED = json_reply(401, UNAUTHENTICATED)
BLOCKED = json_reply(
    403, {"error": {"code": "request-forbidden", "message": "Your IP address is blocked."}}
)


class Silent(Uploads):
    """An account that has one reply to all reads with the campaign key after an upload."""

    def examine_with(self, reply: Reply, seconds: float) -> Report:
        """What the doctor reports if that reply comes for so many seconds."""
        usual = Uploads.answer

        def answer(call: Call) -> Reply | None:
            is_since = bool(self.name) and call.method == "GET" and call.key == "campaign"
            if is_since and CLOCK.time() - self.since < seconds:
                return reply
            return usual(self, call)

        self.answer = answer  # type: ignore[method-assign]
        return self.examine()


class Late(NamedTuple):
    """A reply for 4 s or 20 s after the upload, and how certain the lag is then."""

    name: str
    reply: Reply
    seconds: float
    lag: Certainty


LATE = [
    Late("503 for 4 s", AWAY, 4.0, SURE),
    Late("503 for 20 s", AWAY, 20.0, NOT_SHOWN),
    Late("429 for 20 s", Reply(429, b""), 20.0, NOT_SHOWN),
]


@pytest.mark.parametrize("row", LATE, ids=ids(LATE))
def test_an_outage_after_an_upload_shows_no_lag(row: Late):
    report = Silent().examine_with(row.reply, row.seconds)
    lag = about(report, Topic.LAG)
    assert lag.certainty is row.lag
    assert lag.text.startswith("At most ")
    assert report.changed == {}
    assert report.verdict.startswith("Ready")


@pytest.mark.parametrize("row", LATE, ids=ids(LATE))
def test_an_outage_after_an_upload_has_no_other_path_tried(row: Late):
    report = Silent().examine_with(row.reply, row.seconds)
    paths = {probe.path for probe in report.probes if probe.question is Question.FOLLOW}
    assert paths == {FILES_PATH, f"{FILES_PATH}/up"}


class Silence(NamedTuple):
    """A reply to each read since the upload, and how the verdict begins."""

    name: str
    reply: Reply
    verdict: str


SILENCES = [
    Silence(
        "the own key is refused",
        REFUSED,
        "Not proved: Campaign API key. Accepted until the upload, and refused since then: each of ",
    ),
    Silence(
        "this machine is blocked",
        BLOCKED,
        "Not proved: Account. No read since the upload got an answer: each of ",
    ),
]


@pytest.mark.parametrize("row", SILENCES, ids=ids(SILENCES))
def test_silence_since_an_upload_is_said_first_and_the_file_is_not_to_be_sent_again(row: Silence):
    report = Silent().examine_with(row.reply, ALWAYS)
    assert report.verdict.startswith(row.verdict)
    assert "Coupon file up was accepted: do not send it again." in report.verdict


@pytest.mark.parametrize("row", SILENCES, ids=ids(SILENCES))
def test_silence_since_an_upload_leaves_the_paths_as_reads_before_have_shown_them(row: Silence):
    report = Silent().examine_with(row.reply, ALWAYS)
    assert about(report, Topic.LIST_PATH).certainty is SURE
    assert about(report, Topic.FILE_PATH).certainty is SURE
    assert about(report, Topic.LAG).certainty is NOT_SHOWN
