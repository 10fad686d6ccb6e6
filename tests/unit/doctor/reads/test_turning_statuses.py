"""
The status of a file turns if it comes again after another one, or becomes another one after it was
final. It does not if it becomes final, or goes from one that is not final to another one.

A final status that becomes a pending one is of a node that is *behind*. If the counts of coupons
that all replies have are the same, or the reason is, the statuses may be *two words* for one state,
unless lists name them otherwise, or only one has a reason. Else the replies are *apart*; so they
are if one has no status.

What came is said in its order, with a header that tells the two statuses apart, the first time. Of
a file with further statuses, the first two that change into each other are named; all of them, if
none does. A status that no list has is the twin of a known one if they are two words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_two_answers import listing
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.reads.turning_statuses import (
    Turn,
    TurningStatus,
    turning_statuses,
    twins_of,
)
from wes_provider.doctor.replies.probes import Probe

NONE: Mapping[str, Any] = {"coupons_added": 0}
FIVE: Mapping[str, Any] = {"coupons_added": 5}
REASON: Mapping[str, Any] = {"error": "no header"}


class Seen(NamedTuple):
    """A file as one reply after the other has it."""

    status: str
    has: Mapping[str, Any] = NONE


def replies(*seen: Seen, headers: Sequence[Mapping[str, str]] = ()) -> list[Probe]:
    """A list for each sight of a file, a second after the one before."""
    made = []
    for second, (status, has) in enumerate(seen):
        of_reply: Mapping[str, str] = {}
        if headers:
            of_reply = headers[second]
        made.append(listing(second, {"_id": "f1", "status": status, **has}, headers=of_reply))
    return made


def turning_of(*seen: Seen) -> list[TurningStatus]:
    return turning_statuses(replies(*seen), Statuses())


class Going(NamedTuple):
    """The statuses of a file that goes on."""

    statuses: str


GOING_ON = [
    Going("SUCCESS"),
    Going("SUCCESS SUCCESS"),
    Going("PENDING SUCCESS"),
    Going("PENDING FAILED"),
    Going("PENDING PROCESSING SUCCESS"),
    Going("PENDING ODD"),
    Going("ODD SUCCESS"),
    Going("ODD STRANGE"),
]


@pytest.mark.parametrize("row", GOING_ON, ids=[row.statuses for row in GOING_ON])
def test_the_status_of_a_file_that_goes_on_does_not_turn(row: Going):
    assert turning_of(*map(Seen, row.statuses.split())) == []


def test_the_status_of_a_file_that_gets_its_first_one_does_not_turn():
    assert turning_of(Seen(""), Seen("PENDING"), Seen("SUCCESS", FIVE)) == []


class Turning(NamedTuple):
    """A file whose status turns, and why it may."""

    name: str
    seen: Sequence[Seen]
    turn: Turn


TURNING = [
    Turning("a success is pending", [Seen("SUCCESS", FIVE), Seen("PENDING")], Turn.BEHIND),
    Turning("a failure is pending", [Seen("FAILED"), Seen("PENDING")], Turn.BEHIND),
    Turning(
        "a success is pending, with the same counts",
        [Seen("SUCCESS"), Seen("PENDING")],
        Turn.BEHIND,
    ),
    Turning(
        "a success is pending after it was so",
        [Seen("PENDING"), Seen("SUCCESS"), Seen("PENDING")],
        Turn.BEHIND,
    ),
    Turning("the same counts", [Seen("SUCCESS", FIVE), Seen("ODD", FIVE)], Turn.TWO_WORDS),
    Turning("the same reason", [Seen("FAILED", REASON), Seen("ODD", REASON)], Turn.TWO_WORDS),
    Turning(
        "the same counts, and reasons in two languages",
        [Seen("FAILED", {**NONE, **REASON}), Seen("ODD", {**NONE, "error": "Kopfzeile fehlt"})],
        Turn.TWO_WORDS,
    ),
    Turning(
        "unknown in turn, with the same counts",
        [Seen("ODD"), Seen("STRANGE"), Seen("ODD")],
        Turn.TWO_WORDS,
    ),
    Turning(
        "in turn before it ends",
        [Seen("PENDING"), Seen("ODD"), Seen("PENDING"), Seen("ODD"), Seen("SUCCESS", FIVE)],
        Turn.TWO_WORDS,
    ),
    Turning(
        "the same counts, of which one has more",
        [Seen("SUCCESS", FIVE), Seen("ODD", {**FIVE, "coupons_duplicate": 1})],
        Turn.TWO_WORDS,
    ),
    Turning(
        "counts of two names", [Seen("SUCCESS", FIVE), Seen("ODD", {"imported": 5})], Turn.APART
    ),
    Turning("other counts", [Seen("SUCCESS", FIVE), Seen("ODD")], Turn.APART),
    Turning("no status after a final one", [Seen("SUCCESS", FIVE), Seen("", FIVE)], Turn.APART),
    Turning("no status between two", [Seen("PENDING"), Seen(""), Seen("PENDING")], Turn.APART),
    Turning("no counts", [Seen("SUCCESS", {}), Seen("ODD", {})], Turn.APART),
    Turning("another reason", [Seen("FAILED", REASON), Seen("ODD", {"error": "x"})], Turn.APART),
    Turning(
        "one has a reason", [Seen("FAILED", {**NONE, **REASON}), Seen("ODD", NONE)], Turn.APART
    ),
    Turning("named otherwise", [Seen("SUCCESS", FIVE), Seen("FAILED", FIVE)], Turn.APART),
    Turning(
        "other counts when it comes again",
        [Seen("ODD"), Seen("STRANGE"), Seen("ODD", FIVE)],
        Turn.APART,
    ),
    Turning(
        "in a circle",
        [Seen("ODD"), Seen("STRANGE"), Seen("NEW"), Seen("ODD")],
        Turn.APART,
    ),
]


@pytest.mark.parametrize("row", TURNING, ids=[row.name for row in TURNING])
def test_a_status_that_comes_again_or_follows_a_final_one_turns(row: Turning):
    assert [each.turn for each in turning_of(*row.seen)] == [row.turn]


class Came(NamedTuple):
    """Statuses and their headers, and what is said of them."""

    name: str
    statuses: str
    came: str
    headers: Sequence[Mapping[str, str]] = ()


ENGLISH, GERMAN = {"content-language": "en"}, {"content-language": "de"}
CAME = [
    Came(
        "two",
        "SUCCESS ODD",
        "SUCCESS at 00:00:00, then ODD at 00:00:01 UTC",
    ),
    Came(
        "in turn, with a header that tells them apart",
        "SUCCESS ODD SUCCESS",
        "SUCCESS [Content-Language: en] at 00:00:00, then ODD [Content-Language: de] at 00:00:01, "
        "then SUCCESS at 00:00:02 UTC",
        [ENGLISH, GERMAN, ENGLISH],
    ),
    Came(
        "with a header that does not",
        "SUCCESS ODD SUCCESS",
        "SUCCESS at 00:00:00, then ODD at 00:00:01, then SUCCESS at 00:00:02 UTC",
        [ENGLISH, GERMAN, GERMAN],
    ),
    Came(
        "with a further status before them",
        "PENDING SUCCESS ODD",
        "SUCCESS at 00:00:01, then ODD at 00:00:02 UTC",
    ),
    Came(
        "in a circle",
        "A B C A",
        "A at 00:00:00, then B at 00:00:01, then C at 00:00:02 UTC, and so on",
    ),
]


@pytest.mark.parametrize("row", CAME, ids=[row.name for row in CAME])
def test_statuses_that_turn_are_said_in_their_order_with_a_header(row: Came):
    seen = replies(*map(Seen, row.statuses.split()), headers=row.headers)
    (turning,) = turning_statuses(seen, Statuses())
    assert turning.came == row.came


class Twins(NamedTuple):
    """A file whose status turns, and the known status that each unknown one says, too."""

    name: str
    seen: Sequence[Seen]
    twins: Mapping[str, str]


TWINS = [
    Twins("of a success", [Seen("SUCCESS", FIVE), Seen("ODD", FIVE)], {"ODD": "SUCCESS"}),
    Twins("both are known", [Seen("SUCCESS", FIVE), Seen("DONE", FIVE)], {}),
    Twins("none is known", [Seen("A"), Seen("B"), Seen("A")], {}),
    Twins("they are apart", [Seen("SUCCESS", FIVE), Seen("ODD", NONE)], {}),
]


@pytest.mark.parametrize("row", TWINS, ids=[row.name for row in TWINS])
def test_an_unknown_status_is_the_twin_of_a_known_one_if_they_are_two_words(row: Twins):
    assert twins_of(turning_of(*row.seen), Statuses()) == row.twins
