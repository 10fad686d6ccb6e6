"""One examination of a service: it reads, it writes what was asked for, and reports both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from wes_provider import arguments, filters, models
from wes_provider.client import requests, responses
from wes_provider.doctor.conclusions import conclusions
from wes_provider.doctor.findings import Finding, Report, Topic, first_of, secrets_of
from wes_provider.doctor.reading import MADE_UP, Seen, read_service
from wes_provider.doctor.replies import Reply, Sender
from wes_provider.doctor.upload import Upload
from wes_provider.exceptions import WesConfigurationError
from wes_provider.settings import WesSettings
from wes_provider.texts import redact_url

__all__ = ["Options", "examine", "writes_of"]

ID_WORDS: Final = ("id", "key", "identifier", "handle", "uuid", "ref")


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


def writes_of(options: Options) -> list[str]:
    """
    What would be changed, for people.

    :raises WesConfigurationError: for what cannot be sent.
    """
    for name, value in (("--coupon-list", options.coupon_list_id), ("--segment", options.segment_id)):
        if value is not None and (not arguments.identifier(name, value).strip() or not value.isprintable()):
            raise WesConfigurationError(f"{name} is empty, or holds control characters")
    writes = []
    if options.file_url is not None:
        if not options.coupon_list_id:
            raise WesConfigurationError("--upload needs --coupon-list: the list that the file goes into")
        models.coupon_file_body(options.file_url)
        writes.append(f"upload {redact_url(options.file_url)} to the list {options.coupon_list_id}")
    if options.catalog is not None:
        body_of_catalog(options.catalog)
        writes.append(f"create the catalog {options.catalog}")
    if options.segment_id is not None:
        filters.segment_body(updated_by=options.updated_by)
        writes.append(f"update the segment {options.segment_id}: its updated_by becomes {options.updated_by}")
    return writes


def examine(
    settings: WesSettings,
    given: Mapping[str, Any],
    options: Options,
    on_step: Callable[[str], None] = lambda _: None,
) -> Report:
    """
    Examine a service.

    :param given: the result of :func:`~wes_provider.doctor.findings.given_extra`.
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
    return Report(settings, given, findings, reads, writes.number, secrets_of(options.file_url), writes.stopped)


def body_of_catalog(name: str) -> dict[str, Any]:
    """The catalog to create."""
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

    def run(self) -> None:
        options = self.options
        for topic, what, write in (
            (Topic.UPLOAD, options.file_url, self._upload),
            (Topic.CATALOG, options.catalog, self._create_catalog),
            (Topic.SEGMENT, options.segment_id, self._update_segment),
        ):
            if what and (why := self._why_not()):
                self.findings[topic] = Finding(topic, "unsure" if self.stopped else "wrong", f"Not sent: {why}.")
            elif what:
                self.number += 1
                try:
                    found = write(what)
                except KeyboardInterrupt:  # it may be done, so what was seen is worth a report
                    self.stopped = True
                    found = [_after_upload(self.upload) if topic == Topic.UPLOAD else _refused(topic, None)]
                self.findings |= {each.topic: each for each in found}

    def _why_not(self) -> str:
        first = self.seen.campaign
        if self.stopped:
            return "you stopped it"
        if first is None or not first.status:
            return "no response to a read"
        return "what responds to reads is not the service" if 300 <= first.status < 400 or first.is_page else ""

    def _upload(self, file_url: str) -> list[Finding]:
        self.upload = Upload(self.sender, self.seen, self.options.timeout, self.options.final_after, self.on_step)
        self.upload.run(file_url)
        return [_after_upload(self.upload)]

    def _create_catalog(self, name: str) -> list[Finding]:
        self.on_step(f"Creating the catalog {name}")
        reply = self.sender.send(requests.create_catalog(self.seen.settings, body_of_catalog(name)))
        return [_created(self.seen.given, reply, name) if reply.success else _refused(Topic.CATALOG, reply)]

    def _update_segment(self, segment_id: str) -> list[Finding]:
        self.on_step(f"Updating the segment {segment_id}")
        body = filters.segment_body(updated_by=self.options.updated_by)
        reply = self.sender.send(requests.update_segment(self.seen.settings, segment_id, body))
        if not reply.success:
            return [_refused(Topic.SEGMENT, reply)]
        if reply.is_page or (isinstance(reply.content, dict) and reply.content.get("errors")):
            return [Finding(Topic.SEGMENT, "unsure", "A success for a task; but no segment came.", (str(reply),))]
        text = "Updated: the service takes updated_by alone."
        return [Finding(Topic.SEGMENT, "sure", text), Finding(Topic.DATA_KEY, "sure", "Accepted, for an update.")]


def _refused(topic: str, reply: Reply | None, search: str = "") -> Finding:
    """
    What follows if a write was no success.

    :param reply: ``None`` if the user stopped it before one came.
    :param search: how to find out what an unknown outcome is.
    """
    key = Topic.DATA_KEY if topic == Topic.SEGMENT else Topic.CAMPAIGN_KEY
    either = f"the service may have done it or not.{search}"
    if reply is None:
        return Finding(topic, "wrong", f"You stopped it before a response came; {either}")
    return first_of(
        topic,
        [reply],
        (reply.status == 401, "wrong", f"{key}: refused."),
        (not reply.sent, "wrong", "It was not sent: the service was not reached."),
        (reply.passing and reply.status != 429, "wrong", f"No usable response came; {either}"),
        (True, "wrong", "The service refuses it, for the reason below."),
    )


def _after_upload(upload: Upload | None) -> Finding:
    reply, name = (upload.reply, upload.name[:25]) if upload else (None, "")
    search = f" Look for {name}… among the list's files in the service's console; upload nothing again before that."
    if upload is None or reply is None or not reply.success:
        return _refused(Topic.UPLOAD, reply, search)
    return first_of(
        Topic.UPLOAD,
        [reply],
        (upload.file is None, "wrong", f"The response lacks the coupon file's _id.{search}"),
        (True, "sure", f"Accepted as coupon file {upload.seen.uploaded}."),
    )


def _created(given: WesSettings, reply: Reply, name: str) -> Finding:
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
