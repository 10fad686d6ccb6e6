"""The way that the two operators that upload share: upload, wait, finish."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec

from wes_provider import assets
from wes_provider.exceptions import WesCouponFileFailedError
from wes_provider.models import CouponFile
from wes_provider.operators.upload_base import UploadBase, needs_storage
from wes_provider.polling import CouponFileWait, Done, Failed, Outcome, check_coupons_added
from wes_provider.retry_policy import explained_errors
from wes_provider.texts import about
from wes_provider.waiting import load_outcomes

if TYPE_CHECKING:
    from airflow.sdk import Context

    from wes_provider.uploads.uploads import Progress, Uploaded

__all__ = ["UploadTask"]

# Seconds before the send time that a deferred task is resumed, so as to be in time.
EARLY: Final = 5.0
# After which Airflow fails a deferred task that no triggerer has resumed.
LATE: Final = timedelta(hours=1)
FIX_IT_HERE: Final = "Fix the file, then clear this task: it uploads the file again."


class UploadTask(UploadBase):
    """
    The way of both operators: upload, wait, finish.

    Airflow begins a task in ``execute``, and resumes it in ``execute_at_reset`` after a wait for
    the rate limit, and in ``execute_complete`` after a wait for the files.
    """

    pushes: ClassVar[str]
    """The XCom that has the file, or all files."""

    def _raise_failures(self, outcomes: Sequence[Outcome]) -> None:
        """Raise what files that did not succeed mean for the task."""
        for outcome in outcomes:
            if isinstance(outcome, Failed):
                raise outcome.error

    @explained_errors()
    def execute(self, context: Context) -> Any:
        """
        Upload what no earlier attempt has uploaded; then wait until it is processed, if asked to.
        """
        return self._run(context, None)

    @explained_errors()
    def execute_at_reset(self, context: Context, event: Any = None) -> Any:
        """Resumed when the list's rate limit allows the next upload."""
        from wes_provider.uploads.uploads import Progress

        return self._run(context, msgspec.convert(event["state"], Progress))

    @explained_errors()
    def execute_complete(self, context: Context, event: Any = None) -> Any:
        """Resumed by the trigger, when all waits are over."""
        outcomes = load_outcomes(event, FIX_IT_HERE)
        ti = context["ti"]
        pushed = ti.xcom_pull(task_ids=ti.task_id, key=self.pushes, map_indexes=ti.map_index)
        known = {
            each["id"]: CouponFile.from_summary(each)
            for each in ([pushed] if self.single else pushed) or ()
            if each
        }
        files = {file_id: file for file_id, file in known.items() if file_id in outcomes}
        for file_id in outcomes:
            files.setdefault(file_id, CouponFile(file_id, str(self.coupon_list_id)))
        return self._finish(context, list(files.values()), outcomes)

    def _run(self, context: Context, progress: Progress | None) -> Any:
        uploaded = self._upload(context, progress)
        waits = self._waits(context, uploaded)
        outcomes: dict[str, Outcome] = {}
        for wait, each in zip(waits, uploaded, strict=True):
            if (outcome := wait.outcome_of(each.file)) is not None:
                outcomes[each.file.id] = outcome
        pending = [wait for wait in waits if wait.coupon_file_id not in outcomes]
        if self.wait_for_completion and pending:
            if self.deferrable:
                # All: what is known of the others does not outlive the deferral.
                self.defer_until_processed(waits)
            outcomes |= self.wait_here(pending)
        return self._finish(context, [each.file for each in uploaded], outcomes)

    def _upload(self, context: Any, progress: Progress | None) -> list[Uploaded]:
        """
        Upload the files, or find those of earlier attempts; ends this part of the task if it has to
        defer.
        """
        from wes_provider.uploads.uploads import Uploads

        self.check_rendered()
        requests, plan = self._prepare(context, progress)
        self.link(context, "coupon-list", self.coupon_list_id)
        uploads = Uploads(
            self.hook,
            context,
            requests,
            on_duplicate=self.on_duplicate,
            statuses=self.statuses,
            deferrable=self.deferrable,
            timeout=self.timeout,
            # Of the files that a task uploads by calling operators in its code, each is one of
            # several.
            single=self.single and context["ti"].task_id == self.task_id,
            progress=progress,
        )
        uploads.progress.plan = plan
        try:
            moment = uploads.run()
        finally:
            self._push(context, [each.file.summary() for each in uploads.progress.done])
        if moment is not None:
            defer_until(self, moment, uploads.progress)
        if self.wait_for_completion and self.do_xcom_push:  # before any waiting
            context["ti"].xcom_push(
                key="return_value", value=self._ids([each.file for each in uploads.progress.done])
            )
        return uploads.progress.done

    def _waits(self, context: Any, uploaded: Sequence[Uploaded]) -> list[CouponFileWait]:
        deadline = self.deadline(context, time.time(), self.timeout)
        return [
            CouponFileWait(
                self.coupon_list_id,
                each.file.id,
                started=each.sent_at,
                deadline=deadline,
                poll_interval=self.poll_interval,
                statuses=self.statuses,
                title=each.file.title,
                advice=FIX_IT_HERE,
            )
            for each in uploaded
        ]

    def _finish(
        self, context: Context, files: Sequence[CouponFile], outcomes: Mapping[str, Outcome]
    ) -> Any:
        """
        What the task returns, or raises.

        :param files: all files in their order, as they were uploaded.
        :param outcomes: how the waits ended that have ended, by the file's identifier.
        """
        final = [_ended(outcomes.get(file.id), file) for file in files]
        summaries = [file.summary() for file in final]
        if len(outcomes) == len(final) and needs_storage(self, self._files()):
            from wes_provider.storage.task import with_expected_codes

            ti = context["ti"]
            plan = ti.xcom_pull(task_ids=ti.task_id, key="plan", map_indexes=ti.map_index)
            summaries = with_expected_codes(plan, summaries)
        if outcomes:
            self._push(context, summaries)
        self._raise_failures([outcomes[file.id] for file in files if file.id in outcomes])
        if self.wait_for_completion and final:  # a ledger may have left all files out
            done = [file for file in final if isinstance(outcomes.get(file.id), Done)]
            for file in done if len(done) > 1 else ():
                self.log.info(
                    "%s",
                    about(
                        f"Processed: {file.counts or file.status}", self.coupon_list_id, file.title
                    ),
                )
            names = self.hook.settings.count_names
            level, text = check_coupons_added(done or final, names, self.min_coupons_added)
            self.log.log(level, "%s", text)
        assets.describe_events(self, context, self._event(final))
        return self._ids(final)

    def _push(self, context: Any, files: Sequence[dict[str, Any]]) -> None:
        if files or not self.single:
            context["ti"].xcom_push(key=self.pushes, value=files[0] if self.single else list(files))

    def _event(self, files: Sequence[CouponFile]) -> dict[str, Any]:
        """
        What an asset's event says: which files were uploaded, and what all of them together
        brought.
        """
        counts: Counter[str] = Counter()
        for file in files:
            counts.update(file.counts)
        return {
            "coupon_list_id": str(self.coupon_list_id),
            "coupon_file_ids": [file.id for file in files],
            **counts,
        }

    def _ids(self, files: Sequence[CouponFile]) -> Any:
        return files[0].id if self.single else [file.id for file in files]


def defer_until(task: UploadTask, moment: float, progress: Progress) -> None:
    """
    Have a task wait for its list's rate limit in the triggerer, which resumes it with its progress.
    """
    from wes_provider.triggers import WesResetTrigger

    trigger = WesResetTrigger(moment=moment - EARLY, state=msgspec.to_builtins(progress))
    seconds = max(0.0, moment - time.time())
    task.defer(
        trigger=trigger, method_name="execute_at_reset", timeout=timedelta(seconds=seconds) + LATE
    )


def _ended(outcome: Outcome | None, file: CouponFile) -> CouponFile:
    """
    A file as its wait has left it, with the place that it was uploaded from, which the service may
    not show.
    """
    ended = file
    if isinstance(outcome, Done):
        ended = outcome.file
    elif isinstance(outcome, Failed) and isinstance(outcome.error, WesCouponFileFailedError):
        ended = CouponFile.from_summary(outcome.error.coupon_file or file.summary())
    return msgspec.structs.replace(ended, file_url=file.file_url or ended.file_url)
