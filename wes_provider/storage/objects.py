"""
One object in storage: its signed URL and its content, both only while it is the one that was
listed.

An object is identified by its path and its ETag, never by its URL.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from wes_provider.storage.errors import WesStorageError
from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.location import access, filesystem

__all__ = ["download_object", "etag_of", "sign_url"]

# The properties by which the storages of s3fs, gcsfs and adlfs identify content; GCS's ETag also
# covers metadata.
IDENTITIES: Final = ("ETag", "md5Hash", "crc32c", "etag", "checksum")

# How libraries say that a storage or its credentials sign nothing; other errors may be of the
# network, by which some get keys.
CANNOT_SIGN: Final = (NotImplementedError, AttributeError, TypeError, ValueError)


def etag_of(fs: Any, path: str, info: Mapping[str, Any]) -> str:
    """Return what identifies an object's content."""
    for name in IDENTITIES:
        if info.get(name):
            return str(info[name]).strip('"')
    return str(fs.ukey(path))


def sign_url(file: ListedFile) -> str:
    """
    Sign a URL of an object now.

    :raises WesStorageError: if it is not the one that was listed, or if the storage cannot sign.
    """
    fs = _filesystem_of(file)
    _check_unchanged(fs, file)
    try:
        url = str(fs.sign(file.path, expiration=file.url_lifetime))
    except Exception as error:
        # Not the text of a storage library's error, which may hold anything.
        reason = type(error).__name__
        raise _cannot_sign(file, reason, permanent=isinstance(error, CANNOT_SIGN)) from None
    if not urlsplit(url).query:
        raise _cannot_sign(file, "it came without signature", permanent=True)
    return url


def _cannot_sign(file: ListedFile, reason: str, *, permanent: bool) -> WesStorageError:
    return WesStorageError(
        f"No URL of {file.path} can be signed ({reason})\nCheck that the connection has "
        "credentials of its own: GCS needs a service account's key or the right to sign, "
        "Azure an account key or a delegation key. If the object is public, pass its https "
        "URL instead",
        permanent=permanent,
    )


def download_object(file: ListedFile, target: Path) -> None:
    """
    Fetch an object.

    :raises WesStorageError: if it cannot be read, or is not the one that was listed.
    """
    fs = _filesystem_of(file)
    try:
        with access(file.path, "read"):
            fs.get_file(file.path, str(target))
    finally:
        _check_unchanged(fs, file)


def _filesystem_of(file: ListedFile) -> Any:
    return filesystem(file.path.partition("://")[0], file.conn_id or "")


def _check_unchanged(fs: Any, file: ListedFile) -> None:
    fs.invalidate_cache()
    try:
        with access(file.path, "read"):
            etag = etag_of(fs, file.path, fs.info(file.path))
    except FileNotFoundError:
        raise WesStorageError(
            f"{file.path} was deleted after the task listed it\nIt was not uploaded. A retry lists "
            "the objects again, and uploads those that are there"
        ) from None
    if etag != file.etag:
        raise WesStorageError(
            f"{file.path} was overwritten after the task listed it\nIt was not uploaded. A retry "
            f"lists and checks it again. ETag {file.etag} then, {etag} now"
        )
