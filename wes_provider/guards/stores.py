"""A history in XComs, before Airflow 3.3 and for tasks without the segment's asset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["XComStore"]


class XComStore:
    """The XComs of some tasks, of all runs."""

    def __init__(self, context: Any, task_ids: Sequence[str]) -> None:
        self._ti = context["ti"]
        # Airflow 3.4 refuses to read earlier runs' XComs in a loop.
        self._task_ids = [] if "loop" in context else task_ids
        self._written: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        """The value of an earlier run or this one; of several documents, the one that was written last."""
        found = [self._written[key]] if key in self._written else []
        for task_id in [] if found else self._task_ids:
            values = self._ti.xcom_pull(task_ids=task_id, key=key, include_prior_dates=True)
            found += [values] if isinstance(values, (dict, str)) else values or ()  # several, if the task is mapped
        dated = [value for value in found if isinstance(value, dict)]
        texts = (value for value in found if isinstance(value, str))
        return max(dated, key=lambda value: str(value.get("at"))) if dated else next(texts, None)

    def set(self, key: str, value: Any) -> None:
        """Keep a value."""
        self._ti.xcom_push(key=key, value=value)
        self._written[key] = value

    def delete(self, key: str) -> None:
        """An XCom goes with its run."""
