"""
For one file, the connection's path is tried first, then the one below the path of its list, without
a slash or a query at its end, and then the usual ones; none is tried twice.
"""

from __future__ import annotations

from support.doctor_questions import (
    GIVEN,
    GIVEN_FILE,
)
from wes_provider.doctor.questions.path_steps import FILE_PATHS, file_paths


def test_the_connections_path_of_one_file_and_one_below_its_list_come_before_the_usual_ones():
    below_list = "/v1/x/{coupon_list_id}/{coupon_file_id}"
    paths = file_paths("/v9/{coupon_file_id}", "/v1/x/{coupon_list_id}/?limit=9")
    assert paths == ["/v9/{coupon_file_id}", below_list, *FILE_PATHS]


def test_no_path_of_one_file_is_tried_twice():
    assert file_paths(GIVEN_FILE, GIVEN) == list(FILE_PATHS)
