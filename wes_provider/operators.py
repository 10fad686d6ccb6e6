"""Operators: upload coupon files, create catalogs, update segments."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import models
from wes_provider.exceptions import (
    WesConfigurationError,
    WesCouponFileFailedError,
    WesError,
    WesResponseError,
    WesServerError,
    WesUnknownOutcomeError,
)
from wes_provider.polling import CouponFileWait, Failed, Outcome, Statuses, Wait, only_outcome
from wes_provider.replenish import WesReplenishCouponListOperator
from wes_provider.retry_policy import permanent_failures
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


class WesCreateCatalogOperator(WesTask):
    """
    Create a catalog.

    Returns the catalog's identifier, the only handle on it that the service ever gives, and pushes ``catalog``, the
    service's answer, before anything else can fail.

    :param name: unique among the workspace's catalogs. (templated)
    :param price_currency: an ISO 4217 code that the service takes, in capitals. (templated)
    :param attributes: :class:`~wes_provider.models.CatalogAttribute` objects or ``{name, type}`` objects; or JSON of
        them, or a ``.json`` file. (templated)
    :param if_exists: where the service says that there is a catalog of this name, ``fail``, or ``adopt`` the identifier
        that an earlier run of this task got. (templated)
    :param wes_conn_id: the connection, of type ``wes``. (templated)

    Contract: section 4.2.
    """

    template_fields: Sequence[str] = ("wes_conn_id", "name", "price_currency", "attributes", "if_exists")
    template_ext: Sequence[str] = (".json",)
    template_fields_renderers: ClassVar[dict[str, str]] = {"attributes": "json"}
    label_fields: ClassVar[Sequence[str]] = ("name",)
    ui_color = "#e3f4dc"

    def __init__(
        self, *, name: str, price_currency: str, attributes: Any, if_exists: str = "fail", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.name = name
        self.price_currency = price_currency
        self.attributes = _plain(attributes)
        self.if_exists = if_exists
        if not models.templated(self.if_exists):
            check_if_exists(self.if_exists)
        if not models.templated(self.price_currency):
            models.currency(self.price_currency)
        if not models.templated(self.attributes):
            models.catalog_attributes(models.from_json("attributes", self.attributes))

    def execute(self, context: Context) -> str:
        """Create the catalog."""
        with permanent_failures():
            return self._execute(context)

    def _execute(self, context: Context) -> str:
        from wes_provider.catalogs import CATALOG_KEY, remember

        check_if_exists(self.if_exists)
        attributes = models.catalog_attributes(models.from_json("attributes", self.attributes))
        for warning in models.catalog_warnings(attributes):
            self.log.warning("Catalog %s: %s", self.name, warning)
        ti, store = context["ti"], context.get("task_state_store")  # the latter is Airflow 3.3's
        earlier = self._earlier_attempt(context)
        if store is not None and not earlier:
            store.set(CATALOG_KEY, {"name": self.name})
        try:
            catalog_id, response = self.hook.create_catalog_with_response(
                self.name, self.price_currency, attributes, earlier_attempt=earlier
            )
        except WesError as error:
            if isinstance(error, WesUnknownOutcomeError) and error.response is not None:
                self.log.error("The service's answer: %s", error.response)
                ti.xcom_push(key="catalog", value=error.response)
            unknown = isinstance(error, (WesUnknownOutcomeError, WesServerError)) or error.after_unknown
            if store is not None and not (earlier or unknown):
                store.delete(CATALOG_KEY)
            if self.if_exists == "adopt" and isinstance(error, WesResponseError):
                return self._adopt(context, error)
            raise
        self.log.info("Created catalog %s: %s", self.name, catalog_id)
        if self.do_xcom_push:
            ti.xcom_push(key="return_value", value=catalog_id)
        ti.xcom_push(key="catalog", value=response)
        if store is not None:
            store.set(CATALOG_KEY, {"name": self.name, "catalog_id": catalog_id, "catalog": response})
        remember(self, context, self.name, catalog_id, response)
        self._describe(context, catalog_id)
        return catalog_id

    def _adopt(self, context: Context, error: WesResponseError) -> str:
        """Take the identifier that an earlier run got for the name that is taken."""
        from wes_provider.catalogs import recall, remember, unremembered
        from wes_provider.client.operations import name_exists

        if not name_exists(error):
            raise error
        found = recall(self, context, self.name)
        if found is None:
            raise unremembered(error) from error
        self.log.info(
            "Catalog %s exists: adopting the identifier %s, from %s", self.name, found.catalog_id, found.place
        )
        context["ti"].xcom_push(key="catalog", value=found.response)
        remember(self, context, self.name, found.catalog_id, found.response)
        self._describe(context, found.catalog_id)
        return found.catalog_id

    def _describe(self, context: Context, catalog_id: str) -> None:
        self._link(context, "catalog", catalog_id)
        self._describe_events(context, {"catalog_id": catalog_id, "name": self.name})

    def _earlier_attempt(self, context: Context) -> str:
        """What an earlier attempt of this task may have done; empty where it created nothing."""
        from wes_provider.catalogs import CATALOG_KEY

        store = context.get("task_state_store")  # Airflow 3.3 and later
        if store is None:
            return "it may have ended in the middle" if context["ti"].try_number > 1 else ""
        record = store.get(CATALOG_KEY)
        if not isinstance(record, dict) or record.get("name") != self.name:
            return ""
        if "catalog_id" in record:
            return f"it got the identifier {record['catalog_id']}"
        return "it ended in the middle, or without an answer"


class WesUpdateSegmentOperator(WesTask):
    """
    Update a filter segment.

    Returns the segment's identifier, and pushes ``segment``, the service's answer.

    :param segment_id: the segment to update. (templated)
    :param name: a new unique name. (templated)
    :param included_filters: which users belong to the segment, from :func:`~wes_provider.models.all_of` or a plain
        object; or JSON of it, or a ``.json`` file. (templated)
    :param updated_by: e-mail of who updates it. (templated)
    :param allow_empty: let an empty filter list or an empty ``value`` pass, which may select nobody, or everybody.
    :param wes_conn_id: the connection, of type ``wes``. (templated)

    Contract: section 4.3.
    """

    template_fields: Sequence[str] = ("wes_conn_id", "segment_id", "name", "included_filters", "updated_by")
    template_ext: Sequence[str] = (".json",)
    template_fields_renderers: ClassVar[dict[str, str]] = {"included_filters": "json"}
    label_fields: ClassVar[Sequence[str]] = ("segment_id",)
    ui_color = "#fbeedc"

    def __init__(
        self,
        *,
        segment_id: str,
        name: str | None = None,
        included_filters: Any = None,
        updated_by: str | None = None,
        allow_empty: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.segment_id = segment_id
        self.name = name
        self.included_filters = _plain(included_filters)
        self.updated_by = updated_by
        self.allow_empty = allow_empty
        if not models.templated(self.segment_id):
            models.identifier("segment_id", self.segment_id)
        if not models.templated([self.name, self.included_filters, self.updated_by]):
            models.segment_body(**self._fields(), allow_empty=self.allow_empty)

    def _fields(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "included_filters": models.from_json("included_filters", self.included_filters),
            "updated_by": self.updated_by,
        }

    def execute(self, context: Context) -> str:
        """Update the segment."""
        with permanent_failures():
            self._link(context, "segment", self.segment_id)
            response = self.hook.update_segment(self.segment_id, **self._fields(), allow_empty=self.allow_empty)
            context["ti"].xcom_push(key="segment", value=response)
            self._describe_events(context, {"segment_id": self.segment_id})
            self.log.info("Updated segment %s", self.segment_id)
            return self.segment_id


def check_if_exists(value: Any) -> None:
    """Check the ``if_exists`` argument."""
    if value not in ("fail", "adopt"):
        raise WesConfigurationError(f"if_exists takes fail or adopt, not {models.shown(value)}")


def _plain(value: Any) -> Any:
    """Lists and objects that Airflow can render templates in: no tuples, no dataclasses."""
    if isinstance(value, models.CatalogAttribute):
        return {"name": value.name, "type": value.type}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value
