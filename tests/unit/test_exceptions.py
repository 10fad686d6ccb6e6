"""
What errors carry, and how they cross from the triggerer to a worker; ``client`` has which error a
response is.
"""

from __future__ import annotations

import json

import pytest

from wes_provider.exceptions import (
    WesConfigurationError,
    WesCouponFileFailedError,
    WesError,
    WesRateLimitError,
    WesServerError,
    WesUnknownOutcomeError,
    dump_error,
    load_error,
)


@pytest.mark.parametrize("error_class", [WesError, WesConfigurationError, WesUnknownOutcomeError])
def test_permanent_is_of_the_class_unless_it_is_given(error_class: type[WesError]):
    assert error_class("text").permanent == error_class.permanent
    for permanent in (True, False):
        assert error_class("text", permanent=permanent).permanent is permanent


@pytest.mark.parametrize(
    "error",
    [
        WesError("text", permanent=True),
        WesConfigurationError("text"),
        WesUnknownOutcomeError("text", permanent=False, response={"a": 1}, status_code=202),
        WesCouponFileFailedError("text", {"id": "f"}),
        WesServerError("text", status_code=503, code="busy", message="later", request_id="r"),
        WesRateLimitError("text", code="c", message="m", request_id="r", limit=5, remaining=0),
        WesRateLimitError("text"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_arrive_as_they_left(error: WesError):
    loaded = load_error(json.loads(json.dumps(dump_error(error))))
    assert type(loaded) is type(error)
    assert str(loaded) == str(error)
    assert vars(loaded) == vars(error)
    assert loaded.permanent == error.permanent


@pytest.mark.parametrize("name", ["WesErrorOfALaterVersion", "Any", "datetime", "dump_error", None])
def test_an_error_whose_class_is_not_known_is_a_plain_one(name: str | None):
    loaded = load_error({"type": name, "text": "text"})
    assert type(loaded) is WesError
    assert str(loaded) == "text"
