"""
The ``airflow`` command kept warm: Airflow is imported once, and each command is a fork of that
process.

A command so starts in tenths of a second instead of several seconds, and leaves nothing behind but
what it wrote to the database: no singleton, cache, session, environment variable or masked secret
outlives it. The program reads requests from its standard input, one a line, and answers each with
one line::

    {"start": ["dags", "test", "my_dag"], "env": {"NAME": "value"}, "log": "/path/of/output"} ->
    {"pid": 123} {"wait": 123, "timeout": 60} -> {"exit_code": 0}
    {"rehearse": ["dags", "test", "my_dag"]} -> {}

A command that takes longer than its ``timeout`` seconds is killed; an exit code below zero is the
signal that ended it. At the end of its input the program ends, and with it everything that was
started, however deep.
"""

from __future__ import annotations

import ctypes
import gc
import json
import logging
import os
import runpy
import select
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from typing import Any

import psutil

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # of <linux/prctl.h>

ONLY_IN_OLDER_VERSIONS = "_CADWYN_DELETED_ROUTE"  # Cadwyn's tag, which has no public name


def warm_up() -> Any:
    """
    Import Airflow, and have it keep what each command would otherwise build; return its ``main``.
    """
    from airflow import __version__, settings
    from airflow.__main__ import main

    try:
        from airflow.sdk.execution_time import supervisor
    except ImportError:  # Airflow 2 has no such API
        pass
    else:
        keep_newest_api_version()
        # ``dag.test()`` of 3.0 to 3.2 builds its in-process API, which takes seconds, for each
        # task; 3.3 keeps it.
        supervisor.in_process_api_server = cache(supervisor.in_process_api_server)
    if __version__ < "3.1":  # their ``dags test`` shows each line of a task's log twice
        logging.getLogger("airflow.task").propagate = False
    # Whose ``dags test`` leaves the log's level and looks to chance.
    if __version__.startswith("3.0"):
        configure_structlog()
    settings.dispose_orm()  # a fork must not share a connection to the database
    return main


def keep_newest_api_version() -> None:
    """
    Drop the versions of the task API that serve older clients: building their routes takes most of
    the API's start.

    Here all processes are of one Airflow, so none of them sends a request of an older version.
    """
    from airflow.api_fastapi.execution_api import routes, versions
    from cadwyn import HeadVersion, Version, VersionBundle

    newest, var = versions.bundle.versions[0].value, versions.bundle.api_version_var
    versions.bundle = VersionBundle(HeadVersion(), Version(newest), api_version_var=var)
    router = routes.execution_api_router
    router.routes[:] = [
        route for route in router.routes if ONLY_IN_OLDER_VERSIONS not in getattr(route, "tags", ())
    ]


def configure_structlog() -> None:
    import structlog

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        processors=[
            structlog.processors.add_log_level,
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            ),
        ],
    )


def rehearse(main: Any, argv: list[str]) -> None:
    """
    Run a command in this process, on a database that is thrown away afterwards.

    Forks then need not compile statements, build mappers and import modules, which is most of what
    short commands do.
    """
    from airflow import settings

    env, signals = (
        dict(os.environ),
        {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)},
    )
    sys.argv = ["airflow", *argv]
    settings.configure_orm()
    try:
        with throw_away_api_server():
            main()
    finally:
        settings.Session.remove()
        settings.engine.dispose()  # a fork must not share a connection to the database
        for number, handler in signals.items():
            signal.signal(number, handler)
        os.environ.clear()
        os.environ.update(env)


