"""The service's operations as requests. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from wes_provider import __version__, arguments, contract, texts
from wes_provider.settings import WesSettings
from wes_provider.texts import about

__all__ = [
    "Request",
    "create_catalog",
    "get_coupon_file",
    "list_coupon_files",
    "read_segment",
    "update_segment",
    "upload",
]


class Request(NamedTuple):
    """
    One request as it goes over the wire, but for the credentials: the drivers give those apart.

    :ivar data_key: whether the data API key is the password, instead of the campaign API key.
    :ivar repeatable: whether sending it twice does no harm, so that an unknown outcome may be tried
        again.
    :ivar largest: bytes of a response that are read at most.
    :ivar coupon_list_id: the coupon list that it is about; empty for none.
    :ivar subject: what it is about, as messages call it: a file of the list, ``segment 5f2b``,
        ``catalog shoes``.
    """

    operation: str
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    data_key: bool = False
    repeatable: bool = True
    largest: int = 10 * contract.MIB
    coupon_list_id: str = ""
    subject: str = ""

    def about(self, cause: str) -> str:
        """The first line of a message: what happened, and to what."""
        if self.coupon_list_id:
            return about(cause, self.coupon_list_id, self.subject)
        return f"{cause} ({self.subject})" if self.subject else cause


def _request(
    settings: WesSettings,
    operation: str,
    method: str,
    path: str,
    body: Mapping[str, Any] | None = None,
    **more: Any,
) -> Request:
    headers = standard_headers(settings)
    if body is not None:
        headers["Content-Type"] = contract.CONTENT_TYPE
    content = None if body is None else arguments.json_bytes(body)
    return Request(operation, method, settings.base_url + path, headers, content, **more)


def standard_headers(settings: WesSettings) -> dict[str, str]:
    """The headers of every request."""
    return {
        "Accept": contract.CONTENT_TYPE,
        # Responses are small, and a body that is not compressed cannot be a bomb.
        "Accept-Encoding": "identity",
        "Cache-Control": "no-cache",  # a gateway may keep responses
        "User-Agent": f"airflow-provider-wes/{__version__}",
        settings.workspace_header: settings.workspace_id,
    }


def _path(template: str, **identifiers: str) -> str:
    """A path with its parameters quoted whole."""
    return template.format(
        **{
            field: quote(arguments.identifier(field, value), safe="")
            for field, value in identifiers.items()
        }
    )


def upload(
    settings: WesSettings, coupon_list_id: str, body: Mapping[str, Any], title: str = ""
) -> Request:
    """
    Upload a coupon file (contract section 4.1).

    :param body: of :func:`~wes_provider.models.coupon_file_body`.
    :param title: what messages call the file; by default the end of its URL.
    """
    return _request(
        settings,
        "upload_coupon_file",
        "POST",
        _path(contract.UPLOAD_PATH, coupon_list_id=coupon_list_id),
        body,
        repeatable=False,
        coupon_list_id=coupon_list_id,
        subject=title or texts.file_title(body["file_url"]),
    )


def get_coupon_file(settings: WesSettings, coupon_list_id: str, coupon_file_id: str) -> Request:
    """Read a coupon file. The contract does not show this operation, so the path is a setting."""
    path = _path(
        settings.coupon_file_path, coupon_list_id=coupon_list_id, coupon_file_id=coupon_file_id
    )
    return _request(
        settings,
        "get_coupon_file",
        "GET",
        path,
        coupon_list_id=coupon_list_id,
        subject=coupon_file_id,
    )


def list_coupon_files(settings: WesSettings, coupon_list_id: str) -> Request:
    """Read the list's files. Not shown by the contract; the path is a setting."""
    path = _path(settings.coupon_files_path, coupon_list_id=coupon_list_id)
    largest = 32 * contract.MIB
    return _request(
        settings, "list_coupon_files", "GET", path, coupon_list_id=coupon_list_id, largest=largest
    )


def create_catalog(settings: WesSettings, body: Mapping[str, Any]) -> Request:
    """
    Contract section 4.2. Repeatable, since names are unique: of two creations the service takes
    one.
    """
    return _request(
        settings,
        "create_catalog",
        "POST",
        contract.CATALOG_PATH,
        body,
        subject=f"catalog {body['name']}",
    )


def update_segment(settings: WesSettings, segment_id: str, body: Mapping[str, Any]) -> Request:
    """Contract section 4.3."""
    path = _path(contract.SEGMENT_PATH, segment_id=segment_id)
    return _request(
        settings,
        "update_segment",
        "PATCH",
        path,
        body,
        data_key=True,
        subject=f"segment {segment_id}",
    )


def read_segment(settings: WesSettings, segment_id: str) -> Request:
    """A read with the data API key, which changes nothing; the contract shows no such operation."""
    path = _path(contract.SEGMENT_PATH, segment_id=segment_id)
    return _request(
        settings, "read_segment", "GET", path, data_key=True, subject=f"segment {segment_id}"
    )
