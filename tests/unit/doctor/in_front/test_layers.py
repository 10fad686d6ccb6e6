"""
A layer before the service refuses everybody if two reads of the list, one of a path that does not
exist and one with a made-up key all get the same 401, as a web page, or as text or no body with a
realm that only a layer has (traefik, VPN). Lost reads change nothing, but each of these four has to
have an answer. A page with 403, JSON, a redirect, and text without such a realm show no layer.

It is said to want a login of its own by the scheme that its challenge demands, a password if that
is Basic, or else to refuse each read, with its words; a web server's name (nginx) is said, not that
of any service (Apache-Coyote). The realm of a Basic challenge tells something unless all its words
are those of any service ("Restricted area, the API"); it has 80 characters at most. The headers Via
and Warning of a reply are quoted. Secrets are masked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    PAGE,
    UNAUTHENTICATED,
    again,
    ids,
    listed,
    lost,
    made_up,
    nowhere,
    redirected,
)
from support.doctor_replies import evidence_of
from wes_provider.doctor.in_front.layers import came_by, conclude_on_layer, is_layer, telling_realm
from wes_provider.doctor.replies.probes import Keys, Probe, Question

TRAEFIK = {"www-authenticate": 'Basic realm="traefik"'}


class Reads(NamedTuple):
    """Reads of an account."""

    name: str
    probes: Sequence[Probe]


def all_refused(content: Any, **headers: str) -> list[Probe]:
    """The list twice, a path that does not exist, and the list with a made-up key, refused alike."""
    more = {"headers": {name.replace("_", "-"): value for name, value in headers.items()}}
    return [
        listed(401, content, **more),
        again(401, content, **more),
        nowhere(401, content, **more),
        made_up(401, content, **more),
    ]


REFUSED = all_refused(PAGE)
LOST_MADE_UP = lost(question=Question.MADE_UP_KEY, keys=Keys.MADE_UP)
LAYERS = [
    Reads("a page", REFUSED),
    Reads("a page, and a read that was lost", [*REFUSED, lost(question=Question.AGAIN)]),
    Reads(
        "text with a layer's realm", all_refused("No.", www_authenticate='Basic realm="traefik"')
    ),
    Reads("no body with a layer's realm", all_refused(b"", www_authenticate='Basic realm="VPN"')),
]
NO_LAYERS = [
    Reads("the list was read once", [REFUSED[0], *REFUSED[2:]]),
    Reads("no path that does not exist was read", [*REFUSED[:2], REFUSED[3]]),
    Reads("no made-up key was sent", REFUSED[:3]),
    Reads("the read with a made-up key was lost", [*REFUSED[:3], LOST_MADE_UP]),
    Reads("a made-up key gets something else", [*REFUSED[:3], made_up()]),
    Reads("the path that does not exist gets something else", [*REFUSED, nowhere()]),
    Reads("JSON", all_refused(UNAUTHENTICATED)),
    Reads("text without a realm", all_refused("No.")),
    Reads(
        "no body, with a realm of any service",
        all_refused(b"", www_authenticate='Basic realm="api"'),
    ),
    Reads("a page with 403", [*2 * [listed(403, PAGE)], nowhere(403, PAGE), made_up(403, PAGE)]),
    Reads("redirects", [*2 * [redirected("/a")], redirected("/a", question=Question.NO_SUCH_PATH)]),
]


@pytest.mark.parametrize("row", LAYERS, ids=ids(LAYERS))
def test_a_layer_refuses_the_list_twice_another_path_and_a_made_up_key_alike(row: Reads):
    """By a page; or by text or no body, with a realm that only a layer has."""
    assert is_layer(evidence_of(*row.probes))


@pytest.mark.parametrize("row", NO_LAYERS, ids=ids(NO_LAYERS))
def test_no_layer_is_shown_by_refusals_that_a_service_may_send_that_differ_or_of_too_few_reads(
    row: Reads,
):
    evidence = evidence_of(*row.probes)
    assert not is_layer(evidence)
    assert conclude_on_layer(evidence) is None


class Came(NamedTuple):
    """The body and the headers of a refusal of everybody, and what is said of it."""

    name: str
    content: Any
    headers: Mapping[str, str]
    says: str


CAME = [
    Came(
        "a page with words",
        PAGE,
        {},
        "What replied refuses each read (a web page with 401 to whatever key: 'Hello'); ",
    ),
    Came(
        "a page with words, of a web server",
        PAGE,
        {"server": "nginx/1.24.0"},
        "What replied refuses each read (a web page with 401 to whatever key: 'Hello', and the "
        "Server nginx/1.24.0); ",
    ),
    Came(
        "a page of a server of any service",
        PAGE,
        {"server": "Apache-Coyote/1.1"},
        "What replied refuses each read (a web page with 401 to whatever key: 'Hello'); ",
    ),
    Came(
        "a page with a realm",
        PAGE,
        TRAEFIK,
        "What replied asks for a password of its own (a web page with 401 to whatever key, and the "
        "realm 'traefik'); ",
    ),
    Came(
        "a page with another scheme",
        PAGE,
        {"www-authenticate": "Negotiate"},
        "What replied wants a login of its own by Negotiate (a web page with 401 to whatever key: "
        "'Hello'); ",
    ),
]


@pytest.mark.parametrize("row", CAME, ids=ids(CAME))
def test_a_layer_is_said_to_want_a_password_or_a_login_if_its_challenge_does_and_else_to_refuse(
    row: Came,
):
    probes = [
        listed(401, row.content, headers=row.headers),
        again(401, row.content, headers=row.headers),
        nowhere(401, row.content, headers=row.headers),
        made_up(401, row.content, headers=row.headers),
    ]
    finding = conclude_on_layer(evidence_of(*probes))
    assert finding is not None
    assert finding.text == (
        f"{row.says}no reply has the service's JSON, so no key was judged: ask for the address of "
        "the service itself, or whoever runs it for an exemption; change no key."
    )


def masked(text: str) -> str:
    return text.replace("hunter2", "***")


class Realm(NamedTuple):
    """A challenge, and its realm if that tells something; else empty."""

    challenge: str
    realm: str


REALMS = [
    Realm('Basic realm="nginx staging"', "nginx staging"),
    Realm("Basic realm=Staging, charset=UTF-8", "Staging"),
    Realm('Basic realm="Restricted area, the API"', ""),
    Realm('Basic realm=""', ""),
    Realm('Bearer realm="nginx"', ""),
]


@pytest.mark.parametrize("row", REALMS, ids=[row.challenge for row in REALMS])
def test_a_realm_of_basic_tells_something_unless_any_service_has_its_words(row: Realm):
    refusal = listed(401, headers={"www-authenticate": row.challenge}, clean=masked)
    assert telling_realm(refusal) == row.realm


class Cut(NamedTuple):
    """A realm, and what is said of it."""

    name: str
    realm: str
    says: str


CUT = [
    Cut("80 characters", f"nginx {'x' * 74}", f"nginx {'x' * 74}"),
    Cut("81 characters", f"nginx {'x' * 75}", f"nginx {'x' * 73}…"),
    Cut("a secret", "nginx hunter2", "nginx ***"),
]


@pytest.mark.parametrize("row", CUT, ids=ids(CUT))
def test_a_realm_is_said_with_80_characters_at_most_and_without_secrets(row: Cut):
    challenge = f'Basic realm="{row.realm}"'
    refusal = listed(401, headers={"www-authenticate": challenge}, clean=masked)
    assert telling_realm(refusal) == row.says


class Way(NamedTuple):
    """The headers of a reply, and what they say of its way."""

    name: str
    headers: Mapping[str, str]
    text: str


WAYS = [
    Way("none", {}, ""),
    Way("an empty one", {"via": " "}, ""),
    Way("Via", {"via": "1.1 edge"}, " (replies have Via: 1.1 edge)"),
    Way("Warning", {"warning": "214 old"}, " (replies have Warning: 214 old)"),
    Way(
        "both",
        {"warning": "214 old", "via": "1.1 edge"},
        " (replies have Via: 1.1 edge and Warning: 214 old)",
    ),
    Way("a secret", {"via": "hunter2"}, " (replies have Via: ***)"),
]


@pytest.mark.parametrize("row", WAYS, ids=ids(WAYS))
def test_the_headers_via_and_warning_of_a_reply_are_quoted_without_secrets(row: Way):
    assert came_by(listed(200, headers=row.headers, clean=masked)) == row.text
