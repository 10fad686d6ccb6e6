"""Emulators in other processes, and the tests of users."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wes_provider.emulator import EmulatorControl

COMMAND = [sys.executable, "-m", "wes_provider.emulator"]


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], EmulatorControl]]:
    """``wes-emulator serve`` on a free port; killed at the end if it has not ended."""
    ca_file = options[options.index("--ca-file") + 1] if "--ca-file" in options else None
    command = [*COMMAND, "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = next(line.split()[2].rstrip(",") for line in process.stdout if line.startswith("Serving on "))
            yield process, EmulatorControl(url, ca_file)
        finally:
            process.kill()


def run_pytest(folder: Path) -> str:
    """What pytest prints of the tests in a folder, all of which pass."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "AIRFLOW_CONN"))}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:asyncio", "-q", "."],
        cwd=folder,
        env={**environment, "AIRFLOW_HOME": str(folder / "airflow")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout
