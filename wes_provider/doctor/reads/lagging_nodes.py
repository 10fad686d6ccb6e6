"""Statuses of an uploaded file that go back since one node is behind another. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wes_provider.doctor.reads.evidence import file_read
from wes_provider.doctor.replies.files import status_of
from wes_provider.doctor.replies.nodes import in_words, replies_by_node
from wes_provider.doctor.replies.probes import Probe

__all__ = ["LaggingNodes", "lagging_nodes"]


class LaggingNodes(NamedTuple):
    """
    Nodes of which some show a status later than others, while none goes back by itself.

    :ivar header: that names the node.
    :ivar behind: the nodes that are late; ``ahead``: those that showed a status before them.
    :ivar still: a status that a node which is late still had after another one ``had`` the next.
    """

    header: str
    behind: Sequence[str]
    ahead: Sequence[str]
    still: str
    had: str

    @property
    def who(self) -> str:
        """The nodes that are late."""
        return in_words(self.behind)

    @property
    def are(self) -> str:
        """The verb for them."""
        if len(self.behind) == 1:
            return "is"
        return "are"

    def __str__(self) -> str:
        return (
            f"{self.header}: {self.who} still had {self.still} after {in_words(self.ahead)} had "
            f"{self.had}, and no node goes back by itself"
        )


class _Seen(NamedTuple):
    """A status that one node showed; ``rank`` is its place in the order of the first ones."""

    node: str
    status: str
    rank: int


def lagging_nodes(reads: Sequence[Probe]) -> LaggingNodes | None:
    """
    Find the nodes whose lag explains each status that went back; ``None`` if no status did, no
    header tells nodes apart, a node goes back by itself, or one is late at times and ahead at
    others.

    :param reads: replies with the file, in order.
    """
    for header, by_node in replies_by_node(reads).items():
        found = _lagging(header, [*_in_order(reads, by_node)])
        if found is not None:
            return found
    return None


def _in_order(reads: Sequence[Probe], by_node: dict[str, list[Probe]]) -> Iterator[_Seen]:
    """Yield the statuses in the order in which they were read, each with the node that sent it."""
    statuses = [_status(probe) for probe in reads]
    ranks = list(dict.fromkeys(statuses))
    for probe, status in zip(reads, statuses, strict=True):
        for node, of_node in by_node.items():
            if any(probe is one for one in of_node):
                yield _Seen(node, status, ranks.index(status))


def _lagging(header: str, seen: Sequence[_Seen]) -> LaggingNodes | None:
    """
    Find the nodes that are late. One that was ahead has to be ahead again after that: otherwise,
    the status may have gone back on both.
    """
    furthest = seen[0]
    last_of: dict[str, _Seen] = {}
    behind: dict[str, _Seen] = {}
    ahead: dict[str, _Seen] = {}
    is_ahead_again = False
    for one in seen:
        if one.node in last_of and one.rank < last_of[one.node].rank:
            return None
        last_of[one.node] = one
        if one.node in ahead:
            is_ahead_again = True
        if one.rank >= furthest.rank:
            furthest = one
            continue
        behind.setdefault(one.node, one)
        ahead.setdefault(furthest.node, furthest)
    if not is_ahead_again or behind.keys() & ahead.keys():
        return None
    first_behind = next(iter(behind.values()))
    first_ahead = next(iter(ahead.values()))
    return LaggingNodes(
        header=header,
        behind=[*behind],
        ahead=[*ahead],
        still=first_behind.status,
        had=first_ahead.status,
    )


def _status(probe: Probe) -> str:
    file = file_read(probe)
    if file is None:
        return ""
    return status_of(file)
