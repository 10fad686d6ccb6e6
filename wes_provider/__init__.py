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
    """What Airflow's providers manager and its connection form need to know (checked against Airflow's schemas)."""
    return {
        "package-name": "airflow-provider-wes",
        "name": "Workforce Engagement Service",
        "description": "Coupon lists, catalogs and segments of the Workforce Engagement Service (WES).",
        "versions": [__version__],
        "connection-types": [
            {
                "connection-type": "wes",
                "hook-class-name": "wes_provider.hooks.WesHook",
                "hook-name": "Workforce Engagement Service",
            }
        ],
    }
