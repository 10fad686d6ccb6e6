"""
The three use cases on a deployment as production has it, and an attack on all of its parts.

It comes in waves. In each, there is a run of each use case; its coupon files are not processed
before some parts were killed or restarted, so that there is always something to lose. Meanwhile
task processes are killed at random moments. Nothing here judges what came of it.
"""

from __future__ import annotations

import json
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

import psutil

from support.airflow_site import Run, free_port, is_alive, wait_until
from support.production_site import TRIGGERERS, WORKERS, ProductionSite, accepts_connections
from wes_provider.emulator import EmulatorControl
from wes_provider.emulator.faults import reply_lost

WORKSPACE: Final = "planted-workspace"
CAMPAIGN_KEY: Final = "planted+campaign/key"
DATA_KEY: Final = "planted+data/key"
FETCH_USER: Final = "alice"
FETCH_PASSWORD: Final = "planted+fetch/password"

DEFERRED_LISTS: Final = 3
"""Lists of a wave whose files are waited for in a triggerer."""

FILES: Final = 6
"""Coupon files of a list."""

CATALOGS: Final = 4
"""Catalogs of a wave."""

MOST_KILLS: Final = 2
"""How often the task processes of one task instance are killed at random."""

PAUSES: Final = (2.0, 6.0)
"""Seconds between two such kills, at least and at most."""

LOST_RESPONSES: Final = 3
"""Uploads of a wave that the service accepts, and whose responses get lost."""

FREEZE: Final = 8.0
"""Seconds for which the service does not respond."""


@dataclass(frozen=True)
class Wave:
    """A run of each use case."""

    replenish: Run
    provision: Run
    refresh: Run
    cities: list[str]

    @property
    def runs(self) -> list[Run]:
        return [self.replenish, self.provision, self.refresh]

    @property
    def deferred_lists(self) -> list[str]:
        """By map index, the lists whose files are waited for in a triggerer."""
        return [f"{self.replenish.run_id}-deferred-{index}" for index in range(DEFERRED_LISTS)]

    @property
    def list_on_worker(self) -> str:
        """The list whose files are waited for on a worker."""
        return f"{self.replenish.run_id}-on-worker"

    @property
    def sensed_list(self) -> str:
        """The list of one file, for which a sensor waits."""
        return f"{self.replenish.run_id}-sensed"

    @property
    def lists(self) -> list[str]:
        return [*self.deferred_lists, self.list_on_worker, self.sensed_list]


