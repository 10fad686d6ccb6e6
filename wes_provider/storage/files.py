"""
Coupon files as the operators' arguments name them: objects in storage, or plain URLs.

Storage libraries are imported when a task lists objects; a DAG file that names
:class:`BucketFiles` loads none.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Final

from wes_provider.arguments import check_boolean, early
from wes_provider.exceptions import WesConfigurationError
from wes_provider.storage.errors import WesStorageError
from wes_provider.storage.listed_file import ListedFile
from wes_provider.storage.location import Location, access, filesystem, shown_url
from wes_provider.storage.objects import etag_of
from wes_provider.texts import shown

__all__ = ["BucketFiles"]

# As long as the operators wait for a file by default.
DEFAULT_URL_LIFETIME: Final = timedelta(hours=2)
LONGEST_URL_LIFETIME: Final = timedelta(days=7)  # S3 and GCS take no more (Signature Version 4)
# Ends of empty objects that stand for folders; the latter are Hadoop's.
FOLDERS: Final = ("/", "_$folder$")


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
        self._seconds = _parse_lifetime(self.url_lifetime)
        early(Location.of, self.url)
        check_boolean("allow_none", self.allow_none)

    def __repr__(self) -> str:
        return (
            f"BucketFiles({shown_url(self.url)!r}, {self.url_lifetime!r}, "
            f"allow_none={self.allow_none!r})"
        )

    def expand(self, item: int = 0, *, checked: bool = True) -> list[ListedFile]:
        """
        List the objects that match, sorted by path.

        :param item: the place in the operator's argument.
        :param checked: whether their codes are to be checked.
        :raises WesConfigurationError: if the URL cannot be used, or no library for its protocol is
            installed.
        :raises WesStorageError: if nothing matches, unless ``allow_none``; if the storage refuses
            or does not respond.
        """
        location, where = Location.of(self.url), shown_url(self.url)
        fs = filesystem(location.protocol, location.conn_id)
        fs.invalidate_cache()
        objects = _objects_of(fs, location, where)
        files = []
        for name, info in sorted(objects.items()):
            if info["type"] != "file" or name.endswith(FOLDERS):
                continue
            path = f"{location.protocol}://{name.lstrip('/')}"
            file = ListedFile(
                path=path,
                item=item,
                conn_id=location.conn_id,
                url_lifetime=self._seconds,
                etag=etag_of(fs, path, info),
                size=int(info["size"] or 0),
                checked=checked,
            )
            files.append(file)
        if not files and not self.allow_none:
            raise WesStorageError(
                f"No object matches {where}\nCheck the bucket, the path and the connection; a "
                "folder's objects are folder/*. BucketFiles(..., allow_none=True) accepts that "
                "there are none. In names, write [[], [*] and [?] for [, * and ?"
            )
        return files


def _objects_of(fs: Any, location: Location, where: str) -> Mapping[str, Any]:
    """
    Return the objects that a path names or a pattern matches.

    A name may have brackets, as browsers name a second download: ``codes[1].csv``. As a pattern
    it matches ``codes1.csv`` and not itself, so an object of that very name counts.

    :raises WesConfigurationError: if there is one, and the pattern matches others.
    """
    url = f"{location.protocol}://{location.path}"
    matched: Mapping[str, Any] = {}
    with suppress(FileNotFoundError), access(where, "listed"):
        # A path without a pattern matches what it names.
        matched = fs.glob(url, detail=True)
    if "[" not in location.path:
        return matched
    named = _object_named(fs, url)
    if not named or not named.keys() - matched.keys():
        return matched
    if matched:
        other = next(iter(matched))
        raise WesConfigurationError(
            f"{where} is the name of an object, and a pattern that matches {other}\n"
            "Write [[] for [ in the name of an object, or rename the object to match the others"
        )
    return named


def _object_named(fs: Any, url: str) -> dict[str, Any]:
    """Return the object of exactly this name; nothing if there is none, or it cannot be read."""
    try:
        info = fs.info(url)
    except Exception:  # a storage library raises what it likes; the listing has told what matters
        return {}
    if info.get("type") != "file":
        return {}
    return {str(info["name"]): info}


def _parse_lifetime(lifetime: timedelta | float) -> int:
    seconds: Any = lifetime
    if isinstance(lifetime, timedelta):
        seconds = lifetime.total_seconds()
    is_number = type(seconds) in (int, float)
    if not is_number or not 1 <= seconds <= LONGEST_URL_LIFETIME.total_seconds():
        raise WesConfigurationError(
            "url_lifetime takes a timedelta or seconds, from 1 second to 7 days, not "
            f"{shown(lifetime)}"
        )
    return int(seconds)
