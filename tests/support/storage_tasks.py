"""Attempts of a task that uploads files of a bucket: of Airflow there is the context alone, of the rest all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from types import SimpleNamespace
from typing import Any

STARTED = datetime(2026, 11, 1, tzinfo=timezone.utc)


class Store:
    """A state store of Airflow 3.3: JSON in, JSON out."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def get(self, key: str, default: Any = None) -> Any:
        return json.loads(self.values[key]) if key in self.values else default

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        self.values[key] = json.dumps(value)


@dataclass
class TaskInstance:
    """What the operators need of Airflow's, and attempts of it."""

    store: Store = field(default_factory=Store)
    dag_id: str = "shop"
    task_id: str = "replenish"
    run_id: str = "nightly"
    map_index: int = -1
    try_number: int = 1
    max_tries: int = 3
    xcoms: dict[str, Any] = field(default_factory=dict)
    assets: Any = None
    pushed: Callable[[str, Any], None] = lambda key, value: None
    start_date: datetime = STARTED

    def xcom_push(self, key: str, value: Any) -> None:
        self.xcoms[key] = json.loads(json.dumps(value))
        self.pushed(key, value)

    def xcom_pull(self, task_ids: str, key: str, map_indexes: int) -> Any:
        assert (task_ids, map_indexes) == (self.task_id, self.map_index)
        return self.xcoms.get(key)

    def context(self) -> dict[str, Any]:
        """Airflow's, of one process."""
        run = SimpleNamespace(start_date=STARTED, clear_number=int(self.max_tries > 3))
        variables = {"value": SimpleNamespace(get=lambda name, default=None: default)}
        return {
            "ti": self,
            "task": SimpleNamespace(retries=3),
            "dag_run": run,
            "run_id": self.run_id,
            "var": variables,
            "task_state_store": self.store,
            "asset_state_store": self.assets,
        }

    def run(self, operator: Any) -> Any:
        """An attempt in one process."""
        return operator.execute(self.context())

    def retry(self, operator: Any) -> Any:
        self.try_number += 1
        return self.run(operator)

    def clear(self, operator: Any) -> Any:
        self.max_tries = self.try_number + 3
        return self.retry(operator)
