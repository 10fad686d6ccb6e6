"""What files show that the provider cannot know: which there are, what they count, who has to act."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    check_bounds,
    examined,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.disputes import dispute_of
from wes_provider.doctor.files import file_of, step_of
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.meanings import Means, meaning_of
from wes_provider.doctor.report import Report, State

SURE, WRONG, NOT_PROVED = Certainty.SURE, Certainty.WRONG, Certainty.NOT_PROVED
URL = "https://files.example.com/a.csv"
Stage = tuple[float, Mapping[str, Any]]


@dataclass
class Uploads:
    """
    An account that takes one upload.

    :ivar reply: to the upload; by default a 201 with the file's record.
    :ivar stages: of the uploaded file: seconds after the upload, and its properties since then.
    :ivar listed_after: seconds until the list has the file.
    :ivar shown: what the list has beside or instead of the file's usual properties.
    """

    reply: Reply | None = None
    stages: Sequence[Stage] = ((0, record("up")),)
    listed_after: float = 0.0
    shown: Mapping[str, Any] = field(default_factory=dict)
    others: Sequence[Mapping[str, Any]] = (record("f1"), record("f2", "FAILED", error="no header"))
    name: str = ""
    since: float = 0.0

    def take(self, body: bytes) -> None:
        """Note the body of the upload."""
        self.name = json.loads(body)["name"]
        self.since = CLOCK.time()

    @property
    def file(self) -> dict[str, Any]:
        """The uploaded file as it is now."""
        age = CLOCK.time() - self.since
        properties = [stage for after, stage in self.stages if after <= age][-1]
        named = {"_id": "up", "coupons_list_id": LIST, "name": self.name, "file_url": URL}
        return {**properties, **named, **self.shown}

    def answer(self, call: Call) -> Reply | None:
        """What the account replies to the upload, and to reads once it has the file."""
        if call.method == "POST":
            return self.reply or json_reply(201, self.file)
        records = list(self.others)
        if self.name and CLOCK.time() - self.since >= self.listed_after:
            records.append(self.file)
        if call.key == "campaign" and call.path.startswith(FILES_PATH):
            return Account(records=records).reply(call)
        return None

    def examine(self, **options: Any) -> Report:
        """What the doctor reports of an upload."""
        given = {"timeout": 60.0, "final_after": 5.0, "file_url": URL, **options}
        with replying(Account(self.answer), self.take) as url:
            report = examined(url, coupon_list_id=LIST, **given)
        check_bounds(report)
        return report


# -- an upload without an identifier ---------------------------------------------------------------


class Unnamed(NamedTuple):
    """A reply to an upload that has no identifier, when the list has the file, and what is said."""

    name: str
    reply: Reply
    says: str
    listed_after: float = 0.0


OPERATION = {"operation_id": "op-1", "state": "accepted"}
ACCEPTED = "Accepted with 202 and no identifier; the list had it after"
UNNAMED = [
    Unnamed("an operation", json_reply(202, OPERATION, Location="/v1/operations/op-1"), ACCEPTED),
    Unnamed(
        "late",
        json_reply(202, OPERATION),
        f"{ACCEPTED} 8 s, so tasks find it there",
        listed_after=7.0,
    ),
    Unnamed("no body", Reply(204), "Accepted with 204 and no identifier; the list had it"),
    Unnamed("a page", page_reply(200), "Accepted with 200 and no identifier; the list had it"),
    Unnamed(
        "elsewhere",
        json_reply(201, {"result": {"_id": "up", "status": "PENDING"}}),
        "no identifier where the provider reads it (it is under result); the list had it",
    ),
    Unnamed("a gateway", page_reply(504), "The reply was 504", listed_after=3.0),
    Unnamed("an error in a success", json_reply(200, {"success": False}), "The reply was 200 with"),
    Unnamed(
        "nothing", Reply(0), "No usable response came, but the list had it after", listed_after=3.0
    ),
]


@pytest.mark.parametrize("row", UNNAMED, ids=[row.name for row in UNNAMED])
def test_an_upload_without_an_identifier_is_found_in_the_list_as_tasks_find_it(row: Unnamed):
    report = Uploads(row.reply, listed_after=row.listed_after).examine()
    upload = about(report, Topic.UPLOAD)
    assert row.says in upload.text
    assert "tasks find it there: ask the service's support" in upload.text
    assert (report.state, upload.certainty) == (State.NOT_PROVED, NOT_PROVED)
    assert about(report, Topic.STATUSES).certainty is SURE
    assert about(report, Topic.LAG).certainty is SURE


class Missing(NamedTuple):
    """A reply to an upload whose file the list does not show in time, and what is said."""

    name: str
    reply: Reply
    says: str
    shown: Mapping[str, Any] = {}
    listed_after: float = 40.0


MISSING = [
    Missing(
        "an operation",
        json_reply(202, OPERATION, Location="/v1/operations/op-1"),
        "It has the status 202 and names operation_id op-1 and the Location http://",
    ),
    Missing("no body", Reply(204), "It has the status 204. The list did not show it in 30 s."),
    Missing("a gateway", page_reply(503), "may have done it or not. The list did not show it"),
    Missing(
        "another name",
        json_reply(202, {}),
        "has coupon file up with its URL, but with another name ('up.csv'), so tasks ask a person",
        shown={"name": "up.csv"},
        listed_after=0.0,
    ),
]


@pytest.mark.parametrize("row", MISSING, ids=[row.name for row in MISSING])
def test_a_file_that_the_list_does_not_show_is_named_as_a_whole(row: Missing):
    account = Uploads(row.reply, shown=row.shown, listed_after=row.listed_after)
    upload = about(account.examine(), Topic.UPLOAD)
    assert upload.certainty is WRONG
    assert row.says in upload.text
    assert f"Look for {account.name} among the list's files" in upload.text


class Searched(NamedTuple):
    """For how long an upload is followed, and how long its file is looked for, in seconds."""

    timeout: float
    searched: int


SEARCHED = [Searched(timeout=5.0, searched=5), Searched(timeout=60.0, searched=30)]


@pytest.mark.parametrize("row", SEARCHED, ids=[str(row.timeout) for row in SEARCHED])
def test_a_file_without_an_identifier_is_looked_for_as_tasks_do_or_until_the_timeout(row: Searched):
    account = Uploads(Reply(204), listed_after=100.0)
    upload = about(account.examine(timeout=row.timeout), Topic.UPLOAD)
    assert f"The list did not show it in {row.searched} s." in upload.text


def test_a_file_that_the_list_had_before_is_no_upload_by_another_name():
    others = [record("f1", name="old.csv", file_url=URL), record("f2")]
    account = Uploads(json_reply(202, {}), others=others, listed_after=1000.0)
    upload = about(account.examine(), Topic.UPLOAD)
    assert "another name" not in upload.text
    assert "The list did not show it in 30 s." in upload.text


# -- two numbers that may count the same -----------------------------------------------------------


class Numbered(NamedTuple):
    """The numbers of files by status, and what is said of them; empty if nothing is open."""

    name: str
    files: Sequence[tuple[str, Mapping[str, int]]]
    says: str


NUMBERED = [
    Numbered(
        "accepted and activated",
        [
            ("LIVE", {"accepted": 5000, "activated": 5000}),
            ("ROLLED_BACK", {"accepted": 800, "activated": 0}),
            ("AWAITING_APPROVAL", {"accepted": 1200, "activated": 0}),
        ],
        "accepted/activated: LIVE 5000/5000, ROLLED_BACK 800/0, AWAITING_APPROVAL 1200/0; "
        "activated is 0 with ROLLED_BACK, AWAITING_APPROVAL. Confirm with the service's support",
    ),
    Numbered(
        "a total that nothing explains",
        [("COMPLETED", {"total": 500, "imported": 490})],
        "imported/total: COMPLETED 490/500. Confirm",
    ),
    Numbered(
        "valid and created, which differ in a later file",
        [
            ("OK", {"stats.valid": 7, "stats.created": 7}),
            ("OK", {"stats.valid": 9, "stats.created": 8}),
        ],
        "stats.created/stats.valid: OK 8/9. Confirm",
    ),
    Numbered("they agree", [("READY", {"accepted": 5, "activated": 5})], ""),
    Numbered(
        "what is left out explains it",
        [("COMPLETED", {"total": 500, "added": 490, "rejected": 4, "duplicates": 6})],
        "",
    ),
    Numbered("it failed", [("FAILED", {"total": 500, "added": 0})], ""),
    Numbered("one number", [("READY", {"accepted": 5, "redeemed": 2, "created_at": 17})], ""),
]


def numbered(row: Numbered) -> list[dict[str, Any]]:
    """The records of a row's files."""
    return [
        {"_id": f"f{number}", "status": status, "coupons_list_id": LIST, **counts}
        for number, (status, counts) in enumerate(row.files)
    ]


