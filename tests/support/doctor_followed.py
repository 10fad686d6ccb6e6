"""A service whose uploaded file goes from one status to the next while it is followed."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from support.doctor_service import OLD_LIST, examined
from support.servers import Reply, replying
from support.skipping_clock import CLOCK
from wes_provider.doctor.findings.finding import Certainty
from wes_provider.doctor.report import Report

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


__all__ = [
    "ADDED",
    "FILE",
    "LIST",
    "NOTHING",
    "ON_THE_WAY",
    "PATH",
    "End",
    "FollowedAccount",
    "Stage",
]
