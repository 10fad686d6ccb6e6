"""
Of a first read, the first of these is said. A redirect to a login is *wrong*: the Address is behind
a login, and no key was judged. A redirect to itself with a cookie is *not proved*, about the
Account: a check keeps programs out.

If each read is redirected to one page, it is *not proved*, about the Account, if the page's path or
words speak of a maintenance: wait until the hour of its words, else until the time of its or the
redirect's headers. Another page is about the Address: *wrong* if it was not read, and *not proved*
with its words, 200 characters of them, if it was. Queries do not tell pages apart. If a firewall's
page came last, whatever its status and whatever else it wants, it is *not proved*, about the
Account: change no key.

The proxy that may have replied is named in each case. The finding rests on the redirects and the
page, or on the reads of the list and of another address.
"""

from __future__ import annotations

import pytest

from support.doctor_addresses import (
    AWAY,
    FIREWALL,
    HELLO,
    LONG,
    NOT_PROVED,
    WAITS,
    WRONG,
    Case,
    RestsOn,
    check_names_proxy,
    check_unexaminable,
    elsewhere,
    page_of,
)
from support.doctor_findings import (
    LIST_AT,
    PAGE,
    Said,
    ids,
    listed,
    numbers_of,
    redirected,
    segment,
)
from support.doctor_replies import (
    evidence_of,
    reply,
)
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_unexaminable,
)
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.replies.probes import Question

BOTH_AWAY = [redirected(AWAY), redirected(AWAY, question=Question.NO_SUCH_PATH)]
BOTH_TO_HELLO = [
    redirected(f"{HELLO}?a=1"),
    redirected(f"{HELLO}?a=2", question=Question.NO_SUCH_PATH),
]


LOGINS_AND_CHECKS = [
    Case(
        "a redirect to a login",
        [redirected("/login")],
        Said(
            WRONG,
            "The Address is behind a browser login: a redirect to "
            "https://api.example.com/login came. The provider cannot log in there, and "
            "the keys were not judged. Ask whoever runs it for the address of the API, "
            "or to let requests with keys through; do not put the address of the login "
            "into the Address.",
        ),
    ),
    Case(
        "a redirect to itself with a cookie",
        [reply(302, headers={"location": LIST_AT, "set-cookie": "a=b"})],
        Said(
            NOT_PROVED,
            "A cookie or bot check of a gateway keeps the provider out: a read is "
            "redirected to itself (302) with a cookie. The provider is no browser, and "
            "keeps no cookies: ask whoever runs it to exempt API clients, or the "
            "addresses of your workers and triggerers. Change no address, path or key.",
        ),
        topic=Topic.ACCOUNT,
    ),
]


@pytest.mark.parametrize("row", LOGINS_AND_CHECKS, ids=ids(LOGINS_AND_CHECKS))
def test_a_redirect_to_a_login_or_to_itself_with_a_cookie_is_no_matter_of_keys(row: Case):
    check_unexaminable(row)


ONE_PAGE = [
    Case(
        "one page with maintenance in its path",
        BOTH_AWAY,
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path. The service, or what is before it, is away for a time: "
            "wait until it is over, and run this again. The Address may be right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page with maintenance in its path, read",
        [*BOTH_AWAY, page_of(503, "<title>Back at 22:00</title>")],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path: 'Back at 22:00'. The service, or what is before it, is "
            "away for a time: wait until then, and run this again. The Address may be "
            "right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page with maintenance in its title and a time in a header",
        [*BOTH_AWAY, page_of(503, "<title>Maintenance</title>", headers=WAITS)],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path: 'Maintenance'. The service, or what is before it, is "
            "away for a time: wait until 08:00:30 UTC, as its headers say, and run "
            "this again. The Address may be right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page with a time in its title and another one in a header",
        [*BOTH_AWAY, page_of(503, "<title>Maintenance until 22:00</title>", headers=WAITS)],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path: 'Maintenance until 22:00'. The service, or what is "
            "before it, is away for a time: wait until then, and run this again. The "
            "Address may be right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page with maintenance in its path, and a time in a header of the redirect",
        [
            reply(302, headers={"location": AWAY, **WAITS}),
            redirected(AWAY, question=Question.NO_SUCH_PATH),
        ],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/maintenance.html, "
            "whatever its path. The service, or what is before it, is away for a time: "
            "wait until 08:00:30 UTC, as its headers say, and run this again. The "
            "Address may be right.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "one page, not read",
        BOTH_TO_HELLO,
        Said(
            WRONG,
            "A redirect to https://api.example.com/hello came, whatever the path, "
            "which is not followed. Check the address, and whether a proxy, a gateway "
            "or a login page replied in the service's place.",
        ),
    ),
    Case(
        "one page with words",
        [*BOTH_TO_HELLO, page_of()],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/hello, whatever its "
            "path: 'Hello'. Do what the page says, or ask the service's support about "
            "it, and run this again. Check the address, and whether a proxy, a gateway "
            "or a login page replied in the service's place.",
        ),
    ),
    Case(
        "one page with long words",
        [*BOTH_TO_HELLO, page_of(200, f"<title>{LONG}</title>")],
        Said(
            NOT_PROVED,
            "Each read is redirected to https://api.example.com/hello, whatever its "
            "path: 'Weather is fine. Weather is fine. Weather is fine. Weather is "
            "fine. Weather is fine. Weather is … Weather is fine. Weather is fine. "
            "Weather is fine. Weather is fine. Weather is fine. Weather is fine'. Do "
            "what the page says, or ask the service's support about it, and run this "
            "again. Check the address, and whether a proxy, a gateway or a login page "
            "replied in the service's place.",
        ),
    ),
]


