"""
Assertions about what an emulator has seen; if one fails, it shows the nearest requests and how they
differ.

None vouches for what it cannot see. Uploads and limits are decided by facts that no setting bounds;
secrets are looked for only if the log still has all of them.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

import msgspec

from wes_provider.contract import UPLOAD_COUPON_FILE
from wes_provider.emulator.evidence import Evidence
from wes_provider.emulator.known_secrets import (
    Secret,
    secrets_of_key,
    secrets_of_request,
    secrets_of_url,
)
from wes_provider.emulator.processing import default_name
from wes_provider.emulator.request_log import (
    LOGGED_BYTES,
    LoggedRequest,
    UsedUpLimit,
    take_passwords_out,
)
from wes_provider.emulator.settings import check_workspace
from wes_provider.emulator.world import UploadedFile
from wes_provider.hiding import find_secret
from wes_provider.texts import counted, redact

__all__ = ["Assertions"]

_SHOWN: Final = 5  # requests in a message
_UPLOAD: Final = UPLOAD_COUPON_FILE.name


class Assertions(ABC):
    """
    What tests assert of an emulator: of all that happened since its start or its last ``reset``.
    What happened before a ``restore`` counts, too.
    """

    @property
    @abstractmethod
    def requests(self) -> list[LoggedRequest]:
        """The requests so far, oldest first."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """The settings as they are now."""

    @abstractmethod
    def _control(self, action: str, **arguments: Any) -> Any:
        """Perform an action; raises ``ValueError`` if it refuses the arguments."""

    @property
    def _evidence(self) -> Evidence:
        return msgspec.convert(self._control("evidence"), Evidence)

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
        learned of it, and however many requests have left the log.

        Files of a seed do not count. Files that a state file has kept count, and so do those that a
        restored snapshot has taken away.

        :param list_id: the identifier of the coupon list.
        :param url: the file's, exactly; default: any.
        :param name: the file's, exactly, as the service names it; default: any.
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
        accepted = [file for file in self._evidence.uploads if _is_wanted(file, wanted, workspace)]
        if len(accepted) == 1:
            return
        uploads = [
            _compare(request, wanted, workspace)
            for request in self.requests
            if request.operation == _UPLOAD
        ]
        if workspace:
            wanted["workspace"] = workspace
        lines = [
            f"Expected one accepted upload with {_in_words(wanted)}; there were {len(accepted)}.",
            *_nearest(uploads),
        ]
        logged = sum(upload.matches for upload in uploads)
        if logged != len(accepted):
            lines.append(
                f"  The log has {logged} of the {len(accepted)}: requests of an earlier process "
                "are not in it, and it keeps as many as the setting request_log says."
            )
        raise AssertionError("\n".join(lines))

    def assert_within_limits(self) -> None:
        """
        Check that no request went beyond the limits of its operation, as they were when it came:
        the service has refused none with its own 429, whatever a fault has made of that response.
        If the emulator has no limits (``limits=None``), it has also accepted none beyond those of
        the contract.

        A 429 that a test has queued as a fault does not count, nor does any other request that a
        fault kept from the service. Windows are the service's: ``restore`` and ``reset`` change
        both alike.

        :raises AssertionError: that shows the requests beyond, and the window that each was beyond.
        """
        number = self._evidence.beyond
        if not number:
            return
        beyond = [
            f"  {_in_a_line(request)}: {_why_beyond(request, request.beyond)}"
            for request in self.requests
            if request.beyond is not None
        ]
        lines = [f"Expected no request beyond the limits; there were {number}."]
        lines += beyond[:_SHOWN]
        left = max(0, number - len(beyond))
        more = len(beyond) - _SHOWN
        if more > 0:
            lines.append(f"  ... and {more} more")
        if left:
            lines.append(f"  ... and {left} that left the log (see the setting request_log)")
        raise AssertionError("\n".join(lines))

    def assert_no_secret_in(self, text: str) -> None:
        """
        Check that a text has no secret of the requests so far, in any form: as it is, or escaped as
        JSON, URLs, HTML or Python's ``repr`` do.

        Secrets are:

        - the keys of all workspaces, also those from before ``configure``, and the passwords of
          files, however short they are;
        - keys and passwords with their users, encoded as HTTP basic authentication does;
        - the password in a ``file_url`` or a ``callback_url``;
        - such a URL with its query, whatever that has;
        - its query alone, from 8 characters, unless it has only words, numbers and times, such as
          ``expires=3600&debug=true``;
        - of its query, each parameter whose name ends with ``sig``, ``signature``, ``token``,
          ``secret``, ``password``, ``passwd``, ``pwd``, ``credential``, ``credentials``, ``hmac``,
          ``jwt`` or ``api_key``: with its name, and its value alone, both from 8 characters;
        - of its query, each other value that has 12 letters and digits in a row, or 20 that are
          only letters or only digits. A time such as ``20261128T081708Z`` does not count.

        :param text: such as a log, an XCom or a rendered field.
        :raises AssertionError: that names what was found, and the line in which it stands; or says
            that a password is not known here, or that the log has lost requests.
        """
        requests = self.requests
        # Read later, so that it counts what has left the log by then.
        evidence = self._evidence
        lines = set()
        for secret in dict.fromkeys(_all_secrets(evidence, requests)):
            position = find_secret(text, secret.text)
            if position is not None:
                number = 1 + text.count("\n", 0, position)
                lines.add(f"  line {number}: {secret.name}")
        if lines:
            message = "Expected no secret in the text; there are:"
            raise AssertionError("\n".join([message, *sorted(lines)]))
        for request in requests:
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
        if evidence.lost_bodies:
            raise AssertionError(
                f"Secrets cannot be looked for: {counted(evidence.lost_bodies, 'request')} with a "
                "body left the log. To keep more, raise the setting request_log, which is "
                f"{self.settings['request_log']}. The bodies can have {LOGGED_BYTES} bytes in all."
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


def _is_wanted(file: UploadedFile, wanted: Mapping[str, str], workspace: str) -> bool:
    """Tell whether an accepted file is as wanted."""
    if file.workspace != workspace:
        return False
    fields = {"list": file.list_id, "file_url": file.file_url, "name": file.name}
    return all(fields[name] == value for name, value in wanted.items())


def _compare(request: LoggedRequest, wanted: Mapping[str, str], workspace: str) -> _Upload:
    fields = _upload_fields(request)
    differences = []
    for name, value in wanted.items():
        given = str(fields.get(name))
        if name == "name":
            given = _name_of(fields)
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


def _name_of(fields: Mapping[str, Any]) -> str:
    """Return the name that the service gives to a file of an upload, if it accepts it."""
    if fields.get("name"):
        return str(fields["name"])
    try:
        return default_name(str(fields.get("file_url")))
    except ValueError:
        return ""


def _list_of(request: LoggedRequest) -> str:
    """Return the list in the path of an operation that has one."""
    return unquote(request.raw_path.partition("?")[0].split("/")[3])


# -- limits ---------------------------------------------------------------------------------------


def _why_beyond(request: LoggedRequest, limit: UsedUpLimit) -> str:
    if not request.accepted:
        return "refused by the service"
    return f"{limit.requests} were accepted in its window, until {_time(limit.reset)}"


# -- secrets --------------------------------------------------------------------------------------


def _all_secrets(evidence: Evidence, requests: Sequence[LoggedRequest]) -> Iterator[Secret]:
    for key in evidence.keys:
        yield from secrets_of_key(key)
    for file in evidence.uploads:
        yield from secrets_of_url("file_url", file.file_url)
        yield from secrets_of_url("callback_url", file.callback_url)
    for request in requests:
        yield from secrets_of_request(request)


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
