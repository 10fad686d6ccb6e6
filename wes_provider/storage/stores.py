"""Where a ledger keeps its entries: a folder of object storage, or Airflow's asset state store."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final, Literal
from urllib.parse import quote

import msgspec

from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.errors import WesLedgerBusyError, WesLedgerError
from wes_provider.storage.files import ENTRY_NAME
from wes_provider.storage.location import LOCAL, WEB, Location, access, bucket_is_missing, filesystem, shown_url
from wes_provider.texts import about, shown

__all__ = ["KEY_PREFIX", "AssetStore", "BucketStore", "Entry", "Store", "check_folder", "decoded", "entries_of"]

WRITES_END: Final = 3.0  # seconds after which a write that is not atomic, and had begun before, is over
KEY_PREFIX: Final = "wes_ledger_"
GAP: Final = 2  # missing numbers after which a store that cannot be listed is taken to have no more


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """
    One upload of one content to one list; those of one content are numbered.

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


class Store:
    """The entries of one list, each under a key."""

    def stored(self, sha256: str) -> dict[str, Entry]:
        """The claims and results of a content, by their keys."""
        raise NotImplementedError

    def read(self, key: str) -> Entry | None:
        """The entry of a key."""
        raise NotImplementedError

    def write(self, key: str, entry: Entry) -> None:
        """Write a key that nobody else writes."""
        raise NotImplementedError

    def create(self, entry: Entry) -> bool:
        """Write a claim if there is none of its key; whether this writer was the one."""
        began = time.monotonic()
        if self.read(entry.key) is not None:
            return False
        if not self._create_atomically(entry):
            if time.monotonic() - began > WRITES_END / 2:  # another task may be past its own wait
                raise WesLedgerBusyError(
                    f"{about('The ledger was too slow to claim it', entry.coupon_list_id, entry.path)}\n"
                    "A retry finds out whether another task claimed it in the meantime"
                )
            time.sleep(WRITES_END)
        return self.read(entry.key) == entry  # also after a lost reply, when a repeated request finds its own object

    def _create_atomically(self, entry: Entry) -> bool:
        """Write a claim; whether the store surely refuses all claims of the key but the first."""
        self.write(entry.key, entry)
        return False


def entries_of(stored: Mapping[str, Entry]) -> list[Entry]:
    """All entries of a store, each with its result, in the order of their claims."""
    found = {key.removesuffix("-result"): stored[key] for key in sorted(stored)}
    return sorted(found.values(), key=lambda entry: (entry.at, entry.key))


def decoded(data: Any, key: str, place: str) -> Entry:
    """
    An entry as JSON has it; the key says what content it is of, whatever the entry itself says.

    :raises WesLedgerError: if it is none; ``place`` is what the message calls it.
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


def check_folder(location: Any) -> Location:
    """A ledger's place in object storage; raises :class:`WesConfigurationError` if it is none."""
    text = str(location).rstrip("/")
    if Location.split(text).protocol in (*LOCAL, *WEB):
        raise WesConfigurationError(
            f"A ledger needs a folder of object storage, not {shown(location)}\nOne is 's3://aws_default@bucket/ledger'"
        )
    return Location.of(text)


class BucketStore(Store):
    """A folder of object storage, one small object for each claim and each result."""

    def __init__(self, location: Any, coupon_list_id: str) -> None:
        self._location = check_folder(location)
        self._fs = filesystem(self._location.protocol, self._location.conn_id)
        folder = quote(coupon_list_id, safe="")
        self._folder = f"{self._location.url}/{folder}"
        self._shown = f"The ledger {shown_url(location).rstrip('/')}/{folder}"
        self._atomic: bool | None = None  # whether the storage keeps to conditions; not known yet

    def stored(self, sha256: str = "") -> dict[str, Entry]:
        """The same by a listing; without a content, all."""
        self._fs.invalidate_cache()
        try:
            with access(self._shown, "listed", WesLedgerError):
                paths = self._fs.find(self._folder, prefix=sha256)
        except FileNotFoundError:
            paths = []
        if not paths and bucket_is_missing(self._fs, self._location):
            raise WesLedgerError(
                f"The bucket of the ledger does not exist: {self._shown}\nCreate it, or correct Ledger(location)"
            )
        names = [path.rpartition("/")[2] for path in paths]
        keys = [name.removesuffix(".json") for name in names if ENTRY_NAME.fullmatch(name)]
        return {key: entry for key in keys if (entry := self.read(key)) is not None}

    def read(self, key: str) -> Entry | None:
        """The object of a key."""
        self._fs.invalidate_cache()
        try:
            with access(self._shown, "read", WesLedgerError):
                content = self._fs.cat_file(f"{self._folder}/{key}.json")
        except FileNotFoundError:
            return None
        return decoded(bytes(content), key, f"{self._shown}/{key}.json")

    def write(self, key: str, entry: Entry, mode: str = "overwrite") -> None:
        """Write the object of a key."""
        with access(self._shown, "written", WesLedgerError):
            self._fs.pipe_file(f"{self._folder}/{key}.json", msgspec.json.encode(entry), mode=mode)

    def _create_atomically(self, entry: Entry) -> bool:
        try:
            self.write(entry.key, entry, "create")
            if self._atomic is None:
                self._atomic = False  # some servers ignore the condition
                self.write(entry.key, entry, "create")
        except FileExistsError:
            self._atomic = True
        return bool(self._atomic)


class AssetStore(Store):
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

    def stored(self, sha256: str) -> dict[str, Entry]:
        """The same by reading one number after another."""
        found, number, missing = dict[str, Entry](), 0, 0
        while missing < GAP:
            number, missing = number + 1, missing + 1
            for key in (f"{sha256}-{number}", f"{sha256}-{number}-result"):
                if (entry := self.read(key)) is not None:
                    found[key], missing = entry, 0
        return found

    def read(self, key: str) -> Entry | None:
        """The value of a key."""
        value = self._accessor.get(KEY_PREFIX + key)
        return None if value is None else decoded(value, key, f"key {KEY_PREFIX}{key} of the asset state store")

    def write(self, key: str, entry: Entry) -> None:
        """Write a key."""
        self._accessor.set(KEY_PREFIX + key, msgspec.to_builtins(entry))
