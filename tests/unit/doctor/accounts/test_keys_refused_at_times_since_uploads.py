"""
If a service refuses its own key at times since an upload, and accepts it at others, the verdict is
*Not proved*, and says first that the same request was answered in two ways. The key is not *sure*,
and no setting is proposed; that holds if each second read is refused, as well as if only the
uploaded file is refused at times. The same holds if the key is forbidden to read from some moment
on; and whatever becomes of the file then, it was accepted, and is not to be uploaded again.

A key that is refused each time, at the path of the new file alone, is not *sure* either: the path
has older files, so it is right. Redirects in turn with the file are two answers, and one that stays
is none. A refusal at a path that the doctor only guessed says nothing of the key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from support.doctor_findings import UNAUTHENTICATED, ids
from support.doctor_service import FILES_PATH, Call, about, json_reply, not_found, record
from support.doctor_uploads import Uploads
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic


def is_any(_: Call) -> bool:
    """Every read."""
    return True


def is_of_file(call: Call) -> bool:
    """A read of the uploaded file."""
    return call.path.endswith("/up")


class Refused(NamedTuple):
    """Which reads are refused each second time since the upload."""

    name: str
    is_concerned: Callable[[Call], bool]


REFUSED = [Refused("all reads", is_any), Refused("the uploaded file", is_of_file)]


@dataclass
class RefusedAtTimes(Uploads):
    """An account that refuses each second of some reads since the upload."""

    is_concerned: Callable[[Call], bool] = is_any
    number: int = 0

    def answer(self, call: Call) -> Reply | None:
        is_read = call.method == "GET" and call.key == "campaign"
        if not is_read or not self.name or not self.is_concerned(call):
            return super().answer(call)
        self.number += 1
        if self.number % 2:
            return super().answer(call)
        return json_reply(401, UNAUTHENTICATED)


@pytest.mark.parametrize("row", REFUSED, ids=ids(REFUSED))
def test_a_key_that_is_refused_at_times_since_an_upload_is_said_first(row: Refused):
    report = RefusedAtTimes(is_concerned=row.is_concerned).examine()
    assert report.verdict.startswith(
        "Not proved: Campaign API key. The service gave two answers to the same request, GET "
    )
    assert about(report, Topic.CAMPAIGN_KEY).certainty is Certainty.NOT_PROVED
    assert report.changed == {}


FORBIDDEN = {"error": {"code": "forbidden", "message": "The key lacks coupons:read."}}


@dataclass
class Forbidden(Uploads):
    """An account that forbids all reads from the third one since an upload on."""

    status: int = 403
    number: int = 0

    def answer(self, call: Call) -> Reply | None:
        if call.method != "GET" or not self.name:
            return super().answer(call)
        self.number += 1
        if self.number < 3:
            return super().answer(call)
        return json_reply(self.status, FORBIDDEN)


@pytest.mark.parametrize("status", [403, 423])
def test_a_key_that_is_forbidden_to_read_on_is_not_sure(status: int):
    report = Forbidden(status=status, stages=[(0, record("up", "PENDING"))]).examine()
    key = about(report, Topic.CAMPAIGN_KEY)
    assert key.certainty is Certainty.NOT_PROVED
    assert f"accepted (200) at first, {status} forbidden since " in key.text
    assert "do not upload it again" in about(report, Topic.STATUSES).text
    assert report.changed == {}


class Elsewhere(NamedTuple):
    """Which reads of the uploaded file are redirected, by their number, and which verdict comes."""

    name: str
    is_redirected: Callable[[int], bool]
    verdict: str


IN_TURN = "Not proved: Path of one file. The service gave two answers to the same request, GET "
REDIRECTED = [
    Elsewhere("each second one", lambda number: number % 2 == 0, IN_TURN),
    Elsewhere("the third", lambda number: number == 3, IN_TURN),
    Elsewhere("all from the second one on", lambda number: number > 1, "Not proved: Statuses."),
]


@dataclass
class Redirected(Uploads):
    """An account that redirects some reads of the uploaded file to a login."""

    is_redirected: Callable[[int], bool] = bool
    number: int = 0

    def answer(self, call: Call) -> Reply | None:
        if call.method != "GET" or not is_of_file(call):
            return super().answer(call)
        self.number += 1
        if self.is_redirected(self.number):
            return Reply(302, b"", {"Location": "https://login.example.com/"})
        return super().answer(call)


@pytest.mark.parametrize("row", REDIRECTED, ids=ids(REDIRECTED))
def test_redirects_in_turn_with_the_uploaded_file_are_two_answers(row: Elsewhere):
    report = Redirected(is_redirected=row.is_redirected).examine()
    assert report.verdict.startswith(row.verdict)
    assert report.changed == {}


@dataclass
class RefusedForFile(Uploads):
    """An account that refuses the key at all paths of the uploaded file."""

    def answer(self, call: Call) -> Reply | None:
        if call.method == "GET" and is_of_file(call):
            return json_reply(401, UNAUTHENTICATED)
        return super().answer(call)


def test_a_key_that_is_refused_for_the_new_file_alone_is_not_sure():
    report = RefusedForFile().examine()
    key = about(report, Topic.CAMPAIGN_KEY)
    assert key.certainty is Certainty.NOT_PROVED
    assert f"But since the upload, GET {FILES_PATH}/up is refused (401 " in key.text
    path = about(report, Topic.FILE_PATH)
    assert "The path has an older file for the same key, so the path is right" in path.text
    assert report.changed == {}


GUESSED = f"{FILES_PATH.replace('/v1/', '/v2/')}/up"


@dataclass
class RefusedAtGuess(Uploads):
    """An account that has a new file only in the third read, and refuses all below ``/v2``."""

    number: int = 0

    def answer(self, call: Call) -> Reply | None:
        if call.path == GUESSED:
            return json_reply(401, UNAUTHENTICATED)
        if call.method == "GET" and call.path == f"{FILES_PATH}/up":
            self.number += 1
            if self.number < 3:
                return not_found("file")
        return super().answer(call)


def test_a_refusal_at_a_guessed_path_says_nothing_of_the_key():
    report = RefusedAtGuess().examine()
    assert any(probe.path == GUESSED for probe in report.probes)
    assert about(report, Topic.CAMPAIGN_KEY).certainty is Certainty.SURE
