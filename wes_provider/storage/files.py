"""
Coupon files in object storage, each with a URL that is signed when it is needed.

A file is identified by its path and its ETag, never by its URL. Storage libraries are imported when a task lists, reads
or signs; a DAG file that names :class:`BucketFiles` loads none.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

import msgspec

from wes_provider import contract
from wes_provider.arguments import templated
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.storage.errors import WesFileChangedError, WesFileNotFoundError, WesSigningError
from wes_provider.storage.location import WEB, Location, access, bucket_is_missing, filesystem, shown_url
from wes_provider.texts import redact_url, shown

__all__ = ["ENTRY_NAME", "PIECE", "BucketFile", "BucketFiles", "UrlFile"]

log = logging.getLogger(__name__)

DEFAULT_URL_LIFETIME: Final = timedelta(hours=2)  # as long as the operators wait for a file by default
LONGEST_URL_LIFETIME: Final = timedelta(days=7)  # S3 and GCS take no more (Signature Version 4)
TIMEOUT: Final = (10, 60)  # seconds to connect, and between two pieces
PIECE: Final = 1024 * 1024  # bytes

# The properties by which the storages of s3fs, gcsfs and adlfs identify content; GCS's ETag also covers metadata.
IDENTITIES: Final = ("ETag", "md5Hash", "crc32c", "etag", "checksum")
FOLDERS: Final = ("/", "_$folder$")  # ends of empty objects that stand for folders; the latter are Hadoop's
ENTRY_NAME: Final = re.compile(r"[0-9a-f]{64}-\d+(-result)?\.json")  # of a ledger


class UrlFile(msgspec.Struct, frozen=True):
    """A coupon file at a plain URL that the worker can reach; ``auth`` is a username and a password."""

    file_url: str
    auth: tuple[str, str] | None = None
    size: int = 0
    etag: str = ""

    @property
    def path(self) -> str:
        """The URL without what may be secret."""
        return redact_url(self.file_url)

    def url(self) -> str:
        """The URL as it was given."""
        return self.file_url

    def download(self, target: Path) -> None:
        """Fetch the file, as far as the service takes it."""
        import requests

        try:
            with (
                requests.get(self.file_url, auth=self.auth, stream=True, timeout=TIMEOUT) as response,
                target.open("wb") as file,
            ):
                if response.status_code != 200:
                    raise WesError(f"{self.path} cannot be fetched: its host responded with {response.status_code}")
                for piece in response.iter_content(PIECE):
                    if file.tell() <= contract.UPLOAD_URL_BYTES:
                        file.write(piece)
        except requests.RequestException as error:
            raise WesError(f"{self.path} cannot be fetched: {type(error).__name__}") from None

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
        :raises WesSigningError: if the storage cannot sign, or not for ``url_lifetime``.
        """
        self.check_unchanged()
        try:
            if _ends_within(self._fs, self.url_lifetime):
                filesystem.cache_clear()  # its credentials may have been fetched a while ago
            if _ends_within(self._fs, self.url_lifetime):
                raise WesSigningError(
                    f"The storage's credentials end before a URL of {self.path} does\n"
                    f"Set url_lifetime of BucketFiles, which is {timedelta(seconds=self.url_lifetime)}, to less than "
                    "they have left, or have the connection's role give longer sessions."
                )
            url = str(self._fs.sign(self.path, expiration=self.url_lifetime))
        except WesError:
            raise
        except Exception as error:  # only the class: the text of a storage library's error may hold anything
            raise WesSigningError(
                f"No URL of {self.path} can be signed ({type(error).__name__})\nCheck that the connection has "
                "credentials of its own: GCS needs a service account's key or the right to sign, Azure an account key "
                "or a delegation key."
            ) from None
        if urlsplit(url).scheme not in WEB or not urlsplit(url).query:
            raise WesSigningError(
                f"The storage gave a URL without signature for {self.path}\n"
                "Give the connection credentials; if the object is public, pass its https URL instead"
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
        :raises WesFileNotFoundError: if nothing matches, unless ``allow_none``; or if there is no such bucket.
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
        objects = [
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
        files = [file for file in objects if not ENTRY_NAME.fullmatch(file.path.rpartition("/")[2])]
        if entries := len(objects) - len(files):
            log.info("Leaving out %d entries of a ledger that %s matches", entries, where)
        if not files and bucket_is_missing(fs, location):
            raise WesFileNotFoundError(f"The bucket of {where} does not exist\nCheck its name and the connection")
        if not files and not self.allow_none:
            raise WesFileNotFoundError(
                f"No object matches {where}\nCheck the path and the connection; BucketFiles(..., allow_none=True) "
                "accepts that there are none. In names, write [[], [*] and [?] for [, * and ?"
            )
        return files


def _ends_within(fs: Any, seconds: int) -> bool:
    """Whether the credentials that sign say that they end so soon; neither GCS nor Azure sign with such ones."""
    session = getattr(fs, "session", None)  # s3fs
    if session is None or getattr(fs, "anon", False):
        return False
    from fsspec.asyn import sync  # type: ignore[import-untyped]

    credentials = sync(fs.loop, session.get_credentials)
    if not hasattr(credentials, "refresh_needed"):
        return False
    sync(fs.loop, credentials.get_frozen_credentials)  # those of a role are fetched now, if they are not yet
    return bool(credentials.refresh_needed(refresh_in=seconds))


def _identity(fs: Any, path: str, info: Mapping[str, Any]) -> str:
    """What identifies an object's content."""
    found = (str(info[name]).strip('"') for name in IDENTITIES if info.get(name))
    return next(found, "") or str(fs.ukey(path))
