"""
What is said of a path that has a part of the list's files, or perhaps a part, and which larger page
is proposed.

Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    Said,
    ids,
    made_up_list,
    nowhere,
)
from support.doctor_paths import (
    GIVEN,
    LARGE,
    NAMING_NO_LIST,
    NAMING_SPRING,
    NOT_PROVED,
    STRANGE,
    SURE,
    WRONG,
    PathCase,
    check_list,
    given_list,
    given_list_twice,
    larger_page,
    once_more,
    without_sesame,
)
from support.doctor_replies import changed, error, request_for
from support.doctor_service import record
from wes_provider.doctor.probes import Question

PART = {"data": NAMING_NO_LIST, "total": 9}
F3 = record("f3")
TEN_FILES = [record(f"f{number}", coupons_list_id="spring") for number in range(10)]

ANNOUNCED = [
    PathCase(
        "0 of 9 files, and no other list was read",
        [given_list(200, {"data": [], "total": 9}), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 0 of 9 files; a "
            "larger page was not read. Ask the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files that do not say of which list",
        [given_list(200, PART), nowhere(), made_up_list(404)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; a larger page was not read. Ask the service's support for a path "
            "that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files",
        [given_list(200, {"data": NAMING_SPRING, "total": 9}), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; a larger page was not read. Ask the service's support for a path "
            "that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files by a header for ranges",
        [
            given_list(200, NAMING_SPRING, headers={"content-range": "items 0-1/9"}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; a larger page was not read. Parts come by the header Range "
            "(items), which the provider cannot send, so it does not find an upload "
            "whose outcome is not known on another part. Use lists of at most 2 files, "
            "if these come with status 200, or ask the service's support for a path "
            "that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files by a header in JSON",
        [
            given_list(
                200, NAMING_SPRING, headers={"x-pagination": '{"TotalCount": 9, "PageSize": 2}'}
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of 9 files; a "
            "larger page was not read. Ask the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files with a notice",
        [
            given_list(
                200, {"data": NAMING_SPRING, "total": 9, "message": "The moon is full tonight."}
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files ('The moon is full tonight'); a larger page was not read. Ask the "
            "service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files at a path with a query",
        [
            given_list(
                200,
                {"data": NAMING_SPRING, "total": 9},
                request=request_for(Question.LIST, path=f"{GIVEN}?page=1"),
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files (with page=1) has a part of the "
            "list only: 2 of 9 files; a larger page was not read, since "
            "paths.coupon_files names its query. Ask the service's support for a path "
            "that has all files.",
        ),
        f"{GIVEN}?page=1",
        settings=changed(coupon_files_path=f"{GIVEN}?page=1"),
    ),
    PathCase(
        "a next page",
        [
            given_list(200, NAMING_SPRING, headers={"link": '</v1/next>; rel="next"'}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: the "
            "service names a next page; a larger page was not read. Ask the service's "
            "support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "has_more",
        [
            given_list(200, {"data": NAMING_SPRING, "has_more": True}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: it "
            "has 'has_more'; a larger page was not read. Ask the service's support for "
            "a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "none of 9 files",
        [given_list(200, {"data": [], "total": 9}), nowhere(), made_up_list(404)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 0 of 9 files; a "
            "larger page was not read. Ask the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "206",
        [given_list(206, NAMING_SPRING), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: the response has "
            "status 206, not 200; a larger page was not read. Ask the service's support for a path that has all "
            "files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files with a notice that has a secret",
        [
            given_list(
                200,
                {"data": NAMING_SPRING, "total": 9, "message": "More for sesame only."},
                clean=without_sesame,
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files ('More for *** only'); a larger page was not read. Ask the "
            "service's support for a path that has all files.",
        ),
        GIVEN,
    ),
]


MISSING = (
    ", so the service may not have read all files, or may leave some out. An upload whose outcome "
    "is not known may be one of those. No setting helps: ask the service's support why."
)
HAS_A_PART = "/v1/coupon-list/{coupon_list_id}/files has a part of the list only"
LACKING = [
    PathCase(
        "a shard has failed",
        [given_list(200, {"data": NAMING_SPRING, "_shards": {"total": 5, "failed": 1}}), nowhere()],
        Said(NOT_PROVED, f"{HAS_A_PART}: the reply has _shards.failed 1{MISSING}"),
        GIVEN,
    ),
    PathCase(
        "the search timed out, with a notice",
        [
            given_list(200, {"data": NAMING_SPRING, "timed_out": True, "message": "We are slow."}),
            nowhere(),
        ],
        Said(NOT_PROVED, f"{HAS_A_PART}: the reply has timed_out true ('We are slow'){MISSING}"),
        GIVEN,
    ),
    PathCase(
        "files are left out, with a secret",
        [
            given_list(200, {"data": NAMING_SPRING, "omitted": ["sesame"]}, clean=without_sesame),
            nowhere(),
        ],
        Said(NOT_PROVED, f'{HAS_A_PART}: the reply has omitted ["***"]{MISSING}'),
        GIVEN,
    ),
    PathCase(
        "a shard has failed, and a total is larger",
        [given_list(200, {"data": NAMING_SPRING, "_shards": {"failed": 1}, "total": 9}), nowhere()],
        Said(
            NOT_PROVED,
            f"{HAS_A_PART}: 2 of 9 files; a larger page was not read. Ask the service's support "
            "for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "a shard has failed, and a total is as large",
        [given_list(200, {"data": NAMING_SPRING, "_shards": {"failed": 1}, "total": 2}), nowhere()],
        Said(NOT_PROVED, f"{HAS_A_PART}: the reply has _shards.failed 1{MISSING}"),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", LACKING, ids=ids(LACKING))
def test_a_list_of_which_the_service_lacks_a_part_is_told_by_what_says_so(row: PathCase):
    check_list(row)


@pytest.mark.parametrize("row", ANNOUNCED, ids=ids(ANNOUNCED))
def test_a_list_that_announces_more_files_is_a_part(row: PathCase):
    check_list(row)


LARGER_PAGES = [
    PathCase(
        "2 of 9 files, and a larger page is refused",
        [
            given_list(200, {"data": NAMING_SPRING, "total": 9}),
            larger_page(400, STRANGE),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400 teapot: 'Moon phase is unfavourable'. Ask "
            "the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files, and a larger page is refused by words with a number",
        [
            given_list(200, {"data": NAMING_SPRING, "total": 9}),
            larger_page(400, error("", "At most 5 files.")),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400: 'At most 5 files'. Use lists of at most 5 "
            "files, with ?limit=5 at the end of paths.coupon_files, or ask the "
            "service's support for larger pages: an upload whose outcome is not known "
            "is not found on another page.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files, and a larger page is refused by words with another parameter",
        [
            given_list(200, {"data": NAMING_SPRING, "total": 9}),
            larger_page(400, error("", "Unknown parameter limit. Known: page_size (1-5).")),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400: 'Unknown parameter limit. Known: page_size (1-5)'. Use "
            "lists of at most 5 files, with ?page_size=5 at the end of paths.coupon_files, or ask "
            "the service's support for larger pages: an upload whose outcome is not known "
            "is not found on another page.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files, and the size that the words allow is refused, too",
        [
            given_list(200, {"data": NAMING_SPRING, "total": 9}),
            larger_page(400, error("", "At most 5 files.")),
            larger_page(400, error("", "At most 5 files."), f"{GIVEN}?limit=5"),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400: 'At most 5 files', limit=5 gets 400: 'At most 5 files'. "
            "Ask the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files, and two larger pages are refused",
        [
            given_list(200, {"data": NAMING_SPRING, "total": 9}),
            larger_page(400, STRANGE),
            larger_page(400, error("", "At most 5 files."), f"{GIVEN}?size=1000"),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400 teapot: 'Moon phase is unfavourable', "
            "size=1000 gets 400: 'At most 5 files'. Use lists of at most 5 files, with "
            "?size=5 at the end of paths.coupon_files, or ask the service's support "
            "for larger pages: an upload whose outcome is not known is not found on "
            "another page.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files, and a larger page has the same",
        [
            given_list(200, {"data": NAMING_SPRING, "total": 9}),
            larger_page(200, {"data": NAMING_SPRING, "total": 9}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 does not show all. Ask the service's support for a "
            "path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 9 files, and a larger page has 3",
        [
            given_list(200, {"data": NAMING_SPRING, "total": 9}),
            larger_page(200, {"data": [*NAMING_SPRING, F3], "total": 9}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 3, which is the largest page. Use lists of at "
            "most 3 files, with ?limit=3 at the end of paths.coupon_files, or ask the "
            "service's support for larger pages: an upload whose outcome is not known "
            "is not found on another page.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 3 files, and a larger page has 3",
        [
            *given_list_twice(200, {"data": NAMING_SPRING, "total": 3}),
            larger_page(200, {"data": [*NAMING_SPRING, F3], "total": 3}),
            once_more(larger_page(200, {"data": [*NAMING_SPRING, F3], "total": 3})),
            nowhere(),
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only (2 of "
            "3 files); with limit=1000, it has all of it; no reply says up to how many "
            "files, and there are 3.",
        ),
        LARGE,
    ),
    PathCase(
        "2 of 3 files, and a larger page has 3 and confirms its limit",
        [
            *given_list_twice(200, {"data": NAMING_SPRING, "total": 3}),
            larger_page(200, {"data": [*NAMING_SPRING, F3], "limit": 1000}),
            once_more(larger_page(200, {"data": [*NAMING_SPRING, F3], "limit": 1000})),
            nowhere(),
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only (2 of "
            "3 files); with limit=1000, it has all of it, which is enough up to 1000 "
            "files; there are 3.",
        ),
        LARGE,
    ),
    PathCase(
        "has_more, and a larger page has the same without it",
        [
            *given_list_twice(200, {"data": NAMING_SPRING, "has_more": True}),
            larger_page(200, NAMING_SPRING),
            once_more(larger_page(200, NAMING_SPRING)),
            nowhere(),
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only; with "
            "limit=1000, it has all of it; no reply says up to how many files, and "
            "there are 2.",
        ),
        LARGE,
    ),
    PathCase(
        "2 of 9 files, a larger page has 3, and so has a page of that size",
        [
            given_list(200, {"data": NAMING_SPRING, "total": 9}),
            larger_page(200, {"data": [*NAMING_SPRING, F3], "total": 9}),
            larger_page(200, {"data": [*NAMING_SPRING, F3], "total": 9}, f"{GIVEN}?limit=3"),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of 9 files; "
            "limit=1000 gets 3, which is the largest page, limit=3 does not show all. Use lists of "
            "at most 3 files, with ?limit=3 at the end of paths.coupon_files, or ask the service's "
            "support for larger pages: an upload whose outcome is not known is not found on "
            "another page.",
        ),
        GIVEN,
    ),
    PathCase(
        "2 of 2 files and has_more, and a larger page has 3",
        [
            *given_list_twice(200, {"data": NAMING_SPRING, "total": 2, "has_more": True}),
            larger_page(200, [*NAMING_SPRING, F3]),
            once_more(larger_page(200, [*NAMING_SPRING, F3])),
            nowhere(),
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only; with "
            "limit=1000, it has all of it; no reply says up to how many files, and "
            "there are 3.",
        ),
        LARGE,
    ),
    PathCase(
        "2 of 3 files, read once, and a larger page has 3, read twice",
        [
            given_list(200, {"data": NAMING_SPRING, "total": 3}),
            larger_page(200, {"data": [*NAMING_SPRING, F3], "total": 3}),
            once_more(larger_page(200, {"data": [*NAMING_SPRING, F3], "total": 3})),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-list/{coupon_list_id}/files (with limit=1000), which was not "
            "read twice, because other replies left it open. Put it in, and run this again.",
        ),
        LARGE,
    ),
    PathCase(
        "2 of 9 files at a path with a query, and a larger page is refused",
        [
            given_list(
                200,
                {"data": NAMING_SPRING, "total": 9},
                request=request_for(Question.LIST, path=f"{GIVEN}?page=1"),
            ),
            larger_page(400, STRANGE, f"{GIVEN}?page=1&limit=1000"),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files (with page=1) has a part of the list only: 2 "
            "of 9 files; limit=1000 gets 400 teapot: 'Moon phase is unfavourable'. Ask the "
            "service's support for a path that has all files.",
        ),
        f"{GIVEN}?page=1",
        settings=changed(coupon_files_path=f"{GIVEN}?page=1"),
    ),
]


@pytest.mark.parametrize("row", LARGER_PAGES, ids=ids(LARGER_PAGES))
def test_a_part_is_wrong_if_a_larger_page_has_the_whole_list_and_both_were_read_as_often(
    row: PathCase,
):
    check_list(row)


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
            "It has 10 files. That is as many as a page often has, and nothing shows whether the "
            "service heeds the size of a page (limit), so there may be more. Ask the service's "
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
        "as many files as a page often has, and a page for one has one",
        [
            given_list(200, TEN_FILES),
            larger_page(200, TEN_FILES[:1], f"{GIVEN}?limit=1"),
            nowhere(),
        ],
        Said(SURE, "It has 10 files."),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", UNANNOUNCED, ids=ids(UNANNOUNCED))
def test_a_list_that_announces_nothing_may_be_a_part(row: PathCase):
    check_list(row)


CHANGED_BY_PROXY = [
    PathCase(
        "a list with 203",
        [
            given_list(
                203, NAMING_SPRING, headers={"via": "1.1 wan", "warning": '214 wan "Changed"'}
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files replies with 203 (replies have Via: 1.1 wan "
            'and Warning: 214 wan "Changed"), and tasks take only a 200 for a whole list, so '
            "they could not find an upload whose response is lost. A proxy may change replies on "
            "the way: ask whoever runs it to pass them on as they are, or the service's support "
            "for a 200. The path is not at fault, and no setting helps.",
        ),
        GIVEN,
    ),
    PathCase(
        "a part of a list with 203",
        [
            given_list(203, NAMING_SPRING, headers={"link": '</files?page=2>; rel="next"'}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: the service "
            "names a next page; a larger page was not read. Ask the service's support for a path "
            "that has all files.",
        ),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", CHANGED_BY_PROXY, ids=ids(CHANGED_BY_PROXY))
def test_a_list_with_203_is_no_part_if_nothing_else_announces_more(row: PathCase):
    check_list(row)
