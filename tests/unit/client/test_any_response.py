"""Any body of any response becomes a result or an error of ours, with what a human would find, and no secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.wes_driver import read
from unit.client.test_hostile_responses import (
    CAMPAIGN_KEY,
    DATA_KEY,
    OPERATIONS,
    assert_no_secret,
    assert_presentable,
    json_values,
)
from wes_provider.client.operations import Operations, Response
from wes_provider.exceptions import WesConflictError, WesError, WesResponseError, WesUnknownOutcomeError

SETTINGS = read(
    {
        "host": "https://api.example.com",
        "login": "emulated-workspace",
        "password": CAMPAIGN_KEY,
        "extra": {"data_api_key": DATA_KEY},
    }
)

operations = st.sampled_from([*OPERATIONS])
statuses = st.integers(200, 299) | st.integers(400, 599)
bodies = json_values.map(lambda value: json.dumps(value).encode()) | st.text().map(
    lambda text: text.encode("utf-8", "replace")
)


def outcome(operation: str, response: Response) -> Any:
    try:
        return OPERATIONS[operation](Operations(SETTINGS)).read(response)
    except WesError as error:
        return error


@given(operations, statuses, bodies)
def test_any_body_becomes_a_result_or_an_error(operation: str, status: int, body: bytes):
    result = outcome(operation, Response(status, {}, body))
    if isinstance(result, WesError):
        assert_presentable(operation, result)
    else:
        assert status < 300
        json.dumps(result, allow_nan=False, ensure_ascii=False).encode()
    if 200 <= status < 300 and operation == "update_segment":
        assert isinstance(result, dict)
        assert_no_secret(operation, json.dumps(result, ensure_ascii=False))


def spelled(name: str) -> st.SearchStrategy[str]:
    words = name.split("_")
    return st.sampled_from(
        [
            name,
            "-".join(words),
            "".join(word.title() for word in words),
            words[0] + "".join(word.title() for word in words[1:]),
            name.upper(),
            "".join(words),
        ]
    )


codes = st.sampled_from(
    ["code", "error_code", "err_code", "error_type", "type", "fault_code", "exception_code", "reason"]
)
messages = st.sampled_from(
    ["message", "error_message", "msg", "detail", "error_description", "description", "user_message", "fault_message"]
)


@st.composite
def error_bodies(draw: st.DrawFn) -> Any:
    """A body in which a human finds the code "name-not-free" and a message."""
    error: Any = {
        draw(codes.flatmap(spelled)): "name-not-free",
        draw(messages.flatmap(spelled)): "Pick another name.",
        **draw(st.sampled_from([{}, {"field": "name"}, {"timestamp": 1700000000}, {"path": "/v1/catalog"}])),
    }
    kind = draw(st.sampled_from(["top", "error", "errors", "nested", "list"]))
    if kind == "top":
        return error
    if kind == "list":
        return [error]
    around = draw(
        st.sampled_from([{}, {"status": 422}, {"success": False}, {"status": "error"}, {"request_id": "r-1"}])
    )
    if kind == "errors":
        return {**around, draw(st.sampled_from(["errors", "Errors", "ERRORS"])): [error, {"code": "x", "message": "y"}]}
    name = draw(st.sampled_from(["error", "Error", "fault", "exception"] if kind == "error" else ["data", "response"]))
    return {**around, name: error}


@given(operations, st.integers(400, 499), error_bodies())
def test_code_and_message_are_found_however_they_are_spelled(operation: str, status: int, body: Mapping[str, Any]):
    error = outcome(operation, Response(status, {}, json.dumps(body).encode()))
    if isinstance(error, WesUnknownOutcomeError):
        error = error.__cause__
    assert isinstance(error, WesResponseError)
    assert error.code == "name-not-free"
    assert error.message.startswith("Pick another name.")
    assert "name-not-free: Pick another name" in str(error)


words = st.text("abcxyz", min_size=1, max_size=5)
objects = st.dictionaries(words, words | st.integers(), min_size=1, max_size=3) | st.lists(
    words, min_size=2, max_size=3
)


@given(operations, st.integers(400, 499), objects)
def test_a_message_that_is_an_object_is_shown_as_json(operation: str, status: int, message: Any):
    error = outcome(operation, Response(status, {}, json.dumps({"error": {"message": message}}).encode()))
    assert json.dumps(message, separators=(",", ":")) in str(error)


def test_the_class_is_by_status_whatever_the_body():
    assert isinstance(outcome("create_catalog", Response(409, {}, b"<p>taken</p>")), WesConflictError)


@pytest.mark.parametrize("operation", [name for name in OPERATIONS if name != "update_segment"])
def test_a_useless_success_is_quoted_without_secrets(operation: str):
    error = outcome(operation, Response(200, {}, f"hello, {CAMPAIGN_KEY} of {DATA_KEY}".encode()))
    assert "hello, *** of ***" in str(error)
