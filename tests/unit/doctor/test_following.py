"""
An upload is followed with few reads, and what its end means is stated only as far as the file shows
it. The doctor's pauses take no time: whoever sleeps moves the clock.
"""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from support.doctor_service import OLD_LIST, about, diagnose, examined, service
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider import contract
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.options import Options
from wes_provider.doctor.report import Report
from wes_provider.doctor.upload import is_name_of

FILE = "65f0c0ffee00000000000001"
NOTHING: Mapping[str, Any] = MappingProxyType({})
Stage = tuple[float, Any, Mapping[str, Any]]
PATH, LIST = f"/v1/coupon-list/{OLD_LIST}/files/{FILE}", f"/v1/coupon-list/{OLD_LIST}/files"


@dataclass
class FollowedAccount:
    """
    A service with one list, to which one file is uploaded.

    :ivar stages: of the uploaded file: seconds after the upload, its status, further properties.
    :ivar file_path: where the file is; ``None`` if nowhere. ``list_path`` likewise.
    :ivar list_body: what the body of the list is, from its records.
    :ivar upload: the reply to the upload, if it is not the usual one.
    :ivar reads: paths that were read, and when.
    """

    stages: Sequence[Stage] = ((0, "PENDING", NOTHING), (0.3, "SUCCESS", {"coupons_added": 5}))
    file_path: str | None = PATH
    list_path: str | None = LIST
    list_body: Callable[[list[dict[str, Any]]], Any] = lambda records: records
    upload: Reply | None = None
    name: str = ""
    uploaded_at: float = 0.0
    reads: list[str] = field(default_factory=list)

    def reply(self, method: str, path: str, headers: Mapping[str, str]) -> Reply:
        known = {b"workspace:campaign-key-of-ours", b"workspace:data-key-of-ours"}
        if base64.b64decode(headers["Authorization"][6:]) not in known:
            return Reply(401, b'{"error": {"code": "request-unauthenticated", "message": "No."}}')
        if method == "POST":
            self.uploaded_at = CLOCK.time()
            self.reads.clear()
            return self.upload or Reply(201, json.dumps(self.record).encode())
        self.reads.append(path)
        if path == self.list_path:
            return Reply(
                200, json.dumps(self.list_body([self.record] if self.name else [])).encode()
            )
        if path == self.file_path and self.name:
            return Reply(200, json.dumps(self.record).encode())
        what = "segment" if path.startswith("/v3/") else f"path {path}"
        return Reply(
            404, json.dumps({"error": {"code": "not-found", "message": f"no such {what}"}}).encode()
        )

    def take(self, body: bytes) -> None:
        """The body of the upload."""
        self.name = json.loads(body)["name"]

    @property
    def record(self) -> dict[str, Any]:
        age = CLOCK.time() - self.uploaded_at
        _, status, more = [stage for stage in self.stages if stage[0] <= age][-1]
        url = "https://files.example.com/a.csv"
        return {
            "_id": FILE,
            "name": self.name,
            "file_url": url,
            "status": status,
            "coupons_list_id": OLD_LIST,
            **more,
        }

    def examine(self, **options: Any) -> Report:
        """What the doctor reports of an upload."""
        given = {
            "file_url": "https://files.example.com/a.csv",
            "timeout": 10.0,
            "final_after": 0.3,
            **options,
        }
        with replying(self.reply, self.take) as url:
            return examined(url, coupon_list_id=OLD_LIST, **given)


MOST_READS_WITHOUT_A_WAIT = 15
MOST_READS_OF_A_FEW_SECONDS = 40
MOST_READS_OF_ALL_PATHS = 70
ON_THE_WAY: Stage = (0, "PENDING", NOTHING)


ADDED = {"coupons_added": 5}


class End(NamedTuple):
    """
    What follows when a file was pending, and what is said of it.

    :ivar timeout: seconds for which the file is followed.
    """

    name: str
    stages: tuple[Stage, ...]
    certainty: Certainty
    says: str
    timeout: float = 10.0


