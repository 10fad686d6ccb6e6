"""The provider's metrics, as they arrive at a StatsD server."""

from __future__ import annotations

from support.airflow_site import AirflowSite
from support.statsd_server import StatsD
from wes_provider.emulator import Emulator, faults

PROCESSED = ("here", "lost", "deferred")


def test_requests_and_waits_are_counted(site: AirflowSite, wes_emulator: Emulator, statsd: StatsD):
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
        "wes.requests.upload_coupon_file": 6,
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
    assert metrics["wes.coupons.added.here"] == ["1|c"]
    waits = [float(value.removesuffix("|ms")) for value in metrics["wes.waits.done"]]
    assert all(value >= 500 for value in waits)
