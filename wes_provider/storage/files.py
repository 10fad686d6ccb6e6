"""
Coupon files in object storage, each with a URL that is signed when it is needed.

A file is identified by its path and its ETag, never by its URL. Storage libraries are imported when a task lists, reads
or signs; a DAG file that names :class:`BucketFiles` loads none.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from itertools import islice
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import HOSTING, shorten, shown
from wes_provider.storage.errors import (
    WesFileChangedError,
    WesFileNotFoundError,
    WesSigningError,
    WesStorageError,
    about,
)

__all__ = [
    "BucketFile",
    "BucketFiles",
    "bucket_folder",
    "bucket_is_missing",
    "check_folder",
    "is_storage_url",
    "shown_url",
]

log = logging.getLogger(__name__)

DEFAULT_URL_LIFETIME: Final = timedelta(hours=2)  # as long as the operators wait for a file by default
LONGEST_URL_LIFETIME: Final = timedelta(days=7)  # S3 and GCS take no more (Signature Version 4)
READ_BYTES: Final = 2 * 1024 * 1024
READ_AHEAD: Final = 3  # blocks; storages give one connection less than a network can take

# The properties by which the storages of s3fs, gcsfs and adlfs identify content; GCS's ETag also covers metadata.
IDENTITIES: Final = ("ETag", "md5Hash", "crc32c", "etag", "checksum")

BUCKET_PROTOCOLS: Final = frozenset({"s3", "gs", "abfs"})  # of s3fs, gcsfs and adlfs, among other names

_URL = re.compile(r"(?P<protocol>[A-Za-z][A-Za-z0-9+.-]*)://(?:(?P<conn_id>[^@/]*)@)?(?P<path>.*)", re.DOTALL)
_QUERY = re.compile(r"\?[^/]*=.*", re.DOTALL)  # what looks like a query, though a pattern may have "?", too
_SIGNED = re.compile(r"\?.*(signature|x-amz-|x-goog-|accesskeyid|[?&]sig=|token=)", re.DOTALL | re.IGNORECASE)
_MAGIC = re.compile(r"[*?\[]")
_LEDGER_ENTRY: Final = re.compile(r"(?:.*/)?[0-9a-f]{64}-\d+(?:-result)?\.json", re.IGNORECASE)
_WEB: Final = ("http", "https")
_LOCAL: Final = ("file", "local", "")
_OTHER_CONNECTIONS: Final = ("http", "wes")  # types that no storage has
_found_connections: set[str] = set()


def is_storage_url(value: Any) -> bool:
    """Whether a value names objects in storage, instead of a URL that the service itself can fetch."""
    if isinstance(value, (BucketFiles, BucketFile)) or _is_path(value):
        return True
    match = _URL.match(value) if isinstance(value, str) else None
    return match is not None and match["protocol"].lower() not in _WEB


@dataclass(frozen=True)
class BucketFile:
    """
    One object, as it was when the task listed it.

    :ivar path: with protocol and bucket, such as ``s3://promo/summer/a.csv``.
    :ivar etag: what identifies the content: the object's ETag or checksum.
    :ivar size: in bytes.
    :ivar conn_id: the Airflow connection of the storage.
    :ivar url_lifetime: seconds for which a signed URL is valid.
    """

    path: str
    etag: str
    size: int
    conn_id: str | None = None
    url_lifetime: int = int(DEFAULT_URL_LIFETIME.total_seconds())

    @property
    def key(self) -> str:
        """What identifies the file in every attempt: its path and its content, never its URL."""
        return f"{self.path}#{self.etag}"

    @property
    def label(self) -> str:
        """The file as logs and errors show it."""
        return self.path

    def url(self) -> str:
        """
        Sign a URL, now, after checking that the object is still the one that was listed.

        :raises WesFileChangedError: if it was overwritten.
        :raises WesFileNotFoundError: if it is gone.
        :raises WesSigningError: if the storage cannot sign, or not for ``url_lifetime``.
        """
        self.check_unchanged()
        fs = self._fs()
        try:
            left = _credentials_left(fs)
            if left is not None and left < self.url_lifetime:
                fs = self._fs(fresh=True)  # its credentials may have been fetched a while ago
                left = _credentials_left(fs)
        except Exception as error:
            raise self._cannot_sign(error) from None
        if left is not None and left < self.url_lifetime:
            raise WesSigningError(
                f"The storage's credentials end too soon for {shorten(self.label, 24)}\n"
                f"They end before a URL of {self.label} does.\n"
                "Set url_lifetime of BucketFiles to less than the credentials have left, or have the connection's role "
                "give longer sessions.\n"
                f"url_lifetime is {timedelta(seconds=self.url_lifetime)}; the credentials have "
                f"{timedelta(seconds=max(0, round(left)))} left"
            )
        try:
            url = fs.sign(self.path, expiration=self.url_lifetime)
        except Exception as error:
            raise self._cannot_sign(error) from None
        parts = urlsplit(url)
        if parts.scheme not in _WEB or not parts.query:
            raise WesSigningError(
                f"{about(self.label, 'The storage gave a URL without signature for {}')}\n"
                "Give the connection credentials; if the object is public, pass its https URL instead"
            )
        return str(url)

    def check_unchanged(self) -> None:
        """
        Compare the object's ETag with the one that was listed.

        :raises WesFileChangedError: if it was overwritten.
        :raises WesFileNotFoundError: if it is gone.
        :raises WesStorageError: if the storage does not say.
        """
        etag = self.current().etag
        if etag != self.etag:
            raise WesFileChangedError(
                f"{about(self.label, '{} was overwritten after the task listed it')}\n"
                "It is another file now; it was not uploaded. A retry lists and checks it again.\n"
                f"ETag {self.etag} then, {etag} now"
            )

    def current(self) -> BucketFile:
        """
        The object as it is now.

        :raises WesFileNotFoundError: if it is gone.
        :raises WesStorageError: if the storage does not say.
        """
        fs = self._fs()
        fs.invalidate_cache()
        try:
            info = fs.info(self.path)
        except FileNotFoundError:
            raise WesFileNotFoundError(about(self.label, "{} was deleted after the task listed it")) from None
        except Exception as error:
            raise WesStorageError(self.label, "read", error) from None
        return replace(self, etag=_identity(fs, self.path, info), size=int(info["size"] or 0))

    def blocks(self, size: int = READ_BYTES) -> Iterator[bytes]:
        """
        Read the object as a stream.

        :param size: the size of a block, in bytes.
        :return: blocks, one after another; the next three are being fetched meanwhile.
        :raises WesFileChangedError: if the object was overwritten in the meantime.
        """
        fs = self._fs()

        def fetch(start: int) -> bytes:
            return bytes(fs.cat_file(self.path, start=start, end=min(start + size, self.size)))

        with ThreadPoolExecutor(READ_AHEAD, thread_name_prefix="wes-preflight") as executor:
            starts = iter(range(0, self.size, size))
            coming = deque(executor.submit(fetch, start) for start in islice(starts, READ_AHEAD))
            try:
                for start in range(0, self.size, size):
                    block = coming.popleft().result()
                    if len(block) != min(size, self.size - start):
                        raise WesFileChangedError(about(self.label, "{} was overwritten while the task read it"))
                    coming.extend(executor.submit(fetch, start) for start in islice(starts, 1))
                    yield block
            except WesFileChangedError:
                raise
            except Exception as error:
                self.check_unchanged()  # a range that is not there any more
                raise WesStorageError(self.label, "read", error) from None
            finally:
                for future in coming:
                    future.cancel()
        self.check_unchanged()

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it, without a URL; :meth:`from_dict` reads it back."""
        return dict(vars(self))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BucketFile:
        """Read back what :meth:`to_dict` wrote; unknown keys are ignored."""
        return cls(**{name: data[name] for name in cls.__dataclass_fields__ if name in data})

    def _fs(self, *, fresh: bool = False) -> Any:
        protocol = self.path.partition("://")[0]
        return _signing_v4(_filesystem(protocol, self.conn_id, fresh=fresh))

    def _cannot_sign(self, error: Exception) -> WesSigningError:
        # Only the class: the text of a storage library's error may hold anything.
        return WesSigningError(
            f"No URL of {shorten(self.label, 40)} can be signed\n"
            "Check that the connection has credentials of its own: GCS needs a service account's key or the right to "
            "sign, Azure an account key or a delegation key\n"
            f"Reason: {type(error).__name__}, of {self.label}"
        )


