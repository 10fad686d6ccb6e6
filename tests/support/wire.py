"""Emulators in other processes, and what their callers see on the wire."""

from __future__ import annotations

import http.client
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

import requests

from wes_provider.emulator import EmulatorControl
from wes_provider.emulator.control import Controls

COMMAND = [sys.executable, "-m", "wes_provider.emulator"]


@contextmanager
def serving(*options: str, **more: Any) -> Iterator[tuple[subprocess.Popen[str], EmulatorControl]]:
    """``wes-emulator serve`` on a free port; killed at the end if it has not ended."""
    ca_file = options[options.index("--ca-file") + 1] if "--ca-file" in options else None
    command = [*COMMAND, "serve", *options, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **more) as process:
        try:
            assert process.stdout is not None
            url = next(
                line.split()[2].rstrip(",")
                for line in process.stdout
                if line.startswith("Serving on ")
            )
            yield process, EmulatorControl(url, ca_file)
        finally:
            process.kill()


class Session(requests.Session):
    """A caller with the right credentials, that follows no redirect; paths instead of URLs."""

    def __init__(self, emulator: Controls, key: str | None = None) -> None:
        super().__init__()
        self.trust_env = False
        self.verify = emulator.ca_file or True
        self._url = emulator.url
        self.auth = (emulator.workspace_id, key or emulator.api_key)
        self.headers[emulator.settings["workspace_header"]] = emulator.workspace_id

    def request(
        self, method: str | bytes, url: str | bytes, *args: Any, **kwargs: Any
    ) -> requests.Response:
        kwargs = {"timeout": 30, **kwargs, "allow_redirects": False}
        return super().request(method, f"{self._url}{url!s}", *args, **kwargs)

    def upload(
        self, file_url: str = "http://127.0.0.1:9/none.csv", list_id: str = "list-1", **more: Any
    ) -> Any:
        """The file, once it is accepted."""
        response = self.post(
            f"/v1/coupon-list/{list_id}/files", json={"file_url": file_url, **more}
        )
        assert response.status_code == 201, response.text
        return response.json()

    def fetch(self, file: dict[str, Any]) -> Any:
        """The file as it is now."""
        response = self.get(f"/v1/coupon-list/{file['coupons_list_id']}/files/{file['_id']}")
        assert response.status_code == 200, response.text
        return response.json()


def raw_get(url: str, path: str) -> int:
    """The status of a GET of a path, which no client changes."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    with closing(connection):
        connection.putrequest("GET", path)
        connection.endheaders()
        return connection.getresponse().status
