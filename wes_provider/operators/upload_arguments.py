"""The arguments of the operators that upload, and the uploads that they ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wes_provider import arguments, models
from wes_provider.arguments import check_choice, check_seconds, early
from wes_provider.coupon_files import ExpectedCounts, Statuses, expect_counts
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.hiding import hide_in
from wes_provider.operators.asking import AskingTask
from wes_provider.operators.base import DEFAULT_DEFERRABLE
from wes_provider.texts import shown

if TYPE_CHECKING:
    from wes_provider.storage import Ledger, Preflight
    from wes_provider.storage.task import StorageUploads
    from wes_provider.uploads.request import UploadRequest

ON_DUPLICATE = ("adopt", "upload", "fail")


class PlannedUploads(NamedTuple):
    """
    The uploads of a task, in their order.

    :ivar plan: of files in storage, plain JSON without secrets; ``None`` if no argument needs it.
    """

    requests: list[UploadRequest]
    plan: dict[str, Any] | None


class UploadArguments(AskingTask):
    """
    Arguments that uploading operators share.

    :param coupon_list_id: the list to replenish. (templated)
    :param file_url_auth_conn_id: a connection whose login and password are for fetching files that
        have none of their own. (templated)
    :param on_duplicate: what a cleared task does with a file that a task of the run uploaded before
        the clear: ``adopt`` takes it, ``upload`` uploads it again, ``fail`` fails. A file that
        failed processing is uploaded again. (templated)
    :param wait_for_completion: wait until what was uploaded is processed, and fail if that fails.
    :param deferrable: wait in the triggerer, not on a worker, both for processing and for the rate
        limit.
    :param poll_interval: the longest pause between two status checks, in seconds. A new file is
        checked more often.
    :param timeout: seconds to wait for processing, counted from the last upload. Uploads that are
        refused (429) are tried again for the same time.
    :param min_coupons_added: fail if fewer coupons were added. If you leave it out, a file
        that adds none only logs a warning. The connection's extra ``coupon_file_counts`` names the
        count.
    :param max_duplicates: fail if more coupons were duplicates. ``10`` is a count, ``0.1`` is a
        tenth of all coupons, those added and the duplicates; ``1`` is one coupon, ``1.0`` is all.
    :param coupon_file_statuses: which status means what: ``pending``, ``success`` and ``failure``,
        each a list that replaces the connection's.
    :param preflight: a :class:`~wes_provider.storage.Preflight`, to check files before the first is
        uploaded. Files in object storage are checked by default; ``False`` checks none. (templated)
    :param ledger: a :class:`~wes_provider.storage.Ledger`, to refuse or skip content that the list
        got before. (templated)
    :raises WesConfigurationError: for an argument or a connection that cannot be used; nothing was
        sent.
    :raises WesUnknownOutcomeError: if the list does not tell whether a file was uploaded; not
        retried.
    :raises WesDuplicateError: after a clear, with ``on_duplicate="fail"``, or if a file was
        uploaded before with another content; not retried.
    :raises WesCouponFileFailedError: if the service fails to process a file, adds too few coupons
        or finds too many duplicates; not retried.
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
    """Whether the task uploads one file by its nature."""

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
        max_duplicates: float | None = None,
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
        self.max_duplicates = max_duplicates
        self.coupon_file_statuses = coupon_file_statuses
        self.preflight = preflight
        self.ledger = ledger
        self._check_arguments()

    def _check_arguments(self) -> None:
        """Check what is not templated, when the DAG is parsed."""
        arguments.check_boolean("wait_for_completion", self.wait_for_completion)
        arguments.check_boolean("deferrable", self.deferrable)
        early(arguments.identifier, "coupon_list_id", self.coupon_list_id)
        early(check_choice, "on_duplicate", self.on_duplicate, *ON_DUPLICATE)
        check_seconds("poll_interval", self.poll_interval)
        check_seconds("timeout", self.timeout)
        self._check_expected_counts()
        if self.coupon_file_statuses is not None:
            Statuses.of(self.coupon_file_statuses)
        if getattr(self, "multiple_outputs", False):
            raise WesConfigurationError(
                "multiple_outputs takes an object, and this operator returns identifiers"
            )
        if self.preflight is not None and self.preflight is not False:
            _check_object("preflight", self.preflight, "a Preflight or False", "max_duplicates")
        if self.ledger is not None:
            _check_object("ledger", self.ledger, "a Ledger or None", "on_known_content")

    def _check_expected_counts(self) -> None:
        expected = self._expected_counts()
        if self.wait_for_completion:
            return
        if expected.min_added is not None:
            raise WesConfigurationError(
                "min_coupons_added needs wait_for_completion=True, to count coupons"
            )
        if expected.max_duplicates is not None:
            raise WesConfigurationError(
                "max_duplicates needs wait_for_completion=True, to count duplicates"
            )

    def _expected_counts(self) -> ExpectedCounts:
        return expect_counts(self.min_coupons_added, self.max_duplicates)

    # -- what to upload

    def _files(self) -> list[dict[str, Any]]:
        """
        Check the files that the task is given, and return the upload's arguments of each, without
        those of a connection.
        """
        raise NotImplementedError

    def _files_with_credentials(self) -> list[dict[str, Any]]:
        """Return the upload's arguments of each file."""
        files = []
        for fields in self._files():
            if "file_url_auth_username" in fields:
                files.append(fields)
            else:
                files.append({**fields, **self._fetch_credentials})
        return files

    def _without_passwords(self, event: Any) -> Any:
        """Take the passwords for fetching files out of what a triggerer, without them, has read."""
        try:
            passwords = _passwords_of(self._files_with_credentials())
        except WesError:
            # What the end of a task needs is known by now; a connection that is gone ends nothing.
            passwords = []
        return hide_in(event, passwords)

    @cached_property
    def _fetch_credentials(self) -> dict[str, str]:
        from wes_provider.hooks import fetch_credentials

        if self.file_url_auth_conn_id is None:
            return {}
        return fetch_credentials(self.file_url_auth_conn_id)

    def _plan_uploads(self, context: Any, plan: dict[str, Any] | None) -> PlannedUploads:
        """
        Make the uploads of the task.

        :param plan: the one of the part of this attempt before a deferral; ``None`` to make one.
        """
        from wes_provider.uploads.request import UploadRequest

        check_choice("on_duplicate", self.on_duplicate, *ON_DUPLICATE)
        self.coupon_list_id = arguments.identifier("coupon_list_id", self.coupon_list_id)
        files = self._files_with_credentials()
        self.hook.hide(_passwords_of(files))
        if not self._needs_storage(files):
            requests = [UploadRequest.of(self.coupon_list_id, fields) for fields in files]
            return PlannedUploads(requests, None)
        storage = self._open_storage(context, files)
        if plan is None:
            plan = storage.prepare()
        context["ti"].xcom_push(key="plan", value=plan)
        return PlannedUploads(storage.requests(plan, single=self.single), plan)

    def _needs_storage(self, files: Sequence[Mapping[str, Any]]) -> bool:
        """Tell whether an argument of the task, or a file, has to do with object storage."""
        if self.preflight or self.ledger:
            return True
        return any(arguments.in_storage(fields["file_url"]) for fields in files)

    def _open_storage(
        self, context: Any, files: Sequence[Mapping[str, Any]], *, plan_only: bool = False
    ) -> StorageUploads:
        """Make what lists, checks and signs the files."""
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

    @property
    def statuses(self) -> Statuses:
        """The connection's status sets, with what ``coupon_file_statuses`` replaces."""
        return Statuses.of(self.coupon_file_statuses, self.hook.settings.statuses)

    def get_openlineage_facets_on_start(self) -> Any:
        """Describe the coupon files as inputs, and the list as output."""
        from wes_provider.lineage import upload_lineage

        return upload_lineage(self.coupon_list_id, [fields["file_url"] for fields in self._files()])


def _passwords_of(files: Sequence[Mapping[str, Any]]) -> list[str]:
    passwords = [fields.get("file_url_auth_password") for fields in files]
    return [password for password in passwords if password]


def check_file(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Check the upload's fields of one file; the URL of a place in storage is made later."""
    url = fields["file_url"]
    if arguments.in_storage(url):
        options = {name: value for name, value in fields.items() if name != "file_url"}
        return {"file_url": url, **models.coupon_file_options(options)}
    return models.coupon_file_body(fields)


def _check_object(field: str, value: Any, taken: str, attribute: str) -> None:
    """
    Check that an argument is an object of a class that is not imported here.

    :param taken: what the argument takes, for people; ``attribute``: that such an object has.
    """
    if isinstance(value, type) or not hasattr(value, attribute):
        raise WesConfigurationError(f"{field} takes {taken}, not {shown(value)}")
