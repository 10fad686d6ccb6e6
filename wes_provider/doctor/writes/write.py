"""
What the user has the doctor change in the service: each change is one request, sent once.

All of it is checked before anything is sent, and nothing is sent to what has not shown itself to be
the service.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from wes_provider import arguments, contract, filters, models
from wes_provider.client import requests, responses
from wes_provider.client.requests import Request
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.options import Options
from wes_provider.doctor.reads.evidence import file_read, unreadable
from wes_provider.doctor.reads.header import is_standard
from wes_provider.doctor.reads.redirects import named_address
from wes_provider.doctor.reads.sayings import (
    ABOUT_UPLOADS,
    advice_by_words,
    advice_of,
    advice_of_task_field,
    hand_over,
    words_of,
)
from wes_provider.doctor.reads.sending import until
from wes_provider.doctor.reads.since_upload import what_came
from wes_provider.doctor.records.meanings import ends_badly
from wes_provider.doctor.records.rehearsals import rehearsal_by
from wes_provider.doctor.replies.file_hosts import about_file_url
from wes_provider.doctor.replies.files import file_of, has_any, odd_identifier
from wes_provider.doctor.replies.hosts import second_connection
from wes_provider.doctor.replies.list_names import about_other_names, other_lists
from wes_provider.doctor.replies.members import inside
from wes_provider.doctor.replies.probes import Form, Kind, Probe, named_headers
from wes_provider.doctor.replies.remedies import (
    LET_WRITES,
    asks_for_something,
    is_dated,
    is_firewall,
    is_of_file_url,
    is_of_missing_list,
    is_retired,
    missing_member,
    new_key,
    says_later,
    says_when_writes_return,
    takes_no_writes,
    wait_of,
)
from wes_provider.doctor.replies.subjects import Subject, in_words
from wes_provider.doctor.writes.batches import refused_item
from wes_provider.doctor.writes.creations import CURRENCY, OPERATIONS, rows_of_creation
from wes_provider.doctor.writes.updates import rows_of_update, shows_segment
from wes_provider.doctor.writes.upload import LookedUp
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, redact, redact_url, shown

__all__ = ["Write", "conclude_from_write", "not_sent", "writes_of"]

# Of the catalog.
SCHEMA: Final = [{"name": "id", "type": "string"}, {"name": "title", "type": "string"}]
METHOD_NOT_ALLOWED: Final = 405
NOT_SENT: Final = ("created_by", "callback_url", "file_url_auth_username")  # of an upload
LONGEST_NAME: Final = 40  # characters of the name that a task makes
# The field of an upload, and not the name of a list, a host or a user.
NAME_OF_FILE: Final = re.compile(
    r"(?:^|[^\w\s]\s*|\b(?:field|property|parameter|member)\s+)['\"`]?name\b(?!\s+of\b)",
    re.IGNORECASE,
)
LONGEST_BODY: Final = 120  # characters of a response that has no identifier


class Write(NamedTuple):
    """
    One change of the service.

    :ivar text: what it changes, for people.
    :ivar request: makes the request, with the settings that reads have shown.
    """

    topic: Topic
    text: str
    request: Callable[[WesSettings], Request]


def writes_of(options: Options) -> list[Write]:
    """
    Tell what is to be changed. All of it is checked here, before anything is sent.

    :raises WesConfigurationError: for what cannot be sent.
    """
    _check_identifier("--coupon-list", options.coupon_list_id)
    _check_identifier("--segment", options.segment_id)
    writes = []
    if options.file_url is not None:
        writes.append(_upload(options, options.file_url))
    if options.catalog is not None:
        body = models.catalog_body(options.catalog, CURRENCY, SCHEMA)
        create = partial(requests.create_catalog, body=body)
        writes.append(
            Write(
                topic=Topic.CATALOG,
                text=f"Create the catalog {options.catalog}",
                request=create,
            )
        )
    if options.segment_id is not None:
        body = filters.segment_body(updated_by=options.updated_by)
        text = (
            f"Update the segment {options.segment_id}: its updated_by becomes {options.updated_by}"
        )
        update = partial(requests.update_segment, segment_id=options.segment_id, body=body)
        writes.append(
            Write(
                topic=Topic.SEGMENT,
                text=text,
                request=update,
            )
        )
    return writes


def _check_identifier(option: str, value: str | None) -> None:
    if value is not None:
        arguments.identifier(option, value)


def _upload(options: Options, file_url: str) -> Write:
    if not options.coupon_list_id:
        raise WesConfigurationError(
            "--upload needs --coupon-list: the list that the file goes into"
        )
    body = models.coupon_file_body({"file_url": file_url, "name": options.file_name})
    text = f"Upload {redact_url(file_url)} to the list {options.coupon_list_id}"
    upload = partial(requests.upload, coupon_list_id=options.coupon_list_id, body=body)
    return Write(
        topic=Topic.UPLOAD,
        text=text,
        request=upload,
    )


# -- what follows from a reply ---------------------------------------------------------------------


def not_sent(write: Write, obstacle: str, *, stopped: bool) -> Finding:
    """Conclude on a change that was not sent."""
    certainty = Certainty.NOT_PROVED
    if stopped:
        certainty = Certainty.NOT_SHOWN
    return Finding(
        topic=write.topic,
        certainty=certainty,
        text=f"Not sent: {obstacle}.",
    )


def conclude_from_write(
    write: Write,
    probe: Probe,
    settings: WesSettings,
    options: Options,
    looked_up: LookedUp | None = None,
    known: Container[str] = (),
    made: Sequence[CouponFile] = (),
    seen: CouponFile | None = None,
) -> list[Finding]:
    """
    Conclude on a change that was sent.

    :param looked_up: what the list showed of an upload whose response has no identifier.
    :param known: the identifiers of the files that the list had before.
    :param made: the new files of the list with the name of the upload.
    :param seen: the uploaded file as it was seen last; ``None`` if it was not followed.
    """
    refused = refused_item(probe)
    if write.topic is Topic.CATALOG and refused is not None:
        return [_refused_catalog(probe, refused)]
    if write.topic is Topic.CATALOG and probe.success:
        return [_created(settings, probe, options.catalog)]
    key = Topic.CAMPAIGN_KEY
    if write.topic is Topic.UPLOAD:
        other_list = _of_other_list(probe, seen)
        if other_list is not None and len(made) < 2:
            finding = _went_into_other_list(other_list, probe)
            return [finding, *_shown_besides(finding, probe, key, settings, is_done=True)]
        return _uploaded(probe, settings, options, looked_up, known, made)
    is_done = False
    rows_of_success: list[Row] = []
    if write.topic is Topic.SEGMENT:
        key = Topic.DATA_KEY
        is_done = shows_segment(probe, options)
        rows_of_success = [_row_of_refused_success(probe), *rows_of_update(probe, options)]
    finding = conclude(
        write.topic,
        [probe],
        _row_of_unreadable_success(probe),
        _row_of_firewall(probe, ""),
        _row_of_page(probe),
        *rows_of_success,
        *_rows_of_failure(probe, key, settings, ""),
    )
    return [finding, *_shown_besides(finding, probe, key, settings, is_done=is_done)]


def _refused_catalog(probe: Probe, refused: Probe) -> Finding:
    """Tell what holds if a success says that the catalog was refused."""
    code = refused.code
    if code:
        code = f" ({code})"
    return Finding(
        topic=Topic.CATALOG,
        certainty=Certainty.WRONG,
        text=(
            f"{probe.status} came, but what it says of the request is a refusal{code}"
            f"{words_of(refused)}. So nothing was done in all likelihood. {advice_of(refused)} "
            "With this status, a task finds no identifier, and cannot tell that it was refused: "
            "ask for the status of an error, too."
        ),
        probes=(probe,),
    )


def _created(settings: WesSettings, probe: Probe, name: str | None) -> Finding:
    return conclude(
        Topic.CATALOG,
        [probe],
        _row_of_firewall(probe, ""),
        *rows_of_creation(settings, probe, name),
    )


def _row_of_unreadable_success(probe: Probe) -> Row:
    """Tell what holds if a success is none for the provider."""
    problem = unreadable(responses.success, probe)
    return Row(
        applies=probe.has_2xx and bool(problem),
        certainty=Certainty.WRONG,
        text=f"A task would fail: {problem}. Ask the service's support.",
    )


def _row_of_page(probe: Probe) -> Row:
    """Tell what holds if a success has something that the service does not send."""
    return Row(
        applies=probe.has_2xx and probe.form in (Form.PAGE, Form.BROKEN, Form.BINARY),
        certainty=Certainty.NOT_PROVED,
        text=(
            f"A success for a task, but the reply is {probe.form.value}: perhaps a gateway's. "
            "Look whether it was done."
        ),
    )


def _row_of_refused_success(probe: Probe) -> Row:
    """Tell what holds if an update gets an error with the status of a success."""
    return Row(
        applies=probe.is_error_as_success,
        certainty=Certainty.WRONG,
        text=(
            f"Refused ({_words_with_status(probe)}), though a task takes the status for a "
            f"success. {_about_refused_success(probe)}"
        ),
    )


def _shown_besides(
    finding: Finding, probe: Probe, key: Topic, settings: WesSettings, *, is_done: bool = False
) -> list[Finding]:
    """
    Tell what the reply to a change shows of the key and the workspace header.

    :param is_done: whether the change was done, whatever the reply is.
    """
    given = settings.workspace_header
    what = "for an upload"
    if key is Topic.DATA_KEY:
        what = "for an update"
    if finding.certainty is Certainty.SURE or is_done:
        return [
            Finding(
                topic=key,
                certainty=Certainty.SURE,
                text=f"Accepted, {what}.",
                probes=(probe,),
            ),
            Finding(
                topic=Topic.WORKSPACE_HEADER,
                certainty=Certainty.SURE,
                text=f"{given} is accepted, {what}.",
                probes=(probe,),
            ),
        ]
    if probe.kind is Kind.REFUSED:
        text = f"Refused {what} ({probe.answer}{_reason_of(probe)}), whatever reads get. "
        text += _about_refused(probe)
        return [
            Finding(
                topic=key,
                certainty=Certainty.WRONG,
                text=text,
                probes=(probe,),
            )
        ]
    if _about_what_was_given(probe):
        text = f"It was not what was refused {what}: one that is accepted shows it."
        return [Finding(topic=key, certainty=Certainty.NOT_SHOWN, text=text, probes=(probe,))]
    named = _headers_of_workspace(probe)
    if not named:
        return []
    text = f"{given} is sent, but the service replies {probe.answer}{words_of(probe)}"
    if contract.WORKSPACE_HEADER in named:
        text = f"{text}. Leave workspace_header out, and ask the service's support about {given}."
    else:
        text = f"{text}. Ask the service's support which header has the workspace."
    return [
        Finding(
            topic=Topic.WORKSPACE_HEADER,
            certainty=Certainty.WRONG,
            text=text,
            probes=(probe,),
        )
    ]


def _headers_of_workspace(probe: Probe) -> list[str]:
    """Return the headers that an error names, and that may have the workspace."""
    is_other = probe.is_about(Subject.NEGOTIATION)
    if is_other or probe.status == METHOD_NOT_ALLOWED:
        return []
    return [name for name in named_headers(probe) if not is_standard(name.lower())]


def _row_of_firewall(probe: Probe, search: str) -> Row:
    """
    Tell what holds if a firewall's page comes with the status of a success.

    :param search: what to do before it is sent again, as a sentence with a space before it.
    """
    return Row(
        applies=probe.has_2xx and probe.form is Form.PAGE and is_firewall(probe.message),
        certainty=Certainty.WRONG,
        text=(
            f"A firewall's page came with {probe.status}{words_of(probe)}, so the service may not "
            f"have got it. {LET_WRITES.format(method=probe.request.method)}{hand_over(probe)}"
            f"{search}"
        ),
    )


def _rows_of_failure(
    probe: Probe,
    key: Topic,
    settings: WesSettings,
    search: str,
) -> list[Row]:
    """Tell what holds of a reply that is no success."""
    who = "The service or a gateway"
    if probe.is_documented_error:
        who = "The service"
    came = probe.answer._replace(kind=Kind.ANSWER)  # whoever sent it
    replies = f"{who} replies {came} to {probe.sent}{words_of(probe)}"
    return [
        Row(
            applies=probe.kind is Kind.REFUSED,
            certainty=Certainty.WRONG,
            text=(
                f"{key.value}: refused ({probe.answer}{_reason_of(probe)}), so nothing was done. "
                f"{_about_refused(probe)}"
            ),
        ),
        Row(
            applies=probe.is_error_as_success,
            certainty=Certainty.WRONG,
            text=(
                f"{replies}. A task cannot tell whether it was done, since the status is that of a "
                f"success: ask the service's support.{search}"
            ),
        ),
        Row(
            applies=probe.unsent,
            certainty=Certainty.WRONG,
            text="It was not sent: the service was not reached. Try again.",
        ),
        Row(
            applies=probe.status == 429,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"The service's rate limit refused it{words_of(probe)}, so nothing was done: try "
                f"again later.{_wait_first(probe)}"
            ),
        ),
        Row(
            applies=400 <= probe.status < 500 and not probe.is_lost and bool(_about_updater(probe)),
            certainty=Certainty.NOT_PROVED,
            text=f"{replies}. {_whether_done(probe)} {_about_updater(probe)}",
        ),
        Row(
            applies=bool(_about_what_was_given(probe)),
            certainty=Certainty.NOT_PROVED,
            text=f"{replies}. {_whether_done(probe)} {_about_what_was_given(probe)}",
        ),
        Row(
            applies=400 <= probe.status < 500 and says_when_writes_return(probe.message),
            certainty=Certainty.NOT_PROVED,
            text=f"{replies}. {_whether_done(probe)} {_wait_for_writes(probe)}",
        ),
        Row(
            applies=400 <= probe.status < 500 and (not probe.is_lost or probe.is_lost_by_words),
            certainty=Certainty.WRONG,
            text=f"{replies}. {_whether_done(probe)} {advice_of(probe)}",
        ),
        Row(
            applies=probe.kind is Kind.ELSEWHERE,
            certainty=Certainty.WRONG,
            text=(
                f"{_why_redirected(probe)}{probe.sent} is redirected to "
                f"{redact_url(probe.location)} ({probe.status}{words_of(probe)}), which is not "
                "followed. Nothing shows that it was done: "
                f"{_after_redirect(probe, settings)}{search}"
            ),
        ),
        Row(
            applies=probe.status == 501,
            certainty=Certainty.WRONG,
            text=(
                f"{replies}, so nothing was done in all likelihood. {_advice_of_501(probe)}{search}"
            ),
        ),
        Row(
            applies=probe.status >= 500 and takes_no_writes(in_words(probe.code, probe.message)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"{replies}. It says that it takes no changes, so nothing was done in all "
                f"likelihood. {_wait_for_writes(probe)}{search}"
            ),
        ),
        Row(
            applies=bool(probe.status),
            certainty=Certainty.WRONG,
            text=f"{replies}; the service may have done it or not.{_wait_first(probe)}{search}",
        ),
        Row(
            applies=True,
            certainty=Certainty.WRONG,
            text=f"No usable response came; the service may have done it or not.{search}",
        ),
    ]


def _advice_of_501(probe: Probe) -> str:
    """Tell what to do about a reply that says that a method is not implemented."""
    method = probe.request.method
    if probe.form is Form.PAGE:
        return advice_of(probe)
    return (
        f"It says that it does not take {method}, which tasks send to this path: ask the service's "
        "support, or whoever runs a gateway before it, to take that."
    )


def _about_what_was_given(probe: Probe) -> str:
    """
    Tell what to do about a change that was refused for what the doctor was given for it, or did not
    give, so that no setting of the connection is shown to be wrong; empty if it was not.
    """
    # A change whose outcome is not known may have been done, whatever the words are.
    if probe.is_lost or not 400 <= probe.status < 500:
        return ""
    if probe.subject is not None and not probe.is_about(*ABOUT_UPLOADS):
        return ""
    operation = probe.request.operation
    if operation is contract.UPDATE_SEGMENT and probe.error_status == 404:
        return "Check the segment's identifier in the service's dashboard."
    if operation is contract.CREATE_CATALOG and probe.error_status == 409:
        return "Give another name with --catalog."
    about_upload = ""
    if operation is contract.UPLOAD_COUPON_FILE:
        about_upload = _about_uploaded_file(probe)
    return about_upload or advice_of_task_field(probe)


def _about_uploaded_file(probe: Probe) -> str:
    """
    Tell what to do about an upload that was refused for its list, for a file that the service has,
    or for its URL; empty if it was not.
    """
    words = in_words(probe.code, probe.message)
    if probe.error_status == 409 and says_later(words):
        when = until(probe) or ", as it says"
        return (
            f"Wait{when}, and run this again: it is not about this file. A "
            "task fails at that, and Airflow does not retry it, so ask the service's support when "
            "a list takes the next file."
        )
    if probe.is_about(Subject.LIST):
        return advice_by_words(probe)
    if probe.error_status == 409:
        return _about_conflict(probe)
    if missing_member(probe.message):
        return advice_of_task_field(probe)
    if probe.is_about(Subject.FILE):
        return advice_by_words(probe)
    return _about_list_or_url(probe)


def _about_conflict(probe: Probe) -> str:
    """Tell what to do about an upload that got a 409."""
    other_names = _other_names(probe)
    if other_names:
        return other_names
    if asks_for_something(probe.message):
        return "A 409 is about what the service has or does, and no setting: do what it says."
    return (
        "A 409 is a conflict with what the service has, so it may have this file, or one of this "
        "name or content, already: run this again with another file."
    )


def _other_names(probe: Probe) -> str:
    """Tell what to do about lists that a refusal names in place of this one; empty without any."""
    return about_other_names(other_lists(probe.message, probe.request.coupon_list_id))


def _about_list_or_url(probe: Probe) -> str:
    """
    Tell what to do about an upload whose refusal names another list, calls its list missing, or is
    perhaps about its file's URL; empty for any other.
    """
    other_names = _other_names(probe)
    if other_names:
        return other_names
    words = in_words(probe.code, probe.message)
    if is_of_missing_list(words):
        return "Check the list's identifier in the service's dashboard, and name it otherwise."
    if is_of_file_url(words):
        return about_file_url(words)
    return _about_field(probe)


def _about_field(probe: Probe) -> str:
    """
    Tell what to do about an upload that was refused for its name, which tasks make otherwise, or
    for a field that the doctor does not send; empty if it was not.
    """
    if NAME_OF_FILE.search(probe.message):
        return (
            "It is about the name: the doctor sends a long one, to see how many characters lists "
            f"show. A task sends at most {LONGEST_NAME}, which are small letters, digits, hyphens "
            "and the suffix of its file, or the name that you give it. If the service takes such "
            "names, uploads may work."
        )
    for field in NOT_SENT:
        if field in probe.message:
            return f"The doctor does not send {field}, but your tasks can: give it there."
    return ""


def _about_updater(probe: Probe) -> str:
    """
    Tell what to do about an error that names ``updated_by``, or what was sent as that; empty if it
    names neither, or something else was to be changed.
    """
    if probe.request.operation is not contract.UPDATE_SEGMENT or probe.kind is Kind.REFUSED:
        return ""
    sent = msgspec.json.decode(probe.request.body or b"{}").get("updated_by", "")
    if "updated_by" not in probe.message and (not sent or sent not in probe.message):
        return ""
    return (
        f"The doctor sent {sent} as updated_by, and your tasks send their own: run this again with "
        "--updated-by and the e-mail of a user of the workspace."
    )


def _whether_done(probe: Probe) -> str:
    """Tell whether a refusal shows that nothing was done: a gateway's is not the service's word."""
    is_refusal = bool(probe.code) or probe.subject is not None
    if is_refusal:
        return "Nothing was done."
    return "Nothing shows that it was done."


def _wait_first(probe: Probe) -> str:
    """Until when to wait by a reply's headers or its words, after a sentence; empty if unknown."""
    moment = until(probe)
    is_away = probe.subject is not None and probe.subject.kind is Kind.NOT_NOW
    if moment and not is_away:
        return f" Wait{moment}."
    if is_away:
        return f" {advice_of(probe)}"
    return ""


