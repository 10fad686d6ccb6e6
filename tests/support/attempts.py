"""
Attempts of a task on a clock that only sleeping moves: of Airflow there is the context alone, of
the rest all.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import TaskDeferred

from wes_provider.attempt import Attempt
from wes_provider.client import responses
from wes_provider.emulator import Emulator
from wes_provider.operators import base, upload_flow
from wes_provider.triggers import WesResetTrigger
from wes_provider.uploads import loop

if TYPE_CHECKING:
    import pytest

MIDNIGHT = 1_699_920_000.0
MODULES = (base, upload_flow, responses, loop)
RETRIES = 3


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


@dataclass
class TaskInstance:
    """
    What the operators need of Airflow's, and attempts of it.

    :ivar clear_number: how often the run was cleared, as Airflow counts it.
    :ivar variables: Airflow's.
    :ivar assets: the asset state stores; ``events``: what the tasks' outlets are told.
    :ivar pushed: called with each XCom.
    :ivar sleep: passes the time of a deferral.
    :ivar deferrals: seconds of each.
    """

    store: Store | None = field(default_factory=Store)
    id: str = "ti"
    dag_id: str = "shop"
    task_id: str = "replenish"
    run_id: str = "nightly"
    map_index: int = -1
    try_number: int = 1
    max_tries: int = RETRIES
    clear_number: int = 0
    start_date: datetime = datetime(2026, 1, 2, tzinfo=timezone.utc)
    variables: dict[str, str] = field(default_factory=dict)
    assets: Any = None
    events: Any = field(default_factory=lambda: defaultdict(lambda: SimpleNamespace(extra={})))
    pushed: Callable[[str, Any], None] = lambda key, value: None
    xcoms: dict[str, Any] = field(default_factory=dict)
    sleep: Callable[[float], None] = lambda seconds: None
    now: Callable[[], float] = lambda: MIDNIGHT
    deferrals: list[float] = field(default_factory=list)

    def xcom_push(self, key: str, value: Any) -> None:
        self.xcoms[key] = json.loads(json.dumps(value))
        self.pushed(key, value)

    def xcom_pull(
        self, task_ids: Any, key: str, map_indexes: Any = None, *, include_prior_dates: bool = False
    ) -> Any:
        if include_prior_dates:  # of earlier runs, of which there is none
            return None
        assert (task_ids, map_indexes) == (self.task_id, self.map_index)
        return self.xcoms.get(key)

    def context(self, **more: Any) -> dict[str, Any]:
        """Airflow's, of one process."""
        return {
            **more,
            "ti": self,
            "task": SimpleNamespace(retries=RETRIES),
            "run_id": self.run_id,
            "dag_run": SimpleNamespace(start_date=self.start_date, clear_number=self.clear_number),
            "var": {"value": self.variables},
            "asset_state_store": self.assets,
            "outlet_events": self.events,
            **({} if self.store is None else {"task_state_store": self.store}),
        }

    def attempt(self) -> Attempt:
        """Read the context as the product does."""
        return Attempt.of(self.context())

    def run(self, make: Any) -> Any:
        """
        An attempt to its end; deferrals for a reset are passed over.

        :param make: makes the operator, for each process anew; or an operator.
        """
        if not callable(make):
            return make.execute(self.context())
        resume: Callable[[Any, Any], Any] = lambda task, context: task.execute(context)  # noqa: E731
        while True:
            try:
                return resume(make(), self.context())
            except TaskDeferred as deferral:
                if not isinstance(deferral.trigger, WesResetTrigger):
                    raise
                kwargs = json.loads(json.dumps(deferral.trigger.serialize()[1]))
                self.deferrals.append(kwargs["moment"] - self.now())
                if deferral.timeout.total_seconds() < self.deferrals[-1] + 1800:
                    raise AssertionError(
                        "Airflow would fail the task if the triggerer is away for a while"
                    ) from None
                self.sleep(max(0.0, self.deferrals[-1]) + 2)
                method, event = deferral.method_name, {"state": kwargs["state"]}
                resume = lambda task, context: getattr(task, method)(context, event)  # noqa: B023, E731

    def retry(self, make: Callable[[], Any]) -> Any:
        self.try_number += 1
        return self.run(make)

    def clear(self, make: Callable[[], Any] | None = None) -> Any:
        """Clear the task, as Airflow does it, and run it with ``make``."""
        self.max_tries = self.try_number + RETRIES
        self.clear_number += 1
        self.start_date = self.start_date.replace(hour=(self.start_date.hour + 1) % 24)
        self.xcoms.clear()
        self.try_number += 1
        return None if make is None else self.run(make)


@dataclass
class Clock:
    """Time that only sleeping moves, the service's with it."""

    emulator: Emulator
    now: float = MIDNIGHT + 3600.3
    slept: float = 0.0

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.slept

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds
        self.emulator.clock.advance(seconds)


def stop_time(wes_emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """An hour into a day, in the operators and, give or take some days, at the service."""
    wes_emulator.configure(rate_limit_headers="all")
    wes_emulator.clock.speed = 0
    clock = Clock(wes_emulator)
    # To the top of a day on the service's clock, wherever it stands; Date tells the operator how
    # far off it is.
    service = wes_emulator.clock.now()
    wes_emulator.clock.advance(clock.now - service + 86400 * (1 + (service - clock.now) // 86400))
    for module in MODULES:
        monkeypatch.setattr(module, "time", clock)
    return clock
