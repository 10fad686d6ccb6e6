"""Where redirects and errors say that something is instead: addresses, names and paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    LIST_AT,
    again,
    ids,
    listed,
    made_up,
    nowhere,
    one_file,
    redirected,
    segment,
)
from support.doctor_replies import SETTINGS, changed, error, evidence_of, reply, request_for
from wes_provider.client import requests
from wes_provider.doctor import redirects
from wes_provider.doctor.probes import Keys, Probe, Question

HOST = "https://api.example.com"
FILE_AT = f"{LIST_AT}/f1"


def to(location: str, question: Question = Question.LIST, **more: Any) -> Probe:
    """A request that is redirected."""
    return reply(307, headers={"location": location}, question=question, **more)


def of_address(base_url: str, location: str) -> Probe:
    """The read of the list at an address, which is redirected."""
    request = requests.list_coupon_files(changed(base_url=base_url), "spring")
    return to(location, request=request)


# -- the address that a redirect names -------------------------------------------------------------


class Named(NamedTuple):
    """The connection's address, where the list is redirected to, and the address that names."""

    name: str
    base_url: str
    location: str
    address: str = ""


OF_ONE = "https://api-01.example.com"
NAMED = [
    Named("below a prefix", HOST, f"{HOST}/gw{LIST_AT}", f"{HOST}/gw"),
    Named("above a prefix", f"{HOST}/gw", f"{HOST}{LIST_AT}", HOST),
    Named("another port", HOST, f"{HOST}:8443{LIST_AT}", f"{HOST}:8443"),
    Named("https", "http://api.example.com", f"{HOST}{LIST_AT}", HOST),
    Named("https, and a slash more", "http://api.example.com", f"{HOST}{LIST_AT}/", HOST),
    Named(
        "another data center",
        OF_ONE,
        f"https://api-2.example.com{LIST_AT}",
        "https://api-2.example.com",
    ),
]
NOT_NAMED = [
    Named("a slash more of the same origin", HOST, f"{HOST}{LIST_AT}/"),
    Named("a slash more of another port", HOST, f"{HOST}:8443{LIST_AT}/"),
    Named("a slash more below a prefix", HOST, f"{HOST}/gw{LIST_AT}/"),
    Named("another path", HOST, f"{HOST}/gw/other"),
    Named("the path itself, with a query", HOST, f"{HOST}{LIST_AT}?a=1"),
    Named("http", HOST, f"http://api.example.com{LIST_AT}"),
    Named("another scheme", HOST, f"ftp://api.example.com{LIST_AT}"),
    Named("another host", HOST, f"https://files.example.com{LIST_AT}"),
    Named("another domain", OF_ONE, f"https://api-02.example.org{LIST_AT}"),
    Named("other letters before the digits", OF_ONE, f"https://app-02.example.com{LIST_AT}"),
    Named("another IP address", "https://10.0.0.1", f"https://11.0.0.1{LIST_AT}"),
    Named("a host of one label", "https://api1", f"https://api2{LIST_AT}"),
]


@pytest.mark.parametrize("row", NAMED, ids=ids(NAMED))
def test_a_redirect_with_the_same_path_names_an_address_of_this_host_or_another_data_center(
    row: Named,
):
    """A slash at the end is another path, unless there is another host or https, too."""
    read = of_address(row.base_url, row.location)
    assert redirects.named_address(changed(base_url=row.base_url), read) == row.address


@pytest.mark.parametrize("row", NOT_NAMED, ids=ids(NOT_NAMED))
def test_a_redirect_to_another_path_or_where_no_key_may_go_names_no_address(row: Named):
    read = of_address(row.base_url, row.location)
    assert redirects.named_address(changed(base_url=row.base_url), read) == ""


def test_a_reply_that_is_no_redirect_names_no_address():
    read = reply(404, headers={"location": f"{HOST}/gw{LIST_AT}"})
    assert redirects.named_address(SETTINGS, read) == ""


OTHER_PORT = to(f"{HOST}:8443{LIST_AT}")


