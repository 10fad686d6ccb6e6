"""
What ten thousand waits cost a triggerer.

Waits run on one event loop, in a process of their own, against a small server in another. Beside
them, in the same run, a bare ``aiohttp`` session shared by as many tasks asks as often, at the same
kind of moments, in a process that has loaded Airflow, too: what is left is what the trigger adds.
Variants take turns in random order, and ratios are formed within a round. A processor that falls
asleep between polls takes up to twice as long for the same, for seconds at a time, so processes of
the lowest priority keep all of them awake. The connection is answered from memory, since looking it
up is Airflow's, and the line that each wait logs of its status is left out. CPU is that of the
process, less its 10 ms ticker's.

Run it with ``python tests/benchmarks/bench_waiting.py``, in an environment with the provider and
Airflow 3.3 on Linux, for about an hour; ``--waits 1000 --rounds 1`` takes one minute. It prints
Markdown; ``--json FILE`` keeps the figures, which the docs quote.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import msgspec

RATE = 400  # polls a second that all waits offer together
POLLS = 8  # of each wait: what the shortest one takes, for a file of two seconds
TICK = 0.01  # seconds
LONG_AGO = 1e5  # seconds since the upload: pauses have grown to poll_interval
VARIANTS = ("bare session", "trigger")
RECORD = {
    "name": "c.csv",
    "file_url": "https://files.example.com/c.csv",
    "created_by": "ana",
    "coupons_list_id": "l",
}
# Environment variables that would have one variant do more than the other.
OF_THIS_MACHINE = ("_proxy", "_ca_bundle")

# -- the server


class Server(asyncio.Protocol):
    """Responds that a file is processed from its request number ``POLLS`` on."""

    asked: ClassVar[Counter[bytes]] = Counter()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.received = b""

    def data_received(self, data: bytes) -> None:
        self.received += data
        while b"\r\n\r\n" in self.received:
            head, _, self.received = self.received.partition(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            if path == b"/polls":
                content: Any = sum(self.asked.values())
            else:
                self.asked[path] += 1
                status = "SUCCESS" if self.asked[path] >= POLLS else "PROCESSING"
                content = {**RECORD, "_id": path.rpartition(b"/")[2].decode(), "status": status}
            body = json.dumps(content).encode()
            head = (
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                % len(body)
            )
            self.transport.write(head + body)


async def serve() -> None:
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.to_thread(sys.stdin.read)  # until whoever started it ends


# -- one measurement, in a process of its own


async def measure(wait: Callable[[int], Awaitable[bool]], url: str, waits: int) -> dict[str, Any]:
    """Run the waits, and measure what they cost."""
    assert await wait(waits)  # warm: what is imported late, the first connection
    before = polls_at(url)
    lags: list[float] = []

    async def tick() -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(TICK)
            lags.append(time.perf_counter() - start - TICK)

    ticker = asyncio.create_task(tick())
    idle = time.process_time()
    await asyncio.sleep(2)
    tick_cost = (time.process_time() - idle) / len(lags)
    gc.collect()
    await asyncio.sleep(2 * TICK)
    lags.clear()  # of what the collection held up, too
    memory, cpu = start_peak(), time.process_time()
    assert all(await asyncio.gather(*map(wait, range(waits))))
    cpu = time.process_time() - cpu - tick_cost * len(lags)
    ticker.cancel()
    return {
        "cpu_ms": 1000 * cpu / (polls_at(url) - before),
        "memory_kib": (kib("VmHWM") - memory) / waits,
        "lag_ms": 1000 * statistics.quantiles(lags, n=100)[-1],
    }


def start_peak() -> int:
    """Memory now, in KiB, from which its peak counts."""
    Path("/proc/self/clear_refs").write_text("5")
    return kib("VmRSS")


def kib(name: str) -> int:
    """A line of this process's status."""
    return int(Path("/proc/self/status").read_text().partition(f"{name}:")[2].split()[0])


def polls_at(url: str) -> int:
    with urllib.request.urlopen(f"{url}/polls") as response:
        return int(response.read())


async def bare_session(url: str, waits: int, interval: float) -> dict[str, Any]:
    """
    What anybody would write: one session, JSON, and a check of the status; with the trigger's
    pauses.
    """
    import aiohttp

    from wes_provider.waits.decision import pause

    async with aiohttp.ClientSession(
        auth=aiohttp.BasicAuth("workspace", "campaign-key")
    ) as session:
        started = 0

        async def wait(number: int) -> bool:
            nonlocal started
            started += 1
            await asyncio.sleep(
                random.random() * pause(LONG_AGO, interval, started) if number < waits else 0
            )
            while True:
                async with session.get(f"{url}/v1/coupon-list/l/files/{number}") as response:
                    if (await response.json())["status"] == "SUCCESS":
                        return True
                await asyncio.sleep(pause(LONG_AGO, interval, waits) if number < waits else 0)

        return await measure(wait, url, waits)


