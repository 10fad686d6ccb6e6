"""Where a ledger keeps its entries: a folder of object storage, or Airflow's asset state store."""

from __future__ import annotations

import itertools
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timezone
from enum import Enum
from typing import Any, Final, Literal
from urllib.parse import quote

import msgspec

from wes_provider.attempt import Attempt
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
    :ivar workspace: the workspace identifier of the account that has the list; empty in entries
        from before it was noted.
    :ivar run_started: when the run started, epoch seconds, as an attempt has it; ``None`` if that
        is not known.
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
    workspace: str = ""
    run_started: int | None = None
    version: int = 1

    @property
    def key(self) -> str:
        """What the claim is stored under; its result has ``-result`` after that."""
        return f"{self.sha256}-{self.number}"


class Creation(Enum):
    """What a store promises of a claim that it has written."""

    CONDITIONAL = "the store refuses all claims of a number but the first"
    UNCONDITIONAL = "the last of several claims stays, and their writers have to wait for it"


class Store(ABC):
    """
    The entries of one list: of each upload a claim, which its writer creates, and a result, which
    it writes later.

    Whatever is left of any number counts: a claim or a result that someone has deleted makes no
    content unknown.
    """

    name: str
    """What messages call it; the name of an entry follows."""

    def entries(self, sha256: str) -> list[Entry]:
        """
        Read the uploads of a content, the newest first, each with its result if there is one.

        :raises WesStorageError: if one cannot be read.
        """
        return self._read_entries(self._keys(sha256))

    def claim(self, entry: Entry) -> bool:
        """
        Write a claim if there is none of its number.

        :return: whether this writer was the first.
        :raises WesLedgerBusyError: if the store was too slow to know that.
        """
        began = time.monotonic()
        if self._read(entry.key) is not None:
            return False
        if self._create(entry) is Creation.UNCONDITIONAL:
            self._wait_for_other_writers(entry, began)
        # Also after a lost reply, when a repeated request finds its own object.
        return self._read(entry.key) == entry

    def complete(self, entry: Entry) -> None:
        """Write the result of a claim, which only its writer does."""
        self._write(entry.key + RESULT, entry)

    def _wait_for_other_writers(self, entry: Entry, began: float) -> None:
        """Wait until whoever saw no claim, as this writer did, has written one."""
        if time.monotonic() - began > WRITES_END / 2:  # another task may be past its own wait
            cause = about("The ledger was too slow to claim it", entry.coupon_list_id, entry.path)
            raise WesLedgerBusyError(
                f"{cause}\nA retry finds out whether another task claimed it in the meantime"
            )
        time.sleep(WRITES_END)

    def _read_entries(self, keys: Iterable[str]) -> list[Entry]:
        newest_of_number: dict[str, Entry] = {}
        # A result comes after its claim.
        for key in sorted(keys):
            entry = self._read(key)
            if entry is not None:
                newest_of_number[key.removesuffix(RESULT)] = entry
        return sorted(newest_of_number.values(), key=lambda entry: (-entry.number, entry.at))

    def _read(self, key: str) -> Entry | None:
        data = self._get(key)
        if data is None:
            return None
        try:
            return msgspec.json.decode(data, type=Entry)
        except ValueError:
            raise WesStorageError(
                f"An entry of the ledger cannot be read: {self.name}{key}\nSomeone has changed it. "
                "Put it right; if you delete it, whatever else the ledger has of that content "
                "still counts"
            ) from None

    @abstractmethod
    def _create(self, entry: Entry) -> Creation:
        """Write a claim, under the condition that there is none if the store can."""

    @abstractmethod
    def _keys(self, sha256: str) -> list[str]:
        """List the keys of a content's claims and results."""

    @abstractmethod
    def _get(self, key: str) -> bytes | str | None: ...

    @abstractmethod
    def _write(self, key: str, entry: Entry) -> None: ...


class BucketStore(Store):
    """A folder of object storage, one small object for each claim and each result."""

    def __init__(self, location: Any, coupon_list_id: str) -> None:
        place = Location.of_folder("location of Ledger", location)
        folder = quote(coupon_list_id, safe="")
        self.name = f"{shown_url(location).rstrip('/')}/{folder}/"
        self._fs = filesystem(place.protocol, place.conn_id)
        self._folder = f"{place.protocol}://{place.path}/{folder}"
        self._creation: Creation | None = None  # not known before the first claim

    def all_entries(self) -> list[Entry]:
        """Read the uploads of all contents."""
        return self._read_entries(self._keys(""))

    def _keys(self, sha256: str) -> list[str]:
        self._fs.invalidate_cache()
        paths: list[str] = []
        with suppress(FileNotFoundError), access(f"The ledger {self.name}", "listed"):
            paths = self._fs.find(self._folder, prefix=sha256)
        names = [path.rpartition("/")[2] for path in paths]
        return [name.removesuffix(".json") for name in names if name.endswith(".json")]

    def _get(self, key: str) -> bytes | None:
        self._fs.invalidate_cache()
        with suppress(FileNotFoundError), access(f"The ledger {self.name}", "read"):
            return bytes(self._fs.cat_file(f"{self._folder}/{key}.json"))
        return None

    def _write(self, key: str, entry: Entry) -> None:
        self._put(key, entry, mode="overwrite")

    def _create(self, entry: Entry) -> Creation:
        try:
            self._put(entry.key, entry, mode="create")
            if self._creation is None:
                # Some servers ignore the condition; a second write shows it.
                self._put(entry.key, entry, mode="create")
                self._creation = Creation.UNCONDITIONAL
        except FileExistsError:
            self._creation = Creation.CONDITIONAL
        return self._creation

    def _put(self, key: str, entry: Entry, *, mode: str) -> None:
        try:
            with access(f"The ledger {self.name}", "written"):
                content = msgspec.json.encode(entry)
                self._fs.pipe_file(f"{self._folder}/{key}.json", content, mode=mode)
        except FileNotFoundError:
            raise WesStorageError(
                f"The bucket of the ledger does not exist: {self.name}\nCreate it"
            ) from None


class AssetStore(Store):
    """
    The asset state store of a list's asset (Airflow 3.3 and later), through a running task.

    It lists no keys, so that only the entries of a known content can be read.
    """

    name = "the asset state store's wes_ledger_"

    def __init__(self, coupon_list_id: str, attempt: Attempt) -> None:
        from wes_provider.assets import coupon_list

        self._accessor = attempt.asset_store(coupon_list(coupon_list_id))
        if self._accessor is None:
            raise WesConfigurationError(
                "Ledger() needs Airflow 3.3, and "
                f"wes_provider.assets.coupon_list({coupon_list_id!r}) in the outlets\n"
                "Or give it a folder of object storage: Ledger('s3://aws_default@bucket/ledger')"
            )

    def _keys(self, sha256: str) -> list[str]:
        """Find one number after another, up to one that is missing."""
        keys: list[str] = []
        for number in itertools.count(1):
            pair = (f"{sha256}-{number}", f"{sha256}-{number}{RESULT}")
            if all(self._get(key) is None for key in pair):
                break
            keys += pair
        return keys

    def _get(self, key: str) -> str | None:
        value: str | None = self._accessor.get(f"wes_ledger_{key}")
        return value

    def _write(self, key: str, entry: Entry) -> None:
        self._accessor.set(f"wes_ledger_{key}", msgspec.json.encode(entry).decode())

    def _create(self, entry: Entry) -> Creation:
        self._write(entry.key, entry)
        return Creation.UNCONDITIONAL
