"""The requests that an emulator remembers, and how they are shown without their secrets."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct, field, structs
from multidict import CIMultiDict, MultiMapping

from wes_provider import contract
from wes_provider.emulator.replies import JsonObject
from wes_provider.texts import redact

__all__ = [
    "LOGGED_BYTES",
    "FileLogin",
    "LoggedRequest",
    "RequestLog",
    "UsedUpLimit",
    "from_json",
    "path_shown",
    "shown",
    "take_passwords_out",
    "to_json",
]

_MASK: Final = "[redacted]"
LOGGED_BYTES: Final = 64 * contract.MIB  # of request bodies
_USERNAME_FIELD: Final = "file_url_auth_username"
_PASSWORD_FIELD: Final = "file_url_auth_password"  # noqa: S105 - a field's name
_SECRET: Final = (
    "authori[sz]ation|cookie|password|passwd|secret|token|api.?key|signature|credential"  # noqa: S105
)
_SECRET_NAME: Final = re.compile(_SECRET, re.IGNORECASE)
_SECRET_LINE: Final = re.compile(
    rf'("[^"\n]*(?:{_SECRET})[^"\n]*": )(?![\[{{]).*?(,?)$', re.IGNORECASE | re.MULTILINE
)
_MOST_SHOWN: Final = 20_000  # characters of a body


class UsedUpLimit(Struct, frozen=True):
    """
    A limit that was used up when a request came.

    :ivar requests: how many it allows in ``seconds``.
    :ivar reset: when it allows another one, in seconds since 1970.
    """

    requests: int
    seconds: float
    reset: float


class LoggedRequest(Struct, frozen=True):
    """
    One request as it came.

    :ivar operation: empty if path and method belong to none.
    :ivar raw_path: as it was on the wire, with the query.
    :ivar status: the status of the response; ``None`` if the response was lost.
    :ivar time: the service's.
    :ivar accepted: it was carried out, whatever the response was.
    :ivar fault: what went wrong on purpose, in words; empty if nothing did.
    :ivar workspace: the one that its header names; empty for the first, or if it names none.
    :ivar hides_password: its body had a password of a file, or may have had one, which is not in
        the body here.
    :ivar beyond: the limit that the request went beyond; ``None`` if it went beyond none, or if the
        service never had to decide. If it was ``accepted`` all the same, the emulator has no
        limits, and this one is the contract's. Otherwise, the service refused it with its 429,
        whatever a fault made of that.
    """

    operation: str
    method: str
    raw_path: str
    headers: MultiMapping[str]
    body: bytes = field(name="body_base64")
    status: int | None
    time: float
    accepted: bool
    fault: str = ""
    workspace: str = ""
    hides_password: bool = False
    beyond: UsedUpLimit | None = None

    def __repr__(self) -> str:
        return f"<{self.method} {path_shown(self.raw_path)}: {self.status}>"


class RequestLog(deque[LoggedRequest]):
    """
    The last requests, oldest first.

    :ivar counts: of all so far, by operation.
    :ivar total: of all so far.
    :ivar beyond: how many of all so far went beyond a limit.
    :ivar lost_bodies: how many requests with a body have left the log.
    """

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self.total = 0
        self.beyond = 0
        self.lost_bodies = 0
        self._bytes = 0

    def add(self, request: LoggedRequest, most: int) -> None:
        """Remember one more, and ``most`` in all."""
        self.total += 1
        self.counts[request.operation] += 1
        if request.beyond is not None:
            self.beyond += 1
        self.append(request)
        self._bytes += len(request.body)
        while self and (len(self) > most or self._bytes > LOGGED_BYTES):
            left = self.popleft()
            self._bytes -= len(left.body)
            if left.body:
                self.lost_bodies += 1

    def numbered(self, number: int) -> LoggedRequest:
        """
        Return a request by its number, from 1.

        :raises ValueError: if it is not in the log.
        """
        index = number - 1 - (self.total - len(self))
        if not 0 <= index < len(self):
            raise ValueError(f"request {number} is not in the log; it holds the last {len(self)}")
        return self[index]


class FileLogin(NamedTuple):
    """The credentials of a file; the user is empty if the body has none beside the password."""

    username: str
    password: str


class _Body(NamedTuple):
    """
    The body of a request without the passwords of files.

    :ivar content: the very bytes, if no password is among them.
    :ivar logins: the passwords that were taken out, with their users.
    :ivar is_masked: it is no JSON, and may have a password somewhere: nothing of it is left.
    """

    content: bytes
    logins: list[FileLogin]
    is_masked: bool = False


def take_passwords_out(body: bytes) -> _Body:
    """Take the passwords of files out of a body, wherever in it they stand."""
    logins: list[FileLogin] = []

    def mask_passwords(pairs: list[tuple[str, Any]]) -> JsonObject:
        masked = {}
        # A name may come twice.
        usernames = [str(value) for name, value in pairs if name == _USERNAME_FIELD]
        for name, value in pairs:
            if name == _PASSWORD_FIELD and value not in (None, ""):
                logins.extend(FileLogin(username, str(value)) for username in usernames or [""])
                value = _MASK
            masked[name] = value
        return masked

    try:
        data = json.loads(body, object_pairs_hook=mask_passwords)
    except (ValueError, RecursionError):
        if _may_have_password(body):
            return _Body(_MASK.encode(), [], is_masked=True)
        return _Body(body, [])
    if not logins:
        return _Body(body, [])
    return _Body(json.dumps(data).encode(), logins)


def _may_have_password(body: bytes) -> bool:
    """
    Tell whether bytes that are no JSON may name the field of the password, in any encoding of
    Unicode, or by an escape.
    """
    text = body.replace(b"\0", b"").decode(errors="replace")
    return _PASSWORD_FIELD in text or "\\u" in text


def to_json(request: LoggedRequest) -> JsonObject:
    """
    Return a request without its credentials; its body is the very bytes, unless there is a password
    among them.
    """
    headers = _mask(request.headers, re.compile("authorization", re.IGNORECASE))
    body = take_passwords_out(request.body)
    without = structs.replace(
        request,
        headers=headers,
        body=body.content,
        hides_password=body.is_masked or bool(body.logins),
    )
    return dict(msgspec.to_builtins(without))


def _mask(
    headers: MultiMapping[str],
    secret_name: re.Pattern[str],
) -> list[list[str]]:
    """Return pairs of name and value, without the values of names that match."""
    pairs = []
    for name, value in headers.items():
        if secret_name.search(name):
            value = _MASK
        pairs.append([str(name), value])
    return pairs


def from_json(data: JsonObject) -> LoggedRequest:
    """Read what ``to_json`` returned."""
    return msgspec.convert(data, LoggedRequest, dec_hook=lambda _, pairs: CIMultiDict(pairs))


def path_shown(raw_path: str) -> str:
    """Return a path whose query is masked."""
    path, mark, _ = raw_path.partition("?")
    if not mark:
        return path
    return f"{path}?{_MASK}"


def shown(request: LoggedRequest) -> JsonObject:
    """Return a request for the page: without credentials, passwords and the queries of URLs."""
    headers = [[name, redact(text)] for name, text in _mask(request.headers, _SECRET_NAME)]
    return {
        "method": request.method,
        "status": request.status,
        "accepted": request.accepted,
        "fault": request.fault,
        "path": path_shown(request.raw_path),
        "headers": headers,
        "body": _body_shown(request.body),
    }


def _body_shown(body: bytes) -> str:
    """Return a body as text; JSON is indented, so that each property has a line of its own."""
    try:
        text = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
        text = _SECRET_LINE.sub(rf'\1"{_MASK}"\2', text)
    except (ValueError, RecursionError):
        text = body.decode(errors="replace")
        if _SECRET_NAME.search(text):
            return f"{_MASK}: {len(body)} bytes that are not JSON and seem to hold a secret"
    text = redact(text)
    if len(text) <= _MOST_SHOWN:
        return text
    return f"{text[:_MOST_SHOWN]} ... ({len(body)} bytes)"
