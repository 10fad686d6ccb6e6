"""
The operator that uploads many coupon files to one list, at the pace that the list's limits allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import arguments, contract
from wes_provider.arguments import check_whole_number
from wes_provider.exceptions import WesConfigurationError, WesCouponFileFailedError, WesTimeoutError
from wes_provider.models import CouponFile, Summary
from wes_provider.operators.upload_arguments import UploadArguments, check_file
from wes_provider.operators.upload_flow import FIX_IT_HERE, UploadFlow, total_counts
from wes_provider.texts import about, redact_url, shown
from wes_provider.uploads.identity import FileKey
from wes_provider.uploads.request import identify_file
from wes_provider.waits.decision import Failed, Outcome

if TYPE_CHECKING:
    from airflow.sdk import Context

    from wes_provider.uploads.loop import Progress

__all__ = ["WesReplenishCouponListOperator"]


class WesReplenishCouponListOperator(UploadFlow):
    """
    Upload many files to one list, each at most once, even after a crash, and wait until they are
    processed.

    Files are uploaded in their order, as fast as the list's limits allow and no faster. Returns the
    coupon files' identifiers in the order of ``files``; pushes ``coupon_files``, flat objects with
    ``id``, ``coupon_list_id``, ``name``, ``status`` and counts, before each wait and at the end.

    :param files: URLs, or objects with ``file_url`` and further arguments of
        :meth:`~wes_provider.hooks.WesHook.upload_coupon_file`; or JSON of them, or a ``.json``
        file. All of them are checked before the first is uploaded. Each URL is given once;
        URLs that differ in signatures alone need names that differ. Or files in object storage:
        ``s3://aws_default@promo/summer/*.csv``, ``ObjectStoragePath`` objects, or
        :class:`~wes_provider.storage.BucketFiles`, alone or in the list. Each URL is signed for its
        upload. (templated)
    :param max_failed_files: how many files may fail processing before the task fails.
    :param plan_only: list and check the files, push the XCom ``plan``, and return without a request
        to the service.

    Contract: sections 3, 4.1 and 8.
    """

    template_fields: Sequence[str] = (*UploadArguments.template_fields, "files")
    single = False
    pushes = "coupon_files"
    template_ext: Sequence[str] = (".json",)
    template_fields_renderers: ClassVar[dict[str, str]] = {"files": "json"}
    label_fields: ClassVar[Sequence[str]] = ("coupon_list_id",)

    def __init__(
        self,
        *,
        files: Any,
        wait_for_completion: bool = True,
        max_failed_files: int = 0,
        plan_only: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(wait_for_completion=wait_for_completion, **kwargs)
        self.files = list(files) if isinstance(files, tuple) else files
        self.plan_only = plan_only
        arguments.check_boolean("plan_only", plan_only)
        self.max_failed_files = max_failed_files
        check_whole_number("max_failed_files", max_failed_files)
        if not arguments.templated(self.files):
            check_files(self.files)

    def _files(self) -> list[dict[str, Any]]:
        return check_files(self.files)

    def _upload_and_wait(self, context: Context, progress: Progress | None) -> Any:
        if self.plan_only:
            self.plan(context)
            return []
        return super()._upload_and_wait(context, progress)

    def plan(self, context: Context) -> dict[str, Any]:
        """List and check the files, and push the plan of their upload."""
        self.check_rendered()
        storage = self._open_storage(context, self._files_with_credentials(), plan_only=True)
        plan: dict[str, Any] = storage.prepare()
        context["ti"].xcom_push(key="plan", value=plan)
        return plan

    def result(self, files: Sequence[CouponFile]) -> list[str]:
        """Return the identifiers of the files, in the order of ``files``."""
        return [file.id for file in files]

    def pushed(self, summaries: Sequence[Summary]) -> list[Summary]:
        """Return the files for the XCom ``coupon_files``."""
        return list(summaries)

    def event(self, summaries: Sequence[Summary]) -> dict[str, Any]:
        """Return which files it was, and what all of them brought, for the event of an asset."""
        adopted = [summary["id"] for summary in summaries if summary["adopted"]]
        return {
            **total_counts(summaries),
            "coupon_list_id": str(self.coupon_list_id),
            "coupon_file_ids": [summary["id"] for summary in summaries],
            "adopted": len(adopted) == len(summaries),
            "adopted_coupon_file_ids": adopted,
        }

    def raise_failures(self, outcomes: Sequence[Outcome]) -> None:
        """Fail if more than ``max_failed_files`` have failed, or if a file is not processed."""
        failed: list[WesCouponFileFailedError] = []
        late: list[WesTimeoutError] = []
        first_lines = []
        for error in [outcome.error for outcome in outcomes if isinstance(outcome, Failed)]:
            if isinstance(error, WesCouponFileFailedError):
                failed.append(error)
            elif isinstance(error, WesTimeoutError):
                late.append(error)
            else:
                raise error
            first_lines.append(str(error).partition("\n")[0])
        details = "\n".join(first_lines)
        if late:
            raise self._not_in_time(len(late), len(outcomes), details)
        if failed:
            failure = self._failure(failed, len(outcomes), details)
            if len(failed) > self.max_failed_files:
                raise failure
            self.log.warning("%s\nmax_failed_files is %d", failure, self.max_failed_files)

    def _not_in_time(self, late: int, total: int, details: str) -> WesTimeoutError:
        reason = f"{late} of {total} files not processed in time"
        advice = (
            "They may still be processed: raise timeout and execution_timeout, or wait for them "
            "with a sensor."
        )
        text = f"{about(reason, self.coupon_list_id)}\n{advice}\n{details}"
        return WesTimeoutError(text, reason=reason)

    def _failure(
        self, failed: Sequence[WesCouponFileFailedError], total: int, details: str
    ) -> WesCouponFileFailedError:
        reason = failed[0].reason
        if total > 1:
            reason = f"{len(failed)} of {total} files failed: {reason}"
        text = f"{about(reason, self.coupon_list_id)}\n{FIX_IT_HERE}\n{details}"
        return WesCouponFileFailedError(text, failed[0].coupon_file, reason=reason)


# -- the argument `files` --------------------------------------------------------------------------


def check_files(value: Any) -> list[dict[str, Any]]:
    """
    Check the files, and return the upload's fields of each.

    :raises WesConfigurationError: naming every file that cannot be uploaded, or told from another,
        and why.
    """
    files: list[dict[str, Any]] = []
    problems: list[str] = []
    for index, item in enumerate(_read_items(value)):
        try:
            files.append(_check_item(item))
        except WesConfigurationError as error:
            problems.append(f"files[{index}]: {error}")
    if not files and not problems:
        raise WesConfigurationError(
            "files is empty: there is nothing to upload\nIf that is expected, skip the task."
        )
    problems += _find_duplicates(files)
    if problems:
        details = "\n".join(problems)
        raise WesConfigurationError(f"no file was uploaded, since some are invalid: {details}")
    return files


def _read_items(value: Any) -> Iterable[Any]:
    """Read the argument as a list, which a template or a ``.json`` file gives as JSON."""
    if arguments.in_storage(value):
        return [value]
    if isinstance(value, str) and _is_single_url(value):
        url = shown(redact_url(value.strip()))
        raise WesConfigurationError(
            f"files takes a list of URLs, and this is a string: {url}\nPut a URL into brackets."
        )
    items = arguments.from_json("files", value)
    if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
        raise WesConfigurationError(
            f"files takes a list of URLs, or of objects with file_url, not {shown(items)}"
        )
    return items


def _is_single_url(value: str) -> bool:
    """Return whether a string is a URL instead of a list in JSON, which may begin with a mark."""
    return "://" in value and not value.strip("\ufeff \n").startswith("[")


def _check_item(item: Any) -> dict[str, Any]:
    fields = item
    if isinstance(item, str) or arguments.in_storage(item):
        fields = {"file_url": item}
    if not isinstance(fields, Mapping):
        raise WesConfigurationError(
            f"it takes a URL, or an object with file_url, not {shown(item)}"
        )
    unknown = [key for key in fields if key not in contract.UPLOAD_FIELDS]
    if unknown:
        raise WesConfigurationError(
            f"it has {shown(unknown[0])}\nA file has {', '.join(contract.UPLOAD_FIELDS)}."
        )
    has_none = any(value == "None" for value in fields.values())
    if has_none or fields.get("file_url") is None:
        raise WesConfigurationError("it has no file_url, or a part of it rendered to None")
    return check_file(fields)


def _find_duplicates(files: Sequence[Mapping[str, Any]]) -> list[str]:
    """Find files that hand out the same coupons twice, or cannot be told apart after a crash."""
    seen_files: set[FileKey] = set()
    seen_urls: set[str] = set()
    twice: set[str] = set()
    for fields in files:
        url = fields["file_url"]
        if arguments.in_storage(url):
            continue
        file = identify_file(fields)
        if file in seen_files or url in seen_urls:
            twice.add(redact_url(url))
        seen_files.add(file)
        seen_urls.add(url)
    advice = "Give each URL once. URLs that differ in signatures alone need names that differ."
    return [f"two files are {url}\n{advice}" for url in sorted(twice)]