GROWING = tuple((0.1 + step / 5, "IMPORTED", {"coupons_added": step}) for step in range(12))
ENDS = [
    End(
        "a known success with coupons added",
        ((0.3, "SUCCESS", ADDED),),
        Certainty.SURE,
        "PENDING → SUCCESS, which means success.",
    ),
    End(
        "a known success with duplicates only",
        ((0.3, "SUCCESS", {"coupons_added": 0, "coupons_duplicate": 5}),),
        Certainty.SURE,
        "PENDING → SUCCESS",
    ),
    End(
        "a known success without counts",
        ((0.3, "SUCCESS", NOTHING),),
        Certainty.SURE,
        "PENDING → SUCCESS, which means success.",
    ),
    End(
        "a known success with no coupon",
        ((0.3, "SUCCESS", {"coupons_added": 0}),),
        Certainty.NOT_PROVED,
        "PENDING → SUCCESS: SUCCESS means success, and lasted, but no coupon was added.",
    ),
    End(
        "an unknown success with coupons added",
        ((0.3, "IMPORTED", ADDED),),
        Certainty.WRONG,
        "PENDING → IMPORTED: IMPORTED means success (coupons",
    ),
    End(
        "the name of a stage with coupons added",
        ((0.3, "STAGED", {"coupons_added": 6}),),
        Certainty.NOT_PROVED,
        "PENDING → STAGED, which lasted and may mean pending: the name",
    ),
    End(
        "a known failure",
        ((0.3, "FAILED", {"error": "late"}),),
        Certainty.NOT_PROVED,
        "FAILED: the file failed (late).",
    ),
    End(
        "a failure after a count that grew",
        (*GROWING, (2.5, "FAILED", NOTHING)),
        Certainty.NOT_PROVED,
        "FAILED: the file failed",
    ),
    End(
        "no end",
        (),
        Certainty.NOT_PROVED,
        "The end of the file was not seen: Not processed within",
        timeout=1.5,
    ),
]


FIRST_OF_TWO, SECOND_OF_TWO = ({"attempt": number, "max_attempts": 2} for number in (1, 2))
WATCHED = 4.0  # seconds for which a status has to last
TRIED_AGAIN = [
    End(
        "it succeeds then",
        ((0.3, "FAILED", FIRST_OF_TWO), (3.0, "PENDING", NOTHING), (6.0, "SUCCESS", ADDED)),
        Certainty.WRONG,
        "PENDING → FAILED → PENDING → SUCCESS: FAILED is no end",
        timeout=20.0,
    ),
    End(
        "it fails then, at the last attempt",
        ((0.3, "FAILED", FIRST_OF_TWO), (3.0, "PENDING", NOTHING), (6.0, "FAILED", SECOND_OF_TWO)),
        Certainty.WRONG,
        "PENDING → FAILED → PENDING → FAILED: FAILED is no end",
        timeout=20.0,
    ),
    End(
        "it is not tried while a status has to last",
        ((0.3, "FAILED", FIRST_OF_TWO), (9.0, "SUCCESS", ADDED)),
        Certainty.NOT_PROVED,
        "The end of the file was not seen: FAILED for now, to be tried again.",
        timeout=20.0,
    ),
    End(
        "it is not tried before the time is over",
        ((0.3, "FAILED", FIRST_OF_TWO), (4.0, "SUCCESS", ADDED)),
        Certainty.NOT_PROVED,
        "The end of the file was not seen: FAILED for now, to be tried again.",
        timeout=2.0,
    ),
    End(
        "it has failed at the last attempt",
        ((0.3, "FAILED", {**SECOND_OF_TWO, "error": "late"}),),
        Certainty.NOT_PROVED,
        "FAILED: the file failed (late).",
    ),
]


@pytest.mark.parametrize("row", TRIED_AGAIN, ids=[row.name for row in TRIED_AGAIN])
def test_a_failed_file_is_followed_further_if_the_service_tries_it_again(row: End):
    account = FollowedAccount([ON_THE_WAY, *row.stages])
    report = account.examine(timeout=row.timeout, final_after=WATCHED)
    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is row.certainty, report.to_json()
    assert statuses.text.startswith(row.says)


def test_counts_of_a_file_that_is_tried_again_are_not_proved():
    failed = {**FIRST_OF_TWO, "coupons_added": 0}
    report = FollowedAccount([ON_THE_WAY, (0.3, "FAILED", failed)]).examine()
    assert Topic.COUNTS not in [finding.topic for finding in report.findings]


@pytest.mark.parametrize("row", ENDS, ids=[row.name for row in ENDS])
def test_an_end_means_what_its_status_and_its_counts_show(row: End):
    account = FollowedAccount([ON_THE_WAY, *row.stages])
    report = account.examine(timeout=row.timeout)
    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is row.certainty, report.to_json()
    assert statuses.text.startswith(row.says)
    assert report.works is (row.certainty is Certainty.SURE)


# A failure after a count that grew, and no end.
LONGEST = ENDS[-2:]


