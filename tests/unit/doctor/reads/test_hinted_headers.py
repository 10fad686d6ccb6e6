"""
A reply to the list hints at headers that its Access-Control-Allow-Headers, Vary or WWW-Authenticate
name, and no other header of it. Only names with a dash count, each once in any case of letters,
eight at most; neither the connection's own header nor a standard one. Replies to other reads hint
at nothing. A hinted header is said to stand in the first of the three that names it.

Standard are the headers of HTTP, browsers, proxies and tracing, by their whole names or by the
beginnings accept-, access-control-, sec-, x-forwarded- and x-amz-. A connection's header is chosen
unless it is that of the contract, SVC-APPKEY, in any case of letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    ids,
)
from support.doctor_header_reads import (
    REFUSED_TWICE,
    list_reply,
)
from support.doctor_replies import changed, evidence_of, reply
from wes_provider.doctor.reads import header
from wes_provider.doctor.replies.probes import Probe, Question


class Hint(NamedTuple):
    """
    Replies to the list.

    :ivar names: the headers that they name.
    :ivar where: the reply's header that names the last of them.
    """

    name: str
    probes: Sequence[Probe]
    names: tuple[str, ...]
    where: str = ""


STANDARD = (
    "Accept-Encoding, Sec-Fetch, X-Forwarded-For, X-Amz-Date, Access-Control-X, X-Request-ID, "
    "Idempotency-Key, If-Match"
)
MANY = ", ".join(f"X-{number}" for number in range(9))
HINTS = [
    Hint("no header", REFUSED_TWICE, names=()),
    Hint(
        "access-control-allow-headers",
        [list_reply(401, access_control_allow_headers="Accept, X-Org")],
        names=("X-Org",),
        where="Access-Control-Allow-Headers",
    ),
    Hint("vary", [list_reply(401, vary="Origin, X-Org")], names=("X-Org",), where="Vary"),
    Hint(
        "a challenge",
        [list_reply(401, www_authenticate='Basic realm="X-Org"')],
        names=("X-Org",),
        where="WWW-Authenticate",
    ),
    Hint("a header that is not read", [list_reply(401, x_names="X-Org")], names=()),
    Hint(
        "the second reply",
        [list_reply(401), list_reply(401, vary="X-Org")],
        names=("X-Org",),
        where="Vary",
    ),
    Hint(
        "the same one in two headers",
        [list_reply(401, vary="X-Org", access_control_allow_headers="x-org")],
        names=("x-org",),
        where="Access-Control-Allow-Headers",
    ),
    Hint(
        "the one that was sent",
        [list_reply(401, vary="svc-appkey, X-Org")],
        names=("X-Org",),
        where="Vary",
    ),
    Hint(
        "standard headers only",
        [
            list_reply(
                401,
                vary=STANDARD,
            )
        ],
        names=(),
    ),
    Hint(
        "nine headers",
        [list_reply(401, vary=MANY)],
        names=tuple(f"X-{number}" for number in range(8)),
        where="Vary",
    ),
    Hint("a word without a dash", [list_reply(401, vary="Tenant")], names=()),
    Hint(
        "a reply to another question",
        [reply(401, headers={"vary": "X-Org"}, question=Question.AGAIN)],
        names=(),
    ),
]


@pytest.mark.parametrize("row", HINTS, ids=ids(HINTS))
def test_a_reply_to_the_list_hints_at_headers_that_three_of_its_own_headers_name(row: Hint):
    """Eight at most, and none that is standard or the connection's: see ``where`` for the three."""
    assert header.hinted_headers(evidence_of(*row.probes)) == row.names


@pytest.mark.parametrize("row", HINTS, ids=ids(HINTS))
def test_a_hinted_header_is_said_to_stand_in_the_header_that_names_it(row: Hint):
    name = row.names[-1].upper() if row.names else "X-Org"
    assert header.where_hinted(evidence_of(*row.probes), name) == row.where


def test_a_header_that_no_reply_names_is_said_to_stand_nowhere():
    evidence = evidence_of(list_reply(401, vary="X-Org"))
    assert header.where_hinted(evidence, "X-Unknown") == ""


class Chosen(NamedTuple):
    """A header that a connection names, and whether that is another one than the contract's."""

    name: str
    is_chosen: bool


CHOSEN = [
    Chosen("SVC-APPKEY", is_chosen=False),
    Chosen("svc-appkey", is_chosen=False),
    Chosen("X-Org", is_chosen=True),
]


@pytest.mark.parametrize("row", CHOSEN, ids=ids(CHOSEN))
def test_a_header_is_chosen_unless_it_is_that_of_the_contract_in_any_case(row: Chosen):
    settings = changed(workspace_header=row.name)
    assert header.is_chosen(evidence_of(settings=settings)) is row.is_chosen


@pytest.mark.parametrize(
    "name", ["accept", "accept-x", "sec-x", "x-amz-x", "x-forwarded-x", "baggage"]
)
def test_a_header_of_http_browsers_proxies_and_tracing_is_standard(name: str):
    assert header.is_standard(name)


@pytest.mark.parametrize("name", ["x-accept-x", "accepts", "secx", "x-tenant", "x-ratelimit"])
def test_a_header_that_only_looks_alike_is_not_standard(name: str):
    assert not header.is_standard(name)
