"""
What was sent to a segment, most recent first, and the updates of which it is not known whether they took effect.

A document and one text for each definition, under keys of the segment: in the state store of the segment's asset
(Airflow 3.3 and later), or in XComs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta, timezone
from typing import Any, Protocol

from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import json_bytes, shown

__all__ = ["Baseline", "Entry", "History", "Store"]

VERSION = 1

IN_FLIGHT = timedelta(hours=1)
"""The request of an update that was not recorded as finished is over by then, all of its repetitions included."""

UNFINISHED = 20
"""How many of the updates that were not recorded as finished are kept, the latest ones."""


class Store(Protocol):
    """Where a history is kept: JSON values by key."""

    def get(self, key: str) -> Any:
        """Return the value, or ``None`` if there is none."""

    def set(self, key: str, value: Any) -> None:
        """Keep a value."""

    def delete(self, key: str) -> None:
        """Forget a value."""


@dataclass(frozen=True)
class Entry:
    """
    One update.

    :ivar at: when, ISO 8601, UTC; unique within a history.
    :ivar task: the task instance, as JSON holds it.
    :ivar definition: SHA-256 of the request's body.
    :ivar fields: which fields the body has.
    :ivar restored: ``at`` of the update whose definition this one sent again; empty for an update of its own.
    :ivar approved_by: who approved it; empty if nobody had to.
    :ivar approved_plan: the token of the plan that was approved.
    :ivar begun: the number of the recorded step with which it began.
    :ivar ended: the number of the step with which it ended; 0 if its end was not recorded.
    """

    at: str
    task: dict[str, Any]
    definition: str
    fields: list[str]
    restored: str = ""
    approved_by: str = ""
    approved_plan: str = ""
    begun: int = 0
    ended: int = 0

    def replaced_by(self, other: Entry) -> bool:
        """Whether another update was sent when this one was over for certain; clocks of workers may differ."""
        if self.ended:
            return other.begun > self.ended
        return datetime.fromisoformat(other.at) - datetime.fromisoformat(self.at) > IN_FLIGHT

    def __str__(self) -> str:
        task = self.task
        index = f"[{task['map_index']}]" if task.get("map_index", -1) >= 0 else ""
        name = f"{task.get('dag_id')}.{task.get('task_id')}{index}"
        return f"the update of {self.at[:19]}Z by {name}, run {task.get('run_id')}"


@dataclass(frozen=True)
class Baseline:
    """
    What was sent before, as far as it is known.

    :ivar fields: the value that was sent last of each field.
    :ivar description: which update the filters are of, for people; empty if none is known.
    :ivar others: further filters that may be in effect, by the update that they are of.
    :ivar uncertain: another update may be in effect, so an equal one has to be sent again.
    :ivar notes: why, for people.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    others: Mapping[str, Any] = field(default_factory=dict)
    uncertain: bool = False
    notes: tuple[str, ...] = ()


