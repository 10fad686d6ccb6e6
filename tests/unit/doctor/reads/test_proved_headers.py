"""
A header is a candidate if a read of the list with it alone, in place of the connection's, gets
files, and no later one gets a 401. The header that an error named is one, too, if it gets a 404;
not if it gets the same error, another 400 or a complaint about another header.

A candidate is proved if it helps twice, and a made-up value in it gets another reply; the
connection's settings then have it. If a made-up value helps, too, the header is demanded beside the
workspace header, whatever it has; what the first made-up value gets decides. Headers that help if
they are sent besides the connection's are demanded; not if they get a 401, a 400 or a complaint
about a header then. The first that helps counts, and all that were sent with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    ids,
    with_headers,
    with_headers_besides,
    with_made_up_value,
)
from support.doctor_header_reads import (
    ASKS_FOR_X_TENANT,
    REFUSED_TWICE,
    USUAL,
    X_TENANT,
    Search,
    check,
    with_accepted_value,
)
from support.doctor_replies import error_body, evidence_of
from wes_provider.doctor.reads import header
from wes_provider.doctor.reads.header import Value
from wes_provider.doctor.replies.probes import Probe

HELPS = [
    Search("one helps", [*REFUSED_TWICE, with_headers("A")], refused=0, candidate="A"),
    Search(
        "one helps, then it does not",
        [*REFUSED_TWICE, with_headers("A"), with_headers("A", 401)],
        refused=0,
    ),
    Search(
        "one helps twice",
        [*REFUSED_TWICE, with_headers("A"), with_headers("A")],
        refused=0,
        candidate="A",
    ),
]


@pytest.mark.parametrize("row", HELPS, ids=[row.name for row in HELPS])
def test_a_header_is_a_candidate_if_each_read_with_it_alone_gets_files(row: Search):
    check(row)


NAMED_GETS_ERROR = [
    Search(
        "the named one gets the same complaint",
        [
            ASKS_FOR_X_TENANT,
            with_headers("X-Tenant", 400, error_body("", "Header X-Tenant is required")),
        ],
        refused=0,
        to_try=USUAL,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "the named one gets another 400",
        [ASKS_FOR_X_TENANT, with_headers("X-Tenant", 400, error_body("", "No."))],
        refused=0,
        to_try=USUAL,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "the named one gets a complaint about another header",
        [
            ASKS_FOR_X_TENANT,
            with_headers("X-Tenant", 422, error_body("", "Header X-B is bad")),
        ],
        refused=0,
        to_try=USUAL,
        to_add=X_TENANT,
        missed=True,
    ),
    Search(
        "the named one gets a 404",
        [ASKS_FOR_X_TENANT, with_headers("X-Tenant", 404, error_body("", "No."))],
        refused=0,
        candidate="X-Tenant",
        missed=True,
    ),
]


@pytest.mark.parametrize("row", NAMED_GETS_ERROR, ids=[row.name for row in NAMED_GETS_ERROR])
def test_a_header_that_the_service_named_is_a_candidate_if_it_gets_a_404_and_no_other_complaint(
    row: Search,
):
    check(row)


VALUES = [
    Search(
        "one helps twice, and a made-up value does not",
        [
            *REFUSED_TWICE,
            with_headers("A"),
            with_headers("A"),
            with_made_up_value("A"),
        ],
        refused=0,
        candidate="A",
        proved="A",
    ),
    Search(
        "one helps once, and a made-up value does not",
        [*REFUSED_TWICE, with_headers("A"), with_made_up_value("A")],
        refused=0,
        candidate="A",
    ),
    Search(
        "one helps twice, and so does a made-up value",
        [
            *REFUSED_TWICE,
            with_headers("A"),
            with_headers("A"),
            with_accepted_value("A"),
        ],
        refused=0,
        candidate="A",
        demanded="A",
    ),
    Search(
        "one helps twice, and a made-up value in another one does not",
        [
            *REFUSED_TWICE,
            with_headers("A"),
            with_headers("A"),
            with_made_up_value("B"),
        ],
        refused=0,
        candidate="A",
    ),
    Search(
        "the named one helps twice, and a made-up value does not",
        [
            ASKS_FOR_X_TENANT,
            with_headers("X-Tenant"),
            with_headers("X-Tenant"),
            with_made_up_value("X-Tenant"),
        ],
        refused=0,
        candidate="X-Tenant",
        proved="X-Tenant",
    ),
]


@pytest.mark.parametrize("row", VALUES, ids=[row.name for row in VALUES])
def test_a_header_is_proved_if_it_helps_twice_and_a_made_up_value_in_it_does_not(row: Search):
    """If a made-up value helps, too, the header is demanded whatever its value."""
    check(row)


BESIDE = [
    Search(
        "the named one helps besides",
        [
            ASKS_FOR_X_TENANT,
            with_headers("X-Tenant", 400),
            with_headers_besides("X-Tenant"),
        ],
        refused=0,
        to_try=USUAL,
        to_add=(),
        demanded="X-Tenant",
        missed=True,
    ),
    Search(
        "two help besides",
        [ASKS_FOR_X_TENANT, with_headers_besides("A B")],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        demanded="A, B",
        missed=True,
    ),
    Search(
        "the named one is refused besides",
        [ASKS_FOR_X_TENANT, with_headers_besides("X-Tenant", 401)],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        missed=True,
    ),
    Search(
        "the named one gets 400 besides",
        [ASKS_FOR_X_TENANT, with_headers_besides("X-Tenant", 400, error_body("", "No."))],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        missed=True,
    ),
    Search(
        "the named one gets a complaint about another header besides",
        [
            ASKS_FOR_X_TENANT,
            with_headers_besides("X-Tenant", 422, error_body("", "Header X-B is bad")),
        ],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        missed=True,
    ),
    Search(
        "the first is refused besides, and the second helps",
        [ASKS_FOR_X_TENANT, with_headers_besides("A", 401), with_headers_besides("B")],
        refused=0,
        to_try=X_TENANT,
        to_add=(),
        demanded="B",
        missed=True,
    ),
]


@pytest.mark.parametrize("row", BESIDE, ids=ids(BESIDE))
def test_a_header_is_demanded_that_helps_besides_the_connections(row: Search):
    check(row)


class Matters(NamedTuple):
    """Reads with a made-up value, and whether the value of the header A matters."""

    name: str
    probes: Sequence[Probe]
    matters: Value


MATTERS = [
    Matters("no read", [], Value.NOT_SHOWN),
    Matters("a read with another header", [with_made_up_value("B")], Value.NOT_SHOWN),
    Matters("another reply", [with_made_up_value("A")], Value.MATTERS),
    Matters("the same reply", [with_accepted_value("A")], Value.DOES_NOT_MATTER),
    Matters(
        "another reply, then the same",
        [with_made_up_value("A"), with_accepted_value("A")],
        Value.MATTERS,
    ),
]


@pytest.mark.parametrize("row", MATTERS, ids=ids(MATTERS))
def test_the_value_of_a_header_matters_if_a_made_up_one_gets_another_reply(row: Matters):
    assert header.value_in(evidence_of(*row.probes), "A", with_headers("A")) is row.matters
