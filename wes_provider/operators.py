"""Operators: upload coupon files, replenish coupon lists, create catalogs, update segments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final

from wes_provider import models
from wes_provider.exceptions import WesConfigurationError, WesCouponFileFailedError
from wes_provider.models import CouponFile
from wes_provider.polling import Failed, Outcome, Wait, only_outcome
from wes_provider.retry_policy import permanent_failures
from wes_provider.tasks import arguments_of, check_on_duplicate
from wes_provider.upload_task import WesUploadTask, resumed_state

if TYPE_CHECKING:
    from airflow.sdk import Context

    from wes_provider.catalogs import WesCreateCatalogOperator
    from wes_provider.replenish import WesReplenishCouponListOperator
    from wes_provider.segments import WesRestoreSegmentOperator, WesUpdateSegmentOperator
    from wes_provider.storage.operator import WesPreflightOperator as WesPreflightOperator
    from wes_provider.uploads.request import UploadRequest
    from wes_provider.uploads.uploader import Uploaded, Uploader

__all__ = [
    "WesCreateCatalogOperator",
    "WesReplenishCouponListOperator",
    "WesRestoreSegmentOperator",
    "WesUpdateSegmentOperator",
    "WesUploadCouponFileOperator",
]

IN_STORAGE: Final = "https://signed.invalid/"  # in place of a URL that is signed later


class WesUploadCouponFileOperator(WesUploadTask):
    """
    Upload a coupon file to a coupon list, at most once whatever crashes; optionally wait until it is processed.

    Returns the coupon file's identifier. Pushes ``coupon_file``, a flat object with ``id``, ``coupon_list_id``,
    ``name``, ``status`` and counts, as soon as the identifier is known.

    :param file_url: where the service fetches the file: exactly one absolute URL.
        Airflow shows it without its query. Or a file in object storage, such as ``s3://aws_default@promo/a.csv``, an
        ``ObjectStoragePath``, or :class:`~wes_provider.storage.BucketFiles`; its URL is signed for the upload.
        (templated)
    :param name: the file's name. Without it the operator chooses one that is unique to the task instance, by which it
        recognises its upload after a crash; leave it out if you can. (templated)
    :param file_url_auth_username: the username for fetching the file. (templated)
    :param file_url_auth_password: the password for fetching the file; better use ``file_url_auth_conn_id``. (templated)
    :param created_by: name of the uploader. (templated)
    :param callback_url: called by the service when processing completes. (templated)
    :raises WesConfigurationError: for an argument or a connection that cannot be used; nothing was sent.
    :raises WesUnknownOutcomeError: if the list does not tell whether the file was uploaded; not retried.
    :raises WesDuplicateError: after a clear, with ``on_duplicate="fail"``; not retried.
    :raises WesCouponFileFailedError: if the service fails to process the file, or adds too few coupons; not retried.
    :raises WesTimeoutError: if the file is not processed within ``timeout``.

    Contract: sections 3 and 4.1.
    """

    template_fields: Sequence[str] = (
        "wes_conn_id",
        "coupon_list_id",
        "file_url",
        "name",
        "file_url_auth_username",
        "file_url_auth_password",
        "file_url_auth_conn_id",
        "created_by",
        "callback_url",
        "on_duplicate",
        "preflight",
        "ledger",
    )
    secret_fields: ClassVar[Sequence[str]] = ("file_url", "file_url_auth_password", "callback_url")
    label_fields: ClassVar[Sequence[str]] = ("coupon_list_id", "file_url")

    file_url: Any
    name: str | None
    file_url_auth_username: str | None
    file_url_auth_password: str | None
    created_by: str | None
    callback_url: str | None

    @arguments_of(WesUploadTask)
    def __init__(
        self,
        *,
        file_url: Any,
        name: str | None = None,
        file_url_auth_username: str | None = None,
        file_url_auth_password: str | None = None,
        created_by: str | None = None,
        callback_url: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._assign(
            file_url=file_url,
            name=name,
            file_url_auth_username=file_url_auth_username,
            file_url_auth_password=file_url_auth_password,
            created_by=created_by,
            callback_url=callback_url,
        )
        if self.file_url_auth_conn_id is not None and (file_url_auth_username or file_url_auth_password):
            raise WesConfigurationError(
                "file_url_auth_conn_id is given together with a username or a password\n"
                "Give either the connection, or file_url_auth_username and file_url_auth_password"
            )
        fields = self._fields()
        if models.in_storage(file_url):
            fields["file_url"] = IN_STORAGE
        if not any(models.templated(value) for value in fields.values()):
            models.coupon_file_body(**fields)
        elif not models.templated(fields["file_url"]):
            models.absolute_url("file_url", file_url)

    def _fields(self) -> dict[str, Any]:
        """The upload's arguments that are given."""
        fields = {
            "file_url": self.rendered("file_url"),
            "name": self.name,
            "file_url_auth_username": self.file_url_auth_username,
            "file_url_auth_password": self.rendered("file_url_auth_password"),
            "created_by": self.created_by,
            "callback_url": self.rendered("callback_url"),
        }
        return {field: value for field, value in fields.items() if value is not None}

    @permanent_failures()
    def execute(self, context: Context) -> str:
        """Upload the file, or adopt an earlier attempt's; then wait for it, if asked to."""
        uploader, request = self._begin(context)
        return self._go_on(context, uploader.upload(request))

    @permanent_failures()
    def execute_at_reset(self, context: Context, event: Any = None) -> str:
        """Resumed when the list's rate limit allows the upload."""
        self._settings()
        uploader, request = self._begin(context, resumed_state(event))
        return self._go_on(context, uploader.upload(request))

    def _begin(self, context: Context, state: dict[str, Any] | None = None) -> tuple[Uploader, UploadRequest]:
        from wes_provider.uploads.attempt import SingleUpload
        from wes_provider.uploads.request import UploadRequest
        from wes_provider.uploads.uploader import Uploader

        check_on_duplicate(self.on_duplicate)
        fields = {**self._fields(), **self._fetch_credentials}
        storage = self._storage(context, [fields])
        if storage is None:
            request = UploadRequest.of(self.coupon_list_id, fields)
        else:
            plan = storage.prepare() if state is None else storage.resumed()
            request = storage.single(plan)
        self._link(context, "coupon-list", self.coupon_list_id)
        return Uploader(SingleUpload(self, context, state), [request]), request

    def _go_on(self, context: Context, uploaded: Uploaded) -> str:
        file = uploaded.file
        deadline = self._deadline(context, self.clock.time(), self.timeout)
        wait = self._wait_for(file.id, started=uploaded.sent_at, deadline=deadline, title=self._title_of(file))
        if not self.wait_for_completion:
            decision = wait.decide(file, self.clock.time())
            return self._finish(context, decision) if isinstance(decision, Failed) else file.id
        if not self.deferrable:
            ((_, outcome),) = self._wait_here(self.coupon_list_id, {file.id: wait})
            return self._finish(context, outcome)
        decision = self._decide(self.coupon_list_id, file.id, wait)
        if isinstance(decision, Wait):
            self._defer_until_processed(self.coupon_list_id, {file.id: wait}, "execute_complete")
        return self._finish(context, decision)

    @permanent_failures()
    def execute_complete(self, context: Context, event: Any = None) -> str:
        """Resumed by the trigger, when the wait is over."""
        only_outcome(event)
        (outcome,) = self._resumed(self.coupon_list_id, event).values()
        return self._finish(context, outcome)

    @cached_property
    def _secrets_of_files(self) -> tuple[str, ...]:
        return models.secrets_of_upload({**self._fields(), **self._fetch_credentials})

    def _deferred_for(self, context: Any) -> str:
        ti = context["ti"]
        uploaded = ti.xcom_pull(task_ids=ti.task_id, key="coupon_file", map_indexes=ti.map_index)
        return self._title_of(CouponFile.from_summary(uploaded)) if uploaded else "rate limit"

    def _finish(self, context: Context, outcome: Outcome) -> str:
        if isinstance(outcome, Failed):
            if isinstance(outcome.error, WesCouponFileFailedError) and outcome.error.coupon_file:
                self.push_file(context, outcome.error.coupon_file)
                self._mark_ended(context)
            raise outcome.error
        summary = outcome.file.summary()
        storage = self._storage(context, [self._fields()])
        shares, part = [], ""
        if storage is not None:
            plan = storage.resumed()
            part = storage.single(plan).part
            (summary,), shares = storage.reconcile(plan, [summary])
        self.push_file(context, summary)
        self._mark_ended(context)
        self._check_coupons_added(context, [outcome.file], [part])
        if storage is not None:
            storage.check(shares)
        return outcome.file.id

    def _title_of(self, file: CouponFile) -> str:
        """What the record says; if it has no URL, what the task uploads."""
        return super()._title_of(file) if file.file_url else self._about[1]

    def push_file(self, context: Context, file: dict[str, Any]) -> None:
        """Push the file's summary, and describe it in the events of the task's assets."""
        context["ti"].xcom_push(key="coupon_file", value=file)
        self._describe_events(context, file)

    def get_openlineage_facets_on_start(self) -> Any:
        """The coupon file in, the list out."""
        from wes_provider.lineage import upload_lineage

        return upload_lineage(self.coupon_list_id, [str(getattr(self.file_url, "url", self.file_url))])


_MODULES: Final = {
    "WesCreateCatalogOperator": "wes_provider.catalogs",
    "WesPreflightOperator": "wes_provider.storage.operator",
    "WesReplenishCouponListOperator": "wes_provider.replenish",
    "WesRestoreSegmentOperator": "wes_provider.segments",
    "WesUpdateSegmentOperator": "wes_provider.segments",
}


def __getattr__(name: str) -> Any:
    """Load an operator of another module when it is imported: a DAG file loads those alone that it uses."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = operator = getattr(import_module(_MODULES[name]), name)
    return operator
