"""
Connections that tell whether they were established: what fails before that was never sent.

Which exception comes says little: TLS ends in the same one while it is established and while a
response is read. ``connect`` of a connection returns before the first byte of a request goes out,
and covers the network, a proxy's tunnel, and TLS.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from requests.adapters import HTTPAdapter


class NotEstablishedError(OSError):
    """
    A connection was not established, so nothing of the request was sent; the cause has the reason.
    """


class TellingAdapter(HTTPAdapter):
    """Send requests over connections that raise :class:`NotEstablishedError`."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Make the pools of direct connections."""
        super().init_poolmanager(*args, **kwargs)
        _use_telling_connections(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        """Make the pools of connections over a proxy, or return them."""
        is_new = proxy not in self.proxy_manager
        manager = super().proxy_manager_for(proxy, **kwargs)
        if is_new:
            _use_telling_connections(manager)
        return manager


def _use_telling_connections(manager: Any) -> None:
    manager.pool_classes_by_scheme = {
        scheme: _with_telling_connections(pool_class)
        for scheme, pool_class in manager.pool_classes_by_scheme.items()
    }


@cache
def _with_telling_connections(pool_class: Any) -> Any:
    """Return a class of pools with such connections: those of SOCKS are another class."""

    class Connection(pool_class.ConnectionCls):  # type: ignore[misc]
        def connect(self) -> None:
            try:
                super().connect()
            except Exception as error:
                raise NotEstablishedError from error

    class Pool(pool_class):  # type: ignore[misc]
        ConnectionCls = Connection

    return Pool
