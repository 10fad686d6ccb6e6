"""
An Airflow as production has it: CeleryExecutor, PostgreSQL, Redis, two workers, two triggerers, a
secrets backend, XComs in object storage, and a supervisor that starts again what ends.

PostgreSQL and Redis are the distribution's. They run on free ports, in a folder of their own, and
end with the site.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, redirect_stdout, suppress
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import psutil

from support.airflow_site import AirflowSite, Completed, free_port, is_alive, wait_until

WORKERS: Final = ("worker-1", "worker-2")
TRIGGERERS: Final = ("triggerer-1", "triggerer-2")
DAEMONS: Final[dict[str, tuple[str, ...]]] = {
    "api-server": ("api-server",),
    "dag-processor": ("dag-processor",),
    "scheduler": ("scheduler", "--skip-serve-logs"),
    **dict.fromkeys(TRIGGERERS, ("triggerer", "--skip-serve-logs")),
    **{name: ("celery", "worker", "--skip-serve-logs", "-H", name) for name in WORKERS},
}
"""By the name of the machine that it runs on, the command of each daemon."""

SHORTENED: Final = {
    # 300 s by default: so long after a worker's end, its tasks are found and run again.
    "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "45",
    # 600 s by default: so long after a worker's end, the tasks that it had reserved are queued again.
    "AIRFLOW__SCHEDULER__TASK_QUEUED_TIMEOUT": "60",
    "AIRFLOW__SCHEDULER__TASK_QUEUED_TIMEOUT_CHECK_INTERVAL": "10",
    # 300 s by default: so long after a scheduler's end, another one takes over what it had queued.
    "AIRFLOW__SCHEDULER__ORPHANED_TASKS_CHECK_INTERVAL": "15",
}
"""The waits of Airflow that would each make the tier minutes longer. All others are its defaults."""

RESTART_PAUSE: Final = 3.0
"""Seconds between two starts of one daemon, as a supervisor has them."""

POSTGRES_USER: Final = "postgres"
"""Of the distribution's package: PostgreSQL refuses to run as root."""


