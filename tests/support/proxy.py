"""A proxy that forwards, refuses, injects and loses."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from email.policy import HTTP
from typing import TypeAlias
from urllib.parse import urlsplit

from support.hostile_server import Request, listening, read_request

OnReply: TypeAlias = Callable[[bytes], bytes | None]


def response(status: int, *headers: str, body: bytes = b"") -> bytes:
    """A response that no other server has sent."""
    lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", *headers]
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body


class Proxy:
    """
    A proxy for http, and with CONNECT for https.

    :ivar responses: to the next requests, one each; ``b""`` closes the connection. CONNECT is a request. Further
        requests are forwarded.
    :ivar in_tunnel: sent in place of everything that a tunnel would carry, before the connection is closed; ``None``
        opens the tunnel.
    :ivar on_reply: maps each piece of a server's reply to what the caller gets of it; ``None`` closes the connection.
    :ivar requests: the first lines of the requests so far.
    :ivar headers: of each of them, as text.
    """

    def __init__(self) -> None:
        self.responses: list[bytes] = []
        self.in_tunnel: bytes | None = None
        self.on_reply: OnReply = lambda piece: piece
        self.requests: list[str] = []
        self.headers: list[str] = []
        self.url = ""

    @contextlib.contextmanager
    def serving(self) -> Iterator[Proxy]:
        with listening(self._handle) as port:
            self.url = f"http://127.0.0.1:{port}"
            yield self

    def _handle(self, caller: socket.socket) -> None:
        with caller.makefile("rb") as file:
            while (request := read_request(file)) is not None:
                self.requests.append(request.line)
                self.headers.append(str(request.headers))
                if self.responses:
                    if not (reply := self.responses.pop(0)):
                        return
                    caller.sendall(reply)
                elif request.line.startswith("CONNECT "):
                    self._open_tunnel(caller, request.line.split()[1])
                    return
                else:
                    self._forward(caller, request)
                    return

    def _open_tunnel(self, caller: socket.socket, address: str) -> None:
        caller.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        if self.in_tunnel is None:
            host, _, port = address.rpartition(":")
            with socket.create_connection((host, int(port))) as server:
                sending = threading.Thread(target=copy, args=(caller, server))
                sending.start()
                copy(server, caller, self.on_reply)
                sending.join()
        elif self.in_tunnel:
            caller.recv(65536)
            caller.sendall(self.in_tunnel)

    def _forward(self, caller: socket.socket, request: Request) -> None:
        method, target, _ = request.line.split()
        parts = urlsplit(target)
        path = parts._replace(scheme="", netloc="").geturl()
        del request.headers["Connection"]
        request.headers["Connection"] = "close"
        head = f"{method} {path} HTTP/1.1\r\n".encode() + request.headers.as_bytes(policy=HTTP)
        with socket.create_connection((parts.hostname or "", parts.port or 80)) as server:
            server.sendall(head + request.body)
            reply = self.on_reply(b"".join(iter(lambda: server.recv(65536), b"")))
        caller.sendall(reply or b"")


def copy(source: socket.socket, target: socket.socket, on_reply: OnReply = lambda piece: piece) -> None:
    """Carry bytes one way until either side ends; then end both."""
    with contextlib.suppress(OSError):
        while (piece := source.recv(65536)) and (passed := on_reply(piece)) is not None:
            target.sendall(passed)
    for connection in (source, target):
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
