"""What follows from what was seen of paths and files. Pure: replies in, findings out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

from wes_provider.client import responses
from wes_provider.doctor.files import count_names, doubt_about, meaning_of, status_of
from wes_provider.doctor.findings import Finding, Topic, first_of
from wes_provider.doctor.reading import MADE_UP, Path, Seen, knows, unreadable
from wes_provider.doctor.replies import same_reply
from wes_provider.doctor.upload import UNIQUE, Upload
from wes_provider.models import CouponFile
from wes_provider.polling import Statuses
from wes_provider.settings import WesSettings
from wes_provider.texts import counted

__all__ = ["paths_and_files"]

LAG_MARGIN: Final = 3  # times the lag seen: the next one may be longer
SUPPORT: Final = "--upload URL tries more, or ask the service's support."
ARRAY: Final = "but the provider reads an array, or one under data."


def paths_and_files(seen: Seen, upload: Upload | None) -> list[Finding]:
    """
    What follows for the settings of coupon files.

    :param upload: the upload, if there was one.
    """
    if seen.campaign is None or not seen.campaign.status:
        return []
    path = seen.listed
    findings = [_list_path(seen, path) if path else _no_list(seen), _file_path(seen)]
    findings.append(Finding(Topic.CATALOG, "unsure", "Reads cannot show it; --catalog NAME does."))
    if upload is None or upload.file is None:
        findings += [_statuses(seen), _counts(seen.given, seen.listed_files)]
        return [*findings, Finding(Topic.LAG, "unsure", "Reads cannot show it; --upload URL does.")]
    findings.append(_statuses_of(upload, upload.file, seen))
    if upload.ended:
        findings.append(_counts(seen.given, [upload.file], uploaded=True))
    return [*findings, _lag(seen.given, upload), *_names(upload)]


# -- paths -----------------------------------------------------------------------------------------


def _list_path(seen: Seen, path: Path) -> Finding:
    nowhere, listed, setting = seen.nowhere, path.listed, {"paths.coupon_files": path.template}
    anything = nowhere is None or (nowhere.success and nowhere.form == "JSON")
    where, files = listed if listed else ("", [])
    problem = unreadable(responses.listing, path.reply)
    incomplete = "" if problem else responses.listing(path.reply.request, path.reply.response).incomplete
    shows = "the uploaded file" if seen.uploaded else counted(len(files), "file")
    return first_of(
        Topic.LIST_PATH,
        [path.reply, nowhere if anything else None],
        (anything, "unsure", "The service replies with JSON to a path that it cannot have, too."),
        (not files, "unsure", "No file is listed, so it may list something else; name a list with files."),
        (problem, "wrong", f"{path.template} has the files{f' under {where}' if where else ''}, {ARRAY}"),
        (path.template != seen.given.coupon_files_path, "wrong", f"It is {path.template}."),
        (incomplete, "unsure", f"It works, but {incomplete}. A query such as ?limit=1000 may give larger pages."),
        (True, "sure", f"It shows {shows}."),
        settings={} if anything or not files else setting,
        guesses=setting if not files and not anything else {},
    )


def _no_list(seen: Seen) -> Finding:
    """What to say if no path shows the list."""
    replies = [path.reply for path in seen.lists]
    first = replies[0] if replies else None
    odd = first and first.success and first.form == "JSON" and not same_reply(first, seen.nowhere)
    alone = "Other paths were not tried: put the extra in and run this again; --upload URL tries them, too."
    return first_of(
        Topic.LIST_PATH,
        replies,
        (first is None, "unsure", "It could not be read."),
        (seen.uploaded, "needed", "None of these paths shows the uploaded file. For a page, try ?limit=1000."),
        (first and first.status == 403, "needed", "The service refuses to show the list; the path may be right."),
        (odd and seen.list_named and seen.key == "accepted", "wrong", f"It shows something, {ARRAY}"),
        (
            any(knows(reply, seen.nowhere) for reply in replies),
            "unsure",
            "Probably right, as the 404 is about the list. Name one that exists in --coupon-list.",
        ),
        (not seen.list_named, "unsure", "No path shows a list; name one that exists in --coupon-list."),
        (len(replies) == 1, "needed", alone),
        (True, "needed", f"None of these paths shows the list's files; {SUPPORT}"),
    )


def _file_path(seen: Seen) -> Finding:
    replies = [path.reply for path in seen.files]
    file_id = replies[-1].request.subject if replies else MADE_UP
    if file_id == MADE_UP:
        guessed = replies and knows(replies[-1], seen.nowhere)
        text = "There is no file to read: name a list with files in --coupon-list, or use --upload URL."
        guesses = {"paths.coupon_file": seen.files[-1].template} if guessed else {}
        return first_of(Topic.FILE_PATH, replies, (True, "unsure", text), guesses=guesses)
    for path in seen.files:
        if not unreadable(responses.coupon_file, path.reply):
            return first_of(
                Topic.FILE_PATH,
                [path.reply],
                (path.template == seen.given.coupon_file_path, "sure", "It shows a file and its status."),
                (True, "wrong", f"It is {path.template}."),
                settings={"paths.coupon_file": path.template},
            )
    odd = next((path for path in seen.files if path.reply.success and file_id in path.reply.text), seen.files[0])
    problem = unreadable(responses.coupon_file, odd.reply)
    return first_of(
        Topic.FILE_PATH,
        replies,
        (odd.reply.success, "wrong", f"{odd.template} has the file, but the provider cannot read it: {problem}"),
        (True, "needed", f"None of these paths shows a file of the list; {SUPPORT}"),
    )


# -- statuses and counts ---------------------------------------------------------------------------


def _settings(statuses: Statuses, *names: str, **more: Iterable[str]) -> dict[str, Any]:
    """
    Values of the extra ``coupon_file_statuses`` with further statuses.

    :param statuses: the statuses of the connection.
    :param names: of the values.
    :param more: ``success``, ``failure`` and ``pending``: statuses that mean so, in capitals.
    """
    moved = {status for each in more.values() for status in each}
    return {
        f"coupon_file_statuses.{name}": sorted((getattr(statuses, name) - moved) | {*more.get(name, ())})
        for name in names
    }


def _statuses(seen: Seen) -> Finding:
    """What the statuses of the list's files seem to mean."""
    statuses = seen.given.statuses
    known = statuses.pending | statuses.success | statuses.failure
    files = [file for file in seen.listed_files if file.status]
    unknown = [file for file in files if status_of(file) not in known]
    kinds: dict[str, set[str]] = {status_of(file): set() for file in unknown}
    for file in unknown:
        if file.counts or file.reason:
            kinds[status_of(file)].add(meaning_of(file, seen.given.count_names).kind)
    more = {kind: [name for name, means in kinds.items() if means == {kind}] for kind in ("success", "failure")}
    said = "; ".join(f"{name} seems to mean {' or '.join(kinds[name]) or 'anything'}" for name in sorted(kinds))
    seen_names = ", ".join(sorted({*map(status_of, files)})) or "No status"
    return first_of(
        Topic.STATUSES,
        [seen.listed.reply] if seen.listed and unknown else [],
        (not unknown, "unsure", f"{seen_names} in the list; --upload URL shows the way."),
        (True, "needed", f"{said}. --upload URL proves it."),
        guesses=_settings(statuses, "success", "failure", **more) if unknown else {},
    )