class Deployment:
    """A site, the service that it uses, what runs on it, and what was done to it."""

    def __init__(self, site: ProductionSite, seed: int) -> None:
        self.site = site
        self.seed = seed
        self.port = free_port()
        self.service = EmulatorControl(f"http://127.0.0.1:{self.port}")
        self.urls: list[str] = []
        self.waves: list[Wave] = []
        self.done: Counter[str] = Counter()
        """How often each thing was killed, restarted or frozen."""
        self.seconds: dict[str, list[float]] = {}
        """How long recoveries took, by what had to recover."""
        self.megabytes: dict[str, float] = {}
        """
        The most memory of each daemon: less than in production, where it does not share what was
        imported.
        """
        self.decided = 0
        """Catalogs whose identifier a person had to look up, since it got lost."""
        self._draw = random.Random(seed)
        self._killed: Counter[tuple[str, str, str, int]] = Counter()
        self._next_kill = float("inf")

    # -- starting

    def start(self) -> None:
        """Start the service and Airflow, with the DAGs of the use cases."""
        self.say(f"seed {self.seed}")
        account = {
            "workspace_id": WORKSPACE,
            "api_key": CAMPAIGN_KEY,
            "data_api_key": DATA_KEY,
            "request_log": 100_000,
        }
        settings = [f"--set={name}={json.dumps(value)}" for name, value in account.items()]
        command = [sys.executable, "-m", "wes_provider.emulator", "serve", "--no-limits"]
        self.site.run_program("service", *command, f"--port={self.port}", *settings)
        wait_until(lambda: accepts_connections(self.port), 60, "the service to start")
        for number in range(FILES):
            content = b"coupon\n" + b"".join(b"C-%d-%d\n" % (number, row) for row in range(50))
            self.urls.append(
                self.service.host(f"{number}.csv", content, FETCH_USER, FETCH_PASSWORD)
            )
        connection = self.service.connection(extra={"coupon_files_lag": 1, "read_timeout": 10})
        files = {"conn_type": "http", "login": FETCH_USER, "password": FETCH_PASSWORD}
        self.site.write_connections({"wes_default": connection, "files": files})
        given = {"urls": self.urls, "deferred_lists": DEFERRED_LISTS, "catalogs": CATALOGS}
        self.site.write_dag_file("use_cases", dag_id="use_cases", **given)
        self.site.start()
        self._next_kill = time.monotonic()
        self.say("all daemons are up")

    def start_wave(self) -> Wave:
        """Start a run of each use case; its coupon files are not processed for now."""
        number = len(self.waves)
        # At most a fifth of the cities changes, which the guard allows.
        cities = [f"city-{city}" for city in range(10 + number)]
        refresh = self.site.trigger("refresh", conf={"cities": cities})
        self.service.script(outcome="never")
        # Accepted, and nobody learns of it: the list has to be read.
        self.service.fail("upload_coupon_file", reply_lost(), times=LOST_RESPONSES)
        self.done["responses lost"] += LOST_RESPONSES
        replenish = self.site.trigger("replenish")
        wave = Wave(replenish, self.site.trigger("provision"), refresh, cities)
        self.waves.append(wave)
        return wave

    # -- what goes on meanwhile

    def wait(self, reached: Callable[[], Any], what: str | Callable[[], str]) -> None:
        """Wait, while the supervisor works, and task processes are killed."""

        def poll() -> Any:
            self.site.supervise()
            if time.monotonic() >= self._next_kill:
                self.kill_task_process()
            time.sleep(0.2)
            return reached()

        wait_until(poll, 900, what)

    def running(self) -> list[SimpleNamespace]:
        """The task instances that run now, and whose process is there."""
        rows = self.site.rows(
            "SELECT dag_id, run_id, task_id, map_index, try_number, pid, hostname"
            " FROM task_instance WHERE state = 'running' AND pid IS NOT NULL"
        )
        return [row for row in rows if self._is_process_of(row)]

    def _is_process_of(self, row: SimpleNamespace) -> bool:
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            parents = psutil.Process(row.pid).parents()
            return self.site._pids.get(row.hostname) in {parent.pid for parent in parents}
        return False

    def kill_task_process(self) -> None:
        """Kill the process of a task that runs, unless it was killed often enough."""
        self._next_kill = time.monotonic() + self._draw.uniform(*PAUSES)
        rows = [row for row in self.running() if self._killed[key_of(row)] < MOST_KILLS]
        if rows:
            row = self._draw.choice(rows)
            self._killed[key_of(row)] += 1
            self.kill_process(row.pid, "task process")

    def kill_process(self, pid: int, what: str) -> bool:
        """Kill a process, and return whether it was there."""
        with suppress(psutil.NoSuchProcess):
            psutil.Process(pid).kill()
            self.done[what] += 1
            return True
        return False

    def stop_killing(self) -> None:
        """Kill no further task processes."""
        self._next_kill = float("inf")

    def measure_memory(self) -> None:
        for name in self.site.processes:
            megabytes = self.site.memory_of(name)
            self.megabytes[name] = max(megabytes, self.megabytes.get(name, 0))

    def record(self, what: str, since: float) -> None:
        """Record how long a recovery took, since a moment of ``time.monotonic``."""
        self.seconds.setdefault(what, []).append(round(time.monotonic() - since, 1))

    def say(self, text: str) -> None:
        print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)

    # -- the end

    def decide_as_a_person(self) -> None:
        """
        Do what ``docs/decide.md`` says of catalogs whose identifier got lost, with the service's
        response or with the task that had it: look it up in the service's console, set the Variable, and clear the task.
        """
        for wave in self.waves:
            for ti in wave.provision.tis():
                if ti.state != "failed":
                    continue
                message = wave.provision.exception(ti.task_id).message
                variable = re.findall(r"Set the Airflow Variable (wes_decision_\w+)", message)[0]
                self.site.airflow("variables", "set", variable, self.catalog_ids(wave)[ti.task_id])
                wave.provision.clear(ti.task_id)
                self.decided += 1

    def catalog_ids(self, wave: Wave) -> dict[str, str]:
        """By task, the identifier of its catalog, as the service's console shows it."""
        by_name = {catalog["name"]: key for key, catalog in self.service.catalogs.items()}
        run_id = wave.provision.run_id
        return {f"create_{number}": by_name[f"{run_id}-{number}"] for number in range(CATALOGS)}

    def unfinished(self) -> list[Run]:
        ended = ("success", "failed")
        runs = [run for wave in self.waves for run in wave.runs]
        return [run for run in runs if run.state not in ended]

    def report(self) -> str:
        """What was done, and what came of it."""
        files = sum(len(self.service.files(name)) for wave in self.waves for name in wave.lists)
        tries = self.site.rows("SELECT try_number FROM task_instance")
        lines = [
            f"killed or restarted: {dict(self.done)}",
            f"started again by the supervisor: {dict(self.site.restarts)}",
            f"runs: {3 * len(self.waves)}; task instances: {len(tries)}, with more than one try: "
            f"{sum(row.try_number > 1 for row in tries)}",
            f"files: {files}; catalogs: {len(self.service.catalogs)}, decided by a person: "
            f"{self.decided}",
            f"seconds until recovered: {self.seconds}",
            f"memory in MB (PSS): { ({name: round(mb) for name, mb in self.megabytes.items()}) }",
        ]
        return "\n".join(lines)


