"""An emulator that serves from a thread of this process."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from aiohttp import web

from wes_provider.emulator.actions import Actions
from wes_provider.emulator.control import Controls
from wes_provider.emulator.hosting import Hosting
from wes_provider.emulator.http import Front
from wes_provider.emulator.processor import Processor
from wes_provider.emulator.request_log import LoggedRequest
from wes_provider.emulator.seeds import Seed, check_room, read_seed
from wes_provider.emulator.service import Service
from wes_provider.emulator.settings import Profile, Settings, with_profile

if TYPE_CHECKING:
    from types import TracebackType

    from wes_provider.emulator.tls import Certificates

__all__ = ["Emulator"]

# Which no other machine reaches.
_HOST: Final = "127.0.0.1"
# Seconds that an unused connection stays open.
_IDLE: Final = 3600.0
_CONTROL_TIMEOUT: Final = 30.0  # seconds


class Emulator(Controls):
    """
    The service on this machine, as a context manager or with ``start`` and ``stop``.

    It serves from a thread of this process, and has all methods of
    :class:`~wes_provider.emulator.control.EmulatorControl`.

    :param port: 0 for a free one.
    :param state: path of a file that keeps lists, catalogs, segments and the clock beyond the
        process. Only its owner can read it.
    :param host_folder: a folder of coupon files to serve.
    :param seed_file: what the service holds at the start and after ``reset``: a file, or its
        content. A state file that exists takes precedence.
    :param tls: speak TLS, with a certificate made for this emulator; ``"expired"`` for one that has
        expired.
    :param ca_file: where the certificate of its CA is written; default: a temporary file.
    :param profile: how a variant of the service behaves: a file, or its content.
    :param settings: any of :class:`~wes_provider.emulator.settings.Settings`; they take precedence
        over the profile's.
    :raises ValueError: if a setting or the seed makes no sense.
    """

    settings_type: ClassVar[type[Settings]] = Settings
    service_type: ClassVar[type[Service]] = Service

    def __init__(
        self,
        *,
        port: int = 0,
        state: str | Path | None = None,
        host_folder: str | Path | None = None,
        profile: Profile | None = None,
        tls: bool | Literal["expired"] = False,
        ca_file: str | Path | None = None,
        seed_file: Seed | None = None,
        **settings: Any,
    ) -> None:
        if not 0 <= port <= 65535:
            raise ValueError(f"port must be from 0 to 65535, not {port!r}")
        if tls not in (False, True, "expired"):
            raise ValueError(f"tls must be true, false or 'expired', not {tls!r}")
        if ca_file is not None and not tls:
            raise ValueError("a ca_file needs tls")
        self._settings = self.settings_type.of(with_profile(profile, settings))
        self._seed = None
        if seed_file is not None:
            self._seed = read_seed(seed_file)
            check_room(self._seed, self._settings.list_coupons)
        folder = None
        if host_folder is not None:
            folder = Path(host_folder)
        self._hosting = Hosting(folder)
        self._port = port
        self._state = state
        self._tls = tls
        self._ca_file = ca_file
        self._certificates: Certificates | None = None
        self._url = ""
        self._thread: threading.Thread | None = None

    def start(self) -> Emulator:
        """
        Bind here, then serve from a daemon thread.

        :raises OSError: if the port is taken.
        :raises ValueError: if the state file cannot be used.
        """
        if self._thread is not None:
            raise RuntimeError("the emulator is running already")
        listener = _listen(self._port)
        try:
            if self._tls:
                from wes_provider.emulator.tls import Certificates

                self._certificates = Certificates(self._ca_file, expired=self._tls == "expired")
            self._service = self.service_type(self._settings, self._state, self._seed)
            self._hosting.clear()
        except BaseException:
            listener.close()
            if self._certificates is not None:
                self._certificates.close()
            raise
        scheme = "http"
        if self._tls:
            scheme = "https"
        self._url = f"{scheme}://{_HOST}:{listener.getsockname()[1]}"
        ready: Future[None] = Future()
        self._thread = threading.Thread(
            target=self._work, args=(listener, ready), name="wes-emulator", daemon=True
        )
        self._thread.start()
        ready.result()
        return self

    def stop(self) -> None:
        """
        Stop serving, and release port and state file. It can start again; what is in no state file
        is gone then.
        """
        if self._thread is None:
            return
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()
        self._thread = None
        if self._certificates is not None:
            self._certificates.close()

    def __enter__(self) -> Emulator:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()

    def _work(self, listener: socket.socket, ready: Future[None]) -> None:
        try:
            asyncio.run(self._serve(listener, ready))
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    async def _serve(self, listener: socket.socket, ready: Future[None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        client_tls = None
        server_tls = None
        if self._certificates is not None:
            client_tls = self._certificates.client_context()
            server_tls = self._certificates.server_context()
        processor = Processor(self._service, self.files_url, client_tls)
        self._actions = Actions(self._service, self._hosting, processor, self._url, self.ca_file)
        front = Front(self._service, self._actions, self._hosting, processor.fetch_due)
        server = web.Server(front, access_log=None, keepalive_timeout=_IDLE)
        # What is still slow then is cut off.
        runner = web.ServerRunner(server, shutdown_timeout=0.1)
        await runner.setup()
        await web.SockSite(runner, listener, backlog=1024, ssl_context=server_tls).start()
        processing = asyncio.create_task(processor.run())
        ready.set_result(None)
        try:
            await self._stopping.wait()
        finally:
            processing.cancel()
            await asyncio.gather(processing, return_exceptions=True)
            await runner.cleanup()
            self._service.close()

    @property
    def url(self) -> str:
        """Address of the service, such as ``http://127.0.0.1:8099``."""
        if self._thread is None:
            raise RuntimeError("the emulator is not running")
        return self._url

    @property
    def ca_file(self) -> str | None:
        """
        Path of the CA certificate that a caller has to trust; ``None`` if the service does not
        speak TLS.
        """
        if self._certificates is None:
            return None
        return self._certificates.ca_file

    @property
    def requests(self) -> list[LoggedRequest]:
        """
        The requests so far, oldest first, with their very bytes; the log is bounded (setting
        ``request_log``).
        """
        self._control("health")  # whatever is being logged now is logged then
        return list(self._service.state.log)

    def _control(self, action: str, **arguments: Any) -> Any:
        """Perform an action on the thread that serves: no other changes the service."""
        if self._thread is None:
            raise RuntimeError("the emulator is not running")
        performing = self._actions.perform(action, arguments)
        return asyncio.run_coroutine_threadsafe(performing, self._loop).result(_CONTROL_TIMEOUT)


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server((_HOST, port), backlog=1024)
    except OSError as error:
        what = f"port {port} of {_HOST} cannot be used: {os.strerror(error.errno or 0)}"
        raise OSError(f"{what}\nGive another one with --port, or 0 for a free one") from None
