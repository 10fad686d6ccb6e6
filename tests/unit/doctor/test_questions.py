"""
Which reads are repeated, in which order the questions are asked, and which paths of one file are
tried.

Nowhere is short for a path that does not exist. A table has all rows of one question.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import NOT_FOUND, again, at_path, ids, listed, segment, segment_again
from support.doctor_questions import (
    GIVEN,
    GIVEN_FILE,
    NAMING_SPRING,
    NO_DATA_KEY,
    PROVED_HEADER,
    REPEAT,
    SETTLED,
    QuestionCase,
    given_file,
    list_read_twice,
    next_step,
)
from support.doctor_service import record
from wes_provider.doctor.path_steps import FILE_PATHS, LIST_PATHS, file_paths
from wes_provider.doctor.probes import Question
from wes_provider.doctor.questions import QUESTIONS

FOR_REPEAT = [
    QuestionCase(
        "each was read once",
        [listed(200, NAMING_SPRING), segment()],
        "own /v3/custom-segments/wes-doctor",
    ),
    QuestionCase(
        "the data key was read twice",
        [listed(200, NAMING_SPRING), segment(), segment_again()],
        "own /v1/coupon-list/spring/files",
    ),
    QuestionCase(
        "the data key and the list were read twice",
        [*list_read_twice(200, NAMING_SPRING), segment(), segment_again()],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    QuestionCase(
        "the list was read three times, and a file once",
        [
            *list_read_twice(200, NAMING_SPRING),
            again(200, NAMING_SPRING),
            segment(),
            segment_again(),
            given_file(200, record("f1")),
        ],
        (
            "own /v1/coupon-list/spring/files/f1; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    QuestionCase(
        "404, and files at another path",
        [listed(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, NAMING_SPRING), segment()],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    QuestionCase(
        "404 twice, and files at another path",
        [*list_read_twice(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, NAMING_SPRING), segment()],
        (
            "own /v1/coupon-list/spring/coupon-files; tries "
            "/v1/coupon-list/{coupon_list_id}/coupon-files"
        ),
    ),
    QuestionCase(
        "500 for the data key the second time",
        [listed(200, NAMING_SPRING), segment(), segment_again(500)],
        "own /v1/coupon-list/spring/files",
    ),
    QuestionCase(
        "the list was refused twice, and read twice with a header that is proved",
        PROVED_HEADER,
        SETTLED,
        {"settings": NO_DATA_KEY},
    ),
    QuestionCase(
        "a file at another path was read once, before the data key",
        [
            listed(200, NAMING_SPRING),
            *2 * [given_file(404, NOT_FOUND)],
            at_path("/v1/coupon-files/{coupon_file_id}", 200, record("f1"), Question.FILE_PATH),
            segment(),
        ],
        "own /v1/coupon-files/f1; tries /v1/coupon-files/{coupon_file_id}",
    ),
]


@pytest.mark.parametrize("row", FOR_REPEAT, ids=ids(FOR_REPEAT))
def test_when_reads_are_repeated(row: QuestionCase):
    assert next_step(REPEAT, row) == row.step


class Asked(NamedTuple):
    """
    A question.

    :ivar reserve: how many reads are left for the questions below.
    :ivar is_asked_anyway: whether it is asked even if nothing more can be found out.
    """

    question: Question
    reserve: int = 0
    is_asked_anyway: bool = False


ORDER = [
    Asked(Question.LIST, is_asked_anyway=True),
    Asked(Question.OTHER_ADDRESS, is_asked_anyway=True),
    Asked(Question.NO_SUCH_PATH, is_asked_anyway=True),
    Asked(Question.PAGE, is_asked_anyway=True),
    Asked(Question.COOKIE, is_asked_anyway=True),
    Asked(Question.DATA_KEY, is_asked_anyway=True),
    Asked(Question.DATA_KEY),
    Asked(Question.MADE_UP_KEY),
    Asked(Question.HEADER),
    Asked(Question.HEADER),
    Asked(Question.HEADER_VALUE),
    Asked(Question.HEADER_BESIDES),
    Asked(Question.SWAPPED_KEYS),
    Asked(Question.DATA_KEY, reserve=5),
    Asked(Question.NO_SUCH_PATH, reserve=1),
    Asked(Question.OTHER_ADDRESS),
    Asked(Question.OTHER_ADDRESS, is_asked_anyway=True),
    Asked(Question.MADE_UP_DATA_KEY, reserve=2),
    Asked(Question.OTHER_LIST, reserve=4),
    Asked(Question.LIST_PATH, reserve=4),
    Asked(Question.WHOLE_LIST, reserve=4),
    Asked(Question.MADE_UP_LIST, reserve=3),
    Asked(Question.FILE_PATH, reserve=3),
    Asked(Question.MADE_UP_KEY, reserve=1),
    Asked(Question.FILE_PATH, reserve=3),
    Asked(Question.AGAIN),
    Asked(Question.UPLOAD_PATH),
]


def test_questions_are_asked_in_this_order():
    asked = [Asked(row.question, row.reserve, row.is_asked_anyway) for row in QUESTIONS]
    assert asked == ORDER


def test_the_connections_path_of_one_file_and_one_below_its_list_come_before_the_usual_ones():
    below_list = "/v1/x/{coupon_list_id}/{coupon_file_id}"
    paths = file_paths("/v9/{coupon_file_id}", "/v1/x/{coupon_list_id}/?limit=9")
    assert paths == ["/v9/{coupon_file_id}", below_list, *FILE_PATHS]


def test_no_path_of_one_file_is_tried_twice():
    assert file_paths(GIVEN_FILE, GIVEN) == list(FILE_PATHS)
