"""Which earlier definition of a segment is sent again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from wes_provider import arguments, filters
from wes_provider.exceptions import WesConfigurationError
from wes_provider.guards.history import Entry, History
from wes_provider.texts import shown

__all__ = ["find", "restored_body"]


def find(history: History, to: str, task: Mapping[str, Any]) -> Entry:
    """
    The update whose definition is to be sent again.

    :param to: ``previous``, the id of a DAG run, or a time in ISO 8601: what was in effect then.
    :param task: the task instance that restores; a repeated one gets the same update as before.
    :raises WesConfigurationError: if there is none, or more than one.
    """
    entries = history.entries
    if not entries:
        raise WesConfigurationError(
            "the segment has no history: no guarded update of it is recorded\n"
            "Before Airflow 3.3 the restoring task has to be in the DAG of the updating one; from 3.3 on, the "
            "history is in the segment's asset, wes_provider.assets.segment(segment_id)."
        )
    if to == "previous":
        return _previous(entries, history.pending, task)
    of_run = [entry for entry in entries if entry.task.get("run_id") == to]
    if len({(each.task.get("dag_id"), each.task.get("task_id"), each.task.get("map_index")) for each in of_run}) > 1:
        raise WesConfigurationError(
            f"to={shown(to)} is a run that sent several updates\nGive a time.\n{_listed(of_run)}"
        )
    return of_run[0] if of_run else _at(entries, to)


def restored_body(history: History, entry: Entry) -> dict[str, Any]:
    """
    The body of an earlier update, to be sent again.

    :raises WesConfigurationError: if it cannot be sent byte for byte.
    """
    content = history.definition(entry)
    if content is None:
        raise WesConfigurationError(f"the history no longer has the definition: {entry}")
    body = filters.segment_body(**json.loads(content), allow_empty=True)
    if arguments.json_bytes(body) != content:
        raise WesConfigurationError(f"the definition cannot be sent byte for byte: {entry}")
    return body


def _at(entries: Sequence[Entry], to: str) -> Entry:
    """The update that was in effect at a time."""
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
    raise WesConfigurationError(f"the history has no update before the one in effect\n{_listed(entries)}")


def _listed(entries: Sequence[Entry]) -> str:
    return "\n".join(f"  {entry.at}  {entry}" for entry in entries[:20])
