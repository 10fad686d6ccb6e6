"""What the service sends, and its refusals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from wes_provider import contract

__all__ = ["SAFE_HEADERS", "Refusal", "Reply", "nested"]

# Codes that the contract does not show.
NOT_FOUND: Final = "not-found"
METHOD_NOT_ALLOWED: Final = "method-not-allowed"
PAYLOAD_TOO_LARGE: Final = "payload-too-large"
CONFLICT: Final = "conflict"

# For everything under the control path: no other page can embed it, and no browser takes it for something else.
SAFE_HEADERS: Final = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}


class Reply(NamedTuple):
    """Status, body, and headers beyond the usual ones; all are JSON by their type, empty ones too (section 4)."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {"Content-Type": contract.CONTENT_TYPE}

    @classmethod
    def json(cls, status: int, data: Any) -> Reply:
        """A reply with a JSON body."""
        return cls(status, json.dumps(data).encode())

    @classmethod
    def text(cls, status: int, text: str) -> Reply:
        """A reply with plain text, which the contract does not show."""
        return cls(status, text.encode(), {"Content-Type": "text/plain; charset=utf-8"})

    def with_headers(self, headers: Mapping[str, str]) -> Reply:
        """The same with more headers."""
        return self._replace(headers={**self.headers, **headers}) if headers else self


class Refusal(Exception):  # noqa: N818 - a response on its way, not a defect
    """The service refuses a request, with an error of contract section 7; without a code it has no body."""

    def __init__(self, status: int, code: str = "", message: str = "", headers: Mapping[str, str] | None = None):
        super().__init__(status)
        self.status, self.code, self.message, self.headers = status, code, message, headers or {}

    def reply(self) -> Reply:
        """The response of contract section 7."""
        error = {"error": {"code": self.code, "message": self.message}}
        return (Reply.json(self.status, error) if self.code else Reply(self.status)).with_headers(self.headers)


def nested(path: str, value: Any, into: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A JSON value below a dotted property, such as ``data.id``, in an object that has perhaps others."""
    name, dot, rest = path.partition(".")
    known = (into or {}).get(name)
    below = nested(rest, value, known if isinstance(known, dict) else None) if dot else value
    return {**(into or {}), name: below}
