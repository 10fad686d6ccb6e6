"""A TCP server that answers every request with whatever bytes it is told to."""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal


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
    :ivar answer: to every request from now on.
    :ivar requests: heads of the requests so far, as they came.
    :ivar sent: bytes that went out, those in the sockets' buffers included.
    """

    def __init__(self) -> None:
        self.response = Bytes(())
        self.requests: list[bytes] = []
        self.sent = 0
        self.url = ""

    @contextlib.contextmanager
    def serving(self) -> Iterator[HostileServer]:
        with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
            self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            threads = [threading.Thread(target=self._accept, args=(listener,))]
            threads[0].start()
            try:
                yield self
            finally:
                listener.shutdown(socket.SHUT_RDWR)
                threads[0].join()

    def _accept(self, listener: socket.socket) -> None:
        handlers: list[threading.Thread] = []
        with contextlib.suppress(OSError):  # shut down
            while True:
                connection, _ = listener.accept()
                handlers = [handler for handler in handlers if handler.is_alive()]
                handlers.append(threading.Thread(target=self._handle, args=(connection,)))
                handlers[-1].start()
        for handler in handlers:
            handler.join()

    def _handle(self, connection: socket.socket) -> None:
        connection.settimeout(60)
        with connection, contextlib.suppress(OSError):
            head = _read_request(connection)
            if not head:
                return
            self.requests.append(head)
            response = self.response
            for piece in response.pieces:
                connection.sendall(piece)
                self.sent += len(piece)
                if response.pause:
                    time.sleep(response.pause)
            if response.ending == "reset":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if response.ending == "stall":
                connection.recv(1)


def _read_request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return b""
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    left = int(length[1]) - len(body) if length else 0
    while left > 0:
        piece = connection.recv(65536)
        if not piece:
            break
        left -= len(piece)
    return head
