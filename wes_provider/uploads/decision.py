"""
What to do next about one upload, from what is known of it. Pure.

Only :func:`decide` says whether a file is sent, looked for, adopted or given up, or a person asked.
Whatever is known is data: what became of earlier requests, what the list shows, and what a person
has decided. The tables in ``docs/upload-decisions.md`` have a row for each decision, and the tests
run each row.

Three smaller choices are made elsewhere. The client repeats a request that definitely never left
this machine, before its outcome becomes known here. The loop chooses whether a pause for the rate
limit is slept or deferred, and whether a question becomes a form or an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from wes_provider.coupon_files import Statuses
from wes_provider.exceptions import WesError, WesRateLimitError, WesUnknownOutcomeError
from wes_provider.models import CouponFile

FIRST_PAUSE: Final = 1.0
"""Seconds between the first two readings of the list; each further pause is twice as long."""

LONGEST_BEHIND: Final = 300.0
"""Seconds for which a list may be behind, beyond the time that it has, until it counts as such."""

NAMED_BY_PERSON: Final = "a person has named it"
CALLED_ABSENT: Final = "A person says that the file is absent: uploading it"
SAID_BEFORE_REQUEST: Final = (
    "the Variable that calls it absent was set before the last request, and says nothing of it"
)


# -- what became of earlier requests ---------------------------------------------------------------


class NeverSent(NamedTuple):
    """No request for this upload was ever sent."""


class MaybeSentBeforeClear(NamedTuple):
    """A request was perhaps sent before the task was cleared, and definitely none since then."""


class AcceptedBeforeClear(NamedTuple):
    """
    Before the task was cleared, the service said that it accepted an upload, without saying as
    which file, and nothing has shown since what became of it. Definitely none was sent since then.
    """


class MaybeSent(NamedTuple):
    """A request was perhaps sent since the last clear, by an earlier attempt or by this one."""


class Accepted(NamedTuple):
    """
    The last request since the clear, by an earlier attempt or by this one, was accepted: the
    service said so, without saying as which file.
    """


class NoEffect(NamedTuple):
    """
    Requests were sent since the clear, and definitely none of them had an effect. If one before
    them may have had one, that one counts instead: this is not the state.
    """


class Refused(NamedTuple):
    """
    The last request, by this attempt, was refused by the service or perhaps by a gateway, but not
    for the rate limit; or it was never sent.
    """

    error: WesError


class Stored(NamedTuple):
    """
    Since its last clear, the task instance has uploaded the file or adopted it, and knows its
    identifier.

    :ivar from_before_clear: whether it has adopted a file that was uploaded before the clear.
    """

    file: CouponFile
    from_before_clear: bool = False


class StoredBeforeClear(NamedTuple):
    """The task instance uploaded the file before a clear, and knows its identifier."""

    file: CouponFile


Earlier: TypeAlias = (
    "NeverSent | MaybeSentBeforeClear | AcceptedBeforeClear | MaybeSent | Accepted "
    "| NoEffect | Refused | Stored | StoredBeforeClear"
)


# -- what the list shows ---------------------------------------------------------------------------


class FoundSinceClear(NamedTuple):
    """
    The file that this task instance has uploaded since its last clear: under a name of ours, which
    says so, or under a name that the user gives, which does not. A file of a given name may be from
    before the clear, too, and counts if that one serves as well.
    """

    file: CouponFile


class FoundFromBeforeClear(NamedTuple):
    """
    A file of this run that this task instance has not uploaded since its last clear: its own from
    before the clear, or another task's.

    :ivar is_own: whether this task instance has uploaded it, as its name says.
    """

    file: CouponFile
    is_own: bool = True


class NotThere(NamedTuple):
    """The list is complete, and has no file that may be this upload's."""


class CannotTell(NamedTuple):
    """The list may have the file, or not; or the service refuses for good to show the list."""

    why: str


class Behind(NamedTuple):
    """The list shows an earlier state than that after the last request: a later one may tell."""

    why: str


class CannotRead(NamedTuple):
    """The list cannot be read now."""

    error: WesError


Listed: TypeAlias = (
    "FoundSinceClear | FoundFromBeforeClear | NotThere | CannotTell | Behind | CannotRead"
)


