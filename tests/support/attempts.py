"""Attempts of a task on a clock that only sleeping moves: of Airflow there is the context alone, of the rest all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow.providers.common.compat.sdk import TaskDeferred

from wes_provider import polling, tasks
from wes_provider.emulator import Emulator
from wes_provider.triggers import WesResetTrigger
from wes_provider.upload_task import WesUploadTask

if TYPE_CHECKING:
    import pytest

MIDNIGHT = 1_699_920_000.0
PROCESSING = [("PENDING", 2), ("SUCCESS", None)]


class Store:
    """The task state store of Airflow 3.3: JSON in, JSON out."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def get(self, key: str, default: Any = None) -> Any:
        return json.loads(self.values[key]) if key in self.values else default

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        self.values[key] = json.dumps(value)

    def delete(self, key: str) -> None:
        self.values.pop(key, None)


class Resumption(NamedTuple):
    """When, and how, a task that has deferred for a reset goes on."""

    moment: float
    method_name: str
    event: dict[str, Any]


@dataclass
class TaskInstance:
    """What the operator needs of Airflow's, and attempts of it."""

    clock: Clock
    store: Store | None = field(default_factory=Store)
    dag_id: str = "shop"
    task_id: str = "replenish"
    run_id: str = "nightly"
    map_index: int = -1
    try_number: int = 1
    max_tries: int = 3
    xcoms: dict[str, Any] = field(default_factory=dict)
    deferrals: list[float] = field(default_factory=list)
    pushed: Callable[[str, Any], None] = lambda key, value: None
    pulled: Callable[[str, Any], None] = lambda key, value: None
    carried: int = 0  # bytes, by deferrals

    @property
    def start_date(self) -> datetime:
        return datetime.fromtimestamp(self.clock.now, timezone.utc)

    def xcom_push(self, key: str, value: Any) -> None:
        self.xcoms[key] = json.loads(json.dumps(value))
        self.pushed(key, value)

    def xcom_pull(self, task_ids: str, key: str, map_indexes: int) -> Any:
        assert (task_ids, map_indexes) == (self.task_id, self.map_index)
        self.pulled(key, value := self.xcoms.get(key))
        return value

    def run(self, make: Callable[[], Any]) -> Any:
        """An attempt to its end; deferrals for a reset are passed over, on a new process's operator each time."""
        resumption: Resumption | None = None
        while True:
            resumption, result = self.step(make, resumption)
            if resumption is None:
                return result
            self.deferrals.append(resumption.moment - self.clock.now)
            self.clock.sleep(max(0.0, resumption.moment - self.clock.now) + 2)

    def context(self) -> dict[str, Any]:
        """Airflow's, of one process."""
        store = {} if self.store is None else {"task_state_store": self.store}
        return {"ti": self, "task": SimpleNamespace(retries=3), "run_id": self.run_id, **store}

    def step(self, make: Callable[[], Any], resumption: Resumption | None) -> tuple[Resumption | None, Any]:
        """What one process does: either it defers for a reset, or it has a result."""
        context = self.context()
        try:
            if resumption is None:
                return None, make().execute(context)
            return None, getattr(make(), resumption.method_name)(context, resumption.event)
        except TaskDeferred as deferral:
            if not isinstance(deferral.trigger, WesResetTrigger):
                raise
            path, kwargs = deferral.trigger.serialize()
            assert path == "wes_provider.triggers.WesResetTrigger"
            self.carried += len(json.dumps(kwargs))
            kwargs = json.loads(json.dumps(kwargs))
            return Resumption(kwargs["moment"], deferral.method_name, {"state": kwargs["state"]}), None

    def retry(self, make: Callable[[], Any]) -> Any:
        self.try_number += 1
        return self.run(make)

    def clear(self, make: Callable[[], Any]) -> Any:
        self.max_tries = self.try_number + 3
        return self.retry(make)


@dataclass
class Clock:
    """Time that only sleeping moves, the service's with it."""

    emulator: Emulator
    now: float = MIDNIGHT + 3600.3
    slept: float = 0.0

    def time(self) -> float:
        return self.now

    monotonic = time

    def clock_gettime(self, clock: int) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds
        self.emulator.clock.advance(seconds)


def stop_time(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """An hour into a day, in the operators and, give or take some days, at the service."""
    wes_emulator.configure(rate_limit_headers="all")
    wes_emulator.script(statuses=PROCESSING)
    wes_emulator.clock.speed = 0
    clock = Clock(wes_emulator)
    # To the top of a day on the service's clock, wherever it stands; Date tells the operator how far off it is.
    service = wes_emulator.clock.now()
    wes_emulator.clock.advance(clock.now - service + 86400 * (1 + (service - clock.now) // 86400))
    monkeypatch.setattr(tasks, "time", clock)
    monkeypatch.setattr(polling, "time", clock)
    monkeypatch.setattr(WesUploadTask, "clock", clock)
    return clock