def _statuses_of(upload: Upload, file: CouponFile, seen: Seen) -> Finding:
    """What the statuses of the uploaded file mean."""
    statuses, names, last = seen.given.statuses, seen.given.count_names, status_of(file)
    between = [name for name in upload.statuses if name not in statuses.pending and name != last]
    came = " → ".join(upload.statuses)
    succeeded, doubt = statuses.succeeded(last), doubt_about(file, names)
    kind, sure, why = meaning_of(file, names, seen.listed_files)
    sure = sure and not succeeded
    success = _settings(statuses, "pending", "success", pending=between)
    listed = {name: value for name, value in _statuses(seen).guesses.items() if name.endswith("failure")}
    proved = succeeded and not doubt and upload.ended
    found = _settings(statuses, "pending", kind, **{"pending": between, kind: [last]}) if sure else {}
    unknown = f"{last} lasted and is unknown to the provider; it may mean {kind}: {why}."
    more = " Upload a file that is good: it shows what success is called." if kind == "failure" else ""
    guesses = success if succeeded and doubt else listed if proved or (sure and kind == "success") else {}
    return first_of(
        Topic.STATUSES,
        [],
        (not upload.ended, "needed", f"The end of the file was not seen: {upload.problem or 'no path shows it'}"),
        (
            statuses.failed(last),
            "needed",
            f"{last}: the file failed ({file.reason or 'no reason'}). Upload a good one.",
        ),
        (succeeded and doubt, "needed", f"{last} means success, but {doubt}. Upload a file of good, new coupons."),
        (succeeded, "sure", f"{came}{'' if between else ', which means success.'}"),
        (sure, "wrong", f"{came}: {last} means {kind} ({why}), which the provider does not know.{more}"),
        (kind == "pending", "needed", f"{last} lasted, but {why}. --timeout and --final-after SECONDS wait longer."),
        (True, "needed", f"{unknown} Look it up in the service's console, and name it in coupon_file_statuses."),
        settings=success if proved else found if upload.ended and not statuses.failed(last) else {},
        guesses=guesses if upload.ended and not statuses.failed(last) else {},
    )


