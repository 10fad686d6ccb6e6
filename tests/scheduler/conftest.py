"""Fixtures for tests that start an Airflow of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, WITH_PUBLIC_API, AirflowSite
from wes_provider.emulator import Emulator

AT_ONCE = {"coupon_files_lag": 1, "read_timeout": 10}
"""The service lists a file at once, and nobody holds a request back: no attempt waits for that."""


@pytest.fixture(scope="module")
def service() -> Iterator[Emulator]:
    """The service of a module's tests, without limits."""
    with Emulator(limits=None) as emulator:
        yield emulator


@pytest.fixture(scope="module")
def start_site(
    tmp_path_factory: pytest.TempPathFactory, scheduler_template: Path, service: Emulator
) -> Iterator[Callable[..., AirflowSite]]:
    """
    Starts the whole of Airflow, whose ``wes_default`` leads to the service, until the module's
    tests have ended.

    It takes environment variables, the connection's extra, modules of ``tests/support`` that the
    DAGs import, and whether the API server is to have its public API.
    """
    with ExitStack() as running:

        def start(
            env: Mapping[str, str],
            extra: Any = None,
            beside: Sequence[str] = (),
            *,
            public_api: bool = False,
        ) -> AirflowSite:
            site = running.enter_context(
                AirflowSite(tmp_path_factory.mktemp("site"), scheduler_template, env)
            )
            site.env = service.connection_env(extra={**AT_ONCE, **(extra or {})})
            if public_api and AIRFLOW_VERSION >= (3, 0):
                site.processes["api-server"] = WITH_PUBLIC_API
            for name in beside:
                shutil.copy(Path(__file__).parents[1] / "support" / name, site.dags)
            site.start()
            return site

        yield start


@pytest.fixture
def shell(tmp_path: Path, airflow_command: None) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs commands of a page as a user does, in a home of their own."""
    environment = {name: value for name, value in os.environ.items() if "AIRFLOW" not in name}
    environment |= {
        "HOME": str(tmp_path),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }

    def run(commands: str, code: int = 0, typed: str = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["bash", "-euc", commands],
            input=typed,
            cwd=tmp_path,
            env=environment | {"PYTHONWARNINGS": "ignore"},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run
