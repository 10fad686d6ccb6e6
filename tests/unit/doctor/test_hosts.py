"""Another host that replies name: that of a browser login, or that of what was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_reads import FILE_READ, LIST_READ, SEGMENT_READ, SETTINGS, error, probe
from wes_provider.client.requests import Request, upload
from wes_provider.doctor.evidence import list_at
from wes_provider.doctor.hosts import leads_to_login, other_host, second_connection

HOSTS = [
    "login.test",
    "logon.test",
    "signin.test",
    "sso.test",
    "auth.test",
    "idp.test",
    "identity.test",
    "accounts.test",
    "adfs.test",
    "LOGIN.test",
    "eu-west_1-login.test",
    "login:8443",
]


@pytest.mark.parametrize("host", HOSTS)
def test_a_login_is_known_by_its_host(host: str):
    assert leads_to_login(f"https://{host}/x")


PATHS = [
    "/oauth",
    "/oauth2/x",
    "/a/openid-connect/auth",
    "/authorize",
    "/saml/x",
    "/saml2",
    "/sso",
    "/signin",
    "/sign-in",
    "/login.aspx",
    "/Log-In",
    "/adfs/ls",
]


@pytest.mark.parametrize("path", PATHS)
def test_a_login_is_known_by_its_path(path: str):
    assert leads_to_login(f"https://api.test{path}")


QUERIES = ["client_id=1", "a=1&redirect_uri=", "SAMLRequest=x", "RelayState=x"]


@pytest.mark.parametrize("query", QUERIES)
def test_a_login_is_known_by_a_parameter(query: str):
    assert leads_to_login(f"https://api.test/x?{query}")


NO_LOGINS = [
    "https://api.test/x",
    "https://api.test/",
    "https://mylogin.test/x",
    "https://logins.test/x",
    "https://api.login.test/x",
    "https://api.test/logins",
    "https://api.test/xlogin",
    "https://api.test/x?state=1",
    "https://api.test/x#client_id=1",
    "/x",
    "/x?state=1",
]


@pytest.mark.parametrize("url", NO_LOGINS)
def test_a_url_leads_to_no_login_whose_first_label_path_and_parameters_are_none_of_these(url: str):
    assert not leads_to_login(url)


class Redirect(NamedTuple):
    """Where a read of the list is redirected to, and the other address that this names."""

    name: str
    location: str
    address: str = ""


PATH = "/v1/coupon-list/spring/files"
REDIRECTS = [
    Redirect("another host", f"https://coupons.test{PATH}", "https://coupons.test"),
    Redirect(
        "another port, too, and a query",
        f"https://coupons.test:8443{PATH}?key=1",
        "https://coupons.test:8443",
    ),
    Redirect("with a user", f"https://user:password@coupons.test{PATH}", "https://coupons.test"),
    Redirect("below a path", f"http://coupons.test/eu{PATH}", "http://coupons.test/eu"),
]
OTHER_REDIRECTS = [
    Redirect("another path", "https://coupons.test/other"),
    Redirect("a slash more", f"https://coupons.test{PATH}/"),
    Redirect("the same host", f"https://api.example.com/eu{PATH}"),
    Redirect("another port of the same host", f"https://API.example.com:8443{PATH}"),
    Redirect("no host", f"https://{PATH}"),
    Redirect("a host for people", f"https://docs.test{PATH}"),
    Redirect("a login", f"https://login.test{PATH}"),
]


@pytest.mark.parametrize("row", REDIRECTS, ids=[row.name for row in REDIRECTS])
def test_a_redirect_of_the_same_path_names_another_host(row: Redirect):
    read = probe(307, headers={"location": row.location})
    assert other_host(read) == row.address


@pytest.mark.parametrize("row", OTHER_REDIRECTS, ids=[row.name for row in OTHER_REDIRECTS])
def test_a_redirect_of_another_path_to_the_same_host_or_for_people_names_none(row: Redirect):
    assert other_host(probe(307, headers={"location": row.location})) == ""


def test_the_path_of_a_connection_is_no_part_of_the_address_though_it_has_no_version():
    read = list_at(SETTINGS, "/lists/{coupon_list_id}", "spring")
    headers = {"location": "https://coupons.test/eu/lists/spring"}
    assert other_host(probe(307, request=read, headers=headers)) == "https://coupons.test/eu"


class Words(NamedTuple):
    """An error's message, and the other address that it names; empty for none."""

    message: str
    address: str


