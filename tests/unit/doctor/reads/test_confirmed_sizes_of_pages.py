"""
A larger page is asked for with a size, such as limit=1000. If its reply says a smaller size, by
whatever name, that is put in the place of the last parameter's value; not if the reply says no
less, no size, or as many as it has files. The size of a path is confirmed if the reply says the
same one, or an error of a larger page allows it. An error allows the largest number below 1000 in
its words, if its status is such as 400 or 422, and not 401, 404 or 405. The most files of a page
are what an error allows, by the parameter that it names in place of an unknown one, or else what a
larger page has: more than the list, fewer than were asked for, and not all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_pages import PATH, TOO_LARGE, larger, listed, page_of
from support.doctor_reads import error_body, evidence, probe
from wes_provider.doctor.reads.pages import (
    confirmed_page,
    is_confirmed,
    largest_page,
    most_allowed,
)
from wes_provider.doctor.replies.probes import Probe


class Confirmed(NamedTuple):
    """What a larger page says of its size, and the path that follows."""

    name: str
    reply: Probe
    path: str


CONFIRMED = [
    Confirmed("smaller", larger(page_of(2, limit=100)), f"{PATH}?limit=100"),
    Confirmed("one smaller", larger(page_of(2, limit=999)), f"{PATH}?limit=999"),
    Confirmed("as asked for", larger(page_of(2, limit=1000)), ""),
    Confirmed("larger", larger(page_of(2, limit=2000)), ""),
    Confirmed("by another name", larger(page_of(2, per_page=50)), f"{PATH}?limit=50"),
    Confirmed("as many as there are files", larger(page_of(2, limit=2)), ""),
    Confirmed("not said", larger(page_of(2)), ""),
    Confirmed("the connection's path", probe(200, page_of(2, limit=100)), ""),
]


@pytest.mark.parametrize("row", CONFIRMED, ids=[row.name for row in CONFIRMED])
def test_the_size_that_a_reply_confirms_is_put_into_the_path(row: Confirmed):
    assert confirmed_page(listed(row.reply, f"{PATH}?limit=1000")) == row.path


def test_the_last_parameter_gets_the_size():
    reply = larger(page_of(2, limit=100))
    path = f"{PATH}?a=b&limit=1000"
    assert confirmed_page(listed(reply, path)) == f"{PATH}?a=b&limit=100"


class Asked(NamedTuple):
    """A path, its reply, other reads, and whether a size is confirmed."""

    name: str
    path: str
    body: Any
    others: Sequence[Probe]
    is_confirmed: bool


ASKED = [
    Asked("by the reply", f"{PATH}?limit=50", page_of(2, limit=50), [], is_confirmed=True),
    Asked(
        "the last parameter", f"{PATH}?a=b&limit=50", page_of(2, limit=50), [], is_confirmed=True
    ),
    Asked("another size", f"{PATH}?limit=50", page_of(2, limit=40), [], is_confirmed=False),
    Asked(
        "by an error",
        f"{PATH}?limit=500",
        page_of(2),
        [larger(TOO_LARGE, status=400)],
        is_confirmed=True,
    ),
    Asked(
        "by the second of two errors",
        f"{PATH}?limit=500",
        page_of(2),
        [larger(error_body("x", "at most 50"), status=400), larger(TOO_LARGE, status=400)],
        is_confirmed=True,
    ),
    Asked(
        "by the error of another read",
        f"{PATH}?limit=500",
        [],
        [probe(400, TOO_LARGE)],
        is_confirmed=False,
    ),
    Asked("not at all", f"{PATH}?limit=500", page_of(2), [], is_confirmed=False),
    Asked("no size is asked for", PATH, page_of(2), [], is_confirmed=False),
]


@pytest.mark.parametrize("row", ASKED, ids=[row.name for row in ASKED])
def test_a_size_is_confirmed_by_the_reply_or_by_an_error(row: Asked):
    reply = probe(200, row.body)
    assert is_confirmed(evidence(*row.others), listed(reply, row.path)) is row.is_confirmed


class Allowed(NamedTuple):
    """A status, an error's message, and the size that it allows."""

    status: int
    message: str
    most: int


ALLOWED = [
    Allowed(400, "limit is at most 500, not 1000", 500),
    Allowed(400, "between 1 and 999", 999),
    Allowed(400, "at most 1000", 0),
    Allowed(400, "at most 10000", 0),
    Allowed(400, "at most 50x", 0),
    Allowed(400, "at most x50", 0),
    Allowed(400, "too large", 0),
    Allowed(422, "100", 100),
    Allowed(404, "at most 100", 0),
    Allowed(405, "at most 100", 0),
    Allowed(401, "at most 100", 0),
]


@pytest.mark.parametrize("row", ALLOWED, ids=[f"{row.status} {row.message}" for row in ALLOWED])
def test_the_size_that_an_error_allows_is_its_largest_number(row: Allowed):
    assert most_allowed(probe(row.status, error_body("x", row.message))) == row.most


class Largest(NamedTuple):
    """The read of a larger page, and the largest size of a page that it shows; the list has two."""

    name: str
    read: Probe
    most: str


LARGEST = [
    Largest("an error allows it", larger(TOO_LARGE, status=400), "limit=500"),
    Largest("an error without a size", larger(error_body("x", "no"), status=400), ""),
    Largest("more than before, and not all", larger(page_of(3, total=9)), "limit=3"),
    Largest("as many as before", larger(page_of(2, total=9)), ""),
    Largest("all", larger(page_of(3)), ""),
    Largest("as many as asked for", larger(page_of(3, total=9), f"{PATH}?limit=3"), ""),
    Largest("one less than asked for", larger(page_of(3, total=9), f"{PATH}?limit=4"), "limit=3"),
    Largest("beside a parameter", larger(page_of(3, total=9), f"{PATH}?a=b&limit=4"), "limit=3"),
    Largest("no number was asked for", larger(page_of(3, total=9), f"{PATH}?limit=x"), ""),
    Largest(
        "an error does not know the parameter, and names another one",
        larger(error_body("x", "Unknown: limit. Known: page_size (1-30)"), status=400),
        "page_size=30",
    ),
]


@pytest.mark.parametrize("row", LARGEST, ids=[row.name for row in LARGEST])
def test_the_most_files_of_a_page_are_shown_by_a_larger_one(row: Largest):
    largest = largest_page(listed(probe(200, page_of(2, total=9))), row.read)
    assert str(largest or "") == row.most
