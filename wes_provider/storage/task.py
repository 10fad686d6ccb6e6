"""What the uploading operators do if an argument needs object storage: list, check, plan, keep the ledger."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider.exceptions import WesConfigurationError, WesError, WesResponseError, WesUnknownOutcomeError
from wes_provider.models import ERROR_HEADLINE, CouponFile, counted, file_title, headline, in_storage, shorten, shown
from wes_provider.storage.errors import (
    WesFileNotFoundError,
    WesFileOverwrittenError,
    WesLedgerBusyError,
    WesLedgerError,
    WesPreflightError,
)
from wes_provider.storage.files import BucketFile, BucketFiles
from wes_provider.storage.ledger import Entry, Ledger, ListLedger
from wes_provider.storage.preflight import (
    CheckedFile,
    Preflight,
    UrlFile,
    checksum,
    same_content,
    same_content_problems,
    upload_plan,
)
from wes_provider.storage.reconcile import check_added, more_than_expected, reconciled
from wes_provider.uploads.identity import TaskIdentity, digest, parse
from wes_provider.uploads.request import UploadRequest

__all__ = ["PLAN_KEY", "StorageUploads", "UploadSource"]

log = logging.getLogger(__name__)

PLAN_KEY: Final = "plan"  # of the XCom


@dataclass
class UploadSource:
    """
    A checked file whose URL is signed, and claimed in the ledger, when it is sent.

    :ivar name: by which the list's file is recognised if this task crashes.
    """

    file: BucketFile | UrlFile
    checked: CheckedFile | None
    ledger: ListLedger | None
    name: str
    _entry: Entry | None = None

    @property
    def key(self) -> str:
        """What identifies the content."""
        return self.file.key

    @property
    def label(self) -> str:
        """The path, as messages show it."""
        return self.file.label

    def url(self) -> str:
        """
        The URL for the service, signed now.

        The object is compared with the one that was checked after the claim: that may take long, the request does not.
        """
        if self.ledger is None or self.checked is None:
            return self.file.url()
        self._entry = entry = self.ledger.claim(self.checked, self.name)
        if entry is None:
            raise WesLedgerBusyError(
                f"{shorten(self.label, 36)} was uploaded by another task\n"
                f"A retry leaves it out.\nThat was after this task checked it: {self.label}"
            )
        try:
            return self.file.url()
        except WesError:
            if self.ledger.made(entry):  # there was no request
                with suppress(WesLedgerError):
                    self.refused()
            raise

    def uploaded(self, coupon_file_id: str) -> None:
        """The service has accepted the upload, now or in an earlier attempt."""
        if self.ledger is None or self.checked is None:
            return
        entry = self._entry or self.ledger.own(self.checked)
        if entry is not None and entry.coupon_file_id != coupon_file_id:
            self.ledger.uploaded(entry, coupon_file_id)

    def refused(self) -> None:
        """The request surely had no effect."""
        if self.ledger is not None and self._entry is not None:
            self.ledger.release(self._entry)
            self._entry = None


@dataclass(frozen=True)
class _File:
    """A file, and the place in the operator's argument that names it."""

    item: int
    file: BucketFile | UrlFile


class StorageUploads:
    """
    The files of one task, from the argument to the requests.

    :param task: an uploading operator.
    :param context: Airflow's.
    :param files: the upload's arguments of each item; ``file_url`` may be what storage has.
    :param plan_only: send no request to the service, and do not read its connection.
    """

    def __init__(self, task: Any, context: Any, files: Sequence[Mapping[str, Any]], *, plan_only: bool = False) -> None:
        self._task = task
        self._context = context
        self._items = files
        preflight = task.preflight
        self._preflight = Preflight() if preflight is None else preflight
        ledger: Ledger | None = task.ledger
        self._ledger = (
            None
            if ledger is None
            else ledger.open(
                task.coupon_list_id,
                context,
                self._find,
                self._failed_processing,
                lag=0 if plan_only else task.hook.settings.coupon_files_lag,
                plan_only=plan_only,
            )
        )
        self._overwritten: list[str] = []

    def prepare(self) -> dict[str, Any]:
        """
        List the files, check them, look them up in the ledger, and push the plan.

        :return: the plan.
        """
        listed = self._listed()
        checked = self._checked(listed)
        skipped = self._skipped(checked)
        plan = upload_plan(self._task.coupon_list_id, [file for i, file in enumerate(checked) if i not in skipped])
        files = iter(plan["files"])
        plan["files"] = [
            {
                **(next(files) if index not in skipped else {**file.to_dict(), **skipped[index]}),
                "item": entry.item,
                "source": entry.file.to_dict() if isinstance(entry.file, BucketFile) else None,
            }
            for index, (entry, file) in enumerate(zip(listed, checked, strict=True))
        ]
        for file in plan["files"]:
            if "skipped" in file:
                first = headline("Leaving out", self._task.coupon_list_id, title=file_title(file["path"]))
                log.info("%s\n%s", first, _why_skipped(file))
        if plan["last_upload_at"]:
            files_to_upload = counted(len(checked) - len(skipped), "file")
            log.info("%s to upload, the last at %s", files_to_upload, plan["last_upload_at"])
        self._context["ti"].xcom_push(key=PLAN_KEY, value=plan)
        return plan

    def resumed(self) -> dict[str, Any]:
        """The plan that this attempt pushed before it deferred."""
        ti = self._context["ti"]
        plan = ti.xcom_pull(task_ids=ti.task_id, key=PLAN_KEY, map_indexes=ti.map_index)
        return dict(plan) if isinstance(plan, Mapping) else self.prepare()

    def requests(self, plan: Mapping[str, Any], *, single: bool = False) -> list[UploadRequest]:
        """
        The uploads of a plan.

        :param single: the task uploads one file with this operator.
        """
        requests = []
        identity = TaskIdentity.of(self._context)
        recorded = self._context.get("task_state_store") is not None
        for entry in plan["files"]:
            if "skipped" in entry:
                continue
            fields = self._items[entry["item"]]
            file = self._file(entry, fields)
            # With a record, a file that was overwritten is noticed; without one, it has to be another upload.
            identifying = [file.label, str(fields.get("name", "")), *([] if recorded else [file.key])]
            part = "" if single and recorded else digest(*identifying)
            name = str(fields.get("name", "")) or identity.hash(part)
            checked = CheckedFile.from_dict(entry)
            source = UploadSource(file, checked, self._ledger, name)
            plain = isinstance(file, UrlFile) and self._ledger is None
            requests.append(
                UploadRequest.of(self._task.coupon_list_id, fields, part=part, source=None if plain else source)
            )
        return requests

    def single(self, plan: Mapping[str, Any]) -> UploadRequest:
        """
        The upload of a task that uploads one file.

        :raises WesConfigurationError: if there is not exactly one.
        """
        requests = self.requests(plan, single=True)
        if len(requests) == 1:
            return requests[0]
        if len(plan["files"]) == 1:
            file = plan["files"][0]
            first = headline("Left out", self._task.coupon_list_id, "", file_title(file["path"]), ERROR_HEADLINE)
            raise AirflowSkipException(f"{first}\n{_why_skipped(file)}")
        raise WesConfigurationError(
            f"file_url has to be one file, and {len(plan['files'])} match.\n"
            "Use WesReplenishCouponListOperator for several"
        )

    # -- the steps

    def _listed(self) -> list[_File]:
        listed: dict[str, _File] = {}
        for item, fields in enumerate(self._items):
            value = fields["file_url"]
            if in_storage(value):
                files = value if isinstance(value, BucketFiles) else BucketFiles(value)
                found: Sequence[BucketFile | UrlFile] = files.expand()
            else:
                username, password = (fields.get(f"file_url_auth_{name}") for name in ("username", "password"))
                found = [UrlFile(value, (username or "", password or "") if username or password else None)]
            if len(found) > 1 and fields.get("name"):
                raise WesConfigurationError(
                    f"Several files would all be named {shown(fields['name'])}.\nLeave name out, or name one file\n"
                    f"They are {found[0].label} and {counted(len(found) - 1, 'more file')}"
                )
            for file in found:
                listed.setdefault(file.label if isinstance(file, BucketFile) else f"{item}", _File(item, file))
        return list(listed.values())

    def _checked(self, listed: Sequence[_File]) -> list[CheckedFile]:
        given = self._task.preflight
        to_check = [
            entry.file
            for entry in listed
            if self._preflight is not False and (given or isinstance(entry.file, BucketFile))
        ]
        skip = self._ledger is not None and self._ledger.skips
        found = self._preflight.check(to_check, allow_same=skip) if to_check else ()
        by_file = dict(zip(map(id, to_check), found, strict=True))
        checked = [
            by_file.get(id(entry.file)) or checksum(entry.file, read=self._ledger is not None) for entry in listed
        ]
        if not skip and (problems := same_content_problems(checked)):
            raise WesPreflightError(problems, len(checked))
        return checked

    def _skipped(self, checked: Sequence[CheckedFile]) -> dict[int, dict[str, Any]]:
        """The files that are not uploaded, with their entries in the plan."""
        if self._ledger is None:
            return {}
        known = self._ledger.check(checked)
        skipped: dict[int, dict[str, Any]] = {i: {"skipped": entry.coupon_file_id} for i, entry in known.items()}
        if self._ledger.skips:
            rest = [replace(file, sha256="") if i in known else file for i, file in enumerate(checked)]
            skipped |= {i: {"skipped": None, "same_content_as": path} for i, path in same_content(rest).items()}
        return skipped

    def _file(self, entry: Mapping[str, Any], fields: Mapping[str, Any]) -> BucketFile | UrlFile:
        return BucketFile.from_dict(entry["source"]) if entry["source"] else UrlFile(fields["file_url"])

    # -- afterwards

    def reconcile(
        self, plan: Mapping[str, Any], files: Sequence[Mapping[str, Any]]
    ) -> tuple[list[dict[str, Any]], list[tuple[str, int, int | None]]]:
        """
        Compare what the files had with what the service counted.

        :param files: the summaries of the uploaded files, in the plan's order.
        :return: the summaries with both, and what :meth:`check` needs.
        """
        names = self._task._settings().count_names  # noqa: SLF001 - a part of the task
        planned = [entry for entry in plan["files"] if "skipped" not in entry]
        summaries, shares = [], []
        for entry, file in zip(planned, files, strict=True):
            counts = names.read([CouponFile.from_summary(file)])
            expected = entry["codes"] if entry["checked"] else None
            summaries.append(reconciled(file, expected, added=counts.added, duplicate=counts.duplicates))
            if expected is not None:
                shares.append((entry["path"], expected, counts.added))
            if surplus := more_than_expected(entry["path"], expected, counts.added, counts.duplicates):
                log.warning("%s", surplus)
            self._check_for_change(entry, str(file["id"]))
        return summaries, shares

    def check(self, shares: Sequence[tuple[str, int, int | None]]) -> None:
        """Fail if a file was overwritten while it was processed, or the service added too few of its codes."""
        if self._overwritten:
            raise WesFileOverwrittenError(self._task.coupon_list_id, self._overwritten)
        if self._preflight is not False:
            check_added(shares, self._preflight.added_ratio(), self._task.coupon_list_id)

    def _check_for_change(self, entry: Mapping[str, Any], coupon_file_id: str) -> None:
        """Whether an object is still the one that was uploaded, now that the service has surely fetched it."""
        if not entry["source"]:
            return
        file, checked = BucketFile.from_dict(entry["source"]), CheckedFile.from_dict(entry)
        try:
            current = file.current()
            if current.etag == file.etag:
                return
            now = checksum(current, read=bool(checked.sha256))
        except WesFileNotFoundError:
            return  # people move files away when they are processed
        except WesError as error:
            log.warning("It is not known whether a file was overwritten while it was processed\n%s", error)
            return
        if checked.sha256 and now.sha256 == checked.sha256:
            return
        self._overwritten.append(f"{file.label}: coupon file {coupon_file_id}; ETag {file.etag} then, {now.etag} now")
        if self._ledger is not None and (known := self._ledger.own(checked)) is not None:
            self._ledger.overwritten(known, now)

    # -- what the list shows of other tasks' uploads

    def _find(self, name: str) -> str | None:
        list_id = self._task.coupon_list_id
        shown = []

        def keep(record: Mapping[str, Any]) -> bool:
            shown.append(bool(record.get("name")))
            of = str(record.get("name") or "")
            return of == name or parse(name, of) is not None

        listing = self._task.hook.search_coupon_files(list_id, keep)
        ids = [str(file["_id"]) for file in listing.files]
        if (
            ids
        ):  # one that failed processing, and the one that was uploaded after it, have the same name but for its end
            return next((file_id for file_id in ids if not self._failed_processing(file_id)), ids[0])
        if not listing.complete or (shown and not any(shown)):
            raise WesUnknownOutcomeError(
                f"{headline('Perhaps uploaded, by a task that crashed', list_id, longest=ERROR_HEADLINE)}\n"
                f"Look in the list for a file whose name has {name!r}; Ledger(on_known_content='skip') or 'upload' "
                f"do not help here. {listing.incomplete_because or 'The list shows no names'}"
            )
        return None

    def _failed_processing(self, coupon_file_id: str) -> bool:
        try:
            record = self._task.hook.get_coupon_file(self._task.coupon_list_id, coupon_file_id)
        except WesResponseError:
            return False  # nothing is known of it but that it was uploaded
        return bool(self._task.statuses.failed(str(record.get("status") or "")))


def _why_skipped(file: Mapping[str, Any]) -> str:
    if "same_content_as" in file:
        return f"{file['path']} has the same content as {file['same_content_as']}"
    return f"{file['path']}: the list has its content as coupon file {file['skipped']}"
