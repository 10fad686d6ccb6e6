"""An account that takes one upload, and what the doctor reports of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    check_what_holds_of_each_report,
    examined,
    json_reply,
    record,
)
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.report import Report

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
        check_what_holds_of_each_report(report)
        return report
