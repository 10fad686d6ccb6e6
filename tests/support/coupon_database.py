"""The database of the example ``replenish_from_database``, in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

TABLE = """
CREATE TABLE coupon_codes (code TEXT PRIMARY KEY, reserved_for TEXT, handed_over_at TIMESTAMP);
CREATE INDEX coupon_codes_of_a_run ON coupon_codes (reserved_for, code);
"""


class CouponDatabase:
    """
    A table of codes.

    :param path: the file of the database, which is made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._connect() as connection:
            connection.executescript(TABLE)

    def connection(self) -> str:
        """The Airflow connection, as an environment variable has it."""
        return json.dumps({"conn_type": "sqlite", "host": str(self.path)})

    def add(self, count: int, prefix: str = "CODE") -> None:
        """Add codes that nobody has."""
        with self._connect() as connection:
            connection.executemany(
                "INSERT INTO coupon_codes (code) VALUES (?)",
                ((f"{prefix}-{number:07}",) for number in range(count)),
            )

    def reserved(self) -> dict[str, int]:
        """How many codes are reserved for each run."""
        return self._count("reserved_for IS NOT NULL")

    def handed_over(self) -> dict[str, int]:
        """How many codes of each run are marked."""
        return self._count("handed_over_at IS NOT NULL")

    def _count(self, where: str) -> dict[str, int]:
        query = f"SELECT reserved_for, count(*) FROM coupon_codes WHERE {where} GROUP BY 1"
        with self._connect() as connection:
            return dict(connection.execute(query))

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=60)) as connection, connection:
            yield connection
