"""
What was uploaded to a coupon list, by content: so that no two DAGs give the same codes to it.

A writer claims the next number of a content before its upload, and writes the result after it; only the claim's owner
writes the result. Whatever is left of any number counts: objects that someone has deleted do not make content unknown.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec

from wes_provider.arguments import templated
from wes_provider.exceptions import WesConfigurationError, WesResponseError, WesUnknownOutcomeError
from wes_provider.polling import Statuses
from wes_provider.storage.content import CheckedFile
from wes_provider.storage.errors import WesKnownContentError, WesLedgerBusyError
from wes_provider.storage.location import shown_url
from wes_provider.storage.stores import AssetStore, BucketStore, Entry, Store, check_folder, entries_of
from wes_provider.texts import about, counted, shown
from wes_provider.uploads.identity import parse

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["Ledger", "ListLedger", "Service"]

log = logging.getLogger(__name__)

STALE: Final = 900.0  # seconds after which a claim's request is over, whatever became of it
FRESH: Final = 300.0  # seconds for which a claim covers its owner's requests; then it claims again
PER_RUN: Final = re.compile(r"{{.*\b(ds|ts|run_id|dag_run|ti|task_instance|\w+_date|\w+_nodash\w*|data_interval\w*)\b")


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

    def open(self, coupon_list_id: str, context: Mapping[str, Any], service: Service | None = None) -> ListLedger:
        """
        The ledger of one list, for a task.

        :param context: the context of the running task.
        :raises WesConfigurationError: if there is no place for it.
        """
        self._check()
        if PER_RUN.search(str(self._written)):
            log.warning(
                "%s\nGive it a location that stays the same: a new ledger does not know earlier uploads. It is %s",
                about("Each date or run has a ledger of its own", coupon_list_id),
                shown_url(self._written),
            )
        in_airflow = self.location is None
        store = AssetStore(coupon_list_id, context) if in_airflow else BucketStore(self.location, coupon_list_id)
        return ListLedger(store, self.on_known_content, coupon_list_id, context, service)

    def _check(self) -> None:
        if self.on_known_content not in ("fail", "skip", "upload"):
            raise WesConfigurationError(
                f"on_known_content takes fail, skip or upload, not {shown(self.on_known_content)}"
            )


class Service:
    """What the service tells about uploads to a list; ``lag`` is how many seconds the list may be behind."""

    def __init__(self, hook: WesHook, coupon_list_id: str, statuses: Statuses | None) -> None:
        self._hook, self._list = hook, coupon_list_id
        self._statuses = statuses or hook.settings.statuses
        self.lag: float = hook.settings.coupon_files_lag

    def find(self, name: str) -> str | None:
        """The id of the list's file of a name, one that did not fail if there are several; ``None`` if it has none."""
        listing, wanted = self._hook.read_list(self._list), parse(name)
        ids = list[str]()
        for record in listing.records:
            found = parse(record.get("name"))
            ours = found and wanted and (found.hash, found.start) == (wanted.hash, wanted.start)
            if (record.get("name") == name or ours) and isinstance(record.get("_id"), str):
                ids.append(record["_id"])
        if ids:
            return next((file_id for file_id in ids if not self.failed(file_id)), ids[0])
        unnamed = listing.records and not any(record.get("name") for record in listing.records)
        if listing.incomplete or unnamed:
            raise WesUnknownOutcomeError(
                f"{about('Perhaps uploaded, by a task that crashed', self._list)}\n"
                f"Look in the list for a file whose name has {name!r}; Ledger(on_known_content='skip') or 'upload' "
                f"do not help here. {listing.incomplete or 'The list shows no names'}"
            )
        return None

    def failed(self, coupon_file_id: str) -> bool:
        """Whether a file failed processing, so that the list has none of its codes."""
        try:
            record = self._hook.get_coupon_file(self._list, coupon_file_id)
        except WesResponseError:
            return False  # nothing is known of it but that it was uploaded
        return self._statuses.failed(str(record.get("status") or ""))


