"""What follows from an upload, a catalog and a segment update. Pure: evidence in, findings out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

from wes_provider.client.diagnosis import CAMPAIGN_KEY, DATA_KEY, Evidence
from wes_provider.client.error_body import reports_failure
from wes_provider.client.operations import Operations
from wes_provider.client.settings import WesSettings
from wes_provider.client.success_body import find_catalog_id
from wes_provider.doctor.conclusions import (
    FILE_PATH,
    LAG,
    LIST_PATH,
    rate_limit_names,
    status_settings,
)
from wes_provider.doctor.findings import CATALOG, SEGMENT, UPLOAD, Finding
from wes_provider.doctor.listing import complaint_of, counts_of, leaves
from wes_provider.doctor.writing import Followed
from wes_provider.exceptions import WesError
from wes_provider.models import CouponFile
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

    :param settings: of the connection, as the user gave it.
    """
    refusal = _refusal(UPLOAD, followed.evidence, CAMPAIGN_KEY)
    if refusal is not None:
        return [refusal]
    tried, came = _tried(followed.evidence), followed.evidence.came
    if not followed.file_id:
        text = f"The reply is a success without the file that it should hold: {followed.evidence.quote}"
        return [Finding(UPLOAD, "wrong", text, tried, came)]
    return [
        Finding(UPLOAD, "sure", f"Accepted as coupon file {followed.file_id}.", tried, came),
        *_paths(settings, followed),
        *_statuses(settings, followed),
        *_counts(settings, followed),
        *_lag(settings, followed),
        *_as_sent(followed),
        *_limits(followed),
    ]


def _paths(settings: WesSettings, followed: Followed) -> Iterator[Finding]:
    for topic, name, given, read in (
        (FILE_PATH, "paths.coupon_file", settings.coupon_file_path, followed.file_read),
        (LIST_PATH, "paths.coupon_files", settings.coupon_files_path, followed.list_read),
    ):
        if read is None:
            text = "None of the usual paths shows the uploaded file. Get the path from the service's support."
            yield Finding(topic, "wrong", text)
            continue
        tried, came, found = _tried(read.evidence), read.evidence.came, {name: read.template}
        if read.understood:
            yield Finding(topic, "wrong", f"The provider cannot read it: {read.understood}", tried, came, found)
        elif read.template == given:
            yield Finding(topic, "sure", "It shows the uploaded file.", tried, came, found)
        else:
            yield Finding(topic, "wrong", f"The uploaded file is at {read.template}.", tried, came, found)


def _statuses(settings: WesSettings, followed: Followed) -> Iterator[Finding]:
    came = ", ".join(f"{seen.status} after {seen.after:.0f} s" for seen in followed.sightings)
    tried = _tried(followed.file_read.evidence) if followed.file_read is not None else "the list"
    statuses = settings.statuses
    names = [seen.status.strip().upper() for seen in followed.sightings]
    if not names or not followed.ended:
        text = f"The file did not end within {followed.seconds:.0f} s; --timeout SECONDS waits longer."
        yield Finding(UPLOAD_STATUSES, "unsure", text, tried, came)
        return
    last = names[-1]
    between = [name for name in names[:-1] if name not in statuses.pending]
    complaint = complaint_of(followed.record)
    added = any(count > 0 for count in counts_of(followed.record).values())
    if statuses.failed(last) or (not statuses.ended(last) and complaint):
        found = status_settings(statuses, failure=() if statuses.failed(last) else (last,), pending=between)
        del found["coupon_file_statuses.success"]
        text = f"The file failed with {last}{f': {complaint[:100]}' if complaint else ''}; what success is called"
        yield Finding(
            UPLOAD_STATUSES, "unsure", f"{text} is not shown. Upload a file that is good.", tried, came, found
        )
        return
    if statuses.ended(last) and not between:
        found = _success_settings(statuses)
        yield Finding(UPLOAD_STATUSES, "sure", f"{last} means success, as the provider knows.", tried, came, found)
        return
    found = _success_settings(statuses, success=() if statuses.ended(last) else (last,), pending=between)
    if not statuses.ended(last) and not added:
        text = f"{last} lasted, with no count above zero and no error: it is probably success."
        yield Finding(UPLOAD_STATUSES, "unsure", text, tried, came, found)
        return
    text = f"{last} means success" + (f", and {', '.join(between)} is on the way to it" if between else "")
    yield Finding(UPLOAD_STATUSES, "wrong", f"{text}: the provider does not know that.", tried, came, found)


def _success_settings(statuses: Statuses, **more: Iterable[str]) -> dict[str, Any]:
    """Settings without those of failures, of which an upload that succeeds shows nothing."""
    found = status_settings(statuses, **more)
    del found["coupon_file_statuses.failure"]
    return found


def _counts(settings: WesSettings, followed: Followed) -> Iterator[Finding]:
    topic, names = "Counts", settings.count_names
    counts = counts_of(followed.record)
    came = ", ".join(f"{name} {count}" for name, count in counts.items())
    if not counts:
        yield Finding(topic, "unsure", "The file has no counts, so coupons that were added cannot be seen.")
        return
    read = names.read([CouponFile.from_record(followed.record)])
    found = {
        f"coupon_file_counts.{name}": getattr(names, name)
        for name in ("added", "duplicates")
        if getattr(read, name) is not None
    }
    if len(found) == 2:
        text = f"{read.added} coupons were added, {read.duplicates} were duplicates."
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
        yield Finding(topic, "unsure", text)
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
        elif name == "name" and sent.lower().startswith(shown.lower()) and len(shown) < len(sent):
            text = f"It is cut to {len(shown)} characters, so a file is harder to recognize after a lost reply."
            yield Finding(topic, "unsure", text, came=f"{len(shown)} of {len(sent)} characters")
        else:
            text = "The list shows it differently, so a file is harder to recognize after a lost reply."
            yield Finding(topic, "unsure", text, came="changed")


def _limits(followed: Followed) -> Iterator[Finding]:
    names = rate_limit_names(followed.evidence)
    if names:
        text = "A successful upload states how much of the limit is left; the provider keeps to it."
        yield Finding("Limits of uploads", "sure", text, _tried(followed.evidence), ", ".join(names))
    else:
        text = "A successful upload states no limit, so the documented one applies."
        yield Finding("Limits of uploads", "sure", text, _tried(followed.evidence), "no such header")


# -- catalog and segment ---------------------------------------------------------------------------


def after_catalog(settings: WesSettings, evidence: Evidence, name: str) -> list[Finding]:
    """
    What follows from the creation of a catalog.

    :param settings: of the connection, as the user gave it.
    :param name: of the catalog.
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
