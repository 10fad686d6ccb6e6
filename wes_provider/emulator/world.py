"""What the workspaces hold: in memory, in the state file, in a snapshot."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from wes_provider.emulator.clock import Clock
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.settings import Settings

__all__ = [
    "Account",
    "Catalog",
    "CouponList",
    "Holding",
    "ListState",
    "Reading",
    "Segment",
    "Snapshot",
    "Store",
    "World",
    "move",
]

REMEMBERED_COUPONS: Final = 2_000_000  # over all lists, some 80 bytes each; duplicates beyond are not recognised


class ListState(Struct, tag="list"):
    """What a list has besides its files: coupons of a seed, how many were handed out by when, and at which rate."""

    id: str
    workspace: str = ""
    seeded: int = 0
    issued: float = 0.0
    rate: float = 0.0  # coupons in each of the service's seconds
    counted_at: float = 0.0


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


def move(one: Holding, seconds: float) -> None:
    """Let it be later. The clock never goes back, so ages are kept by moving times when a snapshot is restored."""
    if isinstance(one, CouponFile):
        one.accepted_at += seconds
    elif isinstance(one, ListState):
        one.counted_at += seconds
    elif isinstance(one, Catalog) and one.accepted_at is not None:
        one.accepted_at += seconds


Holding = CouponFile | ListState | Catalog | Segment


class Snapshot(Struct, tag="snapshot"):
    """All that the workspaces hold at one time."""

    id: str
    time: float
    holdings: list[Holding]
    workspace: str = ""


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


@dataclass
class Account:
    """What one workspace has."""

    lists: dict[str, CouponList] = field(default_factory=dict)
    catalogs: dict[str, Catalog] = field(default_factory=dict)
    segments: dict[str, Segment] = field(default_factory=dict)
    catalog_names: set[str] = field(default_factory=set)


class World:
    """
    What the workspaces hold, with the clock and the settings that all parts of the service share.

    :param store: the state file, if there is one.
    :ivar accounts: by workspace; the first has an empty name here.
    """

    def __init__(self, settings: Settings, clock: Clock, store: Store | None = None) -> None:
        self.settings = settings
        self.clock = clock
        self.store = store
        self.accounts: dict[str, Account] = {}

    def account(self, workspace: str) -> Account:
        """A workspace's account, which is created when it is first used."""
        return self.accounts.get(workspace) or self.accounts.setdefault(workspace, Account())

    def list_of(self, workspace: str, list_id: str) -> CouponList:
        """A list, which is created when it is first used."""
        lists = self.account(workspace).lists
        return lists.get(list_id) or lists.setdefault(list_id, CouponList(ListState(list_id, workspace)))

    def files(self) -> Iterator[CouponFile]:
        """The files of all lists of all workspaces."""
        for account in self.accounts.values():
            for coupon_list in account.lists.values():
                yield from coupon_list.files.values()

    def holdings(self) -> Iterator[Holding]:
        """Everything that the workspaces hold, lists before their files."""
        for account in self.accounts.values():
            yield from (one.state for one in account.lists.values())
            yield from account.catalogs.values()
            yield from account.segments.values()
        yield from self.files()

    def hold(self, one: Holding) -> None:
        """Add what is stored, without keeping it in the state file."""
        account = self.account(one.workspace)
        if isinstance(one, CouponFile):
            coupon_list = self.list_of(one.workspace, one.list_id)
            coupon_list.files[one.id] = one
            if not one.ended(self.clock.now()):
                coupon_list.unended.add(one.id)
            if one.result is not None:
                self.count_in(coupon_list, one.result.added, one.result.hashes)
        elif isinstance(one, ListState):
            coupon_list = self.list_of(one.workspace, one.id)
            coupon_list.coupons += one.seeded - coupon_list.state.seeded
            coupon_list.state = one
        elif isinstance(one, Catalog):
            account.catalogs[one.id] = one
            account.catalog_names.add(one.fields["name"])
        else:
            account.segments[one.id] = one

    def count_in(self, coupon_list: CouponList, added: int, hashes: bytes) -> None:
        """Add the coupons of one file to its list."""
        coupon_list.coupons += added
        coupon_list.known.update(array("Q", hashes))

    @property
    def room(self) -> int:
        """How many more coupons can be remembered."""
        lists = [one for account in self.accounts.values() for one in account.lists.values()]
        return max(0, REMEMBERED_COUPONS - sum(len(one.known) for one in lists))

    def save(self, *things: Holding | Reading | Snapshot) -> None:
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
        try:
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = OFF")  # the process may be killed; the machine may not lose power
            self._db.execute("PRAGMA secure_delete = ON")  # passwords of coupon files go once they were used
            self._db.execute("CREATE TABLE IF NOT EXISTS things (key TEXT PRIMARY KEY, body BLOB)")
        except sqlite3.Error as error:
            self._db.close()
            raise ValueError(f"state file {path} cannot be used: {error}") from error

    def save(self, things: Iterable[Holding | Reading | Snapshot]) -> None:
        """Add or replace some, at once."""
        rows = ((_key(one), msgspec.json.encode(one)) for one in things)
        self._db.execute("BEGIN")
        self._db.executemany("INSERT INTO things VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body", rows)
        self._db.execute("COMMIT")

    def load(self) -> Iterator[Holding | Reading | Snapshot]:
        """All, in the order in which they were first saved."""
        rows = self._db.execute("SELECT body FROM things ORDER BY rowid").fetchall()
        try:
            yield from (msgspec.json.decode(body, type=Holding | Reading | Snapshot) for (body,) in rows)
        except msgspec.MsgspecError as error:
            raise ValueError(f"state file {self._path} cannot be used: {error}") from error

    def clear(self, *, snapshots: bool) -> None:
        """Delete all snapshots, or everything else."""
        self._db.execute(f"DELETE FROM things WHERE key {'LIKE' if snapshots else 'NOT LIKE'} 'snapshot/%'")  # noqa: S608

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _key(one: Holding | Reading | Snapshot) -> str:
    tag = type(one).__struct_config__.tag
    return f"{tag}/{msgspec.json.encode([one.workspace, one.id]).decode()}"
