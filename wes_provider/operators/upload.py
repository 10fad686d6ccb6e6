"""The operator that uploads one coupon file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from wes_provider import contract, models
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import CouponFile, Summary
from wes_provider.operators.upload_arguments import UploadArguments, check_file
from wes_provider.operators.upload_flow import UploadFlow

__all__ = ["WesUploadCouponFileOperator"]


class WesUploadCouponFileOperator(UploadFlow):
    """
    Upload one file to a list, at most once, even after a crash; optionally wait until it is
    processed.

    Returns the coupon file's identifier. Pushes ``coupon_file``, a flat object with ``id``,
    ``coupon_list_id``, ``name``, ``status``, ``adopted`` (whether it was uploaded before a clear)
    and counts, as soon as the identifier is known.

    :param file_url: where the service fetches the file: exactly one absolute URL.
        Airflow's pages show the URL without its query. Or a file in object storage, such as
        ``s3://aws_default@promo/a.csv``, an ``ObjectStoragePath``, or
        :class:`~wes_provider.storage.BucketFiles`; its URL is signed for the upload. (templated)
    :param name: the file's name. Leave it out if you can: the operator makes a name that it can
        find after a crash. In one run, the same name means the same file. (templated)
    :param file_url_auth_username: the username for fetching the file. (templated)
    :param file_url_auth_password: the password for fetching the file; better use
        ``file_url_auth_conn_id``. (templated)
    :param created_by: name of the uploader. (templated)
    :param callback_url: called by the service when processing completes. (templated)

    Contract: sections 3 and 4.1.
    """

    template_fields: Sequence[str] = (*UploadArguments.template_fields, *contract.UPLOAD_FIELDS)
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
        if self.file_url_auth_conn_id is not None and (
            file_url_auth_username or file_url_auth_password
        ):
            raise WesConfigurationError(
                "file_url_auth_conn_id is given together with a username or a password\n"
                "Give either the connection, or file_url_auth_username and file_url_auth_password"
            )
        models.check_upload_early(self._fields())

    def _fields(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in contract.UPLOAD_FIELDS}

    def _files(self) -> list[dict[str, Any]]:
        return [check_file(self._fields())]

    def result(self, files: Sequence[CouponFile]) -> str:
        """Return the identifier of the file."""
        return files[0].id

    def pushed(self, summaries: Sequence[Summary]) -> Summary | None:
        """Return the file for the XCom ``coupon_file``; none if it is not uploaded yet."""
        return summaries[0] if summaries else None

    def event(self, summaries: Sequence[Summary]) -> dict[str, Any]:
        """Return the file, for the event of an asset."""
        return summaries[0]