def _counts(given: WesSettings, files: Iterable[CouponFile], *, uploaded: bool = False) -> Finding:
    file = next((each for each in reversed(list(files)) if each.counts and (uploaded or not each.reason)), None)
    if file is None:
        return Finding(Topic.COUNTS, "unsure", "No file with counts was seen, so added coupons cannot be seen.")
    names = count_names(file, given.count_names)
    added, duplicates = names.read([file])
    found = {} if added is None else {"coupon_file_counts.added": names.added}
    if found and duplicates is not None:
        found["coupon_file_counts.duplicates"] = names.duplicates
    same, which = names == given.count_names, ", ".join([*file.counts][:8])
    under = f"Under {names.added or 'a usual name'} and {names.duplicates or 'a usual name'}: {added} and {duplicates}."
    return first_of(
        Topic.COUNTS,
        [],
        (added is None, "unsure", f"Which of {which} counts coupons added? Name it in coupon_file_counts."),
        (same and duplicates is None, "unsure", f"{counted(added or 0, 'coupon')} added, no duplicates seen."),
        (same, "sure", f"{counted(added or 0, 'coupon')} added, {counted(duplicates or 0, 'duplicate')}."),
        (uploaded, "wrong", under),
        (True, "unsure", under),
        settings=found if same or uploaded else {},
        guesses=found,
    )


def _lag(given: WesSettings, upload: Upload) -> Finding:
    lag = upload.listed_after
    if lag is None:
        return Finding(Topic.LAG, "unsure", "The list did not show the file while it was followed.", needed=True)
    needed = max(math.ceil(LAG_MARGIN * lag / 10) * 10.0, given.coupon_files_lag)
    return first_of(
        Topic.LAG,
        [],
        (needed == given.coupon_files_lag, "sure", f"In the list after {lag:.0f} s, well within {needed:.0f} s."),
        (True, "wrong", f"In the list after {lag:.0f} s: {needed:.0f} s are at least {LAG_MARGIN} times as long."),
        settings={"coupon_files_lag": needed},
    )


def _names(upload: Upload) -> list[Finding]:
    if upload.listed is None:
        return []
    sent, shown = upload.name, upload.listed.name
    known = len(shown) >= UNIQUE and sent.lower().startswith(shown.lower())
    lost = "The list does not show the name that was sent: an upload whose response is lost needs a person."
    how = "as it was sent" if shown == sent else f"{len(shown)} of {len(sent)} characters, which suffices"
    row = (known, "sure", f"The list shows the name {how}.")
    return [first_of(Topic.NAMES, [], row, (True, "unsure", lost))]
