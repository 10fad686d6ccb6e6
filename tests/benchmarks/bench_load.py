"""
A hundred lists with fifty files each through a real scheduler and triggerer, while requests fail and processes die.

An emulator serves at the contract's limits, its clock sped up, and lets a share of the requests fail at random as
networks do: some of those that fail were carried out. One task, ``WesReplenishCouponListOperator`` with
``deferrable=True``, is mapped over the lists. On the way task processes are killed with SIGKILL, each fourth time
with the process that watches over the task, as if a machine were gone; and so is the triggerer, which starts again.

``--executor CeleryExecutor`` runs it on a PostgreSQL and a Redis of its own, with two Celery workers and two
triggerers. There one of each is killed and does not come back.

At the end it is compared with the emulator: each file is in its list exactly once, and each task has succeeded with
the identifiers of its list's files, in their order. Where something is wrong, the script says what and exits with 1.
Else it prints, as Markdown, what it took.

Run it with ``python tests/benchmarks/bench_load.py``, in an environment with the provider and Airflow 3.3; or, for
either executor, with ``tox run -e load``, options behind ``--``. ``--lists 5 --files 10 --kills 2 --triggerer-kills 1
--speed 20`` takes two minutes.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from benchmarks.load_site import CELERY, LoadSite, postgresql, redis  # noqa: E402 - found by the line above
from support.airflow_site import Run, is_alive  # noqa: E402
from wes_provider import contract  # noqa: E402
from wes_provider.emulator import Emulator  # noqa: E402

UPLOAD = "upload_coupon_file"
EXECUTORS = ("LocalExecutor", CELERY)
STATUSES = [("PENDING", 10), ("PROCESSING", 20), ("SUCCESS", None)]  # each with its service seconds
LIST_LAG = 5.0  # service seconds until a new file shows up in its list
WATCHED_LAG = 30.0  # service seconds that a list is watched for a file: the default of coupon_files_lag
LEVEL = 1.15  # the last third of the triggerer's memory may be so many times the first
SAMPLES = 60  # of memory, fewer say nothing


@dataclass(frozen=True)
class Load:
    """What is to be run; as the command's options."""

    lists: int = 100
    files: int = 50
    faults: float = 0.05
    kills: int = 60
    triggerer_kills: int = 3
    speed: float = 2.0
    parallel: int = 16
    executor: str = "LocalExecutor"
    database: str = "sqlite"
    seed: int = 0
    timeout: float = 90.0  # minutes

    @property
    def total(self) -> int:
        return self.lists * self.files


@dataclass(frozen=True)
class Kill:
    """Is due when so large a share of the uploads has been asked for."""

    at: float
    what: str  # task, machine (of a task), or a process of the site's


@dataclass
class Sample:
    """Memory of one triggerer with its children, in MiB."""

    name: str
    pid: int
    at: float
    pss: float
    uss: float


@dataclass
class Result:
    """What came of it: problems, of which there should be none, and what it took."""

    load: Load
    problems: list[str] = field(default_factory=list)
    minutes: float = 0.0
    kills: Counter[str] = field(default_factory=Counter)
    requests: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    attempts: int = 0
    deferrals: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    memory: list[Sample] = field(default_factory=list)


def run_load(load: Load, home: Path, template: Path) -> Result:
    """
    Run it.

    :param home: an empty folder.
    :param template: of :class:`~support.airflow_site.AirflowSite`.
    """
    if load.files > contract.UPLOADS_PER_DAY:
        raise SystemExit(f"a list takes {contract.UPLOADS_PER_DAY} files a day: more would take days")
    celery = load.executor == CELERY
    result = Result(load)
    with ExitStack() as stack:
        emulator = stack.enter_context(
            Emulator(
                speed=load.speed,
                fault_rate=load.faults,
                seed=load.seed,
                list_lag=LIST_LAG,
                rate_limit_headers="all",
                request_log=1_000_000,
            )
        )
        emulator.script(statuses=STATUSES)
        database = stack.enter_context(postgresql()) if celery or load.database == "postgresql" else None
        broker = stack.enter_context(redis()) if celery else None
        site = stack.enter_context(LoadSite(home, template, parallel=load.parallel, database=database, broker=broker))
        site.env |= {
            "AIRFLOW_CONN_WES_DEFAULT": json.dumps(emulator.connection(extra={"coupon_files_lag": WATCHED_LAG})),
            "WES_FAST_TIME": json.dumps([time.time(), emulator.clock.now(), load.speed]),
            "WES_LOAD": json.dumps({"lists": load.lists, "files": load.files}),
        }
        for path in (HERE / "load_dag.py", HERE.parent / "support" / "fast_time.py"):
            shutil.copy(path, site.dags)
        site.start()
        memory = stack.enter_context(MemorySampler(site))
        started = time.monotonic()
        run = site.trigger("load")
        _follow(run, emulator, result, started)
        result.minutes = (time.monotonic() - started) / 60
        result.memory = memory.samples
        if not result.problems:
            _compare(run, emulator, result)
        _count(run, emulator, result)
    return result


# -- while it runs


