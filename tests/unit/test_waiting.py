"""The table of waits, which the tests of the other tiers play, holds every fault."""

from __future__ import annotations

from support.fault_table import TABLE as FAULTS
from support.waiting import TABLE


def test_every_fault_is_tried():
    assert {row.fault for row in FAULTS.values()} <= {fault for row in TABLE for fault, _ in row.trouble}
