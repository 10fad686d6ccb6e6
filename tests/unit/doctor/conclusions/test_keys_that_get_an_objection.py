"""
If each read gets the same error, whose words tell nothing, the finding says with which keys. If a read with the data key gets
something else, the error comes "with the Campaign API key"; if the data key is refused, even only
at times, that is said, too. If a made-up key or swapped keys get another error, the first such
reply shows that the service knows the keys, and the error comes "with these keys", unless the data
key gets something else; a reply that is lost or the same shows nothing. The finding rests on the
reads of the list, then those of the data key (that are refused, or else that get the error), of a
path that does not exist, and of other addresses; not on those with other keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest

from support.doctor_objections import (
    LIST_IN_02,
    SEGMENT_NOT_FOUND,
    SUPPORT,
)
from support.doctor_reads import (
    NOWHERE_READ,
    SEGMENT_READ,
    error_body,
    evidence,
    probe,
)
from wes_provider.doctor.conclusions.objections import conclude_on_objection
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.replies.probes import Keys, Probe, Question

ERROR_THAT_TELLS_NOTHING = probe(400, error_body("odd", "Teapots only"))
SAME_FOR_SEGMENT = replace(
    ERROR_THAT_TELLS_NOTHING, question=Question.DATA_KEY, request=SEGMENT_READ
)
NO_SUCH_PATH = replace(
    ERROR_THAT_TELLS_NOTHING, question=Question.NO_SUCH_PATH, request=NOWHERE_READ
)
OTHER_ADDRESS = replace(
    ERROR_THAT_TELLS_NOTHING, question=Question.OTHER_ADDRESS, request=LIST_IN_02
)
REFUSED_DATA = probe(
    401, error_body("no-key", "x"), question=Question.DATA_KEY, request=SEGMENT_READ
)
MADE_UP_KEY_REFUSED = probe(
    401, error_body("no-key", "x"), question=Question.MADE_UP_KEY, keys=Keys.MADE_UP
)
SWAPPED_KEYS_REFUSED = probe(
    403, error_body("a", "b"), question=Question.SWAPPED_KEYS, keys=Keys.SWAPPED
)
MADE_UP_KEY_LOST = probe(503, question=Question.MADE_UP_KEY, keys=Keys.MADE_UP)
SAME_FOR_MADE_UP_KEY = replace(
    ERROR_THAT_TELLS_NOTHING, question=Question.MADE_UP_KEY, keys=Keys.MADE_UP
)
KNOWN = "Other keys get {}, so it knows these: make no new ones."
DATA_REFUSED = " The Data API key is refused (401 no-key): check it, too."


class OtherReads(NamedTuple):
    """Further reads, which keys get the error, what is said besides, and what it rests on."""

    name: str
    others: Sequence[Probe]
    with_key: str = ""
    also: str = ""
    rests_on: Sequence[Probe] = ()


OTHER_READS = [
    OtherReads("none", []),
    OtherReads("the list again", [ERROR_THAT_TELLS_NOTHING], rests_on=[ERROR_THAT_TELLS_NOTHING]),
    OtherReads("the other key alike", [SAME_FOR_SEGMENT], rests_on=[SAME_FOR_SEGMENT]),
    OtherReads(
        "the other key gets something else",
        [SEGMENT_NOT_FOUND],
        " with the Campaign API key",
    ),
    OtherReads(
        "the other key is refused",
        [REFUSED_DATA],
        " with the Campaign API key",
        DATA_REFUSED,
        [REFUSED_DATA],
    ),
    OtherReads(
        "the other key is refused at times",
        [SAME_FOR_SEGMENT, REFUSED_DATA],
        " with the Campaign API key",
        DATA_REFUSED,
        [REFUSED_DATA],
    ),
    OtherReads("a made-up key alike", [SAME_FOR_MADE_UP_KEY]),
    OtherReads("a made-up key is lost", [MADE_UP_KEY_LOST]),
    OtherReads(
        "a made-up key is refused",
        [MADE_UP_KEY_REFUSED],
        " with these keys",
        f" {KNOWN.format('401 no-key')}",
    ),
    OtherReads(
        "swapped keys are refused",
        [SWAPPED_KEYS_REFUSED],
        " with these keys",
        f" {KNOWN.format('403 a')}",
    ),
    OtherReads(
        "the first other key that gets another error counts",
        [MADE_UP_KEY_LOST, SAME_FOR_MADE_UP_KEY, SWAPPED_KEYS_REFUSED, MADE_UP_KEY_REFUSED],
        " with these keys",
        f" {KNOWN.format('403 a')}",
    ),
    OtherReads(
        "a made-up key and the data key are refused",
        [MADE_UP_KEY_REFUSED, REFUSED_DATA],
        " with the Campaign API key",
        f" {KNOWN.format('401 no-key')}{DATA_REFUSED}",
        [REFUSED_DATA],
    ),
    OtherReads(
        "alike, in the order of questions",
        [OTHER_ADDRESS, NO_SUCH_PATH, SAME_FOR_SEGMENT],
        rests_on=[SAME_FOR_SEGMENT, NO_SUCH_PATH, OTHER_ADDRESS],
    ),
]


@pytest.mark.parametrize("row", OTHER_READS, ids=[row.name for row in OTHER_READS])
def test_a_finding_about_an_error_says_which_keys_get_it(row: OtherReads):
    """
    Further reads decide, with the same key, the other one or made-up ones. The error itself tells
    nothing, so the finding is always wrong, about the account, and asks the service's support.
    """
    assert conclude_on_objection(
        evidence(ERROR_THAT_TELLS_NOTHING, *row.others), ERROR_THAT_TELLS_NOTHING
    ) == Finding(
        topic=Topic.ACCOUNT,
        certainty=Certainty.WRONG,
        text=f"The service replies 400 odd to each read{row.with_key}, whatever its path: 'Teapots "
        f"only'. {SUPPORT}{row.also}",
        probes=(ERROR_THAT_TELLS_NOTHING, *row.rests_on),
    )
