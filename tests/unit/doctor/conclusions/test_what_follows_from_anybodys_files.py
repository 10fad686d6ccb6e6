"""
If files that a made-up key gets may be of others, the Account is *not proved*, and that is the
cause; nothing is written to the account; and findings about files (the two paths, statuses, counts,
names, records) are *not shown*, whatever they were, and refer to the Account. If nothing shows that
they are of others, what was *sure* or *not shown* of files becomes *not shown*, since it may show
nothing of the account, and what was *wrong* or *not proved* stays. Findings about anything else
stay in both cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_anybodys import FOUR, both, owned
from support.doctor_replies import evidence_of
from wes_provider.doctor.conclusions.anybodys import (
    AnybodysFiles,
    conclude_on_anybodys,
    files_of_others,
    without_anybodys,
)
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.replies.probes import Probe

CHECK = (
    "the keys may not be recognised, or the address is that of a demo: check the keys, the "
    "Workspace identifier (login) and the Address, and upload nothing before that."
)


class Concluded(NamedTuple):
    """Replies, and what is said of them."""

    name: str
    probes: Sequence[Probe]
    text: str
    why: str


CONCLUDED = [
    Concluded(
        "of an owner",
        both(owned({"coupons_list_id": "a"}, workspace="demo")),
        "All replies with files, also to a made-up key, are of workspace demo, and not of "
        f"workspace: {CHECK}",
        "replies, also to a made-up key, are of workspace demo",
    ),
    Concluded(
        "of other lists",
        both(FOUR),
        f"A made-up key gets the same 4 files, none of them of the list spring, but of a, b, c: {CHECK}",
        "a made-up key gets the same files, and none of them is of the list",
    ),
    Concluded(
        "one file of another list",
        both(owned({"coupons_list_id": "a"})),
        f"A made-up key gets the same 1 file, none of them of the list spring, but of a: {CHECK}",
        "a made-up key gets the same files, and none of them is of the list",
    ),
]


@pytest.mark.parametrize("row", CONCLUDED, ids=[row.name for row in CONCLUDED])
def test_files_of_others_leave_the_account_not_proved_and_are_the_cause(row: Concluded):
    assert conclude_on_anybodys(evidence_of(*row.probes)) == [
        Finding(Topic.ACCOUNT, Certainty.NOT_PROVED, row.text, tuple(row.probes), is_cause=True)
    ]


@pytest.mark.parametrize("row", CONCLUDED, ids=[row.name for row in CONCLUDED])
def test_nothing_is_written_to_an_account_whose_files_are_of_others(row: Concluded):
    found = files_of_others(evidence_of(*row.probes))
    assert found is not None
    assert found.why_nothing_is_written == row.why


OF_FILES = [
    Topic.LIST_PATH,
    Topic.FILE_PATH,
    Topic.STATUSES,
    Topic.COUNTS,
    Topic.NAMES,
    Topic.RECORDS,
]
OTHERS = [topic for topic in Topic if topic not in OF_FILES]
ABOUT_OTHERS = pytest.mark.parametrize("topic", OTHERS, ids=[topic.name for topic in OTHERS])
EACH_CERTAINTY = pytest.mark.parametrize(
    "certainty", list(Certainty), ids=[each.name for each in Certainty]
)
ABOUT_FILES = pytest.mark.parametrize("topic", OF_FILES, ids=[topic.name for topic in OF_FILES])


def replaced(topic: Topic, certainty: Certainty, owner: str) -> tuple[Finding, Finding]:
    """A finding about anybody's files of an owner, and what it becomes."""
    own, other = both(owned())
    finding = Finding(topic, certainty, "Text.", (own,), {"a": 1}, {"b": 2})
    (result,) = without_anybodys([finding], AnybodysFiles(own, other, owner, ""))
    return finding, result


@ABOUT_FILES
@EACH_CERTAINTY
def test_what_is_found_of_files_of_others_is_not_settled(topic: Topic, certainty: Certainty):
    finding, result = replaced(topic, certainty, "workspace demo")
    text = "Not settled: see Account."
    assert result == Finding(topic, Certainty.NOT_SHOWN, text, finding.probes)


@ABOUT_FILES
@pytest.mark.parametrize("certainty", [Certainty.SURE, Certainty.NOT_SHOWN])
def test_what_is_found_of_anybodys_files_may_show_nothing_of_the_account(
    topic: Topic, certainty: Certainty
):
    finding, result = replaced(topic, certainty, "")
    text = "Text. A made-up key gets the list as well, so that may show nothing of the account."
    assert result == Finding(topic, Certainty.NOT_SHOWN, text, finding.probes)


@ABOUT_FILES
@pytest.mark.parametrize("certainty", [Certainty.WRONG, Certainty.NOT_PROVED])
def test_a_trouble_of_anybodys_files_stays(topic: Topic, certainty: Certainty):
    finding, result = replaced(topic, certainty, "")
    assert result is finding


@ABOUT_OTHERS
@EACH_CERTAINTY
@pytest.mark.parametrize("owner", ["", "workspace demo"], ids=["unknown", "others"])
def test_what_is_found_of_anything_but_files_stays(topic: Topic, certainty: Certainty, owner: str):
    finding, result = replaced(topic, certainty, owner)
    assert result is finding