class Reading(NamedTuple):
    """
    What a reading of the list shows of an upload.

    :ivar read_at: when the list was asked for, epoch seconds.
    """

    shows: Listed
    read_at: float


# -- what the service says of a file from before a clear -------------------------------------------


class LatestStatus(NamedTuple):
    """The file as the service has just shown it."""

    file: CouponFile


class StatusUnreadable(NamedTuple):
    """
    The file cannot be read.

    :ivar error: which Airflow retries, also if the service refuses to show the file: a key may be
        rotated, and a path be corrected.
    """

    error: WesError


class Gone(NamedTuple):
    """The service replies that there is no such file."""


FileStatus: TypeAlias = "LatestStatus | StatusUnreadable | Gone"


# -- what a person has decided ---------------------------------------------------------------------


class NobodyDecided(NamedTuple):
    """There is no decision about this upload."""


class CalledAbsent(NamedTuple):
    """A person said, before the task was cleared, that the service does not have the file."""


class CalledAbsentOnForm(NamedTuple):
    """A person says, after the last request of this attempt, that the service does not have it."""


class NamedFile(NamedTuple):
    """A person says which coupon file it is, and the service knows that file."""

    file: CouponFile


class CannotLookUp(NamedTuple):
    """
    A person names a coupon file, and the service cannot be asked about it now.

    :ivar error: which Airflow retries.
    """

    error: WesError


class NamedWrongFile(NamedTuple):
    """A person names a coupon file that it cannot be."""

    why: str


Answer: TypeAlias = (
    "NobodyDecided | CalledAbsent | CalledAbsentOnForm | NamedFile | NamedWrongFile | CannotLookUp"
)


