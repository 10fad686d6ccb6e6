"""Where a ledger keeps its entries: a folder of object storage, or Airflow's asset state store."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final, Literal, Protocol
from urllib.parse import quote

import msgspec

from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.errors import WesLedgerBusyError, WesLedgerError
from wes_provider.storage.files import ENTRY_NAME
from wes_provider.storage.location import bucket_is_missing, filesystem, folder_location, shown_url
from wes_provider.texts import about

__all__ = ["KEY_PREFIX", "AssetStore", "BucketStore", "Entry", "Store", "decoded", "entries_of"]

WRITES_END: Final = 3.0  # seconds after which a write to the asset state store that had begun before is over
KEY_PREFIX: Final = "wes_ledger_"
GAP: Final = 2  # missing numbers after which a store that cannot be listed is taken to have no more


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """
    One upload of one content to one list.

    :ivar number: entries of one content are numbered.
    :ivar state: ``claimed`` before the upload, ``uploaded`` after it, ``released`` if nothing was uploaded;
        ``uncertain`` if the object was overwritten while the service may have been fetching it, or if a task crashed
        and only a file with the user's own name may be what it uploaded.
    :ivar at: when it was claimed, epoch seconds.
    :ivar owner: the task instance, the same in each of its attempts.
    :ivar name: the file's name in the list, by which a claim of a task that has crashed is resolved.
    """

    sha256: str
    number: int
    coupon_list_id: str
    path: str
    etag: str
    size: int
    codes: int
    at: float
    dag_id: str
    run_id: str
    task_id: str
    map_index: int
    owner: str
    name: str = ""
    state: Literal["claimed", "uploaded", "uncertain", "released"] = "claimed"
    coupon_file_id: str = ""
    nonce: str = ""
    version: int = 1

    def __post_init__(self) -> None:
        if self.known and not self.coupon_file_id:
            raise ValueError("an upload without its coupon file")

    @property
    def key(self) -> str:
        """What the claim is stored under; its result has ``-result`` after that."""
        return f"{self.sha256}-{self.number}"

    @property
    def known(self) -> bool:
        """Whether the list has the content, or may have it."""
        return self.state in ("uploaded", "uncertain")

    def by(self) -> str:
        """Whose upload it is, in words."""
        index = f"[{self.map_index}]" if self.map_index >= 0 else ""
        return f"{self.dag_id}.{self.task_id}{index}, run {self.run_id}"


class Store(Protocol):
    """The entries of one list, each a JSON object under a key."""

    def require(self) -> None:
        """Fail if there is no such place."""

    def numbers(self, sha256: str) -> set[int]:
        """The numbers of all claims and results of a content."""

    def read(self, key: str) -> Entry | None:
        """The entry of a key."""

    def write(self, key: str, entry: Entry) -> None:
        """Write a key that nobody else writes."""

    def create(self, key: str, entry: Entry) -> bool:
        """Write a key if it does not exist; whether this writer was the one."""


def entries_of(stored: Iterable[tuple[str, Entry]]) -> list[Entry]:
    """All entries of a store, each with its result, in the order of their claims."""
    found: dict[str, Entry] = {}
    for key, entry in sorted(stored, key=lambda each: each[0]):  # a claim comes before its result
        found[key.removesuffix("-result")] = entry
    return sorted(found.values(), key=lambda entry: (entry.at, entry.key))


def decoded(data: Any, key: str, place: str) -> Entry:
    """
    An entry as it was stored; the key says what content it is of, whatever the entry itself says.

    :param data: JSON, or what it holds.
    :param place: what an error calls the entry.
    :raises WesLedgerError: if it is none.
    """
    try:
        read = msgspec.json.decode(data, type=Entry) if isinstance(data, bytes) else msgspec.convert(data, Entry)
        sha256, number = key.removesuffix("-result").rsplit("-", 1)
        return msgspec.structs.replace(read, sha256=sha256, number=int(number))
    except ValueError:
        raise WesLedgerError(
            f"An entry of the ledger cannot be read: {place}\nSomeone has changed it. Put it right; if you delete it, "
            "whatever else the ledger has of that content still counts"
        ) from None


class BucketStore:
    """A folder of object storage, one small object for each claim and each result."""

    def __init__(self, location: Any, coupon_list_id: str) -> None:
        self._location = folder_location(location)
        self._fs = filesystem(self._location.protocol, self._location.conn_id)
        folder = quote(coupon_list_id, safe="")
        self._folder = f"{self._location.url}/{folder}"
        self._shown = f"{shown_url(location).rstrip('/')}/{folder}"
        self._atomic: bool | None = None  # whether the storage keeps to conditions; not known yet

    def require(self) -> None:
        if bucket_is_missing(self._fs, self._location):
            raise self._no_bucket()

    def numbers(self, sha256: str) -> set[int]:
        names = self._names(f"{sha256}-")
        matches = (ENTRY_NAME.fullmatch(name) for name in names)
        found = {int(match[2]) for match in matches if match and match[1] == sha256}
        number = max(found, default=0) + 1
        while self.read(f"{sha256}-{number}") is not None:  # of some servers, a listing may be behind
            found.add(number)
            number += 1
        return found

    def read(self, key: str) -> Entry | None:
        self._fs.invalidate_cache()
        try:
            with self._access("read"):
                content = self._fs.cat_file(self._path(key))
        except FileNotFoundError:
            return None
        return decoded(bytes(content), key, f"{self._shown}/{key}.json")

    def write(self, key: str, entry: Entry) -> None:
        with self._access("written"):
            self._fs.pipe_file(self._path(key), msgspec.json.encode(entry))

    def create(self, key: str, entry: Entry) -> bool:
        began = time.monotonic()
        if self.read(key) is not None:
            return False
        created = self._created(key, entry)
        if created and self._atomic is None:
            self._atomic = not self._created(key, entry)  # some servers ignore the condition
        if created and not self._atomic:
            _wait_for_other_writes(began, entry)
        return self.read(key) == entry  # also after a lost reply, when a repeated request finds its own object

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """All keys and entries."""
        names = self._names("")
        if not names:
            self.require()
        for name in names:
            if name.endswith(".json") and (entry := self.read(key := name.removesuffix(".json"))) is not None:
                yield key, entry

    def _names(self, prefix: str) -> list[str]:
        self._fs.invalidate_cache()
        with suppress(FileNotFoundError), self._access("listed"):
            return [name.rpartition("/")[2] for name in self._fs.find(self._folder, prefix=prefix)]
        return []

    def _path(self, key: str) -> str:
        return f"{self._folder}/{key}.json"

    def _created(self, key: str, entry: Entry) -> bool:
        """Write an object on the condition that there is none."""
        try:
            with self._access("written"):
                self._fs.pipe_file(self._path(key), msgspec.json.encode(entry), mode="create")
        except FileExistsError:
            return False
        return True

    @contextmanager
    def _access(self, done: str) -> Iterator[None]:
        try:
            yield
        except FileExistsError:
            raise
        except FileNotFoundError:
            if done != "written":
                raise
            raise self._no_bucket() from None  # that is all that a write can miss
        except Exception as error:  # a storage library's own; its text may quote anything
            raise WesLedgerError(
                f"The ledger cannot be {done} ({type(error).__name__}): {self._shown}\n"
                "The connection has to list, read and write its folder"
            ) from None

    def _no_bucket(self) -> WesLedgerError:
        return WesLedgerError(
            f"The bucket of the ledger does not exist: {self._shown}\nCreate it, or correct Ledger(location)"
        )


class AssetStore:
    """The asset state store of a list's asset (Airflow 3.3 and later), through a running task."""

    def __init__(self, coupon_list_id: str, context: Mapping[str, Any]) -> None:
        from wes_provider.assets import coupon_list

        stores = context.get("asset_state_store")
        if stores is None:
            raise WesConfigurationError(
                "Ledger() without a location needs the asset state store of Airflow 3.3.\n"
                "Give it a folder of object storage: Ledger('s3://aws_default@bucket/ledger')"
            )
        try:
            self._accessor = stores[coupon_list(coupon_list_id)]
        except KeyError:
            raise WesConfigurationError(
                f"Ledger() keeps its entries with the asset of list {coupon_list_id}, which the task does not name.\n"
                f"Add coupon_list({coupon_list_id!r}) from wes_provider.assets to the task's outlets"
            ) from None

    def require(self) -> None:
        """It is there with the asset."""

    def numbers(self, sha256: str) -> set[int]:
        found, number, missing = set(), 1, 0
        while missing < GAP:
            is_there = any(self.read(f"{sha256}-{number}{end}") is not None for end in ("", "-result"))
            missing = 0 if is_there else missing + 1
            found |= {number} if is_there else set()
            number += 1
        return found

    def read(self, key: str) -> Entry | None:
        value = self._accessor.get(KEY_PREFIX + key)
        return None if value is None else decoded(value, key, f"key {KEY_PREFIX}{key} of the asset state store")

    def write(self, key: str, entry: Entry) -> None:
        self._accessor.set(KEY_PREFIX + key, msgspec.to_builtins(entry))

    def create(self, key: str, entry: Entry) -> bool:
        began = time.monotonic()
        if self.read(key) is not None:
            return False
        self.write(key, entry)
        _wait_for_other_writes(began, entry)
        return self.read(key) == entry


def _wait_for_other_writes(began: float, entry: Entry) -> None:
    """
    Wait until whoever claims the same content has written it.

    :param began: when nobody had claimed it, on the monotonic clock.
    :raises WesLedgerBusyError: if the write took so long that another task may be past its own wait.
    """
    if time.monotonic() - began > WRITES_END / 2:
        raise WesLedgerBusyError(
            f"{about('The ledger was too slow to claim it', entry.coupon_list_id, entry.path)}\n"
            "A retry finds out whether another task claimed it in the meantime"
        )
    time.sleep(WRITES_END)
