"""One request with two answers, and keys that are refused since made-up ones were sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import (
    FILE_READ,
    LIST_READ,
    NOWHERE_READ,
    SEGMENT_READ,
    error,
    evidence,
    probe,
)
from wes_provider.client.requests import Request
from wes_provider.doctor.changes import Scope, TwoAnswers, lockout, two_answers
from wes_provider.doctor.probes import Keys, Probe, Question

PATH = "GET /v1/coupon-list/spring/files"
F1 = {"_id": "f1", "status": "SUCCESS"}
F2 = {"_id": "f2", "status": "SUCCESS"}
F3 = {"_id": "f3", "status": "SUCCESS"}


def at(
    second: int, status: int, body: Any = None, request: Request = LIST_READ, **more: Any
) -> Probe:
    """A read at 00:00 and some seconds."""
    return probe(status, body, request=request, sent_at=float(second), **more)


def listing(second: int, *files: dict[str, str], **more: Any) -> Probe:
    return at(second, 200, list(files), **more)


def refused(second: int, request: Request = LIST_READ, **more: Any) -> Probe:
    return at(second, 401, error("no-key", "x"), request, **more)


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


FINE = listing(1, F1)
MADE_UP = refused(2, keys=Keys.MADE_UP)
LIST_REFUSED, SEGMENT_REFUSED = refused(3), refused(4, SEGMENT_READ)
SEGMENT_FINE = at(1, 404, error("not-found", "x"), SEGMENT_READ)
LOST = at(5, 503)
EXPIRED = error("a", "key has expired")
REPEATED = error("b", "an identical request")
LOCKED_OUT = [
    Locked("the own key, after a made-up one", [FINE, MADE_UP, LIST_REFUSED], [2], 1),
    Locked("after two of them", [FINE, MADE_UP, MADE_UP, LIST_REFUSED], [3], 2),
    Locked("403", [FINE, MADE_UP, at(3, 403, error("a", "b"))], [2], 1),
    Locked("423", [FINE, MADE_UP, at(3, 423, error("a", "b"))], [2], 1),
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
    NotLocked("404", [FINE, MADE_UP, at(3, 404, error("a", "b"))]),
    NotLocked("no made-up key", [FINE, LIST_REFUSED]),
    NotLocked("a made-up key after it", [FINE, LIST_REFUSED, MADE_UP]),
    NotLocked("swapped keys", [FINE, refused(2, keys=Keys.SWAPPED), LIST_REFUSED]),
    NotLocked("another request was accepted: of a segment", [SEGMENT_FINE, MADE_UP, LIST_REFUSED]),
    NotLocked(
        "another request was accepted: of a file",
        [at(1, 404, error("not-found", "x"), FILE_READ), MADE_UP, LIST_REFUSED],
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


BOTH = "The service and something before it"
VERSIONS = (
    "Two versions of the service may reply, such as while a new one is put in place: change "
    "nothing, ask the service's support which one stays, and run this again later."
)
BEHIND = (
    "One of several nodes may be behind, and then a task may not find its upload in the list: run "
    "this again later, or tell the service's support which replies differ."
)
DISAGREE = (
    "Several nodes may disagree, so neither the key nor a path is shown to be wrong: run this "
    "again later, or ask the service's support."
)
REVOKED = (
    "The key may be revoked, or not known to one of several nodes, or a gateway may refuse at "
    "times: check it in the service's dashboard, and run this again later."
)
KNOWN_LATER = (
    "One of several nodes may not know the key yet, such as after a new one was made, or a gateway "
    "may refuse at times: wait, change nothing, and run this again later."
)
PROXY = (
    "A proxy or a gateway may reply at times: run this again later, or check what is between you "
    "and the service."
)
ACCEPTED = "accepted (200) at first, "
NOT_FOUND = error("not-found", "no such list")
BLOCKED = "<html><body><p>Go away</p></body></html>"
TITLED = "<html><title>Away</title><p>Later</p>"


def check(row: Answers) -> None:
    """These two answers are found, and said so."""
    found = two_answers(evidence(*row.answers, *row.others))
    text = f"{row.who} gave two answers to the same request, {row.sent}: {row.came}. {row.then}"
    assert found == [TwoAnswers(list(row.answers), text, row.scope)]


KEYS = [
    Answers(
        "accepted, then refused",
        [FINE, LIST_REFUSED],
        f"{ACCEPTED}refused (401 no-key) since 00:00:03 UTC",
        Scope.KEYS,
        REVOKED,
    ),
    Answers(
        "refused, while others are accepted later",
        [FINE, LIST_REFUSED],
        f"{ACCEPTED}refused (401 no-key) at 00:00:03 UTC",
        Scope.KEYS,
        REVOKED,
        [at(9, 200, F1, FILE_READ)],
    ),
    Answers(
        "refused, while others are accepted later with a made-up key",
        [FINE, LIST_REFUSED],
        f"{ACCEPTED}refused (401 no-key) since 00:00:03 UTC",
        Scope.KEYS,
        REVOKED,
        [at(9, 200, F1, FILE_READ, keys=Keys.MADE_UP)],
    ),
    Answers(
        "refused, while others are not found later",
        [FINE, LIST_REFUSED],
        f"{ACCEPTED}refused (401 no-key) since 00:00:03 UTC",
        Scope.KEYS,
        REVOKED,
        [at(9, 404, NOT_FOUND, FILE_READ)],
    ),
    Answers(
        "refused, then accepted",
        [LIST_REFUSED, listing(4, F1), listing(5, F1)],
        "refused (401 no-key) at first, accepted (200) since 00:00:04 UTC",
        Scope.KEYS,
        KNOWN_LATER,
    ),
    Answers(
        "forbidden in words of no meaning, then accepted",
        [at(3, 403, error("a", "b")), listing(4, F1)],
        "403 a at first, accepted (200) since 00:00:04 UTC",
        Scope.KEYS,
        KNOWN_LATER,
    ),
    Answers(
        "not there, then there",
        [at(3, 404, NOT_FOUND), listing(4, F1)],
        "404 not-found at first, accepted (200) since 00:00:04 UTC",
        Scope.PATHS,
        DISAGREE,
    ),
    Answers(
        "a request with a made-up path",
        [
            at(1, 404, NOT_FOUND, NOWHERE_READ),
            at(2, 401, error("no-key", "x"), NOWHERE_READ),
        ],
        "404 not-found at first, refused (401 no-key) since 00:00:02 UTC",
        Scope.KEYS,
        REVOKED,
        sent="GET /v1/no-such-path/spring",
    ),
]


@pytest.mark.parametrize("row", KEYS, ids=[row.name for row in KEYS])
def test_two_answers_of_which_one_is_a_refusal_or_a_404_are_said_with_what_may_disagree(
    row: Answers,
):
    check(row)


PAGES = [
    Answers(
        "a page since the second read",
        [FINE, at(2, 404, "<html>"), at(3, 404, "<html>")],
        f"{ACCEPTED}a web page that is not the service's (404) since 00:00:02 UTC",
        Scope.ALL,
        PROXY,
        who=BOTH,
    ),
    Answers(
        "a page since the second read, and two others got one",
        [FINE, at(2, 200, BLOCKED)],
        f"{ACCEPTED}a web page that is not the service's (200) since 00:00:02 UTC",
        Scope.ALL,
        "All 3 replies since then were such a page ('Go away'), so it may keep this machine out "
        "after some requests: do not run this again at once, and ask whoever runs what is before "
        "the service to let this machine through.",
        [at(3, 200, BLOCKED, FILE_READ), at(4, 200, BLOCKED, SEGMENT_READ, keys=Keys.MADE_UP)],
        who=BOTH,
    ),
    Answers(
        "a page with a title since the second read, and two others got one",
        [FINE, at(2, 200, TITLED)],
        f"{ACCEPTED}a web page that is not the service's (200) since 00:00:02 UTC",
        Scope.ALL,
        "With 200 came 'Away'. All 3 replies since then were such a page, so it may keep this "
        "machine out after some requests: do not run this again at once, and ask whoever runs what "
        "is before the service to let this machine through.",
        [at(3, 200, TITLED, FILE_READ), at(4, 200, TITLED, FILE_READ)],
        who=BOTH,
    ),
    Answers(
        "a page since the second read, two others got one, and one got no response",
        [FINE, at(2, 200, BLOCKED)],
        f"{ACCEPTED}a web page that is not the service's (200) since 00:00:02 UTC",
        Scope.ALL,
        "All 3 replies since then were such a page ('Go away'), so it may keep this machine out "
        "after some requests: do not run this again at once, and ask whoever runs what is before "
        "the service to let this machine through.",
        [
            at(3, 200, BLOCKED, FILE_READ),
            at(4, 0, None, SEGMENT_READ),
            at(5, 200, BLOCKED, FILE_READ),
        ],
        who=BOTH,
    ),
    Answers(
        "a page since the second read, and one other got one",
        [FINE, at(2, 200, BLOCKED)],
        f"{ACCEPTED}a web page that is not the service's (200) since 00:00:02 UTC",
        Scope.ALL,
        PROXY,
        [at(3, 200, BLOCKED, FILE_READ)],
        who=BOTH,
    ),
    Answers(
        "a page since the second read, and one of three others got an answer",
        [FINE, at(2, 200, BLOCKED)],
        f"{ACCEPTED}a web page that is not the service's (200) since 00:00:02 UTC",
        Scope.ALL,
        PROXY,
        [
            at(3, 200, BLOCKED, FILE_READ),
            at(4, 404, NOT_FOUND, SEGMENT_READ),
            at(5, 200, BLOCKED, FILE_READ),
        ],
        who=BOTH,
    ),
    Answers(
        "a page with words",
        [FINE, at(2, 404, "<title>Sorry.</title>")],
        f"{ACCEPTED}a web page that is not the service's (404) since 00:00:02 UTC",
        Scope.ALL,
        f"With 404 came 'Sorry'. {PROXY}",
        who=BOTH,
    ),
    Answers(
        "a redirect",
        [FINE, at(2, 307, headers={"location": "/x"})],
        f"{ACCEPTED}a redirect (307) since 00:00:02 UTC",
        Scope.ALL,
        PROXY,
    ),
    Answers(
        "refused and a page",
        [LIST_REFUSED, at(4, 404, "<html>")],
        "refused (401 no-key) at first, a web page that is not the service's (404) since 00:00:04 "
        "UTC",
        Scope.ALL,
        PROXY,
        who=BOTH,
    ),
]


@pytest.mark.parametrize("row", PAGES, ids=[row.name for row in PAGES])
def test_a_page_or_a_redirect_among_two_answers_is_said_to_be_of_something_between(row: Answers):
    check(row)


IN_TURN = [
    Answers(
        "in turn",
        [FINE, LIST_REFUSED, listing(4, F1)],
        "accepted (200) at 00:00:01, then refused (401 no-key) at 00:00:03, then accepted (200) at "
        "00:00:04 UTC",
        Scope.KEYS,
        KNOWN_LATER,
    ),
    Answers(
        "in turn at once",
        [listing(3, F1), LIST_REFUSED, listing(3, F1)],
        "accepted (200), then refused (401 no-key), then accepted (200), at 00:00:03 UTC",
        Scope.KEYS,
        KNOWN_LATER,
    ),
    Answers(
        "in turn, often",
        [FINE, LIST_REFUSED, listing(4, F1), refused(5)],
        "accepted (200) at 00:00:01, then refused (401 no-key) at 00:00:03, then accepted (200) at "
        "00:00:04 UTC, and so on",
        Scope.KEYS,
        REVOKED,
    ),
]


@pytest.mark.parametrize("row", IN_TURN, ids=[row.name for row in IN_TURN])
def test_answers_that_come_in_turn_are_said_with_the_times_of_the_first_three(row: Answers):
    check(row)


BY_WORDS = [
    Answers(
        "forbidden since the key has expired, by the words",
        [FINE, at(3, 403, EXPIRED)],
        f"{ACCEPTED}refused (403 a) since 00:00:03 UTC",
        Scope.KEYS,
        "With 403 came 'key has expired'. Make a new key, or have its time extended, and put it in.",
    ),
    Answers(
        "304, which nothing asked for",
        [FINE, at(3, 304, b"", headers={"age": "3"})],
        f"{ACCEPTED}304 without a body since 00:00:03 UTC",
        Scope.ALL,
        "304 says that nothing has changed since an earlier reply, but no read asked for that, so "
        "a cache on the way may have replied (Age: 3). Change neither address nor keys: ask "
        "whoever runs it to leave the service out of the cache.",
        who=BOTH,
    ),
    Answers(
        "refused as the same as before, by the words",
        [FINE, at(3, 409, REPEATED)],
        f"{ACCEPTED}409 b since 00:00:03 UTC",
        Scope.PATHS,
        "With 409 came 'an identical request'. It is no fault of a key or a path: a request is "
        "refused that is the same as one before it. Tasks repeat reads, so ask the service's "
        "support, or whoever runs the gateway, to take reads out of that.",
    ),
]


@pytest.mark.parametrize("row", BY_WORDS, ids=[row.name for row in BY_WORDS])
def test_words_of_one_of_two_answers_decide_what_to_do(row: Answers):
    check(row)


SHAPES = [
    Answers(
        "two shapes",
        [listing(1, F1), listing(2, {**F1, "n": "1"})],
        "1 object without n at first, 1 object with n since 00:00:02 UTC",
        Scope.SHAPES,
        VERSIONS,
    ),
    Answers(
        "two versions",
        [
            listing(1, F1, headers={"x-version": "1"}),
            listing(2, {**F1, "n": "1"}, headers={"x-version": "2"}),
        ],
        "1 object without n [X-Version: 1] at first, 1 object with n [X-Version: 2] since 00:00:02 "
        "UTC",
        Scope.SHAPES,
        VERSIONS,
    ),
]


@pytest.mark.parametrize("row", SHAPES, ids=[row.name for row in SHAPES])
def test_two_shapes_of_a_list_may_be_of_two_versions_whose_header_is_said(row: Answers):
    check(row)


LESS_FILES = [
    Answers(
        "a file less",
        [listing(1, F1, F2), listing(2, F2)],
        "200 with 2 files at first, 200 with 1 file, without f1 since 00:00:02 UTC",
        Scope.FILES,
        BEHIND,
    ),
    Answers(
        "another file",
        [listing(1, F1), listing(2, F2)],
        "200 with 1 file, without f2 at first, 200 with 1 file, without f1 since 00:00:02 UTC",
        Scope.FILES,
        BEHIND,
    ),
    Answers(
        "no file",
        [listing(1, F1), listing(2)],
        "200 with 1 file at first, 200 with no file since 00:00:02 UTC",
        Scope.FILES,
        BEHIND,
    ),
    Answers(
        "two files less",
        [listing(1, F1, F2, F3), listing(2, F3)],
        "200 with 3 files at first, 200 with 1 file, without f1, f2 since 00:00:02 UTC",
        Scope.FILES,
        BEHIND,
    ),
    Answers(
        "a file less than between",
        [listing(1, F1), listing(2, F1, F2), listing(3, F1)],
        "200 with 1 file, without f2 at 00:00:01, then 200 with 2 files at 00:00:02, then 200 with "
        "1 file, without f2 at 00:00:03 UTC",
        Scope.FILES,
        BEHIND,
    ),
]


@pytest.mark.parametrize("row", LESS_FILES, ids=[row.name for row in LESS_FILES])
def test_a_list_that_lacks_a_file_it_had_or_has_later_in_turn_is_of_a_node_that_is_behind(
    row: Answers,
):
    check(row)


FILE_TWICE = [at(1, 200, F1, FILE_READ), at(4, 409, REPEATED, FILE_READ)]


def test_a_reason_that_words_name_is_said_once_if_two_requests_have_it():
    first, second = two_answers(evidence(FINE, at(3, 409, REPEATED), *FILE_TWICE))
    assert "It is no fault of a key or a path" in first.text
    assert second.text == (
        f"Two answers to {FILE_TWICE[0].sent}, too, for the same reason: accepted (200) at first, "
        "409 b since 00:00:04 UTC."
    )


def test_another_reason_of_a_second_request_is_said():
    answers = [FINE, at(3, 403, EXPIRED), *FILE_TWICE]
    first, second = two_answers(evidence(*answers))
    assert "Make a new key" in first.text
    assert "It is no fault of a key or a path" in second.text


def test_an_answer_without_telling_words_has_no_reason_in_common_with_another_one():
    answers = [FINE, LIST_REFUSED, FILE_TWICE[0], at(4, 401, error("no-key", "x"), FILE_READ)]
    first, second = two_answers(evidence(*answers))
    assert REVOKED in first.text
    assert REVOKED in second.text


class Alike(NamedTuple):
    """Reads that are no two answers."""

    name: str
    probes: Sequence[Probe]


ALIKE = [
    Alike("none", []),
    Alike("one", [FINE]),
    Alike("two alike", [FINE, listing(2, F1)]),
    Alike("a file more", [listing(1, F1), listing(2, F1, F2)]),
    Alike("of two requests", [FINE, SEGMENT_REFUSED]),
    Alike("with another key", [FINE, MADE_UP]),
    Alike("of which one is lost", [FINE, LOST]),
    Alike("with other words", [at(1, 404, error("a", "b")), at(2, 404, error("a", "c"))]),
    Alike(
        "with parts of a list",
        [at(1, 200, {"data": [F1, F2], "total": 9}), at(2, 200, {"data": [F2], "total": 9})],
    ),
    Alike("of which one is a part", [listing(1, F1), at(2, 200, [F2], headers={"x-total": "9"})]),
    Alike(
        "of one file, whose replies are lists",
        [at(1, 200, [F1, F2], FILE_READ), at(2, 200, [F2], FILE_READ)],
    ),
    Alike("of one file", [at(1, 200, F1, FILE_READ), at(2, 200, F1, FILE_READ)]),
]


@pytest.mark.parametrize("row", ALIKE, ids=[row.name for row in ALIKE])
def test_answers_that_are_alike_of_two_requests_or_parts_of_a_list_are_no_two_answers(row: Alike):
    assert two_answers(evidence(*row.probes)) == []


class Followed(NamedTuple):
    """Reads of a file that is followed."""

    name: str
    bodies: Sequence[Any]


OLD = {"_id": "f1", "status": "PENDING", "a": 1}
NEW = {"_id": "f1", "status": "PENDING", "b": 1}
FOLLOWED = [
    Followed("it does not change", [OLD, OLD, OLD]),
    Followed("it changes once", [OLD, OLD, NEW, NEW]),
]


def followed(bodies: Sequence[Any]) -> list[Probe]:
    """A read of the file for each body, a second after the one before."""
    return [
        at(second, 200, body, FILE_READ, question=Question.FOLLOW)
        for second, body in enumerate(bodies)
    ]


@pytest.mark.parametrize("row", FOLLOWED, ids=[row.name for row in FOLLOWED])
def test_a_file_that_is_followed_may_change_its_shape_once(row: Followed):
    """And may be gone in the end."""
    gone = at(9, 404, NOT_FOUND, FILE_READ)
    assert two_answers(evidence(), [*followed(row.bodies), gone]) == []


def test_a_file_that_is_followed_and_changes_in_turn_has_two_answers():
    """Of its reads that succeeded; that it is gone in the end is no answer."""
    reads = followed([OLD, NEW, OLD])
    found = two_answers(evidence(), [*reads, at(9, 404, NOT_FOUND, FILE_READ)])
    text = (
        f"The service gave two answers to the same request, {PATH}/f1: an object with a at "
        "00:00:00, then an object with b at 00:00:01, then an object with a at 00:00:02 UTC. "
        f"{VERSIONS}"
    )
    assert found == [TwoAnswers(reads, text, Scope.SHAPES)]


def test_reads_come_before_what_was_followed():
    found = two_answers(evidence(FINE, LIST_REFUSED), followed([OLD, NEW, OLD]))
    assert [two.scope for two in found] == [Scope.KEYS, Scope.SHAPES]


def test_two_answers_to_a_read_of_the_list_are_about_the_list_and_of_no_shapes():
    (two,) = two_answers(evidence(FINE, LIST_REFUSED))
    assert two.is_about_list
    assert not two.is_of_shapes


def test_two_shapes_of_a_file_are_of_shapes_and_not_about_the_list():
    (two,) = two_answers(evidence(), followed([OLD, NEW, OLD]))
    assert two.is_of_shapes
    assert not two.is_about_list


def test_the_first_message_that_is_no_documented_error_is_quoted():
    first = at(1, 404, {"message": "gone"})
    second = at(2, 403, {"message": "no"})
    (two,) = two_answers(evidence(first, second))
    assert two.text == (
        f"The service gave two answers to the same request, {PATH}: 404 at first, 403 since "
        f"00:00:02 UTC. With 404 came 'gone'. {REVOKED}"
    )
