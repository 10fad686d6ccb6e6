"""
What is said of the Address if the first read is redirected or a proxy refuses it, with the proxy
that may have replied. It is wrong, unless this says that it is *Not proved*; it rests on the reads
of the list and of the other address, and shows nothing that stands before the service.

If the redirect leads to the same path at a host with another data center (api-03), or at another
port of the host, what came there last decides: after an answer or a 401, it is to be put into the
Address (or its number into Data center); if nothing was read there, it is to be checked first;
after a page or no response, the address is to be checked, or, at another port, it is *Not proved*.
If it leads to the same path of any other host, and segments are here, coupons need a second
connection. One to https of the same host, where no response comes, may leave out a port.

A redirect to another path of another host says only where it leads. One that adds a session to the
path has no setting that helps; one that adds to the query is *Not proved*. A 407 says how the
proxy's login is given. A redirect that leads nowhere is what came in its body.
"""

from __future__ import annotations

import pytest

from support.doctor_addresses import (
    HTTP,
    NOT_PROVED,
    WRONG,
    Case,
    RestsOn,
    check_names_proxy,
    check_unexaminable,
    elsewhere,
    http,
)
from support.doctor_findings import (
    LIST_AT,
    NOT_FOUND,
    PAGE,
    Said,
    ids,
    listed,
    lost,
    numbers_of,
    redirected,
    segment,
)
from support.doctor_replies import (
    changed,
    evidence_of,
)
from wes_provider.client import requests
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_unexaminable,
    conclude_on_what_is_before,
)
from wes_provider.doctor.replies.probes import Probe, Question

