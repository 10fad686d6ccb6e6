"""What follows from an upload, a catalog and a segment update. Pure: evidence in, findings out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from wes_provider.client.diagnosis import CAMPAIGN_KEY, DATA_KEY, Evidence
from wes_provider.client.error_body import reports_failure
from wes_provider.client.operations import Operations
from wes_provider.client.settings import WesSettings
from wes_provider.client.success_body import find_catalog_id
from wes_provider.doctor.conclusions import (
    FILE_PATH,
    LAG,
    LIST_PATH,
    UNREADABLE_LIMIT,
    limit_is_readable,
    rate_limit_names,
    status_settings,
)
from wes_provider.doctor.findings import CATALOG, SEGMENT, UPLOAD, Certainty, Finding, number
from wes_provider.doctor.listing import complaint_of, counts_of, leaves, status_of
from wes_provider.doctor.reading import PathRead
from wes_provider.doctor.statuses import counts_named, doubt_about, meaning_of
from wes_provider.doctor.writing import Followed
from wes_provider.exceptions import WesError
from wes_provider.polling import Statuses

__all__ = ["after_catalog", "after_segment", "after_upload"]

UPLOAD_STATUSES: Final = "Statuses of the upload"
LAG_MARGIN: Final = 3  # times the lag seen: the next one may be longer


def _tried(evidence: Evidence) -> str:
    return f"{evidence.method} {evidence.path}"


def _refusal(topic: str, evidence: Evidence, key: str) -> Finding | None:
    if evidence.success:
        return None
    if evidence.status is None:
        text = (
            "No reply came; the service may have done it or not." if evidence.sent else "The service was not reached."
        )
        return Finding(topic, "wrong", text, _tried(evidence), evidence.problem)
    came = evidence.came_whole
    if evidence.status == 401:
        return Finding(topic, "wrong", f"{key}: refused.", _tried(evidence), came)
    if evidence.inconclusive and evidence.status != 429:
        text = "A server failed or redirects; the service may have done it or not."
        return Finding(topic, "wrong", text, _tried(evidence), came)
    return Finding(topic, "wrong", "The service refuses it; its reply has the reason.", _tried(evidence), came)


# -- upload ----------------------------------------------------------------------------------------


def after_upload(settings: WesSettings, followed: Followed) -> list[Finding]:
    """
    What follows from an upload.

    :param settings: the settings of the connection, as the user gave it.
    """
    refusal = _refusal(UPLOAD, followed.evidence, CAMPAIGN_KEY)
    tried, came = _tried(followed.evidence), followed.evidence.came
    if refusal is None and (not followed.file_id or followed.searched_for is not None):
        text = f"The reply is a success without the file that it should hold: {followed.evidence.quote}"
        refusal = Finding(UPLOAD, "wrong", text, tried, came)
    if refusal is None:
        upload = Finding(UPLOAD, "sure", f"Accepted as coupon file {followed.file_id}.", tried, came)
    elif followed.file_id:
        text = f"{refusal.text} It was done: the list shows it as coupon file {followed.file_id}."
        upload = replace(refusal, text=text)
    else:
        text = refusal.text
        if followed.searched_for is not None:
            text += f" The list did not show the file within {followed.searched_for:.0f} s."
        return [replace(refusal, text=text)]
    return [
        upload,
        _file_path(settings, followed),
        *_list_path(settings, followed),
        *_statuses(settings, followed),
        *_counts(settings, followed),
        *_lag(settings, followed),
        *_as_sent(followed),
        *(_limits(followed) if followed.evidence.success else ()),
    ]


SUPPORT: Final = "Get the path from the service's support."


def _file_path(settings: WesSettings, followed: Followed) -> Finding:
    if followed.file_read is not None:
        return _path(FILE_PATH, "paths.coupon_file", settings.coupon_file_path, followed.file_read)
    if (close := followed.file_close) is not None:
        text = f"{close.template} replies with the file, but the provider cannot read it: {close.understood}."
        return Finding(FILE_PATH, "wrong", text, _tried(close.evidence), close.evidence.came)
    if followed.known_path:
        text = f"A path replies as if it knew files, but not the uploaded one, within {followed.seconds:.0f} s."
        return Finding(FILE_PATH, "unsure", f"{text} --timeout SECONDS waits longer.", needed=True)
    text = f"None of {followed.file_paths} usual paths shows the uploaded file within {followed.seconds:.0f} s."
    return Finding(FILE_PATH, "unsure", f"{text} {SUPPORT}", needed=True)


def _list_path(settings: WesSettings, followed: Followed) -> Iterator[Finding]:
    if followed.list_read is not None:
        yield _path(LIST_PATH, "paths.coupon_files", settings.coupon_files_path, followed.list_read)
    elif (close := followed.list_close) is not None:
        text = f"{close.template} shows the file, but not as a list that the provider can read: {close.understood}"
        yield Finding(LIST_PATH, "wrong", text, _tried(close.evidence), close.evidence.came)
    elif followed.page is not None:
        template, page = followed.page
        path = f"{template}{'&' if '?' in template else '?'}limit=1000"
        count = number(page.count, "file")
        if page.complete:
            text = f"{template} shows {count}, but not the uploaded one within {followed.seconds:.0f} s."
        else:
            text = (
                f"{template} shows one page, {count}, without the uploaded one; {page.incomplete_because}. Set "
                f"paths.coupon_files to a path with a larger page, such as {path}, and run it again."
            )
        yield Finding(LIST_PATH, "unsure", text, settings={"paths.coupon_files": template}, needed=True)
    else:
        text = f"None of {followed.list_paths} usual paths shows a list with the uploaded file"
        yield Finding(LIST_PATH, "unsure", f"{text} within {followed.seconds:.0f} s. {SUPPORT}", needed=True)


def _path(topic: str, name: str, given: str, read: PathRead) -> Finding:
    """What a path shows that shows the file."""
    tried, came, found = _tried(read.evidence), read.evidence.came, {name: read.template}
    if read.understood:
        return Finding(topic, "wrong", f"The provider cannot read it: {read.understood}", tried, came, found)
    if read.template == given:
        return Finding(topic, "sure", "It shows the uploaded file.", tried, came, found)
    return Finding(topic, "wrong", f"The uploaded file is at {read.template}.", tried, came, found)


def _statuses(settings: WesSettings, followed: Followed) -> Iterator[Finding]:
    came = ", ".join(f"{seen.status} after {seen.after:.0f} s" for seen in followed.sightings)
    tried = _tried(followed.file_read.evidence) if followed.file_read is not None else "the list"
    names = [seen.status.strip().upper() for seen in followed.sightings]
    if not names or not followed.ended:
        if followed.no_status:
            text = f"The end of a file cannot be read: {followed.no_status}."
        else:
            text = f"The file did not end within {followed.seconds:.0f} s; --timeout SECONDS waits longer."
        yield Finding(UPLOAD_STATUSES, "unsure", text, tried, came, needed=True)
        return
    last = names[-1]
    between = [name for name in names[:-1] if name not in settings.statuses.pending]
    if settings.statuses.ended(last):
        certainty, text, found = _known_end(settings, followed, last, between)
    else:
        certainty, text, found = _unknown_end(settings, followed, last, between)
    yield Finding(UPLOAD_STATUSES, certainty, text, tried, came, found, needed=certainty == "unsure")


Judged: TypeAlias = tuple[Certainty, str, dict[str, Any]]
"""Certainty, text and settings of a finding."""


def _known_end(settings: WesSettings, followed: Followed, last: str, between: Sequence[str]) -> Judged:
    """What an end shows that the provider knows."""
    statuses, complaint = settings.statuses, complaint_of(followed.record)
    if statuses.failed(last):
        text = f"The file failed with {last}{f': {complaint[:100]}' if complaint else ''}; what success is called"
        found = _settings_of("failure", statuses, pending=between)
        return "unsure", f"{text} is not shown. Upload a file that is good.", found
    found = _settings_of("success", statuses, pending=between)
    if doubt := doubt_about(followed.record, settings.count_names):
        text = f"The provider takes {last} for success, but {doubt}. Upload a file whose coupons are good and new."
        return "unsure", text, found
    if not between:
        return "sure", f"{last} means success, as the provider knows.", found
    return "wrong", f"{_success(last, between)}: the provider does not know that.", found


def _unknown_end(settings: WesSettings, followed: Followed, last: str, between: Sequence[str]) -> Judged:
    """What a status shows that lasted, though the provider does not know it."""
    statuses = settings.statuses
    listed = followed.listing.records if followed.listing is not None else ()
    others = [record for record in listed if status_of(record).upper() == last]
    meaning = meaning_of(last, followed.record, settings.count_names, others)
    found = _settings_of(meaning.kind, statuses, **_with(meaning.kind, last, between))
    if meaning.sure and meaning.kind == "success":
        return "wrong", f"{_success(last, between)}: the provider does not know that.", found
    if meaning.sure:
        text = f"The file failed with {last} ({meaning.why}), which the provider does not know. Paste the extra below"
        return "wrong", f"{text}, and upload a file that is good: it shows what success is called.", found
    if meaning.kind == "pending":
        text = f"{last} lasted, but {meaning.why}. --timeout and --final-after SECONDS wait longer for the end."
        return "unsure", text, found
    text = f"{last} lasted and is unknown to the provider; it may mean {meaning.kind}: {meaning.why}"
    return "unsure", f"{text}. Look the status up in the service's dashboard before you paste the extra.", found


def _success(last: str, between: Sequence[str]) -> str:
    on_the_way = f"{', '.join(between)} {'is' if len(between) == 1 else 'are'} on the way to it"
    return f"{last} means success" + (f", and {on_the_way}" if between else "")


def _with(kind: str, last: str, between: Sequence[str]) -> dict[str, list[str]]:
    """Arguments of :func:`status_settings` for a status that ended a file, and those before it."""
    more = {"pending": list(between)}
    return {**more, kind: [*more.get(kind, ()), last]}


def _settings_of(kind: str, statuses: Statuses, **more: Iterable[str]) -> dict[str, Any]:
    """Settings without those of the other end, of which an upload shows nothing."""
    found = status_settings(statuses, **more)
    for other in {"success", "failure"} - {kind}:
        del found[f"coupon_file_statuses.{other}"]
    return found


def _counts(settings: WesSettings, followed: Followed) -> Iterator[Finding]:
    topic, names = "Counts", settings.count_names
    counts = counts_of(followed.record)
    came = ", ".join(f"{name} {count}" for name, count in counts.items())
    if not counts:
        yield Finding(topic, "unsure", "The file has no counts, so coupons that were added cannot be seen.")
        return
    read = counts_named(followed.record, names)
    found = {
        f"coupon_file_counts.{name}": getattr(names, name)
        for name in ("added", "duplicates")
        if getattr(read, name) is not None
    }
    if len(found) == 2:
        text = f"The service counts {read}."
        yield Finding(topic, "sure", text, came=came, settings=found)
    elif read.added is not None:
        yield Finding(topic, "unsure", "No count is known to be that of duplicates.", came=came, settings=found)
    else:
        text = "No count is known to be that of coupons added: name it in coupon_file_counts."
        yield Finding(topic, "unsure", text, came=came, settings=found)


def _lag(settings: WesSettings, followed: Followed) -> Iterator[Finding]:
    lag, topic = followed.listed_after, LAG
    if lag is None:
        text = f"The list did not show the file within {followed.seconds:.0f} s."
        yield Finding(topic, "unsure", text, needed=True)
        return
    needed = math.ceil(LAG_MARGIN * lag / 10) * 10.0
    came = f"in the list after {lag:.0f} s"
    if needed <= settings.coupon_files_lag:
        setting = {"coupon_files_lag": settings.coupon_files_lag}
        yield Finding(topic, "sure", f"Well within {settings.coupon_files_lag:.0f} s.", came=came, settings=setting)
    else:
        text = f"Set it to {needed:.0f} s, {LAG_MARGIN} times what was seen."
        yield Finding(topic, "wrong", text, came=came, settings={"coupon_files_lag": needed})


def _as_sent(followed: Followed) -> Iterator[Finding]:
    if not followed.listed:
        return
    for name in ("name", "file_url"):
        sent, shown, topic = followed.sent[name], followed.listed.get(name), f"{name} in the list"
        if shown == sent:
            yield Finding(topic, "sure", "As it was sent.")
        elif not isinstance(shown, str):
            text = "The list does not show it, so a file is harder to recognize after a lost reply."
            yield Finding(topic, "unsure", text, came="missing")
        elif name == "name" and (how := _shortened(sent, shown)):
            yield Finding(topic, "sure", how, came=f"{len(shown)} of {len(sent)} characters")
        else:
            text = "The list shows it differently, so a file is harder to recognize after a lost reply."
            yield Finding(topic, "unsure", text, came="changed")


def _shortened(sent: str, shown: str) -> str:
    """How the list shortens a name, and what to do; empty if it does not."""
    if not shown or len(shown) >= len(sent) or not sent.lower().startswith(shown.lower()):
        return ""
    if len(shown) == len(sent.rpartition(".")[0]):
        return "It is shown without its extension. Give no name, or one without an extension."
    return f"It is cut to {len(shown)} characters. Give no name, or one of at most {len(shown)} characters."


def _limits(followed: Followed) -> Iterator[Finding]:
    topic, evidence = "Limits of uploads", followed.evidence
    names = rate_limit_names(evidence)
    came = ", ".join(names) or "no such header"
    if limit_is_readable(evidence):
        text = "A successful upload states how much of the limit is left; the provider keeps to it."
        yield Finding(topic, "sure", text, _tried(evidence), came)
    elif names:
        yield Finding(topic, "unsure", UNREADABLE_LIMIT, _tried(evidence), came)
    else:
        text = "A successful upload states no limit, so the documented one applies."
        yield Finding(topic, "sure", text, _tried(evidence), came)


# -- catalog and segment ---------------------------------------------------------------------------


def after_catalog(settings: WesSettings, evidence: Evidence, name: str) -> list[Finding]:
    """
    What follows from the creation of a catalog.

    :param settings: the settings of the connection, as the user gave it.
    :param name: the name of the catalog.
    """
    topic, tried = CATALOG, _tried(evidence)
    refusal = _refusal(topic, evidence, CAMPAIGN_KEY)
    if refusal is not None:
        return [refusal]
    catalog_id = _catalog_id(settings, evidence, name)
    given = settings.catalog_id_property
    if catalog_id is not None:
        text = f"Created; its identifier is {catalog_id}."
        return [Finding(topic, "sure", text, tried, evidence.came, {"paths.catalog_id": given})]
    if evidence.form == "html" or reports_failure(evidence.content):
        text = f"The reply is a success without a catalog; whether it is created is not known: {evidence.quote}"
        return [Finding(topic, "wrong", text, tried, evidence.came)]
    found = _likely_catalog_ids(evidence.content, name)
    if len(found) == 1:
        text = f"Created; its identifier is under {found[0]}."
        return [Finding(topic, "wrong", text, tried, evidence.came, {"paths.catalog_id": found[0]})]
    text = f"Created, but which property is its identifier is not clear: {', '.join(found) or evidence.quote}"
    setting = {"paths.catalog_id": found[0]} if found else {}
    return [Finding(topic, "unsure", text, tried, evidence.came, setting)]


def _catalog_id(settings: WesSettings, evidence: Evidence, name: str) -> str | None:
    """The identifier as the provider's client finds it."""
    if evidence.response is None:
        return None
    try:
        operation = Operations(settings).create_catalog(name, "EUR", [{"name": "id", "type": "string"}])
        found: tuple[str, Any] = operation.read(evidence.response)
        return found[0]
    except WesError:
        return find_catalog_id(evidence.content, settings.catalog_id_property)


