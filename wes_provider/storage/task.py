"""What the uploading operators do if an argument needs object storage: list, check, plan, keep the ledger."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider.arguments import in_storage
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.models import CouponFile
from wes_provider.polling import Statuses
from wes_provider.storage.errors import WesLedgerBusyError, WesLedgerError
from wes_provider.storage.evidence import Service
from wes_provider.storage.files import BucketFile, BucketFiles, UrlFile
from wes_provider.storage.ledger import Ledger, ListLedger
from wes_provider.storage.plan import Planned, plan_of
from wes_provider.storage.preflight import (
    CheckedFile,
    Preflight,
    checksum,
    refused,
    same_content,
    same_content_problems,
)
from wes_provider.storage.reconcile import Share, check_added, check_overwritten, overwritten, reconciled
from wes_provider.storage.stores import Entry
from wes_provider.texts import about, counted, shown
from wes_provider.uploads.identity import TaskInstance
from wes_provider.uploads.request import UploadRequest, key_of

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["StorageUploads"]

log = logging.getLogger(__name__)

Listed = tuple[int, BucketFile | UrlFile]
"""The place in the operator's argument that names a file, and the file."""


class _Claim:
    """Claims a file in the ledger before its URL is sent, and writes down what came of it."""

    def __init__(self, ledger: ListLedger, file: BucketFile | UrlFile, checked: CheckedFile, name: str) -> None:
        self._ledger, self._file, self._checked, self._name = ledger, file, checked, name
        self._entry: Entry | None = None

    def url(self) -> str:
        """The URL, signed after the claim: that may take long, and the object is compared with the checked one then."""
        claimed = self._ledger.claim(self._checked, self._name)
        if claimed is None:
            cause = f"{self._file.path} was uploaded by another task after this one checked it"
            raise WesLedgerBusyError(f"{cause}\nA retry leaves it out.")
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
        if coupon_file_id is not None:
            entry = self._entry or self._ledger.own(self._checked)
            if entry is not None and entry.coupon_file_id != coupon_file_id:
                self._ledger.end(entry, "uploaded", coupon_file_id)
        elif self._entry is not None:
            self._ledger.end(self._entry, "released")
            self._entry = None


