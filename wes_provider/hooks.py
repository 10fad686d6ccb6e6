"""How Airflow sees the service: a connection of type ``wes``, and a hook with the service's operations."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook

from wes_provider import connection_form
from wes_provider.client.operations import Operation, Operations, Response, name_exists, probably_created
from wes_provider.client.settings import WesSettings
from wes_provider.exceptions import WesConfigurationError, WesError, WesResponseError, WesUnknownOutcomeError
from wes_provider.metrics import count_requests
from wes_provider.models import ERROR_HEADLINE, headline, shorten

try:
    from airflow.sdk.log import mask_secret
except ImportError:  # Airflow 2.11
    from airflow.utils.log.secrets_masker import mask_secret  # type: ignore[import-not-found,no-redef]

if TYPE_CHECKING:
    from wes_provider.client.listing import CouponFileListing
    from wes_provider.client.sync_client import WesClient
    from wes_provider.clock import Clock
    from wes_provider.models import CatalogAttribute

__all__ = ["WesConnectionNotFoundError", "WesHook"]

log = logging.getLogger(__name__)


class WesConnectionNotFoundError(WesConfigurationError, AirflowNotFoundException):
    """
    A connection is not defined. Airflow retries the task: its secrets backends may have failed to find it.

    :param conn_id: the connection.
    :param argument: which names it.
    :param about: coupon list and file of the task, as far as it has them.
    """

    permanent = False

    def __init__(self, conn_id: str, argument: str, about: tuple[str, str] = ("", "")) -> None:
        cause = f"Connection {shorten(conn_id, 24)!r} is not defined"
        first = headline(cause, about[0], title=about[1], longest=ERROR_HEADLINE) if about[0] else cause
        super().__init__(
            f"{first}\n"
            "Add it under Admin, Connections; then clear the task.\n"
            f"{argument} is {conn_id!r}. It is in none of Airflow's places for connections."
        )


class WesHook(BaseHook):
    """
    The service's operations over an Airflow connection.

    Requests are retried if repeating them does no harm. What a method raises is a
    :class:`~wes_provider.exceptions.WesError`. If the connection or an argument cannot be used, it is a
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

    about = ("", "")
    """Coupon list and file of the task whose hook this is, for messages."""

    _recorder: _Recorder | None = None

    @classmethod
    def get_connection_form_widgets(cls) -> dict[str, Any]:
        """The form's fields, for Airflow before 3.2."""
        return connection_form.widgets()

    @classmethod
    def get_ui_field_behaviour(cls) -> dict[str, Any]:
        """The form's labels and placeholders, for Airflow before 3.2."""
        return {name.replace("-", "_"): value for name, value in connection_form.BEHAVIOUR.items()}

    @cached_property
    def settings(self) -> WesSettings:
        """The connection's fields, checked."""
        try:
            connection = self.get_connection(self.wes_conn_id)
        except AirflowNotFoundException as error:
            raise WesConnectionNotFoundError(self.wes_conn_id, "wes_conn_id", self.about) from error
        return read_settings(connection)

    @cached_property
    def operations(self) -> Operations:
        """The operations as requests, to be run by a client."""
        return Operations(self.settings)

    def get_conn(self) -> WesClient:
        """The client, made once; its connections are pooled."""
        return self._client

    @cached_property
    def _client(self) -> WesClient:
        # Loads requests, which parsing a DAG must not.
        from wes_provider.client.sync_client import WesClient

        return WesClient(self.settings)

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
            :meth:`list_coupon_files` before you upload it again; the operators do that by themselves.
        """
        operation = self.operations.upload_coupon_file(
            coupon_list_id,
            file_url,
            name=name,
            file_url_auth_username=file_url_auth_username,
            file_url_auth_password=file_url_auth_password,
            created_by=created_by,
            callback_url=callback_url,
            title=self._recorder.title if self._recorder is not None else "",
        )
        if self._recorder is not None:
            operation = self._recorder.recorded(operation)
        return self.get_conn().run(operation, wait_for_limits=self._recorder is None)

    @contextmanager
    def recording(self, record: Callable[..., None], clock: Clock, title: str = "") -> Iterator[None]:
        """
        A block for one upload, in which the caller handles the rate limit.

        A refusal is raised at once. The response is recorded; a lost one may count against the limit.

        :param record: called with the headers of the response, such as the rate limiter's method of that name.
        :param clock: tells when the request was sent and when its response came.
        :param title: what messages call the file; by default the end of its URL.
        """
        recorder = self._recorder = _Recorder(record, clock, title)
        try:
            yield
        except WesUnknownOutcomeError:
            recorder.record_lost()
            raise
        finally:
            self._recorder = None

    def get_coupon_file(self, coupon_list_id: str, coupon_file_id: str) -> dict[str, Any]:
        """
        Read a coupon file; the path is the extra ``paths.coupon_file``.

        :param coupon_list_id: the file's list.
        :param coupon_file_id: the file.
        :return: the file as the service describes it, with its ``status``.
        :raises WesNotFoundError: if the service does not know the file, or has another path for it.
        """
        return self.get_conn().run(self.operations.get_coupon_file(coupon_list_id, coupon_file_id))

    def list_coupon_files(self, coupon_list_id: str) -> list[dict[str, Any]]:
        """
        Read the coupon files of a list; the path is the extra ``paths.coupon_files``.

        :param coupon_list_id: the list.
        :return: the files as the service describes them.
        :raises WesResponseError: if the service refuses to show the list.
        """
        return self.get_conn().run(self.operations.list_coupon_files(coupon_list_id))

    def search_coupon_files(self, coupon_list_id: str, keep: Callable[[Mapping[str, Any]], bool]) -> CouponFileListing:
        """
        Read the coupon files of a list, however many, and return some of them.

        :param coupon_list_id: the identifier of the list.
        :param keep: whether a file's record is returned.
        :return: the records, and whether the list has been read as a whole.
        """
        return self.get_conn().run(self.operations.search_coupon_files(coupon_list_id, keep))

    def create_catalog(
        self, name: str, price_currency: str, attributes: Sequence[CatalogAttribute | dict[str, str]]
    ) -> str:
        """
        Create a catalog (contract section 4.2).

        :param name: unique among the workspace's catalogs.
        :param price_currency: an ISO 4217 code that the service accepts, in capitals.
        :param attributes: :class:`~wes_provider.models.CatalogAttribute` objects or ``{name, type}`` objects.
        :return: the catalog's identifier, which the service shows only once.
        :raises WesConflictError: if the name is taken.
        :raises WesUnknownOutcomeError: if the catalog may have been created and its identifier is not known.
        """
        return self.create_catalog_with_response(name, price_currency, attributes)[0]

    def create_catalog_with_response(
        self,
        name: str,
        price_currency: str,
        attributes: Sequence[CatalogAttribute | dict[str, str]],
        *,
        earlier_attempt: str = "",
    ) -> tuple[str, Any]:
        """
        Create a catalog.

        :param name: as for :meth:`create_catalog`.
        :param price_currency: as for :meth:`create_catalog`.
        :param attributes: as for :meth:`create_catalog`.
        :param earlier_attempt: what you know of an attempt whose outcome is unknown; part of the error if the name is
            taken.
        :return: the catalog's identifier, and the service's response.
        """
        try:
            return self.get_conn().run(self.operations.create_catalog(name, price_currency, attributes))
        except WesResponseError as error:
            earlier = error.after_unknown or earlier_attempt
            if earlier and name_exists(error):
                raise probably_created(error, name, earlier) from error
            raise

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
        :param included_filters: which users belong to it, as from :func:`~wes_provider.models.all_of`.
        :param updated_by: the e-mail address of who updates it.
        :param allow_empty: send even an empty filter list, or a filter without values.
        :return: the segment as the service describes it.
        :raises WesResponseError: if the service refuses the update.
        """
        return self.get_conn().run(
            self.operations.update_segment(
                segment_id,
                name=name,
                included_filters=included_filters,
                updated_by=updated_by,
                allow_empty=allow_empty,
            )
        )

    def test_connection(self) -> tuple[bool, str]:
        """
        Try the connection without changing anything; at most four reads.

        :return: whether it can be used, and one sentence for each key: accepted, refused, or not checked and why.
        """
        from wes_provider.client.diagnosis import Reader, diagnosis, read_keys

        try:
            self.settings = read_settings(self.get_connection(self.wes_conn_id), in_form=True)
            return diagnosis(self.settings, read_keys(Reader(self.get_conn())))
        except WesError as error:
            return False, str(error)


