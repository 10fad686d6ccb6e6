"""URLs of object storage, and the file systems that Airflow has for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, NamedTuple

from wes_provider.arguments import HOSTING
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.storage.errors import WesStorageError
from wes_provider.texts import PAGES, shown

__all__ = ["Location", "access", "filesystem", "place_of", "shown_url"]

NO_STORAGE: Final = ("", "file", "local", "http", "https")
# Names of folders that storages leave out or follow.
NO_NAMES: Final = ("", ".", "..")
PATTERN: Final = re.compile(r"[*?\[]")
SAME_STORAGE: Final = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfss": "abfs"}
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
        location = _split(url)
        if location.protocol in NO_STORAGE or not location.path:
            raise WesConfigurationError(
                f"{shown_url(url)} is no URL of object storage\nOne is "
                "s3://aws_default@bucket/folder/codes.csv. The service cannot fetch local files. "
                f"{HOSTING}"
            )
        problem = _find_problem(location)
        if problem:
            raise WesConfigurationError(f"{shown_url(url)} {problem}")
        return location

    @classmethod
    def of_folder(cls, field: str, url: Any) -> Location:
        """
        Take the URL of a folder apart, in which the provider keeps something.

        :param field: the argument that it is, for messages.
        :raises WesConfigurationError: if it is none, or may be read as another folder's.
        """
        location = _split(str(url).strip().rstrip("/"))
        where = f"{field} is {shown(shown_url(url))}, which"
        advice = "It takes a folder of object storage, such as s3://aws_default@promo/ledger"
        if location.protocol in NO_STORAGE or not location.path:
            raise WesConfigurationError(f"{where} is no URL of object storage\n{advice}")
        if PATTERN.search(location.path):
            raise WesConfigurationError(f"{where} has a *, ? or [, as patterns have\n{advice}")
        problem = _find_problem(location)
        if problem:
            raise WesConfigurationError(f"{where} {problem}")
        if any(name in NO_NAMES for name in location.path.split("/")):
            raise WesConfigurationError(
                f"{where} has a part that is empty, . or ..\nSome storages read it as another "
                f"folder. {advice}"
            )
        return location


def _find_problem(location: Location) -> str:
    """Return why a URL of object storage cannot be used; empty if it can."""
    if ":" in location.conn_id:
        return "has credentials before the @.\nPut them into a connection, and its id there"
    if "?" in location.path.replace("[?]", ""):
        return (
            "has a ?, which begins a query.\nLeave it out: the URL is signed for its "
            "upload. In names, write [?]"
        )
    if any("**" in part and part != "**" for part in location.path.split("/")):
        return "has ** within a name.\nWrite **/ for all folders below, and * within a name"
    return ""


def _split(url: Any) -> Location:
    """Return the parts, unchecked; without a protocol, all is path."""
    scheme, separator, rest = str(url).strip().partition("://")
    if not separator:
        return Location("", "", scheme)
    head, at, path = rest.partition("@")
    if at and _has_password(head):
        head, _, path = rest.rpartition("@")
    elif "/" in head:
        # The @ is in the path.
        return Location(scheme.lower(), "", rest.lstrip("/"))
    elif not at:
        head, path = "", rest
    return Location(scheme.lower(), head, path.lstrip("/"))


def _has_password(head: str) -> bool:
    """
    Return whether what stands before an @ is a user and a password, which may have slashes, as
    secrets of S3 often have. The name of a bucket has a colon only if it is an ARN.
    """
    return ":" in head.partition("/")[0] and not head.startswith("arn:")


def place_of(path: str) -> str:
    """Return the path of an object in the usual one of the protocols that name its storage."""
    protocol, separator, rest = path.partition("://")
    return f"{SAME_STORAGE.get(protocol, protocol)}{separator}{rest}"


def shown_url(url: Any) -> str:
    """
    Return a storage URL with its connection id, which is no secret; a password in it is, and so may
    be a query.
    """
    protocol, conn_id, path = _split(url)
    text = path.partition("?")[0]
    if conn_id:
        text = f"{conn_id.partition(':')[0]}@{text}"
    elif str(url).strip().lower().startswith("file:///"):
        text = f"/{text}"
    if protocol:
        text = f"{protocol}://{text}"
    return shown(text, quoted=False)


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
