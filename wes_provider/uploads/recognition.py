"""
What a list shows of an upload. Pure.

Each step decides one question, in an order that matters, and says so if the list does not settle
it. A list that is incomplete, hides names, or has files that may or may not be the upload's is no
proof that the upload took no effect.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

from wes_provider import contract
from wes_provider.client.responses import Listing
from wes_provider.hiding import HIDDEN, may_show
from wes_provider.models import CouponFile, Record
from wes_provider.uploads.decision import (
    Accepted,
    AcceptedBeforeClear,
    Behind,
    CannotTell,
    FoundFromBeforeClear,
    FoundSinceClear,
    Listed,
    MaybeSent,
    MaybeSentBeforeClear,
    NotThere,
)
from wes_provider.uploads.identity import UploadName, parse
from wes_provider.uploads.other_names import doubt_changed_name, doubt_other_names
from wes_provider.uploads.sought import (
    Sought,
    ids_of,
    name_of,
    some_of,
    status_of,
    url_of,
)
from wes_provider.uploads.urls import identify_url

SHORTEST_CUT: Final = 4
"""Characters; a shorter name says nothing."""

GIVE_NAMES: Final = "give each file a name"
LEAVE_NAME_OUT: Final = "leave name out, or put {{ run_id }} into it"


class _NamedRecord(NamedTuple):
    """A record of the list, and what its name says."""

    name: UploadName
    record: Record


class _NamedListing(NamedTuple):
    """
    The files of a list.

    :ivar incomplete: why there may be more; empty if these are all.
    :ivar named: those whose names are ours.
    :ivar beside: what the response has beside the files.
    """

    records: Sequence[Record]
    incomplete: str
    named: Sequence[_NamedRecord]
    beside: Mapping[str, Any]


def recognise(listing: Listing, sought: Sought) -> Listed:
    """
    Find an upload's file among the files of its list.

    :param listing: the records as the service shows them, and why there may be more.
    """
    records = _without_repeats(listing.records)
    of_this_list = [record for record in records if not _is_of_another_list(record, sought)]
    if records and not of_this_list:
        return CannotTell(f"the service shows files of another list: {ids_of(records)}")
    misplaced = [record for record in records if _is_own_in_another_list(record, sought)]
    if misplaced:
        return CannotTell(f"of its name, but of another list, is {ids_of(misplaced)}")
    listing = listing._replace(records=of_this_list)
    if sought.given_name:
        listed = _recognise_given_name(listing, sought)
    else:
        listed = _recognise_name(listing, sought)
    if _may_later_list_tell_more(listed, sought):
        return _doubt_older_list(listing, sought) or listed
    return listed


def _may_later_list_tell_more(listed: Listed, sought: Sought) -> bool:
    """Tell whether a later state of the list may have the file, unlike this one."""
    if isinstance(listed, FoundFromBeforeClear):
        # The failed one may have been replaced.
        return sought.statuses.failed(listed.file.status)
    return isinstance(listed, (NotThere, CannotTell))


def _doubt_older_list(listing: Listing, sought: Sought) -> Behind | None:
    """
    Doubt a list that shows an earlier state than that after the last request. A part of a list may
    lack files whatever its state is.
    """
    if listing.incomplete:
        return None
    ids = {str(record.get("_id")) for record in listing.records}
    lost = [file_id for file_id in sought.has_to_list if file_id not in ids]
    if lost:
        return Behind(f"the list lacks files that it has to show: {some_of(lost)}")
    if listing.age > sought.longest_age:
        return Behind(f"a cache sent the list as it was {listing.age} s before")
    return None


def _without_repeats(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop what a list shows twice, as one does whose pages overlap."""
    by_identity: dict[tuple[str, str, str], dict[str, Any]] = {}
    for number, record in enumerate(records):
        file_id = record.get("_id")
        # Records without an identifier are not known to be the same.
        identity = str(file_id) if file_id else f"record {number}"
        by_identity.setdefault((identity, name_of(record), url_of(record)), record)
    return list(by_identity.values())


def _is_of_another_list(record: Record, sought: Sought) -> bool:
    """Tell whether a file says that it is of another list; one that says nothing may be of this."""
    for name in contract.LIST_ID_FIELDS:
        list_id = record.get(name)
        if isinstance(list_id, str) and list_id.strip():
            return not may_show(list_id, sought.coupon_list_id)
    return False


def _is_own_in_another_list(record: Record, sought: Sought) -> bool:
    """Tell whether a file has the upload's own name, which no upload to another list has."""
    is_own = not sought.given_name and parse(record.get("name")) == sought.name
    return is_own and _is_of_another_list(record, sought)


