"""
Files of a list that do not have the name that was sent, and may be the upload's all the same. A
file with another name is another upload's only if it has ended, is not from the upload's URL, and
the list shows that the service keeps names like the one that was sent: by a file that was processed
under a name that only this provider gives, under the name that was sent, or under that name with
another run, if that name is as long and has the same signs. A file that has not ended may get its
name when it ends, so the list is read on; in any other case, the list cannot tell.

The list cannot tell either if a record or the rest of the response has the name in another form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

import pytest

from wes_provider.client.responses import Listing
from wes_provider.uploads.decision import Behind, CannotTell, Listed, MaybeSent, NotThere
from wes_provider.uploads.identity import UploadName
from wes_provider.uploads.recognition import recognise
from wes_provider.uploads.sought import Sought

URL = "https://files.example.com/a.csv"
ELSEWHERE = "https://files.example.com/b.csv"
NAME = UploadName("aaaaaaaa", 3, "bbbb", "cccccc")
OWN = Sought("summer", NAME, MaybeSent(), normalised_url=URL, run_never_cleared=True)
"""An upload under a name of ours, that was perhaps sent."""
RUN = "scheduled__2026-02-01T00:00:00+00:00"
GIVEN = replace(OWN, given_name=f"sale-{RUN}.csv", run_id=RUN)
"""The same under a name that the user gives, with the run in it."""


def record(
    name: str | None, url: str | None = ELSEWHERE, status: str = "SUCCESS", **more: Any
) -> dict[str, Any]:
    return {"_id": "f1", "name": name, "file_url": url, "status": status, **more}


KEPT: Final = record("hhhhhhhh-g3-bbbb-iiiiii.csv", _id="f2")
"""Another upload's file, under a name that only this provider gives."""
OF_DOCTOR: Final = record(f"Wes-Doctor-0123456789abcd-{'n' * 60}.csv", _id="f2")
EARLIER_RUN: Final = record("sale-scheduled__2026-01-01T00:00:00+00:00.csv", _id="f2")
OTHER: Final = record("sale.csv")


class Row(NamedTuple):
    """The files of a list, what is looked for, and why the list cannot tell; empty if it can."""

    name: str
    records: list[dict[str, Any]]
    sought: Sought = OWN
    why: str = ""


def look(row: Row, beside: Mapping[str, Any] = {}) -> Listed:
    return recognise(Listing(row.records, beside=beside), row.sought)


ANOTHER_UPLOAD = [
    Row("beside a name of ours", [OTHER, KEPT]),
    Row("that has failed", [{**OTHER, "status": "FAILED"}, KEPT]),
    Row("beside the name of wes-doctor's file", [OTHER, OF_DOCTOR]),
    Row("without a URL", [{**OTHER, "file_url": None}, KEPT]),
    Row(
        "from its URL with another query",
        [{**OTHER, "file_url": f"{URL}?id=1"}, KEPT],
        replace(OWN, normalised_url=f"{URL}?id=2"),
    ),
    Row("that was known before the request", [OTHER], replace(OWN, older_files=["f1"])),
    Row("without a name, from elsewhere", [record(None), KEPT]),
    Row("beside a given name of another run", [OTHER, EARLIER_RUN], GIVEN),
    Row(
        "beside a longer name of ours with the same signs",
        [OTHER, OF_DOCTOR],
        replace(GIVEN, given_name="sale-run-1.csv", run_id="run-1"),
    ),
]


@pytest.mark.parametrize("row", ANOTHER_UPLOAD, ids=[row.name for row in ANOTHER_UPLOAD])
def test_a_file_with_another_name_is_another_upload_s_if_the_service_keeps_names(row: Row):
    assert look(row) == NotThere()


