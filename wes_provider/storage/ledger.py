"""
What was uploaded to a coupon list, by content: so that no two DAGs give the same codes to it.

A task claims a content before its upload, and completes the claim after it. A claim stands until
the task that has it learns what became of its upload, if need be in another attempt or after a
clear: nobody else guesses that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import msgspec

from wes_provider.arguments import check_choice, early
from wes_provider.attempt import Attempt
from wes_provider.storage.errors import WesKnownContentError, WesLedgerBusyError
from wes_provider.storage.location import Location, shown_url
from wes_provider.storage.plan import PlannedFile
from wes_provider.storage.stores import AssetStore, BucketStore, Entry, Store
from wes_provider.texts import about, counted

__all__ = ["FileClaim", "Ledger", "ListLedger"]

POLICIES: Final = ("fail", "skip", "upload")


@dataclass(repr=False)
class Ledger:
    """
    Records what was uploaded to a list, and refuses to upload the same content twice. All arguments
    are templated.

    It knows what operators with a ledger at the same location have uploaded, and nothing else.

    :param location: a folder of object storage, such as ``s3://aws_default@promo/ledger``, in which
        each list gets a folder. Without it, the ledger is in the asset state store of the list's
        asset (Airflow 3.3 and later).
    :param on_known_content: what to do with a file whose content was uploaded to the list before:
        ``fail``, ``skip`` the file, or ``upload`` it again.
    """

    location: Any = None
    on_known_content: str = "fail"

    template_fields: ClassVar[Sequence[str]] = ("location", "on_known_content")

    def __post_init__(self) -> None:
        early(check_choice, "on_known_content", self.on_known_content, *POLICIES)
        if self.location is not None:
            early(Location.of_folder, "location of Ledger", self.location)

    def __repr__(self) -> str:
        location = None if self.location is None else shown_url(self.location)
        return f"Ledger({location!r}, on_known_content={self.on_known_content!r})"

    def open(
        self,
        coupon_list_id: str,
        attempt: Attempt,
        failed: Callable[[str], bool],
        workspace: str = "",
    ) -> ListLedger:
        """
        Open the ledger of one list, for a task.

        :param attempt: the running task.
        :param failed: whether a coupon file failed processing, so that the list has none of its
            codes.
        :param workspace: the workspace identifier of the account that has the list; empty if it is
            not known, and then uploads to lists of that name in all accounts count.
        :raises WesConfigurationError: if there is no place for it.
        """
        check_choice("on_known_content", self.on_known_content, *POLICIES)
        store: Store
        if self.location is None:
            store = AssetStore(coupon_list_id, attempt)
        else:
            store = BucketStore(self.location, coupon_list_id)
        asker = Asker(
            by=describe_task(attempt),
            workspace=workspace,
            run_started=attempt.run_started,
            run_never_cleared=attempt.run_never_cleared,
        )
        return ListLedger(store, self.on_known_content, coupon_list_id, asker, failed)


# -- what an entry means for a file ----------------------------------------------------------------


class Asker(NamedTuple):
    """
    The task instance that asks what entries mean, and the account that it uploads to.

    :ivar by: the task instance, as entries name it.
    :ivar run_started: as entries have it; ``run_never_cleared``: as the attempt has it.
    """

    by: str
    workspace: str = ""
    run_started: int | None = None
    run_never_cleared: bool = False

    def uploads_to_same_account(self, entry: Entry) -> bool:
        """Tell whether an entry may be of the list of the same name in this very account."""
        if not entry.workspace or not self.workspace:
            return True
        return entry.workspace == self.workspace

    def wrote(self, entry: Entry, path: str) -> bool:
        """Tell whether this task instance wrote an entry for this very file."""
        if entry.by != self.by or entry.path != path:
            return False
        # A run that was deleted and created again has the name of the first one, and its task
        # knows nothing of an upload before. A clear moves the start of a run, too.
        starts_are_known = entry.run_started is not None and self.run_started is not None
        is_another_run = starts_are_known and entry.run_started != self.run_started
        return not (is_another_run and self.run_never_cleared)


class Free(NamedTuple):
    """Nobody has uploaded the content, or is about to."""


class Ours(NamedTuple):
    """This task instance has claimed or uploaded this very file."""

    entry: Entry


class ClaimedBy(NamedTuple):
    """Another task has claimed the content, and what became of its upload is not written."""

    entry: Entry


class Uploaded(NamedTuple):
    """Another task has uploaded the content; or this one has, from another path."""

    entry: Entry


Standing = Free | Ours | ClaimedBy | Uploaded


def standing(entries: Sequence[Entry], asker: Asker, path: str) -> Standing:
    """
    Decide what the entries of a content mean for a file: the newest counts that was not given back,
    and is not of another account.

    :param entries: of the file's content, the newest first.
    """
    for entry in entries:
        if entry.state == "released" or not asker.uploads_to_same_account(entry):
            continue
        if asker.wrote(entry, path):
            return Ours(entry)
        if entry.state == "claimed":
            return ClaimedBy(entry)
        return Uploaded(entry)
    return Free()


# -- one task's view -------------------------------------------------------------------------------


class Claim(NamedTuple):
    """
    A claim of this task instance.

    :ivar is_kept: whether it is of an earlier request, of which something may have come.
    """

    entry: Entry
    is_kept: bool


class ListLedger:
    """
    One list's ledger, in the hands of one task instance.

    :param store: of the list's entries.
    :param policy: ``on_known_content``.
    :param asker: the task instance, and its account.
    :param failed: whether a coupon file failed processing, so that the list has none of its codes.
    """

    def __init__(
        self,
        store: Store,
        policy: str,
        coupon_list_id: str,
        asker: Asker,
        failed: Callable[[str], bool],
    ) -> None:
        self.policy = policy
        self._store = store
        self._list = coupon_list_id
        self._asker = asker
        self._failed = failed

    def find_known(self, files: Sequence[PlannedFile]) -> dict[int, Entry]:
        """
        Look files up before the first is uploaded.

        :return: by their index, the uploads of files to skip.
        :raises WesKnownContentError: naming every file that another task uploaded, if
            ``on_known_content`` is ``fail``.
        :raises WesLedgerBusyError: if another task has claimed one of them.
        """
        if self.policy == "upload":
            return {}
        known: dict[int, Entry] = {}
        for index, file in enumerate(files):
            stands = self._standing(file, self._store.entries(file.sha256))
            if isinstance(stands, ClaimedBy):
                raise self._claimed_error(file, stands.entry)
            if isinstance(stands, Uploaded):
                known[index] = stands.entry
        if known and self.policy == "fail":
            raise self._known_error(files, known)
        return known

    def claim(self, file: PlannedFile) -> Claim:
        """
        Write down that a file is about to be uploaded, right before its request. A task instance
        keeps its claim.

        :raises WesLedgerBusyError: if another task uploaded or claimed the content since.
        """
        entries = self._store.entries(file.sha256)
        ours = self.find_ours(file, entries)
        if ours is not None and ours.state == "claimed":
            return Claim(ours, is_kept=True)
        if self.policy != "upload":
            stands = self._standing(file, entries)
            if isinstance(stands, ClaimedBy):
                raise self._claimed_error(file, stands.entry)
            if isinstance(stands, Uploaded):
                raise self._claimed_just_now_error(file)
        entry = Entry(
            sha256=file.sha256,
            # Of writers who have read the same entries, one succeeds.
            number=entries[0].number + 1 if entries else 1,
            coupon_list_id=self._list,
            path=file.path,
            etag=file.etag,
            codes=file.codes,
            by=self._asker.by,
            workspace=self._asker.workspace,
            run_started=self._asker.run_started,
        )
        if not self._store.claim(entry):
            raise self._claimed_just_now_error(file)
        return Claim(entry, is_kept=False)

    def find_ours(self, file: PlannedFile, entries: Sequence[Entry] | None = None) -> Entry | None:
        """
        Find the newest claim or upload of this very file by this task instance.

        :param entries: of its content, if they have been read.
        """
        if entries is None:
            entries = self._store.entries(file.sha256)
        for entry in entries:
            is_ours = self._asker.wrote(entry, file.path)
            is_here = self._asker.uploads_to_same_account(entry)
            if is_ours and is_here and entry.state != "released":
                return entry
        return None

    def complete(self, entry: Entry, coupon_file_id: str) -> None:
        """Write down which coupon file came of a claim."""
        uploaded = msgspec.structs.replace(entry, state="uploaded", coupon_file_id=coupon_file_id)
        self._store.complete(uploaded)

    def release(self, entry: Entry) -> None:
        """Give a claim back, of which definitely nothing came."""
        self._store.complete(msgspec.structs.replace(entry, state="released", coupon_file_id=""))

    def _standing(self, file: PlannedFile, entries: Sequence[Entry]) -> Standing:
        """Decide what the entries mean without the uploads that failed processing."""
        remaining = list(entries)
        while True:
            stands = standing(remaining, self._asker, file.path)
            if not isinstance(stands, Uploaded) or not self._failed(stands.entry.coupon_file_id):
                return stands
            remaining.remove(stands.entry)

    # -- errors

    def _known_error(
        self, files: Sequence[PlannedFile], known: Mapping[int, Entry]
    ) -> WesKnownContentError:
        lines = [
            f"{files[index].path}: coupon file {entry.coupon_file_id}, by {entry.by}"
            for index, entry in known.items()
        ]
        cause = about(
            f"The content of {counted(len(lines), 'file')} was uploaded before", self._list
        )
        advice = (
            "Ledger(on_known_content='skip') leaves such files out; 'upload' gives the list their "
            "codes again."
        )
        return WesKnownContentError(f"{cause}\n{advice}", lines)

    def _claimed_error(self, file: PlannedFile, entry: Entry) -> WesLedgerBusyError:
        cause = about("Another task has claimed its content", self._list, file.path)
        return WesLedgerBusyError(
            f"{cause}\nIf {entry.by} is running, a retry finds out what became of its upload. If "
            f"not, clear it; or, if the list does not have its file {entry.path}, delete "
            f"{entry.key} from the ledger"
        )

    def _claimed_just_now_error(self, file: PlannedFile) -> WesLedgerBusyError:
        cause = about(
            "Another task uploaded or claimed its content just now", self._list, file.path
        )
        return WesLedgerBusyError(f"{cause}\nA retry finds out what became of it.")


class FileClaim:
    """The steps of one file's upload, as the ledger sees them."""

    def __init__(self, ledger: ListLedger, file: PlannedFile) -> None:
        self._ledger = ledger
        self._file = file
        self._claim: Claim | None = None

    def claim(self) -> None:
        """Claim the file, right before its request."""
        self._claim = self._ledger.claim(self._file)

    def complete(self, coupon_file_id: str) -> None:
        """Note the coupon file, whether this attempt uploaded it or adopted it."""
        claim = self._claim
        self._claim = None
        entry = claim.entry if claim else self._ledger.find_ours(self._file)
        if entry is not None and entry.coupon_file_id != coupon_file_id:
            self._ledger.complete(entry, coupon_file_id)

    def release(self) -> None:
        """
        Give the claim back, since the request definitely had no effect, unless it is kept from an
        earlier request.
        """
        if self._claim is not None and not self._claim.is_kept:
            self._ledger.release(self._claim.entry)
        self._claim = None


def describe_task(attempt: Attempt) -> str:
    """Name a task instance in words, the same in each of its attempts."""
    task = attempt.task_id
    if attempt.map_index != -1:
        task = f"{task}[{attempt.map_index}]"
    words = f"task {task} of DAG {attempt.dag_id} in run {attempt.run_id}"
    if attempt.loop_index is not None:
        words += f" and iteration {attempt.loop_index}"
    return words