@pytest.mark.parametrize("row", LONGEST, ids=[row.name for row in LONGEST])
def test_a_file_is_followed_with_few_reads(row: End):
    account = FollowedAccount([ON_THE_WAY, *row.stages])
    account.examine(timeout=row.timeout)
    assert len(account.reads) < MOST_READS_OF_A_FEW_SECONDS


class Own(NamedTuple):
    """
    What follows an own status, which the connection names as success, and what is said.

    :ivar why: what decides it.
    :ivar pending: the statuses that are proposed as pending.
    """

    name: str
    stages: tuple[Stage, ...]
    certainty: Certainty
    why: str
    says: str
    pending: frozenset[str] = frozenset()


OWN = [
    Own(
        "a failure follows",
        ((0.3, "ACTIVE", ADDED), (1.3, "FAILED", {"error": "late"})),
        Certainty.WRONG,
        "another status followed it",
        "PENDING → ACTIVE → FAILED: ACTIVE is a stage on the way, though tasks take it for a "
        "success, so they would end too early. Name it as pending. Then the file failed (late)",
        frozenset({"ACTIVE", "SCHEDULED"}),
    ),
    Own(
        "a success follows",
        ((0.3, "ACTIVE", ADDED), (1.3, "COMPLETED", ADDED)),
        Certainty.WRONG,
        "another status followed it",
        "PENDING → ACTIVE → COMPLETED: ACTIVE is a stage on the way, though",
        frozenset({"ACTIVE", "SCHEDULED"}),
    ),
    Own(
        "it lasts",
        ((0.3, "ACTIVE", ADDED),),
        Certainty.SURE,
        "none followed for as long as a status lasts that is final, and coupons were added",
        "PENDING → ACTIVE, which lasted and means success. SCHEDULED seems to mean pending (file "
        "other",
        frozenset({"SCHEDULED"}),
    ),
    Own(
        "it lasts, and has no counts",
        ((0.3, "ACTIVE", NOTHING),),
        Certainty.NOT_PROVED,
        "nothing shows that coupons were added",
        "PENDING → ACTIVE: ACTIVE means success by the connection, and lasted, but",
    ),
    Own(
        "its name and its counts prove it",
        ((0.5, "IMPORTED", ADDED), (9.0, "FAILED", NOTHING)),
        Certainty.SURE,
        "so it is not followed until the failure",
        "PENDING → IMPORTED, which",
        frozenset({"SCHEDULED"}),
    ),
]
SCHEDULED = {"_id": "other", "status": "SCHEDULED", "coupons_list_id": OLD_LIST}


def proposed_as_pending(report: Report) -> frozenset[str]:
    pending = report.extra.get("coupon_file_statuses", {}).get("pending", [])
    return frozenset(pending) - contract.PENDING_STATUSES


@pytest.mark.parametrize("row", OWN, ids=[row.name for row in OWN])
def test_an_own_status_is_a_success_only_once_it_has_lasted_or_is_proved(row: Own):
    account = FollowedAccount(
        [ON_THE_WAY, *row.stages], list_body=lambda records: [*records, SCHEDULED]
    )
    extra = {"coupon_file_statuses": {"success": ["ACTIVE", "IMPORTED", "COMPLETED"]}}
    report = account.examine(timeout=20.0, final_after=1.6, extra=extra)
    statuses = about(report, Topic.STATUSES)
    assert statuses.text.startswith(row.says)
    assert statuses.certainty is row.certainty, row.why
    assert proposed_as_pending(report) == row.pending


def test_a_status_of_another_file_is_proposed_beside_an_end_that_is_not_proved():
    stages = [ON_THE_WAY, (0.3, "QUARANTINED", ADDED)]
    account = FollowedAccount(stages, list_body=lambda records: [*records, SCHEDULED])
    report = account.examine()
    assert about(report, Topic.STATUSES).certainty is Certainty.NOT_PROVED
    assert proposed_as_pending(report) == {"SCHEDULED"}


class Missing(NamedTuple):
    """What no path shows, what is not proved then, and what is said."""

    name: str
    paths: Mapping[str, None]
    topic: Topic
    says: str


MISSING = [
    Missing(
        "one file",
        {"file_path": None},
        Topic.FILE_PATH,
        "the uploaded file: ask the service's support for the path of one file.",
    ),
    Missing(
        "the list",
        {"list_path": None},
        Topic.LIST_PATH,
        "the uploaded file. Ask the service's support where and when",
    ),
]


