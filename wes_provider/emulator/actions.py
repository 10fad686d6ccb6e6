"""The controls of an emulator: named actions, with arguments and results that are JSON."""

from __future__ import annotations

import base64
import inspect
import json
import re
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec

from wes_provider import __version__
from wes_provider.emulator.addresses import HOSTING_PATH, connection_of, form_fields
from wes_provider.emulator.checking import Count, Number, Seconds, arguments_of, checked
from wes_provider.emulator.coupons import issue, stock
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.live import request_details, state
from wes_provider.emulator.masking import MASK
from wes_provider.emulator.openapi import description
from wes_provider.emulator.processor import Processor
from wes_provider.emulator.replies import METHOD_NOT_ALLOWED, Refusal
from wes_provider.emulator.request_log import LoggedRequest
from wes_provider.emulator.seeds import read_seed
from wes_provider.emulator.service import Service

__all__ = ["Actions"]

_READING: Final = frozenset(
    {
        *("requests", "counts", "files", "catalogs", "segments", "callbacks", "clock", "settings", "openapi"),
        *("stock", "snapshots", "state", "request", "connection", "health"),
    }
)
_PASSWORD_FIELD: Final = "file_url_auth_password"  # noqa: S105 - a field's name
_NUMBER: Final = re.compile(r"\{(?::(\d*d?))?\}")  # {} or {:06d}


