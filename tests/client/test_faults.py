"""
Every fault of the emulator, in every operation, through both drivers: one table, tested here and printed into the docs.

``pytest tests/client/test_faults.py --rewrite-docs`` prints it anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from client.conftest import Driver
from wes_provider.client.calls import Call, Calls
from wes_provider.emulator import Emulator, faults
from wes_provider.emulator.faults import Fault
from wes_provider.exceptions import WesError

PAGE = Path(__file__).parent.parent.parent / "docs" / "faults.md"
START, END = "<!-- table: start -->\n", "<!-- table: end -->\n"
ATTEMPTS = 3
READ_TIMEOUT = 1.0


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
# The first request has created the catalog, so the second finds that there is one: where its status can be seen.
CREATED = Outcome("WesConflictError", 2)
CREATED_AND_LOST = Cell(CREATED, LOST.always)
CREATED_AND_CUT_OFF = Cell(CREATED, CREATED)


class Naps(list[float]):
    """Instead of only noting how long to sleep, sleep."""

    def append(self, seconds: float) -> None:
        super().append(seconds)
        time.sleep(seconds)


@dataclass(frozen=True)
class Row:
    """
    :ivar read: of ``get_coupon_file`` and ``list_coupon_files``.
    :ivar segment: the same as ``read`` where it is ``None``; and so is ``catalog``.
    """

    fault: Fault
    read: Cell
    upload: Cell
    segment: Cell | None = None
    catalog: Cell | None = None

    def cell(self, column: str) -> Cell:
        given: Cell | None = getattr(self, column)
        return self.read if given is None else given


def refused(status: int, error: str) -> Row:
    return Row(faults.error(status), at_once(error), at_once(error))


def failing(status: int) -> Row:
    return Row(faults.error(status), repeated("WesServerError"), UNKNOWN)


def unreadable(fault: Fault) -> Row:
    return Row(fault, repeated("WesResponseError"), UNKNOWN, catalog=UNKNOWN)


def limited(fault: Fault) -> Row:
    return Row(fault, repeated("WesRateLimitError"), repeated("WesRateLimitError"))


def unanswered(fault: Fault) -> Row:
    return Row(fault, LOST, UNKNOWN, catalog=CREATED_AND_LOST if fault.effect else None)


TABLE: dict[str, Row] = {
    "400": refused(400, "WesBadRequestError"),
    "401": refused(401, "WesAuthenticationError"),
    "403": refused(403, "WesForbiddenError"),
    "404": refused(404, "WesNotFoundError"),
    "409": refused(409, "WesConflictError"),
    "413": refused(413, "WesPayloadTooLargeError"),
    "418, or any other 4xx": refused(418, "WesResponseError"),
    "429, reset in a second": limited(faults.rate_limited()),
    "429 without a reset": limited(faults.rate_limited("missing")),
    "429 with a reset that is past": limited(faults.rate_limited("past")),
    "429 with an absurd reset": limited(faults.rate_limited("absurd")),
    "429, reset beyond `max_rate_limit_wait`": Row(
        faults.rate_limited(reset_in=600), at_once("WesRateLimitError"), at_once("WesRateLimitError")
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
    "redirect": Row(faults.redirect("http://127.0.0.1:9/x"), at_once("WesResponseError"), at_once("WesResponseError")),
    "no reply": unanswered(faults.reply_lost(effect=False)),
    "no reply, though it was carried out": unanswered(faults.reply_lost()),
    "connection reset": unanswered(faults.reset()),
    "connection reset, though it was carried out": unanswered(faults.reset(effect=True)),
    "slower than the read timeout": unanswered(faults.slow(READ_TIMEOUT * 2)),
    "byte by byte, for too long": Row(
        faults.slow(READ_TIMEOUT * 60, dribble=True), LOST, UNKNOWN, catalog=CREATED_AND_CUT_OFF
    ),
    "slow": Row(faults.slow(READ_TIMEOUT / 20), VALUE, VALUE),
    "cut off": Row(faults.truncated(), LOST, UNKNOWN, catalog=CREATED_AND_CUT_OFF),
    "no HTTP": unanswered(faults.raw(b"SSH-2.0-OpenSSH_9.6\r\n")),
    "broken JSON": unreadable(faults.garbage()),
    "a log-in page": unreadable(faults.wrong_content_type()),
    "the right JSON, called text": Row(faults.wrong_content_type("text/plain", None), VALUE, VALUE),
    "no body": replace(unreadable(faults.empty()), segment=VALUE),
    "20 MB": unreadable(faults.huge()),
    "a body without an end": unreadable(faults.endless()),
    "a gzip bomb": unreadable(faults.bomb()),
}


def upload(calls: Calls) -> Call[Any]:
    return calls.upload_coupon_file("list-1", "https://files.example.com/c.csv")


COLUMNS = {
    "read": "reads",
    "segment": "update_segment",
    "catalog": "create_catalog",
    "upload": "upload_coupon_file",
}
OPERATIONS: dict[str, tuple[str, Callable[[Calls, str], Call[Any]]]] = {
    "get_coupon_file": ("read", lambda calls, file_id: calls.get_coupon_file("list-1", file_id)),
    "list_coupon_files": ("read", lambda calls, _: calls.list_coupon_files("list-1")),
    "update_segment": ("segment", lambda calls, _: calls.update_segment("s-1", name="n")),
    "create_catalog": ("catalog", lambda calls, _: calls.create_catalog("c", "EUR", [])),
    "upload_coupon_file": ("upload", lambda calls, _: upload(calls)),
}


def test_every_kind_of_fault_is_in_the_table():
    made = {name for name in faults.__all__ if name != "Fault"}
    source = Path(__file__).read_text()
    assert {name for name in made if f"faults.{name}(" not in source} == set()


@pytest.mark.parametrize("times", [1, None], ids=["once", "always"])
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_what_comes_of_a_fault(driver: Driver, wes_emulator: Emulator, row: Row, operation: str, times: int | None):
    driver.settings = replace(driver.settings, max_attempts=ATTEMPTS, read_timeout=READ_TIMEOUT)
    column, make = OPERATIONS[operation]
    file_id = driver(upload)["_id"] if operation == "get_coupon_file" else ""
    if row.fault.reset_in == 1:  # until then the asynchronous client sends no read at all
        driver.slept = Naps()
    wes_emulator.fail(operation, row.fault, times=times)
    try:
        driver(lambda calls: make(calls, file_id))
        result = "value"
    except WesError as error:
        result = type(error).__name__
    cell = row.cell(column)
    expected = cell.once if times == 1 else cell.always
    assert Outcome(result, len(wes_emulator.requests_for(operation))) == expected


def test_the_page_has_the_table(request: pytest.FixtureRequest):
    """Where it does not: ``pytest tests/client/test_faults.py --rewrite-docs``."""
    names = [f"`{name}`" if "_" in name else name for name in COLUMNS.values()]
    lines = ["| what goes wrong | " + " | ".join(names) + " |"]
    lines.append("|---" * (len(COLUMNS) + 1) + "|")
    for name, row in TABLE.items():
        lines.append(f"| {name} | " + " | ".join(str(row.cell(column)) for column in COLUMNS) + " |")
    table = "\n".join(lines) + "\n"
    before, _, rest = PAGE.read_text().partition(START)
    shown, _, after = rest.partition(END)
    if request.config.getoption("--rewrite-docs"):
        PAGE.write_text(f"{before}{START}{table}{END}{after}")
    else:
        assert shown == table
