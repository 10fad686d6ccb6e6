"""
What checking a coupon file of 100 MB costs, against what reading it costs.

Run it with ``python tests/benchmarks/bench_preflight.py``, in an environment with the dependency group ``storage``. The
S3-compatible server of the tests sends the file from a process of its own: as fast as a network of 1 Gbit/s would, and
as fast as loopback does, which shares the machine's cores with the check. Reading is the faster of what the storage
library has: one response as a stream, or blocks, several at a time, as the check fetches them. Each measurement is a
process of its own, so that its memory is its own; what the check adds includes the import of numpy. The table has
medians; processes take turns, so that a busy minute is not that of one of them alone.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from operator import itemgetter
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
    "8 to 24": (0, b""),
    "16 and 3 columns": (16, b",2027-01-01,summer-sale,EUR 5.00"),
}
KINDS: Final = ("stream", "blocks", "check")
NETWORKS: Final = {"1 Gbit/s": 1e9 / 8, "loopback": 0.0}  # bytes a second


def write(path: Path, length: int, rest: bytes) -> None:
    """A file of random codes, none of them twice."""
    generator = random.Random(1)
    with path.open("wb") as file:
        file.write(b"code" + b",column" * rest.count(b",") + b"\n")
        number, width = 0, (length or 24) + len(rest) + 1
        while file.tell() < SIZE - 100_000 * width:
            # A bijection of consecutive numbers, so that all differ and none follows from the one before.
            numbers = (((number + index) * 0x9E3779B1 + 12345) % 16**8 for index in range(100_000))
            longest = (length or 24) - 8
            salt = b"%0*x" % (longest, generator.getrandbits(4 * longest)) if longest else b""
            lengths = itertools.cycle([longest] if length else range(longest + 1))
            file.write(b"".join(b"%08x%s%s\n" % (value, salt[: next(lengths)], rest) for value in numbers))
            number += 100_000


def serve(path: Path, bandwidth: float) -> None:
    """Put the file into a bucket, print a connection to it, and serve until the standard input ends."""
    server: S3Server
    with s3_server() as server:
        server.bandwidth = bandwidth
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
    parser.add_argument("--bandwidth", type=float, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure)))
        return
    if options.serve:
        serve(options.serve, options.bandwidth)
        return
    print("| code | network | codes | reading, s | checking, s | ratio | CPU: reading, s | checking, s | memory, MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        for shape, (length, rest) in SHAPES.items():
            path = Path(folder, "codes.csv")
            write(path, length, rest)
            for network, bandwidth in NETWORKS.items():
                compare(f"{shape} | {network}", path, bandwidth, options.repeat)


def compare(name: str, path: Path, bandwidth: float, repeat: int) -> None:
    """Print a row of the table."""
    command = [sys.executable, __file__, "--serve", str(path), "--bandwidth", str(bandwidth)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        env = {**os.environ, "AIRFLOW_CONN_S3_BENCH": server.stdout.readline().strip()}
        runs = [{kind: in_process(kind, env) for kind in KINDS} for _ in range(repeat)]
        server.kill()
    figures = {
        kind: {name: statistics.median(run[kind][name] for run in runs) for name in runs[0][kind]} for kind in KINDS
    }
    reading, check = min((figures[kind] for kind in KINDS[:2]), key=itemgetter("seconds")), figures["check"]
    ratio = check["seconds"] / reading["seconds"]
    print(
        f"| {name} | {check['codes']:,.0f} | {reading['seconds']:.2f} | {check['seconds']:.2f} | "
        f"{ratio:.1f} | {reading['cpu']:.2f} | {check['cpu']:.2f} | {check['mb']:.0f} |",
        flush=True,
    )


def in_process(kind: str, env: dict[str, str]) -> dict[str, float]:
    output = subprocess.check_output([sys.executable, __file__, "--measure", kind], text=True, env=env)
    return dict(json.loads(output.splitlines()[-1]))


if __name__ == "__main__":
    main()
