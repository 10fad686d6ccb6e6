"""
What the workspaces hold, and the service's time.

The first workspace has an empty name.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from wes_provider.emulator.processing import CouponFile, Result
from wes_provider.emulator.replies import JsonObject
from wes_provider.emulator.settings import Settings, stored_name

__all__ = ["Account", "Catalog", "Clock", "Counted", "CouponList", "Holding", "ListState"]
__all__ += ["Reading", "Segment", "Snapshot", "Stored", "UploadedFile", "World"]

# The last day of the year 9999, after which dates cannot be written.
LATEST: Final = 253_402_214_400.0
# Over all lists, some 80 bytes each; duplicates beyond are not recognised.
REMEMBERED_COUPONS: Final = 2_000_000


class Clock:
    """
    Seconds since 1970, UTC, as the service sees them. It never goes back, and stops in the year
    9999.

    :ivar moved: by how many seconds it was moved so far.
    """

    def __init__(self, start: float, speed: float = 1.0) -> None:
        self._shown = min(max(0.0, start), LATEST)
        self._read_at = time.monotonic()
        self._speed = speed
        self.moved = 0.0

    def now(self) -> float:
        """Return the service's time."""
        passed = time.monotonic() - self._read_at
        return min(self._shown + passed * self._speed, LATEST)

    def advance(self, seconds: float) -> None:
        """
        Move it forward by some of its own seconds.

        :raises ValueError: for a number that is negative, or leads too far.
        """
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
        self._shown = self.now()
        self._read_at = time.monotonic()
        self._speed = speed

    def machine_seconds(self, service_seconds: float) -> float | None:
        """
        Return how long this machine waits for some of the service's seconds; ``None`` while the
        clock is stopped.
        """
        if self._speed == 0:
            return None
        return max(0.0, service_seconds / self._speed)


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
    fields: JsonObject
    accepted_at: float | None = None


class Segment(Struct, tag="segment"):
    """A segment as an update shows it."""

    id: str
    workspace: str
    fields: JsonObject


class Reading(Struct, tag="clock"):
    """The service's clock, and this machine's time then."""

    service: float
    machine: float
    speed: float
    id: str = ""
    workspace: str = ""


Holding = CouponFile | ListState | Catalog | Segment


class Counted(Struct):
    """
    Accepted requests that count against a limit, and that no holding stands for, such as reads.

    :ivar times: when they were accepted.
    """

    operation: str
    workspace: str
    list_id: str
    times: list[float]


class Snapshot(Struct, tag="snapshot"):
    """All that the workspaces hold at one time; ``id`` is its name."""

    id: str
    time: float
    holdings: list[Holding]
    workspace: str = ""
    counted: list[Counted] = []


Stored = Holding | Reading | Snapshot


class UploadedFile(Struct, frozen=True):
    """A coupon file as it was uploaded, whatever reads show of it."""

    id: str
    workspace: str
    list_id: str
    name: str
    file_url: str
    callback_url: str
    accepted_at: float


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

    def count_anew(self, before: Result | None, now: Result | None) -> None:
        """Replace what one file has added, since another script is for it."""
        if before is not None:
            self.coupons -= before.added
            self.known.difference_update(array("Q", before.hashes))
        if now is not None:
            self.count(now)

    def stock(self, now: float) -> dict[str, int]:
        """
        Return how many ``coupons`` it has of processed files, how many were ``issued``, and
        ``stock``, the difference.
        """
        self.unended = {file_id for file_id in self.unended if not self.files[file_id].ended(now)}
        processed = self.coupons
        for file_id in self.unended:
            result = self.files[file_id].counted
            if result is not None:
                processed -= result.added
        issued = self.state.issued
        return {"coupons": processed, "issued": issued, "stock": processed - issued}


@dataclass
class Account:
    """
    What one workspace has.

    :ivar files: of all lists.
    """

    lists: dict[str, CouponList] = field(default_factory=dict)
    files: dict[str, CouponFile] = field(default_factory=dict)
    catalogs: dict[str, Catalog] = field(default_factory=dict)
    segments: dict[str, Segment] = field(default_factory=dict)


def _keep_nowhere(things: Sequence[Stored]) -> None:
    """Keep things in memory only."""