def _follow(run: Run, emulator: Emulator, result: Result, started: float) -> None:
    """Kill what is due, until the run has ended or its time is up."""
    load, draw = result.load, random.Random(result.load.seed)
    due, told = plan(load, draw), 0.0
    while run.state not in ("success", "failed"):
        elapsed = time.monotonic() - started
        if elapsed > 60 * load.timeout:
            result.problems.append(f"it did not end within {load.timeout:g} minutes: {_states(run)}")
            return
        asked = emulator.counts.get(UPLOAD, 0) / load.total
        while due and asked >= due[0].at and _kill(run, due[0].what, draw):
            result.kills[due.pop(0).what] += 1
        if dead := [name for name, pid in run.site.running.items() if not is_alive(pid)]:  # type: ignore[attr-defined]
            result.problems.append(f"these ended by themselves: {', '.join(dead)}; see their logs in {run.site.home}")
            return
        if elapsed - told > 30:
            told = elapsed
            print(f"{elapsed / 60:5.1f} min: {asked:4.0%} uploads asked for; {_states(run)}", file=sys.stderr)
        time.sleep(0.1)
    if due:
        result.problems.append(f"it ended before {len(due)} kills were done: {due}")


def plan(load: Load, draw: random.Random) -> list[Kill]:
    """When to kill what, in order."""
    if load.executor == CELERY:
        others = [Kill(0.3, "worker-2"), Kill(0.5, "triggerer-2")]
    else:
        # In the first half: in the second, its memory is looked at.
        others = [Kill((n + 0.5) / load.triggerer_kills / 2, "triggerer") for n in range(load.triggerer_kills)]
    tasks = [Kill(draw.uniform(0.02, 0.95), "machine" if n % 4 == 3 else "task") for n in range(load.kills)]
    return sorted(others + tasks, key=lambda kill: kill.at)


def _kill(run: Run, what: str, draw: random.Random) -> bool:
    """Kill it; whether there was such a thing to kill."""
    site = run.site
    if what in site.processes:
        site.kill(what)
        if what == "triggerer":
            time.sleep(draw.uniform(0, 5))
            site.start(what)
        return True
    running = [ti.pid for ti in run.tis() if ti.state == "running" and ti.pid]
    with suppress(psutil.NoSuchProcess, IndexError):
        process = psutil.Process(draw.choice(running))
        over = process.parents()
        # The number may be another's by now, and a task whose watcher is dead has been adopted by who knows whom.
        if any(ancestor.pid in site.running.values() for ancestor in over[1:]):  # type: ignore[attr-defined]
            if what == "machine":
                over[0].kill()
            process.kill()
            return True
    return False


class MemorySampler:
    """Looks at the memory of the site's triggerers every two seconds, in a thread."""

    def __init__(self, site: LoadSite) -> None:
        self.samples: list[Sample] = []
        self._site = site
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> MemorySampler:
        self._thread.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._stop.wait(2):
            for name, pid in self._site.running.items():
                if name.startswith("triggerer"):
                    with suppress(psutil.NoSuchProcess):
                        self.samples.append(_sample(name, pid))


def _sample(name: str, pid: int) -> Sample:
    process = psutil.Process(pid)
    memory = [one.memory_full_info() for one in (process, *process.children(recursive=True))]
    mib = 1 << 20
    return Sample(name, pid, time.monotonic(), sum(m.pss for m in memory) / mib, sum(m.uss for m in memory) / mib)


def _states(run: Run) -> str:
    counts = Counter(str(ti.state) for ti in run.tis())
    return ", ".join(f"{count} {state}" for state, count in counts.most_common())


# -- at the end


def _compare(run: Run, emulator: Emulator, result: Result) -> None:
    """Note what is not as it should be."""
    problems, load = result.problems, result.load
    if run.state != "success":
        problems.append(f"the run is {run.state}")
    for index in range(load.lists):
        name = f"list-{index}"
        ti = run.ti("replenish", index)
        if ti.state != "success":
            errors = [failure.message for failure in run.failures("replenish", index)]
            problems.append(f"the task of {name} is {ti.state} after {ti.try_number} attempts; its errors: {errors}")
        files = emulator.files(name)
        by_url = {file["file_url"]: file for file in files}
        uploads = Counter(file["file_url"] for file in files)
        urls = [f"https://files.example.com/{index}/{number}.csv" for number in range(load.files)]
        if twice := [url for url, count in uploads.items() if count > 1]:
            problems.append(f"{name} has more than once: {twice}")
        if lost := [url for url in urls if url not in uploads]:
            problems.append(f"{name} lacks: {lost}")
        if strange := [url for url in uploads if url not in urls]:
            problems.append(f"{name} has what is not its own: {strange}")
        if unprocessed := [file["file_url"] for file in files if file["status"] != "SUCCESS"]:
            problems.append(f"{name} has what is not processed: {unprocessed}")
        if ti.state == "success" and not (twice or lost or strange):
            xcoms = run.xcoms("replenish", index)
            if xcoms["return_value"] != [by_url[url]["_id"] for url in urls]:
                problems.append(f"the task of {name} returned other identifiers than its files have")
            if {file["status"] for file in xcoms["coupon_files"]} != {"SUCCESS"}:
                problems.append(f"the task of {name} pushed coupon_files that are not processed")
    accepted = sum(request.accepted for request in emulator.requests_for(UPLOAD))
    if accepted != load.total:
        problems.append(f"the service accepted {accepted} uploads instead of {load.total}")
    if left := run.site.rows('SELECT id FROM "trigger"'):
        problems.append(f"{len(left)} triggers are left")
    growth = memory_growth(result.memory)
    if growth is not None and growth > LEVEL:
        problems.append(f"the triggerer's memory grew by a factor of {growth:.2f}")