def _wait_for_writes(probe: Probe) -> str:
    """Tell until when to wait for a service that takes no changes, by its words or its headers."""
    moment = f" {wait_of(probe.message)}"
    if not is_dated(probe.message):
        moment = until(probe) or moment
    return f"Wait{moment}, and then repeat this."


def _reason_of(probe: Probe) -> str:
    """Tell what became of a refused key, in the service's words; empty if they do not say so."""
    is_told = probe.names_a_reason or probe.has_2xx
    if is_told:
        return words_of(probe)
    return ""


def _words_with_status(probe: Probe) -> str:
    """Tell what came, such as ``200 10003: 'Unknown segment'``."""
    return f"{probe.answer._replace(kind=Kind.ANSWER)}{words_of(probe)}"


def _about_refused_success(probe: Probe) -> str:
    """Tell what to do about an error that comes with the status of a success."""
    if probe.kind is Kind.REFUSED:
        return _about_refused(probe)
    return f"{advice_of(probe)} Look in the service's dashboard whether anything was done."


def _about_refused(probe: Probe) -> str:
    """Tell what to do about a refused key."""
    if probe.names_a_reason:
        return new_key(f"{probe.code} {probe.message}").capitalize()
    if probe.subject is not None:
        return advice_of(probe)
    return "Paste the key again, or check whether it may do this."


