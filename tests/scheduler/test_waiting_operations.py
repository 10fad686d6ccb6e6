"""
What operations do to a triggerer with many waits: keys are rotated, backends are away, names do not resolve, and the
triggerer restarts during all of it.

Twenty waits and short disturbances; ``WES_TEST_WAITS=200`` in the environment makes it two hundred, with
disturbances of 30 and 60 seconds, which takes a quarter of an hour.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support.airflow_site import AIRFLOW_VERSION, UNHURRIED, AirflowSite, Run, wait_until
from wes_provider.emulator import Emulator, faults
from wes_provider.hooks import WesHook

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


class Operations:
    """Who runs the site: has the connection in a secrets backend, the key and names."""

    def __init__(self, folder: Path, emulator: Emulator) -> None:
        self.emulator = emulator
        self._secrets, self._control = folder / "connections.json", folder / "disturbance.json"
        self._key = ""
        self.disturb()

    @property
    def settings(self) -> dict[str, str]:
        """Environment variables of the site."""
        backend = "airflow.secrets.local_filesystem.LocalFilesystemBackend"
        arguments = json.dumps({"connections_file_path": str(self._secrets)})
        return {
            "AIRFLOW__SECRETS__BACKEND": backend,
            "AIRFLOW__SECRETS__BACKEND_KWARGS": arguments,
            "AIRFLOW__WORKERS__SECRETS_BACKEND": backend,
            "AIRFLOW__WORKERS__SECRETS_BACKEND_KWARGS": arguments,
            "WES_TEST_DISTURBANCE": str(self._control),
        }

    def store_key(self, key: str) -> None:
        """What the secrets backend has from now on."""
        self._key = key
        own = self.emulator.connection()
        host = f"http://wes.example:{urlsplit(own['host']).port or own.get('port')}"
        extra = {**own.get("extra", {}), "allow_http": True, "read_timeout": 10}
        self._write(self._secrets, {"wes_default": {**own, "host": host, "password": key, "extra": extra}})

    def accept_key(self, key: str) -> None:
        """What the service accepts from now on."""
        self.emulator.configure(api_key=key)

    def lose_secrets(self) -> None:
        self._secrets.unlink()

    def restore_secrets(self) -> None:
        self.store_key(self._key)

    def disturb(self, **control: Any) -> None:
        self._write(self._control, control)

    @staticmethod
    def _write(path: Path, content: Mapping[str, Any]) -> None:
        path.with_suffix(".new").write_text(json.dumps(content))
        path.with_suffix(".new").replace(path)  # at once, so that nobody reads half of it


def requests_of(emulator: Emulator) -> int:
    return emulator.counts.get("get_coupon_file", 0)


def wait_for_polls(emulator: Emulator, number: int) -> None:
    """Wait until so many further polls have succeeded."""
    seen = len(emulator.requests_for("get_coupon_file"))

    def polled() -> bool:
        return sum(r.status == 200 for r in emulator.requests_for("get_coupon_file")[seen:]) >= number

    wait_until(polled, LONG, f"{number} polls to succeed")


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    with Emulator(api_key=KEYS[0], limits=None, request_log=1_000_000) as emulator:
        yield emulator


@pytest.fixture
def operations(tmp_path: Path, emulator: Emulator) -> Operations:
    operations = Operations(tmp_path, emulator)
    operations.store_key(KEYS[0])
    return operations


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, scheduler_template: Path, operations: Operations) -> Iterator[Any]:
    more = {**UNHURRIED, **operations.settings}
    with AirflowSite(tmp_path_factory.mktemp("operations"), scheduler_template, more) as site:
        site.start()
        yield site


def start_waits(site: AirflowSite, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> tuple[Run, Run]:
    """Many waits for files that come to an end when told to, and some for files that never do."""
    for name, value in emulator.connection_env().items():
        monkeypatch.setenv(name, value)
    hook, url = WesHook(), emulator.host("coupons.csv", b"CODE-1\n")

    def uploaded(list_id: str, count: int) -> list[dict[str, str]]:
        emulator.script(list_id=list_id, outcome="never")
        ids = [hook.upload_coupon_file(list_id, url)["_id"] for _ in range(count)]
        return [{"coupon_list_id": list_id, "coupon_file_id": file_id} for file_id in ids]

    many, stuck = uploaded("many", WAITS), uploaded("stuck", len(TIMEOUTS))
    for name in emulator.connection_env():
        monkeypatch.delenv(name)
    head = "import disturbed\ndisturbed.disturb()\n"
    runs = []
    for files in (many, [{**file, "timeout": seconds} for file, seconds in zip(stuck, TIMEOUTS, strict=True)]):
        dag_id = site.write_tasks(
            head + f"WesCouponFileSensor.partial(task_id='wait', deferrable=True, poke_interval={POKE_INTERVAL}, "
            f"max_active_tis_per_dagrun={WAITS}).expand_kwargs({files!r})",
            max_active_tasks=max(WAITS, 10),
        )
        runs.append(site.trigger(dag_id))
        count = len(files)

        def deferred(run: Run = runs[-1], count: int = count) -> bool:
            return sum(ti.state == "deferred" for ti in run.tis()) == count

        wait_until(deferred, LONG, lambda: f"all to be deferred: {runs[-1].states()}")
    return runs[0], runs[1]


@pytest.mark.weekly("four minutes; test_waiting_restart kills the triggerer, and the unit tier has the rest")
def test_no_wait_is_lost_or_ends_wrongly_whatever_operations_do(
    site: AirflowSite, emulator: Emulator, operations: Operations, monkeypatch: pytest.MonkeyPatch
):
    many, stuck = start_waits(site, emulator, monkeypatch)
    wait_for_polls(emulator, WAITS)

    def during(seconds: float, begin: Callable[[], Any], end: Callable[[], Any]) -> None:
        begin()
        time.sleep(seconds * SECOND)
        assert {ti.state for ti in many.tis()} == {"deferred"}, many.states()
        end()
        wait_for_polls(emulator, WAITS)

    def rotate_at_once() -> None:
        operations.store_key(KEYS[1])
        operations.accept_key(KEYS[1])

    during(10, rotate_at_once, lambda: None)
    during(60, lambda: operations.accept_key(KEYS[2]), lambda: operations.store_key(KEYS[2]))
    assert any(request.status == 401 for request in emulator.requests_for("get_coupon_file"))

    def lose_secrets_and_key() -> None:
        operations.lose_secrets()
        operations.accept_key("not in use")

    def restore_secrets_and_key() -> None:
        operations.restore_secrets()
        operations.accept_key(KEYS[2])

    during(30, lose_secrets_and_key, restore_secrets_and_key)

    def lose_names() -> None:
        operations.disturb(no_dns=True)
        emulator.fail("get_coupon_file", faults.reset(), times=None)  # or connections stay open that need no name

    def restore_names() -> None:
        emulator.clear_faults()
        before = requests_of(emulator)
        time.sleep(5)
        assert requests_of(emulator) == before  # nothing arrives without a name; an address is kept for ten seconds
        operations.disturb()

    during(60, lose_names, restore_names)

    def lose_triggerer_and_secrets() -> None:
        site.kill("triggerer")
        operations.lose_secrets()
        site.start("triggerer")

    during(30, lose_triggerer_and_secrets, operations.restore_secrets)

    def restart_triggerer_with_another_key() -> None:
        site.kill("triggerer")
        operations.accept_key(KEYS[3])
        site.start("triggerer")

    during(60, restart_triggerer_with_another_key, lambda: operations.store_key(KEYS[3]))

    emulator.script(list_id="many", processing_time=0.0)
    many.wait(timeout=LONG)
    assert set(many.states().values()) == {"success"}, many.states()
    assert {ti.try_number for ti in many.tis()} == {1}
    stuck.wait(timeout=LONG)
    for index, seconds in enumerate(TIMEOUTS):
        timed_out = stuck.exception("wait", index)
        assert timed_out.type == "wes_provider.sensors.WesSensorTimeoutError"
        assert int(re.search(r"within (\d+) s", timed_out.message)[1]) in range(seconds - 1, seconds + 60)
        ti = stuck.ti("wait", index)
        took = (datetime.fromisoformat(ti.end_date) - datetime.fromisoformat(ti.start_date)).total_seconds()
        assert ti.try_number == 1
        assert took < seconds + 120  # a restart of the triggerer, and a worker that notices
