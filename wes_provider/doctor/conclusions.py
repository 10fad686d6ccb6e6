"""
What follows from the evidence of reading. Pure: readings in, findings out.

A reply may come from a gateway, a proxy or a cache instead of the service. So a path counts as found only if its
response holds what the provider needs, and a path that does not exist gives another reply; otherwise the finding is
``unsure``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from typing import Any, Final

from wes_provider import contract
from wes_provider.client.diagnosis import (
    ADDRESS,
    CAMPAIGN_KEY,
    DATA_KEY,
    VERIFY,
    WORKSPACE_HEADER,
    Evidence,
    KeyCheck,
    data_refusal_advice,
    forbidden_advice,
    key_check,
    refusal_advice,
)
from wes_provider.client.rate_limit_headers import header_count, reset_time, service_date
from wes_provider.client.settings import WesSettings
from wes_provider.doctor.findings import CATALOG, Certainty, Finding, number
from wes_provider.doctor.listing import complaint_of, counts_of, file_id_of, lack_of, status_of
from wes_provider.doctor.network import Way
from wes_provider.doctor.reading import Readings, same_reply
from wes_provider.doctor.statuses import meaning_of
from wes_provider.polling import Statuses

__all__ = ["conclude", "limit_is_readable", "rate_limit_names", "status_findings", "status_settings"]

CLOCK_TOLERANCE: Final = 2.0  # seconds; Date has whole seconds, and a response takes its time
LAG: Final = "Lag of the list"
NOT_READABLE: Final = {CATALOG: "--catalog NAME", LAG: "--upload URL"}  # what shows what reading cannot


def conclude(readings: Readings) -> list[Finding]:
    """All that follows from reading."""
    return [
        *_way(readings.way, readings.given, readings.keys.campaign),
        *_keys(readings),
        *_header(readings),
        *_list_path(readings),
        *_file_path(readings),
        *_statuses(readings),
        *_rate_limits(readings),
        *_clock(readings.evidence),
        *(Finding(topic, "unsure", f"Reading cannot show it; {how} does.") for topic, how in NOT_READABLE.items()),
    ]


def _tried(evidence: Evidence) -> str:
    return f"{evidence.method} {evidence.path}"


# -- the way ---------------------------------------------------------------------------------------


def _way(way: Way, given: WesSettings, first: Evidence) -> Iterator[Finding]:
    tried = f"look up {way.host}"
    if way.proxy:
        yield Finding(
            "Proxy",
            "unsure",
            f"Requests go through the proxy {way.proxy}, which may reply in the service's place.",
            "the environment",
            way.proxy,
        )
    if way.problem and not way.proxy:
        yield Finding(
            "Name",
            "wrong",
            f"{way.host} has no address here: check {ADDRESS} and Data center, or this machine's DNS.",
            tried,
            way.problem,
        )
    elif way.problem:
        yield Finding("Name", "unsure", "Only the proxy has to know the name.", tried, way.problem)
    else:
        yield Finding("Name", "sure", "The name has an address.", tried, ", ".join(way.addresses[:4]))
    if given.base_url.startswith("https"):
        yield from _tls(way, given, first)
    if first.status is None:
        text, timeout = ("No whole reply came.", "Read") if first.sent else ("The service was not reached.", "Connect")
        if "timed out" in first.problem:
            text += f" If it is that slow, raise {timeout} timeout."
        yield Finding(ADDRESS, "wrong", text, _tried(first), first.problem)
    elif 300 <= first.status < 400:
        to = first.headers.get("location", "").partition("?")[0]
        yield Finding(
            ADDRESS,
            "wrong",
            f"The address redirects{f' to {to}' if to and '@' not in to else ''}; requests do not follow. "
            "Correct the address, unless a login page or a proxy replied.",
            _tried(first),
            first.came_whole,
        )
    elif first.inconclusive:
        yield Finding(
            ADDRESS,
            "wrong",
            "A server replies, but with an error; try later. It may be a gateway, not the service.",
            _tried(first),
            first.came_whole,
        )
    elif first.success and first.form == "html":
        text = "An HTML page came, which the service does not send: log in to the network, or correct the address."
        yield Finding(ADDRESS, "wrong", text, _tried(first), first.came_whole)
    between = {name: first.headers[name] for name in ("via", "x-cache", "cf-ray", "age") if name in first.headers}
    if between:
        came = ", ".join(f"{name}: {value[:40]}" for name, value in between.items())
        yield Finding(
            "Between", "unsure", "A gateway or cache stands between, and may reply itself.", _tried(first), came
        )


def _tls(way: Way, given: WesSettings, first: Evidence) -> Iterator[Finding]:
    topic, tried = "TLS", f"TLS with {way.host}"
    if way.distrust:
        came = f"{way.distrust}; issued by {way.issuer}"
        if "expired" in way.distrust or "not yet valid" in way.distrust:
            text = "The certificate is out of date, or this machine's clock is wrong."
        elif "mismatch" in way.distrust:
            text = f"The certificate is for another host: check {ADDRESS}, or who replies in its place."
        else:
            text = (
                f"This machine does not trust the certificate. Set {VERIFY} to the bundle that holds its issuer, if "
                "that is your company's proxy; else somebody may be listening."
            )
        yield Finding(topic, "wrong", text, tried, came)
    elif first.status is None:
        if "SSL" in first.problem:
            text = f"No TLS connection came about: check scheme and port of the {ADDRESS.lower()}."
            yield Finding(topic, "wrong", text, tried, first.problem)
    elif given.verify is False:
        yield Finding(topic, "unsure", f"Certificates are not checked: {VERIFY} is false.", tried)
    else:
        yield Finding(topic, "sure", "The certificate is trusted.", tried, "a trusted certificate")


# -- keys ------------------------------------------------------------------------------------------

CREDENTIALS: Final = "Credentials"


def _keys(readings: Readings) -> Iterator[Finding]:
    keys = readings.keys
    if keys.campaign.status is None:
        return
    campaign, data = _campaign_check(readings), _data_check(readings)
    text = _of(campaign)
    if campaign.verdict == "refused":
        text += f" {refusal_advice(keys, data)}"
    elif keys.campaign.status == 403:
        text += f" {forbidden_advice(campaign)}"
    certainty = _key_certainty(readings, campaign)
    if campaign.verdict == "accepted" and keys.campaign.status == 403:
        certainty = "wrong"
    yield Finding(CAMPAIGN_KEY, certainty, text, _tried(keys.campaign), keys.campaign.came_whole)
    yield from _data_key(readings, campaign, data)
    refused = [check for check in (campaign, data) if check.verdict == "refused"]
    if refused and not _header_shown(readings):
        advice = refusal_advice(keys, data) if campaign.verdict == "refused" else data_refusal_advice(campaign)
        certainty = "wrong" if refused[0].ours else "unsure"
        read = keys.campaign if campaign.verdict == "refused" else keys.data or keys.campaign
        yield Finding(CREDENTIALS, certainty, advice, _tried(read), read.came_whole, needed=True)


def _data_key(readings: Readings, campaign: KeyCheck, data: KeyCheck) -> Iterator[Finding]:
    given, read = readings.given, readings.keys.data
    if given.data_api_key == given.api_key:
        if read is None:
            text = f"Not checked: the field is empty, so segments use the {CAMPAIGN_KEY}."
            yield Finding(DATA_KEY, "unsure", text, "nothing")
        return
    if read is None:
        if readings.header_tried:
            text = "Not checked: other questions took all reads. Paste the extra below, and run it again."
            yield Finding(DATA_KEY, "unsure", text, "nothing")
        return
    text, certainty = _of(data), _key_certainty(readings, data)
    if data.verdict == "refused" and campaign.verdict != "refused":
        text += f" {data_refusal_advice(campaign)}"
    elif data.verdict == "not checked" and read.status == 404 and same_reply(read, readings.nowhere):
        text += " Segments may have another address, and then need a connection of their own; --segment ID shows it."
    forbidden = read.status == 403
    if forbidden and data.verdict == "accepted":
        certainty, text = "unsure", f"{text} --segment ID shows whether updates are refused, too."
    yield Finding(DATA_KEY, certainty, text, _tried(read), read.came_whole, needed=forbidden)


def _key_certainty(readings: Readings, check: KeyCheck) -> Certainty:
    """How sure a key's row is: a 401 may be due to the workspace header as long as no reply shows that header."""
    if check.verdict == "refused":
        return "wrong" if _header_shown(readings) else "unsure"
    return "sure" if check.verdict == "accepted" else "unsure"


