"""URLs of object storage, and the file systems that Airflow has for them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from wes_provider.arguments import HOSTING
from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import shown

__all__ = ["LOCAL", "WEB", "Location", "bucket_is_missing", "filesystem", "shown_url"]

BUCKET_PROTOCOLS: Final = frozenset({"s3", "gs", "abfs"})  # of s3fs, gcsfs and adlfs, among other names
WEB: Final = ("http", "https")
LOCAL: Final = ("file", "local", "")
SIGNING: Final = ("signature", "x-amz-", "x-goog-", "accesskeyid", "sig=", "token=")  # in queries of signed URLs


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
    def split(cls, url: Any) -> Location:
        """Take a URL or an ``ObjectStoragePath`` apart, unchecked; without a protocol, it is all path."""
        if hasattr(url, "samestore"):  # an ObjectStoragePath
            conn_id = url.conn_id if hasattr(url, "conn_id") else url.storage_options.get("conn_id")  # Airflow 2.11
            return cls(url.protocol, conn_id or None, url.path.lstrip("/"))
        scheme, separator, rest = str(url).partition("://")
        if not separator:
            return cls("", None, str(url))
        head, at, path = rest.partition("@")
        return cls(scheme.lower(), head or None, path) if at and "/" not in head else cls(scheme.lower(), None, rest)

    @classmethod
    def of(cls, url: Any) -> Location:
        """
        The same, checked.

        :raises WesConfigurationError: if it names nothing that the service can fetch with a signed URL.
        """
        protocol, conn_id, path = location = cls.split(url)
        problem = ""
        if protocol in LOCAL and (protocol or path.startswith(("/", ".", "~"))):
            problem = f" is a local file, which the service cannot fetch.\n{HOSTING}"
        elif not protocol or protocol in WEB or not path.strip("/"):
            problem = " is no URL of object storage\nOne is s3://aws_default@bucket/folder/*.csv."
        elif conn_id and ":" in conn_id:
            problem = " has credentials before the @.\nPut them into a connection, and its id there"
        elif any(word in path.partition("?")[2].lower() for word in SIGNING):
            problem = " has a query with a signature or a key.\nLeave it out: the URL is signed for its upload"
        elif path.endswith("/"):
            problem = " names a folder.\nAppend * for its objects, or ** for all below it"
        if problem:
            raise WesConfigurationError(shown(shown_url(url), quoted=False) + problem)
        return location


def shown_url(url: Any) -> str:
    """A storage URL with its connection id, which is no secret; a password in it is, and so may be a query."""
    protocol, conn_id, path = Location.split(url)
    path, mark, query = path.partition("?")
    pattern = mark + query if "=" not in query.partition("/")[0] else ""  # in a pattern, "?" is any character
    conn_id = (conn_id or "").partition(":")[0]
    return f"{protocol}{'://' if protocol else ''}{conn_id}{'@' if conn_id else ''}{path}{pattern}"


def bucket_is_missing(fs: Any, location: Location) -> bool:
    """Whether a storage of buckets says that there is no such bucket; a connection may have rights to a folder only."""
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
    from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook

    try:
        if conn_id is not None and BaseHook.get_connection(conn_id).conn_type in ("http", "wes"):
            raise WesConfigurationError(
                f"Connection {shown(conn_id)} is of another type than the storage's\n{protocol}:// needs a connection "
                "of the storage's provider, such as aws"
            )
        try:
            from airflow.sdk.io import attach, get_fs
        except ImportError:  # Airflow 2.11
            from airflow.io import get_fs  # type: ignore[attr-defined,no-redef]
            from airflow.io.store import attach  # type: ignore[import-not-found,no-redef]
        fs = get_fs(protocol, conn_id) if fresh else attach(protocol, conn_id).fs
    except WesConfigurationError:
        raise
    except AirflowNotFoundException:
        raise WesConfigurationError(
            f"There is no connection {shown(conn_id)}\nAdd it, or correct the id before the @ of {protocol}://...@..."
        ) from None
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
