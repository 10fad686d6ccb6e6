"""DAG files parse fast: operators and sensor load no HTTP library and little else."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from support.airflow_site import AIRFLOW_VERSION

CHILD = """
import json, sys
try:
    import airflow.sdk
    from airflow.sdk import DAG, BaseOperator
except ImportError:
    import airflow
before = set(sys.modules)
import {modules}
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def added(modules: str) -> list[str]:
    """The modules that an import adds to a process that has imported ``airflow.sdk``."""
    child = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CHILD.format(modules=modules)],
        check=True,
        capture_output=True,
        text=True,
    )
    return list(json.loads(child.stdout.splitlines()[-1]))


@pytest.mark.parametrize("ours", ["wes_provider.operators, wes_provider.sensors", "wes_provider.triggers"])
def test_parsing_and_deferring_load_no_http_library(ours):
    modules = added(ours)
    assert set(ours.split(", ")) <= set(modules)
    assert not {"requests", "aiohttp", "urllib3"} & {module.partition(".")[0] for module in modules}


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="the budget is for what airflow.sdk of Airflow 3.3 has loaded")
def test_parsing_adds_few_modules_of_others():
    modules = added("wes_provider.operators, wes_provider.sensors")
    of_others = [module for module in modules if not module.startswith("wes_provider")]
    assert len(of_others) <= 6, of_others
    assert len(modules) <= 16, modules
    leaves = {f"wes_provider.{leaf}" for leaf in ("storage", "guards", "doctor", "emulator")}
    assert not [module for module in modules if module in leaves or module.rpartition(".")[0] in leaves]


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 3), reason="the budget is for what airflow.sdk of Airflow 3.3 has loaded")
def test_deferring_adds_few_modules():
    airflows, modules = added("airflow.triggers.base"), added("wes_provider.triggers")
    assert len(set(modules) - set(airflows)) <= 10, modules


def test_learning_what_the_provider_offers_imports_nothing_but_the_standard_library():
    child = """
import json, sys
before = set(sys.modules)
import wes_provider
wes_provider.get_provider_info()
print(json.dumps([name.partition(".")[0] for name in set(sys.modules) - before]))
"""
    output = subprocess.run([sys.executable, "-c", child], check=True, capture_output=True, text=True).stdout
    assert set(json.loads(output)) - sys.stdlib_module_names == {"wes_provider"}
