"""
Coupon files where they are: in object storage, each with a URL that is signed when it is needed, or at plain URLs.

A file in storage is identified by its path and its ETag, never by its URL. Storage libraries are imported when a task
lists, reads or signs; a DAG file that names :class:`BucketFiles` loads none.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

import msgspec

from wes_provider import contract
from wes_provider.arguments import templated
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.errors import WesFileChangedError, WesFileNotFoundError, WesSigningError, WesStorageError
from wes_provider.storage.location import Location, access, filesystem, shown_url
from wes_provider.texts import redact_url, shown

__all__ = ["BucketFile", "BucketFiles", "UrlFile"]

DEFAULT_URL_LIFETIME: Final = timedelta(hours=2)  # as long as the operators wait for a file by default
LONGEST_URL_LIFETIME: Final = timedelta(days=7)  # S3 and GCS take no more (Signature Version 4)
TIMEOUT: Final = (10, 60)  # seconds to connect, and between two pieces
PIECE: Final = 1024 * 1024  # bytes

# The properties by which the storages of s3fs, gcsfs and adlfs identify content; GCS's ETag also covers metadata.
IDENTITIES: Final = ("ETag", "md5Hash", "crc32c", "etag", "checksum")
FOLDERS: Final = ("/", "_$folder$")  # ends of empty objects that stand for folders; the latter are Hadoop's


class UrlFile(msgspec.Struct, frozen=True):
    """A coupon file at a plain URL that the worker can reach; ``auth`` is a username and a password."""

    file_url: str
    auth: tuple[str, str] | None = None

    @property
    def path(self) -> str:
        """The URL without what may be secret."""
        return redact_url(self.file_url)

    def url(self) -> str:
        """The URL as it was given."""
        return self.file_url

    def download(self, target: Path) -> None:
        """Fetch the file, as far as the service takes it; raises :class:`WesStorageError`."""
        import requests

        with (
            access(self.path, "fetched"),
            requests.get(self.file_url, auth=self.auth, stream=True, timeout=TIMEOUT) as response,
            target.open("wb") as file,
        ):
            if response.status_code != 200:
                raise WesStorageError(f"{self.path} cannot be fetched: its host responded with {response.status_code}")
            for piece in response.iter_content(PIECE):
                if file.tell() <= contract.UPLOAD_URL_BYTES:
                    file.write(piece)

    def __repr__(self) -> str:
        return f"UrlFile({self.path!r})"


class BucketFile(msgspec.Struct, frozen=True):
    """
    One object, as it was when the task listed it.

    :ivar path: with protocol and bucket, such as ``s3://promo/summer/a.csv``.
    :ivar etag: what identifies the content: the object's ETag or checksum.
    :ivar conn_id: the Airflow connection of the storage.
    :ivar url_lifetime: seconds for which a signed URL is valid.
    """

    path: str
    etag: str
    size: int
    conn_id: str = ""
    url_lifetime: int = int(DEFAULT_URL_LIFETIME.total_seconds())

    def url(self) -> str:
        """
        Sign a URL, now, after checking that the object is still the one that was listed.

        :raises WesFileChangedError: if it was overwritten.
        :raises WesFileNotFoundError: if it is gone.
        :raises WesSigningError: if the storage cannot sign.
        """
        self.check_unchanged()
        try:
            url, reason = str(self._fs.sign(self.path, expiration=self.url_lifetime)), "it came without signature"
        except Exception as error:  # only the class: the text of a storage library's error may hold anything
            url, reason = "", type(error).__name__
        if not urlsplit(url).query:
            raise WesSigningError(
                f"No URL of {self.path} can be signed ({reason})\nCheck that the connection has credentials of its "
                "own: GCS needs a service account's key or the right to sign, Azure an account key or a delegation "
                "key. If the object is public, pass its https URL instead"
            )
        return url

    def check_unchanged(self) -> None:
        """Compare the object's ETag with the one that was listed; raises :class:`WesFileChangedError`."""
        etag = self.current().etag
        if etag != self.etag:
            raise WesFileChangedError(
                f"{self.path} was overwritten after the task listed it\nIt was not uploaded. A retry lists and checks "
                f"it again. ETag {self.etag} then, {etag} now"
            )

    def current(self) -> BucketFile:
        """The object as it is now; raises :class:`WesFileNotFoundError` or :class:`WesStorageError`."""
        fs = self._fs
        fs.invalidate_cache()
        try:
            with access(self.path, "read"):
                info = fs.info(self.path)
                return msgspec.structs.replace(self, etag=_identity(fs, self.path, info), size=int(info["size"] or 0))
        except FileNotFoundError:
            raise WesFileNotFoundError(f"{self.path} was deleted after the task listed it") from None

    def download(self, target: Path) -> None:
        """Fetch the object; raises :class:`WesFileChangedError` if it is not the one that was listed."""
        try:
            with access(self.path, "read"):
                self._fs.get_file(self.path, str(target))
        finally:
            self.check_unchanged()

    @property
    def _fs(self) -> Any:
        return filesystem(self.path.partition("://")[0], self.conn_id)


