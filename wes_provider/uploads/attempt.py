"""The running attempt of a task, as uploads see it: who it is, its clock, how it waits, and what it publishes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final

from wes_provider.exceptions import WesDuplicateError, WesRateLimitError
from wes_provider.models import ERROR_HEADLINE, headline
from wes_provider.uploads.identity import TaskIdentity
from wes_provider.uploads.rate_limiter import RateLimiter
from wes_provider.uploads.record import RecordStore, UploadRecord
from wes_provider.uploads.upload_again import UploadAgain

if TYPE_CHECKING:
    from wes_provider.models import CouponFile
    from wes_provider.uploads.request import UploadRequest

__all__ = ["RESUME_METHOD", "Attempt", "SingleUpload"]

log = logging.getLogger(__name__)

WORTH_DEFERRING: Final = 20.0  # seconds; a deferral and the way back take a few
EARLY: Final = 5.0  # seconds before the send time that a deferred task is resumed, so as to be in time
LATE: Final = timedelta(hours=1)  # after which Airflow fails a deferred task that no triggerer has resumed
RESUME_METHOD: Final = "execute_at_reset"


class Attempt:
    """
    One attempt of a task instance that uploads.

    :param task: the operator, with ``hook``, ``deferrable``, ``on_duplicate``, ``clock``.
    :param context: Airflow's.
    :param state: what an earlier part of this attempt left when it deferred, see :meth:`wait_until`.
    """

    def __init__(self, task: Any, context: Any, state: Mapping[str, Any] | None = None) -> None:
        state = state or {}
        ti = context["ti"]
        self.task = task
        self.hook = task.hook
        self.on_duplicate: str = task.on_duplicate
        self.again = UploadAgain(self)
        self.clock = task.clock
        self.limiter = RateLimiter.from_dict(state.get("rate_limiter", {}))
        self.outstanding: dict[str, UploadRecord] = {
            part: UploadRecord.from_dict(record) for part, record in state.get("outstanding", {}).items()
        }
        self.context = context
        self.identity = TaskIdentity.of(context)
        self.records = RecordStore(context.get("task_state_store"))
        self.try_number: int = ti.try_number
        self.max_tries: int = ti.max_tries
        self.clear_number: int | None = getattr(context.get("dag_run"), "clear_number", None)
        # Earlier attempts are over, so what they sent is listed by then.
        self.listed_by: float = state.get("listed_by", self.clock.time() + self.hook.settings.coupon_files_lag)
        self.listed: int | None = state.get("listed")  # files in the list when refusals began or were last explained
        self._repeated = False
        self.repairs: bool | None = state.get("repairs")  # whether the task was cleared to upload failed files again
        self._ended: set[int] = set()  # generations of attempts that ended before a clear

    @property
    def may_follow_another(self) -> bool:
        """Whether an earlier attempt may have sent something."""
        if self.identity.iteration is not None and getattr(self.context["loop"], "trajectory", 2) > 1:
            return True  # an iteration that replaces another after a clear starts with try 1
        return self.try_number > 1 or self._repeated

    def cleared_since(self, record: UploadRecord) -> bool:
        """Whether the task was cleared after the attempt that wrote a record, and not just retried."""
        if record.max_tries != self.max_tries:
            return True  # what a clear changes, unless ``retries`` was lowered in between
        run_cleared = self.clear_number is not None and self.clear_number > (record.clear_number or 0)
        # A process may be killed right after it ended, and the clear may be of another task.
        if record.ended and run_cleared and self.seems_cleared:
            self._ended.add(record.attempt_generation)
        return record.attempt_generation in self._ended

    @property
    def seems_cleared(self) -> bool:
        """The same without a record, as far as numbers tell."""
        first = self.try_number == self.max_tries - int(self.context["task"].retries) + 1
        return self.identity.run_cleared is not False and self.try_number > 1 and first

    def generation(self, record: UploadRecord | None) -> int:
        """A number that grows with each clear: that of the next upload."""
        if record is None:
            return self.max_tries
        if not self.cleared_since(record):
            return record.attempt_generation
        return max(self.max_tries, record.attempt_generation + 1)

    def claim(self, request: UploadRequest) -> None:
        """
        Note an upload of this attempt, of which there is one for each identity: a second would be taken for the first.

        :param request: the upload.
        :raises WesDuplicateError: if the attempt has uploaded another file.
        """
        made = self.context.setdefault("_wes_uploads", {})
        upload = (request.coupon_list_id, request.part)
        self._repeated |= upload in made
        label, fingerprint = made.setdefault(upload, (request.label, request.fingerprint))
        if fingerprint != request.fingerprint:
            also = "" if label != request.label else " with another name or query"
            raise WesDuplicateError(
                f"{request.headline('Not sent, this attempt uploaded another', error=True)}\n"
                "Use a task for each file, a mapped task, or WesReplenishCouponListOperator.\n"
                "A task instance uploads one file with this operator.\n"
                f"This attempt has already uploaded {label} to list {request.coupon_list_id}\n"
                f"Not sent: {request.label}{also}"
            )

    def blank_record(self, request: UploadRequest, generation: int, *, known: tuple[str, ...] | None) -> UploadRecord:
        """
        The record of an upload that this attempt may make.

        :param request: the upload.
        :param generation: the generation of the upload.
        :param known: see :class:`UploadRecord`.
        """
        return UploadRecord(
            generation=generation,
            name=request.name or self.identity.name(request.part, generation, request.label, request.file),
            label=request.label,
            key=request.key,
            url="" if request.source is not None else request.label,
            named=bool(request.name),
            known=known,
            sent_at=self.clock.time(),
            try_number=self.try_number,
            max_tries=self.max_tries,
            clear_number=self.clear_number,
            attempt_generation=generation,
        )

    # -- what operators add

    @property
    def continues(self) -> bool:
        """Whether the task goes on after an upload, to wait or to upload more."""
        return True

    def known(self, request: UploadRequest, file: CouponFile, sent_at: float) -> None:
        """
        Publish a file the moment its identifier is known, before anything else can fail.

        :param request: the upload's request.
        :param file: the file, as the service returned it.
        :param sent_at: epoch seconds.
        """
        raise NotImplementedError

    def failed(self, file: CouponFile) -> bool:
        """Whether a file's status means that it failed processing."""
        return bool(self.task.statuses.failed(file.status))

    def pausing(self) -> None:
        """The attempt is about to wait, or to end for now."""

    # -- waiting

    def wait_until(self, moment: float, refusal: WesRateLimitError | None = None) -> None:
        """
        Wait for the send time: on the worker, or in the triggerer if that is long enough and the task is deferrable.

        A deferral carries the rate limiter, and the record of an upload whose outcome may still change.

        :param moment: epoch seconds.
        :param refusal: the rate limit's last one.
        :raises WesRateLimitError: if that is too long for a worker, and the task does not defer.
        """
        seconds = moment - self.clock.time()
        if seconds <= 0:
            return
        self.pausing()
        when = datetime.fromtimestamp(moment, timezone.utc)
        cause = f"Rate limit: the next upload waits {max(seconds, 1):.0f} s"
        text = headline(cause, self.task.coupon_list_id, longest=ERROR_HEADLINE)
        details = f"It can be sent at {when:%Y-%m-%d %H:%M:%S} UTC."
        if self.task.deferrable and seconds >= WORTH_DEFERRING:
            self._defer(moment, seconds, f"{text}; deferring\n{details}")
        longest = self.hook.settings.max_rate_limit_wait
        if seconds > longest:
            raise WesRateLimitError(
                f"{text}\nThat is longer than the connection's max_rate_limit_wait of {longest:g} s; "
                f"with deferrable=True, the task waits in the triggerer.\n{details}",
                limit=refusal.limit if refusal else None,
                remaining=0,
                reset_at=when,
            )
        log.info("%s\n%s", text, details)
        self.clock.sleep(seconds)

    @property
    def state(self) -> dict[str, Any]:
        """What a deferral carries."""
        return {
            "version": 1,
            "rate_limiter": self.limiter.to_dict(),
            "listed_by": self.listed_by,
            "listed": self.listed,
            "repairs": self.repairs,
            "outstanding": {part: record.to_dict() for part, record in self.outstanding.items()},
        }

    def _defer(self, moment: float, seconds: float, text: str) -> None:
        from wes_provider.triggers import WesResetTrigger

        log.info("%s", text)
        self.task.defer(
            trigger=WesResetTrigger(moment=moment - EARLY, state=self.state),
            method_name=RESUME_METHOD,
            timeout=timedelta(seconds=seconds) + LATE,
        )


class SingleUpload(Attempt):
    """An attempt of a task with one upload."""

    _pushed: dict[str, Any] | None = None

    @property
    def continues(self) -> bool:
        """Whether the task waits for the file."""
        return bool(self.task.wait_for_completion)

    def known(self, request: UploadRequest, file: CouponFile, sent_at: float) -> None:
        """Push the file, and the identifier unless Airflow does so in a moment."""
        del request, sent_at
        if file.summary() == self._pushed:
            return
        if self._pushed is None and self.continues and self.task.do_xcom_push:
            self.context["ti"].xcom_push(key="return_value", value=file.id)
        self._pushed = file.summary()
        self.task.push_file(self.context, self._pushed)