@pytest.mark.parametrize("row", NUMBERED, ids=[row.name for row in NUMBERED])
def test_numbers_that_may_count_the_same_and_differ_settle_nothing(row: Numbered):
    files = [file for file in map(file_of, numbered(row)) if file is not None]
    dispute = dispute_of(files, CountNames(), Statuses())
    assert (dispute is None) is (not row.says)
    if dispute is not None:
        assert row.says in dispute.says


def test_no_count_is_proposed_or_sure_while_two_numbers_disagree():
    report = examined_account(Account(records=numbered(NUMBERED[0])))
    counts = about(report, Topic.COUNTS)
    assert counts.certainty is NOT_PROVED
    assert (counts.settings, counts.guesses) == ({}, {})
    assert "coupon_file_counts" not in report.extra
    said = json.loads(report.to_json())
    assert said["settings"]["coupon_file_counts.added"]["certainty"] == "not proved"


def test_a_status_is_proposed_as_success_whose_numbers_agree_while_those_of_others_disagree():
    report = examined_account(Account(records=numbered(NUMBERED[0])))
    statuses = report.extra["coupon_file_statuses"]
    assert "LIVE" in statuses["success"]
    assert "ROLLED_BACK" not in statuses["success"]


def test_a_count_that_the_connection_names_is_not_doubted():
    extra = {"coupon_file_counts": {"added": "activated"}}
    report = examined_account(Account(records=numbered(NUMBERED[0])), extra=extra)
    assert about(report, Topic.COUNTS).certainty is SURE


