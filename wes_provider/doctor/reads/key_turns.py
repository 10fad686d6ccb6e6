"""A key that is accepted at one time, and refused at another: until when, and by which node."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from wes_provider import contract
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.nodes import in_words, split_by_node
from wes_provider.doctor.replies.probes import Keys, Kind, Probe, Question

__all__ = ["KeyInTurn", "key_in_turn"]

# Reads as the connection is set, besides those of what does not exist.
AS_SET: Final = (
    Question.LIST,
    Question.DATA_KEY,
    Question.LIST_PATH,
    Question.WHOLE_LIST,
    Question.NEXT_PAGE,
    Question.WITHOUT_QUERY,
    Question.FILE_PATH,
    Question.AGAIN,
    Question.FOLLOW,
)
REFUSES: Final = "refuses"
ACCEPTS: Final = "accepts"


class KeyInTurn(NamedTuple):
    """
    The reads with a key that accept it, and those that refuse it, whatever they ask for.

    A 404 of a list or a file is none of them, since a node may say so before it looks at the key.
    """

    reads: Sequence[Probe]

    @property
    def is_accepted_later(self) -> bool:
        """Whether it was accepted after the last refusal, so that it was not revoked."""
        in_order = sorted(self.reads, key=attrgetter("sent_at"))
        is_refused = [probe.is_kept_out for probe in in_order]
        return any(is_refused) and not is_refused[-1]

    @property
    def node_says(self) -> str:
        """
        Which node refuses the key and which one accepts it, and what to do, as sentences; empty if
        no header tells them apart.
        """
        split = split_by_node(self.reads, _does)
        if split is None:
            return ""
        refusing = split.values[REFUSES]
        accepting = split.values[ACCEPTS]
        names = in_words(refusing)
        says = (
            f"{split.header}: {names} {_verb('refuse', refusing)} it, {in_words(accepting)} "
            f"{_verb('accept', accepting)} it. So {names} may not know the key yet"
        )
        if self.is_accepted_later:
            return (
                f"{says}: change nothing, and run this again later. If it stays so, tell the "
                f"service's support that {names} {_verb('refuse', refusing)} it."
            )
        return (
            f"{says}, or it was revoked meanwhile: check it in the service's dashboard, and run "
            "this again later."
        )


def key_in_turn(evidence: Evidence, key: contract.Key) -> KeyInTurn:
    """Return the reads with one of the own keys that show how it is taken."""
    reads = []
    for probe in evidence.of(*AS_SET):
        is_with_key = probe.keys is Keys.OWN and probe.request.operation.key is key
        if is_with_key and (probe.is_kept_out or _is_accepted(probe)):
            reads.append(probe)
    return KeyInTurn(reads)


def _is_accepted(probe: Probe) -> bool:
    """Tell whether a reply shows that its key is accepted."""
    if probe.request.operation.key is contract.Key.DATA:
        # The segment that is read does not exist.
        return probe.kind is Kind.ANSWER
    return probe.has_succeeded


def _does(probe: Probe) -> str:
    """Tell what a reply does with the key."""
    if probe.is_kept_out:
        return REFUSES
    return ACCEPTS


def _verb(verb: str, nodes: Sequence[str]) -> str:
    if len(nodes) == 1:
        return f"{verb}s"
    return verb
