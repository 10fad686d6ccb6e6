"""All that is known of a service, frozen: the reads, and why a question was not asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import msgspec

from wes_provider.client import requests, responses
from wes_provider.client.announcements import (
    LAST_PAGE,
    NEXT_PAGE,
    PREVIOUS_PAGE,
    counts_files,
    headers_about_pages,
    plain_name,
)
from wes_provider.client.requests import Request
from wes_provider.doctor.reads.sending import MOST_READS, TOOK_ALL
from wes_provider.doctor.replies.files import (
    Records,
    file_of,
    is_record_without_id,
    odd_status,
    records_in,
)
from wes_provider.doctor.replies.lone_files import LoneFiles, files_without_array
from wes_provider.doctor.replies.masks import is_mask
from wes_provider.doctor.replies.members import inside, last_name
from wes_provider.doctor.replies.probes import Keys, Kind, Probe, Question, identity_of
from wes_provider.exceptions import WesError
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings

__all__ = [
    "MADE_UP",
    "PAGE_SIZES",
    "UNREADABLE",
    "Evidence",
    "Listed",
    "Places",
    "file_at",
    "file_read",
    "list_at",
    "listed_in",
    "record_in",
    "unreadable",
]

DATA_CENTER: Final = "{data_center}"  # in a host, for its number
MADE_UP: Final = "wes-doctor"  # an identifier that no account has: nothing of a user's is read


@dataclass(frozen=True)
class Evidence:
    """
    The reads of a service.

    :ivar settings: the connection's.
    :ivar list_id: the list that was read; :data:`MADE_UP` if the user named none.
    :ivar probes: all reads, in order.
    :ivar not_asked: why a question got no answer, or was not asked at all.
    :ivar unread_polls: reads as waits poll that got no whole response; they are none of the probes,
        since another driver may read it.
    :ivar host: the connection's, if it has ``{data_center}``, as ``https://api-{data_center}...``.
    :ivar out_of_time: how the doctor's own time ran out; empty if it did not.
    """

    settings: WesSettings
    list_id: str
    probes: tuple[Probe, ...] = ()
    not_asked: Mapping[Question, str] = field(default_factory=dict)
    out_of_time: str = ""
    host: str = ""
    unread_polls: tuple[Probe, ...] = ()

    @property
    def is_made_of_data_center(self) -> bool:
        """Whether the address has the number of a data center, which is a setting of its own."""
        return self._data_center is not None

    @property
    def digits_of_data_center(self) -> int:
        """How many digits the number of the data center has in the address; 0 without one."""
        place = self._data_center
        if place is None:
            return 0
        return len(place[1])

    def address_in(self, data_center: str) -> str:
        """Return the address with another data center; empty if it is made of none."""
        place = self._data_center
        if place is None:
            return ""
        address = self.settings.base_url
        return f"{address[: place.start(1)]}{data_center}{address[place.end(1) :]}"

    @cached_property
    def _data_center(self) -> re.Match[str] | None:
        """Where the address has the number that stands in the host's braces."""
        parts = self.host.rstrip("/").split(DATA_CENTER)
        if len(parts) != 2:
            return None
        return re.search(r"(\d{2,3})".join(map(re.escape, parts)), self.settings.base_url)

    @property
    def names_a_list(self) -> bool:
        """Whether the user named a list."""
        return self.list_id != MADE_UP

    def why_not_asked(self, question: Question) -> str:
        """Tell why a question has no answer, as the end of a sentence."""
        why = self.not_asked.get(question)
        if why:
            return why
        if len(self.probes) >= MOST_READS:
            return TOOK_ALL
        return "other replies left it open"

    def plus(self, probes: Iterable[Probe]) -> Evidence:
        """Return the evidence with further reads."""
        return replace(self, probes=(*self.probes, *probes))

    def without(self, question: Question, why: str) -> Evidence:
        """Return the evidence with a reason why a question has no answer; empty if it has one."""
        return replace(self, not_asked={**self.not_asked, question: why})

    def of(self, *questions: Question) -> list[Probe]:
        """Return the reads for questions that were settled or may be: those with an answer."""
        return [probe for probe in self.sent_for(*questions) if not probe.is_lost]

    @cached_property
    def own(self) -> list[Probe]:
        """All requests with the connection's keys, in order."""
        return [probe for probe in self.probes if probe.keys is Keys.OWN]

    @property
    def besides_list(self) -> list[Probe]:
        """All requests that were not sent for the question about the list."""
        return [probe for probe in self.probes if probe.question is not Question.LIST]

    @cached_property
    def replies(self) -> list[Probe]:
        """All requests that got a response, in order."""
        return [probe for probe in self.probes if probe.status]

    @property
    def nowhere(self) -> list[Probe]:
        """
        The replies to reads of a path that does not exist, refusals last: one of these shows
        nothing of paths.
        """
        reads = self.of(Question.NO_SUCH_PATH)
        return sorted(reads, key=lambda probe: probe.kind is Kind.REFUSED)

    def sent_for(self, *questions: Question) -> list[Probe]:
        """Return all reads for questions, also those without an answer."""
        return [probe for probe in self.probes if probe.question in questions]

    @cached_property
    def list_answers(self) -> list[Probe]:
        """The answers to the read of the list as the connection is set."""
        path = self.settings.coupon_files_path
        return self.answers_to(list_at(self.settings, path, self.list_id))

    def answers_to(self, request: Request, keys: Keys = Keys.OWN) -> list[Probe]:
        """Return all answers to one request, in order; replies about the moment are none."""
        replies = self._replies_to(request, keys)
        return [probe for probe in replies if not probe.is_lost]

    def answers_by_request(self) -> list[list[Probe]]:
        """
        Return the answers to each request with the own keys that got any, in order; without those
        whose body broke off, since what that would have said is not known.
        """
        requests_sent = {probe.identity: probe for probe in self.probes if probe.keys is Keys.OWN}
        answers = []
        for probe in requests_sent.values():
            answers.append([one for one in self.answers_to(probe.request) if one.response.is_whole])
        return [some for some in answers if some]

    def lost_reads(self, request: Request) -> list[Probe]:
        """Return the reads with the own keys that got no answer to one request, in order."""
        replies = self._replies_to(request, Keys.OWN)
        return [probe for probe in replies if probe.is_lost]

    def _replies_to(self, request: Request, keys: Keys) -> list[Probe]:
        return self._by_request.get(identity_of(request, keys), [])

    @cached_property
    def _by_request(self) -> dict[tuple[Any, ...], list[Probe]]:
        by_request: dict[tuple[Any, ...], list[Probe]] = {}
        for probe in self.probes:
            by_request.setdefault(probe.identity, []).append(probe)
        return by_request


