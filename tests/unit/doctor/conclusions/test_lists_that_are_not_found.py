"""
If the list gets a 404, its path is *not proved*, and the first of these says what to do. A page for
an escaped identifier: name the list otherwise. Words about permissions: settle the campaign key
first. Words about another account: name a list of the login's. About a key of another mode: use one
of the list's. That leave open whether access is missing: check both. A 404 in other words than
nowhere gets: the path may be right, and the list missing or empty. If only other paths get other
words, one of them may be the path. If all get the same, none shows the list. Nowhere is short for a
path that does not exist.
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
    GIVEN,
    LARGE,
    NO_SCOPE,
    NOT_PROVED,
    PathCase,
    check_list,
    given_list,
    list_elsewhere,
)
from support.doctor_replies import SETTINGS, error_body
from wes_provider.doctor.reads.evidence import list_at

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
        [given_list(404, error_body("", "The list is of account acme.")), nowhere()],
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
            given_list(404, error_body("", "The list is of account acme, or you have no access.")),
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
        [given_list(404, error_body("", "A test key was used for a live list.")), nowhere()],
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
        [given_list(404, error_body("", "A live key was used, or you have no access.")), nowhere()],
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
        [given_list(404, error_body("", "Not there, or you have no access.")), nowhere()],
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
        [given_list(404, error_body("", "No such list.")), nowhere()],
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
        [
            given_list(404, NOT_FOUND),
            list_elsewhere(404, error_body("", "No such list.")),
            nowhere(),
        ],
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
            list_elsewhere(404, error_body("", "No such list.")),
            list_elsewhere(404, error_body("", "No such thing."), path=LARGE),
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
