"""The emulator's state beyond the process: one SQLite file, which survives a kill."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["Store"]


class Store:
    """
    JSON documents by kind and identifier, in the order in which they were first saved.

    :param path: the path of the file, made readable for its owner only.
    :raises ValueError: if another emulator has it open, or it is no such file.
    """

    def __init__(self, path: str | Path) -> None:
        path = Path(path)
        path.touch(mode=0o600)
        # The thread that opens it is not the one that serves; they never use it at once.
        self._db = sqlite3.connect(path, timeout=1, isolation_level=None, check_same_thread=False)
        try:
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = OFF")  # the process may be killed; the machine may not lose power
            self._db.execute("PRAGMA secure_delete = ON")  # passwords of coupon files go once they were used
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS documents (kind TEXT, id TEXT, body TEXT, PRIMARY KEY (kind, id))"
            )
        except sqlite3.Error as error:
            self._db.close()
            raise ValueError(f"state file {path} cannot be used: {error}") from error

    def save_all(self, kind: str, documents: Iterable[tuple[str, Any]]) -> None:
        """Add many new ones at once, by identifier."""
        rows = ((kind, identifier, json.dumps(document)) for identifier, document in documents)
        self._db.execute("BEGIN")
        self._db.executemany("INSERT OR REPLACE INTO documents VALUES (?, ?, ?)", rows)
        self._db.execute("COMMIT")

    def save(self, kind: str, identifier: str, document: Any) -> None:
        """Add or replace one."""
        self._db.execute(
            "INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body",
            (kind, identifier, json.dumps(document)),
        )

    def load(self, kind: str) -> Iterator[tuple[str, Any]]:
        """All of a kind."""
        rows = self._db.execute("SELECT id, body FROM documents WHERE kind = ? ORDER BY rowid", (kind,))
        return ((identifier, json.loads(body)) for identifier, body in rows.fetchall())

    def clear(self, *kinds: str) -> None:
        """Delete all documents of some kinds."""
        self._db.executemany("DELETE FROM documents WHERE kind = ?", ((kind,) for kind in kinds))

    def close(self) -> None:
        """Close the file."""
        self._db.close()
