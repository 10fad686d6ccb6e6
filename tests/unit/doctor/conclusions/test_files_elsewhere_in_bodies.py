"""
If the reply to the list has the files at another place than at the top or under data, such as
result.files, the path is *wrong* and kept, and the text says where they are. If a total is above
their number, it adds how many of them these are; marks such as has_more, an equal total, and files
of another list do not count before the files can be read. Files after two byte order marks are
*wrong* likewise.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    Said,
    ids,
    nowhere,
)
from support.doctor_paths import (
    GIVEN,
    NAMING_SPRING,
    NAMING_SPRING_AND_WINTER,
    WRONG,
    PathCase,
    check_list,
    given_list,
)

ELSEWHERE_IN_BODY = [
    PathCase(
        "files elsewhere in the body",
        [given_list(200, {"result": {"files": NAMING_SPRING}}), nowhere()],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has the files under result.files, "
            "but the provider reads an array of objects, or one under data: ask the service's "
            "support for an array of files, or an object with it under data, each file "
            "with a string under _id and one under status, and its counts of coupons "
            "as numbers; the path of "
            "one file has to reply with such a file, too.",
        ),
        GIVEN,
    ),
    PathCase(
        "a part of the files elsewhere in the body",
        [
            given_list(200, {"result": {"files": NAMING_SPRING}, "total": 9}),
            nowhere(),
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has 2 of 9 files alone, under "
            "result.files, but the provider reads an array of objects, or one under data: ask the "
            "service's support for an array of files, or an object with it under data, "
            "each file with a string under _id and one under status, and its counts of "
            "coupons as numbers; the path of "
            "one file has to reply with such a file, too.",
        ),
        GIVEN,
    ),
    PathCase(
        "all of the files elsewhere in the body",
        [
            given_list(200, {"result": {"files": NAMING_SPRING}, "total": 2}),
            nowhere(),
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has the files under result.files, "
            "but the provider reads an array of objects, or one under data: ask the service's "
            "support for an array of files, or an object with it under data, each file "
            "with a string under _id and one under status, and its counts of coupons "
            "as numbers; the path of "
            "one file has to reply with such a file, too.",
        ),
        GIVEN,
    ),
    PathCase(
        "files elsewhere in the body, and more",
        [
            given_list(200, {"result": {"files": NAMING_SPRING}, "has_more": True}),
            nowhere(),
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has the files under result.files, "
            "but the provider reads an array of objects, or one under data: ask the service's "
            "support for an array of files, or an object with it under data, each file "
            "with a string under _id and one under status, and its counts of coupons "
            "as numbers; the path of "
            "one file has to reply with such a file, too.",
        ),
        GIVEN,
    ),
    PathCase(
        "files elsewhere in the body, one of another list, which is not asked before they can be read",
        [given_list(200, {"result": {"files": NAMING_SPRING_AND_WINTER}}), nowhere()],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has the files under result.files, "
            "but the provider reads an array of objects, or one under data: ask the service's "
            "support for an array of files, or an object with it under data, each file "
            "with a string under _id and one under status, and its counts of coupons "
            "as numbers; the path of "
            "one file has to reply with such a file, too.",
        ),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", ELSEWHERE_IN_BODY, ids=ids(ELSEWHERE_IN_BODY))
def test_files_elsewhere_in_the_body_are_wrong_and_the_path_is_kept(row: PathCase):
    check_list(row)


def test_files_after_a_second_byte_order_mark_are_wrong_and_the_path_is_kept():
    check_list(
        PathCase(
            "a mark too many",
            [
                given_list(200, "\ufeff\ufeff" + '[{"_id": "f1", "status": "NEW"}]'),
                nowhere(),
            ],
            Said(
                WRONG,
                "/v1/coupon-list/{coupon_list_id}/files has the files after a byte order "
                "mark too many, which the provider cannot read, and no setting changes "
                "that: ask the service's support for plain JSON.",
            ),
            GIVEN,
        )
    )