LED_AWAY = [
    Case(
        "a redirect to another path of another host",
        [redirected("https://files.example.org/a")],
        Said(
            WRONG,
            "A redirect to https://files.example.org/a came, which is not followed. "
            "Check the address, and whether a proxy, a gateway or a login page replied "
            "in the service's place.",
        ),
    ),
    Case(
        "a redirect to the same path of another host, and segments are here",
        [redirected(f"https://files.example.org{LIST_AT}"), segment()],
        Said(
            WRONG,
            "A redirect to https://files.example.org/v1/coupon-list/spring/files came. "
            "Coupon lists and files are at https://files.example.org, by the service's "
            "words: leave this connection for segments, and make a second one with "
            "that Address and the Campaign API key as its password. Name it in the "
            "tasks with coupons, and run wes-doctor --conn-id ID on it.",
        ),
    ),
    Case(
        "a redirect to another path of another host, and segments are here",
        [redirected("https://files.example.org/a"), segment()],
        Said(
            WRONG,
            "A redirect to https://files.example.org/a came, which is not followed. "
            "Check the address, and whether a proxy, a gateway or a login page replied "
            "in the service's place.",
        ),
    ),
    Case(
        "a redirect to the same path of another host, and segments were not read",
        [redirected(f"https://files.example.org{LIST_AT}")],
        Said(
            WRONG,
            "A redirect to https://files.example.org/v1/coupon-list/spring/files came, "
            "which is not followed. Check the address, and whether a proxy, a gateway "
            "or a login page replied in the service's place.",
        ),
    ),
    Case(
        "a redirect that adds a session",
        [listed(302, headers={"location": "/v1/coupon-list/spring/files;jsessionid=E50369"})],
        Said(
            WRONG,
            "A redirect to https://api.example.com/v1/coupon-list/spring/files came that adds a "
            "session to the path, behind a semicolon: something in front of the service keeps "
            "sessions in URLs. No setting helps: have whoever runs it take them out; the Address "
            "may be right, and no key was judged.",
        ),
    ),
    Case(
        "a redirect to https on the same host, where nobody listens",
        [
            http(
                301,
                b"",
                headers={"location": "https://api.example.com/v1/coupon-list/spring/files"},
            ),
            lost("refused", question=Question.OTHER_ADDRESS),
        ],
        Said(
            WRONG,
            "The service names https://api.example.com, which is https on the same host, and no "
            "response comes there (refused). The redirect may leave out a port: ask whoever runs "
            "the service for its address with https, and put it into the Address.",
        ),
        settings=HTTP,
    ),
    Case(
        "a redirect to https on the same host, where a page comes",
        [
            http(301, b"", headers={"location": f"https://api.example.com{LIST_AT}"}),
            elsewhere(200, PAGE),
        ],
        Said(
            WRONG,
            "The service names https://api.example.com, but a read there gets no answer of the "
            "service. Check the address, and whether a proxy, a gateway or a login page replied in "
            "the service's place.",
        ),
        settings=HTTP,
    ),
    Case(
        "a redirect that adds to the query",
        [listed(307, headers={"location": "/v1/coupon-list/spring/files?wid=acme"})],
        Said(
            NOT_PROVED,
            "A read is redirected to the same path with wid in its query (307), so something wants "
            "that with each request. The paths of uploads, catalogs and segments have no query, "
            "and no setting adds one: ask whoever runs it, or the service's support, to do "
            "without; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "407 of a proxy",
        [listed(407)],
        Said(
            WRONG,
            "The proxy wants a login: put username:password@, percent-encoded, before "
            "the host in its address. If it wants another kind of login, name the "
            "service's host in the variable no_proxy, if it can be reached without the "
            "proxy, or ask whoever runs the proxy for one with a username and password "
            "(Basic), or for a local helper that logs in.",
        ),
    ),
    Case(
        "text of a redirect that leads nowhere",
        [listed(302, "hello")],
        Said(
            WRONG,
            "Text came with status 302: 'hello', which the service does not send. "
            "Check the address, and whether a proxy, a gateway or a login page replied "
            "in the service's place.",
        ),
    ),
    Case(
        "no body of a redirect that leads nowhere",
        [listed(302)],
        Said(
            WRONG,
            "No body came with status 302, which the service does not send. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
]


@pytest.mark.parametrize("row", LED_AWAY, ids=ids(LED_AWAY))
def test_where_a_first_read_is_led_decides_what_to_do(row: Case):
    check_unexaminable(row)


OWN_HOST = changed(base_url="https://api-01.example.com")


def of_data_center(location: str) -> Probe:
    request = requests.list_coupon_files(OWN_HOST, "spring")
    return redirected(location, request=request)


OTHER_HOST = f"https://api-03.example.com{LIST_AT}"
WITH_PORT = changed(base_url="https://api-01.example.com:8443")
OTHER_PORT = f"https://api-01.example.com:8443{LIST_AT}"
PORT_IN_VAIN = (
    "/v1/coupon-list/spring/files is redirected to "
    "https://api-01.example.com:8443/v1/coupon-list/spring/files, another port of the same host, "
    "and a read there gets no answer of the service. A proxy may leave out the port, or name one "
    "of its own: ask whoever runs it, or the service's support. The Address may be right."
)

REDIRECTED = [
    Case(
        "another host, not read",
        [of_data_center(OTHER_HOST)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, which was not tested. Check "
            "it, then put it into the Address, or 03 into Data center.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another host, 404 there",
        [of_data_center(OTHER_HOST), elsewhere(404, NOT_FOUND)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, and a read there gets 404 "
            "not-found: put it into the Address, or 03 into Data center, and run this "
            "again.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another host, 401 there",
        [of_data_center(OTHER_HOST), elsewhere(401)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, and a read there gets 401: "
            "put it into the Address, or 03 into Data center, and run this again.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another host, a page there",
        [of_data_center(OTHER_HOST), elsewhere(200, PAGE)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, but a read there gets no "
            "answer of the service. Check the address, and whether a proxy, a gateway "
            "or a login page replied in the service's place.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another host, 404 and then 401 there",
        [of_data_center(OTHER_HOST), elsewhere(404), elsewhere(401)],
        Said(
            WRONG,
            "The service names https://api-03.example.com, and a read there gets 401: "
            "put it into the Address, or 03 into Data center, and run this again.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another port, 401 there",
        [of_data_center(OTHER_PORT), elsewhere(401)],
        Said(
            WRONG,
            "The service names https://api-01.example.com:8443, and a read there gets "
            "401: put it into the Address, and run this again.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another port, and no response there",
        [of_data_center(OTHER_PORT), elsewhere(0, b"")],
        Said(NOT_PROVED, PORT_IN_VAIN),
        settings=OWN_HOST,
    ),
    Case(
        "another port, and a page there",
        [of_data_center(OTHER_PORT), elsewhere(200, PAGE)],
        Said(NOT_PROVED, PORT_IN_VAIN),
        settings=OWN_HOST,
    ),
    Case(
        "another port, a page there and then 401",
        [of_data_center(OTHER_PORT), elsewhere(200, PAGE), elsewhere(401)],
        Said(
            WRONG,
            "The service names https://api-01.example.com:8443, and a read there gets "
            "401: put it into the Address, and run this again.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another port, not read, and segments are here",
        [of_data_center(OTHER_PORT), segment()],
        Said(
            WRONG,
            "The service names https://api-01.example.com:8443, which was not tested. "
            "Check it, then put it into the Address.",
        ),
        settings=OWN_HOST,
    ),
    Case(
        "another host with a port, 401 there",
        [
            redirected(
                f"https://api-03.example.com:8443{LIST_AT}",
                request=requests.list_coupon_files(WITH_PORT, "spring"),
            ),
            elsewhere(401),
        ],
        Said(
            WRONG,
            "The service names https://api-03.example.com:8443, and a read there gets 401: put it "
            "into the Address, or 03 into Data center, and run this again.",
        ),
        settings=WITH_PORT,
    ),
    Case(
        "another port of the host without a data center, 401 there",
        [redirected(f"https://api.example.com:8443{LIST_AT}"), elsewhere(401)],
        Said(
            WRONG,
            "The service names https://api.example.com:8443, and a read there gets "
            "401: put it into the Address, and run this again.",
        ),
    ),
]


@pytest.mark.parametrize("row", REDIRECTED, ids=ids(REDIRECTED))
def test_what_came_last_at_another_address_with_the_same_path_decides_what_to_do(row: Case):
    check_unexaminable(row)


ALL = [*LED_AWAY, *REDIRECTED]


@pytest.mark.parametrize("row", ALL, ids=ids(ALL))
def test_the_proxy_that_may_have_replied_is_named(row: Case):
    check_names_proxy(row, conclude_on_unexaminable)


@pytest.mark.parametrize("row", LED_AWAY, ids=ids(LED_AWAY))
def test_such_a_first_read_shows_nothing_that_stands_before_the_service(row: Case):
    assert conclude_on_what_is_before(row.evidence) is None


RESTS_ON = [
    RestsOn(
        "reads of the list and of another address",
        [of_data_center(OTHER_HOST), segment(500), elsewhere(401)],
        [0, 2],
        OWN_HOST,
    ),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_first_read_names_its_reads_in_this_order(row: RestsOn):
    finding = conclude_on_unexaminable(evidence_of(*row.probes, settings=row.settings))
    assert numbers_of(finding, row.probes) == row.numbers
