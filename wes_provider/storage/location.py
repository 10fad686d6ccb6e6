"""URLs of object storage, and the file systems that Airflow has for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, NamedTuple

from wes_provider.arguments import HOSTING
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.storage.errors import WesStorageError
from wes_provider.texts import PAGES, shown

__all__ = ["Location", "access", "filesystem", "shown_url"]

NO_STORAGE: Final = ("", "file", "local", "http", "https")
S3: Final = ("s3", "s3a", "s3n")


class Location(NamedTuple):
    """A storage URL in parts; ``path`` begins with the bucket, and may be a pattern."""

    protocol: str
    conn_id: str
    path: str

    @classmethod
    def of(cls, url: Any) -> Location:
        """
        Take a URL or an ``ObjectStoragePath`` apart.

        :raises WesConfigurationError: if it names nothing that the service can fetch with a signed
            URL.
        """
        protocol, conn_id, path = location = _split(url)
        if protocol in NO_STORAGE or not path:
            example = (
                "One is s3://aws_default@bucket/folder/codes.csv. The service cannot fetch "
                "local files"
            )
            problem = f" is no URL of object storage\n{example}. {HOSTING}"
        elif ":" in conn_id:
            problem = " has credentials before the @.\nPut them into a connection, and its id there"
        elif "?" in path.replace("[?]", ""):
            problem = (
                " has a ?, which begins a query.\nLeave it out: the URL is signed for its "
                "upload. In names, write [?]"
            )
        elif any("**" in part and part != "**" for part in path.split("/")):
            problem = " has ** within a name.\nWrite **/ for all folders below, and * within a name"
        else:
            return location
        raise WesConfigurationError(shown(shown_url(url), quoted=False) + problem)


def _split(url: Any) -> Location:
    """Return the parts, unchecked; without a protocol, all is path."""
    scheme, separator, rest = str(url).strip().partition("://")
    if not separator:
        return Location("", "", scheme)
    head, at, path = rest.partition("@")
    conn_id, path = (head, path) if at and "/" not in head else ("", rest)
    return Location(scheme.lower(), conn_id, path.lstrip("/"))


def shown_url(url: Any) -> str:
    """
    Return a storage URL with its connection id, which is no secret; a password in it is, and so may
    be a query.
    """
    protocol, conn_id, path = _split(url)
    user = f"{conn_id.partition(':')[0]}@" if conn_id else ""
    return f"{protocol}{'://' if protocol else ''}{user}{path.partition('?')[0]}"


@contextmanager
def access(what: str, done: str) -> Iterator[None]:
    """Raise an error without the text of a storage library's, which may quote anything."""
    try:
        yield
    except (FileNotFoundError, FileExistsError, WesError):
        raise
    except Exception as error:
        raise WesStorageError(
            f"{what} cannot be {done} ({type(error).__name__})\nCheck the connection's address, "
            "credentials and rights"
        ) from None


@cache
def filesystem(protocol: str, conn_id: str) -> Any:
    """
    Return the ``fsspec`` file system that Airflow has for a protocol and a connection; it is kept
    with its credentials.

    :raises WesConfigurationError: if there is no such connection, of which some libraries make
        anonymous access.
    """
    from airflow.providers.common.compat.sdk import (  # type: ignore[attr-defined]
        AirflowNotFoundException,
        BaseHook,
        io,
    )

    # botocore signs URLs with version 2 by default, which newer buckets and regions refuse.
    options = {"signature_version": "s3v4"} if protocol in S3 else {}
    try:
        if conn_id:
            BaseHook.get_connection(conn_id)
        return io.get_fs(protocol, conn_id or None, options)
    except AirflowNotFoundException:
        raise WesConfigurationError(
            f"There is no connection {shown(conn_id)}\nAdd it, or correct the id before the @ of "
            f"{protocol}://...@..."
        ) from None
    except (ImportError, ValueError) as error:
        raise WesConfigurationError(
            f"Airflow has no object storage for {protocol}:// here.\n"
            f"Install airflow-provider-wes[storage] and what {PAGES}storage.html#set-it-up lists "
            "for your storage.\n"
            f"{type(error).__name__}: {shown(str(error))}"
        ) from None