def _why_redirected(probe: Probe) -> str:
    """Tell the cause of a redirect, if its words do, as a sentence with a space after it."""
    if is_retired(probe.message):
        return "The version that uploads go to has ended. "
    return ""


def _after_redirect(probe: Probe, settings: WesSettings) -> str:
    """Tell what to do about a redirect of a change."""
    elsewhere = second_connection(probe)
    if elsewhere and probe.request.operation.key is contract.Key.DATA:
        return f"{elsewhere[:1].lower()}{elsewhere[1:]}"
    address = named_address(settings, probe)
    if address:
        return _only_if_reads_are_there(probe, settings, address)
    sent, named = urlsplit(probe.request.url), urlsplit(probe.location)
    if (sent.scheme, named.scheme) == ("https", "http"):
        return (
            "it leads from HTTPS to HTTP, where no key may go. Ask whoever runs the gateway, or "
            "the service's support, to keep HTTPS."
        )
    if sent.netloc == named.netloc:
        return (
            "no setting changes the path, so ask the service's support to take uploads there, or "
            "for a newer provider."
        )
    below = sent.path.removeprefix(urlsplit(settings.base_url).path)
    if not named.path.endswith(below):
        return "ask the service's support: no setting changes the path there."
    other = f"{named.scheme}://{named.netloc}{named.path.removesuffix(below)}"
    return _only_if_reads_are_there(probe, settings, other)


