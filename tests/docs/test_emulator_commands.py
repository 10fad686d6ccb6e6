"""The commands that the emulator's pages tell a user to type, in their order."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.pages import PAGES, snippets
from support.wire import serving

NOT_RUN = ("export ", "airflow standalone", "WES_EMULATOR_TLS=1 pytest", "pip install")
"""What starts all of Airflow, runs a user's own tests, or installs."""
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def commands() -> list[str]:
    pages = "".join(PAGES[page] for page in ("emulator.md", "emulator-reference.md"))
    blocks = "".join(snippets(pages, "console"))
    rehearsal, *_ = snippets(PAGES["first-day.md"], "bash")
    found = [*blocks.removeprefix("$ ").split("\n$ "), rehearsal]
    whole = [command.replace("\\\n", "").strip() for command in found]
    return [command for command in whole if not command.startswith(NOT_RUN)]


@pytest.mark.skipif(not shutil.which("curl"), reason="no curl here")
def test_the_commands_of_the_emulators_pages_do_what_they_say(tmp_path: Path):
    (seed,) = snippets(PAGES["emulator-reference.md"], "json")
    (tmp_path / "seed.json").write_text(seed)
    (tmp_path / "our-account.json").write_text('{"list_lag": 5}')
    url, run = "", []
    with ExitStack() as stack:
        for command in commands():
            if command.startswith("wes-emulator serve"):
                stack.close()
                _, emulator = stack.enter_context(serving(*shlex.split(command)[2:], cwd=tmp_path))
                url = emulator.url
            else:
                typed = command.replace("http://127.0.0.1:8099", url).replace("curl ", "curl -fsS ")
                typed = typed.replace("airflow dags test my_dag", "true")
                subprocess.run(
                    ["bash", "-euc", typed],
                    cwd=tmp_path,
                    env={**ENVIRONMENT, "WES_EMULATOR_URL": url},
                    check=True,
                )
            run.append(command.split()[0:2])
    assert len(run) >= 10
    assert (tmp_path / "coupons/spring.csv").read_text().splitlines() == [
        "coupon",
        "SPRING-1",
        "SPRING-2",
    ]
