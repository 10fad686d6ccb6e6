"""An HTTP server that replies to each request as a function says."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from support.hostile_server import listening, read_request
from support.proxy import response


@dataclass(frozen=True)
class Reply:
    """What is sent; ``headers`` beyond those about the body's length."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})


@contextmanager
def replying(
    reply: Callable[[str, str, Mapping[str, str]], Reply], on_body: Callable[[bytes], None] = lambda _: None
) -> Iterator[str]:
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
                given = reply(method, path, request.headers)  # type: ignore[arg-type]
                headers = (f"{name}: {value}" for name, value in given.headers.items())
                connection.sendall(response(given.status, *headers, body=given.body))

    with listening(handle) as port:
        yield f"http://127.0.0.1:{port}"
