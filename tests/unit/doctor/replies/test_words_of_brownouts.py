"""
Words of a version that is away for a time before it ends are about a brownout, whatever the status
is, and not about a version that has ended: they say brownout, or until when an outage lasts beside
the version's end. The moment to wait for is that of the outage; a date of the end alone is none.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.doctor.replies.remedies import is_retired, sentences_of_end, wait_for_brownout
from wes_provider.doctor.replies.subjects import Kind, Subject, subject_of

THEN, OVER = "Wait until 16:30 UTC, and run", "Wait until it is over, and run"
AT_SIX = " until 18:00 UTC, as its headers say"
ENDS = "API v1 will be removed on 2027-01-31."


class Words(NamedTuple):
    """
    Words of an error, and the subject that they are about.

    :ivar until: what headers say of the moment.
    :ivar do: the beginning of what to do about a brownout.
    """

    name: str
    words: str
    subject: Subject | None
    until: str = ""
    do: str = ""


ROWS = [
    Words(
        "a brownout with both moments",
        f"Scheduled brownout of API v1 until 16:30 UTC. {ENDS}",
        Subject.BROWNOUT,
        AT_SIX,
        THEN,
    ),
    Words("a brownout, and its end", f"Scheduled brownout. {ENDS}", Subject.BROWNOUT, "", OVER),
    Words(
        "a brownout, and a day to migrate by",
        "Scheduled brownout. Read the docs and migrate before 2027-01-31.",
        Subject.BROWNOUT,
        "",
        OVER,
    ),
    Words(
        "a brownout, and until when the version is there",
        "Scheduled brownout. API v1 is available until 2027-01-31.",
        Subject.BROWNOUT,
        "",
        OVER,
    ),
    Words(
        "a brownout that headers end",
        f"Scheduled brownout. {ENDS}",
        Subject.BROWNOUT,
        AT_SIX,
        f"Wait{AT_SIX}, and run",
    ),
    Words(
        "an outage until an hour",
        f"API v1 is unavailable until 16:30 UTC. {ENDS}",
        Subject.BROWNOUT,
        "",
        THEN,
    ),
    Words(
        "an outage between two hours",
        f"The deprecated version v1 is switched off from 16:00 to 16:30 UTC. {ENDS}",
        Subject.BROWNOUT,
        "",
        THEN,
    ),
    Words(
        "an outage until an hour of a day",
        f"API v1 is suspended until 2026-11-28T16:30:00Z. {ENDS}",
        Subject.BROWNOUT,
        "",
        "Wait until 2026-11-28T16:30:00Z, and run",
    ),
    Words(
        "a brownout until an hour in the afternoon",
        f"Brownout until tomorrow, 4:30 pm UTC. {ENDS}",
        Subject.BROWNOUT,
        "",
        "Wait until 4:30 pm UTC, and run",
    ),
    Words("a version that has ended", "API v1 was removed on 2026-01-31.", Subject.VERSION),
    Words("a version that ends", ENDS, Subject.VERSION),
    Words(
        "support until a day",
        "API v1 was supported until 2026-01-31 and has been removed.",
        Subject.VERSION,
    ),
    Words("a maintenance", "Maintenance until 22:00", Subject.MAINTENANCE),
    Words("an outage alone", "The service is down until 22:00", None),
]


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_words_of_a_brownout_are_told_from_those_of_an_ended_version(row: Words):
    subject = subject_of("", row.words)
    assert (subject and subject.subject) is row.subject
    if row.subject is Subject.BROWNOUT:
        assert subject is not None
        assert subject.kind is Kind.NOT_NOW
        assert wait_for_brownout(row.words, row.until).startswith(row.do)
    assert is_retired(row.words) is (row.subject is Subject.VERSION)


def test_the_sentence_of_the_end_is_told_from_that_of_the_outage():
    words = f"Scheduled brownout of API v1 until 16:30 UTC. {ENDS} Please migrate."
    assert sentences_of_end(words) == [ENDS]