def _read_names(listing: Listing) -> list[_NamedRecord]:
    named = []
    for record in listing.records:
        name = parse(record.get("name"))
        if name is not None:
            named.append(_NamedRecord(name, record))
    return named


def is_of_another_upload(
    file: CouponFile, coupon_list_id: str, sent_name: str, sent_url: str
) -> bool:
    """
    Tell whether the response to an upload describes another one: its list is another one, or what
    it shows of name and URL was not sent. A service may show one of them in another form, if the
    other is as it was sent; but a name of ours is that of another upload whatever the URL is, and
    under a name that the user gives, so is a file from another place on the host of the URL.

    :param file: of the response.
    :param coupon_list_id: the list that it was uploaded to.
    """
    if not may_show(file.coupon_list_id, coupon_list_id):
        return True
    name = file.name.strip().lower()
    # A service may cut names.
    whole_name = sent_name.strip().lower()[: len(name)]
    names = _Compared.of(name, whole_name)
    urls = _Compared.of(_without_query(file.file_url), _without_query(sent_url))
    if names is _Compared.DIFFERENT and parse(name) is not None:
        return True
    is_given = parse(sent_name) is None
    if is_given and urls is _Compared.DIFFERENT and _host(file.file_url) == _host(sent_url):
        return True
    compared = {names, urls}
    return _Compared.DIFFERENT in compared and _Compared.ALIKE not in compared


class _Compared(Enum):
    """What a response shows of something that was sent."""

    ALIKE = "alike"
    DIFFERENT = "different"
    NOT_SHOWN = "not shown"

    @classmethod
    def of(cls, shown: str, sent: str) -> _Compared:
        """Compare what is shown with what was sent."""
        if not shown:
            return cls.NOT_SHOWN
        if shown == sent:
            return cls.ALIKE
        # A secret was taken out of it, so it shows neither.
        return cls.NOT_SHOWN if HIDDEN in shown else cls.DIFFERENT


def _host(url: str) -> str:
    """Return scheme and host of a URL; of one that is none, what stands before its path."""
    return "/".join(_without_query(url).split("/")[:3])


def _without_query(url: str) -> str:
    try:
        return identify_url(url).without_query if url else ""
    except ValueError:
        return ""


# -- by a name of ours -----------------------------------------------------------------------------


def _recognise_name(listing: Listing, sought: Sought) -> Listed:
    """Find an upload's file by a name of ours: the first step that settles it counts."""
    names = _read_names(listing)
    named = _NamedListing(listing.records, listing.incomplete, names, listing.beside)
    for step in STEPS:
        listed = step(named, sought)
        if listed is not None:
            return listed
    return NotThere()


def _find_own(listing: _NamedListing, sought: Sought) -> Listed | None:
    """Find the file that this task instance has uploaded since its last clear."""
    own = [record for name, record in listing.named if name == sought.name]
    if not own:
        return None
    # If a gateway has sent a request twice, one of its files may have failed.
    not_failed = [record for record in own if not sought.statuses.failed(status_of(record))]
    return _found([*not_failed, *own][0], sought)


def _find_from_another_url(listing: _NamedListing, sought: Sought) -> Listed | None:
    """
    Find what this task instance has uploaded since its last clear from a URL that it does not have
    now: URLs may change each time that they are rendered.
    """
    if not isinstance(sought.earlier, (MaybeSent, Accepted)):
        return None
    records = [
        record
        for name, record in listing.named
        if name.is_of_same_attempts(sought.name) and name.file not in sought.files_of_task
    ]
    if not records:
        return None
    if sought.single and len(records) == 1:
        return _found(records[0], sought)
    return CannotTell(
        f"an earlier attempt uploaded {ids_of(records)} from other URLs: {GIVE_NAMES}"
    )


def _doubt_incomplete_list(listing: _NamedListing, _sought: Sought) -> Listed | None:
    """Doubt a list that may have more files: it proves nothing by what it does not show."""
    if listing.incomplete:
        return CannotTell(listing.incomplete)
    return None


def _find_from_before_clear(listing: _NamedListing, sought: Sought) -> Listed | None:
    """Find the file that a task of the run uploaded before a clear; this task instance's first."""
    if sought.run_never_cleared:
        return None
    candidates = [each for each in listing.named if each.name.file == sought.name.file]
    if not candidates:
        return None
    newest = max(candidates, key=lambda each: _precedence(each, sought))
    doubt = _doubt_newest(newest, candidates, sought)
    if doubt is not None:
        return doubt
    file = _read_file(newest.record, sought)
    if file is None:
        return WITHOUT_ID
    # A clear of a run that had ended moves its start, so the start does not count.
    return FoundFromBeforeClear(file, is_own=newest.name.origin == sought.name.origin)