@pytest.mark.parametrize("row", ONE_PAGE, ids=ids(ONE_PAGE))
def test_one_page_for_all_reads_is_quoted_and_may_be_a_maintenance(row: Case):
    """By its path or its words it is one; the time to wait is that of its words, else that of a header."""
    check_unexaminable(row)


FIREWALLS = [
    Case(
        "a firewall's page with 403",
        [listed(403, FIREWALL)],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 403: 'Blocked Request was blocked. Ray ID: "
            "7a9'. The Address may be right, and no key was judged: change no key, but "
            "have whoever runs it let your workers and triggerers in, whether it keeps "
            "out their addresses or their User-Agent (airflow-provider-wes), and run "
            "this from there. Hand over what it names: Ray ID 7a9.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "a firewall's page with 200",
        [listed(200, FIREWALL)],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 200: 'Blocked Request was blocked. Ray ID: "
            "7a9'. The Address may be right, and no key was judged: change no key, but "
            "have whoever runs it let your workers and triggerers in, whether it keeps "
            "out their addresses or their User-Agent (airflow-provider-wes), and run "
            "this from there. Hand over what it names: Ray ID 7a9.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "a firewall's page that names nothing",
        [listed(403, "<html><title>Request blocked</title>")],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 403: 'Request blocked'. The Address may be "
            "right, and no key was judged: change no key, but have whoever runs it let "
            "your workers and triggerers in, whether it keeps out their addresses or "
            "their User-Agent (airflow-provider-wes), and run this from there.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "a page, then a firewall's",
        [listed(500, PAGE), listed(403, FIREWALL)],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 403: 'Blocked Request was blocked. Ray ID: "
            "7a9'. The Address may be right, and no key was judged: change no key, but "
            "have whoever runs it let your workers and triggerers in, whether it keeps "
            "out their addresses or their User-Agent (airflow-provider-wes), and run "
            "this from there. Hand over what it names: Ray ID 7a9.",
        ),
        topic=Topic.ACCOUNT,
    ),
    Case(
        "a firewall's page that wants a certificate",
        [listed(403, FIREWALL + "No required SSL certificate was sent")],
        Said(
            NOT_PROVED,
            "A firewall before the service may keep these requests out, since a page "
            "like one's came with status 403: 'Blocked Request was blocked. Ray ID: "
            "7a9 No required SSL certificate was sent'. The Address may be right, and "
            "no key was judged: change no key, but have whoever runs it let your "
            "workers and triggerers in, whether it keeps out their addresses or their "
            "User-Agent (airflow-provider-wes), and run this from there. Hand over "
            "what it names: Ray ID 7a9.",
        ),
        topic=Topic.ACCOUNT,
    ),
]


@pytest.mark.parametrize("row", FIREWALLS, ids=ids(FIREWALLS))
def test_a_firewalls_page_that_came_last_is_named_whatever_its_status(row: Case):
    check_unexaminable(row)


ALL = [*LOGINS_AND_CHECKS, *ONE_PAGE, *FIREWALLS]


@pytest.mark.parametrize("row", ALL, ids=ids(ALL))
def test_the_proxy_that_may_have_replied_is_named(row: Case):
    check_names_proxy(row, conclude_on_unexaminable)


RESTS_ON = [
    RestsOn(
        "the redirects and the page",
        [*BOTH_TO_HELLO, page_of()],
        [0, 1, 2],
    ),
    RestsOn(
        "the redirects and the page of a maintenance",
        [*BOTH_AWAY, page_of(503)],
        [0, 1, 2],
    ),
    RestsOn(
        "the redirects alone",
        BOTH_TO_HELLO,
        [0, 1],
    ),
    RestsOn(
        "a firewall's page",
        [listed(403, FIREWALL), elsewhere(403), segment(403)],
        [0, 1],
    ),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_first_read_names_its_reads_in_this_order(row: RestsOn):
    finding = conclude_on_unexaminable(evidence_of(*row.probes, settings=row.settings))
    assert numbers_of(finding, row.probes) == row.numbers