# -- everything together ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """
    What is known of one upload.

    :ivar earlier: what became of earlier requests.
    :ivar looking_since: when this attempt began to look for the file, epoch seconds.
    :ivar listed_by: when the list has to show what was sent, epoch seconds.
    :ivar send_at: when the rate limit allows the next request, epoch seconds.
    :ivar last_limit_error: of the last request, if the rate limit refused it: what was known before
        it is known still.
    :ivar limited_since: when the rate limit refused first, of refusals in a row, epoch seconds.
    :ivar reading: what the list shows; ``None`` if it was not read since the last request.
    :ivar statuses: what the service has said, since the last request, of files from before a clear:
        by their identifiers.
    :ivar answer: of a person; ``None`` if it was not read.
    :ivar sent_at: when the last request was sent, epoch seconds; 0 if it is not known.
    :ivar recorded_content: the content hash that the record has, of the file that it knows or of
        the last request; empty if it is not known.
    :ivar wanted_content: the content hash of what is to be sent; empty if it was not checked.
    :ivar unknown_outcomes: how many requests of this attempt had an unknown outcome.
    :ivar last_unknown: the last of these outcomes since the last deferral.
    :ivar open_acceptance: the generation of the last request that the service accepted without an
        identifier; ``None`` if there is none, or if it is known what became of it.
    :ivar older_files: the files that were known before the last request: the content hash of each
        by its identifier; empty if it is not known.
    :ivar acceptance_is_stored: whether the next attempt will know that the service accepted the
        upload, if it did.
    """

    earlier: Earlier
    looking_since: float
    listed_by: float
    send_at: float = 0.0
    last_limit_error: WesRateLimitError | None = None
    limited_since: float = 0.0
    reading: Reading | None = None
    statuses: Mapping[str, FileStatus] = field(default_factory=dict)
    answer: Answer | None = None
    sent_at: float = 0.0
    recorded_content: str = ""
    wanted_content: str = ""
    unknown_outcomes: int = 0
    last_unknown: WesUnknownOutcomeError | None = None
    open_acceptance: int | None = None
    older_files: Mapping[str, str] = field(default_factory=dict)
    acceptance_is_stored: bool = True

    def content_of(self, file: CouponFile) -> str:
        """Return the content hash of a file of this task instance; empty if it is not known."""
        return self.older_files.get(file.id, self.recorded_content)


class Policy(NamedTuple):
    """
    What the task wants.

    :ivar on_duplicate: what a cleared task does with a file of before the clear: ``adopt``,
        ``upload`` or ``fail``.
    :ivar statuses: which status means what.
    :ivar max_attempts: how many requests of an attempt may have an unknown outcome.
    :ivar timeout: seconds of refusals by the rate limit after which the task gives up.
    :ivar on_unknown: how a person is asked: ``fail``, with the error, or ``ask``, on a form.
    """

    on_duplicate: str
    statuses: Statuses
    max_attempts: int
    timeout: float
    on_unknown: str = "fail"


# -- the next step ---------------------------------------------------------------------------------


class Send(NamedTuple):
    """Wait until ``at``, epoch seconds, then send the request. ``why`` deserves a log line."""

    at: float
    why: str = ""


class ReadList(NamedTuple):
    """Read the list at ``at``, epoch seconds; a reading of that moment or later serves as well."""

    at: float


class ReadStatus(NamedTuple):
    """Read the current status of a file."""

    file: CouponFile


class ReadAnswer(NamedTuple):
    """Read what a person has decided."""


class Adopt(NamedTuple):
    """
    Go on with a file that was uploaded before.

    :ivar why: what shows that it is this upload's.
    :ivar from_before_clear: whether it was uploaded before the clear, perhaps by another task.
    :ivar content: the content hash of the file; empty if it is not known, as of another task's file
        or one that a person has named.
    """

    file: CouponFile
    why: str
    from_before_clear: bool = False
    content: str = ""


class Fail(NamedTuple):
    """End the attempt with an error that came."""

    error: WesError


class FailDuplicate(NamedTuple):
    """End the task: the file was uploaded before the clear, and ``on_duplicate`` is ``fail``."""

    file: CouponFile


class FailOtherContent(NamedTuple):
    """End the task: what was uploaded had another content."""

    file: CouponFile


class FailUnreadable(NamedTuple):
    """End the attempt: the list cannot be read now; Airflow retries it."""

    error: WesError


class FailNeverArrived(NamedTuple):
    """End the attempt: no request arrived, as the list shows; Airflow retries it."""

    error: WesUnknownOutcomeError


class AskPerson(NamedTuple):
    """Nobody but a person can know."""

    why: str


Step: TypeAlias = (
    "Send | ReadList | ReadStatus | ReadAnswer | Adopt | Fail | FailDuplicate | FailOtherContent "
    "| FailUnreadable | FailNeverArrived | AskPerson"
)


def decide(known: Known, policy: Policy, now: float) -> Step:
    """
    Decide what to do next.

    :param now: epoch seconds.
    """
    earlier = known.earlier
    if isinstance(earlier, Refused):
        return Fail(earlier.error)
    if known.last_limit_error is not None and now - known.limited_since > policy.timeout:
        return Fail(known.last_limit_error)
    if isinstance(earlier, (NeverSent, NoEffect)):
        return Send(known.send_at)
    if isinstance(earlier, Stored):
        why = "the task instance has uploaded it"
        return _adopt(Adopt(earlier.file, why, earlier.from_before_clear), known)
    if isinstance(earlier, StoredBeforeClear):
        return _decide_about_stored_file(earlier.file, known, policy)
    if isinstance(earlier, (MaybeSentBeforeClear, AcceptedBeforeClear, MaybeSent, Accepted)):
        return _decide_by_list(known, policy)
    raise TypeError(f"no such state: {earlier}")


def _decide_about_stored_file(file: CouponFile, known: Known, policy: Policy) -> Step:
    """
    Decide about a file of before the clear that the record has. The list is needed only if that one
    has failed: a gateway may have made two files of one request, and the other one has not.
    """
    is_gone = isinstance(known.statuses.get(file.id), Gone)
    was_processed = policy.statuses.succeeded(file.status)
    if is_gone and not was_processed and policy.on_duplicate != "upload":
        # A file that the service does not know is no file, so what the list shows counts instead.
        return _decide_by_list(known, policy)
    step = _decide_about_file_from_before_clear(file, known, policy, is_own=True)
    if not isinstance(step, Send) or policy.on_duplicate == "upload":
        return step
    if known.reading is None:
        return ReadList(known.looking_since)
    shows = known.reading.shows
    if isinstance(shows, CannotRead):
        return FailUnreadable(shows.error)
    if isinstance(shows, FoundFromBeforeClear) and shows.file.id != file.id:
        return _decide_about_file_from_before_clear(shows.file, known, policy, is_own=shows.is_own)
    return step


def _decide_by_list(known: Known, policy: Policy) -> Step:
    """Read the list again and again, until it shows the file, or has to show everything."""
    reading = known.reading
    if reading is None:
        return ReadList(known.looking_since)
    shows = reading.shows
    if isinstance(shows, CannotRead):
        return _decide_without_list(shows.error, known)
    if isinstance(shows, FoundSinceClear):
        return _adopt(Adopt(shows.file, "the list shows it"), known)
    has_to_show_everything = reading.read_at >= known.listed_by
    if not has_to_show_everything and not _may_be_taken_early(shows, known, policy):
        return ReadList(_next_reading(reading, known, known.listed_by))
    if isinstance(shows, FoundFromBeforeClear) and not isinstance(known.earlier, Accepted):
        step = _decide_about_file_from_before_clear(shows.file, known, policy, is_own=shows.is_own)
        sends_again = isinstance(step, (Send, FailNeverArrived))
        if sends_again and not has_to_show_everything:
            # The list calls it processed, and its own status does not: it has failed, and may have
            # a replacement that is not listed yet.
            return ReadList(_next_reading(reading, known, known.listed_by))
        return step
    # If the service accepted a request since the clear, a file from before the clear is not what
    # came of that request.
    return _decide_after_last_reading(reading, known, policy)


def _decide_without_list(error: WesError, known: Known) -> Step:
    """
    Take the file that a person names, which the service can show without the list. Otherwise leave
    it to the next attempt, unless that would not know that the service accepted the upload.
    """
    answer = known.answer
    if answer is None:
        return ReadAnswer()
    if isinstance(answer, NamedFile):
        return Adopt(answer.file, NAMED_BY_PERSON)
    if isinstance(answer, NamedWrongFile):
        return AskPerson(answer.why)
    if isinstance(known.earlier, Accepted) and not known.acceptance_is_stored:
        return AskPerson(f"the service accepted it, and the list cannot be read: {error.reason}")
    return FailUnreadable(error)


def _decide_without_look_up(error: WesError, known: Known) -> Step:
    """
    Leave the file that a person names to the next attempt, unless that would not know that the
    service accepted the upload.
    """
    if isinstance(known.earlier, Accepted) and not known.acceptance_is_stored:
        return AskPerson(f"the file that a person names cannot be looked up: {error.reason}")
    return Fail(error)


def _may_be_taken_early(shows: Listed, known: Known, policy: Policy) -> bool:
    """Tell whether a file is taken before the list has to show everything."""
    if not isinstance(shows, FoundFromBeforeClear):
        return False
    if isinstance(known.earlier, Accepted):
        # A request since the clear that the service accepted has a file of its own.
        return False
    if policy.on_duplicate == "upload":
        # A request since the clear may have one, too.
        return False
    # Its own status is read next: a failed one may have a replacement that is not listed yet.
    return policy.statuses.succeeded(shows.file.status)


def _next_reading(reading: Reading, known: Known, last: float) -> float:
    """
    Double the pause with each reading, and end with one that is late enough.

    :param last: when that is, epoch seconds.
    """
    pause = FIRST_PAUSE + max(0.0, reading.read_at - known.looking_since)
    return min(reading.read_at + pause, last)


def _decide_about_file_from_before_clear(
    file: CouponFile, known: Known, policy: Policy, *, is_own: bool
) -> Step:
    if policy.on_duplicate == "upload":
        why = f"Coupon file {file.id} is left: the task was cleared, and on_duplicate is 'upload'"
        return _send_again(known, policy, why)
    status = known.statuses.get(file.id)
    if status is None:
        return ReadStatus(file)
    if isinstance(status, StatusUnreadable):
        if not policy.statuses.succeeded(file.status):
            # It may have failed processing, and is to be sent again then.
            return Fail(status.error)
    elif isinstance(status, LatestStatus):
        file = status.file
    # Else the service replies to one question that the file is gone, and the list shows this one:
    # the list's status counts.
    if policy.statuses.failed(file.status):
        return _send_again(
            known, policy, f"Coupon file {file.id} failed processing: uploading it again"
        )
    if policy.on_duplicate == "fail":
        return FailDuplicate(file)
    adopt = Adopt(file, "it was uploaded before the clear", from_before_clear=True)
    if not is_own:
        # What this task instance has sent says nothing of another's file.
        return adopt
    return _adopt(adopt, known)


def _decide_after_last_reading(reading: Reading, known: Known, policy: Policy) -> Step:
    """Decide when the list has to show everything by now, and has not settled it."""
    shows = reading.shows
    answer = known.answer
    if answer is None:
        return ReadAnswer()
    if isinstance(answer, NamedFile):
        return Adopt(answer.file, NAMED_BY_PERSON)
    if isinstance(answer, NamedWrongFile):
        return AskPerson(answer.why)
    if isinstance(answer, CannotLookUp):
        return _decide_without_look_up(answer.error, known)
    if isinstance(answer, CalledAbsentOnForm):
        # It counts for each request so far.
        return _send_again(known, policy, CALLED_ABSENT)
    until = known.listed_by + LONGEST_BEHIND
    if isinstance(shows, Behind) and reading.read_at < until:
        return ReadList(_next_reading(reading, known, until))
    if isinstance(known.earlier, (MaybeSent, Accepted)):
        return _decide_about_request_since_clear(answer, shows, known, policy)
    return _decide_about_request_before_clear(answer, shows, known, policy)


def _decide_about_request_since_clear(
    answer: NobodyDecided | CalledAbsent, shows: Listed, known: Known, policy: Policy
) -> Step:
    """Send again only if the whole list lacks the file and the service did not accept it."""
    if isinstance(shows, NotThere) and isinstance(known.earlier, MaybeSent):
        return _send_again(known, policy, _why_sent_again(known))
    why = _why_not_settled(shows)
    if isinstance(answer, CalledAbsent):
        why += f"; {SAID_BEFORE_REQUEST}"
    return AskPerson(why)


def _decide_about_request_before_clear(
    answer: NobodyDecided | CalledAbsent, shows: Listed, known: Known, policy: Policy
) -> Step:
    """
    Send again if the whole list lacks the file and the service did not accept it, if the Variable
    says that it is absent, or if the clear asks for it (``on_duplicate="upload"``).
    """
    was_accepted = isinstance(known.earlier, AcceptedBeforeClear)
    if isinstance(shows, NotThere) and not was_accepted:
        return _send_again(known, policy, _why_sent_again(known))
    if isinstance(answer, CalledAbsent):
        return _send_again(known, policy, CALLED_ABSENT)
    if policy.on_duplicate == "upload":
        why = "The task was cleared, and on_duplicate is 'upload': uploading it"
        return _send_again(known, policy, why)
    return AskPerson(_why_not_settled(shows))


def _why_not_settled(shows: Listed) -> str:
    if isinstance(shows, (CannotTell, Behind)):
        return shows.why
    if isinstance(shows, FoundFromBeforeClear):
        return (
            f"the service accepted it, but the list shows only coupon file {shows.file.id}, which "
            "is from before the clear"
        )
    return "the service accepted it, but the list does not show it"


def _why_sent_again(known: Known) -> str:
    if known.unknown_outcomes > 0:
        return "The list does not have it: sending it again"
    return ""


def _send_again(known: Known, policy: Policy, why: str) -> Step:
    # After a form, the error is gone and the number is not: a person's "not there" sends once more.
    if known.last_unknown is not None and known.unknown_outcomes >= policy.max_attempts:
        return FailNeverArrived(known.last_unknown)
    return Send(known.send_at, why)


def _adopt(adopt: Adopt, known: Known) -> Step:
    """Adopt a file that this task instance has sent, unless it had another content."""
    content = known.content_of(adopt.file)
    contents_are_known = bool(content and known.wanted_content)
    if contents_are_known and content != known.wanted_content:
        return FailOtherContent(adopt.file)
    return adopt._replace(content=content)
