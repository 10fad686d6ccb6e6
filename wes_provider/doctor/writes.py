"""What is written, if the user asks for it, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from wes_provider import models
from wes_provider.client import requests, responses
from wes_provider.doctor.findings import Finding, Topic, first_of
from wes_provider.doctor.reading import Seen
from wes_provider.doctor.replies import Reply, Sender
from wes_provider.doctor.upload import Upload
from wes_provider.settings import WesSettings

__all__ = ["Options", "Writes", "body_of_catalog"]

ID_WORDS: Final = ("id", "key", "identifier", "handle", "uuid", "ref")
STOPPED: Final = "You stopped it before a response came; the service may have done it or not."


@dataclass(frozen=True)
class Options:
    """
    What an examination does. Without ``file_url``, ``catalog`` and ``segment_id`` it only reads.

    :ivar coupon_list_id: a list that exists.
    :ivar file_url: a file to upload to it.
    :ivar catalog: the name of a catalog to create.
    :ivar segment_id: a segment to update.
    :ivar updated_by: what the update sends.
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


def body_of_catalog(name: str) -> dict[str, Any]:
    """
    The catalog to create.

    :raises WesConfigurationError: for a name that cannot be one.
    """
    return models.catalog_body(name, "EUR", [{"name": "id", "type": "string"}, {"name": "title", "type": "string"}])


@dataclass
class Writes:
    """
    Sends what the options ask for: nothing to what is not the service, and nothing once the user has stopped it.

    :ivar number: requests that changed something.
    :ivar stopped: whether the user stopped it.
    :ivar upload: the upload, ``catalog`` and ``segment`` the replies; ``None`` if there was none.
    """

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
        """Send all, and keep what follows in ``findings``."""
        options = self.options
        if options.file_url and options.coupon_list_id:
            self._write(Topic.UPLOAD, self._upload)
        if options.catalog:
            self._write(Topic.CATALOG, self._create_catalog)
        if options.segment_id:
            self._write(Topic.SEGMENT, self._update_segment)

    def _write(self, topic: str, send: Callable[[], list[Finding]]) -> None:
        why = "you stopped it." if self.stopped else _not_the_service(self.seen.campaign)
        findings = [Finding(topic, "unsure" if self.stopped else "wrong", f"Not sent: {why}")] if why else []
        if not why:
            self.number += 1
            try:
                findings = send()
            except KeyboardInterrupt:  # it may be done, so what was seen is worth a report
                self.stopped = True
                accepted = _after_upload(self.upload) if topic == Topic.UPLOAD and self.upload else None
                findings = [accepted or Finding(topic, "wrong", STOPPED)]
        self.findings |= {each.topic: each for each in findings}

    def _upload(self) -> list[Finding]:
        options = self.options
        upload = Upload(self.sender, self.seen, options.timeout, options.final_after, self.on_step)
        self.upload = upload
        upload.run(options.file_url or "")
        return [_after_upload(upload)]

    def _create_catalog(self) -> list[Finding]:
        name = self.options.catalog or ""
        self.on_step(f"Creating the catalog {name}")
        self.catalog = self.sender.send(requests.create_catalog(self.seen.settings, body_of_catalog(name)))
        return [_after_catalog(self.seen.given, self.catalog, name)]

    def _update_segment(self) -> list[Finding]:
        segment_id, body = self.options.segment_id or "", models.segment_body(updated_by=self.options.updated_by)
        self.on_step(f"Updating the segment {segment_id}")
        self.segment = self.sender.send(requests.update_segment(self.seen.settings, segment_id, body))
        return _after_segment(self.segment)


def _not_the_service(first: Reply | None) -> str:
    if first is None or not first.status:
        return "no response to a read."
    return "what responds to reads is not the service." if 300 <= first.status < 400 or first.is_page else ""


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
    text = f"The response lacks the coupon file's _id. Look for {upload.name[:25]}… in the service's console."
    return _refusal(Topic.UPLOAD, upload.reply, Topic.CAMPAIGN_KEY) or first_of(
        Topic.UPLOAD,
        [upload.reply],
        (upload.file is None, "wrong", text),
        (True, "sure", f"Accepted as coupon file {upload.file.id if upload.file else ''}."),
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
