"""What comes of every fault of the emulator, in every operation and in a wait: tested, and printed into the docs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from wes_provider.emulator import faults
from wes_provider.emulator.faults import Fault

ATTEMPTS = 3
READ_TIMEOUT = 1.0
POLLS_AGAIN = "polls again"


class Outcome(NamedTuple):
    """``result`` is ``value``, or the name of the exception; after so many requests."""

    result: str
    requests: int

    def __str__(self) -> str:
        return f"{self.result if self.result == 'value' else f'`{self.result}`'} {self.requests}"


class Cell(NamedTuple):
    """What comes of an operation whose first request meets the fault, and of one whose every request does."""

    once: Outcome
    always: Outcome

    def __str__(self) -> str:
        return str(self.once) if self.once == self.always else f"{self.once}, {self.always}"


def at_once(result: str) -> Cell:
    return Cell(Outcome(result, 1), Outcome(result, 1))


def repeated(error: str, *, then: str = "value") -> Cell:
    return Cell(Outcome(then, 2), Outcome(error, ATTEMPTS))


UNKNOWN = at_once("WesUnknownOutcomeError")
VALUE = at_once("value")
LOST = repeated("WesUnknownOutcomeError")
# The first request has created the catalog, so the second finds that there is one. Once the status of a 2xx has come,
# there is no second.
CREATED = Outcome("WesConflictError", 2)
CREATED_AND_LOST = Cell(CREATED, LOST.always)


@dataclass(frozen=True)
class Row:
    """
    :ivar read: of ``get_coupon_file`` and ``list_coupon_files``.
    :ivar segment: the same as ``read`` where it is ``None``; and so is ``catalog``.
    :ivar wait: what a wait for a coupon file does, in each way to wait: ``value`` where the fault is none to it, the
        name of the exception that ends it, or in words why it goes on.
    """

    fault: Fault
    read: Cell
    upload: Cell
    wait: str = POLLS_AGAIN
    segment: Cell | None = None
    catalog: Cell | None = None

    def cell(self, column: str) -> Cell:
        given: Cell | None = getattr(self, column)
        return self.read if given is None else given


def refused(status: int, error: str) -> Row:
    return Row(faults.error(status), at_once(error), at_once(error), wait=error)


def failing(status: int) -> Row:
    return Row(faults.error(status), repeated("WesServerError"), UNKNOWN)


def unreadable(fault: Fault) -> Row:
    return Row(fault, at_once("WesResponseError"), UNKNOWN, catalog=UNKNOWN, segment=VALUE)


def limited(fault: Fault) -> Row:
    return Row(fault, repeated("WesRateLimitError"), repeated("WesRateLimitError"))


def unanswered(fault: Fault) -> Row:
    return Row(fault, LOST, UNKNOWN, catalog=CREATED_AND_LOST if fault.effect else None)


TABLE: dict[str, Row] = {
    "400": refused(400, "WesBadRequestError"),
    "401": refused(401, "WesAuthenticationError"),
    "403": refused(403, "WesForbiddenError"),
    "404": replace(
        refused(404, "WesNotFoundError"), wait=f"{POLLS_AGAIN}, a minute after the upload `WesNotFoundError`"
    ),
    "409": refused(409, "WesConflictError"),
    "408 or 499, of a gateway": Row(faults.error(408), repeated("WesResponseError"), UNKNOWN),
    "413": refused(413, "WesPayloadTooLargeError"),
    "418, or any other 4xx": refused(418, "WesResponseError"),
    "429, reset in a second": limited(faults.rate_limited()),
    "429 without a reset": limited(faults.rate_limited("missing")),
    "429 with a reset that is past": limited(faults.rate_limited("past")),
    "429 with an absurd reset": limited(faults.rate_limited("absurd")),
    "429, reset beyond `max_rate_limit_wait`": Row(
        faults.rate_limited(reset_in=600),
        at_once("WesRateLimitError"),
        at_once("WesRateLimitError"),
        wait=f"{POLLS_AGAIN} at the reset",
    ),
    "500": failing(500),
    "501, or any other 5xx": Row(faults.error(501), at_once("WesServerError"), UNKNOWN),
    "502": failing(502),
    "503": failing(503),
    "504": failing(504),
    "503, though it was carried out": Row(
        faults.error(503, effect=True),
        repeated("WesServerError"),
        UNKNOWN,
        catalog=Cell(CREATED, Outcome("WesServerError", ATTEMPTS)),
    ),
    "redirect": Row(
        faults.redirect("http://127.0.0.1:9/x"),
        at_once("WesResponseError"),
        UNKNOWN,
        wait="WesResponseError",
    ),
    "no reply": unanswered(faults.reply_lost(effect=False)),
    "no reply, though it was carried out": unanswered(faults.reply_lost()),
    "connection reset": unanswered(faults.reset()),
    "connection reset, though it was carried out": unanswered(faults.reset(effect=True)),
    "slower than the read timeout": unanswered(faults.slow(READ_TIMEOUT * 10)),
    "byte by byte, for too long": Row(faults.slow(READ_TIMEOUT * 60, dribble=True), LOST, UNKNOWN, catalog=UNKNOWN),
    "slow": Row(faults.slow(READ_TIMEOUT / 20), VALUE, VALUE, wait="value"),
    "cut off": Row(faults.truncated(), LOST, UNKNOWN, catalog=UNKNOWN),
    "no HTTP": unanswered(faults.raw(b"SSH-2.0-OpenSSH_9.6\r\n")),
    "broken JSON": unreadable(faults.garbage()),
    "a log-in page": unreadable(faults.wrong_content_type()),
    "the right JSON, called text": Row(faults.wrong_content_type("text/plain", None), VALUE, VALUE, wait="value"),
    "no body": unreadable(faults.empty()),
    "20 MB": unreadable(faults.huge()),
    "a body without an end": unreadable(faults.endless()),
    "a gzip bomb": unreadable(faults.bomb()),
}
