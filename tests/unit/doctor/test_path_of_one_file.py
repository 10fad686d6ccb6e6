"""
The path of one file is *sure* if a read at the connection's path has the file. But it is *not
proved* if the list, which was read before, had that file with an end (success or failure), and its
own path has another status: one of the two is behind. A list that was read after the file, and an
uploaded file, are not compared.

It is *wrong* if another path has the file, and both paths were read twice. One read of each is
enough after an upload, and one of the given path if it was redirected. If a redirect of it or the
file's record names the other path, that is said. If either was read only once, it is *not proved*,
and the other path is a guess.

If no read of a known file got an answer, or no file is known, it is *not proved* and says why: no
list was read, it is empty, it has files of other lists, or it or its records cannot be read. Only
if not even the list was read, it is *not asked*. A path becomes a guess if a made-up file gets a
404 there in other words than a path that does not exist.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    NOT_FOUND,
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
    NOT_ASKED,
    NOT_PROVED,
    OTHER_FILE,
    SURE,
    WITHOUT_ID,
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
        "the list gets 404, and a made-up file 404 in other words than a path that does not exist",
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
