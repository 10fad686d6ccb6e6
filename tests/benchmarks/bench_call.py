"""
What a synchronous call costs against the same call through a bare ``requests.Session``.

A small server in a process of its own answers every GET with a coupon file. In each round the variants take turns in
random order, a batch of calls each; ratios are formed within a round, then the median is taken. The HTTP provider's
hook is measured too, where it is installed.

Run it with ``python tests/benchmarks/bench_call.py``, in an environment with the provider and Airflow.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import socketserver
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

BODY = b'{"_id":"file-1","status":"PENDING","coupons_list_id":"list-1","name":"c.csv","file_url":"","created_by":""}'
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
PATH = "/v1/coupon-list/list-1/files/file-1"
LOGIN, KEY = "workspace", "key"


# -- the server ------------------------------------------------------------------------------------------


class Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def handle(self) -> None:
        self.server.connections += 1  # type: ignore[attr-defined]
        while self.rfile.readline():
            while self.rfile.readline() not in (b"\r\n", b""):
                pass
            self.wfile.write(ANSWER)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    connections = 0


def serve() -> None:
    """Print the port, then, for each line on standard input, how many connections there have been."""
    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(server.server_address[1], flush=True)
        for _ in sys.stdin:
            print(server.connections, flush=True)


@contextlib.contextmanager
def running_server() -> Iterator[tuple[str, Callable[[], int]]]:
    process = subprocess.Popen(
        [sys.executable, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    url = f"http://127.0.0.1:{process.stdout.readline().strip()}"

    def connections() -> int:
        print(file=process.stdin, flush=True)
        return int(process.stdout.readline())

    try:
        yield url, connections
    finally:
        process.stdin.close()
        process.wait()


# -- the variants ----------------------------------------------------------------------------------------


def bare_session(url: str) -> Callable[[], object]:
    import requests

    session = requests.Session()
    headers = {"SVC-APPKEY": LOGIN}
    return lambda: session.get(url + PATH, auth=(LOGIN, KEY), headers=headers, timeout=(10, 60)).json()


def wes_hook(url: str) -> Callable[[], object]:
    from wes_provider.hooks import WesHook

    hook = WesHook("bench")
    return lambda: hook.get_coupon_file("list-1", "file-1")


def http_hook(url: str) -> Callable[[], object]:
    from airflow.providers.http.hooks.http import HttpHook

    hook = HttpHook(method="GET", http_conn_id="bench_http")
    return lambda: hook.run(PATH).json()


VARIANTS = {
    "requests.Session.get": bare_session,
    "WesHook.get_coupon_file": wes_hook,
    "HttpHook.run (HTTP provider)": http_hook,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=200, help="calls of a variant in a round")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
        return
    with tempfile.TemporaryDirectory() as home, running_server() as (url, connections):
        os.environ["AIRFLOW_HOME"] = home
        os.environ["AIRFLOW__LOGGING__LOGGING_LEVEL"] = "WARNING"
        connection = {"conn_type": "wes", "host": url, "login": LOGIN, "password": KEY}
        os.environ["AIRFLOW_CONN_BENCH"] = json.dumps(connection)
        os.environ["AIRFLOW_CONN_BENCH_HTTP"] = json.dumps({**connection, "conn_type": "http"})
        report(measure(url, connections, arguments), arguments)


def measure(url: str, connections: Callable[[], int], arguments: argparse.Namespace) -> dict[str, SimpleNamespace]:
    ready: dict[str, SimpleNamespace] = {}
    for name, make in VARIANTS.items():
        with contextlib.suppress(ImportError):
            before, operation = connections(), make(url)
            for _ in range(50):
                operation()
            ready[name] = SimpleNamespace(operation=operation, seconds=[], connections=connections() - before)
    for _ in range(arguments.rounds):
        for name in random.sample(list(ready), len(ready)):
            variant = ready[name]
            before, start = connections(), time.perf_counter()
            for _ in range(arguments.calls):
                variant.operation()
            variant.seconds.append(time.perf_counter() - start)
            variant.connections += connections() - before
    return ready


def report(ready: dict[str, SimpleNamespace], arguments: argparse.Namespace) -> None:
    bare = ready["requests.Session.get"].seconds
    print(f"| {arguments.rounds} rounds of {arguments.calls} calls | µs a call | ratio | connections |")
    print("|---|---|---|---|")
    for name, variant in ready.items():
        ratio = statistics.median(own / other for own, other in zip(variant.seconds, bare, strict=True))
        each = statistics.median(variant.seconds) / arguments.calls * 1e6
        print(f"| {name} | {each:.0f} | {ratio:.3f} | {variant.connections} |")


if __name__ == "__main__":
    main()
