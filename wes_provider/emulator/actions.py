"""The controls of an emulator: named actions, with arguments and results that are JSON."""

from __future__ import annotations

import base64
import inspect
import json
import logging
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

from wes_provider import __version__, contract
from wes_provider.emulator.addresses import HOSTING_PATH, connection_of, form_fields
from wes_provider.emulator.arguments import checked
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.live import request_details, state
from wes_provider.emulator.openapi import description
from wes_provider.emulator.page import PAGE_FILES, page_file
from wes_provider.emulator.processing import Script
from wes_provider.emulator.processor import Processor
from wes_provider.emulator.replies import METHOD_NOT_ALLOWED, Refusal, Reply, refuse
from wes_provider.emulator.request_log import LoggedRequest
from wes_provider.emulator.seeds import read_seed
from wes_provider.emulator.service import Service
from wes_provider.emulator.settings import Settings

__all__ = ["DEFECT", "Actions"]

_log = logging.getLogger(__name__)

DEFECT: Final = Reply.json(
    500, {"error": {"code": contract.UNEXPECTED_ERROR, "message": "The emulator has a defect; its log shows it."}}
)
_READING: Final = frozenset(
    {
        *("requests", "counts", "files", "catalogs", "segments", "callbacks", "clock", "settings", "openapi"),
        *("stock", "snapshots", "state", "request", "connection", "health"),
    }
)
_REDACTED: Final = "[redacted]"
_PASSWORD_FIELD: Final = "file_url_auth_password"  # noqa: S105 - a field's name


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
        self._ca_file = ca_file
        self._url = url
        self._hosting = hosting
        self._processor = processor
        self._by_name: dict[str, Callable[..., Any]] = {
            "requests": self._requests,
            "counts": lambda: dict(service.counts),
            "files": self._files,
            "catalogs": self._catalogs,
            "segments": self._segments,
            "callbacks": lambda: list(service.callbacks),
            "fail": self._fail,
            "clear_faults": service.clear_faults,
            "script": self._script,
            "clock": self._clock,
            "settings": lambda: asdict(service.settings),
            "openapi": lambda: description(service.settings),
            "configure": service.configure,
            "host": self._host,
            "host_folder": self._host_folder,
            "reset": self._reset,
            "seed_files": self._seed_files,
            "forge_callback": self._forge_callback,
            "stock": service.stock,
            "issue_coupons": self._issue_coupons,
            "snapshot": service.snapshot,
            "restore": service.restore,
            "snapshots": lambda: list(service.snapshots),
            "forget_snapshots": service.forget_snapshots,
            "state": lambda: state(service),
            "request": self._request,
            "connection": self._connection,
            "health": lambda: {"status": "ok", "version": __version__, "now": service.clock.now()},
        }

    async def perform(self, action: str, arguments: Mapping[str, Any]) -> Any:
        """
        Do it.

        :raises ValueError: no such action, or arguments that it does not take.
        """
        method = self._by_name.get(action)
        if method is None:
            raise ValueError(f"there is no action {action!r}; there are {', '.join(sorted(self._by_name))}")
        result = method(**checked(action, method, arguments))
        return await result if inspect.isawaitable(result) else result

    async def reply(self, method: str, target: str, content_type: str, body: bytes) -> Reply:
        """
        Over HTTP: ``GET`` for what only reads, with arguments in the query; ``POST`` for all, with a JSON object.

        :param target: what follows the prefix in the raw path: an action, and a query.
        """
        action, _, query = target.partition("?")
        if method == "GET" and action in PAGE_FILES:
            return page_file(action)
        try:
            if method == "GET":
                if action not in _READING:
                    refuse(405, METHOD_NOT_ALLOWED, f"{action} takes POST.", {"Allow": "POST"})
                arguments = dict(parse_qsl(query, keep_blank_values=True))
            elif method == "POST" and content_type == "application/json":  # which no other site's page can send
                arguments = json.loads(body or b"{}")
                if not isinstance(arguments, dict):
                    raise ValueError("the arguments must be a JSON object")
            else:
                raise ValueError("POST a JSON object, as application/json")
            return Reply.json(200, await self.perform(action, arguments))
        except (ValueError, RecursionError) as error:
            return Reply.json(400, {"error": {"code": contract.INVALID_REQUEST, "message": str(error)}})
        except Refusal as refusal:
            return refusal.reply(Settings())
        except Exception:
            _log.exception("The emulator has a defect: %s", action)
            return DEFECT

    def _requests(self, operation: str | None = None) -> list[dict[str, Any]]:
        log = self._service.log
        return [_shown(request) for request in log if operation is None or request.operation == operation]

    async def _files(self, list_id: str, workspace: str = "") -> list[dict[str, Any]]:
        await self._processor.fetch_due(list_id)
        return self._service.files(list_id, workspace)

    def _catalogs(self, workspace: str = "") -> dict[str, dict[str, Any]]:
        return self._service.account(workspace).catalogs

    def _segments(self, workspace: str = "") -> dict[str, dict[str, Any]]:
        return self._service.account(workspace).segments

    def _request(self, number: int | str) -> dict[str, Any]:
        if not str(number).isdecimal():
            raise ValueError(f"the number of a request must be a whole number, not {number!r}")
        return request_details(self._service, int(number))

    def _fail(
        self, operation: str, fault: Mapping[str, Any], times: int | None = 1, list_id: str | None = None
    ) -> None:
        self._service.fail(operation, Fault.from_json(fault), times, list_id)

    def _script(
        self,
        list_id: str | None = None,
        name: str | None = None,
        url: str | None = None,
        processing_time: float | None = None,
        outcome: str = "success",
        statuses: Iterable[Any] | None = None,
        error: str | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        script = Script.of(
            list_id=list_id,
            name=name,
            url=url,
            processing_time=processing_time,
            outcome=outcome,
            statuses=statuses,
            error=error,
            fields=fields,
        )
        self._service.script(script)

    def _clock(self, advance: float | None = None, speed: float | None = None) -> dict[str, float]:
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
        content_base64: str | None = None,
        username: str | None = None,
        password: str | None = None,
    ) -> None:
        data = content.encode() if content_base64 is None else base64.b64decode(content_base64, validate=True)
        self._hosting.add(name, data, username, password)

    def _host_folder(self, path: str) -> None:
        self._hosting.add_folder(Path(path))

    def _seed_files(
        self,
        list_id: str,
        count: int,
        name: str = "seeded-{:06d}.csv",
        file_url: str = "https://files.example.com/{}",
        workspace: str = "",
    ) -> None:
        self._service.coupons.seed(workspace, list_id, count, name, file_url)

    def _issue_coupons(
        self, list_id: str, number: int = 0, rate: float | None = None, workspace: str = ""
    ) -> dict[str, int]:
        return self._service.coupons.issue(workspace, list_id, number, rate)

    def _forge_callback(self, coupon_file_id: str, fields: Mapping[str, Any]) -> None:
        file = self._service.coupons.find(coupon_file_id)
        if file is None or not file.callback_url:
            raise ValueError(f"there is no coupon file {coupon_file_id!r} that has a callback_url")
        self._processor.call_back(file, {**self._service.coupons.record(file), **fields}, forged=True)

    def _connection(self) -> dict[str, str]:
        connection = connection_of(self._service.settings, self._url, verify=self._ca_file)
        return {"environment": f"AIRFLOW_CONN_WES_DEFAULT={shlex.quote(json.dumps(connection))}"}

    def connection_fields(self) -> dict[str, str]:
        """The fields of a connection as Airflow's form has them, without the keys, and where hosted files are."""
        fields = form_fields(connection_of(self._service.settings, self._url, verify=self._ca_file))
        secret = {name: "wes-emulator serve prints it" for name in fields if name.endswith("API key")}
        return {**fields, **secret, "Hosted files": f"{self._url}{HOSTING_PATH}/"}

    def _reset(self, seed: Mapping[str, Any] | None = None) -> None:
        self._hosting.clear()
        self._service.reset(None if seed is None else read_seed(seed))


def _shown(request: LoggedRequest) -> dict[str, Any]:
    headers = [
        [name, _REDACTED if name.lower() == "authorization" else value] for name, value in request.headers.items()
    ]
    return {
        "operation": request.operation,
        "method": request.method,
        "raw_path": request.raw_path,
        "headers": headers,
        "body_base64": base64.b64encode(_without_password(request.body)).decode(),
        "status": request.status,
        "time": request.time,
        "accepted": request.accepted,
        "fault": request.fault,
    }


def _without_password(body: bytes) -> bytes:
    """The very bytes, unless there is a password among them."""
    if _PASSWORD_FIELD.encode() not in body:
        return body
    try:
        data = json.loads(body)
        return json.dumps({**data, _PASSWORD_FIELD: _REDACTED}).encode()
    except (ValueError, TypeError, RecursionError):
        return _REDACTED.encode()
