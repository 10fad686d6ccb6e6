"""What follows from an uploaded file, and from the files of a list: with the whole sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
import pytest

from support.doctor_findings import ids
from support.doctor_replies import error, reply
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.evidence import Places, file_at, list_at
from wes_provider.doctor.file_conclusions import conclude_from_list, conclude_from_upload
from wes_provider.doctor.files import file_of
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.probes import Probe, Question
from wes_provider.doctor.upload import NOT_SHOWN, Followed
from wes_provider.doctor.whereabouts import has_parts, taken_for
from wes_provider.settings import WesSettings

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED
NOT_ASKED = Certainty.NOT_ASKED
SETTINGS = WesSettings("https://api.example.com", "acme", "campaign-key", "data-key")
OWN = msgspec.structs.replace(SETTINGS, statuses=Statuses(success=frozenset({"LIVE", "SUCCESS"})))
FILE_PATH, LIST_PATH = SETTINGS.coupon_file_path, SETTINGS.coupon_files_path
LIST = "spring"
NAME = "Wes-Doctor-1234567890-nnnn.csv"
SOME = {"coupons_added": 3, "coupons_duplicate": 1}
NO_COUPON = {"coupons_added": 0, "coupons_duplicate": 0}


def rec(file_id: str, status: str = "SUCCESS", **more: Any) -> dict[str, Any]:
    return {"_id": file_id, "status": status, **more}


def probe(request: Request, content: Any, took: float = 0.1) -> Probe:
    body = json.dumps(content).encode()
    response = Response(200, {"content-type": "application/json"}, body)
    return Probe(Question.FOLLOW, request, response=response, took=took)


def followed(
    record: Mapping[str, Any],
    statuses: Sequence[str] = ("PENDING",),
    others: Sequence[Mapping[str, Any]] = (),
    before: Sequence[Mapping[str, Any]] | None = None,
    listed: bool = True,
    in_list: Mapping[str, Any] | None = None,
    alone: bool = True,
    partial: bool = False,
    problem: str = "",
    after: float = 4.0,
    unlisted: float = 0.0,
    took: float = 0.1,
) -> Followed:
    """
    An uploaded file that was followed for 20 s.

    :param statuses: that came before the last one.
    :param before: the files that the list had before; by default ``others``.
    :param listed: whether the list has the file; ``in_list``: how, if not as its own path has it.
    :param alone: whether a path of its own has it.
    :param partial: whether the list announces more files.
    :param after: seconds after which the list had it; ``unlisted``: after which it still had not.
    """
    record = {"name": NAME, **record}
    file = file_of(record)
    assert file is not None
    content: Any = [*others]
    if listed:
        content = [*others, {"name": NAME, **(in_list or record)}]
    if partial:
        content = {"data": content, "total": 99}
    lists = {LIST_PATH: probe(list_at(SETTINGS, LIST_PATH, LIST), content, took)}
    files = {}
    if alone:
        files = {FILE_PATH: probe(file_at(SETTINGS, FILE_PATH, LIST, file.id), record)}
    if file.status and file.status not in statuses[-1:]:
        statuses = [*statuses, file.status]
    if before is None:
        before = others
    known = [file_of(other) for other in before]
    seen_after = None
    if listed:
        seen_after = after
    return Followed(
        file,
        Places(lists, files, file.id, file.id),
        before=[other for other in known if other is not None],
        statuses=tuple(statuses),
        listed_after=seen_after,
        unlisted_after=unlisted,
        waited=20.0,
        problem=problem,
    )


class Said(NamedTuple):
    """
    What is said of a topic.

    :ivar new: what the extra would have besides: statuses by their list, names of counts, seconds.
    """

    certainty: Certainty
    text: str
    new: Mapping[str, Any] = {}
    needs_action: bool = False

    @classmethod
    def of(cls, finding: Finding) -> Said:
        new: dict[str, Any] = {}
        for name, value in [*finding.settings.items(), *finding.guesses.items()]:
            if name.startswith("coupon_file_statuses."):
                kind = name.partition(".")[2]
                added = sorted({*value} - getattr(Statuses(), kind))
                if added:
                    new[kind] = added
            elif value not in ("", SETTINGS.coupon_files_lag):
                new[name] = value
        return cls(finding.certainty, finding.text, new, finding.needs_action)


class Upload(NamedTuple):
    """A file that was uploaded and followed, and what is said of it."""

    name: str
    followed: Followed
    statuses: Said
    counts: Said | None = Said(SURE, "3 coupons added, 1 duplicate, in file up.")
    lag: Said = Said(SURE, "In the list after 4 s; the 30 s that tasks give it leave room.")
    names: Said = Said(SURE, "The list shows 30 of 30 characters, which suffices.")
    path: Said | None = None
    settings: WesSettings = SETTINGS


def check_upload(row: Upload) -> None:
    """The findings about the file say what the row says, word for word."""
    findings = conclude_from_upload(row.settings, row.followed, NAME)
    said = {finding.topic: Said.of(finding) for finding in findings}
    assert said.pop(Topic.COUNTS, None) == row.counts
    assert said.pop(Topic.FILE_PATH, None) == row.path
    assert said == {
        Topic.STATUSES: row.statuses,
        Topic.LAG: row.lag,
        Topic.NAMES: row.names,
    }


KNOWN = [
    Upload(
        "SUCCESS, with coupons added",
        followed(rec("up", **SOME)),
        Said(SURE, "PENDING → SUCCESS, which means success."),
    ),
    Upload(
        "SUCCESS, without a count of duplicates",
        followed(rec("up", coupons_added=3)),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        counts=Said(SURE, "3 coupons added, in file up; no count of duplicates is known."),
    ),
    Upload(
        "SUCCESS, with duplicates only",
        followed(rec("up", coupons_added=0, coupons_duplicate=5)),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        counts=Said(SURE, "0 coupons added, 5 duplicates, in file up."),
    ),
    Upload(
        "SUCCESS, with counts of 0",
        followed(rec("up", **NO_COUPON)),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but no coupon was added. "
            "Upload new coupons, if none of them may be in a list already.",
        ),
        counts=Said(SURE, "0 coupons added, 0 duplicates, in file up."),
    ),
    Upload(
        "SUCCESS, without counts",
        followed(rec("up")),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    # The record has something that speaks against it.
    Upload(
        "SUCCESS, with a count of invalid rows",
        followed(rec("up", coupons_added=3, invalid=5)),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but invalid is 5. Ask the "
            "service's support what becomes of such a file.",
        ),
        counts=Said(SURE, "3 coupons added, in file up; no count of duplicates is known."),
    ),
    Upload(
        "SUCCESS, with a count of invalid rows and a note about a web page",
        followed(rec("up", coupons_added=0, invalid=1, note="bad code <HTML>")),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but invalid is 1. Its record "
            "also has note bad code <HTML>. The service got a web page from the URL, and no file: "
            "use a URL that leads to the file itself, and run this again.",
        ),
        counts=Said(SURE, "0 coupons added, in file up; no count of duplicates is known."),
    ),
    Upload(
        "SUCCESS, with a note",
        followed(rec("up", **SOME, note="was rolled back")),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but the service notes "
            "'note: was rolled back'. Its record also has note was rolled back. Ask the "
            "service's support what becomes of such a file.",
        ),
    ),
    Upload(
        "SUCCESS, with the number of a stage",
        followed(rec("up", **SOME, stage_no=1, stages=3)),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS: SUCCESS means success, and lasted, but stage_no is 1, and "
            "stages is 3. Ask the service's support what becomes of such a file.",
        ),
    ),
    Upload(
        "SUCCESS, after which the counts grew",
        replace(followed(rec("up", **SOME)), grew="added 0, then 3"),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS, which is success for tasks, but the file went on after that "
            "(added 0, then 3): a task would end too early. Ask the service's support what tells "
            "that a file is done.",
        ),
    ),
    Upload(
        "SUCCESS, and another file has it and an error",
        followed(rec("up", **SOME), others=[rec("f2", added=0, error="No column.")]),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS, which is success for tasks, but 1 of 2 files with success failed "
            "by what the service names: 'No column.'. Ask the service's support what the status "
            "means.",
        ),
    ),
    # FAILED.
    Upload(
        "FAILED, with a reason",
        followed(rec("up", "FAILED", error="no header")),
        Said(
            NOT_PROVED,
            "FAILED: the file failed (no header). If it is the file, run this again with a good "
            "one; otherwise, settle that first.",
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    Upload(
        "FAILED, without a reason",
        followed(rec("up", "FAILED")),
        Said(
            NOT_PROVED,
            "FAILED: the file failed without a reason that the provider reads. See in the "
            "service's dashboard why, or ask its support. If it is the file, run this again with a "
            "good one.",
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    Upload(
        "FAILED, without a reason, with a hint in its record",
        followed(rec("up", "FAILED", row=7, hint="see E-12")),
        Said(
            NOT_PROVED,
            "FAILED: the file failed without a reason that the provider reads. Its record also has "
            "hint see E-12. See in the service's dashboard why, or ask its support. If it is the "
            "file, run this again with a good one.",
        ),
        counts=Said(NOT_ASKED, "No number of file up seems to count coupons added."),
    ),
    Upload(
        "FAILED, for a web page",
        followed(rec("up", "FAILED", error="Line 1: '<!DOCTYPE html>' is no code")),
        Said(
            NOT_PROVED,
            "FAILED: the file failed (Line 1: '<!DOCTYPE html>' is no code). The service got a web "
            "page from the URL, and no file: use a URL that leads to the file itself, and run this "
            "again.",
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    Upload(
        "FAILED, for a URL that was not fetched",
        followed(rec("up", "FAILED", error="GET file_url: 403")),
        Said(
            NOT_PROVED,
            "FAILED: the file failed (GET file_url: 403). If the service could not get it "
            "from its URL, let the service's addresses in there, or use a URL that it can "
            "read, and run this again.",
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
]


@pytest.mark.parametrize("row", KNOWN, ids=ids(KNOWN))
def test_an_uploaded_file_that_ends_with_a_status_that_the_provider_knows(row: Upload):
    """The table has SUCCESS with counts, SUCCESS with something against it, and FAILED."""
    check_upload(row)


ON_THE_WAY = [
    Upload(
        "one unknown status before SUCCESS",
        followed(rec("up", **SOME), ("PENDING", "STAGED")),
        Said(
            SURE,
            "PENDING → STAGED → SUCCESS: STAGED is on the way, and waited for.",
            {"pending": ["STAGED"]},
        ),
    ),
    Upload(
        "two unknown statuses before SUCCESS",
        followed(rec("up", **SOME), ("PENDING", "STAGED", "CHECKED")),
        Said(
            SURE,
            "PENDING → STAGED → CHECKED → SUCCESS: STAGED, CHECKED is on the way, and waited for.",
            {"pending": ["CHECKED", "STAGED"]},
        ),
    ),
    Upload(
        "an own success before SUCCESS",
        followed(rec("up", **SOME), ("PENDING", "LIVE")),
        Said(
            WRONG,
            "PENDING → LIVE → SUCCESS: LIVE is a stage on the way, though tasks take it for "
            "a success, so they would end too early. Name it as pending.",
            {"pending": ["LIVE"]},
        ),
        settings=OWN,
    ),
    Upload(
        "an own success before FAILED",
        followed(rec("up", "FAILED", error="no header"), ("PENDING", "LIVE")),
        Said(
            WRONG,
            "PENDING → LIVE → FAILED: LIVE is a stage on the way, though tasks take it for a "
            "success, so they would end too early. Name it as pending. Then the file failed "
            "(no header): upload a good one.",
            {"pending": ["LIVE"]},
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
        settings=OWN,
    ),
    Upload(
        "SUCCESS before PROCESSING and SUCCESS",
        followed(rec("up", **SOME), ("PENDING", "SUCCESS", "PROCESSING")),
        Said(
            WRONG,
            "PENDING → SUCCESS → PROCESSING → SUCCESS: SUCCESS came before the end, too, as "
            "the status of a step, and tasks take the first one for a success, so they would "
            "end too early. No setting tells the two apart: ask the service's support for a "
            "status that only the whole file gets.",
        ),
    ),
    Upload(
        "SUCCESS before PENDING and SUCCESS",
        followed(rec("up", **SOME), ("PENDING", "SUCCESS", "PENDING")),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS → PENDING → SUCCESS: the status goes back. One of several nodes may "
            "be behind another, or SUCCESS may be the status of a step, too, so that tasks would "
            "end too early. Ask the service's support which of the two it is.",
        ),
    ),
]


@pytest.mark.parametrize("row", ON_THE_WAY, ids=ids(ON_THE_WAY))
def test_an_uploaded_file_that_has_other_statuses_before_its_end(row: Upload):
    """The table has unknown statuses, an own success, and SUCCESS before the end."""
    check_upload(row)


OWN_SUCCESS = [
    Upload(
        "LIVE, named as success, with coupons added",
        followed(rec("up", "LIVE", **SOME)),
        Said(SURE, "PENDING → LIVE, which lasted and means success.", {"success": ["LIVE"]}),
        settings=OWN,
    ),
    Upload(
        "LIVE, named as success, with counts of 0",
        followed(rec("up", "LIVE", **NO_COUPON)),
        Said(
            NOT_PROVED,
            "PENDING → LIVE: LIVE means success by the connection, and lasted, but no coupon "
            "was added. Upload new coupons, if none of them may be in a list already.",
        ),
        counts=Said(SURE, "0 coupons added, 0 duplicates, in file up."),
        settings=OWN,
    ),
    Upload(
        "LIVE, named as success, without counts",
        followed(rec("up", "LIVE")),
        Said(
            NOT_PROVED,
            "PENDING → LIVE: LIVE means success by the connection, and lasted, but no count "
            "that the provider knows shows that coupons were added. Ask the service's "
            "support what becomes of such a file.",
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
        settings=OWN,
    ),
]


@pytest.mark.parametrize("row", OWN_SUCCESS, ids=ids(OWN_SUCCESS))
def test_an_uploaded_file_that_ends_with_a_status_that_the_connection_names_as_success(row: Upload):
    check_upload(row)


UNKNOWN = [
    Upload(
        "IMPORTED, with coupons added",
        followed(rec("up", "IMPORTED", **SOME)),
        Said(
            WRONG,
            "PENDING → IMPORTED: IMPORTED means success (coupons were added), which the "
            "provider does not know.",
            {"success": ["IMPORTED"]},
        ),
    ),
    Upload(
        "LIVE, with coupons added",
        followed(rec("up", "LIVE", **SOME)),
        Said(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean success: 3 coupons added, but LIVE "
            "may be the name of a stage on the way. Confirm this in the service's dashboard, "
            "then put the extra below into the connection.",
            {"success": ["LIVE"]},
        ),
    ),
    Upload(
        "LIVE, with counts of 0",
        followed(rec("up", "LIVE", **NO_COUPON)),
        Said(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status "
            "up and name it in coupon_file_statuses, or have the next upload wait longer, with "
            "--final-after "
            "SECONDS.",
        ),
        counts=Said(SURE, "0 coupons added, 0 duplicates, in file up."),
    ),
    Upload(
        "LIVE, with counts of 0, and another file with coupons added",
        followed(rec("up", "LIVE", **NO_COUPON), others=[rec("f1", **SOME)]),
        Said(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean failure: no coupon was added. Look the "
            "status "
            "up and name it in coupon_file_statuses, or have the next upload wait longer, with "
            "--final-after "
            "SECONDS.",
        ),
        counts=Said(SURE, "0 coupons added, 0 duplicates, in file up."),
    ),
    Upload(
        "LIVE, without counts",
        followed(rec("up", "LIVE")),
        Said(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Look the status up and name it in "
            "coupon_file_statuses, or have the next upload wait longer, with --final-after "
            "SECONDS.",
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    Upload(
        "LIVE, with members that count nothing",
        followed(
            rec("up", "LIVE", region="eu", created_at="2026-01-01", batches=["a", "b"], size=0)
        ),
        Said(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Its record also has region "
            "eu, batches a, b. Look the status up and name it in coupon_file_statuses, or have "
            "the next upload wait longer, with --final-after SECONDS.",
        ),
        counts=Said(NOT_ASKED, "No number of file up seems to count coupons added."),
    ),
    Upload(
        "LIVE, with a member that is false, and empty ones",
        followed(rec("up", "LIVE", committed=False, note="", tags=[], parent=None)),
        Said(
            NOT_PROVED,
            "PENDING → LIVE, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Its record also has committed "
            "False. Look the status up and name it in coupon_file_statuses, or have the next "
            "upload wait longer, with --final-after SECONDS.",
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    Upload(
        "LIVE, with a number of an unknown name",
        followed(rec("up", "LIVE", activated=4)),
        Said(
            NOT_PROVED,
            "PENDING → LIVE, which lasted and may mean success: activated is 4. Does "
            "activated count coupons added (LIVE 4)? Name it in coupon_file_counts, and run "
            "this again: it tells what statuses mean. Look the status up and name it in "
            "coupon_file_statuses, or have the next upload wait longer, with --final-after "
            "SECONDS.",
        ),
        counts=Said(
            NOT_ASKED,
            "Which of activated (4) counts coupons added, in file up? Name it in "
            'coupon_file_counts, such as {"added": "...", "duplicates": "..."}.',
            needs_action=True,
        ),
    ),
    # The name speaks of a failure, a stop, a stage or a wait.
    Upload(
        "REFUSED, with a reason",
        followed(rec("up", "REFUSED", error="no header")),
        Said(
            WRONG,
            "PENDING → REFUSED: REFUSED means failure (the service names 'no header'), which "
            "the provider does not know. If it is the file, run this again with a good one; "
            "otherwise, settle that first.",
            {"failure": ["REFUSED"]},
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    Upload(
        "REFUSED, with a reason about the URL",
        followed(rec("up", "REFUSED", error="GET https://files.example.com returned 403")),
        Said(
            WRONG,
            "PENDING → REFUSED: REFUSED means failure (the service names 'GET "
            "https://files.example.com returned 403'), which the provider does not know. If the "
            "service could not get it from its URL, let the service's addresses in there, or use a "
            "URL that it can read, and run this again.",
            {"failure": ["REFUSED"]},
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    Upload(
        "REFUSED, without a reason",
        followed(rec("up", "REFUSED")),
        Said(
            NOT_PROVED,
            "PENDING → REFUSED, which lasted and may mean failure: the name REFUSED speaks "
            "of a failure. Look the status up and name it in coupon_file_statuses, or have the "
            "next upload wait longer, with --final-after SECONDS.",
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    Upload(
        "PARTIAL, with coupons added",
        followed(rec("up", "PARTIAL", **SOME)),
        Said(
            NOT_PROVED,
            "PENDING → PARTIAL, which lasted and is partial (3 coupons added, but the name "
            "PARTIAL speaks of a failure): decide whether your tasks should accept it, or "
            "upload a file without faults.",
        ),
    ),
    Upload(
        "ARCHIVED, with coupons added",
        followed(rec("up", "ARCHIVED", **SOME)),
        Said(
            NOT_PROVED,
            "PENDING → ARCHIVED, which lasted and may mean success or failure: ARCHIVED may "
            "be the name of a stop or of an end, whatever its numbers are (coupons_added is "
            "3). Look the status up and name it in coupon_file_statuses, or have the next "
            "upload wait longer, with --final-after SECONDS.",
        ),
    ),
    Upload(
        "IMPORTING, with coupons added",
        followed(rec("up", "IMPORTING", **SOME)),
        Said(
            NOT_PROVED,
            "PENDING → IMPORTING, which lasted and may mean pending: the name IMPORTING "
            "speaks of a file on its way. Look the status up and name it in coupon_file_statuses, "
            "or "
            "have the next upload wait longer, with --final-after SECONDS.",
            {"pending": ["IMPORTING"]},
        ),
    ),
    Upload(
        "SCHEDULED, for a time to come",
        followed(rec("up", "SCHEDULED", process_after="2030-01-01T02:00:00Z", **SOME)),
        Said(
            NOT_PROVED,
            "PENDING → SCHEDULED, which lasted and may mean pending: the name SCHEDULED speaks of "
            "a file on its way. Its record also has process_after 2030-01-01T02:00:00Z. By "
            "process_after 2030-01-01T02:00:00Z it goes on later: look in the service's dashboard "
            "after that what its last status is, and see that tasks wait so long.",
            {"pending": ["SCHEDULED"]},
        ),
    ),
    Upload(
        "PENDING_APPROVAL",
        followed(rec("up", "PENDING_APPROVAL")),
        Said(
            NOT_PROVED,
            "The uploaded file waits for a person: PENDING → PENDING_APPROVAL (the name "
            "PENDING_APPROVAL says so), and did not go on. Have it approved, and see in the "
            "service's dashboard what becomes of it; a task waits for that until its "
            "timeout. Confirm this in the service's dashboard, then put the extra below into "
            "the connection.",
            {"pending": ["PENDING_APPROVAL"]},
        ),
        counts=Said(
            NOT_ASKED, "The file has no counts of its own, so a task cannot see what was added."
        ),
    ),
    Upload(
        "PENDING_APPROVAL, and another file has an unknown status",
        followed(rec("up", "PENDING_APPROVAL"), others=[rec("f1", "LIVE", **SOME)]),
        Said(
            NOT_PROVED,
            "The uploaded file waits for a person: PENDING → PENDING_APPROVAL (the name "
            "PENDING_APPROVAL says so), and did not go on. Have it approved, and see in the "
            "service's dashboard what becomes of it; a task waits for that until its "
            "timeout. LIVE seems to mean success (file f1: 3 coupons added, but LIVE may be "
            "the name of a stage on the way). Confirm this in the service's dashboard, then "
            "put the extra below into the connection.",
            {"pending": ["PENDING_APPROVAL"], "success": ["LIVE"]},
        ),
        counts=Said(
            NOT_ASKED,
            "The file has no counts, unlike others of the list: it may not be processed yet.",
        ),
    ),
    # The record or the list shows what became of it.
    Upload(
        "VALIDATED, without coupons added, and a mode of checks",
        followed(
            rec("up", "VALIDATED", coupons_added=0, coupons_valid=9, mode="validate_only"),
            others=[rec("f1", "VALIDATED", coupons_added=0)],
        ),
        Said(
            NOT_PROVED,
            "PENDING → VALIDATED, without coupons added, and mode is 'validate_only'. The account "
            "may only check files, and add nothing. Ask the service's support to have files "
            "imported, and run this again; put nothing of it into coupon_file_statuses before "
            "that.",
        ),
        counts=Said(NOT_ASKED, "Nothing was added to count, since mode is 'validate_only'."),
    ),
    Upload(
        "SUCCESS, with coupons added, in a dry run",
        followed(rec("up", dry_run=True, **SOME)),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS, with coupons added, but they may not be in the list: dry_run is "
            "'True'. The account may only check files, and add nothing. Ask the service's support "
            "to have files imported, and run this again; put nothing of it into "
            "coupon_file_statuses before that.",
        ),
        counts=Said(
            NOT_PROVED,
            "3 coupons added, 1 duplicate, in file up, but dry_run is 'True', so they may not be "
            "in the list.",
        ),
    ),
    Upload(
        "SUCCESS, with coupons added, and not published",
        followed(rec("up", published=False, **SOME)),
        Said(
            NOT_PROVED,
            "PENDING → SUCCESS, with coupons added, but they may not be in the list: published is "
            "'False'. The account may only check files, and add nothing. Ask the service's support "
            "to have files imported, and run this again; put nothing of it into "
            "coupon_file_statuses before that.",
        ),
    ),
    Upload(
        "SPLIT, and the list has two files made of it",
        followed(
            rec("up", "SPLIT", parts=["up_1"]),
            others=[rec("f1", **SOME), rec("up_1", **SOME), rec("up_2", of="up")],
            before=[rec("f1", **SOME)],
        ),
        Said(
            NOT_PROVED,
            "PENDING → SPLIT, which lasted, and nothing shows what it means: no count that "
            "the provider knows shows that coupons were added. Its record also has parts "
            "up_1. The list has 2 new files made of it: up_1 (SUCCESS, 3 coupons added), "
            "up_2 (SUCCESS). No task waits for these. Ask the service's support which status "
            "says that all of them are in, and name it as success only then.",
        ),
        counts=Said(
            NOT_ASKED,
            "The file has no counts, unlike others of the list: it may not be processed yet.",
        ),
    ),
    # It cannot be read.
    Upload(
        "a status that is no text",
        followed(rec("up", "FERTIG\ufffd", **SOME)),
        Said(
            NOT_PROVED,
            "FERTIG� cannot be read: its bytes are not text in the charset that the response "
            "names. Ask the service's support for UTF-8.",
        ),
    ),
    Upload(
        "a status that seems to be a mask",
        followed(rec("up", "****", **SOME), ("****",)),
        Said(
            NOT_PROVED,
            "**** seems to be a mask, as of something on the way that hides values: have whoever "
            "runs it pass these replies on as they are. Name it nowhere: successes and failures "
            "may look alike.",
        ),
    ),
]


@pytest.mark.parametrize("row", UNKNOWN, ids=ids(UNKNOWN))
def test_an_uploaded_file_that_ends_with_a_status_that_is_not_known(row: Upload):
    """The table has names that say nothing; names that do; and what the record or the list shows."""
    check_upload(row)


class Taken(NamedTuple):
    """An upload, and whether the service may have taken it for a file that the list had before."""

    name: str
    record: Mapping[str, Any]
    is_taken: bool
    listed: bool = False
    others: Sequence[Mapping[str, Any]] = (rec("f1"),)


TAKEN = [
    Taken("its record names the other file", {"merged_into": "f1"}, True),
    Taken("its record names it within an object", {"duplicate": {"of": "f1"}}, True),
    Taken("its record names several", {"duplicates": ["f7", "f1"]}, True),
    Taken("its record names another one", {"merged_into": "f7"}, False),
    Taken("its record names none", {}, False),
    Taken("the list shows the uploaded file", {"merged_into": "f1"}, False, listed=True),
    Taken("the list has no other file", {"merged_into": "f1"}, False, others=()),
]


@pytest.mark.parametrize("row", TAKEN, ids=ids(TAKEN))
def test_an_upload_is_taken_for_another_file_if_its_record_names_that(row: Taken):
    seen = followed(rec("up", "MERGED", **row.record), listed=row.listed, others=row.others)
    assert (taken_for(seen) is not None) is row.is_taken


def test_an_upload_that_is_taken_for_another_file_shows_nothing_of_the_list():
    seen = followed(
        rec("up", "MERGED", merged_into="f1", coupons_added=0), listed=False, others=[rec("f1")]
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
    seen = followed(rec("up", "Imported 3 codes", **SOME))
    statuses, *_ = conclude_from_upload(SETTINGS, seen, NAME)
    assert Said.of(statuses) == Said(
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


BESIDE_OTHERS = [
    Upload(
        "another file has REFUSED",
        followed(rec("up", **SOME), others=[rec("f1", "REFUSED", error="no header")]),
        Said(
            SURE,
            "PENDING → SUCCESS, which means success. REFUSED seems to mean failure (file f1: "
            "the service names 'no header').",
            {"failure": ["REFUSED"]},
        ),
    ),
    Upload(
        "another file has STAGED",
        followed(rec("up", **SOME), others=[rec("f1", "STAGED")]),
        Said(
            SURE,
            "PENDING → SUCCESS, which means success. STAGED seems to mean pending (file f1: "
            "the name STAGED speaks of a file on its way).",
            {"pending": ["STAGED"]},
        ),
    ),
]


@pytest.mark.parametrize("row", BESIDE_OTHERS, ids=ids(BESIDE_OTHERS))
def test_an_uploaded_file_that_ends_well_beside_files_with_unknown_statuses(row: Upload):
    check_upload(row)


NO_END = [
    Upload(
        "PENDING",
        followed(
            rec("up", "PENDING"),
            alone=True,
            problem="Not processed within 20 s, last status PENDING",
        ),
        Said(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s, last status "
            "PENDING. Do not upload it again: see in the service's dashboard what becomes of it, "
            "or "
            "ask the service's support. --timeout gives the next upload more time.",
        ),
        counts=None,
    ),
    Upload(
        "PENDING, and no path shows it in time",
        followed(rec("up", "PENDING"), problem=NOT_SHOWN),
        Said(
            NOT_PROVED,
            "The end of the file was not seen: still PENDING after 20 s. Do not upload "
            "it again: see in the service's dashboard what becomes of it, or ask the service's "
            "support. --timeout gives the next upload more time.",
        ),
        counts=None,
    ),
    Upload(
        "PENDING, for a time to come",
        followed(
            rec("up", "PENDING", process_after="2030-01-01T02:00:00Z"),
            problem="Not processed within 20 s, last status PENDING",
        ),
        Said(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s, last status PENDING. Its "
            "record also has process_after 2030-01-01T02:00:00Z. By process_after "
            "2030-01-01T02:00:00Z it goes on later: do not upload it again, look in the service's "
            "dashboard after that what became of it, and see that tasks wait so long.",
        ),
        counts=None,
    ),
    Upload(
        "PENDING, with an error about the URL",
        followed(
            rec("up", "PENDING", last_error="GET https://files.example.com/a.csv: 403 Forbidden"),
            (),
            problem="Not processed within 75 s",
        ),
        Said(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 75 s. The service names "
            "'last_error: GET https://files.example.com/a.csv: 403 Forbidden'. It seems not to get "
            "the file from the URL: let it read that from where it asks, and see what becomes of "
            "this file before you upload it again.",
        ),
        counts=None,
    ),
    Upload(
        "PENDING, and PROCESSING in the list",
        followed(
            rec("up", "PENDING"),
            in_list=rec("up", "PROCESSING"),
            problem="Not processed within 20 s, last status PENDING",
        ),
        Said(
            NOT_PROVED,
            "The end of the file was not seen: Not processed within 20 s, last status PENDING. Do "
            "not upload it again: see in the service's dashboard what becomes of it, or ask the "
            "service's support. --timeout gives the next upload more time.",
        ),
        counts=None,
    ),
    Upload(
        "PENDING, and SUCCESS in the list",
        followed(
            rec("up", "PENDING"),
            in_list=rec("up", "SUCCESS", **SOME),
            problem="Not processed within 20 s, last status PENDING",
        ),
        Said(
            WRONG,
            "The list has the file as SUCCESS, but its own path replied PENDING for 20 s. Tasks "
            "wait by that path, so they would not see the end. Do not upload it again: it is "
            "there. Ask the service's support why the two differ.",
        ),
        counts=None,
        path=Said(NOT_PROVED, "It has the file, with another status than the list: see Statuses."),
    ),
    Upload(
        "PENDING, and another identifier in the list",
        replace(
            followed(rec("up", "PENDING"), (), problem="303"),
            successor=file_of(rec("cf-1", "SUCCESS")),
        ),
        Said(
            WRONG,
            "The end of the file was not seen under its identifier up: 303. The list has it as "
            "cf-1 (SUCCESS) now, so its identifier changes, and a task could not wait for it. No "
            "setting changes that: ask the service's support for an identifier that stays. Do not "
            "upload it again: it is there.",
        ),
        counts=None,
    ),
    Upload(
        "PROCESSING, then 410",
        replace(
            followed(rec("up", "PROCESSING"), (), problem="410 superseded: f901, f902."),
            gone=reply(410, error("superseded", "f901, f902.")),
        ),
        Said(
            NOT_PROVED,
            "The end of the file was not seen: 410 superseded: f901, f902. No time cures that: see "
            "in the list what became of it, do not upload it again, and ask the service's support "
            "for an identifier that stays until the file is processed.",
        ),
        counts=None,
        lag=Said(NOT_ASKED, "Not shown, since the file went meanwhile (410 superseded)."),
    ),
    # No path of one file shows it.
    Upload(
        "the list alone has it",
        followed(rec("up", "SUCCESS", **SOME), alone=False, problem=NOT_SHOWN),
        Said(
            NOT_PROVED,
            "The end of the file was not seen: no path of one file shows it; the list has "
            "it, with PENDING → SUCCESS. Settle the Path of one file first: tasks read the "
            "file there, until its end.",
        ),
        counts=None,
    ),
    Upload(
        "nothing has it",
        followed(rec("up", "PENDING"), (), alone=False, listed=False, problem=NOT_SHOWN),
        Said(
            NOT_PROVED,
            "The end of the file was not seen: no path of one file shows it, and neither "
            "does the list; the response to the upload had PENDING. Settle the Path of one "
            "file first: tasks read the file there, until its end.",
        ),
        counts=None,
        lag=Said(
            NOT_PROVED,
            "The list did not show the file in 20 s: ask the service's support how soon it does.",
        ),
        names=Said(NOT_ASKED, "The list did not show the file while it was followed."),
    ),
    Upload(
        "nothing has it, and it had no status",
        followed({"_id": "up", "state": 7}, (), alone=False, problem=NOT_SHOWN),
        Said(
            NOT_PROVED,
            "The end of the file was not seen: no path of one file shows it. Settle the Path "
            "of one file first: tasks read the file there, until its end.",
        ),
        counts=None,
    ),
]


@pytest.mark.parametrize("row", NO_END, ids=ids(NO_END))
def test_an_uploaded_file_whose_end_was_not_seen(row: Upload):
    """The table has files that a path of their own shows, and others."""
    check_upload(row)


LAGS = [
    Upload(
        "listed after 10 s",
        followed(rec("up", **SOME), after=10.0),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(SURE, "In the list after 10 s; the 30 s that tasks give it leave room."),
    ),
    Upload(
        "listed after 12 s",
        followed(rec("up", **SOME), after=12.0),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            NOT_PROVED,
            "In the list after 12 s. Tasks give it 30 s (coupon_files_lag); another file may "
            "take longer, and 40 s leave room for that.",
            {"coupon_files_lag": 40.0},
        ),
    ),
    Upload(
        "listed after 12 s, by a reply that took half of them",
        followed(rec("up", **SOME), after=12.0, took=6.0),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            NOT_PROVED,
            "In the list within 12 s, as long as the reply took. Tasks give it 30 s "
            "(coupon_files_lag); another file may take longer, and 40 s leave room for that.",
            {"coupon_files_lag": 40.0},
        ),
    ),
    Upload(
        "listed after 31 s, and not after 21 s",
        followed(rec("up", **SOME), after=31.0, unlisted=21.0),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            NOT_PROVED,
            "In the list after 31 s, and not yet after 21 s. Tasks give it 30 s "
            "(coupon_files_lag): if that is too few, they send a file again that is there. 100 s "
            "leave room for a slower one.",
            {"coupon_files_lag": 100.0},
        ),
    ),
    Upload(
        "listed after 41 s, and not after 30 s",
        followed(rec("up", **SOME), after=41.0, unlisted=30.0),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            NOT_PROVED,
            "In the list after 41 s, and not yet after 30 s. Tasks give it 30 s "
            "(coupon_files_lag): if that is too few, they send a file again that is there. 130 s "
            "leave room for a slower one.",
            {"coupon_files_lag": 130.0},
        ),
    ),
    Upload(
        "listed after 41 s, and not after 31 s",
        followed(rec("up", **SOME), after=41.0, unlisted=31.0),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            WRONG,
            "In the list after 41 s, and tasks give it 30 s (coupon_files_lag): they would send a "
            "file again that is there. 130 s leave room for a slower one.",
            {"coupon_files_lag": 130.0},
        ),
    ),
    Upload(
        "listed after 41 s, when it was processed",
        replace(
            followed(rec("up", **SOME), after=41.0, unlisted=31.0), is_listed_when_processed=True
        ),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            NOT_PROVED,
            "In the list after 41 s, as soon as it was processed, and not before: the list may "
            "leave out files that are on their way. Then coupon_files_lag has to be above the "
            "longest time that processing takes (tasks give it 30 s), or a task sends a file again "
            "that is there. Ask the service's support.",
            {"coupon_files_lag": 130.0},
        ),
    ),
    Upload(
        "listed after 41 s, when it was processed, and a cache sent the list before",
        replace(
            followed(rec("up", **SOME), after=41.0, unlisted=31.0),
            is_listed_when_processed=True,
            unlisted_by_cache="x-cache: HIT, max-age=40",
        ),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            NOT_PROVED,
            "In the list after 41 s; before that, a cache sent the list (x-cache: HIT, "
            "max-age=40), so how soon the service itself has a new file is not shown. Ask whoever "
            "runs the cache to leave out these paths. Until then, coupon_files_lag has to be above "
            "the time for which it keeps a list (tasks give it 30 s), or a task sends a file again "
            "that is there.",
            {"coupon_files_lag": 130.0},
        ),
    ),
    # The list does not show it.
    Upload(
        "not listed",
        followed(rec("up", **SOME), listed=False),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            NOT_PROVED,
            "The list did not show the file in 20 s: ask the service's support how soon it does.",
        ),
        names=Said(NOT_ASKED, "The list did not show the file while it was followed."),
    ),
    Upload(
        "not listed, and a cache sent the list",
        replace(followed(rec("up", **SOME), listed=False), unlisted_by_cache="Age: 12"),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            NOT_PROVED,
            "The list did not show the file in 20 s: a cache sent the list (Age: 12), so how soon "
            "the service itself has a new file is not shown. Ask whoever runs the cache to leave "
            "out these paths. Until then, coupon_files_lag has to be above the time for which it "
            "keeps a list (tasks give it 30 s), or a task sends a file again that is there.",
        ),
        names=Said(NOT_ASKED, "The list did not show the file while it was followed."),
    ),
    Upload(
        "not listed in a part of the list",
        followed(rec("up", **SOME), listed=False, others=[rec("f1")], partial=True),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        lag=Said(
            NOT_ASKED,
            "The list shows a part of its files, so how soon it has a new one is not shown.",
        ),
        names=Said(NOT_ASKED, "The list did not show the file while it was followed."),
    ),
]


@pytest.mark.parametrize("row", LAGS, ids=ids(LAGS))
def test_how_soon_a_list_shows_an_uploaded_file_decides_on_the_lag(row: Upload):
    """The table has lists that show it in time, late, and not at all."""
    check_upload(row)


NAMES = [
    Upload(
        "another name",
        followed({**rec("up", **SOME), "name": "other.csv"}),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        names=Said(
            SURE, "The list shows another name: an upload whose response is lost needs a person."
        ),
    ),
    Upload(
        "24 characters",
        followed({**rec("up", **SOME), "name": NAME[:24]}),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        names=Said(SURE, "The list shows 24 of 30 characters, which suffices."),
    ),
    Upload(
        "23 characters",
        followed({**rec("up", **SOME), "name": NAME[:23]}),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        names=Said(
            SURE,
            "The list shows 23 of 30 characters, too few to tell it from others: an upload "
            "whose response is lost needs a person.",
        ),
    ),
]


@pytest.mark.parametrize("row", NAMES, ids=ids(NAMES))
def test_names_are_recognized_if_the_list_shows_24_characters_of_them(row: Upload):
    check_upload(row)


COUNTS = [
    Upload(
        "names of counts that are not the provider's, of a file that waits for a person",
        followed(rec("up", "PENDING_APPROVAL", codes={"imported": 3, "duplicates": 1})),
        Said(
            NOT_PROVED,
            "The uploaded file waits for a person: PENDING → PENDING_APPROVAL (the name "
            "PENDING_APPROVAL says so), and did not go on. Have it approved, and see in the "
            "service's dashboard what becomes of it; a task waits for that until its "
            "timeout. Confirm this in the service's dashboard, then put the extra below into "
            "the connection.",
            {"pending": ["PENDING_APPROVAL"]},
        ),
        counts=Said(
            NOT_PROVED,
            "3 coupons added, 1 duplicate, under codes.imported and codes.duplicates, in file up. "
            "Confirm this in the service's dashboard, then put the extra below into the "
            "connection.",
            {
                "coupon_file_counts.added": "codes.imported",
                "coupon_file_counts.duplicates": "codes.duplicates",
            },
        ),
    ),
    Upload(
        "names of counts that are not the provider's",
        followed(rec("up", codes={"imported": 3, "duplicates": 1})),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        counts=Said(
            WRONG,
            "3 coupons added, 1 duplicate, under codes.imported and codes.duplicates, in file up.",
            {
                "coupon_file_counts.added": "codes.imported",
                "coupon_file_counts.duplicates": "codes.duplicates",
            },
        ),
    ),
    Upload(
        "names of counts that are not the provider's, without a duplicate",
        followed(rec("up", codes={"imported": 3, "duplicates": 0})),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        counts=Said(
            WRONG,
            "3 coupons added, 0 duplicates, under codes.imported and codes.duplicates, in file up.",
            {
                "coupon_file_counts.added": "codes.imported",
                "coupon_file_counts.duplicates": "codes.duplicates",
            },
        ),
    ),
    Upload(
        "a number of what was skipped",
        followed(rec("up", summary={"loaded": 8, "skipped": 2})),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        counts=Said(
            NOT_PROVED,
            "8 coupons added, under summary.loaded, in file up; summary.skipped (2) may count "
            "duplicates. Confirm in the service's dashboard what summary.loaded and "
            "summary.skipped count.",
            {
                "coupon_file_counts.added": "summary.loaded",
                "coupon_file_counts.duplicates": "summary.skipped",
            },
        ),
    ),
    Upload(
        "numbers of what was rejected, and of all",
        followed(rec("up", "SUCCESS", codes={"accepted": 3, "rejected": 1, "total": 4})),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        counts=Said(
            NOT_PROVED,
            "3 coupons added, under codes.accepted, in file up; no count of duplicates is "
            "known. Confirm in the service's dashboard what codes.accepted counts.",
            {"coupon_file_counts.added": "codes.accepted"},
        ),
    ),
    Upload(
        "two counts of coupons added that differ",
        followed(rec("up", coupons_added=3, inserted=2)),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        counts=Said(
            NOT_PROVED,
            "Which number counts coupons added is open. coupons_added/inserted: SUCCESS 3/2. "
            "Confirm with the service's support which one does, and name it in "
            "coupon_file_counts.",
        ),
    ),
    Upload(
        "numbers of unknown names",
        followed(rec("up", alpha=3, beta=4)),
        Said(SURE, "PENDING → SUCCESS, which means success."),
        counts=Said(
            NOT_ASKED,
            "Which of alpha (3), beta (4) counts coupons added, in file up? Name it in "
            'coupon_file_counts, such as {"added": "...", "duplicates": "..."}.',
            needs_action=True,
        ),
    ),
]


@pytest.mark.parametrize("row", COUNTS, ids=ids(COUNTS))
def test_numbers_of_an_uploaded_file_that_the_provider_does_not_know(row: Upload):
    check_upload(row)


WAITING = rec("up", "PENDING_APPROVAL", **SOME)


class Counted(NamedTuple):
    """A file that was uploaded and followed, and whether something is said of its counts."""

    name: str
    followed: Followed
    is_counted: bool


COUNTED = [
    Counted("its end was seen", followed(rec("up", **SOME)), True),
    Counted("its end was not seen", followed(rec("up", "PENDING", **SOME), problem="503"), False),
    Counted("it waits for a person", followed(WAITING), True),
    Counted(
        "it waits for a person, and its end was not seen", followed(WAITING, problem="503"), True
    ),
]


@pytest.mark.parametrize("row", COUNTED, ids=ids(COUNTED))
def test_counts_of_an_upload_are_those_of_its_end_or_of_a_wait_for_a_person(row: Counted):
    findings = conclude_from_upload(SETTINGS, row.followed, NAME)
    topics = [Topic.STATUSES, Topic.LAG, Topic.NAMES]
    if row.is_counted:
        topics.append(Topic.COUNTS)
    assert [finding.topic for finding in findings] == topics


class Listing(NamedTuple):
    """The files of a list, and what is said of them."""

    name: str
    records: Sequence[Mapping[str, Any]]
    statuses: Said
    counts: Said = Said(NOT_ASKED, "No file with counts was seen, so added coupons cannot be seen.")
    settings: WesSettings = SETTINGS


def check_list(row: Listing) -> None:
    """The findings about the list's files say what the row says, word for word."""
    lists = {LIST_PATH: probe(list_at(SETTINGS, LIST_PATH, LIST), row.records)}
    findings = conclude_from_list(row.settings, Places(lists, {}))
    assert {finding.topic: Said.of(finding) for finding in findings} == {
        Topic.STATUSES: row.statuses,
        Topic.COUNTS: row.counts,
        Topic.LAG: Said(NOT_ASKED, "Reads cannot show it; --upload URL does."),
    }


