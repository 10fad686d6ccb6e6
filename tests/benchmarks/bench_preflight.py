"""
What checking a coupon file of 100 MB costs, against what reading it costs.

Run it with ``python tests/benchmarks/bench_preflight.py``, in an environment with the dependency group ``storage``. The
S3-compatible server of the tests sends the file over loopback, from a process of its own. Reading is the faster of
what the storage library has: one response as a stream, or blocks, two at a time, as the check fetches them. Each
measurement is a process of its own, so that its memory is its own; the table has medians.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.s3_server import S3Server, s3_server
from wes_provider.storage import BucketFiles
from wes_provider.storage.content import ContentRules, read_content

SIZE: Final = 100 * 1024 * 1024
SHAPES: Final = {
    "8": (8, b""),
    "16": (16, b""),
    "24": (24, b""),
    "16 and 3 columns": (16, b",2027-01-01,summer-sale,EUR 5.00"),
}
KINDS: Final = ("stream", "blocks", "check")


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


def serve(path: Path) -> None:
    """Put the file into a bucket, print a connection to it, and serve until the standard input ends."""
    server: S3Server
    with s3_server() as server:
        server.put("codes.csv", path.read_bytes())
        print(server.connection(), flush=True)
        sys.stdin.read()


async def stream(fs: Any, path: str) -> None:
    """Read one response to its end."""
    file = await fs.open_async(path, "rb")
    while await file.read(1024 * 1024):
        pass
    await file.close()


def measure(kind: str) -> dict[str, float]:
    """Read or check the file once."""
    from fsspec.asyn import sync  # type: ignore[import-untyped]

    (file,) = BucketFiles("s3://s3_bench@promo/codes.csv").expand()  # loads the storage library
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, cpu = time.perf_counter(), time.process_time()
    codes = 0
    if kind == "stream":
        fs = file._fs()  # noqa: SLF001 - the very one that the check reads with
        sync(fs.loop, stream, fs, file.path)
    elif kind == "blocks":
        for _ in file.blocks():
            pass
    else:
        found = read_content(file.blocks(), ContentRules(), size=file.size)
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
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--measure", choices=KINDS, help=argparse.SUPPRESS)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure)))
        return
    if options.serve:
        serve(options.serve)
        return
    print("| code | codes | reading, s | checking, s | ratio | CPU, s | memory, MB |")
    print("|---|---|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        for shape, (length, rest) in SHAPES.items():
            path = Path(folder, "codes.csv")
            write(path, length, rest)
            command = [sys.executable, __file__, "--serve", str(path)]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
                assert server.stdout
                env = {**os.environ, "AIRFLOW_CONN_S3_BENCH": server.stdout.readline().strip()}
                runs = {kind: [in_process(kind, env) for _ in range(options.repeat)] for kind in KINDS}
                server.kill()
            figures = {
                kind: {name: statistics.median(run[name] for run in runs[kind]) for name in runs[kind][0]}
                for kind in KINDS
            }
            reading, check = min(figures[kind]["seconds"] for kind in KINDS[:2]), figures["check"]
            print(
                f"| {shape} | {check['codes']:,.0f} | {reading:.2f} | {check['seconds']:.2f} | "
                f"{check['seconds'] / reading:.1f} | {check['cpu']:.2f} | {check['mb']:.0f} |",
                flush=True,
            )


def in_process(kind: str, env: dict[str, str]) -> dict[str, float]:
    output = subprocess.check_output([sys.executable, __file__, "--measure", kind], text=True, env=env)
    return dict(json.loads(output.splitlines()[-1]))


if __name__ == "__main__":
    main()
