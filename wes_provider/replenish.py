"""The operator that uploads many coupon files to one list, at the pace that the list's limits allow."""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from wes_provider import contract, models
from wes_provider.exceptions import WesConfigurationError, WesCouponFileFailedError, WesError, WesTimeoutError
from wes_provider.models import CouponFile
from wes_provider.polling import CouponFileWait, Done, Failed, Outcome, Wait, failure, failure_cause
from wes_provider.retry_policy import permanent_failures
from wes_provider.tasks import arguments_of, check_on_duplicate, check_whole_number, without_value
from wes_provider.upload_task import WesUploadTask, resumed_state

if TYPE_CHECKING:
    from airflow.sdk import Context

    from wes_provider.uploads.many import ManyUploads
    from wes_provider.uploads.request import UploadRequest

__all__ = ["WesReplenishCouponListOperator"]

POLLS_BEFORE_DEFERRAL: Final = 30.0  # seconds; the triggerer polls the other files
SHOWN_PROBLEMS: Final = 10  # of `files`, in one message
FILE_NAME: Final = re.compile(r"[^\[\]{}\"]*[\w*?-]\.[A-Za-z]{2,4}(\.gz)?")


class WesReplenishCouponListOperator(WesUploadTask):
    """
    Upload many coupon files to one coupon list, each at most once whatever crashes, and wait until they are processed.

    Files are uploaded in their order, as fast as the list's limits allow and no faster. Returns the coupon files'
    identifiers in the order of ``files``; pushes ``coupon_files``, flat objects with ``id``, ``coupon_list_id``,
    ``name``, ``status`` and counts, after the last upload and at the end. Before each wait for the limits, it pushes
    those uploaded since the last one to ``coupon_files_1`` and so on.

    :param files: URLs, or objects with ``file_url`` and further arguments of
        :meth:`~wes_provider.hooks.WesHook.upload_coupon_file`; or JSON of them, or a ``.json`` file. All of them are
        checked before the first is uploaded. Two files have to differ in their URLs without queries, or in ``name``.
        Or files in object storage: ``s3://aws_default@promo/summer/*.csv``, ``ObjectStoragePath`` objects, or
        :class:`~wes_provider.storage.BucketFiles`, alone or in the list. Each URL is signed for its upload.
        (templated)
    :param file_url_auth_conn_id: a connection with the login and password for fetching the files that have none of
        their own. (templated)
    :param on_duplicate: what a cleared or repeated task does with the files that an earlier attempt uploaded:
        ``adopt`` keeps them, and after a clear uploads again those that failed processing; ``upload`` uploads all of
        them again after a clear; ``fail`` fails. (templated)
    :param wait_for_completion: wait until all files are processed.
    :param max_failed_files: how many files may fail processing before the task fails.
    :param deferrable: wait in the triggerer instead of on a worker, for the limits too.
    :param timeout: seconds to wait until all are processed, from the last upload.
    :param min_coupons_added: fail if fewer coupons were added, by all files together; without it, a warning is
        logged if none was.
    :param plan_only: list and check the files, push the XCom ``plan``, and return without a request to the service.
    :raises WesConfigurationError: for arguments or a connection that cannot be used, with every problem of ``files``;
        nothing was sent.
    :raises WesUnknownOutcomeError: if the list does not tell whether a file was uploaded; not retried.
    :raises WesDuplicateError: after a clear, with ``on_duplicate="fail"``; not retried.
    :raises WesCouponFileFailedError: if more than ``max_failed_files`` fail processing, or too few coupons are added;
        not retried.
    :raises WesTimeoutError: if the files are not processed within ``timeout``.

    Contract: sections 3, 4.1 and 8.
    """

    template_fields: Sequence[str] = (
        "wes_conn_id",
        "coupon_list_id",
        "files",
        "file_url_auth_conn_id",
        "on_duplicate",
        "preflight",
        "ledger",
    )
    template_ext: Sequence[str] = (".json",)
    template_fields_renderers: ClassVar[dict[str, str]] = {"files": "json"}
    secret_fields: ClassVar[Sequence[str]] = ("files",)
    label_fields: ClassVar[Sequence[str]] = ("coupon_list_id",)

    files: Any
    max_failed_files: int
    plan_only: bool
    _titles: Mapping[str, str]
    _places: Mapping[str, str]

    @arguments_of(WesUploadTask)
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
        files = list(files) if isinstance(files, tuple) else files
        self._assign(files=files, plan_only=plan_only, max_failed_files=max_failed_files)
        if not models.templated(files):
            checked_files(files, written=files)
        check_whole_number("max_failed_files", max_failed_files)

    def resolve_template_files(self) -> None:
        """Airflow reads ``files`` from a ``.json`` file here; a URL in a list is none."""
        if isinstance(self.files, str):
            super().resolve_template_files()

    def render_template(self, content: Any, *args: Any, **kwargs: Any) -> Any:
        """Airflow renders each text of ``files`` here; a URL that ends in ``.json`` is no template file either."""
        if isinstance(content, str) and "://" in content:
            content += "{# #}"
        return super().render_template(content, *args, **kwargs)

    def get_openlineage_facets_on_start(self) -> Any:
        """The coupon files in, the list out."""
        from wes_provider.lineage import upload_lineage

        items = [self.files] if models.in_storage(self.files) else self.files
        found = (item["file_url"] if isinstance(item, Mapping) else item for item in items)
        urls = (str(getattr(item, "url", item)) for item in found)
        return upload_lineage(self.coupon_list_id, urls)

    @permanent_failures()
    def execute(self, context: Context) -> list[str]:
        """Upload the files, or adopt those of an earlier attempt; then wait for them."""
        if self.plan_only:
            self._storage(context, self._fields(), plan_only=True).prepare()
            return []
        uploads = self._begin(context)
        uploads.upload()
        return self._go_on(context, uploads)

    @permanent_failures()
    def execute_at_reset(self, context: Context, event: Any = None) -> list[str]:
        """Resumed when the list's rate limit allows the next upload."""
        self._settings()
        uploads = self._begin(context, resumed_state(event))
        uploads.upload()
        return self._go_on(context, uploads)

    def _fields(self) -> list[dict[str, Any]]:
        """The arguments of each item of ``files``."""
        check_on_duplicate(self.on_duplicate)
        credentials = self._fetch_credentials
        files = checked_files(self.rendered("files"), written=vars(self).get("_written", {}).get("files", self.files))
        return [fields if "file_url_auth_username" in fields else {**fields, **credentials} for fields in files]

    @cached_property
    def _secrets_of_files(self) -> tuple[str, ...]:
        # Only passwords for all files together, which are few: the URL of each file is in its record.
        credentials = ("file_url_auth_username", "file_url_auth_password")
        different = {tuple(fields.get(name, "") for name in credentials) for fields in self._fields()}
        return tuple(
            secret
            for login in sorted(different)
            for secret in models.secrets_of_upload(dict(zip(credentials, login, strict=True)))
        )

    def _requests(self, context: Context, *, resumed: bool = True) -> list[UploadRequest]:
        from wes_provider.uploads.request import UploadRequest

        files = self._fields()
        storage = self._storage(context, files)
        if storage is None:
            return [UploadRequest.of(self.coupon_list_id, fields, part=part_of(fields)) for fields in files]
        return storage.requests(storage.resumed() if resumed else storage.prepare())  # type: ignore[no-any-return]

    def _begin(self, context: Context, state: dict[str, Any] | None = None) -> ManyUploads:
        from wes_provider.uploads.many import ManyUploads

        requests = self._requests(context, resumed=state is not None)
        self._link(context, "coupon-list", self.coupon_list_id)
        return ManyUploads(self, context, requests, state)

    def _go_on(self, context: Context, uploads: ManyUploads) -> list[str]:
        if self.wait_for_completion and self.do_xcom_push:
            context["ti"].xcom_push(key="return_value", value=[file["id"] for file in uploads.summaries])
        deadline = self._deadline(context, self.clock.time(), self.timeout)
        self._name(uploads.summaries)
        waits = {
            file["id"]: self._wait_for(file["id"], started=sent_at, deadline=deadline, title=self._titles[file["id"]])
            for file, sent_at in zip(uploads.summaries, uploads.sent_at, strict=True)
        }
        outcomes: dict[str, Outcome] = {}
        polls = self.wait_for_completion and self.deferrable
        enough = time.monotonic() + POLLS_BEFORE_DEFERRAL
        for file in uploads.summaries:
            decision: Wait | Outcome = waits[file["id"]].decide(CouponFile.from_summary(file), self.clock.time())
            if isinstance(decision, Wait) and polls and not self._no_response and time.monotonic() < enough:
                decision = self._decide(self.coupon_list_id, file["id"], waits[file["id"]])
            if not isinstance(decision, Wait):
                outcomes[file["id"]] = decision
        if self.wait_for_completion and len(outcomes) < len(waits):
            if self.deferrable:
                self._defer(context, uploads.summaries, outcomes, waits)
            pending = {file_id: wait for file_id, wait in waits.items() if file_id not in outcomes}
            for file_id, outcome in self._wait_here(self.coupon_list_id, pending):
                outcomes[file_id] = outcome
                self._report(file_id, outcome)
        return self._finish(context, uploads.summaries, outcomes)

    def _defer(
        self,
        context: Context,
        summaries: Sequence[dict[str, Any]],
        outcomes: Mapping[str, Outcome],
        waits: Mapping[str, CouponFileWait],
    ) -> NoReturn:
        """Defer for unprocessed files; keep finished ones in XCom."""
        files = [_summary(outcomes.get(file["id"]), file) for file in summaries]
        context["ti"].xcom_push(key="coupon_files", value=files)
        pending = {file_id: wait for file_id, wait in waits.items() if file_id not in outcomes}
        for file_id, outcome in outcomes.items():
            self._report(file_id, outcome)
        self._defer_until_processed(self.coupon_list_id, pending, "execute_complete")

    @permanent_failures()
    def execute_complete(self, context: Context, event: Any = None) -> list[str]:
        """Resumed by the trigger, when all waits are over."""
        ti = context["ti"]
        pushed = ti.xcom_pull(task_ids=ti.task_id, key="coupon_files", map_indexes=ti.map_index)
        files = pushed if isinstance(pushed, list) else []
        self._name(files)
        waited = self._resumed(self.coupon_list_id, event)
        outcomes = self._ended_before([file for file in files if file["id"] not in waited])
        if {file["id"] for file in files} != set(outcomes) | set(waited):
            raise WesError(f"The trigger's event is about other files than this task uploaded\n{models.shown(event)}")
        for file_id, outcome in waited.items():
            self._report(file_id, outcome)
        return self._finish(context, files, {**outcomes, **waited})

    def _ended_before(self, files: Sequence[dict[str, Any]]) -> dict[str, Outcome]:
        """How those of the files ended that were processed before the task deferred."""
        now = self.clock.time()
        outcomes: dict[str, Outcome] = {}
        for file in files:
            wait = self._wait_for(file["id"], started=now, deadline=math.inf, title=self._titles[file["id"]])
            decision = wait.decide(CouponFile.from_summary(file), now)
            if not isinstance(decision, Wait):
                outcomes[file["id"]] = decision
        return outcomes

    def _deferred_for(self, context: Any) -> str:
        ti = context["ti"]
        ids = ti.xcom_pull(task_ids=ti.task_id, key="return_value", map_indexes=ti.map_index)  # once all are uploaded
        return models.counted(len(ids), "file") if ids else "rate limit"

    def _name(self, files: Sequence[Mapping[str, Any]]) -> None:
        """
        Number the task's files, and find out what tells them apart.

        :param files: all of them, in their order.
        """
        titles = models.file_titles([file["file_url"] for file in files])
        self._assign(
            _titles={file["id"]: title for file, title in zip(files, titles, strict=True)},
            _places={file["id"]: f"{number} of {len(files)}" for number, file in enumerate(files, 1)},
        )

    def _title_of(self, file: CouponFile) -> str:
        return self._titles.get(file.id) or super()._title_of(file)

    def _report(self, file_id: str, outcome: Outcome) -> None:
        """Log how the wait for a file ended."""
        place = f"File {self._places[file_id]}"
        if isinstance(outcome, Done):
            file, names = outcome.file, self._settings().count_names
            cause = f"{place} processed, {str(names.read([file])) or file.status}"
            self.log.info("%s", models.headline(cause, file.coupon_list_id, file.id, self._title_of(file)))
        elif isinstance(outcome.error, WesCouponFileFailedError):
            file = CouponFile.from_summary(outcome.error.coupon_file)
            self.log.error("%s", failure(file, title=self._title_of(file), advice=f"{place} failed."))
        else:
            self.log.error("%s\n%s did not succeed.", outcome.error, place)

    def _finish(
        self, context: Context, summaries: Sequence[dict[str, Any]], outcomes: Mapping[str, Outcome]
    ) -> list[str]:
        """
        :param summaries: the summaries of all files, in their order.
        :param outcomes: the outcomes of the files whose processing, or whose wait, has ended.
        """
        final = [_summary(outcomes.get(file["id"]), file) for file in summaries]
        context["ti"].xcom_push(key="coupon_files", value=final)
        storage = self._storage(context, self._fields())
        shares = []
        if storage is not None and len(outcomes) == len(final):
            final, shares = storage.reconcile(storage.resumed(), final)
            context["ti"].xcom_push(key="coupon_files", value=final)
        for request in self._requests(context)[:1]:
            self._mark_ended(context, request.part)
        self._raise_first([outcomes[file["id"]] for file in summaries if file["id"] in outcomes])
        if self.wait_for_completion and final:
            self._check_counts(context, summaries, outcomes, final)
        if storage is not None:
            storage.check(shares)
        ids = [file["id"] for file in summaries]
        counts = {"coupon_list_id": self.coupon_list_id, "coupon_file_ids": ids, **_counts(final)}
        self._describe_events(context, counts)
        return ids

    def _check_counts(
        self,
        context: Context,
        summaries: Sequence[Mapping[str, Any]],
        outcomes: Mapping[str, Outcome],
        final: Sequence[Mapping[str, Any]],
    ) -> None:
        """Fail, warn or report: how many coupons the files brought together."""
        names = self._settings().count_names
        processed = [outcome.file for outcome in outcomes.values() if isinstance(outcome, Done)]
        parts = dict(zip((file["id"] for file in summaries), self._requests(context), strict=False))
        without = {file.id for file in processed if not names.read([file]).added}
        again = [request.part for file_id, request in parts.items() if file_id in without]
        self._check_coupons_added(
            context,
            processed or [CouponFile.from_summary(final[0])],
            again or [request.part for request in parts.values()],
        )

    def _raise_first(self, outcomes: Sequence[Outcome]) -> None:
        """
        Raise what the files that did not succeed mean for the task, naming each of them.

        :param outcomes: in the order of the files.
        """
        total = len(outcomes)
        errors = [outcome.error for outcome in outcomes if isinstance(outcome, Failed)]
        failed = [error for error in errors if isinstance(error, WesCouponFileFailedError)]
        others = [error for error in errors if not isinstance(error, WesCouponFileFailedError)]
        for error in others:
            if not isinstance(error, WesTimeoutError):
                raise error
        if others:
            raise WesTimeoutError(
                f"{self._headline(f'{len(others)} of {total} files not processed in time')}\n"
                "They may still be processed: raise timeout, or wait for them with a sensor.\n"
                + "\n".join(_first_line(error) for error in errors)
            )
        if len(failed) > self.max_failed_files:
            upload = self.on_duplicate == "upload"
            which = "all files again, since on_duplicate is 'upload'" if upload else "these files again, and no other"
            raise WesCouponFileFailedError(
                f"{self._headline(f'{len(failed)} of {total} files failed processing')}\n"
                f"Fix them, then clear this task: it uploads {which}.\n"
                + "\n".join(map(self._line_of, failed))
                + (f"\nmax_failed_files is {self.max_failed_files}" if self.max_failed_files else ""),
                failed[0].coupon_file,
            )
        if failed:
            cause = f"{len(failed)} of {total} files failed, max_failed_files is {self.max_failed_files}"
            lines = [models.headline(cause, self.coupon_list_id), *map(self._line_of, failed)]
            self.log.warning("%s", "\n".join(lines))

    def _line_of(self, error: WesCouponFileFailedError) -> str:
        """Which file failed, and why. A second line has what does not fit into the first."""
        if not error.coupon_file:
            return _first_line(error)
        file = CouponFile.from_summary(error.coupon_file)
        cause = failure_cause(file)
        line = models.headline(cause, file.coupon_list_id, file.id, self._title_of(file))
        return line if line.startswith(cause.removesuffix(".")) else f"{line}\nReason: {file.reason}"

    def _headline(self, cause: str) -> str:
        return models.headline(cause, self.coupon_list_id, longest=models.ERROR_HEADLINE)


