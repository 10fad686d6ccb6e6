"""
How close uploads come to what a list's limits allow, and how many refusals that costs.

Fifty files go to one list of an emulator that takes five a minute, from a random moment within its minute. A process of
its own serves the emulator, whose clock runs faster than this machine's; so do ``time.time``, ``time.monotonic`` and
``time.sleep`` here, so that a minute with its headers in whole seconds takes a few real ones. All seconds are the
service's. ``ratio`` is the time from the first request to the last accepted one, of the least that the limit allows.

Run it with ``python tests/benchmarks/bench_limits.py``, in an environment with the provider and Airflow 3. It prints
Markdown.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench_waiting import serving

if TYPE_CHECKING:
    from wes_provider.emulator.service import LoggedRequest

sys.path.insert(0, str(Path(__file__).parents[1]))

FILES, LIMIT, WINDOW = 50, 5, 60
OPERATION = "upload_coupon_file"


@dataclass(frozen=True)
class Case:
    """One row: who uploads, what the service is like, and how fast its clock runs."""

    who: str
    policy: str = "fixed"
    headers: str = "all"
    date: bool = True
    skew: float = 0.0
    speed: float = 10.0
    limit: int = LIMIT  # a minute


FOUR, BACKOFF = "four of them for one list", "one task, exponential backoff"
OPERATOR, MAPPED = "`WesReplenishCouponListOperator`", "50 mapped `WesUploadCouponFileOperator`"

CASES = [
    Case(who, policy, **given)
    for who, given in (
        *((OPERATOR, {"skew": skew}) for skew in (0.0, -5.0, 5.0)),
        *((OPERATOR, {"headers": headers}) for headers in ("429", "none")),
        *((OPERATOR, {"date": False, "skew": skew}) for skew in (-7200.0, 7200.0)),
        *((OPERATOR, {"limit": 3, "headers": headers}) for headers in ("all", "429")),
        *((who, {"headers": headers, "speed": 4.0}) for who in (FOUR, MAPPED) for headers in ("all", "429")),
        (BACKOFF, {}),
    )
    for policy in ("fixed", "rolling")
]


# -- in a child, where time runs faster ------------------------------------------------------------------


class FastClock:
    """The service's clock on this side: as fast, and ahead by ``skew`` seconds."""

    def __init__(self, service_now: float, speed: float, skew: float) -> None:
        self.wall, self.steady, self.sleep = time.time, time.monotonic, time.sleep
        self.service_now, self.speed, self.skew = service_now, speed, skew
        self.start, self.steady_start = self.wall(), self.steady()

    def install(self) -> None:
        time.time = lambda: self.service_now + (self.wall() - self.start) * self.speed + self.skew
        time.monotonic = lambda: self.steady_start + (self.steady() - self.steady_start) * self.speed
        time.sleep = lambda seconds: self.sleep(max(0.0, seconds) / self.speed)


URLS = [f"https://files.example.com/{index}.csv" for index in range(FILES)]


def ready(task: Any, **of_instance: Any) -> Callable[[], object]:
    """A task's execution, its connection read already."""
    from support.attempts import TaskInstance

    task.hook.get_conn()
    return lambda: task.execute(TaskInstance(None, max_tries=0, **of_instance).context())


def operator(list_id: str, tasks: int = 1) -> list[Callable[[], object]]:
    from wes_provider.operators import WesReplenishCouponListOperator

    common: dict[str, Any] = {"deferrable": False, "wait_for_completion": False, "coupon_list_id": list_id}
    common["wes_conn_id"] = "wes_patient" if tasks > 1 else "wes_default"
    operators = [
        WesReplenishCouponListOperator(task_id="upload", files=URLS[number::tasks], **common) for number in range(tasks)
    ]
    return [ready(one, run_id=f"{list_id}, task {number}") for number, one in enumerate(operators)]


def mapped(list_id: str) -> list[Callable[[], object]]:
    from wes_provider.operators import WesUploadCouponFileOperator

    common = {"task_id": "upload", "coupon_list_id": list_id, "deferrable": False, "wes_conn_id": "wes_patient"}
    operators = [WesUploadCouponFileOperator(file_url=url, **common) for url in URLS]
    return [ready(one, run_id=list_id, map_index=index) for index, one in enumerate(operators)]


def backoff(list_id: str) -> list[Callable[[], object]]:
    import requests
    import tenacity

    connection = json.loads(os.environ["AIRFLOW_CONN_WES_DEFAULT"])
    session = requests.Session()
    session.auth = (connection["login"], connection["password"])
    session.headers["SVC-APPKEY"] = connection["login"]
    address = f"{connection['host']}/v1/coupon-list/{list_id}/files"
    retrying = tenacity.Retrying(
        wait=tenacity.wait_exponential(multiplier=1, max=60),
        retry=tenacity.retry_if_result(lambda response: response.status_code == 429),
        sleep=lambda seconds: time.sleep(seconds),
    )
    return [lambda: [retrying(session.post, address, json={"file_url": url}, timeout=60) for url in URLS]]


WHO: dict[str, Callable[[str], list[Callable[[], object]]]] = {
    OPERATOR: operator,
    FOUR: lambda list_id: operator(list_id, 4),
    MAPPED: mapped,
    BACKOFF: backoff,
}