class History:
    """
    The updates of one segment.

    :param store: where it is kept.
    :param segment: what identifies the segment: the service's address, the workspace, and the segment's identifier.
    :param now: the time, UTC.
    """

    def __init__(
        self, store: Store, segment: Sequence[str], now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    ) -> None:
        self._store = store
        # An identifier may hold what no key can.
        self._key = f"wes_segment_{_digest(json_bytes({'segment': list(segment)}))[:16]}"
        self._now = now

    def entries(self) -> list[Entry]:
        """Updates that succeeded, most recent first."""
        return [_entry(item) for item in self._document()["entries"]]

    def pending(self) -> list[Entry]:
        """Updates that may have been sent and were not recorded as finished."""
        return [_entry(item) for item in self._document()["pending"]]

    def definition(self, entry: Entry) -> bytes | None:
        """The body of an update, byte for byte; ``None`` if it is not kept, or not what was sent."""
        text = self._store.get(self._definition_key(entry.definition))
        body = text.encode() if isinstance(text, str) else None
        return body if body is not None and _digest(body) == entry.definition else None

    def baseline(self, *, besides: Sequence[Entry] = ()) -> Baseline:
        """
        What was sent last, and what else may be in effect.

        :param besides: updates that are left out though they may be in effect.
        """
        entries = self.entries()
        pending = [entry for entry in self.pending() if entry not in besides]
        fields: dict[str, Any] = {}
        description, others, notes = "", {}, []
        for name in sorted({name for entry in (*pending, *entries) for name in entry.fields}):
            finished = [entry for entry in entries if name in entry.fields]
            if finished:
                body = self._body(finished[0])
                if body is None:
                    notes.append(f"the {name} that was sent last is not kept")
                else:
                    fields[name] = body[name]
                    description = str(finished[0]) if name == "included_filters" else description
            for entry in (*pending, *finished[1:]):
                if name not in entry.fields or _replaced(entry, name, entries):
                    continue
                body = self._body(entry)
                if body is not None and name in fields and json_bytes(body[name]) == json_bytes(fields[name]):
                    continue
                cause = "ran at the same time as another one" if entry.ended else "was not recorded as finished"
                notes.append(f"{entry} {cause}; it may be in effect")
                if body is not None and name == "included_filters":
                    others[str(entry)] = body[name]
        uncertain = any(note.endswith("it may be in effect") for note in notes)
        return Baseline(fields, description, others, uncertain, tuple(dict.fromkeys(notes)))

    def _body(self, entry: Entry) -> Any:
        content = self.definition(entry)
        return None if content is None else json.loads(content)

    def begin(self, task: Mapping[str, Any], body: Mapping[str, Any], **details: str) -> Entry:
        """Record that an update is about to be sent."""
        content = json_bytes(body)
        digest = _digest(content)
        self._store.set(self._definition_key(digest), content.decode())
        return self._begin(task, digest, list(body), **details)

    def begin_unknown(self, task: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        """Record that an update of the same fields may have been sent, and that its definition is not known."""
        self._begin(task, "", list(body))

    def _begin(self, task: Mapping[str, Any], digest: str, fields: list[str], **details: Any) -> Entry:
        document = self._document()
        at = self._now().isoformat(timespec="microseconds")
        step = document["steps"] = document["steps"] + 1
        entry = Entry(at, dict(task), digest, fields, **details, begun=step)
        document["pending"] = [*document["pending"], asdict(entry)][-UNFINISHED:]
        self._save(document)
        return entry

    def finish(self, entry: Entry, keep: int) -> None:
        """
        Record that an update succeeded.

        :param entry: the result of :meth:`begin`.
        :param keep: how many updates the history has.
        """
        document = self._document()
        step = document["steps"] = document["steps"] + 1
        known = [_entry(item) for item in document["entries"]]
        entries = [replace(entry, ended=step), *known]
        kept = entries[:keep]
        for name in sorted({name for item in entries for name in item.fields}):
            if not any(name in item.fields for item in kept):
                kept.append(next(item for item in entries if name in item.fields))
        pending = [_entry(item) for item in document["pending"] if item["at"] != entry.at]
        left = [item for item in pending if not all(_replaced(item, name, kept) for name in item.fields)]
        document["entries"] = [asdict(item) for item in kept]
        document["pending"] = [asdict(item) for item in left]
        self._save(document)
        for digest in {item.definition for item in (*known, *pending)} - {item.definition for item in (*kept, *left)}:
            self._store.delete(self._definition_key(digest))

    def abandon(self, entry: Entry) -> None:
        """Record that an update had no effect."""
        document = self._document()
        document["pending"] = [item for item in document["pending"] if item["at"] != entry.at]
        self._save(document)

    def find(self, to: str, task: Mapping[str, Any]) -> Entry:
        """
        The update whose definition is to be sent again.

        :param to: ``previous``, the id of a DAG run, or a time in ISO 8601: what was in effect then.
        :param task: the task instance that restores; a repeated one gets the same update as before.
        :raises WesConfigurationError: if there is none, or more than one.
        """
        entries = self.entries()
        if not entries:
            raise WesConfigurationError(
                "the segment has no history: no guarded update of it is recorded\n"
                "Before Airflow 3.3 the restoring task has to be in the DAG of the updating one; from 3.3 on, the "
                "history is in the segment's asset, wes_provider.assets.segment(segment_id)."
            )
        if to == "previous":
            return self._previous(entries, task)
        if of_run := [entry for entry in entries if entry.task.get("run_id") == to]:
            if (
                len(
                    {
                        (entry.task.get("dag_id"), entry.task.get("task_id"), entry.task.get("map_index"))
                        for entry in of_run
                    }
                )
                > 1
            ):
                raise WesConfigurationError(
                    f"to={shown(to)} is a run that sent several updates\nGive a time.\n{_listed(of_run)}"
                )
            return of_run[0]
        try:
            moment = datetime.fromisoformat(to.replace("Z", "+00:00"))
        except ValueError:
            raise WesConfigurationError(
                f"to={shown(to)} is neither 'previous' nor a run of the history nor a time\n{_listed(entries)}"
            ) from None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
        for entry in entries:
            if datetime.fromisoformat(entry.at) <= moment:
                return entry
        raise WesConfigurationError(f"to={shown(to)} is before the history begins\n{_listed(entries)}")

    def _previous(self, entries: list[Entry], task: Mapping[str, Any]) -> Entry:
        """The update before the one in effect. A restored one counts as the one whose definition it sent."""
        entries = [entry for entry in entries if "included_filters" in entry.fields] or entries
        by_time = {entry.at: entry for entry in entries}
        for entry in (*self.pending(), *entries):
            if entry.restored in by_time and entry.task == task:
                return by_time[entry.restored]  # an earlier attempt chose it
        current = entries[0]
        for entry in self.pending():
            later = entry.begun > current.ended and "included_filters" in entry.fields
            if later and entry.definition != current.definition:
                return current  # the one in effect may be that later one
        while current.restored in by_time:
            current = by_time[current.restored]
        for entry in entries[entries.index(current) + 1 :]:
            if entry.definition != current.definition and not entry.restored:
                return entry
        raise WesConfigurationError(f"the history has no update before the one in effect\n{_listed(entries)}")

    def _definition_key(self, digest: str) -> str:
        return f"{self._key}_{digest[:16]}"

    def _document(self) -> dict[str, Any]:
        document = self._store.get(self._key)
        if not isinstance(document, dict) or document.get("version") != VERSION:
            return {"version": VERSION, "steps": 0, "entries": [], "pending": []}
        return {"steps": 0, **document}

    def _save(self, document: dict[str, Any]) -> None:
        self._store.set(self._key, {**document, "at": self._now().isoformat(timespec="microseconds")})


def _entry(item: Mapping[str, Any]) -> Entry:
    return Entry(**{name: item[name] for name in Entry.__dataclass_fields__ if name in item})


def _replaced(entry: Entry, name: str, entries: list[Entry]) -> bool:
    """Whether the value of a field that an update has sent is in effect no longer, for certain."""
    return any(name in other.fields and entry.replaced_by(other) for other in entries)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _listed(entries: list[Entry]) -> str:
    return "\n".join(f"  {entry.at}  {entry}" for entry in entries[:20])


class XComStore:
    """
    A history in the XComs of the tasks of a DAG that update segments with a guard, before Airflow 3.3.

    :param task_ids: those tasks.
    """

    def __init__(self, context: Any, task_ids: list[str]) -> None:
        self._ti = context["ti"]
        self._task_ids = task_ids
        self._written: dict[str, Any] = {}
        self._readable = "loop" not in context  # Airflow 3.4 refuses to read earlier runs' XComs in a loop

    def get(self, key: str) -> Any:
        if key in self._written or not self._readable:
            return self._written.get(key)
        found = list(self._values(key))
        if all(isinstance(value, dict) for value in found):
            return max(found, key=lambda value: str(value.get("at")), default=None)
        return found[0]

    def _values(self, key: str) -> Iterator[Any]:
        for task_id in self._task_ids:
            values = self._ti.xcom_pull(task_ids=task_id, key=key, include_prior_dates=True)
            if isinstance(values, (dict, str)):
                values = [values]  # of a task that is not mapped
            yield from (value for value in values or () if isinstance(value, (dict, str)))

    def set(self, key: str, value: Any) -> None:
        self._ti.xcom_push(key=key, value=value)
        self._written[key] = value

    def delete(self, key: str) -> None:
        """An XCom goes with its run."""
