"""Settings of a connection, for tests of what takes them."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import msgspec

from wes_provider.settings import WesSettings

CONNECTION = {
    "host": "http://127.0.0.1:9",
    "login": "workspace-1",
    "password": "s3cret-campaign",
    "extra": {},
}


def settings(connection: dict[str, Any] | None = None, **changes: Any) -> WesSettings:
    """
    Those of a connection, some of them changed.

    :param connection: as ``Emulator.connection()`` has it.
    """
    fields = {"schema": None, "port": None, "conn_id": "wes_default", **(connection or CONNECTION)}
    read = WesSettings.from_connection(
        SimpleNamespace(**{**fields, "extra": json.dumps(fields["extra"])})
    )
    return msgspec.structs.replace(read, **changes)
