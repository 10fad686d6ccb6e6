"""Where a ledger keeps its entries: a folder of object storage, or Airflow's asset state store."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any, Final, Literal
from urllib.parse import quote

import msgspec

from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.errors import WesLedgerBusyError, WesStorageError
from wes_provider.storage.location import Location, access, filesystem, shown_url
from wes_provider.texts import about

__all__ = ["AssetStore", "BucketStore", "Entry", "Store"]

# Seconds after which a write that is not atomic, and had begun before, is over.
WRITES_END: Final = 3.0
RESULT: Final = "-result"  # of a claim: what its key ends with


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """
    One upload of one content to one list; those of one content are numbered.

    :ivar at: when it was claimed, ISO 8601, UTC.
    :ivar by: the task instance, in words; the same in each of its attempts.
    :ivar state: ``claimed`` before the upload, ``uploaded`` after it, ``released`` if nothing was
        uploaded.
    """

    sha256: str
    number: int
    coupon_list_id: str
    path: str
    etag: str
    codes: int
    at: str = msgspec.field(
        default_factory=lambda: datetime.now(timezone.utc).isoformat(timespec="seconds")
    )
    by: str
    state: Literal["claimed", "uploaded", "released"] = "claimed"
    coupon_file_id: str = ""
    version: int = 1

    @property
    def key(self) -> str:
        """What the claim is stored under; its result has ``-result`` after that."""
        return f"{self.sha256}-{self.number}"


class Store:
    """
    The entries of one list: of each upload a claim, which its writer creates, and a result, which
    it writes later.

    Whatever is left of any number counts: a claim or a result that someone has deleted makes no
    content unknown.
    """

    name: str
    """What messages call it; the name of an entry follows."""

    def entries(self, sha256: str = "") -> list[Entry]:
        """
        The uploads of a content, or of all, the newest first, each with its result if there is one.

        :raises WesStorageError: if one cannot be read.
        """
        read = {
            key.removesuffix(RESULT): entry
            for key in sorted(self._keys(sha256))
            if (entry := self._read(key))
        }
        return sorted(read.values(), key=lambda entry: (-entry.number, entry.at))

    def create(self, entry: Entry) -> bool:
        """Write a claim if there is none of its number; whether this writer was the one."""
        began = time.monotonic()
        if self._read(entry.key) is not None:
            return False
        if not self._create_atomically(entry):
            if time.monotonic() - began > WRITES_END / 2:  # another task may be past its own wait
                what = about(
                    "The ledger was too slow to claim it", entry.coupon_list_id, entry.path
                )
                raise WesLedgerBusyError(
                    f"{what}\nA retry finds out whether another task claimed it in the meantime"
                )
            time.sleep(WRITES_END)
        # Also after a lost reply, when a repeated request finds its own object.
        return self._read(entry.key) == entry

    def finish(self, entry: Entry) -> None:
        """Write the result of a claim, which only its writer does."""
        self._write(entry.key + RESULT, entry)

    def _read(self, key: str) -> Entry | None:
        try:
            return (
                None if (data := self._get(key)) is None else msgspec.json.decode(data, type=Entry)
            )
        except ValueError:
            raise WesStorageError(
                f"An entry of the ledger cannot be read: {self.name}{key}\nSomeone has changed "
                "it. Put it right; if "
                "you delete it, whatever else the ledger has of that content still counts"
            ) from None

    def _create_atomically(self, entry: Entry) -> bool:
        """Write a claim; whether the store surely refuses all claims of the key but the first."""
        self._write(entry.key, entry)
        return False

    def _keys(self, sha256: str) -> list[str]:
        raise NotImplementedError

    def _get(self, key: str) -> bytes | str | None:
        raise NotImplementedError

    def _write(self, key: str, entry: Entry) -> None:
        raise NotImplementedError


class BucketStore(Store):
    """A folder of object storage, one small object for each claim and each result."""

    def __init__(self, location: Any, coupon_list_id: str) -> None:
        place, folder = Location.of(str(location).rstrip("/")), quote(coupon_list_id, safe="")
        self.name = f"{shown_url(location).rstrip('/')}/{folder}/"
        self._fs, self._folder = (
            filesystem(place.protocol, place.conn_id),
            f"{place.protocol}://{place.path}/{folder}",
        )
        self._atomic: bool | None = None  # whether the storage keeps to conditions; not known yet

    def _keys(self, sha256: str) -> list[str]:
        self._fs.invalidate_cache()
        paths: list[str] = []
        with suppress(FileNotFoundError), access(f"The ledger {self.name}", "listed"):
            paths = self._fs.find(self._folder, prefix=sha256)
        return [
            path.rpartition("/")[2].removesuffix(".json")
            for path in paths
            if path.endswith(".json")
        ]

    def _get(self, key: str) -> bytes | None:
        self._fs.invalidate_cache()
        with suppress(FileNotFoundError), access(f"The ledger {self.name}", "read"):
            return bytes(self._fs.cat_file(f"{self._folder}/{key}.json"))
        return None

    def _write(self, key: str, entry: Entry, mode: str = "overwrite") -> None:
        try:
            with access(f"The ledger {self.name}", "written"):
                self._fs.pipe_file(
                    f"{self._folder}/{key}.json", msgspec.json.encode(entry), mode=mode
                )
        except FileNotFoundError:
            raise WesStorageError(
                f"The bucket of the ledger does not exist: {self.name}\nCreate it"
            ) from None

    def _create_atomically(self, entry: Entry) -> bool:
        try:
            self._write(entry.key, entry, "create")
            if self._atomic is None:
                self._atomic = False  # some servers ignore the condition
                self._write(entry.key, entry, "create")
        except FileExistsError:
            self._atomic = True
        return bool(self._atomic)


class AssetStore(Store):
    """The asset state store of a list's asset (Airflow 3.3 and later), through a running task."""

    name = "the asset state store's wes_ledger_"

    def __init__(self, coupon_list_id: str, context: Mapping[str, Any]) -> None:
        from wes_provider.assets import coupon_list

        try:
            self._accessor = context["asset_state_store"][coupon_list(coupon_list_id)]
        except (KeyError, TypeError):  # before Airflow 3.3, or if the task does not name the asset
            raise WesConfigurationError(
                "Ledger() needs Airflow 3.3, and "
                f"wes_provider.assets.coupon_list({coupon_list_id!r}) in the outlets\n"
                "Or give it a folder of object storage: Ledger('s3://aws_default@bucket/ledger')"
            ) from None

    def _keys(self, sha256: str) -> list[str]:
        """One number after another, up to one that is missing."""
        pairs = (
            (f"{sha256}-{number}", f"{sha256}-{number}{RESULT}") for number in itertools.count(1)
        )
        there = itertools.takewhile(
            lambda pair: any(self._get(key) is not None for key in pair), pairs
        )
        return [key for pair in there for key in pair]

    def _get(self, key: str) -> str | None:
        value: str | None = self._accessor.get(f"wes_ledger_{key}")
        return value

    def _write(self, key: str, entry: Entry) -> None:
        self._accessor.set(f"wes_ledger_{key}", msgspec.json.encode(entry).decode())