class StorageUploads:
    """
    The files of one task, from the argument to the requests, and what is checked after the uploads.

    :param files: the upload's arguments of each item; ``file_url`` may be what storage has.
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
        self._list, self._items, self._context, self._hook = coupon_list_id, files, context, hook
        self._given = preflight
        self._preflight = preflight if isinstance(preflight, Preflight) else Preflight()
        service = None if plan_only or ledger is None else Service(hook, coupon_list_id, statuses)
        self._ledger = None if ledger is None else ledger.open(coupon_list_id, context, service)
        self._overwritten: list[str] = []

    def prepare(self) -> dict[str, Any]:
        """
        List the files, check them, and look them up in the ledger.

        :return: the plan, plain JSON without secrets.
        :raises WesPreflightError: naming every problem of every file.
        """
        listed = self._listed()
        checked = self._checked([file for _, file in listed])
        planned = [
            Planned(item, one, file if isinstance(file, BucketFile) else None)
            for (item, file), one in zip(listed, checked, strict=True)
        ]
        for index, entry in (self._ledger.check(checked) if self._ledger else {}).items():
            planned[index].skipped = entry.coupon_file_id
        rest = [file for file in planned if not file.left_out]
        for index, path in same_content([file.checked for file in rest]).items():
            rest[index].same_content_as = path
        for file in planned:
            if file.left_out:
                log.info("Leaving out %s", file.left_out)
        plan = plan_of(self._list, planned)
        number = sum(not file.left_out for file in planned)
        log.info("%s to upload, the last at %s", counted(number, "file"), plan["last_upload_at"])
        return plan

    def _listed(self) -> list[Listed]:
        listed: dict[str, Listed] = {}
        for item, fields in enumerate(self._items):
            value, found = fields["file_url"], list[BucketFile | UrlFile]()
            if in_storage(value):
                found += (value if isinstance(value, BucketFiles) else BucketFiles(value)).expand()
            else:
                auth = fields.get("file_url_auth_username") or "", fields.get("file_url_auth_password") or ""
                found.append(UrlFile(value, auth if any(auth) else None))
            if len(found) > 1 and fields.get("name"):
                raise WesConfigurationError(
                    f"Several files would all be named {shown(fields['name'])}: {found[0].path} and "
                    f"{counted(len(found) - 1, 'more file')}\nLeave name out, or name one file"
                )
            for file in found:
                listed.setdefault(file.path if isinstance(file, BucketFile) else f"{item}", (item, file))
        return list(listed.values())

    def _checked(self, files: Sequence[BucketFile | UrlFile]) -> list[CheckedFile]:
        """What is known of the files; those of the same content are refused, unless the ledger leaves them out."""
        by_default = self._given is not False
        to_check = [i for i, file in enumerate(files) if by_default and (self._given or isinstance(file, BucketFile))]
        skips = self._ledger is not None and self._ledger.skips
        found = self._preflight.check([files[i] for i in to_check], allow_same=skips) if to_check else []
        by_index = dict(zip(to_check, found, strict=True))
        checked = [by_index.get(i) or checksum(file, read=self._ledger is not None) for i, file in enumerate(files)]
        if not skips and (problems := same_content_problems(checked)):
            raise refused(problems, len(checked))
        return checked

    def requests(self, plan: Mapping[str, Any], *, single: bool = False) -> list[UploadRequest]:
        """
        The uploads of a plan.

        :param single: the task uploads one file by its nature.
        :raises WesConfigurationError: if it is to be one file, and several match.
        :raises AirflowSkipException: if it is to be one file, and that is left out.
        """
        planned = Planned.read(plan)
        if single and len(planned) != 1:
            cause = f"file_url has to be one file, and {len(planned)} match"
            raise WesConfigurationError(f"{cause}\nUse WesReplenishCouponListOperator for several")
        if single and planned[0].left_out:
            raise AirflowSkipException(f"{about('Left out', self._list)}\n{planned[0].left_out}")
        return [self._request(file) for file in planned if not file.left_out]

    def _request(self, planned: Planned) -> UploadRequest:
        fields = dict(self._items[planned.item])
        file = planned.source or UrlFile(fields["file_url"])
        if planned.source is None and self._ledger is None:
            return UploadRequest.of(self._list, fields)
        key = str(fields.get("name") or file.path) if planned.source else key_of(fields)
        del fields["file_url"]
        request = partial(UploadRequest, self._list, key, file.path, fields)
        if self._ledger is None:
            return request(url=file.url)
        given = TaskInstance.of(self._context).upload(self._hook.settings.workspace_id, self._list, key)
        claim = _Claim(self._ledger, file, planned.checked, str(fields.get("name") or given))
        return request(url=claim.url, on_result=claim.result)

    def reconcile(
        self, plan: Mapping[str, Any] | None, files: Sequence[dict[str, Any]]
    ) -> tuple[list[dict[str, Any]], list[Share]]:
        """
        Compare what the files had with what the service counted.

        :param files: the summaries of the uploaded files, in the plan's order.
        :return: the summaries with both, and what :meth:`check` needs.
        """
        summaries, shares = [], list[Share]()
        planned = [] if plan is None else [file for file in Planned.read(plan) if not file.left_out]
        for file, summary in zip(planned, files, strict=True) if planned else ():
            added, duplicates = self._hook.settings.count_names.read([CouponFile.from_summary(summary)])
            summaries.append(reconciled(file, summary, added, duplicates))
            shares += [(file.checked.path, file.checked.codes, added)] if file.checked.checked else []
            self._overwritten += filter(None, [overwritten(file, str(summary["id"]), self._ledger)])
        return summaries or list(files), shares

    def check(self, shares: Sequence[Share]) -> None:
        """Fail if a file was overwritten while it was processed, or the service added too few of its codes."""
        check_overwritten(self._list, self._overwritten)
        check_added(self._list, shares, None if self._given is False else self._preflight.added_ratio())