class BucketFiles:
    """
    Objects in storage, by path or pattern, for ``files`` and ``file_url`` of the operators.

    :param url: such as ``s3://aws_default@promo/summer/*.csv``, or an ``ObjectStoragePath``. The part before the ``@``
        is the id of the storage's connection. Patterns are expanded when the task starts. (templated)
    :param url_lifetime: how long each signed URL is valid after it was signed: a ``timedelta``, or seconds. At most
        seven days.
    :param allow_none: whether a pattern may match nothing.
    """

    template_fields: ClassVar[Sequence[str]] = ("url",)

    def __init__(
        self, url: Any, url_lifetime: timedelta | float = DEFAULT_URL_LIFETIME, allow_none: bool = False
    ) -> None:
        self.url = url
        self.url_lifetime = url_lifetime
        self.allow_none = allow_none
        self._lifetime()
        if isinstance(url, str) and "{{" not in url and "{%" not in url:
            _parsed(url)

    def __repr__(self) -> str:
        return (
            f"BucketFiles({shown_url(self.url)!r}, url_lifetime={self.url_lifetime!r}, allow_none={self.allow_none!r})"
        )

    def expand(self) -> list[BucketFile]:
        """
        List the objects that match, sorted by path.

        :raises WesConfigurationError: if the URL cannot be used, or no library for its protocol is installed.
        :raises WesFileNotFoundError: if nothing matches, unless ``allow_none``; or if there is no such bucket.
        :raises WesStorageError: if the storage refuses to list, or does not respond.
        """
        protocol, conn_id, path = _parsed(self.url)
        fs = _filesystem(protocol, conn_id)
        fs.invalidate_cache()
        url = f"{protocol}://{path}"
        found = self._found(fs, url)
        if not found and bucket_is_missing(fs, url):
            raise WesFileNotFoundError(
                f"{about(shown_url(self.url), 'The bucket of {} does not exist')}\nCheck its name and the connection"
            )
        if not found and not self.allow_none:
            raise WesFileNotFoundError(
                f"{about(shown_url(self.url), 'No object matches {}')}\n"
                "Check the path and the connection; BucketFiles(..., allow_none=True) accepts that there are none"
                + ("\nIn names, write [[], [*] and [?] for [, * and ?" if _MAGIC.search(path) else "")
            )
        if odd := [name for name in found if not name.isprintable()]:
            raise WesConfigurationError(
                f"Storage libraries cannot read the name of an object\n{shown_url(self.url)} matches {odd[0]!r}\n"
                "Rename it: a name takes no line breaks and control characters"
            )
        lifetime = self._lifetime()
        return [
            BucketFile(
                path=f"{protocol}://{name.lstrip('/')}",
                etag=_identity(fs, name, info),
                size=int(info["size"] or 0),
                conn_id=conn_id,
                url_lifetime=lifetime,
            )
            for name, info in sorted(found.items())
        ]

    def _found(self, fs: Any, url: str) -> dict[str, Any]:
        try:
            if _MAGIC.search(url):
                found = {name: info for name, info in fs.glob(url, detail=True).items() if _is_file(name, info)}
                files = {name: info for name, info in found.items() if not _LEDGER_ENTRY.fullmatch(name)}
                if entries := len(found) - len(files):
                    log.info("Leaving out the entries of a ledger\n%s matches %d of them", shown_url(self.url), entries)
                return files
            info = fs.info(url)
            return {fs._strip_protocol(url): info} if info["type"] == "file" else {}
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise WesConfigurationError(f"The pattern of {shown_url(self.url)} is not valid.\n{error}") from None
        except Exception as error:
            raise WesStorageError(shown_url(self.url), "listed", error) from None

    def _lifetime(self) -> int:
        value = self.url_lifetime
        seconds = value.total_seconds() if isinstance(value, timedelta) else value
        valid = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        if not valid or not 1 <= seconds <= LONGEST_URL_LIFETIME.total_seconds():
            raise WesConfigurationError(
                f"url_lifetime takes a timedelta or seconds, from 1 second to 7 days\nIt is {shown(value)}."
            )
        return int(seconds)


