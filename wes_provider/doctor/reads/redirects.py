"""Where redirects, links and errors say that something is instead. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from wes_provider.doctor.reads.evidence import Evidence, listed_in
from wes_provider.doctor.replies.files import records_at
from wes_provider.doctor.replies.hosts import leads_to_login
from wes_provider.doctor.replies.probes import Keys, Kind, Probe, Question
from wes_provider.doctor.replies.remedies import is_account
from wes_provider.settings import WesSettings

__all__ = [
    "Moved",
    "Renamed",
    "Versionless",
    "address_with_account",
    "address_without_version",
    "adds_session",
    "below_without_version",
    "choices",
    "circle",
    "differing_redirects",
    "has_segments_in_place",
    "is_other_port",
    "leads_to_itself",
    "leads_to_same_origin",
    "linked_paths",
    "moved",
    "moved_coupons",
    "named_address",
    "named_paths",
    "nowhere_below",
    "other_address",
    "path_below",
    "path_of",
    "renamed",
    "versionless",
]

SUCCESSOR: Final = re.compile(r"<([^>]*)>[^,]*rel=\"?(?:successor-version|canonical)")
# In a message: what paths begin with before the version, with the account's place in braces.
BEFORE_VERSION: Final = re.compile(r"(?<![\w/])((?:/[\w.~%-]+)*/\{(\w+)\}(?:/[\w.~%-]+)*?)/v\d")
# What paths of pages are called that take the place of others.
AWAY: Final = re.compile(
    r"(?:not[-_]?found|error|errors|maintenance|unavailable|login|signin|default|index|\d{3})",
    re.IGNORECASE,
)
MULTIPLE_CHOICES: Final = 300
URL_OR_PATH: Final = re.compile(r"(?:https?:/)?/[^\s\"'<>]+")
LIST_FIELD = "{coupon_list_id}"
FILE_FIELD = "{coupon_file_id}"
BLANK: Final = re.compile(r"\{\w+\}|:\w+")
PATH: Final = re.compile(r"(?<![\w/])/(?:[\w.~%:{}-]+/)+[\w.~%:{}-]+/?")  # in a message


def other_address(evidence: Evidence) -> str:
    """
    Return the address of another origin that a redirect of the list names, if it has the same host,
    or one that differs in the number of the data center only; empty otherwise.
    """
    answers = evidence.list_answers
    if not answers or answers[-1].kind is not Kind.ELSEWHERE:
        return ""
    if leads_to_same_origin(answers[-1]):
        return ""  # it may be that only this path has moved
    return named_address(evidence.settings, answers[-1])


def named_address(settings: WesSettings, probe: Probe) -> str:
    """
    Return another address that leads to where a request was redirected, with the same path below
    it; empty if the path is another one, or the host is one that no key may be sent to.
    """
    if probe.kind is not Kind.ELSEWHERE:
        return ""
    sent, named = urlsplit(probe.request.url), urlsplit(probe.location)
    if not _may_get_keys(sent, named):
        return ""
    below = sent.path.removeprefix(urlsplit(settings.base_url).path)
    for path in (named.path, named.path.rstrip("/")):
        # A slash at the end is another path, unless there is another host or scheme, too.
        is_same_host = leads_to_same_origin(probe) or is_other_port(probe)
        if path.endswith(below) and (path == named.path or not is_same_host):
            address = f"{named.scheme}://{named.netloc}{path.removesuffix(below)}"
            if address != settings.base_url:
                return address
    return ""


def _may_get_keys(sent: SplitResult, named: SplitResult) -> bool:
    """
    Tell whether keys may be sent to where a redirect leads: to the same host, or that of another
    data center, and not without TLS if they came with it.
    """
    if named.scheme not in ("http", "https") or (sent.scheme, named.scheme) == ("https", "http"):
        return False
    return sent.hostname == named.hostname or _differ_in_data_center(sent.netloc, named.netloc)


def is_other_port(probe: Probe) -> bool:
    """Tell whether a redirect leads to another port of the same host, by the same scheme."""
    sent, named = urlsplit(probe.request.url), urlsplit(probe.location)
    is_same_host = (sent.scheme, sent.hostname) == (named.scheme, named.hostname)
    return is_same_host and not leads_to_same_origin(probe)


class Moved(NamedTuple):
    """
    A service that is below another address as a whole.

    :ivar redirects: that show it.
    :ivar tests: the reads there, and what came.
    """

    address: str
    redirects: Sequence[Probe]
    tests: Sequence[Probe]


def moved(evidence: Evidence) -> Moved | None:
    """
    Return the address of the same origin that all redirects lead to, each with its path below it;
    ``None`` if there is none, or something that tasks need replies where it is.
    """
    redirects = _redirects(evidence)
    address = _address_of_all(evidence, redirects)
    if not address or not evidence.of(Question.NO_SUCH_PATH):
        return None
    is_above = evidence.settings.base_url.startswith(address)
    for probe in evidence.of(Question.LIST, Question.DATA_KEY, Question.FILE_PATH):
        is_there = probe.request.url.startswith(f"{address}/")
        if probe.kind in (Kind.ANSWER, Kind.REFUSED) and (is_above or not is_there):
            return None
    return Moved(
        address=address,
        redirects=redirects,
        tests=evidence.sent_for(Question.OTHER_ADDRESS),
    )


def moved_coupons(evidence: Evidence) -> Moved | None:
    """
    Return the address of the same origin that all reads with the campaign key are redirected to,
    even that of a path that does not exist, while reads of segments are not; ``None`` if there is
    none, or no read there has anything.
    """
    redirects = _redirects(evidence)
    address = _address_of_all(evidence, redirects)
    is_of_any_path = any(probe.question is Question.NO_SUCH_PATH for probe in redirects)
    if not address or not is_of_any_path or not has_segments_in_place(evidence):
        return None
    tests = [
        probe
        for probe in evidence.of(Question.LIST_PATH, Question.FILE_PATH)
        if probe.request.url.startswith(f"{address}/")
    ]
    if not any(probe.success for probe in tests):
        return None
    return Moved(address, redirects, tests)


def _address_of_all(evidence: Evidence, redirects: Sequence[Probe]) -> str:
    """
    Return the address of the same origin that all of some redirects lead to, each with its path
    below it; empty if there is none.
    """
    addresses = {named_address(evidence.settings, probe) for probe in redirects}
    if len(addresses) != 1 or not all(map(leads_to_same_origin, redirects)):
        return ""
    return addresses.pop()


VERSION_AT_THE_END: Final = re.compile(r"/v\d+$")


def address_without_version(settings: WesSettings) -> str:
    """Return the address without a version at its end, which paths bring; empty without one."""
    address = VERSION_AT_THE_END.sub("", settings.base_url)
    if address == settings.base_url:
        return ""
    return address


class Versionless(NamedTuple):
    """
    What comes below the address without the version at its end.

    :ivar listed: the read of the list there.
    :ivar nowhere: the read of a path there that does not exist; ``None`` if it was not read.
    """

    address: str
    listed: Probe
    nowhere: Probe | None

    @property
    def has_list(self) -> bool:
        """Whether a list came."""
        return listed_in("", self.listed) is not None

    @property
    def may_have_list(self) -> bool:
        """Whether a list came, or the key is refused, which may be of any path."""
        is_refused = self.listed.kind is Kind.REFUSED or self.listed.error_status == 403
        return self.has_list or is_refused


def below_without_version(evidence: Evidence) -> Versionless | None:
    """Return what was read below the address without its version; ``None`` if nothing was."""
    address = address_without_version(evidence.settings)
    listed = nowhere = None
    for probe in evidence.of(Question.OTHER_ADDRESS):
        if probe.tried == address:
            listed = probe
        if probe.tried == nowhere_below(address):
            nowhere = probe
    if listed is None:
        return None
    return Versionless(address, listed, nowhere)


def nowhere_below(address: str) -> str:
    """Return what a read of a path that does not exist below an address is marked with."""
    return f"{address} no-such-path"


def versionless(evidence: Evidence) -> Versionless | None:
    """
    Return what comes below the address without the version at its end, if that is the service's:
    the list, or a refusal of the key, while a path there that does not exist gets something else,
    and the list was not found twice at the address as it is.

    What any path gets there, such as an empty list or a refusal, does not show that the version is
    wrong.
    """
    below = below_without_version(evidence)
    if below is None or below.nowhere is None or not below.may_have_list:
        return None
    answers = evidence.list_answers
    is_missing = len(answers) > 1 and all(probe.error_status == 404 for probe in answers)
    if not is_missing or below.nowhere.answer == below.listed.answer:
        return None
    return below


def has_segments_in_place(evidence: Evidence) -> bool:
    """Tell whether reads of segments are not redirected, so that the address is theirs."""
    return any(
        probe.kind in (Kind.ANSWER, Kind.REFUSED) for probe in evidence.of(Question.DATA_KEY)
    )


def path_below(settings: WesSettings, address: str, path: str) -> str:
    """Return a path as it is below another address, if it begins with what sets that apart."""
    prefix = address.removeprefix(settings.base_url)
    is_below = address != prefix and path.startswith(f"{prefix}/")
    if is_below:
        return path.removeprefix(prefix)
    return path


def leads_to_same_origin(probe: Probe) -> bool:
    """Tell whether a redirect leads to the scheme, host and port of its request."""
    return urlsplit(probe.request.url)[:2] == urlsplit(probe.location)[:2]


def leads_to_itself(probe: Probe) -> bool:
    """Tell whether a redirect leads to the URL of its request, but for the query."""
    return urlsplit(probe.request.url)[:3] == urlsplit(probe.location)[:3]


def adds_session(probe: Probe) -> bool:
    """Tell whether a redirect only adds something behind a semicolon, such as ``;jsessionid=``."""
    named = urlsplit(probe.location)
    before, semicolon, _ = named.path.partition(";")
    return bool(semicolon) and before == urlsplit(probe.request.url).path


def choices(probe: Probe) -> list[str]:
    """
    Return the addresses of the same origin that a reply with 300 offers, each with the request's
    path below it; none for any other reply.
    """
    if probe.status != MULTIPLE_CHOICES:
        return []
    sent = urlsplit(probe.request.url)
    urls = [urljoin(probe.request.url, url) for url in URL_OR_PATH.findall(probe.text)]
    offered = [urlsplit(url) for url in urls]
    return list(
        dict.fromkeys(
            f"{url.scheme}://{url.netloc}{url.path.removesuffix(sent.path)}"
            for url in offered
            if url[:2] == sent[:2] and url.path.endswith(sent.path) and url.path != sent.path
        )
    )


class Renamed(NamedTuple):
    """
    Another value in place of an identifier, which is all that a redirect changes.

    :ivar sent: the identifier of a list or of a file, as it was asked for.
    :ivar is_list: whether it is that of a list.
    :ivar value: in its place.
    """

    sent: str
    is_list: bool
    value: str

    @property
    def is_encoding(self) -> bool:
        """Whether it is the same identifier, encoded otherwise in the path."""
        return self.value == self.sent


def renamed(probe: Probe) -> Renamed | None:
    """
    Return what a redirect has in place of the list, or of the file, of its request, if it leads to
    the same origin and changes nothing else in the path; ``None`` if it does not.
    """
    if probe.kind is not Kind.ELSEWHERE or not leads_to_same_origin(probe):
        return None
    change = _one_change(probe)
    if change is None or leads_to_login(probe.location) or not _is_identifier(change.new):
        return None
    # Of a file that is called as its list is, the list counts.
    for identifier in filter(None, (probe.request.coupon_list_id, probe.request.subject)):
        if change.old == quote(identifier, safe=""):
            is_list = identifier == probe.request.coupon_list_id
            return Renamed(identifier, is_list, unquote(change.new))
    return None


class _Change(NamedTuple):
    """A part of a path, as it was sent, and as a redirect has it."""

    old: str
    new: str


def _one_change(probe: Probe) -> _Change | None:
    """Return what a redirect changes in a path if that is one part, perhaps at two places."""
    sent = urlsplit(probe.request.url).path.split("/")
    named = urlsplit(probe.location).path.split("/")
    if len(sent) != len(named):
        return None
    changes = {_Change(old, new) for old, new in zip(sent, named, strict=True) if old != new}
    if len(changes) != 1:
        return None
    return changes.pop()


def _is_identifier(segment: str) -> bool:
    """Tell whether a part of a path may be an identifier, and is no page such as ``404.html``."""
    is_page = re.search(r"\.(?:html?|php|aspx?|jsp)$|^\.*$", segment, re.IGNORECASE)
    return is_page is None and not AWAY.fullmatch(segment)


def _redirects(evidence: Evidence) -> list[Probe]:
    """Return the requests with the own keys that were redirected, each once."""
    redirects: dict[str, Probe] = {}
    for probe in evidence.probes:
        is_test = probe.question is Question.OTHER_ADDRESS
        if probe.kind is Kind.ELSEWHERE and probe.keys is Keys.OWN and not is_test:
            redirects.setdefault(probe.request.url, probe)
    return list(redirects.values())


def differing_redirects(evidence: Evidence) -> list[Probe]:
    """
    One redirect for each part of a path that redirects change, if they do not all change the same;
    none if they do.
    """
    redirects = _redirects(evidence)
    locations = {probe.location.partition("?")[0] for probe in redirects}
    changes: dict[tuple[str, str, str], Probe] = {}
    for probe in redirects:
        changes.setdefault(_change_of(probe), probe)
    if len(changes) > 1 and len(locations) > 1:
        return [*changes.values()]
    return []


def circle(evidence: Evidence) -> list[Probe]:
    """Return two redirects that lead to each other, such as by a slash at the end; else none."""
    redirects = _redirects(evidence)
    by_url = {probe.request.url.partition("?")[0]: probe for probe in redirects}
    for first in redirects:
        second = by_url.get(first.location.partition("?")[0])
        if second is None or second is first:
            continue
        if by_url.get(second.location.partition("?")[0]) is first:
            return [first, second]
    return []


def _change_of(probe: Probe) -> tuple[str, str, str]:
    """
    Tell what a redirect changes: the origin, and what is before the part that the paths share.
    """
    sent = urlsplit(probe.request.url).path
    origin, named = urlsplit(probe.location)[:2], urlsplit(probe.location).path
    if named == f"{sent}/":
        return "/".join(origin), "", "/"
    before, after = sent.split("/"), named.split("/")
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    return "/".join(origin), "/".join(before), "/".join(after)


def _differ_in_data_center(sent: str, named: str) -> bool:
    """
    Tell whether two hosts differ in digits of their first label only, and are no IP addresses.
    """
    first, dot, rest = sent.partition(".")
    other, _, other_rest = named.partition(".")
    is_name = bool(dot) and re.search("[a-z]", first) is not None
    if not is_name or rest != other_rest:
        return False
    return re.sub(r"\d+", "#", first) == re.sub(r"\d+", "#", other)


def named_paths(evidence: Evidence, probe: Probe, file_id: str = "") -> list[str]:
    """
    Return the paths that a reply names in place of its own, as the extra ``paths`` takes them: a
    redirect, a link to a successor, or a path in an error's message.

    :return: without those at another address, and those without the list or the file.
    """
    urls = []
    if probe.kind is Kind.ELSEWHERE:
        urls += [probe.location, _with_slash(evidence, probe)]
    elif not probe.success:
        urls += SUCCESSOR.findall(probe.response.headers.get("link", ""))
        urls += PATH.findall(probe.message)
    base_url, list_id = evidence.settings.base_url, evidence.list_id
    paths = [path_of(probe, url.rstrip("."), base_url, list_id, file_id) for url in urls]
    # What stands behind a semicolon is of one session only.
    return list(dict.fromkeys(path for path in paths if path and ";" not in path))


def _with_slash(evidence: Evidence, probe: Probe) -> str:
    """
    Return the URL of a request with a slash at its end, if a redirect to another origin adds that:
    a service behind a proxy may name a host, a scheme or a port of its own. Empty if the redirect
    is another one.
    """
    sent, named = urlsplit(probe.request.url), urlsplit(probe.location)
    if leads_to_same_origin(probe) or named.path != f"{sent.path}/":
        return ""
    if named_address(evidence.settings, probe):
        return ""
    return sent._replace(path=named.path).geturl()


# Members of a record that lead to the record itself, and not to what was uploaded.
LINKS: Final = frozenset("href url uri self link links _links @id location".split())


def linked_paths(evidence: Evidence, listing: Probe | None, file_id: str) -> list[str]:
    """
    Return the paths of one file that links in its record name, as the extra ``paths`` takes them.

    :param listing: a reply with the record; ``None`` for no reply.
    """
    if listing is None:
        return []
    urls = [
        link
        for record in records_at(listing.content)
        if record.get("_id") == file_id
        for link in _links_in(record)
    ]
    base_url, list_id = evidence.settings.base_url, evidence.list_id
    paths = [path_of(listing, url, base_url, list_id, file_id) for url in urls]
    return list(dict.fromkeys(filter(None, paths)))


def _links_in(content: Any, *, is_link: bool = False) -> Iterator[str]:
    """Yield the links of a record: in members called so, and in objects and arrays below them."""
    if isinstance(content, dict):
        for name, value in content.items():
            yield from _links_in(value, is_link=is_link or str(name).lower() in LINKS)
    elif isinstance(content, list):
        for value in content:
            yield from _links_in(value, is_link=is_link)
    elif is_link and isinstance(content, str) and "/" in content:
        yield content


def address_with_account(settings: WesSettings, probe: Probe) -> str:
    """
    Return the address with what an error says that paths begin with, such as ``/t/{tenant}``, and
    the login in it; empty if it names nothing of the kind.
    """
    named = BEFORE_VERSION.search(probe.message)
    if named is None or not is_account(named[2]):
        return ""
    account = quote(settings.workspace_id, safe="")
    prefix = named[1].replace(f"{{{named[2]}}}", account)
    if settings.base_url.endswith(prefix):
        return ""
    return f"{settings.base_url}{prefix}"


def path_of(probe: Probe, url: str, base_url: str, list_id: str, file_id: str = "") -> str:
    """
    Return a URL that a reply names as the extra ``paths`` takes it.

    :param base_url: the connection's address.
    :param file_id: the file that the path has to be of; empty for a path of the list.
    :return: empty if the URL is at another address, that of the request itself, or without the
        list or the file.
    """
    sent = urlsplit(probe.request.url)
    named = urlsplit(urljoin(probe.request.url, url))
    if sent[:2] != named[:2] or sent.path == named.path:
        return ""
    if probe.kind is Kind.ELSEWHERE and renamed(probe) is not None:
        return ""  # it is of that list or file alone
    segments = named.path.removeprefix(urlsplit(base_url).path).split("/")
    fields = {quote(list_id, safe=""): LIST_FIELD}
    sought = LIST_FIELD
    if file_id:
        sought = FILE_FIELD
        fields[quote(file_id, safe="")] = FILE_FIELD
    # Documentation has a word in braces in an identifier's place.
    blanks = list(filter(BLANK.fullmatch, segments))
    if len(blanks) == 1 and not is_account(blanks[0].strip("{}:")):
        fields[blanks[0]] = sought
    path = "/".join(fields.get(segment, segment) for segment in segments)
    if sought in path and not _has_other_braces(path):
        return path
    return ""


def _has_other_braces(path: str) -> bool:
    known = path.replace(LIST_FIELD, "").replace(FILE_FIELD, "")
    return "{" in known or "}" in known
