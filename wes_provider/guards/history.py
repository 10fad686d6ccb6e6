"""
What was sent to a segment, which later updates may be in effect, and which one a restore sends
again.

A document and one text for each definition, under keys of the segment, in the state store of its
asset or in XComs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from itertools import takewhile
from typing import Any, Final, Literal

import msgspec

from wes_provider.arguments import json_bytes
from wes_provider.attempt import Attempt
from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import shown

__all__ = ["Baseline", "Entry", "History", "XComStore", "find"]

KEPT: Final = 20  # updates, the latest ones, and as many of those whose end was not recorded


class Entry(msgspec.Struct, frozen=True):
    """One update that was sent, or may have been."""

    at: str  # when it began, ISO 8601, UTC; unique within a history
    task: dict[str, Any]  # the task instance
    definition: str  # SHA-256 of the request's body; empty if it is not known
    fields: list[str]  # of the body
    # ``at`` of the update whose definition it sent again; empty for an update of its own.
    restored: str = ""
    ended: int = 0  # 0 if its end was not recorded

    def __str__(self) -> str:
        task = self.task
        index = f"[{task['map_index']}]" if task.get("map_index", -1) >= 0 else ""
        place = f"{task.get('dag_id')}.{task.get('task_id')}{index}, run {task.get('run_id')}"
        return f"the update of {self.at[:19]}Z by {place}"


class Baseline(msgspec.Struct):
    """What was sent before, as far as it is known."""

    fields: dict[str, Any] = {}  # what was sent last, by field
    description: str = ""  # which update the filters are of, for people; empty if none is known
    # Later updates that may be in effect, with their bodies if known.
    doubts: list[tuple[Entry, dict[str, Any]]] = []


class Document(msgspec.Struct):
    """
    What is kept of a segment besides the definitions; fields that later versions add are ignored.
    """

    version: Literal[1] = 1
    at: str = ""  # when it was written, ISO 8601, UTC
    # Most recent first: by their end if that was recorded, else by their beginning.
    updates: list[Entry] = []

    def in_effect(self) -> dict[str, tuple[Entry | None, list[Entry]]]:
        """
        By field, the update that sent it last, and those since then whose end was not recorded.
        """
        found = {}
        for field in sorted({field for each in self.updates for field in each.fields}):
            having = [each for each in self.updates if field in each.fields]
            unsure = list(takewhile(lambda each: not each.ended, having))
            found[field] = (having[len(unsure)] if len(unsure) < len(having) else None, unsure)
        return found


class History:
    """
    The updates of one segment.

    :param store: JSON values by key, with ``get``, ``set`` and ``delete``.
    :param segment: what identifies the segment: the service's address, the workspace, and the
        segment's identifier.
    """

    def __init__(self, store: Any, segment: Sequence[str]) -> None:
        self._store = store
        # An identifier may hold what no key can.
        self._key = f"wes_segment_{_digest(json_bytes({'segment': list(segment)}))[:16]}"

    def definition(self, entry: Entry) -> bytes | None:
        """
        The body of an update, byte for byte; ``None`` if it is not kept, or not what was sent.
        """
        content = self._store.get(self._definition_key(entry.definition))
        body = content.encode() if isinstance(content, str) else b""
        return body if _digest(body) == entry.definition else None

    def baseline(self) -> Baseline:
        """What was sent last, and what else may be in effect."""
        found, unsure = Baseline(), []
        for field, (last, later) in self.document().in_effect().items():
            if last and (body := self._body(last)):
                found.fields[field] = body[field]
                found.description = str(last) if field == "included_filters" else found.description
            unsure += [each for each in later if not last or each.definition != last.definition]
        found.doubts = [
            (each, self._body(each))
            for number, each in enumerate(unsure)
            if each not in unsure[:number]
        ]
        return found

    def begin(
        self,
        task: Mapping[str, Any],
        body: Mapping[str, Any],
        restored: str = "",
        *,
        known: bool = True,
    ) -> Entry:
        """
        Record that an update is about to be sent.

        :param known: whether this is the body; else only its fields are known, of an update that
            may have been sent.
        """
        content, document = json_bytes(body), self.document()
        digest = _digest(content) if known else ""
        if known:
            self._store.set(self._definition_key(digest), content.decode())
        entry = Entry(now(), dict(task), digest, list(body), restored)
        unfinished = [each for each in document.updates if not each.ended]
        document.updates = [
            entry,
            *(each for each in document.updates if each not in unfinished[KEPT - 1 :]),
        ]
        self._save(document)
        return entry

    def finish(self, entry: Entry) -> None:
        """
        Record that an update succeeded. Later, it may be forgotten, but not as long as it may be in
        effect.
        """
        document = self.document()
        before = [each for each in document.updates if each.at != entry.at]
        document.updates = [msgspec.structs.replace(entry, ended=1), *before]
        kept = [each for each in document.updates if each.ended][:KEPT]
        for last, others in document.in_effect().values():
            kept += [last, *others] if last else others
        document.updates = [each for each in document.updates if each in kept]
        self._save(document)
        for digest in {each.definition for each in before} - {each.definition for each in kept}:
            self._store.delete(self._definition_key(digest))

    def abandon(self, entry: Entry) -> None:
        """Record that an update had no effect."""
        document = self.document()
        document.updates = [each for each in document.updates if each.at != entry.at]
        self._save(document)

    def _body(self, entry: Entry) -> Any:
        return json.loads(self.definition(entry) or b"{}")

    def _definition_key(self, digest: str) -> str:
        return f"{self._key}_{digest[:16]}"

    def document(self) -> Document:
        """All that is kept."""
        try:
            return msgspec.convert(self._store.get(self._key), Document)
        except msgspec.ValidationError:  # there is none, or it is of another version
            return Document()

    def _save(self, document: Document) -> None:
        document.at = now()
        self._store.set(self._key, msgspec.to_builtins(document))


class XComStore:
    """
    The XComs of some tasks, of all runs: before Airflow 3.3, and for tasks without the segment's
    asset.
    """

    def __init__(self, context: Any, task_ids: Sequence[str]) -> None:
        self._ti = context["ti"]
        self._task_ids = list(task_ids)
        if Attempt.of(context).loop_index is not None:
            # Airflow 3.4 refuses to read XComs of earlier runs in a loop.
            self._task_ids = []
        self._written: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        """
        The value of an earlier run or this one; of several documents, the one that was written
        last.
        """
        if key in self._written:
            return self._written[key]
        found: list[Any] = []
        for task_id in self._task_ids:
            values = self._ti.xcom_pull(task_ids=task_id, key=key, include_prior_dates=True)
            # Several, if the task is mapped.
            found += [values] if isinstance(values, (dict, str)) else values or ()
        documents = [value for value in found if isinstance(value, dict)]
        texts = [value for value in found if isinstance(value, str)]
        return max(
            documents, key=lambda value: str(value.get("at")), default=texts[0] if texts else None
        )

    def set(self, key: str, value: Any) -> None:
        """Keep a value."""
        self._ti.xcom_push(key=key, value=value)
        self._written[key] = value

    def delete(self, key: str) -> None:
        """An XCom goes with its run."""


def now() -> str:
    """In UTC, as ISO 8601; each is different."""
    return datetime.now(timezone.utc).isoformat(timespec="microseconds")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def find(history: History, to: str, task: Mapping[str, Any]) -> Entry:
    """
    The update whose definition is to be sent again.

    :param to: ``previous``; the id of a DAG run, which is its last update; or the time of an
        update.
    :param task: the task instance that restores; a repeated one gets the same update as before.
    :raises WesConfigurationError: if there is none, naming those that there are.
    """
    updates = history.document().updates
    entries = [each for each in updates if each.ended]
    if not entries:
        raise WesConfigurationError(
            "the segment has no history: no guarded update of it is recorded\n"
            "Before Airflow 3.3, restore in the DAG that updates; from 3.3 on, in any task with "
            "the segment's asset."
        )
    if to == "previous":
        return _previous(updates, task)
    for entry in entries:
        if to == entry.task.get("run_id") or (
            len(to) >= 19 and entry.at.startswith(to.removesuffix("Z"))
        ):
            return entry
    raise _not_found(
        f"to={shown(to)} is neither 'previous' nor a run or the time of an update", entries
    )


def _previous(updates: Sequence[Entry], task: Mapping[str, Any]) -> Entry:
    """
    The update before the one in effect. A restored one counts as the one whose definition it sent.
    """
    updates = [each for each in updates if "included_filters" in each.fields] or updates
    by_time = {each.at: each for each in updates}
    for each in updates:
        if each.restored in by_time and each.task == task:
            return by_time[each.restored]  # an earlier attempt chose it
    entries = [each for each in updates if each.ended]
    current = entries[0]
    if any(each.definition != current.definition for each in updates[: updates.index(current)]):
        return current  # a later one may be in effect
    while current.restored in by_time:
        current = by_time[current.restored]
    for each in entries[entries.index(current) + 1 :]:
        if each.definition != current.definition:
            return by_time.get(each.restored, each)
    raise _not_found("the history has no update before the one in effect", entries)


def _not_found(message: str, entries: Sequence[Entry]) -> WesConfigurationError:
    return WesConfigurationError(
        "\n".join([message, *(f"  {entry.at}  {entry}" for entry in entries[:20])])
    )
