"""
What follows from what was seen: tables of which answers mean what. Pure: replies in, findings out.

A key or a path counts as right only if one that is wrong gets another reply; otherwise the finding
is ``unsure``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from requests.utils import select_proxy

from wes_provider.client import responses
from wes_provider.client.rate_limits import rate_limit
from wes_provider.client.sync import environment
from wes_provider.connection_form import LABELS
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.files import count_names, doubt_about, meaning_of, status_of
from wes_provider.doctor.findings import Finding, Topic, first_of
from wes_provider.doctor.reading import MADE_UP, Seen, knows, unreadable
from wes_provider.doctor.replies import Reply, same_reply
from wes_provider.doctor.upload import Upload
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import counted

__all__ = ["conclusions"]

KEY, DATA_KEY, HEADER = Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.HEADER
WORKSPACE, VERIFY = LABELS["login"], LABELS["verify"]
WHO: Final = (
    "Check the address, and whether a proxy, a gateway or a login page replied in the "
    "service's place."
)
TRUST: Final = (
    f"Set {VERIFY} to the bundle of your company's proxy, or check the address and "
    "this machine's clock."
)
PASTE: Final = "Refused, though the other key is accepted: paste it again."
SUPPORT: Final = "--upload URL tries more, or ask the service's support."
ARRAY: Final = "but the provider reads an array, or one under data."
# Characters at the beginning of a name that no other file has: shorter ones are not recognized.
UNIQUE: Final = 24
LAG_MARGIN: Final = 3  # times the lag seen: the next one may be longer


def conclusions(seen: Seen, upload: Upload, file_name: str) -> list[Finding]:
    """All that follows. ``file_name``: that the uploaded file was sent with."""
    first = seen.campaign
    if first is None:
        return []
    findings = [_address(seen, first)]
    if not first.status:
        return findings
    findings += [_limits(seen), _campaign_key(seen, first), _data_key(seen), _header(seen)]
    findings += [
        _list_path(seen, *seen.listed) if seen.listed else _no_list(seen),
        _file_path(seen),
    ]
    findings.append(Finding(Topic.CATALOG, "unsure", "Reads cannot show it; --catalog NAME does."))
    if upload.file is None:
        findings += [_statuses(seen), _counts(seen.given, seen.listed_files)]
        return [*findings, Finding(Topic.LAG, "unsure", "Reads cannot show it; --upload URL does.")]
    findings += [_statuses_of(upload, upload.file, seen), _lag(seen.given, upload.listed_after)]
    findings.append(_names(file_name, seen))
    return (
        findings
        if upload.problem
        else [*findings, _counts(seen.given, [upload.file], uploaded=True)]
    )


def _address(seen: Seen, first: Reply) -> Finding:
    given = seen.given
    unchecked = given.base_url.startswith("https") and given.verify is False
    proxy = urlsplit(select_proxy(given.base_url, environment(given)[0]) or "").netloc.rpartition(
        "@"
    )[2]
    way = f" Requests go through the proxy {proxy}." if proxy else ""
    return first_of(
        Topic.ADDRESS,
        [first],
        (
            "CertVerification" in first.problem,
            "wrong",
            f"This machine does not trust the certificate. {TRUST}",
        ),
        (
            not first.status,
            "wrong",
            f"No whole response came: check scheme, host and port, network and timeouts.{way}",
        ),
        (
            first.foreign,
            "wrong",
            f"A redirect or a web page came, which the service does not send. {WHO}{way}",
        ),
        (
            first.passing,
            "wrong",
            f"{first.status}: try again later. It may be a gateway that replied.",
        ),
        (unchecked, "unsure", f"Certificates are not checked, since {VERIFY} is false."),
        (True, "sure", f"It responds.{way}"),
    )


def _limits(seen: Seen) -> Finding:
    limits = [rate_limit(reply.response.headers, time.time()) for reply in seen.replies]
    stated = [limit for limit in limits if limit.remaining is not None and limit.reset is not None]
    return first_of(
        Topic.LIMITS,
        [],
        (
            stated,
            "sure",
            f"{len(stated)} of {len(seen.replies)} responses state them; the provider keeps to it.",
        ),
        (
            True,
            "sure" if seen.key == "accepted" else "unsure",
            "No response states any: the documented ones apply.",
        ),
    )


def _campaign_key(seen: Seen, read: Reply) -> Finding:
    refused, accepted = seen.key == "refused", seen.key == "accepted"
    swapped = seen.swapped is not None and not seen.swapped.passing and seen.swapped.status != 401
    return first_of(
        KEY,
        [read, seen.campaign_made_up, *seen.headers, seen.swapped],
        (
            refused and swapped,
            "wrong",
            f"Refused. The {DATA_KEY} is accepted in its place: they may be swapped.",
        ),
        (refused and seen.data_key == "accepted", "wrong", PASTE),
        (
            refused,
            "needed",
            f"Refused. {KEY}, {WORKSPACE} or {HEADER} is wrong, or a gateway refuses everybody.",
        ),
        (
            accepted and read.status == 403,
            "wrong",
            "Accepted, but the account has no access to coupons: ask support.",
        ),
        (accepted, "sure", "Accepted; a made-up key is refused."),
        (
            True,
            "needed",
            f"No reply shows whether it is accepted, as a made-up key gets the same. {WHO}",
        ),
    )


def _data_key(seen: Seen) -> Finding:
    read, refused = seen.data, seen.data_key == "refused"
    accepted = read is not None and seen.data_key == "accepted" and read.status != 403
    later = read is None or (refused and seen.settings != seen.given)
    return first_of(
        DATA_KEY,
        [read, seen.data_made_up],
        (
            seen.given.data_api_key == seen.given.api_key,
            "sure",
            f"None is given: segments use the {KEY}.",
        ),
        (later, "unsure", "Other questions took all reads. Put the extra in, and run this again."),
        (refused and seen.key == "accepted", "wrong", PASTE),
        (refused, "needed", f"Refused. {DATA_KEY}, {WORKSPACE} or {HEADER} is wrong."),
        (accepted, "sure", "Accepted; a made-up key is refused."),
        (True, "unsure", "No reply shows whether it is accepted; --segment ID does."),
    )


def _header(seen: Seen) -> Finding:
    header, given = seen.settings.workspace_header, seen.given.workspace_header
    accepted = "accepted" in (seen.key, seen.data_key)
    return first_of(
        HEADER,
        seen.headers if header == given else (),  # several at once, which the lines do not show
        (
            header != given,
            "wrong",
            f"The service takes the workspace from {header}, not from {given}.",
        ),
        (accepted, "sure", f"{given} is accepted."),
        (
            True,
            "unsure",
            f"No reply shows which one the service takes; {KEY} or {WORKSPACE} may be wrong.",
        ),
        settings={"workspace_header": header} if accepted or header != given else {},
    )


def _list_path(seen: Seen, path: str, where: str, files: Sequence[CouponFile]) -> Finding:
    nowhere, setting, reply = seen.nowhere, {"paths.coupon_files": path}, seen.lists[path]
    anything = nowhere is None or (nowhere.success and nowhere.form == "JSON")
    problem = unreadable(responses.listing, reply)
    incomplete = "" if problem else responses.listing(reply.request, reply.response).incomplete
    return first_of(
        Topic.LIST_PATH,
        [reply, nowhere if anything else None],
        (anything, "unsure", "The service replies with JSON to a path that it cannot have, too."),
        (
            not files,
            "unsure",
            "No file is listed, so it may list something else; name a list with files.",
        ),
        (problem, "wrong", f"{path} has the files{f' under {where}' if where else ''}, {ARRAY}"),
        (path != seen.given.coupon_files_path, "wrong", f"It is {path}."),
        (
            incomplete,
            "unsure",
            f"It works, but {incomplete}. A query such as ?limit=1000 may give larger pages.",
        ),
        (
            True,
            "sure",
            f"It shows {'the uploaded file' if seen.uploaded else counted(len(files), 'file')}.",
        ),
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
        (
            first is None or first.status == 403,
            "needed",
            "The list cannot be read; the path may be right.",
        ),
        (
            seen.uploaded,
            "needed",
            "None of these paths shows the uploaded file. For a page, try ?limit=1000.",
        ),
        (odd and named and seen.key == "accepted", "wrong", f"It shows something, {ARRAY}"),
        (
            known or not named,
            "unsure",
            "Name a list that exists in --coupon-list; the path may be right.",
        ),
        (True, "needed", f"None of these paths shows the list's files; {SUPPORT}"),
    )


def _file_path(seen: Seen) -> Finding:
    replies, right = [*seen.files.values()], seen.file_path
    file_id = replies[-1].request.subject if replies else MADE_UP
    guess = (
        [*seen.files][-1]
        if replies and file_id == MADE_UP and knows(replies[-1], seen.nowhere)
        else ""
    )
    odd = next(
        (path for path, reply in seen.files.items() if reply.success and file_id in reply.text), ""
    )
    problem = unreadable(responses.coupon_file, seen.files[odd]) if odd else ""
    return first_of(
        Topic.FILE_PATH,
        [seen.files[right]] if right else replies,
        (
            file_id == MADE_UP,
            "unsure",
            "There is no file to read: name a list with files, or use --upload URL.",
        ),
        (right == seen.given.coupon_file_path, "sure", "It shows a file and its status."),
        (right, "wrong", f"It is {right}."),
        (odd, "wrong", f"{odd} has the file, but the provider cannot read it: {problem}"),
        (True, "needed", f"None of these paths shows a file of the list; {SUPPORT}"),
        settings={"paths.coupon_file": right} if right and file_id != MADE_UP else {},
        guesses={"paths.coupon_file": guess} if guess else {},
    )


def _lists(statuses: Statuses, meanings: Mapping[str, str]) -> dict[str, Any]:
    """The lists of the extra ``coupon_file_statuses``, with the meanings of some statuses."""
    kinds = statuses.__struct_fields__
    before = {status: kind for kind in kinds for status in getattr(statuses, kind)}
    after = sorted({**before, **meanings}.items())
    return {
        f"coupon_file_statuses.{kind}": [each for each, means in after if means == kind]
        for kind in kinds
    }


def _statuses(seen: Seen) -> Finding:
    """What the statuses of the list's files seem to mean."""
    statuses, found = seen.given.statuses, dict[str, set[str]]()
    for file in seen.listed_files:
        if status_of(file) not in {"", *statuses.pending, *statuses.success, *statuses.failure}:
            means = found.setdefault(status_of(file), set())
            means |= (
                {meaning_of(file, seen.given.count_names).kind}
                if file.counts or file.reason
                else set()
            )
    said = "; ".join(
        f"{name} seems to mean {' or '.join(sorted(found[name])) or 'anything'}"
        for name in sorted(found)
    )
    shown = ", ".join(sorted({*map(status_of, seen.listed_files)} - {""})) or "No status"
    clear = {name: kind for name, means in found.items() for kind in means if len(means) == 1}
    return first_of(
        Topic.STATUSES,
        [seen.lists[seen.list_path]] if found else [],
        (found, "needed", f"{said}. --upload URL proves it."),
        (True, "unsure", f"{shown} in the list; --upload URL shows the way."),
        guesses=_lists(statuses, clear),
    )


