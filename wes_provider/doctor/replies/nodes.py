"""Which headers name the node that replied, and which node replied what. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from wes_provider.doctor.replies.probes import Probe
from wes_provider.texts import shown

__all__ = ["Split", "in_words", "named_nodes", "replies_by_node", "split_by_node"]

# Headers that name the node which replied.
NODE: Final = re.compile(
    r"served-by|node|instance|backend|upstream|replica|worker|machine|\bpod\b|hostname|"
    r"\b(?:server|host)-(?:id|name)$|^x-(?:server|host)$"
)
# What headers with such a word in their name measure, which is no name of a node.
MEASURED: Final = re.compile(
    r"time|duration|latency|\blag\b|stale|status|count|length|size|request|trace|cache|\bms$"
)
# A metric of the header Server-Timing whose description is the name of a node.
METRIC: Final = re.compile(
    r"\b(host|hostname|node|server|backend|instance|pod|upstream|served-by)\s*;[^,]*?"
    r"\bdesc=\"?([^\",;]+)",
    re.IGNORECASE,
)
LONGEST_NAME: Final = 40  # characters
REPLIES_OF_NODE: Final = 2  # on average: a header with another value each time names no node


class Split(NamedTuple):
    """
    A header by which each node does the same each time.

    :ivar header: its name, as people write it.
    :ivar values: the nodes by what they do.
    """

    header: str
    values: Mapping[str, Sequence[str]]


def named_nodes(probe: Probe) -> dict[str, str]:
    """Return the nodes that a reply says it came from, by the header that names each."""
    nodes = {}
    for name, value in probe.response.headers.items():
        if NODE.search(name) and not MEASURED.search(name) and value.strip():
            nodes[name.title()] = value
    for metric, value in METRIC.findall(probe.response.headers.get("server-timing", "")):
        nodes[f"Server-Timing {metric.lower()}"] = value
    return {
        name: shown(probe.clean(value.strip()), LONGEST_NAME, quoted=False)
        for name, value in nodes.items()
    }


def replies_by_node(replies: Sequence[Probe]) -> dict[str, dict[str, list[Probe]]]:
    """
    Return replies by the node that each came from, for each header that tells at least two nodes
    apart. Every reply has such a header, and most of its values come again: one that is another in
    each reply, such as a measurement, would tell any replies apart.
    """
    nodes = [named_nodes(probe) for probe in replies]
    if not nodes:
        return {}
    by_header = {}
    for header in nodes[0]:
        if not all(header in named for named in nodes):
            continue
        by_value: dict[str, list[Probe]] = {}
        for named, probe in zip(nodes, replies, strict=True):
            by_value.setdefault(named[header], []).append(probe)
        has_several = len(by_value) > 1
        if has_several and REPLIES_OF_NODE * len(by_value) <= len(replies):
            by_header[header] = by_value
    return by_header


def split_by_node(replies: Sequence[Probe], does: Callable[[Probe], str]) -> Split | None:
    """
    Return the first header by which replies of one node are all alike, and those of different nodes
    are not all alike; ``None`` without one.

    :param does: tells what a reply does, in words.
    """
    for header, by_node in replies_by_node(replies).items():
        values: dict[str, list[str]] = {}
        for node, of_node in by_node.items():
            done = {does(probe) for probe in of_node}
            if len(done) > 1:
                values = {}
                break
            values.setdefault(done.pop(), []).append(node)
        if len(values) > 1:
            return Split(header, values)
    return None


def in_words(nodes: Sequence[str]) -> str:
    """Return the names of nodes as people enumerate them: ``a, b and c``."""
    *others, last = nodes
    if not others:
        return last
    return f"{', '.join(others)} and {last}"
