"""The command ``wes-ledger``: what was uploaded to a list, by whom, and which coupon file it became."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, fields
from datetime import datetime, timezone
from typing import Any

from wes_provider.exceptions import WesError
from wes_provider.storage.ledger import KEY_PREFIX, BucketStore, Entry, entries_of

__all__ = ["main"]

FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = ("claimed", "state", "coupon_file_id", "codes", "path", "uploaded by")


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command.

    :param arguments: without the program's name.
    :return: the exit code: 0, 1 if the ledger cannot be read, 2 if the arguments make no sense.
    """
    options = _parser().parse_args(arguments)
    try:
        with redirect_stdout(sys.stderr):  # Airflow logs to the standard output, which is the command's own
            entries = _entries(options.coupon_list_id, options.location)
    except WesError as error:
        print(error, file=sys.stderr)
        return 1
    if options.action == "show":
        _show(entries, options.coupon_list_id)
    elif options.format == "json":
        for entry in entries:
            print(json.dumps(_exported(entry)))
    else:
        names = [field.name for field in fields(Entry) if field.name not in ("owner", "nonce")]
        writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(_cells, map(_exported, entries)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("wes-ledger", description="What was uploaded to a coupon list, by content.")
    actions = parser.add_subparsers(dest="action", required=True)
    for name, text in (("show", "print a table"), ("export", "print every field")):
        action = actions.add_parser(name, help=text)
        action.add_argument("coupon_list_id", type=_list_id)
        action.add_argument(
            "--location",
            metavar="URL",
            help="the folder of Ledger(location), such as s3://aws_default@promo/ledger; without it, the asset state "
            "store in the database of this machine's Airflow (3.3 and later)",
        )
        if name == "export":
            action.add_argument("--format", choices=("json", "csv"), default="json", help="one object or row per entry")
    return parser


def _entries(coupon_list_id: str, location: str | None) -> list[Entry]:
    return entries_of(BucketStore(location, coupon_list_id) if location else DatabaseStore(coupon_list_id))


def _show(entries: Sequence[Entry], coupon_list_id: str) -> None:
    if not entries:
        print(f"The ledger has no entry for list {coupon_list_id}")
        return
    rows = [
        (
            datetime.fromtimestamp(entry.at, timezone.utc).strftime("%Y-%m-%d %H:%M:%S"),
            entry.state,
            entry.coupon_file_id or "-",
            str(entry.codes),
            entry.path,
            entry.by(),
        )
        for entry in entries
    ]
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    for row in (COLUMNS, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _exported(entry: Entry) -> dict[str, Any]:
    return {name: value for name, value in asdict(entry).items() if name not in ("owner", "nonce")}


def _list_id(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("the list's id is empty")
    return text


def _cells(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Texts that a spreadsheet would take for formulas with an apostrophe before them."""
    return {
        name: f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
        for name, value in entry.items()
    }


class DatabaseStore:
    """The asset state store as Airflow's database has it; read only."""

    def __init__(self, coupon_list_id: str) -> None:
        from wes_provider.assets import coupon_list

        self._uri = coupon_list(coupon_list_id).uri

    def require(self) -> None:
        """An Airflow without the list has no entries."""

    def place(self, key: str) -> str:
        return f"Key {KEY_PREFIX}{key} of the asset state store"

    def numbers(self, sha256: str) -> set[int]:
        raise NotImplementedError("the command reads all entries")

    def read(self, key: str) -> dict[str, Any] | None:
        return dict(self.entries()).get(key)

    def write(self, key: str, value: dict[str, Any]) -> None:
        raise NotImplementedError("the command only reads")

    def create(self, key: str, value: dict[str, Any]) -> bool:
        raise NotImplementedError("the command only reads")

    def entries(self) -> Iterator[tuple[str, dict[str, Any]]]:
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
            .where(AssetModel.uri == self._uri, AssetStateStoreModel.key.startswith(KEY_PREFIX))
        )
        with create_session() as session:
            rows = session.execute(query).all()
        for key, value in rows:
            stored = json.loads(value)
            if "sha256" not in stored:
                raise WesError(
                    "This Airflow keeps the values of its state stores outside of the database.\n"
                    "Read them there, or keep the ledger in object storage: Ledger('s3://...')"
                )
            yield key.removeprefix(KEY_PREFIX), stored


if __name__ == "__main__":
    sys.exit(main())
