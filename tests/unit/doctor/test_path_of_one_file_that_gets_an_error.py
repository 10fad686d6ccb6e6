"""
The path of one file is *not proved* if the file gets an error or a redirect there. The first of
these says why.

A redirect to the same path with another identifier or list, or with the same one encoded otherwise,
names that; one to another host is not followed; one to another path of this host only shows no
file. An identifier such as a/b, which is sent escaped, may be refused for that if each path of it
gets the same, and a path that does not exist was read and got another reply. An uploaded file's
error is quoted, whatever its status.

Of a file of the list: 401 says to run again later; a 403 that a path that does not exist (nowhere)
gets, too, that there is no such path; another 403, or a 404 about permissions, that access is
missing; 400 is quoted; a 404 in other words than such a path gets, that an upload shows it. Pages
with 200 at each path are not the service's. Anything else shows no file. If the search ended early,
that is added, except for an uploaded file.
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
    NAMING_SPRING,
    NO_SCOPE,
    NOT_PROVED,
    OTHER_FILE,
    STRANGE,
    PathCase,
    check_file,
    file_elsewhere,
    given_file,
    given_list,
)
from support.doctor_replies import error, request_for
from support.doctor_service import record
from wes_provider.doctor.probes import Question

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


UPLOADED_FILE = [
    PathCase(
        "404 after an upload",
        [given_file(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files/f1: "
            "'Nothing is here'. This path does not show the uploaded file: ask the "
            "service's support for the path of one file.",
        ),
        uploaded="f1",
    ),
    PathCase(
        "404 at two paths after an upload",
        [given_file(404, NOT_FOUND), file_elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files/f1: "
            "'Nothing is here'. None of these paths shows the uploaded file: ask the "
            "service's support for the path of one file.",
        ),
        uploaded="f1",
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    PathCase(
        "403 after an upload",
        [given_file(403, FORBIDDEN)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: "
            "'Not you'. This path does not show the uploaded file: ask the service's "
            "support for the path of one file.",
        ),
        uploaded="f1",
    ),
    PathCase(
        "401 after an upload",
        [given_file(401, b"")],
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files/f1. This path "
            "does not show the uploaded file: ask the service's support for the path "
            "of one file.",
        ),
        uploaded="f1",
    ),
]


@pytest.mark.parametrize("row", UPLOADED_FILE, ids=ids(UPLOADED_FILE))
def test_the_path_of_one_file_is_open_if_an_uploaded_file_gets_an_error(row: PathCase):
    check_file(row)


LISTED_FILE = [
    PathCase(
        "401",
        [*LIST_WITH_F1, given_file(401, b"")],
        Said(
            NOT_PROVED,
            "The read was refused (401) at 08:00:00 UTC, so it shows no path. Run this "
            "again later.",
        ),
    ),
    PathCase(
        "401, and nowhere 403",
        [*LIST_WITH_F1, nowhere(403, FORBIDDEN), given_file(401, b"")],
        Said(
            NOT_PROVED,
            "The read was refused (401) at 08:00:00 UTC, so it shows no path. Run this "
            "again later.",
        ),
    ),
    PathCase(
        "403",
        [*LIST_WITH_F1, given_file(403, FORBIDDEN)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: "
            "'Not you'. The path may be right. Ask the service's support for access.",
        ),
    ),
    PathCase(
        "403 as nowhere",
        [given_list(200, NAMING_SPRING), nowhere(403, FORBIDDEN), given_file(403, FORBIDDEN)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: "
            "'Not you', and the same to a path that does not exist, so it has no such "
            "path, whatever the key is. This path does not show a file of the list; "
            "--upload URL tries more, or ask the service's support. The search ended, "
            "because the time ran out.",
        ),
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    PathCase(
        "404 about a permission",
        [*LIST_WITH_F1, given_file(404, NO_SCOPE)],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files/f1: "
            "'Nothing here that your permissions show'. The path may be right. Ask an "
            "administrator of the account for a key with what it lacks.",
        ),
    ),
    PathCase(
        "404 in other words than nowhere",
        [*LIST_WITH_F1, given_file(404, error("", "No such file."))],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files/f1: 'No such "
            "file', and otherwise to a path that does not exist, so the path may be "
            "right. --upload URL shows it.",
        ),
    ),
    PathCase(
        "404 as nowhere",
        [*LIST_WITH_F1, given_file(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "404 as nowhere at two paths",
        [*LIST_WITH_F1, given_file(404, NOT_FOUND), file_elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "None of these paths shows a file of the list; --upload URL tries more, or "
            "ask the service's support. The search ended, because the time ran out.",
        ),
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    PathCase(
        "web pages with 200 at two paths",
        [*LIST_WITH_F1, given_file(200, PAGE), file_elsewhere(200, PAGE)],
        Said(
            NOT_PROVED,
            "What is not the service replied to each read of one file (200, a web page), so none "
            "shows whether there is such a path.",
        ),
    ),
    PathCase(
        "a web page with 200, and 404 as nowhere",
        [*LIST_WITH_F1, given_file(200, PAGE), file_elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "None of these paths shows a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "400",
        [*LIST_WITH_F1, given_file(400, STRANGE)],
        Said(
            NOT_PROVED,
            "The service replies 400 teapot to GET /v1/coupon-list/spring/files/f1: "
            "'Moon phase is unfavourable'. --upload URL tries more, or ask the "
            "service's support.",
        ),
    ),
]


@pytest.mark.parametrize("row", LISTED_FILE, ids=ids(LISTED_FILE))
def test_the_path_of_one_file_is_open_if_a_file_of_the_list_gets_an_error(row: PathCase):
    check_file(row)
