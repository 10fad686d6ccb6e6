"""
How Airflow sees the service: a connection of type ``wes``, and a hook with the service's
operations.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook

from wes_provider import connection_form, filters, models
from wes_provider.client import requests, responses
from wes_provider.exceptions import WesConfigurationError, WesError, WesResponseError
from wes_provider.masking import mask_secret
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import about

if TYPE_CHECKING:
    from wes_provider.client.responses import Listing
    from wes_provider.client.sync import WesClient
    from wes_provider.models import CatalogAttribute

__all__ = ["WesConnectionNotFoundError", "WesHook"]

log = logging.getLogger(__name__)

MADE_UP: Final = "wes-connection-test"  # the identifier of a list and of a segment that nobody has


class WesConnectionNotFoundError(WesConfigurationError, AirflowNotFoundException):
    """
    A connection is not defined. Airflow retries the task: its secrets backends may have failed to
    find it.
    """

    permanent = False
    reading_again_helps = True


class _Operations:
    """The service's operations, each one request and what is read of its response."""

    if TYPE_CHECKING:

        @property
        def settings(self) -> WesSettings: ...

        def get_conn(self) -> WesClient: ...

    secrets: tuple[str, ...] = ()
    """Passwords for fetching files, which no reading of a file shows."""

    def hide(self, secrets: Iterable[str]) -> None:
        """Take passwords for fetching files out of whatever the service says of files."""
        self.secrets = tuple({*self.secrets, *secrets} - {""})

    def _hiding(self, request: requests.Request) -> requests.Request:
        """Have nothing of the response show the passwords of any file, nor its own."""
        return request._replace(secrets=tuple({*request.secrets, *self.secrets}))

    # -- coupon files --

    def upload_coupon_file(
        self,
        coupon_list_id: str,
        file_url: str,
        *,
        name: str | None = None,
        file_url_auth_username: str | None = None,
        file_url_auth_password: str | None = None,
        created_by: str | None = None,
        callback_url: str | None = None,
    ) -> dict[str, Any]:
        """
        Upload a coupon file to a list (contract section 4.1).

        :param coupon_list_id: the list to replenish.
        :param file_url: where the service fetches the file.
        :param name: the file's name.
        :param file_url_auth_username: the username for fetching the file.
        :param file_url_auth_password: the password for fetching the file.
        :param created_by: name of the uploader.
        :param callback_url: called by the service when processing completes.
        :return: the file as the service describes it, with ``_id`` and ``status``.
        :raises WesUnknownOutcomeError: if the file may have been uploaded or not. Look it up with
            :meth:`list_coupon_files` before you upload it again; the operators do that by
            themselves.
        """
        fields = {
            "file_url": file_url,
            "name": name,
            "file_url_auth_username": file_url_auth_username,
            "file_url_auth_password": file_url_auth_password,
            "created_by": created_by,
            "callback_url": callback_url,
        }
        body = models.coupon_file_body(fields)
        request = self._hiding(requests.upload(self.settings, coupon_list_id, body))
        record: dict[str, Any] = self.get_conn().run(request, responses.read_result)
        return record

    def send_upload(
        self, coupon_list_id: str, body: Mapping[str, Any], title: str
    ) -> tuple[CouponFile, Mapping[str, str]]:
        """
        Upload a coupon file; a refusal by the rate limit is raised at once.

        :param body: of :func:`~wes_provider.models.coupon_file_body`.
        :param title: what messages call the file.
        :return: the file, and the response's headers, which tell how far the rate limit is used.
        """
        request = self._hiding(requests.upload(self.settings, coupon_list_id, body, title))

        def read(
            request: requests.Request, response: responses.Response
        ) -> tuple[CouponFile, Mapping[str, str]]:
            record = responses.record(request, response)
            return CouponFile.from_record(record, coupon_list_id), response.headers

        return self.get_conn().run(request, read, wait_for_limits=False)

    def get_coupon_file(self, coupon_list_id: str, coupon_file_id: str) -> dict[str, Any]:
        """
        Read a coupon file; the path is the extra ``paths.coupon_file``.

        :param coupon_list_id: the file's list.
        :param coupon_file_id: the file.
        :return: the file as the service describes it, with its ``status``.
        :raises WesNotFoundError: if the service does not know the file, or has another path for it.
        """
        request = self._hiding(
            requests.get_coupon_file(self.settings, coupon_list_id, coupon_file_id)
        )
        record: dict[str, Any] = self.get_conn().run(request, responses.read_result)
        return record

    def poll_coupon_file(self, coupon_list_id: str, coupon_file_id: str) -> CouponFile:
        """Read a coupon file once, without retries; its identifier, list and status are checked."""
        request = self._hiding(
            requests.get_coupon_file(self.settings, coupon_list_id, coupon_file_id)
        )
        return responses.file_of_list(request, self.get_conn().send(request))

    def list_coupon_files(
        self, coupon_list_id: str, *, allow_incomplete: bool = False
    ) -> list[dict[str, Any]]:
        """
        Read the coupon files of a list; the path is the extra ``paths.coupon_files``.

        :param coupon_list_id: the list.
        :param allow_incomplete: return the part that the service shows of a list, which is empty if
            the list is too long to be read.
        :return: the files as the service describes them.
        :raises WesResponseError: if the service refuses to show the list, or shows a part of it.
        """
        listing = self.read_list(coupon_list_id)
        if listing.incomplete and not allow_incomplete:
            reason = f"The list is not whole: {listing.incomplete}"
            raise WesResponseError(
                f"{about(reason, coupon_list_id)}\n"
                "list_coupon_files(..., allow_incomplete=True) returns the part that came.",
                reason=reason,
                permanent=True,
                status_code=200,
            )
        return listing.records

    def read_list(self, coupon_list_id: str) -> Listing:
        """Read the coupon files of a list, and why there may be more."""
        request = self._hiding(requests.list_coupon_files(self.settings, coupon_list_id))
        listing: Listing = self.get_conn().run(request, responses.read_result)
        return listing

    # -- catalogs and segments --

    def create_catalog(
        self,
        name: str,
        price_currency: str,
        attributes: Sequence[CatalogAttribute | dict[str, str]],
    ) -> str:
        """
        Create a catalog (contract section 4.2).

        :param name: unique among the workspace's catalogs.
        :param price_currency: an ISO 4217 code that the service accepts, in capitals.
        :param attributes: :class:`~wes_provider.models.CatalogAttribute` objects or ``{name,
            type}`` objects.
        :return: the catalog's identifier, which the service shows only once.
        :raises WesConflictError: if the name is taken.
        :raises WesUnknownOutcomeError: if the catalog may have been created and its identifier is
            not known.
        """
        return self.send_catalog(models.catalog_body(name, price_currency, attributes)).catalog_id

    def send_catalog(self, body: Mapping[str, Any]) -> responses.CreatedCatalog:
        """
        Create a catalog.

        :param body: of :func:`~wes_provider.models.catalog_body`.
        :return: its identifier and the service's response.
        """
        request = requests.create_catalog(self.settings, body)
        created: responses.CreatedCatalog = self.get_conn().run(request, responses.read_result)
        return created

    def update_segment(
        self,
        segment_id: str,
        *,
        name: str | None = None,
        included_filters: dict[str, Any] | None = None,
        updated_by: str | None = None,
        allow_empty: bool = False,
    ) -> dict[str, Any]:
        """
        Update a filter segment (contract section 4.3).

        :param segment_id: the segment.
        :param name: a new unique name.
        :param included_filters: which users belong to it, as from
            :func:`~wes_provider.models.all_of`.
        :param updated_by: the e-mail address of who updates it.
        :param allow_empty: send even an empty filter list, or a filter without values.
        :return: the segment as the service describes it.
        :raises WesResponseError: if the service refuses the update.
        """
        body = filters.segment_body(
            name=name,
            included_filters=included_filters,
            updated_by=updated_by,
            allow_empty=allow_empty,
        )
        request = requests.update_segment(self.settings, segment_id, body)
        response = self.get_conn().run(request, responses.read_result)
        return response if isinstance(response, dict) else {"response": response}


