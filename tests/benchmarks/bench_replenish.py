"""
What ``WesReplenishCouponListOperator`` costs for each file, for few files and for many.

The service's limits are off, so that nothing waits. Printed for each number of files, and for each file of it: bytes
that go to XCom and to the task state store, bytes that come from there, calls of Airflow's API, requests to the
service, and milliseconds of CPU; once for an attempt that uploads, and once for a retry that finds all files in the
list, since Airflow before 3.3 has no task state store. The last row of each is the ratio of the largest number of files
to the smallest. With costs that are linear, it is about 1. Run with::

    python tests/benchmarks/bench_replenish.py
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.attempts import Store, TaskInstance
from wes_provider.emulator import Emulator
from wes_provider.operators import WesReplenishCouponListOperator
from wes_provider.uploads import rate_limiter


class CountingStore(Store):
    """The task state store, with what goes in and out of it."""

    def __init__(self) -> None:
        super().__init__()
        self.stored = self.read = self.calls = 0

    def get(self, key: str, default: Any = None) -> Any:
        self.calls += 1
        self.read += len(self.values.get(key, ""))
        return super().get(key, default)

    def set(self, key: str, value: Any, *, retention: Any = None) -> None:
        super().set(key, value, retention=retention)
        self.calls += 1
        self.stored += len(self.values[key])


class SystemClock:
    """The machine's time, where the tests have one that stands still."""

    @property
    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


def replenish(emulator: Emulator, files: int, *, retry: bool) -> list[float]:
    """Bytes pushed, stored and read, calls of Airflow's API, requests and milliseconds for each file."""
    emulator.reset()
    emulator.script(statuses=[("SUCCESS", None)])
    pushed = calls = 0

    def count(key: str, value: Any) -> None:
        nonlocal pushed, calls
        pushed += len(json.dumps(value))
        calls += 1

    store = CountingStore()
    kept = None if retry else store
    ti = TaskInstance(SystemClock(), kept, run_id=f"files {files}", pushed=count)  # type: ignore[arg-type]
    urls = [f"https://files.example.com/coupons-{number:05}.csv" for number in range(files)]

    def make() -> WesReplenishCouponListOperator:
        return WesReplenishCouponListOperator(
            task_id="replenish", coupon_list_id="list", files=urls, deferrable=False, poll_interval=1
        )

    earlier = 0
    if retry:
        ti.run(make)
        pushed, calls, earlier = 0, 0, requests_to(emulator)
    start = time.process_time()
    (ti.retry if retry else ti.run)(make)
    seconds = time.process_time() - start
    assert len(emulator.files("list")) == files
    requests = requests_to(emulator) - earlier
    return [each / files for each in (pushed, store.stored, store.read, calls + store.calls, requests, 1000 * seconds)]


def requests_to(emulator: Emulator) -> int:
    return sum(count for name, count in emulator.counts.items() if name != "connections")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--files", type=int, nargs="+", default=[50, 500, 2000])
    sizes = parser.parse_args().files
    logging.disable(logging.WARNING)
    rate_limiter.UPLOAD_WINDOWS = (rate_limiter.Window(1_000_000, 60),)  # type: ignore[misc]
    with Emulator(limits=None) as emulator:
        os.environ["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(emulator.connection())
        replenish(emulator, 5, retry=True)  # not counted: it imports
        tables = {retry: [replenish(emulator, size, retry=retry) for size in sizes] for retry in (False, True)}
    print("| attempt | files | bytes pushed | bytes stored | bytes read | calls of Airflow | requests | ms of CPU |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for retry, rows in tables.items():
        attempt = "retry, no records" if retry else "first"
        for size, row in zip(sizes, rows, strict=True):
            print(f"| {attempt} | {size:,} | " + " | ".join(f"{value:.1f}" for value in row) + " |")
        ratios = [last / first if first else 1.0 for first, last in zip(rows[0], rows[-1], strict=True)]
        print("| | ratio | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")


if __name__ == "__main__":
    main()
