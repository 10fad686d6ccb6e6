"""The example DAGs run on each variant of the service, with the settings that ``wes-doctor`` prints."""

from __future__ import annotations

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from support.doctor_service import PROFILES, check_examples


@pytest.mark.weekly("the airflow tier has all variants, four at a time")
@pytest.mark.skipif(
    AIRFLOW_VERSION < (3, 3), reason="the settings are the same everywhere: the newest Airflow suffices"
)
@pytest.mark.usefixtures("scheduler_template")
@pytest.mark.parametrize("name", PROFILES)
def test_with_the_settings_found_the_example_dags_run(name: str, site: AirflowSite):
    """One variant at a time; here, as it takes a minute, though it needs no scheduler."""
    check_examples(site, PROFILES[name])
