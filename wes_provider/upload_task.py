"""What the two operators that upload share: their common arguments, and waiting until files are processed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.providers.common.compat.sdk import AirflowNotFoundException

from wes_provider import models
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import CouponFile
from wes_provider.polling import FIX_IT_HERE, CouponFileWait, Statuses, check_coupons_added
from wes_provider.tasks import (
    DEFAULT_DEFERRABLE,
    WesTask,
    arguments_of,
    check_on_duplicate,
    check_positive,
    check_whole_number,
    without_defaults_layer,
)

if TYPE_CHECKING:
    from wes_provider.clock import Clock
    from wes_provider.storage import Ledger, Preflight

__all__ = ["WesUploadTask", "resumed_state"]


@without_defaults_layer
class WesUploadTask(WesTask):
    """
    Arguments that uploading operators share.

    :param coupon_list_id: the list to replenish. (templated)
    :param file_url_auth_conn_id: a connection whose login and password are for fetching the file. (templated)
    :param on_duplicate: what a cleared or repeated task does with the file that an earlier attempt uploaded: ``adopt``
        takes it unless it failed processing, ``upload`` uploads again after a clear, ``fail`` fails. (templated)
    :param wait_for_completion: wait until the file is processed, and fail if it fails.
    :param deferrable: wait in the triggerer instead of on a worker.
    :param poll_interval: seconds between polls of a file at most; new files are polled sooner.
    :param timeout: seconds to wait until the file is processed.
    :param min_coupons_added: fail if fewer coupons were added; without it, a warning is logged if none was. The
        connection's extra ``coupon_file_counts`` names the count.
    :param coupon_file_statuses: which status means what: ``pending``, ``success`` and ``failure``, each a list that
        replaces the connection's.
    :param preflight: a :class:`~wes_provider.storage.Preflight`, to check files before the first is uploaded. Files in
        object storage are checked by default; ``False`` checks none. (templated)
    :param ledger: a :class:`~wes_provider.storage.Ledger`, to refuse content that the list was given before.
        (templated)
    """

    ui_color = "#dceefb"
    clock: ClassVar[Clock] = time
    advice_if_failed = FIX_IT_HERE

    coupon_list_id: str
    file_url_auth_conn_id: str | None
    on_duplicate: str
    wait_for_completion: bool
    deferrable: bool
    poll_interval: float
    timeout: float
    min_coupons_added: int | None
    coupon_file_statuses: Mapping[str, Sequence[str]] | None
    preflight: Preflight | bool | None
    ledger: Ledger | None

    @arguments_of(WesTask)
    def __init__(
        self,
        *,
        coupon_list_id: str,
        file_url_auth_conn_id: str | None = None,
        on_duplicate: str = "adopt",
        wait_for_completion: bool = False,
        deferrable: bool = DEFAULT_DEFERRABLE,
        poll_interval: float = 60,
        timeout: float = 7200,
        min_coupons_added: int | None = None,
        coupon_file_statuses: Mapping[str, Sequence[str]] | None = None,
        preflight: Preflight | bool | None = None,
        ledger: Ledger | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._assign(
            coupon_list_id=coupon_list_id,
            file_url_auth_conn_id=file_url_auth_conn_id,
            on_duplicate=on_duplicate,
            wait_for_completion=wait_for_completion,
            deferrable=deferrable,
            poll_interval=poll_interval,
            timeout=timeout,
            min_coupons_added=min_coupons_added,
            coupon_file_statuses=coupon_file_statuses,
            preflight=preflight,
            ledger=ledger,
        )
        if not models.templated(coupon_list_id):
            models.identifier("coupon_list_id", coupon_list_id)
        if not models.templated(on_duplicate):
            check_on_duplicate(on_duplicate)
        check_positive("poll_interval", poll_interval)
        check_positive("timeout", timeout)
        if min_coupons_added is not None:
            check_whole_number("min_coupons_added", min_coupons_added)
            if not wait_for_completion:
                raise WesConfigurationError(
                    "min_coupons_added needs wait_for_completion=True: coupons are counted then"
                )
        if preflight is not None and preflight is not False and not _is_object(preflight, "added_ratio"):
            raise WesConfigurationError(
                "preflight takes a Preflight or False\nGive Preflight() for its defaults.\n"
                f"It is {models.shown(preflight)}"
            )
        if ledger is not None and not _is_object(ledger, "on_known_content"):
            raise WesConfigurationError(
                "ledger takes a Ledger\n"
                "Give Ledger('s3://aws_default@bucket/ledger'), or Ledger() on Airflow 3.3 and later.\n"
                f"It is {models.shown(ledger)}"
            )
        if coupon_file_statuses is not None:
            Statuses.of(coupon_file_statuses)

    @cached_property
    def _fetch_credentials(self) -> dict[str, str]:
        """An upload's arguments from ``file_url_auth_conn_id``; none without it."""
        if self.file_url_auth_conn_id is None:
            return {}
        read = partial(self.hook.get_connection, self.file_url_auth_conn_id)
        try:
            connection = self._read_with_grace(self.file_url_auth_conn_id, read) if self._resumes else read()
        except AirflowNotFoundException as error:
            from wes_provider.hooks import WesConnectionNotFoundError

            raise WesConnectionNotFoundError(
                self.file_url_auth_conn_id, "file_url_auth_conn_id", self._about
            ) from error
        if not connection.login or not connection.password:
            raise WesConfigurationError(
                f"Connection {models.shorten(self.file_url_auth_conn_id, 24)!r} lacks a login or a password\n"
                "It is the one of file_url_auth_conn_id, for fetching the file"
            )
        return {"file_url_auth_username": connection.login, "file_url_auth_password": connection.password}

    def _storage(self, context: Any, files: Sequence[Mapping[str, Any]], *, plan_only: bool = False) -> Any:
        """What lists, checks and signs the files; ``None`` if no argument needs it."""
        wanted = bool(self.preflight) or self.ledger is not None or plan_only
        if not wanted and not any(models.in_storage(fields["file_url"]) for fields in files):
            return None
        from wes_provider.storage.task import StorageUploads

        return StorageUploads(self, context, files, plan_only=plan_only)

    def _mark_ended(self, context: Any, part: str = "") -> None:
        """Note that the task has ended: with success, or in a way that Airflow does not retry."""
        from wes_provider.uploads.record import RecordStore

        RecordStore(context.get("task_state_store")).mark_ended(self.coupon_list_id, part)

    def _check_coupons_added(self, context: Any, files: Sequence[CouponFile], parts: Sequence[str]) -> None:
        """
        Fail, warn or report: how many coupons processed files brought.

        :param parts: the parts of the uploads that a person may want to repeat if that is too few.
        """
        from wes_provider.uploads.upload_again import advice

        for level, text in check_coupons_added(
            files,
            self._settings().count_names,
            self.min_coupons_added,
            title=self._title_of(files[0]),
            upload_again=advice(context, self.on_duplicate, parts),
        ):
            self.log.log(level, "%s", text)

    @property
    def statuses(self) -> Statuses:
        """Which status means what: the connection's sets, and what ``coupon_file_statuses`` replaces."""
        return self._statuses(self.coupon_file_statuses)

    def _wait_for(self, file_id: str, *, started: float, deadline: float, title: str = "") -> CouponFileWait:
        return CouponFileWait(
            self.coupon_list_id,
            file_id,
            statuses=self.statuses,
            started=started,
            deadline=deadline,
            poll_interval=self.poll_interval,
            title=title,
            advice=self.advice_if_failed,
        )


def _is_object(value: Any, attribute: str) -> bool:
    """Whether a value is an object of storage's, which is not imported for that, or comes from another task."""
    return (hasattr(value, attribute) and not isinstance(value, type)) or hasattr(value, "iter_references")


def resumed_state(event: Any) -> dict[str, Any]:
    """
    What an attempt left when it deferred for the rate limit.

    :param event: the event that :class:`~wes_provider.triggers.WesResetTrigger` fired.
    :raises WesError: if the event is missing or is another one.
    """
    from wes_provider.exceptions import WesError

    try:
        return dict(event["state"])
    except (KeyError, TypeError, ValueError):
        raise WesError(f"The trigger's event cannot be read: {models.shown(event)}") from None
