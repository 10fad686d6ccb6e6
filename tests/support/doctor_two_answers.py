"""Reads at their times, and what is said of two answers to one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from support.doctor_reads import (
    LIST_READ,
    SEGMENT_READ,
    error_body,
    evidence,
    probe,
)
from wes_provider.client.requests import Request
from wes_provider.doctor.reads.changes import Scope, TwoAnswers, two_answers
from wes_provider.doctor.replies.probes import Keys, Probe

PATH = "GET /v1/coupon-list/spring/files"
F1 = {"_id": "f1", "status": "SUCCESS"}


def at(
    second: int, status: int, body: Any = None, request: Request = LIST_READ, **more: Any
) -> Probe:
    """A read at 00:00 and some seconds."""
    return probe(status, body, request=request, sent_at=float(second), **more)


def listing(second: int, *files: dict[str, str], **more: Any) -> Probe:
    return at(second, 200, list(files), **more)


def refused(second: int, request: Request = LIST_READ, **more: Any) -> Probe:
    return at(second, 401, error_body("no-key", "x"), request, **more)


FINE = listing(1, F1)
MADE_UP = refused(2, keys=Keys.MADE_UP)
LIST_REFUSED, SEGMENT_REFUSED = refused(3), refused(4, SEGMENT_READ)
SEGMENT_FINE = at(1, 404, error_body("not-found", "x"), SEGMENT_READ)
LOST = at(5, 503)
EXPIRED = error_body("a", "key has expired")
REPEATED = error_body("b", "an identical request")


class Answers(NamedTuple):
    """
    Answers to a request, and what is said of them.

    :ivar came: what came in which order; ``then``: what that means.
    """

    name: str
    answers: Sequence[Probe]
    came: str
    scope: Scope
    then: str
    others: Sequence[Probe] = ()
    sent: str = PATH
    who: str = "The service"


VERSIONS = (
    "Two versions of the service may reply, such as while a new one is put in place: change "
    "nothing, ask the service's support which one stays, and run this again later."
)
REVOKED = (
    "The key may be revoked, or not known to one of several nodes, or a gateway may refuse at "
    "times: check it in the service's dashboard, and run this again later."
)
NOT_FOUND = error_body("not-found", "no such list")


def check(row: Answers) -> None:
    """These two answers are found, and said so."""
    found = two_answers(evidence(*row.answers, *row.others))
    text = f"{row.who} gave two answers to the same request, {row.sent}: {row.came}. {row.then}"
    assert found == [TwoAnswers(list(row.answers), text, row.scope)]
