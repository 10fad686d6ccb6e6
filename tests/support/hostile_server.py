"""A TCP server that replies to every request with whatever bytes it is told to, with or without TLS."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPMessage
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any, Literal, NamedTuple


class Request(NamedTuple):
    """One request as it came."""

    line: str
    headers: HTTPMessage
    body: bytes


def read_request(file: Any) -> Request | None:
    """The next request of a connection's file; ``None`` at its end."""
    line = file.readline().decode().strip()
    if not line:
        return None
    headers = http.client.parse_headers(file)
    return Request(line, headers, file.read(int(headers.get("Content-Length", 0))))


@contextlib.contextmanager
def listening(handle: Callable[[socket.socket], None], context: ssl.SSLContext | None = None) -> Iterator[int]:
    """
    Handle each connection to a free port in a thread of its own.

    :param context: to speak TLS.
    :return: the port.
    """
    connections: list[socket.socket] = []

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            self.request.settimeout(30)
            self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or each small piece costs 40 ms
            with contextlib.suppress(OSError):
                connection = context.wrap_socket(self.request, server_side=True) if context else self.request
                connections.append(connection)
                with connection:
                    handle(connection)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:  # whose end waits for its threads
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
            for connection in connections:  # a client may have kept it open
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True)
class Bytes:
    """
    What is sent in answer to a request.

    :ivar pieces: sent one after the other; may be endless.
    :ivar ending: ``close`` the connection, ``reset`` it, or ``stall`` until the caller hangs up.
    :ivar pause: seconds between pieces.
    """

    pieces: Iterable[bytes]
    ending: Literal["close", "reset", "stall"] = "close"
    pause: float = 0.0


class HostileServer:
    """
    :ivar response: to every request from now on.
    :ivar requests: so far.
    :ivar sent: bytes that went out, those in the sockets' buffers included.
    """

    def __init__(self) -> None:
        self.response = Bytes(())
        self.requests: list[Request] = []
        self.sent = 0
        self.url = ""

    @contextlib.contextmanager
    def serving(self) -> Iterator[HostileServer]:
        with listening(self._handle) as port:
            self.url = f"http://127.0.0.1:{port}"
            yield self

    @contextlib.contextmanager
    def over_tls(self, context: ssl.SSLContext) -> Iterator[str]:
        """Serve on another port, too; its address."""
        with listening(self._handle, context) as port:
            yield f"https://localhost:{port}"

    def _handle(self, connection: socket.socket) -> None:
        with connection.makefile("rb") as file:
            request = read_request(file)
        if request is None:
            return
        self.requests.append(request)
        response = self.response
        for piece in response.pieces:
            connection.sendall(piece)
            self.sent += len(piece)
            if response.pause:  # otherwise time.sleep may be a test's
                time.sleep(response.pause)
        if response.ending == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        if response.ending == "stall":
            connection.recv(1)