def _header_shown(readings: Readings) -> bool:
    """Whether a reply shows that the service takes the workspace from the header: one to a key that it accepts."""
    swapped = readings.keys.swapped
    in_place = swapped is not None and not swapped.inconclusive and swapped.status != 401
    return in_place or "accepted" in (_campaign_check(readings).verdict, _data_check(readings).verdict)


def _campaign_check(readings: Readings) -> KeyCheck:
    return key_check(CAMPAIGN_KEY, readings.keys.campaign, readings.keys.campaign_made_up)


def _data_check(readings: Readings) -> KeyCheck:
    keys = readings.keys
    return key_check(DATA_KEY, keys.data, keys.data_made_up) if keys.data else KeyCheck(DATA_KEY, "not checked")


def _of(check: KeyCheck) -> str:
    return f"{check.verdict.capitalize()}{f', {check.why}' if check.why else ''}."


def _header(readings: Readings) -> Iterator[Finding]:
    header, given = readings.settings.workspace_header, readings.given.workspace_header
    campaign, made_up = readings.keys.campaign, readings.keys.campaign_made_up
    if header != given:
        yield Finding(
            WORKSPACE_HEADER,
            "wrong",
            f"The service takes the workspace from {header}, not from {given}.",
            f"{len(readings.header_tried)} reads with other headers",
            readings.header_tried[-1][1].came,
            {"workspace_header": header},
        )
    elif campaign.status is not None and not campaign.inconclusive and campaign.status != 401:
        accepted = key_check(CAMPAIGN_KEY, campaign, made_up).verdict == "accepted"
        yield Finding(
            WORKSPACE_HEADER,
            "sure" if accepted else "unsure",
            f"The service takes {given}." if accepted else f"No reply shows whether the service takes {given}.",
            _tried(campaign),
            campaign.came,
            {"workspace_header": given},
        )
    elif _data_check(readings).verdict == "accepted":
        text, data = f"With the {DATA_KEY}, the service takes {given}.", readings.keys.data
        yield Finding(WORKSPACE_HEADER, "sure", text, _tried(data or campaign), settings={"workspace_header": given})
    elif campaign.status is None:
        yield Finding(WORKSPACE_HEADER, "unsure", "It could not be tried.")
    else:
        yield Finding(
            WORKSPACE_HEADER,
            "unsure",
            "A 401 may be due to the header or to a key."
            if campaign.status == 401
            else "No reply shows which header the service takes.",
            _tried(campaign),
            campaign.came,
        )


