"""
The operator that uploads many coupon files to one list, at the pace that the list's limits allow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import arguments, contract
from wes_provider.arguments import check_whole_number
from wes_provider.exceptions import WesConfigurationError, WesCouponFileFailedError, WesTimeoutError
from wes_provider.operators.upload_base import UploadBase, checked_file
from wes_provider.operators.upload_task import FIX_IT_HERE, UploadTask
from wes_provider.polling import Failed, Outcome
from wes_provider.texts import about, redact_url, shown
from wes_provider.uploads.request import key_of

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesReplenishCouponListOperator"]


class WesReplenishCouponListOperator(UploadTask):
    """
    Upload many coupon files to one coupon list, each at most once whatever crashes, and wait until
    they are processed.

    Files are uploaded in their order, as fast as the list's limits allow and no faster. Returns the
    coupon files' identifiers in the order of ``files``; pushes ``coupon_files``, flat objects with
    ``id``, ``coupon_list_id``, ``name``, ``status`` and counts, before each wait and at the end.

    :param files: URLs, or objects with ``file_url`` and further arguments of
        :meth:`~wes_provider.hooks.WesHook.upload_coupon_file`; or JSON of them, or a ``.json``
        file. All of them are checked before the first is uploaded. Files have to differ in URL; if
        in its query only, in ``name``, too. Or files in object storage:
        ``s3://aws_default@promo/summer/*.csv``, ``ObjectStoragePath`` objects, or
        :class:`~wes_provider.storage.BucketFiles`, alone or in the list. Each URL is signed for its
        upload. (templated)
    :param max_failed_files: how many files may fail processing before the task fails.
    :param plan_only: list and check the files, push the XCom ``plan``, and return without a request
        to the service.

    Contract: sections 3, 4.1 and 8.
    """

    template_fields: Sequence[str] = (*UploadBase.template_fields, "files")
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
        self.max_failed_files = max_failed_files
        check_whole_number("max_failed_files", max_failed_files)
        if not arguments.templated(self.files):
            checked_files(self.files)

    def _files(self) -> list[dict[str, Any]]:
        return checked_files(self.files)

    def _run(self, context: Context, event: Any) -> Any:
        if self.plan_only:
            self.plan(context)
            return []
        return super()._run(context, event)

    def plan(self, context: Context) -> dict[str, Any]:
        """List and check the files, and push the plan of their upload."""
        self.check_rendered()
        storage = self._storage(context, plan_only=True)
        plan: dict[str, Any] = storage.prepare() if storage is not None else {}
        context["ti"].xcom_push(key="plan", value=plan)
        return plan

    def _raise_failures(self, outcomes: Sequence[Outcome]) -> None:
        count, errors = (
            len(outcomes),
            [outcome.error for outcome in outcomes if isinstance(outcome, Failed)],
        )
        failed = [error for error in errors if isinstance(error, WesCouponFileFailedError)]
        late = [error for error in errors if isinstance(error, WesTimeoutError)]
        for error in errors:
            if error not in failed and error not in late:
                raise error
        lines = "\n".join(str(error).partition("\n")[0] for error in errors)
        if late:
            reason = f"{len(late)} of {count} files not processed in time"
            advice = (
                "They may still be processed: raise timeout and execution_timeout, or wait "
                "for them with a sensor."
            )
            raise WesTimeoutError(
                f"{about(reason, self.coupon_list_id)}\n{advice}\n{lines}", reason=reason
            )
        if failed:
            reason = (
                f"{len(failed)} of {count} files failed: {failed[0].reason}"
                if count > 1
                else failed[0].reason
            )
            text = f"{about(reason, self.coupon_list_id)}\n{FIX_IT_HERE}\n{lines}"
            if len(failed) > self.max_failed_files:
                raise WesCouponFileFailedError(text, failed[0].coupon_file, reason=reason)
            self.log.warning("%s\nmax_failed_files is %d", text, self.max_failed_files)


# -- the argument `files` --------------------------------------------------------------------------


def checked_files(value: Any) -> list[dict[str, Any]]:
    """
    The upload's fields of each file.

    :raises WesConfigurationError: naming every file that cannot be uploaded, or told from another,
        and why.
    """
    if isinstance(value, str) and not arguments.in_storage(value):
        text = value.strip()
        if not text.startswith(("[", "{")):
            raise WesConfigurationError(
                f"files takes a list of URLs, and this is a text: {shown(redact_url(text))}\nPut "
                "a URL into brackets."
            )
    items = [value] if arguments.in_storage(value) else arguments.from_json("files", value)
    if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
        raise WesConfigurationError(
            f"files takes a list of URLs, or of objects with file_url, not {shown(items)}"
        )
    files: list[dict[str, Any]] = []
    problems: list[str] = []
    for index, item in enumerate(items):
        try:
            files.append(_checked_file(item))
        except WesConfigurationError as error:
            problems.append(f"files[{index}]: {error}")
    if not files and not problems:
        raise WesConfigurationError(
            "files is empty: there is nothing to upload\nIf that is expected, skip the task."
        )
    problems += _duplicates(files)
    if problems:
        raise WesConfigurationError(
            "no file was uploaded, since some are invalid: " + "\n".join(problems)
        )
    return files


def _checked_file(item: Any) -> dict[str, Any]:
    fields = {"file_url": item} if isinstance(item, str) or arguments.in_storage(item) else item
    if not isinstance(fields, Mapping):
        raise WesConfigurationError(
            f"it takes a URL, or an object with file_url, not {shown(item)}"
        )
    if unknown := [key for key in fields if key not in contract.UPLOAD_FIELDS]:
        raise WesConfigurationError(
            f"it has {shown(unknown[0])}\nA file has {', '.join(contract.UPLOAD_FIELDS)}."
        )
    if any(value == "None" for value in fields.values()) or fields.get("file_url") is None:
        raise WesConfigurationError("it has no file_url, or a part of it rendered to None")
    return checked_file(fields)


def _duplicates(files: Sequence[Mapping[str, Any]]) -> list[str]:
    """Files that hand out the same coupons twice, or that could not be told apart after a crash."""
    at_urls = [fields for fields in files if not arguments.in_storage(fields["file_url"])]
    counts = Counter(key for fields in at_urls for key in {key_of(fields), fields["file_url"]})
    twice = {
        redact_url(f["file_url"])
        for f in at_urls
        if counts[key_of(f)] > 1 or counts[f["file_url"]] > 1
    }
    advice = "Files have to differ in URL; if in its query only, in name, too."
    return [f"two files are {url}\n{advice}" for url in sorted(twice)]
