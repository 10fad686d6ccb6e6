"""What the uploading operators do if an argument needs object storage: list, check, plan, keep the ledger."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider.exceptions import WesConfigurationError, WesError, WesResponseError, WesUnknownOutcomeError
from wes_provider.models import CouponFile, in_storage
from wes_provider.polling import Statuses
from wes_provider.storage.errors import (
    WesFileNotFoundError,
    WesFileOverwrittenError,
    WesLedgerBusyError,
    WesLedgerError,
    WesReconciliationError,
)
from wes_provider.storage.files import BucketFile, BucketFiles, UrlFile
from wes_provider.storage.ledger import Ledger, ListLedger, Service
from wes_provider.storage.plan import Planned, plan_of
from wes_provider.storage.preflight import (
    CheckedFile,
    Preflight,
    checksum,
    refused,
    same_content,
    same_content_problems,
)
from wes_provider.storage.stores import Entry
from wes_provider.texts import about, counted, shown
from wes_provider.uploads.identity import TaskInstance, parse
from wes_provider.uploads.request import UploadRequest, key_of

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["StorageUploads"]

log = logging.getLogger(__name__)

Share = tuple[str, int, int | None]
"""A file's path, its codes, and how many the service added, if it says so."""


class _Claim:
    """Claims a file in the ledger before its URL is sent, and writes down what came of it."""

    def __init__(self, ledger: ListLedger, file: BucketFile | UrlFile, checked: CheckedFile, name: str) -> None:
        self._ledger, self._file, self._checked, self._name = ledger, file, checked, name
        self._entry: Entry | None = None

    def url(self) -> str:
        """The URL, signed after the claim: that may take long, and the object is compared with the checked one then."""
        claimed = self._ledger.claim(self._checked, self._name)
        if claimed is None:
            raise WesLedgerBusyError(
                f"{self._file.path} was uploaded by another task after this one checked it\nA retry leaves it out."
            )
        self._entry, new = claimed
        try:
            return self._file.url()
        except WesError:
            if new:  # there was no request
                with suppress(WesLedgerError):
                    self.result(None)
            raise

    def result(self, coupon_file_id: str | None) -> None:
        """The service has accepted the upload, now or in an earlier attempt; or the request surely had no effect."""
        if coupon_file_id is None:
            if self._entry is not None:
                self._ledger.end(self._entry, "released")
                self._entry = None
            return
        entry = self._entry or self._ledger.own(self._checked)
        if entry is not None and entry.coupon_file_id != coupon_file_id:
            self._ledger.end(entry, "uploaded", coupon_file_id)


