"""
A known success of an uploaded file ends the reading at once if it is proved, and else once it has
lasted for the seconds of a final status (15 here). It is proved if coupons were added, or if there
are only duplicates; or if it has no counts, like all files of the list. It has to last if it has
neither, if it has no counts and another file of the list has, or if the file says that a part is
done, such as 40 %, until all is done. Only duplicates have to last, too, if the list has a file
with coupons added and a status that is not known. A file on its way is read once in the search,
then by the wait alone, once more to prove its end, and three times in the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_followers import (
    FILE_PATH,
    FINAL_AFTER,
    PENDING,
    follow,
    followed_file,
    uploaded_record,
    without_counts,
)
from support.doctor_service import record

WITHOUT_COUNTS = without_counts(uploaded_record())
ONLY_DUPLICATES = uploaded_record(coupons_added=0, coupons_duplicate=5)


class Success(NamedTuple):
    """
    A file with success, and whether that is proved at once, or has to last.

    :ivar known: other files that the list had before.
    """

    name: str
    file: Mapping[str, Any]
    is_proved_at_once: bool
    known: Sequence[Mapping[str, Any]] = ()


SUCCESSES = [
    Success("coupons added", uploaded_record(), is_proved_at_once=True),
    Success("only duplicates", ONLY_DUPLICATES, is_proved_at_once=True),
    Success(
        "neither added nor duplicates", uploaded_record(coupons_added=0), is_proved_at_once=False
    ),
    Success("no counts, as in no file of the list", WITHOUT_COUNTS, is_proved_at_once=True),
    Success(
        "no counts, as in one of two files of the list",
        WITHOUT_COUNTS,
        is_proved_at_once=False,
        known=[record("g1"), without_counts(record("g2"))],
    ),
    Success(
        "coupons added, but 40 % of the file", uploaded_record(progress=40), is_proved_at_once=False
    ),
    Success(
        "only duplicates, and coupons were added to a file on its way",
        ONLY_DUPLICATES,
        is_proved_at_once=True,
        known=[record("g1", "PENDING")],
    ),
    Success(
        "only duplicates, and coupons were added to a file with an unknown status",
        ONLY_DUPLICATES,
        is_proved_at_once=False,
        known=[record("g1", "IMPORTED")],
    ),
]


@pytest.mark.parametrize("row", SUCCESSES, ids=ids(SUCCESSES))
def test_a_success_has_to_last_unless_it_is_proved(row: Success):
    followed = followed_file(
        lambda _: [row.file], lambda _: row.file, known=row.known, final_after=FINAL_AFTER
    )
    assert (followed.waited < FINAL_AFTER) is row.is_proved_at_once
    assert followed.problem == ""


def test_a_success_with_a_part_done_is_proved_once_all_is_done():
    def file_at(seconds: float) -> dict[str, Any]:
        return uploaded_record(progress=40 if seconds < 8 else 100)

    followed = followed_file(lambda _: [uploaded_record()], file_at, final_after=FINAL_AFTER)
    assert 8 <= followed.waited < FINAL_AFTER


def test_a_file_on_its_way_is_read_by_the_wait_alone():
    _, sender = follow(
        lambda _: [PENDING], lambda seconds: PENDING if seconds < 8 else uploaded_record()
    )
    reads = [probe.path for probe in sender.probes]
    in_search, to_prove_the_end, in_the_end = 1, 1, 3
    assert reads.count(FILE_PATH) == in_search + to_prove_the_end + in_the_end
