"""
Assertions about what an emulator has seen; if one fails, it shows the nearest requests and how they
differ.
"""

from __future__ import annotations

import base64
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from wes_provider.contract import OPERATIONS, UPLOAD_COUPON_FILE
from wes_provider.emulator.limits import Placing, QuotaKey, full_window, limits_of
from wes_provider.emulator.request_log import LoggedRequest, take_passwords_out
from wes_provider.emulator.settings import check_workspace
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
        self,
        list_id: str,
        *,
        url: str | None = None,
        name: str | None = None,
        workspace: str = "",
    ) -> None:
        """
        Check that the service has accepted one upload of a file to a list, whatever its caller
        learned of it.

        :param list_id: the identifier of the coupon list.
        :param url: the file's, exactly; default: any.
        :param name: the file's, exactly; default: any.
        :param workspace: the identifier of a further workspace; default: the first.
        :raises AssertionError: that shows the nearest uploads and how they differ.
        :raises ValueError: if there is no such workspace.
        """
        settings = self.settings
        check_workspace(workspace, settings["workspace_id"], settings["workspaces"])
        if workspace == settings["workspace_id"]:
            workspace = ""
        wanted = {"list": list_id}
        if url is not None:
            wanted["file_url"] = url
        if name is not None:
            wanted["name"] = name
        uploads = [
            _compare(request, wanted, workspace)
            for request in self.requests
            if request.operation == _UPLOAD
        ]
        matches = [upload for upload in uploads if upload.matches]
        if len(matches) != 1:
            if workspace:
                wanted["workspace"] = workspace
            lines = [
                f"Expected one accepted upload with {_in_words(wanted)}; there were "
                f"{len(matches)}.",
                *_nearest(uploads),
            ]
            raise AssertionError("\n".join(lines))

    def assert_within_limits(self) -> None:
        """
        No request went beyond the limits of its operation; those of the contract, if the emulator
        has none.

        A 429 that a test has queued as a fault does not count.

        :raises AssertionError: that shows the requests beyond, and the window that each was beyond.
        """
        beyond = list(_find_beyond(self.requests, self.settings))
        if not beyond:
            return
        lines = [f"Expected no request beyond the limits; there were {len(beyond)}."]
        lines += beyond[:_SHOWN]
        if len(beyond) > _SHOWN:
            lines.append(f"  ... and {len(beyond) - _SHOWN} more")
        raise AssertionError("\n".join(lines))

    def assert_no_secret_in(self, text: str) -> None:
        """
        Check that a text holds no key, no encoded credentials, and no password or URL query of any
        upload so far.

        :param text: such as a log, an XCom or a rendered field.
        :raises AssertionError: that names what was found, and the line in which it stands; or says
            that a password is not known here.
        """
        secrets = [*_secret_keys(self.settings), *_secrets_of_uploads(self.requests)]
        lines = set()
        for secret in secrets:
            if secret.text in text:
                number = 1 + text.count("\n", 0, text.index(secret.text))
                lines.add(f"  line {number}: {secret.name}")
        if lines:
            message = "Expected no secret in the text; there are:"
            raise AssertionError("\n".join([message, *sorted(lines)]))
        for request in self.requests:
            if request.hides_password:
                raise AssertionError(
                    "A file's password cannot be looked for, since the requests over HTTP have "
                    "none: ask the Emulator of the process that serves it."
                )
            if take_passwords_out(request.body).is_masked:
                raise AssertionError(
                    "A file's password cannot be looked for: the body of "
                    f"{_in_a_line(request)} is no JSON."
                )


# -- uploads --------------------------------------------------------------------------------------


class _Upload(NamedTuple):
    """An upload that the service saw, and how it differs from the one that is wanted."""

    request: LoggedRequest
    differences: list[str]

    @property
    def matches(self) -> bool:
        return self.request.accepted and not self.differences

    def __str__(self) -> str:
        accepted = "accepted"
        if not self.request.accepted:
            accepted = "not accepted"
        differences = "; ".join(self.differences) or "as wanted"
        return f"  {_in_a_line(self.request)}, {accepted}: {differences}"


def _compare(request: LoggedRequest, wanted: Mapping[str, str], workspace: str) -> _Upload:
    fields = _upload_fields(request)
    differences = []
    for name, value in wanted.items():
        given = str(fields.get(name))
        if given == value:
            continue
        difference = f"{name} is {redact(given)!r}"
        if given.partition("?")[0] == value.partition("?")[0]:
            difference += " with another query"
        differences.append(difference)
    if request.workspace != workspace:
        differences.append(f"workspace is {request.workspace or 'the first'!r}")
    return _Upload(request, differences)


