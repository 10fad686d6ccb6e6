"""Hosted coupon files, from memory or from a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import unquote

from aiohttp import web

from wes_provider.emulator.checks import SAFE_HEADERS, basic_credentials

__all__ = ["Hosting"]

# A hosted page must not control the emulator, whose address it has.
_HEADERS: Final = {**SAFE_HEADERS, "Content-Security-Policy": "sandbox; default-src 'none'"}


class Hosting:
    """Hosted files: those of the folder, if there is one, and those that were added."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise ValueError(f"cannot host {folder}: no such folder")
        self._folder = folder.resolve() if folder is not None else None
        self.clear()

    def clear(self) -> None:
        """Host the folder's files only."""
        self._added: dict[str, tuple[bytes, tuple[str, str] | None]] = {}

    def add(
        self, name: str, content: bytes, username: str | None = None, password: str | None = None
    ) -> None:
        """Host one file. With a username or a password it requires both."""
        credentials = (
            None if username is None and password is None else (username or "", password or "")
        )
        self._added[name] = content, credentials

    def response(self, request: web.BaseRequest, name: str) -> web.StreamResponse:
        """
        The file of a request; ``name`` is what follows the prefix in its raw path, with the query.
        """
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers={"Allow": "GET, HEAD"})
        name = unquote(name.partition("?")[0])
        if name in self._added:
            content, credentials = self._added[name]
            if credentials is not None and basic_credentials(request.headers) != credentials:
                return web.Response(
                    status=401, headers={"WWW-Authenticate": 'Basic realm="hosted"'}
                )
            return web.Response(body=content, content_type="text/csv", headers=_HEADERS)
        path = self._below(name)
        return (
            web.Response(status=404) if path is None else web.FileResponse(path, headers=_HEADERS)
        )

    def _below(self, name: str) -> Path | None:
        """The folder's file of a name; a link that leads out of the folder is none."""
        if self._folder is None:
            return None
        try:
            path = (self._folder / name.lstrip("/")).resolve()
            return path if path.is_relative_to(self._folder) and path.is_file() else None
        except (OSError, ValueError):  # a name that no file system takes
            return None
