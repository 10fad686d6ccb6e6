"""
What checking a coupon file of 100 MB costs, against what reading it costs.

Run it with ``python tests/benchmarks/bench_preflight.py``. A server in another process sends the file over loopback, as
fast as it can or as fast as a network of one gigabit. Each
measurement is a process of its own, so that its memory is its own.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from wes_provider.storage.content import ContentRules, read_content
from wes_provider.storage.preflight import UrlFile

SIZE: Final = 100 * 1024 * 1024
GIGABIT: Final = 125_000_000  # bytes a second
SHAPES: Final = {
    "8": (8, b""),
    "16": (16, b""),
    "24": (24, b""),
    "16 and 3 columns": (16, b",2027-01-01,summer-sale,EUR 5.00"),
}
KINDS: Final = ("read", "check")


def write(path: Path, length: int, rest: bytes) -> None:
    """A file of random codes, none of them twice."""
    generator = random.Random(1)
    with path.open("wb") as file:
        file.write(b"code" + b",column" * rest.count(b",") + b"\n")
        number, width = 0, length + len(rest) + 1
        while file.tell() < SIZE - 100_000 * width:
            # A bijection of consecutive numbers, so that all differ and none follows from the one before.
            numbers = (((number + index) * 0x9E3779B1 + 12345) % 16**8 for index in range(100_000))
            salt = b"%0*x" % (length - 8, generator.getrandbits(4 * (length - 8))) if length > 8 else b""
            file.write(b"".join(b"%08x%s%s\n" % (value, salt, rest) for value in numbers))
            number += 100_000


def serve(path: Path, rate: float | None) -> socket.socket:
    """Send the file to whoever connects, at most at ``rate`` bytes a second."""
    listener = socket.create_server(("127.0.0.1", 0))

    def send() -> None:
        while True:
            connection, _ = listener.accept()
            with connection, path.open("rb") as file:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % path.stat().st_size)
                began, sent = time.monotonic(), 0
                while block := file.read(256 * 1024):
                    if rate and (ahead := sent / rate - (time.monotonic() - began)) > 0:
                        time.sleep(ahead)
                    connection.sendall(block)
                    sent += len(block)

    threading.Thread(target=send, daemon=True).start()
    return listener


def measure(kind: str, url: str) -> dict[str, float]:
    """Read or check the file once."""
    import requests  # noqa: F401 - loaded before the memory is read

    file = UrlFile(url)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, cpu = time.perf_counter(), time.process_time()
    codes = 0
    if kind == "read":
        for _ in file.blocks():
            pass
    else:
        found = read_content(file.blocks(), ContentRules(), size=SIZE)
        assert found.problems == [], found
        codes = found.codes
    return {
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "mb": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
        "codes": codes,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--measure", nargs=2, metavar=("KIND", "URL"), help=argparse.SUPPRESS)
    parser.add_argument("--serve", nargs=2, metavar=("PATH", "RATE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(*options.measure)))
        return
    if options.serve:
        path, rate = options.serve
        print(serve(Path(path), float(rate) or None).getsockname()[1], flush=True)
        sys.stdin.read()
        return
    print("| code | codes | network | read, s | check, s | ratio | CPU, s | memory, MB |")
    print("|---|---|---|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        for shape, (length, rest) in SHAPES.items():
            path = Path(folder, "codes.csv")
            write(path, length, rest)
            for network, rate in (("1 Gbit/s", GIGABIT), ("loopback", 0)):
                command = [sys.executable, __file__, "--serve", str(path), str(rate)]
                with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
                    assert server.stdout
                    url = f"http://127.0.0.1:{server.stdout.readline().strip()}/codes.csv"
                    runs = {kind: [in_process(kind, url) for _ in range(options.repeat)] for kind in KINDS}
                    server.kill()
                read, check = (min(runs[kind], key=lambda run: run["seconds"]) for kind in KINDS)
                print(
                    f"| {shape} | {check['codes']:,} | {network} | {read['seconds']:.2f} | {check['seconds']:.2f} | "
                    f"{check['seconds'] / read['seconds']:.1f} | {check['cpu']:.2f} | {check['mb']:.0f} |",
                    flush=True,
                )


def in_process(kind: str, url: str) -> dict[str, float]:
    output = subprocess.check_output([sys.executable, __file__, "--measure", kind, url], text=True)
    return dict(json.loads(output))


if __name__ == "__main__":
    main()