# -- requests --------------------------------------------------------------------------------------


def list_at(settings: WesSettings, path: str, list_id: str) -> Request:
    """Return the read of a list's files at a path, as the extra ``paths`` takes it."""
    settings = msgspec.structs.replace(settings, coupon_files_path=path)
    return requests.list_coupon_files(settings, list_id)


def file_at(settings: WesSettings, path: str, list_id: str, file_id: str) -> Request:
    """Return the read of one file at a path, as the extra ``paths`` takes it."""
    settings = msgspec.structs.replace(settings, coupon_file_path=path)
    return requests.get_coupon_file(settings, list_id, file_id)


# -- what the provider reads of a response ---------------------------------------------------------


def unreadable(
    read: Callable[[Request, responses.Response], Any],
    probe: Probe,
) -> str:
    """Tell why the provider cannot use a response; empty if it can."""
    if not probe.status:
        return probe.problem
    try:
        read(probe.request, probe.response)
    except WesError as error:
        return error.reason
    return ""


def file_read(probe: Probe) -> CouponFile | None:
    """Return the coupon file that a response describes; ``None`` if the provider cannot read it."""
    if unreadable(responses.record, probe):
        return None
    return file_of(responses.record(probe.request, probe.response))


# Parameters of a page's size, which replies may repeat.
PAGE_SIZES: Final = (
    "limit",
    "per_page",
    "perpage",
    "page_size",
    "pagesize",
    "size",
    "max_results",
    "rows",
)


UNREADABLE: Final = "\ufffd"
"""What stands for bytes that are no text in the response's charset."""


