"""
If no read of a known file got an answer, the path of one file is *not proved*, with the reason. If
no file was read, and no list, it is *not shown*. If only a made-up file was read, since no file is
known, it is *not proved*, and says why none is known: the list was not found, it is empty, its
files are of other lists, it has no array, or its records cannot be read. If a made-up file gets a
404 in other words than a path that does not exist, its path is a guess.
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
    GIVEN_FILE,
    LIST_WITH_F1,
    NAMING_OTHERS,
    NOT_PROVED,
    NOT_SHOWN,
    OTHER_FILE,
    WITHOUT_ID,
    PathCase,
    check_file,
    given_file,
    given_list,
    guessed,
)
from support.doctor_replies import error_body, request_for
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.replies.probes import Question

FILE_NOT_READ = [
    PathCase("nothing was read", [], Said(NOT_SHOWN, "Not asked, because no file is known.")),
    PathCase(
        "nothing was read, since the time ran out",
        [],
        Said(NOT_SHOWN, "Not asked, because the time ran out."),
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
        [given_list(404, NOT_FOUND), nowhere(), guessed(404, error_body("", "No such file."))],
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
                error_body("", "No such file."),
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
