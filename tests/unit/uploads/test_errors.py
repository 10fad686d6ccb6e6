"""
The errors by which an upload ends, each with its whole message, its reason, and whether Airflow
retries it; and the form that asks a person in place of an error. That a list cannot be read now
means that the next attempt may read it, as after a lost response, a 503 or a refused key (401); if
the service refuses to show it, as with 403 or 404, a person is asked.
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
    "uploaded before with another content, as the checks of both contents show": Ended(
        errors.other_content(UPLOAD, FILE),
        "Uploaded before with another content, as coupon file f1 (a.csv of list summer)\n"
        "To upload the new content, too, clear the task with on_duplicate='upload', or put the "
        "file under another name. To keep what was uploaded, put the earlier content back and "
        "clear the task.",
        "Uploaded before with another content, as coupon file f1",
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
    "the service replied with another file": Ended(
        errors.unknown_outcome(
            UPLOAD,
            "it hides names",
            ATTEMPT,
            single=False,
            last_unknown=errors.response_of_another(UPLOAD, FILE),
        ),
        "Perhaps uploaded: it hides names (a.csv of list summer)\n"
        "Look in the service's console for a file of the list named "
        "aaaaaaaa-g3-bbbb-cccccc.csv\n"
        "Set the Airflow Variable wes_decision_aaaaaaaa_cccccc_try2\n"
        "to the file's identifier, or to absent if there is none, and clear the task. If there is "
        "one all the same, absent uploads it twice.\n"
        "The upload: the service accepted it, and replied with another file: f1, named "
        "'other.csv', of 'https://files.example.com/b.csv'\n"
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


def test_a_response_of_another_upload_means_that_the_service_accepted_this_one():
    """No upload ends by it: the list and a person decide, as after a 201 without an identifier."""
    assert errors.response_of_another(UPLOAD, FILE).status_code == 201


class Look(NamedTuple):
    """An upload, and by which name a person is to look for its file."""

    upload: Upload
    by: str
    single: bool = False
    sent_now: bool = False


NAMED = Upload(
    UploadRequest.of("summer", {"file_url": "https://files.example.com/a.csv", "name": "sale.csv"}),
    UPLOAD.name,
)
LOOKS = {
    "sent by this attempt": Look(UPLOAD, "named aaaaaaaa-g3-bbbb-cccccc.csv", sent_now=True),
    "sent by an earlier attempt": Look(UPLOAD, "whose name begins with aaaaaaaa-"),
    "the only file of its task, sent by this attempt": Look(
        UPLOAD, "named aaaaaaaa-g3-bbbb-cccccc.csv", single=True, sent_now=True
    ),
    "the only file of its task, sent by an earlier attempt, perhaps from another URL": Look(
        UPLOAD, "whose name begins with aaaaaaaa- or contains -cccccc", single=True
    ),
    "under a name that the user gives, sent by an earlier attempt": Look(
        NAMED, "named sale.csv", single=True
    ),
}


@pytest.mark.parametrize("row", LOOKS.values(), ids=LOOKS)
def test_a_person_looks_for_a_file_by_what_of_its_name_is_known(row: Look):
    text = errors.where_to_look(row.upload, single=row.single, sent_now=row.sent_now)
    assert text == f"Look in the service's console for a file of the list {row.by}"


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