class Alone(NamedTuple):
    """
    A file as the list has it and as its own path has it, and what is said of the list's files.

    :ivar statuses: the beginning of what is said.
    """

    name: str
    in_list: Mapping[str, Any]
    alone: Mapping[str, Any]
    statuses: str
    counts: str


READ_ALONE = [
    Alone(
        "the list has the status of before",
        rec("f1", "PENDING"),
        rec("f1", **SOME),
        "SUCCESS in the list or a file's own record, which the provider knows. The list has file "
        "f1 as PENDING, and its own path, which tasks read, as SUCCESS.",
        "3 coupons added, 1 duplicate, in file f1.",
    ),
    Alone(
        "the list has a status of before, and the other one is not known",
        rec("f1", "PENDING"),
        rec("f1", "LOADED", **SOME),
        "LOADED seems to mean success",
        "3 coupons added, 1 duplicate, in file f1.",
    ),
    Alone(
        "the list has no counts",
        rec("f1"),
        rec("f1", **SOME),
        "SUCCESS in the list, which the provider knows.",
        "3 coupons added, 1 duplicate, in file f1.",
    ),
    Alone(
        "its own path has no counts",
        rec("f1", **SOME),
        rec("f1"),
        "SUCCESS in the list, which the provider knows.",
        "3 coupons added, 1 duplicate, in file f1.",
    ),
    Alone(
        "another file was read",
        rec("f1", "PENDING"),
        rec("f2", **SOME),
        "Only PENDING in the list",
        "No file with counts was seen, so added coupons cannot be seen.",
    ),
    Alone(
        "bytes in the list are no text",
        rec("f1", "FERTIG\ufffd"),
        rec("f1", **SOME),
        "FERTIG\ufffd cannot be read",
        "No file with counts was seen, so added coupons cannot be seen.",
    ),
]


