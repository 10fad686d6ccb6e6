"""
A read since an upload that was refused at one time, and got what it asked for at another, has two
answers, in whichever order; of a further such request, that is said in short. A 503, a 404 and a
refusal alone make none, and neither does another request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_reads import FILE_READ, error_body, evidence
from support.doctor_two_answers import F1, PATH, at, listing, refused
from wes_provider.doctor.reads.changes import Scope, two_answers
from wes_provider.doctor.replies.probes import Probe

FILE = at(2, 200, F1, FILE_READ)
FILE_REFUSED = refused(4, FILE_READ)
FILE_PATH = f"{PATH}/f1"


class Since(NamedTuple):
    """Replies since the upload, and how what is said of each request with two answers begins."""

    name: str
    replies: Sequence[Probe]
    said: Sequence[str]


SINCE = [
    Since(
        "accepted, then refused",
        [listing(1, F1), refused(3)],
        [f"The service gave two answers to the same request, {PATH}: accepted (200) at first"],
    ),
    Since(
        "refused, then accepted",
        [refused(1), listing(3, F1)],
        [f"The service gave two answers to the same request, {PATH}: refused (401 no-key) at fir"],
    ),
    Since(
        "in turn",
        [listing(1, F1), refused(3), listing(5, F1)],
        [f"The service gave two answers to the same request, {PATH}: accepted (200) at 00:00:01"],
    ),
    Since(
        "two requests",
        [listing(1, F1), FILE, refused(3), FILE_REFUSED],
        [
            f"The service gave two answers to the same request, {PATH}: accepted (200) at first",
            f"Two answers to {FILE_PATH}, too, for the same reason: accepted (200) at first",
        ],
    ),
    Since("accepted, then 503", [listing(1, F1), at(3, 503)], []),
    Since("404, then refused", [at(1, 404, error_body("not-found", "x")), refused(3)], []),
    Since("refused only", [refused(1), refused(3)], []),
    Since("another request is refused", [listing(1, F1), FILE_REFUSED], []),
]


@pytest.mark.parametrize("row", SINCE, ids=ids(SINCE))
def test_a_read_that_was_refused_at_times_since_the_upload_has_two_answers(row: Since):
    found = two_answers(evidence(), row.replies)
    assert len(found) == len(row.said)
    for two, said in zip(found, row.said, strict=True):
        assert two.text.startswith(said)
        assert two.scope is Scope.KEYS
