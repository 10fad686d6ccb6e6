"""
The own keys are locked out if all their last reads are refused (401, 403 or 423), one of these
requests was accepted before, and reads with made-up keys came before the first refusal: directly
before it, or the refused reads are with both keys. Lost reads and made-up keys afterwards change
nothing.

They are not locked out if the own key was refused from the beginning or before the made-up key,
too, if it is accepted at last, if no made-up key came before (a swapped one is none), if only
another request was accepted, if the request was only redirected before, or if the first refusal
says why, such as that the key has expired. The finding has the refusals since then, the number of
reads with made-up keys before, and the time and words of the first refusal. Each request that is
locked out is reported with it, also one that was never accepted, and no other request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_reads import (
    FILE_READ,
    SEGMENT_READ,
    error_body,
    evidence,
)
from support.doctor_two_answers import (
    EXPIRED,
    FINE,
    LIST_REFUSED,
    LOST,
    MADE_UP,
    SEGMENT_FINE,
    SEGMENT_REFUSED,
    at,
    refused,
)
from wes_provider.doctor.reads.changes import Scope, TwoAnswers, lockout, two_answers
from wes_provider.doctor.replies.probes import Keys, Probe


class Locked(NamedTuple):
    """Reads, and which of them are refused by a lock-out, after how many with made-up keys."""

    name: str
    probes: Sequence[Probe]
    refused: Sequence[int]
    made_up: int


class NotLocked(NamedTuple):
    """Reads that show no lock-out."""

    name: str
    probes: Sequence[Probe]


LOCKED_OUT = [
    Locked("the own key, after a made-up one", [FINE, MADE_UP, LIST_REFUSED], [2], 1),
    Locked("after two of them", [FINE, MADE_UP, MADE_UP, LIST_REFUSED], [3], 2),
    Locked("403", [FINE, MADE_UP, at(3, 403, error_body("a", "b"))], [2], 1),
    Locked("423", [FINE, MADE_UP, at(3, 423, error_body("a", "b"))], [2], 1),
    Locked(
        "the service says why only later",
        [FINE, SEGMENT_FINE, MADE_UP, LIST_REFUSED, at(4, 403, EXPIRED, SEGMENT_READ)],
        [3, 4],
        1,
    ),
    Locked("a read that is lost afterwards", [FINE, MADE_UP, LIST_REFUSED, LOST], [2], 1),
    Locked(
        "a read that is lost between two refusals",
        [FINE, MADE_UP, LIST_REFUSED, LOST, refused(6)],
        [2, 4],
        1,
    ),
    Locked(
        "a made-up key afterwards",
        [FINE, MADE_UP, LIST_REFUSED, refused(6, keys=Keys.MADE_UP)],
        [2],
        1,
    ),
    Locked(
        "not next to it, with both keys",
        [FINE, MADE_UP, LOST, LIST_REFUSED, SEGMENT_REFUSED],
        [3, 4],
        1,
    ),
    Locked(
        "two of them, of which one was accepted",
        [SEGMENT_FINE, MADE_UP, LIST_REFUSED, SEGMENT_REFUSED],
        [2, 3],
        1,
    ),
]
NOT_LOCKED_OUT = [
    NotLocked("nothing was read", []),
    NotLocked("nothing is refused", [FINE, MADE_UP, FINE]),
    NotLocked("the own key from the beginning", [MADE_UP, LIST_REFUSED]),
    NotLocked("404", [FINE, MADE_UP, at(3, 404, error_body("a", "b"))]),
    NotLocked("no made-up key", [FINE, LIST_REFUSED]),
    NotLocked("a made-up key after it", [FINE, LIST_REFUSED, MADE_UP]),
    NotLocked("swapped keys", [FINE, refused(2, keys=Keys.SWAPPED), LIST_REFUSED]),
    NotLocked("another request was accepted: of a segment", [SEGMENT_FINE, MADE_UP, LIST_REFUSED]),
    NotLocked(
        "another request was accepted: of a file",
        [at(1, 404, error_body("not-found", "x"), FILE_READ), MADE_UP, LIST_REFUSED],
    ),
    NotLocked("a redirect before", [at(1, 307, headers={"location": "/x"}), MADE_UP, LIST_REFUSED]),
    NotLocked("the service says why", [FINE, MADE_UP, at(3, 403, EXPIRED)]),
    NotLocked(
        "the service says why at first",
        [FINE, SEGMENT_FINE, MADE_UP, at(3, 403, EXPIRED), SEGMENT_REFUSED],
    ),
    NotLocked("it was accepted at last", [FINE, MADE_UP, LIST_REFUSED, FINE]),
    NotLocked("refused before, too", [FINE, LIST_REFUSED, MADE_UP, LIST_REFUSED]),
    NotLocked(
        "403 before, too, and another path without one",
        [
            at(1, 403, error_body("a", "b")),
            at(2, 403, error_body("a", "b"), SEGMENT_READ),
            at(3, 404, error_body("not-found", "x"), FILE_READ),
            MADE_UP,
            at(5, 403, error_body("a", "b"), SEGMENT_READ),
            at(6, 403, error_body("a", "b")),
        ],
    ),
    NotLocked(
        "not next to it, twice with one key", [FINE, MADE_UP, LOST, LIST_REFUSED, refused(6)]
    ),
    NotLocked("not next to it, with one key", [FINE, MADE_UP, LOST, LIST_REFUSED]),
]


@pytest.mark.parametrize("row", LOCKED_OUT, ids=[row.name for row in LOCKED_OUT])
def test_accepted_keys_are_locked_out_if_they_are_refused_since_made_up_ones_were_sent(row: Locked):
    """A lock-out has the refusals since then, and how many reads with made-up keys came before."""
    locked = lockout(evidence(*row.probes))
    assert locked is not None
    assert list(locked.refused) == [row.probes[number] for number in row.refused]
    assert locked.made_up == row.made_up


@pytest.mark.parametrize("row", NOT_LOCKED_OUT, ids=[row.name for row in NOT_LOCKED_OUT])
def test_no_key_is_locked_out_if_nothing_follows_a_made_up_key_or_anything_else_explains_it(
    row: NotLocked,
):
    assert lockout(evidence(*row.probes)) is None


LOCKED_OUT_TEXT = (
    "Since 00:00:03 UTC, after 1 read with made-up keys, the service refuses the own keys, too, "
    "which it accepted before (401 no-key: 'x'): it may lock an account after wrong keys, or the "
    "keys were revoked. Do not run this again at once: ask the service's support, or wait until "
    "tasks work."
)


def test_a_lock_out_is_said_with_its_first_refusal():
    locked = lockout(evidence(FINE, MADE_UP, LIST_REFUSED, refused(9, SEGMENT_READ)))
    assert locked is not None
    assert locked.text == LOCKED_OUT_TEXT


def test_a_request_that_is_locked_out_is_reported_with_the_lock_out():
    """Also one that was never accepted before."""
    probes = [FINE, MADE_UP, LIST_REFUSED, SEGMENT_REFUSED]
    assert two_answers(evidence(*probes)) == [
        TwoAnswers([FINE, LIST_REFUSED], LOCKED_OUT_TEXT, Scope.ALL),
        TwoAnswers([SEGMENT_REFUSED], LOCKED_OUT_TEXT, Scope.ALL),
    ]


def test_a_request_that_is_not_locked_out_is_not_reported():
    probes = [FINE, SEGMENT_FINE, MADE_UP, LIST_REFUSED]
    assert [two.answers for two in two_answers(evidence(*probes))] == [[FINE, LIST_REFUSED]]
