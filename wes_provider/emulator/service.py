"""
The service with all that an emulator adds to its rules: settings that change, seeds, snapshots, a
state file.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.faults import FaultQueue
from wes_provider.emulator.limits import Quotas
from wes_provider.emulator.processing import CouponFile, Script
from wes_provider.emulator.request_log import LoggedRequest, RequestLog
from wes_provider.emulator.rules import Rules
from wes_provider.emulator.seeds import apply_seed
from wes_provider.emulator.settings import AT_START, Settings, checked
from wes_provider.emulator.world import Catalog, Clock, Holding, Reading, Snapshot, Store, World

__all__ = ["LoggedRequest", "Service"]

_KEPT_CALLBACKS: Final = 10_000


class Service(Rules):
    """
    The service, with all of its workspaces.

    :param settings: how it starts, and what ``reset`` goes back to.
    :param state: path of a file that keeps the state; ``None`` for memory only.
    :param seed: what workspaces hold at the start and after ``reset``.
    :ivar callbacks: the results of the callbacks made.
    :ivar generation: grows with each ``reset``.
    :ivar snapshots: each as JSON, by name.
    """

    coupons_type: ClassVar[type[Coupons]] = Coupons

    def __init__(
        self,
        settings: Settings,
        state: str | Path | None = None,
        seed: Mapping[str, Any] | None = None,
    ) -> None:
        self._initial, self._seed = settings, seed or {}
        self._store = Store(state) if state is not None else None
        self.generation = 0
        self.snapshots: dict[str, bytes] = {}
        self._clear()
        if self._store is None or not self._load(self._store):
            self._plant(self._seed)

    def _clear(self) -> None:
        settings = self._initial
        self.world = World(
            settings, Clock(time.time() + settings.clock_offset, settings.speed), self._store
        )
        self._make_parts()
        self.faults, self.log = FaultQueue(settings.seed), RequestLog()
        self.generation += 1
        self.callbacks: deque[dict[str, Any]] = deque(maxlen=_KEPT_CALLBACKS)

    def _make_parts(self) -> None:
        self.quotas = Quotas(self.world)
        self.coupons = self.coupons_type(self.world, self.quotas)
        self.settings_changed()

    def configure(self, **changes: Any) -> None:
        """
        Change settings from now on; ``ValueError`` for what makes no sense, or counts at the start
        only.
        """
        if at_start := sorted(AT_START & set(changes)):
            raise ValueError(f"{', '.join(at_start)} can be set at the start only")
        given = type(self.settings).of(changes)
        self.world.settings = replace(
            self.settings, **{name: getattr(given, name) for name in changes}
        )
        self.settings_changed()
        if "speed" in changes:
            self.clock.speed = self.settings.speed
            self.clock_changed()
        if "seed" in changes:
            self.faults.seed(self.settings.seed)

    def clock_changed(self) -> None:
        """Has to be called after the clock was moved."""
        self.world.save(Reading(self.clock.now(), time.time(), self.clock.speed))
        self.on_change()

    def script(self, **given: Any) -> None:
        """
        Decide what happens to matching files, future ones and those that have not ended. The newest
        script wins.
        """
        self.coupons.script(checked(given, Script, "script"))
        self.on_change()

    # -- what the workspaces hold

    def reset(self, seed: Mapping[str, Any] | None = None) -> None:
        """Return to the start, or to another seed; snapshots stay."""
        self._clear()
        self._plant(self._seed if seed is None else seed)

    def _plant(self, seed: Mapping[str, Any]) -> None:
        if self._store is not None:
            self._store.clear(snapshots=False)
        if seed:
            apply_seed(seed, self.world, self.coupons)
        self.clock_changed()

    def snapshot(self, name: str) -> None:
        """Keep what the workspaces hold now, under a name."""
        if not name:
            raise ValueError("the name of a snapshot must be a string that is not empty")
        snapshot = Snapshot(name, self.clock.now(), list(self.world.holdings()))
        self.snapshots[name] = msgspec.json.encode(snapshot)
        self.world.save(snapshot)

    def restore(self, name: str) -> None:
        """
        Let the workspaces hold what they held when the snapshot was taken; settings, faults and log
        stay.
        """
        if name not in self.snapshots:
            raise ValueError(
                f"there is no snapshot {name!r}; there are {', '.join(self.snapshots) or 'none'}"
            )
        snapshot = msgspec.json.decode(self.snapshots[name], type=Snapshot)
        scripts, later = self.coupons.scripts, self.clock.now() - snapshot.time
        self.world.accounts.clear()
        self._make_parts()
        self.coupons.scripts = scripts
        for one in snapshot.holdings:  # the clock never goes back: ages are kept by moving times
            if isinstance(one, CouponFile | Catalog) and one.accepted_at is not None:
                one.accepted_at += later
            self._add(one)
        if self._store is not None:
            self._store.clear(snapshots=False)
            self._store.save(self.world.holdings())
        self.clock_changed()

    def _add(self, one: Holding) -> None:
        self.world.add(one)
        self.quotas.count_again(one)
        if isinstance(one, CouponFile):
            self.coupons.track(one)

    def forget_snapshots(self) -> None:
        """Delete all snapshots."""
        self.snapshots.clear()
        if self._store is not None:
            self._store.clear(snapshots=True)

    def _load(self, store: Store) -> bool:
        """Restore what the state file holds; false if it is new."""
        things = list(store.load())
        # The clock has run on since.
        for reading in (one for one in things if isinstance(one, Reading)):
            since = max(0.0, time.time() - reading.machine)
            self.world.clock = Clock(reading.service + since * reading.speed, self.settings.speed)
        for one in things:
            if isinstance(one, Snapshot):
                self.snapshots[one.id] = msgspec.json.encode(one)
            elif not isinstance(one, Reading):
                self._add(one)
        if things:
            self.clock_changed()
        return bool(things)

    def close(self) -> None:
        """Close the state file."""
        if self._store is not None:
            self._store.close()
