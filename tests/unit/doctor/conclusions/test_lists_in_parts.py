"""
The path of the list is *not proved* if its reply says that it has a part of the files only; the
text says what announces that, the first of these: a total above the number of files (in the body,
Content-Range or X-Pagination), a next page, or a mark such as has_more or a status 206. What the
reply says to people is quoted, without secrets. Without the read of a larger page, support is to be
asked for a path that has all; if the connection's path has a query, that is why none was read.
Parts by the header Range ask for smaller lists, too. A list that only points at more, by a cursor
or a link, may be a part, unless a read shows what is behind that: no file, or further ones.

If only an error or an omission says that files are missing (a failed shard, timed_out, omitted),
and no total is larger than the number of files, that is named, and no setting helps. A status 203
alone is a change by a proxy, and no part; it does not count if something else announces more.
"""

from __future__ import annotations

from typing import Any

import pytest

from support.doctor_findings import (
    Said,
    ids,
    made_up_list,
    nowhere,
)
from support.doctor_paths import (
    GIVEN,
    NAMING_NO_LIST,
    NAMING_SPRING,
    NOT_PROVED,
    PathCase,
    check_list,
    given_list,
    larger_page,
    without_sesame,
)
from support.doctor_replies import changed, reply, request_for
from support.doctor_service import record
from wes_provider.doctor.replies.probes import Probe, Question


def given_list_with_cursor() -> list[Probe]:
    """A list that points at more, and a path that does not exist."""
    return [given_list(200, {"data": NAMING_SPRING, "next_cursor": "c1"}), nowhere()]


def behind_cursor(records: list[dict[str, Any]]) -> Probe:
    """The read of what that list points at."""
    request = request_for(Question.LIST)
    return reply(
        200,
        {"data": records, "next_cursor": None},
        question=Question.NEXT_PAGE,
        request=request._replace(url=f"{request.url}?cursor=c1"),
        tried="cursor",
    )


PART = {"data": NAMING_NO_LIST, "total": 9}
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
            "/v1/coupon-list/{coupon_list_id}/files may have a part of the list only: the service "
            "names a next page; tasks take it for one, though no file may be behind that; a larger "
            "page was not read. Ask the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "a cursor, and no file behind it",
        [*given_list_with_cursor(), behind_cursor([])],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files announces more than its 2 files (the service "
            "names a next page), and behind that is no file: the list seems to be whole. But tasks "
            "take it for a part, so an upload whose response is lost needs a person. No setting "
            "helps: ask the service's support to announce nothing on the last page.",
        ),
        GIVEN,
    ),
    PathCase(
        "a cursor, and a file behind it",
        [*given_list_with_cursor(), behind_cursor([record("f3", coupons_list_id="spring")])],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: the service names "
            "a next page, and behind that is a page with 1 further file; a larger page was not "
            "read. Ask the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    PathCase(
        "a cursor, and more files on a larger page",
        [
            *given_list_with_cursor(),
            larger_page(
                200,
                {
                    "data": [*NAMING_SPRING, record("f3", coupons_list_id="spring")],
                    "next_cursor": "c2",
                },
            ),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: the service names "
            "a next page; limit=1000 gets 3, which is the largest page. Use lists of at most 3 "
            "files, with ?limit=3 at the end of paths.coupon_files, or ask the service's support "
            "for larger pages: an upload whose outcome is not known is not found on another page.",
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