# -- the storage ------------------------------------------------------------------------------------


def _is_path(value: Any) -> bool:
    """Whether a value is an ``ObjectStoragePath``; without importing it, since whoever has one has imported it."""
    return any(cls.__name__ == "ObjectStoragePath" for cls in type(value).__mro__)


def check_folder(location: Any) -> None:
    """
    Check the place of a ledger without the storage's library.

    :raises WesConfigurationError: if it is none.
    """
    protocol, _, separator = str(location).partition("://")
    if not separator or protocol.lower() in (*_WEB, *_LOCAL):
        raise WesConfigurationError(
            f"A ledger needs a folder of object storage, not this\n{shown(shown_url(location))}\n"
            "Such a folder is s3://aws_default@bucket/ledger."
        )
    _parsed(location if _is_path(location) else str(location).rstrip("/"))


def _parsed(url: Any) -> tuple[str, str | None, str]:
    """Protocol, connection id and path of a storage URL or an ``ObjectStoragePath``."""
    if _is_path(url):
        conn_id = url.conn_id if hasattr(url, "conn_id") else url.storage_options.get("conn_id")  # Airflow 2.11
        protocol, path = url.protocol, url.path.lstrip("/")
    else:
        match = _URL.match(url) if isinstance(url, str) else None
        protocol, conn_id, path = match.group("protocol", "conn_id", "path") if match else ("", None, str(url))
        protocol = protocol.lower()
    if protocol in _LOCAL and (protocol or path.startswith(("/", ".", "~"))):
        raise WesConfigurationError(f"{shown_url(url)} is a local file, which the service cannot fetch.\n{HOSTING}")
    if not protocol or protocol in _WEB or not path.strip("/"):
        raise WesConfigurationError(
            f"BucketFiles takes a URL of object storage, not this\n{shown(shown_url(url))}\n"
            "One is s3://aws_default@bucket/folder/*.csv."
        )
    if conn_id and ":" in conn_id:
        raise WesConfigurationError(
            f"{shown_url(url)} has credentials before the @.\nPut them into a connection, and its id there"
        )
    if _SIGNED.search(path):
        raise WesConfigurationError(
            f"{shown_url(url)} has a query with a signature or a key.\n"
            "Leave the query out: the URL is signed for its upload"
        )
    if path.endswith("/"):
        raise WesConfigurationError(
            f"{shown_url(url)} names a folder.\nAppend * for its objects, or ** for all below it"
        )
    return protocol, conn_id or None, path


