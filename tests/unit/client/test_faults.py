"""
Every fault of the emulator, in every operation, through both drivers: one table, tested and printed into the docs.

What a wait makes of a fault, the table's last column, is tested in ``airflow/test_waiting.py``.

``pytest tests/client/test_faults.py --rewrite-docs`` prints it anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support import fault_table
from support.fault_table import ATTEMPTS, READ_TIMEOUT, TABLE, Outcome, Row
from support.wes_driver import Driver
from wes_provider.client.operations import Operation, Operations
from wes_provider.emulator import Emulator, faults
from wes_provider.exceptions import WesError

PAGE = Path(__file__).parents[3] / "docs" / "faults.md"
START, END = "<!-- table: start -->\n", "<!-- table: end -->\n"


class Naps(list[float]):
    """Instead of only noting how long to sleep, sleep."""

    def append(self, seconds: float) -> None:
        super().append(seconds)
        time.sleep(seconds)


def upload(operations: Operations) -> Operation[Any]:
    return operations.upload_coupon_file("list-1", "https://files.example.com/c.csv")


COLUMNS = {
    "read": "reads",
    "segment": "update_segment",
    "catalog": "create_catalog",
    "upload": "upload_coupon_file",
}
OPERATIONS: dict[str, tuple[str, Callable[[Operations, str], Operation[Any]]]] = {
    "get_coupon_file": ("read", lambda operations, file_id: operations.get_coupon_file("list-1", file_id)),
    "list_coupon_files": ("read", lambda operations, _: operations.list_coupon_files("list-1")),
    "update_segment": ("segment", lambda operations, _: operations.update_segment("s-1", name="n")),
    "create_catalog": ("catalog", lambda operations, _: operations.create_catalog("c", "EUR", [])),
    "upload_coupon_file": ("upload", lambda operations, _: upload(operations)),
}


def test_every_kind_of_fault_is_in_the_table():
    made = {name for name in faults.__all__ if name != "Fault"}
    source = Path(fault_table.__file__).read_text()
    assert {name for name in made if f"faults.{name}(" not in source} == set()


@pytest.mark.parametrize("times", [1, None], ids=["once", "always"])
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_what_comes_of_a_fault(driver: Driver, wes_emulator: Emulator, row: Row, operation: str, times: int | None):
    if row.fault.ending == "endless" and operation == "list_coupon_files":
        pytest.skip("read up to half a gigabyte")
    # Where nothing is slow, a busy machine may be.
    read_timeout = READ_TIMEOUT if row.fault.delay else 30
    driver.settings = replace(driver.settings, max_attempts=ATTEMPTS, read_timeout=read_timeout)
    column, make = OPERATIONS[operation]
    file_id = driver(upload)["_id"] if operation == "get_coupon_file" else ""
    if row.fault.reset_in == 1:  # until then the asynchronous client sends no read at all
        driver.slept = Naps()
    wes_emulator.fail(operation, row.fault, times=times)
    try:
        driver(lambda operations: make(operations, file_id))
        result = "value"
    except WesError as error:
        result = type(error).__name__
    cell = row.cell(column)
    expected = cell.once if times == 1 else cell.always
    assert Outcome(result, len(wes_emulator.requests_for(operation))) == expected


def test_the_page_has_the_table(request: pytest.FixtureRequest):
    """Where it does not: ``pytest tests/client/test_faults.py --rewrite-docs``."""
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
