"""An upload's file, followed to its end as a task waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import count
from typing import Any, Final, NamedTuple

import msgspec

from wes_provider.client import responses
from wes_provider.client.requests import Request
from wes_provider.client.responses import Response
from wes_provider.coupon_files import Statuses
from wes_provider.doctor.questions.path_steps import LIST_PATHS, file_paths
from wes_provider.doctor.reads.caches import says_cached
from wes_provider.doctor.reads.evidence import (
    Listed,
    Places,
    file_at,
    file_read,
    list_at,
    listed_in,
)
from wes_provider.doctor.reads.left_lists import LeftList, LeftPath, left_list, left_path
from wes_provider.doctor.reads.redirects import path_of
from wes_provider.doctor.reads.sending import (
    LIBRARIES,
    Ask,
    Sender,
    clock,
    is_without_response,
    retry_after,
    without_logs,
)
from wes_provider.doctor.reads.since_upload import are_unanswered, is_answer
from wes_provider.doctor.reads.stages_of_lists import LeftOut, left_out
from wes_provider.doctor.reads.task_waits import Ending, ending_reply
from wes_provider.doctor.reads.unread_polls import UnreadPolls, unread_polls_of_upload
from wes_provider.doctor.records.histories import taken_back
from wes_provider.doctor.records.meanings import Means, meaning_of, means_in, person_says
from wes_provider.doctor.records.retries import retry_of
from wes_provider.doctor.replies.files import counts_of_coupons, coupons_in, status_of, step_of
from wes_provider.doctor.replies.probes import Kind, Probe, Question
from wes_provider.exceptions import WesCouponFileFailedError, WesError, WesNotFoundError
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import redact_url, shown
from wes_provider.waits.decision import CouponFileWait, Done, Failed, Outcome, PollAgain, Step

__all__ = [
    "Followed",
    "Follower",
    "Lacking",
    "LookedUp",
    "Sent",
    "ending_of_wait",
    "is_answered_without_file",
    "is_name_of",
    "own_successes",
]

SEARCH: Final = 60.0  # seconds in which list and file are read until both show the file
# Seconds in which both are read each second, as long as the list lacks what is read alone.
CLOSELY: Final = 12.0
POLL: Final = 10.0  # seconds between two polls at most
# Seconds after the upload when the list is read again while the file is on its way.
LIST_AGAIN_AFTER: Final = (2.0, 5.0, 10.0, 20.0, 35.0, 55.0)
SHORTEST_PAUSE: Final = 0.05  # seconds
SHORT_PAUSE: Final = 0.5  # seconds
READS_IN_THE_END: Final = 3  # of the list and of the file, each
# Polls without a response after which another driver reads, to see whether it can.
POLLS_TO_COMPARE: Final = 3
NOT_SHOWN: Final = "no path of one file shows it"
WITHOUT_STATUS: Final = "its own record has no status"
NO_POLL_READ: Final = "no poll of its wait got a response, though other reads got one"
NOT_ANSWERED: Final = "no read of it since the upload got an answer"
UNIQUE: Final = 24
"""Characters at the beginning of a name that no other file has: shorter ones are not recognized."""
# The rounds in which all paths are read, besides the last one: after 1, 5 and 13 seconds.
ALL_PATHS_IN: Final = (1, 3, 5)


class Sent(NamedTuple):
    """Name and URL that an upload was sent with."""

    name: str
    url: str

    @classmethod
    def of(cls, uploaded: Probe) -> Sent:
        """Read them from the request."""
        body = msgspec.json.decode(uploaded.request.body or b"{}")
        return cls(body.get("name", ""), redact_url(body.get("file_url", "")))


def is_name_of(shown: str, sent: str) -> bool:
    """Tell whether a name in a list is the one that was sent: services may cut names."""
    return len(shown) >= UNIQUE and sent.lower().startswith(shown.lower())


class LookedUp(NamedTuple):
    """
    What a list showed of an upload whose response has no identifier, or that of something else.

    :ivar seconds: from the upload until the list showed the file, or was read for the last time.
    :ivar file: by its name; ``None`` if the list does not show it.
    :ivar renamed: a new file with its URL and another name; ``None`` for none.
    :ivar unanswered: the last read of the list, if none of them got an answer; else ``None``.
    """

    seconds: float
    file: CouponFile | None = None
    renamed: CouponFile | None = None
    unanswered: Probe | None = None


class Lacking(NamedTuple):
    """Two replies to one request: the first one had the uploaded file, and a later one did not."""

    had: Probe
    lacked: Probe


@dataclass(frozen=True)
class Followed:
    """
    What was seen of an uploaded file.

    :ivar file: as it was seen last.
    :ivar places: the paths that were tried for it.
    :ivar before: the files that the list had before it.
    :ivar statuses: in the order in which they were seen; one that came again is there again.
    :ivar listed_after: seconds from the upload until the list showed the file; ``None`` if it did
        not.
    :ivar unlisted_after: seconds from the upload until a list that did not show the file was read
        last, before one that did; 0 if no list was read without it.
    :ivar unlisted_by_cache: how a cache said that it sent that last reply; empty if none did.
    :ivar unanswered: the last read of the list before it showed the file, if that got no answer, so
        that the file may have been there already; else ``None``.
    :ivar missed: the last reply by which the likeliest path of one file did not have the file yet;
        ``None`` if it had it at once.
    :ivar missed_after: seconds from the upload until that reply was asked for.
    :ivar grew: how counts went on after the last status had come, such as ``added 0, then 9``;
        empty if they did not.
    :ivar gone: the reply by which a file that had been there is gone: a 410, or a 404 that lasted;
        ``None`` without.
    :ivar waited: seconds for which it was followed.
    :ivar problem: why no status was seen that the file keeps; empty if one was: a known one, or one
        that lasted.
    :ivar lacking: the first replies that show that the file comes and goes; ``None`` for none.
    :ivar lacking_alone: the same of reads of the file itself, as tasks do that wait for it.
    :ivar successor: the file that the list has in its place later, by the name that was sent;
        ``None`` for none.
    :ivar own_reads: the replies of its own path that have it, in order, with those that a wait
        polled.
    :ivar polls: all replies that a wait polled, in order.
    :ivar lost_polls: the polls of a wait that got no whole response, in order.
    :ivar replies: all replies of paths of one file to reads of it, in order, with those polls.
    :ivar lists: all replies that have the list as a whole, in order.
    :ivar proved_path: the path that older files have proved before the upload; empty if none did.
    :ivar begun: when it was uploaded, epoch seconds.
    :ivar is_listed_when_processed: whether the list did not have the file while it was on its way,
        and had it by the next reading, when it had ended.
    """

    file: CouponFile
    places: Places
    before: Sequence[CouponFile] = ()
    statuses: tuple[str, ...] = ()
    listed_after: float | None = None
    unlisted_after: float = 0.0
    unlisted_by_cache: str = ""
    unanswered: Probe | None = None
    missed: Probe | None = None
    missed_after: float = 0.0
    grew: str = ""
    gone: Probe | None = None
    waited: float = 0.0
    problem: str = NOT_SHOWN
    lacking: Lacking | None = None
    lacking_alone: Lacking | None = None
    successor: CouponFile | None = None
    is_listed_when_processed: bool = False
    own_reads: Sequence[Probe] = ()
    polls: Sequence[Probe] = ()
    lost_polls: Sequence[Probe] = ()
    replies: Sequence[Probe] = ()
    lists: Sequence[Probe] = ()
    proved_path: str = ""
    begun: float = 0.0

    @property
    def own_path(self) -> str:
        """The path that tasks read the file at: shown by it, or proved by older files; or empty."""
        return self.places.file_path or self.proved_path

    @cached_property
    def unread_polls(self) -> UnreadPolls | None:
        """How the wait could not read the file, though other reads could; ``None`` if it did."""
        if self.polls:
            return None
        return unread_polls_of_upload(self.lost_polls, self.own_reads)

    @cached_property
    def left_list(self) -> LeftList | None:
        """How it left the list when it ended; ``None`` if it did not, or had no end."""
        if self.problem or self.successor is not None or self.gone is not None:
            return None
        return left_list(self.lists, self.own_reads, self.file)

    @cached_property
    def left_out(self) -> LeftOut | None:
        """How the list left it out at some of its stages; ``None`` if it did not."""
        if self.successor is not None or self.gone is not None:
            return None
        return left_out(self.lists, self.own_reads, self.file.id)

    def left_path(self, statuses: Statuses) -> LeftPath | None:
        """How it left its own path when it ended, as the list has it; ``None`` if it did not."""
        if self.successor is not None or self.gone is not None:
            return None
        same = [file for file in self.places.listed_files if file.id == self.file.id]
        ended = [file for file in same if not statuses.is_pending(file.status)]
        return left_path(self.replies_of_own_path, ended)

    @property
    def replies_of_own_path(self) -> list[Probe]:
        """All replies of that path to reads of the file, in order."""
        last = self.places.files.get(self.own_path)
        if last is None:
            return []
        return [reply for reply in self.replies if reply.request.url == last.request.url]

    def end_in_list(self, statuses: Statuses) -> str:
        """
        Return the status that the list has of the file if it is another one than its own path has
        later, and none by which tasks wait; empty if it is not, or if no path of its own was read.
        """
        if not self.is_read_alone:
            return ""
        for file in self.places.listed_files:
            is_other = file.id == self.file.id and file.status != self.file.status
            if is_other and not statuses.is_pending(file.status):
                return status_of(file)
        return ""

    @property
    def cached_by(self) -> str:
        """How a cache says that it sent the last reply of the file's own path; empty if none."""
        return next(filter(None, map(says_cached, self.reads)), "")

    @property
    def new_files(self) -> list[CouponFile]:
        """The files of the list that it did not have before the upload."""
        known = {file.id for file in self.before}
        return [file for file in self.listed_files if file.id not in known]

    def made_by_one_request(self, name: str) -> list[CouponFile]:
        """
        Return the new files of the list that have the name of the upload: one, if all is well.

        :param name: that the upload was sent with; no other file has it.
        """
        return [file for file in self.new_files if is_name_of(file.name, name)]

    @property
    def reads(self) -> list[Probe]:
        """The last read of the file; none if no path shows it."""
        probe = self.places.files.get(self.places.file_path)
        if probe is None:
            return []
        return [probe]

    @property
    def listed_files(self) -> list[CouponFile]:
        """All files that the list was seen to have, as they were seen last."""
        files = {file.id: file for file in self.before}
        files.update({file.id: file for file in self.places.listed_files})
        return list(files.values())

    @property
    def all_files(self) -> list[CouponFile]:
        """The uploaded file, and all others that the list was seen to have."""
        return [self.file, *(file for file in self.listed_files if file.id != self.file.id)]

    @property
    def waits_for(self) -> str:
        """What says that the file waits for a person; empty if nothing does, or it has ended."""
        return person_says(self.file)

    @property
    def retry(self) -> str:
        """What says that the service tries the file again by itself; empty if nothing does."""
        for read in self.reads:
            return retry_of(self.file, read)
        return ""

    @property
    def last_seen(self) -> str:
        """What was seen last of a file whose end was not seen, such as ``still PENDING``."""
        if self.problem != NOT_SHOWN:
            return self.problem
        if not self.statuses:
            return self._why_not_shown
        if self.places.file_path:
            return f"still {self.statuses[-1]} after {self.waited:.0f} s"
        came = " → ".join(self.statuses)
        if self.places.listed is not None:
            return f"{self._why_not_shown}; the list has it, with {came}"
        if self.is_file_unanswered:
            return f"{NOT_ANSWERED}; the response to the upload had {came}"
        return f"{NOT_SHOWN}, and neither does the list; the response to the upload had {came}"

    @property
    def _why_not_shown(self) -> str:
        """Why no path of one file has the file."""
        if self.is_file_unanswered:
            return NOT_ANSWERED
        if self.places.statusless is not None:
            return WITHOUT_STATUS
        return NOT_SHOWN

    @property
    def is_file_unanswered(self) -> bool:
        """Whether no read of a path of one file got an answer in the end."""
        return are_unanswered([*self.places.files.values()])

    @property
    def is_read_alone(self) -> bool:
        """Whether a path of one file shows it, as tasks read it."""
        return bool(self.places.file_path or self.places.odd_status)


