"""
What is said of the Address if the first read gets no reply of the service, with the proxy that may
have replied. It rests on the reads of the list and of another address, and shows nothing that
stands before the service.

A page with 400, 403, 495 or 496 that wants a client certificate, or one that wants HTTPS while the
address has HTTP, is wrong, and says what to change; a certificate comes first. A page with 403 is
*Not proved* (a firewall may keep this machine out), with 200, too (a maintenance, or a frame that
leads elsewhere); with 400 or 406, and a text, it is wrong. Text in place of JSON, an encoding that
is not undone, and a 304, which is a cache's, are *Not proved*; a JSON string is wrong. JSON within
other text is about Records. JSON that is cut is *Not proved*; if it is cut twice at the same size
of a buffer (1024 bytes, not 1023), something on the way cuts it; more than 32 MB are the provider's
own limit. A 300 names all addresses of its choices that have the list's path; without such a
choice, it names none.
"""

from __future__ import annotations

import pytest

from support.doctor_addresses import (
    CERTIFICATE_WANTED,
    HTTP,
    HTTPS_ONLY,
    JSON,
    LONG,
    NOT_PROVED,
    OTHER_CERTIFICATE_WANTED,
    WAITS,
    WRONG,
    Case,
    RestsOn,
    check_names_proxy,
    check_unexaminable,
    elsewhere,
    http,
)
from support.doctor_findings import (
    PAGE,
    Said,
    ids,
    listed,
    numbers_of,
    segment,
)
from support.doctor_replies import (
    evidence_of,
)
from wes_provider.contract import MIB
from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_unexaminable,
    conclude_on_what_is_before,
)
from wes_provider.doctor.findings.finding import Topic