# -- words of statuses and notes -------------------------------------------------------------------


class Worded(NamedTuple):
    """A status, what its file has, what it means, and what is quoted of it."""

    status: str
    more: Mapping[str, Any]
    means: Means
    says: str
    is_open: bool = False


ADDED = {"coupons_added": 5}
BADLY, PERSON = "speaks of a failure", "it waits for a person: "
WORDED = [
    Worded(
        "ROLLED_BACK", {**ADDED, "note": "rolled back by jo"}, Means.FAILURE, "by jo'", is_open=True
    ),
    Worded("Withdrawn", ADDED, Means.FAILURE, BADLY, is_open=True),
    Worded("REVERTED", {}, Means.FAILURE, BADLY),
    Worded("RECALLED", ADDED, Means.FAILURE, BADLY, is_open=True),
    Worded("UNDONE", {}, Means.FAILURE, BADLY),
    Worded("STORNIERT", {}, Means.FAILURE, BADLY),
    Worded("ARCHIVED", ADDED, Means.FAILURE, "name of a stop or of an end", is_open=True),
    Worded("ON_HOLD", ADDED, Means.FAILURE, "name of a stop or of an end", is_open=True),
    Worded("Quarantined", ADDED, Means.FAILURE, "name of a stop or of an end", is_open=True),
    Worded("THRESHOLD_MET", ADDED, Means.SUCCESS, "5 coupons added"),
    Worded(
        "LIVE", {**ADDED, "comment": "Revoked on Monday"}, Means.FAILURE, "Revoked", is_open=True
    ),
    Worded("LIVE", {**ADDED, "comment": "no rows rejected"}, Means.SUCCESS, "5 coupons added"),
    Worded(
        "LIVE",
        {"imported": 5, "active.activated": 0},
        Means.SUCCESS,
        "activated is 0",
        is_open=True,
    ),
    Worded("AWAITING_APPROVAL", ADDED, Means.PENDING, f"{PERSON}the name AWAITING_APPROVAL"),
    Worded("IN_REVIEW", {}, Means.PENDING, PERSON),
    Worded("UNCONFIRMED", ADDED, Means.PENDING, PERSON),
    Worded("STAGE_2", {"approval": {"needed_from": "Jo"}}, Means.PENDING, "needed_from is 'Jo'"),
    Worded("STAGE_2", {"release": {"state": "pending"}}, Means.PENDING, "release.state is"),
    Worded("STAGE_2", {"note": "waits for sign-off by Jo"}, Means.PENDING, "sign-off by Jo"),
    Worded("APPROVED", ADDED, Means.SUCCESS, "5 coupons added"),
    Worded("LIVE", {**ADDED, "requires_approval": True}, Means.SUCCESS, "5 coupons added"),
    Worded(
        "LIVE",
        {**ADDED, "approval": {"needed_from": "Jo"}, "approved_by": "Jo"},
        Means.SUCCESS,
        "5 coupons added",
    ),
    Worded("REVIEW_DECLINED", {}, Means.FAILURE, BADLY),
]


