"""What follows from what was seen of paths, files and writes. Pure: replies in, findings out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

from wes_provider.client import responses
from wes_provider.doctor.conclusions import verdict
from wes_provider.doctor.files import count_names, doubt_about, files_in, meaning_of, status_of
from wes_provider.doctor.findings import Finding, Topic, under
from wes_provider.doctor.reading import MADE_UP, Seen, knows, unreadable
from wes_provider.doctor.replies import Reply, same_reply
from wes_provider.doctor.upload import UNIQUE, Upload
from wes_provider.models import CouponFile
from wes_provider.polling import Statuses
from wes_provider.settings import WesSettings
from wes_provider.texts import counted

__all__ = ["after_catalog", "after_segment", "after_upload", "paths_and_files"]

LAG_MARGIN: Final = 3  # times the lag seen: the next one may be longer
ID_WORDS: Final = ("id", "key", "identifier", "handle", "uuid", "ref")
SUPPORT: Final = "--upload URL tries more, or ask the service's support."


def paths_and_files(seen: Seen, upload: Upload | None) -> list[Finding]:
    """
    What follows for the settings of coupon files.

    :param upload: the upload, if there was one.
    """
    if seen.campaign is None or not seen.campaign.status:
        return []
    findings = [_list_path(seen), _file_path(seen)]
    if upload is None or upload.file is None:
        findings += [_statuses(seen), _counts(seen.given, seen.listed_files)]
        return [*findings, Finding(Topic.LAG, "unsure", "Reads cannot show it; --upload URL does.")]
    findings.append(_statuses_of(upload, upload.file, seen))
    if upload.ended:
        findings.append(_counts(seen.given, [upload.file], uploaded=True))
    return [*findings, _lag(seen.given, upload), *_names(upload)]


# -- paths -----------------------------------------------------------------------------------------


def _list_path(seen: Seen) -> Finding:
    path, given = seen.listed, seen.given.coupon_files_path
    listed = files_in(path.reply.content) if path else None
    if path is None or listed is None:
        return _no_list(seen)
    setting, tried = {"paths.coupon_files": path.template}, under(path.reply)
    nowhere, problem = seen.nowhere, unreadable(responses.listing, path.reply)
    if nowhere is None or (nowhere.success and nowhere.form == "JSON"):
        text = "The service replies with JSON to a path that it cannot have, too."
        return Finding(Topic.LIST_PATH, "unsure", text, under(path.reply, nowhere))
    if not listed.files:
        text = "No file is listed, so it may list something else; name a list with files in --coupon-list."
        return Finding(Topic.LIST_PATH, "unsure", text, tried, guesses=setting)
    if problem:
        text = f"{path.template} has the files{f' under {listed.where}' if listed.where else ''}, but the provider reads an "
        text += "array, or one under data. An upload whose response is lost then needs a person."
        return Finding(Topic.LIST_PATH, "wrong", text, tried, setting)
    if path.template != given:
        return Finding(Topic.LIST_PATH, "wrong", f"It is {path.template}, not {given}.", tried, setting)
    if incomplete := responses.listing(path.reply.request, path.reply.response).incomplete:
        text = f"It works, but {incomplete}. A query in paths.coupon_files, such as ?limit=1000, may give larger pages."
        return Finding(Topic.LIST_PATH, "unsure", text, tried, setting)
    text = "It shows the uploaded file." if seen.uploaded else f"It shows {counted(len(listed.files), 'file')}."
    return Finding(Topic.LIST_PATH, "sure", text, settings=setting)


def _no_list(seen: Seen) -> Finding:
    if not seen.lists:
        return Finding(Topic.LIST_PATH, "unsure", "It could not be read.")
    first, tried = seen.lists[0].reply, under(*(path.reply for path in seen.lists))
    needed = seen.list_named
    if seen.uploaded:
        text = "None of these paths shows the uploaded file. If one shows a page, try a query such as ?limit=1000."
    elif first.status == 403:
        text = "The service refuses to show the list, so the path may be right."
    elif first.success and first.form == "JSON" and not same_reply(first, seen.nowhere):
        text = f"The provider cannot read what came: {unreadable(responses.listing, first)}"
        if seen.list_named and verdict(seen.campaign, seen.campaign_made_up) == "accepted":
            return Finding(Topic.LIST_PATH, "wrong", text, under(first))
    elif any(knows(path.reply, seen.nowhere) for path in seen.lists):
        what = "Does the list of --coupon-list exist?" if seen.list_named else "Name one in --coupon-list."
        text, needed = f"Probably right, as the 404 is about the list. {what}", False
    elif not seen.list_named:
        text = "No path shows a list; name one that exists in --coupon-list."
    elif len(seen.lists) == 1:
        text = "Other paths were not tried: put the extra in and run this again; --upload URL tries them, too."
    else:
        text = f"None of these paths shows the list's files; {SUPPORT}"
    return Finding(Topic.LIST_PATH, "unsure", text, tried, needed=needed)


def _file_path(seen: Seen) -> Finding:
    given, tried = seen.given.coupon_file_path, under(*(path.reply for path in seen.files))
    if not seen.files:
        return Finding(Topic.FILE_PATH, "unsure", "It could not be read.", needed=bool(seen.listed_files))
    last = seen.files[-1]
    file_id = last.reply.request.subject
    if file_id == MADE_UP:
        text = "There is no file to read: name a list with files in --coupon-list, or use --upload URL."
        guesses = {"paths.coupon_file": last.template} if knows(last.reply, seen.nowhere) else {}
        return Finding(Topic.FILE_PATH, "unsure", text, tried, guesses=guesses)
    for path in seen.files:
        if not unreadable(responses.coupon_file, path.reply):
            setting = {"paths.coupon_file": path.template}
            if path.template == given:
                return Finding(Topic.FILE_PATH, "sure", "It shows a file and its status.", settings=setting)
            return Finding(Topic.FILE_PATH, "wrong", f"It is {path.template}, not {given}.", under(path.reply), setting)
    for path in seen.files:
        if path.reply.success and file_id in path.reply.text:
            problem = unreadable(responses.coupon_file, path.reply)
            text = f"{path.template} has the file, but the provider cannot read it: {problem}"
            return Finding(Topic.FILE_PATH, "wrong", text, under(path.reply))
    return Finding(
        Topic.FILE_PATH, "unsure", f"None of these paths shows a file of the list; {SUPPORT}", tried, needed=True
    )


# -- statuses and counts ---------------------------------------------------------------------------


def _settings(statuses: Statuses, *names: str, **more: Iterable[str]) -> dict[str, Any]:
    """
    Values of the extra ``coupon_file_statuses`` with further statuses.

    :param statuses: the statuses of the connection.
    :param names: of the values; by default all.
    :param more: ``success``, ``failure`` and ``pending``: statuses that mean so, in capitals.
    """
    new = {name: set(more.get(name, ())) for name in statuses.__struct_fields__}
    moved = set().union(*new.values())
    return {
        f"coupon_file_statuses.{name}": sorted((getattr(statuses, name) - moved) | new[name]) for name in names or new
    }


def _statuses(seen: Seen) -> Finding:
    """What the statuses of the list's files seem to mean."""
    statuses, known = seen.given.statuses, seen.given.statuses.pending | seen.given.statuses.success
    files = [file for file in seen.listed_files if file.status]
    unknown = [file for file in files if status_of(file) not in known | statuses.failure]
    if not unknown:
        text = f"{', '.join(sorted({*map(status_of, files)})) or 'No status'} in the list; --upload URL shows the way."
        return Finding(Topic.STATUSES, "unsure", text)
    kinds: dict[str, set[str]] = {}
    for file in unknown:
        if file.counts or file.reason:
            kinds.setdefault(meaning_of(file, seen.given.count_names).kind, set()).add(status_of(file))
    clear = {
        kind: names - set().union(*(kinds[each] for each in kinds if each != kind)) for kind, names in kinds.items()
    }
    said = "; ".join(f"{', '.join(sorted(names))} seems to mean {kind}" for kind, names in clear.items() if names)
    text = f"{said or ', '.join(sorted({*map(status_of, unknown)})) + ' is unknown'}. --upload URL proves it."
    tried = under(seen.listed.reply if seen.listed else None)
    guesses = _settings(statuses, "success", "failure", **clear)
    return Finding(Topic.STATUSES, "unsure", text, tried, guesses=guesses, needed=True)


