"""The service's operations as requests. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from wes_provider import __version__, arguments, contract, texts
from wes_provider.contract import Operation
from wes_provider.hiding import take_out
from wes_provider.settings import WesSettings

LONGEST_SEARCHED: Final = 20_000  # characters of a response's text in which own values are found
SHORTEST_PERSONAL: Final = 3  # characters; shorter values are parts of too many words


class Request(NamedTuple):
    """
    One request as it goes over the wire, without credentials, which the drivers add.

    :ivar body: JSON; ``None`` for no body.
    :ivar coupon_list_id: the coupon list that it is about; empty for none.
    :ivar subject: what it is about, as messages call it: a file of the list, ``segment 5f2b``,
        ``catalog shoes``.
    :ivar secrets: what no text of a response may show: the password for fetching the file.
    :ivar personal: what an error may repeat and must not show: strings in lists and objects, such
        as the values of a segment's filters.
    :ivar id_property: where the response has the identifier of what was created, a dotted property;
        empty for the usual places.
    """

    operation: Operation
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    coupon_list_id: str = ""
    subject: str = ""
    secrets: tuple[str, ...] = ()
    personal: Any = None
    id_property: str = ""

    @property
    def method(self) -> str:
        """The method of HTTP."""
        return self.operation.method

    def about(self, cause: str) -> str:
        """Return the first line of a message: what happened, and to what."""
        if self.coupon_list_id:
            return texts.about(cause, self.coupon_list_id, self.subject)
        if self.subject:
            return f"{cause} ({self.subject})"
        return cause

    def without_own(self, text: str) -> str:
        """Take what the request has of secrets and personal values out of a text of a response."""
        values = [*self.secrets, *strings_in(self.personal)]
        if not values:
            return text
        if len(text) > LONGEST_SEARCHED:
            # Without what may be the beginning of a value at the cut.
            text = text[: max(0, LONGEST_SEARCHED - max(map(len, values)))]
        return take_out(text, values)


def strings_in(value: Any) -> list[str]:
    """Return the strings of lists and objects that are long enough to say something."""
    if isinstance(value, str) and len(value) >= SHORTEST_PERSONAL:
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    strings = []
    if isinstance(value, (list, tuple)):
        for item in value:
            strings += strings_in(item)
    return strings


def values_of_filters(group: Any) -> list[Any]:
    """Return what the filters of a group compare with, and those of the groups in it."""
    values: list[Any] = []
    if not isinstance(group, Mapping):
        return values
    filters = group.get("filters")
    if not isinstance(filters, (list, tuple)):
        return values
    for item in filters:
        if isinstance(item, Mapping):
            values += [item.get("value"), *values_of_filters(item)]
    return values


def upload(
    settings: WesSettings, coupon_list_id: str, body: Mapping[str, Any], title: str = ""
) -> Request:
    """
    Upload a coupon file (contract section 4.1).

    :param body: of :func:`~wes_provider.models.coupon_file_body`.
    :param title: what messages call the file; by default the end of its URL.
    """
    return Request(
        contract.UPLOAD_COUPON_FILE,
        url_of(settings, contract.UPLOAD_COUPON_FILE.path, coupon_list_id=coupon_list_id),
        headers_with_body(settings),
        arguments.json_bytes(body),
        secrets=tuple(filter(None, [body.get("file_url_auth_password")])),
        coupon_list_id=coupon_list_id,
        subject=title or texts.file_title(body["file_url"]),
    )


def get_coupon_file(settings: WesSettings, coupon_list_id: str, coupon_file_id: str) -> Request:
    """Read a coupon file. The contract does not show this operation, so the path is a setting."""
    return Request(
        contract.GET_COUPON_FILE,
        url_of(
            settings,
            settings.coupon_file_path,
            coupon_list_id=coupon_list_id,
            coupon_file_id=coupon_file_id,
        ),
        standard_headers(settings),
        coupon_list_id=coupon_list_id,
        subject=coupon_file_id,
    )


def list_coupon_files(settings: WesSettings, coupon_list_id: str) -> Request:
    """Read the list's files. Not shown by the contract; the path is a setting."""
    return about_list(
        settings, contract.LIST_COUPON_FILES, coupon_list_id, path=settings.coupon_files_path
    )


def about_list(
    settings: WesSettings, operation: Operation, coupon_list_id: str, *, path: str = ""
) -> Request:
    """
    Make a request about a coupon list that has no body.

    :param path: what a setting has in place of the operation's own path.
    """
    return Request(
        operation,
        url_of(settings, path or operation.path, coupon_list_id=coupon_list_id),
        standard_headers(settings),
        coupon_list_id=coupon_list_id,
    )


def create_catalog(settings: WesSettings, body: Mapping[str, Any]) -> Request:
    """
    Create a catalog (contract section 4.2).

    :param body: of :func:`~wes_provider.models.catalog_body`.
    """
    return Request(
        contract.CREATE_CATALOG,
        url_of(settings, contract.CREATE_CATALOG.path),
        headers_with_body(settings),
        arguments.json_bytes(body),
        subject=f"catalog {body['name']}",
        id_property=settings.catalog_id_property or "",
    )


def update_segment(settings: WesSettings, segment_id: str, body: Mapping[str, Any]) -> Request:
    """
    Update a segment (contract section 4.3).

    :param body: of :func:`~wes_provider.filters.segment_body`.
    """
    return Request(
        contract.UPDATE_SEGMENT,
        url_of(settings, contract.UPDATE_SEGMENT.path, segment_id=segment_id),
        headers_with_body(settings),
        arguments.json_bytes(body),
        subject=f"segment {segment_id}",
        personal=values_of_filters(body.get("included_filters")),
    )


def read_segment(settings: WesSettings, segment_id: str) -> Request:
    """Read with the data API key, to see whether it is refused; the contract shows no such read."""
    return Request(
        contract.READ_SEGMENT,
        url_of(settings, contract.READ_SEGMENT.path, segment_id=segment_id),
        standard_headers(settings),
        subject=f"segment {segment_id}",
    )


def standard_headers(settings: WesSettings) -> dict[str, str]:
    """Return the headers of every request."""
    return {
        "Accept": contract.CONTENT_TYPE,
        # Responses are small, and a body that is not compressed cannot be a bomb.
        "Accept-Encoding": "identity",
        # A gateway may keep responses.
        "Cache-Control": "no-cache",
        "User-Agent": f"airflow-provider-wes/{__version__}",
        settings.workspace_header: settings.workspace_id,
    }


def headers_with_body(settings: WesSettings) -> dict[str, str]:
    """Return the headers of a request with a JSON body."""
    return {**standard_headers(settings), "Content-Type": contract.CONTENT_TYPE}


def url_of(settings: WesSettings, path: str, **identifiers: str) -> str:
    """Return the URL of a path whose parameters are identifiers, each quoted as one segment."""
    quoted = {
        name: quote(arguments.identifier(name, value), safe="")
        for name, value in identifiers.items()
    }
    return settings.base_url + path.format(**quoted)