class World:
    """
    What the workspaces hold, with the clock and the settings that all parts of the service share.

    :param keep: keeps things beyond the process.
    :ivar uploads: all files ever accepted, by id; no seed's, and also those that a restored
        snapshot has taken away.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        keep: Callable[[Sequence[Stored]], None] = _keep_nowhere,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.accounts: dict[str, Account] = {}
        self.uploads: dict[str, UploadedFile] = {}
        self._keep = keep

    def account_or_empty(self, workspace: str) -> Account:
        """
        Return what a workspace holds; something empty for one that holds nothing yet.

        :param workspace: its identifier; the first workspace may be called by it, too.
        """
        return self.accounts.get(stored_name(self.settings, workspace), Account())

    def list_or_new(self, workspace: str, list_id: str) -> CouponList:
        """Return a list, which is created when it is first used."""
        lists = self._account_or_new(workspace).lists
        if list_id not in lists:
            lists[list_id] = CouponList(ListState(list_id, workspace))
        return lists[list_id]

    def _account_or_new(self, workspace: str) -> Account:
        if workspace not in self.accounts:
            self.accounts[workspace] = Account()
        return self.accounts[workspace]

    def lists(self) -> Iterator[CouponList]:
        """Return the lists of all workspaces."""
        for account in self.accounts.values():
            yield from account.lists.values()

    def files(self) -> Iterator[CouponFile]:
        """Return the files of all lists."""
        for account in self.accounts.values():
            yield from account.files.values()

    def holdings(self) -> Iterator[Holding]:
        """Return everything that the workspaces hold."""
        for coupon_list in self.lists():
            yield coupon_list.state
        for account in self.accounts.values():
            yield from account.catalogs.values()
            yield from account.segments.values()
        yield from self.files()

    def add(self, holding: Holding) -> None:
        """Add or replace something, without keeping it beyond the process."""
        account = self._account_or_new(holding.workspace)
        if isinstance(holding, CouponFile):
            self._add_file(holding)
        elif isinstance(holding, ListState):
            coupon_list = self.list_or_new(holding.workspace, holding.id)
            coupon_list.coupons += holding.seeded - coupon_list.state.seeded
            coupon_list.state = holding
        elif isinstance(holding, Catalog):
            account.catalogs[holding.id] = holding
        else:
            account.segments[holding.id] = holding

    def _add_file(self, file: CouponFile) -> None:
        if not file.seeded:
            self.uploads[file.id] = UploadedFile(
                id=file.id,
                workspace=file.workspace,
                list_id=file.list_id,
                name=file.name,
                file_url=file.file_url,
                callback_url=file.callback_url,
                accepted_at=file.accepted_at,
            )
        self._account_or_new(file.workspace).files[file.id] = file
        coupon_list = self.list_or_new(file.workspace, file.list_id)
        coupon_list.files[file.id] = file
        if not file.ended(self.clock.now()):
            coupon_list.unended.add(file.id)
        if file.counted is not None:
            coupon_list.count(file.counted)

    @property
    def room(self) -> int:
        """How many more coupons can be remembered."""
        remembered = sum(len(coupon_list.known) for coupon_list in self.lists())
        return max(0, REMEMBERED_COUPONS - remembered)

    def save(self, *things: Stored) -> None:
        """Keep something beyond the process, if there is a state file."""
        self._keep(things)

    def stock(self, workspace: str, list_id: str) -> dict[str, int]:
        """Return a list's stock; 0 without such a list."""
        coupon_list = self.account_or_empty(workspace).lists.get(list_id)
        if coupon_list is None:
            return {"coupons": 0, "issued": 0, "stock": 0}
        return coupon_list.stock(self.clock.now())

    def issue_coupons(
        self,
        workspace: str,
        list_id: str,
        number: int,
    ) -> dict[str, int]:
        """
        Hand out coupons of a list, as many as it has, and return its stock.

        :raises ValueError: if there is no such list.
        """
        coupon_list = self.account_or_empty(workspace).lists.get(list_id)
        if coupon_list is None:
            raise ValueError(f"there is no coupon list {list_id!r}")
        in_stock = coupon_list.stock(self.clock.now())["stock"]
        coupon_list.state.issued += min(number, in_stock)
        self.save(coupon_list.state)
        return coupon_list.stock(self.clock.now())
