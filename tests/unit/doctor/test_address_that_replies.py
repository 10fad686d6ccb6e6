"""What is said of an address where something replies to the first read."""

from __future__ import annotations

import pytest

from support.doctor_addresses import (
    JSON,
    NOT_ASKED,
    NOT_PROVED,
    SURE,
    UNCHECKED,
    Case,
    RestsOn,
    below,
    check_address,
    check_names_proxy,
    http,
)
from support.doctor_findings import (
    FILES,
    LIST_AT,
    NOT_FOUND,
    PAGE,
    UNAUTHENTICATED,
    Said,
    again,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
    numbers_of,
    one_file,
    redirected,
    segment,
)
from support.doctor_replies import (
    changed,
    evidence_of,
    reply,
    request_for,
)
from wes_provider.doctor.address_conclusions import (
    conclude_on_address,
)
from wes_provider.doctor.probes import Keys, Question

SERVICE = [listed(200, FILES), again(200, FILES), made_up()]
NO_SERVICE = listed(200, {"hello": "you"})
ODD = listed(200, "no JSON", headers=JSON)
SLOW = listed(200, FILES, took=5.6)
NOTHING_THERE = [reply(404, "", question=Question.LIST), nowhere(404, ""), made_up(404, "")]
FAILED = [listed(502), listed(500), listed(502)]
SLASHED = request_for(Question.LIST)._replace(url=f"https://api.example.com{LIST_AT}/")
DIFFERING = [redirected(f"{LIST_AT}/"), below("/gw", segment())]
REPLIES = [
    Case("files, and a made-up key is refused", SERVICE, Said(SURE, "It responds.")),
    Case(
        "401 as documented",
        [listed(401, UNAUTHENTICATED)],
        Said(SURE, "It responds."),
    ),
    Case(
        "401 twice",
        [listed(401), again(401)],
        Said(NOT_ASKED, "It refuses the key; whether it is the service is not shown."),
        names_proxy=False,
    ),
    Case(
        "401, then 400",
        [listed(401), again(400)],
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "an object",
        [NO_SERVICE],
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "an object, and the time ran out",
        [NO_SERVICE],
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
        out_of_time="the doctor's 60 s ran out",
    ),
    Case(
        "files, and the time ran out",
        SERVICE,
        Said(
            NOT_PROVED,
            "It responds, but the doctor's 60 s ran out. So not all questions were "
            "asked. Run this again later. If it stays so slow, ask the service's "
            "support.",
        ),
        out_of_time="the doctor's 60 s ran out",
        names_proxy=False,
    ),
]


@pytest.mark.parametrize("row", REPLIES, ids=ids(REPLIES))
def test_an_address_is_sure_if_a_reply_shows_the_service_and_the_time_did_not_run_out(row: Case):
    check_address(row)


SLOW_REPLIES = [
    Case("a reply in 5 s", [listed(200, FILES, took=5.0), *SERVICE], Said(SURE, "It responds.")),
    Case(
        "a reply in 6 s",
        [SLOW, *SERVICE],
        Said(SURE, "It responds, but 1 of 4 replies took more than 5 s, up to 6 s."),
        needs_action=True,
    ),
    Case(
        "replies in 6, 7 and 10 s",
        [SLOW, listed(200, FILES, took=9.4), listed(200, FILES, took=7.0), *SERVICE],
        Said(SURE, "It responds, but 3 of 6 replies took more than 5 s, up to 10 s."),
        needs_action=True,
    ),
    Case("no reply in 30 s", [lost(took=30.0), *SERVICE], Said(SURE, "It responds.")),
]


@pytest.mark.parametrize("row", SLOW_REPLIES, ids=ids(SLOW_REPLIES))
def test_replies_that_took_more_than_5_seconds_are_counted(row: Case):
    check_address(row)


FAILURES = [
    Case(
        "three failures",
        [*FAILED, *SERVICE],
        Said(
            NOT_PROVED,
            "It responds, but 3 of 6 replies were 500, 502: it may be that one of "
            "several nodes behind the Address fails. Change no setting, and ask the "
            "service's support.",
        ),
        names_proxy=False,
    ),
    Case(
        "three failures, and a slow reply",
        [*FAILED, SLOW, *SERVICE],
        Said(
            NOT_PROVED,
            "It responds, but 3 of 7 replies were 500, 502: it may be that one of "
            "several nodes behind the Address fails. Change no setting, and ask the "
            "service's support.",
        ),
        names_proxy=False,
    ),
]


@pytest.mark.parametrize("row", FAILURES, ids=ids(FAILURES))
def test_three_failures_leave_the_address_open(row: Case):
    check_address(row)