@pytest.mark.parametrize("row", MISSING, ids=[row.name for row in MISSING])
def test_a_path_that_no_read_shows_is_named_with_the_reads(row: Missing):
    account = FollowedAccount(**row.paths)
    report = account.examine(timeout=1.5)
    finding = about(report, row.topic)
    assert finding.certainty is Certainty.NOT_PROVED
    assert len(finding.probes) >= 8
    assert all("→ 404, JSON: not-found: no such path" in str(probe) for probe in finding.probes)
    assert len(account.reads) < MOST_READS_OF_ALL_PATHS
    assert f"None of these paths shows {row.says}" in finding.text
    assert not report.works


class WithoutIt(NamedTuple):
    """What a list has in place of the uploaded file, and what the report says of it."""

    name: str
    records: list[dict[str, Any]]
    text: str


NO_FILE_AT_ALL = "the uploaded file: /v1/coupon-list/{coupon_list_id}/files has no file at all."
WHEN = "the uploaded file. Ask the service's support where and when"
WITHOUT_IT = [
    WithoutIt("no object", [], NO_FILE_AT_ALL),
    WithoutIt("an object without an identifier", [{"id": "a"}], WHEN),
    WithoutIt("another file", [{"_id": "older"}], WHEN),
]


@pytest.mark.parametrize("row", WITHOUT_IT, ids=[row.name for row in WITHOUT_IT])
def test_a_list_without_the_uploaded_file_is_called_empty_only_if_it_is(row: WithoutIt):
    account = FollowedAccount(list_body=lambda shown: shown and row.records)
    found = about(account.examine(timeout=1.5), Topic.LIST_PATH)
    assert row.text in found.text, found.text


MOST_READS_IN_A_MINUTE = 100


def test_a_file_that_nothing_shows_is_looked_for_for_a_minute():
    account = FollowedAccount(file_path=None, list_path=None)
    report = account.examine(timeout=600.0)
    # Ten minutes are given, but the search ends after one.
    assert 40 < len(account.reads) <= MOST_READS_IN_A_MINUTE
    assert report.changed == {}
    assert not report.works


class Unlisted(NamedTuple):
    """The last status of a file that no list shows, how long it is followed, and what is said."""

    name: str
    status: str
    timeout: float
    says: str


@cache
def report_of(row: Unlisted) -> Report:
    """What the doctor reports of an upload whose file is not in the list."""
    stages = [ON_THE_WAY, (3.0, row.status, {"coupons_added": 5})]
    account = FollowedAccount(stages, list_body=lambda _: [])
    return account.examine(timeout=row.timeout, final_after=8.0)


UNLISTED = [
    Unlisted(
        "unknown", "QUARANTINED", 45.0, "PENDING → QUARANTINED, which lasted and may mean success"
    ),
    Unlisted(
        "unknown, followed for longer",
        "QUARANTINED",
        90.0,
        "PENDING → QUARANTINED, which lasted and may mean success",
    ),
    Unlisted(
        "partial",
        "REJECTED_BY_HAND",
        45.0,
        "PENDING → REJECTED_BY_HAND, which lasted and is partial",
    ),
    Unlisted("a success", "SUCCESS", 45.0, "PENDING → SUCCESS, which means success"),
    Unlisted("a failure", "FAILED", 45.0, "FAILED: the file failed"),
    Unlisted(
        "on its way", "PENDING", 45.0, "The end of the file was not seen: Not processed within 4"
    ),
]


@pytest.mark.parametrize("row", UNLISTED, ids=[row.name for row in UNLISTED])
def test_the_end_of_a_file_that_no_list_shows_is_read_from_the_file_alone(row: Unlisted):
    assert row.says in about(report_of(row), Topic.STATUSES).text


@pytest.mark.parametrize("row", UNLISTED, ids=[row.name for row in UNLISTED])
def test_the_lag_of_a_list_that_does_not_show_the_file_is_not_proved(row: Unlisted):
    lag = about(report_of(row), Topic.LAG)
    assert lag.certainty is Certainty.NOT_PROVED
    assert re.match(r"The list did not show the file in \d+ s: ask", lag.text)


def test_an_empty_list_is_no_page_of_a_longer_one_whose_limit_would_be_named():
    unknown = UNLISTED[0]
    assert "limit" not in about(report_of(unknown), Topic.LIST_PATH).text


