"""
What checking a coupon file costs, against reading its bytes and hashing them.

Run it with ``python tests/benchmarks/bench_preflight.py``. Each measurement is a process of its
own, so that its memory is its own; it includes the import of what it needs. Files come from the
disk: a network costs more, for both.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

KINDS: Final = ("read", "check")


def write(path: Path, codes: int) -> None:
    """
    A file of codes of eight characters, none of them twice and none following from the one before.
    """
    with gzip.open(path, "wb", 6) if path.suffix == ".gz" else path.open("wb") as file:
        file.write(b"code\n")
        for start in range(0, codes, 100_000):
            numbers = (
                number * 0x9E3779B1 % 16**8 for number in range(start, min(codes, start + 100_000))
            )
            file.write(b"".join(b"%08x\n" % number for number in numbers))


def check(path: Path) -> int:
    """Check a file as a task does: fetch it, hash it, count its codes."""
    from wes_provider.storage import Preflight
    from wes_provider.storage.listed_file import ListedFile
    from wes_provider.storage.preflight import check_files

    def download(file: ListedFile, target: Path) -> None:
        shutil.copyfile(file.path, target)

    (checked,) = check_files(
        [ListedFile(path=str(path))], Preflight().rules(), download, allow_same_content=False
    )
    return 0 if checked.counts is None else checked.counts.codes


def measure(kind: str, path: Path) -> dict[str, float]:
    """Read or check the file once."""
    began, codes = time.perf_counter(), 0
    if kind == "check":
        codes = check(path)
    else:
        digest = hashlib.sha256()
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while piece := file.read(1024 * 1024):
                digest.update(piece)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.perf_counter() - began
    return {"seconds": seconds, "cpu": time.process_time(), "mb": peak, "codes": codes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--codes", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--measure", choices=KINDS, help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure, options.path)))
        return
    print(
        "| codes | file | MB | reading and hashing, CPU s | checking, CPU s | ratio | checking, s "
        "| peak, MB |"
    )
    print("|---|---|---|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        for codes in options.codes:
            for name in ("codes.csv", "codes.csv.gz"):
                write(path := Path(folder, name), codes)
                read, checked = (in_process(kind, path) for kind in KINDS)
                assert checked["codes"] == codes
                kind, megabytes = (
                    "gzip" if path.suffix == ".gz" else "plain",
                    path.stat().st_size / 1e6,
                )
                print(
                    f"| {codes:,} | {kind} | {megabytes:.0f} | {read['cpu']:.2f} | "
                    f"{checked['cpu']:.2f} ",
                    end="",
                )
                print(
                    f"| {checked['cpu'] / read['cpu']:.1f} | {checked['seconds']:.1f} | "
                    f"{checked['mb']:.0f} |"
                )


def in_process(kind: str, path: Path) -> dict[str, float]:
    command = [sys.executable, __file__, "--measure", kind, "--path", str(path)]
    return dict(json.loads(subprocess.check_output(command, text=True).splitlines()[-1]))


if __name__ == "__main__":
    main()
