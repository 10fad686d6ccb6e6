"""
If the list is redirected to the same path with another name, its path is *not proved*: the list
seems to be called so, and is to be named so, also if a read by that name has files. If that read
gets an error, support is to be asked; if a list that does not exist is redirected to the same name,
that is no other name of the list. The same name, encoded otherwise, no setting changes.

If the list is redirected to something else, it is *wrong* if that came twice, and a path that does
not exist (nowhere) gets an error of the service. It is *not proved* if it came once, if nowhere
gets no such error, or if the last redirect is to a maintenance by its name. A login, a maintenance
and a signed download are called so.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    NOT_FOUND,
    Said,
    ids,
    made_up_list,
    nowhere,
    redirected,
)
from support.doctor_paths import (
    NAMING_NO_LIST,
    NOT_PROVED,
    WRONG,
    PathCase,
    check_list,
    other_list,
)

RENAMED = [
    PathCase(
        "a redirect to another name",
        [redirected("/v1/coupon-list/winter/files"), nowhere()],
        Said(
            NOT_PROVED,
            "The list seems to be called winter now: the service redirects "
            "/v1/coupon-list/spring/files to the same path with winter (302). Name "
            "winter in --coupon-list, and in your tasks, and run this again.",
        ),
    ),
    PathCase(
        "a redirect to another name, which has files",
        [redirected("/v1/coupon-list/winter/files"), nowhere(), other_list(200, NAMING_NO_LIST)],
        Said(
            NOT_PROVED,
            "The list seems to be called winter now: the service redirects "
            "/v1/coupon-list/spring/files to the same path with winter (302), and a "
            "read of that has 2 files. Name winter in --coupon-list, and in your "
            "tasks, and run this again.",
        ),
    ),
    PathCase(
        "a redirect to another name, which is unknown",
        [redirected("/v1/coupon-list/winter/files"), nowhere(), other_list(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The list seems to be called winter now: the service redirects "
            "/v1/coupon-list/spring/files to the same path with winter (302), but a "
            "read of that gets 404 not-found: 'Nothing is here'. Ask the service's "
            "support what the list is called.",
        ),
    ),
    PathCase(
        "a redirect to another name, and of a list that does not exist to the same",
        [
            redirected("/v1/coupon-list/winter/files"),
            nowhere(),
            made_up_list(302, b"", headers={"location": "/v1/coupon-list/winter/files"}),
        ],
        Said(
            NOT_PROVED,
            "The service redirects /v1/coupon-list/spring/files to the same path with "
            "winter (302), and a list that does not exist likewise, so that is no "
            "other name of spring: check it in the service's dashboard, or ask the "
            "service's support.",
        ),
    ),
    PathCase(
        "a redirect to another name, and of a list that does not exist to a third one",
        [
            redirected("/v1/coupon-list/winter/files"),
            nowhere(),
            made_up_list(302, b"", headers={"location": "/v1/coupon-list/autumn/files"}),
        ],
        Said(
            NOT_PROVED,
            "The list seems to be called winter now: the service redirects "
            "/v1/coupon-list/spring/files to the same path with winter (302). Name "
            "winter in --coupon-list, and in your tasks, and run this again.",
        ),
    ),
    PathCase(
        "a redirect to the same name, encoded otherwise",
        [redirected("/v1/coupon-list/%73pring/files"), nowhere()],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/v1/coupon-list/%73pring/files, which has the same "
            "identifier, encoded otherwise. The provider encodes identifiers in one "
            "way only, and no setting changes that: ask the service's support to "
            "accept it, or use an identifier of letters, digits and hyphens.",
        ),
    ),
]


@pytest.mark.parametrize("row", RENAMED, ids=ids(RENAMED))
def test_a_redirect_to_another_name_of_the_list_is_not_proved_and_names_it_unless_all_lead_there(
    row: PathCase,
):
    check_list(row)


REDIRECTED = [
    PathCase(
        "a redirect to something else, twice",
        [redirected("/away"), redirected("/away"), nowhere()],
        Said(
            WRONG,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/away, which is not followed; other paths reply "
            "here, so the Address is right. No setting helps: ask the service's "
            "support for a list that replies with JSON itself.",
        ),
    ),
    PathCase(
        "a redirect to a login, twice",
        [redirected("/login"), redirected("/login"), nowhere()],
        Said(
            WRONG,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/login (a browser login), which is not followed; "
            "other paths reply here, so the Address is right. No setting helps: ask "
            "whoever runs it to let requests with keys through to the list.",
        ),
    ),
    PathCase(
        "a redirect to a maintenance, twice",
        [redirected("/maintenance"), redirected("/maintenance"), nowhere()],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/maintenance (a maintenance, by its name), which "
            "is not followed; other paths reply here, so the Address is right. No "
            "setting helps: wait until it is over, and run this again, or ask the "
            "service's support.",
        ),
    ),
    PathCase(
        "a redirect to a signed download, twice",
        [
            redirected("https://files.example.org/a?X-Amz-Signature=b"),
            redirected("https://files.example.org/a?X-Amz-Signature=b"),
            nowhere(),
        ],
        Said(
            WRONG,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://files.example.org/a (a signed download), which is not followed, "
            "since keys may not go there; other paths reply here, so the Address is "
            "right. No setting helps: ask the service's support for a list that "
            "replies with JSON itself.",
        ),
    ),
    PathCase(
        "a redirect to something else, twice, and nowhere no error of the service",
        [redirected("/away"), redirected("/away"), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/away, which is not followed; other paths reply "
            "here, so the Address may be right. No setting helps: ask the service's "
            "support for a list that replies with JSON itself.",
        ),
    ),
    PathCase(
        "a redirect to something else, once",
        [redirected("/away"), nowhere()],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/away, which is not followed; other paths reply "
            "here, so the Address is right. No setting helps: ask the service's "
            "support for a list that replies with JSON itself.",
        ),
    ),
    PathCase(
        "a redirect to something else, then to a maintenance",
        [redirected("/away"), redirected("/maintenance"), nowhere()],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/away, which is not followed; other paths reply "
            "here, so the Address is right. No setting helps: ask the service's "
            "support for a list that replies with JSON itself.",
        ),
    ),
]


@pytest.mark.parametrize("row", REDIRECTED, ids=ids(REDIRECTED))
def test_a_redirect_to_no_list_is_wrong_only_if_it_came_twice_of_the_service_and_is_no_maintenance(
    row: PathCase,
):
    check_list(row)
