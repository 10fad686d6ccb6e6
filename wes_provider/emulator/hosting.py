"""Hosted coupon files, from memory or from a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from aiohttp import web

from wes_provider.emulator.checks import basic_credentials
from wes_provider.emulator.page import SAFE_HEADERS

__all__ = ["Hosting"]

# A hosted page must not control the emulator, whose address it has.
_HEADERS: Final = {**SAFE_HEADERS, "Content-Security-Policy": "sandbox; default-src 'none'"}


class _HostedFile(NamedTuple):
    content: bytes
    credentials: tuple[str, str] | None


class Hosting:
    """Hosted files; a folder from the start is still hosted after ``clear``."""

    def __init__(self, folder: Path | None = None) -> None:
        self._first = [_folder(folder)] if folder is not None else []
        self.clear()

    def clear(self) -> None:
        """Host nothing more, except for the first folder."""
        self._files: dict[str, _HostedFile] = {}
        self._folders = list(self._first)

    def add(self, name: str, content: bytes, username: str | None = None, password: str | None = None) -> None:
        """Host one file. With a username or a password it requires both."""
        credentials = None if username is None and password is None else (username or "", password or "")
        self._files[name] = _HostedFile(content, credentials)

    def add_folder(self, path: Path) -> None:
        """Host all files below a folder."""
        self._folders.append(_folder(path))

    def response(self, request: web.BaseRequest, name: str) -> web.StreamResponse:
        """The file of a request; ``name`` is what follows the prefix in its raw path, with the query."""
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, headers={"Allow": "GET, HEAD"})
        name = unquote(name.partition("?")[0])
        file = self._files.get(name)
        if file is not None:
            if file.credentials is not None and basic_credentials(request.headers) != file.credentials:
                return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="hosted"'})
            return web.Response(body=file.content, content_type="text/csv", headers=_HEADERS)
        found = next((path for folder in self._folders if (path := _below(folder, name))), None)
        return web.Response(status=404) if found is None else web.FileResponse(found, headers=_HEADERS)


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise ValueError(f"cannot host {path}: no such folder")
    return path.resolve()


def _below(folder: Path, name: str) -> Path | None:
    try:
        path = (folder / name.lstrip("/")).resolve()
        return path if path.is_relative_to(folder) and path.is_file() else None
    except (OSError, ValueError):  # a name that no file system takes
        return None