def _count(run: Run, emulator: Emulator, result: Result) -> None:
    """Note what it took."""
    for request in emulator.requests:
        result.requests[request.operation] += 1
        result.refused += request.status == 429
        if request.status in (None, 503):
            result.faults["carried out" if request.accepted else "not carried out"] += 1
    result.attempts = sum(ti.try_number for ti in run.tis())
    for index in range(result.load.lists):
        result.deferrals += len(re.findall(r"\bDeferring\b", run.log("replenish", index)))
        result.failures.update(failure.type.rpartition(".")[2] for failure in run.failures("replenish", index))


def longest_life(samples: list[Sample]) -> list[Sample]:
    """Those of the one triggerer process that lived longest."""
    lives: dict[int, list[Sample]] = {}
    for sample in samples:
        lives.setdefault(sample.pid, []).append(sample)
    return max(lives.values(), key=len, default=[])


def memory_growth(samples: list[Sample]) -> float | None:
    """The last third's memory of its own in the longest life, of the first third's; ``None`` where it was short."""
    life = longest_life(samples)
    if len(life) < SAMPLES:
        return None
    third = len(life) // 3
    return statistics.median(s.uss for s in life[-third:]) / statistics.median(s.uss for s in life[:third])


def report(result: Result) -> str:
    """As Markdown."""
    load, requests = result.load, sum(result.requests.values())
    by_operation = ", ".join(f"{name} {count:,}" for name, count in sorted(result.requests.items()))
    starts = result.attempts + result.deferrals  # each deferral ends in a resumption
    rows = {
        "lists, files of each": f"{load.lists}, {load.files}",
        "executor, database": f"{load.executor}, {'postgresql' if load.executor == CELERY else load.database}",
        "tasks at a time": load.parallel,
        "service seconds a second": f"{load.speed:g}",
        "minutes": f"{result.minutes:.1f}",
        "requests": f"{requests:,} ({by_operation})",
        "failed at random": f"{result.faults.total():,} ({result.faults['carried out']:,} of them carried out)",
        "refused by the limit (429)": f"{result.refused:,}",
        "kills": ", ".join(f"{what} {count}" for what, count in sorted(result.kills.items())) or "none",
        "deferrals": f"{result.deferrals:,}",
        "task starts": f"{starts:,}, {starts / result.minutes:.0f} a minute",
        "retries by Airflow": f"{result.attempts - load.lists:,}",
        "attempts that ended with an error": ", ".join(f"{n} {e}" for e, n in result.failures.most_common()) or "none",
    }
    life = longest_life(result.memory)
    if life:
        third = max(1, len(life) // 3)
        parts = (life[:third], life[third:-third] or life, life[-third:])
        rows["triggerer's longest life, minutes"] = f"{(life[-1].at - life[0].at) / 60:.1f}"
        for title, key in (("its own memory (USS)", "uss"), ("PSS", "pss")):
            values = [f"{statistics.median(getattr(sample, key) for sample in part):.0f}" for part in parts]
            rows[f"{title} by thirds of it, MiB"] = ", ".join(values)
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


def parsed(argv: list[str] | None = None) -> tuple[Load, Path | None]:
    default = Load()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", type=int, default=default.lists)
    parser.add_argument("--files", type=int, default=default.files, help="of each list, 50 at most")
    parser.add_argument("--faults", type=float, default=default.faults, help="share of requests that fail")
    parser.add_argument("--kills", type=int, default=default.kills, help="of task processes")
    parser.add_argument("--triggerer-kills", type=int, default=default.triggerer_kills, help="with LocalExecutor")
    parser.add_argument("--speed", type=float, default=default.speed, help="service seconds for each of the machine's")
    parser.add_argument("--parallel", type=int, default=default.parallel, help="how many tasks run at a time")
    parser.add_argument("--executor", choices=EXECUTORS, default=default.executor)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default=default.database)
    parser.add_argument("--seed", type=int, default=default.seed, help="of faults and kills")
    parser.add_argument("--timeout", type=float, default=default.timeout, help="minutes")
    parser.add_argument("--keep", type=Path, help="a new folder for Airflow's home, which is kept; to look at its logs")
    options = vars(parser.parse_args(argv))
    keep = options.pop("keep")
    return Load(**options), keep


def main() -> int:
    load, keep = parsed()
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        home = keep or Path(folder, "airflow")
        home.mkdir()
        result = run_load(load, home, Path(folder, "template.db"))
    print(report(result))
    for problem in result.problems:
        print(f"WRONG: {problem}", file=sys.stderr)
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
