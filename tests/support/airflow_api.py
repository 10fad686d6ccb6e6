"""The REST API of a site's Airflow 3, whose API server runs with all of its applications."""

from __future__ import annotations

import time
from typing import Any

import requests

from support.airflow_site import AirflowSite

WITH_PUBLIC_API = ("api-server",)
"""The command for ``AirflowSite.processes``."""


def call(site: AirflowSite, method: str, path: str, **body: Any) -> Any:
    """Send a request below ``/api/v2``; the result is the body of its response."""
    url = f"http://127.0.0.1:{site.port}"
    for _ in range(60):  # the application may start after its port
        try:
            token = requests.get(f"{url}/auth/token", timeout=60).json()["access_token"]
            break
        except requests.ConnectionError:
            time.sleep(1)
    headers = {"Authorization": f"Bearer {token}"}
    response = requests.request(method, f"{url}/api/v2/{path}", json=body or None, headers=headers, timeout=60)
    assert response.ok, response.text
    return response.json() if response.content else None
