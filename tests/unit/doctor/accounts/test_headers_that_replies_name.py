"""
A service that refuses requests without a header whose name stands in other headers of its replies:
Access-Control-Allow-Headers, Vary or WWW-Authenticate. The header is proposed as that of the
workspace if a read with it is accepted; otherwise its name has to be asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    Account,
    Call,
    check_says,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
)
from support.servers import Reply


def wants(name: str, status: int, says: str, **hint: str) -> Callable[[], Account]:
    """A service that takes the workspace from a header which only other headers name."""
    named = {key.replace("_", "-"): text for key, text in hint.items()}

    def nasty(call: Call) -> Reply:
        reply = Account(header=name).reply(call)
        if not call.headers.get(name):
            error = {"error": {"code": "request-unauthenticated", "message": says}}
            reply = json_reply(status, error)
        return Reply(reply.status, reply.body, {**reply.headers, **named})

    return lambda: Account(nasty)


def wants_besides(name: str, says: str) -> Callable[[], Account]:
    """A gateway that demands a header besides, which only the headers of CORS name."""

    def nasty(call: Call) -> Reply:
        reply = Account().reply(call)
        if not call.headers.get(name):
            reply = json_reply(400, {"error": {"code": "bad-request", "message": says}})
        allowed = {"Access-Control-Allow-Headers": f"authorization, {name}"}
        return Reply(reply.status, reply.body, {**reply.headers, **allowed})

    return lambda: Account(nasty)


class Header(NamedTuple):
    """An account that misses a header, what is said, and the header that is proposed."""

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]
    proposed: str = ""


MISSES = "Not proved: Workspace header. The service misses a header (40"


def check_header(row: Header) -> None:
    """The verdict says this, and the extra has the header that is proposed, if one is."""
    report = examined_account(row.account())
    check_what_holds_of_each_report(report)
    check_says(report.verdict, row.says)
    assert report.extra == ({"workspace_header": row.proposed} if row.proposed else {})


NAMED = [
    Header(
        "named for other origins",
        wants(
            "X-Acme-Client",
            401,
            "Unknown client: client header missing.",
            Access_Control_Allow_Headers="Authorization, Content-Type, X-Acme-Client",
        ),
        (
            "Not ready: Workspace header. Access-Control-Allow-Headers of replies names X-Acme-Client",
        ),
        "X-Acme-Client",
    ),
    Header(
        "named by Vary",
        wants("Acme-Org", 400, "Organization required", Vary="Accept-Encoding, Origin, Acme-Org"),
        ("Not ready: Workspace header. Vary of replies names Acme-Org",),
        "Acme-Org",
    ),
    Header(
        "named by a challenge",
        wants("X-Site", 401, "Who are you?", WWW_Authenticate='Basic realm="s", header="X-Site"'),
        ("Not ready: Workspace header. WWW-Authenticate of replies names X-Site",),
        "X-Site",
    ),
]


@pytest.mark.parametrize("row", NAMED, ids=ids(NAMED))
def test_a_header_that_headers_of_replies_name_is_proposed_if_it_is_accepted(row: Header):
    check_header(row)


NOT_NAMED = [
    Header(
        "named nowhere",
        wants("Acme-Org", 401, "Missing tenant header."),
        (MISSES, "nor is any usual one. Ask its support for the name"),
    ),
    Header(
        "named nowhere, by an error that is not about keys",
        wants("Acme-Org", 400, "Unknown client."),
        (MISSES, "nor is any usual one. Ask its support for the name"),
    ),
    Header(
        "not the one that replies name",
        wants("Acme-Org", 401, "client header missing", Vary="X-Trace-Me"),
        (MISSES, "nor is X-Trace-Me, which replies name. Ask its support"),
    ),
]


@pytest.mark.parametrize("row", NOT_NAMED, ids=ids(NOT_NAMED))
def test_a_header_that_is_missed_is_to_be_asked_for_if_none_that_is_tried_is_accepted(row: Header):
    check_header(row)


def test_a_header_that_is_demanded_besides_the_connections_is_named_and_not_proposed():
    check_header(
        Header(
            "of the version, besides",
            wants_besides("X-Api-Version", "The API version is missing."),
            ("Not ready: Workspace header. The service demands X-Api-Version besides SVC-APPKEY",),
        )
    )


def test_no_header_is_missed_if_an_error_misses_the_credentials():
    check_header(
        Header(
            "of a key, in usual words",
            lambda: Account(lambda _: json_reply(401, {"message": "Missing Authorization header"})),
            ("Not proved: Campaign API key. Refused",),
        )
    )