class InTheEnd(Enum):
    """Whether a file is still there once a wait has ended."""

    NOT_MISSED = "the wait did not end since it missed the file"
    MISSED = "it did, and no read had the file since, alone or in the list"
    SHOWN_AGAIN = "it did, and a later read had the file"


class Follower:
    """
    Follows one uploaded file.

    :param settings: those that reads have shown.
    :param tried: the paths that reads have tried.
    :param timeout: seconds after which to stop.
    :param final_after: seconds that a status nobody knows has to last before it counts as final.
    :ivar followed: what was seen so far; ``None`` before the file is known.
    :ivar looked_up: what the list showed, if the response had no identifier; else ``None``.
    """

    def __init__(
        self,
        sender: Sender,
        settings: WesSettings,
        list_id: str,
        tried: Places,
        *,
        timeout: float,
        final_after: float,
        on_step: Callable[[str], None],
    ) -> None:
        self._sender = sender
        self._settings = settings
        self._list_id = list_id
        self._tried = tried
        self._timeout = timeout
        self._final_after = final_after
        self._on_step = on_step
        self._begun = 0.0
        self._lasting = Lasting()
        self._is_unlisted_on_its_way = False
        self._in_the_end = InTheEnd.NOT_MISSED
        self._limited_until = 0.0
        self._times_due = 0
        self._sent = Sent("", "")
        self._first_with_status: CouponFile | None = None
        self.followed: Followed | None = None
        self.looked_up: LookedUp | None = None

    def follow(self, uploaded: Probe) -> None:
        """
        Read the uploaded file until its status is final and the list shows it.

        :param uploaded: the upload, and what came of it.
        """
        self._begun = time.time()
        self._sent = Sent.of(uploaded)
        list_paths = [self._settings.coupon_files_path, *LIST_PATHS]
        if self._tried.listed is not None:
            list_paths = [self._tried.listed.path]
        file = file_read(uploaded) or self._look_up(list_paths[0], uploaded)
        if file is None:
            return
        self.followed = Followed(
            file,
            Places({}, {}, file.id, file.id),
            before=self._tried.listed_files,
            proved_path=self._tried.file_path,
            begun=self._begun,
        )
        likeliest = self._tried.file_path or self._settings.coupon_file_path
        self._note(file)
        try:
            self._search(list_paths, self._file_paths(uploaded, likeliest, list_paths[0]))
            if self.looked_up is None and self._follows_other_identifier():
                self._search(list_paths, file_paths(likeliest, list_paths[0]))
            if self._places.file_path or self._is_borne_by_tasks():
                self._wait()
                self._read_again(list_paths)
                self._note_removed()
                self._follow_retries(list_paths)
        finally:  # also if the user stops it
            self._update(waited=self._waited)

    def _read_again(self, list_paths: list[str]) -> None:
        """
        Read the list and the file a few times more: one of several nodes may not have the file, and
        a wait reads no more of a record than tasks do.
        """
        for number in range(READS_IN_THE_END):
            if number:
                self._pause(SHORT_PAUSE, self._timeout)
            self._read_list(list_paths)
            self._read_file([self._own_path])

    def _is_borne_by_tasks(self) -> bool:
        """
        Tell whether a path that older files have proved replies to the file, which is on its way by
        the list, with what tasks bear, such as 202: they poll on.
        """
        if self.followed is None or not self._is_on_its_way():
            return False
        if not is_answered_without_file(self.followed):
            return False
        return ending_of_wait(self.followed, self._settings.statuses) is None

    @property
    def _own_path(self) -> str:
        """The path that tasks read the file at; empty if none is known."""
        if self.followed is None:
            return ""
        return self.followed.own_path

    def _note_removed(self) -> None:
        """
        Note that the service has removed the file: a wait missed it until it gave up, and no read
        in the end had it either, alone or in the list.
        """
        followed = self.followed
        if followed is None or followed.lacking_alone is None:
            return
        if self._in_the_end is InTheEnd.MISSED:
            self._update(gone=followed.lacking_alone.lacked, lacking=None, lacking_alone=None)

    def _follow_retries(self, list_paths: list[str]) -> None:
        """
        Follow a file that has failed, and that the service tries again by itself, until it does
        not, or for as long as a status has to last that nobody knows.
        """
        while self._retry():
            end = min(self._begun + self._timeout, time.time() + self._final_after)
            self._on_step(f"{self._waited:.0f} s: it has failed, and the service tries it again")
            pause = 1.0
            while self._retry() and time.time() < end:
                self._pause(pause, end - self._begun)
                pause = min(1.5 * pause, POLL)
                self._read_file([])
            if self._retry():
                self._update(problem=f"{self._status} for now, to be tried again")
                return
            self._wait()
            self._read_again(list_paths)

    def _retry(self) -> str:
        """Quote what says that the service tries the file again, which has failed."""
        if self.followed is None or not self._settings.statuses.failed(self.followed.file.status):
            return ""
        return self.followed.retry

    @property
    def _status(self) -> str:
        if self.followed is None:
            return ""
        return status_of(self.followed.file)

    def _follows_other_identifier(self) -> bool:
        """
        Follow the file that the list has by the name that was sent: the identifier of the response
        may be that of something else, such as of a job. If a path shows that, it is followed.

        :return: whether the other one is followed from now on.
        """
        shown = self._listed_by_name()
        if shown.file is None:
            return False
        self.looked_up = shown
        self._update(listed_after=shown.seconds)
        if self._places.file_path:
            return False
        places = Places({}, {}, shown.file.id, shown.file.id)
        self._update(file=shown.file, places=places)
        self._note(shown.file)
        return True

    def _listed_by_name(self) -> LookedUp:
        """Find the file by its name in the list, if its identifier is not there."""
        if self._places.listed is not None:
            return LookedUp(self._waited)
        path, probe = next(iter(self._places.lists.items()))
        return _looked_up(listed_in(path, probe), self._sent, self._known, self._waited)

    @property
    def _known(self) -> frozenset[str]:
        """The identifiers of the files that the list had before."""
        return frozenset(file.id for file in self._tried.listed_files)

    def _file_paths(self, uploaded: Probe, likeliest: str, list_path: str) -> list[str]:
        """Return the paths at which the file may be read; after the first one, what is named."""
        first, *others = file_paths(likeliest, list_path)
        named = path_of(
            uploaded,
            uploaded.location,
            self._settings.base_url,
            self._list_id,
            self._places.file_id,
        )
        return [first, *filter(None, [named]), *others]

    def _is_proved_success(self, file: CouponFile) -> bool:
        """
        Tell whether a file has ended with success by all that it has, so that nothing has to last.

        A status may be that of a step. So coupons have to be counted, if the files of the list have
        counts; and if the status means success by the connection only, its name has to say so. And
        no success may have been taken back from another file.
        """
        status = status_of(file)
        names = self._settings.count_names
        if self._is_success_taken_back:
            return False
        if not self._settings.statuses.succeeded(status) or step_of(file):
            return False
        if status in self._doubted_successes():
            meaning = meaning_of(file, names)
            return meaning.sure and meaning.means is Means.SUCCESS
        added, duplicates = coupons_in(file, names)
        if added is None:
            return not any(coupons_in(other, names).added for other in self._tried.listed_files)
        return added > 0 or bool(duplicates)

    @cached_property
    def _is_success_taken_back(self) -> bool:
        """Whether a file of the list has had a success that was no end, by its history."""
        statuses = self._settings.statuses
        found = taken_back(self._tried.listed_files, lambda status: means_in(statuses, status))
        return found is not None and found.means is Means.SUCCESS

    def _is_proved_to_the_end(self, polled: CouponFile) -> bool:
        """As :meth:`_is_proved_success`, by the whole record, of which a wait keeps a part."""
        if not self._is_proved_success(polled):
            return False
        places = self._places
        request = file_at(self._settings, self._own_path, self._list_id, places.file_id)
        probe = self._send(Ask(request, tried=self._own_path))
        self._note_reply(probe)
        self._note_own_read(probe)
        whole = file_read(probe)
        return whole is None or self._is_proved_success(whole)

    def _doubted_successes(self) -> frozenset[str]:
        """
        Return the successes by the connection only; all of them if files of the list got their
        coupons with a status that is not known.
        """
        statuses = self._settings.statuses
        for file in self._tried.listed_files:
            is_known = statuses.is_pending(file.status) or statuses.succeeded(file.status)
            if not is_known and coupons_in(file, self._settings.count_names).added:
                return statuses.success
        return own_successes(statuses)

    def _look_up(self, path: str, uploaded: Probe) -> CouponFile | None:
        """
        Read the list until it shows the file, for as long as a task does: growing pauses, at most
        the time that the list may take to show a new file. ``None`` if it does not, or if nothing
        can have been uploaded.
        """
        if not _may_be_accepted(uploaded):
            return None
        end = min(self._timeout, self._settings.coupon_files_lag)
        pause = 1.0
        reads: list[Probe] = []
        while True:
            is_last = self._waited >= end
            reads.append(self._read_list_at(path))
            listed = listed_in(path, reads[-1])
            self.looked_up = _looked_up(listed, self._sent, self._known, self._waited)
            if are_unanswered(reads):
                self.looked_up = self.looked_up._replace(unanswered=reads[-1])
            if is_last or self.looked_up.file is not None:
                return self.looked_up.file
            self._on_step(f"{self._waited:.0f} s: not in the list yet")
            self._pause(pause, end)
            pause = min(1.5 * pause, POLL)

    def _read_list_at(self, path: str) -> Probe:
        """Read the list's files at a path."""
        ask = Ask(list_at(self._settings, path, self._list_id), tried=path)
        return self._send(ask)

    def _send(self, ask: Ask) -> Probe:
        """Send a read, and note until when a limit that refuses it lasts."""
        probe = self._sender.send(Question.FOLLOW, ask)
        now = time.time()
        if probe.is_limit:
            self._limited_until = now + (retry_after(probe, now) or 0.0)
        return probe

    def _pause(self, seconds: float, end: float) -> None:
        """
        Pause before the next reads, and longer if a limit lasts longer that has refused one.

        :param end: seconds from the upload until which to pause at most.
        """
        longest = max(seconds, self._limited_until - time.time())
        time.sleep(max(SHORTEST_PAUSE, min(longest, end - self._waited)))

    @property
    def _places(self) -> Places:
        if self.followed is None:
            return self._tried
        return self.followed.places

    @property
    def _is_read_alone(self) -> bool:
        return self.followed is not None and self.followed.is_read_alone

    @property
    def _waited(self) -> float:
        return time.time() - self._begun

    def _update(self, **changes: Any) -> None:
        if self.followed is not None:
            self.followed = replace(self.followed, **changes)

    def _search(self, list_paths: list[str], paths: list[str]) -> None:
        """
        Read list and file until both show the file, or the list has it by another identifier. With
        growing pauses: the likeliest paths each time, all others a few times.
        """
        pause = 1.0
        end = min(self._timeout, SEARCH)
        for number in count():
            is_last = self._waited >= end
            if is_last or number in ALL_PATHS_IN:
                self._read_both(list_paths, paths)
            else:
                self._read_both(list_paths[:1], paths[:1])
            is_listed = self._places.listed is not None
            if is_last or (self._is_read_alone and is_listed):
                return
            if self.looked_up is None and self._listed_by_name().file is not None:
                return
            self._pause(pause, end)
            is_only_list_open = self._is_read_alone and not is_listed
            if not is_only_list_open or self._waited > CLOSELY:
                pause = min(1.5 * pause, POLL)

    def _read_both(self, list_paths: list[str], paths: list[str]) -> None:
        """
        Read list and file; and the list once more if the file has ended just now, to see whether
        the list has it since then, or is only late.
        """
        self._read_list(list_paths)
        self._read_file(paths)
        if self._is_unlisted_on_its_way and not self._is_on_its_way():
            self._read_list(list_paths[:1])

    def _read_list(self, paths: Iterable[str]) -> None:
        """
        Read paths until one shows the uploaded file in its list. Once one did, only that is read
        again; a node that is behind may not show the file any more, which is noted.
        """
        known = self._places.listed
        if known is not None:
            paths = [known.path]
        for path in paths:
            sent_after = self._waited
            probe = self._read_list_at(path)
            self._note_list(probe)
            places = replace(self._places, lists={**self._places.lists, path: probe})
            if places.listed is not None:
                self._note_shown()
                self._update(places=places)
                self._note_listed(places.listed)
                return
            if known is None:
                self._update(places=places)
                self._note_not_listed(probe, sent_after)
                if self._ends_search_of_paths(probe):
                    return
            elif _is_whole_list(probe) and not self._has_successor(path, probe):
                self._note_lacking(known.probe, probe)

    def _note_list(self, probe: Probe) -> None:
        """Note a reply that has the list as a whole."""
        if self.followed is not None and _is_whole_list(probe):
            self._update(lists=(*self.followed.lists, probe))

    def _note_not_listed(self, probe: Probe, sent_after: float) -> None:
        """
        Note a read of the list before any had the file: a list without it, or no answer, which
        leaves open whether it was there.
        """
        if not is_answer(probe):
            self._update(unanswered=probe)
            self._is_unlisted_on_its_way = False
            return
        if listed_in(probe.tried, probe) is None:
            return  # no list
        self._update(
            unlisted_after=sent_after,
            unlisted_by_cache=says_cached(probe),
            unanswered=None,
        )
        self._is_unlisted_on_its_way = self._is_on_its_way()

    def _ends_search_of_paths(self, probe: Probe) -> bool:
        """
        Tell whether a reply that is no answer leaves no sense in trying another path: it is about
        the moment, this machine, or a key that was accepted before the upload.
        """
        if probe.kind is Kind.REFUSED:
            return self._tried.listed is not None and self._is_nothing_answered
        return probe.is_lost

    @property
    def _is_nothing_answered(self) -> bool:
        """Whether no read since the upload got an answer."""
        since = [probe for probe in self._sender.probes if probe.question is Question.FOLLOW]
        return are_unanswered(since)

    def _note_listed(self, listed: Listed) -> None:
        """Note the file as the list has it, unless it can be read alone, as tasks do."""
        if self.followed is None:
            return
        file = next(file for file in listed.files if file.id == self._places.file_id)
        if self.followed.listed_after is None:
            has_ended = not self._settings.statuses.is_pending(file.status)
            self._update(
                listed_after=self._waited,
                is_listed_when_processed=self._is_unlisted_on_its_way and has_ended,
            )
        if not self._is_read_alone:
            self._note(file)

    def _is_on_its_way(self) -> bool:
        """Tell whether the file has a status by which tasks wait for it."""
        if self.followed is None:
            return False
        return self._settings.statuses.is_pending(self.followed.file.status)

    def _has_successor(self, path: str, probe: Probe) -> bool:
        """Note the file that a list has in place of the uploaded one, by its name, if any."""
        found = _looked_up(listed_in(path, probe), self._sent, self._known, self._waited).file
        if found is None:
            return False
        self._update(successor=found)
        return True

    def _read_file(self, paths: Sequence[str]) -> None:
        """
        Read paths until one shows the uploaded file.

        :param paths: the likeliest first; none if it was shown already.
        """
        likeliest = next(iter(paths), "")
        places = self._places
        if places.file_path:
            paths = [places.file_path]
        elif places.odd_file is not None and (places.odd_status or places.statusless):
            paths = [places.odd_file.tried]
        for path in paths:
            request = file_at(self._settings, path, self._list_id, places.file_id)
            sent_after = self._waited
            probe = self._send(Ask(request, tried=path))
            self._note_reply(probe)
            shown = replace(places, files={**places.files, path: probe})
            if places.file_path and not shown.file_path:
                # One of several nodes may not have it: what was shown stays.
                if probe.is_gone:
                    self._update(gone=probe)
                if probe.is_not_found:
                    self._note_lacking_alone(places.files[path], probe)
                return
            if probe.is_not_found and path == likeliest:
                self._update(missed=probe, missed_after=sent_after)
            places = shown
            self._update(places=places)
            if places.file_path:
                self._note_shown()
                self._note_own_read(places.files[places.file_path])
                self._note(file_read(places.files[places.file_path]))
                return
            if self._is_right_or_hopeless(places, probe):
                return

    def _is_right_or_hopeless(self, places: Places, probe: Probe) -> bool:
        """
        Tell whether there is no sense in trying another path: this one has the file's own record,
        though without a status, or its reply is about the file, or about no path at all.
        """
        if places.statusless is not None:
            return True
        return self._ends_search_of_paths(probe) or self._is_about_the_file(probe)

    def _is_about_the_file(self, probe: Probe) -> bool:
        """
        Tell whether a reply is about the uploaded file, and about no path: older files have proved
        its path, and it is neither that of an unknown path or a key, nor another file's.
        """
        if probe.tried != self._tried.file_path or probe.is_kept_out:
            return False
        if 404 in (probe.status, probe.error_status):
            return False
        file = file_read(probe)
        is_of_file = file is not None and file.id == self._places.file_id
        return is_of_file or probe.is_for_later or not probe.success

    def _note_reply(self, probe: Probe) -> None:
        """Note a reply of a path of one file to a read of the file."""
        if self.followed is not None:
            self._update(replies=(*self.followed.replies, probe))

    def _note_poll(self, request: Request, response: Response) -> None:
        """Note a poll of the wait, since headers of its response may name a node."""
        probe = self._sender.sent_elsewhere(Question.FOLLOW, request, response)
        if self.followed is not None:
            self._update(polls=(*self.followed.polls, probe))
        self._note_reply(probe)
        self._note_own_read(probe)

    def _note_own_read(self, probe: Probe) -> None:
        """Note a reply of the file's own path, if it has the file."""
        if self.followed is not None and file_read(probe) is not None:
            self._update(own_reads=(*self.followed.own_reads, probe))

    def _note_shown(self) -> None:
        """Note that a read has the file: if a wait has missed it, it was one node's."""
        if self._in_the_end is InTheEnd.MISSED:
            self._in_the_end = InTheEnd.SHOWN_AGAIN

    def _note_lacking(self, had: Probe, lacked: Probe) -> None:
        followed = self.followed
        if followed is None or followed.lacking is not None or followed.successor is not None:
            return
        self._update(lacking=Lacking(had, lacked))

    def _note_lacking_alone(self, had: Probe, lacked: Probe) -> None:
        self._note_lacking(had, lacked)
        followed = self.followed
        if followed is None or followed.lacking_alone is not None or followed.successor is not None:
            return
        self._update(lacking_alone=Lacking(had, lacked))

    def _is_end(self) -> bool:
        """Tell whether the file has ended: it has failed, or what it has proves its success."""
        if self.followed is None:
            return False
        file = self.followed.file
        return self._settings.statuses.failed(file.status) or self._is_proved_success(file)

    def _note(self, file: CouponFile | None) -> None:
        if file is None or self.followed is None:
            return
        self._update(file=file)
        self._lasting = self._lasting.after(file, time.time())
        status = status_of(file)
        if self.followed.statuses[-1:] == (status,):
            self._update(grew=_growth(self._first_with_status, file))
        if not status or self.followed.statuses[-1:] == (status,):
            return
        self._first_with_status = file
        self._update(grew="", statuses=(*self.followed.statuses, status))
        self._on_step(f"{self._waited:.0f} s: {status}{self._what_is_waited_for(status)}")

    def _what_is_waited_for(self, status: str) -> str:
        """Tell people what a file on its way still lacks, as the end of a sentence."""
        if self._places.listed is None:
            return ", not in the list yet"
        if self._settings.statuses.is_pending(status) or self._is_end():
            return ""
        why = "which is not known"
        if self._settings.statuses.succeeded(status):
            why = "which may be that of a step"
        final_at = clock(time.time() + self._final_after)
        return f", {why}: it counts as final if it lasts until {final_at} UTC"

    def _wait(self) -> None:
        """Wait as a task does."""
        places = self._places
        settings = msgspec.structs.replace(self._settings, coupon_file_path=self._own_path)
        deadline = self._begun + self._timeout
        if self.followed is not None and self.followed.waits_for:
            # Nothing goes on before that person acts.
            deadline = min(deadline, time.time() + self._final_after)
        # A success ends the wait only if the file proves it, or if it lasts.
        statuses = msgspec.structs.replace(settings.statuses, success=frozenset())
        wait = _Wait(self._list_id, places.file_id, self._begun, deadline, POLL, statuses)
        wait.is_proved_success = self._is_proved_to_the_end
        wait.note = self._note
        wait.final_after = self._final_after
        wait.lasting = self._lasting
        wait.is_unreadable = self._is_unreadable_for_waits
        wait.between_polls = self._read_list_on_the_way
        outcome = _wait_for(wait, settings, self._note_poll)
        problem = ""
        if isinstance(outcome, Failed) and not isinstance(outcome.error, WesCouponFileFailedError):
            problem = outcome.error.reason
            if isinstance(outcome.error, WesNotFoundError):
                self._in_the_end = InTheEnd.MISSED
        if self.followed is not None and self.followed.unread_polls is not None:
            problem = NO_POLL_READ
        self._update(problem=problem)

    def _read_list_on_the_way(self) -> None:
        """
        Read the list that has the file again if it is time for that: a list may leave out a file
        while it is processed.
        """
        due = [seconds for seconds in LIST_AGAIN_AFTER if seconds <= self._waited]
        is_due = len(due) > self._times_due
        self._times_due = len(due)
        if is_due and self._places.listed is not None and self._waited <= SEARCH:
            self._read_list([])

    def _is_unreadable_for_waits(self, error: WesError) -> bool:
        """
        Note a poll of the wait that got no whole response; tell whether no poll got one, and the
        same read gets one otherwise, so that it has no sense to wait on.
        """
        followed = self.followed
        if followed is None or not is_without_response(error):
            return False
        request = file_at(self._settings, self._own_path, self._list_id, self._places.file_id)
        poll = self._sender.lost_elsewhere(Question.FOLLOW, request, error)
        followed = replace(followed, lost_polls=(*followed.lost_polls, poll))
        self.followed = followed
        if followed.polls or len(followed.lost_polls) < POLLS_TO_COMPARE:
            return False
        self._read_file([self._own_path])
        unread = self.followed.unread_polls
        return unread is not None and unread.is_proved


