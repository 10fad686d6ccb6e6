"""Watched lists under a real scheduler, and triggerers that are killed."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, wait_until
from support.examples import EXAMPLES
from support.watching import (
    DAG,
    LISTS,
    events,
    files_of_runs,
    upload,
    wait_for_events,
    wait_for_readings,
)
from wes_provider.emulator import Emulator, faults

pytestmark = [
    pytest.mark.long,
    pytest.mark.services,
    pytest.mark.skipif(AIRFLOW_VERSION < (3, 0), reason="Airflow 2 has no watchers"),
]

STORE = AIRFLOW_VERSION >= (3, 3)
MANY = 1000
WATCHED = len(LISTS) + 1  # and that of the example


@pytest.fixture(scope="module")
def site(start_site: Callable[..., AirflowSite], service: Emulator) -> AirflowSite:
    site = start_site(UNHURRIED)
    site.write_dag("watching", DAG)
    example = (EXAMPLES / "refresh_segment_on_any_file.py").read_text()
    site.write_dag("example", example.replace("poll_interval=60", "poll_interval=1"))
    return site


def recorded(site: AirflowSite, list_id: str) -> int:
    """How many files the asset's state store has."""
    rows = site.rows(
        "SELECT value FROM asset_state_store JOIN asset ON asset.id = asset_id WHERE name = ?",
        f"files-of-{list_id}",
    )
    return sum(len(json.loads(row.value)) for row in rows) // 8


def restart(site: AirflowSite, service: Emulator) -> None:
    site.start("triggerer")
    wait_for_readings(service, WATCHED)


def test_files_of_anybody_start_runs_and_a_list_that_is_away_ends_nothing(
    site: AirflowSite, service: Emulator
):
    upload(service, "few")  # ends before the watch begins
    wait_for_readings(service, WATCHED)
    ids = upload(service, "few")
    wait_for_events(site, "few", ids)
    wait_until(
        lambda: site.rows("SELECT * FROM dag_run WHERE dag_id = 'on_few' AND state = 'success'"),
        300,
        "a run",
    )
    # The service is away, then the key is refused until it is known everywhere.
    for trouble in (faults.error(503), faults.error(401)):
        service.fail("list_coupon_files", trouble, times=None)
        ids += upload(service, "few", 3)
        time.sleep(5)
        service.clear_faults()
        wait_for_events(site, "few", ids)
    wait_for_readings(service, WATCHED)
    assert events(site, "few") == Counter(ids)


def test_several_files_that_end_within_one_reading_start_one_run_that_gets_all(
    site: AirflowSite, service: Emulator
):
    wait_for_readings(service, WATCHED)
    service.fail("list_coupon_files", faults.error(503), times=None)
    ids = upload(service, "together", 8)
    service.clear_faults()
    wait_for_events(site, "together", ids)
    wait_until(lambda: files_of_runs(site, "together"), 300, "a run")
    assert files_of_runs(site, "together") == [ids]


def test_the_example_refreshes_its_segment_when_a_colleague_has_uploaded_a_file(
    site: AirflowSite, service: Emulator
):
    assert service.segments == {}
    upload(service, "summer-sale")
    wait_until(lambda: service.segments, 300, "the update of the segment")
    assert list(service.segments) == ["summer-shoppers"]


@pytest.mark.skipif(not STORE, reason="before Airflow 3.3, what was seen is in memory")
@pytest.mark.weekly("the unit tier has each moment of the record")
def test_a_triggerer_that_is_killed_misses_no_file_and_repeats_none_that_is_recorded(
    site: AirflowSite, service: Emulator
):
    wait_for_readings(service, WATCHED)
    ids = upload(service, "many", MANY)
    wait_for_events(site, "many", ids[:1])
    site.kill("triggerer")  # amid the events
    kept = events(site, "many")
    in_record = recorded(site, "many")
    ids += upload(service, "many", 10)  # while there is no triggerer
    restart(site, service)
    wait_for_events(site, "many", ids)
    wait_until(lambda: recorded(site, "many") == len(ids), 120, "the record")
    repeated = Counter(events(site, "many")) - Counter(ids)
    assert set(repeated) <= set(kept)
    assert len(repeated) <= len(kept) - in_record
    settled = events(site, "many")

    # Between events: none is missed, and none is repeated.
    site.kill("triggerer")
    ids = upload(service, "many", 3)
    restart(site, service)
    wait_for_events(site, "many", ids)
    wait_for_readings(service, WATCHED)
    assert events(site, "many") == settled + Counter(ids)


@pytest.mark.skipif(not STORE, reason="before Airflow 3.3, what was seen is in memory")
def test_a_record_that_is_gone_begins_the_watch_anew(site: AirflowSite, service: Emulator):
    upload(service, "few", 2)
    wait_for_readings(service, WATCHED)
    settled = events(site, "few")
    site.kill("triggerer")
    with closing(sqlite3.connect(site.database, timeout=60)) as connection, connection:
        connection.execute("DELETE FROM asset_state_store")
    restart(site, service)
    assert events(site, "few") == settled


@pytest.mark.skipif(STORE, reason="from Airflow 3.3 on, what was seen is stored")
def test_before_airflow_3_3_a_restart_misses_what_ended_meanwhile_and_repeats_nothing(
    site: AirflowSite, service: Emulator
):
    settled = events(site, "few")
    site.kill("triggerer")
    upload(service, "few")
    restart(site, service)
    ids = upload(service, "few")
    wait_for_events(site, "few", ids)
    assert events(site, "few") == settled + Counter(ids)
