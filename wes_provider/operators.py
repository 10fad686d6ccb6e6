"""Operators: upload coupon files, replenish coupon lists, create catalogs, update segments."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import models
from wes_provider.catalogs import WesCreateCatalogOperator
from wes_provider.exceptions import WesConfigurationError, WesCouponFileFailedError
from wes_provider.polling import CouponFileWait, Failed, Outcome, Statuses, Wait, only_outcome
from wes_provider.replenish import WesReplenishCouponListOperator
from wes_provider.retry_policy import permanent_failures
from wes_provider.segments import WesUpdateSegmentOperator
from wes_provider.tasks import DEFAULT_DEFERRABLE, WesTask, check_on_duplicate, check_positive

if TYPE_CHECKING:
    from airflow.sdk import Context

    from wes_provider.uploads.rate_limiter import RateLimiter

__all__ = [
    "WesCreateCatalogOperator",
    "WesReplenishCouponListOperator",
    "WesUpdateSegmentOperator",
    "WesUploadCouponFileOperator",
]


class WesUploadCouponFileOperator(WesTask):
    """
    Upload a coupon file to a coupon list, at most once whatever crashes; optionally wait until it is processed.

    Returns the coupon file's identifier. Pushes ``coupon_file``, a flat object with ``id``, ``coupon_list_id``,
    ``name``, ``status`` and counts, as soon as the identifier is known.

    :param coupon_list_id: the list to replenish. (templated)
    :param file_url: where the service fetches the file: exactly one absolute URL.
        Its query is shown nowhere. (templated)
    :param name: the file's name. Without it the operator makes one that is unique to the task instance, by which it
        recognises its upload after a crash; leave it out where you can. (templated)
    :param file_url_auth_username: for fetching the file. (templated)
    :param file_url_auth_password: for fetching the file; better ``file_url_auth_conn_id``. (templated)
    :param file_url_auth_conn_id: a connection whose login and password are for fetching the file. (templated)
    :param created_by: name of the uploader. (templated)
    :param callback_url: called by the service when processing completes. (templated)
    :param wes_conn_id: the connection, of type ``wes``. (templated)
    :param on_duplicate: what a cleared or repeated task does with the file that an earlier attempt uploaded: ``adopt``
        takes it, ``upload`` uploads anew after a clear, ``fail`` fails. (templated)
    :param wait_for_completion: wait until the file is processed; fail where it fails.
    :param deferrable: wait in the triggerer instead of on a worker.
    :param poll_interval: seconds between looks at the file at most.
    :param timeout: seconds to wait until it is processed.
    :param coupon_file_statuses: which status means what: ``pending``, ``success`` and ``failure``, each a list that
        replaces the connection's.

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
    )
    secret_fields: ClassVar[Sequence[str]] = ("file_url", "file_url_auth_password", "callback_url")
    label_fields: ClassVar[Sequence[str]] = ("coupon_list_id", "file_url")
    ui_color = "#dceefb"

    def __init__(
        self,
        *,
        coupon_list_id: str,
        file_url: str,
        name: str | None = None,
        file_url_auth_username: str | None = None,
        file_url_auth_password: str | None = None,
        file_url_auth_conn_id: str | None = None,
        created_by: str | None = None,
        callback_url: str | None = None,
        on_duplicate: str = "adopt",
        wait_for_completion: bool = False,
        deferrable: bool = DEFAULT_DEFERRABLE,
        poll_interval: float = 60,
        timeout: float = 7200,
        coupon_file_statuses: Mapping[str, Sequence[str]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.coupon_list_id = coupon_list_id
        self.file_url = file_url
        self.name = name
        self.file_url_auth_username = file_url_auth_username
        self.file_url_auth_password = file_url_auth_password
        self.file_url_auth_conn_id = file_url_auth_conn_id
        self.created_by = created_by
        self.callback_url = callback_url
        self.on_duplicate = on_duplicate
        self.wait_for_completion = wait_for_completion
        self.deferrable = deferrable
        self.poll_interval = poll_interval
        self.timeout = timeout
        self.coupon_file_statuses = coupon_file_statuses
        self._check_what_is_known()

    def _check_what_is_known(self) -> None:
        if not models.templated(self.coupon_list_id):
            models.identifier("coupon_list_id", self.coupon_list_id)
        fields = self._fields()
        if self.file_url_auth_conn_id is not None and (
            self.file_url_auth_username is not None or self.file_url_auth_password is not None
        ):
            raise WesConfigurationError(
                "file_url_auth_conn_id is given together with file_url_auth_username or file_url_auth_password; "
                "give the one or the other"
            )
        if not any(models.templated(value) for value in fields.values()):
            models.coupon_file_body(**fields)
        elif not models.templated(self.file_url):
            models.absolute_url("file_url", self.file_url)
        if not models.templated(self.on_duplicate):
            check_on_duplicate(self.on_duplicate)
        check_positive("poll_interval", self.poll_interval)
        check_positive("timeout", self.timeout)
        Statuses.of(self.coupon_file_statuses)

    def _fields(self) -> dict[str, Any]:
        """The upload's fields that are given."""
        fields = {
            "file_url": self.rendered("file_url"),
            "name": self.name,
            "file_url_auth_username": self.file_url_auth_username,
            "file_url_auth_password": self.rendered("file_url_auth_password"),
            "created_by": self.created_by,
            "callback_url": self.rendered("callback_url"),
        }
        return {field: value for field, value in fields.items() if value is not None}

    def execute(self, context: Context) -> str:
        """Upload the file, or adopt an earlier attempt's; then wait for it, where asked to."""
        from wes_provider.uploads.rate_limiter import RateLimiter

        with permanent_failures():
            return self._execute(context, RateLimiter())

    def execute_at_reset(self, context: Context, event: Any = None) -> str:
        """Resumed when the list's limit takes files again."""
        from wes_provider.uploads.rate_limiter import RateLimiter
        from wes_provider.uploads.turns import resumed

        with permanent_failures():
            return self._execute(context, RateLimiter.from_dict(resumed(event)["pace"]))

    def _execute(self, context: Context, rate_limiter: RateLimiter) -> str:
        from wes_provider.uploads.turns import Turns, mapped_send_time
        from wes_provider.uploads.upload_once import Upload, UploadOnce

        check_on_duplicate(self.on_duplicate)
        fields = {**self._fields(), **self._fetch_credentials(self.file_url_auth_conn_id)}
        models.identifier("coupon_list_id", self.coupon_list_id)
        models.coupon_file_body(**fields)
        self._link(context, "coupon-list", self.coupon_list_id)
        statuses = self._statuses(self.coupon_file_statuses)
        upload = Upload(self.coupon_list_id, fields)
        index = -1 if context["ti"].map_index is None else context["ti"].map_index
        turns = Turns(
            self, rate_limiter, send_time=lambda error, reset: mapped_send_time(error, reset, index, once, upload)
        )
        once = UploadOnce(
            self.hook,
            context,
            on_duplicate=self.on_duplicate,
            statuses=statuses,
            known=lambda file: self._push(context, file.summary()),
            turn=turns.wait,
            send=turns.send,
        )
        uploaded = turns.take(lambda: once.upload(upload))
        file = uploaded.file
        if uploaded.adopted:
            self._push(context, file.summary())  # with its status of now
        if not self.wait_for_completion:
            return file.id
        now = time.time()
        wait = CouponFileWait(
            self.coupon_list_id,
            file.id,
            statuses=statuses,
            started=uploaded.at,
            deadline=self._deadline(context, now, self.timeout),
            poll_interval=self.poll_interval,
        )
        if not self.deferrable:
            ((_, outcome),) = self._wait_here(self.coupon_list_id, {file.id: wait})
            return self._finish(context, outcome)
        decision = self._decide(self.coupon_list_id, file.id, wait)
        if isinstance(decision, Wait):
            self._defer_until_processed(self.coupon_list_id, {file.id: wait}, "execute_complete")
        return self._finish(context, decision)

    def execute_complete(self, context: Context, event: Any = None) -> str:
        """Resumed by the trigger, when the wait is over."""
        with permanent_failures():
            return self._finish(context, only_outcome(event))

    def _finish(self, context: Context, outcome: Outcome) -> str:
        if isinstance(outcome, Failed):
            if isinstance(outcome.error, WesCouponFileFailedError) and outcome.error.coupon_file:
                self._push(context, outcome.error.coupon_file)
            raise outcome.error
        self._push(context, outcome.file.summary())
        self.log.info("Processed: %s", outcome.file.summary())
        return outcome.file.id

    def _push(self, context: Context, file: dict[str, Any]) -> None:
        """Make the identifier known before anything else can fail."""
        if self.do_xcom_push:
            context["ti"].xcom_push(key="return_value", value=file["id"])
        context["ti"].xcom_push(key="coupon_file", value=file)
        self._describe_events(context, file)

    def get_openlineage_facets_on_start(self) -> Any:
        """The coupon file in, the list out."""
        from wes_provider.lineage import upload_lineage

        return upload_lineage(self.coupon_list_id, [self.file_url])
