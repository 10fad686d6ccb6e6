"""
If the list's files are at another path than the connection's, that is *wrong*, and the other path
is proposed, once both were read twice, or once each after an upload of which the other path has the
file. If one of both was read only once, it is *not proved*, with the reason, and the other path is
a guess. If a redirect of the connection's path names the other one, or a link of its CSV, the text
says so.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    NOT_FOUND,
    Said,
    ids,
    nowhere,
    redirected,
)
from support.doctor_paths import (
    NAMING_SPRING,
    NOT_PROVED,
    OTHER,
    WRONG,
    PathCase,
    check_list,
    given_list,
    given_list_twice,
    list_elsewhere,
    once_more,
)
from wes_provider.doctor.replies.probes import Question

LINKING = {
    "content-type": "text/csv",
    "link": '<?format=json>; rel="alternate"; type="application/json"',
}
AS_JSON = "/v1/coupon-list/{coupon_list_id}/files?format=json"
OTHER_PATHS = [
    PathCase(
        "a link of CSV, and the given path, each read twice",
        [
            *given_list_twice(200, "_id,status", headers=LINKING),
            list_elsewhere(200, NAMING_SPRING, path=AS_JSON),
            once_more(list_elsewhere(200, NAMING_SPRING, path=AS_JSON)),
            nowhere(),
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files replies with CSV, and its Link names "
            "/v1/coupon-list/{coupon_list_id}/files (with format=json), which has 2 files as JSON: "
            "put that in.",
        ),
        AS_JSON,
    ),
    PathCase(
        "another path, and the given one, each read twice",
        [
            *given_list_twice(404, NOT_FOUND),
            list_elsewhere(200, NAMING_SPRING),
            once_more(list_elsewhere(200, NAMING_SPRING)),
            nowhere(),
        ],
        Said(
            WRONG,
            "It is /v1/coupon-list/{coupon_list_id}/coupon-files, not "
            "/v1/coupon-list/{coupon_list_id}/files.",
        ),
        OTHER,
    ),
    PathCase(
        "another path, read once, and the given one twice",
        [
            given_list(404, NOT_FOUND),
            list_elsewhere(200, NAMING_SPRING),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-list/{coupon_list_id}/coupon-files, which was not "
            "read twice, because other replies left it open. Put it in, and run this "
            "again.",
        ),
        OTHER,
    ),
    PathCase(
        "another path, read twice, and the given one once",
        [
            given_list(404, NOT_FOUND),
            list_elsewhere(200, NAMING_SPRING),
            once_more(list_elsewhere(200, NAMING_SPRING)),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-list/{coupon_list_id}/coupon-files, which was not "
            "read twice, because other replies left it open. Put it in, and run this "
            "again.",
        ),
        OTHER,
    ),
    PathCase(
        "another path, not read twice since the time ran out",
        [
            given_list(404, NOT_FOUND),
            list_elsewhere(200, NAMING_SPRING),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-list/{coupon_list_id}/coupon-files, which was not "
            "read twice, because the time ran out. Put it in, and run this again.",
        ),
        OTHER,
        not_asked={Question.AGAIN: "the time ran out"},
    ),
    PathCase(
        "another path that has the uploaded file, each read once",
        [given_list(404, NOT_FOUND), list_elsewhere(200, NAMING_SPRING)],
        Said(
            WRONG,
            "It is /v1/coupon-list/{coupon_list_id}/coupon-files, not "
            "/v1/coupon-list/{coupon_list_id}/files.",
        ),
        OTHER,
        uploaded="f1",
    ),
    PathCase(
        "another path that a redirect of the given one names, each read twice",
        [
            *[redirected("/v1/coupon-list/spring/coupon-files")] * 2,
            list_elsewhere(200, NAMING_SPRING),
            once_more(list_elsewhere(200, NAMING_SPRING)),
            nowhere(),
        ],
        Said(
            WRONG,
            "The service names /v1/coupon-list/{coupon_list_id}/coupon-files, which has 2 files.",
        ),
        OTHER,
    ),
]


@pytest.mark.parametrize("row", OTHER_PATHS, ids=ids(OTHER_PATHS))
def test_another_path_is_wrong_once_both_were_read_twice_or_after_an_upload(row: PathCase):
    check_list(row)
