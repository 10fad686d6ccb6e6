"""
Every fault of the emulator, in every operation: one table, tested and printed into the docs.

The whole matrix runs over response objects, without a socket. What each client makes of a kind of fault on the wire is
a smaller matrix over sockets. The table's last column, what a wait makes of a fault, is tested in
``airflow/test_waiting.py``.

``pytest tests/unit/client/test_faults.py --rewrite-docs`` prints the table into the docs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
import tenacity

from support import fault_table
from support.fault_table import ATTEMPTS, READ_TIMEOUT, TABLE, Outcome, Row
from support.wes_driver import Driver, read
from wes_provider import contract
from wes_provider.client.operations import MAX_BODY, Operation, Operations, Request, Response
from wes_provider.client.retry import Attempts, response_lost, retrying_arguments, transport_error
from wes_provider.client.settings import WesSettings
from wes_provider.emulator import Emulator, faults
from wes_provider.emulator.faults import Fault
from wes_provider.exceptions import WesError

PAGE = Path(__file__).parents[3] / "docs" / "faults.md"
START, END = "<!-- table: start -->\n", "<!-- table: end -->\n"

COLUMNS = {
    "read": "reads",
    "segment": "update_segment",
    "catalog": "create_catalog",
    "upload": "upload_coupon_file",
}
OPERATIONS: dict[str, tuple[str, Callable[[Operations], Operation[Any]], Any]] = {
    "get_coupon_file": (
        "read",
        lambda operations: operations.get_coupon_file("list-1", "file-1"),
        {"_id": "file-1", "status": "PENDING"},
    ),
    "list_coupon_files": ("read", lambda operations: operations.list_coupon_files("list-1"), [{"_id": "file-1"}]),
    "update_segment": ("segment", lambda operations: operations.update_segment("s-1", name="n"), {"name": "n"}),
    "create_catalog": ("catalog", lambda operations: operations.create_catalog("c", "EUR", []), {"catalog_id": "x"}),
    "upload_coupon_file": (
        "upload",
        lambda operations: operations.upload_coupon_file("list-1", "https://files.example.com/c.csv"),
        {"_id": "file-1", "status": "PENDING"},
    ),
}


def test_every_kind_of_fault_is_in_the_table():
    made = {name for name in faults.__all__ if name != "Fault"}
    source = Path(fault_table.__file__).read_text()
    assert {name for name in made if f"faults.{name}(" not in source} == set()


# -- over response objects ---------------------------------------------------------------------------------


@pytest.fixture
def settings() -> WesSettings:
    connection = {"host": "https://api.example.com", "login": "w", "password": "p"}
    return read({**connection, "extra": {"max_attempts": ATTEMPTS, "max_rate_limit_wait": 120}})


class Service:
    """Responds in place of a driver: with the fault, then as the service does."""

    def __init__(self, fault: Fault, good: Any, times: int | None) -> None:
        self._fault, self._good, self._times = fault, good, times
        self.requests = 0
        self._created = False

    def send(self, request: Request) -> Response:
        """
        What a driver gives, or raises.

        :raises WesError: of the transport.
        """
        self.requests += 1
        good = self._good_response(request)
        fault = self._fault
        if self._times is not None and self.requests > self._times:
            self._created = True
            return good
        self._created = self._created or fault.effect
        slow = fault.delay > READ_TIMEOUT
        if fault.unanswered or (slow and not fault.dribble):
            raise transport_error(request, "lost", sent=True)
        status = good.status_code if fault.status is None or fault.ending == "truncated" else fault.status
        if fault.ending == "truncated" or slow:
            if status < 400:
                raise response_lost(request, "the response broke off", status)
            return Response(status, {}, b"")
        headers = {name.lower(): value for name, value in fault.header_pairs}
        if fault.reset_in is not None:
            now = datetime.now(timezone.utc) + timedelta(seconds=fault.reset_in)
            headers["x-ratelimit-reset"] = f"{now.timestamp():.0f}"
        body = good.body if fault.body is None else fault.body
        if fault.size is None and fault.ending != "endless":
            return Response(status, headers, body)
        if fault.compressed:
            headers["content-encoding"] = "gzip"
        pieces: Iterable[bytes] = fault.pieces()
        if fault.ending == "endless":
            pieces = repeat(b" " * 8 * contract.MIB)
        if request.streamed:
            return Response(status, headers, b"", iter(pieces))
        body = b""
        for piece in pieces:
            body += piece
            if len(body) > MAX_BODY:
                break
        return Response(status, headers, body[: MAX_BODY + 1])

    def _good_response(self, request: Request) -> Response:
        if self._created and request.operation == "create_catalog":
            return Response(409, {}, b'{"error": {"code": "conflict", "message": "the name is taken"}}')
        return Response(200, {}, json.dumps(self._good).encode())


@pytest.mark.parametrize("times", [1, None], ids=["once", "always"])
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_a_fault_has_its_outcome(settings: WesSettings, row: Row, operation: str, times: int | None):
    column, make, good = OPERATIONS[operation]
    call = make(Operations(settings))
    service = Service(row.fault, good, times)
    attempts = Attempts(call.request)

    def attempt() -> Any:
        with attempts:
            return call.read(service.send(call.request))

    try:
        tenacity.Retrying(sleep=lambda _: None, **retrying_arguments(settings))(attempt)
        result = "value"
    except WesError as error:
        result = type(error).__name__
    cell = row.cell(column)
    assert Outcome(result, service.requests) == (cell.once if times == 1 else cell.always)


# -- over sockets ------------------------------------------------------------------------------------------

KINDS = """
    413; 429, reset in a second; 503, though it was carried out; redirect; no reply, though it was carried out;
    connection reset; slower than the read timeout; byte by byte, for too long; slow; cut off; no HTTP; broken JSON;
    the right JSON, called text; no body; 20 MB; a gzip bomb
