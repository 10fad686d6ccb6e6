"""What the reads of a service show, as facts. Pure: evidence in, facts out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

import msgspec

from wes_provider import contract
from wes_provider.client import requests
from wes_provider.client.requests import Request
from wes_provider.doctor.evidence import (
    MADE_UP,
    Evidence,
    Listed,
    Places,
    list_at,
    listed_in,
)
from wes_provider.doctor.probes import (
    Keys,
    Kind,
    Probe,
    Question,
    named_headers,
    names_header,
    same_reply,
    same_request,
)
from wes_provider.settings import WesSettings
from wes_provider.texts import counted, shown

__all__ = [
    "HEADERS",
    "KeyFact",
    "Standing",
    "TwoAnswers",
    "campaign_key",
    "current_settings",
    "data_key",
    "header_candidate",
    "header_to_try",
    "is_refused",
    "is_service",
    "is_unexaminable",
    "knows_path",
    "list_answers",
    "next_pages",
    "other_address",
    "page_path",
    "places",
    "proved_header",
    "redirected_path",
    "refused_elsewhere",
    "refused_read",
    "refuses_no_such_path",
    "two_answers",
]

HEADERS: Final = (
    *"X-SVC-APPKEY SVC-APP-KEY SVC-WORKSPACE-ID X-Workspace-Id X-Workspace Workspace-Id".split(),
    *"X-App-Id X-App-Key X-AppKey APPKEY X-Application-Id X-Account-Id X-Tenant-Id".split(),
    *"X-Project-Id X-Client-Id".split(),
    contract.WORKSPACE_HEADER,
)
"""What services of this kind usually call the header of the workspace."""

# Parameters of a page's size.
PAGE_SIZES: Final = ("limit", "per_page", "perpage", "page_size", "pagesize", "size", "max_results")
LARGE_PAGE: Final = 1000


# -- the list's first read -------------------------------------------------------------------------


def list_answers(evidence: Evidence) -> list[Probe]:
    """The answers to the read of the list as the connection is set."""
    settings = evidence.settings
    request = list_at(settings, settings.coupon_files_path, evidence.list_id)
    return evidence.answers_to(request)


def is_unexaminable(evidence: Evidence) -> bool:
    """Whether the first read already shows that nothing more can be found out."""
    answers = list_answers(evidence)
    if not answers:
        return True
    if any(probe.kind in (Kind.ANSWER, Kind.REFUSED) for probe in answers):
        return False
    last = answers[-1]
    if last.kind is Kind.ELSEWHERE:
        return not redirected_path(evidence, last)
    # A path that the service does not have may get a web page of its framework.
    return last.status not in (404, 405)


def other_address(evidence: Evidence) -> str:
    """
    The address that a redirect names, if it is the connection's but for the scheme or the number of
    the data center; empty otherwise.
    """
    answers = list_answers(evidence)
    if not answers or answers[-1].kind is not Kind.ELSEWHERE:
        return ""
    sent, named = urlsplit(answers[-1].request.url), urlsplit(answers[-1].location)
    if sent.path.rstrip("/") != named.path.rstrip("/") or named.scheme not in ("http", "https"):
        return ""
    if sent.scheme == "https" and named.scheme == "http":
        return ""
    same_host = sent.hostname == named.hostname and sent.scheme != named.scheme
    if not same_host and not _differ_in_data_center(sent.netloc, named.netloc):
        return ""
    base_path = urlsplit(evidence.settings.base_url).path
    return f"{named.scheme}://{named.netloc}{base_path}"


def _differ_in_data_center(sent: str, named: str) -> bool:
    """Whether two hosts differ in digits of their first label only, and are no IP addresses."""
    first, dot, rest = sent.partition(".")
    other, _, other_rest = named.partition(".")
    is_name = bool(dot) and re.search("[a-z]", first) is not None
    if not is_name or sent == named or rest != other_rest:
        return False
    return re.sub(r"\d+", "#", first) == re.sub(r"\d+", "#", other)


def redirected_path(evidence: Evidence, probe: Probe, file_id: str = "") -> str:
    """
    The path that a redirect names, as the extra ``paths`` takes it.

    :return: empty if it leads to another address, or to a path without the list or the file.
    """
    sent, named = urlsplit(probe.request.url), urlsplit(probe.location)
    if probe.kind is not Kind.ELSEWHERE or sent[:2] != named[:2] or sent == named:
        return ""
    base_path = urlsplit(evidence.settings.base_url).path
    fields = {quote(evidence.list_id, safe=""): "{coupon_list_id}"}
    if file_id:
        fields[quote(file_id, safe="")] = "{coupon_file_id}"
    segments = named.path.removeprefix(base_path).split("/")
    path = "/".join(fields.get(segment, segment) for segment in segments)
    sought = list(fields.values())[-1]
    return path if sought in path else ""


def is_service(evidence: Evidence) -> bool:
    """
    Whether the service has shown itself at the address.

    It tells keys apart, sends an error as the contract shows it, or lists files at a path and not
    at every path.
    """
    standings = {campaign_key(evidence).standing, data_key(evidence).standing}
    if standings & {Standing.ACCEPTED, Standing.ACCEPTED_ONCE}:
        return True
    answers = [probe for probe in evidence.probes if probe.kind in (Kind.ANSWER, Kind.REFUSED)]
    if any(probe.is_documented_error for probe in answers):
        return True
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    is_everywhere = not nowhere or nowhere[0].success
    return bool(places(evidence).listed_files) and not is_everywhere


# -- keys ------------------------------------------------------------------------------------------


class Standing(Enum):
    """How the service takes a key."""

    ACCEPTED = auto()
    ACCEPTED_ONCE = auto()
    BOTH = auto()  # accepted at some time or place, and refused at another
    REFUSED = auto()
    REFUSED_ONCE = auto()
    NOT_SHOWN = auto()
    NO_ANSWER = auto()


class KeyFact(NamedTuple):
    """How the service takes a key: the answers to a read with it, and with a made-up one."""

    standing: Standing
    own: Sequence[Probe] = ()
    made_up: Probe | None = None

    @property
    def probes(self) -> list[Probe]:
        """All reads that it rests on."""
        probes = [*self.own]
        if self.made_up is not None:
            probes.append(self.made_up)
        return probes

    @property
    def own_answer(self) -> str:
        """What came first with the own key; empty if nothing did."""
        return str(self.own[0].answer) if self.own else ""

    @property
    def is_forbidden(self) -> bool:
        """Whether the key is accepted, but the account has no access."""
        return bool(self.own) and self.own[0].status == 403


def campaign_key(evidence: Evidence) -> KeyFact:
    """How the service takes the campaign API key."""
    made_up = evidence.of(Question.MADE_UP_KEY)
    settings = current_settings(evidence)
    request = list_at(settings, settings.coupon_files_path, evidence.list_id)
    if made_up:
        request = made_up[0].request
    fact = _key_fact(evidence, request)
    if fact.standing in (Standing.ACCEPTED, Standing.ACCEPTED_ONCE) and refused_elsewhere(evidence):
        return fact._replace(standing=Standing.BOTH)
    return fact


def refused_elsewhere(evidence: Evidence) -> list[Probe]:
    """
    The reads of a file that are refused, though the service does not refuse reads of paths that it
    does not have.
    """
    if refuses_no_such_path(evidence):
        return []
    return [
        probe for probe in evidence.of(Question.FILE_PATH, Question.LIST_PATH) if is_refused(probe)
    ]


def is_refused(probe: Probe) -> bool:
    """Whether a read is refused for its credentials."""
    return probe.kind is Kind.REFUSED


def refuses_no_such_path(evidence: Evidence) -> bool:
    """Whether each read of a path that does not exist is refused."""
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    return bool(nowhere) and all(map(is_refused, nowhere))


def data_key(evidence: Evidence) -> KeyFact:
    """How the service takes the data API key."""
    return _key_fact(evidence, requests.read_segment(current_settings(evidence), MADE_UP))


def _key_fact(evidence: Evidence, request: Request) -> KeyFact:
    own = evidence.answers_to(request)
    made_up = next(iter(evidence.answers_to(request, Keys.MADE_UP)), None)
    if not own:
        return KeyFact(Standing.NO_ANSWER, own, made_up)
    is_repeated = len(own) > 1
    kinds = {probe.kind for probe in own}
    if {Kind.REFUSED, Kind.ANSWER} <= kinds:
        standing = Standing.BOTH
    elif own[0].kind is Kind.REFUSED:
        standing = Standing.REFUSED if is_repeated else Standing.REFUSED_ONCE
    elif made_up is None or not _is_let_in(own[0]):
        standing = Standing.NOT_SHOWN
    elif made_up.kind is Kind.REFUSED or _only_made_up_is_forbidden(own[0], made_up):
        standing = Standing.ACCEPTED if is_repeated else Standing.ACCEPTED_ONCE
    else:
        standing = Standing.NOT_SHOWN
    return KeyFact(standing, own, made_up)


def _is_let_in(own: Probe) -> bool:
    """Whether a read was not refused; a path that does not exist may get a web page."""
    return own.kind is Kind.ANSWER or own.status in (404, 405)


def _only_made_up_is_forbidden(own: Probe, made_up: Probe) -> bool:
    return made_up.kind is Kind.ANSWER and made_up.status == 403 and own.status != 403


# -- the workspace header --------------------------------------------------------------------------


def refused_read(evidence: Evidence) -> Probe | None:
    """The read that another workspace header may help; ``None`` if there is none."""
    answers = list_answers(evidence)
    if not answers:
        return None
    if _is_refused_twice(answers) or named_headers(answers[0]):
        return answers[0]
    if evidence.settings.data_api_key == evidence.settings.api_key or answers[0].success:
        return None
    data = evidence.answers_to(requests.read_segment(evidence.settings, MADE_UP))
    return data[0] if _is_refused_twice(data) else None


def _is_refused_twice(answers: Sequence[Probe]) -> bool:
    return len(answers) > 1 and all(probe.kind is Kind.REFUSED for probe in answers)


class HeaderSearch(NamedTuple):
    """
    How far the search for the workspace header is.

    :ivar accepted: the headers of the last read that was accepted; ``None`` if none was.
    :ivar remaining: those of them that no later read excludes.
    :ivar is_interrupted: whether a reply was neither accepted nor refused.
    """

    accepted: tuple[str, ...] | None = None
    remaining: tuple[str, ...] = ()
    is_interrupted: bool = False


def _header_search(evidence: Evidence, refused: Probe) -> HeaderSearch:
    search = HeaderSearch()
    for probe in evidence.of(Question.HEADER):
        tried = tuple(probe.tried.split())
        if probe.kind is Kind.REFUSED or probe.answer == refused.answer:
            remaining = tuple(name for name in search.remaining if name not in tried)
            search = search._replace(remaining=remaining)
        elif probe.kind is Kind.ANSWER:
            search = HeaderSearch(tried, tried)
        else:
            return search._replace(is_interrupted=True)
    return search


def header_to_try(evidence: Evidence) -> tuple[str, ...]:
    """
    The headers to send next in place of the connection's: those that the service names, then all
    usual ones at once; if they help, half of them, and so on, down to one.
    """
    refused = refused_read(evidence)
    if refused is None:
        return ()
    search = _header_search(evidence, refused)
    if search.is_interrupted:
        return ()
    if search.accepted is None:
        return _untried_pool(evidence, refused)
    if len(search.accepted) == 1:
        return ()
    return search.remaining[: (len(search.remaining) + 1) // 2]


def _untried_pool(evidence: Evidence, refused: Probe) -> tuple[str, ...]:
    own = evidence.settings.workspace_header
    usual = tuple(name for name in HEADERS if name.lower() != own.lower())
    pools = [tuple(named_headers(refused)), usual]
    if refused.kind is not Kind.REFUSED or names_header(refused, own):
        pools.remove(usual)  # the service says which one it takes
    tried = [probe.tried for probe in evidence.of(Question.HEADER)]
    for pool in pools:
        if pool and " ".join(pool) not in tried:
            return pool
    return ()


def header_candidate(evidence: Evidence) -> str:
    """The header that was accepted alone, in place of the connection's; empty if there is none."""
    refused = refused_read(evidence)
    if refused is None:
        return ""
    search = _header_search(evidence, refused)
    if search.accepted is None or len(search.accepted) > 1 or not search.remaining:
        return ""
    return search.accepted[0]