@pytest.mark.parametrize("row", WORDED, ids=[f"{row.status} {row.more}" for row in WORDED])
def test_words_beside_numbers_decide_what_a_status_is_proposed_as(row: Worded):
    file = file_of({"_id": "a", "status": row.status, **row.more})
    assert file is not None
    meaning = meaning_of(file, CountNames())
    assert (meaning.means, meaning.is_open) == (row.means, row.is_open), meaning
    assert row.says in meaning.why


class Explained(NamedTuple):
    """What a record has that may tell why its file failed, and what is read of it."""

    name: str
    record: Mapping[str, Any]
    reason: str


EXPLAINED = [
    Explained("nothing", {"rows": 3}, ""),
    Explained("a string", {"fehler": "Kein Kopf"}, "fehler: Kein Kopf"),
    Explained("a number of errors", {"errors": 3}, ""),
    Explained("an empty array", {"errors": []}, ""),
    Explained("an array of strings", {"failures": ["No header", "x"]}, "failures: No header"),
    Explained(
        "an array of objects, a message after a code",
        {"error_details": [{"row": 0, "code": "E7", "message": "HTTP 403"}]},
        "error_details: HTTP 403",
    ),
    Explained(
        "the second object has the message",
        {"errors": [{"row": 1}, {"detail": "No column code"}]},
        "errors: No column code",
    ),
    Explained(
        "below another property",
        {"result": {"failures": [{"code": "E7"}]}},
        "result.failures: E7",
    ),
    Explained(
        "a message before a code beside it",
        {"failure": {"code": "E7", "message": "No header"}},
        "failure.message: No header",
    ),
    Explained("an address of errors", {"error_report": "https://files.example.com/e"}, ""),
    Explained("where errors are", {"links": {"errors": "see page 4"}}, ""),
    Explained("what is done about errors", {"error_policy": "skip"}, ""),
    Explained("None as a text", {"error_text": "None."}, ""),
    Explained("too deep", {"errors": [[[[[["No header"]]]]]]}, ""),
]


@pytest.mark.parametrize("row", EXPLAINED, ids=[row.name for row in EXPLAINED])
def test_the_reason_of_a_failure_is_found_wherever_the_record_has_it(row: Explained):
    file = file_of({"_id": "a", "status": "FAILED", **row.record})
    assert file is not None
    assert file.reason == row.reason


# -- files that wait for a person ------------------------------------------------------------------


class Held(NamedTuple):
    """How an uploaded file ends up waiting for a person, and what is said of it."""

    name: str
    record: Mapping[str, Any]
    says: str


HELD = [
    Held(
        "by status",
        {"status": "PENDING_RELEASE", "accepted": 3, "activated": 0},
        "a person: PENDING_RELEASE (the name PENDING_RELEASE says so), and did not go on. Have it "
        "released, and see in the service's dashboard what becomes of it",
    ),
    Held(
        "by status and member",
        {"status": "AWAITING_APPROVAL", "approval": {"needed_from": "Marketing lead"}},
        "approval.needed_from is 'Marketing lead'), and did not go on. Have it approved",
    ),
    Held(
        "by member of a status that is waited for",
        {"status": "PROCESSING", "four_eyes": "waiting for the second person"},
        "a person: PROCESSING (four_eyes is 'waiting for the second person')",
    ),
]


@pytest.mark.parametrize("row", HELD, ids=[row.name for row in HELD])
def test_a_file_that_waits_for_a_person_is_said_first(row: Held):
    others = [
        {"_id": "f1", "status": "LIVE", "coupons_list_id": LIST, **ADDED},
        {"_id": "f2", "status": "ROLLED_BACK", "coupons_list_id": LIST, **ADDED},
    ]
    account = Uploads(stages=[(0, row.record)], others=others)
    report = account.examine(timeout=2.0, final_after=0.3)
    assert report.verdict.startswith("Not proved: Statuses. The uploaded file waits for a person: ")
    statuses = about(report, Topic.STATUSES)
    assert row.says in statuses.text
    assert "ROLLED_BACK is partial" in statuses.text
    assert "LIVE" in report.extra["coupon_file_statuses"]["success"]
    assert str(row.record["status"]) not in report.extra["coupon_file_statuses"]["success"]


