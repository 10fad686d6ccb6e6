"""
An Airflow plugin: notes the exception of each failed attempt of a task in
``$AIRFLOW_HOME/failures.jsonl``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import ClassVar

from airflow.listeners import hookimpl
from airflow.plugins_manager import AirflowPlugin


@hookimpl
def on_task_instance_failed(previous_state, task_instance, error):
    if not isinstance(error, BaseException):
        return  # a state set from outside: nothing was raised
    ti, bases = (
        task_instance,
        [f"{cls.__module__}.{cls.__qualname__}" for cls in type(error).__mro__],
    )
    failure = {
        "of": [ti.dag_id, ti.run_id, ti.task_id, ti.map_index],
        "try_number": ti.try_number,
        "type": bases[0],
        "bases": bases,
        "message": str(error),
    }
    with Path(os.environ["AIRFLOW_HOME"], "failures.jsonl").open("a") as file:
        file.write(json.dumps(failure) + "\n")


class RecordFailures(AirflowPlugin):
    name = "record_failures"
    listeners: ClassVar[list[ModuleType]] = [sys.modules[__name__]]
