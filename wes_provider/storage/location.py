"""URLs of object storage, and the file systems that Airflow has for them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import HOSTING
from wes_provider.texts import shown

__all__ = ["Location", "bucket_is_missing", "check_folder", "filesystem", "folder_location", "shown_url"]

BUCKET_PROTOCOLS: Final = frozenset({"s3", "gs", "abfs"})  # of s3fs, gcsfs and adlfs, among other names
WEB: Final = ("http", "https")
LOCAL: Final = ("file", "local", "")
SIGNING: Final = ("signature", "x-amz-", "x-goog-", "accesskeyid", "sig=", "token=")  # in queries of signed URLs
OTHER_CONNECTIONS: Final = ("http", "wes")  # types that no storage has


class Location(NamedTuple):
    """A storage URL in parts; ``path`` begins with the bucket, and may be a pattern."""

    protocol: str
    conn_id: str | None
    path: str

    @property
    def url(self) -> str:
        """The URL as storage libraries take it, without the connection."""
        return f"{self.protocol}://{self.path}"

    @classmethod
    def of(cls, url: Any) -> Location:
        """
        Read a URL or an ``ObjectStoragePath``.

        :raises WesConfigurationError: if it names nothing that the service can fetch with a signed URL.
        """
        if hasattr(url, "samestore"):  # an ObjectStoragePath
            conn_id = url.conn_id if hasattr(url, "conn_id") else url.storage_options.get("conn_id")  # Airflow 2.11
            parts = cls(url.protocol, conn_id or None, url.path.lstrip("/"))
        else:
            parts = cls(*_split(str(url)))
        protocol, conn_id, path = parts
        if protocol in LOCAL and (protocol or path.startswith(("/", ".", "~"))):
            raise WesConfigurationError(f"{shown_url(url)} is a local file, which the service cannot fetch.\n{HOSTING}")
        if not protocol or protocol in WEB or not path.strip("/"):
            raise WesConfigurationError(
                f"BucketFiles takes a URL of object storage, not {shown(shown_url(url))}\n"
                "One is s3://aws_default@bucket/folder/*.csv."
            )
        if conn_id and ":" in conn_id:
            raise WesConfigurationError(
                f"{shown_url(url)} has credentials before the @.\nPut them into a connection, and its id there"
            )
        query = path.partition("?")[2].lower()
        if any(word in query for word in SIGNING):
            raise WesConfigurationError(
                f"{shown_url(url)} has a query with a signature or a key.\n"
                "Leave the query out: the URL is signed for its upload"
            )
        if path.endswith("/"):
            raise WesConfigurationError(
                f"{shown_url(url)} names a folder.\nAppend * for its objects, or ** for all below it"
            )
        return parts


def _split(url: str) -> tuple[str, str | None, str]:
    scheme, separator, rest = url.partition("://")
    if not separator:
        return "", None, url
    head, at, path = rest.partition("@")
    if not at or "/" in head:
        return scheme.lower(), None, rest
    return scheme.lower(), head or None, path


def shown_url(url: Any) -> str:
    """A storage URL with its connection id, which is no secret; a password in it is, and so may be a query."""
    protocol, conn_id, path = _split(str(url))
    if not protocol:
        return str(url)
    path, mark, query = path.partition("?")
    conn_id = (conn_id or "").partition(":")[0]
    pattern = mark + query if "=" not in query else ""
    return f"{protocol}://{conn_id}{'@' if conn_id else ''}{path}{pattern}"


def folder_location(location: Any) -> Location:
    """The place of a ledger, without a slash at its end."""
    return Location.of(location if hasattr(location, "samestore") else str(location).rstrip("/"))


def check_folder(location: Any) -> None:
    """
    Check the place of a ledger without the storage's library.

    :raises WesConfigurationError: if it is none.
    """
    if _split(str(location))[0] in (*WEB, *LOCAL):
        raise WesConfigurationError(
            f"A ledger needs a folder of object storage, not {shown(shown_url(location))}\n"
            "Such a folder is s3://aws_default@bucket/ledger."
        )
    folder_location(location)


def bucket_is_missing(fs: Any, location: Location) -> bool:
    """
    Whether a storage of buckets says that there is no such bucket.

    Not if it does not say so: a connection may have rights to a folder alone.
    """
    protocols = {fs.protocol} if isinstance(fs.protocol, str) else set(fs.protocol)
    try:
        if protocols & BUCKET_PROTOCOLS:
            fs.info(f"{location.protocol}://{location.path.partition('/')[0]}")
    except FileNotFoundError:
        return True
    except Exception:
        return False
    return False


def filesystem(protocol: str, conn_id: str | None, *, fresh: bool = False) -> Any:
    """
    The ``fsspec`` file system that Airflow has for a protocol and a connection.

    :param fresh: do not take the one that this process has used before.
    :raises WesConfigurationError: if there is no such connection, of which some libraries make anonymous access.
    """
    if conn_id is not None:
        _require_connection(protocol, conn_id)
    try:
        try:
            from airflow.sdk.io import attach, get_fs
        except ImportError:  # Airflow 2.11
            from airflow.io import get_fs  # type: ignore[attr-defined,no-redef]
            from airflow.io.store import attach  # type: ignore[import-not-found,no-redef]
        fs = get_fs(protocol, conn_id) if fresh else attach(protocol, conn_id).fs
    except (ImportError, ValueError) as error:
        raise WesConfigurationError(
            f"Airflow has no object storage for {protocol}:// here.\n"
            "Install airflow-provider-wes[storage], the provider of that storage, and its library: "
            "apache-airflow-providers-amazon with s3fs, -google with gcsfs, -microsoft-azure with adlfs.\n"
            f"{type(error).__name__}: {shown(str(error))}"
        ) from None
    config = getattr(fs, "config_kwargs", None)
    if config is None or "signature_version" in config:
        return fs
    # botocore signs URLs with version 2 by default, which newer buckets and regions refuse.
    options = {**fs.storage_options, "config_kwargs": {**config, "signature_version": "s3v4"}}
    return type(fs)(*fs.storage_args, **options)


def _require_connection(protocol: str, conn_id: str) -> None:
    from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook

    try:
        conn_type = BaseHook.get_connection(conn_id).conn_type
    except AirflowNotFoundException:
        raise WesConfigurationError(
            f"There is no connection {shown(conn_id)}.\n"
            f"Add it, or correct the id before the @: {protocol}://{shown(conn_id, quoted=False)}@..."
        ) from None
    if conn_type in OTHER_CONNECTIONS:
        raise WesConfigurationError(
            f"Connection {shown(conn_id)} is of type {conn_type}.\n"
            f"{protocol}:// needs a connection of the storage's provider, such as aws"
        )