def key_of(row: SimpleNamespace) -> tuple[str, str, str, int]:
    """What identifies a task instance."""
    return row.dag_id, row.run_id, row.task_id, row.map_index


# -- what is done to its parts


def kill_triggerer(deployment: Deployment) -> None:
    """Kill a triggerer that has waits; the other one, or the next, takes them over."""
    site = deployment.site

    def waits_of(job: int | None) -> int:
        return site.rows('SELECT count(*) AS n FROM "trigger" WHERE triggerer_id = ?', job)[0].n

    jobs: dict[str, int] = {}

    def find_busy() -> bool:
        for name in TRIGGERERS:
            job = site.job_of(name)
            if job is not None and is_alive(site._pids[name]) and waits_of(job):
                jobs[name] = job
        return bool(jobs)

    deployment.wait(find_busy, "a triggerer to have waits")
    name, job = next(iter(jobs.items()))
    site.kill(name)
    killed_at = time.monotonic()
    deployment.done["triggerer"] += 1
    deployment.wait(lambda: not waits_of(job), f"the waits of {name} to be taken over")
    deployment.record("waits of a killed triggerer", killed_at)


def kill_worker(deployment: Deployment) -> None:
    """Kill a worker and its tasks: Airflow finds out that they send no heartbeats."""
    site = deployment.site
    lost: list[SimpleNamespace] = []

    def find_busy() -> bool:
        lost.extend(row for row in deployment.running() if row.hostname in WORKERS)
        return bool(lost)

    deployment.wait(find_busy, "a worker to run a task")
    host = lost[0].hostname
    site.kill(host)
    killed_at = time.monotonic()
    deployment.done["worker"] += 1
    lost = [row for row in lost if row.hostname == host]
    deployment.wait(lambda: not still_running(site, lost), "the tasks of a worker to be found")
    deployment.record("tasks of a killed worker", killed_at)


