"""
Apache Airflow provider for the Workforce Engagement Service.

Airflow imports this module in every one of its processes to learn what the provider offers, so it
imports nothing itself.
"""

from __future__ import annotations

from typing import Any

__all__ = ["__version__", "get_provider_info"]

__version__ = "0.1.0"


def get_provider_info() -> dict[str, Any]:
    """
    Tell what Airflow's providers manager and its connection form need to know (checked against
    Airflow's schemas).
    """
    from wes_provider.connection_form import BEHAVIOUR, FIELDS

    name = "Workforce Engagement Service"
    uris = [
        {
            "schemes": ["wes"],
            "handler": None,  # one that is not there at all means no such scheme
            "to_openlineage_converter": "wes_provider.lineage.asset_dataset",
        }
    ]
    return {
        "package-name": "airflow-provider-wes",
        "name": name,
        "description": "Coupon lists, catalogs and segments of the Workforce Engagement Service "
        "(WES).",
        "versions": [__version__],
        "integrations": [{"integration-name": name}],
        "hooks": [{"integration-name": name, "python-modules": ["wes_provider.hooks"]}],
        "operators": [{"integration-name": name, "python-modules": ["wes_provider.operators"]}],
        "sensors": [{"integration-name": name, "python-modules": ["wes_provider.sensors"]}],
        "triggers": [{"integration-name": name, "python-modules": ["wes_provider.triggers"]}],
        "extra-links": ["wes_provider.links.WesConsoleLink"],
        "asset-uris": uris,
        "dataset-uris": uris,  # what Airflow 2.11 calls them
        "connection-types": [
            {
                "connection-type": "wes",
                "hook-class-name": "wes_provider.hooks.WesHook",
                "hook-name": name,
                "ui-field-behaviour": BEHAVIOUR,
                "conn-fields": FIELDS,
            }
        ],
    }