def test_rows_say_that_only_files_of_other_lists_were_read():
    others = [record("f8", coupons_list_id="winter"), record("f9", coupons_list_id="winter")]
    report = examined_account(Account(records=others))
    for topic in (Topic.STATUSES, Topic.COUNTS):
        assert about(report, topic).text == "Only files of other lists were read."


# -- a file that is turned away at once ------------------------------------------------------------


class TurnedAway(NamedTuple):
    """The status in the response to an upload, and whether that is a refusal."""

    status: str
    is_turned_away: bool


AT_ONCE = [
    TurnedAway("REJECTED", is_turned_away=True),
    TurnedAway("FAILED", is_turned_away=True),
    TurnedAway("NOT_ACCEPTED", is_turned_away=True),
    TurnedAway("PENDING", is_turned_away=False),
    TurnedAway("SUCCESS", is_turned_away=False),
    TurnedAway("ANGENOMMEN", is_turned_away=False),
]


@pytest.mark.parametrize("row", AT_ONCE, ids=[row.status for row in AT_ONCE])
def test_an_upload_is_turned_away_if_the_status_in_its_response_is_a_failure(row: TurnedAway):
    reason = "The host of file_url is not allowed."
    record = {"_id": "other", "status": row.status, "reason": reason}
    report = Uploads(json_reply(201, record), listed_after=1000).examine(timeout=1.0)

    upload = about(report, Topic.UPLOAD)
    assert upload.certainty is (WRONG if row.is_turned_away else SURE)
    assert (f"at once ('{reason}')" in report.verdict) is row.is_turned_away


def test_a_response_with_a_file_that_the_list_had_is_no_upload():
    old = record("old", name="old.csv")
    report = Uploads(json_reply(200, {**old, "deduplicated": True}), others=[old]).examine()

    assert report.verdict.startswith("Not proved: Upload. The response has coupon file old, which")
    assert about(report, Topic.LAG).certainty is Certainty.NOT_ASKED
    assert about(report, Topic.STATUSES).certainty is SURE


@pytest.mark.parametrize("status", ["NOT_STARTED", "NOT_YET_READ"])
def test_an_upload_is_not_turned_away_by_a_word_for_no_in_a_status(status: str):
    report = Uploads(
        json_reply(201, {"_id": "other", "status": status}), listed_after=1000
    ).examine(timeout=1.0)

    assert about(report, Topic.UPLOAD).certainty is SURE


# -- a response with the identifier of something else ----------------------------------------------


def test_a_file_that_the_list_has_by_another_identifier_is_followed_by_its_name():
    job = {"_id": "job-7", "status": "PENDING", "coupons_list_id": LIST}
    report = Uploads(json_reply(201, job), listed_after=3.0).examine(timeout=90.0)

    upload = about(report, Topic.UPLOAD)
    assert upload.text.startswith("The response has the identifier job-7, but the list has the")
    assert "as up, so that is not the file's" in upload.text
    assert "Do not upload it again" in upload.text
    lag = about(report, Topic.LAG)
    assert lag.certainty is SURE
    assert lag.text.endswith("; the 30 s that tasks give it leave room.")
    assert "coupon_files_lag" not in report.changed
    assert report.verdict.startswith("Not proved: Upload. ")
    assert about(report, Topic.STATUSES).certainty is SURE


def test_a_list_that_is_slow_with_a_file_by_another_identifier_gets_the_lag_that_was_seen():
    job = {"_id": "job-7", "status": "PENDING", "coupons_list_id": LIST}
    report = Uploads(json_reply(201, job), listed_after=35.0).examine(timeout=120.0)

    lag = about(report, Topic.LAG)
    assert lag.certainty is WRONG
    assert 110 <= report.changed["coupon_files_lag"].value <= 150


def test_a_path_that_shows_another_file_is_said_to_do_so():
    uploads = Uploads(None)

    def answer(call: Call) -> Reply | None:
        if call.path.startswith(f"{FILES_PATH}/") and call.key == "campaign":
            return json_reply(200, record("f9"))
        return uploads.answer(call)

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST)

    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is NOT_PROVED
    assert "gets 200 with the record f9, which is not the file that was asked for" in finding.text


