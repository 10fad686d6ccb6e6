"""One examination of a service: it reads, it writes what was asked for, and reports both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from wes_provider.doctor.conclusions import access, way
from wes_provider.doctor.coupons import paths_and_files
from wes_provider.doctor.findings import Finding, Topic
from wes_provider.doctor.profile import profile_of
from wes_provider.doctor.reading import MADE_UP, Seen, read_service
from wes_provider.doctor.replies import Sender
from wes_provider.doctor.report import Report, cleaned, secrets_of
from wes_provider.doctor.writes import Options, Writes
from wes_provider.settings import WesSettings

__all__ = ["examine"]


def examine(
    settings: WesSettings,
    given: Mapping[str, Any],
    options: Options,
    profile: Path | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Report:
    """
    Examine a service.

    :param settings: the settings of the connection.
    :param given: the result of :func:`~wes_provider.doctor.findings.given_extra`.
    :param profile: the file that the profile is saved to.
    :param on_step: called with each step, for people who wait.
    :raises KeyboardInterrupt: if the user stops it while it reads; later, the report has what was seen so far.
    """
    sender = Sender(settings)
    seen = Seen(settings, settings, options.coupon_list_id or MADE_UP)
    writes = Writes(sender, seen, options, on_step)
    try:
        read_service(sender, seen, on_step)
        reads = len(sender.replies)
        writes.run()
    finally:
        sender.close()
    found = [*access(seen), *paths_and_files(seen, writes.upload), *way(seen, sender.replies)]
    findings = list(({each.topic: each for each in found} | writes.findings).values())
    report = Report(settings, given, findings, reads, writes.number, secrets_of(options.file_url), writes.stopped)
    if profile is None:
        return report
    content = profile_of(seen, report.values, writes.upload, writes.catalog, writes.segment)
    try:
        profile.write_text(json.dumps(cleaned(content, settings, report.hidden), indent=2) + "\n")
    except OSError as error:
        failed = Finding(Topic.PROFILE, "wrong", f"It could not be saved to {profile}: {error.strerror}.")
        return replace(report, findings=[*findings, failed])
    return report