@dataclass(frozen=True)
class Listed:
    """
    A list's files as one response has them.

    :ivar path: as the extra ``paths`` takes it.
    :ivar unreadable: why the provider cannot read the list; empty if it can.
    :ivar incomplete: what announces that there are more files; empty if nothing does.
    :ivar names_list: whether a file says that it is of the list that was read.
    :ivar other_lists: the lists that other files say that they are of.
    """

    path: str
    probe: Probe
    records: Records
    unreadable: str
    incomplete: str
    names_list: bool
    other_lists: Sequence[str]

    @property
    def is_of_other_lists(self) -> bool:
        """Whether files are of other lists by their own words, and none is of the list."""
        return bool(self.other_lists) and not self.names_list

    @property
    def files(self) -> Sequence[CouponFile]:
        """The files whose records the provider can read."""
        return self.records.files

    @property
    def file_ids(self) -> list[str]:
        """The identifiers of these files, in their order."""
        return [file.id for file in self.files]

    @cached_property
    def members(self) -> dict[str, Any]:
        """
        What the response has, by its dotted property: in the body, and in headers about pages.
        """
        of_headers = headers_about_pages(self.probe.response.headers)
        return {**dict(inside(of_headers)), **dict(inside(self.probe.content))}

    @cached_property
    def page_size(self) -> int:
        """
        The size that the reply says its page has, of the parameter that was asked for first; 0 if
        it says none. The number of files that it happens to have is no such size.
        """
        asked = self.path.rpartition("?")[2].rpartition("&")[2].partition("=")[0]
        sizes: dict[str, int] = {}
        for where, value in self.members.items():
            name = where.rpartition(".")[2]
            if name.lower() in PAGE_SIZES and type(value) is int and value > 0:
                sizes.setdefault(name, value)
        size = sizes.get(asked) or next(iter(sizes.values()), 0)
        if size > len(self.files):
            return size
        return 0

    @cached_property
    def full_page(self) -> str:
        """
        The size that the reply says its page has, such as ``pageSize: 25``, if it has as many files
        and says nothing of how many there are; empty otherwise.
        """
        beside = self.members
        names = {last_name(where) for where in beside}
        paths = [".".join(map(plain_name, where.split("."))) for where in beside]
        if names & (NEXT_PAGE | PREVIOUS_PAGE | LAST_PAGE) or any(
            counts_files(f".{path}") for path in paths
        ):
            return ""
        for where, value in beside.items():
            name = where.rpartition(".")[2]
            is_size = name.lower() in PAGE_SIZES and type(value) is int
            if is_size and self.files and value == len(self.files):
                return f"{name}: {value}"
        return ""

    @property
    def is_page_smaller(self) -> bool:
        """Whether the page has fewer places than the path asks for, by the reply's words."""
        asked = self.path.rpartition("=")[2]
        return asked.isdecimal() and 0 < self.page_size < int(asked)

    @property
    def works(self) -> bool:
        """Whether the provider reads all files of the list."""
        return not self.unreadable and not self.incomplete


def listed_in(path: str, probe: Probe) -> Listed | None:
    """Return the files that a response lists; ``None`` if it has no array that may be of files."""
    if path not in probe.kept:
        probe.kept[path] = _read_listed(path, probe)
    listed: Listed | None = probe.kept[path]
    return listed


def _read_listed(path: str, probe: Probe) -> Listed | None:
    if not probe.has_succeeded:
        return None
    records = records_in(probe.content)
    if probe.nothing:
        records = Records(
            where="",
            number=0,
            files=[],
        )
    if records is None:
        return None
    own = probe.request.coupon_list_id
    # An array within the record of one file is no list of files.
    if not records.files and files_without_array(probe.content, own) is not None:
        return None
    problem = unreadable(responses.listing, probe)
    incomplete = ""
    if not problem:
        incomplete = responses.listing(probe.request, probe.response).incomplete
    names = {file.coupon_list_id for file in records.files} - {""}
    lists = {name for name in names if not is_mask(name)}
    return Listed(
        path=path,
        probe=probe,
        records=records,
        unreadable=problem,
        incomplete=incomplete,
        names_list=own in lists,
        other_lists=sorted(lists - {own}),
    )