class ListLedger:
    """One list's ledger, in the hands of one task instance; without a service, as in a plan, it asks nobody."""

    def __init__(
        self, store: Store, policy: str, coupon_list_id: str, context: Mapping[str, Any], service: Service | None
    ) -> None:
        self.skips = policy == "skip"
        self._store, self._policy, self._list, self._service = store, policy, coupon_list_id, service
        ti, loop = context["ti"], context.get("loop")
        map_index = -1 if ti.map_index is None else ti.map_index
        self._task = {"dag_id": ti.dag_id, "run_id": ti.run_id, "task_id": ti.task_id, "map_index": map_index}
        identity = [*self._task.values(), *([loop.index] if loop is not None else [])]
        self.owner = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:32]

    def check(self, files: Sequence[CheckedFile]) -> dict[int, Entry]:
        """
        Look files up before the first is uploaded.

        :return: by their index, the entries of files to skip.
        :raises WesKnownContentError: naming every file that another task uploaded, if ``on_known_content`` is ``fail``.
        :raises WesLedgerBusyError: if another task is uploading one of them now.
        """
        found = ((index, self._others(file, self._entries(file))) for index, file in enumerate(files))
        known = {index: entry for index, entry in found if entry is not None}
        self._refuse([(files[index], entry) for index, entry in known.items()])
        for index, entry in known.items():
            text = "The content of %s was uploaded before: coupon file %s, by %s"
            log.info(text, files[index].path, entry.coupon_file_id, entry.by())
        return known if self.skips else {}

    def claim(self, file: CheckedFile, name: str) -> tuple[Entry, bool]:
        """
        Write down that a file is about to be uploaded; right before its request.

        A task instance keeps its claim from attempt to attempt: what became of the request is for the upload's own
        record to resolve. It claims again if the claim is so old that others may soon take it for abandoned.

        :param name: the file's name in the list.
        :return: the claim, and whether it is new, so that no request was sent under it.
        :raises WesLedgerBusyError: as :meth:`check` does, and if the file is to be skipped now.
        """
        entries = self._entries(file)
        last = next((entry for entry in entries if entry.state != "released"), None)
        if last and self._owns(last, file) and last.state == "claimed" and time.time() - last.at < FRESH:
            return last, False
        if (known := self._others(file, entries)) is not None:
            self._refuse([(file, known)])
            if self.skips:
                cause = about("Another task uploaded it after this one checked it", self._list, file.path)
                raise WesLedgerBusyError(f"{cause}\nA retry leaves it out.")
        if before := [entry for entry in entries if self._owns(entry, file) and entry.known]:
            log.warning(
                "%s is uploaded again: this task uploaded it as coupon file %s\non_duplicate='upload', or a file that "
                "failed processing, requires that; the ledger refuses only what other tasks uploaded",
                *(file.path, before[0].coupon_file_id),
            )
        if not self._store.create(entry := self._entry(file, entries, name)):
            cause = about("Another task claimed its content just now", self._list, file.path)
            raise WesLedgerBusyError(f"{cause}\nA retry finds out what became of it.")
        return entry, True

    def own(self, file: CheckedFile) -> Entry | None:
        """The newest entry of a file's content that is this file's, by this task instance."""
        entries = self._entries(file)
        return next((entry for entry in entries if entry.state != "released" and self._owns(entry, file)), None)

    def end(self, entry: Entry, state: str, coupon_file_id: str = "") -> Entry:
        """Write down what became of a claim: ``uploaded``, ``uncertain``, or ``released`` if nothing was uploaded."""
        ended = msgspec.structs.replace(entry, state=state, coupon_file_id=coupon_file_id)
        self._store.write(f"{entry.key}-result", ended)
        return ended

    def overwritten(self, entry: Entry, now: CheckedFile) -> None:
        """Write down that the service may have fetched either of two contents: both count as uncertain."""
        other = self._entry(now, self._entries(now), entry.name)
        if self._store.create(other):  # else it is being uploaded as a file of its own
            self.end(other, "uncertain", entry.coupon_file_id)
        self.end(entry, "uncertain", entry.coupon_file_id)

    def _entry(self, file: CheckedFile, entries: Sequence[Entry], name: str) -> Entry:
        fields = {field: getattr(file, field) for field in ("sha256", "path", "etag", "size", "codes")}
        task = {**self._task, "owner": self.owner, "coupon_list_id": self._list}
        number, nonce = entries[0].number + 1 if entries else 1, uuid.uuid4().hex
        return Entry(**fields, **task, number=number, at=time.time(), nonce=nonce, name=name)

    def _entries(self, file: CheckedFile) -> list[Entry]:
        """What there is of a content, the newest first, each with its result."""
        return sorted(entries_of(self._store.stored(file.sha256)), key=lambda entry: -entry.number)

    def _owns(self, entry: Entry, file: CheckedFile) -> bool:
        """Whether an entry is of an earlier attempt to upload this very file; not of another one with its content."""
        return entry.owner == self.owner and entry.path == file.path

    def _others(self, file: CheckedFile, entries: Sequence[Entry]) -> Entry | None:
        """
        The newest entry of a file's content that another task uploaded, or this one from another path.

        :return: ``None`` if there is none, or if this task instance has uploaded, or claimed last, this very file.
        """
        standing = [entry for entry in entries if entry.state != "released"]
        own = [entry for entry in standing if self._owns(entry, file)]
        if own and own[0] is standing[0]:
            return None
        others = (self._resolved(entry) for entry in standing if entry not in own)
        known = next((entry for entry in others if entry.known), None)
        uploaded = (entry for entry in own if known and entry.state == "uploaded")
        return None if any(self._resolved(entry).state == "uploaded" for entry in uploaded) else known

    def _refuse(self, known: Sequence[tuple[CheckedFile, Entry]]) -> None:
        """Fail because of known content, unless ``on_known_content`` says what else to do with it."""
        if self.skips:  # what cannot be known is no reason to leave a file out
            known = [(file, entry) for file, entry in known if entry.state == "uncertain"]
        if known and self._policy != "upload":
            unclear = {"uncertain": "; whether it has this content cannot be known"}
            lines = [
                f"{file.path}: coupon file {entry.coupon_file_id}, by {entry.by()}{unclear.get(entry.state, '')}"
                for file, entry in known
            ]
            cause = about(f"The content of {counted(len(lines), 'file')} was uploaded before", self._list)
            advice = "Ledger(on_known_content='skip') leaves such files out; 'upload' gives the list their codes again."
            raise WesKnownContentError(f"{cause}\n{advice}", lines)

    def _resolved(self, entry: Entry) -> Entry:
        """
        An entry, and what became of a claim that another task has left.

        :raises WesLedgerBusyError: if its task may be uploading right now.
        """
        service = self._service
        if entry.known and service is not None and service.failed(entry.coupon_file_id):
            return msgspec.structs.replace(entry, state="released")
        if entry.state != "claimed":
            return entry
        file_id = service.find(entry.name) if entry.name and service is not None else None
        if file_id is not None and parse(entry.name) is not None:
            log.warning("%s crashed after it uploaded %s as coupon file %s", entry.by(), entry.path, file_id)
            return self._resolved(self.end(entry, "uploaded", file_id))
        if (age := time.time() - entry.at) < STALE + (service.lag if service is not None else 0):
            cause = about("Another task is uploading its content", self._list, entry.path)
            advice = f"A retry finds out what became of it. It is {entry.by()}, since {age:.0f} s"
            raise WesLedgerBusyError(f"{cause}\n{advice}")
        if file_id is not None:  # another run may have uploaded it: a name of the user's need not be new
            return self._resolved(msgspec.structs.replace(entry, state="uncertain", coupon_file_id=file_id))
        unless = "the list does not have it" if service else "a plan does not look whether the list has it"
        log.warning("%s claimed %s long ago; %s", entry.by(), entry.path, unless)
        return msgspec.structs.replace(entry, state="released")
