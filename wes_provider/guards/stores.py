"""Where a history is kept, JSON values by key: with the segment's asset (Airflow 3.3 and later), or in XComs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

__all__ = ["XComStore", "history_store"]


def history_store(context: Any, uri: str, assets: Iterable[Any], task_ids: Sequence[str]) -> Any:
    """
    The state store of the segment's asset, or XComs if Airflow has none or the task does not have the asset.

    :param uri: of the segment's asset.
    :param assets: inlets and outlets of the task.
    :param task_ids: the tasks of the DAG that update segments.
    """
    stores = context.get("asset_state_store")
    for asset in assets:
        if stores is not None and getattr(asset, "uri", None) == uri:
            with suppress(KeyError):  # of a mapped task, Airflow knows only what all of its instances share
                return stores[asset]
    return XComStore(context, task_ids)


class XComStore:
    """The XComs of some tasks, of all runs."""

    def __init__(self, context: Any, task_ids: Sequence[str]) -> None:
        self._ti = context["ti"]
        self._task_ids = task_ids
        self._written: dict[str, Any] = {}
        self._readable = "loop" not in context  # Airflow 3.4 refuses to read earlier runs' XComs in a loop

    def get(self, key: str) -> Any:
        """The value of an earlier run or this one; of several documents, the one that was written last."""
        if key in self._written or not self._readable:
            return self._written.get(key)
        found = list(self._values(key))
        dated = [value for value in found if isinstance(value, dict)]
        return max(dated, key=lambda value: str(value.get("at"))) if dated else next(iter(found), None)

    def _values(self, key: str) -> Iterator[Any]:
        for task_id in self._task_ids:
            values = self._ti.xcom_pull(task_ids=task_id, key=key, include_prior_dates=True)
            if isinstance(values, (dict, str)):
                values = [values]  # of a task that is not mapped
            yield from (value for value in values or () if isinstance(value, (dict, str)))

    def set(self, key: str, value: Any) -> None:
        """Keep a value."""
        self._ti.xcom_push(key=key, value=value)
        self._written[key] = value

    def delete(self, key: str) -> None:
        """An XCom goes with its run."""
