"""DAG files parse fast: operators and sensor load no HTTP library and little else."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from support.airflow_site import AIRFLOW_VERSION

CHILD = """
import json, os, sys
try:
    import airflow.sdk
    from airflow.sdk import DAG, BaseOperator
except ImportError:
    import airflow
before = set(sys.modules)
for modules in sys.argv[1:]:
    if os.fork() == 0:
        exec("import " + modules)
        print(json.dumps([modules, sorted(set(sys.modules) - before)]), flush=True)
        os._exit(0)
    os.wait()
"""
OPERATORS, TRIGGERS = "wes_provider.operators, wes_provider.sensors", "wes_provider.triggers"
AIRFLOWS = "airflow.triggers.base"


@pytest.fixture(scope="module")
def added() -> dict[str, list[str]]:
    """By import, the modules that it adds to a process that has imported ``airflow.sdk``."""
    child = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CHILD, OPERATORS, TRIGGERS, AIRFLOWS],
        check=True,
        capture_output=True,
        text=True,
    )
    found = dict(json.loads(line) for line in child.stdout.splitlines() if line.startswith("["))
    assert len(found) == 3, child.stderr
    return found


@pytest.mark.parametrize("ours", [OPERATORS, TRIGGERS], ids=["operators", "triggers"])
def test_parsing_and_deferring_load_no_http_library(ours, added):
    modules = added[ours]
    assert set(ours.split(", ")) <= set(modules)
    assert not {"requests", "aiohttp", "urllib3"} & {module.partition(".")[0] for module in modules}


@pytest.mark.skipif(
    AIRFLOW_VERSION < (3, 3), reason="the budget is for what airflow.sdk of Airflow 3.3 has loaded"
)
def test_parsing_and_deferring_add_few_modules(added):
    modules = added[OPERATORS]
    of_others = [module for module in modules if not module.startswith("wes_provider")]
    assert len(of_others) <= 7, of_others
    leaves = {f"wes_provider.{leaf}" for leaf in ("storage", "guards", "doctor", "emulator")}
    assert not [
        module for module in modules if module in leaves or module.rpartition(".")[0] in leaves
    ]
    deferring = set(added[TRIGGERS]) - set(added[AIRFLOWS])
    of_others = [module for module in deferring if not module.startswith("wes_provider")]
    assert len(of_others) <= 7, of_others


def test_learning_what_the_provider_offers_imports_nothing_but_the_standard_library():
    child = """
import json, sys
before = set(sys.modules)
import wes_provider
wes_provider.get_provider_info()
print(json.dumps([name.partition(".")[0] for name in set(sys.modules) - before]))
"""
    output = subprocess.run(
        [sys.executable, "-c", child], check=True, capture_output=True, text=True
    ).stdout
    assert set(json.loads(output)) - sys.stdlib_module_names == {"wes_provider"}
