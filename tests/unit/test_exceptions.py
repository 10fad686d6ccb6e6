"""
What is repeated after which error, as the table in the docstring of ``wes_provider.exceptions`` has
it, and how errors cross from the triggerer to a worker. ``tests/unit/client`` has which error a
response is.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from typing import NamedTuple

import pytest

from wes_provider import contract, exceptions
from wes_provider.client.responses import error_class
from wes_provider.client.retries import may_repeat
from wes_provider.exceptions import (
    WesConfigurationError,
    WesCouponFileFailedError,
    WesError,
    WesRateLimitError,
    WesResponseError,
    WesServerError,
    WesUnknownOutcomeError,
    dump_error,
    load_error,
)


class Row(NamedTuple):
    """A row of the table in the docstring of ``wes_provider.exceptions``."""

    error: str
    client: str
    airflow: str
    reader: str


def rows() -> list[Row]:
    """The rows below the header of the table and its line."""
    table = str(exceptions.__doc__).partition("error   ")[2].partition("\n\n")[0]
    return [Row(*re.split(r"  +", line.strip())) for line in table.splitlines()[2:]]


ROWS = {row.error: row for row in rows()}
STATUS_CODES = {
    "3xx, 4xx": [300, 301, 307, 399, 400, 401, 403, 404, 409, 413, 418, 498],
    "408, 499": [408, 499],
    "429": [429],
    "500, 502, 503, 504": [500, 502, 503, 504],
    "other 1xx, 2xx, 5xx": [100, 199, 200, 299, 501, 505, 599],
}
"""Of the rows that stand for status codes: some, or all."""


class Raised(NamedTuple):
    """An error, and its row of the table."""

    name: str
    error: WesError
    row: Row


RAISED = [
    *(
        Raised(str(code), error_class(code)("text", status_code=code), ROWS[row])
        for row, codes in STATUS_CODES.items()
        for code in codes
    ),
    *(
        Raised(row.error, getattr(exceptions, row.error)("text"), row)
        for row in ROWS.values()
        if row.error not in STATUS_CODES
    ),
]
of_each_row = pytest.mark.parametrize("raised", RAISED, ids=[raised.name for raised in RAISED])


@of_each_row
def test_the_client_repeats_a_read_unless_the_table_says_no(raised: Raised):
    repeats = may_repeat(raised.error, contract.GET_COUPON_FILE)
    assert repeats is {"yes": True, "if harmless": True, "no": False}[raised.row.client]


@of_each_row
def test_the_client_repeats_an_upload_only_if_the_table_says_yes(raised: Raised):
    repeats = may_repeat(raised.error, contract.UPLOAD_COUPON_FILE)
    assert repeats is {"yes": True, "if harmless": False, "no": False}[raised.row.client]


@of_each_row
def test_an_error_is_permanent_if_airflow_does_not_retry_it_by_the_table(raised: Raised):
    assert raised.error.permanent is {"yes": False, "no": True}[raised.row.airflow]


@of_each_row
def test_reading_again_helps_as_the_table_says(raised: Raised):
    assert raised.error.reading_again_helps is {"yes": True, "no": False}[raised.row.reader]


def test_the_table_has_each_class_of_error():
    kinds = set(exceptions.__all__)
    responses = {name for name in kinds if issubclass(getattr(exceptions, name), WesResponseError)}
    assert set(ROWS) == (kinds - responses) | set(STATUS_CODES)


def test_an_error_can_be_permanent_although_its_class_is_not():
    assert WesError("text", permanent=True).permanent


def test_an_unknown_outcome_can_be_retried_although_its_class_is_permanent():
    assert not WesUnknownOutcomeError("text", permanent=False).permanent


def test_reading_again_does_not_help_after_a_success_that_is_called_permanent():
    assert not WesResponseError("text", status_code=200, permanent=True).reading_again_helps


def test_an_unknown_outcome_after_a_whole_response_is_not_sent_again_although_it_is_harmless():
    error = WesUnknownOutcomeError("text", status_code=201)
    assert not may_repeat(error, contract.CREATE_CATALOG)


def test_an_unknown_outcome_after_a_response_that_broke_off_is_sent_again_if_it_is_harmless():
    error = WesUnknownOutcomeError("text", status_code=201, is_whole=False)
    assert may_repeat(error, contract.CREATE_CATALOG)


def crossed(error: WesError) -> WesError:
    """The error that a worker makes of what the triggerer has stored as JSON."""
    return load_error(json.loads(json.dumps(dump_error(error))))


CROSSING = {
    "permanent, unlike its class": WesError("text", permanent=True),
    "permanent, as its class": WesConfigurationError("text"),
    "not permanent, unlike its class": WesUnknownOutcomeError(
        "text", permanent=False, response={"a": 1}, status_code=202
    ),
    "with a response that is an array": WesUnknownOutcomeError("text", response=[1, "a"]),
    "with a response that is a fraction": WesUnknownOutcomeError("text", response=0.5),
    "with a coupon file": WesCouponFileFailedError("text", {"id": "f"}),
    "with what a response says": WesServerError(
        "text", status_code=503, code="busy", message="later", request_id="r"
    ),
    "with a limit": WesRateLimitError(
        "text", code="c", message="m", request_id="r", limit=5, remaining=0
    ),
    "with the time at which a limit resets": WesRateLimitError(
        "text", reset_at=datetime(2026, 1, 2, 3, 4, 5, 600_000, tzinfo=timezone.utc)
    ),
    "without the limit": WesRateLimitError("text"),
}


@pytest.mark.parametrize("error", CROSSING.values(), ids=CROSSING)
def test_errors_arrive_as_they_left(error: WesError):
    """Class, text and attributes."""
    loaded = crossed(error)
    assert type(loaded) is type(error)
    assert str(loaded) == str(error)
    assert vars(loaded) == vars(error)
    assert loaded.permanent == error.permanent


def test_an_error_of_an_earlier_version_arrives_as_it_left():
    dumped = {
        "type": "WesServerError",
        "text": "503 busy",
        "reason": "503",
        "permanent": False,
        "may_have_effect": True,
        "status_code": 503,
        "code": "busy",
    }
    loaded = load_error(dumped)
    assert isinstance(loaded, WesServerError)
    assert (str(loaded), loaded.status_code, loaded.code) == ("503 busy", 503, "busy")
    assert (loaded.reason, loaded.permanent, loaded.may_have_effect) == ("503", False, True)


NO_ERRORS = {
    "an error of a later version": "WesErrorOfALaterVersion",
    "a name that the module imports": "Any",
    "a class that the module imports": "datetime",
    "a function of the module": "dump_error",
    "null": None,
}


@pytest.mark.parametrize("name", NO_ERRORS.values(), ids=NO_ERRORS)
def test_an_error_whose_class_is_not_known_is_a_plain_one(name: str | None):
    loaded = load_error({"type": name, "text": "text"})
    assert type(loaded) is WesError
    assert str(loaded) == "text"