def child(case: Case, url: str, seed: int) -> None:
    """Upload to one list, and print what the service saw of it."""
    import logging

    from wes_provider.emulator import EmulatorControl

    emulator = EmulatorControl(url)
    list_id = f"list-{seed}"
    parts = WHO[case.who](list_id)
    logging.disable(logging.CRITICAL)
    emulator.reset()
    emulator.configure(
        window_policy=case.policy,
        rate_limit_headers=case.headers,
        date_header=case.date,
        limits={OPERATION: [[case.limit, WINDOW], [FILES, 86400]]},
        processing_time=1,
    )
    emulator.script(statuses=[("SUCCESS", None)])
    emulator.clock.speed = case.speed
    emulator.clock.advance(random.Random(seed).random() * WINDOW)
    FastClock(emulator.clock.now(), case.speed, case.skew).install()
    ready = threading.Barrier(len(parts))

    def run(part: Callable[[], object]) -> None:
        ready.wait()
        part()

    with ThreadPoolExecutor(len(parts)) as threads:
        list(threads.map(run, parts))
    print(json.dumps(observed(emulator.requests_for(OPERATION), case)))


def observed(requests: list[LoggedRequest], case: Case) -> dict[str, Any]:
    """What the service saw of the uploads to one list."""
    refusals = Counter(json.loads(request.body).get("file_url") for request in requests if request.status == 429)
    accepted = [request.time for request in requests if request.status == 201]
    start, windows = requests[0].time, math.ceil(FILES / case.limit) - 1
    least = windows * WINDOW - (start % WINDOW if case.policy == "fixed" else 0)
    return {
        "accepted": len(accepted),
        "seconds": accepted[-1] - start,
        "ratio": (accepted[-1] - start) / least if len(accepted) == FILES else None,
        "refused": sum(refusals.values()),
        "most": max(refusals.values(), default=0),
    }


# -- the parent ------------------------------------------------------------------------------------------


EMULATOR = """
import sys
from wes_provider.emulator import Emulator

with Emulator() as emulator:
    print(emulator.url, flush=True)
    sys.stdin.read()
"""


def measure(case: Case, home: str, seed: int) -> dict[str, Any] | str:
    """One case in a child of its own, against an emulator of its own; a text where it fails."""
    from wes_provider.emulator import EmulatorControl

    with serving("-c", EMULATOR, cwd=home) as (url, _):
        connection = EmulatorControl(url).connection()
        patient = EmulatorControl(url).connection(extra={"max_rate_limit_wait": 3600})
        environment = {
            **os.environ,
            "AIRFLOW_HOME": home,
            "AIRFLOW__LOGGING__LOGGING_LEVEL": "CRITICAL",
            "AIRFLOW_CONN_WES_DEFAULT": json.dumps(connection),
            "AIRFLOW_CONN_WES_PATIENT": json.dumps(patient),
        }
        command = [sys.executable, "-W", "ignore", __file__, "--child", json.dumps(asdict(case)), "--url", url]
        command += ["--seed", str(seed)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    lines = done.stdout.splitlines()
    return json.loads(lines[-1]) if done.returncode == 0 else done.stderr.strip().rpartition("\n")[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parallel", type=int, default=4, help="measurements at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="rows whose name holds this text")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(Case(**json.loads(arguments.child)), arguments.url, arguments.seed)
        return
    jobs = [(case, number) for number in range(arguments.rounds) for case in CASES if arguments.only in case.who]
    runs = {case: [] for case, _ in jobs}
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(arguments.parallel) as threads:

        def one(job: tuple[Case, int]) -> dict[str, Any] | str:
            case, number = job
            result = measure(case, home, arguments.seed + number)
            print(f"{number + 1}/{arguments.rounds} {case}: {result}", file=sys.stderr, flush=True)
            return result

        for (case, _), result in zip(jobs, threads.map(one, jobs), strict=True):
            if isinstance(result, dict):
                runs[case].append(result)
    print(table([row(case, results) for case, results in runs.items() if results]))


def row(case: Case, results: list[dict[str, Any]]) -> dict[str, Any]:
    """Medians of the rounds; the worst ratio of one, the most refusals of one file."""
    ratios = [result["ratio"] for result in results if result["ratio"] is not None]
    return {
        **asdict(case),
        **{name: statistics.median(result[name] for result in results) for name in ("accepted", "seconds", "refused")},
        "ratio": statistics.median(ratios) if ratios else None,
        "worst": max(ratios, default=None),
        "most": max(result["most"] for result in results),
    }


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| who | windows | limit | headers | clock | accepted | seconds | ratio | worst | 429s | of one file |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        shown = f"{row['ratio']:.4f} | {row['worst']:.4f}" if row["ratio"] else "- | -"
        headers = {"all": "all responses", "429": "429 only", "none": "none"}[row["headers"]]
        headers += "" if row["date"] else ", no `Date`"
        lines.append(
            f"| {row['who']} | {row['policy']} | {row['limit']} | {headers} | {row['skew']:+g} s "
            f"| {row['accepted']:g} | {row['seconds']:.0f} | {shown} | {row['refused']:g} | {row['most']} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
