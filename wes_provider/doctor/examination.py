"""One examination of a service: it reads, it writes what was asked for, and reports both."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from wes_provider import arguments, filters, models
from wes_provider.client import requests, responses
from wes_provider.client.requests import Request
from wes_provider.doctor.conclusions import conclusions
from wes_provider.doctor.files import inside
from wes_provider.doctor.findings import LONGEST, Finding, Report, Topic, cleaner, first_of
from wes_provider.doctor.reading import MADE_UP, Seen, read_service
from wes_provider.doctor.replies import Reply, Sender
from wes_provider.doctor.upload import Upload
from wes_provider.exceptions import WesConfigurationError
from wes_provider.settings import WesSettings
from wes_provider.texts import redact_url, shown

__all__ = ["Options", "Write", "examine", "writes_of"]

ID_WORDS: Final = ("id", "key", "identifier", "handle", "uuid", "ref")
# Of the catalog.
SCHEMA: Final = [{"name": "id", "type": "string"}, {"name": "title", "type": "string"}]
CURRENCY: Final = "EUR"
STOPPED: Final = "you stopped it"


@dataclass(frozen=True)
class Options:
    """
    What an examination does. Without ``file_url``, ``catalog`` and ``segment_id`` it only reads.

    :ivar timeout: seconds to follow the uploaded file.
    :ivar final_after: seconds that an unknown status has to last before it counts as final.
    :ivar file_name: what the uploaded file is called; no other file has that name.
    """

    coupon_list_id: str | None = None
    file_url: str | None = None
    catalog: str | None = None
    segment_id: str | None = None
    updated_by: str = "wes-doctor@example.com"
    timeout: float = 1800.0
    final_after: float = 60.0
    file_name: str = field(
        init=False, default_factory=lambda: f"Wes-Doctor-{secrets.token_hex(7)}-{'n' * 60}.csv"
    )


class Write(NamedTuple):
    """
    One change of the service.

    :ivar text: what it changes, for people.
    :ivar request: what to send, with the settings that reads have shown.
    """

    topic: str
    text: str
    request: Callable[[WesSettings], Request]


def writes_of(options: Options) -> list[Write]:
    """
    What is to be changed. All of it is checked here, before anything is sent.

    :raises WesConfigurationError: for what cannot be sent.
    """
    for name, value in (
        ("--coupon-list", options.coupon_list_id),
        ("--segment", options.segment_id),
    ):
        if value is not None and (
            not arguments.identifier(name, value).strip() or not value.isprintable()
        ):
            raise WesConfigurationError(f"{name} is empty, or holds control characters")
    writes = []
    if options.file_url is not None:
        if not options.coupon_list_id:
            raise WesConfigurationError(
                "--upload needs --coupon-list: the list that the file goes into"
            )
        body = models.coupon_file_body(
            options.file_url, name=options.file_name, created_by="wes-doctor"
        )
        text = f"Upload {redact_url(options.file_url)} to the list {options.coupon_list_id}"
        upload = partial(requests.upload, coupon_list_id=options.coupon_list_id, body=body)
        writes.append(Write(Topic.UPLOAD, text, upload))
    if options.catalog is not None:
        body = models.catalog_body(options.catalog, CURRENCY, SCHEMA)
        create = partial(requests.create_catalog, body=body)
        writes.append(Write(Topic.CATALOG, f"Create the catalog {options.catalog}", create))
    if options.segment_id is not None:
        body = filters.segment_body(updated_by=options.updated_by)
        text = (
            f"Update the segment {options.segment_id}: its updated_by becomes {options.updated_by}"
        )
        update = partial(requests.update_segment, segment_id=options.segment_id, body=body)
        writes.append(Write(Topic.SEGMENT, text, update))
    return writes


def examine(
    settings: WesSettings,
    given: Mapping[str, Any],
    options: Options,
    on_step: Callable[[str], object] = bool,
) -> Report:
    """
    Examine a service. It writes nothing to what is not the service, and nothing more once the user
    has stopped it.

    :param given: the connection's extra.
    :param on_step: called with each step, for people who wait.
    :raises KeyboardInterrupt: if the user stops it while it reads; later, the report has what was
        seen so far.
    """
    writes, clean, sender = (
        writes_of(options),
        cleaner(settings, options.file_url),
        Sender(settings),
    )

    def step(text: str) -> None:
        on_step(shown(clean(text), LONGEST, quoted=False))

    seen = Seen(settings, settings, options.coupon_list_id or MADE_UP, sender.replies)
    upload = Upload(sender, seen, options.timeout, options.final_after, step)
    sent: dict[str, Reply] = {}
    try:
        read_service(sender, seen, step)
        reads, first = len(sender.replies), seen.campaign
        obstacle = (
            ""
            if first and first.status and not first.foreign
            else "no read got a response of the service"
        )
        for write in writes if not obstacle else ():
            step(write.text)
            request = write.request(seen.settings)
            sent[write.topic] = Reply(request, problem="stopped before a response came")
            sent[write.topic] = sender.send(request)
            if write.topic == Topic.UPLOAD:
                upload.follow(sent[write.topic])
    except KeyboardInterrupt:
        if not sent:
            raise
        obstacle = STOPPED
    finally:
        sender.close()
    found = conclusions(seen, upload, options.file_name)
    for write in writes:
        found += _after(write.topic, sent.get(write.topic), obstacle, seen, options)
    findings = list({each.topic: each for each in found}.values())
    return Report(settings, given, findings, reads, len(sent), obstacle == STOPPED, clean)


def _after(
    topic: str, reply: Reply | None, obstacle: str, seen: Seen, options: Options
) -> list[Finding]:
    """
    What follows from a write: from the reply to it, or from the obstacle because of which it was
    not sent.
    """
    if reply is None:
        return [
            Finding(topic, "unsure" if obstacle == STOPPED else "wrong", f"Not sent: {obstacle}.")
        ]
    if reply.success and topic == Topic.CATALOG:
        return [_created(seen.given, reply, options.catalog)]
    key, search = Topic.DATA_KEY if topic == Topic.SEGMENT else Topic.CAMPAIGN_KEY, ""
    if topic == Topic.UPLOAD:
        search = (
            f" Look for {options.file_name[:25]}… among the list's files in the service's console; "
        )
        search += "upload nothing again before that."
    odd = reply.foreign or (isinstance(reply.content, dict) and reply.content.get("errors"))
    finding = first_of(
        topic,
        [reply],
        (
            topic == Topic.UPLOAD and seen.uploaded,
            "sure",
            f"Accepted as coupon file {seen.uploaded}.",
        ),
        (
            topic == Topic.UPLOAD and reply.success,
            "wrong",
            f"The response lacks the coupon file's _id.{search}",
        ),
        (reply.success and odd, "unsure", "A success for a task; but no segment came."),
        (reply.success, "sure", "Updated: the service takes updated_by alone."),
        (reply.status == 401, "wrong", f"{key}: refused."),
        (reply.unsent, "wrong", "It was not sent: the service was not reached."),
        (400 <= reply.status < 500, "wrong", "The service refuses it, for the reason below."),
        (True, "wrong", f"No usable response came; the service may have done it or not.{search}"),
    )
    updated = topic == Topic.SEGMENT and finding.certainty == "sure"
    return [
        finding,
        *([Finding(Topic.DATA_KEY, "sure", "Accepted, for an update.")] if updated else []),
    ]


def _created(given: WesSettings, reply: Reply, name: str | None) -> Finding:
    """Where the response to the creation of a catalog has its identifier."""
    prop, content = (
        given.catalog_id_property,
        reply.text if reply.content is None else reply.content,
    )
    found = responses.catalog_id(content, prop)
    words = [
        where
        for where, value in inside(content)
        if where
        and type(value) in (str, int)
        and len(str(value).split()) == 1
        and value not in (name, CURRENCY)
        # Else the provider would not find it there.
        if responses.catalog_id(content, where) == str(value)
    ]
    named = [
        where for where in words if where.lower().rpartition(".")[2].endswith(ID_WORDS)
    ] or words
    only = named[0] if len(named) == 1 else ""
    return first_of(
        Topic.CATALOG,
        [reply],
        (found is not None, "sure", f"Created; its identifier is {found}."),
        (only, "wrong", f"Created; its identifier is under {only}."),
        (
            True,
            "needed",
            "Created, but which property is its identifier? "
            f"{', '.join(named[:8]) or 'None fits'}.",
        ),
        settings={"paths.catalog_id": prop if found is not None else only}
        if found is not None or only
        else {},
    )
