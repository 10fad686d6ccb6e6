"""
A file of the list whose own path says that it is gone, by a 410 or by a 404 with a code of its own. The
last file of the list is read in its place: if that comes, the path of one file is *sure*; if it is gone
as well, the path is *not proved*, though the service has it. A 410 that names another path of one
file, or whose words say that this one has ended, is not about the file: the other path is read.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
    json_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic

SURE, NOT_PROVED = Certainty.SURE, Certainty.NOT_PROVED


class GoneFiles(NamedTuple):
    """Which of the list's files f1, f2 and f3 are gone, by which reply, and what follows."""

    name: str
    gone: tuple[str, ...]
    reply: Reply
    certainty: Certainty
    says: str


OF_FILE = json_reply(404, {"error": {"code": "file-expired", "message": "Deleted after 30 days"}})
HAS_GONE = json_reply(410, {"error": {"code": "gone", "message": "Deleted after 30 days"}})
GONE_FILES = (
    GoneFiles("the first, with 410", ("f1",), HAS_GONE, SURE, "It has a file and its status."),
    GoneFiles("all but the last", ("f1", "f2"), HAS_GONE, SURE, "It has a file and its status."),
    GoneFiles(
        "the first and the last",
        ("f1", "f3"),
        HAS_GONE,
        NOT_PROVED,
        "The service replies 410 gone to GET /v1/coupon-list/spring/files/f3: 'Deleted after 30 "
        "days'. So it has this path, and file 'f3' is gone: name a list with newer files, or let --upload URL show it.",
    ),
    GoneFiles(
        "the first, with a 404 of its own", ("f1",), OF_FILE, SURE, "It has a file and its status."
    ),
)


@pytest.mark.parametrize("row", GONE_FILES, ids=[row.name for row in GONE_FILES])
def test_another_file_is_read_if_the_first_one_is_gone(row: GoneFiles):
    def nasty(call: Call) -> Reply | None:
        is_gone = call.key == "campaign" and call.path.endswith(row.gone)
        return row.reply if is_gone else None

    records = [record("f1"), record("f2"), record("f3")]
    report = examined_account(Account(nasty, records=records))
    check_what_holds_of_each_report(report)
    finding = about(report, Topic.FILE_PATH)
    assert (finding.certainty, finding.text) == (row.certainty, row.says)


class EndedPath(NamedTuple):
    """What a 410 says of the path of one file, and what follows if files are at another one."""

    name: str
    message: str
    verdict: str


OLD_PATH = f"GET {FILES_PATH}/:fileId"
ENDED_PATHS = (
    EndedPath(
        "it names another one",
        "Gone. Use /v1/files/:fileId instead.",
        "Not ready: Path of one file. The service names /v1/files/{coupon_file_id}, which has a "
        "file and its status.",
    ),
    EndedPath(
        "it has ended, and names another one",
        f"{OLD_PATH} was retired in May. Use GET /v1/files/:fileId instead.",
        "Not ready: Path of one file. The service names /v1/files/{coupon_file_id}, which has a "
        "file and its status.",
    ),
    EndedPath(
        "it has ended",
        f"{OLD_PATH} was retired in May.",
        "Not ready: Path of one file. It is /v1/files/{coupon_file_id}, not "
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}.",
    ),
)


@pytest.mark.parametrize("row", ENDED_PATHS, ids=[row.name for row in ENDED_PATHS])
def test_a_410_about_the_path_leads_to_another_one(row: EndedPath):
    def ended(call: Call) -> Reply | None:
        if call.path.startswith(f"{FILES_PATH}/") and call.key == "campaign":
            return json_reply(410, {"error": {"code": "gone", "message": row.message}})
        return None

    account = Account(ended, file_path="/v1/files/{id}")
    report = examined_account(account)
    check_what_holds_of_each_report(report)
    assert report.verdict.startswith(row.verdict)
