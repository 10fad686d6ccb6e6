"""
What the verdict says if every read gets the same page or error, which may come from before the
service, or if some reads do because of this machine's address.

A page with status 200 makes the Address *Not proved*: it is quoted, and one is to wait; if it has a
password field, the Address is *Not ready*, since it is behind a browser login. A page of a firewall
is about the Account instead, with 200 or 403: it is quoted with its support ID, and no key is to be
changed.

A 403 that says no more than "Forbidden" and has no code, and one of an AWS policy make the Account
*Not proved*, and no key is to be changed. With a code, in the form that the contract shows, such a
403 is the service's own: *Not ready*, and its support is to be asked. An error about this machine's
IP address makes the Account *Not ready* if it has the form that the contract shows, and *Not
proved* in another form. If it comes to some reads, while the same requests are answered at other
times, the verdict counts these, and says that this machine may have several addresses.

The same 404 for each path means that the Address may lack a part: the Address is *Not proved*. So
does a 403 "Missing Authentication Token", but there, the Account is *Not proved*. After such a 404,
an upload is advised only if it has the form that the contract shows, and so comes from the service.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    check_says,
    error_reply,
    examined_account,
    json_reply,
    page_reply,
)
from support.doctor_verdicts import (
    Case,
    check,
    everywhere,
)
from support.servers import Reply


def no_route(_: Call) -> Reply:
    """A gateway that has nothing at this address; each reply has another number."""
    return json_reply(404, {"message": "no Route matched", "request_id": uuid.uuid4().hex})


AWS = (
    "User: anonymous is not authorized to perform: execute-api:Invoke on resource: "
    f"arn:aws:execute-api:eu-west-1:********4471:k3x9a1/prod/GET{FILES_PATH} with an explicit deny "
    "in a resource-based policy"
)
F5 = "<title>Request Rejected</title>The requested URL was rejected. Your support ID is: 571109."
IP_NOT_LISTED = "Your address 203.0.113.77 is not in the allow-list."
NOT_LET_IN = error_reply(403, "ip-not-allowed", IP_NOT_LISTED)
NOT_LET_IN_BY_ANYBODY = json_reply(403, {"message": IP_NOT_LISTED})
PAGES = [
    Case(
        "a page about maintenance with status 200",
        everywhere(page_reply(200, "<title>Wartung</title><p>Bis 06:00 Uhr.</p>")),
        ("Not proved: Address.", "Wartung: Bis 06:00 Uhr", "Wait", "check the address"),
    ),
    Case(
        "a page with status 200 in words that the doctor does not know",
        everywhere(page_reply(200, "<title>Palaamme pian</title><style>p{top:1:00}</style>")),
        ("Not proved: Address.", "'Palaamme pian'", "Wait, and run this again"),
    ),
    Case(
        "a login page",
        everywhere(page_reply(200, "<title>Intern</title><input type='password'>")),
        ("Not ready: Address. The Address is behind a browser login", "status 200: 'Intern'"),
    ),
]


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_a_page_with_200_in_place_of_each_reply_is_quoted_and_says_what_it_may_be(row: Case):
    check(row)


MACHINES = [
    Case(
        "a gateway that does not know this machine",
        everywhere(json_reply(403, {"Message": AWS})),
        ("Not proved: Account.", "arn:aws:", "…", "resource-based policy'", "change no key"),
    ),
    Case(
        "a gateway that does not say why",
        everywhere(json_reply(403, {"message": "Forbidden"})),
        ("Not proved: Account.", "'Forbidden'. It does not say why", "change no key"),
    ),
    Case(
        "a gateway that does not say why, in plain text",
        everywhere(Reply(403, b"Forbidden", {"Content-Type": "text/plain"})),
        ("Not proved: Account.", "'Forbidden'. It does not say why", "change no key"),
    ),
    Case(
        "a firewall with status 403",
        everywhere(page_reply(403, "<title>Access denied</title><h1>Error 1020</h1>Cloudflare")),
        ("Not proved: Account. A firewall", "403", "Error 1020", "change no key"),
    ),
    Case(
        "a firewall with status 200",
        everywhere(page_reply(200, F5)),
        (
            "Not proved: Account.",
            "200",
            "Your support ID is: 571109'",
            "change no key",
            "support ID 571109.",
        ),
    ),
    Case(
        "an address that is not among those that are let in",
        everywhere(
            error_reply(
                403, "ip", "Allowed from IP 203.0.113.0/24 only; your address is 198.51.100.7."
            )
        ),
        ("Not ready: Account.", "This machine's address 198.51.100.7 may not use it"),
    ),
    Case(
        "an allow-list without this machine's address",
        everywhere(error_reply(403, "ip", "Only IP 203.0.113.4 is on the allow-list.")),
        ("Not ready: Account.", "This machine's address may not use it"),
    ),
    Case(
        "an allow-list without this machine's address, in another form",
        everywhere(json_reply(403, {"message": "Only IP 203.0.113.4 is on the allow-list."})),
        ("Not proved: Account.", "This machine's address may not use it"),
    ),
]


@pytest.mark.parametrize("row", MACHINES, ids=ids(MACHINES))
def test_a_gateway_a_firewall_or_an_allow_list_that_keeps_this_machine_out_is_named(row: Case):
    check(row)


def at_times(refusal: Reply, *, every: int, first: int) -> Callable[[], Account]:
    """A service that refuses every second, third, ... read, beginning with one of the first."""
    return lambda: Account(lambda call: refusal if call.number % every == first % every else None)


OF_THE_SERVICE = "Not ready: Account. The service refused"
OF_SOMEBODY = "Not proved: Account. The service or a gateway refused"
SEVERAL_ADDRESSES = [
    Case(
        "every other read",
        at_times(NOT_LET_IN, every=2, first=2),
        (f"{OF_THE_SERVICE} 6 of 12 reads with 403 ip-not-allowed", "several addresses"),
    ),
    Case(
        "every other read, from the first one on",
        at_times(NOT_LET_IN, every=2, first=1),
        (f"{OF_THE_SERVICE} 6 of 12 reads with 403 ip-not-allowed", "several addresses"),
    ),
    Case(
        "every third read",
        at_times(NOT_LET_IN, every=3, first=3),
        (f"{OF_THE_SERVICE} 4 of 12 reads with 403 ip-not-allowed", "several addresses"),
    ),
    Case(
        "every other read, in another form",
        at_times(NOT_LET_IN_BY_ANYBODY, every=2, first=2),
        (f"{OF_SOMEBODY} 6 of 12 reads with 403: ", "several addresses"),
    ),
    Case(
        "every third read, in another form",
        at_times(NOT_LET_IN_BY_ANYBODY, every=3, first=3),
        (f"{OF_SOMEBODY} 4 of 12 reads with 403: ", "several addresses"),
    ),
]


@pytest.mark.parametrize("row", SEVERAL_ADDRESSES, ids=ids(SEVERAL_ADDRESSES))
def test_a_machine_that_is_let_in_at_times_may_have_several_addresses(row: Case):
    check(row)


def test_a_403_with_a_code_is_no_gateways_though_it_does_not_say_why():
    report = examined_account(Account(lambda _: error_reply(403, "forbidden", "Forbidden")))
    check_says(report.verdict, ("Not ready: Account. The service", "Ask the service's support"))
    assert "change no key" not in report.verdict


LACKING = [
    Case(
        "an address without its stage",
        everywhere(json_reply(403, {"message": "Missing Authentication Token"})),
        ("Not proved: Account.", "whatever the key is", "may lack its stage"),
    ),
    Case(
        "an address without the prefix of a gateway",
        lambda: Account(no_route),
        ("Not proved: Address.", "gets the same 404", "'no Route matched'", "may lack a part"),
    ),
    Case(
        "a 404 in the documented form for every path",
        everywhere(error_reply(404, "no-route", "No route matches.")),
        ("Not proved: Address. Each path gets the same 404", "may lack a part"),
    ),
]


@pytest.mark.parametrize("row", LACKING, ids=ids(LACKING))
def test_an_address_may_lack_a_part_if_each_path_gets_the_same_404_or_an_aws_gateways_403(
    row: Case,
):
    check(row)


def advises_upload(reply: Callable[[Call], Reply]) -> bool:
    report = examined_account(Account(reply))
    return any("--upload" in finding.text for finding in report.findings)


def test_no_upload_is_advised_if_each_path_gets_a_gateways_404():
    assert not advises_upload(no_route)


def test_an_upload_is_advised_if_each_path_gets_a_404_of_the_service():
    assert advises_upload(lambda _: error_reply(404, "no-route", "No route matches."))
