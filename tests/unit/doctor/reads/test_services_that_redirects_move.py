"""
A service has moved as a whole if all redirects of the own keys lead below one address of the same
origin, each with its own path, and a path that does not exist was read, too. It has not if they
lead to two addresses, to another path or to another origin, or if any other read of the list, of a
segment or of a file got an answer or a refusal where the service was; a page, a made-up key, an
answer to a path that does not exist, and a read below the new address do not count. Nothing has
moved above the address if anything replies below it. A path below the new address is without the
prefix that sets that apart, if it begins with it as a whole word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    LIST_AT,
    ids,
    listed,
    made_up,
    nowhere,
    one_file,
    segment,
)
from support.doctor_redirects import (
    HOST,
    OTHER_PORT,
    below,
    to,
)
from support.doctor_replies import SETTINGS, changed, evidence_of, request_for
from wes_provider.doctor.reads import redirects
from wes_provider.doctor.replies.probes import Probe, Question

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
