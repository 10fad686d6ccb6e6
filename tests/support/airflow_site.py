"""
A throw-away Airflow for tests: a home of its own in a temporary folder, the same on Airflow 2.11
and 3.0 to 3.4.

Two ways to run DAGs. :meth:`AirflowSite.run` takes one DAG run to its end with ``airflow dags
test``: real task runs, XComs, retries and inline triggers, in about a second.
:meth:`AirflowSite.start` starts the real scheduler, triggerer and the rest for
:meth:`AirflowSite.trigger`. What happened is read straight from the database, so a
:class:`Run` tells the same of both.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, TypeVar

import psutil
import requests

T = TypeVar("T")

HERE = Path(__file__).parent
AIRFLOW_VERSION = tuple(int(part) for part in version("apache-airflow").split(".")[:2])

SERVICES = {
    "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
    # 2.11 refuses SQLite, which is good enough for tests.
    "_AIRFLOW__SKIP_DATABASE_EXECUTOR_COMPATIBILITY_CHECK": "1",
    "AIRFLOW__CORE__PARALLELISM": "8",
    "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": "True",
    "AIRFLOW__API__HOST": "127.0.0.1",
    "AIRFLOW__API__WORKERS": "1",
    "AIRFLOW__API__SECRET_KEY": "a-secret-that-all-processes-share",
    "AIRFLOW__API_AUTH__JWT_SECRET": "a-secret-that-all-processes-share-and-that-is-long-enough-for-sha-512",
    "AIRFLOW__WEBSERVER__SECRET_KEY": "a-secret-that-all-processes-share",
    # Whatever dies is noticed in seconds, and still a slow machine is not taken for a dead one.
    "AIRFLOW__SCHEDULER__JOB_HEARTBEAT_SEC": "1",
    "AIRFLOW__SCHEDULER__SCHEDULER_HEARTBEAT_SEC": "1",
    "AIRFLOW__SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": "0.2",
    "AIRFLOW__SCHEDULER__SCHEDULER_HEALTH_CHECK_THRESHOLD": "10",
    "AIRFLOW__SCHEDULER__ORPHANED_TASKS_CHECK_INTERVAL": "3",
    "AIRFLOW__SCHEDULER__TRIGGER_TIMEOUT_CHECK_INTERVAL": "2",
    "AIRFLOW__TRIGGERER__JOB_HEARTBEAT_SEC": "1",
    "AIRFLOW__TRIGGERER__TRIGGERER_HEALTH_CHECK_THRESHOLD": "10",
    "AIRFLOW__WORKERS__MIN_HEARTBEAT_INTERVAL": "1",
    "AIRFLOW__WORKERS__EXECUTION_API_TIMEOUT": "60",  # five seconds fail tasks of a busy machine
    "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "5",
    # While Airflow 3.4 gives a cleared task this long to end, it sends no heartbeats: less than
    # their timeout below.
    "AIRFLOW__CORE__KILLED_TASK_CLEANUP_TIME": "5",
} | (
    {
        "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "12",
        "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT_DETECTION_INTERVAL": "2",
    }
    if AIRFLOW_VERSION >= (3, 0)
    else {
        # One that is late by as much ends its task.
        "AIRFLOW__SCHEDULER__LOCAL_TASK_JOB_HEARTBEAT_SEC": "5",
        "AIRFLOW__SCHEDULER__SCHEDULER_ZOMBIE_TASK_THRESHOLD": "12",
        "AIRFLOW__SCHEDULER__ZOMBIE_DETECTION_INTERVAL": "2",
        "AIRFLOW__SCHEDULER__DAG_DIR_LIST_INTERVAL": "5",
    }
)

UNHURRIED = {
    "AIRFLOW__CORE__PARALLELISM": "4",
    "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "300",
    "AIRFLOW__SCHEDULER__SCHEDULER_ZOMBIE_TASK_THRESHOLD": "300",
    "AIRFLOW__SCHEDULER__LOCAL_TASK_JOB_HEARTBEAT_SEC": "60",
}
"""For ``env``, where no task is killed: a slow machine has its time."""

NOT_OF_THIS_SITE = ("AIRFLOW", "_AIRFLOW", "PYTEST")
"""What environment variables begin with that a site does not inherit."""

PROCESSES: dict[str, tuple[str, ...]] = {
    name: (name, "--skip-serve-logs") for name in ("scheduler", "triggerer")
}
if AIRFLOW_VERSION >= (3, 0):
    PROCESSES |= {
        "api-server": ("api-server", "--apps", "execution"),
        "dag-processor": ("dag-processor",),
    }
"""The processes that make up a running Airflow: what each is called here, and its command."""

WITH_PUBLIC_API = ("api-server",)
"""The command for ``AirflowSite.processes`` of an API server that runs all of its applications."""

EARLIER_TABLES = (
    """
    CREATE TEMP VIEW task_instance AS SELECT *, region_index AS map_index FROM main.task_instance WHERE working_set;
    CREATE TEMP VIEW task_state_store AS SELECT *, region_index AS map_index FROM main.task_state_store;
    CREATE TEMP VIEW xcom AS
        SELECT * FROM main.xcom_v2 JOIN (SELECT id AS task_instance_id, dag_id, run_id, task_id, map_index
            FROM temp.task_instance) USING (task_instance_id);
    CREATE TEMP VIEW rendered_task_instance_fields AS
        SELECT * FROM main.rtif_v2 JOIN (SELECT id AS task_instance_id, dag_id, run_id, task_id, map_index
            FROM temp.task_instance) USING (task_instance_id);
    """
    if AIRFLOW_VERSION >= (3, 4)
    else ""
)
"""
Show the tables of Airflow 3.4, where every attempt and every iteration has rows of its own, as
those of before.
"""

DAG_FILES = Path(__file__).parent / "dags"
"""DAGs with parameters, which read them from a JSON file beside them."""

DAG_FILE = """\
from __future__ import annotations

from datetime import datetime, timedelta

from airflow.providers.common.compat.sdk import DAG, BaseOperator, BaseSensorOperator, task
from wes_provider.models import *
from wes_provider.operators import *
from wes_provider.sensors import *

with DAG({dag_id!r}, schedule=None, start_date=datetime(2025, 1, 1), **{arguments!r}):
{body}
"""

REHEARSAL = """
@task
def numbers():
    return [1, 2]

@task
def double(number):
    return 2 * number

double.expand(number=numbers())
"""
"""Tasks that use most of what other tasks use of Airflow."""


@dataclass(frozen=True)
class Completed:
    """
    A command that ended: its exit code (below zero: the signal that killed it), and all that it
    printed.
    """

    exit_code: int
    output: str


class AirflowSite:
    """
    One Airflow home and the processes on it. Use as a context manager: its end stops all of them.

    :param home: an empty folder.
    :param template: where the migrated database is kept for further sites of the same test session.
    :param more: further environment variables; of those that Airflow reads when it is imported,
        unlike ``env``.
    """

    def __init__(
        self, home: Path, template: Path, more: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.home = home
        self.dags = home / "dags"
        self.database = home / "airflow.db"
        self.env: dict[str, str] = {}
        """
        Environment variables of all that is started from now on, besides this process's
        ``AIRFLOW_CONN_*``.
        """
        self.port = free_port()
        """Of the API server."""
        self.processes = dict(PROCESSES)
        self._template = template
        self._more = dict(more)
        self._pids: dict[str, int] = {}
        self._warm: Any = None
        self._count = 0

    def __enter__(self) -> AirflowSite:
        self.reset()
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._warm is not None:
            self._warm.stdin.close()
            self._warm.wait(30)
            self._warm.stdout.close()
            self._warm = None

    # -- setting up

    def settings(self) -> dict[str, str]:
        """Environment variables that make an Airflow process one of this site."""
        return {
            **{
                name: value
                for name, value in os.environ.items()
                if not name.startswith(NOT_OF_THIS_SITE)
            },
            "AIRFLOW_HOME": str(self.home),
            "AIRFLOW__CORE__DAGS_FOLDER": str(self.dags),
            "AIRFLOW__CORE__PLUGINS_FOLDER": str(HERE / "plugins"),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION": "False",
            "AIRFLOW__CORE__FERNET_KEY": "",  # stored as it is, so that tests see what is stored
            "AIRFLOW__CORE__HOSTNAME_CALLABLE": "socket.gethostname",
            # Each command would: the template's are complete.
            "AIRFLOW__DATABASE__CHECK_MIGRATIONS": "False",
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{self.database}?timeout=60",
            "AIRFLOW__DATABASE__LOAD_DEFAULT_CONNECTIONS": "False",
            "AIRFLOW__LOGGING__COLORED_CONSOLE_LOG": "False",
            "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
            **SERVICES,
            "AIRFLOW__API__PORT": str(self.port),
            "AIRFLOW__API__BASE_URL": f"http://127.0.0.1:{self.port}",
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{self.port}/execution/",
            "AIRFLOW__WEBSERVER__BASE_URL": f"http://127.0.0.1:{self.port}",
            **self._more,
        }

    def reset(self) -> None:
        """
        Be as new: no DAG, no run, no variable of an earlier test. No process but the warm one may
        be running.
        """
        if self._warm is None:
            self._clear()
            self._warm_up()
            self._make_database()
            self._send(rehearse=("dags", "test", self.write_tasks(REHEARSAL)))
        self._clear()
        self._make_database()

    def _clear(self) -> None:
        for path in self.home.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name not in ("airflow.cfg", "warm.log"):
                path.unlink()
        self.dags.mkdir()
        self.env = {}

    def _make_database(self) -> None:
        self._template.parent.mkdir(parents=True, exist_ok=True)
        with self._template.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # other test processes want one, too
            if not self._template.exists():
                self._make_template()
        shutil.copyfile(self._template, self.database)

    def _make_template(self) -> None:
        self.airflow("db", "migrate")
        with closing(sqlite3.connect(self.database)) as connection:
            # Readers and the writer do not wait for one another.
            connection.execute("PRAGMA journal_mode = WAL")
        copy = self._template.with_suffix(".new")
        shutil.copyfile(self.database, copy)
        copy.rename(self._template)

    def write_dag(self, name: str, source: str) -> Path:
        path = self.dags / f"{name}.py"
        path.write_text(source)
        return path

    def write_dag_file(self, name: str, *, dag_id: str | None = None, **parameters: Any) -> str:
        """
        Write one of the DAG files of ``support/dags``, and beside it what it reads as ``GIVEN``.

        :param name: of the file, without its suffix.
        :param parameters: JSON.
        :return: the DAG's id.
        """
        self._count += 1
        dag_id = dag_id or f"dag_{self._count}"
        self.write_dag(dag_id, (DAG_FILES / f"{name}.py").read_text())
        (self.dags / f"{dag_id}.json").write_text(json.dumps({"dag_id": dag_id, **parameters}))
        return dag_id

    def write_tasks(self, body: str, *, dag_id: str | None = None, **arguments: Any) -> str:
        """
        Write a DAG of the tasks in ``body``, which stands inside ``with DAG(...)`` below the
        imports of ``DAG_FILE``.

        :param arguments: further ones of the DAG, such as ``default_args``.
        :return: the DAG's id.
        """
        self._count += 1
        dag_id = dag_id or f"dag_{self._count}"
        body = textwrap.indent(textwrap.dedent(body), "    ")
        self.write_dag(dag_id, DAG_FILE.format(dag_id=dag_id, arguments=arguments, body=body))
        return dag_id

    # -- commands

    def airflow(self, *argv: str, timeout: float = 120, check: bool = True) -> Completed:
        """
        Run the command ``airflow *argv`` to its end, in tenths of a second
        (:mod:`support.warm_airflow`).

        :param argv: with ``python`` in its first place, another program for which Airflow is
            imported already.
        """
        self._count += 1
        log = self.home / f"command-{self._count}.log"
        pid = self._spawn(argv, log)
        completed = Completed(self._send(wait=pid, timeout=timeout)["exit_code"], log.read_text())
        # Pytest shows it where a test fails.
        print(f"$ airflow {' '.join(argv)}", completed.output, sep="\n")
        if check and completed.exit_code:
            raise AssertionError(
                f"airflow {' '.join(argv)} ended with {completed.exit_code}:\n{completed.output}"
            )
        return completed

    def _spawn(self, argv: Sequence[str], log: Path) -> int:
        connections = {
            name: value for name, value in os.environ.items() if name.startswith("AIRFLOW_CONN_")
        }
        pid: int = self._send(start=argv, env=connections | self.env, log=str(log))["pid"]
        return pid

    def _warm_up(self) -> None:
        with (self.home / "warm.log").open("w") as log:
            self._warm = subprocess.Popen(
                [sys.executable, "-I", str(HERE / "warm_airflow.py")],
                env=self.settings(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                # It ends with its input, not with the Ctrl+C that ends pytest.
                start_new_session=True,
            )

    def _send(self, **request: Any) -> Any:
        self._warm.stdin.write(json.dumps(request) + "\n")
        self._warm.stdin.flush()
        line = self._warm.stdout.readline()
        if not line:
            raise AssertionError(f"the warm Airflow ended:\n{(self.home / 'warm.log').read_text()}")
        return json.loads(line)

    def run(
        self,
        tasks: str,
        *,
        conf: Mapping[str, Any] | None = None,
        timeout: float = 120,
        **arguments: Any,
    ) -> Run:
        """
        Take one run of a DAG to its end with ``airflow dags test``.

        :param tasks: of :meth:`write_tasks`, as are ``arguments``; or the id of a DAG that is there
            already.
        """
        dag_id = tasks if re.fullmatch(r"[\w.-]+", tasks) else self.write_tasks(tasks, **arguments)
        return self.run_at_once(dag_id, conf=conf, timeout=timeout)[0]

    def run_at_once(
        self, *dag_ids: str, conf: Mapping[str, Any] | None = None, timeout: float = 120
    ) -> list[Run]:
        """
        Take one run of each DAG to its end, all at the same time: for DAGs that do little but wait.
        """
        if len(dag_ids) > 1:
            self.airflow("dags", "reserialize")  # else each would create the same rows
        before = {row.run_id for row in self.rows("SELECT run_id FROM dag_run")}
        conf_argument = () if conf is None else ("--conf", json.dumps(conf))
        self._count += 1
        logs = {dag_id: self.home / f"command-{self._count}-{dag_id}.log" for dag_id in dag_ids}
        pids = [
            self._spawn(("dags", "test", dag_id, *conf_argument), log)
            for dag_id, log in logs.items()
        ]
        for pid in pids:
            self._send(wait=pid, timeout=timeout)
        outputs = {dag_id: log.read_text() for dag_id, log in logs.items()}
        print(*outputs.values(), sep="\n")  # pytest shows it where a test fails
        found = {
            row.dag_id: row.run_id
            for row in self.rows("SELECT * FROM dag_run")
            if row.run_id not in before
        }
        for dag_id in set(dag_ids) - set(found):
            raise AssertionError(f"the DAG {dag_id} did not run:\n{outputs[dag_id]}")
        return [Run(self, dag_id, found[dag_id], outputs[dag_id]) for dag_id in dag_ids]

    # -- the whole of Airflow

    def start(self, *names: str, timeout: float = 300) -> None:
        """Start :attr:`processes` of these names (without names all of them), and wait for them."""
        names = names or tuple(self.processes)
        last_job = self.rows("SELECT coalesce(max(id), 0) AS id FROM job")[0].id
        for name in names:
            self._pids[name] = self._spawn(self.processes[name], self.home / f"{name}.log")
        wait_until(
            lambda: all(self._is_up(name, last_job) for name in names),
            timeout,
            f"{', '.join(names)} to start",
        )

    def _is_up(self, name: str, last_job: int) -> bool:
        if not is_alive(self._pids[name]):
            raise AssertionError(
                f"airflow {name} ended:\n{(self.home / f'{name}.log').read_text()}"
            )
        command = self.processes[name][0]
        if command == "api-server":
            with socket.socket() as connection:
                return connection.connect_ex(("127.0.0.1", self.port)) == 0
        job_type = "".join(word.capitalize() for word in command.split("-")) + "Job"
        return bool(
            self.rows("SELECT * FROM job WHERE job_type = ? AND id > ?", job_type, last_job)
        )

    def kill(self, name: str) -> None:
        """
        End one of :attr:`processes` with SIGKILL, and all that it started: as if its machine were
        gone.
        """
        root = psutil.Process(self._pids.pop(name))
        root.suspend()  # so that it starts no further ones meanwhile
        for process in [*root.children(recursive=True), root]:
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def trigger(self, dag_id: str, *, conf: Mapping[str, Any] | None = None) -> Run:
        """Start a run of a DAG under the scheduler (:meth:`start`)."""
        self._count += 1
        run_id = f"run_{self._count}"
        if not self._is_known(dag_id):
            # Fails where the DAG processor comes between.
            self.airflow("dags", "reserialize", check=False)
            wait_until(lambda: self._is_known(dag_id), 60, f"the DAG processor to find {dag_id}")
        self.airflow(
            "dags", "trigger", dag_id, "--run-id", run_id, "--conf", json.dumps(conf or {})
        )
        return Run(self, dag_id, run_id)

    def _is_known(self, dag_id: str) -> bool:
        return bool(self.rows("SELECT dag_id FROM serialized_dag WHERE dag_id = ?", dag_id))

    # -- looking

    def rows(self, query: str, *parameters: Any) -> list[SimpleNamespace]:
        """Rows of the database."""
        with closing(
            sqlite3.connect(f"{self.database.as_uri()}?mode=ro", uri=True, timeout=60)
        ) as connection:
            connection.executescript(EARLIER_TABLES)
            connection.row_factory = sqlite3.Row
            return [SimpleNamespace(**row) for row in connection.execute(query, parameters)]

    def xcom_value(self, stored: Any) -> Any:
        """Value of an XCom, of what the database has of it."""
        return from_json(stored)

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """
        Name and content of every file of the site, its logs and database among them: to search for
        what leaked.
        """
        for path in self.home.rglob("*"):
            if path.is_file():
                yield str(path.relative_to(self.home)), path.read_bytes()


@dataclass(frozen=True)
class Run:
    """One DAG run. Every look reads the database anew, so it serves for a run that goes on, too."""

    site: AirflowSite
    dag_id: str
    run_id: str
    output: str = ""
    """All that ``airflow dags test`` printed."""

    def _rows(self, table: str, where: str = "", *parameters: Any) -> list[SimpleNamespace]:
        query = f"SELECT * FROM {table} WHERE dag_id = ? AND run_id = ? {where}"
        return self.site.rows(query, self.dag_id, self.run_id, *parameters)

    def _task_rows(self, table: str, task_id: str, map_index: int) -> list[SimpleNamespace]:
        return self._rows(table, "AND task_id = ? AND map_index = ?", task_id, map_index)

    @property
    def state(self) -> str:
        return self._rows("dag_run")[0].state

    def tis(self) -> list[SimpleNamespace]:
        """Rows of all task instances, with the database's columns as attributes."""
        return self._rows("task_instance", "ORDER BY task_id, map_index")

    def states(self) -> dict[str, str | None]:
        """State of each task; of mapped ones as ``task[0]``."""
        return {
            ti.task_id + (f"[{ti.map_index}]" if ti.map_index >= 0 else ""): ti.state
            for ti in self.tis()
        }

    def ti(self, task_id: str, map_index: int = -1) -> SimpleNamespace:
        """
        Row of one task instance: ``state``, ``try_number``, ``max_tries``, ``next_method``, ``pid``
        and so on.
        """
        return self._task_rows("task_instance", task_id, map_index)[0]

    def xcoms(self, task_id: str, map_index: int = -1) -> dict[str, Any]:
        return {
            row.key: self.site.xcom_value(row.value)
            for row in self._task_rows("xcom", task_id, map_index)
        }

    def xcom(self, task_id: str, key: str = "return_value", map_index: int = -1) -> Any:
        """:raises KeyError: where the task pushed no such XCom."""
        return self.xcoms(task_id, map_index)[key]

    def rendered(self, task_id: str, map_index: int = -1) -> dict[str, Any]:
        """Rendered template fields."""
        return from_json(
            self._task_rows("rendered_task_instance_fields", task_id, map_index)[0].rendered_fields
        )

    def trigger_of(self, task_id: str, map_index: int = -1) -> SimpleNamespace | None:
        """
        Row of the trigger that a deferred task waits for: ``classpath``, ``kwargs``,
        ``triggerer_id``.
        """
        rows = self.site.rows(
            'SELECT * FROM "trigger" WHERE id = ?', self.ti(task_id, map_index).trigger_id
        )
        return rows[0] if rows else None

    def stored(self, task_id: str, map_index: int = -1) -> dict[str, Any]:
        """What the task keeps in the task state store (Airflow 3.3)."""
        return {
            row.key: json.loads(row.value)
            for row in self._task_rows("task_state_store", task_id, map_index)
        }

    def failures(self, task_id: str, map_index: int = -1) -> list[SimpleNamespace]:
        """
        The exception of each failed attempt, the first one first: its ``message``, the
        ``try_number``, its ``type`` (the class with its module), and ``bases``, which are that and
        all that it descends from.
        """
        file = self.site.home / "failures.jsonl"
        found = [
            SimpleNamespace(**json.loads(line))
            for line in (file.read_text().splitlines() if file.exists() else ())
        ]
        wanted = [self.dag_id, self.run_id, task_id, map_index]
        return [failure for failure in found if failure.of == wanted]

    def exception(self, task_id: str, map_index: int = -1) -> SimpleNamespace:
        """The exception of the last failed attempt."""
        return self.failures(task_id, map_index)[-1]

    def log(self, task_id: str, map_index: int = -1) -> str:
        """Log of all attempts of a task, that of its triggers included."""
        if not self.output:
            folder = (
                self.site.home
                / "logs"
                / f"dag_id={self.dag_id}"
                / f"run_id={self.run_id}"
                / f"task_id={task_id}"
            )
            files = (folder / f"map_index={map_index}" if map_index >= 0 else folder).glob(
                "attempt=*.log*"
            )
            return "".join(readable(file.read_text()) for file in sorted(files))
        start = rf"\[DAG TEST\] starting task_id={re.escape(task_id)} map_index={map_index}\b"
        attempts = re.findall(
            rf"{start}.*?(?=\[DAG TEST\] (?:starting|end) |\Z)", self.output, re.DOTALL
        )
        return "".join(attempts)

    # -- under a scheduler

    def wait(
        self, *states: str, task_id: str | None = None, map_index: int = -1, timeout: float = 120
    ) -> Run:
        """
        Wait until the run (a task of it, with ``task_id``) is in one of ``states``; success or
        failed without.
        """
        states = states or ("success", "failed")

        def reached() -> bool:
            return (self.ti(task_id, map_index).state if task_id else self.state) in states

        wait_until(
            reached,
            timeout,
            lambda: f"{task_id or 'the run'} to be {states}; states: {self.states()}",
        )
        return self

    def clear(self, task_id: str) -> None:
        """Clear a task, all indexes of a mapped one, as a user does who wants it to run again."""
        self.site.airflow("clear-task", self.dag_id, self.run_id, task_id)


