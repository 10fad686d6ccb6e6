"""
Codes of a database under a real scheduler: a run whose tasks are killed hands no code over twice.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import support
from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite
from support.coupon_database import CouponDatabase
from support.examples import EXAMPLES
from support.storage_tasks import bucket_server
from wes_provider.emulator import Emulator

pytest.importorskip("wes_provider.storage")
pytest.importorskip("airflow.providers.sqlite", reason="dependency group storage")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="the example has no more than tasks"),
]

ARMED = """
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from pathlib import Path

import crashing


def arm(context):
    from airflow.providers.sqlite.hooks.sqlite import SqliteHook
    from fsspec.spec import AbstractBufferedFile
    from requests.adapters import HTTPAdapter

    ti = context["ti"]
    points = context["dag_run"].conf.get("crashes", {}).get(ti.task_id, [])
    for number, point in enumerate(points):
        marker = Path(os.environ["AIRFLOW_HOME"], f"crash-{ti.run_id}-{ti.task_id}-{number}")
        if not marker.exists():
            break
    else:
        return
    crashing.armed.point, crashing.armed.marker = point, marker
    crashing.wrap(SqliteHook, "run", before=lambda *_, **__: "before_statement", after=lambda *_, **__: "after_statement")
    crashing.wrap(SqliteHook, "get_records", after=lambda *_, **__: "amid_the_file")
    crashing.wrap(AbstractBufferedFile, "close", after=lambda *_, **__: "after_the_file")
    crashing.wrap(
        HTTPAdapter, "send",
        before=lambda _, request, **__: "before_request" if request.method == "POST" else "",
        after=lambda _, request, **__: "after_request" if request.method == "POST" else "",
    )

"""
"""Kills a task where the run's ``conf`` says so: once for each of its points."""


class Row(NamedTuple):
    task_id: str
    points: list[str]


ROWS = [
    Row("reserve", ["before_statement", "after_statement"]),
    Row("write", ["amid_the_file", "after_the_file"]),
    Row("upload", ["before_request", "after_request"]),
    Row("mark", ["before_statement", "after_statement"]),
]


@pytest.fixture(scope="module")
def bucket() -> Iterator[Any]:
    with bucket_server() as server:
        yield server


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> CouponDatabase:
    return CouponDatabase(tmp_path_factory.mktemp("database") / "coupons.db")


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory,
    scheduler_template: Path,
    database: CouponDatabase,
    bucket: Any,
    service: Emulator,
) -> Iterator[AirflowSite]:
    env = {**UNHURRIED, "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "12"}
    with AirflowSite(tmp_path_factory.mktemp("site"), scheduler_template, env) as site:
        site.env = {
            **service.connection_env(),
            "AIRFLOW_CONN_AWS_DEFAULT": bucket.connection(),
            "AIRFLOW_CONN_COUPON_DATABASE": database.connection(),
        }
        source = (EXAMPLES / "replenish_from_database.py").read_text()
        for text, instead in {
            "CODES = 50_000": "CODES = 1_000",
            "BATCH = 10_000": "BATCH = 300",
            'schedule="0 4 * * *"': "schedule=None",
            "max_active_runs=1": "max_active_runs=16",
            "timedelta(seconds=30)": 'timedelta(0), "pre_execute": arm',
            "import csv\n": f"{ARMED}import csv\n",
        }.items():
            assert text in source
            source = source.replace(text, instead)
        site.write_dag("example", source)
        shutil.copy(Path(support.__file__).parent / "crashing.py", site.dags)
        site.start()
        yield site


def test_a_run_whose_tasks_are_killed_hands_each_code_over_once(
    site: AirflowSite, database: CouponDatabase, bucket: Any, service: Emulator
):
    service.configure(processing_time=0.5)
    database.add(1_000 * (len(ROWS) + 1))
    crashes = [{row.task_id: row.points} for row in ROWS]
    crashes.append({row.task_id: row.points[-1:] for row in ROWS})
    dag_id = "wes_replenish_from_database"
    runs = [site.trigger(dag_id, conf={"crashes": each}) for each in crashes]
    for run in runs:
        run.wait(timeout=400)
    assert {run.run_id: run.states() for run in runs} == {
        run.run_id: dict.fromkeys(["reserve", "write", "upload", "mark"], "success") for run in runs
    }
    for run, each in zip(runs, crashes, strict=True):
        tries = {task_id: run.ti(task_id).try_number for task_id in each}
        assert tries == {task_id: len(points) + 1 for task_id, points in each.items()}
    assert database.handed_over() == {run.run_id: 1_000 for run in runs}
    files = service.files("newsletter")
    assert [(file["coupons_added"], file["coupons_duplicate"]) for file in files] == [
        (1_000, 0)
    ] * len(runs)
    assert service.stock("newsletter")["stock"] == sum(database.handed_over().values())
    assert len(bucket.names("from-database/")) == len(runs)


def test_a_run_that_is_cleared_when_its_codes_are_handed_over_does_nothing(
    site: AirflowSite, database: CouponDatabase, service: Emulator
):
    database.add(1_000, "MORE")
    run = site.trigger("wes_replenish_from_database").wait(timeout=300)
    before = (service.counts["upload_coupon_file"], database.handed_over())
    run.clear("reserve")
    run.clear("write")
    run.clear("upload")
    run.clear("mark")
    run.wait("success", task_id="reserve", timeout=300)
    run.wait("skipped", task_id="mark", timeout=300)
    assert (service.counts["upload_coupon_file"], database.handed_over()) == before