COUPONS = "https://coupons.example.org"
WORDS = [
    Words("Use https://coupons.example.org", COUPONS),
    Words("Use https://coupons.example.org.", COUPONS),
    Words("Use HTTP://coupons.example.org:8080/api", "http://coupons.example.org:8080/api"),
    Words(f"Use https://coupons.example.org{PATH}", COUPONS),
    Words("Use https://coupons.example.org/eu/v1", f"{COUPONS}/eu"),
    Words("Use https://coupons.example.org/v2/{x}/y", COUPONS),
    Words("Use https://coupons.example.org/v1x/y", f"{COUPONS}/v1x/y"),
    Words("Use https://coupons.example.org/", COUPONS),
    Words("Use https://coupons.example.org/v1 or https://coupons.example.org/v2", COUPONS),
    Words("Use https://coupons.example.org, see https://docs.example.org", COUPONS),
    *(
        Words(f"It {word} at coupons.example.org", COUPONS)
        for word in (
            "is in use",
            "is hosted",
            "is served",
            "serves",
            "serve",
            "moved",
            "is located",
            "is available",
            "may call",
            "may send",
            "goes to it",
            "go to it",
            "lives",
            "live",
            "resides",
            "reside",
            "is reached",
            "is migrated",
            "is redirected",
            "bleibt erreichbar",
            "bitte verwenden",
            "is instead",
            "MOVED",
        )
    ),
    *(
        Words(f"Moved: {word} coupons.example.org", COUPONS)
        for word in (
            "use",
            "at",
            "to",
            "on",
            "via",
            "from",
            "is",
            "host",
            "call",
            "under",
            "auf",
            "host:",
            "host =",
            "TO",
        )
    ),
    Words("Moved: host='coupons.example.org'", COUPONS),
    Words('Moved: host "coupons.example.org"', COUPONS),
    Words("Moved: host `coupons.example.org`", COUPONS),
    Words("Moved to eu.docs.example.org", "https://eu.docs.example.org"),
    Words("Using it is fine: at coupons.example.org", COUPONS),
    Words("Use https://coupons.example.org/eu/v10/x", f"{COUPONS}/eu"),
    Words("Moved to coupons.example.org:8443", f"{COUPONS}:8443"),
    Words("Moved to apps.example.org", "https://apps.example.org"),
]


@pytest.mark.parametrize("row", WORDS, ids=[row.message for row in WORDS])
def test_an_address_is_found_in_words_that_say_where_something_is_or_is_to_be_sent(row: Words):
    assert other_host(probe(404, error("moved", row.message))) == row.address


NO_WORDS = [
    Words("See https://coupons.example.org", ""),
    Words("Use https://api.example.com/v2", ""),
    Words("Use https://coupons.example.org or https://other.example.org", ""),
    Words("Use https://login.example.org", ""),
    Words("It is at coupons.example.org", ""),
    Words("It was removed at coupons.example.org", ""),
    Words("Moved to example.org", ""),
    Words("Moved to v1.2.3", ""),
    Words("Moved with coupons.example.org", ""),
    Words("Moved into coupons.example.org", ""),
    Words("Moved tocoupons.example.org", ""),
    *(
        Words(f"Moved to {word}.example.org", "")
        for word in (
            "doc",
            "docs",
            "help",
            "support",
            "developer",
            "developers",
            "console",
            "dashboard",
            "status",
            "www",
            "error",
            "errors",
            "admin",
            "my",
            "app",
            "portal",
        )
    ),
    Words("", ""),
]


@pytest.mark.parametrize("row", NO_WORDS, ids=[row.message for row in NO_WORDS])
def test_no_address_is_found_if_words_name_none_several_this_one_or_one_for_people(row: Words):
    assert other_host(probe(404, error("moved", row.message))) == row.address


class Reply(NamedTuple):
    """A reply, and the other address that it names."""

    name: str
    status: int
    content: Any
    address: str = ""


def with_member(name: str, value: Any, message: str = "Moved.") -> dict[str, Any]:
    return {**error("moved", message), name: value}


def test_a_misdirected_request_needs_no_word_for_where_something_is():
    assert other_host(probe(421, error("x", "See https://coupons.example.org"))) == COUPONS


WITHOUT_A_WORD = [
    Reply("misdirected, without a message", 421, with_member("host", "a.b.test", "")),
    Reply("any other error", 404, error("x", "See https://coupons.example.org")),
    Reply("a success without an error", 200, {"message": "Use https://coupons.example.org"}),
]


@pytest.mark.parametrize("row", WITHOUT_A_WORD, ids=[row.name for row in WITHOUT_A_WORD])
def test_without_words_for_where_something_is_any_other_reply_than_421_names_no_host(row: Reply):
    assert other_host(probe(row.status, row.content)) == ""