# -- paths -----------------------------------------------------------------------------------------

LIST_PATH: Final = "Path of the list's files"
FILE_PATH: Final = "Path of one file"


def _list_path(readings: Readings) -> Iterator[Finding]:
    if not readings.lists:
        yield Finding(LIST_PATH, "unsure", "It could not be read.")
        return
    given, found = readings.given.coupon_files_path, readings.list_found
    if found is None or found.listing is None:
        yield _no_list(readings)
        return
    setting = {"paths.coupon_files": found.template}
    nowhere = readings.nowhere
    tried, came = _tried(found.evidence), f"{found.evidence.came}: {found.listing.shape}"
    doubt = ""
    if nowhere is None or (nowhere.success and nowhere.form == "json"):
        doubt = "The service replies with JSON to a path that it cannot have, too."
    elif not found.listing.records and found.listing.where:
        doubt = "No file is listed, so the array may hold something else. Name a list with files in --coupon-list."
    elif found.listing.records and not any(map(file_id_of, found.listing.records)):
        doubt = "What is listed has no _id."
    if found.understood:
        text = f"The provider cannot read it: {found.understood}"
        certainty: Certainty = "unsure" if doubt else "wrong"
        yield Finding(LIST_PATH, certainty, text, tried, came, setting, needed=True)
    elif doubt:
        yield Finding(LIST_PATH, "unsure", doubt, tried, came, setting)
    elif found.template != given:
        text = f"The list's files are at {found.template}, not at {given}."
        yield Finding(LIST_PATH, "wrong", text, tried, came, setting)
    else:
        yield Finding(LIST_PATH, "sure", "The provider reads the list's files there.", tried, came, setting)
    if found.listing.more:
        text = f"A page has {number(len(found.listing.records), 'file')}"
        text += f" of {found.listing.total}" if found.listing.total is not None else ""
        text += f"; more are announced by {found.listing.more}. A query in paths.coupon_files, such as ?limit=1000, "
        yield Finding("Pages", "unsure", f"{text}may give larger pages.", tried, came)


