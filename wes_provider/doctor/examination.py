"""One examination of a service: it reads, it writes what was asked for, and reports both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from wes_provider import models
from wes_provider.client import requests
from wes_provider.doctor.conclusions import access, headers_of
from wes_provider.doctor.coupons import after_catalog, after_segment, after_upload, paths_and_files
from wes_provider.doctor.findings import Finding, Topic
from wes_provider.doctor.profile import profile_of
from wes_provider.doctor.reading import MADE_UP, Seen, read_service
from wes_provider.doctor.replies import Reply, Sender
from wes_provider.doctor.report import Report, cleaned, secrets_of
from wes_provider.doctor.upload import Upload
from wes_provider.settings import WesSettings

__all__ = ["CATALOG_ATTRIBUTES", "UPDATED_BY", "examine"]

UPDATED_BY: Final = "wes-doctor@example.com"
CATALOG_ATTRIBUTES: Final = [{"name": "id", "type": "string"}, {"name": "title", "type": "string"}]


def examine(
    settings: WesSettings,
    given: Mapping[str, Any],
    *,
    coupon_list_id: str | None = None,
    file_url: str | None = None,
    catalog: str | None = None,
    segment_id: str | None = None,
    updated_by: str = UPDATED_BY,
    profile: Path | None = None,
    timeout: float = 1800.0,
    final_after: float = 60.0,
    on_step: Callable[[str], None] = lambda _: None,
) -> Report:
    """
    Examine a service. Without ``file_url``, ``catalog`` and ``segment_id`` this only reads.

    :param settings: the settings of the connection.
    :param given: the result of :func:`~wes_provider.doctor.findings.given_extra`.
    :param coupon_list_id: a list that exists.
    :param file_url: a file to upload to it.
    :param catalog: the name of a catalog to create.
    :param segment_id: a segment to update.
    :param updated_by: what the update sends.
    :param profile: the file that the profile is saved to.
    :param timeout: seconds to follow the uploaded file.
    :param final_after: seconds that an unknown status has to last before it counts as final.
    :param on_step: called with each step, for people who wait.
    :raises KeyboardInterrupt: if the user stops it while it reads; later, the report has what was seen so far.
    """
    sender = Sender(settings)
    seen = Seen(settings, settings, coupon_list_id or MADE_UP)
    upload = created = updated = None
    writes = _Writes(sender, seen)
    try:
        read_service(sender, seen, on_step)
        reads = len(sender.replies)
        if file_url and coupon_list_id and writes.may(Topic.UPLOAD):
            upload = Upload(sender, seen, timeout=timeout, final_after=final_after, on_step=on_step)
            writes.send(lambda: upload.run(file_url))
            writes.add(after_upload(upload))
        if catalog and writes.may(Topic.CATALOG):
            on_step(f"Creating the catalog {catalog}")
            body = models.catalog_body(catalog, "EUR", CATALOG_ATTRIBUTES)
            created = writes.send(lambda: sender.send(requests.create_catalog(seen.settings, body)))
            writes.add(after_catalog(settings, created, catalog))
        if segment_id and writes.may(Topic.SEGMENT):
            on_step(f"Updating the segment {segment_id}")
            body = models.segment_body(updated_by=updated_by)
            updated = writes.send(lambda: sender.send(requests.update_segment(seen.settings, segment_id, body)))
            writes.add(*after_segment(updated))
    finally:
        sender.close()
    found = [*access(seen), *paths_and_files(seen, upload), *headers_of(seen, sender.replies)]
    if not catalog and seen.campaign and seen.campaign.status:
        found.append(Finding(Topic.CATALOG, "unsure", "Reads cannot show it; --catalog NAME does."))
    findings = list(({each.topic: each for each in found} | writes.findings).values())
    report = Report(settings, given, findings, reads, writes.number, secrets_of(file_url), writes.stopped)
    if profile is not None:
        content = profile_of(seen, report.values, upload, created, updated)
        try:
            profile.write_text(json.dumps(cleaned(content, settings, report.hidden), indent=2) + "\n")
        except OSError as error:
            failed = Finding(Topic.PROFILE, "wrong", f"It could not be saved to {profile}: {error.strerror}.")
            report = replace(report, findings=[*findings, failed])
    return report


class _Writes:
    """Sends what may be sent: nothing to what is not the service, and nothing once the user has stopped it."""

    def __init__(self, sender: Sender, seen: Seen) -> None:
        self._sender, self._seen = sender, seen
        self.number = 0
        self.stopped = False
        self.findings: dict[str, Finding] = {}

    def add(self, *findings: Finding) -> None:
        self.findings |= {each.topic: each for each in findings}

    def may(self, topic: str) -> bool:
        first = self._seen.campaign
        why = "you stopped it." if self.stopped else ""
        if first is None or not first.status:
            why = "no response to a read."
        elif 300 <= first.status < 400 or (first.success and first.form == "a web page"):
            why = "what responds to reads is not the service."
        if why:
            self.add(Finding(topic, "unsure" if self.stopped else "wrong", f"Not sent: {why}"))
        return not why

    def send(self, write: Callable[[], Reply | None]) -> Reply | None:
        self.number += 1
        try:
            return write()
        except KeyboardInterrupt:  # it may be done, so what was seen is worth a report
            self.stopped = True
            return None
