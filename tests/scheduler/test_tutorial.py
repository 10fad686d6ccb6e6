"""The tutorial's commands, in a shell of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.pages import PAGES, ROOT, snippets


@pytest.mark.weekly("tests/airflow/test_docs.py runs the tutorial's DAG")
@pytest.mark.one_airflow("what a page tells a user to type")
def test_the_tutorials_commands_do_what_the_tutorial_says(shell: Callable[..., Any]):
    (dag,) = snippets(PAGES["tutorial.md"], "python")
    said = snippets(PAGES["tutorial.md"], "text")
    _install, prepare, run, run_with_faults = snippets(PAGES["tutorial.md"], "bash")
    _serve, pages, *_ = snippets(PAGES["repair.md"], "bash")
    (path,) = re.findall(r"^Save this as `(.*)`:$", PAGES["tutorial.md"], re.MULTILINE)
    _migrate, run_again = run.split("\n", 1)
    for commands, expected in (
        (f"cat >{path} <<'END'\n{dag}\nEND\n{run}", said[0]),
        (run_again, said[1]),
        (run_with_faults, said[2]),
        (pages.replace("airflow standalone", "test ! -e airflow/airflow.db"), ""),
    ):
        done = shell(f"{prepare}\n{commands}")
        # What differs from run to run is left out there.
        parts = [part for line in expected.splitlines() for part in line.split("...")]
        assert [part for part in parts if part not in done.stdout + done.stderr] == []


@pytest.mark.one_airflow("what a page tells a user to type")
def test_the_commands_about_low_stock_do_what_the_page_says(
    shell: Callable[..., Any], tmp_path: Path
):
    page = PAGES["low-stock.md"]
    (commands,), (said,) = snippets(page, "bash"), snippets(page, "text")
    (tmp_path / "example_dags").symlink_to(ROOT / "example_dags")
    done = shell(commands)
    assert [line for line in said.splitlines() if line not in done.stdout + done.stderr] == []
