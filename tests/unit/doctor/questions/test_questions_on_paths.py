"""
Which read each question on paths asks for next, by the replies so far. If the list is refused
twice, no other path and no file is read, and it is said why.

A path that does not exist is read once, and again after a 401. One other list that files or a
redirect name is read once. Other paths of the list are read after a 404 in the words of any path,
at first the path that words name, and only that after CSV with a link to JSON; not after another
reply, of which the reason is said. A larger page is read of a part, or of ten files: 1000 at first,
then a smaller size if refusals name one (two times), and a page for one file if 1000 gets the same.
A list that does not exist is read if the named one has files without the name of a list, fails
alone or is redirected to another name. One file is read twice at its path after 404, then at a path
that its record or words name, or else the next usual one; another file if it is gone (410). A file
whose identifier has a slash, or else a space, is read first; one that the list has without an
array is read, too. A made-up file is read if the list gets 404. The path of uploads is read if a
named list is read at another path. What a list only points at, such as a cursor, is read at last.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    NOT_FOUND,
    at_path,
    ids,
    listed,
    lost,
    made_up_list,
    nowhere,
    redirected,
)
from support.doctor_questions import (
    BANNED,
    FIND_FILE,
    FIND_LIST,
    GUESS_FILE,
    JSON,
    MADE_UP_LIST,
    NAMING_NO_LIST,
    NAMING_SPRING,
    NAMING_WINTER,
    NEXT_PAGE,
    NO_LIST,
    NO_SCOPE,
    NO_SUCH_PATH,
    ODD,
    OTHER_LIST,
    REFUSED_PAGES,
    SETTLED,
    STRANGE,
    TEN,
    TEN_FILES,
    TWO_OF_NINE,
    UPLOAD_PATH,
    WHOLE_LIST,
    QuestionCase,
    given_file,
    in_page,
    list_refused_twice,
    next_step,
)
from support.doctor_replies import SETTINGS, changed, error_body, reply, request_for
from support.doctor_service import record
from wes_provider import contract
from wes_provider.doctor.questions.path_steps import LIST_PATHS
from wes_provider.doctor.reads.evidence import MADE_UP, list_at
from wes_provider.doctor.replies.probes import Question

FOR_NO_SUCH_PATH = [
    QuestionCase(
        "files",
        [listed(200, FILES)],
        "own /v1/wes-doctor-no-such-path/wes-doctor",
    ),
    QuestionCase("files, and nowhere 404", [listed(200, FILES), nowhere()], SETTLED),
    QuestionCase(
        "files, and nowhere 401",
        [listed(200, FILES), nowhere(401)],
        "own /v1/wes-doctor-no-such-path/wes-doctor",
    ),
    QuestionCase(
        "files, and nowhere 401 twice",
        [listed(200, FILES), nowhere(401), nowhere(401)],
        SETTLED,
    ),
    QuestionCase(
        "401 twice",
        list_refused_twice(),
        "not asked: reads with the Campaign API key are refused",
    ),
]


@pytest.mark.parametrize("row", FOR_NO_SUCH_PATH, ids=ids(FOR_NO_SUCH_PATH))
def test_a_path_that_does_not_exist_is_read_once_and_again_if_it_is_refused_unless_the_list_is(
    row: QuestionCase,
):
    assert next_step(NO_SUCH_PATH, row) == row.step


FOR_OTHER_LIST = [
    QuestionCase(
        "files of one other list",
        [listed(200, NAMING_WINTER)],
        "own /v1/coupon-list/winter/files",
    ),
    QuestionCase(
        "files of two other lists",
        [listed(200, [*NAMING_WINTER, record("f2", coupons_list_id="autumn")])],
        SETTLED,
    ),
    QuestionCase(
        "a redirect to another name",
        [redirected("/v1/coupon-list/winter/files")],
        "own /v1/coupon-list/winter/files",
    ),
    QuestionCase(
        "a redirect to the same name, encoded otherwise",
        [redirected("/v1/coupon-list/%73pring/files")],
        SETTLED,
    ),
    QuestionCase(
        "files of one other list, and it was read",
        [
            listed(200, NAMING_WINTER),
            reply(
                200,
                NAMING_WINTER,
                question=Question.OTHER_LIST,
                request=request_for(Question.LIST, list_id="winter"),
            ),
        ],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_OTHER_LIST, ids=ids(FOR_OTHER_LIST))
def test_the_one_other_list_that_files_or_a_redirect_name_is_read_once(row: QuestionCase):
    assert next_step(OTHER_LIST, row) == row.step


LINKED = {"link": '<?format=json>; rel="alternate"; type="application/json"'}
FOR_FIND_LIST = [
    QuestionCase(
        "CSV with a link to JSON, and nowhere 404",
        [listed(200, "_id,status", headers=LINKED), nowhere()],
        "own /v1/coupon-list/spring/files?format=json; tries "
        "/v1/coupon-list/{coupon_list_id}/files?format=json",
    ),
    QuestionCase(
        "CSV with a link to JSON, which was read in vain, and nowhere 404",
        [
            listed(200, "_id,status", headers=LINKED),
            nowhere(),
            at_path(f"{contract.COUPON_FILES_PATH}?format=json", 404, NOT_FOUND),
        ],
        "not asked: the path is the list's, but what it replies cannot be read",
    ),
    QuestionCase("files", [listed(200, NAMING_SPRING)], SETTLED),
    QuestionCase(
        "404",
        [listed(404, NOT_FOUND), nowhere()],
        (
            "own /v1/coupon-list/spring/coupon-files; tries "
            "/v1/coupon-list/{coupon_list_id}/coupon-files"
        ),
    ),
    QuestionCase(
        "404 at two paths",
        [listed(404, NOT_FOUND), nowhere(), at_path(LIST_PATHS[1], 404, NOT_FOUND)],
        ("own /v1/coupon-lists/spring/files; tries /v1/coupon-lists/{coupon_list_id}/files"),
    ),
    QuestionCase(
        "404 with another path",
        [listed(404, error_body("", "Use /v1/x/spring/y here.")), nowhere()],
        "own /v1/x/spring/y; tries /v1/x/{coupon_list_id}/y",
    ),
    QuestionCase(
        "401 twice",
        list_refused_twice(),
        "not asked: reads with the Campaign API key are refused",
    ),
    QuestionCase("no reply", [lost()], "not asked: the read of the list got no answer"),
    QuestionCase(
        "403 about an address",
        [listed(403, BANNED)],
        "not asked: the read of the list was refused (403)",
    ),
    QuestionCase(
        "404, and 401 at another path",
        [listed(404, NOT_FOUND), nowhere(), at_path(LIST_PATHS[1], 401)],
        "not asked: the service refused the key meanwhile",
    ),
    QuestionCase(
        "a redirect to another name",
        [redirected("/v1/coupon-list/winter/files"), nowhere()],
        "not asked: the service redirects to another name of the list",
    ),
    QuestionCase(
        "no JSON, and nowhere 404",
        [ODD, nowhere()],
        "not asked: the path is the list's, but what it replies cannot be read",
    ),
    QuestionCase(
        "400",
        [listed(400, STRANGE), nowhere()],
        "not asked: the service names another reason",
    ),
    QuestionCase(
        "404 with a page at a path with an escaped slash",
        [
            listed(
                404,
                b"<html>Not Found</html>",
                request=list_at(SETTINGS, contract.COUPON_FILES_PATH, "a/b"),
            ),
            nowhere(),
        ],
        "not asked: they would have the same escaped characters",
        {"list_id": "a/b"},
    ),
    QuestionCase(
        "404 in other words than nowhere",
        [listed(404, NO_LIST), nowhere()],
        "not asked: the service has the path, but not this list",
    ),
    QuestionCase(
        "an object",
        [listed(200, {"hello": "you"}), nowhere()],
        "not asked: the path has something, in another form",
    ),
    QuestionCase(
        "an object, and nowhere the same",
        [listed(200, {"hello": "you"}), nowhere(200, {"hello": "you"})],
        (
            "own /v1/coupon-list/spring/coupon-files; tries "
            "/v1/coupon-list/{coupon_list_id}/coupon-files"
        ),
    ),
]


@pytest.mark.parametrize("row", FOR_FIND_LIST, ids=ids(FOR_FIND_LIST))
def test_other_paths_of_the_list_are_read_after_a_404_or_what_any_path_gets_and_else_not_with_why(
    row: QuestionCase,
):
    assert next_step(FIND_LIST, row) == row.step


FOR_WHOLE_LIST = [
    QuestionCase(
        "2 of 9 files",
        [listed(200, {"data": NAMING_SPRING, "total": 9})],
        (
            "own /v1/coupon-list/spring/files?limit=1000; tries "
            "/v1/coupon-list/{coupon_list_id}/files?limit=1000"
        ),
    ),
    QuestionCase("2 files", [listed(200, NAMING_SPRING)], SETTLED),
    QuestionCase(
        "ten files",
        [TEN_FILES],
        (
            "own /v1/coupon-list/spring/files?limit=1000; tries "
            "/v1/coupon-list/{coupon_list_id}/files?limit=1000"
        ),
    ),
    QuestionCase(
        "ten files, and the same with a large page",
        [TEN_FILES, in_page(1000, TEN)],
        "own /v1/coupon-list/spring/files?limit=1&offset=10; tries "
        "/v1/coupon-list/{coupon_list_id}/files?limit=1&offset=10",
    ),
    QuestionCase(
        "ten files, and more with a large page",
        [TEN_FILES, in_page(1000, [*TEN, record("f10")])],
        SETTLED,
    ),
    QuestionCase(
        "ten files, the same with a large page, and the first one at an offset",
        [TEN_FILES, in_page(1000, TEN), in_page("1&offset=10", TEN[:1])],
        "own /v1/coupon-list/spring/files?limit=10&page=2; tries "
        "/v1/coupon-list/{coupon_list_id}/files?limit=10&page=2",
    ),
    QuestionCase(
        "ten files, the same with a large page, and none at an offset",
        [TEN_FILES, in_page(1000, TEN), in_page("1&offset=10", [])],
        SETTLED,
    ),
    QuestionCase(
        "ten files, the same with a large page, and another one at an offset",
        [TEN_FILES, in_page(1000, TEN), in_page("1&offset=10", [record("f10")])],
        SETTLED,
    ),
    QuestionCase(
        "ten files, and the same with a large page, at an offset and on a second page",
        [TEN_FILES, in_page(1000, TEN), in_page("1&offset=10", TEN), in_page("10&page=2", TEN)],
        SETTLED,
    ),
    QuestionCase(
        "2 of 9 files, and two larger pages are refused that name a smaller size",
        [listed(200, TWO_OF_NINE), *REFUSED_PAGES[:2]],
        "own /v1/coupon-list/spring/files?limit=400; tries "
        "/v1/coupon-list/{coupon_list_id}/files?limit=400",
    ),
    QuestionCase(
        "2 of 9 files, and three larger pages are refused that name a smaller size",
        [listed(200, TWO_OF_NINE), *REFUSED_PAGES],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_WHOLE_LIST, ids=ids(FOR_WHOLE_LIST))
def test_other_pages_are_read_of_a_part_or_of_as_many_files_as_a_page_often_has(row: QuestionCase):
    assert next_step(WHOLE_LIST, row) == row.step


WITH_CURSOR = listed(200, {"data": NAMING_SPRING, "next_cursor": "a b"})
FOR_NEXT_PAGE = [
    QuestionCase(
        "a cursor",
        [WITH_CURSOR],
        "own /v1/coupon-list/spring/files?cursor=a%20b; tries cursor",
    ),
    QuestionCase(
        "a cursor, and it was read",
        [WITH_CURSOR, reply(200, [], question=Question.NEXT_PAGE)],
        SETTLED,
    ),
    QuestionCase(
        "a cursor, and a larger page has none",
        [WITH_CURSOR, in_page(1000, NAMING_SPRING)],
        SETTLED,
    ),
    QuestionCase(
        "a link to another address",
        [listed(200, {"data": NAMING_SPRING, "next": "https://other.example.com/?page=2"})],
        SETTLED,
    ),
    QuestionCase("2 of 9 files", [listed(200, {**TWO_OF_NINE, "next_cursor": "c"})], SETTLED),
    QuestionCase("a whole list", [listed(200, NAMING_SPRING)], SETTLED),
    QuestionCase("no list", [listed(404, NO_LIST)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_NEXT_PAGE, ids=ids(FOR_NEXT_PAGE))
def test_what_a_list_points_at_is_read_once_if_nothing_else_says_that_there_are_more(
    row: QuestionCase,
):
    assert next_step(NEXT_PAGE, row) == row.step


FOR_MADE_UP_LIST = [
    QuestionCase(
        "files that do not say of which list",
        [listed(200, NAMING_NO_LIST)],
        ("own /v1/coupon-list/wes-doctor/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    QuestionCase(
        "files that do not say of which list, and it was read",
        [listed(200, NAMING_NO_LIST), made_up_list()],
        SETTLED,
    ),
    QuestionCase("files that say of which list", [listed(200, NAMING_SPRING)], SETTLED),
    QuestionCase(
        "500, and nowhere 404",
        [listed(500), nowhere()],
        "own /v1/coupon-list/wes-doctor/files; tries /v1/coupon-list/{coupon_list_id}/files",
    ),
    QuestionCase(
        "500, and nowhere 404, and it was read",
        [listed(500), nowhere(), made_up_list()],
        SETTLED,
    ),
    QuestionCase(
        "a redirect to another name",
        [redirected("/v1/coupon-list/winter/files")],
        "own /v1/coupon-list/wes-doctor/files; tries /v1/coupon-list/{coupon_list_id}/files",
    ),
    QuestionCase(
        "no list is named",
        [listed(200, NAMING_NO_LIST, request=request_for(Question.LIST, list_id=MADE_UP))],
        SETTLED,
        {"list_id": MADE_UP},
    ),
]


@pytest.mark.parametrize("row", FOR_MADE_UP_LIST, ids=ids(FOR_MADE_UP_LIST))
def test_a_list_that_does_not_exist_is_read_once_if_a_named_one_fails_leads_on_or_names_none(
    row: QuestionCase,
):
    assert next_step(MADE_UP_LIST, row) == row.step


FOR_FIND_FILE = [
    QuestionCase(
        "one file without an array",
        [listed(200, {"data": record("f1")}), nowhere()],
        (
            "own /v1/coupon-list/spring/files/f1; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    QuestionCase(
        "files",
        [listed(200, NAMING_SPRING)],
        (
            "own /v1/coupon-list/spring/files/f1; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    QuestionCase(
        "files, and 404 for the file",
        [listed(200, NAMING_SPRING), given_file(404, NOT_FOUND)],
        (
            "own /v1/coupon-list/spring/files/f1; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    QuestionCase(
        "files, and 404 for the file twice",
        [listed(200, NAMING_SPRING), *2 * [given_file(404, NOT_FOUND)]],
        "own /v1/coupon-files/f1; tries /v1/coupon-files/{coupon_file_id}",
    ),
    QuestionCase(
        "files with a path, and 404 for the file twice",
        [listed(200, [{**record("f1"), "href": "/v1/x/f1"}]), *2 * [given_file(404, NOT_FOUND)]],
        "own /v1/x/f1; tries /v1/x/{coupon_file_id}",
    ),
    QuestionCase(
        "files, and the file",
        [listed(200, NAMING_SPRING), given_file(200, record("f1"))],
        SETTLED,
    ),
    QuestionCase(
        "files, and 403 for the first file",
        [listed(200, NAMING_SPRING), given_file(403, FORBIDDEN)],
        "own /v1/coupon-list/spring/files/f2; tries "
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    ),
    QuestionCase(
        "files, and no JSON for the file",
        [listed(200, NAMING_SPRING), given_file(200, "no JSON", headers=JSON)],
        SETTLED,
    ),
    QuestionCase(
        "files, and 401 for the file",
        [listed(200, NAMING_SPRING), given_file(401)],
        "not asked: the service refused the key meanwhile",
    ),
    QuestionCase(
        "401 twice",
        list_refused_twice(),
        "not asked: reads with the Campaign API key are refused",
    ),
    QuestionCase("no file", [listed(200, [])], SETTLED),
    QuestionCase(
        "two files, and the first is gone",
        [listed(200, NAMING_SPRING), given_file(410, NOT_FOUND)],
        "own /v1/coupon-list/spring/files/f2; tries "
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    ),
    QuestionCase(
        "one file, and it is gone",
        [listed(200, NAMING_SPRING[:1]), given_file(410, NOT_FOUND)],
        SETTLED,
    ),
    QuestionCase(
        "files of which one has a space, and one a slash",
        [listed(200, [record("f1"), record("a b"), record("a/b"), record("f2")])],
        "own /v1/coupon-list/spring/files/a%2Fb; tries "
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    ),
    QuestionCase(
        "files of which one has a space",
        [listed(200, [record("f1"), record("a b"), record("f2")])],
        "own /v1/coupon-list/spring/files/a%20b; tries "
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    ),
    QuestionCase(
        "files, and 403 for the file twice, as nowhere",
        [
            listed(200, NAMING_SPRING),
            nowhere(403, FORBIDDEN),
            *2 * [given_file(403, FORBIDDEN)],
        ],
        "own /v1/coupon-files/f1; tries /v1/coupon-files/{coupon_file_id}",
    ),
    QuestionCase(
        "files, and 404 for the file about a permission",
        [listed(200, NAMING_SPRING), given_file(404, NO_SCOPE)],
        SETTLED,
    ),
    QuestionCase(
        "files, and 404 that names a path, at which 404 names another one",
        [
            listed(200, NAMING_SPRING),
            *2 * [given_file(404, error_body("", "Use /v1/x/f1"))],
            at_path(
                "/v1/x/{coupon_file_id}", 404, error_body("", "Use /v1/y/f1"), Question.FILE_PATH
            ),
        ],
        "own /v1/y/f1; tries /v1/y/{coupon_file_id}",
    ),
    QuestionCase(
        "files, and 401 for the file, as nowhere each time",
        [listed(200, NAMING_SPRING), nowhere(401), nowhere(401), given_file(401)],
        "own /v1/coupon-list/spring/files/f1; tries "
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    ),
    QuestionCase(
        "files, and 401 for the file twice, as nowhere each time",
        [listed(200, NAMING_SPRING), nowhere(401), nowhere(401), *2 * [given_file(401)]],
        "own /v1/coupon-files/f1; tries /v1/coupon-files/{coupon_file_id}",
    ),
    QuestionCase(
        "files, and 401 for the file, and nowhere 404",
        [listed(200, NAMING_SPRING), nowhere(), given_file(401)],
        "not asked: the service refused the key meanwhile",
    ),
]


@pytest.mark.parametrize("row", FOR_FIND_FILE, ids=ids(FOR_FIND_FILE))
def test_one_file_is_read_at_its_path_twice_then_at_others_until_one_has_it_or_refuses(
    row: QuestionCase,
):
    assert next_step(FIND_FILE, row) == row.step


FOR_GUESS_FILE = [
    QuestionCase(
        "one file without an array, and 404 for it",
        [listed(200, {"data": record("f1")}), nowhere(), given_file(404, NOT_FOUND)],
        SETTLED,
    ),
    QuestionCase(
        "404",
        [listed(404, NOT_FOUND), nowhere()],
        (
            "own /v1/coupon-list/spring/files/wes-doctor; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    QuestionCase(
        "400",
        [listed(400, STRANGE), nowhere()],
        "not asked: no list was read, so no file is known",
    ),
    QuestionCase("files", [listed(200, NAMING_SPRING)], SETTLED),
    QuestionCase(
        "404, and it was read",
        [
            listed(404, NOT_FOUND),
            nowhere(),
            given_file(404, error_body("", "No such file."), MADE_UP),
        ],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_GUESS_FILE, ids=ids(FOR_GUESS_FILE))
def test_a_file_that_does_not_exist_is_read_once_if_the_list_gets_404(row: QuestionCase):
    assert next_step(GUESS_FILE, row) == row.step


FOR_UPLOAD_PATH = [
    QuestionCase("lists at the same path", [listed(200, NAMING_SPRING)], SETTLED),
    QuestionCase(
        "lists at another path",
        [
            listed(
                200,
                NAMING_SPRING,
                request=request_for(Question.LIST, path="/v1/x/{coupon_list_id}"),
            )
        ],
        "own /v1/coupon-list/spring/files",
        {"settings": changed(coupon_files_path="/v1/x/{coupon_list_id}")},
    ),
    QuestionCase(
        "lists at another path, and no list is named",
        [
            listed(
                200,
                NAMING_SPRING,
                request=request_for(Question.LIST, path="/v1/x/{coupon_list_id}", list_id=MADE_UP),
            )
        ],
        SETTLED,
        {"settings": changed(coupon_files_path="/v1/x/{coupon_list_id}"), "list_id": MADE_UP},
    ),
    QuestionCase("401 twice", list_refused_twice(), SETTLED),
]


@pytest.mark.parametrize("row", FOR_UPLOAD_PATH, ids=ids(FOR_UPLOAD_PATH))
def test_the_path_of_uploads_is_read_if_a_named_list_is_read_at_another_path(row: QuestionCase):
    assert next_step(UPLOAD_PATH, row) == row.step
