"""
The fixture ``wes_emulator``, which users' tests have as soon as the provider is installed, with and
without TLS.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest
import requests

from support.wire import Session
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.hooks import WesHook


class TestItServesEachTest:
    """Users find it by its name: the examples of the docs do."""

    urls: ClassVar[set[str]] = set()

    @pytest.mark.parametrize("number", range(2))
    def test_as_new_and_as_the_default_connection(
        self, wes_emulator: Emulator, number: int
    ) -> None:
        assert json.loads(os.environ["AIRFLOW_CONN_WES_DEFAULT"]) == wes_emulator.connection()
        assert (wes_emulator.settings["list_lag"], wes_emulator.counts) == (0, {})
        self.urls.add(wes_emulator.url)
        assert len(self.urls) == 1
        wes_emulator.configure(list_lag=7)
        wes_emulator.clock.advance(1_000_000)

    def test_and_goes_with_it(self) -> None:
        assert "AIRFLOW_CONN_WES_DEFAULT" not in os.environ


@pytest.mark.wes(list_lag=1, fetch_lag=1, seed={"version": 1, "lists": {"class": {}}})
class TestMarkers:
    @pytest.mark.wes(list_lag=2, limits=None)
    @pytest.mark.wes(speed=0, seed={"version": 1, "lists": {"test": {"files": 1}}})
    def test_markers_add_up_and_the_nearest_one_counts(self, wes_emulator: Emulator) -> None:
        settings = wes_emulator.settings
        assert (
            settings["list_lag"],
            settings["fetch_lag"],
            settings["speed"],
            settings["limits"],
        ) == (2, 1, 0, None)
        assert len(wes_emulator.files("test")) == 1


def test_plugin_loads_nothing_and_the_emulator_neither_airflow_nor_the_client() -> None:
    script = """if True:
        import json, sys, pytest
        before = set(sys.modules)
        import wes_provider.emulator.pytest_plugin
        plugin = set(sys.modules) - before
        import wes_provider.emulator.cli
        print(json.dumps([sorted(plugin), sorted(set(sys.modules) - before)]))
    """
    plugin, emulator = json.loads(
        subprocess.check_output([sys.executable, "-c", script], text=True, timeout=120)
    )
    assert set(plugin) == {
        "wes_provider",
        "wes_provider.emulator",
        "wes_provider.emulator.pytest_plugin",
    }
    others = [
        name for name in emulator if name.startswith(("airflow", "wes_provider.", "requests"))
    ]
    facts = ("contract", "coupon_headers", "texts")
    ours = ("wes_provider.emulator", *(f"wes_provider.{name}" for name in facts))
    assert [name for name in others if not name.startswith(ours)] == []


# -- TLS; ``WES_EMULATOR_TLS=1`` has every test of the fixture run over it -------------------------


@pytest.mark.wes(tls=True, processing_time=0)
def test_over_tls_the_connection_is_enough_for_a_hook_and_for_faults(
    wes_emulator: Emulator, session: Session
) -> None:
    assert "PRIVATE" not in Path(wes_emulator.ca_file or "").read_text()
    assert (
        EmulatorControl(
            wes_emulator.url.replace("127.0.0.1", "localhost"), wes_emulator.ca_file
        ).counts
        == {}
    )
    file = WesHook().upload_coupon_file("list-1", wes_emulator.host("c.csv", b"A\nB\n"))
    # Fetched over TLS, too.
    assert WesHook().get_coupon_file("list-1", file["_id"])["coupons_added"] == 2
    for accepted, fault in enumerate((faults.reply_lost(), faults.reset(effect=True)), 2):
        wes_emulator.fail("upload_coupon_file", fault)
        with pytest.raises(requests.ConnectionError):
            session.upload()
        assert len(wes_emulator.files("list-1")) == accepted


def test_an_expired_certificate_is_not_trusted() -> None:
    with Emulator(tls="expired") as emulator, Session(emulator) as session:
        with pytest.raises(requests.exceptions.SSLError, match="expired"):
            session.upload()
        assert emulator.counts == {}
    with pytest.raises(ValueError, match="tls must be"):
        Emulator(tls="maybe")  # type: ignore[arg-type]