def _statuses_of(upload: Upload, file: CouponFile, seen: Seen) -> Finding:
    """What the statuses of the uploaded file mean."""
    statuses, names, last = seen.given.statuses, seen.given.count_names, status_of(file)
    known, doubt = statuses.succeeded(last), doubt_about(file, names)
    kind, sure, why = (
        ("success", not doubt, doubt) if known else meaning_of(file, names, seen.listed_files)
    )
    between = [name for name in upload.statuses if name not in statuses.pending and name != last]
    came = " → ".join(upload.statuses)
    unknown = (
        f"{last} lasted and may mean {kind}: {why}. Look it up and name it in coupon_file_statuses,"
    )
    values: dict[str, Any] = {}
    if sure and not upload.problem and not statuses.failed(last):
        failures = dict.fromkeys(_statuses(seen).guesses["coupon_file_statuses.failure"], "failure")
        lists = _lists(statuses, {**failures, **dict.fromkeys(between, "pending"), last: kind})
        shown = {f"coupon_file_statuses.{each}" for each in ("pending", kind)}
        values = {"settings": {name: lists[name] for name in shown}, "guesses": lists}
    return first_of(
        Topic.STATUSES,
        [],
        (upload.problem, "needed", f"The end of the file was not seen: {upload.problem}"),
        (
            statuses.failed(last),
            "needed",
            f"{last}: the file failed ({file.reason or '?'}). Upload a good one.",
        ),
        (known and sure, "sure", f"{came}{'' if between else ', which means success.'}"),
        (known, "needed", f"{last} means success, but {doubt}. Upload new coupons."),
        (sure, "wrong", f"{came}: {last} means {kind} ({why}), which the provider does not know."),
        (True, "needed", f"{unknown} or wait longer, with --final-after SECONDS."),
        **values,
    )


