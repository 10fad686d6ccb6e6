"""A StatsD server, which is where Airflow sends its metrics."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator


class StatsD:
    """Receives what Airflow sends."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(0)

    @property
    def env(self) -> dict[str, str]:
        """Has Airflow send here."""
        return {
            "AIRFLOW__METRICS__STATSD_ON": "True",
            "AIRFLOW__METRICS__STATSD_HOST": "127.0.0.1",
            "AIRFLOW__METRICS__STATSD_PORT": str(self._socket.getsockname()[1]),
            "AIRFLOW__METRICS__STATSD_PREFIX": "airflow",
        }

    def packets(self) -> Iterator[str]:
        """What has arrived since the last call."""
        while True:
            try:
                yield self._socket.recv(65536).decode()
            except BlockingIOError:
                return

    def received(self) -> dict[str, list[str]]:
        """Of that, the values of the provider's metrics by name."""
        found: dict[str, list[str]] = {}
        for packet in self.packets():
            for name, value in re.findall(r"^airflow\.(wes\.[^:]+):(.*)$", packet, re.MULTILINE):
                found.setdefault(name, []).append(value)
        return found

    def close(self) -> None:
        self._socket.close()