REPLIES = [
    *(
        Reply(name, 404, with_member(name, "coupons.example.org"), COUPONS)
        for name in (
            "host",
            "newEndpoint",
            "base_url",
            "baseUri",
            "api-url",
            "APIURL",
            "address",
            "server_name",
        )
    ),
    Reply("a URL", 404, with_member("host", "https://coupons.example.org/v1"), COUPONS),
    Reply("a URL without TLS", 404, with_member("host", "http://a.test"), "http://a.test"),
    Reply(
        "a host within another object",
        404,
        with_member("go", {"host": "coupons.example.org"}),
        COUPONS,
    ),
]
NO_MEMBERS = [
    Reply(
        "another member within an object host",
        404,
        with_member("host", {"x": "coupons.example.org"}),
    ),
    Reply("another member", 404, with_member("x", "coupons.example.org")),
    Reply("two labels", 404, with_member("host", "example.org")),
    Reply("a sentence", 404, with_member("host", "at coupons.example.org")),
    Reply("a host with words", 404, with_member("host", "coupons.example.org (EU)")),
    Reply("a number", 404, with_member("host", 7)),
    Reply(
        "a message that does not say where something is",
        404,
        with_member("host", "coupons.example.org", "No."),
    ),
]


@pytest.mark.parametrize("row", REPLIES, ids=[row.name for row in REPLIES])
def test_members_of_an_error_called_after_a_host_or_an_address_name_another_host(row: Reply):
    assert other_host(probe(row.status, row.content)) == row.address


@pytest.mark.parametrize("row", NO_MEMBERS, ids=[row.name for row in NO_MEMBERS])
def test_other_members_or_values_that_are_no_host_alone_name_none(row: Reply):
    assert other_host(probe(row.status, row.content)) == ""


class Advice(NamedTuple):
    """What was read, and what to do if it is on another host."""

    name: str
    read: Request
    text: str


OF_COUPONS = (
    "Coupon lists and files are at https://coupons.test, by the service's words: leave this "
    "connection for segments, and make a second one with that Address and the Campaign API key as "
    "its password. Name it in the tasks with coupons, and run wes-doctor --conn-id ID on it."
)
ADVICE = [
    Advice("a list", LIST_READ, OF_COUPONS),
    Advice("a file", FILE_READ, OF_COUPONS),
    Advice(
        "a segment",
        SEGMENT_READ,
        "Segments (/v3) are at https://coupons.test, by the service's words: leave this "
        "connection for coupons, and make a second one with that Address and the Data API key as "
        "its password. Name it in the tasks that update segments, and run wes-doctor --conn-id ID "
        "on it.",
    ),
]


UPLOAD = upload(SETTINGS, "spring", {"file_url": "https://files.example.com/a.csv"})


class Refused(NamedTuple):
    """The words of a refusal that name a host, and what is refused: an upload, if nothing is said."""

    name: str
    message: str
    request: Request = UPLOAD
    code: str = "misdirected"


STANDBY = "This site is a standby. The primary is at api-fra.wes.example.net."
CHANGES = [
    Refused("a standby, to an upload", STANDBY),
    Refused("a replica that is read-only", "A read-only replica: use api.example.net."),
    Refused("no writes", "No writes here: send them to api.example.net."),
    Refused("a replica, by the code alone", "Use api.example.net.", code="read-only-replica"),
]


@pytest.mark.parametrize("row", CHANGES, ids=[row.name for row in CHANGES])
def test_a_host_that_takes_changes_in_place_of_this_one_needs_no_second_connection(row: Refused):
    said = second_connection(probe(421, error(row.code, row.message), request=row.request))
    assert said.startswith("It names https://api")
    assert "make a second one" not in said


OTHER_USES = [
    Refused("a standby, to a read", STANDBY, request=LIST_READ),
    Refused("a place of uploads", "Uploads moved: use ingest.example.net."),
]


@pytest.mark.parametrize("row", OTHER_USES, ids=[row.name for row in OTHER_USES])
def test_a_host_of_reads_or_of_uploads_alone_needs_a_second_connection(row: Refused):
    said = second_connection(probe(421, error(row.code, row.message), request=row.request))
    assert "make a second one" in said


def redirected(read: Request, to: str) -> Mapping[str, str]:
    """The header of a redirect of the same path."""
    return {"location": f"{to}{read.url.removeprefix('https://api.example.com')}"}


@pytest.mark.parametrize("row", ADVICE, ids=[row.name for row in ADVICE])
def test_what_is_on_another_host_gets_a_connection_of_its_own(row: Advice):
    headers = redirected(row.read, "https://coupons.test")
    assert second_connection(probe(307, request=row.read, headers=headers)) == row.text


def test_without_another_host_there_is_nothing_to_do():
    assert second_connection(probe(404, error("not-found", "no such list"))) == ""
