"""
The path of one file is *not proved* if the file is redirected. To the same path with another
identifier, the file is called so there; with another list, the list is, and is to be named so; with
the same identifier, encoded otherwise, no setting helps; to another host, it is not followed; to
another path of this host, no path shows a file.

It is *not proved*, too, if an identifier with characters that are sent escaped, such as a/b, gets
an error: a gateway may refuse such paths if each path of the file gets the same, and a path that
does not exist (nowhere) was read and got another reply. Else no path shows a file.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FORBIDDEN,
    LIST_AT,
    NOT_FOUND,
    PAGE,
    Said,
    at_path,
    ids,
    nowhere,
)
from support.doctor_paths import (
    LIST_WITH_F1,
    NOT_PROVED,
    OTHER_FILE,
    PathCase,
    check_file,
    given_file,
    given_list,
)
from support.doctor_replies import request_for
from support.doctor_service import record
from wes_provider.doctor.replies.probes import Question

FILE_REDIRECTED = [
    PathCase(
        "a redirect to another identifier",
        [*LIST_WITH_F1, given_file(302, b"", headers={"location": f"{LIST_AT}/g1"})],
        Said(
            NOT_PROVED,
            "The service redirects /v1/coupon-list/spring/files/f1 to the same path "
            "with g1 (302): the file f1 seems to be called g1 there, and redirects are "
            "not followed, so a task could not wait for it. No setting changes that: "
            "ask the service's support for lists that have the identifier of the path.",
        ),
    ),
    PathCase(
        "a redirect to another name of the list",
        [
            *LIST_WITH_F1,
            given_file(302, b"", headers={"location": "/v1/coupon-list/winter/files/f1"}),
        ],
        Said(
            NOT_PROVED,
            "The service redirects /v1/coupon-list/spring/files/f1 to the same path "
            "with winter (302): the list spring seems to be called winter. Name winter "
            "in --coupon-list, and in your tasks, and run this again.",
        ),
    ),
    PathCase(
        "a redirect to the same identifier, encoded otherwise",
        [*LIST_WITH_F1, given_file(302, b"", headers={"location": f"{LIST_AT}/%661"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 is redirected to "
            "https://api.example.com/v1/coupon-list/spring/files/%661, which has the "
            "same identifier, encoded otherwise. The provider encodes identifiers in "
            "one way only, and no setting changes that: ask the service's support to "
            "accept it, or use an identifier of letters, digits and hyphens.",
        ),
    ),
    PathCase(
        "a redirect to another host",
        [*LIST_WITH_F1, given_file(302, b"", headers={"location": "https://files.example.org/a"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 is redirected to "
            "https://files.example.org/a, which is not followed, since keys may not go "
            "there. No setting helps: ask the service's support for one file's record "
            "as JSON itself.",
        ),
    ),
    PathCase(
        "a redirect to another path of this host",
        [*LIST_WITH_F1, given_file(302, b"", headers={"location": "/away"})],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
]


@pytest.mark.parametrize("row", FILE_REDIRECTED, ids=ids(FILE_REDIRECTED))
def test_the_path_of_one_file_is_open_if_the_file_is_redirected(row: PathCase):
    check_file(row)


FILE_ESCAPED = [
    PathCase(
        "a page for an escaped slash",
        [given_list(200, [record("a/b")]), nowhere(), given_file(400, PAGE, "a/b")],
        Said(
            NOT_PROVED,
            "What replied sent 400, which is not the service's, to GET "
            "/v1/coupon-list/spring/files/a%2Fb: 'Hello'. Identifiers have '/' (%2F), "
            "which the provider sends escaped. A path that does not exist gets "
            "another reply, so a gateway may refuse such paths before the service sees "
            "them. Ask whoever runs it to let them pass, or the service's support for "
            "the path of one file.",
        ),
    ),
    PathCase(
        "a page for an escaped slash and space",
        [given_list(200, [record("a/b c")]), nowhere(), given_file(400, PAGE, "a/b c")],
        Said(
            NOT_PROVED,
            "What replied sent 400, which is not the service's, to GET "
            "/v1/coupon-list/spring/files/a%2Fb%20c: 'Hello'. Identifiers have '/' "
            "(%2F) and ' ' (%20), which the provider sends escaped. A path that does "
            "not exist gets another reply, so a gateway may refuse such paths before "
            "the service sees them. Ask whoever runs it to let them pass, or the "
            "service's support for the path of one file.",
        ),
    ),
    PathCase(
        "a page for an escaped slash, and nowhere",
        [given_list(200, [record("a/b")]), nowhere(400, PAGE), given_file(400, PAGE, "a/b")],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "a page for an escaped slash, and nowhere was not read",
        [given_list(200, [record("a/b")]), given_file(400, PAGE, "a/b")],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "a page for an escaped slash at one of two paths",
        [
            given_list(200, [record("a/b")]),
            nowhere(),
            given_file(400, PAGE, "a/b"),
            at_path(
                OTHER_FILE,
                404,
                NOT_FOUND,
                Question.FILE_PATH,
                request=request_for(Question.FILE_PATH, path=OTHER_FILE, file_id="a/b"),
            ),
        ],
        Said(
            NOT_PROVED,
            "None of these paths shows a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "a page for an escaped slash at two paths",
        [
            given_list(200, [record("a/b")]),
            nowhere(),
            given_file(400, PAGE, "a/b"),
            at_path(
                OTHER_FILE,
                400,
                PAGE,
                Question.FILE_PATH,
                request=request_for(Question.FILE_PATH, path=OTHER_FILE, file_id="a/b"),
            ),
        ],
        Said(
            NOT_PROVED,
            "What replied sent 400, which is not the service's, to GET "
            "/v1/coupon-list/spring/files/a%2Fb: 'Hello'. Identifiers have '/' (%2F), "
            "which the provider sends escaped. A path that does not exist gets "
            "another reply, so a gateway may refuse such paths before the service sees "
            "them. Ask whoever runs it to let them pass, or the service's support for "
            "the path of one file.",
        ),
    ),
    PathCase(
        "403 for an escaped slash, which is no page",
        [given_list(200, [record("a/b")]), nowhere(), given_file(403, FORBIDDEN, "a/b")],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET "
            "/v1/coupon-list/spring/files/a%2Fb: 'Not you'. Identifiers have '/' "
            "(%2F), which the provider sends escaped. A path that does not exist "
            "gets another reply, so a gateway may refuse such paths before the service "
            "sees them. Ask whoever runs it to let them pass, or the service's support "
            "for the path of one file.",
        ),
    ),
]


@pytest.mark.parametrize("row", FILE_ESCAPED, ids=ids(FILE_ESCAPED))
def test_an_escaped_identifier_may_be_refused_if_its_paths_get_a_page_and_another_path_does_not(
    row: PathCase,
):
    check_file(row)
