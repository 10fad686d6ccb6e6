"""``wes-doctor`` with a real Airflow: its connections, and example DAGs that run with the settings it prints."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from support.doctor_service import PROFILES, diagnose, service
from support.examples import prepare
from wes_provider.emulator import Emulator

EXAMPLES = ["wes_replenish_coupon_list", "wes_provision_catalog"]
if find_spec("wes_provider.guards"):
    EXAMPLES.append("wes_refresh_segment")


@pytest.mark.skipif(
    AIRFLOW_VERSION < (3, 3), reason="the settings are the same everywhere: the newest Airflow suffices"
)
@pytest.mark.parametrize("name", PROFILES)
def test_with_the_settings_found_the_example_dags_run(name: str, site: AirflowSite):
    with service(PROFILES[name]) as emulator:
        report = diagnose(emulator, upload=True)
        prepare(site, emulator)
        connection = emulator.connection(extra=report.extra)
        site.env["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(connection)
        for dag_id in EXAMPLES:
            assert site.run(dag_id).state == "success", dag_id


def run_doctor(site: AirflowSite, *argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "wes_provider.doctor", *argv],
        env={**site.settings(), **site.env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("stored", ["environment", "database"])
def test_the_connection_is_airflows(stored: str, site: AirflowSite, wes_emulator: Emulator):
    connection = wes_emulator.connection()
    if stored == "database":
        site.airflow("connections", "add", "shop", "--conn-json", json.dumps(connection))
    else:
        site.env["AIRFLOW_CONN_SHOP"] = json.dumps(connection)
    done = run_doctor(site, "--conn-id", "shop", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["connection"], report["address"]) == ("shop", wes_emulator.url)
    assert report["reads"] == len(wes_emulator.requests)
    for key in (wes_emulator.api_key, wes_emulator.data_api_key):
        assert key not in done.stdout + done.stderr


def test_a_connection_that_is_not_there_is_wrong_usage(site: AirflowSite):
    done = run_doctor(site, "--conn-id", "nowhere")
    assert done.returncode == 2
    assert "connection 'nowhere' cannot be read" in done.stderr
