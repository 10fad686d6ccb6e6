"""The fixture ``wes_emulator``, which users' tests have as soon as the provider is installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wes_provider.emulator import Emulator

TESTS = """
import json, os, urllib.request

URLS = set()


def test_it_serves_and_is_the_default_connection(wes_emulator):
    connection = json.loads(os.environ["AIRFLOW_CONN_WES_DEFAULT"])
    assert connection == wes_emulator.connection()
    assert urllib.request.urlopen(connection["host"] + "/_emulator/").status == 200
    wes_emulator.configure(list_lag=7)
    wes_emulator.clock.advance(1_000_000)
    URLS.add(wes_emulator.url)


def test_it_is_reset_for_each_test(wes_emulator):
    assert wes_emulator.settings["list_lag"] == 0
    assert wes_emulator.counts == {}
    URLS.add(wes_emulator.url)
    assert len(URLS) == 1


def test_the_connection_goes_with_the_fixture():
    assert "AIRFLOW_CONN_WES_DEFAULT" not in os.environ
"""


def test_users_find_it_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "AIRFLOW_CONN"))}
    result = subprocess.run(
        [sys.executable, "-W", "error", "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:asyncio", "-q", "."],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "3 passed" in result.stdout


@pytest.mark.wes(list_lag=1, fetch_lag=1, seed={"version": 1, "lists": {"class": {}}})
class TestMarkers:
    @pytest.mark.wes(list_lag=2, limits=None)
    @pytest.mark.wes(speed=0, seed={"version": 1, "lists": {"test": {"files": 1}}})
    def test_markers_add_up_and_the_nearest_one_counts(self, wes_emulator: Emulator) -> None:
        settings = wes_emulator.settings
        assert (settings["list_lag"], settings["fetch_lag"], settings["speed"], settings["limits"]) == (2, 1, 0, None)
        assert len(wes_emulator.files("test")) == 1


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("pytest_plugin", ("wes_provider.emulator.pytest_plugin",)),
        ("cli", ("wes_provider.emulator", "wes_provider.contract", "wes_provider.texts")),
    ],
)
def test_plugin_loads_nothing_and_the_emulator_neither_airflow_nor_the_client(
    module: str, allowed: tuple[str, ...]
) -> None:
    script = f"""if True:
        import json, sys
        import pytest
        before = set(sys.modules)
        import wes_provider.emulator.{module}
        print(json.dumps(sorted(set(sys.modules) - before - {{"wes_provider", "wes_provider.emulator"}})))
    """
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    loaded = json.loads(result.stdout)
    if module == "cli":
        loaded = [name for name in loaded if name.startswith(("airflow", "wes_provider.", "requests"))]
    assert [name for name in loaded if not name.startswith(allowed)] == []