class Port(NamedTuple):
    """Where the read of the list of ``https://api.example.com`` is redirected to."""

    name: str
    location: str
    is_other: bool = False


PORTS = [
    Port("another port", f"{HOST}:8443{LIST_AT}", is_other=True),
    Port("another port and path", f"{HOST}:8443/x", is_other=True),
    Port("the same origin", f"{HOST}/x"),
    Port("another scheme", f"http://api.example.com{LIST_AT}"),
    Port("another host with a port", f"https://files.example.com:8443{LIST_AT}"),
]


@pytest.mark.parametrize("row", PORTS, ids=ids(PORTS))
def test_a_redirect_leads_to_another_port_if_host_and_scheme_are_the_same(row: Port):
    assert redirects.is_other_port(to(row.location)) is row.is_other


class Other(NamedTuple):
    """Reads, and the address of another origin that the last of the list names."""

    name: str
    probes: Sequence[Probe]
    address: str = ""


OTHERS = [
    Other("a redirect to another port", [OTHER_PORT], f"{HOST}:8443"),
    Other(
        "an answer, then a redirect to another port",
        [listed(404), to(f"{HOST}:8443{LIST_AT}", Question.AGAIN)],
        f"{HOST}:8443",
    ),
    Other("a redirect to another port, then an answer", [OTHER_PORT, again(404)]),
    Other("a redirect below a prefix of this origin", [to(f"{HOST}/gw{LIST_AT}")]),
    Other("no read", []),
]


@pytest.mark.parametrize("row", OTHERS, ids=ids(OTHERS))
def test_the_last_read_of_the_list_names_an_address_of_another_origin(row: Other):
    assert redirects.other_address(evidence_of(*row.probes)) == row.address


# -- a service that moved as a whole ---------------------------------------------------------------


def below(prefix: str, probe: Probe) -> Probe:
    """A request that is redirected below a prefix of this origin."""
    url = probe.request.url.replace("example.com", f"example.com{prefix}", 1)
    return reply(
        307,
        headers={"location": url},
        question=probe.question,
        request=probe.request,
        keys=probe.keys,
    )


MOVED = [below("/gw", listed()), below("/gw", nowhere())]


class Moving(NamedTuple):
    """Reads, and the address that the service is below as a whole; empty if it did not move."""

    name: str
    probes: Sequence[Probe]
    address: str = f"{HOST}/gw"
    settings: Any = SETTINGS


MOVES = [
    Moving("the list and a path that does not exist", MOVED),
    Moving("these, and an answer to a path that does not exist", [*MOVED, nowhere(404)]),
    Moving("these, and a page in place of segments", [*MOVED, segment(200, "<html>")]),
    Moving("these, and no redirect of a made-up key", [*MOVED, made_up()]),
    Moving(
        "these, and a redirect of a made-up key to another place",
        [*MOVED, below("/other", made_up())],
    ),
    Moving(
        "these, and the read of a file below the prefix",
        [
            *MOVED,
            one_file(404, request=request_for(Question.FILE_PATH, path="/gw/f/{coupon_file_id}")),
        ],
    ),
]
NOT_MOVED = [
    Moving("no redirect", [listed(404), nowhere()], ""),
    Moving("the list alone", MOVED[:1], ""),
    Moving("two addresses", [MOVED[0], below("/other", nowhere())], ""),
    Moving("one redirect to another path", [MOVED[0], to("/sorry", Question.NO_SUCH_PATH)], ""),
    Moving(
        "another origin",
        [OTHER_PORT, to(f"{HOST}:8443/v1/wes-doctor/spring", Question.NO_SUCH_PATH)],
        "",
    ),
    Moving(
        "an answer to segments, and the list and a path that does not exist",
        [*MOVED, segment(404)],
        "",
    ),
    Moving("a refusal of segments", [*MOVED, segment(401)], ""),
    Moving("an answer to the read of a file", [*MOVED, one_file(404)], ""),
    Moving("an answer to another read of the list", [*MOVED, listed(404)], ""),
]


