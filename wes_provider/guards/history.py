"""
What was sent to a segment, which later updates may be in effect, and which one a restore sends
again.

It is a document and one string for each definition, under keys of the segment, in the state store
of its asset or in XComs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from wes_provider.arguments import json_bytes
from wes_provider.attempt import Attempt
from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import shown

KEPT: Final = 20
"""
Updates, the latest ones; as many restores, so that these forget no update that may be next; and as
many of those whose end was not recorded.
"""

TaskInstance: TypeAlias = Mapping[str, Any]
"""What identifies a task instance, the same for all of its attempts."""


# -- the document, pure ----------------------------------------------------------------------------


class Entry(msgspec.Struct, frozen=True):
    """
    One update that was sent, or may have been.

    :ivar at: when it began, ISO 8601, UTC; unique within a history.
    :ivar task: the task instance.
    :ivar definition: SHA-256 of the request's body; empty if it is not known.
    :ivar fields: of the body.
    :ivar restored: ``at`` of the update whose definition it sent again; empty for an update of its
        own.
    :ivar ended: 1 if its end was recorded, else 0.
    """

    at: str
    task: dict[str, Any]
    definition: str
    fields: list[str]
    restored: str = ""
    ended: int = 0

    def __str__(self) -> str:
        task = self.task
        index = ""
        if task.get("map_index", -1) >= 0:
            index = f"[{task['map_index']}]"
        place = f"{task.get('dag_id')}.{task.get('task_id')}{index}, run {task.get('run_id')}"
        return f"the update of {self.at[:19]}Z by {place}"

    @property
    def is_recorded(self) -> bool:
        """Whether its end was recorded, so that it certainly was sent."""
        return self.ended == 1


class FieldHistory(NamedTuple):
    """
    What was sent of one field.

    :ivar recorded: the last update whose end was recorded; ``None`` if there is none.
    :ivar maybe_since: later ones whose end was not recorded, the latest first.
    """

    recorded: Entry | None
    maybe_since: list[Entry]

    def doubtful(self) -> list[Entry]:
        """Return the later ones that would put something else into effect."""
        if self.recorded is None:
            return self.maybe_since
        return [entry for entry in self.maybe_since if entry.definition != self.recorded.definition]


class Document(msgspec.Struct):
    """
    What is kept of a segment besides the definitions; fields that later versions add are ignored.

    :ivar at: when it was written, ISO 8601, UTC.
    :ivar updates: most recent first: by their end if that was recorded, else by their beginning.
    """

    version: Literal[1] = 1
    at: str = ""
    updates: list[Entry] = []

    def in_effect(self) -> dict[str, FieldHistory]:
        """Tell by field which update sent it last, and which later ones may have."""
        fields = sorted({field for update in self.updates for field in update.fields})
        return {field: self._history_of(field) for field in fields}

    def _history_of(self, field: str) -> FieldHistory:
        maybe_since: list[Entry] = []
        for update in self.updates:
            if field not in update.fields:
                continue
            if update.is_recorded:
                return FieldHistory(update, maybe_since)
            maybe_since.append(update)
        return FieldHistory(None, maybe_since)

    def with_begun(self, entry: Entry) -> list[Entry]:
        """Return the updates with one that begins; the oldest unfinished ones are forgotten."""
        unfinished = [update for update in self.updates if not update.is_recorded]
        forgotten = unfinished[KEPT - 1 :]
        return [entry, *(update for update in self.updates if update not in forgotten)]

    def without(self, entry: Entry) -> list[Entry]:
        """Return the updates but for one."""
        return [update for update in self.updates if update.at != entry.at]

    def with_finished(self, entry: Entry) -> list[Entry]:
        """
        Return the updates with one that has succeeded.

        An old one is forgotten, but not as long as it may be in effect.
        """
        finished = msgspec.structs.replace(entry, ended=1)
        updates = [finished, *self.without(entry)]
        recorded = [update for update in updates if update.is_recorded]
        own = [update for update in recorded if not update.restored]
        restores = [update for update in recorded if update.restored]
        kept = own[:KEPT] + restores[:KEPT]
        for history in Document(updates=updates).in_effect().values():
            if history.recorded is None:
                kept += history.maybe_since
            else:
                kept += [history.recorded, *history.maybe_since]
        return [update for update in updates if update in kept]


# -- in a store ------------------------------------------------------------------------------------


class Doubt(NamedTuple):
    """A later update that may be in effect, and its body; empty if that is not known."""

    entry: Entry
    body: dict[str, Any]


class Baseline(msgspec.Struct):
    """
    What was sent before, as far as it is known.

    :ivar fields: what was sent last, by field.
    :ivar description: which update the filters are of, for people; empty if none is known.
    :ivar doubts: later updates that may be in effect.
    """

    fields: dict[str, Any] = {}
    description: str = ""
    doubts: list[Doubt] = []


class History:
    """
    The updates of one segment.

    :param store: JSON values by key, with ``get``, ``set`` and ``delete``.
    :param segment: what identifies the segment: the service's address, the workspace, and the
        segment's identifier.
    """

    def __init__(self, store: Any, segment: Sequence[str]) -> None:
        self._store = store
        # An identifier may have what no key can.
        self._key = f"wes_segment_{_digest(json_bytes({'segment': list(segment)}))[:16]}"

    def document(self) -> Document:
        """Return all that is kept besides the definitions."""
        try:
            return msgspec.convert(self._store.get(self._key), Document)
        except msgspec.ValidationError:
            # There is none, or it is of another version.
            return Document()

    def definition(self, entry: Entry) -> bytes | None:
        """
        Return the body of an update, byte for byte; ``None`` if it is not kept, or not what was
        sent.
        """
        content = self._store.get(self._definition_key(entry.definition))
        if not isinstance(content, str):
            return None
        body = content.encode()
        if _digest(body) != entry.definition:
            return None
        return body

    def baseline(self) -> Baseline:
        """Return what was sent last, and what else may be in effect."""
        baseline = Baseline()
        unsure: list[Entry] = []
        for field, history in self.document().in_effect().items():
            self._add_recorded(baseline, field, history.recorded)
            unsure += [entry for entry in history.doubtful() if entry not in unsure]
        baseline.doubts = [Doubt(entry, self._body(entry)) for entry in unsure]
        return baseline

    def _add_recorded(self, baseline: Baseline, field: str, recorded: Entry | None) -> None:
        """Add what the last recorded update sent of a field, if it is known."""
        if recorded is None:
            return
        body = self._body(recorded)
        if not body:
            return
        baseline.fields[field] = body[field]
        if field == "included_filters":
            baseline.description = str(recorded)

    def begin(
        self,
        task: TaskInstance,
        body: Mapping[str, Any],
        restored: str = "",
    ) -> Entry:
        """Record that an update is about to be sent."""
        entry = Entry(
            at=now(),
            task=dict(task),
            definition=self._keep(body),
            fields=list(body),
            restored=restored,
        )
        self._begin(entry)
        return entry

    def begin_unknown(self, task: TaskInstance, fields: Sequence[str]) -> None:
        """Record that an update of these fields may have been sent, with values not known."""
        entry = Entry(
            at=now(),
            task=dict(task),
            definition="",
            fields=list(fields),
        )
        self._begin(entry)

    def _begin(self, entry: Entry) -> None:
        document = self.document()
        self._save(document, document.with_begun(entry))

    def finish(self, entry: Entry, body: Mapping[str, Any]) -> None:
        """
        Record that an update has succeeded.

        :param body: that it began with; another update that succeeded meanwhile may have forgotten
            this one, and with it the definition.
        """
        document = self.document()
        if entry not in document.updates:
            self._keep(body)
        self._save(document, document.with_finished(entry))

    def _keep(self, body: Mapping[str, Any]) -> str:
        """Keep a definition, and return its digest."""
        content = json_bytes(body)
        definition = _digest(content)
        self._store.set(self._definition_key(definition), content.decode())
        return definition

    def abandon(self, entry: Entry) -> None:
        """Record that an update had no effect."""
        document = self.document()
        self._save(document, document.without(entry))

    def _save(self, document: Document, updates: list[Entry]) -> None:
        """Keep these updates, and forget the definitions that no update has any more."""
        before = {update.definition for update in document.updates}
        document.updates = updates
        document.at = now()
        self._store.set(self._key, msgspec.to_builtins(document))
        still_used = {update.definition for update in updates}
        for definition in before - still_used:
            if definition:
                self._store.delete(self._definition_key(definition))

    def _body(self, entry: Entry) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.definition(entry) or b"{}")
        return body

    def _definition_key(self, definition: str) -> str:
        return f"{self._key}_{definition[:16]}"


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
        Return the value of an earlier run or this one; of several documents, the one that was
        written last.
        """
        if key in self._written:
            return self._written[key]
        values = []
        for task_id in self._task_ids:
            values += self._pull(task_id, key)
        documents = [value for value in values if isinstance(value, dict)]
        if documents:
            return max(documents, key=_written_at)
        for value in values:
            if isinstance(value, str):
                return value
        return None

    def _pull(self, task_id: str, key: str) -> list[Any]:
        pulled = self._ti.xcom_pull(task_ids=task_id, key=key, include_prior_dates=True)
        if isinstance(pulled, (dict, str)):
            return [pulled]
        # Several, if the task is mapped.
        return list(pulled or ())

    def set(self, key: str, value: Any) -> None:
        """Keep a value."""
        self._ti.xcom_push(key=key, value=value)
        self._written[key] = value

    def delete(self, key: str) -> None:
        """Do nothing: an XCom goes with its run."""