TLS_WANTED = [
    Case(
        "a client certificate with 400",
        [listed(400, CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
    ),
    Case(
        "a client certificate with 403",
        [listed(403, CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
    ),
    Case(
        "a client certificate with 495",
        [listed(495, CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
    ),
    Case(
        "a client certificate with 496",
        [listed(496, OTHER_CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
    ),
    Case(
        "a client certificate with 200",
        [listed(200, CERTIFICATE_WANTED)],
        Said(
            NOT_PROVED,
            "A web page came with status 200: '400 No required SSL certificate was "
            "sent', which is no reply of the service: it, or something in its place, "
            "may be under maintenance. Wait, and run this again; if the page stays, "
            "check the address, and what is between.",
        ),
    ),
    Case(
        "HTTPS is wanted, and the address has HTTP",
        [http(400, HTTPS_ONLY)],
        Said(
            WRONG,
            "What replied takes HTTPS only: '400 The plain HTTP request was sent to "
            "HTTPS port'. Write https:// in place of http:// in the Address, and run "
            "this again.",
        ),
        settings=HTTP,
    ),
    Case(
        "HTTPS is wanted, and the address has HTTPS",
        [listed(400, HTTPS_ONLY)],
        Said(
            WRONG,
            "A web page came with status 400: '400 The plain HTTP request was sent to "
            "HTTPS port', which the service does not send. Check the address, and "
            "whether a proxy, a gateway or a login page replied in the service's "
            "place.",
        ),
    ),
    Case(
        "HTTPS and a certificate are wanted, and the address has HTTP",
        [http(400, HTTPS_ONLY + CERTIFICATE_WANTED)],
        Said(
            WRONG,
            "What replied demands a client certificate (mutual TLS), which the "
            "provider cannot send: ask its operator for an address without one.",
        ),
        settings=HTTP,
    ),
    Case(
        "another page, and the address has HTTP",
        [http(400, PAGE)],
        Said(
            WRONG,
            "A web page came with status 400: 'Hello', which the service does not "
            "send. Check the address, and whether a proxy, a gateway or a login page "
            "replied in the service's place.",
        ),
        settings=HTTP,
    ),
]


@pytest.mark.parametrize("row", TLS_WANTED, ids=ids(TLS_WANTED))
def test_a_page_that_wants_a_certificate_or_https_names_what_to_change(row: Case):
    check_unexaminable(row)


NO_JSON = [
    Case(
        "no JSON",
        [listed(200, "no JSON", headers=JSON)],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "no JSON with gzip",
        [listed(200, "no JSON", headers={**JSON, "content-encoding": "gzip"})],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "an encoding that the provider does not undo",
        [listed(200, b"\x28\xb5\x2f\xfd\x00\x01", headers={**JSON, "content-encoding": "zstd"})],
        Said(
            NOT_PROVED,
            "The reply is encoded as zstd (its Content-Encoding), which the provider "
            "does not ask for and cannot read. Ask whoever runs the gateway not to "
            "compress replies so; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "an encoding that the provider does not undo, with 302",
        [listed(302, b"\x28\xb5\x2f\xfd", headers={"content-encoding": "zstd"})],
        Said(
            WRONG,
            "Binary came with status 302, which the service does not send. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "text with an encoding that it does not need",
        [listed(200, "hello", headers={"content-encoding": "zstd"})],
        Said(
            NOT_PROVED,
            "The reply is encoded as zstd (its Content-Encoding), which the provider "
            "does not ask for and cannot read. Ask whoever runs the gateway not to "
            "compress replies so; the Address may be right, and no key was judged.",
        ),
    ),
    Case(
        "a string",
        [listed(200, '"hello"')],
        Said(
            WRONG,
            "JSON came with status 200, which the service does not send. Check the "
            "address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "wrapped JSON",
        [listed(200, 'x({"a": 1});')],
        Said(
            WRONG,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. The Address and the path may be right, and no key was judged.",
        ),
        topic=Topic.RECORDS,
        names_proxy=False,
    ),
    Case(
        "a page, then wrapped JSON",
        [listed(200, PAGE), listed(200, 'x({"a": 1});')],
        Said(
            WRONG,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. The Address and the path may be right, and no key was judged.",
        ),
        topic=Topic.RECORDS,
        names_proxy=False,
    ),
]


@pytest.mark.parametrize("row", NO_JSON, ids=ids(NO_JSON))
def test_what_came_in_place_of_json_is_said(row: Case):
    check_unexaminable(row)


ABOUT_304 = (
    "Nothing is settled: 304 says that nothing has changed since an earlier reply, but no read "
    "asked for that, so a cache on the way may have replied{by}. Change neither address nor keys: "
    "ask whoever runs it to leave the service out of the cache."
)
UNASKED_304 = [
    Case("304", [listed(304, b"")], Said(NOT_PROVED, ABOUT_304.format(by=""))),
    Case(
        "304 twice, from a cache",
        [listed(304, b"", headers={"x-cache": "HIT from edge"})] * 2,
        Said(NOT_PROVED, ABOUT_304.format(by=" (x-cache: HIT from edge)")),
    ),
]


@pytest.mark.parametrize("row", UNASKED_304, ids=ids(UNASKED_304))
def test_a_304_that_no_read_asked_for_is_of_a_cache_and_no_fault_of_the_address(row: Case):
    check_unexaminable(row)


CHOICES = {
    "choices": [
        {"name": "live", "href": "https://api.example.com/live/v1/coupon-list/spring/files"},
        {"name": "test", "href": "/sbx/v1/coupon-list/spring/files"},
    ]
}
UNNAMED_300 = {"choices": ["/v2/lists", "https://files.example.com/v1/coupon-list/spring/files"]}


def test_a_choice_of_addresses_is_said_with_all_of_them():
    (finding,) = [conclude_on_unexaminable(evidence_of(listed(300, CHOICES)))]
    assert finding.certainty is NOT_PROVED
    assert finding.text.startswith(
        "The service offers a choice (300): https://api.example.com/live, "
        "https://api.example.com/sbx: "
    )
    assert finding.text.endswith(
        "Put the one that your account is in into the Address, and run this again: nothing from a "
        "test environment may reach a customer."
    )


def test_a_choice_of_other_paths_or_hosts_names_no_address():
    finding = conclude_on_unexaminable(evidence_of(listed(300, UNNAMED_300)))
    assert finding.certainty is NOT_PROVED
    assert finding.text.startswith("JSON came with status 300")


CUT_JSON = [
    Case(
        "JSON that is cut",
        [listed(200, '[{"_id": "f1"')],
        Said(
            NOT_PROVED,
            "JSON that cannot be read came with status 200: a gateway may have cut it. "
            "Run this again. No key was judged.",
        ),
    ),
    Case(
        "JSON that is cut at the size of a buffer twice",
        [
            listed(200, '[{"_id": "f1"'.ljust(1024), headers={"via": "1.1 old"}),
            listed(200, '[{"_id": "f1"'.ljust(1024), headers={"via": "1.1 old"}),
        ],
        Said(
            NOT_PROVED,
            "JSON that cannot be read came 2 times, each of 1024 bytes (replies have Via: 1.1 "
            "old), so something on the way may cut what is longer: ask whoever runs it. To go on "
            "meanwhile, name a list with fewer files. No key was judged.",
        ),
    ),
    Case(
        "JSON that is cut at the size of a buffer once",
        [listed(200, '[{"_id": "f1"'.ljust(1024))],
        Said(
            NOT_PROVED,
            "JSON that cannot be read came with status 200: a gateway may have cut it. "
            "Run this again. No key was judged.",
        ),
    ),
    Case(
        "JSON that is cut below the least size twice",
        [listed(200, '[{"_id": "f1"'.ljust(63)), listed(200, '[{"_id": "f1"'.ljust(63))],
        Said(
            NOT_PROVED,
            "JSON that cannot be read came with status 200: a gateway may have cut it. "
            "Run this again. No key was judged.",
        ),
    ),
    Case(
        "JSON that is longer than the provider reads twice",
        2 * [listed(200, b"[" + bytes(32 * MIB))],
        Said(
            NOT_PROVED,
            "The list is longer than the 32 MB that the provider reads. Tasks upload and wait, but "
            "cannot look in such a list for an upload whose outcome is not known: use lists with "
            "fewer files, and name one in --coupon-list, or ask the service's support for shorter "
            "records in lists. No key was judged.",
        ),
    ),
]


@pytest.mark.parametrize("row", CUT_JSON, ids=ids(CUT_JSON))
def test_json_that_is_cut_twice_at_the_size_of_a_buffer_is_cut_on_the_way(row: Case):
    check_unexaminable(row)


PAGES_AND_TEXTS = [
    Case(
        "a page with 403",
        [listed(403, PAGE)],
        Said(
            NOT_PROVED,
            "A web page came with status 403: 'Hello', which the service does not "
            "send: a gateway or a firewall may not let this machine in. If the Address "
            "is right, change no key, but have whoever runs it let your workers and "
            "triggerers in, whether it keeps out their addresses or their User-Agent "
            "(airflow-provider-wes), and run this from there.",
        ),
    ),
    Case(
        "a page with 403 that names something",
        [listed(403, "<html><title>Nope</title>Request ID: 7a9b")],
        Said(
            NOT_PROVED,
            "A web page came with status 403: 'Nope', which the service does not send: "
            "a gateway or a firewall may not let this machine in. If the Address is "
            "right, change no key, but have whoever runs it let your workers and "
            "triggerers in, whether it keeps out their addresses or their User-Agent "
            "(airflow-provider-wes), and run this from there. Hand over what it names: "
            "Request ID 7a9b.",
        ),
    ),
    Case(
        "a page with 200",
        [listed(200, PAGE)],
        Said(
            NOT_PROVED,
            "A web page came with status 200: 'Hello', which is no reply of the "
            "service: it, or something in its place, may be under maintenance. Wait, "
            "and run this again; if the page stays, check the address, and what is "
            "between.",
        ),
    ),
    Case(
        "a page with a frame",
        [
            listed(
                200,
                b'<html><frameset rows="100%,*"><frame src="https://wes.example.com/v1?t=x">',
            )
        ],
        Said(
            NOT_PROVED,
            "A web page came with status 200, which leads browsers to https://wes.example.com/v1 "
            "by a frame or a refresh. The provider does not follow that, and no key was judged: "
            "ask the service's support for the address of the API, and put it into the Address.",
        ),
    ),
    Case(
        "a page with a frame, and 403",
        [listed(403, b'<html><title>No</title><frame src="https://wes.example.com/v1">')],
        Said(
            NOT_PROVED,
            "A web page came with status 403: 'No', which the service does not "
            "send: a gateway or a firewall may not let this machine in. If the Address "
            "is right, change no key, but have whoever runs it let your workers and "
            "triggerers in, whether it keeps out their addresses or their User-Agent "
            "(airflow-provider-wes), and run this from there.",
        ),
    ),
    Case(
        "a page with 200 and a time",
        [listed(200, PAGE, headers=WAITS)],
        Said(
            NOT_PROVED,
            "A web page came with status 200: 'Hello', which is no reply of the "
            "service: it, or something in its place, may be under maintenance. Wait "
            "until 08:00:30 UTC, as its headers say, and run this again; if the page "
            "stays, check the address, and what is between.",
        ),
    ),
    Case(
        "a page with 406",
        [listed(406, PAGE)],
        Said(
            WRONG,
            "A web page came with status 406: 'Hello', which the service does not "
            "send. Check the address, and whether a proxy, a gateway or a login page "
            "replied in the service's place.",
        ),
    ),
    Case(
        "text",
        [listed(200, "hello")],
        Said(
            WRONG,
            "Text came with status 200: 'hello', which the service does not send. "
            "Check the address, and whether a proxy, a gateway or a login page replied "
            "in the service's place.",
        ),
    ),
    Case(
        "text with a firewall's words",
        [listed(200, "Request was blocked.")],
        Said(
            WRONG,
            "Text came with status 200: 'Request was blocked', which the service does not send. "
            "Check the address, and whether a proxy, a gateway or a login page replied in the "
            "service's place.",
        ),
    ),
    Case(
        "long text",
        [listed(200, LONG)],
        Said(
            WRONG,
            "Text came with status 200: 'Weather is fine. Weather is fine. Weather is "
            "fine. Weather is fine. Weather is fine. Weather is … Weather is fine. "
            "Weather is fine. Weather is fine. Weather is fine. Weather is fine. "
            "Weather is fine', which the service does not send. Check the address, and "
            "whether a proxy, a gateway or a login page replied in the service's "
            "place.",
        ),
    ),
]


@pytest.mark.parametrize("row", PAGES_AND_TEXTS, ids=ids(PAGES_AND_TEXTS))
def test_a_page_or_a_text_is_quoted_and_its_status_decides(row: Case):
    check_unexaminable(row)


ALL = [*TLS_WANTED, *NO_JSON, *CUT_JSON, *PAGES_AND_TEXTS]


@pytest.mark.parametrize("row", ALL, ids=ids(ALL))
def test_the_proxy_that_may_have_replied_is_named(row: Case):
    check_names_proxy(row, conclude_on_unexaminable)


@pytest.mark.parametrize("row", ALL, ids=ids(ALL))
def test_such_a_first_read_shows_nothing_that_stands_before_the_service(row: Case):
    assert conclude_on_what_is_before(row.evidence) is None


RESTS_ON = [
    RestsOn(
        "wrapped JSON",
        [listed(200, 'x({"a": 1});'), elsewhere(403), segment(403)],
        [0, 1],
    ),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_first_read_names_its_reads_in_this_order(row: RestsOn):
    finding = conclude_on_unexaminable(evidence_of(*row.probes, settings=row.settings))
    assert numbers_of(finding, row.probes) == row.numbers
