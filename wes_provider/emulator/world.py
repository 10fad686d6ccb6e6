"""
What the workspaces hold, in memory, in the state file and in a snapshot, and the service's time.

The first workspace has an empty name.
"""

from __future__ import annotations

import math
import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from wes_provider.emulator.processing import CouponFile, Result
from wes_provider.emulator.settings import Settings

__all__ = [
    *(
        "LATEST",
        "Account",
        "Catalog",
        "Clock",
        "CouponList",
        "Holding",
        "ListState",
        "Reading",
        "Segment",
    ),
    *("Snapshot", "Store", "World"),
]

# The last day of the year 9999, after which dates cannot be written.
LATEST: Final = 253_402_214_400.0
# Over all lists, some 80 bytes each; duplicates beyond are not recognised.
REMEMBERED_COUPONS: Final = 2_000_000


class Clock:
    """
    Seconds since 1970, UTC, as the service sees them. It never goes back, and stops in the year
    9999.
    """

    def __init__(self, start: float, speed: float = 1.0) -> None:
        self._shown = min(max(0.0, start), LATEST)
        self._read_at = time.monotonic()
        self._speed = speed
        self.moved = 0.0

    def now(self) -> float:
        """The service's time."""
        return min(self._shown + (time.monotonic() - self._read_at) * self._speed, LATEST)

    def advance(self, seconds: float) -> None:
        """Move it forward by some of its own seconds."""
        if not math.isfinite(seconds) or seconds < 0 or self.now() + seconds > LATEST:
            raise ValueError(
                f"advance must be at least 0 and not lead beyond the year 9999, as {seconds!r} "
                "seconds do"
            )
        self._shown += seconds
        self.moved += seconds

    @property
    def speed(self) -> float:
        """Its seconds for each of this machine's."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._shown, self._read_at, self._speed = self.now(), time.monotonic(), speed

    def machine_seconds(self, service_seconds: float) -> float | None:
        """
        How long this machine waits for some of the service's seconds; ``None`` while the clock is
        stopped.
        """
        return max(0.0, service_seconds / self._speed) if self._speed else None


class ListState(Struct, tag="list"):
    """What a list has besides its files: coupons of a seed, and how many were handed out."""

    id: str
    workspace: str = ""
    seeded: int = 0
    issued: int = 0


class Catalog(Struct, tag="catalog"):
    """A catalog as it was created; ``accepted_at`` is ``None`` if it counts against no limit."""

    id: str
    workspace: str
    fields: dict[str, Any]
    accepted_at: float | None = None


class Segment(Struct, tag="segment"):
    """A segment as an update shows it."""

    id: str
    workspace: str
    fields: dict[str, Any]


class Reading(Struct, tag="clock"):
    """The service's clock, and this machine's time then."""

    service: float
    machine: float
    speed: float
    id: str = ""
    workspace: str = ""


Holding = CouponFile | ListState | Catalog | Segment


class Snapshot(Struct, tag="snapshot"):
    """All that the workspaces hold at one time; ``id`` is its name."""

    id: str
    time: float
    holdings: list[Holding]
    workspace: str = ""


Stored = Holding | Reading | Snapshot


@dataclass
class CouponList:
    """
    One list of one workspace.

    :ivar coupons: how many it has got so far, those of files that are being processed included.
    :ivar unended: ids of files whose coupons may not be in stock yet.
    :ivar known: hashes of its coupons, as many as are remembered.
    """

    state: ListState
    files: dict[str, CouponFile] = field(default_factory=dict)
    coupons: int = 0
    unended: set[str] = field(default_factory=set)
    known: set[int] = field(default_factory=set)

    def count(self, result: Result) -> None:
        """Add the coupons of one file."""
        self.coupons += result.added
        self.known.update(array("Q", result.hashes))


@dataclass
class Account:
    """What one workspace has."""

    lists: dict[str, CouponList] = field(default_factory=dict)
    files: dict[str, CouponFile] = field(default_factory=dict)  # of all lists
    catalogs: dict[str, Catalog] = field(default_factory=dict)
    segments: dict[str, Segment] = field(default_factory=dict)


class World:
    """
    What the workspaces hold, with the clock, the settings and the state file that all parts of the
    service share.
    """

    def __init__(self, settings: Settings, clock: Clock, store: Store | None = None) -> None:
        self.settings, self.clock, self.store = settings, clock, store
        self.accounts: dict[str, Account] = {}

    def account(self, workspace: str) -> Account:
        """A workspace's account, which is created when it is first used."""
        return self.accounts.get(workspace) or self.accounts.setdefault(workspace, Account())

    def list_of(self, workspace: str, list_id: str) -> CouponList:
        """A list, which is created when it is first used."""
        lists = self.account(workspace).lists
        return lists.get(list_id) or lists.setdefault(
            list_id, CouponList(ListState(list_id, workspace))
        )

    def lists(self) -> Iterator[CouponList]:
        """The lists of all workspaces."""
        return (one for account in self.accounts.values() for one in account.lists.values())

    def files(self) -> Iterator[CouponFile]:
        """The files of all lists."""
        return (file for account in self.accounts.values() for file in account.files.values())

    def holdings(self) -> Iterator[Holding]:
        """Everything that the workspaces hold."""
        yield from (one.state for one in self.lists())
        for account in self.accounts.values():
            yield from account.catalogs.values()
            yield from account.segments.values()
        yield from self.files()

    def add(self, one: Holding) -> None:
        """Add what is stored, without keeping it in the state file."""
        account = self.account(one.workspace)
        if isinstance(one, CouponFile):
            coupon_list = self.list_of(one.workspace, one.list_id)
            coupon_list.files[one.id] = account.files[one.id] = one
            if not one.ended(self.clock.now()):
                coupon_list.unended.add(one.id)
            if one.result is not None:
                coupon_list.count(one.result)
        elif isinstance(one, ListState):
            coupon_list = self.list_of(one.workspace, one.id)
            coupon_list.coupons += one.seeded - coupon_list.state.seeded
            coupon_list.state = one
        elif isinstance(one, Catalog):
            account.catalogs[one.id] = one
        else:
            account.segments[one.id] = one

    @property
    def room(self) -> int:
        """How many more coupons can be remembered."""
        return max(0, REMEMBERED_COUPONS - sum(len(one.known) for one in self.lists()))

    def save(self, *things: Stored) -> None:
        """Keep something in the state file, if there is one."""
        if self.store is not None:
            self.store.save(things)


