"""
If one request with the own keys gets two answers, the doctor quotes both with their times, in the
order in which they came: two as "at first" and "since", or "at" if another request succeeds later;
three or more in turn, of which the first three are named.

If one is a 401 or 403, the keys are in doubt: the key may be revoked if that comes last, or is not
known to a node yet if another comes last. A 404 and a success are of nodes that disagree. A page or
a redirect is of something between; a page that each of at least three replies since then is, with
whatever key, may keep this machine out. Words of one answer decide before that: an expired key asks
for a new one, a repeated request is no fault of a key. A 304 is of a cache. The first message that
is in another form than the contract's is quoted.

If two requests have the same reason by their words, it is said once; another reason is said, too,
and answers without telling words have none in common.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.doctor_reads import (
    FILE_READ,
    NOWHERE_READ,
    SEGMENT_READ,
    error_body,
    evidence,
)
from support.doctor_two_answers import (
    EXPIRED,
    F1,
    FINE,
    LIST_REFUSED,
    NOT_FOUND,
    PATH,
    REPEATED,
    REVOKED,
    Answers,
    at,
    check,
    listing,
    refused,
)
from wes_provider.doctor.reads.changes import Scope, two_answers
from wes_provider.doctor.replies.probes import Keys

BOTH = "The service and something before it"
DISAGREE = (
    "Several nodes may disagree, so neither the key nor a path is shown to be wrong: run this "
    "again later, or ask the service's support."
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
BLOCKED = "<html><body><p>Go away</p></body></html>"
TITLED = "<html><title>Away</title><p>Later</p>"
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
        KNOWN_LATER,
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
        [at(3, 403, error_body("a", "b")), listing(4, F1)],
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
            at(2, 401, error_body("no-key", "x"), NOWHERE_READ),
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
        "a page in the second read, and pages and an answer in turn since then",
        [FINE, at(2, 200, BLOCKED)],
        f"{ACCEPTED}a web page that is not the service's (200) at 00:00:02 UTC",
        Scope.ALL,
        "3 of 5 replies were such a page, in turn with those of the service: one of several nodes "
        "behind the Address may not have it. Change nothing, and ask whoever runs it to take that "
        "node out.",
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
    answers = [FINE, LIST_REFUSED, FILE_TWICE[0], at(4, 401, error_body("no-key", "x"), FILE_READ)]
    first, second = two_answers(evidence(*answers))
    assert REVOKED in first.text
    assert REVOKED in second.text


def test_the_first_message_that_is_no_documented_error_is_quoted():
    first = at(1, 404, {"message": "gone"})
    second = at(2, 403, {"message": "no"})
    (two,) = two_answers(evidence(first, second))
    assert two.text == (
        f"The service gave two answers to the same request, {PATH}: 404 at first, 403 since "
        f"00:00:02 UTC. With 404 came 'gone'. {REVOKED}"
    )


def test_an_error_whose_body_broke_off_is_no_second_answer():
    """What the body would have said is not known: the doctor's own deadline may have ended it."""
    whole = at(0, 404, error_body("not-found", "x"))
    cut = at(3, 404, b"")
    cut = replace(cut, response=cut.response._replace(is_whole=False))
    assert two_answers(evidence(whole, cut)) == []
    assert two_answers(evidence(whole, at(3, 404, b""))) != []