def test_the_path_of_a_file_that_the_response_to_its_upload_names_is_tried():
    named = {"Location": "/v1/import-jobs/up"}
    uploads = Uploads(None)

    def answer(call: Call) -> Reply | None:
        if call.method == "POST":
            return json_reply(201, uploads.file, **named)
        if call.path == "/v1/import-jobs/up":
            return json_reply(200, uploads.file)
        if call.path == f"{FILES_PATH}/up":
            return json_reply(404, {"error": {"code": "no-file", "message": "No file."}})
        return uploads.answer(call)

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=5.0)

    assert report.changed["paths.coupon_file"].value == "/v1/import-jobs/{coupon_file_id}"


# -- a file that no path of one file shows ---------------------------------------------------------


def test_a_file_that_only_the_list_shows_is_followed_there():
    stages = (
        (0, record("up", "PENDING")),
        (3, record("up", "PROCESSING")),
        (8, record("up", "PROCESSED")),
    )
    uploads = Uploads(stages=stages)

    def answer(call: Call) -> Reply | None:
        if call.path.startswith(f"{FILES_PATH}/"):
            return page_reply(404)
        return uploads.answer(call)

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=5.0)

    statuses = about(report, Topic.STATUSES)
    assert "the list has it, with PENDING → PROCESSING → PROCESSED" in statuses.text
    assert "Settle the Path of one file first" in statuses.text
    assert "--timeout" not in statuses.text


def test_a_gateway_that_refuses_escapes_is_suspected_if_other_paths_get_another_reply():
    files = [record("lists/a/f1"), record("lists/a/f2", "FAILED", error="no header")]

    def answer(call: Call) -> Reply | None:
        if "%2F" in call.path:
            return page_reply(404)
        return Account(records=files).reply(call)

    with replying(Account(answer)) as url:
        report = examined(url, coupon_list_id=LIST)

    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is NOT_PROVED
    assert "Identifiers have '/' (%2F), which the provider sends escaped." in finding.text
    assert "Ask whoever runs it to let them pass" in finding.text


class Nodes(NamedTuple):
    """What a node that is behind lacks of an uploaded file, and what is said of it."""

    name: str
    lacks: str
    of_lag: str
    of_path: str
    path: Certainty


NODES = [
    Nodes(
        "the list",
        "list",
        "GET /v1/coupon-list/spring/files had it at ",
        "It has a file and its status.",
        SURE,
    ),
    Nodes(
        "the file",
        "file",
        "GET /v1/coupon-list/spring/files/up had it at ",
        "GET /v1/coupon-list/spring/files/up had the uploaded file at ",
        NOT_PROVED,
    ),
    Nodes(
        "the list and the file",
        "list and file",
        "GET /v1/coupon-list/spring/files",
        "GET /v1/coupon-list/spring/files/up had the uploaded file at ",
        NOT_PROVED,
    ),
]


def examined_with_nodes(row: Nodes) -> Report:
    """Have the doctor upload a file that every second read of what the row names lacks."""
    uploads = Uploads()
    times = {"list": 0, "file": 0}

    def answer(call: Call) -> Reply | None:
        reply = uploads.answer(call)
        if call.method == "POST" or call.key != "campaign" or not uploads.name:
            return reply
        what = "file" if call.path.endswith("/up") else "list"
        times[what] += 1
        if what not in row.lacks or times[what] % 2:
            return reply
        if what == "file":
            return json_reply(404, {"error": {"code": "no-file", "message": "No file."}})
        return Account(records=list(uploads.others)).reply(call)

    with replying(Account(answer), uploads.take) as url:
        return examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=5.0)


@pytest.mark.parametrize("row", NODES, ids=[row.name for row in NODES])
def test_a_file_that_comes_and_goes_shows_no_lag(row: Nodes):
    report = examined_with_nodes(row)
    lag = about(report, Topic.LAG)
    assert lag.certainty is NOT_PROVED
    assert lag.text.startswith(f"The uploaded file comes and goes: {row.of_lag}")
    assert "coupon_files_lag" not in report.changed


@pytest.mark.parametrize("row", NODES, ids=[row.name for row in NODES])
def test_a_path_that_lacks_its_file_once_is_not_sure(row: Nodes):
    report = examined_with_nodes(row)
    finding = about(report, Topic.FILE_PATH)
    assert finding.certainty is row.path
    assert finding.text.startswith(row.of_path)


