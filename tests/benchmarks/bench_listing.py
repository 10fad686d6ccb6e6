"""
What searching a long list of files costs, in time and memory, against ``json.loads`` of the same body.

A server in a process of its own sends the listing. Each measurement runs in a process of its own, too: one searches the
list through ``WesClient`` for a file that is not there, the other reads the body whole with ``requests`` and parses it.
Memory is the process's peak above what it had before the first request.

Run it with ``python tests/benchmarks/bench_listing.py``, in an environment with the provider.
"""

from __future__ import annotations

import argparse
import http.server
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

LOGIN, KEY = "workspace", "key"


def body(files: int) -> bytes:
    """A listing as a service of this kind sends it, about 300 bytes a file."""
    records = (
        {
            "_id": f"{number:024x}",
            "name": f"{number:012x}-g0-nightly-coupons.csv",
            "file_url": f"https://files.example.com/coupons/2026/{number}.csv?signature={'x' * 64}",
            "created_by": "airflow",
            "status": "SUCCESS",
            "coupons_list_id": "summer",
            "coupons_count": 5000 + number,
        }
        for number in range(files)
    )
    return json.dumps({"data": list(records), "total": files}).encode()


def serve(files: int) -> None:
    """Print the port, then send the listing to everybody."""
    content = body(files)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            """Quiet."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


def search(url: str) -> Callable[[], int]:
    from wes_provider.client.operations import Operations
    from wes_provider.client.settings import WesSettings
    from wes_provider.client.sync_client import WesClient

    client = WesClient(WesSettings(url, LOGIN, KEY, KEY))
    operation = Operations(client.settings).search_coupon_files("summer", lambda record: record["name"] == "none")

    def run() -> int:
        listing = client.run(operation)
        assert listing.complete, listing.incomplete_because
        assert listing.files == []
        return listing.count

    return run


def whole(url: str) -> Callable[[], int]:
    import requests

    session = requests.Session()
    session.trust_env = False

    def run() -> int:
        return len(json.loads(session.get(f"{url}/", timeout=60).content)["data"])

    return run


def measure(variant: str, url: str, rounds: int) -> None:
    """Print seconds a round, and the growth of the peak in MB."""
    run = {"search": search, "whole": whole}[variant](url)
    before = memory("VmRSS")
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds": statistics.median(seconds), "megabytes": memory("VmHWM") - before}))


def memory(name: str) -> float:
    """Of this process, in MB."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.files)
        return
    if given.measure:
        measure(*given.measure, given.rounds)  # type: ignore[call-arg]
        return
    this = [sys.executable, __file__, "--files", str(given.files), "--rounds", str(given.rounds)]
    with subprocess.Popen([*this, "--serve"], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = f"http://127.0.0.1:{int(server.stdout.readline())}"
            figures = {
                variant: json.loads(subprocess.check_output([*this, "--measure", variant, url]))
                for variant in ("whole", "search")
            }
        finally:
            server.kill()
    print(f"{given.files} files, {len(body(given.files)) / 1e6:.1f} MB")
    for variant, figure in figures.items():
        print(f"{variant:7} {figure['seconds']:.2f} s, {figure['megabytes']:.0f} MB above the start")
    print(f"ratio   {figures['search']['seconds'] / figures['whole']['seconds']:.2f}")


if __name__ == "__main__":
    main()