def call(site: AirflowSite, method: str, path: str, **body: Any) -> Any:
    """
    Send a request to the API of a site's Airflow 3 that runs it; the result is the body of its
    response.
    """
    url = f"http://127.0.0.1:{site.port}"
    for _ in range(60):  # the application may start after its port
        try:
            token = requests.get(f"{url}/auth/token", timeout=60).json()["access_token"]
            break
        except requests.ConnectionError:
            time.sleep(1)
    headers = {"Authorization": f"Bearer {token}"}
    response = requests.request(
        method, f"{url}/api/v2/{path}", json=body or None, headers=headers, timeout=60
    )
    assert response.ok, response.text
    return response.json() if response.content else None


def readable(log: str) -> str:
    """Log of a task as text, where Airflow 3 writes one JSON object a line."""
    lines = (
        json.loads(line).values() if line.startswith("{") else [line] for line in log.splitlines()
    )
    return "".join(" ".join(map(str, parts)) + "\n" for parts in lines)


def wait_until(reached: Callable[[], T], timeout: float, what: str | Callable[[], str]) -> T:
    """
    Wait until ``reached`` answers with something true, which is returned.

    :raises AssertionError: naming ``what`` was waited for, after ``timeout`` seconds.
    """
    deadline = time.monotonic() + timeout
    while not (response := reached()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {timeout} s for {what() if callable(what) else what}")
        time.sleep(0.05)
    return response


def is_alive(pid: int) -> bool:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def free_port() -> int:
    """
    A port of the loopback interface that nothing will take by chance: it is not one of those for
    connections.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


def from_json(stored: Any) -> Any:
    """Value of a JSON column, where SQLite turns what looks like a number into one."""
    return json.loads(stored) if isinstance(stored, str | bytes) else stored