def _no_list(readings: Readings) -> Finding:
    first = readings.lists[0]
    others = len(readings.lists) - 1
    tried = _tried(first.evidence) + (f", {others} other paths" if others else "")
    if first.evidence.status == 403:
        text = "The service refuses to show the list, so the path may be right."
        return Finding(LIST_PATH, "unsure", text, tried, first.evidence.came_whole, needed=readings.list_known)
    came = first.evidence.came_whole
    if first.evidence.success and first.evidence.form == "json" and not same_reply(first.evidence, readings.nowhere):
        known = readings.list_known and _campaign_check(readings).verdict == "accepted"
        text = f"The path replies, but not with a list that the provider can read: {first.understood}"
        return Finding(LIST_PATH, "wrong" if known else "unsure", text, tried, came, needed=readings.list_known)
    distinct = [
        read
        for read in readings.lists
        if read.evidence.status == 404 and not same_reply(read.evidence, readings.nowhere)
    ]
    if distinct:
        setting = {"paths.coupon_files": distinct[0].template}
        text = "The reply is not the one to a path that does not exist, so the path is probably right."
        what = (
            "Check whether the list of --coupon-list exists."
            if readings.list_known
            else "Name a list in --coupon-list."
        )
        return Finding(LIST_PATH, "unsure", f"{text} {what}", tried, came, setting)
    if not readings.list_known:
        text = "No path shows a listing; name a list that exists in --coupon-list."
        return Finding(LIST_PATH, "unsure", text, tried, came)
    if not others:
        first_paste = "paste the extra below and run it again; " if readings.settings != readings.given else ""
        text = f"The path does not show the list's files. Other paths were not tried: {first_paste}--upload URL "
        text += "finds the path, too." if first_paste else "tries them."
    else:
        text = (
            f"None of the {len(readings.lists)} paths tried shows the list's files; --upload URL tries more. Get the "
        )
        text += "path from the service's support, if the list exists."
    return Finding(LIST_PATH, "unsure", text, tried, came, needed=True)


def _file_path(readings: Readings) -> Iterator[Finding]:
    given = readings.given.coupon_file_path
    if not readings.files:
        yield Finding(FILE_PATH, "unsure", "It could not be read.")
        return
    found = next((read for read in readings.files if not read.understood), None)
    last = found or readings.files[-1]
    tried, came = _tried(last.evidence), last.evidence.came_whole
    if found is not None and readings.file_id:
        setting = {"paths.coupon_file": found.template}
        if found.template == given:
            yield Finding(FILE_PATH, "sure", "The provider reads a file there.", tried, came, setting)
        else:
            text = f"A file is at {found.template}, not at {given}."
            yield Finding(FILE_PATH, "wrong", text, tried, came, setting)
        return
    tried += f", {len(readings.files) - 1} other paths" if len(readings.files) > 1 else ""
    if readings.file_id:
        for read in readings.files:
            lack = lack_of(read.evidence.content, readings.file_id) if read.evidence.success else ""
            if lack:
                text = f"{read.template} replies with the file, but the provider cannot read it: {lack}."
                yield Finding(FILE_PATH, "wrong", text, _tried(read.evidence), read.evidence.came)
                return
        text = "None of the paths tried shows a file that the list has. --upload URL tries more."
        setting = {"paths.coupon_file": _likely_file_path(readings)}
        yield Finding(FILE_PATH, "unsure", text, tried, came, setting, needed=True)
        return
    text = "There is no file to read: name a list with files in --coupon-list, or use --upload URL."
    yield Finding(FILE_PATH, "unsure", text, tried, came, {"paths.coupon_file": _likely_file_path(readings)})


def _likely_file_path(readings: Readings) -> str:
    """The path that the evidence speaks for most, though it does not show it."""
    for read in readings.files:
        if read.evidence.status == 404 and not same_reply(read.evidence, readings.nowhere):
            return read.template
    found, given = readings.list_found, readings.given
    refused = [read.template for read in readings.files if same_reply(read.evidence, readings.nowhere)]
    if found is not None and found.template != given.coupon_files_path and given.coupon_file_path in refused:
        return next((path for path in (f"{found.template}/{{coupon_file_id}}",) if path not in refused), refused[0])
    return given.coupon_file_path


# -- statuses --------------------------------------------------------------------------------------

STATUSES: Final = "Statuses in the list"


def _statuses(readings: Readings) -> Iterator[Finding]:
    found = readings.list_found
    records = found.listing.records if found is not None and found.listing is not None else ()
    yield from status_findings(readings.given, records, _tried(found.evidence) if found is not None else "")


