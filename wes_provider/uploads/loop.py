"""
The uploads of one attempt of a task, one after another: each file at most once, whatever crashes.

Like a wait, an upload is one loop over one pure decision: :mod:`wes_provider.uploads.decision`
says what to do next, and this module does it.

1. What is known at first comes from the record, from Airflow's count of tries, and from what this
   process has done (:func:`~wes_provider.uploads.record.read_earlier`).
2. If nothing was ever sent, or the last request since the clear had no effect, the request is sent:
   an intent is stored before it, and what came of it after it.
3. If a request may have been sent, the list is read. A file that it shows is adopted. If it lacks
   the file until it had its time (``coupon_files_lag`` after the request can have arrived), the
   request is sent again; if it cannot tell, or if the service has accepted the request, a person is
   asked.
4. A request of this attempt whose outcome is unknown becomes one that may have been sent, and the
   list decides about it, too. After ``max_attempts`` of them, the attempt fails, to be retried.
5. A file that the record has from before a clear is adopted without the list, unless it has failed
   processing, the service does not know it any more, or ``on_duplicate`` says otherwise.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from wes_provider.attempt import Attempt
from wes_provider.client.rate_limits import RateLimit, rate_limit
from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConfigurationError,
    WesError,
    WesNotFoundError,
    WesRateLimitError,
    WesResponseError,
    WesUnknownOutcomeError,
)
from wes_provider.models import CouponFile, Summary
from wes_provider.texts import about
from wes_provider.uploads import errors
from wes_provider.uploads.answers import RuledOut, read_answer, read_response
from wes_provider.uploads.decision import (
    Accepted,
    Adopt,
    Answer,
    AskPerson,
    CalledAbsent,
    CalledAbsentOnForm,
    CannotRead,
    CannotTell,
    Earlier,
    Fail,
    FailDuplicate,
    FailNeverArrived,
    FailOtherContent,
    FailUnreadable,
    FileStatus,
    FoundFromBeforeClear,
    Gone,
    Known,
    LatestStatus,
    Listed,
    MaybeSent,
    MaybeSentBeforeClear,
    NeverSent,
    NoEffect,
    Policy,
    ReadAnswer,
    Reading,
    ReadList,
    ReadStatus,
    Refused,
    Send,
    StatusUnreadable,
    Step,
    StoredBeforeClear,
    decide,
)
from wes_provider.uploads.identity import FileKey, name_upload, parse
from wes_provider.uploads.rate_limiter import RateLimiter
from wes_provider.uploads.recognition import is_of_another_upload, recognise
from wes_provider.uploads.record import (
    AskedAbout,
    LastRequest,
    RecordStore,
    UploadRecord,
    read_earlier,
)
from wes_provider.uploads.request import Upload, UploadRequest
from wes_provider.uploads.sought import Sought

if TYPE_CHECKING:
    from wes_provider.client.responses import Listing
    from wes_provider.hooks import WesHook

log = logging.getLogger(__name__)

WORTH_DEFERRING: Final = 20.0
"""Seconds; a deferral and the way back take a few."""

WORTH_READING_AGAIN: Final = 1.0
"""Seconds of a wait for the limit, in which the list may have come to show more."""

MOST_CLOCK_DIFFERENCE: Final = 600.0
"""Seconds by which the clocks of two machines may differ."""


class UploadedFile(msgspec.Struct, omit_defaults=True):
    """
    A file of the task.

    :ivar sent_at: when it was uploaded, epoch seconds.
    :ivar from_before_clear: whether it was uploaded before the task was cleared, so that an earlier
        attempt, or another task, may have told of it already. XComs call that ``adopted``, though a
        file of an earlier attempt since the clear is adopted, too.
    """

    file: CouponFile
    sent_at: float
    from_before_clear: bool = msgspec.field(default=False, name="adopted")

    def summary(self) -> Summary:
        """Return the file as it goes into XCom."""
        return {**self.file.summary(), "adopted": self.from_before_clear}


class Progress(msgspec.Struct):
    """
    What an attempt has done when it defers for the rate limit or asks a person, and goes on with.

    All else that is known of the next upload is made anew after a deferral: from the record, and
    from what the list shows. An unknown outcome is then one of an earlier attempt, but for its
    number.

    :ivar files: the files that it began with.
    :ivar done: what the first of them were uploaded as.
    :ivar unknown_outcomes: how many requests for the next of them had an unknown outcome.
    :ivar listed_by: when the list has to show what had reached the service when the attempt began,
        epoch seconds.
    :ivar plan: of files in storage.
    :ivar asked_about: of which upload a person was asked; ``None`` if of none.
    :ivar deferred_until: when the task is to be resumed, by the clock of the machine that deferred.
    :ivar deferred_for: seconds until then, when it deferred.
    """

    files: list[FileKey]
    done: list[UploadedFile] = []
    unknown_outcomes: int = 0
    limiter: RateLimiter = msgspec.field(default_factory=RateLimiter)
    listed_by: float = 0.0
    plan: dict[str, Any] | None = None
    asked_about: AskedAbout | None = None
    deferred_until: float = 0.0
    deferred_for: float = 0.0
    version: int = 1

    def adjust_to_this_clock(self, waited: float) -> None:
        """
        Go on after a deferral, though the clocks of three machines may differ by minutes.

        If the triggerer's clock is ahead, the task is resumed too early: it waits for the rest. If
        the time has passed and this machine's clock does not say so, the limiter's times are moved.

        :param waited: seconds that the triggerer has waited.
        """
        seconds_left = min(self.deferred_until - time.time(), self.deferred_for - waited)
        if seconds_left > 0:
            time.sleep(min(seconds_left, MOST_CLOCK_DIFFERENCE))
        behind = self.deferred_until - time.time()
        if behind > 0:
            self.limiter.shift(-behind)


class SteadyClock:
    """
    The time within one attempt, epoch seconds.

    It does not jump if the machine's clock is set: a list that has had its time only by a clock
    that was set forward, proves nothing.
    """

    def __init__(self) -> None:
        self._began_at = time.time()
        self._began_monotonic = time.monotonic()

    def now(self) -> float:
        """Return the time."""
        return self._began_at + time.monotonic() - self._began_monotonic


class Defer(NamedTuple):
    """The task is to go on at this moment, epoch seconds, and not to occupy a worker until then."""

    until: float


class Ask(NamedTuple):
    """
    A person is to decide on a form.

    :ivar about: the upload, in letters and digits.
    :ivar subject: the question.
    :ivar body: the explanation, Markdown.
    :ivar error: with which the task fails if nobody decides.
    """

    about: str
    subject: str
    body: str
    error: WesError


class ListReading(NamedTuple):
    """What a request for the list has brought, and when it was made, epoch seconds."""

    content: Listing | WesError
    read_at: float


class UploadLoop:
    """
    Upload a task's files, or find the ones that earlier attempts uploaded.

    :param hook: of the task's connection.
    :param attempt: of the task instance.
    :param requests: all uploads of the task, in their order.
    :param policy: what the task wants.
    :param deferrable: whether the task defers for the rate limit, instead of sleeping.
    :param single: whether the task has one file by its nature.
    :param ends_at: when Airflow ends the attempt, epoch seconds; ``None`` if it does not.
    :param ends_at_if_deferred: the same for an attempt that defers: some versions of Airflow count
        ``execution_timeout`` anew after a deferral, and so do not end it.
    :param progress: of the part of this attempt before a deferral.
    :ivar progress: how far it is.
    """

    def __init__(
        self,
        hook: WesHook,
        attempt: Attempt,
        requests: Sequence[UploadRequest],
        policy: Policy,
        *,
        deferrable: bool,
        single: bool = False,
        ends_at: float | None = None,
        ends_at_if_deferred: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._hook = hook
        self._attempt = attempt
        self._policy = policy
        self._deferrable = deferrable
        self._single = single
        self._ends_at = ends_at
        self._ends_at_if_deferred = ends_at_if_deferred
        self._records = RecordStore(attempt.state_store)
        self._last_reading: ListReading | None = None
        self._seen_in_list: set[str] = set()
        self._clock = SteadyClock()
        self._began_at = self._clock.now()
        # By then, the list has what had reached the service when this attempt began.
        listed_by = self._began_at + hook.settings.coupon_files_lag
        files = [request.file for request in requests]
        if progress is None:
            self.progress = Progress(files, listed_by=listed_by)
        else:
            self.progress = progress
            # Another machine's clock may have measured the time before a deferral.
            self.progress.listed_by = min(progress.listed_by, listed_by)
            _check_unchanged(progress.files, files)
        workspace_id = hook.settings.workspace_id
        # A URL that is rendered differently after a deferral goes on as what it began as.
        self._uploads = [
            Upload(request, name_upload(attempt, workspace_id, request.coupon_list_id, file))
            for request, file in zip(requests, self.progress.files, strict=True)
        ]

    def run(self) -> Defer | Ask | None:
        """
        Upload what is not uploaded yet; :attr:`progress` has the files.

        :return: when to go on, if the task is to defer; or what to ask a person.
        :raises WesUnknownOutcomeError: if it cannot be known whether an upload took effect.
        :raises WesDuplicateError: if a file was uploaded before, and is not to be adopted.
        :raises WesRateLimitError: if the service goes on refusing, or the limit is too far away for
            a worker.
        """
        for upload in self._uploads[len(self.progress.done) :]:
            result = self._upload(upload)
            if isinstance(result, (Defer, Ask)):
                return result
            self._finish(upload, result)
        return None

    def _finish(self, upload: Upload, uploaded: UploadedFile) -> None:
        uploaded.file = msgspec.structs.replace(
            uploaded.file,
            file_url=upload.request.shown_url,
            coupon_list_id=upload.request.coupon_list_id,
        )
        self.progress.done.append(uploaded)
        self.progress.unknown_outcomes = 0
        upload.request.on_accepted(uploaded.file.id)

    # -- one upload

    def _upload(self, upload: Upload) -> UploadedFile | Defer | Ask:
        """Upload one file, or find it; one step after another, as the decision says."""
        known = self._read_known(upload)
        self._attempt.handled_here.add(upload.name.file)
        while True:
            known = replace(known, send_at=self.progress.limiter.next(self._clock.now()))
            step = decide(known, self._policy, self._clock.now())
            if isinstance(step, Adopt):
                return self._adopt(upload, step, known)
            if isinstance(step, Send):
                result = self._send_when_allowed(upload, step, known)
                if not isinstance(result, Known):
                    return result
                known = result
            elif isinstance(step, (ReadList, ReadStatus, ReadAnswer)):
                known = self._learn(step, upload, known)
            elif isinstance(step, AskPerson) and self._may_ask():
                return self._ask(upload, step, known)
            else:
                raise self._error_of(step, upload, known) from None

    def _read_known(self, upload: Upload) -> Known:
        """Read what is known of an upload when an attempt comes to it."""
        record = self._records.load(upload.name)
        # Before a deferral, this attempt may have sent it, and without a store nothing else knows.
        sent_before_deferral = self.progress.unknown_outcomes > 0
        handled_before = sent_before_deferral or upload.name.file in self._attempt.handled_here
        asked_about = self._asked_about_next()
        earlier = read_earlier(record, self._attempt, handled_before, asked_about)
        sent_at = 0.0
        open_acceptance = None
        older_files: dict[str, str] = {}
        recorded_content = ""
        if record is not None:
            sent_at = record.sent_at
            open_acceptance = record.open_acceptance
            older_files = record.older_files
            recorded_content = record.content_hash
        acceptance_is_stored = True
        if asked_about is not None and asked_about.last_request is LastRequest.ACCEPTED:
            # If only the form's state has it, a retry does not know it.
            acceptance_is_stored = open_acceptance == self._attempt.generation
            open_acceptance = self._attempt.generation
        if asked_about is not None and asked_about.sent_at:
            sent_at = asked_about.sent_at
        listed_by = self.progress.listed_by
        list_had_its_time = sent_before_deferral or asked_about is not None
        if not list_had_its_time:
            listed_by = self._listed_by(sent_at)
        return Known(
            earlier=earlier,
            looking_since=self._began_at,
            listed_by=listed_by,
            sent_at=sent_at,
            open_acceptance=open_acceptance,
            older_files=older_files,
            acceptance_is_stored=acceptance_is_stored,
            recorded_content=recorded_content,
            wanted_content=upload.request.content_hash,
            unknown_outcomes=self.progress.unknown_outcomes,
        )

    def _listed_by(self, sent_at: float) -> float:
        """
        Return when the list has to show what an earlier attempt sent, epoch seconds.

        A gateway may hold a request back after the attempt is gone, for ``read_timeout`` at most.

        :param sent_at: when it was sent; 0 if that is not known. It was before this attempt.
        """
        began_at = self.progress.listed_by - self._hook.settings.coupon_files_lag
        arrives_by = began_at + self._hook.settings.read_timeout
        if sent_at:
            arrives_by = min(arrives_by, sent_at + self._hook.settings.read_timeout)
        return max(began_at, arrives_by) + self._hook.settings.coupon_files_lag

    def _adopt(self, upload: Upload, adopt: Adopt, known: Known) -> UploadedFile:
        file = adopt.file
        if known.last_unknown is None:
            text = f"Coupon file {file.id} of an earlier attempt adopted: {adopt.why}"
        else:
            text = f"Uploaded: coupon file {file.id}, since {adopt.why}"
        log.info("%s", upload.about(text))
        if adopt.from_before_clear and not known.wanted_content:
            log.info("A URL stands for the same file, whatever it holds now")
        name = parse(file.name)
        if name is not None:
            # It may have had another URL, and no other file of this task is it, too.
            self._attempt.handled_here.add(name.file)
        sent_at = known.sent_at or self._clock.now()
        record = UploadRecord(
            upload.name.generation,
            sent_at,
            file=file,
            from_before_clear=adopt.from_before_clear,
            content_hash=adopt.content,
            older_files=_without(known.older_files, file),
        )
        self._save_or_warn(upload, record, f"Coupon file {file.id}")
        return UploadedFile(file, sent_at, from_before_clear=adopt.from_before_clear)

    def _error_of(self, step: Step, upload: Upload, known: Known) -> WesError:
        if isinstance(step, Fail):
            return step.error
        if isinstance(step, FailDuplicate):
            return errors.duplicate(upload, step.file)
        if isinstance(step, FailOtherContent):
            return errors.other_content(upload, step.file)
        if isinstance(step, FailUnreadable):
            return errors.list_unreadable(upload, step.error)
        if isinstance(step, FailNeverArrived):
            return errors.never_arrived(upload, step.error, known.unknown_outcomes)
        if isinstance(step, AskPerson):
            return errors.unknown_outcome(
                upload,
                step.why,
                self._attempt,
                single=self._single,
                last_unknown=known.last_unknown,
            )
        raise TypeError(f"no such step: {step}")

    # -- reading

    def _learn(
        self, step: ReadList | ReadStatus | ReadAnswer, upload: Upload, known: Known
    ) -> Known:
        """Add what a step reads to what is known."""
        if isinstance(step, ReadList):
            return replace(known, reading=self._read_list(upload, known, step.at))
        if isinstance(step, ReadStatus):
            status = self._read_status(upload, step.file)
            return replace(known, statuses={**known.statuses, step.file.id: status})
        return replace(known, answer=self._read_answer(upload, known))

    def _read_list(self, upload: Upload, known: Known, at: float) -> Reading:
        """Read what the list shows of an upload; one reading serves all uploads if it is late."""
        if self._last_reading is None or self._last_reading.read_at < at:
            if known.last_unknown is None and self._last_reading is None:
                seconds = max(0.0, known.listed_by - self._clock.now())
                reason = "Reading the list, since an earlier attempt may have uploaded it"
                log.info("%s\nFor %.0f s at most", upload.about(reason), seconds)
            time.sleep(max(0.0, at - self._clock.now()))
            self._last_reading = self._request_list(upload.request.coupon_list_id)
        return Reading(
            self._recognise(self._last_reading, upload, known), self._last_reading.read_at
        )

    def _request_list(self, coupon_list_id: str) -> ListReading:
        # Before the request: the list is as old as that.
        read_at = self._clock.now()
        try:
            return ListReading(self._hook.read_list(coupon_list_id), read_at)
        except WesError as error:
            return ListReading(error, read_at)

    def _recognise(self, reading: ListReading, upload: Upload, known: Known) -> Listed:
        content, read_at = reading
        if isinstance(content, WesError):
            is_key_refused = isinstance(content, WesAuthenticationError)
            if content.reading_again_helps or is_key_refused:
                # A key that is refused now may be accepted by the next attempt.
                return CannotRead(content)
            return CannotTell(f"the service refuses to show the list: {content.reason}")
        files_of_task = {each.name.file for each in self._uploads}
        uploaded = {each.file.id for each in self.progress.done}
        # When this attempt learned that a request may have taken effect.
        learned_at = known.listed_by - self._hook.settings.coupon_files_lag
        sought = Sought(
            coupon_list_id=upload.request.coupon_list_id,
            name=upload.name,
            earlier=known.earlier,
            open_acceptance=known.open_acceptance,
            older_files=known.older_files,
            given_name=upload.request.given_name,
            normalised_url=upload.request.normalised_url,
            files_of_task=files_of_task | self._attempt.handled_here,
            single=self._single,
            takes_older_file=self._policy.on_duplicate == "adopt",
            statuses=self._policy.statuses,
            run_never_cleared=self._attempt.run_never_cleared,
            run_id=self._attempt.run_id,
            has_to_list=sorted(uploaded | self._seen_in_list),
            longest_age=read_at - learned_at,
        )
        self._seen_in_list |= {
            str(record["_id"]) for record in content.records if record.get("_id")
        }
        return recognise(content, sought)

    def _read_status(self, upload: Upload, file: CouponFile) -> FileStatus:
        list_id = upload.request.coupon_list_id
        try:
            record = self._hook.get_coupon_file(list_id, file.id)
            read = CouponFile.from_record(record, list_id)
            if read.id != file.id:
                raise ValueError(f"the service replied with coupon file {read.id}")
            name = parse(read.name)
            if name is not None and name.hash != upload.name.hash:
                log.info("Coupon file %s is that of another upload by now", file.id)
                return Gone()
            return LatestStatus(read)
        except WesError as error:
            # A 404 without the service's code may be a gateway's.
            if isinstance(error, WesNotFoundError) and error.code:
                log.info("The service does not know coupon file %s any more", file.id)
                return Gone()
            log.info("%s", _describe_unreadable_status(file, error.reason))
            what = f"The status of coupon file {file.id}"
            return StatusUnreadable(errors.worth_a_retry(upload, what, error))
        except ValueError as error:
            text = _describe_unreadable_status(file, error)
            log.info("%s", text)
            return StatusUnreadable(WesError(text))

    # -- a person

    def _asked_about_next(self) -> AskedAbout | None:
        """Return what a person was asked about the upload that comes next, if that is so."""
        asked_about = self.progress.asked_about
        if asked_about is None or asked_about.place != len(self.progress.done):
            return None
        return asked_about

    def _may_ask(self) -> bool:
        """
        Tell whether a person can be asked on a form.

        Airflow keeps the text of an attempt's first form, so it cannot be about another upload.
        """
        if self._policy.on_unknown != "ask":
            return False
        nobody_was_asked_yet = self.progress.asked_about is None
        asked_about_this_one = self._asked_about_next() is not None
        return nobody_was_asked_yet or asked_about_this_one

    def _ask(self, upload: Upload, step: AskPerson, known: Known) -> Ask:
        self.progress.asked_about = AskedAbout(
            place=len(self.progress.done),
            last_request=_last_request(known.earlier),
            sent_at=known.sent_at,
        )
        look = errors.where_to_look(
            upload, single=self._single, sent_now=known.last_unknown is not None
        )
        subject, body = errors.form(upload, step.why, look, known.sent_at)
        error = self._error_of(step, upload, known)
        return Ask(upload.name.subject.replace("-", "_"), subject, body, error)

    def _read_answer(self, upload: Upload, known: Known) -> Answer:
        other_files = {each.file.id for each in self.progress.done}
        older_files: Collection[str] = ()
        if isinstance(known.earlier, (MaybeSent, Accepted)):
            # A request since the clear has a file of its own.
            older_files = known.older_files
        ruled_out = RuledOut(other_files, older_files)
        asked_about = self._asked_about_next()
        if asked_about is not None and (asked_about.named or asked_about.called_absent):
            return read_response(asked_about, upload, self._hook, ruled_out)
        return read_answer(upload, self._attempt, self._hook, ruled_out)

    # -- sending

    def _wait_for_limit(self, upload: Upload, at: float) -> Defer | None:
        """
        Sleep until the rate limit allows the next upload; or return when to go on.

        :raises WesRateLimitError: if that is too long for a worker, and the task does not defer; or
            if Airflow ends the attempt before.
        """
        seconds = at - self._clock.now()
        if seconds <= 0:
            return None
        when = datetime.fromtimestamp(at, timezone.utc)
        text = about(
            f"The rate limit allows the next upload at {when:%Y-%m-%d %H:%M:%S} UTC",
            upload.request.coupon_list_id,
        )
        done = len(self.progress.done)
        total = len(self._uploads)
        rest = self.progress.limiter.seconds_for(total - done, self._clock.now())
        log.info(
            "%s\n%d of %d are uploaded, the rest takes about %s",
            text,
            done,
            total,
            timedelta(seconds=round(rest)),
        )
        defers = self._deferrable and seconds >= WORTH_DEFERRING
        if self._is_ended_before(at, defers=defers):
            raise WesRateLimitError(
                f"{text}\nThe task's execution_timeout ends it before that: raise it.",
                remaining=0,
                reset_at=when,
            )
        if defers:
            return Defer(at)
        longest = self._hook.settings.max_rate_limit_wait
        if not self._deferrable and seconds > longest:
            raise WesRateLimitError(
                f"{text}\nThat is longer than the connection's max_rate_limit_wait of {longest:g} "
                "s: with deferrable=True, the task waits in the triggerer.",
                remaining=0,
                reset_at=when,
            )
        time.sleep(seconds)
        return None

    def _is_ended_before(self, at: float, *, defers: bool) -> bool:
        """Tell whether Airflow ends the attempt before a moment, epoch seconds."""
        ends_at = self._ends_at_if_deferred if defers else self._ends_at
        return ends_at is not None and at > ends_at

    def _send_when_allowed(
        self, upload: Upload, step: Send, known: Known
    ) -> UploadedFile | Defer | Known:
        """Wait until the rate limit allows the request, and send it; or defer until then."""
        seconds = step.at - self._clock.now()
        defer = self._wait_for_limit(upload, step.at)
        if defer is not None:
            return defer
        was_maybe_sent = not isinstance(known.earlier, (NeverSent, NoEffect))
        if was_maybe_sent and seconds > WORTH_READING_AGAIN:
            # During the wait, the list may have come to show the file, and a file's status may have
            # changed. What a person has said stays.
            return replace(
                known,
                reading=None,
                statuses={},
                looking_since=self._clock.now(),
                last_limit_error=None,
            )
        if step.why:
            log.info("%s", upload.about(step.why))
        return self._send(upload, known)

    def _send(self, upload: Upload, known: Known) -> UploadedFile | Known:
        """Send the request once; what came of it, unless that is the file, becomes known."""
        request = upload.request
        body = {"name": upload.sent_name, **request.body}
        if request.sign is not None:
            body["file_url"] = request.sign()
        request.before_send()
        sent_at = self._clock.now()
        before = self._records.load(upload.name)
        intent = self._intend(upload, known, sent_at)
        self._records.save(upload.name, intent)
        log.info("%s as %s", upload.about("Uploading"), body["name"])
        try:
            file, headers = self._hook.send_upload(request.coupon_list_id, body, request.title)
        except WesUnknownOutcomeError as error:
            return self._note_unknown(upload, known, intent, error)
        except WesError as error:
            return self._note_refusal(upload, known, intent, before, error)
        is_older = file.id in self._ids_of_other_files(known)
        if is_older or is_of_another_upload(
            file, request.coupon_list_id, body["name"], body["file_url"]
        ):
            other = errors.response_of_another(upload, file)
            return self._note_unknown(upload, known, intent, other)
        log.info("%s", upload.about(f"Uploaded: coupon file {file.id}"))
        self.progress.limiter.note(rate_limit(headers, self._clock.now()), self._clock.now())
        uploaded = msgspec.structs.replace(intent, file=file, open_acceptance=None)
        self._save_or_warn(upload, uploaded, f"Coupon file {file.id}")
        return UploadedFile(file, sent_at)

    def _ids_of_other_files(self, known: Known) -> set[str]:
        """Return the identifiers of files that were there before a request, which makes another."""
        uploaded = {each.file.id for each in self.progress.done}
        return uploaded | self._seen_in_list | set(_older_files(known))

    def _intend(self, upload: Upload, known: Known, sent_at: float) -> UploadRecord:
        """Make the record of a request that is about to be sent."""
        open_acceptance = known.open_acceptance
        if _is_known_what_became_of_accepted(known):
            open_acceptance = None
        return UploadRecord(
            upload.name.generation,
            sent_at,
            open_acceptance=open_acceptance,
            content_hash=upload.request.content_hash,
            older_files=_older_files(known),
        )

    def _note_unknown(
        self, upload: Upload, known: Known, intent: UploadRecord, error: WesUnknownOutcomeError
    ) -> Known:
        """Note that a request may have taken effect: the list is read to see whether it has."""
        text = upload.about(error.reason)
        log.warning("%s\nReading the list to see whether it shows the file", text)
        now = self._clock.now()
        earlier: Earlier = MaybeSent()
        open_acceptance = intent.open_acceptance
        is_stored = True
        if error.status_code is not None and 200 <= error.status_code < 300:
            earlier = Accepted()
            open_acceptance = intent.generation
            is_stored = self._remember_acceptance(upload, intent)
        self._note_last_request(_last_request(earlier), intent.sent_at)
        self.progress.unknown_outcomes += 1
        self.progress.limiter.note(RateLimit(), now)
        return replace(
            known,
            earlier=earlier,
            looking_since=now,
            # The progress keeps its own: the attempt defers only when this moment has passed, and
            # after a form, the response decides.
            listed_by=now + self._hook.settings.coupon_files_lag,
            reading=None,
            statuses={},
            answer=None,
            sent_at=intent.sent_at,
            recorded_content=intent.content_hash,
            unknown_outcomes=self.progress.unknown_outcomes,
            last_unknown=error,
            last_limit_error=None,
            open_acceptance=open_acceptance,
            older_files=intent.older_files,
            acceptance_is_stored=is_stored,
        )

    def _note_last_request(self, last_request: LastRequest, sent_at: float) -> None:
        """Keep what became of a request, in case the attempt defers or asks again."""
        asked_about = self._asked_about_next()
        if asked_about is not None:
            asked_about.forget_response()
            asked_about.last_request = last_request
            asked_about.sent_at = sent_at

    def _remember_acceptance(self, upload: Upload, intent: UploadRecord) -> bool:
        """Note that the service accepted an upload; tell whether the next attempt knows it."""
        accepted = msgspec.structs.replace(intent, open_acceptance=intent.generation)
        is_saved = self._save_or_warn(upload, accepted, "That it was accepted")
        return is_saved and self._attempt.state_store is not None

    def _note_refusal(
        self,
        upload: Upload,
        known: Known,
        intent: UploadRecord,
        before: UploadRecord | None,
        error: WesError,
    ) -> Known:
        """
        Note that a request was refused, by the rate limit or for good, or never sent. It definitely
        had no effect, unless perhaps a gateway has refused it, which does not tell.

        What was known before it, is known still.

        :param intent: the record of the request.
        :param before: the record as it was before the request.
        """
        if isinstance(error, WesRateLimitError) and not _is_of_service(error):
            return self._note_limit_of_gateway(known, intent, error)
        is_limit = isinstance(error, WesRateLimitError)
        if isinstance(error, WesResponseError) and not error.code and not is_limit:
            # The intent stays, so that the next attempt reads the list.
            return replace(known, earlier=Refused(error))
        record = _record_without_request(known, intent, before)
        self._save_or_warn(upload, record, "That it had no effect")
        upload.request.on_no_effect()
        if not isinstance(error, WesRateLimitError):
            return replace(known, earlier=Refused(error))
        self._note_limit(error)
        earlier = known.earlier
        if isinstance(earlier, NeverSent):
            earlier = NoEffect()
        return replace(
            known,
            earlier=earlier,
            last_limit_error=error,
            limited_since=self.progress.limiter.refused_since,
        )

    def _note_limit_of_gateway(
        self, known: Known, intent: UploadRecord, error: WesRateLimitError
    ) -> Known:
        """
        Note a limit that may be that of a gateway, which may have sent the request before: the list
        shows whether it had an effect, before it is sent again.
        """
        self._note_limit(error)
        now = self._clock.now()
        earlier = known.earlier
        if not isinstance(earlier, Accepted):
            earlier = MaybeSent()
        return replace(
            known,
            earlier=earlier,
            looking_since=now,
            listed_by=now + self._hook.settings.coupon_files_lag,
            reading=None,
            statuses={},
            answer=None,
            sent_at=intent.sent_at,
            last_limit_error=error,
            limited_since=self.progress.limiter.refused_since,
        )

    def _note_limit(self, error: WesRateLimitError) -> None:
        """Have the limiter wait as long as the service says."""
        reset = None
        if error.reset_at:
            reset = error.reset_at.timestamp()
        self.progress.limiter.refuse(
            RateLimit(error.limit, error.remaining, reset), self._clock.now()
        )
        log.info("%s", error)

    def _save_or_warn(self, upload: Upload, record: UploadRecord, what: str) -> bool:
        """
        Store what came of a request, and tell whether that worked. If it does not, nothing stops:
        the record is a hint, and what came of the upload is more.
        """
        try:
            self._records.save(upload.name, record)
        except Exception as error:
            log.warning("%s cannot be remembered: %s", what, type(error).__name__)
            return False
        return True


def _is_of_service(error: WesRateLimitError) -> bool:
    """Tell whether a 429 has what only the service sends: its code, or its headers."""
    has_headers = error.limit is not None or error.remaining is not None or error.reset_at
    return bool(error.code or has_headers)


def _describe_unreadable_status(file: CouponFile, reason: object) -> str:
    return f"The status of coupon file {file.id} cannot be read: {reason}"


def _record_without_request(
    known: Known, intent: UploadRecord, before: UploadRecord | None
) -> UploadRecord:
    """
    Return the record of what is known still after a request that had no effect.

    :param intent: the record of that request, and of what became of an accepted one before it.
    :param before: the record as it was before the request; ``None`` if there was none.
    """
    if isinstance(known.earlier, (NeverSent, NoEffect)):
        return UploadRecord(intent.generation)
    if before is not None:
        return msgspec.structs.replace(before, open_acceptance=intent.open_acceptance)
    if isinstance(known.earlier, MaybeSentBeforeClear):
        # Of the generation before, since nothing that was sent since the clear had an effect.
        return UploadRecord(intent.generation - 1)
    # An earlier request since the clear may have had an effect, and the record was lost.
    return intent


def _is_known_what_became_of_accepted(known: Known) -> bool:
    """
    Tell whether it is known what became of the last request that was accepted: a person has said
    so, or the list shows a file that this task instance has uploaded then or later.
    """
    if isinstance(known.answer, (CalledAbsent, CalledAbsentOnForm)):
        return True
    if known.open_acceptance is None or known.reading is None:
        return False
    shows = known.reading.shows
    if not isinstance(shows, FoundFromBeforeClear):
        return False
    name = parse(shows.file.name)
    is_as_new = name is not None and name.generation >= known.open_acceptance
    return shows.is_own and is_as_new


def _last_request(earlier: Earlier) -> LastRequest:
    """Tell a form's state what became of the last request since the clear."""
    if isinstance(earlier, Accepted):
        return LastRequest.ACCEPTED
    if isinstance(earlier, MaybeSent):
        return LastRequest.MAYBE_SENT
    return LastRequest.SAYS_NOTHING


def _without(files: Mapping[str, str], file: CouponFile) -> dict[str, str]:
    return {file_id: content for file_id, content in files.items() if file_id != file.id}


def _older_files(known: Known) -> dict[str, str]:
    """Return the files that are known before a request, which makes another one."""
    older_files = dict(known.older_files)
    if isinstance(known.earlier, StoredBeforeClear):
        file = known.earlier.file
        older_files[file.id] = known.content_of(file)
    if known.reading is not None and isinstance(known.reading.shows, FoundFromBeforeClear):
        found = known.reading.shows
        older_files[found.file.id] = ""
        if found.is_own:
            older_files[found.file.id] = known.content_of(found.file)
    return older_files


def _check_unchanged(began: Sequence[FileKey], now: Sequence[FileKey]) -> None:
    """
    Check that a deferral goes on with the files that it began with.

    A URL that is rendered differently goes on as what it began as; only files that have changed
    their places, or their number, are refused.
    """
    moved = False
    for before, file in zip(began, now, strict=False):
        if file != before and file in began:
            moved = True
    if moved or len(began) != len(now):
        raise WesConfigurationError(
            "files changed during a deferral\nClear the task: nothing is uploaded twice."
        )
