"""
The uploads of one attempt of a task, one after another: each file at most once, whatever crashes.

What an earlier attempt did is known from its record, or read from the list; what cannot be known, a
person decides.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final

import msgspec

from wes_provider.exceptions import (
    WesConfigurationError,
    WesDuplicateError,
    WesError,
    WesRateLimitError,
)
from wes_provider.models import CouponFile
from wes_provider.polling import Statuses
from wes_provider.texts import about
from wes_provider.uploads.evidence import Evidence
from wes_provider.uploads.identity import TaskInstance, UploadName, parse
from wes_provider.uploads.rate_limiter import RateLimiter
from wes_provider.uploads.recognition import Own
from wes_provider.uploads.record import RecordStore, UploadRecord
from wes_provider.uploads.request import UploadRequest
from wes_provider.uploads.sending import Sender, Uploaded

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["Progress", "Uploaded", "Uploads"]

log = logging.getLogger(__name__)

WORTH_DEFERRING: Final = 20.0  # seconds; a deferral and the way back take a few


class Progress(msgspec.Struct):
    """
    What an attempt has done when it defers for the rate limit, and goes on with.

    :ivar keys: the files that it began with.
    :ivar done: what the first of them were uploaded as.
    :ivar listed_by: when the list shows what earlier attempts sent, epoch seconds.
    :ivar plan: of files in storage.
    """

    keys: list[str]
    done: list[Uploaded] = []
    limiter: RateLimiter = msgspec.field(default_factory=RateLimiter)
    listed_by: float = 0.0
    plan: dict[str, Any] | None = None
    version: int = 1


class Uploads:
    """
    Uploads a task's files, or finds the ones that earlier attempts uploaded.

    :param hook: of the task's connection.
    :param context: Airflow's.
    :param requests: all uploads of the task, in their order.
    :param on_duplicate: what a cleared task does with files of before the clear: ``adopt``,
        ``upload`` or ``fail``.
    :param statuses: which status means that a file has failed.
    :param deferrable: whether the task defers for the rate limit, instead of sleeping.
    :param timeout: seconds of refusals by the rate limit after which the task gives up.
    :param single: whether the task has one file by its nature.
    :param progress: of the part of this attempt before a deferral.
    :ivar progress: how far it is.
    """

    def __init__(
        self,
        hook: WesHook,
        context: Any,
        requests: Sequence[UploadRequest],
        *,
        on_duplicate: str,
        statuses: Statuses,
        deferrable: bool,
        timeout: float,
        single: bool = False,
        progress: Progress | None = None,
    ) -> None:
        keys = [request.key for request in requests]
        listed_by = time.time() + hook.settings.coupon_files_lag  # earlier attempts are over
        self.progress = progress or Progress(keys, listed_by=listed_by)
        began = self.progress.keys
        # A URL that is rendered anew goes on as what it began as; only files that changed their
        # places are refused.
        if len(began) != len(keys) or any(
            key in began and key != at for at, key in zip(began, keys, strict=True)
        ):
            raise WesConfigurationError(
                "files changed during a deferral\nClear the task: nothing is uploaded twice."
            )
        self._hook = hook
        self._context = context
        self._requests = requests
        self._mode = on_duplicate
        self._statuses = statuses
        self._deferrable = deferrable
        self._instance = TaskInstance.of(context)
        self._records = RecordStore(context.get("task_state_store"))
        workspace, coupon_list_id = (
            hook.settings.workspace_id,
            requests[0].coupon_list_id if requests else "",
        )
        self._names = names = [
            self._instance.upload(workspace, coupon_list_id, key) for key in self.progress.keys
        ]
        self._evidence = Evidence(
            hook, context, names, on_duplicate=on_duplicate, statuses=statuses, single=single
        )
        self._sender = Sender(hook, self._records, self.progress.limiter, self._evidence, timeout)

    def run(self) -> float | None:
        """
        Upload what is not uploaded yet; :attr:`progress` has the files.

        :return: the moment at which to go on, epoch seconds, if the task is to defer.
        :raises WesUnknownOutcomeError: if it cannot be known whether an upload took effect.
        :raises WesDuplicateError: after a clear, if ``on_duplicate`` is ``fail``.
        :raises WesRateLimitError: if the service goes on refusing, or the limit is too far away for
            a worker.
        """
        for index in range(len(self.progress.done), len(self._requests)):
            done = self._upload_one(index)
            if isinstance(done, float):
                return done
            self.progress.done.append(done)
        return None

    # -- one upload

    def _upload_one(self, index: int) -> Uploaded | float:
        """The file; or the moment at which to go on, if the task is to defer."""
        request, name = self._requests[index], self._names[index]
        # What did an earlier attempt do?
        uploaded = self._find_existing(request, name)
        while uploaded is None:
            # May it be sent now?
            longest, total = self._hook.settings.max_rate_limit_wait, len(self._requests)
            limiter, list_id, defers = (
                self.progress.limiter,
                request.coupon_list_id,
                self._deferrable,
            )
            if (
                moment := wait_for_limit(limiter, list_id, index, total, longest, deferrable=defers)
            ) is not None:
                return moment
            # Send it, and see what came of it.
            uploaded = self._sender.send(request, name)
        request.on_accepted(uploaded.file.id)
        file = msgspec.structs.replace(
            uploaded.file, file_url=request.shown_url, coupon_list_id=request.coupon_list_id
        )
        return Uploaded(file, uploaded.sent_at)

    def _find_existing(self, request: UploadRequest, name: UploadName) -> Uploaded | None:
        """The file of an earlier attempt that this one takes; ``None`` if it is to be uploaded."""
        instance, remembered = self._instance, self._records.load(name.hash)
        # Of this attempt: a task may call operators in its code.
        known = self._context.setdefault("wes_uploads", set())
        again = name.hash in known
        known.add(name.hash)
        if remembered is None:
            if instance.try_number == 1 and instance.run_cleared is False and not again:
                return None
            maybe_sent, accepted = again or not instance.first_since_clear, False
        else:
            since_clear = remembered.generation == instance.generation
            if remembered.file is not None:
                return self._take(
                    request, name, remembered.file, remembered.sent_at, own=since_clear
                )
            if since_clear and not remembered.sent_at:
                return None
            maybe_sent, accepted = again or since_clear, remembered.accepted
        listed_by = self.progress.listed_by
        found = self._evidence.find(
            request, name, listed_by, maybe_sent=maybe_sent, accepted=accepted
        )
        if found is None:
            return None
        if (shown := parse(found.shown.get("name"))) is not None:
            known.add(shown.hash)  # that of another URL: no other file is it, too
        file = CouponFile.from_record(found.shown, request.coupon_list_id)
        return self._take(request, name, file, time.time(), own=isinstance(found, Own))

    def _take(
        self,
        request: UploadRequest,
        name: UploadName,
        file: CouponFile,
        sent_at: float,
        *,
        own: bool,
    ) -> Uploaded | None:
        """What a file of an earlier attempt means: adopt it, upload anew (``None``), or fail."""
        where = about(
            f"Coupon file {file.id} of an earlier attempt", request.coupon_list_id, request.title
        )
        if not own:
            file = self._with_status_of_now(request, file)
            if self._statuses.failed(file.status):
                log.info("%s failed processing: uploading it again", where)
                return None
            if self._mode == "upload":
                log.info("%s is left: the task was cleared, and on_duplicate is 'upload'", where)
                return None
            if self._mode == "fail":
                raise WesDuplicateError(
                    f"{about('Uploaded before the clear', request.coupon_list_id, request.title)}\n"
                    f"on_duplicate is 'fail': set it to 'adopt' to take coupon file {file.id}, or "
                    "to 'upload'."
                )
        log.info("%s adopted, nothing is uploaded", where)
        self._records.save(name.hash, UploadRecord(name.generation, sent_at, file=file))
        return Uploaded(file, sent_at)

    def _with_status_of_now(self, request: UploadRequest, file: CouponFile) -> CouponFile:
        """The file with its status of now, if it can be read."""
        try:
            return CouponFile.from_record(
                self._hook.get_coupon_file(request.coupon_list_id, file.id)
            )
        except (WesError, ValueError) as error:
            log.info(
                "The status of coupon file %s cannot be read: %s",
                file.id,
                getattr(error, "reason", error),
            )
            return file


def wait_for_limit(
    limiter: RateLimiter,
    coupon_list_id: str,
    done: int,
    total: int,
    longest: float,
    *,
    deferrable: bool,
) -> float | None:
    """
    Sleep until the next upload may be sent; or return the moment, if the task is to defer until
    then.

    :param done: how many files of ``total`` are uploaded.
    :param longest: seconds that a worker sleeps at most.
    :raises WesRateLimitError: if that is too long for a worker, and the task does not defer.
    """
    while (moment := limiter.next(time.time())) > (now := time.time()):
        when = datetime.fromtimestamp(moment, timezone.utc)
        text = about(
            f"The rate limit allows the next upload at {when:%Y-%m-%d %H:%M:%S} UTC", coupon_list_id
        )
        rest = timedelta(seconds=round(limiter.seconds_for(total - done, now)))
        log.info("%s\n%d of %d are uploaded, the rest takes about %s", text, done, total, rest)
        if deferrable and moment - now >= WORTH_DEFERRING:
            return moment
        if not deferrable and moment - now > longest:
            raise WesRateLimitError(
                f"{text}\nThat is longer than the connection's max_rate_limit_wait of {longest:g} "
                "s: "
                "with deferrable=True, the task waits in the triggerer.",
                remaining=0,
                reset_at=when,
            )
        time.sleep(moment - now)
    return None
