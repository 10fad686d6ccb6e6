"""What the service sends, and its refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from wes_provider import contract
from wes_provider.emulator.settings import Settings

__all__ = ["Refusal", "Reply", "nested", "refuse"]

# Codes that the contract does not show.
NOT_FOUND: Final = "not-found"
METHOD_NOT_ALLOWED: Final = "method-not-allowed"
PAYLOAD_TOO_LARGE: Final = "payload-too-large"


@dataclass(frozen=True)
class Reply:
    """
    Status, body, and headers beyond the usual ones.

    :ivar stream: pieces of a body that is too long to build at once; ``body`` is empty then.
    """

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: Iterator[bytes] | None = None

    @classmethod
    def json(cls, status: int, data: Any, headers: Mapping[str, str] | None = None) -> Reply:
        """A reply with a JSON body."""
        return cls(status, json.dumps(data).encode(), {"Content-Type": contract.CONTENT_TYPE, **(headers or {})})

    @classmethod
    def text(cls, status: int, text: str, headers: Mapping[str, str] | None = None) -> Reply:
        """A reply with plain text, which the contract does not show."""
        return cls(status, text.encode(), {"Content-Type": "text/plain; charset=utf-8", **(headers or {})})

    @classmethod
    def empty(cls, status: int, headers: Mapping[str, str] | None = None) -> Reply:
        """Without a body, and JSON by its type as all of the service's are (section 4)."""
        return cls(status, b"", {"Content-Type": contract.CONTENT_TYPE, **(headers or {})})


class Refusal(Exception):  # noqa: N818 - a response on its way, not a defect
    """
    The service refuses a request.

    :param status: its status code.
    :param code: as in contract section 7; empty for a response without a body.
    :param message: as in contract section 7.
    :param headers: beyond the usual ones.
    """

    def __init__(self, status: int, code: str = "", message: str = "", headers: Mapping[str, str] | None = None):
        super().__init__(status)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}

    def reply(self, settings: Settings) -> Reply:
        """The response, in the shape that the settings give to errors; by default the contract's."""
        if not self.code:
            return Reply.empty(self.status, self.headers)
        if settings.error_format == "text":
            return Reply.text(self.status, self.message, self.headers)
        message: Any = self.message
        if settings.error_message_format == "object":
            message = {"text": self.message, "details": []}
        body = nested(settings.error_code_property, self.code)
        return Reply.json(self.status, nested(settings.error_message_property, message, body), self.headers)


def refuse(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> NoReturn:
    """
    Refuse a request.

    :raises Refusal: always.
    """
    raise Refusal(status, code, message, headers)


def nested(path: str, value: Any, into: Any = None) -> Any:
    """
    A JSON value below a dotted property.

    :param path: such as ``error.code`` or ``errors.0.code``; a number is the place in a list, and only 0 makes sense.
    :param into: an object or list that gets the value, too.
    """
    name, dot, rest = path.partition(".")
    if name.isdigit():
        items = into if isinstance(into, list) else [None]
        return [nested(rest, value, items[0]) if dot else value]
    known = into if isinstance(into, dict) else {}
    return {**known, name: nested(rest, value, known.get(name)) if dot else value}