NOT_KEPT = "nothing shows that the service keeps names, and these may be its file: f1"
CANNOT_TELL = [
    Row("no name of ours", [OTHER], why=NOT_KEPT),
    Row("no name of ours and no URL", [record("sale.csv", None)], why=NOT_KEPT),
    Row("a name of ours on its way", [OTHER, {**KEPT, "status": "PROCESSING"}], why=NOT_KEPT),
    Row("a name of ours that failed", [OTHER, {**KEPT, "status": "FAILED"}], why=NOT_KEPT),
    Row("a name of ours of an unknown status", [OTHER, {**KEPT, "status": "X"}], why=NOT_KEPT),
    Row(
        "a name of ours, and a longer one was sent",
        [OTHER, KEPT],
        replace(OWN, name=NAME._replace(query="qqqqqq")),
        NOT_KEPT,
    ),
    Row("a name of ours, and one with other signs was sent", [OTHER, OF_DOCTOR], GIVEN, NOT_KEPT),
    Row(
        "the run of another name whose signs are changed",
        [OTHER, record("sale-scheduled__2026-01-01T00_00_00_00_00.csv", _id="f2")],
        GIVEN,
        "nothing shows that the service keeps names, and these may be its file: f1, f2",
    ),
    Row("from its URL", [record("x.csv", URL), KEPT], why="a file from its URL has another name"),
    Row(
        "from its URL with a signature",
        [record("x.csv", f"{URL}?sig=1"), KEPT],
        why="a file from its URL has another name",
    ),
    Row(
        "from its URL by http",
        [record("x.csv", URL.replace("https", "http")), KEPT],
        why="a file from its URL has another name",
    ),
    Row(
        "from its URL without the query",
        [record("x.csv", URL), KEPT],
        replace(OWN, normalised_url=f"{URL}?id=2"),
        "a file from its URL has another name",
    ),
    Row(
        "from its URL with the query that was sent, and a signature",
        [record("x.csv", f"{URL}?id=2&sig=1"), KEPT],
        replace(OWN, normalised_url=f"{URL}?id=2"),
        "a file from its URL has another name",
    ),
    Row(
        "given name, from its URL",
        [record("x.csv", URL), EARLIER_RUN],
        GIVEN,
        "a file from its URL has another name",
    ),
    Row("neither name nor URL", [record(None, None), KEPT], why="neither name nor URL is shown"),
    Row(
        "its name behind a date",
        [record(f"2026-11-28_{NAME}.csv"), KEPT],
        why="a file has its name in another form",
    ),
    Row(
        "its name in a folder",
        [record(f"L/{NAME}.csv"), KEPT],
        why="a file has its name in another form",
    ),
    Row(
        "its name in another property",
        [record("x.csv", original_filename=f"{NAME}.csv"), KEPT],
        why="a file has its name in another form",
    ),
    Row(
        "its name within an object",
        [record("x.csv", source={"file": f"{NAME}.csv"}), KEPT],
        why="a file has its name in another form",
    ),
    Row(
        "its name within a batch that has a name of ours",
        [{**KEPT, "_id": "f1", "files": [{"name": f"{NAME}.csv"}]}],
        why="a file has its name in another form",
    ),
    Row(
        "given name with other signs",
        [record(f"sale-{RUN}.csv".replace(":", "_")), EARLIER_RUN],
        GIVEN,
        "a file has its name in another form",
    ),
    Row(
        "given name with escapes",
        [record(f"sale-{RUN}.csv".replace(":", "%3A")), EARLIER_RUN],
        GIVEN,
        "a file has its name in another form",
    ),
    Row(
        "its name, of another list",
        [record(f"{NAME}.csv", coupons_list_id="staging"), KEPT],
        why="of its name, but of another list, is f1",
    ),
]


@pytest.mark.parametrize("row", CANNOT_TELL, ids=[row.name for row in CANNOT_TELL])
def test_a_list_cannot_tell_whether_a_file_with_another_name_is_the_upload_s(row: Row):
    shows = look(row)
    assert isinstance(shows, CannotTell)
    assert shows.why.startswith(row.why)
    assert "f1" in shows.why


def test_a_list_cannot_tell_if_the_response_has_the_name_beside_its_files():
    beside = {"pending": [{"file": f"{NAME}.csv"}]}
    assert look(Row("", [KEPT]), beside) == CannotTell(
        "the response has its name beside the files of the list"
    )


NOT_ENDED = [
    Row("pending", [{**OTHER, "status": "PENDING"}, KEPT]),
    Row("of an unknown status", [{**OTHER, "status": "VALIDATING"}, KEPT]),
    Row("without a status", [{**OTHER, "status": None}, KEPT]),
    Row("pending, without a name", [record(None, status="PENDING"), KEPT]),
    Row("pending, and a name is given", [{**OTHER, "status": "PENDING"}, EARLIER_RUN], GIVEN),
]


@pytest.mark.parametrize("row", NOT_ENDED, ids=[row.name for row in NOT_ENDED])
def test_a_file_that_has_not_ended_may_get_its_name_then(row: Row):
    assert look(row) == Behind("files that have not ended may get their names then: f1")


def test_a_given_name_of_few_letters_may_stand_in_any_other_one():
    sought = replace(OWN, given_name="sale.csv", run_id="run-1", older_files=["f2"])
    listed = look(Row("", [record("winter-sale.csv"), {**OTHER, "_id": "f2"}], sought))
    assert listed == NotThere()
