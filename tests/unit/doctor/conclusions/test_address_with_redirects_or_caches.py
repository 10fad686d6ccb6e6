"""
The address is *not proved* if redirects of different paths lead to different places; if they stay
below this address, it may be right, and else no one address fits all. If two redirects lead to each
other, they go in a circle, and neither the address nor paths are to be changed. It is *not proved*,
too, if a reply has an Age: a cache replies in the service's place to the paths that are named, two
at most; keys are perhaps not checked, unless a made-up key was refused. That comes before the same
404 everywhere; that time ran out comes before it. The proxy that may have replied is named only for
a circle.
"""

from __future__ import annotations

import pytest

from support.doctor_addresses import (
    NOT_PROVED,
    Case,
    below,
    check_address,
    check_names_proxy,
)
from support.doctor_findings import (
    FILES,
    LIST_AT,
    NOT_FOUND,
    Said,
    again,
    ids,
    listed,
    made_up,
    nowhere,
    one_file,
    redirected,
    segment,
)
from support.doctor_replies import (
    request_for,
)
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_address,
)
from wes_provider.doctor.replies.probes import Question

SERVICE = [listed(200, FILES), again(200, FILES), made_up()]
NO_SERVICE = listed(200, {"hello": "you"})
SLASHED = request_for(Question.LIST)._replace(url=f"https://api.example.com{LIST_AT}/")
DIFFERING = [redirected(f"{LIST_AT}/"), below("/gw", segment())]
REDIRECTS = [
    Case(
        "redirects to another address and to another path",
        [*DIFFERING, listed(200, FILES)],
        Said(
            NOT_PROVED,
            "Redirects differ by path: /v1/coupon-list/spring/files to "
            "https://api.example.com/v1/coupon-list/spring/files/, "
            "/v3/custom-segments/wes-doctor to "
            "https://api.example.com/gw/v3/custom-segments/wes-doctor. No one Address "
            "fits all: ask the service's support for it.",
        ),
        names_proxy=False,
    ),
    Case(
        "redirects to another address and to another path, and an object",
        [*DIFFERING, NO_SERVICE],
        Said(
            NOT_PROVED,
            "Redirects differ by path: /v1/coupon-list/spring/files to "
            "https://api.example.com/v1/coupon-list/spring/files/, "
            "/v3/custom-segments/wes-doctor to "
            "https://api.example.com/gw/v3/custom-segments/wes-doctor. No one Address "
            "fits all: ask the service's support for it.",
        ),
        names_proxy=False,
    ),
    Case(
        "redirects to two paths below the address",
        [redirected(f"{LIST_AT}/"), redirected(f"{LIST_AT}.json", request=SLASHED)],
        Said(
            NOT_PROVED,
            "Redirects differ by path: /v1/coupon-list/spring/files to "
            "https://api.example.com/v1/coupon-list/spring/files/, /v1/coupon-list/spring/files/ "
            "to https://api.example.com/v1/coupon-list/spring/files.json. They stay at this "
            "Address, which may be right: ask the service's support for its paths.",
        ),
        names_proxy=False,
    ),
    Case(
        "redirects in a circle",
        [redirected(f"{LIST_AT}/"), redirected(LIST_AT, request=SLASHED)],
        Said(
            NOT_PROVED,
            "Redirects go in a circle: /v1/coupon-list/spring/files leads to "
            "/v1/coupon-list/spring/files/, and that back. Two layers, such as a gateway and the "
            "service, disagree about the form of paths: change neither the Address nor paths, and "
            "show this to whoever runs them. No key was judged.",
        ),
    ),
]


@pytest.mark.parametrize("row", REDIRECTS, ids=ids(REDIRECTS))
def test_an_address_is_not_proved_if_redirects_lead_to_different_places_or_in_a_circle(row: Case):
    check_address(row)


SEGMENTS = segment(404, NOT_FOUND)
CACHES = [
    Case(
        "an age",
        [listed(200, FILES, headers={"age": "9"}), *SERVICE[1:]],
        Said(
            NOT_PROVED,
            "A cache replies in the service's place to /v1/coupon-list/spring/files (Age: 9): ask "
            "whoever runs it to leave out what tasks read, or they may read an old list or an old "
            "status.",
        ),
        names_proxy=False,
    ),
    Case(
        "an age, and a made-up key gets the files, too",
        [
            listed(200, FILES, headers={"age": "9"}),
            again(200, FILES),
            made_up(200, FILES),
            SEGMENTS,
        ],
        Said(
            NOT_PROVED,
            "A cache replies in the service's place to /v1/coupon-list/spring/files (Age: 9): ask "
            "whoever runs it to leave out what tasks read, or they may read an old list or an old "
            "status, and keys are perhaps not checked.",
        ),
        names_proxy=False,
    ),
    Case(
        "an age, and no made-up key",
        [listed(200, FILES, headers={"age": "9"}), again(200, FILES), SEGMENTS],
        Said(
            NOT_PROVED,
            "A cache replies in the service's place to /v1/coupon-list/spring/files (Age: 9): ask "
            "whoever runs it to leave out what tasks read, or they may read an old list or an old "
            "status, and keys are perhaps not checked.",
        ),
        names_proxy=False,
    ),
    Case(
        "an age of the replies at three paths, of which two are named",
        [
            listed(200, FILES, headers={"age": "9"}),
            *SERVICE[1:],
            one_file(200, FILES[0], headers={"age": "9"}),
            segment(404, NOT_FOUND, headers={"age": "9"}),
        ],
        Said(
            NOT_PROVED,
            "A cache replies in the service's place to /v1/coupon-list/spring/files and "
            "/v1/coupon-list/spring/files/f1 (Age: 9): ask whoever runs it to leave out what tasks "
            "read, or they may read an old list or an old status.",
        ),
        names_proxy=False,
    ),
    Case(
        "an age, and the time ran out",
        [listed(200, FILES, headers={"age": "9"}), *SERVICE[1:]],
        Said(
            NOT_PROVED,
            "It responds, but the doctor's 60 s ran out. So not all questions were "
            "asked. Run this again later. If it stays so slow, ask the service's "
            "support.",
        ),
        out_of_time="the doctor's 60 s ran out",
        names_proxy=False,
    ),
    Case(
        "an age, and the same 404 everywhere",
        [listed(404, NOT_FOUND, headers={"age": "9"}), nowhere(), made_up(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "A cache replies in the service's place to /v1/coupon-list/spring/files (Age: 9): ask "
            "whoever runs it to leave out what tasks read, or they may read an old list or an old "
            "status, and keys are perhaps not checked.",
        ),
        names_proxy=False,
    ),
]


@pytest.mark.parametrize("row", CACHES, ids=ids(CACHES))
def test_an_address_is_not_proved_if_a_cache_replies(row: Case):
    check_address(row)


ADDRESS = [*REDIRECTS, *CACHES]


@pytest.mark.parametrize("row", ADDRESS, ids=ids(ADDRESS))
def test_the_proxy_that_may_have_replied_is_named(row: Case):
    check_names_proxy(row, conclude_on_address)


@pytest.mark.parametrize("row", ADDRESS, ids=ids(ADDRESS))
def test_reports_keep_a_row_about_slow_replies_or_unchecked_certificates(row: Case):
    assert conclude_on_address(row.evidence).needs_action is row.needs_action
