"""
What was uploaded to a coupon list, by content: so that no two DAGs give the same codes to it.

Entries of one content are numbered. A writer claims the next number before its upload, and writes the result after it;
only the claim's owner writes the result. Whatever is left of any number counts, and under the name that it is stored
under: objects that someone has deleted or renamed do not make content unknown. In object storage a claim is atomic: the
storage refuses the second one. Airflow's asset state store, and servers that ignore the condition, have no such
operation: a claim there is read again after others' writes are over.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Final, Protocol
from urllib.parse import quote

from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import ERROR_HEADLINE, file_title, headline, shorten, shown, templated
from wes_provider.storage.errors import WesKnownContentError, WesLedgerBusyError, WesLedgerError
from wes_provider.storage.files import bucket_folder, bucket_is_missing, check_folder, shown_url
from wes_provider.storage.preflight import CheckedFile
from wes_provider.uploads.identity import is_ours

__all__ = ["Entry", "Ledger", "ListLedger"]

log = logging.getLogger(__name__)

VERSION: Final = 1
CLAIMED, UPLOADED, UNCERTAIN, RELEASED = "claimed", "uploaded", "uncertain", "released"
KNOWN: Final = (UPLOADED, UNCERTAIN)
WRITES_END: Final = 3.0  # seconds after which a write to the asset state store that had begun before is over
STALE: Final = 900.0  # seconds after which a claim's request is over, whatever became of it
FRESH: Final = 300.0  # seconds for which a claim covers its owner's requests; then it claims again
KEY_PREFIX: Final = "wes_ledger_"
PER_RUN: Final = re.compile(r"{{.*\b(ds|ts|run_id|dag_run|ti|task_instance|\w+_date|\w+_nodash\w*|data_interval\w*)\b")
GAP: Final = 2  # missing numbers after which a store that cannot be listed is taken to have no more
CHANGED: Final = (
    "Someone has changed it. Put it right; if you delete it, whatever else the ledger has of that content still counts"
)


@dataclass(frozen=True)
class Entry:
    """
    One upload of one content to one list.

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
    state: str = CLAIMED
    coupon_file_id: str = ""
    nonce: str = ""
    version: int = VERSION

    @property
    def key(self) -> str:
        """What the claim is stored under."""
        return f"{self.sha256}-{self.number}"

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, key: str, place: str) -> Entry:
        """
        Read back a stored entry; unknown keys are ignored.

        :param key: what it is stored under, which says what content it is of, whatever the entry itself says.
        :param place: what an error calls the entry.
        :raises WesLedgerError: if it is none.
        """
        try:
            sha256, number = key.removesuffix("-result").rsplit("-", 1)
            known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
            entry = cls(**{**known, "sha256": sha256, "number": int(number)})
            valid = entry.state in (CLAIMED, RELEASED) or (entry.state in KNOWN and bool(entry.coupon_file_id))
            if not {"sha256", "number"} <= set(data) or not valid or entry.at < 0:
                raise ValueError
        except (TypeError, ValueError):
            raise WesLedgerError(
                f"An entry of the ledger cannot be read\n{place}\n{CHANGED}\n{shown(dict(data))}"
            ) from None
        return entry

    def by(self) -> str:
        """Whose upload it is, in words."""
        index = f"[{self.map_index}]" if self.map_index >= 0 else ""
        return f"{self.dag_id}.{self.task_id}{index}, run {self.run_id}"


