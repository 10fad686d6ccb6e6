"""
The command ``wes-ledger``: what was uploaded to a list, by whom, and which coupon file it became.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout

import msgspec

from wes_provider.arguments import identifier
from wes_provider.exceptions import WesError
from wes_provider.storage.stores import BucketStore, Entry

__all__ = ["main"]

COLUMNS = ("claimed", "state", "coupon_file_id", "codes", "path", "uploaded by")


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command.

    :param arguments: without the program's name.
    :return: the exit code: 0, 1 if the ledger cannot be read, 2 if the arguments make no sense.
    """
    parser = argparse.ArgumentParser(
        "wes-ledger", description="What was uploaded to a coupon list, by content."
    )
    parser.add_argument(
        "action", choices=("show", "export"), help="print a table, or every field as lines of JSON"
    )
    parser.add_argument("coupon_list_id", help="the list's identifier")
    folder = "the folder of Ledger(location), such as s3://aws_default@promo/ledger"
    parser.add_argument("--location", metavar="URL", required=True, help=folder)
    options = parser.parse_args(arguments)
    try:
        list_id = identifier("coupon_list_id", options.coupon_list_id)
        # Airflow logs to the standard output, which is the command's own.
        with redirect_stdout(sys.stderr):
            entries = BucketStore(options.location, list_id).all_entries()
    except WesError as error:
        print(error, file=sys.stderr)
        return 1
    entries.sort(key=lambda entry: entry.at)
    if options.action == "export":
        for entry in entries:
            print(msgspec.json.encode(entry).decode())
    elif entries:
        _print_table(entries)
    else:
        print(f"The ledger has no entry for list {list_id}")
    return 0


def _print_table(entries: Sequence[Entry]) -> None:
    rows: list[tuple[str, ...]] = [COLUMNS]
    for entry in entries:
        cells = (
            entry.at,
            entry.state,
            entry.coupon_file_id or "-",
            str(entry.codes),
            entry.path,
            entry.by,
        )
        rows.append(cells)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(line.rstrip())