@dataclass(frozen=True)
class Places:
    """
    The paths that were tried for a list's files and for one file, and what came.

    :ivar file_id: the file that was read; :data:`MADE_UP` for none.
    :ivar uploaded: the identifier of the file that the doctor uploaded; empty if it did not.
    """

    lists: Mapping[str, Probe]
    files: Mapping[str, Probe]
    file_id: str = MADE_UP
    uploaded: str = ""

    @cached_property
    def listed(self) -> Listed | None:
        """The best list that any path shows: with files, and as a whole."""
        lists = filter(self._may_be_the_list, self._all_listed)
        return min(lists, key=_defects, default=None)

    @property
    def of_other_lists(self) -> Listed | None:
        """The first list whose files are of other lists only; ``None`` if there is none."""
        return next((listed for listed in self._all_listed if listed.is_of_other_lists), None)

    @property
    def empty(self) -> Listed | None:
        """The first list without any file; ``None`` if there is none."""
        return next((listed for listed in self._all_listed if not listed.records.number), None)

    @cached_property
    def _all_listed(self) -> list[Listed]:
        all_listed = [listed_in(path, probe) for path, probe in self.lists.items()]
        return [listed for listed in all_listed if listed is not None]

    def _may_be_the_list(self, listed: Listed) -> bool:
        if self.uploaded:
            return any(file.id == self.uploaded for file in listed.files)
        if listed.is_of_other_lists:
            return False
        # Objects without an identifier may be of anything, unless they are where files should be.
        is_first = listed.path == next(iter(self.lists))
        return is_first or bool(listed.files) or not listed.records.number

    @property
    def listed_files(self) -> Sequence[CouponFile]:
        """The files that the best list has."""
        listed = self.listed
        if listed is None:
            return []
        return listed.files

    @cached_property
    def without_array(self) -> LoneFiles | None:
        """The files that the connection's path has without an array, if no path has a list."""
        first = next(iter(self.lists.values()), None)
        if first is None or not first.has_succeeded or self._all_listed:
            return None
        return files_without_array(first.content, first.request.coupon_list_id)

    @property
    def seen_files(self) -> Sequence[CouponFile]:
        """The files that the best list has, or else those that were found without an array."""
        if self.without_array is not None:
            return self.without_array.files
        return self.listed_files

    @property
    def known_files(self) -> Sequence[CouponFile]:
        """
        The files that were seen; the one that was read alone as its own path has it, if
        that has another status, or counts that the list leaves out: tasks read that.
        """
        return [self._as_read_alone(file) for file in self.seen_files]

    def _as_read_alone(self, file: CouponFile) -> CouponFile:
        alone = self.read_alone
        if alone is None or alone.id != file.id or UNREADABLE in file.status:
            return file
        if self.status_elsewhere:
            return file
        if not self.is_listed_as_read_alone or not file.counts:
            return alone
        return file

    @property
    def is_listed_as_read_alone(self) -> bool:
        """
        Whether the list has the file that was read alone with the status of its own path, in any of
        its records.
        """
        alone = self.read_alone
        if alone is None:
            return False
        return any(file.id == alone.id and file.status == alone.status for file in self.seen_files)

    @cached_property
    def status_elsewhere(self) -> str:
        """
        The property in which a file's own record has the status that the list has of it, if its
        status is another one, such as that of the request; empty if there is none.
        """
        alone = self.read_alone
        if alone is None or self.is_listed_as_read_alone:
            return ""
        listed = {file.status for file in self.seen_files if file.id == alone.id}
        record = record_in(self.files[self.file_path])
        for where, value in inside(record):
            if isinstance(value, str) and value and value in listed:
                return where
        return ""

    @property
    def read_alone(self) -> CouponFile | None:
        """The file that was read, as its own path has it; ``None`` if none shows it."""
        if not self.file_path:
            return None
        return file_read(self.files[self.file_path])

    @cached_property
    def file_path(self) -> str:
        """The first path that shows the file; empty if none does."""
        for path, probe in self.files.items():
            if not unreadable(responses.coupon_file, probe):
                return path
        return ""

    @property
    def is_unusable(self) -> bool:
        """Whether reads of files are refused, or have nothing that the provider can read."""
        if self.listed is not None:
            return bool(self.listed.records.problem)
        first = next(iter(self.lists.values()), None)
        return first is not None and first.is_kept_out

    @property
    def odd_file(self) -> Probe | None:
        """The first reply that has the file, though the provider cannot read it."""
        if self.file_id == MADE_UP or self.file_path:
            return None
        for probe in self.files.values():
            if probe.success and self.file_id in probe.text:
                return probe
        return None

    @property
    def without_id(self) -> Probe | None:
        """The first reply that has a record of a file, though without an identifier."""
        for probe in self.files.values():
            if probe.success and is_record_without_id(probe.content):
                return probe
        return None

    @property
    def other_file(self) -> str:
        """The identifier of the file that the connection's path shows in place of the one read."""
        first = next(iter(self.files.values()), None)
        record = record_in(first)
        if record is None or self.file_id in (MADE_UP, record["_id"]):
            return ""
        return str(record["_id"])

    @property
    def odd_status(self) -> str:
        """What the file has in place of a status that the provider reads; empty for nothing."""
        return odd_status(record_in(self.odd_file))

    @property
    def statusless(self) -> Probe | None:
        """The first reply that has the very record of the file, and nothing like a status in it."""
        record = record_in(self.odd_file)
        if record is None or record["_id"] != self.file_id or self.odd_status:
            return None
        return self.odd_file

    @property
    def partial(self) -> Listed | None:
        """The first list that announces more files than it has; ``None`` if none does."""
        return next((listed for listed in self._all_listed if listed.incomplete), None)


def record_in(probe: Probe | None) -> Any:
    """
    Return the record of a file that a response has, with an identifier that the provider reads.
    """
    if probe is None or unreadable(responses.record, probe):
        return None
    return responses.record(probe.request, probe.response)


def _defects(listed: Listed) -> tuple[bool, ...]:
    return (
        not listed.files,
        bool(listed.unreadable),
        bool(listed.incomplete),
        listed.is_page_smaller,
    )
