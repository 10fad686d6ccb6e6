"""
A coupon file's life after its upload: which status it shows when, and what is counted in it.

The status is a function of the service's time, so that moving the clock moves every file at once.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Annotated, Any, Final
from urllib.parse import unquote, urlsplit

from msgspec import Meta, Struct

from wes_provider import contract
from wes_provider.emulator.settings import Seconds, Text

__all__ = ["CouponCounter", "CouponFile", "Result", "Script", "default_name"]

_HEADER_WORDS: Final = frozenset(
    {b"coupon", b"coupons", b"code", b"codes", b"coupon_code", b"coupon code"}
)
_LONGEST_LINE: Final = 64 * 1024  # bytes; keeps memory bounded if a file has no lines

Stages = tuple[tuple[str, float | None], ...]
_Stages = Annotated[tuple[tuple[Text, Seconds | None], ...], Meta(min_length=1)]


@lru_cache(maxsize=64)
def _default_stages(processing_time: float, statuses: tuple[str, ...]) -> Stages:
    first = processing_time / 4 if len(statuses) > 1 else processing_time
    each = (processing_time - first) / max(1, len(statuses) - 1)
    return tuple((status, each if i else first) for i, status in enumerate(statuses))


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
    fields: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.processing_time is not None and self.statuses is not None:
            raise ValueError(
                "give processing_time or statuses, which have their own times; not both"
            )
        if self.error is not None and not self.fails:
            raise ValueError(f"error is of a file that fails; the outcome is {self.outcome!r}")

    def matches(self, file: CouponFile) -> bool:
        """Whether the file is one of those that this is about."""
        wanted = ((self.list_id, file.list_id), (self.name, file.name), (self.url, file.file_url))
        return all(want is None or want == got for want, got in wanted)

    def stages(self, processing_time: float, statuses: tuple[str, ...]) -> Stages:
        """
        Statuses and how long each is shown, before the end; the arguments are for a script that has
        none.
        """
        if self.processing_time is not None:
            processing_time = self.processing_time
        stages = self.statuses or _default_stages(processing_time, statuses)
        if self.outcome == "never":
            return (*stages[:-1], (stages[-1][0], None))
        if self.outcome.upper() in contract.PENDING_STATUSES:
            return (*stages, (self.outcome, None))
        return stages

    @property
    def fails(self) -> bool:
        """The file is to fail, whatever is in it."""
        return self.outcome == "failure" or self.outcome.upper() in contract.FAILURE_STATUSES


AS_USUAL: Final = Script()


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
    """One accepted upload. Times are the service's; ``workspace`` is empty for the first."""

    id: str
    list_id: str
    name: str
    file_url: str
    accepted_at: float
    processing_time: float  # if the script has none
    statuses: tuple[str, ...]  # if the script has none
    created_by: str = ""
    callback_url: str = ""
    username: str = ""
    password: str = ""
    script: Script = AS_USUAL
    workspace: str = ""
    result: Result | None = None  # None until the file is fetched and counted
    called_back: bool = False
    seeded: bool = False  # counts against no limit

    @property
    def stages(self) -> Stages:
        """Statuses and how long each is shown, before the end."""
        return self.script.stages(self.processing_time, self.statuses)

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
    def needs_fetching(self) -> bool:
        """It is to be fetched, and has not been."""
        return self.result is None and not self.script.fails and self.due_at is not None

    def ended(self, now: float) -> bool:
        """Whether processing is over."""
        due = self.due_at
        return due is not None and now >= due and (self.result is not None or self.script.fails)

    def status(self, now: float, success: str, failure: str) -> str:
        """What a fetch shows; the two words are shown at the end unless the script has its own."""
        if not self.ended(now):
            left = now - self.accepted_at
            for status, seconds in self.stages:
                if seconds is None or left < seconds:
                    return status
                left -= seconds
            return self.stages[-1][0]
        if self.script.fails:
            return failure if self.script.outcome == "failure" else self.script.outcome
        if self.result is not None and self.result.error:
            return failure
        return success if self.script.outcome == "success" else self.script.outcome

    @property
    def error(self) -> str:
        """Why it fails; empty if it does not, as far as is known."""
        if self.script.fails:
            return (
                "Processing failed as scripted." if self.script.error is None else self.script.error
            )
        return self.result.error if self.result else ""


def default_name(file_url: str) -> str:
    """A file without a name has that of its URL's path, or its host's."""
    parts = urlsplit(file_url)
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.hostname or "coupons"


class CouponCounter:
    """
    Counts the coupons of one file as its bytes come in: one for each line that is not empty, from
    the first CSV column.

    A first line that is a column's name is no coupon. Coupons are remembered by a hash of 8 bytes.

    :param room: how many coupons it may remember; those beyond count as new.
    """

    def __init__(self, room: int) -> None:
        self.total = self.unremembered = 0
        self.distinct: set[int] = set()
        self._room, self._rest, self._first = room, b"", True

    def feed(self, data: bytes) -> None:
        """
        Count the lines that are complete; raises ``ValueError`` if one is too long for a coupon
        file.
        """
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            raise ValueError(f"a line is longer than {_LONGEST_LINE} bytes")
        self._count(lines)

    def finish(self) -> None:
        """Count the last line, which may lack its line feed."""
        self._count([self._rest])
        self._rest = b""

    def _count(self, lines: list[bytes]) -> None:
        for line in lines:
            coupon = line.partition(b",")[0].strip().strip(b'"')
            if self._first:
                coupon = coupon.removeprefix(b"\xef\xbb\xbf").strip(b'"')
            if not coupon:
                continue
            if self._first:
                self._first = False
                if coupon.lower() in _HEADER_WORDS:
                    continue
            self.total += 1
            digest = int.from_bytes(hashlib.blake2b(coupon, digest_size=8).digest(), "little")
            if len(self.distinct) < self._room:
                self.distinct.add(digest)
            elif digest not in self.distinct:
                self.unremembered += 1
