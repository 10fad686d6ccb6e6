"""
Another header is proposed, and the one that was sent is *wrong*, if the key was refused twice with
that, and accepted twice with the other one alone, and a made-up value in the other one is refused.
If the error names the other header, that is said; else, if Vary does. It is *not proved*, and
nothing is proposed, if the other header was accepted once only, or if a made-up value in it gets
the same. A header that the service demands besides the one that is sent, or that is accepted
whatever it has, is *wrong* and not to be set: the provider cannot send it.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    FILES,
    UNAUTHENTICATED,
    Said,
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
    WITH_CHOSEN,
    WRONG,
    Case,
    check_header,
    list_refused_twice,
    read_with,
)
from wes_provider.doctor.findings import Topic
from wes_provider.doctor.header_conclusions import conclude_on_demanded_header
from wes_provider.doctor.probes import Probe


def found_in(header: str) -> list[Probe]:
    """The reads that show that the workspace goes into a header."""
    return [with_headers(header), with_headers(header), with_made_up_value(header)]


OTHER_HEADER = [
    Case(
        "another header",
        [*list_refused_twice(), *found_in("X-App-Id")],
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


OTHER_HEADER_IN_DOUBT = [
    Case(
        "another header, accepted once",
        [*list_refused_twice(), with_headers("X-App-Id"), with_made_up_value("X-App-Id")],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 200. That does not settle whether the service takes "
            "SVC-APPKEY: run this again later.",
        ),
    ),
    Case(
        "another header, and a made-up value gets the same",
        [
            *list_refused_twice(),
            with_headers("X-App-Id"),
            with_headers("X-App-Id"),
            with_made_up_value("X-App-Id", 200, FILES),
        ],
        Said(
            NOT_PROVED,
            "With SVC-APPKEY, a read gets 401 request-unauthenticated; with other "
            "headers, one got 200. That does not settle whether the service takes "
            "SVC-APPKEY: run this again later.",
        ),
    ),
]


@pytest.mark.parametrize("row", OTHER_HEADER_IN_DOUBT, ids=ids(OTHER_HEADER_IN_DOUBT))
def test_another_header_is_not_proposed_if_it_was_accepted_once_or_whatever_its_value(row: Case):
    check_header(row)


DEMANDED = [
    Case(
        "sent besides",
        [
            *list_refused_twice(NAMES_TENANT),
            with_headers_besides("X-Tenant"),
            with_made_up_value("X-App-Id"),
        ],
        Said(
            WRONG,
            "The service demands X-Tenant besides SVC-APPKEY, which the provider "
            "cannot send. Reads with both are accepted, so it is not the workspace's "
            "header: do not set it as such. Ask the service's support, or whoever runs "
            "the gateway, to do without it.",
        ),
    ),
    Case(
        "accepted whatever it has",
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
]


@pytest.mark.parametrize("row", DEMANDED, ids=ids(DEMANDED))
def test_a_header_that_is_demanded_besides_is_wrong(row: Case):
    finding = conclude_on_demanded_header(row.evidence, "X-Tenant")
    assert finding.topic is Topic.WORKSPACE_HEADER
    assert Said.of(finding) == row.said
    assert numbers_of(finding, row.probes) == list(range(len(row.probes)))