@pytest.mark.parametrize("row", MOVES, ids=ids(MOVES))
def test_a_service_has_moved_if_all_redirects_of_the_own_keys_lead_below_one_address(row: Moving):
    moved = redirects.moved(evidence_of(*row.probes))
    assert moved is not None
    assert moved.address == row.address


@pytest.mark.parametrize("row", NOT_MOVED, ids=ids(NOT_MOVED))
def test_a_service_has_not_moved_if_redirects_differ_or_something_replies_where_it_is(row: Moving):
    assert redirects.moved(evidence_of(*row.probes)) is None


@pytest.mark.parametrize("is_answered", [True, False], ids=["an answer", "no answer"])
def test_nothing_has_moved_above_the_address_if_anything_replies_below_it(is_answered: bool):
    """What is below the address is also below the one above."""
    settings = changed(base_url=f"{HOST}/api")
    probes = [
        to(f"{HOST}{LIST_AT}", request=request_for(Question.LIST, settings)),
        to(
            f"{HOST}/v1/wes-doctor/spring",
            Question.NO_SUCH_PATH,
            request=request_for(Question.NO_SUCH_PATH, settings),
        ),
    ]
    if is_answered:
        probes.append(segment(404, request=request_for(Question.DATA_KEY, settings)))
    moved = redirects.moved(evidence_of(*probes, settings=settings))
    assert (moved is None) is is_answered


class Below(NamedTuple):
    """An address, a path of the connection, and the path as it is below that address."""

    name: str
    address: str
    path: str
    expected: str


BELOW = [
    Below("the prefix is a part of the path", f"{HOST}/gw", "/gw/v1/a", "/v1/a"),
    Below("the path is without the prefix", f"{HOST}/gw", "/v1/a", "/v1/a"),
    Below("the path begins with a longer word", f"{HOST}/gw", "/gwx/v1/a", "/gwx/v1/a"),
    Below("the address is another one", "https://b.test/gw", "/gw/v1/a", "/gw/v1/a"),
]


@pytest.mark.parametrize("row", BELOW, ids=ids(BELOW))
def test_a_path_below_another_address_is_without_what_sets_that_apart(row: Below):
    assert redirects.path_below(SETTINGS, row.address, row.path) == row.expected


# -- circles, and redirects that differ ------------------------------------------------------------

SLASHED = request_for(Question.LIST)._replace(url=f"{HOST}{LIST_AT}/")
TO_SLASH, FROM_SLASH = to(f"{LIST_AT}/"), to(LIST_AT, request=SLASHED)


class Circle(NamedTuple):
    """Reads, and the places of those that lead to each other."""

    name: str
    probes: Sequence[Probe]
    circle: list[int]


CIRCLES = [
    Circle("a slash more, and one less", [TO_SLASH, FROM_SLASH], [0, 1]),
    Circle(
        "these, with queries",
        [to(f"{LIST_AT}/?a=1"), to(f"{LIST_AT}?a=2", request=SLASHED)],
        [0, 1],
    ),
    Circle(
        "these, behind another redirect", [below("/gw", segment()), TO_SLASH, FROM_SLASH], [1, 2]
    ),
    Circle("a redirect to itself", [to(LIST_AT)], []),
    Circle("a redirect that is not followed by one", [TO_SLASH], []),
    Circle(
        "a redirect to one that leads on", [TO_SLASH, to(f"{LIST_AT}.json", request=SLASHED)], []
    ),
    Circle(
        "one with a made-up key", [TO_SLASH, to(LIST_AT, request=SLASHED, keys=Keys.MADE_UP)], []
    ),
]


@pytest.mark.parametrize("row", CIRCLES, ids=ids(CIRCLES))
def test_two_redirects_of_the_own_keys_are_a_circle_if_they_lead_to_each_other(row: Circle):
    found = redirects.circle(evidence_of(*row.probes))
    assert [row.probes.index(probe) for probe in found] == row.circle


class Differing(NamedTuple):
    """Reads, and the places of those whose redirects differ."""

    name: str
    probes: Sequence[Probe]
    differing: list[int]


