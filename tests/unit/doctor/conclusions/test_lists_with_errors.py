"""
If the list gets a 403, its path is *not proved*. The same 403 as nowhere, in a gateway's words:
there is no such path. A documented 403: the path may be right, and access is to be asked for. Any
other 403, whatever account it names and whatever other paths have: settle the campaign key first.

If the list gets a 400, its path is *not proved*, whatever it says of accounts and access. If it
names the parameter in the query of the connection's path, that is to be corrected. If it names a
path, the first one is to be read, or was read and does not show the list. Else support is to be
asked. Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FORBIDDEN,
    NOT_FOUND,
    Said,
    ids,
    nowhere,
)
from support.doctor_paths import (
    GIVEN,
    NAMING_OTHERS,
    NOT_PROVED,
    STRANGE,
    PathCase,
    check_list,
    given_list,
    list_elsewhere,
)
from support.doctor_replies import changed, error_body
from wes_provider import contract
from wes_provider.doctor.reads.evidence import list_at

WITH_LIMIT = changed(coupon_files_path=f"{GIVEN}?limit=30")
STAGE = {"message": "Missing Authentication Token"}
FORBIDDEN_LISTS = [
    PathCase(
        "403 with words of a gateway, and nowhere the same",
        [given_list(403, STAGE), nowhere(403, STAGE)],
        Said(
            NOT_PROVED,
            "The service replies 403 to GET /v1/coupon-list/spring/files: 'Missing "
            "Authentication Token', and the same to a path that does not exist, so it "
            "has no such path, whatever the key is. This path does not show the list's "
            "files; --upload URL tries more, or ask the service's support.",
        ),
    ),
    PathCase(
        "403 with words of a gateway at two paths, and nowhere the same",
        [given_list(403, STAGE), list_elsewhere(403, STAGE), nowhere(403, STAGE)],
        Said(
            NOT_PROVED,
            "The service replies 403 to GET /v1/coupon-list/spring/files: 'Missing "
            "Authentication Token', and the same to a path that does not exist, so it "
            "has no such path, whatever the key is. None of these paths shows the "
            "list's files; --upload URL tries more, or ask the service's support.",
        ),
    ),
    PathCase(
        "403",
        [given_list(403, FORBIDDEN), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files: "
            "'Not you'. The path may be right: settle the Campaign API key first.",
        ),
    ),
    PathCase(
        "403 as documented",
        [given_list(403, error_body(contract.REQUEST_FORBIDDEN, "No.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 request-forbidden to GET "
            "/v1/coupon-list/spring/files: 'No'. The path may be right. Ask the "
            "service's support for access.",
        ),
    ),
    PathCase(
        "403 that names another account",
        [given_list(403, error_body("", "The list is of account acme.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 to GET /v1/coupon-list/spring/files: 'The list is "
            "of account acme'. The path may be right: settle the Campaign API key "
            "first.",
        ),
    ),
    PathCase(
        "403, and files of other lists at another path",
        [given_list(403, FORBIDDEN), list_elsewhere(200, NAMING_OTHERS), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files: "
            "'Not you'. The path may be right: settle the Campaign API key first.",
        ),
    ),
]


@pytest.mark.parametrize("row", FORBIDDEN_LISTS, ids=ids(FORBIDDEN_LISTS))
def test_a_403_for_the_list_leaves_the_path_open_by_its_words_or_by_what_other_paths_get(
    row: PathCase,
):
    check_list(row)


OBJECTIONS = [
    PathCase(
        "400 about another account",
        [given_list(400, error_body("", "The list is of account acme.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'The list is "
            "of account acme'. Ask the service's support.",
        ),
    ),
    PathCase(
        "400 about no list or about no access",
        [given_list(400, error_body("", "Not there, or you have no access.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Not there, "
            "or you have no access'. Ask the service's support.",
        ),
    ),
    PathCase(
        "400",
        [given_list(400, STRANGE), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 teapot to GET /v1/coupon-list/spring/files: 'Moon "
            "phase is unfavourable'. Ask the service's support.",
        ),
    ),
    PathCase(
        "400 that names a path",
        [
            given_list(400, error_body("", "Use /v1/coupon-list/spring/coupon-files")),
            nowhere(),
            list_elsewhere(404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Use "
            "/v1/coupon-list/spring/coupon-files'. A read of "
            "/v1/coupon-list/{coupon_list_id}/coupon-files does not show the list's "
            "files; --upload URL tries more, or ask the service's support.",
        ),
    ),
    PathCase(
        "400 that names a path, which was not read",
        [given_list(400, error_body("", "Use /v1/coupon-list/spring/coupon-files")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Use "
            "/v1/coupon-list/spring/coupon-files'. It names "
            "/v1/coupon-list/{coupon_list_id}/coupon-files, which was not read: run this again "
            "later.",
        ),
    ),
    PathCase(
        "400, and 404 in other words than nowhere at another path",
        [given_list(400, STRANGE), list_elsewhere(404, error_body("", "No such list.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 teapot to GET /v1/coupon-list/spring/files: 'Moon "
            "phase is unfavourable'. Ask the service's support.",
        ),
    ),
    PathCase(
        "the query of paths.coupon_files is refused",
        [
            given_list(
                400,
                error_body("", "Unknown parameter: Limit"),
                tried=f"{GIVEN}?limit=30",
                request=list_at(WITH_LIMIT, WITH_LIMIT.coupon_files_path, "spring"),
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Unknown parameter: "
            "Limit'. Its parameter limit is that of paths.coupon_files: correct the query there, "
            "or take it out, and run this again.",
        ),
        settings=WITH_LIMIT,
    ),
    PathCase(
        "400 that names two paths, of which the first was read",
        [
            given_list(
                400,
                error_body(
                    "", "Use /v1/coupon-list/spring/coupon-files or /v2/coupon-list/spring/all"
                ),
            ),
            nowhere(),
            list_elsewhere(404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Use "
            "/v1/coupon-list/spring/coupon-files or /v2/coupon-list/spring/all'. A read of "
            "/v1/coupon-list/{coupon_list_id}/coupon-files does not show the list's "
            "files; --upload URL tries more, or ask the service's support.",
        ),
    ),
]


@pytest.mark.parametrize("row", OBJECTIONS, ids=ids(OBJECTIONS))
def test_a_400_for_the_list_leaves_the_path_open_by_its_words_or_by_what_other_paths_get(
    row: PathCase,
):
    check_list(row)
