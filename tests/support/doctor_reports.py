"""What tests of reports share: findings, reports of them, and their printed lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from support.doctor_replies import SETTINGS, error_body, reply
from wes_provider.doctor.cleaning import cleaner
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.doctor.report import DEFAULTS, Report
from wes_provider.settings import WesSettings

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
SURE, NOT_SHOWN = Certainty.SURE, Certainty.NOT_SHOWN
READY = "Ready: everything that your tasks need works."
READY_BY_READS = (
    "Ready, as far as reads show: keys, paths and statuses work; uploads were not tried."
)
PASTE = "Put the extra below into the connection, and run this again."
GUESS = " Part of it is a guess, as the rows say."
SUCCESS = DEFAULTS["coupon_file_statuses.success"]
COMPANY = "wes_default: https://api.example.com (3 reads, 1 write)"


def report_of(
    *findings: Finding,
    settings: WesSettings = SETTINGS,
    given: Mapping[str, Any] | None = None,
    probes: Sequence[Probe] = (),
    stopped: bool = False,
) -> Report:
    return Report(
        settings=settings,
        given=given or {},
        findings=findings,
        probes=probes,
        reads=3,
        writes=1,
        stopped=stopped,
        clean=cleaner(settings),
    )


def printed(report: Report, width: int = 100) -> list[str]:
    return [line.plain for line in report.lines(width)]


HEADER = {"workspace_header": "X-App-Id"}
LAG = {"coupon_files_lag": 5.0}


ADDRESS = Finding(Topic.ADDRESS, WRONG, "Wrong address.")
LATE = Finding(Topic.LAG, WRONG, "Late.", settings=LAG)
COUNTS = Finding(Topic.COUNTS, NOT_PROVED, "No count.", guesses={"coupon_file_counts.added": "n"})
REDIRECTED = (reply(200), reply(302, headers={"location": "/login"}))


REFUSED = reply(401, error_body("x", "No."))
GONE = reply(404, error_body("y", "Gone."), question=Question.NO_SUCH_PATH)
