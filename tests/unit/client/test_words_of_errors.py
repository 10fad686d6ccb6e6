"""
What an error quotes and advises. Code and message are read at the top, below ``error``, or in the
first of ``errors``; without them, the body is quoted, in one line of 200 characters and without
secrets in URLs. A password or a value of a segment that the response repeats is ``***``. The
advice follows from status and operation; a 403 without a code may also be that of a gateway or a
proxy.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from support.exchanges import CATALOG, FILE, READ, REQUESTS, SEGMENT, SETTINGS, UPLOAD, response
from wes_provider.client import responses
from wes_provider.client.requests import Request, update_segment, upload

PASSWORD = 'p4ss"wörd/1'
WITH_PASSWORD = upload(
    SETTINGS,
    "summer",
    {
        "file_url": "https://files.example.com/a.csv",
        "file_url_auth_username": "u",
        "file_url_auth_password": PASSWORD,
    },
)
VALUES = ["ana@example.com", "José", "Lisbon, PT", *(f"user-{number}" for number in range(500))]
WITH_VALUES = update_segment(
    SETTINGS,
    "vips",
    {"included_filters": {"filters": [{"value": ["x"]}, {"filters": [{"value": VALUES}]}]}},
)
REPEATED: dict[str, Any] = {
    "a message": {"error": {"code": "c", "message": "no such value: {}"}},
    "a code": {"code": "{}"},
    "a message that is an object": {"message": {"given": "{}"}},
    "the first of errors": {"errors": [{"detail": "'{}' is wrong"}]},
    "another shape": {"request": {"body": ["{}"]}},
    "a text": "what is {}?",
}


def repeating(shape: Any, value: str) -> bytes:
    quoted = json.dumps(value)[1:-1]
    return json.dumps(shape).replace("{}", quoted).encode()


@pytest.mark.parametrize("shape", REPEATED.values(), ids=REPEATED)
def test_an_error_that_repeats_the_requests_password_loses_it(shape: Any):
    error = responses.error_of(WITH_PASSWORD, response(400, repeating(shape, PASSWORD)))
    for part in ("p4ss", "rd/1", "p4ss%22"):
        assert part not in str(error)
        assert part not in getattr(error, "message", "")
    assert "***" in str(error)


@pytest.mark.parametrize("shape", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("value", ["ana@example.com", "José", "Lisbon, PT", "user-499"])
def test_an_error_that_repeats_a_value_of_the_segment_loses_it(shape: Any, value: str):
    error = responses.error_of(WITH_VALUES, response(422, repeating(shape, value)))
    assert value not in str(error)
    assert "***" in str(error)


def test_an_error_that_repeats_the_whole_request_is_quoted_without_its_values():
    error = responses.error_of(WITH_VALUES, response(400, WITH_VALUES.body or b""))
    assert not any(value in str(error) for value in VALUES)


def test_an_accepted_upload_that_repeats_the_password_loses_it_and_keeps_its_identifier():
    record = {**FILE, "_id": PASSWORD, "file_url_auth_password": PASSWORD}
    read = responses.record(WITH_PASSWORD, response(201, record))
    assert (read["_id"], read["file_url_auth_password"]) == (PASSWORD, "***")


class Quoted(NamedTuple):
    """The body of an error, and the code and the message that are read of it."""

    body: Any
    code: str = ""
    message: str = ""


QUOTED = {
    "code and message": Quoted({"code": "c", "message": "m"}, "c", "m"),
    "below error, with a number and a capital": Quoted(
        {"error": {"code": 12, "Message": "m"}}, "12", "m"
    ),
    "below error before those beside it": Quoted(
        {"error": {"code": "inner", "message": "m"}, "type": "outer", "message": "n"}, "inner", "m"
    ),
    "the first of errors": Quoted(
        {"errors": [{"error-code": "c", "detail": "first"}, {"detail": "second"}]}, "c", "first"
    ),
    "an error that is a string": Quoted({"error": "plain text"}, message="plain text"),
    "a message before an error that is a string": Quoted(
        {"error": "kind", "message": "m"}, message="m"
    ),
    "a message that is an object": Quoted(
        {"message": {"field": "is wrong"}}, message='{"field":"is wrong"}'
    ),
    "another shape": Quoted({"other": "shape"}, message='{"other": "shape"}'),
    "a page": Quoted(
        b"<html>\n<h1>502  Bad Gateway</h1>", message="<html> <h1>502 Bad Gateway</h1>"
    ),
    "nothing": Quoted(b""),
    "no UTF-8": Quoted(b"\xff\xfd", message="��"),
    "a URL with secrets": Quoted(
        {"message": "see https://u:s3cret@h.example.com/a?sig=s1gned"},
        message="see https://h.example.com/a",
    ),
    "a long message": Quoted({"message": "x" * 1000}, message="x" * 199 + "…"),
}


@pytest.mark.parametrize("row", QUOTED.values(), ids=QUOTED)
def test_code_and_message_are_read_where_they_usually_are_or_the_body_is_quoted(row: Quoted):
    assert responses.code_and_message(response(400, row.body).body) == (row.code, row.message)


class Advice(NamedTuple):
    """What the error of a status advises, by what was requested."""

    request: Request
    status: int
    advice: str


ADVICE = [
    Advice(READ, 401, "Campaign API key"),
    Advice(SEGMENT, 401, "Data API key"),
    Advice(READ, 404, "set the connection's extra paths"),
    Advice(UPLOAD, 404, "Check the identifier"),
    Advice(UPLOAD, 407, "The proxy requires"),
    Advice(READ, 503, "a gateway in front of it"),
    Advice(UPLOAD, 400, "Correct what the response names in the task's arguments"),
    Advice(UPLOAD, 403, "a gateway, a firewall or a proxy in between may have refused"),
    Advice(CATALOG, 409, "Choose another name"),
    Advice(CATALOG, 413, "Make the task's arguments smaller"),
    Advice(UPLOAD, 418, "and what stands between you and the service"),
    Advice(READ, 302, "this one leads to 'https://login.example.com/in'"),
]


@pytest.mark.parametrize(
    "row", ADVICE, ids=lambda row: f"{row.status} {row.request.operation.name}"
)
def test_an_error_says_what_to_do(row: Advice):
    location = "https://login.example.com/in?token=s3cret"
    error = responses.error_of(row.request, response(row.status, location=location))
    assert row.advice in str(error)


ALL_REQUESTS = {**REQUESTS, "catalog": CATALOG}
IN_BETWEEN: dict[str, Any] = {
    "no body": b"",
    "a page": b"<html>Access denied | Some firewall</html>",
    "a string": b"Forbidden",
    "a message": {"message": "Forbidden"},
    "an error that is a string": {"error": "blocked by policy"},
}


@pytest.mark.parametrize("body", IN_BETWEEN.values(), ids=IN_BETWEEN)
@pytest.mark.parametrize("request_", ALL_REQUESTS.values(), ids=ALL_REQUESTS)
def test_a_403_without_a_code_may_be_that_of_somebody_in_between(request_: Request, body: Any):
    message = str(responses.error_of(request_, response(403, body)))
    assert "a gateway, a firewall or a proxy" in message
    assert "the service's support" in message


@pytest.mark.parametrize("request_", ALL_REQUESTS.values(), ids=ALL_REQUESTS)
def test_a_403_with_a_code_is_the_services(request_: Request):
    body = {"error": {"code": "request-forbidden", "message": "no"}}
    message = str(responses.error_of(request_, response(403, body)))
    assert "The account may" in message
    assert "the service's support" in message
