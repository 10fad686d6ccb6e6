"""
Files are anybody's if the first read with the own key and one with a made-up key get files, some of
them the same; not if the made-up key is refused, gets other files or none. They may be of others if
a body or a record names another owner (workspace, tenant, account, organization, project, realm and
the like, at most two; an environment only if it is one of tests), and none names the login, in any
case; or if all of them name other lists, and no path has files of this one. Secrets in an owner's
name are taken out.

If they may be of others, the Account is *not proved*, that is the cause, nothing is written, and
findings about files (paths, statuses, counts, names, records) are not settled. If nothing shows
that, what is sure or not asked of files becomes *not asked*, since it may show nothing of the
account; a trouble of theirs stays. Findings about anything else stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import at_path
from support.doctor_replies import changed, error, evidence_of, reply
from support.doctor_service import record
from wes_provider.doctor.anybodys import (
    AnybodysFiles,
    anybodys_files,
    conclude_on_anybodys,
    files_of_others,
    without_anybodys,
)
from wes_provider.doctor.findings import Certainty, Finding, Topic
from wes_provider.doctor.probes import Probe, Question


def owned(*properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The body of a list whose files have further properties."""
    return {
        **more,
        "data": [record(f"f{at}", **owner) for at, owner in enumerate(properties or ({},))],
    }


def listed(content: Any, status: int = 200) -> Probe:
    return reply(status, content)


def made_up(content: Any, status: int = 200) -> Probe:
    return reply(status, content, question=Question.MADE_UP_KEY)


def both(content: Any) -> list[Probe]:
    return [listed(content), made_up(content)]


class Replies(NamedTuple):
    """Replies of an account."""

    name: str
    probes: Sequence[Probe]


NOT_ANYBODYS = [
    Replies("nothing", []),
    Replies("no made-up key", [listed(owned())]),
    Replies("a refusal", [listed(owned()), made_up({}, 401)]),
    Replies("other files", [listed([record("a")]), made_up([record("b")])]),
    Replies("no file", both([])),
    Replies("no file for the own key", [listed([]), made_up(owned())]),
    Replies("a file in a 404", both(error("x", "y"))),
]


@pytest.mark.parametrize("row", NOT_ANYBODYS, ids=[row.name for row in NOT_ANYBODYS])
def test_files_are_not_anybodys_unless_a_made_up_key_gets_them(row: Replies):
    assert anybodys_files(evidence_of(*row.probes)) is None


class Owner(NamedTuple):
    """
    Replies with the same files to both keys, and whose the files are.

    :ivar owner: whose they say that they are; empty if they do not name others alone.
    :ivar other_lists: the lists that they are of, if none is of the list that was read.
    """

    name: str
    probes: Sequence[Probe]
    owner: str
    other_lists: str = ""


FOUR = owned(*({"coupons_list_id": name} for name in "dcba"))
OWNERS = [
    Owner("the same files", both(owned()), ""),
    Owner("another workspace", both(owned(workspace="demo")), "workspace demo"),
    Owner("the own workspace", both(owned(workspace="WorkSpace")), ""),
    Owner("the own one, and another", both(owned({"tenant": "demo"}, workspace="workspace")), ""),
    Owner(
        "two others",
        both(owned(workspace="demo", tenant="t1", realm="r")),
        "workspace demo and tenant t1",
    ),
    Owner("in a record", both(owned({}, {"account": {"id": 7}})), "account 7"),
    Owner("of the made-up key", [listed(owned()), made_up(owned(org="demo"))], "org demo"),
    *(
        Owner(name, both(owned(**{name: "demo"})), f"{word} demo")
        for name, word in (
            *(
                ("currentWorkspaceId", "workspace"),
                ("yourTenant", "tenant"),
                ("accountName", "account"),
            ),
            *(("organization_key", "organization"), ("organisationCode", "organisation")),
            *(("orgSlug", "org"), ("companyIdentifier", "company"), ("projectId", "project")),
            ("realm", "realm"),
        )
    ),
    Owner("further up", both(owned(meta={"workspace": {"id": "demo"}})), "workspace demo"),
    Owner(
        "a name that goes on",
        both(owned(workspaces="demo", myWorkspace="demo", project_url="x")),
        "",
    ),
    Owner("no word", both(owned(workspace=True, tenant=1.5, org=None)), ""),
    Owner("an environment of tests", both(owned(environment="Sandbox")), "environment Sandbox"),
    Owner("an environment", both(owned(environment="eu")), ""),
    Owner("other lists", both(FOUR), "", "a, b, c"),
    Owner("one other list", both(owned({"coupons_list_id": "a"})), "", "a"),
    Owner(
        "other lists, and the list at another path",
        [
            listed(owned({"coupons_list_id": "a"})),
            at_path("/v2/lists/{coupon_list_id}", 200, [record("f9")]),
            made_up(owned({"coupons_list_id": "a"})),
        ],
        "",
    ),
    Owner("other lists, and the list", both(owned({"coupons_list_id": "a"}, {})), ""),
]


@pytest.mark.parametrize("row", OWNERS, ids=[row.name for row in OWNERS])
def test_files_that_anybody_gets_are_of_the_other_owner_that_a_body_names_or_of_other_lists(
    row: Owner,
):
    found = anybodys_files(evidence_of(*row.probes))
    assert found == AnybodysFiles(row.probes[0], row.probes[-1], row.owner, row.other_lists)


@pytest.mark.parametrize("row", OWNERS, ids=[row.name for row in OWNERS])
def test_files_may_be_of_others_if_they_name_another_owner_or_other_lists(row: Owner):
    evidence = evidence_of(*row.probes)
    are_of_others = bool(row.owner or row.other_lists)
    assert (files_of_others(evidence) is not None) is are_of_others
    assert bool(conclude_on_anybodys(evidence)) is are_of_others


def test_the_first_read_with_the_own_key_counts():
    probes = [listed(owned()), listed(owned(org="later")), made_up(owned())]
    found = anybodys_files(evidence_of(*probes))
    assert found is not None
    assert found.own is probes[0]
    assert found.owner == ""


def test_a_secret_in_the_name_of_an_owner_is_not_said():
    def masked(text: str) -> str:
        return text.replace("hunter2", "***")

    probes = [replace(probe, clean=masked) for probe in both(owned(workspace="demo-hunter2"))]
    found = anybodys_files(evidence_of(*probes))
    assert found is not None
    assert found.owner == "workspace demo-***"


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


def test_whose_files_are_is_compared_with_the_login():
    evidence = evidence_of(*both(owned(workspace="demo")), settings=changed(workspace_id="Demo"))
    assert files_of_others(evidence) is None


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
    assert result == Finding(topic, Certainty.NOT_ASKED, text, finding.probes)


@ABOUT_FILES
@pytest.mark.parametrize("certainty", [Certainty.SURE, Certainty.NOT_ASKED])
def test_what_is_found_of_anybodys_files_may_show_nothing_of_the_account(
    topic: Topic, certainty: Certainty
):
    finding, result = replaced(topic, certainty, "")
    text = "Text. A made-up key gets the list as well, so that may show nothing of the account."
    assert result == Finding(topic, Certainty.NOT_ASKED, text, finding.probes)


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
