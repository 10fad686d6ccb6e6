"""
What the uploading operators do if an argument needs object storage: list, fetch, check, look up in
the ledger, leave out, plan.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider.arguments import in_storage
from wes_provider.attempt import Attempt
from wes_provider.coupon_files import Statuses
from wes_provider.exceptions import WesConfigurationError, WesResponseError
from wes_provider.storage.errors import WesStorageError
from wes_provider.storage.files import BucketFiles
from wes_provider.storage.ledger import FileClaim, Ledger
from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.location import place_of, shown_url
from wes_provider.storage.objects import download_object, sign_url
from wes_provider.storage.plain_urls import download_url
from wes_provider.storage.plan import (
    PlannedFile,
    leave_out_files,
    plan_file,
    read_plan,
    write_plan,
)
from wes_provider.storage.preflight import CheckedFile, check_files
from wes_provider.storage.rules import Preflight
from wes_provider.texts import about, counted, redact_url, shown
from wes_provider.uploads.identity import FileKey
from wes_provider.uploads.request import UploadRequest

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["StorageUploads", "with_expected_codes"]


class StorageUploads:
    """
    The files of one task, from the argument to the requests.

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
        self._list = coupon_list_id
        self._items = files
        self._preflight = preflight
        self._hook = hook
        self._statuses = statuses
        self._plan_only = plan_only
        self._ledger = None
        if ledger is not None:
            workspace = ""
            if not plan_only:
                workspace = hook.settings.workspace_id
            self._ledger = ledger.open(coupon_list_id, Attempt.of(context), self._failed, workspace)

    def prepare(self) -> dict[str, Any]:
        """
        List the files, check them, and look them up in the ledger.

        :return: the plan, plain JSON without secrets: ``files``, each a
            :class:`~wes_provider.storage.plan.PlannedFile`; ``codes`` in all; and
            ``last_upload_at``, which is ``None`` if no file is uploaded.
        :raises WesPreflightError: naming every problem of every file.
        """
        checked = self._check(self._list_files())
        planned = [plan_file(file) for file in checked]
        known = {} if self._ledger is None else self._ledger.find_known(planned)
        return write_plan(self._list, leave_out_files(planned, known), time.time())

    def requests(self, plan: Mapping[str, Any], *, single: bool = False) -> list[UploadRequest]:
        """
        Make the requests of a plan.

        :param single: the task uploads one file by its nature.
        :raises WesConfigurationError: if it is to be one file, and several match.
        :raises AirflowSkipException: if it is to be one file, and that is left out; or if none
            matches, which ``allow_none`` allows.
        """
        files = read_plan(plan)
        if single:
            self._check_single(files)
        return [self._make_request(file) for file in files if file.skipped is None]

    def _check_single(self, files: Sequence[PlannedFile]) -> None:
        if not files:
            url = self._items[0]["file_url"]
            where = shown_url(url.url if isinstance(url, BucketFiles) else url)
            raise AirflowSkipException(
                f"{about('Nothing to upload', self._list)}\n"
                f"No object matches {where}, which allow_none=True allows"
            )
        if len(files) > 1:
            raise WesConfigurationError(
                f"file_url has to be one file, and {len(files)} match\n"
                "Use WesReplenishCouponListOperator for several"
            )
        if files[0].skipped is not None:
            raise AirflowSkipException(
                f"{about('Left out', self._list, files[0].path)}\n{files[0].skipped}"
            )

    # -- listing

    def _list_files(self) -> list[ListedFile]:
        """List the files that the items name; an object that several of them name, once."""
        listed: dict[str, ListedFile] = {}
        for item, fields in enumerate(self._items):
            value = fields["file_url"]
            if in_storage(value):
                for file in self._list_objects(item, value):
                    first = listed.setdefault(place_of(file.path), file)
                    _check_is_same_object(first, file)
            else:
                # Only a Preflight asks for it: the worker may not reach what the service does.
                checked = isinstance(self._preflight, Preflight)
                listed[f"item {item}"] = ListedFile(
                    path=redact_url(value), item=item, checked=checked
                )
        return list(listed.values())

    def _list_objects(self, item: int, value: Any) -> list[ListedFile]:
        bucket_files = value if isinstance(value, BucketFiles) else BucketFiles(value)
        files = bucket_files.expand(item, checked=self._preflight is not False)
        name = self._items[item].get("name")
        if len(files) > 1 and name:
            raise WesConfigurationError(
                f"Several files would all be named {shown(name)}: {files[0].path} and "
                f"{counted(len(files) - 1, 'more file')}\nLeave name out, or name one file"
            )
        return files

    # -- checking

    def _check(self, files: Sequence[ListedFile]) -> list[CheckedFile]:
        """Fetch and check those files that are to be; a ledger needs the content of all."""
        preflight = self._preflight if isinstance(self._preflight, Preflight) else Preflight()
        to_fetch = [file for file in files if file.checked or self._ledger is not None]
        checked = check_files(
            to_fetch,
            preflight.rules(),
            self._download,
            allow_same_content=self._ledger is not None and self._ledger.policy == "skip",
        )
        checked_of = {file.listed: file for file in checked}
        return [checked_of.get(file, CheckedFile(file, file.size)) for file in files]

    def _download(self, file: ListedFile, target: Path) -> None:
        if file.is_object:
            download_object(file, target)
            return
        fields = self._items[file.item]
        download_url(
            fields["file_url"],
            fields.get("file_url_auth_username") or "",
            fields.get("file_url_auth_password") or "",
            target,
        )

    def _failed(self, coupon_file_id: str) -> bool:
        """
        Tell whether a file failed processing, so that the list has none of its codes; a plan does
        not ask.
        """
        if self._plan_only:
            return False
        try:
            record = self._hook.get_coupon_file(self._list, coupon_file_id)
        except WesResponseError:
            return False  # nothing is known of it but that it was uploaded
        statuses = self._statuses or self._hook.settings.statuses
        return statuses.failed(str(record.get("status") or ""))

    # -- requests

    def _make_request(self, file: PlannedFile) -> UploadRequest:
        request = self._make_plain_request(file)
        if self._ledger is None:
            return request
        claim = FileClaim(self._ledger, file)
        return replace(
            request,
            before_send=claim.claim,
            on_accepted=claim.complete,
            on_no_effect=claim.release,
        )

    def _make_plain_request(self, file: PlannedFile) -> UploadRequest:
        """Make a request that no ledger knows of."""
        fields = dict(self._items[file.item])
        if not file.is_object:
            return replace(UploadRequest.of(self._list, fields), content_hash=file.sha256)
        del fields["file_url"]
        return UploadRequest(
            coupon_list_id=self._list,
            file=FileKey(str(fields.get("name") or file.path)),
            shown_url=file.path,
            body=fields,
            sign=partial(sign_url, file),
            content_hash=file.sha256,
        )


def with_expected_codes(
    plan: Mapping[str, Any] | None, files: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """
    Add to the summaries of uploaded files the codes that their checks found.

    :param files: in the plan's order, without the files that are left out.
    """
    if plan is None:
        return list(files)
    planned = [file for file in read_plan(plan) if file.skipped is None]
    if not planned:
        return list(files)
    summaries = []
    for file, summary in zip(planned, files, strict=True):
        expected = {"expected_codes": file.codes} if file.checked else {}
        summaries.append({**summary, **expected})
    return summaries


def _check_is_same_object(first: ListedFile, file: ListedFile) -> None:
    """
    Check that an object which two items name is one: connections may lead to different storages
    that have a bucket of the same name.

    :raises WesConfigurationError: if it is another one, over another connection.
    :raises WesStorageError: if it was overwritten in between.
    """
    if first.etag == file.etag:
        return
    if first.conn_id == file.conn_id:
        raise WesStorageError(f"{file.path} was overwritten while the task listed it")
    raise WesConfigurationError(
        f"{file.path} is named over two connections, {shown(first.conn_id)} and "
        f"{shown(file.conn_id)}, and is another object in each\nUpload them in two tasks"
    )
