"""What the path of one file replies while a file is processed, and what tasks make of it. Pure."""

from __future__ import annotations

from wes_provider.coupon_files import Statuses
from wes_provider.doctor.conclusions.unseen_uploads import NOT_AGAIN
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads.since_upload import what_came
from wes_provider.doctor.reads.task_waits import Ending
from wes_provider.doctor.replies.probes import Kind, Probe
from wes_provider.doctor.writes.upload import Followed, ending_of_wait, is_answered_without_file
from wes_provider.exceptions import WesError
from wes_provider.texts import redact_url

__all__ = ["conclude_on_polls"]


def conclude_on_polls(followed: Followed, statuses: Statuses) -> list[Finding]:
    """Conclude on what the file's own path replied before it had the file; on nothing if it had."""
    ending = ending_of_wait(followed, statuses)
    if ending is not None:
        return [_reply_that_ends_waits(followed, ending)]
    if is_answered_without_file(followed) and followed.places.odd_file is None:
        return [_reply_that_tasks_bear(followed)]
    return []


def _reply_that_ends_waits(followed: Followed, ending: Ending) -> Finding:
    """Tell what to do about a reply that ends a task's wait for a file on its way."""
    reply = ending.reply
    says = f"While a file is processed, its path replies {_came(reply)}"
    again = ""
    if not followed.places.file_path:
        waited = f"{followed.waited:.0f} s since the upload"
        says = f"It has older files, but for {waited}, it replied {_came(reply)}"
        again = f" {NOT_AGAIN}"
    return Finding(
        topic=Topic.FILE_PATH,
        certainty=Certainty.WRONG,
        text=(
            f"{says}. A task fails at that{_whether_retried(ending.error)}. No setting helps: ask "
            f"the service's support for a 200 with the status while a file is on its way.{again}"
        ),
        probes=(reply,),
    )


def _reply_that_tasks_bear(followed: Followed) -> Finding:
    """Tell what holds if tasks bear what the path replied until the doctor stopped."""
    last = followed.replies_of_own_path[-1]
    return Finding(
        topic=Topic.FILE_PATH,
        certainty=Certainty.NOT_PROVED,
        text=(
            f"It has older files, so it is right, but {last.sent} still got {_came(last)} "
            f"{followed.waited:.0f} s after the upload. Tasks bear that and poll on, until their "
            "timeout: look in the service's dashboard what becomes of the file. --timeout gives "
            f"the next upload more time. {NOT_AGAIN}"
        ),
        probes=(last,),
    )


def _came(reply: Probe) -> str:
    """Tell what came in place of the file, such as ``409 file-busy: 'It is locked'``."""
    if reply.kind is Kind.ELSEWHERE:
        return f"{reply.status} to {redact_url(reply.location)}"
    return what_came(reply)


def _whether_retried(error: WesError) -> str:
    """Tell whether Airflow tries a task again that has failed with an error."""
    if error.permanent:
        return ", and Airflow does not retry it"
    return "; with retries, the next try waits on"
