"""One request, and what came of it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import msgspec

from wes_provider.client.requests import Request
from wes_provider.client.responses import Response, code_and_message
from wes_provider.client.sync import WesClient
from wes_provider.exceptions import WesConnectionError, WesError
from wes_provider.settings import WesSettings
from wes_provider.texts import redact, redact_url

__all__ = ["Key", "Reply", "Sender", "Verdict", "same_reply", "verdict"]

Key = Literal["own", "made-up", "swapped"]
"""The connection's keys, keys that nobody has, or the two keys in each other's place."""
Verdict = Literal["accepted", "refused", "not shown"]
NONE: Final = Response(0, {}, b"")
COMPARED: Final = 2000  # characters of two bodies


@dataclass(frozen=True)
class Reply:
    """
    What one request showed.

    :ivar response: with status 0 if no whole response came; ``problem`` then is why, in one line.
    :ivar unsent: the service was not reached.
    """

    request: Request
    response: Response = field(default=NONE, repr=False)
    problem: str = ""
    unsent: bool = False

    @property
    def path(self) -> str:
        """The path of the request, without its query."""
        return redact(urlsplit(self.request.url).path)

    @property
    def status(self) -> int:
        """The status code; 0 if no response came."""
        return self.response.status_code

    @property
    def success(self) -> bool:
        """Whether it is a 2xx."""
        return 200 <= self.status < 300

    @property
    def passing(self) -> bool:
        """
        Whether the reply is about the moment and not about the request: none, a redirect, 429, 5xx.
        """
        return self.status == 429 or not (self.success or 400 <= self.status < 500)

    @cached_property
    def text(self) -> str:
        """The body as text."""
        return self.response.body.decode("utf-8", "replace").lstrip("\ufeff").strip()

    @cached_property
    def content(self) -> Any:
        """The body's JSON; ``None`` if it has none."""
        try:
            return msgspec.json.decode(self.text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            return None

    @property
    def form(self) -> str:
        """The form of the body."""
        if self.content is not None:
            return "JSON"
        return "a web page" if self.text.startswith("<") else "text" if self.text else "no body"

    @property
    def foreign(self) -> bool:
        """Whether it is a redirect or a web page, which the service does not send."""
        return 300 <= self.status < 400 or (self.success and self.form == "a web page")

    def __str__(self) -> str:
        errors = isinstance(self.content, dict) and (
            self.content.get("errors") or self.content.get("error")
        )
        fine = self.status < 400 and not errors and self.form != "a web page"
        said = [] if fine else filter(None, code_and_message(self.response.body))
        to = redact_url(self.response.headers.get("location", ""))
        came = ": ".join([f"{self.status}{f' to {to}' if to else ''}, {self.form}", *said])
        return f"{self.request.method} {self.path} → {came if self.status else self.problem}"


class Sender:
    """Sends requests, each once, and keeps what they showed in ``replies``."""

    def __init__(self, settings: WesSettings) -> None:
        own, made_up = (settings.api_key, settings.data_api_key), (secrets.token_hex(16),) * 2
        keys: dict[Key, tuple[str, str]] = {"own": own, "made-up": made_up, "swapped": own[::-1]}
        self._clients = {
            key: WesClient(
                msgspec.structs.replace(settings, api_key=api_key, data_api_key=data_api_key)
            )
            for key, (api_key, data_api_key) in keys.items()
        }
        self.replies: list[Reply] = []

    def send(self, request: Request, key: Key = "own") -> Reply:
        """Send a request once, whatever comes of it."""
        try:
            reply = Reply(request, self._clients[key].send(request))
        except WesError as error:
            reply = Reply(
                request,
                NONE,
                error.reason.partition(" (")[0],
                isinstance(error, WesConnectionError),
            )
        self.replies.append(reply)
        return reply

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            client.close()


def same_reply(one: Reply, other: Reply | None) -> bool:
    """
    Whether two replies are the same, so that neither shows which of the two paths the service has.
    """
    return other is None or (one.status, one.form, _compared(one)) == (
        other.status,
        other.form,
        _compared(other),
    )


def _compared(reply: Reply) -> str:
    """
    The body without the request's path, and without digits: those of times and request numbers.
    """
    text = reply.text[:COMPARED]
    for part in sorted((reply.path, *reply.path.split("/")), key=len, reverse=True):
        if len(part) > 3:
            text = text.replace(part, "")
    return "".join(character for character in text if not character.isdigit())


def verdict(read: Reply | None, made_up: Reply | None) -> Verdict:
    """
    Whether the service takes a key, by a read with it, and the same read with a key that nobody
    has.
    """
    if read is not None and read.status == 401:
        return "refused"
    if read is None or made_up is None or read.passing or made_up.passing:
        return "not shown"
    return (
        "accepted"
        if made_up.status == 401 or (made_up.status == 403 and read.status != 403)
        else "not shown"
    )
