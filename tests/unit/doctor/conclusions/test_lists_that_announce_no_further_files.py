"""
A list that announces no further files may be a part: it is *not proved* if a larger page has more
files, if its page is full by its own words (per_page), if its reply says that a filter applies, or
if it has as many files as a page often has, such as 10, and no read shows that the service heeds
the size of a page. It is *sure* in the last case if limit=1 got one file. After an upload, the list
that has the uploaded file is *sure*, but for a filter.
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
    NOT_PROVED,
    SURE,
    PathCase,
    check_list,
    given_list,
    larger_page,
)
from support.doctor_service import record

F3 = record("f3")
TEN_FILES = [record(f"f{number}", coupons_list_id="spring") for number in range(10)]
UNANNOUNCED = [
    PathCase(
        "2 files, and a larger page has 3",
        [
            given_list(200, NAMING_SPRING),
            larger_page(200, [*NAMING_SPRING, F3]),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, and with limit=1000 "
            "it has 3: it is a page, though no reply says so. An upload whose outcome "
            "is not known is not found on another page. Ask the service's support for "
            "a path that has all files, or for the largest page.",
        ),
        GIVEN,
    ),
    PathCase(
        "a full page",
        [given_list(200, {"data": NAMING_SPRING, "per_page": 2}), nowhere()],
        Said(
            NOT_PROVED,
            "It has 2 files. Its page is full (per_page: 2), and nothing says how many "
            "there are, so there may be more. Ask the service's support for a path "
            "that has all files, or name a list with fewer.",
        ),
        GIVEN,
    ),
    PathCase(
        "a full page after an upload",
        [given_list(200, {"data": NAMING_SPRING, "per_page": 2})],
        Said(SURE, "It has the uploaded file."),
        GIVEN,
        uploaded="f1",
    ),
    PathCase(
        "a filter that the reply says it has applied",
        [
            given_list(200, {"data": NAMING_SPRING, "filters": {"since": "30d"}}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "It has 2 files. But the reply says that a filter applies (filters.since: 30d), so it "
            "may leave out files, and a task would send a file again that is there. Ask the "
            "service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "a filter that the reply says it has applied, after an upload",
        [given_list(200, {"data": NAMING_SPRING, "filters": {"since": "30d"}})],
        Said(
            NOT_PROVED,
            "It has the uploaded file. But the reply says that a filter applies (filters.since: "
            "30d), so it may leave out files, and a task would send a file again that is there. "
            "Ask the service's support for a path that has all files.",
        ),
        GIVEN,
        uploaded="f1",
    ),
    PathCase(
        "as many files as a page often has",
        [given_list(200, TEN_FILES), nowhere()],
        Said(
            NOT_PROVED,
            "It has 10 files. That is as many as a page often has, and no reply shows that nothing "
            "comes behind them (offset, page), so there may be more. Ask the service's "
            "support whether it divides lists into pages, or name a list with another number of "
            "files.",
        ),
        GIVEN,
    ),
    PathCase(
        "as many files as a page often has, after an upload",
        [given_list(200, TEN_FILES)],
        Said(SURE, "It has the uploaded file."),
        GIVEN,
        uploaded="f1",
    ),
    PathCase(
        "as many files as a page often has, and none behind them",
        [
            given_list(200, TEN_FILES),
            larger_page(200, [], f"{GIVEN}?limit=1&offset=10"),
            nowhere(),
        ],
        Said(SURE, "It has 10 files."),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", UNANNOUNCED, ids=ids(UNANNOUNCED))
def test_a_list_that_announces_nothing_may_be_a_part(row: PathCase):
    check_list(row)
