"""A production site leaves no process, however the tests end."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from support.airflow_site import wait_until

TESTS = Path(__file__).parents[1]

PROGRAM = f"""
import sys
import time
from pathlib import Path

sys.path.insert(0, {str(TESTS)!r})
from support.production_site import ProductionSite

with ProductionSite(Path(sys.argv[1])) as site:
    print(site.folder, flush=True)
    if sys.argv[2] == "fails":
        raise RuntimeError("a test has failed")
    time.sleep(600)
"""


@pytest.mark.usefixtures("production_machine")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_site_leaves_no_process(tmp_path: Path, how: signal.Signals):
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path), "waits"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as program:
        assert program.stdout is not None
        folder = Path(program.stdout.readline().strip())
        processes = psutil.Process(program.pid).children(recursive=True)
        program.send_signal(how)
    # PostgreSQL has some, besides Redis and what starts both.
    assert len(processes) > 5
    wait_until(
        lambda: not any(process.is_running() for process in processes),
        60,
        "the site's processes to end",
    )
    # Nothing can clear up after SIGKILL, nor after SIGTERM, which Python does not handle.
    assert folder.exists() is (how is not signal.SIGINT)
    if folder.exists():
        shutil.rmtree(folder)


@pytest.mark.usefixtures("production_machine")
def test_a_failed_site_leaves_nothing(tmp_path: Path):
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), "fails"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "RuntimeError: a test has failed" in ended.stderr
    folder = Path(ended.stdout.strip())
    assert not folder.exists()
    lines = [
        " ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])
    ]
    assert [line for line in lines if str(folder) in line] == []