@pytest.mark.parametrize("row", READ_ALONE, ids=ids(READ_ALONE))
def test_a_file_that_was_read_alone_counts_as_its_own_path_has_it(row: Alone):
    lists = {LIST_PATH: probe(list_at(SETTINGS, LIST_PATH, LIST), [row.in_list])}
    request = file_at(SETTINGS, FILE_PATH, LIST, row.alone["_id"])
    tried = Places(lists, {FILE_PATH: probe(request, row.alone)}, row.alone["_id"])
    said = {finding.topic: finding.text for finding in conclude_from_list(SETTINGS, tried)}
    assert said[Topic.STATUSES].startswith(row.statuses)
    assert said[Topic.COUNTS] == row.counts


NOTHING_TO_READ = [
    Listing(
        "no file",
        [],
        Said(NOT_ASKED, "No file was read; --upload URL shows them."),
    ),
    Listing(
        "a file without a status",
        [{"_id": "f1"}],
        Said(NOT_PROVED, "No file of the list has one; --upload URL tries one."),
    ),
    Listing(
        "a status that is a number",
        [{"_id": "f1", "status": 7}],
        Said(
            NOT_PROVED,
            "Files have status 7: the provider reads a string under status only, and no "
            "setting changes that. Ask the service's support for such statuses.",
        ),
        counts=Said(NOT_ASKED, "No number of file f1 seems to count coupons added."),
    ),
    Listing(
        "a status that is no text",
        [rec("f1", "FERTIG\ufffd")],
        Said(
            NOT_PROVED,
            "FERTIG� cannot be read: its bytes are not text in the charset that the response "
            "names. Ask the service's support for UTF-8.",
        ),
    ),
    Listing(
        "a record without an identifier",
        [{"id": "f1", "status": "X", "added": 3}],
        Said(NOT_ASKED, "No file was read, and tasks could not read the status of one either."),
        counts=Said(
            NOT_ASKED, "Records have numbers (added), but cannot be read: settle that first."
        ),
    ),
    Listing(
        "a file of another list",
        [rec("f1", coupons_list_id="other", **SOME)],
        Said(NOT_ASKED, "Only files of other lists were read."),
        counts=Said(NOT_ASKED, "Only files of other lists were read."),
    ),
]


@pytest.mark.parametrize("row", NOTHING_TO_READ, ids=ids(NOTHING_TO_READ))
def test_a_list_without_a_file_whose_status_can_be_read(row: Listing):
    check_list(row)


KNOWN_IN_LIST = [
    Listing(
        "SUCCESS, with coupons added",
        [rec("f1", **SOME)],
        Said(SURE, "SUCCESS in the list, which the provider knows."),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f1."),
    ),
    Listing(
        "SUCCESS, without counts",
        [rec("f1")],
        Said(SURE, "SUCCESS in the list, which the provider knows."),
    ),
    Listing(
        "SUCCESS twice, with counts",
        [rec("f1", coupons_added=3), rec("f2", coupons_added=4)],
        Said(SURE, "SUCCESS in the list, which the provider knows."),
        counts=Said(SURE, "4 coupons added, in file f2; no count of duplicates is known."),
    ),
    Listing(
        "SUCCESS, and FAILED with counts of 0",
        [rec("f1", coupons_added=3), rec("f2", "FAILED", coupons_added=0, error="x")],
        Said(SURE, "FAILED, SUCCESS in the list, which the provider knows."),
        counts=Said(SURE, "3 coupons added, in file f1; no count of duplicates is known."),
    ),
    Listing(
        "PENDING",
        [rec("f1", "PENDING")],
        Said(
            NOT_PROVED,
            "Only PENDING in the list, so what success is called is not shown. --upload URL "
            "shows it.",
        ),
    ),
    Listing(
        "SUCCESS, with a reason",
        [rec("f1", "SUCCESS", error="no header")],
        Said(
            NOT_PROVED,
            "1 of 1 file with success failed by what the service names: 'no header'. Ask the "
            "service's support what the status means.",
        ),
    ),
]