def _counts(given: WesSettings, files: Sequence[CouponFile], *, uploaded: bool = False) -> Finding:
    file = next(
        (each for each in reversed(files) if each.counts and (uploaded or not each.reason)), None
    )
    if file is None:
        return Finding(
            Topic.COUNTS, "unsure", "No file with counts was seen, so added coupons cannot be seen."
        )
    names = count_names(file, given.count_names)
    added, duplicates = names.read([file])
    counts = {"added": added, "duplicates": duplicates if added is not None else None}
    found = {
        f"coupon_file_counts.{name}": getattr(names, name)
        for name, value in counts.items()
        if value is not None
    }
    same = names == given.count_names
    text = (
        f"{counted(added or 0, 'coupon')} added, {'no' if duplicates is None else duplicates} "
        "duplicates"
    )
    text += (
        "."
        if same
        else f", under {names.added or 'a usual name'} and {names.duplicates or 'a usual name'}."
    )
    which = ", ".join([*file.counts][:8])
    return first_of(
        Topic.COUNTS,
        [],
        (
            added is None,
            "unsure",
            f"Which of {which} counts coupons added? Name it in coupon_file_counts.",
        ),
        (uploaded and not same, "wrong", text),
        (same and duplicates is not None, "sure", text),
        (True, "unsure", text),
        **{"settings" if same or uploaded else "guesses": found},
    )


def _lag(given: WesSettings, lag: float | None) -> Finding:
    if lag is None:
        return Finding(Topic.LAG, "needed", "The list did not show the file while it was followed.")
    needed = max(math.ceil(LAG_MARGIN * lag / 10) * 10.0, given.coupon_files_lag)
    text, fits = (
        f"In the list after {lag:.0f} s; {needed:.0f} s are enough.",
        needed == given.coupon_files_lag,
    )
    return Finding(
        Topic.LAG, "sure" if fits else "wrong", text, settings={"coupon_files_lag": needed}
    )


def _names(sent: str, seen: Seen) -> Finding:
    """Whether an upload whose response is lost could be found in the list by its name."""
    shown = next((file.name for file in seen.listed_files if file.id == seen.uploaded), "")
    known = len(shown) >= UNIQUE and sent.lower().startswith(shown.lower())
    fine = f"The list shows {len(shown)} of {len(sent)} characters, which suffices."
    lost = (
        "The list does not show the name that was sent: an upload whose response is lost needs "
        "a person."
    )
    return Finding(Topic.NAMES, "sure", fine) if known else Finding(Topic.NAMES, "unsure", lost)
