"""Where a ledger keeps its entries: a folder of object storage, or Airflow's asset state store."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Literal
from urllib.parse import quote

import msgspec

from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.errors import WesLedgerBusyError, WesLedgerError
from wes_provider.storage.location import Location, access, filesystem, shown_url
from wes_provider.texts import about

__all__ = ["KEY_PREFIX", "AssetStore", "BucketStore", "Entry", "Store", "decoded"]

WRITES_END: Final = 3.0  # seconds after which a write that is not atomic, and had begun before, is over
KEY_PREFIX: Final = "wes_ledger_"
RESULT: Final = "-result"  # of a claim: what its key ends with


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """
    One upload of one content to one list; those of one content are numbered.

    :ivar at: when it was claimed, epoch seconds.
    :ivar by: the task instance, in words; the same in each of its attempts.
    :ivar state: ``claimed`` before the upload, ``uploaded`` after it, ``released`` if nothing was uploaded.
    """

    sha256: str
    number: int
    coupon_list_id: str
    path: str
    etag: str
    codes: int
    at: float
    by: str
    state: Literal["claimed", "uploaded", "released"] = "claimed"
    coupon_file_id: str = ""
    version: int = 1

    def __post_init__(self) -> None:
        if self.state == "uploaded" and not self.coupon_file_id:
            raise ValueError("an upload without its coupon file")

    @property
    def key(self) -> str:
        """What the claim is stored under; its result has ``-result`` after that."""
        return f"{self.sha256}-{self.number}"


class Store:
    """
    The entries of one list: of each upload a claim, which its writer creates, and a result, which it writes later.

    Whatever is left of any number counts: a claim or a result that someone has deleted makes no content unknown.
    """

    def stored(self, sha256: str) -> dict[str, Entry]:
        """The claims and results of a content, by their keys."""
        raise NotImplementedError

    def read(self, key: str) -> Entry | None:
        """The entry of a key."""
        raise NotImplementedError

    def write(self, key: str, entry: Entry) -> None:
        """Write a key that nobody else writes."""
        raise NotImplementedError

    def entries(self, sha256: str = "") -> list[Entry]:
        """The uploads of a content, the newest first, each with its result if there is one."""
        stored = self.stored(sha256)
        found = {key.removesuffix(RESULT): stored[key] for key in sorted(stored)}
        return sorted(found.values(), key=lambda entry: (-entry.number, entry.at))

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


def decoded(data: Any, place: str) -> Entry:
    """An entry from JSON; raises :class:`WesLedgerError` if it is none: ``place`` is what the message calls it."""
    try:
        return msgspec.json.decode(data, type=Entry) if isinstance(data, bytes) else msgspec.convert(data, Entry)
    except ValueError:
        raise WesLedgerError(
            f"An entry of the ledger cannot be read: {place}\nSomeone has changed it. Put it right; if you delete it, "
            "whatever else the ledger has of that content still counts"
        ) from None


class BucketStore(Store):
    """A folder of object storage, one small object for each claim and each result."""

    def __init__(self, location: Any, coupon_list_id: str) -> None:
        place, folder = Location.of(str(location).rstrip("/")), quote(coupon_list_id, safe="")
        self._fs = filesystem(place.protocol, place.conn_id)
        self._folder = f"{place.url}/{folder}"
        self._shown = f"The ledger {shown_url(location).rstrip('/')}/{folder}"
        self._atomic: bool | None = None  # whether the storage keeps to conditions; not known yet

    def stored(self, sha256: str = "") -> dict[str, Entry]:
        """The same by a listing; without a content, all."""
        self._fs.invalidate_cache()
        paths: list[str] = []
        with suppress(FileNotFoundError), access(self._shown, "listed", WesLedgerError):
            paths = self._fs.find(self._folder, prefix=sha256)
        keys = [path.rpartition("/")[2].removesuffix(".json") for path in paths if path.endswith(".json")]
        return {key: entry for key in keys if (entry := self.read(key)) is not None}

    def read(self, key: str) -> Entry | None:
        """The object of a key."""
        self._fs.invalidate_cache()
        try:
            with access(self._shown, "read", WesLedgerError):
                content = self._fs.cat_file(f"{self._folder}/{key}.json")
        except FileNotFoundError:
            return None
        return decoded(bytes(content), f"{self._shown}/{key}.json")

    def write(self, key: str, entry: Entry, mode: str = "overwrite") -> None:
        """Write the object of a key."""
        try:
            with access(self._shown, "written", WesLedgerError):
                self._fs.pipe_file(f"{self._folder}/{key}.json", msgspec.json.encode(entry), mode=mode)
        except FileNotFoundError:
            raise WesLedgerError(f"{self._shown} cannot be written: its bucket does not exist\nCreate it") from None

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
        """The same by reading one number after another, up to one that is missing."""
        found = dict[str, Entry]()
        for number in itertools.count(1):
            keys = [f"{sha256}-{number}{end}" for end in ("", RESULT)]
            entries = {key: entry for key in keys if (entry := self.read(key)) is not None}
            if not entries:
                break
            found |= entries
        return found

    def read(self, key: str) -> Entry | None:
        """The value of a key."""
        value = self._accessor.get(KEY_PREFIX + key)
        return None if value is None else decoded(value, f"key {KEY_PREFIX}{key} of the asset state store")

    def write(self, key: str, entry: Entry) -> None:
        """Write a key."""
        self._accessor.set(KEY_PREFIX + key, msgspec.to_builtins(entry))
