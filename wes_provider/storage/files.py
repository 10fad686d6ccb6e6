"""
Coupon files where they are: in object storage, each with a URL that is signed when it is needed, or
at plain URLs.

A file in storage is identified by its path and its ETag, never by its URL. Storage libraries are
imported when a task lists, reads or signs; a DAG file that names :class:`BucketFiles` loads none.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

import msgspec

from wes_provider import contract
from wes_provider.arguments import early
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.errors import WesStorageError
from wes_provider.storage.location import Location, access, filesystem, shown_url
from wes_provider.texts import redact_url, shown

__all__ = ["BucketFiles", "PlannedFile", "download_url"]

# As long as the operators wait for a file by default.
DEFAULT_URL_LIFETIME: Final = timedelta(hours=2)
LONGEST_URL_LIFETIME: Final = timedelta(days=7)  # S3 and GCS take no more (Signature Version 4)
TIMEOUT: Final = (10, 60)  # seconds to connect, and between two pieces
PIECE: Final = 1024 * 1024  # bytes

# The properties by which the storages of s3fs, gcsfs and adlfs identify content; GCS's ETag also
# covers metadata.
IDENTITIES: Final = ("ETag", "md5Hash", "crc32c", "etag", "checksum")
# Ends of empty objects that stand for folders; the latter are Hadoop's.
FOLDERS: Final = ("/", "_$folder$")


class PlannedFile(msgspec.Struct, kw_only=True):
    """
    One file of a task, and what is known about it: in a plan, as flat JSON without secrets.

    :ivar path: in storage, such as ``s3://promo/summer/a.csv``; or the URL without its query.
    :ivar item: the place in the operator's argument that names the file.
    :ivar conn_id: the Airflow connection of the storage, which may be empty; ``None`` for a plain
        URL.
    :ivar url_lifetime: seconds for which a signed URL is valid.
    :ivar etag: what identifies the content: the object's ETag or checksum, when the task listed it.
    :ivar sha256: of its content, for the ledger.
    :ivar checked: whether its codes are counted.
    :ivar skipped: why it is left out; ``None`` if it is to be uploaded.
    """

    path: str
    item: int = 0
    conn_id: str | None = None
    url_lifetime: int = 0
    etag: str = ""
    size: int = 0
    sha256: str = ""
    checked: bool = True
    codes: int = 0
    duplicates: int = 0
    blank_lines: int = 0
    skipped: str | None = None

    def sign(self) -> str:
        """
        A signed URL of an object, made now, after checking that the object is still the one that
        was listed.

        :raises WesStorageError: if it is not, or if the storage cannot sign.
        """
        self._check_unchanged()
        try:
            url, reason = (
                str(self._fs.sign(self.path, expiration=self.url_lifetime)),
                "it came without signature",
            )
        # Only the class: the text of a storage library's error may hold anything.
        except Exception as error:
            url, reason = "", type(error).__name__
        if not urlsplit(url).query:
            raise WesStorageError(
                f"No URL of {self.path} can be signed ({reason})\nCheck that the connection has "
                "credentials of its "
                "own: GCS needs a service account's key or the right to sign, Azure an account "
                "key or a delegation "
                "key. If the object is public, pass its https URL instead",
                permanent=True,
            )
        return url

    def download(self, target: Path) -> None:
        """Fetch an object; raises :class:`WesStorageError` if it is not the one that was listed."""
        try:
            with access(self.path, "read"):
                self._fs.get_file(self.path, str(target))
        finally:
            self._check_unchanged()

    def _check_unchanged(self) -> None:
        self._fs.invalidate_cache()
        try:
            with access(self.path, "read"):
                etag = _etag(self._fs, self.path, self._fs.info(self.path))
        except FileNotFoundError:
            raise WesStorageError(f"{self.path} was deleted after the task listed it") from None
        if etag != self.etag:
            raise WesStorageError(
                f"{self.path} was overwritten after the task listed it\nIt was not uploaded. A "
                "retry lists and checks "
                f"it again. ETag {self.etag} then, {etag} now"
            )

    @property
    def _fs(self) -> Any:
        return filesystem(self.path.partition("://")[0], self.conn_id or "")


def download_url(url: str, auth: tuple[str, str] | None, target: Path) -> None:
    """
    Fetch a file from a plain URL, as far as the service takes it.

    :param auth: a username and a password.
    :raises WesStorageError: if it cannot be fetched.
    """
    import requests

    path = redact_url(url)
    with (
        access(path, "fetched"),
        requests.get(url, auth=auth, stream=True, timeout=TIMEOUT) as response,
        target.open("wb") as file,
    ):
        if response.status_code != 200:
            raise WesStorageError(
                f"{path} cannot be fetched: its host responded with {response.status_code}"
            )
        for piece in response.iter_content(PIECE):
            if file.tell() <= contract.UPLOAD_URL_BYTES:
                file.write(piece)


@dataclass(repr=False)
class BucketFiles:
    """
    Objects in storage, by path or pattern, for ``files`` and ``file_url`` of the operators.

    :param url: such as ``s3://aws_default@promo/summer/*.csv``, or an ``ObjectStoragePath``. The
        part before the ``@`` is the id of the storage's connection. Patterns are expanded when the
        task starts. (templated)
    :param url_lifetime: how long each signed URL is valid after it was signed: a ``timedelta``, or
        seconds. At most seven days.
    :param allow_none: whether a pattern may match nothing.
    """

    url: Any
    url_lifetime: timedelta | float = DEFAULT_URL_LIFETIME
    allow_none: bool = False

    template_fields: ClassVar[tuple[str, ...]] = ("url",)

    def __post_init__(self) -> None:
        lifetime = self.url_lifetime
        seconds = lifetime.total_seconds() if isinstance(lifetime, timedelta) else lifetime
        if (
            type(seconds) not in (int, float)
            or not 1 <= seconds <= LONGEST_URL_LIFETIME.total_seconds()
        ):
            raise WesConfigurationError(
                "url_lifetime takes a timedelta or seconds, from 1 second to 7 days, not "
                f"{shown(lifetime)}"
            )
        self._seconds = int(seconds)
        early(Location.of, self.url)

    def __repr__(self) -> str:
        return (
            f"BucketFiles({shown_url(self.url)!r}, {self.url_lifetime!r}, "
            f"allow_none={self.allow_none!r})"
        )

    def expand(self, item: int = 0) -> list[PlannedFile]:
        """
        List the objects that match, sorted by path.

        :param item: as the files have it.
        :raises WesConfigurationError: if the URL cannot be used, or no library for its protocol is
            installed.
        :raises WesStorageError: if nothing matches, unless ``allow_none``; if the storage refuses
            or does not respond.
        """
        location, where = Location.of(self.url), shown_url(self.url)
        fs = filesystem(location.protocol, location.conn_id)
        fs.invalidate_cache()
        found: Mapping[str, Any] = {}
        with suppress(FileNotFoundError), access(where, "listed"):
            found = fs.glob(
                f"{location.protocol}://{location.path}", detail=True
            )  # a path without a pattern matches what it names
        files = [
            PlannedFile(
                path=(path := f"{location.protocol}://{name.lstrip('/')}"),
                item=item,
                conn_id=location.conn_id,
                url_lifetime=self._seconds,
                etag=_etag(fs, path, info),
                size=int(info["size"] or 0),
            )
            for name, info in sorted(found.items())
            if info["type"] == "file" and not name.endswith(FOLDERS)
        ]
        if not files and not self.allow_none:
            raise WesStorageError(
                f"No object matches {where}\nCheck the bucket, the path and the connection; a "
                "folder's objects are "
                "folder/*. BucketFiles(..., allow_none=True) accepts that there are none. In "
                "names, write [[], [*] and "
                "[?] for [, * and ?"
            )
        return files


def _etag(fs: Any, path: str, info: Mapping[str, Any]) -> str:
    """What identifies an object's content."""
    found = (str(info[name]).strip('"') for name in IDENTITIES if info.get(name))
    return next(found, "") or str(fs.ukey(path))
