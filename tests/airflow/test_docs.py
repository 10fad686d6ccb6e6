"""What the tutorial and the guide to testing show happens so."""

from __future__ import annotations

from typing import Any

import pytest

from support.pages import PAGES, snippets
from wes_provider.emulator import Emulator


def test_the_tutorials_dag_does_what_the_tutorial_says(site: Any, wes_emulator: Emulator):
    (dag,), (said, *_) = (
        snippets(PAGES["tutorial.md"], "python"),
        snippets(PAGES["tutorial.md"], "text"),
    )
    wes_emulator.host(
        "coupons.csv", b"".join(b"SUMMER-%05d\n" % number for number in range(1, 5001))
    )
    site.env = {**wes_emulator.connection_env(), "WES_EMULATOR_FILES_URL": wes_emulator.files_url}
    site.write_dag("replenish", dag)
    run = site.run("replenish")
    assert run.state == "success"
    assert said.strip() in run.log("report")


@pytest.mark.one_airflow("the page is about the emulator's fixture")
def test_the_tests_of_the_guide_to_testing_pass(site: Any):
    dag, tests = snippets(PAGES["test-in-ci.md"], "python")
    site.write_dag("nightly_coupons", dag)
    test = site.home / "test_nightly_coupons.py"
    test.write_text(tests)
    done = site.airflow(
        "python",
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        str(test),
        timeout=240,
        check=False,
    )
    assert "3 passed" in done.output
