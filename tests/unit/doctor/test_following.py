"""
An upload is followed with few reads, and what its end means is stated only as far as the file shows
it.
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
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from support.doctor_service import OLD_LIST, about, diagnose, examined, service
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.report import Report

FILE = "65f0c0ffee00000000000001"
NOTHING: Mapping[str, Any] = MappingProxyType({})
Stage = tuple[float, Any, Mapping[str, Any]]
PATH, LIST = f"/v1/coupon-list/{OLD_LIST}/files/{FILE}", f"/v1/coupon-list/{OLD_LIST}/files"


@dataclass
class Account:
    """
    A service with one list.

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


ON_THE_WAY: Stage = (0, "PENDING", NOTHING)


@pytest.mark.parametrize(
    ("stages", "certainty", "text"),
    [
        ([(0.3, "SUCCESS", {"coupons_added": 5})], "sure", "PENDING → SUCCESS, which means "
            "success."),
        ([(0.3, "SUCCESS", {"coupons_added": 0, "coupons_duplicate": 5})], "sure", "PENDING → "
            "SUCCESS"),
        ([(0.3, "IMPORTED", {"coupons_added": 5})], "wrong", "PENDING → IMPORTED: IMPORTED means "
            "success (coupons"),
        ([(0.3, "SUCCESS", {"coupons_added": 0})], "not proved", "SUCCESS means success, but no "
            "coupon"),
        ([(0.3, "STAGED", {"coupons_added": 6})], "not proved", "PENDING → STAGED, which lasted and "
            "may mean pending: the name"),
        ([(0.3, "FAILED", {"error": "late"})], "not proved", "FAILED: the file failed (late)."),
        ([(0.1 + step / 5, "IMPORTED", {"coupons_added": step}) for step in range(12)] + [(2.5, "FAILED", {})],
         "not proved", "FAILED: the file failed"),
        ([], "not proved", "The end of the file was not seen: Not processed within"),
    ],
    ids="success duplicates imported nothing stage failed growing never".split(),
)  # fmt: skip
def test_what_an_end_means(stages: list[Stage], certainty: str, text: str):
    account = Account([ON_THE_WAY, *stages])
    report = account.examine(timeout=10.0 if stages else 1.5)
    found = about(report, Topic.STATUSES)
    assert found.certainty.value == certainty, report.to_json()
    assert found.text.startswith(text)
    assert report.works is (certainty == "sure")
    assert len(account.reads) < 40


class Own(NamedTuple):
    """What follows an own status, which the connection names as success, and what is said."""

    name: str
    stages: tuple[Stage, ...]
    certainty: Certainty
    says: str


ADDED = {"coupons_added": 5}
OWN = [
    Own(
        "a failure follows",
        ((0.5, "ACTIVE", ADDED), (2.0, "FAILED", {"error": "late"})),
        Certainty.WRONG,
        "PENDING → ACTIVE → FAILED: ACTIVE is a stage on the way, though the connection names it "
        "as success, so tasks would end too early. Name it as pending. Then the file failed (late)",
    ),
    Own(
        "a success follows",
        ((0.5, "ACTIVE", ADDED), (2.0, "COMPLETED", ADDED)),
        Certainty.WRONG,
        "PENDING → ACTIVE → COMPLETED: ACTIVE is a stage on the way, though",
    ),
    Own(
        "it lasts",
        ((0.5, "ACTIVE", ADDED),),
        Certainty.SURE,
        "PENDING → ACTIVE, which lasted and means success. SCHEDULED seems to mean pending (file "
        "other",
    ),
    Own(
        "it lasts, and has no counts",
        ((0.5, "ACTIVE", NOTHING),),
        Certainty.NOT_PROVED,
        "ACTIVE means success by the connection, but",
    ),
    Own(
        "its name and its counts prove it",
        ((0.5, "IMPORTED", ADDED), (9.0, "FAILED", NOTHING)),
        Certainty.SURE,
        "PENDING → IMPORTED, which",
    ),
]