def _statuses_of(upload: Upload, file: CouponFile, seen: Seen) -> Finding:
    """What the statuses of the uploaded file mean."""
    statuses, names, last = seen.given.statuses, seen.given.count_names, status_of(file)
    came = tuple(f"{name} after {after:.0f} s" for name, after in upload.statuses.items())
    between = [name for name in upload.statuses if name not in statuses.pending and name != last]
    if not upload.ended:
        text = f"The end of the file was not seen: {upload.problem or 'no path shows its status'}"
        return Finding(Topic.STATUSES, "unsure", text, came, needed=True)
    if statuses.failed(last):
        text = f"{last}: the file failed ({file.reason or 'no reason is given'}). Upload a good one."
        return Finding(Topic.STATUSES, "unsure", text, came, needed=True)
    success = _settings(statuses, "pending", "success", pending=between)
    listed = {name: value for name, value in _statuses(seen).guesses.items() if name.endswith("failure")}
    if statuses.succeeded(last) and (doubt := doubt_about(file, names)):
        text = f"{last} means success to the provider, but {doubt}. Upload a file whose coupons are good and new."
        return Finding(Topic.STATUSES, "unsure", text, came, guesses=success, needed=True)
    if statuses.succeeded(last):
        text = f"{' → '.join(upload.statuses)}{', which means success.' if not between else ''}"
        return Finding(Topic.STATUSES, "sure", text, settings=success, guesses=listed)
    kind, sure, why = meaning_of(file, names, seen.listed_files)
    if sure:
        found = _settings(statuses, "pending", kind, **{"pending": between, kind: [last]})
        text = f"{last} means {kind} ({why}), which the provider does not know."
        text += "" if kind == "success" else " Upload a file that is good: it shows what success is called."
        return Finding(Topic.STATUSES, "wrong", text, came, found, listed if kind == "success" else {})
    text = f"{last} lasted and is unknown to the provider; it may mean {kind}: {why}. "
    text += "Look it up in the service's dashboard, and name it in coupon_file_statuses."
    if kind == "pending":
        text = f"{last} lasted, but {why}. --timeout and --final-after SECONDS wait longer for the end."
    return Finding(Topic.STATUSES, "unsure", text, came, needed=True)


