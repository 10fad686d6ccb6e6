"""What tests and demos do with an emulator, whether it runs in this process or in another."""

from __future__ import annotations

import base64
import json
import os
import ssl
import urllib.error
import urllib.request
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from wes_provider.emulator.assertions import Assertions
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.request_log import LoggedRequest, from_json
from wes_provider.emulator.seeds import Seed, read_seed
from wes_provider.emulator.settings import (
    CONTROL_PATH,
    HOSTING_PATH,
    Profile,
    connection_of,
    with_profile,
)

__all__ = ["ClockControl", "Controls", "EmulatorControl"]


class Controls(Assertions):
    """
    The methods that ``Emulator`` and ``EmulatorControl`` share.

    Each performs one of :class:`~wes_provider.emulator.actions.Actions`.
    """

    @property
    @abstractmethod
    def url(self) -> str:
        """Address of the service, such as ``http://127.0.0.1:8099``."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings as they are now."""
        return dict(self._control("settings"))

    def configure(self, profile: Profile | None = None, **settings: Any) -> None:
        """
        Change settings until the next ``reset``.

        :param profile: how a variant of the service behaves: a file, or its content.
        :param settings: take precedence over the profile's. ``clock_offset`` can be set at the
            start only.
        :raises ValueError: if a value makes no sense.
        """
        self._control("configure", **with_profile(profile, settings))

    # -- the account

    @property
    def workspace_id(self) -> str:
        """The workspace identifier, a connection's login."""
        return str(self.settings["workspace_id"])

    @property
    def api_key(self) -> str:
        """The key of coupon and catalog operations, a connection's password."""
        return str(self.settings["api_key"])

    @property
    def data_api_key(self) -> str:
        """The key of segment operations."""
        return str(self.settings["data_api_key"] or self.api_key)

    def connection(self, workspace: str | None = None, **overrides: Any) -> dict[str, Any]:
        """
        Return an Airflow connection to this emulator: ``conn_type``, ``host``, ``login``,
        ``password`` and ``extra``.

        :param workspace: the identifier of a further workspace; default: the first.
        :param overrides: replace fields; ``extra`` is merged.
        :raises ValueError: if there is no such workspace.
        """
        connection = connection_of(self.settings, self.url, workspace, self.ca_file)
        extra = {**connection["extra"], **overrides.get("extra", {})}
        return {**connection, **overrides, "extra": extra}

    @property
    def ca_file(self) -> str | None:
        """
        Path of the CA certificate that a caller has to trust; ``None`` if the service does not
        speak TLS.
        """
        return None

    def connection_env(self, conn_id: str = "wes_default", **overrides: Any) -> dict[str, str]:
        """
        Return the connection as an environment variable that Airflow reads; ``overrides`` as of
        :meth:`connection`.
        """
        return {f"AIRFLOW_CONN_{conn_id.upper()}": json.dumps(self.connection(**overrides))}

    @property
    def files_url(self) -> str:
        """The URL of hosted files; a name follows after a slash."""
        return f"{self.url}{HOSTING_PATH}"

    # -- what the service has seen, and what it holds

    @property
    def requests(self) -> list[LoggedRequest]:
        """The requests so far, oldest first; the log is bounded (setting ``request_log``)."""
        return [from_json(item) for item in self._control("requests")]

    def requests_for(self, operation: str) -> list[LoggedRequest]:
        """Return the requests of one operation: one of ``wes_provider.contract.OPERATIONS``."""
        return [request for request in self.requests if request.operation == operation]

    @property
    def counts(self) -> dict[str, int]:
        """How many requests each operation has had; those of none are under an empty name."""
        return dict(self._control("counts"))

    def files(
        self,
        list_id: str,
        *,
        workspace: str = "",
    ) -> list[dict[str, Any]]:
        """
        Return the accepted coupon files of a list, oldest first, as a read without any lag returns
        them.

        :param workspace: the identifier of a further workspace; default: the first.
        :raises ValueError: if there is no such workspace.
        """
        return list(self._control("files", list_id=list_id, workspace=workspace))

    @property
    def catalogs(self) -> dict[str, dict[str, Any]]:
        """The catalogs of the first workspace, by identifier."""
        return dict(self._control("catalogs"))

    @property
    def segments(self) -> dict[str, dict[str, Any]]:
        """The segments of the first workspace, by identifier."""
        return dict(self._control("segments"))

    @property
    def callbacks(self) -> list[dict[str, Any]]:
        """
        Callbacks made: ``coupon_file_id``, ``host``, and ``outcome`` (a status code, or what went
        wrong).
        """
        return list(self._control("callbacks"))

    def stock(
        self,
        list_id: str,
        *,
        workspace: str = "",
    ) -> dict[str, int]:
        """
        ``coupons`` of a list's processed files, ``issued``, and ``stock``, the difference; 0
        without such a list.

        :param workspace: the identifier of a further workspace; default: the first.
        :raises ValueError: if there is no such workspace.
        """
        return dict(self._control("stock", list_id=list_id, workspace=workspace))

    @property
    def snapshots(self) -> list[str]:
        """The names of the snapshots."""
        return list(self._control("snapshots"))

    # -- what can be changed

    @property
    def clock(self) -> ClockControl:
        """The service's clock."""
        return ClockControl(self)

    def fail(
        self,
        operation: str,
        fault: Fault,
        times: int | None = 1,
        list_id: str | None = None,
    ) -> None:
        """
        Make the next matching requests fail. Faults of an operation happen in the order of these
        calls.

        :param operation: its name, or ``*`` for every operation.
        :param fault: one of ``wes_provider.emulator.faults``.
        :param times: how many requests fail; ``None``: all until ``clear_faults`` or ``reset``.
        :param list_id: only requests about this coupon list fail.
        """
        self._control(
            "fail", operation=operation, fault=fault.to_json(), times=times, list_id=list_id
        )

    def clear_faults(self) -> None:
        """Forget the faults that are still queued."""
        self._control("clear_faults")

    def script(
        self,
        list_id: str | None = None,
        name: str | None = None,
        url: str | None = None,
        processing_time: float | None = None,
        outcome: str = "success",
        statuses: Iterable[Sequence[Any]] | None = None,
        error: str | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        """
        Decide how the processing of coupon files goes: of those to come, and of those that have not
        ended.

        If several scripts match a file, the newest wins. ``list_id``, ``name`` and ``url`` tell
        which files.

        :param processing_time: service seconds from the upload to the end.
        :param outcome: ``success``; ``failure``; ``never`` or a pending status such as ``QUEUED``
            for a file that does not end; or any other status, with which the file then ends. A
            status that the provider takes as a failure by default, such as ``REJECTED``, fails the
            file. Any other adds its coupons to the list. A status is shown as it is written, and
            means the same in upper and lower case, as ``never`` does.
        :param statuses: pairs of status and service seconds (``None``: for ever) shown until the
            end, instead of ``processing_time``.
        :param error: why the file fails; a read shows it.
        :param fields: what a read shows after the end, in addition to the file's own properties or
            in place of them, such as ``{"coupons_added": 3, "reason": "Wrong columns"}``. The
            list's stock does not follow these counts.
        """
        if statuses is not None:
            statuses = [list(pair) for pair in statuses]
        if fields is not None:
            fields = dict(fields)
        self._control(
            "script",
            list_id=list_id,
            name=name,
            url=url,
            processing_time=processing_time,
            outcome=outcome,
            statuses=statuses,
            error=error,
            fields=fields,
        )

    def host(
        self,
        name: str,
        content: bytes,
        username: str | None = None,
        password: str | None = None,
    ) -> str:
        """
        Serve a coupon file from memory. A query in a request is ignored, so signed URLs work, too.

        :param name: the last part of its URL, which is returned.
        :param username: which a request has to send with the ``password``, by HTTP basic
            authentication.
        """
        encoded = base64.b64encode(content).decode()
        self._control(
            "host", name=name, content_base64=encoded, username=username, password=password
        )
        return f"{self.files_url}/{quote(name)}"

    def issue_coupons(
        self,
        list_id: str,
        number: int,
        *,
        workspace: str = "",
    ) -> dict[str, int]:
        """
        Hand out coupons of a list, as campaigns do; never more than it has. Returns the same as
        ``stock``.

        :param number: how many coupons to hand out.
        :param workspace: the identifier of a further workspace; default: the first.
        :raises ValueError: if there is no such list or workspace, or the number is negative.
        """
        return dict(
            self._control("issue_coupons", list_id=list_id, number=number, workspace=workspace)
        )

    def snapshot(self, name: str) -> None:
        """
        Keep what the workspaces hold, and what counts against their limits, under a name.

        Snapshots survive ``reset``, and with a state file also a restart. A file that was not
        fetched yet keeps its URL and password in the snapshot, so that it can be fetched after
        ``restore``.
        """
        self._control("snapshot", name=name)

    def restore(self, name: str) -> None:
        """
        Let the workspaces hold what they held when a snapshot was taken. Settings, faults and the
        log stay.

        The clock goes on. Ages are kept: a file that was half processed is half processed again.

        :raises ValueError: if there is no such snapshot.
        """
        self._control("restore", name=name)

    def forget_snapshots(self) -> None:
        """Delete all snapshots."""
        self._control("forget_snapshots")

    def reset(self, seed: Seed | None = None) -> None:
        """
        Return to the start: the seed, no faults, no scripts, no log, initial settings, this
        machine's time.

        :param seed: what the workspaces hold then, instead of the seed at the start: a file, or its
            content.
        :raises ValueError: if the seed makes no sense.
        """
        if seed is not None:
            seed = read_seed(seed)
        self._control("reset", seed=seed)


class ClockControl:
    """
    The service's clock: processing, limits, lags and ``Date`` follow it, but delays of faults do
    not.
    """

    def __init__(self, controls: Controls) -> None:
        self._perform = controls._control  # noqa: SLF001 - one of them

    def now(self) -> float:
        """Seconds since 1970, UTC."""
        return float(self._perform("clock")["now"])

    def advance(self, seconds: float) -> None:
        """Move the clock forward."""
        self._perform("clock", advance=seconds)

    @property
    def speed(self) -> float:
        """The service's seconds for each of this machine's; 0 stops the clock."""
        return float(self._perform("clock")["speed"])

    @speed.setter
    def speed(self, speed: float) -> None:
        self._perform("clock", speed=speed)


class EmulatorControl(Controls):
    """
    An emulator that another process serves.

    Its ``requests`` have no credentials: ``Authorization`` headers and passwords are
    ``[redacted]``.

    :param url: its address, as in the environment variable ``WES_EMULATOR_URL``.
    :param ca_file: path of the CA's certificate, if it speaks TLS; default:
        ``WES_EMULATOR_CA_FILE``.
    """

    def __init__(self, url: str, ca_file: str | None = None) -> None:
        self._url = url.rstrip("/")
        self._ca_file = None
        # Loopback needs no proxy.
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({})]
        if self._url.startswith("https:"):
            self._ca_file = ca_file or os.environ.get("WES_EMULATOR_CA_FILE")
            trusting = ssl.create_default_context(cafile=self._ca_file)
            handlers.append(urllib.request.HTTPSHandler(context=trusting))
        self._opener = urllib.request.build_opener(*handlers)

    @property
    def url(self) -> str:
        """Address of the service, such as ``http://127.0.0.1:8099``."""
        return self._url

    @property
    def ca_file(self) -> str | None:
        """
        Path of the CA certificate that a caller has to trust; ``None`` if the service does not
        speak TLS.
        """
        return self._ca_file

    def _control(self, action: str, **arguments: Any) -> Any:
        request = urllib.request.Request(  # noqa: S310 - the user's own address
            f"{self.url}{CONTROL_PATH}/{action}",
            data=json.dumps(arguments).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with self._opener.open(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise ValueError(json.load(error)["error"]["message"]) from None
