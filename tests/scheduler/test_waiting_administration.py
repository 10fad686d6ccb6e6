"""
What administrators do to a triggerer with many waits: keys are rotated, backends are away, names do not
resolve, and the triggerer restarts during all of it.

Twenty waits and short disturbances; ``WES_TEST_WAITS=200`` in the environment makes it two hundred,
with disturbances of 30 and 60 seconds, which takes a quarter of an hour.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from support.administrator import Administrator
from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, Run, wait_until
from support.plugins.disturbed import HOST
from support.wire import Session
from wes_provider.emulator import Emulator, faults

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(4 * 3600),
    pytest.mark.skipif(AIRFLOW_VERSION != (3, 3), reason="one triggerer will do"),
]

WAITS = int(os.environ.get("WES_TEST_WAITS", "20"))
SECOND = 1.0 if WAITS >= 200 else 0.25  # of a disturbance
LONG = 900 if WAITS < 200 else 3600  # seconds for a busy machine
KEYS = ["first-key", "second-key", "third-key", "fourth-key"]
POKE_INTERVAL = 2 if WAITS < 200 else 5
TIMEOUTS = [120, 180, 240] if WAITS < 200 else [240, 420, 600]


def wait_for_polls(emulator: Emulator, number: int) -> None:
    """Wait until so many further polls have succeeded."""
    seen = len(emulator.requests_for("get_coupon_file"))

    def polled() -> bool:
        return (
            sum(r.status == 200 for r in emulator.requests_for("get_coupon_file")[seen:]) >= number
        )

    wait_until(polled, LONG, f"{number} polls to succeed")


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    with Emulator(api_key=KEYS[0], limits=None, request_log=1_000_000) as emulator:
        yield emulator


@pytest.fixture
def administrator(tmp_path: Path, emulator: Emulator) -> Administrator:
    return Administrator(tmp_path, emulator, KEYS[0], HOST)


@pytest.fixture
def site(
    tmp_path_factory: pytest.TempPathFactory, scheduler_template: Path, administrator: Administrator
) -> Iterator[Any]:
    more = {**UNHURRIED, **administrator.settings}
    with AirflowSite(tmp_path_factory.mktemp("administrator"), scheduler_template, more) as site:
        site.start()
        yield site


def start_waits(
    site: AirflowSite, emulator: Emulator, list_id: str, timeouts: Sequence[float]
) -> Run:
    """Waits for files that come to an end when told to, once all of them are deferred."""
    emulator.script(list_id=list_id, outcome="never")
    with Session(emulator) as session:
        ids = [
            session.upload(emulator.host("a.csv", b"CODE-1\n"), list_id)["_id"] for _ in timeouts
        ]
    files = [
        {"coupon_file_id": file_id, "timeout": seconds}
        for file_id, seconds in zip(ids, timeouts, strict=True)
    ]
    dag_id = site.write_tasks(
        f"""
        import disturbed

        disturbed.disturb()
        WesCouponFileSensor.partial(
            task_id="wait", coupon_list_id={list_id!r}, deferrable=True, poke_interval={POKE_INTERVAL},
            max_active_tis_per_dagrun={WAITS},
        ).expand_kwargs({files!r})
        """,
        max_active_tasks=max(WAITS, 10),
    )
    run = site.trigger(dag_id)
    all_deferred = lambda: [ti.state for ti in run.tis()] == ["deferred"] * len(files)  # noqa: E731
    wait_until(all_deferred, LONG, lambda: f"all to be deferred: {run.states()}")
    return run


@pytest.mark.weekly(
    "four minutes; test_waiting_restart kills the triggerer, and the unit tier has the rest"
)
def test_no_wait_is_lost_or_ends_wrongly_whatever_administrators_do(
    site: AirflowSite, emulator: Emulator, administrator: Administrator
):
    many = start_waits(site, emulator, "many", [7200] * WAITS)
    stuck = start_waits(site, emulator, "stuck", TIMEOUTS)

    @contextmanager
    def lasting(seconds: float) -> Iterator[None]:
        """What happens once all have polled again, and how long they wait all the same."""
        wait_for_polls(emulator, WAITS)
        yield
        time.sleep(seconds * SECOND)
        assert {ti.state for ti in many.tis()} == {"deferred"}, many.states()

    with lasting(10):
        administrator.store_key(KEYS[1])
        emulator.configure(api_key=KEYS[1])
    with lasting(60):
        emulator.configure(api_key=KEYS[2])
    administrator.store_key(KEYS[2])
    assert any(request.status == 401 for request in emulator.requests_for("get_coupon_file"))
    with lasting(30):
        administrator.lose_secrets()
        emulator.configure(api_key="not in use")
    administrator.store_key(KEYS[2])
    emulator.configure(api_key=KEYS[2])
    with lasting(60):
        administrator.disturb(no_dns=True)
        # Or connections stay open that need no name.
        emulator.fail("get_coupon_file", faults.reset(), times=None)
    emulator.clear_faults()
    before = emulator.counts["get_coupon_file"]
    time.sleep(5)
    # Without a name; an address is kept for ten seconds.
    assert emulator.counts["get_coupon_file"] == before
    administrator.disturb()
    with lasting(30):
        site.kill("triggerer")
        administrator.lose_secrets()
        site.start("triggerer")
    administrator.store_key(KEYS[2])
    with lasting(60):
        site.kill("triggerer")
        emulator.configure(api_key=KEYS[3])
        site.start("triggerer")
    administrator.store_key(KEYS[3])
    wait_for_polls(emulator, WAITS)

    emulator.script(list_id="many", processing_time=0.0)
    many.wait(timeout=LONG)
    assert set(many.states().values()) == {"success"}, many.states()
    assert {ti.try_number for ti in many.tis()} == {1}
    stuck.wait(timeout=LONG)
    for index, seconds in enumerate(TIMEOUTS):
        timed_out = stuck.exception("wait", index)
        assert timed_out.type == "wes_provider.sensors.WesSensorTimeoutError"
        assert int(re.search(r"within (\d+) s", timed_out.message)[1]) in range(
            seconds - 1, seconds + 60
        )
        ti = stuck.ti("wait", index)
        took = (
            datetime.fromisoformat(ti.end_date) - datetime.fromisoformat(ti.start_date)
        ).total_seconds()
        assert ti.try_number == 1
        assert took < seconds + 120  # a restart of the triggerer, and a worker that notices
