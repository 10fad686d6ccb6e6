"""
Reads are repeated until there are two answers to each, in this order. If the list is at another
path, the list at the connection's path, and then at that one. If a file is at another path than the
connection's, that file. The segment of the data key. The list at the connection's path, until there
are three answers in all. One file. A repetition that fails is not sent again. If a header is proved
for the list that was refused, and no data key is given, nothing is repeated.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import NOT_FOUND, again, at_path, ids, listed, segment, segment_again
from support.doctor_questions import (
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
from wes_provider.doctor.questions.path_steps import LIST_PATHS
from wes_provider.doctor.replies.probes import Question

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
def test_reads_are_repeated_in_this_order_until_each_came_twice_and_the_list_three_times(
    row: QuestionCase,
):
    assert next_step(REPEAT, row) == row.step
