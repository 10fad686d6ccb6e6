"""A proxy that forwards, refuses, injects and loses; and TLS in front of a server that has none."""

from __future__ import annotations

import contextlib
import re
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"


def response(status: int, *headers: str) -> bytes:
    """A response of the proxy itself."""
    lines = [f"HTTP/1.1 {status} x", "Content-Length: 0", *headers]
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n"


class Proxy:
    """
    A proxy for http, and with CONNECT for https.

    :ivar responses: to the next requests, one each; ``None`` forwards the request, and ``b""`` closes the connection.
        CONNECT is a request. Further requests are forwarded.
    :ivar in_tunnel: sent in place of everything that a tunnel would carry, before the connection is closed; ``None``
        opens the tunnel.
    :ivar on_reply: maps each piece of a server's reply to what the caller gets of it; ``None`` closes the connection.
    :ivar requests: the first lines of the requests so far.
    :ivar headers: of each of them, as text.
    """

    def __init__(self) -> None:
        self.responses: list[bytes | None] = []
        self.in_tunnel: bytes | None = None
        self.on_reply: Callable[[bytes], bytes | None] = lambda piece: piece
        self.requests: list[str] = []
        self.headers: list[str] = []
        self.url = ""

    @contextlib.contextmanager
    def serving(self) -> Iterator[Proxy]:
        with _listening(self._handle) as port:
            self.url = f"http://127.0.0.1:{port}"
            yield self

    def _handle(self, caller: socket.socket) -> None:
        while (head := _read_head(caller)) is not None:
            line, _, headers = head.partition(b"\r\n")
            method, target, _ = line.decode().split(" ")
            self.requests.append(f"{method} {target}")
            self.headers.append(headers.decode())
            answer = self.responses.pop(0) if self.responses else None
            if method == "CONNECT":
                host, _, port = target.rpartition(":")
                self._connect(caller, answer, (host, int(port)))
                return
            body = _read_body(caller, headers)
            if answer is None:
                answer = self._forward(method, target, headers, body)
            if not answer:
                return
            caller.sendall(answer)

    def _connect(self, caller: socket.socket, answer: bytes | None, address: tuple[str, int]) -> None:
        if answer is not None:
            caller.sendall(answer)
            return
        caller.sendall(CONNECTED)
        if self.in_tunnel is not None:
            if self.in_tunnel:
                caller.recv(65536)
                caller.sendall(self.in_tunnel)
            return
        with socket.create_connection(address) as server:
            relay(caller, server, self.on_reply)

    def _forward(self, method: str, target: str, headers: bytes, body: bytes) -> bytes | None:
        parts = urlsplit(target)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        with socket.create_connection((parts.hostname or "", parts.port or 80)) as server:
            server.sendall(f"{method} {path} HTTP/1.1\r\nConnection: close\r\n".encode() + headers + body)
            reply = b"".join(iter(lambda: server.recv(65536), b""))
        return self.on_reply(re.sub(rb"(?i)connection: close\r\n", b"", reply))


@contextlib.contextmanager
def tls_in_front_of(url: str, certificate: Path) -> Iterator[str]:
    """
    Serve ``https`` for a server that speaks plain ``http``.

    :param url: of the server.
    :param certificate: of :func:`make_certificate`.
    :return: the address that speaks TLS.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    parts = urlsplit(url)

    def handle(caller: socket.socket) -> None:
        with (
            context.wrap_socket(caller, server_side=True) as tls,
            socket.create_connection((parts.hostname or "", parts.port or 80)) as server,
        ):
            relay(tls, server)

    with _listening(handle) as port:
        yield f"https://localhost:{port}"


def make_certificate(folder: Path, days: int = 2) -> Path:
    """
    A key and its self-signed certificate for ``localhost`` in one file, which also serves as a CA bundle.

    :param days: how long it is valid from now on; negative if it is over.
    """
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    ends = datetime.now(timezone.utc) + timedelta(days=days)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    builder = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(ends - timedelta(days=9))
        .not_valid_after(ends)
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    )
    both = folder / "both.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    both.write_bytes(private + builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    return both


def relay(
    caller: socket.socket, server: socket.socket, on_reply: Callable[[bytes], bytes | None] = lambda piece: piece
) -> None:
    """Carry bytes both ways until one side ends; in one thread, since no two may use a TLS connection at a time."""
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    readable = select.poll()
    for connection in (caller, server):
        readable.register(connection, select.POLLIN)
    with contextlib.suppress(OSError):
        while ready := [caller.fileno()] if _decrypted(caller) else [number for number, _ in readable.poll(30_000)]:
            source = caller if caller.fileno() in ready else server
            piece = source.recv(65536)
            if not piece:
                break
            if source is caller:
                server.sendall(piece)
            elif (passed := on_reply(piece)) is None:
                break
            else:
                caller.sendall(passed)
    for connection in (caller, server):
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


def _decrypted(connection: socket.socket) -> bool:
    """Whether TLS has bytes to read that the socket no longer has."""
    return isinstance(connection, ssl.SSLSocket) and connection.pending() > 0


@contextlib.contextmanager
def _listening(handle: Callable[[socket.socket], None]) -> Iterator[int]:
    def serve(connection: socket.socket) -> None:
        connection.settimeout(30)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or each small piece costs 40 ms
        with connection, contextlib.suppress(OSError):
            handle(connection)

    def accept() -> None:
        with contextlib.suppress(OSError):  # shut down
            while True:
                connections.append(listener.accept()[0])
                handlers.append(threading.Thread(target=serve, args=(connections[-1],)))
                handlers[-1].start()

    connections: list[socket.socket] = []
    handlers: list[threading.Thread] = []
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        acceptor = threading.Thread(target=accept)
        acceptor.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            acceptor.join()
            for connection in connections:  # a client may have kept it open, and its handler would wait for a request
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            for thread in handlers:
                thread.join()


def _read_head(connection: socket.socket) -> bytes | None:
    """Up to and with the empty line, byte by byte; the rest stays unread."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)
        if not byte:
            return None
        head += byte
    return head


def _read_body(connection: socket.socket, headers: bytes) -> bytes:
    length = re.search(rb"(?i)(?:^|\r\n)content-length: *(\d+)", headers)
    left = int(length[1]) if length else 0
    body = b""
    while len(body) < left and (piece := connection.recv(left - len(body))):
        body += piece
    return body
