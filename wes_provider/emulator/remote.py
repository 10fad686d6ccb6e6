"""An emulator that another process serves."""

from __future__ import annotations

import json
import os
import ssl
import urllib.error
import urllib.request
from typing import Any

from wes_provider.emulator.addresses import CONTROL_PATH
from wes_provider.emulator.control import Controls

__all__ = ["EmulatorControl"]


class EmulatorControl(Controls):
    """
    An emulator that another process serves.

    Its ``requests`` have no credentials: ``Authorization`` headers and passwords are ``[redacted]``.

    :param url: its address, as in the environment variable ``WES_EMULATOR_URL``.
    :param ca_file: path of the CA's certificate, if it speaks TLS; default: ``WES_EMULATOR_CA_FILE``.
    """

    url: str = ""
    ca_file: str | None = None

    def __init__(self, url: str, ca_file: str | None = None) -> None:
        self.url = url.rstrip("/")
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({})]  # loopback needs no proxy
        if self.url.startswith("https:"):
            self.ca_file = ca_file or os.environ.get("WES_EMULATOR_CA_FILE")
            handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=self.ca_file)))
        self._opener = urllib.request.build_opener(*handlers)

    def _control(self, action: str, **arguments: Any) -> Any:
        request = urllib.request.Request(  # noqa: S310 - the user's own address
            f"{self.url}{CONTROL_PATH}/{action}",
            data=json.dumps(arguments).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with self._opener.open(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise ValueError(json.load(error)["error"]["message"]) from None
