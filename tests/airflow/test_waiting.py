"""Every way to wait ends alike, in ``airflow dags test``: the table of ``support.waiting``."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from support.airflow_site import AirflowSite
from support.waiting import CASES, TABLE, WAYS, Played, Row, list_of
from wes_provider.emulator import Emulator


@pytest.fixture(scope="module")
def tested(_session_site: AirflowSite) -> Iterator[Played]:
    _session_site.reset()  # no test of this module has a site of its own, which would do so, too
    with Emulator() as emulator:
        played = Played(_session_site, emulator, TABLE)
        dag_ids = {way: _session_site.write_tasks(tasks) for way, tasks in played.tasks.items()}
        played.runs = dict(zip(WAYS, _session_site.run_at_once(*dag_ids.values(), timeout=900), strict=True))
        yield played


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("row", "way"), CASES)
def test_every_way_to_wait_ends_alike(tested: Played, row: Row, way: str):
    tested.check(row, way)


@pytest.mark.parametrize("way", TABLE[0].ways)
def test_an_unknown_status_is_warned_of_once_in_each_process(tested: Played, way: str):
    name = list_of(next(row for row in TABLE if row.name == "unknown status until the deadline"), way)
    warnings = tested.runs[way].log(name).count("Status 'CHEWING' is not known")
    processes = {"reschedule": math.inf, "deferrable sensor": 2, "deferrable operator": 2}.get(way, 1)
    assert 1 <= warnings <= processes
