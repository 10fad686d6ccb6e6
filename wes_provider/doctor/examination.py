"""One examination of a service: it reads, it writes what was asked for, and reports both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from wes_provider import filters, models
from wes_provider.client import requests, responses
from wes_provider.doctor.conclusions import conclusions
from wes_provider.doctor.findings import Finding, Topic, first_of
from wes_provider.doctor.profile import profile_of
from wes_provider.doctor.reading import MADE_UP, Seen, read_service
from wes_provider.doctor.replies import Reply, Sender
from wes_provider.doctor.report import Report, cleaned, secrets_of
from wes_provider.doctor.upload import Upload
from wes_provider.settings import WesSettings

__all__ = ["Options", "body_of_catalog", "examine"]

ID_WORDS: Final = ("id", "key", "identifier", "handle", "uuid", "ref")
STOPPED: Final = "You stopped it before a response came; the service may have done it or not."


@dataclass(frozen=True)
class Options:
    """
    What an examination does. Without ``file_url``, ``catalog`` and ``segment_id`` it only reads.

    :ivar timeout: seconds to follow the uploaded file.
    :ivar final_after: seconds that an unknown status has to last before it counts as final.
    """

    coupon_list_id: str | None = None
    file_url: str | None = None
    catalog: str | None = None
    segment_id: str | None = None
    updated_by: str = "wes-doctor@example.com"
    timeout: float = 1800.0
    final_after: float = 60.0


def examine(
    settings: WesSettings,
    given: Mapping[str, Any],
    options: Options,
    profile: Path | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Report:
    """
    Examine a service.

    :param given: the result of :func:`~wes_provider.doctor.findings.given_extra`.
    :param profile: the file that the profile is saved to.
    :param on_step: called with each step, for people who wait.
    :raises KeyboardInterrupt: if the user stops it while it reads; later, the report has what was seen so far.
    """
    sender = Sender(settings)
    seen = Seen(settings, settings, options.coupon_list_id or MADE_UP)
    writes = _Writes(sender, seen, options, on_step)
    try:
        read_service(sender, seen, on_step)
        reads = len(sender.replies)
        writes.run()
    finally:
        sender.close()
    found = conclusions(seen, writes.upload, sender.replies)
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


def body_of_catalog(name: str) -> dict[str, Any]:
    """
    The catalog to create.

    :raises WesConfigurationError: for a name that cannot be one.
    """
    return models.catalog_body(name, "EUR", [{"name": "id", "type": "string"}, {"name": "title", "type": "string"}])


@dataclass
class _Writes:
    """Sends what is asked for: nothing to what is not the service, and nothing once the user has stopped it."""

    sender: Sender
    seen: Seen
    options: Options
    on_step: Callable[[str], None]
    number: int = 0
    stopped: bool = False
    findings: dict[str, Finding] = field(default_factory=dict)
    upload: Upload | None = None
    catalog: Reply | None = None
    segment: Reply | None = None

    def run(self) -> None:
        options = self.options
        writes = (
            (options.file_url, Topic.UPLOAD, self._upload),
            (options.catalog, Topic.CATALOG, self._create_catalog),
            (options.segment_id, Topic.SEGMENT, self._update_segment),
        )
        for what, topic, write in writes:
            if what:
                self.findings |= {each.topic: each for each in self._sent(topic, write, what)}

    def _sent(self, topic: str, write: Callable[[str], list[Finding]], what: str) -> list[Finding]:
        first = self.seen.campaign
        if self.stopped:
            return [Finding(topic, "unsure", "Not sent: you stopped it.")]
        if first is None or not first.status:
            return [Finding(topic, "wrong", "Not sent: no response to a read.")]
        if 300 <= first.status < 400 or first.is_page:
            return [Finding(topic, "wrong", "Not sent: what responds to reads is not the service.")]
        self.number += 1
        try:
            return write(what)
        except KeyboardInterrupt:  # it may be done, so what was seen is worth a report
            self.stopped = True
            return [
                _after_upload(self.upload)
                if self.upload and topic == Topic.UPLOAD
                else Finding(topic, "wrong", STOPPED)
            ]

    def _upload(self, file_url: str) -> list[Finding]:
        self.upload = Upload(self.sender, self.seen, self.options.timeout, self.options.final_after, self.on_step)
        self.upload.run(file_url)
        return [_after_upload(self.upload)]

    def _create_catalog(self, name: str) -> list[Finding]:
        self.on_step(f"Creating the catalog {name}")
        self.catalog = self.sender.send(requests.create_catalog(self.seen.settings, body_of_catalog(name)))
        return [_after_catalog(self.seen.given, self.catalog, name)]

    def _update_segment(self, segment_id: str) -> list[Finding]:
        self.on_step(f"Updating the segment {segment_id}")
        body = filters.segment_body(updated_by=self.options.updated_by)
        self.segment = self.sender.send(requests.update_segment(self.seen.settings, segment_id, body))
        return _after_segment(self.segment)


def _refusal(topic: str, reply: Reply, key: str) -> Finding | None:
    """What follows if a write was no success; ``None`` if it was one."""
    if reply.success:
        return None
    return first_of(
        topic,
        [reply],
        (reply.status == 401, "wrong", f"{key}: refused."),
        (not reply.sent, "wrong", "It was not sent: the service was not reached."),
        (reply.passing and reply.status != 429, "wrong", "The service may have done it or not."),
        (True, "wrong", "The service refuses it, for the reason below."),
    )


def _after_upload(upload: Upload) -> Finding:
    if upload.reply is None:
        return Finding(Topic.UPLOAD, "wrong", STOPPED)
    lost = f"The response lacks the coupon file's _id. Look for {upload.name[:25]}… in the service's console."
    return _refusal(Topic.UPLOAD, upload.reply, Topic.CAMPAIGN_KEY) or first_of(
        Topic.UPLOAD,
        [upload.reply],
        (upload.file is None, "wrong", lost),
        (True, "sure", f"Accepted as coupon file {upload.seen.uploaded}."),
    )


def _after_catalog(given: WesSettings, reply: Reply, name: str) -> Finding:
    if refusal := _refusal(Topic.CATALOG, reply, Topic.CAMPAIGN_KEY):
        return refusal
    prop, content = given.catalog_id_property, reply.text if reply.content is None else reply.content
    found = responses.catalog_id(content, prop)
    texts = [where for where, value in _texts(content) if value not in (name, "EUR") and len(value.split()) == 1]
    named = [where for where in texts if where.lower().rpartition(".")[2].endswith(ID_WORDS)] or texts
    only = named[0] if len(named) == 1 else ""
    return first_of(
        Topic.CATALOG,
        [reply],
        (found is not None, "sure", f"Created; its identifier is {found}."),
        (only, "wrong", f"Created; its identifier is under {only}."),
        (named, "needed", f"Created, but which property is its identifier? {', '.join(named[:8])}."),
        (True, "wrong", "Created, but no property is its identifier."),
        settings={"paths.catalog_id": prop if found is not None else only} if found is not None or only else {},
    )


def _texts(content: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Texts and whole numbers of nested objects by their dotted property, as ``paths.catalog_id`` takes it."""
    if isinstance(content, dict):
        for name, value in content.items():
            if isinstance(name, str) and name and not set(name) & {".", " "}:
                yield from _texts(value, f"{where}.{name}" if where else name)
    elif where.count(".") < 4 and (isinstance(content, str) or type(content) is int) and where:
        yield where, str(content)


def _after_segment(reply: Reply) -> list[Finding]:
    if refusal := _refusal(Topic.SEGMENT, reply, Topic.DATA_KEY):
        return [refusal]
    if reply.is_page or (isinstance(reply.content, dict) and reply.content.get("errors")):
        return [first_of(Topic.SEGMENT, [reply], (True, "unsure", "A success for a task; but no segment came."))]
    text = "Updated: the service takes updated_by alone."
    return [Finding(Topic.SEGMENT, "sure", text), Finding(Topic.DATA_KEY, "sure", "Accepted, for an update.")]