UNCHECKED_CERTIFICATES = [
    Case(
        "files, by HTTPS",
        SERVICE,
        Said(NOT_ASKED, "Certificates are not checked, since Verify TLS is false."),
        settings=UNCHECKED,
        names_proxy=False,
        needs_action=True,
    ),
    Case(
        "files, by HTTP",
        [
            http(200, FILES),
            http(200, FILES),
            http(401, UNAUTHENTICATED, keys=Keys.MADE_UP, question=Question.MADE_UP_KEY),
        ],
        Said(SURE, "It responds."),
        settings=changed(base_url="http://api.example.com", verify=False),
    ),
    Case(
        "the same 404 everywhere, by HTTPS",
        [listed(404, NOT_FOUND), nowhere(), made_up(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "Each path gets the same 404, with whatever key: 'Nothing is here'. The "
            "Address may lack a part, such as the prefix of a gateway, or be another "
            "one: check it. Nothing shows what the keys are worth.",
        ),
        settings=UNCHECKED,
    ),
]


@pytest.mark.parametrize("row", UNCHECKED_CERTIFICATES, ids=ids(UNCHECKED_CERTIFICATES))
def test_an_address_with_https_is_not_asked_if_certificates_are_not_checked(row: Case):
    """Unless something else leaves it open."""
    check_address(row)


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


ODD_LISTS = [
    Case(
        "no JSON, and nowhere no error of the service",
        [ODD, nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, but no other reply shows "
            "that it is the service.",
        ),
    ),
    Case(
        "no JSON twice, and nowhere no error of the service",
        [ODD, again(200, "other", headers=JSON), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, but no other reply shows "
            "that it is the service.",
        ),
    ),
    Case(
        "no JSON, and nowhere an error of the service", [ODD, nowhere()], Said(SURE, "It responds.")
    ),
    Case(
        "a redirect of the list, and nowhere no error of the service",
        [redirected("/files/a"), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "A redirect of the list to https://api.example.com/files/a came, which is "
            "not followed, and no other reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "two redirects of the list, and nowhere no error of the service",
        [
            redirected("/files/a"),
            again(302, headers={"location": "/files/b"}),
            nowhere(400, {"error": "No."}),
        ],
        Said(
            NOT_PROVED,
            "A redirect of the list to https://api.example.com/files/a came, which is "
            "not followed, and no other reply shows that it is the service. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
]


@pytest.mark.parametrize("row", ODD_LISTS, ids=ids(ODD_LISTS))
def test_an_address_with_an_odd_list_is_sure_only_if_another_path_gets_the_services_error(
    row: Case,
):
    check_address(row)


SAME_EVERYWHERE = [
    Case(
        "404 without a body",
        NOTHING_THERE,
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Each path gets "
            "the same 404, with whatever key. The Address may lack a part, such as the "
            "prefix of a gateway, or be another one: check it. Nothing shows what the "
            "keys are worth.",
        ),
    ),
    Case(
        "404 with words",
        [
            listed(404, {"message": "Go away."}),
            nowhere(404, {"message": "Go away."}),
            made_up(404, {"message": "Go away."}),
        ],
        Said(
            NOT_PROVED,
            "It responds, but no reply shows that it is the service. Each path gets "
            "the same 404, with whatever key: 'Go away'. The Address may lack a part, "
            "such as the prefix of a gateway, or be another one: check it. Nothing "
            "shows what the keys are worth.",
        ),
    ),
    Case(
        "404 as documented",
        [listed(404, NOT_FOUND), nowhere(), made_up(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "Each path gets the same 404, with whatever key: 'Nothing is here'. The "
            "Address may lack a part, such as the prefix of a gateway, or be another "
            "one: check it. Nothing shows what the keys are worth.",
        ),
    ),
]


@pytest.mark.parametrize("row", SAME_EVERYWHERE, ids=ids(SAME_EVERYWHERE))
def test_an_address_is_not_proved_if_each_path_gets_the_same_404_with_whatever_key(row: Case):
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


ADDRESS = [
    *REPLIES,
    *SLOW_REPLIES,
    *FAILURES,
    *UNCHECKED_CERTIFICATES,
    *REDIRECTS,
    *ODD_LISTS,
    *SAME_EVERYWHERE,
    *CACHES,
]


@pytest.mark.parametrize("row", ADDRESS, ids=ids(ADDRESS))
def test_the_proxy_that_may_have_replied_is_named(row: Case):
    check_names_proxy(row, conclude_on_address)


@pytest.mark.parametrize("row", ADDRESS, ids=ids(ADDRESS))
def test_reports_keep_a_row_about_slow_replies_or_unchecked_certificates(row: Case):
    assert conclude_on_address(row.evidence).needs_action is row.needs_action


ADDRESS_RESTS_ON = [
    RestsOn("files, and a made-up key is refused", SERVICE, []),
    RestsOn(
        "redirects that differ",
        [*DIFFERING, listed(200, FILES)],
        [0, 1],
    ),
    RestsOn(
        "a page and files",
        [listed(200, PAGE), again(200, FILES), made_up()],
        [0, 1],
    ),
    RestsOn(
        "a redirect and files",
        [redirected("/files/a"), again(200, FILES), made_up()],
        [0, 1],
    ),
    RestsOn("a refusal and files", [listed(401), again(200, FILES), made_up()], []),
    RestsOn("pages", [listed(200, PAGE), again(200, PAGE)], []),
]


@pytest.mark.parametrize("row", ADDRESS_RESTS_ON, ids=ids(ADDRESS_RESTS_ON))
def test_a_finding_about_the_address_names_reads_that_differ_from_others(row: RestsOn):
    assert numbers_of(conclude_on_address(evidence_of(*row.probes)), row.probes) == row.numbers