def _written_at(document: Mapping[str, Any]) -> str:
    return str(document.get("at"))


def now() -> str:
    """Return the time in UTC, as ISO 8601; each is different."""
    return datetime.now(timezone.utc).isoformat(timespec="microseconds")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# -- which update a restore sends again ------------------------------------------------------------


def find(history: History, to: str, task: TaskInstance) -> Entry:
    """
    Find the update whose definition is to be sent again.

    :param to: ``previous``; the id of a DAG run, which is its last update; or the time of an
        update.
    :param task: the task instance that restores; a repeated one gets the same update as before.
    :raises WesConfigurationError: if there is none, naming those that there are.
    """
    updates = history.document().updates
    recorded = [update for update in updates if update.is_recorded]
    if not recorded:
        raise WesConfigurationError(
            "the segment has no history: no guarded update of it is recorded\n"
            "Before Airflow 3.3, restore in the DAG that updates; from 3.3 on, in any task with "
            "the segment's asset."
        )
    if to == "previous":
        return _find_previous(updates, task)
    time = _read_time(to)
    for update in recorded:
        if to == update.task.get("run_id"):
            _check_is_of_one_dag(to, recorded)
            return update
        if time and update.at.startswith(time):
            return update
    raise _not_found(
        f"to={shown(to)} is neither 'previous' nor a run or the time of an update", recorded
    )