DIFFERING = [
    Differing("a slash, and a prefix", [TO_SLASH, below("/gw", segment())], [0, 1]),
    Differing("a prefix twice", [below("/gw", listed()), below("/gw", segment())], []),
    Differing(
        "a prefix twice, and another one",
        [below("/gw", listed()), below("/gw", nowhere()), below("/x", segment())],
        [0, 2],
    ),
    Differing("one page for all", [to("/sorry?a=1"), to("/sorry?a=2", Question.NO_SUCH_PATH)], []),
    Differing("a test of another address", [TO_SLASH, to("/x", Question.OTHER_ADDRESS)], []),
    Differing("a made-up key", [TO_SLASH, below("/gw", made_up())], []),
    Differing("the same request twice", [TO_SLASH, to(f"{LIST_AT}.json", Question.AGAIN)], []),
    Differing("one redirect", [TO_SLASH], []),
]


@pytest.mark.parametrize("row", DIFFERING, ids=ids(DIFFERING))
def test_redirects_of_the_own_keys_differ_that_change_other_parts_and_lead_to_other_places(
    row: Differing,
):
    found = redirects.differing_redirects(evidence_of(*row.probes))
    assert [row.probes.index(probe) for probe in found] == row.differing


# -- another name of a list or of a file -----------------------------------------------------------


class Rename(NamedTuple):
    """A redirect, and the identifier that it changes: as it was sent, and what it becomes."""

    name: str
    probe: Probe
    sent: str
    is_list: bool
    value: str


def file_called(file_id: str, location: str) -> Probe:
    request = request_for(Question.FILE_PATH, file_id=file_id)
    return to(location, Question.FILE_PATH, request=request)


RENAMED = [
    Rename("the list", to("/v1/coupon-list/winter/files"), "spring", is_list=True, value="winter"),
    Rename(
        "the list, encoded", to("/v1/coupon-list/a%20b/files"), "spring", is_list=True, value="a b"
    ),
    Rename(
        "the list of a file",
        file_called("f1", "/v1/coupon-list/winter/files/f1"),
        "spring",
        is_list=True,
        value="winter",
    ),
    Rename("the file", file_called("f1", f"{LIST_AT}/f2"), "f1", is_list=False, value="f2"),
    Rename(
        "a list and a file of one name",
        file_called("spring", "/v1/coupon-list/x/files/x"),
        "spring",
        is_list=True,
        value="x",
    ),
]
NOT_RENAMED = [
    ("two changes", to("/v2/coupon-list/winter/files")),
    ("a part that is no identifier", to("/v1/coupon-lists/spring/files")),
    ("a part more", to("/v1/coupon-list/winter/files/all")),
    ("another origin", to(f"{HOST}:8443/v1/coupon-list/winter/files")),
    ("a page", to("/v1/coupon-list/404.html/files")),
    ("a name for a login", to("/v1/coupon-list/login/files")),
    ("no redirect", listed(404)),
]


@pytest.mark.parametrize("row", RENAMED, ids=ids(RENAMED))
def test_a_redirect_that_changes_one_identifier_alone_names_another_list_or_file(row: Rename):
    """Of a file that is called as its list is, the list counts."""
    assert redirects.renamed(row.probe) == redirects.Renamed(row.sent, row.is_list, row.value)


@pytest.mark.parametrize(
    "probe", [probe for _, probe in NOT_RENAMED], ids=[name for name, _ in NOT_RENAMED]
)
def test_any_other_redirect_names_no_other_list_or_file(probe: Probe):
    assert redirects.renamed(probe) is None


# -- other paths -----------------------------------------------------------------------------------


class Paths(NamedTuple):
    """A reply to the read of the list, and the paths that it names."""

    name: str
    probe: Probe
    paths: list[str]


