"""
What is said of an uploaded file whose end was not seen within the time (20 s here).

If its own path has no end, and the list has one, SUCCESS or FAILED, the statuses are wrong, since
tasks wait by that path, and the Path of one file is in doubt; not if the list has a stage or the
same, or the path has an end, too. If the list has the file under another identifier, the statuses
are wrong, too. Otherwise they are *Not proved*, and the file is not to be uploaded again. If no
path of one file shows it, that path is to be settled first; if no read of it got an answer, that is
said in its place. What to do depends on the record, the
first of these: a number of an attempt below the most (look after that), an error about fetching the
URL (without its query), a 404 that lasts (the service may remove files that are done), a 410 (ask
for an identifier that stays), a time to come (look after it);
else ``--timeout`` gives the next upload more time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from support.doctor_files import (
    NAME,
    NOT_PROVED,
    SETTINGS,
    THREE_ADDED,
    WRONG,
    SaidOfFiles,
    UploadCase,
    followed,
    rec,
)
from support.doctor_findings import ids
from support.doctor_replies import error_body, reply
from wes_provider.doctor.conclusions.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings.finding import Topic
from wes_provider.doctor.replies.files import file_of
from wes_provider.doctor.writes.upload import NOT_SHOWN, Followed

UNREAD = [
    UploadCase(
        "the list alone has it",
        followed(rec("up", "SUCCESS", **THREE_ADDED), alone=False, problem=NOT_SHOWN),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: no path of one file shows it; the list has "
            "it, with PENDING → SUCCESS. Do not upload it again. Settle the Path of one file "
            "first: tasks read the file there, until its end.",
        ),
    ),
    UploadCase(
        "nothing has it",
        followed(rec("up", "PENDING"), (), alone=False, listed=False, problem=NOT_SHOWN),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: no path of one file shows it, and neither "
            "does the list; the response to the upload had PENDING. Do not upload it again. "
            "Settle the Path of one file first: tasks read the file there, until its end.",
        ),
    ),
    UploadCase(
        "nothing has it, and it had no status",
        followed({"_id": "up", "state": 7}, (), alone=False, problem=NOT_SHOWN),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: no path of one file shows it. Do not upload it "
            "again. Settle the Path of one file first: tasks read the file there, until its end.",
        ),
    ),
]


AWAY = reply(503, error_body("unavailable", "Deployment in progress."))


def unanswered(seen: Followed) -> Followed:
    """The same file, whose reads at its own path got no answer."""
    return replace(seen, places=replace(seen.places, files={"/files/{coupon_file_id}": AWAY}))


SILENT = (
    "Do not upload it again: see in the service's dashboard what becomes of it, and run this "
    "again without --upload, once reads get answers."
)
UNANSWERED = [
    UploadCase(
        "the list alone has it",
        unanswered(followed(rec("up", "SUCCESS", **THREE_ADDED), problem=NOT_SHOWN)),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: no read of it since the upload got an answer; the "
            f"list has it, with PENDING → SUCCESS. {SILENT}",
        ),
    ),
    UploadCase(
        "nothing has it",
        unanswered(followed(rec("up", "PENDING"), (), listed=False, problem=NOT_SHOWN)),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: no read of it since the upload got an answer; the "
            f"response to the upload had PENDING. {SILENT}",
        ),
    ),
    UploadCase(
        "nothing has it, and it had no status",
        unanswered(followed({"_id": "up", "state": 7}, (), listed=False, problem=NOT_SHOWN)),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: no read of it since the upload got an answer. "
            f"{SILENT}",
        ),
    ),
]


@pytest.mark.parametrize("row", UNANSWERED, ids=ids(UNANSWERED))
def test_an_end_is_not_proved_if_no_read_of_the_file_got_an_answer(row: UploadCase):
    row.check(Topic.STATUSES)


@pytest.mark.parametrize("row", UNREAD, ids=ids(UNREAD))
def test_an_end_is_not_proved_if_no_path_of_one_file_shows_the_file(row: UploadCase):
    row.check(Topic.STATUSES)


UNENDED = [
    UploadCase(
        "PENDING",
        followed(
            rec("up", "PENDING"),
            alone=True,
            problem="Not processed within 20 s, last status PENDING",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s, last status "
            "PENDING. Do not upload it again: see in the service's dashboard what becomes of it, "
            "or "
            "ask the service's support. --timeout gives the next upload more time.",
        ),
    ),
    UploadCase(
        "PENDING at its own path all the time",
        followed(rec("up", "PENDING"), problem=NOT_SHOWN),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: still PENDING after 20 s. Do not upload "
            "it again: see in the service's dashboard what becomes of it, or ask the service's "
            "support. --timeout gives the next upload more time.",
        ),
    ),
    UploadCase(
        "PENDING, for a time to come",
        followed(
            rec("up", "PENDING", process_after="2030-01-01T02:00:00Z"),
            problem="Not processed within 20 s, last status PENDING",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s, last status PENDING. Its "
            "record also has process_after 2030-01-01T02:00:00Z. By process_after "
            "2030-01-01T02:00:00Z it goes on later: do not upload it again, look in the service's "
            "dashboard after that what became of it, and see that tasks wait so long.",
        ),
    ),
    UploadCase(
        "PENDING, with an error about the URL",
        followed(
            rec("up", "PENDING", last_error="GET https://files.example.com/a.csv: 403 Forbidden"),
            (),
            problem="Not processed within 75 s",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 75 s. The service names "
            "'last_error: GET https://files.example.com/a.csv: 403 Forbidden'. It seems not to get "
            "the file from the URL: let it read that from where it asks, and see what becomes of "
            "this file before you upload it again.",
        ),
    ),
    UploadCase(
        "PENDING, and PROCESSING in the list",
        followed(
            rec("up", "PENDING"),
            in_list=rec("up", "PROCESSING"),
            problem="Not processed within 20 s, last status PENDING",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s, last status PENDING. Do "
            "not upload it again: see in the service's dashboard what becomes of it, or ask the "
            "service's support. --timeout gives the next upload more time.",
        ),
    ),
    UploadCase(
        "PENDING, and SUCCESS in the list",
        followed(
            rec("up", "PENDING"),
            in_list=rec("up", "SUCCESS", **THREE_ADDED),
            problem="Not processed within 20 s, last status PENDING",
        ),
        SaidOfFiles(
            WRONG,
            "The list has the file as SUCCESS, but its own path replied PENDING for 20 s. Tasks "
            "wait by that path, so they would not see the end. Do not upload it again: it is "
            "there. Ask the service's support why the two differ.",
        ),
    ),
    UploadCase(
        "PENDING, and another identifier in the list",
        replace(
            followed(rec("up", "PENDING"), (), problem="303"),
            successor=file_of(rec("cf-1", "SUCCESS")),
        ),
        SaidOfFiles(
            WRONG,
            "The end of the file was not seen under its identifier up: 303. The list has it as "
            "cf-1 (SUCCESS) now, so its identifier changes, and a task could not wait for it. No "
            "setting changes that: ask the service's support for an identifier that stays. Do not "
            "upload it again: it is there.",
        ),
    ),
    UploadCase(
        "PROCESSING, then 410",
        replace(
            followed(rec("up", "PROCESSING"), (), problem="410 superseded: f901, f902."),
            gone=reply(410, error_body("superseded", "f901, f902.")),
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: 410 superseded: f901, f902. No time cures that: see "
            "in the list what became of it, do not upload it again, and ask the service's support "
            "for an identifier that stays until the file is processed.",
        ),
    ),
    UploadCase(
        "PROCESSING, then 404 that lasts",
        replace(
            followed(rec("up", "PROCESSING"), (), problem="404 not-found: No such file."),
            gone=reply(404, error_body("not-found", "No such file.")),
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: 404 not-found: No such file. It had PROCESSING "
            "last, and is gone since, also from the list: the service may remove files that are "
            "done, and then no task sees a success. Do not upload it again: see in the service's "
            "dashboard what became of it, and ask the service's support to keep files, and to "
            "show them, after they have ended.",
        ),
    ),
    UploadCase(
        "PENDING, with an error about the URL, then 410",
        replace(
            followed(
                rec("up", "PENDING", last_error="GET https://files.example.com/a.csv: 403"),
                (),
                problem="410 gone.",
            ),
            gone=reply(410, error_body("gone", "Gone.")),
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: 410 gone. The service names 'last_error: GET "
            "https://files.example.com/a.csv: 403'. It seems not to get the file from the URL: let "
            "it read that from where it asks, and see what becomes of this file before you upload "
            "it again.",
        ),
    ),
    UploadCase(
        "PENDING, for a time to come, then 410",
        replace(
            followed(
                rec("up", "PENDING", process_after="2030-01-01T02:00:00Z"), problem="410 gone."
            ),
            gone=reply(410, error_body("gone", "Gone.")),
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: 410 gone. Its record also has process_after "
            "2030-01-01T02:00:00Z. No time cures that: see in the list what became of it, do not "
            "upload it again, and ask the service's support for an identifier that stays until the "
            "file is processed.",
        ),
    ),
    UploadCase(
        "PENDING, in a dry run",
        followed(rec("up", "PENDING", dry_run=True), problem="Not processed within 20 s"),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s. Its record also has "
            "dry_run true. Do not upload it again: see in the service's dashboard what becomes of "
            "it, or ask the service's support. --timeout gives the next upload more time.",
        ),
    ),
    UploadCase(
        "FAILED for now, to be tried again",
        followed(
            rec("up", "FAILED", error="GET file_url: 503", attempt=1, max_attempts=3),
            problem="FAILED for now, to be tried again",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: FAILED for now, to be tried again. The service "
            "names 'GET file_url: 503'. By attempt 1, max_attempts 3 the service tries it again: "
            "do not upload it again, and look in the service's dashboard after that what became of "
            "it. A task fails at this status, and a clear of that task would upload the file once "
            "more: ask the service's support for another status until its last attempt.",
        ),
    ),
    UploadCase(
        "PENDING, with an error about a URL with a signature",
        followed(
            rec("up", "PENDING", last_error="GET https://files.example.com/a.csv?sig=sesame: 403"),
            problem="Not processed within 20 s",
        ),
        SaidOfFiles(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s. The service names "
            "'last_error: GET https://files.example.com/a.csv 403'. It seems not to get the file "
            "from the URL: let it read that from where it asks, and see what becomes of this file "
            "before you upload it again.",
        ),
    ),
]


@pytest.mark.parametrize("row", UNENDED, ids=ids(UNENDED))
def test_an_end_that_was_not_seen_is_wrong_if_the_list_has_one_and_else_not_proved(row: UploadCase):
    row.check(Topic.STATUSES)


class OwnPath(NamedTuple):
    """
    An uploaded file as its own path has it and as the list has it, and whether its path is in
    doubt for that.
    """

    name: str
    alone: str
    in_list: str
    problem: str
    is_in_doubt: bool


OWN_PATHS = [
    OwnPath(
        "the list has the end, which the path has not",
        "PENDING",
        "SUCCESS",
        "late",
        is_in_doubt=True,
    ),
    OwnPath(
        "the list has a failure, which the path has not",
        "PENDING",
        "FAILED",
        "late",
        is_in_doubt=True,
    ),
    OwnPath("the list has a stage", "PENDING", "PROCESSING", "late", is_in_doubt=False),
    OwnPath("both have the same", "PENDING", "PENDING", "late", is_in_doubt=False),
    OwnPath("the path has an end, too", "SUCCESS", "FAILED", "", is_in_doubt=False),
]


@pytest.mark.parametrize("row", OWN_PATHS, ids=ids(OWN_PATHS))
def test_the_path_of_a_file_is_in_doubt_if_only_the_list_has_its_end(row: OwnPath):
    seen = followed(rec("up", row.alone), in_list=rec("up", row.in_list), problem=row.problem)
    findings = conclude_from_upload(SETTINGS, seen, NAME)
    said = [SaidOfFiles.of(finding) for finding in findings if finding.topic is Topic.FILE_PATH]
    in_doubt = SaidOfFiles(
        NOT_PROVED, "It has the file, with another status than the list: see Statuses."
    )
    assert said == ([in_doubt] if row.is_in_doubt else [])