"""
ON_THE_WIRE = [name for name in TABLE if name in " ".join(KINDS.split()).split("; ")]


def test_the_kinds_on_the_wire_are_rows_of_the_table():
    assert len(ON_THE_WIRE) == KINDS.count(";") + 1


@pytest.mark.parametrize("operation", ["list_coupon_files", "create_catalog", "upload_coupon_file"])
@pytest.mark.parametrize("name", ON_THE_WIRE)
def test_a_fault_on_the_wire_has_its_outcome(driver: Driver, wes_emulator: Emulator, name: str, operation: str):
    row = TABLE[name]
    # A tenth of the table's time. If nothing is slow, a busy machine may be.
    fault = replace(row.fault, delay=row.fault.delay / 5)
    driver.settings = replace(
        driver.settings, max_attempts=ATTEMPTS, read_timeout=READ_TIMEOUT / 5 if fault.delay else 30
    )
    column, make, _ = OPERATIONS[operation]
    wes_emulator.fail(operation, fault)
    try:
        driver(make)
        result = "value"
    except WesError as error:
        result = type(error).__name__
    if name.startswith("429") and driver.name == "aiohttp" and operation == "list_coupon_files":
        return  # it sends no read before the reset
    assert Outcome(result, len(wes_emulator.requests_for(operation))) == row.cell(column).once


def test_the_page_has_the_table(request: pytest.FixtureRequest):
    """If it does not: ``pytest tests/unit/client/test_faults.py --rewrite-docs``."""
    names = [f"`{name}`" if "_" in name else name for name in COLUMNS.values()]
    lines = ["| what goes wrong | " + " | ".join(names) + " | a wait |"]
    lines.append("|---" * (len(COLUMNS) + 2) + "|")
    for name, row in TABLE.items():
        wait = f"`{row.wait}`" if row.wait.endswith("Error") else row.wait
        lines.append(f"| {name} | " + " | ".join(str(row.cell(column)) for column in COLUMNS) + f" | {wait} |")
    table = "\n".join(lines) + "\n"
    before, _, rest = PAGE.read_text().partition(START)
    shown, _, after = rest.partition(END)
    if request.config.getoption("--rewrite-docs"):
        PAGE.write_text(f"{before}{START}{table}{END}{after}")
    else:
        assert shown == table