@pytest.mark.parametrize("ending", [303, 404])
def test_a_file_whose_identifier_changes_does_not_come_and_go(ending: int):
    uploads = Uploads()
    processed_after = 1.0  # seconds, in which the wait reads the file in real time

    def answer(call: Call) -> Reply | None:
        is_processed = bool(uploads.name) and CLOCK.time() - uploads.since > processed_after
        if call.key != "campaign" or not is_processed:
            return uploads.answer(call)
        if call.path == f"{FILES_PATH}/up" and ending == 303:
            return Reply(303, b"", {"Location": f"{FILES_PATH}/cf-1"})
        successor = {**uploads.file, "_id": "cf-1", "status": "SUCCESS"}
        return Account(records=[*uploads.others, successor]).reply(call)

    uploads.stages = [(0, record("up", "PENDING"))]
    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=3.0, final_after=5.0)

    assert report.verdict.startswith(
        "Not ready: Statuses. The end of the file was not seen under its identifier up: "
    )
    assert "The list has it as cf-1 (SUCCESS) now, so its identifier changes" in report.verdict
    assert "comes and goes" not in about(report, Topic.LAG).text


def test_a_list_without_files_on_their_way_proves_no_lag():
    stages = [(0, record("up", "PROCESSING")), (12, record("up", "SUCCESS", coupons_added=3))]
    report = Uploads(stages=stages, listed_after=12.0).examine()

    lag = about(report, Topic.LAG)
    assert lag.certainty is NOT_PROVED
    assert "as soon as it was processed, and not before" in lag.text


def test_a_list_that_has_the_file_on_its_way_proves_its_lag():
    stages = [(0, record("up", "PROCESSING")), (2, record("up", "SUCCESS", coupons_added=3))]
    report = Uploads(stages=stages, listed_after=1.0).examine()
    lag = about(report, Topic.LAG)
    assert lag.certainty is SURE
    assert "as soon as it was processed" not in lag.text


def test_two_files_of_one_request_are_no_accepted_upload():
    uploads = Uploads()

    def answer(call: Call) -> Reply | None:
        if call.path.endswith("/files") and call.key == "campaign" and uploads.name:
            twin = record("twin", name=uploads.name)
            return Account(records=[*uploads.others, twin, uploads.file]).reply(call)
        return uploads.answer(call)

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=5.0)

    assert report.verdict.startswith("Not ready: Upload. One request made 2 files of its name: ")


# -- coupons that are elsewhere --------------------------------------------------------------------


def test_a_file_that_was_split_names_its_parts_and_what_became_of_them():
    stages = (
        (0, record("up", "PENDING")),
        (0.3, {"_id": "up", "status": "SPLIT", "parts": ["up_1", "up_2"]}),
    )
    uploads = Uploads(stages=stages)
    parts = [record("up_1", parent_id="up"), record("up_2", "PROCESSING", parent_id="up")]

    def answer(call: Call) -> Reply | None:
        reply = uploads.answer(call)
        is_split = bool(uploads.name) and CLOCK.time() - uploads.since > 0.3
        if call.path.endswith("/files") and call.key == "campaign" and is_split:
            return Account(records=[*uploads.others, uploads.file, *parts]).reply(call)
        return reply

    with replying(Account(answer), uploads.take) as url:
        report = examined(url, coupon_list_id=LIST, file_url=URL, timeout=60.0, final_after=0.5)

    text = about(report, Topic.STATUSES).text
    assert "PENDING → SPLIT, which lasted, and nothing shows what it means" in text
    assert "Its record also has parts up_1, up_2." in text
    assert "The list has 2 new files made of it: up_1 (SUCCESS, 5 coupons added), up_2 (" in text
    assert "which status says that all of them are in, and name it as success only then" in text
    assert "coupon_file_statuses.success" not in report.changed


# -- a success that is a stage ---------------------------------------------------------------------


class Step(NamedTuple):
    """What a file has after 2 s, before it goes on, and a part of what is said of it."""

    name: str
    early: Mapping[str, Any]
    says: str


STEPS = [
    Step(
        "no coupon yet",
        record("up", "PROCESSED", coupons_added=0),
        "PROCESSED came before the end, too, as the status of a step",
    ),
    Step(
        "a step of three",
        record("up", "PROCESSED", stage_no=1, stages=3),
        "PROCESSED came before the end, too, as the status of a step",
    ),
]


