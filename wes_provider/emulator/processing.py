"""
A coupon file's life after its upload: which status it shows when, and how it ends.

The status is a function of the service's time, so that moving the clock moves every file at once.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Annotated, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from msgspec import Meta, Struct

from wes_provider import contract
from wes_provider.emulator.replies import JsonObject
from wes_provider.emulator.settings import Seconds, Text

__all__ = ["AS_USUAL", "CouponFile", "Phase", "Result", "Script", "default_name", "read_outcome"]

Stages = tuple[tuple[str, float | None], ...]
"""Statuses before the end, and for how long each is shown; ``None``: for ever."""
_Stages = Annotated[tuple[tuple[Text, Seconds | None], ...], Meta(min_length=1)]


class Phase(Enum):
    """Where a file is on its way."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


# -- outcomes -------------------------------------------------------------------------------------


class Usual(NamedTuple):
    """What the file holds decides, and the settings have the last status."""


class Fails(NamedTuple):
    """The file fails whatever it holds; without a status, with the setting's."""

    status: str | None


class NeverEnds(NamedTuple):
    """The file shows a status for ever; without one, the last one before its end."""

    status: str | None


class Ends(NamedTuple):
    """The file adds its coupons, and shows a status of its own."""

    status: str


Outcome = Usual | Fails | NeverEnds | Ends


@lru_cache(maxsize=256)
def read_outcome(text: str) -> Outcome:
    """
    Read a script's outcome.

    ``success`` and ``failure`` are words for the statuses of the settings. Anything else is a
    status, shown as it is written; what it means does not depend on its case, nor does ``never``.
    """
    if text == "success":
        return Usual()
    if text == "failure":
        return Fails(None)
    if text.lower() == "never":
        return NeverEnds(None)
    if text.upper() in contract.PENDING_STATUSES:
        return NeverEnds(text)
    if text.upper() in contract.FAILURE_STATUSES:
        return Fails(text)
    return Ends(text)


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """
    What happens to the files that match it; :meth:`wes_provider.emulator.control.Controls.script`
    explains each.

    :raises ValueError: if its fields contradict each other.
    """

    list_id: str | None = None
    name: str | None = None
    url: str | None = None
    processing_time: Seconds | None = None
    outcome: Text = "success"
    statuses: _Stages | None = None
    error: str | None = None
    fields: JsonObject | None = None

    def __post_init__(self) -> None:
        if self.processing_time is not None and self.statuses is not None:
            raise ValueError(
                "give processing_time or statuses, which have their own times; not both"
            )
        if self.error is not None and not self.fails:
            raise ValueError(f"error is of a file that fails; the outcome is {self.outcome!r}")

    @property
    def fails(self) -> bool:
        """The file is to fail, whatever is in it."""
        return isinstance(read_outcome(self.outcome), Fails)

    def matches(self, file: CouponFile) -> bool:
        """Tell whether the file is one of those that this is about."""
        wanted = ((self.list_id, file.list_id), (self.name, file.name), (self.url, file.file_url))
        return all(value in (None, given) for value, given in wanted)


AS_USUAL: Final = Script()


# -- files ----------------------------------------------------------------------------------------


class Result(Struct, frozen=True):
    """
    The result of fetching and counting a coupon file; ``hashes`` of 8 bytes are of the coupons new
    in the list.
    """

    added: int = 0
    duplicate: int = 0
    error: str = ""
    hashes: bytes = b""


class CouponFile(Struct, tag="file", omit_defaults=True):
    """
    One accepted upload. Times are the service's.

    :ivar processing_time: if the script has none; so with ``statuses``.
    :ivar workspace: empty for the first.
    :ivar result: ``None`` until the file is fetched and counted.
    :ivar seeded: counts against no limit.
    :ivar others: further fields of the upload, which reads show.
    """

    id: str
    list_id: str
    name: str
    file_url: str
    accepted_at: float
    processing_time: float
    statuses: tuple[str, ...]
    created_by: str = ""
    callback_url: str = ""
    username: str = ""
    password: str = ""
    script: Script = AS_USUAL
    workspace: str = ""
    result: Result | None = None
    called_back: bool = False
    seeded: bool = False
    others: JsonObject = {}

    @property
    def outcome(self) -> Outcome:
        """How it is to end."""
        return read_outcome(self.script.outcome)

    @property
    def stages(self) -> Stages:
        """Statuses and how long each is shown, before the end."""
        stages = self.script.statuses
        if stages is None:
            seconds = self.script.processing_time
            if seconds is None:
                seconds = self.processing_time
            stages = _divide(seconds, self.statuses)
        outcome = self.outcome
        if not isinstance(outcome, NeverEnds):
            return stages
        if outcome.status is not None:
            return (*stages, (outcome.status, None))
        last, _ = stages[-1]
        return (*stages[:-1], (last, None))

    @property
    def due_at(self) -> float | None:
        """
        When processing is over, provided that the file has been fetched by then; ``None`` for
        never.
        """
        total = self.accepted_at
        for _, seconds in self.stages:
            if seconds is None:
                return None
            total += seconds
        return total

    @property
    def counted(self) -> Result | None:
        """What of it is in its list; ``None`` if it was not counted, or fails by a script."""
        if self.script.fails:
            return None
        return self.result

    @property
    def needs_fetching(self) -> bool:
        """It is to be fetched, and has not been."""
        return self.result is None and not self.script.fails and self.due_at is not None

    def ended(self, now: float) -> bool:
        """Tell whether processing is over."""
        if self.result is None and not self.script.fails:
            return False
        due = self.due_at
        return due is not None and now >= due

    def phase(self, now: float) -> Phase:
        """Tell where it is on its way."""
        if not self.ended(now):
            return Phase.WAITING
        if self.script.fails or self.error:
            return Phase.FAILED
        return Phase.DONE

    def status(self, now: float, success: str, failure: str) -> str:
        """
        Return what a fetch shows.

        :param success: the last status of a file that is done, unless its script has one; so with
            ``failure``.
        """
        phase = self.phase(now)
        if phase is Phase.WAITING:
            return self._stage_at(now)
        outcome = self.outcome
        if phase is Phase.FAILED:
            if isinstance(outcome, Fails) and outcome.status is not None:
                return outcome.status
            return failure
        if isinstance(outcome, Ends):
            return outcome.status
        return success

    def _stage_at(self, now: float) -> str:
        """Return the status before the end; the last one for a file that is still being fetched."""
        left = now - self.accepted_at
        for status, seconds in self.stages:
            if seconds is None or left < seconds:
                return status
            left -= seconds
        return status

    @property
    def error(self) -> str:
        """Why it fails; empty if it does not, as far as is known."""
        if self.script.fails:
            if self.script.error is None:
                return "Processing failed as scripted."
            return self.script.error
        if self.result is None:
            return ""
        return self.result.error


@lru_cache(maxsize=64)
def _divide(processing_time: float, statuses: tuple[str, ...]) -> Stages:
    """Show the first status for a quarter of the time, and the others equally long."""
    first, *others = statuses
    if not others:
        return ((first, processing_time),)
    quarter = processing_time / 4
    seconds = (processing_time - quarter) / len(others)
    return ((first, quarter), *((status, seconds) for status in others))


def default_name(file_url: str) -> str:
    """Name a file without a name like its URL's path, or its host."""
    parts = urlsplit(file_url)
    last_segment = unquote(parts.path.rstrip("/").rpartition("/")[2])
    return last_segment or parts.hostname or "coupons"