def _nearest(uploads: Sequence[_Upload]) -> list[str]:
    """Describe the uploads with the fewest differences, in their order."""
    if not uploads:
        return ["  There were no uploads at all."]
    latest_first = uploads[::-1]
    nearest = sorted(latest_first, key=lambda upload: len(upload.differences))[:_SHOWN]
    return [str(upload) for upload in sorted(nearest, key=lambda upload: upload.request.time)]


def _upload_fields(request: LoggedRequest) -> Mapping[str, Any]:
    """Return the fields of an upload, and its list; nothing if the request is none."""
    if request.operation != _UPLOAD:
        return {}
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        body = {}
    return {**body, "list": _list_of(request)}


def _list_of(request: LoggedRequest) -> str:
    """Return the list in the path of an operation that has one."""
    return unquote(request.raw_path.partition("?")[0].split("/")[3])


# -- limits ---------------------------------------------------------------------------------------


def _find_beyond(
    requests: Sequence[LoggedRequest],
    settings: Mapping[str, Any],
) -> Iterator[str]:
    """Describe the requests beyond the limits: refused by the service, or by our own count."""
    placing = Placing(settings["window_policy"], settings["window_offset"])
    accepted: dict[QuotaKey, list[float]] = {}
    for request in requests:
        if request.status == 429 and not request.fault:
            yield f"  {_in_a_line(request)}: refused by the service"
        if not request.accepted:
            continue
        times = accepted.setdefault(_key_of(request), [])
        limits = limits_of(request.operation, settings["limits"] or {})
        full = full_window(limits, times, request.time, placing)
        if full is not None:
            yield (
                f"  {_in_a_line(request)}: {full.limit.requests} were accepted in its window, "
                f"until {_time(full.reset)}"
            )
        times.append(request.time)


def _key_of(request: LoggedRequest) -> QuotaKey:
    """Return what an accepted request counts as."""
    operation = OPERATIONS[request.operation]
    list_id = ""
    if operation.limited_by_list:
        list_id = _list_of(request)
    return QuotaKey.of(operation, request.workspace, list_id)


# -- secrets --------------------------------------------------------------------------------------


class _Secret(NamedTuple):
    name: str
    text: str


def _secret_keys(settings: Mapping[str, Any]) -> Iterator[_Secret]:
    workspaces = {settings["workspace_id"]: settings, **settings["workspaces"]}
    for login, keys in workspaces.items():
        by_kind = {
            "coupons": keys["api_key"],
            "segments": keys["data_api_key"] or keys["api_key"],
        }
        for kind, key in by_kind.items():
            encoded = base64.b64encode(f"{login}:{key}".encode()).decode()
            yield _Secret(f"a key of {kind}", key)
            yield _Secret(f"credentials of {kind}, encoded", encoded)


def _secrets_of_uploads(requests: Sequence[LoggedRequest]) -> Iterator[_Secret]:
    for request in requests:
        fields = _upload_fields(request)
        if not request.hides_password:
            for password in take_passwords_out(request.body).passwords:
                yield _Secret("the password of a file", password)
        for name in ("file_url", "callback_url"):
            yield from _secrets_of_url(name, str(fields.get(name, "")))


def _secrets_of_url(name: str, url: str) -> Iterator[_Secret]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if parts.query:
        yield _Secret(f"the query of a {name}", parts.query)
    if parts.password:
        yield _Secret(f"the password in a {name}", parts.password)


# -- words ----------------------------------------------------------------------------------------


def _in_words(wanted: Mapping[str, str]) -> str:
    return ", ".join(f"{field} {redact(value)!r}" for field, value in wanted.items())


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%H:%M:%S")


def _in_a_line(request: LoggedRequest) -> str:
    words = f"{_time(request.time)} {request.operation}"
    fields = _upload_fields(request)
    if fields:
        name = fields.get("name") or redact(str(fields.get("file_url", "")))
        if name:
            words += f" of {name!r}"
        words += f" to {fields['list']!r}"
    if request.workspace:
        words += f" of workspace {request.workspace!r}"
    if request.status is None:
        words += ": response lost"
    else:
        words += f": {request.status}"
    if request.fault:
        words += f" ({request.fault})"
    return words