def _likely_catalog_ids(content: Any, name: str) -> list[str]:
    """Properties that may be a catalog's identifier: those with a name such as id or key, else all texts."""
    texts = [
        where
        for where, value in leaves(content)
        if where and ((isinstance(value, str) and value and " " not in value) or type(value) is int)
        if value not in (name, "EUR") and not str(value).startswith("http")
    ]
    words = ("id", "key", "identifier", "handle", "uid", "uuid", "ref")
    named = [where for where in texts if any(where.lower().rpartition(".")[2].endswith(word) for word in words)]
    return named or texts


def after_segment(evidence: Evidence) -> list[Finding]:
    """What follows from the update of a segment."""
    refusal = _refusal(SEGMENT, evidence, DATA_KEY)
    if refusal is not None:
        return [refusal]
    if evidence.form == "html" or reports_failure(evidence.content):
        text = f"The reply is a success, so a task takes it for one; but what came is no segment: {evidence.quote}"
        return [Finding(SEGMENT, "unsure", text, _tried(evidence), evidence.came)]
    return [
        Finding(SEGMENT, "sure", "Updated: the service takes updated_by alone.", _tried(evidence), evidence.came),
        Finding(DATA_KEY, "sure", f"{DATA_KEY}: accepted, for an update.", _tried(evidence), evidence.came),
    ]
