"""
Assertions about what an emulator has seen; if one fails, it shows the nearest requests and how they
differ.
"""

from __future__ import annotations

import base64
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from wes_provider.contract import OPERATIONS, UPLOAD_COUPON_FILE, Limit
from wes_provider.emulator.limits import DEFAULT_LIMITS, refusing
from wes_provider.emulator.request_log import MASK, LoggedRequest
from wes_provider.texts import redact

__all__ = ["Assertions"]

_SHOWN: Final = 5  # requests in a message
_UPLOAD: Final = UPLOAD_COUPON_FILE.name


class Assertions(ABC):
    """What tests assert of an emulator; its log is bounded by the setting ``request_log``."""

    @property
    @abstractmethod
    def requests(self) -> list[LoggedRequest]:
        """The requests so far, oldest first."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """The settings as they are now."""

    def assert_uploaded_once(
        self, list_id: str, *, url: str | None = None, name: str | None = None
    ) -> None:
        """
        The service has accepted one upload of a file to a list, whatever its caller learned of it.

        :param list_id: the identifier of the coupon list.
        :param url: the file's, exactly; default: any.
        :param name: the file's, exactly; default: any.
        :raises AssertionError: that shows the nearest uploads and how they differ.
        """
        given = {"list": list_id, "file_url": url, "name": name}
        wanted = {field: value for field, value in given.items() if value is not None}
        uploads = [
            (request, _upload(request)) for request in self.requests if request.operation == _UPLOAD
        ]
        found = [
            request
            for request, fields in uploads
            if request.accepted and not _differences(wanted, fields)
        ]
        if len(found) == 1:
            return
        described = ", ".join(f"{field} {redact(str(value))!r}" for field, value in wanted.items())
        lines = [f"Expected one accepted upload with {described}; there were {len(found)}."]
        nearest = sorted(
            uploads, key=lambda pair: (len(_differences(wanted, pair[1])), -pair[0].time)
        )[:_SHOWN]
        for request, fields in sorted(nearest, key=lambda pair: pair[0].time):
            differences = "; ".join(_differences(wanted, fields)) or "as wanted"
            lines.append(
                f"  {_line(request)}, {'' if request.accepted else 'not '}accepted: {differences}"
            )
        raise AssertionError(
            "\n".join(lines if uploads else [*lines, "  There were no uploads at all."])
        )

    def assert_within_limits(self) -> None:
        """
        No request went beyond the limits of its operation; those of the contract, if the emulator
        has none.

        A 429 that a test has queued as a fault does not count.

        :raises AssertionError: that shows the requests beyond, and the window that each was beyond.
        """
        settings = self.settings
        given = {
            name: [Limit(*pair) for pair in pairs]
            for name, pairs in (settings["limits"] or {}).items()
        }
        windows: Mapping[str, Any] = {**DEFAULT_LIMITS, **given}
        policy, offset = settings["window_policy"], settings["window_offset"]
        accepted: dict[tuple[str, str], list[float]] = {}
        beyond = []
        for request in self.requests:
            times = accepted.setdefault(_counted_together(request), [])
            full = refusing(windows.get(request.operation, ()), times, request.time, policy, offset)
            if request.status == 429 and not request.fault:
                beyond.append(f"  {_line(request)}: refused by the service")
            elif request.accepted and full is not None:
                until = f"{full.limit} were accepted in its window, until {_time(full.reset)}"
                beyond.append(f"  {_line(request)}: {until}")
            if request.accepted:
                times.append(request.time)
        if beyond:
            more = [f"  ... and {len(beyond) - _SHOWN} more"] if len(beyond) > _SHOWN else []
            first = f"Expected no request beyond the limits; there were {len(beyond)}."
            raise AssertionError("\n".join([first, *beyond[:_SHOWN], *more]))

    def assert_no_secret_in(self, text: str) -> None:
        """
        A text holds no key, no encoded credentials, and no password or URL query of any upload so
        far.

        :param text: such as a log, an XCom or a rendered field.
        :raises AssertionError: that names what was found, and the line in which it stands.
        """
        found = [
            (what, text.index(secret))
            for what, secret in _secrets(self.settings, self.requests)
            if secret in text
        ]
        if found:
            lines = {f"  line {text.count(chr(10), 0, at) + 1}: {what}" for what, at in found}
            raise AssertionError(
                "\n".join(["Expected no secret in the text; there are:", *sorted(lines)])
            )


def _secrets(
    settings: Mapping[str, Any], requests: list[LoggedRequest]
) -> Iterator[tuple[str, str]]:
    for login, keys in {settings["workspace_id"]: settings, **settings["workspaces"]}.items():
        for kind, key in (
            ("coupons", keys["api_key"]),
            ("segments", keys["data_api_key"] or keys["api_key"]),
        ):
            yield f"a key of {kind}", key
            yield (
                f"credentials of {kind}, encoded",
                base64.b64encode(f"{login}:{key}".encode()).decode(),
            )
    for request in requests:
        fields = _upload(request)
        if fields.get("file_url_auth_password") not in (None, "", MASK):
            yield "the password of a file", str(fields["file_url_auth_password"])
        for name in ("file_url", "callback_url"):
            try:
                parts = urlsplit(str(fields.get(name, "")))
            except ValueError:
                continue
            if parts.query:
                yield f"the query of a {name}", parts.query
            if parts.password:
                yield f"the password in a {name}", parts.password


def _counted_together(request: LoggedRequest) -> tuple[str, str]:
    """The operation of a request and, if each list has limits of its own, the list."""
    operation = OPERATIONS.get(request.operation)
    if operation is not None and operation.limited_by_list:
        return request.operation, _list_of(request)
    return request.operation, ""


def _list_of(request: LoggedRequest) -> str:
    return unquote(request.raw_path.partition("?")[0].split("/")[3])


def _upload(request: LoggedRequest) -> Mapping[str, Any]:
    """The fields of an upload, with its list; empty if it is none."""
    if request.operation != _UPLOAD:
        return {}
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        body = {}
    return {**(body if isinstance(body, dict) else {}), "list": _list_of(request)}


def _differences(wanted: Mapping[str, Any], fields: Mapping[str, Any]) -> list[str]:
    found = []
    for name, value in wanted.items():
        given = str(fields.get(name))
        if given != value:
            alike = given.partition("?")[0] == value.partition("?")[0]
            found.append(f"{name} is {redact(given)!r}{' with another query' if alike else ''}")
    return found


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%H:%M:%S")


def _line(request: LoggedRequest) -> str:
    status = "response lost" if request.status is None else str(request.status)
    fields = _upload(request)
    name = fields.get("name") or redact(str(fields.get("file_url")))
    about = f" of {name!r} to {fields['list']!r}" if fields else ""
    fault = f" ({request.fault})" if request.fault else ""
    return f"{_time(request.time)} {request.operation}{about}: {status}{fault}"