def is_answered_without_file(followed: Followed) -> bool:
    """
    Tell whether a path that older files have proved has not shown the file, and its last reply is
    an answer that is about this file only, such as 202 or 409.
    """
    replies = followed.replies_of_own_path
    if followed.is_read_alone or not followed.proved_path or not replies:
        return False
    last = replies[-1]
    return is_answer(last) and not last.is_not_found and not last.is_kept_out


def ending_of_wait(followed: Followed, statuses: Statuses) -> Ending | None:
    """
    Return the reply of the file's own path that would have ended a task's wait; ``None`` for none,
    and for a file that had ended when it was first seen: tasks do not wait for that.
    """
    first = "".join(followed.statuses[:1])
    if statuses.succeeded(first) or statuses.failed(first) or followed.successor is not None:
        return None
    return ending_reply(followed.replies_of_own_path, followed.file, statuses, followed.begun)


def _growth(before: CouponFile | None, file: CouponFile) -> str:
    """Tell which counts a file had when its status came, and has now, if these differ."""
    if before is None:
        return ""
    known = counts_of_coupons(before)
    now = counts_of_coupons(file)
    return ", ".join(
        f"{shown(name, quoted=False)} {known[name]}, then {number}"
        for name, number in now.items()
        if name in known and known[name] != number
    )


