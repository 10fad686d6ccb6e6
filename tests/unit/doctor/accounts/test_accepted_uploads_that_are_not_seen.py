"""
An accepted upload that the list, the path of one file, or neither shows. Each row about that says
not to upload the file again. If neither shows it, and both have older files, the row of the list's
path says that reads and uploads may reach different systems, and the verdict has that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import (
    FILES_PATH,
    Call,
    about,
    json_reply,
    not_found,
    record,
)
from support.doctor_uploads import Uploads
from support.servers import Reply
from wes_provider.doctor.findings.finding import Topic

OTHER_SYSTEMS = "reads and uploads may reach different systems, such as during a migration."
NOT_AGAIN = re.compile("do not (?:upload|send) it again", re.IGNORECASE)
ERROR = {"error": {"code": "unavailable", "message": "Try later."}}
FORBIDDEN = {"error": {"code": "request-forbidden", "message": "No access."}}
OLDER = (record("f1"), record("f2"))
PAGE = json_reply(200, {"total": 40, "data": [*OLDER]})
LIST, PATH, STATUSES, LAG = Topic.LIST_PATH, Topic.FILE_PATH, Topic.STATUSES, Topic.LAG


@dataclass
class Unseen(Uploads):
    """
    An account that accepts an upload, and does not show it.

    :ivar of_list: what the list replies since then; ``None`` to show the file.
    :ivar of_file: the same of the file's own path.
    """

    of_list: Reply | None = None
    of_file: Reply | None = None

    def answer(self, call: Call) -> Reply | None:
        if not self.name or call.method != "GET" or call.key != "campaign":
            return super().answer(call)
        reply = None
        if call.path == FILES_PATH:
            reply = self.of_list
        elif call.path == f"{FILES_PATH}/up":
            reply = self.of_file
        return reply or super().answer(call)


def listing(*records: Mapping[str, Any]) -> Reply:
    """A list of files."""
    return json_reply(200, list(records))


class Row(NamedTuple):
    """
    What does not show an upload.

    :ivar about: the topics whose rows say so.
    """

    name: str
    of_list: Reply | None
    of_file: Reply | None
    about: tuple[Topic, ...]
    is_other_system: bool = False
    others: tuple[Mapping[str, Any], ...] = OLDER


NOT_THERE = not_found("file")
ROWS = [
    Row("nothing has it", listing(*OLDER), NOT_THERE, (LIST, PATH, STATUSES, LAG), True),
    Row("the list lacks it", listing(*OLDER), None, (LIST, LAG)),
    Row("its path lacks it", None, NOT_THERE, (PATH, STATUSES)),
    Row("its path is forbidden", None, json_reply(403, FORBIDDEN), (PATH, STATUSES)),
    Row("its path fails", None, json_reply(503, ERROR), (STATUSES,)),
    Row("the list fails", json_reply(503, ERROR), None, ()),
    Row("the list is a page", PAGE, NOT_THERE, (LIST, PATH, STATUSES)),
    Row("the list is empty", listing(), NOT_THERE, (LIST, PATH, STATUSES, LAG)),
    Row("no older file", listing(), NOT_THERE, (LIST, PATH, STATUSES, LAG), others=()),
]


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_each_row_about_an_upload_that_was_not_seen_says_not_to_repeat_it(row: Row):
    account = Unseen(of_list=row.of_list, of_file=row.of_file, others=row.others)
    report = account.examine()
    for topic in row.about:
        assert NOT_AGAIN.search(about(report, topic).text), about(report, topic)
    texts = [finding.text for finding in report.troubles]
    assert any(OTHER_SYSTEMS in text for text in texts) is row.is_other_system
    assert (OTHER_SYSTEMS in report.verdict) is row.is_other_system
    if row.about:
        assert NOT_AGAIN.search(report.verdict), report.verdict