class Store:
    """
    The state beyond the process: one SQLite file, which survives a kill, with a row for each thing.

    :param path: the path of the file, made readable for its owner only.
    :raises ValueError: if another emulator has it open, or it is no such file.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._path.touch(mode=0o600)
        # The thread that opens it is not the one that serves; they never use it at once.
        self._db = sqlite3.connect(path, timeout=1, isolation_level=None, check_same_thread=False)
        # The process may be killed, the machine may not lose power; passwords of coupon files go
        # once they were used.
        settings = (
            "locking_mode = EXCLUSIVE",
            "journal_mode = WAL",
            "synchronous = OFF",
            "secure_delete = ON",
        )
        try:
            for setting in settings:
                self._db.execute(f"PRAGMA {setting}")
            self._db.execute("CREATE TABLE IF NOT EXISTS things (key TEXT PRIMARY KEY, body BLOB)")
        except sqlite3.Error as error:
            self._db.close()
            raise ValueError(f"state file {path} cannot be used: {error}") from error

    def save(self, things: Iterable[Stored]) -> None:
        """Add or replace some, at once."""
        rows = ((_key(one), msgspec.json.encode(one)) for one in things)
        self._db.execute("BEGIN")
        upsert = "INSERT INTO things VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body"
        self._db.executemany(upsert, rows)
        self._db.execute("COMMIT")

    def load(self) -> Iterator[Stored]:
        """All, in the order in which they were first saved."""
        rows = self._db.execute("SELECT body FROM things ORDER BY rowid").fetchall()
        try:
            yield from (msgspec.json.decode(body, type=Stored) for (body,) in rows)
        except msgspec.MsgspecError as error:
            raise ValueError(f"state file {self._path} cannot be used: {error}") from error

    def clear(self, *, snapshots: bool) -> None:
        """Delete all snapshots, or everything else."""
        if snapshots:
            self._db.execute("DELETE FROM things WHERE key LIKE 'snapshot/%'")
        else:
            self._db.execute("DELETE FROM things WHERE key NOT LIKE 'snapshot/%'")

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _key(one: Stored) -> str:
    return f"{one.__struct_config__.tag}/{msgspec.json.encode([one.workspace, one.id]).decode()}"
