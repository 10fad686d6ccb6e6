"""
The controls of an emulator: named actions, with arguments and results that are JSON.

An action is a method with :func:`_reads`, :func:`_reads_or_changes` or :func:`_changes`; its name,
its arguments and whether a ``GET`` may ask for it follow from that.
:class:`~wes_provider.emulator.control.Controls` has a method for each, which describes it.
"""

from __future__ import annotations

import inspect
import json
import shlex
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Final, NamedTuple, get_type_hints
from urllib.parse import parse_qsl

import msgspec

from wes_provider import __version__
from wes_provider.emulator import openapi
from wes_provider.emulator.evidence import gather_evidence
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.page_state import read_state
from wes_provider.emulator.processor import Processor
from wes_provider.emulator.replies import METHOD_NOT_ALLOWED, JsonObject, Refusal
from wes_provider.emulator.request_log import shown, to_json
from wes_provider.emulator.seeds import read_seed
from wes_provider.emulator.service import Service
from wes_provider.emulator.settings import (
    HOSTING_PATH,
    Count,
    Number,
    Seconds,
    check_workspace,
    checked,
    connection_of,
    form_fields,
)

__all__ = ["Actions"]


class _Changes(Enum):
    """When an action changes something."""

    NEVER = auto()
    IF_SOMETHING_IS_GIVEN = auto()
    ALWAYS = auto()


class _Action(NamedTuple):
    """
    One action.

    :ivar perform: a method of :class:`Actions`, perhaps a coroutine.
    :ivar arguments: their types; those with a default are optional, others are unknown.
    :ivar changes: when it changes something, so that a ``GET`` may not ask for it.
    """

    perform: Callable[..., Any]
    arguments: type[Any]
    changes: _Changes

    def takes_get(self, arguments: Mapping[str, Any]) -> bool:
        """Tell whether a ``GET`` may ask for it, which a link of any web page can send."""
        if self.changes is _Changes.IF_SOMETHING_IS_GIVEN:
            return not arguments
        return self.changes is _Changes.NEVER


_ACTIONS: Final[dict[str, _Action]] = {}


