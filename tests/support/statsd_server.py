"""A StatsD server, which is where Airflow sends its metrics."""

from __future__ import annotations

import re
import threading
from queue import SimpleQueue
from socketserver import BaseRequestHandler, UDPServer

LAST = b"last"


class StatsD(UDPServer):
    """
    Receives what Airflow sends, all the time: there is room for a few hundred packets in a socket.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), BaseRequestHandler)
        self._received: SimpleQueue[bytes] = SimpleQueue()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()
        self.env = {
            "AIRFLOW__METRICS__STATSD_ON": "True",
            "AIRFLOW__METRICS__STATSD_HOST": "127.0.0.1",
            "AIRFLOW__METRICS__STATSD_PORT": str(self.server_address[1]),
            "AIRFLOW__METRICS__STATSD_PREFIX": "airflow",
        }

    def process_request(self, request: object, client_address: object) -> None:
        """Keep one packet."""
        self._received.put(request[0])  # type: ignore[index]

    def packets(self) -> list[str]:
        """What has arrived since the last call."""
        self.socket.sendto(LAST, self.server_address)  # comes after all that has arrived
        return [packet.decode() for packet in iter(self._received.get, LAST)]

    def received(self) -> dict[str, list[str]]:
        """Of that, the values of the provider's metrics by name."""
        found: dict[str, list[str]] = {}
        for name, value in re.findall(
            r"^airflow\.(wes\.[^:]+):(.*)$", "\n".join(self.packets()), re.MULTILINE
        ):
            found.setdefault(name, []).append(value)
        return found

    def close(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()