def _doubt_newest(
    newest: _NamedRecord, candidates: Sequence[_NamedRecord], sought: Sought
) -> CannotTell | None:
    """Tell why the file that seems to be the last one before the clear may not be it."""
    if sought.statuses.failed(status_of(newest.record)):
        # If retries were lowered before a clear, a later file may have a lower generation.
        not_failed = _find_not_failed(candidates, sought)
        if not_failed:
            return CannotTell(
                f"{ids_of([newest.record])} of this task failed processing, {ids_of(not_failed)} "
                "did not, and either may be the later one"
            )
    # A run that was deleted and created again has another start, and all else alike.
    of_other_starts = [
        record
        for name, record in candidates
        if name != newest.name and name._replace(start=newest.name.start) == newest.name
    ]
    if of_other_starts:
        return CannotTell(
            f"a run of this id was deleted: {ids_of([newest.record, *of_other_starts])}"
        )
    if _is_older_than_accepted(newest.name, sought):
        return CannotTell(
            f"the service accepted a later upload than {ids_of([newest.record])}, and the list "
            "does not show it"
        )
    return None


def _find_not_failed(candidates: Sequence[_NamedRecord], sought: Sought) -> list[Record]:
    """Return those that this task instance has uploaded and that have not failed processing."""
    return [
        record
        for name, record in candidates
        if name.origin == sought.name.origin and not sought.statuses.failed(status_of(record))
    ]


def _is_older_than_accepted(name: UploadName, sought: Sought) -> bool:
    """
    Tell whether a file is not what came of the request that the service accepted before the clear.
    """
    if not isinstance(sought.earlier, AcceptedBeforeClear) or sought.open_acceptance is None:
        return False
    return name.origin != sought.name.origin or name.generation < sought.open_acceptance


def _precedence(candidate: _NamedRecord, sought: Sought) -> tuple[bool, bool, int, bool]:
    """
    Tell which file comes first: one of this task instance; of others, and of two that a gateway has
    made of one request, one that serves.
    """
    is_own = candidate.name.origin == sought.name.origin
    has_failed = sought.statuses.failed(status_of(candidate.record))
    # Of its own, the newest counts, even if it has failed: it is to be sent again then.
    return is_own, not is_own and not has_failed, candidate.name.generation, not has_failed


def _doubt_another_query(listing: _NamedListing, sought: Sought) -> Listed | None:
    """
    Find files of before a clear from the same URL with another query: that may be another file,
    or this one with a query that changes each time.
    """
    if sought.run_never_cleared:
        return None
    records = [
        record
        for name, record in listing.named
        if name.hash == sought.name.hash
        and name.file not in sought.files_of_task
        and not _is_of_neighbour(name, sought.name)
    ]
    if not records:
        return None
    return CannotTell(
        f"{ids_of(records)} of before the clear has the same URL with another query, and may be "
        f"this file or another one: {GIVE_NAMES}"
    )


def _is_of_neighbour(name: UploadName, sought: UploadName) -> bool:
    """Tell whether another task instance has uploaded it since the run was started last."""
    return name.start == sought.start and name.origin != sought.origin


def _doubt_cut_name(listing: _NamedListing, sought: Sought) -> Listed | None:
    records = [record for record in listing.records if _may_be_cut(name_of(record), sought.name)]
    if not records:
        return None
    return CannotTell(
        f"the service cuts or changes names, and this may be its file: {ids_of(records)}"
    )


def _may_be_cut(shown: str, name: UploadName) -> bool:
    """Tell whether a name too short to be read may be the upload's, or its task instance's."""
    if len(shown) < SHORTEST_CUT or parse(shown) is not None:
        return False
    whole = str(name)
    if shown.startswith(name.hash) or whole.startswith(shown):
        return True
    # The same task instance may have uploaded it from another URL, under another hash.
    behind_hash = shown[len(name.hash) :]
    return bool(behind_hash) and whole[len(name.hash) :].startswith(behind_hash)


def _doubt_other_names(listing: _NamedListing, sought: Sought) -> Listed | None:
    newer = [record for record in listing.records if record.get("_id") not in sought.older_files]
    changed = doubt_changed_name(newer, listing.beside, sought)
    return changed or doubt_other_names(newer, sought, listing.records)


STEPS: Final = (
    _find_own,
    _find_from_another_url,
    _doubt_incomplete_list,
    _find_from_before_clear,
    _doubt_another_query,
    _doubt_cut_name,
    _doubt_other_names,
)


# -- by a name that the user gives -----------------------------------------------------------------


