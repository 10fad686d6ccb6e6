"""
What was uploaded to a coupon list, by content: so that no two DAGs give the same codes to it.

A task claims a content before its upload, and completes the claim after it. A claim stands until
the task that has it learns what became of its upload, if need be in another attempt or after a
clear: nobody else guesses that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from wes_provider.arguments import check_choice, early
from wes_provider.storage.errors import WesKnownContentError, WesLedgerBusyError
from wes_provider.storage.files import PlannedFile
from wes_provider.storage.location import Location, shown_url
from wes_provider.storage.stores import AssetStore, BucketStore, Entry, Store
from wes_provider.texts import about, counted

__all__ = ["Ledger", "ListLedger"]

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
            early(Location.of, self.location)

    def __repr__(self) -> str:
        location = None if self.location is None else shown_url(self.location)
        return f"Ledger({location!r}, on_known_content={self.on_known_content!r})"

    def open(
        self, coupon_list_id: str, context: Mapping[str, Any], failed: Callable[[str], bool]
    ) -> ListLedger:
        """
        The ledger of one list, for a task.

        :param context: the context of the running task.
        :param failed: whether a coupon file failed processing, so that the list has none of its
            codes.
        :raises WesConfigurationError: if there is no place for it.
        """
        check_choice("on_known_content", self.on_known_content, *POLICIES)
        in_airflow = self.location is None
        store = (
            AssetStore(coupon_list_id, context)
            if in_airflow
            else BucketStore(self.location, coupon_list_id)
        )
        return ListLedger(store, self.on_known_content, coupon_list_id, context, failed)


class ListLedger:
    """One list's ledger, in the hands of one task instance."""

    def __init__(
        self,
        store: Store,
        policy: str,
        coupon_list_id: str,
        context: Mapping[str, Any],
        failed: Callable[[str], bool],
    ) -> None:
        self.policy = policy
        self._store, self._list, self._failed = store, coupon_list_id, failed
        ti, loop = context["ti"], context.get("loop")
        index = "" if ti.map_index in (None, -1) else f"[{ti.map_index}]"
        iteration = "" if loop is None else f" and iteration {loop.index}"
        self._by = f"task {ti.task_id}{index} of DAG {ti.dag_id} in run {ti.run_id}{iteration}"

    def check(self, files: Sequence[PlannedFile]) -> dict[int, Entry]:
        """
        Look files up before the first is uploaded.

        :return: by their index, the entries of files to skip.
        :raises WesKnownContentError: naming every file that another task uploaded, if
            ``on_known_content`` is ``fail``.
        :raises WesLedgerBusyError: if another task has claimed one of them.
        """
        if self.policy == "upload":
            return {}
        found = [self._of_others(file, self._store.entries(file.sha256)) for file in files]
        known = {index: entry for index, entry in enumerate(found) if entry is not None}
        lines = [
            f"{files[at].path}: coupon file {entry.coupon_file_id}, by {entry.by}"
            for at, entry in known.items()
        ]
        if known and self.policy == "fail":
            cause = about(
                f"The content of {counted(len(lines), 'file')} was uploaded before", self._list
            )
            advice = (
                "Ledger(on_known_content='skip') leaves such files out; 'upload' gives the "
                "list their codes again."
            )
            raise WesKnownContentError(f"{cause}\n{advice}", lines)
        return known

    def claim(self, file: PlannedFile) -> Entry:
        """
        Write down that a file is about to be uploaded; right before its request. A task instance
        keeps its claim.

        :raises WesLedgerBusyError: as :meth:`check` does, or if another task uploaded or claimed
            the content since.
        """
        entries = self._store.entries(file.sha256)
        own = self.own(file, entries)
        if own is not None and own.state == "claimed":
            return own
        if self.policy == "upload" or self._of_others(file, entries) is None:
            fields = {name: getattr(file, name) for name in ("sha256", "path", "etag", "codes")}
            # Of writers who have read the same entries, one succeeds.
            number = entries[0].number + 1 if entries else 1
            entry = Entry(**fields, coupon_list_id=self._list, number=number, by=self._by)
            if self._store.create(entry):
                return entry
        cause = about(
            "Another task uploaded or claimed its content just now", self._list, file.path
        )
        raise WesLedgerBusyError(f"{cause}\nA retry finds out what became of it.")

    def own(self, file: PlannedFile, entries: Sequence[Entry] | None = None) -> Entry | None:
        """
        The newest claim or upload of this very file by this task instance; not of another one with
        its content.
        """
        read = self._store.entries(file.sha256) if entries is None else entries
        standing = (entry for entry in read if entry.state != "released")
        return next(
            (entry for entry in standing if entry.by == self._by and entry.path == file.path), None
        )

    def end(self, entry: Entry, coupon_file_id: str | None) -> None:
        """
        Write down what became of a claim: which coupon file, or ``None`` if surely nothing was
        uploaded.
        """
        state = "released" if coupon_file_id is None else "uploaded"
        self._store.finish(
            msgspec.structs.replace(entry, state=state, coupon_file_id=coupon_file_id or "")
        )

    def _of_others(self, file: PlannedFile, entries: Sequence[Entry]) -> Entry | None:
        """
        The newest upload of a content, if it is not this task instance's of this very file.

        :raises WesLedgerBusyError: if another task has claimed it.
        """
        own = self.own(file, entries)
        for entry in entries:
            if entry is own:
                return None
            if entry.state == "claimed":
                cause = about("Another task has claimed its content", self._list, file.path)
                advice = (
                    f"If {entry.by} is running, a retry finds out what became of its upload. "
                    "If not, clear it; "
                )
                advice += (
                    f"or, if the list does not have its file {entry.path}, delete "
                    f"{entry.key} from the ledger"
                )
                raise WesLedgerBusyError(f"{cause}\n{advice}")
            if entry.state == "uploaded" and not self._failed(entry.coupon_file_id):
                return entry
        return None
