"""
A list leaves out a file at some of its stages if two reads or more lack it after one that had it,
and at no status both happened. The status is that of the reads of the file's own path before and
after the read of the list; if these differ, that read shows no stage.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import MOMENT, reply
from support.doctor_service import record
from wes_provider.doctor.reads.stages_of_lists import left_out
from wes_provider.doctor.replies.probes import Probe, Question


def listing(second: int, has: str) -> Probe:
    """A read of the list: with the file for ``+``, without it for ``-``."""
    records = [record("f0")]
    if has == "+":
        records.append(record("f1"))
    return reply(200, records, sent_at=MOMENT + second)


def alone(second: int, letter: str) -> Probe:
    """A read of the file's own path, with its status by the first letter."""
    status = {"P": "PENDING", "R": "RUNNING", "S": "SUCCESS"}[letter]
    return reply(
        200, record("f1", status), question=Question.FILE_PATH, sent_at=MOMENT + second - 0.5
    )


class ReadsRow(NamedTuple):
    """
    Reads of the list and of the file, one of each a second, those of the file first.

    :ivar lists: with and without the file; a space for no read.
    :ivar stages: of the file by its first letter; a space for no read.
    :ivar had_at: by first letters; empty if the list left out nothing; so ``lacked_at``.
    """

    name: str
    lists: str
    stages: str
    had_at: str = ""
    lacked_at: str = ""
    is_back: bool = False


READS = [
    ReadsRow("always there", "+++++", "PPRSS"),
    ReadsRow("not there while it is running", "++--++", "PPRRSS", "PS", "R", is_back=True),
    ReadsRow("there while it is pending only", "++----", "PPRRSS", "P", "RS"),
    ReadsRow("there at the end only", "----++", "PPRRSS"),
    ReadsRow("late, and not while it is running", "-++--++", "PPPRRSS", "PS", "R", is_back=True),
    ReadsRow("lacked once", "++-+++", "PPRRSS"),
    ReadsRow("lacked twice at one stage, and had at it", "++--+++", "PPRRRRS"),
    ReadsRow("comes and goes at the end", "+++-+-", "PPRSSS"),
    ReadsRow("one stage all the time", "+--+++", "PPPPPP"),
    ReadsRow("the file was read once in between", "++--++", "P  R S"),
    ReadsRow("it changed around the reads that lack it", "++--++", "PP  SS"),
    ReadsRow("no read of the file", "++--++", "      "),
    ReadsRow("never there", "------", "PPRRSS"),
]


@pytest.mark.parametrize("row", READS, ids=ids(READS))
def test_a_list_leaves_out_files_at_stages_at_which_it_never_has_them(row: ReadsRow):
    lists = [listing(second, has) for second, has in enumerate(row.lists) if has != " "]
    own = [alone(second, letter) for second, letter in enumerate(row.stages) if letter != " "]
    left = left_out(lists, own, "f1")
    if not row.lacked_at:
        assert left is None
        return
    assert left is not None
    assert "".join(status[0] for status in left.had_at) == row.had_at
    assert "".join(status[0] for status in left.lacked_at) == row.lacked_at
    assert (left.again is not None) is row.is_back