@pytest.mark.parametrize("row", STEPS, ids=[row.name for row in STEPS])
def test_a_success_that_may_be_that_of_a_step_is_followed_until_it_has_lasted(row: Step):
    stages = (
        (0, record("up", "PENDING")),
        (0.3, row.early),
        (1.5, record("up", "PROCESSING", coupons_added=0)),
        (2.5, record("up", "PROCESSED")),
    )
    report = Uploads(stages=stages).examine(final_after=2.0)

    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is WRONG
    assert statuses.text.startswith("PENDING → PROCESSED → PROCESSING → PROCESSED: ")
    assert row.says in statuses.text
    assert not report.changed


def test_a_success_whose_record_says_that_it_is_one_of_several_steps_is_not_proved():
    stages = ((0, record("up", "PENDING")), (0.3, record("up", "PROCESSED", step="1 of 2")))
    report = Uploads(stages=stages).examine(final_after=0.5)

    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is NOT_PROVED
    assert "PROCESSED means success, and lasted, but step is 1 of 2." in statuses.text
    assert "Ask the service's support what becomes of such a file." in statuses.text


class Progress(NamedTuple):
    """Members of a record, and what they say of a step; empty for nothing."""

    name: str
    members: Mapping[str, Any]
    says: str


PROGRESS = [
    Progress("percent", {"progress": 40}, "progress is 40"),
    Progress("nothing yet", {"percent_complete": 0}, "percent_complete is 0"),
    Progress("a share", {"progress": 0.5}, "progress is 0.5"),
    Progress("all, as a share", {"progress": 1.0}, ""),
    Progress("all, as a whole share", {"progress": 1}, ""),
    Progress("all", {"progress": 100}, ""),
    Progress("below another member", {"job": {"percentage": 99}}, "job.percentage is 99"),
    Progress("one of three", {"step": "1/3"}, "step is 1/3"),
    Progress("three of three", {"step": "3 of 3"}, ""),
    Progress("no step", {"voucher": "1/3"}, ""),
    Progress("numbers", {"stage_no": 1, "stages": 3}, "stage_no is 1, and stages is 3"),
    Progress("the last one", {"stage_no": 3, "stages": 3}, ""),
    Progress("a total", {"phase": 1, "total_phases": 2}, "phase is 1, and total_phases is 2"),
    Progress("a number alone", {"stage_no": 1}, ""),
    Progress("yes or no", {"progress": False}, ""),
]


@pytest.mark.parametrize("row", PROGRESS, ids=[row.name for row in PROGRESS])
def test_members_of_a_record_say_which_step_it_is_on_unless_it_is_the_last(row: Progress):
    file = file_of(record("up", "PROCESSED", **row.members))
    assert file is not None
    assert step_of(file) == row.says


def test_a_known_success_without_counts_is_followed_if_files_of_another_status_have_counts():
    stages = (
        (0, record("up", "PENDING", coupons_added=None)),
        (0.3, record("up", "PROCESSED", coupons_added=None)),
        (1.5, record("up", "ACTIVE")),
    )
    others = [record("f1", "ACTIVE"), record("f2", "ACTIVE")]
    report = Uploads(stages=stages, others=others).examine(final_after=2.0)

    assert report.verdict.startswith("Not ready: Statuses. PENDING → PROCESSED → ACTIVE: PROCESSED")
    success = report.changed["coupon_file_statuses.success"].value
    assert "ACTIVE" in success
    assert "PROCESSED" not in success


def test_a_count_beside_other_numbers_is_a_guess_and_comes_after_the_statuses():
    counts = {"codes": {"accepted": 3, "rejected": 1, "total": 4}}
    plain = {"coupons_added": None, "coupons_duplicate": None, **counts}
    stages = ((0, record("up", "PENDING", **plain)), (0.3, record("up", "LIVE", **plain)))
    report = Uploads(stages=stages, others=[]).examine(final_after=0.5)

    assert report.verdict.startswith("Not proved: Statuses. PENDING → LIVE, which lasted and may")
    finding = about(report, Topic.COUNTS)
    assert finding.certainty is NOT_PROVED
    assert finding.guesses == {"coupon_file_counts.added": "codes.accepted"}
    assert "Confirm in the service's dashboard what codes.accepted counts" in finding.text
