"""
A watch reports each file once, also if the campaign key of its connection is rotated, or the
service is away meanwhile.

It is away for twenty seconds; ``WES_TEST_AWAY=600`` in the environment makes it ten minutes.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.administrator import Administrator
from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, wait_until
from support.watching import (
    DAG,
    LIST_READ,
    LISTS,
    events,
    upload,
    wait_for_events,
    wait_for_readings,
)
from wes_provider.emulator import Emulator, faults

pytestmark = [
    pytest.mark.weekly("the unit tier has a rotated key, and test_watching a key that is refused"),
    pytest.mark.long,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(AIRFLOW_VERSION < (3, 0), reason="Airflow 2 has no watchers"),
]

AWAY = float(os.environ.get("WES_TEST_AWAY", "20"))  # seconds


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    with Emulator(api_key="first-key", limits=None, request_log=1_000_000) as emulator:
        yield emulator


@pytest.fixture(scope="module")
def administrator(tmp_path_factory: pytest.TempPathFactory, emulator: Emulator) -> Administrator:
    folder = tmp_path_factory.mktemp("secrets")
    return Administrator(folder, emulator, "first-key", "127.0.0.1")


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory,
    scheduler_template: Path,
    emulator: Emulator,
    administrator: Administrator,
) -> Iterator[AirflowSite]:
    """A site whose watches have begun."""
    more = {**UNHURRIED, **administrator.settings}
    with AirflowSite(tmp_path_factory.mktemp("watching"), scheduler_template, more) as site:
        site.write_dag("watching", DAG)
        site.start()
        wait_for_readings(emulator, len(LISTS))
        yield site


def refusals(emulator: Emulator) -> int:
    return sum(request.status == 401 for request in emulator.requests_for(LIST_READ))


def check_one_event_for_each(
    site: AirflowSite, emulator: Emulator, ids: list[str], before: Counter[str]
) -> None:
    wait_for_events(site, "few", ids)
    wait_for_readings(emulator, len(LISTS))
    assert events(site, "few") == before + Counter(ids)


def test_a_watch_outlives_a_key_that_the_service_has_before_the_secrets_backend(
    site: AirflowSite, emulator: Emulator, administrator: Administrator
):
    before, refused = events(site, "few"), refusals(emulator)
    emulator.configure(api_key="second-key")
    ids = upload(emulator, "few", 2)
    wait_until(lambda: refusals(emulator) > refused, 120, "a refused reading")
    administrator.store_key("second-key")
    check_one_event_for_each(site, emulator, ids, before)


def test_a_watch_outlives_a_key_that_the_secrets_backend_has_before_the_service(
    site: AirflowSite, emulator: Emulator, administrator: Administrator
):
    before = events(site, "few")
    administrator.store_key("third-key")
    time.sleep(2)  # the watch keeps the key that the service still has
    emulator.configure(api_key="third-key")
    ids = upload(emulator, "few", 2)
    check_one_event_for_each(site, emulator, ids, before)


def test_a_watch_outlives_a_service_that_is_away(site: AirflowSite, emulator: Emulator):
    before, read = events(site, "few"), len(emulator.requests_for(LIST_READ))
    emulator.fail(LIST_READ, faults.reset(), times=None)
    ids = upload(emulator, "few", 2)
    time.sleep(AWAY / 2)
    ids += upload(emulator, "few", 2)
    time.sleep(AWAY / 2)
    failed = len(emulator.requests_for(LIST_READ)) - read
    assert failed > 0
    emulator.clear_faults()
    back_at = time.monotonic()
    # Readings that fail come less and less often, five minutes apart at most, or ``poll_interval``.
    check_one_event_for_each(site, emulator, ids, before)
    took = time.monotonic() - back_at
    print(f"away for {AWAY:g} s: all events {took:.0f} s later, {failed} readings")
