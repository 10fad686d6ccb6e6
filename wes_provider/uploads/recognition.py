"""
Whether a list's files include an upload. Pure.

Each answer rests on what the list shows. A list that is not whole, hides names, or shows files that may or may not be
the upload is no proof that it took no effect.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote, unquote, urlsplit

from wes_provider.models import redact_url
from wes_provider.uploads.identity import GivenName, TaskIdentity, parse

__all__ = ["Absent", "Found", "Listing", "OwnName", "Recognition", "Undecided", "UsersName", "same_url"]

log = logging.getLogger(__name__)

SHORTEST_PREFIX = 8  # characters of a user's name that a service which cuts names leaves, to be recognised


@dataclass(frozen=True)
class Listing:
    """
    Files of a list.

    :ivar records: as the service shows them.
    :ivar incomplete: why there may be more files; empty if these are all.
    :ivar names_shown: whether any file of the list shows a name.
    """

    records: Sequence[Mapping[str, Any]]
    incomplete: str = ""
    names_shown: bool = True


class Found(NamedTuple):
    """
    The upload's file.

    :ivar generation: of the upload.
    :ivar url: its URL without the query; empty if it is not shown.
    """

    record: Mapping[str, Any]
    generation: int
    url: str


class Absent(NamedTuple):
    """The upload took no effect, or is not listed yet."""


class Undecided(NamedTuple):
    """The list does not answer the question."""

    why: str


Recognition: TypeAlias = "Found | Absent | Undecided"


@dataclass(frozen=True)
class OwnName:
    """
    Recognises an upload by the name that the provider chose.

    :ivar url: of the upload, without its query; empty if that is not known.
    :ivar own: generation and mark of the upload.
    :ivar earlier: whether a file of an earlier generation counts, too.
    """

    identity: TaskIdentity
    part: str
    url: str
    own: GivenName
    earlier: bool = False

    @cached_property
    def _hash(self) -> str:
        return self.identity.hash(self.part)

    def may_match(self, record: Mapping[str, Any]) -> bool:
        """Whether the record matters for :meth:`recognise`."""
        return not _name(record) or self._given(record) is not None

    def recognise(self, listing: Listing) -> Recognition:
        """Find the upload's file in its list."""
        ours = [(given, record) for record in listing.records if (given := self._given(record)) is not None]
        if any(given.generation < 0 for given, _ in ours):
            return Undecided(f"the service cuts names, and this may be its file: {_ids(r for _, r in ours)}")
        current = [record for given, record in ours if given == self.own]
        if len(current) > 1:
            log.warning("The service carried out more than one request of this upload: %s", _ids(current))
        if current:
            return Found(current[0], self.own.generation, _url(current[0]))
        earlier = {given: record for given, record in ours if self._may_be_earlier(given)}
        if listing.incomplete:
            return Undecided(listing.incomplete)
        if self._may_be_of_another_run(earlier):
            return Undecided(f"files of before a clear, or of a deleted run of the same id: {_ids(earlier.values())}")
        if earlier and self.earlier:
            newest = max(earlier)
            return Found(earlier[newest], newest.generation, _url(earlier[newest]))
        nameless = [record for record in listing.records if not _name(record)]
        if nameless and not listing.names_shown:
            return Undecided("the list shows no names")
        if hidden := [
            record for record in nameless if self.url == "" or not _url(record) or same_url(_url(record), self.url)
        ]:
            return Undecided(f"files without a name may be it: {_ids(hidden)}")
        return Absent()

    def _given(self, record: Mapping[str, Any]) -> GivenName | None:
        name = _name(record)
        return parse(self._hash, name) if name else None

    def _may_be_earlier(self, given: GivenName) -> bool:
        """Whether it may be of this DAG run: another start of a run that was never cleared is another run's."""
        return given.mark == self.own.mark or self.identity.run_cleared is not False

    def _may_be_of_another_run(self, earlier: Collection[GivenName]) -> bool:
        """
        Whether some may be of a deleted DAG run of the same id.

        If they are of this one, ``retries`` was lowered before a clear, or a clear of another task started it anew.
        """
        if self.identity.iteration is not None:
            return False  # tries count from the start again after some clears
        ambiguous = self.earlier and len({given.generation for given in earlier}) < len(earlier)
        return ambiguous or any(
            given.mark != self.own.mark and given.generation >= self.own.generation for given in earlier
        )