def shown_url(url: Any) -> str:
    """A storage URL with its connection id, which is no secret; a password in it is, and so may be a query."""
    text = str(url)
    match = _URL.match(text)
    if match is None:
        return text
    conn_id = (match["conn_id"] or "").partition(":")[0]
    return f"{match['protocol']}://{conn_id}{'@' if conn_id else ''}{_QUERY.sub('', match['path'])}"


def bucket_folder(location: Any) -> tuple[Any, str]:
    """The filesystem of a storage URL or an ``ObjectStoragePath``, and the path in it."""
    check_folder(location)
    protocol, conn_id, path = _parsed(location if _is_path(location) else str(location).rstrip("/"))
    fs = _filesystem(protocol, conn_id)
    return fs, fs._strip_protocol(f"{protocol}://{path}").rstrip("/")


def bucket_is_missing(fs: Any, path: str) -> bool:
    """
    Whether a storage of buckets says that there is no such bucket.

    Not if it does not say so: a connection may have rights to a folder alone.
    """
    protocols = {fs.protocol} if isinstance(fs.protocol, str) else set(fs.protocol)
    if not protocols & BUCKET_PROTOCOLS:
        return False
    try:
        fs.info(fs._strip_protocol(path).lstrip("/").partition("/")[0])
    except FileNotFoundError:
        return True
    except Exception:
        return False
    return False


