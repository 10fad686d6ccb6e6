"""
What proves that a path has the files of the list that is read, spring; nowhere is short for a path
that does not exist.

The given path is *sure* if its files name spring, or if it has the uploaded file, and nowhere gets
another reply (404, a 401 and then a 404, an object, or a list without files). It is *Not proved* if
nowhere gets files, too, even only at times, or was not read. Records that cannot be read prove the
given path, and no other one. A list without files proves no path; it is said if a list that does
not exist gets the same at first, so that spring may not exist, and what the reply says to people.

Files that name no list prove the path only if a list that does not exist gets none of them, each
time it is read; that is not needed if no list was named, or one was uploaded. If some files name
another list, or all do, the path is *Not proved*; if all name one, winter, and a read of that has
the same files, winter is to be named.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    PAGE,
    Said,
    again,
    ids,
    made_up_list,
    nowhere,
)
from support.doctor_paths import (
    GIVEN,
    NAMING_NO_LIST,
    NAMING_OTHERS,
    NAMING_SPRING,
    NAMING_SPRING_AND_WINTER,
    NOT_PROVED,
    STRANGE,
    SURE,
    WITHOUT_ID,
    PathCase,
    check_list,
    given_list,
    list_elsewhere,
    other_list,
    without_sesame,
)
from support.doctor_replies import request_for
from support.doctor_service import record
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.replies.probes import Question

PART = {"data": NAMING_NO_LIST, "total": 9}

WITH_FILES = [
    PathCase(
        "files",
        [given_list(200, NAMING_SPRING), nowhere()],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    PathCase(
        "one file",
        [given_list(200, NAMING_SPRING[:1]), nowhere()],
        Said(SURE, "It has 1 file."),
        GIVEN,
    ),
    PathCase(
        "the uploaded file",
        [given_list(200, NAMING_SPRING)],
        Said(SURE, "It has the uploaded file."),
        GIVEN,
        uploaded="f1",
    ),
    PathCase(
        "the uploaded file, the second one",
        [given_list(200, NAMING_SPRING)],
        Said(SURE, "It has the uploaded file."),
        GIVEN,
        uploaded="f2",
    ),
    PathCase(
        "files, all of page 1 of 1",
        [
            given_list(200, {"data": NAMING_SPRING, "page": 1, "pages": 1, "total": 2}),
            nowhere(),
        ],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    PathCase(
        "files, of which one has a status that is a number",
        [
            given_list(200, [record("f1"), {"_id": "f2", "status": 7}]),
            nowhere(),
        ],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", WITH_FILES, ids=ids(WITH_FILES))
def test_the_given_path_is_sure_if_it_has_files_of_the_list(row: PathCase):
    check_list(row)


ODD_RECORDS = [
    PathCase(
        "records without an identifier at the given path",
        [given_list(200, WITHOUT_ID), nowhere()],
        Said(SURE, "It has 1 object: see Records."),
        GIVEN,
    ),
    PathCase(
        "records, of which one has no identifier, at another path",
        [
            given_list(404),
            list_elsewhere(200, [{"_id": "f1", "status": "NEW"}, {"id": "f2"}]),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-list/{coupon_list_id}/coupon-files: settle Records first.",
        ),
    ),
]


@pytest.mark.parametrize("row", ODD_RECORDS, ids=ids(ODD_RECORDS))
def test_records_that_cannot_be_read_prove_the_given_path_and_no_other_one(row: PathCase):
    check_list(row)


COMPARED_WITH_NOWHERE = [
    PathCase(
        "files, and nowhere files",
        [given_list(200, NAMING_SPRING), nowhere(200, NAMING_SPRING)],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    PathCase(
        "files, and nowhere files, then 404",
        [
            given_list(200, NAMING_SPRING),
            nowhere(200, NAMING_SPRING),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    PathCase(
        "files, and nowhere 404, then files",
        [
            given_list(200, NAMING_SPRING),
            nowhere(),
            nowhere(200, NAMING_SPRING),
        ],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    PathCase(
        "files, and nowhere a refusal, then files",
        [
            given_list(200, NAMING_SPRING),
            nowhere(401),
            nowhere(200, NAMING_SPRING),
        ],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    PathCase(
        "files, and nowhere a refusal, then 404",
        [given_list(200, NAMING_SPRING), nowhere(401), nowhere()],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    PathCase(
        "files, and nowhere an object",
        [given_list(200, NAMING_SPRING), nowhere(200, {})],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    PathCase(
        "records without an identifier, and nowhere the same",
        [given_list(200, WITHOUT_ID), nowhere(200, WITHOUT_ID)],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    PathCase(
        "an empty list, and nowhere an empty list",
        [given_list(200, []), nowhere(200, [])],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    PathCase(
        "an empty list, and nowhere an error in a success",
        [given_list(200, []), nowhere(200, STRANGE)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, so it may list "
            "something else; name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    PathCase(
        "an empty list, and nowhere a page",
        [given_list(200, []), nowhere(200, PAGE)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, so it may list "
            "something else; name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    PathCase(
        "files, and nowhere was not read",
        [given_list(200, NAMING_SPRING)],
        Said(
            NOT_PROVED,
            "It has 2 files. A path that does not exist was not compared, because "
            "other replies left it open. Run this again later.",
        ),
    ),
    PathCase(
        "files, and nowhere was not read since the time ran out",
        [given_list(200, NAMING_SPRING)],
        Said(
            NOT_PROVED,
            "It has 2 files. A path that does not exist was not compared, because the "
            "time ran out. Run this again later.",
        ),
        not_asked={Question.NO_SUCH_PATH: "the time ran out"},
    ),
    PathCase(
        "a file, an object without an identifier, and nowhere was not read",
        [given_list(200, [NAMING_SPRING[0], {"id": "f2"}])],
        Said(
            NOT_PROVED,
            "It has 1 file. A path that does not exist was not compared, because other replies "
            "left it open. Run this again later.",
        ),
    ),
    PathCase(
        "an object without an identifier, and nowhere was not read",
        [given_list(200, WITHOUT_ID)],
        Said(
            NOT_PROVED,
            "It has 1 object that cannot be read. A path that does not exist was not compared, "
            "because other replies left it open. Run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", COMPARED_WITH_NOWHERE, ids=ids(COMPARED_WITH_NOWHERE))
def test_files_prove_a_path_only_if_a_path_that_does_not_exist_gets_something_else(row: PathCase):
    check_list(row)


EMPTY = [
    PathCase(
        "an empty list, and 404 for a list that does not exist",
        [given_list(200, []), nowhere(), made_up_list(404)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, so it may list "
            "something else; name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    PathCase(
        "an empty list, and the same for a list that does not exist",
        [given_list(200, []), nowhere(), made_up_list(200, [])],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, and a list that does "
            "not exist gets the same, so spring may not exist: check its identifier in "
            "the service's dashboard before --upload URL sends anything into it, or name a "
            "list with files.",
        ),
        GIVEN,
    ),
    PathCase(
        "an empty list, and 404, then the same for a list that does not exist",
        [given_list(200, []), nowhere(), made_up_list(404), made_up_list(200, [])],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, so it may list "
            "something else; name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    PathCase(
        "no body",
        [given_list(204, b""), nowhere(), made_up_list(204, b"")],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files gets 204 without a body, as a list "
            "without files may. That is not proved, and the provider reads no list in "
            "it: name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    PathCase(
        "null",
        [given_list(200, "null"), nowhere(), made_up_list()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files gets 200 with null, as a list "
            "without files may. That is not proved, and the provider reads no list in "
            "it: name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    PathCase(
        "null under data",
        [given_list(200, {"data": None}), nowhere(), made_up_list(200, {"data": None})],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files gets 200 with null under data, as "
            "a list without files may. That is not proved, and the provider reads no "
            "list in it: name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    PathCase(
        "an empty list with a notice about a quota",
        [
            given_list(200, {"data": [], "message": "Daily quota exceeded."}),
            nowhere(),
            made_up_list(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, and its reply says "
            "'Daily quota exceeded'. Wait, or ask the service's support for more: it "
            "is about no key. An empty list shows nothing else.",
        ),
        GIVEN,
    ),
    PathCase(
        "an empty list with a notice of no subject",
        [
            given_list(200, {"data": [], "message": "The moon is full tonight."}),
            nowhere(),
            made_up_list(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, and its reply says "
            "'The moon is full tonight'. Do what it says, or ask the service's "
            "support. An empty list shows nothing else.",
        ),
        GIVEN,
    ),
    PathCase(
        "an empty list with a notice that has a secret",
        [
            given_list(
                200,
                {"data": [], "message": "No file for sesame."},
                clean=without_sesame,
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, and its reply says 'No file for "
            "***'. Do what it says, or ask the service's support. An empty list shows nothing "
            "else.",
        ),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", EMPTY, ids=ids(EMPTY))
def test_a_list_without_files_proves_no_path(row: PathCase):
    check_list(row)


NAMING_ANOTHER_LIST = [
    PathCase(
        "files of another list, too",
        [given_list(200, NAMING_SPRING_AND_WINTER), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, of other lists, too: "
            "winter. Ask the service's support for the path of one list's files.",
        ),
    ),
    PathCase(
        "files of another list, too, and a part",
        [
            given_list(200, {"data": NAMING_SPRING_AND_WINTER, "total": 9}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, of other lists, too: "
            "winter. Ask the service's support for the path of one list's files.",
        ),
    ),
    PathCase(
        "files of another list, too, and the same for a list that does not exist",
        [
            given_list(200, NAMING_SPRING_AND_WINTER),
            nowhere(),
            made_up_list(200, NAMING_SPRING_AND_WINTER),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, of other lists, too: "
            "winter. Ask the service's support for the path of one list's files.",
        ),
    ),
    PathCase(
        "files of two other lists, too",
        [
            given_list(200, [*NAMING_SPRING_AND_WINTER, record("f3", coupons_list_id="autumn")]),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 3 files, of other lists, too: "
            "autumn, winter. Ask the service's support for the path of one list's "
            "files.",
        ),
    ),
]


@pytest.mark.parametrize("row", NAMING_ANOTHER_LIST, ids=ids(NAMING_ANOTHER_LIST))
def test_files_some_of_which_name_another_list_prove_no_path(row: PathCase):
    check_list(row)


NAMING_NONE = [
    PathCase(
        "files of no list, and the same for a list that does not exist",
        [given_list(200, NAMING_NO_LIST), nowhere(), made_up_list(200, NAMING_NO_LIST)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, and the same for a "
            "list that does not exist, so they may be of any list. Ask the service's "
            "support for the path of one list's files.",
        ),
    ),
    PathCase(
        "files of no list, and one of them for a list that does not exist",
        [given_list(200, NAMING_NO_LIST), nowhere(), made_up_list(200, NAMING_NO_LIST[1:])],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, and the same for a "
            "list that does not exist, so they may be of any list. Ask the service's "
            "support for the path of one list's files.",
        ),
    ),
    PathCase(
        "files of no list, and the same for the second list that does not exist",
        [
            given_list(200, NAMING_NO_LIST),
            nowhere(),
            made_up_list(),
            made_up_list(200, NAMING_NO_LIST),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, and the same for a "
            "list that does not exist, so they may be of any list. Ask the service's "
            "support for the path of one list's files.",
        ),
    ),
    PathCase(
        "files of no list, and others for a list that does not exist",
        [
            given_list(200, NAMING_NO_LIST),
            nowhere(),
            made_up_list(200, [{"_id": "g1", "status": "SUCCESS"}]),
        ],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    PathCase(
        "files of no list, not compared",
        [given_list(200, NAMING_NO_LIST), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, which do not say of "
            "which list they are. A list that does not exist was not compared, because "
            "other replies left it open. Run this again later.",
        ),
    ),
    PathCase(
        "files of no list, not compared since the time ran out",
        [given_list(200, NAMING_NO_LIST), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, which do not say of "
            "which list they are. A list that does not exist was not compared, because "
            "the time ran out. Run this again later.",
        ),
        not_asked={Question.MADE_UP_LIST: "the time ran out"},
    ),
    PathCase(
        "files of no list in a part, not compared",
        [given_list(200, PART), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, which do not say of "
            "which list they are. A list that does not exist was not compared, because "
            "other replies left it open. Run this again later.",
        ),
    ),
    PathCase(
        "files of no list, and no list was named",
        [
            given_list(200, NAMING_NO_LIST, request=request_for(Question.LIST, list_id=MADE_UP)),
            again(200, NAMING_NO_LIST, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(),
        ],
        Said(SURE, "It has 2 files."),
        GIVEN,
        list_id=MADE_UP,
    ),
    PathCase(
        "files of no list, and one was uploaded",
        [given_list(200, NAMING_NO_LIST)],
        Said(SURE, "It has the uploaded file."),
        GIVEN,
        uploaded="f1",
    ),
]


@pytest.mark.parametrize("row", NAMING_NONE, ids=ids(NAMING_NONE))
def test_files_that_name_no_list_are_compared_with_those_of_a_list_that_does_not_exist(
    row: PathCase,
):
    check_list(row)


NAMING_THE_LIST = [
    PathCase(
        "files of the list, and the same for a list that does not exist",
        [given_list(200, NAMING_SPRING), nowhere(), made_up_list(200, NAMING_SPRING)],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", NAMING_THE_LIST, ids=ids(NAMING_THE_LIST))
def test_files_that_name_the_list_need_no_comparison_with_a_list_that_does_not_exist(row: PathCase):
    check_list(row)


OF_OTHER_LISTS = [
    PathCase(
        "files of other lists",
        [given_list(200, NAMING_OTHERS), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, none of them of the "
            "list spring, but of autumn, winter. Name the list as the service does, or "
            "ask its support for the path of one list's files.",
        ),
    ),
    PathCase(
        "files of other lists, and the same for a list that does not exist",
        [given_list(200, NAMING_OTHERS), nowhere(), made_up_list(200, NAMING_OTHERS)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, none of them of the "
            "list spring, but of autumn, winter, and the same for a list that does not "
            "exist. Ask the service's support for the path of one list's files.",
        ),
    ),
    PathCase(
        "files of another list, which has the same",
        [
            given_list(200, NAMING_OTHERS[:1]),
            nowhere(),
            other_list(200, NAMING_OTHERS[:1]),
            made_up_list(),
        ],
        Said(
            NOT_PROVED,
            "The service calls the list spring winter: a read of that has the same 1 "
            "file, which say that they are of it. Name winter in tasks, and here, so "
            "that the rest is read, too.",
        ),
    ),
    PathCase(
        "files of other lists, and 404 for a list that does not exist",
        [given_list(200, NAMING_OTHERS), nowhere(), made_up_list(404)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, none of them of the "
            "list spring, but of autumn, winter. Name the list as the service does, or "
            "ask its support for the path of one list's files.",
        ),
    ),
]


@pytest.mark.parametrize("row", OF_OTHER_LISTS, ids=ids(OF_OTHER_LISTS))
def test_a_path_is_not_proved_if_its_files_all_name_other_lists(row: PathCase):
    check_list(row)
