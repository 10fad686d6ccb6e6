"""
A request is printed with its reply in one line: method and path, what sets it apart, →, status,
form of the body, and the error's code and message; the problem, if no response came. What sets it
apart is a made-up or swapped key, the query that is tried, or headers, a value or a cookie that are
tried; of headers with more than 50 characters together, their number alone. A redirect or a
Location is shown without query, user and password; one that only adds to the query names its
parameters without their values. JSON of a standard, and wrapped JSON of a success, are called so.
Its time is that of the day.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_replies import error_body, reply
from wes_provider.doctor.replies.probes import (
    Keys,
    Probe,
    Question,
    with_query,
)


class Printed(NamedTuple):
    """A request and its reply, as people read both."""

    name: str
    probe: Probe
    says: str


LIST = "GET /v1/coupon-list/spring/files"
SENT = [
    Printed("no response", reply(0, problem="a reset"), f"{LIST} → a reset"),
    Printed("JSON", reply(200, []), f"{LIST} → 200, JSON"),
    Printed(
        "a standard",
        reply(200, "{}", {"content-type": "application/hal+json"}),
        f"{LIST} → 200, HAL (application/hal+json)",
    ),
    Printed("an error", reply(400, error_body("c", "m")), f"{LIST} → 400, JSON: c: m"),
    Printed(
        "an error in a success",
        reply(200, error_body("c", "m")),
        f"{LIST} → 200, JSON with an error: c: m",
    ),
    Printed(
        "a code in a success",
        reply(200, {"success": False, "code": 401}),
        f"{LIST} → 200, JSON with code 401",
    ),
    Printed(
        "a redirect",
        reply(302, b"", {"location": "/a?b=c"}),
        f"{LIST} → 302 to https://api.example.com/a, no body",
    ),
    Printed(
        "a redirect that adds to the query",
        reply(307, b"", {"location": "/v1/coupon-list/spring/files?wid=secret&b="}),
        f"{LIST} → 307 to the same path with wid and b in its query, no body",
    ),
    Printed(
        "a redirect to another path with a query",
        reply(307, b"", {"location": "/v1/coupon-list/spring/files/?wid=secret"}),
        f"{LIST} → 307 to https://api.example.com/v1/coupon-list/spring/files/, no body",
    ),
    Printed(
        "a redirect to itself",
        reply(307, b"", {"location": "/v1/coupon-list/spring/files"}),
        f"{LIST} → 307 to https://api.example.com/v1/coupon-list/spring/files, no body",
    ),
    Printed(
        "a location",
        reply(201, [], {"location": "https://u:p@x.com/a?b"}),
        f"{LIST} → 201, Location https://x.com/a, JSON",
    ),
    Printed("a made-up key", reply(401, keys=Keys.MADE_UP), f"{LIST} (made-up key) → 401, no body"),
    Printed("swapped keys", reply(401, keys=Keys.SWAPPED), f"{LIST} (swapped key) → 401, no body"),
    Printed("a query", reply(200, tried="/a?limit=5"), f"{LIST} (with limit=5) → 200, no body"),
    Printed(
        "a header",
        reply(401, question=Question.HEADER, tried="A B"),
        f"{LIST} (with A, B) → 401, no body",
    ),
    Printed(
        "50 characters",
        reply(401, question=Question.HEADER, tried="A" * 24 + " " + "B" * 24),
        f"{LIST} (with {'A' * 24}, {'B' * 24}) → 401, no body",
    ),
    Printed(
        "51 characters",
        reply(401, question=Question.HEADER, tried="A" * 24 + " " + "B" * 25),
        f"{LIST} (with 2 usual headers) → 401, no body",
    ),
    Printed(
        "a value",
        reply(401, question=Question.HEADER_VALUE, tried="A"),
        f"{LIST} (with a made-up value in A) → 401, no body",
    ),
    Printed(
        "besides",
        reply(401, question=Question.HEADER_BESIDES, tried="A"),
        f"{LIST} (with A, too) → 401, no body",
    ),
    Printed(
        "a cookie",
        reply(401, question=Question.COOKIE, tried="A"),
        f"{LIST} (with the cookie A) → 401, no body",
    ),
    Printed(
        "a header that is none", reply(401, question=Question.HEADER), f"{LIST} → 401, no body"
    ),
    Printed(
        "a path", reply(401, question=Question.LIST_PATH, tried="/a"), f"{LIST} → 401, no body"
    ),
    Printed(
        "wrapped JSON in a success",
        reply(200, 'x({"a": 1});'),
        f"{LIST} → 200, JSON in a call of x(), as JSONP",
    ),
    Printed(
        "wrapped JSON in an error",
        reply(404, 'x({"a": 1});'),
        f'{LIST} → 404, text: x({{"a": 1}});',
    ),
]


@pytest.mark.parametrize("row", SENT, ids=[row.name for row in SENT])
def test_a_request_is_printed_with_what_came_in_one_line(row: Printed):
    assert str(row.probe) == row.says


def test_the_time_of_a_request_is_its_time_of_day():
    assert reply(401).time == "08:00:00"


def test_a_path_with_a_query_has_it_in_words():
    assert with_query("/a", "b=c") == "/a (with b=c)"


def test_a_path_without_a_query_stays_as_it_is():
    assert with_query("/a", "") == "/a"