class Store(Protocol):
    """Where entries are kept: JSON objects by key."""

    def require(self) -> None:
        """Fail if there is no such place."""

    def place(self, key: str) -> str:
        """What messages call a key."""

    def numbers(self, sha256: str) -> set[int]:
        """The numbers of all claims and results of a content."""

    def read(self, key: str) -> dict[str, Any] | None:
        """The value of a key."""

    def write(self, key: str, value: dict[str, Any]) -> None:
        """Write a key that nobody else writes."""

    def create(self, key: str, value: dict[str, Any]) -> bool:
        """Write a key if it does not exist; whether this writer was the one."""

    def entries(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """All keys and values."""


class Ledger:
    """
    Records what was uploaded to a list, and refuses to upload the same content twice. All arguments are templated.

    It knows what operators with a ledger at the same location have uploaded, and nothing else.

    :param location: a folder of object storage, such as ``s3://aws_default@promo/ledger``, in which each list gets a
        folder. Without it, the ledger is in the asset state store of the list's asset (Airflow 3.3 and later).
    :param on_known_content: what to do with a file whose content was uploaded to the list before: ``fail``, ``skip``
        the file, or ``upload`` it again.
    """

    template_fields: ClassVar[Sequence[str]] = ("location", "on_known_content")

    def __init__(self, location: Any = None, on_known_content: str = "fail") -> None:
        self.location = location
        self.on_known_content = on_known_content
        self._written = location
        if not templated(on_known_content):
            self._check()
        if location is not None and not templated(location):
            check_folder(location)

    def __repr__(self) -> str:
        location = None if self.location is None else shown_url(self.location)
        return f"Ledger({location!r}, on_known_content={self.on_known_content!r})"

    def open(
        self,
        coupon_list_id: str,
        context: Mapping[str, Any],
        find: Callable[[str], str | None] = lambda name: None,  # noqa: ARG005
        failed: Callable[[str], bool] = lambda coupon_file_id: False,  # noqa: ARG005
        lag: float = 0,
        *,
        plan_only: bool = False,
    ) -> ListLedger:
        """
        The ledger of one list, for a task.

        :param context: the context of the running task.
        :param find: gives the id of the list's file of a name; ``None`` if the list has none of that name.
        :param failed: whether a coupon file failed processing, so that the list has none of its codes.
        :param lag: seconds until the list shows an upload.
        :param plan_only: use neither ``find`` nor ``failed``, which send requests to the service.
        :raises WesConfigurationError: if there is no place for it.
        """
        self._check()
        if PER_RUN.search(str(self._written)):
            log.warning(
                "List %s: each date or run has a ledger of its own\n"
                "Give it a location that stays the same: a new ledger does not know earlier uploads. It is %s",
                shorten(coupon_list_id, 20),
                shown_url(self._written),
            )
        if self.location is not None:
            store: Store = BucketStore(self.location, coupon_list_id)
        else:
            store = AssetStore(_accessor(coupon_list_id, context))
        return ListLedger(store, self.on_known_content, coupon_list_id, context, find, failed, lag, plan_only=plan_only)

    def _check(self) -> None:
        if self.on_known_content not in ("fail", "skip", "upload"):
            raise WesConfigurationError(
                f"on_known_content takes fail, skip or upload, not {shown(self.on_known_content)}"
            )


class ListLedger:
    """One list's ledger, in the hands of one task instance."""

    def __init__(
        self,
        store: Store,
        on_known_content: str,
        coupon_list_id: str,
        context: Mapping[str, Any],
        find: Callable[[str], str | None],
        failed: Callable[[str], bool],
        lag: float,
        *,
        plan_only: bool,
    ) -> None:
        self.store = store
        self._policy = on_known_content
        self._list = coupon_list_id
        self._find = find
        self._failed = failed
        self._lag = lag
        self._plan_only = plan_only
        self._made = ""  # the nonce of the claim that the last call of claim() made
        ti = context["ti"]
        self._task = {
            "dag_id": ti.dag_id,
            "run_id": ti.run_id,
            "task_id": ti.task_id,
            "map_index": -1 if ti.map_index is None else ti.map_index,
        }
        loop = context.get("loop")
        identity = [*self._task.values(), *([getattr(loop, "index", None)] if loop is not None else [])]
        self.owner = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:32]

    @property
    def skips(self) -> bool:
        """Whether files of known content are left out."""
        return self._policy == "skip"

    def check(self, files: Sequence[CheckedFile]) -> dict[int, Entry]:
        """
        Look files up before the first is uploaded.

        :return: by their index, the entries of files to skip.
        :raises WesKnownContentError: naming every file that another task uploaded, if ``on_known_content`` is ``fail``.
        :raises WesLedgerBusyError: if another task is uploading one of them now.
        """
        self.store.require()
        known = {index: entry for index, file in enumerate(files) if (entry := self._others(file)) is not None}
        self._refuse([(files[index].path, entry) for index, entry in known.items()])
        for index, entry in known.items():
            log.info(
                "The content of this file was uploaded before\n%s\nIt is coupon file %s, by %s%s",
                files[index].path,
                entry.coupon_file_id,
                entry.by(),
                "; whether it was processed is not checked" if self._plan_only else "",
            )
        return known if self.skips else {}

    def claim(self, file: CheckedFile, name: str) -> Entry | None:
        """
        Write down that a file is about to be uploaded; right before its request.

        A task instance keeps its claim from attempt to attempt: what became of the request is for the upload's own
        record to resolve. It claims again if the claim is so old that others may soon take it for abandoned.

        :param name: the file's name in the list.
        :return: the claim; ``None`` if the file is to be skipped.
        :raises WesKnownContentError: if another task has uploaded it meanwhile, and ``on_known_content`` is ``fail``.
        :raises WesLedgerBusyError: if another task is uploading it now.
        """
        while True:
            self._made = ""
            entries = self._entries(file.sha256)
            last = next((entry for entry in entries if entry.state != RELEASED), None)
            own = last is not None and self._owns(last, file)
            if last is not None and own and last.state == CLAIMED and time.time() - last.at < FRESH:
                return last
            known = self._others(file, entries)
            if known is not None:
                self._refuse([(file.path, known)])
                if self.skips:
                    return None
            before = next((entry for entry in entries if self._owns(entry, file) and entry.state in KNOWN), None)
            if before is not None:
                log.warning(
                    "List %s: uploading again what this task uploaded before\n%s is coupon file %s.\n"
                    "on_duplicate='upload', or a file that failed processing, requires that; the ledger refuses only "
                    "what other tasks uploaded",
                    shorten(self._list, 30),
                    file.path,
                    before.coupon_file_id,
                )
            entry = Entry(
                sha256=file.sha256,
                number=entries[0].number + 1 if entries else 1,
                coupon_list_id=self._list,
                path=file.path,
                etag=file.etag,
                size=file.size,
                codes=file.codes,
                at=time.time(),
                owner=self.owner,
                name=name,
                nonce=uuid.uuid4().hex,
                **self._task,
            )
            if self.store.create(entry.key, asdict(entry)):
                self._made = entry.nonce
                return entry

    def made(self, entry: Entry) -> bool:
        """Whether the last call of :meth:`claim` made a claim, so that no request was sent under it before."""
        return entry.nonce == self._made

    def own(self, file: CheckedFile) -> Entry | None:
        """The newest entry of a file's content that is this file's, by this task instance."""
        entries = self._entries(file.sha256)
        return next((entry for entry in entries if entry.state != RELEASED and self._owns(entry, file)), None)

    def uploaded(self, entry: Entry, coupon_file_id: str) -> None:
        """Write down which coupon file an upload became."""
        self._end(entry, UPLOADED, coupon_file_id)

    def release(self, entry: Entry) -> None:
        """Give a claim up: nothing was uploaded, as far as can be known for sure."""
        self._end(entry, RELEASED, "")

    def overwritten(self, entry: Entry, now: CheckedFile) -> None:
        """
        Write down that the service may have fetched either of two contents: both count as known, and as uncertain.

        :param entry: the entry of the content that was uploaded.
        :param now: what the object has now.
        """
        entries = self._entries(now.sha256)
        number = entries[0].number + 1 if entries else 1
        other = replace(
            entry, sha256=now.sha256, number=number, etag=now.etag, size=now.size, codes=now.codes, state=CLAIMED
        )
        other = replace(other, nonce=uuid.uuid4().hex)
        if self.store.create(other.key, asdict(other)):  # else it is being uploaded as a file of its own
            self._end(other, UNCERTAIN, entry.coupon_file_id)
        self._end(entry, UNCERTAIN, entry.coupon_file_id)

    def entries(self) -> list[Entry]:
        """All entries of the list, in the order of their claims."""
        return entries_of(self.store)

    def _end(self, entry: Entry, state: str, coupon_file_id: str) -> None:
        ended = {**asdict(entry), "state": state, "coupon_file_id": coupon_file_id}
        self.store.write(f"{entry.key}-result", ended)

    def _entries(self, sha256: str) -> list[Entry]:
        """What there is of a content, the newest first, each with its result."""
        entries = (self._entry(f"{sha256}-{number}") for number in sorted(self.store.numbers(sha256), reverse=True))
        return [entry for entry in entries if entry is not None]

    def _entry(self, key: str) -> Entry | None:
        claimed = self.store.read(key)
        result = self.store.read(f"{key}-result")
        data = result or claimed
        place = self.store.place(f"{key}-result" if result else key)
        return None if data is None else Entry.from_dict(data, key=key, place=place)

    def _owns(self, entry: Entry, file: CheckedFile) -> bool:
        """Whether an entry is of an earlier attempt to upload this very file; not of another one with its content."""
        return entry.owner == self.owner and entry.path == file.path

    def _others(self, file: CheckedFile, entries: Sequence[Entry] | None = None) -> Entry | None:
        """
        The newest entry of a file's content that another task uploaded, or this one from another path.

        :param entries: the entries of the content, if they are read already.
        :return: ``None`` if there is none, or if this task instance has uploaded, or claimed last, this very file.
        """
        entries = self._entries(file.sha256) if entries is None else entries
        standing = [entry for entry in entries if entry.state != RELEASED]
        own = [self._owns(entry, file) for entry in standing]
        if standing and own[0]:
            return None
        others = (self._resolved(entry) for entry, is_own in zip(standing, own, strict=True) if not is_own)
        known = next((entry for entry in others if entry.state in KNOWN), None)
        if known is None:
            return None
        uploaded = (entry for entry, is_own in zip(standing, own, strict=True) if is_own and entry.state == UPLOADED)
        return None if any(self._resolved(entry).state == UPLOADED for entry in uploaded) else known

    def _refuse(self, known: Sequence[tuple[str, Entry]]) -> None:
        """Fail because of known content, unless ``on_known_content`` says what else to do with it."""
        if self.skips:  # what cannot be known is no reason to leave a file out
            known = [(path, entry) for path, entry in known if entry.state == UNCERTAIN]
        if known and self._policy != "upload":
            raise WesKnownContentError(self._list, known, processing_checked=not self._plan_only)

    def _resolved(self, entry: Entry) -> Entry:
        """
        An entry, and what became of a claim that another task has left.

        :raises WesLedgerBusyError: if its task may be uploading right now.
        """
        if entry.state in KNOWN and not self._plan_only and self._failed(entry.coupon_file_id):
            return replace(entry, state=RELEASED)
        if entry.state != CLAIMED:
            return entry
        file_id = self._find(entry.name) if entry.name and not self._plan_only else None
        if file_id is not None and is_ours(entry.name):
            log.warning("%s crashed after it uploaded %s as coupon file %s", entry.by(), entry.path, file_id)
            self.uploaded(entry, file_id)
            return self._resolved(replace(entry, state=UPLOADED, coupon_file_id=file_id))
        if time.time() - entry.at < STALE + self._lag:
            raise WesLedgerBusyError(
                f"{_headline('Another task is uploading its content', self._list, entry.path)}\n"
                "A retry finds out what became of it.\n"
                f"It is {entry.by()}, since {time.time() - entry.at:.0f} s, with the content of {entry.path}"
            )
        if file_id is not None:  # another run may have uploaded it: a name of the user's need not be new
            return self._resolved(replace(entry, state=UNCERTAIN, coupon_file_id=file_id))
        log.warning(
            "%s\n%s: %s",
            "Another task claimed a file; a plan does not check whether the list has it"
            if self._plan_only
            else "The list does not have a file that another task claimed",
            entry.path,
            entry.by(),
        )
        return replace(entry, state=RELEASED)


