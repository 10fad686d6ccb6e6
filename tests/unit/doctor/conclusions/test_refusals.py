"""
Some reads are refused for a reason of the service's own words, about this machine, a maintenance,
the clock or a quota.

A use of the service (coupon lists, coupon files, segments) is told from those that work if it is
always refused, and another one gets an answer with the own keys; answers to made-up paths, lists
and keys do not count. Without lists, files do not work. A key that no reply accepts or refuses is
not judged.

One finding about the Account, and one about Rate limits for a quota, say how many reads were
refused and by what code. It is wrong if each error has the form of the contract, and is not about a
maintenance or a quota, else *Not proved*. If the same request was answered at other times, and it
is about this machine, it may have several addresses. A quota that refuses the last requests of two
kinds is said by the row of limits alone. A key is not judged, with where to look, if its last lost
read has such words; how many reads got the same code is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest

from support.doctor_findings import NOT_FOUND, UNAUTHENTICATED
from support.doctor_reads import FILE_READ, SEGMENT_READ, error_body, evidence, probe
from wes_provider.doctor.conclusions.refusals import (
    Parts,
    conclude_on_refusals,
    parts_of,
    why_not_judged,
)
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.replies.probes import Keys, Probe, Question

MACHINE = error_body("ip-denied", "IP 203.0.113.7 is not on the allow-list")
QUOTA = error_body("quota", "Monthly quota exceeded")
FINE_LIST = probe(200, [])
FINE_FILE = probe(200, {"_id": "f1"}, question=Question.FILE_PATH, request=FILE_READ)
NO_SUCH_SEGMENT = probe(404, NOT_FOUND, question=Question.DATA_KEY, request=SEGMENT_READ)
LIST_KEPT_OUT = probe(403, MACHINE)
FILE_KEPT_OUT = probe(403, MACHINE, question=Question.FILE_PATH, request=FILE_READ)
SEGMENT_KEPT_OUT = probe(403, MACHINE, question=Question.DATA_KEY, request=SEGMENT_READ)
KEY_REFUSED = probe(401, UNAUTHENTICATED, question=Question.DATA_KEY, request=SEGMENT_READ)


class Uses(NamedTuple):
    """
    Reads, and which uses of the service are refused, and which work; ``None`` if no use is told
    from the others.

    :ivar refused: the reads that the service refuses for a reason of its own.
    """

    name: str
    probes: Sequence[Probe]
    refused: Sequence[Probe]
    parts: Parts | None


SEGMENTS = "segments (/v3)"
TOLD = [
    Uses(
        "segments",
        [FINE_LIST, SEGMENT_KEPT_OUT],
        [SEGMENT_KEPT_OUT],
        Parts(SEGMENTS, "coupon lists", ["Data API key"]),
    ),
    Uses(
        "segments, and files were read",
        [FINE_FILE, FINE_LIST, SEGMENT_KEPT_OUT],
        [SEGMENT_KEPT_OUT],
        Parts(SEGMENTS, "coupon lists and coupon files", ["Data API key"]),
    ),
    Uses(
        "lists",
        [LIST_KEPT_OUT, NO_SUCH_SEGMENT],
        [LIST_KEPT_OUT],
        Parts("coupon lists and coupon files", SEGMENTS, ["Campaign API key"]),
    ),
    Uses(
        "files",
        [FINE_LIST, FILE_KEPT_OUT, NO_SUCH_SEGMENT],
        [FILE_KEPT_OUT],
        Parts("coupon files", "coupon lists and segments (/v3)", []),
    ),
    Uses(
        "files, and a segment for its key, which is another reason",
        [FINE_LIST, FILE_KEPT_OUT, KEY_REFUSED],
        [FILE_KEPT_OUT],
        Parts("coupon files", "coupon lists", []),
    ),
]


@pytest.mark.parametrize("row", TOLD, ids=[row.name for row in TOLD])
def test_a_use_that_is_always_refused_is_told_from_those_that_get_an_answer(row: Uses):
    assert parts_of(evidence(*row.probes), row.refused) == row.parts


NOT_TOLD = [
    Uses("nothing", [], [], None),
    Uses("all", [LIST_KEPT_OUT, SEGMENT_KEPT_OUT], [LIST_KEPT_OUT, SEGMENT_KEPT_OUT], None),
    Uses("none", [FINE_LIST, NO_SUCH_SEGMENT], [], None),
    Uses("lists at times", [FINE_LIST, LIST_KEPT_OUT], [LIST_KEPT_OUT], None),
    Uses(
        "answers to a made-up path alone",
        [replace(FINE_LIST, question=Question.NO_SUCH_PATH), SEGMENT_KEPT_OUT],
        [SEGMENT_KEPT_OUT],
        None,
    ),
    Uses(
        "answers to a made-up list alone",
        [replace(FINE_LIST, question=Question.MADE_UP_LIST), SEGMENT_KEPT_OUT],
        [SEGMENT_KEPT_OUT],
        None,
    ),
    Uses(
        "answers to a made-up key alone",
        [replace(FINE_LIST, keys=Keys.MADE_UP), SEGMENT_KEPT_OUT],
        [SEGMENT_KEPT_OUT],
        None,
    ),
]


@pytest.mark.parametrize("row", NOT_TOLD, ids=[row.name for row in NOT_TOLD])
def test_nothing_is_told_apart_unless_one_use_works_and_another_is_always_refused(row: Uses):
    assert parts_of(evidence(*row.probes), row.refused) is None


LET_IN = (
    "This machine's address may not use it: change no key, but have the addresses of your workers "
    "and triggerers put on the allow-list, and run this from there."
)
WITH_IP = "403 ip-denied: 'IP 203.0.113.7 is not on the allow-list'"
MORE = "Wait, or ask the service's support for more: it is about no key."
OTHER_WORDS = probe(403, error_body("ip-denied", "Not from this IP"))
TEXT_REFUSAL = probe(403, "Your IP is not on the allow-list")
LATER = (
    " The same requests were answered at other times: it may be that this machine is seen with "
    "several addresses, of which one is not let in."
)


class Said(NamedTuple):
    """Reads, and what is concluded: topic, certainty, text, and the reads that it rests on."""

    name: str
    probes: Sequence[Probe]
    findings: Sequence[tuple[Topic, Certainty, str, Sequence[int]]]


SAID = [
    Said("nothing", [FINE_LIST, KEY_REFUSED], []),
    Said(
        "each read",
        [LIST_KEPT_OUT, SEGMENT_KEPT_OUT],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"The service refused each of 2 reads with {WITH_IP}. {LET_IN}",
                [0, 1],
            )
        ],
    ),
    Said(
        "one read",
        [LIST_KEPT_OUT],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"The service refused each of 1 read with {WITH_IP}. {LET_IN}",
                [0],
            )
        ],
    ),
    Said(
        "not in the form of the contract",
        [TEXT_REFUSAL],
        [
            (
                Topic.ACCOUNT,
                Certainty.NOT_PROVED,
                "The service or a gateway refused each of 1 read with 403: 'Your IP is not on the "
                f"allow-list'. {LET_IN}",
                [0],
            )
        ],
    ),
    Said(
        "one of two not in that form",
        [LIST_KEPT_OUT, TEXT_REFUSAL],
        [
            (
                Topic.ACCOUNT,
                Certainty.NOT_PROVED,
                f"The service refused 1 of 2 reads with {WITH_IP}. {LET_IN} The service or a "
                f"gateway refused 1 of 2 reads with 403: 'Your IP is not on the allow-list'. "
                f"{LET_IN}",
                [0, 1],
            )
        ],
    ),
    Said(
        "segments alone",
        [FINE_LIST, SEGMENT_KEPT_OUT],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"Coupon lists can be read; {SEGMENTS} cannot: the service refused 1 of 2 reads "
                f"with {WITH_IP}. So the Data API key is not judged. {LET_IN} Tasks that do "
                f"without {SEGMENTS} can run.",
                [1],
            )
        ],
    ),
    Said(
        "files alone, with both keys judged",
        [FINE_LIST, NO_SUCH_SEGMENT, FILE_KEPT_OUT],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"Coupon lists and {SEGMENTS} can be read; coupon files cannot: the service "
                f"refused 1 of 3 reads with {WITH_IP}. {LET_IN} Tasks that do without coupon "
                "files can run.",
                [2],
            )
        ],
    ),
    Said(
        "at times",
        [LIST_KEPT_OUT, FINE_LIST],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"The service refused 1 of 2 reads with {WITH_IP}. {LET_IN}{LATER}",
                [0],
            )
        ],
    ),
    Said(
        "two requests with words that differ, and the same code",
        [LIST_KEPT_OUT, replace(FILE_KEPT_OUT, response=OTHER_WORDS.response)],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"The service refused each of 2 reads with {WITH_IP}. {LET_IN}",
                [0, 1],
            )
        ],
    ),
    Said(
        "two requests, of which the first got an answer, too",
        [LIST_KEPT_OUT, FILE_KEPT_OUT, FINE_FILE, FINE_LIST],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"The service refused 2 of 4 reads with {WITH_IP}. {LET_IN}{LATER}",
                [0, 1],
            )
        ],
    ),
    Said(
        "two requests, of which the second got an answer, too",
        [SEGMENT_KEPT_OUT, LIST_KEPT_OUT, FINE_LIST],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"The service refused 2 of 3 reads with {WITH_IP}. {LET_IN}{LATER}",
                [0, 1],
            )
        ],
    ),
    Said(
        "with a made-up key, which got an answer, too",
        [replace(LIST_KEPT_OUT, keys=Keys.MADE_UP), replace(FINE_LIST, keys=Keys.MADE_UP)],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"The service refused 1 of 2 reads with {WITH_IP}. {LET_IN}{LATER}",
                [0],
            )
        ],
    ),
    Said(
        "with a made-up key, while the own one got an answer",
        [replace(LIST_KEPT_OUT, keys=Keys.MADE_UP), FINE_LIST],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"The service refused 1 of 2 reads with {WITH_IP}. {LET_IN}",
                [0],
            )
        ],
    ),
    Said(
        "a maintenance at times",
        [probe(403, error_body("x", "Maintenance")), FINE_LIST],
        [
            (
                Topic.ACCOUNT,
                Certainty.NOT_PROVED,
                "The service refused 1 of 2 reads with 403 x: 'Maintenance'. Wait until it is "
                "over, and run this again.",
                [0],
            )
        ],
    ),
    Said(
        "the clock",
        [probe(403, error_body("skew", "Request time skewed"))],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                "The service refused each of 1 read with 403 skew: 'Request time skewed'. Set the "
                "clock of this machine, and those of your workers and triggerers, by NTP: no key "
                "was judged.",
                [0],
            )
        ],
    ),
    Said("a status of the moment", [probe(503, error_body("x", "Maintenance"))], []),
    Said(
        "a quota by words",
        [probe(403, QUOTA), FINE_LIST],
        [
            (
                Topic.LIMITS,
                Certainty.NOT_PROVED,
                "The service refused 1 of 2 reads with 403 quota: 'Monthly quota exceeded'. "
                f"{MORE}",
                [0],
            )
        ],
    ),
    Said(
        "a quota and the machine",
        [probe(403, QUOTA), SEGMENT_KEPT_OUT],
        [
            (
                Topic.ACCOUNT,
                Certainty.WRONG,
                f"The service refused 1 of 2 reads with {WITH_IP}. {LET_IN}",
                [1],
            ),
            (
                Topic.LIMITS,
                Certainty.NOT_PROVED,
                "The service refused 1 of 2 reads with 403 quota: 'Monthly quota exceeded'. "
                f"{MORE}",
                [0],
            ),
        ],
    ),
    Said(
        "a quota that refuses both last requests, which its row says",
        [
            FINE_LIST,
            replace(FILE_KEPT_OUT, response=probe(403, QUOTA).response),
            replace(SEGMENT_KEPT_OUT, response=probe(403, QUOTA).response),
        ],
        [],
    ),
    Said(
        "a quota that refuses the last request",
        [FINE_LIST, replace(SEGMENT_KEPT_OUT, response=probe(403, QUOTA).response)],
        [
            (
                Topic.LIMITS,
                Certainty.NOT_PROVED,
                f"Coupon lists can be read; {SEGMENTS} cannot: the service refused 1 of 2 reads "
                "with 403 quota: 'Monthly quota exceeded'. So the Data API key is not judged. "
                f"{MORE} Tasks that do without {SEGMENTS} can run.",
                [1],
            )
        ],
    ),
]


@pytest.mark.parametrize("row", SAID, ids=[row.name for row in SAID])
def test_each_reason_is_concluded_with_the_reads_that_got_it(row: Said):
    assert conclude_on_refusals(evidence(*row.probes)) == [
        Finding(
            topic=topic,
            certainty=certainty,
            text=text,
            probes=tuple(row.probes[number] for number in numbers),
            is_cause=True,
        )
        for topic, certainty, text, numbers in row.findings
    ]


class Why(NamedTuple):
    """Reads that got no answer, and why they show nothing."""

    name: str
    lost: Sequence[Probe]
    text: str


WHY = [
    Why("none", [], ""),
    Why("no words", [probe(503)], ""),
    Why("the last has no words", [LIST_KEPT_OUT, probe(503)], ""),
    Why(
        "the last has words",
        [probe(503), LIST_KEPT_OUT],
        "Not judged, since 1 of 2 reads with it got 403 ip-denied, which is about no key: see Account.",
    ),
    Why(
        "a quota, then the machine twice",
        [probe(403, QUOTA), LIST_KEPT_OUT, LIST_KEPT_OUT],
        "Not judged, since 2 of 3 reads with it got 403 ip-denied, which is about no key: see Account.",
    ),
    Why(
        "a quota",
        [probe(403, QUOTA)],
        "Not judged, since 1 read with it got 403 quota, which is about no key: see Rate limits.",
    ),
    Why(
        "the machine, then a quota",
        [LIST_KEPT_OUT, probe(403, QUOTA)],
        "Not judged, since 1 of 2 reads with it got 403 quota, which is about no key: see Rate limits.",
    ),
]


@pytest.mark.parametrize("row", WHY, ids=[row.name for row in WHY])
def test_why_a_key_is_not_judged_is_said_if_the_last_lost_read_has_words_about_something_else(
    row: Why,
):
    assert why_not_judged(row.lost) == row.text
