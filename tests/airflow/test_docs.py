"""What the tutorial and the guide to testing show happens so."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from support.pages import PAGES, snippets
from wes_provider.emulator import Emulator


def test_the_tutorials_dag_does_what_the_tutorial_says(site: Any, wes_emulator: Emulator):
    (dag,), (said, *_) = snippets(PAGES["tutorial.md"], "python"), snippets(PAGES["tutorial.md"], "text")
    wes_emulator.host("coupons.csv", b"".join(b"SUMMER-%05d\n" % number for number in range(1, 5001)))
    site.env = {**wes_emulator.connection_env(), "WES_EMULATOR_FILES_URL": wes_emulator.files_url}
    site.write_dag("replenish", dag)
    run = site.run("replenish")
    assert run.state == "success"
    assert said.strip() in run.log("report")


def test_the_tests_of_the_guide_to_testing_pass(site: Any):
    dag, tests = snippets(PAGES["test-in-ci.md"], "python")
    site.write_dag("nightly_coupons", dag)
    (site.home / "test_nightly_coupons.py").write_text(tests)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_nightly_coupons.py"],
        cwd=site.home,
        env={**{n: v for n, v in os.environ.items() if not n.startswith("PYTEST")}, **site.settings()},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert "3 passed" in done.stdout, done.stdout + done.stderr
