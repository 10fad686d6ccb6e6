"""
Another header is proposed, and the one that was sent is *wrong*, if the key was refused twice with
that, and accepted at least twice with the other one alone, and a made-up value in the other one is
refused. If the error names the other header, that is said; else, if Vary,
Access-Control-Allow-Headers or WWW-Authenticate of replies does.

It is *not proved*, and nothing is proposed, if the key was refused once only, if the other header
was not accepted alone twice, or was refused later, or if no made-up value was refused in it. If the
key was refused and then accepted with the header that was sent, that one is *sure*.

A header that a made-up value is accepted in, whether the error names it or not, or that is accepted
only besides the one that is sent, is *wrong* and not to be set: the provider cannot send it.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    UNAUTHENTICATED,
    Said,
    again,
    ids,
    listed,
    numbers_of,
    with_headers,
    with_headers_besides,
    with_made_up_value,
)
from support.doctor_headers import (
    CHOSEN,
    HINT,
    NAMES_TENANT,
    NOT_PROVED,
    SENT,
    SURE,
    WITH_CHOSEN,
    WRONG,
    Case,
    check_header,
    list_refused_twice,
    read_with,
)
from wes_provider.doctor.conclusions.header_conclusions import conclude_on_demanded_header
from wes_provider.doctor.findings.finding import Finding, Topic
from wes_provider.doctor.reads import header
from wes_provider.doctor.replies.probes import Probe


def found_in(name: str) -> list[Probe]:
    """The reads that show that the workspace goes into a header."""
    return [with_headers(name), with_headers(name), with_made_up_value(name)]


OTHER_HEADER = [
    Case(
        "another header",
        [*list_refused_twice(), *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
    Case(
        "another header, accepted three times",
        [*list_refused_twice(), with_headers("X-App-Id"), *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
    Case(
        "another header, which Vary names",
        [*list_refused_twice(headers=HINT), *found_in("X-Tenant")],
        Said(
            WRONG,
            "Vary of replies names X-Tenant, and the service accepts it in place of SVC-APPKEY.",
        ),
        "X-Tenant",
    ),
    Case(
        "another header, which Access-Control-Allow-Headers names",
        [
            *list_refused_twice(headers={"access-control-allow-headers": "X-Tenant"}),
            *found_in("X-Tenant"),
        ],
        Said(
            WRONG,
            "Access-Control-Allow-Headers of replies names X-Tenant, and the service accepts it in "
            "place of SVC-APPKEY.",
        ),
        "X-Tenant",
    ),
    Case(
        "another header, which WWW-Authenticate names",
        [
            *list_refused_twice(headers={"www-authenticate": 'Basic header="X-Tenant"'}),
            *found_in("X-Tenant"),
        ],
        Said(
            WRONG,
            "WWW-Authenticate of replies names X-Tenant, and the service accepts it in place of "
            "SVC-APPKEY.",
        ),
        "X-Tenant",
    ),
    Case(
        "another header than the one that Vary names",
        [*list_refused_twice(headers=HINT), *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
    Case(
        "another header, which the error names",
        [*list_refused_twice(NAMES_TENANT), *found_in("X-Tenant")],
        Said(WRONG, "The service names X-Tenant, and accepts it in place of SVC-APPKEY."),
        "X-Tenant",
    ),
    Case(
        "another header, which the error and Vary name",
        [*list_refused_twice(NAMES_TENANT, headers=HINT), *found_in("X-Tenant")],
        Said(WRONG, "The service names X-Tenant, and accepts it in place of SVC-APPKEY."),
        "X-Tenant",
    ),
    Case(
        "another header than a chosen one",
        [*[listed(401, UNAUTHENTICATED, request=read_with(CHOSEN))] * 2, *found_in("X-App-Id")],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from X-Mine."),
        "X-App-Id",
        settings=WITH_CHOSEN,
    ),
    Case(
        "another header than the one that the error names",
        [
            *list_refused_twice(NAMES_TENANT),
            with_headers("X-Tenant", 401, NAMES_TENANT),
            *found_in("X-App-Id"),
        ],
        Said(WRONG, "The service takes the workspace from X-App-Id, not from SVC-APPKEY."),
        "X-App-Id",
    ),
]


@pytest.mark.parametrize("row", OTHER_HEADER, ids=ids(OTHER_HEADER))
def test_another_header_is_proposed_once_it_was_accepted_alone_twice_and_its_value_matters(
    row: Case,
):
    check_header(row)


IN_DOUBT = Said(
    NOT_PROVED,
    "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other headers, one got 200. "
    "That does not settle whether the service takes SVC-APPKEY: run this again later.",
)
NOT_SHOWN = Said(NOT_PROVED, "No reply shows whether the service takes SVC-APPKEY.")
NOT_ACCEPTED_TWICE = [
    Case(
        "accepted once",
        [*list_refused_twice(), with_headers("X-App-Id"), with_made_up_value("X-App-Id")],
        IN_DOUBT,
    ),
    Case(
        "accepted, then refused",
        [
            *list_refused_twice(),
            with_headers("X-App-Id"),
            with_headers("X-App-Id", 401),
            with_made_up_value("X-App-Id"),
        ],
        IN_DOUBT,
    ),
    Case(
        "accepted twice, after a redirect",
        [*list_refused_twice(), with_headers("X-App-Id", 302), *found_in("X-App-Id")],
        IN_DOUBT,
    ),
    Case(
        "accepted twice together with another one",
        [
            *list_refused_twice(),
            with_headers("X-App-Id X-Tenant"),
            with_headers("X-App-Id X-Tenant"),
            with_made_up_value("X-App-Id"),
        ],
        IN_DOUBT,
    ),
    Case(
        "accepted twice, then together with another one",
        [
            *list_refused_twice(),
            *found_in("X-App-Id"),
            with_headers("X-App-Id X-Tenant"),
        ],
        IN_DOUBT,
    ),
]


@pytest.mark.parametrize("row", NOT_ACCEPTED_TWICE, ids=ids(NOT_ACCEPTED_TWICE))
def test_another_header_is_not_proposed_unless_it_was_accepted_alone_twice(row: Case):
    check_header(row)


NO_MADE_UP_VALUE_REFUSED = [
    Case(
        "none was sent",
        [*list_refused_twice(), with_headers("X-App-Id"), with_headers("X-App-Id")],
        IN_DOUBT,
    ),
    Case(
        "it was sent in a third header",
        [
            *list_refused_twice(),
            with_headers("X-App-Id"),
            with_headers("X-App-Id"),
            with_made_up_value("X-Tenant"),
        ],
        IN_DOUBT,
    ),
    Case(
        "it gets 500",
        [
            *list_refused_twice(),
            with_headers("X-App-Id"),
            with_headers("X-App-Id"),
            with_made_up_value("X-App-Id", 500),
        ],
        IN_DOUBT,
    ),
]


@pytest.mark.parametrize("row", NO_MADE_UP_VALUE_REFUSED, ids=ids(NO_MADE_UP_VALUE_REFUSED))
def test_another_header_is_not_proposed_unless_a_made_up_value_in_it_was_refused(row: Case):
    check_header(row)


def test_another_header_is_not_proposed_if_the_key_was_refused_once_only():
    probes = [listed(401, UNAUTHENTICATED), *found_in("X-App-Id")]
    check_header(Case("refused once", probes, NOT_SHOWN))


def test_another_header_is_not_proposed_if_the_key_was_accepted_later_with_the_one_that_was_sent():
    probes = [listed(401, UNAUTHENTICATED), again(200, FILES), *found_in("X-App-Id")]
    check_header(
        Case("refused, then accepted", probes, Said(SURE, "SVC-APPKEY is accepted."), SENT)
    )


DEMANDED = [
    Case(
        "accepted besides",
        [*list_refused_twice(NAMES_TENANT), with_headers_besides("X-Tenant")],
        Said(
            WRONG,
            "The service demands X-Tenant besides SVC-APPKEY, which the provider "
            "cannot send. Reads with both are accepted, so it is not the workspace's "
            "header: do not set it as such. Ask the service's support, or whoever runs "
            "the gateway, to do without it.",
        ),
    ),
    Case(
        "named, and accepted whatever it has",
        [
            *list_refused_twice(NAMES_TENANT),
            with_headers("X-Tenant"),
            with_made_up_value("X-Tenant", 200, FILES),
        ],
        Said(
            WRONG,
            "The service demands X-Tenant besides SVC-APPKEY, which the provider "
            "cannot send. Reads with it are accepted whatever it has, so it is not the "
            "workspace's header: do not set it as such. Ask the service's support, or "
            "whoever runs the gateway, to do without it.",
        ),
    ),
    Case(
        "not named, and accepted whatever it has",
        [
            *list_refused_twice(),
            with_headers("X-App-Id"),
            with_headers("X-App-Id"),
            with_made_up_value("X-App-Id", 200, FILES),
        ],
        Said(
            WRONG,
            "The service demands X-App-Id besides SVC-APPKEY, which the provider "
            "cannot send. Reads with it are accepted whatever it has, so it is not the "
            "workspace's header: do not set it as such. Ask the service's support, or "
            "whoever runs the gateway, to do without it.",
        ),
    ),
]


def conclude_on_demanded(row: Case) -> Finding:
    """The finding about the header that is demanded."""
    demanded = header.demanded_header(row.evidence)
    return conclude_on_demanded_header(row.evidence, demanded)


@pytest.mark.parametrize("row", DEMANDED, ids=ids(DEMANDED))
def test_a_header_that_is_demanded_besides_is_wrong(row: Case):
    finding = conclude_on_demanded(row)
    assert finding.topic is Topic.WORKSPACE_HEADER
    assert Said.of(finding) == row.said


@pytest.mark.parametrize("row", DEMANDED, ids=ids(DEMANDED))
def test_a_header_that_is_demanded_besides_is_not_proposed(row: Case):
    finding = conclude_on_demanded(row)
    assert (finding.settings, finding.guesses) == ({}, {})


@pytest.mark.parametrize("row", DEMANDED, ids=ids(DEMANDED))
def test_a_finding_about_a_demanded_header_rests_on_all_of_these_reads(row: Case):
    finding = conclude_on_demanded(row)
    assert numbers_of(finding, row.probes) == list(range(len(row.probes)))


@pytest.mark.parametrize("row", DEMANDED, ids=ids(DEMANDED))
def test_a_header_that_is_demanded_besides_is_not_proved(row: Case):
    assert header.proved_header(row.evidence) == ""
