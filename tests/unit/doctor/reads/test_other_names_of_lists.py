"""
If the files of the list all name other lists, it may have the name of the first of these, by name,
if a read of that has the same files in the same order, in any of its reads; not if that read has
other files, none, a 404, or was not sent. It has that name if, besides, a list that does not exist
was read and never gets these files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    NOT_FOUND,
    ids,
    listed,
    made_up_list,
)
from support.doctor_replies import (
    evidence_of,
    reply,
    request_for,
)
from support.doctor_service import record
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe, Question

OTHER_FILES = [record("g1"), record("g2")]
OF_TWO_LISTS = [record("f1", coupons_list_id="winter"), record("f2", coupons_list_id="autumn")]


class OtherName(NamedTuple):
    """Replies, and the name that the list may have and has."""

    name: str
    probes: Sequence[Probe]
    may_be: str
    is_it: str


def other_list(status: int = 200, content: Any = b"", list_id: str = "winter") -> Probe:
    """The read of the list that the files say they are of."""
    request = request_for(Question.LIST, list_id=list_id)
    return reply(status, content, question=Question.OTHER_LIST, request=request)


OF_WINTER = [record("f1", coupons_list_id="winter"), record("f2", coupons_list_id="winter")]
OTHER_NAMES = [
    # What a read of the other list has.
    OtherName(
        "the same files",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER), made_up_list()],
        "winter",
        "winter",
    ),
    OtherName(
        "the same files, of two lists: the first by name",
        [
            listed(200, OF_TWO_LISTS),
            other_list(200, OF_TWO_LISTS, "autumn"),
            made_up_list(),
        ],
        "autumn",
        "autumn",
    ),
    OtherName(
        "no files that can be read, and no file",
        [listed(200, [{"coupons_list_id": "winter"}]), other_list(200, []), made_up_list()],
        "",
        "",
    ),
    OtherName(
        "other files",
        [listed(200, OF_WINTER), other_list(200, OTHER_FILES), made_up_list()],
        "",
        "",
    ),
    OtherName(
        "the same files in another order",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER[::-1]), made_up_list()],
        "",
        "",
    ),
    OtherName(
        "a 404", [listed(200, OF_WINTER), other_list(404, NOT_FOUND), made_up_list()], "", ""
    ),
    OtherName(
        "other files first, then the same",
        [
            listed(200, OF_WINTER),
            other_list(200, OTHER_FILES),
            other_list(200, OF_WINTER),
            made_up_list(),
        ],
        "winter",
        "winter",
    ),
    OtherName("the other list was not read", [listed(200, OF_WINTER), made_up_list()], "", ""),
    OtherName(
        "the files are of the list that was read",
        [listed(200, FILES), other_list(200, FILES), made_up_list()],
        "",
        "",
    ),
    # What a read of a list has that does not exist.
    OtherName(
        "a list that does not exist has no file",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER), made_up_list(200, [])],
        "winter",
        "winter",
    ),
    OtherName(
        "a list that does not exist has the same",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER), made_up_list(200, OF_WINTER)],
        "winter",
        "",
    ),
    OtherName(
        "a list that does not exist has no file first, then the same",
        [
            listed(200, OF_WINTER),
            other_list(200, OF_WINTER),
            made_up_list(200, []),
            made_up_list(200, OF_WINTER),
        ],
        "winter",
        "",
    ),
    OtherName(
        "a list that does not exist was not read",
        [listed(200, OF_WINTER), other_list(200, OF_WINTER)],
        "winter",
        "",
    ),
]


@pytest.mark.parametrize("row", OTHER_NAMES, ids=ids(OTHER_NAMES))
def test_a_list_may_have_another_name_if_a_read_of_that_has_the_same_files(row: OtherName):
    assert facts.may_have_other_name(evidence_of(*row.probes)) == row.may_be


@pytest.mark.parametrize("row", OTHER_NAMES, ids=ids(OTHER_NAMES))
def test_a_list_has_another_name_if_a_list_that_does_not_exist_has_other_files(row: OtherName):
    assert facts.other_name(evidence_of(*row.probes)) == row.is_it
