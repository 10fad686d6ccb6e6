"""The command ``wes-ledger``: what was uploaded to a list, by whom, and which coupon file it became."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from datetime import datetime, timezone
from typing import Any

import msgspec

from wes_provider.arguments import identifier
from wes_provider.exceptions import WesError
from wes_provider.storage.stores import KEY_PREFIX, BucketStore, Entry, decoded, entries_of

__all__ = ["main"]

FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = ("claimed", "state", "coupon_file_id", "codes", "path", "uploaded by")
EXPORTED = [name for name in Entry.__struct_fields__ if name not in ("owner", "nonce")]


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command.

    :param arguments: without the program's name.
    :return: the exit code: 0, 1 if the ledger cannot be read, 2 if the arguments make no sense.
    """
    options = _parser().parse_args(arguments)
    location = options.location
    try:
        list_id = identifier("coupon_list_id", options.coupon_list_id)
        with redirect_stdout(sys.stderr):  # Airflow logs to the standard output, which is the command's own
            found = entries_of(BucketStore(location, list_id).stored() if location else _of_database(list_id))
    except WesError as error:
        print(error, file=sys.stderr)
        return 1
    if options.action == "show":
        _show(found, list_id)
        return 0
    rows = [{name: getattr(entry, name) for name in EXPORTED} for entry in found]
    if options.format == "json":
        for row in rows:
            print(msgspec.json.encode(row).decode())
    else:
        writer = csv.DictWriter(sys.stdout, EXPORTED, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("wes-ledger", description="What was uploaded to a coupon list, by content.")
    parser.add_argument("action", choices=("show", "export"), help="print a table, or every field")
    parser.add_argument("coupon_list_id", help="the list's identifier")
    parser.add_argument(
        "--location",
        metavar="URL",
        help="the folder of Ledger(location), such as s3://aws_default@promo/ledger; without it, the asset state store "
        "in the database of this machine's Airflow (3.3 and later)",
    )
    parser.add_argument("--format", choices=("json", "csv"), default="json", help="of export: one entry in each line")
    return parser


def _show(entries: Sequence[Entry], coupon_list_id: str) -> None:
    if not entries:
        print(f"The ledger has no entry for list {coupon_list_id}")
        return
    rows = [COLUMNS]
    for entry in entries:
        claimed = datetime.fromtimestamp(entry.at, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
        rows.append((claimed, entry.state, entry.coupon_file_id or "-", str(entry.codes), entry.path, entry.by()))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _of_database(coupon_list_id: str) -> dict[str, Entry]:
    """The asset state store as Airflow's database has it."""
    from wes_provider.assets import coupon_list

    try:
        from airflow.models.asset import AssetModel
        from airflow.models.asset_state_store import AssetStateStoreModel
    except ImportError:
        raise WesError(
            "This Airflow has no asset state store: it came with 3.3.\n"
            "Name the folder of object storage that the ledger is kept in with --location"
        ) from None
    from airflow.utils.session import create_session
    from sqlalchemy import select

    query = (
        select(AssetStateStoreModel.key, AssetStateStoreModel.value)
        .join(AssetModel, AssetModel.id == AssetStateStoreModel.asset_id)
        .where(AssetModel.uri == coupon_list(coupon_list_id).uri, AssetStateStoreModel.key.startswith(KEY_PREFIX))
    )
    with create_session() as session:
        rows = session.execute(query).all()
    where = "of Airflow's database (from here, no state store outside of it can be read)"
    keys = [(name.removeprefix(KEY_PREFIX), value) for name, value in rows]
    return {key: decoded(value.encode(), key, f"{KEY_PREFIX}{key} {where}") for key, value in keys}


if __name__ == "__main__":
    sys.exit(main())
