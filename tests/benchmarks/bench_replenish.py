"""
What ``WesReplenishCouponListOperator`` costs for each file, for few files and for many.

Printed for each number of files, and for each file of it: bytes that go to XCom, bytes that go to the task state store
and into deferrals, bytes that come from XCom and the store, calls of Airflow's API, requests to the service, and
milliseconds of CPU. First without the service's limits, so that nothing waits: for an attempt that uploads, and for a
retry that finds all files in the list, since Airflow before 3.3 has no task state store. Then with five files a minute,
in a time that only waiting moves: for an attempt that is deferred after every fifth file. The last row of each is the
ratio of the largest number of files to the smallest. With costs that are linear, it is about 1. Run with::

    python tests/benchmarks/bench_replenish.py
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.attempts import Clock, Store, TaskInstance, stop_time
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


def replenish(emulator: Emulator, clock: Any, files: int, *, retry: bool = False) -> list[float]:
    """Bytes pushed, stored and read, calls of Airflow's API, requests and milliseconds for each file."""
    pushed = pulled = calls = 0

    def push(key: str, value: Any) -> None:
        nonlocal pushed, calls
        pushed += len(json.dumps(value))
        calls += 1

    def pull(key: str, value: Any) -> None:
        nonlocal pulled, calls
        pulled += len(json.dumps(value))
        calls += 1

    store = CountingStore()
    run_id = f"files {files}"
    ti = TaskInstance(clock, None if retry else store, run_id=run_id, pushed=push, pulled=pull)
    urls = [f"https://files.example.com/coupons-{number:05}.csv" for number in range(files)]

    def make() -> WesReplenishCouponListOperator:
        return WesReplenishCouponListOperator(
            task_id="replenish", coupon_list_id=run_id, files=urls, deferrable=isinstance(clock, Clock), poll_interval=1
        )

    if retry:
        ti.run(make)
        pushed = pulled = calls = 0
    earlier = requests_to(emulator)
    start = time.process_time()
    (ti.retry if retry else ti.run)(make)
    seconds = time.process_time() - start
    assert len(emulator.files(run_id)) == files
    stored, read = store.stored + ti.carried, store.read + pulled
    requests = requests_to(emulator) - earlier
    return [each / files for each in (pushed, stored, read, calls + store.calls, requests, 1000 * seconds)]


def requests_to(emulator: Emulator) -> int:
    return sum(count for name, count in emulator.counts.items() if name != "connections")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--files", type=int, nargs="+", default=[50, 500, 2000])
    sizes = parser.parse_args().files
    logging.disable(logging.WARNING)
    tables = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rate_limiter, "UPLOAD_WINDOWS", (rate_limiter.Window(1_000_000, 60),))
        with Emulator(limits=None) as emulator:
            patch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(emulator.connection()))
            emulator.script(statuses=[("SUCCESS", None)])
            replenish(emulator, SystemClock(), 5, retry=True)  # not counted: it imports
            tables["first"] = [replenish(emulator, SystemClock(), size) for size in sizes]
            emulator.reset()
            emulator.script(statuses=[("SUCCESS", None)])
            tables["retry, no records"] = [replenish(emulator, SystemClock(), size, retry=True) for size in sizes]
        patch.setattr(rate_limiter, "UPLOAD_WINDOWS", (rate_limiter.Window(5, 60),))
        with Emulator(limits={"upload_coupon_file": [[5, 60]]}) as emulator:
            patch.setenv("AIRFLOW_CONN_WES_DEFAULT", json.dumps(emulator.connection()))
            clock = stop_time(emulator, patch)
            emulator.script(statuses=[("SUCCESS", None)])
            tables["first, 5 a minute"] = [replenish(emulator, clock, size) for size in sizes]
    print("| attempt | files | bytes pushed | bytes stored | bytes read | calls of Airflow | requests | ms of CPU |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for attempt, rows in tables.items():
        for size, row in zip(sizes, rows, strict=True):
            print(f"| {attempt} | {size:,} | " + " | ".join(f"{value:.1f}" for value in row) + " |")
        ratios = [last / first if first else 1.0 for first, last in zip(rows[0], rows[-1], strict=True)]
        print("| | ratio | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")


if __name__ == "__main__":
    main()
