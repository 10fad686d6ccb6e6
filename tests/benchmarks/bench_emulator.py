"""
How many requests the emulator serves in a second of CPU time, against a bare ``aiohttp.web`` server with a response of
the same size. A server is one thread that is never idle meanwhile, so that is its speed on a machine of its own.

Each server runs in a process of its own, and a client that only writes and reads bytes calls it over a few connections.
In each round the variants come in random order; ratios are formed within a round, then the median is taken.
With ``--before FOLDER``, a checkout of an earlier version is measured, too. A page that is open is measured beside one
that is closed, and the memory of a closed one over 100,000 requests.

Run it with ``python tests/benchmarks/bench_emulator.py``, in an environment with the provider.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import platform
import random
import statistics
import subprocess
import sys

import psutil

CONNECTIONS = 8
LIST = "/v1/coupon-list/list-1/files"
ACCOUNT = ("emulated-workspace", "emulated-campaign-key")
BARE = """
import socket
from aiohttp import web

RESPONSE = b"x" * {size}

async def respond(request):
    await request.read()
    return web.Response(body=RESPONSE, content_type="application/json")

app = web.Application()
app.router.add_route("*", "/{{tail:.*}}", respond)
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
print("http://127.0.0.1:%d" % listener.getsockname()[1], flush=True)
web.run_app(app, sock=listener, print=None, access_log=None)
"""
EMULATOR = """
import sys
from wes_provider.emulator import Emulator

with Emulator(limits=None, request_log=1000) as emulator:
    emulator.script(outcome="never")  # so that no coupon file is fetched meanwhile
    print(emulator.url, flush=True)
    sys.stdin.read()
"""


def request(method: str, path: str, body: bytes = b"") -> bytes:
    credentials = base64.b64encode(":".join(ACCOUNT).encode()).decode()
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
    head += f"SVC-APPKEY: {ACCOUNT[0]}\r\nAuthorization: Basic {credentials}\r\n"
    if body:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


class Connection:
    """One that is kept open, for requests one after the other."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> Connection:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def call(self, content: bytes) -> tuple[bytes, bytes]:
        """Head and body of the response."""
        self._writer.write(content)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        return head, await self._reader.readexactly(length)


async def requests_per_second(process: subprocess.Popen[str], port: int, content: bytes, count: int) -> float:
    async def some(connection: Connection) -> None:
        for _ in range(count // CONNECTIONS):
            head, _ = await connection.call(content)
            assert head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")), head

    connections = [await Connection(port).__aenter__() for _ in range(CONNECTIONS)]
    before = cpu_seconds(process)
    await asyncio.gather(*map(some, connections))
    seconds = cpu_seconds(process) - before
    for connection in connections:
        await connection.__aexit__()
    return count / seconds


async def look(port: int) -> asyncio.Task[None]:
    """Open the page's events, and read them for as long as the task runs."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /_emulator/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await reader.readuntil(b"event: state")

    async def read() -> None:
        try:
            while await reader.read(65536):
                pass
        finally:
            writer.close()

    return asyncio.create_task(read())


def start(code: str, folder: str | None = None) -> tuple[subprocess.Popen[str], int]:
    environment = os.environ if folder is None else {**os.environ, "PYTHONPATH": folder}
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline().rpartition(":")[2])


def cpu_seconds(process: subprocess.Popen[str]) -> float:
    """What a process has used so far."""
    used = psutil.Process(process.pid).cpu_times()
    return float(used.user + used.system)


def resident(process: subprocess.Popen[str]) -> float:
    """Memory of a process, in MB."""
    with open(f"/proc/{process.pid}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def measure(rounds: int, count: int, before: str | None) -> dict[str, dict[str, tuple[float, float]]]:
    """By operation and variant: its requests a second, and their ratio to those of a bare server."""
    processes = []
    try:
        servers = {"emulator": start(EMULATOR), "page open": start(EMULATOR)}
        if before is not None:
            servers["before"] = start(EMULATOR, before)
        processes = [process for process, _ in servers.values()]
        upload = request("POST", LIST, json.dumps({"file_url": "http://127.0.0.1:1/c.csv", "name": "n"}).encode())
        found: dict[str, dict[str, list[tuple[float, float]]]] = {}
        looking = await look(servers["page open"][1])
        for operation in ("fetch a coupon file", "upload a coupon file"):
            contents = {}
            for name, (_, port) in servers.items():
                async with Connection(port) as connection:
                    _, response = await connection.call(upload)
                    fetch = request("GET", f"{LIST}/{json.loads(response)['_id']}")
                    contents[name] = upload if operation.startswith("upload") else fetch
                    _, response = await connection.call(contents[name])
            bare = start(BARE.format(size=len(response)))
            processes.append(bare[0])
            contents["bare"] = upload
            found[operation] = {name: [] for name in servers}
            for _ in range(rounds):
                speed = {}
                for name, server in random.sample([*servers.items(), ("bare", bare)], len(servers) + 1):
                    speed[name] = await requests_per_second(*server, contents[name], count)
                for name in servers:
                    found[operation][name].append((speed[name], speed[name] / speed["bare"]))
        looking.cancel()
        return {
            operation: {
                name: (statistics.median(speed for speed, _ in pairs), statistics.median(ratio for _, ratio in pairs))
                for name, pairs in by_name.items()
            }
            for operation, by_name in found.items()
        }
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def memory(count: int) -> tuple[float, float]:
    """Memory after a fifth of so many requests, and after all of them."""
    process, port = start(EMULATOR)
    try:
        fetch = request("GET", LIST)  # an empty list
        await requests_per_second(process, port, fetch, count // 5)
        first = resident(process)
        await requests_per_second(process, port, fetch, count - count // 5)
        return first, resident(process)
    finally:
        process.kill()
        process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=4000, help="of each variant in a round")
    parser.add_argument("--before", metavar="FOLDER", help="a checkout of an earlier version")
    options = parser.parse_args()
    results = asyncio.run(measure(options.rounds, options.requests, options.before))
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} CPUs, {options.rounds} rounds of {options.requests}.\n"
    )
    print("| operation | variant | requests a second | of a bare `aiohttp.web` |\n|---|---|---|---|")
    for operation, by_name in results.items():
        for name, (speed, ratio) in by_name.items():
            print(f"| {operation} | {name} | {speed:.0f} | {ratio:.0%} |")
    if options.before is not None:
        for operation, by_name in results.items():
            print(f"{operation}: {by_name['emulator'][1] / by_name['before'][1]:.1%} of the requests a second before")
    first, last = asyncio.run(memory(100_000))
    print(f"Memory after 20,000 requests: {first:.0f} MB; after 100,000: {last:.0f} MB ({last / first - 1:+.1%})")


if __name__ == "__main__":
    main()
