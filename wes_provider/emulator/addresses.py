"""Where an emulator is, for those who connect to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["CONTROL_PATH", "HOSTING_PATH", "connection_of", "form_fields"]

CONTROL_PATH: Final = "/_emulator"
HOSTING_PATH: Final = "/_emulator/hosted"


def connection_of(
    settings: Mapping[str, Any], url: str, workspace: str | None = None, verify: str | None = None
) -> dict[str, Any]:
    """
    An Airflow connection: ``conn_type``, ``host``, ``login``, ``password`` and ``extra``.

    :param settings: the emulator's, as JSON.
    :param url: the URL of the service.
    :param workspace: the identifier of a further workspace; ``None`` for the first.
    :param verify: the CA certificate's path, if the service speaks TLS.
    :raises ValueError: if there is no such workspace.
    """
    accounts = {settings["workspace_id"]: settings, **settings["workspaces"]}
    login = settings["workspace_id"] if workspace is None else workspace
    if login not in accounts:
        raise ValueError(f"there is no workspace {login!r}; there are {list(accounts)}")
    key, data_key = accounts[login]["api_key"], accounts[login]["data_api_key"]
    extra = {} if data_key in (None, key) else {"data_api_key": data_key}
    if verify is not None:
        extra["verify"] = verify
    return {"conn_type": "wes", "host": url, "login": login, "password": key, "extra": extra}


def form_fields(connection: Mapping[str, Any]) -> dict[str, str]:
    """A connection as it is entered in Airflow's form, by the names that the form has."""
    address, _, port = connection["host"].rpartition(":")
    extra = dict(connection["extra"])
    labels = {"data_api_key": "Data API key", "verify": "Verify TLS"}
    return {
        "Connection Type": "Workforce Engagement Service",
        "Address": address,
        "Port": port,
        "Workspace identifier": connection["login"],
        "Campaign API key": connection["password"],
        **{label: extra.pop(name) for name, label in labels.items() if name in extra},
        **({"Extra": json.dumps(extra)} if extra else {}),
    }
