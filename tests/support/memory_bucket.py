"""
A bucket in memory, for machines without an S3 server: a file system of ``fsspec``, as Airflow has
them for storages, whose signed URLs the emulator serves.
"""

from __future__ import annotations

import hashlib
from typing import Any

from fsspec.implementations.memory import MemoryFileSystem

from wes_provider.emulator import Emulator

BUCKET = "promo"


class SigningFileSystem(MemoryFileSystem):  # type: ignore[misc]
    """What Airflow would have for the protocol; the class keeps the objects."""

    protocol = ("s3", "gs")
    store: dict[str, Any] = {}  # noqa: RUF012 - fsspec's
    pseudo_dirs: list[str] = [""]  # noqa: RUF012 - fsspec's

    def __init__(self, emulator: Emulator) -> None:
        super().__init__()
        self._emulator = emulator
        self.signed: list[str] = []

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        path = path.partition("://")[2] or path
        return f"/{path.strip('/')}"

    def ukey(self, path: str) -> str:
        """Return what identifies an object's content."""
        return hashlib.sha256(self.cat_file(path)).hexdigest()[:32]

    def find(self, path: str, *, prefix: str = "", **more: Any) -> Any:
        """List all objects below a folder, of those whose names begin so."""
        found = super().find(path, **more)
        if not prefix:
            return found
        start = f"{self._strip_protocol(path)}/{prefix}"
        return [name for name in found if name.startswith(start)]

    def sign(self, path: str, expiration: int = 100, **more: Any) -> str:
        """Return a URL that serves the object as it is now."""
        name = self._strip_protocol(path).lstrip("/")
        self.signed.append(name)
        url = self._emulator.host(name, self.cat_file(path))
        return f"{url}?expires={expiration}&Signature={len(self.signed)}"


class MemoryBucket:
    """One bucket, ``promo``."""

    def __init__(self, emulator: Emulator) -> None:
        SigningFileSystem.store = {}
        SigningFileSystem.pseudo_dirs = [""]
        self.filesystem = SigningFileSystem(emulator, skip_instance_cache=True)  # type: ignore[call-arg]
        self.filesystem.mkdir(BUCKET)

    def put(self, name: str, content: bytes) -> None:
        self.filesystem.pipe_file(f"{BUCKET}/{name}", content)

    def get(self, name: str) -> bytes:
        content: bytes = self.filesystem.cat_file(f"{BUCKET}/{name}")
        return content

    def names(self, prefix: str = "") -> list[str]:
        """The names of objects that begin so."""
        found = self.filesystem.find(BUCKET)
        names = [name.removeprefix(f"/{BUCKET}/") for name in found]
        return sorted(name for name in names if name.startswith(prefix))

    def delete(self, name: str) -> None:
        self.filesystem.rm_file(f"{BUCKET}/{name}")
