"""
A list has a part of its files only, and a larger page of it was read (limit=1000). If that has all
files, and both reads came twice, the path is *wrong*, and the larger page is proposed; the text
says up to how many files that is enough, if the reply confirms its limit. If the part was read once
only, it is *not proved*, and the larger page is a guess. A larger page has all if it has as many
files as the total says, or announces no more.

If it does not have all, the path is *not proved*. The text says what each larger page got: an
error, the same, or the largest page. If an error's words name a size (and perhaps a parameter), or
a page has more files than the first one, lists of at most that size are advised; but not if that
size was refused, too. Else support is to be asked.
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
    LARGE,
    NAMING_SPRING,
    NOT_PROVED,
    STRANGE,
    WRONG,
    PathCase,
    check_list,
    given_list,
    given_list_twice,
    larger_page,
    once_more,
)
from support.doctor_replies import changed, error_body, request_for
from support.doctor_service import record
from wes_provider.doctor.replies.probes import Question

F3 = record("f3")
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
            larger_page(400, error_body("", "At most 5 files.")),
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
            larger_page(400, error_body("", "Unknown parameter limit. Known: page_size (1-5).")),
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
            larger_page(400, error_body("", "At most 5 files.")),
            larger_page(400, error_body("", "At most 5 files."), f"{GIVEN}?limit=5"),
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
            larger_page(400, error_body("", "At most 5 files."), f"{GIVEN}?size=1000"),
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
        "a cursor, and a larger page has the same without it",
        [
            *given_list_twice(200, {"data": NAMING_SPRING, "next_cursor": "c1"}),
            larger_page(200, NAMING_SPRING),
            once_more(larger_page(200, NAMING_SPRING)),
            nowhere(),
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files announces more files, so tasks take it for a "
            "part of the list; with limit=1000, it has the same 2 files, and announces none.",
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
