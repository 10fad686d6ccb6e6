"""
The path of one file that replies 404 to a new file, though the list has it and the path has older files.
A task bears such a 404 for 60 s after its upload. If the path has the file at last, and a 404 came later
than 20 s after the upload (a third of that), the path is *not proved*, and the report says how late the
last 404 was; earlier ones do not count. If the path never has it, the report says that the path is right.
In both cases, a cache that says it has sent the 404 is named, and no other path is proposed.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_service import FILES_PATH, Account, Call, about, examined, json_reply, record
from support.doctor_uploads import URL, Uploads
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.report import Report

NEVER = float("inf")
OF_FILE = f"GET {FILES_PATH}/up"
NO_RETRY = "and Airflow does not retry it. No setting helps: "
OF_SUPPORT = f"{NO_RETRY}ask the service's support how soon it has a new file."
OF_CACHE = f"{NO_RETRY}ask whoever runs the cache to keep no 404."


class New(NamedTuple):
    """
    When the path of one file has a new one, and what is said of the path.

    :ivar found_after: seconds from the upload.
    :ivar headers: of the 404 until then.
    """

    name: str
    found_after: float
    says: tuple[str, ...]
    certainty: Certainty = Certainty.NOT_PROVED
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


NEW = [
    New("at once", 0.0, ("It has a file and its status.",), Certainty.SURE),
    New("after 15 s", 15.0, ("It has a file and its status.",), Certainty.SURE),
    New(
        "after 45 s",
        45.0,
        (
            f"{OF_FILE} has the uploaded file, but still got 404 not-found 4",
            " s after the upload. A task bears that for 60 s, and fails if another file takes "
            f"longer, {OF_SUPPORT}",
        ),
    ),
    New(
        "after 45 s, from a cache",
        45.0,
        (" s after the upload (kept by a cache: Age: 9). A task bears that for 60 s", OF_CACHE),
        headers={"Age": "9"},
    ),
    New(
        "never",
        NEVER,
        (
            f"The service replies 404 not-found to {OF_FILE}: 'No such file'. The path has an older "
            "file, so it is right, and did not have the new one meanwhile. A task fails if that "
            f"lasts for 60 s, {OF_SUPPORT}",
        ),
    ),
    New(
        "never, from a cache",
        NEVER,
        ("have the new one meanwhile (kept by a cache: x-cache: Hit from cdn). A task", OF_CACHE),
        headers={"X-Cache": "Hit from cdn"},
    ),
]


def examined_with(row: New) -> Report:
    """Have the doctor upload a file that its own path does not have before the row says so."""
    uploads = Uploads(others=[record("f1"), record("f2")])
    refusal = json_reply(404, {"error": {"code": "not-found", "message": "No such file."}})

    def answer(call: Call) -> Reply | None:
        is_new = bool(uploads.name) and call.path == f"{FILES_PATH}/up"
        if is_new and CLOCK.time() - uploads.since < row.found_after:
            return Reply(refusal.status, refusal.body, {**refusal.headers, **row.headers})
        return uploads.answer(call)

    with replying(Account(answer), uploads.take) as url:
        return examined(url, coupon_list_id="spring", file_url=URL, timeout=90.0, final_after=1.0)


@pytest.mark.parametrize("row", NEW, ids=ids(NEW))
def test_the_path_of_one_file_is_not_proved_if_a_new_file_is_missing_there_for_long(row: New):
    report = examined_with(row)
    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is row.certainty
    assert all(part in finding.text for part in row.says), finding.text
    assert "paths.coupon_file" not in report.changed
