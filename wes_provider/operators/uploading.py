"""What the two operators that upload share: their common arguments, the uploads, and what follows from waiting."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NoReturn

import msgspec

from wes_provider import arguments
from wes_provider.arguments import check_choice, check_seconds, check_whole_number
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.models import CouponFile
from wes_provider.operators.base import DEFAULT_DEFERRABLE, WesTask
from wes_provider.polling import CouponFileWait, Decision, Statuses
from wes_provider.texts import shown

if TYPE_CHECKING:
    from wes_provider.storage import Ledger, Preflight
    from wes_provider.storage.task import StorageUploads
    from wes_provider.uploads.request import UploadRequest
    from wes_provider.uploads.uploads import Progress, Uploaded, Uploads

__all__ = ["UploadTask"]

EARLY: Final = 5.0  # seconds before the send time that a deferred task is resumed, so as to be in time
LATE: Final = timedelta(hours=1)  # after which Airflow fails a deferred task that no triggerer has resumed
FIX_IT_HERE: Final = "Fix the file, then clear this task: it uploads the file again."


class UploadTask(WesTask):
    """
    Arguments that uploading operators share.

    :param coupon_list_id: the list to replenish. (templated)
    :param file_url_auth_conn_id: a connection whose login and password are for fetching the file. (templated)
    :param on_duplicate: what a cleared task does with a file that a task of the run uploaded before the clear:
        ``adopt`` takes it, ``upload`` uploads it again, ``fail`` fails. A file that failed processing is uploaded
        again. (templated)
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
        self.coupon_list_id = coupon_list_id
        self.file_url_auth_conn_id = file_url_auth_conn_id
        self.on_duplicate = on_duplicate
        self.wait_for_completion = wait_for_completion
        self.deferrable = deferrable
        self.poll_interval = poll_interval
        self.timeout = timeout
        self.min_coupons_added = min_coupons_added
        self.coupon_file_statuses = coupon_file_statuses
        self.preflight = preflight
        self.ledger = ledger
        self._check_arguments()

    def _check_arguments(self) -> None:
        """Check what is not templated, when the DAG is parsed."""
        if not arguments.templated(self.coupon_list_id):
            arguments.identifier("coupon_list_id", self.coupon_list_id)
        if not arguments.templated(self.on_duplicate):
            check_choice("on_duplicate", self.on_duplicate, "adopt", "upload", "fail")
        check_seconds("poll_interval", self.poll_interval)
        check_seconds("timeout", self.timeout)
        if self.min_coupons_added is not None:
            check_whole_number("min_coupons_added", self.min_coupons_added)
            if not self.wait_for_completion:
                raise WesConfigurationError(
                    "min_coupons_added needs wait_for_completion=True: coupons are counted then"
                )
        if self.coupon_file_statuses is not None:
            Statuses.of(self.coupon_file_statuses)
        if getattr(self, "multiple_outputs", False):
            raise WesConfigurationError("multiple_outputs takes an object, and this operator returns identifiers")
        if self.preflight is not None and self.preflight is not False and not hasattr(self.preflight, "max_duplicates"):
            raise WesConfigurationError(f"preflight takes a Preflight or False, not {shown(self.preflight)}")
        if self.ledger is not None and not hasattr(self.ledger, "on_known_content"):
            raise WesConfigurationError(f"ledger takes a Ledger of wes_provider.storage, not {shown(self.ledger)}")

    # -- what to upload

    @cached_property
    def _fetch_credentials(self) -> dict[str, str]:
        """An upload's arguments from ``file_url_auth_conn_id``; none without it."""
        if self.file_url_auth_conn_id is None:
            return {}
        from wes_provider.hooks import get_connection

        connection = get_connection(self.file_url_auth_conn_id, "file_url_auth_conn_id")
        if not connection.login or not connection.password:
            raise WesConfigurationError(
                f"Connection {self.file_url_auth_conn_id!r} lacks a login or a password\n"
                "It is the one of file_url_auth_conn_id, for fetching the file"
            )
        return {"file_url_auth_username": connection.login, "file_url_auth_password": connection.password}

    def _files(self) -> list[dict[str, Any]]:
        """The upload's arguments of each file that the task is given, checked."""
        raise NotImplementedError

    def _storage(self, context: Any, *, plan_only: bool = False) -> StorageUploads | None:
        """What lists, checks and signs the files; ``None`` if no argument needs it."""
        files = self._files()
        wanted = bool(self.preflight) or self.ledger is not None or plan_only
        if not wanted and not any(arguments.in_storage(fields["file_url"]) for fields in files):
            return None
        from wes_provider.storage.task import StorageUploads

        return StorageUploads(
            self.coupon_list_id,
            files,
            context=context,
            hook=self.hook,
            preflight=self.preflight,
            ledger=self.ledger,
            statuses=None if plan_only else self.statuses,
            plan_only=plan_only,
        )

    def _requests(
        self, context: Any, progress: Progress | None, *, single: bool
    ) -> tuple[list[UploadRequest], dict[str, Any] | None]:
        """The uploads, and the plan of files in storage."""
        from wes_provider.uploads.request import UploadRequest

        check_choice("on_duplicate", self.on_duplicate, "adopt", "upload", "fail")
        arguments.identifier("coupon_list_id", self.coupon_list_id)
        storage = self._storage(context)
        if storage is None:
            return [UploadRequest.of(self.coupon_list_id, fields) for fields in self._files()], None
        plan = storage.prepare() if progress is None or progress.plan is None else progress.plan
        context["ti"].xcom_push(key="plan", value=plan)
        return storage.requests(plan, single=single), plan

    # -- uploading

    def _upload(self, context: Any, event: Any, *, single: bool) -> list[Uploaded]:
        """
        Upload the files, or find those of earlier attempts; ends this part of the task if it has to defer.

        :param event: of the trigger that resumed the task; ``None`` at its beginning.
        """
        from wes_provider.uploads.uploads import Uploads

        self.check_rendered()
        progress = None if event is None else _progress(event)
        requests, plan = self._requests(context, progress, single=single)
        self.link(context, "coupon-list", self.coupon_list_id)
        uploads = Uploads(
            self.hook,
            context,
            requests,
            on_duplicate=self.on_duplicate,
            statuses=self.statuses,
            deferrable=self.deferrable,
            timeout=self.timeout,
            # Of the files that a task uploads by calling operators in its code, each is one of several.
            single=single and context["ti"].task_id == self.task_id,
            progress=progress,
        )
        uploads.progress.plan = plan
        try:
            deferral = uploads.run()
        finally:
            self._push(context, [each.file.summary() for each in uploads.progress.done])
        if deferral is not None:
            self._defer_until(deferral.moment, uploads)
        ids = [each.file.id for each in uploads.progress.done]
        if self.wait_for_completion and self.do_xcom_push:  # before any waiting
            context["ti"].xcom_push(key="return_value", value=ids[0] if single else ids)
        return uploads.progress.done

    def _push(self, context: Any, files: Sequence[Mapping[str, Any]]) -> None:
        """Push the summaries of the files that are uploaded."""
        raise NotImplementedError

    def _defer_until(self, moment: float, uploads: Uploads) -> NoReturn:
        from wes_provider.triggers import WesResetTrigger

        self.defer(
            trigger=WesResetTrigger(moment=moment - EARLY, state=msgspec.to_builtins(uploads.progress)),
            method_name="execute_at_reset",
            timeout=timedelta(seconds=max(0.0, moment - time.time())) + LATE,
        )
        raise AssertionError("Airflow's defer does not return")

    # -- waiting

    @property
    def statuses(self) -> Statuses:
        """Which status means what: the connection's sets, and what ``coupon_file_statuses`` replaces."""
        return Statuses.of(self.coupon_file_statuses, self.hook.settings.statuses)

    def _waits(self, context: Any, uploaded: Sequence[Uploaded]) -> list[CouponFileWait]:
        deadline = self.deadline(context, time.time(), self.timeout)
        return [
            CouponFileWait(
                self.coupon_list_id,
                each.file.id,
                started=each.sent_at,
                deadline=deadline,
                poll_interval=self.poll_interval,
                statuses=self.statuses,
                title=each.file.title,
                advice=FIX_IT_HERE,
            )
            for each in uploaded
        ]

    def _reconcile(self, context: Any, summaries: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], Any, Any]:
        """The summaries with what their files had in storage, and what the storage checks at the end."""
        storage = self._storage(context)
        if storage is None:
            return summaries, None, None
        ti = context["ti"]
        plan = ti.xcom_pull(task_ids=ti.task_id, key="plan", map_indexes=ti.map_index)
        summaries, shares = storage.reconcile(plan, summaries)
        return summaries, storage, shares


def decide_at_upload(wait: CouponFileWait, uploaded: Uploaded) -> Decision:
    """What follows from the response to an upload; for the wait itself, that is no read of the file."""
    return msgspec.structs.replace(wait).decide(uploaded.file, uploaded.sent_at)


def with_urls(files: Sequence[CouponFile], pushed: Any) -> list[CouponFile]:
    """
    Files as the service reports them, with the places that they were uploaded from, which the service may not show.

    :param pushed: summaries that were pushed after the upload.
    """
    urls = {str(each.get("id")): str(each.get("file_url", "")) for each in pushed or () if isinstance(each, Mapping)}
    return [msgspec.structs.replace(file, file_url=urls.get(file.id) or file.file_url) for file in files]


def _progress(event: Any) -> Progress:
    """
    What an attempt had done when it deferred for the rate limit.

    :raises WesError: if the event of :class:`~wes_provider.triggers.WesResetTrigger` is missing, or is another one.
    """
    from wes_provider.uploads.uploads import Progress

    try:
        return msgspec.convert(event["state"], Progress)
    except (KeyError, TypeError, msgspec.ValidationError):
        raise WesError(f"The trigger's event cannot be read: {shown(event)}") from None
