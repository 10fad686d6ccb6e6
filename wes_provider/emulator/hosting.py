"""Hosted coupon files, from memory or from a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from aiohttp import web

from wes_provider.emulator.credentials import Credentials, read_credentials
from wes_provider.emulator.replies import SAFE_HEADERS

__all__ = ["Hosting"]

# A hosted page must not control the emulator, whose address it has.
_HEADERS: Final = {**SAFE_HEADERS, "Content-Security-Policy": "sandbox; default-src 'none'"}


class _HostedFile(NamedTuple):
    content: bytes
    credentials: Credentials | None


class Hosting:
    """Hosted files: those of the folder, if there is one, and those that were added."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise ValueError(f"cannot host {folder}: no such folder")
        self._folder = folder
        self._added: dict[str, _HostedFile] = {}

    def clear(self) -> None:
        """Host the folder's files only."""
        self._added.clear()

    def add(
        self,
        name: str,
        content: bytes,
        username: str | None = None,
        password: str | None = None,
    ) -> None:
        """Host one file. With a username or a password it requires both."""
        credentials = None
        if username is not None or password is not None:
            credentials = Credentials(username or "", password or "")
        self._added[name] = _HostedFile(content, credentials)

    def response(self, request: web.BaseRequest, name: str) -> web.StreamResponse:
        """
        Return the file of a request.

        :param name: what follows the prefix in its raw path, with the query.
        """
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers={"Allow": "GET, HEAD"})
        name = unquote(name.partition("?")[0])
        if name in self._added:
            return _added_file(self._added[name], request)
        path = self._find_in_folder(name)
        if path is None:
            return web.Response(status=404)
        return web.FileResponse(path, headers=_HEADERS)

    def _find_in_folder(self, name: str) -> Path | None:
        """Return the folder's file of a name; a link that leads out of the folder is none."""
        if self._folder is None:
            return None
        folder = self._folder.resolve()
        try:
            path = (folder / name.lstrip("/")).resolve()
            if path.is_relative_to(folder) and path.is_file():
                return path
        except (OSError, ValueError):  # a name that no file system takes
            pass
        return None


def _added_file(file: _HostedFile, request: web.BaseRequest) -> web.Response:
    if file.credentials is not None and read_credentials(request.headers) != file.credentials:
        return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="hosted"'})
    return web.Response(body=file.content, content_type="text/csv", headers=_HEADERS)
