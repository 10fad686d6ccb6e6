"""
Airflow's context, read once: which attempt of which task instance of which DAG run this is.

No other module reads the try, the clear, the loop, the state stores or a person's decision from
Airflow's context.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, MutableSet
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

HANDLED_HERE: Final = "wes_uploads"
"""The key in Airflow's context of the uploads that this process has handled."""

ABSENT: Final = "absent"
"""By which a person says that what was perhaps uploaded or created is not there."""


@dataclass(frozen=True)
class Attempt:
    """
    One attempt of a task instance.

    :ivar dag_id: the DAG.
    :ivar run_id: the DAG run; a name that a user gives may contain it.
    :ivar task_id: the task.
    :ivar map_index: which instance of a mapped task; -1 for a task that is not mapped.
    :ivar loop_index: which iteration of a loop, on Airflow 3.4; ``None`` outside of loops.
    :ivar run_started: epoch seconds, whole. Airflow moves it if a run that has ended is cleared,
        and a run that is deleted and created again has another one. ``None`` if Airflow does not
        say.
    :ivar try_number: from 1 on; a clear does not begin it anew.
    :ivar last_try_before_clear: the last try before the task instance was cleared; 0 if it was
        never cleared. Wrong, and perhaps below 0, if its ``retries`` have changed since.
    :ivar generation: grows with each clear of the task instance, unless its ``retries`` were
        lowered meanwhile.
    :ivar run_never_cleared: whether Airflow definitely says that no task of the run was ever
        cleared.
    :ivar state_store: the task state store of Airflow 3.3 and later; else ``None``.
    :ivar handled_here: the uploads that this process has handled: a task may call several
        operators in its code.
    """

    dag_id: str
    run_id: str
    task_id: str
    map_index: int
    loop_index: Any
    run_started: int | None
    try_number: int
    last_try_before_clear: int
    generation: int
    run_never_cleared: bool
    state_store: Any = field(repr=False)
    handled_here: MutableSet[str] = field(repr=False)
    _context: Any = field(repr=False)

    @classmethod
    def of(cls, context: Any) -> Attempt:
        """Read Airflow's context."""
        ti = context["ti"]
        run = context.get("dag_run")
        loop = context.get("loop")
        run_start = getattr(run, "start_date", None)
        retries = int(context["task"].retries or 0)
        return cls(
            dag_id=ti.dag_id,
            run_id=ti.run_id,
            task_id=ti.task_id,
            map_index=-1 if ti.map_index is None else ti.map_index,
            loop_index=None if loop is None else loop.index,
            run_started=int(run_start.timestamp()) if run_start else None,
            try_number=ti.try_number,
            # A clear sets max_tries to the tries so far and the task's retries: with 3 retries, it
            # is 3 at first, and 4 after a clear of try 1. So it grows with each clear, and without
            # the retries it is the last try before the clear.
            last_try_before_clear=ti.max_tries - retries,
            generation=ti.max_tries,
            run_never_cleared=_was_never_cleared(run, ti.max_tries, retries),
            state_store=context.get("task_state_store"),
            handled_here=context.setdefault(HANDLED_HERE, set()),
            _context=context,
        )

    @property
    def is_first_since_clear(self) -> bool:
        """Whether this is the first try since the task instance was cleared, or at all."""
        return self.try_number == self.last_try_before_clear + 1

    @property
    def run_parts(self) -> tuple[Any, ...]:
        """What tells the run, and on Airflow 3.4 the iteration of a loop, from all others."""
        return (self.dag_id, self.run_id, self.loop_index)

    @property
    def origin(self) -> str:
        """Six letters and digits that stand for the task instance."""
        return digest(*self.run_parts, self.task_id, self.map_index)[:6]

    @property
    def start(self) -> str:
        """Four letters and digits that stand for the start of the run."""
        return digest(self.run_started)[:4]

    def asset_store(self, asset: Any) -> Any:
        """
        Return the state store of an asset; ``None`` before Airflow 3.3, or if the task does not
        have the asset as an inlet or outlet.
        """
        stores = self._context.get("asset_state_store")
        if stores is None:
            return None
        # Of a mapped task, Airflow knows only the assets that all of its instances share.
        with suppress(KeyError):
            return stores[asset]
        return None

    def read_decision(self, subject: str) -> Decision:
        """
        Read what a person decided about an upload or a catalog before the task was cleared.

        All attempts since the clear read the same Variable.

        :param subject: what the decision is about.
        """
        variable = decision_variable(subject, self.last_try_before_clear)
        variables: Mapping[str, Any] = self._context.get("var") or {"value": {}}
        # Whoever pastes an identifier may paste the quotes around it.
        value = str(variables["value"].get(variable, "")).strip(" \t\r\n\"'")
        return Decision(variable, value)

    def decision_variable(self, subject: str) -> str:
        """Name the Airflow Variable that decides once this attempt has ended and is cleared."""
        return decision_variable(subject, self.try_number)


@dataclass(frozen=True)
class Decision:
    """
    The value of an Airflow Variable by which a person decides.

    :ivar variable: its name.
    :ivar value: an identifier, ``absent``, or empty if nobody has decided.
    """

    variable: str
    value: str

    @property
    def is_absent(self) -> bool:
        """Whether it says that there is nothing."""
        return self.value.lower() == ABSENT


def decision_variable(subject: str, try_number: int) -> str:
    """Name the Airflow Variable of a decision about what a try may have done."""
    return f"wes_decision_{subject}_try{try_number}"


def digest(*parts: object) -> str:
    """Hash JSON values into small letters and digits: a service may change the case of names."""
    content = json.dumps(parts).encode()
    return base64.b32encode(hashlib.sha256(content).digest()).decode().lower()


def _was_never_cleared(run: Any, max_tries: int, retries: int) -> bool:
    if getattr(run, "clear_number", None) != 0:
        return False
    # Before Airflow 3.3, not every clear is counted, but each changes max_tries.
    return bool(max_tries == retries)