def _reads(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method an action that changes nothing."""
    _ACTIONS[method.__name__] = _Action(method, _arguments_of(method), _Changes.NEVER)
    return method


def _reads_or_changes(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method an action that changes something only if arguments are given."""
    arguments = _arguments_of(method)
    _ACTIONS[method.__name__] = _Action(method, arguments, _Changes.IF_SOMETHING_IS_GIVEN)
    return method


def _changes(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method an action that changes something."""
    _ACTIONS[method.__name__] = _Action(method, _arguments_of(method), _Changes.ALWAYS)
    return method


def _arguments_of(method: Callable[..., Any]) -> type[Any]:
    hints = get_type_hints(method, include_extras=True)
    _, *parameters = inspect.signature(method).parameters.values()  # but self
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return JsonObject
    required = []
    optional = []
    for parameter in parameters:
        if parameter.default is parameter.empty:
            required.append((parameter.name, hints[parameter.name]))
        else:
            optional.append((parameter.name, hints[parameter.name], parameter.default))
    return msgspec.defstruct("Arguments", [*required, *optional], forbid_unknown_fields=True)


class Actions:
    """
    What can be done with an emulator.

    :param processor: fetches files and makes callbacks.
    :param url: address of the service.
    :param ca_file: what its callers have to trust, if it speaks TLS.
    """

    def __init__(
        self,
        service: Service,
        hosting: Hosting,
        processor: Processor,
        url: str,
        ca_file: str | None,
    ) -> None:
        self._service = service
        self._hosting = hosting
        self._processor = processor
        self._url = url
        self._ca_file = ca_file

    async def perform(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        strict: bool = True,
    ) -> Any:
        """
        Perform an action.

        :param arguments: parsed JSON.
        :param strict: false if numbers may come as strings, as in a query.
        :raises ValueError: no such action, or arguments that it does not take.
        """
        if name not in _ACTIONS:
            names = ", ".join(sorted(_ACTIONS))
            raise ValueError(f"there is no action {name!r}; there are {names}")
        action = _ACTIONS[name]
        given = checked(dict(arguments), action.arguments, name, strict=strict)
        if isinstance(given, msgspec.Struct):
            given = msgspec.structs.asdict(given)
        result = action.perform(self, **given)
        if inspect.isawaitable(result):
            return await result
        return result

    async def requested(
        self,
        method: str,
        target: str,
        content_type: str,
        body: bytes,
    ) -> Any:
        """
        Perform an action over HTTP: by ``GET`` what only reads, with arguments in the query; by
        ``POST`` everything, with a JSON object.

        :param target: what follows the prefix in the raw path: an action, and a query.
        :raises ValueError: as ``perform`` does.
        :raises Refusal: for another method.
        """
        name, _, query = target.partition("?")
        if method == "GET":
            arguments = dict(parse_qsl(query, keep_blank_values=True))
            if name not in _ACTIONS or not _ACTIONS[name].takes_get(arguments):
                raise Refusal(405, METHOD_NOT_ALLOWED, f"{name} takes POST.", {"Allow": "POST"})
            return await self.perform(name, arguments, strict=False)
        # Which no other site's page can send.
        if method != "POST" or content_type != "application/json":
            raise ValueError("POST a JSON object, as application/json")
        try:
            return await self.perform(name, msgspec.json.decode(body or b"{}", type=JsonObject))
        except msgspec.DecodeError as error:
            raise ValueError(str(error)) from None

    def connection_fields(self) -> dict[str, str]:
        """
        Return the fields of a connection as Airflow's form has them, and where hosted files are.
        """
        return {
            **form_fields(self._make_connection()),
            "Hosted files": f"{self._url}{HOSTING_PATH}/",
        }

    def _make_connection(self) -> JsonObject:
        settings = msgspec.to_builtins(self._service.settings)
        return connection_of(settings, self._url, verify=self._ca_file)

    def _check_workspace(self, workspace: str) -> None:
        settings = self._service.settings
        check_workspace(workspace, settings.workspace_id, settings.workspaces)

    # -- what only reads

    @_reads
    def health(self) -> JsonObject:
        """Return at once; by then the emulator serves."""
        return {"status": "ok", "version": __version__, "now": self._service.clock.now()}

    @_reads
    def openapi(self) -> JsonObject:
        """Return the OpenAPI description."""
        return openapi.describe()

    @_reads
    def connection(self) -> dict[str, str]:
        """Return the connection as an environment variable."""
        connection = shlex.quote(json.dumps(self._make_connection()))
        return {"environment": f"AIRFLOW_CONN_WES_DEFAULT={connection}"}

    @_reads
    def settings(self) -> Any:
        """Return the settings."""
        return msgspec.to_builtins(self._service.settings)

    @_reads
    def state(self) -> JsonObject:
        """Return what the page shows."""
        return read_state(self._service)

    @_reads
    def request(self, number: Count) -> JsonObject:
        """Return a request for the page, by its number."""
        return shown(self._service.state.log.numbered(number))

    @_reads
    def requests(self, operation: str | None = None) -> list[JsonObject]:
        """Return the requests so far, or those of one operation."""
        return [
            to_json(request)
            for request in self._service.state.log
            if operation in (None, request.operation)
        ]

    @_reads
    def counts(self) -> dict[str, int]:
        """Return how many requests each operation has had."""
        return dict(self._service.state.log.counts)

    @_reads
    def evidence(self) -> Any:
        """Return what the assertions decide by, beside the requests."""
        return msgspec.to_builtins(gather_evidence(self._service.state))

    @_reads
    async def files(self, list_id: str, workspace: str = "") -> list[JsonObject]:
        """Return the files of a list."""
        self._check_workspace(workspace)
        await self._processor.fetch_due(list_id)
        return self._service.files(list_id, workspace)

    @_reads
    def catalogs(self, workspace: str = "") -> JsonObject:
        """Return the catalogs of a workspace."""
        self._check_workspace(workspace)
        account = self._service.state.world.account_or_empty(workspace)
        return {catalog.id: catalog.fields for catalog in account.catalogs.values()}

    @_reads
    def segments(self, workspace: str = "") -> JsonObject:
        """Return the segments of a workspace."""
        self._check_workspace(workspace)
        account = self._service.state.world.account_or_empty(workspace)
        return {segment.id: segment.fields for segment in account.segments.values()}

    @_reads
    async def stock(self, list_id: str, workspace: str = "") -> dict[str, int]:
        """Return the stock of a list."""
        self._check_workspace(workspace)
        await self._processor.fetch_due(list_id)
        return self._service.state.world.stock(workspace, list_id)

    @_reads
    def callbacks(self) -> list[JsonObject]:
        """Return the callbacks made."""
        return list(self._service.state.callbacks)

    @_reads
    def snapshots(self) -> list[str]:
        """Return the names of the snapshots."""
        return list(self._service.snapshots)

    # -- what reads, or changes what is given

    @_reads_or_changes
    def clock(
        self, advance: Number | None = None, speed: Seconds | None = None
    ) -> dict[str, float]:
        """Move the clock, or give it another speed, and return both."""
        clock = self._service.clock
        if advance is not None:
            clock.advance(advance)
        if speed is not None:
            clock.speed = speed
        if advance is not None or speed is not None:
            self._service.clock_changed()
        return {"now": clock.now(), "speed": clock.speed}

    # -- what changes something

    @_changes
    def configure(self, **changes: Any) -> None:
        """Change settings."""
        self._service.configure(**changes)

    @_changes
    def fail(
        self,
        operation: str,
        fault: JsonObject,
        times: Count | None = 1,
        list_id: str | None = None,
    ) -> None:
        """Queue a fault."""
        self._service.state.faults.add(operation, Fault.from_json(fault), times, list_id)

    @_changes
    def clear_faults(self) -> None:
        """Forget the faults that are still queued."""
        self._service.state.faults.clear()

    @_changes
    def script(self, **given: Any) -> None:
        """Decide how processing goes."""
        self._service.script(**given)

    @_changes
    def host(
        self,
        name: str,
        content: str = "",
        content_base64: bytes | None = None,
        username: str | None = None,
        password: str | None = None,
    ) -> None:
        """Serve a coupon file."""
        if content_base64 is None:
            content_base64 = content.encode()
        self._hosting.add(name, content_base64, username, password)

    @_changes
    async def issue_coupons(
        self,
        list_id: str,
        number: Count,
        workspace: str = "",
    ) -> dict[str, int]:
        """Hand out coupons of a list, and return its stock."""
        self._check_workspace(workspace)
        await self._processor.fetch_due(list_id)
        return self._service.state.world.issue_coupons(workspace, list_id, number)

    @_changes
    def snapshot(self, name: str) -> None:
        """Keep what the workspaces hold."""
        self._service.snapshot(name)

    @_changes
    def restore(self, name: str) -> None:
        """Let the workspaces hold what they held."""
        self._service.restore(name)

    @_changes
    def forget_snapshots(self) -> None:
        """Delete all snapshots."""
        self._service.forget_snapshots()

    @_changes
    def reset(self, seed: JsonObject | None = None) -> None:
        """Return to the start, or to another seed."""
        if seed is not None:
            seed = dict(read_seed(seed))
        # It refuses a seed before anything is changed.
        self._service.reset(seed)
        self._hosting.clear()