def entries_of(store: Store) -> list[Entry]:
    """All entries in a store, in the order of their claims."""
    values = dict(store.entries())
    entries = []
    for key in {key.removesuffix("-result") for key in values}:
        kept = f"{key}-result" if f"{key}-result" in values else key
        entries.append(Entry.from_dict(values[kept], key=key, place=store.place(kept)))
    return sorted(entries, key=lambda entry: (entry.at, entry.key))


# -- where it is kept -------------------------------------------------------------------------------


class BucketStore:
    """A folder of object storage, one small object for each claim and each result."""

    def __init__(self, location: Any, coupon_list_id: str) -> None:
        self._fs, folder = bucket_folder(location)
        list_folder = quote(coupon_list_id, safe="")
        self._folder = f"{folder}/{list_folder}"
        self._shown = f"{shown_url(location).rstrip('/')}/{list_folder}"
        self._atomic: bool | None = None  # whether the storage keeps to conditions; not known yet

    def require(self) -> None:
        if bucket_is_missing(self._fs, self._folder):
            raise self._no_bucket()

    def place(self, key: str) -> str:
        return f"{self._shown}/{key}.json"

    def numbers(self, sha256: str) -> set[int]:
        self._fs.invalidate_cache()
        names: Iterable[str] = ()
        with suppress(FileNotFoundError), self._access("listed"):
            names = self._fs.find(self._folder, prefix=f"{sha256}-")
        entry = re.compile(rf"{sha256}-([1-9]\d*)(-result)?\.json")
        found = {int(match[1]) for name in names if (match := entry.fullmatch(name.rpartition("/")[2]))}
        number = max(found, default=0) + 1
        while self.read(f"{sha256}-{number}") is not None:  # of some servers, a listing may be behind
            found.add(number)
            number += 1
        return found

    def read(self, key: str) -> dict[str, Any] | None:
        self._fs.invalidate_cache()
        with suppress(FileNotFoundError):
            return self._load(key)
        return None

    def write(self, key: str, value: dict[str, Any]) -> None:
        with self._access("written"):
            self._fs.pipe_file(f"{self._folder}/{key}.json", json.dumps(value).encode())

    def create(self, key: str, value: dict[str, Any]) -> bool:
        began = time.monotonic()
        if self.read(key) is not None:
            return False
        created = self._created(key, value)
        if created and self._atomic is None:
            self._atomic = not self._created(key, value)  # some servers ignore the condition
        if created and not self._atomic:
            _wait_for_other_writes(began, value)
        return self.read(key) == value  # also after a lost reply, when a repeated request finds its own object

    def _created(self, key: str, value: dict[str, Any]) -> bool:
        """Write an object on the condition that there is none."""
        try:
            with self._access("written"):
                self._fs.pipe_file(f"{self._folder}/{key}.json", json.dumps(value).encode(), mode="create")
        except FileExistsError:
            return False
        return True

    def entries(self) -> Iterator[tuple[str, dict[str, Any]]]:
        self._fs.invalidate_cache()
        try:
            with self._access("listed"):
                names = self._fs.ls(self._folder, detail=False)
        except FileNotFoundError:
            self.require()
            return
        for name in sorted(names):
            if name.endswith(".json"):
                key = name.rpartition("/")[2].removesuffix(".json")
                yield key, self._load(key)

    def _load(self, key: str) -> dict[str, Any]:
        with self._access("read"):
            content = self._fs.cat_file(f"{self._folder}/{key}.json")
        try:
            return dict(json.loads(content))
        except (TypeError, ValueError):
            raise WesLedgerError(f"An entry of the ledger is not a JSON object\n{self.place(key)}\n{CHANGED}") from None

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
                f"The ledger cannot be {done} ({type(error).__name__}).\n"
                f"The connection has to list, read and write its folder\n{self._shown}"
            ) from None

    def _no_bucket(self) -> WesLedgerError:
        return WesLedgerError(
            f"The bucket of the ledger does not exist.\nCreate it, or correct Ledger(location)\n{self._shown}"
        )