@pytest.mark.parametrize("row", KNOWN_IN_LIST, ids=ids(KNOWN_IN_LIST))
def test_a_list_whose_statuses_the_provider_knows(row: Listing):
    check_list(row)


OWN_IN_LIST = [
    Listing(
        "LIVE, without counts",
        [rec("f1", "LIVE")],
        Said(
            NOT_PROVED,
            "The connection names LIVE as success, but no file shows that. Confirm it in the "
            "service's dashboard; --upload URL proves it of the status that its file ends "
            "with.",
        ),
        settings=OWN,
    ),
    Listing(
        "LIVE, with counts of 0",
        [rec("f1", "LIVE", **NO_COUPON), rec("f2", **SOME)],
        Said(
            NOT_PROVED,
            "The connection names LIVE as success, but no file shows that. Confirm it in the "
            "service's dashboard; --upload URL proves it of the status that its file ends "
            "with.",
        ),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f2."),
        settings=OWN,
    ),
    Listing(
        "LIVE, with coupons added",
        [rec("f1", "LIVE", **SOME)],
        Said(
            NOT_PROVED,
            "LIVE means success by the connection (file f1: 3 coupons added, but LIVE may be "
            "the name of a stage on the way). Confirm it in the service's dashboard; "
            "--upload URL proves it of the status that its file ends with.",
        ),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f1."),
        settings=OWN,
    ),
]


