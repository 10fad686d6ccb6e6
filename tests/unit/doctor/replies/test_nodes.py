"""
The node that replied is named by headers such as X-Served-By, X-Backend and X-Node, and by a host
that Server-Timing describes; not by headers that measure something of it, such as its time, status
or lag. A header tells nodes apart if every reply has it, it has two values at least, and twice as
many replies: one that is another in each reply names no node. Nodes are split if the replies of
each do the same, and those of two do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_reads import probe
from wes_provider.doctor.replies.nodes import Split, in_words, named_nodes, split_by_node
from wes_provider.doctor.replies.probes import Probe


class Named(NamedTuple):
    """Headers of a reply, and the nodes that they name."""

    name: str
    headers: Mapping[str, str]
    nodes: Mapping[str, str] = {}


NAMES = [
    Named("served by", {"x-served-by": " api-1 "}, {"X-Served-By": "api-1"}),
    Named("a backend", {"x-backend": "app-2"}, {"X-Backend": "app-2"}),
    Named("a backend's server", {"x-backend-server": "app-2"}, {"X-Backend-Server": "app-2"}),
    Named("a node", {"x-node": "7"}, {"X-Node": "7"}),
    Named("a node's identifier", {"x-node-id": "7"}, {"X-Node-Id": "7"}),
    Named("an instance", {"x-instance": "i-1"}, {"X-Instance": "i-1"}),
    Named("an upstream", {"x-upstream": "10.0.0.7:80"}, {"X-Upstream": "10.0.0.7:80"}),
    Named("a hostname", {"x-hostname": "a"}, {"X-Hostname": "a"}),
    Named("a server's name", {"x-server-name": "a"}, {"X-Server-Name": "a"}),
    Named("a server", {"x-server": "a"}, {"X-Server": "a"}),
    Named("a pod", {"x-pod": "api-7c9"}, {"X-Pod": "api-7c9"}),
    Named(
        "a host in Server-Timing",
        {"server-timing": 'app;dur=3, host;desc="app-2"'},
        {"Server-Timing host": "app-2"},
    ),
    Named(
        "a node in Server-Timing, with a duration",
        {"server-timing": "node;dur=1;desc=n7"},
        {"Server-Timing node": "n7"},
    ),
    Named("a metric in Server-Timing", {"server-timing": 'cache;desc="HIT", db;dur=2'}),
    Named("no value", {"x-node": " "}),
    Named("the software of a server", {"server": "nginx"}),
    Named("a podcast", {"x-podcast": "1"}),
    Named("the time of an upstream", {"x-envoy-upstream-service-time": "12"}),
    Named("the status of a backend", {"x-backend-status": "401"}),
    Named("the lag of a replica", {"x-replica-lag": "340"}),
    Named("a request of a node", {"x-node-request-id": "8f1"}),
    Named("another header", {"date": "1", "x-request-id": "2", "etag": "3"}),
]


@pytest.mark.parametrize("row", NAMES, ids=ids(NAMES))
def test_headers_that_name_the_node_are_told_from_those_that_measure_something_of_it(row: Named):
    assert named_nodes(probe(200, [], headers=row.headers)) == row.nodes


def test_a_node_is_named_without_secrets_and_with_40_characters_at_most():
    named = named_nodes(probe(200, [], headers={"x-node": "A" * 50}, clean=str.lower))
    assert named == {"X-Node": f"{'a' * 39}…"}


class Replies(NamedTuple):
    """Statuses of replies with their headers, and how these split them."""

    name: str
    replies: Sequence[tuple[int, Mapping[str, str]]]
    split: Split | None = None


def of(status: int, node: str, header: str = "x-node") -> tuple[int, Mapping[str, str]]:
    return status, {header: node}


SPLITS = [
    Replies(
        "each node the same each time",
        [of(200, "a"), of(401, "b"), of(200, "a"), of(401, "b")],
        Split("X-Node", {"200": ["a"], "401": ["b"]}),
    ),
    Replies(
        "one node once",
        [of(200, "a"), of(401, "b"), of(200, "a"), of(200, "a")],
        Split("X-Node", {"200": ["a"], "401": ["b"]}),
    ),
    Replies(
        "three nodes of which two do the same",
        [of(200, "a"), of(401, "b"), of(200, "c"), of(200, "a"), of(401, "b"), of(200, "c")],
        Split("X-Node", {"200": ["a", "c"], "401": ["b"]}),
    ),
    Replies(
        "the second header",
        [
            (200, {"x-pod": "p", "x-node": "a"}),
            (401, {"x-pod": "p", "x-node": "b"}),
            (200, {"x-pod": "p", "x-node": "a"}),
            (200, {"x-pod": "p", "x-node": "a"}),
        ],
        Split("X-Node", {"200": ["a"], "401": ["b"]}),
    ),
    Replies("one node in both ways", [of(200, "a"), of(401, "b"), of(200, "b"), of(401, "b")]),
    Replies("one node only", [of(200, "a"), of(401, "a"), of(200, "a"), of(401, "a")]),
    Replies("all nodes alike", [of(200, "a"), of(200, "b"), of(200, "a"), of(200, "b")]),
    Replies("another value each time", [of(200, "a"), of(401, "b"), of(200, "c"), of(401, "d")]),
    Replies("two replies", [of(200, "a"), of(401, "b")]),
    Replies("a reply without the header", [of(200, "a"), (401, {}), of(200, "a"), of(401, "b")]),
    Replies("no header", [(200, {}), (401, {}), (200, {}), (401, {})]),
    Replies(
        "a header of another kind",
        [of(status, str(status), "x-request-id") for status in (200, 401, 200, 401)],
    ),
    Replies("no reply", []),
]


@pytest.mark.parametrize("row", SPLITS, ids=ids(SPLITS))
def test_nodes_are_split_if_each_does_the_same_each_time_and_two_do_not(row: Replies):
    def does(reply: Probe) -> str:
        return str(reply.status)

    probes = [probe(status, [], headers=headers) for status, headers in row.replies]
    assert split_by_node(probes, does) == row.split


def test_nodes_are_enumerated():
    assert in_words(["a"]) == "a"
    assert in_words(["a", "b"]) == "a and b"
    assert in_words(["a", "b", "c"]) == "a, b and c"
