"""
A list takes no files if its reply has a status such as ARCHIVED, closed, FROZEN or paused, in any
case: under a name that ends with status, state, phase or stage, at the top, under data, or in a
property of the list. A status of something else, one such as OPEN or unlocked, and a number do not
count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from wes_provider.doctor.replies.files import closed_state


class Closed(NamedTuple):
    """A body, and the state by which its list takes no files; empty if it has none."""

    name: str
    content: Any
    says: str


CLOSED = [
    Closed("a status at the top", {"status": "ARCHIVED"}, "status: ARCHIVED"),
    Closed("a status under data", {"data": {"state": "closed"}}, "data.state: closed"),
    Closed("a status of the list", {"list_status": "FROZEN"}, "list_status: FROZEN"),
    Closed("a status in the list's object", {"list": {"state": "paused"}}, "list.state: paused"),
    Closed("a status of something else", {"job": {"state": "paused"}}, ""),
    Closed("a status that takes files", {"status": "OPEN"}, ""),
    Closed("the contrary", {"status": "unlocked"}, ""),
    Closed("no status", {"note": "ARCHIVED"}, ""),
    Closed("a number", {"status": 7}, ""),
]


@pytest.mark.parametrize("row", CLOSED, ids=ids(CLOSED))
def test_a_list_takes_no_files_by_a_status_beside_them(row: Closed):
    assert closed_state(row.content) == row.says
