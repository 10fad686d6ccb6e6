"""A StatsD server, which is where Airflow sends its metrics."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import suppress


class StatsD:
    """Receives what Airflow sends, all the time: there is room for a few hundred packets in a socket."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.setblocking(False)
        self._received: list[str] = []
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._receive)
        self._thread.start()

    def _receive(self) -> None:
        while not self._closed.wait(0.05):
            self._drain()

    def _drain(self) -> None:
        with self._lock, suppress(BlockingIOError):
            while True:
                self._received.append(self._socket.recv(65536).decode())

    @property
    def env(self) -> dict[str, str]:
        """Has Airflow send here."""
        return {
            "AIRFLOW__METRICS__STATSD_ON": "True",
            "AIRFLOW__METRICS__STATSD_HOST": "127.0.0.1",
            "AIRFLOW__METRICS__STATSD_PORT": str(self._socket.getsockname()[1]),
            "AIRFLOW__METRICS__STATSD_PREFIX": "airflow",
        }

    def packets(self) -> list[str]:
        """What has arrived since the last call."""
        self._drain()
        with self._lock:
            packets, self._received = self._received, []
        return packets

    def received(self) -> dict[str, list[str]]:
        """Of that, the values of the provider's metrics by name."""
        found: dict[str, list[str]] = {}
        for packet in self.packets():
            for name, value in re.findall(r"^airflow\.(wes\.[^:]+):(.*)$", packet, re.MULTILINE):
                found.setdefault(name, []).append(value)
        return found

    def close(self) -> None:
        self._closed.set()
        self._thread.join()
        self._socket.close()