def _recognise_given_name(listing: Listing, sought: Sought) -> Listed:
    """
    Find an upload's file by the name that the user has chosen.

    Other uploads may have the name: it proves something only if it has the run's identifier, and
    a single file has it.
    """
    if listing.incomplete:
        return CannotTell(f"{listing.incomplete}; {LEAVE_NAME_OUT}")
    same_name = _find_same_name(listing, sought)
    if not same_name:
        return _doubt_renamed_file(listing, sought) or NotThere()
    if not _names_run(sought.sent_name, sought.run_id.lower()):
        return CannotTell(
            f"files of other runs may have its name, too: {ids_of(same_name)}; {LEAVE_NAME_OUT}"
        )
    return _recognise_name_of_run(same_name, sought)


def _find_same_name(listing: Listing, sought: Sought) -> Sequence[Record]:
    """
    Find the files of the name that may be what the last request has made: older ones are not.

    After a clear before which something was sent, an older file is the second choice: nothing shows
    that the last request made another one, and either is of before the clear.
    """
    wanted = sought.sent_name
    of_any_age = [record for record in listing.records if name_of(record) == wanted]
    newer = [record for record in of_any_age if record.get("_id") not in sought.older_files]
    if not newer and isinstance(sought.earlier, MaybeSentBeforeClear):
        return of_any_age
    return newer


def _recognise_name_of_run(same_name: Sequence[Record], sought: Sought) -> Listed:
    """
    Tell what the files of a name are that has the run's identifier.

    Other DAGs may have runs of this identifier, so the URL has to be the upload's, too.
    """
    if not sought.normalised_url:
        return CannotTell(f"its URL is not known, and these have its name: {ids_of(same_name)}")
    urls = [url_of(record) for record in same_name]
    if sought.normalised_url not in urls:
        return CannotTell(f"of its name, but not from its URL, the list has {ids_of(same_name)}")
    if not all(map(_names_its_list, same_name)):
        return CannotTell(f"of its name and URL, but perhaps of another list: {ids_of(same_name)}")
    if len(same_name) > 1:
        return CannotTell(
            f"several files have its name, and any may be the last one: {ids_of(same_name)}"
        )
    return _found_by_given_name(same_name[0], sought)


def _names_its_list(record: Record) -> bool:
    """Tell whether a file says of which list it is."""
    return any(str(record.get(name) or "").strip() for name in contract.LIST_ID_FIELDS)


def _names_run(name: str, run_id: str) -> bool:
    """
    Tell whether a name has the run's identifier, and not only as a part of a longer word. One that
    is a number may be in a name by chance, such as a year.
    """
    if not run_id or run_id.isdecimal():
        return False
    as_a_word = rf"(?<![^\W_]){re.escape(run_id)}(?![^\W_])"
    return re.search(as_a_word, name) is not None


def _found_by_given_name(record: Record, sought: Sought) -> Listed:
    """Tell what the only file of the run's name and URL is."""
    if sought.run_never_cleared:
        return _found(record, sought)
    if isinstance(sought.earlier, (MaybeSent, Accepted)):
        # Either it is new, or it is old and wanted.
        has_failed = sought.statuses.failed(status_of(record))
        if not sought.takes_older_file or has_failed:
            return CannotTell(
                f"{ids_of([record])} has its name, and may be of before the last request, or what "
                "came of it"
            )
        return _found(record, sought)
    if isinstance(sought.earlier, AcceptedBeforeClear):
        return CannotTell(
            f"{ids_of([record])} has its name, and may be of before the request that was accepted "
            "or what came of it"
        )
    file = _read_file(record, sought)
    return WITHOUT_ID if file is None else FoundFromBeforeClear(file)


def _doubt_renamed_file(listing: Listing, sought: Sought) -> Listed | None:
    """Doubt files that may be the upload's under a name that the user did not give."""
    others = [
        record
        for record in listing.records
        if name_of(record) != sought.sent_name and record.get("_id") not in sought.older_files
    ]
    changed = doubt_changed_name(others, listing.beside, sought)
    doubt = changed or doubt_other_names(others, sought, listing.records)
    if isinstance(doubt, CannotTell):
        return CannotTell(f"{doubt.why}; {LEAVE_NAME_OUT}")
    return doubt


# -- records ---------------------------------------------------------------------------------------

WITHOUT_ID: Final = CannotTell("the list shows it without an _id that can be used")


def _found(record: Record, sought: Sought) -> Listed:
    file = _read_file(record, sought)
    return WITHOUT_ID if file is None else FoundSinceClear(file)


def _read_file(record: Record, sought: Sought) -> CouponFile | None:
    try:
        return CouponFile.from_record(record, sought.coupon_list_id)
    except ValueError:
        return None
