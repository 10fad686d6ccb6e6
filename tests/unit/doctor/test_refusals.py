"""Reads that the service refuses for a reason of its own: what is said of them, and of the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest

from support.doctor_reads import FILE_READ, SEGMENT_READ, error, evidence, probe
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.probes import Keys, Probe, Question
from wes_provider.doctor.refusals import Parts, conclude_on_refusals, parts_of, why_not_judged

MACHINE = error("ip-denied", "IP 203.0.113.7 is not on the allow-list")
QUOTA = error("quota", "Monthly quota exceeded")
FINE_LIST = probe(200, [])
FINE_FILE = probe(200, {"_id": "f1"}, question=Question.FILE_PATH, request=FILE_READ)
FINE_SEGMENT = probe(404, error("a", "b"), question=Question.DATA_KEY, request=SEGMENT_READ)
NO_LIST = probe(403, MACHINE)
NO_FILE = probe(403, MACHINE, question=Question.FILE_PATH, request=FILE_READ)
NO_SEGMENT = probe(403, MACHINE, question=Question.DATA_KEY, request=SEGMENT_READ)
REFUSED_SEGMENT = probe(401, error("a", "b"), question=Question.DATA_KEY, request=SEGMENT_READ)


class Row(NamedTuple):
    """Reads, and what of the service is refused; ``refused`` are the reads that were."""

    name: str
    probes: Sequence[Probe]
    refused: Sequence[Probe]
    parts: Parts | None


SEGMENTS = "segments (/v3)"
ROWS = [
    Row("nothing", [], [], None),
    Row("all", [NO_LIST, NO_SEGMENT], [NO_LIST, NO_SEGMENT], None),
    Row("none", [FINE_LIST, FINE_SEGMENT], [], None),
    Row(
        "segments",
        [FINE_LIST, NO_SEGMENT],
        [NO_SEGMENT],
        Parts(SEGMENTS, "coupon lists", ["Data API key"]),
    ),
    Row(
        "segments, and files were read",
        [FINE_FILE, FINE_LIST, NO_SEGMENT],
        [NO_SEGMENT],
        Parts(SEGMENTS, "coupon lists and coupon files", ["Data API key"]),
    ),
    Row(
        "lists",
        [NO_LIST, FINE_SEGMENT],
        [NO_LIST],
        Parts("coupon lists and coupon files", SEGMENTS, ["Campaign API key"]),
    ),
    Row(
        "files",
        [FINE_LIST, NO_FILE, FINE_SEGMENT],
        [NO_FILE],
        Parts("coupon files", "coupon lists and segments (/v3)", []),
    ),
    Row(
        "a refusal for its key",
        [FINE_LIST, NO_FILE, REFUSED_SEGMENT],
        [NO_FILE],
        Parts("coupon files", "coupon lists", []),
    ),
    Row("lists at times", [FINE_LIST, NO_LIST], [NO_LIST], None),
    Row(
        "answers to a made-up path",
        [replace(FINE_LIST, question=Question.NO_SUCH_PATH), NO_SEGMENT],
        [NO_SEGMENT],
        None,
    ),
    Row(
        "answers to a made-up list",
        [replace(FINE_LIST, question=Question.MADE_UP_LIST), NO_SEGMENT],
        [NO_SEGMENT],
        None,
    ),
    Row(
        "answers to a made-up key",
        [replace(FINE_LIST, keys=Keys.MADE_UP), NO_SEGMENT],
        [NO_SEGMENT],
        None,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_what_is_refused_is_told_from_what_works(row: Row):
    assert parts_of(evidence(*row.probes), row.refused) == row.parts


LET_IN = (
    "This machine's address may not use it: change no key, but have the addresses of your workers "
    "and triggerers put on the allow-list, and run this from there."
)
WITH_IP = "403 ip-denied: 'IP 203.0.113.7 is not on the allow-list'"
MORE = "Wait, or ask the service's support for more: it is about no key."
OTHER_WORDS = probe(403, error("ip-denied", "Not from this IP"))
PAGE = probe(403, "Your IP is not on the allow-list")
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
    Said("nothing", [FINE_LIST, REFUSED_SEGMENT], []),
    Said(
        "each read",
        [NO_LIST, NO_SEGMENT],
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
        [NO_LIST],
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
        [PAGE],
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
        [NO_LIST, PAGE],
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
        [FINE_LIST, NO_SEGMENT],
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
        [FINE_LIST, FINE_SEGMENT, NO_FILE],
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
        [NO_LIST, FINE_LIST],
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
        "two requests, of which one got an answer, with words that differ",
        [NO_LIST, replace(NO_FILE, response=OTHER_WORDS.response), FINE_FILE, FINE_LIST],
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
        "two requests, of which the other got an answer",
        [NO_SEGMENT, NO_LIST, FINE_LIST],
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
        [replace(NO_LIST, keys=Keys.MADE_UP), replace(FINE_LIST, keys=Keys.MADE_UP)],
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
        [replace(NO_LIST, keys=Keys.MADE_UP), FINE_LIST],
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
        [probe(403, error("x", "Maintenance")), FINE_LIST],
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
    Said("a status of the moment", [probe(503, error("x", "Maintenance"))], []),
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
        [probe(403, QUOTA), NO_SEGMENT],
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
        "a quota that refuses everything since then",
        [
            FINE_LIST,
            replace(NO_FILE, response=probe(403, QUOTA).response),
            replace(NO_SEGMENT, response=probe(403, QUOTA).response),
        ],
        [],
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
    Why(
        "the machine, then a quota",
        [NO_LIST, probe(403, QUOTA)],
        "Not judged, since 1 of 2 reads with it got 403 quota, which is about no key: see Rate limits.",
    ),
    Why("none", [], ""),
    Why("no words", [probe(503)], ""),
    Why("the last has no words", [NO_LIST, probe(503)], ""),
    Why(
        "the last has words",
        [probe(503), NO_LIST],
        "Not judged, since 1 of 2 reads with it got 403 ip-denied, which is about no key: see Account.",
    ),
    Why(
        "a quota",
        [probe(403, QUOTA)],
        "Not judged, since 1 read with it got 403 quota, which is about no key: see Rate limits.",
    ),
]


@pytest.mark.parametrize("row", WHY, ids=[row.name for row in WHY])
def test_why_reads_show_nothing_of_a_key(row: Why):
    assert why_not_judged(row.lost) == row.text