def test_a_new_file_beyond_the_first_page_is_not_called_late():
    page = {"total": 7, "data": []}
    report = FollowedAccount(list_body=lambda _: page).examine(timeout=20.0)
    assert "has a part of the list only: 0 of 7 files" in about(report, Topic.LIST_PATH).text
    assert about(report, Topic.LAG).certainty is Certainty.NOT_ASKED
    assert report.changed == {}


class NoString(NamedTuple):
    """A status that is no string, and what is said of it."""

    name: str
    status: Any
    says: str
    more: Mapping[str, Any] = NOTHING


NO_STRINGS = [
    NoString("a number", 7, "The file has status 7, but the provider reads a string under status"),
    NoString("an object", {"code": "OK"}, 'The file has status {"code":"OK"}, but'),
    NoString("another name", None, 'The file has state "DONE", but', {"state": "DONE"}),
]


@pytest.mark.parametrize("row", NO_STRINGS, ids=[row.name for row in NO_STRINGS])
def test_a_status_that_is_no_string_is_told_as_what_it_is(row: NoString):
    account = FollowedAccount([(0, row.status, row.more)])
    report = account.examine(timeout=60.0)
    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is Certainty.WRONG
    assert statuses.text.startswith(row.says)
    assert len(account.reads) < MOST_READS_WITHOUT_A_WAIT


def test_an_upload_works_whose_file_has_no_status_at_first():
    stages = [(0, None, NOTHING), (3.0, "SUCCESS", {"coupons_added": 5, "coupons_duplicate": 0})]
    assert FollowedAccount(stages).examine(timeout=60.0).works


def test_the_lag_of_a_list_that_shows_files_late_is_three_times_that_in_tens_of_seconds():
    with service(list_lag=4) as emulator:
        given = {"coupon_list_id": OLD_LIST, "file_url": f"{emulator.files_url}/good.csv"}
        report = diagnose(emulator, extra={"coupon_files_lag": 1}, **given)
    value, is_proved = report.values["coupon_files_lag"]
    # Three times the lag that was seen, in tens.
    assert (value, is_proved) == (20, True)
    assert report.extra == {"coupon_files_lag": value}


class Shown(NamedTuple):
    """How many characters of a name the list shows, and what is said."""

    name: str
    length: int
    says: str


WHOLE = len(Options().file_name)
SHOWN = [
    Shown("whole", WHOLE, f"The list shows {WHOLE} of {WHOLE} characters, which suffices."),
    Shown("24 characters", 24, f"The list shows 24 of {WHOLE} characters, which suffices."),
    Shown(
        "23 characters",
        23,
        f"The list shows 23 of {WHOLE} characters, too few to tell it from others: an upload "
        "whose response is lost needs a person.",
    ),
]


@pytest.mark.parametrize("row", SHOWN, ids=[row.name for row in SHOWN])
def test_names_are_recognized_if_the_list_shows_24_characters_of_them(row: Shown):
    account = FollowedAccount(
        list_body=lambda records: [
            {**record, "name": record["name"][: row.length]} for record in records
        ]
    )
    assert about(account.examine(), Topic.NAMES).text == row.says


class Unusable(NamedTuple):
    """A reply that leaves it open whether the file was uploaded, and what is said."""

    name: str
    reply: Reply
    says: str


UNUSABLE = [
    Unusable("no response", Reply(0, b""), "No usable response came; the service may have"),
    Unusable(
        "a page with 500",
        Reply(500, b"<h1>The URL has no slash.</h1>"),
        "The service or a gateway replies 500 to POST /v1/coupon-list/old-list/files: 'The URL "
        "has no slash'; the service may have done it or not",
    ),
    Unusable(
        "JSON with 502",
        Reply(502, b'{"message": "Upstream timed out"}'),
        "The service or a gateway replies 502 to POST /v1/coupon-list/old-list/files: "
        "'Upstream timed out'; the service may have done it or not",
    ),
    Unusable(
        "a redirect",
        Reply(308, b"", {"Location": "/v2/files"}),
        "POST /v1/coupon-list/old-list/files is redirected to http://127.0.0.1:",
    ),
    Unusable(
        "an error with 200",
        Reply(200, b'{"success": false, "message": "No uploads today."}'),
        "The service or a gateway replies 200 with an error to POST "
        "/v1/coupon-list/old-list/files: 'No uploads today'. A task cannot tell",
    ),
    Unusable(
        "the file in an envelope",
        Reply(201, b'{"result": {"_id": "f1", "status": "PENDING"}}'),
        "The response lacks the coupon file's _id where the provider reads it: it is under result.",
    ),
    Unusable("no identifier", Reply(201, b"{}"), "The response lacks the coupon file's _id."),
]


