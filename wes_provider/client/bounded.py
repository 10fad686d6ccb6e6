"""
Below ``requests``: responses that end, however a server sends them, and a note of what was sent.

``http.client`` bounds the time of each read only, so a server that sends a byte now and then blocks a caller for ever;
and urllib3 writes headers that it cannot parse to the log. Here a whole response, headers and body, has a bounded time,
and headers that make no sense are an error.
"""

from __future__ import annotations

import http.client
import io
import socket
import threading
import time
from typing import Any

import requests.adapters
import urllib3.connection
import urllib3.exceptions
from urllib3.util.response import assert_header_parsing

__all__ = ["BoundedAdapter", "begin_request", "request_was_sent", "status_received"]


class _ThisThread(threading.local):
    sent = False  # of the last request
    longest = 0.0  # seconds that its response may take, headers and body
    status: int | None = None  # of its response


_this_thread = _ThisThread()


class _UntilDeadline(io.RawIOBase):
    """
    What a socket receives until the response's time has passed.

    :raises TimeoutError: after that, or if nothing comes for as long as the socket's timeout.
    """

    def __init__(self, raw: io.RawIOBase, sock: socket.socket) -> None:
        self._raw, self._sock = raw, sock
        self._timeout = sock.gettimeout() or 0.0
        self._end = time.monotonic() + max(self._timeout, _this_thread.longest)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._sock.settimeout(min(left, self._timeout))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_UntilDeadline(self.fp.detach(), sock))

    def begin(self) -> None:
        try:
            super().begin()
        finally:  # the status is read before the headers, which may break off
            _this_thread.status = self.status if isinstance(self.status, int) else None
        try:
            assert_header_parsing(self.msg)
        except urllib3.exceptions.HeaderParsingError:
            raise http.client.HTTPException("headers that make no sense") from None


def begin_request(longest: float) -> None:
    """
    Bound the response to this thread's next request; :func:`request_was_sent` is about that one from now on.

    :param longest: seconds that the response may take, headers and body; at least the read timeout.
    """
    _this_thread.sent, _this_thread.longest, _this_thread.status = False, longest, None


def request_was_sent() -> bool:
    """
    Whether any of this thread's last request was handed to an established connection.

    Established means: after a proxy's response to CONNECT, and after the TLS handshake. What came before that is not
    part of the request.
    """
    return _this_thread.sent


def status_received() -> int | None:
    """The status of the response to this thread's last request, even if its headers broke off; ``None`` before that."""
    return _this_thread.status


class _NotesWhatIsSent(http.client.HTTPConnection):
    _connecting = False

    def connect(self) -> None:
        self._connecting = True
        try:
            super().connect()
        finally:
            self._connecting = False

    def send(self, data: Any) -> None:
        if self.sock is None and self.auto_open:
            self.connect()  # before the note: http.client would connect after it
        if not self._connecting:  # else it is CONNECT
            _this_thread.sent = True
        super().send(data)


class _HTTPConnection(_NotesWhatIsSent, urllib3.connection.HTTPConnection):
    response_class = _Response


class _HTTPSConnection(_NotesWhatIsSent, urllib3.connection.HTTPSConnection):
    response_class = _Response


class _HTTPPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _HTTPConnection


class _HTTPSPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _HTTPSConnection


_POOLS = {"http": _HTTPPool, "https": _HTTPSPool}


class BoundedAdapter(requests.adapters.HTTPAdapter):
    """
    One pool of connections whose responses end.

    A response that takes too long raises :class:`requests.ReadTimeout`, or :class:`urllib3.exceptions.ReadTimeoutError`
    while its body is read.
    """

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """The pool for hosts that are reached without a proxy."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def cert_verify(self, conn: Any, url: str, verify: bool | str, cert: Any) -> None:
        """Check certificates; ``requests`` does not check that of a proxy through which plain http is sent."""
        del url
        super().cert_verify(conn, "https://", verify, cert)  # type: ignore[no-untyped-call]

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        """The pool for those behind a proxy."""
        manager = super().proxy_manager_for(*args, **kwargs)
        if isinstance(manager, urllib3.ProxyManager):  # a SOCKS proxy has connections of its own
            manager.pool_classes_by_scheme = _POOLS
        return manager
