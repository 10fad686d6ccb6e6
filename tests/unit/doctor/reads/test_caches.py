"""
A cache says that it has replied in the service's place, with whatever status, by an Age above 0, or
else by X-Cache, CF-Cache-Status, X-Cache-Status or X-Proxy-Cache with the word HIT, STALE, UPDATING
or REVALIDATED (not in a host's name), or else by a Warning 110 or 111; it is quoted, with max-age or
s-maxage if that stands beside. The first reply with it counts. Each path of
such a reply is named once. A node says that it is behind by a header with the word lag or as-of
whose value is not 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from support.doctor_replies import SETTINGS, evidence_of, reply
from support.doctor_service import LIST, record
from wes_provider.doctor.reads.caches import cached_paths, cached_reply, says_behind
from wes_provider.doctor.reads.evidence import list_at

FILES = [record("f1")]


class Cached(NamedTuple):
    """Headers of replies, and those that are said to be of a cache."""

    name: str
    headers: Sequence[Mapping[str, str]]
    says: str
    status: int = 200


CACHES = [
    Cached("none", [{}], ""),
    Cached("an age", [{"age": " 12 "}], "Age: 12"),
    Cached("an age of 1", [{"age": "1"}], "Age: 1"),
    Cached("an age of 0", [{"age": "0"}], ""),
    Cached("an age that is no number", [{"age": "old"}], ""),
    Cached("a hit", [{"x-cache": " HIT from a "}], "x-cache: HIT from a"),
    Cached(
        "an age, and for how long",
        [{"age": "12", "cache-control": "private, max-age=40"}],
        "Age: 12, max-age=40",
    ),
    Cached(
        "a hit, and for how long in shared caches",
        [{"x-cache": "HIT", "cache-control": "s-maxage=60"}],
        "x-cache: HIT, s-maxage=60",
    ),
    Cached("only for how long", [{"cache-control": "max-age=40"}], ""),
    Cached("a miss", [{"x-cache": "MISS"}], ""),
    Cached("cloudflare", [{"cf-cache-status": "HIT"}], "cf-cache-status: HIT"),
    Cached("nginx", [{"x-cache-status": "Hit"}], "x-cache-status: Hit"),
    Cached("stale", [{"x-cache": "STALE"}], "x-cache: STALE"),
    Cached("updating", [{"x-cache-status": "UPDATING"}], "x-cache-status: UPDATING"),
    Cached("revalidated", [{"cf-cache-status": "REVALIDATED"}], "cf-cache-status: REVALIDATED"),
    Cached("a proxy's cache", [{"x-proxy-cache": "HIT"}], "x-proxy-cache: HIT"),
    Cached("expired, so asked for again", [{"x-cache-status": "EXPIRED"}], ""),
    Cached(
        "a warning that it is stale",
        [{"warning": '110 - "Response is Stale"'}],
        'Warning: 110 - "Response is Stale"',
    ),
    Cached("a warning of another kind", [{"warning": '214 a "Transformation Applied"'}], ""),
    Cached("an age before a hit", [{"age": "3", "x-cache": "HIT"}], "Age: 3"),
    Cached("the second reply", [{"x-cache": "MISS"}, {"x-cache": "HIT"}], "x-cache: HIT"),
    Cached("an age of a refusal", [{"age": "3"}], "Age: 3", 401),
    Cached("a miss of a host with these letters", [{"x-cache": "MISS from white"}], ""),
]


@pytest.mark.parametrize("row", CACHES, ids=[row.name for row in CACHES])
def test_the_headers_by_which_a_cache_says_that_it_replied_are_quoted(row: Cached):
    probes = [reply(row.status, FILES, headers=headers) for headers in row.headers]
    assert cached_reply(evidence_of(*probes)) == row.says


def test_each_path_whose_reply_came_from_a_cache_is_named_once() -> None:
    cached = {"age": "3"}
    probes = [
        reply(200, FILES),
        reply(200, FILES, headers=cached, request=list_at(SETTINGS, "/v1/a", LIST)),
        reply(200, FILES, headers=cached, request=list_at(SETTINGS, "/v1/a", LIST)),
        reply(200, FILES, headers=cached, request=list_at(SETTINGS, "/v1/b", LIST)),
    ]
    assert cached_paths(evidence_of(*probes)) == ["/v1/a", "/v1/b"]


class Behind(NamedTuple):
    """Headers of a reply, and that by which a node says how far it is behind."""

    name: str
    headers: Mapping[str, str]
    says: str = ""


BEHINDS = [
    Behind("none", {"x-served-by": "b"}),
    Behind("a lag", {"x-replica-lag": " 340 "}, "X-Replica-Lag: 340"),
    Behind("a lag of 0", {"x-replica-lag": "0"}),
    Behind("as of a time", {"data-as-of": "13:40"}, "Data-As-Of: 13:40"),
    Behind("a flag", {"x-flag": "1"}),
]


@pytest.mark.parametrize("row", BEHINDS, ids=[row.name for row in BEHINDS])
def test_the_header_by_which_a_node_says_that_it_is_behind_is_quoted(row: Behind):
    assert says_behind(reply(200, FILES, headers=row.headers)) == row.says
