"""The errors by which an upload ends, as a person reads them: the cause first, then what to do."""

from __future__ import annotations

from datetime import datetime, timezone

from wes_provider.attempt import Attempt
from wes_provider.exceptions import (
    WesConnectionError,
    WesDuplicateError,
    WesError,
    WesUnknownOutcomeError,
)
from wes_provider.models import CouponFile
from wes_provider.texts import PAGES, shown
from wes_provider.uploads.request import Upload


def duplicate(upload: Upload, file: CouponFile) -> WesDuplicateError:
    """Make the error of a file of before the clear, with ``on_duplicate="fail"``."""
    return WesDuplicateError(
        f"{upload.about('Uploaded before the clear')}\n"
        f"on_duplicate is 'fail': set it to 'adopt' to take coupon file {file.id}, or to 'upload'."
    )


def other_content(upload: Upload, file: CouponFile) -> WesDuplicateError:
    """Make the error of a file whose content has changed since it was uploaded."""
    reason = f"Uploaded before with another content, as coupon file {file.id}"
    return WesDuplicateError(
        f"{upload.about(reason)}\n"
        "To upload the new content, too, clear the task with on_duplicate='upload', or put the "
        "file under another name. To keep what was uploaded, put the earlier content back and "
        "clear the task.",
        reason=reason,
    )


def response_of_another(upload: Upload, file: CouponFile) -> WesUnknownOutcomeError:
    """Make the error of a success whose response describes another upload."""
    reason = (
        f"the service accepted it, and replied with another file: {file.id}, named "
        f"{shown(file.name)}, of {shown(file.file_url)}"
    )
    return WesUnknownOutcomeError(upload.about(reason), reason=reason, status_code=201)


def list_unreadable(upload: Upload, error: WesError) -> WesUnknownOutcomeError:
    """Make the error of a list that cannot be read now, which Airflow retries."""
    reason = f"Perhaps uploaded, and the list cannot be read now: {error.reason}"
    text = f"{upload.about(reason)}\nA retry reads it again, or a clear."
    return WesUnknownOutcomeError(text, permanent=False, reason=reason)


def worth_a_retry(upload: Upload, what: str, error: WesError) -> WesError:
    """
    Make an error that Airflow retries of one that it would not, such as that of a refused key.

    :param what: cannot be read.
    """
    if not error.permanent:
        return error
    reason = f"{what} cannot be read now: {error.reason}"
    text = f"{upload.about(reason)}\nA retry reads it again, or a clear."
    return WesUnknownOutcomeError(text, permanent=False, reason=reason)


def never_arrived(
    upload: Upload, error: WesUnknownOutcomeError, requests: int
) -> WesConnectionError:
    """Make the error of requests that all got no response and, as the list shows, no effect."""
    reason = f"Not uploaded in {requests} attempts: {error.reason}"
    advice = "The list does not have the file. Clear the task when the service works again."
    return WesConnectionError(f"{upload.about(reason)}\n{advice}", reason=reason)


def unknown_outcome(
    upload: Upload,
    why: str,
    attempt: Attempt,
    *,
    single: bool,
    last_unknown: WesUnknownOutcomeError | None,
) -> WesUnknownOutcomeError:
    """
    Make the error that asks a person.

    :param why: the list does not settle it.
    :param single: whether the task has a single file, which may have another URL in each attempt.
    :param last_unknown: the outcome of this attempt's last request; ``None`` if it has sent none.
    """
    reason = f"Perhaps uploaded: {why}"
    lines = [
        upload.about(reason),
        where_to_look(upload, single=single, sent_now=last_unknown is not None),
        f"Set the Airflow Variable {attempt.decision_variable(upload.name.subject)}",
        "to the file's identifier, or to absent if there is none, and clear the task. If there is "
        "one all the same, absent uploads it twice.",
    ]
    if last_unknown is not None:
        lines.append(f"The upload: {last_unknown.reason}")
    lines.append(f"{PAGES}red-task.html#a-person-decides")
    return WesUnknownOutcomeError("\n".join(lines), reason=reason)


def where_to_look(upload: Upload, *, single: bool, sent_now: bool) -> str:
    """
    Tell a person where to look for a file that was perhaps uploaded.

    :param sent_now: whether this attempt has sent it.
    """
    name = _describe_name(upload, single=single, sent_now=sent_now)
    return f"Look in the service's console for a file of the list {name}"


def form(upload: Upload, why: str, look: str, sent_at: float) -> tuple[str, str]:
    """
    Make the subject and the body, Markdown, of the form that asks a person.

    :param why: the list does not settle it.
    :param look: from :func:`where_to_look`.
    :param sent_at: when the file was perhaps sent, epoch seconds; 0 if that is not known.
    """
    when = "by an earlier attempt"
    if sent_at:
        when = f"at {datetime.fromtimestamp(sent_at, timezone.utc):%Y-%m-%d %H:%M:%S} UTC"
    title = upload.request.title
    list_id = upload.request.coupon_list_id
    body = (
        f"Coupon file **{title}** may have been uploaded to coupon list **{list_id}** {when}. "
        f"It cannot be known: {why.rstrip('.')}.\n\n"
        f"{look}. A file may take a minute to appear.\n\n"
        "- *It is there*: give its identifier, and the task goes on with it.\n"
        "- *It is not there: send it*: the file is uploaded now. If it is there all the same, it "
        "is uploaded twice.\n"
        "- *Stop*: the task fails."
    )
    return f"Is {title} in coupon list {list_id}?", body


def _describe_name(upload: Upload, *, single: bool, sent_now: bool) -> str:
    if upload.request.given_name or sent_now:
        return f"named {upload.sent_name}"
    # It may have been sent by any task and try of the run.
    beginning = f"whose name begins with {upload.name.hash}-"
    if single:
        # Its URL, and so the hash, may have been another one.
        return f"{beginning} or contains -{upload.name.origin}"
    return beginning