class StorageUploads:
    """
    The files of one task, from the argument to the requests, and what is checked after the uploads.

    :param files: the upload's arguments of each item; ``file_url`` may be what storage has.
    :param context: Airflow's.
    :param statuses: which status means that a file has failed; ``None`` for the connection's.
    :param plan_only: send no request to the service, and do not read its connection.
    """

    def __init__(
        self,
        coupon_list_id: str,
        files: Sequence[Mapping[str, Any]],
        *,
        context: Any,
        hook: WesHook,
        preflight: Preflight | bool | None = None,
        ledger: Ledger | None = None,
        statuses: Statuses | None = None,
        plan_only: bool = False,
    ) -> None:
        self._list = coupon_list_id
        self._items = files
        self._context = context
        self._hook = hook
        self._statuses = statuses
        self._given = preflight
        self._preflight = preflight if isinstance(preflight, Preflight) else Preflight()
        self._ledger: ListLedger | None = None
        if ledger is not None:
            lag = 0 if plan_only else hook.settings.coupon_files_lag
            service = None if plan_only else Service(self._find, self._failed_processing, lag)
            self._ledger = ledger.open(coupon_list_id, context, service)
        self._overwritten: list[str] = []

    # -- before the uploads

    def prepare(self) -> dict[str, Any]:
        """
        List the files, check them, and look them up in the ledger.

        :return: the plan, plain JSON without secrets.
        :raises WesPreflightError: naming every problem of every file.
        """
        listed = self._listed()
        checked = self._checked([file for _, file in listed])
        planned = [
            Planned(item, check, file if isinstance(file, BucketFile) else None)
            for (item, file), check in zip(listed, checked, strict=True)
        ]
        self._skip(planned)
        for file in planned:
            if file.left_out:
                log.info("Leaving out %s", file.left_out)
        plan = plan_of(self._list, planned)
        if plan["last_upload_at"]:
            number = sum(not file.left_out for file in planned)
            log.info("%s to upload, the last at %s", counted(number, "file"), plan["last_upload_at"])
        return plan

    def _listed(self) -> list[tuple[int, BucketFile | UrlFile]]:
        listed: dict[str, tuple[int, BucketFile | UrlFile]] = {}
        for item, fields in enumerate(self._items):
            value = fields["file_url"]
            found: Sequence[BucketFile | UrlFile]
            if in_storage(value):
                found = (value if isinstance(value, BucketFiles) else BucketFiles(value)).expand()
            else:
                auth = fields.get("file_url_auth_username") or "", fields.get("file_url_auth_password") or ""
                found = [UrlFile(value, auth if any(auth) else None)]
            if len(found) > 1 and fields.get("name"):
                raise WesConfigurationError(
                    f"Several files would all be named {shown(fields['name'])}: {found[0].path} and "
                    f"{counted(len(found) - 1, 'more file')}\nLeave name out, or name one file"
                )
            for file in found:
                listed.setdefault(file.path if isinstance(file, BucketFile) else f"{item}", (item, file))
        return list(listed.values())

    def _checked(self, files: Sequence[BucketFile | UrlFile]) -> list[CheckedFile]:
        to_check = [
            index
            for index, file in enumerate(files)
            if self._given is not False and (self._given or isinstance(file, BucketFile))
        ]
        skips = self._ledger is not None and self._ledger.skips
        found = self._preflight.check([files[i] for i in to_check], allow_same=skips) if to_check else []
        by_index = dict(zip(to_check, found, strict=True))
        checked = [by_index.get(i) or checksum(file, read=self._ledger is not None) for i, file in enumerate(files)]
        if not skips and (problems := same_content_problems(checked)):
            raise refused(problems, len(checked))
        return checked

    def _skip(self, planned: Sequence[Planned]) -> None:
        """Mark the files that are not uploaded."""
        if self._ledger is None:
            return
        for index, entry in self._ledger.check([file.checked for file in planned]).items():
            planned[index].skipped = entry.coupon_file_id
        if self._ledger.skips:
            rest = [file for file in planned if not file.left_out]
            for index, path in same_content([file.checked for file in rest]).items():
                rest[index].same_content_as = path

    # -- the uploads

    def requests(self, plan: Mapping[str, Any], *, single: bool = False) -> list[UploadRequest]:
        """
        The uploads of a plan.

        :param single: the task uploads one file by its nature.
        :raises WesConfigurationError: if it is to be one file, and several match.
        :raises AirflowSkipException: if it is to be one file, and that is left out.
        """
        planned = Planned.read(plan)
        if single and len(planned) != 1:
            raise WesConfigurationError(
                f"file_url has to be one file, and {len(planned)} match\nUse WesReplenishCouponListOperator for several"
            )
        if single and planned[0].left_out:
            raise AirflowSkipException(f"{about('Left out', self._list)}\n{planned[0].left_out}")
        return [self._request(file) for file in planned if not file.left_out]

    def _request(self, planned: Planned) -> UploadRequest:
        fields = dict(self._items[planned.item])
        file = planned.source or UrlFile(fields["file_url"])
        if planned.source is None and self._ledger is None:
            return UploadRequest.of(self._list, fields)
        key = str(fields.get("name") or planned.source.path) if planned.source else key_of(fields)
        del fields["file_url"]
        request = partial(UploadRequest, self._list, key, file.path, fields)
        if self._ledger is None:
            return request(url=file.url)
        instance = TaskInstance.of(self._context)
        name = fields.get("name") or instance.upload(self._hook.settings.workspace_id, self._list, key)
        claim = _Claim(self._ledger, file, planned.checked, str(name))
        return request(url=claim.url, on_result=claim.result)

    # -- afterwards

    def reconcile(
        self, plan: Mapping[str, Any] | None, files: Sequence[dict[str, Any]]
    ) -> tuple[list[dict[str, Any]], list[Share]]:
        """
        Compare what the files had with what the service counted.

        :param files: the summaries of the uploaded files, in the plan's order.
        :return: the summaries with both, and what :meth:`check` needs.
        """
        if plan is None:
            return list(files), []
        planned = [file for file in Planned.read(plan) if not file.left_out]
        summaries, shares = [], []
        for file, summary in zip(planned, files, strict=True):
            added, duplicates = self._hook.settings.count_names.read([CouponFile.from_summary(summary)])
            checked = file.checked
            if checked.checked:
                summary = {**summary, "expected_codes": checked.codes}
                shares.append((checked.path, checked.codes, added))
                if added is not None and duplicates is not None:
                    summary["unaccounted_codes"] = checked.codes - added - duplicates
                if (counts := (added or 0) + (duplicates or 0)) > checked.codes:
                    log.warning(
                        "The service counted %s of %s, which has %d\nIt may have fetched other content, or counted a "
                        "header or other columns: compare the list with the file",
                        counted(counts, "code"),
                        checked.path,
                        checked.codes,
                    )
            summaries.append(summary)
            if file.source is not None:
                self._check_for_change(file.source, checked, str(summary["id"]))
        return summaries, shares

    def check(self, shares: Sequence[Share]) -> None:
        """
        Fail if a file was overwritten while it was processed, or the service added too few of its codes.

        :raises WesReconciliationError: naming every file that falls below the share, or whose count is not known.
        """
        if self._overwritten:
            number = len(self._overwritten)
            cause = f"{counted(number, 'file')} {'was' if number == 1 else 'were'} overwritten while being processed"
            raise WesFileOverwrittenError(
                f"{about(cause, self._list)}\nWhich content the list has cannot be known from here: look at its codes "
                "before you upload either again.",
                self._overwritten,
            )
        ratio = self._preflight.added_ratio()
        if ratio and self._given is not False and (problems := list(_too_few(shares, ratio))):
            cause = f"{len(problems)} of {counted(len(shares), 'file')} below min_added_ratio={ratio}"
            raise WesReconciliationError(
                f"{about(cause, self._list)}\nThe files are uploaded: check whether the list had their codes before. "
                "Do not upload them again.",
                problems,
            )

    def _check_for_change(self, file: BucketFile, checked: CheckedFile, coupon_file_id: str) -> None:
        """Whether an object is still the one that was uploaded, now that the service has surely fetched it."""
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
        self._overwritten.append(f"{file.path}: coupon file {coupon_file_id}; ETag {file.etag} then, {now.etag} now")
        if self._ledger is not None and (known := self._ledger.own(checked)) is not None:
            self._ledger.overwritten(known, now)

    # -- what the list shows of other tasks' uploads

    def _find(self, name: str) -> str | None:
        """The file of an upload of another task; one that did not fail, if there are several."""
        listing, wanted = self._hook.read_list(self._list), parse(name)

        def is_it(shown_name: str) -> bool:
            found = parse(shown_name)
            same = found and wanted and (found.hash, found.start) == (wanted.hash, wanted.start)
            return shown_name == name or bool(same)

        records = [record for record in listing.records if isinstance(record.get("_id"), str)]
        ids = [str(record["_id"]) for record in records if is_it(str(record.get("name") or ""))]
        if ids:
            return next((file_id for file_id in ids if not self._failed_processing(file_id)), ids[0])
        if listing.incomplete or (records and not any(record.get("name") for record in records)):
            raise WesUnknownOutcomeError(
                f"{about('Perhaps uploaded, by a task that crashed', self._list)}\n"
                f"Look in the list for a file whose name has {name!r}; Ledger(on_known_content='skip') or 'upload' "
                f"do not help here. {listing.incomplete or 'The list shows no names'}"
            )
        return None

    def _failed_processing(self, coupon_file_id: str) -> bool:
        try:
            record = self._hook.get_coupon_file(self._list, coupon_file_id)
        except WesResponseError:
            return False  # nothing is known of it but that it was uploaded
        return (self._statuses or self._hook.settings.statuses).failed(str(record.get("status") or ""))


def _too_few(shares: Sequence[Share], ratio: float) -> Iterator[str]:
    for path, expected, added in shares:
        codes = counted(expected, "code")
        if added is None:
            yield f"{path}: the service does not report how many of its {codes} were added: coupon_file_counts names it"
        elif added < ratio * expected:
            yield f"{path}: {added} of {codes} {'was' if expected == 1 else 'were'} added ({added / expected:.1%})"
