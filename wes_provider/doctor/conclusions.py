"""
What follows from what was seen: tables of which answers mean what. Pure: replies in, findings out.

A key or a path counts as right only if one that is wrong gets another reply; otherwise the finding is ``unsure``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from requests.utils import select_proxy

from wes_provider.client import responses
from wes_provider.client.rate_limits import rate_limit
from wes_provider.client.sync import environment
from wes_provider.connection_form import LABELS
from wes_provider.doctor.files import Listed, count_names, doubt_about, meaning_of, status_of
from wes_provider.doctor.findings import Finding, Topic, first_of
from wes_provider.doctor.reading import MADE_UP, Seen, knows, unreadable
from wes_provider.doctor.replies import Reply, same_reply
from wes_provider.doctor.upload import UNIQUE, Upload
from wes_provider.models import CouponFile
from wes_provider.polling import Statuses
from wes_provider.settings import WesSettings
from wes_provider.texts import counted

__all__ = ["conclusions"]

KEY, DATA_KEY, HEADER = Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.HEADER
WORKSPACE, VERIFY = LABELS["login"], LABELS["verify"]
WHO: Final = "Check the address, and whether a proxy, a gateway or a login page replied in the service's place."
TRUST: Final = f"Set {VERIFY} to the bundle of your company's proxy, or check the address and this machine's clock."
PASTE: Final = "Refused, though the other key is accepted: paste it again."
SUPPORT: Final = "--upload URL tries more, or ask the service's support."
ARRAY: Final = "but the provider reads an array, or one under data."
AGAIN: Final = "Other paths were not tried: put the extra in and run this again; --upload URL tries them, too."
LAG_MARGIN: Final = 3  # times the lag seen: the next one may be longer


def conclusions(seen: Seen, upload: Upload | None, replies: Sequence[Reply]) -> list[Finding]:
    """
    All that follows.

    :param upload: the upload, if there was one.
    :param replies: all that came.
    """
    first = seen.campaign
    if first is None:
        return []
    findings = [_address(seen, first), *_way(seen, replies)]
    if not first.status:
        return findings
    findings += [_campaign_key(seen, first), _data_key(seen), _header(seen)]
    findings += [_list_path(seen, *seen.listed) if seen.listed else _no_list(seen), _file_path(seen)]
    findings.append(Finding(Topic.CATALOG, "unsure", "Reads cannot show it; --catalog NAME does."))
    if upload is None or upload.file is None:
        findings += [_statuses(seen), _counts(seen.given, seen.listed_files)]
        return [*findings, Finding(Topic.LAG, "unsure", "Reads cannot show it; --upload URL does.")]
    findings += [_statuses_of(upload, upload.file, seen), _lag(seen.given, upload), *_names(upload)]
    return [*findings, _counts(seen.given, [upload.file], uploaded=True)] if upload.ended else findings


def _address(seen: Seen, first: Reply) -> Finding:
    problem, unchecked = first.problem, seen.given.base_url.startswith("https") and seen.given.verify is False
    return first_of(
        Topic.ADDRESS,
        [first],
        ("CertVerification" in problem, "wrong", f"This machine does not trust the certificate. {TRUST}"),
        ("SSL" in problem, "wrong", "No TLS connection came about: check scheme and port of the address."),
        (not first.status, "wrong", "No whole response came: check Address, Data center, network and timeouts."),
        (300 <= first.status < 400, "wrong", f"It redirects, and requests do not follow. {WHO}"),
        (first.passing, "wrong", f"{first.status}: try again later. It may be a gateway that replied."),
        (first.is_page, "wrong", f"A web page came, which the service does not send. {WHO}"),
        (unchecked, "unsure", f"Certificates are not checked, since {VERIFY} is false."),
        (True, "sure", "It responds."),
    )


def _campaign_key(seen: Seen, read: Reply) -> Finding:
    refused, accepted, forbidden = seen.key == "refused", seen.key == "accepted", read.status == 403
    swapped = seen.swapped is not None and not seen.swapped.passing and seen.swapped.status != 401
    return first_of(
        KEY,
        [read, seen.campaign_made_up, *seen.headers, seen.swapped],
        (refused and swapped, "wrong", f"Refused. The {DATA_KEY} is accepted in its place: they may be swapped."),
        (refused and seen.data_key == "accepted", "wrong", PASTE),
        (refused, "needed", f"Refused. {KEY}, {WORKSPACE} or {HEADER} is wrong, or a gateway refuses everybody."),
        (accepted and forbidden, "wrong", "Accepted, but the account has no access to coupons: ask the support."),
        (accepted, "sure", "Accepted; a made-up key is refused."),
        (forbidden, "needed", "A gateway may refuse this machine: try another network, or ask for access."),
        (True, "needed", f"No reply shows whether it is accepted, as a made-up key gets the same. {WHO}"),
    )


def _data_key(seen: Seen) -> Finding:
    read, refused, accepted = seen.data, seen.data_key == "refused", seen.data_key == "accepted"
    elsewhere = read is not None and read.status == 404 and same_reply(read, seen.nowhere)
    later = read is None or (refused and seen.settings != seen.given)
    forbidden = read is not None and read.status == 403
    return first_of(
        DATA_KEY,
        [read, seen.data_made_up],
        (not seen.own_data_key, "sure", f"None is given: segments use the {KEY}."),
        (later, "unsure", "Other questions took all reads. Put the extra in, and run this again."),
        (refused and seen.key == "accepted", "wrong", PASTE),
        (refused, "needed", f"Refused. {DATA_KEY}, {WORKSPACE} or {HEADER} is wrong."),
        (accepted and forbidden, "needed", "Accepted, but reading is forbidden; --segment ID tries an update."),
        (accepted, "sure", "Accepted; a made-up key is refused."),
        (elsewhere, "unsure", "Segments may have another address, and then need a connection of their own."),
        (True, "unsure", "No reply shows whether it is accepted; --segment ID does."),
    )


def _header(seen: Seen) -> Finding:
    header, given = seen.settings.workspace_header, seen.given.workspace_header
    accepted = "accepted" in (seen.key, seen.data_key)
    return first_of(
        HEADER,
        seen.headers,
        (header != given, "wrong", f"The service takes the workspace from {header}, not from {given}."),
        (accepted, "sure", f"{given} is accepted."),
        (seen.headers, "unsure", "No usual header helps: a key, the workspace, or the header's name is wrong."),
        (True, "unsure", "No reply shows which header the service takes."),
        settings={"workspace_header": header} if accepted or header != given else {},
    )


def _way(seen: Seen, replies: Sequence[Reply]) -> list[Finding]:
    """Which proxy is between, and which rate limits responses state."""
    proxy = urlsplit(select_proxy(seen.given.base_url, environment(seen.given)[0]) or "").netloc.rpartition("@")[2]
    text = f"Requests go through the proxy {proxy}, which may reply itself."
    between = [Finding(Topic.PROXY, "unsure", text)] if proxy else []
    if not any(reply.status for reply in replies):
        return between
    having = [each for each in replies if any("ratelimit" in name.replace("-", "") for name in each.response.headers)]
    limits = [rate_limit(reply.response.headers, time.time()) for reply in having]
    readable = any(limit.remaining is not None and limit.reset is not None for limit in limits)
    limit = first_of(
        Topic.LIMITS,
        [],
        (having and not readable, "unsure", "Headers about limits cannot be read: the documented limits apply."),
        (having, "sure", f"{len(having)} of {len(replies)} responses state them; the provider keeps to it."),
        (seen.key == "accepted" or seen.uploaded, "sure", "No response states any: the documented ones apply."),
        (True, "unsure", "No response states any: the documented ones apply."),
    )
    return [*between, limit]


def _list_path(seen: Seen, path: str, listed: Listed) -> Finding:
    nowhere, setting, reply = seen.nowhere, {"paths.coupon_files": path}, seen.lists[path]
    anything = nowhere is None or (nowhere.success and nowhere.form == "JSON")
    where, files = listed
    problem = unreadable(responses.listing, reply)
    incomplete = "" if problem else responses.listing(reply.request, reply.response).incomplete
    return first_of(
        Topic.LIST_PATH,
        [reply, nowhere if anything else None],
        (anything, "unsure", "The service replies with JSON to a path that it cannot have, too."),
        (not files, "unsure", "No file is listed, so it may list something else; name a list with files."),
        (problem, "wrong", f"{path} has the files{f' under {where}' if where else ''}, {ARRAY}"),
        (path != seen.given.coupon_files_path, "wrong", f"It is {path}."),
        (incomplete, "unsure", f"It works, but {incomplete}. A query such as ?limit=1000 may give larger pages."),
        (True, "sure", f"It shows {'the uploaded file' if seen.uploaded else counted(len(files), 'file')}."),
        **({} if anything else {"settings" if files else "guesses": setting}),
    )


def _no_list(seen: Seen) -> Finding:
    """What to say if no path shows the list."""
    replies = [*seen.lists.values()]
    first = replies[0] if replies else None
    odd = first and first.success and first.form == "JSON" and not same_reply(first, seen.nowhere)
    named = seen.list_id != MADE_UP
    known = any(knows(reply, seen.nowhere) for reply in replies)
    return first_of(
        Topic.LIST_PATH,
        replies,
        (first is None, "unsure", "It could not be read."),
        (seen.uploaded, "needed", "None of these paths shows the uploaded file. For a page, try ?limit=1000."),
        (first and first.status == 403, "needed", "The service refuses to show the list; the path may be right."),
        (odd and named and seen.key == "accepted", "wrong", f"It shows something, {ARRAY}"),
        (known, "unsure", "Probably right, as the 404 is about the list. Name one that exists in --coupon-list."),
        (not named, "unsure", "No path shows a list; name one that exists in --coupon-list."),
        (True, "needed", AGAIN if len(replies) == 1 else f"None of these paths shows the list's files; {SUPPORT}"),
    )


def _file_path(seen: Seen) -> Finding:
    replies = [*seen.files.values()]
    file_id = replies[-1].request.subject if replies else MADE_UP
    if file_id == MADE_UP:
        guessed = replies and knows(replies[-1], seen.nowhere)
        text = "There is no file to read: name a list with files in --coupon-list, or use --upload URL."
        guesses = {"paths.coupon_file": [*seen.files][-1]} if guessed else {}
        return first_of(Topic.FILE_PATH, replies, (True, "unsure", text), guesses=guesses)
    right = seen.file_path
    odd = next((path for path, reply in seen.files.items() if reply.success and file_id in reply.text), "")
    problem = unreadable(responses.coupon_file, seen.files[odd]) if odd else ""
    return first_of(
        Topic.FILE_PATH,
        [seen.files[right]] if right else replies,
        (right and right == seen.given.coupon_file_path, "sure", "It shows a file and its status."),
        (right, "wrong", f"It is {right}."),
        (odd, "wrong", f"{odd} has the file, but the provider cannot read it: {problem}"),
        (True, "needed", f"None of these paths shows a file of the list; {SUPPORT}"),
        settings={"paths.coupon_file": right} if right else {},
    )


def _settings(statuses: Statuses, *names: str, **more: Iterable[str]) -> dict[str, Any]:
    """Values ``names`` of the extra ``coupon_file_statuses``; ``more`` has further statuses that mean so."""
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
    kinds: dict[str, set[str]] = {status_of(file): set() for file in files if status_of(file) not in known}
    for file in files:
        if status_of(file) in kinds and (file.counts or file.reason):
            kinds[status_of(file)].add(meaning_of(file, seen.given.count_names).kind)
    more = {kind: [name for name, means in kinds.items() if means == {kind}] for kind in ("success", "failure")}
    said = "; ".join(f"{name} seems to mean {' or '.join(kinds[name]) or 'anything'}" for name in sorted(kinds))
    shown = ", ".join(sorted({*map(status_of, files)})) or "No status"
    return first_of(
        Topic.STATUSES,
        [seen.lists[seen.listed[0]]] if seen.listed and kinds else [],
        (not kinds, "unsure", f"{shown} in the list; --upload URL shows the way."),
        (True, "needed", f"{said}. --upload URL proves it."),
        guesses=_settings(statuses, "success", "failure", **more) if kinds else {},
    )


def _statuses_of(upload: Upload, file: CouponFile, seen: Seen) -> Finding:
    """What the statuses of the uploaded file mean."""
    statuses, names, last = seen.given.statuses, seen.given.count_names, status_of(file)
    between = [name for name in upload.statuses if name not in statuses.pending and name != last]
    came, doubt = " → ".join(upload.statuses), doubt_about(file, names)
    kind, sure, why = meaning_of(file, names, seen.listed_files)
    good = " Upload a file that is good: it shows what success is called." if kind == "failure" else ""
    unknown = f"{last} lasted and may mean {kind}: {why}. Look it up, and name it in coupon_file_statuses."
    values: dict[str, Any] = {}
    if upload.ended and not statuses.failed(last):
        success = _settings(statuses, "pending", "success", pending=between)
        listed = {name: value for name, value in _statuses(seen).guesses.items() if name.endswith("failure")}
        if statuses.succeeded(last):
            values = {"guesses": success} if doubt else {"settings": success, "guesses": listed}
        elif sure:
            found = _settings(statuses, "pending", kind, **{"pending": between, kind: [last]})
            values = {"settings": found, "guesses": listed if kind == "success" else {}}
    return first_of(
        Topic.STATUSES,
        [],
        (not upload.ended, "needed", f"The end of the file was not seen: {upload.problem or 'no path shows it'}"),
        (
            statuses.failed(last),
            "needed",
            f"{last}: the file failed ({file.reason or 'no reason'}). Upload a good one.",
        ),
        (statuses.succeeded(last) and doubt, "needed", f"{last} means success, but {doubt}. Upload new coupons."),
        (statuses.succeeded(last), "sure", f"{came}{'' if between else ', which means success.'}"),
        (sure, "wrong", f"{came}: {last} means {kind} ({why}), which the provider does not know.{good}"),
        (kind == "pending", "needed", f"{last} lasted, but {why}. --timeout and --final-after SECONDS wait longer."),
        (True, "needed", unknown),
        **values,
    )


def _counts(given: WesSettings, files: Iterable[CouponFile], *, uploaded: bool = False) -> Finding:
    file = next((each for each in reversed(list(files)) if each.counts and (uploaded or not each.reason)), None)
    if file is None:
        return Finding(Topic.COUNTS, "unsure", "No file with counts was seen, so added coupons cannot be seen.")
    names = count_names(file, given.count_names)
    added, duplicates = names.read([file])
    counts = {"added": added, "duplicates": duplicates if added is not None else None}
    found = {f"coupon_file_counts.{name}": getattr(names, name) for name, value in counts.items() if value is not None}
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
        **{"settings" if same or uploaded else "guesses": found},
    )


def _lag(given: WesSettings, upload: Upload) -> Finding:
    lag = upload.listed_after
    if lag is None:
        return Finding(Topic.LAG, "needed", "The list did not show the file while it was followed.")
    needed = max(math.ceil(LAG_MARGIN * lag / 10) * 10.0, given.coupon_files_lag)
    fits = needed == given.coupon_files_lag
    text = f"In the list after {lag:.0f} s; {needed:.0f} s are at least {LAG_MARGIN} times as long."
    return Finding(Topic.LAG, "sure" if fits else "wrong", text, settings={"coupon_files_lag": needed})


def _names(upload: Upload) -> list[Finding]:
    if upload.listed is None:
        return []
    sent, shown = upload.name, upload.listed.name
    known = len(shown) >= UNIQUE and sent.lower().startswith(shown.lower())
    how = "as it was sent" if shown == sent else f"{len(shown)} of {len(sent)} characters, which suffices"
    lost = "The list does not show the name that was sent: an upload whose response is lost needs a person."
    return [Finding(Topic.NAMES, "sure" if known else "unsure", f"The list shows it {how}." if known else lost)]