@pytest.mark.parametrize("row", OWN_IN_LIST, ids=ids(OWN_IN_LIST))
def test_a_list_with_a_status_that_the_connection_names_as_success(row: Listing):
    check_list(row)


UNKNOWN_IN_LIST = [
    Listing(
        "statuses with numbers of their file",
        [rec("f1", "Imported 3 codes", **SOME), rec("f2", "Failed")],
        Said(
            WRONG,
            "Statuses have numbers of their file in them ('IMPORTED 3 CODES'), so the next file "
            "has another one, and no list of coupon_file_statuses helps: tasks would wait until "
            "their timeout. Name none of them, and ask the service's support for statuses of "
            "fixed words.",
        ),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f1."),
    ),
    Listing(
        "IMPORTED, with coupons added",
        [rec("f1", "IMPORTED", **SOME)],
        Said(
            NOT_PROVED,
            "IMPORTED seems to mean success (file f1: coupons were added). Confirm this in "
            "the service's dashboard, then put the extra below into the connection.",
            {"success": ["IMPORTED"]},
        ),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f1."),
    ),
    Listing(
        "STAGED, and SUCCESS",
        [rec("f1", "STAGED"), rec("f2", **SOME)],
        Said(
            NOT_ASKED,
            "STAGED seems to mean pending (file f1: the name STAGED speaks of a file on its "
            "way), and is waited for.",
            {"pending": ["STAGED"]},
        ),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f2."),
    ),
    Listing(
        "STAGED",
        [rec("f1", "STAGED")],
        Said(
            NOT_PROVED,
            "Only STAGED in the list, so what success is called is not shown. --upload URL "
            "shows it.",
            {"pending": ["STAGED"]},
        ),
    ),
    Listing(
        "ABORTED, with reasons that leave no coupon",
        [
            rec("f1", "ABORTED", coupons_added=7, reason="Line 17 is too long; rolled back"),
            rec("f2", "ABORTED", coupons_added=7, reason="Download failed: 404"),
            rec("f3", **SOME),
        ],
        Said(
            NOT_PROVED,
            "ABORTED seems to mean failure (file f1: the service names 'Line 17 is too long; "
            "rolled back', and the count of coupons added is 7). Confirm this in the service's "
            "dashboard, then put the extra below into the connection.",
            {"failure": ["ABORTED"]},
        ),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f3."),
    ),
    Listing(
        "PARTIAL, with coupons added",
        [rec("f1", "PARTIAL", **SOME), rec("f2", **SOME)],
        Said(
            NOT_PROVED,
            "PARTIAL is partial (file f1: 3 coupons added, but the name PARTIAL speaks of a "
            "failure): decide whether your tasks should accept it. Name it in "
            "coupon_file_statuses as you decide, under success or failure.",
        ),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f2."),
    ),
    Listing(
        "LIVE, with coupons added and with an error",
        [rec("f1", "LIVE", **SOME), rec("f2", "LIVE", error="no header", **NO_COUPON)],
        Said(
            NOT_PROVED,
            "LIVE cannot be told apart: failure or success. Look it up in the service's "
            "dashboard and name it in coupon_file_statuses, or let --upload URL show it.",
        ),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f1."),
    ),
    Listing(
        "ten statuses, with coupons added",
        [rec(f"f{i}", f"S{i}", **SOME) for i in range(10)],
        Said(
            NOT_PROVED,
            "S0 seems to mean success (file f0: 3 coupons added, but S0 may be the name of a "
            "stage on the way); S1 seems to mean success (file f1: 3 coupons added, but S1 "
            "may be the name of a stage on the way); S2 seems to mean success (file f2: 3 "
            "coupons added, but S2 may be the name of a stage on the way); S3 seems to mean "
            "success (file f3: 3 coupons added, but S3 may be the name of a stage on the "
            "way); S4 seems to mean success (file f4: 3 coupons added, but S4 may be the "
            "name of a stage on the way); S5 seems to mean success (file f5: 3 coupons "
            "added, but S5 may be the name of a stage on the way); S6 seems to mean success "
            "(file f6: 3 coupons added, but S6 may be the name of a stage on the way); S7 "
            "seems to mean success (file f7: 3 coupons added, but S7 may be the name of a "
            "stage on the way); S8 seems to mean success (file f8: 3 coupons added, but S8 "
            "may be the name of a stage on the way); S9 seems to mean success (file f9: 3 "
            "coupons added, but S9 may be the name of a stage on the way). Confirm this in "
            "the service's dashboard, then put the extra below into the connection.",
            {"success": ["S0", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]},
        ),
        counts=Said(SURE, "3 coupons added, 1 duplicate, in file f9."),
    ),
    # Numbers of unknown names.
    Listing(
        "one number, 3 and 0",
        [rec("f1", "LIVE", alpha=3), rec("f2", "DEAD", alpha=0)],
        Said(
            NOT_PROVED,
            "Nothing shows what DEAD means; LIVE seems to mean success (file f1: alpha is 3, "
            "but LIVE may be the name of a stage on the way). Confirm this in the service's "
            "dashboard, then put the extra below into the connection.",
            {"success": ["LIVE"]},
        ),
        counts=Said(
            NOT_PROVED,
            "3 coupons added, under alpha, in file f1; no count of duplicates is known. "
            "alpha is above 0 with some statuses and 0 with others, so it may count coupons "
            "added: confirm it, too.",
            {"coupon_file_counts.added": "alpha"},
        ),
    ),
    Listing(
        "two numbers",
        [rec("f1", "LIVE", alpha=3, beta=3), rec("f2", "DEAD", alpha=1, beta=2)],
        Said(
            NOT_PROVED,
            "Which of alpha, beta counts coupons added (LIVE 3, 3; DEAD 1, 2)? Name it in "
            "coupon_file_counts, and run this again: it tells what statuses mean. DEAD is "
            "unclear (file f2: alpha is 1, beta is 2); LIVE is unclear (file f1: alpha is 3, "
            "beta is 3). Or look it up in the service's dashboard, or let --upload URL show "
            "it.",
        ),
        counts=Said(
            NOT_ASKED,
            "Which of alpha (1), beta (2) counts coupons added, in file f2? Name it in "
            'coupon_file_counts, such as {"added": "...", "duplicates": "..."}.',
            needs_action=True,
        ),
    ),
]