def status_findings(given: WesSettings, records: Iterable[Mapping[str, Any]], tried: str) -> Iterator[Finding]:
    """
    What the statuses of a list's files mean.

    :param given: the connection's settings.
    :param records: the records of the files, as the service shows them.
    :param tried: the request that showed them.
    """
    statuses = given.statuses
    by_status: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        if status := status_of(record).upper():
            by_status.setdefault(status, []).append(record)
    seen = set(by_status)
    came = ", ".join(sorted(seen)) or "no file"
    unknown = sorted(seen - (statuses.pending | statuses.success | statuses.failure))
    if not unknown:
        ended = seen & (statuses.success | statuses.failure)
        text = "All are known." if ended else "No file has ended, so what the end is called is not known."
        yield Finding(STATUSES, "unsure", f"{text} --upload URL shows the way of a file.", tried, came)
        return
    kinds: dict[str, set[str]] = {"success": set(), "failure": set(), "pending": set()}
    for status in unknown:
        means = {meaning_of(status, record, given.count_names).kind for record in by_status[status]}
        speaks = [record for record in by_status[status] if counts_of(record) or complaint_of(record)]
        if len(means) == 1 and (speaks or means != {"success"}):
            kinds[means.pop()].add(status)
    yield Finding(
        STATUSES,
        "unsure",
        f"{', '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} not known; the meaning is a guess from names, "
        "counts and texts. --upload URL shows the way of a file.",
        tried,
        came,
        status_settings(statuses, success=kinds["success"], failure=kinds["failure"]),
    )


def status_settings(
    statuses: Statuses, *, success: Iterable[str] = (), failure: Iterable[str] = (), pending: Iterable[str] = ()
) -> dict[str, Any]:
    """
    Values of the extra ``coupon_file_statuses`` with further statuses.

    :param statuses: the statuses of the connection.
    :param success: statuses that mean success, in capitals.
    :param failure: statuses that mean failure.
    :param pending: statuses that mean neither yet.
    """
    new = {"pending": set(pending), "success": set(success), "failure": set(failure)}
    moved = set().union(*new.values())
    return {
        f"coupon_file_statuses.{name}": sorted((getattr(statuses, name) - moved) | more) for name, more in new.items()
    }


# -- headers ---------------------------------------------------------------------------------------


def rate_limit_names(evidence: Evidence) -> list[str]:
    """Names of a response's headers about rate limits."""
    return sorted(name for name in evidence.headers if "ratelimit" in name.replace("-", "") or name == "retry-after")


UNREADABLE_LIMIT: Final = (
    "Headers about limits came, but the provider cannot read what is left of them, so the documented limits apply."
)


def limit_is_readable(evidence: Evidence) -> bool:
    """Whether a response states how much of a limit is left, in the form that the provider reads."""
    return (
        header_count(evidence.headers, contract.RATE_LIMIT_REMAINING) is not None
        and reset_time(evidence.headers) is not None
    )


def _rate_limits(readings: Readings) -> Iterator[Finding]:
    replies = [item for item in readings.evidence if item.status is not None]
    keys, topic = readings.keys, "Rate limits"
    accepted = key_check(CAMPAIGN_KEY, keys.campaign, keys.campaign_made_up).verdict == "accepted"
    certainty: Certainty = "sure" if accepted else "unsure"  # else somebody else may have replied
    having = [item for item in replies if rate_limit_names(item)]
    readable = [item for item in having if limit_is_readable(item)]
    if not replies:
        return
    if not having:
        tried = number(len(replies), "read")
        yield Finding(topic, certainty, "Replies to reads state no limits.", tried, "no such header")
        return
    first = (readable or having)[0]
    tried, came = _tried(first), ", ".join(rate_limit_names(first))
    if not readable:
        yield Finding(topic, "unsure", UNREADABLE_LIMIT, tried, came)
        return
    states = "reply states" if len(replies) == 1 else f"replies state{'s' if len(readable) == 1 else ''}"
    text = f"{len(readable)} of {len(replies)} {states} how much of a limit is left; the provider keeps to it."
    yield Finding(topic, certainty, text, tried, came)


def _clock(evidence: Iterable[Evidence]) -> Iterator[Finding]:
    differences = [
        date - item.at.timestamp() + item.seconds / 2
        for item in evidence
        # A cache repeats the date of its copy.
        if "age" not in item.headers and (date := service_date(item.headers)) is not None
    ]
    if not differences:
        yield Finding("Clock", "unsure", "No reply has a Date of its own.", "Date")
        return
    ahead = median(differences) + 0.5  # Date is cut to whole seconds
    if abs(ahead) <= CLOCK_TOLERANCE:
        yield Finding("Clock", "sure", "The clocks agree.", "Date", f"{round(ahead):+d} s")
        return
    text = f"The service's clock is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} this machine's."
    yield Finding(
        "Clock", "sure", f"{text} The provider takes that out of the limits' resets.", "Date", f"{ahead:+.0f} s"
    )
