"""
A reply has a list if it succeeds, without an error in its body, and has an array of objects, at
whatever place, or nothing at all (204, null). A page, a refusal and an object without an array have
none. The provider cannot read a reply with nothing, or an array below three names (x.y.z); it works
with a list that it can read, and that announces no more files (a link to a next page). A record
without the identifier that it reads is no file. A list is of other lists if files name others, in
order, and none names the list that was read; a file without the name of a list counts for neither.
One file is read from a 200 with the identifier that the provider reads; else it is said why it
cannot be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_replies import error_body, reply
from support.doctor_service import record
from wes_provider.client import responses
from wes_provider.doctor.reads.evidence import (
    file_read,
    listed_in,
    record_in,
    unreadable,
)
from wes_provider.doctor.replies.probes import Probe, Question

FILES = [record("f1"), record("f2")]
WINTER = [record("f1", coupons_list_id="winter")]


class Reading(NamedTuple):
    """A reply, and why it cannot be read as the record of a file; empty if it can."""

    name: str
    probe: Probe
    why: str


def file_reply(status: int, content: Any, **more: Any) -> Probe:
    return reply(status, content, question=Question.FILE_PATH, **more)


READINGS = [
    Reading("a record", file_reply(200, FILES[0]), ""),
    Reading("no response", file_reply(0, b"", problem="a reset"), "a reset"),
]


@pytest.mark.parametrize("row", READINGS, ids=[row.name for row in READINGS])
def test_why_a_reply_cannot_be_read(row: Reading):
    assert unreadable(responses.record, row.probe) == row.why


def test_a_file_is_read_if_the_provider_can():
    file = file_read(file_reply(200, FILES[0]))
    assert file is not None
    assert (file.id, file.status) == ("f1", "SUCCESS")
    assert file_read(file_reply(404, error_body("x", "y"))) is None
    assert file_read(file_reply(200, {"id": "f1"})) is None
    assert record_in(file_reply(200, FILES[0])) == FILES[0]
    assert record_in(file_reply(404, error_body("x", "y"))) is None
    assert record_in(None) is None
    assert "404" in unreadable(responses.record, file_reply(404, error_body("x", "y")))


DEEP = {"x": {"y": {"z": FILES}}}


class Contents(NamedTuple):
    """
    What the list of a reply has.

    :ivar files: how many.
    :ivar is_unreadable: whether the provider cannot read it.
    :ivar announces_more: whether it announces more files.
    :ivar names_list: whether a file names the list that was read; ``others``: which else.
    """

    files: int
    is_unreadable: bool = False
    announces_more: bool = False
    names_list: bool = False
    others: Sequence[str] = ()


class Has(NamedTuple):
    """A reply, and what its list has; ``None`` if it has no list."""

    name: str
    probe: Probe
    has: Contents | None


HAS = [
    Has("files", reply(200, FILES), Contents(2, names_list=True)),
    Has("no file", reply(200, []), Contents(0)),
    Has("no content", reply(204), Contents(0, is_unreadable=True)),
    Has("null", reply(200, "null"), Contents(0, is_unreadable=True)),
    Has("no array", reply(200, {"a": 1}), None),
    Has("an error", reply(404, []), None),
    Has("an error in a success", reply(200, {"error": "x", "success": False}), None),
    Has("a refusal", reply(401, []), None),
    Has("a page", reply(200, "<html>"), None),
    Has("another list", reply(200, WINTER), Contents(1, others=("winter",))),
    Has(
        "several lists in order",
        reply(
            200, [*FILES[:1], record("f2", coupons_list_id="w"), record("f3", coupons_list_id="a")]
        ),
        Contents(
            3,
            names_list=True,
            others=(
                "a",
                "w",
            ),
        ),
    ),
    Has(
        "files without a list",
        reply(200, [record("f1", coupons_list_id="")]),
        Contents(1),
    ),
    Has(
        "more files",
        reply(200, FILES, {"link": '<https://a>; rel="next"'}),
        Contents(2, announces_more=True, names_list=True),
    ),
    Has("records without an identifier", reply(200, [{"id": 1}]), Contents(0)),
    Has("an unusual place", reply(200, DEEP), Contents(2, is_unreadable=True, names_list=True)),
]


@pytest.mark.parametrize("row", HAS, ids=[row.name for row in HAS])
def test_a_success_with_an_array_or_nothing_has_a_list_and_any_other_reply_none(row: Has):
    listed = listed_in("/a", row.probe)
    if row.has is None:
        assert listed is None
        return
    assert listed is not None
    assert (listed.path, listed.probe) == ("/a", row.probe)
    assert row.has == Contents(
        len(listed.files),
        bool(listed.unreadable),
        bool(listed.incomplete),
        listed.names_list,
        tuple(listed.other_lists),
    )


LISTS = [row for row in HAS if row.has is not None]


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_a_list_is_of_other_lists_if_files_name_others_and_none_the_list(row: Has):
    listed = listed_in("/a", row.probe)
    assert listed is not None
    assert row.has is not None
    assert listed.is_of_other_lists is (bool(row.has.others) and not row.has.names_list)


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_a_list_works_if_it_can_be_read_and_announces_no_more(row: Has):
    listed = listed_in("/a", row.probe)
    assert listed is not None
    assert row.has is not None
    assert listed.works is not (row.has.is_unreadable or row.has.announces_more)