class _Recorder:
    """Records what the response to one upload says of the rate limit."""

    def __init__(self, record: Callable[..., None], clock: Clock, title: str) -> None:
        self.title = title
        self._record = record
        self._clock = clock
        self._sent = clock.time()
        self._recorded = False

    def recorded(self, operation: Operation[dict[str, Any]]) -> Operation[dict[str, Any]]:
        """The operation, with its response recorded before it is read."""

        def read(response: Response) -> dict[str, Any]:
            refused = response.status_code == 429
            if refused or 200 <= response.status_code < 300:
                self._note(response.headers, refused=refused)
            return operation.read(response)

        return Operation(operation.request, read)

    def record_lost(self) -> None:
        """Record a response that was lost, or of no use."""
        if not self._recorded:
            self._note({}, refused=False)

    def _note(self, headers: Mapping[str, str], *, refused: bool) -> None:
        self._recorded = True
        self._record(headers, sent=self._sent, at=self._clock.time(), refused=refused)


def read_settings(connection: Any, *, in_form: bool = False) -> WesSettings:
    """
    Settings of an Airflow connection, with its credentials masked in Airflow's logs.

    :param in_form: as for :meth:`~wes_provider.client.settings.WesSettings.from_connection`.
    :raises WesConfigurationError: naming everything that is wrong with the connection.
    """
    count_requests()  # whoever makes a client comes here for its settings
    settings = WesSettings.from_connection(connection, in_form=in_form)
    for secret in settings.secrets:
        mask_secret(secret)
    if settings.unknown_extras:
        log.warning(
            "Connection %r has unknown extras, which are ignored: %s",
            connection.conn_id,
            ", ".join(settings.unknown_extras),
        )
    for warning in settings.warnings:
        log.warning("Connection %r: %s", connection.conn_id, warning)
    return settings


def connection_error(wes_conn_id: str, error: Exception) -> WesError:
    """
    What it means that a connection could not be read.

    :param error: raised by Airflow or a secrets backend. Its text is not used: it may hold what the backend was sent.
    """
    if isinstance(error, WesError):
        return error
    if isinstance(error, AirflowNotFoundException):
        return WesConfigurationError(
            f"connection {shorten(wes_conn_id, 24)!r} is not defined (any more)\n"
            "Add it under Admin, Connections; then clear the task.",
            permanent=False,  # as of WesConnectionNotFoundError
        )
    return WesError(f"connection {wes_conn_id!r} cannot be read: {type(error).__name__}")