class AssetStore:
    """The asset state store of a list's asset, through a running task."""

    def __init__(self, accessor: Any) -> None:
        self._accessor = accessor

    def require(self) -> None:
        """It is there with the asset."""

    def place(self, key: str) -> str:
        return f"Key {KEY_PREFIX}{key} of the asset state store"

    def numbers(self, sha256: str) -> set[int]:
        found, number, missing = set(), 1, 0
        while missing < GAP:
            is_there = any(self.read(f"{sha256}-{number}{end}") is not None for end in ("", "-result"))
            missing = 0 if is_there else missing + 1
            found |= {number} if is_there else set()
            number += 1
        return found

    def read(self, key: str) -> dict[str, Any] | None:
        value = self._accessor.get(KEY_PREFIX + key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise WesLedgerError(f"An entry of the ledger is not a JSON object\n{self.place(key)}\n{CHANGED}")
        return dict(value)

    def write(self, key: str, value: dict[str, Any]) -> None:
        self._accessor.set(KEY_PREFIX + key, value)

    def create(self, key: str, value: dict[str, Any]) -> bool:
        began = time.monotonic()
        if self.read(key) is not None:
            return False
        self.write(key, value)
        _wait_for_other_writes(began, value)
        return self.read(key) == value

    def entries(self) -> Iterator[tuple[str, dict[str, Any]]]:
        raise NotImplementedError("a task cannot list a store's keys; the command wes-ledger can")


def _wait_for_other_writes(began: float, value: Mapping[str, Any]) -> None:
    """
    Wait until whoever claims the same content has written it.

    :param began: when nobody had claimed it, on the monotonic clock.
    :param value: the value of the claim that was written since.
    :raises WesLedgerBusyError: if that took so long that another task may be past its own wait.
    """
    if time.monotonic() - began > WRITES_END / 2:
        raise WesLedgerBusyError(
            f"{_headline('The ledger was too slow to claim it', value['coupon_list_id'], value['path'])}\n"
            "A retry finds out whether another task claimed it in the meantime"
        )
    time.sleep(WRITES_END)


def _accessor(coupon_list_id: str, context: Mapping[str, Any]) -> Any:
    """The state store of the list's asset."""
    from wes_provider.assets import coupon_list

    stores = context.get("asset_state_store")
    if stores is None:
        raise WesConfigurationError(
            "Ledger() without a location needs the asset state store of Airflow 3.3.\n"
            "Give it a folder of object storage: Ledger('s3://aws_default@bucket/ledger')"
        )
    try:
        return stores[coupon_list(coupon_list_id)]
    except KeyError:
        raise WesConfigurationError(
            f"Ledger() keeps its entries with the asset of list {coupon_list_id}, which the task does not name.\n"
            f"Add coupon_list({coupon_list_id!r}) from wes_provider.assets to the task's outlets"
        ) from None


def _headline(cause: str, coupon_list_id: str, path: str) -> str:
    return headline(cause, coupon_list_id, title=file_title(path), longest=ERROR_HEADLINE)