@pytest.mark.parametrize("row", UNKNOWN_IN_LIST, ids=ids(UNKNOWN_IN_LIST))
def test_a_list_with_statuses_that_are_not_known(row: Listing):
    check_list(row)


class Made(NamedTuple):
    """A new file of a list, and whether it is made of the uploaded file."""

    name: str
    uploaded: Mapping[str, Any]
    other: Mapping[str, Any]
    is_made_of_it: bool


MADE = [
    Made("its name goes on", {}, {"name": f"{NAME}.part-1"}, True),
    Made("another name", {}, {"name": "other"}, False),
    Made("no file has a name", {"name": ""}, {"name": ""}, False),
    Made("the uploaded one has no name", {"name": ""}, {"name": "other"}, False),
    Made("it names the uploaded one", {}, {"name": "other", "of": "up"}, True),
    Made("the uploaded one names it", {"parts": ["f9"]}, {"name": "other"}, True),
]


@pytest.mark.parametrize("row", MADE, ids=ids(MADE))
def test_a_file_is_made_of_another_one_by_its_name_or_an_identifier(row: Made):
    other = {**rec("f9"), **row.other}
    seen = followed({**rec("up", "SPLIT"), **row.uploaded}, others=[other], before=[])
    assert has_parts(seen) is row.is_made_of_it
