"""
Which of the paths that were tried shows a list's files, and which one file.

The best list is the one with files, then one that can be read, then a whole one, then one whose
page is as large as asked for; of equal ones the first. A list whose files all name other lists is
none, and objects without an identifier count at the first path only. If a file was uploaded, only a
list that has it counts, whatever list it names. The first list of other lists alone, the first
without a file and the first that announces more are found. Files are unusable if records of the
best list cannot be read, or, without a list, if the first read gets 401 or 403.

Files that the first path has without an array (one alone, or by their identifiers) were seen, too,
if no path has a list; their own path counts for their status.

The path of one file is the first that shows the file or, if it is not known which one was read, any
file. Without such a path, the first success that has its identifier is an odd file, whose status
may be odd. Another file is one that the first path shows in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_replies import error_body, reply
from support.doctor_service import record
from wes_provider.doctor.reads.evidence import (
    MADE_UP,
    Places,
)
from wes_provider.doctor.replies.probes import Probe, Question

FILES = [record("f1"), record("f2")]
WINTER = [record("f1", coupons_list_id="winter")]


def file_reply(status: int, content: Any, **more: Any) -> Probe:
    return reply(status, content, question=Question.FILE_PATH, **more)


DEEP = {"x": {"y": {"z": FILES}}}


class Best(NamedTuple):
    """What came at paths, and which of them shows the list; empty if none does."""

    name: str
    lists: Mapping[str, Probe]
    path: str
    uploaded: str = ""


MORE = reply(200, FILES, {"link": '<https://a>; rel="next"'})
ODD = [{"id": 1}]
BESTS = [
    Best("none", {}, ""),
    Best("no list", {"a": reply(404)}, ""),
    Best("one", {"a": reply(200, FILES)}, "a"),
    Best("the first of two alike", {"a": reply(200, FILES), "b": reply(200, FILES)}, "a"),
    Best("with files", {"a": reply(200, []), "b": reply(200, FILES)}, "b"),
    Best("readable", {"a": reply(200, DEEP), "b": MORE}, "b"),
    Best("whole", {"a": MORE, "b": reply(200, FILES)}, "b"),
    Best("with files, though not whole", {"a": reply(200, []), "b": MORE}, "b"),
    Best(
        "with a page as large as asked for",
        {"a?limit=9": reply(200, {"limit": 5, "data": FILES}), "b": reply(200, FILES)},
        "b",
    ),
    Best("of another list", {"a": reply(200, WINTER)}, ""),
    Best("of another list, then of none", {"a": reply(200, WINTER), "b": reply(200, [])}, "b"),
    Best("odd ones first", {"a": reply(200, ODD)}, "a"),
    Best("odd ones later", {"a": reply(404), "b": reply(200, ODD)}, ""),
    Best("no file later", {"a": reply(404), "b": reply(200, [])}, "b"),
    Best("what was uploaded", {"a": reply(200, FILES), "b": reply(200, WINTER)}, "a", "f2"),
    Best(
        "what was uploaded, of another list",
        {"a": reply(200, []), "b": reply(200, WINTER)},
        "b",
        "f1",
    ),
    Best("what was uploaded is in none", {"a": reply(200, FILES)}, "", "f9"),
]


@pytest.mark.parametrize("row", BESTS, ids=[row.name for row in BESTS])
def test_the_best_list_has_files_can_be_read_is_whole_and_has_what_was_uploaded(row: Best):
    places = Places(row.lists, {}, uploaded=row.uploaded)
    listed = places.listed
    assert (listed.path if listed else "") == row.path
    assert places.listed_files == (listed.files if listed else [])


class Seen(NamedTuple):
    """What came at paths, the files that were seen, and whether they stand without an array."""

    name: str
    lists: Mapping[str, Probe]
    ids: Sequence[str]
    are_without_array: bool = False


ONE = FILES[0]
LINKED = {"data": {**ONE, "links": [{"rel": "self"}]}}
SEEN = [
    Seen("nothing", {}, []),
    Seen("a list", {"a": reply(200, FILES)}, ["f1", "f2"]),
    Seen("one file", {"a": reply(200, {"data": ONE})}, ["f1"], are_without_array=True),
    Seen("one file with an array", {"a": reply(200, LINKED)}, ["f1"], are_without_array=True),
    Seen(
        "one file, and a list later", {"a": reply(200, ONE), "b": reply(200, FILES)}, ["f1", "f2"]
    ),
    Seen("one file later", {"a": reply(404), "b": reply(200, ONE)}, []),
    Seen("one file in an error", {"a": reply(400, ONE)}, []),
    Seen("the list's own record", {"a": reply(200, {**ONE, "_id": "spring"})}, []),
]


@pytest.mark.parametrize("row", SEEN, ids=[row.name for row in SEEN])
def test_files_of_the_best_list_were_seen_or_those_that_the_first_path_has_without_an_array(
    row: Seen,
):
    places = Places(row.lists, {})
    assert [file.id for file in places.seen_files] == row.ids
    assert (places.without_array is not None) is row.are_without_array


def test_a_file_without_an_array_is_known_as_its_own_path_has_it():
    alone = file_reply(200, {**ONE, "status": "FAILED"})
    places = Places({"a": reply(200, {"data": ONE})}, {"b": alone}, "f1")
    assert [file.status for file in places.known_files] == ["FAILED"]


class Firsts(NamedTuple):
    """What came at paths, and the first that is of other lists, is empty or announces more files."""

    name: str
    lists: Mapping[str, Probe]
    of_others: str = ""
    empty: str = ""
    partial: str = ""


FIRSTS = [
    Firsts("none", {}),
    Firsts("files", {"a": reply(200, FILES)}),
    Firsts(
        "of others", {"a": reply(200, FILES), "b": reply(200, WINTER), "c": reply(200, WINTER)}, "b"
    ),
    Firsts("empty", {"a": reply(200, FILES), "b": reply(200, []), "c": reply(200, [])}, "", "b"),
    Firsts("odd", {"a": reply(200, ODD)}),
    Firsts("partial", {"a": reply(200, FILES), "b": MORE, "c": MORE}, "", "", "b"),
]


@pytest.mark.parametrize("row", FIRSTS, ids=[row.name for row in FIRSTS])
def test_the_first_list_with_files_of_other_lists_alone_is_found(row: Firsts):
    found = Places(row.lists, {}).of_other_lists
    assert (found.path if found else "") == row.of_others


@pytest.mark.parametrize("row", FIRSTS, ids=[row.name for row in FIRSTS])
def test_the_first_list_without_a_file_is_found(row: Firsts):
    found = Places(row.lists, {}).empty
    assert (found.path if found else "") == row.empty


@pytest.mark.parametrize("row", FIRSTS, ids=[row.name for row in FIRSTS])
def test_the_first_list_that_announces_more_files_is_found(row: Firsts):
    found = Places(row.lists, {}).partial
    assert (found.path if found else "") == row.partial


class Unusable(NamedTuple):
    """What came at paths, and whether reads of files are refused or show nothing that is read."""

    name: str
    lists: Mapping[str, Probe]
    is_unusable: bool


UNUSABLE = [
    Unusable("nothing", {}, is_unusable=False),
    Unusable("files", {"a": reply(200, FILES)}, is_unusable=False),
    Unusable("some that are odd", {"a": reply(200, [*ODD, *FILES])}, is_unusable=True),
    Unusable("a refusal", {"a": reply(401)}, is_unusable=True),
    Unusable("a 403", {"a": reply(403)}, is_unusable=True),
    Unusable("a 404", {"a": reply(404)}, is_unusable=False),
    Unusable("a refusal, then files", {"a": reply(401), "b": reply(200, FILES)}, is_unusable=False),
    Unusable("a 404, then a refusal", {"a": reply(404), "b": reply(401)}, is_unusable=False),
]


@pytest.mark.parametrize("row", UNUSABLE, ids=[row.name for row in UNUSABLE])
def test_files_are_unusable_if_records_of_the_list_cannot_be_read_or_its_first_read_is_kept_out(
    row: Unusable,
):
    assert Places(row.lists, {}).is_unusable is row.is_unusable


class OneFile(NamedTuple):
    """
    What came at the paths of one file, and what is known of it.

    :ivar path: the first that shows it.
    :ivar odd: the path whose reply has it, though it cannot be read; and what its status is.
    :ivar other: the file that the first path shows in its place.
    """

    name: str
    files: Mapping[str, Probe]
    path: str = ""
    odd: str = ""
    other: str = ""
    file_id: str = "f1"
    status: str = ""


F1, F2 = file_reply(200, FILES[0]), file_reply(200, FILES[1])
IN_DATA = file_reply(200, {"file": [{"id": "f1"}]})
ODD_STATUS = file_reply(200, record("f1", status=7))
NONE = file_reply(404, error_body("x", "f1"))
ONE_FILES = [
    OneFile("none", {}),
    OneFile("the first of two", {"a": F1, "b": F1}, "a"),
    OneFile("the second", {"a": NONE, "b": F1}, "b"),
    OneFile("another one", {"a": F2}, "", "", "f2"),
    OneFile("another one, later", {"a": F1, "b": F2}, "a"),
    OneFile("another one, then it", {"a": F2, "b": F1}, "b", "", "f2"),
    OneFile("another one, of none that was read", {"a": F2}, file_id=MADE_UP),
    OneFile("it cannot be read", {"a": NONE, "b": IN_DATA}, "", "b"),
    OneFile("it can be read elsewhere", {"a": IN_DATA, "b": F1}, "b"),
    OneFile("an error with its identifier", {"a": NONE}),
    OneFile("a success without it", {"a": file_reply(200, {"file": []})}),
    OneFile(
        "a success for a made-up one", {"a": file_reply(200, {"file": [MADE_UP]})}, file_id=MADE_UP
    ),
    OneFile("the first of two that cannot be read", {"a": IN_DATA, "b": IN_DATA}, "", "a"),
    OneFile("a status that is no string", {"a": ODD_STATUS}, "", "a", status="status 7"),
]


@pytest.mark.parametrize("row", ONE_FILES, ids=[row.name for row in ONE_FILES])
def test_the_path_of_one_file_is_the_first_that_shows_it(row: OneFile):
    assert Places({}, row.files, file_id=row.file_id).file_path == row.path


@pytest.mark.parametrize("row", ONE_FILES, ids=[row.name for row in ONE_FILES])
def test_an_odd_file_is_the_first_reply_that_has_it_and_cannot_be_read(row: OneFile):
    places = Places({}, row.files, file_id=row.file_id)
    assert places.odd_file is (row.files[row.odd] if row.odd else None)


@pytest.mark.parametrize("row", ONE_FILES, ids=[row.name for row in ONE_FILES])
def test_another_file_is_one_that_the_first_path_shows_in_its_place(row: OneFile):
    assert Places({}, row.files, file_id=row.file_id).other_file == row.other


@pytest.mark.parametrize("row", ONE_FILES, ids=[row.name for row in ONE_FILES])
def test_an_odd_status_is_what_an_odd_file_has_in_place_of_one(row: OneFile):
    assert Places({}, row.files, file_id=row.file_id).odd_status == row.status