def _only_if_reads_are_there(probe: Probe, settings: WesSettings, address: str) -> str:
    """
    Tell what to do about a change that is redirected below another address, while reads work at the
    connection's: else nothing would have been sent.
    """
    below = urlsplit(address).path
    if below and settings.coupon_files_path.startswith(f"{below}/"):
        return f"put {redact_url(address)} into the Address, and take it out of paths."
    query = ""
    if urlsplit(probe.location).query:
        query = " The redirect has a query, which the provider does not send."
    return (
        "reads work at this Address, and nothing shows whether they do there. Ask the service's "
        "support where uploads go without a redirect, and whether lists and files can be read "
        f"there; only then put {redact_url(address)} into the Address.{query}"
    )


def _uploaded(
    probe: Probe,
    settings: WesSettings,
    options: Options,
    looked_up: LookedUp | None,
    known: Container[str],
    made: Sequence[CouponFile],
) -> list[Finding]:
    search = _where_to_look(looked_up, options.file_name)
    file = file_read(probe)
    title = ""
    if file is not None:
        title = file.id
    is_found = looked_up is not None and looked_up.file is not None
    finding = conclude(
        Topic.UPLOAD,
        [probe],
        Row(
            applies=len(made) > 1,
            certainty=Certainty.WRONG,
            text=_made_twice(made),
        ),
        Row(
            applies=file is not None and file.id in known,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"The response has coupon file {title}, which the list had before, so nothing was "
                "uploaded: the service seems to take the same URL or content once. Tasks that "
                "upload it again add nothing. To see an upload, run this again with a URL that the "
                "service has not seen."
            ),
        ),
        Row(
            applies=file is not None and is_found,
            certainty=Certainty.NOT_PROVED,
            text=_has_other_identifier(title, looked_up),
        ),
        Row(
            applies=_is_turned_away(file, settings),
            certainty=Certainty.WRONG,
            text=_turned_away(file),
        ),
        Row(
            applies=file is not None and bool(rehearsal_by(probe)),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Accepted as coupon file {title}, but the reply speaks of a rehearsal "
                f"({rehearsal_by(probe)}): its coupons may not be in the list, whatever its counts "
                "are. Look in the service's dashboard whether they are, and ask the service's "
                "support to have uploads imported."
            ),
        ),
        Row(
            applies=file is not None,
            certainty=Certainty.SURE,
            text=f"Accepted as coupon file {title}.",
        ),
        Row(
            applies=is_found,
            certainty=Certainty.NOT_PROVED,
            text=_found_in_list(probe, looked_up),
        ),
        Row(
            applies=_failed_file(probe) is not None,
            certainty=Certainty.WRONG,
            text=f"{_failed_at_once(probe)}{_what_list_showed(looked_up)}",
        ),
        _row_of_firewall(probe, search),
        Row(
            applies=probe.success,
            certainty=Certainty.WRONG,
            text=(
                f"The response lacks the coupon file's _id{_identifier_says(probe)}. "
                f"{_status_says(probe)}{search}"
            ),
        ),
        *_rows_of_failure(probe, Topic.CAMPAIGN_KEY, settings, search),
    )
    besides = _shown_besides(finding, probe, Topic.CAMPAIGN_KEY, settings, is_done=is_found)
    return [finding, *besides]


