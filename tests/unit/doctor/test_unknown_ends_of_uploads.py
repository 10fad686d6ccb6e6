"""
What is said of the last status of an uploaded file if neither the provider nor the connection knows
it, or if something in the record or the list takes precedence over it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_files import (
    NAME,
    NONE_ADDED,
    NOT_ASKED,
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
from wes_provider.doctor.file_conclusions import conclude_from_upload
from wes_provider.doctor.findings import Topic
from wes_provider.doctor.whereabouts import has_parts, taken_for

BY_COUNTS = [
    UploadCase(
        "IMPORTED, with coupons added",
        followed(rec("up", "IMPORTED", **THREE_ADDED)),
        SaidOfFiles(
            WRONG,
            "PENDING → IMPORTED: IMPORTED means success (coupons were added), which the "
            "provider does not know.",
            {"success": ["IMPORTED"]},
        ),
    ),
    UploadCase(
        "LIVE, with coupons added",
        followed(rec("up", "LIVE", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean success: 3 coupons added, but LIVE "
            "may be the name of a stage on the way. Confirm this in the service's dashboard, "
            "then put the extra below into the connection.",
            {"success": ["LIVE"]},
        ),
    ),
    UploadCase(
        "LIVE, with counts of 0",
        followed(rec("up", "LIVE", **NONE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status "
            "up and name it in coupon_file_statuses, or have the next upload wait longer, with "
            "--final-after "
            "SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with counts of 0, and another file with coupons added",
        followed(rec("up", "LIVE", **NONE_ADDED), others=[rec("f1", "SUCCESS", **THREE_ADDED)]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status "
            "up and name it in coupon_file_statuses, or have the next upload wait longer, with "
            "--final-after "
            "SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, without counts",
        followed(rec("up", "LIVE")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Look the status up and name it in "
            "coupon_file_statuses, or have the next upload wait longer, with --final-after "
            "SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with members that count nothing",
        followed(
            rec("up", "LIVE", region="eu", created_at="2026-01-01", batches=["a", "b"], size=0)
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Its record also has region "
            "eu, batches a, b. Look the status up and name it in coupon_file_statuses, or have "
            "the next upload wait longer, with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with a member that is false, and empty ones",
        followed(rec("up", "LIVE", committed=False, note="", tags=[], parent=None)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Its record also has committed "
            "False. Look the status up and name it in coupon_file_statuses, or have the next "
            "upload wait longer, with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with a number of an unknown name",
        followed(rec("up", "LIVE", activated=4)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean success: activated is 4. Does "
            "activated count coupons added (LIVE 4)? Name it in coupon_file_counts, and run "
            "this again: it tells what statuses mean. Look the status up and name it in "
            "coupon_file_statuses, or have the next upload wait longer, with --final-after "
            "SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with counts of 0, and another file with LIVE and coupons added",
        followed(rec("up", "LIVE", **NONE_ADDED), others=[rec("f1", "LIVE", **THREE_ADDED)]),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status up and name it in coupon_file_statuses, or have the next upload wait longer, "
            "with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "LIVE, with counts of 0, and a state tells files of another status apart",
        followed(
            rec("up", "LIVE", **NONE_ADDED),
            others=[
                rec("f1", "ACTIVE", load={"state": "DONE"}),
                rec("f2", "ACTIVE", load={"state": "FAILED"}),
            ],
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status up and name it in coupon_file_statuses, or have the next upload wait longer, "
            "with --final-after SECONDS.",
        ),
    ),
]


@pytest.mark.parametrize("row", BY_COUNTS, ids=ids(BY_COUNTS))
def test_a_status_whose_name_says_nothing_means_what_the_counts_show(row: UploadCase):
    row.check(Topic.STATUSES)


BY_PERSON = [
    UploadCase(
        "PENDING_APPROVAL",
        followed(rec("up", "PENDING_APPROVAL")),
        SaidOfFiles(
            NOT_PROVED,
            "The uploaded file waits for a person: PENDING → PENDING_APPROVAL (the name "
            "PENDING_APPROVAL says so), and did not go on. Have it approved, and see in the "
            "service's dashboard what becomes of it; a task waits for that until its "
            "timeout. Confirm this in the service's dashboard, then put the extra below into "
            "the connection.",
            {"pending": ["PENDING_APPROVAL"]},
        ),
    ),
    UploadCase(
        "PENDING_APPROVAL, and another file has an unknown status",
        followed(rec("up", "PENDING_APPROVAL"), others=[rec("f1", "LIVE", **THREE_ADDED)]),
        SaidOfFiles(
            NOT_PROVED,
            "The uploaded file waits for a person: PENDING → PENDING_APPROVAL (the name "
            "PENDING_APPROVAL says so), and did not go on. Have it approved, and see in the "
            "service's dashboard what becomes of it; a task waits for that until its "
            "timeout. LIVE seems to mean success (file f1: 3 coupons added, but LIVE may be "
            "the name of a stage on the way). Confirm this in the service's dashboard, then "
            "put the extra below into the connection.",
            {"pending": ["PENDING_APPROVAL"], "success": ["LIVE"]},
        ),
    ),
]


@pytest.mark.parametrize("row", BY_PERSON, ids=ids(BY_PERSON))
def test_a_file_that_waits_for_a_person_is_pending(row: UploadCase):
    row.check(Topic.STATUSES)


COMMIT = {"commit": {"method": "POST", "href": "/v1/files/up/commit"}}
WAITS_FOR_REQUEST = (
    "by its record, the file waits for a further request (POST /v1/files/up/commit), which the "
    "provider does not send. So no list of coupon_file_statuses helps, and STAGED is no success. "
    "Have this file finished or taken back in the service's dashboard, and ask the service's "
    "support for uploads that need no such request."
)
DEMANDING = [
    UploadCase(
        "STAGED, with a link to commit",
        followed(rec("up", "STAGED", coupons_added=0, coupons_valid=3, _links=COMMIT)),
        SaidOfFiles(NOT_PROVED, f"PENDING → STAGED, which lasted: {WAITS_FOR_REQUEST}"),
    ),
    UploadCase(
        "STAGED, with a link to commit, and coupons added",
        followed(rec("up", "STAGED", **THREE_ADDED, _links=COMMIT)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → STAGED, which lasted and may mean pending: the name STAGED speaks of a file "
            "on its way. Its record also has _links.commit.method POST, _links.commit.href "
            "/v1/files/up/commit. Look the status up and name it in coupon_file_statuses, or have "
            "the next upload wait longer, with --final-after SECONDS.",
            {"pending": ["STAGED"]},
        ),
    ),
    UploadCase(
        "SUCCESS, with a link to commit, and nothing added",
        followed(rec("up", "SUCCESS", coupons_added=0, _links=COMMIT)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but no coupon was added. Its "
            "record also has _links.commit.method POST, _links.commit.href /v1/files/up/commit. "
            "Upload new coupons, if none of them may be in a list already.",
        ),
    ),
]


@pytest.mark.parametrize("row", DEMANDING, ids=ids(DEMANDING))
def test_a_file_that_waits_for_a_request_is_no_success_unless_it_has_ended(row: UploadCase):
    row.check(Topic.STATUSES)


BY_NAME = [
    UploadCase(
        "REFUSED, with a reason",
        followed(rec("up", "REFUSED", error="no header")),
        SaidOfFiles(
            WRONG,
            "PENDING → REFUSED: REFUSED means failure (the service names 'no header'), which "
            "the provider does not know. If it is the file, run this again with a good one; "
            "otherwise, settle that first.",
            {"failure": ["REFUSED"]},
        ),
    ),
    UploadCase(
        "REFUSED, with a reason about the URL",
        followed(rec("up", "REFUSED", error="GET https://files.example.com returned 403")),
        SaidOfFiles(
            WRONG,
            "PENDING → REFUSED: REFUSED means failure (the service names 'GET "
            "https://files.example.com returned 403'), which the provider does not know. If the "
            "service could not get it from its URL, let the service's addresses in there, or use a "
            "URL that it can read, and run this again.",
            {"failure": ["REFUSED"]},
        ),
    ),
    UploadCase(
        "REFUSED, without a reason",
        followed(rec("up", "REFUSED")),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → REFUSED, which lasted and may mean failure: the name REFUSED speaks "
            "of a failure. Look the status up and name it in coupon_file_statuses, or have the "
            "next upload wait longer, with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "PARTIAL, with coupons added",
        followed(rec("up", "PARTIAL", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → PARTIAL, which lasted and is partial (3 coupons added, but the name "
            "PARTIAL speaks of a failure): decide whether your tasks should accept it, or "
            "upload a file without faults.",
        ),
    ),
    UploadCase(
        "ARCHIVED, with coupons added",
        followed(rec("up", "ARCHIVED", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → ARCHIVED, which lasted and may mean success or failure: ARCHIVED may "
            "be the name of a stop or of an end, whatever its numbers are (coupons_added is "
            "3). Look the status up and name it in coupon_file_statuses, or have the next "
            "upload wait longer, with --final-after SECONDS.",
        ),
    ),
    UploadCase(
        "IMPORTING, with coupons added",
        followed(rec("up", "IMPORTING", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → IMPORTING, which lasted and may mean pending: the name IMPORTING "
            "speaks of a file on its way. Look the status up and name it in coupon_file_statuses, "
            "or "
            "have the next upload wait longer, with --final-after SECONDS.",
            {"pending": ["IMPORTING"]},
        ),
    ),
    UploadCase(
        "SCHEDULED, for a time to come",
        followed(rec("up", "SCHEDULED", process_after="2030-01-01T02:00:00Z", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SCHEDULED, which lasted and may mean pending: the name SCHEDULED speaks of "
            "a file on its way. Its record also has process_after 2030-01-01T02:00:00Z. By "
            "process_after 2030-01-01T02:00:00Z it goes on later: look in the service's dashboard "
            "after that what its last status is, and see that tasks wait so long.",
            {"pending": ["SCHEDULED"]},
        ),
    ),
]


@pytest.mark.parametrize("row", BY_NAME, ids=ids(BY_NAME))
def test_a_status_that_speaks_of_a_failure_is_wrong_with_a_reason_and_any_other_not_proved(
    row: UploadCase,
):
    row.check(Topic.STATUSES)


NOT_IN_EFFECT = [
    UploadCase(
        "VALIDATED, without coupons added, and a mode of checks",
        followed(
            rec("up", "VALIDATED", coupons_added=0, coupons_valid=9, mode="validate_only"),
            others=[rec("f1", "VALIDATED", coupons_added=0)],
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → VALIDATED, without coupons added, and mode is 'validate_only'. The account "
            "may only check files, and add nothing. Ask the service's support to have files "
            "imported, and run this again; put nothing of it into coupon_file_statuses before "
            "that.",
        ),
    ),
    UploadCase(
        "SUCCESS, with coupons added, in a dry run",
        followed(rec("up", "SUCCESS", dry_run=True, **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS, with coupons added, but they may not be in the list: dry_run is "
            "'True'. The account may only check files, and add nothing. Ask the service's support "
            "to have files imported, and run this again; put nothing of it into "
            "coupon_file_statuses before that.",
        ),
    ),
    UploadCase(
        "SUCCESS, with coupons added, and not published",
        followed(rec("up", "SUCCESS", published=False, **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SUCCESS, with coupons added, but they may not be in the list: published is "
            "'False'. The account may only check files, and add nothing. Ask the service's support "
            "to have files imported, and run this again; put nothing of it into "
            "coupon_file_statuses before that.",
        ),
    ),
]


@pytest.mark.parametrize("row", NOT_IN_EFFECT, ids=ids(NOT_IN_EFFECT))
def test_a_file_that_was_only_checked_or_is_not_in_effect_proves_no_status(row: UploadCase):
    row.check(Topic.STATUSES)


SPLIT = [
    UploadCase(
        "SPLIT, and the list has two files made of it",
        followed(
            rec("up", "SPLIT", parts=["up_1"]),
            others=[
                rec("f1", "SUCCESS", **THREE_ADDED),
                rec("up_1", "SUCCESS", **THREE_ADDED),
                rec("up_2", "SUCCESS", of="up"),
            ],
            before=[rec("f1", "SUCCESS", **THREE_ADDED)],
        ),
        SaidOfFiles(
            NOT_PROVED,
            "PENDING → SPLIT, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Its record also has parts "
            "up_1. The list has 2 new files made of it: up_1 (SUCCESS, 3 coupons added), "
            "up_2 (SUCCESS). No task waits for these. Ask the service's support which status "
            "says that all of them are in, and name it as success only then.",
        ),
    ),
]


@pytest.mark.parametrize("row", SPLIT, ids=ids(SPLIT))
def test_a_status_is_not_proved_if_the_list_has_files_made_of_the_uploaded_one(row: UploadCase):
    row.check(Topic.STATUSES)


UNREADABLE = [
    UploadCase(
        "a status that is no text",
        followed(rec("up", "FERTIG\ufffd", **THREE_ADDED)),
        SaidOfFiles(
            NOT_PROVED,
            "FERTIG� cannot be read: its bytes are not text in the charset that the response "
            "names. Ask the service's support for UTF-8.",
        ),
    ),
    UploadCase(
        "a status that seems to be a mask",
        followed(rec("up", "****", **THREE_ADDED), ("****",)),
        SaidOfFiles(
            NOT_PROVED,
            "**** seems to be a mask, as of something on the way that hides values: have whoever "
            "runs it pass these replies on as they are. Name it nowhere: successes and failures "
            "may look alike.",
        ),
    ),
]


@pytest.mark.parametrize("row", UNREADABLE, ids=ids(UNREADABLE))
def test_a_status_that_cannot_be_read_is_proposed_for_nothing(row: UploadCase):
    row.check(Topic.STATUSES)


class Taken(NamedTuple):
    """An upload, and whether the service may have taken it for a file that the list had before."""

    name: str
    record: Mapping[str, Any]
    is_taken: bool
    listed: bool = False
    others: Sequence[Mapping[str, Any]] = (rec("f1", "SUCCESS"),)


TAKEN = [
    Taken("its record names the other file", {"merged_into": "f1"}, is_taken=True),
    Taken("its record names it within an object", {"duplicate": {"of": "f1"}}, is_taken=True),
    Taken("its record names several", {"duplicates": ["f7", "f1"]}, is_taken=True),
    Taken("its record names another one", {"merged_into": "f7"}, is_taken=False),
    Taken("its record names none", {}, is_taken=False),
    Taken("the list shows the uploaded file", {"merged_into": "f1"}, is_taken=False, listed=True),
    Taken("the list has no other file", {"merged_into": "f1"}, is_taken=False, others=()),
]


@pytest.mark.parametrize("row", TAKEN, ids=ids(TAKEN))
def test_an_upload_is_taken_for_another_file_if_its_record_names_that(row: Taken):
    seen = followed(rec("up", "MERGED", **row.record), listed=row.listed, others=row.others)
    assert (taken_for(seen) is not None) is row.is_taken


def test_an_upload_that_is_taken_for_another_file_shows_nothing_of_the_list():
    seen = followed(
        rec("up", "MERGED", merged_into="f1", coupons_added=0),
        listed=False,
        others=[rec("f1", "SUCCESS")],
    )
    findings = conclude_from_upload(SETTINGS, seen, NAME)
    said = {finding.topic: finding for finding in findings}
    assert said[Topic.STATUSES].is_cause
    assert said[Topic.STATUSES].certainty is NOT_PROVED
    assert said[Topic.STATUSES].text == (
        "PENDING → MERGED: the record of the uploaded file names coupon file f1, which the list "
        "had before, and the list does not show the uploaded one, so the service may have taken it "
        "for that one. Its record also has merged_into f1. Upload a file with other codes, to see "
        "what success is called. Decide whether your tasks should accept MERGED."
    )
    for topic in (Topic.LIST_PATH, Topic.LAG, Topic.NAMES):
        assert said[topic].certainty is NOT_ASKED
        assert said[topic].text == "Not shown by this upload: see Statuses."


def test_a_last_status_with_a_number_of_its_file_is_named_in_no_list():
    seen = followed(rec("up", "Imported 3 codes", **THREE_ADDED))
    statuses, *_ = conclude_from_upload(SETTINGS, seen, NAME)
    assert SaidOfFiles.of(statuses) == SaidOfFiles(
        WRONG,
        "PENDING → Imported 3 codes. Statuses have numbers of their file in them ('IMPORTED 3 "
        "CODES'), so the next file has another one, and no list of coupon_file_statuses helps: "
        "tasks would wait until their timeout. Name none of them, and ask the service's support "
        "for statuses of fixed words.",
    )


def test_a_state_that_tells_files_of_the_last_status_apart_is_said_of_an_upload():
    seen = followed(
        rec("up", "ACTIVE", load={"state": "DONE"}),
        others=[rec("f1", "ACTIVE", load={"state": "FAILED"})],
    )
    statuses, *_ = conclude_from_upload(SETTINGS, seen, NAME)
    assert statuses.certainty is NOT_PROVED
    assert statuses.text.startswith(
        "PENDING → ACTIVE, which lasted. ACTIVE is the status of files whose load.state differs"
    )


class Made(NamedTuple):
    """A new file of a list, and whether it is made of the uploaded file."""

    name: str
    uploaded: Mapping[str, Any]
    other: Mapping[str, Any]
    is_made_of_it: bool


MADE = [
    Made("its name goes on", {}, {"name": f"{NAME}.part-1"}, is_made_of_it=True),
    Made("another name", {}, {"name": "other"}, is_made_of_it=False),
    Made("no file has a name", {"name": ""}, {"name": ""}, is_made_of_it=False),
    Made("the uploaded one has no name", {"name": ""}, {"name": "other"}, is_made_of_it=False),
    Made("it names the uploaded one", {}, {"name": "other", "of": "up"}, is_made_of_it=True),
    Made("the uploaded one names it", {"parts": ["f9"]}, {"name": "other"}, is_made_of_it=True),
]


@pytest.mark.parametrize("row", MADE, ids=ids(MADE))
def test_a_file_is_made_of_another_one_by_its_name_or_an_identifier(row: Made):
    other = {**rec("f9", "SUCCESS"), **row.other}
    seen = followed({**rec("up", "SPLIT"), **row.uploaded}, others=[other], before=[])
    assert has_parts(seen) is row.is_made_of_it