def _first_line(error: WesError) -> str:
    return str(error).partition("\n")[0]


def _summary(outcome: Outcome | None, file: dict[str, Any]) -> dict[str, Any]:
    """A file as its wait has left it."""
    if isinstance(outcome, Done):
        summary = outcome.file.summary()
    elif isinstance(outcome, Failed) and isinstance(outcome.error, WesCouponFileFailedError):
        summary = outcome.error.coupon_file or file
    else:
        return file
    return {**summary, "file_url": summary.get("file_url") or file["file_url"]}


def _counts(files: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """What the service counts, summed over files."""
    counts: Counter[str] = Counter()
    for file in files:
        counts.update({key: value for key, value in file.items() if isinstance(value, int)})
    return counts


# -- the argument `files` ---------------------------------------------------------------------------


def checked_files(value: Any, *, written: Any = None) -> list[dict[str, Any]]:
    """
    The upload's fields of each file.

    :param value: the argument ``files``.
    :param written: the same before its templates were rendered, if that is known: what is ``None`` there is not given.
    :raises WesConfigurationError: naming every file that cannot be uploaded, or told from another, and why.
    """
    if isinstance(value, str) and not models.in_storage(value):
        _check_text(value.strip())
    value = [value] if models.in_storage(value) else models.from_json("files", value)
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise WesConfigurationError(
            f"files takes a list of URLs, or of objects with file_url, not this\n{models.shown(value)}"
        )
    if isinstance(written, str):
        written = (
            None if models.templated(written) or models.in_storage(written) else models.from_json("files", written)
        )
    files: list[dict[str, Any]] = []
    problems: list[str] = []
    for index, item in enumerate(value):
        if lost := _without_value(item, models.part_of_argument(written, index)):
            fields = ", ".join(f"files[{index}].{field}" for field in lost)
            problems.append(f"{fields} rendered to None: the template or the other task has no value")
            files.append({})
            continue
        try:
            files.append(_checked_file(item))
        except WesConfigurationError as error:
            problems.append(f"files[{index}]: {error}")
            files.append({})
    if not files:
        raise WesConfigurationError("files is empty: there is nothing to upload\nIf that is expected, skip the task.")
    if len(files) > 1:
        problems += _duplicates(files)
    if problems:
        more = len(problems) - SHOWN_PROBLEMS
        shown = problems[:SHOWN_PROBLEMS] + ([f"and {more} more problems"] if more > 0 else [])
        raise WesConfigurationError("no file was uploaded, since some are invalid\n" + "\n".join(shown))
    return files


def _check_text(text: str) -> None:
    """Refuse texts that are plainly no JSON but a file's name, or one URL."""
    if not text:
        raise WesConfigurationError(
            "files is an empty text: there is nothing to upload\nIf that is expected, skip the task."
        )
    if text.lower().startswith(("http://", "https://")):
        raise WesConfigurationError(
            f"files takes a list of URLs, and this is a single one\n{models.shown(models.redact_url(text))}\n"
            "Put it into brackets."
        )
    if text.startswith(models.LOCAL_PATHS) or FILE_NAME.fullmatch(text):
        raise WesConfigurationError(
            f"files is a local file, which the service cannot fetch\n{models.shown(text)}\n{models.HOSTING}"
        )


def _without_value(item: Any, written: Any) -> list[str]:
    """The fields of a file that have no value, although they are given; ``None`` in the DAG itself means not given."""
    if not isinstance(item, Mapping):
        return []
    given = written if isinstance(written, Mapping) else {}
    fields = {field: value for field, value in item.items() if value is not None or given.get(field, ...) is not None}
    return without_value({field: given.get(field) for field in fields}, fields)


def _checked_file(item: Any) -> dict[str, Any]:
    fields = {"file_url": item} if isinstance(item, str) or models.in_storage(item) else item
    if not isinstance(fields, Mapping):
        raise WesConfigurationError(f"it takes a URL, or an object with file_url, not {models.shown(item)}")
    if unknown := [key for key in fields if key not in contract.UPLOAD_FIELDS]:
        raise WesConfigurationError(
            f"it has {models.shown(unknown[0])}\nA file has {', '.join(contract.UPLOAD_FIELDS)}."
        )
    # Native rendering makes numbers of digits.
    fields = {field: str(value) if type(value) is int else value for field, value in fields.items()}
    if fields.get("file_url") is None:
        raise WesConfigurationError("it has no file_url")
    if models.in_storage(fields["file_url"]):
        body = {field: value for field, value in fields.items() if field != "file_url"}
        return {**models.coupon_file_body(file_url="https://signed.invalid/", **body), "file_url": fields["file_url"]}
    return models.coupon_file_body(**fields)


def _duplicates(files: Sequence[Mapping[str, Any]]) -> list[str]:
    """Files that hand out the same coupons twice, or that could not be told apart after a crash."""
    problems = []
    urls: dict[str, int] = {}
    parts: dict[str, int] = {}
    for index, fields in enumerate(files):
        if not fields or models.in_storage(fields["file_url"]):
            continue
        url = models.canonical_url(fields["file_url"])
        first, duplicate = urls.setdefault(url, index), parts.setdefault(part_of(fields), index)
        if first != index:
            problems.append(f"files[{index}]: its URL is that of files[{first}] ({models.redact_url(url)})")
        elif duplicate != index:
            problems.append(
                f"files[{index}]: its URL differs from that of files[{duplicate}] in nothing but the query, which may "
                f"be signed again each time ({models.redact_url(url)}); give each of them a name"
            )
    return problems


def part_of(fields: Mapping[str, Any]) -> str:
    """What a file of ``files`` is recognised by in every attempt, wherever it stands and however its URL is signed."""
    key = "\0".join((models.canonical_url(models.redact_url(fields["file_url"])), str(fields.get("name", ""))))
    return hashlib.sha256(key.encode()).hexdigest()[:16]
