"""
What importing the operators and the sensor adds to a process that has imported ``airflow.sdk``.

Airflow imports a DAG's modules at every parse, so this is paid at every parse. Each figure is the median of fresh
processes, with byte code cached, in CPU time; beside it what it costs to import ``requests`` and ``aiohttp``, which
the provider loads only when a task runs.

Run it with ``python tests/benchmarks/bench_import.py``, in an environment with the provider and Airflow 3.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

WHAT = {
    "wes_provider.operators and .sensors": "import wes_provider.operators, wes_provider.sensors",
    "all operators and the sensor, by name": (
        "from wes_provider.operators import WesCreateCatalogOperator, WesReplenishCouponListOperator, "
        "WesRestoreSegmentOperator, WesUpdateSegmentOperator, WesUploadCouponFileOperator; import wes_provider.sensors"
    ),
    "wes_provider.triggers": "import wes_provider.triggers",
    "Airflow's own, which any sensor imports": "import airflow.providers.common.compat.sdk as s; s.BaseSensorOperator",
    "Airflow's own, which any trigger imports": "import airflow.triggers.base",
    "requests": "import requests",
    "aiohttp": "import aiohttp",
}

CHILD = """
import gc, json, sys, time
import airflow.sdk
from airflow.sdk import DAG, BaseOperator
before = set(sys.modules)
gc.collect()  # or whoever comes next pays for collecting what Airflow left
start = time.process_time()
{statement}
seconds = time.process_time() - start
added = sorted(set(sys.modules) - before)
print(json.dumps({{"ms": seconds * 1000, "added": added}}))
"""


def measure(statement: str, home: str) -> dict[str, object]:
    environment = {**os.environ, "AIRFLOW_HOME": home, "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    child = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CHILD.format(statement=statement)],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(child.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="fresh processes for each row")
    parser.add_argument("--modules", action="store_true", help="name the modules that the provider adds")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        runs = {name: [] for name in WHAT}
        for statement in WHAT.values():
            measure(statement, home)  # not counted: it compiles byte code
        for _ in range(arguments.rounds):
            for name, statement in WHAT.items():
                runs[name].append(measure(statement, home))
    print("| import, on top of `airflow.sdk` | ms | modules | requests or aiohttp loaded |")
    print("|---|---|---|---|")
    for name, measured in runs.items():
        added = measured[0]["added"]
        loaded = sorted({module.partition(".")[0] for module in added} & {"requests", "aiohttp"})
        ms = statistics.median(run["ms"] for run in measured)
        print(f"| {name} | {ms:.1f} | {len(added)} | {', '.join(loaded) or 'no'} |")
    if arguments.modules:
        print("\n".join(runs["wes_provider.operators and .sensors"][0]["added"]))


if __name__ == "__main__":
    main()
