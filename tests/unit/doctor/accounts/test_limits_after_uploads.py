"""
If a limit refuses a read of the list after an upload, and asks to wait for 8 s, nothing is read
before that, and the row of the limits counts that read. If a limit with the contract's headers
refuses the upload, the row says that a reply states it.
"""

from __future__ import annotations

from support.doctor_service import FILES_PATH, Call, about, json_reply
from support.doctor_uploads import Uploads
from support.servers import Reply
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic


class Limited(Uploads):
    """An account that refuses reads of the list for 8 s after the upload."""

    def answer(self, call: Call) -> Reply | None:
        is_read_of_list = call.method == "GET" and call.path == FILES_PATH
        is_since = bool(self.name) and call.key == "campaign"
        if is_read_of_list and is_since and CLOCK.time() - self.since < 8:
            return Reply(429, b"", {"Retry-After": "8"})
        return super().answer(call)


def test_a_limit_after_an_upload_is_waited_for_and_counted():
    report = Limited().examine()
    assert [probe.status for probe in report.probes].count(429) == 1
    assert about(report, Topic.LIMITS).text.startswith("1 read got 429, and no response has")


def test_a_limit_that_refuses_an_upload_is_stated():
    headers = {
        "x_ratelimit_limit": "10",
        "x_ratelimit_remaining": "0",
        "x_ratelimit_reset": str(int(CLOCK.time()) + 60),
    }
    refused = json_reply(429, {}, **headers)
    limits = about(Uploads(reply=refused).examine(), Topic.LIMITS)
    assert limits.certainty is Certainty.SURE
    assert limits.text.startswith("Stated by 1 of ")
    assert limits.text.endswith("1 request got 429.")