def _is_whole_list(probe: Probe) -> bool:
    listed = listed_in("", probe)
    return listed is not None and not listed.incomplete


def _may_be_accepted(uploaded: Probe) -> bool:
    """
    Tell whether an upload may have taken effect although its response has no identifier: then
    tasks look for its file, too.
    """
    if uploaded.unsent:
        return False
    if not uploaded.status:
        return True
    try:
        responses.record(uploaded.request, uploaded.response)
    except WesError as error:
        return error.may_have_effect
    return True


def _looked_up(
    listed: Listed | None, sent: Sent, known: Collection[str], seconds: float
) -> LookedUp:
    """
    Find an upload's file in its list: by its name, which no other file has.

    :param known: the files that the list had before.
    """
    files: Sequence[CouponFile] = []
    if listed is not None:
        files = listed.files
    for file in files:
        if is_name_of(file.name, sent.name):
            return LookedUp(
                seconds=seconds,
                file=file,
            )
    for file in files:
        if file.id not in known and file.file_url == sent.url:
            return LookedUp(
                seconds=seconds,
                renamed=file,
            )
    return LookedUp(seconds)


def _wait_for(
    wait: CouponFileWait,
    settings: WesSettings,
    on_response: Callable[[Request, Response], object],
) -> Outcome:
    # Imports Airflow, which logs to what is the standard output at that time: not at the top of
    # this module.
    from wes_provider.doctor.writes.noted_polls import wait_and_note

    # The report says what the wait would write into a task's log.
    with without_logs("wes_provider", *LIBRARIES):
        return wait_and_note(wait, settings, on_response)