class Actions:
    """
    What can be done with an emulator.

    :param processor: fetches files and makes callbacks.
    :param url: address of the service.
    :param ca_file: what its callers have to trust, if it speaks TLS.
    """

    def __init__(self, service: Service, hosting: Hosting, processor: Processor, url: str, ca_file: str | None) -> None:
        self._service, self._hosting, self._processor = service, hosting, processor
        self._url, self._ca_file = url, ca_file
        self._by_name: dict[str, Callable[..., Any]] = {
            "callbacks": lambda: list(service.callbacks),
            "clear_faults": lambda: service.faults.clear(),  # another queue after a reset
            "configure": service.configure,
            "counts": lambda: dict(service.log.counts),
            "forget_snapshots": service.forget_snapshots,
            "health": lambda: {"status": "ok", "version": __version__, "now": service.clock.now()},
            "openapi": lambda: description(service.settings),
            "request": self.request,
            "restore": service.restore,
            "script": service.script,
            "settings": self.settings,
            "snapshot": service.snapshot,
            "snapshots": lambda: list(service.snapshots),
            "state": lambda: state(service),
            **{name.removeprefix("_do_"): getattr(self, name) for name in dir(self) if name.startswith("_do_")},
        }

    async def perform(self, action: str, arguments: Mapping[str, Any], *, strict: bool = True) -> Any:
        """
        Do it.

        :param arguments: parsed JSON.
        :param strict: false if numbers may come as texts, as in a query.
        :raises ValueError: no such action, or arguments that it does not take.
        """
        method = self._by_name.get(action)
        if method is None:
            raise ValueError(f"there is no action {action!r}; there are {', '.join(sorted(self._by_name))}")
        given = checked(dict(arguments), arguments_of(method), action, strict=strict)
        result = method(**(given if isinstance(given, dict) else msgspec.structs.asdict(given)))
        return await result if inspect.isawaitable(result) else result

    async def requested(self, method: str, target: str, content_type: str, body: bytes) -> Any:
        """
        Over HTTP: ``GET`` for what only reads, with arguments in the query; ``POST`` for all, with a JSON object.

        :param target: what follows the prefix in the raw path: an action, and a query.
        :raises ValueError: as ``perform`` does.
        :raises Refusal: for another method.
        """
        action, _, query = target.partition("?")
        if method == "GET":
            if action not in _READING:
                raise Refusal(405, METHOD_NOT_ALLOWED, f"{action} takes POST.", {"Allow": "POST"})
            return await self.perform(action, dict(parse_qsl(query, keep_blank_values=True)), strict=False)
        if method != "POST" or content_type != "application/json":  # which no other site's page can send
            raise ValueError("POST a JSON object, as application/json")
        try:
            arguments = msgspec.json.decode(body or b"{}", type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise ValueError(str(error)) from None
        return await self.perform(action, arguments)

    def settings(self) -> dict[str, Any]:
        """The settings as they are now, as JSON."""
        return dict(msgspec.to_builtins(self._service.settings))

    def request(self, number: Count) -> dict[str, Any]:
        """One request, by its number."""
        return request_details(self._service, number)

    def connection_fields(self) -> dict[str, str]:
        """The fields of a connection as Airflow's form has them, and where hosted files are."""
        fields = form_fields(connection_of(self.settings(), self._url, verify=self._ca_file))
        return {**fields, "Hosted files": f"{self._url}{HOSTING_PATH}/"}

    def _do_connection(self) -> dict[str, str]:
        connection = connection_of(self.settings(), self._url, verify=self._ca_file)
        return {"environment": f"AIRFLOW_CONN_WES_DEFAULT={shlex.quote(json.dumps(connection))}"}

    def _do_requests(self, operation: str | None = None) -> list[dict[str, Any]]:
        return [_shown(request) for request in self._service.log if operation in (None, request.operation)]

    async def _do_files(self, list_id: str, workspace: str = "") -> list[dict[str, Any]]:
        await self._processor.fetch_due(list_id)
        return self._service.files(list_id, workspace)

    def _do_catalogs(self, workspace: str = "") -> dict[str, dict[str, Any]]:
        return {name: one.fields for name, one in self._service.account(workspace).catalogs.items()}

    def _do_segments(self, workspace: str = "") -> dict[str, dict[str, Any]]:
        return {name: one.fields for name, one in self._service.account(workspace).segments.items()}

    def _do_stock(self, list_id: str, workspace: str = "") -> dict[str, int]:
        return stock(self._service.world, self._service.account(workspace).lists.get(list_id))

    def _do_fail(
        self, operation: str, fault: dict[str, Any], times: Count | None = 1, list_id: str | None = None
    ) -> None:
        self._service.faults.add(operation, Fault.from_json(fault), times, list_id)

    def _do_clock(self, advance: Number | None = None, speed: Seconds | None = None) -> dict[str, float]:
        clock = self._service.clock
        if advance is not None:
            clock.advance(advance)
        if speed is not None:
            clock.speed = speed
        if advance is not None or speed is not None:
            self._service.clock_changed()
        return {"now": clock.now(), "speed": clock.speed}

    def _do_host(
        self,
        name: str,
        content: str = "",
        content_base64: bytes | None = None,
        username: str | None = None,
        password: str | None = None,
    ) -> None:
        self._hosting.add(name, content.encode() if content_base64 is None else content_base64, username, password)

    def _do_host_folder(self, path: str) -> None:
        self._hosting.add_folder(Path(path))

    def _do_seed_files(
        self,
        list_id: str,
        count: Count,
        name: str = "seeded-{:06d}.csv",
        file_url: str = "https://files.example.com/{}",
        workspace: str = "",
    ) -> None:
        names = (_NUMBER.sub(lambda match, n=n: format(n, match[1] or ""), name) for n in range(1, count + 1))  # type: ignore[misc]
        files = [{"name": one, "file_url": file_url.replace("{}", one)} for one in names]
        self._service.coupons.seed(workspace, list_id, files)

    def _do_issue_coupons(
        self, list_id: str, number: Count = 0, rate: Seconds | None = None, workspace: str = ""
    ) -> dict[str, int]:
        return issue(self._service.world, workspace, list_id, number, rate)

    def _do_forge_callback(self, coupon_file_id: str, fields: dict[str, Any]) -> None:
        file = self._service.coupons.find(coupon_file_id)
        if file is None or not file.callback_url:
            raise ValueError(f"there is no coupon file {coupon_file_id!r} that has a callback_url")
        self._processor.call_back(file, {**self._service.coupons.record(file), **fields}, forged=True)

    def _do_reset(self, seed: dict[str, Any] | None = None) -> None:
        planted = None if seed is None else read_seed(seed)
        self._hosting.clear()
        self._service.reset(planted)


def _shown(request: LoggedRequest) -> dict[str, Any]:
    """A request without its credentials."""
    headers = [(name, MASK if name.lower() == "authorization" else value) for name, value in request.headers.items()]
    kept = ("operation", "method", "raw_path", "status", "time", "accepted", "fault")
    body = request.body  # the very bytes, unless there is a password among them
    if _PASSWORD_FIELD.encode() in body:
        try:
            body = json.dumps({**json.loads(body), _PASSWORD_FIELD: MASK}).encode()
        except (ValueError, TypeError, RecursionError):
            body = MASK.encode()
    encoded = base64.b64encode(body).decode()
    return {**{name: getattr(request, name) for name in kept}, "headers": headers, "body_base64": encoded}
