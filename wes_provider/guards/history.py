"""
What was sent to a segment, and the updates of which it is not known whether they took effect.

A document and one text for each definition, under keys of the segment, in the state store of its asset or in XComs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, Final

import msgspec

from wes_provider.arguments import json_bytes

__all__ = ["Baseline", "Entry", "History"]

VERSION: Final = 1
IN_FLIGHT: Final = timedelta(hours=1)  # after that, an update whose end was not recorded is over, repetitions included
UNFINISHED: Final = 20  # of the updates whose end was not recorded, the latest ones are kept


class Entry(msgspec.Struct, frozen=True):
    """One update that was sent, or may have been."""

    at: str  # when it began, ISO 8601, UTC; unique within a history
    task: dict[str, Any]  # the task instance
    definition: str  # SHA-256 of the request's body; empty if it is not known
    fields: list[str]  # of the body
    restored: str = ""  # ``at`` of the update whose definition it sent again; empty for an update of its own
    approved_by: str = ""  # empty if nobody had to approve it
    approved_plan: str = ""  # the plan's token
    begun: int = 0  # the number of the recorded step with which it began
    ended: int = 0  # the number of the step with which it ended; 0 if its end was not recorded

    def __str__(self) -> str:
        task = self.task
        index = f"[{task['map_index']}]" if task.get("map_index", -1) >= 0 else ""
        return (
            f"the update of {self.at[:19]}Z by {task.get('dag_id')}.{task.get('task_id')}{index}, "
            f"run {task.get('run_id')}"
        )

    def replaced_by(self, other: Entry, field: str) -> bool:
        """Whether another update sent the field when this one was over for certain; clocks of workers may differ."""
        after = datetime.fromisoformat(other.at) - datetime.fromisoformat(self.at) > IN_FLIGHT
        return field in other.fields and (other.begun > self.ended if self.ended else after)


class Baseline(msgspec.Struct, frozen=True):
    """What was sent before, as far as it is known."""

    fields: dict[str, Any] = {}  # what was sent last, by field
    description: str = ""  # which update the filters are of, for people; empty if none is known
    others: dict[str, Any] = {}  # further filters that may be in effect, by the update that they are of
    uncertain: bool = False  # another update may be in effect, so an equal one has to be sent again
    notes: list[str] = []  # why, for people


class Document(msgspec.Struct):
    """What is kept of a segment besides the definitions; fields that later versions add are ignored."""

    version: int = VERSION
    at: str = ""  # when it was written, ISO 8601, UTC
    steps: int = 0  # how many begins and ends were recorded
    entries: list[Entry] = []  # updates that succeeded, most recent first
    pending: list[Entry] = []  # updates whose end was not recorded, most recent last

    def last(self, field: str) -> Entry | None:
        """The update that sent a field last."""
        return next((entry for entry in self.entries if field in entry.fields), None)

    def others(self, field: str) -> list[Entry]:
        """Further updates whose value of a field may be in effect."""
        last = self.last(field)
        return [
            entry
            for entry in (*self.pending, *self.entries)
            if field in entry.fields
            and entry is not last
            and not any(entry.replaced_by(other, field) for other in self.entries)
        ]


def _utc_now() -> datetime:
    return datetime.now(timezone.utc)


class History:
    """
    The updates of one segment.

    :param store: JSON values by key, with ``get``, ``set`` and ``delete``.
    :param segment: what identifies the segment: the service's address, the workspace, and the segment's identifier.
    """

    def __init__(self, store: Any, segment: Sequence[str], now: Callable[[], datetime] = _utc_now) -> None:
        self._store = store
        # An identifier may hold what no key can.
        self._key = f"wes_segment_{_digest(json_bytes({'segment': list(segment)}))[:16]}"
        self._now = now

    @property
    def entries(self) -> list[Entry]:
        """Updates that succeeded, most recent first."""
        return self._document().entries

    @property
    def pending(self) -> list[Entry]:
        """Updates that may have been sent and were not recorded as finished."""
        return self._document().pending

    def definition(self, entry: Entry) -> bytes | None:
        """The body of an update, byte for byte; ``None`` if it is not kept, or not what was sent."""
        text = self._store.get(self._definition_key(entry.definition))
        body = text.encode() if isinstance(text, str) else b""
        return body if _digest(body) == entry.definition else None

    def baseline(self, besides: Sequence[Entry] = ()) -> Baseline:
        """
        What was sent last, and what else may be in effect.

        :param besides: updates that are left out though they may be in effect.
        """
        document = self._document()
        document.pending = [entry for entry in document.pending if entry not in besides]
        fields: dict[str, Any] = {}
        others: dict[str, Any] = {}
        lost, doubts = [], []
        for name in sorted({name for entry in (*document.pending, *document.entries) for name in entry.fields}):
            last = document.last(name)
            if last and (body := self._body(last)):
                fields[name] = body[name]
            elif last:
                lost.append(f"the {name} that was sent last is not kept")
            for entry in document.others(name):
                body = self._body(entry)
                if body and name in fields and json_bytes({"": body[name]}) == json_bytes({"": fields[name]}):
                    continue
                cause = "ran at the same time as another one" if entry.ended else "was not recorded as finished"
                doubts.append(f"{entry} {cause}; it may be in effect")
                if body and name == "included_filters":
                    others[str(entry)] = body[name]
        description = str(document.last("included_filters")) if "included_filters" in fields else ""
        return Baseline(fields, description, others, bool(doubts), list(dict.fromkeys([*lost, *doubts])))

    def begin(self, task: Mapping[str, Any], body: Mapping[str, Any], *, known: bool = True, **details: Any) -> Entry:
        """
        Record that an update is about to be sent.

        :param known: whether this is the body; else only its fields are known, of an update that may have been sent.
        :param details: further fields of the entry.
        """
        content = json_bytes(body)
        digest = _digest(content) if known else ""
        if known:
            self._store.set(self._definition_key(digest), content.decode())
        document = self._document()
        document.steps += 1
        entry = Entry(self._time(), dict(task), digest, list(body), **details, begun=document.steps)
        document.pending = [*document.pending, entry][-UNFINISHED:]
        self._save(document)
        return entry

    def finish(self, entry: Entry, keep: int) -> None:
        """
        Record that an update succeeded.

        :param keep: how many updates the history has; the last one of each field stays in any case.
        """
        document = self._document()
        document.steps += 1
        known = {item.definition for item in (*document.entries, *document.pending)}
        document.entries = [msgspec.structs.replace(entry, ended=document.steps), *document.entries]
        left = document.entries
        document.entries = [item for item in left if item in left[:keep] or item in map(document.last, item.fields)]
        document.pending = [item for item in document.pending if item.at != entry.at]
        document.pending = [item for item in document.pending if any(item in document.others(n) for n in item.fields)]
        self._save(document)
        for digest in known - {item.definition for item in (*document.entries, *document.pending)}:
            self._store.delete(self._definition_key(digest))

    def abandon(self, entry: Entry) -> None:
        """Record that an update had no effect."""
        document = self._document()
        document.pending = [item for item in document.pending if item.at != entry.at]
        self._save(document)

    def _body(self, entry: Entry) -> Any:
        return json.loads(self.definition(entry) or b"null")

    def _definition_key(self, digest: str) -> str:
        return f"{self._key}_{digest[:16]}"

    def _document(self) -> Document:
        try:
            document = msgspec.convert(self._store.get(self._key), Document)
        except msgspec.ValidationError:
            return Document()
        return document if document.version == VERSION else Document()

    def _save(self, document: Document) -> None:
        document.at = self._time()
        self._store.set(self._key, msgspec.to_builtins(document))

    def _time(self) -> str:
        return self._now().isoformat(timespec="microseconds")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