@pytest.mark.parametrize("row", OWN, ids=[row.name for row in OWN])
def test_an_own_status_is_a_success_only_once_it_has_lasted_or_is_proved(row: Own):
    others = [{"_id": "other", "status": "SCHEDULED", "coupons_list_id": OLD_LIST}]
    account = Account([ON_THE_WAY, *row.stages], list_body=lambda records: [*records, *others])
    extra = {"coupon_file_statuses": {"success": ["ACTIVE", "IMPORTED", "COMPLETED"]}}
    report = account.examine(timeout=20.0, final_after=4.0, extra=extra)
    statuses = about(report, Topic.STATUSES)
    assert statuses.text.startswith(row.says)
    assert statuses.certainty is row.certainty
    pending = report.extra["coupon_file_statuses"].get("pending", [])
    assert ("ACTIVE" in pending) is (row.certainty is Certainty.WRONG)
    assert ("SCHEDULED" in pending) is (row.certainty in (Certainty.WRONG, Certainty.SURE))


@pytest.mark.parametrize(
    ("missing", "text"),
    [
        ("file_path", "the uploaded file: ask the service's support for the path of one file."),
        ("list_path", "the uploaded file. Ask the service's support where and when"),
    ],
)
def test_a_path_that_no_read_shows_is_named_with_the_reads(missing: str, text: str):
    account = Account(**{missing: None})
    report = account.examine(timeout=1.5)
    found = about(report, Topic.FILE_PATH if missing == "file_path" else Topic.LIST_PATH)
    assert found.certainty is Certainty.NOT_PROVED
    assert len(found.probes) >= 8
    assert all("→ 404, JSON: not-found: no such path" in line for line in map(str, found.probes))
    assert len(account.reads) < 70
    assert f"None of these paths shows {text}" in found.text
    assert not report.works


MOST_READS_IN_A_MINUTE = 100


def test_a_file_that_nothing_shows_is_not_looked_for_without_end():
    account = Account(file_path=None, list_path=None)
    report = account.examine(timeout=600.0)
    assert 40 < len(account.reads) <= MOST_READS_IN_A_MINUTE
    assert report.changed == {}
    assert not report.works


class Unlisted(NamedTuple):
    """The last status of a file that no list shows, how long it is followed, and what is said."""

    status: str
    timeout: float
    says: str


UNLISTED = [
    Unlisted("QUARANTINED", 45.0, "PENDING → QUARANTINED, which lasted and may mean success"),
    Unlisted("QUARANTINED", 90.0, "PENDING → QUARANTINED, which lasted and may mean success"),
    Unlisted("REJECTED_BY_HAND", 45.0, "PENDING → REJECTED_BY_HAND, which lasted and is partial"),
    Unlisted("SUCCESS", 45.0, "PENDING → SUCCESS, which means success"),
    Unlisted("FAILED", 45.0, "FAILED: the file failed"),
    Unlisted("PENDING", 45.0, "The end of the file was not seen: Not processed within 4"),
]


@pytest.mark.parametrize("row", UNLISTED, ids=[f"{row.status} {row.timeout}" for row in UNLISTED])
def test_a_status_that_lasts_is_the_last_though_no_list_shows_the_file(row: Unlisted):
    stages = [ON_THE_WAY, (3.0, row.status, {"coupons_added": 5})]
    account = Account(stages, list_body=lambda _: [])
    report = account.examine(timeout=row.timeout, final_after=8.0)
    statuses = about(report, Topic.STATUSES).text
    assert row.says in statuses
    lag = about(report, Topic.LAG)
    assert lag.certainty is Certainty.NOT_PROVED
    assert re.match(r"The list did not show the file in \d+ s: ask", lag.text)
    assert "limit" not in about(report, Topic.LIST_PATH).text


def test_a_new_file_beyond_the_first_page_is_not_called_late():
    page = {"total": 7, "data": []}
    report = Account(list_body=lambda _: page).examine(timeout=20.0)
    assert "has a part of the list only: 0 of 7 files" in about(report, Topic.LIST_PATH).text
    assert about(report, Topic.LAG).certainty is Certainty.NOT_ASKED
    assert report.changed == {}


@pytest.mark.parametrize(
    ("status", "more", "says"),
    [
        (7, NOTHING, "The file has status 7, but the provider reads a string under status"),
        ({"code": "OK"}, NOTHING, 'The file has status {"code":"OK"}, but'),
        (None, {"state": "DONE"}, 'The file has state "DONE", but'),
    ],
    ids=["number", "object", "other name"],
)
def test_a_status_that_is_no_string_is_told_as_what_it_is(
    status: Any, more: Mapping[str, Any], says: str
):
    account = Account([(0, status, more)])
    report = account.examine(timeout=60.0)
    statuses = about(report, Topic.STATUSES)
    assert statuses.certainty is Certainty.WRONG
    assert statuses.text.startswith(says)
    assert len(account.reads) < 15


