"""
How many requests the emulator serves in a second of CPU time, against a bare ``aiohttp.web`` server with a response of
the same size. A server is one thread that is never idle meanwhile, so that is its speed on a machine of its own.

Each server runs in a process of its own, and a client calls it over a few connections. In each round the variants come
in random order; ratios are formed within a round, then the median is taken. A page that is open is measured beside one
that is closed, and the memory of a closed one over 100,000 requests.

Run it with ``python tests/benchmarks/bench_emulator.py``, in an environment with the provider.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import random
import statistics
from contextlib import ExitStack
from typing import Any

import aiohttp
import psutil
from bench_waiting import serving

CONNECTIONS = 8
WORKSPACE = "emulated-workspace"
LIST = "/v1/coupon-list/list-1/files"
BARE = "bare `aiohttp.web`"
BARE_SERVER = """
import socket
from aiohttp import web

async def respond(request):
    await request.read()
    return web.Response(body=b"x" * int(request.path[1:]), content_type="application/json")

app = web.Application()
app.router.add_route("*", "/{tail:.*}", respond)
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
print("http://127.0.0.1:%d" % listener.getsockname()[1], flush=True)
web.run_app(app, sock=listener, print=None, access_log=None)
"""
EMULATOR = """
import sys
from wes_provider.emulator import Emulator

seed = {"version": 1, "lists": {"list-1": {"files": [{"_id": "f1", "name": "n"}]}}}
with Emulator(limits=None, request_log=1000, seed_file=seed) as emulator:
    emulator.script(outcome="never")  # so that no coupon file is fetched meanwhile
    print(emulator.url, flush=True)
    sys.stdin.read()
"""


VARIANTS = {BARE: BARE_SERVER, "emulator": EMULATOR, "page open": EMULATOR}
OPERATIONS: dict[str, tuple[str, str, Any]] = {
    "fetch a coupon file": ("GET", f"{LIST}/f1", None),
    "upload a coupon file": ("POST", LIST, {"file_url": "http://127.0.0.1:1/c.csv", "name": "n"}),
}


class Server:
    """A server's process, and a client's session with it."""

    def __init__(self, stack: ExitStack, code: str) -> None:
        self.url, number = stack.enter_context(serving("-c", code))
        self.process = psutil.Process(number)

    def session(self) -> aiohttp.ClientSession:
        credentials = base64.b64encode(f"{WORKSPACE}:emulated-campaign-key".encode()).decode()
        headers = {"SVC-APPKEY": WORKSPACE, "Authorization": f"Basic {credentials}"}
        return aiohttp.ClientSession(self.url, connector=aiohttp.TCPConnector(limit=CONNECTIONS), headers=headers)

    async def speed(self, count: int, method: str, path: str, body: Any = None) -> float:
        """Requests for each second of the server's CPU time."""
        async with self.session() as session:

            async def some(number: int) -> None:
                for _ in range(number):
                    async with session.request(method, path, json=body) as response:
                        await response.read()
                        assert response.status in (200, 201), response.status

            await asyncio.gather(*(some(1) for _ in range(CONNECTIONS)))  # opens the connections
            before = self.process.cpu_times()
            await asyncio.gather(*(some(count // CONNECTIONS) for _ in range(CONNECTIONS)))
            after = self.process.cpu_times()
        return count / (after.user + after.system - before.user - before.system)

    async def look(self) -> None:
        """Open the page's events, and read them for as long as the task runs."""
        async with self.session() as session, session.get("/_emulator/events") as events:
            async for _ in events.content:
                pass


async def measure(rounds: int, count: int) -> dict[tuple[str, str], list[float]]:
    """By operation and variant: its requests a second, and their ratio to those of a bare server."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    with ExitStack() as stack:
        servers = {name: Server(stack, code) for name, code in VARIANTS.items()}
        looking = asyncio.create_task(servers["page open"].look())
        async with servers["emulator"].session() as session, session.get(f"{LIST}/f1") as response:
            size = len(await response.read())
        for operation, (method, path, body) in OPERATIONS.items():
            for _ in range(rounds):
                speed = {}
                for name in random.sample(list(servers), len(servers)):
                    speed[name] = await servers[name].speed(count, method, f"/{size}" if name == BARE else path, body)
                for name, own in speed.items():
                    found.setdefault((operation, name), []).append((own, own / speed[BARE]))
        looking.cancel()
    return {key: [statistics.median(one) for one in zip(*pairs, strict=True)] for key, pairs in found.items()}


async def memory(count: int) -> tuple[float, float]:
    """MB after a fifth of so many requests, and after all of them."""
    with ExitStack() as stack:
        server = Server(stack, EMULATOR)
        await server.speed(count // 5, "GET", LIST)
        first = server.process.memory_info().rss
        await server.speed(count - count // 5, "GET", LIST)
        return first / 1e6, server.process.memory_info().rss / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=4000, help="of each variant in a round")
    options = parser.parse_args()
    results = asyncio.run(measure(options.rounds, options.requests))
    print("| operation | variant | requests a second | of a bare `aiohttp.web` |\n|---|---|---|---|")
    for (operation, name), (speed, ratio) in results.items():
        print(f"| {operation} | {name} | {speed:.0f} | {ratio:.0%} |")
    first, last = asyncio.run(memory(100_000))
    print(f"Memory after 20,000 requests: {first:.0f} MB; after 100,000: {last:.0f} MB ({last / first - 1:+.1%})")


if __name__ == "__main__":
    main()