class WesHook(_Operations, BaseHook):
    """
    The service's operations over an Airflow connection.

    Requests are retried if repeating them does no harm. What a method raises is a
    :class:`~wes_provider.exceptions.WesError`. If the connection or an argument cannot be used, it
    is a
    :class:`~wes_provider.exceptions.WesConfigurationError`, and nothing was sent.

    :param wes_conn_id: the connection, of type ``wes``.
    """

    conn_name_attr = "wes_conn_id"
    default_conn_name = "wes_default"
    conn_type = "wes"
    hook_name = "Workforce Engagement Service"

    def __init__(self, wes_conn_id: str = default_conn_name, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.wes_conn_id = wes_conn_id

    @classmethod
    def get_connection_form_widgets(cls) -> dict[str, Any]:
        """Return the form's fields, for Airflow before 3.2."""
        return connection_form.widgets()

    @classmethod
    def get_ui_field_behaviour(cls) -> dict[str, Any]:
        """Return the form's labels and placeholders, for Airflow before 3.2."""
        return {name.replace("-", "_"): value for name, value in connection_form.BEHAVIOUR.items()}

    @cached_property
    def settings(self) -> WesSettings:
        """The connection's fields, checked, and its credentials masked in Airflow's logs."""
        return read_settings(get_connection(self.wes_conn_id, "wes_conn_id"))

    def get_conn(self) -> WesClient:
        """Return the client, made once; its connections are pooled."""
        return self._client

    @cached_property
    def _client(self) -> WesClient:
        # Loads requests, which parsing a DAG must not.
        from wes_provider.client.sync import WesClient
        from wes_provider.metrics import count

        return WesClient(self.settings, count)

    def test_connection(self) -> tuple[bool, str]:
        """
        Try the connection without changing anything: one read with each key.

        :return: whether it can be used, and one sentence for each key.
        """
        try:
            connection = self.get_connection(self.wes_conn_id)
            connection.conn_id = ""  # Airflow has made one up
            settings = read_settings(connection)
            from wes_provider.client.sync import WesClient

            client = WesClient(settings)
            reads = {"Campaign API key": requests.list_coupon_files(settings, MADE_UP)}
            if settings.data_api_key != settings.api_key:
                reads["Data API key"] = requests.read_segment(settings, MADE_UP)
            tests = []
            for key, request in reads.items():
                tests.append(_test_key(key, request, client.send(request)))
        except WesError as error:
            return False, str(error)
        are_fine = all(test.is_fine for test in tests)
        return are_fine, "\n".join(test.sentence for test in tests)


class _KeyTest(NamedTuple):
    """Whether a key is fine, and what the form says of it."""

    is_fine: bool
    sentence: str


def _test_key(key: str, request: requests.Request, response: responses.Response) -> _KeyTest:
    """Tell whether a key is fine, by a read of something that does not exist."""
    status = response.status_code
    if status == 401:
        return _KeyTest(
            False,
            f"{key}: refused (401). Check it and the Workspace identifier: they come from the "
            "same workspace.",
        )
    if status == 403:
        return _KeyTest(
            False, f"{key}: accepted, but the account has no access to this feature (403)."
        )
    is_json = response.body.strip()[:1] in (b"{", b"[")
    if is_json and (response.is_success or status in (404, 405)):
        return _KeyTest(
            True,
            f"{key}: not refused ({status} for something made up). wes-doctor checks the rest.",
        )
    what_came: object = status
    if status >= 300:
        what_came = responses.error_of(request, response)
    return _KeyTest(False, f"{key}: not checked. {what_came}".rstrip())


def get_connection(conn_id: str, argument: str) -> Any:
    """
    Return an Airflow connection.

    :param argument: the argument that names it, for the message.
    :raises WesConnectionNotFoundError: if it is not defined.
    """
    try:
        return BaseHook.get_connection(conn_id)
    except AirflowNotFoundException:
        raise WesConnectionNotFoundError(
            f"Connection {conn_id!r} is not defined ({argument})\nAdd it under Admin, "
            "Connections; then clear the task."
        ) from None


def fetch_credentials(conn_id: str) -> dict[str, str]:
    """Return an upload's arguments from the connection of ``file_url_auth_conn_id``."""
    connection = get_connection(conn_id, "file_url_auth_conn_id")
    if not connection.login or not connection.password:
        raise WesConfigurationError(
            f"Connection {conn_id!r} of file_url_auth_conn_id lacks a login or a password"
        )
    return {
        "file_url_auth_username": connection.login,
        "file_url_auth_password": connection.password,
    }


def read_settings(connection: Any) -> WesSettings:
    """
    Make the settings of an Airflow connection, and mask its credentials in Airflow's logs.

    :raises WesConfigurationError: naming everything that is wrong with the connection.
    """
    settings = WesSettings.from_connection(connection)
    for key in {settings.api_key, settings.data_api_key}:
        mask_secret(key)
        mask_secret(settings.credentials(key).decode())
    if unknown := ", ".join(settings.unknown_extras):
        log.warning(
            "Connection %r has unknown extras, which are ignored: %s", settings.conn_id, unknown
        )
    return settings
