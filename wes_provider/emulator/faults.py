"""
What can go wrong between the service and its caller, one constructor for each.

``effect`` tells whether the service carries out the request; if so, its checks and limits apply as
usual. ``status`` replaces the status of the response. A fault is plain data, so it can be sent to
an emulator in another process.
"""

from __future__ import annotations

import base64
import json
import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta
from multidict import CIMultiDict

from wes_provider import contract
from wes_provider.emulator.replies import JsonObject, Reply
from wes_provider.emulator.settings import HeaderName, Number, Seconds, checked

__all__ = [
    "Fault",
    "empty",
    "error",
    "garbage",
    "rate_limited",
    "reply_lost",
    "reset",
    "slow",
    "truncated",
    "wrong_content_type",
]

Ending = Literal["whole", "lost", "reset", "truncated"]
Reset = Literal["good", "missing", "past", "absurd"]
Headers = Mapping[str, str] | Iterable[tuple[str, str]]
_Status = Annotated[int, Meta(ge=200, le=999)]
_Line = Annotated[str, Meta(pattern=r"^[^\r\n\0]*\Z")]
_IN_WORDS: Final = {
    "lost": "response lost",
    "reset": "connection reset",
    "truncated": "response truncated",
}


class Fault(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """
    One thing that goes wrong; the functions of this module make the usual ones.

    :ivar effect: the request is carried out first. The service's own response to a request that is
        not carried out is its 500.
    :ivar status: the status of the response; ``None`` for the service's own.
    :ivar headers: replace those of the response, name by name; pairs, if one name comes more than
        once.
    :ivar body: the body of the response; ``None`` for the service's own. With a body and no status,
        the status is that of a success, even if nothing is carried out.
    :ivar delay: seconds of this machine before the first byte.
    :ivar ending: ``whole``; ``lost`` (closed without a response); ``reset`` (TCP RST, without a
        response); ``truncated`` (closed before all that ``Content-Length`` promises).
    :ivar reset_in: seconds from the service's time to the ``x-ratelimit-reset`` of the response.
    """

    effect: bool = False
    status: _Status | None = None
    headers: tuple[tuple[HeaderName, _Line], ...] = ()
    body: bytes | None = msgspec.field(default=None, name="body_base64")
    delay: Seconds = 0.0
    ending: Ending = "whole"
    reset_in: Number | None = None

    def __str__(self) -> str:
        """Say what goes wrong, in a few words."""
        words = []
        if self.ending != "whole":
            words.append(_IN_WORDS[self.ending])
        if self.status is not None:
            words.append(f"status {self.status}")
        if self.delay:
            words.append(f"{self.delay:g} s late")
        if self.ending == "whole" and self.status is None:
            if self.body:
                words.append("another body")
            elif self.body is not None:
                words.append("no body")
        if not words:
            words.append("other headers")
        effect = "carried out"
        if not self.effect:
            effect = "not carried out"
        return f"{', '.join(words)} ({effect})"

    def to_json(self) -> JsonObject:
        """
        Return the fault as JSON, without fields that have their defaults; the body is in
        ``body_base64``.
        """
        return dict(msgspec.to_builtins(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fault:
        """
        Read what ``to_json`` returns, or a fault with a ``body`` that is text or JSON.

        :raises ValueError: for anything else.
        """
        known = dict(data)
        body = known.pop("body", None)
        if body is not None:
            if not isinstance(body, str):
                body = json.dumps(body)
            known["body_base64"] = base64.b64encode(body.encode()).decode()
        if isinstance(known.get("headers"), Mapping):
            known["headers"] = list(known["headers"].items())
        return checked(known, cls, "fault")

    @property
    def unanswered(self) -> bool:
        """No response of the service reaches the caller."""
        return self.ending in ("lost", "reset")


def _pairs(headers: Headers) -> tuple[tuple[str, str], ...]:
    if isinstance(headers, Mapping):
        headers = headers.items()
    return tuple((name, value) for name, value in headers)


def error(
    status: int,
    code: str = contract.UNEXPECTED_ERROR,
    message: str = "Something went wrong on purpose.",
    *,
    headers: Headers = (),
    body: bytes | None = None,
    effect: bool = False,
) -> Fault:
    """
    Send a response of any status, with the service's error body (contract section 7).

    With ``effect`` the request is carried out all the same, as when a gateway responds 503 for a
    service that was slow.

    :param code: the code of the error body; ``message`` is its message.
    :param headers: in addition to the usual ones, or in place of them.
    :param body: the whole body, instead of the error body.
    """
    if body is None:
        body = json.dumps({"error": {"code": code, "message": message}}).encode()
    return Fault(effect=effect, status=status, headers=_pairs(headers), body=body)


def reply_lost(*, effect: bool = True) -> Fault:
    """Close the connection without a response."""
    return Fault(effect=effect, ending="lost")


def reset(*, effect: bool = False) -> Fault:
    """Reset the connection (TCP RST) without a response."""
    return Fault(effect=effect, ending="reset")


def slow(seconds: float, *, effect: bool = True) -> Fault:
    """Send the first byte late, by seconds of this machine."""
    return Fault(effect=effect, delay=seconds)


def truncated(*, effect: bool = True) -> Fault:
    """``Content-Length`` promises more than is sent before the connection is closed."""
    return Fault(effect=effect, ending="truncated")


def garbage(
    body: bytes = b'{"_id": "5f', *, status: int | None = None, effect: bool = True
) -> Fault:
    """Send a body that claims to be JSON and is not."""
    return Fault(effect=effect, status=status, body=body)


def wrong_content_type(
    content_type: str = "text/html",
    body: bytes | None = b"<html><body>Please log in to the guest network.</body></html>",
    *,
    status: int | None = None,
    effect: bool = True,
) -> Fault:
    """
    Another content type, such as that of a log-in page; ``body=None`` is the service's own, with a
    wrong header.
    """
    return Fault(
        effect=effect,
        status=status,
        headers=(("Content-Type", content_type),),
        body=body,
    )


def empty(*, status: int | None = None, effect: bool = True) -> Fault:
    """Send a response without a body."""
    return Fault(effect=effect, status=status, body=b"")


# Seconds from the service's time.
_RESETS_IN: Final = {"good": 1.0, "past": -60.0}
# In the year 8,000,000.
_ABSURD_RESET: Final = "253402300800000"


def rate_limited(
    reset: Reset = "good",
    *,
    reset_in: float | None = None,
    headers: Headers = (),
    body: bytes = b"",
) -> Fault:
    """
    Send a 429 before any limit is reached (contract section 7). It is never carried out.

    :param reset: ``good`` is in a second, ``past`` was a minute ago, ``absurd`` is in the year
        8,000,000; with ``missing``, the response has none of the three rate-limit headers.
    :param reset_in: seconds to the reset, instead of the one of ``good``.
    :param headers: in addition to the three, or in place of them.
    :raises ValueError: for another ``reset``, or for ``reset_in`` beside one that is not ``good``.
    """
    if reset not in get_args(Reset):
        raise ValueError(f"reset is good, missing, past or absurd, not {reset!r}")
    if reset_in is not None and reset != "good":
        raise ValueError(f"give reset_in or a reset that is {reset}; not both")
    usual = {
        contract.RATE_LIMIT_LIMIT: str(contract.UPLOADS_PER_MINUTE),
        contract.RATE_LIMIT_REMAINING: "0",
    }
    if reset == "missing":
        usual = {}
    elif reset == "absurd":
        usual[contract.RATE_LIMIT_RESET] = _ABSURD_RESET
    elif reset_in is None:
        reset_in = _RESETS_IN[reset]
    given = _pairs(headers)
    replaced = {name.lower() for name, _ in given}
    kept = [(name, value) for name, value in usual.items() if name not in replaced]
    return Fault(
        status=429,
        headers=(*kept, *given),
        body=body,
        reset_in=reset_in,
    )


# What a real network does, for load tests: each as likely as the next.
NETWORK_FAULTS: Final = (error(503), error(503, effect=True), reply_lost(), reset())


@dataclass
class _Queued:
    """
    A fault for the next matching requests.

    :ivar operation: its name, or ``*`` for all.
    :ivar times: how many requests still fail; ``None`` for all.
    :ivar list_id: ``None`` for all lists.
    """

    operation: str
    fault: Fault
    times: int | None
    list_id: str | None

    def matches(self, operation: str, list_id: str) -> bool:
        if self.operation not in ("*", operation):
            return False
        if self.list_id is None:
            return True
        # The list of a request that is about none is empty.
        return bool(list_id) and self.list_id == list_id

    def to_json(self) -> JsonObject:
        return {**vars(self), "fault": str(self.fault)}


class FaultQueue:
    """
    Faults in the order in which they were queued, and at random.

    :param seed: with the same number, the same requests fail at random.
    """

    def __init__(self, seed: int | None) -> None:
        self._queued: list[_Queued] = []
        self.seed(seed)

    def seed(self, seed: int | None) -> None:
        """Start the random faults again."""
        self._random = random.Random(seed)  # noqa: S311 - draws faults, not keys

    def add(
        self,
        operation: str,
        fault: Fault,
        times: int | None,
        list_id: str | None,
    ) -> None:
        """
        Queue a fault for the next ``times`` matching requests, ``None`` for all until the queue is
        cleared.

        :raises ValueError: if there is no such operation, or for less than one time.
        """
        if operation not in (*contract.OPERATIONS, "*"):
            known = ", ".join(contract.OPERATIONS)
            raise ValueError(f"operation must be * or one of {known}, not {operation!r}")
        if times is not None and times < 1:
            raise ValueError(f"times must be at least 1, or None for ever; not {times!r}")
        self._queued.append(_Queued(operation, fault, times, list_id))

    def clear(self) -> None:
        """Forget all of them."""
        self._queued.clear()

    def next(self, operation: str, list_id: str, rate: float) -> Fault | None:
        """
        Take the fault of a request, if it has one.

        :param list_id: the request's; empty if it has none.
        :param rate: the share of requests that fails at random.
        """
        for queued in self._queued:
            if queued.matches(operation, list_id):
                self._use(queued)
                return queued.fault
        if self.happens(rate):
            return self._random.choice(NETWORK_FAULTS)
        return None

    def _use(self, queued: _Queued) -> None:
        if queued.times is None:
            return
        queued.times -= 1
        if queued.times == 0:
            self._queued.remove(queued)

    def happens(self, rate: float) -> bool:
        """Tell whether something that goes wrong at this rate goes wrong now."""
        return rate > 0 and self._random.random() < rate

    def to_json(self) -> list[JsonObject]:
        """Return what is queued."""
        return [queued.to_json() for queued in self._queued]


def altered(reply: Reply, fault: Fault, now: float) -> Reply:
    """Return a response with a fault's status, headers and body; ``now`` is the service's time."""
    body = fault.body
    if body is None:
        body = reply.body
    headers = CIMultiDict(reply.headers)
    if fault.reset_in is not None:
        headers[contract.RATE_LIMIT_RESET] = str(math.ceil(now + fault.reset_in))
    for name, _ in fault.headers:
        headers.popall(name, None)
    headers.extend(fault.headers)
    return Reply(fault.status or reply.status, body, headers)
