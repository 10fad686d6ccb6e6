"""What the service sends: replies, and refusals, which become replies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from wes_provider import contract

__all__ = ["SAFE_HEADERS", "JsonObject", "Refusal", "Reply", "invalid", "nested"]

JsonObject: TypeAlias = dict[str, Any]

# Codes that the contract does not show.
NOT_FOUND: Final = "not-found"
METHOD_NOT_ALLOWED: Final = "method-not-allowed"
PAYLOAD_TOO_LARGE: Final = "payload-too-large"
CONFLICT: Final = "conflict"

# For everything under the control path: no other page can embed it, and no browser takes it for
# something else.
SAFE_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Reply(NamedTuple):
    """
    Status, body, and headers beyond the usual ones; all are JSON by their type, empty ones too
    (section 4).
    """

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {"Content-Type": contract.CONTENT_TYPE}

    @classmethod
    def json(cls, status: int, data: Any) -> Reply:
        """Return a reply with a JSON body."""
        return cls(status, json.dumps(data).encode())

    @classmethod
    def text(cls, status: int, text: str) -> Reply:
        """Return a reply with plain text, which the contract does not show."""
        return cls(status, text.encode(), {"Content-Type": "text/plain; charset=utf-8"})

    def with_headers(self, headers: Mapping[str, str]) -> Reply:
        """Return the same reply with more headers."""
        return self._replace(headers={**self.headers, **headers})


class Refusal(Exception):  # noqa: N818 - a response on its way, not a defect
    """
    The service refuses a request, with an error of contract section 7; without a code it has no
    body.
    """

    def __init__(
        self,
        status: int,
        code: str = "",
        message: str = "",
        headers: Mapping[str, str] | None = None,
    ):
        super().__init__(status)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}

    def reply(self) -> Reply:
        """Return the response of contract section 7."""
        reply = Reply(self.status)
        if self.code:
            error = {"code": self.code, "message": self.message}
            reply = Reply.json(self.status, {"error": error})
        return reply.with_headers(self.headers)


def invalid(message: str) -> Refusal:
    """Return the refusal of a malformed request (contract section 7)."""
    return Refusal(400, contract.INVALID_REQUEST, message)


def nested(
    path: str,
    value: Any,
    into: Mapping[str, Any] | None = None,
) -> JsonObject:
    """
    Put a JSON value below a dotted property, such as ``data.id``.

    :param into: an object that may have other properties; it is not changed.
    """
    known = dict(into or {})
    name, dot, rest = path.partition(".")
    if dot:
        below = known.get(name)
        value = nested(rest, value, below if isinstance(below, dict) else None)
    known[name] = value
    return known
