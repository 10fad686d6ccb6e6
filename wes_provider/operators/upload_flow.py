"""The flow that the uploading operators share: upload, wait, finish."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

import msgspec

from wes_provider import assets
from wes_provider.attempt import Attempt
from wes_provider.coupon_files import CountNames, check_counts
from wes_provider.exceptions import WesCouponFileFailedError, dump_error
from wes_provider.metrics import record_counts
from wes_provider.models import CouponFile, Summary
from wes_provider.operators.asking import Absent, Named, Question
from wes_provider.operators.base import COUNTS_EACH_PART, earliest
from wes_provider.operators.upload_arguments import UploadArguments
from wes_provider.retry_policy import explained_errors
from wes_provider.texts import about
from wes_provider.waits.decision import CouponFileWait, Done, Failed, Outcome
from wes_provider.waits.outcomes import load_count_names, load_outcomes

if TYPE_CHECKING:
    from airflow.sdk import Context

    from wes_provider.uploads.loop import Ask, Defer, Progress, UploadedFile, UploadLoop
    from wes_provider.uploads.request import UploadRequest

EARLY: Final = 5.0
"""Seconds before the send time that a deferred task is resumed, so as to be in time."""

LATE: Final = timedelta(hours=1)
"""After that, Airflow fails a deferred task that no triggerer has resumed."""

FIX_IT_HERE: Final = "Fix the file, then clear this task: it uploads the file again."


class UploadFlow(UploadArguments):
    """
    Upload the files of a task, wait until they are processed if asked to, and return the result.

    Airflow begins a task in ``execute``, and resumes it in ``execute_at_reset`` after a wait for
    the rate limit, in ``execute_decided`` when a person has decided, and in ``execute_complete``
    after a wait for the files.

    :cvar pushes: the XCom that has the file, or all files.
    """

    pushes: ClassVar[str]

    # -- what the operators differ in

    def result(self, files: Sequence[CouponFile]) -> Any:
        """Return the task's result: the identifiers of its files."""
        raise NotImplementedError

    def pushed(self, summaries: Sequence[Summary]) -> Any:
        """Return the value of the XCom :attr:`pushes`; ``None`` to push none."""
        raise NotImplementedError

    def event(self, summaries: Sequence[Summary]) -> dict[str, Any]:
        """Return what the event of an asset has: which files, and what they brought."""
        raise NotImplementedError

    def raise_failures(self, outcomes: Sequence[Outcome]) -> None:
        """Raise what files that did not succeed mean for the task."""
        for outcome in outcomes:
            if isinstance(outcome, Failed):
                raise outcome.error

    # -- where Airflow enters

    @explained_errors()
    def execute(self, context: Context) -> Any:
        """Upload what no earlier attempt has uploaded; then wait for it, if asked to."""
        return self._upload_and_wait(context, None)

    @explained_errors()
    def execute_at_reset(self, context: Context, event: Any = None) -> Any:
        """Go on when the list's rate limit allows the next upload."""
        from wes_provider.uploads.loop import Progress

        progress = msgspec.convert(event["state"], Progress)
        progress.adjust_to_this_clock(waited=float(event.get("waited", 0.0)))
        return self._upload_and_wait(context, progress)

    @explained_errors()
    def execute_decided(
        self, context: Context, event: Any = None, question: dict[str, Any] | None = None
    ) -> Any:
        """Go on when a person has decided what nobody else can know, or has not in time."""
        from wes_provider.uploads.loop import Progress

        asked = msgspec.convert(question, Question)
        decision = self.read_decision(context, event, asked)
        progress = msgspec.convert(asked.progress, Progress)
        if progress.asked_about is not None:
            progress.asked_about.called_absent = isinstance(decision, Absent)
            if isinstance(decision, Named):
                progress.asked_about.named = decision.identifier
        return self._upload_and_wait(context, progress)

    @explained_errors()
    def execute_complete(self, context: Context, event: Any = None) -> Any:
        """Go on when all waits in the triggerer are over."""
        event = self._without_passwords(event)
        outcomes = load_outcomes(event, FIX_IT_HERE)
        count_names = load_count_names(event) or self.hook.settings.count_names
        return self._finish(context, self._read_pushed(context, outcomes), outcomes, count_names)

    # -- upload

    def _upload_and_wait(self, context: Context, progress: Progress | None) -> Any:
        ends_at = self.ends_at(context, began=time.time())
        uploaded = self._upload(context, progress, ends_at)
        waits = self._make_waits(uploaded, ends_at)
        outcomes = self._outcomes_known_already(waits, uploaded)
        pending = [wait for wait in waits if wait.coupon_file_id not in outcomes]
        count_names = self.hook.settings.count_names
        if self.wait_for_completion and pending:
            if self.deferrable:
                # For all files, since what is known of the others does not outlive the deferral.
                self.defer_until_processed(waits, count_names)
            outcomes |= self.wait_here(pending)
        return self._finish(context, uploaded, outcomes, count_names)

    def _upload(
        self, context: Any, progress: Progress | None, ends_at: float | None
    ) -> list[UploadedFile]:
        """Upload the files, or find those of earlier attempts; or defer, which ends this part."""
        self.check_rendered()
        planned = self._plan_uploads(context, None if progress is None else progress.plan)
        self.link(context, "coupon-list", self.coupon_list_id)
        uploads = self._make_loop(context, planned.requests, progress, ends_at)
        uploads.progress.plan = planned.plan
        try:
            stop = uploads.run()
        finally:
            self._push(context, [each.summary() for each in uploads.progress.done])
        total = len(planned.requests)
        if stop is not None:
            self._stop_for_now(context, stop, uploads.progress, total)
        if total > 1:
            self.set_label_status(context, f"{len(uploads.progress.done)} of {total}")
        if self.wait_for_completion and self.do_xcom_push:
            # Before any waiting.
            result = self.result([each.file for each in uploads.progress.done])
            context["ti"].xcom_push(key="return_value", value=result)
        return uploads.progress.done

    def _make_loop(
        self,
        context: Any,
        requests: Sequence[UploadRequest],
        progress: Progress | None,
        ends_at: float | None,
    ) -> UploadLoop:
        from wes_provider.uploads.decision import Policy
        from wes_provider.uploads.loop import UploadLoop

        attempt = Attempt.of(context)
        policy = Policy(
            on_duplicate=self.on_duplicate,
            statuses=self.statuses,
            max_attempts=self.hook.settings.max_attempts,
            timeout=self.timeout,
            on_unknown="ask" if self.asks_in(context) else "fail",
        )
        return UploadLoop(
            self.hook,
            attempt,
            requests,
            policy,
            deferrable=self.deferrable,
            # Of the files that a task uploads by calling operators in its code, each is one of
            # several.
            single=self.single and attempt.task_id == self.task_id,
            ends_at=ends_at,
            ends_at_if_deferred=None if COUNTS_EACH_PART else ends_at,
            progress=progress,
        )

    def _stop_for_now(
        self, context: Any, stop: Ask | Defer, progress: Progress, total: int
    ) -> NoReturn:
        """
        End this part of the task before all files are uploaded: a person decides, or the rate limit
        is waited for.
        """
        from wes_provider.uploads.loop import Ask

        done = len(progress.done)
        if isinstance(stop, Ask):
            self.set_label_status(context, f"{done} of {total}, a person decides")
            self.ask(
                context,
                Question(
                    stop.about,
                    stop.subject,
                    stop.body,
                    dump_error(stop.error),
                    msgspec.to_builtins(progress),
                ),
            )
        when = datetime.fromtimestamp(stop.until, timezone.utc)
        self.set_label_status(context, f"{done} of {total}, next {when:%H:%M}")
        self._defer_until(stop.until, progress)

    def _defer_until(self, moment: float, progress: Progress) -> NoReturn:
        """Wait for the list's rate limit in the triggerer, which resumes the task."""
        from wes_provider.triggers import WesResetTrigger

        now = time.time()
        progress.deferred_until = moment - EARLY
        progress.deferred_for = max(0.0, progress.deferred_until - now)
        trigger = WesResetTrigger(
            moment=progress.deferred_until,
            seconds=progress.deferred_for,
            state=msgspec.to_builtins(progress),
        )
        timeout = timedelta(seconds=max(0.0, moment - now)) + LATE
        self.defer(trigger=trigger, method_name="execute_at_reset", timeout=timeout)

    # -- wait

    def _make_waits(
        self, uploaded: Sequence[UploadedFile], ends_at: float | None
    ) -> list[CouponFileWait]:
        deadline = earliest(time.time() + self.timeout, ends_at)
        statuses = self.statuses
        return [
            CouponFileWait(
                self.coupon_list_id,
                each.file.id,
                started=each.sent_at,
                deadline=deadline,
                poll_interval=self.poll_interval,
                statuses=statuses,
                title=each.file.title,
                advice=FIX_IT_HERE,
                # By this attempt or an earlier one: there is a file.
                outlives_refused_key=True,
            )
            for each in uploaded
        ]

    def _outcomes_known_already(
        self, waits: Sequence[CouponFileWait], uploaded: Sequence[UploadedFile]
    ) -> dict[str, Outcome]:
        """Tell which files need no wait: those that were found with a last status."""
        outcomes: dict[str, Outcome] = {}
        for wait, each in zip(waits, uploaded, strict=True):
            outcome = wait.outcome_of(each.file)
            if outcome is not None:
                outcomes[each.file.id] = outcome
        return outcomes

    def _read_pushed(self, context: Any, outcomes: Mapping[str, Outcome]) -> list[UploadedFile]:
        """Read back, after a wait in the triggerer, which files the task has uploaded."""
        from wes_provider.uploads.loop import UploadedFile

        ti = context["ti"]
        pushed = ti.xcom_pull(task_ids=ti.task_id, key=self.pushes, map_indexes=ti.map_index)
        summaries = [pushed] if isinstance(pushed, Mapping) else list(pushed or ())
        uploaded = [
            UploadedFile(
                CouponFile.from_summary(each), 0.0, from_before_clear=bool(each.get("adopted"))
            )
            for each in summaries
            if each and each["id"] in outcomes
        ]
        # An XCom backend may have lost them, and a task may push none.
        known_ids = {each.file.id for each in uploaded}
        for file_id in outcomes:
            if file_id not in known_ids:
                uploaded.append(UploadedFile(CouponFile(file_id, str(self.coupon_list_id)), 0.0))
        return uploaded

    # -- finish

    def _finish(
        self,
        context: Context,
        uploaded: Sequence[UploadedFile],
        outcomes: Mapping[str, Outcome],
        count_names: CountNames,
    ) -> Any:
        """
        Push and return what the task returns, or raise why it fails.

        :param uploaded: all files in their order.
        :param outcomes: how the waits ended that have ended, by the file's identifier.
        """
        ended = [_at_end(each, outcomes.get(each.file.id)) for each in uploaded]
        files = [each.file for each in ended]
        summaries = [each.summary() for each in ended]
        self._push_at_end(context, summaries, outcomes)
        processed = [each for each in ended if isinstance(outcomes.get(each.file.id), Done)]
        self._record_counts(processed, count_names)
        self._note_processed(context, processed)
        self.raise_failures([outcomes[file.id] for file in files if file.id in outcomes])
        # A ledger may have left all files out.
        if self.wait_for_completion and files:
            # If all have failed, which the task may allow, their counts are checked.
            counted = [each.file for each in processed] or files
            self._check_counts(counted, count_names, several=len(processed) > 1)
        assets.describe_events(self, context, self.event(summaries))
        return self.result(files)

    def _push_at_end(
        self, context: Any, summaries: list[Summary], outcomes: Mapping[str, Outcome]
    ) -> None:
        """Push the files again, if waits have shown more of them."""
        if not outcomes and summaries:
            return
        all_have_ended = len(outcomes) == len(summaries)
        if all_have_ended:
            summaries = self._add_expected_codes(context, summaries)
        self._push(context, summaries)

    def _record_counts(self, processed: Sequence[UploadedFile], count_names: CountNames) -> None:
        """Record what new files brought; those from before a clear were recorded by then."""
        new = [each.file for each in processed if not each.from_before_clear]
        if new:
            record_counts(self.coupon_list_id, count_names.read(new))

    def _note_processed(self, context: Any, processed: Sequence[UploadedFile]) -> None:
        """Remember which files were processed: a clear finds them so, even if they are archived."""
        from wes_provider.uploads.record import RecordStore

        records = RecordStore(Attempt.of(context).state_store)
        for each in processed:
            try:
                records.note_processed(each.file)
            except Exception as error:
                # The record is a hint, and the task has succeeded.
                kind = type(error).__name__
                self.log.warning(
                    "That %s is processed cannot be remembered: %s", each.file.id, kind
                )

    def _check_counts(
        self, files: Sequence[CouponFile], count_names: CountNames, *, several: bool
    ) -> None:
        if several:
            for file in files:
                text = about(
                    f"Processed: {file.counts or file.status}", self.coupon_list_id, file.title
                )
                self.log.info("%s", text)
        level, text = check_counts(files, count_names, self._expected_counts())
        self.log.log(level, "%s", text)

    def _add_expected_codes(self, context: Any, summaries: list[Summary]) -> list[Summary]:
        """Add how many codes a check has found in each file."""
        if not self._needs_storage(self._files()):
            return summaries
        from wes_provider.storage.task import with_expected_codes

        ti = context["ti"]
        plan = ti.xcom_pull(task_ids=ti.task_id, key="plan", map_indexes=ti.map_index)
        return with_expected_codes(plan, summaries)

    def _push(self, context: Any, summaries: Sequence[Summary]) -> None:
        value = self.pushed(summaries)
        if value is not None:
            context["ti"].xcom_push(key=self.pushes, value=value)


def total_counts(summaries: Sequence[Summary]) -> dict[str, int]:
    """Add up the counts of all files, by their names."""
    counts: Counter[str] = Counter()
    for summary in summaries:
        counts.update(CouponFile.from_summary(summary).counts)
    return dict(counts)


def _at_end(uploaded: UploadedFile, outcome: Outcome | None) -> UploadedFile:
    """
    Return a file as its wait has left it, with the place that it was uploaded from, which the
    service may not show.
    """
    file = uploaded.file
    at_end = file
    if isinstance(outcome, Done):
        at_end = outcome.file
    elif isinstance(outcome, Failed) and isinstance(outcome.error, WesCouponFileFailedError):
        at_end = CouponFile.from_summary(outcome.error.coupon_file or file.summary())
    file_url = file.file_url or at_end.file_url
    return msgspec.structs.replace(
        uploaded, file=msgspec.structs.replace(at_end, file_url=file_url)
    )