def _of_other_list(probe: Probe, seen: CouponFile | None) -> CouponFile | None:
    """
    Return the record of an accepted file that names another list than it was sent to: that of the
    response, or as it was seen last; ``None`` if neither does.
    """
    for file in (file_read(probe), seen):
        if file is not None and file.coupon_list_id not in ("", probe.request.coupon_list_id):
            return file
    return None


def _went_into_other_list(file: CouponFile, probe: Probe) -> Finding:
    """Tell what to do about an accepted file whose record names another list."""
    sent_to = shown(probe.request.coupon_list_id, quoted=False)
    named = shown(file.coupon_list_id, quoted=False)
    return Finding(
        topic=Topic.UPLOAD,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"Accepted as coupon file {shown(file.id, quoted=False)}, but its record names the "
            f"list {named}, and it was sent to {sent_to}: its coupons may be in that list. Look in "
            f"the service's dashboard which of the two has them, and whether {named} is another "
            f"name of {sent_to}; ask the service's support why. Upload nothing before that."
        ),
        probes=(probe,),
        is_cause=True,
    )


def _made_twice(files: Sequence[CouponFile]) -> str:
    """Tell what to do if one request has made several files."""
    ids = " and ".join(shown(file.id, quoted=False) for file in files)
    return (
        f"One request made {counted(len(files), 'file')} of its name: {ids}. Something on the way, "
        "or the service itself, carries out a request twice, so one coupon may go to two "
        "customers, and no setting prevents that. Upload nothing before whoever runs it has ended "
        "that; tell the service's support both identifiers."
    )


