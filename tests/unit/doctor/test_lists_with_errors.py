"""
If the read of the list gets an error, its path is *not proved*, the error is quoted, and the first
of these says what to do. A 403 that a path that does not exist gets, too, in a gateway's words:
there is no such path. Another 403, and a 404 about permissions: the campaign key comes first; but a
documented 403 needs access. A 404 of another account: name a list of the login's; of another mode:
a key of that mode; that leaves access open: check both. A page with 404 for an escaped identifier:
name the list otherwise.

A 404 in other words than a path that does not exist gets: the path may be right, and the list
missing or empty. If only other paths get such other words, they may be the path. If all get the
same, none shows the list's files. A 400 is not about access: it is about the query of the
connection's path if it names its parameter, or about the first path that it names, which is to be
read; else support is to be asked. Nowhere is short for a path that does not exist.
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
    LARGE,
    NAMING_OTHERS,
    NO_SCOPE,
    NOT_PROVED,
    STRANGE,
    PathCase,
    check_list,
    given_list,
    list_elsewhere,
)
from support.doctor_replies import SETTINGS, changed, error
from wes_provider import contract
from wes_provider.doctor.evidence import list_at

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
        [given_list(403, error(contract.REQUEST_FORBIDDEN, "No.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 request-forbidden to GET "
            "/v1/coupon-list/spring/files: 'No'. The path may be right. Ask the "
            "service's support for access.",
        ),
    ),
    PathCase(
        "403 that names another account",
        [given_list(403, error("", "The list is of account acme.")), nowhere()],
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


MISSING_LISTS = [
    PathCase(
        "404 about a permission",
        [given_list(404, NO_SCOPE), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing here that your permissions show'. The path may be right: settle "
            "the Campaign API key first.",
        ),
    ),
    PathCase(
        "404 about another account",
        [given_list(404, error("", "The list is of account acme.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'The list is "
            "of account acme'. The Workspace identifier (login) is workspace: name a "
            "list of it, or use a connection with the login and the keys of acme. The "
            "path may be right.",
        ),
    ),
    PathCase(
        "404 about another account or about no access",
        [
            given_list(404, error("", "The list is of account acme, or you have no access.")),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'The list is "
            "of account acme, or you have no access'. The Workspace identifier (login) "
            "is workspace: name a list of it, or use a connection with the login and "
            "the keys of acme. The path may be right.",
        ),
    ),
    PathCase(
        "404 about another mode",
        [given_list(404, error("", "A test key was used for a live list.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'A test key "
            "was used for a live list'. The Campaign API key and the list are of "
            "different modes or environments: put in the key of the list's, or name a "
            "list of the key's. The path may be right.",
        ),
    ),
    PathCase(
        "404 about another mode or about no access",
        [given_list(404, error("", "A live key was used, or you have no access.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'A live key "
            "was used, or you have no access'. The Campaign API key and the list are "
            "of different modes or environments: put in the key of the list's, or name "
            "a list of the key's. The path may be right.",
        ),
    ),
    PathCase(
        "404 about no list or about no access",
        [given_list(404, error("", "Not there, or you have no access.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'Not there, "
            "or you have no access'. Check the identifier spring in the service's "
            "dashboard, and whether the Campaign API key has access to that list; the "
            "path may be right.",
        ),
    ),
    PathCase(
        "404 in other words than nowhere",
        [given_list(404, error("", "No such list.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'No such "
            "list'. It replies otherwise to a path that does not exist, so it may have "
            "this path, but not this list, or replies so to a list without files: name "
            "a list with files, or use --upload URL.",
        ),
    ),
    PathCase(
        "404 as nowhere, and in other words at another path",
        [given_list(404, NOT_FOUND), list_elsewhere(404, error("", "No such list.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing is here'. Only /v1/coupon-list/{coupon_list_id}/coupon-files "
            "gets another reply than a path that does not exist, so it may be the "
            "path, of other things, too; --upload URL tries more, or ask the service's "
            "support.",
        ),
    ),
    PathCase(
        "404 as nowhere, and in other words at two other paths",
        [
            given_list(404, NOT_FOUND),
            list_elsewhere(404, error("", "No such list.")),
            list_elsewhere(404, error("", "No such thing."), path=LARGE),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing is here'. /v1/coupon-list/{coupon_list_id}/coupon-files, as 1 other path "
            "that was tried, gets another reply than a path that does not exist, so it may be the "
            "path, of other things, too; --upload URL tries more, or ask the service's support.",
        ),
    ),
    PathCase(
        "404 as nowhere",
        [given_list(404, NOT_FOUND), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing is here'. This path does not show the list's files; --upload URL "
            "tries more, or ask the service's support.",
        ),
    ),
    PathCase(
        "404 as nowhere at two paths",
        [given_list(404, NOT_FOUND), list_elsewhere(404, NOT_FOUND), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing is here'. None of these paths shows the list's files; --upload "
            "URL tries more, or ask the service's support.",
        ),
    ),
    PathCase(
        "404 with a page at a path with an escaped slash",
        [
            given_list(404, b"<html>Not Found</html>", request=list_at(SETTINGS, GIVEN, "a/b")),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "What replied sent 404, which is not the service's, to GET "
            "/v1/coupon-list/a%2Fb/files. The list's identifier has '/' (%2F), which "
            "the provider sends escaped, and other paths reply as the service does. Name the "
            "list by its identifier in the service's dashboard, or have such paths let through.",
        ),
        list_id="a/b",
    ),
]


@pytest.mark.parametrize("row", MISSING_LISTS, ids=ids(MISSING_LISTS))
def test_a_404_for_the_list_leaves_the_path_open_by_its_words_or_by_what_other_paths_get(
    row: PathCase,
):
    check_list(row)


OBJECTIONS = [
    PathCase(
        "400 about another account",
        [given_list(400, error("", "The list is of account acme.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'The list is "
            "of account acme'. Ask the service's support.",
        ),
    ),
    PathCase(
        "400 about no list or about no access",
        [given_list(400, error("", "Not there, or you have no access.")), nowhere()],
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
            given_list(400, error("", "Use /v1/coupon-list/spring/coupon-files")),
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
        [given_list(400, error("", "Use /v1/coupon-list/spring/coupon-files")), nowhere()],
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
        [given_list(400, STRANGE), list_elsewhere(404, error("", "No such list.")), nowhere()],
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
                error("", "Unknown parameter: limit"),
                tried=f"{GIVEN}?limit=30",
                request=list_at(WITH_LIMIT, WITH_LIMIT.coupon_files_path, "spring"),
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Unknown parameter: "
            "limit'. Its parameter limit is that of paths.coupon_files: correct the query there, "
            "or take it out, and run this again.",
        ),
        settings=WITH_LIMIT,
    ),
    PathCase(
        "400 that names two paths, of which the first was read",
        [
            given_list(
                400,
                error("", "Use /v1/coupon-list/spring/coupon-files or /v2/coupon-list/spring/all"),
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