def still_running(site: ProductionSite, lost: list[SimpleNamespace]) -> list[SimpleNamespace]:
    """Those of the task instances that Airflow takes to be in the same try as before."""
    found = []
    for row in lost:
        ti = Run(site, row.dag_id, row.run_id).ti(row.task_id, row.map_index)
        if ti.state == "running" and ti.try_number == row.try_number:
            found.append(row)
    return found


def kill_pool_process(deployment: Deployment) -> None:
    """Kill a process of a worker's pool; that of its task is left, and nobody listens to it."""

    def kill() -> bool:
        for row in deployment.running():
            with suppress(psutil.NoSuchProcess):
                parent = psutil.Process(row.pid).ppid()
                # That of an orphan is not the worker's.
                if parent in {
                    process.pid for process in deployment.site.processes_of(row.hostname)
                }:
                    return deployment.kill_process(parent, "pool process")
        return False

    deployment.wait(kill, "a task to run")


def kill_scheduler(deployment: Deployment) -> None:
    site = deployment.site
    site.kill("scheduler")
    killed_at = time.monotonic()
    deployment.done["scheduler"] += 1
    deployment.wait(lambda: site.is_up("scheduler"), "another scheduler")
    deployment.record("scheduler", killed_at)


def restart_postgres_fast(deployment: Deployment) -> None:
    """Break its connections."""
    restart_postgres(deployment, signal.SIGINT)


def restart_postgres_immediately(deployment: Deployment) -> None:
    """End it as a crash does."""
    restart_postgres(deployment, signal.SIGQUIT)


def restart_postgres(deployment: Deployment, how: signal.Signals) -> None:
    deployment.site.stop_postgres(how)
    deployment.site.start_postgres()
    deployment.done[f"PostgreSQL ({how.name})"] += 1


def restart_redis(deployment: Deployment) -> None:
    deployment.site.stop_redis()
    deployment.site.start_redis()
    deployment.done["Redis"] += 1


def freeze_service(deployment: Deployment) -> None:
    """Have the service accept connections, and not respond for a while."""
    service = psutil.Process(deployment.site._pids["service"])
    service.suspend()
    try:
        thawed_at = time.monotonic() + FREEZE
        deployment.wait(lambda: time.monotonic() > thawed_at, "the end of the freeze")
    finally:
        service.resume()
    deployment.done["service frozen"] += 1


WAVES: Final = (
    (kill_triggerer, restart_postgres_fast, freeze_service),
    (kill_worker, restart_redis, kill_pool_process),
    (kill_scheduler, restart_postgres_immediately, kill_triggerer),
)
"""What happens in each wave, one after the other."""


def attack(deployment: Deployment) -> None:
    """Run the waves, and wait until all runs have ended."""
    for strikes in WAVES:
        wave = deployment.start_wave()
        deployment.say(f"wave {len(deployment.waves)} has started")
        wait_for_deferrals(deployment, wave)
        for strike in strikes:
            deployment.say(strike.__name__.replace("_", " "))
            strike(deployment)
            deployment.measure_memory()
        deployment.service.script(outcome="success")
    deployment.say("no further attack")
    deployment.wait(lambda: not deployment.unfinished(), lambda: states_of(deployment))
    deployment.stop_killing()
    deployment.decide_as_a_person()
    deployment.wait(lambda: not deployment.unfinished(), lambda: states_of(deployment))
    deployment.say("all runs have ended")
    print(deployment.report(), flush=True)


def wait_for_deferrals(deployment: Deployment, wave: Wave) -> None:
    """Wait until triggerers have waits of a wave."""

    def is_deferred() -> bool:
        return "deferred" in wave.replenish.states().values()

    deployment.wait(is_deferred, lambda: f"a task to defer: {wave.replenish.states()}")


def states_of(deployment: Deployment) -> str:
    states = {f"{run.dag_id} {run.run_id}": run.states() for run in deployment.unfinished()}
    return f"the runs to end: {states}"