class BucketFiles:
    """
    Objects in storage, by path or pattern, for ``files`` and ``file_url`` of the operators.

    :param url: such as ``s3://aws_default@promo/summer/*.csv``, or an ``ObjectStoragePath``. The part before the ``@``
        is the id of the storage's connection. Patterns are expanded when the task starts. (templated)
    :param url_lifetime: how long each signed URL is valid after it was signed: a ``timedelta``, or seconds. At most
        seven days.
    :param allow_none: whether a pattern may match nothing.
    """

    template_fields: ClassVar[tuple[str, ...]] = ("url",)

    def __init__(
        self, url: Any, url_lifetime: timedelta | float = DEFAULT_URL_LIFETIME, allow_none: bool = False
    ) -> None:
        self.url = url
        self.url_lifetime = url_lifetime
        self.allow_none = allow_none
        seconds = url_lifetime.total_seconds() if isinstance(url_lifetime, timedelta) else url_lifetime
        valid = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        if not valid or not 1 <= seconds <= LONGEST_URL_LIFETIME.total_seconds():
            raise WesConfigurationError(
                f"url_lifetime takes a timedelta or seconds, from 1 second to 7 days, not {shown(url_lifetime)}"
            )
        self._lifetime = int(seconds)
        if not templated(url):
            Location.of(url)

    def __repr__(self) -> str:
        return f"BucketFiles({shown_url(self.url)!r}, {self.url_lifetime!r}, allow_none={self.allow_none!r})"

    def expand(self) -> list[BucketFile]:
        """
        List the objects that match, sorted by path.

        :raises WesConfigurationError: if the URL cannot be used, or no library for its protocol is installed.
        :raises WesFileNotFoundError: if nothing matches, unless ``allow_none``.
        :raises WesStorageError: if the storage refuses to list, or does not respond.
        """
        location, where = Location.of(self.url), shown_url(self.url)
        fs = filesystem(location.protocol, location.conn_id)
        fs.invalidate_cache()
        try:
            with access(where, "listed"):
                # A path without a pattern matches what it names.
                found: Mapping[str, Any] = fs.glob(location.url, detail=True)
        except FileNotFoundError:
            found = {}
        files = [
            BucketFile(
                f"{location.protocol}://{name.lstrip('/')}",
                _identity(fs, name, info),
                int(info["size"] or 0),
                location.conn_id,
                self._lifetime,
            )
            for name, info in sorted(found.items())
            if info["type"] == "file" and not name.endswith(FOLDERS)
        ]
        if not files and not self.allow_none:
            raise WesFileNotFoundError(
                f"No object matches {where}\nCheck the bucket, the path and the connection; a folder's objects are "
                "folder/*. BucketFiles(..., allow_none=True) accepts that there are none. In names, write [[], [*] and "
                "[?] for [, * and ?"
            )
        return files


def _identity(fs: Any, path: str, info: Mapping[str, Any]) -> str:
    """What identifies an object's content."""
    found = (str(info[name]).strip('"') for name in IDENTITIES if info.get(name))
    return next(found, "") or str(fs.ukey(path))