def _is_turned_away(file: CouponFile | None, settings: WesSettings) -> bool:
    """Tell whether the response to an upload has a file that has failed already."""
    if file is None or settings.statuses.succeeded(file.status):
        return False
    # A word alone is no proof: a file that is NOT_STARTED goes on.
    is_bad_with_reason = ends_badly(file.status) and bool(file.reason)
    return settings.statuses.failed(file.status) or is_bad_with_reason


def _turned_away(file: CouponFile | None) -> str:
    """Tell what to do about a file that has failed before it was processed."""
    if file is None:
        return ""
    reason = ""
    if file.reason:
        reason = f" ({shown(file.reason)})"
    return (
        f"The response has coupon file {shown(file.id, quoted=False)} with the status "
        f"{shown(file.status, quoted=False)} at once{reason}: the service took the request, and "
        "not the file. Do what it says, or ask its support, before you upload again."
    )


def _failed_file(probe: Probe) -> CouponFile | None:
    """Return the file of a response that says beside it that the upload failed."""
    if not probe.success or file_read(probe) is not None or not isinstance(probe.content, dict):
        return None
    return file_of(probe.content) or file_of(probe.content.get("data"))


def _failed_at_once(probe: Probe) -> str:
    """Tell what to do about a response that has a file and says that its upload failed."""
    file = _failed_file(probe)
    if file is None:
        return ""
    reason = ""
    if file.reason:
        reason = f" ({shown(file.reason)})"
    return (
        f"The response has coupon file {shown(file.id, quoted=False)} with the status "
        f"{shown(file.status, quoted=False) or 'none'}, and says that it failed{reason}: a task "
        "does not take it for accepted, and looks for it in the list. Do what it says, or ask the "
        "service's support, before you upload again."
    )