OTHER_LIST_PATH = "/v2/lists/{coupon_list_id}/files"
SAID = "Use /v2/lists/spring/files."
PATHS = [
    Paths("a redirect", to("/v2/lists/spring/files"), [OTHER_LIST_PATH]),
    Paths(
        "a redirect that adds a slash and another host",
        to(f"https://internal.test{LIST_AT}/"),
        ["/v1/coupon-list/{coupon_list_id}/files/"],
    ),
    Paths(
        "a redirect that adds a slash and another port",
        to(f"{HOST}:8443{LIST_AT}/"),
        ["/v1/coupon-list/{coupon_list_id}/files/"],
    ),
    Paths(
        "a redirect that adds a slash and http",
        to(f"http://api.example.com{LIST_AT}/"),
        ["/v1/coupon-list/{coupon_list_id}/files/"],
    ),
    Paths(
        "a link to a successor",
        listed(410, headers={"link": '</v2/lists/spring/files>; rel="successor-version"'}),
        [OTHER_LIST_PATH],
    ),
    Paths("words", listed(404, error("moved", SAID)), [OTHER_LIST_PATH]),
    Paths("words of an error with 200", listed(200, error("moved", SAID)), [OTHER_LIST_PATH]),
    Paths(
        "a place in braces", listed(404, error("", "Use /v2/lists/{id}/files.")), [OTHER_LIST_PATH]
    ),
]
NO_PATHS = [
    Paths("a redirect with a session", to("/v2/lists/spring/files;jsessionid=1"), []),
    Paths("a redirect to the path itself", to(f"{LIST_AT}?a=1"), []),
    Paths("a redirect to another list", to("/v1/coupon-list/winter/files"), []),
    Paths("a redirect without the list", to("/v2/lists/files"), []),
    Paths("a redirect to another origin", to(f"{HOST}:8443/v2/lists/spring/files"), []),
    Paths("words of a success", listed(200, [{"_id": "f1", "message": SAID}]), []),
    Paths("an account in braces", listed(404, error("", "Use /v2/lists/{tenant}/files.")), []),
    Paths("two places in braces", listed(404, error("", "Use /v2/{a}/lists/{b}/files.")), []),
]


@pytest.mark.parametrize("row", [*PATHS, *NO_PATHS], ids=ids([*PATHS, *NO_PATHS]))
def test_a_path_of_the_list_that_a_redirect_a_link_or_words_name_is_found(row: Paths):
    assert redirects.named_paths(evidence_of(row.probe), row.probe) == row.paths


def test_the_path_of_one_file_is_named_for_that_file_alone():
    read = to("/v2/files/f1", Question.FILE_PATH)
    evidence = evidence_of(read)
    assert redirects.named_paths(evidence, read, "f1") == ["/v2/files/{coupon_file_id}"]
    assert redirects.named_paths(evidence, read, "f2") == []


class Account(NamedTuple):
    """The connection's address, an error's message, and the address with the account."""

    name: str
    base_url: str
    message: str
    address: str


ACCOUNTS = [
    Account("a prefix with the account", HOST, "Use /t/{tenant}/v1/", f"{HOST}/t/workspace"),
    Account("the account alone", HOST, "Use /{workspace}/v1/", f"{HOST}/workspace"),
    Account("something else in braces", HOST, "Use /t/{thing}/v1/", ""),
    Account("no braces", HOST, "Use /t/v1/", ""),
    Account("the address ends so", f"{HOST}/t/workspace", "Use /t/{tenant}/v1/", ""),
    Account(
        "the address begins so",
        f"{HOST}/t/workspace/x",
        "Use /t/{tenant}/v1/",
        f"{HOST}/t/workspace/x/t/workspace",
    ),
]


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_what_paths_begin_with_is_put_into_the_address_with_the_login(row: Account):
    """Unless the address ends with it."""
    settings = changed(base_url=row.base_url)
    probe = listed(404, error("", row.message))
    assert redirects.address_with_account(settings, probe) == row.address


def test_the_first_redirect_of_a_request_counts():
    later = redirected("/sorry", question=Question.AGAIN)
    probes = [TO_SLASH, later, below("/gw", segment())]
    found = redirects.differing_redirects(evidence_of(*probes))
    assert [probes.index(probe) for probe in found] == [0, 2]
