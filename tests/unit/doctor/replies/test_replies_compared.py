"""
Two requests are the same if method, URL, headers and keys are, whatever they are asked for and get.

Two replies are the same if status and form are, and their bodies, up to 2,000 characters, but for
slashes, words with a digit in both, and the parts of their paths, escaped or not (parts of fewer
than four characters only behind a slash). Binary bodies have to be equal. A reply is told from others by its kind, its status, and 60 characters of
its code, or that a success has an error; it is called by status and code, or as not the service's.
A redirect adds parameters if it changes nothing but the query: those with another name or value.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_replies import error_body, reply, request_for
from wes_provider.doctor.replies.probes import (
    Answer,
    Keys,
    Kind,
    Probe,
    Question,
    identity_of,
    same_reply,
    same_request,
)


def test_two_requests_are_the_same_whatever_they_are_asked_for_and_get():
    made_up = reply(401, keys=Keys.MADE_UP)
    assert same_request(made_up, reply(500, question=Question.AGAIN, keys=Keys.MADE_UP))


def test_two_requests_with_other_keys_differ():
    assert not same_request(reply(401, keys=Keys.MADE_UP), reply(401))


def test_two_requests_with_other_headers_differ():
    probe = reply(401)
    other = probe.request._replace(headers={**probe.request.headers, "X-A": "b"})
    assert identity_of(other, Keys.OWN) != probe.identity


class Compared(NamedTuple):
    """The bodies of two replies with one status, and whether the replies are the same."""

    name: str
    first: str | bytes
    second: str | bytes
    is_same: bool


COMPARED = [
    Compared("no body twice", "", "", is_same=True),
    Compared("one text and another", "a", "b", is_same=False),
    Compared("text and a page", "a", "<a>", is_same=False),
    Compared(
        "words with digits, such as times",
        "at 10:00:01, id a-1b",
        "at 10:02:03, id c2d",
        is_same=True,
    ),
    Compared("a word with a digit and one without", "at 10", "at ten", is_same=False),
    Compared(
        "other ends behind 2,000 characters", "x" * 2000 + "a", "x" * 2000 + "b", is_same=True
    ),
    Compared(
        "other ends after 1,999 characters", "x" * 1999 + "a", "x" * 1999 + "b", is_same=False
    ),
    Compared("binary and the same binary", b"\x00\x01", b"\x00\x01", is_same=True),
    Compared("binary and another binary", b"\x00\x01", b"\x00\x02", is_same=False),
    # Of the paths /v1/coupon-list/spring/files and /v1/wes-doctor/spring:
    Compared(
        "the path of each",
        "no /v1/coupon-list/spring/files",
        "no /v1/wes-doctor/spring",
        is_same=True,
    ),
    Compared("a part of the path of each", "no coupon-list", "no wes-doctor", is_same=True),
    Compared("a part of a path in one of them", "no files, no", "no , no", is_same=True),
    Compared("a part of the path of the other", "no wes-doctor", "no coupon-list", is_same=True),
    Compared(
        "the path of each, without its first slash",
        "no v1/coupon-list/spring/files.",
        "no v1/wes-doctor/spring.",
        is_same=True,
    ),
    Compared(
        "the path of each, without its first part",
        "no /coupon-list/spring/files",
        "no /wes-doctor/spring",
        is_same=True,
    ),
    Compared(
        "the path of each, below another path",
        "no /svc/coupon-list/spring/files",
        "no /svc/wes-doctor/spring",
        is_same=True,
    ),
    Compared("other paths", "no /a/x", "no /a/y", is_same=False),
    Compared("words that are no part of a path", "v1 or x", "v1 or y", is_same=False),
]


@pytest.mark.parametrize("row", COMPARED, ids=[row.name for row in COMPARED])
def test_two_replies_of_one_status_are_the_same_but_for_parts_of_their_paths_and_words_with_digits(
    row: Compared,
):
    first = reply(404, row.first)
    second = reply(404, row.second, request=request_for(Question.NO_SUCH_PATH))
    assert same_reply(first, second) is row.is_same


def without(part: str) -> bool:
    """
    Whether a reply that repeats a part of its path is the same as one that does not.

    :param part: the first one of the path, whatever else is in it.
    """
    request = request_for(Question.LIST, path=f"/{part}/{{coupon_list_id}}")
    return same_reply(reply(404, f"{part}, no", request=request), reply(404, ", no"))


def test_a_part_of_a_path_with_four_characters_is_left_out():
    assert without("wxyz")


def test_a_part_of_a_path_with_three_characters_is_compared():
    """It may be a word of the reply."""
    assert not without("wxy")


def test_two_replies_of_other_status_are_not_the_same():
    assert not same_reply(reply(404, "a"), reply(403, "a"))


class Told(NamedTuple):
    """A reply, and what tells it from others."""

    name: str
    probe: Probe
    answer: Answer
    says: str


TOLD = [
    Told("a success", reply(200, []), Answer(Kind.ANSWER, 200, ""), "200"),
    Told("a code", reply(400, error_body("c", "m")), Answer(Kind.ANSWER, 400, "c"), "400 c"),
    Told(
        "a code of 61 characters",
        reply(400, error_body("c" * 61, "m")),
        Answer(Kind.ANSWER, 400, "c" * 60),
        f"400 {'c' * 60}",
    ),
    Told(
        "a success with an error without a code",
        reply(200, {"success": False}),
        Answer(Kind.ANSWER, 200, "with an error"),
        "200 with an error",
    ),
    Told(
        "a page",
        reply(403, "<p>"),
        Answer(Kind.NOT_SERVICE, 403, ""),
        "403 that is not the service's",
    ),
]


@pytest.mark.parametrize("row", TOLD, ids=[row.name for row in TOLD])
def test_a_reply_is_told_from_others_by_kind_status_and_60_characters_of_its_code(row: Told):
    assert row.probe.answer == row.answer


@pytest.mark.parametrize("row", TOLD, ids=[row.name for row in TOLD])
def test_an_answer_is_called_by_its_status_and_60_characters_of_its_code(row: Told):
    assert str(row.probe.answer) == row.says


class Redirected(NamedTuple):
    """Where a request with ``limit=5`` is redirected to, and the parameters that this adds."""

    name: str
    location: str
    added: list[str]


AT = "https://api.example.com/v1/coupon-list/spring/files"
REDIRECTED = [
    Redirected("the same URL", f"{AT}?limit=5", []),
    Redirected("one more parameter", f"{AT}?limit=5&wid=a", ["wid"]),
    Redirected("one more parameter, as a path", "/v1/coupon-list/spring/files?wid=a", ["wid"]),
    Redirected("two more parameters", f"{AT}?limit=5&wid=a&v=", ["wid", "v"]),
    Redirected("another value of its parameter", f"{AT}?limit=6", ["limit"]),
    Redirected("another path", f"{AT}/x?wid=a", []),
    Redirected("another host", f"{AT.replace('api', 'web')}?wid=a", []),
    Redirected("another scheme", f"{AT.replace('https', 'http')}?wid=a", []),
]


@pytest.mark.parametrize("row", REDIRECTED, ids=[row.name for row in REDIRECTED])
def test_a_redirect_adds_parameters_if_it_changes_nothing_else(row: Redirected):
    request = request_for(Question.LIST, path="/v1/coupon-list/{coupon_list_id}/files?limit=5")
    probe = reply(302, b"", {"location": row.location}, request=request)
    assert probe.added_parameters == row.added


def test_two_replies_of_another_form_differ_though_they_differ_in_words_with_digits_only():
    assert not same_reply(reply(400, "12"), reply(400, "x12"))
