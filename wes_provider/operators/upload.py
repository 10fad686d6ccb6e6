"""The operator that uploads one coupon file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import arguments, contract, models
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import CouponFile
from wes_provider.operators.uploading import UploadTask
from wes_provider.polling import Failed, Outcome

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesUploadCouponFileOperator"]


class WesUploadCouponFileOperator(UploadTask):
    """
    Upload a coupon file to a coupon list, at most once whatever crashes; optionally wait until it is processed.

    Returns the coupon file's identifier. Pushes ``coupon_file``, a flat object with ``id``, ``coupon_list_id``,
    ``name``, ``status`` and counts, as soon as the identifier is known.

    :param file_url: where the service fetches the file: exactly one absolute URL.
        Airflow shows it without its query. Or a file in object storage, such as ``s3://aws_default@promo/a.csv``, an
        ``ObjectStoragePath``, or :class:`~wes_provider.storage.BucketFiles`; its URL is signed for the upload.
        (templated)
    :param name: the file's name, which then says which file it is: the same name in a run is the same file. Without it,
        the operator chooses one by which it recognises its upload after a crash; leave it out if you can. (templated)
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
    single = True
    pushes = "coupon_file"
    label_fields: ClassVar[Sequence[str]] = ("coupon_list_id", "file_url")

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
        self.file_url = file_url
        self.name = name
        self.file_url_auth_username = file_url_auth_username
        self.file_url_auth_password = file_url_auth_password
        self.created_by = created_by
        self.callback_url = callback_url
        if self.file_url_auth_conn_id is not None and (file_url_auth_username or file_url_auth_password):
            raise WesConfigurationError(
                "file_url_auth_conn_id is given together with a username or a password\n"
                "Give either the connection, or file_url_auth_username and file_url_auth_password"
            )
        fields = self._given()
        if not any(arguments.templated(value) for value in fields.values()):
            models.coupon_file_body(**{**fields, "file_url": _checkable(file_url)})
        elif not arguments.templated(file_url):
            arguments.absolute_url("file_url", _checkable(file_url))

    def _given(self) -> dict[str, Any]:
        """The upload's arguments that are given."""
        fields = {field: getattr(self, field) for field in contract.UPLOAD_FIELDS}
        return {field: value for field, value in fields.items() if value is not None}

    def _files(self) -> list[dict[str, Any]]:
        return [self._given()]

    def _describe(self, context: Context, files: Sequence[CouponFile]) -> None:
        self.describe_events(context, files[0].summary())

    def _raise_failures(self, outcomes: Sequence[Outcome]) -> None:
        for outcome in outcomes:
            if isinstance(outcome, Failed):
                raise outcome.error


def _checkable(file_url: Any) -> Any:
    return arguments.IN_STORAGE if arguments.in_storage(file_url) else file_url
