"""
What one reading of a watched list costs, against decoding the same body as JSON and no more.

Run it with ``python tests/benchmarks/bench_watching.py``. Each measurement is a process of its own,
which reads a list of an HTTP server in another process; CPU seconds are of all readings but the
first, since nothing is new in them, as in nearly all readings of a watch.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import threading
import time
from contextlib import aclosing
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Final

READINGS: Final = 20


def body_of(files: int) -> bytes:
    """The files of a list, of which each has what the contract shows, and counts."""
    return json.dumps(
        [
            {
                "_id": f"{number:024x}",
                "name": f"3f9a{number:08}-1-20261125T203000-5b2c",
                "file_url": f"https://files.example.com/summer/coupons-{number}.csv",
                "created_by": "campaigns@example.com",
                "status": "SUCCESS",
                "coupons_list_id": "summer-sale",
                "coupons_added": 5000,
                "coupons_duplicate": 0,
            }
            for number in range(files)
        ]
    ).encode()


def serve(files: int) -> None:
    """Respond to each request with the list, until the standard input ends."""
    body = body_of(files)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()


async def watch() -> float:
    """Watch a list; CPU seconds of a reading."""
    from wes_provider.triggers import WesCouponListTrigger

    trigger = WesCouponListTrigger("summer-sale", poll_interval=0.001)
    producer = trigger.create_shared_stream_producer(trigger.serialize()[1])
    began = 0.0

    async def readings() -> Any:
        nonlocal began
        async with aclosing(producer.open_stream()) as stream:
            for number in range(READINGS + 1):
                if number == 1:
                    began = time.process_time()
                reading, _ = await anext(stream)
                yield reading

    async for _ in trigger.filter_shared_stream(readings()):
        pass
    return (time.process_time() - began) / READINGS


def decode(files: int) -> float:
    """Decode the body with the standard library; CPU seconds."""
    body = body_of(files)
    began = time.process_time()
    for _ in range(READINGS):
        json.loads(body)
    return (time.process_time() - began) / READINGS


def child(*arguments: str, **env: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, __file__, "--child", *arguments],
        env={**os.environ, **env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def measure(what: str, files: int, **env: str) -> float:
    output = child(what, str(files), **env).communicate()[0]
    # Beside it are lines of logs.
    return float(re.findall(r"^seconds (\S+)$", output, re.MULTILINE)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", default="1000,10000,50000", help="how many files a list has")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        what, files = given.child[0], int(given.child[1])
        if what == "serve":
            serve(files)
        elif what == "watch":
            print("seconds", asyncio.run(watch()))
        else:
            print("seconds", decode(files))
        return
    print("| files | body, MB | decoding it, CPU ms | a reading, CPU ms | ratio |")
    print("|---:|---:|---:|---:|---:|")
    for files in map(int, given.files.split(",")):
        server = child("serve", str(files))
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        connection = {
            "conn_type": "wes",
            "host": f"http://127.0.0.1:{port}",
            "login": "workspace",
            "password": "key",
        }
        decoding = measure("decode", files)
        reading = measure("watch", files, AIRFLOW_CONN_WES_DEFAULT=json.dumps(connection))
        server.communicate()
        print(
            f"| {files:,} | {len(body_of(files)) / 1e6:.1f} | {decoding * 1000:.1f} "
            f"| {reading * 1000:.1f} | {reading / decoding:.1f} |"
        )


if __name__ == "__main__":
    main()
