"""
Whether a list's files include an upload. Pure.

Each decision rests on what the list shows. A list that is not whole, hides names, or shows files that may or may not be
the upload is no proof that it took no effect.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from wes_provider.models import canonical_url, redact_url
from wes_provider.uploads.identity import GivenName, TaskIdentity, is_ours, parse

__all__ = [
    "Absent",
    "Found",
    "Listing",
    "OwnName",
    "Recognition",
    "Undecided",
    "UsersName",
    "may_be_renamed",
    "same_url",
]

log = logging.getLogger(__name__)

SHORTEST_PREFIX: Final = 8  # characters that a service which cuts names leaves of a user's name


@dataclass(frozen=True)
class Listing:
    """
    Files of a list.

    :ivar records: as the service shows them.
    :ivar incomplete: why there may be more files; empty if these are all.
    :ivar names_shown: whether any file of the list shows a name.
    :ivar names_kept: whether any shows one that the provider gave, whatever the upload.
    """

    records: Sequence[Mapping[str, Any]]
    incomplete: str = ""
    names_shown: bool = True
    names_kept: bool = False


class Found(NamedTuple):
    """
    The upload's file.

    :ivar generation: the generation of the upload; below the present one if the task was cleared since.
    :ivar other: the URL or name of its file, if that is not the one to upload now; else empty.
    """

    record: Mapping[str, Any]
    generation: int
    other: str = ""


class Absent(NamedTuple):
    """The upload took no effect, or is not listed yet."""


class Undecided(NamedTuple):
    """The list does not tell."""

    why: str


Recognition: TypeAlias = "Found | Absent | Undecided"


@dataclass(frozen=True)
class OwnName:
    """
    Recognises an upload by the name that the provider chose.

    :ivar url: the URL of the upload, without its query; empty if that is not known.
    :ivar own: what the upload's name says.
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

    @cached_property
    def _urls(self) -> tuple[str]:
        return (canonical_url(self.url) if self.url else "",)

    def is_named(self, record: Mapping[str, Any]) -> bool:
        """Whether the record has the name, or what is left of it."""
        return self._given(record) is not None

    def may_match(self, record: Mapping[str, Any]) -> bool:
        """Whether the record matters for :meth:`recognise`."""
        return self.is_named(record) or may_be_renamed(record, self._urls)

    def recognise(self, listing: Listing) -> Recognition:
        """Find the upload's file in its list."""
        ours = [(given, record) for record in listing.records if (given := self._given(record)) is not None]
        if any(given.generation < 0 for given, _ in ours):
            return Undecided(f"the service cuts names, and this may be its file: {_ids(r for _, r in ours)}")
        current = [(given, record) for given, record in ours if given.same_upload(self.own)]
        if len(current) > 1:
            log.warning("The service carried out more than one request of this upload: %s", _ids(r for _, r in current))
        if current:
            return self._found(*current[0])
        earlier = {given: record for given, record in ours if self._may_be_earlier(given)}
        if listing.incomplete:
            return Undecided(listing.incomplete)
        if self._may_be_of_another_run(earlier):
            return Undecided(f"files of before a clear, or of a deleted run of the same id: {_ids(earlier.values())}")
        if earlier and self.earlier:
            return self._of_before_a_clear(max(earlier), earlier[max(earlier)])
        if not listing.names_shown:
            return Undecided("the list shows no names")
        doubtful = [record for record in listing.records if may_be_renamed(record, self._urls)]
        if hidden := [record for record in doubtful if not _name(record)]:
            return Undecided(f"files without a name may be it: {_ids(hidden)}")
        if doubtful and not listing.names_kept:
            return Undecided(f"if the service gives files other names, these may be it: {_ids(doubtful)}")
        return Absent()

    def _of_before_a_clear(self, given: GivenName, record: Mapping[str, Any]) -> Recognition:
        if not (given.file or (_url(record) and self.url)):
            return Undecided(f"the list does not show the URL of a file of before the clear: {_ids([record])}")
        found = self._found(given, record)
        # An iteration of a loop that replaces another after a clear has the same generation.
        return found._replace(generation=min(given.generation, self.own.generation - 1))

    def _found(self, given: GivenName, record: Mapping[str, Any]) -> Found:
        url = _url(record)
        if given.file and self.own.file:
            same = given.file == self.own.file
        else:
            same = not url or not self.url or same_url(url, self.url)
        return Found(record, given.generation, "" if same else url or _name(record))

    def _given(self, record: Mapping[str, Any]) -> GivenName | None:
        name = _name(record)
        return parse(self._hash, name) if name else None

    def _may_be_earlier(self, given: GivenName) -> bool:
        """Whether it may be of this DAG run: another start of a run that was never cleared is another run's."""
        return given.mark == self.own.mark or self.identity.run_cleared is not False

    def _may_be_of_another_run(self, earlier: Collection[GivenName]) -> bool:
        """
        Whether some may be of a deleted DAG run of the same id.

        If they are of this one, ``retries`` was lowered before a clear, or a clear of another task started it again.
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

    :ivar name: as sent.
    :ivar url: the URL of the upload, without its query; empty if that is not known.
    :ivar generation: the generation of the upload.
    :ivar known: identifiers of files that were there before; ``None`` if that is not known.
    :ivar unique: part of the name that belongs to this DAG run and this generation alone; ``known`` is not needed if
        the list shows it.
    :ivar cleared: the file may be of before a clear, since when its URL may have changed.
    """

    name: str
    url: str
    generation: int
    known: Collection[str] | None
    unique: str = ""
    cleared: bool = False

    def may_match(self, record: Mapping[str, Any]) -> bool:
        """Whether the record matters for :meth:`recognise`."""
        shown, url = _name(record).lower(), self._same_url(record)
        # Another upload's name may be a part of this one, so this is no proof that the service cuts names.
        shortest = 0 if url is None else SHORTEST_PREFIX
        cut = len(shown) >= shortest and self.name.lower().startswith(shown)
        matters = not shown or cut or url is True or self.is_named(record)
        return matters and str(record.get("_id")) not in self._known

    def recognise(self, listing: Listing) -> Recognition:
        """Find the upload's file in its list."""
        new = [record for record in listing.records if str(record.get("_id")) not in self._known]
        candidates = [record for record in new if self.is_named(record) and self._same_url(record) is not False]
        if self.cleared and any(self._same_url(record) is None for record in candidates):
            return Undecided(f"the list does not show the URLs of files of before the clear: {_ids(candidates)}")
        if len(candidates) == 1 and (self.known is not None or self._is_unique(candidates[0])):
            return Found(candidates[0], self.generation)
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

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.known or ())

    def is_named(self, record: Mapping[str, Any]) -> bool:
        """Whether the record has the name, whatever its case."""
        return _name(record).lower() == self.name.lower()

    def _same_url(self, record: Mapping[str, Any]) -> bool | None:
        """Whether the URL is the upload's; ``None`` if it is not shown."""
        return same_url(url, self.url) if (url := _url(record)) and self.url else None


def may_be_renamed(record: Mapping[str, Any], urls: Collection[str]) -> bool:
    """
    Whether a file may be an upload that lost its name, or has one that the service gave it.

    :param urls: the URLs of the uploads, canonical; an empty one is not known.
    """
    if is_ours(_name(record)):
        return False
    url = _url(record)
    return not url or "" in urls or canonical_url(url) in urls


def same_url(one: str, other: str) -> bool:
    """Whether two URLs are equivalent (RFC 3986, section 6.2.2), without regard to their queries."""
    return canonical_url(redact_url(one)) == canonical_url(redact_url(other))


def _name(record: Mapping[str, Any]) -> str:
    name = record.get("name")
    return name.strip() if isinstance(name, str) else ""


def _url(record: Mapping[str, Any]) -> str:
    url = record.get("file_url")
    return redact_url(url) if isinstance(url, str) else ""


def _ids(records: Iterable[Mapping[str, Any]]) -> str:
    ids = [str(record.get("_id")) for record in records]
    return ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
