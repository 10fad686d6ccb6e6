"""
What was sent to a segment, which updates may have taken effect besides, and which one a restore sends again.

A document and one text for each definition, under keys of the segment, in the state store of its asset or in XComs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any, Final, Literal

import msgspec

from wes_provider.arguments import json_bytes
from wes_provider.exceptions import WesConfigurationError
from wes_provider.guards.filters import text
from wes_provider.texts import shown

__all__ = ["Baseline", "Entry", "History", "find"]

IN_FLIGHT: Final = timedelta(hours=1)  # after that, an update whose end was not recorded is over, repetitions included
UTC_NOW: Final = partial(datetime.now, timezone.utc)
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
        place = f"{task.get('dag_id')}.{task.get('task_id')}{index}, run {task.get('run_id')}"
        return f"the update of {self.at[:19]}Z by {place}"

    def replaced_by(self, other: Entry) -> bool:
        """Whether another update began when this one was over for certain; clocks of workers may differ."""
        if self.ended:
            return other.begun > self.ended
        return datetime.fromisoformat(other.at) - datetime.fromisoformat(self.at) > IN_FLIGHT


class Baseline(msgspec.Struct):
    """What was sent before, as far as it is known."""

    fields: dict[str, Any] = {}  # what was sent last, by field
    description: str = ""  # which update the filters are of, for people; empty if none is known
    others: dict[str, Any] = {}  # further filters that may be in effect, by the update that they are of
    doubts: dict[str, Entry] = {}  # updates that may be in effect, too, by why; so an equal one has to be sent again


class Document(msgspec.Struct):
    """What is kept of a segment besides the definitions; fields that later versions add are ignored."""

    version: Literal[1] = 1
    at: str = ""  # when it was written, ISO 8601, UTC
    steps: int = 0  # how many begins and ends were recorded
    updates: list[Entry] = []  # most recent first: by their end if that was recorded, else by their beginning

    def in_effect(self) -> dict[str, tuple[Entry | None, list[Entry]]]:
        """By field, the update that sent it last, and further ones whose value of it may be in effect."""
        found = {}
        for field in sorted({field for each in self.updates for field in each.fields}):
            having = [each for each in self.updates if field in each.fields]
            ended = [each for each in having if each.ended]
            left = [each for each in having if each not in ended[:1] and not any(map(each.replaced_by, ended))]
            found[field] = (ended[0] if ended else None, left)
        return found


class History:
    """
    The updates of one segment.

    :param store: JSON values by key, with ``get``, ``set`` and ``delete``.
    :param segment: what identifies the segment: the service's address, the workspace, and the segment's identifier.
    """

    def __init__(self, store: Any, segment: Sequence[str], now: Callable[[], datetime] = UTC_NOW) -> None:
        self._store = store
        # An identifier may hold what no key can.
        self._key = f"wes_segment_{_digest(json_bytes({'segment': list(segment)}))[:16]}"
        self._now = now

    def updates(self, *, ended: bool = True) -> list[Entry]:
        """Updates that succeeded, or those whose end was not recorded, most recent first."""
        return [entry for entry in self._document().updates if bool(entry.ended) is ended]

    def definition(self, entry: Entry) -> bytes | None:
        """The body of an update, byte for byte; ``None`` if it is not kept, or not what was sent."""
        content = self._store.get(self._definition_key(entry.definition))
        body = content.encode() if isinstance(content, str) else b""
        return body if _digest(body) == entry.definition else None

    def baseline(self) -> Baseline:
        """What was sent last, and what else may be in effect."""
        found = Baseline()
        for field, (last, others) in self._document().in_effect().items():
            if last and (body := self._body(last)):
                found.fields[field] = body[field]
                found.description = str(last) if field == "included_filters" else found.description
            for entry in others:
                body = self._body(entry)
                if body and field in found.fields and text(body[field]) == text(found.fields[field]):
                    continue
                cause = "ran at the same time as another one" if entry.ended else "was not recorded as finished"
                found.doubts[f"{entry} {cause}; it may be in effect"] = entry
                if body and field == "included_filters":
                    found.others[str(entry)] = body[field]
        return found

    def begin(self, task: Mapping[str, Any], body: Mapping[str, Any], *, known: bool = True, **details: Any) -> Entry:
        """
        Record that an update is about to be sent.

        :param known: whether this is the body; else only its fields are known, of an update that may have been sent.
        :param details: further fields of the entry.
        """
        content, document = json_bytes(body), self._document()
        digest = _digest(content) if known else ""
        if known:
            self._store.set(self._definition_key(digest), content.decode())
        document.steps += 1
        entry = Entry(self._time(), dict(task), digest, list(body), **details, begun=document.steps)
        unfinished = [each for each in document.updates if not each.ended]
        document.updates = [entry, *(each for each in document.updates if each not in unfinished[UNFINISHED - 1 :])]
        self._save(document)
        return entry

    def finish(self, entry: Entry, keep: int) -> None:
        """
        Record that an update succeeded.

        :param keep: how many updates the history has; those that may be in effect stay in any case.
        """
        document = self._document()
        document.steps += 1
        before = [each for each in document.updates if each.at != entry.at]
        document.updates = [msgspec.structs.replace(entry, ended=document.steps), *before]
        kept = [each for each in document.updates if each.ended][:keep]
        for last, others in document.in_effect().values():
            kept += [last, *others] if last else others
        document.updates = [each for each in document.updates if each in kept]
        self._save(document)
        for digest in {each.definition for each in before} - {each.definition for each in kept}:
            self._store.delete(self._definition_key(digest))

    def abandon(self, entry: Entry) -> None:
        """Record that an update had no effect."""
        document = self._document()
        document.updates = [each for each in document.updates if each.at != entry.at]
        self._save(document)

    def _body(self, entry: Entry) -> Any:
        return json.loads(self.definition(entry) or b"null")

    def _definition_key(self, digest: str) -> str:
        return f"{self._key}_{digest[:16]}"

    def _document(self) -> Document:
        try:
            return msgspec.convert(self._store.get(self._key), Document)
        except msgspec.ValidationError:  # there is none, or it is of another version
            return Document()

    def _save(self, document: Document) -> None:
        document.at = self._time()
        self._store.set(self._key, msgspec.to_builtins(document))

    def _time(self) -> str:
        return self._now().isoformat(timespec="microseconds")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def find(history: History, to: str, task: Mapping[str, Any]) -> Entry:
    """
    The update whose definition is to be sent again.

    :param to: ``previous``, the id of a DAG run, or a time in ISO 8601: what was in effect then.
    :param task: the task instance that restores; a repeated one gets the same update as before.
    :raises WesConfigurationError: if there is none, or more than one.
    """
    entries = history.updates()
    if not entries:
        raise WesConfigurationError(
            "the segment has no history: no guarded update of it is recorded\n"
            "Before Airflow 3.3 the restoring task has to be in the DAG of the updating one; from 3.3 on, the "
            "history is in the segment's asset, wes_provider.assets.segment(segment_id)."
        )
    if to == "previous":
        return _previous(entries, history.updates(ended=False), task)
    of_run = [entry for entry in entries if entry.task.get("run_id") == to]
    if len({tuple(entry.task.get(name) for name in ("dag_id", "task_id", "map_index")) for entry in of_run}) > 1:
        raise _not_found(f"to={shown(to)} is a run that sent several updates\nGive a time.", of_run)
    if of_run:
        return of_run[0]
    try:
        moment = datetime.fromisoformat(to.replace("Z", "+00:00"))
    except ValueError:
        raise _not_found(f"to={shown(to)} is neither 'previous' nor a run of the history nor a time", entries) from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    for entry in entries:
        if datetime.fromisoformat(entry.at) <= moment:
            return entry
    raise _not_found(f"to={shown(to)} is before the history begins", entries)


def _previous(entries: Sequence[Entry], pending: Sequence[Entry], task: Mapping[str, Any]) -> Entry:
    """The update before the one in effect. A restored one counts as the one whose definition it sent."""
    entries = [entry for entry in entries if "included_filters" in entry.fields] or entries
    by_time = {entry.at: entry for entry in entries}
    for entry in (*pending, *entries):
        if entry.restored in by_time and entry.task == task:
            return by_time[entry.restored]  # an earlier attempt chose it
    current = entries[0]
    for entry in pending:
        later = entry.begun > current.ended and "included_filters" in entry.fields
        if later and entry.definition != current.definition:
            return current  # the one in effect may be that later one
    while current.restored in by_time:
        current = by_time[current.restored]
    for entry in entries[entries.index(current) + 1 :]:
        if entry.definition != current.definition and not entry.restored:
            return entry
    raise _not_found("the history has no update before the one in effect", entries)


def _not_found(message: str, entries: Sequence[Entry]) -> WesConfigurationError:
    return WesConfigurationError("\n".join([message, *(f"  {entry.at}  {entry}" for entry in entries[:20])]))
