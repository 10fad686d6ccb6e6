"""
What operations do to a watched list: its key is rotated, and the service is away.

It is away for twenty seconds; ``WES_TEST_AWAY=600`` in the environment makes it ten minutes.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from scheduler.test_watching import (
    DAG,
    events,
    upload,
    wait_for_events,
    wait_for_readings,
)

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, wait_until
from support.operations import Operations
from wes_provider.emulator import Emulator, faults

pytestmark = [
    pytest.mark.weekly("the unit tier has a rotated key, and test_watching a key that is refused"),
    pytest.mark.long,
    pytest.mark.services,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(AIRFLOW_VERSION < (3, 0), reason="Airflow 2 has no watchers"),
]

AWAY = float(os.environ.get("WES_TEST_AWAY", "20"))  # seconds
LIST_READ = "list_coupon_files"


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    with Emulator(api_key="first-key", limits=None, request_log=1_000_000) as emulator:
        yield emulator


@pytest.fixture
def operations(tmp_path: Path, emulator: Emulator) -> Operations:
    return Operations(tmp_path, emulator, "first-key", "127.0.0.1")


@pytest.fixture
def site(
    tmp_path_factory: pytest.TempPathFactory, scheduler_template: Path, operations: Operations
) -> Iterator[AirflowSite]:
    more = {**UNHURRIED, **operations.settings}
    with AirflowSite(tmp_path_factory.mktemp("watching"), scheduler_template, more) as site:
        site.write_dag("watching", DAG)
        site.start()
        yield site


def refusals(emulator: Emulator) -> int:
    return sum(request.status == 401 for request in emulator.requests_for(LIST_READ))


def test_a_watch_outlives_a_rotated_key_and_a_service_that_is_away(
    site: AirflowSite, emulator: Emulator, operations: Operations
):
    wait_for_readings(emulator, 4)
    ids = upload(emulator, "few")
    wait_for_events(site, "few", ids)

    # The service has another key first, and the secrets backend has it when a reading was refused.
    emulator.configure(api_key="second-key")
    ids += upload(emulator, "few", 2)
    wait_until(lambda: refusals(emulator) > 0, 120, "a refused reading")
    operations.store_key("second-key")
    wait_for_events(site, "few", ids)

    # And the other way round.
    operations.store_key("third-key")
    time.sleep(2)
    emulator.configure(api_key="third-key")
    ids += upload(emulator, "few", 2)
    wait_for_events(site, "few", ids)

    emulator.fail(LIST_READ, faults.reset(), times=None)
    ids += upload(emulator, "few", 2)
    time.sleep(AWAY / 2)
    ids += upload(emulator, "few", 2)
    time.sleep(AWAY / 2)
    failed = len(emulator.requests_for(LIST_READ))
    emulator.clear_faults()
    back_at = time.monotonic()
    # Readings that fail come less and less often, five minutes apart at most.
    wait_for_events(site, "few", ids)
    print(
        f"away for {AWAY:g} s: events {time.monotonic() - back_at:.0f} s later, {failed} readings"
    )
    wait_for_readings(emulator, 4)
    assert events(site, "few") == Counter(ids)