def _check_is_of_one_dag(run_id: str, recorded: Sequence[Entry]) -> None:
    """
    Check that a run's id names one definition: runs of several DAGs on one schedule have the same
    id.

    :raises WesConfigurationError: if runs of several DAGs have sent several.
    """
    of_run = [update for update in recorded if update.task.get("run_id") == run_id]
    last_of_dag: dict[str, str] = {}
    for update in of_run:
        last_of_dag.setdefault(str(update.task.get("dag_id")), update.definition)
    if len(set(last_of_dag.values())) > 1:
        dags = ", ".join(last_of_dag)
        raise _not_found(
            f"to={shown(run_id)} is the id of runs of several DAGs ({dags}), which sent different "
            "definitions\nName the time of one of their updates instead",
            of_run,
        )


def _read_time(to: str) -> str:
    """Read a time in any zone as the beginning of :attr:`Entry.at`; empty if it is none."""
    try:
        moment = datetime.fromisoformat(to.replace("Z", "+00:00"))
    except ValueError:
        return ""
    has_time = len(to) >= len("2026-01-01T00:00:00")
    if not has_time:
        return ""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    precision = "seconds"
    if moment.microsecond:
        precision = "microseconds"
    return moment.astimezone(timezone.utc).isoformat(timespec=precision).removesuffix("+00:00")


def _find_previous(updates: Sequence[Entry], task: TaskInstance) -> Entry:
    """
    Find the update before the one in effect. A restored one counts as the one whose definition it
    sent.

    :param updates: the history of a segment, the latest first.
    :param task: the task instance that restores.
    """
    with_filters = [update for update in updates if "included_filters" in update.fields]
    updates = with_filters or updates
    by_time = {update.at: update for update in updates}
    chosen = _find_chosen_before(updates, by_time, task)
    if chosen is not None:
        return chosen
    recorded = [update for update in updates if update.is_recorded]
    current = recorded[0]
    if _may_be_replaced(current, updates):
        return current
    original = _find_original(current, by_time)
    if original is None:
        raise _not_found(
            "the definition in effect was restored, and the history no longer has the update that "
            "it is from, nor what was before that\nName a run or the time of an update",
            recorded,
        )
    before = recorded[recorded.index(original) + 1 :]
    for update in before:
        if update.definition != original.definition:
            return by_time.get(update.restored, update)
    raise _not_found("the history has no update before the one in effect", recorded)


def _find_chosen_before(
    updates: Sequence[Entry],
    by_time: Mapping[str, Entry],
    task: TaskInstance,
) -> Entry | None:
    """Find the update that an earlier attempt of the task instance has chosen."""
    for update in updates:
        if update.task == task and update.restored in by_time:
            return by_time[update.restored]
    return None


def _may_be_replaced(current: Entry, updates: Sequence[Entry]) -> bool:
    """Tell whether a later update with another definition may be in effect."""
    later = updates[: updates.index(current)]
    return any(update.definition != current.definition for update in later)


def _find_original(update: Entry, by_time: Mapping[str, Entry]) -> Entry | None:
    """
    Find the update whose definition one has sent, which may be restored from another again.

    :return: ``None`` if the history no longer has it, so that its place there is not known.
    """
    while update.restored:
        if update.restored not in by_time:
            return None
        update = by_time[update.restored]
    return update


def _not_found(message: str, updates: Sequence[Entry]) -> WesConfigurationError:
    lines = [f"  {update.at}  {update}" for update in updates[:KEPT]]
    return WesConfigurationError("\n".join([message, *lines]))
