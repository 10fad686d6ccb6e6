"""
A service is away for a time if words speak of maintenance (in five languages), downtime,
"unavailable", "temporarily", "back soon", "back at" or "back in", or if an hour stands after
"down", "offline", "closed", "upgrading" or "until". "Until May" and "from 10:00" are not enough.
Words say until when something lasts if they have "until", "till", "bis", "hasta" or "jusqu'à" and a
date (2027-01-01) or an hour (10:00, 9h05, 9 am, 10 Uhr, 12 UTC). The advice is to wait "until then"
if words have a date or an hour, and else "until it is over".
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor.replies import remedies

IS_MAINTENANCE = [
    Tells(
        True,
        [
            "Maintenance",
            "Wartung",
            "mantenimiento",
            "manutenzione",
            "manutenção",
            "manutencao",
            "unavailable",
            "temporarily",
            "nicht verfügbar",
            "nicht erreichbar",
            "indisponible",
            "back soon",
            "back shortly",
            "back at",
            "back in",
            "downtime",
            "down until 10:00",
            "offline from 9.30",
            "closed at 9h00",
            "upgrading till 10 uhr",
            "until 9am",
            "bis 10 Uhr",
            "till 9pm",
            "until 12 UTC",
        ],
    ),
    Tells(False, ["", "back", "until May", "from 10:00", "log in"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_MAINTENANCE))
def test_words_of_a_service_that_is_away_for_a_time_are_known(text: str, expected: Any):
    assert remedies.is_maintenance(text) == expected


LASTS_UNTIL = [
    Tells(
        True,
        ["until 2027-01-01", "Till 10:00", "bis 10h00", "hasta 9.30", "jusqu'à 9pm"],
    ),
    Tells(False, ["", "until May", "from 10:00", "still 10:00x", "at 9 am"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(LASTS_UNTIL))
def test_words_that_say_until_when_something_lasts_have_a_date_or_an_hour(text: str, expected: Any):
    assert remedies.lasts_until(text) == expected


WAIT_OF = [
    Tells(
        "until then",
        ["2027-01-01", "10:00", "9.30", "9h05", "9 am", "12pm", "10 Uhr", "10 utc"],
    ),
    Tells("until it is over", ["", "May", "27-01-01", "10:0", "123:00", "9 amps"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(WAIT_OF))
def test_how_long_to_wait_is_until_then_if_words_are_dated(text: str, expected: Any):
    assert remedies.wait_of(text) == expected


IS_DATED = [
    Tells(True, ["2027-01-01"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_DATED))
def test_a_date_or_an_hour_is_known(text: str, expected: Any):
    assert remedies.is_dated(text) == expected