def test_a_file_may_have_no_status_at_first():
    stages = [(0, None, NOTHING), (3.0, "SUCCESS", {"coupons_added": 5, "coupons_duplicate": 0})]
    assert Account(stages).examine(timeout=60.0).works


def test_a_list_that_shows_files_late_gets_a_longer_lag():
    with service(list_lag=4) as emulator:  # what the first read shows would give 10 seconds
        given = {"coupon_list_id": OLD_LIST, "file_url": f"{emulator.files_url}/good.csv"}
        report = diagnose(emulator, extra={"coupon_files_lag": 1}, **given)
    value, is_proved = report.values["coupon_files_lag"]
    assert (value >= 20, is_proved) == (True, True)
    assert report.extra == {"coupon_files_lag": value}


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (90, "The list shows 90 of 90 characters, which suffices."),
        (24, "The list shows 24 of 90 characters, which suffices."),
        (23, "The list shows another name: an upload whose response is lost needs a person."),
    ],
)
def test_names_are_recognized_if_the_list_shows_enough_of_them(length: int, text: str):
    account = Account(
        list_body=lambda records: [
            {**record, "name": record["name"][:length]} for record in records
        ]
    )
    assert about(account.examine(), Topic.NAMES).text == text


@pytest.mark.parametrize(
    ("upload", "text"),
    [
        (Reply(0, b""), "No usable response came; the service may have"),
        (
            Reply(500, b"<h1>The URL has no slash.</h1>"),
            "The service or a gateway replies 500 to POST /v1/coupon-list/old-list/files: 'The URL "
            "has no slash'; the service may have done it or not",
        ),
        (
            Reply(502, b'{"message": "Upstream timed out"}'),
            "The service or a gateway replies 502 to POST /v1/coupon-list/old-list/files: "
            "'Upstream timed out'; the service may have done it or not",
        ),
        (
            Reply(308, b"", {"Location": "/v2/files"}),
            "POST /v1/coupon-list/old-list/files is redirected to http://127.0.0.1:",
        ),
        (
            Reply(200, b'{"success": false, "message": "No uploads today."}'),
            "The service or a gateway replies 200 with an error to POST "
            "/v1/coupon-list/old-list/files: 'No uploads today'. A task cannot tell",
        ),
        (
            Reply(201, b'{"result": {"_id": "f1", "status": "PENDING"}}'),
            "The response lacks the coupon file's _id where the provider reads it: it is under "
            "result.",
        ),
        (Reply(201, b"{}"), "The response lacks the coupon file's _id."),
        (
            Reply(403, b'{"error": {"code": "request-forbidden", "message": "No."}}'),
            "The service replies 403 request-forbidden to POST",
        ),
    ],
    ids="nothing page-500 json-502 redirect soft-error envelope no-identifier refused".split(),
)
def test_an_upload_without_a_usable_reply_is_not_sent_again_and_the_file_to_look_for_is_named(
    upload: Reply, text: str
):
    account = Account(upload=upload, list_body=lambda _: [])
    report = account.examine()
    finding = about(report, Topic.UPLOAD)
    assert finding.text.startswith(text)
    search = (
        f"Look for {account.name} among the list's files in the service's console; "
        "upload nothing again"
    )
    assert (search in finding.text) is (upload.status != 403)
    assert ("request-forbidden: No." in str(finding.probes[0])) is (upload.status == 403)
    assert (report.writes, report.works) == (1, False)


def test_an_upload_that_the_user_stops_before_the_reply_may_have_taken_effect():
    account = Account()

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


def test_progress_says_why_it_goes_on_and_repeats_nothing():
    steps: list[str] = []
    Account([ON_THE_WAY, (0.3, "IMPORTED", {"coupons_added": 5})]).examine(on_step=steps.append)
    steps = steps[steps.index(f"Upload https://files.example.com/a.csv to the list {OLD_LIST}") :]
    assert len(steps) == len(set(steps))
    assert sum("IMPORTED" in step for step in steps) == 1
