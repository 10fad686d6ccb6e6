"""
An error is an objection if it is neither about a key nor about the path: a status from 400 on, but
no 401, 404 or 405, and no page; or an error in a success, unless its body says 404. An error may be
general, about each request, if it is an objection, or a 404 whose message or code is about a part
that paths have to begin with, an account or its place; a 405 is not. Another data center is found
if an error names exactly one that is not the address's own, and the address is made of one: with as
many digits as that has.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    NOT_FOUND,
    PAGE,
    ids,
    listed,
)
from support.doctor_replies import (
    changed,
    error_body,
    evidence_of,
)
from wes_provider.doctor.reads import facts
from wes_provider.doctor.replies.probes import Probe


class General(NamedTuple):
    """
    A reply, and what it may be about.

    :ivar is_objection: whether it is an error that is about no key, and not about the path.
    :ivar may_be_general: whether it is that, or a 404 whose words are about something else.
    """

    name: str
    probe: Probe
    is_objection: bool
    may_be_general: bool


GENERAL = [
    General("400", listed(400), is_objection=True, may_be_general=True),
    General("399", listed(399), is_objection=False, may_be_general=False),
    General("404", listed(404, NOT_FOUND), is_objection=False, may_be_general=False),
    General("405", listed(405, NOT_FOUND), is_objection=False, may_be_general=False),
    General("406", listed(406), is_objection=True, may_be_general=True),
    General("401", listed(401), is_objection=False, may_be_general=False),
    General("a page", listed(403, PAGE), is_objection=False, may_be_general=False),
    General(
        "an error in a success",
        listed(200, error_body("x", "No.")),
        is_objection=True,
        may_be_general=True,
    ),
    General(
        "a 404 in a success",
        listed(200, {"error": {"code": 404, "message": "No."}}),
        is_objection=False,
        may_be_general=False,
    ),
    General("a success", listed(200, FILES), is_objection=False, may_be_general=False),
    General(
        "404 about a path",
        listed(404, error_body("", "No tenant in /{tenant}/ given")),
        is_objection=False,
        may_be_general=True,
    ),
    General(
        "404 about an account",
        listed(404, error_body("", "Unknown workspace")),
        is_objection=False,
        may_be_general=True,
    ),
    General(
        "404 about a shard",
        listed(404, error_body("", "Account is not in this shard")),
        is_objection=False,
        may_be_general=True,
    ),
    General(
        "405 about an account",
        listed(405, error_body("", "Unknown workspace")),
        is_objection=False,
        may_be_general=False,
    ),
    General(
        "404 about an account by its code",
        listed(404, error_body("unknown workspace", "No.")),
        is_objection=False,
        may_be_general=True,
    ),
]


@pytest.mark.parametrize("row", GENERAL, ids=ids(GENERAL))
def test_an_error_is_an_objection_unless_it_is_about_a_key_or_a_path(row: General):
    assert facts.is_objection(row.probe) is row.is_objection


@pytest.mark.parametrize("row", GENERAL, ids=ids(GENERAL))
def test_an_error_may_be_general_if_it_is_an_objection_or_its_words_are_about_no_path(row: General):
    assert facts.may_be_general(row.probe) is row.may_be_general


class Center(NamedTuple):
    """What an error says, and the other data center that it names: its number and its address."""

    name: str
    message: str
    center: tuple[str, str] | None
    host: str = "https://api-{data_center}.example.com"
    base_url: str = "https://api-01.example.com"


CENTERS = [
    Center("another one", "in data center 03", ("03", "https://api-03.example.com")),
    Center("with one digit", "in data center 3", ("03", "https://api-03.example.com")),
    Center("the own one", "in data center 01", None),
    Center("two others", "in data center 03 or data center 04", None),
    Center(
        "the own one and another",
        "not in data center 01, but data center 3",
        ("03", "https://api-03.example.com"),
    ),
    Center("none", "No.", None),
    Center(
        "one digit, and an address with three",
        "in data center 3",
        ("003", "https://api-003.example.com"),
        base_url="https://api-001.example.com",
    ),
    Center("an address without one", "in data center 03", None, host=""),
]


@pytest.mark.parametrize("row", CENTERS, ids=ids(CENTERS))
def test_the_only_other_data_center_that_an_error_names_is_found(row: Center):
    evidence = evidence_of(settings=changed(base_url=row.base_url), host=row.host)
    found = facts.other_data_center(evidence, listed(404, error_body("", row.message)))
    assert found == row.center
