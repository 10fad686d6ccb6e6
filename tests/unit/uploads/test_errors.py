"""The errors by which an upload ends, as a whole: the cause, then what to do, and the reason."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wes_provider.exceptions import WesError, WesServerError, WesUnknownOutcomeError
from wes_provider.models import CouponFile
from wes_provider.uploads import errors
from wes_provider.uploads.identity import UploadName
from wes_provider.uploads.request import Upload, UploadRequest

UPLOAD = Upload(
    UploadRequest.of("summer", {"file_url": "https://files.example.com/a.csv"}),
    UploadName("aaaaaaaa", 3, "bbbb", "cccccc"),
)
FILE = CouponFile("f1", "summer", name="other.csv", file_url="https://files.example.com/b.csv")
LOST = WesUnknownOutcomeError("lost", reason="no response")
AWAY = WesServerError("503", reason="503 maintenance", status_code=503)


class Ended(NamedTuple):
    """An error, its message and its reason; without a reason, that is the first line."""

    error: WesError
    message: str
    reason: str


ENDED = {
    "duplicate": Ended(
        errors.duplicate(UPLOAD, FILE),
        "Uploaded before the clear (a.csv of list summer)\n"
        "on_duplicate is 'fail': set it to 'adopt' to take coupon file f1, or to 'upload'.",
        "Uploaded before the clear (a.csv of list summer)",
    ),
    "other content": Ended(
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
    "list unreadable": Ended(
        errors.list_unreadable(UPLOAD, AWAY),
        "Perhaps uploaded, and the list cannot be read now: 503 maintenance "
        "(a.csv of list summer)\n"
        "A retry reads it again, or a clear.",
        "Perhaps uploaded, and the list cannot be read now: 503 maintenance",
    ),
    "never arrived": Ended(
        errors.never_arrived(UPLOAD, LOST, 5),
        "Not uploaded in 5 attempts: no response (a.csv of list summer)\n"
        "The list does not have the file. Clear the task when the service works again.",
        "Not uploaded in 5 attempts: no response",
    ),
}


@pytest.mark.parametrize("ended", ENDED.values(), ids=ENDED)
def test_an_error_says_the_cause_and_what_to_do(ended: Ended):
    assert str(ended.error).startswith(ended.message)
    assert ended.error.reason == ended.reason


def test_airflow_retries_an_upload_whose_list_cannot_be_read_now():
    assert not errors.list_unreadable(UPLOAD, AWAY).permanent


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
