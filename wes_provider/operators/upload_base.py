"""The arguments of the two operators that upload, and what they are asked to upload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import arguments, models
from wes_provider.arguments import check_choice, check_seconds, check_whole_number, early
from wes_provider.exceptions import WesConfigurationError
from wes_provider.operators.base import DEFAULT_DEFERRABLE, WesTask
from wes_provider.polling import Statuses
from wes_provider.texts import shown

if TYPE_CHECKING:
    from wes_provider.storage import Ledger, Preflight
    from wes_provider.storage.task import StorageUploads
    from wes_provider.uploads.request import UploadRequest
    from wes_provider.uploads.uploads import Progress

__all__ = ["UploadBase"]


class UploadBase(WesTask):
    """
    Arguments that uploading operators share.

    :param coupon_list_id: the list to replenish. (templated)
    :param file_url_auth_conn_id: a connection whose login and password are for fetching files that
        have none of their own. (templated)
    :param on_duplicate: what a cleared task does with a file that a task of the run uploaded before
        the clear: ``adopt`` takes it, ``upload`` uploads it again, ``fail`` fails. A file that
        failed processing is uploaded again. (templated)
    :param wait_for_completion: wait until all files are processed, and fail if they fail.
    :param deferrable: wait in the triggerer instead of on a worker, for the rate limit, too.
    :param poll_interval: seconds between polls of a file at most; new files are polled sooner.
    :param timeout: seconds to wait until all files are processed, from the last upload; to wait out
        refusals, too.
    :param min_coupons_added: fail if all files together added fewer coupons; without it, a warning
        is logged if none was added. The connection's extra ``coupon_file_counts`` names the count.
    :param coupon_file_statuses: which status means what: ``pending``, ``success`` and ``failure``,
        each a list that replaces the connection's.
    :param preflight: a :class:`~wes_provider.storage.Preflight`, to check files before the first is
        uploaded. Files in object storage are checked by default; ``False`` checks none. (templated)
    :param ledger: a :class:`~wes_provider.storage.Ledger`, to refuse content that the list was
        given before. (templated)
    :raises WesConfigurationError: for an argument or a connection that cannot be used; nothing was
        sent.
    :raises WesUnknownOutcomeError: if the list does not tell whether a file was uploaded; not
        retried.
    :raises WesDuplicateError: after a clear, with ``on_duplicate="fail"``; not retried.
    :raises WesCouponFileFailedError: if the service fails to process a file, or adds too few
        coupons; not retried.
    :raises WesTimeoutError: if a file is not processed within ``timeout``.
    """

    template_fields: Sequence[str] = (
        "wes_conn_id",
        "coupon_list_id",
        "file_url_auth_conn_id",
        "on_duplicate",
        "preflight",
        "ledger",
    )
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
        early(arguments.identifier, "coupon_list_id", self.coupon_list_id)
        early(check_choice, "on_duplicate", self.on_duplicate, "adopt", "upload", "fail")
        check_seconds("poll_interval", self.poll_interval)
        check_seconds("timeout", self.timeout)
        if self.min_coupons_added is not None:
            check_whole_number("min_coupons_added", self.min_coupons_added)
            if not self.wait_for_completion:
                raise WesConfigurationError(
                    "min_coupons_added needs wait_for_completion=True, to count coupons"
                )
        if self.coupon_file_statuses is not None:
            Statuses.of(self.coupon_file_statuses)
        if getattr(self, "multiple_outputs", False):
            raise WesConfigurationError(
                "multiple_outputs takes an object, and this operator returns identifiers"
            )
        for name, option in (("preflight", "max_duplicates"), ("ledger", "on_known_content")):
            value = getattr(self, name)
            if (
                value is not None
                and value is not False
                and (isinstance(value, type) or not hasattr(value, option))
            ):
                raise WesConfigurationError(
                    f"{name} takes a {name.title()} or False, not {shown(value)}"
                )

    # -- what to upload

    def _files_with_credentials(self) -> list[dict[str, Any]]:
        """The upload's arguments of each file."""
        own = "file_url_auth_username"
        return [
            fields if own in fields else {**fields, **self._fetch_credentials}
            for fields in self._files()
        ]

    @cached_property
    def _fetch_credentials(self) -> dict[str, str]:
        from wes_provider.hooks import fetch_credentials

        return (
            {}
            if self.file_url_auth_conn_id is None
            else fetch_credentials(self.file_url_auth_conn_id)
        )

    def _storage(self, context: Any, *, plan_only: bool = False) -> StorageUploads | None:
        """What lists, checks and signs the files; ``None`` if no argument needs it."""
        files = self._files_with_credentials()
        if not needs_storage(self, files) and not plan_only:
            return None
        from wes_provider.storage.task import StorageUploads

        return StorageUploads(
            self.coupon_list_id,
            files,
            context=context,
            hook=self.hook,
            preflight=self.preflight,
            ledger=self.ledger or None,
            statuses=None if plan_only else self.statuses,
            plan_only=plan_only,
        )

    def _prepare(
        self, context: Any, progress: Progress | None
    ) -> tuple[list[UploadRequest], dict[str, Any] | None]:
        """The uploads, and the plan of files in storage."""
        from wes_provider.uploads.request import UploadRequest

        check_choice("on_duplicate", self.on_duplicate, "adopt", "upload", "fail")
        self.coupon_list_id = arguments.identifier("coupon_list_id", self.coupon_list_id)
        storage = self._storage(context)
        if storage is None:
            return [
                UploadRequest.of(self.coupon_list_id, fields)
                for fields in self._files_with_credentials()
            ], None
        plan = storage.prepare() if progress is None or progress.plan is None else progress.plan
        context["ti"].xcom_push(key="plan", value=plan)
        return storage.requests(plan, single=self.single), plan

    @property
    def statuses(self) -> Statuses:
        """
        Which status means what: the connection's sets, and what ``coupon_file_statuses`` replaces.
        """
        return Statuses.of(self.coupon_file_statuses, self.hook.settings.statuses)

    def _files(self) -> list[dict[str, Any]]:
        """
        The upload's arguments of each file that the task is given, checked; without those of a
        connection.
        """
        raise NotImplementedError

    def get_openlineage_facets_on_start(self) -> Any:
        """The coupon files in, the list out."""
        from wes_provider.lineage import upload_lineage

        return upload_lineage(self.coupon_list_id, [fields["file_url"] for fields in self._files()])


def needs_storage(task: UploadBase, files: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an argument of the task, or a file, has to do with object storage."""
    return bool(task.preflight or task.ledger) or any(
        arguments.in_storage(fields["file_url"]) for fields in files
    )


def checked_file(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The upload's fields of one file, checked; the URL of a place in storage is made later."""
    url = fields["file_url"]
    if arguments.in_storage(url):
        return {
            **models.coupon_file_body(**{**fields, "file_url": arguments.IN_STORAGE}),
            "file_url": url,
        }
    return models.coupon_file_body(**fields)
