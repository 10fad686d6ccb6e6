"""
The path of one file is *sure* if a read at the connection's path has the file. But it is *not
proved* if the list, which was read before, had that file with an end (success or failure), and its
own path has another status: one of the two is behind. A list that was read after the file, other
files of the list, and an uploaded file are not compared.

It is *wrong*, and another path is proposed, if that has the file, and both paths were read twice.
One read of each is enough after an upload, and one of the connection's path if it is redirected to
the other one. If a redirect or the file's record names the other path, that is said. If one of both
was read only once, it is *not proved*, and the other path is a guess, also if the record names it.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    NOT_FOUND,
    Said,
    ids,
    nowhere,
)
from support.doctor_paths import (
    F1,
    GIVEN_FILE,
    LIST_WITH_F1,
    NOT_PROVED,
    OTHER_FILE,
    SURE,
    WRONG,
    PathCase,
    check_file,
    file_elsewhere,
    given_file,
    given_list,
    once_more,
)
from support.doctor_replies import MOMENT
from support.doctor_service import record

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
