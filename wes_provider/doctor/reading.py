"""Probes that only read: each puts one question to the service. What their evidence means, conclusions decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from wes_provider.client.diagnosis import MADE_UP, Evidence, KeyReads, Reader
from wes_provider.client.operations import MAX_BODY, Operation, Operations, Request
from wes_provider.client.settings import WesSettings
from wes_provider.client.sync_client import WesClient
from wes_provider.doctor.listing import Listing, file_id_of, find_listing
from wes_provider.doctor.network import Way, way_to
from wes_provider.doctor.variants import LIST_PATHS, WORKSPACE_HEADERS, file_paths
from wes_provider.exceptions import WesError

__all__ = ["MOST_READS", "PathRead", "Readings", "file_read", "read_service", "same_reply"]

MOST_READS = 10
NO_SUCH_PATH = "/v1/wes-doctor-no-such-path/{coupon_list_id}"
NO_SUCH_FILE = "wes-doctor-no-such-file"


@dataclass(frozen=True)
class PathRead:
    """
    A path that was tried.

    :ivar template: the template of the path, as the extra ``paths`` takes it.
    :ivar understood: why the provider's client cannot use the response; empty if it can.
    """

    template: str
    evidence: Evidence
    listing: Listing | None = None
    understood: str = ""


@dataclass
class Readings:
    """
    All that was read.

    :ivar settings: the settings of the connection, with what turned out to be right on the way.
    :ivar header_tried: reads with other workspace headers, by what they were sent with.
    :ivar nowhere: a read of a path that does not exist, to compare others with.
    """

    given: WesSettings
    settings: WesSettings
    coupon_list_id: str
    way: Way
    keys: KeyReads
    header_tried: list[tuple[tuple[str, ...], Evidence]] = field(default_factory=list)
    nowhere: Evidence | None = None
    lists: list[PathRead] = field(default_factory=list)
    files: list[PathRead] = field(default_factory=list)
    file_id: str = ""
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def list_known(self) -> bool:
        """Whether the user named a list."""
        return self.coupon_list_id != MADE_UP

    @property
    def has_files(self) -> bool:
        """Whether the list that was read shows any file."""
        found = self.list_found
        return found is not None and found.listing is not None and any(map(file_id_of, found.listing.records))

    @property
    def list_found(self) -> PathRead | None:
        """The first path whose response is a listing."""
        return next((read for read in self.lists if read.listing is not None), None)


def read_service(
    client: WesClient, coupon_list_id: str | None = None, on_read: Callable[[str], None] = lambda _: None
) -> Readings:
    """
    Read what a service shows, with at most :data:`MOST_READS` requests.

    :param client: the client of the connection.
    :param coupon_list_id: a list that exists; without one, a list that nobody has is read.
    :param on_read: called with each question before its request.
    """
    given = client.settings
    on_read("Which way leads to the service?")
    way = way_to(given)
    reader = Reader(client, most=MOST_READS, on_read=on_read)
    list_id = coupon_list_id or MADE_UP
    first = reader.list_files("Is the campaign key accepted?", list_id)
    found = Readings(given, given, list_id, way, KeyReads(first), evidence=reader.evidence)
    if first.inconclusive:
        return found
    if first.status == 401:
        found.keys, first = _after_refusal(reader, found)
        if first.status == 401:
            return found
    found.nowhere = reader.list_files(
        "How does the service reply to a path that it does not have?",
        MADE_UP,
        coupon_files_path=NO_SUCH_PATH,
        **_header(found),
    )
    own_data_key = given.data_api_key != given.api_key and found.keys.data is None
    # What a path that does not exist replies, too, shows nothing about the workspace header.
    if own_data_key and not found.header_tried and same_reply(first, found.nowhere):
        _read_with_data_key(reader, found)
    data = found.keys.data
    own_data_key = own_data_key and data is None
    _find_list(reader, found, first, reserve=3 + own_data_key)
    listed = found.list_found
    made_up = reader.list_files(
        "Is a made-up key refused?",
        list_id,
        key="made-up",
        coupon_files_path=listed.template if listed is not None else given.coupon_files_path,
        **_header(found),
    )
    campaign = listed.evidence if listed is not None else found.keys.campaign
    found.keys = replace(found.keys, campaign=campaign, campaign_made_up=made_up)
    if own_data_key and reader.left:
        data = reader.segment("Is the data key accepted?", **_header(found))
        found.keys = replace(found.keys, data=data)
    _find_file(reader, found, reserve=int(data is not None and data.status != 401 and not found.has_files))
    if data is not None and data.status != 401 and not data.inconclusive and reader.left:
        made_up = reader.segment("Is a made-up data key refused?", key="made-up", **_header(found))
        found.keys = replace(found.keys, data_made_up=made_up)
    return found


def _header(found: Readings) -> dict[str, Any]:
    return {"workspace_header": found.settings.workspace_header}


def _after_refusal(reader: Reader, found: Readings) -> tuple[KeyReads, Evidence]:
    """
    Find out what a 401 is due to: the key, or the workspace header.

    :return: the evidence about the keys, and the last read of the list's files.
    """
    keys, list_id = found.keys, found.coupon_list_id
    own_data_key = found.given.data_api_key != found.given.api_key
    if own_data_key:
        data = reader.segment("Is the data key accepted?")
        keys = replace(keys, data=data)
        if data.status != 401 and not data.inconclusive:
            made_up = reader.segment("Is a made-up data key refused?", key="made-up")
            keys = replace(keys, data_made_up=made_up)
            if made_up.status == 401:
                return keys, keys.campaign
    accepted = _find_header(reader, found, Operations(found.given).probe_campaign_key(list_id).request, "campaign")
    if accepted is None:
        return keys, keys.campaign
    if accepted.status == 401:
        if own_data_key:
            swapped = reader.list_files("Are the two keys swapped?", list_id, key="data")
            keys = replace(keys, swapped=swapped)
        return keys, keys.campaign
    # A key that was refused for want of the header shows nothing about the key.
    return KeyReads(accepted), accepted


def _read_with_data_key(reader: Reader, found: Readings) -> None:
    """Find out whether the data key is accepted, and whether another workspace header helps if it is not."""
    data = reader.segment("Is the data key accepted?")
    if data.status == 401:
        request = Operations(found.given).probe_data_key(MADE_UP).request
        data = _find_header(reader, found, request, "data") or data
    found.keys = replace(found.keys, data=data)


def _find_header(reader: Reader, found: Readings, request: Request, key: str) -> Evidence | None:
    """
    Find the workspace header with which a request that was refused is not, if it is a usual one.

    :param key: whose key the request carries.
    :return: the reply with that header; a 401 if none of them helps, ``None`` if that does not show.
    """
    names = tuple(name for name in WORKSPACE_HEADERS if name.lower() != found.given.workspace_header.lower())
    accepted = _with_headers(reader, found, request, names, key)
    if accepted.status == 401:
        return accepted
    while len(names) > 1:
        if not reader.left:
            return None
        half = names[: (len(names) + 1) // 2]
        evidence = _with_headers(reader, found, request, half, key)
        if evidence.inconclusive:
            return None
        if evidence.status != 401:
            names, accepted = half, evidence
        else:
            names = names[len(half) :]
    found.settings = replace(found.settings, workspace_header=names[0])
    return accepted


def _with_headers(reader: Reader, found: Readings, request: Request, names: tuple[str, ...], key: str) -> Evidence:
    headers = {**request.headers, **dict.fromkeys(names, found.given.workspace_id)}
    evidence = reader.read("Does another workspace header help?", replace(request, headers=headers), key)
    found.header_tried.append((names, evidence))
    return evidence


def _find_list(reader: Reader, found: Readings, first: Evidence, reserve: int) -> None:
    """
    Read paths of the list's files until one is a listing.

    :param first: the read at the connection's path.
    :param reserve: how many reads to leave for other questions.
    """
    default = found.given.coupon_files_path
    found.lists.append(list_read(found.settings, found.coupon_list_id, default, first))
    if first.status == 403 or (first.status == 404 and not same_reply(first, found.nowhere)):
        return  # the path is known to the service, which refuses the list
    for template in LIST_PATHS:
        if found.list_found is not None or reader.left <= reserve:
            return
        if template == default:
            continue
        evidence = reader.list_files(
            "Are the list's files there?", found.coupon_list_id, coupon_files_path=template, **_header(found)
        )
        found.lists.append(list_read(found.settings, found.coupon_list_id, template, evidence))


def list_read(settings: WesSettings, coupon_list_id: str, template: str, evidence: Evidence) -> PathRead:
    """
    What a read of a list's files came to.

    :param settings: the settings of the connection.
    :param template: the template of the path.
    """
    listing = find_listing(evidence.content, evidence.headers) if evidence.success else None
    operation = Operations(replace(settings, coupon_files_path=template)).list_coupon_files(coupon_list_id)
    cut = evidence.response is not None and len(evidence.response.body) > MAX_BODY  # the client reads it as a stream
    return PathRead(template, evidence, listing, "" if cut and listing else _understood(operation, evidence))


def _find_file(reader: Reader, found: Readings, reserve: int) -> None:
    """
    Read one file at the usual paths, until one shows it; a made-up one if the list has none.

    :param reserve: how many reads to leave for other questions.
    """
    listed = found.list_found
    records = listed.listing.records if listed is not None and listed.listing is not None else ()
    found.file_id = next(filter(None, map(file_id_of, records)), "")
    base = listed.template if listed is not None else found.given.coupon_files_path
    first = found.given.coupon_file_path
    for template in dict.fromkeys((first, *file_paths(base))):
        if reader.left <= reserve:
            return
        read = file_read(
            lambda request: reader.read("Is one file there?", request),
            found.settings,
            template,
            found.coupon_list_id,
            found.file_id or NO_SUCH_FILE,
        )
        found.files.append(read)
        status = read.evidence.status
        if not read.understood or status is None or status == 429:
            return
        if not found.file_id and status == 404 and not same_reply(read.evidence, found.nowhere):
            return


def file_read(
    send: Callable[[Request], Evidence], settings: WesSettings, template: str, coupon_list_id: str, file_id: str
) -> PathRead:
    """
    Read one file.

    :param send: sends the request.
    :param template: the template of the path.
    :param file_id: which file.
    """
    operation = Operations(replace(settings, coupon_file_path=template)).get_coupon_file(coupon_list_id, file_id)
    evidence = send(operation.request)
    return PathRead(template, evidence, understood=_understood(operation, evidence))


def _understood(operation: Operation[Any], evidence: Evidence) -> str:
    """Why the provider's client cannot use a response; empty if it can."""
    if evidence.response is None:
        return evidence.problem
    try:
        operation.read(evidence.response)
    except WesError as error:
        return str(error)
    return ""


def same_reply(one: Evidence, other: Evidence | None) -> bool:
    """Whether two replies are the same, so that neither shows which of the two paths the service has."""
    if other is None:
        return True
    return (one.status, one.form, _without(one)) == (other.status, other.form, _without(other))


def _without(evidence: Evidence) -> str:
    """The beginning of the body without the request's path, and without digits: those of times and request numbers."""
    text = evidence.quote
    for part in sorted((evidence.path, *evidence.path.split("/")), key=len, reverse=True):
        if len(part) > 3:
            text = text.replace(part, "")
    return "".join(character for character in text if not character.isdigit())
