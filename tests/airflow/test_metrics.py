"""
The provider's metrics, as they arrive at a StatsD server: one for each request, by operation; each
429 of an upload; each repeated reading of a list, but not the poll after a failed one; each upload
whose outcome is unknown; and each wait, by its end (done, failed, timed out), with its milliseconds
if it is done. For each processed file, the coupons added and the duplicates are counted for its
list, also if its upload was recognised after a lost reply or its wait was deferred; not if it
fails, or is not processed in time. There are no others. All tests read one run.

Five tasks of ``support/dags/metrics.py`` upload a file of one code each, to the list of their name.
``here`` gets a 429, and a 503 to a poll; the reply to ``lost`` is lost, and its list is read after
a 503; ``deferred`` waits in a trigger; the file of ``bad`` fails, and that of ``slow`` is never
processed within a second. All but ``lost`` wait.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.airflow_site import AirflowSite
from support.statsd_server import StatsD
from wes_provider.emulator import Emulator, faults

PROCESSED = {
    "polled on its worker, after a 429 and a 503": "here",
    "recognised after a lost reply": "lost",
    "waited for in a trigger": "deferred",
}
of_processed = pytest.mark.parametrize("list_id", PROCESSED.values(), ids=PROCESSED)


class Measured(NamedTuple):
    """The values of each metric, as StatsD gets them, and how often the service got a request."""

    values: dict[str, list[str]]
    requests: dict[str, int]


@pytest.fixture(scope="module")
def measured(module_site: AirflowSite, module_emulator: Emulator, _statsd: StatsD) -> Measured:
    module_emulator.configure(processing_time=0.5)
    module_emulator.fail("upload_coupon_file", faults.rate_limited(reset_in=0.1), list_id="here")
    module_emulator.fail("upload_coupon_file", faults.reply_lost(), list_id="lost")
    module_emulator.fail("list_coupon_files", faults.error(503), list_id="lost")
    module_emulator.fail("get_coupon_file", faults.error(503), list_id="here")
    module_emulator.script(list_id="bad", outcome="failure", processing_time=0)
    module_emulator.script(list_id="slow", outcome="never")
    url = module_emulator.host("coupons.csv", b"A\n")
    _statsd.packets()  # those of earlier tests
    module_site.run(module_site.write_dag_file("metrics", url=url))
    return Measured(_statsd.received(), dict(module_emulator.counts))


COUNTS = {
    "wes.requests.upload_coupon_file": 5 + 1,
    "wes.rate_limits.upload_coupon_file": 1,
    "wes.retries.list_coupon_files": 1,
    "wes.unknown_outcomes.upload_coupon_file": 1,
    "wes.waits.done": 2,
    "wes.waits.failed": 1,
    "wes.waits.timed_out": 1,
}


@pytest.mark.parametrize("metric", COUNTS)
def test_each_refusal_repetition_unknown_outcome_and_end_of_a_wait_is_counted(
    measured: Measured, metric: str
):
    assert len(measured.values[metric]) == COUNTS[metric]


@pytest.mark.parametrize("operation", ["list_coupon_files", "get_coupon_file"])
def test_as_many_reads_are_counted_as_the_service_gets(measured: Measured, operation: str):
    assert len(measured.values[f"wes.requests.{operation}"]) == measured.requests[operation]


@of_processed
def test_the_added_coupons_of_each_processed_file_are_counted_for_its_list(
    measured: Measured, list_id: str
):
    assert measured.values[f"wes.coupons.added.{list_id}"] == ["1|c"]


@of_processed
def test_the_duplicates_of_each_processed_file_are_counted_for_its_list(
    measured: Measured, list_id: str
):
    assert measured.values[f"wes.coupons.duplicates.{list_id}"] == ["0|c"]


def test_there_are_no_other_metrics(measured: Measured):
    of_files = [
        f"wes.coupons.{kind}.{name}"
        for kind in ("added", "duplicates")
        for name in PROCESSED.values()
    ]
    reads = ["wes.requests.list_coupon_files", "wes.requests.get_coupon_file"]
    assert sorted(measured.values) == sorted([*COUNTS, *reads, *of_files])


def test_the_time_of_a_wait_is_measured_in_milliseconds(measured: Measured):
    """It ends half a second after its upload, and within the timeout of a minute."""
    waits = [float(value.removesuffix("|ms")) for value in measured.values["wes.waits.done"]]
    assert all(500 <= value < 60_000 for value in waits)
