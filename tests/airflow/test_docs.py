"""What the tutorial shows happens so."""

from __future__ import annotations

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
