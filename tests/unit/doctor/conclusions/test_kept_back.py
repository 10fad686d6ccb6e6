"""
An upload is kept back, and not advised, if reads show that its file could not be followed: the list
is redirected to another path of the address, is in a form that the provider cannot read, or has
records without identifiers of files or with odd statuses; or that the list is closed, by a state
beside its files or by the words of an error.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import FILES, again, at_path, ids, listed, made_up, nowhere
from support.doctor_replies import error_body, evidence_of
from support.doctor_service import record
from wes_provider.contract import COUPON_FILE_PATH as FILE_PATH
from wes_provider.doctor.conclusions.kept_back import is_upload_advised, why_not_sent
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Question

NUMBERED = [record("f1", 7)]  # type: ignore[arg-type]
CSV = {"content-type": "text/csv"}
TEXT = {"content-type": "text/plain"}


def read(status: int, content: Any, **more: Any) -> Evidence:
    """A list that is read twice, where other paths reply as the service does."""
    return evidence_of(
        listed(status, content, **more), again(status, content, **more), nowhere(404), made_up(401)
    )


class Followed(NamedTuple):
    """What is known of a list, the beginning of why no upload is sent, and whether one is advised."""

    name: str
    evidence: Evidence
    why: str
    is_advised: bool


ROWS = [
    Followed("files", read(200, FILES), "", True),
    Followed("no file", read(200, []), "", True),
    Followed(
        "CSV", read(200, b"_id,name\nf1,a\n", headers=CSV), "the list cannot be read, so an", False
    ),
    Followed("a text that says empty", read(200, b"No files found.", headers=TEXT), "", True),
    Followed(
        "JSON that is cut", read(200, b'[{"_id": "f1",'), "the list cannot be read, so an", False
    ),
    Followed(
        "a redirect to another path",
        read(302, b"", headers={"location": "https://api.example.com/sorry?why=later"}),
        "the list's path, which uploads go to as well, is redirected",
        False,
    ),
    Followed(
        "records without _id",
        read(200, [{"id": "f1", "status": "SUCCESS"}]),
        "the provider cannot read the list's records",
        False,
    ),
    Followed(
        "one identifier for several files",
        read(200, [record("x", name=name, file_url=f"https://a.example/{name}") for name in "ab"]),
        "the list has no identifiers of files",
        False,
    ),
    Followed(
        "a file whose status is a number",
        evidence_of(
            listed(200, NUMBERED),
            nowhere(404),
            at_path(FILE_PATH, content=NUMBERED[0], question=Question.FILE_PATH),
            made_up(401),
        ),
        "files have status 7",
        False,
    ),
    Followed(
        "a closed list",
        read(200, {"status": "ARCHIVED", "data": FILES}),
        "the list's reply has status: ARCHIVED: name a list that takes files",
        False,
    ),
    Followed(
        "an error of a list that is archived",
        read(409, error_body("list-archived", "Coupon list spring is archived. Restore it first.")),
        "the service says that the list takes no files: name another one",
        False,
    ),
    Followed(
        "an error of a list that is locked",
        read(423, error_body("x", "The list is locked.")),
        "the service says that the list takes no files: name another one",
        False,
    ),
    Followed("an error of a list", read(409, error_body("x", "The list has drafts.")), "", True),
    Followed(
        "an error of an account", read(409, error_body("x", "The account is closed.")), "", True
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_an_upload_is_sent_and_advised_if_its_file_could_be_followed(row: Followed):
    why = why_not_sent(row.evidence)
    assert why.startswith(row.why)
    assert bool(why) is bool(row.why)
    assert is_upload_advised(row.evidence) is row.is_advised
