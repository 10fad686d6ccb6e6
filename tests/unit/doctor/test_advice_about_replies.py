"""
What to do about a reply follows from the first of these. It names another host: make a second
connection. It is a limit of too few requests: waiting does not help. It is a firewall's page:
change no key; of a change, since reads pass, the body may be why. Its words are about a subject,
such as a scope, or something that the provider does not send: the advice of that. A change wants
another method, or gets a 405: no setting changes that; a 403 or 405 with a page is from before
the service. A change lacks a member: tasks may send it, if they can. A list's identifier has another
form: name it so. The words say until when: wait until then. They ask for something: do that, or ask
support. Else, ask support, or whom the caller names. Reads are not about methods or members. A
demand for another scheme than Basic says to change no key.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import (
    PAGE,
    ids,
    listed,
    segment,
)
from support.doctor_replies import (
    SETTINGS,
    error,
    reply,
)
from support.doctor_service import LIST
from wes_provider.client import requests
from wes_provider.doctor import sayings
from wes_provider.doctor.probes import Probe, Question

BAD = error("bad", "Never.")
SCOPE = error("", "The key lacks the scope coupons:read")
ELSEWHERE = error("wrong-host", "Segments are at https://segments.example.com")


class Advice(NamedTuple):
    """A reply, and what to do about it."""

    name: str
    probe: Probe
    advice: str
    support: str = "ask the service's support."


def changing(message: str, status: int = 400) -> Probe:
    """A refused upload."""
    request = requests.upload(SETTINGS, LIST, {"file_url": "https://files.example.com/a.csv"})
    return reply(status, error("", message), request=request, question=Question.WRITE)


NOT_BY_ANY_SETTING = (
    "The provider sends POST to this path, and no setting changes either: ask the service's "
    "support to take that."
)
FIREWALL = "<html><title>Request blocked</title><p>Ray ID: 7a9</p>"
ADVICE = [
    # What the words of a reply are about.
    Advice("nothing said", listed(400, BAD), "Ask the service's support."),
    Advice("another support", listed(400, BAD), "Ask Anna, ÄÖ.", "ask Anna, ÄÖ."),
    Advice(
        "a scope",
        listed(403, SCOPE),
        "Ask an administrator of the account for a key with what it lacks.",
    ),
    Advice(
        "a path, and words that ask for something",
        listed(404, error("", "Please give it in the path")),
        "Do what it says, or ask Anna.",
        "ask Anna.",
    ),
    Advice(
        "words that ask for something",
        listed(400, error("", "Please accept the terms.")),
        "Do what it says, or ask the service's support.",
    ),
    Advice(
        "words that say until when",
        listed(400, error("", "Closed until 22:00.")),
        "Wait until then, and run this again.",
    ),
    Advice(
        "words that ask to wait until then",
        listed(400, error("", "Please wait until 22:00.")),
        "Wait until then, and run this again.",
    ),
    # What a reply shows by itself.
    Advice(
        "another host",
        segment(421, ELSEWHERE),
        "Segments (/v3) are at https://segments.example.com, by the service's words: leave this "
        "connection for coupons, and make a second one with that Address and the Data API key as "
        "its password. Name it in the tasks that update segments, and run wes-doctor --conn-id ID "
        "on it.",
    ),
    Advice(
        "a limit of too few requests",
        listed(429, error("", "5 requests per day")),
        "5 requests a day are too few for a wait, which reads each file dozens of times an hour, "
        "and for this command, which sends about 10 reads: to wait does not help. Ask the "
        "service's support for more.",
    ),
    Advice(
        "a limit of too few requests, and another host",
        segment(429, error("", "5 requests per day. Use https://bulk.example.com instead.")),
        "Segments (/v3) are at https://bulk.example.com, by the service's words: leave this "
        "connection for coupons, and make a second one with that Address and the Data API key as "
        "its password. Name it in the tasks that update segments, and run wes-doctor --conn-id ID "
        "on it.",
    ),
    Advice(
        "a firewall's page",
        listed(403, FIREWALL),
        "A firewall may keep these requests out. Change no key, but have whoever runs it let your "
        "workers and triggerers in, whether it keeps out their addresses or their User-Agent "
        "(airflow-provider-wes), and run this from there. Hand over what it names: Ray ID 7a9.",
    ),
    Advice(
        "a firewall's page, of an upload",
        reply(403, FIREWALL, request=changing("").request, question=Question.WRITE),
        "A firewall may keep these requests out. Reads pass, so a rule may be about POST or about "
        "what its body has, such as a URL: change no key, and have whoever runs it let these "
        "requests through. Hand over what it names: Ray ID 7a9.",
    ),
    Advice("a limit without a number", listed(429), "Ask the service's support."),
    # What the provider does not send.
    Advice(
        "what is not sent, of a read",
        listed(400, error("", "Header If-Match is required")),
        "The provider does not send If-Match, and no setting adds it: ask the service's support, "
        "or whoever runs the gateway, to accept reads without it.",
    ),
    Advice(
        "what is not sent, of an upload",
        changing("Header If-Match is required"),
        "The provider does not send If-Match, and no setting adds it: ask the service's support, "
        "or whoever runs the gateway, to accept requests without it.",
    ),
    Advice(
        "what is not sent, of an update",
        reply(
            400,
            error("", "Header If-Match is required"),
            request=requests.update_segment(SETTINGS, "s", {}),
        ),
        "The provider does not send If-Match, and no setting adds it: ask the service's support, "
        "or whoever runs the gateway, to accept updates without it.",
    ),
    # Another method than the provider's.
    Advice("another method", changing("Use PUT here."), NOT_BY_ANY_SETTING),
    Advice(
        "another method, of a read",
        listed(400, error("", "Use PUT here.")),
        "Do what it says, or ask the service's support.",
    ),
    Advice(
        "the same method", changing("Only POST is possible here."), "Ask the service's support."
    ),
    Advice("405", changing("No.", 405), NOT_BY_ANY_SETTING),
    Advice("405 of a read", listed(405, error("", "No.")), "Ask the service's support."),
    Advice(
        "405 with a page",
        reply(405, PAGE, request=changing("").request, question=Question.WRITE),
        "What replied sent a web page, so it may be before the service: ask whoever runs it to let "
        "POST through. No key was judged by it, and no setting changes it.",
    ),
    Advice(
        "403 with a page",
        reply(403, PAGE, request=changing("").request, question=Question.WRITE),
        "What replied sent a web page, so it may be before the service: ask whoever runs it to let "
        "POST through. No key was judged by it, and no setting changes it.",
    ),
    Advice(
        "400 with a page",
        reply(400, PAGE, request=changing("").request, question=Question.WRITE),
        "Ask the service's support.",
    ),
    # The form of a list's identifier.
    Advice(
        "another form of the list's identifier",
        listed(400, error("", "coupon_list_id is not a valid UUID")),
        "Name the list with --coupon-list by its identifier in that form; the service's dashboard "
        "has it.",
    ),
    Advice(
        "another form of something else",
        listed(400, error("", "that is not a valid UUID")),
        "Ask the service's support.",
    ),
    Advice(
        "another form of a list's identifier, of an update",
        segment(400, error("", "coupon_list_id is not a valid UUID")),
        "Ask the service's support.",
    ),
    # A member that the body lacks.
    Advice(
        "a member that tasks send",
        changing("missing field name"),
        "The doctor does not send name, but your tasks can: give it there.",
    ),
    Advice(
        "a member of catalogs",
        changing("missing field attributes"),
        "The doctor does not send attributes, but your tasks can: give it there.",
    ),
    Advice(
        "a member that nobody sends",
        changing("missing field colour"),
        "The provider does not send colour, and no setting adds it: ask the service's support to "
        "accept requests without it.",
    ),
    Advice(
        "a member, of a read",
        listed(400, error("", "missing field colour")),
        "Ask the service's support.",
    ),
]


@pytest.mark.parametrize("row", ADVICE, ids=ids(ADVICE))
def test_what_to_do_about_a_reply_follows_from_its_words(row: Advice):
    """
    The table has what the words are about, what a reply shows by itself, what the provider does not
    send, another method, and members of the body.
    """
    assert sayings.advice_of(row.probe, row.support) == row.advice


def test_by_default_the_support_is_asked():
    assert sayings.advice_of(listed(400, BAD)) == "Ask the service's support."


def test_another_scheme_than_basic_is_said_with_what_to_do():
    bearer = listed(401, headers={"www-authenticate": "Bearer"})
    assert sayings.advice_of_scheme(bearer) == (
        "What replied demands Bearer (its WWW-Authenticate says so), and the provider sends "
        "Basic credentials only: a gateway may be before the service, and the keys may be right, "
        "so change none. Ask whoever runs it to take Basic, or for another address."
    )


def test_nothing_is_to_do_about_the_scheme_basic():
    assert sayings.advice_of_scheme(listed(401, headers={"www-authenticate": "Basic"})) == ""
