"""
The list is read once at another address, if a redirect of the same path names one on another port,
or if redirects of the list and of a path that does not exist lead below one address; and if the
error of each path names a part that paths begin with, with the login in it; and, if it is not
found, at the address without a version at its end. A path that does not
exist is read once if the list is redirected to another path, has no JSON, or is refused twice with
a page. If both lead to one page of this host, that is read once; one of another host is not. A
cookie is sent back that came with a redirect of the list to itself. Segments are read once if the
list is redirected to the same path of another host; not if an error names that host.

Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    LIST_AT,
    PAGE,
    ids,
    listed,
    nowhere,
    redirected,
    segment,
)
from support.doctor_questions import (
    ADDRESS_WITHOUT_VERSION,
    ANOTHER_PATH,
    AWAY,
    COOKIE,
    GIVEN,
    MOVED_ADDRESS,
    NAMED_ADDRESS,
    ODD,
    OTHER_ADDRESS,
    READ_PAGE,
    SEGMENTS_BESIDE,
    SETTLED,
    STRANGE,
    QuestionCase,
    below,
    elsewhere,
    list_read_twice,
    list_refused_twice,
    next_step,
)
from support.doctor_replies import LIST, changed, error_body, reply
from wes_provider.doctor.reads.evidence import list_at
from wes_provider.doctor.replies.probes import Question

FOR_OTHER_ADDRESS = [
    QuestionCase("files", [listed(200, FILES)], SETTLED),
    QuestionCase(
        "a redirect to another port",
        [redirected(f"https://api.example.com:8443{LIST_AT}")],
        "own :8443/v1/coupon-list/spring/files; tries https://api.example.com:8443",
    ),
    QuestionCase(
        "a redirect to another port that adds a slash",
        [redirected(f"https://api.example.com:8443{LIST_AT}/")],
        SETTLED,
    ),
    QuestionCase(
        "a redirect to another port, and it was read",
        [redirected(f"https://api.example.com:8443{LIST_AT}"), elsewhere()],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_OTHER_ADDRESS, ids=ids(FOR_OTHER_ADDRESS))
def test_the_list_is_read_once_at_the_address_that_a_redirect_of_the_same_path_names(
    row: QuestionCase,
):
    assert next_step(OTHER_ADDRESS, row) == row.step


HOST = "https://api.example.com"
FOR_ADDRESS_WITHOUT_VERSION = [
    QuestionCase(
        "files", [listed(200, FILES)], SETTLED, known={"settings": changed(base_url=f"{HOST}/v1")}
    ),
    QuestionCase("404, and no version", [listed(404)], SETTLED),
    QuestionCase(
        "404, and a version at the end",
        [reply(404, request=list_at(changed(base_url=f"{HOST}/v1"), GIVEN, LIST))],
        "own /v1/coupon-list/spring/files; tries https://api.example.com",
        known={"settings": changed(base_url=f"{HOST}/v1")},
    ),
    QuestionCase(
        "404, and a version before the end",
        [reply(404, request=list_at(changed(base_url=f"{HOST}/v1/x"), GIVEN, LIST))],
        SETTLED,
        known={"settings": changed(base_url=f"{HOST}/v1/x")},
    ),
]


@pytest.mark.parametrize("row", FOR_ADDRESS_WITHOUT_VERSION, ids=ids(FOR_ADDRESS_WITHOUT_VERSION))
def test_a_list_that_is_not_found_is_read_at_the_address_without_a_version_at_its_end(
    row: QuestionCase,
):
    assert next_step(ADDRESS_WITHOUT_VERSION, row) == row.step


FOR_ANOTHER_PATH = [
    QuestionCase(
        "a redirect to another path",
        [redirected(AWAY)],
        "own /v1/wes-doctor-no-such-path/wes-doctor",
    ),
    QuestionCase(
        "a redirect to another path, and nowhere was read", [redirected(AWAY), nowhere()], SETTLED
    ),
    QuestionCase("no JSON", [ODD], "own /v1/wes-doctor-no-such-path/wes-doctor"),
    QuestionCase("CSV", [listed(200, "_id,status")], "own /v1/wes-doctor-no-such-path/wes-doctor"),
    QuestionCase(
        "401 with a page twice",
        list_refused_twice(PAGE),
        "own /v1/wes-doctor-no-such-path/wes-doctor",
    ),
    QuestionCase("files", [listed(200, FILES)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_ANOTHER_PATH, ids=ids(FOR_ANOTHER_PATH))
def test_a_path_that_does_not_exist_is_read_once_if_the_list_is_odd(
    row: QuestionCase,
):
    assert next_step(ANOTHER_PATH, row) == row.step


FOR_READ_PAGE = [
    QuestionCase(
        "the list and nowhere lead to one page",
        [redirected(AWAY), redirected(AWAY, question=Question.NO_SUCH_PATH)],
        "own /away",
    ),
    QuestionCase(
        "the list and nowhere lead to one page of another host",
        [
            redirected("https://files.example.org/a"),
            redirected("https://files.example.org/a", question=Question.NO_SUCH_PATH),
        ],
        SETTLED,
    ),
    QuestionCase("the list leads to a page, and nowhere was not read", [redirected(AWAY)], SETTLED),
    QuestionCase(
        "the list and nowhere lead to one page, and it was read",
        [
            redirected(AWAY),
            redirected(AWAY, question=Question.NO_SUCH_PATH),
            reply(200, PAGE, question=Question.PAGE, request=listed().request._replace(url=AWAY)),
        ],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_READ_PAGE, ids=ids(FOR_READ_PAGE))
def test_the_page_of_this_host_that_list_and_nowhere_lead_to_is_read_once(row: QuestionCase):
    assert next_step(READ_PAGE, row) == row.step


FOR_COOKIE = [
    QuestionCase(
        "a redirect to itself with a cookie",
        [reply(302, headers={"location": LIST_AT, "set-cookie": "a=b; Path=/"})],
        "own /v1/coupon-list/spring/files; Cookie=a=b; tries a",
    ),
    QuestionCase("files", [listed(200, FILES)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_COOKIE, ids=ids(FOR_COOKIE))
def test_a_cookie_is_sent_back_that_came_with_a_redirect_of_the_list_to_itself(row: QuestionCase):
    assert next_step(COOKIE, row) == row.step


FOR_SEGMENTS_BESIDE = [
    QuestionCase(
        "a redirect to the same path of another host",
        [redirected(f"https://files.example.org{LIST_AT}")],
        "own /v3/custom-segments/wes-doctor",
    ),
    QuestionCase(
        "a redirect to the same path of another host, and segments were read",
        [redirected(f"https://files.example.org{LIST_AT}"), segment()],
        SETTLED,
    ),
    QuestionCase("a redirect to another path", [redirected(AWAY)], SETTLED),
    QuestionCase(
        "an error that names another host",
        [listed(404, error_body("", "Use https://files.example.org instead"))],
        SETTLED,
    ),
    QuestionCase("nothing was read", [], SETTLED),
]


@pytest.mark.parametrize("row", FOR_SEGMENTS_BESIDE, ids=ids(FOR_SEGMENTS_BESIDE))
def test_segments_are_read_once_if_the_list_is_redirected_to_the_same_path_of_another_host(
    row: QuestionCase,
):
    assert next_step(SEGMENTS_BESIDE, row) == row.step


FOR_MOVED_ADDRESS = [
    QuestionCase(
        "the list and nowhere lead below another address",
        [below(listed()), below(nowhere())],
        "own /gw/v1/coupon-list/spring/files; tries https://api.example.com/gw",
    ),
    QuestionCase(
        "the list and nowhere lead below another address, and it was read",
        [below(listed()), below(nowhere()), elsewhere()],
        SETTLED,
    ),
    QuestionCase("files, and nowhere 404", [listed(200, FILES), nowhere()], SETTLED),
]


@pytest.mark.parametrize("row", FOR_MOVED_ADDRESS, ids=ids(FOR_MOVED_ADDRESS))
def test_the_list_is_read_once_at_the_address_that_list_and_nowhere_lead_below(row: QuestionCase):
    assert next_step(MOVED_ADDRESS, row) == row.step


FOR_NAMED_ADDRESS = [
    QuestionCase(
        "400 with another path twice, and nowhere",
        [
            *list_read_twice(400, error_body("", "Use /t/{tenant}/v1 here.")),
            nowhere(400, error_body("", "Use /t/{tenant}/v1 here.")),
        ],
        ("own /t/workspace/v1/coupon-list/spring/files; tries https://api.example.com/t/workspace"),
    ),
    QuestionCase(
        "400 twice, and nowhere",
        [*list_read_twice(400, STRANGE), nowhere(400, STRANGE)],
        SETTLED,
    ),
    QuestionCase("files", [listed(200, FILES)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_NAMED_ADDRESS, ids=ids(FOR_NAMED_ADDRESS))
def test_the_list_is_read_at_the_address_with_the_part_that_the_error_of_each_path_names(
    row: QuestionCase,
):
    assert next_step(NAMED_ADDRESS, row) == row.step
