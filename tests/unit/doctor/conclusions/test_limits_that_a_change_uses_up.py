"""
A change whose reply leaves no further one. If its reset is within a minute, as one of the
documented limits is, nothing is said of it. If it is later, and within the 25 hours that tasks take
a reset for one, the row is *sure* and says until when tasks wait. If it is even later, tasks do not
wait for it, so the row is *not proved*, with when that is. A reset that is past, missing or further
away than a year is none, and so are headers of a change that was refused, or that leave one more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from support.doctor_findings import FILES, Said, ids, listed
from support.doctor_replies import MOMENT, SETTINGS, evidence_of, reply
from wes_provider.client import requests
from wes_provider.client.requests import Request
from wes_provider.doctor.conclusions.limit_conclusions import conclude_on_limits
from wes_provider.doctor.findings.finding import Certainty
from wes_provider.doctor.replies.probes import Question

DATE = "Fri, 15 Jan 2027 08:00:00 GMT"
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
UPLOAD = requests.upload(SETTINGS, "spring", {"file_url": "https://files.example.com/a.csv"})
CATALOG = requests.create_catalog(SETTINGS, {"name": "shoes"})
UPDATE = requests.update_segment(SETTINGS, "s1", {"updated_by": "me@example.com"})

SURE = "Stated by 1 of 2 responses; the provider keeps to them."
NOT_READ = (
    "Responses have x-ratelimit-remaining, but no x-ratelimit-reset that can be read: the provider "
    "keeps to the documented ones."
)
FAR = (
    "{} left no further one until 2027-02-03 08:00 UTC, in 19 days, as x-ratelimit-reset: {} says. "
    "Tasks do not wait for a reset that is more than a day away: they send the next one by the "
    "documented limits, and it may be refused until then. Ask the service's support for more, or of "
    "which limit that is."
)


class ResetRow(NamedTuple):
    """
    A change with the headers of its reply, and what is said of limits.

    :ivar reset_in: seconds from the change; ``None`` for no such header.
    """

    name: str
    reset_in: float | None
    said: Said
    remaining: str = "0"
    change: Request = UPLOAD
    status: int = 201
    factor: int = 1

    @property
    def headers(self) -> Mapping[str, str]:
        """Of the reply to the change."""
        headers = {"date": DATE, "x-ratelimit-remaining": self.remaining}
        if self.reset_in is not None:
            headers["x-ratelimit-reset"] = str(int(MOMENT + self.reset_in) * self.factor)
        return headers


FAR_RESET = int(MOMENT + 19 * DAY)
RESETS = [
    ResetRow("in a minute", MINUTE, Said(Certainty.SURE, SURE)),
    ResetRow(
        "in two minutes",
        2 * MINUTE,
        Said(
            Certainty.SURE,
            f"{SURE} The upload left no further one until 08:02:01 UTC: tasks wait.",
        ),
    ),
    ResetRow(
        "today",
        10 * HOUR,
        Said(
            Certainty.SURE,
            f"{SURE} The upload left no further one until 18:00:01 UTC: tasks wait.",
        ),
    ),
    ResetRow(
        "tomorrow",
        20 * HOUR,
        Said(
            Certainty.SURE,
            f"{SURE} The upload left no further one until 04:00:01 UTC on 2027-01-16, tomorrow: "
            "tasks wait.",
        ),
    ),
    ResetRow("today, and one more is left", 10 * HOUR, Said(Certainty.SURE, SURE), "1"),
    ResetRow(
        "in 19 days",
        19 * DAY,
        Said(Certainty.NOT_PROVED, FAR.format("The upload", FAR_RESET)),
    ),
    ResetRow(
        "in 19 days, in milliseconds",
        19 * DAY,
        Said(Certainty.NOT_PROVED, FAR.format("The upload", FAR_RESET * 1000)),
        factor=1000,
    ),
    ResetRow(
        "of catalogs in 19 days",
        19 * DAY,
        Said(Certainty.NOT_PROVED, FAR.format("The catalog", FAR_RESET)),
        change=CATALOG,
    ),
    ResetRow(
        "of segments in 19 days",
        19 * DAY,
        Said(Certainty.NOT_PROVED, FAR.format("The update", FAR_RESET)),
        change=UPDATE,
        status=200,
    ),
    ResetRow(
        "in 19 days, and one more is left", 19 * DAY, Said(Certainty.NOT_SHOWN, NOT_READ), "1"
    ),
    ResetRow("in two years", 730 * DAY, Said(Certainty.NOT_SHOWN, NOT_READ)),
    ResetRow("past", -MINUTE, Said(Certainty.NOT_SHOWN, NOT_READ)),
    ResetRow("no reset", None, Said(Certainty.NOT_SHOWN, NOT_READ)),
    ResetRow(
        "of a refused change, today",
        10 * HOUR,
        Said(Certainty.SURE, f"{SURE} 1 request got 429."),
        status=429,
    ),
]


@pytest.mark.parametrize("row", RESETS, ids=ids(RESETS))
def test_a_change_that_leaves_no_further_one_for_long_is_named(row: ResetRow):
    change = reply(
        row.status, b"", row.headers, question=Question.WRITE, request=row.change, sent_at=MOMENT
    )
    finding = conclude_on_limits(evidence_of(listed(200, FILES)), [change])
    assert Said.of(finding) == row.said
