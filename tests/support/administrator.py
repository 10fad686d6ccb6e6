"""Who administers a site: its secrets backend, with the connection and its key, and the names of hosts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from wes_provider.emulator import Emulator


class Administrator:
    """Administers a site: has the connection in a secrets backend, the key and names."""

    def __init__(self, folder: Path, emulator: Emulator, key: str, host: str) -> None:
        self.emulator, self._host = emulator, host
        self._secrets, self._control = folder / "connections.json", folder / "disturbance.json"
        self.disturb()
        self.store_key(key)

    @property
    def settings(self) -> dict[str, str]:
        """Environment variables of the site."""
        settings = {"WES_TEST_DISTURBANCE": str(self._control)}
        for name in ("AIRFLOW__SECRETS__BACKEND", "AIRFLOW__WORKERS__SECRETS_BACKEND"):
            settings[name] = "airflow.secrets.local_filesystem.LocalFilesystemBackend"
            settings[f"{name}_KWARGS"] = json.dumps({"connections_file_path": str(self._secrets)})
        return settings

    def store_key(self, key: str) -> None:
        """What the secrets backend has from now on."""
        own = self.emulator.connection()
        host = f"http://{self._host}:{urlsplit(own['host']).port or own.get('port')}"
        extra = {**own.get("extra", {}), "allow_http": True, "read_timeout": 10}
        self._write(
            self._secrets, {"wes_default": {**own, "host": host, "password": key, "extra": extra}}
        )

    def lose_secrets(self) -> None:
        self._secrets.unlink()

    def disturb(self, **control: Any) -> None:
        self._write(self._control, control)

    @staticmethod
    def _write(path: Path, content: Mapping[str, Any]) -> None:
        path.with_suffix(".new").write_text(json.dumps(content))
        path.with_suffix(".new").replace(path)  # at once, so that nobody reads half of it
