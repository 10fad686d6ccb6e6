"""
What is said of the path of one file, by what its own reads, those of the list and of a path that
does not exist get.

Nowhere is short for a path that does not exist.
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
    F1,
    GIVEN_FILE,
    LIST_WITH_F1,
    NAMING_OTHERS,
    NAMING_SPRING,
    NO_SCOPE,
    NOT_ASKED,
    NOT_PROVED,
    OTHER_FILE,
    STRANGE,
    SURE,
    WITHOUT_ID,
    WRAPPED,
    WRONG,
    PathCase,
    check_file,
    file_elsewhere,
    given_file,
    given_list,
    guessed,
    once_more,
)
from support.doctor_replies import MOMENT, error, request_for
from support.doctor_service import record
from wes_provider.doctor.evidence import MADE_UP
from wes_provider.doctor.probes import Question

CALLED_JSON = {"headers": {"content-type": "application/json"}}

FILE_NOT_READ = [
    PathCase("nothing was read", [], Said(NOT_ASKED, "Not asked, because no file is known.")),
    PathCase(
        "nothing was read, since the time ran out",
        [],
        Said(NOT_ASKED, "Not asked, because the time ran out."),
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    PathCase(
        "nothing was read, since the time ran out, and a file is known",
        LIST_WITH_F1,
        Said(NOT_PROVED, "Not asked, because the time ran out."),
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    PathCase(
        "the read failed",
        [*LIST_WITH_F1, given_file(500)],
        Said(NOT_PROVED, "Not settled, because it failed."),
        not_asked={Question.FILE_PATH: "it failed"},
    ),
]


@pytest.mark.parametrize("row", FILE_NOT_READ, ids=ids(FILE_NOT_READ))
def test_the_path_of_one_file_is_open_if_no_read_of_one_got_an_answer(row: PathCase):
    check_file(row)


AT_GIVEN_PATH = [
    PathCase(
        "a file",
        [*LIST_WITH_F1, given_file(200, F1)],
        Said(SURE, "It has a file and its status."),
        GIVEN_FILE,
    ),
    PathCase(
        "a file that the list had as processed before",
        [*LIST_WITH_F1, given_file(200, record("f1", "PENDING"), headers={"x-replica-lag": "340"})],
        Said(
            NOT_PROVED,
            "The list has file f1 with SUCCESS, and its own path has it with PENDING after that "
            "(X-Replica-Lag: 340): one of the two is behind. Tasks wait by that path, so they may "
            "see an end late, or take a file for failed that is not. Ask the service's support; no "
            "setting helps.",
        ),
        GIVEN_FILE,
    ),
    PathCase(
        "a file that the list had on its way before",
        [given_list(200, [record("f1", "PENDING")]), nowhere(), given_file(200, F1)],
        Said(SURE, "It has a file and its status."),
        GIVEN_FILE,
    ),
    PathCase(
        "a file that the list had as failed before",
        [given_list(200, [record("f1", "FAILED")]), nowhere(), given_file(200, F1)],
        Said(
            NOT_PROVED,
            "The list has file f1 with FAILED, and its own path has it with SUCCESS after that: "
            "one of the two is behind. Tasks wait by that path, so they may see an end late, or "
            "take a file for failed that is not. Ask the service's support; no setting helps.",
        ),
        GIVEN_FILE,
    ),
    PathCase(
        "an uploaded file that the list had as processed before",
        [given_list(200, [F1]), given_file(200, record("f1", "PENDING"))],
        Said(SURE, "It has a file and its status."),
        GIVEN_FILE,
        uploaded="f1",
    ),
    PathCase(
        "a file that the list has as processed, but read after the file",
        [
            given_list(200, [F1], sent_at=MOMENT + 1),
            nowhere(),
            given_file(200, record("f1", "PENDING")),
        ],
        Said(SURE, "It has a file and its status."),
        GIVEN_FILE,
    ),
    PathCase(
        "a file that the list has as it is, and another one with another status",
        [given_list(200, [F1, record("f2", "FAILED")]), nowhere(), given_file(200, F1)],
        Said(SURE, "It has a file and its status."),
        GIVEN_FILE,
    ),
]


@pytest.mark.parametrize("row", AT_GIVEN_PATH, ids=ids(AT_GIVEN_PATH))
def test_the_given_path_is_sure_if_it_has_a_file_unless_the_list_had_another_end_before(
    row: PathCase,
):
    check_file(row)


AT_OTHER_PATH = [
    PathCase(
        "a file elsewhere, each read twice",
        [
            *LIST_WITH_F1,
            given_file(404, NOT_FOUND),
            once_more(given_file(404, NOT_FOUND)),
            file_elsewhere(200, F1),
            once_more(file_elsewhere(200, F1)),
        ],
        Said(
            WRONG,
            "It is /v1/coupon-files/{coupon_file_id}, not "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}.",
        ),
        OTHER_FILE,
    ),
    PathCase(
        "a file elsewhere, read once, and the given path twice",
        [
            *LIST_WITH_F1,
            given_file(404, NOT_FOUND),
            once_more(given_file(404, NOT_FOUND)),
            file_elsewhere(200, F1),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-files/{coupon_file_id}, which was not read twice, "
            "because other replies left it open. Put it in, and run this again.",
        ),
        OTHER_FILE,
    ),
    PathCase(
        "a file elsewhere, read twice, and the given path once",
        [
            *LIST_WITH_F1,
            given_file(404, NOT_FOUND),
            file_elsewhere(200, F1),
            once_more(file_elsewhere(200, F1)),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-files/{coupon_file_id}, which was not read twice, "
            "because other replies left it open. Put it in, and run this again.",
        ),
        OTHER_FILE,
    ),
    PathCase(
        "a file elsewhere, read twice, as a redirect of the given path, read once, names",
        [
            *LIST_WITH_F1,
            given_file(302, b"", headers={"location": "/v1/coupon-files/f1"}),
            file_elsewhere(200, F1),
            once_more(file_elsewhere(200, F1)),
        ],
        Said(
            WRONG,
            "The service names /v1/coupon-files/{coupon_file_id}, which has a file and its status.",
        ),
        OTHER_FILE,
    ),
    PathCase(
        "a file elsewhere, each read twice, as its record names",
        [
            given_list(200, [{**F1, "href": "/v1/coupon-files/f1"}]),
            nowhere(),
            given_file(404, NOT_FOUND),
            once_more(given_file(404, NOT_FOUND)),
            file_elsewhere(200, F1),
            once_more(file_elsewhere(200, F1)),
        ],
        Said(
            WRONG,
            "The service names /v1/coupon-files/{coupon_file_id}, which has a file and its status.",
        ),
        OTHER_FILE,
    ),
    PathCase(
        "an uploaded file elsewhere, each read once",
        [given_file(404, NOT_FOUND), file_elsewhere(200, F1)],
        Said(
            WRONG,
            "It is /v1/coupon-files/{coupon_file_id}, not "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}.",
        ),
        OTHER_FILE,
        uploaded="f1",
    ),
    PathCase(
        "a file elsewhere, read once, as its record names",
        [
            given_list(200, [{**F1, "href": "/v1/coupon-files/f1"}]),
            nowhere(),
            given_file(404, NOT_FOUND),
            once_more(given_file(404, NOT_FOUND)),
            file_elsewhere(200, F1),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-files/{coupon_file_id}, which was not read twice, "
            "because other replies left it open. Put it in, and run this again.",
        ),
        OTHER_FILE,
    ),
]


@pytest.mark.parametrize("row", AT_OTHER_PATH, ids=ids(AT_OTHER_PATH))
def test_another_path_that_has_the_file_is_wrong_once_both_were_read_twice_or_after_an_upload(
    row: PathCase,
):
    check_file(row)


NO_FILE_KNOWN = [
    PathCase(
        "the list gets 404",
        [given_list(404, NOT_FOUND), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "No file is known, since no list with files was read: name a list with "
            "files, or use --upload URL.",
        ),
    ),
    PathCase(
        "the list gets 404, and a made-up file 404 in other words than nowhere",
        [given_list(404, NOT_FOUND), nowhere(), guessed(404, error("", "No such file."))],
        Said(
            NOT_PROVED,
            "No file is known, since no list with files was read: name a list with "
            "files, or use --upload URL.",
        ),
        GIVEN_FILE,
    ),
    PathCase(
        "the list gets 404, and a made-up file 404 in other words at another path",
        [
            given_list(404, NOT_FOUND),
            nowhere(),
            guessed(),
            at_path(
                OTHER_FILE,
                404,
                error("", "No such file."),
                Question.FILE_PATH,
                request=request_for(Question.FILE_PATH, path=OTHER_FILE, file_id=MADE_UP),
            ),
        ],
        Said(
            NOT_PROVED,
            "No file is known, since no list with files was read: name a list with "
            "files, or use --upload URL.",
        ),
        OTHER_FILE,
    ),
    PathCase(
        "the list has no file",
        [given_list(200, []), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "The list has no file to read: name a list with files, or use --upload URL.",
        ),
    ),
    PathCase(
        "the list has files of other lists",
        [given_list(200, NAMING_OTHERS), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "The files of the list's path are of other lists, so none was read: settle that.",
        ),
    ),
    PathCase(
        "the list has an object without an array",
        [given_list(200, {"hello": "you"}), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "No file is known, since the provider cannot read what the list's path has.",
        ),
    ),
    PathCase(
        "the list has records that cannot be read",
        [given_list(200, WITHOUT_ID), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "No file is known, since the list's records cannot be read: settle that first.",
        ),
    ),
    PathCase(
        "the list has a record without any property",
        [given_list(200, [{}]), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "No file is known, since the list's records cannot be read: settle that first.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_FILE_KNOWN, ids=ids(NO_FILE_KNOWN))
def test_the_path_of_one_file_is_open_if_no_file_is_known(row: PathCase):
    check_file(row)


FILE_NOT_READABLE = [
    PathCase(
        "a status that is a number",
        [*LIST_WITH_F1, given_file(200, {"_id": "f1", "status": 7})],
        Said(
            WRONG,
            "It has the file with status 7, but the provider reads a string under "
            "status only, so no task can wait for it. Ask the service's support for "
            "such a status.",
        ),
    ),
    PathCase(
        "no status",
        [*LIST_WITH_F1, given_file(200, {"_id": "f1"})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: its record has no "
            "status. Ask the service's support.",
        ),
    ),
    PathCase(
        "an identifier that is not at the top",
        [*LIST_WITH_F1, given_file(200, {"file": {"_id": "f1", "status": "NEW"}})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: its _id has to be at "
            "the top or under data, but it is under file. Ask the service's support.",
        ),
    ),
    PathCase(
        "no identifier",
        [*LIST_WITH_F1, given_file(200, {"name": "f1"})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: the reply is no record "
            "with an _id. Ask the service's support.",
        ),
    ),
    PathCase(
        "a mark too many",
        [*LIST_WITH_F1, given_file(200, '\ufeff\ufeff{"_id": "f1", "status": "NEW"}')],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: it has a byte order "
            "mark too many before its JSON. Ask the service's support.",
        ),
    ),
    PathCase(
        "a mark too many, and a status that is a number",
        [*LIST_WITH_F1, given_file(200, '\ufeff\ufeff{"_id": "f1", "status": 7}')],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: it has a byte order "
            "mark too many before its JSON. Ask the service's support.",
        ),
    ),
    PathCase(
        "wrapped JSON",
        [*LIST_WITH_F1, given_file(200, WRAPPED)],
        Said(
            WRONG,
            "GET /v1/coupon-list/spring/files/f1: The service replies with JSON in a "
            "call of x(), as JSONP, which the provider cannot read, and no setting "
            "changes that: ask its support for plain JSON. The list can be read, "
            "unlike that.",
        ),
    ),
    PathCase(
        "wrapped JSON, and no reply is an error of the service",
        [given_list(400, {"error": "x"}), given_file(200, WRAPPED)],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "no JSON",
        [*LIST_WITH_F1, given_file(200, "no JSON", **CALLED_JSON)],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1: 200 with application/json came, but "
            "its body is text that is no JSON: 'no JSON'. No setting helps: ask "
            "whoever runs what is between, or the service's support. The list can be "
            "read, unlike that.",
        ),
    ),
    PathCase(
        "another file",
        [*LIST_WITH_F1, given_file(200, {"_id": "f9"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 gets 200 with the record f9, which is "
            "not the file that was asked for, so a task could not wait for it. Ask the "
            "service's support for the path of one file.",
        ),
    ),
    PathCase(
        "another file after an upload",
        [given_file(200, {"_id": "f9"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 gets 200 with the record f9, which is "
            "not the file that was asked for, so a task could not wait for it. Ask the "
            "service's support for the path of one file.",
        ),
        uploaded="f1",
    ),
    PathCase(
        "a status that is a number, and no reply is an error of the service",
        [given_list(400, {"error": "x"}), given_file(200, {"_id": "f1", "status": 7})],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "no status, and no reply is an error of the service",
        [given_list(400, {"error": "x"}), given_file(200, {"_id": "f1"})],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "another file, which names the one that was asked for",
        [*LIST_WITH_F1, given_file(200, {"_id": "f9", "of": "f1"})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: 200 with coupon file 'f9', status ''. "
            "Ask the service's support.",
        ),
    ),
]


@pytest.mark.parametrize("row", FILE_NOT_READABLE, ids=ids(FILE_NOT_READABLE))
def test_a_file_that_cannot_be_read_is_wrong_if_the_service_shows_itself_by_an_error(row: PathCase):
    check_file(row)


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
