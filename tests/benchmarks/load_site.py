"""Airflow as the load test wants it: an executor, and PostgreSQL and Redis of its own from Debian's packages."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from support.airflow_site import AirflowSite, free_port, wait_until

CELERY = "CeleryExecutor"
POSTGRESQL = "/usr/lib/postgresql/*/bin"  # Debian keeps the server's programs off the PATH

# What dies is noticed within a minute, and what only runs slowly, on a busy machine, is not taken for dead.
GROW_AFTER = {
    "AIRFLOW__SCHEDULER__JOB_HEARTBEAT_SEC": "5",
    "AIRFLOW__SCHEDULER__SCHEDULER_HEALTH_CHECK_THRESHOLD": "30",
    "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "60",
    "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT_DETECTION_INTERVAL": "5",
    "AIRFLOW__TRIGGERER__JOB_HEARTBEAT_SEC": "5",
    "AIRFLOW__TRIGGERER__TRIGGERER_HEALTH_CHECK_THRESHOLD": "20",
    "AIRFLOW__WORKERS__MIN_HEARTBEAT_INTERVAL": "5",
    "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "300",
    "AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "300",
}


class LoadSite(AirflowSite):
    """
    An Airflow home and its processes.

    :param parallel: how many tasks run at a time.
    :param database: URL of an empty PostgreSQL database; without it, SQLite.
    :param broker: URL of the Redis that makes it a CeleryExecutor with two workers and two triggerers.
    """

    def __init__(
        self, home: Path, template: Path, *, parallel: int, database: str | None = None, broker: str | None = None
    ) -> None:
        more = {**GROW_AFTER, "AIRFLOW__CORE__PARALLELISM": str(parallel)}
        if database is not None:
            more["AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"] = database
        if broker is not None:
            if database is None:
                raise ValueError("CeleryExecutor needs PostgreSQL")
            more |= {
                "AIRFLOW__CORE__EXECUTOR": CELERY,
                "AIRFLOW__CELERY__BROKER_URL": broker,
                "AIRFLOW__CELERY__RESULT_BACKEND": f"db+{database}",
                "AIRFLOW__CELERY__OPERATION_TIMEOUT": "30",  # one second fails tasks of a busy machine
                # What a killed worker had fetched from the queue is queued anew after that time.
                "AIRFLOW__SCHEDULER__TASK_QUEUED_TIMEOUT": "120",
                "AIRFLOW__SCHEDULER__TASK_QUEUED_TIMEOUT_CHECK_INTERVAL": "10",
            }
        super().__init__(home, template, more)
        self.url = database
        if broker is not None:
            concurrency = str(max(1, parallel // 2))
            for name in ("worker-1", "worker-2"):
                hostname = f"{name}@%h"
                self.processes[name] = (
                    "celery", "worker", "--skip-serve-logs", "--concurrency", concurrency, "--celery-hostname", hostname
                )  # fmt: skip
            self.processes["triggerer-2"] = self.processes["triggerer"]

    def _make_database(self) -> None:
        if self.url is None:
            super()._make_database()
        else:
            self.airflow("db", "migrate")

    def rows(self, query: str, *parameters: Any) -> list[SimpleNamespace]:
        if self.url is None:
            return super().rows(query, *parameters)
        import psycopg2
        import psycopg2.extras

        url, factory = self.url.replace("+psycopg2", ""), psycopg2.extras.RealDictCursor
        with closing(psycopg2.connect(url, cursor_factory=factory)) as connection, connection.cursor() as cursor:
            for register in (psycopg2.extras.register_default_json, psycopg2.extras.register_default_jsonb):
                register(connection, loads=str)  # as text, which is how SQLite gives it
            cursor.execute(query.replace("?", "%s"), parameters)
            return [SimpleNamespace(**row) for row in cursor.fetchall()]

    def _is_up(self, name: str, last_job: int) -> bool:
        if self.processes[name][0] != "celery":
            return super()._is_up(name, last_job)
        return " ready." in (self.home / f"{name}.log").read_text()

    @property
    def running(self) -> dict[str, int]:
        """The process ids of what is running, by their names in :attr:`processes`."""
        return dict(self._pids)


@contextmanager
def postgresql() -> Iterator[str]:
    """A PostgreSQL of its own, from the package ``postgresql``; URL of an empty database."""
    binaries = sorted(Path("/").glob(f"{POSTGRESQL[1:]}/initdb"))
    if not binaries:
        raise SystemExit("there is no PostgreSQL: apt-get install -y --no-install-recommends postgresql")
    folder = binaries[-1].parent
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="load-postgresql-") as data:
        user = unprivileged(data)
        subprocess.run(
            [folder / "initdb", "--pgdata", data, "--username", "airflow", "--auth", "trust", "--no-sync"],
            check=True,
            stdout=subprocess.DEVNULL,
            **user,
        )
        command = [folder / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", "", "-c", "fsync=off"]
        with serving([*command, "-c", "max_connections=300"], port, **user):
            yield f"postgresql+psycopg2://airflow@127.0.0.1:{port}/postgres"


@contextmanager
def redis() -> Iterator[str]:
    """A Redis of its own, from the package ``redis-server``; its URL."""
    server = shutil.which("redis-server")
    if server is None:
        raise SystemExit("there is no Redis: apt-get install -y --no-install-recommends redis-server")
    port = free_port()
    command = [server, "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"]
    with serving(command, port):
        yield f"redis://127.0.0.1:{port}/0"


def unprivileged(folder: str) -> dict[str, Any]:
    """What has a process run as somebody who owns ``folder``: PostgreSQL refuses to be root."""
    if os.geteuid():
        return {}
    user = pwd.getpwnam("postgres")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": folder}


@contextmanager
def serving(command: Sequence[Any], port: int, **how: Any) -> Iterator[None]:
    """A server while the block runs."""

    def up() -> bool:
        if server.poll() is not None:
            errors.seek(0)
            raise RuntimeError(f"{command[0]} ended with {server.returncode}: {errors.read()}")
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", port)) == 0

    with tempfile.TemporaryFile("w+") as errors:
        server = subprocess.Popen(list(map(str, command)), stdout=errors, stderr=errors, **how)
        try:
            wait_until(up, 60, f"{command[0]} to start")
            yield
        finally:
            server.send_signal(signal.SIGINT)  # which waits for no client
            server.wait(30)
