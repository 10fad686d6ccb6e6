"""
Which errors are repeated by whom, as the table in the docstring of ``wes_provider.exceptions`` has
it, and how errors cross from the triggerer to a worker. ``tests/unit/client`` has which error a
response is.
"""

from __future__ import annotations

import json
import re
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
    "3xx, 4xx": [301, 307, 400, 401, 403, 404, 409, 418],
    "408, 499": [408, 499],
    "429": [429],
    "500, 502, 503, 504": [500, 502, 503, 504],
    "other 1xx, 2xx, 5xx": [199, 200, 501, 505, 599],
}


def errors_of(row: Row) -> list[WesError]:
    """The errors of a row: one of its class, or one of each status that it stands for."""
    if row.error in STATUS_CODES:
        return [error_class(code)("text", status_code=code) for code in STATUS_CODES[row.error]]
    return [getattr(exceptions, row.error)("text")]


# What the client repeats: a read, an upload.
BY_CLIENT = {"yes": (True, True), "if harmless": (True, False), "no": (False, False)}


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_the_client_repeats_a_read_and_an_upload_as_the_table_says(row: Row):
    for error in errors_of(row):
        read = may_repeat(error, contract.GET_COUPON_FILE)
        upload = may_repeat(error, contract.UPLOAD_COUPON_FILE)
        assert (read, upload) == BY_CLIENT[row.client]


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_an_error_is_permanent_if_airflow_does_not_retry_it_by_the_table(row: Row):
    assert {error.permanent for error in errors_of(row)} == {row.airflow == "no"}


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_reading_again_helps_as_the_table_says(row: Row):
    assert {error.reading_again_helps for error in errors_of(row)} == {row.reader == "yes"}


def test_the_table_has_each_class_of_error():
    kinds = set(exceptions.__all__)
    responses = {name for name in kinds if issubclass(getattr(exceptions, name), WesResponseError)}
    assert set(ROWS) == (kinds - responses) | set(STATUS_CODES)


def test_an_error_can_be_permanent_although_its_class_is_not():
    assert WesError("text", permanent=True).permanent


def test_an_unknown_outcome_can_be_retried_although_its_class_is_permanent():
    assert not WesUnknownOutcomeError("text", permanent=False).permanent


def test_a_success_that_cannot_be_used_is_not_read_again():
    unusable = WesResponseError("text", status_code=200, permanent=True)
    assert (unusable.permanent, unusable.reading_again_helps) == (True, False)


def test_a_success_without_what_it_has_to_hold_is_not_sent_again():
    error = WesUnknownOutcomeError("text", status_code=201)
    assert not may_repeat(error, contract.CREATE_CATALOG)


CROSSING = {
    "permanent, unlike its class": WesError("text", permanent=True),
    "permanent, as its class": WesConfigurationError("text"),
    "not permanent, unlike its class": WesUnknownOutcomeError(
        "text", permanent=False, response={"a": 1}, status_code=202
    ),
    "with a coupon file": WesCouponFileFailedError("text", {"id": "f"}),
    "with what a response says": WesServerError(
        "text", status_code=503, code="busy", message="later", request_id="r"
    ),
    "with a limit": WesRateLimitError(
        "text", code="c", message="m", request_id="r", limit=5, remaining=0
    ),
    "without the limit": WesRateLimitError("text"),
}


@pytest.mark.parametrize("error", CROSSING.values(), ids=CROSSING)
def test_errors_arrive_as_they_left(error: WesError):
    loaded = load_error(json.loads(json.dumps(dump_error(error))))
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
    assert (loaded.permanent, loaded.may_have_effect) == (False, True)


NO_ERRORS = {
    "an error of a later version": "WesErrorOfALaterVersion",
    "a name that the module imports": "Any",
    "a class that the module imports": "datetime",
    "a function of the module": "dump_error",
    "none": None,
}


@pytest.mark.parametrize("name", NO_ERRORS.values(), ids=NO_ERRORS)
def test_an_error_whose_class_is_not_known_is_a_plain_one(name: str | None):
    loaded = load_error({"type": name, "text": "text"})
    assert type(loaded) is WesError
    assert str(loaded) == "text"
