"""
``wes-doctor --conn-id`` with a real Airflow. It reads the service of a connection whether Airflow
has it from the environment or from its database, reports its name and its address, and shows none
of its keys. Without a list, it cannot prove everything, so it ends with exit code 1.

If a service deviates from the contract in four ways at once, the example DAGs run on it with the
settings that the doctor finds.
"""

from __future__ import annotations

import json

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from support.doctor_service import AT_ONCE, check_examples, merged
from wes_provider.emulator import Emulator


@pytest.mark.skipif(
    AIRFLOW_VERSION < (3, 3),
    reason="the settings are the same everywhere: the newest Airflow suffices",
)
@pytest.mark.parametrize(
    "names",
    AT_ONCE,
    ids="+".join,
)
@pytest.mark.weekly(
    "the unit tier reads them all, and the first day's rehearsal runs a DAG with some"
)
def test_with_the_settings_found_the_example_dags_run(names: tuple[str, ...], site: AirflowSite):
    """Four variants at once."""
    check_examples(site, merged(names))


@pytest.mark.parametrize("stored", ["environment", "database"])
def test_the_doctor_reads_the_service_of_a_connection_wherever_airflow_stores_it(
    stored: str, site: AirflowSite, wes_emulator: Emulator
):
    """It shows none of the connection's keys; without a list, it cannot prove everything."""
    connection = wes_emulator.connection()
    if stored == "database":
        site.airflow("connections", "add", "shop", "--conn-json", json.dumps(connection))
    else:
        site.env["AIRFLOW_CONN_SHOP"] = json.dumps(connection)
    argv = ["python", "-m", "wes_provider.doctor", "--conn-id", "shop", "--json"]
    done = site.airflow(*argv, check=False)
    assert done.exit_code == 1, "not everything is proved"
    report, _ = json.JSONDecoder().raw_decode(done.output[done.output.index("{\n") :])
    assert (report["connection"], report["address"]) == ("shop", wes_emulator.url)
    assert report["reads"] == len(wes_emulator.requests)
    for key in (wes_emulator.api_key, wes_emulator.data_api_key):
        assert key not in done.output
