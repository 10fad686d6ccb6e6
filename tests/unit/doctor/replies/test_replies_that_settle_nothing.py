"""
A reply is lost, which means that it settles nothing, by its status: 0, 408, 425, 429, 499 and from
500 on. With another status, such as 403, 401 or 200, it is lost by its words, if they are about a
quota, a maintenance or this machine; not if they stand on a page or in a 407 of a proxy, or are
about a scope. A quota in a 503 is lost by its status, not by its words. A limit refused a reply if
it is a 429, or if it is lost and its words, which are not on a page, are about a quota or a spike;
words about a maintenance and a bare 500 are of no limit.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_replies import error_body, reply
from wes_provider.doctor.replies.probes import (
    Kind,
    Probe,
)


class Words(NamedTuple):
    """A reply with an error, and what it can settle."""

    name: str
    probe: Probe
    kind: Kind


QUOTA = error_body("", "Quota exceeded")
ABOUT_MOMENT = [
    Words("a quota, of a 403", reply(403, QUOTA), Kind.NOT_NOW),
    Words("a quota, of a 200", reply(200, QUOTA), Kind.NOT_NOW),
    Words("a maintenance, of a 403", reply(403, error_body("", "Maintenance")), Kind.NOT_NOW),
    Words("a machine, of a 403", reply(403, error_body("", "IP not allowed")), Kind.KEPT_OUT),
    Words("a machine, of a 401", reply(401, error_body("", "IP not allowed")), Kind.KEPT_OUT),
]


@pytest.mark.parametrize("row", ABOUT_MOMENT, ids=[row.name for row in ABOUT_MOMENT])
def test_a_reply_whose_words_are_about_the_moment_or_the_machine_is_lost_by_its_words(row: Words):
    assert row.probe.kind is row.kind
    assert row.probe.is_lost
    assert row.probe.is_lost_by_words


WORDS_WITHOUT_EFFECT = [
    Words("a quota on a page", reply(403, "<title>Quota exceeded</title>"), Kind.NOT_SERVICE),
    Words("a quota of a proxy's 407", reply(407, QUOTA), Kind.NOT_SERVICE),
    Words("a scope", reply(403, error_body("", "The scope is missing")), Kind.ANSWER),
]


@pytest.mark.parametrize(
    "row", WORDS_WITHOUT_EFFECT, ids=[row.name for row in WORDS_WITHOUT_EFFECT]
)
def test_words_on_a_page_of_a_proxy_or_about_something_else_lose_no_reply(row: Words):
    assert row.probe.kind is row.kind
    assert not row.probe.is_lost
    assert not row.probe.is_lost_by_words


@pytest.mark.parametrize("status", [0, 408, 425, 429, 499, 500, 599])
def test_a_reply_whose_status_is_about_the_moment_is_lost_but_not_by_its_words(status: int):
    assert reply(status).is_lost
    assert not reply(status).is_lost_by_words


def test_a_quota_in_a_503_is_lost_by_its_status():
    assert reply(503, QUOTA).is_lost
    assert not reply(503, QUOTA).is_lost_by_words


class Limit(NamedTuple):
    """A reply, and whether a limit refused it."""

    name: str
    probe: Probe
    is_limit: bool


LIMITS = [
    Limit("429", reply(429), is_limit=True),
    Limit("a quota, of a 403", reply(403, QUOTA), is_limit=True),
    Limit("a quota, of a 200", reply(200, QUOTA), is_limit=True),
    Limit("a quota, of a 503", reply(503, QUOTA), is_limit=True),
    Limit(
        "a spike arrest, of a 500",
        reply(500, error_body("", "Spike arrest violation")),
        is_limit=True,
    ),
    Limit(
        "a quota on a page, of a 503", reply(503, "<title>Quota exceeded</title>"), is_limit=False
    ),
    Limit("a quota of a proxy's 407", reply(407, QUOTA), is_limit=False),
    Limit("a maintenance, of a 403", reply(403, error_body("", "Maintenance")), is_limit=False),
    Limit("500", reply(500), is_limit=False),
]


@pytest.mark.parametrize("row", LIMITS, ids=[row.name for row in LIMITS])
def test_a_429_is_a_limit_and_so_are_words_of_a_limit_that_are_not_on_a_page(row: Limit):
    assert row.probe.is_limit is row.is_limit