@dataclass(frozen=True)
class UsersName:
    """
    Recognises an upload by a name that the user chose and that other uploads may have.

    :ivar names: the name as sent, and as the service showed it.
    :ivar url: of the upload, without its query; empty if that is not known.
    :ivar generation: of the upload.
    :ivar known: identifiers of files that were there before; ``None`` if that is not known.
    :ivar unique: part of the name that belongs to this DAG run and this generation alone; ``known`` is not needed if
        the list shows it.
    """

    names: tuple[str, ...]
    url: str
    generation: int
    known: Collection[str] | None
    unique: str = ""

    def may_match(self, record: Mapping[str, Any]) -> bool:
        """Whether the record matters for :meth:`recognise`."""
        shown, url = _name(record).lower(), self._same_url(record)
        cut = url is None and any(name.lower().startswith(shown) for name in self.names)
        return not shown or cut or url is True or self._named(record)

    def recognise(self, listing: Listing) -> Recognition:
        """Find the upload's file in its list."""
        new = [r for r in listing.records if self.known is None or str(r.get("_id")) not in self.known]
        candidates = [r for r in new if self._named(r) and self._same_url(r) is not False]
        if len(candidates) == 1 and (self.known is not None or self._is_unique(candidates[0])):
            return Found(candidates[0], self.generation, _url(candidates[0]))
        if candidates:
            avoid = "a name with {{ run_id }} in it, or none, avoids this"
            return Undecided(f"files of other runs or attempts may have its name and URL ({_ids(candidates)}); {avoid}")
        if listing.incomplete:
            return Undecided(listing.incomplete)
        if doubtful := [r for r in new if self._doubtful(r, listing)]:
            return Undecided(f"files with another name or URL, or without, may be it: {_ids(doubtful)}")
        return Absent()

    def _doubtful(self, record: Mapping[str, Any], listing: Listing) -> bool:
        if self.known is None and listing.names_shown and not _name(record):
            return self._same_url(record) is not False  # an old file that was uploaded without a name
        return self.may_match(record)

    def _is_unique(self, record: Mapping[str, Any]) -> bool:
        return bool(self.unique) and self.unique.lower() in _name(record).lower()

    def _named(self, record: Mapping[str, Any]) -> bool:
        shown = _name(record).lower()
        for name in map(str.lower, self.names):
            cut = len(shown) >= SHORTEST_PREFIX and name.startswith(shown)
            if cut or shown in (name, name.rpartition(".")[0] or name):
                return True
        return False

    def _same_url(self, record: Mapping[str, Any]) -> bool | None:
        """Whether the URL is the upload's; ``None`` if it is not shown."""
        return same_url(url, self.url) if (url := _url(record)) and self.url else None


def same_url(one: str, other: str) -> bool:
    """Whether two URLs are equivalent (RFC 3986, section 6.2.2), without regard to their queries."""
    return _canonical(one) == _canonical(other)


def _canonical(url: str) -> tuple[str, str, str]:
    try:
        parts = urlsplit(redact_url(url))
        default = {"http": 80, "https": 443}.get(parts.scheme.lower())
        port = "" if parts.port in (None, default) else f":{parts.port}"
        path = "/".join(quote(unquote(segment), safe="") for segment in (parts.path or "/").split("/"))
        return parts.scheme.lower(), f"{(parts.hostname or '').lower()}{port}", path
    except ValueError:
        return "", "", url


def _name(record: Mapping[str, Any]) -> str:
    name = record.get("name")
    return name.strip() if isinstance(name, str) else ""


def _url(record: Mapping[str, Any]) -> str:
    url = record.get("file_url")
    return redact_url(url) if isinstance(url, str) else ""


def _ids(records: Iterable[Mapping[str, Any]]) -> str:
    ids = [str(record.get("_id")) for record in records]
    return ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
