"""
Servers: one that sends whatever bytes it is told to, one that replies as a function says, and a
proxy.
"""

from __future__ import annotations

import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from requests.structures import CaseInsensitiveDict

OnReply: TypeAlias = Callable[[bytes], bytes | None]


class Request(NamedTuple):
    """One request as it came."""

    line: str
    headers: CaseInsensitiveDict[str]
    body: bytes

    def head(self) -> str:
        """The headers, one a line."""
        return "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())


def read_request(file: Any) -> Request | None:
    """The next request of a connection's file; ``None`` at its end."""
    line = file.readline().decode().strip()
    if not line:
        return None
    headers: CaseInsensitiveDict[str] = CaseInsensitiveDict()
    while header := file.readline().decode("latin-1").strip():
        name, _, value = header.partition(":")
        headers[name] = value.strip()
    return Request(line, headers, file.read(int(headers.get("Content-Length", 0))))


def response(status: int, *headers: str, body: bytes = b"") -> bytes:
    """A response that no other server has sent."""
    lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", *headers]
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body


@contextmanager
def listening(
    handle: Callable[[socket.socket], None], context: ssl.SSLContext | None = None
) -> Iterator[str]:
    """
    Handle each connection to a free port in a thread of its own.

    :param context: to speak TLS.
    :return: the address.
    """
    connections: list[socket.socket] = []

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            self.request.settimeout(30)
            # Or each small piece costs 40 ms.
            self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with suppress(OSError):
                connection = (
                    context.wrap_socket(self.request, server_side=True) if context else self.request
                )
                connections.append(connection)
                with connection:
                    handle(connection)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:  # whose end waits for its threads
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"{'https://localhost' if context else 'http://127.0.0.1'}:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
            for connection in connections:  # a client may have kept it open
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class Serving:
    """What serves on a free port as long as its context lasts; ``url`` leads there."""

    url = ""

    @contextmanager
    def serving(self) -> Iterator[Any]:
        with listening(self.handle) as self.url:
            yield self

    def handle(self, connection: socket.socket) -> None:
        raise NotImplementedError


# -- whatever bytes


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


class HostileServer(Serving):
    """
    :ivar response: to every request from now on.
    :ivar requests: so far.
    :ivar sent: bytes that went out, those in the sockets' buffers included.
    """

    def __init__(self) -> None:
        self.response = Bytes(())
        self.requests: list[Request] = []
        self.sent = 0

    def over_tls(self, context: ssl.SSLContext) -> AbstractContextManager[str]:
        """Serve on another port, too; its address."""
        return listening(self.handle, context)

    def handle(self, connection: socket.socket) -> None:
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


# -- as a function says


@dataclass(frozen=True)
class Reply:
    """
    What is sent; ``headers`` beyond those about the body's length.

    :ivar is_cut_off: whether the connection is closed after half of the body.
    """

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    is_cut_off: bool = False


def replying(
    reply: Callable[[str, str, Mapping[str, str]], Reply],
    on_body: Callable[[bytes], None] = lambda _: None,
) -> AbstractContextManager[str]:
    """
    Serve on a free port.

    :param reply: takes method, path and headers.
    :param on_body: takes the body of each request that has one, before ``reply``.
    :return: the server's address.
    """

    def handle(connection: socket.socket) -> None:
        with connection.makefile("rb") as file:
            while (request := read_request(file)) is not None:
                if request.body:
                    on_body(request.body)
                method, path, _ = request.line.split()
                given = reply(method, path, request.headers)
                headers = (f"{name}: {value}" for name, value in given.headers.items())
                sent = response(given.status, *headers, body=given.body)
                if given.is_cut_off:
                    connection.sendall(sent[: -len(given.body) // 2])
                    return
                connection.sendall(sent)

    return listening(handle)


# -- a proxy that forwards, refuses, injects and loses


class Proxy(Serving):
    """
    A proxy for http, and with CONNECT for https.

    :ivar responses: to the next requests, one each; ``b""`` closes the connection. CONNECT is a
        request. Further requests are forwarded.
    :ivar in_tunnel: sent in place of everything that a tunnel would carry, before the connection is
        closed; ``None`` opens the tunnel.
    :ivar on_reply: maps each piece of a server's reply to what the caller gets of it; ``None``
        closes the connection.
    :ivar requests: the first lines of the requests so far.
    :ivar headers: of each of them, as text, below its first line.
    """

    def __init__(self) -> None:
        self.responses: list[bytes] = []
        self.in_tunnel: bytes | None = None
        self.on_reply: OnReply = lambda piece: piece
        self.requests: list[str] = []
        self.headers: list[str] = []

    def handle(self, connection: socket.socket) -> None:
        with connection.makefile("rb") as file:
            while (request := read_request(file)) is not None:
                self.requests.append(request.line)
                self.headers.append(f"{request.line}\r\n{request.head()}")
                if self.responses:
                    connection.sendall(reply := self.responses.pop(0))
                    if reply:
                        continue
                elif request.line.startswith("CONNECT "):
                    self._open_tunnel(connection, request.line.split()[1])
                else:
                    self._forward(connection, request)
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
        request.headers["Connection"] = "close"
        head = f"{method} {path} HTTP/1.1\r\n{request.head()}\r\n".encode("latin-1")
        with socket.create_connection((parts.hostname or "", parts.port or 80)) as server:
            server.sendall(head + request.body)
            reply = self.on_reply(b"".join(iter(lambda: server.recv(65536), b"")))
        caller.sendall(reply or b"")


def copy(
    source: socket.socket, target: socket.socket, on_reply: OnReply = lambda piece: piece
) -> None:
    """Carry bytes one way until either side ends; then end both."""
    with suppress(OSError):
        while (piece := source.recv(65536)) and (passed := on_reply(piece)) is not None:
            target.sendall(passed)
    for connection in (source, target):
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
