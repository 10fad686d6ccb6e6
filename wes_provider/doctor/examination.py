"""One examination of a service: it reads, it writes what was asked for, and reports both."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from wes_provider import models
from wes_provider.client.diagnosis import Evidence
from wes_provider.client.settings import WesSettings
from wes_provider.client.sync_client import WesClient
from wes_provider.doctor.conclusions import STATUSES, conclude
from wes_provider.doctor.conclusions_of_writing import UPLOAD_STATUSES, after_catalog, after_segment, after_upload
from wes_provider.doctor.findings import CATALOG, SEGMENT, UPLOAD, Finding
from wes_provider.doctor.profile import profile_settings, save_profile
from wes_provider.doctor.reading import Readings, read_service
from wes_provider.doctor.report import Report
from wes_provider.doctor.writing import Followed, follow_upload, send_catalog, send_segment

__all__ = ["UPDATED_BY", "examine"]

UPDATED_BY: Final = "wes-doctor@example.com"


def examine(
    settings: WesSettings,
    given: Mapping[str, Any],
    *,
    conn_id: str = "wes_default",
    coupon_list_id: str | None = None,
    file_url: str | None = None,
    catalog: str | None = None,
    segment_id: str | None = None,
    updated_by: str = UPDATED_BY,
    profile: Path | None = None,
    timeout: float = 1800.0,
    final_after: float = 60.0,
    on_step: Callable[[str], None] = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
    now: Callable[[], float] = time.monotonic,
) -> Report:
    """
    Examine a service. Without ``file_url``, ``catalog`` and ``segment_id`` this only reads.

    :param settings: the settings of the connection.
    :param given: the result of :func:`~wes_provider.doctor.report.given_extra`.
    :param coupon_list_id: a list that exists.
    :param file_url: a file to upload to it.
    :param catalog: the name of a catalog to create.
    :param segment_id: a segment to update.
    :param updated_by: what the update sends.
    :param profile: the file that the profile is saved to.
    :param timeout: seconds to follow the uploaded file.
    :param final_after: seconds that an unknown status has to last before it counts as final.
    :param on_step: called with each step, for people who wait.
    :raises WesConfigurationError: for a proxy or a CA bundle of the environment that cannot be used.
    :raises KeyboardInterrupt: if the user stops it while it reads; later, the report has what was seen so far.
    """
    client = WesClient(settings)
    try:
        readings = read_service(client, coupon_list_id, on_step)
        writing = _Writing(client, readings, on_step)
        findings = conclude(readings)
        steps: dict[str, Callable[[], Sequence[Finding]]] = {}
        if file_url and coupon_list_id:
            follow = {"timeout": timeout, "final_after": final_after, "sleep": sleep, "now": now}
            steps[UPLOAD] = lambda: writing.upload(coupon_list_id, file_url, **follow)
        if catalog:
            steps[CATALOG] = lambda: writing.create(catalog)
        if segment_id:
            steps[SEGMENT] = lambda: writing.update(segment_id, updated_by)
        for news in writing.run(steps):
            findings = _replaced(findings, news)
    finally:
        client.close()
    hidden = models.secrets_of_url(file_url) if file_url else ()
    report = Report(
        conn_id, settings, given, findings, len(readings.evidence), writing.number, hidden, stopped=writing.stopped
    )
    if profile is not None:
        found = {name: value for name, (value, _) in report.values.items()}
        seen = profile_settings(readings, found, writing.followed, writing.created, writing.updated)
        try:
            save_profile(profile, report.clean(seen))
        except (OSError, ValueError) as error:
            failed = Finding("Profile", "wrong", f"It could not be saved: {error}", came=str(profile))
            report = replace(report, findings=[*findings, failed])
    return report


@dataclass
class _Writing:
    """
    The writes that were asked for, one after the other.

    :ivar number: how many were sent.
    :ivar stopped: whether the user stopped it.
    """

    client: WesClient
    readings: Readings
    on_step: Callable[[str], None]
    number: int = 0
    stopped: bool = False
    followed: Followed | None = None
    created: Evidence | None = None
    updated: Evidence | None = None

    def run(self, steps: Mapping[str, Callable[[], Sequence[Finding]]]) -> Iterator[Sequence[Finding]]:
        """
        Send what may be sent.

        :param steps: by topic.
        :return: findings of each step.
        """
        why = _not_the_service(self.readings.keys.campaign)
        for topic, step in steps.items():
            if why:
                yield [Finding(topic, "wrong", f"Not sent: {why}")]
                continue
            try:
                yield step()
            except KeyboardInterrupt:  # before it was sent: later, the step has caught it
                self.stopped = True
                yield [Finding(topic, "unsure", "Not sent: you stopped it.")]
            why = "you stopped it." if self.stopped else ""

    def upload(self, coupon_list_id: str, file_url: str, **follow: Any) -> Sequence[Finding]:
        """Upload a file, and follow it to its end."""
        self.followed = follow_upload(
            self.client, self.readings, coupon_list_id, file_url, on_step=self.on_step, **follow
        )
        self._sent(self.followed.stopped)
        return after_upload(self.readings.given, self.followed)

    def create(self, catalog: str) -> Sequence[Finding]:
        """Create a catalog."""
        self.on_step(f"Creating the catalog {catalog}")
        self.created = send_catalog(self.client, self.readings.settings, catalog)
        self._sent(self.created.stopped)
        return after_catalog(self.readings.given, self.created, catalog)

    def update(self, segment_id: str, updated_by: str) -> Sequence[Finding]:
        """Update a segment."""
        self.on_step(f"Updating the segment {segment_id}")
        self.updated = send_segment(self.client, self.readings.settings, segment_id, updated_by)
        self._sent(self.updated.stopped)
        return after_segment(self.updated)

    def _sent(self, stopped: bool) -> None:
        self.number += 1
        self.stopped = stopped


def _not_the_service(first: Evidence) -> str:
    """Why nothing is written to an address; empty if it is the service. Others redirect or send pages."""
    if first.status is None:
        return "no reply to a read."
    page = first.success and first.form == "html"
    return "what replies to reads is not the service." if page or 300 <= first.status < 400 else ""


def _replaced(findings: Sequence[Finding], news: Sequence[Finding]) -> list[Finding]:
    """Findings of reading, without those that ``news`` of writing have made out of date."""
    known = {finding.topic for finding in news}
    if any(finding.topic == UPLOAD_STATUSES and finding.certainty != "unsure" for finding in news):
        known |= {old.topic for old in findings if old.topic == STATUSES and not old.settings}
    return [*(old for old in findings if old.topic not in known), *news]
