"""
Four kinds of words say that a service does not do what it is asked for. A version has ended if
"version", "API", "endpoint", "release" or a word such as "v1" stands in one sentence with
"retired", "sunset", "deprecated", "gone" and the like; a retired key is none. A service takes no
changes if it is read-only, or if writes, changes, updates, uploads or imports are disabled,
blocked, paused and the like, in one sentence. It is away for a time if words speak of maintenance,
downtime, "unavailable", "temporarily" or "back soon", or if it is down, offline, closed or
upgrading until an hour; "until May" is not enough. Until when it lasts is said only by "until"
(till, bis, hasta, jusqu'à) together with a date (2027-01-01) or an hour (10:00, 9h05, 9 am, 10
Uhr). The advice is then to wait until then if there is a date or an hour, else until it is over.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor import remedies

IS_RETIRED = [
    Tells(
        True,
        [
            "version 1 is retired",
            "v1 has its sunset",
            "This API is deprecated",
            "endpoint discontinued",
            "release decommissioned",
            "version removed",
            "version turned off",
            "version shut down",
            "API shutdown",
            "API no longer works",
            "API end-of-life",
            "API is gone",
            "API abgeschaltet",
            "API eingestellt",
            "API retirada",
            "version unsupported",
            "version not supported",
            "retired version",
            "sunset of version 1",
            "deprecated v1",
            "discontinued v1",
            "decommissioned v1",
            "unsupported v1",
            "no longer supported: v1",
        ],
    ),
    Tells(
        False,
        ["", "key retired", "version 1. Key retired", "retired; version", "v is gone", "apis gone"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_RETIRED))
def test_words_of_a_version_that_has_ended_are_known(text: str, expected: Any):
    assert remedies.is_retired(text) == expected


TAKES_NO_WRITES = [
    Tells(
        True,
        [
            "read-only",
            "Read only",
            "readonly",
            "read_only",
            "writes are disabled",
            "write blocked",
            "changes suspended",
            "updates paused",
            "uploads frozen",
            "upload turned off",
            "modifications switched off",
            "imports closed",
            "import is not accepted",
            "writes not allowed",
            "writes not possible",
            "writes not available",
            "Schreibschutz",
            "nur lesend",
            "nur-lesend",
            "sólo lectura",
            "solo lectura",
        ],
    ),
    Tells(False, ["", "reads only", "writes. All disabled", "not allowed"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(TAKES_NO_WRITES))
def test_words_of_a_service_that_takes_no_changes_are_known(text: str, expected: Any):
    assert remedies.takes_no_writes(text) == expected


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
