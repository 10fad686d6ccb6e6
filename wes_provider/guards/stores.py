"""A history in XComs, before Airflow 3.3 and for tasks without the segment's asset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["XComStore"]


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
