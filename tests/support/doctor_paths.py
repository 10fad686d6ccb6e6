"""
Reads of a list and of its files at some path, and rows of what is concluded on a path.

Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from support.doctor_findings import NOT_FOUND, Said, again, at_path, by_status, nowhere, one_file
from support.doctor_replies import SETTINGS, error_body, evidence_of, reply, request_for
from support.doctor_service import record
from wes_provider import contract
from wes_provider.doctor.conclusions.list_conclusions import list_path
from wes_provider.doctor.conclusions.path_conclusions import file_path
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence, Places
from wes_provider.doctor.replies.probes import Probe, Question
from wes_provider.settings import WesSettings

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_SHOWN, SURE = Certainty.NOT_SHOWN, Certainty.SURE

GIVEN = contract.COUPON_FILES_PATH
GIVEN_FILE = contract.COUPON_FILE_PATH
OTHER = "/v1/coupon-list/{coupon_list_id}/coupon-files"
OTHER_FILE = "/v1/coupon-files/{coupon_file_id}"
LARGE = f"{GIVEN}?limit=1000"
STRANGE = error_body("teapot", "Moon phase is unfavourable.")
NO_SCOPE = error_body("not-found", "Nothing here that your permissions show.")
WRAPPED = 'x({"a": 1});'

# Two files of the list spring, which is read: they name a list as theirs, or none.
NAMING_SPRING = [record("f1", coupons_list_id="spring"), record("f2", coupons_list_id="spring")]
NAMING_NO_LIST = [{"_id": "f1", "status": "SUCCESS"}, {"_id": "f2", "status": "SUCCESS"}]
NAMING_OTHERS = [record("f1", coupons_list_id="winter"), record("f2", coupons_list_id="autumn")]
NAMING_SPRING_AND_WINTER = [
    record("f1", coupons_list_id="spring"),
    record("f2", coupons_list_id="winter"),
]
F1 = record("f1")
WITHOUT_ID = [{"id": "f1", "name": "a.csv"}]


class PathCase(NamedTuple):
    """
    Replies, and what is said of a path.

    :ivar path: that is proposed; empty for none. It is a guess unless the finding is certain.
    :ivar uploaded: the file that was uploaded; empty for none.
    """

    name: str
    probes: Sequence[Probe]
    said: Said
    path: str = ""
    uploaded: str = ""
    not_asked: Mapping[Question, str] = {}
    list_id: str = "spring"
    settings: WesSettings = SETTINGS

    @property
    def evidence(self) -> Evidence:
        """What is known after the replies."""
        return evidence_of(
            *self.probes,
            not_asked=self.not_asked,
            list_id=self.list_id,
            settings=self.settings,
        )

    @property
    def tried(self) -> Places:
        """The paths that were tried."""
        tried = facts.places(self.evidence)
        if self.uploaded:
            return Places(tried.lists, tried.files, self.uploaded, self.uploaded)
        return tried


def check_list(row: PathCase) -> None:
    """The finding about the path of lists says what the row says, word for word."""
    finding = list_path(row.evidence, row.tried)
    assert finding.topic is Topic.LIST_PATH
    _check(row, finding, "paths.coupon_files")


def check_file(row: PathCase) -> None:
    """The finding about the path of one file says what the row says, word for word."""
    finding = file_path(row.evidence, row.tried)
    assert finding.topic is Topic.FILE_PATH
    _check(row, finding, "paths.coupon_file")


def _check(row: PathCase, finding: Finding, setting: str) -> None:
    assert Said.of(finding) == row.said
    proposed = {}
    if row.path:
        proposed = {setting: row.path}
    if finding.certainty in (SURE, WRONG):
        assert (finding.settings, finding.guesses) == (proposed, {})
    else:
        assert (finding.settings, finding.guesses) == ({}, proposed)


def given_list(status: int, content: Any = None, **more: Any) -> Probe:
    """The first read of the list at the path of the contract."""
    return reply(status, by_status(status, content), **{"tried": GIVEN, **more})


def given_list_twice(status: int, content: Any = None, **more: Any) -> list[Probe]:
    """Two reads of the list at the path of the contract, which get the same."""
    content = by_status(status, content)
    return [given_list(status, content, **more), again(status, content, **more)]


def list_elsewhere(status: int, content: Any = None, path: str = OTHER, **more: Any) -> Probe:
    """A read of the list at another path."""
    return at_path(path, status, by_status(status, content), **more)


def larger_page(status: int, content: Any, path: str = LARGE, **more: Any) -> Probe:
    """A read of the list with the size of a page in the query: 1000, if no path is given."""
    return at_path(path, status, content, Question.WHOLE_LIST, **more)


def list_moved(location: str, content: Any = b"", status: int = 301) -> Probe:
    """A read of the list that is redirected."""
    return reply(status, content, {"location": location})


def without_sesame(text: str) -> str:
    """Take the secret sesame out of a text, as the doctor takes keys out."""
    return text.replace("sesame", "***")


def once_more(probe: Probe) -> Probe:
    """The same request once more, with the same reply."""
    return reply(
        probe.status,
        probe.text,
        probe.response.headers,
        question=Question.AGAIN,
        request=probe.request,
    )


def other_list(status: int, content: Any, name: str = "winter", **more: Any) -> Probe:
    """A read of the list winter, or of another name."""
    request = request_for(Question.LIST, list_id=name)
    return reply(status, content, question=Question.OTHER_LIST, request=request, **more)


def file_elsewhere(status: int, content: Any = None, **more: Any) -> Probe:
    """A read of the file f1 at another path."""
    return at_path(OTHER_FILE, status, by_status(status, content), Question.FILE_PATH, **more)


def given_file(status: int, content: Any = None, file_id: str = "f1", **more: Any) -> Probe:
    """A read of one file at the path of the contract."""
    request = request_for(Question.FILE_PATH, file_id=file_id)
    return one_file(status, by_status(status, content), request=request, tried=GIVEN_FILE, **more)


def guessed(status: int = 404, content: Any = NOT_FOUND, **more: Any) -> Probe:
    """A read of a made-up file, as no file is known, at the path of the contract."""
    return given_file(status, content, MADE_UP, **more)


# A list with the files f1 and f2, and 404 for a path that does not exist.
LIST_WITH_F1 = [given_list(200, NAMING_SPRING), nowhere()]
