"""The tutorial's commands, in a shell of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.pages import PAGES, snippets


@pytest.mark.one_airflow("what a page tells a user to type")
def test_the_tutorials_commands_do_what_the_tutorial_says(tmp_path: Path, airflow_command: None):
    (dag,), said = snippets(PAGES["tutorial.md"], "python"), snippets(PAGES["tutorial.md"], "text")
    _install, prepare, run, run_with_faults, _serve, pages, *_ = snippets(PAGES["tutorial.md"], "bash")
    (path,) = re.findall(r"^Save this as `(.*)`:$", PAGES["tutorial.md"], re.MULTILINE)
    environment = {name: value for name, value in os.environ.items() if "AIRFLOW" not in name}
    environment |= {"HOME": str(tmp_path), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    run_again = run.splitlines()[-1]
    for commands, expected in (
        (f"cat >{path} <<'END'\n{dag}\nEND\n{run}", said[0]),
        (run_again, said[1]),
        (run_with_faults, said[2]),
        (pages.replace("airflow standalone", "test ! -e airflow/airflow.db"), ""),
    ):
        done = subprocess.run(
            ["bash", "-euc", f"{prepare}\n{commands}"],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        assert [line for line in expected.splitlines() if line not in done.stdout] == []