@contextmanager
def throw_away_api_server() -> Iterator[None]:
    """
    Have ``dag.test()`` use an API server that is gone afterwards: a fork would not have its thread.
    """
    try:
        from airflow.sdk.execution_time import supervisor
    except ImportError:  # Airflow 2
        yield
        return
    kept = supervisor.in_process_api_server
    overrides = dict(kept().app.dependency_overrides)
    supervisor.in_process_api_server = cache(lambda: type(kept())(kept().app))
    try:
        yield
    finally:
        loop = supervisor.in_process_api_server().transport.app.loop
        supervisor.in_process_api_server = kept
        kept().app.dependency_overrides = overrides
        gc.collect()
        if loop.is_running():  # before Airflow 3.3, which stops it together with its server
            loop.call_soon_threadsafe(loop.stop)


def run(main: Any, argv: list[str], env: dict[str, str], log: str) -> None:
    """
    Be the command ``airflow *argv``, or ``python -m``, or with ``exec`` any program: in the forked
    process, which does not return from here.
    """
    from airflow import settings

    set_process_option(PR_SET_PDEATHSIG, signal.SIGKILL)  # should the parent not live to end it
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.update(env)
    if argv[0] == "exec":
        os.execvp(argv[1], argv[1:])
    sys.argv = ["airflow", *argv]
    warnings.filterwarnings("error", module=r"wes_provider\b")
    if settings.engine is None:  # no rehearsal
        settings.configure_orm()
    try:
        if argv[0] == "clear-task":
            clear_task(*argv[1:])
        elif argv[0] == "python":
            sys.argv = argv[2:]
            sys.path.append(os.environ["AIRFLOW__CORE__DAGS_FOLDER"])  # as a start of Airflow does
            runpy.run_module(argv[2], run_name="__main__", alter_sys=True)
        else:
            main()
        exit_code = 0
    except SystemExit as stop:
        if isinstance(stop.code, str):
            print(stop.code, file=sys.stderr)
        exit_code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        exit_code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exit_code)


def clear_task(dag_id: str, run_id: str, task_id: str) -> None:
    """
    Clear all indexes of a task of one run, as the web interface does; ``airflow tasks clear``
    cannot so narrowly.
    """
    from airflow import settings
    from airflow.models.taskinstance import TaskInstance, clear_task_instances

    with settings.Session() as session:
        found = (
            session.query(TaskInstance)
            .filter_by(dag_id=dag_id, run_id=run_id, task_id=task_id)
            .all()
        )
        clear_task_instances(found, session)
        session.commit()


def wait(pid: int, timeout: float) -> int:
    deadline = time.monotonic() + timeout
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            deadline = float("inf")
        if select.select([sys.stdin], [], [], 0.005)[0]:
            sys.exit("whoever waits for the command is gone")


def set_process_option(option: int, value: int) -> None:
    """The system call ``prctl``, for which Python has no function."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def kill_descendants() -> None:
    while alive := [
        p for p in psutil.Process().children(recursive=True) if p.status() != psutil.STATUS_ZOMBIE
    ]:
        for process in alive:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        time.sleep(0.01)


def carry_out(main: Any, request: dict[str, Any]) -> dict[str, Any]:
    """What a request is answered with."""
    if "wait" in request:
        return {"exit_code": wait(request["wait"], request["timeout"])}
    if "rehearse" in request:
        # The listener of OpenLineage reads its settings once, and a test's come with its own
        # command.
        if find_spec("airflow.providers.openlineage") is None:
            rehearse(main, request["rehearse"])
        gc.freeze()
        return {}
    pid = os.fork()
    if pid == 0:
        run(main, request["start"], request["env"], request["log"])
    return {"pid": pid}


def serve() -> None:
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever Airflow prints must not get between the replies
    # Adopt orphans, so that none escapes the end of this process.
    set_process_option(PR_SET_CHILD_SUBREAPER, 1)
    main = warm_up()
    gc.freeze()
    try:
        for line in sys.stdin:
            print(json.dumps(carry_out(main, json.loads(line))), file=replies, flush=True)
    finally:
        kill_descendants()


if __name__ == "__main__":
    serve()
    # At its exit, Airflow 3.3 would wait for the loop of the API server that the rehearsal used.
    os._exit(0)