def _filesystem(protocol: str, conn_id: str | None, *, fresh: bool = False) -> Any:
    """
    The ``fsspec`` filesystem that Airflow has for a protocol and a connection.

    :param fresh: do not take the one that this process has used before.
    :raises WesConfigurationError: if there is no such connection, of which some libraries make anonymous access.
    """
    if conn_id is not None and conn_id not in _found_connections:
        _require_connection(protocol, conn_id)
        _found_connections.add(conn_id)
    try:
        try:
            from airflow.sdk.io import attach, get_fs
        except ImportError:  # Airflow 2.11
            from airflow.io import get_fs  # type: ignore[attr-defined,no-redef]
            from airflow.io.store import attach  # type: ignore[import-not-found,no-redef]
        return get_fs(protocol, conn_id) if fresh else attach(protocol, conn_id).fs
    except (ImportError, ValueError) as error:
        raise WesConfigurationError(
            f"Airflow has no object storage for {protocol}:// here.\n"
            "Install airflow-provider-wes[storage], the provider of that storage, and its library: "
            "apache-airflow-providers-amazon with s3fs, -google with gcsfs, -microsoft-azure with adlfs.\n"
            f"{type(error).__name__}: {shown(str(error))}"
        ) from None


def _require_connection(protocol: str, conn_id: str) -> None:
    from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook

    try:
        conn_type = BaseHook.get_connection(conn_id).conn_type
    except AirflowNotFoundException:
        raise WesConfigurationError(
            f"There is no connection {shorten(conn_id, 60)!r}.\n"
            f"Add it, or correct the id before the @: {protocol}://{conn_id}@..."
        ) from None
    if conn_type in _OTHER_CONNECTIONS:
        raise WesConfigurationError(
            f"Connection {shorten(conn_id, 40)!r} is of type {conn_type}.\n"
            f"{protocol}://{conn_id}@... needs a connection of the storage's provider, such as aws"
        )


def _signing_v4(fs: Any) -> Any:
    """
    The same filesystem, signing with Signature Version 4 if it is S3's and its connection does not name a version.

    botocore signs URLs with version 2 by default, which newer buckets and regions refuse.
    """
    config = getattr(fs, "config_kwargs", None)
    if config is None or "signature_version" in config:
        return fs
    options = {**fs.storage_options, "config_kwargs": {**config, "signature_version": "s3v4"}}
    return type(fs)(*fs.storage_args, **options)


def _credentials_left(fs: Any) -> float | None:
    """Seconds until the credentials that sign end; ``None`` if they do not, or do not say so."""
    client = getattr(fs, "s3", None)  # s3fs; neither GCS nor Azure sign with what ends earlier than the URL
    credentials = getattr(getattr(client, "_request_signer", None), "_credentials", None)  # botocore has no public way
    if credentials is None:
        return None
    from fsspec.asyn import sync  # type: ignore[import-untyped]

    sync(fs.loop, credentials.get_frozen_credentials)  # those of a role are fetched now, if they are not yet
    end = getattr(credentials, "_expiry_time", None)
    return (end - datetime.now(timezone.utc)).total_seconds() if isinstance(end, datetime) else None


def _is_file(name: str, info: Mapping[str, Any]) -> bool:
    """Whether a listed object is neither a folder nor the empty object that marks one."""
    is_folder = name.endswith("/") or (name.endswith("_$folder$") and not info["size"])  # the latter is Hadoop's
    return info["type"] == "file" and not is_folder


def _identity(fs: Any, path: str, info: Mapping[str, Any]) -> str:
    """What identifies an object's content."""
    for name in IDENTITIES:
        if info.get(name):
            return str(info[name]).strip('"')
    return str(fs.ukey(path))
