"""
The path of one file is *not proved* if the file gets an error there. An uploaded file's error is
quoted, and support is to be asked; a 401 is about no path; a 403 where paths that there are not get
404 is of a key that may not read a file there. Of a file of the list, the first of
these says what to do. 401: run again later. The same 403 as a path that does not exist (nowhere): in a
gateway's words for that there is no such path; in words about a permission what refuses does not
look at the path, which may be right; in any others it may be either. Another 403, or a 404 about permissions: the path may be right, and access is
missing. 400: it is quoted. A 404 in other words than nowhere: the path may be right, and an upload
shows it. Web pages with 200 at each path: they are not the service's. Anything else: no path shows
a file. If the search ended early, the reason is added, but not for an uploaded file.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FORBIDDEN,
    NOT_FOUND,
    PAGE,
    Said,
    ids,
    nowhere,
)
from support.doctor_paths import (
    LIST_WITH_F1,
    NAMING_SPRING,
    NO_SCOPE,
    NOT_PROVED,
    STRANGE,
    PathCase,
    check_file,
    file_elsewhere,
    given_file,
    given_list,
)
from support.doctor_replies import error_body
from wes_provider.doctor.replies.probes import Question

NO_ROUTE = {"message": "Missing Authentication Token"}
NO_PERMISSION = {"message": "User is not authorized to access this resource"}
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
        "403 after an upload, and 404 at another path",
        [given_file(403, FORBIDDEN), file_elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: 'Not you', "
            "and other paths get 404, so the path is right, and the key may not read a file there. "
            "Ask the service's support for access.",
        ),
        uploaded="f1",
    ),
    PathCase(
        "403 after an upload, and nowhere 404",
        [nowhere(), given_file(403, FORBIDDEN), file_elsewhere(403, FORBIDDEN)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: 'Not you', "
            "and other paths get 404, so the path is right, and the key may not read a file there. "
            "Ask the service's support for access.",
        ),
        uploaded="f1",
    ),
    PathCase(
        "403 after an upload, and nowhere, too",
        [nowhere(403, FORBIDDEN), given_file(403, FORBIDDEN), file_elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: 'Not you'. "
            "None of these paths shows the uploaded file: ask the service's support for the path "
            "of one file.",
        ),
        uploaded="f1",
    ),
    PathCase(
        "401 after an upload",
        [given_file(401, b"")],
        Said(
            NOT_PROVED,
            "Not shown: reads of the uploaded file got 401, which is about no path. Run this again "
            "without --upload, once the service answers.",
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
        "403 as nowhere, in the words of a gateway for no path",
        [given_list(200, NAMING_SPRING), nowhere(403, NO_ROUTE), given_file(403, NO_ROUTE)],
        Said(
            NOT_PROVED,
            "The service replies 403 to GET /v1/coupon-list/spring/files/f1: 'Missing "
            "Authentication Token', and the same to a path that does not exist, so it has no such "
            "path, whatever the key is. This path does not show a file of the list; "
            "--upload URL tries more, or ask the service's support.",
        ),
    ),
    PathCase(
        "403 as nowhere, in words about a permission",
        [
            given_list(200, NAMING_SPRING),
            nowhere(403, NO_PERMISSION),
            given_file(403, NO_PERMISSION),
        ],
        Said(
            NOT_PROVED,
            "The service replies 403 to GET /v1/coupon-list/spring/files/f1: 'User is not "
            "authorized to access this resource', and the same to a path that does not exist, so "
            "what refuses does not look at the path, which may be right. Ask an administrator of "
            "the account, or whoever runs the gateway, what this key may read.",
        ),
    ),
    PathCase(
        "403 as nowhere",
        [given_list(200, NAMING_SPRING), nowhere(403, FORBIDDEN), given_file(403, FORBIDDEN)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: "
            "'Not you', and the same to a path that does not exist: either it has no such "
            "path, or the key may not read it. This path does not show a file of the list; "
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
        [*LIST_WITH_F1, given_file(404, error_body("", "No such file."))],
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
