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
    json_reply,
    page_reply,
    record,
)
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings import Certainty, Topic
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
    Unnamed("late", json_reply(202, OPERATION), f"{ACCEPTED} 8 s, so tasks find it there", 7.0),
    Unnamed("no body", Reply(204), "Accepted with 204 and no identifier; the list had it"),
    Unnamed("a page", page_reply(200), "Accepted with 200 and no identifier; the list had it"),
    Unnamed(
        "elsewhere",
        json_reply(201, {"result": {"_id": "up", "status": "PENDING"}}),
        "no identifier where the provider reads it (it is under result); the list had it",
    ),
    Unnamed("a gateway", page_reply(504), "The reply was 504", 3.0),
    Unnamed("an error in a success", json_reply(200, {"success": False}), "The reply was 200 with"),
    Unnamed("nothing", Reply(0), "No usable response came, but the list had it after", 3.0),
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
        {"name": "up.csv"},
        0.0,
    ),
]


@pytest.mark.parametrize("row", MISSING, ids=[row.name for row in MISSING])
def test_a_file_that_the_list_does_not_show_is_named_as_a_whole(row: Missing):
    account = Uploads(row.reply, shown=row.shown, listed_after=row.listed_after)
    upload = about(account.examine(), Topic.UPLOAD)
    assert upload.certainty is WRONG
    assert row.says in upload.text
    assert f"Look for {account.name} among the list's files" in upload.text