def own_successes(statuses: Statuses) -> frozenset[str]:
    """Return the statuses that mean success by the connection only: they may have been guessed."""
    return statuses.success - Statuses().success


class Lasting(NamedTuple):
    """
    What a file had at the last poll, and since when.

    :ivar state: its status and its counts; those that grow are of a file on its way.
    :ivar since: epoch seconds.
    """

    state: Any = None
    since: float = 0.0

    def after(self, polled: CouponFile, now: float) -> Lasting:
        """Tell what holds after a further poll."""
        state = (polled.status, polled.counts)
        if state == self.state:
            return self
        return Lasting(state, now)


class _Wait(CouponFileWait):
    """A wait that also ends with a status that the provider does not know, once it has lasted."""

    note: Callable[[CouponFile], object] = bool
    final_after: float = 0.0
    lasting: Lasting = Lasting()
    is_proved_success: Callable[[CouponFile], bool] = bool
    is_unreadable: Callable[[WesError], bool] = bool
    between_polls: Callable[[], object] = bool

    def decide(
        self,
        polled: CouponFile | WesError,
        now: float,
        concurrent_waits: int = 1,
    ) -> Step:
        # A Struct has no super().
        decision = CouponFileWait.decide(self, polled, now, concurrent_waits)
        if isinstance(polled, WesError):
            if self.is_unreadable(polled) and isinstance(decision, PollAgain):
                return Failed(self.timed_out(polled, now), now - self.started)
            return decision
        self.note(polled)
        self.lasting = self.lasting.after(polled, now)
        lasts = now - self.lasting.since >= self.final_after
        is_known = self.outcome_of(polled) is not None or self.statuses.is_pending(polled.status)
        if (lasts and not is_known) or self.is_proved_success(polled):
            return Done(polled)
        if isinstance(decision, PollAgain):
            self.between_polls()
        return decision
