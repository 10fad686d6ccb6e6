"""The controls of an emulator: named actions, with arguments and results that are JSON."""

from __future__ import annotations

import inspect
import json
import shlex
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints
from urllib.parse import parse_qsl

import msgspec

from wes_provider import __version__
from wes_provider.emulator.checks import METHOD_NOT_ALLOWED, Refusal
from wes_provider.emulator.coupons import issue, stock
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.page import OPENAPI, state
from wes_provider.emulator.processor import Processor
from wes_provider.emulator.request_log import shown, to_json
from wes_provider.emulator.seeds import read_seed
from wes_provider.emulator.service import Service
from wes_provider.emulator.settings import (
    HOSTING_PATH,
    Count,
    Number,
    Seconds,
    checked,
    connection_of,
    form_fields,
)

__all__ = ["Actions"]


class Actions:
    """
    What can be done with an emulator.

    :param processor: fetches files and makes callbacks.
    :param url: address of the service.
    :param ca_file: what its callers have to trust, if it speaks TLS.
    :ivar known: by name.
    """

    def __init__(
        self,
        service: Service,
        hosting: Hosting,
        processor: Processor,
        url: str,
        ca_file: str | None,
    ) -> None:
        self._service, self._hosting, self._processor = service, hosting, processor
        self._url, self._ca_file = url, ca_file
        self._reading: dict[str, Callable[..., Any]] = {
            "callbacks": lambda: list(service.callbacks),
            "catalogs": self._catalogs,
            "clock": self._clock,
            "connection": self._connection,
            "counts": lambda: dict(service.log.counts),
            "files": self._files,
            "health": lambda: {"status": "ok", "version": __version__, "now": service.clock.now()},
            "openapi": lambda: json.loads(OPENAPI.read_bytes()),
            "request": self._request,
            "requests": self._requests,
            "segments": self._segments,
            "settings": lambda: msgspec.to_builtins(service.settings),
            "snapshots": lambda: list(service.snapshots),
            "state": lambda: state(service),
            "stock": self._stock,
        }
        self.known: dict[str, Callable[..., Any]] = {
            **self._reading,
            "clear_faults": lambda: service.faults.clear(),  # another queue after a reset
            "configure": service.configure,
            "fail": self._fail,
            "forget_snapshots": service.forget_snapshots,
            "host": self._host,
            "issue_coupons": self._issue_coupons,
            "reset": self._reset,
            "restore": service.restore,
            "script": service.script,
            "snapshot": service.snapshot,
        }

    async def perform(
        self, action: str, arguments: Mapping[str, Any], *, strict: bool = True
    ) -> Any:
        """
        Do it.

        :param arguments: parsed JSON.
        :param strict: false if numbers may come as texts, as in a query.
        :raises ValueError: no such action, or arguments that it does not take.
        """
        if action not in self.known:
            raise ValueError(
                f"there is no action {action!r}; there are {', '.join(sorted(self.known))}"
            )
        given = checked(dict(arguments), _arguments_of(self.known[action]), action, strict=strict)
        result = self.known[action](
            **(given if isinstance(given, dict) else msgspec.structs.asdict(given))
        )
        return await result if inspect.isawaitable(result) else result

    async def requested(self, method: str, target: str, content_type: str, body: bytes) -> Any:
        """
        Over HTTP: ``GET`` for what only reads, with arguments in the query; ``POST`` for all, with
        a JSON object.

        :param target: what follows the prefix in the raw path: an action, and a query.
        :raises ValueError: as ``perform`` does.
        :raises Refusal: for another method.
        """
        action, _, query = target.partition("?")
        if method == "GET":
            if action not in self._reading:
                raise Refusal(405, METHOD_NOT_ALLOWED, f"{action} takes POST.", {"Allow": "POST"})
            return await self.perform(
                action, dict(parse_qsl(query, keep_blank_values=True)), strict=False
            )
        # Which no other site's page can send.
        if method != "POST" or content_type != "application/json":
            raise ValueError("POST a JSON object, as application/json")
        try:
            arguments = msgspec.json.decode(body or b"{}", type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise ValueError(str(error)) from None
        return await self.perform(action, arguments)

    def connection_fields(self) -> dict[str, str]:
        """The fields of a connection as Airflow's form has them, and where hosted files are."""
        return {
            **form_fields(self._made_connection()),
            "Hosted files": f"{self._url}{HOSTING_PATH}/",
        }

    def _made_connection(self) -> dict[str, Any]:
        return connection_of(
            msgspec.to_builtins(self._service.settings), self._url, verify=self._ca_file
        )

    def _connection(self) -> dict[str, str]:
        connection = shlex.quote(json.dumps(self._made_connection()))
        return {"environment": f"AIRFLOW_CONN_WES_DEFAULT={connection}"}

    def _request(self, number: Count) -> dict[str, Any]:
        return shown(self._service.log.numbered(number))

    def _requests(self, operation: str | None = None) -> list[dict[str, Any]]:
        return [
            to_json(request)
            for request in self._service.log
            if operation in (None, request.operation)
        ]

    async def _files(self, list_id: str, workspace: str = "") -> list[dict[str, Any]]:
        await self._processor.fetch_due(list_id)
        return self._service.files(list_id, workspace)

    def _catalogs(self, workspace: str = "") -> dict[str, Any]:
        return {one.id: one.fields for one in self._service.account(workspace).catalogs.values()}

    def _segments(self, workspace: str = "") -> dict[str, Any]:
        return {one.id: one.fields for one in self._service.account(workspace).segments.values()}

    def _stock(self, list_id: str, workspace: str = "") -> dict[str, int]:
        return stock(self._service.world, self._service.account(workspace).lists.get(list_id))

    def _fail(
        self,
        operation: str,
        fault: dict[str, Any],
        times: Count | None = 1,
        list_id: str | None = None,
    ) -> None:
        self._service.faults.add(operation, Fault.from_json(fault), times, list_id)

    def _clock(
        self, advance: Number | None = None, speed: Seconds | None = None
    ) -> dict[str, float]:
        clock = self._service.clock
        if advance is not None:
            clock.advance(advance)
        if speed is not None:
            clock.speed = speed
        if advance is not None or speed is not None:
            self._service.clock_changed()
        return {"now": clock.now(), "speed": clock.speed}

    def _host(
        self,
        name: str,
        content: str = "",
        content_base64: bytes | None = None,
        username: str | None = None,
        password: str | None = None,
    ) -> None:
        self._hosting.add(
            name, content.encode() if content_base64 is None else content_base64, username, password
        )

    def _issue_coupons(self, list_id: str, number: Count, workspace: str = "") -> dict[str, int]:
        return issue(self._service.world, workspace, list_id, number)

    def _reset(self, seed: dict[str, Any] | None = None) -> None:
        planted = None if seed is None else read_seed(seed)
        self._hosting.clear()
        self._service.reset(planted)


def _arguments_of(method: Callable[..., Any]) -> type[Any]:
    """
    The arguments of a method as a type: those with a default are optional, others are unknown.
    """
    hints = get_type_hints(method, include_extras=True)
    parameters = inspect.signature(method).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return dict[str, Any]
    fields: list[Any] = [
        (one.name, hints.get(one.name, Any), *([] if one.default is one.empty else [one.default]))
        for one in parameters
    ]
    fields.sort(key=len)
    return msgspec.defstruct("Arguments", fields, forbid_unknown_fields=True)
