"""Every way to wait ends alike under a scheduler and a triggerer: the table of ``support.waiting``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.airflow_site import UNHURRIED, AirflowSite
from support.waiting import SCHEDULED, Played, Row
from wes_provider.emulator import Emulator

pytestmark = [pytest.mark.long, pytest.mark.weekly("the airflow tier plays the same table in airflow dags test")]


@pytest.fixture(scope="module")
def scheduled(tmp_path_factory: pytest.TempPathFactory, scheduler_template: Path) -> Iterator[Played]:
    with (
        Emulator() as emulator,
        AirflowSite(tmp_path_factory.mktemp("scheduled"), scheduler_template) as site,
    ):
        played = Played(site, emulator, SCHEDULED, due_again_after=15)
        # No task is killed; but most only wait, so as many as ever may run.
        site.env |= {**UNHURRIED, "AIRFLOW__CORE__PARALLELISM": site.settings()["AIRFLOW__CORE__PARALLELISM"]}
        dag_ids = {way: site.write_tasks(tasks) for way, tasks in played.tasks.items()}
        site.start()
        played.runs = {way: site.trigger(dag_id) for way, dag_id in dag_ids.items()}
        for run in played.runs.values():
            run.wait(timeout=900)
        yield played


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("row", "way"), [pytest.param(row, way, id=f"{row.name}-{way}") for row, way in SCHEDULED])
def test_every_way_to_wait_ends_alike_under_a_scheduler_and_a_triggerer(scheduled: Played, row: Row, way: str):
    scheduled.check(row, way)