def _where_to_look(looked_up: LookedUp | None, name: str) -> str:
    """
    Tell what the list showed of an upload, and which file people have to look for, as sentences.

    :param name: of the upload; it is whole, since people search for it.
    """
    shown_by_list = _what_list_showed(looked_up)
    if looked_up is not None and looked_up.renamed is not None:
        return (
            f"{shown_by_list} See in the service's console whether this file is the upload; upload "
            "nothing again before that."
        )
    return (
        f"{shown_by_list} Look for {name} among the list's files in the service's console; upload "
        "nothing again before that."
    )


def _what_list_showed(looked_up: LookedUp | None) -> str:
    """
    Tell that the list did not show the file, or has it under another name, as a sentence; empty if
    it was not looked for.
    """
    if looked_up is None:
        return ""
    if looked_up.renamed is not None:
        file = looked_up.renamed
        return (
            f" The list has coupon file {shown(file.id, quoted=False)} with its URL, but with "
            f"another name ({shown(file.name)}), so tasks ask a person."
        )
    if looked_up.unanswered is not None:
        return (
            f" No list was read in {looked_up.seconds:.0f} s ({what_came(looked_up.unanswered)}), "
            "so nothing shows whether it is there."
        )
    return f" The list did not show it in {looked_up.seconds:.0f} s."


