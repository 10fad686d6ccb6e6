"""
What follows from replies for the paths of lists, of files and of uploads, and for records.

Nowhere is short for a path that does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    LIST_AT,
    NOT_FOUND,
    PAGE,
    Said,
    again,
    at_path,
    ids,
    made_up,
    made_up_list,
    nowhere,
    numbers_of,
    one_file,
    redirected,
    segment,
)
from support.doctor_replies import SETTINGS, changed, error, evidence_of, reply, request_for
from support.doctor_service import record
from wes_provider import contract
from wes_provider.doctor import facts
from wes_provider.doctor.evidence import MADE_UP, Evidence, Places, list_at
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.list_conclusions import list_path, records
from wes_provider.doctor.path_conclusions import file_path, upload_path
from wes_provider.doctor.probes import Probe, Question

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_ASKED, SURE = Certainty.NOT_ASKED, Certainty.SURE

GIVEN = contract.COUPON_FILES_PATH
GIVEN_FILE = contract.COUPON_FILE_PATH
OTHER = "/v1/coupon-list/{coupon_list_id}/coupon-files"
OTHER_FILE = "/v1/coupon-files/{coupon_file_id}"
LARGE = f"{GIVEN}?limit=1000"
WITH_LIMIT = changed(coupon_files_path=f"{GIVEN}?limit=30")
JSON = {"content-type": "application/json"}
STRANGE = error("teapot", "Moon phase is unfavourable.")
NO_SCOPE = error("not-found", "Nothing here that your permissions show.")
STAGE = {"message": "Missing Authentication Token"}
SPRING = [{"_id": "f1", "status": "SUCCESS"}, {"_id": "f2", "status": "SUCCESS"}]
OWN_FILES = [record("f1", coupons_list_id="spring"), record("f2", coupons_list_id="spring")]
WINTER = [record("f1", coupons_list_id="winter"), record("f2", coupons_list_id="autumn")]
MIXED = [record("f1", coupons_list_id="spring"), record("f2", coupons_list_id="winter")]
F3 = record("f3")
ODD = [{"id": "f1", "name": "a.csv"}]
READ_OF_ESCAPED_LIST = request_for(Question.LIST, list_id="spring/sale")
PART = {"data": SPRING, "total": 9}
CALLED_JSON = {"headers": JSON}


class Case(NamedTuple):
    """
    Replies, and what is said of a path.

    :ivar path: that is proposed; empty for none. It is a guess unless the finding is certain.
    """

    name: str
    probes: Sequence[Probe]
    said: Said
    path: str = ""
    uploaded: str = ""
    not_asked: Mapping[Question, str] = {}
    list_id: str = "spring"
    settings: Any = SETTINGS

    @property
    def evidence(self) -> Evidence:
        return evidence_of(
            *self.probes,
            not_asked=self.not_asked,
            list_id=self.list_id,
            settings=self.settings,
        )

    @property
    def tried(self) -> Places:
        tried = facts.places(self.evidence)
        if self.uploaded:
            return Places(tried.lists, tried.files, self.uploaded, self.uploaded)
        return tried


def check(row: Case, finding: Finding, setting: str) -> None:
    """Compare a finding with a row."""
    assert Said.of(finding) == row.said
    proposed = {}
    if row.path:
        proposed = {setting: row.path}
    if finding.certainty in (SURE, WRONG):
        assert (finding.settings, finding.guesses) == (proposed, {})
    else:
        assert (finding.settings, finding.guesses) == ({}, proposed)


def given_list(status: int = 200, content: Any = OWN_FILES, **more: Any) -> Probe:
    """The read of the list at the path of the contract."""
    return reply(status, content, **{"tried": GIVEN, **more})


def there(status: int = 200, content: Any = OWN_FILES, path: str = OTHER, **more: Any) -> Probe:
    return at_path(path, status, content, **more)


def larger(status: int = 200, content: Any = b"", path: str = LARGE, **more: Any) -> Probe:
    return at_path(path, status, content, Question.WHOLE_LIST, **more)


def twice(status: int = 200, content: Any = OWN_FILES, **more: Any) -> list[Probe]:
    return [given_list(status, content, **more), again(status, content, **more)]


def once_more(probe: Probe) -> Probe:
    """The same request once more, with the same reply."""
    return reply(
        probe.status,
        probe.text,
        probe.response.headers,
        question=Question.AGAIN,
        request=probe.request,
    )


def other_list(status: int = 200, content: Any = b"", name: str = "winter", **more: Any) -> Probe:
    request = request_for(Question.LIST, list_id=name)
    return reply(status, content, question=Question.OTHER_LIST, request=request, **more)


# -- lists -----------------------------------------------------------------------------------------


def check_list(row: Case) -> None:
    """The finding about the path of lists says what the row says, word for word."""
    finding = list_path(row.evidence, row.tried)
    assert finding.topic is Topic.LIST_PATH
    check(row, finding, "paths.coupon_files")


COMPARED = [nowhere(), made_up_list()]
WITH_FILES = [
    Case("files", [*twice(), *COMPARED], Said(SURE, "It has 2 files."), GIVEN),
    Case("one file", [*twice(200, OWN_FILES[:1]), *COMPARED], Said(SURE, "It has 1 file."), GIVEN),
    Case(
        "the uploaded file", twice(), Said(SURE, "It has the uploaded file."), GIVEN, uploaded="f1"
    ),
    Case(
        "the uploaded file, and nowhere was not read",
        twice(),
        Said(SURE, "It has the uploaded file."),
        GIVEN,
        uploaded="f2",
    ),
    Case(
        "files, all of page 1 of 1",
        [*twice(200, {"data": OWN_FILES, "page": 1, "pages": 1, "total": 2}), *COMPARED],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    Case(
        "a file that cannot be read",
        [*twice(200, [record("f1"), {"_id": "f2", "status": 7}]), *COMPARED],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    Case(
        "odd records",
        [*twice(200, ODD), *COMPARED],
        Said(SURE, "It has 1 object: see Records."),
        GIVEN,
    ),
    Case(
        "odd records at another path",
        [*twice(404), there(200, [{"_id": "f1", "status": "NEW"}, {"id": "f2"}]), *COMPARED],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-list/{coupon_list_id}/coupon-files: settle Records first.",
        ),
    ),
]


@pytest.mark.parametrize("row", WITH_FILES, ids=ids(WITH_FILES))
def test_a_path_with_files_of_the_list(row: Case):
    check_list(row)


COMPARED_WITH_NOWHERE = [
    Case(
        "files, and nowhere files",
        [*twice(), nowhere(200, OWN_FILES), made_up_list()],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    Case(
        "files, and the first of two nowhere files",
        [*twice(), nowhere(200, OWN_FILES), nowhere(), made_up_list()],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    Case(
        "files, and nowhere a refusal, then files",
        [*twice(), nowhere(401), nowhere(200, OWN_FILES), made_up_list()],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    Case(
        "files, and nowhere a refusal, then 404",
        [*twice(), nowhere(401), nowhere(), made_up_list()],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    Case(
        "files, and nowhere an object",
        [*twice(), nowhere(200, {}), made_up_list()],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    Case(
        "odd records, and nowhere the same",
        [*twice(200, ODD), nowhere(200, ODD), made_up_list()],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    Case(
        "an empty list, and nowhere an empty list",
        [*twice(200, []), nowhere(200, []), made_up_list()],
        Said(
            NOT_PROVED,
            "The service replies with JSON to a path that it cannot have, too: ask its "
            "support, or let --upload URL show the path.",
        ),
    ),
    Case(
        "an empty list, and nowhere an error in a success",
        [*twice(200, []), nowhere(200, STRANGE), made_up_list()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, so it may list "
            "something else; name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    Case(
        "an empty list, and nowhere a page",
        [*twice(200, []), nowhere(200, PAGE), made_up_list()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, so it may list "
            "something else; name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    Case(
        "files, and nowhere was not read",
        [*twice(), made_up_list()],
        Said(
            NOT_PROVED,
            "It has 2 files. A path that does not exist was not compared, because "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "files, and nowhere was not read since the time ran out",
        [*twice(), made_up_list()],
        Said(
            NOT_PROVED,
            "It has 2 files. A path that does not exist was not compared, because the "
            "time ran out. Run this again later.",
        ),
        not_asked={Question.NO_SUCH_PATH: "the time ran out"},
    ),
]


@pytest.mark.parametrize("row", COMPARED_WITH_NOWHERE, ids=ids(COMPARED_WITH_NOWHERE))
def test_a_path_whose_reply_is_compared_with_that_of_a_path_that_does_not_exist(row: Case):
    check_list(row)


EMPTY = [
    Case(
        "an empty list, and 404 for a list that does not exist",
        [*twice(200, []), nowhere(), made_up_list(404)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, so it may list "
            "something else; name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    Case(
        "an empty list, and the same for a list that does not exist",
        [*twice(200, []), nowhere(), made_up_list(200, [])],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, and a list that does "
            "not exist gets the same, so spring may not exist: check its identifier in "
            "the service's dashboard before anything is uploaded into it, or name a "
            "list with files.",
        ),
        GIVEN,
    ),
    Case(
        "an empty list, and 404, then the same for a list that does not exist",
        [*twice(200, []), nowhere(), made_up_list(404), made_up_list(200, [])],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, so it may list "
            "something else; name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    Case(
        "no body",
        [*twice(204, b""), nowhere(), made_up_list(204, b"")],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files gets 204 without a body, as a list "
            "without files may. That is not proved, and the provider reads no list in "
            "it: name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    Case(
        "null",
        [*twice(200, "null"), nowhere(), made_up_list()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files gets 200 with null, as a list "
            "without files may. That is not proved, and the provider reads no list in "
            "it: name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    Case(
        "null under data",
        [*twice(200, {"data": None}), nowhere(), made_up_list(200, {"data": None})],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files gets 200 with null under data, as "
            "a list without files may. That is not proved, and the provider reads no "
            "list in it: name a list with files, or use --upload URL.",
        ),
        GIVEN,
    ),
    Case(
        "an empty list with a notice about a quota",
        [*twice(200, {"data": [], "message": "Daily quota exceeded."}), nowhere(), made_up_list()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, and its reply says "
            "'Daily quota exceeded'. Wait, or ask the service's support for more: it "
            "is about no key. An empty list shows nothing else.",
        ),
        GIVEN,
    ),
    Case(
        "an empty list with a notice of no subject",
        [
            *twice(200, {"data": [], "message": "The moon is full tonight."}),
            nowhere(),
            made_up_list(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has no file, and its reply says "
            "'The moon is full tonight'. Do what it says, or ask the service's "
            "support. An empty list shows nothing else.",
        ),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", EMPTY, ids=ids(EMPTY))
def test_a_path_whose_list_has_no_file(row: Case):
    check_list(row)


WHOSE = [
    Case(
        "files of another list, too",
        [*twice(200, MIXED), nowhere(), made_up_list()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, of other lists, too: "
            "winter. Ask the service's support for the path of one list's files.",
        ),
    ),
    Case(
        "files of another list, too, and a part",
        [*twice(200, {"data": MIXED, "total": 9}), *COMPARED],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, of other lists, too: "
            "winter. Ask the service's support for the path of one list's files.",
        ),
    ),
    Case(
        "files of another list, too, and the same for a list that does not exist",
        [*twice(200, MIXED), nowhere(), made_up_list(200, MIXED)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, of other lists, too: "
            "winter. Ask the service's support for the path of one list's files.",
        ),
    ),
    Case(
        "files of two other lists, too",
        [*twice(200, [*MIXED, record("f3", coupons_list_id="autumn")]), *COMPARED],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 3 files, of other lists, too: "
            "autumn, winter. Ask the service's support for the path of one list's "
            "files.",
        ),
    ),
    # Files that do not say of which list they are.
    Case(
        "files of no list, and the same for a list that does not exist",
        [*twice(200, SPRING), nowhere(), made_up_list(200, SPRING)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, and the same for a "
            "list that does not exist, so they may be of any list. Ask the service's "
            "support for the path of one list's files.",
        ),
    ),
    Case(
        "files of no list, and one of them for a list that does not exist",
        [*twice(200, SPRING), nowhere(), made_up_list(200, SPRING[1:])],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, and the same for a "
            "list that does not exist, so they may be of any list. Ask the service's "
            "support for the path of one list's files.",
        ),
    ),
    Case(
        "files of no list, and the same for the second list that does not exist",
        [*twice(200, SPRING), nowhere(), made_up_list(), made_up_list(200, SPRING)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, and the same for a "
            "list that does not exist, so they may be of any list. Ask the service's "
            "support for the path of one list's files.",
        ),
    ),
    Case(
        "files of no list, and others for a list that does not exist",
        [*twice(200, SPRING), nowhere(), made_up_list(200, [{"_id": "g1", "status": "SUCCESS"}])],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
    Case(
        "files of no list, not compared",
        [*twice(200, SPRING), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, which do not say of "
            "which list they are. A list that does not exist was not compared, because "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "files of no list, not compared since the time ran out",
        [*twice(200, SPRING), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, which do not say of "
            "which list they are. A list that does not exist was not compared, because "
            "the time ran out. Run this again later.",
        ),
        not_asked={Question.MADE_UP_LIST: "the time ran out"},
    ),
    Case(
        "files of no list in a part, not compared",
        [*twice(200, PART), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, which do not say of "
            "which list they are. A list that does not exist was not compared, because "
            "other replies left it open. Run this again later.",
        ),
    ),
    Case(
        "files of no list, and no list was named",
        [
            given_list(200, SPRING, request=request_for(Question.LIST, list_id=MADE_UP)),
            again(200, SPRING, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(),
        ],
        Said(SURE, "It has 2 files."),
        GIVEN,
        list_id=MADE_UP,
    ),
    Case(
        "files of no list, and one was uploaded",
        twice(200, SPRING),
        Said(SURE, "It has the uploaded file."),
        GIVEN,
        uploaded="f1",
    ),
    # Files that do.
    Case(
        "files of the list, and the same for a list that does not exist",
        [*twice(), nowhere(), made_up_list(200, OWN_FILES)],
        Said(SURE, "It has 2 files."),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", WHOSE, ids=ids(WHOSE))
def test_a_path_whose_files_may_be_of_any_list(row: Case):
    """The table has files that name other lists, too; files that name none; and files that name the list."""
    check_list(row)


ELSEWHERE_IN_BODY = [
    Case(
        "files elsewhere in the body",
        [*twice(200, {"result": {"files": OWN_FILES}}), *COMPARED],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has the files under result.files, "
            "but the provider reads an array, or one under data: ask the service's "
            "support for an array of files, or an object with it under data, each file "
            "with a string under _id and one under status, and its counts of coupons "
            "as numbers; one file alone likewise.",
        ),
        GIVEN,
    ),
    Case(
        "a part of the files elsewhere in the body",
        [*twice(200, {"result": {"files": OWN_FILES}, "total": 9}), *COMPARED],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has 2 of 9 files alone, under "
            "result.files, but the provider reads an array, or one under data: ask the "
            "service's support for an array of files, or an object with it under data, "
            "each file with a string under _id and one under status, and its counts of "
            "coupons as numbers; one file alone likewise.",
        ),
        GIVEN,
    ),
    Case(
        "all of the files elsewhere in the body",
        [*twice(200, {"result": {"files": OWN_FILES}, "total": 2}), *COMPARED],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has the files under result.files, "
            "but the provider reads an array, or one under data: ask the service's "
            "support for an array of files, or an object with it under data, each file "
            "with a string under _id and one under status, and its counts of coupons "
            "as numbers; one file alone likewise.",
        ),
        GIVEN,
    ),
    Case(
        "files elsewhere in the body, and more",
        [*twice(200, {"result": {"files": OWN_FILES}, "has_more": True}), *COMPARED],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has the files under result.files, "
            "but the provider reads an array, or one under data: ask the service's "
            "support for an array of files, or an object with it under data, each file "
            "with a string under _id and one under status, and its counts of coupons "
            "as numbers; one file alone likewise.",
        ),
        GIVEN,
    ),
    Case(
        "a mark too many",
        [*twice(200, "\ufeff\ufeff" + '[{"_id": "f1", "status": "NEW"}]'), *COMPARED],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has the files after a byte order "
            "mark too many, which the provider cannot read, and no setting changes "
            "that: ask the service's support for plain JSON.",
        ),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", ELSEWHERE_IN_BODY, ids=ids(ELSEWHERE_IN_BODY))
def test_a_path_whose_files_the_provider_does_not_find_in_the_body(row: Case):
    check_list(row)


PARTS = [
    Case(
        "2 of 9 files that do not say of which list",
        [*twice(200, PART), *COMPARED[:1], made_up_list(404)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; a larger page was not read. Ask the service's support for a path "
            "that has all files.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files",
        [*twice(200, {"data": OWN_FILES, "total": 9}), *COMPARED],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; a larger page was not read. Ask the service's support for a path "
            "that has all files.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files by a header for ranges",
        [*twice(200, OWN_FILES, headers={"content-range": "items 0-1/9"}), *COMPARED],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; a larger page was not read. Parts come by the header Range "
            "(items), which the provider cannot send, so it does not find an upload "
            "whose outcome is not known on another part. Use lists of at most 2 files, "
            "if these come with status 200, or ask the service's support for a path "
            "that has all files.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files by a header in JSON",
        [
            *twice(200, OWN_FILES, headers={"x-pagination": '{"TotalCount": 9, "PageSize": 2}'}),
            *COMPARED,
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of 9 files; a "
            "larger page was not read. Ask the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files with a notice",
        [
            *twice(200, {"data": OWN_FILES, "total": 9, "message": "The moon is full tonight."}),
            *COMPARED,
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files ('The moon is full tonight'); a larger page was not read. Ask the "
            "service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files at a path with a query",
        [
            given_list(
                200,
                {"data": OWN_FILES, "total": 9},
                request=request_for(Question.LIST, path=f"{GIVEN}?page=1"),
            ),
            *COMPARED,
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files (with page=1) has a part of the "
            "list only: 2 of 9 files; a larger page was not read, since "
            "paths.coupon_files names its query. Ask the service's support for a path "
            "that has all files.",
        ),
        f"{GIVEN}?page=1",
        settings=changed(coupon_files_path=f"{GIVEN}?page=1"),
    ),
    Case(
        "a next page",
        [*twice(200, OWN_FILES, headers={"link": '</v1/next>; rel="next"'}), *COMPARED],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: the "
            "service names a next page; a larger page was not read. Ask the service's "
            "support for a path that has all files.",
        ),
        GIVEN,
    ),
    Case(
        "has_more",
        [*twice(200, {"data": OWN_FILES, "has_more": True}), *COMPARED],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: it "
            "has 'has_more'; a larger page was not read. Ask the service's support for "
            "a path that has all files.",
        ),
        GIVEN,
    ),
    # A larger page was read.
    Case(
        "2 of 9 files, and a larger page is refused",
        [*twice(200, {"data": OWN_FILES, "total": 9}), larger(400, STRANGE), *COMPARED],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400 teapot: 'Moon phase is unfavourable'. Ask "
            "the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files, and a larger page is refused by words with a number",
        [
            *twice(200, {"data": OWN_FILES, "total": 9}),
            larger(400, error("", "At most 5 files.")),
            *COMPARED,
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400: 'At most 5 files'. Use lists of at most 5 "
            "files, with ?limit=5 at the end of paths.coupon_files, or ask the "
            "service's support for larger pages: an upload whose outcome is not known "
            "is not found on another page.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files, and a larger page is refused by words with another parameter",
        [
            *twice(200, {"data": OWN_FILES, "total": 9}),
            larger(400, error("", "Unknown parameter limit. Known: page_size (1-5).")),
            *COMPARED,
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400: 'Unknown parameter limit. Known: page_size (1-5)'. Use "
            "lists of at most 5 files, with ?page_size=5 at the end of paths.coupon_files, or ask "
            "the service's support for larger pages: an upload whose outcome is not known "
            "is not found on another page.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files, and the size that the words allow is refused, too",
        [
            *twice(200, {"data": OWN_FILES, "total": 9}),
            larger(400, error("", "At most 5 files.")),
            larger(400, error("", "At most 5 files."), f"{GIVEN}?limit=5"),
            *COMPARED,
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400: 'At most 5 files', limit=5 gets 400: 'At most 5 files'. "
            "Ask the service's support for a path that has all files.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files, and two larger pages are refused",
        [
            *twice(200, {"data": OWN_FILES, "total": 9}),
            larger(400, STRANGE),
            larger(400, error("", "At most 5 files."), f"{GIVEN}?size=1000"),
            *COMPARED,
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 400 teapot: 'Moon phase is unfavourable', "
            "size=1000 gets 400: 'At most 5 files'. Use lists of at most 5 files, with "
            "?size=5 at the end of paths.coupon_files, or ask the service's support "
            "for larger pages: an upload whose outcome is not known is not found on "
            "another page.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files, and a larger page has the same",
        [
            *twice(200, {"data": OWN_FILES, "total": 9}),
            larger(200, {"data": OWN_FILES, "total": 9}),
            *COMPARED,
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 does not show all. Ask the service's support for a "
            "path that has all files.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 9 files, and a larger page has 3",
        [
            *twice(200, {"data": OWN_FILES, "total": 9}),
            larger(200, {"data": [*OWN_FILES, F3], "total": 9}),
            *COMPARED,
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files; limit=1000 gets 3, which is the largest page. Use lists of at "
            "most 3 files, with ?limit=3 at the end of paths.coupon_files, or ask the "
            "service's support for larger pages: an upload whose outcome is not known "
            "is not found on another page.",
        ),
        GIVEN,
    ),
    Case(
        "2 of 3 files, and a larger page has 3",
        [
            *twice(200, {"data": OWN_FILES, "total": 3}),
            larger(200, {"data": [*OWN_FILES, F3], "total": 3}),
            once_more(larger(200, {"data": [*OWN_FILES, F3], "total": 3})),
            *COMPARED,
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only (2 of "
            "3 files); with limit=1000, it has all of it; no reply says up to how many "
            "files, and there are 3.",
        ),
        LARGE,
    ),
    Case(
        "2 of 3 files, and a larger page has 3 and confirms its limit",
        [
            *twice(200, {"data": OWN_FILES, "total": 3}),
            larger(200, {"data": [*OWN_FILES, F3], "limit": 1000}),
            once_more(larger(200, {"data": [*OWN_FILES, F3], "limit": 1000})),
            *COMPARED,
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only (2 of "
            "3 files); with limit=1000, it has all of it, which is enough up to 1000 "
            "files; there are 3.",
        ),
        LARGE,
    ),
    Case(
        "has_more, and a larger page has the same without it",
        [
            *twice(200, {"data": OWN_FILES, "has_more": True}),
            larger(200, OWN_FILES),
            once_more(larger(200, OWN_FILES)),
            *COMPARED,
        ],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only; with "
            "limit=1000, it has all of it; no reply says up to how many files, and "
            "there are 2.",
        ),
        LARGE,
    ),
    Case(
        "2 files, and a larger page has 3",
        [*twice(), larger(200, [*OWN_FILES, F3]), *COMPARED],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, and with limit=1000 "
            "it has 3: it is a page, though no reply says so. An upload whose outcome "
            "is not known is not found on another page. Ask the service's support for "
            "a path that has all files, or for the largest page.",
        ),
        GIVEN,
    ),
    # Nothing says that it is a part.
    Case(
        "a full page",
        [*twice(200, {"data": OWN_FILES, "per_page": 2}), *COMPARED],
        Said(
            NOT_PROVED,
            "It has 2 files. Its page is full (per_page: 2), and nothing says how many "
            "there are, so there may be more. Ask the service's support for a path "
            "that has all files, or name a list with fewer.",
        ),
        GIVEN,
    ),
    Case(
        "a full page after an upload",
        twice(200, {"data": OWN_FILES, "per_page": 2}),
        Said(SURE, "It has the uploaded file."),
        GIVEN,
        uploaded="f1",
    ),
    Case(
        "a filter that the reply says it has applied",
        [*twice(200, {"data": OWN_FILES, "filters": {"since": "30d"}}), *COMPARED],
        Said(
            NOT_PROVED,
            "It has 2 files. But the reply says that a filter applies (filters.since: 30d), so it "
            "may leave out files, and a task would send a file again that is there. Ask the "
            "service's support for a path that has all files.",
        ),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", PARTS, ids=ids(PARTS))
def test_a_path_whose_list_may_be_a_part(row: Case):
    """The table has what says that it is a part; what a larger page has; and lists of which nothing says it."""
    check_list(row)


OTHER_PATHS = [
    Case(
        "another path, read twice",
        [*twice(404, NOT_FOUND), there(), once_more(there()), *COMPARED],
        Said(
            WRONG,
            "It is /v1/coupon-list/{coupon_list_id}/coupon-files, not "
            "/v1/coupon-list/{coupon_list_id}/files.",
        ),
        OTHER,
    ),
    Case(
        "another path, read once",
        [*twice(404, NOT_FOUND), there(), *COMPARED],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-list/{coupon_list_id}/coupon-files, which was not "
            "read twice, because other replies left it open. Put it in, and run this "
            "again.",
        ),
        OTHER,
    ),
    Case(
        "another path, read twice, and the given one once",
        [given_list(404, NOT_FOUND), there(), once_more(there()), *COMPARED],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-list/{coupon_list_id}/coupon-files, which was not "
            "read twice, because other replies left it open. Put it in, and run this "
            "again.",
        ),
        OTHER,
    ),
    Case(
        "another path, not read twice since the time ran out",
        [*twice(404, NOT_FOUND), there(), *COMPARED],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-list/{coupon_list_id}/coupon-files, which was not "
            "read twice, because the time ran out. Put it in, and run this again.",
        ),
        OTHER,
        not_asked={Question.AGAIN: "the time ran out"},
    ),
    Case(
        "another path of an upload, read once",
        [given_list(404, NOT_FOUND), there()],
        Said(
            WRONG,
            "It is /v1/coupon-list/{coupon_list_id}/coupon-files, not "
            "/v1/coupon-list/{coupon_list_id}/files.",
        ),
        OTHER,
        uploaded="f1",
    ),
    Case(
        "another path that the service names",
        [
            *[redirected("/v1/coupon-list/spring/coupon-files")] * 2,
            there(),
            once_more(there()),
            *COMPARED,
        ],
        Said(
            WRONG,
            "The service names /v1/coupon-list/{coupon_list_id}/coupon-files, which has 2 files.",
        ),
        OTHER,
    ),
]


@pytest.mark.parametrize("row", OTHER_PATHS, ids=ids(OTHER_PATHS))
def test_another_path_with_the_lists_files(row: Case):
    check_list(row)


NOT_READ = [
    Case("nothing was read", [], Said(NOT_ASKED, "Not asked, because other replies left it open.")),
    Case(
        "nothing was read, since the time ran out",
        [],
        Said(NOT_ASKED, "Not asked, because the time ran out."),
        not_asked={Question.LIST_PATH: "the time ran out"},
    ),
    Case(
        "refused",
        [given_list(401)],
        Said(NOT_ASKED, "Not asked, because other replies left it open."),
    ),
    Case(
        "refused after an upload",
        [given_list(401)],
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file. Ask the service's support "
            "where and when a list has a new file.",
        ),
        uploaded="f1",
    ),
]


@pytest.mark.parametrize("row", NOT_READ, ids=ids(NOT_READ))
def test_a_path_that_was_not_read_or_is_refused(row: Case):
    check_list(row)


WRAPPED = 'x({"a": 1});'
RENAMED = [
    Case(
        "a redirect to another name",
        [redirected("/v1/coupon-list/winter/files"), nowhere()],
        Said(
            NOT_PROVED,
            "The list seems to be called winter now: the service redirects "
            "/v1/coupon-list/spring/files to the same path with winter (302). Name "
            "winter in --coupon-list, and in your tasks, and run this again.",
        ),
    ),
    Case(
        "a redirect to another name, which has files",
        [redirected("/v1/coupon-list/winter/files"), nowhere(), other_list(200, SPRING)],
        Said(
            NOT_PROVED,
            "The list seems to be called winter now: the service redirects "
            "/v1/coupon-list/spring/files to the same path with winter (302), and a "
            "read of that has 2 files. Name winter in --coupon-list, and in your "
            "tasks, and run this again.",
        ),
    ),
    Case(
        "a redirect to another name, which is unknown",
        [redirected("/v1/coupon-list/winter/files"), nowhere(), other_list(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The list seems to be called winter now: the service redirects "
            "/v1/coupon-list/spring/files to the same path with winter (302), but a "
            "read of that gets 404 not-found: 'Nothing is here'. Ask the service's "
            "support what the list is called.",
        ),
    ),
    Case(
        "a redirect to another name, and of a list that does not exist to the same",
        [
            redirected("/v1/coupon-list/winter/files"),
            nowhere(),
            made_up_list(302, b"", headers={"location": "/v1/coupon-list/winter/files"}),
        ],
        Said(
            NOT_PROVED,
            "The service redirects /v1/coupon-list/spring/files to the same path with "
            "winter (302), and a list that does not exist likewise, so that is no "
            "other name of spring: check it in the service's dashboard, or ask the "
            "service's support.",
        ),
    ),
    Case(
        "a redirect to another name, and of a list that does not exist to a third one",
        [
            redirected("/v1/coupon-list/winter/files"),
            nowhere(),
            made_up_list(302, b"", headers={"location": "/v1/coupon-list/autumn/files"}),
        ],
        Said(
            NOT_PROVED,
            "The list seems to be called winter now: the service redirects "
            "/v1/coupon-list/spring/files to the same path with winter (302). Name "
            "winter in --coupon-list, and in your tasks, and run this again.",
        ),
    ),
    Case(
        "a redirect to the same name, encoded otherwise",
        [redirected("/v1/coupon-list/%73pring/files"), nowhere()],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/v1/coupon-list/%73pring/files, which has the same "
            "identifier, encoded otherwise. The provider encodes identifiers in one "
            "way only, and no setting changes that: ask the service's support to "
            "accept it, or use an identifier of letters, digits and hyphens.",
        ),
    ),
]


@pytest.mark.parametrize("row", RENAMED, ids=ids(RENAMED))
def test_a_path_that_is_redirected_to_another_name_of_the_list(row: Case):
    check_list(row)


PAGES = [
    Case(
        "a page, while other paths reply",
        [*twice(400, PAGE), nowhere()],
        Said(
            NOT_PROVED,
            "A web page came with status 400: 'Hello'. Other paths reply here, so the Address is "
            "right. Ask the service's support.",
        ),
    ),
    Case(
        "a firewall's page, while other paths reply",
        [*twice(403, "<title>Request blocked by the firewall</title>"), nowhere()],
        Said(
            NOT_PROVED,
            "A web page came with status 403: 'Request blocked by the firewall'. Other paths reply "
            "here, so the Address is right. A firewall may keep these requests out. Change no key, "
            "but have whoever runs it let your workers and triggerers in, whether it keeps out "
            "their addresses or their User-Agent (airflow-provider-wes), and run this from there.",
        ),
    ),
    Case(
        "a page for an escaped slash, while other paths reply",
        [*2 * [given_list(400, PAGE, request=READ_OF_ESCAPED_LIST)], nowhere()],
        Said(
            NOT_PROVED,
            "What replied sent 400, which is not the service's, to GET "
            "/v1/coupon-list/spring%2Fsale/files: 'Hello'. The list's identifier has '/' (%2F), "
            "which the provider sends escaped, and other paths reply as the service does. Name the "
            "list by its identifier in the service's dashboard, or have such paths let through.",
        ),
        list_id="spring/sale",
    ),
]


@pytest.mark.parametrize("row", PAGES, ids=ids(PAGES))
def test_a_path_that_gets_a_web_page_while_others_do_not(row: Case):
    check_list(row)


REDIRECTED = [
    Case(
        "a redirect to something else",
        [redirected("/away"), redirected("/away"), nowhere()],
        Said(
            WRONG,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/away, which is not followed; other paths reply "
            "here, so the Address is right. No setting helps: ask the service's "
            "support for a list that replies with JSON itself.",
        ),
    ),
    Case(
        "a redirect to a login",
        [redirected("/login"), redirected("/login"), nowhere()],
        Said(
            WRONG,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/login (a browser login), which is not followed; "
            "other paths reply here, so the Address is right. No setting helps: ask "
            "whoever runs it to let requests with keys through to the list.",
        ),
    ),
    Case(
        "a redirect to a maintenance",
        [redirected("/maintenance"), redirected("/maintenance"), nowhere()],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/maintenance (a maintenance, by its name), which "
            "is not followed; other paths reply here, so the Address is right. No "
            "setting helps: wait until it is over, and run this again, or ask the "
            "service's support.",
        ),
    ),
    Case(
        "a redirect to a download",
        [
            redirected("https://files.example.org/a?X-Amz-Signature=b"),
            redirected("https://files.example.org/a?X-Amz-Signature=b"),
            nowhere(),
        ],
        Said(
            WRONG,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://files.example.org/a (a signed download), which is not followed, "
            "since keys may not go there; other paths reply here, so the Address is "
            "right. No setting helps: ask the service's support for a list that "
            "replies with JSON itself.",
        ),
    ),
    Case(
        "a redirect to something else, and nowhere no error of the service",
        [redirected("/away"), redirected("/away"), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files is redirected to "
            "https://api.example.com/away, which is not followed; other paths reply "
            "here, so the Address may be right. No setting helps: ask the service's "
            "support for a list that replies with JSON itself.",
        ),
    ),
]


@pytest.mark.parametrize("row", REDIRECTED, ids=ids(REDIRECTED))
def test_a_path_that_is_redirected_to_what_is_no_list(row: Case):
    check_list(row)


NOT_READABLE = [
    Case(
        "no JSON",
        [*twice(200, "no JSON", **CALLED_JSON), nowhere()],
        Said(
            NOT_PROVED,
            "200 with application/json came, but its body is text that is no JSON: 'no "
            "JSON'. No setting helps: ask whoever runs what is between, or the "
            "service's support. Other paths reply here, so the Address is right.",
        ),
    ),
    Case(
        "wrapped JSON twice",
        [*twice(200, WRAPPED), nowhere()],
        Said(
            WRONG,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. Other paths reply here, so the Address is right.",
        ),
    ),
    Case(
        "wrapped JSON once",
        [given_list(200, WRAPPED), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. Other paths reply here, so the Address is right.",
        ),
    ),
    Case(
        "wrapped JSON, and nowhere no error of the service",
        [*twice(200, WRAPPED), nowhere(400, {"error": "No."})],
        Said(
            NOT_PROVED,
            "The service replies with JSON in a call of x(), as JSONP, which the "
            "provider cannot read, and no setting changes that: ask its support for "
            "plain JSON. Other paths reply here, so the Address may be right.",
        ),
    ),
    Case(
        "a page",
        [given_list(404, PAGE), nowhere()],
        Said(
            NOT_PROVED,
            "What replied sent 404, which is not the service's, to GET "
            "/v1/coupon-list/spring/files: 'Hello'. This path does not show the list's "
            "files; --upload URL tries more, or ask the service's support.",
        ),
    ),
    # JSON without an array.
    Case(
        "an object",
        [*twice(200, {"hello": "you"}), nowhere()],
        Said(
            NOT_PROVED,
            "It has an object without an array, but the provider reads an array, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; one file alone "
            "likewise. The path itself may be right.",
        ),
    ),
    Case(
        "an object, and a made-up key is refused",
        [*twice(200, {"hello": "you"}), nowhere(), made_up(401)],
        Said(
            WRONG,
            "It has an object without an array, but the provider reads an array, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; one file alone "
            "likewise. The path itself may be right.",
        ),
    ),
    Case(
        "a job that collects the list",
        [
            given_list(
                202,
                {"job": "e1", "state": "queued", "by": "x", "more": 1},
                headers={"location": "/v1/exports/e1"},
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files, with https://api.example.com/v1/exports/e1 as its "
            "Location (job e1, state queued, by x), as if a job collected it, and the provider "
            "cannot fetch what a job has made. The path may be right: ask the service's support "
            "for one that replies with the files themselves.",
        ),
    ),
    Case(
        "an object with 202 that says nothing",
        [given_list(202, {"a": []}), nowhere()],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files, as if a job collected it, and the provider cannot fetch "
            "what a job has made. The path may be right: ask the service's support for one that "
            "replies with the files themselves.",
        ),
    ),
    Case(
        "the query of paths.coupon_files is refused",
        [
            given_list(
                400,
                error("", "Unknown parameter: limit"),
                tried=f"{GIVEN}?limit=30",
                request=list_at(WITH_LIMIT, WITH_LIMIT.coupon_files_path, "spring"),
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Unknown parameter: "
            "limit'. Its parameter limit is that of paths.coupon_files: correct the query there, "
            "or take it out, and run this again.",
        ),
        settings=WITH_LIMIT,
    ),
    Case(
        "an envelope of a gateway",
        [*twice(200, {"statusCode": 200, "body": '[{"_id": "f1"}]'}), nowhere()],
        Said(
            NOT_PROVED,
            "It has JSON as a string under body, as the envelope of a function has it, which the "
            "provider does not open: ask whoever runs the gateway to send what is in it. The path "
            "itself may be right.",
        ),
    ),
    Case(
        "an object, and nowhere the same",
        [*twice(200, {"hello": "you"}), nowhere(200, {"hello": "you"})],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask "
            "its support for the path.",
        ),
    ),
    Case(
        "an object, and the same at the first of two paths nowhere",
        [given_list(200, {"hello": "you"}), nowhere(200, {"hello": "you"}), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask "
            "its support for the path.",
        ),
    ),
    # No list is named.
    Case(
        "an object, and no list is named",
        [
            given_list(200, {"hello": "you"}, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(),
        ],
        Said(NOT_PROVED, "Name a list that exists in --coupon-list; the path may be right."),
        list_id=MADE_UP,
    ),
    Case(
        "an object, and nowhere the same, and no list is named",
        [
            given_list(200, {"hello": "you"}, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(200, {"hello": "you"}),
        ],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask "
            "its support for the path.",
        ),
        list_id=MADE_UP,
    ),
    Case(
        "404, and no list is named",
        [
            given_list(404, NOT_FOUND, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(),
        ],
        Said(NOT_PROVED, "Name a list that exists in --coupon-list; the path may be right."),
        list_id=MADE_UP,
    ),
]


@pytest.mark.parametrize("row", NOT_READABLE, ids=ids(NOT_READABLE))
def test_a_path_whose_reply_is_no_list_that_the_provider_can_read(row: Case):
    """The table has what is no JSON, JSON without an array, and reads without the name of a list."""
    check_list(row)


CHANGED_BY_PROXY = [
    Case(
        "a list with 203",
        [
            *twice(203, OWN_FILES, headers={"via": "1.1 wan", "warning": '214 wan "Changed"'}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files replies with 203 (replies have Via: 1.1 wan "
            'and Warning: 214 wan "Changed"), and tasks take only a 200 for a whole list, so '
            "they could not find an upload whose response is lost. A proxy may change replies on "
            "the way: ask whoever runs it to pass them on as they are, or the service's support "
            "for a 200. The path is not at fault, and no setting helps.",
        ),
        GIVEN,
    ),
    Case(
        "a part of a list with 203",
        [
            *twice(203, OWN_FILES, headers={"link": '</files?page=2>; rel="next"'}),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: the service "
            "names a next page; a larger page was not read. Ask the service's support for a path "
            "that has all files.",
        ),
        GIVEN,
    ),
]


@pytest.mark.parametrize("row", CHANGED_BY_PROXY, ids=ids(CHANGED_BY_PROXY))
def test_a_path_whose_list_a_proxy_has_changed(row: Case):
    check_list(row)


LIST_ERRORS = [
    Case(
        "403 with words of a gateway, and nowhere the same",
        [given_list(403, STAGE), nowhere(403, STAGE)],
        Said(
            NOT_PROVED,
            "The service replies 403 to GET /v1/coupon-list/spring/files: 'Missing "
            "Authentication Token', and the same to a path that does not exist, so it "
            "has no such path, whatever the key is. This path does not show the list's "
            "files; --upload URL tries more, or ask the service's support.",
        ),
    ),
    Case(
        "403 with words of a gateway at two paths, and nowhere the same",
        [given_list(403, STAGE), there(403, STAGE), nowhere(403, STAGE)],
        Said(
            NOT_PROVED,
            "The service replies 403 to GET /v1/coupon-list/spring/files: 'Missing "
            "Authentication Token', and the same to a path that does not exist, so it "
            "has no such path, whatever the key is. None of these paths shows the "
            "list's files; --upload URL tries more, or ask the service's support.",
        ),
    ),
    Case(
        "403",
        [given_list(403, FORBIDDEN), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files: "
            "'Not you'. The path may be right: settle the Campaign API key first.",
        ),
    ),
    Case(
        "403 as documented",
        [given_list(403, error(contract.REQUEST_FORBIDDEN, "No.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 request-forbidden to GET "
            "/v1/coupon-list/spring/files: 'No'. The path may be right. Ask the "
            "service's support for access.",
        ),
    ),
    Case(
        "403 that names another account",
        [given_list(403, error("", "The list is of account acme.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 to GET /v1/coupon-list/spring/files: 'The list is "
            "of account acme'. The path may be right: settle the Campaign API key "
            "first.",
        ),
    ),
    Case(
        "403, and files of other lists at another path",
        [given_list(403, FORBIDDEN), there(200, WINTER), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files: "
            "'Not you'. The path may be right: settle the Campaign API key first.",
        ),
    ),
    # 404, whose words may be about the list.
    Case(
        "404 about a permission",
        [given_list(404, NO_SCOPE), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing here that your permissions show'. The path may be right: settle "
            "the Campaign API key first.",
        ),
    ),
    Case(
        "404 about another account",
        [given_list(404, error("", "The list is of account acme.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'The list is "
            "of account acme'. The Workspace identifier (login) is workspace: name a "
            "list of it, or use a connection with the login and the keys of acme. The "
            "path may be right.",
        ),
    ),
    Case(
        "404 about another account or about no access",
        [
            given_list(404, error("", "The list is of account acme, or you have no access.")),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'The list is "
            "of account acme, or you have no access'. The Workspace identifier (login) "
            "is workspace: name a list of it, or use a connection with the login and "
            "the keys of acme. The path may be right.",
        ),
    ),
    Case(
        "404 about another mode",
        [given_list(404, error("", "A test key was used for a live list.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'A test key "
            "was used for a live list'. The Campaign API key and the list are of "
            "different modes or environments: put in the key of the list's, or name a "
            "list of the key's. The path may be right.",
        ),
    ),
    Case(
        "404 about another mode or about no access",
        [given_list(404, error("", "A live key was used, or you have no access.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'A live key "
            "was used, or you have no access'. The Campaign API key and the list are "
            "of different modes or environments: put in the key of the list's, or name "
            "a list of the key's. The path may be right.",
        ),
    ),
    Case(
        "404 about no list or about no access",
        [given_list(404, error("", "Not there, or you have no access.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'Not there, "
            "or you have no access'. Check the identifier spring in the service's "
            "dashboard, and whether the Campaign API key has access to that list; the "
            "path may be right.",
        ),
    ),
    Case(
        "404 in other words than nowhere",
        [given_list(404, error("", "No such list.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files: 'No such "
            "list'. It replies otherwise to a path that does not exist, so it may have "
            "this path, but not this list, or replies so to a list without files: name "
            "a list with files, or use --upload URL.",
        ),
    ),
    Case(
        "404 as nowhere, and in other words at another path",
        [given_list(404, NOT_FOUND), there(404, error("", "No such list.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing is here'. Only /v1/coupon-list/{coupon_list_id}/coupon-files "
            "gets another reply than a path that does not exist, so it may be the "
            "path, of other things, too; --upload URL tries more, or ask the service's "
            "support.",
        ),
    ),
    Case(
        "404 as nowhere, and in other words at two other paths",
        [
            given_list(404, NOT_FOUND),
            there(404, error("", "No such list.")),
            there(404, error("", "No such thing."), path=LARGE),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing is here'. /v1/coupon-list/{coupon_list_id}/coupon-files, as 1 other path "
            "that was tried, gets another reply than a path that does not exist, so it may be the "
            "path, of other things, too; --upload URL tries more, or ask the service's support.",
        ),
    ),
    Case(
        "404 as nowhere",
        [given_list(404, NOT_FOUND), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing is here'. This path does not show the list's files; --upload URL "
            "tries more, or ask the service's support.",
        ),
    ),
    Case(
        "404 as nowhere at two paths",
        [given_list(404, NOT_FOUND), there(404, NOT_FOUND), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files: "
            "'Nothing is here'. None of these paths shows the list's files; --upload "
            "URL tries more, or ask the service's support.",
        ),
    ),
    Case(
        "404 with a page at a path with an escaped slash",
        [
            given_list(404, b"<html>Not Found</html>", request=list_at(SETTINGS, GIVEN, "a/b")),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "What replied sent 404, which is not the service's, to GET "
            "/v1/coupon-list/a%2Fb/files. The list's identifier has '/' (%2F), which "
            "the provider sends escaped, and other paths reply as the service does. Name the "
            "list by its identifier in the service's dashboard, or have such paths let through.",
        ),
        list_id="a/b",
    ),
    # 400.
    Case(
        "400 about another account",
        [given_list(400, error("", "The list is of account acme.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'The list is "
            "of account acme'. Ask the service's support.",
        ),
    ),
    Case(
        "400 about no list or about no access",
        [given_list(400, error("", "Not there, or you have no access.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Not there, "
            "or you have no access'. Ask the service's support.",
        ),
    ),
    Case(
        "400",
        [given_list(400, STRANGE), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 teapot to GET /v1/coupon-list/spring/files: 'Moon "
            "phase is unfavourable'. Ask the service's support.",
        ),
    ),
    Case(
        "400 that names a path",
        [
            given_list(400, error("", "Use /v1/coupon-list/spring/coupon-files")),
            nowhere(),
            there(404, NOT_FOUND),
        ],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Use "
            "/v1/coupon-list/spring/coupon-files'. A read of "
            "/v1/coupon-list/{coupon_list_id}/coupon-files does not show the list's "
            "files; --upload URL tries more, or ask the service's support.",
        ),
    ),
    Case(
        "400 that names a path, which was not read",
        [given_list(400, error("", "Use /v1/coupon-list/spring/coupon-files")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 to GET /v1/coupon-list/spring/files: 'Use "
            "/v1/coupon-list/spring/coupon-files'. It names "
            "/v1/coupon-list/{coupon_list_id}/coupon-files, which was not read: run this again "
            "later.",
        ),
    ),
    Case(
        "400, and 404 in other words than nowhere at another path",
        [given_list(400, STRANGE), there(404, error("", "No such list.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 400 teapot to GET /v1/coupon-list/spring/files: 'Moon "
            "phase is unfavourable'. Ask the service's support.",
        ),
    ),
]


@pytest.mark.parametrize("row", LIST_ERRORS, ids=ids(LIST_ERRORS))
def test_a_path_that_gets_an_error(row: Case):
    """The table has 403, 404 and 400."""
    check_list(row)


OF_OTHER_LISTS = [
    Case(
        "files of other lists",
        [*twice(200, WINTER), nowhere()],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, none of them of the "
            "list spring, but of autumn, winter. Name the list as the service does, or "
            "ask its support for the path of one list's files.",
        ),
    ),
    Case(
        "files of other lists, and the same for a list that does not exist",
        [*twice(200, WINTER), nowhere(), made_up_list(200, WINTER)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, none of them of the "
            "list spring, but of autumn, winter, and the same for a list that does not "
            "exist. Ask the service's support for the path of one list's files.",
        ),
    ),
    Case(
        "files of another list, which has the same",
        [*twice(200, WINTER[:1]), nowhere(), other_list(200, WINTER[:1]), made_up_list()],
        Said(
            NOT_PROVED,
            "The service calls the list spring winter: a read of that has the same 1 "
            "file, which say that they are of it. Name winter in tasks, and here, so "
            "that the rest is read, too.",
        ),
    ),
]


@pytest.mark.parametrize("row", OF_OTHER_LISTS, ids=ids(OF_OTHER_LISTS))
def test_a_path_whose_files_are_of_other_lists(row: Case):
    check_list(row)


WITHOUT_UPLOADED_FILE = [
    Case(
        "other files",
        twice(),
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file. Ask the service's support "
            "where and when a list has a new file.",
        ),
        uploaded="f9",
    ),
    Case(
        "other files at two paths",
        [given_list(), there()],
        Said(
            NOT_PROVED,
            "None of these paths shows the uploaded file. Ask the service's support "
            "where and when a list has a new file.",
        ),
        uploaded="f9",
    ),
    Case(
        "other files in a part",
        twice(200, {"data": OWN_FILES, "total": 9}),
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file: "
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files. Ask the service's support for a path that has all files.",
        ),
        uploaded="f9",
    ),
    Case(
        "no file",
        twice(200, []),
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file: "
            "/v1/coupon-list/{coupon_list_id}/files has no file at all. Ask the "
            "service's support where the files of a list are.",
        ),
        uploaded="f9",
    ),
    Case(
        "files of other lists after an upload",
        twice(200, WINTER),
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, none of them of the "
            "list spring, but of autumn, winter. Name the list as the service does, or "
            "ask its support for the path of one list's files.",
        ),
        uploaded="f9",
    ),
    Case(
        "an object, and nowhere the same, after an upload",
        [given_list(200, {"hello": "you"}), nowhere(200, {"hello": "you"})],
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file. Ask the service's support "
            "where and when a list has a new file.",
        ),
        uploaded="f9",
    ),
    Case(
        "403 as documented, after an upload",
        [given_list(403, error(contract.REQUEST_FORBIDDEN, "No.")), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies 403 request-forbidden to GET "
            "/v1/coupon-list/spring/files: 'No'. The path may be right. Ask the "
            "service's support for access.",
        ),
        uploaded="f9",
    ),
]


@pytest.mark.parametrize("row", WITHOUT_UPLOADED_FILE, ids=ids(WITHOUT_UPLOADED_FILE))
def test_a_path_that_does_not_show_the_uploaded_file(row: Case):
    check_list(row)


RECORDS = [
    Case(
        "without an identifier",
        [given_list(200, ODD)],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has 1 object without _id, which "
            "the provider cannot read. They have id, name; no setting maps properties, "
            "and the path is not at fault: ask the service's support for an array of "
            "files, or an object with it under data, each file with a string under _id "
            "and one under status, and its counts of coupons as numbers; one file "
            "alone likewise.",
        ),
    ),
    Case(
        "without an identifier, with a media type of HAL",
        [given_list(200, ODD, headers={"content-type": "application/hal+json"})],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has 1 object without _id, which "
            "the provider cannot read. They come as HAL (application/hal+json). They "
            "have id, name; no setting maps properties, and the path is not at fault: "
            "ask the service's support for an array of files, or an object with it "
            "under data, each file with a string under _id and one under status, and "
            "its counts of coupons as numbers; one file alone likewise.",
        ),
    ),
    Case(
        "without properties",
        [given_list(200, [{}])],
        Said(
            WRONG,
            "/v1/coupon-list/{coupon_list_id}/files has 1 object without _id, which "
            "the provider cannot read. They have no properties; no setting maps "
            "properties, and the path is not at fault: ask the service's support for "
            "an array of files, or an object with it under data, each file with a "
            "string under _id and one under status, and its counts of coupons as "
            "numbers; one file alone likewise.",
        ),
    ),
]


@pytest.mark.parametrize("row", RECORDS, ids=ids(RECORDS))
def test_records_that_cannot_be_read_are_wrong(row: Case):
    (finding,) = records(row.tried)
    assert finding.topic is Topic.RECORDS
    assert Said.of(finding) == row.said
    assert finding.probes == tuple(row.probes)


class Readable(NamedTuple):
    """Reads without records that cannot be read."""

    name: str
    probes: Sequence[Probe]


READABLE = [
    Readable("nothing was read", []),
    Readable("files", [given_list(200, FILES)]),
    Readable("no file", [given_list(200, [])]),
    Readable("404", [given_list(404, NOT_FOUND)]),
]


@pytest.mark.parametrize("row", READABLE, ids=ids(READABLE))
def test_nothing_is_said_of_records_if_there_is_none_or_all_can_be_read(row: Readable):
    assert records(facts.places(evidence_of(*row.probes))) == []


# -- one file --------------------------------------------------------------------------------------


def file_elsewhere(status: int = 200, content: Any = b"", **more: Any) -> Probe:
    return at_path(OTHER_FILE, status, content, Question.FILE_PATH, **more)


def given_file(status: int = 200, content: Any = b"", file_id: str = "f1", **more: Any) -> Probe:
    request = request_for(Question.FILE_PATH, file_id=file_id)
    return one_file(status, content, request=request, tried=GIVEN_FILE, **more)


def guessed(status: int = 404, content: Any = NOT_FOUND, **more: Any) -> Probe:
    return given_file(status, content, MADE_UP, **more)


def check_file(row: Case) -> None:
    """The finding about the path of one file says what the row says, word for word."""
    finding = file_path(row.evidence, row.tried)
    assert finding.topic is Topic.FILE_PATH
    check(row, finding, "paths.coupon_file")


HAS = [given_list(200, OWN_FILES), nowhere()]
F1 = record("f1")
FILE_NOT_READ = [
    Case("nothing was read", [], Said(NOT_ASKED, "Not asked, because no file is known.")),
    Case(
        "nothing was read, since the time ran out",
        [],
        Said(NOT_ASKED, "Not asked, because the time ran out."),
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    Case(
        "nothing was read, since the time ran out, and a file is known",
        HAS,
        Said(NOT_PROVED, "Not asked, because the time ran out."),
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    Case(
        "the read failed",
        [*HAS, given_file(500)],
        Said(NOT_PROVED, "Not settled, because it failed."),
        not_asked={Question.FILE_PATH: "it failed"},
    ),
]


@pytest.mark.parametrize("row", FILE_NOT_READ, ids=ids(FILE_NOT_READ))
def test_the_path_of_one_file_without_an_answer(row: Case):
    check_file(row)


FILE_READ = [
    Case(
        "a file",
        [*HAS, given_file(200, F1)],
        Said(SURE, "It has a file and its status."),
        GIVEN_FILE,
    ),
    Case(
        "a file that the list had as processed before",
        [*HAS, given_file(200, record("f1", "PENDING"), headers={"x-replica-lag": "340"})],
        Said(
            NOT_PROVED,
            "The list has file f1 with SUCCESS, and its own path has it with PENDING after that "
            "(X-Replica-Lag: 340): one of the two is behind. Tasks wait by that path, so they may "
            "see an end late, or take a file for failed that is not. Ask the service's support; no "
            "setting helps.",
        ),
        GIVEN_FILE,
    ),
    Case(
        "a file that the list had on its way before",
        [given_list(200, [record("f1", "PENDING")]), nowhere(), given_file(200, F1)],
        Said(SURE, "It has a file and its status."),
        GIVEN_FILE,
    ),
    # At another path.
    Case(
        "a file elsewhere, each read twice",
        [
            *HAS,
            given_file(404, NOT_FOUND),
            once_more(given_file(404, NOT_FOUND)),
            file_elsewhere(200, F1),
            once_more(file_elsewhere(200, F1)),
        ],
        Said(
            WRONG,
            "It is /v1/coupon-files/{coupon_file_id}, not "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}.",
        ),
        OTHER_FILE,
    ),
    Case(
        "a file elsewhere, read once",
        [
            *HAS,
            given_file(404, NOT_FOUND),
            once_more(given_file(404, NOT_FOUND)),
            file_elsewhere(200, F1),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-files/{coupon_file_id}, which was not read twice, "
            "because other replies left it open. Put it in, and run this again.",
        ),
        OTHER_FILE,
    ),
    Case(
        "a file elsewhere, and the given path read once",
        [
            *HAS,
            given_file(404, NOT_FOUND),
            file_elsewhere(200, F1),
            once_more(file_elsewhere(200, F1)),
        ],
        Said(
            NOT_PROVED,
            "It may be /v1/coupon-files/{coupon_file_id}, which was not read twice, "
            "because other replies left it open. Put it in, and run this again.",
        ),
        OTHER_FILE,
    ),
    Case(
        "a file elsewhere, as a redirect names",
        [
            *HAS,
            given_file(302, b"", headers={"location": "/v1/coupon-files/f1"}),
            file_elsewhere(200, F1),
            once_more(file_elsewhere(200, F1)),
        ],
        Said(
            WRONG,
            "The service names /v1/coupon-files/{coupon_file_id}, which has a file and its status.",
        ),
        OTHER_FILE,
    ),
    Case(
        "a file elsewhere, as its record names",
        [
            given_list(200, [{**F1, "href": "/v1/coupon-files/f1"}]),
            nowhere(),
            given_file(404, NOT_FOUND),
            once_more(given_file(404, NOT_FOUND)),
            file_elsewhere(200, F1),
            once_more(file_elsewhere(200, F1)),
        ],
        Said(
            WRONG,
            "The service names /v1/coupon-files/{coupon_file_id}, which has a file and its status.",
        ),
        OTHER_FILE,
    ),
    Case(
        "a file elsewhere after an upload",
        [given_file(404, NOT_FOUND), file_elsewhere(200, F1)],
        Said(
            WRONG,
            "It is /v1/coupon-files/{coupon_file_id}, not "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}.",
        ),
        OTHER_FILE,
        uploaded="f1",
    ),
]


@pytest.mark.parametrize("row", FILE_READ, ids=ids(FILE_READ))
def test_the_path_of_one_file_with_a_file_at_it_or_at_another_path(row: Case):
    check_file(row)


NO_FILE_KNOWN = [
    Case(
        "the list gets 404",
        [given_list(404, NOT_FOUND), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "No file is known, since no list with files was read: name a list with "
            "files, or use --upload URL.",
        ),
    ),
    Case(
        "the list gets 404, and a made-up file 404 in other words than nowhere",
        [given_list(404, NOT_FOUND), nowhere(), guessed(404, error("", "No such file."))],
        Said(
            NOT_PROVED,
            "No file is known, since no list with files was read: name a list with "
            "files, or use --upload URL.",
        ),
        GIVEN_FILE,
    ),
    Case(
        "the list gets 404, and a made-up file 404 in other words at another path",
        [
            given_list(404, NOT_FOUND),
            nowhere(),
            guessed(),
            at_path(
                OTHER_FILE,
                404,
                error("", "No such file."),
                Question.FILE_PATH,
                request=request_for(Question.FILE_PATH, path=OTHER_FILE, file_id=MADE_UP),
            ),
        ],
        Said(
            NOT_PROVED,
            "No file is known, since no list with files was read: name a list with "
            "files, or use --upload URL.",
        ),
        OTHER_FILE,
    ),
    Case(
        "the list has no file",
        [given_list(200, []), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "The list has no file to read: name a list with files, or use --upload URL.",
        ),
    ),
    Case(
        "the list has files of other lists",
        [given_list(200, WINTER), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "The files of the list's path are of other lists, so none was read: settle that.",
        ),
    ),
    Case(
        "the list has an object without an array",
        [given_list(200, {"hello": "you"}), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "No file is known, since the provider cannot read what the list's path has.",
        ),
    ),
    Case(
        "the list has records that cannot be read",
        [given_list(200, ODD), nowhere(), guessed()],
        Said(
            NOT_PROVED,
            "No file is known, since the list's records cannot be read: settle that first.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_FILE_KNOWN, ids=ids(NO_FILE_KNOWN))
def test_the_path_of_one_file_while_no_file_is_known(row: Case):
    check_file(row)


FILE_NOT_READABLE = [
    Case(
        "a status that is a number",
        [*HAS, given_file(200, {"_id": "f1", "status": 7})],
        Said(
            WRONG,
            "It has the file with status 7, but the provider reads a string under "
            "status only, so no task can wait for it. Ask the service's support for "
            "such a status.",
        ),
    ),
    Case(
        "no status",
        [*HAS, given_file(200, {"_id": "f1"})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: its record has no "
            "status. Ask the service's support.",
        ),
    ),
    Case(
        "an identifier that is not at the top",
        [*HAS, given_file(200, {"file": {"_id": "f1", "status": "NEW"}})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: its _id has to be at "
            "the top or under data, but it is under file. Ask the service's support.",
        ),
    ),
    Case(
        "no identifier",
        [*HAS, given_file(200, {"name": "f1"})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: the reply is no record "
            "with an _id. Ask the service's support.",
        ),
    ),
    Case(
        "a mark too many",
        [*HAS, given_file(200, '\ufeff\ufeff{"_id": "f1", "status": "NEW"}')],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: it has a byte order "
            "mark too many before its JSON. Ask the service's support.",
        ),
    ),
    Case(
        "a mark too many, and a status that is a number",
        [*HAS, given_file(200, '\ufeff\ufeff{"_id": "f1", "status": 7}')],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: it has a byte order "
            "mark too many before its JSON. Ask the service's support.",
        ),
    ),
    Case(
        "wrapped JSON",
        [*HAS, given_file(200, WRAPPED)],
        Said(
            WRONG,
            "GET /v1/coupon-list/spring/files/f1: The service replies with JSON in a "
            "call of x(), as JSONP, which the provider cannot read, and no setting "
            "changes that: ask its support for plain JSON. The list can be read, "
            "unlike that.",
        ),
    ),
    Case(
        "wrapped JSON, and the list gets no error of the service",
        [given_list(400, {"error": "x"}), given_file(200, WRAPPED)],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    Case(
        "no JSON",
        [*HAS, given_file(200, "no JSON", **CALLED_JSON)],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1: 200 with application/json came, but "
            "its body is text that is no JSON: 'no JSON'. No setting helps: ask "
            "whoever runs what is between, or the service's support. The list can be "
            "read, unlike that.",
        ),
    ),
    Case(
        "another file",
        [*HAS, given_file(200, {"_id": "f9"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 gets 200 with the record f9, which is "
            "not the file that was asked for, so a task could not wait for it. Ask the "
            "service's support for the path of one file.",
        ),
    ),
    Case(
        "another file after an upload",
        [given_file(200, {"_id": "f9"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 gets 200 with the record f9, which is "
            "not the file that was asked for, so a task could not wait for it. Ask the "
            "service's support for the path of one file.",
        ),
        uploaded="f1",
    ),
]


@pytest.mark.parametrize("row", FILE_NOT_READABLE, ids=ids(FILE_NOT_READABLE))
def test_the_path_of_one_file_whose_reply_is_not_that_file_as_the_provider_reads_it(row: Case):
    check_file(row)


FILE_REDIRECTED = [
    Case(
        "a redirect to another identifier",
        [*HAS, given_file(302, b"", headers={"location": f"{LIST_AT}/g1"})],
        Said(
            NOT_PROVED,
            "The service redirects /v1/coupon-list/spring/files/f1 to the same path "
            "with g1 (302): the file f1 seems to be called g1 there, and redirects are "
            "not followed, so a task could not wait for it. No setting changes that: "
            "ask the service's support for lists that have the identifier of the path.",
        ),
    ),
    Case(
        "a redirect to another name of the list",
        [*HAS, given_file(302, b"", headers={"location": "/v1/coupon-list/winter/files/f1"})],
        Said(
            NOT_PROVED,
            "The service redirects /v1/coupon-list/spring/files/f1 to the same path "
            "with winter (302): the list spring seems to be called winter. Name winter "
            "in --coupon-list, and in your tasks, and run this again.",
        ),
    ),
    Case(
        "a redirect to the same identifier, encoded otherwise",
        [*HAS, given_file(302, b"", headers={"location": f"{LIST_AT}/%661"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 is redirected to "
            "https://api.example.com/v1/coupon-list/spring/files/%661, which has the "
            "same identifier, encoded otherwise. The provider encodes identifiers in "
            "one way only, and no setting changes that: ask the service's support to "
            "accept it, or use an identifier of letters, digits and hyphens.",
        ),
    ),
    Case(
        "a redirect to another host",
        [*HAS, given_file(302, b"", headers={"location": "https://files.example.org/a"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 is redirected to "
            "https://files.example.org/a, which is not followed, since keys may not go "
            "there. No setting helps: ask the service's support for one file's record "
            "as JSON itself.",
        ),
    ),
]


@pytest.mark.parametrize("row", FILE_REDIRECTED, ids=ids(FILE_REDIRECTED))
def test_the_path_of_one_file_that_is_redirected(row: Case):
    check_file(row)


FILE_ESCAPED = [
    Case(
        "a page for an escaped slash",
        [given_list(200, [record("a/b")]), nowhere(), given_file(400, PAGE, "a/b")],
        Said(
            NOT_PROVED,
            "What replied sent 400, which is not the service's, to GET "
            "/v1/coupon-list/spring/files/a%2Fb: 'Hello'. Identifiers have '/' (%2F), "
            "which the provider sends escaped. A path that does not exist gets "
            "another reply, so a gateway may refuse such paths before the service sees "
            "them. Ask whoever runs it to let them pass, or the service's support for "
            "the path of one file.",
        ),
    ),
    Case(
        "a page for an escaped slash and space",
        [given_list(200, [record("a/b c")]), nowhere(), given_file(400, PAGE, "a/b c")],
        Said(
            NOT_PROVED,
            "What replied sent 400, which is not the service's, to GET "
            "/v1/coupon-list/spring/files/a%2Fb%20c: 'Hello'. Identifiers have '/' "
            "(%2F) and ' ' (%20), which the provider sends escaped. A path that does "
            "not exist gets another reply, so a gateway may refuse such paths before "
            "the service sees them. Ask whoever runs it to let them pass, or the "
            "service's support for the path of one file.",
        ),
    ),
    Case(
        "a page for an escaped slash, and nowhere",
        [given_list(200, [record("a/b")]), nowhere(400, PAGE), given_file(400, PAGE, "a/b")],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    Case(
        "a page for an escaped slash, and nowhere was not read",
        [given_list(200, [record("a/b")]), given_file(400, PAGE, "a/b")],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    Case(
        "a page for an escaped slash at one of two paths",
        [
            given_list(200, [record("a/b")]),
            nowhere(),
            given_file(400, PAGE, "a/b"),
            at_path(OTHER_FILE, 404, NOT_FOUND, Question.FILE_PATH),
        ],
        Said(
            NOT_PROVED,
            "None of these paths shows a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    Case(
        "a page for an escaped slash at two paths",
        [
            given_list(200, [record("a/b")]),
            nowhere(),
            given_file(400, PAGE, "a/b"),
            at_path(
                OTHER_FILE,
                400,
                PAGE,
                Question.FILE_PATH,
                request=request_for(Question.FILE_PATH, path=OTHER_FILE, file_id="a/b"),
            ),
        ],
        Said(
            NOT_PROVED,
            "What replied sent 400, which is not the service's, to GET "
            "/v1/coupon-list/spring/files/a%2Fb: 'Hello'. Identifiers have '/' (%2F), "
            "which the provider sends escaped. A path that does not exist gets "
            "another reply, so a gateway may refuse such paths before the service sees "
            "them. Ask whoever runs it to let them pass, or the service's support for "
            "the path of one file.",
        ),
    ),
    Case(
        "403 for an escaped slash, which is no page",
        [given_list(200, [record("a/b")]), nowhere(), given_file(403, FORBIDDEN, "a/b")],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET "
            "/v1/coupon-list/spring/files/a%2Fb: 'Not you'. Identifiers have '/' "
            "(%2F), which the provider sends escaped. A path that does not exist "
            "gets another reply, so a gateway may refuse such paths before the service "
            "sees them. Ask whoever runs it to let them pass, or the service's support "
            "for the path of one file.",
        ),
    ),
]


@pytest.mark.parametrize("row", FILE_ESCAPED, ids=ids(FILE_ESCAPED))
def test_the_path_of_one_file_whose_identifier_is_escaped(row: Case):
    check_file(row)


FILE_ERRORS = [
    Case(
        "401",
        [*HAS, given_file(401)],
        Said(
            NOT_PROVED,
            "The read was refused (401) at 08:00:00 UTC, so it shows no path. Run this "
            "again later.",
        ),
    ),
    Case(
        "401, and nowhere 403",
        [*HAS, nowhere(403, FORBIDDEN), given_file(401)],
        Said(
            NOT_PROVED,
            "The read was refused (401) at 08:00:00 UTC, so it shows no path. Run this "
            "again later.",
        ),
    ),
    Case(
        "403",
        [*HAS, given_file(403, FORBIDDEN)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: "
            "'Not you'. The path may be right. Ask the service's support for access.",
        ),
    ),
    Case(
        "403 as nowhere",
        [given_list(), nowhere(403, FORBIDDEN), given_file(403, FORBIDDEN)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: "
            "'Not you', and the same to a path that does not exist, so it has no such "
            "path, whatever the key is. This path does not show a file of the list; "
            "--upload URL tries more, or ask the service's support. The search ended, "
            "because the time ran out.",
        ),
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    Case(
        "404 about a permission",
        [*HAS, given_file(404, NO_SCOPE)],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files/f1: "
            "'Nothing here that your permissions show'. The path may be right. Ask an "
            "administrator of the account for a key with what it lacks.",
        ),
    ),
    Case(
        "404 in other words than nowhere",
        [*HAS, given_file(404, error("", "No such file."))],
        Said(
            NOT_PROVED,
            "The service replies 404 to GET /v1/coupon-list/spring/files/f1: 'No such "
            "file', and otherwise to a path that does not exist, so the path may be "
            "right. --upload URL shows it.",
        ),
    ),
    Case(
        "404 as nowhere",
        [*HAS, given_file(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    Case(
        "404 as nowhere at two paths",
        [*HAS, given_file(404, NOT_FOUND), file_elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "None of these paths shows a file of the list; --upload URL tries more, or "
            "ask the service's support. The search ended, because the time ran out.",
        ),
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    Case(
        "web pages with 200 at two paths",
        [*HAS, given_file(200, PAGE), file_elsewhere(200, PAGE)],
        Said(
            NOT_PROVED,
            "What is not the service replied to each read of one file (200, a web page), so none "
            "shows whether there is such a path.",
        ),
    ),
    Case(
        "a web page with 200, and 404 as nowhere",
        [*HAS, given_file(200, PAGE), file_elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "None of these paths shows a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    Case(
        "400",
        [*HAS, given_file(400, STRANGE)],
        Said(
            NOT_PROVED,
            "The service replies 400 teapot to GET /v1/coupon-list/spring/files/f1: "
            "'Moon phase is unfavourable'. --upload URL tries more, or ask the "
            "service's support.",
        ),
    ),
    # After an upload.
    Case(
        "404 after an upload",
        [given_file(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files/f1: "
            "'Nothing is here'. This path does not show the uploaded file: ask the "
            "service's support for the path of one file.",
        ),
        uploaded="f1",
    ),
    Case(
        "404 at two paths after an upload",
        [given_file(404, NOT_FOUND), file_elsewhere(404, NOT_FOUND)],
        Said(
            NOT_PROVED,
            "The service replies 404 not-found to GET /v1/coupon-list/spring/files/f1: "
            "'Nothing is here'. None of these paths shows the uploaded file: ask the "
            "service's support for the path of one file.",
        ),
        uploaded="f1",
        not_asked={Question.FILE_PATH: "the time ran out"},
    ),
    Case(
        "403 after an upload",
        [given_file(403, FORBIDDEN)],
        Said(
            NOT_PROVED,
            "The service replies 403 forbidden to GET /v1/coupon-list/spring/files/f1: "
            "'Not you'. This path does not show the uploaded file: ask the service's "
            "support for the path of one file.",
        ),
        uploaded="f1",
    ),
    Case(
        "401 after an upload",
        [given_file(401)],
        Said(
            NOT_PROVED,
            "The service replies 401 to GET /v1/coupon-list/spring/files/f1. This path "
            "does not show the uploaded file: ask the service's support for the path "
            "of one file.",
        ),
        uploaded="f1",
    ),
]


@pytest.mark.parametrize("row", FILE_ERRORS, ids=ids(FILE_ERRORS))
def test_the_path_of_one_file_that_gets_an_error(row: Case):
    """The table has files of lists, and files after an upload."""
    check_file(row)


# -- uploads ---------------------------------------------------------------------------------------


def moves(location: str, content: Any = b"", status: int = 301) -> Probe:
    return reply(status, content, {"location": location})


SLASH = f"{LIST_AT}/"
GONE = {"message": "This path is gone."}
UPLOADS = [
    # No redirect.
    Case(
        "nothing was read",
        [],
        Said(NOT_ASKED, "Reads cannot show that uploads work; --upload URL proves it."),
    ),
    Case(
        "no redirect",
        twice(),
        Said(NOT_ASKED, "Reads cannot show that uploads work; --upload URL proves it."),
    ),
    # A redirect of the list.
    Case(
        "a redirect that adds to the query",
        [moves(f"{LIST_AT}?wid=acme", status=307)],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected to the same path with wid in its "
            "query (307). Uploads go to that path, too, and have no query, and no setting adds "
            "one: ask whoever runs it, or the service's support, to take uploads without.",
        ),
    ),
    Case(
        "a redirect to another path",
        [moves(SLASH)],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301). Uploads go to "
            "that path, too, and no setting changes it: ask the service's support "
            "whether it takes them there, or let --upload URL prove it.",
        ),
    ),
    Case(
        "a redirect to another path, with words",
        [moves(SLASH, GONE)],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301): 'This path is "
            "gone'. Uploads go to that path, too, and no setting changes it: ask the "
            "service's support whether it takes them there, or let --upload URL prove "
            "it.",
        ),
    ),
    Case(
        "a redirect to another host",
        [moves(f"https://files.example.org{SLASH}")],
        Said(NOT_ASKED, "Reads cannot show that uploads work; --upload URL proves it."),
    ),
    Case(
        "a redirect to another host, and files elsewhere at this one",
        [moves(f"https://files.example.org{SLASH}"), there()],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301 to "
            "https://files.example.org/v1/coupon-list/spring/files/). Uploads go to that path, "
            "too, and no setting changes it: ask the service's support whether it takes them "
            "there, or let --upload URL prove it.",
        ),
    ),
    Case(
        "a redirect to another name",
        [moves("/v1/coupon-list/winter/files")],
        Said(
            NOT_ASKED,
            "A read of /v1/coupon-list/spring/files, which uploads go to, is "
            "redirected to the same path with winter (301): settle the name of the "
            "list first.",
        ),
    ),
    Case(
        "a redirect to the same name, encoded otherwise",
        [moves("/v1/coupon-list/%73pring/files")],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301). Uploads go to "
            "that path, too, and no setting changes it: ask the service's support "
            "whether it takes them there, or let --upload URL prove it.",
        ),
    ),
    Case(
        "a redirect below another address",
        [moves(f"/gw{LIST_AT}")],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected to the same path "
            "below https://api.example.com/gw (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). If uploads are, "
            "too, put that into the Address, and take it out of paths.",
        ),
    ),
    Case(
        "a redirect below another address, but segments are here",
        [moves(f"/gw{LIST_AT}"), segment()],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301). Uploads go to "
            "that path, too, and no setting changes it: ask the service's support "
            "whether it takes them there, or let --upload URL prove it.",
        ),
    ),
    Case(
        "a redirect to another path, and of segments below another address",
        [moves(SLASH), segment(301, b"", headers={"location": "/gw/a"})],
        Said(NOT_ASKED, "Reads cannot show that uploads work; --upload URL proves it."),
    ),
    # Nowhere is redirected, too.
    Case(
        "a redirect, and nowhere, too",
        [moves(SLASH), nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"})],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301). Uploads go to "
            "that path, too, and no setting changes it: ask the service's support "
            "whether it takes them there, or let --upload URL prove it.",
        ),
    ),
    Case(
        "a redirect with words, and nowhere, too",
        [moves(SLASH, GONE), nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"})],
        Said(
            WRONG,
            "The service replies 301 to GET /v1/coupon-list/spring/files: 'This path "
            "is gone'. Any path of that kind is redirected, and uploads go to one, "
            "which no setting changes: ask the service's support to take uploads "
            "there, or for a newer provider.",
        ),
    ),
    Case(
        "a redirect with words, and nowhere, too, and files elsewhere",
        [
            moves(SLASH, GONE),
            nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"}),
            there(),
        ],
        Said(
            WRONG,
            "The service replies 301 to GET /v1/coupon-list/spring/files: 'This path "
            "is gone'. Any path of that kind is redirected, and uploads go to one, "
            "which no setting changes: ask the service's support to take uploads "
            "there, or for a newer provider. The extra repairs reads of lists and of "
            "files, and no upload.",
        ),
    ),
    Case(
        "a redirect with words, and nowhere, too, and a file elsewhere",
        [
            moves(SLASH, GONE),
            nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"}),
            file_elsewhere(200, F1),
        ],
        Said(
            WRONG,
            "The service replies 301 to GET /v1/coupon-list/spring/files: 'This path "
            "is gone'. Any path of that kind is redirected, and uploads go to one, "
            "which no setting changes: ask the service's support to take uploads "
            "there, or for a newer provider. The extra repairs reads of lists and of "
            "files, and no upload.",
        ),
    ),
    Case(
        "a redirect with words, and nowhere, too, and a file where it should be",
        [
            moves(SLASH, GONE),
            nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"}),
            given_file(200, F1),
        ],
        Said(
            WRONG,
            "The service replies 301 to GET /v1/coupon-list/spring/files: 'This path "
            "is gone'. Any path of that kind is redirected, and uploads go to one, "
            "which no setting changes: ask the service's support to take uploads "
            "there, or for a newer provider.",
        ),
    ),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_the_path_of_uploads_whose_reads_are_redirected_or_not(row: Case):
    """The table has no redirect, a redirect of the list, and redirects of any path."""
    finding = upload_path(row.evidence, row.tried)
    assert finding.topic is Topic.UPLOAD
    assert Said.of(finding) == row.said
    assert (finding.settings, finding.guesses) == ({}, {})


class RestsOn(NamedTuple):
    """Reads, and the numbers of those that each finding rests on, in its order."""

    name: str
    probes: Sequence[Probe]
    of_list: Sequence[int] = ()
    of_file: Sequence[int] = ()
    of_upload: Sequence[int] = ()


RESTS_ON = [
    RestsOn("nothing", []),
    RestsOn(
        "files",
        [*twice(), *COMPARED, nowhere(), given_file(200, F1)],
        of_list=[0, 0, 2, 3],
        of_file=[5, 5],
    ),
    RestsOn(
        "other paths",
        [given_list(404), there(), larger(), *COMPARED, given_file(404), file_elsewhere(200, F1)],
        of_list=[0, 1, 2, 3, 4],
        of_file=[5, 6],
    ),
    RestsOn(
        "no paths",
        [
            given_list(404),
            there(404),
            nowhere(),
            nowhere(),
            other_list(404),
            given_file(404, file_id="f1"),
            file_elsewhere(404),
        ],
        of_list=[0, 1, 2, 4],
        of_file=[5, 6],
    ),
    RestsOn(
        "redirects",
        [
            moves(SLASH, GONE),
            nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"}),
            nowhere(),
        ],
        of_list=[0, 1],
        of_upload=[0, 1],
    ),
    RestsOn(
        "a redirect below another address",
        [moves(f"/gw{LIST_AT}"), nowhere()],
        of_list=[0, 1],
        of_upload=[0],
    ),
]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_path_of_lists_names_its_reads_in_this_order(row: RestsOn):
    evidence = evidence_of(*row.probes)
    finding = list_path(evidence, facts.places(evidence))
    assert numbers_of(finding, row.probes) == [*row.of_list]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_path_of_one_file_names_its_reads_in_this_order(row: RestsOn):
    evidence = evidence_of(*row.probes)
    finding = file_path(evidence, facts.places(evidence))
    assert numbers_of(finding, row.probes) == [*row.of_file]


@pytest.mark.parametrize("row", RESTS_ON, ids=ids(RESTS_ON))
def test_a_finding_about_the_path_of_uploads_names_its_reads_in_this_order(row: RestsOn):
    evidence = evidence_of(*row.probes)
    finding = upload_path(evidence, facts.places(evidence))
    assert numbers_of(finding, row.probes) == [*row.of_upload]
