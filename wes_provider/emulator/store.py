"""The state file: what an emulator holds beyond its process."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from wes_provider.emulator.world import Stored

__all__ = ["Store"]

# The process may be killed, the machine may not lose power; passwords of coupon files go once they
# were used.
_SQLITE: Final = (
    "locking_mode = EXCLUSIVE",
    "journal_mode = WAL",
    "synchronous = OFF",
    "secure_delete = ON",
)
# Of each SQLite file that is not empty: https://sqlite.org/fileformat.html#the_database_header
_BEGINNING: Final = b"SQLite format 3\0"
_UPSERT: Final = "INSERT INTO things VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body"


class Store:
    """
    The state beyond the process: one SQLite file, which survives a kill, with a row for each thing.

    :param path: the path of the file, made readable for its owner only.
    :raises ValueError: if another emulator has it open, or it is no such file.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._path.touch(mode=0o600)
        self._check_beginning()
        # The thread that opens it is not the one that serves; they never use it at once.
        self._db = sqlite3.connect(path, timeout=1, isolation_level=None, check_same_thread=False)
        try:
            self._check_tables()
            for setting in _SQLITE:
                self._db.execute(f"PRAGMA {setting}")
            self._db.execute("CREATE TABLE IF NOT EXISTS things (key TEXT PRIMARY KEY, body BLOB)")
        except sqlite3.Error as error:
            self._db.close()
            raise ValueError(f"state file {path} cannot be used: {error}") from error

    def _check_beginning(self) -> None:
        """
        Refuse a file that is no database. SQLite itself overwrites one that is shorter than the
        smallest database.
        """
        if not self._path.is_file():
            return
        with self._path.open("rb") as file:
            beginning = file.read(len(_BEGINNING))
        if beginning not in (b"", _BEGINNING):
            raise ValueError(f"state file {self._path} cannot be used: file is not a database")

    def _check_tables(self) -> None:
        """Refuse the database of another program."""
        rows = self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        tables = {name for (name,) in rows}
        if tables and "things" not in tables:
            raise sqlite3.DatabaseError("it is the database of another program")

    def save(self, things: Iterable[Stored]) -> None:
        """Add or replace some, all of them at once."""
        rows = [(_key(thing), msgspec.json.encode(thing)) for thing in things]
        self._db.execute("BEGIN")
        self._db.executemany(_UPSERT, rows)
        self._db.execute("COMMIT")

    def load(self) -> Iterator[Stored]:
        """
        Return all things, in the order in which they were first saved.

        :raises ValueError: if the file holds something else.
        """
        rows = self._db.execute("SELECT body FROM things ORDER BY rowid").fetchall()
        try:
            for (body,) in rows:
                yield msgspec.json.decode(body, type=Stored)
        except msgspec.MsgspecError as error:
            raise ValueError(f"state file {self._path} cannot be used: {error}") from error

    def delete_snapshots(self) -> None:
        """Delete all snapshots."""
        self._db.execute("DELETE FROM things WHERE key LIKE 'snapshot/%'")

    def delete_all_but_snapshots(self) -> None:
        """Delete everything else."""
        self._db.execute("DELETE FROM things WHERE key NOT LIKE 'snapshot/%'")

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _key(thing: Stored) -> str:
    identity = msgspec.json.encode([thing.workspace, thing.id]).decode()
    return f"{thing.__struct_config__.tag}/{identity}"