def _counts(given: WesSettings, files: Iterable[CouponFile], *, uploaded: bool = False) -> Finding:
    file = next((each for each in reversed(list(files)) if each.counts and (uploaded or not each.reason)), None)
    if file is None:
        return Finding(
            Topic.COUNTS, "unsure", "No file with counts was seen, so coupons that were added cannot be seen."
        )
    names = count_names(file, given.count_names)
    added, duplicates = names.read([file])
    if added is None:
        text = f"Which of {', '.join([*file.counts][:8])} counts coupons added? Name it in coupon_file_counts."
        return Finding(Topic.COUNTS, "unsure", text)
    found = {"coupon_file_counts.added": names.added}
    if duplicates is not None:
        found["coupon_file_counts.duplicates"] = names.duplicates
    if names == given.count_names:
        text = f"{counted(added, 'coupon')} added, {counted(duplicates or 0, 'duplicate')}."
        return Finding(Topic.COUNTS, "unsure" if duplicates is None else "sure", text, settings=found)
    text = f"Under {names.added or 'a usual name'} and {names.duplicates or 'a usual name'}: {added} and {duplicates}."
    return (
        Finding(Topic.COUNTS, "wrong", text, settings=found)
        if uploaded
        else Finding(Topic.COUNTS, "unsure", text, guesses=found)
    )


def _lag(given: WesSettings, upload: Upload) -> Finding:
    lag = upload.listed_after
    if lag is None:
        return Finding(Topic.LAG, "unsure", "The list did not show the file while it was followed.", needed=True)
    needed = math.ceil(LAG_MARGIN * lag / 10) * 10.0
    if needed <= given.coupon_files_lag:
        text = f"In the list after {lag:.0f} s, well within {given.coupon_files_lag:.0f} s."
        return Finding(Topic.LAG, "sure", text, settings={"coupon_files_lag": given.coupon_files_lag})
    text = f"In the list after {lag:.0f} s: {needed:.0f} s are {LAG_MARGIN} times as long, since the next may be later."
    return Finding(Topic.LAG, "wrong", text, settings={"coupon_files_lag": needed})


