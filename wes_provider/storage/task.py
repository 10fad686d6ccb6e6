"""What the uploading operators do if an argument needs object storage: list, check, plan, keep the ledger."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from airflow.providers.common.compat.sdk import AirflowSkipException

from wes_provider.arguments import in_storage
from wes_provider.client.rate_limits import RateLimit
from wes_provider.exceptions import WesConfigurationError, WesError, WesResponseError
from wes_provider.models import CouponFile
from wes_provider.polling import Statuses
from wes_provider.storage.content import CheckedFile
from wes_provider.storage.errors import WesReconciliationError
from wes_provider.storage.files import BucketFile, BucketFiles, UrlFile
from wes_provider.storage.ledger import Ledger, ListLedger
from wes_provider.storage.preflight import Preflight, check_files
from wes_provider.storage.stores import Entry
from wes_provider.texts import about, counted, shown
from wes_provider.uploads.rate_limiter import RateLimiter
from wes_provider.uploads.request import UploadRequest, key_of

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["StorageUploads"]

log = logging.getLogger(__name__)


class _Claim:
    """Claims a file in the ledger before its URL is sent, and writes down what came of it."""

    def __init__(self, ledger: ListLedger, source: BucketFile | UrlFile, file: CheckedFile) -> None:
        self._ledger, self._source, self._file = ledger, source, file
        self._entry: Entry | None = None

    def url(self) -> str:
        """The URL; the claim comes after it, so that a file that cannot be signed is not claimed."""
        url = self._source.url()
        self._entry = self._ledger.claim(self._file)
        return url

    def result(self, coupon_file_id: str | None) -> None:
        """The service has accepted the upload, now or in an earlier attempt; or the request surely had no effect."""
        adopted = coupon_file_id is not None and self._entry is None
        entry, self._entry = self._ledger.own(self._file) if adopted else self._entry, None
        if entry is not None and entry.coupon_file_id != coupon_file_id:
            self._ledger.end(entry, coupon_file_id)


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
        self._list, self._items, self._hook = coupon_list_id, files, hook
        self._preflight = preflight
        self._rules = (preflight if isinstance(preflight, Preflight) else Preflight()).rules()
        failed = partial(_failed, None if plan_only else hook, coupon_list_id, statuses)
        self._ledger = None if ledger is None else ledger.open(coupon_list_id, context, failed)

    def prepare(self) -> dict[str, Any]:
        """
        List the files, check them, and look them up in the ledger.

        :return: the plan, plain JSON without secrets: ``files``, each a :class:`CheckedFile`; ``codes`` in all; and
            ``last_upload_at``, which is ``None`` if no file is uploaded.
        :raises WesPreflightError: naming every problem of every file.
        """
        listed, ledger = self._listed(), self._ledger
        skips = ledger is not None and ledger.policy == "skip"
        if fetched := [(file, source) for file, source in listed if file.checked or ledger]:
            check_files(fetched, self._rules, allow_same=skips)
        files = [file for file, _ in listed]
        for index, entry in (ledger.check(files) if ledger else {}).items():
            files[index].skipped = entry.coupon_file_id
        first, limiter, moment = dict[str, CheckedFile](), RateLimiter(), time.time()
        for file in files:
            before = first.setdefault(file.sha256, file) if file.sha256 and file.skipped is None else file
            file.same_content_as = None if before is file else before.path
            if file.left_out:
                log.info("Leaving out %s", file.left_out)
                continue
            moment = limiter.next(moment)
            limiter.record(RateLimit(), moment)
            file.upload_at = datetime.fromtimestamp(moment, timezone.utc).isoformat()
        to_upload = [file for file in files if not file.left_out]
        codes, last = sum(file.codes for file in to_upload), to_upload[-1].upload_at if to_upload else None
        log.info("%s to upload, the last at %s", counted(len(to_upload), "file"), last)
        plan = {"coupon_list_id": self._list, "codes": codes, "last_upload_at": last}
        return {**plan, "files": msgspec.to_builtins(files)}

    def _listed(self) -> list[tuple[CheckedFile, BucketFile | UrlFile]]:
        """The files and where they come from; an object that several items name is listed once."""
        listed: dict[str, tuple[CheckedFile, BucketFile | UrlFile]] = {}
        for item, fields in enumerate(self._items):
            value = fields["file_url"]
            if not in_storage(value):
                auth = fields.get("file_url_auth_username") or "", fields.get("file_url_auth_password") or ""
                file = UrlFile(value, auth if any(auth) else None)
                checked = isinstance(self._preflight, Preflight)
                listed[str(item)] = CheckedFile(path=file.path, checked=checked, item=item), file
                continue
            found = (value if isinstance(value, BucketFiles) else BucketFiles(value)).expand()
            if len(found) > 1 and fields.get("name"):
                raise WesConfigurationError(
                    f"Several files would all be named {shown(fields['name'])}: {found[0].path} and "
                    f"{counted(len(found) - 1, 'more file')}\nLeave name out, or name one file"
                )
            for source in found:
                known = CheckedFile(path=source.path, size=source.size, etag=source.etag, item=item, source=source)
                known.checked = self._preflight is not False
                listed.setdefault(source.path, (known, source))
        return list(listed.values())

    def requests(self, plan: Mapping[str, Any], *, single: bool = False) -> list[UploadRequest]:
        """
        The uploads of a plan.

        :param single: the task uploads one file by its nature.
        :raises WesConfigurationError: if it is to be one file, and several match.
        :raises AirflowSkipException: if it is to be one file, and that is left out.
        """
        files = msgspec.convert(plan["files"], list[CheckedFile])
        if single and len(files) != 1:
            cause = f"file_url has to be one file, and {len(files)} match"
            raise WesConfigurationError(f"{cause}\nUse WesReplenishCouponListOperator for several")
        if single and files[0].left_out:
            raise AirflowSkipException(f"{about('Left out', self._list)}\n{files[0].left_out}")
        return [self._request(file) for file in files if not file.left_out]

    def _request(self, file: CheckedFile) -> UploadRequest:
        fields = dict(self._items[file.item])
        if file.source is None and self._ledger is None:
            return UploadRequest.of(self._list, fields)
        source = file.source or UrlFile(fields["file_url"])
        key = str(fields.get("name") or file.path) if file.source else key_of(fields)
        del fields["file_url"]
        if self._ledger is None:
            return UploadRequest(self._list, key, file.path, fields, source.url)
        claim = _Claim(self._ledger, source, file)
        return UploadRequest(self._list, key, file.path, fields, claim.url, claim.result)

    def reconcile(
        self, plan: Mapping[str, Any] | None, files: Sequence[dict[str, Any]]
    ) -> tuple[list[dict[str, Any]], WesError | None]:
        """
        Compare what the files had with what the service counted.

        :param files: the summaries of the uploaded files, in the plan's order.
        :return: the summaries with the number of codes, and the error that follows if too few of them were added.
        """
        if plan is None:
            return list(files), None
        planned = [file for file in msgspec.convert(plan["files"], list[CheckedFile]) if not file.left_out]
        summaries, too_few, ratio = list[dict[str, Any]](), list[str](), self._rules.min_added_ratio or 0
        for file, summary in zip(planned, files, strict=True):
            summaries.append({**summary, "expected_codes": file.codes} if file.checked else summary)
            added, _ = self._hook.settings.count_names.read([CouponFile.from_summary(summary)])
            if file.checked and ratio and (added is None or added < ratio * file.codes):
                reported = "an unreported number" if added is None else added
                too_few.append(f"{file.path}: {reported} of {counted(file.codes, 'code')} added")
        if not too_few:
            return summaries, None
        cause = about(f"{counted(len(too_few), 'file')} below min_added_ratio={ratio}", self._list)
        advice = "The files are uploaded: check whether the list had their codes before. Do not upload them again. "
        advice += "If the service reports no numbers, set coupon_file_counts of the connection."
        return summaries, WesReconciliationError(f"{cause}\n{advice}", too_few)


def _failed(hook: WesHook | None, coupon_list_id: str, statuses: Statuses | None, coupon_file_id: str) -> bool:
    """Whether a file failed processing, so that the list has none of its codes; a plan does not ask."""
    if hook is None:
        return False
    try:
        record = hook.get_coupon_file(coupon_list_id, coupon_file_id)
    except WesResponseError:
        return False  # nothing is known of it but that it was uploaded
    return (statuses or hook.settings.statuses).failed(str(record.get("status") or ""))
