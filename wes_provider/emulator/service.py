"""
The service with all that an emulator adds to its rules: settings that change, seeds, snapshots, a
state file.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from wes_provider.emulator.coupons import Coupons
from wes_provider.emulator.credentials import known_keys
from wes_provider.emulator.faults import FaultQueue
from wes_provider.emulator.limits import Quotas
from wes_provider.emulator.processing import CouponFile, Script
from wes_provider.emulator.replies import JsonObject, Refusal, Reply
from wes_provider.emulator.request_log import RequestLog
from wes_provider.emulator.rules import Request, Response, Rules
from wes_provider.emulator.seeds import apply_seed, check_room
from wes_provider.emulator.settings import AT_START, Settings, checked
from wes_provider.emulator.state import State
from wes_provider.emulator.store import Store
from wes_provider.emulator.world import Catalog, Clock, Reading, Snapshot, Stored, World

__all__ = ["Service"]

_KEPT_CALLBACKS: Final = 10_000


def _nobody() -> None:
    """Notify nobody of a change."""


class Service:
    """
    The service, with all of its workspaces.

    :param settings: how it starts, and what ``reset`` goes back to.
    :param state: path of a file that keeps the state; ``None`` for memory only.
    :param seed: what workspaces hold at the start and after ``reset``.
    :ivar state: replaced as a whole by each reset, and when a snapshot is restored.
    :ivar generation: grows with each ``reset``.
    :ivar snapshots: each as JSON, by name.
    :ivar on_change: called when files are to be fetched, or may end or be called back earlier than
        was known.
    """

    coupons_type: ClassVar[type[Coupons]] = Coupons

    def __init__(
        self,
        settings: Settings,
        state: str | Path | None = None,
        seed: Mapping[str, Any] | None = None,
    ) -> None:
        self.on_change: Callable[[], None] = _nobody
        self.generation = 0
        self.snapshots: dict[str, bytes] = {}
        self._initial = settings
        self._seed = seed or {}
        self._store: Store | None = None
        if state is not None:
            self._store = Store(state)
        self.state: State
        self.rules: Rules
        self._start(self._initial_clock())
        if not self._load():
            self._plant(self._seed)

    # -- requests

    def respond(self, request: Request) -> Response:
        """Respond to one request."""
        return self.rules.respond(request)

    def refused(self, refusal: Refusal) -> Reply:
        """Return what a refusal looks like."""
        return refusal.reply()

    # -- what there is

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self.state.world.settings

    @property
    def clock(self) -> Clock:
        """The service's clock."""
        return self.state.world.clock

    def files(self, list_id: str, workspace: str = "") -> list[JsonObject]:
        """
        Return the accepted files of a list in order of acceptance, as the fetch shows them,
        whatever the lags.
        """
        coupon_list = self.state.world.account_or_empty(workspace).lists.get(list_id)
        if coupon_list is None:
            return []
        return [self.state.coupons.record(file) for file in coupon_list.files.values()]

    # -- what can be changed

    def configure(self, **changes: Any) -> None:
        """
        Change settings from now on.

        :raises ValueError: for what makes no sense, or counts at the start only.
        """
        at_start = sorted(AT_START & set(changes))
        if at_start:
            raise ValueError(f"{', '.join(at_start)} can be set at the start only")
        given = type(self.settings).of(changes)
        changed = {name: getattr(given, name) for name in changes}
        self.state.former_keys.update(known_keys(self.settings))
        self.state.world.settings = replace(self.settings, **changed)
        self.rules = Rules(self.state, self.refused)
        if "speed" in changes:
            self.clock.speed = self.settings.speed
            self.clock_changed()
        if "seed" in changes:
            self.state.faults.seed(self.settings.seed)
        # A callback may be due earlier now.
        self.on_change()

    def clock_changed(self) -> None:
        """Keep the clock's time, and look for files that end earlier; after the clock was moved."""
        self.state.world.save(Reading(self.clock.now(), time.time(), self.clock.speed))
        self.on_change()

    def script(self, **given: Any) -> None:
        """
        Decide what happens to matching files, future ones and those that have not ended. The newest
        script wins.
        """
        self.state.coupons.script(checked(given, Script, "script"))
        self.on_change()

    # -- whole states

    def reset(self, seed: Mapping[str, Any] | None = None) -> None:
        """
        Return to the start, or to another seed; snapshots stay.

        :raises ValueError: if a list of the seed has too many coupons; nothing is changed then.
        """
        if seed is None:
            seed = self._seed
        if seed:
            check_room(seed, self._initial.list_coupons)
        self._start(self._initial_clock())
        self._plant(seed)

    def snapshot(self, name: str) -> None:
        """Keep what the workspaces hold now, under a name."""
        if not name:
            raise ValueError("the name of a snapshot must be a string that is not empty")
        world = self.state.world
        snapshot = Snapshot(
            name,
            self.clock.now(),
            list(world.holdings()),
            counted=self.state.quotas.counted_alone(),
        )
        self.snapshots[name] = msgspec.json.encode(snapshot)
        world.save(snapshot)

    def restore(self, name: str) -> None:
        """
        Let the workspaces hold what they held when the snapshot was taken; settings, faults,
        scripts and log stay.
        """
        if name not in self.snapshots:
            names = ", ".join(self.snapshots) or "none"
            raise ValueError(f"there is no snapshot {name!r}; there are {names}")
        snapshot = msgspec.json.decode(self.snapshots[name], type=Snapshot)
        before = self.state
        after = self._make_state(before.world.settings, before.world.clock)
        after.world.uploads = before.world.uploads
        after.coupons.scripts = before.coupons.scripts
        self.state = replace(
            after,
            faults=before.faults,
            log=before.log,
            callbacks=before.callbacks,
            former_keys=before.former_keys,
        )
        self.rules = Rules(self.state, self.refused)
        # The clock never goes back: ages are kept by moving times.
        later = self.clock.now() - snapshot.time
        for holding in snapshot.holdings:
            if isinstance(holding, CouponFile | Catalog) and holding.accepted_at is not None:
                holding.accepted_at += later
            self.state.add(holding)
        for counted in snapshot.counted:
            self.state.quotas.count_again(counted, later)
        if self._store is not None:
            self._store.delete_all_but_snapshots()
            self._store.save(self.state.world.holdings())
        self.clock_changed()

    def forget_snapshots(self) -> None:
        """Delete all snapshots."""
        self.snapshots.clear()
        if self._store is not None:
            self._store.delete_snapshots()

    def close(self) -> None:
        """Close the state file."""
        if self._store is not None:
            self._store.close()

    def _initial_clock(self) -> Clock:
        return Clock(time.time() + self._initial.clock_offset, self._initial.speed)

    def _start(self, clock: Clock) -> None:
        self.state = self._make_state(self._initial, clock)
        self.rules = Rules(self.state, self.refused)
        self.generation += 1

    def _make_state(self, settings: Settings, clock: Clock) -> State:
        world = World(settings, clock, self._keep)
        return State(
            world=world,
            quotas=Quotas(world),
            coupons=self.coupons_type(world, lambda: self.on_change()),
            faults=FaultQueue(settings.seed),
            log=RequestLog(),
            callbacks=deque(maxlen=_KEPT_CALLBACKS),
            former_keys=set(),
        )

    def _keep(self, things: Sequence[Stored]) -> None:
        if self._store is not None:
            self._store.save(things)

    def _plant(self, seed: Mapping[str, Any]) -> None:
        if self._store is not None:
            self._store.delete_all_but_snapshots()
        if seed:
            apply_seed(seed, self.state.world, self.state.coupons)
        self.clock_changed()

    def _load(self) -> bool:
        """Restore what the state file holds; false if there is none, or it is new."""
        if self._store is None:
            return False
        things = list(self._store.load())
        if not things:
            return False
        for thing in things:
            if isinstance(thing, Reading):
                # The clock has run on since.
                passed = max(0.0, time.time() - thing.machine) * thing.speed
                self._start(Clock(thing.service + passed, self._initial.speed))
        for thing in things:
            if isinstance(thing, Snapshot):
                self.snapshots[thing.id] = msgspec.json.encode(thing)
            elif not isinstance(thing, Reading):
                self.state.add(thing)
        self.clock_changed()
        return True
