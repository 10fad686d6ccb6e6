"""
What was sent to a segment, most recent first, and the updates of which it is not known whether they took effect.

A document and one text for each definition, under keys of the segment: in the state store of the segment's asset
(Airflow 3.3 and later), or in XComs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from typing import Any, Protocol

from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import json_bytes, shown

__all__ = ["Baseline", "Entry", "History", "Store"]

VERSION = 1


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
    :ivar task: of which task instance, as JSON holds it.
    :ivar definition: SHA-256 of the request's body.
    :ivar fields: which fields the body has.
    :ivar restored: ``at`` of the update whose definition this one sent again; empty for an update of its own.
    :ivar approved_by: who approved it; empty if nobody had to.
    """

    at: str
    task: dict[str, Any]
    definition: str
    fields: list[str]
    restored: str = ""
    approved_by: str = ""

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
    :ivar uncertain: another update may be in effect, so an equal one has to be sent again.
    :ivar notes: why, for people.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    uncertain: bool = False
    notes: tuple[str, ...] = ()


class History:
    """
    The updates of one segment.

    :param store: where it is kept.
    :param segment_id: the segment.
    :param now: the time, UTC.
    """

    def __init__(
        self, store: Store, segment_id: str, now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    ) -> None:
        self._store = store
        # An identifier may hold what no key can.
        self._key = f"wes_segment_{hashlib.sha256(segment_id.encode()).hexdigest()[:16]}"
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

    def baseline(self) -> Baseline:
        """What was sent last."""
        fields: dict[str, Any] = {}
        description = ""
        unreadable: set[str] = set()
        for entry in self.entries():
            wanted = set(entry.fields) - fields.keys() - unreadable
            if not wanted:
                continue
            body = self.definition(entry)
            if body is None:
                unreadable |= wanted
                continue
            content = json.loads(body)
            fields.update({name: content[name] for name in wanted})
            if "included_filters" in wanted:
                description = str(entry)
        pending = self.pending()
        notes = [f"{entry} was not recorded as finished; it may be in effect" for entry in pending]
        notes += [f"the {name} that was sent last is not kept" for name in sorted(unreadable)]
        return Baseline(fields, description, bool(pending), tuple(notes))

    def begin(self, task: Mapping[str, Any], body: Mapping[str, Any], **details: str) -> Entry:
        """Record that an update is about to be sent."""
        content = json_bytes(body)
        entry = Entry(
            self._now().isoformat(timespec="microseconds"), dict(task), _digest(content), list(body), **details
        )
        self._store.set(self._definition_key(entry.definition), content.decode())
        document = self._document()
        document["pending"].append(asdict(entry))
        self._save(document)
        return entry

    def finish(self, entry: Entry, replaced: list[Entry], last: Entry | None, keep: int) -> None:
        """
        Record that an update succeeded.

        :param entry: of :meth:`begin`.
        :param replaced: the updates that were pending before it began: this one has replaced whatever they did.
        :param last: the update that was the most recent one before it began.
        :param keep: how many updates the history has.
        """
        document = self._document()
        done = {item.at for item in replaced} | {entry.at}
        pending = [item for item in document["pending"] if item["at"] not in done]
        if pending or [item["at"] for item in document["entries"][:1]] != ([last.at] if last else []):
            pending.append(asdict(entry))  # Another one ran meanwhile: it is not known which of them came last.
        entries = [asdict(entry), *document["entries"]]
        kept = entries[:keep]
        for name in sorted({name for item in entries for name in item["fields"]}):
            if not any(name in item["fields"] for item in kept):
                kept.append(next(item for item in entries if name in item["fields"]))
        self._save({**document, "entries": kept, "pending": pending})
        used = {item["definition"] for item in (*kept, *pending)}
        for digest in {item["definition"] for item in entries} - used:
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
                    f"to={shown(to)} is the run of several updates; give a time\n{_listed(of_run)}"
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
        """The update before the one in effect; a restored one stands for the one whose definition it sent."""
        entries = [entry for entry in entries if "included_filters" in entry.fields] or entries
        by_time = {entry.at: entry for entry in entries}
        for entry in (*self.pending(), *entries):
            if entry.restored in by_time and entry.task == task:
                return by_time[entry.restored]  # an earlier attempt chose it
        current = entries[0]
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
            return {"version": VERSION, "entries": [], "pending": []}
        return {**document, "entries": list(document["entries"]), "pending": list(document["pending"])}

    def _save(self, document: dict[str, Any]) -> None:
        self._store.set(self._key, {**document, "at": self._now().isoformat(timespec="microseconds")})


def _entry(item: Mapping[str, Any]) -> Entry:
    return Entry(**{name: item[name] for name in Entry.__dataclass_fields__ if name in item})


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
