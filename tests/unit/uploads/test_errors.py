"""
The errors by which an upload ends, each with its whole message, its reason, and whether Airflow
retries it; and the form that asks a person in place of an error.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.attempts import TaskInstance
from wes_provider.exceptions import WesError, WesServerError, WesUnknownOutcomeError
from wes_provider.models import CouponFile
from wes_provider.texts import PAGES
from wes_provider.uploads import errors
from wes_provider.uploads.identity import UploadName
from wes_provider.uploads.request import Upload, UploadRequest

UPLOAD = Upload(
    UploadRequest.of("summer", {"file_url": "https://files.example.com/a.csv"}),
    UploadName("aaaaaaaa", 3, "bbbb", "cccccc"),
)
FILE = CouponFile("f1", "summer", name="other.csv", file_url="https://files.example.com/b.csv")
LOST = WesUnknownOutcomeError("lost", reason="no response")
ATTEMPT = TaskInstance(try_number=2).attempt()
AWAY = WesServerError("503", reason="503 maintenance", status_code=503)


class Ended(NamedTuple):
    """An error, its message, and its reason: the first line if the error is given none."""

    error: WesError
    message: str
    reason: str


FOR_GOOD = {
    "uploaded before the clear, and on_duplicate is fail": Ended(
        errors.duplicate(UPLOAD, FILE),
        "Uploaded before the clear (a.csv of list summer)\n"
        "on_duplicate is 'fail': set it to 'adopt' to take coupon file f1, or to 'upload'.",
        "Uploaded before the clear (a.csv of list summer)",
    ),
    "uploaded before with another content": Ended(
        errors.other_content(UPLOAD, FILE),
        "Uploaded before with another content, as coupon file f1 (a.csv of list summer)\n"
        "To upload the new content, too, clear the task with on_duplicate='upload', or put the "
        "file under another name. To keep what was uploaded, put the earlier content back and "
        "clear the task.",
        "Uploaded before with another content, as coupon file f1",
    ),
    "a response of another upload": Ended(
        errors.response_of_another(UPLOAD, FILE),
        "the service accepted it, and replied with another file: f1, named 'other.csv', of "
        "'https://files.example.com/b.csv' (a.csv of list summer)",
        "the service accepted it, and replied with another file: f1, named 'other.csv', of "
        "'https://files.example.com/b.csv'",
    ),
}
RETRIED = {
    "the list cannot be read now": Ended(
        errors.list_unreadable(UPLOAD, AWAY),
        "Perhaps uploaded, and the list cannot be read now: 503 maintenance "
        "(a.csv of list summer)\n"
        "A retry reads it again, or a clear.",
        "Perhaps uploaded, and the list cannot be read now: 503 maintenance",
    ),
    "no request has arrived": Ended(
        errors.never_arrived(UPLOAD, LOST, 5),
        "Not uploaded in 5 attempts: no response (a.csv of list summer)\n"
        "The list does not have the file. Clear the task when the service works again.",
        "Not uploaded in 5 attempts: no response",
    ),
}


ASKS = {
    "this attempt has sent it": Ended(
        errors.unknown_outcome(UPLOAD, "it hides names", ATTEMPT, single=False, last_unknown=LOST),
        "Perhaps uploaded: it hides names (a.csv of list summer)\n"
        "Look in the service's console for a file of the list named "
        "aaaaaaaa-g3-bbbb-cccccc.csv\n"
        "Set the Airflow Variable wes_decision_aaaaaaaa_cccccc_try2\n"
        "to the file's identifier, or to absent if there is none, and clear the task. If there is "
        "one all the same, absent uploads it twice.\n"
        "The upload: no response\n"
        f"{PAGES}red-task.html#a-person-decides",
        "Perhaps uploaded: it hides names",
    ),
    "an earlier attempt perhaps sent it": Ended(
        errors.unknown_outcome(UPLOAD, "it hides names", ATTEMPT, single=False, last_unknown=None),
        "Perhaps uploaded: it hides names (a.csv of list summer)\n"
        "Look in the service's console for a file of the list whose name begins with aaaaaaaa-\n"
        "Set the Airflow Variable wes_decision_aaaaaaaa_cccccc_try2\n"
        "to the file's identifier, or to absent if there is none, and clear the task. If there is "
        "one all the same, absent uploads it twice.\n"
        f"{PAGES}red-task.html#a-person-decides",
        "Perhaps uploaded: it hides names",
    ),
}
ALL = {**FOR_GOOD, **RETRIED, **ASKS}


@pytest.mark.parametrize("row", ALL.values(), ids=ALL)
def test_an_error_says_the_cause_and_what_to_do(row: Ended):
    assert str(row.error) == row.message


@pytest.mark.parametrize("row", ALL.values(), ids=ALL)
def test_the_reason_of_an_error_is_its_cause(row: Ended):
    assert row.error.reason == row.reason


STAYS = {**FOR_GOOD, **ASKS}


@pytest.mark.parametrize("row", STAYS.values(), ids=STAYS)
def test_airflow_does_not_retry_what_another_attempt_would_not_change(row: Ended):
    assert row.error.permanent


@pytest.mark.parametrize("row", RETRIED.values(), ids=RETRIED)
def test_airflow_retries_an_upload_whose_list_or_request_may_get_through_later(row: Ended):
    assert not row.error.permanent


def test_a_form_explains_each_of_its_buttons():
    subject, body = errors.form(UPLOAD, "it hides names.", "Look there", sent_at=0.0)
    assert subject == "Is a.csv in coupon list summer?"
    assert body == (
        "Coupon file **a.csv** may have been uploaded to coupon list **summer** by an earlier "
        "attempt. It cannot be known: it hides names.\n\n"
        "Look there. A file may take a minute to appear.\n\n"
        "- *It is there*: give its identifier, and the task goes on with it.\n"
        "- *It is not there: send it*: the file is uploaded now. If it is there all the same, it "
        "is uploaded twice.\n"
        "- *Stop*: the task fails."
    )


def test_a_form_says_when_the_file_was_perhaps_sent():
    _, body = errors.form(UPLOAD, "it hides names", "Look there", sent_at=1_700_000_000.0)
    assert "at 2023-11-14 22:13:20 UTC. It cannot be known" in body
