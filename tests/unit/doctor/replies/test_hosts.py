"""
A redirect to the same path on another host names that host as an address, with its port and what is
before the path; not if the path differs, the host is the same, or it is one for people (docs, help,
www, app and the like) or a login.

An error names another host if its words say where something is ("use", "moved", "served", "hosted"
and the like) or its status is 421. Then it is read from a URL, from a name of three labels or more
after a word such as "at", "to" or "host", or from a member that is called after a host or an
address and has nothing else. A version and what follows it are cut off. If words name none,
several, this one, or one for people, none is read. A 200 that is no error, and a reply without a
message, name none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_reads import SETTINGS, error_body, probe
from wes_provider.doctor.reads.evidence import list_at
from wes_provider.doctor.replies.hosts import other_host


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
    assert other_host(probe(404, error_body("moved", row.message))) == row.address


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
    assert other_host(probe(404, error_body("moved", row.message))) == row.address


class Reply(NamedTuple):
    """A reply, and the other address that it names."""

    name: str
    status: int
    content: Any
    address: str = ""


def with_member(name: str, value: Any, message: str = "Moved.") -> dict[str, Any]:
    return {**error_body("moved", message), name: value}


def test_a_misdirected_request_needs_no_word_for_where_something_is():
    assert other_host(probe(421, error_body("x", "See https://coupons.example.org"))) == COUPONS


WITHOUT_A_WORD = [
    Reply("misdirected, without a message", 421, with_member("host", "a.b.test", "")),
    Reply("any other error", 404, error_body("x", "See https://coupons.example.org")),
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