def _has_other_identifier(title: str, looked_up: LookedUp | None) -> str:
    """
    Tell that the list has the file by another identifier than the response; empty if it does not.

    :param title: the identifier of the response.
    """
    if looked_up is None or looked_up.file is None:
        return ""
    listed = shown(looked_up.file.id, quoted=False)
    if title.lower() == looked_up.file.id.lower():
        return (
            f"The response has the identifier {title}, and the list has the file as {listed}: they "
            "differ in upper and lower case only. Tasks compare identifiers exactly, so a task "
            "would wait for that file in vain. Do not upload it again; ask the service's support "
            "for the same identifier in all replies."
        )
    return (
        f"The response has the identifier {title}, but the list has the file as {listed}, so that "
        f"is not the file's: it may be of a job. Do not upload it again; ask the service's support "
        "for responses with the file's identifier."
    )


def _found_in_list(probe: Probe, looked_up: LookedUp | None) -> str:
    """Tell that the list has a file whose upload got no identifier, as tasks find it."""
    if looked_up is None or looked_up.file is None:
        return ""
    in_list = f"the list had it after {looked_up.seconds:.0f} s"
    lacks = f"no identifier{_where_instead(probe)}"
    if _failed_file(probe) is not None:
        lacks = "an error beside its identifier"
    if probe.success:
        return (
            f"Accepted with {probe.status} and {lacks}; {in_list}, so tasks find it there: ask the "
            "service's support whether that stays."
        )
    came = "No usable response came"
    if probe.status:
        came = f"The reply was {_words_with_status(probe)}"
    return (
        f"{came}, but {in_list}, so it was accepted, and tasks find it there: ask the service's "
        "support why it does not say so."
    )


def _status_says(probe: Probe) -> str:
    """Tell with which status a response came, and which operation it names, as a sentence."""
    names = [f"{name} {value}" for name, value in _operations_in(probe.content)]
    if probe.location:
        names.append(f"the Location {redact_url(probe.location)}")
    named = ""
    if names:
        named = f" and names {' and '.join(names)}"
    return f"It has the status {probe.status}{named}."


def _operations_in(content: Any) -> list[tuple[str, str]]:
    """Return the properties of a response that name the operation which works on an upload."""
    return [
        (shown(where, quoted=False), shown(redact(str(value)), quoted=False))
        for where, value in inside(content)
        if _is_operation(where, value)
    ]


def _is_operation(where: str, value: Any) -> bool:
    is_word = type(value) in (str, int) and len(str(value).split()) == 1
    return is_word and has_any(OPERATIONS, where.lower())


def _where_instead(probe: Probe) -> str:
    odd = odd_identifier(probe.content)
    if odd:
        return f" where the provider reads it ({odd})"
    return ""


def _identifier_says(probe: Probe) -> str:
    """Tell what a response has in place of the identifier that the provider reads."""
    odd = odd_identifier(probe.content)
    if odd:
        return f" where the provider reads it: {odd}"
    if probe.content:
        return f": {shown(probe.clean(probe.text), LONGEST_BODY)}"
    return ""
