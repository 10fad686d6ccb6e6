"""Emulators in other processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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