def proved_header(evidence: Evidence) -> str:
    """
    The header that was accepted alone, twice, while the connection's was refused before and
    between; empty if there is none.
    """
    header = header_candidate(evidence)
    tried = [probe.tried for probe in evidence.of(Question.HEADER)]
    if tried.count(header) > 1 and "" in tried:
        return header
    return ""


def current_settings(evidence: Evidence) -> WesSettings:
    """The connection's settings, with the header that the service takes."""
    header = proved_header(evidence)
    if not header:
        return evidence.settings
    return msgspec.structs.replace(evidence.settings, workspace_header=header)


# -- paths -----------------------------------------------------------------------------------------


def places(evidence: Evidence) -> Places:
    """The paths that were tried, and what came first at each."""
    settings = current_settings(evidence)
    given = settings.coupon_files_path
    answers = evidence.answers_to(list_at(settings, given, evidence.list_id))
    lists = dict.fromkeys([given], _best(answers)) if answers else {}
    for probe in evidence.of(Question.LIST_PATH, Question.WHOLE_LIST):
        lists.setdefault(probe.tried, probe)
    files: dict[str, Probe] = {}
    file_id = MADE_UP
    for probe in evidence.of(Question.FILE_PATH):
        if probe.tried not in files or not files[probe.tried].success:
            files[probe.tried] = probe
        file_id = probe.request.subject
    return Places(lists, files, file_id)


def _best(answers: Sequence[Probe]) -> Probe:
    """The first answer that settles something, else the first."""
    return next((probe for probe in answers if probe.kind is Kind.ANSWER), answers[0])


def knows_path(evidence: Evidence, probe: Probe) -> bool:
    """Whether a 404 is another one than that of a path that does not exist: not about the path."""
    nowhere = evidence.of(Question.NO_SUCH_PATH)
    if probe.status != 404 or probe.kind is not Kind.ANSWER or not nowhere:
        return False
    return not same_reply(probe, nowhere[0])


def page_path(listed: Listed) -> str:
    """
    The path of an incomplete list with a larger page, by the parameter that its next page has.

    :return: empty if the path already has a large page.
    """
    names = [name.lower() for url in next_pages(listed.probe) for name, _ in _parameters(url)]
    size = next((name for name in names if name in PAGE_SIZES), PAGE_SIZES[0])
    given = [name.lower() for name, _ in _parameters(listed.path)]
    if any(name in PAGE_SIZES for name in given):
        return ""
    separator = "&" if "?" in listed.path else "?"
    return f"{listed.path}{separator}{size}={LARGE_PAGE}"


def _parameters(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def next_pages(probe: Probe) -> list[str]:
    """What a response names as its next page: a link of its header, and texts of its body."""
    urls = re.findall(r"<([^>]*)>[^,]*rel=\"?next", probe.response.headers.get("link", ""))
    if isinstance(probe.content, dict):
        for name, value in probe.content.items():
            if "next" in str(name).lower() and isinstance(value, str):
                urls.append(value)
    return urls


# -- one request, two answers ----------------------------------------------------------------------


class TwoAnswers(NamedTuple):
    """
    A request that was answered in two ways.

    :ivar text: the sentence that says so.
    :ivar is_of_files: the answers differ in the files that they list, and in nothing else.
    """

    probe: Probe
    text: str
    is_of_files: bool


def two_answers(evidence: Evidence) -> list[TwoAnswers]:
    """All requests with the connection's keys that were answered in two ways."""
    found: list[TwoAnswers] = []
    for probe in evidence.probes:
        if probe.keys is not Keys.OWN or any(same_request(probe, two.probe) for two in found):
            continue
        answers = evidence.answers_to(probe.request)
        text = _in_order(answers)
        if text:
            is_of_files = len({answer.answer for answer in answers}) == 1
            found.append(TwoAnswers(probe, text, is_of_files))
    return found


def _in_order(answers: Sequence[Probe]) -> str:
    """Which answers came in which order; empty if they are all the same."""
    labels = [_label(probe) for probe in answers]
    if len(set(labels)) == 1 and _loses_files(answers):
        labels = [f"{probe.status} with {_ids_of(probe)}" for probe in answers]
    pairs = list(zip(labels, answers, strict=True))
    runs = [next(run) for _, run in groupby(pairs, key=itemgetter(0))]
    if len(runs) < 2:
        return ""
    if len(runs) == 2:
        (before, _), (after, since) = runs
        came = f"{before} at first, {after} since {since.time} UTC"
    else:
        came = ", then ".join(f"{label} at {probe.time}" for label, probe in runs) + " UTC"
    sent = f"{answers[0].request.method} {answers[0].path}"
    return f"{sent} was answered in two ways: {came}."


def _label(probe: Probe) -> str:
    if probe.kind is Kind.REFUSED:
        return f"refused ({probe.answer})"
    if probe.kind is Kind.ANSWER and probe.success:
        return f"accepted ({probe.status})"
    if probe.kind is Kind.ELSEWHERE:
        return f"a redirect ({probe.status})"
    if probe.kind is Kind.NOT_SERVICE:
        return f"{probe.form.value} that is not the service's ({probe.status})"
    return str(probe.answer)


def _files_of(probe: Probe) -> list[str]:
    """The identifiers that a response lists as a whole; none if it lists a part or nothing."""
    listed = listed_in("", probe)
    if (
        listed is None
        or listed.incomplete
        or probe.request.operation is not contract.LIST_COUPON_FILES
    ):
        return []
    return [file.id for file in listed.files]


def _ids_of(probe: Probe) -> str:
    ids = _files_of(probe)
    return f"{counted(len(ids), 'file')} ({shown(', '.join(ids), quoted=False)})"


def _loses_files(answers: Sequence[Probe]) -> bool:
    """Whether a later answer lacks a file of an earlier one, so that they are of two states."""
    listings = [set(_files_of(probe)) for probe in answers if probe.success]
    return any(before - after for before, after in pairwise(listings))