def _names(upload: Upload) -> list[Finding]:
    if upload.listed is None:
        return []
    sent, shown = upload.name, upload.listed.name
    if len(shown) >= UNIQUE and sent.lower().startswith(shown.lower()):
        how = "as it was sent" if shown == sent else f"{len(shown)} of {len(sent)} characters, which suffices"
        return [Finding(Topic.NAMES, "sure", f"The list shows the name {how}.")]
    text = "The list does not show the name that was sent: an upload whose response is lost needs a person."
    return [Finding(Topic.NAMES, "unsure", text)]


# -- writes ----------------------------------------------------------------------------------------


def _refusal(topic: str, reply: Reply | None, key: str) -> Finding | None:
    """What follows if a write was no success; ``None`` if it was one."""
    if reply is None:
        return Finding(topic, "wrong", "You stopped it before a response came; the service may have done it or not.")
    text = "The service refuses it, for the reason below."
    if reply.success:
        return None
    if reply.status == 401:
        text = f"{key}: refused."
    elif reply.passing and reply.status != 429:
        text = "The service may have done it or not." if reply.sent else "It was not sent: the service was not reached."
    return Finding(topic, "wrong", text, under(reply))


def after_upload(upload: Upload) -> Finding:
    """What follows from the response to an upload."""
    reply, file_id = upload.reply, upload.file.id if upload.file else ""
    refusal = _refusal(Topic.UPLOAD, reply, Topic.CAMPAIGN_KEY)
    if refusal is None and reply is not None and unreadable(responses.record, reply):
        refusal = Finding(
            Topic.UPLOAD, "wrong", "The response is a success without the coupon file's _id.", under(reply)
        )
    if refusal is None:
        return Finding(Topic.UPLOAD, "sure", f"Accepted as coupon file {file_id}.")
    more = f" It was done: the list shows it as coupon file {file_id}." if file_id else ""
    if upload.searched and not file_id:
        more = " The list did not show the file."
    return Finding(Topic.UPLOAD, "wrong", f"{refusal.text}{more}", refusal.tried)


def after_catalog(given: WesSettings, reply: Reply | None, name: str) -> Finding:
    """
    What follows from the creation of a catalog.

    :param name: of the catalog.
    """
    if (refusal := _refusal(Topic.CATALOG, reply, Topic.CAMPAIGN_KEY)) or reply is None:
        return refusal or Finding(Topic.CATALOG, "unsure", "It was not tried.")
    prop, content = given.catalog_id_property, reply.text if reply.content is None else reply.content
    if (found := responses.catalog_id(content, prop)) is not None:
        return Finding(
            Topic.CATALOG, "sure", f"Created; its identifier is {found}.", settings={"paths.catalog_id": prop}
        )
    texts = [where for where, value in _texts(content) if value not in (name, "EUR") and len(value.split()) == 1]
    named = [where for where in texts if where.lower().rpartition(".")[2].endswith(ID_WORDS)] or texts
    if len(named) == 1:
        text = f"Created; its identifier is under {named[0]}."
        return Finding(Topic.CATALOG, "wrong", text, under(reply), {"paths.catalog_id": named[0]})
    text = f"Created, but no property is surely its identifier: {', '.join(named[:8]) or 'there is none'}."
    return Finding(Topic.CATALOG, "unsure" if named else "wrong", text, under(reply), needed=True)


def _texts(content: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Texts and whole numbers of nested objects by their dotted property, as ``paths.catalog_id`` takes it."""
    if isinstance(content, dict):
        for name, value in content.items():
            if isinstance(name, str) and name and not set(name) & {".", " "}:
                yield from _texts(value, f"{where}.{name}" if where else name)
    elif where.count(".") < 4 and (isinstance(content, str) or type(content) is int) and where:
        yield where, str(content)


def after_segment(reply: Reply | None) -> list[Finding]:
    """What follows from the update of a segment."""
    if (refusal := _refusal(Topic.SEGMENT, reply, Topic.DATA_KEY)) or reply is None:
        return [refusal] if refusal else []
    if reply.form == "a web page" or (isinstance(reply.content, dict) and reply.content.get("errors")):
        return [Finding(Topic.SEGMENT, "unsure", "A task takes it for a success; but no segment came.", under(reply))]
    text = "Updated: the service takes updated_by alone."
    return [Finding(Topic.SEGMENT, "sure", text), Finding(Topic.DATA_KEY, "sure", "Accepted, for an update.")]
