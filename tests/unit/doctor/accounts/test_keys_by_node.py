"""
If a header names the node of each reply, and each node either accepts a key or refuses it, it is
said which one does what. That the key was revoked is said only if no read was accepted after the
last refusal. Otherwise nothing is said of nodes by their names. A 404 of a list or a file, and
reads with other keys, say nothing of the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    UNAUTHENTICATED,
    again,
    ids,
    listed,
    made_up,
    nowhere,
    one_file,
    segment,
    segment_again,
)
from support.doctor_reads import FILE_READ, evidence
from support.doctor_replies import MOMENT, evidence_of
from support.doctor_service import Account, Call, examined_account, json_reply
from support.doctor_two_answers import F1, MADE_UP, at, listing, refused
from support.servers import Reply
from wes_provider import contract
from wes_provider.doctor.reads.changes import two_answers
from wes_provider.doctor.reads.key_turns import key_in_turn
from wes_provider.doctor.replies.probes import Probe

A, B, C = ({"x-backend": f"app-{number}"} for number in (1, 2, 3))
TO_SUPPORT = "If it stays so, tell the service's support that app-2 refuses it."
UNKNOWN_TO_2 = (
    "X-Backend: app-2 refuses it, app-1 accepts it. So app-2 may not know the key yet: change "
    f"nothing, and run this again later. {TO_SUPPORT}"
)
REVOKED = (
    "X-Backend: app-2 refuses it, app-1 accepts it. So app-2 may not know the key yet, or it was "
    "revoked meanwhile: check it in the service's dashboard, and run this again later."
)


class Case(NamedTuple):
    """Reads with a key, and what is said of the nodes."""

    name: str
    probes: Sequence[Probe]
    says: str = ""
    key: contract.Key = contract.Key.CAMPAIGN


def later(seconds: float, status: int, headers: dict[str, str]) -> Probe:
    content = FILES if status == 200 else UNAUTHENTICATED
    return again(status, content, headers=headers, sent_at=MOMENT + seconds)


CASES = [
    Case(
        "a file is refused by another node, and the list accepted later",
        [
            listed(200, FILES, headers=A),
            nowhere(headers=A),
            one_file(401, UNAUTHENTICATED, headers=B, sent_at=MOMENT + 30),
            made_up(headers=B),
            later(60, 200, A),
            later(90, 200, A),
        ],
        UNKNOWN_TO_2,
    ),
    Case(
        "refused in the end",
        [
            listed(200, FILES, headers=A),
            later(30, 200, A),
            later(60, 401, B),
            later(90, 401, B),
        ],
        REVOKED,
    ),
    Case(
        "two of three nodes refuse it",
        [
            listed(401, UNAUTHENTICATED, headers=B),
            later(10, 200, A),
            later(20, 401, C),
            later(30, 401, B),
            later(40, 200, A),
            later(50, 200, A),
        ],
        "X-Backend: app-2 and app-3 refuse it, app-1 accepts it. So app-2 and app-3 may not know "
        "the key yet: change nothing, and run this again later. If it stays so, tell the service's "
        "support that app-2 and app-3 refuse it.",
    ),
    Case(
        "a file that is not there on the node that refuses",
        [
            listed(200, FILES, headers=A),
            one_file(404, {}, headers=B),
            later(30, 401, B),
            later(60, 200, A),
            later(90, 200, A),
        ],
        UNKNOWN_TO_2,
    ),
    Case(
        "a data key",
        [
            segment(headers=A),
            segment_again(401, headers=B, sent_at=MOMENT + 30),
            segment_again(headers=A, sent_at=MOMENT + 60),
            segment_again(headers=A, sent_at=MOMENT + 90),
        ],
        UNKNOWN_TO_2,
        contract.Key.DATA,
    ),
    Case(
        "one node accepts and refuses it",
        [
            listed(200, FILES, headers=A),
            later(30, 401, B),
            later(60, 200, B),
            later(90, 200, A),
        ],
    ),
    Case(
        "a path that only some nodes are read for",
        [
            listed(200, FILES, headers=A),
            later(30, 200, B),
            one_file(401, UNAUTHENTICATED, headers=B, sent_at=MOMENT + 40),
            later(60, 200, A),
        ],
    ),
    Case("no header", [listed(200, FILES), later(30, 401, {}), later(60, 200, {})]),
    Case("accepted by all", [listed(200, FILES, headers=A), later(1, 200, B), later(2, 200, A)]),
    Case("no read", []),
]


@pytest.mark.parametrize("row", CASES, ids=ids(CASES))
def test_it_is_said_which_node_refuses_a_key_if_each_does_the_same_each_time(row: Case):
    assert key_in_turn(evidence_of(*row.probes), row.key).node_says == row.says


def test_two_answers_to_one_request_are_said_with_the_nodes_that_gave_them():
    probes = [
        listing(1, F1, headers=A),
        MADE_UP,
        refused(3, headers=B),
        listing(4, F1, headers=A),
        at(5, 200, F1, FILE_READ, headers=A),
    ]
    found = two_answers(evidence(*probes))
    assert [two.text.partition("UTC. ")[2] for two in found] == [UNKNOWN_TO_2]


def by_backend(is_told: bool) -> Account:
    """An account of two backends, three requests each in turn: one does not know a key."""

    def replies(call: Call) -> Reply:
        number = (call.number - 1) // 3 % 2
        reply = healthy.reply(call)
        if number and call.key == "campaign":
            reply = json_reply(401, UNAUTHENTICATED)
        if not is_told:
            return reply
        return Reply(reply.status, reply.body, {**reply.headers, "X-Backend": f"app-{number + 1}"})

    healthy = Account()
    return Account(replies)


def test_the_verdict_names_the_backend_that_refuses_a_key_and_no_revoked_one():
    verdict = examined_account(by_backend(is_told=True)).verdict
    assert verdict.startswith("Not proved: Campaign API key. Accepted at ")
    assert verdict.endswith(UNKNOWN_TO_2)


def test_the_verdict_names_no_backend_without_a_header_and_no_revoked_key():
    verdict = examined_account(by_backend(is_told=False)).verdict
    assert verdict.startswith("Not proved: Campaign API key. Accepted at ")
    assert verdict.endswith(
        "and accepted later: one of several nodes may not know the key yet, or a gateway may "
        "refuse at times. Change nothing, and run this again later."
    )
