"""
What the uploading operators do if an argument needs object storage: list, check, plan, keep the
ledger.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider.arguments import in_storage
from wes_provider.exceptions import WesConfigurationError, WesResponseError
from wes_provider.polling import Statuses
from wes_provider.storage.files import BucketFiles, PlannedFile, download_url
from wes_provider.storage.ledger import Ledger, ListLedger
from wes_provider.storage.preflight import Preflight, check_files
from wes_provider.storage.stores import Entry
from wes_provider.texts import about, counted, redact_url, shown
from wes_provider.uploads.rate_limiter import RateLimiter
from wes_provider.uploads.request import UploadRequest, key_of

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["StorageUploads", "with_expected_codes"]

log = logging.getLogger(__name__)


class _Claim:
    """Claims a file in the ledger before its request, and writes down what became of it."""

    def __init__(self, ledger: ListLedger, file: PlannedFile) -> None:
        self._ledger, self._file = ledger, file
        self._entry: Entry | None = None

    def claim(self) -> None:
        """Claim the file, right before its request."""
        self._entry = self._ledger.claim(self._file)

    def complete(self, coupon_file_id: str) -> None:
        """Note the coupon file, of this attempt's request or of an earlier one's."""
        entry = self._entry
        if entry is None:
            entry = self._ledger.own(self._file)
        self._entry = None
        if entry is not None and entry.coupon_file_id != coupon_file_id:
            self._ledger.end(entry, coupon_file_id)

    def release(self) -> None:
        """Give the claim back: the request definitely had no effect."""
        if self._entry is not None:
            self._ledger.end(self._entry, None)
        self._entry = None


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
        self._list, self._items, self._preflight = coupon_list_id, files, preflight
        failed = partial(_failed, None if plan_only else hook, coupon_list_id, statuses)
        self._ledger = None if ledger is None else ledger.open(coupon_list_id, context, failed)

    def prepare(self) -> dict[str, Any]:
        """
        List the files, check them, and look them up in the ledger.

        :return: the plan, plain JSON without secrets: ``files``, each a :class:`PlannedFile`;
            ``codes`` in all; and ``last_upload_at``, which is ``None`` if no file is uploaded.
        :raises WesPreflightError: naming every problem of every file.
        """
        files, ledger = self._listed(), self._ledger
        if to_fetch := [file for file in files if file.checked or ledger]:
            rules = (
                self._preflight if isinstance(self._preflight, Preflight) else Preflight()
            ).rules()
            skips = ledger is not None and ledger.policy == "skip"
            check_files(to_fetch, rules, self._download, allow_same=skips)
        for index, entry in (ledger.check(files) if ledger else {}).items():
            files[index].skipped = f"the list has its content as coupon file {entry.coupon_file_id}"
        first, now = dict[str, PlannedFile](), time.time()
        for file in files:
            if (
                file.skipped is None
                and file.sha256
                and (before := first.setdefault(file.sha256, file)) is not file
            ):
                file.skipped = f"{before.path} has the same content"
            if file.skipped is not None:
                log.info("Leaving out %s: %s", file.path, file.skipped)
        to_upload = [file for file in files if file.skipped is None]
        last = datetime.fromtimestamp(
            now + RateLimiter().seconds_for(len(to_upload), now), timezone.utc
        )
        log.info(
            "%s to upload, by %s",
            counted(len(to_upload), "file"),
            last.strftime("%Y-%m-%d %H:%M UTC"),
        )
        return {
            "coupon_list_id": self._list,
            "codes": sum(file.codes for file in to_upload),
            "last_upload_at": last.isoformat() if to_upload else None,
            "files": msgspec.to_builtins(files),
        }

    def requests(self, plan: Mapping[str, Any], *, single: bool = False) -> list[UploadRequest]:
        """
        The uploads of a plan.

        :param single: the task uploads one file by its nature.
        :raises WesConfigurationError: if it is to be one file, and several match.
        :raises AirflowSkipException: if it is to be one file, and that is left out.
        """
        files = _planned(plan)
        if single and len(files) != 1:
            cause = f"file_url has to be one file, and {len(files)} match"
            raise WesConfigurationError(f"{cause}\nUse WesReplenishCouponListOperator for several")
        if single and files[0].skipped is not None:
            raise AirflowSkipException(
                f"{about('Left out', self._list, files[0].path)}\n{files[0].skipped}"
            )
        return [self._request(file) for file in files if file.skipped is None]

    def _listed(self) -> list[PlannedFile]:
        """The files that the items name; an object that several of them name is listed once."""
        listed: dict[str, PlannedFile] = {}
        for item, fields in enumerate(self._items):
            value = fields["file_url"]
            if not in_storage(value):
                checked = isinstance(self._preflight, Preflight)
                listed[str(item)] = PlannedFile(path=redact_url(value), item=item, checked=checked)
                continue
            found = (value if isinstance(value, BucketFiles) else BucketFiles(value)).expand(item)
            if len(found) > 1 and fields.get("name"):
                raise WesConfigurationError(
                    f"Several files would all be named {shown(fields['name'])}: {found[0].path} "
                    "and "
                    f"{counted(len(found) - 1, 'more file')}\nLeave name out, or name one file"
                )
            for file in found:
                file.checked = self._preflight is not False
                listed.setdefault(file.path, file)
        return list(listed.values())

    def _download(self, file: PlannedFile, target: Path) -> None:
        fields = self._items[file.item]
        auth = (
            fields.get("file_url_auth_username") or "",
            fields.get("file_url_auth_password") or "",
        )
        if file.conn_id is None:
            download_url(fields["file_url"], auth if any(auth) else None, target)
        else:
            file.download(target)

    def _request(self, file: PlannedFile) -> UploadRequest:
        fields = dict(self._items[file.item])
        if file.conn_id is None and self._ledger is None:
            return UploadRequest.of(self._list, fields)
        given = fields.pop("file_url")
        key = (
            key_of({**fields, "file_url": given})
            if file.conn_id is None
            else str(fields.get("name") or file.path)
        )
        url = (lambda: str(given)) if file.conn_id is None else file.sign
        if self._ledger is None:
            return UploadRequest(self._list, key, file.path, fields, url, content_hash=file.sha256)
        claim = _Claim(self._ledger, file)
        return UploadRequest(
            self._list,
            key,
            file.path,
            fields,
            sign=url,
            before_send=claim.claim,
            on_accepted=claim.complete,
            on_no_effect=claim.release,
            content_hash=file.sha256,
        )


def with_expected_codes(
    plan: Mapping[str, Any] | None, files: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """
    The summaries of uploaded files, in the plan's order, each with the codes that its check found.
    """
    planned = [] if plan is None else [file for file in _planned(plan) if file.skipped is None]
    expected = [{"expected_codes": file.codes} if file.checked else {} for file in planned]
    return (
        [{**summary, **more} for summary, more in zip(files, expected, strict=True)]
        if planned
        else list(files)
    )


def _planned(plan: Mapping[str, Any]) -> list[PlannedFile]:
    return msgspec.convert(plan["files"], list[PlannedFile])


def _failed(
    hook: WesHook | None, coupon_list_id: str, statuses: Statuses | None, coupon_file_id: str
) -> bool:
    """
    Whether a file failed processing, so that the list has none of its codes; a plan does not ask.
    """
    if hook is None:
        return False
    try:
        record = hook.get_coupon_file(coupon_list_id, coupon_file_id)
    except WesResponseError:
        return False  # nothing is known of it but that it was uploaded
    return (statuses or hook.settings.statuses).failed(str(record.get("status") or ""))
