"""A small load, by the code that ``tests/benchmarks/bench_load.py`` runs large."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.bench_load import Load, report, run_load
from support.airflow_site import AIRFLOW_VERSION

pytestmark = pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="it is run with the newest Airflow")

# With this seed the kills come in the first third: later, a small load may be over before a process is found to kill.
SMALL = Load(lists=5, files=10, faults=0.1, kills=2, triggerer_kills=1, speed=20, seed=7, timeout=10)


def test_each_file_is_in_its_list_once_though_requests_fail_and_processes_die(tmp_path: Path, scheduler_template: Path):
    home = tmp_path / "airflow"
    home.mkdir()
    result = run_load(SMALL, home, scheduler_template)
    print(report(result))
    assert result.problems == []
    assert result.kills == {"task": 2, "triggerer": 1}
    assert result.faults["carried out"] > 0
    assert result.faults["not carried out"] > 0