async def trigger(url: str, waits: int, interval: float) -> dict[str, Any]:
    """The trigger, as the triggerer runs it."""
    from airflow.sdk import BaseHook, Connection

    async def connection(cls: Any, conn_id: str) -> Any:
        return Connection(
            conn_id=conn_id, conn_type="wes", host=url, login="workspace", password="campaign-key"
        )

    BaseHook.aget_connection = classmethod(connection)  # type: ignore[assignment]

    from wes_provider.coupon_files import Statuses
    from wes_provider.triggers import WesCouponFileTrigger

    async def wait(number: int) -> bool:
        waiting = WesCouponFileTrigger(
            wes_conn_id="wes_default",
            coupon_list_id="l",
            coupon_files={str(number): time.time() - LONG_AGO},
            deadline=time.time() + LONG_AGO,
            poll_interval=interval if number < waits else 0.001,
            statuses=msgspec.to_builtins(Statuses()),
        )
        return [set(event.payload["files"][str(number)]) async for event in waiting.run()] == [
            {"file"}
        ]

    return await measure(wait, url, waits)


# -- the series


def cost(sizes: list[int], rounds: int) -> list[dict[str, Any]]:
    rows = []
    for waits in sizes:
        results: dict[str, list[dict[str, Any]]] = {variant: [] for variant in VARIANTS}
        for round_number in range(rounds):
            for variant in random.sample(VARIANTS, k=len(VARIANTS)):
                results[variant].append(run(variant, waits))
                print(
                    f"round {round_number + 1}, {waits} waits, {variant}: {results[variant][-1]}",
                    file=sys.stderr,
                )
        ratios = [
            t["cpu_ms"] / b["cpu_ms"]
            for t, b in zip(results["trigger"], results["bare session"], strict=True)
        ]
        for variant in VARIANTS:
            middle = {
                key: statistics.median(r[key] for r in results[variant])
                for key in results[variant][0]
            }
            ratio = statistics.median(ratios) if variant == "trigger" else 1.0
            rows.append({"waits": waits, "who": variant, "ratio": ratio, **middle})
    return rows


def cost_table(rows: list[dict[str, Any]]) -> str:
    line = "| {waits:,} | {who} | {cpu_ms:.3f} | {ratio:.2f} | {memory_kib:.1f} | {lag_ms:.1f} |".format_map
    head = (
        "| waits | who | CPU ms a poll | ratio | KiB a wait | event-loop lag, p99 ms "
        "|\n|---:|---|---:|---:|---:|---:|"
    )
    return "\n".join([head, *map(line, rows)])


@contextmanager
def serving() -> Iterator[str]:
    """The server in a process of its own; its URL."""
    command, pipe = [sys.executable, __file__, "--serve"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


def run(variant: str, waits: int) -> dict[str, Any]:
    """One measurement, of a variant in a process of its own."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith(OF_THIS_MACHINE)
    }
    with tempfile.TemporaryDirectory() as home, serving() as url:
        environment |= {"AIRFLOW_HOME": home, "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}
        command = [
            sys.executable,
            "-W",
            "ignore",
            __file__,
            "--child",
            variant,
            "--waits",
            str(waits),
            "--url",
            url,
        ]
        output = subprocess.check_output(command, env=environment, text=True)
    return dict(json.loads(output.splitlines()[-1]))


@contextmanager
def processors_awake() -> Iterator[None]:
    """Leave no processor idle; whoever else wants one gets it at once."""
    spin = "import os; os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\nwhile True: pass"
    spinning = [subprocess.Popen([sys.executable, "-c", spin]) for _ in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--waits", default="1000,5000,10000", help="how many at a time; several with commas"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.waits.split(",")]
    logging.disable(logging.INFO)
    if arguments.serve:
        asyncio.run(serve())
    elif arguments.child:
        # As in every triggerer, and so for the bare session: the more is loaded, the longer garbage
        # is looked for.
        import airflow.sdk  # noqa: F401
        import airflow.triggers.base  # noqa: F401

        variant = {"bare session": bare_session, "trigger": trigger}[arguments.child]
        print(json.dumps(asyncio.run(variant(arguments.url, sizes[0], sizes[0] / RATE))))
    else:
        figures: dict[str, Any] = {"rounds": arguments.rounds}
        with processors_awake():
            figures["cost"] = cost(sizes, arguments.rounds)
        print(
            f"## What waits cost\n\nMedian of {arguments.rounds} "
            f"rounds.\n\n{cost_table(figures['cost'])}"
        )
        if arguments.json:
            arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
