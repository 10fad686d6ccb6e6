"""
How many requests a second the emulator serves, against a bare ``aiohttp.web`` server with an answer of the same size.

Each server runs in a process of its own, and a client that only writes and reads bytes asks it over a few connections.
In each round the variants take turns in random order; ratios are formed within a round, then the median is taken.

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
import time

CONNECTIONS = 8
LIST = "/v1/coupon-list/list-1/files"
ACCOUNT = ("emulated-workspace", "emulated-campaign-key")
BARE = """
import socket
from aiohttp import web

ANSWER = b"x" * {size}

async def answer(request):
    await request.read()
    return web.Response(body=ANSWER, content_type="application/json")

app = web.Application()
app.router.add_route("*", "/{{tail:.*}}", answer)
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

    async def ask(self, content: bytes) -> tuple[bytes, bytes]:
        """Head and body of the answer."""
        self._writer.write(content)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        return head, await self._reader.readexactly(length)


async def requests_per_second(port: int, content: bytes, count: int) -> float:
    async def some(connection: Connection) -> None:
        for _ in range(count // CONNECTIONS):
            head, _ = await connection.ask(content)
            assert head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")), head

    connections = [await Connection(port).__aenter__() for _ in range(CONNECTIONS)]
    start = time.perf_counter()
    await asyncio.gather(*map(some, connections))
    seconds = time.perf_counter() - start
    for connection in connections:
        await connection.__aexit__()
    return count / seconds


def start(code: str) -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, int(process.stdout.readline().rpartition(":")[2])


async def measure(rounds: int, count: int) -> dict[str, tuple[float, float]]:
    """By operation: the emulator's requests a second, and the ratio of a bare server's to them."""
    emulator, port = start(EMULATOR)
    processes = [emulator]
    try:
        upload = request("POST", LIST, json.dumps({"file_url": "http://127.0.0.1:1/c.csv", "name": "n"}).encode())
        async with Connection(port) as connection:
            _, answer = await connection.ask(upload)
            file_id = json.loads(answer)["_id"]
        operations = {"fetch a coupon file": request("GET", f"{LIST}/{file_id}"), "upload a coupon file": upload}
        ports = {}
        for name, content in operations.items():
            async with Connection(port) as connection:
                _, answer = await connection.ask(content)
            bare, ports[name] = start(BARE.format(size=len(answer)))
            processes.append(bare)
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in operations}
        for _ in range(rounds):
            for name, content in operations.items():
                turns = [(port, "emulator"), (ports[name], "bare")]
                random.shuffle(turns)
                speed = {who: await requests_per_second(where, content, count) for where, who in turns}
                found[name].append((speed["emulator"], speed["emulator"] / speed["bare"]))
        return {
            name: (statistics.median(speed for speed, _ in pairs), statistics.median(ratio for _, ratio in pairs))
            for name, pairs in found.items()
        }
    finally:
        for process in processes:
            process.kill()
            process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=4000, help="of each variant in a round")
    options = parser.parse_args()
    results = asyncio.run(measure(options.rounds, options.requests))
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} CPUs, {options.rounds} rounds of {options.requests}.\n"
    )
    print("| operation | requests a second | of a bare `aiohttp.web` |\n|---|---|---|")
    for name, (speed, ratio) in results.items():
        print(f"| {name} | {speed:.0f} | {ratio:.0%} |")


if __name__ == "__main__":
    main()
