"""
The address is *sure* if a reply shows the service: files that a made-up key does not get, or a
documented 401. It is *not shown* if the key was refused each time by other replies, and *not
proved* if no reply shows the service, or if the doctor's 60 seconds ran out. Replies that took more
than 5 seconds are counted, to a tenth of one; lost reads are not, and the address stays *sure*. Three
replies with a 5xx leave it *not proved*, whatever else is slow; two do not. If only first reads of
paths fail so, the service may start up late, else one of several nodes may fail. If certificates are not
checked, an address with https is *not shown*, unless something leaves it open; one with http is
*sure*. Slow replies and unchecked certificates stay in the report. The proxy that may have replied
is named, except if the key was refused, certificates are not checked, or the service is shown, and
time ran out or replies failed. If the list once got a page or a redirect and then another kind of
reply, both reads are named.
"""

from __future__ import annotations

import pytest

from support.doctor_addresses import (
    NOT_PROVED,
    NOT_SHOWN,
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
    redirected,
    segment,
)
from support.doctor_replies import (
    changed,
    evidence_of,
)
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_address,
)
from wes_provider.doctor.replies.probes import Keys, Question

SERVICE = [listed(200, FILES), again(200, FILES), made_up()]
NO_SERVICE = listed(200, {"hello": "you"})
SLOW = listed(200, FILES, took=5.6)
FAILED = [listed(502), listed(500), listed(502)]
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
        Said(NOT_SHOWN, "It refuses the key; whether it is the service is not shown."),
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
        "a reply in 5.6 s",
        [SLOW, *SERVICE],
        Said(SURE, "It responds, but 1 of 4 replies took more than 5 s, up to 5.6 s."),
        needs_action=True,
    ),
    Case(
        "replies in 6, 9.4 and 7 s",
        [SLOW, listed(200, FILES, took=9.4), listed(200, FILES, took=7.0), *SERVICE],
        Said(SURE, "It responds, but 3 of 6 replies took more than 5 s, up to 9.4 s."),
        needs_action=True,
    ),
    Case("no reply in 30 s", [lost(took=30.0), *SERVICE], Said(SURE, "It responds.")),
]


@pytest.mark.parametrize("row", SLOW_REPLIES, ids=ids(SLOW_REPLIES))
def test_replies_that_took_more_than_5_seconds_are_counted(row: Case):
    check_address(row)


FAILURES = [
    Case("two failures", [*FAILED[:2], *SERVICE], Said(SURE, "It responds.")),
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
        "three failures, each to the first read of a path",
        [
            listed(504),
            nowhere(504),
            segment(504),
            listed(200, FILES),
            nowhere(404, NOT_FOUND),
            segment(404, NOT_FOUND),
            *SERVICE,
        ],
        Said(
            NOT_PROVED,
            "It responds, but 3 of 9 replies were 504: each time the first read of a path, so the "
            "service may start up only when it is asked. Change no setting, and ask the service's "
            "support.",
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
def test_three_failures_leave_the_address_open_and_two_do_not(row: Case):
    check_address(row)


UNCHECKED_CERTIFICATES = [
    Case(
        "files, by HTTPS",
        SERVICE,
        Said(NOT_SHOWN, "Certificates are not checked, since Verify TLS is false."),
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


ADDRESS = [*REPLIES, *SLOW_REPLIES, *FAILURES, *UNCHECKED_CERTIFICATES]


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
