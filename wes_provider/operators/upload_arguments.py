"""The arguments of the two operators that upload, and what they are asked to upload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import arguments
from wes_provider.arguments import check_choice, check_seconds, check_whole_number
from wes_provider.exceptions import WesConfigurationError
from wes_provider.operators.base import DEFAULT_DEFERRABLE, WesTask
from wes_provider.polling import Statuses
from wes_provider.texts import shown

if TYPE_CHECKING:
    from wes_provider.storage import Ledger, Preflight
    from wes_provider.storage.task import StorageUploads
    from wes_provider.uploads.request import UploadRequest
    from wes_provider.uploads.uploads import Progress

__all__ = ["UploadArguments"]


class UploadArguments(WesTask):
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
    single: ClassVar[bool]
    """The task uploads one file, and returns its identifier instead of a list of them."""

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

    def _files_with_credentials(self) -> list[dict[str, Any]]:
        """The upload's arguments of each file."""
        own = "file_url_auth_username"
        return [fields if own in fields else {**fields, **self._fetch_credentials} for fields in self._files()]

    @cached_property
    def _fetch_credentials(self) -> dict[str, str]:
        return {} if self.file_url_auth_conn_id is None else fetch_credentials(self.file_url_auth_conn_id)

    def _storage(self, context: Any, *, plan_only: bool = False) -> StorageUploads | None:
        """What lists, checks and signs the files; ``None`` if no argument needs it."""
        files = self._files_with_credentials()
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

    def _requests(self, context: Any, progress: Progress | None) -> tuple[list[UploadRequest], dict[str, Any] | None]:
        """The uploads, and the plan of files in storage."""
        from wes_provider.uploads.request import UploadRequest

        check_choice("on_duplicate", self.on_duplicate, "adopt", "upload", "fail")
        arguments.identifier("coupon_list_id", self.coupon_list_id)
        storage = self._storage(context)
        if storage is None:
            return [UploadRequest.of(self.coupon_list_id, fields) for fields in self._files_with_credentials()], None
        plan = storage.prepare() if progress is None or progress.plan is None else progress.plan
        context["ti"].xcom_push(key="plan", value=plan)
        return storage.requests(plan, single=self.single), plan

    @property
    def statuses(self) -> Statuses:
        """Which status means what: the connection's sets, and what ``coupon_file_statuses`` replaces."""
        return Statuses.of(self.coupon_file_statuses, self.hook.settings.statuses)

    def _files(self) -> list[dict[str, Any]]:
        """The upload's arguments of each file that the task is given, checked; without those of a connection."""
        raise NotImplementedError

    def get_openlineage_facets_on_start(self) -> Any:
        """The coupon files in, the list out."""
        from wes_provider.lineage import upload_lineage

        urls = (fields["file_url"] for fields in self._files())
        return upload_lineage(self.coupon_list_id, (str(getattr(url, "url", url)) for url in urls))


def fetch_credentials(conn_id: str) -> dict[str, str]:
    """An upload's arguments from the connection of ``file_url_auth_conn_id``."""
    from wes_provider.hooks import get_connection

    connection = get_connection(conn_id, "file_url_auth_conn_id")
    if not connection.login or not connection.password:
        raise WesConfigurationError(
            f"Connection {conn_id!r} lacks a login or a password\n"
            "It is the one of file_url_auth_conn_id, for fetching the file"
        )
    return {"file_url_auth_username": connection.login, "file_url_auth_password": connection.password}
