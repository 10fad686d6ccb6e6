"""What came at each path, and whether an error is about the path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    PAGE,
    at_path,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
    redirected,
    with_headers,
    with_made_up_value,
)
from support.doctor_replies import (
    SETTINGS,
    changed,
    error,
    evidence_of,
    reply,
    request_for,
)
from support.doctor_service import LIST
from wes_provider import contract
from wes_provider.client import requests
from wes_provider.doctor import facts
from wes_provider.doctor.evidence import MADE_UP
from wes_provider.doctor.probes import Probe, Question

SCOPE = error("", "The key lacks the scope coupons:read")
GIVEN = contract.COUPON_FILES_PATH
BAD = error("bad", "Never.")


class Shown(NamedTuple):
    """Replies, and whether they show something."""

    name: str
    probes: Sequence[Probe]
    holds: bool


def file_at(path: str, status: int, content: Any = b"", file_id: str = "f1") -> Probe:
    """The read of one file at another path."""
    request = request_for(Question.FILE_PATH, path=path, file_id=file_id)
    return at_path(path, status, content, Question.FILE_PATH, request=request)


class Tried(NamedTuple):
    """
    Replies, and what came at each path.

    :ivar lists: the number of the reply that counts for a list at a path; ``files``: of one file.
    :ivar file_id: the file that was read last.
    """

    name: str
    probes: Sequence[Probe]
    lists: Mapping[str, int] = {}
    files: Mapping[str, int] = {}
    file_id: str = MADE_UP


ONE = "/one/{coupon_file_id}"
TRIED = [
    # Reads of lists.
    Tried("nothing", []),
    Tried("the list", [listed(404)], {GIVEN: 0}),
    Tried(
        "the list: the first that settles something counts",
        [listed(200, PAGE), listed(404), listed(200, [])],
        {GIVEN: 1},
    ),
    Tried(
        "the list: the first counts if none settles anything",
        [listed(200, PAGE), listed(401)],
        {GIVEN: 0},
    ),
    Tried(
        "other paths: the first reply at each counts",
        [
            listed(404),
            at_path("/a", 404),
            at_path("/b", 200, [], Question.WHOLE_LIST),
            at_path("/a", 200, []),
        ],
        {GIVEN: 0, "/a": 1, "/b": 2},
    ),
    Tried("another path alone", [at_path("/a", 200, [])], {"/a": 0}),
    # Reads of one file.
    Tried(
        "one file: the success counts, whatever comes before and after",
        [
            file_at(ONE, 404),
            file_at(ONE, 200, FILES[0]),
            file_at(ONE, 500, b"", "f3"),
            file_at(ONE, 404, b"", "f2"),
        ],
        files={ONE: 1},
        file_id="f2",
    ),
    Tried(
        "one file: the first of two successes counts",
        [file_at(ONE, 200, FILES[0]), file_at(ONE, 200, FILES[1], "f2")],
        files={ONE: 0},
        file_id="f2",
    ),
    Tried(
        "one file: the last of two failures counts",
        [file_at(ONE, 404), file_at(ONE, 401)],
        files={ONE: 1},
        file_id="f1",
    ),
]


@pytest.mark.parametrize("row", TRIED, ids=ids(TRIED))
def test_of_the_replies_at_a_path_the_first_counts_that_settles_something_or_has_the_file(
    row: Tried,
):
    """The table has reads of lists, then reads of one file."""
    places = facts.places(evidence_of(*row.probes))
    assert {path: id(probe) for path, probe in places.lists.items()} == {
        path: id(row.probes[number]) for path, number in row.lists.items()
    }
    assert [*places.lists] == [*row.lists]
    assert {path: id(probe) for path, probe in places.files.items()} == {
        path: id(row.probes[number]) for path, number in row.files.items()
    }
    assert places.file_id == row.file_id


class Upload(NamedTuple):
    """Replies at the path of uploads, and the number of the redirect; ``None`` for none."""

    name: str
    probes: Sequence[Probe]
    number: int | None


UPLOADS = [
    Upload("nothing", [], None),
    Upload("no redirect", [listed(200, FILES)], None),
    Upload("a redirect to another path", [redirected("/v2/files")], 0),
    Upload("a redirect to another host", [redirected("https://api.example.org/v2/files")], None),
    Upload(
        "a redirect to another host, and files elsewhere at this one",
        [redirected("https://api.example.org/v2/files"), at_path("/a", 200, FILES)],
        0,
    ),
    Upload(
        "a redirect to another port", [redirected("https://api.example.com:8443/v2/files")], None
    ),
    Upload("a redirect to another scheme", [redirected("http://api.example.com/v2/files")], 0),
    Upload(
        "files, then two redirects", [listed(200, FILES), redirected("/a"), redirected("/b")], 1
    ),
    Upload("a page with a location", [listed(200, PAGE, headers={"location": "/v2"})], None),
    Upload(
        "another path that is redirected",
        [redirected("/a", request=request_for(Question.LIST, path="/x"))],
        None,
    ),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_uploads_are_redirected_if_their_path_is_and_the_service_is_at_this_host(row: Upload):
    found = facts.redirect_of_uploads(evidence_of(*row.probes))
    assert found is (None if row.number is None else row.probes[row.number])


class Nowhere(NamedTuple):
    """
    A reply, those to paths that do not exist, and what follows if they are compared.

    :ivar knows: whether a 404 is not about the path; ``is_like``: whether a 403 is;
        ``is_of_gateway``: whether a gateway says so.
    """

    name: str
    probe: Probe
    others: Sequence[Probe]
    knows: bool = False
    is_like: bool = False
    is_of_gateway: bool = False


OF_AWS = error("", "Missing Authentication Token")
NOWHERES = [
    # A 404, which may be about something else than the path.
    Nowhere("another 404", listed(404, BAD), [nowhere()], knows=True),
    Nowhere("the same 404", listed(404, NOT_FOUND), [nowhere()]),
    Nowhere(
        "another 404, and then the same",
        listed(404, NOT_FOUND),
        [nowhere(404, BAD), nowhere()],
        knows=True,
    ),
    Nowhere("a 404 with a page", listed(404, PAGE), [nowhere()]),
    Nowhere("a 404 with nothing to compare with", listed(404, BAD), []),
    Nowhere("a 405", listed(405, BAD), [nowhere()]),
    Nowhere("the same 404, in a gateway's words", listed(404, OF_AWS), [nowhere(404, OF_AWS)]),
    # A 403, which may be about the path.
    Nowhere("a 403 with nothing to compare with", listed(403, BAD), []),
    Nowhere("the same 403", listed(403, BAD), [nowhere(403, BAD)], is_like=True),
    Nowhere(
        "the same 403, and then a 404",
        listed(403, BAD),
        [nowhere(403, BAD), nowhere()],
        is_like=True,
    ),
    Nowhere("a 404, and then the same 403", listed(403, BAD), [nowhere(), nowhere(403, BAD)]),
    Nowhere("a 403 with other words", listed(403, BAD), [nowhere(403, error("bad", "Other."))]),
    Nowhere("a 403 with another code", listed(403, BAD), [nowhere(403, FORBIDDEN)]),
    Nowhere(
        "the same 403, in a gateway's words",
        listed(403, OF_AWS),
        [nowhere(403, OF_AWS)],
        is_like=True,
        is_of_gateway=True,
    ),
    Nowhere(
        "a 403 in a gateway's words, and another 403", listed(403, OF_AWS), [nowhere(403, BAD)]
    ),
]


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_404_is_not_about_the_path_if_another_one_comes_where_no_path_is(row: Nowhere):
    assert facts.knows_path(evidence_of(*row.others), row.probe) is row.knows


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_403_is_about_the_path_if_the_same_comes_where_no_path_is(row: Nowhere):
    assert facts.is_like_nowhere(evidence_of(*row.others), row.probe) is row.is_like


@pytest.mark.parametrize("row", NOWHERES, ids=ids(NOWHERES))
def test_a_403_is_a_gateways_if_it_is_about_the_path_in_the_words_of_a_gateway(row: Nowhere):
    found = facts.is_no_path_of_gateway(evidence_of(*row.others), row.probe)
    assert found is row.is_of_gateway


HIDING = [
    Shown("a 404 about a scope", [listed(404, SCOPE)], holds=True),
    Shown("a 403 about a scope", [listed(403, SCOPE)], holds=False),
    Shown("a 404 about nothing", [listed(404, NOT_FOUND)], holds=False),
]


@pytest.mark.parametrize("row", HIDING, ids=ids(HIDING))
def test_a_404_hides_what_there_is_if_its_words_are_about_a_permission(row: Shown):
    assert facts.hides(row.probes[0]) is row.holds


def changing(message: str, status: int = 400) -> Probe:
    """A refused upload."""
    request = requests.upload(SETTINGS, LIST, {"file_url": "https://files.example.com/a.csv"})
    return reply(status, error("", message), request=request, question=Question.WRITE)


class Failing(NamedTuple):
    """Replies, and how many of them are said to have failed; empty if that is not said."""

    name: str
    probes: Sequence[Probe]
    says: str


FAILURES = [
    Failing("none", [listed(200, FILES)], ""),
    Failing("two", [listed(502), listed(503), listed(200, FILES)], ""),
    Failing(
        "three",
        [listed(503), listed(502), listed(502), listed(200, FILES), lost()],
        "3 of 4 replies were 502, 503",
    ),
    Failing("three at a path that got nothing else", [*3 * [listed(502)], nowhere()], ""),
    Failing(
        "three at two paths, of which one got something else",
        [listed(502), *2 * [nowhere(500)], nowhere()],
        "3 of 4 replies were 500, 502",
    ),
    Failing(
        "three, and a made-up key got something else at their path",
        [*3 * [listed(500)], made_up()],
        "3 of 4 replies were 500",
    ),
    Failing(
        "three, the highest number first",
        [listed(520), listed(502), listed(502), listed(200, FILES)],
        "3 of 4 replies were 502, 520",
    ),
    Failing(
        "three of another method at the same path",
        [*3 * [changing("", 500)], listed(200, FILES)],
        "",
    ),
    Failing(
        "three by a limit, as their words say",
        [*3 * [listed(500, {"message": "Spike arrest violation"})], listed(200, FILES)],
        "",
    ),
    Failing("three with 499", [*3 * [listed(499)], listed(200, FILES)], ""),
]


@pytest.mark.parametrize("row", FAILURES, ids=ids(FAILURES))
def test_three_failures_are_counted_if_the_same_request_got_something_else(row: Failing):
    assert facts.failing_replies(evidence_of(*row.probes)) == row.says


FOUND_IN_X_APP_ID = [
    *2 * [listed(401)],
    *2 * [with_headers("X-App-Id")],
    with_made_up_value("X-App-Id"),
]


def test_a_read_with_a_header_that_is_proved_is_what_came_at_the_path_of_the_list():
    lists = facts.places(evidence_of(*FOUND_IN_X_APP_ID)).lists
    assert {path: id(probe) for path, probe in lists.items()} == {GIVEN: id(FOUND_IN_X_APP_ID[2])}


def test_the_read_of_the_path_of_uploads_has_the_header_that_is_proved():
    read = facts.read_of_upload_path(evidence_of(*FOUND_IN_X_APP_ID))
    assert read == request_for(Question.LIST, changed(workspace_header="X-App-Id"))
