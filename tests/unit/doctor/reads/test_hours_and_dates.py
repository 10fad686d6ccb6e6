"""
A moment of the same day, in UTC, is called by its hour alone. One of another day is called by its
hour, its date and "tomorrow" if it is less than 24 hours away; from 24 hours on, by its date, its
hour and minute, and in how many days it is, rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_replies import MOMENT
from wes_provider.doctor.reads.sending import (
    date_or_clock,
)

DAY = 86400


class Moment(NamedTuple):
    """Seconds from 2027-01-15 08:00:00 UTC, and how the moment is called."""

    seconds: float
    says: str


MOMENTS = [
    Moment(0, "08:00:00 UTC"),
    Moment(57599, "23:59:59 UTC"),
    Moment(57600, "00:00:00 UTC on 2027-01-16, tomorrow"),
    Moment(DAY - 1, "07:59:59 UTC on 2027-01-16, tomorrow"),
    Moment(DAY, "2027-01-16 08:00 UTC, in 1 day"),
    Moment(1.4 * DAY, "2027-01-16 17:36 UTC, in 1 day"),
    Moment(1.6 * DAY, "2027-01-16 22:24 UTC, in 2 days"),
    Moment(10 * DAY, "2027-01-25 08:00 UTC, in 10 days"),
]


@pytest.mark.parametrize("row", MOMENTS, ids=[str(row.seconds) for row in MOMENTS])
def test_a_moment_is_called_by_its_hour_today_or_tomorrow_and_else_by_date_and_days(row: Moment):
    assert date_or_clock(MOMENT + row.seconds, MOMENT) == row.says