@pytest.mark.parametrize("row", UNUSABLE, ids=[row.name for row in UNUSABLE])
def test_an_upload_without_a_usable_reply_is_not_sent_again_and_the_file_to_look_for_is_named(
    row: Unusable,
):
    account = FollowedAccount(upload=row.reply, list_body=lambda _: [])
    report = account.examine()
    finding = about(report, Topic.UPLOAD)
    assert finding.text.startswith(row.says)
    assert (
        f"Look for {account.name} among the list's files in the service's console; "
        "upload nothing again"
    ) in finding.text
    assert (report.writes, report.works) == (1, False)


def test_an_upload_that_is_refused_leaves_nothing_to_look_for():
    refusal = Reply(403, b'{"error": {"code": "request-forbidden", "message": "No."}}')
    report = FollowedAccount(upload=refusal).examine()
    finding = about(report, Topic.UPLOAD)
    assert finding.text.startswith("The service replies 403 request-forbidden to POST")
    assert "Look for" not in finding.text
    assert "request-forbidden: No." in str(finding.probes[0])
    assert (report.writes, report.works) == (1, False)


def test_an_upload_that_the_user_stops_before_the_reply_may_have_taken_effect():
    account = FollowedAccount()

    def reply(method: str, path: str, headers: Mapping[str, str]) -> Reply:
        if method == "POST":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)
        return account.reply(method, path, headers)

    with replying(reply, account.take) as url:
        report = examined(
            url, coupon_list_id=OLD_LIST, file_url="https://f.example.com/a", segment_id="s"
        )
    assert (report.writes, report.stopped) == (1, True)
    assert (
        f"may have done it or not. Look for {account.name} among"
        in about(report, Topic.UPLOAD).text
    )
    assert about(report, Topic.SEGMENT).text == "Not sent: you stopped it."


def steps_of_unknown_status() -> list[str]:
    """Return the lines of progress while a file gets a status that nobody knows."""
    steps: list[str] = []
    FollowedAccount([ON_THE_WAY, (0.3, "IMPORTED", {"coupons_added": 5})]).examine(
        on_step=steps.append
    )
    return steps[steps.index(f"Upload https://files.example.com/a.csv to the list {OLD_LIST}") :]


def test_progress_repeats_nothing():
    steps = steps_of_unknown_status()
    assert len(steps) == len(set(steps))


def test_progress_says_until_when_an_unknown_status_is_watched():
    (step,) = [step for step in steps_of_unknown_status() if "IMPORTED" in step]
    assert re.search(
        r"IMPORTED, which is not known: it counts as final if it lasts until \d\d:\d\d:\d\d UTC$",
        step,
    )


def test_a_success_that_counts_follow_comes_too_early_for_tasks():
    first, later = {"coupons_added": 0, "poll_number": 1}, {"coupons_added": 9, "poll_number": 2}
    stages = [ON_THE_WAY, (0.2, "COMPLETED", first), (1.3, "COMPLETED", later)]
    report = FollowedAccount(stages).examine(timeout=5.0, final_after=2.0)
    statuses = about(report, Topic.STATUSES)
    assert statuses.text.startswith(
        "PENDING → COMPLETED, which is success for tasks, but the file went on after that "
        "(coupons_added 0, then 9): a task would end too early."
    )
    assert statuses.certainty is Certainty.NOT_PROVED


# -- names -----------------------------------------------------------------------------------------


class Named(NamedTuple):
    """A name as a list shows it, and whether it is that of an upload."""

    name: str
    shown: str
    is_it: bool


SENT_NAME = "Wes-Doctor-1234567890-abcd.csv"
NAMED = [
    Named("whole", SENT_NAME, is_it=True),
    Named("in other letters", SENT_NAME.upper(), is_it=True),
    Named("its first 24 characters", SENT_NAME[:24], is_it=True),
    Named("its first 23 characters", SENT_NAME[:23], is_it=False),
    Named("nothing", "", is_it=False),
    Named("another one of the same length", "Wes-Doctor-0987654321-abcd.csv", is_it=False),
    Named("longer", f"{SENT_NAME}.gz", is_it=False),
    Named("its end", SENT_NAME[3:], is_it=False),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.name for row in NAMED])
def test_a_name_is_that_of_an_upload_if_it_begins_it_and_has_24_characters(row: Named):
    assert is_name_of(row.shown, SENT_NAME) is row.is_it