def postgres_program(name: str) -> str | None:
    """Return the path of one of PostgreSQL's programs, which Debian keeps off the ``PATH``."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    path = os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")])
    return shutil.which(name, path=path)


def what_is_missing() -> str:
    """Return what this machine lacks for a production site, and how to get it; empty if nothing."""
    programs = {
        "postgresql": [postgres_program(name) for name in ("initdb", "postgres", "pg_dump")],
        "redis-server": [shutil.which("redis-server")],
    }
    packages = [package for package, paths in programs.items() if None in paths]
    if packages:
        return f"needs {' and '.join(packages)}: apt-get install {' '.join(packages)}"
    if find_spec("airflow.providers.celery") is None:
        return "needs apache-airflow[celery,postgres]: tox run -e production"
    return ""


def accepts_connections(port: int) -> bool:
    """Whether something listens on a port of the loopback interface."""
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


class ProductionSite(AirflowSite):
    """
    Use as a context manager, as any site. Its end stops all that it started.

    :param home: an empty folder.
    """

    def __init__(self, home: Path) -> None:
        super().__init__(home, home / "no-template")
        self.processes = dict(DAEMONS)
        # Not below pytest's folders, which PostgreSQL's user may not enter.
        self.folder = Path(tempfile.mkdtemp(prefix="wes-production-"))
        self.folder.chmod(0o755)
        self.postgres_port = free_port()
        self.redis_port = free_port()
        self.restarts: Counter[str] = Counter()
        """By daemon, how often the supervisor has started it again."""
        self._started: dict[str, float] = {}
        self._families: defaultdict[str, set[psutil.Process]] = defaultdict(set)
        self._noted_at = 0.0

    def __enter__(self) -> ProductionSite:
        try:
            self.reset()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc_info: object) -> None:
        try:
            if "postgres" in self._pids:
                # Whose shared memory would stay if it were killed.
                self.stop_postgres(signal.SIGQUIT)
        finally:
            super().__exit__(*exc_info)
            shutil.rmtree(self.folder)

    # -- setting up

    def settings(self) -> dict[str, str]:
        inherited = {
            name: value
            for name, value in super().settings().items()
            if not name.startswith(("AIRFLOW__SCHEDULER__", "AIRFLOW__TRIGGERER__"))
        }
        # What is shortened for other tests has Airflow's default here.
        del inherited["AIRFLOW__WORKERS__MIN_HEARTBEAT_INTERVAL"]
        secrets = {"connections_file_path": str(self.folder / "connections.json")}
        return {
            **inherited,
            **SHORTENED,
            "AIRFLOW__CORE__EXECUTOR": "CeleryExecutor",
            "AIRFLOW__CORE__HOSTNAME_CALLABLE": "host_name.read",
            "AIRFLOW__CORE__XCOM_BACKEND": (
                "airflow.providers.common.io.xcom.backend.XComObjectStorageBackend"
            ),
            "AIRFLOW__COMMON_IO__XCOM_OBJECTSTORAGE_PATH": (self.home / "xcom").as_uri(),
            "AIRFLOW__COMMON_IO__XCOM_OBJECTSTORAGE_THRESHOLD": "10",
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"postgresql+psycopg2://{self._postgres_address}",
            "AIRFLOW__CELERY__BROKER_URL": f"redis://127.0.0.1:{self.redis_port}/0",
            "AIRFLOW__CELERY__RESULT_BACKEND": f"db+postgresql://{self._postgres_address}",
            "AIRFLOW__CELERY__WORKER_CONCURRENCY": "4",
            "AIRFLOW__SECRETS__BACKEND": (
                "airflow.secrets.local_filesystem.LocalFilesystemBackend"
            ),
            "AIRFLOW__SECRETS__BACKEND_KWARGS": json.dumps(secrets),
        }

    @property
    def _postgres_address(self) -> str:
        return f"airflow@127.0.0.1:{self.postgres_port}/airflow"

    def reset(self) -> None:
        """Start PostgreSQL and Redis, and migrate the database. Once: it is not thrown away."""
        self._clear()
        self.write_connections({})
        self._warm_up()
        self._init_postgres()
        self.start_postgres()
        self.start_redis()
        self._wait_for_postgres()
        self._create_database("airflow")
        self.airflow("db", "migrate", timeout=300)

    def write_connections(self, connections: Mapping[str, Any]) -> None:
        """
        Have the secrets backend hold these from now on.

        :param connections: by connection id.
        """
        (self.folder / "connections.json").write_text(json.dumps(connections))

    def run_program(self, name: str, *argv: str) -> None:
        """Start a program that ends with the site."""
        self._run_in_background(name, ["exec", *argv], {})

    def _run_in_background(self, name: str, argv: Sequence[str], env: Mapping[str, str]) -> None:
        log = str(self.home / f"{name}.log")
        self._pids[name] = self._send(start=argv, env=env, log=log)["pid"]

    # -- PostgreSQL and Redis

    @property
    def _as_postgres(self) -> list[str]:
        """The start of a command that is not to run as root."""
        if os.getuid() != 0:
            return []
        ids = [f"--reuid={POSTGRES_USER}", f"--regid={POSTGRES_USER}", "--clear-groups"]
        return ["setpriv", *ids, "--"]

    def _init_postgres(self) -> None:
        data = self.folder / "postgres"
        data.mkdir()
        if os.getuid() == 0:
            owner = pwd.getpwnam(POSTGRES_USER)
            os.chown(data, owner.pw_uid, owner.pw_gid)
        initdb = str(postgres_program("initdb"))
        options = ["--username=airflow", "--auth=trust", "--encoding=UTF8", "--no-sync"]
        subprocess.run(
            [*self._as_postgres, initdb, *options, "--locale=C", f"--pgdata={data}"],
            check=True,
            cwd=data,
            stdout=subprocess.DEVNULL,
        )

    def start_postgres(self) -> None:
        data = self.folder / "postgres"
        options = ["-D", str(data), "-p", str(self.postgres_port), "-k", str(data)]
        self.run_program(
            "postgres",
            *self._as_postgres,
            str(postgres_program("postgres")),
            *options,
            *("-c", "listen_addresses=127.0.0.1"),
        )

    def stop_postgres(self, how: signal.Signals) -> None:
        """
        Stop it, and wait for its end.

        :param how: SIGINT breaks connections, SIGQUIT ends as a crash does.
        """
        self._stop("postgres", how)

    def start_redis(self) -> None:
        data = self.folder / "redis"
        data.mkdir(exist_ok=True)
        self.run_program(
            "redis",
            *("redis-server", "--port", str(self.redis_port), "--bind", "127.0.0.1"),
            *("--dir", str(data), "--appendonly", "yes", "--rdbcompression", "no"),
        )

    def stop_redis(self) -> None:
        self._stop("redis", signal.SIGTERM)

    def _stop(self, name: str, how: signal.Signals) -> None:
        pid = self._pids.pop(name)
        os.kill(pid, how)
        wait_until(lambda: not is_alive(pid), 60, f"{name} to end")

    def _connect(self, database: str = "airflow") -> Any:
        import psycopg2

        return psycopg2.connect(
            host="127.0.0.1", port=self.postgres_port, user="airflow", dbname=database
        )

    def _wait_for_postgres(self) -> None:
        import psycopg2

        def accepts() -> bool:
            with suppress(psycopg2.OperationalError):
                self._connect("postgres").close()
                return True
            return False

        wait_until(accepts, 60, "PostgreSQL to accept connections")

    def _create_database(self, name: str) -> None:
        with closing(self._connect("postgres")) as connection:
            connection.autocommit = True
            connection.cursor().execute(f"CREATE DATABASE {name}")

    # -- daemons and their supervisor

    def start(self, *names: str, timeout: float = 300) -> None:
        """Start daemons of these names (without names all of them), and wait for them."""
        names = names or tuple(self.processes)
        for name in names:
            self._launch(name)
        wait_until(lambda: all(map(self.is_up, names)), timeout, f"{', '.join(names)} to start")

    def _launch(self, name: str) -> None:
        self._started[name] = time.time()
        self._run_in_background(name, self.processes[name], {"WES_TEST_HOST": name})

    def is_up(self, name: str) -> bool:
        """Whether a daemon works since its last start."""
        if name not in self._pids or not is_alive(self._pids[name]):
            return False
        if name == "api-server":
            return accepts_connections(self.port)
        if name in WORKERS:
            log = (self.home / f"{name}.log").read_text(errors="replace")
            return log.count(f"celery@{name} ready") > self.restarts[name]
        return self.job_of(name) is not None

    def job_of(self, name: str) -> int | None:
        """The number of the job that a daemon, by its host name, runs since its last start."""
        rows = self.rows(
            "SELECT id FROM job WHERE hostname = ? AND state = 'running'"
            " AND start_date > to_timestamp(?) ORDER BY id DESC",
            name,
            self._started[name],
        )
        return rows[0].id if rows else None

    def supervise(self) -> None:
        """Start each daemon again that has ended, as a supervisor does."""
        self._note_families()
        for name in self.processes:
            if name in self._pids and is_alive(self._pids[name]):
                continue
            if time.time() - self._started[name] < RESTART_PAUSE:
                continue
            self._kill_remains(name)
            self.restarts[name] += 1
            self._launch(name)

    def _note_families(self) -> None:
        """Note which processes each daemon has started, since they may outlive it."""
        if time.monotonic() - self._noted_at < 1:
            return
        self._noted_at = time.monotonic()
        for name in self.processes:
            alive = {process for process in self._families[name] if process.is_running()}
            self._families[name] = alive.union(self.processes_of(name))

    def _kill_remains(self, name: str) -> None:
        """Kill what a daemon that has ended has left, as systemd does."""
        for process in self._families.pop(name, ()):
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def processes_of(self, name: str) -> list[psutil.Process]:
        """A daemon, and all that it has started and not lost."""
        with suppress(psutil.NoSuchProcess, KeyError):
            daemon = psutil.Process(self._pids[name])
            return [daemon, *daemon.children(recursive=True)]
        return []

    def memory_of(self, name: str) -> float:
        """Megabytes of a daemon's processes, of what they share each its part (PSS)."""
        total = 0
        for process in self.processes_of(name):
            with suppress(psutil.NoSuchProcess):
                total += process.memory_full_info().pss
        return total / 1e6

    # -- looking

    def airflow(self, *argv: str, timeout: float = 120, check: bool = True) -> Completed:
        """Run a command to its end, as any site does, but do not print what it prints."""
        with redirect_stdout(StringIO()):
            return super().airflow(*argv, timeout=timeout, check=check)

    def rows(self, query: str, *parameters: Any) -> list[SimpleNamespace]:
        """Rows of the database; while it is away, this waits for it."""
        import psycopg2

        deadline = time.monotonic() + 60
        while True:
            try:
                return self._read(query.replace("?", "%s"), parameters)
            except (psycopg2.OperationalError, psycopg2.InterfaceError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def _read(self, query: str, parameters: Sequence[Any]) -> list[SimpleNamespace]:
        with closing(self._connect()) as connection, connection.cursor() as cursor:
            cursor.execute(query, parameters)
            names = [column.name for column in cursor.description]
            return [SimpleNamespace(**dict(zip(names, row, strict=True))) for row in cursor]

    def xcom_value(self, stored: Any) -> Any:
        """Value of an XCom: in object storage, if the database has its path."""
        value = json.loads(stored) if isinstance(stored, str) and stored[:1] == '"' else stored
        if isinstance(value, str) and value.startswith("file:"):
            return json.loads(Path(value.removeprefix("file://")).read_text())
        return value

    def dump(self) -> bytes:
        """The whole database as SQL."""
        program = str(postgres_program("pg_dump"))
        address = f"postgresql://{self._postgres_address}"
        return subprocess.run([program, address], check=True, stdout=subprocess.PIPE).stdout

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """
        Name and content of all that was written: logs, XComs, a dump of the database, and all
        commands that Redis has carried out.
        """
        yield from super().texts()
        yield "dump of PostgreSQL", self.dump()
        for path in (self.folder / "redis").rglob("*"):
            if path.is_file():
                yield f"Redis' {path.name}", path.read_bytes()
