"""Airflow's own commands list the provider."""

from __future__ import annotations

from support.airflow_site import AirflowSite


def test_airflow_lists_the_provider_and_its_hook(site: AirflowSite):
    assert "airflow-provider-wes" in site.airflow("providers", "list", "--output", "json").output
    assert "wes_provider.hooks.WesHook" in site.airflow("providers", "hooks", "--output", "json").output
