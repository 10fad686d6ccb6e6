"""
The provider's metrics, as they arrive at a StatsD server: how many requests and waits there were of
each kind, and how many coupons were added. The DAG is ``support/dags/metrics.py``.
"""

from __future__ import annotations

from support.airflow_site import AirflowSite
from support.statsd_server import StatsD
from wes_provider.emulator import Emulator, faults

PROCESSED = ("here", "lost", "deferred")


def test_requests_and_waits_are_counted(site: AirflowSite, wes_emulator: Emulator, statsd: StatsD):
    """
    Five tasks upload a file of one code each, to the list of their name. ``here`` gets a 429, and a
    503 to a poll; the reply to ``lost`` is lost, and its list is read after a 503; ``deferred``
    waits in a trigger; the file of ``bad`` fails, and that of ``slow`` is never processed. All but
    ``lost`` wait.
    """
    wes_emulator.configure(processing_time=0.5)
    wes_emulator.fail("upload_coupon_file", faults.rate_limited(reset_in=0.1), list_id="here")
    wes_emulator.fail("upload_coupon_file", faults.reply_lost(), list_id="lost")
    wes_emulator.fail("list_coupon_files", faults.error(503), list_id="lost")
    wes_emulator.fail("get_coupon_file", faults.error(503), list_id="here")
    wes_emulator.script(list_id="bad", outcome="failure", processing_time=0)
    wes_emulator.script(list_id="slow", outcome="never")
    url = wes_emulator.host("coupons.csv", b"A\n")
    site.run(site.write_dag_file("metrics", url=url))
    metrics = statsd.received()
    assert {name: len(values) for name, values in metrics.items()} == {
        "wes.requests.upload_coupon_file": 5 + 1,
        "wes.rate_limits.upload_coupon_file": 1,
        "wes.retries.list_coupon_files": 1,
        "wes.unknown_outcomes.upload_coupon_file": 1,
        "wes.requests.list_coupon_files": wes_emulator.counts["list_coupon_files"],
        "wes.requests.get_coupon_file": wes_emulator.counts["get_coupon_file"],
        "wes.waits.done": 2,
        "wes.waits.failed": 1,
        "wes.waits.timed_out": 1,
        **{f"wes.coupons.added.{name}": 1 for name in PROCESSED},
        **{f"wes.coupons.duplicates.{name}": 1 for name in PROCESSED},
    }
    assert [metrics[f"wes.coupons.added.{name}"] for name in PROCESSED] == [["1|c"]] * 3
    assert [metrics[f"wes.coupons.duplicates.{name}"] for name in PROCESSED] == [["0|c"]] * 3
    # A wait ends half a second after its upload, in milliseconds, and within the timeout.
    waits = [float(value.removesuffix("|ms")) for value in metrics["wes.waits.done"]]
    assert all(500 <= value < 60_000 for value in waits)
